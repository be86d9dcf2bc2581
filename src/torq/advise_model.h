/* advise_model.h: what the rules of advice on Torq look at: the work of the runs that count, and to what every tick of a run is given.
 *
 *   shares   each tick of a run is given to one kind of work, or to a gap between two                                  all profiles
 *   loads    what each operator asks of each engine, and what its time would be if nothing waited                        timelines
 *   timed    measured jobs beside what the compiler estimated for them                                                   logs
 *
 * A model borrows the profile, its work and its busy intervals, and owns its arrays until `torq_model_free`.
 */
#ifndef TORQ_ADVISE_MODEL_H
#define TORQ_ADVISE_MODEL_H

#include "analyze/advice.h"
#include "analyze/metrics.h"
#include "torq/work.h"
#include "trace/busy.h"

/* Time in which nothing is at work, between the same two pieces of work. */
struct torq_gap {
    uint32_t before, after; /* kinds of work; NO_ID: the run begins or ends there */
    uint32_t envelope;      /* the innermost call that is open around most of it; NO_ID: none */
    int64_t ticks;          /* of all runs */
    int64_t inside;         /* of these, while some call is open */
    uint64_t count;         /* how often */
};

/* What one operator asks of the engines. Ticks of all runs. */
struct torq_load {
    int64_t total;              /* in which some engine works for it, as `operators` tells it */
    int64_t total_transfer;     /* of it, on engines that move data */
    int64_t total_compute;      /* the same, that compute */
    int64_t given;              /* ticks of the run that are given to its own work: what runs beside slices has none */
    int64_t wall;               /* time of the run that is given to it, with transfers of others that belong to it */
    int64_t exposed;            /* of it, in which nothing computes */
    int64_t in, out, cdma;      /* that each kind of engine moves its data */
    int64_t computing, alone;   /* in which a slice or the CSS computes for it; of it, while no data move */
    int64_t css, css_alone;     /* that the CSS computes; of it, while no slice does */
    int64_t slicing;            /* in which at least one slice computes for it */
    int64_t slices, longest;    /* of all slices added up; of the one that computes most */
    uint64_t tiles, programs;   /* pieces that slices compute; the same of the CSS */
    uint64_t ins, outs;         /* transfers */
    uint32_t busiest;           /* index of the slice that computes most */
    double hide, bound, spread; /* that could be saved: see advise_timeline.c */
    double room;                /* computing that transfers could still hide below */
    bool ordered;               /* it is in the order of those that compute */
    double slow[2];             /* that slow transfers take too long, in and out, while nothing computes */
    double wasted[2];           /* the same, where it comes before all overlap; else 0 */
    uint32_t transfers, computes; /* pools of what is lost to transfers, and of computing */
};

enum {
    TORQ_SIZES = 63,         /* size k holds transfers of 2^k bytes and up, below 2^(k + 1) */
    TORQ_MODEL_SLICES = 1024 /* slice numbers are below */
};

struct torq_size {
    uint64_t count; /* of transfers */
    double bytes;   /* of all of them */
    double ticks;   /* the same, also where they overlap */
    bool slow;      /* far from the best rate */
};

/* The transfers of one engine, in or out. */
struct torq_mover {
    struct torq_size sizes[TORQ_SIZES]; /* by the logarithm of their bytes */
    double best;                        /* bytes of a tick that are given, or that the quickest size reaches */
};

/* A measured job with an estimate. */
struct torq_timed {
    uint32_t kind;   /* of work */
    double measured; /* ns of a run */
    double estimate; /* the same */
    double others;   /* how the measured time of all others compares with their estimates; NAN: there are none */
};

struct torq_model {
    struct work *work;                      /* settled */
    const struct busy *busy;                /* for the operators */
    track_id process;                       /* of the profile in it */
    const struct metrics *metrics;          /* of the runs that count */
    const struct program *program;          /* NULL: none */
    const struct strings *strings;          /* of all names */
    struct clock cycles;                    /* of the program's estimates */
    bool measured;                          /* a log; otherwise a timeline */
    bool logs_host;                         /* what the host does is in it */
    uint32_t slices;                        /* of the device */
    uint32_t idle_slice;                    /* the first of these that has next to no work; NO_ID: all have some */
    int64_t slice_ticks[TORQ_MODEL_SLICES]; /* by number: that it computes */
    struct torq_mover movers[2];            /* in, out */
    uint32_t *owners;                       /* by piece: the load that it belongs to */
    int64_t *given;                         /* by kind: ticks that are given to it */
    int64_t *unwaited;               /* by kind of job: of these, while no call is open: nobody waits for it yet */
    uint32_t *pools;                 /* by kind of work on the host and of jobs */
    struct column gaps;              /* struct torq_gap */
    struct number_map gap_places;    /* by kinds before, after and around: index of the gap */
    uint32_t gap_pool;               /* for all of them */
    int64_t computing, both, moving; /* ticks: computing alone, with transfers, transfers alone */
    struct torq_load *loads;         /* by operator; the last: of none */
    size_t load_count;               /* of these; 0: a log */
    struct torq_timed *timed;        /* by how far they are over their estimate */
    size_t timed_count;              /* of these */
};

/* Fills the model and the pools of the advice. Free it also after a failure. */
NODISCARD status torq_model_fill(struct torq_model *model, struct advice *advice);
void torq_model_free(struct torq_model *model);

/* advise_timeline.c, advise_log.c: called by that. */
NODISCARD status torq_fill_loads(struct torq_model *model, struct advice *advice);
NODISCARD status torq_fill_timed(struct torq_model *model);

double torq_model_ns(const struct torq_model *model, int64_t ticks); /* of one run */
/* Names for people; NULL: not known. A place that says the same as the name is none. */
const char *torq_operator_name(const struct torq_model *model, operator_id op);
const char *torq_operator_place(const struct torq_model *model, operator_id op);
/* A row about a kind of work: its operator and source line where they are known, else its name and dispatch. */
struct advice_row torq_kind_row(struct advice *advice, const struct torq_model *model, uint32_t kind, double ns,
                                double saves);
/* The sum of what a class of work is given. */
double torq_class_ns(const struct torq_model *model, enum work_class class);

/* Names the longest piece of work. */
void torq_dominates_timeline(struct advice *advice, const struct torq_model *model);
void torq_dominates_log(struct advice *advice, const struct torq_model *model);

extern const struct advice_rules torq_timeline_rules;
extern const struct advice_rules torq_log_rules;

/* Finders that both lists have: advise_model.c. */
advice_find_call torq_find_host_programs, torq_find_host_copies, torq_find_gaps;

#endif
