/* text.c: a table for the terminal: aligned columns that fit the width, a rule under the headings, notes below.
 *
 * The texts may come from a hostile file: control characters never reach the terminal.
 */
#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "table/cell.h"
#include "table/printer.h"

enum {
    GAP = 2,       /* blanks between two columns */
    NARROWEST = 8, /* a column is not shortened below this */
    WIDEST_BAR = 20,
    NARROWEST_BAR = 4, /* a shorter one says nothing */
    USUAL_BAR = 8,     /* columns that may be left out make room for this */
    WIDEST_EXTRA =
        60, /* of an optional text where no width is given: locations that a compiler printed have hundreds */
    NARROWEST_NOTE = 20 /* notes are not wrapped tighter, whatever the terminal */
};

#define ELLIPSIS "\xe2\x80\xa6"
#define RULE "\xe2\x94\x80"
#define BOLD "\033[1m"
#define BAR_COLOUR "\033[36m"
#define NORMAL "\033[0m"
#define NULL_MARK "-"

struct column_layout {
    size_t values; /* width of the widest value */
    size_t width;  /* of the column, without its bar */
    size_t bar;    /* 0: none */
    bool shown;    /* it fits the width */
};

struct layout {
    size_t total;                   /* columns of a whole line */
    size_t left_out;                /* columns of the table that are not shown */
    struct column_layout columns[]; /* of the table */
};

/* Writes one line; blanks wait until something follows them, so that no line ends in blanks. */
struct pen {
    struct output *output; /* borrowed */
    size_t blanks;         /* to be written before what comes next */
};

static const char *replacement(uint32_t code)
{
    bool control = code < 0x20 || (code >= 0x7f && code <= 0x9f);
    bool reorders = (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);

    if (code == '\n')
        return "\\n";
    if (code == '\r')
        return "\\r";
    if (code == '\t')
        return "\\t";
    return control || reorders ? UTF8_REPLACEMENT_TEXT : NULL;
}

const char *text_next_piece(const char **cursor, const char *end, size_t *length)
{
    assert(*cursor < end);
    enum { LONGEST = 256 }; /* a caller that wants one line of a long text must not pay for all of it */
    const char *start = *cursor;

    while (*cursor < end && *cursor - start < LONGEST) {
        const char *character = *cursor;
        bool valid;
        uint32_t code = utf8_next(cursor, end, &valid);
        const char *instead = valid ? replacement(code) : UTF8_REPLACEMENT_TEXT;

        if (!instead)
            continue;
        if (character == start) {
            *length = strlen(instead);
            return instead;
        }
        *cursor = character;
        break;
    }
    *length = (size_t)(*cursor - start);
    return start;
}

static size_t clean_width(const char *text, size_t length)
{
    const char *end = text + length;
    size_t width = 0;

    while (text < end) {
        size_t size;
        const char *piece = text_next_piece(&text, end, &size);

        width += format_width(piece, size);
    }
    return width;
}

/* Writes what fits into `columns`; `*used` is how many it took. Returns the place where it stopped. */
static const char *clean_write(struct output *output, const char *text, const char *end, size_t columns, size_t *used)
{
    *used = 0;
    while (text < end) {
        const char *start = text;
        size_t size;
        const char *piece = text_next_piece(&text, end, &size);
        size_t width = format_width(piece, size);

        if (width > columns - *used) {
            if (piece != start)
                return start;
            size = format_fit(piece, size, columns - *used);
            output_write(output, piece, size);
            *used += format_width(piece, size);
            return piece + size;
        }
        output_write(output, piece, size);
        *used += width;
    }
    return end;
}

void text_write_clean(struct output *output, struct text text)
{
    size_t used;

    clean_write(output, text.data, text.data + text.length, SIZE_MAX, &used);
}

/* Returns the columns it took: `columns` at most. */
static size_t write_shortened(struct output *output, const char *text, size_t columns)
{
    size_t length = strlen(text);
    bool fits = clean_width(text, length) <= columns;
    size_t used = 0;

    if (columns == 0)
        return 0;
    clean_write(output, text, text + length, fits ? columns : columns - 1, &used);
    if (!fits)
        cell_write_plain(output, ELLIPSIS);
    return used + !fits;
}

static void write_blanks(struct output *output, size_t count)
{
    static const char blanks[] = "                                ";

    while (count > 0) {
        size_t some = count < sizeof blanks - 1 ? count : sizeof blanks - 1;

        output_write(output, blanks, some);
        count -= some;
    }
}

/* ---- layout ---- */

static size_t heading_width(const struct table_column *column)
{
    const char *title = cell_heading(column);
    const char *unit = cell_heading_unit(column);

    return clean_width(title, strlen(title)) + (unit ? strlen(" []") + clean_width(unit, strlen(unit)) : 0);
}

static size_t value_width(const struct table_column *column, struct table_cell cell)
{
    char shown[FORMAT_SIZE];

    if (cell.null)
        return strlen(NULL_MARK);
    if (column->type == CELL_TEXT)
        return clean_width(cell.text, strlen(cell.text));
    return format_width(shown, cell_show(shown, column, cell));
}

static void measure(struct layout *layout, const struct table *table, size_t limit)
{
    size_t columns = table_columns(table);

    for (size_t row = 0; row < table_rows(table); row++) {
        for (size_t i = 0; i < columns; i++) {
            size_t width = value_width(table_column(table, i), table_cell(table, row, i));

            if (width > layout->columns[i].values)
                layout->columns[i].values = width;
        }
    }
    for (size_t i = 0; i < columns; i++) {
        struct column_layout *column = &layout->columns[i];
        size_t heading = heading_width(table_column(table, i));

        column->shown = true;
        column->width = column->values > heading ? column->values : heading;
        /* No text column can be wider than the line: `shorten` need not start from millions. */
        if (table_column(table, i)->type == CELL_TEXT && column->width > limit)
            column->width = limit > NARROWEST ? limit : NARROWEST;
        layout->total += column->width + (i ? GAP : 0);
    }
}

/* Optional columns go from the right, but one column always stays. Where there is no limit, those go that are far too wide to be read. */
static void drop_optional(struct layout *layout, const struct table *table, size_t limit)
{
    size_t columns = table_columns(table);

    for (size_t i = columns; i > 0 && (layout->total > limit || limit == SIZE_MAX); i--) {
        if (!table_column(table, i - 1)->optional || layout->left_out + 1 == columns)
            continue;
        if (limit == SIZE_MAX && (layout->columns[i - 1].width <= WIDEST_EXTRA || table_column(table, i - 1)->asked))
            continue;
        layout->columns[i - 1].shown = false;
        layout->total -= layout->columns[i - 1].width + GAP;
        layout->left_out++;
    }
    assert(layout->left_out < columns || !columns);
}

/* How narrow a column may become: texts can be cut, of numbers only the heading. */
static size_t narrowest(const struct column_layout *column, enum cell_type type)
{
    if (type == CELL_TEXT || column->values < NARROWEST)
        return NARROWEST;
    return column->values;
}

/* The widest column gives way first. `texts`: the text columns, else the headings of the others. */
static void shorten(struct layout *layout, const struct table *table, size_t limit, bool texts)
{
    while (layout->total > limit) {
        struct column_layout *widest = NULL;

        for (size_t i = 0; i < table_columns(table); i++) {
            enum cell_type type = table_column(table, i)->type;
            struct column_layout *column = &layout->columns[i];

            if (!column->shown || (type == CELL_TEXT) != texts || column->width <= narrowest(column, type))
                continue;
            if (!widest || column->width > widest->width)
                widest = column;
        }
        if (!widest)
            return;
        layout->total--;
        widest->width--;
    }
}

static bool wants_bar(const struct layout *layout, const struct table *table, size_t column)
{
    const struct table_column *definition = table_column(table, column);

    return layout->columns[column].shown && definition->bar && definition->type == CELL_PERCENT;
}

static size_t bar_count(const struct layout *layout, const struct table *table)
{
    size_t count = 0;

    for (size_t i = 0; i < table_columns(table); i++)
        count += wants_bar(layout, table, i);
    return count;
}

/* What is left of the width is shared by the bars. */
static void add_bars(struct layout *layout, const struct table *table, size_t limit)
{
    size_t count = bar_count(layout, table);
    size_t each;

    if (count == 0 || layout->total >= limit)
        return;
    each = (limit - layout->total) / count;
    if (each < 1 + NARROWEST_BAR)
        return;
    each = each - 1 < WIDEST_BAR ? each - 1 : WIDEST_BAR;
    for (size_t i = 0; i < table_columns(table); i++) {
        if (wants_bar(layout, table, i)) {
            layout->columns[i].bar = each;
            layout->total += 1 + each;
        }
    }
}

/* What bars would like to have. They are not worth more than half a line. */
static size_t bars_room(const struct layout *layout, const struct table *table, size_t limit)
{
    size_t room = bar_count(layout, table) * (1 + USUAL_BAR);

    return limit != SIZE_MAX && room <= limit / 2 ? room : 0;
}

/* NULL: out of memory; the table is then printed without alignment, which loses looks but no value. */
static struct layout *layout_new(const struct table *table, const struct printer_style *style)
{
    size_t limit = style->width ? style->width : SIZE_MAX;
    struct layout *layout = memory_allocate_clear(sizeof *layout + table_columns(table) * sizeof(struct column_layout));

    if (!layout)
        return NULL;
    measure(layout, table, limit);
    drop_optional(layout, table, limit - (style->bars ? bars_room(layout, table, limit) : 0));
    shorten(layout, table, limit, true);
    shorten(layout, table, limit, false);
    if (style->bars)
        add_bars(layout, table, limit);
    return layout;
}

static struct column_layout column_layout(const struct layout *layout, size_t column)
{
    assert(!layout || layout->columns[column].shown || layout->left_out);
    /* Without a layout a column takes what its text takes. */
    return layout ? layout->columns[column] : (struct column_layout){ .width = SIZE_MAX, .shown = true };
}

/* ---- lines ---- */

static void pen_down(struct pen *pen)
{
    write_blanks(pen->output, pen->blanks);
    pen->blanks = 0;
}

/* Blanks on the side of a text that takes `columns` where it is to be padded; none without a layout. */
static void pen_align(struct pen *pen, size_t columns, size_t width, bool padded)
{
    if (padded && width != SIZE_MAX && width > columns)
        pen->blanks += width - columns;
}

static void put_text(struct pen *pen, const char *text, size_t width, bool right)
{
    size_t columns = clean_width(text, strlen(text));

    if (columns > width)
        columns = width;
    pen_align(pen, columns, width, right);
    if (columns > 0) {
        pen_down(pen);
        columns = write_shortened(pen->output, text, width);
    }
    pen_align(pen, columns, width, !right);
}

static void put_heading(struct pen *pen, const struct table_column *column, size_t width, bool right)
{
    const char *unit = cell_heading_unit(column);
    size_t columns = heading_width(column);

    /* What must be cut loses its unit first. */
    if (!unit || columns > width) {
        put_text(pen, cell_heading(column), width, right);
        return;
    }
    pen_align(pen, columns, width, right);
    pen_down(pen);
    write_shortened(pen->output, cell_heading(column), width);
    cell_write_plain(pen->output, " [");
    write_shortened(pen->output, unit, width);
    cell_write_plain(pen->output, "]");
    pen_align(pen, columns, width, !right);
}

static void put_bar(struct pen *pen, double percent, size_t width, bool colour)
{
    size_t eighths = (size_t)(percent * (double)width * 8 / 100 + 0.5);
    char block[] = "\xe2\x96\x88";

    assert(percent >= 0 && percent <= 100);
    /* Something is more than nothing, and looks so. */
    if (eighths == 0 && percent > 0)
        eighths = 1;
    pen->blanks++;
    if (eighths > 0) {
        pen_down(pen);
        cell_write_plain(pen->output, colour ? BAR_COLOUR : "");
        for (size_t i = 0; i < eighths / 8; i++)
            cell_write_plain(pen->output, block);
        if (eighths % 8) {
            /* U+2589 is seven eighths, U+258F one. */
            block[2] = (char)(0x90 - eighths % 8);
            cell_write_plain(pen->output, block);
        }
        cell_write_plain(pen->output, colour ? NORMAL : "");
    }
    pen->blanks += width - (eighths + 7) / 8;
}

static void put_cell(struct pen *pen, const struct table_column *definition, struct table_cell cell,
                     struct column_layout column, bool colour)
{
    char shown[FORMAT_SIZE];
    double percent = 0;

    if (cell.null) {
        put_text(pen, NULL_MARK, column.width, cell_is_number(definition->type));
    } else if (definition->type == CELL_TEXT) {
        put_text(pen, cell.text, column.width, false);
    } else {
        shown[cell_show(shown, definition, cell)] = '\0';
        put_text(pen, shown, column.width, cell_is_number(definition->type));
    }
    if (!column.bar)
        return;
    cell_bar(definition, cell, &percent);
    put_bar(pen, percent, column.bar, colour);
}

static void write_headings(struct output *output, const struct table *table, const struct layout *layout, bool colour)
{
    struct pen pen = { .output = output };

    cell_write_plain(output, colour ? BOLD : "");
    for (size_t i = 0; i < table_columns(table); i++) {
        struct column_layout column = column_layout(layout, i);

        if (!column.shown)
            continue;
        put_heading(&pen, table_column(table, i), column.width, cell_is_number(table_column(table, i)->type));
        pen.blanks += GAP + (column.bar ? 1 + column.bar : 0);
    }
    cell_write_plain(output, colour ? NORMAL "\n" : "\n");
}

static void *begin(struct output *output, const struct table *table, const struct printer_style *style)
{
    struct layout *layout = layout_new(table, style);
    const char *title = table_title(table);
    size_t rule = layout ? layout->total : NARROWEST;

    if (*title) {
        size_t length = strlen(title);
        size_t used;

        cell_write_plain(output, style->colour ? BOLD : "");
        clean_write(output, title, title + length, SIZE_MAX, &used);
        cell_write_plain(output, style->colour ? NORMAL "\n" : "\n");
    }
    if (table_columns(table) == 0)
        return layout;
    write_headings(output, table, layout, style->colour);
    if (style->width && rule > style->width)
        rule = style->width;
    for (size_t i = 0; i < rule; i++)
        cell_write_plain(output, RULE);
    cell_write_plain(output, table_rows(table) ? "\n" : "\n(no rows)\n");
    return layout;
}

static void row(struct output *output, const struct table *table, const struct printer_style *style, void *state,
                size_t index)
{
    struct pen pen = { .output = output };

    if (table_columns(table) == 0)
        return;
    for (size_t i = 0; i < table_columns(table); i++) {
        struct column_layout column = column_layout(state, i);

        if (!column.shown)
            continue;
        put_cell(&pen, table_column(table, i), table_cell(table, index, i), column, style->colour);
        pen.blanks += GAP;
    }
    cell_write_plain(output, "\n");
}

/* ---- notes ---- */

/* Words go on the current line as long as they fit, continuation lines are indented as far as the first word. */
struct wrapper {
    struct output *output; /* borrowed */
    size_t limit;          /* columns of a line */
    size_t indent;         /* columns before each line */
    size_t used;           /* of the current line */
};

static void wrap_word(struct wrapper *wrapper, const char *word, const char *end)
{
    size_t width = clean_width(word, (size_t)(end - word));

    assert(word < end);
    if (wrapper->used > wrapper->indent) {
        if (wrapper->used < wrapper->limit && width < wrapper->limit - wrapper->used) {
            cell_write_plain(wrapper->output, " ");
            wrapper->used++;
        } else {
            cell_write_plain(wrapper->output, "\n");
            wrapper->used = 0;
        }
    }
    while (word < end) {
        size_t used;

        if (wrapper->used >= wrapper->limit) {
            cell_write_plain(wrapper->output, "\n");
            wrapper->used = 0;
        }
        if (wrapper->used == 0) {
            write_blanks(wrapper->output, wrapper->indent);
            wrapper->used = wrapper->indent;
        }
        word = clean_write(wrapper->output, word, end, wrapper->limit - wrapper->used, &used);
        /* What is left did not fit: the line is full. */
        wrapper->used = word < end ? wrapper->limit : wrapper->used + used;
    }
}

static void wrap_text(struct wrapper *wrapper, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, " \n");

        if (length > 0)
            wrap_word(wrapper, text, text + length);
        text += length + strspn(text + length, " \n");
    }
}

static struct wrapper wrap_begin(struct output *output, const struct printer_style *style, const char *first)
{
    size_t limit = style->width > NARROWEST_NOTE ? style->width : NARROWEST_NOTE,
           indent = format_width(first, strlen(first));

    cell_write_plain(output, first);
    return (struct wrapper){ output, style->width ? limit : SIZE_MAX, indent, indent };
}

void text_write_wrapped(struct output *output, const struct printer_style *style, const char *first, const char *text)
{
    struct wrapper wrapper = wrap_begin(output, style, first);

    assert(first && text);
    wrap_text(&wrapper, text);
    cell_write_plain(output, "\n");
}

static void write_left_out(struct output *output, const struct table *table, const struct layout *layout,
                           const struct printer_style *style)
{
    struct wrapper wrapper = wrap_begin(output, style, "note: ");
    size_t listed = 0;

    wrapper.limit--; /* room for the comma behind a word */
    wrap_text(&wrapper,
              style && style->width ? "left out to fit the width:" : "left out as too wide (--columns has them):");
    for (size_t i = 0; i < table_columns(table); i++) {
        if (!layout->columns[i].shown) {
            if (listed++ > 0) {
                cell_write_plain(output, ",");
                wrapper.used++;
            }
            wrap_text(&wrapper, cell_heading(table_column(table, i)));
        }
    }
    cell_write_plain(output, "\n");
}

static void end(struct output *output, const struct table *table, const struct printer_style *style, void *state)
{
    struct layout *layout = state;

    for (size_t i = 0; i < table_notes(table); i++)
        text_write_wrapped(output, style, "note: ", table_note_at(table, i));
    if (layout && layout->left_out)
        write_left_out(output, table, layout, style);
    memory_free(layout);
}

const struct printer text_printer = { .id = "text", .suffix = ".txt", .begin = begin, .row = row, .end = end };
