/* unpack.c: zlib, gzip and zstd in memory. */
#include "base/unpack.h"

#include <assert.h>
#include <limits.h>
#include <zlib.h>
#include <zstd.h>

#include "base/memory.h"

enum { UNPACK_FIRST = 64 * 1024 }; /* bytes of the first buffer */

static status fail(const char *what)
{
    return status_fail(STATUS_INPUT, "packed data that is %s", what);
}

/* Room for more, up to one byte over the limit, which shows that it is too much. */
static status make_room(char **buffer, size_t *capacity, size_t length, size_t limit)
{
    size_t needed = length + 1 > UNPACK_FIRST ? length + 1 : UNPACK_FIRST;

    if (length > limit)
        return fail("too large");
    return length < *capacity ? STATUS_OK : memory_grow(buffer, capacity, needed, 1);
}

static status inflate_all(z_stream *stream, size_t limit, char **buffer, size_t *capacity, size_t *length)
{
    int result = Z_OK;

    while (result != Z_STREAM_END) {
        status code = make_room(buffer, capacity, *length, limit);
        size_t room = *capacity - *length;

        if (code != STATUS_OK)
            return code;
        stream->next_out = (unsigned char *)*buffer + *length;
        stream->avail_out = room < UINT_MAX ? (unsigned)room : UINT_MAX;
        room = stream->avail_out;
        result = inflate(stream, Z_NO_FLUSH);
        *length += room - stream->avail_out;
        if (result == Z_MEM_ERROR)
            return status_no_memory("unpacking");
        if (result != Z_OK && result != Z_STREAM_END)
            return fail("damaged or cut off");
        if (result == Z_OK && stream->avail_out && !stream->avail_in)
            return fail("cut off");
    }
    return stream->avail_in ? fail("followed by other bytes") : *length > limit ? fail("too large") : STATUS_OK;
}

static status unpack_deflate(struct text packed, size_t limit, char **buffer, size_t *capacity, size_t *length)
{
    z_stream stream = { 0 };
    status code;

    if (packed.length > UINT_MAX)
        return fail("too large");
    if (inflateInit2(&stream, MAX_WBITS + 32) != Z_OK)
        return status_no_memory("unpacking");
    stream.next_in = (z_const unsigned char *)packed.data;
    stream.avail_in = (unsigned)packed.length;
    code = inflate_all(&stream, limit, buffer, capacity, length);
    inflateEnd(&stream);
    return code;
}

static status unpack_zstd(struct text packed, size_t limit, char **buffer, size_t *capacity, size_t *length)
{
    ZSTD_inBuffer in = { packed.data, packed.length, 0 };
    ZSTD_DCtx *context = ZSTD_createDCtx();
    status code = context ? STATUS_OK : status_no_memory("unpacking");
    size_t left = 1;

    while (code == STATUS_OK && (in.pos < in.size || left)) {
        ZSTD_outBuffer out;
        size_t before = in.pos;

        code = make_room(buffer, capacity, *length, limit);
        if (code != STATUS_OK)
            break;
        out = (ZSTD_outBuffer){ *buffer + *length, *capacity - *length, 0 };
        left = ZSTD_decompressStream(context, &out, &in);
        *length += out.pos;
        if (ZSTD_isError(left))
            code = fail("damaged");
        else if (left && in.pos == before && !out.pos)
            code = fail("cut off");
    }
    ZSTD_freeDCtx(context);
    return code == STATUS_OK && *length > limit ? fail("too large") : code;
}

status unpack(enum unpack_kind kind, struct text packed, size_t limit, char **buffer, size_t *capacity, size_t *length)
{
    assert(limit < SIZE_MAX - 1);
    *length = 0;
    return kind == UNPACK_ZSTD ? unpack_zstd(packed, limit, buffer, capacity, length)
                               : unpack_deflate(packed, limit, buffer, capacity, length);
}
