/* advise_log.c: rules about measured logs: jobs over their estimate, programs, copies and calls of the host, gaps. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "torq/advise_model.h"
#include "torq/chain.h"

static const double OVER = 1.25; /* times its estimate and the ratio of all others: jobs differ by less for no reason */
static const double UNWAITED = 0.1; /* of a job: less is the way from its start to its wait */
enum { OTHERS = 3 };                /* fewer do not say what is usual */

/* ---- Jobs beside their estimates ---- */

static double ratio_of(const struct torq_timed *timed)
{
    return timed->measured / timed->estimate;
}

static int by_ratio(const void *one, const void *other)
{
    const struct torq_timed *a = one, *b = other;

    if (ratio_of(a) != ratio_of(b))
        return ratio_of(a) < ratio_of(b) ? -1 : 1;
    return (a->kind > b->kind) - (a->kind < b->kind);
}

/* How measured times of all but one compare with the estimates: half of the estimated time is below that, half above. `sums` are those of
 * the estimates up to each. */
static double ratio_of_others(const struct torq_model *model, const double *sums, size_t own)
{
    double left = model->timed[own].estimate, half = (sums[model->timed_count - 1] - left) / 2;
    size_t low = 0, high = model->timed_count - 1;

    if (model->timed_count <= OTHERS)
        return NAN;
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (sums[middle] - (own <= middle ? left : 0) < half)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == own)
        low = own + 1 < model->timed_count ? own + 1 : own - 1;
    return ratio_of(&model->timed[low]);
}

static status compare_jobs(struct torq_model *model)
{
    double *sums = memory_allocate((model->timed_count + 1) * sizeof *sums);

    if (!sums)
        return status_no_memory("comparing jobs");
    qsort(model->timed, model->timed_count, sizeof *model->timed, by_ratio);
    for (size_t i = 0; i < model->timed_count; i++)
        sums[i] = model->timed[i].estimate + (i ? sums[i - 1] : 0);
    for (size_t i = 0; i < model->timed_count; i++)
        model->timed[i].others = ratio_of_others(model, sums, i);
    memory_free(sums);
    return STATUS_OK;
}

status torq_fill_timed(struct torq_model *model)
{
    const struct clock *cycles = &model->cycles;

    model->timed = memory_allocate((model->work->kinds.count + 1) * sizeof *model->timed);
    if (!model->timed)
        return status_no_memory("comparing jobs");
    for (uint32_t i = 0; i < model->work->kinds.count; i++) {
        const struct work_kind *kind = work_kind(model->work, i);
        const struct program_job *job = kind->job;

        if (!job || !kind->count || !kind->ticks || job->start == NO_CYCLES || job->end == NO_CYCLES ||
            job->end <= job->start)
            continue;
        model->timed[model->timed_count++] = (struct torq_timed){
            .kind = i,
            .measured = torq_model_ns(model, kind->ticks),
            .estimate = (double)(job->end - job->start) * (double)cycles->numerator / (double)cycles->denominator *
                        (double)kind->count / (double)model->metrics->runs,
        };
    }
    return model->timed_count ? compare_jobs(model) : STATUS_OK;
}

/* A job may have ended long before somebody asks for it: then what is logged is not its time. */
static const char *say_unwaited(struct advice *advice, const struct torq_model *model, uint32_t kind)
{
    if (!model->work->starts_apart || (double)model->unwaited[kind] < UNWAITED * (double)model->given[kind])
        return "";
    return advice_say(advice, ", %s of it before anything waits for it",
                      advice_say_time(advice, torq_model_ns(model, model->unwaited[kind])));
}

static void find_over_estimate(struct advice *advice, const struct advice_rule *rule, const void *data)
{
    const struct torq_model *model = data;
    struct advice_item *item = NULL;
    double measured = 0, estimate = 0, worst = 0;

    for (size_t i = 0; i < model->timed_count; i++) {
        const struct torq_timed *timed = &model->timed[i];
        double expected = timed->estimate * fmax(1, timed->others), saves = timed->measured - expected;
        struct advice_row row;

        if (isnan(timed->others) || timed->measured <= OVER * expected)
            continue;
        if (!item)
            item = advice_add(advice, rule);
        row = torq_kind_row(advice, model, timed->kind, timed->measured, saves);
        row.remark = advice_say(advice, "%s%sestimate %s (%.1fx)%s", row.remark ? row.remark : "",
                                row.remark ? ", " : "", advice_say_time(advice, timed->estimate), ratio_of(timed),
                                say_unwaited(advice, model, timed->kind));
        advice_row(advice, item, row);
        advice_claim(advice, item, model->pools[timed->kind], saves);
        measured += timed->measured;
        estimate += timed->estimate;
        if (saves > worst) {
            worst = saves;
            advice_factor(advice, item, "others", timed->others);
        }
    }
    if (!item)
        return;
    advice_time(advice, item, "estimate", estimate);
    advice_factor(advice, item, "factor", measured / estimate);
}

/* ---- Calls of the runtime ---- */

/* Time in which a call is all that is logged. */
static void find_calls(struct advice *advice, const struct advice_rule *rule, const void *data)
{
    const struct torq_model *model = data;
    struct advice_item *item = NULL;
    uint64_t count = 0, runs = model->metrics->runs;

    for (uint32_t i = 0; i < model->work->kinds.count; i++) {
        double given = torq_model_ns(model, model->given[i]);

        if (work_kind(model->work, i)->class != WORK_CALL || !(given > 0))
            continue;
        if (!item)
            item = advice_add(advice, rule);
        advice_row(advice, item, torq_kind_row(advice, model, i, given, given));
        advice_claim(advice, item, model->pools[i], given);
        count += work_kind(model->work, i)->count;
    }
    if (item)
        advice_count(advice, item, "calls", (count + runs / 2) / runs);
}

/* ---- What dominates ---- */

/* What bounds a job by its program: which engines it keeps busy the longest. */
static enum advice_bound bound_of(const struct torq_model *model, const struct program_job *job)
{
    int64_t moving[2] = { 0, 0 }, computing[16] = { 0 }, most_moving, most_computing = 0;

    for (uint32_t i = 0; job && i < model->program->units.count; i++) {
        const struct program_unit *unit = program_unit(model->program, i);
        int64_t cycles = unit->start == NO_CYCLES || unit->busy_end == NO_CYCLES ? 0 : unit->busy_end - unit->start;

        if (unit->job != job->index)
            continue;
        if (engine_group(unit->engine) == GROUP_TRANSFER)
            moving[unit->engine == &torq_engine_dma_out] += cycles;
        else
            computing[unit->index % 16] += cycles;
    }
    most_moving = moving[0] > moving[1] ? moving[0] : moving[1];
    for (unsigned i = 0; i < 16; i++)
        most_computing = computing[i] > most_computing ? computing[i] : most_computing;
    return !most_moving && !most_computing ? ADVICE_UNKNOWN
           : most_moving > most_computing  ? ADVICE_TRANSFER
                                           : ADVICE_ARITHMETIC;
}

void torq_dominates_log(struct advice *advice, const struct torq_model *model)
{
    uint32_t longest = NO_ID;
    const struct program_job *job;
    const char *unwaited, *why = NULL;
    struct advice_row row;
    enum advice_bound bound;

    for (uint32_t i = 0; i < model->work->kinds.count; i++)
        if (work_kind(model->work, i)->class == WORK_JOB && model->given[i] > 0 &&
            (longest == NO_ID || model->given[i] > model->given[longest]))
            longest = i;
    if (longest == NO_ID)
        return;
    job = model->program ? work_kind(model->work, longest)->job : NULL;
    row = torq_kind_row(advice, model, longest, torq_model_ns(model, model->given[longest]), 0);
    bound = bound_of(model, job);
    unwaited = say_unwaited(advice, model, longest);
    if (!model->program)
        why = "what bounds it cannot be told without the program (--mlir)";
    if (row.remark || *unwaited)
        why = advice_say(advice, "it is %s%s", row.remark ? row.remark : "a job", unwaited);
    advice_dominates(advice, row, bound, why,
                     bound == ADVICE_TRANSFER     ? "narrower types, or a shape that moves fewer bytes"
                     : bound == ADVICE_ARITHMETIC ? "a smaller shape, a narrower type, or a cheaper operator"
                                                  : NULL);
}

/* ---- The rules ---- */

static const struct advice_rule rules[] = {
    { .id = "host-program",
      .looks_for = "programs on the host for which the accelerator waits",
      .bound = ADVICE_WAITING,
      .title =
          "Bring {first}[ ({place})][ {more}] to the accelerator, or run {rows~it:them} while the accelerator works",
      .evidence = "The host computes {rows:program:programs} for {time} of a run, and the accelerator waits meanwhile.",
      .assumes = "if the host had nothing to compute, or did it while jobs run",
      .ruled_out = "copies and calls of the runtime: they are counted apart",
      .command = "tacho operators {input}[{files}] --by engine",
      .find = torq_find_host_programs },
    { .id = "host-copies",
      .looks_for = "copies by the host while nothing else works",
      .bound = ADVICE_WAITING,
      .title = "Copy less on the host, or while the accelerator works: {first}[ ({place})][ {more}]",
      .evidence = "The host copies for {time} of a run, and nothing else works meanwhile.",
      .assumes = "if jobs read and wrote buffers where they are, or copies ran beside jobs",
      .command = "tacho operators {input}[{files}] --by engine",
      .find = torq_find_host_copies },
    { .id = "idle-between",
      .looks_for = "time in which nothing is at work between two jobs, programs or copies",
      .bound = ADVICE_WAITING,
      .title = "Find out what is waited for {first}[ ({place})][ {more}]",
      .evidence = "For {time} of a run nothing is at work, at {rows:place:places} around jobs, programs and copies.[ "
                  "For {open} of it a call is open whose parts are not logged: the longest lies in {envelope}.][ "
                  "{silent}]",
      .assumes = "if work went on at once",
      .ruled_out = "{host_rows}: they would be logged",
      .command = "tacho convert {input}[{files}] -o log.pb",
      .find = torq_find_gaps },
    { .id = "over-estimate",
      .looks_for = "jobs that take longer than the compiler estimated, by more than all others do",
      .bound = ADVICE_UNKNOWN,
      .title = "Find out why {first}[ ({place})][ {more}] {rows~takes:take} longer than estimated",
      .evidence = "{rows:job takes:jobs take} {time} of a run where the compiler estimated {estimate} ({factor}); the "
                  "other jobs take {others} of theirs.",
      .assumes = "if {rows~it:they} compared with the estimate as all other jobs do",
      .ruled_out = "an estimate that is off as a whole: that is in the ratio of the others",
      .command = "tacho convert {input}[{files}] -o log.pb",
      .find = find_over_estimate },
    { .id = "runtime-calls",
      .looks_for = "calls of the runtime while neither the accelerator nor the host computes",
      .bound = ADVICE_LATENCY,
      .title = "Spend less time in calls of the runtime: {first}[ ({place})][ {more}]",
      .evidence = "{calls:call of the runtime takes:calls of the runtime take} {time} of a run, and nothing works "
                  "meanwhile.",
      .assumes = "if work went on without these calls, as it does inside of larger dispatches and jobs",
      .command = "tacho operators {input}[{files}] --by engine",
      .find = find_calls },
    { 0 },
};

const struct advice_rules torq_log_rules = { "logs of the runtime", rules };
