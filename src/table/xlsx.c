/* xlsx.c: tables as sheets of one Excel workbook.
 *
 * libxlsxwriter, which is loaded where it is needed, can only write to a named file, so the workbook is made in the
 * temporary folder, checked, and then goes through an output, which knows how to be there whole or not at all. Rows are
 * streamed (`constant_memory`), because a sheet may have a million of them.
 */
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <xlsxwriter.h>

#include "base/loaded.h"
#include "base/memory.h"
#include "base/number.h"
#include "table/cell.h"
#include "table/printer.h"
#include "table/xlsx_check.h"

enum {
    NAME_LONGEST = 31, /* of a sheet, in UTF-16 units, as all limits of Excel */
    NAME_SIZE = NAME_LONGEST * 3 + 1,
    TEXT_LONGEST = 32767, /* of a cell */
    WIDTH_LARGEST = 255,  /* of a column, in characters */
    WIDTH_MARGIN = 2,
    COPY_SIZE = 64 * 1024
};

/* Excel's numbers are doubles: beyond this, integers would lose digits. */
static const int64_t integer_largest = (int64_t)1 << 53;

/* What is used of the library. */
#define CALLS(X)                      \
    X(lxw_strerror)                   \
    X(lxw_workbook_free)              \
    X(lxw_worksheet_write_single_row) \
    X(workbook_new_opt)               \
    X(workbook_add_format)            \
    X(workbook_add_worksheet)         \
    X(workbook_close)                 \
    X(worksheet_set_column)           \
    X(worksheet_write_boolean)        \
    X(worksheet_write_number)         \
    X(worksheet_write_string)         \
    X(format_set_align)               \
    X(format_set_bold)                \
    X(format_set_border)

struct calls {
#define X(name) __typeof__(&name) name; /* as the library calls it */
    CALLS(X)
#undef X
};

struct book {
    struct calls calls;       /* of the library */
    lxw_workbook *workbook;   /* owned until it is closed */
    lxw_format *heading;      /* bold, bordered, centred */
    char (*names)[NAME_SIZE]; /* of the sheets so far */
    uint64_t *row_bytes;      /* of each sheet: what its rows take */
    size_t sheets;            /* made so far */
    char *text;               /* the cleaned text of the cell at hand */
    size_t text_capacity;     /* of that text */
    size_t cut;               /* texts that were too long for a cell, over all sheets */
};

struct sheet {
    struct book *book;         /* that it is in */
    const struct table *table; /* borrowed */
    lxw_worksheet *worksheet;  /* the workbook's */
    size_t *widths;            /* longest text of each column, in characters */
};

static status fail_library(const struct book *book, lxw_error error)
{
    if (error == LXW_ERROR_MEMORY_MALLOC_FAILED)
        return status_no_memory("making an Excel workbook");
    return status_fail(STATUS_OUTPUT, "the Excel workbook could not be made: %s", book->calls.lxw_strerror(error));
}

/* ---- texts ---- */

/* XML knows no control characters, and no U+FFFE and U+FFFF. */
static bool may_stand_in_xml(uint32_t code)
{
    return code == '\t' || code == '\n' || (code >= 0x20 && code != 0x7f && code != 0xfffe && code != 0xffff);
}

/* Copies `text` to `to` (3 bytes of room for each of its bytes, and a NUL), valid for XML and `limit` UTF-16 units long
 * at most. `*characters` is its length as a person counts. Returns false when it had to be cut. */
static bool clean_text(char *to, const char *text, size_t limit, size_t *characters)
{
    const char *end = text + strlen(text);
    size_t units = 0;

    *characters = 0;
    while (text < end) {
        const char *start = text;
        bool valid;
        uint32_t code = utf8_next(&text, end, &valid);
        size_t size = (size_t)(text - start);

        if (code == '\r' && *text == '\n')
            continue;
        units += code > 0xffff ? 2 : 1;
        if (units > limit) {
            *to = '\0';
            return false;
        }
        if (code == '\r') {
            start = "\n";
        } else if (!valid || !may_stand_in_xml(code)) {
            start = UTF8_REPLACEMENT_TEXT;
            size = strlen(UTF8_REPLACEMENT_TEXT);
        }
        memcpy(to, start, size);
        to += size;
        (*characters)++;
    }
    *to = '\0';
    return true;
}

static status clean_cell_text(struct book *book, const char *text, size_t *characters)
{
    status code = memory_grow(&book->text, &book->text_capacity, strlen(text) * 3 + 1, 1);

    if (code == STATUS_OK && !clean_text(book->text, text, TEXT_LONGEST, characters))
        book->cut++;
    return code;
}

/* ---- names of sheets ---- */

static bool name_taken(const struct book *book, const char *name)
{
    assert(book->names || !book->sheets);
    for (size_t i = 0; i < book->sheets; i++) {
        if (strcasecmp(book->names[i], name) == 0)
            return true;
    }
    /* Excel keeps this one for itself. */
    return strcasecmp(name, "History") == 0;
}

/* A name that Excel takes, made of `wanted`: short, without forbidden characters, and different from all others. */
static status name_sheet(struct book *book, const char *wanted, char *name)
{
    size_t length = strlen(wanted);
    size_t characters;
    char *clean = memory_allocate(length * 3 + 1);
    char ending[32] = "";

    if (!clean)
        return status_no_memory("naming a sheet");
    for (size_t number = 2;; number++) {
        char *cursor;

        clean_text(clean, wanted, NAME_LONGEST - strlen(ending), &characters);
        for (cursor = clean; *cursor; cursor++) {
            if (strchr("[]:*?/\\\t\n", *cursor) || (*cursor == '\'' && (cursor == clean || !cursor[1])))
                *cursor = '_';
        }
        snprintf(name, NAME_SIZE, "%s%s", clean[0] ? clean : "Sheet", ending);
        if (!name_taken(book, name))
            break;
        snprintf(ending, sizeof ending, " (%zu)", number);
    }
    memory_free(clean);
    return STATUS_OK;
}

/* ---- cells ---- */

static status write_text(struct sheet *sheet, lxw_row_t row, size_t column, const char *text, lxw_format *format)
{
    size_t characters;
    status code = clean_cell_text(sheet->book, text, &characters);
    lxw_error error;

    if (code != STATUS_OK)
        return code;
    error =
        sheet->book->calls.worksheet_write_string(sheet->worksheet, row, (lxw_col_t)column, sheet->book->text, format);
    if (error != LXW_NO_ERROR)
        return fail_library(sheet->book, error);
    if (characters > sheet->widths[column])
        sheet->widths[column] = characters;
    return STATUS_OK;
}

static status write_number(struct sheet *sheet, lxw_row_t row, size_t column, double value, const char *text)
{
    lxw_error error = sheet->book->calls.worksheet_write_number(sheet->worksheet, row, (lxw_col_t)column, value, NULL);

    if (error != LXW_NO_ERROR)
        return fail_library(sheet->book, error);
    if (strlen(text) > sheet->widths[column])
        sheet->widths[column] = strlen(text);
    return STATUS_OK;
}

static status write_integer(struct sheet *sheet, lxw_row_t row, size_t column, int64_t value)
{
    char text[FORMAT_SIZE];

    text[number_write_integer(text, value)] = '\0';
    if (value > integer_largest || value < -integer_largest)
        return write_text(sheet, row, column, text, NULL);
    return write_number(sheet, row, column, (double)value, text);
}

static status write_decimal(struct sheet *sheet, lxw_row_t row, size_t column, double value)
{
    char text[FORMAT_SIZE];

    if (isnan(value))
        return STATUS_OK;
    if (isinf(value))
        return write_text(sheet, row, column, value < 0 ? "-inf" : "inf", NULL);
    text[number_write_shortest(text, value)] = '\0';
    return write_number(sheet, row, column, value, text);
}

static status write_boolean(struct sheet *sheet, lxw_row_t row, size_t column, bool value)
{
    size_t characters = strlen(value ? "TRUE" : "FALSE");
    lxw_error error = sheet->book->calls.worksheet_write_boolean(sheet->worksheet, row, (lxw_col_t)column, value, NULL);

    if (error != LXW_NO_ERROR)
        return fail_library(sheet->book, error);
    if (characters > sheet->widths[column])
        sheet->widths[column] = characters;
    return STATUS_OK;
}

static status write_cell(struct sheet *sheet, size_t row, size_t column)
{
    struct table_cell cell = table_cell(sheet->table, row, column);
    lxw_row_t line = (lxw_row_t)(row + 1);

    assert(row + 1 < LXW_ROW_MAX && column < LXW_COL_MAX);
    if (cell.null)
        return STATUS_OK;
    switch (table_column(sheet->table, column)->type) {
    case CELL_TEXT:
        return write_text(sheet, line, column, cell.text, NULL);
    case CELL_INTEGER:
    case CELL_DURATION:
    case CELL_BYTES:
        return write_integer(sheet, line, column, cell.integer);
    case CELL_DECIMAL:
    case CELL_PERCENT:
        return write_decimal(sheet, line, column, cell.decimal);
    case CELL_BOOLEAN:
        return write_boolean(sheet, line, column, cell.boolean);
    }
    return STATUS_OK;
}

static status write_heading(struct sheet *sheet, size_t column)
{
    const struct table_column *definition = table_column(sheet->table, column);
    const char *title = cell_heading(definition);
    size_t size;
    char *text;
    status code;

    if (!definition->unit)
        return write_text(sheet, 0, column, title, sheet->book->heading);
    size = strlen(title) + strlen(definition->unit) + sizeof " []";
    text = memory_allocate(size);
    if (!text)
        return status_no_memory("writing a heading");
    snprintf(text, size, "%s [%s]", title, definition->unit);
    code = write_text(sheet, 0, column, text, sheet->book->heading);
    memory_free(text);
    return code;
}

/* ---- sheets ---- */

static status check_limits(const struct table *table)
{
    if (table_rows(table) >= LXW_ROW_MAX)
        return status_fail(STATUS_OUTPUT,
                           "the table '%s' has %zu rows, and a sheet of an Excel file holds %d with the heading; "
                           "CSV has no such limit",
                           table_name(table), table_rows(table), LXW_ROW_MAX);
    if (table_columns(table) > LXW_COL_MAX)
        return status_fail(
            STATUS_OUTPUT,
            "the table '%s' has %zu columns, and a sheet of an Excel file holds %d; CSV has no such limit",
            table_name(table), table_columns(table), LXW_COL_MAX);
    return STATUS_OK;
}

static status set_widths(struct sheet *sheet)
{
    for (size_t i = 0; i < table_columns(sheet->table); i++) {
        size_t width = sheet->widths[i] + WIDTH_MARGIN;
        double limited = width < WIDTH_LARGEST ? (double)width : WIDTH_LARGEST;
        lxw_error error =
            sheet->book->calls.worksheet_set_column(sheet->worksheet, (lxw_col_t)i, (lxw_col_t)i, limited, NULL);

        if (error != LXW_NO_ERROR)
            return fail_library(sheet->book, error);
    }
    return STATUS_OK;
}

/* Closes the last row and finds how long they all are in the library's own file, for the check of the result. */
static status measure_rows(const struct sheet *sheet, uint64_t *bytes)
{
    FILE *file = sheet->worksheet->optimize_tmpfile;
    long size;

    sheet->book->calls.lxw_worksheet_write_single_row(sheet->worksheet);
    if (fflush(file) != 0 || ferror(file))
        return status_fail(STATUS_OUTPUT, "a temporary file could not be written: %s", strerror(errno));
    size = ftell(file);
    if (size < 0)
        return status_fail(STATUS_OUTPUT, "a temporary file could not be measured: %s", strerror(errno));
    *bytes = (uint64_t)size;
    return STATUS_OK;
}

static status fill_sheet(struct sheet *sheet)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < table_columns(sheet->table) && code == STATUS_OK; i++)
        code = write_heading(sheet, i);
    for (size_t row = 0; row < table_rows(sheet->table); row++) {
        for (size_t i = 0; i < table_columns(sheet->table) && code == STATUS_OK; i++)
            code = write_cell(sheet, row, i);
        if (code != STATUS_OK)
            return code;
    }
    return code == STATUS_OK ? set_widths(sheet) : code;
}

static status add_sheet(struct book *book, const struct table *table, const char *wanted)
{
    struct sheet sheet = { .book = book, .table = table };
    char *name = book->names[book->sheets];
    status code = check_limits(table);

    if (code == STATUS_OK)
        code = name_sheet(book, wanted, name);
    if (code != STATUS_OK)
        return code;
    sheet.worksheet = book->calls.workbook_add_worksheet(book->workbook, name);
    if (!sheet.worksheet)
        return status_fail(STATUS_OUTPUT, "the Excel workbook could not be made: no sheet '%s'", name);
    sheet.widths = memory_allocate_clear(table_columns(table) * sizeof *sheet.widths);
    if (!sheet.widths)
        return status_no_memory("writing a sheet");
    code = fill_sheet(&sheet);
    if (code == STATUS_OK)
        code = measure_rows(&sheet, &book->row_bytes[book->sheets]);
    book->sheets++;
    memory_free(sheet.widths);
    return code;
}

/* Notes have a sheet of their own, so that who reads the others back gets rows only. */
static status add_notes(struct book *book, const struct table *const *tables, size_t count)
{
    struct table *notes = table_new("notes", "Notes");
    status code;

    if (!notes)
        return status_no_memory("writing notes");
    table_add_column(notes, (struct table_column){ .name = "sheet", .title = "Sheet" });
    table_add_column(notes, (struct table_column){ .name = "note", .title = "Note" });
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < table_notes(tables[i]); k++) {
            table_add_row(notes);
            table_set_text(notes, 0, book->names[i]);
            table_set_text(notes, 1, table_note_at(tables[i], k));
        }
    }
    if (book->cut) {
        char text[128];

        snprintf(text, sizeof text, "%zu texts were cut, because a cell of an Excel file holds %d characters",
                 book->cut, TEXT_LONGEST);
        table_add_row(notes);
        table_set_text(notes, 1, text);
    }
    code = table_status(notes);
    if (code == STATUS_OK && table_rows(notes) > 0)
        code = add_sheet(book, notes, "Notes");
    table_free(notes);
    return code;
}

static const char *wanted_name(const struct table *table, const char *given)
{
    if (given && *given)
        return given;
    return *table_title(table) ? table_title(table) : table_name(table);
}

static status add_heading_format(struct book *book)
{
    book->heading = book->calls.workbook_add_format(book->workbook);
    if (!book->heading)
        return status_no_memory("making an Excel workbook");
    book->calls.format_set_bold(book->heading);
    book->calls.format_set_border(book->heading, LXW_BORDER_THIN);
    book->calls.format_set_align(book->heading, LXW_ALIGN_CENTER);
    book->calls.format_set_align(book->heading, LXW_ALIGN_VERTICAL_TOP);
    return STATUS_OK;
}

static status fill_book(struct book *book, const struct table *const *tables, size_t count,
                        const char *const *sheet_names)
{
    status code = add_heading_format(book);

    for (size_t i = 0; i < count && code == STATUS_OK; i++)
        code = add_sheet(book, tables[i], wanted_name(tables[i], sheet_names ? sheet_names[i] : NULL));
    return code == STATUS_OK ? add_notes(book, tables, count) : code;
}

static status close_book(struct book *book, int file)
{
    lxw_error error = book->calls.workbook_close(book->workbook);

    return error == LXW_NO_ERROR ? xlsx_check(file, book->row_bytes, book->sheets) : fail_library(book, error);
}

/* Makes the workbook in `file`, which is called `path`. */
static status make_book(int file, const char *path, char *folder, const struct table *const *tables, size_t count,
                        const char *const *sheet_names)
{
    static const char *const names[] = {
#define X(name) #name,
        CALLS(X)
#undef X
    };
    lxw_workbook_options options = { .constant_memory = LXW_TRUE, .tmpdir = folder };
    struct book book = { .names = memory_allocate_clear((count + 1) * sizeof *book.names),
                         .row_bytes = memory_allocate_clear((count + 1) * sizeof *book.row_bytes) };
    status code = loaded_calls("libxlsxwriter.so." LXW_SOVERSION, "an Excel workbook", names,
                               sizeof names / sizeof *names, &book.calls);

    _Static_assert(sizeof book.calls == sizeof names, "calls are pointers, one behind the other");
    if (code == STATUS_OK && book.names && book.row_bytes)
        book.workbook = book.calls.workbook_new_opt(path, &options);
    if (code == STATUS_OK && !book.workbook) {
        code = status_no_memory("making an Excel workbook");
    } else if (code == STATUS_OK) {
        code = fill_book(&book, tables, count, sheet_names);
        if (code == STATUS_OK)
            code = close_book(&book, file);
        else
            book.calls.lxw_workbook_free(book.workbook);
    }
    memory_free(book.names);
    memory_free(book.row_bytes);
    memory_free(book.text);
    return code;
}

/* ---- the file ---- */

static status copy_file(int from, const char *path)
{
    struct output *output;
    status code = output_open(path, &output);
    off_t offset = 0;

    while (code == STATUS_OK) {
        unsigned char *room = output_reserve(output, COPY_SIZE);
        ssize_t got = pread(from, room, COPY_SIZE, offset);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            output_abandon(output);
            return status_fail(STATUS_OUTPUT, "%s: the workbook could not be read back: %s", path, strerror(errno));
        }
        if (got == 0)
            return output_commit(output);
        output_advance(output, (size_t)got);
        offset += got;
        code = output_status(output);
        if (code != STATUS_OK)
            return output_commit(output);
    }
    return code;
}

static status write_through(char *folder, const char *path, const struct table *const *tables, size_t count,
                            const char *const *sheet_names)
{
    size_t size = strlen(folder) + sizeof "/tacho-XXXXXX.xlsx";
    char *temporary = memory_allocate(size);
    status code;
    int file;

    if (!temporary)
        return status_no_memory("making an Excel workbook");
    snprintf(temporary, size, "%s/tacho-XXXXXX.xlsx", folder);
    file = mkstemps(temporary, (int)strlen(".xlsx"));
    if (file < 0) {
        code = status_fail(STATUS_OUTPUT, "%s: no temporary file: %s", folder, strerror(errno));
    } else {
        code = make_book(file, temporary, folder, tables, count, sheet_names);
        if (code == STATUS_OK)
            code = copy_file(file, path);
        close(file);
        unlink(temporary);
    }
    memory_free(temporary);
    return code;
}

status xlsx_write(const char *path, const struct table *const *tables, size_t count, const char *const *sheet_names)
{
    const char *variable = getenv("TMPDIR");
    char *folder;
    status code = STATUS_OK;

    assert(path && (tables || !count));
    for (size_t i = 0; i < count && code == STATUS_OK; i++)
        code = check_limits(tables[i]);
    if (code == STATUS_OK) {
        folder = memory_copy_text(variable && *variable ? variable : "/tmp");
        code = folder ? write_through(folder, path, tables, count, sheet_names)
                      : status_no_memory("making an Excel workbook");
        memory_free(folder);
    }
    return code == STATUS_OK ? code : status_add(code, "writing %s", path);
}
