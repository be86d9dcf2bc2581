#include "table/printer.h"

#include <string.h>

const struct printer *const printers[] = { &text_printer,     &csv_printer,  &json_printer,
                                           &markdown_printer, &html_printer, NULL };

static bool ends_with(const char *text, size_t length, const char *suffix)
{
    size_t size = strlen(suffix);

    return length > size && memcmp(text + length - size, suffix, size) == 0;
}

const struct printer *printer_for_suffix(const char *path)
{
    size_t length = strlen(path);

    if (ends_with(path, length, ".gz"))
        length -= strlen(".gz");
    else if (ends_with(path, length, ".zst"))
        length -= strlen(".zst");
    for (size_t i = 0; printers[i]; i++) {
        if (ends_with(path, length, printers[i]->suffix))
            return printers[i];
    }
    return NULL;
}

void printer_write(const struct printer *printer, struct output *output, const struct table *table,
                   const struct printer_style *style)
{
    static const struct printer_style plain = { 0 };
    void *state;

    if (!style)
        style = &plain;
    state = printer->begin(output, table, style);
    for (size_t i = 0; i < table_rows(table); i++)
        printer->row(output, table, style, state, i);
    printer->end(output, table, style, state);
}
