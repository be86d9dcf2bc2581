/* potential_jobs.c: measured jobs: what they moved by what their program says, what the host does besides, what was estimated. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/number.h"
#include "torq/chain.h"
#include "torq/metrics.h"
#include "torq/potential_engines.h"

/* A job of the program by what a log says of it. */
struct known_job {
    int64_t start_action, wait_action; /* ids; -1: none */
    const struct program_job *job;     /* of the program */
    double bytes;                      /* of all its transfers; NAN: one of them is not known, or there are none */
    int64_t estimate;                  /* cycles; NO_CYCLES: none */
};

struct jobs {
    const struct potential_torq *input; /* what is looked at */
    struct potential *potential;        /* what is filled */
    struct known_job *known;            /* sorted by actions */
    uint32_t *places;                   /* by index of the job: its place among the known ones */
    size_t count;                       /* of them */
    size_t untold;                      /* jobs of the log that are no single job of the program */
    double measured, estimated;         /* ns of those with an estimate */
    size_t with_estimate;               /* jobs of the log */
    const struct traffic_job *worst;    /* the one that is furthest above its estimate */
    double worst_above, worst_estimate; /* ns of that one */
};

static int64_t action_id(const struct program *program, uint32_t action)
{
    return action == NO_ID ? -1 : program_action(program, action)->id;
}

static int by_actions(const void *one, const void *other)
{
    const struct known_job *a = one, *b = other;

    if (a->start_action != b->start_action)
        return a->start_action < b->start_action ? -1 : 1;
    if (a->wait_action != b->wait_action)
        return a->wait_action < b->wait_action ? -1 : 1;
    return 0;
}

static void add_bytes(struct jobs *jobs, const double *by_job)
{
    for (size_t i = 0; i < jobs->count; i++)
        jobs->known[i].bytes = by_job[jobs->known[i].job->index] > 0 ? by_job[jobs->known[i].job->index] : NAN;
}

/* The jobs of the program, sorted by what a log says of them, with the bytes of the transfers that they start. */
static status know_jobs(struct jobs *jobs)
{
    const struct program *program = jobs->input->program;
    double *by_job;

    if (!program)
        return STATUS_OK;
    jobs->known = memory_allocate((program->jobs.count + 1) * sizeof *jobs->known);
    jobs->places = memory_allocate((program->jobs.count + 1) * sizeof *jobs->places);
    by_job = memory_allocate_clear((program->jobs.count + 1) * sizeof *by_job);
    if (!jobs->known || !jobs->places || !by_job) {
        memory_free(by_job);
        return status_no_memory("looking at jobs");
    }
    for (uint32_t i = 0; i < program->jobs.count; i++) {
        const struct program_job *job = program_job(program, i);
        bool timed = job->start != NO_CYCLES && job->end != NO_CYCLES && job->end > job->start;

        jobs->known[jobs->count++] = (struct known_job){
            .start_action = action_id(program, job->start_action),
            .wait_action = action_id(program, job->wait_action),
            .job = job,
            .estimate = timed ? job->end - job->start : NO_CYCLES,
        };
    }
    for (uint32_t i = 0; i < program->units.count; i++) {
        const struct program_unit *unit = program_unit(program, i);

        if (engine_group(unit->engine) == GROUP_TRANSFER)
            by_job[unit->job] = unit->bytes < 0 ? NAN : by_job[unit->job] + (double)unit->bytes;
    }
    add_bytes(jobs, by_job);
    memory_free(by_job);
    if (jobs->count)
        qsort(jobs->known, jobs->count, sizeof *jobs->known, by_actions);
    for (size_t i = 0; i < jobs->count; i++)
        jobs->places[jobs->known[i].job->index] = (uint32_t)i;
    return STATUS_OK;
}

/* The first job of the program with these actions. */
static size_t first_with(const struct jobs *jobs, const struct known_job *key)
{
    size_t low = 0, high = jobs->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (by_actions(&jobs->known[middle], key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* As the reader joined it, by the dispatch that the log names. Where it could not, by its actions: dispatches number those anew, so
 * where several jobs fit and differ, none is taken. */
static const struct known_job *find_job(struct jobs *jobs, const struct traffic_job *job)
{
    struct known_job key = { .start_action = job->start_action, .wait_action = job->wait_action };
    const struct known_job *found = NULL;

    if (job->job) {
        assert(jobs->known && job->job->index < jobs->count);
        return &jobs->known[jobs->places[job->job->index]];
    }
    for (size_t i = first_with(jobs, &key); i < jobs->count && by_actions(&jobs->known[i], &key) == 0; i++) {
        const struct known_job *known = &jobs->known[i];

        if (known->job->name && known->job->name != job->name)
            continue;
        if (found && (found->estimate != known->estimate ||
                      !(found->bytes == known->bytes || (isnan(found->bytes) && isnan(known->bytes)))))
            return NULL;
        found = known;
    }
    return found;
}

/* ---- Items ---- */

static void compare_estimate(struct jobs *jobs, const struct traffic_job *job, const struct known_job *known)
{
    const struct clock *cycles = &jobs->input->cycles;
    double measured = potential_ns(jobs->potential, job->ticks), estimated;

    if (known->estimate == NO_CYCLES)
        return;
    estimated = (double)known->estimate * (double)cycles->numerator / (double)cycles->denominator * (double)job->count;
    jobs->with_estimate++;
    jobs->measured += measured;
    jobs->estimated += estimated < measured ? estimated : measured;
    if (!jobs->worst || measured - estimated > jobs->worst_above) {
        jobs->worst = job;
        jobs->worst_above = measured - estimated;
        jobs->worst_estimate = estimated;
    }
}

static void add_job(struct jobs *jobs, const struct traffic_job *job)
{
    const struct potential_torq *input = jobs->input;
    const struct known_job *known = find_job(jobs, job);
    struct potential_item *item = potential_add_item(jobs->potential);
    const struct op *about = job->op == NO_ID ? NULL : &busy_operator(input->busy, job->op)->op;

    if (!item)
        return;
    item->name = potential_say(jobs->potential, "%s", strings_text(input->strings, job->name));
    item->engine = item->kind = torq_engine_job.title;
    item->place =
        about && about->name ? potential_say(jobs->potential, "%s", strings_text(input->strings, about->name)) : NULL;
    item->steady = true;
    item->ticks = job->ticks;
    item->count = job->count;
    jobs->untold += !known && input->program;
    if (!known)
        return;
    if (!isnan(known->bytes))
        item->bytes = known->bytes * (double)job->count;
    compare_estimate(jobs, job, known);
}

/* ---- Parts ---- */

enum { NPU = 1, HOST = 2, COPY = 4 };

struct shares {
    int64_t npu, both, host, copy; /* both: the host works while the NPU does; host, copy: while it does not */
};

static void add_stretch(void *context, uint64_t active, int64_t start, int64_t end)
{
    struct shares *shares = context;
    int64_t *part = !(active & NPU) ? (active & HOST ? &shares->host : &shares->copy)
                    : active == NPU ? &shares->npu
                                    : &shares->both;

    *part += end - start;
}

static int set_of(const struct engine *engine)
{
    switch (engine_group(engine)) {
    case GROUP_JOB:
    case GROUP_TRANSFER:
    case GROUP_COMPUTE:
        return 0;
    case GROUP_HOST:
        return engine == &torq_engine_host_copy ? 2 : 1;
    default:
        return -1;
    }
}

static status find_shares(const struct potential_torq *input, struct shares *shares)
{
    struct intervals merged[3] = { INTERVALS_EMPTY, INTERVALS_EMPTY, INTERVALS_EMPTY };
    const struct intervals *sets[3] = { &merged[0], &merged[1], &merged[2] };
    status code = STATUS_OK;

    *shares = (struct shares){ 0, 0, 0, 0 };
    for (size_t i = 0; i < input->busy->tracks.count && code == STATUS_OK; i++) {
        const struct busy_track *track = busy_track(input->busy, (track_id)i);
        int set = set_of(track->track.engine);

        if (track->kept && track->process == input->process && set >= 0)
            code = intervals_add_all(&merged[set], &track->set);
    }
    for (unsigned i = 0; i < 3 && code == STATUS_OK; i++)
        code = intervals_settle(&merged[i]);
    if (code == STATUS_OK)
        intervals_sweep(sets, 3, add_stretch, shares);
    for (unsigned i = 0; i < 3; i++)
        intervals_free(&merged[i]);
    return code;
}

static void add_parts(struct potential *potential, const struct shares *shares, int64_t whole)
{
    potential_add_part(potential, "accelerator only", shares->npu);
    potential_add_part(potential, "accelerator and host", shares->both);
    potential_add_part(potential, "host programs only", shares->host);
    potential_add_part(potential, "host copies only", shares->copy);
    potential_add_part(potential, "idle", whole - shares->npu - shares->both - shares->host - shares->copy);
}

/* ---- Chances ---- */

static void add_chance(struct potential *potential, const char *what, const char *about, const char *bound,
                       const char *evidence, double time, double saves)
{
    potential_add_chance(potential, (struct potential_chance){
                                        .what = what,
                                        .about = about,
                                        .bound = bound,
                                        .evidence = evidence,
                                        .time = time,
                                        .saves = saves,
                                        .share = potential_share(potential, saves),
                                    });
}

static void add_estimate(struct jobs *jobs)
{
    struct potential *potential = jobs->potential;
    double worst;

    if (!jobs->with_estimate || !(jobs->worst_above > 0))
        return;
    worst = potential_ns(potential, jobs->worst->ticks);
    potential_add_chance(
        potential,
        (struct potential_chance){
            .what = "Find out why jobs take longer than the compiler estimated",
            .about = torq_engine_job.title,
            .bound = "if each took what the compiler estimated",
            .evidence = potential_say(
                potential, "%zu jobs take %s where the compiler estimated %s; %s takes %s instead of %s (%.1fx).",
                jobs->with_estimate, potential_say_time(potential, jobs->measured),
                potential_say_time(potential, jobs->estimated), strings_text(jobs->input->strings, jobs->worst->name),
                potential_say_time(potential, worst), potential_say_time(potential, jobs->worst_estimate),
                worst / jobs->worst_estimate),
            .count = jobs->with_estimate,
            .time = jobs->measured,
            .saves = jobs->measured - jobs->estimated,
            .share = potential_share(potential, jobs->measured - jobs->estimated),
        });
}

static void add_chances(struct jobs *jobs, const struct shares *shares)
{
    struct potential *potential = jobs->potential;
    const struct metrics *metrics = jobs->input->metrics;
    double host = potential_ns(potential, shares->host), copy = potential_ns(potential, shares->copy);
    double idle = potential_ns(potential, metrics_ticks(metrics, &metric_idle));

    add_estimate(jobs);
    add_chance(potential, "Bring host programs to the accelerator, or let them run while it works",
               torq_engine_host.title, "if they took no time, or ran while the accelerator works",
               potential_say(potential, "Programs on the host run for %s while the accelerator waits.",
                             potential_say_time(potential, host)),
               potential_ns(potential, metrics_ticks(metrics, &torq_metric_host)), host);
    add_chance(potential, "Copy less on the host, or copy while the accelerator works", torq_engine_host_copy.title,
               "if copies took no time, or ran while the accelerator works",
               potential_say(potential, "The host copies for %s while nothing else works.",
                             potential_say_time(potential, copy)),
               potential_ns(potential, metrics_ticks(metrics, &torq_metric_host_copy)), copy);
    add_chance(
        potential, "Find out what happens between jobs, programs and copies", "idle", "if there were no idle time",
        potential_say(potential, "For %s of %s neither the accelerator nor the host is at work that the log names.",
                      potential_say_time(potential, idle),
                      potential_say_time(potential, potential_ns(potential, potential->whole))),
        idle, idle);
}

static void note_jobs(struct jobs *jobs)
{
    struct potential *potential = jobs->potential;

    if (!jobs->input->program)
        potential_note(potential,
                       "Without the program (--mlir FILE) neither the engines nor the bytes of a job are known.");
    else
        potential_note(
            potential,
            "A log does not say when inside a job an engine ran: the rate of a job is that of all its transfers over "
            "all of "
            "its time, so that they ran at least as fast; whether they were hidden behind computing is not known. The "
            "compiler's own profile of the program (*.mlir, timeline CSV) tells more.");
    if (jobs->untold)
        potential_note(potential,
                       "%zu job%s of the log cannot be told apart in the program, or %s not in it: no bytes, no "
                       "estimate.",
                       jobs->untold, jobs->untold == 1 ? "" : "s", jobs->untold == 1 ? "is" : "are");
}

static status fill(struct jobs *jobs)
{
    const struct potential_torq *input = jobs->input;
    struct shares shares;
    status code = know_jobs(jobs);

    if (code == STATUS_OK)
        code = find_shares(input, &shares);
    if (code != STATUS_OK)
        return code;
    for (size_t i = 0; i < input->traffic->jobs.count; i++)
        add_job(jobs, traffic_job(input->traffic, i));
    potential_add_shares(jobs->potential, input, 1u << GROUP_HOST, NULL);
    code = potential_settle(jobs->potential);
    if (code != STATUS_OK)
        return code;
    add_parts(jobs->potential, &shares, jobs->potential->whole);
    add_chances(jobs, &shares);
    note_jobs(jobs);
    return potential_rank(jobs->potential);
}

status potential_add_jobs(struct potential *potential, const struct potential_torq *input)
{
    struct jobs jobs = { .input = input, .potential = potential };
    status code = fill(&jobs);

    memory_free(jobs.known);
    memory_free(jobs.places);
    return code;
}
