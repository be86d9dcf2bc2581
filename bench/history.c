/* history.c: fills a history with synthetic profiles, as fast as the store takes them: history STORE BUILDS LAUNCHES OPERATORS [DEVICES [FIRST]]
 *
 * A profile for each build and device, with so many launches of so many operators; builds from FIRST on. At two thirds of the builds one operator takes a
 * quarter longer. Prints rows of operators, profiles, and processor seconds of this process, user's and system's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "analyze/metrics.h"
#include "base/map.h"
#include "base/memory.h"
#include "history/history.h"
#include "trace/model.h"

enum { RUNS = 10, SLOW = 7 };

struct filling {
    size_t builds, launches, operators, devices, first; /* how many, and the first build */
    struct strings *strings;                            /* of names */
    struct compare_launch *items;                       /* of a profile */
    double *medians;                                    /* of these */
    double ms[RUNS];                                    /* of all launches */
    uint32_t runs[RUNS];                                /* the same */
    struct compare_engine engine;                       /* the same */
};

static _Noreturn void give_up(void)
{
    fprintf(stderr, "history: %s\n", status_message());
    exit(1);
}

static void check(status code)
{
    if (code != STATUS_OK)
        give_up();
}

/* Between 0.99 and 1.01, of what it is for alone. */
static double noise(uint64_t build, uint64_t device, uint64_t launch, uint64_t op)
{
    uint64_t hash = map_mix(map_mix(map_mix(map_mix(17, build), device), launch), op);

    return 0.99 + 0.02 * (double)(hash >> 40) / (double)(1 << 24);
}

static void start(struct filling *filling)
{
    filling->strings = model_strings();
    filling->items = memory_allocate_clear(filling->launches * sizeof *filling->items);
    filling->medians = memory_allocate(filling->launches * sizeof *filling->medians);
    if (!filling->strings || !filling->items || !filling->medians)
        check(status_no_memory("starting"));
    check(strings_add_text(filling->strings, "NPU", &filling->engine.name));
    for (size_t i = 0; i < filling->launches; i++) {
        struct compare_launch *launch = &filling->items[i];

        *launch = (struct compare_launch){ .runs = { "launch", filling->ms, filling->runs, RUNS },
                                           .set = &metrics_general,
                                           .has_device = true,
                                           .engines = &filling->engine,
                                           .engine_count = 1,
                                           .operator_count = filling->operators };
        launch->operators = memory_allocate_clear(filling->operators * sizeof *launch->operators);
        if (!launch->operators)
            check(status_no_memory("starting"));
        for (size_t k = 0; k < filling->operators; k++) {
            struct op *op = &launch->operators[k].op;

            op->id = (operator_id)k;
            check(strings_add_format(filling->strings, &op->name, "conv2d_%03zu", k));
            check(strings_add_format(filling->strings, &op->location, "net.py:%zu:4", 10 + k));
            check(strings_add_text(filling->strings, k % 3 ? "conv2d" : "add", &op->type));
            launch->operators[k].engines = filling->engine.name;
            launch->operators[k].calls = 1;
        }
    }
}

/* Times of a profile; a run is the sum of its operators and a tenth more. */
static void fill(struct filling *filling, size_t build, size_t device)
{
    bool slow = build - filling->first >= filling->builds * 2 / 3;

    for (size_t i = 0; i < filling->launches; i++) {
        struct compare_launch *launch = &filling->items[i];
        int64_t sum = 0;

        for (size_t k = 0; k < filling->operators; k++) {
            struct compare_operator *op = &launch->operators[k];

            op->own =
                (int64_t)((double)(10000 + 100 * k) * noise(build, device, i, k) * (slow && k == SLOW ? 1.25 : 1));
            op->device = op->own;
            sum += op->own;
        }
        launch->idle = sum / 10;
        launch->device = sum;
        launch->whole = sum + launch->idle;
        filling->medians[i] = (double)launch->whole / 1e6;
    }
    for (size_t i = 0; i < RUNS; i++) {
        filling->ms[i] = filling->medians[0] * noise(build, device, i, SIZE_MAX);
        filling->runs[i] = (uint32_t)i;
    }
    filling->engine.ns = filling->items[0].device;
}

static void add(struct filling *filling, const struct history *history, size_t build, size_t device)
{
    static const int64_t origin = INT64_C(1700000000000000000);
    struct texts labels = { 0 };
    char build_name[32], device_name[32];
    struct history_found found;

    snprintf(build_name, sizeof build_name, "b%06zu", build);
    snprintf(device_name, sizeof device_name, "board%05zu", device);
    fill(filling, build, device);
    check(history_add(history,
                      &(struct history_profile){ .id = (int64_t)map_mix(map_mix(99, build), device),
                                                 .size = 100000,
                                                 .added = origin + (int64_t)(build * filling->devices + device) * 1000,
                                                 .name = "net.csv",
                                                 .chain = "",
                                                 .model = "net",
                                                 .build = build_name,
                                                 .commit = "",
                                                 .device = device_name,
                                                 .labels = &labels,
                                                 .launches = filling->items,
                                                 .medians = filling->medians,
                                                 .launch_count = filling->launches,
                                                 .strings = filling->strings },
                      &found));
}

int main(int count, char **words)
{
    size_t numbers[] = { 2000, 5, 200, 1, 0 };
    struct filling filling = { 0 };
    struct history history;
    struct rusage used;

    if (count < 5 || count > 7) {
        fprintf(stderr, "usage: history STORE BUILDS LAUNCHES OPERATORS [DEVICES [FIRST]]\n");
        return 2;
    }
    for (int i = 2; i < count; i++)
        numbers[i - 2] = strtoull(words[i], NULL, 10);
    filling.builds = numbers[0];
    filling.launches = numbers[1];
    filling.operators = numbers[2];
    filling.devices = numbers[3];
    filling.first = numbers[4];
    start(&filling);
    check(history_open_store(words[1], true, &history));
    for (size_t i = 0; i < filling.builds; i++)
        for (size_t k = 0; k < filling.devices; k++)
            add(&filling, &history, filling.first + i, k);
    check(history_settle(&history));
    history_close(&history);
    getrusage(RUSAGE_SELF, &used);
    printf("%zu %zu %.3f %.3f\n", filling.builds * filling.devices * filling.launches * filling.operators,
           filling.builds * filling.devices, (double)used.ru_utime.tv_sec + (double)used.ru_utime.tv_usec / 1e6,
           (double)used.ru_stime.tv_sec + (double)used.ru_stime.tv_usec / 1e6);
    return 0;
}
