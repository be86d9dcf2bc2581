/* trace_page_rows.c: rows of a page, and their chunks. */
#include "page/trace_page_rows.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    CHUNK_SLICES = 4096,          /* in a chunk at most */
    CHUNK_ARGUMENTS = 128 * 1024, /* bytes of arguments after which one is written */
    BLANK = 3,                    /* zeros of a slice that carries nothing */
    SLICE_COLUMNS = 3,            /* gap, length, label */
    VALUE_SIZE = sizeof(uint64_t)
};

void page_rows_start(struct page_rows *rows, const struct page_target *target, struct page_labels *labels)
{
    *rows = (struct page_rows){ .target = target, .labels = labels, .free_chunk = NO_ID };
    column_start(&rows->items, sizeof(struct page_row));
    column_start(&rows->chunks, sizeof(struct page_chunk));
    column_start(&rows->flows, sizeof(struct page_flow_end));
}

void page_rows_free(struct page_rows *rows)
{
    for (uint32_t i = 0; i < rows->items.count; i++) {
        struct page_row *row = page_row(rows, i);

        page_bytes_free(&row->slices);
        page_bytes_free(&row->arguments);
    }
    column_free(&rows->items);
    column_free(&rows->chunks);
    column_free(&rows->flows);
}

status page_rows_add(struct page_rows *rows, const struct page_row *like, uint32_t *id)
{
    struct page_row *row = column_append(&rows->items);

    if (!row)
        return status_no_memory("starting a row");
    *row = *like;
    row->reaches = INT64_MIN;
    row->first_chunk = row->last_chunk = NO_ID;
    *id = (uint32_t)(rows->items.count - 1);
    return STATUS_OK;
}

/* ---- Chunks ---- */

/* Slices that carry nothing are written once one comes that does. */
static status add_blanks(struct page_row *row)
{
    size_t size = (size_t)row->blank * BLANK;
    status code = page_bytes_room(&row->arguments, size);

    if (code != STATUS_OK)
        return code;
    if (size)
        memset(row->arguments.data + row->arguments.count, 0, size);
    row->arguments.count += size;
    row->blank = 0;
    return STATUS_OK;
}

static bool are_blank(const unsigned char *bytes, size_t size)
{
    while (size && !bytes[size - 1])
        size--;
    return !size;
}

/* What the slices of a chunk carry, without what belongs to an open one, which is for the next chunk. `*taken` bytes are those of the chunk,
 * also where all are blank and none are written. */
static status cut_arguments(struct page_row *row, struct page_bytes *arguments, size_t *taken)
{
    bool open_blank = row->open && row->blank;
    status code = STATUS_OK;

    row->blank -= open_blank;
    if (row->arguments.count)
        code = add_blanks(row);
    row->blank = open_blank;
    *taken = row->open && !open_blank ? row->carried : row->arguments.count;
    *arguments = row->arguments;
    arguments->count = are_blank(arguments->data, *taken) ? 0 : *taken;
    return code;
}

static void drop_arguments(struct page_row *row, size_t written)
{
    size_t left = row->arguments.count - written;

    if (left)
        memmove(row->arguments.data, row->arguments.data + written, left);
    row->arguments.count = left;
    row->carried = 0;
}

static status list_chunk(struct page_rows *rows, struct page_row *row)
{
    uint32_t id = rows->free_chunk;
    struct page_chunk *place = id == NO_ID ? column_append(&rows->chunks) : page_chunk(rows, id);

    if (!place)
        return status_no_memory("collecting chunks");
    if (id == NO_ID)
        id = (uint32_t)(rows->chunks.count - 1);
    else
        rows->free_chunk = place->next;
    *place = row->chunk;
    place->next = NO_ID;
    if (row->chunk_count++)
        page_chunk(rows, row->last_chunk)->next = id;
    else
        row->first_chunk = id;
    row->last_chunk = id;
    return STATUS_OK;
}

static status write_chunk(struct page_rows *rows, uint32_t id)
{
    struct page_row *row = page_row(rows, id);
    struct page_chunk_data data = { .row = id,
                                    .kind = row->kind,
                                    .count = row->chunk.count,
                                    .start = row->chunk.start,
                                    .end = row->chunk.end,
                                    .numbers = row->slices };
    size_t carried;
    status code = cut_arguments(row, &data.arguments, &carried);

    assert(row->chunk.count);
    if (code == STATUS_OK)
        code = rows->target->calls->chunk(rows->target->self, &data, &row->chunk.slices, &row->chunk.arguments);
    if (code == STATUS_OK)
        code = list_chunk(rows, row);
    if (code != STATUS_OK)
        return code;
    drop_arguments(row, carried);
    row->chunk = (struct page_chunk){ 0 };
    row->slices.count = 0;
    return STATUS_OK;
}

/* The gap of what begins at `start` from what is before it in its chunk. */
static uint64_t gap_before(struct page_row *row, int64_t start)
{
    struct page_chunk *chunk = &row->chunk;

    assert(start >= row->reaches && "rows are in order of time");
    if (row->reaches == INT64_MIN)
        row->begins = start;
    if (!chunk->count)
        chunk->start = chunk->end = start;
    return (uint64_t)start - (uint64_t)chunk->end;
}

/* ---- What is in them ---- */

static status add_flows(struct page_rows *rows, uint32_t id, int64_t start, const struct page_extra *extra)
{
    for (uint32_t i = 0; i < extra->flow_count; i++) {
        struct page_flow_end *end = column_append(&rows->flows);

        if (!end)
            return status_no_memory("collecting flows");
        *end = (struct page_flow_end){
            .flow = extra->flows[i], .row = id, .slice = page_row(rows, id)->total, .start = start
        };
    }
    return STATUS_OK;
}

status page_row_begin(struct page_rows *rows, uint32_t id, int64_t start, const struct page_extra *extra)
{
    struct page_row *row = page_row(rows, id);
    status code = STATUS_OK;

    assert(!row->open && row->kind != PAGE_ROW_VALUES);
    if (extra->flow_count)
        code = add_flows(rows, id, start, extra);
    if (!extra->size) {
        row->blank++;
    } else if (code == STATUS_OK) {
        code = add_blanks(row);
        row->carried = row->arguments.count;
        if (code == STATUS_OK)
            code = page_bytes_add(&row->arguments, extra->arguments, extra->size);
    }
    row->open = true;
    row->start = start;
    row->inside = 0;
    row->label = extra->label;
    row->total++;
    return code;
}

status page_row_end(struct page_rows *rows, uint32_t id, int64_t end)
{
    struct page_row *row = page_row(rows, id);
    uint64_t length = (uint64_t)end - (uint64_t)row->start;
    status code = page_bytes_room(&row->slices, SLICE_COLUMNS * PAGE_VARINT);
    unsigned char *to;

    assert(row->open && end >= row->start && (uint64_t)row->inside <= length);
    if (code != STATUS_OK)
        return code;
    to = page_varint(row->slices.data + row->slices.count, gap_before(row, row->start));
    to = page_varint(to, length);
    to = page_varint(to, row->label);
    row->slices.count = (size_t)(to - row->slices.data);
    row->open = false;
    row->chunk.count++;
    row->chunk.end = row->reaches = end;
    row->chunk.busy += (int64_t)length;
    page_label_add(rows->labels, row->label, length, length - (uint64_t)row->inside);
    if (row->kind == PAGE_ROW_INSTANTS)
        rows->instants++;
    else
        rows->slices++;
    if (row->chunk.count < CHUNK_SLICES && row->arguments.count < CHUNK_ARGUMENTS)
        return STATUS_OK;
    return write_chunk(rows, id);
}

status page_row_value(struct page_rows *rows, uint32_t id, int64_t time, double value)
{
    struct page_row *row = page_row(rows, id);
    struct page_chunk *chunk = &row->chunk;
    status code = page_bytes_room(&row->slices, PAGE_VARINT + VALUE_SIZE);
    unsigned char *to;

    assert(row->kind == PAGE_ROW_VALUES);
    if (code != STATUS_OK)
        return code;
    to = page_varint(row->slices.data + row->slices.count, gap_before(row, time));
    row->slices.count = (size_t)(page_decimal(to, value) - row->slices.data);
    chunk->lowest = chunk->count ? fmin(chunk->lowest, value) : value;
    chunk->highest = chunk->count ? fmax(chunk->highest, value) : value;
    chunk->count++;
    chunk->end = row->reaches = time;
    row->total++;
    return chunk->count < CHUNK_SLICES ? STATUS_OK : write_chunk(rows, id);
}

status page_rows_flush(struct page_rows *rows)
{
    status code = STATUS_OK;

    for (uint32_t i = 0; i < rows->items.count && code == STATUS_OK; i++)
        if (page_row(rows, i)->chunk.count)
            code = write_chunk(rows, i);
    return code;
}

static void forget_chunks(struct page_rows *rows, struct page_row *row, int64_t before)
{
    while (row->chunk_count && page_chunk(rows, row->first_chunk)->end < before) {
        uint32_t id = row->first_chunk;
        struct page_chunk *chunk = page_chunk(rows, id);

        row->forgotten += chunk->count;
        if (row->kind == PAGE_ROW_SLICES)
            rows->slices -= chunk->count;
        else if (row->kind == PAGE_ROW_INSTANTS)
            rows->instants -= chunk->count;
        row->first_chunk = chunk->next;
        row->chunk_count--;
        chunk->next = rows->free_chunk;
        rows->free_chunk = id;
    }
    if (row->chunk_count)
        row->begins = page_chunk(rows, row->first_chunk)->start;
    else
        row->last_chunk = NO_ID;
}

void page_rows_forget(struct page_rows *rows, int64_t before)
{
    size_t kept = 0;

    for (uint32_t i = 0; i < rows->items.count; i++)
        forget_chunks(rows, page_row(rows, i), before);
    for (size_t i = 0; i < rows->flows.count; i++) {
        const struct page_flow_end *end = column_at(&rows->flows, i);

        if (end->slice >= page_row(rows, end->row)->forgotten)
            *(struct page_flow_end *)column_at(&rows->flows, kept++) = *end;
    }
    rows->flows.count = kept;
}
