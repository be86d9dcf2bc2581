/* threads.c: the five processors as threads of this program. Their clock is the host's, in nanoseconds. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "back_end.h"

static struct core_memory memory;

struct start {
    void (*processor)(uint32_t risc, struct core_memory *core); /* what it does */
    uint32_t risc;                                              /* which one it is */
};

static void *run(void *context)
{
    const struct start *start = context;

    start->processor(start->risc, &memory);
    return NULL;
}

static void find_names(char path[PATH])
{
    snprintf(path, PATH, "/proc/self/exe");
}

/* All threads end, unless the kernels are wrong: these wait for each other. */
static int launch(const struct core_memory *core, bool marked, char *message)
{
    static struct start starts[PROCESSORS]; /* a thread that does not end still has its own */
    pthread_t threads[PROCESSORS];
    struct timespec limit;
    uint32_t count = 0;
    int failed = 0;

    memory = *core;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += SECONDS;
    for (; count < PROCESSORS && !failed; count += !failed) {
        starts[count] = (struct start){ marked ? marked_processor : printing_processor, count };
        failed = pthread_create(&threads[count], NULL, run, &starts[count]);
    }
    if (failed)
        snprintf(message, MESSAGE, "thread %u could not be started: %s", count, strerror(failed));
    for (uint32_t i = 0; i < count && !failed; i++) {
        failed = pthread_timedjoin_np(threads[i], NULL, &limit);
        if (failed)
            snprintf(message, MESSAGE, "processor %u did not end within %d seconds", i, SECONDS);
    }
    return failed;
}

static int read_memory(uint64_t address, size_t size, void *bytes)
{
    if (address < CORE_ADDRESS || size > sizeof memory || address - CORE_ADDRESS > sizeof memory - size)
        return -1;
    memcpy(bytes, (const char *)&memory + (address - CORE_ADDRESS), size);
    return 0;
}

static void stop(void)
{
}

const struct back_end threads_back_end = {
    "threads", "host_threads", false, 1000, find_names, launch, read_memory, stop
};
