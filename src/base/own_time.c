/* own_time.c: a walk over the starts and ends of all sets, with a clock that runs slower where more of them are active. */
#include "base/own_time.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"

__extension__ typedef unsigned __int128 wide;

enum { FRACTION_BITS = 32 }; /* of a tick: a part of a moment is this exact */

/* A start or an end. */
struct turn {
    int64_t time; /* ticks */
    uint32_t set; /* index */
    bool end;     /* else it is a start */
};

static int by_time(const void *one, const void *other)
{
    const struct turn *a = one, *b = other;

    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return a->end != b->end ? (a->end ? -1 : 1) : (a->set > b->set) - (a->set < b->set);
}

static size_t list_turns(const struct intervals *sets, size_t count, struct turn *turns)
{
    size_t made = 0;

    for (size_t i = 0; i < count; i++) {
        struct intervals_cursor cursor;
        struct interval interval;

        intervals_start(&cursor, &sets[i]);
        while (intervals_next(&cursor, &interval)) {
            turns[made++] = (struct turn){ interval.start, (uint32_t)i, false };
            turns[made++] = (struct turn){ interval.end, (uint32_t)i, true };
        }
    }
    if (made)
        qsort(turns, made, sizeof *turns, by_time);
    return made;
}

/* Parts of ticks of each set; returns the ticks in which any was active. */
static int64_t walk(const struct turn *turns, size_t count, wide *parts)
{
    wide clock = 0;
    uint64_t active = 0;
    int64_t any = 0;

    for (size_t i = 0; i < count; i++) {
        if (active) {
            uint64_t passed = (uint64_t)turns[i].time - (uint64_t)turns[i - 1].time;

            clock += ((wide)passed << FRACTION_BITS) / active;
            any += (int64_t)passed;
        }
        /* Unsigned: what is taken off at the start comes back at the end. */
        if (turns[i].end) {
            parts[turns[i].set] += clock;
            active--;
        } else {
            parts[turns[i].set] -= clock;
            active++;
        }
    }
    assert(!active && "every start has its end");
    return any;
}

/* A set by what rounding took from it. */
struct rest {
    uint64_t fraction; /* of a tick */
    size_t set;        /* index */
};

static int by_rest(const void *one, const void *other)
{
    const struct rest *a = one, *b = other;

    if (a->fraction != b->fraction)
        return a->fraction > b->fraction ? -1 : 1;
    return (a->set > b->set) - (a->set < b->set);
}

/* Whole ticks, which add up to `any`. */
static void round_parts(const wide *parts, size_t count, int64_t any, struct rest *rests, int64_t *own)
{
    int64_t sum = 0;

    for (size_t i = 0; i < count; i++) {
        own[i] = (int64_t)(parts[i] >> FRACTION_BITS);
        rests[i] = (struct rest){ (uint64_t)(parts[i] & (((wide)1 << FRACTION_BITS) - 1)), i };
        sum += own[i];
    }
    if (count)
        qsort(rests, count, sizeof *rests, by_rest);
    /* Each division leaves less than a part over; of many the sum may be more than a tick for each set. */
    for (size_t i = 0; sum < any; i = (i + 1) % count, sum++)
        own[rests[i].set]++;
    assert(sum == any);
}

status own_times(const struct intervals *sets, size_t count, int64_t *own)
{
    size_t total = 0;
    struct turn *turns;
    struct rest *rests;
    wide *parts;
    status code = STATUS_OK;

    for (size_t i = 0; i < count; i++)
        total += intervals_count(&sets[i]);
    turns = memory_allocate((2 * total + 1) * sizeof *turns);
    parts = memory_allocate_clear((count + 1) * sizeof *parts);
    rests = memory_allocate((count + 1) * sizeof *rests);
    if (turns && parts && rests)
        round_parts(parts, count, walk(turns, list_turns(sets, count, turns), parts), rests, own);
    else
        code = status_no_memory("adding up operators");
    memory_free(turns);
    memory_free(parts);
    memory_free(rests);
    return code;
}
