/* launches.c: the launches of one side, from files of one launch each or of many. */
#include "executorch/launches.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "executorch/chain.h"
#include "job/session.h"

void launches_start(struct launches *launches)
{
    *launches = (struct launches){ 0 };
}

void launches_free(struct launches *launches)
{
    memory_free(launches->items);
    memory_free(launches->files);
    arena_free(&launches->arena);
    *launches = (struct launches){ 0 };
}

status launches_new(struct launches *launches, const char *name, size_t count, double **ms, uint32_t **runs)
{
    status code = memory_grow(&launches->items, &launches->capacity, launches->count + 1, sizeof *launches->items);
    const char *copy;

    assert(name && count && ms && runs);
    if (code != STATUS_OK)
        return code;
    copy = arena_copy(&launches->arena, name, strlen(name));
    *ms = arena_allocate(&launches->arena, (count ? count : 1) * sizeof **ms, _Alignof(double));
    *runs = arena_allocate(&launches->arena, (count ? count : 1) * sizeof **runs, _Alignof(uint32_t));
    if (!copy || !*ms || !*runs)
        return status_no_memory("reading launches");
    launches->items[launches->count++] =
        (struct latency_launch){ .name = copy, .ms = *ms, .runs = *runs, .count = count };
    return STATUS_OK;
}

/* ---- one launch: an execution -------------------------------------------------------------------------------------- */

/* A run that was to be an inference: "Default" holds the loading. */
static bool is_inference(const struct execution *execution, const struct execution_run *run)
{
    return run->event_count && strcmp(strings_text(execution->strings, run->block), "Default") != 0;
}

static status add_execution(struct launches *launches, struct launch_file *file, const struct execution *execution)
{
    uint32_t inferences = execution_inferences(execution);
    struct place place = { file->path, 0, 0 };
    size_t count = 0;
    uint32_t *runs;
    double *ms;
    status code;

    if (execution->no_clock)
        return status_fail_at(STATUS_INPUT, place,
                              "all stamps are equal: the program had no clock, so there are no latencies");
    if (!inferences)
        return status_fail_at(STATUS_INPUT, place, "no Method::execute is in it: no inference was timed");
    code = launches_new(launches, file->path, inferences, &ms, &runs);
    for (uint32_t i = 0; i < execution->runs.count && code == STATUS_OK; i++) {
        const struct execution_run *run = execution_run_at(execution, i);

        if (run->execute < 0) {
            file->without_execute += is_inference(execution, run);
        } else if (run->execute == 0) {
            file->without_time++;
        } else if (count < inferences) {
            ms[count] = clock_span_ms(&execution->clock, run->execute);
            runs[count++] = run->index;
        }
    }
    if (code == STATUS_OK)
        launches->items[launches->count - 1].count = count;
    if (code == STATUS_OK && !count)
        return status_fail_at(STATUS_INPUT, place, "every inference lasts 0: there are no latencies");
    return code;
}

/* `input` is taken over: a pipe cannot be opened again. */
static status load_launch(struct launches *launches, struct launch_file *file, struct input *input,
                          const struct load_options *options)
{
    struct load_options plain = *options;
    struct strings *strings = strings_new();
    struct execution execution;
    struct loaded loaded;
    status code;

    if (!strings) {
        input_close(input);
        return status_no_memory("reading launches");
    }
    plain.no_etrecord = true; /* latencies need no names */
    plain.input = input;
    code = load_execution(file->path, &plain, strings, &execution, &loaded);
    if (code == STATUS_OK) {
        file->losses = execution.losses;
        for (; file->note_count < loaded.note_count && file->note_count < sizeof file->notes / sizeof *file->notes;
             file->note_count++)
            file->notes[file->note_count] = loaded.notes[file->note_count];
        code = add_execution(launches, file, &execution);
    }
    execution_free(&execution);
    loaded_free(&loaded);
    strings_free(strings);
    return code;
}

/* ---- one launch: any other profile --------------------------------------------------------------------------------- */

/* A file with several launches tells them apart by their numbers. */
static status new_launch(struct launches *launches, const struct launch_file *file, const struct inference_list *list,
                         size_t at, double **ms, uint32_t **runs)
{
    uint32_t launch = list->items[at].launch;
    bool several = list->items[0].launch != list->items[list->count - 1].launch;
    struct path name = { .text = NULL };
    size_t count = 0;
    status code = several ? path_set(&name, "%s launch %u", file->path, launch + 1) : path_set(&name, "%s", file->path);

    while (at + count < list->count && list->items[at + count].launch == launch)
        count++;
    if (code == STATUS_OK)
        code = launches_new(launches, name.text, count, ms, runs);
    path_free(&name);
    return code;
}

/* The runs of one launch: items of a list from `*at` on. */
static status add_launch(struct launches *launches, struct launch_file *file, const struct counting *counting,
                         const struct inference_list *list, size_t *at)
{
    uint32_t launch = list->items[*at].launch;
    size_t count = 0;
    uint32_t *runs;
    double *ms;
    status code = new_launch(launches, file, list, *at, &ms, &runs);

    for (; *at < list->count && list->items[*at].launch == launch && code == STATUS_OK; ++*at) {
        const struct inference *run = &list->items[*at];
        double span = clock_span_ms(inferences_clock(&counting->inferences, run), run->end - run->start);

        if (inference_continues(list, *at) && count) {
            ms[count - 1] += span;
            continue;
        }
        ms[count] = span;
        runs[count] = run->index;
        file->without_time += run->start == run->end;
        count += run->start < run->end;
    }
    if (code == STATUS_OK)
        launches->items[launches->count - 1].count = count;
    return code == STATUS_OK && !count
               ? status_fail_at(STATUS_INPUT, (struct place){ .file = file->path }, "every run of it lasts 0")
               : code;
}

/* An input without any runs is one, from its first start to its last end. */
static status add_whole(struct launches *launches, const struct launch_file *file, const struct counting *counting,
                        const struct profile *profile)
{
    struct metrics metrics;
    uint32_t *runs;
    double *ms;
    status code = profile_metrics(profile, &counting->busy, NULL, &metrics);

    if (code == STATUS_OK)
        code = launches_new(launches, file->path, 1, &ms, &runs);
    if (code != STATUS_OK)
        return code;
    *ms = clock_span_ms(&metrics.clock, metrics_ticks(&metrics, &metric_overall));
    *runs = 0;
    return STATUS_OK;
}

/* The runs that a reader tells, or that repeat, launch by launch. */
static status add_runs(struct launches *launches, struct launch_file *file, struct counting *counting,
                       const struct profile *profile)
{
    struct inference_list list;
    status code = inferences_of(&counting->inferences, profile->process, profile->path, &list);

    if (code == STATUS_OK && !list.count)
        return file->failed ? STATUS_OK : add_whole(launches, file, counting, profile);
    for (size_t at = 0; at < list.count && code == STATUS_OK;)
        code = add_launch(launches, file, counting, &list, &at);
    return code;
}

/* Texts of the session outlive it in the arena. */
static status keep_notes(struct launches *launches, struct launch_file *file, const struct source *source)
{
    for (unsigned i = 0; i < source->note_count; i++) {
        const char *note = arena_copy(&launches->arena, source->notes[i], strlen(source->notes[i]));

        if (!note)
            return status_no_memory("reading launches");
        file->notes[file->note_count++] = note;
    }
    if (source->failed)
        file->failed = arena_copy(&launches->arena, source->failed, strlen(source->failed));
    return source->failed && !file->failed ? status_no_memory("reading launches") : STATUS_OK;
}

static status load_profile(struct launches *launches, struct launch_file *file, const struct load_options *options)
{
    const struct session_options reading = { .format = options->format, .strict = options->strict };
    struct session session;
    struct counting counting = { 0 };
    struct feed feed;
    status code = session_start(&session, &reading);

    if (code == STATUS_OK)
        code = counting_start(&counting, options->runs, NULL, false, session.strings);
    feed_start(&feed, counting_sink(&counting), session.strings);
    if (code == STATUS_OK)
        code = session_add(&session, file->path, file->path);
    if (code == STATUS_OK)
        code = session_read(&session, session.profiles, &feed);
    if (code == STATUS_OK)
        code = busy_settle(&counting.busy);
    if (code == STATUS_OK) {
        file->losses = session.profiles->losses;
        code = keep_notes(launches, file, &session.profiles->source);
    }
    if (code == STATUS_OK)
        code = add_runs(launches, file, &counting, session.profiles);
    feed_free(&feed);
    counting_free(&counting);
    session_end(&session);
    return code;
}

/* ---- files --------------------------------------------------------------------------------------------------------- */

/* A profile of another chain is opened by its session: what was looked at must be there again. */
static status check_again(const struct launch_file *file, const struct reader *reader)
{
    bool standard = strcmp(file->path, "-") == 0;

    if (!standard && (path_is_file(file->path) || !path_exists(file->path)))
        return STATUS_OK;
    return status_fail(STATUS_USAGE, "%s is %s, and can be read once only: say --format %s",
                       standard ? "standard input" : file->path, reader->title, reader->id);
}

static status read_file(struct launches *launches, struct launch_file *file, const struct launch_choice *choice,
                        const struct load_options *options)
{
    const struct reader *reader;
    struct input *input;
    struct text head;
    status code = reader_given(options->format, &reader);

    if (code != STATUS_OK)
        return code;
    if (path_is_folder(file->path) || (reader && !executorch_calls(reader)->execution && !choice->count))
        return load_profile(launches, file, options);
    code = input_open(file->path, &input);
    if (code != STATUS_OK)
        return code;
    code = input_head(input, &head);
    file->table = code == STATUS_OK && !options->format && launches_is_header(head);
    if (file->table)
        code = launches_read_table(launches, file, input, choice, options->strict);
    else if (code == STATUS_OK && choice->count)
        code = status_fail(STATUS_USAGE,
                           "%s: %s chooses rows of a CSV of launches (launch,iteration,ms), and this is none",
                           file->path, choice->keys[0]);
    if (code == STATUS_OK && !file->table)
        code = reader_of(input, file->path, options->format, &reader);
    if (code == STATUS_OK && !file->table && executorch_calls(reader)->execution && !options->runs)
        return load_launch(launches, file, input, options);
    input_close(input);
    if (code == STATUS_OK && !file->table && !options->format)
        code = check_again(file, reader);
    return code == STATUS_OK && !file->table ? load_profile(launches, file, options) : code;
}

status launches_add(struct launches *launches, const char *path, const struct launch_choice *choice,
                    const struct load_options *options)
{
    status code =
        memory_grow(&launches->files, &launches->file_capacity, launches->file_count + 1, sizeof *launches->files);
    struct launch_file *file;

    assert(path && options);
    if (code != STATUS_OK)
        return code;
    file = &launches->files[launches->file_count++];
    *file = (struct launch_file){ .path = path, .first = launches->count };
    code = read_file(launches, file, choice, options);
    file->count = launches->count - file->first;
    return code;
}
