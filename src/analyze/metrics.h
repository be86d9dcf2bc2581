/* metrics.h: where the time of one input went: the sums that every output shows.
 *
 * A metric is data: which groups or engines must be busy, which must not. One sweep over the busy intervals gives the time spent in
 * every combination of busy engines that occurs; each metric is a sum over some of these combinations, so they cannot
 * contradict each other:
 *
 *     transfer = transfer only + overlap      compute = compute only + overlap      overall = busy + idle
 *
 * The core has a few metrics that any trace can tell; a chain has a set of its own, in the order in which it is shown. Values are ticks
 * of the input's clock, exact, of all runs that count together; `metrics_ns` converts one, and is of one run: the mean. A struct metrics
 * owns nothing.
 */
#ifndef ANALYZE_METRICS_H
#define ANALYZE_METRICS_H

#include "trace/busy.h"

enum { METRIC_ENGINES = 5, METRIC_MOST = 48 }; /* engines that a selection may name; metrics of a set */

/* Some of the engines of an input: those of a group, those that are named, those that are at work. All zero: none. */
struct metric_selection {
    unsigned groups;                              /* 1 << GROUP_TRANSFER | ... */
    const struct engine *engines[METRIC_ENGINES]; /* up to the first NULL */
    uint32_t only;                                /* of the named engines only this index, counted from 1; 0: all */
    bool at_work;                                 /* whatever makes time not idle */
    bool no_processor;                            /* of the groups none that is the host's own processor */
    bool processor;                               /* those beside the groups */
};

enum metric_kind {
    METRIC_TIME, /* in which something of `some` is busy, and of `also` where that is given, and nothing of `none` */
    METRIC_SPAN, /* from the first start to the last end */
    METRIC_WORK, /* the same of what works, less METRIC_TIME */
    METRIC_REST  /* the span less METRIC_TIME */
};

/* What is known of an input before its sums. */
struct metric_facts {
    const struct busy *busy;         /* settled */
    track_id process;                /* top-level track of the input */
    bool measured;                   /* a log of what ran, not an estimate */
    bool engines;                    /* which engines were used is known */
    const struct intervals *windows; /* only what happens in these is added up: the runs that count; NULL: all */
    size_t runs;                     /* that the windows are; 0: as 1 */
};

struct metric {
    const char *key;                                 /* in machine outputs */
    const char *label;                               /* for people */
    const char *description;                         /* one sentence without its end */
    enum metric_kind kind;                           /* how the selections make a time */
    struct metric_selection some, also, none;        /* which engines are busy, are busy too, are not */
    bool (*known)(const struct metric_facts *facts); /* can the input tell it? NULL: it has an engine of `some` */
    bool detail;                                     /* for machines only */
    bool if_any;                                     /* a time of 0 is not shown */
    bool shareless;                                  /* a share of the whole would say nothing */
    const char *note;                                /* what a person should know where it is shown; NULL: nothing */
};

/* A line of the overview as the original tools of a chain draw it. */
struct overview_line {
    const char *name;            /* of the track */
    const char *label;           /* of its slice, before the time */
    const struct metric *metric; /* its length */
};

/* The metrics of a chain, in the order in which they are shown. */
struct metric_set {
    const char *title;                 /* of the overview; NULL: the general one */
    const struct metric *const *rows;  /* NULL at the end, METRIC_MOST at most */
    const struct overview_line *lines; /* of the originals; ends with name NULL */
    bool known_lines;                  /* lines of metrics that the input cannot tell are left out, not drawn as 0 */
    bool
        device_first; /* devices work behind the host's back: a moment in which one works is that of its operators alone */
    const struct metric *const *parts; /* that add up to the whole, NULL at the end; NULL: the general ones */
    const char *run;                   /* what a run is called: "step"; NULL: "run" */
};

extern const struct metric metric_overall;      /* from the first start to the last end: the whole */
extern const struct metric metric_idle;         /* nothing at work */
extern const struct metric_set metrics_general; /* of inputs whose chain has no set of its own */

struct metrics {
    const struct metric_set *set; /* whose rows these are */
    size_t count;                 /* rows of the set */
    int64_t ticks[METRIC_MOST];   /* by row */
    bool present[METRIC_MOST];    /* the input can tell this one */
    int64_t start;                /* ticks of the first start */
    struct clock clock;           /* of the input */
    size_t runs;                  /* that the ticks are of; nanoseconds are means over these */
    bool whole;                   /* of all of the input, not of some runs in it */
    bool estimated;               /* of an estimate, which knows the parts of its engines */
};

/* Whether the input has a track of this engine, or of this group. */
bool metric_has_engine(const struct metric_facts *facts, const struct engine *engine);
bool metric_has_group(const struct metric_facts *facts, enum engine_group group);
bool metric_always(const struct metric_facts *facts);

/* The metrics of the tracks under facts->process. The busy intervals must be settled. STATUS_INPUT: more than 63 kinds of engines. */
NODISCARD status metrics_compute(const struct metric_facts *facts, const struct metric_set *set,
                                 struct metrics *metrics);

/* Its label, without the blanks that set parts of a part in. */
const char *metric_name(const struct metric *metric);

/* Whether slices of this engine are behind the metric: time in which it is busy may count for it. */
bool metric_counts(const struct metric *metric, const struct engine *engine, uint32_t index);

bool metrics_has(const struct metrics *metrics, const struct metric *metric);
int64_t metrics_ticks(const struct metrics *metrics, const struct metric *metric); /* 0 where its set has it not */

/* Of one run. The parts of the set add up to the whole exactly: their sums are rounded, not they. */
int64_t metrics_ns(const struct metrics *metrics, const struct metric *metric);

/* The same for other parts, one after the other. */
struct metrics_rounding {
    const struct metrics *metrics; /* clock and runs */
    int64_t ticks;                 /* so far */
};
int64_t metrics_next_ns(struct metrics_rounding *rounding, int64_t ticks);

double metrics_percent(const struct metrics *metrics, const struct metric *metric); /* of the whole; 0 when that is 0 */

#endif
