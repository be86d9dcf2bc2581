/* report_front.c: the first screen of a report about a run directory, and what failed. */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "executorch/report_sections.h"
#include "page/front.h"

enum { SENTENCE = 512 };

/* What the first screen is made of, while it is. */
struct making {
    struct report *report;                        /* that it belongs to */
    struct front front;                           /* points into the rest */
    struct front_time parts[RULE_PARTS];          /* of a run */
    struct rule_part named[RULE_PARTS];           /* has their names */
    struct front_time operators[FRONT_OPERATORS]; /* the longest first */
    struct front_time slower[FRONT_TOP];          /* those that lost most, first */
    char compared[SENTENCE];                      /* how many took longer */
    char complete[SENTENCE];                      /* what is said where nothing was lost */
    char instead[2 * SENTENCE];                   /* what to do where there is no advice */
    const char **lost;                            /* sentences; owned */
};

static double average_ns(const struct operators *side, int64_t ticks)
{
    return operators_average_ms(side, ticks) * 1e6;
}

/* ---- Where the time goes ---- */

static void choose_parts(struct making *making)
{
    const struct report *report = making->report;
    struct rule_part other[RULE_PARTS];
    size_t count = report->side_count ? rules_parts(report_operators(report, 0), making->named) : 0;
    bool two = report->side_count > 1 && rules_parts(report_operators(report, 1), other);

    making->front.parts = making->parts;
    making->front.part_count = count;
    for (size_t i = 0; i < making->front.part_count; i++)
        making->parts[i] =
            front_time(making->named[i].name, average_ns(report_operators(report, 0), making->named[i].ticks),
                       two ? average_ns(report_operators(report, 1), other[i].ticks) : NAN);
}

/* ---- Operators ---- */

/* The same operator on the other side; NAN: it is not there, or nothing is compared. */
static double own_before(const struct report *report, uint32_t index)
{
    const struct operators_pair *pair = report->pair && report->pair->has_operators ? &report->pair->operators : NULL;
    uint32_t match = pair ? pair->matches[index] : NO_ID;

    return match == NO_ID ? NAN : average_ns(pair->second, operators_at(pair->second, match)->self);
}

static void choose_operators(struct making *making)
{
    const struct operators *side = report_operators(making->report, 0);

    making->front.operators = making->operators;
    for (uint32_t i = 0; i < side->sums.count; i++) {
        const struct operator_sum *sum = operators_at(side, i);
        double ns = average_ns(side, sum->self);

        if (operators_is_work(sum) && ns > 0)
            front_rank(making->operators, FRONT_OPERATORS, making->front.operator_count++,
                       front_time(strings_text(side->strings, sum->name), ns, own_before(making->report, i)), ns);
    }
}

/* What the operators did that are on both sides, and those that came. */
struct changes {
    size_t slower, faster, came; /* how many */
    double lost_ns, won_ns;      /* by how much, together */
};

static struct changes find_changes(struct making *making)
{
    const struct operators *side = report_operators(making->report, 0);
    struct changes changes = { 0 };

    for (uint32_t i = 0; i < side->sums.count; i++) {
        const struct operator_sum *sum = operators_at(side, i);
        double now = average_ns(side, sum->self), before = own_before(making->report, i);
        double change = now - (isnan(before) ? 0 : before);

        if (!operators_is_work(sum) || change == 0)
            continue;
        changes.came += isnan(before) != 0;
        changes.slower += change > 0 && !isnan(before);
        changes.faster += change < 0;
        *(change > 0 ? &changes.lost_ns : &changes.won_ns) += fabs(change);
        if (change > 0)
            front_rank(making->slower, FRONT_TOP, making->front.slower_count++,
                       front_time(strings_text(side->strings, sum->name), now, before), change);
    }
    return changes;
}

static void compare(struct making *making)
{
    const struct report *report = making->report;
    struct changes changes;
    char came[64] = "";

    making->front.compared = making->compared;
    making->front.slower = making->slower;
    if (report->side_count < 2 || !report->pair->has_operators) {
        snprintf(making->compared, sizeof making->compared, "Operators of both sides are needed to tell: %s.",
                 !report->side_count      ? "neither has any"
                 : report->side_count < 2 ? "one side has none"
                                          : "one side has only sums over their types");
        return;
    }
    changes = find_changes(making);
    if (changes.came)
        snprintf(came, sizeof came, ", %zu came", changes.came);
    snprintf(making->compared, sizeof making->compared,
             "%zu operator%s took longer%s, by %.3f ms together; %zu took less, by %.3f ms.%s", changes.slower,
             changes.slower == 1 ? "" : "s", came, changes.lost_ns / 1e6, changes.faster, changes.won_ns / 1e6,
             report->pair->has_latency && report->pair->comparison.verdict != LATENCY_TOO_FEW
                 ? ""
                 : " So few launches cannot tell a change from luck.");
}

/* ---- What was lost ---- */

static void choose_losses(struct making *making)
{
    const struct inspection *inspection = making->report->inspection;
    size_t launches = 0;
    uint64_t rows = 0;

    for (size_t i = 0; i < inspection->rundir.note_count; i++)
        if (!report_is_about_config(&inspection->rundir, inspection->rundir.notes[i]))
            making->lost[making->front.lost_count++] = inspection->rundir.notes[i];
    for (size_t i = 0; i < inspection->count; i++) {
        launches += inspection->items[i].measurement.launches.times.count;
        rows += inspection->items[i].measurement.rows;
    }
    snprintf(making->complete, sizeof making->complete,
             "Nothing: %zu launch%s of %zu experiment%s, %llu events, all of them used.", launches,
             launches == 1 ? "" : "es", inspection->count, inspection->count == 1 ? "" : "s", (unsigned long long)rows);
    making->front.lost = making->lost;
    making->front.complete = making->complete;
}

/* ---- Runs ---- */

static struct front_runs runs_of(const struct inspected *item)
{
    return (struct front_runs){
        .side = { item->entry->label, item->measurement.launches.times.items, item->measurement.launches.times.count },
        .summary = item->latency,
    };
}

/* ---- All of it ---- */

static double run_ns(const struct report *report, size_t side)
{
    const struct operators *operators = side < report->side_count ? report_operators(report, side) : NULL;

    return operators && operators->inferences ? average_ns(operators, operators->execute) : NAN;
}

/* What to do where nobody knows operators. */
static const char *instead(struct making *making)
{
    const struct findings *findings = &making->report->findings;
    const struct next_step *step = findings->step_count ? &findings->steps[0] : NULL;

    snprintf(making->instead, sizeof making->instead, "%s%s%s%s%s", findings->note ? findings->note : "",
             step ? " **" : "", step ? step->title : "", step ? "**: " : "", step ? step->text : "");
    return making->instead;
}

static void make(struct making *making)
{
    struct report *report = making->report;
    struct front *front = &making->front;
    const struct inspected *subject = inspection_subject(report->inspection);
    char headline[REPORT_SENTENCE + 1];

    snprintf(headline, sizeof headline, "%s.", report->sentence);
    front->headline = headline;
    front->mood = report->pair && report->pair->has_latency ? report_mood(report->pair) : PROSE_NOTE;
    front->sides[0] = report_title(report, subject);
    if (report->pair)
        front->sides[1] = report_title(report, report->pair->baseline);
    front->run_ns[0] = run_ns(report, 0);
    front->run_ns[1] = run_ns(report, 1);
    front->advice = report->side_count ? &report->advised.advice : NULL;
    front->instead = instead(making);
    choose_parts(making);
    choose_losses(making);
    if (report->side_count)
        choose_operators(making);
    if (report->pair)
        compare(making);
    front->runs[0] = runs_of(subject);
    if (report->pair)
        front->runs[1] = runs_of(report->pair->baseline);
    front_add(report->document, front);
}

void report_add_front(struct report *report)
{
    struct making *making = memory_allocate_clear(sizeof *making);

    if (making)
        making->lost = memory_allocate((report->inspection->rundir.note_count + 1) * sizeof *making->lost);
    if (making && making->lost) {
        making->report = report;
        make(making);
    } else {
        document_table(report->document, NULL); /* the document remembers that memory ran out */
    }
    if (making)
        memory_free(making->lost);
    memory_free(making);
}

/* ---- What failed ---- */

/* What failed, why, and what the first that failed printed last. */
void report_add_failures(struct report *report)
{
    const struct rundir *rundir = &report->inspection->rundir;
    bool any = false;

    for (size_t i = 0; i < rundir->entry_count; i++) {
        const struct run_entry *entry = &rundir->entries[i];
        const struct run_launch *failure = run_entry_failure(entry);
        const struct json *lines = failure ? json_get(failure->object, "last_lines") : NULL;

        if (!failure)
            continue;
        if (!any)
            document_heading(report->document, 2, "failures", "Failed Launches");
        any = true;
        document_mood(report->document, PROSE_WARNING,
                      "**%zu of %zu launches of** `%s` **failed**, the first (launch %u) because: %s. A launch that "
                      "failed has no time%s.",
                      entry->failed, entry->launch_count, entry->label, failure->number,
                      failure->reason ? failure->reason : "the manifest does not say why",
                      entry->failed == entry->launch_count ? ", so nothing is compared with it" : "");
        for (size_t k = 0; k < json_count(lines); k++)
            document_item(report->document, 0, "It printed last: `%s`", json_text(&lines->items[k], ""));
    }
}
