/* etdump_unwrap.c: times of a clock of 32 bits that started again, made to go on. */
#include "executorch/etdump_unwrap.h"

#include <assert.h>

#define WRAP (INT64_C(1) << 32)

/* Where `event` begins, given the unwrapped end of an event before; `*end` is where it ends. */
static int64_t unwrapped_start(const struct execution_event *event, int64_t before, int64_t *end)
{
    int64_t forward = ((event->start + event->duration - before) % WRAP + WRAP) % WRAP;

    if (forward > WRAP - ETDUMP_BACK)
        forward -= WRAP;
    *end = before + forward;
    return *end - event->duration;
}

/* Adds `shift` to the unwrapped starts and stores them, or, without `store`, only finds the first and the last time. */
static void walk(struct execution *execution, bool store, int64_t shift, int64_t *first, int64_t *last)
{
    int64_t before = 0;

    *first = INT64_MAX;
    *last = INT64_MIN;
    for (uint32_t i = 0; i < execution->events.count; i++) {
        struct execution_event *event = execution_event_at(execution, i);
        int64_t end;
        int64_t start = unwrapped_start(event, before, &end);

        /* Delegates may have clocks of their own: what they report moves nothing else. */
        if (i == 0 || execution_operator_at(execution, event->op)->kind != EVENT_DELEGATED)
            before = end;
        *first = start < *first ? start : *first;
        *last = end > *last ? end : *last;
        if (store)
            event->start = start + shift;
    }
}

void etdump_unwrap(struct execution *execution, int64_t limit)
{
    int64_t first, last, turns, shift;

    assert(limit > 0);
    if (execution->events.count == 0)
        return;
    walk(execution, false, 0, &first, &last);
    turns = first / WRAP - (first % WRAP < 0);
    shift = -turns * WRAP;
    if (last > limit - shift)
        return;
    walk(execution, true, shift, &first, &last);
    execution->wrapped = true;
}
