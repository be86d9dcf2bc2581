/* document.c: keeps blocks in order, and prints them as prose. */
#include "table/document.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "table/document_blocks.h"

struct document *document_new_about(const char *kind, const char *subject)
{
    struct document *document;
    size_t size = strlen(kind) + (subject ? strlen(subject) : 0) + sizeof ": ";
    char *title = memory_allocate(size);

    if (!title)
        return NULL;
    snprintf(title, size, "%s%s%s", kind, subject && *subject ? ": " : "", subject ? subject : "");
    document = document_new(title);
    memory_free(title);
    return document;
}

struct document *document_new(const char *title)
{
    struct document *document = memory_allocate_clear(sizeof *document);

    assert(title);
    if (!document)
        return NULL;
    document->title = arena_copy(&document->arena, title, strlen(title));
    if (!document->title) {
        document_free(document);
        return NULL;
    }
    return document;
}

const char *document_title(const struct document *document)
{
    return document->title;
}

void document_free(struct document *document)
{
    if (!document)
        return;
    for (size_t i = 0; i < document->count; i++) {
        table_free(document->blocks[i].table);
        if (document->blocks[i].grid)
            memory_free(document->blocks[i].grid->cells);
    }
    memory_free(document->blocks);
    arena_free(&document->arena);
    memory_free(document);
}

status document_status(const struct document *document)
{
    return document->failure == STATUS_OK ? STATUS_OK : status_no_memory("writing a document");
}

static void fail(struct document *document)
{
    document->failure = STATUS_MEMORY;
}

/* ---- texts ----------------------------------------------------------------------------------------------------- */

/* The formatted text in the arena; NULL after a failure. */
static char *format_text(struct document *document, const char *format, va_list arguments)
{
    char *text = document->failure == STATUS_OK ? arena_format(&document->arena, format, arguments) : NULL;

    if (!text)
        fail(document);
    return text;
}

/* Length of the mark at `cursor` that begins or ends something now; 0: an ordinary character. */
static size_t mark_at(const char *cursor, bool bold, bool code)
{
    if (*cursor == '`')
        return code || strchr(cursor + 1, '`') ? 1 : 0;
    if (!code && cursor[0] == '*' && cursor[1] == '*')
        return bold || strstr(cursor + 2, "**") ? 2 : 0;
    return 0;
}

static size_t count_marks(const char *text)
{
    size_t count = 0;

    for (; *text; text++)
        count += *text == '`' || *text == '*';
    return count;
}

/* Takes a text apart. Each span is a copy that ends with a NUL; `plain` is all of them together. */
static void take_apart(struct document *document, const char *text, struct spans *spans, const char **plain)
{
    size_t length = strlen(text);
    struct span *items =
        arena_allocate(&document->arena, (count_marks(text) + 1) * sizeof *items, _Alignof(struct span));
    char *pieces = arena_allocate(&document->arena, length + count_marks(text) + 2, 1);
    char *whole = arena_allocate(&document->arena, length + 1, 1);
    bool bold = false, code = false;

    *spans = (struct spans){ items, 0 };
    *plain = "";
    if (!items || !pieces || !whole) {
        fail(document);
        return;
    }
    *plain = whole;
    while (*text) {
        size_t mark = mark_at(text, bold, code);

        if (mark) {
            code ^= mark == 1;
            bold ^= mark == 2;
            text += mark;
            continue;
        }
        items[spans->count++] = (struct span){ pieces, bold, code };
        do
            *pieces++ = *whole++ = *text++;
        while (*text && !mark_at(text, bold, code));
        *pieces++ = '\0';
    }
    *whole = '\0';
}

/* ---- keys ------------------------------------------------------------------------------------------------------ */

static char *slug(struct document *document, const char *text)
{
    char *key = arena_allocate(&document->arena, strlen(text) + 2, 1);
    size_t length = 0;

    if (!key) {
        fail(document);
        return NULL;
    }
    for (; *text; text++) {
        if (isalnum((unsigned char)*text) && (unsigned char)*text < 0x80)
            key[length++] = (char)tolower((unsigned char)*text);
        else if (length && key[length - 1] != '_')
            key[length++] = '_';
    }
    while (length && key[length - 1] == '_')
        length--;
    if (!length)
        key[length++] = '_';
    key[length] = '\0';
    return key;
}

static bool is_reserved(const char *key)
{
    static const char *const words[] = { "title", "text", "items", "commands", "notes", "sections" };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], key) == 0)
            return true;
    return false;
}

/* Would a block of this kind and level, if it came next, lie in the same object as this one? `*beyond`: nor with any
 * before it. */
static bool shares_object(const struct document_block *block, enum block_kind kind, unsigned level, bool *beyond)
{
    bool value = kind == BLOCK_VALUE && block->kind == BLOCK_VALUE;

    *beyond = block->kind == BLOCK_HEADING || (value && block->level < level);
    return !*beyond && block->key && (block->kind != BLOCK_VALUE || block->level == (value ? level : 0));
}

/* Keys are unique in their object; those of headings in the whole document, because they are anchors of the page too. */
static bool is_taken(const struct document *document, const char *key, enum block_kind kind, unsigned level)
{
    bool beyond = false;

    if (kind != BLOCK_HEADING && level == 0 && is_reserved(key))
        return true;
    for (size_t i = document->count; i-- > 0 && !beyond;) {
        const struct document_block *block = &document->blocks[i];
        bool rival = kind == BLOCK_HEADING ? block->kind == BLOCK_HEADING : shares_object(block, kind, level, &beyond);

        if (rival && strcmp(block->key, key) == 0)
            return true;
    }
    return false;
}

static const char *unique_key(struct document *document, const char *wanted, enum block_kind kind, unsigned level)
{
    char *base = slug(document, wanted);
    size_t size = base ? strlen(base) + 24 : 0;
    char *key = base;

    assert(wanted && kind <= BLOCK_PLOT);
    for (unsigned number = 2; key && is_taken(document, key, kind, level); number++) {
        if (key == base)
            key = arena_allocate(&document->arena, size, 1);
        if (key)
            snprintf(key, size, "%s_%u", base, number);
        else
            fail(document);
    }
    return key;
}

/* ---- blocks ---------------------------------------------------------------------------------------------------- */

/* A new block, cleared; NULL after a failure. */
static struct document_block *add_block(struct document *document, enum block_kind kind)
{
    struct document_block *block;

    assert(kind <= BLOCK_PLOT);
    if (document->failure != STATUS_OK || memory_grow(&document->blocks, &document->capacity, document->count + 1,
                                                      sizeof *document->blocks) != STATUS_OK) {
        fail(document);
        return NULL;
    }
    block = &document->blocks[document->count++];
    *block = (struct document_block){ .kind = kind, .plain = "" };
    return block;
}

static struct document_block *add_text(struct document *document, enum block_kind kind, const char *format,
                                       va_list arguments)
{
    char *text = format_text(document, format, arguments);
    struct document_block *block = text ? add_block(document, kind) : NULL;

    if (block && kind == BLOCK_CODE)
        block->plain = text;
    else if (block)
        take_apart(document, text, &block->spans, &block->plain);
    return document->failure == STATUS_OK ? block : NULL;
}

void document_heading(struct document *document, unsigned level, const char *key, const char *format, ...)
{
    struct document_block *block;
    va_list arguments;

    assert(level >= 2 && level <= 4);
    va_start(arguments, format);
    block = add_text(document, BLOCK_HEADING, format, arguments);
    va_end(arguments);
    if (!block)
        return;
    block->level = level < 2 ? 2 : level > 4 ? 4 : level;
    block->place = document->place;
    document->count--; /* without a key it is no heading, and it is not its own rival */
    block->key = unique_key(document, key ? key : block->plain, BLOCK_HEADING, block->level);
    document->count += block->key != NULL;
}

void document_place(struct document *document, enum prose_place place)
{
    document->place = place;
}

void document_text(struct document *document, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)add_text(document, BLOCK_TEXT, format, arguments);
    va_end(arguments);
}

void document_mood(struct document *document, enum prose_mood mood, const char *format, ...)
{
    struct document_block *block;
    va_list arguments;

    assert(mood < PROSE_MOOD_COUNT);
    va_start(arguments, format);
    block = add_text(document, BLOCK_TEXT, format, arguments);
    va_end(arguments);
    if (block)
        block->mood = mood;
}

static unsigned possible_depth(const struct document *document, unsigned depth)
{
    const struct document_block *last = NULL;

    for (size_t i = document->count; i-- > 0 && (!last || last->kind == BLOCK_NUMBER);)
        last = &document->blocks[i];
    if (!last || (last->kind != BLOCK_ITEM && last->kind != BLOCK_VALUE))
        return 0;
    return depth > last->level + 1 ? last->level + 1 : depth;
}

void document_item(struct document *document, unsigned depth, const char *format, ...)
{
    unsigned possible = possible_depth(document, depth);
    struct document_block *block;
    va_list arguments;

    va_start(arguments, format);
    block = add_text(document, BLOCK_ITEM, format, arguments);
    va_end(arguments);
    if (block)
        block->level = possible;
}

void document_value(struct document *document, unsigned depth, const char *key, const char *label, const char *format,
                    ...)
{
    unsigned possible = possible_depth(document, depth);
    const char *unique = unique_key(document, key ? key : label, BLOCK_VALUE, possible);
    const char *copy = arena_copy(&document->arena, label, strlen(label));
    struct document_block *block;
    va_list arguments;

    assert(label);
    if (!unique || !copy) {
        fail(document);
        return;
    }
    va_start(arguments, format);
    block = add_text(document, BLOCK_VALUE, format, arguments);
    va_end(arguments);
    if (!block)
        return;
    block->level = possible;
    block->key = unique;
    block->label = copy;
}

void document_number(struct document *document, const char *key, double value)
{
    const char *unique = unique_key(document, key, BLOCK_NUMBER, 0);
    struct document_block *block = unique ? add_block(document, BLOCK_NUMBER) : NULL;

    assert(key);
    if (!block)
        return;
    block->key = unique;
    block->number = value;
}

void document_code(struct document *document, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)add_text(document, BLOCK_CODE, format, arguments);
    va_end(arguments);
}

void document_rule(struct document *document)
{
    (void)add_block(document, BLOCK_RULE);
}

void document_table(struct document *document, struct table *table)
{
    const char *key = table ? unique_key(document, table_name(table), BLOCK_TABLE, 0) : NULL;
    struct document_block *block = key && table_status(table) == STATUS_OK ? add_block(document, BLOCK_TABLE) : NULL;

    if (!block) {
        table_free(table);
        fail(document);
        return;
    }
    block->key = key;
    block->table = table;
}

/* ---- grids ----------------------------------------------------------------------------------------------------- */

static status copy_columns(struct document *document, struct document_grid *grid, const struct document_column *columns)
{
    for (size_t i = 0; i < grid->column_count; i++) {
        grid->columns[i] = (struct document_column){
            .key = arena_copy(&document->arena, columns[i].key, strlen(columns[i].key)),
            .title = arena_copy(&document->arena, columns[i].title, strlen(columns[i].title)),
            .number = columns[i].number,
        };
        if (!grid->columns[i].key || !grid->columns[i].title)
            return status_no_memory("writing a document");
    }
    return STATUS_OK;
}

void document_grid(struct document *document, const char *key, const struct document_column *columns, size_t count)
{
    const char *unique = unique_key(document, key, BLOCK_GRID, 0);
    struct document_grid *grid = arena_allocate(&document->arena, sizeof *grid, _Alignof(struct document_grid));
    struct document_column *own =
        arena_allocate(&document->arena, (count + 1) * sizeof *own, _Alignof(struct document_column));
    struct document_block *block;

    assert(key && (columns || !count));
    if (!unique || !grid || !own) {
        fail(document);
        return;
    }
    *grid = (struct document_grid){ .columns = own, .column_count = count };
    block = copy_columns(document, grid, columns) == STATUS_OK ? add_block(document, BLOCK_GRID) : NULL;
    if (!block) {
        fail(document);
        return;
    }
    block->key = unique;
    block->grid = grid;
}

void document_plot(struct document *document, const struct plot *plot)
{
    const struct plot *own = document->failure == STATUS_OK ? plot_copy(&document->arena, plot) : NULL;
    struct document_block *block = own ? add_block(document, BLOCK_PLOT) : NULL;

    if (block)
        block->plot = own;
    else
        fail(document);
}

static struct document_cell *add_cell(struct document *document, const char *format, va_list arguments)
{
    struct document_grid *grid = document->count ? document->blocks[document->count - 1].grid : NULL;
    char *text = grid ? format_text(document, format, arguments) : NULL;
    struct document_cell *cell;

    if (!text)
        return NULL;
    if (memory_grow(&grid->cells, &grid->cell_capacity, grid->cell_count + 1, sizeof *grid->cells) != STATUS_OK) {
        fail(document);
        return NULL;
    }
    cell = &grid->cells[grid->cell_count++];
    *cell = (struct document_cell){ .has_number = false };
    take_apart(document, text, &cell->spans, &cell->plain);
    return cell;
}

void document_cell(struct document *document, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)add_cell(document, format, arguments);
    va_end(arguments);
}

void document_cell_number(struct document *document, double value, const char *format, ...)
{
    struct document_cell *cell;
    va_list arguments;

    va_start(arguments, format);
    cell = add_cell(document, format, arguments);
    va_end(arguments);
    if (!cell)
        return;
    cell->has_number = true;
    cell->number = value;
}

/* ---- printing -------------------------------------------------------------------------------------------------- */

/* Lists, headings and cells as the printers want them: arrays that live while the document is printed. */
struct printing {
    const struct prose_printer *printer; /* static */
    struct output *output;               /* borrowed */
    struct prose_heading *headings;      /* of the whole document; owned */
    struct prose_item *items;            /* of the list at hand; owned */
    struct prose_grid_column *columns;   /* of the grid at hand; owned */
    struct spans *cells;                 /* of the grid at hand; owned */
    struct span *words;                  /* about the grid at hand; owned */
    enum prose_place place;              /* of the section at hand */
};

static bool is_item(const struct document_block *block)
{
    return block->kind == BLOCK_ITEM || block->kind == BLOCK_VALUE;
}

static size_t largest_grid(const struct document *document, bool columns)
{
    size_t largest = 0;

    for (size_t i = 0; i < document->count; i++) {
        const struct document_grid *grid = document->blocks[i].grid;
        size_t size = grid ? columns ? grid->column_count : grid->cell_count : 0;

        largest = size > largest ? size : largest;
    }
    return largest;
}

/* Prints a run of items and returns its end. */
static size_t print_items(const struct document *document, struct printing *printing, size_t start)
{
    size_t count = 0;

    for (size_t i = start;
         i < document->count && (is_item(&document->blocks[i]) || document->blocks[i].kind == BLOCK_NUMBER); i++) {
        const struct document_block *block = &document->blocks[i];

        if (is_item(block))
            printing->items[count++] = (struct prose_item){ block->level, block->label, block->spans };
        start = i + 1;
    }
    printing->printer->items(printing->output, printing->items, count);
    return start;
}

/* Whether a column says the same in all of many rows: that is said once, below the table. Rows are told apart by the first column. */
static bool repeats(const struct document_grid *grid, size_t rows, size_t column)
{
    enum { MANY = 8 };

    if (rows < MANY || !column)
        return false;
    for (size_t row = 1; row < rows; row++)
        if (strcmp(grid->cells[row * grid->column_count + column].plain, grid->cells[column].plain) != 0)
            return false;
    return true;
}

/* "The same in all 43 rows: Device no, Runner no." */
static void tell_repeated(const struct document_grid *grid, size_t rows, struct printing *printing)
{
    char start[64];
    size_t count = 0;

    snprintf(start, sizeof start, "The same in all %zu rows: ", rows);
    for (size_t i = 0; i < grid->column_count; i++) {
        const struct document_cell *cell = &grid->cells[i];

        if (!repeats(grid, rows, i) || !*cell->plain)
            continue;
        printing->words[count] = (struct span){ count ? "; " : start, false, false };
        printing->words[count + 1] = (struct span){ grid->columns[i].title, true, false };
        printing->words[count + 2] = (struct span){ " ", false, false };
        printing->words[count + 3] = (struct span){ cell->plain, false, cell->spans.items[0].code };
        count += 4;
    }
    if (!count)
        return;
    printing->words[count++] = (struct span){ ".", false, false };
    printing->printer->paragraph(printing->output, PROSE_PLAIN, (struct spans){ printing->words, count });
}

static void print_grid(const struct document_grid *grid, struct printing *printing)
{
    size_t rows = grid->column_count ? grid->cell_count / grid->column_count : 0, cells = 0;
    struct prose_grid shown = { printing->columns, 0, printing->cells, rows };

    for (size_t i = 0; i < grid->column_count; i++)
        if (!repeats(grid, rows, i))
            printing->columns[shown.column_count++] =
                (struct prose_grid_column){ grid->columns[i].title, grid->columns[i].number };
    for (size_t i = 0; i < rows * grid->column_count; i++)
        if (shown.column_count == grid->column_count || !repeats(grid, rows, i % grid->column_count))
            printing->cells[cells++] = grid->cells[i].spans;
    printing->printer->grid(printing->output, &shown);
    tell_repeated(grid, rows, printing);
}

static void print_table(const struct table *table, struct printing *printing)
{
    static const struct printer_style style = { .untitled = true };
    struct span title = { table_title(table), true, false };

    if (*title.text)
        printing->printer->paragraph(printing->output, PROSE_PLAIN, (struct spans){ &title, 1 });
    if (printing->printer == &markdown_prose)
        output_write(printing->output, "\n", 1);
    printer_write(printing->printer->tables, printing->output, table, &style);
}

static struct prose_heading heading_of(const struct document_block *block)
{
    return (struct prose_heading){ block->level, block->key, block->spans, block->place };
}

static void change_place(struct printing *printing, enum prose_place to)
{
    if (printing->printer->place)
        printing->printer->place(printing->output, printing->place, to);
    printing->place = to;
}

static void print_heading(struct printing *printing, const struct document_block *block)
{
    struct prose_heading heading = heading_of(block);

    if (heading.level == 2)
        change_place(printing, heading.place);
    printing->printer->heading(printing->output, &heading);
}

/* Returns the next block. */
static size_t print_block(const struct document *document, struct printing *printing, size_t index)
{
    const struct document_block *block = &document->blocks[index];
    const struct prose_printer *printer = printing->printer;
    struct output *output = printing->output;

    switch (block->kind) {
    case BLOCK_HEADING:
        print_heading(printing, block);
        break;
    case BLOCK_TEXT:
        printer->paragraph(output, block->mood, block->spans);
        break;
    case BLOCK_ITEM:
    case BLOCK_VALUE:
        return print_items(document, printing, index);
    case BLOCK_NUMBER:
        break;
    case BLOCK_CODE:
        printer->code(output, block->plain);
        break;
    case BLOCK_RULE:
        printer->rule(output);
        break;
    case BLOCK_TABLE:
        print_table(block->table, printing);
        break;
    case BLOCK_GRID:
        print_grid(block->grid, printing);
        break;
    case BLOCK_PLOT:
        if (printer->plot)
            printer->plot(output, block->plot);
        break;
    }
    return index + 1;
}

static void print_all(const struct document *document, struct printing *printing)
{
    size_t headings = 0;

    for (size_t i = 0; i < document->count; i++) {
        const struct document_block *block = &document->blocks[i];

        if (block->kind == BLOCK_HEADING)
            printing->headings[headings++] = heading_of(block);
    }
    printing->printer->begin(printing->output, document->title, printing->headings, headings);
    for (size_t i = 0; i < document->count;)
        i = print_block(document, printing, i);
    change_place(printing, PROSE_OPEN);
    printing->printer->end(printing->output);
}

status document_print_prose(const struct document *document, const struct prose_printer *printer, struct output *output)
{
    struct printing printing = {
        .printer = printer,
        .output = output,
        .headings = memory_allocate((document->count + 1) * sizeof *printing.headings),
        .items = memory_allocate((document->count + 1) * sizeof *printing.items),
        .columns = memory_allocate((largest_grid(document, true) + 1) * sizeof *printing.columns),
        .cells = memory_allocate((largest_grid(document, false) + 1) * sizeof *printing.cells),
        .words = memory_allocate((4 * largest_grid(document, true) + 1) * sizeof *printing.words),
    };
    bool enough = printing.headings && printing.items && printing.columns && printing.cells && printing.words;

    assert(document->failure == STATUS_OK && printer->tables);
    if (enough)
        print_all(document, &printing);
    memory_free(printing.headings);
    memory_free(printing.items);
    memory_free(printing.columns);
    memory_free(printing.cells);
    memory_free(printing.words);
    return enough ? STATUS_OK : status_no_memory("printing a document");
}
