/* prose.h: headings, paragraphs, lists and small tables in markdown and HTML: what a document is printed with.
 *
 * A printer is a table of functions that write into an output which the caller owns; failures stick there. Texts come as spans,
 * already taken apart, so that no text can be mistaken for markup: each printer escapes what it writes.
 */
#ifndef TABLE_PROSE_H
#define TABLE_PROSE_H

#include "base/output.h"
#include "table/plot.h"
#include "table/printer.h"
#include "table/table.h"

struct span {
    const char *text; /* with a NUL behind it */
    bool bold;        /* to stand out */
    bool code;        /* as it is in a file */
};

struct spans {
    const struct span *items; /* borrowed */
    size_t count;             /* of items */
};

/* X(name, key, sign) */
#define PROSE_MOOD_MAP(X)            \
    X(PLAIN, "plain", "")            \
    X(GOOD, "good", "✅ ")            \
    X(WARNING, "warning", "⚠️ ") \
    X(BAD, "bad", "❌ ")              \
    X(NOTE, "note", "ℹ️ ")

enum prose_mood {
#define X(name, key, sign) PROSE_##name,
    PROSE_MOOD_MAP(X)
#undef X
        PROSE_MOOD_COUNT
};

const char *prose_mood_key(enum prose_mood mood);
const char *prose_mood_sign(enum prose_mood mood); /* for plain text, with a blank behind it; "" for PLAIN */

/* Where a section stands on a page; elsewhere one comes after the other. */
enum prose_place {
    PROSE_OPEN,  /* as it comes */
    PROSE_CARD,  /* on the first screen, beside others where there is room */
    PROSE_FOLDED /* only its heading is seen, until somebody opens it */
};

struct prose_heading {
    unsigned level;         /* 2 to 4; 1 is the title */
    const char *key;        /* anchor: letters, digits and "_" */
    struct spans text;      /* as people read it */
    enum prose_place place; /* of a section of level 2; deeper headings lie in it */
};

struct prose_item {
    unsigned depth;    /* from 0; at most one more than that of the item before */
    const char *label; /* "Model": the text is its value; NULL: none */
    struct spans text; /* as people read it */
};

struct prose_grid_column {
    const char *title; /* as people read it */
    bool number;       /* stands at the right */
};

struct prose_grid {
    const struct prose_grid_column *columns; /* borrowed */
    size_t column_count;                     /* of columns, not 0 */
    const struct spans *cells;               /* row by row */
    size_t row_count;                        /* times as many cells as there are columns */
};

struct prose_printer {
    const char *suffix;           /* of files, with its dot */
    const struct printer *tables; /* the printer for tables inside */
    void (*begin)(struct output *output, const char *title, const struct prose_heading *headings,
                  size_t count); /* first; headings are those of the whole document */
    void (*heading)(struct output *output, const struct prose_heading *heading); /* one */
    /* From the place of one section to that of the next, before its heading; last to PROSE_OPEN. NULL: of no interest. */
    void (*place)(struct output *output, enum prose_place from, enum prose_place to);
    void (*paragraph)(struct output *output, enum prose_mood mood, struct spans text);  /* one */
    void (*items)(struct output *output, const struct prose_item *items, size_t count); /* a whole list */
    void (*code)(struct output *output, const char *text);                              /* a block of it */
    void (*grid)(struct output *output, const struct prose_grid *grid);                 /* a small table */
    void (*rule)(struct output *output);                                                /* a line across */
    void (*plot)(struct output *output, const struct plot *plot);                       /* NULL: no pictures */
    void (*end)(struct output *output);                                                 /* last */
};

extern const struct prose_printer markdown_prose;

#endif
