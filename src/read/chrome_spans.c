/* chrome_spans.c: spans that belong to no thread, and counters. */
#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "read/chrome_tell.h"

/* ---- Spans -------------------------------------------------------------------------------------------------------- */

/* All spans of a name are on one line of their process. */
static status reach_track(struct chrome_telling *telling, uint32_t process, string_id name, track_id *track)
{
    uint32_t *known = number_map_at(&telling->span_tracks, process, name);
    struct track made = { .parent = chrome_process_at(telling->trace, process)->track,
                          .name = name,
                          .order = feed_order(&engine_span, (uint32_t)number_map_count(&telling->span_tracks)),
                          .clock = telling->clock,
                          .kind = TRACK_SLICES,
                          .engine = &engine_span,
                          .index = process };
    status code = known ? STATUS_OK : status_no_memory("keeping lines of spans");

    if (code == STATUS_OK && *known == MAP_NONE)
        code = feed_track(telling->feed, made, known);
    if (code == STATUS_OK)
        *track = *known;
    return code;
}

/* A new span inside those with the same id. */
static status push_span(struct chrome_telling *telling, uint32_t *innermost, string_id name, struct tell_span **span)
{
    uint32_t place = telling->free_span;

    if (place == NO_ID) {
        *span = column_append(&telling->spans);
        place = (uint32_t)telling->spans.count - 1;
    } else {
        *span = column_at(&telling->spans, place);
        telling->free_span = (*span)->next;
    }
    if (!*span)
        return status_no_memory("keeping spans");
    **span = (struct tell_span){ .open = NO_ID, .name = name, .next = *innermost };
    *innermost = place;
    return STATUS_OK;
}

static status begin_span(struct chrome_telling *telling, uint32_t *innermost, struct slice *slice, string_id category)
{
    const struct tell_named named = { .name = slice->name, .category = category };
    struct tell_span *span;
    status code = push_span(telling, innermost, slice->name, &span);

    if (code == STATUS_OK)
        code = feed_open(telling->feed, &span->open);
    if (code != STATUS_OK)
        return code;
    if (!telling->trace->producer)
        code = tell_operator(telling, &named, &(struct tell_within){ .op = NO_ID }, &slice->op);
    return code == STATUS_OK ? sink_begin(&telling->feed->sink, span->open, NO_ID, slice) : code;
}

static status close_span(struct chrome_telling *telling, struct tell_span *span, int64_t time)
{
    status code = sink_end(&telling->feed->sink, span->open, time);

    feed_close(telling->feed, span->open);
    span->open = NO_ID;
    return code;
}

/* Ends the innermost span of the name, or of any where the end has none. */
static status end_span(struct chrome_telling *telling, uint32_t *innermost, const struct slice *slice, uint64_t offset)
{
    uint32_t *link = innermost;
    struct tell_span *span = NULL;

    while (*link != MAP_NONE) {
        span = column_at(&telling->spans, *link);
        if (!slice->name || span->name == slice->name)
            break;
        link = &span->next;
    }
    if (*link == MAP_NONE)
        return chrome_lose(telling->trace, &loss_end_without_begin, offset);
    {
        uint32_t place = *link;

        *link = span->next;
        span->next = telling->free_span;
        telling->free_span = place;
    }
    return close_span(telling, span, slice->start);
}

status tell_span_event(struct chrome_telling *telling, uint32_t process, uint64_t offset, int64_t time)
{
    struct chrome_event event;
    struct slice slice = { .op = NO_ID, .run = NO_ID, .start = time - telling->origin, .end = time - telling->origin };
    string_id category;
    uint32_t *innermost;
    status code = chrome_pages_event(&telling->pages, offset, &event, &telling->members);

    if (code == STATUS_OK)
        code = chrome_text(&telling->trace->texts, event.name, &slice.name);
    if (code == STATUS_OK)
        code = chrome_text(&telling->trace->texts, event.category, &category);
    if (code != STATUS_OK)
        return code;
    /* Ids with a global scope are the same in all processes. */
    innermost = number_map_at(&telling->span_map, chrome_id(&event, category, 0),
                              chrome_find_member(event.id2, "global").data ? UINT64_MAX : process);
    if (!innermost)
        return status_no_memory("keeping spans");
    if (event.phase == 'e')
        return end_span(telling, innermost, &slice, offset);
    slice.run = tell_run_at(telling, process, time);
    code = reach_track(telling, process, slice.name, &slice.track);
    if (code == STATUS_OK)
        code = tell_arguments(telling, &event, offset);
    slice.arguments = telling->arguments;
    slice.argument_count = (uint32_t)telling->argument_count;
    if (code != STATUS_OK)
        return code;
    return event.phase == 'b' ? begin_span(telling, innermost, &slice, category)
                              : SINK_CALL(&telling->feed->sink, instant, &slice);
}

status tell_finish_spans(struct chrome_telling *telling)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < telling->spans.count && code == STATUS_OK; i++) {
        struct tell_span *span = column_at(&telling->spans, i);

        if (span->open == NO_ID)
            continue;
        losses_mark(&telling->feed->losses, &loss_begin_without_end, 1);
        code = close_span(telling, span, telling->trace->last - telling->origin);
    }
    return code;
}

/* ---- Counters ----------------------------------------------------------------------------------------------------- */

/* "memory used" of the process: name and key; the key that says nothing is left out. */
static status announce_series(struct chrome_telling *telling, struct chrome_series *series)
{
    struct strings *strings = telling->feed->strings;
    struct track track = { .parent = chrome_process_at(telling->trace, series->process)->track,
                           .name = series->name,
                           .order = feed_order(&engine_counter, telling->feed->tracks),
                           .clock = telling->clock,
                           .kind = TRACK_COUNTER,
                           .engine = &engine_counter,
                           .decimal = series->decimal };
    status code = STATUS_OK;

    if (!text_is(strings_get(strings, series->key), "value") || !series->name)
        code = strings_add_format(strings, &track.name, "%s%s%s", strings_text(strings, series->name),
                                  series->name ? " " : "", strings_text(strings, series->key));
    return code == STATUS_OK ? feed_track(telling->feed, track, &series->track) : code;
}

status tell_counter_event(struct chrome_telling *telling, uint32_t process, uint64_t offset, int64_t time)
{
    struct chrome_trace *trace = telling->trace;
    struct chrome_event event;
    string_id name, key;
    status code = chrome_pages_event(&telling->pages, offset, &event, &telling->members);

    if (code == STATUS_OK)
        code = chrome_text(&trace->texts, event.name, &name);
    for (uint32_t i = 0; code == STATUS_OK && i < telling->members.count; i++) {
        const struct chrome_member *member = &telling->members.items[i];
        struct chrome_series *series;
        bool decimal;
        int64_t integer;
        double number;

        if (!chrome_counter_value(member, &decimal, &integer, &number))
            continue;
        code = chrome_text(&trace->texts, member->key, &key);
        if (code == STATUS_OK)
            code = chrome_find_series(trace, process, name, key, &series);
        if (code == STATUS_OK && series->track == NO_ID)
            code = announce_series(telling, series);
        if (code == STATUS_OK)
            code = SINK_CALL(&telling->feed->sink, counter, series->track, time - telling->origin,
                             series->decimal ? counter_of_decimal(number) : integer);
    }
    return code;
}

/* The line of a counter that instants tell. */
static status reach_told(struct chrome_telling *telling, uint32_t process, const struct producer_counter *counter,
                         string_id apart, track_id *id)
{
    struct strings *strings = telling->feed->strings;
    uint64_t number = (uint64_t)(counter - telling->trace->producer->counters);
    uint32_t *known = number_map_at(&telling->told_tracks, process, number << 32 | apart);
    struct track track = { .parent = chrome_process_at(telling->trace, process)->track,
                           .order = feed_order(&engine_counter, telling->feed->tracks),
                           .clock = telling->clock,
                           .kind = TRACK_COUNTER,
                           .engine = &engine_counter,
                           .unit = counter->unit };
    status code = known ? STATUS_OK : status_no_memory("keeping a counter");

    if (code == STATUS_OK && *known == MAP_NONE) {
        code = strings_add_format(strings, &track.name, "%s%s%s", counter->title, apart ? " " : "",
                                  strings_text(strings, apart));
        if (code == STATUS_OK)
            code = feed_track(telling->feed, track, known);
    }
    if (code == STATUS_OK)
        *id = *known;
    return code;
}

static status tell_value(struct chrome_telling *telling, uint32_t process, const struct producer_counter *counter,
                         int64_t time)
{
    string_id key = 0, by = 0, apart = 0;
    const struct argument *value;
    track_id track;
    status code = strings_add_text(telling->feed->strings, counter->key, &key);

    if (code == STATUS_OK && counter->by)
        code = strings_add_text(telling->feed->strings, counter->by, &by);
    if (code == STATUS_OK)
        code = tell_argument_text(telling, by, &apart);
    value = argument_find(telling->arguments, (uint32_t)telling->argument_count, key);
    if (code != STATUS_OK || !value || value->type != ARGUMENT_INTEGER)
        return code;
    code = reach_told(telling, process, counter, apart, &track);
    return code == STATUS_OK ? SINK_CALL(&telling->feed->sink, counter, track, time - telling->origin, value->integer)
                             : code;
}

status tell_values(struct chrome_telling *telling, uint32_t process, string_id name, int64_t time)
{
    status code = STATUS_OK;

    for (const struct producer_counter *counter = telling->trace->producer->counters;
         counter->name && code == STATUS_OK; counter++)
        if (chrome_fits(strings_get(telling->feed->strings, name), counter->name))
            code = tell_value(telling, process, counter, time);
    return code;
}
