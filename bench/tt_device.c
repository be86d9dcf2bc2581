/* tt_device.c: a device log as tt-metal writes it: launch after launch, core by core, RISC by RISC, four markers each.
 *
 * The pattern is that of a real matmul on the 108 cores of a Grayskull: offsets inside a launch, the time between
 * launches, and how cores lag behind each other are those of its log, each moved by a little.
 */
#include <stdio.h>

#include "model.h"

enum {
    COLUMNS = 12,
    ROWS = 9,
    RISCS = 5,
    MARKERS = 4,
    CORE_LAG = 2400,          /* cycles by which a column of cores starts later than the one before */
    LAUNCH_PERIOD = 762650847 /* cycles from launch to launch */
};

static const char *const riscs[RISCS] = { "NCRISC", "BRISC", "TRISC_0", "TRISC_1", "TRISC_2" };

/* Cycles from the start of a core's launch. */
static const unsigned offsets[RISCS][MARKERS] = {
    { 1713, 1748, 107086, 107122 }, { 61, 1677, 107582, 107641 }, { 146, 181, 104346, 104397 },
    { 148, 205, 104407, 104472 },   { 141, 189, 104393, 104462 },
};

static void put_rows(uint64_t *random, const char *core, unsigned risc, uint64_t start)
{
    uint64_t moved = draw(random, 40);

    for (unsigned i = 0; i < MARKERS; i++) {
        put(core);
        put(riscs[risc]);
        put(", ");
        put_unsigned(i + 1);
        put(", ");
        put_unsigned(start + offsets[risc][i] + moved);
        end_line();
    }
}

uint64_t generate_tt_device(uint64_t markers, uint64_t seed)
{
    uint64_t random = seed, launch = 63540641336831;

    put("ARCH: grayskull, CHIP_FREQ[MHz]: 1202");
    end_line();
    put("PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset]");
    end_line();
    lines_written = 0;
    for (; lines_written < markers; launch += LAUNCH_PERIOD + draw(&random, 60000)) {
        for (unsigned core = 0; core < COLUMNS * ROWS; core++) {
            unsigned x = core / ROWS, y = core % ROWS;
            uint64_t start = launch + x * CORE_LAG + draw(&random, 200);
            char place[32];

            snprintf(place, sizeof place, "0, %u, %u, ", x, y);
            for (unsigned risc = 0; risc < RISCS; risc++)
                put_rows(&random, place, risc, start);
        }
    }
    return 0;
}
