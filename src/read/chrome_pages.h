/* chrome_pages.h: events by their place in a file, of which the parts that were asked for last are kept.
 *
 * The second walk reads at a few places at once, each of which moves on: one for each run of the index. Pages are kept by where they lie, so that runs
 * which are near each other share them.
 */
#ifndef READ_CHROME_PAGES_H
#define READ_CHROME_PAGES_H

#include "base/input.h"
#include "read/chrome_event.h"

enum {
    CHROME_PAGE_BITS = 15,               /* 32 KiB */
    CHROME_PAGE = 1 << CHROME_PAGE_BITS, /* bytes */
    CHROME_SETS = 16,                    /* pages whose number ends alike share a set */
    CHROME_WAYS = 4,                     /* pages of a set that are kept */
    CHROME_EVENT_MOST = 256 << 20        /* bytes of the largest event that is read */
};

struct chrome_page {
    uint64_t number; /* of the page in the file, plus one; 0: nothing is kept here */
    uint64_t used;   /* when, as a count of requests */
    char *bytes;     /* owned, with a pad behind; NULL: none yet */
    size_t length;   /* of bytes; less than a page only at the end of the file */
};

struct chrome_pages {
    struct input *input;                                /* borrowed */
    struct chrome_page pages[CHROME_SETS][CHROME_WAYS]; /* by the end of their number */
    uint64_t requests;                                  /* so far */
    char *joined;                                       /* an event that lies on several pages; owned */
    size_t joined_capacity;                             /* of joined */
};

void chrome_pages_start(struct chrome_pages *pages, struct input *input);
void chrome_pages_free(struct chrome_pages *pages);

/* The event at an offset where the first walk found one. Its parts are valid until the next call. STATUS_INPUT: it is there no more. */
NODISCARD status chrome_pages_event(struct chrome_pages *pages, uint64_t offset, struct chrome_event *event,
                                    struct chrome_members *members);

/* Lines and columns of offsets: counted from the last one that was asked for, or from the start. */
struct chrome_places {
    uint64_t offset; /* up to which lines are counted */
    uint64_t lines;  /* that end before it */
    uint64_t start;  /* of the line that it is on */
};

NODISCARD status chrome_place(struct chrome_places *places, struct input *input, uint64_t offset, uint64_t *line,
                              uint64_t *column);

#endif
