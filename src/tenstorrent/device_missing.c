/* device_missing.c: which analyses of a series may be wrong because markers were lost. */
#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"
#include "tenstorrent/device_shared.h"
#include "tenstorrent/marker_missing.h"

/* What a marker of a RISC would begin and end, and what its counterpart would. The log may have no such marker at all. */
static void find_plans(const struct device_work *work, string_id risc, enum marker_default standard,
                       struct device_plan *plan, struct device_plan *counterpart)
{
    *plan = *counterpart = (struct device_plan){ 0, 0, false };
    for (size_t i = 0; i < work->log->kinds.count; i++) {
        const struct marker_kind *kind = marker_kind_at(work->log, i);
        bool same = kind->standard == standard;

        if (kind->risc != risc || !marker_kind_is_standard(kind) ||
            (!same && marker_kind_counterpart(kind).standard != standard))
            continue;
        *plan = same ? work->kinds[i] : work->counterparts[i];
        *counterpart = same ? work->counterparts[i] : work->kinds[i];
        return;
    }
}

static status add_found(struct device_work *work, const struct marker_missing_walk *walk, string_id risc,
                        const struct device_plan *accepted)
{
    for (unsigned i = 0; i < walk->count; i++) {
        const struct marker_missing *found = &walk->found[i];
        bool start = found->standard == FIRMWARE_START || found->standard == KERNEL_START;
        struct device_missing added = { .after = found->after, .before = found->before };
        struct device_plan other;
        status code =
            memory_grow(&work->missing, &work->missing_capacity, work->missing_count + 1, sizeof *work->missing);

        if (code != STATUS_OK)
            return code;
        find_plans(work, risc, found->standard, &added.plan, &other);
        added.plan.start &= accepted->start;
        added.plan.end &= accepted->end;
        added.own = start ? added.plan.start & other.end : added.plan.end & other.start;
        work->missing[work->missing_count++] = added;
    }
    return STATUS_OK;
}

static int compare_missing(const void *one, const void *other)
{
    const struct device_missing *a = one, *b = other;

    if (a->after != b->after)
        return a->after < b->after ? -1 : 1;
    return (a->before > b->before) - (a->before < b->before);
}

static status walk_lane(struct device_work *work, uint32_t lane)
{
    const struct marker_lane *of = marker_lane_at(work->log, lane);
    struct device_plan accepted = device_core_plan(work->setup, marker_core_at(work->log, of->core));
    struct marker_missing_walk walk;
    struct marker_cursor cursor;
    const struct marker *marker;
    status code = STATUS_OK;

    marker_missing_start(&walk, work->log, lane);
    marker_cursor_start(&cursor, &of->markers);
    while (code == STATUS_OK && (marker = marker_cursor_next(&cursor))) {
        marker_missing_step(&walk, marker, 0);
        if (walk.count)
            code = add_found(work, &walk, of->risc, &accepted);
    }
    marker_missing_finish(&walk);
    return code == STATUS_OK ? add_found(work, &walk, of->risc, &accepted) : code;
}

status device_collect_missing(struct device_work *work, uint32_t lane)
{
    size_t begin = work->missing_count;
    status code = work->trusting ? STATUS_OK : walk_lane(work, lane);

    if (work->missing_count == begin)
        return code;
    qsort(work->missing + begin, work->missing_count - begin, sizeof *work->missing, compare_missing);
    for (size_t i = begin; i < work->missing_count; i++)
        work->missing[i].end = work->missing_count;
    return code;
}

/* The next one, from `*at` on, that may lie between two times; NULL: there is no other. */
static const struct device_missing *next_between(const struct device_work *work, size_t *at, int64_t start, int64_t end)
{
    while (*at < work->missing_count) {
        const struct device_missing *missing = &work->missing[*at];
        size_t low = *at, high = missing->end;

        while (low < high) {
            size_t middle = low + (high - low) / 2;

            if (work->missing[middle].before <= start)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < missing->end && work->missing[low].after < end) {
            *at = low + 1;
            return &work->missing[low];
        }
        *at = missing->end;
    }
    return NULL;
}

bool device_missing_between(const struct device_work *work, unsigned analysis, int64_t start, int64_t end)
{
    uint64_t bit = (uint64_t)1 << analysis;
    const struct device_missing *missing;
    size_t at = 0;

    while ((missing = next_between(work, &at, start, end)))
        if ((missing->plan.start | missing->plan.end) & bit)
            return true;
    return false;
}

bool device_missing_around(const struct device_work *work, unsigned analysis, int64_t begin, int64_t limit,
                           int64_t start, int64_t end)
{
    uint64_t bit = (uint64_t)1 << analysis;
    bool launches = work->setup->analyses[analysis].type == DEVICE_LAUNCH;
    const struct device_missing *missing;
    size_t at = 0;

    assert(start <= end);
    while ((missing = next_between(work, &at, begin, limit)))
        if (((missing->plan.start & bit) && missing->after < start) ||
            ((missing->plan.end & bit) && missing->before > end) ||
            (launches && missing->plan.launch && missing->before > start))
            return true;
    return false;
}
