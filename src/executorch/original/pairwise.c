/* pairwise.c: sums in the order in which numpy adds. */
#include "executorch/original/pairwise.h"

enum { LANES = 8, BLOCK = 128 };

static double add_block(const double *values, size_t count)
{
    double lanes[LANES], sum;
    size_t i = LANES;

    for (size_t lane = 0; lane < LANES; lane++)
        lanes[lane] = values[lane];
    for (; i + LANES <= count; i += LANES) {
        for (size_t lane = 0; lane < LANES; lane++)
            lanes[lane] += values[i + lane];
    }
    sum = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
    for (; i < count; i++)
        sum += values[i];
    return sum;
}

double pairwise_sum(const double *values, size_t count)
{
    size_t half = count / 2 - count / 2 % LANES;
    double sum = 0;

    if (count < LANES) {
        for (size_t i = 0; i < count; i++)
            sum += values[i];
        return sum;
    }
    if (count <= BLOCK)
        return add_block(values, count);
    /* Depth is the logarithm of the count. */
    return pairwise_sum(values, half) + pairwise_sum(values + half, count - half);
}
