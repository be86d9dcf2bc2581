/* folder.h: the names in a folder, sorted. */
#ifndef LIBRARY_FOLDER_H
#define LIBRARY_FOLDER_H

#include <stddef.h>

#include "base/arena.h"
#include "base/status.h"

struct folder_names {
    const char **names; /* by bytes; without "." and ".." */
    size_t count;
    size_t capacity;
    struct arena arena; /* holds the texts */
};

/* STATUS_INPUT where the folder cannot be read. Free the names in any case. */
NODISCARD status folder_list(const char *path, struct folder_names *names);
void folder_free(struct folder_names *names);

#endif
