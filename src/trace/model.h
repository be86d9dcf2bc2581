/* model.h: the words of a trace: clocks, tracks, operators, runs, slices, arguments, losses.
 *
 * These structs are how one side of the sink tells the other something; the receiver copies what it keeps. Texts are ids
 * in the string pool that both sides share. Times are ticks of the track's clock, as logged, and never negative.
 */
#ifndef TRACE_MODEL_H
#define TRACE_MODEL_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/strings.h"

typedef uint32_t clock_id;
typedef uint32_t track_id;
typedef uint32_t operator_id;
typedef uint32_t run_id;
typedef uint32_t step_id;
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
    const char *key;         /* in machine outputs */
    const char *title;       /* of its track */
    const char *part;        /* its name where an estimate tells it from engines of the same title; NULL: the title */
    int32_t order;           /* among the tracks of an input */
    enum engine_group group; /* what its time means */
    bool numbered;           /* the title is followed by the index: "Slice 0" */
    bool few;                /* tracks of it come in thousands with few slices on each */
    bool at_work;            /* bookkeeping that is no idle time: loading, an inference */
    bool innermost;          /* of slices inside each other only the innermost count: calls that call each other */
    bool nested;             /* of slices inside each other each moment is the own time of the innermost alone */
    bool host;               /* what computes is the host's own processor, no device */
    bool either;             /* it may be that or a device: nothing tells which */
    bool kernels;            /* its slices are named after the kernel that ran, not after what asked for it */
    const char *
        description; /* what its tracks show, where the title does not say it; one sentence without its end; NULL: it does */
};

/* What the time of an engine means; groups of tracks, which have none, enclose others. */
static inline enum engine_group engine_group(const struct engine *engine)
{
    return engine ? engine->group : GROUP_ENVELOPE;
}

extern const struct engine engine_thread;         /* of a program on the host: its zones */
extern const struct engine engine_device;         /* of an accelerator, by its own clock */
extern const struct engine engine_span;           /* what began on one thread and may have ended on another */
extern const struct engine engine_sum;            /* many short zones as one */
extern const struct engine engine_frame;          /* from mark to mark */
extern const struct engine engine_unknown;        /* events of no known kind */
extern const struct engine engine_estimate;       /* an estimate beside what was measured */
extern const struct engine engine_overview;       /* one slice per metric */
extern const struct engine engine_operators;      /* one line per operator */
extern const struct engine engine_counter;        /* values */
extern const struct engine engine_flight;         /* values that are drawn from slices: bytes in flight, engines busy */
extern const struct engine engine_custom;         /* of a user of the library */
extern const struct engine *const core_engines[]; /* all of these, NULL at the end */

/* Ticks to nanoseconds, exactly: ns = floor(ticks * numerator / denominator) + offset. */
struct clock {
    uint64_t numerator;   /* not 0 */
    uint64_t denominator; /* not 0 */
    int64_t offset;       /* ns */
    string_id name;       /* "cycles at 800 MHz" */
};

enum track_kind {
    TRACK_PROCESS, /* a top-level group: one input, or its overview */
    TRACK_GROUP,   /* a group inside one */
    TRACK_SLICES,  /* a line of slices */
    TRACK_COUNTER  /* a line of values */
};

struct track {
    track_id id;                 /* dense from 0, in the order they are announced */
    track_id parent;             /* announced before; NO_ID: top level */
    string_id name;              /* for people */
    int32_t order;               /* among its siblings, ascending */
    clock_id clock;              /* announced before; NO_ID: nanoseconds */
    enum track_kind kind;        /* what comes on it */
    const struct engine *engine; /* NULL: a group */
    uint32_t index;              /* of the engine: slice n; else 0 */
    bool unordered;              /* slices come in no order of start */
    const char *unit;            /* of a counter: "B", "engines"; static text or NULL */
    bool decimal;                /* values of a counter are decimals: see counter_decimal */
    const char *description;     /* what it shows, where neither name nor engine say it; static text or NULL */
    bool inside;                 /* its slices are drawn on the line of its parent, whose clock it has */
};

/* Values of a counter whose track is `decimal` are the bits of a double. */
static inline double counter_decimal(int64_t value)
{
    double decimal;

    _Static_assert(sizeof decimal == sizeof value, "a value holds a double");
    memcpy(&decimal, &value, sizeof decimal);
    return decimal;
}

static inline int64_t counter_of_decimal(double decimal)
{
    int64_t value;

    memcpy(&value, &decimal, sizeof value);
    return value;
}

/* What the user wrote. */
struct op {
    operator_id id;     /* dense from 0 */
    string_id name;     /* conv2d@L4, or net.py:4:10 where the source is not at hand */
    string_id type;     /* tosa.conv2d, or empty */
    string_id location; /* as the tool chain printed it; empty: none */
    string_id place;    /* the same in short, for people; empty: as it was printed */
    string_id file;     /* of the primary place; empty: none */
    uint32_t line;      /* 0: not known */
    uint32_t column;    /* 0: not known */
    string_id category; /* of its chain: GEMM, Convolution; empty: not known */
    string_id module;   /* that the model calls it in: features.2.body.0; empty: not known */
    string_id kernel;   /* that ran it, as its backend calls that; empty: not known */
    string_id shapes;   /* of its tensors; empty: not known */
};

/* One inference, from its first piece of work to the end of its last. One that pauses is announced in pieces, with the same index. */
struct run {
    run_id id;       /* dense from 0 */
    uint32_t launch; /* which process */
    uint32_t index;  /* which inference in it */
    clock_id clock;  /* of its times */
    int64_t start;   /* ticks */
    int64_t end;     /* the same */
};

/* A piece of the model's work, of an input that does not say which inference it belongs to: what repeats in the sequence of steps,
 * by their start, are the runs. */
struct step {
    uint64_t key;   /* equal for the same piece of every inference */
    clock_id clock; /* of its times */
    int64_t start;  /* ticks */
    int64_t end;    /* the same; the start, until `step_end` tells */
};

/* Arguments have any key: an id in the string pool. Those that the core itself knows have the same id in every pool that `model_strings`
 * makes; a chain asks the pool for its own once, when it begins to read. X(NAME, key) */
#define KEY_MAP(X)          \
    X(BYTES, "bytes")       \
    X(LOCATION, "location") \
    X(OPERATOR, "operator") \
    X(ID, "id")             \
    X(KERNEL, "kernel")     \
    X(NOTE, "note")         \
    X(RUN, "run")           \
    X(MODULE, "module")     \
    X(OP, "op")             \
    X(MACS, "macs")

enum {
    KEY_NONE, /* the empty text */
#define X(name, key) KEY_##name,
    KEY_MAP(X)
#undef X
        KEY_END /* the first id that is no key of the core */
};

/* A pool that knows the keys of the core. NULL: out of memory. */
struct strings *model_strings(void);

enum argument_type {
    ARGUMENT_INTEGER,
    ARGUMENT_UNSIGNED,
    ARGUMENT_DECIMAL,
    ARGUMENT_BOOLEAN,
    ARGUMENT_TEXT,
    ARGUMENT_POINTER,
    ARGUMENT_JSON /* an array or object as it came: its text */
};

enum argument_flag {
    ARGUMENT_HIDDEN = 1, /* there for joins; viewers can see it from an enclosing slice */
    ARGUMENT_OUTER = 2   /* viewers need it only on the outermost slice of its track */
};

struct argument {
    string_id key;  /* an id in the pool */
    uint16_t type;  /* enum argument_type */
    uint16_t flags; /* enum argument_flag */
    union {
        int64_t integer;  /* INTEGER */
        uint64_t natural; /* UNSIGNED, POINTER */
        double decimal;   /* DECIMAL */
        bool boolean;     /* BOOLEAN */
        string_id text;   /* TEXT, JSON */
    };
};

static inline struct argument argument_integer(string_id key, int64_t value)
{
    return (struct argument){ .key = key, .type = ARGUMENT_INTEGER, .integer = value };
}

static inline struct argument argument_text(string_id key, string_id text)
{
    return (struct argument){ .key = key, .type = ARGUMENT_TEXT, .text = text };
}

/* What is known of a key, whoever uses it: registered by the core and by chains. */
struct argument_key {
    const char *name;        /* NULL ends a table */
    const char *title;       /* for people */
    const char *unit;        /* "B", "ns"; NULL: none */
    const char *description; /* one sentence */
    uint16_t column;         /* its place in the CSV of slices, from 1; 0: it goes into the column of all others */
};

extern const struct argument_key argument_keys[]; /* of the core */

/* The argument with this key; NULL: there is none. */
const struct argument *argument_find(const struct argument *arguments, uint32_t count, string_id key);

/* What is known of an input as a whole: for traces that are read again. Texts are borrowed for the call. */
struct about {
    const char *chain;        /* whose words it uses; NULL: none */
    const char *generation;   /* of its format; NULL: there is one only */
    const char *failed;       /* why no launch in it has a time; NULL: some have */
    const char *const *notes; /* what a person should know of it */
    unsigned note_count;      /* of notes */
    bool estimate;            /* its times are an estimate, not measured */
    bool engines_known;       /* it says which engines were used */
};

/* A slice of time on a track. Overlap is legal. */
struct slice {
    track_id track;                   /* announced before */
    string_id name;                   /* for people */
    operator_id op;                   /* NO_ID: none */
    run_id run;                       /* NO_ID: none */
    int64_t start;                    /* ticks */
    int64_t end;                      /* >= start; not used by `begin` */
    uint32_t flow;                    /* slices with the same flow are joined by an arrow, in order of start; 0: none */
    uint32_t more_flow_count;         /* others, where one is not enough */
    const uint32_t *more_flows;       /* borrowed for the call */
    const struct argument *arguments; /* the same; each key once */
    uint32_t argument_count;          /* of arguments */
};

/* How much a slice says that it moved; 0: it says nothing, or no number of bytes. */
int64_t slice_bytes(const struct slice *slice);

/* What every sink may take for granted of a slice; its end counts only where the call uses it. */
static inline bool slice_is_whole(const struct slice *slice)
{
    return slice->track != NO_ID && (slice->arguments || !slice->argument_count) &&
           (slice->more_flows || !slice->more_flow_count);
}

static inline uint32_t slice_flow_count(const struct slice *slice)
{
    return (slice->flow != 0) + slice->more_flow_count;
}

static inline uint32_t slice_flow(const struct slice *slice, uint32_t index)
{
    assert(index < slice_flow_count(slice));
    return slice->flow ? (index ? slice->more_flows[index - 1] : slice->flow) : slice->more_flows[index];
}

#endif
