/* printer.c: drives a printer over a table. */
#include "table/printer.h"

#include <assert.h>

void printer_write(const struct printer *printer, struct output *output, const struct table *table,
                   const struct printer_style *style)
{
    static const struct printer_style plain = { 0 };
    void *state;

    assert(printer->begin && printer->row && printer->end);
    if (!style)
        style = &plain;
    state = printer->begin(output, table, style);
    for (size_t i = 0; i < table_rows(table); i++)
        printer->row(output, table, style, state, i);
    printer->end(output, table, style, state);
}
