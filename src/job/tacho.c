/* tacho.c: the public functions that need no writer and no profile: version, error message, conversion, tables.
 *
 * A `struct tacho_table` is a `struct table` under its public name.
 */
#include "job/public.h"

#include <string.h>

#include "base/memory.h"
#include "base/path.h"
#include "base/suggest.h"
#include "base/text.h"
#include "job/table_file.h"
#include "version.h"

_Static_assert((int)TACHO_TEXT == (int)CELL_TEXT && (int)TACHO_INTEGER == (int)CELL_INTEGER &&
                   (int)TACHO_DECIMAL == (int)CELL_DECIMAL && (int)TACHO_BOOLEAN == (int)CELL_BOOLEAN &&
                   (int)TACHO_DURATION == (int)CELL_DURATION && (int)TACHO_PERCENT == (int)CELL_PERCENT &&
                   (int)TACHO_BYTES == (int)CELL_BYTES,
               "a cell's type is handed out as it is");

const char *tacho_version(void)
{
    return TACHO_VERSION;
}

const char *tacho_error_message(void)
{
    return status_message();
}

const char *tacho_error_file(uint64_t *line, uint64_t *column)
{
    struct place place = status_place();

    if (line)
        *line = place.line;
    if (column)
        *column = place.column;
    return place.file;
}

void tacho_text_free(char *text)
{
    memory_free(text);
}

enum tacho_status hand_out_text(struct output *memory, status code, char **text)
{
    size_t length = 0;
    const char *written = code == STATUS_OK ? output_memory(memory, &length) : NULL;

    *text = written ? memory_allocate(length + 1) : NULL;
    if (*text)
        memcpy(*text, written, length + 1);
    else if (code == STATUS_OK)
        code = status_no_memory("writing a text");
    output_abandon(memory);
    return to_public(code);
}

/* ---- conversion ------------------------------------------------------------------------------------------------- */

status choose_format(const char *path, const struct tacho_writer_options *options, const struct writer_format **format)
{
    if (!path)
        return status_fail(STATUS_USAGE, "a trace wants the path of a file");
    *format = options && options->format ? writer_named(options->format) : writer_for_path(path);
    if (*format)
        return STATUS_OK;
    if (options && options->format)
        return status_fail(STATUS_USAGE,
                           "no trace format is called \"%s\"; there are perfetto, chrome, speedscope, slices and page",
                           options->format);
    return status_fail(
        STATUS_USAGE, "%s: the suffix names no trace format; use .pb, .pftrace, .json, .speedscope.json, .csv or .html",
        path);
}

/* Options of all chains, one after the other. */
struct companion_walk {
    const struct chain *const *chain;  /* the one at hand */
    const struct chain_option *option; /* its next; NULL: the chain is not begun */
};

static const char *next_companion(void *context)
{
    struct companion_walk *walk = context;

    for (; *walk->chain; walk->chain++, walk->option = NULL) {
        if (!walk->option)
            walk->option = (*walk->chain)->options;
        if (walk->option && walk->option->name)
            return (walk->option++)->name;
    }
    return NULL;
}

static bool is_chain_option(const char *name)
{
    struct companion_walk walk = { .chain = chains };
    const char *known;

    while ((known = next_companion(&walk)) != NULL)
        if (strcmp(known, name) == 0)
            return true;
    return false;
}

static status fail_option(const char *name)
{
    const char *meant = suggest(text_of(name), next_companion, &(struct companion_walk){ .chain = chains });

    return status_fail(STATUS_USAGE, "no tool chain has an option \"%s\" with a value%s%s%s", name,
                       meant ? "; did you mean " : "", meant ? meant : "", meant ? "?" : "");
}

status read_options_fill(struct session_options *own, const struct tacho_read_options *options)
{
    *own = (struct session_options){ 0 };
    if (!options)
        return STATUS_OK;
    own->format = options->format;
    own->clock_mhz = options->clock_mhz;
    own->ticks = options->ticks;
    own->strict = options->strict;
    own->force_companion = options->force_companion;
    for (size_t i = 0; i < options->option_count; i++) {
        const struct tacho_option *option = &options->options[i];

        if (!option->name || !is_chain_option(option->name) || !option->value)
            return fail_option(option->name ? option->name : "");
        settings_set(&own->settings, option->name, option->value);
    }
    return STATUS_OK;
}

struct conversion_options conversion_options_of(const struct tacho_writer_options *options)
{
    struct conversion_options own = CONVERSION_DEFAULTS;

    if (!options)
        return own;
    own.arguments = !options->no_arguments;
    own.overview = !options->no_overview;
    own.by_operator = options->by_operator;
    own.counters = options->counters;
    return own;
}

status open_input(struct session *session, const char *name, const char *path)
{
    const char *file = path && strcmp(path, "-") == 0 ? "stdin" : path;

    if (!path)
        return status_fail(STATUS_USAGE, "an input wants the path of a file");
    return session_add(session, path, name ? name : path_name(file));
}

enum tacho_status tacho_convert(const struct tacho_input *inputs, size_t count, const char *path,
                                const struct tacho_writer_options *writer_options,
                                const struct tacho_read_options *read_options, struct tacho_row_counts *counts)
{
    struct session_options own;
    struct conversion_options conversion_options = conversion_options_of(writer_options);
    const struct writer_format *format = NULL;
    struct conversion_result result;
    struct session session;
    status code = choose_format(path, writer_options, &format);

    if (counts)
        *counts = (struct tacho_row_counts){ 0 };
    if (code == STATUS_OK && !count)
        code = status_fail(STATUS_USAGE, "a conversion wants at least one input");
    if (code == STATUS_OK)
        code = read_options_fill(&own, read_options);
    if (code != STATUS_OK)
        return to_public(code);
    code = session_start(&session, &own);
    for (size_t i = 0; i < count && code == STATUS_OK; i++)
        code = open_input(&session, inputs[i].name, inputs[i].path);
    if (code == STATUS_OK)
        code = conversion_write(&session, path, format, &conversion_options, &result);
    for (size_t i = 0; i < session.profile_count && counts && code == STATUS_OK; i++)
        counts_add(counts, &session.profiles[i].losses);
    session_end(&session);
    return to_public(code);
}

/* ---- tables ----------------------------------------------------------------------------------------------------- */

static const struct table *inner(const struct tacho_table *table)
{
    return (const struct table *)table;
}

void tacho_table_free(struct tacho_table *table)
{
    table_free((struct table *)table);
}

enum tacho_status tacho_table_write(const struct tacho_table *table, const char *path)
{
    if (!path)
        return to_public(status_fail(STATUS_USAGE, "a table wants the path of a file"));
    return to_public(table_to_file(inner(table), path, NULL, NULL, NULL));
}

/* NULL: none is called so. */
static const struct printer *printer_named(const char *id)
{
    for (const struct printer *const *printer = printers; id && *printer; printer++)
        if (strcmp((*printer)->id, id) == 0)
            return *printer;
    return NULL;
}

enum tacho_status tacho_table_print(const struct tacho_table *table, const struct tacho_print_options *options,
                                    char **text)
{
    const struct printer *printer = printer_named(options && options->format ? options->format : "text");
    const struct printer_style style = { .width = options ? options->width : 0, .bars = true };
    size_t most = options && options->rows ? options->rows : SIZE_MAX;
    struct output *output;
    void *state;
    status code;

    *text = NULL;
    if (!printer)
        return to_public(status_fail(STATUS_USAGE,
                                     "a table is printed as \"text\", \"csv\", \"json\", \"markdown\" or \"html\", not "
                                     "as \"%s\"",
                                     options->format));
    code = output_open_memory(&output);
    if (code != STATUS_OK)
        return to_public(code);
    state = printer->begin(output, inner(table), &style);
    for (size_t row = 0; row < table_rows(inner(table)) && row < most; row++)
        printer->row(output, inner(table), &style, state, row);
    printer->end(output, inner(table), &style, state);
    return hand_out_text(output, output_status(output), text);
}

const char *tacho_table_id(const struct tacho_table *table)
{
    return table_name(inner(table));
}

const char *tacho_table_title(const struct tacho_table *table)
{
    return table_title(inner(table));
}

size_t tacho_table_rows(const struct tacho_table *table)
{
    return table_rows(inner(table));
}

size_t tacho_table_columns(const struct tacho_table *table)
{
    return table_columns(inner(table));
}

size_t tacho_table_notes(const struct tacho_table *table)
{
    return table_notes(inner(table));
}

const char *tacho_table_note(const struct tacho_table *table, size_t index)
{
    return index < table_notes(inner(table)) ? table_note_at(inner(table), index) : NULL;
}

/* NULL: there is no such column. */
static const struct table_column *find_column(const struct tacho_table *table, size_t column)
{
    return column < table_columns(inner(table)) ? table_column(inner(table), column) : NULL;
}

const char *tacho_table_column_name(const struct tacho_table *table, size_t column)
{
    const struct table_column *found = find_column(table, column);

    return found ? found->name : NULL;
}

const char *tacho_table_column_title(const struct tacho_table *table, size_t column)
{
    const struct table_column *found = find_column(table, column);

    if (!found)
        return NULL;
    return found->title ? found->title : found->name;
}

const char *tacho_table_column_unit(const struct tacho_table *table, size_t column)
{
    const struct table_column *found = find_column(table, column);

    return found ? found->unit : NULL;
}

const char *tacho_table_column_description(const struct tacho_table *table, size_t column)
{
    const struct table_column *found = find_column(table, column);

    return found ? found->description : NULL;
}

enum tacho_type tacho_table_column_type(const struct tacho_table *table, size_t column)
{
    const struct table_column *found = find_column(table, column);

    return found ? (enum tacho_type)found->type : TACHO_TEXT;
}

size_t tacho_table_find_column(const struct tacho_table *table, const char *name)
{
    size_t count = table_columns(inner(table));

    for (size_t i = 0; name && i < count; i++)
        if (strcmp(table_column(inner(table), i)->name, name) == 0)
            return i;
    return count;
}

/* False: outside of the table, or null. */
static bool find_cell(const struct tacho_table *table, size_t row, size_t column, struct table_cell *cell)
{
    if (row >= table_rows(inner(table)) || column >= table_columns(inner(table)))
        return false;
    *cell = table_cell(inner(table), row, column);
    return !cell->null;
}

bool tacho_table_is_null(const struct tacho_table *table, size_t row, size_t column)
{
    struct table_cell cell;

    return !find_cell(table, row, column, &cell);
}

static bool holds_integer(enum tacho_type type)
{
    return type == TACHO_INTEGER || type == TACHO_DURATION || type == TACHO_BYTES;
}

const char *tacho_table_text(const struct tacho_table *table, size_t row, size_t column)
{
    struct table_cell cell;

    return tacho_table_column_type(table, column) == TACHO_TEXT && find_cell(table, row, column, &cell) ? cell.text
                                                                                                        : NULL;
}

int64_t tacho_table_integer(const struct tacho_table *table, size_t row, size_t column)
{
    struct table_cell cell;

    return holds_integer(tacho_table_column_type(table, column)) && find_cell(table, row, column, &cell) ? cell.integer
                                                                                                         : 0;
}

double tacho_table_decimal(const struct tacho_table *table, size_t row, size_t column)
{
    enum tacho_type type = tacho_table_column_type(table, column);
    struct table_cell cell;

    if (!find_cell(table, row, column, &cell))
        return 0;
    if (holds_integer(type))
        return (double)cell.integer;
    return type == TACHO_DECIMAL || type == TACHO_PERCENT ? cell.decimal : 0;
}

bool tacho_table_boolean(const struct tacho_table *table, size_t row, size_t column)
{
    struct table_cell cell;

    return tacho_table_column_type(table, column) == TACHO_BOOLEAN && find_cell(table, row, column, &cell) &&
           cell.boolean;
}
