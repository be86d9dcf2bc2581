/* history_gate.c: tacho history gate: whether a candidate is slower than the good builds before it, or counts more.
 *
 * A candidate may be of several devices and sets of labels, as what a folder of runs holds: each is held against builds of the same.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze/gate.h"
#include "base/format.h"
#include "base/memory.h"
#include "base/number.h"
#include "history/history_profiles.h"
#include "history/history_verb.h"
#include "job/compare.h"

enum { SENTENCE = COMPARE_SENTENCE, SEPARATOR = '\x1F' }; /* between labels, of which any may have lines */

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

/* Builds that would have counted. */
struct left_out {
    size_t failed, bad; /* why they do not */
};

/* Those that are not good, and those of the candidate's own name, are not what it is held against. */
static struct left_out leave_out(struct history_series *series, const char *own, size_t builds)
{
    struct left_out left_out = { 0, 0 };
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

/* "; 2 builds left out: 1 failed, 1 marked bad". */
static void say_left_out(const struct left_out *left_out, char *to, size_t size)
{
    size_t count = left_out->failed + left_out->bad, length = 0;

    to[0] = '\0';
    if (!count)
        return;
    length = (size_t)snprintf(to, size, "; %zu build%s left out:", count, count == 1 ? "" : "s");
    if (left_out->failed && length < size)
        length += (size_t)snprintf(to + length, size - length, " %zu failed", left_out->failed);
    if (left_out->bad && length < size)
        snprintf(to + length, size - length, "%s %zu marked bad", left_out->failed ? "," : "", left_out->bad);
}

/* ---- the candidate ---------------------------------------------------------------------------------------------------------------- */

/* What of a candidate is of one device and one set of labels, and what is said of it. */
struct part {
    char *key;                /* device and labels, with SEPARATOR between them; the choice points into it; owned */
    struct texts labels;      /* of it */
    const char *device;       /* of it; empty: not known */
    size_t failures;          /* launches that failed */
    struct gate gate;         /* what is said of it */
    struct left_out left_out; /* builds that it was not held against */
    char build[HISTORY_WORD]; /* of counts: whose number is the one before; empty: there is none */
    bool unsteady;            /* the same: its launches do not agree */
    char subject[SENTENCE];   /* what is judged */
    char sentence[SENTENCE];  /* what is said */
};

struct candidate {
    struct history history; /* the candidate's own, in memory, so that its numbers are made as all others are */
    struct history_profiles profiles; /* in it */
    char **keys;                      /* by profile: device and labels; owned */
    size_t *failures;                 /* by profile: launches that failed; owned */
    size_t cursor;                    /* profile that a label is of */
    struct part *parts;               /* owned */
    size_t count;                     /* of parts */
};

static void candidate_free(struct candidate *candidate)
{
    for (size_t i = 0; i < candidate->profiles.count && candidate->keys; i++)
        memory_free(candidate->keys[i]);
    for (size_t i = 0; i < candidate->count; i++) {
        memory_free(candidate->parts[i].key);
        texts_free(&candidate->parts[i].labels);
    }
    memory_free(candidate->keys);
    memory_free(candidate->failures);
    memory_free(candidate->parts);
    history_profiles_free(&candidate->profiles);
    history_close(&candidate->history);
}

/* Labels of a profile come by name. */
static status take_label(void *context, const struct history_value *values)
{
    struct candidate *candidate = context;
    size_t at = history_profiles_find(&candidate->profiles, history_integer_at(&values[0]), &candidate->cursor);
    struct text name = history_text_at(&values[1]), value = history_text_at(&values[2]);
    size_t length, size;
    char *grown;

    if (at == SIZE_MAX)
        return STATUS_OK;
    length = strlen(candidate->keys[at]);
    size = length + name.length + value.length + 3;
    grown = memory_resize(candidate->keys[at], size);
    if (!grown)
        return status_no_memory("judging");
    candidate->keys[at] = grown;
    snprintf(grown + length, size - length, "%c%.*s=%.*s", SEPARATOR, (int)name.length, name.data, (int)value.length,
             value.data);
    return STATUS_OK;
}

static status take_failure(void *context, const struct history_value *values)
{
    struct candidate *candidate = context;
    size_t at = history_profiles_find(&candidate->profiles, history_integer_at(&values[0]), &candidate->cursor);

    if (at != SIZE_MAX)
        candidate->failures[at]++;
    return STATUS_OK;
}

/* The key is cut into its parts. */
static status add_part(struct candidate *candidate, const char *key)
{
    struct part *part = &candidate->parts[candidate->count];
    char *copy = memory_copy_text(key), *end;
    status code = copy ? STATUS_OK : status_no_memory("judging");

    *part = (struct part){ .key = copy, .device = copy };
    candidate->count++;
    for (end = copy ? strchr(copy, SEPARATOR) : NULL; end && code == STATUS_OK; end = strchr(end + 1, SEPARATOR)) {
        *end = '\0';
        code = texts_add(&part->labels, end + 1);
    }
    return code;
}

/* By profile: what it is of, and what failed. */
static status describe_profiles(struct candidate *candidate)
{
    const struct history_request labels = { .table = TABLE_LABEL };
    const struct history_request failures = { .table = TABLE_NOTE, .name = "failure" };
    const struct history *history = &candidate->history;
    size_t count = candidate->profiles.count;
    status code;

    candidate->keys = memory_allocate_clear((count + 1) * sizeof *candidate->keys);
    candidate->failures = memory_allocate_clear((count + 1) * sizeof *candidate->failures);
    code = candidate->keys && candidate->failures ? STATUS_OK : status_no_memory("judging");
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        candidate->keys[i] =
            memory_copy_text(history_profiles_text(&candidate->profiles, candidate->profiles.items[i].device));
        code = candidate->keys[i] ? STATUS_OK : status_no_memory("judging");
    }
    if (code == STATUS_OK)
        code = history->calls->read(history->self, &labels, take_label, candidate);
    candidate->cursor = 0;
    return code == STATUS_OK ? history->calls->read(history->self, &failures, take_failure, candidate) : code;
}

/* In the order in which they were given. */
static status find_parts(struct candidate *candidate)
{
    size_t count = candidate->profiles.count, *part_of = memory_allocate((count + 1) * sizeof *part_of);
    status code = describe_profiles(candidate);

    candidate->parts = memory_allocate_clear((count + 1) * sizeof *candidate->parts);
    if (code == STATUS_OK && (!part_of || !candidate->parts))
        code = status_no_memory("judging");
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        size_t at = candidate->profiles.order[i];

        part_of[i] = candidate->count;
        for (size_t k = 0; k < i; k++)
            if (strcmp(candidate->keys[candidate->profiles.order[k]], candidate->keys[at]) == 0)
                part_of[i] = part_of[k];
        if (part_of[i] == candidate->count)
            code = add_part(candidate, candidate->keys[at]);
        candidate->parts[part_of[i]].failures += candidate->failures[at];
    }
    memory_free(part_of);
    return code;
}

static status read_candidate(struct job *job, const struct texts *inputs, struct candidate *candidate)
{
    static const struct history_choice any = { 0 };
    struct history_adding adding = { .job = job, .choosing = true };
    status code = history_open_sqlite(":memory:", true, &candidate->history);

    adding.history = candidate->history;
    for (size_t i = 0; i < inputs->count && code == STATUS_OK; i++)
        code = history_add_input(&adding, inputs->items[i]);
    history_adding_free(&adding);
    if (code == STATUS_OK)
        code = history_profiles_read(&candidate->history, &any, &candidate->profiles);
    return code == STATUS_OK ? find_parts(candidate) : code;
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

/* Counts have no luck: that of the last good build is the one that may not become more. */
static void judge_count(const struct history_series *series, const struct build_launches *own,
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
                           .candidate_launches = own->count };
    part->unsteady = own->count && !known;
    for (size_t i = series->count; i-- > 0 && !gate->builds;)
        if (one_count(&series->builds[i], &gate->before)) {
            gate->builds = 1;
            gate->launches = series->builds[i].count;
            snprintf(part->build, sizeof part->build, "%s", series->names[i]);
        }
    gate->before = gate->builds ? gate->before : NAN;
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

/* What fails is told before how long the rest of it took. */
static void say(const struct history_settings *settings, struct part *part)
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
    if (length < SENTENCE)
        say_left_out(&part->left_out, part->sentence + length, SENTENCE - length);
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
    if (code == STATUS_OK && is_counted(settings))
        judge_count(&series, launches, options, part);
    else if (code == STATUS_OK)
        code = gate_judge(series.builds, series.count, launches, options, &part->gate);
    if (code == STATUS_OK)
        say(settings, part);
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
    LABELS,
    COLUMNS
};

/* What is counted has no test, and labels are for who gave several: those columns are not there. */
struct gate_table {
    struct table *table;    /* given to the job */
    size_t places[COLUMNS]; /* of each column; SIZE_MAX: it is not there */
};

static struct gate_table new_table(const struct history_settings *settings, bool labels)
{
    const enum cell_type type = is_counted(settings) ? CELL_INTEGER : CELL_DURATION;
    const struct table_column columns[COLUMNS] = {
        [VERDICT] = { .name = "verdict",
                      .title = "Verdict",
                      .type = CELL_TEXT,
                      .description = "pass, slower, too few, or failed; of counts more" },
        [BEFORE] = { .name = "before", .title = "Before", .type = type, .description = "level of the good builds" },
        [AFTER] = { .name = "after", .title = "Candidate", .type = type, .description = "median of its launches" },
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
                       .description = "builds that failed or are marked bad",
                       .optional = true },
        [LABELS] = { .name = "labels", .title = "Labels", .type = CELL_TEXT, .description = "of the candidate" },
    };
    struct gate_table made = { .table = table_new("gate", "Gate") };

    for (size_t i = 0, next = 0; i < COLUMNS && made.table; i++) {
        bool left_out = i == LABELS ? !labels : is_counted(settings) && i >= LOW && i <= P_LAUNCHES;

        made.places[i] = left_out ? SIZE_MAX : next++;
        if (!left_out)
            table_add_column(made.table, columns[i]);
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
    set_integer(to, LEFT_OUT, (double)(part->left_out.failed + part->left_out.bad));
    for (size_t i = 0; i < part->labels.count && length < sizeof text; i++)
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "%s%.100s", i ? " " : "", part->labels.items[i]);
    set_text(to, LABELS, text);
}

static status add_gate(struct job *job, const struct candidate *candidate)
{
    const struct history_settings *settings = job->settings;
    struct gate_table gate = new_table(settings, candidate->count > 1 || job->output || job->json);

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
    status code = read_candidate(job, inputs, &candidate);

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

static status tell_trials(struct job *job, const struct history_series *series, const struct gate_options *options,
                          const struct left_out *left_out)
{
    static const double slower = 0.05;
    static const struct table_column columns[] = {
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
    struct gate_calibration calibration;
    char sentence[SENTENCE], more[FORMAT_SIZE];
    struct table *table = table_new("calibration", "What the gate would have said");
    status code = gate_calibrate(series->builds, series->count, options, slower, &calibration);

    code = code == STATUS_OK && !table ? status_no_memory("calibrating") : code;
    for (size_t i = 0; code == STATUS_OK && i < sizeof columns / sizeof *columns; i++)
        table_add_column(table, columns[i]);
    for (size_t i = 0; code == STATUS_OK && i < calibration.count; i++) {
        const struct gate_trial *trial = &calibration.trials[i];

        table_add_row(table);
        table_set_text(table, 0, series->names[i]);
        table_set_text(table, 1, verdicts[trial->gate.verdict]);
        if (!isnan(trial->gate.factor))
            table_set_decimal(table, 2, rounded(trial->gate.factor));
        table_set_boolean(table, 3, trial->changed);
        if (trial->gate.verdict != GATE_TOO_FEW)
            table_set_boolean(table, 4, trial->caught);
    }
    say_left_out(left_out, more, sizeof more);
    snprintf(sentence, sizeof sentence,
             "%zu past builds judged: %zu false alarm%s, %zu called slower where the trend has a change; 5 %% slower, "
             "%zu would have been caught%s",
             calibration.judged, calibration.alarms, calibration.alarms == 1 ? "" : "s", calibration.changes,
             calibration.caught, more);
    if (code == STATUS_OK)
        code = history_say(job, sentence);
    gate_calibration_free(&calibration);
    if (code == STATUS_OK)
        return job_table(job, table);
    table_free(table);
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
