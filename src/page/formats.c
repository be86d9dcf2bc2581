/* formats.c: the printers of tables and documents, by suffix. */
#include "page/formats.h"

#include <assert.h>
#include <string.h>

#include "base/path.h"

const struct printer *const printers[] = { &text_printer,     &csv_printer,  &json_printer,
                                           &markdown_printer, &html_printer, NULL };

const struct printer *printer_for_suffix(const char *path)
{
    struct text whole = path_unpacked(path);

    assert(path);
    for (size_t i = 0; printers[i]; i++)
        if (whole.length > strlen(printers[i]->suffix) && text_ends(whole, printers[i]->suffix))
            return printers[i];
    return NULL;
}

status document_print(const struct document *document, enum document_format format, struct output *output)
{
    status code = document_status(document);

    assert(format < DOCUMENT_FORMAT_COUNT);
    if (code != STATUS_OK)
        return code;
    if (format != DOCUMENT_JSON)
        return document_print_prose(document, format == DOCUMENT_HTML ? &html_prose : &markdown_prose, output);
    document_print_json(document, output);
    return STATUS_OK;
}

static bool format_of(const char *path, enum document_format *format)
{
    static const char *const suffixes[] = {
#define X(name, suffix) suffix,
        DOCUMENT_FORMAT_MAP(X)
#undef X
    };
    struct text whole = path_unpacked(path);

    *format = DOCUMENT_MARKDOWN;
    if (strcmp(path, "-") == 0)
        return true;
    for (size_t i = 0; i < DOCUMENT_FORMAT_COUNT; i++) {
        if (whole.length > strlen(suffixes[i]) && text_ends(whole, suffixes[i])) {
            *format = (enum document_format)i;
            return true;
        }
    }
    return false;
}

bool document_is_json(const char *path)
{
    enum document_format format;

    return format_of(path, &format) && format == DOCUMENT_JSON;
}

status document_check_path(const char *path)
{
    enum document_format format;

    if (format_of(path, &format))
        return STATUS_OK;
    return status_fail(STATUS_USAGE, "%s: the suffix names no document format; use .md, .html or .json", path);
}

status document_write(const struct document *document, const char *path)
{
    enum document_format format;
    struct output *output;
    status code = document_check_path(path);

    if (code == STATUS_OK)
        code = document_status(document);
    if (code == STATUS_OK)
        code = output_open(path, &output);
    if (code != STATUS_OK)
        return code;
    (void)format_of(path, &format);
    return output_finish(output, document_print(document, format, output));
}
