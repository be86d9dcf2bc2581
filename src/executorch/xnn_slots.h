/* xnn_slots.h: which of the microkernels that XNNPACK registered stand, and which of them an operator ran.
 *
 * XNNPACK logs a kernel each time it fills a slot of its tables. A slot is one init function, category, data types,
 * operation and role; a later line replaces what was there:
 *
 *   init_transpose_config  transpose  x32   scalar, then sse, then avx: avx stands
 *   init_f32_gemm_config   gemm       f32   one row: 1x16; many rows: 2x16 and 6x16, both, one for each number of rows
 *
 * Kernels of many rows stand side by side when they are of one architecture: XNNPACK keeps one for each number of rows
 * and chooses by the shape. Of another architecture they are another choice for all of them.
 *
 * The slots own their tables until `xnn_slots_free`; the kernels are put into the borrowed log.
 */
#ifndef EXECUTORCH_XNN_SLOTS_H
#define EXECUTORCH_XNN_SLOTS_H

#include "base/memory.h"
#include "executorch/kernels.h"

/* A line of the log that registers a kernel. */
struct xnn_registration {
    struct text category; /* as logged */
    struct text name;     /* of the kernel */
    struct text init;     /* function; empty: the log does not say */
    uint64_t line;        /* of the log, from 1 */
};

struct xnn_slot;
struct xnn_choice;

struct xnn_slots {
    struct kernel_log *log;      /* borrowed */
    struct strings *names;       /* of kernels: number n is kernel n - 1 */
    struct strings *slot_keys;   /* number n is slot n */
    struct strings *choice_keys; /* slot and rows: number n is choice n */
    struct strings *use_keys;    /* operator and tile: number n is found n */
    struct xnn_slot *slots;      /* by number */
    struct xnn_choice *choices;  /* by number */
    uint32_t *standing;          /* of each kernel: choices in which it stands */
    uint32_t *found;             /* kernel; NO_ID: none */
    size_t slot_capacity, choice_capacity, standing_capacity, found_capacity; /* of the four lists above */
};

NODISCARD status xnn_slots_start(struct xnn_slots *slots, struct kernel_log *log);
void xnn_slots_free(struct xnn_slots *slots);

NODISCARD status xnn_slots_add(struct xnn_slots *slots, const struct xnn_registration *registration);

/* After the last line: marks the kernels that stand nowhere as replaced. */
void xnn_slots_settle(struct xnn_slots *slots);

/* The kernel that an operator with a tile ran: by operation, data types, MR and NR among those that stand. Fills
 * `use->kernel`. */
NODISCARD status xnn_slots_find(struct xnn_slots *slots, struct kernel_use *use);

#endif
