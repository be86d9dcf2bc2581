/* kept.h: the slices of a chunk in memory, so that any of them is found at once, and what they have in the columns of a drawing.
 *
 * Plain data; whoever has a chunk frees it. 12 bytes per slice, or 20 where a chunk reaches over more than four seconds.
 */
#ifndef SERVE_KEPT_H
#define SERVE_KEPT_H

#include "page/trace_page_target.h"

struct kept_chunk {
    int64_t start, end; /* of the first and the last; ns */
    uint32_t count;     /* slices or values, at least one */
    bool values;        /* of a counter: nothing is here but this */
    bool large;         /* times are 64 bits each, else 32 */
    uint32_t block;     /* which it is among blocks */
    uint32_t arguments; /* the same, of its arguments; NO_ID: none */
    void *starts;       /* from `start`, by slice; in one piece with the two below */
    void *before;       /* lengths of the slices before each, added up, and of all at the end */
    uint32_t *labels;   /* by slice */
};

/* From the numbers of a chunk. */
NODISCARD status kept_chunk_new(const struct page_chunk_data *data, struct kept_chunk **chunk);
void kept_chunk_free(struct kept_chunk *chunk); /* NULL is fine */
/* Bytes in memory. */
size_t kept_chunk_size(const struct kept_chunk *chunk);
/* The columns that its block has. */
NODISCARD status kept_chunk_columns(const struct kept_chunk *chunk, struct page_bytes *to);

/* Times that columns lie between: see `struct tiles`. */
struct kept_scale {
    int64_t from, to;      /* ns, as chunks have them */
    uint32_t columns;      /* at least 1 */
    uint64_t whole, rest;  /* ns of a column, and how many columns have one more */
    double columns_per_ns; /* about */
};

void kept_scale_set(struct kept_scale *scale, int64_t from, int64_t to, uint32_t columns);

static inline int64_t kept_edge(const struct kept_scale *scale, uint32_t column)
{
    return (int64_t)((uint64_t)scale->from + column * scale->whole + column * scale->rest / scale->columns);
}

struct kept_cell {
    uint64_t busy;  /* ns in which a slice runs */
    uint32_t count; /* slices that are in it, in part or whole */
    uint32_t label; /* of the slice that takes most of it; of many, among some */
};

struct kept_wide {
    int64_t start, end; /* ns, as chunks have them */
    uint32_t label;     /* of the slice */
};

/* What a row has in the columns of a scale, filled chunk by chunk in the order of time. */
struct kept_row_tile {
    const struct kept_scale *scale; /* borrowed */
    struct kept_cell *cells;        /* one for each column, zero at first; borrowed */
    uint64_t wide;                  /* slices as long as this are listed; 0: none */
    struct kept_wide *wides;        /* owned */
    size_t wide_count;              /* of wides */
    size_t wide_capacity;           /* of wides */
};

/* Of a chunk that is not wholly outside. */
NODISCARD status kept_tile_add(struct kept_row_tile *tile, const struct kept_chunk *chunk);

#endif
