/* advice_model.h: the operations of a run, like ones together: what rules of advice (analyze/advice.h) look at.
 *
 *     rows of a report ─ those of the runs that count ─ like ones (same code, sizes, types, memories, cores, program)
 *
 * All times are ns of one run, on average of those that count. Devices work on a run together: what like operations take is what they
 * take on the device that has most of them. Gaps before operations are told apart by whom the device waited for:
 *
 *     kernel │ launch │ excess of a gap: held by a host op, a program that is compiled, nobody that is known │ kernel …
 *
 * A model owns its columns until `op_model_free`, and borrows the report, the advise and the places.
 */
#ifndef TENSTORRENT_ADVICE_MODEL_H
#define TENSTORRENT_ADVICE_MODEL_H

#include "analyze/advice.h"
#include "base/intervals.h"
#include "base/map.h"
#include "tenstorrent/advise.h"
#include "tenstorrent/ops_feed.h"

/* What is wrong with like operations, if anything. One rule speaks of each. */
enum op_finding {
    OP_FINE,       /* nothing is known to be wrong */
    OP_COLLECTIVE, /* it exchanges data between devices */
    OP_LAYOUT,     /* it only moves data into another form */
    OP_STRAGGLER,  /* one core works much longer than the mean */
    OP_LATE,       /* cores start long after the first */
    OP_STARVED,    /* compute waits for data that memory could bring */
    OP_FEW_CORES,  /* it runs on a small part of the cores */
    OP_MEMORY,     /* DRAM bounds it, and fewer bytes would do */
    OP_FIDELITY,   /* arithmetic bounds it, and fewer passes would do */
    OP_SLOW        /* a product far from both of its peaks */
};

/* What the name of an operation says, looked at once. */
enum { MODEL_KNOWN = 1, MODEL_COLLECTIVE = 2, MODEL_LAYOUT = 4, MODEL_READS_ALL = 8, MODEL_MOVES = 16 };

/* What of like operations one device ran. */
struct op_share {
    uint32_t like;    /* of the model */
    uint32_t next;    /* of the same operations on another device; NO_ID: the last */
    uint32_t device;  /* place among the devices */
    uint64_t count;   /* operations */
    double kernel;    /* ns of all of them */
    double excess;    /* ns of gaps before them, over what a launch takes, that no host op explains */
    double held;      /* of a host op: ns for which this device waited */
    uint64_t gaps;    /* that are over it */
    double worst_gap; /* ns: the longest of them */
    double first_gap; /* ns: of the first of all, where that is the first of the file; 0: it was none */
};

struct op_like {
    struct advise_op op;                      /* the first one, with the mean time of all: label, rates, bound */
    uint32_t first_share;                     /* NO_ID: none */
    uint32_t devices;                         /* that ran it */
    uint64_t count, untimed;                  /* rows that count; those without a time */
    double longest, mean, last_start, waits;  /* sums over rows, of their cores; see `cored` and `waited` */
    uint64_t cored, waited;                   /* rows that tell these */
    double kernel, mean_kernel, excess, held; /* ns of a run, once settled: as those of the longest device */
    double compiled;                          /* ns of a gap in which its program was compiled; not in `excess` */
    double gaps, calls;                       /* of a run: gaps over what a launch takes; operations */
    double worst_gap;                         /* ns: the longest of them */
    uint32_t slowest;                         /* device: that takes `kernel` */
    bool mixed;              /* operations that share their name and nothing else: there were too many kinds */
    enum op_finding finding; /* what is wrong */
    double saves;            /* ns of a run: what that costs at most */
    uint32_t pool, gap_pool; /* of the advice */
    const char *cores;       /* which cores it is about: "core 1, 2"; NULL: not known */
};

struct op_model {
    const struct op_report *report; /* borrowed */
    struct advise *advise;          /* peaks, and how rows are read; borrowed */
    struct column likes;            /* struct op_like */
    struct column shares;           /* struct op_share */
    struct map by_like;             /* over the likes */
    struct column devices;          /* struct model_device */
    struct column hosts;            /* struct model_host: host ops in their order */
    double runs;                    /* that count */
    double run_ns;                  /* of one */
    double shared;                  /* of the times of operations that a run has; below 1: they overlap */
    bool wait_sums;                 /* waits are sums over cores */
    bool mixed;                     /* some likes are */
    bool numbered;                  /* a user can look rows up by their number */
    double waits_most;              /* of operations on many cores: the largest share of waits, were they sums */
    uint64_t untimed;               /* operations whose time is not known */
    double most_cores;              /* that any operation uses */
    uint8_t *kinds;                 /* by the string id of a code: MODEL_… */
};

/* Which rows count. */
struct op_window {
    const struct interval *runs; /* ns: the runs that count, by time; NULL: all rows count */
    size_t count;                /* of these */
    int64_t first, last;         /* row numbers that the user chose; OP_NONE: no limit */
};

void op_model_start(struct op_model *model, struct advise *advise, const struct op_report *report);
void op_model_free(struct op_model *model);
/* Rows of one input: `places` are those from `first` on. */
NODISCARD status op_model_add(struct op_model *model, size_t first, const struct column *places,
                              const struct op_window *window);
/* After the last row: times of a run. */
NODISCARD status op_model_settle(struct op_model *model, double runs, double run_ns);
/* What bounds each, and what is wrong with it (advice_judge.c). */
NODISCARD status op_model_judge(struct op_model *model);

/* Where markers tell it: the cores that are slow or late (advice_cores.c). Texts are the advice's. */
NODISCARD status op_model_find_cores(struct op_model *model, const struct marker_log *log, struct advice *advice);
/* How the cores of an operation fared, from the markers, for rows that do not tell. */
NODISCARD status op_report_join_log(struct op_report *report, const struct marker_log *log);

/* The rules and all that they find, into an advice that was started. */
void op_model_advise(struct op_model *model, struct advice *advice);
extern const struct advice_rules tenstorrent_op_rules;

uint32_t op_model_like(const struct op_model *model, const struct op_row *row); /* MAP_NONE: none of them counts */
int32_t op_model_device(const struct op_model *model, uint32_t place);          /* its id */
uint32_t op_model_longest(const struct op_model *model);                        /* the device that works longest */

static inline struct op_like *op_like_at(const struct op_model *model, size_t index)
{
    return column_at(&model->likes, index);
}

#endif
