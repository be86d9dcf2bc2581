/* modes.c: launch medians cut into groups at wide gaps. */
#include "analyze/modes.h"

#include <assert.h>
#include <math.h>

static const double least_factor = 1.10; /* modes are at least so far apart */

size_t mode_cuts_start(const struct mode_cuts *cuts, unsigned group)
{
    assert(group < cuts->count);
    return group ? cuts->ends[group - 1] : 0;
}

static double gap_after(const struct mode_cuts *cuts, const double *sorted, unsigned group)
{
    size_t end = cuts->ends[group];

    assert(group + 1 < cuts->count && "the last group has no gap behind it");
    return log(sorted[end] / sorted[end - 1]);
}

static void merge_with_next(struct mode_cuts *cuts, unsigned group)
{
    assert(group + 1 < cuts->count);
    for (unsigned i = group; i + 1 < cuts->count; i++)
        cuts->ends[i] = cuts->ends[i + 1];
    cuts->count--;
}

static unsigned narrowest_gap(const struct mode_cuts *cuts, const double *sorted)
{
    unsigned narrowest = 0;

    assert(cuts->count > 1);
    for (unsigned i = 1; i + 1 < cuts->count; i++)
        if (gap_after(cuts, sorted, i) < gap_after(cuts, sorted, narrowest))
            narrowest = i;
    return narrowest;
}

/* The deviation of logarithms inside the groups, all taken together; infinite where none has two members. */
static double deviation_inside(const struct mode_cuts *cuts, const double *sorted)
{
    size_t freedom = 0;
    double squares = 0;

    for (unsigned i = 0; i < cuts->count; i++) {
        size_t start = mode_cuts_start(cuts, i), size = cuts->ends[i] - start;
        double middle = 0;

        for (size_t j = start; j < cuts->ends[i]; j++)
            middle += log(sorted[j]) / (double)size;
        for (size_t j = start; j < cuts->ends[i]; j++)
            squares += (log(sorted[j]) - middle) * (log(sorted[j]) - middle);
        freedom += size - 1;
    }
    return freedom ? sqrt(squares / (double)freedom) : INFINITY;
}

struct mode_cuts modes_find(const double *sorted, size_t count, unsigned most, unsigned deviations)
{
    struct mode_cuts cuts = { 0 };

    assert(most > 1 && most <= MODES_MOST);
    for (size_t i = 1; i <= count; i++) {
        if (i < count && sorted[i] < sorted[i - 1] * least_factor)
            continue;
        cuts.ends[cuts.count++] = i;
        if (cuts.count == most && i < count) /* too many to be modes: the narrowest gap goes */
            merge_with_next(&cuts, narrowest_gap(&cuts, sorted));
    }
    while (cuts.count > 1 &&
           gap_after(&cuts, sorted, narrowest_gap(&cuts, sorted)) < deviations * deviation_inside(&cuts, sorted))
        merge_with_next(&cuts, narrowest_gap(&cuts, sorted));
    assert(cuts.count <= most && (!count || cuts.ends[cuts.count - 1] == count));
    return cuts;
}
