/* timeline_levels.c: slices merged to coarser and coarser blocks. */
#include "page/timeline_levels.h"

#include <assert.h>

#include "base/memory.h"

enum {
    HIGHEST_LEVEL = 31,
    FEW_BLOCKS = 192,    /* a row that has no more is drawn whole at any zoom */
    LONGEST_NUMBER = 10, /* bytes of a 64-bit number */
    NUMBERS_PER_BLOCK = 5
};

NODISCARD status timeline_row_add(struct timeline_row *row, int64_t start, int64_t end, uint32_t label)
{
    uint64_t length = (uint64_t)end - (uint64_t)start;

    assert(start <= end && (!row->instants || start == end));
    assert((!row->count || row->blocks[row->count - 1].end <= start) && "blocks of a row do not overlap");
    if (row->count == row->capacity) {
        status done = memory_grow(&row->blocks, &row->capacity, row->count + 1, sizeof *row->blocks);

        if (done != STATUS_OK)
            return done;
    }
    row->blocks[row->count++] = (struct timeline_block){
        .start = start, .end = end, .busy = length, .weight = length + 1, .count = 1, .label = label
    };
    return STATUS_OK;
}

void timeline_row_free(struct timeline_row *row)
{
    memory_free(row->blocks);
    *row = (struct timeline_row){ 0 };
}

/* ---- base64 ---------------------------------------------------------------------------------------------------- */

struct encoder {
    struct output *output; /* borrowed */
    uint64_t characters;   /* written so far */
    uint32_t bits;         /* not yet written, at the low end */
    unsigned held;         /* how many of them: 0, 2 or 4 after a byte */
};

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* At most 8 characters for 5 bytes: room for a whole block is reserved by the caller. */
static unsigned char *encode_byte(struct encoder *encoder, unsigned char *to, unsigned char byte)
{
    assert(encoder->held < 6);
    encoder->bits = encoder->bits << 8 | byte;
    encoder->held += 8;
    while (encoder->held >= 6) {
        encoder->held -= 6;
        *to++ = (unsigned char)digits[encoder->bits >> encoder->held & 63];
    }
    return to;
}

static unsigned char *encode_number(struct encoder *encoder, unsigned char *to, uint64_t value)
{
    for (; value > 127; value >>= 7)
        to = encode_byte(encoder, to, (unsigned char)(value | 128));
    return encode_byte(encoder, to, (unsigned char)value);
}

static void encode_end(struct encoder *encoder)
{
    char last;

    if (!encoder->held)
        return;
    last = digits[encoder->bits << (6 - encoder->held) & 63];
    output_write(encoder->output, &last, 1);
    encoder->characters++;
}

/* ---- levels ---------------------------------------------------------------------------------------------------- */

static uint64_t busy_share(const struct timeline_block *block)
{
    uint64_t length = (uint64_t)block->end - (uint64_t)block->start;
    uint64_t share;

    assert(block->count && block->start <= block->end);
    if (block->busy >= length)
        return 255;
    share = (uint64_t)((double)block->busy / (double)length * 255.0 + 0.5);
    return share < 1 ? 1 : share;
}

static void encode_block(struct encoder *encoder, const struct timeline_row *row, const struct timeline_block *block,
                         uint64_t gap, bool exact)
{
    unsigned char *from = output_reserve(encoder->output, NUMBERS_PER_BLOCK * LONGEST_NUMBER * 2);
    unsigned char *to = encode_number(encoder, from, gap);

    assert(!exact || block->count == 1);
    if (!exact || !row->instants)
        to = encode_number(encoder, to, (uint64_t)block->end - (uint64_t)block->start);
    if (!exact)
        to = encode_number(encoder, to, block->count);
    to = encode_number(encoder, to, block->label);
    if (!exact && block->count > 1)
        to = encode_number(encoder, to, busy_share(block));
    encoder->characters += (uint64_t)(to - from);
    output_advance(encoder->output, (size_t)(to - from));
}

static void write_level(const struct timeline_row *row, unsigned level, struct output *data, struct output *facts)
{
    struct encoder encoder = { .output = data };
    int64_t before = row->blocks[0].start;

    assert(row->count);
    for (size_t i = 0; i < row->count; i++) {
        encode_block(&encoder, row, &row->blocks[i], (uint64_t)row->blocks[i].start - (uint64_t)before, level == 0);
        before = row->blocks[i].end;
    }
    encode_end(&encoder);
    output_format(facts, "%s%u,%zu,%llu", level ? "," : "", level, row->count, (unsigned long long)encoder.characters);
}

static void join(struct timeline_block *block, const struct timeline_block *next)
{
    assert(block->end <= next->start);
    block->end = next->end;
    block->busy += next->busy;
    block->count += next->count;
    if (block->label == next->label) {
        block->weight += next->weight;
    } else if (block->weight < next->weight) {
        block->label = next->label;
        block->weight = next->weight;
    }
}

/* Makes one block of neighbours that are shorter than `width` and end within it. */
static void merge_level(struct timeline_row *row, uint64_t width)
{
    size_t kept = 0;
    bool open = false; /* the last kept block may grow */

    for (size_t i = 0; i < row->count; i++) {
        struct timeline_block *block = &row->blocks[i];
        bool small = (uint64_t)block->end - (uint64_t)block->start < width;

        if (open && small && (uint64_t)block->end - (uint64_t)row->blocks[kept - 1].start <= width) {
            join(&row->blocks[kept - 1], block);
            continue;
        }
        row->blocks[kept++] = *block;
        open = small;
    }
    row->count = kept;
}

void timeline_row_write(struct timeline_row *row, struct output *data, struct output *facts)
{
    size_t written = row->count;

    assert(row->count && "an empty row is not written");
    output_format(facts, "[");
    write_level(row, 0, data, facts);
    for (unsigned level = 1; level <= HIGHEST_LEVEL && row->count > FEW_BLOCKS; level++) {
        merge_level(row, (uint64_t)1 << 2 * level);
        if (row->count > written / 3)
            continue;
        write_level(row, level, data, facts);
        written = row->count;
    }
    output_format(facts, "]");
    row->count = 0;
}
