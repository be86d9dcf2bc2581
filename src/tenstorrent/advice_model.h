/* advice_model.h: the operations of a run, like ones together: what rules of advice (analyze/advice.h) look at.
 *
 *     rows of a report ─ those of the runs that count ─ like ones (same code, sizes, types, memories, cores, program)
 *
 * All times are ns of one run, on average of those that count. Devices work on a run together, so only the one that works longest without
 * waiting for others can make it shorter: it is the critical one, and what like operations take is what they take there. Before each of
 * them it waits in a gap, which is told apart by whom it waited for:
 *
 *     kernel │ launch │ excess of a gap: held by a host op, a program that is compiled, nobody that is known │ start │ kernel │ end …
 *
 * In an exchange the shortest of all devices is what it takes; what it takes longer on another one is waiting for the slowest.
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
    OP_SLOW,       /* a product far from both of its peaks */
    OP_OUTLIER     /* it takes much longer than its equals */
};

/* What the name of an operation says, looked at once. */
enum { MODEL_KNOWN = 1, MODEL_COLLECTIVE = 2, MODEL_LAYOUT = 4, MODEL_READS_ALL = 8, MODEL_MOVES = 16 };

/* What of like operations one device ran. Times are of all runs. */
struct op_share {
    uint32_t like;                   /* of the model */
    uint32_t next;                   /* of the same operations on another device; NO_ID: the last */
    uint32_t device;                 /* place among the devices */
    uint64_t count, timed;           /* operations; those whose time is known */
    double kernel;                   /* ns of all of them */
    double around;                   /* ns of firmware before and after these kernels */
    double longest, mean, cored;     /* ns of cores, and of the kernels that tell them */
    double last_start, started;      /* ns from the first core to the last, of the kernels that tell it */
    double waits, waited;            /* ns that compute waits, of the kernels that tell it */
    double slowest;                  /* ns of the longest of them */
    uint32_t slowest_row;            /* of the report: that one */
    double launch, excess, compiled; /* ns of gaps before them: what a launch takes; over it; the compiler's */
    double held;                     /* of a host op: ns for which this device waited */
    uint64_t gaps;                   /* that are over a launch, and no compiler's */
    double worst_gap;                /* ns: the longest of these */
    uint32_t worst_gap_row;          /* of the report: what it is before */
};

/* Operations that take much longer than their equals do. */
struct op_outlier {
    double excess;            /* ns of a run that they take over the usual; 0: none does */
    double usual;             /* ns: what an equal takes */
    double worst;             /* ns: the longest */
    uint64_t count, among;    /* of these, and of all equals */
    bool alike;               /* equals are alike; false: of one kind and of like size */
    const struct op_row *row; /* the longest */
};

struct op_like {
    struct advise_op op;                   /* the first one, with the mean time of all: label, rates, bound */
    uint32_t first_share;                  /* NO_ID: none */
    uint32_t devices;                      /* that ran it */
    const struct op_share *share;          /* of the critical device, once settled; NULL: it ran none */
    double exchange;                       /* ns of all runs: what the shortest device takes of each exchange */
    double kernel, around;                 /* ns of a run, once settled, on the critical device */
    double mean_kernel;                    /* ns of a run: on the mean device */
    double waiting;                        /* ns of a run, of an exchange: for slower devices */
    double launch, excess, compiled, held; /* ns of a run: gaps, as those of the share */
    double gaps, calls;                    /* of a run: gaps over what a launch takes; operations */
    bool mixed;                /* operations that share their name and nothing else: there were too many kinds */
    struct op_outlier outlier; /* of them, whatever else is wrong */
    enum op_finding finding;   /* what is wrong */
    double saves;              /* ns of a run: what that costs at most */
    uint32_t pool, around_pool, gap_pool; /* of the advice */
    const char *cores;                    /* which cores it is about: "core 1, 2"; NULL: not known */
};

struct op_model {
    const struct op_report *report; /* borrowed */
    struct advise *advise;          /* peaks, and how rows are read; borrowed */
    struct column likes;            /* struct op_like */
    struct column shares;           /* struct op_share */
    struct map by_like;             /* over the likes */
    struct column devices;          /* struct model_device */
    struct column hosts;            /* struct model_host: host ops in their order */
    struct column rows;             /* struct model_row: operations of devices that count */
    struct column exchanges;        /* double: ns of the shortest device */
    struct number_map by_exchange;  /* like and which of its exchanges: those */
    double runs;                    /* that count */
    double run_ns;                  /* of one */
    double shared;                  /* of the times of operations that a run has; below 1: they overlap */
    double launch_ns;               /* what a launch takes at best in this report */
    uint32_t critical;              /* device: place among the devices */
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
    struct interval whole;       /* ns: of all rows, where there are no runs; it ends before it begins: not known */
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
/* How the cores of an operation fared, from the markers, for rows that do not tell. `*joined`: rows that the log knows are added. */
NODISCARD status op_report_join_log(struct op_report *report, const struct marker_log *log, size_t *joined);

/* The rules and all that they find, into an advice that was started. */
void op_model_advise(struct op_model *model, struct advice *advice);
/* Once the advice is settled: what has no time cannot be called healthy. */
void op_model_doubt(const struct op_model *model, struct advice *advice);
extern const struct advice_rules tenstorrent_op_rules;

uint32_t op_model_like(const struct op_model *model, const struct op_row *row); /* MAP_NONE: none of them counts */
int32_t op_model_device(const struct op_model *model, uint32_t place);          /* its id */

/* An operation of a device that counts. */
struct model_row {
    double gap;          /* ns before it that no host op explains; 0: none, or not known */
    double kernel;       /* ns; 0: not known */
    uint32_t share : 31; /* of the model */
    uint32_t fresh : 1;  /* its kernels, or else operations like it, did not run before */
    uint32_t index;      /* of the report */
};

static inline struct op_like *op_like_at(const struct op_model *model, size_t index)
{
    return column_at(&model->likes, index);
}

static inline struct op_share *op_share_at(const struct op_model *model, size_t index)
{
    return column_at(&model->shares, index);
}

static inline struct model_row *model_row_at(const struct op_model *model, size_t index)
{
    return column_at(&model->rows, index);
}

/* Parts of a model: what keeps devices waiting (advice_gaps.c), what takes longer than its equals (advice_kin.c). */
void op_model_share_gaps(struct op_model *model);
NODISCARD status op_model_find_outliers(struct op_model *model);

#endif
