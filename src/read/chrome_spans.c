/* chrome_spans.c: spans that belong to no thread, and counters. */
#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "read/chrome_tell.h"

/* ---- Spans -------------------------------------------------------------------------------------------------------- */

status tell_span_event(struct chrome_telling *telling, uint32_t process, uint64_t offset, int64_t time)
{
    struct chrome_event event;
    struct slice slice = { .op = NO_ID, .run = NO_ID, .start = time - telling->origin, .end = time - telling->origin };
    string_id category;
    struct span_id id;
    bool found;
    status code = chrome_pages_event(&telling->pages, offset, &event, &telling->members);

    if (code == STATUS_OK)
        code = chrome_text(&telling->trace->texts, event.name, &slice.name);
    if (code == STATUS_OK)
        code = chrome_text(&telling->trace->texts, event.category, &category);
    if (code != STATUS_OK)
        return code;
    /* Ids with a global scope are the same in all processes. */
    id = (struct span_id){ chrome_id(&event, category, 0),
                           chrome_find_member(event.id2, "global").data ? UINT64_MAX : process };
    if (event.phase == 'e') {
        code = spans_end(&telling->spans, id, slice.name, slice.start, &found);
        return code == STATUS_OK && !found ? chrome_lose(telling->trace, &loss_end_without_begin, offset) : code;
    }
    slice.run = tell_run_at(telling, process, time);
    code = spans_line(&telling->spans, process, chrome_process_at(telling->trace, process)->track, telling->clock,
                      slice.name, &slice.track);
    if (code == STATUS_OK)
        code = tell_arguments(telling, &event, offset);
    slice.arguments = telling->arguments;
    slice.argument_count = (uint32_t)telling->argument_count;
    if (code != STATUS_OK)
        return code;
    if (event.phase != 'b')
        return SINK_CALL(&telling->feed->sink, instant, &slice);
    if (!telling->trace->producer)
        code = tell_operator(telling, &(struct tell_named){ .name = slice.name, .category = category },
                             &(struct tell_within){ .op = NO_ID }, &slice.op);
    return code == STATUS_OK ? spans_begin(&telling->spans, id, &slice) : code;
}

status tell_finish_spans(struct chrome_telling *telling)
{
    uint64_t count;
    status code = spans_finish(&telling->spans, telling->trace->last - telling->origin, &count);

    losses_mark(&telling->feed->losses, &loss_begin_without_end, count);
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

status chrome_tell_values(struct chrome_telling *telling, uint32_t process, string_id name, int64_t time)
{
    status code = STATUS_OK;

    for (const struct producer_counter *counter = telling->trace->producer->counters;
         counter->name && code == STATUS_OK; counter++)
        if (chrome_fits(strings_get(telling->feed->strings, name), counter->name))
            code = tell_value(telling, process, counter, time);
    return code;
}
