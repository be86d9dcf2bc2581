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
    struct spans spans;
    const char *plain;
    bool has_number;
    double number;
};

struct document_grid {
    struct document_column *columns;
    size_t column_count;
    struct document_cell *cells; /* row by row; owned */
    size_t cell_count, cell_capacity;
};

struct document_block {
    enum block_kind kind;
    unsigned level; /* of a heading; depth of an item or value */
    enum prose_mood mood;
    const char *key;   /* HEADING, VALUE, NUMBER, TABLE, GRID; else NULL */
    const char *label; /* of a value */
    const char *plain; /* the text without markup */
    struct spans spans;
    double number;
    struct table *table;        /* owned */
    struct document_grid *grid; /* in the arena; its cells are owned */
    const struct plot *plot;    /* in the arena */
};

struct document {
    struct arena arena;
    const char *title;
    struct document_block *blocks;
    size_t count, capacity;
    status failure; /* the first */
};

#endif
