/* operator_time.c: own times of operators. */
#include "analyze/operator_time.h"

#include <assert.h>

#include "base/memory.h"
#include "base/own_time.h"

/* Which engines' work is looked at. */
enum side { SIDE_ALL, SIDE_DEVICE, SIDE_HOST };

/* Whether something works beside the host's own processor. */
static bool has_device(const struct operator_time *time)
{
    for (size_t i = 0; i < time->busy->tracks.count; i++) {
        const struct busy_track *track = busy_track(time->busy, (track_id)i);
        const struct engine *engine = track->track.engine;

        if (track->kept && track->process == time->process && engine && !engine->host && !engine->either &&
            group_is_device(engine_group(engine)))
            return true;
    }
    return false;
}

static bool is_on(enum side side, const struct busy_track *track, bool devices)
{
    const struct engine *engine = track->track.engine;
    bool device = group_is_device(engine_group(engine)) && !(devices && engine && engine->host);

    return side == SIDE_ALL || (side == SIDE_DEVICE) == device;
}

/* When anything on a side worked for an operator, and not for another that it called. */
static status find_work(const struct operator_time *time, operator_id op, enum side side, bool devices,
                        struct intervals *set)
{
    status code = STATUS_OK;

    for (uint32_t i = operator_first_share(time->busy, op); i != NO_ID && code == STATUS_OK;
         i = busy_share(time->busy, i)->next) {
        const struct busy_share *share = busy_share(time->busy, i);
        const struct busy_track *track = busy_track(time->busy, share->track);

        if (track->process == time->process && track->work && is_on(side, track, devices))
            code = intervals_add_all(set, busy_own(time->busy, share));
    }
    if (code == STATUS_OK)
        code = intervals_settle(set);
    return code == STATUS_OK && time->windows ? intervals_cut(set, time->windows) : code;
}

/* The moments in which no device works, from the first that matters to the last. */
static status find_gaps(const struct intervals *devices, size_t count, const struct intervals *hosts,
                        struct intervals *gaps)
{
    struct intervals all = INTERVALS_EMPTY;
    struct intervals_cursor cursor;
    struct interval interval;
    int64_t first = INT64_MAX, last = INT64_MIN;
    status code = STATUS_OK;

    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        code = intervals_add_all(&all, &devices[i]);
        if (hosts[i].any) {
            first = hosts[i].first < first ? hosts[i].first : first;
            last = hosts[i].last > last ? hosts[i].last : last;
        }
    }
    if (code == STATUS_OK)
        code = intervals_settle(&all);
    if (code == STATUS_OK) {
        intervals_start(&cursor, &all);
        while (intervals_next(&cursor, &interval) && code == STATUS_OK) {
            if (interval.start > first)
                code = intervals_add(gaps, first, interval.start);
            first = interval.end > first ? interval.end : first;
        }
        if (code == STATUS_OK && last > first)
            code = intervals_add(gaps, first, last);
    }
    intervals_free(&all);
    return code == STATUS_OK ? intervals_settle(gaps) : code;
}

/* Host work keeps the moments in which no device works. */
static status give_devices_first(const struct intervals *devices, struct intervals *hosts, size_t count)
{
    struct intervals gaps = INTERVALS_EMPTY;
    status code = find_gaps(devices, count, hosts, &gaps);

    for (size_t i = 0; i < count && code == STATUS_OK; i++)
        code = intervals_cut(&hosts[i], &gaps);
    intervals_free(&gaps);
    return code;
}

/* `two`: devices and host apart, which then take no moment from each other; else one side alone. */
static status share_out(const struct operator_time *time, const operator_id *operators, size_t count, bool two,
                        enum side side, int64_t *own)
{
    bool devices = has_device(time);
    size_t sets_count = two ? 2 * count : count;
    struct intervals *sets = memory_allocate_clear((sets_count + 1) * sizeof *sets);
    int64_t *parts = memory_allocate((sets_count + 1) * sizeof *parts);
    status code = sets && parts ? STATUS_OK : status_no_memory("adding up operators");

    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        code = find_work(time, operators[i], two ? SIDE_DEVICE : side, devices, &sets[i]);
        if (code == STATUS_OK && two)
            code = find_work(time, operators[i], SIDE_HOST, devices, &sets[count + i]);
    }
    if (code == STATUS_OK && two)
        code = give_devices_first(sets, sets + count, count);
    if (code == STATUS_OK)
        code = own_times(sets, sets_count, parts);
    for (size_t i = 0; i < count && code == STATUS_OK; i++)
        own[i] = parts[i] + (two ? parts[count + i] : 0);
    for (size_t i = 0; sets && i < sets_count; i++)
        intervals_free(&sets[i]);
    memory_free(sets);
    memory_free(parts);
    return code;
}

status operator_own_times(const struct operator_time *time, const operator_id *operators, size_t count, int64_t *own)
{
    assert(time->busy && time->process < time->busy->tracks.count);
    return share_out(time, operators, count, time->device_first, SIDE_ALL, own);
}

status operator_device_times(const struct operator_time *time, const operator_id *operators, size_t count, int64_t *own)
{
    assert(time->busy && time->process < time->busy->tracks.count);
    return share_out(time, operators, count, false, SIDE_DEVICE, own);
}
