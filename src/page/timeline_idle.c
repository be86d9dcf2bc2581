/* timeline_idle.c: stretches in which nothing ran. */
#include "page/timeline_idle.h"

#include <assert.h>
#include <inttypes.h>

/* Shares of the whole time that a gap must have. The whole only grows, so that what is closed early is short in the end too. */
enum { SHORTEST_SHARE = 8192 };

void timeline_idle_free(struct timeline_idle *idle)
{
    intervals_free(&idle->busy);
    *idle = (struct timeline_idle){ .any = false };
}

/* Ticks since the origin. A page is of no use beyond these limits, but must not overflow there. */
static int64_t since(int64_t origin, int64_t time)
{
    int64_t difference;

    if (__builtin_sub_overflow(time, origin, &difference))
        return time < origin ? INT64_MIN / 4 : INT64_MAX / 4;
    return difference < INT64_MIN / 4 ? INT64_MIN / 4 : difference > INT64_MAX / 4 ? INT64_MAX / 4 : difference;
}

NODISCARD status timeline_idle_add(struct timeline_idle *idle, const struct timeline_row *row, int64_t origin)
{
    struct interval open;
    int64_t first, last, shortest;

    if (!row->count)
        return STATUS_OK;
    first = since(origin, row->blocks[0].start);
    last = since(origin, row->blocks[row->count - 1].end);
    idle->first = idle->any && idle->first < first ? idle->first : first;
    idle->last = idle->any && idle->last > last ? idle->last : last;
    idle->any = true;
    shortest = (idle->last - idle->first) / SHORTEST_SHARE;
    assert(first <= last && idle->first <= idle->last);
    open = (struct interval){ first, first };
    for (size_t i = 0; i < row->count; i++) {
        int64_t start = since(origin, row->blocks[i].start), end = since(origin, row->blocks[i].end);
        status code;

        if (start - open.end > shortest) {
            code = intervals_add(&idle->busy, open.start, open.end + 1); /* moments count too */
            if (code != STATUS_OK)
                return code;
            open.start = start;
        }
        open.end = end > open.end ? end : open.end;
    }
    return intervals_add(&idle->busy, open.start, open.end + 1);
}

NODISCARD status timeline_idle_write(struct timeline_idle *idle, struct output *output)
{
    status code = intervals_settle(&idle->busy);
    struct intervals_cursor cursor;
    struct interval interval;
    int64_t end = idle->first;
    bool first = true;

    assert(idle->any || !idle->busy.any);
    if (code != STATUS_OK)
        return code;
    output_format(output, "\"idle\":[");
    intervals_start(&cursor, &idle->busy);
    while (intervals_next(&cursor, &interval)) {
        if (interval.start - end > (idle->last - idle->first) / SHORTEST_SHARE) {
            output_format(output, "%s%" PRId64 ",%" PRId64, first ? "" : ",", end, interval.start - end);
            first = false;
        }
        end = interval.end;
    }
    output_format(output, "],\n");
    return STATUS_OK;
}
