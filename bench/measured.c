/* measured.c: reads launches, and draws builds of them. */
#include "measured.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fail(const char *what, const char *name)
{
    fprintf(stderr, "%s: %s\n", name, what);
    exit(2);
}

static void add(struct pool *pool, double value)
{
    if (pool->count == POOL_MOST)
        fail("too many launches", "pool");
    pool->values[pool->count++] = value;
}

static void scale(struct pool *pool)
{
    double median;

    statistics_sort(pool->values, pool->count);
    median = statistics_median(pool->values, pool->count);
    for (size_t i = 0; i < pool->count; i++)
        pool->values[i] /= median;
}

/* Medians of launches without the first run of each. The lines of one launch lie behind each other. */
static void read_launches(const char *name, const char *kernels, int threads, struct pool *pool)
{
    FILE *file = fopen(name, "r");
    char line[256], kind[32];
    double ms, runs[POOL_MOST];
    size_t count = 0;
    int here, launch, run;

    if (!file)
        fail("cannot be read", name);
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%31[^,],%d,%d,%d,%lf", kind, &here, &launch, &run, &ms) != 5 || strcmp(kind, kernels) != 0 ||
            here != threads)
            continue;
        if (run == 1 && count) {
            statistics_sort(runs, count);
            add(pool, statistics_median(runs, count));
            count = 0;
        }
        if (run > 1 && count < POOL_MOST)
            runs[count++] = ms;
    }
    fclose(file);
    statistics_sort(runs, count);
    add(pool, statistics_median(runs, count));
    scale(pool);
}

static void read_gpu(const char *name, bool device, struct pool *pool)
{
    FILE *file = fopen(name, "r");
    char line[256], build;
    double step_ns, device_ns;
    int launch;

    if (!file)
        fail("cannot be read", name);
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "%c,%d,%lf,%lf", &build, &launch, &step_ns, &device_ns) == 4 && build == 'A')
            add(pool, device ? device_ns : step_ns);
    fclose(file);
    scale(pool);
}

void read_pools(const char *launches, const char *gpu_launches, struct pool pools[POOLS])
{
    read_launches(launches, "on", 1, &pools[POOL_ON_1]);
    read_launches(launches, "off", 1, &pools[POOL_OFF_1]);
    read_launches(launches, "on", 2, &pools[POOL_ON_2]);
    read_launches(launches, "off", 2, &pools[POOL_OFF_2]);
    read_gpu(gpu_launches, false, &pools[POOL_GPU_STEP]);
    read_gpu(gpu_launches, true, &pools[POOL_GPU_KERNELS]);
}

double draw_normal(struct random_source *source)
{
    double one = ((double)random_below(source, 1000000) + 1) / 1000001,
           other = (double)random_below(source, 1000000) / 1000000;

    return sqrt(-2 * log(one)) * cos(2 * acos(-1) * other);
}

struct build_launches draw_build(const struct kind *kind, const struct pool *pool, struct random_source *source,
                                 double *medians)
{
    double build = exp(kind->between * draw_normal(source));
    size_t count = kind->least + random_below(source, kind->most - kind->least + 1);

    for (size_t i = 0; i < count; i++)
        medians[i] = build * pool->values[random_below(source, pool->count)];
    return (struct build_launches){ medians, count };
}

double percent(size_t part, size_t whole)
{
    return whole ? 100 * (double)part / (double)whole : 0;
}
