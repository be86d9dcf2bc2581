/* chrome_index.h: where the events of a line lie, by time: 8 bytes each.
 *
 * Events come in the order of the file. Each goes to the run of its line whose last time is the latest that is not behind its own, so that sections by
 * time, and slices written when they end (inner ones first), become few runs. A run is a list of blocks:
 *
 *     block | time, offset | +time +offset | +time +offset | ...   -> next block
 *
 * A new block begins where a difference does not fit, or the old one is full. Reading merges the runs of a line by a heap. A line owns its runs and
 * their blocks until `chrome_line_free`; blocks that were read are freed at once.
 */
#ifndef READ_CHROME_INDEX_H
#define READ_CHROME_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

enum { CHROME_OPEN_RUNS = 8 }; /* of a line, that events may still go to */

/* What an event is, in the order in which those of one time are told: ends before what begins there, and instants last, because they tell that nothing
 * more is known of the slice before them. */
enum chrome_kind { CHROME_END, CHROME_COMPLETE, CHROME_REST, CHROME_INSTANT };

struct chrome_block {
    struct chrome_block *next; /* of the same run; NULL: the last one */
    int64_t time;              /* ns, of its first event */
    uint64_t offset;           /* the same */
    uint32_t count;            /* of entries */
    uint32_t capacity;         /* the same */
    struct {
        uint32_t time;   /* behind that of the first event; the lowest two bits: what it is */
        uint32_t offset; /* the same */
    } entries[];
};

struct chrome_run {
    struct chrome_block *block; /* while it is filled: the last one; while it is read: that of the next event */
    uint32_t at;                /* of the next event in it */
    int64_t time;               /* of the last event; while it is read: of the next */
    uint64_t offset;            /* while it is read: the same */
    enum chrome_kind kind;      /* the same */
    struct chrome_block *first; /* of all that are left */
};

/* The events of a line. One of zeros is empty. */
struct chrome_line {
    struct chrome_run *runs;         /* while they are read: a heap, the earliest first; owned */
    size_t count;                    /* of runs; while they are read: that have more events */
    size_t capacity;                 /* of runs */
    uint32_t open[CHROME_OPEN_RUNS]; /* runs that take more events, by descending last time */
    uint32_t open_count;             /* of these */
    uint64_t events;                 /* added */
};

NODISCARD status chrome_line_add(struct chrome_line *line, int64_t time, uint64_t offset, enum chrome_kind kind);
void chrome_line_free(struct chrome_line *line);

void chrome_line_rewind(struct chrome_line *line); /* after the last event was added, once */
/* The next event by time, at equal times by offset; where there is one, time and offset of it are in runs[0]. */
static inline bool chrome_line_more(const struct chrome_line *line)
{
    return line->count > 0;
}
void chrome_line_next(struct chrome_line *line); /* goes on behind it */

#endif
