/* traces.c: a served trace as the target of a page's writer, and what is asked of it. */
#include "serve/traces.h"

#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#include "base/column.h"
#include "base/json_write.h"
#include "base/memory.h"
#include "serve/kept.h"

enum {
    STORED = 65535,  /* bytes of a stored block of deflate, at most */
    STORED_HEAD = 5, /* of one: its kind, its length, and that once more */
    GENERATIONS = 2  /* that can be asked for */
};

/* A block: bytes, or the slices of a chunk. */
struct kept_block {
    unsigned char *bytes;     /* owned; NULL: none */
    struct kept_chunk *chunk; /* its row's; NULL: none */
    uint32_t size;            /* of what is to be packed */
    uint32_t uses;            /* how often this place was used for another: the offset of a place */
    uint32_t next;            /* that is free, too; NO_ID: none */
};

/* A row as it was made. */
struct kept_row {
    enum page_row_kind kind;    /* what is in it */
    struct kept_chunk **chunks; /* in the order of time; none of values; owned */
    size_t first;               /* that is not forgotten */
    size_t published;           /* up to which they may be asked for */
    size_t count, capacity;     /* of chunks */
};

struct generation {
    uint64_t number;                    /* 0: none */
    char *head;                         /* JSON, without the brace that opens it; owned */
    size_t head_length;                 /* of head */
    uint32_t *rows;                     /* as they were made, by their number in the index; owned */
    size_t row_count;                   /* of rows */
    uint32_t *blocks;                   /* that are about this one alone; owned */
    size_t block_count, block_capacity; /* of blocks */
};

struct kept_trace {
    pthread_mutex_t lock;                       /* of everything below */
    unsigned holders;                           /* the last one frees it */
    bool opened;                                /* a writer was made */
    struct column blocks;                       /* struct kept_block */
    uint32_t free_block;                        /* that can be used again; NO_ID: none */
    struct kept_row *rows;                      /* owned */
    size_t row_count, row_capacity;             /* of rows */
    struct generation generations[GENERATIONS]; /* the last one first */
    struct generation coming;                   /* that is being made; its thread's alone but for the blocks */
    struct kept_trace_state coming_state;       /* the same */
    struct output *head;                        /* of the coming one; NULL: none */
    struct kept_trace_state state;              /* of the last one; generation, forgotten and bytes of now */
    int64_t forget;                             /* ns: what ended before is not wanted; INT64_MIN: all is */
};

/* ---- Blocks ---- */

static struct kept_block *block_at(const struct kept_trace *trace, uint32_t id)
{
    return column_at(&trace->blocks, id);
}

static uint64_t packed_size(size_t size)
{
    uint64_t pieces = size ? (size + STORED - 1) / STORED : 1;

    return size + pieces * STORED_HEAD;
}

/* A place for a block. Locked. */
static status new_block(struct kept_trace *trace, size_t size, uint32_t *id, struct page_place *place)
{
    struct kept_block *block;

    if (packed_size(size) > INT32_MAX)
        return status_fail(STATUS_INPUT, "the names and numbers of this trace are too many to be served");
    if (trace->free_block != NO_ID) {
        *id = trace->free_block;
        block = block_at(trace, *id);
        trace->free_block = block->next;
    } else {
        block = column_append(&trace->blocks);
        if (!block)
            return status_no_memory("keeping a trace");
        *id = (uint32_t)(trace->blocks.count - 1);
        block->uses = 0;
    }
    *block = (struct kept_block){ .size = (uint32_t)size, .uses = block->uses, .next = NO_ID };
    *place = (struct page_place){ .element = *id, .offset = block->uses, .length = (uint32_t)packed_size(size) };
    return STATUS_OK;
}

/* Its chunk is freed by whoever has it. Locked. */
static void free_block(struct kept_trace *trace, uint32_t id)
{
    struct kept_block *block = block_at(trace, id);

    if (block->bytes)
        trace->state.bytes -= block->size;
    memory_free(block->bytes);
    *block = (struct kept_block){ .uses = block->uses + 1, .next = trace->free_block };
    trace->free_block = id;
}

/* Takes the bytes over where that succeeds. Locked. */
static status keep_bytes(struct kept_trace *trace, unsigned char *bytes, size_t size, uint32_t *id,
                         struct page_place *place)
{
    status code = new_block(trace, size, id, place);

    if (code == STATUS_OK) {
        block_at(trace, *id)->bytes = bytes;
        trace->state.bytes += size;
    }
    return code;
}

static unsigned char *copy_bytes(const void *data, size_t size)
{
    unsigned char *copy = memory_allocate(size + 1);

    return copy && size ? memcpy(copy, data, size) : copy;
}

/* ---- The target ---- */

static status on_block(void *self, const void *data, size_t size, struct page_place *place)
{
    struct kept_trace *trace = self;
    struct generation *coming = &trace->coming;
    unsigned char *copy = copy_bytes(data, size);
    status code = copy ? STATUS_OK : status_no_memory("keeping a trace");
    uint32_t id;

    if (code == STATUS_OK)
        code = memory_grow(&coming->blocks, &coming->block_capacity, coming->block_count + 1, sizeof *coming->blocks);
    pthread_mutex_lock(&trace->lock);
    if (code == STATUS_OK)
        code = keep_bytes(trace, copy, size, &id, place);
    if (code == STATUS_OK)
        coming->blocks[coming->block_count++] = id;
    pthread_mutex_unlock(&trace->lock);
    if (code != STATUS_OK)
        memory_free(copy);
    return code;
}

/* The row, and room for one more chunk. Locked. */
static status find_row(struct kept_trace *trace, const struct page_chunk_data *data, struct kept_row **row)
{
    status code = memory_grow_clear(&trace->rows, &trace->row_capacity, (size_t)data->row + 1, sizeof *trace->rows);

    if (code != STATUS_OK)
        return code;
    if (data->row >= trace->row_count)
        trace->row_count = (size_t)data->row + 1;
    *row = &trace->rows[data->row];
    (*row)->kind = data->kind;
    return memory_grow(&(*row)->chunks, &(*row)->capacity, (*row)->count + 1, sizeof *(*row)->chunks);
}

/* Takes the chunk over, also where it fails. */
static status add_chunk(struct kept_trace *trace, const struct page_chunk_data *data, struct kept_chunk *chunk,
                        struct page_place *slices)
{
    struct kept_row *row;
    status code = find_row(trace, data, &row);

    if (code == STATUS_OK)
        code = new_block(trace, data->numbers.count, &chunk->block, slices);
    if (code != STATUS_OK) {
        kept_chunk_free(chunk);
        return code;
    }
    block_at(trace, chunk->block)->chunk = chunk;
    row->chunks[row->count++] = chunk;
    trace->state.bytes += kept_chunk_size(chunk);
    return STATUS_OK;
}

/* Locked. */
static status add_blocks(struct kept_trace *trace, const struct page_chunk_data *data, struct kept_chunk *chunk,
                         unsigned char **bytes, struct page_place *slices, struct page_place *arguments)
{
    status code = add_chunk(trace, data, chunk, slices);

    if (code != STATUS_OK || !*bytes)
        return code;
    if (data->kind == PAGE_ROW_VALUES) {
        block_at(trace, chunk->block)->bytes = *bytes;
        trace->state.bytes += data->numbers.count;
    } else {
        code = keep_bytes(trace, *bytes, data->arguments.count, &chunk->arguments, arguments);
    }
    if (code == STATUS_OK)
        *bytes = NULL;
    return code;
}

/* Values stay as their block has them, since nobody asks for tiles of them; of slices this is what they carry. */
static status copy_block(const struct page_chunk_data *data, unsigned char **bytes)
{
    *bytes = NULL;
    if (data->kind == PAGE_ROW_VALUES)
        *bytes = memory_allocate(data->numbers.count);
    else if (data->arguments.count)
        *bytes = copy_bytes(data->arguments.data, data->arguments.count);
    else
        return STATUS_OK;
    if (!*bytes)
        return status_no_memory("keeping a trace");
    if (data->kind == PAGE_ROW_VALUES)
        page_split(data, *bytes);
    return STATUS_OK;
}

static status on_chunk(void *self, const struct page_chunk_data *data, struct page_place *slices,
                       struct page_place *arguments)
{
    struct kept_trace *trace = self;
    struct kept_chunk *chunk;
    unsigned char *bytes = NULL;
    status code = kept_chunk_new(data, &chunk);

    if (code == STATUS_OK)
        code = copy_block(data, &bytes);
    if (code == STATUS_OK) {
        pthread_mutex_lock(&trace->lock);
        code = add_blocks(trace, data, chunk, &bytes, slices, arguments);
        pthread_mutex_unlock(&trace->lock);
    } else {
        kept_chunk_free(chunk);
    }
    memory_free(bytes);
    return code;
}

static void free_generation(struct kept_trace *trace, struct generation *generation)
{
    for (size_t i = 0; i < generation->block_count; i++)
        free_block(trace, generation->blocks[i]);
    trace->state.bytes -= generation->head_length + generation->row_count * sizeof *generation->rows;
    memory_free(generation->blocks);
    memory_free(generation->head);
    memory_free(generation->rows);
    *generation = (struct generation){ 0 };
}

static status on_head(void *self, const struct page_head_data *about, struct output **output)
{
    struct kept_trace *trace = self;
    struct generation *coming = &trace->coming;
    status code = output_open_memory(&trace->head);

    if (code != STATUS_OK)
        return code;
    coming->rows = memory_allocate((about->row_count + 1) * sizeof *coming->rows);
    if (!coming->rows)
        return status_no_memory("keeping a trace");
    if (about->row_count)
        memcpy(coming->rows, about->rows, about->row_count * sizeof *coming->rows);
    coming->row_count = about->row_count;
    trace->coming_state = (struct kept_trace_state){ .begin = about->begin - about->origin,
                                                     .end = about->end - about->origin,
                                                     .origin = about->origin,
                                                     .slices = about->slices,
                                                     .finished = about->finished };
    *output = trace->head;
    return STATUS_OK;
}

/* Frees chunks that are not wanted any more. Locked. */
static void forget(struct kept_trace *trace)
{
    for (size_t i = 0; i < trace->row_count; i++) {
        struct kept_row *row = &trace->rows[i];

        for (; row->first < row->published && row->chunks[row->first]->end < trace->forget; row->first++) {
            struct kept_chunk *chunk = row->chunks[row->first];

            trace->state.forgotten += chunk->count;
            trace->state.bytes -= kept_chunk_size(chunk);
            free_block(trace, chunk->block);
            if (chunk->arguments != NO_ID)
                free_block(trace, chunk->arguments);
            kept_chunk_free(chunk);
        }
        if (row->first < row->count / 2 + 1)
            continue;
        row->count -= row->first;
        row->published -= row->first;
        memmove(row->chunks, row->chunks + row->first, row->count * sizeof *row->chunks);
        row->first = 0;
    }
}

/* What was made for the coming generation is the last one now. Locked. */
static void publish(struct kept_trace *trace)
{
    struct generation *coming = &trace->coming, *last = trace->generations;
    struct kept_trace_state *state = &trace->state, *next = &trace->coming_state;

    coming->number = state->generation + 1;
    state->bytes += coming->head_length + coming->row_count * sizeof *coming->rows;
    free_generation(trace, &last[GENERATIONS - 1]);
    memmove(&last[1], last, (GENERATIONS - 1) * sizeof *last);
    last[0] = *coming;
    *coming = (struct generation){ 0 };
    next->generation = state->generation + 1;
    next->bytes = state->bytes;
    next->forgotten = state->forgotten;
    *state = *next;
    for (size_t i = 0; i < trace->row_count; i++)
        trace->rows[i].published = trace->rows[i].count;
    forget(trace);
}

static status on_end(void *self)
{
    struct kept_trace *trace = self;
    struct generation *coming = &trace->coming;
    size_t length;
    const char *text = output_memory(trace->head, &length);

    if (!text)
        return output_status(trace->head) == STATUS_OK ? status_no_memory("keeping a trace")
                                                       : output_status(trace->head);
    assert(length && *text == '{');
    coming->head = memory_copy_text(text + 1);
    coming->head_length = length - 1;
    output_abandon(trace->head);
    trace->head = NULL;
    if (!coming->head)
        return status_no_memory("keeping a trace");
    pthread_mutex_lock(&trace->lock);
    publish(trace);
    pthread_mutex_unlock(&trace->lock);
    return STATUS_OK;
}

/* What was made for a generation that will not come. */
static void forget_coming(struct kept_trace *trace)
{
    struct generation *coming = &trace->coming;

    pthread_mutex_lock(&trace->lock);
    /* These bytes are counted when it is published. */
    coming->head_length = coming->row_count = 0;
    free_generation(trace, coming);
    pthread_mutex_unlock(&trace->lock);
    output_abandon(trace->head);
    trace->head = NULL;
}

static void free_target(void *self)
{
    forget_coming(self);
    kept_trace_drop(self);
}

static const struct page_target_calls calls = {
    .block = on_block,
    .chunk = on_chunk,
    .head = on_head,
    .end = on_end,
    .free = free_target,
};

/* ---- Begin and end ---- */

status kept_trace_new(struct kept_trace **made)
{
    struct kept_trace *trace = memory_allocate_clear(sizeof *trace);

    *made = trace;
    if (!trace)
        return status_no_memory("keeping a trace");
    pthread_mutex_init(&trace->lock, NULL);
    trace->holders = 1;
    trace->free_block = NO_ID;
    trace->forget = INT64_MIN;
    column_start(&trace->blocks, sizeof(struct kept_block));
    return STATUS_OK;
}

void kept_trace_keep(struct kept_trace *trace)
{
    pthread_mutex_lock(&trace->lock);
    trace->holders++;
    pthread_mutex_unlock(&trace->lock);
}

static void free_trace(struct kept_trace *trace)
{
    for (unsigned i = 0; i < GENERATIONS; i++)
        free_generation(trace, &trace->generations[i]);
    for (uint32_t i = 0; i < trace->blocks.count; i++)
        memory_free(block_at(trace, i)->bytes);
    for (size_t i = 0; i < trace->row_count; i++) {
        for (size_t j = trace->rows[i].first; j < trace->rows[i].count; j++)
            kept_chunk_free(trace->rows[i].chunks[j]);
        memory_free(trace->rows[i].chunks);
    }
    memory_free(trace->rows);
    column_free(&trace->blocks);
    pthread_mutex_destroy(&trace->lock);
    memory_free(trace);
}

void kept_trace_drop(struct kept_trace *trace)
{
    bool last;

    if (!trace)
        return;
    pthread_mutex_lock(&trace->lock);
    assert(trace->holders);
    last = !--trace->holders;
    pthread_mutex_unlock(&trace->lock);
    if (last)
        free_trace(trace);
}

status kept_trace_open(struct kept_trace *trace, struct strings *strings, const struct writer_options *options,
                       struct writer *writer)
{
    const struct page_target target = { &calls, trace };

    assert(!trace->opened);
    trace->opened = true;
    kept_trace_keep(trace);
    return page_open(&target, strings, options, writer);
}

status kept_trace_publish(struct writer *writer, int64_t until)
{
    struct kept_trace *trace = page_target_of(writer);
    int64_t before;
    status code;

    pthread_mutex_lock(&trace->lock);
    before = trace->forget;
    pthread_mutex_unlock(&trace->lock);
    code = page_publish(writer, until, before);
    if (code != STATUS_OK)
        forget_coming(trace);
    return code;
}

void kept_trace_forget(struct kept_trace *trace, int64_t before)
{
    pthread_mutex_lock(&trace->lock);
    if (before > trace->forget)
        trace->forget = before;
    forget(trace);
    pthread_mutex_unlock(&trace->lock);
}

/* What the lists around slices and texts take: of a trace of many short rows, most of it. Locked. */
static uint64_t list_bytes(const struct kept_trace *trace)
{
    enum { ALLOCATION = 32 }; /* what the allocator itself takes, about */
    uint64_t bytes = sizeof *trace + trace->row_capacity * sizeof *trace->rows +
                     trace->blocks.count * (sizeof(struct kept_block) + ALLOCATION);

    for (size_t i = 0; i < trace->row_count; i++)
        bytes += trace->rows[i].capacity * sizeof *trace->rows[i].chunks + ALLOCATION;
    return bytes;
}

struct kept_trace_state kept_trace_state(struct kept_trace *trace)
{
    struct kept_trace_state state;

    pthread_mutex_lock(&trace->lock);
    state = trace->state;
    state.bytes += list_bytes(trace);
    pthread_mutex_unlock(&trace->lock);
    return state;
}

/* ---- Asking ---- */

void kept_trace_write_head(struct kept_trace *trace, uint64_t after, struct output *output)
{
    const struct generation *last = trace->generations;
    const struct kept_trace_state *state = &trace->state;

    pthread_mutex_lock(&trace->lock);
    output_format(output, "{\"generation\": %" PRIu64 ", \"finished\": %s, \"forgotten\": %" PRIu64, state->generation,
                  state->finished ? "true" : "false", state->forgotten);
    if (last->number > after) {
        output_write(output, ",", 1);
        output_write(output, last->head, last->head_length);
    } else {
        output_write(output, "}", 1);
    }
    pthread_mutex_unlock(&trace->lock);
}

/* Without packing, which would cost time that nobody wins on the way to a browser on this machine. */
static void write_stored(const unsigned char *data, size_t size, struct output *output)
{
    do {
        size_t piece = size < STORED ? size : STORED;
        const unsigned char head[STORED_HEAD] = { piece == size, (unsigned char)piece, (unsigned char)(piece >> 8),
                                                  (unsigned char)~piece, (unsigned char)(~piece >> 8) };

        output_write(output, head, sizeof head);
        output_write(output, data, piece);
        data += piece;
        size -= piece;
    } while (size);
}

status kept_trace_write_block(struct kept_trace *trace, uint32_t element, uint32_t offset, uint32_t length,
                              struct output *output)
{
    struct page_bytes columns = { 0 };
    const struct kept_block *block;
    status code = STATUS_OK;

    pthread_mutex_lock(&trace->lock);
    block = element < trace->blocks.count ? block_at(trace, element) : NULL;
    if (!block || (!block->bytes && !block->chunk) || block->uses != offset || packed_size(block->size) != length)
        code = status_fail(STATUS_NO, "there is no such block, or no longer");
    else if (block->bytes)
        write_stored(block->bytes, block->size, output);
    else
        code = kept_chunk_columns(block->chunk, &columns);
    pthread_mutex_unlock(&trace->lock);
    if (columns.count)
        write_stored(columns.data, columns.count, output);
    page_bytes_free(&columns);
    return code;
}

/* ---- Tiles ---- */

static void put_number(struct output *output, uint64_t value)
{
    unsigned char *start = output_reserve(output, PAGE_VARINT);

    output_advance(output, (size_t)(page_varint(start, value) - start));
}

static uint64_t zigzag(int64_t value)
{
    return (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0);
}

static void write_tile(const struct kept_row_tile *tile, struct output *output)
{
    const struct kept_scale *scale = tile->scale;
    uint32_t empty = 0;

    for (uint32_t k = 0; k < scale->columns; k++) {
        const struct kept_cell *cell = &tile->cells[k];

        if (cell->count) {
            put_number(output, cell->count);
            put_number(output, cell->busy);
            put_number(output, cell->label);
            continue;
        }
        empty++;
        if (k + 1 < scale->columns && !tile->cells[k + 1].count)
            continue;
        put_number(output, 0);
        put_number(output, empty);
        empty = 0;
    }
    put_number(output, tile->wide_count);
    for (size_t i = 0; i < tile->wide_count; i++) {
        put_number(output, zigzag(tile->wides[i].start - scale->from));
        put_number(output, (uint64_t)tile->wides[i].end - (uint64_t)tile->wides[i].start);
        put_number(output, tile->wides[i].label);
    }
}

/* The first chunk that ends at or after a time. */
static size_t first_chunk(const struct kept_row *row, int64_t time)
{
    size_t low = row->first, high = row->published;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (row->chunks[middle]->end >= time)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static status fill_tile(const struct kept_row *row, struct kept_row_tile *tile)
{
    status code = STATUS_OK;

    memset(tile->cells, 0, tile->scale->columns * sizeof *tile->cells);
    tile->wide_count = 0;
    for (size_t i = first_chunk(row, tile->scale->from);
         i < row->published && row->chunks[i]->start < tile->scale->to && code == STATUS_OK; i++)
        code = kept_tile_add(tile, row->chunks[i]);
    return code;
}

static status check_tiles(const struct tiles *tiles)
{
    const int64_t most = (int64_t)1 << 60;

    if (!tiles->row_count || tiles->row_count > TILE_ROWS || !tiles->columns || tiles->columns > TILE_COLUMNS ||
        tiles->row_count * tiles->columns > TILE_CELLS)
        return status_fail(STATUS_USAGE, "tiles have up to %d rows, up to %d columns, and %d columns in all rows",
                           TILE_ROWS, TILE_COLUMNS, TILE_CELLS);
    if (tiles->from >= tiles->to || tiles->from < -most || tiles->to > most)
        return status_fail(STATUS_USAGE, "a tile is from one time to a later one");
    return STATUS_OK;
}

/* The generation that is meant. Locked. */
static const struct generation *find_generation(const struct kept_trace *trace, uint64_t number)
{
    for (unsigned i = 0; i < GENERATIONS; i++)
        if (trace->generations[i].number && (!number || trace->generations[i].number == number))
            return &trace->generations[i];
    return NULL;
}

/* Locked. */
static status write_tiles(struct kept_trace *trace, const struct tiles *tiles, struct kept_row_tile *tile,
                          struct output *output)
{
    const struct generation *generation = find_generation(trace, tiles->generation);
    status code =
        generation ? STATUS_OK : status_fail(STATUS_NO, "these rows are not there any more: ask for the head");

    for (uint32_t i = 0; i < tiles->row_count && code == STATUS_OK; i++) {
        uint32_t number = tiles->rows[i], id = number < generation->row_count ? generation->rows[number] : NO_ID;
        const struct kept_row *row = id < trace->row_count ? &trace->rows[id] : NULL;

        if (!row || row->kind == PAGE_ROW_VALUES)
            return status_fail(STATUS_NO, "there is no row %" PRIu32 " with slices", number);
        code = fill_tile(row, tile);
        if (code == STATUS_OK)
            write_tile(tile, output);
    }
    return code;
}

status kept_trace_write_tiles(struct kept_trace *trace, const struct tiles *tiles, struct output *output)
{
    struct kept_row_tile tile = { .wide = tiles->wide };
    struct kept_scale scale;
    status code = check_tiles(tiles);

    if (code != STATUS_OK)
        return code;
    tile.cells = memory_allocate(tiles->columns * sizeof *tile.cells);
    if (!tile.cells)
        return status_no_memory("making a tile");
    pthread_mutex_lock(&trace->lock);
    kept_scale_set(&scale, tiles->from + trace->state.origin, tiles->to + trace->state.origin, tiles->columns);
    tile.scale = &scale;
    code = write_tiles(trace, tiles, &tile, output);
    pthread_mutex_unlock(&trace->lock);
    memory_free(tile.cells);
    memory_free(tile.wides);
    return code;
}
