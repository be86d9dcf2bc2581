/* device_analysis.c: runs the analyses of a setup over the markers of a log, and makes their statistics. */
#include "tenstorrent/device_analysis.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tenstorrent/device_shared.h"
#include "tenstorrent/marker_missing.h"

typedef device_wide wide;

/* ---- Statistics ---- */

static int compare_samples(const void *one, const void *other)
{
    int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;

    return (a > b) - (a < b);
}

static void swap_samples(int64_t *one, int64_t *other)
{
    int64_t kept = *one;

    *one = *other;
    *other = kept;
}

/* Moves the n-th smallest to its place, the smaller ones before it. */
static void select_sample(int64_t *samples, size_t count, size_t nth)
{
    size_t low = 0, high = count;

    for (unsigned rounds = 0; high - low > 16; rounds++) {
        int64_t pivot = samples[low + (high - low) / 2];
        size_t left = low, right = high - 1;

        if (rounds == 64) /* an order that defeats the choice of pivots */
            break;
        while (left <= right) {
            while (samples[left] < pivot)
                left++;
            while (samples[right] > pivot)
                right--;
            if (left > right)
                break;
            swap_samples(&samples[left++], &samples[right]);
            if (!right)
                break;
            right--;
        }
        if (nth <= right)
            high = right + 1;
        else if (nth >= left)
            low = left;
        else
            return;
    }
    qsort(samples + low, high - low, sizeof *samples, compare_samples);
}

static double median_of(int64_t *samples, size_t count)
{
    size_t middle = count / 2;
    int64_t below;

    select_sample(samples, count, middle);
    if (count % 2)
        return (double)samples[middle];
    below = samples[0];
    for (size_t i = 1; i < middle; i++)
        below = samples[i] > below ? samples[i] : below;
    return (double)((wide)below + samples[middle]) / 2;
}

struct device_statistics device_statistics_of(int64_t *samples, size_t count)
{
    struct device_statistics result = { .count = count };
    wide sum = 0;

    if (!count)
        return result;
    result.first = result.max = result.min = samples[0];
    for (size_t i = 0; i < count; i++) {
        sum += samples[i];
        result.max = samples[i] > result.max ? samples[i] : result.max;
        result.min = samples[i] < result.min ? samples[i] : result.min;
    }
    result.sum = sum > INT64_MAX ? INT64_MAX : (int64_t)sum;
    result.average = (double)sum / (double)count;
    result.median = median_of(samples, count);
    return result;
}

static int compare_decimals(const void *one, const void *other)
{
    double a = *(const double *)one, b = *(const double *)other;

    return (a > b) - (a < b);
}

status device_gather(struct device_gathering *gathering, const struct device_statistics *part)
{
    struct device_statistics *total = &gathering->total;
    status code;

    total->unknown += part->unknown;
    if (!part->count)
        return STATUS_OK;
    code = memory_grow(&gathering->medians, &gathering->capacity, gathering->count + 1, sizeof *gathering->medians);
    if (code != STATUS_OK)
        return code;
    gathering->medians[gathering->count++] = part->median;
    if (!total->count || part->max > total->max)
        total->max = part->max;
    if (!total->count || part->min < total->min)
        total->min = part->min;
    if (!total->count)
        total->first = part->first;
    total->count += part->count;
    gathering->sum += part->sum;
    return STATUS_OK;
}

struct device_statistics device_gathered(struct device_gathering *gathering)
{
    struct device_statistics *total = &gathering->total;
    size_t count = gathering->count;

    if (!count)
        return *total;
    qsort(gathering->medians, count, sizeof *gathering->medians, compare_decimals);
    total->median = count % 2 ? gathering->medians[count / 2]
                              : (gathering->medians[count / 2 - 1] + gathering->medians[count / 2]) / 2;
    total->sum = gathering->sum > INT64_MAX ? INT64_MAX : (int64_t)gathering->sum;
    total->average = (double)gathering->sum / (double)total->count;
    memory_free(gathering->medians);
    gathering->medians = NULL;
    return *total;
}

status device_sample(struct device_samples *samples, int64_t value)
{
    if (samples->count == samples->capacity) {
        status code = memory_grow(&samples->items, &samples->capacity, samples->count + 1, sizeof *samples->items);

        if (code != STATUS_OK)
            return code;
    }
    samples->items[samples->count++] = value;
    return STATUS_OK;
}

/* ---- Matching ---- */

static bool zone_matches(const char *wanted, const char *zone)
{
    size_t length = strlen(wanted);

    if (length && wanted[length - 1] == '*')
        return memmem(zone, strlen(zone), wanted, length - 1) != NULL;
    return strcmp(wanted, zone) == 0;
}

static bool timer_matches(int64_t wanted, const struct marker_kind *kind)
{
    if (wanted == MARKER_T0 || kind->standard == MARKER_T0)
        return wanted == MARKER_T0 && kind->standard == MARKER_T0;
    if (wanted < 0)
        return true;
    return wanted <= FIRMWARE_END ? kind->standard == wanted : kind->timer_id == wanted;
}

static bool matches(const struct marker_log *log, const struct device_endpoint *endpoint,
                    const struct marker_kind *kind)
{
    const char *zone = strings_text(log->strings, kind->zone);
    bool named = !endpoint->zone_count;

    if (endpoint->risc && strcmp(endpoint->risc, strings_text(log->strings, kind->risc)) != 0)
        return false;
    if (!timer_matches(endpoint->timer_id, kind) ||
        (endpoint->phase && strcmp(endpoint->phase, marker_phase_type(kind->phase)) != 0))
        return false;
    for (unsigned i = 0; i < endpoint->zone_count && !named; i++)
        named = zone_matches(endpoint->zones[i], zone);
    return named;
}

static bool phase_fits(enum device_type type, const struct marker_kind *kind)
{
    bool event = kind->phase == MARKER_EVENT || kind->phase == MARKER_DATA || kind->phase == MARKER_DATA_LONG;

    return type == DEVICE_SUM ? kind->phase == MARKER_TOTAL : type == DEVICE_EVENT ? event : true;
}

static bool begins_launch(const struct marker_log *log, const struct marker_kind *kind)
{
    return kind->standard == FIRMWARE_START && strcmp(strings_text(log->strings, kind->risc), "BRISC") == 0;
}

/* What the other marker of a firmware or kernel would begin and end. */
static void plan_counterpart(struct device_work *work, size_t index)
{
    const struct marker_kind *kind = marker_kind_at(work->log, index);
    struct device_plan *plan = &work->counterparts[index];
    struct marker_kind other;

    if (!marker_kind_is_standard(kind))
        return;
    other = marker_kind_counterpart(kind);
    for (unsigned i = 0; i < work->setup->count; i++) {
        plan->start |= (uint64_t)matches(work->log, &work->setup->analyses[i].start, &other) << i;
        plan->end |= (uint64_t)matches(work->log, &work->setup->analyses[i].end, &other) << i;
    }
    plan->launch = begins_launch(work->log, &other);
}

static status plan_kinds(struct device_work *work)
{
    const struct marker_log *log = work->log;
    const struct device_setup *setup = work->setup;

    work->kinds = memory_allocate_clear((log->kinds.count + 1) * sizeof *work->kinds);
    work->counterparts = memory_allocate_clear((log->kinds.count + 1) * sizeof *work->counterparts);
    if (!work->kinds || !work->counterparts)
        return status_no_memory("preparing analyses");
    for (unsigned i = 0; i < setup->count; i++) {
        const struct device_analysis *analysis = &setup->analyses[i];

        work->across[analysis->across] |= (uint64_t)1 << i;
        work->types[analysis->type] |= (uint64_t)1 << i;
        for (size_t k = 0; k < log->kinds.count; k++) {
            const struct marker_kind *kind = marker_kind_at(log, k);

            if (!phase_fits(analysis->type, kind))
                continue;
            work->kinds[k].start |= (uint64_t)matches(log, &analysis->start, kind) << i;
            work->kinds[k].end |= (uint64_t)matches(log, &analysis->end, kind) << i;
        }
    }
    for (size_t k = 0; k < log->kinds.count; k++) {
        work->kinds[k].launch = begins_launch(log, marker_kind_at(log, k));
        plan_counterpart(work, k);
    }
    return STATUS_OK;
}

static bool core_matches(const struct device_endpoint *endpoint, const struct marker_core *core)
{
    return endpoint->any_core || (endpoint->x == core->x && endpoint->y == core->y);
}

struct device_plan device_core_plan(const struct device_setup *setup, const struct marker_core *core)
{
    struct device_plan plan = { 0, 0, false };

    assert(setup->count <= DEVICE_ANALYSES);
    for (unsigned i = 0; i < setup->count; i++) {
        plan.start |= (uint64_t)core_matches(&setup->analyses[i].start, core) << i;
        plan.end |= (uint64_t)core_matches(&setup->analyses[i].end, core) << i;
    }
    return plan;
}

/* ---- One series by time ---- */

/* How far each analysis is in the series. */
struct progress_of {
    bool started, ended;           /* which of the two was met */
    int64_t start, end;            /* cycles */
    const struct marker_kind *own; /* of the start, where it is a firmware's or kernel's; NULL: it is not */
};

struct series {
    struct device_work *work;                     /* borrowed */
    uint64_t adjacent, session, launch;           /* analyses of each kind, a bit each */
    bool launched;                                /* a launch has begun */
    int64_t begin;                                /* cycles, of that launch */
    struct progress_of progress[DEVICE_ANALYSES]; /* by analysis */
};

static bool begins_at_t0(const struct device_analysis *analysis)
{
    return analysis->start.timer_id == MARKER_T0;
}

/* `limit`: where the series or launch is over. */
static status finish_first_last(struct series *series, uint64_t analyses, int64_t begin, int64_t limit)
{
    struct device_work *work = series->work;
    status code = STATUS_OK;

    for (uint64_t bits = analyses; bits && code == STATUS_OK; bits &= bits - 1) {
        unsigned i = (unsigned)__builtin_ctzll(bits);
        struct progress_of *progress = &series->progress[i];
        bool doubtful = (work->t0_unknown && begins_at_t0(&work->setup->analyses[i])) ||
                        device_missing_around(work, i, begin, limit, progress->start, progress->end);

        if (progress->started && doubtful)
            work->samples[i].unknown++;
        else if (progress->ended)
            code = device_sample(&work->samples[i], progress->end - progress->start);
        *progress = (struct progress_of){ .started = false };
    }
    return code;
}

/* A duration that reaches over a marker that was lost is none. Those that lack a marker of their own were counted with it. */
static status end_adjacent(struct series *series, unsigned analysis, int64_t time)
{
    struct device_work *work = series->work;
    struct progress_of *progress = &series->progress[analysis];
    bool t0 = work->t0_unknown && begins_at_t0(&work->setup->analyses[analysis]);

    progress->started = false;
    if (!t0 && (!work->missing_count || !device_missing_between(work, analysis, progress->start, time)))
        return device_sample(&work->samples[analysis], time - progress->start);
    work->samples[analysis].unknown += t0 || !progress->own;
    return STATUS_OK;
}

/* Of a zone that lacks markers, a start ends nothing and an end begins nothing, whatever the analysis says. */
static bool may_be_both(const struct series *series, unsigned analysis, const struct marker_kind *kind)
{
    return !marker_kind_is_standard(kind) || !series->work->setup->analyses[analysis].start.risc;
}

static status step_adjacent(struct series *series, uint64_t start, uint64_t end, const struct marker *marker)
{
    const struct device_work *work = series->work;
    /* A series that lacks nothing need not ask what its markers are. */
    const struct marker_kind *kind = work->missing_count ? marker_kind_at(work->log, marker->kind) : NULL;
    status code = STATUS_OK;

    for (uint64_t bits = (start | end) & series->adjacent; bits && code == STATUS_OK; bits &= bits - 1) {
        unsigned i = (unsigned)__builtin_ctzll(bits);
        struct progress_of *progress = &series->progress[i];
        bool starts = (start & bits & -bits) != 0, ends = (end & bits & -bits) != 0;

        if (kind && starts && ends && !may_be_both(series, i, kind)) {
            starts = kind->phase == MARKER_START;
            ends = !starts;
        }
        if (progress->started && ends) {
            code = end_adjacent(series, i, marker->time);
        } else if (starts) {
            progress->started = true;
            progress->start = marker->time;
            progress->own = kind && marker_kind_is_standard(kind) && kind->phase == MARKER_START ? kind : NULL;
        }
    }
    return code;
}

static void step_first_last(struct series *series, uint64_t start, uint64_t end, uint64_t analyses, int64_t time)
{
    for (uint64_t bits = (start | end) & analyses; bits; bits &= bits - 1) {
        struct progress_of *progress = &series->progress[__builtin_ctzll(bits)];
        uint64_t bit = bits & -bits;

        if (!progress->started && (start & bit)) {
            progress->started = true;
            progress->start = progress->end = time;
        } else if (progress->started && (end & bit)) {
            progress->ended = true;
            progress->end = time;
        }
    }
}

/* The BRISC leads its core: where markers were lost, a kernel that has not ended when it starts again has lost its end. */
static status begin_launch(struct series *series, int64_t time)
{
    status code = finish_first_last(series, series->launch, series->begin, time);

    for (uint64_t bits = series->work->missing_count ? series->adjacent : 0; bits; bits &= bits - 1) {
        struct progress_of *progress = &series->progress[__builtin_ctzll(bits)];

        if (progress->started && progress->own && progress->own->standard == KERNEL_START)
            progress->started = false;
    }
    series->launched = true;
    series->begin = time;
    return code;
}

/* Each marker that is missing makes a duration unknown of which it is an end. */
static void count_missing(struct series *series)
{
    struct device_work *work = series->work;

    for (size_t i = 0; i < work->missing_count; i++)
        for (uint64_t bits = work->missing[i].own & series->adjacent; bits; bits &= bits - 1)
            work->samples[__builtin_ctzll(bits)].unknown++;
}

/* Runs a merged series through the analyses of `analyses`. `accepted`: of the one core that it is about; NULL: of several. */
static status run_series(struct device_work *work, const struct device_plan *accepted, uint64_t analyses)
{
    struct series series = { .work = work, .begin = INT64_MIN };
    const struct marker *marker;
    uint32_t lane;
    status code = STATUS_OK;

    series.adjacent = analyses & work->types[DEVICE_ADJACENT];
    series.session = analyses & work->types[DEVICE_SESSION];
    series.launch = analyses & work->types[DEVICE_LAUNCH];
    count_missing(&series);
    while (code == STATUS_OK && (marker = marker_merge_next(&work->merge, &lane))) {
        const struct device_plan *plan = &work->kinds[marker->kind];
        struct device_plan own;
        uint64_t start, end;

        if (!((plan->start | plan->end) & analyses) && !plan->launch)
            continue;
        own = accepted
                  ? *accepted
                  : device_core_plan(work->setup, marker_core_at(work->log, marker_lane_at(work->log, lane)->core));
        start = plan->start & own.start;
        end = plan->end & own.end;
        if (plan->launch && accepted)
            code = begin_launch(&series, marker->time);
        if (code == STATUS_OK)
            code = step_adjacent(&series, start, end, marker);
        step_first_last(&series, start, end, series.session | (series.launched ? series.launch : 0), marker->time);
    }
    if (code == STATUS_OK)
        code = finish_first_last(&series, series.launch, series.begin, INT64_MAX);
    return code == STATUS_OK ? finish_first_last(&series, series.session, INT64_MIN, INT64_MAX) : code;
}

/* Sums and events of a lane: they need no order. Sums of zones are added up, those of numbered markers are samples each. */
static status count_lane(struct device_work *work, const struct marker_lane *lane, const struct device_plan *accepted,
                         uint64_t analyses, uint64_t *events, wide *sums)
{
    const struct column *columns[] = { &lane->totals, &lane->markers };
    status code = STATUS_OK;

    for (unsigned c = 0; c < 2; c++) {
        struct marker_cursor cursor;
        const struct marker *marker;

        marker_cursor_start(&cursor, columns[c]);
        while (code == STATUS_OK && (marker = marker_cursor_next(&cursor))) {
            for (uint64_t bits = work->kinds[marker->kind].start & accepted->start & analyses;
                 bits && code == STATUS_OK; bits &= bits - 1) {
                unsigned i = (unsigned)__builtin_ctzll(bits);

                if (work->setup->analyses[i].type == DEVICE_EVENT)
                    events[i]++;
                else if (c == 0)
                    code = device_sample(&work->samples[i], marker->time);
                else
                    sums[i] = (sums[i] < 0 ? 0 : sums[i]) + marker_sum_of(work->log, marker);
            }
        }
    }
    return code;
}

static bool kinds_match(const struct device_work *work, uint64_t analyses)
{
    for (size_t k = 0; k < work->log->kinds.count; k++)
        if ((work->kinds[k].start | work->kinds[k].end) & analyses)
            return true;
    return false;
}

/* The sums and events of some lanes. */
static status count_lanes(struct device_work *work, const uint32_t *lanes, size_t count, uint64_t analyses,
                          uint64_t *events)
{
    wide sums[DEVICE_ANALYSES];
    status code = STATUS_OK;

    analyses &= work->types[DEVICE_SUM] | work->types[DEVICE_EVENT];
    if (!analyses || !kinds_match(work, analyses))
        return STATUS_OK;
    for (unsigned i = 0; i < DEVICE_ANALYSES; i++)
        sums[i] = -1;
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        const struct marker_lane *lane = marker_lane_at(work->log, lanes[i]);
        struct device_plan accepted = device_core_plan(work->setup, marker_core_at(work->log, lane->core));

        code = count_lane(work, lane, &accepted, analyses, events, sums);
    }
    for (unsigned i = 0; i < DEVICE_ANALYSES && code == STATUS_OK; i++)
        if (sums[i] >= 0)
            code = device_sample(&work->samples[i], sums[i] > INT64_MAX ? INT64_MAX : (int64_t)sums[i]);
    return code;
}

static void take_statistics(struct device_work *work, uint64_t analyses, struct device_statistics *to)
{
    for (uint64_t bits = analyses; bits; bits &= bits - 1) {
        unsigned i = (unsigned)__builtin_ctzll(bits);

        to[i] = device_statistics_of(work->samples[i].items, work->samples[i].count);
        to[i].unknown = work->samples[i].unknown;
        work->samples[i].count = 0;
        work->samples[i].unknown = 0;
    }
}

/* ---- Cores and chips ---- */

static status analyze_core(struct device_work *work, struct device_chip_results *results, size_t index)
{
    const struct marker_core *core = marker_core_at(work->log, marker_chip_at(work->log, results->chip)->cores[index]);
    struct device_plan accepted = device_core_plan(work->setup, core);
    uint64_t analyses = work->across[ACROSS_CORE];
    status code = STATUS_OK;

    work->missing_count = 0;
    for (size_t i = 0; i < core->lane_count && code == STATUS_OK; i++)
        code = device_collect_missing(work, core->lanes[i]);
    if (code == STATUS_OK &&
        analyses & (work->types[DEVICE_ADJACENT] | work->types[DEVICE_SESSION] | work->types[DEVICE_LAUNCH])) {
        code = marker_merge_begin(&work->merge, work->log, core->lanes, core->lane_count, true);
        if (code == STATUS_OK)
            code = run_series(work, &accepted, analyses);
    }
    if (code == STATUS_OK)
        code = count_lanes(work, core->lanes, core->lane_count, analyses, results->events);
    if (code == STATUS_OK)
        take_statistics(work, analyses, results->cores + index * work->setup->count);
    return code;
}

/* Where the first start and the last end of the chip's series lie: times, and at equal times the order of lanes and markers. */
struct extreme {
    int64_t time;   /* cycles */
    uint64_t order; /* among markers of equal time */
    bool met;       /* the other two are set */
};

/* First and last need no merging: each lane tells its own. */
static void find_extremes(struct device_work *work, uint32_t lane_index, uint64_t analyses, uint64_t *order,
                          struct extreme *first, struct extreme *last)
{
    const struct marker_lane *lane = marker_lane_at(work->log, lane_index);
    const struct marker_core *core = marker_core_at(work->log, lane->core);
    struct device_plan accepted = device_core_plan(work->setup, core);
    struct marker t0 = { marker_chip_at(work->log, core->chip)->t0, lane->t0_kind, 0 };
    struct marker_cursor cursor;
    const struct marker *marker = &t0;

    marker_cursor_start(&cursor, &lane->markers);
    for (; marker; marker = marker_cursor_next(&cursor), ++*order) {
        const struct device_plan *plan = &work->kinds[marker->kind];
        uint64_t start = plan->start & accepted.start & analyses, end = plan->end & accepted.end & analyses;

        for (; start; start &= start - 1) {
            struct extreme *extreme = &first[__builtin_ctzll(start)];

            if (!extreme->met || marker->time < extreme->time)
                *extreme = (struct extreme){ marker->time, *order, true };
        }
        for (; end; end &= end - 1) {
            struct extreme *extreme = &last[__builtin_ctzll(end)];

            if (!extreme->met || marker->time >= extreme->time)
                *extreme = (struct extreme){ marker->time, *order, true };
        }
    }
}

static status analyze_sessions(struct device_work *work, size_t lane_count, uint64_t analyses)
{
    struct extreme first[DEVICE_ANALYSES] = { 0 }, last[DEVICE_ANALYSES] = { 0 };
    uint64_t order = 0;
    status code = STATUS_OK;

    for (size_t i = 0; i < lane_count && analyses; i++)
        find_extremes(work, work->lanes[i], analyses, &order, first, last);
    for (unsigned i = 0; i < DEVICE_ANALYSES && code == STATUS_OK; i++) {
        bool after = last[i].time > first[i].time || (last[i].time == first[i].time && last[i].order > first[i].order);

        if (first[i].met &&
            device_missing_around(work, i, INT64_MIN, INT64_MAX, first[i].time, after ? last[i].time : first[i].time))
            work->samples[i].unknown++;
        else if (first[i].met && last[i].met && after)
            code = device_sample(&work->samples[i], last[i].time - first[i].time);
    }
    return code;
}

/* Keeps the lanes in which something matches: a series of the whole chip is mostly about few of them. */
static size_t matching_lanes(struct device_work *work, size_t count, uint64_t analyses)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        const struct marker_lane *lane = marker_lane_at(work->log, work->lanes[i]);
        struct marker_cursor cursor;
        const struct marker *marker;
        bool found = (work->kinds[lane->t0_kind].start | work->kinds[lane->t0_kind].end) & analyses;

        marker_cursor_start(&cursor, &lane->markers);
        while (!found && (marker = marker_cursor_next(&cursor)))
            found = (work->kinds[marker->kind].start | work->kinds[marker->kind].end) & analyses;
        if (found)
            work->lanes[kept++] = work->lanes[i];
    }
    return kept;
}

static status collect_lanes(struct device_work *work, const struct marker_chip *chip, size_t *count)
{
    *count = 0;
    for (size_t c = 0; c < chip->core_count; c++) {
        const struct marker_core *core = marker_core_at(work->log, chip->cores[c]);
        status code = memory_grow(&work->lanes, &work->lane_capacity, *count + core->lane_count, sizeof *work->lanes);

        if (code != STATUS_OK)
            return code;
        for (size_t i = 0; i < core->lane_count; i++)
            if (marker_lane_at(work->log, core->lanes[i])->markers.count ||
                marker_lane_at(work->log, core->lanes[i])->totals.count)
                work->lanes[(*count)++] = core->lanes[i];
    }
    return STATUS_OK;
}

static status analyze_device(struct device_work *work, struct device_chip_results *results)
{
    const struct marker_chip *chip = marker_chip_at(work->log, results->chip);
    uint64_t analyses = work->across[ACROSS_DEVICE];
    uint64_t adjacent = analyses & work->types[DEVICE_ADJACENT];
    size_t count = 0;
    status code = analyses ? collect_lanes(work, chip, &count) : STATUS_OK;

    work->missing_count = 0;
    for (size_t i = 0; i < count && code == STATUS_OK; i++)
        code = device_collect_missing(work, work->lanes[i]);
    if (code == STATUS_OK)
        code = analyze_sessions(work, count, analyses & work->types[DEVICE_SESSION]);
    if (code == STATUS_OK)
        code = count_lanes(work, work->lanes, count, analyses, results->events);
    if (code == STATUS_OK && adjacent && kinds_match(work, adjacent)) {
        count = matching_lanes(work, count, adjacent);
        code = marker_merge_begin(&work->merge, work->log, work->lanes, count, true);
        if (code == STATUS_OK)
            code = run_series(work, NULL, adjacent);
    }
    if (code == STATUS_OK)
        take_statistics(work, analyses, results->device);
    return code;
}

static status summarize(struct device_work *work, struct device_chip_results *results)
{
    const struct marker_chip *chip = marker_chip_at(work->log, results->chip);
    unsigned count = work->setup->count;
    status code = STATUS_OK;

    for (unsigned i = 0; i < count && code == STATUS_OK; i++) {
        struct device_gathering gathering = { .medians = NULL };

        if (work->setup->analyses[i].across >= ACROSS_OPS)
            continue;
        for (size_t c = 0; c < chip->core_count && code == STATUS_OK; c++)
            code = device_gather(&gathering, &results->cores[c * count + i]);
        if (code == STATUS_OK)
            code = device_gather(&gathering, &results->device[i]);
        results->summary[i] = device_gathered(&gathering);
    }
    return code;
}

/* The chip's first marker is T0. One that is missing and that nothing came before may have been earlier. */
static status doubt_t0(struct device_work *work, const struct marker_chip *chip)
{
    status code = STATUS_OK;

    work->missing_count = 0;
    work->t0_unknown = false;
    for (size_t c = 0; c < chip->core_count && code == STATUS_OK; c++) {
        const struct marker_core *core = marker_core_at(work->log, chip->cores[c]);

        for (size_t i = 0; i < core->lane_count && code == STATUS_OK; i++)
            code = device_collect_missing(work, core->lanes[i]);
    }
    for (size_t i = 0; i < work->missing_count; i++)
        work->t0_unknown |= work->missing[i].after < chip->t0;
    return code;
}

static status analyze_chip(struct device_work *work, struct device_chip_results *results)
{
    const struct marker_chip *chip = marker_chip_at(work->log, results->chip);
    size_t count = work->setup->count ? work->setup->count : 1;
    status code = STATUS_OK;

    results->cores = memory_allocate_clear((chip->core_count + 1) * count * sizeof *results->cores);
    results->device = memory_allocate_clear(count * sizeof *results->device);
    results->summary = memory_allocate_clear(count * sizeof *results->summary);
    results->events = memory_allocate_clear(count * sizeof *results->events);
    if (!results->cores || !results->device || !results->summary || !results->events)
        return status_no_memory("analysing a chip");
    code = doubt_t0(work, chip);
    for (size_t i = 0; i < chip->core_count && code == STATUS_OK && work->across[ACROSS_CORE]; i++)
        code = analyze_core(work, results, i);
    if (code == STATUS_OK)
        code = analyze_device(work, results);
    if (code == STATUS_OK && work->setup->detect_ops && (work->across[ACROSS_OPS] | work->across[ACROSS_DISPATCH]))
        code = device_analyze_ops(work, results);
    return code == STATUS_OK ? summarize(work, results) : code;
}

status device_analyze(struct device_results *results, const struct marker_log *log, const struct device_setup *setup,
                      bool trusting)
{
    struct device_work work = { .log = log, .setup = setup, .trusting = trusting };
    status code = STATUS_OK;

    assert(setup->count <= DEVICE_ANALYSES);
    *results = (struct device_results){ .log = log, .setup = setup };
    marker_merge_start(&work.merge);
    results->chips = memory_allocate_clear((log->chips.count + 1) * sizeof *results->chips);
    if (!results->chips)
        code = status_no_memory("analysing a device log");
    if (code == STATUS_OK)
        code = plan_kinds(&work);
    for (uint32_t i = 0; i < log->chips.count && code == STATUS_OK; i++) {
        results->chips[i].chip = i;
        results->chip_count++;
        code = analyze_chip(&work, &results->chips[i]);
    }
    for (unsigned i = 0; i < DEVICE_ANALYSES; i++)
        memory_free(work.samples[i].items);
    marker_merge_free(&work.merge);
    memory_free(work.lanes);
    memory_free(work.kinds);
    memory_free(work.counterparts);
    memory_free(work.missing);
    return code;
}

void device_results_free(struct device_results *results)
{
    for (size_t i = 0; i < results->chip_count; i++) {
        struct device_chip_results *chip = &results->chips[i];

        memory_free(chip->cores);
        memory_free(chip->device);
        memory_free(chip->summary);
        memory_free(chip->events);
        memory_free(chip->op_values);
        memory_free(chip->op_cores);
        if (chip->has_ops)
            marker_ops_free(&chip->ops);
    }
    memory_free(results->chips);
    *results = (struct device_results){ .chips = NULL };
}
