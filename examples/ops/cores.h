/* cores.h: a made-up device that runs the model's products: two cores of five processors, which are the CPU. Like a device's kernels they mark
 * time (tacho/device.h), and the host fetches the markers when a launch has ended (tacho/device_host.h). */
#ifndef EXAMPLE_CORES_H
#define EXAMPLE_CORES_H

#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "layers.h"

/* The device's clock: 1000 MHz. */
static inline uint64_t device_cycles(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#define TACHO_DEVICE_CYCLES() device_cycles()
#ifndef TACHO_DISABLE
#define TACHO_DEVICE_MARKERS 1
#endif
#include <tacho/device.h>

enum { CORES = 2, PROCESSORS = 5 };

/* The memory of each processor for its markers. */
static uint32_t device_words[CORES][PROCESSORS][TACHO_DEVICE_WORDS];

/* One core runs its part between the markers of all of its processors. */
static inline void core_run(unsigned core, const struct program *program, const struct matrix *a,
                            const struct matrix *b, struct matrix *c)
{
    struct tacho_device_buffer markers[PROCESSORS];

    for (unsigned i = 0; i < PROCESSORS; i++) {
        tacho_device_begin(&markers[i], device_words[core][i], TACHO_DEVICE_WORDS);
        tacho_device_mark(&markers[i], TACHO_DEVICE_FIRMWARE_START);
        tacho_device_mark(&markers[i], TACHO_DEVICE_KERNEL_START);
    }
    program_run(program, core * program->rows / CORES, (core + 1) * program->rows / CORES, a, b, c);
    for (unsigned i = 0; i < PROCESSORS; i++) {
        tacho_device_mark(&markers[i], TACHO_DEVICE_KERNEL_END);
        tacho_device_mark(&markers[i], TACHO_DEVICE_FIRMWARE_END);
    }
}

static inline void device_launch(const struct program *program, const struct matrix *a, const struct matrix *b,
                                 struct matrix *c)
{
    for (unsigned core = 0; core < CORES; core++)
        core_run(core, program, a, b, c);
}

#ifndef TACHO_DISABLE
#include <tacho/device_host.h>

static inline int device_read(void *context, uint32_t x, uint32_t y, enum tacho_device_risc risc, uint64_t address,
                              size_t size, void *bytes)
{
    (void)context;
    (void)y;
    (void)address;
    memcpy(bytes, device_words[x][risc], size);
    return 0;
}

/* While an op runs, its markers go where the report looks for them: into the folder of its call. Without device profiling nothing is
 * fetched. */
static inline void device_dump(void)
{
    static const struct tacho_device_core cores[CORES] = { { 0, 0, 0 }, { 1, 0, 0 } };
    struct tacho_device_launch launch;
    struct tacho_device_report report;

    if (!tacho_device_enabled())
        return;
    memset(&launch, 0, sizeof launch);
    launch.architecture = "grayskull";
    launch.megahertz = 1000;
    launch.cores = cores;
    launch.core_count = CORES;
    launch.read = device_read;
    /* What the host's clock said before and after the device's was read: they tell one time. */
    launch.tied = true;
    launch.before_ns = device_cycles();
    launch.cycles = device_cycles();
    launch.after_ns = device_cycles();
    if (tacho_device_fetch(&launch, &report) != TACHO_DEVICE_OK || *report.message)
        fprintf(stderr, "%s\n", report.message);
}
#else
static inline void device_dump(void)
{
}
#endif

#endif
