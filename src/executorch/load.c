#include "executorch/load.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/path.h"
#include "executorch/chain.h"
#include "executorch/kernels.h"

void loaded_free(struct loaded *loaded)
{
    if (loaded->has_graph)
        graph_free(&loaded->graph);
    loaded->has_graph = false;
}

/* Opens and recognises a file; the caller closes the input. */
static status open_source(const char *path, const char *format, struct source *source, const struct reader **reader)
{
    *source = (struct source){ .path = path };
    return reader_open(path, format, &source->input, reader);
}

bool load_find_etrecord(const char *path, char *to, size_t size)
{
    static const char *const endings[] = { ".etrecord", ".slim.etrecord" };
    char stem[PATH_MAX];
    size_t folder;
    char *cut;

    if (strcmp(path, "-") == 0 || strlen(path) >= sizeof stem)
        return false;
    snprintf(stem, sizeof stem, "%s", path);
    folder = (size_t)(path_name(stem) - stem);
    cut = strchr(stem + folder, '.');
    if (cut)
        *cut = '\0';
    for (;;) {
        for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
            int length = snprintf(to, size, "%s%s", stem, endings[i]);

            if (length > 0 && (size_t)length < size && access(to, R_OK) == 0)
                return true;
        }
        cut = strrchr(stem + folder, '_');
        if (!cut || cut == stem + folder)
            return false;
        *cut = '\0';
    }
}

status load_graph(const char *path, struct strings *strings, struct graph *graph)
{
    const struct reader *reader;
    struct source source;
    status code;

    graph_start(graph, strings);
    code = open_source(path, NULL, &source, &reader);
    if (code == STATUS_OK && !executorch_calls(reader)->graph)
        code = reader_refuse(reader, path, "the ETRecord of a model is wanted here");
    if (code == STATUS_OK)
        code = executorch_calls(reader)->graph(&source, graph);
    input_close(source.input);
    return code;
}

status load_kernels(const char *path, struct strings *strings, struct kernel_log *log)
{
    const struct reader *reader;
    struct source source;
    status code;

    kernel_log_start(log, strings);
    code = open_source(path, NULL, &source, &reader);
    if (code == STATUS_OK && !executorch_calls(reader)->kernels)
        code = reader_refuse(reader, path, "a log of XNNPACK or a kernels.csv is wanted here");
    if (code == STATUS_OK)
        code = executorch_calls(reader)->kernels(&source, log);
    if (code == STATUS_OK && log->losses.rows && log->losses.rows == log->losses.lost)
        code = losses_fail(&log->losses, path, reader->id);
    input_close(source.input);
    return code;
}

/* The graph of the first launch, where its record was given or the same one lies beside `path`; NULL: the launch loads its
 * own. */
static const struct graph *shared_graph(const struct loaded *first, const struct load_options *options,
                                        const char *path)
{
    char beside[sizeof first->etrecord];

    if (!first->has_graph)
        return NULL;
    if (options->etrecord || (load_find_etrecord(path, beside, sizeof beside) && strcmp(beside, first->etrecord) == 0))
        return &first->graph;
    return NULL;
}

/* The record that was given, or the one beside the file. One that was only found may be unusable: then a note says so. */
static status load_record(const char *path, const struct load_options *options, struct strings *strings,
                          struct loaded *loaded)
{
    status code;

    if (options->etrecord)
        snprintf(loaded->etrecord, sizeof loaded->etrecord, "%s", options->etrecord);
    else if (options->no_etrecord || !load_find_etrecord(path, loaded->etrecord, sizeof loaded->etrecord))
        *loaded->etrecord = '\0';
    if (!*loaded->etrecord)
        return STATUS_OK;
    loaded->has_graph = true;
    code = load_graph(loaded->etrecord, strings, &loaded->graph);
    if (code == STATUS_INPUT && !options->etrecord) {
        status_clear();
        loaded_free(loaded);
        *loaded->etrecord = '\0';
        loaded->notes[loaded->note_count++] = "the ETRecord beside the file cannot be read: operators have no source";
        return STATUS_OK;
    }
    return code;
}

static status join_record(const struct load_options *options, struct execution *execution, struct loaded *loaded)
{
    const struct graph *graph = options->graph ? options->graph : loaded->has_graph ? &loaded->graph : NULL;

    return graph ? graph_join(execution, graph, &loaded->join) : STATUS_OK;
}

status load_execution(const char *path, const struct load_options *options, struct strings *strings,
                      struct execution *execution, struct loaded *loaded)
{
    struct source source;
    status code;

    *loaded = (struct loaded){ .reader = NULL };
    execution_start(execution, strings);
    code = open_source(path, options->format, &source, &loaded->reader);
    source.strict = options->strict;
    source.ticks = options->ticks;
    if (code == STATUS_OK && !executorch_calls(loaded->reader)->execution)
        code = reader_refuse(loaded->reader, path, "an ETDump, a timeline or a runner's log is wanted here");
    if (code == STATUS_OK)
        code = executorch_calls(loaded->reader)->execution(&source, execution);
    for (unsigned i = 0; i < source.note_count; i++)
        loaded->notes[loaded->note_count++] = source.notes[i];
    if (code == STATUS_OK && execution->losses.rows && !execution->losses.used)
        code = losses_fail(&execution->losses, path, loaded->reader->id);
    input_close(source.input);
    if (code == STATUS_OK && !options->graph)
        code = load_record(path, options, strings, loaded);
    return code == STATUS_OK ? join_record(options, execution, loaded) : code;
}

status load_next_launch(struct loaded *launches, size_t *count, const char *path, struct load_options load,
                        struct strings *strings, struct execution *execution, const struct graph **graph)
{
    struct loaded *loaded = &launches[*count];
    status code;

    load.graph = *count ? shared_graph(launches, &load, path) : NULL;
    code = load_execution(path, &load, strings, execution, loaded);
    ++*count;
    *graph = load.graph ? load.graph : loaded->has_graph ? &loaded->graph : NULL;
    return code;
}

/* ---- The companion of a profile of inferences ---- */

static void unload_graph(void *loaded)
{
    graph_free(loaded);
    memory_free(loaded);
}

static status load_companion(const struct companion_request *request, void **loaded)
{
    const char *path = settings_get(request->source->settings, "etrecord");
    char beside[4096];
    struct graph *graph;
    status code;

    if (!path && !load_find_etrecord(request->source->path, beside, sizeof beside))
        return STATUS_OK;
    graph = memory_allocate(sizeof *graph);
    if (!graph)
        return status_no_memory("reading a record");
    code = load_graph(path ? path : beside, request->strings, graph);
    if (code == STATUS_OK) {
        *loaded = graph;
        return STATUS_OK;
    }
    unload_graph(graph);
    if (code == STATUS_INPUT && !path) {
        status_clear();
        source_note(request->source, "the ETRecord beside the file cannot be read: operators have no source");
        return STATUS_OK;
    }
    return code;
}

const struct companion executorch_graph_companion = {
    .role = "graph", .option = "etrecord", .load = load_companion, .unload = unload_graph
};
