/* intervals.c: merged as they come, two short numbers each; one sweep over several sets. */
#include "base/intervals.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
    CHUNK_HEADER = 24,                   /* of a chunk, beside its bytes */
    LARGEST_CHUNK = 4096 - CHUNK_HEADER, /* with its header one page */
    SMALLEST_CHUNK = 64 - CHUNK_HEADER,
    LARGEST_PAIR = 17, /* a byte and two numbers of eight */
    LATE_FIRST = 1024, /* late intervals kept before the first merge */
    SWEEP_SETS = 64
};

struct intervals_chunk {
    struct intervals_chunk *next; /* NULL: the newest */
    uint32_t used;                /* of bytes */
    uint32_t capacity;            /* of bytes */
    unsigned char bytes[];        /* pairs: gap, length */
};

_Static_assert(sizeof(struct intervals_chunk) <= CHUNK_HEADER, "chunks are as large as they are meant to be");

/* Numbers as they lie in memory, low bytes first. */
static uint64_t low_first(uint64_t value)
{
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(value) : value;
}

static unsigned bytes_of(uint64_t value)
{
    return value ? 8 - (unsigned)__builtin_clzll(value) / 8 : 0;
}

/* How many bytes either number has, in half a byte each, then the numbers. Their lengths differ from pair to pair: no branch depends on
 * them. Writes LARGEST_PAIR bytes, of which those count that it returns the number of. */
static inline unsigned put_pair(unsigned char *to, uint64_t gap, uint64_t length)
{
    unsigned gap_bytes = bytes_of(gap), length_bytes = bytes_of(length);

    to[0] = (unsigned char)(gap_bytes | length_bytes << 4);
    gap = low_first(gap);
    length = low_first(length);
    memcpy(to + 1, &gap, sizeof gap);
    memcpy(to + 1 + gap_bytes, &length, sizeof length);
    return 1 + gap_bytes + length_bytes;
}

/* The same back; reads as much as was written. */
static inline unsigned get_pair(const unsigned char *from, uint64_t *gap, uint64_t *length)
{
    static const uint64_t masks[] = { 0,          0xFF,         0xFFFF,         0xFFFFFF,
                                      0xFFFFFFFF, 0xFFFFFFFFFF, 0xFFFFFFFFFFFF, 0xFFFFFFFFFFFFFF,
                                      UINT64_MAX };
    unsigned gap_bytes = from[0] & 15, length_bytes = from[0] >> 4;

    assert(gap_bytes <= 8 && length_bytes <= 8);
    memcpy(gap, from + 1, sizeof *gap);
    memcpy(length, from + 1 + gap_bytes, sizeof *length);
    *gap = low_first(*gap) & masks[gap_bytes];
    *length = low_first(*length) & masks[length_bytes];
    return 1 + gap_bytes + length_bytes;
}

/* Small sets are many (one per operator and track), large ones few: the first chunk is small, each next one twice as large, up to a page. */
static status add_chunk(struct intervals *set)
{
    uint32_t capacity = set->tail ? 2 * set->tail->capacity + CHUNK_HEADER : SMALLEST_CHUNK;
    struct intervals_chunk *chunk;

    if (capacity > LARGEST_CHUNK)
        capacity = LARGEST_CHUNK;
    chunk = memory_allocate(sizeof *chunk + capacity);
    if (!chunk)
        return status_no_memory("keeping busy intervals");
    *chunk = (struct intervals_chunk){ .capacity = capacity };
    if (set->tail)
        set->tail->next = chunk;
    else
        set->head = chunk;
    set->tail = chunk;
    return STATUS_OK;
}

/* Append a finished interval, which lies after all encoded ones. */
static status encode(struct intervals *set, struct interval interval)
{
    struct intervals_chunk *chunk;

    assert(interval.start < interval.end);
    assert((!set->encoded_count || interval.start > set->encoded_end) && "merged intervals neither overlap nor touch");
    if (!set->tail || set->tail->capacity - set->tail->used < LARGEST_PAIR) {
        status code = add_chunk(set);

        if (code != STATUS_OK)
            return code;
    }
    chunk = set->tail;
    /* The first gap counts from 0; times are never negative, but unsigned arithmetic would carry it anyway. */
    assert(chunk->capacity - chunk->used >= LARGEST_PAIR);
    chunk->used += put_pair(chunk->bytes + chunk->used, (uint64_t)interval.start - (uint64_t)set->encoded_end,
                            (uint64_t)interval.end - (uint64_t)interval.start);
    set->encoded_end = interval.end;
    set->encoded_count++;
    return STATUS_OK;
}

static status add_late(struct intervals *set, struct interval interval)
{
    assert(set->growing && interval.start < set->current.start);
    /* A merge reads everything encoded: wait until the late ones are worth it. */
    if (set->late_count >= LATE_FIRST && set->late_count >= set->encoded_count / 4) {
        status code = intervals_settle(set);

        if (code != STATUS_OK)
            return code;
    }
    status code = memory_grow(&set->late, &set->late_capacity, set->late_count + 1, sizeof *set->late);

    if (code == STATUS_OK)
        set->late[set->late_count++] = interval;
    return code;
}

status intervals_add_apart(struct intervals *set, int64_t start, int64_t end)
{
    struct interval interval = { start, end };
    status code;

    assert(start < end);
    if (set->growing && start < set->current.start)
        return add_late(set, interval);
    code = set->growing ? encode(set, set->current) : STATUS_OK;
    set->current = interval;
    set->growing = true;
    return code;
}

static int by_start(const void *left, const void *right)
{
    const struct interval *a = left, *b = right;

    return (a->start > b->start) - (a->start < b->start);
}

static void free_chunks(struct intervals_chunk *chunk)
{
    while (chunk) {
        struct intervals_chunk *next = chunk->next;

        memory_free(chunk);
        chunk = next;
    }
}

/* Add to a set that is being rebuilt in order, so nothing can come late. */
static status add_in_order(struct intervals *set, struct interval interval)
{
    assert(!set->growing || interval.start >= set->current.start);
    return intervals_add(set, interval.start, interval.end);
}

status intervals_settle(struct intervals *set)
{
    struct intervals merged = INTERVALS_EMPTY;
    struct intervals_cursor cursor;
    struct interval next;
    struct interval *late = set->late;
    size_t late_count = set->late_count;
    size_t i = 0;
    status code = STATUS_OK;
    bool more;

    if (!late_count)
        return STATUS_OK;
    qsort(late, late_count, sizeof *late, by_start);
    set->late_count = 0;
    intervals_start(&cursor, set);
    more = intervals_next(&cursor, &next);
    while (code == STATUS_OK && (more || i < late_count)) {
        if (!more || (i < late_count && late[i].start < next.start)) {
            code = add_in_order(&merged, late[i++]);
        } else {
            code = add_in_order(&merged, next);
            more = intervals_next(&cursor, &next);
        }
    }
    if (code != STATUS_OK) {
        free_chunks(merged.head);
        set->late_count = late_count;
        return code;
    }
    free_chunks(set->head);
    merged.first = set->first;
    merged.last = set->last;
    merged.late = set->late;
    merged.late_capacity = set->late_capacity;
    *set = merged;
    assert(!set->late_count && (!set->growing || set->current.end <= set->last));
    return STATUS_OK;
}

void intervals_free(struct intervals *set)
{
    free_chunks(set->head);
    memory_free(set->late);
    *set = INTERVALS_EMPTY;
}

status intervals_add_all(struct intervals *set, const struct intervals *from)
{
    struct intervals_cursor cursor;
    struct interval interval;
    status code = STATUS_OK;

    assert(set != from);
    intervals_start(&cursor, from);
    while (code == STATUS_OK && intervals_next(&cursor, &interval))
        code = intervals_add(set, interval.start, interval.end);
    return code;
}

uint64_t intervals_count(const struct intervals *set)
{
    assert(!set->late_count);
    return set->encoded_count + (set->growing ? 1 : 0);
}

int64_t intervals_length(const struct intervals *set)
{
    struct intervals_cursor cursor;
    struct interval interval;
    int64_t length = 0;

    intervals_start(&cursor, set);
    while (intervals_next(&cursor, &interval))
        length += interval.end - interval.start;
    return length;
}

size_t intervals_bytes(const struct intervals *set)
{
    size_t bytes = sizeof *set + set->late_capacity * sizeof *set->late;

    for (const struct intervals_chunk *chunk = set->head; chunk; chunk = chunk->next)
        bytes += sizeof *chunk + chunk->capacity;
    return bytes;
}

void intervals_start(struct intervals_cursor *cursor, const struct intervals *set)
{
    assert(!set->late_count);
    *cursor = (struct intervals_cursor){ .set = set, .chunk = set->head };
}

bool intervals_next(struct intervals_cursor *cursor, struct interval *interval)
{
    assert(cursor->given <= cursor->set->encoded_count + 1 && !cursor->set->late_count);
    if (cursor->given < cursor->set->encoded_count) {
        uint64_t gap, length;

        if (cursor->offset == cursor->chunk->used) {
            cursor->chunk = cursor->chunk->next;
            cursor->offset = 0;
        }
        cursor->offset += get_pair(cursor->chunk->bytes + cursor->offset, &gap, &length);
        interval->start = (int64_t)((uint64_t)cursor->end + gap);
        interval->end = (int64_t)((uint64_t)interval->start + length);
        cursor->end = interval->end;
        cursor->given++;
        return true;
    }
    if (cursor->given == cursor->set->encoded_count && cursor->set->growing) {
        *interval = cursor->set->current;
        cursor->given++;
        return true;
    }
    return false;
}

/* One set during a sweep: its current interval, and its next edge, which is the end of that while time is inside it. */
struct sweep_set {
    struct intervals_cursor cursor; /* in the set */
    struct interval interval;       /* given last by the cursor */
    int64_t edge;                   /* the next time at which it begins or ends */
    uint64_t bit;                   /* of the set in the mask */
    bool inside;                    /* time is in the interval */
};

/* Step over the edge. Merged intervals never touch, so an end is never also a start. False: the set is used up. */
static bool cross(struct sweep_set *set)
{
    assert(set->interval.start < set->interval.end);
    set->inside = !set->inside;
    if (set->inside) {
        set->edge = set->interval.end;
        return true;
    }
    if (!intervals_next(&set->cursor, &set->interval))
        return false;
    set->edge = set->interval.start;
    return true;
}

/* The sets that have intervals. */
static size_t start_sweep(const struct intervals *const *sets, size_t count, struct sweep_set *sweeps)
{
    size_t used = 0;

    for (size_t i = 0; i < count; i++) {
        struct sweep_set *sweep = &sweeps[used];

        *sweep = (struct sweep_set){ .bit = (uint64_t)1 << i };
        intervals_start(&sweep->cursor, sets[i]);
        if (!intervals_next(&sweep->cursor, &sweep->interval))
            continue;
        sweep->edge = sweep->interval.start;
        used++;
    }
    return used;
}

/* The rest of one set: its intervals are the stretches. */
static void sweep_last(struct sweep_set *set, int64_t now, intervals_stretch stretch, void *context)
{
    if (set->inside)
        set->interval.start = now;
    do {
        stretch(context, set->bit, set->interval.start, set->interval.end);
    } while (intervals_next(&set->cursor, &set->interval));
}

void intervals_sweep(const struct intervals *const *sets, size_t count, intervals_stretch stretch, void *context)
{
    struct sweep_set sweeps[SWEEP_SETS];
    uint64_t active = 0;
    int64_t now = 0;
    size_t used;

    assert(count <= SWEEP_SETS);
    assert(stretch && (sets || !count));
    used = start_sweep(sets, count, sweeps);
    while (used > 1) {
        int64_t time = sweeps[0].edge;

        for (size_t i = 1; i < used; i++)
            time = sweeps[i].edge < time ? sweeps[i].edge : time;
        if (active && time > now)
            stretch(context, active, now, time);
        now = time;
        for (size_t i = 0; i < used;) {
            if (sweeps[i].edge != time) {
                i++;
                continue;
            }
            active ^= sweeps[i].bit;
            if (cross(&sweeps[i]))
                i++;
            else
                sweeps[i] = sweeps[--used];
        }
    }
    assert(active == (used && sweeps[0].inside ? sweeps[0].bit : 0) && "every interval that begins ends");
    if (used)
        sweep_last(&sweeps[0], now, stretch, context);
}

status intervals_cut(struct intervals *set, const struct intervals *windows)
{
    struct intervals made = INTERVALS_EMPTY;
    struct intervals_cursor of_set, of_windows;
    struct interval interval, window;
    status code = STATUS_OK;
    bool more, open;

    intervals_start(&of_set, set);
    intervals_start(&of_windows, windows);
    more = intervals_next(&of_set, &interval);
    open = intervals_next(&of_windows, &window);
    while (code == STATUS_OK && more && open) {
        int64_t start = interval.start > window.start ? interval.start : window.start;
        int64_t end = interval.end < window.end ? interval.end : window.end;

        if (start < end)
            code = intervals_add(&made, start, end);
        if (interval.end < window.end)
            more = intervals_next(&of_set, &interval);
        else
            open = intervals_next(&of_windows, &window);
    }
    if (code == STATUS_OK)
        code = intervals_settle(&made);
    intervals_free(set);
    *set = made;
    return code;
}

status intervals_list(const struct intervals *set, struct interval **items, size_t *count)
{
    struct intervals_cursor cursor;

    *count = 0;
    *items = memory_allocate(((size_t)intervals_count(set) + 1) * sizeof **items);
    if (!*items)
        return status_no_memory("listing intervals");
    intervals_start(&cursor, set);
    while (intervals_next(&cursor, &(*items)[*count]))
        ++*count;
    return STATUS_OK;
}

size_t interval_holding(const struct interval *items, size_t count, int64_t time)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (items[middle].end <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && items[low].start <= time ? low : SIZE_MAX;
}
