/* trace_page_blocks.h: the data of a page: blocks, each deflated and written as base64 into elements of text.
 *
 * Blocks are written as they come. Elements are opened and closed as they fill; a block never crosses two. The output is borrowed, and
 * failures of writing stick there.
 */
#ifndef PAGE_TRACE_PAGE_BLOCKS_H
#define PAGE_TRACE_PAGE_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

#include "base/output.h"

/* Bytes that grow. All zero: none. */
struct page_bytes {
    unsigned char *data; /* owned */
    size_t count;        /* of data */
    size_t capacity;     /* of data */
};

enum { PAGE_VARINT = 10 }; /* bytes of the longest number */

void page_bytes_free(struct page_bytes *bytes); /* leaves none */
/* Room for so many more, which the caller then fills. */
NODISCARD status page_bytes_room(struct page_bytes *bytes, size_t more);
NODISCARD status page_bytes_add(struct page_bytes *bytes, const void *data, size_t size);
NODISCARD status page_bytes_number(struct page_bytes *bytes, uint64_t value);

/* A number in groups of 7 bits, low ones first; there is room. Returns where it ends. */
static inline unsigned char *page_varint(unsigned char *to, uint64_t value)
{
    for (; value > 0x7F; value >>= 7)
        *to++ = (unsigned char)(value | 0x80);
    *to++ = (unsigned char)value;
    return to;
}

/* Eight bytes of a decimal, low ones first. */
unsigned char *page_decimal(unsigned char *to, double value);

/* Where a block is: the element that holds it, and its characters there. Length 0: there is none. */
struct page_place {
    uint32_t element; /* from 0, in the order of the page */
    uint32_t offset;  /* of the first character */
    uint32_t length;  /* in characters */
};

struct page_blocks;

NODISCARD status page_blocks_new(struct output *output, struct page_blocks **blocks);
void page_blocks_free(struct page_blocks *blocks); /* NULL is fine */
NODISCARD status page_blocks_write(struct page_blocks *blocks, const void *data, size_t size, struct page_place *place);
/* Ends the element that is open; nothing more is written. */
void page_blocks_end(struct page_blocks *blocks);

#endif
