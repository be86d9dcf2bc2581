/* findings.h: what a report says about a model besides its advice (executorch/rules.h): what is over the thresholds, what the two sides
 * of a pair differ in, operators that gained less than expected, and what to measure next.
 *
 * The candidate is looked at; the baseline, where there is one, tells what was accelerated. All times are milliseconds per
 * inference on average, all shares percent of Method::execute of the candidate, all speedups baseline / candidate.
 *
 * Findings own their arrays and texts until `findings_free`; rows point to nothing of the input, so that it may be freed first.
 */
#ifndef EXECUTORCH_FINDINGS_H
#define EXECUTORCH_FINDINGS_H

#include "base/arena.h"
#include "executorch/operators_tables.h"

/* ---- In ---- */

struct findings_side {
    const struct operators *operators; /* NULL: nothing is known about operators */
    const struct kernel_log *log;      /* NULL: there is none; of a kernels.csv it has no execution */
    const char *name;                  /* as a person calls it: "mac_sme2_on"; NULL: "candidate", "baseline" */
    uint32_t launches;                 /* that its latency rests on; 0: as many as the operators have */
    const char *dump;                  /* for commands, each NULL where there is none: the first ETDump */
    const char *timeline;              /* the first all_runs_timeline.csv */
};

struct findings_latency {
    double speedup; /* of the medians; 0: not known */
    bool tested;    /* there were launches enough to test */
};

struct findings_input {
    struct findings_side candidate, baseline; /* baseline.operators NULL: no comparison by operator */
    bool has_baseline;                        /* a second side exists, with operators or without */
    const struct operators_pair *pair;        /* the two sides' operators, in any order; NULL: none */
    struct findings_latency latency;          /* what the launches say */
    const char *run_dir;                      /* for commands; NULL: none */
    const char *etrecord;                     /* the same */
    const char *config;                       /* of the pipeline; the same */
};

/* ---- Out ---- */

/* One line of evidence: an operator, or several that are alike. A text that is not known is NULL, a number is 0. */
struct findings_row {
    uint32_t op;                 /* in the candidate's `sums`; NO_ID: it stands for several, or for no operator */
    const char *name;            /* as logged; of several: what they have in common, "17 x Transpose (ND, X32)" */
    const char *module;          /* features.2.body.0.0 */
    const char *source;          /* models.py:56 */
    uint32_t count;              /* operators it stands for */
    double ms, percent;          /* of an inference, and of its whole */
    double baseline_ms, speedup; /* of the counterpart; how many times faster it is now */
    double gflops;               /* 10^9 operations a second */
    bool portable;               /* it runs in the runtime's own kernels */
};

/* X(name, title) */
#define BOTTLENECK_MAP(X)                                                              \
    X(DATA_MOVEMENT, "Data movement")       /* a category over 10 % */                 \
    X(OTHER, "Other operators")             /* a category over 10 % */                 \
    X(PORTABLE_SHARE, "Portable operators") /* all portable ones together over 5 % */  \
    X(DELEGATES, "Broken graph")            /* portable operators between delegates */ \
    X(CALLS, "Call overhead")               /* the runtime's wrappers over 5 % */      \
    X(FRAMEWORK, "Framework")               /* framework and control flow over 5 % */  \
    X(OPERATOR, "Operator")                 /* one operator over 5 % */

enum bottleneck_kind {
#define X(name, title) BOTTLENECK_##name,
    BOTTLENECK_MAP(X)
#undef X
        BOTTLENECK_COUNT
};

struct bottleneck {
    enum bottleneck_kind kind; /* what is too long */
    double ms, percent;        /* of an inference, and of its whole */
    double threshold;          /* percent that it is over; 0: none */
    bool portable;             /* OPERATOR: it runs in the runtime's own kernels */
    bool not_accelerated;      /* OPERATOR: GEMM or convolution of an SME2 pair under the expected speedup */
    const char *text;          /* a sentence or two, with its numbers */
    struct findings_row row;   /* OPERATOR: that operator; others: the sum, row.count operators */
};

/* One of the checks for a speedup that is lower than expected. */
enum check_answer {
    CHECK_YES,
    CHECK_NO,
    CHECK_OPEN,
    CHECK_ANSWERS
}; /* in order; it is the trouble; the data cannot tell */

const char *check_answer_key(enum check_answer answer); /* "yes", "no", "open" */

/* X(name, question) */
#define CHECK_MAP(X)                                                \
    X(DEVICE, "Device supports SME2")                               \
    X(RUNNERS, "Runners built with SME2")                           \
    X(CONFIGURATION, "Data type and quantisation fit SME2 kernels") \
    X(DELEGATED, "Delegated to XNNPACK")

enum check {
#define X(name, question) CHECK_##name,
    CHECK_MAP(X)
#undef X
        CHECK_COUNT
};

const char *check_question(enum check check);

struct check_result {
    enum check_answer answer; /* yes, no, or not known */
    const char *text;         /* what it rests on */
};

/* A category or an operator that gained less than SME2 should give it. */
struct shortfall {
    bool is_category;                        /* else it is about operators */
    enum category category;                  /* GEMM or CONVOLUTION */
    double least, most;                      /* expected: 3 to 15, 3 to 10 */
    struct findings_row row;                 /* what gained less */
    struct check_result checks[CHECK_COUNT]; /* why that may be, in the order of the checks */
};

/* What the two sides differ in, as far as the data tell. */
enum pair_nature {
    PAIR_NONE,         /* there is no pair */
    PAIR_SME2,         /* the candidate's log has SME kernels; the baseline's has fewer, or the names say so */
    PAIR_SME2_BY_NAME, /* the names say so; no log tells */
    PAIR_SME2_ABSENT,  /* the names say so, but the candidate's log has no such kernel */
    PAIR_OTHER         /* another pair: 3x is not expected */
};

/* What a kernel log proves, in numbers. Only kernels that stand are counted, but for `replaced`. */
struct kernel_facts {
    uint32_t standing, replaced, ran; /* kernels that were chosen, that another choice took the place of, that ran */
    uint32_t sme, sme2;               /* SME2 ones are SME ones too */
    uint32_t sme_ran;                 /* SME ones that ran */
    uint32_t sme_depthwise;           /* SME ones for depthwise convolutions */
    uint32_t x86, arm;                /* by what their names say they are made for */
    const char *main; /* architecture of most operators whose kernel is known, else of most kernels; NULL: none */
};

/* What to measure next. */
struct next_step {
    const char *title;   /* in a few words */
    const char *text;    /* one or two sentences */
    const char *command; /* what to run; NULL: none */
};

struct findings {
    struct arena arena;             /* all texts and rows */
    struct bottleneck *bottlenecks; /* sums first, then operators by time */
    size_t bottleneck_count;        /* of bottlenecks */
    struct shortfall
        *shortfalls; /* categories, operators over 1 % by time, then smaller ones by type (row.count of them) */
    size_t shortfall_count;
    size_t shortfalls_left;             /* more operators: of types that take under 1 % together */
    enum pair_nature nature;            /* what the two sides differ in */
    const char *pair;                   /* a sentence: which pair it is and whether 3x is expected; NULL: no pair */
    const char *kernels;                /* a sentence: what the candidate's log proves about SME2; NULL: no log */
    const struct check_result *no_sme2; /* the first three checks where a pair has no SME2 kernel: CHECK_DEVICE to
                                           CHECK_CONFIGURATION; NULL: it has, or no log tells */
    struct kernel_facts facts;          /* of the candidate's log */
    struct next_step *steps;            /* what to measure next */
    size_t step_count;                  /* of steps */
    const char *note;                   /* why little is known; NULL: it is not little */
    size_t bottleneck_capacity, shortfall_capacity, step_capacity; /* of the lists above */
};

/* Free the findings also after a failure. Odd input (no operators, no times) gives few findings and a note, no failure. */
NODISCARD status findings_find(const struct findings_input *input, struct findings *findings);
void findings_free(struct findings *findings);

/* Whether the pair ought to gain what SME2 gives. */
bool findings_expects_sme2(const struct findings *findings);
/* Times as fast as the baseline that SME2 should make a category; 0: nothing is expected of it. */
double findings_least_speedup(enum category category);
double findings_most_speedup(enum category category);

const char *bottleneck_title(enum bottleneck_kind kind);

#endif
