/* document_json.c: a document as JSON: the tree that its headings make. */
#include <assert.h>

#include "table/cell.h"
#include "table/document_blocks.h"
#include "table/json.h"

/* An object while it is written. */
struct object {
    struct output *output; /* borrowed */
    unsigned depth;        /* objects and lists around it */
    bool any;              /* it has a member */
};

static void write_indent(struct output *output, unsigned depth)
{
    cell_write_plain(output, "\n");
    for (unsigned i = 0; i < depth; i++)
        cell_write_plain(output, "  ");
}

static struct object open_object(struct output *output, unsigned depth)
{
    cell_write_plain(output, "{");
    return (struct object){ output, depth + 1, false };
}

static void write_key(struct object *object, const char *key)
{
    if (object->any)
        cell_write_plain(object->output, ",");
    object->any = true;
    write_indent(object->output, object->depth);
    json_write_text(object->output, key);
    cell_write_plain(object->output, ": ");
}

static void close_object(const struct object *object)
{
    assert(object->depth);
    if (object->any)
        write_indent(object->output, object->depth - 1);
    cell_write_plain(object->output, "}");
}

/* ---- values ---------------------------------------------------------------------------------------------------- */

/* The end of what lies below a value: deeper items right behind it. */
static size_t end_of_value(const struct document *document, size_t index, size_t end)
{
    unsigned level = document->blocks[index].level;

    assert(index < end && document->blocks[index].kind == BLOCK_VALUE);
    for (index++; index < end; index++) {
        const struct document_block *block = &document->blocks[index];

        if (block->kind != BLOCK_NUMBER &&
            ((block->kind != BLOCK_ITEM && block->kind != BLOCK_VALUE) || block->level <= level))
            break;
    }
    return index;
}

static bool has_values(const struct document *document, size_t start, size_t end)
{
    for (size_t i = start; i < end; i++)
        if (document->blocks[i].kind == BLOCK_VALUE)
            return true;
    return false;
}

/* Depth is limited by the levels of a list, of which there are as many as a document has blocks in a row. */
enum { DEEPEST_VALUE = 8 };

static void write_value(const struct document *document, size_t index, size_t end, struct object *object)
{
    const struct document_block *block = &document->blocks[index];
    size_t behind = end_of_value(document, index, end);
    struct object inner;

    write_key(object, block->key);
    if (!has_values(document, index + 1, behind) || block->level >= DEEPEST_VALUE) {
        json_write_text(object->output, block->plain);
        return;
    }
    inner = open_object(object->output, object->depth);
    if (*block->plain) {
        write_key(&inner, "text");
        json_write_text(inner.output, block->plain);
    }
    for (size_t i = index + 1; i < behind; i = end_of_value(document, i, behind))
        if (document->blocks[i].kind == BLOCK_VALUE)
            write_value(document, i, behind, &inner);
    close_object(&inner);
}

/* ---- tables ---------------------------------------------------------------------------------------------------- */

static void write_table(const struct document_block *block, struct object *object)
{
    size_t rows = table_rows(block->table);

    write_key(object, block->key);
    cell_write_plain(object->output, "[");
    for (size_t i = 0; i < rows; i++) {
        cell_write_plain(object->output, i ? "," : "");
        write_indent(object->output, object->depth + 1);
        json_write_row(object->output, block->table, i);
    }
    if (rows)
        write_indent(object->output, object->depth);
    cell_write_plain(object->output, "]");
}

static void write_grid_row(const struct document_grid *grid, size_t row, struct output *output)
{
    assert((row + 1) * grid->column_count <= grid->cell_count);
    cell_write_plain(output, "{");
    for (size_t i = 0; i < grid->column_count; i++) {
        const struct document_cell *cell = &grid->cells[row * grid->column_count + i];

        cell_write_plain(output, i ? ", " : "");
        json_write_text(output, grid->columns[i].key);
        cell_write_plain(output, ": ");
        if (cell->has_number)
            json_write_decimal(output, cell->number);
        else
            json_write_text(output, cell->plain);
    }
    cell_write_plain(output, "}");
}

static void write_grid(const struct document_block *block, struct object *object)
{
    const struct document_grid *grid = block->grid;
    size_t rows = grid->column_count ? grid->cell_count / grid->column_count : 0;

    write_key(object, block->key);
    cell_write_plain(object->output, "[");
    for (size_t i = 0; i < rows; i++) {
        cell_write_plain(object->output, i ? "," : "");
        write_indent(object->output, object->depth + 1);
        write_grid_row(grid, i, object->output);
    }
    if (rows)
        write_indent(object->output, object->depth);
    cell_write_plain(object->output, "]");
}

/* ---- lists of texts -------------------------------------------------------------------------------------------- */

struct list {
    struct object *object; /* that it stands in */
    const char *key;       /* of the list there */
    size_t count;          /* elements written; 0: not opened yet */
};

static void add_to_list(struct list *list, const char *text)
{
    struct output *output = list->object->output;

    if (!list->count) {
        write_key(list->object, list->key);
        cell_write_plain(output, "[");
    } else {
        cell_write_plain(output, ",");
    }
    write_indent(output, list->object->depth + 1);
    json_write_text(output, text);
    list->count++;
}

static void close_list(const struct list *list)
{
    if (!list->count)
        return;
    write_indent(list->object->output, list->object->depth);
    cell_write_plain(list->object->output, "]");
}

static void write_texts(const struct document *document, size_t start, size_t end, enum block_kind kind,
                        const char *key, struct object *object)
{
    struct list list = { object, key, 0 };

    for (size_t i = start; i < end; i++)
        if (document->blocks[i].kind == kind)
            add_to_list(&list, document->blocks[i].plain);
    close_list(&list);
}

static void write_notes(const struct document *document, size_t start, size_t end, struct object *object)
{
    struct list list = { object, "notes", 0 };

    for (size_t i = start; i < end; i++) {
        const struct table *table = document->blocks[i].table;

        for (size_t j = 0; table && j < table_notes(table); j++)
            add_to_list(&list, table_note_at(table, j));
    }
    close_list(&list);
}

/* ---- sections -------------------------------------------------------------------------------------------------- */

/* Values, numbers and tables of a section; a value that lies below an item is in no object and goes with the items. */
static void write_fields(const struct document *document, size_t start, size_t end, struct object *object)
{
    for (size_t i = start; i < end; i++) {
        const struct document_block *block = &document->blocks[i];

        if (block->kind == BLOCK_VALUE && block->level == 0)
            write_value(document, i, end, object);
        else if (block->kind == BLOCK_TABLE)
            write_table(block, object);
        else if (block->kind == BLOCK_GRID)
            write_grid(block, object);
        if (block->kind == BLOCK_NUMBER) {
            write_key(object, block->key);
            json_write_decimal(object->output, block->number);
        }
    }
    write_texts(document, start, end, BLOCK_TEXT, "text", object);
    write_texts(document, start, end, BLOCK_ITEM, "items", object);
    write_texts(document, start, end, BLOCK_CODE, "commands", object);
    write_notes(document, start, end, object);
}

static size_t next_heading(const struct document *document, size_t start, unsigned deepest)
{
    while (start < document->count &&
           (document->blocks[start].kind != BLOCK_HEADING || document->blocks[start].level > deepest))
        start++;
    return start;
}

/* Headings have three levels, and so has the recursion. */
static void write_section(const struct document *document, size_t start, size_t end, struct object *object);

/* Headings of any deeper level below one are its sections. */
static void write_sections(const struct document *document, size_t start, size_t end, struct object *object)
{
    struct object sections;

    if (start >= end)
        return;
    write_key(object, "sections");
    sections = open_object(object->output, object->depth);
    for (size_t i = start, next; i < end; i = next) {
        const struct document_block *heading = &document->blocks[i];
        struct object section;

        next = next_heading(document, i + 1, heading->level);
        next = next < end ? next : end;
        write_key(&sections, heading->key);
        section = open_object(sections.output, sections.depth);
        write_key(&section, "title");
        json_write_text(section.output, heading->plain);
        write_section(document, i + 1, next, &section);
        close_object(&section);
    }
    close_object(&sections);
}

static void write_section(const struct document *document, size_t start, size_t end, struct object *object)
{
    size_t own = next_heading(document, start, 6);

    own = own < end ? own : end;
    write_fields(document, start, own, object);
    write_sections(document, own, end, object);
}

void document_print_json(const struct document *document, struct output *output)
{
    struct object root = open_object(output, 0);

    assert(document->failure == STATUS_OK);
    write_key(&root, "title");
    json_write_text(output, document->title);
    write_section(document, 0, document->count, &root);
    close_object(&root);
    cell_write_plain(output, "\n");
}
