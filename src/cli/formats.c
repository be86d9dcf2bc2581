/* formats.c: tacho formats: what can be read and written. */
#include <stdio.h>

#include "cli/terminal.h"
#include "cli/verbs.h"
#include "read/chain.h"
#include "table/printer.h"
#include "write/writer.h"

static bool json;

static const struct option options[] = {
    { "json", 0, OPTION_FLAG, &json, NULL, "as JSON" },
    { 0 },
};

static void add_row(struct table *table, const char *id, const char *direction, const char *title, const char *files)
{
    table_add_row(table);
    table_set_text(table, 0, id);
    table_set_text(table, 1, direction);
    table_set_text(table, 2, title);
    table_set_text(table, 3, files);
}

static void join_suffixes(const char *const *suffixes, char *to, size_t size)
{
    size_t length = 0;

    to[0] = '\0';
    for (; *suffixes && length < size; suffixes++)
        length += (size_t)snprintf(to + length, size - length, "%s*%s", length ? " " : "", *suffixes);
}

static status run(const struct texts *words)
{
    struct table *table;
    status code;

    if (words->count)
        return status_fail(STATUS_USAGE, "tacho formats takes no inputs");
    table = table_new("formats", "");
    if (!table)
        return status_no_memory("making a table");
    table_add_column(table, (struct table_column){ .name = "id", .title = "Format", .type = CELL_TEXT });
    table_add_column(table, (struct table_column){ .name = "direction", .title = "", .type = CELL_TEXT });
    table_add_column(table, (struct table_column){ .name = "title", .title = "What it is", .type = CELL_TEXT });
    table_add_column(table, (struct table_column){ .name = "files", .title = "Usual names", .type = CELL_TEXT });
    for (const struct chain *const *chain = chains; *chain; chain++)
        for (const struct reader *const *reader = (*chain)->readers; *reader; reader++)
            add_row(table, (*reader)->id, "read", (*reader)->title, (*reader)->files);
    for (const struct writer_format *const *format = writer_formats; *format; format++) {
        char suffixes[128];

        join_suffixes((*format)->suffixes, suffixes, sizeof suffixes);
        add_row(table, (*format)->id, "trace", (*format)->title, suffixes);
    }
    for (const struct printer *const *printer = printers; *printer; printer++) {
        char suffix[32];

        snprintf(suffix, sizeof suffix, "*%s", (*printer)->suffix);
        add_row(table, (*printer)->id, "table", "a table", suffix);
    }
    add_row(table, "xlsx", "table", "a spreadsheet", "*.xlsx");
    code = table_status(table);
    if (code == STATUS_OK)
        code = table_print(table, json);
    table_free(table);
    return code;
}

const struct verb formats_verb = {
    .name = "formats",
    .summary = "list the formats that can be read and written",
    .usage = "[--json]",
    .options = options,
    .run = run,
};
