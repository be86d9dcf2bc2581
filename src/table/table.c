/* table.c: a row is an array of 64-bit words: one bit per column that says whether the cell was set, then one word per cell.
 *
 *     | set bits 0..63 | set bits 64.. | cell 0 | cell 1 | ... |
 *
 * Texts are pooled, because the columns of an annotated trace repeat the same few names on every row.
 */
#include "table/table.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/column.h"
#include "base/memory.h"
#include "base/strings.h"

union word {
    uint64_t bits;
    const char *text;
    int64_t integer;
    double decimal;
};

struct definition {
    struct table_column column; /* its texts lie in the pool */
    size_t filled;              /* rows in which the cell is set */
};

struct table {
    struct strings *strings;        /* every text of the table */
    const char *name;               /* in machine outputs */
    const char *title;              /* for people */
    struct definition *definitions; /* by column */
    size_t columns;                 /* of definitions */
    size_t columns_capacity;        /* of definitions */
    struct column rows;             /* started with the first row, when the number of columns is known */
    size_t row_count;               /* of rows */
    union word *newest;             /* the row that the setters fill; NULL: none yet */
    const char **notes;             /* texts of the pool; the list is owned */
    size_t note_count;              /* of notes */
    size_t notes_capacity;          /* of notes */
    status failure;                 /* the first one; from then on nothing is taken in */
};

static size_t bit_words(const struct table *table)
{
    return table->columns / 64 + 1;
}

/* A pooled copy; NULL for NULL and after a failure. */
static const char *keep(struct table *table, const char *text)
{
    string_id id;

    if (!text || table->failure != STATUS_OK)
        return NULL;
    table->failure = strings_add_text(table->strings, text, &id);
    return table->failure == STATUS_OK ? strings_text(table->strings, id) : NULL;
}

struct table *table_new(const char *name, const char *title)
{
    struct table *table = memory_allocate_clear(sizeof *table);

    if (!table)
        return NULL;
    table->strings = strings_new();
    if (table->strings) {
        table->name = keep(table, name ? name : "");
        table->title = keep(table, title ? title : "");
    }
    if (!table->name || !table->title) {
        table_free(table);
        return NULL;
    }
    return table;
}

void table_free(struct table *table)
{
    if (!table)
        return;
    column_free(&table->rows);
    strings_free(table->strings);
    memory_free(table->definitions);
    memory_free(table->notes);
    memory_free(table);
}

status table_status(const struct table *table)
{
    /* The sentence is made anew: other work may have failed, and written over it, since the failure stuck. */
    if (table->failure == STATUS_OK)
        return STATUS_OK;
    if (table->failure == STATUS_MEMORY)
        return status_no_memory("building a table");
    return status_fail(table->failure, "too many different texts for one table, or one too long");
}

static bool name_taken(const struct table *table, const char *name)
{
    for (size_t i = 0; i < table->columns; i++) {
        if (strcmp(table->definitions[i].column.name, name) == 0)
            return true;
    }
    return false;
}

/* The name itself if it is free, else the first free one of name_2, name_3, … */
static const char *keep_unique_name(struct table *table, const char *name)
{
    const char *unique = NULL;
    size_t size = strlen(name) + sizeof "_18446744073709551615";
    char *candidate;

    assert(name);
    if (!name_taken(table, name))
        return keep(table, name);
    candidate = memory_allocate(size);
    if (!candidate) {
        table->failure = status_no_memory("naming a column");
        return NULL;
    }
    /* One of columns + 1 different candidates must be free. */
    for (size_t i = 2; i <= table->columns + 2; i++) {
        snprintf(candidate, size, "%s_%zu", name, i);
        if (!name_taken(table, candidate)) {
            unique = keep(table, candidate);
            break;
        }
    }
    memory_free(candidate);
    return unique;
}

size_t table_add_column(struct table *table, struct table_column column)
{
    struct definition *definition;

    assert(table->row_count == 0);
    assert(column.type <= CELL_BYTES);
    if (table->failure == STATUS_OK)
        table->failure =
            memory_grow(&table->definitions, &table->columns_capacity, table->columns + 1, sizeof *table->definitions);
    if (table->failure != STATUS_OK)
        return table->columns;
    definition = &table->definitions[table->columns];
    *definition = (struct definition){ .column = column };
    definition->column.name = keep_unique_name(table, column.name ? column.name : "");
    definition->column.title = keep(table, column.title);
    definition->column.unit = keep(table, column.unit);
    definition->column.description = keep(table, column.description);
    if (table->failure != STATUS_OK)
        return table->columns;
    return table->columns++;
}

void table_add_row(struct table *table)
{
    if (table->failure != STATUS_OK)
        return;
    if (table->row_count == 0)
        column_start(&table->rows, (bit_words(table) + table->columns) * sizeof(union word));
    table->newest = column_append(&table->rows);
    if (!table->newest) {
        table->failure = status_no_memory("adding a row to a table");
        return;
    }
    memset(table->newest, 0, bit_words(table) * sizeof(union word));
    table->row_count++;
}

/* The cell of the newest row, marked as set; NULL after a failure. `types`: one bit per type that the caller fills. */
static union word *fill(struct table *table, size_t column, unsigned types)
{
    uint64_t mask = (uint64_t)1 << column % 64;

    if (table->failure != STATUS_OK)
        return NULL;
    assert(table->newest && column < table->columns);
    assert(types >> table->definitions[column].column.type & 1);
    (void)types;
    if (!(table->newest[column / 64].bits & mask)) {
        table->newest[column / 64].bits |= mask;
        table->definitions[column].filled++;
    }
    return &table->newest[bit_words(table) + column];
}

void table_set_text(struct table *table, size_t column, const char *text)
{
    const char *kept = keep(table, text);
    union word *cell = kept ? fill(table, column, 1u << CELL_TEXT) : NULL;

    if (cell)
        cell->text = kept;
}

void table_set_integer(struct table *table, size_t column, int64_t value)
{
    union word *cell = fill(table, column, 1u << CELL_INTEGER | 1u << CELL_DURATION | 1u << CELL_BYTES);

    if (cell)
        cell->integer = value;
}

void table_set_decimal(struct table *table, size_t column, double value)
{
    union word *cell = fill(table, column, 1u << CELL_DECIMAL | 1u << CELL_PERCENT);

    if (cell)
        cell->decimal = value;
}

void table_set_boolean(struct table *table, size_t column, bool value)
{
    union word *cell = fill(table, column, 1u << CELL_BOOLEAN);

    if (cell)
        cell->integer = value;
}

/* The formatted text, to be freed; NULL: out of memory. */
static char *PRINTF_LIKE(1, 0) __attribute__((nonnull)) format_text(const char *format, va_list arguments)
{
    va_list again;
    char *text;
    int length;

    va_copy(again, arguments);
    length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0)
        length = 0;
    text = memory_allocate((size_t)length + 1);
    if (!text)
        return NULL;
    text[0] = '\0';
    vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

void table_note(struct table *table, const char *format, ...)
{
    va_list arguments;
    const char *kept;
    char *text;

    if (table->failure == STATUS_OK)
        table->failure =
            memory_grow(&table->notes, &table->notes_capacity, table->note_count + 1, sizeof *table->notes);
    if (table->failure != STATUS_OK)
        return;
    va_start(arguments, format);
    text = format_text(format, arguments);
    va_end(arguments);
    if (!text) {
        table->failure = status_no_memory("adding a note to a table");
        return;
    }
    kept = keep(table, text);
    memory_free(text);
    if (kept)
        table->notes[table->note_count++] = kept;
}

const char *table_name(const struct table *table)
{
    return table->name;
}

const char *table_title(const struct table *table)
{
    return table->title;
}

size_t table_columns(const struct table *table)
{
    return table->columns;
}

size_t table_rows(const struct table *table)
{
    return table->row_count;
}

size_t table_notes(const struct table *table)
{
    return table->note_count;
}

size_t table_nulls(const struct table *table, size_t column)
{
    assert(column < table->columns);
    return table->row_count - table->definitions[column].filled;
}

const struct table_column *table_column(const struct table *table, size_t column)
{
    assert(column < table->columns);
    return &table->definitions[column].column;
}

struct table_cell table_cell(const struct table *table, size_t row, size_t column)
{
    const union word *words;
    const union word *word;
    struct table_cell cell = { .null = true };

    assert(row < table->row_count && column < table->columns);
    words = column_at(&table->rows, row);
    if (!(words[column / 64].bits >> column % 64 & 1))
        return cell;
    cell.null = false;
    word = &words[bit_words(table) + column];
    switch (table->definitions[column].column.type) {
    case CELL_TEXT:
        cell.text = word->text;
        break;
    case CELL_INTEGER:
    case CELL_DURATION:
    case CELL_BYTES:
        cell.integer = word->integer;
        break;
    case CELL_DECIMAL:
    case CELL_PERCENT:
        cell.decimal = word->decimal;
        break;
    case CELL_BOOLEAN:
        cell.boolean = word->integer != 0;
        break;
    }
    return cell;
}

const char *table_note_at(const struct table *table, size_t index)
{
    assert(index < table->note_count);
    return table->notes[index];
}
