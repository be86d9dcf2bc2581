/* beside.c: tables, notes and runs for formats that show them beside the trace. */
#include "job/beside.h"

#include <assert.h>
#include <stdio.h>

#include "analyze/breakdown.h"
#include "analyze/overview.h"
#include "base/memory.h"
#include "job/digest.h"
#include "job/vocabulary.h"

enum {
    MOST_OPERATORS = 1000, /* rows of a table that is there to be looked at */
    MOST_SLICES = 1 << 20, /* of an input of several runs whose operators are told */
    MOST_DETAILS = 16,     /* tables that a reader has to say more */
    LONGEST_NOTE = 512
};

status beside_open(struct beside *beside, const struct writer *writer, const struct strings *strings,
                   struct tee *listeners)
{
    status code;

    *beside = (struct beside){ .writer = NULL };
    if (!writer->beside)
        return STATUS_OK;
    beside->writer = writer;
    code = counting_start(&beside->counting, NULL, NULL, true, strings);
    beside->counting.busy.most_moments = MOST_SLICES;
    return code == STATUS_OK ? tee_add(listeners, counting_sink(&beside->counting)) : code;
}

void beside_close(struct beside *beside)
{
    if (beside->writer)
        counting_free(&beside->counting);
    beside->writer = NULL;
}

/* ---- Notes ---- */

static status add_note(const struct beside *beside, const struct profile *profile, bool several, const char *text)
{
    return beside->writer->beside->note(beside->writer->self, several ? profile->display : NULL, text);
}

static status add_losses(const struct beside *beside, const struct profile *profile, bool several)
{
    const struct losses *losses = &profile->losses;
    char text[LONGEST_NOTE];
    status code = STATUS_OK;

    if (losses->lost) {
        snprintf(text, sizeof text, "%llu of %llu rows lost", (unsigned long long)losses->lost,
                 (unsigned long long)losses->rows);
        code = add_note(beside, profile, several, text);
    }
    for (unsigned i = 0; i < losses->reason_count && code == STATUS_OK; i++) {
        loss_describe(&losses->reasons[i], text, sizeof text);
        code = add_note(beside, profile, several, text);
    }
    return code;
}

static status add_notes(const struct beside *beside, const struct profile *profile, bool several)
{
    status code = add_losses(beside, profile, several);

    for (unsigned i = 0; i < profile->source.note_count && code == STATUS_OK; i++)
        code = add_note(beside, profile, several, profile->source.notes[i]);
    return code;
}

/* ---- Tables ---- */

/* Takes the table over. */
static status hand_over(const struct beside *beside, const struct profile *profile, bool several, struct table *table)
{
    status code;

    if (several)
        profile_note_input(profile, table);
    code = beside->writer->beside->table(beside->writer->self, table);
    table_free(table);
    return code;
}

static status add_overview(const struct beside *beside, const struct profile *profile, const struct counted_runs *runs,
                           const struct metrics *metrics, bool several)
{
    char sentence[RUNS_SENTENCE];
    struct table *table;
    status code = digest_overview(profile, metrics, NULL, &table);

    if (code != STATUS_OK)
        return code;
    if (runs_sentence(runs, sentence))
        table_note(table, "%s", sentence);
    return hand_over(beside, profile, several, table);
}

static status add_operators(const struct beside *beside, const struct profile *profile, const struct counted_runs *runs,
                            const struct metrics *metrics, struct strings *strings, bool several)
{
    const struct view_request request = { .limit = MOST_OPERATORS };
    const struct field_set *sets[VOCABULARY_SETS];
    struct breakdown breakdown;
    struct table *table = NULL;
    enum breakdown_by by;
    status code;

    if (runs_windows(runs) && beside->counting.busy.lost_moments)
        return add_note(beside, profile, several,
                        "what operators cost in the runs that count is not told here, of so many slices: tacho "
                        "operators tells it");
    code = breakdown_by_parse("name", &by);
    if (code != STATUS_OK)
        return code;
    code = breakdown_make(&beside->counting.busy, profile->process, metrics, strings, by, &breakdown);
    vocabulary_fields(breakdown_sets, sets);
    if (code == STATUS_OK)
        code = breakdown_table(&breakdown, sets, &request, &table);
    breakdown_free(&breakdown);
    return code == STATUS_OK ? hand_over(beside, profile, several, table) : code;
}

/* What its reader has to say beside. */
static status add_details(const struct beside *beside, const struct profile *profile, bool several)
{
    struct table *made[MOST_DETAILS];
    size_t count = 0;
    status code =
        profile->reader->details ? profile->reader->details(&profile->source, made, MOST_DETAILS, &count) : STATUS_OK;

    for (size_t i = 0; i < count; i++) {
        if (code == STATUS_OK && table_rows(made[i]))
            code = hand_over(beside, profile, several, made[i]);
        else
            table_free(made[i]);
    }
    return code;
}

static status add_lost(const struct beside *beside, const struct profile *profile, bool several)
{
    struct table *table;
    status code;

    if (!losses_total(&profile->losses))
        return STATUS_OK;
    code = digest_losses(&profile->losses, &table);
    return code == STATUS_OK ? hand_over(beside, profile, several, table) : code;
}

/* ---- Runs ---- */

/* Which of them count; an input that is one run has none. */
static status add_runs(struct beside *beside, const struct profile *profile, const struct counted_runs *runs)
{
    struct inferences *inferences = &beside->counting.inferences;
    const struct clock *clock = busy_clock(&beside->counting.busy, profile->process);
    struct interval *windows = NULL;
    struct inference_list list;
    size_t count = 0;
    status code;

    if (!runs_windows(runs) || !clock)
        return STATUS_OK;
    code = inferences_of(inferences, profile->process, profile->path, &list);
    if (code == STATUS_OK)
        code = intervals_list(runs_windows(runs), &windows, &count);
    for (size_t i = 0; i < list.count && code == STATUS_OK; i++) {
        const struct inference *run = &list.items[i];
        const struct clock *own = inferences_clock(inferences, run);
        struct writer_run told = { .start = clock_ns(own, run->start),
                                   .end = clock_ns(own, run->end),
                                   .launch = run->launch,
                                   .index = run->index };

        told.counted = interval_holding(windows, count, clock_ticks(clock, told.start)) != SIZE_MAX;
        code = beside->writer->beside->run(beside->writer->self, &told);
    }
    memory_free(windows);
    return code;
}

/* ---- All of it ---- */

status beside_add(struct beside *beside, struct profile *profile, struct strings *strings, bool several)
{
    struct counted_runs runs = { 0 };
    struct metrics metrics;
    status code;

    if (!beside->writer)
        return STATUS_OK;
    assert(profile->process != NO_ID && "a profile was read");
    code = counting_take(&beside->counting, profile, &runs, &metrics);
    if (code == STATUS_OK)
        code = add_overview(beside, profile, &runs, &metrics, several);
    if (code == STATUS_OK)
        code = add_operators(beside, profile, &runs, &metrics, strings, several);
    if (code == STATUS_OK)
        code = add_runs(beside, profile, &runs);
    if (code == STATUS_INPUT) {
        status_clear(); /* no run is left of it: the trace is shown all the same */
        code = STATUS_OK;
    }
    if (code == STATUS_OK)
        code = add_details(beside, profile, several);
    if (code == STATUS_OK)
        code = add_lost(beside, profile, several);
    if (code == STATUS_OK)
        code = add_notes(beside, profile, several);
    counted_runs_free(&runs);
    return code;
}
