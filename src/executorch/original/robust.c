/* robust.c: what the original latency script computes from the runs of a file. */
#include "executorch/original/robust.h"

#include <math.h>
#include <string.h>

#include "analyze/statistics.h"
#include "base/memory.h"

const double robust_percentiles[ROBUST_PERCENTILES] = { 50, 75, 90, 95, 99 };

/* `sorted` are the same values, ascending. */
static struct robust_moments moments_of(const double *ms, const double *sorted, size_t count)
{
    struct robust_moments moments = {
        .count = count,
        .mean = statistics_mean(ms, count),
        .median = statistics_median(sorted, count),
        .deviation = statistics_deviation(ms, count),
    };

    moments.variation = moments.mean > 0 ? moments.deviation / moments.mean * 100 : NAN;
    return moments;
}

static void compute_sorted(struct robust *robust, const double *sorted, size_t count)
{
    double first = statistics_quantile(sorted, count, 0.25);
    double third = statistics_quantile(sorted, count, 0.75);

    robust->least = count ? sorted[0] : NAN;
    robust->most = count ? sorted[count - 1] : NAN;
    for (unsigned i = 0; i < ROBUST_PERCENTILES; i++)
        robust->percentiles[i] = statistics_quantile(sorted, count, robust_percentiles[i] / 100);
    robust->lower = first - 1.5 * (third - first);
    robust->upper = third + 1.5 * (third - first);
    robust->trimmed_5 = statistics_trimmed_mean(sorted, count, 0.05);
    robust->trimmed_10 = statistics_trimmed_mean(sorted, count, 0.10);
}

status robust_compute(const double *ms, size_t count, struct robust *robust)
{
    size_t room = (count ? count : 1) * sizeof *ms;
    double *sorted = memory_allocate(room);
    size_t kept = 0;

    *robust = (struct robust){ .outliers = memory_allocate(room) };
    if (!sorted || !robust->outliers) {
        memory_free(sorted);
        return status_no_memory("computing statistics");
    }
    memcpy(sorted, ms, count * sizeof *ms);
    statistics_sort(sorted, count);
    compute_sorted(robust, sorted, count);
    robust->all = moments_of(ms, sorted, count);
    for (size_t i = 0; i < count; i++)
        if (ms[i] < robust->lower || ms[i] > robust->upper)
            robust->outliers[robust->outlier_count++] = ms[i];
    for (size_t i = 0; i < count; i++)
        if (sorted[i] >= robust->lower && sorted[i] <= robust->upper)
            sorted[kept++] = sorted[i];
    robust->inliers = moments_of(sorted, sorted, kept);
    memory_free(sorted);
    return STATUS_OK;
}

void robust_free(struct robust *robust)
{
    memory_free(robust->outliers);
    *robust = (struct robust){ 0 };
}
