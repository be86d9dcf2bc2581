/* trace_page_rows.h: rows of a page: slices, instants or values that follow each other, packed in chunks as they come.
 *
 * A row is in order of time, and nothing in it overlaps. Rows may be many: one that has little holds little. Owns everything but the target
 * and labels, until `page_rows_free`.
 */
#ifndef PAGE_TRACE_PAGE_ROWS_H
#define PAGE_TRACE_PAGE_ROWS_H

#include "page/trace_page_labels.h"
#include "page/trace_page_target.h"

struct page_chunk {
    uint32_t count;              /* slices, instants or values */
    int64_t start, end;          /* of the first and of the last; ns */
    int64_t busy;                /* lengths, added up */
    double lowest, highest;      /* of values */
    struct page_place slices;    /* their times and labels */
    struct page_place arguments; /* of them; none: no slice has any */
    uint32_t next;               /* of the same row; NO_ID: none */
};

struct page_row {
    track_id track;              /* whose line it is on */
    enum page_row_kind kind;     /* what is in it */
    uint32_t lane;               /* of the track's: where slices nest; rows of a lane follow each other by depth */
    uint32_t depth;              /* in the lane */
    bool late;                   /* of those that came late, which have lanes of their own */
    bool open;                   /* its last slice has not ended */
    uint32_t label;              /* of the open one */
    int64_t start;               /* the same; ns */
    int64_t inside;              /* ns of slices that are nested in it */
    uint32_t total;              /* begun in all chunks */
    uint32_t forgotten;          /* of these, in chunks that are forgotten */
    struct page_chunk chunk;     /* that is being filled */
    struct page_bytes slices;    /* of the chunk: numbers of one slice behind those of the other */
    struct page_bytes arguments; /* the same */
    uint32_t blank;              /* slices behind the last one in `arguments` */
    size_t carried;              /* bytes of `arguments` before those of the open slice, where it has some */
    int64_t reaches;             /* end of what is in it; INT64_MIN: nothing is */
    int64_t begins;              /* start of its first */
    uint32_t first_chunk;        /* that is written; NO_ID: none */
    uint32_t last_chunk;         /* the same */
    uint32_t chunk_count;        /* of these */
};

/* What a slice carries beside its times. */
struct page_extra {
    uint32_t label;                 /* what it is one of */
    const unsigned char *arguments; /* as a page has them; borrowed */
    uint32_t size;                  /* of arguments; 0: it has none, no run and no flow */
    const uint32_t *flows;          /* borrowed */
    uint32_t flow_count;            /* of flows */
};

/* One end of a flow. */
struct page_flow_end {
    uint32_t flow;  /* its number */
    uint32_t row;   /* of the slice */
    uint32_t slice; /* its number in the row */
    int64_t start;  /* ns */
};

struct page_rows {
    const struct page_target *target; /* borrowed */
    struct page_labels *labels;       /* borrowed */
    struct column items;              /* struct page_row */
    struct column chunks;             /* struct page_chunk, of all rows: most have one only */
    uint32_t free_chunk;              /* of `chunks`, that may be used again; NO_ID: none */
    struct column flows;              /* struct page_flow_end */
    uint64_t slices;                  /* in all rows */
    uint64_t instants;                /* the same */
};

void page_rows_start(struct page_rows *rows, const struct page_target *target, struct page_labels *labels);
void page_rows_free(struct page_rows *rows);
NODISCARD status page_rows_add(struct page_rows *rows, const struct page_row *like, uint32_t *id);

/* Not before the end of what is in the row. `end` gives the length; `inside` is how much of it is nested in it. */
NODISCARD status page_row_begin(struct page_rows *rows, uint32_t row, int64_t start, const struct page_extra *extra);
NODISCARD status page_row_end(struct page_rows *rows, uint32_t row, int64_t end);
NODISCARD status page_row_value(struct page_rows *rows, uint32_t row, int64_t time, double value);
/* Writes what has ended in all rows, and is not written yet. */
NODISCARD status page_rows_flush(struct page_rows *rows);
/* Forgets chunks that ended before this time, and the ends of flows in them. Rows stay. */
void page_rows_forget(struct page_rows *rows, int64_t before);

static inline struct page_row *page_row(const struct page_rows *rows, uint32_t id)
{
    return column_at(&rows->items, id);
}

static inline struct page_chunk *page_chunk(const struct page_rows *rows, uint32_t id)
{
    return column_at(&rows->chunks, id);
}

#endif
