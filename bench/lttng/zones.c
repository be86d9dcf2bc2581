/* zones.c: what a begin and an end cost with LTTng-UST, a session running: zones COUNT. Prints nanoseconds for bench.py. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "provider.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

__attribute__((noinline)) static void one_zone(void)
{
    lttng_ust_tracepoint(zones, begin, 1);
    lttng_ust_tracepoint(zones, end, 1);
}

int main(int count, char **arguments)
{
    long zones = count > 1 ? strtol(arguments[1], NULL, 10) : 1000000;
    double best = 1e18;

    for (int round = 0; round < 5; round++) {
        double start = now(), each;

        for (long i = 0; i < zones; i++)
            one_zone();
        each = (now() - start) / (double)zones;
        best = each < best ? each : best;
    }
    printf("zone %.3f\n", best);
    return 0;
}
