/* advise.h: the table of an ops report: how near each operation came to the hardware's peaks, and the gaps between them. What is worth
 * doing about a run of them is looked for in advice_model.h.
 *
 * `advise_run` takes the rows of a report through these steps, as tt-perf-report does:
 *
 *   order by host start ─ window between signposts ─ merge devices ─ analyse rows ─ id range, host filter ─ shares
 *
 * An advise owns its operations and texts until `advise_free`; it borrows the report and the architectures. What is not
 * known is NAN, OP_NONE or NULL.
 */
#ifndef TENSTORRENT_ADVISE_H
#define TENSTORRENT_ADVISE_H

#include "analyze/roofline.h"
#include "base/arena.h"
#include "table/table.h"
#include "tenstorrent/chips.h"
#include "tenstorrent/op_report.h"

struct advise_options {
    const char *start_signpost; /* operations behind it; NULL: not asked for */
    const char *end_signpost;   /* operations before it */
    bool ignore_signposts;      /* all operations */
    bool print_signposts;       /* signposts stay in the window */
    bool file_order;            /* not by host start: replays carry the time of their capture */
    bool no_host_ops;           /* operations on the host are left out */
    bool no_merge;              /* devices stay apart */
    bool as_original;           /* with the mistakes of tt-perf-report 1.2.4 */
    int64_t first, last;        /* row numbers; OP_NONE: no limit */
    const char *architecture;   /* name that the user gave; NULL: none, or a file */
};

enum advise_mood { ADVISE_INFO, ADVISE_WARNING };

/* What a person should know, in the order in which it came up. */
struct advise_message {
    enum advise_mood mood; /* how it is shown */
    const char *text;      /* one line */
};

/* What the attributes of an operation say about its program. */
struct advise_program {
    bool known;              /* its attributes were looked at */
    bool dram_sharded;       /* it reads weights from all banks of DRAM */
    int64_t block_width;     /* in0_block_w */
    int64_t subblock_height; /* out_subblock_h */
    int64_t subblock_width;  /* out_subblock_w */
    int64_t window;          /* places of a convolution's window; 0: none */
    const char *detail;   /* what stands behind the sizes of a convolution or the name of a halo; NULL: not made yet */
    size_t detail_length; /* of the detail */
    bool detail_plain;    /* the detail is printable ASCII */
};

/* What the name of an operation or a memory says. */
enum {
    CODE_KNOWN = 1,
    CODE_MATMUL = 2,
    CODE_CONVOLUTION = 4,
    CODE_HALO = 8,
    CODE_TORCH = 16,
    CODE_IN_TWO = 32, /* the name and its sizes are two pieces of different weight */
    CODE_OLD_CONVOLUTION = 64,
    CODE_DRAM = 128, /* of a memory: it is in DRAM */
    CODE_PLAIN = 256 /* nothing but printable ASCII */
};

struct advise_op {
    const struct op_row *row;             /* of the report */
    const struct advise_program *program; /* what its attributes say */
    const char *label;                    /* Matmul 32 x 64 x 128 */
    const char *fidelity;                 /* HiFi4 BF16 x BFP8 => BF16; NULL: none */
    uint32_t label_length;                /* of the label */
    uint16_t fidelity_length;             /* of the fidelity */
    uint16_t code;                        /* CODE_… */
    bool plain;                           /* its label is printable ASCII */
    bool host;                            /* it ran on the host though it could have run on a device */
    bool signpost;                        /* it is a mark */
    bool matmul;                          /* it is a product of matrices */
    bool dram_sharded;                    /* its program is */
    bool cores_raw;                       /* cores as the file has them, not made an integer */
    enum roofline_bound bound;            /* of products of matrices */
    uint32_t number;                      /* of its row, and its device: lines are written without a look at it */
    int32_t device;                       /* -1: none */
    double kernel_ns;                     /* NAN: none; a mean over devices need not be whole */
    double device_time;                   /* us; NAN: not known, or not on a device */
    double gap;                           /* us since the operation before; NAN: not known, or the first */
    double total;                         /* percent of all device times and gaps */
    double cores;                         /* that it used */
    double dram;                          /* GB/s */
    double dram_percent;                  /* of the peak */
    double tflops;                        /* 10^12 operations a second */
    double flops_percent;                 /* of the peak */
};

struct advise {
    const struct op_report *report;  /* borrowed */
    struct advise_options options;   /* as they were given */
    struct arena arena;              /* texts */
    struct chip architecture;        /* that operations are held against */
    struct advise_op *ops;           /* those that are shown, in order */
    size_t count;                    /* of these */
    struct advise_program *programs; /* by the string id of attributes */
    struct advise_types {            /* texts of types that were made last */
        uint64_t key[2];             /* ids of the types and the fidelity */
        const char *text;            /* made of them */
        size_t length;               /* of the text */
    } types[64];
    uint16_t *codes;                        /* CODE_…, by the string id of a code or memory */
    size_t device_ops, host_ops, signposts; /* before the id range and the host filter */
    size_t devices;                         /* distinct ids in the window */
    size_t untimed;                         /* operations on devices, of those shown, whose time is not known */
    double device_time;                     /* us, of all others shown */
    size_t gapped;                          /* operations shown whose gap is known */
    double gaps;                            /* us between them */
    struct advise_message *messages;        /* for people */
    size_t message_count;                   /* of these */
    size_t message_capacity;                /* of these */
};

/* STATUS_USAGE where the architecture that the user named is not known. Free it in any case. */
NODISCARD status advise_run(struct advise *advise, const struct op_report *report,
                            const struct architectures *architectures, const struct advise_options *options);
void advise_free(struct advise *advise);

NODISCARD status advise_say(struct advise *advise, enum advise_mood mood, const char *format, ...) PRINTF_LIKE(3, 4);

/* One row (advise_rows.c): fills what its row and kernel time tell. */
NODISCARD status advise_row(struct advise *advise, struct advise_op *op);
/* Its bytes, operations and time, and the peaks that they are held against. False: it has none that are known. */
bool advise_work(const struct advise *advise, const struct advise_op *op, struct roofline_work *work,
                 struct roofline_peak *peak);
const char *advise_bound(const struct advise_op *op); /* DRAM, FLOP, BOTH, SLOW, HOST or "" */
/* A sum that carries what rounding took (Kahan's), as the original's stacks are made; two decimals are printed of it. */
struct advise_sum {
    double sum, compensation; /* so far, and what rounding took */
};
void advise_add(struct advise_sum *sum, double value);

static const double GAP_HIGH = 6.5; /* us from which on a gap is worth a word */
static const double GAP_NORMAL = 6; /* us that remain at best */

/* ---- Stacks (advise_stack.c) ---- */

enum advise_group { GROUP_BY_OP, GROUP_BY_MEMORY, GROUP_BY_CATEGORY };

struct advise_stack_row {
    const char *name;     /* Matmul (in0:dram_interleaved), or a category */
    const char *category; /* Compute, DM, TM, Host, Other */
    int32_t device;       /* -1: of all */
    double share;         /* percent of the device time of all, or of its device; NAN: as the time */
    double time;          /* us; NAN: of none is it known */
    size_t count;         /* operations */
    size_t untimed;       /* of these, whose time on the device is not known */
    double least, most, mean, deviation, weighted; /* percent of peak FLOPs; NAN: none */
};

struct advise_stack {
    struct advise_stack_row *rows;   /* by time, the longest first */
    size_t count;                    /* of the rows */
    bool by_category;                /* rows are categories */
    bool by_device;                  /* each device has rows of its own */
    struct advise_message *messages; /* of the stack itself */
    size_t message_count;            /* of the messages */
};

/* The stack owns its rows; texts are in the advise's arena. */
NODISCARD status advise_stack(struct advise *advise, enum advise_group group, struct advise_stack *stack);
void advise_stack_free(struct advise_stack *stack);
const char *advise_category(struct text code); /* Compute, DM, TM, Host; NULL: not in the table */

#endif
