/* trace_page_labels.h: the texts of a page, and its labels: what slices are instances of.
 *
 * Both are numbered in the order of their first use, since chunks that name them are written before all are known. Both own their tables;
 * the pool of strings is borrowed.
 */
#ifndef PAGE_TRACE_PAGE_LABELS_H
#define PAGE_TRACE_PAGE_LABELS_H

#include "base/column.h"
#include "base/map.h"
#include "page/trace_page_blocks.h"
#include "trace/model.h"

struct page_texts {
    struct strings *strings; /* borrowed */
    uint32_t *of_string;     /* text + 1 by string id; 0: not used yet */
    size_t capacity;         /* of of_string */
    struct column used;      /* string_id, by text */
};

NODISCARD status page_texts_start(struct page_texts *texts, struct strings *strings);
void page_texts_free(struct page_texts *texts);
NODISCARD status page_text_new(struct page_texts *texts, string_id id, uint32_t *text);
/* All of them, each with a NUL behind it. What is no UTF-8, and a NUL inside of one, becomes U+FFFD. */
NODISCARD status page_texts_write(const struct page_texts *texts, struct page_bytes *to);

/* The number of a text of the pool. */
NODISCARD static inline status page_text(struct page_texts *texts, string_id id, uint32_t *text)
{
    if (id >= texts->capacity || !texts->of_string[id])
        return page_text_new(texts, id, text);
    *text = texts->of_string[id] - 1;
    return STATUS_OK;
}

/* How slices of a label are coloured; the front end has the same list. */
enum page_colour {
    PAGE_COLOUR_OTHER,
    PAGE_COLOUR_COMPUTE,
    PAGE_COLOUR_TRANSFER,
    PAGE_COLOUR_JOB,
    PAGE_COLOUR_HOST,
    PAGE_COLOUR_BOOKKEEPING,
    PAGE_COLOUR_ENVELOPE,
    PAGE_COLOUR_DRAWN
};

struct page_label {
    string_id name;              /* of its slices */
    string_id operator_name;     /* 0: none */
    string_id location;          /* of the operator; 0: none */
    const struct engine *engine; /* of their tracks; NULL: a group's */
    uint64_t count;              /* slices and instants */
    uint64_t total;              /* ns */
    uint64_t self;               /* the same, without what is nested in them on their lines */
    uint64_t shortest;           /* the same, of one */
    uint64_t longest;            /* the same */
};

/* The label that slices of a name had last. Small, so that those of many names stay in the cache. */
struct page_last_label {
    uint32_t label;  /* and 1; 0: none */
    uint32_t engine; /* of a label without an operator: which of `engines`, and 1; 0: it has one, and is looked at */
};

struct page_labels {
    struct map map;               /* over the labels */
    struct column items;          /* struct page_label */
    struct column engines;        /* const struct engine *, of labels without an operator */
    struct page_last_label *last; /* that a name had, by string id; owned */
    size_t capacity;              /* of last */
};

void page_labels_start(struct page_labels *labels);
void page_labels_free(struct page_labels *labels);
/* The label of a slice on a track of this engine; `op` NULL: it has no operator. */
NODISCARD status page_label_find(struct page_labels *labels, string_id name, const struct op *op,
                                 const struct engine *engine, uint32_t *label);
/* A slice of it has ended. */
void page_label_add(struct page_labels *labels, uint32_t label, uint64_t length, uint64_t self);
NODISCARD status page_labels_write(const struct page_labels *labels, struct page_texts *texts, struct page_bytes *to);

#endif
