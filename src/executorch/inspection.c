/* inspection.c: measures the experiments of a run directory, ties them to graph and kernels, and compares them. */
#include "executorch/inspection.h"

#include <assert.h>
#include <math.h>

#include "base/memory.h"
#include "base/text.h"

bool inspected_has_operators(const struct inspected *item)
{
    return item->measurement.operator_source != RUN_SOURCE_NONE && item->measurement.operators.sums.count;
}

bool inspected_is_summed(const struct inspected *item)
{
    return item->measurement.operator_source == RUN_SOURCE_OPS_STATS;
}

const struct inspected_pair *inspection_pair(const struct inspection *inspection)
{
    return inspection->pair_count ? &inspection->pairs[0] : NULL;
}

const struct inspected *inspection_subject(const struct inspection *inspection)
{
    const struct inspected *best = NULL;

    if (inspection->pair_count)
        return inspection->pairs[0].candidate;
    for (size_t i = 0; i < inspection->count; i++) {
        const struct inspected *item = &inspection->items[i];
        bool better = best && ((inspected_has_operators(item) && !inspected_has_operators(best)) ||
                               (item->plain.runs && !best->plain.runs && !inspected_has_operators(best)));

        if (!best || better)
            best = item;
    }
    return best;
}

const char *inspected_title(const struct inspected_pair *pair, const struct inspected *item)
{
    assert(!pair || item == pair->candidate || item == pair->baseline || item->entry->label);
    if (pair && pair->sme2)
        return item == pair->candidate ? "SME2-On" : "SME2-Off";
    return item->entry->label;
}

/* ---- latencies --------------------------------------------------------------------------------------------------- */

/* Over all runs: which of them count is not known yet. */
static status find_plain(struct inspected *item)
{
    struct plain_latency *plain = &item->plain;
    double *ms;
    status code = measurement_latencies(&item->measurement, &ms, &plain->runs);

    if (code != STATUS_OK || !plain->runs)
        return code;
    statistics_sort(ms, plain->runs);
    plain->all_median = statistics_median(ms, plain->runs);
    memory_free(ms);
    return STATUS_OK;
}

/* The same without warm-up. */
static void count_plain(struct inspected *item)
{
    const struct latency_summary *latency = item->latency;

    if (!latency)
        return;
    item->plain.runs = latency->runs;
    item->plain.median = latency->quantiles[0];
    item->plain.mean = latency->mean;
    item->plain.least = latency->least;
    item->plain.most = latency->most;
    item->plain.deviation = isnan(latency->deviation) ? 0 : latency->deviation;
}

static struct latency_side side_of(const struct inspected *item)
{
    return (struct latency_side){ item->entry->label, item->measurement.launches.times.items,
                                  item->measurement.launches.times.count };
}

/* ---- kernels ----------------------------------------------------------------------------------------------------- */

static const struct run_entry *owner_of(const struct rundir *rundir, const struct run_file *file)
{
    for (size_t i = 0; i < rundir->entry_count; i++)
        for (size_t j = 0; j < rundir->entries[i].file_count; j++)
            if (&rundir->entries[i].files[j] == file)
                return &rundir->entries[i];
    return NULL;
}

static struct inspected_kernels *find_kernels(struct inspection *inspection, const struct run_file *file)
{
    for (size_t i = 0; i < inspection->kernel_count; i++)
        if (inspection->kernels[i].file == file)
            return &inspection->kernels[i];
    return NULL;
}

/* Loads a file unless it was loaded before; one that cannot be read is noted and counts as none. */
static status load_file(struct inspection *inspection, const struct run_file *file, struct inspected_kernels **found)
{
    struct inspected_kernels *kernels = find_kernels(inspection, file);
    status code;

    *found = kernels;
    if (kernels)
        return STATUS_OK;
    assert(inspection->kernel_count < 2 * (inspection->rundir.entry_count + 1));
    kernels = &inspection->kernels[inspection->kernel_count];
    *kernels = (struct inspected_kernels){ .file = file, .entry = owner_of(&inspection->rundir, file) };
    code = load_kernels(file->path, inspection->strings, &kernels->log);
    if (code == STATUS_OK && kernels->log.kernels.count + kernels->log.uses.count) {
        const struct losses *losses = &kernels->log.losses;

        inspection->kernel_count++;
        *found = kernels;
        return losses->lost ? rundir_note(&inspection->rundir, "%s: %llu of its %llu rows cannot be read", file->shown,
                                          (unsigned long long)losses->lost, (unsigned long long)losses->rows)
                            : STATUS_OK;
    }
    kernel_log_free(&kernels->log);
    if (code == STATUS_OK)
        return rundir_note(&inspection->rundir, "%s: no kernel is named in it", file->shown);
    if (code != STATUS_INPUT)
        return code;
    code = rundir_note(&inspection->rundir, "%s", status_message());
    status_clear();
    return code;
}

/* A log says more than a table that was made from it. */
static status find_log(struct inspection *inspection, struct inspected *item)
{
    static const enum run_role roles[] = { RUN_XNNTRACE, RUN_KERNELS };
    status code = STATUS_OK;

    for (size_t i = 0; i < sizeof roles / sizeof *roles && code == STATUS_OK && !item->kernels; i++) {
        const struct run_file *file = rundir_kernel_file(&inspection->rundir, item->entry, roles[i]);

        if (file)
            code = load_file(inspection, file, &item->kernels);
    }
    if (code == STATUS_OK && item->kernels && inspected_has_operators(item))
        item->kernel_operators = operators_add_kernels(&item->measurement.operators, &item->kernels->log);
    return code;
}

/* ---- experiments ------------------------------------------------------------------------------------------------- */

static status load_record(struct inspection *inspection)
{
    status code;

    if (!inspection->rundir.etrecord)
        return STATUS_OK;
    code = load_graph(inspection->rundir.etrecord, inspection->strings, &inspection->graph);
    inspection->has_graph = true;
    if (code != STATUS_INPUT)
        return code;
    graph_free(&inspection->graph);
    inspection->has_graph = false;
    code = rundir_note(&inspection->rundir, "%s", status_message());
    status_clear();
    return code;
}

static status inspect(struct inspection *inspection, struct run_entry *entry, const struct inspection_options *options)
{
    struct measure_options measure = {
        .ticks = options->ticks,
        .rules = options->rules,
        .graph = inspection->has_graph ? &inspection->graph : NULL,
        .strict = options->strict,
        .force_companion = options->force_companion,
        .model = options->different_models ? NULL : &inspection->model,
        .warmup = options->warmup,
    };
    struct inspected *item = &inspection->items[inspection->count++];
    status code;

    *item = (struct inspected){ .entry = entry };
    code = measure_entry(&inspection->rundir, entry, &measure, inspection->strings, &item->measurement);
    if (code == STATUS_OK)
        code = find_plain(item);
    return code == STATUS_OK ? find_log(inspection, item) : code;
}

static bool has_something(const struct inspected *item)
{
    return item->plain.runs || inspected_has_operators(item) || item->kernels;
}

static status fail_empty(const struct rundir *rundir)
{
    bool traces = rundir->entry_count && rundir->entries[0].trace;

    return status_fail(STATUS_INPUT,
                       "%s: nothing to report: no ETDump, timeline, operator statistics, runner's log or metrics.json "
                       "with latencies%s%s%s",
                       rundir->path, traces ? "; tacho kernels reads logs of kernels alone" : "",
                       rundir->note_count ? "; " : "", rundir->note_count ? rundir->notes[0] : "");
}

static status inspect_all(struct inspection *inspection, const struct inspection_options *options)
{
    struct rundir *rundir = &inspection->rundir;
    size_t most = rundir->entry_count + 1;
    bool any = false;
    status code = load_record(inspection);

    inspection->items = memory_allocate_clear(most * sizeof *inspection->items);
    inspection->kernels = memory_allocate_clear(2 * most * sizeof *inspection->kernels);
    if (code != STATUS_OK)
        return code;
    if (!inspection->items || !inspection->kernels)
        return status_no_memory("reading a run directory");
    for (size_t i = 0; i < rundir->entry_count && code == STATUS_OK; i++)
        if (!rundir->entries[i].trace)
            code = inspect(inspection, &rundir->entries[i], options);
    /* That all launches failed is something to report, too. */
    for (size_t i = 0; i < inspection->count && code == STATUS_OK; i++)
        any |= has_something(&inspection->items[i]) || inspection->items[i].entry->failed;
    return code == STATUS_OK && !any ? fail_empty(rundir) : code;
}

/* ---- pairs ------------------------------------------------------------------------------------------------------- */

static struct inspected *item_of(const struct inspection *inspection, uint32_t entry)
{
    for (size_t i = 0; i < inspection->count; i++)
        if (inspection->items[i].entry == &inspection->rundir.entries[entry])
            return &inspection->items[i];
    return NULL;
}

static bool names_sme2(const struct inspected *item)
{
    return text_find_any_case(text_of(item->entry->name), "sme2") != NULL;
}

static status compare(struct inspected_pair *pair, struct inspected *one, struct inspected *other)
{
    struct latency_side baseline = side_of(one), candidate = side_of(other);
    struct latency_options options = LATENCY_DEFAULTS;
    status code = STATUS_OK;

    /* Both sides alike: the most that one of them states. */
    options.warmup = measurement_warmup(&one->measurement);
    if (measurement_warmup(&other->measurement) > options.warmup)
        options.warmup = measurement_warmup(&other->measurement);
    pair->baseline = one;
    pair->candidate = other;
    pair->sme2 = names_sme2(pair->baseline) && names_sme2(pair->candidate) &&
                 run_switch(pair->baseline->entry->name) < 0 && run_switch(pair->candidate->entry->name) > 0;
    pair->operators = (struct operators_pair){
        .first = &pair->candidate->measurement.operators,
        .second = &pair->baseline->measurement.operators,
        .first_label = inspected_title(pair, pair->candidate),
        .second_label = inspected_title(pair, pair->baseline),
    };
    if (pair->baseline->plain.runs && pair->candidate->plain.runs) {
        pair->has_latency = true;
        code = latency_compare(&baseline, &candidate, &options, &pair->comparison);
        one->latency = one->latency ? one->latency : &pair->comparison.baseline;
        other->latency = other->latency ? other->latency : &pair->comparison.candidate;
    }
    /* A sum over a type is no counterpart of a single operator. */
    if (code == STATUS_OK && inspected_has_operators(one) && inspected_has_operators(other) &&
        inspected_is_summed(one) == inspected_is_summed(other)) {
        pair->has_operators = true;
        code = operators_pair_match(&pair->operators);
    }
    return code;
}

static status compare_all(struct inspection *inspection, const struct inspection_options *options)
{
    struct run_pair *pairs;
    size_t count;
    status code = rundir_pairs(&inspection->rundir, options->baseline, options->candidate, &pairs, &count);

    if (code != STATUS_OK)
        return code;
    inspection->pairs = memory_allocate_clear((count + 1) * sizeof *inspection->pairs);
    if (!inspection->pairs)
        return status_no_memory("comparing experiments");
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        struct inspected_pair *pair = &inspection->pairs[inspection->pair_count];
        struct inspected *baseline = item_of(inspection, pairs[i].baseline);
        struct inspected *candidate = item_of(inspection, pairs[i].candidate);

        if (!baseline || !candidate || !has_something(baseline) || !has_something(candidate))
            continue;
        inspection->pair_count++;
        pair->label = pairs[i].label;
        code = compare(pair, baseline, candidate);
    }
    return code;
}

/* Those that are in no pair. */
static status summarise_rest(struct inspection *inspection)
{
    struct latency_options options = LATENCY_DEFAULTS;
    status code = STATUS_OK;

    for (size_t i = 0; i < inspection->count && code == STATUS_OK; i++) {
        struct inspected *item = &inspection->items[i];
        struct latency_side side = side_of(item);

        if (!item->plain.runs || item->latency)
            continue;
        options.warmup = measurement_warmup(&item->measurement);
        code = latency_summarise(&side, &options, &item->alone);
        item->latency = &item->alone;
    }
    for (size_t i = 0; i < inspection->count && code == STATUS_OK; i++)
        count_plain(&inspection->items[i]);
    return code;
}

status inspection_open(struct inspection *inspection, const char *path, const struct inspection_options *options)
{
    status code;

    assert(path && options);
    *inspection = (struct inspection){ 0 };
    same_model_start(&inspection->model);
    code = rundir_open(&inspection->rundir, path);
    if (code != STATUS_OK)
        return code;
    inspection->strings = strings_new();
    if (!inspection->strings)
        return status_no_memory("reading a run directory");
    code = inspect_all(inspection, options);
    if (code == STATUS_OK)
        code = compare_all(inspection, options);
    return code == STATUS_OK ? summarise_rest(inspection) : code;
}

void inspection_free(struct inspection *inspection)
{
    for (size_t i = 0; i < inspection->pair_count; i++) {
        if (inspection->pairs[i].has_latency)
            latency_comparison_free(&inspection->pairs[i].comparison);
        operators_pair_free(&inspection->pairs[i].operators);
    }
    for (size_t i = 0; i < inspection->count; i++) {
        measurement_free(&inspection->items[i].measurement);
        latency_summary_free(&inspection->items[i].alone);
    }
    for (size_t i = 0; i < inspection->kernel_count; i++)
        kernel_log_free(&inspection->kernels[i].log);
    if (inspection->has_graph)
        graph_free(&inspection->graph);
    same_model_free(&inspection->model);
    memory_free(inspection->pairs);
    memory_free(inspection->items);
    memory_free(inspection->kernels);
    strings_free(inspection->strings);
    rundir_free(&inspection->rundir);
}
