/* model.h: the words of a trace: clocks, tracks, operators, runs, slices, arguments, losses.
 *
 * These structs are how one side of the sink tells the other something; the receiver copies what it keeps. Texts are ids
 * in the string pool that both sides share. Times are ticks of the track's clock, as logged, and never negative.
 */
#ifndef TRACE_MODEL_H
#define TRACE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strings.h"

typedef uint32_t clock_id;
typedef uint32_t track_id;
typedef uint32_t operator_id;
typedef uint32_t run_id;
typedef uint32_t open_id; /* names a begun slice until its end; dense, reused after the end */

#define NO_ID UINT32_MAX

/* What kind of work an engine does: which sums it belongs to.
 *   TRANSFER, COMPUTE  engines of the accelerator: busy time
 *   JOB                a program on the accelerator as the host saw it: busy time
 *   HOST               work on the host: busy time
 *   BOOKKEEPING        seen, inside the measured span, but no work (allocations, waiting calls)
 *   ENVELOPE           encloses other work; outside the span and the sums
 *   DRAWN              made by us to be looked at (overview, totals, estimates beside a measurement); in no sum
 *   CUSTOM             pushed by a user of the library; in no sum, but in every output */
enum engine_group {
    GROUP_TRANSFER,
    GROUP_COMPUTE,
    GROUP_JOB,
    GROUP_HOST,
    GROUP_BOOKKEEPING,
    GROUP_ENVELOPE,
    GROUP_DRAWN,
    GROUP_CUSTOM
};

/* Something that works, or a kind of line: registered by whoever knows it, as a constant. The core has the few below; a chain has
 * its own. Two engines are the same where their pointers are. */
struct engine {
    const char *key;         /* in machine outputs: "dma_in" */
    const char *title;       /* of its track: "DMA In" */
    const char *part;        /* its name where an estimate tells it from engines of the same title; NULL: the title */
    int32_t order;           /* among the tracks of an input */
    enum engine_group group; /* what its time means */
    bool numbered;           /* the title is followed by the index: "Slice 0" */
    bool few;                /* tracks of it come in thousands with few slices on each */
    bool at_work;            /* bookkeeping that is no idle time: loading, an inference */
    bool innermost;          /* of slices inside each other only the innermost count: calls that call each other */
};

/* What the time of an engine means; groups of tracks, which have none, enclose others. */
static inline enum engine_group engine_group(const struct engine *engine)
{
    return engine ? engine->group : GROUP_ENVELOPE;
}

extern const struct engine engine_unknown;   /* events of no known kind */
extern const struct engine engine_estimate;  /* an estimate beside what was measured */
extern const struct engine engine_overview;  /* one slice per metric */
extern const struct engine engine_operators; /* one line per operator */
extern const struct engine engine_counter;   /* values */
extern const struct engine engine_custom;    /* of a user of the library */

/* Ticks to nanoseconds, exactly: ns = floor(ticks * numerator / denominator) + offset. */
struct clock {
    uint64_t numerator;
    uint64_t denominator;
    int64_t offset; /* ns */
    string_id name; /* "cycles at 800 MHz" */
};

enum track_kind {
    TRACK_PROCESS, /* a top-level group: one input, or its overview */
    TRACK_GROUP,   /* a group inside one */
    TRACK_SLICES,  /* a line of slices */
    TRACK_COUNTER  /* a line of values */
};

struct track {
    track_id id;     /* dense from 0, in the order they are announced */
    track_id parent; /* announced before; NO_ID: top level */
    string_id name;
    int32_t order; /* among its siblings, ascending */
    clock_id clock;
    enum track_kind kind;
    const struct engine *engine; /* NULL: a group */
    uint32_t index;              /* of the engine: slice n; else 0 */
    bool unordered;              /* slices come in no order of start */
    const char *unit;            /* of a counter: "B", "engines"; static text or NULL */
};

/* What the user wrote. */
struct op {
    operator_id id;     /* dense from 0 */
    string_id name;     /* tosa.conv2d@L4, or net.mlir:4:10 where the source is not at hand */
    string_id type;     /* tosa.conv2d, or empty */
    string_id location; /* as the tool chain printed it; empty: none */
    string_id file;     /* of the primary place; empty: none */
    uint32_t line;      /* 0: not known */
    uint32_t column;
};

/* One inference. */
struct run {
    run_id id;
    uint32_t launch; /* which process */
    uint32_t index;  /* which inference in it */
};

/* Arguments. X(name, key, shown): `shown` = written into traces for viewers; the others are there for joins and can be
 * seen there from an enclosing slice. */
#define ARGUMENT_MAP(X)                   \
    X(BYTES, "bytes", true)               \
    X(ID, "id", true)                     \
    X(TASK, "task", true)                 \
    X(ACTION, "action", true)             \
    X(JOB, "job", true)                   \
    X(START_ACTION, "start_action", true) \
    X(WAIT_ACTION, "wait_action", true)   \
    X(INVOCATION, "invocation", true)     \
    X(DISPATCH, "dispatch", false)        \
    X(TRANSFER, "transfer", true)         \
    X(KERNEL, "kernel", true)             \
    X(KERNELS, "kernels", true)           \
    X(LOCATION, "location", true)         \
    X(NOTE, "note", true)                 \
    X(RUN, "run", true)                   \
    X(INSTRUCTION, "instruction", true)   \
    X(MODULE, "module", true)             \
    X(OP, "op", true)                     \
    X(MACS, "macs", true)                 \
    X(DATA, "data", true)                 \
    X(CYCLES, "cycles", true)             \
    X(HOST_ID, "run_host_id", true)       \
    X(TRACE, "trace_id", true)            \
    X(REPLAY, "trace_replay", true)       \
    X(CORES, "cores", true)               \
    X(FIDELITY, "fidelity", true)         \
    X(CALL, "call", true)                 \
    X(KERNEL_NS, "kernel_ns", true)

enum argument_key {
#define X(name, key, shown) ARGUMENT_##name,
    ARGUMENT_MAP(X)
#undef X
        ARGUMENT_COUNT
};

const char *argument_name(enum argument_key key);
bool argument_shown(enum argument_key key);

enum argument_type { ARGUMENT_TYPE_INTEGER, ARGUMENT_TYPE_DECIMAL, ARGUMENT_TYPE_TEXT };

struct argument {
    uint16_t key;  /* enum argument_key */
    uint16_t type; /* enum argument_type */
    union {
        int64_t integer;
        double decimal;
        string_id text;
    };
};

/* A slice of time on a track. Overlap is legal. */
struct slice {
    track_id track;
    string_id name;
    operator_id op; /* NO_ID: none */
    run_id run;     /* NO_ID: none */
    int64_t start;  /* ticks */
    int64_t end;    /* >= start; not used by `begin` */
    uint32_t flow;  /* not 0: slices with the same flow are joined by an arrow, in order of start */
    uint32_t argument_count;
    const struct argument *arguments; /* borrowed for the call */
};

#endif
