/* timeline_files.c: an execution as timeline files beside its dump or in a folder. */
#include "executorch/timeline_files.h"

#include <assert.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/output.h"
#include "executorch/original/timeline.h"

struct writing {
    const struct timeline_request *request; /* borrowed */
    const struct timeline *timeline;        /* borrowed */
    struct timeline_result *result;         /* borrowed: what is filled */
    struct path prefix;                     /* folder, stem, variant */
};

static status make_prefix(struct writing *writing)
{
    const char *dump = writing->request->dump, *folder = writing->request->out_dir, *variant = "exec";
    struct text stem = path_stem(dump);

    if (stem.length > strlen("_xtrace") && text_cut_end(&stem, "_xtrace"))
        variant = "xtrace";
    if (folder)
        return path_set(&writing->prefix, "%s/%.*s_%s", folder, (int)stem.length, stem.data, variant);
    return path_set(&writing->prefix, "%.*s%.*s_%s", (int)(path_name(dump) - dump), dump, (int)stem.length, stem.data,
                    variant);
}

typedef status (*write_file)(const struct timeline *timeline, uint32_t run_index, struct output *output);

static status stats_csv(const struct timeline *timeline, uint32_t run_index, struct output *output)
{
    (void)run_index;
    return timeline_stats_csv(timeline, output);
}

static status stats_json(const struct timeline *timeline, uint32_t run_index, struct output *output)
{
    (void)run_index;
    return timeline_stats_json(timeline, output);
}

static status write_one(struct writing *writing, const char *name, const char *suffix, write_file write,
                        uint32_t run_index)
{
    struct timeline_result *result = writing->result;
    struct path path = { 0 };
    struct output *output;
    status code = path_set(&path, "%s_%s%s", writing->prefix.text, name, suffix);

    if (code == STATUS_OK)
        code = output_open(path.text, &output);
    if (code == STATUS_OK)
        code = output_finish(output, write(writing->timeline, run_index, output));
    if (code != STATUS_OK) {
        path_free(&path);
        return code;
    }
    assert(result->file_count < TIMELINE_FILES);
    result->files[result->file_count++] = path.text;
    return STATUS_OK;
}

static status write_pair(struct writing *writing, const char *name, uint32_t run_index, write_file csv, write_file json)
{
    status code = write_one(writing, name, ".csv", csv, run_index);

    return code == STATUS_OK && writing->request->json ? write_one(writing, name, ".json", json, run_index) : code;
}

static status write_all(struct writing *writing)
{
    char name[64];
    status code;

    if (writing->request->all_runs) {
        code = write_pair(writing, "all_runs_timeline", TIMELINE_ALL, timeline_csv, timeline_json);
        if (code == STATUS_OK)
            code = write_pair(writing, "run0_timeline", 0, timeline_csv, timeline_json);
    } else {
        snprintf(name, sizeof name, "run%u_timeline", writing->request->run_index);
        code = write_pair(writing, name, writing->request->run_index, timeline_csv, timeline_json);
    }
    return code == STATUS_OK ? write_pair(writing, "ops_stats", 0, stats_csv, stats_json) : code;
}

status timeline_files_write(const struct timeline_request *request, const struct execution *execution,
                            const struct graph *graph, struct timeline_result *result)
{
    struct writing writing = { .request = request, .result = result };
    struct timeline_options options = { .model_id = request->model_id, .extra = request->extra, .graph = graph };
    struct text stem = path_stem(request->dump);
    struct path model = { 0 };
    struct timeline *timeline = NULL;
    status code = make_prefix(&writing);

    assert(!result->file_count);
    assert(request->dump && (execution->order || !execution->events.count));
    if (code == STATUS_OK && !options.model_id) {
        code = path_set(&model, "%.*s", (int)stem.length, stem.data);
        options.model_id = model.text;
    }
    if (code == STATUS_OK)
        code = timeline_new(execution, &options, &timeline);
    if (code == STATUS_OK) {
        writing.timeline = timeline;
        result->rows = timeline_rows(timeline);
        result->inferences = execution_inferences(execution);
        code = write_all(&writing);
    }
    timeline_free(timeline);
    path_free(&model);
    path_free(&writing.prefix);
    return code;
}

void timeline_result_free(struct timeline_result *result)
{
    for (unsigned i = 0; i < result->file_count; i++)
        memory_free(result->files[i]);
    *result = (struct timeline_result){ 0 };
}
