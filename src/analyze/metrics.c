/* metrics.c: one sweep over what was busy, and the sums of it. */
#include "analyze/metrics.h"

#include <assert.h>
#include <string.h>

#include "base/map.h"
#include "base/number.h"

/* ---- The metrics of the core ------------------------------------------------------------------------------------- */

enum {
    TRANSFER = 1u << GROUP_TRANSFER,
    COMPUTE = 1u << GROUP_COMPUTE,
    WORK = TRANSFER | COMPUTE | 1u << GROUP_JOB | 1u << GROUP_HOST
};

bool metric_always(const struct metric_facts *facts)
{
    (void)facts;
    return true;
}

const struct metric metric_overall = {
    .key = "total_duration",
    .label = "OVERALL",
    .description = "from the first start to the last end",
    .kind = METRIC_SPAN,
    .known = metric_always,
    .shareless = true,
};
const struct metric metric_idle = {
    .key = "idle",
    .label = "Idle",
    .description = "no engine, core, operation, program, host copy or inference at work",
    .kind = METRIC_REST,
    .some = { .at_work = true },
    .known = metric_always,
};
static const struct metric transfer = {
    .key = "transfer", .label = "Transfer", .description = "moving data", .some = { .groups = TRANSFER }
};
static const struct metric compute = {
    .key = "compute", .label = "Compute", .description = "computing", .some = { .groups = COMPUTE }
};
static const struct metric overlap = {
    .key = "overlap",
    .label = "Overlap",
    .description = "computing and moving data at once",
    .some = { .groups = TRANSFER },
    .also = { .groups = COMPUTE },
};
static const struct metric jobs = {
    .key = "jobs", .label = "Jobs", .description = "programs on the accelerator", .some = { .groups = 1u << GROUP_JOB }
};
static const struct metric host = {
    .key = "host", .label = "Host", .description = "work on the host", .some = { .groups = 1u << GROUP_HOST }
};
static const struct metric *const general_rows[] = { &metric_overall, &jobs, &transfer,    &compute,
                                                     &overlap,        &host, &metric_idle, NULL };
static const struct overview_line general_lines[] = {
    { "00 OVERVIEW TRANSFER", "Transfer", &transfer },
    { "01 OVERVIEW COMPUTE", "Compute", &compute },
    { "02 OVERVIEW OVERLAP", "Overlap", &overlap },
    { "03 OVERVIEW HOST", "Host", &host },
    { "04 OVERVIEW IDLE", "IDLE", &metric_idle },
    { "05 OVERALL", "OVERALL", &metric_overall },
    { 0 },
};
const struct metric_set metrics_general = { .rows = general_rows, .lines = general_lines, .known_lines = true };

/* ---- Which engines a selection means ----------------------------------------------------------------------------- */

static bool is_work(enum engine_group group)
{
    return WORK >> group & 1;
}

static bool selects(const struct metric_selection *selection, const struct engine *engine, uint32_t index)
{
    assert(engine && engine->group <= GROUP_CUSTOM);
    if (selection->groups >> engine->group & 1 && !(selection->no_processor && engine->host))
        return true;
    if (selection->processor && engine->host)
        return true;
    if (selection->at_work && (is_work(engine->group) || engine->at_work))
        return true;
    for (unsigned i = 0; i < METRIC_ENGINES && selection->engines[i]; i++)
        if (selection->engines[i] == engine && (!selection->only || selection->only == index + 1))
            return true;
    return false;
}

bool metric_counts(const struct metric *metric, const struct engine *engine, uint32_t index)
{
    return metric->kind == METRIC_TIME &&
           (selects(&metric->some, engine, index) || selects(&metric->also, engine, index));
}

/* Engines that every selection of the set treats alike are one class: one bit in a stretch's mask. */
struct class_of_engines {
    const struct engine *engine; /* whose tracks these are */
    uint32_t index;              /* where a selection names it; else 0 */
    bool others;                 /* all indexes that no selection names */
    const struct intervals *set; /* borrowed from the only track, or the merged one */
    struct intervals merged;     /* of several tracks; empty: `set` is that of the only one */
};

enum { CLASSES = 63 }; /* one bit is for the windows */

struct classes {
    struct class_of_engines items[CLASSES]; /* a bit of the sweep each */
    unsigned count;                         /* of items */
    bool all_any, work_any;                 /* the spans below are set */
    int64_t all_first, all_last;            /* of everything but envelopes */
    int64_t work_first, work_last;          /* of engines, jobs and host work */
};

/* What no metric asks for would only cut the sweep into more pieces. */
static bool is_asked_for(const struct metric_set *set, const struct track *track)
{
    for (const struct metric *const *row = set->rows; *row; row++)
        if (selects(&(*row)->some, track->engine, track->index) ||
            selects(&(*row)->also, track->engine, track->index) || selects(&(*row)->none, track->engine, track->index))
            return true;
    return false;
}

static bool names_index(const struct metric_set *set, const struct engine *engine, uint32_t index)
{
    for (const struct metric *const *row = set->rows; *row; row++) {
        const struct metric_selection *parts[] = { &(*row)->some, &(*row)->also, &(*row)->none };

        for (unsigned i = 0; i < 3; i++)
            if (parts[i]->only == index + 1 && parts[i]->engines[0] && selects(parts[i], engine, index))
                return true;
    }
    return false;
}

static struct class_of_engines *find_class(struct classes *classes, const struct metric_set *set,
                                           const struct track *track)
{
    bool named = names_index(set, track->engine, track->index);
    uint32_t index = named ? track->index : 0;

    assert(classes->count <= CLASSES);
    for (unsigned i = 0; i < classes->count; i++) {
        struct class_of_engines *item = &classes->items[i];

        if (item->engine == track->engine && item->others == !named && item->index == index)
            return item;
    }
    if (classes->count == CLASSES)
        return NULL;
    classes->items[classes->count] = (struct class_of_engines){
        .engine = track->engine, .index = index, .others = !named, .merged = INTERVALS_EMPTY
    };
    return &classes->items[classes->count++];
}

/* A class with one track borrows that track's set; only one with several is merged. */
static status add_to_class(struct class_of_engines *item, const struct intervals *set)
{
    status code = STATUS_OK;

    if (!item->set) {
        item->set = set;
        return STATUS_OK;
    }
    if (item->set != &item->merged)
        code = intervals_add_all(&item->merged, item->set);
    item->set = &item->merged;
    if (code == STATUS_OK)
        code = intervals_add_all(&item->merged, set);
    return code;
}

static void widen(const struct intervals *set, bool *any, int64_t *first, int64_t *last)
{
    if (!set->any)
        return;
    if (!*any || set->first < *first)
        *first = set->first;
    if (!*any || set->last > *last)
        *last = set->last;
    *any = true;
}

static status collect(struct classes *classes, const struct metric_facts *facts, const struct metric_set *set)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < facts->busy->tracks.count && code == STATUS_OK; i++) {
        const struct busy_track *track = busy_track(facts->busy, (track_id)i);
        enum engine_group group = engine_group(track->track.engine);
        struct class_of_engines *item;

        if (!track->kept || track->process != facts->process || group == GROUP_ENVELOPE)
            continue;
        widen(&track->set, &classes->all_any, &classes->all_first, &classes->all_last);
        if (group != GROUP_BOOKKEEPING)
            widen(&track->set, &classes->work_any, &classes->work_first, &classes->work_last);
        if (!is_asked_for(set, &track->track))
            continue;
        item = find_class(classes, set, &track->track);
        code = item ? add_to_class(item, &track->set)
                    : status_fail(STATUS_INPUT, "more than %d kinds of engines in one input", CLASSES);
    }
    /* Once for all tracks of a class: each time reads the whole set. */
    for (unsigned i = 0; i < classes->count && code == STATUS_OK; i++)
        code = intervals_settle(&classes->items[i].merged);
    return code;
}

/* ---- Sums -------------------------------------------------------------------------------------------------------- */

/* From the first work of a window to its last: what begins and ends a window without work is no idling of the engines. */
struct work_span {
    struct intervals_cursor cursor; /* over the windows */
    struct interval window;         /* that is walked through; start after end: none yet */
    bool any;                       /* work was met in it */
    int64_t first, last;            /* of the work in it */
    int64_t sum;                    /* of the windows before */
};

/* A combination of busy classes, and its time. */
struct combination {
    uint64_t mask;  /* 0: none yet */
    int64_t *ticks; /* where its time is added up */
};

enum { RECENT_BITS = 4 };

/* Time by combination of busy classes. Few of them ever occur. */
struct combinations {
    uint64_t window;           /* bit of the windows; 0: everything counts */
    uint64_t work;             /* bits of classes that work; 0: there are no windows */
    struct work_span span;     /* of the work in windows */
    struct number_map by_mask; /* to its place in `ticks` */
    struct column ticks;       /* int64_t */
    bool failed;               /* out of memory */
    /* Those that came before, which the next is as a rule. */
    struct combination recent[1 << RECENT_BITS];
};

static void end_window(struct work_span *span)
{
    span->sum += span->any ? span->last - span->first : 0;
    span->any = false;
}

static void widen_span(struct work_span *span, int64_t start, int64_t end)
{
    while (start >= span->window.end) {
        end_window(span);
        if (!intervals_next(&span->cursor, &span->window))
            return;
    }
    if (!span->any)
        span->first = start;
    span->any = true;
    span->last = end;
}

/* Where the time of a combination is added up; NULL: out of memory. */
static int64_t *find_combination(struct combinations *combinations, uint64_t mask)
{
    uint32_t *place = number_map_at(&combinations->by_mask, mask, 0);

    if (place && *place == MAP_NONE) {
        int64_t *made = column_append(&combinations->ticks);

        if (made) {
            *made = 0;
            *place = (uint32_t)combinations->ticks.count - 1;
        }
    }
    return place && *place != MAP_NONE ? column_at(&combinations->ticks, *place) : NULL;
}

static void add_stretch(void *context, uint64_t active, int64_t start, int64_t end)
{
    struct combinations *combinations = context;
    struct combination *recent;

    assert(active && start < end);
    if (combinations->window) {
        if (!(active & combinations->window) || active == combinations->window)
            return;
        active &= ~combinations->window;
        if (active & combinations->work)
            widen_span(&combinations->span, start, end);
    }
    recent = &combinations->recent[active * 0x9E3779B97F4A7C15u >> (64 - RECENT_BITS)];
    if (recent->mask != active) {
        recent->ticks = find_combination(combinations, active);
        recent->mask = recent->ticks ? active : 0;
    }
    if (recent->ticks)
        *recent->ticks += end - start;
    else
        combinations->failed = true;
}

static uint64_t mask_of(const struct classes *classes, const struct metric_selection *selection)
{
    uint64_t mask = 0;

    for (unsigned i = 0; i < classes->count; i++) {
        const struct class_of_engines *item = &classes->items[i];
        /* An index that no selection names: any that is beyond all. */
        uint32_t index = item->others ? UINT32_MAX - 1 : item->index;

        if (selects(selection, item->engine, index))
            mask |= UINT64_C(1) << i;
    }
    return mask;
}

/* Classes whose first start and last end are those of the work. */
static uint64_t mask_of_work(const struct classes *classes)
{
    uint64_t mask = 0;

    for (unsigned i = 0; i < classes->count; i++)
        if (engine_group(classes->items[i].engine) != GROUP_BOOKKEEPING)
            mask |= UINT64_C(1) << i;
    return mask;
}

static bool is_empty(const struct metric_selection *selection)
{
    return !selection->groups && !selection->engines[0] && !selection->at_work && !selection->processor;
}

static int64_t time_of(const struct classes *classes, const struct combinations *combinations,
                       const struct metric *metric)
{
    uint64_t some = mask_of(classes, &metric->some), none = mask_of(classes, &metric->none);
    uint64_t also = is_empty(&metric->also) ? UINT64_MAX : mask_of(classes, &metric->also);
    int64_t sum = 0;

    for (size_t i = 0; i < number_map_count(&combinations->by_mask); i++) {
        const struct number_entry *entry = number_map_entry(&combinations->by_mask, i);

        if (entry->one & some && entry->one & also && !(entry->one & none))
            sum += *(int64_t *)column_at(&combinations->ticks, entry->value);
    }
    return sum;
}

/* How long the whole is, and how long it worked. */
struct spans_of_input {
    int64_t all;  /* ticks */
    int64_t work; /* the same */
};

static struct spans_of_input measure_spans(const struct classes *classes, const struct combinations *combinations,
                                           const struct intervals *windows)
{
    if (windows)
        return (struct spans_of_input){ intervals_length(windows), combinations->span.sum };
    return (struct spans_of_input){ classes->all_any ? classes->all_last - classes->all_first : 0,
                                    classes->work_any ? classes->work_last - classes->work_first : 0 };
}

static int64_t value_of(const struct classes *classes, const struct combinations *combinations,
                        struct spans_of_input spans, const struct metric *metric)
{
    switch (metric->kind) {
    case METRIC_SPAN:
        return spans.all;
    case METRIC_REST:
        return spans.all - time_of(classes, combinations, metric);
    case METRIC_WORK:
        return classes->work_any ? spans.work - time_of(classes, combinations, metric) : 0;
    case METRIC_TIME:
        break;
    }
    return time_of(classes, combinations, metric);
}

static bool is_known(const struct metric *metric, const struct metric_facts *facts, const struct classes *classes)
{
    return metric->known ? metric->known(facts) : mask_of(classes, &metric->some) != 0;
}

status metrics_compute(const struct metric_facts *facts, const struct metric_set *set, struct metrics *metrics)
{
    struct classes classes = { 0 };
    struct combinations combinations = { 0 };
    const struct intervals *sets[CLASSES + 1];
    const struct clock *clock = busy_clock(facts->busy, facts->process);
    struct spans_of_input spans;
    status code = collect(&classes, facts, set);

    assert(facts->process < facts->busy->tracks.count && set->rows);
    *metrics = (struct metrics){
        .set = set,
        .start = classes.all_first,
        .clock = clock ? *clock : clock_nanoseconds(0),
        .runs = facts->runs ? facts->runs : 1,
        .whole = !facts->windows,
        .estimated = facts->engines && !facts->measured,
    };
    number_map_start(&combinations.by_mask);
    column_start(&combinations.ticks, sizeof(int64_t));
    for (unsigned i = 0; i < classes.count; i++)
        sets[i] = classes.items[i].set ? classes.items[i].set : &classes.items[i].merged;
    if (facts->windows) {
        sets[classes.count] = facts->windows;
        combinations.window = UINT64_C(1) << classes.count;
        combinations.work = mask_of_work(&classes);
        combinations.span.window = (struct interval){ INT64_MIN, INT64_MIN };
        intervals_start(&combinations.span.cursor, facts->windows);
    }
    if (code == STATUS_OK)
        intervals_sweep(sets, classes.count + (facts->windows != NULL), add_stretch, &combinations);
    end_window(&combinations.span);
    if (code == STATUS_OK && combinations.failed)
        code = status_no_memory("adding up");
    spans = measure_spans(&classes, &combinations, facts->windows);
    for (; set->rows[metrics->count] && code == STATUS_OK; metrics->count++) {
        assert(metrics->count < METRIC_MOST);
        metrics->ticks[metrics->count] = value_of(&classes, &combinations, spans, set->rows[metrics->count]);
        metrics->present[metrics->count] = is_known(set->rows[metrics->count], facts, &classes) &&
                                           (metrics->ticks[metrics->count] || !set->rows[metrics->count]->if_any);
    }
    number_map_free(&combinations.by_mask);
    column_free(&combinations.ticks);
    for (unsigned i = 0; i < classes.count; i++)
        intervals_free(&classes.items[i].merged);
    assert(code != STATUS_OK || !set->rows[metrics->count]);
    return code;
}

/* ---- Answers ----------------------------------------------------------------------------------------------------- */

const char *metric_name(const struct metric *metric)
{
    return metric->label + strspn(metric->label, " ");
}

bool metric_has_engine(const struct metric_facts *facts, const struct engine *engine)
{
    assert(engine);
    for (size_t i = 0; i < facts->busy->tracks.count; i++) {
        const struct busy_track *track = busy_track(facts->busy, (track_id)i);

        if (track->kept && track->process == facts->process && track->track.engine == engine)
            return true;
    }
    return false;
}

bool metric_has_group(const struct metric_facts *facts, enum engine_group group)
{
    assert(group <= GROUP_CUSTOM);
    for (size_t i = 0; i < facts->busy->tracks.count; i++) {
        const struct busy_track *track = busy_track(facts->busy, (track_id)i);

        if (track->kept && track->process == facts->process && engine_group(track->track.engine) == group)
            return true;
    }
    return false;
}

/* The row of a metric; `count` where the set has it not. */
static size_t row_of(const struct metrics *metrics, const struct metric *metric)
{
    size_t row = 0;

    assert(metrics->set && metrics->count <= METRIC_MOST);
    while (row < metrics->count && metrics->set->rows[row] != metric)
        row++;
    return row;
}

bool metrics_has(const struct metrics *metrics, const struct metric *metric)
{
    size_t row = row_of(metrics, metric);

    return row < metrics->count && metrics->present[row];
}

int64_t metrics_ticks(const struct metrics *metrics, const struct metric *metric)
{
    size_t row = row_of(metrics, metric);

    return row < metrics->count ? metrics->ticks[row] : 0;
}

static int64_t run_ns(const struct metrics *metrics, int64_t ticks)
{
    return clock_span_ns(&metrics->clock, ticks) / (int64_t)metrics->runs;
}

int64_t metrics_next_ns(struct metrics_rounding *rounding, int64_t ticks)
{
    int64_t before = run_ns(rounding->metrics, rounding->ticks);

    rounding->ticks = number_add(rounding->ticks, ticks);
    return run_ns(rounding->metrics, rounding->ticks) - before;
}

int64_t metrics_ns(const struct metrics *metrics, const struct metric *metric)
{
    const struct metric *const *parts = metrics->set->parts;
    struct metrics_rounding rounding = { .metrics = metrics };

    for (size_t i = 0; parts && parts[i]; i++) {
        int64_t ns = metrics_next_ns(&rounding, metrics_ticks(metrics, parts[i]));

        if (parts[i] == metric)
            return ns;
    }
    return run_ns(metrics, metrics_ticks(metrics, metric));
}

double metrics_percent(const struct metrics *metrics, const struct metric *metric)
{
    int64_t whole = metrics_ticks(metrics, &metric_overall);

    return whole ? 100.0 * (double)metrics_ticks(metrics, metric) / (double)whole : 0;
}
