/* kept.c: slices of a chunk, and the columns of a drawing. web/src/page/columns.ts does the same from blocks. */
#include "serve/kept.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"

/* ---- Chunks ---- */

static uint64_t read_number(const unsigned char **cursor)
{
    const unsigned char *at = *cursor;
    uint64_t value = *at & 0x7F;

    for (unsigned shift = 7; *at++ & 0x80; shift += 7)
        value |= (uint64_t)(*at & 0x7F) << shift;
    *cursor = at;
    return value;
}

static size_t bytes_for(uint32_t count, bool large)
{
    size_t time = large ? sizeof(uint64_t) : sizeof(uint32_t);

    return sizeof(struct kept_chunk) + (2 * (size_t)count + 1) * time + (size_t)count * sizeof(uint32_t);
}

size_t kept_chunk_size(const struct kept_chunk *chunk)
{
    return bytes_for(chunk->values ? 0 : chunk->count, chunk->large);
}

/* The same twice, since the width of times is what all of it is about. */
#define READ(type)                                                              \
    do {                                                                        \
        type *starts = chunk->starts, *before = chunk->before;                  \
        uint64_t at = 0, busy = 0;                                              \
                                                                                \
        for (uint32_t i = 0; i < chunk->count; i++) {                           \
            uint64_t gap = read_number(&cursor), length = read_number(&cursor); \
                                                                                \
            starts[i] = (type)(at += gap);                                      \
            before[i] = (type)busy;                                             \
            chunk->labels[i] = (uint32_t)read_number(&cursor);                  \
            at += length;                                                       \
            busy += length;                                                     \
        }                                                                       \
        before[chunk->count] = (type)busy;                                      \
    } while (0)

status kept_chunk_new(const struct page_chunk_data *data, struct kept_chunk **made)
{
    bool large = (uint64_t)data->end - (uint64_t)data->start > UINT32_MAX;
    size_t time = large ? sizeof(uint64_t) : sizeof(uint32_t);
    uint32_t count = data->kind == PAGE_ROW_VALUES ? 0 : data->count;
    struct kept_chunk *chunk = memory_allocate(bytes_for(count, large));
    const unsigned char *cursor = data->numbers.data;
    char *room = (char *)(chunk + 1);

    assert(data->count);
    *made = chunk;
    if (!chunk)
        return status_no_memory("keeping a trace");
    *chunk = (struct kept_chunk){ .start = data->start,
                                  .end = data->end,
                                  .count = data->count,
                                  .large = large,
                                  .values = !count,
                                  .arguments = NO_ID,
                                  .starts = room,
                                  .before = room + data->count * time,
                                  .labels = (uint32_t *)(void *)(room + (2 * (size_t)data->count + 1) * time) };
    if (!count)
        return STATUS_OK;
    if (large)
        READ(uint64_t);
    else
        READ(uint32_t);
    assert(cursor == data->numbers.data + data->numbers.count);
    return STATUS_OK;
}

void kept_chunk_free(struct kept_chunk *chunk)
{
    memory_free(chunk);
}

static inline uint64_t start_of(const struct kept_chunk *chunk, uint32_t slice)
{
    return chunk->large ? ((const uint64_t *)chunk->starts)[slice] : ((const uint32_t *)chunk->starts)[slice];
}

static inline uint64_t before(const struct kept_chunk *chunk, uint32_t slice)
{
    return chunk->large ? ((const uint64_t *)chunk->before)[slice] : ((const uint32_t *)chunk->before)[slice];
}

static inline uint64_t length_of(const struct kept_chunk *chunk, uint32_t slice)
{
    return before(chunk, slice + 1) - before(chunk, slice);
}

static inline uint64_t end_of(const struct kept_chunk *chunk, uint32_t slice)
{
    return start_of(chunk, slice) + length_of(chunk, slice);
}

status kept_chunk_columns(const struct kept_chunk *chunk, struct page_bytes *to)
{
    status code = page_bytes_room(to, (2 * (size_t)PAGE_VARINT + 5) * chunk->count);
    unsigned char *next;

    if (code != STATUS_OK)
        return code;
    next = to->data + to->count;
    for (uint32_t i = 0; i < chunk->count; i++)
        next = page_varint(next, i ? start_of(chunk, i) - end_of(chunk, i - 1) : 0);
    for (uint32_t i = 0; i < chunk->count; i++)
        next = page_varint(next, length_of(chunk, i));
    for (uint32_t i = 0; i < chunk->count; i++)
        next = page_varint(next, chunk->labels[i]);
    to->count = (size_t)(next - to->data);
    return STATUS_OK;
}

/* ---- Columns ---- */

void kept_scale_set(struct kept_scale *scale, int64_t from, int64_t to, uint32_t columns)
{
    uint64_t span = (uint64_t)to - (uint64_t)from;

    assert(from < to && columns);
    *scale = (struct kept_scale){ .from = from,
                                  .to = to,
                                  .columns = columns,
                                  .whole = span / columns,
                                  .rest = span % columns,
                                  .columns_per_ns = columns / (double)span };
}

/* The one that a time falls into, or the nearest. */
static uint32_t column_of(const struct kept_scale *scale, int64_t time)
{
    uint32_t last = scale->columns - 1, column;
    double about;

    if (time <= scale->from)
        return 0;
    about = (double)((uint64_t)time - (uint64_t)scale->from) * scale->columns_per_ns;
    column = about < last ? (uint32_t)about : last;
    while (column && kept_edge(scale, column) > time)
        column--;
    while (column < last && kept_edge(scale, column + 1) <= time)
        column++;
    return column;
}

/* The first slice that is in what begins at `left`, or behind it. */
static uint32_t first_behind(const struct kept_chunk *chunk, uint64_t left)
{
    uint32_t low = 0, high = chunk->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (end_of(chunk, middle) > left || start_of(chunk, middle) >= left)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* One past the last slice that begins before `end`, which `first` does: by growing strides, then halving. */
static uint32_t past_last(const struct kept_chunk *chunk, uint32_t first, uint64_t end)
{
    uint32_t past = first + 1, stride = 1, high;

    if (past == chunk->count || start_of(chunk, past) >= end)
        return past;
    if (start_of(chunk, chunk->count - 1) < end)
        return chunk->count;
    while (chunk->count - past > stride && start_of(chunk, past + stride) < end) {
        past += stride;
        stride *= 2;
    }
    high = chunk->count - past > stride ? past + stride : chunk->count;
    past++;
    while (past < high) {
        uint32_t middle = past + (high - past) / 2;

        if (start_of(chunk, middle) < end)
            past = middle + 1;
        else
            high = middle;
    }
    return past;
}

/* Of the first slices of a column the one that takes most of it, as the page has it. */
static uint32_t longest(const struct kept_chunk *chunk, uint32_t first, uint32_t past, int64_t begin, int64_t end)
{
    enum { SAMPLES = 4 };
    uint32_t found = first;
    int64_t most = -1;

    for (uint32_t i = first; i < past && i < first + SAMPLES; i++) {
        int64_t from = (int64_t)start_of(chunk, i), to = from + (int64_t)length_of(chunk, i);
        int64_t length = (to < end ? to : end) - (from > begin ? from : begin);

        if (length > most) {
            most = length;
            found = i;
        }
    }
    return found;
}

static status add_wide(struct kept_row_tile *tile, const struct kept_chunk *chunk, uint32_t slice)
{
    status code = memory_grow(&tile->wides, &tile->wide_capacity, tile->wide_count + 1, sizeof *tile->wides);

    if (code == STATUS_OK)
        tile->wides[tile->wide_count++] = (struct kept_wide){ .start = chunk->start + (int64_t)start_of(chunk, slice),
                                                              .end = chunk->start + (int64_t)end_of(chunk, slice),
                                                              .label = chunk->labels[slice] };
    return code;
}

status kept_tile_add(struct kept_row_tile *tile, const struct kept_chunk *chunk)
{
    const struct kept_scale *scale = tile->scale;
    uint32_t from = column_of(scale, chunk->start), to = column_of(scale, chunk->end), first = 0;
    int64_t left = kept_edge(scale, from);

    if (chunk->start < left)
        first = first_behind(chunk, (uint64_t)left - (uint64_t)chunk->start);
    for (uint32_t k = from; k <= to && first < chunk->count; k++) {
        /* Counted from the start of the chunk: negative where the column begins before it. */
        int64_t begin = kept_edge(scale, k) - chunk->start, end = kept_edge(scale, k + 1) - chunk->start;
        struct kept_cell *cell = &tile->cells[k];
        int64_t start = (int64_t)start_of(chunk, first), last_end;
        uint32_t past, next;
        uint64_t busy;

        if (start >= end) {
            next = column_of(scale, chunk->start + start);
            k = next > k + 1 ? next - 1 : k;
            continue;
        }
        past = past_last(chunk, first, (uint64_t)end);
        last_end = (int64_t)end_of(chunk, past - 1);
        busy = before(chunk, past) - before(chunk, first) - (begin > start ? (uint64_t)(begin - start) : 0) -
               (last_end > end ? (uint64_t)(last_end - end) : 0);
        if (!cell->count || busy > cell->busy)
            cell->label = chunk->labels[past - first == 1 ? first : longest(chunk, first, past, begin, end)];
        cell->busy += busy;
        cell->count += past - first;
        /* One that is wide begins as the last of its column. */
        if (tile->wide && length_of(chunk, past - 1) >= tile->wide &&
            ((int64_t)start_of(chunk, past - 1) >= begin || k == from)) {
            status code = add_wide(tile, chunk, past - 1);

            if (code != STATUS_OK)
                return code;
        }
        first = last_end > end ? past - 1 : past;
    }
    return STATUS_OK;
}
