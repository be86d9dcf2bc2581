/* document_blocks.h: what a document keeps, for the files that print it. */
#ifndef TABLE_DOCUMENT_BLOCKS_H
#define TABLE_DOCUMENT_BLOCKS_H

#include "base/arena.h"
#include "table/document.h"

enum block_kind {
    BLOCK_HEADING,
    BLOCK_TEXT,
    BLOCK_ITEM,
    BLOCK_VALUE,
    BLOCK_NUMBER,
    BLOCK_CODE,
    BLOCK_RULE,
    BLOCK_TABLE,
    BLOCK_GRID,
    BLOCK_PLOT
};

struct document_cell {
    struct spans spans; /* the text with its markup */
    const char *plain;  /* the text without */
    bool has_number;    /* machines get that instead */
    double number;      /* NAN: null */
};

struct document_grid {
    struct document_column *columns;  /* in the arena */
    size_t column_count;              /* of columns */
    struct document_cell *cells;      /* row by row; owned */
    size_t cell_count, cell_capacity; /* of cells */
};

struct document_block {
    enum block_kind kind;       /* tells which of the others are set */
    unsigned level;             /* of a heading; depth of an item or value */
    enum prose_mood mood;       /* of a text */
    enum prose_place place;     /* of a heading of level 2 */
    const char *key;            /* HEADING, VALUE, NUMBER, TABLE, GRID; else NULL */
    const char *label;          /* of a value */
    const char *plain;          /* the text without markup */
    struct spans spans;         /* the text with its markup */
    double number;              /* NUMBER: NAN is null */
    struct table *table;        /* owned */
    struct document_grid *grid; /* in the arena; its cells are owned */
    const struct plot *plot;    /* in the arena */
};

struct document {
    struct arena arena;            /* all texts */
    const char *title;             /* in the arena */
    struct document_block *blocks; /* in order; owned */
    size_t count, capacity;        /* of blocks */
    enum prose_place place;        /* of the sections that come */
    status failure;                /* the first */
};

#endif
