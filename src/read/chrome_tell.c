/* chrome_tell.c: the second walk: all lines merged by time, and their events told one by one. */
#include "read/chrome_tell.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"

/* ---- Lines -------------------------------------------------------------------------------------------------------- */

enum line_kind { LINE_THREAD, LINE_SPANS, LINE_COUNTERS };

/* An event of several at the same time. */
struct tied {
    uint64_t offset;       /* in the file */
    int64_t duration;      /* ns, of a complete event */
    enum chrome_kind kind; /* which kinds come first */
};

/* A line while it is merged. Events at one time are put in order together. */
struct merged {
    struct chrome_line *line; /* borrowed */
    enum line_kind kind;      /* what it is of */
    uint32_t place;           /* of its thread or process */
    int64_t key;              /* ns: when its next event is due */
    bool waited;              /* for this key: others of the same time come first */
    int64_t time;             /* of the events that are tied */
    struct tied *tied;        /* owned */
    size_t count, next;       /* of tied; the first one that was not told */
    size_t capacity;          /* the same */
};

struct merging {
    struct chrome_telling *telling; /* borrowed */
    struct merged *lines;           /* owned */
    uint32_t *heap;                 /* of lines, the one that is due first at the top; owned */
    size_t count;                   /* of heap */
    size_t line_count;              /* of lines */
};

static bool is_due_before(const struct merged *one, const struct merged *other)
{
    if (one->key != other->key)
        return one->key < other->key;
    return one->waited != other->waited ? other->waited : one < other;
}

static void sink_down(struct merging *merging, size_t place)
{
    uint32_t moved = merging->heap[place];

    for (size_t child; (child = place * 2 + 1) < merging->count; place = child) {
        if (child + 1 < merging->count &&
            is_due_before(&merging->lines[merging->heap[child + 1]], &merging->lines[merging->heap[child]]))
            child++;
        if (!is_due_before(&merging->lines[merging->heap[child]], &merging->lines[moved]))
            break;
        merging->heap[place] = merging->heap[child];
    }
    merging->heap[place] = moved;
}

static void add_line(struct merging *merging, struct chrome_line *line, enum line_kind kind, uint32_t place)
{
    if (!line->events)
        return;
    chrome_line_rewind(line);
    merging->lines[merging->line_count] =
        (struct merged){ .line = line, .kind = kind, .place = place, .key = line->runs[0].time };
    merging->heap[merging->count++] = (uint32_t)merging->line_count++;
}

static status start_merging(struct merging *merging)
{
    struct chrome_trace *trace = merging->telling->trace;
    size_t most = trace->threads.count + trace->processes.count * 2 + 1;

    merging->lines = memory_allocate(most * sizeof *merging->lines);
    merging->heap = memory_allocate(most * sizeof *merging->heap);
    if (!merging->lines || !merging->heap)
        return status_no_memory("merging lines");
    for (uint32_t i = 0; i < trace->threads.count; i++)
        add_line(merging, &chrome_thread_at(trace, i)->line, LINE_THREAD, i);
    for (uint32_t i = 0; i < trace->processes.count; i++) {
        add_line(merging, &chrome_process_at(trace, i)->spans, LINE_SPANS, i);
        add_line(merging, &chrome_process_at(trace, i)->counters, LINE_COUNTERS, i);
    }
    for (size_t i = merging->count / 2; i > 0; i--)
        sink_down(merging, i - 1);
    return STATUS_OK;
}

static void free_merging(struct merging *merging)
{
    for (size_t i = 0; i < merging->line_count; i++)
        memory_free(merging->lines[i].tied);
    memory_free(merging->lines);
    memory_free(merging->heap);
}

/* ---- Events at one time ------------------------------------------------------------------------------------------- */

/* Of complete events the longest comes first; the rest as it stands in the file. */
static int by_tie(const void *left, const void *right)
{
    const struct tied *a = left, *b = right;

    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->duration != b->duration)
        return a->duration > b->duration ? -1 : 1;
    return (a->offset > b->offset) - (a->offset < b->offset);
}

/* What decides the order of several that are alike: durations, and whether an end closes something which began before it. One that does not belongs to a
 * begin of the same time, and keeps its place in the file. */
static status look_at_tied(struct chrome_telling *telling, const struct merged *merged, struct tied *tied)
{
    struct chrome_event event;
    string_id name;
    status code = chrome_pages_event(&telling->pages, tied->offset, &event, NULL);

    if (code == STATUS_OK && tied->kind == CHROME_COMPLETE && !chrome_time(event.duration, &tied->duration))
        tied->duration = 0;
    if (code != STATUS_OK || tied->kind != CHROME_END)
        return code;
    code = chrome_text(&telling->trace->texts, event.name, &name);
    if (code == STATUS_OK && !tell_can_end(&telling->threads[merged->place], name))
        tied->kind = CHROME_REST;
    return code;
}

static status add_tied(struct merged *merged)
{
    status code = memory_grow(&merged->tied, &merged->capacity, merged->count + 1, sizeof *merged->tied);

    if (code != STATUS_OK)
        return code;
    merged->tied[merged->count++] =
        (struct tied){ .offset = merged->line->runs[0].offset, .kind = merged->line->runs[0].kind };
    chrome_line_next(merged->line);
    return STATUS_OK;
}

/* The next events of a line that have the same time. */
static status take_tied(struct chrome_telling *telling, struct merged *merged)
{
    status code;

    size_t kinds[CHROME_INSTANT + 1] = { 0 };

    merged->time = merged->line->runs[0].time;
    merged->count = merged->next = 0;
    do {
        kinds[merged->line->runs[0].kind]++;
        code = add_tied(merged);
    } while (code == STATUS_OK && chrome_line_more(merged->line) && merged->line->runs[0].time == merged->time);
    if (merged->count == 1 || kinds[CHROME_REST] == merged->count)
        return code;
    for (size_t i = 0; i < merged->count && code == STATUS_OK; i++)
        if (merged->tied[i].kind == CHROME_END ||
            (merged->tied[i].kind == CHROME_COMPLETE && kinds[CHROME_COMPLETE] > 1))
            code = look_at_tied(telling, merged, &merged->tied[i]);
    if (code == STATUS_OK)
        qsort(merged->tied, merged->count, sizeof *merged->tied, by_tie);
    return code;
}

/* ---- Telling ------------------------------------------------------------------------------------------------------ */

static status tell_event(struct chrome_telling *telling, struct merged *merged, uint64_t offset, int64_t *wait)
{
    switch (merged->kind) {
    case LINE_SPANS:
        return tell_span_event(telling, merged->place, offset, merged->time);
    case LINE_COUNTERS:
        return tell_counter_event(telling, merged->place, offset, merged->time);
    default:
        return tell_thread_event(telling, merged->place, offset, merged->time, wait);
    }
}

static void show_progress(const struct chrome_telling *telling)
{
    const struct chrome_trace *trace = telling->trace;

    if (trace->source->progress && telling->told % SOURCE_ROWS_PER_PROGRESS == 0)
        progress_update(trace->source->progress,
                        trace->size / 2 + (uint64_t)((double)trace->size / 2 * (double)telling->told /
                                                     (double)(trace->feed->losses.rows + 1)));
}

/* The events of the line that is due, as far as none has to wait. */
static status tell_due(struct merging *merging, struct merged *merged)
{
    struct chrome_telling *telling = merging->telling;
    status code = merged->next == merged->count ? take_tied(telling, merged) : STATUS_OK;

    while (code == STATUS_OK && merged->next < merged->count) {
        int64_t wait = INT64_MIN;

        code = tell_event(telling, merged, merged->tied[merged->next].offset, merged->waited ? NULL : &wait);
        merged->waited = false;
        if (code == STATUS_OK && wait != INT64_MIN) {
            merged->key = wait;
            merged->waited = true;
            return STATUS_OK;
        }
        merged->next++;
        telling->told++;
        show_progress(telling);
    }
    if (chrome_line_more(merged->line))
        merged->key = merged->line->runs[0].time;
    return code;
}

static status tell_all(struct merging *merging)
{
    status code = start_merging(merging);

    while (code == STATUS_OK && merging->count) {
        struct merged *merged = &merging->lines[merging->heap[0]];

        code = tell_due(merging, merged);
        if (merged->next == merged->count && !chrome_line_more(merged->line))
            merging->heap[0] = merging->heap[--merging->count];
        if (merging->count)
            sink_down(merging, 0);
    }
    return code;
}

/* ---- The walk ----------------------------------------------------------------------------------------------------- */

static status find_key(struct chrome_telling *telling, const char *text, string_id *key)
{
    *key = 0;
    return text ? strings_add_text(telling->feed->strings, text, key) : STATUS_OK;
}

static status find_keys(struct chrome_telling *telling)
{
    const struct producer *producer = telling->trace->producer;
    struct tell_keys *keys = &telling->keys;
    status code;

    if (!producer)
        return STATUS_OK;
    code = find_key(telling, producer->op.key, &keys->op);
    if (code == STATUS_OK)
        code = find_key(telling, producer->parent, &keys->parent);
    if (code == STATUS_OK)
        code = find_key(telling, producer->scope.key, &keys->scope);
    if (code == STATUS_OK)
        code = find_key(telling, producer->type, &keys->type);
    if (code == STATUS_OK)
        code = find_key(telling, producer->module, &keys->module);
    if (code == STATUS_OK)
        code = find_key(telling, producer->place, &keys->place);
    return code == STATUS_OK ? find_key(telling, producer->shapes, &keys->shapes) : code;
}

static void start_telling(struct chrome_telling *telling, struct chrome_trace *trace)
{
    *telling = (struct chrome_telling){ .trace = trace,
                                        .feed = trace->feed,
                                        .origin = trace->any && trace->first < 0 ? trace->first : 0 };
    chrome_pages_start(&telling->pages, trace->source->input);
    number_map_start(&telling->operators);
    number_map_start(&telling->place_map);
    number_map_start(&telling->told_tracks);
    column_start(&telling->places, sizeof(struct tell_place));
    column_start(&telling->given, sizeof(struct tell_given));
    column_start(&telling->alone, sizeof(struct tell_within));
    spans_start(&telling->spans, telling->feed);
}

static void free_thread(struct tell_thread *thread)
{
    for (uint32_t i = 0; i < thread->line_count; i++)
        memory_free(thread->lines[i].open);
    memory_free(thread->lines);
    memory_free(thread->begun);
    memory_free(thread->contexts);
    memory_free(thread->pending.arguments);
    memory_free(thread->pending.flows);
    memory_free(thread->next_flows);
}

static void free_telling(struct chrome_telling *telling)
{
    for (size_t i = 0; telling->threads && i < telling->trace->threads.count; i++)
        free_thread(&telling->threads[i]);
    memory_free(telling->threads);
    memory_free(telling->steps);
    memory_free(telling->flows.keys);
    memory_free(telling->flows.values);
    memory_free(telling->arguments);
    chrome_pages_free(&telling->pages);
    number_map_free(&telling->operators);
    number_map_free(&telling->place_map);
    number_map_free(&telling->told_tracks);
    column_free(&telling->places);
    column_free(&telling->given);
    column_free(&telling->alone);
    spans_free(&telling->spans);
}

status chrome_tell(struct chrome_trace *trace)
{
    struct chrome_telling telling;
    struct merging merging = { .telling = &telling };
    status code;

    start_telling(&telling, trace);
    telling.threads = memory_allocate_clear((trace->threads.count + 1) * sizeof *telling.threads);
    code = telling.threads ? find_keys(&telling) : status_no_memory("keeping threads");
    if (code == STATUS_OK)
        code = tell_announce(&telling);
    if (code == STATUS_OK)
        code = tell_all(&merging);
    for (size_t i = 0; i < trace->threads.count && code == STATUS_OK; i++)
        code = tell_finish_thread(&telling, &telling.threads[i]);
    if (code == STATUS_OK)
        code = tell_finish_spans(&telling);
    free_merging(&merging);
    free_telling(&telling);
    return code;
}
