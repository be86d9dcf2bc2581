/* load.c: executions, graphs and kernels from files, with what belongs to them. */
#include "executorch/load.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "executorch/chain.h"
#include "executorch/kernels.h"
#include "executorch/operators.h"
#include "executorch/record_check.h"
#include "executorch/same_model.h"
#include "job/job.h"

static const char unusable_record[] = "the ETRecord beside the file cannot be read: operators have no source";

void loaded_free(struct loaded *loaded)
{
    if (loaded->has_graph)
        graph_free(&loaded->graph);
    loaded->has_graph = false;
    path_free(&loaded->etrecord);
}

/* Opens and recognises a file; the caller closes the input. */
static status open_source(const char *path, const char *format, struct source *source, const struct reader **reader)
{
    *source = (struct source){ .path = path };
    return reader_open(path, format, &source->input, reader);
}

/* Ever shorter stems of the file's name, with each of the endings. */
static status find_etrecord(const char *path, struct path *found)
{
    static const char *const endings[] = { ".etrecord", ".slim.etrecord" };
    size_t folder = (size_t)(path_name(path) - path);
    const char *dot = strchr(path + folder, '.'), *cut;
    struct text stem = text_between(path, dot ? dot : path + strlen(path));

    for (;;) {
        for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
            status code = path_set(found, "%.*s%s", (int)stem.length, stem.data, endings[i]);

            if (code != STATUS_OK || access(found->text, R_OK) == 0)
                return code;
        }
        cut = text_last(text_between(path + folder, stem.data + stem.length), '_');
        if (!cut || cut == path + folder)
            return path_set(found, "%s", "");
        stem = text_between(path, cut);
    }
}

status load_find_etrecord(const char *path, struct path *found)
{
    return strcmp(path, "-") == 0 ? path_set(found, "%s", "") : find_etrecord(path, found);
}

status load_graph(const char *path, struct strings *strings, struct graph *graph)
{
    const struct reader *reader;
    struct source source;
    status code;

    assert(path && strings);
    graph_start(graph, strings);
    code = open_source(path, NULL, &source, &reader);
    if (code == STATUS_OK)
        code = strings_add_text(strings, path, &graph->file);
    if (code == STATUS_OK && !executorch_calls(reader)->graph)
        code = reader_refuse(reader, path, "the ETRecord of a model is wanted here");
    if (code == STATUS_OK)
        code = executorch_calls(reader)->graph(&source, graph);
    input_close(source.input);
    return code;
}

const char *load_refuses_kernels(const struct reader *reader)
{
    return executorch_calls(reader)->kernels ? NULL : "a log of XNNPACK or a kernels.csv is wanted here";
}

const char *load_refuses_execution(const struct reader *reader)
{
    return executorch_calls(reader)->execution ? NULL : "an ETDump, a timeline or a runner's log is wanted here";
}

status load_kernels(const char *path, struct strings *strings, struct kernel_log *log)
{
    const struct reader *reader;
    struct source source;
    status code;

    assert(path && strings);
    kernel_log_start(log, strings);
    code = open_source(path, NULL, &source, &reader);
    if (code == STATUS_OK && load_refuses_kernels(reader))
        code = reader_refuse(reader, path, load_refuses_kernels(reader));
    if (code == STATUS_OK)
        code = executorch_calls(reader)->kernels(&source, log);
    log->note = source.note_count ? source.notes[0] : NULL;
    if (code == STATUS_OK && log->losses.rows && log->losses.rows == log->losses.lost)
        code = losses_fail(&log->losses, path, reader->id);
    input_close(source.input);
    return code;
}

/* The graph of the first launch, where its record was given or the same one lies beside `path`; NULL: the launch loads its
 * own. */
static status find_shared(const struct loaded *first, const struct load_options *options, const char *path,
                          const struct graph **graph)
{
    struct path beside = { 0 };
    status code = STATUS_OK;

    *graph = NULL;
    if (!first->has_graph)
        return STATUS_OK;
    if (!options->etrecord)
        code = load_find_etrecord(path, &beside);
    if (code == STATUS_OK && (options->etrecord || strcmp(beside.text, first->etrecord.text) == 0))
        *graph = &first->graph;
    path_free(&beside);
    return code;
}

/* The record that was given, or the one beside the file. One that was only found may be unusable: then a note says so. */
static status load_record(const char *path, const struct load_options *options, struct strings *strings,
                          struct loaded *loaded)
{
    status code = STATUS_OK;

    if (options->etrecord)
        code = path_set(&loaded->etrecord, "%s", options->etrecord);
    else if (!options->no_etrecord)
        code = load_find_etrecord(path, &loaded->etrecord);
    if (code != STATUS_OK || !loaded->etrecord.length)
        return code;
    loaded->has_graph = true;
    code = load_graph(loaded->etrecord.text, strings, &loaded->graph);
    if (code == STATUS_INPUT && !options->etrecord) {
        status_clear();
        loaded_free(loaded);
        assert(loaded->note_count < sizeof loaded->notes / sizeof *loaded->notes);
        loaded->notes[loaded->note_count++] = unusable_record;
        return STATUS_OK;
    }
    return code;
}

/* A record that contradicts the file is refused where it was named, and left out with a note where it was only found. */
static status check_record(const char *path, const struct load_options *options, const struct execution *execution,
                           struct loaded *loaded)
{
    char sentence[RECORD_SENTENCE];
    const char *note;
    status code = record_check(execution, loaded->joined, sentence);

    if (code != STATUS_OK || !sentence[0])
        return code;
    if (options->etrecord)
        return record_refuse(loaded->joined, path, sentence);
    code = record_leave_out(loaded->joined, sentence, &note);
    if (code != STATUS_OK)
        return code;
    assert(loaded->note_count < sizeof loaded->notes / sizeof *loaded->notes);
    loaded->notes[loaded->note_count++] = note;
    loaded->joined = NULL;
    loaded_free(loaded);
    return STATUS_OK;
}

static status join_record(const char *path, const struct load_options *options, struct execution *execution,
                          struct loaded *loaded)
{
    status code = STATUS_OK;

    loaded->joined = options->graph ? options->graph : loaded->has_graph ? &loaded->graph : NULL;
    if (loaded->joined && !options->force_companion)
        code = check_record(path, options, execution, loaded);
    return code == STATUS_OK && loaded->joined ? graph_join(execution, loaded->joined, &loaded->join) : code;
}

status load_execution(const char *path, const struct load_options *options, struct strings *strings,
                      struct execution *execution, struct loaded *loaded)
{
    struct source source;
    status code;

    assert(path && options && strings);
    *loaded = (struct loaded){ .reader = NULL };
    execution_start(execution, strings);
    source = (struct source){ .path = path, .input = options->input };
    code = source.input ? reader_of(source.input, path, options->format, &loaded->reader)
                        : open_source(path, options->format, &source, &loaded->reader);
    source.strict = options->strict;
    source.ticks = options->ticks;
    if (code == STATUS_OK && load_refuses_execution(loaded->reader))
        code = reader_refuse(loaded->reader, path, load_refuses_execution(loaded->reader));
    if (code == STATUS_OK)
        code = executorch_calls(loaded->reader)->execution(&source, execution);
    for (unsigned i = 0; i < source.note_count; i++)
        loaded->notes[loaded->note_count++] = source.notes[i];
    if (code == STATUS_OK && execution->losses.rows && !execution->losses.used)
        code = losses_fail(&execution->losses, path, loaded->reader->id);
    input_close(source.input);
    if (code == STATUS_OK && !options->graph)
        code = load_record(path, options, strings, loaded);
    if (code == STATUS_OK && options->model)
        code = same_model_check(options->model, path, execution);
    return code == STATUS_OK ? join_record(path, options, execution, loaded) : code;
}

status load_next_launch(struct loaded *launches, size_t *count, const char *path, struct load_options load,
                        struct strings *strings, struct execution *execution, const struct graph **graph)
{
    struct loaded *loaded = &launches[*count];
    status code = STATUS_OK;

    load.graph = NULL;
    if (*count)
        code = find_shared(launches, &load, path, &load.graph);
    if (code == STATUS_OK) {
        code = load_execution(path, &load, strings, execution, loaded);
        ++*count;
    } else {
        execution_start(execution, strings);
    }
    *graph = code == STATUS_OK ? loaded->joined : NULL;
    return code;
}

/* ---- For verbs ---- */

status load_options_of(const struct load_settings *settings, struct load_options *load)
{
    *load = (struct load_options){ .format = settings->format,
                                   .etrecord = settings->etrecord,
                                   .strict = settings->strict,
                                   .force_companion = settings->force_companion };
    if (settings->ticks && !tick_rate_parse(settings->ticks, &load->ticks))
        return status_fail(STATUS_USAGE, "ticks are ns, us or cycles:MHZ, not \"%s\"", settings->ticks);
    return STATUS_OK;
}

status load_kernels_of(struct job *job, const char *path, bool strict, struct strings *strings, struct kernel_log *log)
{
    status code = load_kernels(path, strings, log);

    if (code != STATUS_OK)
        return code;
    for (unsigned i = 0; strict && i < log->losses.reason_count; i++) {
        const struct loss *loss = &log->losses.reasons[i];

        if (!loss->reason->kept)
            return status_fail_at(STATUS_INPUT, (struct place){ path, loss->lines[0], 0 }, "%s", loss->reason->text);
    }
    job_note_losses(job, path, &log->losses, &log->note, log->note != NULL);
    return STATUS_OK;
}

uint32_t load_tie_kernels(struct job *job, const char *path, struct operators *side, const struct kernel_log *log)
{
    uint32_t found = operators_add_kernels(side, log), delegated = 0;

    for (size_t i = 0; i < side->sums.count; i++)
        delegated += operators_at(side, i)->delegate != NO_ID;
    if (found && found < delegated)
        job_note(job, NOTE_WARNING, path,
                 "%u of the dump's %u delegated operators are not in it: is it the log of the same model?",
                 delegated - found, delegated);
    return found;
}

/* ---- The companion of a profile of inferences ---- */

static void unload_graph(void *loaded)
{
    graph_free(loaded);
    memory_free(loaded);
}

static status load_companion(const struct companion_request *request, void **loaded)
{
    const char *given = settings_get(request->source->settings, "etrecord");
    struct path record = { 0 };
    struct graph *graph = NULL;
    status code = given ? path_set(&record, "%s", given) : load_find_etrecord(request->source->path, &record);

    if (code == STATUS_OK && record.length) {
        graph = memory_allocate(sizeof *graph);
        code = graph ? load_graph(record.text, request->strings, graph) : status_no_memory("reading a record");
    }
    path_free(&record);
    if (code == STATUS_OK) {
        *loaded = graph;
        return STATUS_OK;
    }
    if (graph)
        unload_graph(graph);
    if (code == STATUS_INPUT && !given) {
        status_clear();
        source_note(request->source, unusable_record);
        return STATUS_OK;
    }
    return code;
}

const struct companion executorch_graph_companion = {
    .role = "graph", .option = "etrecord", .load = load_companion, .unload = unload_graph
};
