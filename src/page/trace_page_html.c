/* trace_page_html.c: the page of a trace as one HTML file. */
#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "page/html.h"
#include "page/trace_page_target.h"
#include "table/document.h"

enum {
    SLICE_COLUMNS = 3, /* gap, length, label */
    VALUE_SIZE = sizeof(uint64_t)
};

struct page_html {
    struct output *output;      /* borrowed */
    struct page_blocks *blocks; /* owned */
    struct page_bytes columns;  /* of the chunk that is being written */
};

/* ---- Chunks ---- */

/* Numbers of one slice behind those of the other become columns: what is alike lies together, and packs better. `to` has room for all of
 * them three times. */
static void split_slices(const struct page_bytes *from, unsigned char *to)
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
}

static void split_values(const struct page_bytes *from, uint32_t count, unsigned char *to)
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
}

void page_split(const struct page_chunk_data *chunk, unsigned char *to)
{
    if (chunk->kind == PAGE_ROW_VALUES)
        split_values(&chunk->numbers, chunk->count, to);
    else
        split_slices(&chunk->numbers, to);
}

/* ---- The target ---- */

static status on_block(void *self, const void *data, size_t size, struct page_place *place)
{
    return page_blocks_write(((struct page_html *)self)->blocks, data, size, place);
}

static status on_chunk(void *self, const struct page_chunk_data *chunk, struct page_place *slices,
                       struct page_place *arguments)
{
    struct page_html *html = self;
    status code;

    html->columns.count = 0;
    code = page_bytes_room(&html->columns, SLICE_COLUMNS * chunk->numbers.count);
    if (code != STATUS_OK)
        return code;
    page_split(chunk, html->columns.data);
    code = page_blocks_write(html->blocks, html->columns.data, chunk->numbers.count, slices);
    if (code == STATUS_OK && chunk->arguments.count)
        code = page_blocks_write(html->blocks, chunk->arguments.data, chunk->arguments.count, arguments);
    return code;
}

static status on_head(void *self, const struct page_head_data *about, struct output **output)
{
    struct page_html *html = self;

    (void)about;
    page_blocks_end(html->blocks);
    html_data_begin(html->output, "application/json", "trace");
    *output = html->output;
    return STATUS_OK;
}

static status on_end(void *self)
{
    struct page_html *html = self;

    html_data_end(html->output);
    html_trace_end(html->output);
    return output_status(html->output);
}

static void free_html(void *self)
{
    struct page_html *html = self;

    page_blocks_free(html->blocks);
    page_bytes_free(&html->columns);
    memory_free(html);
}

static const struct page_target_calls calls = {
    .block = on_block,
    .chunk = on_chunk,
    .head = on_head,
    .end = on_end,
    .free = free_html,
};

status page_html_new(struct output *output, const char *heading, const struct document *front,
                     struct page_target *target)
{
    struct page_html *html = memory_allocate_clear(sizeof *html);
    status code = html ? page_blocks_new(output, &html->blocks) : status_no_memory("preparing a page");

    if (code != STATUS_OK) {
        memory_free(html);
        return code;
    }
    html->output = output;
    html_trace_begin(output, front ? document_title(front) : heading);
    if (front)
        code = document_print_prose(front, &html_front, output);
    if (code != STATUS_OK)
        free_html(html);
    else
        *target = (struct page_target){ &calls, html };
    return code;
}
