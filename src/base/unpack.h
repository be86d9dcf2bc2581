/* unpack.h: a block of packed bytes, unpacked as a whole.
 *
 * For formats that carry packed pieces in themselves; files that are packed are unpacked by `input`.
 */
#ifndef BASE_UNPACK_H
#define BASE_UNPACK_H

#include <stddef.h>

#include "base/status.h"
#include "base/text.h"

enum unpack_kind {
    UNPACK_DEFLATE, /* a zlib or gzip stream */
    UNPACK_ZSTD     /* zstd frames */
};

/* Unpacks into `*buffer`, which grows as needed (`*capacity` bytes) and stays the caller's. STATUS_INPUT: it is damaged or cut off, bytes follow it, or
 * it has more than `limit` bytes. */
NODISCARD status unpack(enum unpack_kind kind, struct text packed, size_t limit, char **buffer, size_t *capacity,
                        size_t *length);

#endif
