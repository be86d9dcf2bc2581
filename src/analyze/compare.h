/* compare.h: what changed from one side to the other, what the change is made of, and whether it can be luck.
 *
 * A side is a number of launches. A launch is its runs (for the verdict on the whole, which is that of latency.h), and of the mean over the runs
 * that count: what each part of a run, each engine and each operator took. Parts add up to the run, and so do the own times of operators with idle
 * and what no operator is known for (operator_time.h); so does every difference, in whole nanoseconds:
 *
 *     before     10.0 ms = conv 6.0 + add 1.0               + idle 3.0          means over the launches of a side, rounded so
 *     after      10.9 ms = conv 6.1 + add 1.0 + addmm 0.7   + idle 3.1          that they add up
 *     difference +0.9 ms =     +0.1      0.0       +0.7         +0.1
 *
 * Rows are judged by Welch's test on logarithms of what launches took (compare_judge.c says how), corrected by Holm at LATENCY_LEVEL over all rows
 * of a comparison, whether they are shown or not. A row that is 0 in some launches is judged by ranks. One that is in every launch of one side and in none of the other
 * needs no test. Sides with fewer than LATENCY_LEAST_LAUNCHES get no verdict.
 *
 * A launch owns its lists until `compare_launch_free`, a comparison everything until `comparison_free`; names are ids of one pool of strings.
 */
#ifndef ANALYZE_COMPARE_H
#define ANALYZE_COMPARE_H

#include "analyze/kernel_names.h"
#include "analyze/latency.h"
#include "analyze/metrics.h"
#include "base/arena.h"

enum { COMPARE_PARTS = 16, COMPARE_ENGINES = 20, COMPARE_SENTENCE = 2048, COMPARE_REASON = 256, COMPARE_KERNELS = 32 };

/* ---- A launch ------------------------------------------------------------------------------------------------------ */

struct compare_operator {
    struct op op;                       /* what is known of it; id NO_ID: work that names no operator */
    string_id engines;                  /* that worked for it: "Slice 0, Slice 1" */
    string_id mainly;                   /* those of them that did so for a tenth as long as the longest, or longer */
    string_id kernels[COMPARE_KERNELS]; /* that did, the longest first; 0: no more */
    int64_t own;                        /* ns of one run */
    int64_t device;                     /* ns of one run: what it has of the time in which a device works */
    double calls;                       /* of one run: how often the engine works that does so least often */
};

struct compare_engine {
    string_id name; /* "Slice 0" */
    int64_t ns;     /* of one run: in which it works */
};

/* What it is that computes. */
enum compare_place {
    COMPARE_ON_DEVICE, /* a device, and perhaps something else, too */
    COMPARE_ON_EITHER, /* a device or the host: nothing tells */
    COMPARE_ON_HOST    /* the host's own processor */
};

/* What is counted in one run, and has no luck in it. X(NAME, key) */
#define COMPARE_COUNTER_MAP(X)                                                                    \
    X(BYTES, "bytes")   /* that its operators say they moved */                                   \
    X(FLOPS, "flops")   /* operations that they say they did: two for each multiply-accumulate */ \
    X(CYCLES, "cycles") /* that a compiler estimates for all of it */

enum compare_counter {
#define X(name, key) COMPARE_##name,
    COMPARE_COUNTER_MAP(X)
#undef X
        COMPARE_COUNTERS
};

extern const char *const compare_counters[]; /* their keys */

struct compare_launch {
    struct latency_launch runs;         /* all of them, in order; borrowed */
    const struct metric_set *set;       /* of its chain */
    int64_t whole;                      /* ns of one run: mean of those that count */
    int64_t host, device;               /* of that, in which the host or a device works; they may overlap */
    bool has_host, has_device;          /* it can tell these */
    enum compare_place computes_on;     /* what works, where it can tell the time of devices */
    int64_t between;                    /* something works, but for no operator */
    int64_t idle;                       /* nothing works */
    int64_t device_between;             /* as `between`, of the time of devices */
    int64_t general[COMPARE_PARTS];     /* by `compare_parts` */
    int64_t parts[COMPARE_PARTS];       /* by `set->parts` */
    struct compare_engine *engines;     /* owned */
    size_t engine_count;                /* of engines */
    struct compare_operator *operators; /* in the order in which they were met; owned */
    size_t operator_count;              /* of operators */
    /* Of one run; 0: not known, or runs do not have the same. */
    int64_t counters[COMPARE_COUNTERS];
};

/* The parts of a run that any input can tell; they add up to it. NULL at the end. */
extern const struct metric *const compare_parts[];

/* What a launch is read from. */
struct compare_source {
    struct metric_facts facts;          /* of the launch: its windows and how many runs they are */
    const struct metric_set *set;       /* of its chain */
    size_t file_runs;                   /* that count in the whole input: what counts of slices are of */
    const struct kernel_names *kernels; /* that work for operators; settled */
    struct strings *strings;            /* of names */
};

/* `busy` of the facts is settled and cut to runs that count. Free it also after a failure. The runs are the caller's to fill in. */
NODISCARD status compare_launch_take(const struct compare_source *source, struct compare_launch *launch);
void compare_launch_free(struct compare_launch *launch);
/* Whether the operators of two launches are so different that it is not one model that ran: by how many there are, or by their names. Launches of one build have the
 * same; what a profiler missed in one of them is less than that. */
NODISCARD status compare_is_another(const struct compare_launch *first, const struct compare_launch *other,
                                    bool *another);

/* ---- A comparison -------------------------------------------------------------------------------------------------- */

struct compare_side {
    const char *name;                      /* for people */
    const struct compare_launch *launches; /* in the order in which they ran; borrowed */
    size_t count;                          /* of launches */
};

/* What the operators' rows add up to. */
enum compare_subject {
    COMPARE_AUTO,  /* the run; the time of devices where that can tell and the run cannot */
    COMPARE_RUN,   /* the run */
    COMPARE_DEVICE /* the time in which a device works */
};

struct compare_options {
    struct latency_options latency; /* of the verdict on the whole */
    enum compare_subject subject;   /* of operators */
    bool by_source;                 /* sides of two tool chains: operators are what has one place in the source */
    bool unlike;                    /* an estimate and a measurement: they cut work into other pieces */
};

enum compare_section { COMPARE_TOTALS, COMPARE_PART_ROWS, COMPARE_ENGINE_ROWS, COMPARE_OPERATOR_ROWS };

enum compare_kind {
    COMPARE_WHOLE,     /* a run */
    COMPARE_HOST_TIME, /* in which the host works */
    COMPARE_DEVICE_TIME,
    COMPARE_PART,
    COMPARE_OTHER_PART, /* what parts of a chain leave over */
    COMPARE_ENGINE,
    COMPARE_OPERATOR,
    COMPARE_NO_OPERATOR, /* work that names none */
    COMPARE_BETWEEN,
    COMPARE_IDLE,
    COMPARE_OTHERS, /* in tables: rows that are not shown */
    COMPARE_SUM     /* in tables: what the rows add up to */
};

struct compare_row {
    enum compare_section section; /* it stands in */
    enum compare_kind kind;       /* what it is */
    const char *name;             /* for people; of the pool, or static */
    const struct op *ops[2];      /* of an operator: before and after; NULL: it is not there */
    const char *reason;           /* what else changed; NULL: nothing that was seen. Owned by the comparison */
    int64_t ns[2];                /* before and after: of one run, mean over launches */
    const double *values[2];      /* by launch; owned by the comparison */
    size_t present[2];            /* launches in which it is: an operator that ran, anything else that took time */
    double calls[2];              /* how often in one run, of an operator */
    double p;                     /* of its own test; NAN: none */
    double corrected;             /* over all rows; that of the whole is `p` */
    enum latency_verdict verdict; /* on the second side */
    bool structural;              /* in all launches of one side and in none of the other: no test is needed */
    size_t place;                 /* of an operator among the others, as they came */
    size_t needed;                /* launches a side that this difference would take, about; 0: cannot be said */
};

struct comparison {
    const struct compare_side *sides;  /* two, borrowed */
    const struct strings *strings;     /* of names, borrowed */
    struct latency_comparison latency; /* of the whole */
    enum compare_subject subject;      /* that the operators' rows are about: COMPARE_RUN or COMPARE_DEVICE */
    bool by_source, unlike;            /* as it was asked for */
    struct compare_row *rows;          /* by section; operators by what they changed, certain ones first */
    size_t count;                      /* of rows */
    size_t tests;                      /* rows that were tested: what Holm's correction is over */
    size_t matched, alone[2];          /* operators: of both sides, and of one only */
    struct arena arena;                /* names, reasons, values */
};

/* Both sides have a launch. Free it also after a failure. */
NODISCARD status compare_sides(const struct compare_side sides[2], const struct compare_options *options,
                               struct strings *strings, struct comparison *comparison);
void comparison_free(struct comparison *comparison);

/* The rows of a section, which lie behind each other. */
struct compare_row *comparison_section(const struct comparison *comparison, enum compare_section section,
                                       size_t *count);
/* What the time of devices is called: that of the CPU where no other works. */
const char *comparison_device(const struct comparison *comparison);
/* A row of the totals; NULL: the inputs do not tell it. */
const struct compare_row *comparison_total(const struct comparison *comparison, enum compare_kind kind);
/* What a run is called. */
const char *comparison_run(const struct comparison *comparison);

static inline int64_t compare_difference(const struct compare_row *row)
{
    return row->ns[1] - row->ns[0];
}

/* Time after over time before; NAN where one is 0. That of the whole is of medians, as latency.h has it. */
double compare_factor(const struct comparison *comparison, const struct compare_row *row);
/* Both sides have launches enough for verdicts. */
bool comparison_can_tell(const struct comparison *comparison);

/* What a person needs first. `to` has COMPARE_SENTENCE bytes. */
void comparison_sentence(const struct comparison *comparison, char *to);

/* The rows of a section as a table; the difference that they add up to is its last row. `most` operators, the others as one row; 0: all. The
 * caller frees `*table`. */
NODISCARD status comparison_table(const struct comparison *comparison, enum compare_section section, size_t most,
                                  struct table **table);
/* All rows of the operators, as a user asks for them. */
NODISCARD status comparison_view(const struct comparison *comparison, const struct view_request *request,
                                 struct table **table);

/* For the files of this module: tests and verdicts of all rows. */
NODISCARD status compare_judge(struct comparison *comparison);
/* The same: which operator of `after` is which of `before`; NO_ID: none. */
struct compare_list {
    const struct op **ops; /* in order */
    size_t count;          /* of ops */
};
NODISCARD status compare_match(const struct compare_list *before, const struct compare_list *after,
                               const struct strings *strings, uint32_t *matches);
/* What worked for an operator in the launches of a side. */
struct compare_seen {
    string_id engines, mainly;          /* the same in all of them; 0: they are not, or not known */
    string_id kernels[COMPARE_KERNELS]; /* in any of them, those of the first before the others; 0: no more */
};
/* What changed beside the time; empty: nothing. */
void compare_reason(const struct comparison *comparison, const struct compare_row *row,
                    const struct compare_seen seen[2], char to[COMPARE_REASON]);
/* By name and place: the same operator of two launches, or of two tool chains. */
uint64_t compare_identity(const struct op *op, const struct strings *strings, bool by_source);

#endif
