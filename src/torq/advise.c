/* advise.c: what `tacho advise` does with profiles of Torq: reads one, lets the rules look, and hands on the work under its roofs. */
#include <assert.h>
#include <math.h>

#include "analyze/breakdown.h"
#include "base/command_word.h"
#include "base/memory.h"
#include "base/path.h"
#include "job/advise.h"
#include "torq/advise_model.h"
#include "torq/chain.h"
#include "torq/companions.h"

/* One profile, read and added up. */
struct engines {
    struct session session;           /* with the profile */
    struct counting counting;         /* of its runs */
    struct counted_runs runs;         /* that count */
    struct work work;                 /* of these */
    struct metrics metrics;           /* the same */
    const struct architecture *peaks; /* that the user gave; NULL: none */
    const char *peaks_from;           /* the file that says so */
};

/* ---- Reading ---- */

static status settle_work(struct engines *engines)
{
    int64_t start = engines->metrics.start, ticks = metrics_ticks(&engines->metrics, &metric_overall);

    return work_settle(&engines->work, runs_windows(&engines->runs), (struct interval){ start, start + ticks });
}

static status read_engines(struct engines *engines, const struct job *job)
{
    const char *path = job->inputs.items[0];
    struct tee tee = { .all = { .count = 0 } };
    struct profile *profile;
    struct feed feed;
    status code = session_add(&engines->session, path, path_name(path));

    if (code != STATUS_OK)
        return code;
    profile = engines->session.profiles;
    work_start(&engines->work, engines->session.strings, profile->reader->kind == READER_MEASURED);
    code = counting_start(&engines->counting, job->runs, job->warmup, false, engines->session.strings);
    if (code == STATUS_OK)
        code = tee_add(&tee, counting_sink(&engines->counting));
    if (code == STATUS_OK)
        code = tee_add(&tee, work_sink(&engines->work));
    feed_start(&feed, tee_sink(&tee), engines->session.strings);
    if (code == STATUS_OK) {
        work_listen(&engines->work, &profile->source);
        code = session_read(&engines->session, profile, &feed);
    }
    if (code == STATUS_OK)
        code = counting_take(&engines->counting, profile, &engines->runs, &engines->metrics);
    if (code == STATUS_OK)
        code = settle_work(engines);
    feed_free(&feed);
    tee_free(&tee);
    return code;
}

/* ---- Work under roofs ---- */

static double given_rate(const struct engines *engines, const struct engine *engine)
{
    double rate = engines->peaks ? architecture_gigabytes(engines->peaks, engine->key) : NAN;

    if (isnan(rate) && engines->peaks && (engine == &torq_engine_cdma_dtcm || engine == &torq_engine_cdma_itcm))
        rate = architecture_gigabytes(engines->peaks, "cdma");
    return rate;
}

/* By index of a job: the bytes of the transfers that it starts, by its program; NAN: one of them is not known. */
static status find_job_bytes(const struct program *program, double **bytes)
{
    *bytes = program ? memory_allocate_clear((program->jobs.count + 1) * sizeof **bytes) : NULL;
    if (program && !*bytes)
        return status_no_memory("looking at jobs");
    for (uint32_t i = 0; program && i < program->units.count; i++) {
        const struct program_unit *unit = program_unit(program, i);

        if (engine_group(unit->engine) == GROUP_TRANSFER)
            (*bytes)[unit->job] += unit->bytes < 0 ? NAN : (double)unit->bytes;
    }
    return STATUS_OK;
}

static void add_kind(struct advised *advised, const struct engines *engines, const struct torq_model *model,
                     const double *job_bytes, uint32_t index)
{
    const struct work_kind *kind = work_kind(model->work, index);
    const struct track *track = work_track(model->work, kind);
    struct advice *advice = &advised->advice;
    struct advice_row row = torq_kind_row(advice, model, index, 0, 0);
    struct roof_item *item = roofs_add_item(&advised->roofs);
    const char *op = torq_operator_name(model, kind->op), *place = torq_operator_place(model, kind->op);
    double rate = given_rate(engines, track->engine);

    if (!item)
        return;
    item->engine = item->kind = advice_say(advice, "%s", breakdown_engine(track, model->metrics, model->strings));
    if (kind->class != WORK_JOB)
        item->label = advice_say(advice, "%s: %s", item->engine, row.name);
    else if (op)
        item->label = advice_say(advice, "%s: %s", strings_text(model->strings, kind->name), op);
    item->name =
        advice_say(advice, "%s", kind->class == WORK_JOB ? strings_text(model->strings, kind->name) : row.name);
    if (place || op || row.location)
        item->place = advice_say(advice, "%s", place ? place : op ? op : row.location);
    item->steady = true;
    item->ticks = kind->ticks;
    item->count = kind->count;
    if (kind->job && job_bytes && job_bytes[kind->job->index] > 0)
        item->bytes = job_bytes[kind->job->index] * (double)kind->count;
    /* Bytes of some transfers over the time of all would be no rate. */
    if (kind->class > WORK_CDMA || kind->bytes <= 0 || kind->unsized)
        return;
    item->bytes = (double)kind->bytes;
    item->memory = roofs_peak(&advised->roofs, item->engine, true, PROVEN_BY_SMALLER, rate,
                              isnan(rate) ? NULL : engines->peaks_from);
}

static status add_roofs(struct advised *advised, const struct engines *engines, const struct torq_model *model)
{
    double *job_bytes;
    status code = find_job_bytes(model->program, &job_bytes);

    roofs_start(&advised->roofs, model->metrics->clock, model->metrics->runs);
    advised->roofs.whole = metrics_ticks(model->metrics, &metric_overall);
    advised->roofs.transfers = true;
    for (uint32_t i = 0; i < model->work->kinds.count && code == STATUS_OK; i++)
        if (work_kind(model->work, i)->class <= WORK_COPY && work_kind(model->work, i)->ticks > 0)
            add_kind(advised, engines, model, job_bytes, i);
    memory_free(job_bytes);
    return code == STATUS_OK ? roofs_settle(&advised->roofs) : code;
}

/* ---- Sentences ---- */

/* Options that commands in items need to say the same of the profile. */
static const char *const options[] = { "mlir", "original-mlir", "source-dir", "dispatch", "slices" };

static void say_summary(struct advice *advice, const struct engines *engines, const struct torq_model *model)
{
    const struct profile *profile = &engines->session.profiles[0];
    char sentence[RUNS_SENTENCE];
    bool several = runs_sentence(&engines->runs, sentence);
    const char *files = "";

    advice->subject = advice_say(advice, "%s", profile->display);
    advice->summary = advice_say(advice, "%s: nothing in it has a time.", profile->reader->title);
    if (advice->run_ns > 0)
        advice->summary =
            advice_say(advice, "%s: a run takes %s%s%s%s%s.", profile->reader->title,
                       advice_say_time(advice, advice->run_ns), model->measured ? "" : ", as the compiler estimates",
                       several ? " (" : "", several ? sentence : "", several ? ")" : "");
    advice_word(advice, &advice->every, "input", profile->path);
    for (unsigned i = 0; i < sizeof options / sizeof *options; i++) {
        const char *given = settings_get(profile->source.settings, options[i]);
        const char *word = given ? command_word(&advice->arena, given) : NULL;

        if (word)
            files = advice_say(advice, "%s --%s %s", files, options[i], word);
    }
    advice_text(advice, &advice->every, "files", files);
}

/* What is left over of the run goes to the last part, so that they add up exactly. */
static void add_parts(struct advice *advice, const struct torq_model *model)
{
    static const struct {
        enum work_class class; /* of work */
        const char *name;      /* of its part */
    } classes[] = {
        { WORK_JOB, "accelerator" },
        { WORK_HOST, "host programs only" },
        { WORK_COPY, "host copies only" },
        { WORK_CALL, "calls of the runtime only" },
    };
    double left = advice->run_ns;

    if (!(left > 0))
        return;
    if (!model->measured) {
        advice_part(advice, "computing only", torq_model_ns(model, model->computing));
        advice_part(advice, "computing and moving data", torq_model_ns(model, model->both));
        advice_part(advice, "moving data only", torq_model_ns(model, model->moving));
    }
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        double ns = torq_class_ns(model, classes[i].class);

        if (ns > 0)
            advice_part(advice, classes[i].name, ns);
    }
    for (size_t i = 0; i < advice->part_count; i++)
        left -= advice->parts[i].ns;
    advice_part(advice, advice->unjudged ? "not known" : model->measured ? "nothing at work" : "idle", fmax(0, left));
}

static void note_estimates(struct advice *advice, const struct torq_model *model)
{
    double measured = 0, estimate = 0;
    size_t untold = 0;

    for (size_t i = 0; i < model->timed_count; i++) {
        measured += model->timed[i].measured;
        estimate += model->timed[i].estimate;
    }
    for (size_t i = 0; i < model->work->kinds.count; i++)
        untold += work_kind(model->work, i)->class == WORK_JOB && !work_kind(model->work, i)->job;
    if (!model->program)
        advice_note(advice, "Without the program (--mlir FILE) neither the engines nor the bytes of a job are known.");
    else
        advice_note(
            advice,
            "A log does not say when inside a job an engine ran: the rate of a job is that of all its transfers "
            "over all of its time. The compiler's own profile of the program (*.mlir, timeline CSV) tells "
            "whether they are hidden behind computing.");
    if (model->timed_count)
        advice_note(advice, "%zu job%s %s of a run, %.2fx what the compiler estimated (%s).", model->timed_count,
                    model->timed_count == 1 ? " takes" : "s take", advice_say_time(advice, measured),
                    measured / estimate, advice_say_time(advice, estimate));
    if (model->program && untold)
        advice_note(advice, "%zu job%s of the log %s not in the program: no bytes, no estimate.", untold,
                    untold == 1 ? "" : "s", untold == 1 ? "is" : "are");
    if (model->work->starts_apart)
        advice_note(advice, "A job counts from the end of its NSS_START on: until then it is the runtime that works.");
}

static void note_timeline(struct advised *advised, const struct torq_model *model)
{
    uint64_t unsized = 0;
    bool observed = false;

    for (size_t i = 0; i < model->work->kinds.count; i++) {
        enum work_class class = work_kind(model->work, i)->class;

        if (class == WORK_IN || class == WORK_OUT || class == WORK_CDMA)
            unsized += work_kind(model->work, i)->unsized;
    }
    for (size_t i = 0; i < advised->roofs.peak_count; i++)
        observed |= advised->roofs.peaks[i].observed && advised->roofs.peaks[i].rate > 0;
    advice_note(&advised->advice, "All times are the compiler's estimate.");
    if (unsized)
        advice_note(&advised->advice, "%llu transfer%s no bytes in the file: %s rate is not known.",
                    (unsigned long long)unsized, unsized == 1 ? " has" : "s have", unsized == 1 ? "its" : "their");
    if (observed)
        advice_note(&advised->advice, "Roofs that were observed are the best rates of this profile: the engines can do "
                                      "at least that. Their true peaks can be given by --arch FILE.json.");
}

/* ---- The part ---- */

/* Calls alone say nothing of what they are for. */
static bool is_judged(const struct torq_model *model)
{
    for (size_t i = 0; i < model->work->kinds.count; i++)
        if (work_kind(model->work, i)->class < WORK_CALL && work_kind(model->work, i)->ticks)
            return true;
    return false;
}

static void find(struct advice *advice, const struct torq_model *model)
{
    if (!is_judged(model)) {
        advice->unjudged = model->measured ? "Nothing can be judged: no job, program or copy in it takes any time."
                                           : "Nothing can be judged: no engine in it is known to take any time.";
        return;
    }
    advice_find(advice, (model->measured ? &torq_log_rules : &torq_timeline_rules)->rules, model);
    if (model->measured)
        torq_dominates_log(advice, model);
    else
        torq_dominates_timeline(advice, model);
}

static status fill(struct advised *advised, const struct engines *engines, struct torq_model *model)
{
    struct advice *advice = &advised->advice;
    status code;

    say_summary(advice, engines, model);
    code = torq_model_fill(model, advice);
    if (code == STATUS_OK)
        code = add_roofs(advised, engines, model);
    if (code != STATUS_OK)
        return code;
    find(advice, model);
    add_parts(advice, model);
    if (model->measured)
        note_estimates(advice, model);
    else
        note_timeline(advised, model);
    return advice_settle(advice);
}

static status show_engines(struct job *job, struct engines *engines)
{
    const struct profile *profile = &engines->session.profiles[0];
    const struct clock *clock = &engines->metrics.clock;
    struct advised advised = { .roofs = { .failure = STATUS_OK } };
    struct torq_model model = {
        .work = &engines->work,
        .busy = &engines->counting.busy,
        .process = profile->process,
        .metrics = &engines->metrics,
        .program = torq_program(&profile->source),
        .strings = engines->session.strings,
        .cycles = torq_cycles(&profile->source),
        .measured = profile->reader->kind == READER_MEASURED,
        .slices = torq_slices(&profile->source),
    };
    double tick = (double)clock->numerator / (double)clock->denominator; /* ns; GB/s are bytes in one of these */
    status code;

    for (unsigned i = 0; i < 2; i++)
        model.movers[i].best = fmax(0, given_rate(engines, i ? &torq_engine_dma_out : &torq_engine_dma_in) * tick);
    advice_start(&advised.advice, (double)metrics_ns(&engines->metrics, &metric_overall));
    code = fill(&advised, engines, &model);
    torq_model_free(&model);
    if (code == STATUS_OK)
        return advise_take(job, &advised);
    advised_free(&advised);
    return code;
}

static status run(struct job *job, const void *settings)
{
    struct engines *engines = memory_allocate_clear(sizeof *engines);
    struct architectures architectures = { NULL, 0, 0 };
    status code;

    (void)settings;
    if (!engines)
        return status_no_memory("looking for advice");
    if (job->inputs.count > 1)
        code = status_fail(STATUS_USAGE, "advice on engines takes one profile at a time");
    else
        code = advise_load_peaks(job, &architectures, &engines->peaks);
    engines->peaks_from = advise_settings(job)->architecture;
    work_start(&engines->work, NULL, false);
    if (code == STATUS_OK)
        code = session_start(&engines->session, &job->reading);
    if (code == STATUS_OK)
        code = read_engines(engines, job);
    if (code == STATUS_OK) {
        job_note_profile(job, &engines->session.profiles[0]);
        code = show_engines(job, engines);
    }
    counted_runs_free(&engines->runs);
    counting_free(&engines->counting);
    work_free(&engines->work);
    session_end(&engines->session);
    architectures_free(&architectures);
    memory_free(engines);
    return code;
}

static bool accepts(const struct reader *reader)
{
    return reader->chain == &torq_chain;
}

const struct verb_part torq_advise_part = {
    .verb = "advise",
    .accepts = accepts,
    .reads = PART_CLOCK,
    .about = "engines of an accelerator (Torq)",
    .run = run,
};
