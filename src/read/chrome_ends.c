/* chrome_ends.c: which begin an end with arguments belongs to, found on the first walk: a slice is told with all its arguments when it begins. */
#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "read/chrome_trace.h"

static status keep_begun(struct chrome_thread *thread, string_id name, int64_t time, uint64_t offset)
{
    status code = memory_grow(&thread->begun, &thread->begun_capacity, thread->begun_count + 1, sizeof *thread->begun);

    if (code == STATUS_OK)
        thread->begun[thread->begun_count++] = (struct chrome_begun){ .time = time, .offset = offset, .name = name };
    return code;
}

/* The place of the innermost that began before a time, of a name where one is asked for; counted from 1, 0: none. */
static size_t find_begun(const struct chrome_thread *thread, string_id name, int64_t before)
{
    size_t place = thread->begun_count;

    while (place && (thread->begun[place - 1].time >= before || (name && thread->begun[place - 1].name != name)))
        place--;
    return place;
}

/* Closes it and what lies in it. What begins at the very time of the end stays: ends are told first. */
static void close_begun(struct chrome_thread *thread, size_t place, int64_t time)
{
    size_t kept = place - 1;

    for (size_t i = place; i < thread->begun_count; i++)
        if (thread->begun[i].time >= time && thread->begun[place - 1].time < time)
            thread->begun[kept++] = thread->begun[i];
    thread->begun_count = kept;
}

static status keep_end(struct chrome_trace *trace, uint64_t begin, uint64_t end)
{
    status code = memory_grow(&trace->ends, &trace->end_capacity, trace->end_count + 1, sizeof *trace->ends);

    if (code == STATUS_OK)
        trace->ends[trace->end_count++] = (struct chrome_end){ begin, end };
    return code;
}

status chrome_look_at_end(struct chrome_trace *trace, struct chrome_thread *thread, const struct chrome_event *event,
                          int64_t time, uint64_t offset)
{
    enum { EMPTY = 2 }; /* brackets */
    string_id name;
    size_t place;
    status code = chrome_text(&trace->texts, event->name, &name);

    assert(event->phase == 'B' || event->phase == 'E');
    thread->jumps |= thread->begun_any && time < thread->begun_last;
    thread->begun_any = true;
    thread->begun_last = time;
    if (code != STATUS_OK || thread->jumps)
        return code;
    if (event->phase == 'B')
        return keep_begun(thread, name, time, offset);
    place = find_begun(thread, name, time);
    place = place ? place : find_begun(thread, name, INT64_MAX);
    if (!place)
        return STATUS_OK;
    if (event->arguments.length > EMPTY)
        code = keep_end(trace, thread->begun[place - 1].offset, offset);
    close_begun(thread, place, time);
    return code;
}

static int by_begin(const void *left, const void *right)
{
    const struct chrome_end *a = left, *b = right;

    return (a->begin > b->begin) - (a->begin < b->begin);
}

void chrome_sort_ends(struct chrome_trace *trace)
{
    if (trace->end_count)
        qsort(trace->ends, trace->end_count, sizeof *trace->ends, by_begin);
}

uint64_t chrome_find_end(const struct chrome_trace *trace, const struct chrome_thread *thread, uint64_t begin)
{
    size_t low = 0, high = thread->jumps ? 0 : trace->end_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (trace->ends[middle].begin < begin)
            low = middle + 1;
        else
            high = middle;
    }
    return !thread->jumps && low < trace->end_count && trace->ends[low].begin == begin ? trace->ends[low].end
                                                                                       : CHROME_NO_END;
}
