/* spans.c: open spans by id, and their lines. */
#include "read/spans.h"

#include <assert.h>

/* A span that began and did not end. */
struct span {
    open_id open;   /* of the feed; NO_ID: it is free */
    string_id name; /* of it */
    int64_t start;  /* ticks */
    uint32_t next;  /* around it, with the same id; MAP_NONE: none. Of a free one: the next that is free */
};

void spans_start(struct spans *spans, struct feed *feed)
{
    *spans = (struct spans){ .feed = feed, .free = NO_ID };
    column_start(&spans->list, sizeof(struct span));
    number_map_start(&spans->open);
    number_map_start(&spans->tracks);
}

void spans_free(struct spans *spans)
{
    column_free(&spans->list);
    number_map_free(&spans->open);
    number_map_free(&spans->tracks);
}

status spans_line(struct spans *spans, uint64_t process, track_id parent, clock_id clock, string_id name,
                  track_id *track)
{
    uint32_t *known = number_map_at(&spans->tracks, process, name);
    struct track made = { .parent = parent,
                          .name = name,
                          .order = feed_order(&engine_span, (uint32_t)number_map_count(&spans->tracks)),
                          .clock = clock,
                          .kind = TRACK_SLICES,
                          .engine = &engine_span,
                          .index = (uint32_t)process };
    status code = known ? STATUS_OK : status_no_memory("keeping lines of spans");

    if (code == STATUS_OK && *known == MAP_NONE)
        code = feed_track(spans->feed, made, known);
    if (code == STATUS_OK)
        *track = *known;
    return code;
}

/* A new one inside `*innermost`. */
static status push(struct spans *spans, uint32_t *innermost, const struct slice *slice, struct span **span)
{
    uint32_t place = spans->free;

    if (place == NO_ID) {
        *span = column_append(&spans->list);
        place = (uint32_t)spans->list.count - 1;
    } else {
        *span = column_at(&spans->list, place);
        spans->free = (*span)->next;
    }
    if (!*span)
        return status_no_memory("keeping spans");
    **span = (struct span){ .open = NO_ID, .name = slice->name, .start = slice->start, .next = *innermost };
    *innermost = place;
    return STATUS_OK;
}

status spans_begin(struct spans *spans, struct span_id id, const struct slice *slice)
{
    uint32_t *innermost = number_map_at(&spans->open, id.id, id.scope);
    struct span *span;
    status code = innermost ? push(spans, innermost, slice, &span) : status_no_memory("keeping spans");

    if (code == STATUS_OK)
        code = feed_open(spans->feed, &span->open);
    return code == STATUS_OK ? sink_begin(&spans->feed->sink, span->open, NO_ID, slice) : code;
}

static status close_span(struct spans *spans, struct span *span, int64_t time)
{
    status code = sink_end(&spans->feed->sink, span->open, time > span->start ? time : span->start);

    feed_close(spans->feed, span->open);
    span->open = NO_ID;
    return code;
}

status spans_end(struct spans *spans, struct span_id id, string_id name, int64_t time, bool *found)
{
    uint32_t *link = number_map_at(&spans->open, id.id, id.scope);
    struct span *span = NULL;
    uint32_t place;

    if (!link)
        return status_no_memory("keeping spans");
    while (*link != MAP_NONE) {
        span = column_at(&spans->list, *link);
        if (!name || span->name == name)
            break;
        link = &span->next;
    }
    *found = *link != MAP_NONE;
    if (!*found)
        return STATUS_OK;
    assert(span && span->open != NO_ID && "a span that ends has begun");
    place = *link;
    *link = span->next;
    span->next = spans->free;
    spans->free = place;
    return close_span(spans, span, time);
}

status spans_finish(struct spans *spans, int64_t time, uint64_t *count)
{
    status code = STATUS_OK;

    *count = 0;
    for (size_t i = 0; i < spans->list.count && code == STATUS_OK; i++) {
        struct span *span = column_at(&spans->list, i);

        if (span->open == NO_ID)
            continue;
        ++*count;
        code = close_span(spans, span, time);
    }
    return code;
}
