/* formats.h: tables and documents in the format that the suffix of a file names.
 *
 * Nothing here is owned; files are there whole or not at all.
 */
#ifndef PAGE_FORMATS_H
#define PAGE_FORMATS_H

#include "page/html.h"
#include "table/document.h"

extern const struct printer *const printers[];              /* of tables; NULL at the end */
const struct printer *printer_for_suffix(const char *path); /* also with .gz or .zst behind; NULL: none fits */

/* X(name, suffix) */
#define DOCUMENT_FORMAT_MAP(X) \
    X(MARKDOWN, ".md")         \
    X(HTML, ".html")           \
    X(JSON, ".json")

enum document_format {
#define X(name, suffix) DOCUMENT_##name,
    DOCUMENT_FORMAT_MAP(X)
#undef X
        DOCUMENT_FORMAT_COUNT
};

NODISCARD status document_print(const struct document *document, enum document_format format, struct output *output);
/* STATUS_USAGE where the suffix of a path names no format. */
NODISCARD status document_check_path(const char *path);
/* Whether the suffix names JSON: whoever has a form of his own for programs writes that. */
bool document_is_json(const char *path);
/* In the format that the suffix names, also with .gz or .zst behind it; STATUS_USAGE where it names none. "-" is markdown. */
NODISCARD status document_write(const struct document *document, const char *path);

#endif
