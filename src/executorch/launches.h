/* launches.h: the launches of one side of a comparison, from files.
 *
 * A file is one launch with its inferences (ETDump, timeline, a runner's log), any other profile with its launches and their runs, or a CSV of launches: `launch`, `iteration`
 * (optional) and `ms` by name, every other column is a key. What is compared must not be a mixture: keys that are not chosen
 * have to be the same in all rows.
 *
 * A struct launches owns everything it holds until `launches_free`; paths and keys are borrowed.
 */
#ifndef EXECUTORCH_LAUNCHES_H
#define EXECUTORCH_LAUNCHES_H

#include "executorch/load.h"
#include "job/launch_times.h"

struct launch_file {
    const char *path;                    /* borrowed */
    bool table;                          /* a CSV of launches */
    size_t first, count;                 /* its launches */
    size_t not_chosen;                   /* rows of a table that have other keys */
    size_t without_execute;              /* runs that have no Method::execute */
    size_t without_time;                 /* runs that last 0 */
    struct losses losses;                /* of its rows */
    const char *failed;                  /* why none of its launches has a time; NULL: they have. In the arena */
    const char *notes[SOURCE_NOTES + 1]; /* static texts, or in the arena */
    unsigned note_count;                 /* of notes */
};

struct launches {
    struct launch_times times;        /* by file, in file order */
    struct launch_file *files;        /* in the order given; owned */
    size_t file_count, file_capacity; /* of files */
    struct arena arena;               /* notes of the files */
};

/* Which rows of a table: all of the keys must hold. */
struct launch_choice {
    const char *const *keys; /* "kernels=off" */
    size_t count;            /* of keys */
};

void launches_start(struct launches *launches);
void launches_free(struct launches *launches);

/* Adds the launches of a file. */
NODISCARD status launches_add(struct launches *launches, const char *path, const struct launch_choice *choice,
                              const struct load_options *options);

/* For launches_add: the rows of an opened table. `input` stays the caller's. */
NODISCARD status launches_read_table(struct launches *launches, struct launch_file *file, struct input *input,
                                     const struct launch_choice *choice, bool strict);
/* Is this the beginning of such a table? */
bool launches_is_header(struct text head);

#endif
