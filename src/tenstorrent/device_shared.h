/* device_shared.h: what the files of the device analysis share: what a marker can begin or end, and lists of samples. */
#ifndef TENSTORRENT_DEVICE_SHARED_H
#define TENSTORRENT_DEVICE_SHARED_H

#include "tenstorrent/device_analysis.h"

/* Bit i of a mask is analysis i. */
struct device_plan {
    uint64_t start; /* analyses that such a marker begins */
    uint64_t end;   /* analyses that it ends */
    bool launch;    /* a launch begins with it */
};

struct device_samples {
    int64_t *items;         /* cycles; owned */
    size_t count, capacity; /* of items */
    uint64_t unknown;       /* that markers are missing for */
};

/* A marker that was lost: what it would begin and end. */
struct device_missing {
    struct device_plan plan; /* of such a marker, on its core */
    uint64_t own;            /* analyses of which it is one end of a duration that has lost it */
    int64_t after, before;   /* cycles: it lies between them, two markers of its lane that follow each other */
    size_t end;              /* place behind the last of its lane; those of a lane stand together by time */
};

__extension__ typedef __int128 device_wide;

/* Statistics of several series together: the median is that of their medians. */
struct device_gathering {
    struct device_statistics total; /* of all series so far */
    device_wide sum;                /* of all samples */
    double *medians;                /* of the series; owned */
    size_t count, capacity;         /* of medians */
};

struct device_work {
    const struct marker_log *log;                   /* settled; borrowed */
    const struct device_setup *setup;               /* borrowed */
    struct device_plan *kinds;                      /* by kind */
    struct device_plan *counterparts;               /* by kind: of the other marker of a firmware or kernel */
    struct device_missing *missing;                 /* of the series at hand; owned */
    size_t missing_count, missing_capacity;         /* of these */
    bool trusting;                                  /* no marker is taken to be missing */
    bool t0_unknown;                                /* of the chip at hand: its first marker may have been lost */
    uint64_t across[4];                             /* analyses by enum device_across */
    uint64_t types[7];                              /* analyses by enum device_type */
    struct device_samples samples[DEVICE_ANALYSES]; /* of the series at hand */
    struct marker_merge merge;                      /* of the lanes of a series */
    uint32_t *lanes;                                /* scratch */
    size_t lane_capacity;                           /* of lanes */
};

/* Those analyses whose endpoints accept a core. */
struct device_plan device_core_plan(const struct device_setup *setup, const struct marker_core *core);

/* What is missing on a lane, added to that of the series at hand. */
NODISCARD status device_collect_missing(struct device_work *work, uint32_t lane);
/* Whether a marker that an analysis would have taken may lie between two times. */
bool device_missing_between(const struct device_work *work, unsigned analysis, int64_t start, int64_t end);
/* Whether a first or last one may have been lost, in a series or launch that reaches from `begin` to `limit`. */
bool device_missing_around(const struct device_work *work, unsigned analysis, int64_t begin, int64_t limit,
                           int64_t start, int64_t end);

NODISCARD status device_gather(struct device_gathering *gathering, const struct device_statistics *part);
struct device_statistics device_gathered(struct device_gathering *gathering); /* ends it */
NODISCARD status device_sample(struct device_samples *samples, int64_t value);
/* Analyses over ops and over commands of the queue. */
NODISCARD status device_analyze_ops(struct device_work *work, struct device_chip_results *results);

#endif
