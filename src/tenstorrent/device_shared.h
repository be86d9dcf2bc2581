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
    uint64_t across[4];                             /* analyses by enum device_across */
    uint64_t types[7];                              /* analyses by enum device_type */
    struct device_samples samples[DEVICE_ANALYSES]; /* of the series at hand */
    struct marker_merge merge;                      /* of the lanes of a series */
    uint32_t *lanes;                                /* scratch */
    size_t lane_capacity;                           /* of lanes */
};

/* Those analyses whose endpoints accept a core. */
struct device_plan device_core_plan(const struct device_setup *setup, const struct marker_core *core);

NODISCARD status device_gather(struct device_gathering *gathering, const struct device_statistics *part);
struct device_statistics device_gathered(struct device_gathering *gathering); /* ends it */
NODISCARD status device_sample(struct device_samples *samples, int64_t value);
/* Analyses over ops and over commands of the queue. */
NODISCARD status device_analyze_ops(struct device_work *work, struct device_chip_results *results);

#endif
