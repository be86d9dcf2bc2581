/* fuzz_zip.c: zip archives. A member as a whole and piece by piece must be the same, or be refused both times. */
#include "check_sink.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/zip.h"

enum { LARGEST = 64 * 1024, MOST_UNPACKED = 256 * 1024, MOST_MEMBERS = 16 };

static status read_pieces(const struct zip_archive *archive, const struct zip_entry *entry, size_t piece, char *to,
                          size_t *length)
{
    struct zip_stream *stream;
    size_t got = 1;
    status code = zip_stream_open(archive, entry, MOST_UNPACKED, &stream);

    *length = 0;
    while (code == STATUS_OK && got) {
        size_t room = MOST_UNPACKED + 1 - *length;

        code = zip_stream_read(stream, to + *length, piece < room ? piece : room, &got);
        *length += code == STATUS_OK ? got : 0;
        check_that(*length <= entry->size || code != STATUS_OK, "no more comes than was promised");
    }
    zip_stream_close(stream);
    return code;
}

/* A large stored member is summed only piece by piece; these are small. */
static void check_entry(const struct zip_archive *archive, const struct zip_entry *entry, size_t piece, char *room)
{
    struct text content;
    char *owned;
    size_t length;
    status whole = zip_archive_read(archive, entry, MOST_UNPACKED, &content, &owned);
    status pieces = read_pieces(archive, entry, piece, room, &length);

    check_that(whole == pieces, "pieces give the same answer");
    check_that(whole != STATUS_OK || (content.length == length && (!length || !memcmp(content.data, room, length))),
               "pieces give the same bytes");
    memory_free(owned);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char room[MOST_UNPACKED + 1];
    struct zip_archive archive;
    status code;

    if (size > LARGEST)
        return -1;
    code = zip_archive_open_memory(&archive, "fuzz.zip", (struct text){ (const char *)data, size });
    for (size_t i = 0; code == STATUS_OK && i < archive.count && i < MOST_MEMBERS; i++) {
        check_entry(&archive, &archive.entries[i], 1 + (size + i) % 4099, room);
        check_that(archive.entries[i].name.length <= size, "a name lies in the archive");
    }
    zip_archive_free(&archive);
    status_clear();
    return 0;
}
