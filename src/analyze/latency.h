/* latency.h: how long an inference takes, whether one side is faster than the other, and whether that can be luck.
 *
 * A side is a number of launches (processes), each with its runs in order. Runs of one launch are not independent: memory
 * layout, frequency and placement are drawn once per launch. So the launch is what is compared: the estimate is the median of
 * launch medians, the interval is drawn over launches first, and the verdict rests on launch medians at the two-sided 1 % level.
 * Without modes that is an exact Mann-Whitney test. Where launches of both sides lie in modes, three rank sums are looked at
 * (over all launches, inside modes, and how often each mode occurs), the clearest of them decides, and its p is how often chance
 * makes the clearest as clear: mode_test.h has the details. Fewer than five launches on a side give no verdict. The interval is
 * an estimate and never the verdict; runs of one launch never give one.
 *
 * Speedup is always baseline / candidate. A summary or comparison owns what it points to until its free function, except
 * names, which are borrowed from the side. Times are milliseconds; what cannot be known is NAN.
 */
#ifndef ANALYZE_LATENCY_H
#define ANALYZE_LATENCY_H

#include "analyze/mode_test.h"
#include "analyze/modes.h"
#include "analyze/warmup.h"
#include "table/field.h"

struct latency_launch {
    const char *name;     /* file, or "launch 7" */
    const double *ms;     /* all over 0 */
    const uint32_t *runs; /* run index of each in its file */
    size_t count;         /* runs */
};

struct latency_side {
    const char *name;                      /* "baseline", or what the user calls it */
    const struct latency_launch *launches; /* in the order in which they ran; borrowed */
    size_t count;                          /* of launches */
};

enum { LATENCY_QUANTILES = 5, LATENCY_LEAST_LAUNCHES = 5, LATENCY_SENTENCE = 512 };

struct latency_options {
    int64_t warmup;  /* runs at the start of each launch that do not count; WARMUP_AUTO: found */
    uint64_t seed;   /* of the bootstrap: the same one gives the same interval */
    unsigned rounds; /* of the bootstrap */
};

#define LATENCY_DEFAULTS ((struct latency_options){ .warmup = WARMUP_AUTO, .seed = 1, .rounds = 2000 })
#define LATENCY_LEVEL 0.01

/* Launches whose medians lie together, clearly apart from the others. */
struct latency_mode {
    size_t launches; /* how many belong to it */
    double median;   /* of their medians */
    double factor;   /* that, over the median of the largest mode */
};

/* Launches that became slower, or faster, while they ran. */
struct latency_drift {
    size_t launches; /* how many did */
    double change;   /* from the first third of the runs to the last, less 1: median over these launches */
};

/* Runs that lie in two groups, clearly apart. */
struct latency_split {
    size_t fast, slow;               /* runs of each; 0: they lie in one */
    double fast_median, slow_median; /* ms */
};

/* One launch, without its warm-up. */
struct latency_process {
    const char *name;                      /* of the launch, borrowed */
    size_t runs;                           /* counted */
    size_t left_out;                       /* as warm-up */
    double median, least, most, deviation; /* ms, as the three beside it */
    double drift;  /* the last third over the first, less 1, where the runs have a trend; else 0 */
    unsigned mode; /* index in `modes` */
};

struct latency_summary {
    const char *name;                      /* of the side, borrowed */
    struct latency_process *processes;     /* launches that have a run left */
    size_t launches;                       /* of processes */
    size_t empty_launches;                 /* that have none */
    size_t warmup;                         /* runs at the start of each launch that do not count */
    size_t longest;                        /* runs of the longest launch, with those */
    size_t runs, left_out;                 /* over all launches */
    double median;                         /* of launch medians */
    struct confidence interval;            /* of that; NAN with one launch */
    double mean, deviation, variation;     /* over runs without hiccups; variation in percent */
    double least, most;                    /* over all runs but warm-up */
    size_t slow;                           /* hiccups: not in the mean; see warmup.h */
    double slow_factor;                    /* their mean over that of the others; NAN: there are none */
    double quantiles[LATENCY_QUANTILES];   /* over runs: latency_quantiles */
    double launch_variation;               /* of launch medians, in percent */
    struct latency_mode modes[MODES_MOST]; /* the largest first; one: no modes */
    unsigned mode_count;                   /* of modes, 1 at least */
    struct latency_drift slower, faster;   /* launches that drift, each way */
    struct latency_split split;            /* the runs of a launch that is alone */
    double *medians;                       /* of the launches, in order */
    double *values;                        /* all runs that count, launch by launch */
    struct launch_sample *samples;         /* the same, by launch */
};

extern const double latency_quantiles[LATENCY_QUANTILES]; /* 0.50, 0.75, 0.90, 0.95, 0.99 */

enum latency_verdict {
    LATENCY_TOO_FEW, /* a side has fewer than LATENCY_LEAST_LAUNCHES: so few can hardly reach the level */
    LATENCY_SAME,    /* no significant difference */
    LATENCY_FASTER,  /* the candidate */
    LATENCY_SLOWER
};

struct latency_comparison {
    struct latency_summary baseline, candidate; /* both sides, owned */
    enum latency_verdict verdict;               /* about the candidate */
    double speedup;                             /* baseline / candidate, of the medians */
    struct confidence interval;                 /* of the speedup; NAN where a side has one launch */
    struct mode_test test;                      /* over launch medians, baseline first: the verdict rests on this */
    struct rank_test over_runs;                 /* for contrast only */
    size_t needed;                              /* launches a side for this difference, about; 0: cannot be said */
};

/* `latency_*_free` also after a failure. STATUS_INPUT: no run is left. */
NODISCARD status latency_summarise(const struct latency_side *side, const struct latency_options *options,
                                   struct latency_summary *summary);
void latency_summary_free(struct latency_summary *summary);
NODISCARD status latency_compare(const struct latency_side *baseline, const struct latency_side *candidate,
                                 const struct latency_options *options, struct latency_comparison *comparison);
void latency_comparison_free(struct latency_comparison *comparison);

/* What a person needs first: "1.13x faster, 95 % CI 1.12 to 1.14, 10 launches a side". `to` has LATENCY_SENTENCE bytes. */
void latency_sentence(const struct latency_comparison *comparison, char *to);
void latency_summary_sentence(const struct latency_summary *summary, char *to);
/* The `index`-th thing worth knowing about a side (warm-up, modes, groups of runs, drift); false: there is none. */
bool latency_remark(const struct latency_summary *summary, unsigned index, char *to);
/* The same of a comparison: each mode ("mode 1: ..."), the tests, and what a test over runs would have said (the last one). */
bool latency_comparison_remark(const struct latency_comparison *comparison, unsigned index, char *to);

/* Tables: metrics beside each other; one row per side; one row per launch. `candidate` may be NULL. */
NODISCARD status latency_metrics_table(const struct latency_summary *baseline, const struct latency_summary *candidate,
                                       struct table **table);
NODISCARD status latency_sides_table(const struct latency_summary *baseline, const struct latency_summary *candidate,
                                     struct table **table);
/* `request` may be NULL. */
NODISCARD status latency_launches_table(const struct latency_summary *baseline, const struct latency_summary *candidate,
                                        const struct view_request *request, struct table **table);
/* One row per run of each launch, with the warm-up that the summaries leave out. Both candidates may be NULL. */
NODISCARD status latency_runs_table(const struct latency_side *baseline, const struct latency_summary *summary,
                                    const struct latency_side *candidate, const struct latency_summary *other,
                                    const struct view_request *request, struct table **table);

#endif
