/* history_profiles.h: the profiles of a history that were asked for, in the order of builds.
 *
 * Builds are in the order in which they were first added, whichever profiles of them were asked for; profiles of a build in the order in which they were added. Rows that
 * belong to profiles come by their id: `history_profiles_find` walks along.
 * A struct history_profiles owns its rows and texts until `history_profiles_free`; it borrows the choice.
 */
#ifndef HISTORY_HISTORY_PROFILES_H
#define HISTORY_HISTORY_PROFILES_H

#include "history/history.h"

/* Texts are ids of the profiles' own pool: equal texts, equal ids. */
struct history_row {
    int64_t id;                    /* hash of its bytes */
    int64_t size;                  /* of these */
    int64_t added;                 /* ns since 1970 */
    int64_t first;                 /* when the first profile of its build was added */
    string_id name, chain;         /* of the file, and of its tool chain */
    string_id model, build;        /* of what */
    string_id commit, device;      /* the same, and on what */
    uint32_t build_number, labels; /* while they are read: of the build, and labels that fit */
};

struct history_profiles {
    const struct history_choice *choice; /* borrowed */
    struct strings *strings;             /* of all texts; owned */
    struct history_row *items;           /* by id; owned */
    size_t count, capacity;              /* of items */
    int64_t *ids;                        /* of the items; owned */
    uint32_t *order;                     /* items, in the order of builds; owned */
};

/* Free it also after a failure. */
NODISCARD status history_profiles_read(const struct history *history, const struct history_choice *choice,
                                       struct history_profiles *profiles);
void history_profiles_free(struct history_profiles *profiles);

static inline const char *history_profiles_text(const struct history_profiles *profiles, string_id id)
{
    return strings_text(profiles->strings, id);
}

/* The item that has this id, from the cursor on, which moves there; SIZE_MAX: none. Ids have to ascend. */
size_t history_profiles_find(const struct history_profiles *profiles, int64_t id, size_t *cursor);

/* Rows of a table that belong to these profiles, and perhaps to others. The ids are those of the profiles. */
struct history_request history_profiles_request(const struct history_profiles *profiles, enum history_table_id table,
                                                const char *name);

/* A label that profiles of one build have two values of: what they took is no one number then. */
struct history_mixture {
    string_id key, values[2]; /* texts of the profiles' pool */
    bool found;               /* there is one */
};
NODISCARD status history_profiles_mixture(const struct history *history, const struct history_profiles *profiles,
                                          struct history_mixture *mixture);

/* By profile: whether a launch of its build failed, and what is said of that build. The caller frees them, also after a failure. */
NODISCARD status history_profiles_standings(const struct history *history, const struct history_profiles *profiles,
                                            struct history_standing **standings);

#endif
