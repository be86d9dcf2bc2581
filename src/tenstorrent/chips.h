/* chips.h: Tenstorrent's chips, and what a product's fidelity costs on them; constant data and plain structs.
 *
 * A user describes another one in a file of architectures:
 *
 *   {"name": "p100", "worker_cores": 120, "dram_gb_s": 448, "dram_sharded_cores": 7,
 *    "tflops_per_core": {"HiFi4": 1.3824, "HiFi2": 2.7648, "LoFi": 5.5296}}
 *
 * HiFi3 that is not given lies between HiFi4 and HiFi2: three passes instead of four.
 */
#ifndef TENSTORRENT_CHIPS_H
#define TENSTORRENT_CHIPS_H

#include "analyze/architectures.h"

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

/* What reports of operations are held against. */
struct chip {
    char name[ARCHITECTURE_NAME];  /* of the architecture */
    int64_t worker_cores;          /* 0: not known */
    int64_t dram_sharded_cores;    /* that a DRAM-sharded product runs on: one per DRAM interface, as a rule */
    double dram;                   /* GB/s; NAN: not known */
    double tflops[FIDELITY_COUNT]; /* per core; NAN: not known */
};

struct chip chip_of(const struct architecture *architecture);

/* The built-in chips, and the keys that only they have. */
extern const struct architecture_set tenstorrent_architectures;

#endif
