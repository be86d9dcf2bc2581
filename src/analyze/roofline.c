/* roofline.c: where a piece of work stands under the peaks of memory and arithmetic. */
#include "analyze/roofline.h"

#include <assert.h>
#include <math.h>

const char *roofline_bound_text(enum roofline_bound bound)
{
    static const char *const texts[] = {
#define X(name, text) text,
        ROOFLINE_BOUND_MAP(X)
#undef X
    };

    assert(bound < sizeof texts / sizeof *texts);
    return texts[bound];
}

/* Both rates must be known and more than nothing: work that moves no bytes says nothing about the memory. */
static enum roofline_bound bound_of(double memory_percent, double compute_percent)
{
    if (!(memory_percent > 0) || !(compute_percent > 0))
        return ROOFLINE_UNKNOWN;
    if (memory_percent >= ROOFLINE_NEAR && compute_percent >= ROOFLINE_NEAR)
        return ROOFLINE_BOTH;
    if (memory_percent >= ROOFLINE_NEAR)
        return ROOFLINE_MEMORY;
    return compute_percent >= ROOFLINE_NEAR ? ROOFLINE_COMPUTE : ROOFLINE_SLOW;
}

struct roofline_point roofline_place(struct roofline_work work, struct roofline_peak peak)
{
    struct roofline_point point = { NAN, NAN, NAN, NAN, NAN, NAN, ROOFLINE_UNKNOWN };

    if (work.seconds > 0 && work.bytes > 0)
        point.gigabytes = work.bytes / work.seconds / 1e9;
    if (work.seconds > 0 && work.flops >= 0)
        point.flops = work.flops / work.seconds;
    point.memory_percent = point.gigabytes / peak.gigabytes * 100;
    point.compute_percent = point.flops / peak.flops * 100;
    if (work.bytes > 0 && work.flops >= 0)
        point.intensity = work.flops / work.bytes;
    /* fmax takes the number where one of the two is none. */
    point.ideal_seconds = fmax(work.bytes / (peak.gigabytes * 1e9), work.flops / peak.flops);
    point.bound = bound_of(point.memory_percent, point.compute_percent);
    return point;
}

double roofline_roof(struct roofline_peak peak, double intensity)
{
    return fmin(peak.flops, intensity * peak.gigabytes * 1e9);
}
