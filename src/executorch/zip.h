/* zip.h: the members of a zip archive that lies in memory.
 *
 * The archive borrows its bytes; it owns only the list of members. A stored member is given as a view into those bytes, a
 * deflated one is unpacked into a block that the caller frees. Every offset and size is checked before use; what does not fit is
 * STATUS_INPUT.
 */
#ifndef EXECUTORCH_ZIP_H
#define EXECUTORCH_ZIP_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/strings.h"

struct zip_member {
    struct text name;  /* as stored; in the archive's bytes */
    uint64_t header;   /* offset of its local header */
    uint64_t packed;   /* bytes in the archive */
    uint64_t size;     /* bytes when unpacked */
    uint32_t checksum; /* CRC-32 of the unpacked bytes */
    uint16_t method;   /* 0 stored, 8 deflated */
    uint16_t flags;    /* bit 0: encrypted */
};

struct zip {
    const char *file;           /* for errors; borrowed */
    struct text bytes;          /* borrowed */
    struct zip_member *members; /* in the order of the directory */
    size_t count;
};

NODISCARD status zip_open(struct zip *zip, const char *file, struct text bytes);
void zip_free(struct zip *zip);

/* The member of this name, the last one where there are several; NULL: none. */
const struct zip_member *zip_find(const struct zip *zip, const char *name);

/* The bytes of a member, valid as long as the archive's. `*owned` (freed with memory_free) holds them where they had to be
 * unpacked, else it is NULL. More than `limit` bytes is STATUS_INPUT. */
NODISCARD status zip_read(const struct zip *zip, const struct zip_member *member, size_t limit, struct text *content,
                          char **owned);

#endif
