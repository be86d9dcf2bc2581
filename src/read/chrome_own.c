/* chrome_own.c: what only Tacho writes into its trace events, read again: runs, and steps from which they are told. */
#include <stdlib.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "read/chrome_tell.h"

/* ---- The first walk ------------------------------------------------------------------------------------------------ */

/* The numbers of one row; false: it is none. */
static bool read_row(struct json_scan *scan, unsigned width, int64_t values[CHROME_OWN_WIDTH])
{
    enum { MARGIN = 2 }; /* as of the times of events: the way from one to another is in the range, too */
    bool found = false;

    if (json_enter(scan, JSON_ARRAY) != STATUS_OK)
        return false;
    for (unsigned i = 0; i < width; i++) {
        struct text number;

        if (json_next_element(scan, !i, &found) != STATUS_OK || !found || json_number(scan, &number) != STATUS_OK ||
            !number_parse_integer(number.data, number.length, &values[i]) || values[i] < 0 ||
            values[i] > INT64_MAX / MARGIN)
            return false;
    }
    return json_next_element(scan, false, &found) == STATUS_OK && !found;
}

/* Rows up to the first that is none: who changed the file knows why. */
static status take_rows(struct chrome_trace *trace, enum chrome_own kind, uint32_t process, int64_t number,
                        struct text rows)
{
    struct json_scan scan = json_scan(NULL, rows);
    struct chrome_own_row row = { .process = process };
    bool found;

    if (json_enter(&scan, JSON_ARRAY) != STATUS_OK)
        return STATUS_OK;
    for (bool first = true; json_next_element(&scan, first, &found) == STATUS_OK && found; first = false) {
        struct chrome_own_row *kept;

        if (!read_row(&scan, chrome_own_names[kind].width, row.values))
            break;
        kept = column_append(&trace->own[kind]);
        if (!kept)
            return status_no_memory("keeping runs");
        row.number = number++;
        *kept = row;
    }
    return STATUS_OK;
}

status chrome_look_at_own(struct chrome_trace *trace, const struct chrome_event *event)
{
    struct text first = chrome_find_member(event->arguments, "first");
    struct text rows = chrome_find_member(event->arguments, "rows");
    enum chrome_own kind = 0;
    uint32_t process;
    int64_t number;
    status code;

    while (kind < CHROME_OWN_KINDS && !text_is(event->name, chrome_own_names[kind].name))
        kind++;
    if (trace->producer || kind == CHROME_OWN_KINDS || !rows.data || !first.data ||
        !number_parse_integer(first.data, first.length, &number) || number < 0 || number > UINT32_MAX)
        return STATUS_OK;
    code = chrome_find_process(trace, event->pid, &process);
    return code == STATUS_OK ? take_rows(trace, kind, process, number, rows) : code;
}

/* ---- Between the walks ---------------------------------------------------------------------------------------------- */

static struct chrome_own_row *row_at(const struct chrome_telling *telling, enum chrome_own kind, size_t index)
{
    return column_at(&telling->trace->own[kind], index);
}

/* The step that a row names by its number; NULL: the file lacks it. */
static struct chrome_own_row *step_of(const struct chrome_telling *telling, const struct chrome_own_row *row)
{
    bool known = (uint64_t)row->values[0] < telling->trace->own[CHROME_OWN_STEPS].count;
    struct chrome_own_row *step = known ? row_at(telling, CHROME_OWN_STEPS, (size_t)row->values[0]) : NULL;

    return step && step->number == row->values[0] ? step : NULL;
}

/* What was written apart, each to its step. */
static void settle_steps(struct chrome_telling *telling)
{
    for (size_t i = 0; i < telling->trace->own[CHROME_OWN_STEP_ENDS].count; i++) {
        const struct chrome_own_row *end = row_at(telling, CHROME_OWN_STEP_ENDS, i);
        struct chrome_own_row *step = step_of(telling, end);

        if (step)
            step->values[2] = end->values[1];
    }
    for (size_t i = 0; i < telling->trace->own[CHROME_OWN_STEP_LOST].count; i++) {
        struct chrome_own_row *step = step_of(telling, row_at(telling, CHROME_OWN_STEP_LOST, i));

        if (step)
            step->lost = true;
    }
}

/* Several inputs were written into one file. */
static bool are_of_several(const struct chrome_telling *telling)
{
    uint32_t process = NO_ID;

    for (enum chrome_own kind = CHROME_OWN_RUNS; kind <= CHROME_OWN_STEPS; kind++)
        for (size_t i = 0; i < telling->trace->own[kind].count; i++) {
            const struct chrome_own_row *row = row_at(telling, kind, i);

            if (process != NO_ID && row->process != process)
                return true;
            process = row->process;
        }
    return false;
}

/* From the first start to the last end of the runs of an input. */
struct extent {
    int64_t start, end; /* ns; INT64_MAX: it has no runs */
};

static int by_start(const void *left, const void *right)
{
    const struct extent *a = left, *b = right;

    return (a->start > b->start) - (a->start < b->start);
}

/* Sums are over the time that all runs cover: they would be too small where those of one input lie over those of another. */
static status are_apart(const struct chrome_telling *telling, bool *apart)
{
    size_t count = telling->trace->processes.count;
    struct extent *extents = memory_allocate((count + 1) * sizeof *extents);

    if (!extents)
        return status_no_memory("keeping runs");
    for (size_t i = 0; i < count; i++)
        extents[i] = (struct extent){ INT64_MAX, INT64_MAX };
    for (size_t i = 0; i < telling->trace->own[CHROME_OWN_RUNS].count; i++) {
        const struct chrome_own_row *row = row_at(telling, CHROME_OWN_RUNS, i);
        struct extent *extent = &extents[row->process];

        extent->end = extent->start == INT64_MAX || row->values[3] > extent->end ? row->values[3] : extent->end;
        extent->start = row->values[2] < extent->start ? row->values[2] : extent->start;
    }
    qsort(extents, count, sizeof *extents, by_start);
    *apart = true;
    for (size_t i = 1; i < count; i++)
        *apart = *apart && extents[i].start >= extents[i - 1].end;
    memory_free(extents);
    return STATUS_OK;
}

/* Steps of several inputs are no sequence in which anything repeats, and each input's begin at 0. */
static status settle_several(struct chrome_telling *telling)
{
    struct column *runs = &telling->trace->own[CHROME_OWN_RUNS], *steps = &telling->trace->own[CHROME_OWN_STEPS];
    bool apart = false;
    status code = are_apart(telling, &apart);

    if (code != STATUS_OK || (apart && !steps->count))
        return code;
    runs->count = steps->count = 0;
    source_note(telling->trace->source, "the runs of several inputs in this file lie over each other in time: it "
                                        "counts as one run; a .pb keeps inputs apart");
    return STATUS_OK;
}

status tell_settle_own(struct chrome_telling *telling)
{
    settle_steps(telling);
    return are_of_several(telling) ? settle_several(telling) : STATUS_OK;
}

/* ---- What they tell ------------------------------------------------------------------------------------------------- */

static int64_t within(int64_t time, int64_t least)
{
    return time < least ? least : time;
}

/* Launches of several processes are several. */
static status tell_runs(struct chrome_telling *telling, struct chrome_step *steps)
{
    uint32_t before = 0, most = 0;
    status code = STATUS_OK;

    for (size_t i = 0; i < telling->trace->own[CHROME_OWN_RUNS].count && code == STATUS_OK; i++) {
        const struct chrome_own_row *row = row_at(telling, CHROME_OWN_RUNS, i);
        int64_t start = within(row->values[2], telling->origin);
        struct run run = { .index = (uint32_t)row->values[1],
                           .clock = telling->clock,
                           .start = start - telling->origin,
                           .end = within(row->values[3], start) - telling->origin };

        if (i && row->process != row_at(telling, CHROME_OWN_RUNS, i - 1)->process)
            before = most;
        run.launch = before + (uint32_t)row->values[0] % (UINT32_MAX / 2);
        most = run.launch + 1 > most ? run.launch + 1 : most;
        code = feed_run(telling->feed, &run);
        steps[i] = (struct chrome_step){ .process = row->process,
                                         .start = run.start + telling->origin,
                                         .host_end = run.end + telling->origin,
                                         .run = run.id };
    }
    return code;
}

status tell_own_runs(struct chrome_telling *telling)
{
    size_t count = telling->trace->own[CHROME_OWN_RUNS].count;
    status code;

    telling->steps = memory_allocate((count + 1) * sizeof *telling->steps);
    if (!telling->steps)
        return status_no_memory("keeping runs");
    telling->step_count = count;
    code = tell_runs(telling, telling->steps);
    if (code == STATUS_OK)
        qsort(telling->steps, count, sizeof *telling->steps, tell_compare_steps);
    return code;
}

status tell_own_steps(struct chrome_telling *telling)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < telling->trace->own[CHROME_OWN_STEPS].count && code == STATUS_OK; i++) {
        const struct chrome_own_row *row = row_at(telling, CHROME_OWN_STEPS, i);
        int64_t start = within(row->values[1], telling->origin) - telling->origin;
        struct step step = { .key = (uint64_t)row->values[0], .clock = telling->clock, .start = start, .end = start };
        int64_t end = within(row->values[2] - telling->origin, start);
        step_id id;

        code = feed_step(telling->feed, &step, &id);
        if (code == STATUS_OK && row->lost)
            code = feed_step_lost(telling->feed, id, end);
        else if (code == STATUS_OK && end > start)
            code = feed_step_end(telling->feed, id, end);
    }
    return code;
}
