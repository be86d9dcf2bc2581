/* execution.h: what a runtime did, inference by inference: the events of one launch of a model.
 *
 * Readers of ExecuTorch's formats fill an execution; analyses, the timeline files and the sink are served from it.
 *
 *   run       one block of the log: "Default" holds the loading, each "Execute" one inference
 *   operator  one event as the program has it: the same for all runs. Wrappers and framework events are operators too.
 *   event     one operator in one run: start, duration, parent. A loop gives several events of one operator in one run.
 *
 *       run 1 [ Method::execute                                         ]   EXECUTE
 *             [ DELEGATE_CALL        ] [ OPERATOR_CALL  ] [ JF_CALL ]       CALL, CALL, CONTROL     children of EXECUTE
 *             [ Conv #1 ][ Add #1 ]    [ native_call_… ]                    DELEGATED, PORTABLE     children of their CALL
 *
 * The self time of an event is its duration without its children; the self times below an EXECUTE, its own included, add up to
 * its duration exactly.
 *
 * An execution owns its columns until `execution_free`; texts are ids in the borrowed pool. Fill it with the add functions, then
 * call `execution_settle` once; after that it is read only. Times are ticks of `clock`.
 */
#ifndef EXECUTORCH_EXECUTION_H
#define EXECUTORCH_EXECUTION_H

#include "base/column.h"
#include "base/map.h"
#include "base/status.h"
#include "trace/loss.h"
#include "trace/model.h"

/* X(name, key) */
#define EVENT_KIND_MAP(X)                                                                                  \
    X(EXECUTE, "execute")     /* Method::execute: one inference end to end */                              \
    X(LOAD, "load")           /* Program::load_method, Method::init: once per process */                   \
    X(CALL, "call")           /* DELEGATE_CALL, OPERATOR_CALL: the runtime's wrapper around an operator */ \
    X(CONTROL, "control")     /* JF_CALL, MOVE_CALL, FREE_CALL, Method::step: the runtime's own work */    \
    X(DELEGATED, "delegated") /* an operator that a backend ran */                                         \
    X(PORTABLE, "portable")   /* a kernel of the runtime's own library */

enum event_kind {
#define X(name, key) EVENT_##name,
    EVENT_KIND_MAP(X)
#undef X
        EVENT_KIND_COUNT
};

const char *event_kind_key(enum event_kind kind);

/* The kind of an event that has a name and no delegate id, by its name alone. */
enum event_kind event_kind_of_name(struct text name);

/* The type of an operator: its name without blanks and quotes around it, cut at the last " #". */
struct text operator_type_of_name(struct text name);

/* "portable" and the empty text are portable; any other text (XnnpackBackend, XNNPACK, qnnpack, delegated, ...) is a delegate. */
bool backend_is_portable(struct text backend);

/* How an operator was tied to a node of the model's graph. */
enum join_certainty {
    JOIN_NONE,
    JOIN_RECORDED, /* the record says so: instruction, debug handle */
    JOIN_INFERRED  /* by kind and order inside a delegate */
};

struct execution_operator {
    string_id name;       /* as logged: "Convolution (NHWC, F32) IGEMM #1" */
    string_id type;       /* without " #1" */
    string_id block;      /* "Execute" */
    string_id backend;    /* of DELEGATED (and of a delegate's CALL where known): XnnpackBackend, "delegated"; else 0 */
    enum event_kind kind; /* where it runs */
    int32_t chain;        /* -1: none */
    int32_t instruction;  /* -1: not known */
    int64_t delegate_id;  /* integer id that a backend gave; -1: none */
    string_id metadata;   /* bytes that a backend attached to its first event; 0: none */
    uint32_t occurrence;  /* tells operators apart that share all of the above; 0 as a rule */
    uint32_t node;        /* index of a graph node (graph.h); NO_ID: none */
    enum join_certainty join; /* how sure the node is */
    /* Filled by `execution_settle`: */
    uint32_t parent;    /* operator of the enclosing event in its first run; NO_ID: none */
    uint32_t call;      /* the CALL operator that encloses it, itself for a CALL; NO_ID: none */
    uint32_t place;     /* among the operators with the same parent, in order of time in the first run */
    uint64_t events;    /* over all runs */
    int64_t total;      /* ticks, over all runs */
    int64_t self_total; /* the same without what ran inside it */
};

struct execution_run {
    string_id block;       /* "Default", "Execute" or a name of the user's */
    int32_t bundled_input; /* -1: none */
    uint32_t index;        /* run_index: among the blocks of this name, from 0, in file order */
    /* Filled by `execution_settle`: */
    int64_t execute;                   /* ticks of all its Method::execute; -1: it has none */
    uint32_t executions;               /* how many of these it has */
    int64_t start;                     /* ticks of its first event */
    uint32_t first_event, event_count; /* into `order` */
};

struct execution_event {
    int64_t start;    /* ticks, >= 0 */
    int64_t duration; /* ticks, >= 0 */
    int64_t self;     /* filled by `execution_settle` */
    uint32_t op;      /* index of its operator */
    uint32_t run;     /* index of its run */
    uint32_t parent;  /* event; NO_ID: none. Filled by `execution_settle` */
};

struct execution_allocator {
    uint32_t run;   /* index */
    string_id name; /* as logged */
    uint64_t bytes; /* sum; the log has no times and no frees */
    uint64_t count; /* allocations */
};

/* A tensor or scalar that was logged for debugging: it has no time. */
struct execution_value {
    uint32_t run;        /* index */
    string_id name;      /* operator's, delegate's or empty */
    int32_t instruction; /* -1: not known */
    bool output;         /* of the program */
    string_id text;      /* "FLOAT [1, 3, 224, 224] at 4096", "Int 7" */
};

struct execution {
    struct strings *strings; /* borrowed */
    struct clock clock;      /* of all ticks here */
    bool no_clock;           /* all stamps are equal: durations mean nothing */
    bool wrapped;   /* a clock of 32 bits started again: starts were made to go on, the file has start % 2^32 */
    bool synthetic; /* starts are not in the file: events are laid end to end */
    bool once;      /* the file keeps one event of an operator in a run: what a loop repeats is not there */
    bool
        overlapping; /* some children are longer than their parent (a delegate with a clock of its own): sums do not hold */
    string_id model;           /* model_id of the file; 0: none */
    uint32_t launch;           /* which process; 0 unless the caller numbers several */
    struct losses losses;      /* rows are events (or lines) of the file */
    struct column operators;   /* struct execution_operator, in order of first appearance */
    struct column runs;        /* struct execution_run, in file order */
    struct column events;      /* struct execution_event, in file order */
    struct column allocators;  /* struct execution_allocator */
    struct column values;      /* struct execution_value */
    uint32_t *order;           /* events of each run by start, outer first: see execution_run */
    struct map by_key;         /* operators by their identity */
    uint32_t *run_counts;      /* runs so far, by string id of their block */
    size_t run_count_capacity; /* of these */
};

void execution_start(struct execution *execution, struct strings *strings);
void execution_free(struct execution *execution);

/* A new run; its index counts the runs of the same block name. */
NODISCARD status execution_add_run(struct execution *execution, string_id block, int32_t bundled_input, uint32_t *run);

/* The operator with this identity (block, name, kind, chain, instruction, delegate_id, occurrence), made where it is new; `type` and
 * `backend` are taken from the first. `key->type` 0 is derived from the name. */
NODISCARD status execution_operator(struct execution *execution, const struct execution_operator *key, uint32_t *op);

/* A key in which nothing is known but block and name. */
struct execution_operator execution_key(string_id block, string_id name, enum event_kind kind);

NODISCARD status execution_add_event(struct execution *execution, uint32_t op, uint32_t run, int64_t start,
                                     int64_t duration, uint32_t *event);

/* Order, nesting, self times, sums. Nesting is by instruction first (a delegated operator lies in the CALL of the same chain and
 * instruction that was logged next, and never in another delegated one), by time second; of equal intervals the one logged later
 * is the outer one. */
NODISCARD status execution_settle(struct execution *execution);

static inline struct execution_operator *execution_operator_at(const struct execution *execution, uint32_t index)
{
    return column_at(&execution->operators, index);
}
static inline struct execution_run *execution_run_at(const struct execution *execution, uint32_t index)
{
    return column_at(&execution->runs, index);
}
static inline struct execution_event *execution_event_at(const struct execution *execution, uint32_t index)
{
    return column_at(&execution->events, index);
}

/* Inferences: runs that have a Method::execute. */
uint32_t execution_inferences(const struct execution *execution);

/* An operator of the model: DELEGATED or PORTABLE. */
static inline bool operator_is_work(const struct execution_operator *op)
{
    return op->kind == EVENT_DELEGATED || op->kind == EVENT_PORTABLE;
}

#endif
