/* history_gate.c: tacho history gate: whether a candidate is slower than the good builds before it, or counts more.
 *
 * Each part of a candidate is held against builds of the same device and labels.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/command_word.h"
#include "base/format.h"
#include "base/memory.h"
#include "base/number.h"
#include "history/clickhouse_url.h"
#include "history/history_candidate.h"
#include "job/compare.h"

enum { SENTENCE = HISTORY_SENTENCE };

static const char *const verdicts[] = { "too few", "pass", "slower" };

static double rounded(double factor)
{
    return round(factor * 1000) / 1000;
}

static bool is_counted(const struct history_settings *settings)
{
    return history_is_count(history_metric(settings));
}

static status gate_options_of(const struct history_settings *settings, struct gate_options *options)
{
    const char *text = settings->tolerance;
    size_t length = text ? strlen(text) : 0;

    *options = GATE_DEFAULTS;
    options->builds = settings->builds ? settings->builds : options->builds;
    if (is_counted(settings)) /* it has no luck */
        options->tolerance = 0;
    if (!text)
        return STATUS_OK;
    length -= length && text[length - 1] == '%';
    if (!number_parse_decimal(text, length, &options->tolerance) || !(options->tolerance >= 0))
        return status_fail(STATUS_USAGE, "--tolerance wants a percentage, not \"%s\"", text);
    options->tolerance /= 100;
    return STATUS_OK;
}

/* ---- good builds --------------------------------------------------------------------------------------------------------------- */

/* Those that are not good, and those of the candidate's own name, are not what it is held against. */
static struct left_out leave_out(struct history_series *series, const char *own, size_t builds)
{
    struct left_out left_out = { 0 };
    size_t good = 0;

    for (size_t i = series->count; i-- > 0;) {
        struct history_standing standing = series->standings[i];
        bool is_own = own && strcmp(series->names[i], own) == 0;

        if (!is_own && history_is_good(standing)) {
            good += series->builds[i].count != 0;
            continue;
        }
        series->builds[i].count = 0;
        if (is_own || good >= builds) /* it was too long ago to count anyway */
            continue;
        left_out.bad += standing.mark == MARK_BAD;
        left_out.failed += standing.mark != MARK_BAD;
    }
    return left_out;
}

/* "; 3 builds left out: 1 failed, 1 marked bad, 1 slower". */
static void say_left_out(const struct left_out *left_out, const char *held, char *to, size_t size)
{
    const size_t counts[] = { left_out->failed, left_out->bad, left_out->held };
    const char *const why[] = { "failed", "marked bad", held };
    size_t all = counts[0] + counts[1] + counts[2], length;
    const char *separator = "";

    to[0] = '\0';
    if (!all)
        return;
    length = (size_t)snprintf(to, size, "; %zu build%s left out:", all, all == 1 ? "" : "s");
    for (size_t i = 0; i < sizeof counts / sizeof *counts && length < size; i++)
        if (counts[i]) {
            length += (size_t)snprintf(to + length, size - length, "%s %zu %s", separator, counts[i], why[i]);
            separator = ",";
        }
}

/* By build: somebody said that it is a good one. Owned by the caller; NULL: there is no memory. */
static bool *accepted_builds(const struct history_series *series)
{
    bool *accepted = memory_allocate((series->count + 1) * sizeof *accepted);

    for (size_t i = 0; i < series->count && accepted; i++)
        accepted[i] = series->standings[i].mark == MARK_GOOD;
    return accepted;
}

/* ---- judging ---------------------------------------------------------------------------------------------------------------------- */

/* The number that all launches of a build have; false: there is none, or they do not agree. */
static bool one_count(const struct build_launches *build, double *count)
{
    *count = build->count ? build->medians[0] : NAN;
    for (size_t i = 1; i < build->count; i++)
        if (build->medians[i] != build->medians[0])
            return false;
    return build->count != 0;
}

/* Counts have no luck: that of the last good build is the one that may not become more, unless it had become more itself and nobody accepted it. */
static void find_count(const struct history_series *series, const bool *accepted, const struct gate_options *options,
                       struct part *part)
{
    struct gate *gate = &part->gate;
    double count;

    for (size_t i = 0; i < series->count; i++) {
        if (!one_count(&series->builds[i], &count))
            continue;
        if (gate->builds && !accepted[i] && count > gate->before * (1 + options->tolerance)) {
            gate->held++;
            gate->since = gate->since == SIZE_MAX ? i : gate->since;
            continue;
        }
        gate->builds = 1;
        gate->before = count;
        gate->launches = series->builds[i].count;
        gate->held = 0;
        gate->since = SIZE_MAX;
        snprintf(part->build, sizeof part->build, "%s", series->names[i]);
    }
}

static void judge_count(const struct history_series *series, const bool *accepted, const struct build_launches *own,
                        const struct gate_options *options, struct part *part)
{
    struct gate *gate = &part->gate;
    bool known = one_count(own, &gate->after);

    *gate = (struct gate){ .verdict = GATE_TOO_FEW,
                           .before = NAN,
                           .after = known ? gate->after : NAN,
                           .interval = { NAN, NAN },
                           .p_builds = NAN,
                           .p_launches = NAN,
                           .noise = NAN,
                           .detectable = NAN,
                           .candidate_launches = own->count,
                           .since = SIZE_MAX };
    part->unsteady = own->count && !known;
    find_count(series, accepted, options, part);
    gate->factor = gate->after / gate->before;
    if (known && gate->builds)
        gate->verdict = gate->after > gate->before * (1 + options->tolerance) ? GATE_SLOWER : GATE_PASS;
}

static void count_sentence(const struct part *part, char to[SENTENCE])
{
    const struct gate *gate = &part->gate;

    if (gate->verdict != GATE_TOO_FEW)
        snprintf(to, SENTENCE, "%.400s: %s: %.0f to %.0f, against build %.200s", part->subject,
                 gate->verdict == GATE_SLOWER  ? "MORE"
                 : gate->after == gate->before ? "pass, the same"
                                               : "pass",
                 gate->before, gate->after, part->build);
    else
        snprintf(to, SENTENCE, "%.400s: no verdict: %s", part->subject,
                 part->unsteady              ? "launches of the candidate do not agree"
                 : !gate->candidate_launches ? "the candidate does not tell it"
                                             : "no good build tells it");
}

static void time_sentence(const struct part *part, char to[SENTENCE])
{
    const struct gate *gate = &part->gate;
    char before[FORMAT_SIZE], after[FORMAT_SIZE], lack[GATE_SENTENCE];

    if (gate->verdict == GATE_TOO_FEW) {
        gate_lack(gate, lack);
        snprintf(to, SENTENCE, "%.400s: too few for a verdict: %s", part->subject, lack);
        return;
    }
    format_duration(before, llround(gate->before));
    format_duration(after, llround(gate->after));
    snprintf(to, SENTENCE,
             "%.400s: %s: %s to %s, %.3fx the time (95 %% CI %.3f to %.3f), %zu launches against %zu of %zu builds; a "
             "slowdown of %.1f %% would be found",
             part->subject, gate->verdict == GATE_SLOWER ? "SLOWER" : "pass", before, after, gate->factor,
             gate->interval.low, gate->interval.high, gate->candidate_launches, gate->launches, gate->builds,
             100 * (gate->detectable - 1));
}

/* As it was given, but for a password: what is said goes into logs, and TACHO_CLICKHOUSE_PASSWORD gives it, too. NULL: out of memory. */
static const char *store_word(struct arena *arena, const char *store)
{
    const char *at = clickhouse_is_url(store) ? strrchr(store, '@') : NULL;
    const char *user = at ? strstr(store, "://") + 3 : NULL,
               *colon = at ? memchr(user, ':', (size_t)(at - user)) : NULL;
    size_t length = colon ? (size_t)(colon - store) : 0;
    char *text;

    if (!colon)
        return command_word(arena, store);
    text = arena_allocate(arena, length + strlen(at) + 1, 1);
    if (!text)
        return NULL;
    memcpy(text, store, length);
    memcpy(text + length, at, strlen(at) + 1);
    return command_word(arena, text);
}

/* Whose change it was, where others are as slow, and how it is accepted; a command that is cut would be another one. */
static status say_since(const struct history_settings *settings, const struct part *part, char *to, size_t size)
{
    const char *how = is_counted(settings) ? "more" : "slower", *model, *build, *store;
    struct arena arena = ARENA_EMPTY;

    if (!*part->since || part->gate.verdict != GATE_SLOWER)
        return STATUS_OK;
    model = command_word(&arena, settings->model);
    build = command_word(&arena, part->since);
    store = settings->store ? store_word(&arena, settings->store) : "";
    if (model && build && store &&
        (size_t)snprintf(
            to, size,
            "; %s since build %s, which nobody accepted: tacho history mark good%s%s --model %s %s accepts it", how,
            part->since, *store ? " --store " : "", store, model, build) >= size)
        snprintf(to, size, "; %s since build %s, which nobody accepted", how, part->since);
    arena_free(&arena);
    return model && build && store ? STATUS_OK : status_no_memory("judging");
}

/* What fails is told before how long the rest of it took. */
static status say(const struct history_settings *settings, struct part *part)
{
    char judged[SENTENCE];
    size_t length;

    if (is_counted(settings))
        count_sentence(part, judged);
    else
        time_sentence(part, judged);
    if (part->failures)
        snprintf(part->sentence, SENTENCE, "%.400s: FAILED: %zu launch%s of the candidate; of the others%s",
                 part->subject, part->failures, part->failures == 1 ? "" : "es", judged + strnlen(part->subject, 400));
    else
        snprintf(part->sentence, SENTENCE, "%s", judged);
    length = strlen(part->sentence);
    say_left_out(&part->left_out, is_counted(settings) ? "with more" : "slower", part->sentence + length,
                 SENTENCE - length);
    length = strlen(part->sentence);
    return say_since(settings, part, part->sentence + length, SENTENCE - length);
}

/* What is judged: with the labels where the candidate has several sets. */
static void name_part(const struct history_settings *settings, const struct candidate *candidate, struct part *part)
{
    size_t length;

    history_subject(settings, settings->model, part->subject);
    length = strlen(part->subject);
    for (size_t i = 0; i < part->labels.count && candidate->count > 1 && length < SENTENCE; i++)
        length += (size_t)snprintf(part->subject + length, SENTENCE - length, "%s%.100s", i ? " " : ", ",
                                   part->labels.items[i]);
}

/* The builds that it is held against: of its device, or where none of these is there and it was not asked for, of one that is not known. */
static status read_before(const struct history *history, const struct history_settings *settings,
                          const struct part *part, struct history_choice *choice, struct history_series *series)
{
    status code;

    *choice = (struct history_choice){ .model = settings->model, .device = part->device, .labels = part->labels };
    code = history_series_of(history, settings, choice, series);
    if (code != STATUS_INPUT || series->count || settings->device || !*part->device)
        return code;
    choice->device = NULL;
    history_series_free(series);
    code = history_series_of(history, settings, choice, series);
    if (code == STATUS_OK && series->device_count)
        code = status_fail(STATUS_USAGE, "the candidate ran on %s, and builds of \"%s\" on %s: give --device",
                           part->device, settings->model, series->devices[0]);
    return code;
}

/* Against builds that are not left out. */
static status judge_launches(const struct history_series *series, const struct build_launches *launches,
                             const struct history_settings *settings, const struct gate_options *options,
                             struct part *part)
{
    bool *accepted = accepted_builds(series);
    const struct gate_history before = { series->builds, accepted, series->count };
    status code = accepted ? STATUS_OK : status_no_memory("judging");

    if (code == STATUS_OK && is_counted(settings))
        judge_count(series, accepted, launches, options, part);
    else if (code == STATUS_OK)
        code = gate_judge(&before, launches, options, &part->gate);
    if (code == STATUS_OK) {
        part->left_out.held = part->gate.held;
        if (part->gate.since != SIZE_MAX)
            snprintf(part->since, sizeof part->since, "%s", series->names[part->gate.since]);
        code = say(settings, part);
    }
    memory_free(accepted);
    return code;
}

/* `*known`: there are builds that it can be held against. */
static status judge_part(struct job *job, const struct history *history, const struct candidate *candidate,
                         const struct gate_options *options, struct part *part, bool *known)
{
    const struct history_settings *settings = job->settings;
    const struct history_choice own_choice = { .device = part->device, .labels = part->labels };
    struct history_choice choice;
    struct history_series series = { 0 }, own = { 0 };
    const struct build_launches none = { 0 }, *launches = &none;
    status code = read_before(history, settings, part, &choice, &series);

    *known = code == STATUS_OK || (code == STATUS_INPUT && series.count && is_counted(settings));
    name_part(settings, candidate, part);
    if (code == STATUS_INPUT && (*known || (!series.count && candidate->count > 1))) {
        status_clear(); /* of what is new nothing is known yet: that is said, and stops nobody */
        code = STATUS_OK;
    }
    if (code == STATUS_OK)
        code = history_read_series(&candidate->history, &own_choice, history_metric(settings), settings->op, &own);
    if (code == STATUS_OK)
        code = history_read_standings(history, &choice, &series);
    if (code == STATUS_OK)
        code = history_warn_mixture(job, history, &choice);
    if (code == STATUS_OK) {
        part->left_out = leave_out(&series, own.count ? own.names[0] : NULL, options->builds);
        launches = own.count ? &own.builds[0] : &none;
    }
    if (code == STATUS_OK)
        code = judge_launches(&series, launches, settings, options, part);
    history_series_free(&own);
    history_series_free(&series);
    return code;
}

/* ---- what is told ------------------------------------------------------------------------------------------------------------------- */

/* A launch that failed stops a candidate as a slow one does, whatever the others took. */
enum outcome { OUTCOME_PASS, OUTCOME_TOO_FEW, OUTCOME_SLOWER, OUTCOME_FAILED };

static enum outcome outcome_of(const struct part *part)
{
    if (part->failures)
        return OUTCOME_FAILED;
    return part->gate.verdict == GATE_SLOWER    ? OUTCOME_SLOWER
           : part->gate.verdict == GATE_TOO_FEW ? OUTCOME_TOO_FEW
                                                : OUTCOME_PASS;
}

static size_t count_outcomes(const struct candidate *candidate, enum outcome outcome)
{
    size_t count = 0;

    for (size_t i = 0; i < candidate->count; i++)
        count += outcome_of(&candidate->parts[i]) == outcome;
    return count;
}

static void write_case(struct output *output, const struct part *part)
{
    output_format(output, "  <testcase classname=\"history\" name=\"");
    compare_write_xml(output, part->subject);
    output_format(output, "\"");
    if (outcome_of(part) == OUTCOME_PASS) {
        output_format(output, "/>\n");
        return;
    }
    output_format(output, ">\n    <%s message=\"", outcome_of(part) == OUTCOME_TOO_FEW ? "skipped" : "failure");
    compare_write_xml(output, part->sentence);
    output_format(output, "\"/>\n  </testcase>\n");
}

static status write_junit(const char *path, const struct candidate *candidate)
{
    struct output *output;
    status code = output_open(path, &output);

    if (code != STATUS_OK)
        return code;
    output_format(output,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"tacho history gate\" tests=\"%zu\" "
                  "failures=\"%zu\" "
                  "skipped=\"%zu\">\n",
                  candidate->count,
                  count_outcomes(candidate, OUTCOME_SLOWER) + count_outcomes(candidate, OUTCOME_FAILED),
                  count_outcomes(candidate, OUTCOME_TOO_FEW));
    for (size_t i = 0; i < candidate->count; i++)
        write_case(output, &candidate->parts[i]);
    output_format(output, "</testsuite>\n");
    return output_finish(output, STATUS_OK);
}

enum {
    VERDICT,
    BEFORE,
    AFTER,
    FACTOR,
    LOW,
    HIGH,
    P_BUILDS,
    P_LAUNCHES,
    BUILDS,
    LAUNCHES,
    OWN,
    LEFT_OUT,
    SINCE,
    LABELS,
    COLUMNS
};

/* What is counted has no test, and labels are for who gave several: those columns are not there, nor where a table is for people one that is empty. */
struct gate_table {
    struct table *table;    /* given to the job */
    size_t places[COLUMNS]; /* of each column; SIZE_MAX: it is not there */
};

static const struct table_column gate_columns[COLUMNS] = {
    [VERDICT] = { .name = "verdict",
                  .title = "Verdict",
                  .type = CELL_TEXT,
                  .description = "pass, slower, too few, or failed; of counts more" },
    [BEFORE] = { .name = "before",
                 .title = "Before",
                 .type = CELL_DURATION,
                 .description = "level of the good builds" },
    [AFTER] = { .name = "after", .title = "Candidate", .type = CELL_DURATION, .description = "median of its launches" },
    [FACTOR] = { .name = "factor",
                 .title = "Factor",
                 .type = CELL_DECIMAL,
                 .description = "the candidate over the level" },
    [LOW] = { .name = "low", .title = "from", .type = CELL_DECIMAL, .description = "95 % interval of the factor" },
    [HIGH] = { .name = "high", .title = "to", .type = CELL_DECIMAL, .description = "95 % interval of the factor" },
    [P_BUILDS] = { .name = "p_builds",
                   .title = "p, builds",
                   .type = CELL_DECIMAL,
                   .description = "of the test over builds",
                   .optional = true },
    [P_LAUNCHES] = { .name = "p_launches",
                     .title = "p, launches",
                     .type = CELL_DECIMAL,
                     .description = "of the test over launches",
                     .optional = true },
    [BUILDS] = { .name = "builds",
                 .title = "Builds",
                 .type = CELL_INTEGER,
                 .description = "good ones since the last change",
                 .optional = true },
    [LAUNCHES] = { .name = "launches",
                   .title = "Launches",
                   .type = CELL_INTEGER,
                   .description = "of these",
                   .optional = true },
    [OWN] = { .name = "candidate_launches",
              .title = "Its own",
              .type = CELL_INTEGER,
              .description = "launches of the candidate",
              .optional = true },
    [LEFT_OUT] = { .name = "left_out",
                   .title = "Left out",
                   .type = CELL_INTEGER,
                   .description = "builds that failed, are marked bad, or are slower themselves and not accepted",
                   .optional = true },
    [SINCE] = { .name = "since",
                .title = "Since",
                .type = CELL_TEXT,
                .description = "first of the builds before the candidate that are left out as slower",
                .optional = true },
    [LABELS] = { .name = "labels", .title = "Labels", .type = CELL_TEXT, .description = "of the candidate" },
};

static struct gate_table new_table(const struct history_settings *settings, bool labels, bool since)
{
    struct gate_table made = { .table = table_new("gate", "Gate") };

    for (size_t i = 0, next = 0; i < COLUMNS && made.table; i++) {
        bool left_out = i == LABELS  ? !labels
                        : i == SINCE ? !since
                                     : is_counted(settings) && i >= LOW && i <= P_LAUNCHES;
        struct table_column column = gate_columns[i];

        if (is_counted(settings) && (i == BEFORE || i == AFTER))
            column.type = CELL_INTEGER;
        made.places[i] = left_out ? SIZE_MAX : next++;
        if (!left_out)
            table_add_column(made.table, column);
    }
    return made;
}

static void set_integer(const struct gate_table *gate, size_t column, double value)
{
    if (!isnan(value))
        table_set_integer(gate->table, gate->places[column], llround(value));
}

static void set_text(const struct gate_table *gate, size_t column, const char *text)
{
    if (gate->places[column] != SIZE_MAX)
        table_set_text(gate->table, gate->places[column], *text ? text : NULL);
}

static void add_row(const struct gate_table *to, const struct part *part, bool counted)
{
    const struct gate *gate = &part->gate;
    const double decimals[] = { gate->factor, gate->interval.low, gate->interval.high, gate->p_builds,
                                gate->p_launches };
    char text[SENTENCE] = "";
    size_t length = 0;

    table_add_row(to->table);
    set_text(to, VERDICT,
             part->failures                             ? "failed"
             : counted && gate->verdict == GATE_SLOWER  ? "more"
             : counted && gate->verdict == GATE_TOO_FEW ? "not known"
                                                        : verdicts[gate->verdict]);
    set_integer(to, BEFORE, gate->before);
    set_integer(to, AFTER, gate->after);
    for (size_t i = 0; i < sizeof decimals / sizeof *decimals; i++)
        if (isfinite(decimals[i]))
            table_set_decimal(to->table, to->places[FACTOR + i], i < 3 ? rounded(decimals[i]) : decimals[i]);
    set_integer(to, BUILDS, (double)gate->builds);
    set_integer(to, LAUNCHES, (double)gate->launches);
    set_integer(to, OWN, (double)gate->candidate_launches);
    set_integer(to, LEFT_OUT, (double)(part->left_out.failed + part->left_out.bad + part->left_out.held));
    set_text(to, SINCE, part->since);
    for (size_t i = 0; i < part->labels.count && length < sizeof text; i++)
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "%s%.100s", i ? " " : "", part->labels.items[i]);
    set_text(to, LABELS, text);
}

static status add_gate(struct job *job, const struct candidate *candidate)
{
    const struct history_settings *settings = job->settings;
    bool all = job->output || job->json, since = all;
    struct gate_table gate;

    for (size_t i = 0; i < candidate->count; i++)
        since = since || *candidate->parts[i].since;
    gate = new_table(settings, all || candidate->count > 1, since);
    if (!gate.table)
        return status_no_memory("judging");
    for (size_t i = 0; i < candidate->count; i++)
        add_row(&gate, &candidate->parts[i], is_counted(settings));
    for (size_t i = 0; i < candidate->count && (job->output || job->json); i++)
        table_note(gate.table, "%s", candidate->parts[i].sentence);
    return job_table(job, gate.table);
}

static status judge(struct job *job, const struct history *history, const struct texts *inputs,
                    const struct gate_options *options)
{
    const struct history_settings *settings = job->settings;
    struct candidate candidate = { 0 };
    size_t known = 0;
    status code = candidate_read(job, inputs, &candidate);

    if (code == STATUS_OK && !candidate.count)
        code = status_fail(STATUS_INPUT, "nothing of the candidate has these labels");
    for (size_t i = 0; i < candidate.count && code == STATUS_OK; i++) {
        bool part_known;

        code = judge_part(job, history, &candidate, options, &candidate.parts[i], &part_known);
        known += part_known;
    }
    if (code == STATUS_OK && !known)
        code = status_fail(STATUS_INPUT, "no build of \"%s\" of these devices and labels tells %s", settings->model,
                           history_metric(settings));
    for (size_t i = 0; i < candidate.count && code == STATUS_OK; i++)
        code = history_say(job, candidate.parts[i].sentence);
    if (code == STATUS_OK)
        code = add_gate(job, &candidate);
    if (code == STATUS_OK && settings->junit)
        code = write_junit(settings->junit, &candidate);
    if (code == STATUS_OK && count_outcomes(&candidate, OUTCOME_FAILED))
        code = status_fail(STATUS_NO, "launches of the candidate failed");
    if (code == STATUS_OK && count_outcomes(&candidate, OUTCOME_SLOWER))
        code = status_fail(STATUS_NO,
                           is_counted(settings) ? "the candidate has more %s than the good builds before it"
                                                : "the candidate is slower than the good builds before it",
                           history_metric(settings));
    candidate_free(&candidate);
    return code;
}

/* ---- past builds -------------------------------------------------------------------------------------------------------------------- */

static const struct table_column trial_columns[] = {
    { .name = "build", .title = "Build", .type = CELL_TEXT, .description = "as a candidate among those before it" },
    { .name = "verdict", .title = "Verdict", .type = CELL_TEXT, .description = "what would have been said of it" },
    { .name = "factor", .title = "Factor", .type = CELL_DECIMAL, .description = "its time over the level before" },
    { .name = "changed",
      .title = "A change",
      .type = CELL_BOOLEAN,
      .description = "the trend has a change to more here" },
    { .name = "caught",
      .title = "5 % slower",
      .type = CELL_BOOLEAN,
      .description = "would it be called slower, had it taken 5 % longer" },
};

/* Given to the job. */
static status add_trials(struct job *job, const struct history_series *series,
                         const struct gate_calibration *calibration)
{
    struct table *table = table_new("calibration", "What the gate would have said");

    if (!table)
        return status_no_memory("calibrating");
    for (size_t i = 0; i < sizeof trial_columns / sizeof *trial_columns; i++)
        table_add_column(table, trial_columns[i]);
    for (size_t i = 0; i < calibration->count; i++) {
        const struct gate_trial *trial = &calibration->trials[i];

        table_add_row(table);
        table_set_text(table, 0, series->names[i]);
        table_set_text(table, 1, verdicts[trial->gate.verdict]);
        if (!isnan(trial->gate.factor))
            table_set_decimal(table, 2, rounded(trial->gate.factor));
        table_set_boolean(table, 3, trial->changed);
        if (trial->gate.verdict != GATE_TOO_FEW)
            table_set_boolean(table, 4, trial->caught);
    }
    return job_table(job, table);
}

static status say_trials(struct job *job, const struct gate_calibration *calibration, const struct left_out *left_out)
{
    char sentence[SENTENCE];
    size_t length;

    snprintf(sentence, sizeof sentence,
             "%zu past builds judged: %zu false alarm%s, %zu called slower where the trend has a change; 5 %% slower, "
             "%zu would have been caught",
             calibration->judged, calibration->alarms, calibration->alarms == 1 ? "" : "s", calibration->changes,
             calibration->caught);
    length = strlen(sentence);
    say_left_out(left_out, "", sentence + length, sizeof sentence - length);
    return history_say(job, sentence);
}

static status tell_trials(struct job *job, const struct history_series *series, const struct gate_options *options,
                          const struct left_out *left_out)
{
    static const double slower = 0.05;
    struct gate_calibration calibration = { 0 };
    bool *accepted = accepted_builds(series);
    const struct gate_history history = { series->builds, accepted, series->count };
    status code = accepted ? gate_calibrate(&history, options, slower, &calibration) : status_no_memory("calibrating");

    memory_free(accepted);
    if (code == STATUS_OK)
        code = say_trials(job, &calibration, left_out);
    if (code == STATUS_OK)
        code = add_trials(job, series, &calibration);
    gate_calibration_free(&calibration);
    return code;
}

/* Of the same builds as the gate. */
static status calibrate(struct job *job, const struct history *history, const struct gate_options *options)
{
    struct history_choice choice = history_choice_of(job->settings);
    struct history_series series = { 0 };
    struct left_out left_out;
    status code;

    choice.build_count = 0;
    code = history_series_of(history, job->settings, &choice, &series);
    if (code == STATUS_OK)
        code = history_read_standings(history, &choice, &series);
    if (code == STATUS_OK)
        code = history_warn_mixture(job, history, &choice);
    if (code == STATUS_OK) {
        left_out = leave_out(&series, NULL, SIZE_MAX);
        code = tell_trials(job, &series, options, &left_out);
    }
    history_series_free(&series);
    return code;
}

status history_gate(struct job *job, const struct texts *inputs)
{
    const struct history_settings *settings = job->settings;
    struct history history = { 0 };
    struct gate_options options;
    status code = gate_options_of(settings, &options);

    if (code == STATUS_OK && (!settings->model || (!inputs->count && !settings->calibrate)))
        code =
            status_fail(STATUS_USAGE, "tacho history gate wants --model and the candidate's profiles, or --calibrate");
    if (code == STATUS_OK && settings->calibrate && is_counted(settings))
        code = status_fail(STATUS_USAGE, "--calibrate is for times: --metric %s is counted, and has no false alarms",
                           history_metric(settings));
    if (code == STATUS_OK)
        code = history_check_metric(settings);
    if (code == STATUS_OK)
        code = history_open(settings, false, &history);
    if (code == STATUS_OK)
        code = settings->calibrate ? calibrate(job, &history, &options) : judge(job, &history, inputs, &options);
    history_close(&history);
    return code;
}
