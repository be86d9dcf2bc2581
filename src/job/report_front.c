/* report_front.c: the first screen of a report on profiles: of one side, or of two. */
#include "job/report_front.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/memory.h"
#include "base/path.h"
#include "page/front.h"

enum { SENTENCE = COMPARE_SENTENCE + 512 };

/* What the first screen is made of, while it is. */
struct making {
    struct front front;                              /* points into the rest */
    struct front_time *parts;                        /* of a run; owned */
    struct front_time operators[FRONT_OPERATORS];    /* the longest first */
    struct front_time slower[FRONT_TOP];             /* those that lost most, first */
    struct latency_launch *launches[FRONT_SIDES];    /* of sides that are compared; owned */
    const char **lost;                               /* sentences; owned */
    char headline[SENTENCE], compared[SENTENCE / 4]; /* of two sides */
};

/* ---- One side ---- */

/* The first column of own times in which there are any: chains have theirs of the host, of devices, or of both together. The number of
 * columns: there is none. */
static size_t find_own_times(const struct table *table)
{
    for (size_t column = 0; column < table_columns(table); column++) {
        const struct table_column *known = table_column(table, column);

        if (known->type != CELL_DURATION || !strstr(known->name, "self"))
            continue;
        for (size_t row = 0; row < table_rows(table); row++)
            if (!table_cell(table, row, column).null && table_cell(table, row, column).integer > 0)
                return column;
    }
    return table_columns(table);
}

/* What operators cost by themselves: of the table that `operators` answers with, those that are operators. */
static void choose_operators(const struct table *table, struct making *making)
{
    size_t time = find_own_times(table);

    for (size_t row = 0; row < table_rows(table) && time < table_columns(table); row++) {
        struct table_cell name = table_cell(table, row, 0), own = table_cell(table, row, time);

        /* What is no operator stands in brackets: idle, work of none. */
        if (!name.null && !own.null && *name.text != '(')
            front_rank(making->operators, FRONT_OPERATORS, making->front.operator_count++,
                       front_time(name.text, (double)own.integer, NAN), (double)own.integer);
    }
}

static void show_one(const struct report *report, struct making *making)
{
    const struct advice *advice = &report->advised.advice;
    struct front *front = &making->front;

    front->headline = advice->summary;
    front->run_ns[0] = advice->run_ns;
    front->part_count = advice->part_count;
    for (size_t i = 0; i < advice->part_count; i++)
        making->parts[i] = front_time(advice->parts[i].name, advice->parts[i].ns, NAN);
    choose_operators(report->operators, making);
    if (report->timed)
        front->runs[0] = (struct front_runs){
            .side = { .name = "runs", .launches = report->times.items, .count = report->times.count },
            .summary = &report->latency,
        };
}

/* ---- Two sides: the second of the comparison is what the report is on ---- */

/* What no launch of a side has is not there. */
static double side_of(const struct compare_row *row, unsigned side)
{
    return row->present[side] ? (double)row->ns[side] : NAN;
}

static struct front_time time_of(const struct compare_row *row)
{
    return front_time(row->name, side_of(row, 1), side_of(row, 0));
}

/* What took longer, and what took less. */
static void choose_changes(const struct comparison *comparison, struct making *making)
{
    size_t count, longer = 0, less = 0, certain = 0;
    const struct compare_row *rows = comparison_section(comparison, COMPARE_OPERATOR_ROWS, &count);
    int64_t lost = 0, won = 0;
    char times[2][FORMAT_SIZE], verdict[96];

    for (size_t i = 0; i < count; i++) {
        int64_t change = compare_difference(&rows[i]);

        if (rows[i].kind != COMPARE_OPERATOR)
            continue;
        front_rank(making->operators, FRONT_OPERATORS, making->front.operator_count++, time_of(&rows[i]),
                   (double)rows[i].ns[1]);
        *(change > 0 ? &lost : &won) += change;
        less += change < 0;
        if (change <= 0)
            continue;
        /* What is certain stands before what may be luck. */
        front_rank(making->slower, FRONT_TOP, longer++, time_of(&rows[i]),
                   (double)change + (rows[i].verdict == LATENCY_SLOWER ? 1e18 : 0));
        certain += rows[i].verdict == LATENCY_SLOWER;
    }
    making->front.slower_count = longer;
    format_duration(times[0], lost);
    format_duration(times[1], -won);
    if (comparison_can_tell(comparison))
        snprintf(verdict, sizeof verdict, "%zu of the longer ones %s certain.", certain, certain == 1 ? "is" : "are");
    else
        snprintf(verdict, sizeof verdict, "So few launches cannot tell a change from luck.");
    snprintf(making->compared, sizeof making->compared,
             "%zu operator%s took longer, by %s together; %zu took less, by %s. %s", longer, longer == 1 ? "" : "s",
             times[0], less, times[1], verdict);
}

static void show_runs(const struct compare_model *model, struct making *making)
{
    const struct latency_comparison *latency = &model->comparison.latency;

    for (size_t i = 0; i < FRONT_SIDES; i++) {
        const struct compare_side *side = &model->sides[1 - i];

        for (size_t k = 0; k < side->count; k++)
            making->launches[i][k] = side->launches[k].runs;
        making->front.runs[i] = (struct front_runs){
            .side = { .name = side->name, .launches = making->launches[i], .count = side->count },
            .summary = i ? &latency->baseline : &latency->candidate,
        };
    }
}

/* Of what the sentence is about: the run, or where that cannot tell the devices that can. */
static enum prose_mood mood_of(const struct comparison *comparison)
{
    const struct compare_row *devices =
        comparison->subject == COMPARE_DEVICE ? comparison_total(comparison, COMPARE_DEVICE_TIME) : NULL;
    enum latency_verdict verdict = devices ? devices->verdict : comparison->latency.verdict;

    return verdict == LATENCY_FASTER ? PROSE_GOOD : verdict == LATENCY_SLOWER ? PROSE_WARNING : PROSE_NOTE;
}

static void show_two(const struct compare_model *model, struct making *making)
{
    const struct comparison *comparison = &model->comparison;
    const struct compare_row *whole = comparison_total(comparison, COMPARE_WHOLE), *parts;
    struct front *front = &making->front;

    snprintf(making->headline, sizeof making->headline, "From `%.200s` to `%.200s`: %s.",
             path_name(model->halves[0].first), path_name(model->halves[1].first), model->sentence);
    front->headline = making->headline;
    front->mood = mood_of(comparison);
    parts = comparison_section(comparison, COMPARE_PART_ROWS, &front->part_count);
    for (size_t i = 0; i < FRONT_SIDES; i++) {
        front->sides[i] = model->sides[1 - i].name;
        front->run_ns[i] = whole ? (double)whole->ns[1 - i] : NAN;
    }
    for (size_t i = 0; i < front->part_count; i++)
        making->parts[i] = time_of(&parts[i]);
    front->compared = making->compared;
    choose_changes(comparison, making);
    show_runs(model, making);
}

/* ---- All of it ---- */

static status make_room(const struct job *job, const struct report *report, struct making *making)
{
    const struct compare_model *model = report->compared;
    size_t parts = model ? model->comparison.count : report->advised.advice.part_count;
    bool enough;

    making->parts = memory_allocate((parts + 1) * sizeof *making->parts);
    making->lost = memory_allocate((job->note_count + 1) * sizeof *making->lost);
    enough = making->parts && making->lost;
    for (size_t i = 0; i < FRONT_SIDES && model && enough; i++) {
        making->launches[i] = memory_allocate((model->sides[1 - i].count + 1) * sizeof *making->launches[i]);
        enough = making->launches[i] != NULL;
    }
    return enough ? STATUS_OK : status_no_memory("writing a report");
}

/* The sentences about what failed or was lost are the job's. */
static void choose_losses(const struct job *job, struct making *making)
{
    for (size_t i = 0; i < job->note_count; i++)
        if (job->notes[i].kind != NOTE_PLAIN)
            making->lost[making->front.lost_count++] = job->notes[i].text;
    making->front.lost = making->lost;
    making->front.complete = "Nothing: every row was used.";
}

status report_front_add(const struct job *job, struct report *report)
{
    struct making *making = memory_allocate_clear(sizeof *making);
    status code = making ? make_room(job, report, making) : status_no_memory("writing a report");

    if (code == STATUS_OK) {
        making->front = (struct front){ .mood = PROSE_NOTE,
                                        .run_ns = { NAN, NAN },
                                        .parts = making->parts,
                                        .advice = &report->advised.advice,
                                        .slower = making->slower,
                                        .operators = making->operators };
        choose_losses(job, making);
        if (report->compared)
            show_two(report->compared, making);
        else
            show_one(report, making);
        front_add(report->document, &making->front);
    }
    if (making) {
        memory_free(making->parts);
        memory_free(making->lost);
        for (size_t i = 0; i < FRONT_SIDES; i++)
            memory_free(making->launches[i]);
    }
    memory_free(making);
    return code;
}
