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

void page_rows_start(struct page_rows *rows, struct page_blocks *blocks, struct page_labels *labels)
{
    *rows = (struct page_rows){ .blocks = blocks, .labels = labels };
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
    page_bytes_free(&rows->columns);
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

/* Numbers of one slice behind those of the other become columns: what is alike lies together, and packs better. `to` has room for all of
 * them three times; returns how many bytes the columns have together. */
static size_t split_slices(const struct page_bytes *from, unsigned char *to)
{
    unsigned char *columns[SLICE_COLUMNS] = { to, to + from->count, to + 2 * from->count };
    unsigned char *next[SLICE_COLUMNS] = { columns[0], columns[1], columns[2] };
    const unsigned char *cursor = from->data, *end = from->data + from->count;

    while (cursor < end)
        for (unsigned i = 0; i < SLICE_COLUMNS; i++)
            do
                *next[i]++ = *cursor;
            while (*cursor++ & 0x80);
    assert(cursor == end && "a slice has all three numbers");
    to = next[0];
    for (unsigned i = 1; i < SLICE_COLUMNS; i++) {
        size_t size = (size_t)(next[i] - columns[i]);

        memmove(to, columns[i], size);
        to += size;
    }
    return from->count;
}

static size_t split_values(const struct page_bytes *from, uint32_t count, unsigned char *to)
{
    unsigned char *values = to + from->count - (size_t)count * VALUE_SIZE;
    size_t gaps = 0, at = 0;

    for (uint32_t i = 0; i < count; i++) {
        do
            to[gaps++] = from->data[at];
        while (from->data[at++] & 0x80);
        memcpy(values + (size_t)i * VALUE_SIZE, from->data + at, VALUE_SIZE);
        at += VALUE_SIZE;
    }
    assert(at == from->count && to + gaps == values);
    return from->count;
}

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

static status write_arguments(struct page_rows *rows, struct page_row *row)
{
    status code;

    if (!row->arguments.count) {
        row->blank = 0;
        return STATUS_OK;
    }
    code = add_blanks(row);
    if (code == STATUS_OK)
        code = page_blocks_write(rows->blocks, row->arguments.data, row->arguments.count, &row->chunk.arguments);
    row->arguments.count = 0;
    return code;
}

static status write_chunk(struct page_rows *rows, struct page_row *row)
{
    struct page_chunk *place;
    size_t size;
    status code;

    assert(row->chunk.count && !row->open);
    rows->columns.count = 0;
    code = page_bytes_room(&rows->columns, SLICE_COLUMNS * row->slices.count);
    if (code != STATUS_OK)
        return code;
    size = row->kind == PAGE_ROW_VALUES ? split_values(&row->slices, row->chunk.count, rows->columns.data)
                                        : split_slices(&row->slices, rows->columns.data);
    code = page_blocks_write(rows->blocks, rows->columns.data, size, &row->chunk.slices);
    if (code == STATUS_OK)
        code = write_arguments(rows, row);
    if (code != STATUS_OK)
        return code;
    place = column_append(&rows->chunks);
    if (!place)
        return status_no_memory("collecting chunks");
    *place = row->chunk;
    place->next = NO_ID;
    if (row->chunk_count++)
        page_chunk(rows, row->last_chunk)->next = (uint32_t)(rows->chunks.count - 1);
    else
        row->first_chunk = (uint32_t)(rows->chunks.count - 1);
    row->last_chunk = (uint32_t)(rows->chunks.count - 1);
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
    return write_chunk(rows, row);
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
    return chunk->count < CHUNK_SLICES ? STATUS_OK : write_chunk(rows, row);
}

status page_rows_finish(struct page_rows *rows)
{
    status code = STATUS_OK;

    for (uint32_t i = 0; i < rows->items.count && code == STATUS_OK; i++)
        if (page_row(rows, i)->chunk.count)
            code = write_chunk(rows, page_row(rows, i));
    return code;
}
