/* chips.c: the table of Tenstorrent's chips. */
#include "tenstorrent/chips.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define FIDELITIES "tflops_per_core"

static const char *const fidelities[] = {
#define X(name, text) text,
    FIDELITY_MAP(X)
#undef X
        NULL
};

static const struct architecture_key keys[] = {
    { .name = "worker_cores", .form = ARCHITECTURE_COUNT },
    { .name = "dram_sharded_cores", .form = ARCHITECTURE_COUNT },
    { .name = FIDELITIES,
      .form = ARCHITECTURE_NAMED,
      .names = fidelities,
      .what = "rates by fidelity, as in {\"HiFi4\": 1.3824}" },
    { 0 },
};

#define PEAKS(cores, sharded, dram, hifi4, hifi2, lofi)                                                   \
    {                                                                                                     \
        { "worker_cores", "", cores }, { "dram_sharded_cores", "", sharded }, { "dram_gb_s", "", dram },  \
            { FIDELITIES, "HiFi4", hifi4 }, { FIDELITIES, "HiFi2", hifi2 }, { FIDELITIES, "LoFi", lofi }, \
    }
/* 4096 operations per cycle and pass at so many GHz. */
#define PEAKS_AT(cores, sharded, dram, ghz) \
    PEAKS(cores, sharded, dram, 4096 * ghz / 1000 / 4, 4096 * ghz / 1000 / 2, 4096 * ghz / 1000)

/* Those of Wormhole are the published ones of its 72 cores. */
static const struct architecture built_in[] = {
    { "wormhole", "wormhole_b0", PEAKS(64, 12, 288, 74.0 / 72, 148.0 / 72, 262.0 / 72) },
    { "blackhole", NULL, PEAKS_AT(130, 8, 512, 1.35) },
    { "bh20", NULL, PEAKS_AT(20, 8, 512, 1.35) },
    { "n1", NULL, PEAKS_AT(20, 8, 120, 0.65) },
    /* Published: 92 TFLOPs of fp16 on its 120 cores. The rates of fewer passes and of its memory are not known. */
    { "grayskull", NULL, { { "worker_cores", "", 120 }, { FIDELITIES, "HiFi4", 92.0 / 120 } } },
};

const struct architecture_set tenstorrent_architectures = { keys, built_in, sizeof built_in / sizeof *built_in };

const char *fidelity_text(enum fidelity fidelity)
{
    assert(fidelity < FIDELITY_COUNT);
    return fidelities[fidelity];
}

enum fidelity fidelity_named(struct text text)
{
    unsigned i = 0;

    while (i < FIDELITY_COUNT && !text_is(text, fidelities[i]))
        i++;
    return (enum fidelity)i;
}

static int64_t count_of(const struct architecture *architecture, const char *key)
{
    double count = architecture_peak(architecture, key, NULL);

    return isnan(count) ? 0 : (int64_t)count;
}

struct chip chip_of(const struct architecture *architecture)
{
    struct chip chip = {
        .worker_cores = count_of(architecture, "worker_cores"),
        .dram_sharded_cores = count_of(architecture, "dram_sharded_cores"),
        .dram = architecture_peak(architecture, "dram_gb_s", NULL),
    };

    snprintf(chip.name, sizeof chip.name, "%s", architecture->name);
    for (unsigned i = 0; i < FIDELITY_COUNT; i++)
        chip.tflops[i] = architecture_peak(architecture, FIDELITIES, fidelities[i]);
    if (isnan(chip.tflops[FIDELITY_HIFI3]))
        chip.tflops[FIDELITY_HIFI3] = chip.tflops[FIDELITY_HIFI4] * 4 / 3;
    return chip;
}
