/* chips.h: what GPUs can do, by the names that they give themselves. Static data; nothing is owned. */
#ifndef GPU_CHIPS_H
#define GPU_CHIPS_H

#include <stdbool.h>

#include "analyze/architectures.h"

/* Of a built-in chip whose name stands in `device` as a word of its own, the longest such name; NULL: none. */
const struct architecture *gpu_chip_of(const char *device);

/* How many times the products of its tensor units exceed those without them: `*type` is the type that they compute with (tf32, bf16 or
 * fp16; not tf32 where `half`: numbers of 16 bits are known to do). NAN: not known, or it has none. */
double gpu_tensor_gain(const struct architecture *chip, uint32_t major, bool half, const char **type);

#endif
