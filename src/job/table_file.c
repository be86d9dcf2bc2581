/* table_file.c: chooses the printer for a file of tables. */
#include "job/table_file.h"

#include <assert.h>
#include <stdio.h>

#include "base/path.h"
#include "job/session.h"
#include "page/formats.h"
#include "table/printer.h"

static status no_format(const char *path)
{
    return status_fail(STATUS_USAGE, "%s: the suffix names no table format; use .csv, .json, .md, .html, .txt or .xlsx",
                       path);
}

static void begin_page(struct output *output, const char *title, const char *about)
{
    char whole[1024];

    snprintf(whole, sizeof whole, "%.500s%s%.500s", title, about && *about ? ": " : "", about ? about : "");
    html_page_begin(output, whole);
}

status tables_to_file(const struct table *const *tables, size_t count, const char *path, const char *about)
{
    const struct printer *printer = printer_for_suffix(path);
    struct output *output;
    status code;

    assert(tables && count && path);
    if (path_ends(path, ".xlsx"))
        return xlsx_write(path, tables, count, NULL);
    if (!printer)
        return no_format(path);
    code = output_open(path, &output);
    if (code != STATUS_OK)
        return code;
    if (printer == &html_printer)
        begin_page(output, table_title(tables[0]), about);
    for (size_t i = 0; i < count; i++) {
        if (i && printer != &html_printer)
            output_write(output, "\n", 1);
        printer_write(printer, output, tables[i], NULL);
    }
    if (printer == &html_printer)
        html_page_end(output);
    return output_commit(output);
}

status table_to_file(const struct table *table, const char *path, const char *about, const struct dialect *dialect,
                     const char *sheet)
{
    struct printer_style style = { .dialect = dialect };
    struct output *output;
    status code;

    assert(table && path);
    if (path_ends(path, ".xlsx"))
        return xlsx_write(path, &table, 1, sheet ? &sheet : NULL);
    if (printer_for_suffix(path) != &csv_printer)
        return tables_to_file(&table, 1, path, about);
    code = output_open(path, &output);
    if (code != STATUS_OK)
        return code;
    printer_write(&csv_printer, output, table, &style);
    return output_commit(output);
}
