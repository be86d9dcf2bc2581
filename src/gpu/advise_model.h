/* advise_model.h: what the rules of advice on GPUs look at: what each piece of work costs, and why the device waited.
 *
 * A step is work of the device and gaps between it. Each piece of work is in one class, each gap is shared out among reasons, so that no time is
 * claimed twice:
 *
 *     host     [wait][op][launch]      [op][launch]
 *     device  [----]             [----]            [---]
 *              work   gap         work   gap
 *                     |                  +-- the host was not ready: it launches late
 *                     +-- the host waited, and launched nothing meanwhile
 *
 * What shorter work saves depends on whether the next launch is there: `gpu_model_saves` walks through all work and moves each
 * piece forward as far as its launch allows; a host that waits moves with the device.
 *
 * A model borrows the profile, and owns its arrays until `gpu_model_free`. Times are ns of all runs that count.
 */
#ifndef GPU_ADVISE_MODEL_H
#define GPU_ADVISE_MODEL_H

#include "analyze/advice.h"
#include "analyze/architectures.h"
#include "gpu/frameworks.h"
#include "gpu/profile.h"

enum {
    GPU_SMALL_NS = 4000, /* a kernel below this takes less time than its launch */
    GPU_SMALL_ROW = 8    /* so many of them behind each other are a row */
};

/* What a piece of work is to the rules: the first that fits. */
enum work_class {
    WORK_PLAIN,      /* nothing to be said about it */
    WORK_FALLBACK,   /* an operator on the CPU between those of a device, or a copy for one */
    WORK_LAYOUT,     /* brings a tensor into another order and computes nothing */
    WORK_FP32,       /* a product in fp32 without tensor units */
    WORK_UNFILLED,   /* too few blocks for the device */
    WORK_SMALL,      /* a kernel that is over at once */
    WORK_COLLECTIVE, /* talks to other devices */
    WORK_COPY,       /* from or to the host */
    WORK_CLASSES
};

/* Why the device waited. */
enum gap_reason {
    GAP_LAUNCH,   /* the next launch came late: the host worked */
    GAP_SMALL,    /* the same in a row of small kernels: no host could launch them in time */
    GAP_WAIT,     /* the host waited for the device, and launched nothing meanwhile */
    GAP_INPUT,    /* the host made or waited for the next input */
    GAP_COPY,     /* the host was held by a copy */
    GAP_FALLBACK, /* the host computed an operator of the model itself, or copied for one */
    GAP_SPACE,    /* the launch was there: what the device needs between two pieces of work */
    GAP_OTHER,    /* not known */
    GAP_REASONS
};

/* One piece of work, by its place among all that count. */
struct gpu_cost {
    int64_t alone;           /* in which no other work ran */
    float gaps[GAP_REASONS]; /* ns before it in which no device worked, by reason */
    float spared;            /* part of its time that could be spared; 0..1 */
    uint32_t wait;           /* the call that waited before it: a piece; NO_ID: none */
    uint32_t fallback;       /* the operator that the host computed before it: a piece; NO_ID: none */
    uint32_t where;          /* the function that called it, where no operator did: a piece; NO_ID: not known */
    uint32_t input;          /* the annotation or function that made the input: a piece; NO_ID: none */
    bool first;              /* what made the input did so before the first launch of its run */
    uint8_t class;           /* enum work_class */
};

struct gpu_model {
    const struct gpu_profile *profile;     /* borrowed */
    const struct pieces *pieces;           /* of it */
    const struct architecture *chip;       /* peaks of the device; NULL: not known */
    double gain;                           /* of tensor units over fp32; NAN: not known */
    const char *gain_type;                 /* that they compute with */
    const struct gpu_framework *framework; /* that wrote the profile */
    bool nodes;                            /* no work of a device is in it: its work are nodes */
    bool mixed;                            /* nodes on the CPU are beside a device */
    bool on_cpu;                           /* all of its work is on the CPU */
    double runs;                           /* that count */
    struct gpu_cost *costs;                /* by place in pieces->work */
    struct interval *holds;                /* in which the host is held until the device is done, by their end */
    size_t hold_count;                     /* of these */
    double gaps[GAP_REASONS];              /* ns by reason */
    double work[WORK_CLASSES];             /* ns by class */
    uint64_t counts[WORK_CLASSES];         /* pieces by class */
    double device;                         /* ns in which some work ran */
    double call;                           /* the median launch; NAN: there are none */
    uint32_t pools[WORK_CLASSES];          /* of an advice, by class */
    uint32_t gap_pools[GAP_REASONS];       /* the same, by reason */
    double *by_op;                         /* ns of device work, by operator; the last: of none */
    uint32_t longest;                      /* operator with most of it; NO_ID: none is known */
};

/* Fills the model and the pools of the advice. Free it also after a failure. */
NODISCARD status gpu_model_fill(struct gpu_model *model, const struct gpu_profile *profile,
                                const struct architecture *peaks, struct advice *advice);
void gpu_model_free(struct gpu_model *model);

/* advise_gaps.c, called by that: why the device waited. */
NODISCARD status gpu_model_gaps(struct gpu_model *model);
/* advise_class.c, called by that: what work is to the rules. */
void gpu_model_classes(struct gpu_model *model);
/* Whether a piece is a node on the CPU beside a device, or one that copies for it. */
bool gpu_is_fallback(const struct gpu_model *model, const struct gpu_piece *piece);
/* Whether products of 16 bits are among its work. */
bool gpu_uses_half(const struct gpu_model *model);
/* The major number of the device's generation, as the file says it or as its kernels were made for; 0: not known. */
uint32_t gpu_generation(const struct gpu_model *model);

/* The type that a kernel multiplies in, by its name: fp32, tf32 or bf16 (all of 16 bits); NULL: it does not, or does not tell. */
const char *gpu_product_type(struct text kernel);

/* ns of one run. */
static inline double gpu_model_ns(const struct gpu_model *model, double ns)
{
    return ns / model->runs;
}

/* What a run is shorter where the work of a class is as short as could be; ns of one run. */
double gpu_model_saves(const struct gpu_model *model, enum work_class class);

/* The name of a kernel in few letters. In the advice's arena. */
const char *gpu_short_kernel(struct advice *advice, const char *name);

extern const struct advice_rules gpu_rules;
/* Words of the framework, for the sentences of all rules. */
void gpu_say_framework(struct advice *advice, const struct gpu_framework *framework);
/* Names what most of a run is. */
void gpu_dominates(struct advice *advice, const struct gpu_model *model);

#endif
