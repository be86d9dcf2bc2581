/* formats.c: tacho formats: what can be read and written, and which verb takes which of what is read. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

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

/* ---- Verbs and formats ----------------------------------------------------------------------------------------------- */

enum { MOST_VERBS = 32, MOST_READERS = 64 }; /* more than there are */

/* Which verb takes which format: a row per format, a column per verb that reads profiles. */
struct matrix {
    const struct verb *verbs[MOST_VERBS];       /* the columns */
    const struct reader *readers[MOST_READERS]; /* the rows */
    size_t verb_count;                          /* of verbs */
    size_t reader_count;                        /* of readers */
};

/* The core's verbs are for every profile, and of the others those come first that take most formats: a narrow terminal shows them. */
static size_t formats_of(const struct matrix *matrix, const struct verb *verb)
{
    size_t count = 0;

    for (size_t i = 0; i < matrix->reader_count; i++)
        count += verb_refuses(verb, matrix->readers[i]) == NULL;
    return count;
}

static void add_verb(struct matrix *matrix, const struct verb *verb)
{
    size_t at = matrix->verb_count++;

    assert(matrix->verb_count < MOST_VERBS);
    for (; at && formats_of(matrix, matrix->verbs[at - 1]) < formats_of(matrix, verb); at--)
        matrix->verbs[at] = matrix->verbs[at - 1];
    matrix->verbs[at] = verb;
}

/* What keeps and shows answers comes behind the verbs that answer. */
static bool stands_on_jobs(const struct verb *verb)
{
    for (size_t i = 0; further_verbs[i]; i++)
        if (further_verbs[i] == verb)
            return true;
    return false;
}

/* What takes every format is told below the table. */
static bool has_column(const struct matrix *matrix, const struct verb *verb)
{
    return verb_reads(verb) && formats_of(matrix, verb) < matrix->reader_count;
}

static void fill_matrix(struct matrix *matrix)
{
    struct reader_walk readers = { 0 };
    struct verb_walk verbs = { 0 };

    for (const struct reader *reader; (reader = reader_next(&readers)); matrix->reader_count++) {
        assert(matrix->reader_count < MOST_READERS);
        matrix->readers[matrix->reader_count] = reader;
    }
    for (const struct verb *verb; (verb = verb_next(&verbs));)
        if (has_column(matrix, verb) && !stands_on_jobs(verb))
            add_verb(matrix, verb);
    for (size_t i = 0; further_verbs[i]; i++)
        if (has_column(matrix, further_verbs[i]))
            add_verb(matrix, further_verbs[i]);
}

static struct table_cell get_reader(const void *context, size_t row)
{
    return cell_text(((const struct matrix *)context)->readers[row]->id);
}

/* In a word, so that the verbs for all profiles fit a terminal; the sentence is a note below the table. */
static struct table_cell get_taken(const void *context, size_t row, size_t place)
{
    const struct matrix *matrix = context;
    const struct reader *reader = matrix->readers[row];

    if (!verb_refuses(matrix->verbs[place], reader))
        return cell_text("yes");
    return cell_text(reader->timeless && verb_refuses(matrix->verbs[place], reader) == reader->timeless ? "none"
                                                                                                        : "other");
}

/* The reasons in whole sentences, each once, with the verbs that give it. */
static void note_reasons(struct table *table, const struct matrix *matrix)
{
    for (size_t row = 0; row < matrix->reader_count; row++)
        if (matrix->readers[row]->timeless)
            table_note(table, "none: %s: %s", matrix->readers[row]->id, matrix->readers[row]->timeless);
    for (size_t place = 0; place < matrix->verb_count; place++) {
        for (size_t row = 0; row < matrix->reader_count; row++) {
            const char *reason = verb_refuses(matrix->verbs[place], matrix->readers[row]);

            if (!reason || reason == matrix->readers[row]->timeless)
                continue;
            table_note(table, "other: %s: %s", matrix->verbs[place]->name, reason);
            break;
        }
    }
}

/* Verbs without a column take something else than profiles, or each of these formats. */
static void note_others(struct table *table, const struct matrix *matrix, bool all)
{
    struct verb_walk walk = { 0 };
    char names[256] = "";
    size_t length = 0;

    for (const struct verb *verb; (verb = verb_next(&walk));)
        if (all ? verb_reads(verb) && formats_of(matrix, verb) == matrix->reader_count : !verb_reads(verb))
            length += length < sizeof names ? (size_t)snprintf(names + length, sizeof names - length, "%s%s",
                                                               length ? ", " : "", verb->name)
                                            : 0;
    if (length)
        table_note(table, all ? "all of these are taken by %s" : "no profiles are read by %s", names);
}

static status show_matrix(struct job *job)
{
    static const struct view matrix_view = { .name = "matrix", .title = "Which verb takes which format" };
    static const struct view *const matrix_views[] = { &matrix_view, NULL };
    struct matrix matrix = { .verb_count = 0 };
    struct field columns[MOST_VERBS + 2] = {
        { .key = "format", .title = "Format", .type = CELL_TEXT, .description = "name for --format", .get = get_reader }
    };
    const struct field_set taken = { "format", columns };
    const struct field_set *const all[] = { &taken, NULL };
    struct rows rows = { .entity = "format", .sets = all, .context = &matrix };
    struct table *table = NULL;
    status code;

    fill_matrix(&matrix);
    rows.count = matrix.reader_count;
    for (size_t i = 0; i < matrix.verb_count; i++)
        columns[i + 1] = (struct field){ .key = matrix.verbs[i]->name,
                                         .type = CELL_TEXT,
                                         .description = matrix.verbs[i]->summary,
                                         .get_at = get_taken,
                                         .place = i,
                                         .optional = true };
    code = view_table(&rows, matrix_views, &job->view, &table);
    if (code == STATUS_OK && !view_asks_help(&job->view)) {
        note_reasons(table, &matrix);
        note_others(table, &matrix, true);
        note_others(table, &matrix, false);
    }
    return code == STATUS_OK ? job_table(job, table) : code;
}

/* ---- The verb ------------------------------------------------------------------------------------------------------- */

struct settings_of_formats {
    bool matrix; /* which verb takes which */
};

static const struct option options[] = {
    { "matrix", 0, OPTION_FLAG, offsetof(struct settings_of_formats, matrix), NULL, "which verb takes which format" },
    { 0 },
};

static status run(struct job *job)
{
    const struct settings_of_formats *settings = job->settings;
    struct format_rows formats = { 0 };
    struct rows rows = { .entity = "format", .sets = sets, .context = &formats };
    struct table *table = NULL;
    status code;

    if (job->inputs.count)
        return status_fail(STATUS_USAGE, "tacho formats takes no inputs");
    if (settings->matrix)
        return show_matrix(job);
    code = collect(&formats);
    rows.count = formats.count;
    if (code == STATUS_OK)
        code = view_table(&rows, views, &job->view, &table);
    memory_free(formats.items);
    return code == STATUS_OK ? job_table(job, table) : code;
}

static const struct verb_table tables[] = {
    { .name = "formats", .description = "a row per format that can be read or written" },
    { .name = "matrix",
      .description = "with --matrix: a row per format that can be read, a column per verb that takes some of them" },
    { 0 },
};

const struct verb formats_verb = {
    .name = "formats",
    .summary = "list the formats that can be read and written",
    .usage = "[options]",
    .takes = VERB_VIEWS | VERB_JSON | VERB_OUTPUTS,
    .options = options,
    .settings_size = sizeof(struct settings_of_formats),
    .tables = tables,
    .run = run,
};
