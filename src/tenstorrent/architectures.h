/* architectures.h: what the chips can do: one table, which a user can extend by a JSON file.
 *
 *   {"architectures": [{"name": "p100", "worker_cores": 120, "dram_gb_s": 448, "dram_sharded_cores": 7,
 *                       "tflops_per_core": {"HiFi4": 1.3824, "HiFi2": 2.7648, "LoFi": 5.5296}}]}
 *
 * Hardware of another kind is described by rates alone, of all that it does or by engine and data type:
 *
 *   {"name": "my phone", "gb_s": 30, "gflops": {"fp32": 140, "int8": 560}}
 *   {"name": "my NPU", "gb_s": {"dma_in": 12.8, "dma_out": 12.8, "cdma": 51.2}}
 *
 * A single object without the list will do as well. What an entry does not say is taken from the built-in one that it names
 * as "like", or is not known (NAN, 0). HiFi3 that is not given lies between HiFi4 and HiFi2: three passes instead of four.
 *
 * A struct architectures owns its entries until `architectures_free`.
 */
#ifndef TENSTORRENT_ARCHITECTURES_H
#define TENSTORRENT_ARCHITECTURES_H

#include <stddef.h>

#include "base/status.h"
#include "base/strings.h"

/* Passes over the multiplier: the fewer, the faster and the less exact. X(name, text) */
#define FIDELITY_MAP(X) \
    X(HIFI4, "HiFi4")   \
    X(HIFI3, "HiFi3")   \
    X(HIFI2, "HiFi2")   \
    X(LOFI, "LoFi")

enum fidelity {
#define X(name, text) FIDELITY_##name,
    FIDELITY_MAP(X)
#undef X
        FIDELITY_COUNT
};

const char *fidelity_text(enum fidelity fidelity);
enum fidelity fidelity_named(struct text text); /* FIDELITY_COUNT: none of them */

enum { ARCHITECTURE_NAME = 64, ARCHITECTURE_RATES = 8 };

/* A rate of one engine or data type. */
struct architecture_rate {
    char name[16]; /* fp32, dma_in; empty: of all that are not named */
    double rate;
};

struct architecture {
    char name[ARCHITECTURE_NAME];
    int64_t worker_cores;
    int64_t dram_sharded_cores;    /* that a DRAM-sharded product runs on: one per DRAM interface, as a rule */
    double dram;                   /* GB/s; NAN: not known */
    double tflops[FIDELITY_COUNT]; /* per core; NAN: not known */
    struct architecture_rate gb_s[ARCHITECTURE_RATES]; /* those over 0 */
    struct architecture_rate gflops[ARCHITECTURE_RATES];
};

struct architectures {
    struct architecture *items; /* those of the user's file first */
    size_t count;
    size_t given; /* of them from the file */
};

/* The built-in table, with the entries of `path` before it (NULL: none). */
NODISCARD status architectures_load(struct architectures *architectures, const char *path);
void architectures_free(struct architectures *architectures);

/* Upper and lower case are one; wormhole_b0 is wormhole. NULL: there is none of that name. */
const struct architecture *architecture_named(const struct architectures *architectures, const char *name);
/* 10^9 bytes a second of an engine (dma_in, dma_out, cdma; NULL: the memory), 10^9 operations of a data type; NAN: not known. */
double architecture_gigabytes(const struct architecture *architecture, const char *engine);
double architecture_gflops(const struct architecture *architecture, const char *type);
/* The name by which rates know a data type: fp32 of F32, f32 and float, int8 of QS8 and "QD8, F32, QC8W"; NULL: another one. */
const char *architecture_type(struct text type);
/* Their names for a message: "wormhole, blackhole, …". */
void architectures_list(const struct architectures *architectures, char *to, size_t size);

#endif
