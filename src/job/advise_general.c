/* advise_general.c: advice on profiles that belong to no chain: what dominates a run, and what its time is made of.
 *
 * No rule of the core knows what such work could take at best, so nothing is said to be worth saving, nor to be healthy. */
#include <assert.h>
#include <math.h>

#include "analyze/breakdown.h"
#include "base/memory.h"
#include "job/advise.h"
#include "job/counted.h"

enum { MOST_PARTS = 8 }; /* rows of what a run is made of; the others are one */

/* A profile with its operators. */
struct general {
    struct counted own;         /* where nothing was lent */
    struct counted *counted;    /* the input: that, or what was lent */
    struct breakdown breakdown; /* by operator */
};

static const struct metrics *metrics_of(const struct general *general)
{
    return &general->counted->profiles[0].metrics;
}

static status read_general(struct general *general, const struct job *job)
{
    status code;

    general->counted = counted_of(job, &general->own);
    code = counted_open(general->counted, job, true);
    if (code == STATUS_OK)
        code = counted_read(general->counted);
    return code == STATUS_OK
               ? breakdown_make(&general->counted->counting.busy, general->counted->session.profiles[0].process,
                                metrics_of(general), general->counted->session.strings, BREAKDOWN_OPERATOR,
                                &general->breakdown)
               : code;
}

static void free_general(struct general *general)
{
    breakdown_free(&general->breakdown);
    counted_free(&general->own);
}

static const char *name_of(const struct general *general, const struct breakdown_row *row)
{
    const struct busy *busy = &general->counted->counting.busy;

    if (row->kind == ROW_IDLE)
        return "nothing at work";
    if (row->kind == ROW_BETWEEN || row->op == NO_ID)
        return "work of no operator";
    return strings_text(general->counted->session.strings, busy_operator(busy, row->op)->op.name);
}

static const char *place_of(const struct general *general, const struct breakdown_row *row)
{
    const struct op *op;

    if (row->kind != ROW_WORK || row->op == NO_ID)
        return NULL;
    op = &busy_operator(&general->counted->counting.busy, row->op)->op;
    return op->place      ? strings_text(general->counted->session.strings, op->place)
           : op->location ? strings_text(general->counted->session.strings, op->location)
                          : NULL;
}

/* Rows by their own time, the longest first. */
static void sort_rows(struct breakdown *breakdown)
{
    for (size_t i = 1; i < breakdown->count; i++) {
        struct breakdown_row row = breakdown->rows[i];
        size_t at = i;

        for (; at && breakdown->rows[at - 1].own < row.own; at--)
            breakdown->rows[at] = breakdown->rows[at - 1];
        breakdown->rows[at] = row;
    }
}

/* What is left over goes to the last part, so that they add up exactly. */
static void add_parts(struct advice *advice, const struct general *general)
{
    double left = advice->run_ns;
    size_t shown = 0;

    for (; shown < general->breakdown.count && shown < MOST_PARTS && left > 0; shown++) {
        const struct breakdown_row *row = &general->breakdown.rows[shown];

        advice_part(advice, name_of(general, row), (double)row->own_ns);
        left -= (double)row->own_ns;
    }
    if (shown < general->breakdown.count)
        advice_part(advice, "all others", fmax(0, left));
}

/* False: no operator is known. */
static bool find_dominant(struct advice *advice, const struct general *general)
{
    for (size_t i = 0; i < general->breakdown.count; i++) {
        const struct breakdown_row *row = &general->breakdown.rows[i];

        if (row->kind != ROW_WORK || row->op == NO_ID)
            continue;
        advice_dominates(
            advice,
            (struct advice_row){ .name = name_of(general, row),
                                 .location = place_of(general, row),
                                 .ns = (double)row->own_ns,
                                 .saves_ns = NAN,
                                 .count = (row->slices + metrics_of(general)->runs / 2) / metrics_of(general)->runs },
            ADVICE_UNKNOWN, "that is its own time, without what it calls", NULL);
        return true;
    }
    return false;
}

static status add_items(struct advised *advised, const struct general *general)
{
    struct roofs *roofs = &advised->roofs;

    roofs_start(roofs, metrics_of(general)->clock, metrics_of(general)->runs);
    roofs->whole = metrics_ticks(metrics_of(general), &metric_overall);
    roofs->item_name = "Operator";
    for (size_t i = 0; i < general->breakdown.count; i++) {
        const struct breakdown_row *row = &general->breakdown.rows[i];
        const char *place = place_of(general, row);
        struct roof_item *item = row->kind == ROW_WORK ? roofs_add_item(roofs) : NULL;

        if (!item)
            continue;
        item->name = advice_say(&advised->advice, "%s", name_of(general, row));
        item->place = place ? advice_say(&advised->advice, "%s", place) : NULL;
        item->ticks = row->own;
        item->count = row->slices;
    }
    return roofs_settle(roofs);
}

static status fill(struct advised *advised, struct general *general)
{
    const struct profile *profile = &general->counted->session.profiles[0];
    struct advice *advice = &advised->advice;
    char sentence[RUNS_SENTENCE];
    bool several = runs_sentence(&general->counted->profiles[0].runs, sentence);
    status code;

    advice->subject = advice_say(advice, "%s", profile->display);
    advice->summary = advice_say(advice, "%s: nothing in it has a time.", profile->reader->title);
    if (advice->run_ns > 0)
        advice->summary = advice_say(advice, several ? "%s: a run takes %s (%s)." : "%s: it takes %s.",
                                     profile->reader->title, advice_say_time(advice, advice->run_ns), sentence);
    advice_word(advice, &advice->every, "input", profile->path);
    advice->unjudged =
        "What could be saved is not known: no rule is about such a profile. This is where its time goes.";
    sort_rows(&general->breakdown);
    code = add_items(advised, general);
    if (code != STATUS_OK)
        return code;
    if (!find_dominant(advice, general))
        advice->unjudged =
            "What could be saved is not known: the file tells how long runs take, and nothing of what ran in them. A "
            "profile of the operators would.";
    add_parts(advice, general);
    return advice_settle(advice);
}

status advise_generally(struct job *job)
{
    struct general *general = memory_allocate_clear(sizeof *general);
    struct advised advised = { .roofs = { .failure = STATUS_OK } };
    status code;

    if (!general)
        return status_no_memory("looking for advice");
    code = job->inputs.count > 1 ? status_fail(STATUS_USAGE, "advice on such profiles takes one at a time")
                                 : read_general(general, job);
    if (code == STATUS_OK) {
        job_note_profile(job, &general->counted->session.profiles[0]);
        advice_start(&advised.advice, (double)metrics_ns(metrics_of(general), &metric_overall));
        code = fill(&advised, general);
        if (code == STATUS_OK)
            code = advise_take(job, &advised);
        else
            advised_free(&advised);
    }
    free_general(general);
    memory_free(general);
    return code;
}
