/* fuzz_tacho_recording.c: the reader of Tacho's recordings, whose files are mostly zeros: the input is pieces of one.
 *
 *     offset (4 bytes) | length (2 bytes) | bytes | offset | ...
 *
 * Sealed chunks get the checksum that they should have, unless a bit of their sequence says otherwise: few inputs would get past it. */
#include <string.h>

#include "base/memory.h"
#include "check_sink.h"
#include "read/recording.h"
#include "record/format.h"

enum { MOST_CHUNKS = 8, MOST_BYTES = MOST_CHUNKS * RECORDING_CHUNK };

/* How far the file goes. */
static size_t put_pieces(const uint8_t *data, size_t size, unsigned char *file)
{
    size_t end = 0;

    while (size > sizeof(uint32_t) + sizeof(uint16_t)) {
        uint32_t offset;
        uint16_t length;

        memcpy(&offset, data, sizeof offset);
        memcpy(&length, data + sizeof offset, sizeof length);
        data += sizeof offset + sizeof length;
        size -= sizeof offset + sizeof length;
        offset %= MOST_BYTES;
        length = (uint16_t)(length < size ? length : size);
        length = (uint16_t)(length < MOST_BYTES - offset ? length : MOST_BYTES - offset);
        memcpy(file + offset, data, length);
        end = end > offset + length ? end : offset + length;
        data += length;
        size -= length;
    }
    return end;
}

static void seal_chunks(unsigned char *file)
{
    for (unsigned i = 1; i < MOST_CHUNKS; i++) {
        struct recording_chunk *chunk = (struct recording_chunk *)(void *)(file + (size_t)i * RECORDING_CHUNK);
        const uint64_t *slots = (const uint64_t *)(const void *)chunk + RECORDING_CHUNK_HEAD / 8;

        if (chunk->magic == RECORDING_CHUNK_MAGIC && chunk->state == CHUNK_SEALED && !(chunk->sequence >> 63) &&
            chunk->used >= RECORDING_CHUNK_HEAD && chunk->used <= RECORDING_CHUNK)
            chunk->checksum = recording_checksum(slots, (chunk->used - RECORDING_CHUNK_HEAD) / RECORDING_SLOT);
    }
}

static void check(const uint8_t *data, size_t size, struct strings *strings)
{
    unsigned char *file = memory_allocate_clear(MOST_BYTES);
    size_t end;

    check_that(file != NULL, "there is memory for a file");
    end = put_pieces(data, size, file);
    /* Chunks are whole as a rule; a file that ends in the middle of one is rare. */
    if (end % 7)
        end = (end + RECORDING_CHUNK - 1) / RECORDING_CHUNK * RECORDING_CHUNK;
    seal_chunks(file);
    check_reader(&tacho_recording_reader, file, end, NULL, NULL, strings);
    memory_free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return check_input(data, size, check);
}
