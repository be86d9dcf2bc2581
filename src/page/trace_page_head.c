/* trace_page_head.c: what a page is told last: the order of its tracks and rows, the index of chunks, the flows, and the head. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json_write.h"
#include "base/memory.h"
#include "page/trace_page_parts.h"
#include "version.h"

enum { FORMAT_VERSION = 1 };

#define EXACT ((int64_t)1 << 53) /* numbers below are exact in a browser */

/* A track among its siblings. */
struct sibling {
    track_id parent; /* NO_ID: top level */
    int32_t order;   /* as announced */
    track_id id;     /* of the track */
};

/* Where a row stands. */
struct row_key {
    uint32_t position;       /* of its track */
    enum page_row_kind kind; /* slices first */
    bool late;               /* behind what came in time */
    uint32_t lane, depth;    /* then by these */
    uint32_t row;            /* as it was made */
};

struct head {
    struct trace_page *page;                       /* borrowed */
    struct sibling *siblings;                      /* tracks that are shown, by parent and order; owned */
    size_t sibling_count;                          /* of siblings */
    track_id *shown;                               /* the same in the order of the page; owned */
    size_t shown_count;                            /* of shown */
    uint32_t *positions;                           /* in `shown` by track id; NO_ID: it is not shown; owned */
    struct row_key *rows;                          /* in the order of the page; owned */
    uint32_t *row_numbers;                         /* in `rows` by row id; owned */
    uint32_t *first_rows;                          /* of the track at a position, with one more at the end; owned */
    int64_t begin, end;                            /* ns of all */
    int64_t origin;                                /* what times in the head are relative to */
    struct page_place labels, texts, index, flows; /* blocks */
};

static void free_head(struct head *head)
{
    memory_free(head->siblings);
    memory_free(head->shown);
    memory_free(head->positions);
    memory_free(head->rows);
    memory_free(head->row_numbers);
    memory_free(head->first_rows);
}

static const struct track *track_of(const struct head *head, track_id id)
{
    return &announced_track(&head->page->announced, id)->track;
}

/* ---- The order of tracks ---- */

/* The track that one stands in: one that is drawn on the line of another has none of its own. */
static track_id parent_of(const struct head *head, track_id id)
{
    track_id parent = track_of(head, id)->parent;

    return parent < head->page->announced.tracks.count ? announced_track(&head->page->announced, parent)->line : NO_ID;
}

static int by_parent_and_order(const void *a, const void *b)
{
    const struct sibling *one = a, *other = b;

    if (one->parent != other->parent)
        return one->parent < other->parent ? -1 : 1;
    if (one->order != other->order)
        return one->order < other->order ? -1 : 1;
    return one->id < other->id ? -1 : 1;
}

static size_t first_child(const struct head *head, track_id parent)
{
    size_t low = 0, high = head->sibling_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (head->siblings[middle].parent < parent)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Every track behind the one that it stands in, and before that one's next sibling. Parents have smaller ids than their children, so the
 * way back up ends. `stack` has room for all tracks. */
static void walk(struct head *head, size_t *stack)
{
    size_t depth = 0;
    track_id parent = NO_ID;

    stack[0] = first_child(head, parent);
    for (;;) {
        const struct sibling *next = &head->siblings[stack[depth]];

        if (stack[depth] < head->sibling_count && next->parent == parent) {
            head->positions[next->id] = (uint32_t)head->shown_count;
            head->shown[head->shown_count++] = next->id;
            stack[depth]++;
            stack[++depth] = first_child(head, next->id);
            parent = next->id;
        } else if (depth) {
            parent = parent_of(head, parent);
            depth--;
        } else {
            break;
        }
    }
    assert(head->shown_count == head->sibling_count);
}

/* Tracks that have a row, or one in them that has. */
static void find_shown(struct head *head, size_t count)
{
    const struct page_rows *rows = &head->page->rows;

    for (size_t i = 0; i < count; i++)
        head->positions[i] = NO_ID;
    for (uint32_t i = 0; i < rows->items.count; i++)
        for (track_id id = page_row(rows, i)->track; id != NO_ID && head->positions[id] == NO_ID;
             id = parent_of(head, id))
            head->positions[id] = 0;
    for (track_id id = 0; id < count; id++)
        if (head->positions[id] != NO_ID)
            head->siblings[head->sibling_count++] =
                (struct sibling){ .parent = parent_of(head, id), .order = track_of(head, id)->order, .id = id };
}

static status order_tracks(struct head *head)
{
    size_t count = head->page->announced.tracks.count;
    size_t *stack = memory_allocate((count + 2) * sizeof *stack);

    head->siblings = memory_allocate((count + 1) * sizeof *head->siblings);
    head->shown = memory_allocate((count + 1) * sizeof *head->shown);
    head->positions = memory_allocate((count + 1) * sizeof *head->positions);
    if (!stack || !head->siblings || !head->shown || !head->positions) {
        memory_free(stack);
        return status_no_memory("ordering tracks");
    }
    find_shown(head, count);
    qsort(head->siblings, head->sibling_count, sizeof *head->siblings, by_parent_and_order);
    walk(head, stack);
    memory_free(stack);
    return STATUS_OK;
}

/* ---- The order of rows ---- */

static int by_place(const void *a, const void *b)
{
    const struct row_key *one = a, *other = b;
    const uint32_t keys[][2] = {
        { one->position, other->position }, { one->kind, other->kind },   { one->late, other->late },
        { one->lane, other->lane },         { one->depth, other->depth }, { one->row, other->row },
    };

    for (unsigned i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

static status order_rows(struct head *head)
{
    const struct page_rows *rows = &head->page->rows;
    size_t count = rows->items.count, at = 0;

    head->rows = memory_allocate((count + 1) * sizeof *head->rows);
    head->row_numbers = memory_allocate((count + 1) * sizeof *head->row_numbers);
    head->first_rows = memory_allocate((head->shown_count + 1) * sizeof *head->first_rows);
    if (!head->rows || !head->row_numbers || !head->first_rows)
        return status_no_memory("ordering rows");
    for (uint32_t i = 0; i < count; i++) {
        const struct page_row *row = page_row(rows, i);

        head->rows[i] = (struct row_key){ .position = head->positions[row->track],
                                          .kind = row->kind,
                                          .late = row->late,
                                          .lane = row->lane,
                                          .depth = row->depth,
                                          .row = i };
    }
    qsort(head->rows, count, sizeof *head->rows, by_place);
    for (uint32_t position = 0; position < head->shown_count; position++) {
        head->first_rows[position] = (uint32_t)at;
        while (at < count && head->rows[at].position == position) {
            head->row_numbers[head->rows[at].row] = (uint32_t)at;
            at++;
        }
    }
    assert(at == count);
    head->first_rows[head->shown_count] = (uint32_t)count;
    return STATUS_OK;
}

static void find_span(struct head *head)
{
    const struct page_rows *rows = &head->page->rows;

    head->begin = INT64_MAX;
    head->end = INT64_MIN;
    for (uint32_t i = 0; i < rows->items.count; i++) {
        const struct page_row *row = page_row(rows, i);

        if (!row->chunk_count)
            continue;
        head->begin = row->begins < head->begin ? row->begins : head->begin;
        head->end = row->reaches > head->end ? row->reaches : head->end;
    }
    if (head->begin > head->end)
        head->begin = head->end = 0;
    if (!head->page->placed)
        head->page->origin = head->end >= EXACT ? head->begin : 0;
    head->page->placed = head->page->placed || head->begin < head->end;
    head->origin = head->page->origin;
}

/* ---- Blocks ---- */

static unsigned char *put_place(unsigned char *to, const struct page_place *place)
{
    to = page_varint(to, place->element);
    to = page_varint(to, place->offset);
    return page_varint(to, place->length);
}

static status put_row(const struct head *head, const struct page_row *row, struct page_bytes *bytes)
{
    int64_t before = head->begin;
    status code = page_bytes_room(bytes, (4 + (size_t)row->chunk_count * 12) * PAGE_VARINT);
    unsigned char *to;

    if (code != STATUS_OK)
        return code;
    to = page_varint(bytes->data + bytes->count, head->positions[row->track]);
    to = page_varint(to, row->depth);
    to = page_varint(to, row->kind);
    to = page_varint(to, row->chunk_count);
    for (uint32_t id = row->first_chunk; id != NO_ID; id = page_chunk(&head->page->rows, id)->next) {
        const struct page_chunk *chunk = page_chunk(&head->page->rows, id);

        to = page_varint(to, chunk->count);
        to = page_varint(to, (uint64_t)chunk->start - (uint64_t)before);
        to = page_varint(to, (uint64_t)chunk->end - (uint64_t)chunk->start);
        to = page_varint(to, (uint64_t)chunk->busy);
        if (row->kind == PAGE_ROW_VALUES) {
            to = page_decimal(to, chunk->lowest);
            to = page_decimal(to, chunk->highest);
        }
        to = put_place(to, &chunk->slices);
        to = put_place(to, &chunk->arguments);
        before = chunk->end;
    }
    bytes->count = (size_t)(to - bytes->data);
    return STATUS_OK;
}

static status put_index(struct head *head, struct page_bytes *bytes)
{
    size_t count = head->page->rows.items.count;
    status code = page_bytes_number(bytes, count);

    for (size_t i = 0; i < count && code == STATUS_OK; i++)
        code = put_row(head, page_row(&head->page->rows, head->rows[i].row), bytes);
    return code;
}

static int by_flow_and_start(const void *a, const void *b)
{
    const struct page_flow_end *one = a, *other = b;

    if (one->flow != other->flow)
        return one->flow < other->flow ? -1 : 1;
    if (one->start != other->start)
        return one->start < other->start ? -1 : 1;
    if (one->row != other->row)
        return one->row < other->row ? -1 : 1;
    return one->slice < other->slice ? -1 : one->slice > other->slice;
}

static status put_flow_ends(const struct page_flow_end *ends, size_t count, struct page_bytes *bytes)
{
    size_t flows = 0;
    uint32_t before = 0;
    status code;

    for (size_t i = 0; i < count; i++)
        flows += !i || ends[i].flow != ends[i - 1].flow;
    code = page_bytes_number(bytes, flows);
    for (size_t first = 0, next; first < count && code == STATUS_OK; first = next) {
        for (next = first + 1; next < count && ends[next].flow == ends[first].flow;)
            next++;
        code = page_bytes_number(bytes, ends[first].flow - before);
        before = ends[first].flow;
        if (code == STATUS_OK)
            code = page_bytes_number(bytes, next - first);
        for (size_t i = first; i < next && code == STATUS_OK; i++) {
            code = page_bytes_number(bytes, ends[i].row);
            if (code == STATUS_OK)
                code = page_bytes_number(bytes, ends[i].slice);
        }
    }
    return code;
}

static status put_flows(struct head *head, struct page_bytes *bytes)
{
    const struct column *flows = &head->page->rows.flows;
    struct page_flow_end *ends = memory_allocate((flows->count + 1) * sizeof *ends);
    status code;

    if (!ends)
        return status_no_memory("sorting flows");
    for (size_t i = 0; i < flows->count; i++) {
        ends[i] = *(const struct page_flow_end *)column_at(flows, i);
        ends[i].slice -= page_row(&head->page->rows, ends[i].row)->forgotten;
        ends[i].row = head->row_numbers[ends[i].row];
    }
    qsort(ends, flows->count, sizeof *ends, by_flow_and_start);
    code = put_flow_ends(ends, flows->count, bytes);
    memory_free(ends);
    return code;
}

static status write_block(struct head *head, struct page_bytes *bytes, status code, struct page_place *place)
{
    if (code == STATUS_OK)
        code = head->page->target.calls->block(head->page->target.self, bytes->data, bytes->count, place);
    bytes->count = 0;
    return code;
}

/* Labels bring texts, so texts come last. */
static status write_blocks(struct head *head)
{
    struct trace_page *page = head->page;
    struct page_bytes bytes = { 0 };
    status code = write_block(head, &bytes, put_index(head, &bytes), &head->index);

    if (code == STATUS_OK && page->rows.flows.count)
        code = write_block(head, &bytes, put_flows(head, &bytes), &head->flows);
    if (code == STATUS_OK)
        code = write_block(head, &bytes, page_labels_write(&page->labels, &page->texts, &bytes), &head->labels);
    if (code == STATUS_OK)
        code = write_block(head, &bytes, page_texts_write(&page->texts, &bytes), &head->texts);
    page_bytes_free(&bytes);
    return code;
}

/* ---- The head ---- */

static void write_pool_text(struct head *head, struct json_out *out, const char *key, string_id id)
{
    json_out_string(out, key, strings_get(head->page->strings, id));
}

static void write_track(struct head *head, struct json_out *out, uint32_t position)
{
    track_id id = head->shown[position];
    const struct track *track = track_of(head, id);
    track_id parent = parent_of(head, id);
    uint32_t rows = head->first_rows[position + 1] - head->first_rows[position];
    const char *about = track->description ? track->description : track->engine ? track->engine->description : NULL;

    json_out_object(out, NULL, JSON_TIGHT);
    write_pool_text(head, out, "name", track->name);
    json_out_integer(out, "parent", parent == NO_ID ? -1 : (int64_t)head->positions[parent]);
    json_out_text(out, "kind", !rows ? "group" : track->kind == TRACK_COUNTER ? "counter" : "slices");
    if (track->unit)
        json_out_text(out, "unit", track->unit);
    if (rows) {
        json_out_array(out, "rows", JSON_TIGHT);
        json_out_unsigned(out, NULL, head->first_rows[position]);
        json_out_unsigned(out, NULL, rows);
        json_out_end(out);
    }
    if (track->engine)
        json_out_text(out, "engine", track->engine->title);
    if (about)
        json_out_text(out, "description", about);
    if (engine_group(track->engine) == GROUP_DRAWN)
        json_out_truth(out, "drawn", true);
    json_out_end(out);
}

static void write_place(struct json_out *out, const char *key, const struct page_place *place)
{
    if (!place->length) {
        json_out_null(out, key);
        return;
    }
    json_out_array(out, key, JSON_TIGHT);
    json_out_unsigned(out, NULL, place->element);
    json_out_unsigned(out, NULL, place->offset);
    json_out_unsigned(out, NULL, place->length);
    json_out_end(out);
}

/* Counted from 1, as reports count them. What follows a piece of the same run is another piece of it. */
static void write_run(struct head *head, struct json_out *out, const struct page_run *run,
                      const struct page_run *before, bool launches)
{
    char name[64];

    if (launches)
        snprintf(name, sizeof name, "launch %" PRIu64 ", run %" PRIu64, (uint64_t)run->launch + 1,
                 (uint64_t)run->index + 1);
    else
        snprintf(name, sizeof name, "run %" PRIu64, (uint64_t)run->index + 1);
    json_out_object(out, NULL, JSON_TIGHT);
    json_out_integer(out, "start", run->start - head->origin);
    json_out_integer(out, "end", run->end - head->origin);
    if (run->known)
        json_out_truth(out, "counted", run->counted);
    json_out_text(out, "name", name);
    if (before && before->launch == run->launch && before->index == run->index)
        json_out_truth(out, "piece", true);
    json_out_end(out);
}

/* Slices name runs that were announced, so these come first. */
static void write_runs(struct head *head, struct json_out *out)
{
    const struct column *lists[] = { &head->page->runs, &head->page->found };
    bool launches = false;

    for (unsigned list = 0; list < 2; list++)
        for (size_t i = 0; i < lists[list]->count; i++)
            launches = launches || ((const struct page_run *)column_at(lists[list], i))->launch;
    json_out_array(out, "runs", JSON_TIGHT);
    for (unsigned list = 0; list < 2; list++)
        for (size_t i = 0; i < lists[list]->count; i++)
            write_run(head, out, column_at(lists[list], i), i ? column_at(lists[list], i - 1) : NULL, launches);
    json_out_end(out);
}

static void write_counts(struct head *head, struct json_out *out)
{
    const struct trace_page *page = head->page;

    json_out_object(out, "counts", JSON_TIGHT);
    json_out_unsigned(out, "slices", page->rows.slices);
    json_out_unsigned(out, "instants", page->rows.instants);
    json_out_unsigned(out, "tracks", head->shown_count);
    json_out_unsigned(out, "labels", page->labels.items.count);
    json_out_unsigned(out, "lost", page->lost);
    json_out_end(out);
}

/* Elements that were written as they came. */
static status write_list(struct json_out *out, const char *key, struct output *list)
{
    size_t length;
    const char *text = output_memory(list, &length);
    struct output *output = json_out_value(out, key);

    if (!text)
        return output_status(list) == STATUS_OK ? status_no_memory("writing a page") : output_status(list);
    output_write(output, "[", 1);
    output_write(output, text, length);
    output_write(output, "]", 1);
    return STATUS_OK;
}

static status write_head(struct head *head, struct output *output)
{
    struct trace_page *page = head->page;
    struct json_out out;
    char origin[32];
    status code;

    snprintf(origin, sizeof origin, "%" PRId64, head->origin);
    json_out_start(&out, output);
    json_out_object(&out, NULL, JSON_TIGHT);
    json_out_unsigned(&out, "version", FORMAT_VERSION);
    json_out_text(&out, "title", page->title);
    json_out_text(&out, "generator", "tacho " TACHO_VERSION);
    json_out_text(&out, "origin", origin);
    json_out_integer(&out, "begin", head->begin - head->origin);
    json_out_integer(&out, "end", head->end - head->origin);
    write_counts(head, &out);
    code = write_list(&out, "notes", page->notes);
    json_out_array(&out, "tracks", JSON_TIGHT);
    for (uint32_t i = 0; i < head->shown_count; i++)
        write_track(head, &out, i);
    json_out_end(&out);
    write_runs(head, &out);
    json_out_object(&out, "blocks", JSON_TIGHT);
    write_place(&out, "labels", &head->labels);
    write_place(&out, "texts", &head->texts);
    write_place(&out, "index", &head->index);
    write_place(&out, "flows", &head->flows);
    json_out_end(&out);
    if (code == STATUS_OK)
        code = write_list(&out, "tables", page->tables);
    page_maps_write(page, head->positions, &out);
    json_out_end(&out);
    json_out_finish(&out);
    return code;
}

static status open_head(struct head *head, struct output **output)
{
    const struct page_target *target = &head->page->target;
    size_t count = head->page->rows.items.count;
    uint32_t *rows = memory_allocate((count + 1) * sizeof *rows);
    status code;

    if (!rows)
        return status_no_memory("writing a page");
    for (size_t i = 0; i < count; i++)
        rows[i] = head->rows[i].row;
    code = target->calls->head(target->self,
                               &(struct page_head_data){ .rows = rows,
                                                         .row_count = count,
                                                         .begin = head->begin,
                                                         .end = head->end,
                                                         .origin = head->origin,
                                                         .slices = head->page->rows.slices,
                                                         .finished = head->page->finished },
                               output);
    memory_free(rows);
    return code;
}

status page_head_write(struct trace_page *page)
{
    struct head head = { .page = page };
    struct output *output = NULL;
    status code = order_tracks(&head);

    if (code == STATUS_OK)
        code = order_rows(&head);
    find_span(&head);
    if (code == STATUS_OK)
        code = write_blocks(&head);
    if (code == STATUS_OK)
        code = open_head(&head, &output);
    if (code == STATUS_OK)
        code = write_head(&head, output);
    free_head(&head);
    return code == STATUS_OK ? page->target.calls->end(page->target.self) : code;
}
