/* roofs.c: items under their peaks. */
#include "analyze/roofs.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trace/model.h"

static const double ALIKE = 2;     /* times the size: work is of like size */
static const double FASTER = 1.25; /* times the rate: not by chance */
static const double ALIKE_KIN = 8; /* the same of work of one kind: caches cost less than that */

void roofs_start(struct roofs *roofs, struct clock clock, uint64_t times)
{
    assert(clock.numerator && clock.denominator);
    *roofs = (struct roofs){ .clock = clock, .times = times ? times : 1, .item_name = "Operation" };
}

void roofs_free(struct roofs *roofs)
{
    memory_free(roofs->items);
    memory_free(roofs->peaks);
    *roofs = (struct roofs){ 0 };
}

/* ---- Filling ---- */

static bool make_room(struct roofs *roofs, void *items, size_t *capacity, size_t count, size_t size)
{
    assert(roofs->times && "roofs are started before they are filled");
    if (roofs->failure == STATUS_OK && memory_grow(items, capacity, count + 1, size) != STATUS_OK)
        roofs->failure = status_no_memory("looking for roofs");
    return roofs->failure == STATUS_OK;
}

struct roof_item *roofs_add_item(struct roofs *roofs)
{
    struct roof_item *item;

    if (!make_room(roofs, &roofs->items, &roofs->capacity, roofs->count, sizeof *item))
        return NULL;
    item = &roofs->items[roofs->count++];
    *item = (struct roof_item){
        .name = "",
        .kind = "",
        .engine = "",
        .origin = NO_ID,
        .bytes = NAN,
        .flops = NAN,
        .memory = NO_ID,
        .arithmetic = NO_ID,
        .reach = 1,
        .roof = { NAN, NAN },
        .point = roofline_place((struct roofline_work){ NAN, NAN, NAN }, (struct roofline_peak){ NAN, NAN }),
        .saves = NAN,
    };
    return item;
}

uint32_t roofs_peak(struct roofs *roofs, const char *name, bool memory, enum roof_proof proof, double rate,
                    const char *from)
{
    assert(name && (isnan(rate) || rate > 0));
    for (size_t i = 0; i < roofs->peak_count; i++)
        if (roofs->peaks[i].memory == memory && strcmp(roofs->peaks[i].name, name) == 0)
            return (uint32_t)i;
    if (!make_room(roofs, &roofs->peaks, &roofs->peak_capacity, roofs->peak_count, sizeof *roofs->peaks))
        return NO_ID;
    roofs->peaks[roofs->peak_count] = (struct roof_peak){
        .name = name, .memory = memory, .proof = proof, .rate = rate, .observed = isnan(rate), .from = from
    };
    return (uint32_t)roofs->peak_count++;
}

/* ---- Reading ---- */

/* Over all times. */
static double seconds_of(const struct roofs *roofs, int64_t ticks)
{
    assert(roofs->clock.denominator);
    return (double)ticks * (double)roofs->clock.numerator / (double)roofs->clock.denominator / 1e9;
}

double roofs_ns(const struct roofs *roofs, int64_t ticks)
{
    assert(roofs->times);
    return seconds_of(roofs, ticks) * 1e9 / (double)roofs->times;
}

double roofs_saves_ns(const struct roofs *roofs, const struct roof_item *item)
{
    return item->saves > 0 ? item->saves * 1e9 / (double)roofs->times : 0;
}

double roofs_share(const struct roofs *roofs, int64_t ticks)
{
    return roofs->whole > 0 ? (double)ticks / (double)roofs->whole * 100 : 0;
}

const char *roof_bound(const struct roof_item *item)
{
    static const char *const texts[] = {
        [ROOFLINE_UNKNOWN] = NULL,    [ROOFLINE_SLOW] = "slow", [ROOFLINE_MEMORY] = "memory",
        [ROOFLINE_COMPUTE] = "FLOPs", [ROOFLINE_BOTH] = "both",
    };

    assert(item->point.bound <= ROOFLINE_BOTH);
    return texts[item->point.bound];
}

double roof_reached(const struct roof_item *item)
{
    return fmax(item->point.memory_percent, item->point.compute_percent);
}

bool roof_is_observed(const struct roofs *roofs, const struct roof_item *item)
{
    return (item->memory != NO_ID && roofs->peaks[item->memory].observed) ||
           (item->arithmetic != NO_ID && roofs->peaks[item->arithmetic].observed);
}

bool roof_is_unknown(const struct roof_item *item)
{
    return isnan(item->bytes) && isnan(item->flops);
}

/* ---- Peaks and roofs ---- */

static struct roofline_work work_of(const struct roofs *roofs, const struct roof_item *item)
{
    return (
        struct roofline_work){ .bytes = item->bytes, .flops = item->flops, .seconds = seconds_of(roofs, item->ticks) };
}

/* An item as one that may prove what a peak can do. */
struct proof {
    struct roof_item *item; /* borrowed */
    double size;            /* bytes or operations of one time */
    double rate;            /* that it reached */
};

static int by_size(const void *one, const void *other)
{
    const struct proof *a = one, *b = other;

    return (a->size > b->size) - (a->size < b->size);
}

/* The steady items of a peak, the smallest first. */
static size_t find_proofs(struct roofs *roofs, uint32_t peak, struct proof *proofs)
{
    bool memory = roofs->peaks[peak].memory;
    size_t count = 0;

    for (size_t i = 0; i < roofs->count; i++) {
        struct roof_item *item = &roofs->items[i];
        struct roofline_point point = roofline_place(work_of(roofs, item), (struct roofline_peak){ NAN, NAN });
        double rate = memory ? point.gigabytes : point.flops;

        if ((memory ? item->memory : item->arithmetic) == peak && item->steady && item->count && rate > 0)
            proofs[count++] = (struct proof){ item, (memory ? item->bytes : item->flops) / (double)item->count, rate };
    }
    if (count)
        qsort(proofs, count, sizeof *proofs, by_size);
    return count;
}

static int by_kind(const void *one, const void *other)
{
    const struct proof *a = one, *b = other;
    int order = strcmp(a->item->kind, b->item->kind);

    return order ? order : by_size(one, other);
}

/* What it reached itself it can reach in any case. */
static void raise_roof(const struct proof *own, bool memory, double rate)
{
    struct roof_item *item = own->item;

    if (memory)
        item->roof.gigabytes = fmax(item->roof.gigabytes, fmax(rate, own->rate));
    else
        item->roof.flops = fmax(item->roof.flops, fmax(rate * item->reach, own->rate));
}

/* Whether the best rates of like work tell what memory allows: kernels that are often slow prove nothing of each other, unless one of them
 * is faster. */
static bool tells(const struct proof *own, bool memory, double best, double best_sound)
{
    return best > 0 && (!memory || !own->item->often_slow || best_sound > 0 || best > FASTER * own->rate);
}

/* Each item's roof is the best rate of those that prove something about it: a walk over all of them in the order in which they do.
 * `alike`: times as large or small. */
static void find_roofs(const struct roof_peak *peak, const struct proof *proofs, size_t count, double alike)
{
    bool upwards = peak->proof == PROVEN_BY_SMALLER;
    double best = 0, best_sound = 0; /* of all; of those that are not often slow */
    size_t next = 0;

    for (size_t i = 0; i < count; i++) {
        const struct proof *own = &proofs[upwards ? i : count - 1 - i];

        for (; next < count; next++) {
            const struct proof *other = &proofs[upwards ? next : count - 1 - next];

            if (upwards ? other->size > alike * own->size : other->size < own->size / alike)
                break;
            if (!other->item->proves_nothing)
                best = fmax(best, other->rate);
            if (!other->item->proves_nothing && !other->item->often_slow)
                best_sound = fmax(best_sound, other->rate);
        }
        if (tells(own, peak->memory, best, best_sound))
            raise_roof(own, peak->memory, best);
    }
}

/* The same among those of each kind: what is alike in all but its size compares further. */
static void find_roofs_of_kinds(const struct roof_peak *peak, struct proof *proofs, size_t count)
{
    size_t first = 0;

    if (count)
        qsort(proofs, count, sizeof *proofs, by_kind);
    for (size_t i = 1; i <= count; i++)
        if (i == count || strcmp(proofs[i].item->kind, proofs[first].item->kind) != 0) {
            find_roofs(peak, &proofs[first], i - first, ALIKE_KIN);
            first = i;
        }
}

static void find_peak(struct roof_peak *peak, const struct proof *proofs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!proofs[i].item->proves_nothing && !(peak->rate >= proofs[i].rate)) {
            peak->rate = proofs[i].rate;
            peak->from = proofs[i].item->name;
        }
    for (size_t i = 0; i < count && peak->rate > 0; i++)
        if (proofs[i].item->any_size[peak->memory])
            raise_roof(&proofs[i], peak->memory, peak->rate);
}

static status find_all_roofs(struct roofs *roofs)
{
    struct proof *proofs = memory_allocate((roofs->count + 1) * sizeof *proofs);

    if (!proofs)
        return status_no_memory("looking for roofs");
    for (uint32_t i = 0; i < roofs->peak_count; i++) {
        struct roof_peak *peak = &roofs->peaks[i];
        size_t count = find_proofs(roofs, i, proofs);

        if (peak->observed) {
            find_roofs(peak, proofs, count, ALIKE);
            find_roofs_of_kinds(peak, proofs, count);
            find_peak(peak, proofs, count);
            continue;
        }
        for (size_t k = 0; k < count; k++)
            raise_roof(&(struct proof){ .item = proofs[k].item }, peak->memory, peak->rate);
    }
    memory_free(proofs);
    return STATUS_OK;
}

/* Where only one of the two is known, it alone decides: a copy has no arithmetic that could hold it back. */
static enum roofline_bound bound_by_one(const struct roofline_point *point)
{
    if (isnan(point->memory_percent) == isnan(point->compute_percent))
        return point->bound;
    if (point->memory_percent >= ROOFLINE_NEAR)
        return ROOFLINE_MEMORY;
    return point->compute_percent >= ROOFLINE_NEAR ? ROOFLINE_COMPUTE : ROOFLINE_SLOW;
}

static void place_item(const struct roofs *roofs, struct roof_item *item)
{
    struct roofline_work work = work_of(roofs, item);

    assert(item->memory == NO_ID || roofs->peaks[item->memory].memory);
    assert(item->arithmetic == NO_ID || !roofs->peaks[item->arithmetic].memory);
    if (!item->steady)
        return;
    item->point = roofline_place(work, item->roof);
    item->point.bound = bound_by_one(&item->point);
    item->saves = isnan(item->point.ideal_seconds) ? NAN : fmax(0, work.seconds - item->point.ideal_seconds);
}

static int by_ticks(const void *one, const void *other)
{
    const struct roof_item *a = one, *b = other;
    int order;

    if (a->ticks != b->ticks)
        return a->ticks > b->ticks ? -1 : 1;
    order = strcmp(a->name, b->name);
    return order ? order : strcmp(a->engine, b->engine);
}

status roofs_settle(struct roofs *roofs)
{
    status code = roofs->failure;

    if (code == STATUS_OK)
        code = find_all_roofs(roofs);
    if (code != STATUS_OK)
        return code;
    for (size_t i = 0; i < roofs->count; i++)
        place_item(roofs, &roofs->items[i]);
    if (roofs->count)
        qsort(roofs->items, roofs->count, sizeof *roofs->items, by_ticks);
    return STATUS_OK;
}
