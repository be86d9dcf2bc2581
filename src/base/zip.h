/* zip.h: the members of a zip archive, in memory or in a file.
 *
 *     | member | member | ... | directory: an entry for each | end: where the directory is |
 *
 * An archive borrows its bytes or its file, and owns the directory. Members are stored or deflated, sizes may be those of zip64, and
 * bytes may stand before the archive and behind it. Every offset and size is checked before it is used: what does not fit is
 * STATUS_INPUT. A few packed bytes can unpack to a thousand times as many, so whoever reads says what is too much, or takes the
 * member piece by piece, which needs the same little memory for all.
 */
#ifndef BASE_ZIP_H
#define BASE_ZIP_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"

struct zip_entry {
    struct text name;  /* as it stands in the directory */
    uint64_t header;   /* offset of its local header */
    uint64_t packed;   /* bytes in the archive */
    uint64_t size;     /* bytes when unpacked, as the directory promises */
    uint32_t checksum; /* CRC-32 of the unpacked bytes */
    uint16_t method;   /* 0 stored, 8 deflated */
    uint16_t flags;    /* bit 0: encrypted */
};

struct zip_archive {
    const char *name;          /* for errors; borrowed */
    struct text bytes;         /* borrowed; no data: it is a file */
    int file;                  /* borrowed; -1: it is in memory */
    uint64_t size;             /* of all, in bytes */
    char *directory;           /* as it stands in the archive */
    struct zip_entry *entries; /* in the order of the directory */
    size_t count;              /* of these */
};

/* Free it in any case. */
NODISCARD status zip_archive_open_memory(struct zip_archive *archive, const char *name, struct text bytes);
NODISCARD status zip_archive_open_file(struct zip_archive *archive, const char *name, int file);
void zip_archive_free(struct zip_archive *archive);

/* The entry of this name, the last one where there are several; NULL: none. */
const struct zip_entry *zip_archive_find(const struct zip_archive *archive, const char *name);

/* A member as a whole, more than `limit` bytes refused. `*owned` (freed with memory_free) holds it, or is NULL where a stored one lies
 * in memory already. */
NODISCARD status zip_archive_read(const struct zip_archive *archive, const struct zip_entry *entry, uint64_t limit,
                                  struct text *content, char **owned);

/* A member piece by piece. The archive must outlive the stream. */
struct zip_stream;

NODISCARD status zip_stream_open(const struct zip_archive *archive, const struct zip_entry *entry, uint64_t limit,
                                 struct zip_stream **stream);
/* Up to `capacity` bytes; `*got` is 0 only at the end, after size and checksum were found to be as promised. */
NODISCARD status zip_stream_read(struct zip_stream *stream, void *buffer, size_t capacity, size_t *got);
void zip_stream_close(struct zip_stream *stream); /* NULL is fine */

#endif
