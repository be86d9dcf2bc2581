/* pairwise.h: a sum in the order in which numpy adds: halves, and eight running sums below 128 numbers.
 *
 * Only for files that must be equal to the last digit; elsewhere statistics.h adds. Nothing is owned.
 */
#ifndef EXECUTORCH_ORIGINAL_PAIRWISE_H
#define EXECUTORCH_ORIGINAL_PAIRWISE_H

#include <stddef.h>

double pairwise_sum(const double *values, size_t count);

#endif
