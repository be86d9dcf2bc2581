/* zones.c: what a zone costs: zones prefaulted|sustained|idle [THREADS ZONES]. Prints names and nanoseconds for bench.py. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tacho/zone.h"

enum { ROUNDS = 5, THREADS = 64 };

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static uint64_t counter(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return (uint64_t)now();
#endif
}

static volatile uint64_t kept; /* so that nothing is left out */

__attribute__((noinline)) static void nothing(void)
{
    __asm__ volatile("");
}

__attribute__((noinline)) static void two_counters(void)
{
    kept = counter();
    kept = counter();
}

__attribute__((noinline)) static void two_clocks(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    kept = (uint64_t)time.tv_nsec;
    clock_gettime(CLOCK_MONOTONIC, &time);
    kept = (uint64_t)time.tv_nsec;
}

__attribute__((noinline)) static void one_zone(void)
{
    TACHO_ZONE("zone");
    __asm__ volatile("");
}

/* The best of some rounds: what else runs on the machine only adds. */
static double cost(void (*call)(void), long count, int rounds)
{
    double best = 1e18;

    for (int round = 0; round < rounds; round++) {
        double start = now(), each;

        for (long i = 0; i < count; i++)
            call();
        each = (now() - start) / (double)count;
        best = each < best ? each : best;
    }
    return best;
}

static void print(const char *name, double value)
{
    printf("%s %.3f\n", name, value);
}

static int start(const char *path, uint64_t prefault)
{
    struct tacho_record_options options = { .path = path, .prefault_mb = prefault };

    if (tacho_record_start(&options) == 0)
        return 0;
    fprintf(stderr, "%s\n", tacho_record_error());
    return 1;
}

/* Each round is a recording of its own, into memory that was made ready before. */
static int prefaulted(const char *path)
{
    const struct timespec second = { 1, 0 };
    const long count = 64 * 1024 * 1024 / 32 - 64 * 1024;
    double best = 1e18;

    print("empty", cost(nothing, count, ROUNDS));
    print("idle", cost(one_zone, count, ROUNDS));
    for (int round = 0; round < ROUNDS; round++) {
        if (start(path, 80))
            return 1;
        nanosleep(&second, NULL);
        double each = cost(one_zone, count, 1);
        best = each < best ? each : best;
        tacho_record_stop();
    }
    print("zone", best);
    print("counters", cost(two_counters, count, ROUNDS));
    print("clocks", cost(two_clocks, count / 4, ROUNDS));
    return 0;
}

static long zones;              /* of a thread */
static double longest[THREADS]; /* ns between two zones */
static double taken[THREADS];   /* ns of a zone */

static void *work(void *number)
{
    double begin = now();
    uint64_t last = counter(), worst = 0, first = last;

    for (long i = 0; i < zones; i++) {
        one_zone();
        if (i % 16 == 0) {
            uint64_t here = counter();

            worst = here - last > worst ? here - last : worst;
            last = here;
        }
    }
    double all = now() - begin;
    taken[(size_t)number] = all / (double)zones;
    longest[(size_t)number] = (double)worst * all / (double)(counter() - first);
    return NULL;
}

static int sustained(const char *path, int threads, long count)
{
    pthread_t made[THREADS];
    double each = 0, stall = 0;

    if (threads < 1 || threads > THREADS || start(path, 0))
        return 1;
    zones = count / threads;
    for (int i = 0; i < threads; i++)
        pthread_create(&made[i], NULL, work, (void *)(size_t)i);
    for (int i = 0; i < threads; i++) {
        pthread_join(made[i], NULL);
        each += taken[i] / threads;
        stall = longest[i] > stall ? longest[i] : stall;
    }
    tacho_record_stop();
    print("zone", each);
    print("stall", stall);
    return 0;
}

int main(int count, char **arguments)
{
    if (count == 3 && strcmp(arguments[1], "prefaulted") == 0)
        return prefaulted(arguments[2]);
    if (count == 5 && strcmp(arguments[1], "sustained") == 0)
        return sustained(arguments[2], (int)strtol(arguments[3], NULL, 10), strtol(arguments[4], NULL, 10));
    fprintf(stderr, "zones prefaulted FILE | sustained FILE THREADS ZONES\n");
    return 2;
}
