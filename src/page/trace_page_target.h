/* trace_page_target.h: where the writer of a page puts what it makes: into one HTML file (trace_page_html.c), or into the memory of a server
 * (serve/traces.h).
 *
 * Blocks and chunks come while the trace is read; the head comes last. Where a page is made more than once, because its trace still grows,
 * the head comes once for each time.
 */
#ifndef PAGE_TRACE_PAGE_TARGET_H
#define PAGE_TRACE_PAGE_TARGET_H

#include "page/trace_page_blocks.h"
#include "write/writer.h"

enum page_row_kind { PAGE_ROW_SLICES, PAGE_ROW_VALUES, PAGE_ROW_INSTANTS };

/* A chunk that is closed. Its numbers lie one behind the other: of a slice its gap, length and label, of a value its gap and the decimal. */
struct page_chunk_data {
    uint32_t row;                /* as it was made, not as the index numbers it */
    enum page_row_kind kind;     /* of the row */
    uint32_t count;              /* slices or values */
    int64_t start, end;          /* of the first and the last; ns */
    struct page_bytes numbers;   /* borrowed */
    struct page_bytes arguments; /* of the slices, as their block has them; borrowed; none: no slice has any */
};

/* What a target may want to know of a head. */
struct page_head_data {
    const uint32_t *rows; /* as they were made, in the order of the index; borrowed */
    size_t row_count;     /* of rows */
    int64_t begin, end;   /* of all; ns */
    int64_t origin;       /* what times of the page are counted from */
    uint64_t slices;      /* in all rows */
    bool finished;        /* nothing more comes */
};

struct page_target_calls {
    /* A block about the whole trace. */
    NODISCARD status (*block)(void *self, const void *data, size_t size, struct page_place *place);
    NODISCARD status (*chunk)(void *self, const struct page_chunk_data *chunk, struct page_place *slices,
                              struct page_place *arguments);
    /* All blocks are there. The head is written to `*output`, which is the target's. */
    NODISCARD status (*head)(void *self, const struct page_head_data *about, struct output **output);
    /* The head is written. */
    NODISCARD status (*end)(void *self);
    void (*free)(void *self);
};

struct page_target {
    const struct page_target_calls *calls; /* static */
    void *self;                            /* for them */
};

/* Columns of a chunk, as its block has them, from what was one behind the other. They have as many bytes together; `to` has room for that, of
 * slices for three times that. */
void page_split(const struct page_chunk_data *chunk, unsigned char *to);

/* The target of a page in HTML, which begins with the heading or with the front of the options. The output is borrowed. */
NODISCARD status page_html_new(struct output *output, const char *heading, const struct document *front,
                               struct page_target *target);

/* A writer of a page into any target, which it takes over, also where it fails. */
NODISCARD status page_open(const struct page_target *target, struct strings *strings,
                           const struct writer_options *options, struct writer *writer);
/* What ended so far goes into the target, and a head behind it, while the sink is fed; nothing will begin before `until` (INT64_MIN: nothing is
 * known of that). Chunks that ended before `forget` are in none of it any more. */
NODISCARD status page_publish(struct writer *writer, int64_t until, int64_t forget);
/* The target of such a writer. */
void *page_target_of(const struct writer *writer);
/* The heading of a page; the caller frees it. */
NODISCARD status page_heading(const struct writer_options *options, char **heading);

#endif
