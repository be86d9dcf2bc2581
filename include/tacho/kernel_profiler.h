/* kernel_profiler.h: device.h under the names that kernels of Tenstorrent's tt-metal use, so that these need no change.
 *
 *     #define TACHO_DEVICE_BUFFER (&my_markers)
 *     #include <tacho/kernel_profiler.h>
 *
 * TACHO_DEVICE_BUFFER is the address of the processor's own `struct tacho_device_buffer`. In C++ it must be known where this header
 * is included. Ownership and failure are those of device.h.
 */
#ifndef TACHO_KERNEL_PROFILER_H
#define TACHO_KERNEL_PROFILER_H

#include <tacho/device.h>

/* There a kernel has two sums, and each place says which; here it may have any number. */
#define DeviceZoneScopedN(name) TACHO_DEVICE_ZONE(TACHO_DEVICE_BUFFER, name)
#define DeviceZoneScopedSumN1(name) TACHO_DEVICE_ZONE_SUM(TACHO_DEVICE_BUFFER, name)
#define DeviceZoneScopedSumN2(name) TACHO_DEVICE_ZONE_SUM(TACHO_DEVICE_BUFFER, name)

#ifdef __cplusplus
namespace kernel_profiler
{
static inline void mark_time(uint32_t id)
{
    tacho_device_mark(TACHO_DEVICE_BUFFER, id);
}

/* `*first` is true until then. */
static inline void mark_time_once(uint32_t id, bool *first)
{
    if (*first)
        mark_time(id);
    *first = false;
}
} // namespace kernel_profiler
#endif

#endif
