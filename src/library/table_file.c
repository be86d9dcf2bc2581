#include "library/table_file.h"

#include "library/session.h"
#include "write/printer.h"

status table_to_file(const struct table *table, const char *path, const struct dialect *dialect, const char *sheet)
{
    const struct printer *printer = printer_for_suffix(path);
    struct printer_style style = { .dialect = dialect };
    struct output *output;
    status code;

    if (path_ends(path, ".xlsx"))
        return xlsx_write(path, &table, 1, sheet ? &sheet : NULL);
    if (!printer)
        return status_fail(STATUS_USAGE,
                           "%s: the suffix names no table format; use .csv, .json, .md, .html, .txt or .xlsx", path);
    code = output_open(path, &output);
    if (code != STATUS_OK)
        return code;
    if (printer == &html_printer)
        html_page_begin(output, table_title(table));
    printer_write(printer, output, table, &style);
    if (printer == &html_printer)
        html_page_end(output);
    return output_commit(output);
}
