/* advise.c: what `tacho advise` does with a profile of a framework: reads it, lets the rules look, and says what a step is made of. */
#include <assert.h>
#include <math.h>

#include "base/memory.h"
#include "gpu/advise_model.h"
#include "gpu/chain.h"
#include "gpu/operators.h"
#include "job/advise.h"

static void say_summary(struct advice *advice, const struct gpu_profile *profile)
{
    const struct profile *input = gpu_profile_of(profile);
    const struct gpu_head *head = profile->head;
    char sentence[RUNS_SENTENCE];
    bool several = runs_sentence(&profile->runs, sentence);
    bool on_device =
        head->device[0] && profile->pieces.work_count; /* files name what is there, also where it was not used */

    advice->subject = advice_say(advice, "%s", input->display);
    advice->summary = advice_say(
        advice, "%s%s%s%s: a run takes %s%s%s%s.", input->reader->title, on_device ? " on " : "",
        on_device ? head->device : "",
        head->distributed ? advice_say(advice, ", rank %u of %u", head->rank, head->ranks) : "",
        advice_say_time(advice, advice->run_ns), several ? " (" : "", several ? sentence : "", several ? ")" : "");
    advice_word(advice, &advice->every, "input", input->path);
}

/* Those that the overview has, as it names them. */
static void add_parts(struct advice *advice, const struct gpu_profile *profile)
{
    const struct metrics *metrics = &profile->metrics;

    for (const struct metric *const *part = metrics->set->parts; *part; part++)
        if (metrics_has(metrics, *part))
            advice_part(advice, metric_name(*part), (double)metrics_ns(metrics, *part));
}

/* ---- Operators under roofs ---- */

static const double MOSTLY = 0.9; /* of the time of an operator: the rate of that part is its rate */

/* What the pieces of one operator add up to. */
struct roof_sum {
    int64_t ns;                      /* of all its work */
    int64_t product;                 /* of these, of products whose sizes are known */
    uint64_t count;                  /* pieces */
    double flops;                    /* of those products */
    double bytes;                    /* of copies */
    int64_t copies;                  /* ns that those took */
    const char *type;                /* that the products are in; NULL: not known */
    string_id kernel;                /* the longest; 0: its work are nodes */
    uint8_t kind;                    /* of that */
    const struct gpu_piece *counted; /* call whose operations were added last: it may launch several kernels */
    int64_t longest;                 /* that it took */
};

static void add_to_roof(const struct pieces *pieces, const struct gpu_piece *work, struct roof_sum *sum)
{
    const struct gpu_piece *around = piece_operator(pieces, work);
    const struct op *op = piece_op(pieces, work);
    struct text kernel = strings_get(pieces->strings, work->name);
    int64_t ns = work->end - work->start;
    double bytes = piece_form(pieces, work)->bytes, flops = NAN;

    sum->ns += ns;
    sum->count++;
    if (op && op->shapes && gpu_product_type(kernel))
        flops = gpu_product_flops(strings_get(pieces->strings, op->name), strings_get(pieces->strings, op->shapes));
    if (flops > 0) {
        sum->flops += around != sum->counted ? flops : 0;
        sum->counted = around;
        sum->product += ns;
        sum->type = gpu_product_type(kernel);
    }
    if (bytes > 0 && work->kind == GPU_COPY) {
        sum->bytes += bytes;
        sum->copies += ns;
    }
    if (ns >= sum->longest) {
        sum->longest = ns;
        sum->kernel = piece_is_work(work) ? work->name : 0;
        sum->kind = work->kind;
    }
}

static void add_roof(struct advised *advised, const struct gpu_model *model, const struct op *op,
                     const struct roof_sum *sum)
{
    const struct strings *strings = model->pieces->strings;
    struct advice *advice = &advised->advice;
    struct roof_item *item = roofs_add_item(&advised->roofs);
    double peak = model->chip && sum->type ? architecture_gflops(model->chip, sum->type) * 1e9 : NAN;
    struct text kind = kernel_short_name(strings_get(strings, sum->kernel ? sum->kernel : op ? op->type : 0));
    string_id place = op ? op->place ? op->place : op->location : 0;

    if (!item)
        return;
    item->name = advice_say(advice, "%s", op ? strings_text(strings, op->name) : "(no operator)");
    item->kind = advice_say(advice, "%.*s", (int)kind.length, kind.data);
    item->engine = sum->kernel ? gpu_short_kernel(advice, item->kind) : sum->kind == GPU_NODE ? "CPU" : "provider";
    if (place || (op && op->module))
        item->place = advice_say(advice, "%s", strings_text(strings, place ? place : op->module));
    item->ticks = sum->ns;
    item->count = sum->count;
    item->steady = true;
    if (sum->flops > 0 && (double)sum->product > MOSTLY * (double)sum->ns) {
        item->flops = sum->flops;
        item->arithmetic = roofs_peak(&advised->roofs, sum->type, false, PROVEN_BY_SMALLER, peak,
                                      isnan(peak) ? NULL : model->chip->name);
    }
    if (sum->bytes > 0 && (double)sum->copies > MOSTLY * (double)sum->ns)
        item->bytes = sum->bytes;
}

static status add_roofs(struct advised *advised, const struct gpu_model *model)
{
    const struct pieces *pieces = model->pieces;
    size_t count = pieces->operators.count;
    struct roof_sum *sums = memory_allocate_clear((count + 1) * sizeof *sums);

    if (!sums)
        return status_no_memory("looking for advice");
    advised->roofs.whole = metrics_ticks(&model->profile->metrics, &metric_overall);
    advised->roofs.item_name = "Operator";
    for (size_t i = 0; i < pieces->work_count; i++) {
        const struct gpu_piece *work = piece_of_work(pieces, i);

        add_to_roof(pieces, work, &sums[work->op != NO_ID ? work->op : count]);
    }
    for (size_t i = 0; i <= count; i++)
        if (sums[i].count)
            add_roof(advised, model, i < count ? column_at(&pieces->operators, i) : NULL, &sums[i]);
    memory_free(sums);
    return roofs_settle(&advised->roofs);
}

/* ---- The part ---- */

static const double WORTH_A_NOTE = 20; /* percent of a run that pass between two of them */

/* Where inputs are made outside of runs, what passes between these is in no time of one. */
static void note_between(struct advice *advice, const struct gpu_model *model)
{
    const struct pieces *pieces = model->pieces;
    double between = 0;

    for (size_t i = 1; i < pieces->window_count; i++)
        between += (double)(pieces->windows[i].start - pieces->windows[i - 1].end);
    if (pieces->window_count > 1)
        between /= (double)(pieces->window_count - 1);
    if (model->framework->waits_in_run && advice_share(advice, between) >= WORTH_A_NOTE)
        advice_note(advice,
                    "Between two runs pass %s on average, in no time of a run: inputs are made and results used there, "
                    "and nothing of the model runs.",
                    advice_say_time(advice, between));
}

static void add_notes(struct advice *advice, const struct gpu_model *model)
{
    note_between(advice, model);
    if (model->chip)
        advice_note(advice, "Peaks of the device are those of %s in its maker's data sheet.", model->chip->name);
    if (model->profile->runs.source == INFERENCES_NONE)
        advice_note(advice, "The profile names no steps (%s): all of it is one run.", model->framework->run);
}

#define ON_CPU                                                                                                      \
    "What could be saved is not known: the CPU computes all of it, and rules are about devices. This is where its " \
    "time goes."

/* Without a device, what its operators cost the host is what can be told. */
static status look_at_host(struct advised *advised, const struct gpu_model *model)
{
    struct advice *advice = &advised->advice;
    struct gpu_operators operators;
    status code = gpu_operators_fill(&operators, model->profile);

    for (size_t i = 0; i < operators.rows.count && code == STATUS_OK; i++) {
        const struct gpu_operator *row = column_at(&operators.rows, operators.order[i]);
        const char *name = strings_text(model->pieces->strings, row->name);
        struct roof_item *item = roofs_add_item(&advised->roofs);

        if (!i)
            advice_dominates(advice,
                             (struct advice_row){ .name = name,
                                                  .ns = gpu_model_ns(model, (double)row->host_self),
                                                  .saves_ns = NAN,
                                                  .count = (uint64_t)((double)row->count / model->runs + 0.5) },
                             ADVICE_UNKNOWN, "that is its own time on the host, without what it calls", NULL);
        if (item) {
            item->name = advice_say(advice, "%s", name);
            item->ticks = row->host_self;
            item->count = row->count;
        }
    }
    advice->unjudged = operators.rows.count ? "What could be saved is not known: no work of a device is in it. This is "
                                              "where the time of the host goes."
                                            : "Nothing can be judged: no work of a device is in it.";
    gpu_operators_free(&operators);
    return code;
}

static status find(struct advised *advised, const struct gpu_model *model)
{
    bool judged;

    if (!model->pieces->work_count)
        return look_at_host(advised, model);
    gpu_say_framework(&advised->advice, model->framework);
    advice_find(&advised->advice, gpu_rules.rules, model);
    judged = advised->advice.all.count;
    advised->advice.unjudged = model->on_cpu ? ON_CPU : NULL; /* what dominates is said otherwise then */
    gpu_dominates(&advised->advice, model);
    if (judged)
        advised->advice.unjudged = NULL;
    return STATUS_OK;
}

/* ---- Ranks of a job ---- */

/* What is known of the ranks that were read so far. */
struct ranks {
    uint32_t count;     /* of them */
    double least, most; /* ns of a run, of the quickest and the slowest */
    uint64_t seen[16];  /* by number, as far as these go: a bit each */
};

/* Frameworks that tell nodes with their times, and no work of a device. */
static status take_nodes(struct gpu_profile *profile)
{
    profile->nodes = !profile->pieces.work_count;
    return profile->nodes ? pieces_take_nodes(&profile->pieces) : STATUS_OK;
}

static double run_ns(const struct gpu_profile *profile)
{
    return (double)metrics_ns(&profile->metrics, &metric_overall);
}

/* Several files are ranks of one job, each once. */
static status check_rank(struct ranks *ranks, const struct gpu_profile *profile, const struct gpu_profile *first)
{
    const struct gpu_head *head = profile->head;
    uint64_t bit = (uint64_t)1 << head->rank % 64;
    size_t word = head->rank / 64 % (sizeof ranks->seen / sizeof *ranks->seen);

    if (!head->distributed || head->ranks != first->head->ranks)
        return status_fail(STATUS_USAGE, "%s: advice on a GPU takes one profile at a time, or the ranks of one job",
                           gpu_profile_of(profile)->path);
    if (ranks->seen[word] & bit)
        return status_fail(STATUS_USAGE, "%s: rank %u was given before", gpu_profile_of(profile)->path, head->rank);
    ranks->seen[word] |= bit;
    return STATUS_OK;
}

/* Reads all inputs; what stays in `slowest` is the one whose runs take longest: a step of a job lasts as long as that. `other` is room for one more. */
static status read_ranks(struct job *job, struct gpu_profile **slowest, struct gpu_profile **other, struct ranks *ranks)
{
    status code = gpu_profile_read(*slowest, job, job->inputs.items[0]);

    if (code == STATUS_OK)
        code = take_nodes(*slowest);
    if (code == STATUS_OK && job->inputs.count > 1)
        code = check_rank(ranks, *slowest, *slowest);
    if (code != STATUS_OK)
        return code;
    ranks->count = 1;
    ranks->least = ranks->most = run_ns(*slowest);
    for (size_t i = 1; i < job->inputs.count && code == STATUS_OK; i++) {
        code = gpu_profile_read(*other, job, job->inputs.items[i]);
        if (code == STATUS_OK)
            code = check_rank(ranks, *other, *slowest);
        if (code != STATUS_OK)
            break;
        ranks->count++;
        ranks->least = fmin(ranks->least, run_ns(*other));
        if (run_ns(*other) > ranks->most) {
            struct gpu_profile *before = *slowest;

            ranks->most = run_ns(*other);
            *slowest = *other;
            *other = before;
        }
        gpu_profile_free(*other);
        **other = (struct gpu_profile){ 0 };
    }
    return code;
}

static void note_ranks(struct advice *advice, const struct gpu_profile *profile, const struct ranks *ranks)
{
    if (ranks->count > 1)
        advice_note(advice,
                    "These are %u of %u ranks of one job. A step lasts as long as that of the slowest, rank %u (%s), "
                    "which this is about; the "
                    "quickest takes %s.",
                    ranks->count, profile->head->ranks, profile->head->rank, advice_say_time(advice, ranks->most),
                    advice_say_time(advice, ranks->least));
}

static status show(struct job *job, const struct gpu_profile *profile, const struct architecture *peaks,
                   const struct ranks *ranks)
{
    struct advised advised = { .roofs = { .failure = STATUS_OK } };
    struct gpu_model model = { 0 };
    status code;

    advice_start(&advised.advice, (double)metrics_ns(&profile->metrics, &metric_overall));
    roofs_start(&advised.roofs, profile->metrics.clock, profile->metrics.runs);
    say_summary(&advised.advice, profile);
    code = gpu_model_fill(&model, profile, peaks, &advised.advice);
    if (code == STATUS_OK)
        code = find(&advised, &model);
    if (code == STATUS_OK) {
        add_parts(&advised.advice, profile);
        note_ranks(&advised.advice, profile, ranks);
        add_notes(&advised.advice, &model);
        code = advice_settle(&advised.advice);
    }
    if (model.on_cpu && advised.advice.healthy) {
        advised.advice.healthy = false;
        advised.advice.unjudged = ON_CPU;
    }
    if (code == STATUS_OK)
        code = add_roofs(&advised, &model);
    gpu_model_free(&model);
    if (code == STATUS_OK)
        return advise_take(job, &advised);
    advised_free(&advised);
    return code;
}

static status run(struct job *job, const void *settings)
{
    struct gpu_profile *profile = memory_allocate_clear(sizeof *profile);
    struct gpu_profile *other = memory_allocate_clear(sizeof *other);
    struct architectures architectures = { NULL, 0, 0 };
    const struct architecture *peaks = NULL;
    struct ranks ranks = { 0 };
    status code =
        profile && other ? advise_load_peaks(job, &architectures, &peaks) : status_no_memory("looking for advice");

    (void)settings;
    if (code == STATUS_OK)
        code = read_ranks(job, &profile, &other, &ranks);
    if (code == STATUS_OK) {
        job_note_profile(job, gpu_profile_of(profile));
        code = show(job, profile, peaks, &ranks);
    }
    if (profile)
        gpu_profile_free(profile);
    if (other)
        gpu_profile_free(other);
    memory_free(profile);
    memory_free(other);
    architectures_free(&architectures);
    return code;
}

static bool accepts(const struct reader *reader)
{
    return reader == &kineto_reader || reader == &onnxruntime_reader || reader == &xla_trace_reader;
}

const struct verb_part gpu_advise_part = {
    .verb = "advise",
    .accepts = accepts,
    .about = "work of a GPU (PyTorch, ONNX Runtime, XLA)",
    .run = run,
};
