#include "executorch/timeline_files.h"

#include <stdio.h>
#include <string.h>

#include "base/output.h"
#include "base/path.h"
#include "executorch/original/timeline.h"
#include "job/session.h"

struct job {
    const struct timeline_request *request;
    const struct timeline *timeline;
    struct timeline_result *result;
    char prefix[TIMELINE_PATH]; /* folder, stem, variant */
};

static bool cut_end(char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);

    if (length <= tail || strcmp(text + length - tail, end) != 0)
        return false;
    text[length - tail] = '\0';
    return true;
}

static status make_prefix(struct job *job)
{
    const char *dump = job->request->dump;
    const char *folder = job->request->out_dir;
    char stem[512];
    const char *variant;
    int length;

    text_copy(stem, sizeof stem, path_stem(dump));
    variant = cut_end(stem, "_xtrace") ? "xtrace" : "exec";
    if (folder)
        length = snprintf(job->prefix, sizeof job->prefix, "%s/%s_%s", folder, stem, variant);
    else
        length =
            snprintf(job->prefix, sizeof job->prefix, "%.*s%s_%s", (int)(path_name(dump) - dump), dump, stem, variant);
    if (length < 0 || (size_t)length >= sizeof job->prefix)
        return status_fail(STATUS_USAGE, "%s: the path of the output would be too long", dump);
    return STATUS_OK;
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

static status write_one(struct job *job, const char *name, const char *suffix, write_file write, uint32_t run_index)
{
    struct timeline_result *result = job->result;
    char *path = result->files[result->file_count];
    struct output *output;
    int length = snprintf(path, TIMELINE_PATH, "%s_%s%s", job->prefix, name, suffix);
    status code;

    if (length < 0 || length >= TIMELINE_PATH)
        return status_fail(STATUS_USAGE, "%s: the path of the output would be too long", job->request->dump);
    code = output_open(path, &output);
    if (code != STATUS_OK)
        return code;
    code = output_finish(output, write(job->timeline, run_index, output));
    result->file_count += code == STATUS_OK;
    return code;
}

static status write_pair(struct job *job, const char *name, uint32_t run_index, write_file csv, write_file json)
{
    status code = write_one(job, name, ".csv", csv, run_index);

    return code == STATUS_OK && job->request->json ? write_one(job, name, ".json", json, run_index) : code;
}

static status write_all(struct job *job)
{
    char name[64];
    status code;

    if (job->request->all_runs) {
        code = write_pair(job, "all_runs_timeline", TIMELINE_ALL, timeline_csv, timeline_json);
        if (code == STATUS_OK)
            code = write_pair(job, "run0_timeline", 0, timeline_csv, timeline_json);
    } else {
        snprintf(name, sizeof name, "run%u_timeline", job->request->run_index);
        code = write_pair(job, name, job->request->run_index, timeline_csv, timeline_json);
    }
    return code == STATUS_OK ? write_pair(job, "ops_stats", 0, stats_csv, stats_json) : code;
}

status timeline_files_write(const struct timeline_request *request, const struct execution *execution,
                            const struct graph *graph, struct timeline_result *result)
{
    struct job job = { .request = request, .result = result };
    char model[512];
    struct timeline_options options = { .model_id = request->model_id, .extra = request->extra, .graph = graph };
    struct timeline *timeline = NULL;
    status code = make_prefix(&job);

    result->file_count = 0;
    text_copy(model, sizeof model, path_stem(request->dump));
    if (!options.model_id)
        options.model_id = model;
    if (code == STATUS_OK)
        code = timeline_new(execution, &options, &timeline);
    if (code == STATUS_OK) {
        job.timeline = timeline;
        result->rows = timeline_rows(timeline);
        result->inferences = execution_inferences(execution);
        code = write_all(&job);
    }
    timeline_free(timeline);
    return code;
}
