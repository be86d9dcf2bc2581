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
    launch_times_free(&launches->times);
    memory_free(launches->files);
    arena_free(&launches->arena);
    *launches = (struct launches){ 0 };
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
    code = launch_times_new(&launches->times, file->path, inferences, &ms, &runs);
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
        launches->times.items[launches->times.count - 1].count = count;
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

/* The file is one of several processes of a launch. */
static status join_ranks(struct launches *launches, struct counting *counting, const struct profile *profile)
{
    struct counted_runs runs = { 0 };
    struct launch_join join;
    struct metrics metrics;
    status code = counting_take(counting, profile, &runs, &metrics);

    if (code == STATUS_OK)
        code = launch_times_join(&launches->times, 0, profile, metrics_ns(&metrics, &metric_overall), &join);
    counted_runs_free(&runs);
    return code;
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
        code = launch_times_add(&launches->times, &counting, session.profiles, &file->without_time);
    if (code == STATUS_OK && session.profiles->source.ranks && launches->times.count == file->first + 1)
        code = join_ranks(launches, &counting, session.profiles);
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
    *file = (struct launch_file){ .path = path, .first = launches->times.count };
    code = read_file(launches, file, choice, options);
    file->count = launches->times.count - file->first;
    return code;
}
