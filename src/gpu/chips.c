/* chips.c: the table of GPUs: peaks of their memories and of their arithmetic by type, as their makers' data sheets have them.
 *
 * Rates of tensor units are those of dense products: data sheets often print twice that, for products of which half is zero.
 */
#include "gpu/chips.h"

#include <math.h>

#include "base/text.h"
#include "gpu/chain.h"

/* GB/s, then TFLOP/s of fp32 without tensor units, and of tf32 and bf16 (or fp16) with them; 0: it has no such unit. */
#define CHIP(name, memory, fp32, tf32, bf16)                                                            \
    {                                                                                                   \
        name, NULL,                                                                                     \
        {                                                                                               \
            { "gb_s", "", memory }, { "gflops", "fp32", fp32 * 1e3 }, { "gflops", "tf32", tf32 * 1e3 }, \
                { "gflops", "bf16", bf16 * 1e3 },                                                       \
            {                                                                                           \
                "gflops", "fp16", bf16 * 1e3                                                            \
            }                                                                                           \
        }                                                                                               \
    }
/* Before Ampere: fp16 alone. */
#define OLD_CHIP(name, memory, fp32, fp16)                            \
    {                                                                 \
        name, NULL,                                                   \
        {                                                             \
            { "gb_s", "", memory }, { "gflops", "fp32", fp32 * 1e3 }, \
            {                                                         \
                "gflops", "fp16", fp16 * 1e3                          \
            }                                                         \
        }                                                             \
    }

static const struct architecture built_in[] = {
    CHIP("B200", 8000, 80, 1125, 2250),
    CHIP("H200", 4800, 67, 494.7, 989.4),
    CHIP("GH200", 4000, 67, 494.7, 989.4),
    CHIP("H100 PCIe", 2039, 51.2, 378, 756.5),
    CHIP("H100 NVL", 3938, 60, 417.5, 835.5),
    CHIP("H100", 3352, 67, 494.7, 989.4),
    CHIP("H800", 3352, 67, 494.7, 989.4),
    CHIP("H20", 4000, 44, 74, 148),
    CHIP("A100 80GB PCIe", 1935, 19.5, 156, 312),
    CHIP("A100-SXM4-80GB", 2039, 19.5, 156, 312),
    CHIP("A100-SXM4-40GB", 1555, 19.5, 156, 312),
    CHIP("A100-PCIE-40GB", 1555, 19.5, 156, 312),
    CHIP("A100", 1555, 19.5, 156, 312),
    CHIP("A800", 2039, 19.5, 156, 312),
    CHIP("A40", 696, 37.4, 74.8, 149.7),
    CHIP("A30", 933, 10.3, 82, 165),
    CHIP("A10", 600, 31.2, 62.5, 125),
    CHIP("A10G", 600, 31.5, 35, 70),
    CHIP("L40S", 864, 91.6, 183, 362),
    CHIP("L40", 864, 90.5, 90.5, 181),
    CHIP("L4", 300, 30.3, 60, 121),
    CHIP("RTX 5090", 1792, 104.8, 104.8, 209.5),
    CHIP("RTX 4090", 1008, 82.6, 82.6, 165.2),
    CHIP("RTX 4080", 717, 48.7, 48.7, 97.5),
    CHIP("RTX 3090", 936, 35.6, 35.6, 71),
    CHIP("RTX 3080", 760, 29.8, 29.8, 59.5),
    CHIP("RTX A6000", 768, 38.7, 77.4, 154.8),
    CHIP("RTX 6000 Ada Generation", 960, 91.1, 182.1, 364.2),
    OLD_CHIP("V100", 900, 15.7, 125),
    OLD_CHIP("T4", 320, 8.1, 65),
    OLD_CHIP("RTX 2080 Ti", 616, 13.4, 107.6),
    CHIP("MI300X", 5300, 163.4, 653.7, 1307.4),
    CHIP("MI325X", 6000, 163.4, 653.7, 1307.4),
    CHIP("MI300A", 5300, 122.6, 490.3, 980.6),
    /* One of its two dies, which is what a process sees. */
    OLD_CHIP("MI250X", 1638, 23.95, 191.5),
    OLD_CHIP("MI250", 1638, 22.6, 181),
    OLD_CHIP("MI210", 1638, 22.6, 181),
    OLD_CHIP("MI100", 1229, 23.1, 184.6),
    OLD_CHIP("Data Center GPU Max 1550", 3277, 52.4, 839),
};

static const struct architecture_key keys[] = { { 0 } };

const struct architecture_set gpu_architectures = { keys, built_in, sizeof built_in / sizeof *built_in };

static bool is_word_end(char sign)
{
    return !char_is_digit(sign) && !char_is_letter(sign);
}

/* "A10" is no part of "A100". */
static bool names(struct text device, const char *chip)
{
    struct text rest = device;
    const char *found;

    while ((found = text_find(rest, chip)) != NULL) {
        const char *behind = found + strlen(chip);

        if ((found == device.data || is_word_end(found[-1])) &&
            (behind == device.data + device.length || is_word_end(*behind)))
            return true;
        rest = text_between(behind, device.data + device.length);
    }
    return false;
}

const struct architecture *gpu_chip_of(const char *device)
{
    const struct architecture *best = NULL;

    for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++)
        if (names(text_of(device), built_in[i].name) && (!best || strlen(built_in[i].name) > strlen(best->name)))
            best = &built_in[i];
    return best;
}

double gpu_tensor_gain(const struct architecture *chip, uint32_t major, bool half, const char **type)
{
    static const char *const types[] = { "tf32", "bf16", "fp16" };
    double plain = chip ? architecture_gflops(chip, "fp32") : NAN;

    /* A type that brings less than half as much again is not worth a change. */
    for (unsigned i = half; chip && i < sizeof types / sizeof *types; i++)
        if (architecture_gflops(chip, types[i]) >= 1.5 * plain) {
            *type = types[i];
            return architecture_gflops(chip, types[i]) / plain;
        }
    *type = major >= 8 ? "bf16" : "fp16";
    return !chip && major >= 7 ? 2 : NAN;
}
