/* tar.h: an archive of files, in the form that every tar reads: POSIX ustar, with a pax header where a name or size is too large.
 *
 * The archive is a file that is there whole or not at all; a name that ends in .tgz or .gz is compressed. Entries are sorted by
 * name and belong to nobody in particular, so that the same files give the same archive. Nothing is removed from where it lies.
 */
#ifndef BASE_TAR_H
#define BASE_TAR_H

#include <stdint.h>

#include "base/status.h"

struct tar;

NODISCARD status tar_open(const char *path, struct tar **tar);

/* One file, called `name` in the archive. A file that cannot be read is STATUS_INPUT and leaves the archive as it was; one that
 * becomes shorter while it is read is filled with zeros and counted. */
NODISCARD status tar_add_file(struct tar *tar, const char *path, const char *name);

/* A folder with everything below it. What is no file or folder, cannot be read, or lies too deep is counted and left out. */
NODISCARD status tar_add_folder(struct tar *tar, const char *path, const char *name);

uint64_t tar_left_out(const struct tar *tar); /* entries so far that are not, or not whole, in the archive */

NODISCARD status tar_commit(struct tar *tar); /* also frees it; on failure nothing is left behind */
void tar_abandon(struct tar *tar);            /* NULL is fine */

#endif
