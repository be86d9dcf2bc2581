/* operators.h: what each operator of a model cost, per inference, and the same operator in two builds side by side.
 *
 * A side is one or several launches of one model, merged: operators that stand at the same place of the program are one. Only
 * what lies inside a Method::execute counts, of inferences that are no warm-up, so that
 *
 *     execute = operators + calls + control + framework
 *
 * holds to the tick: the time of the operators themselves, of the runtime's wrappers around them, of jumps and moves, and of what
 * Method::execute does besides. A call of which nothing inside was logged is an operator itself.
 *
 * A side owns its columns until `operators_free`; graphs and the pool of texts are borrowed.
 */
#ifndef EXECUTORCH_OPERATORS_H
#define EXECUTORCH_OPERATORS_H

#include "analyze/warmup.h"
#include "base/column.h"
#include "executorch/category.h"
#include "executorch/execution.h"
#include "executorch/graph.h"
#include "executorch/kernels.h"

struct operator_sum {
    string_id name;                /* as logged */
    string_id type;                /* without " #1" */
    string_id backend;             /* of a delegated one; 0: portable or not known */
    enum event_kind event;         /* DELEGATED, PORTABLE or CONTROL */
    enum operator_kind kind;       /* what it computes */
    int32_t chain, instruction;    /* -1: not known */
    uint32_t call;                 /* which call of the inference, from 0, in execution order; NO_ID: none */
    uint32_t delegate;             /* which delegate call, from 0; NO_ID: none */
    uint32_t place;                /* in its call, from 0, in execution order */
    const struct graph_node *node; /* NULL: none */
    enum join_certainty join;      /* how sure the node is */
    const struct kernel_use *use;  /* what the kernel log says about it; NULL: nothing */
    uint64_t events;               /* over all inferences */
    int64_t total;                 /* ticks, over all inferences */
    int64_t self;                  /* the same without what ran inside it */
    bool opaque;                   /* a whole call, of which nothing inside was logged */
};

/* A call of the runtime: what it takes beside the operators in it. */
struct call_sum {
    bool delegate; /* it enters a delegate */
    bool opaque;   /* nothing in it was logged: it is an operator itself, and takes no time beside that */
    int64_t self;  /* ticks, over all inferences */
};

struct operators {
    struct strings *strings;             /* borrowed */
    struct clock clock;                  /* of all launches */
    struct column sums;                  /* struct operator_sum, in execution order */
    struct column call_sums;             /* struct call_sum, by the number of the call */
    int64_t warmup;                      /* runs of each launch that do not count; WARMUP_AUTO, as it starts: found */
    uint32_t launches;                   /* that were added */
    uint64_t inferences;                 /* of all launches, that count */
    uint64_t slow;                       /* hiccups, which do not count: see analyze/warmup.h */
    int64_t slow_execute;                /* ticks of these */
    uint64_t left_out;                   /* of all launches, warm-up: in no sum */
    int64_t left_out_first;              /* ticks of the first inferences of launches that have warm-up */
    uint32_t warm_launches;              /* that have warm-up */
    int64_t execute;                     /* ticks of all Method::execute */
    int64_t execute_least, execute_most; /* of one inference */
    int64_t work, calls, control, framework; /* ticks; their sum is `execute` unless `overlapping` */
    int64_t repeats;  /* ticks of `framework` that may be repeats of loops, which the file does not keep */
    uint64_t outside; /* events of operators in runs without a Method::execute: in no sum */
    bool overlapping; /* some delegate has a clock of its own, or its times overlap: the sums do not hold */
    bool no_clock;    /* all stamps of some launch are equal */
};

void operators_start(struct operators *side, struct strings *strings);
void operators_free(struct operators *side);

/* Adds a launch. `graph` is the one that the execution was joined to (NULL: none) and must outlive the side; the execution need
 * not. STATUS_INPUT, with `path` in front, where there is no inference or the clock is another than that of the launches before. */
NODISCARD status operators_add(struct operators *side, const char *path, const struct execution *execution,
                               const struct graph *graph, const struct category_rules *rules);

/* Ties delegated operators to what the log says of the first inference: same delegate, same place, same name. Returns how many;
 * the log must outlive the side. */
uint32_t operators_add_kernels(struct operators *side, const struct kernel_log *log);

static inline struct operator_sum *operators_at(const struct operators *side, size_t index)
{
    return column_at(&side->sums, index);
}

static inline struct call_sum *operators_call(const struct operators *side, size_t number)
{
    return column_at(&side->call_sums, number);
}

static inline bool operators_is_work(const struct operator_sum *sum)
{
    return sum->event == EVENT_DELEGATED || sum->event == EVENT_PORTABLE;
}

/* Milliseconds of ticks over all inferences, and on average per inference. */
double operators_ms(const struct operators *side, int64_t ticks);
double operators_average_ms(const struct operators *side, int64_t ticks);
int64_t operators_average_ns(const struct operators *side, int64_t ticks); /* rounded */
double operators_percent(const struct operators *side, int64_t ticks);     /* of Method::execute; 0 where that is 0 */

/* What the parts of Method::execute add up to. */
int64_t operators_accounted(const struct operators *side);

/* "29 of 30 runs", "30 runs": the inferences that the sums are of. `to` has OPERATORS_RUNS bytes. */
enum { OPERATORS_RUNS = 256 };
void operators_runs(const struct operators *side, char *to);

/* Over 5 % of Method::execute. */
bool operators_is_bottleneck(const struct operators *side, const struct operator_sum *sum);

/* Billions of floating-point operations a second: two per multiply-accumulate; 0: not known. */
double operators_gflops(const struct operators *side, const struct operator_sum *sum);

/* Its time per event is long enough for a rate: XNNPACK counts whole microseconds, and a rate of less than ten of them would be
 * off by more than a tenth. */
bool operators_is_steady(const struct operators *side, const struct operator_sum *sum);

/* The data type that it computes in: "F32" and "QD8, F32, QC8W" as XNNPACK names it, else that of the node ("f32"); empty: not
 * known. */
struct text operators_data_type(const struct operators *side, const struct operator_sum *sum);

/* K of a product whose tile the log tells: multiply-accumulates are groups x M x N x K; 0: not known. */
uint64_t operators_inner_size(const struct operator_sum *sum);

/* baseline / candidate; 0 where the candidate took no time. */
double operators_speedup(double baseline_ms, double candidate_ms);

/* For each operator of `one`, its counterpart in `other` or NO_ID: by instruction and place where both sides know them, otherwise
 * by order, the type first. With `same_type` only operators of one type are counterparts, without it also those of one kind.
 * `matches` has room for all operators of `one`. */
NODISCARD status operators_match(const struct operators *one, const struct operators *other, bool same_type,
                                 uint32_t *matches);

/* Sums by category or by kind. */
struct operator_group {
    int64_t total;      /* ticks */
    int64_t portable;   /* of these, in the runtime's own kernels */
    uint32_t operators; /* how many */
};

void operators_by_category(const struct operators *side, struct operator_group groups[CATEGORY_COUNT]);
void operators_by_kind(const struct operators *side, struct operator_group groups[OPERATOR_KIND_COUNT]);

/* Operators by time, the longest first; equal ones in execution order. `order` has room for all of `side`; returns how many are
 * work. */
size_t operators_by_time(const struct operators *side, uint32_t *order);

#endif
