/* advise_rank.c: what is worth doing, by the time that it could save at most.
 *
 * A saving is a bound, not a promise: what would remain if an operation reached the peak, or used all cores. The bound of each
 * row is said with it. Savings of different rows may be the same time seen from two sides, so they do not add up.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/potential.h"
#include "base/map.h"
#include "base/memory.h"
#include "tenstorrent/advise.h"

enum chance_kind { CHANCE_GAPS, CHANCE_FALLBACK, CHANCE_ROOF, CHANCE_MEMORY, CHANCE_CORES, CHANCE_FIDELITY };

/* One thing to do about all operations of one label. */
struct chance {
    enum chance_kind kind;           /* what to do */
    string_id label;                 /* of the operations */
    const struct advise_op *example; /* the one that could save most */
    double example_saves;            /* us */
    size_t count;                    /* of operations */
    double time;                     /* us that they take */
    double saves;                    /* us */
};

struct ranking {
    struct advise *advise;     /* borrowed */
    struct chance *chances;    /* in the order in which they were met */
    size_t count, capacity;    /* of these */
    struct number_map by_kind; /* label and kind: chance */
    status failure;            /* the first */
};

/* The chance of this kind and label, made where it is new; NULL: out of memory. */
static struct chance *find_chance(struct ranking *ranking, enum chance_kind kind, string_id label)
{
    uint32_t *place = number_map_at(&ranking->by_kind, label, kind);

    if (!place)
        return NULL;
    if (*place == MAP_NONE) {
        if (memory_grow(&ranking->chances, &ranking->capacity, ranking->count + 1, sizeof *ranking->chances) !=
            STATUS_OK)
            return NULL;
        ranking->chances[ranking->count] = (struct chance){ .kind = kind, .label = label };
        *place = (uint32_t)ranking->count++;
    }
    return &ranking->chances[*place];
}

static void add_chance(struct ranking *ranking, enum chance_kind kind, string_id label, const struct advise_op *op,
                       double time, double saves)
{
    struct chance *chance;

    if (ranking->failure != STATUS_OK || !(saves > 0))
        return;
    chance = find_chance(ranking, kind, label);
    if (!chance) {
        ranking->failure = status_no_memory("ranking advice");
        return;
    }
    chance->count++;
    chance->time += time;
    chance->saves += saves;
    if (saves > chance->example_saves) {
        chance->example_saves = saves;
        chance->example = op;
    }
}

/* ---- Chances of one operation ---- */

/* The fidelity that would do; FIDELITY_COUNT: the one that it has. */
static enum fidelity better_fidelity(const struct advise *advise, const struct advise_op *op)
{
    const struct strings *strings = advise->report->strings;
    const struct op_row *row = op->row;
    static const enum fidelity order[] = { FIDELITY_HIFI2, FIDELITY_LOFI };
    struct fidelity_judgement now = fidelity_judge(strings, row->inputs[0].datatype, row->inputs[1].datatype,
                                                   row->output.datatype, strings_get(strings, row->fidelity));

    for (unsigned i = 0; i < 2 && now.verdict == VERDICT_TOO_HIGH; i++) {
        const char *name = fidelity_text(order[i]);
        struct fidelity_judgement then = fidelity_judge(strings, row->inputs[0].datatype, row->inputs[1].datatype,
                                                        row->output.datatype, (struct text){ name, strlen(name) });

        if (then.verdict == VERDICT_SUFFICIENT)
            return order[i];
    }
    return FIDELITY_COUNT;
}

static void add_device_chances(struct ranking *ranking, const struct advise_op *op, string_id label)
{
    const struct advise *advise = ranking->advise;
    const struct chip *architecture = &advise->architecture;
    double time = op->device_time;
    struct roofline_work work;
    struct roofline_peak peak;
    double ideal = advise_work(advise, op, &work, &peak) ? roofline_place(work, peak).ideal_seconds * 1e6 : NAN;
    enum fidelity now = fidelity_named(strings_get(advise->report->strings, op->row->fidelity)), better;

    if (!isnan(ideal))
        add_chance(ranking, CHANCE_ROOF, label, op, time, time - ideal);
    else if (op->row->dram_bytes > 0)
        add_chance(ranking, CHANCE_MEMORY, label, op, time, time - op->row->dram_bytes / architecture->dram / 1e3);
    if (op->cores * 2 < (double)architecture->worker_cores && !op->dram_sharded)
        add_chance(ranking, CHANCE_CORES, label, op, time, time * (1 - op->cores / (double)architecture->worker_cores));
    if (!op->matmul || op->flops_percent < op->dram_percent || now == FIDELITY_COUNT)
        return;
    better = better_fidelity(advise, op);
    if (better != FIDELITY_COUNT)
        add_chance(ranking, CHANCE_FIDELITY, label, op, time,
                   time * (1 - architecture->tflops[now] / architecture->tflops[better]));
}

static void add_chances(struct ranking *ranking)
{
    const struct advise *advise = ranking->advise;

    for (size_t i = 0; i < advise->count && ranking->failure == STATUS_OK; i++) {
        const struct advise_op *op = &advise->ops[i];
        string_id label = 0;

        if (op->signpost)
            continue;
        if (op->gap > GAP_HIGH)
            add_chance(ranking, CHANCE_GAPS, 0, op, op->gap, op->gap - GAP_NORMAL);
        if (op->host) {
            add_chance(ranking, CHANCE_FALLBACK, 0, op, (double)op->row->host_duration / 1000,
                       op->row->host_duration == OP_NONE ? 0 : (double)op->row->host_duration / 1000);
            continue;
        }
        ranking->failure = strings_add(advise->report->strings, op->label, op->label_length, &label);
        if (ranking->failure == STATUS_OK)
            add_device_chances(ranking, op, label);
    }
}

static int compare_chances(const void *one, const void *other)
{
    const struct chance *a = one;
    const struct chance *b = other;

    if (a->saves != b->saves)
        return a->saves > b->saves ? -1 : 1;
    return a->kind != b->kind ? (a->kind < b->kind ? -1 : 1) : a->label < b->label ? -1 : a->label > b->label;
}

/* ---- Texts ---- */

static void describe_roof(const struct advise *advise, const struct chance *chance, char *to, size_t size, char *bound,
                          size_t bound_size)
{
    const struct advise_op *op = chance->example;
    bool memory = op->dram_percent > op->flops_percent;
    struct roofline_work work;
    struct roofline_peak peak = { NAN, NAN };
    struct advice advice = { .count = 0 };

    (void)advise_work(advise, op, &work, &peak);
    if (op->matmul && op->bound != ROOFLINE_UNKNOWN)
        advise_matmul(advise, op, &advice);
    /* What is well is no advice. */
    if (advice.count && !strstr(advice.items[0], "look good"))
        snprintf(to, size, "%s", advice.items[0]);
    else
        snprintf(to, size, "bring it nearer to its peak: it reaches %.1f %% of the %s",
                 memory ? op->dram_percent : op->flops_percent, memory ? "DRAM's rate" : "arithmetic");
    if (memory)
        snprintf(bound, bound_size, "at %.0f GB/s, the peak of the DRAM", peak.gigabytes);
    else
        snprintf(bound, bound_size, "at %.1f TFLOPs, the peak of its cores%s", peak.flops / 1e12,
                 op->matmul ? "" : " (all of them)");
}

static void describe(const struct advise *advise, const struct chance *chance, char *to, size_t size, char *bound,
                     size_t bound_size)
{
    const struct advise_op *op = chance->example;

    switch (chance->kind) {
    case CHANCE_GAPS:
        snprintf(to, size, "run with tracing, or keep the device from waiting for the host");
        snprintf(bound, bound_size, "every gap over %.1f µs down to %.0f µs", GAP_HIGH, GAP_NORMAL);
        break;
    case CHANCE_FALLBACK:
        snprintf(to, size, "move the operations that run on the host to the device");
        snprintf(bound, bound_size, "all of their time on the host");
        break;
    case CHANCE_ROOF:
        describe_roof(advise, chance, to, size, bound, bound_size);
        break;
    case CHANCE_MEMORY:
        snprintf(to, size, "move its tensors to L1, or move less: they pass at %.0f GB/s",
                 op->row->dram_bytes / op->device_time / 1e3);
        snprintf(bound, bound_size, "its tensors in DRAM once, at %.0f GB/s", advise->architecture.dram);
        break;
    case CHANCE_CORES:
        snprintf(to, size, "use more cores: it runs on %.0f of %lld", op->cores,
                 (long long)advise->architecture.worker_cores);
        snprintf(bound, bound_size, "as if it were even over all cores");
        break;
    case CHANCE_FIDELITY:
        snprintf(to, size, "use %s instead of %s", fidelity_text(better_fidelity(advise, op)),
                 strings_text(advise->report->strings, op->row->fidelity));
        snprintf(bound, bound_size, "all of its time is arithmetic");
        break;
    }
}

/* ---- The table ---- */

/* The texts go into the arena of the operations. False: out of memory. */
static bool tell(struct advise *advise, const struct chance *chance, struct potential_chance *told)
{
    char what[ADVICE_LONGEST], bound[128];
    double whole = advise->device_time + advise->gaps;

    describe(advise, chance, what, sizeof what, bound, sizeof bound);
    *told = (struct potential_chance){
        .what = arena_copy(&advise->arena, what, strlen(what)),
        .about = chance->label ? strings_text(advise->report->strings, chance->label) : NULL,
        .bound = arena_copy(&advise->arena, bound, strlen(bound)),
        .count = chance->count,
        .time = chance->time * 1000,
        .saves = chance->saves * 1000,
        .share = whole > 0 && chance->kind != CHANCE_FALLBACK ? chance->saves / whole * 100 : NAN,
    };
    return told->what && told->bound;
}

struct table *advise_rank(struct advise *advise, const char *title, size_t most)
{
    struct ranking ranking = { .advise = advise };
    struct potential_chance *told;
    struct table *table = NULL;
    size_t shown, count = 0;

    assert(title && most > 0);
    number_map_start(&ranking.by_kind);
    add_chances(&ranking);
    if (ranking.count)
        qsort(ranking.chances, ranking.count, sizeof *ranking.chances, compare_chances);
    shown = ranking.count < most ? ranking.count : most;
    told = ranking.failure == STATUS_OK ? memory_allocate((shown + 1) * sizeof *told) : NULL;
    while (told && count < shown && tell(advise, &ranking.chances[count], &told[count]))
        count++;
    if (told && count == shown)
        table = chance_table(title, "of all device times and gaps", told, shown, ranking.count - shown);
    memory_free(told);
    memory_free(ranking.chances);
    number_map_free(&ranking.by_kind);
    return table;
}
