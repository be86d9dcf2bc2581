/* writer.c: the trace formats, by name and suffix. */
#include "write/writer.h"

#include <assert.h>
#include <string.h>

const struct writer_format *const writer_formats[] = {
    &perfetto_format, &chrome_format, &speedscope_format, &slices_format, &page_format, NULL,
};

void writer_free(struct writer *writer)
{
    if (writer->free)
        writer->free(writer->self);
    *writer = (struct writer){ .self = NULL };
}

static bool ends_in(const char *path, size_t length, const char *suffix)
{
    size_t size = strlen(suffix);

    return length > size && memcmp(path + length - size, suffix, size) == 0;
}

/* Length of the path without the suffix of a compression. */
static size_t bare_length(const char *path)
{
    static const char *const compressions[] = { ".gz", ".zst", NULL };
    size_t length = strlen(path);

    for (unsigned i = 0; compressions[i]; i++) {
        if (ends_in(path, length, compressions[i]))
            return length - strlen(compressions[i]);
    }
    return length;
}

const struct writer_format *writer_for_path(const char *path)
{
    const struct writer_format *best = NULL;
    size_t length = bare_length(path);
    size_t longest = 0;

    assert(path);
    for (unsigned i = 0; writer_formats[i]; i++) {
        for (const char *const *suffix = writer_formats[i]->suffixes; *suffix; suffix++) {
            if (strlen(*suffix) > longest && ends_in(path, length, *suffix)) {
                longest = strlen(*suffix);
                best = writer_formats[i];
            }
        }
    }
    return best;
}

const struct writer_format *writer_named(const char *id)
{
    assert(id);
    for (unsigned i = 0; writer_formats[i]; i++) {
        if (strcmp(writer_formats[i]->id, id) == 0)
            return writer_formats[i];
    }
    return NULL;
}
