/* device_shared.h: what the files of the device analysis share: what a marker can begin or end, and lists of samples. */
#ifndef TENSTORRENT_DEVICE_SHARED_H
#define TENSTORRENT_DEVICE_SHARED_H

#include "tenstorrent/device_analysis.h"

/* Bit i of a mask is analysis i. */
struct device_plan {
    uint64_t start;
    uint64_t end;
    bool launch; /* a launch begins with it */
};

struct device_samples {
    int64_t *items;
    size_t count, capacity;
};

__extension__ typedef __int128 device_wide;

/* Statistics of several series together: the median is that of their medians. */
struct device_gathering {
    struct device_statistics total;
    device_wide sum;
    double *medians;
    size_t count, capacity;
};

struct device_work {
    const struct marker_log *log;
    const struct device_setup *setup;
    struct device_plan *kinds;                      /* by kind */
    uint64_t across[4];                             /* analyses by enum device_across */
    uint64_t types[7];                              /* analyses by enum device_type */
    struct device_samples samples[DEVICE_ANALYSES]; /* of the series at hand */
    struct marker_merge merge;
    uint32_t *lanes; /* scratch */
    size_t lane_capacity;
};

/* Those analyses whose endpoints accept a core. */
struct device_plan device_core_plan(const struct device_setup *setup, const struct marker_core *core);

NODISCARD status device_gather(struct device_gathering *gathering, const struct device_statistics *part);
struct device_statistics device_gathered(struct device_gathering *gathering); /* ends it */
NODISCARD status device_sample(struct device_samples *samples, int64_t value);
/* Analyses over ops and over commands of the queue. */
NODISCARD status device_analyze_ops(struct device_work *work, struct device_chip_results *results);

#endif
