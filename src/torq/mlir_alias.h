/* mlir_alias.h: `#loc4 = loc(...)` and its uses.
 *
 * Aliases may be defined before or after they are used, and may use each other. Those of one section of a file (a dump
 * of one pass) know nothing of another's. A table owns its texts until `aliases_free`.
 */
#ifndef TORQ_MLIR_ALIAS_H
#define TORQ_MLIR_ALIAS_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/strings.h"

enum {
    ALIAS_DEEPEST = 64,            /* aliases inside aliases */
    ALIAS_LONGEST = 1024 * 1024,   /* bytes of one resolved location */
    ALIAS_MOST = 256 * 1024 * 1024 /* bytes of all resolved locations of a file */
};

struct resolved_location {
    uint32_t section; /* it was resolved in, + 1; 0: not yet */
    string_id id;     /* in the target pool */
};

struct aliases {
    struct strings *texts;              /* the names with their section, and what they stand for */
    string_id *meanings;                /* by id of the name; 0: not defined */
    size_t capacity;                    /* of the meanings */
    struct resolved_location *resolved; /* by id of a location as printed */
    size_t resolved_capacity;           /* of these */
    char *buffer;                       /* the location being resolved */
    size_t length;                      /* of what is in it */
    size_t buffer_capacity;             /* of it */
    uint64_t total;                     /* bytes resolved so far */
};

NODISCARD status aliases_start(struct aliases *aliases);
void aliases_free(struct aliases *aliases);

/* The first definition of a name in a section counts. */
NODISCARD status aliases_define(struct aliases *aliases, uint32_t section, struct text name, struct text meaning);
/* What a name stands for; an empty text when it is not defined. */
struct text aliases_meaning(const struct aliases *aliases, uint32_t section, struct text name);

/* Keep a location as printed, without its `loc(` and `)`, to be resolved at the end. */
NODISCARD status aliases_keep(struct aliases *aliases, struct text inside, string_id *id);
/* The whole `loc(...)` for a kept location, its aliases replaced. An alias that is not defined, goes round in a circle
 * or goes over a limit stays as printed. Id 0 gives the empty text. */
NODISCARD status aliases_resolve(struct aliases *aliases, uint32_t section, string_id kept, struct strings *target,
                                 string_id *id);

#endif
