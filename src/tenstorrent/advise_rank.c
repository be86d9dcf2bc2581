/* advise_rank.c: what is worth doing, by the time that it could save at most.
 *
 * A saving is a bound, not a promise: what would remain if an operation reached the peak, or used all cores. The bound of each
 * row is said with it. Savings of different rows may be the same time seen from two sides, so they do not add up.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/potential.h"
#include "base/memory.h"
#include "tenstorrent/advise.h"

enum chance_kind { CHANCE_GAPS, CHANCE_FALLBACK, CHANCE_ROOF, CHANCE_MEMORY, CHANCE_CORES, CHANCE_FIDELITY };

/* One thing to do about all operations of one label. */
struct chance {
    enum chance_kind kind;
    string_id label;
    const struct advise_op *example; /* the one that could save most */
    double example_saves;
    size_t count;
    double time;  /* us that they take */
    double saves; /* us */
};

struct ranking {
    struct advise *advise;
    struct chance *chances;
    size_t count, capacity;
    uint32_t *slots; /* hash of kind and label: chance + 1 */
    size_t slot_count;
    status failure;
};

static size_t slot_of(const struct ranking *ranking, enum chance_kind kind, string_id label)
{
    uint64_t hash = ((uint64_t)label << 3 | (unsigned)kind) * 0x9E3779B97F4A7C15u;
    size_t slot = (size_t)(hash >> 24) & (ranking->slot_count - 1);

    while (ranking->slots[slot] && (ranking->chances[ranking->slots[slot] - 1].kind != kind ||
                                    ranking->chances[ranking->slots[slot] - 1].label != label))
        slot = (slot + 1) & (ranking->slot_count - 1);
    return slot;
}

static status grow(struct ranking *ranking)
{
    size_t count = ranking->slot_count ? ranking->slot_count * 2 : 512;
    uint32_t *slots = memory_allocate_clear(count * sizeof *slots);
    status code = memory_grow(&ranking->chances, &ranking->capacity, count / 2 + 1, sizeof *ranking->chances);

    if (code != STATUS_OK || !slots) {
        memory_free(slots);
        return status_no_memory("ranking advice");
    }
    memory_free(ranking->slots);
    ranking->slots = slots;
    ranking->slot_count = count;
    for (size_t i = 0; i < ranking->count; i++)
        slots[slot_of(ranking, ranking->chances[i].kind, ranking->chances[i].label)] = (uint32_t)i + 1;
    return STATUS_OK;
}

static void add_chance(struct ranking *ranking, enum chance_kind kind, string_id label, const struct advise_op *op,
                       double time, double saves)
{
    struct chance *chance;
    size_t slot;

    if (ranking->failure != STATUS_OK || !(saves > 0))
        return;
    if (ranking->count * 2 >= ranking->slot_count)
        ranking->failure = grow(ranking);
    if (ranking->failure != STATUS_OK)
        return;
    slot = slot_of(ranking, kind, label);
    if (!ranking->slots[slot]) {
        ranking->chances[ranking->count++] = (struct chance){ .kind = kind, .label = label, .example = op };
        ranking->slots[slot] = (uint32_t)ranking->count;
    }
    chance = &ranking->chances[ranking->slots[slot] - 1];
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
    if (op->matmul)
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
    memory_free(ranking.slots);
    return table;
}
