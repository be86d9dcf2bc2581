/* formats.c: tacho formats: what can be read and written. */
#include <stdio.h>

#include "base/memory.h"
#include "job/core_verbs.h"
#include "page/formats.h"
#include "table/printer.h"
#include "write/writer.h"

struct format_row {
    const char *id;        /* as --format and --to take it */
    const char *direction; /* read, trace, table */
    const char *title;     /* for people */
    char files[192];       /* what such files are called */
};

struct format_rows {
    struct format_row *items; /* owned */
    size_t count, capacity;   /* of items */
};

static struct table_cell get_id(const void *context, size_t row)
{
    return cell_text(((const struct format_rows *)context)->items[row].id);
}

static struct table_cell get_direction(const void *context, size_t row)
{
    return cell_text(((const struct format_rows *)context)->items[row].direction);
}

static struct table_cell get_title(const void *context, size_t row)
{
    return cell_text(((const struct format_rows *)context)->items[row].title);
}

static struct table_cell get_files(const void *context, size_t row)
{
    return cell_text(((const struct format_rows *)context)->items[row].files);
}

static const struct field fields[] = {
    { .key = "id", .title = "Format", .type = CELL_TEXT, .description = "name for --format and --to", .get = get_id },
    { .key = "direction",
      .title = "",
      .type = CELL_TEXT,
      .description = "read, or written as a trace or a table",
      .get = get_direction },
    { .key = "title", .title = "What it is", .type = CELL_TEXT, .description = "in words", .get = get_title },
    { .key = "files",
      .title = "Usual names",
      .type = CELL_TEXT,
      .description = "what such files are called",
      .get = get_files },
    { .key = NULL },
};
static const struct field_set set = { "format", fields };
static const struct field_set *const sets[] = { &set, NULL };
static const struct view view = { .name = "formats", .title = "" };
static const struct view *const views[] = { &view, NULL };

static status add(struct format_rows *rows, const char *id, const char *direction, const char *title, const char *files)
{
    status code = memory_grow(&rows->items, &rows->capacity, rows->count + 1, sizeof *rows->items);

    if (code != STATUS_OK)
        return code;
    rows->items[rows->count] = (struct format_row){ .id = id, .direction = direction, .title = title };
    snprintf(rows->items[rows->count++].files, sizeof rows->items->files, "%s", files);
    return STATUS_OK;
}

static void join_suffixes(const char *const *suffixes, char *to, size_t size)
{
    size_t length = 0;

    to[0] = '\0';
    for (; *suffixes && length < size; suffixes++)
        length += (size_t)snprintf(to + length, size - length, "%s*%s", length ? " " : "", *suffixes);
}

static status collect(struct format_rows *rows)
{
    struct reader_walk walk = { 0 };
    char files[192];
    status code = STATUS_OK;

    for (const struct reader *reader = reader_next(&walk); reader && code == STATUS_OK; reader = reader_next(&walk))
        code = add(rows, reader->id, "read", reader->title, reader->files);
    for (const struct writer_format *const *format = writer_formats; *format && code == STATUS_OK; format++) {
        join_suffixes((*format)->suffixes, files, sizeof files);
        code = add(rows, (*format)->id, "trace", (*format)->title, files);
    }
    for (const struct printer *const *printer = printers; *printer && code == STATUS_OK; printer++) {
        snprintf(files, sizeof files, "*%s", (*printer)->suffix);
        code = add(rows, (*printer)->id, "table", "a table", files);
    }
    return code == STATUS_OK ? add(rows, "xlsx", "table", "a spreadsheet", "*.xlsx") : code;
}

static status run(struct job *job)
{
    struct format_rows formats = { 0 };
    struct rows rows = { .entity = "format", .sets = sets, .context = &formats };
    struct table *table = NULL;
    status code;

    if (job->inputs.count)
        return status_fail(STATUS_USAGE, "tacho formats takes no inputs");
    code = collect(&formats);
    rows.count = formats.count;
    if (code == STATUS_OK)
        code = view_table(&rows, views, &job->view, &table);
    memory_free(formats.items);
    return code == STATUS_OK ? job_table(job, table) : code;
}

static const struct verb_table tables[] = { { "formats", "a row per format that can be read or written" }, { 0 } };

const struct verb formats_verb = {
    .name = "formats",
    .summary = "list the formats that can be read and written",
    .usage = "[options]",
    .takes = VERB_VIEWS | VERB_JSON | VERB_OUTPUTS,
    .tables = tables,
    .run = run,
};
