/* measured.h: launches that were measured, to draw from: what simulations of builds take their noise of.
 *
 * A pool is plain numbers that nobody owns. A file that cannot be read ends the program.
 */
#ifndef BENCH_MEASURED_H
#define BENCH_MEASURED_H

#include "analyze/builds.h"

enum { POOL_MOST = 64 };

struct pool {
    double values[POOL_MOST]; /* medians of launches, over the median of all */
    size_t count;             /* of values */
};

enum { POOL_ON_1, POOL_OFF_1, POOL_ON_2, POOL_OFF_2, POOL_GPU_STEP, POOL_GPU_KERNELS, POOLS };
void read_pools(const char *launches, const char *gpu_launches, struct pool pools[POOLS]);

/* A kind of builds. */
struct kind {
    const char *name;   /* for the table */
    size_t pools[2];    /* series take them in turns */
    size_t least, most; /* launches of a build */
    double between;     /* deviation that builds have besides */
    bool bound;         /* the step has to be found */
};

/* Draws a build: `medians` has room for `kind->most`. */
struct build_launches draw_build(const struct kind *kind, const struct pool *pool, struct random_source *source,
                                 double *medians);
double draw_normal(struct random_source *source);

NODISCARD double percent(size_t part, size_t whole);
void fail(const char *what, const char *name) __attribute__((noreturn));

#endif
