/* compare.c: tacho compare: what changed between two sides, of inputs of any format. */
#include "job/compare.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/path.h"
#include "job/core_verbs.h"

struct settings_of_compare {
    struct texts with;        /* the other side */
    struct texts gates;       /* as given */
    bool gate_needs_launches; /* too few fail, too */
    const char *junit;        /* file; NULL: none */
    const char *of;           /* NULL: auto */
    bool one_model;           /* all files of a side are launches of one model */
};

#define AT(member) offsetof(struct settings_of_compare, member)

static const struct option options[] = {
    { "with", 0, OPTION_LIST, AT(with), "AFTER...", "the other side (of two inputs: the second)" },
    { "gate", 0, OPTION_REPEAT, AT(gates), "[WHAT:]PERCENT", "exit 1 on a certain slowdown that is larger" },
    { "gate-needs-launches", 0, OPTION_FLAG, AT(gate_needs_launches), NULL, "exit 1 also where launches are too few" },
    { "junit", 0, OPTION_TEXT, AT(junit), "FILE", "write the gates as JUnit XML, too" },
    { "of", 0, OPTION_TEXT, AT(of), "auto|run|device", "what the operators add up to (default: auto)" },
    { "one-model", 0, OPTION_FLAG, AT(one_model), NULL, "all files of a side are launches of one model" },
    { 0 },
};

/* A file of one side. */
struct input_file {
    const char *path;   /* borrowed */
    unsigned side;      /* 0: before, 1: after */
    struct text model;  /* by its name */
    size_t model_index; /* among the models; SIZE_MAX: of none that both sides have */
};

/* What is to be known of files: once for all of which the same is. */
struct file_note {
    char *text;       /* owned */
    const char *path; /* of the first such file; borrowed */
    size_t more;      /* other files */
};

struct reading {
    struct job *job;                  /* borrowed */
    struct compare_answer *answer;    /* that is filled */
    struct input_file *files;         /* of both sides; owned */
    size_t file_count;                /* of files */
    struct file_note *notes;          /* owned */
    size_t note_count, note_capacity; /* of notes */
};

/* ---- which files ------------------------------------------------------------------------------------------------------- */

static bool given_before(const struct reading *reading, const char *path, unsigned side)
{
    for (size_t i = 0; i < reading->file_count; i++)
        if (reading->files[i].side == side &&
            (strcmp(reading->files[i].path, path) == 0 || path_same_file(reading->files[i].path, path)))
            return true;
    return false;
}

/* "mobilenet_t1" of mobilenet_t1_l3.bin and of mobilenet_t1.run-12.csv: the name without what numbers launches. Of a name that does nothing else, its word, or nothing:
 * launch1 and launch2, or 1 and 2, are of one model. */
struct text compare_model_of(const char *path)
{
    static const char *const words[] = { "launch", "run", "rank", "l" };
    struct text stem = path_stem(path), rest = stem;

    while (rest.length && isdigit((unsigned char)rest.data[rest.length - 1]))
        rest.length--;
    if (rest.length == stem.length)
        return stem;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);

        if (rest.length == length && text_ends(rest, words[i]))
            return rest;
        if (text_ends(rest, words[i]) && strchr("_-. ", rest.data[rest.length - length - 1])) {
            rest.length -= length;
            break;
        }
    }
    while (rest.length && strchr("_-. ", rest.data[rest.length - 1]))
        rest.length--;
    return rest;
}

static status add_files(struct reading *reading, const struct texts *texts, size_t first, size_t count, unsigned side)
{
    for (size_t i = first; i < first + count; i++) {
        const char *path = texts->items[i];

        if (given_before(reading, path, side)) {
            job_note(reading->job, NOTE_WARNING, path, "is given twice on one side: it counts once");
            continue;
        }
        if (given_before(reading, path, 1 - side) && strcmp(path, "-") != 0)
            job_note(reading->job, NOTE_WARNING, path, "is on both sides: it is compared with itself");
        reading->files[reading->file_count++] =
            (struct input_file){ .path = path, .side = side, .model = compare_model_of(path), .model_index = SIZE_MAX };
    }
    return STATUS_OK;
}

static status choose_files(struct reading *reading)
{
    const struct settings_of_compare *settings = reading->job->settings;
    const struct texts *inputs = &reading->job->inputs;
    status code;

    if (!settings->with.count && inputs->count != 2)
        return status_fail(STATUS_USAGE, "tacho compare wants two inputs, or BEFORE... --with AFTER...%s",
                           inputs->count > 2 ? ": which of these are the other side?" : "");
    if (!inputs->count)
        return status_fail(STATUS_USAGE, "tacho compare wants inputs before --with, too");
    reading->files = memory_allocate((inputs->count + settings->with.count) * sizeof *reading->files);
    if (!reading->files)
        return status_no_memory("starting");
    if (!settings->with.count) {
        code = add_files(reading, inputs, 0, 1, 0);
        return code == STATUS_OK ? add_files(reading, inputs, 1, 1, 1) : code;
    }
    code = add_files(reading, inputs, 0, inputs->count, 0);
    return code == STATUS_OK ? add_files(reading, &settings->with, 0, settings->with.count, 1) : code;
}

/* ---- which models ------------------------------------------------------------------------------------------------------ */

static bool has_model(const struct reading *reading, struct text model, unsigned side)
{
    for (size_t i = 0; i < reading->file_count; i++)
        if (reading->files[i].side == side && text_equal(reading->files[i].model, model))
            return true;
    return false;
}

static status add_model(struct reading *reading, struct text name)
{
    struct compare_model *model = &reading->answer->models[reading->answer->model_count];

    model->name = memory_allocate(name.length + 1);
    if (!model->name)
        return status_no_memory("starting");
    text_copy(model->name, name.length + 1, name);
    reading->answer->model_count++;
    return STATUS_OK;
}

/* Models that both sides have, by the names of their files. One or none: all files are of one model. */
static status choose_models(struct reading *reading)
{
    const struct settings_of_compare *settings = reading->job->settings;
    struct compare_answer *answer = reading->answer;
    size_t shared = 0;
    status code = STATUS_OK;

    answer->models = memory_allocate_clear((reading->file_count + 1) * sizeof *answer->models);
    if (!answer->models)
        return status_no_memory("starting");
    for (size_t i = 0; i < reading->file_count && code == STATUS_OK && !settings->one_model; i++) {
        struct input_file *file = &reading->files[i];

        for (size_t k = 0; k < answer->model_count; k++)
            if (text_equal(file->model, text_of(answer->models[k].name)))
                file->model_index = k;
        if (file->model_index != SIZE_MAX || !has_model(reading, file->model, 1 - file->side))
            continue;
        file->model_index = answer->model_count;
        code = add_model(reading, file->model);
        shared++;
    }
    if (code != STATUS_OK || shared > 1)
        return code;
    if (!answer->model_count)
        code = add_model(reading, reading->files[0].model);
    for (size_t i = 0; i < reading->file_count; i++)
        reading->files[i].model_index = 0;
    return code;
}

static void note_left_out(const struct reading *reading)
{
    for (size_t i = 0; i < reading->file_count; i++)
        if (reading->files[i].model_index == SIZE_MAX)
            job_note(reading->job, NOTE_WARNING, reading->files[i].path,
                     "the other side has no file of this name: it is left out (--one-model: all are launches of one)");
}

/* Names of files may mislead: launches of different models on one side are averaged, but not without a word. */
static status note_mixture(const struct reading *reading, const struct compare_half *half)
{
    status code = STATUS_OK;
    bool another = false;

    for (size_t i = 1; i < half->count && code == STATUS_OK && !another; i++) {
        const struct compare_launch *first = &half->launches[0], *other = &half->launches[i];

        code = compare_is_another(first, other, &another);
        if (code == STATUS_OK && another)
            job_note(reading->job, NOTE_WARNING, other->runs.name,
                     "is of another model than %s, by its operators (%zu of them, and %zu): all launches of a side are "
                     "averaged, so this compares nothing that ran",
                     first->runs.name, other->operator_count, first->operator_count);
    }
    return code;
}

/* ---- reading ----------------------------------------------------------------------------------------------------------- */

static status keep_text(char ***texts, size_t *count, size_t *capacity, const char *text)
{
    char *copy;
    status code;

    for (size_t i = 0; i < *count; i++)
        if (strcmp((*texts)[i], text) == 0)
            return STATUS_OK;
    code = memory_grow(texts, capacity, *count + 1, sizeof **texts);
    copy = code == STATUS_OK ? memory_copy_text(text) : NULL;
    if (!copy)
        return status_no_memory("comparing");
    (*texts)[(*count)++] = copy;
    return STATUS_OK;
}

/* A launch that failed has no time, and is told before all that have one. */
static status keep_failure(struct reading *reading, const struct input_file *file, struct compare_half *half,
                           const char *reason)
{
    struct path text = { .text = NULL };
    status code = path_set(&text, "%s: %s is of a launch that failed, and has no time: %s",
                           file->side ? "after" : "before", file->path, reason);

    if (code == STATUS_OK)
        code = keep_text(&reading->answer->failures, &reading->answer->failure_count,
                         &reading->answer->failure_capacity, text.text);
    path_free(&text);
    half->failed++;
    return code;
}

static status keep_note(struct reading *reading, const char *path, const char *text)
{
    char *copy;
    status code;

    for (size_t i = 0; i < reading->note_count; i++) {
        struct file_note *note = &reading->notes[i];

        if (strcmp(note->text, text) == 0) {
            note->more += strcmp(note->path, path) != 0;
            return STATUS_OK;
        }
    }
    code = memory_grow(&reading->notes, &reading->note_capacity, reading->note_count + 1, sizeof *reading->notes);
    copy = code == STATUS_OK ? memory_copy_text(text) : NULL;
    if (!copy)
        return status_no_memory("comparing");
    reading->notes[reading->note_count++] = (struct file_note){ .text = copy, .path = path };
    return STATUS_OK;
}

/* Losses are told file by file; what else is to be known once, for all that say the same. */
static status keep_notes(struct reading *reading, const struct profile *profile, const struct metrics *metrics)
{
    const char *notes[PROFILE_NOTES];
    size_t count = profile_notes(profile, metrics, notes);
    status code = STATUS_OK;

    job_note_losses(reading->job, profile->path, &profile->losses, NULL, 0);
    for (size_t i = 0; i < count && code == STATUS_OK; i++)
        code = keep_note(reading, profile->path, notes[i]);
    return code;
}

/* Which files are ranks of one launch. */
static status tell_ranks(struct compare_answer *answer)
{
    struct path text = { .text = NULL };
    char sentence[LAUNCH_SENTENCE];
    status code = STATUS_OK;

    for (size_t i = 0; i < answer->model_count * 2 && code == STATUS_OK; i++) {
        if (!launch_times_ranks(&answer->times, compare_group(i / 2, i % 2), sentence))
            continue;
        code = path_set(&text, "%s%s%s: %s", answer->model_count > 1 ? answer->models[i / 2].name : "",
                        answer->model_count > 1 ? ", " : "", i % 2 ? "after" : "before", sentence);
        if (code == STATUS_OK)
            code = keep_text(&answer->notes, &answer->note_count, &answer->note_capacity, text.text);
    }
    path_free(&text);
    return code;
}

/* Runs that are far slower than the others of their launch are in no mean: without a word, a build that has more of them would look as fast. */
static status tell_slow(struct compare_answer *answer)
{
    struct path text = { .text = NULL };
    status code = STATUS_OK;

    for (size_t i = 0; i < answer->model_count * 2 && code == STATUS_OK; i++) {
        const struct compare_half *half = &answer->models[i / 2].halves[i % 2];

        if (!half->slow)
            continue;
        code = path_set(&text, "%s%s%s: %zu of %zu runs took %s%.1fx as long as the others: %s in no time here",
                        answer->model_count > 1 ? answer->models[i / 2].name : "", answer->model_count > 1 ? ", " : "",
                        i % 2 ? "after" : "before", half->slow, half->runs, half->slow == 1 ? "" : "up to ",
                        half->slow_factor, half->slow == 1 ? "it is" : "they are");
        if (code == STATUS_OK)
            code = keep_text(&answer->notes, &answer->note_count, &answer->note_capacity, text.text);
    }
    path_free(&text);
    return code;
}

/* Each note with the files that it is about, when all were read. */
static status tell_notes(struct reading *reading)
{
    struct compare_answer *answer = reading->answer;
    struct path text = { .text = NULL };
    status code = STATUS_OK;

    for (size_t i = 0; i < reading->note_count && code == STATUS_OK; i++) {
        const struct file_note *note = &reading->notes[i];

        code = note->more ? path_set(&text, "%s and %zu more: %s", note->path, note->more, note->text)
                          : path_set(&text, "%s: %s", note->path, note->text);
        if (code == STATUS_OK)
            code = keep_text(&answer->notes, &answer->note_count, &answer->note_capacity, text.text);
    }
    path_free(&text);
    return code;
}

/* One launch of a file that was read. */
static status add_launch(struct reading *reading, struct compare_half *half, const struct compare_source *source,
                         size_t time)
{
    struct compare_launch *launch;
    status code = memory_grow(&half->launches, &half->capacity, half->count + 1, sizeof *half->launches);

    if (code != STATUS_OK)
        return code;
    launch = &half->launches[half->count++];
    code = compare_launch_take(source, launch);
    launch->runs = reading->answer->times.items[time];
    return code;
}

/* The launch of another rank: the slower one stands for both. */
static status join_launch(struct reading *reading, struct compare_half *half, const struct compare_source *source,
                          const struct launch_join *join)
{
    struct compare_launch made;
    status code = STATUS_OK;

    for (size_t i = 0; i < half->count && join->was == LAUNCH_SLOWER; i++) {
        if (half->launches[i].runs.ms != join->replaced)
            continue;
        code = compare_launch_take(source, &made);
        compare_launch_free(&half->launches[i]);
        half->launches[i] = made;
        half->launches[i].runs = reading->answer->times.items[join->launch];
        break;
    }
    return code;
}

/* The launches of a file; `first` is the first of its times. */
static status add_launches(struct reading *reading, struct compare_half *half, const struct profile *profile,
                           const struct counting *counting, const struct counted_runs *runs,
                           const struct metrics *metrics, size_t first, unsigned group)
{
    struct launch_times *times = &reading->answer->times;
    struct launch_join join = { .was = LAUNCH_NEW };
    struct compare_source source = { .facts = profile_facts(profile, &counting->busy, runs),
                                     .set = metrics->set,
                                     .file_runs = runs->counted,
                                     .kernels = &counting->kernels,
                                     .strings = reading->answer->strings };
    status code = STATUS_OK;

    if (times->count == first + 1)
        code = launch_times_join(times, group, profile, metrics_ns(metrics, &metric_overall), &join);
    if (code != STATUS_OK || join.was != LAUNCH_NEW)
        return code == STATUS_OK ? join_launch(reading, half, &source, &join) : code;
    if (!runs->each)
        return add_launch(reading, half, &source, first);
    for (size_t i = 0; i < runs->launches && code == STATUS_OK; i++) {
        if (!runs->each[i].counted)
            continue;
        source.facts.windows = &runs->each[i].windows;
        source.facts.runs = runs->each[i].counted;
        code = add_launch(reading, half, &source, first + i);
    }
    return code;
}

static status take_file(struct reading *reading, const struct input_file *file, struct compare_half *half,
                        const struct profile *profile, struct counting *counting)
{
    struct launch_times *times = &reading->answer->times;
    struct counted_runs runs = { 0 };
    struct metrics metrics;
    size_t first = times->count, without_time;
    status code = busy_settle(&counting->busy);

    half->first = half->first ? half->first : file->path;
    half->chain = source_chain(&profile->source, profile->reader);
    half->estimate = profile->reader->kind != READER_MEASURED;
    half->device = profile->source.device;
    if (code == STATUS_OK)
        code = launch_times_add(times, counting, profile, &without_time);
    if (code == STATUS_OK && profile->source.failed)
        return keep_failure(reading, file, half, profile->source.failed);
    if (code == STATUS_OK)
        code = counting_take(counting, profile, &runs, &metrics);
    half->runs += runs.counted + runs.slow;
    half->slow += runs.slow;
    if (runs.slow && runs.slow_factor > half->slow_factor)
        half->slow_factor = runs.slow_factor;
    if (code == STATUS_OK)
        code = add_launches(reading, half, profile, counting, &runs, &metrics, first,
                            compare_group(file->model_index, file->side));
    if (code == STATUS_OK)
        code = keep_notes(reading, profile, &metrics);
    counted_runs_free(&runs);
    return code;
}

/* One file at a time: what is kept of it are a few numbers for each operator. */
static status read_file(struct reading *reading, const struct input_file *file)
{
    struct compare_half *half = &reading->answer->models[file->model_index].halves[file->side];
    struct session_options how = reading->job->reading;
    struct session session;
    struct counting counting = { 0 };
    struct feed feed;
    status code;

    how.strings = reading->answer->strings;
    half->files++;
    code = session_start(&session, &how);
    if (code == STATUS_OK)
        code = counting_start(&counting, reading->job->runs, reading->job->warmup, true, session.strings);
    if (code == STATUS_OK)
        code = counting_keep_kernels(&counting);
    feed_start(&feed, counting_sink(&counting), session.strings);
    if (code == STATUS_OK)
        code = session_add(&session, file->path, path_name(file->path));
    if (code == STATUS_OK && reading->job->output)
        code = session_check_output(&session, reading->job->output);
    if (code == STATUS_OK)
        code = session_read(&session, session.profiles, &feed);
    if (code == STATUS_OK)
        code = take_file(reading, file, half, session.profiles, &counting);
    feed_free(&feed);
    counting_free(&counting);
    session_end(&session);
    return code;
}

/* ---- comparing --------------------------------------------------------------------------------------------------------- */

static status check_half(const struct compare_answer *answer, const struct compare_half *half)
{
    if (half->count)
        return STATUS_OK;
    if (half->failed)
        return status_fail(STATUS_INPUT, "%s (there is nothing to compare)",
                           answer->failures[answer->failure_count - 1]);
    return status_fail(STATUS_INPUT, "%s: has no launch with a time", half->first ? half->first : "a side");
}

/* Both are read again: what has no name in the file system cannot be. */
static status find_jobs(const struct reading *reading, struct compare_model *model)
{
    const char *const paths[2] = { model->halves[0].first, model->halves[1].first };

    for (unsigned i = 0; i < 2; i++)
        if (model->halves[i].files != 1 || !(path_is_file(paths[i]) || path_is_folder(paths[i])))
            return STATUS_OK;
    return compare_jobs(reading->job, paths, reading->job->output || reading->job->json ? 0 : COMPARE_TERMINAL,
                        &model->jobs);
}

static status compare_model(const struct reading *reading, struct compare_model *model,
                            const struct compare_options *wanted)
{
    struct compare_options how = *wanted;
    status code = STATUS_OK;

    for (unsigned i = 0; i < 2 && code == STATUS_OK; i++) {
        code = check_half(reading->answer, &model->halves[i]);
        model->sides[i] = (struct compare_side){ .name = i ? "after" : "before",
                                                 .launches = model->halves[i].launches,
                                                 .count = model->halves[i].count };
    }
    how.by_source = model->halves[0].chain != model->halves[1].chain;
    how.unlike = model->halves[0].estimate != model->halves[1].estimate;
    if (code == STATUS_OK) {
        model->compared = true;
        code = compare_sides(model->sides, &how, reading->answer->strings, &model->comparison);
    }
    if (code == STATUS_OK)
        comparison_sentence(&model->comparison, model->sentence);
    if (code == STATUS_OK && how.unlike && !how.by_source)
        code = find_jobs(reading, model);
    return code;
}

static status compare_models(struct reading *reading)
{
    const struct settings_of_compare *settings = reading->job->settings;
    struct compare_answer *answer = reading->answer;
    struct compare_options how = { .latency = LATENCY_DEFAULTS };
    double sum = 0;
    status code = warmup_parse(reading->job->warmup, &how.latency.warmup);

    if (settings->of)
        how.subject = strcmp(settings->of, "run") == 0      ? COMPARE_RUN
                      : strcmp(settings->of, "device") == 0 ? COMPARE_DEVICE
                                                            : COMPARE_AUTO;
    for (size_t i = 0; i < answer->model_count && code == STATUS_OK; i++) {
        code = compare_model(reading, &answer->models[i], &how);
        if (code == STATUS_OK)
            sum -= log(answer->models[i].comparison.latency.speedup);
    }
    answer->mean_factor = exp(sum / (double)answer->model_count);
    return code;
}

/* ---- gates ------------------------------------------------------------------------------------------------------------- */

static status parse_gate(const char *text, struct compare_gate *gate)
{
    static const char *const all[] = { "time", "run", "device", "host", "part", "engine", "operator" };
    const char *colon = strchr(text, ':'), *number = colon ? colon + 1 : text;
    size_t length = strlen(number);
    bool known = !colon;

    *gate = (struct compare_gate){ .text = text };
    text_copy(gate->of, sizeof gate->of, colon ? text_between(text, colon) : text_of("time"));
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        known |= strcmp(gate->of, all[i]) == 0;
    length -= length && number[length - 1] == '%';
    if (known && number_parse_decimal(number, length, &gate->percent) && gate->percent >= 0)
        return STATUS_OK;
    return status_fail(
        STATUS_USAGE,
        "--gate wants a percentage such as 3%%, or that of something: time, run, device, host, part, engine or "
        "operator:5%%, not \"%s\"",
        text);
}

static status parse_gates(const struct job *job, struct compare_answer *answer)
{
    const struct settings_of_compare *settings = job->settings;
    status code = STATUS_OK;

    if (settings->of && strcmp(settings->of, "auto") != 0 && strcmp(settings->of, "run") != 0 &&
        strcmp(settings->of, "device") != 0)
        return status_fail(STATUS_USAGE, "--of wants auto, run or device, not \"%s\"", settings->of);
    if (settings->gate_needs_launches && !settings->gates.count)
        return status_fail(STATUS_USAGE, "--gate-needs-launches is for --gate");
    answer->gates = memory_allocate_clear((settings->gates.count + 1) * sizeof *answer->gates);
    if (!answer->gates)
        return status_no_memory("starting");
    for (size_t i = 0; i < settings->gates.count && code == STATUS_OK; i++)
        code = parse_gate(settings->gates.items[i], &answer->gates[answer->gate_count++]);
    return code;
}

/* "time" is what the sentence is about: the run, or where that cannot tell the devices that can. */
static bool is_about(const struct comparison *comparison, const struct compare_gate *gate,
                     const struct compare_row *row)
{
    static const char *const kinds[] = {
        [COMPARE_WHOLE] = "run",         [COMPARE_HOST_TIME] = "host",  [COMPARE_DEVICE_TIME] = "device",
        [COMPARE_PART] = "part",         [COMPARE_OTHER_PART] = "part", [COMPARE_ENGINE] = "engine",
        [COMPARE_OPERATOR] = "operator",
    };

    if (strcmp(gate->of, "time") == 0)
        return row->kind == (comparison->subject == COMPARE_DEVICE ? COMPARE_DEVICE_TIME : COMPARE_WHOLE);
    return row->kind <= COMPARE_OPERATOR && strcmp(gate->of, kinds[row->kind]) == 0;
}

const struct compare_row *compare_gated(const struct comparison *comparison, const struct compare_gate *gate,
                                        size_t *at)
{
    while (*at < comparison->count) {
        const struct compare_row *row = &comparison->rows[(*at)++];

        if (is_about(comparison, gate, row))
            return row;
    }
    return NULL;
}

bool compare_fails(const struct comparison *comparison, const struct compare_row *row, const struct compare_gate *gate)
{
    double factor = compare_factor(comparison, row);

    if (row->verdict != LATENCY_SLOWER)
        return false;
    return isnan(factor) || 100 * (factor - 1) > gate->percent; /* anything is slower than nothing */
}

static void apply_gate(struct compare_answer *answer, struct compare_gate *gate)
{
    for (size_t i = 0; i < answer->model_count; i++) {
        const struct comparison *comparison = &answer->models[i].comparison;
        const struct compare_row *row;

        for (size_t at = 0; (row = compare_gated(comparison, gate, &at)) != NULL;) {
            gate->failed += compare_fails(comparison, row, gate);
            gate->too_few |= row->verdict == LATENCY_TOO_FEW;
        }
    }
}

size_t compare_failed_launches(const struct compare_answer *answer)
{
    size_t failed = 0;

    for (size_t i = 0; i < answer->model_count; i++)
        failed += answer->models[i].halves[1].failed;
    return failed;
}

static status apply_gates(const struct job *job, struct compare_answer *answer)
{
    const struct settings_of_compare *settings = job->settings;
    size_t failed = 0;
    bool too_few = false;

    for (size_t i = 0; i < answer->gate_count; i++) {
        apply_gate(answer, &answer->gates[i]);
        failed += answer->gates[i].failed != 0;
        too_few |= answer->gates[i].too_few;
    }
    if (answer->gate_count && compare_failed_launches(answer))
        return status_fail(STATUS_NO, "launches after the change failed: no gate lets that through");
    if (failed)
        return status_fail(STATUS_NO, "%zu of %zu gate%s failed", failed, answer->gate_count,
                           answer->gate_count == 1 ? "" : "s");
    return too_few && settings->gate_needs_launches
               ? status_fail(STATUS_NO, "too few launches for a verdict: a gate needs %d a side",
                             LATENCY_LEAST_LAUNCHES)
               : STATUS_OK;
}

/* ---- run --------------------------------------------------------------------------------------------------------------- */

void compare_answer_free(struct compare_answer *answer)
{
    for (size_t i = 0; i < answer->model_count; i++) {
        struct compare_model *model = &answer->models[i];

        if (model->compared)
            comparison_free(&model->comparison);
        for (unsigned side = 0; side < 2; side++) {
            for (size_t k = 0; k < model->halves[side].count; k++)
                compare_launch_free(&model->halves[side].launches[k]);
            memory_free(model->halves[side].launches);
        }
        if (!model->jobs_given)
            table_free(model->jobs);
        memory_free(model->name);
    }
    for (size_t i = 0; i < answer->failure_count; i++)
        memory_free(answer->failures[i]);
    for (size_t i = 0; i < answer->note_count; i++)
        memory_free(answer->notes[i]);
    memory_free(answer->models);
    memory_free(answer->failures);
    memory_free(answer->notes);
    memory_free(answer->gates);
    launch_times_free(&answer->times);
    strings_free(answer->strings);
    memory_free(answer);
}

static void free_answer(void *answer)
{
    compare_answer_free(answer);
}

static status find_answer(struct reading *reading)
{
    status code = parse_gates(reading->job, reading->answer);

    if (code == STATUS_OK)
        code = choose_files(reading);
    if (code == STATUS_OK)
        code = choose_models(reading);
    if (code == STATUS_OK)
        note_left_out(reading);
    for (size_t i = 0; i < reading->file_count && code == STATUS_OK; i++)
        if (reading->files[i].model_index != SIZE_MAX)
            code = read_file(reading, &reading->files[i]);
    if (code == STATUS_OK)
        code = tell_ranks(reading->answer);
    if (code == STATUS_OK)
        code = tell_slow(reading->answer);
    for (size_t i = 0; i < 2 * reading->answer->model_count && code == STATUS_OK; i++)
        code = note_mixture(reading, &reading->answer->models[i / 2].halves[i % 2]);
    if (code == STATUS_OK)
        code = tell_notes(reading);
    return code == STATUS_OK ? compare_models(reading) : code;
}

static void reading_free(struct reading *reading)
{
    memory_free(reading->files);
    for (size_t i = 0; i < reading->note_count; i++)
        memory_free(reading->notes[i].text);
    memory_free(reading->notes);
}

status compare_read(struct job *job, const char *path, struct compare_answer **made)
{
    struct compare_answer *answer = memory_allocate_clear(sizeof *answer);
    struct reading reading = { .job = job, .answer = answer };
    struct input_file file = { .path = path, .model = compare_model_of(path) };
    status code;

    *made = answer;
    if (!answer)
        return status_no_memory("starting");
    answer->strings = model_strings();
    answer->models = memory_allocate_clear(sizeof *answer->models);
    code = answer->strings && answer->models ? add_model(&reading, file.model) : status_no_memory("starting");
    if (code == STATUS_OK)
        code = read_file(&reading, &file);
    if (code == STATUS_OK)
        code = tell_notes(&reading);
    reading_free(&reading);
    return code;
}

static status run(struct job *job)
{
    const struct settings_of_compare *settings = job->settings;
    struct compare_answer *answer = memory_allocate_clear(sizeof *answer);
    struct reading reading = { .job = job, .answer = answer };
    status code, gates;

    if (!answer)
        return status_no_memory("starting");
    answer->strings = model_strings();
    code = answer->strings ? find_answer(&reading) : status_no_memory("starting");
    reading_free(&reading);
    gates = code == STATUS_OK ? apply_gates(job, answer) : code;
    if (code == STATUS_OK && settings->junit)
        code = compare_write_junit(answer, settings->junit);
    if (code == STATUS_OK)
        code = compare_write_products(job, answer);
    if (code != STATUS_OK) {
        compare_answer_free(answer);
        return code;
    }
    code = job_json(job, compare_write_json, answer, free_answer);
    return code == STATUS_OK ? gates : code;
}

static const struct verb_table tables[] = {
    { .name = "totals",
      .description = "the run, the time of devices and of the host: before, after, verdict",
      .apart = true },
    { .name = "parts", .description = "parts of a run, which add up to it", .apart = true },
    { .name = "engines", .description = "how long each engine works", .apart = true },
    { .name = "operators", .description = "a row per operator; they add up to the difference", .apart = true },
    { 0 },
};

const struct verb compare_verb = {
    .name = "compare",
    .summary = "show what changed between two sides, of any format, and what it is made of",
    .usage = "[options] BEFORE AFTER | BEFORE... --with AFTER...",
    .takes = VERB_READS | VERB_VIEWS | VERB_RUNS | VERB_OUTPUTS | VERB_JSON,
    .output_help = "what changed: .md .html; rows: .csv .xlsx; or .json",
    .options = options,
    .settings_size = sizeof(struct settings_of_compare),
    .tables = tables,
    .run = run,
};
