/* tar.h: archives of files in the form that every tar reads: POSIX ustar, with a pax header where a name or a size is too large.
 *
 * A writer owns its output until `tar_writer_finish`: the archive is there whole or not at all, and compressed where its name says so.
 * Folders come sorted by name and nothing belongs to anybody, so that the same files give the same archive. What is archived stays
 * where it lies.
 */
#ifndef BASE_TAR_H
#define BASE_TAR_H

#include <stdint.h>

#include "base/output.h"
#include "base/status.h"

struct tar_writer {
    struct output *output; /* NULL: not open */
    uint64_t left_out;     /* entries so far that are not, or not whole, in the archive */
};

NODISCARD status tar_writer_open(struct tar_writer *tar, const char *path);

/* One file, called `name` in the archive. One that cannot be read is STATUS_INPUT and leaves the archive as it was; one that becomes
 * shorter meanwhile is filled with zeros and counted. */
NODISCARD status tar_writer_add_file(struct tar_writer *tar, const char *path, const char *name);

/* A folder with everything below it. What is neither file nor folder or cannot be read is counted and left out. */
NODISCARD status tar_writer_add_folder(struct tar_writer *tar, const char *path, const char *name);

/* Puts the archive in its place where `code`, what came before, is STATUS_OK, else throws it away. Returns the first failure. Call it
 * in any case, also after a failed opening. */
NODISCARD status tar_writer_finish(struct tar_writer *tar, status code);

#endif
