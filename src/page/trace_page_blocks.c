/* trace_page_blocks.c: blocks of a page, deflated and as base64. */
#include "page/trace_page_blocks.h"

#include <assert.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"

enum {
    ELEMENT_MOST = 4 * 1024 * 1024, /* characters, unless a single block has more */
    PIECE = 3 * 4096,               /* bytes that are encoded at once */
    LEVEL = 4
};

struct page_blocks {
    struct output *output;    /* borrowed */
    z_stream stream;          /* reset for each block */
    struct page_bytes packed; /* the block at hand */
    uint32_t element;         /* that is open, or comes next */
    uint32_t offset;          /* characters in it */
    bool open;                /* there is one */
};

/* ---- Bytes ---- */

void page_bytes_free(struct page_bytes *bytes)
{
    memory_free(bytes->data);
    *bytes = (struct page_bytes){ 0 };
}

status page_bytes_room(struct page_bytes *bytes, size_t more)
{
    if (more > SIZE_MAX - bytes->count)
        return status_no_memory("collecting a page");
    return memory_grow(&bytes->data, &bytes->capacity, bytes->count + more, 1);
}

status page_bytes_add(struct page_bytes *bytes, const void *data, size_t size)
{
    status code = page_bytes_room(bytes, size);

    if (code == STATUS_OK && size) {
        memcpy(bytes->data + bytes->count, data, size);
        bytes->count += size;
    }
    return code;
}

status page_bytes_number(struct page_bytes *bytes, uint64_t value)
{
    status code = page_bytes_room(bytes, PAGE_VARINT);

    if (code == STATUS_OK)
        bytes->count = (size_t)(page_varint(bytes->data + bytes->count, value) - bytes->data);
    return code;
}

unsigned char *page_decimal(unsigned char *to, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    for (unsigned i = 0; i < 8; i++)
        *to++ = (unsigned char)(bits >> (8 * i));
    return to;
}

/* ---- Blocks ---- */

/* zlib's memory comes through the same door as all other. */
static void *allocate(void *context, unsigned count, unsigned size)
{
    (void)context;
    return memory_allocate((size_t)count * size);
}

static void release(void *context, void *memory)
{
    (void)context;
    memory_free(memory);
}

status page_blocks_new(struct output *output, struct page_blocks **blocks)
{
    enum { RAW = -15, MEMORY = 8 }; /* no header, the largest window */

    *blocks = memory_allocate_clear(sizeof **blocks);
    if (!*blocks)
        return status_no_memory("preparing a page");
    (*blocks)->output = output;
    (*blocks)->stream.zalloc = allocate;
    (*blocks)->stream.zfree = release;
    if (deflateInit2(&(*blocks)->stream, LEVEL, Z_DEFLATED, RAW, MEMORY, Z_DEFAULT_STRATEGY) == Z_OK)
        return STATUS_OK;
    memory_free(*blocks);
    *blocks = NULL;
    return status_no_memory("preparing a page");
}

void page_blocks_free(struct page_blocks *blocks)
{
    if (!blocks)
        return;
    deflateEnd(&blocks->stream);
    page_bytes_free(&blocks->packed);
    memory_free(blocks);
}

static status pack(struct page_blocks *blocks, const void *data, size_t size)
{
    z_stream *stream = &blocks->stream;
    struct page_bytes *packed = &blocks->packed;
    status code;
    int result;

    if (size > UINT32_MAX / 2 || deflateReset(stream) != Z_OK)
        return status_no_memory("packing a page");
    packed->count = 0;
    code = page_bytes_room(packed, deflateBound(stream, (uLong)size));
    if (code != STATUS_OK)
        return code;
    stream->next_in = (z_const Bytef *)(uintptr_t)data; /* zlib only reads it */
    stream->avail_in = (uInt)size;
    stream->next_out = packed->data;
    stream->avail_out = packed->capacity < UINT32_MAX ? (uInt)packed->capacity : UINT32_MAX;
    result = deflate(stream, Z_FINISH);
    assert(result == Z_STREAM_END && "there is room for the worst case");
    packed->count = stream->total_out;
    return result == Z_STREAM_END ? STATUS_OK : status_no_memory("packing a page");
}

void page_blocks_end(struct page_blocks *blocks)
{
    static const char end[] = "</script>\n";

    if (!blocks->open)
        return;
    output_write(blocks->output, end, sizeof end - 1);
    blocks->open = false;
    blocks->element++;
    blocks->offset = 0;
}

static void make_room(struct page_blocks *blocks, uint32_t length)
{
    static const char begin[] = "<script type=\"text/plain\" class=\"tacho-blocks\">";

    if (blocks->open && blocks->offset + (uint64_t)length > ELEMENT_MOST)
        page_blocks_end(blocks);
    if (!blocks->open)
        output_write(blocks->output, begin, sizeof begin - 1);
    blocks->open = true;
}

static unsigned char *encode(unsigned char *to, const unsigned char *data, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t group = (uint32_t)data[i] << 16 | (left > 1 ? (uint32_t)data[i + 1] << 8 : 0) |
                         (left > 2 ? (uint32_t)data[i + 2] : 0);

        *to++ = (unsigned char)digits[group >> 18];
        *to++ = (unsigned char)digits[group >> 12 & 63];
        *to++ = left > 1 ? (unsigned char)digits[group >> 6 & 63] : '=';
        *to++ = left > 2 ? (unsigned char)digits[group & 63] : '=';
    }
    return to;
}

status page_blocks_write(struct page_blocks *blocks, const void *data, size_t size, struct page_place *place)
{
    const struct page_bytes *packed = &blocks->packed;
    status code = pack(blocks, data, size);
    uint64_t length = ((uint64_t)packed->count + 2) / 3 * 4;

    if (code == STATUS_OK && length > INT32_MAX)
        code = status_fail(STATUS_INPUT, "the names and numbers of this trace are too many for one page");
    if (code != STATUS_OK)
        return code;
    make_room(blocks, (uint32_t)length);
    *place = (struct page_place){ .element = blocks->element, .offset = blocks->offset, .length = (uint32_t)length };
    for (size_t i = 0; i < packed->count; i += PIECE) {
        size_t piece = packed->count - i < PIECE ? packed->count - i : PIECE;
        unsigned char *start = output_reserve(blocks->output, PIECE / 3 * 4);

        output_advance(blocks->output, (size_t)(encode(start, packed->data + i, piece) - start));
    }
    blocks->offset += (uint32_t)length;
    return output_status(blocks->output);
}
