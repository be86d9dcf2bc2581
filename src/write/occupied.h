/* occupied.h: the stretches of time that are taken on a line whose slices come in no order.
 *
 * A set of closed stretches [start, end] that neither overlap nor touch. It lies in sorted pages with a directory, so
 * that any order of insertion costs a binary search and a short move:
 *
 *     directory  | page 0 | page 1 | page 2 |      by the first start of each page
 *                   [..] [.] | [....] [..] | []
 *
 * A stretch that equals one that is there may be taken again: such slices nest exactly, whatever their order in the
 * file. The set owns its pages until `occupied_free`.
 */
#ifndef WRITE_OCCUPIED_H
#define WRITE_OCCUPIED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct occupied_page;

struct occupied {
    struct occupied_page *pages; /* sorted */
    size_t count;                /* of pages */
    size_t capacity;             /* of pages */
};

#define OCCUPIED_EMPTY ((struct occupied){ 0 })

/* Takes [start, end] if it is free; equal stretches at most `deepest` times (empty ones any number of times). */
NODISCARD status occupied_take(struct occupied *set, int64_t start, int64_t end, uint32_t deepest, bool *taken);
void occupied_free(struct occupied *set);

#endif
