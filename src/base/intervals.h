/* intervals.h: sets of half-open time intervals [start, end), merged as they come.
 *
 * A set is a union: intervals that overlap or touch become one. Adding in order of start is the fast path and keeps
 * finished intervals as two short numbers (gap to the one before, length): usually 4 to 6 bytes each, never more than
 * 17. An interval that comes late waits in a side list, which is merged in now and then.
 *
 *     encoded: [gap length][gap length]...   current: [start, end)   late: unsorted, merged when it grows
 *
 * Empty intervals (start == end) add nothing to a set's length and are not kept, but they move `first` and `last`.
 */
#ifndef BASE_INTERVALS_H
#define BASE_INTERVALS_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct interval {
    int64_t start; /* the first tick in it */
    int64_t end;   /* the first tick behind it */
};

struct intervals_chunk;

struct intervals {
    struct intervals_chunk *head; /* encoded intervals, oldest first */
    struct intervals_chunk *tail; /* the newest chunk; NULL: none */
    int64_t encoded_end;          /* end of the last encoded interval */
    struct interval current;      /* the interval still growing; valid when `growing` */
    bool growing;                 /* there is a current one */
    bool any;                     /* something was added, perhaps empty */
    int64_t first;                /* smallest start added; valid when `any` */
    int64_t last;                 /* largest end added */
    uint64_t encoded_count;       /* intervals in all chunks */
    struct interval *late;        /* that came before the current one, in no order; owned */
    size_t late_count;            /* 0: settled */
    size_t late_capacity;         /* of late */
};

#define INTERVALS_EMPTY ((struct intervals){ 0 })

/* An interval that neither touches the one before nor is the first: in order or late. Use intervals_add. */
NODISCARD status intervals_add_apart(struct intervals *set, int64_t start, int64_t end);

/* start <= end. Here, since every slice of every trace comes through it two or three times. */
NODISCARD static inline status intervals_add(struct intervals *set, int64_t start, int64_t end)
{
    assert(start <= end);
    if (!set->any || start < set->first)
        set->first = start;
    if (!set->any || end > set->last)
        set->last = end;
    set->any = true;
    if (start == end)
        return STATUS_OK;
    if (!set->growing || start < set->current.start || start > set->current.end)
        return intervals_add_apart(set, start, end);
    if (end > set->current.end)
        set->current.end = end;
    return STATUS_OK;
}

/* Merge what came late; required before reading. */
NODISCARD status intervals_settle(struct intervals *set);
void intervals_free(struct intervals *set);

/* Add every interval of `from` (settled) to `set`. */
NODISCARD status intervals_add_all(struct intervals *set, const struct intervals *from);

/* What of a settled set lies in `windows` (settled); the set is settled again. */
NODISCARD status intervals_cut(struct intervals *set, const struct intervals *windows);

uint64_t intervals_count(const struct intervals *set); /* settled */
int64_t intervals_length(const struct intervals *set); /* settled: sum of end - start */
size_t intervals_bytes(const struct intervals *set);   /* memory held */

/* Reading a settled set in order. */
struct intervals_cursor {
    const struct intervals *set;         /* borrowed; must not change */
    const struct intervals_chunk *chunk; /* of the next interval */
    size_t offset;                       /* of the next interval in the chunk */
    int64_t end;                         /* of the interval given last */
    uint64_t given;                      /* intervals so far */
};

void intervals_start(struct intervals_cursor *cursor, const struct intervals *set);
bool intervals_next(struct intervals_cursor *cursor, struct interval *interval);

/* A settled set as an array, which can be searched; the caller frees it. */
NODISCARD status intervals_list(const struct intervals *set, struct interval **items, size_t *count);
/* Which interval of such an array holds a time; SIZE_MAX: none. */
size_t interval_holding(const struct interval *items, size_t count, int64_t time);

/* One pass over several settled sets: for every stretch in which the same sets are active, `stretch` is called with
 * the bit mask of those sets (bit i = sets[i]; never 0). Stretches come in order and do not overlap. 64 sets at most. */
typedef void (*intervals_stretch)(void *context, uint64_t active, int64_t start, int64_t end);
void intervals_sweep(const struct intervals *const *sets, size_t count, intervals_stretch stretch, void *context);

#endif
