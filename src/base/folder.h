/* folder.h: whether a folder is there, and the names in it, sorted. */
#ifndef BASE_FOLDER_H
#define BASE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/status.h"

struct folder_names {
    const char **names; /* by bytes; without "." and ".." */
    size_t count;       /* of names */
    size_t capacity;    /* of names */
    struct arena arena; /* holds the texts */
};

bool folder_exists(const char *path); /* links are followed */

/* STATUS_INPUT where the folder cannot be read. Free the names in any case. */
NODISCARD status folder_list(const char *path, struct folder_names *names);
void folder_free(struct folder_names *names);

#endif
