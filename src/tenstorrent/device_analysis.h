/* device_analysis.h: durations between markers of a device log: what to look for, how it is matched, and its statistics.
 *
 * A setup is a list of analyses. Each one looks at a series of markers (of a core, of a chip, of an op) and measures
 * from a marker that matches `start` to one that matches `end`. The built-in setups and a user's file have the same
 * form:
 *
 *     { "timerAnalysis": { "BRISC kernel": { "across": "core", "type": "adjacent",
 *                                            "start": { "risc": "BRISC", "timerID": 2 },
 *                                            "end":   { "risc": "BRISC", "timerID": 3 } } },
 *       "displayStats": ["Count", "Average"], "detectOps": true, "defaults": true }
 *
 * A setup owns its texts until `device_setup_free`; results own their arrays until `device_results_free` and borrow
 * setup and log.
 */
#ifndef TENSTORRENT_DEVICE_ANALYSIS_H
#define TENSTORRENT_DEVICE_ANALYSIS_H

#include "base/arena.h"
#include "base/json.h"
#include "tenstorrent/marker_ops.h"
#include "tenstorrent/markers.h"

enum { DEVICE_ANALYSES = 64, DEVICE_ZONES = 12 };

/* Which series an analysis runs over. X(name, key) */
#define DEVICE_ACROSS_MAP(X) \
    X(CORE, "core")          \
    X(DEVICE, "device")      \
    X(OPS, "ops")            \
    X(DISPATCH, "dispatch_ops")

enum device_across {
#define X(name, key) ACROSS_##name,
    DEVICE_ACROSS_MAP(X)
#undef X
};

/* X(name, key, meaning) */
#define DEVICE_TYPE_MAP(X)                                                                                        \
    X(ADJACENT, "adjacent", "from the last start before an end to that end, again and again")                     \
    X(SESSION, "session_first_last", "from the first start to the last end of the series")                        \
    X(LAUNCH, "launch_first_last", "the same inside each launch: from a firmware start of the BRISC to the next") \
    X(OP, "op_first_last", "the same inside each op")                                                             \
    X(OP_CORE, "op_core_first_last", "the same on each core of each op")                                          \
    X(SUM, "sum", "values of markers that are sums")                                                              \
    X(EVENT, "event", "markers that are events or data: counted and listed")

enum device_type {
#define X(name, key, meaning) DEVICE_##name,
    DEVICE_TYPE_MAP(X)
#undef X
};

const char *device_across_key(enum device_across across);
const char *device_type_key(enum device_type type);

/* What a marker must be. */
struct device_endpoint {
    const char *risc;                /* NULL: any */
    bool any_core;                   /* else that of x and y */
    int32_t x, y;                    /* of the core */
    int64_t timer_id;                /* -1: any; 0: T0; 1 to 4 also match the zones that they stand for */
    const char *phase;               /* ZONE_START; NULL: any */
    const char *zones[DEVICE_ZONES]; /* names; a '*' at the end: those that contain the part before it */
    unsigned zone_count;             /* 0: any */
};

struct device_analysis {
    const char *name;              /* unique in its setup */
    enum device_across across;     /* which series it runs over */
    enum device_type type;         /* how starts and ends are paired */
    struct device_endpoint start;  /* of a sum or event: the marker */
    struct device_endpoint end;    /* of a duration */
    const struct json *definition; /* as it was given */
};

/* X(name, key) */
#define DEVICE_STATISTIC_MAP(X) \
    X(COUNT, "Count")           \
    X(AVERAGE, "Average")       \
    X(MAX, "Max")               \
    X(MEDIAN, "Median")         \
    X(MIN, "Min")               \
    X(SUM, "Sum")               \
    X(RANGE, "Range")           \
    X(FIRST, "First")

enum device_statistic {
#define X(name, key) STATISTIC_##name,
    DEVICE_STATISTIC_MAP(X)
#undef X
        STATISTIC_COUNT_OF
};

const char *device_statistic_key(enum device_statistic statistic);

struct device_setup {
    struct arena arena;                               /* texts */
    const char *name;                                 /* built in, or of a file */
    struct device_analysis analyses[DEVICE_ANALYSES]; /* in the order in which they are shown */
    unsigned count;                                   /* of the analyses */
    unsigned own;                                     /* of them, the first ones: not the default setup's */
    uint8_t shown[STATISTIC_COUNT_OF];                /* enum device_statistic */
    unsigned shown_count;                             /* of these */
    bool zones;                                       /* for logs with zones: their form of the statistics */
    bool detect_ops;                                  /* analyses of ops are made */
};

/* The built-in setup of that name, in the form for this log; STATUS_USAGE names the ones there are. To be freed in any
 * case. */
NODISCARD status device_setup_named(struct device_setup *setup, const char *name, const struct marker_log *log);
/* A setup in a user's file, `text`: its analyses come before the default ones, unless it says `"defaults": false`. */
NODISCARD status device_setup_parse(struct device_setup *setup, const char *file, struct text text,
                                    const struct marker_log *log);
void device_setup_free(struct device_setup *setup);

/* Count 0: there were no samples, and nothing else but `unknown` is set. */
struct device_statistics {
    uint64_t count;               /* samples */
    uint64_t unknown;             /* durations that are no samples, since markers that they rest on were lost */
    int64_t sum, max, min, first; /* cycles */
    double average, median;       /* cycles */
};

/* Reorders the samples. */
struct device_statistics device_statistics_of(int64_t *samples, size_t count);

/* Where an analysis begins and ends in one op. A sum has its value as `end` and begins at 0. */
struct device_op_value {
    int64_t start, end;              /* cycles */
    uint32_t start_order, end_order; /* places in the series at equal times; NO_ID: not met */
    bool unknown;                    /* a marker that may be the first or the last was lost */
};

/* The duration; false: the op has none, or it is not known. */
bool device_op_duration(const struct device_op_value *value, int64_t *cycles);

struct device_chip_results {
    uint32_t chip;                           /* of the log */
    struct device_statistics *cores;         /* [core of the chip * setup count + analysis]: by core, also of ops */
    struct device_statistics *device;        /* [analysis]: series of the whole chip */
    struct device_statistics *summary;       /* [analysis]: over cores, chip and ops; what is shown */
    uint64_t *events;                        /* [analysis]: events found */
    struct marker_ops ops;                   /* valid where `has_ops` */
    bool has_ops;                            /* ops were looked for */
    unsigned op_count;                       /* analyses over ops that can match at all */
    uint8_t op_analyses[DEVICE_ANALYSES];    /* which */
    uint8_t op_column[DEVICE_ANALYSES];      /* place of an analysis among them; DEVICE_ANALYSES: none */
    struct device_op_value *op_values;       /* [op * op_count + n]; of one by core: its first core only */
    struct device_statistics *op_cores;      /* [op * op_core_count + n]: of the analyses by core */
    unsigned op_core_count;                  /* analyses by core of an op */
    uint8_t op_core_column[DEVICE_ANALYSES]; /* place of an analysis among them; DEVICE_ANALYSES: none */
};

struct device_results {
    const struct marker_log *log;      /* borrowed */
    const struct device_setup *setup;  /* borrowed */
    struct device_chip_results *chips; /* in the order of the log */
    size_t chip_count;                 /* of these */
};

/* Runs all analyses of the setup over a settled log. The struct is to be freed in any case. `trusting`: as if no marker had been
 * lost, in series that are not of ops; what the original makes of a log with numbers. */
NODISCARD status device_analyze(struct device_results *results, const struct marker_log *log,
                                const struct device_setup *setup, bool trusting);
void device_results_free(struct device_results *results);

#endif
