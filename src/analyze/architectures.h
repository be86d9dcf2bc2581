/* architectures.h: what machines can do: chips that the chains know, and those that a user describes in a JSON file.
 *
 *   {"architectures": [{"name": "my phone", "gb_s": 30, "gflops": {"fp32": 140, "int8": 560}},
 *                      {"name": "my NPU", "gb_s": {"in": 12.8, "out": 12.8, "local": 51.2}}]}
 *
 * A single object without the list will do as well. An architecture is a name and its peaks, each under a key: the core knows
 * rates of all that moves or computes, or by engine and data type; a chain adds keys of its own, and the chips that are built in. What
 * an entry does not say is taken from the built-in one that it names as "like", or is not known (NAN).
 *
 * A struct architectures owns its entries until `architectures_free`; sets are static data.
 */
#ifndef ANALYZE_ARCHITECTURES_H
#define ANALYZE_ARCHITECTURES_H

#include <stddef.h>

#include "base/status.h"
#include "base/strings.h"

enum {
    ARCHITECTURE_NAME = 64,  /* bytes, with the NUL */
    ARCHITECTURE_PEAK = 16,  /* the same for the name of a peak */
    ARCHITECTURE_PEAKS = 32, /* that one can have */
    ARCHITECTURE_RATES = 8   /* that a user may give under one key */
};

/* What stands in a file under a key. */
enum architecture_form {
    ARCHITECTURE_NUMBER, /* one, over 0 */
    ARCHITECTURE_COUNT,  /* a whole number up to a million */
    ARCHITECTURE_ANY,    /* a number for all, or an object of numbers by any names */
    ARCHITECTURE_NAMED   /* an object of numbers by names that are known */
};

struct architecture_key {
    const char *name;            /* as it stands in the file; NULL ends a table */
    enum architecture_form form; /* of its value */
    const char *const *names;    /* ARCHITECTURE_NAMED: those there are, NULL at the end */
    const char *what;            /* ARCHITECTURE_NAMED: what the object holds, for a message */
};

struct architecture_peak {
    const char *key;              /* static; NULL: no more */
    char name[ARCHITECTURE_PEAK]; /* fp32, dma_in; empty: of all that are not named */
    double value;                 /* over 0 */
};

struct architecture {
    char name[ARCHITECTURE_NAME];                       /* never empty */
    const char *alias;                                  /* another name of a built-in one; NULL: none */
    struct architecture_peak peaks[ARCHITECTURE_PEAKS]; /* up to the first without a key */
};

/* What a chain adds. */
struct architecture_set {
    const struct architecture_key *keys; /* of its own */
    const struct architecture *built_in; /* its chips */
    size_t count;                        /* of these */
};

struct architectures {
    struct architecture *items; /* those of the user's file first */
    size_t count;               /* of all */
    size_t given;               /* of them from the file */
};

/* All that is built in, with the entries of `path` before it (NULL: none). `sets` end with NULL. */
NODISCARD status architectures_load(struct architectures *architectures, const char *path,
                                    const struct architecture_set *const *sets);
void architectures_free(struct architectures *architectures);

/* Upper and lower case are one, and an alias counts. NULL: there is none of that name. */
const struct architecture *architecture_named(const struct architectures *architectures, const char *name);
/* Their names for a message: "one, another". */
void architectures_list(const struct architectures *architectures, char *to, size_t size);

/* What it has under a key, by name, or for all that are not named (`name` NULL: that alone); NAN: not known. */
double architecture_peak(const struct architecture *architecture, const char *key, const char *name);
/* 10^9 bytes a second of an engine by its key (NULL: the memory), 10^9 operations of a data type; NAN: not known. */
double architecture_gigabytes(const struct architecture *architecture, const char *engine);
double architecture_gflops(const struct architecture *architecture, const char *type);
/* The name by which rates know a data type: fp32 of F32, f32 and float, int8 of QS8 and "QD8, F32, QC8W"; NULL: another one. */
const char *architecture_type(struct text type);

#endif
