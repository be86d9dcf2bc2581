/* advise.c: tacho advise on models, over one or several launches. */
#include "job/advise.h"
#include "base/memory.h"
#include "executorch/chain.h"
#include "executorch/load.h"
#include "executorch/rules.h"
#include "executorch/same_model.h"

/* The launches of a model, added up. */
struct model {
    struct strings *strings; /* its own pool */
    struct operators side;   /* over all launches */
    struct loaded *loaded;   /* by input: graphs that the side points into */
    size_t count;            /* of these */
    struct path name;        /* of the model */
    struct same_model same;  /* that all launches are of it */
};

struct settings_of_advise {
    bool different_models; /* launches need not be of one model */
};

static const struct option options[] = {
    { "different-models", 0, OPTION_FLAG, offsetof(struct settings_of_advise, different_models), NULL,
      "average dumps of different models" },
    { 0 },
};

static status name_model(struct model *model, const char *path, const struct execution *execution)
{
    struct text stem = path_stem(path);

    if (model->name.length)
        return STATUS_OK;
    if (execution->model)
        return path_set(&model->name, "%s", strings_text(model->strings, execution->model));
    return path_set(&model->name, "%.*s", (int)stem.length, stem.data);
}

static status add_launch(struct job *job, struct model *model, const char *path, struct load_options load)
{
    const struct loaded *loaded = &model->loaded[model->count];
    struct execution execution;
    const struct graph *graph;
    status code = load_next_launch(model->loaded, &model->count, path, load, model->strings, &execution, &graph);

    if (code == STATUS_OK) {
        job_note_losses(job, path, &execution.losses, loaded->notes, loaded->note_count);
        code = name_model(model, path, &execution);
    }
    if (code == STATUS_OK)
        code = operators_add(&model->side, path, &execution, graph, NULL);
    execution_free(&execution);
    return code;
}

static status load_model(struct job *job, const struct settings_of_advise *own, struct model *model)
{
    const struct load_settings settings = { .etrecord = settings_get(&job->reading.settings, "etrecord"),
                                            .ticks = job->reading.ticks,
                                            .format = job->reading.format,
                                            .strict = job->reading.strict,
                                            .force_companion = job->reading.force_companion };
    struct load_options load;
    status code = load_options_of(&settings, &load);

    if (code == STATUS_OK)
        code = warmup_parse(job->warmup, &model->side.warmup);
    load.model = own->different_models ? NULL : &model->same;

    model->loaded = memory_allocate_clear(job->inputs.count * sizeof *model->loaded);
    if (!model->loaded)
        return status_no_memory("loading");
    for (size_t i = 0; i < job->inputs.count && code == STATUS_OK; i++)
        code = add_launch(job, model, job->inputs.items[i], load);
    if (code == STATUS_OK && !model->side.sums.count)
        code = status_fail_at(STATUS_INPUT, (struct place){ .file = job->inputs.items[0] },
                              "it has inferences and no operators; advice needs an ETDump or a timeline of all events");
    return code;
}

static status add_advice(struct job *job, const struct model *model, const struct architecture *peaks)
{
    const struct path *record = &model->loaded[0].etrecord;
    const struct rules_input input = { .side = &model->side,
                                       .name = model->name.text,
                                       .dump = job->inputs.items[0],
                                       .etrecord = record->length ? record->text : NULL,
                                       .peaks = peaks,
                                       .peaks_file = peaks ? advise_settings(job)->architecture : NULL };
    struct advised advised;
    status code = rules_advise(&input, &advised);

    if (code == STATUS_OK)
        return advise_take(job, &advised);
    advised_free(&advised);
    return code;
}

static status run(struct job *job, const void *settings)
{
    struct model model = { .strings = strings_new() };
    struct architectures architectures;
    const struct architecture *peaks;
    status code;

    same_model_start(&model.same);
    if (!model.strings)
        return status_no_memory("starting");
    operators_start(&model.side, model.strings);
    code = advise_load_peaks(job, &architectures, &peaks);
    if (code == STATUS_OK)
        code = load_model(job, settings, &model);
    if (code == STATUS_OK)
        code = add_advice(job, &model, peaks);
    operators_free(&model.side);
    for (size_t i = 0; i < model.count; i++)
        loaded_free(&model.loaded[i]);
    memory_free(model.loaded);
    path_free(&model.name);
    same_model_free(&model.same);
    strings_free(model.strings);
    architectures_free(&architectures);
    return code;
}

/* Of bare inferences there is nothing to say but how long they take, which the core says of any profile. */
static bool accepts(const struct reader *reader)
{
    return executorch_calls(reader)->execution && !executorch_calls(reader)->bare;
}

const struct verb_part executorch_advise_part = {
    .verb = "advise",
    .options = options,
    .settings_size = sizeof(struct settings_of_advise),
    .accepts = accepts,
    .reads = PART_TICKS,
    .about = "inferences (an ETDump, a timeline)",
    .run = run,
};
