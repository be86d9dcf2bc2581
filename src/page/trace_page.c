/* trace_page.c: the page of a trace, as a sink. */
#include <assert.h>
#include <stdio.h>

#include "base/memory.h"
#include "page/html.h"
#include "page/trace_page_parts.h"
#include "table/json.h"
#include "table/printer.h"

#define KIND "Timeline: " /* of pages, as their titles say it */

/* ---- What a slice carries ---- */

static uint64_t zigzag(int64_t value)
{
    return (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0);
}

/* Numbers of types as a page has them. */
static const unsigned char types[] = {
    [ARGUMENT_TEXT] = 0,    [ARGUMENT_INTEGER] = 1, [ARGUMENT_UNSIGNED] = 2, [ARGUMENT_DECIMAL] = 3,
    [ARGUMENT_BOOLEAN] = 4, [ARGUMENT_POINTER] = 5, [ARGUMENT_JSON] = 6,
};

static status put_argument(struct trace_page *page, const struct argument *argument)
{
    struct page_bytes *bytes = &page->pending_arguments;
    bool is_text = argument->type == ARGUMENT_TEXT || argument->type == ARGUMENT_JSON;
    uint32_t key = 0, text = 0;
    unsigned char *to;
    status code = page_text(&page->texts, argument->key, &key);

    if (code == STATUS_OK && is_text)
        code = page_text(&page->texts, argument->text, &text);
    if (code == STATUS_OK)
        code = page_bytes_room(bytes, 3 * PAGE_VARINT);
    if (code != STATUS_OK)
        return code;
    to = page_varint(bytes->data + bytes->count, key);
    *to++ = types[argument->type];
    switch ((enum argument_type)argument->type) {
    case ARGUMENT_INTEGER:
        to = page_varint(to, zigzag(argument->integer));
        break;
    case ARGUMENT_UNSIGNED:
    case ARGUMENT_POINTER:
        to = page_varint(to, argument->natural);
        break;
    case ARGUMENT_DECIMAL:
        to = page_decimal(to, argument->decimal);
        break;
    case ARGUMENT_BOOLEAN:
        *to++ = argument->boolean;
        break;
    case ARGUMENT_TEXT:
    case ARGUMENT_JSON:
        to = page_varint(to, text);
        break;
    }
    bytes->count = (size_t)(to - bytes->data);
    return STATUS_OK;
}

/* As in other viewers: what is there for joins alone is not shown, nor what an enclosing slice shows. */
static bool is_shown(const struct argument *argument, bool inside)
{
    return !(argument->flags & ARGUMENT_HIDDEN) && !(inside && argument->flags & ARGUMENT_OUTER);
}

static status put_arguments(struct trace_page *page, const struct slice *slice, bool inside)
{
    struct page_bytes *bytes = &page->pending_arguments;
    uint32_t shown = 0;
    status code;

    for (uint32_t i = 0; i < slice->argument_count; i++)
        shown += is_shown(&slice->arguments[i], inside);
    bytes->count = 0;
    if (!shown && slice->run == NO_ID && !slice_flow_count(slice))
        return STATUS_OK;
    code = page_bytes_number(bytes, shown);
    for (uint32_t i = 0; i < slice->argument_count && code == STATUS_OK; i++)
        if (is_shown(&slice->arguments[i], inside))
            code = put_argument(page, &slice->arguments[i]);
    if (code == STATUS_OK)
        code = page_bytes_number(bytes, slice->run == NO_ID ? 0 : (uint64_t)slice->run + 1);
    if (code == STATUS_OK)
        code = page_bytes_number(bytes, slice_flow_count(slice));
    for (uint32_t i = 0; i < slice_flow_count(slice) && code == STATUS_OK; i++)
        code = page_bytes_number(bytes, slice_flow(slice, i));
    return code;
}

/* What lanes hand on with a slice. */
static status prepare(struct trace_page *page, const struct slice *slice, bool inside)
{
    const struct announced_track *track = announced_track(&page->announced, slice->track);
    uint32_t flows = page->arguments ? slice_flow_count(slice) : 0;
    status code = page_label_find(&page->labels, slice->name, announced_operator(&page->announced, slice->op),
                                  track->track.engine, &page->pending.label);

    if (code == STATUS_OK && page->arguments)
        code = put_arguments(page, slice, inside);
    if (code == STATUS_OK && page->pending_arguments.count > UINT32_MAX)
        code = status_fail(STATUS_INPUT, "a slice has more arguments than a page can hold");
    if (code == STATUS_OK && flows)
        code = memory_grow(&page->pending_flows, &page->pending_flow_capacity, flows, sizeof *page->pending_flows);
    if (code != STATUS_OK)
        return code;
    for (uint32_t i = 0; i < flows; i++)
        page->pending_flows[i] = slice_flow(slice, i);
    page->pending.arguments = page->pending_arguments.data;
    page->pending.size = (uint32_t)page->pending_arguments.count;
    page->pending.flows = page->pending_flows;
    page->pending.flow_count = flows;
    return STATUS_OK;
}

/* ---- The sink ---- */

static status on_track(void *self, const struct track *track)
{
    struct trace_page *page = self;
    size_t had = page->track_capacity;
    status code = announced_add_track(self, track);

    if (code == STATUS_OK)
        code = memory_grow_clear(&page->tracks, &page->track_capacity, (size_t)track->id + 1, sizeof *page->tracks);
    for (size_t i = had; i < page->track_capacity && code == STATUS_OK; i++)
        page->tracks[i].latest = INT64_MIN;
    return code;
}

static int64_t visible_ns(const struct announced_track *track, int64_t ticks)
{
    return announced_visible(clock_ns(track->clock, ticks));
}

/* Of a slice whose ends are both known, or an instant: what it carries is ready, and `*track` is where it stands. */
static status take_whole(struct trace_page *page, const struct slice *slice, const struct announced_track **track)
{
    status code = announced_check(&page->announced, slice->track);

    if (code == STATUS_OK)
        code = prepare(page, slice, false);
    if (code == STATUS_OK)
        *track = announced_track(&page->announced, slice->track);
    return code;
}

static status on_slice(void *self, const struct slice *slice)
{
    struct trace_page *page = self;
    const struct announced_track *track;
    status code = take_whole(page, slice, &track);

    if (code != STATUS_OK)
        return code;
    return page_lines_slice(page, track->line, slice, visible_ns(track, slice->start), visible_ns(track, slice->end));
}

static status on_begin(void *self, open_id id, open_id parent, const struct slice *slice)
{
    struct trace_page *page = self;
    status code = announced_check(&page->announced, slice->track);
    const struct announced_track *track;

    if (code == STATUS_OK)
        code = announced_open(&page->announced, id, slice->track);
    if (code == STATUS_OK)
        code = prepare(page, slice, parent != NO_ID);
    if (code != STATUS_OK)
        return code;
    track = announced_track(&page->announced, slice->track);
    return lanes_begin(page->ordered.lanes, track->line, id, parent, slice, visible_ns(track, slice->start));
}

static status on_end(void *self, open_id id, int64_t time)
{
    struct trace_page *page = self;
    status code = announced_check_open(&page->announced, id);

    if (code == STATUS_OK && lanes_lane_of(page->ordered.lanes, id) == NO_ID)
        code = announced_unknown(NO_ID);
    if (code != STATUS_OK)
        return code;
    return lanes_end(page->ordered.lanes, id,
                     visible_ns(announced_track(&page->announced, announced_track_of(&page->announced, id)), time));
}

static status on_instant(void *self, const struct slice *slice)
{
    struct trace_page *page = self;
    const struct announced_track *track;
    status code = take_whole(page, slice, &track);

    if (code != STATUS_OK)
        return code;
    return page_lines_instant(page, track->line, visible_ns(track, slice->start));
}

static status on_counter(void *self, track_id id, int64_t time, int64_t value)
{
    struct trace_page *page = self;
    status code = announced_check(&page->announced, id);
    const struct announced_track *track;

    if (code != STATUS_OK)
        return code;
    track = announced_track(&page->announced, id);
    return page_lines_value(page, id, visible_ns(track, time),
                            track->track.decimal ? counter_decimal(value) : (double)value);
}

static status on_run(void *self, const struct run *run)
{
    struct trace_page *page = self;
    const struct clock nanoseconds = clock_nanoseconds(0);
    const struct clock *clock =
        run->clock < page->announced.clocks.count ? column_at(&page->announced.clocks, run->clock) : &nanoseconds;
    struct page_run *place;

    assert(run->id == page->runs.count && "ids of runs are dense");
    place = column_append(&page->runs);
    if (!place)
        return status_no_memory("remembering a run");
    *place = (struct page_run){ .start = announced_visible(clock_ns(clock, run->start)),
                                .end = announced_visible(clock_ns(clock, run->end)),
                                .launch = run->launch,
                                .index = run->index };
    return STATUS_OK;
}

static status on_places(void *self, const struct place_map *map)
{
    return page_map_keep(self, map);
}

static status on_loss(void *self, const struct losses *losses)
{
    ((struct trace_page *)self)->lost += losses->lost;
    return STATUS_OK;
}

static status on_finish(void *self)
{
    struct trace_page *page = self;
    status code = page_lines_finish(page);

    page->finished = true;
    return code == STATUS_OK ? page_head_write(page) : code;
}

static const struct sink_calls calls = {
    .clock = announced_add_clock,
    .track = on_track,
    .op = announced_add_operator,
    .run = on_run,
    .slice = on_slice,
    .begin = on_begin,
    .end = on_end,
    .instant = on_instant,
    .counter = on_counter,
    .places = on_places,
    .loss = on_loss,
    .finish = on_finish,
};

/* ---- What stands beside the trace ---- */

static void separate(struct output *output, bool *any)
{
    if (*any)
        output_write(output, ",\n", 2);
    *any = true;
}

static status add_note(void *self, const char *input, const char *text)
{
    struct trace_page *page = self;
    string_id note;
    status code = strings_add_format(page->strings, &note, "%s%s%s", input ? input : "", input ? ": " : "", text);

    if (code != STATUS_OK)
        return code;
    separate(page->notes, &page->any_note);
    json_write_text(page->notes, strings_text(page->strings, note));
    return output_status(page->notes);
}

static status add_table(void *self, const struct table *table)
{
    struct trace_page *page = self;

    separate(page->tables, &page->any_table);
    printer_write(&json_printer, page->tables, table, NULL);
    return output_status(page->tables);
}

/* One that was announced, or one more. Those come in the order of the announced ones as a rule, so the search goes on where the last ended. */
static status add_run(void *self, const struct writer_run *run)
{
    struct trace_page *page = self;
    struct page_run *place;

    for (size_t i = 0; i < page->runs.count; i++) {
        page->next_run = page->next_run < page->runs.count ? page->next_run : 0;
        place = column_at(&page->runs, page->next_run++);
        if (place->launch == run->launch && place->index == run->index && !place->known &&
            place->start == announced_visible(run->start)) {
            place->known = true;
            place->counted = run->counted;
            return STATUS_OK;
        }
    }
    place = column_append(&page->found);
    if (!place)
        return status_no_memory("remembering a run");
    *place = (struct page_run){ .start = announced_visible(run->start),
                                .end = announced_visible(run->end),
                                .launch = run->launch,
                                .index = run->index,
                                .known = true,
                                .counted = run->counted };
    return STATUS_OK;
}

static const struct writer_beside beside = { .note = add_note, .run = add_run, .table = add_table };

/* ---- While it grows ---- */

void *page_target_of(const struct writer *writer)
{
    return ((const struct trace_page *)writer->self)->target.self;
}

status page_publish(struct writer *writer, int64_t until, int64_t forget)
{
    struct trace_page *page = writer->self;
    status code = lanes_advance(page->ordered.lanes, until);

    if (code == STATUS_OK)
        code = page_rows_flush(&page->rows);
    if (code != STATUS_OK)
        return code;
    page_rows_forget(&page->rows, forget);
    return page_head_write(page);
}

/* ---- The format ---- */

static void free_page(void *self)
{
    struct trace_page *page = self;

    page_lines_free(&page->ordered);
    page_lines_free(&page->late);
    page_rows_free(&page->rows);
    page_labels_free(&page->labels);
    page_texts_free(&page->texts);
    announced_free(&page->announced);
    memory_free(page->tracks);
    page_bytes_free(&page->pending_arguments);
    memory_free(page->pending_flows);
    memory_free(page->held);
    arena_free(&page->kept);
    memory_free(page->values);
    column_free(&page->runs);
    column_free(&page->found);
    column_free(&page->maps);
    arena_free(&page->map_texts);
    output_abandon(page->notes);
    output_abandon(page->tables);
    memory_free(page->heading);
    page->target.calls->free(page->target.self);
    memory_free(page);
}

static uint64_t count_events(const void *self)
{
    const struct trace_page *page = self;

    return 2 * page->rows.slices + page->rows.instants;
}

static status start_parts(struct trace_page *page)
{
    status code;

    announced_start(&page->announced);
    column_start(&page->runs, sizeof(struct page_run));
    column_start(&page->found, sizeof(struct page_run));
    column_start(&page->maps, sizeof(struct place_map));
    page_labels_start(&page->labels);
    page_rows_start(&page->rows, &page->target, &page->labels);
    code = page_texts_start(&page->texts, page->strings);
    if (code == STATUS_OK)
        code = page_lines_start(&page->ordered, page, false);
    if (code == STATUS_OK)
        code = page_lines_start(&page->late, page, true);
    if (code == STATUS_OK)
        code = output_open_memory(&page->notes);
    return code == STATUS_OK ? output_open_memory(&page->tables) : code;
}

status page_heading(const struct writer_options *options, char **heading)
{
    const char *first = options->input_count ? options->inputs[0] : "trace";
    size_t others = options->input_count > 1 ? options->input_count - 1 : 0;
    size_t size = strlen(first) + sizeof KIND + 40;

    *heading = memory_allocate(size);
    if (!*heading)
        return status_no_memory("preparing a page");
    if (others)
        snprintf(*heading, size, KIND "%s and %zu more", first, others);
    else
        snprintf(*heading, size, KIND "%s", first);
    return STATUS_OK;
}

status page_open(const struct page_target *target, struct strings *strings, const struct writer_options *options,
                 struct writer *writer)
{
    struct trace_page *page = memory_allocate_clear(sizeof *page);
    status code;

    if (!page) {
        target->calls->free(target->self);
        return status_no_memory("preparing a page");
    }
    page->target = *target;
    page->strings = strings;
    page->arguments = options->arguments;
    code = start_parts(page);
    if (code == STATUS_OK)
        code = page_heading(options, &page->heading);
    if (code != STATUS_OK) {
        free_page(page);
        return code;
    }
    page->title = page->heading + strlen(KIND);
    *writer = (struct writer){
        .sink = { &calls, page },
        .self = page,
        .free = free_page,
        .events = count_events,
        .beside = &beside,
    };
    return STATUS_OK;
}

static status open_html(struct output *output, struct strings *strings, const struct writer_options *options,
                        struct writer *writer)
{
    struct page_target target;
    char *heading;
    status code;

    if (!html_has_script())
        return status_fail(STATUS_USAGE, HTML_WITHOUT_SCRIPT);
    code = page_heading(options, &heading);
    if (code != STATUS_OK)
        return code;
    code = page_html_new(output, heading, options->front, &target);
    memory_free(heading);
    return code == STATUS_OK ? page_open(&target, strings, options, writer) : code;
}

static const char *const suffixes[] = { ".html", NULL };

const struct writer_format page_format = {
    .id = "page",
    .title = "timeline page",
    .suffixes = suffixes,
    .drawn = true,
    .open = open_html,
};
