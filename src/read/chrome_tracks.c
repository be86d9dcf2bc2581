/* chrome_tracks.c: what is announced before the first slice: groups and lines in the order that the file asks for, and runs. */
#include <assert.h>
#include <stdlib.h>

#include "base/format.h"
#include "base/memory.h"
#include "read/chrome_tell.h"

/* ---- Order -------------------------------------------------------------------------------------------------------- */

/* A process or thread by the index that it is to be sorted by; equal ones as they came. */
struct ranked {
    int64_t sort;   /* by this first */
    uint32_t place; /* then by this */
};

static int by_rank(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;

    if (a->sort != b->sort)
        return a->sort < b->sort ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

/* ---- Lines of a thread -------------------------------------------------------------------------------------------- */

static status add_line(struct tell_thread *thread, const struct engine *engine, bool pairs)
{
    struct tell_line *grown;

    for (uint32_t i = 0; i < thread->line_count; i++)
        if (thread->lines[i].engine == engine)
            return STATUS_OK;
    grown = memory_resize(thread->lines, (thread->line_count + 1) * sizeof *grown);
    if (!grown)
        return status_no_memory("keeping the lines of a thread");
    thread->lines = grown;
    grown[thread->line_count++] =
        (struct tell_line){ .engine = engine, .track = NO_ID, .pairs = pairs || engine->nested };
    return STATUS_OK;
}

/* The engines that events of a thread are of. */
static status find_lines(struct chrome_telling *telling, uint32_t place)
{
    const struct chrome_thread *found = chrome_thread_at(telling->trace, place);
    const struct chrome_rules *rules = &telling->trace->rules;
    struct tell_thread *thread = &telling->threads[place];
    status code = STATUS_OK;

    for (uint32_t i = 0; i < found->seen_count && code == STATUS_OK; i++) {
        rule_set fit = found->seen[i] & thread->fit;

        code = add_line(thread, chrome_engine(telling->trace, chrome_rule(rules, fit)), found->pairs);
        /* Sets that were not told apart: any of them may be the first of some event. */
        for (; i == CHROME_SETS_SEEN - 1 && fit && code == STATUS_OK; fit &= fit - 1)
            code = add_line(thread, chrome_engine(telling->trace, chrome_rule(rules, fit)), found->pairs);
    }
    if (code == STATUS_OK && !thread->line_count)
        code = add_line(thread, found->engine ? found->engine : &engine_thread, found->pairs);
    return code;
}

static status name_thread(struct chrome_telling *telling, const struct chrome_thread *thread, string_id *name)
{
    struct strings *strings = telling->feed->strings;
    struct text tid = strings_get(strings, thread->tid);
    bool number = tid.length && tid.length <= 20;

    for (size_t i = 0; i < tid.length; i++)
        number &= (tid.data[i] >= '0' && tid.data[i] <= '9') || tid.data[i] == '-';
    *name = thread->name ? thread->name : thread->tid;
    return thread->name || !(number || !tid.length) ? STATUS_OK
                                                    : strings_add_format(strings, name, "thread %s", tid.data);
}

static status announce_thread(struct chrome_telling *telling, uint32_t place, int32_t rank)
{
    const struct chrome_thread *found = chrome_thread_at(telling->trace, place);
    struct tell_thread *thread = &telling->threads[place];
    struct track track = { .parent = chrome_process_at(telling->trace, found->process)->track,
                           .order = rank,
                           .clock = telling->clock,
                           .kind = TRACK_SLICES,
                           .index = place };
    status code = name_thread(telling, found, &track.name);

    if (code == STATUS_OK)
        code = find_lines(telling, place);
    if (code == STATUS_OK && thread->line_count > 1) {
        track.kind = TRACK_GROUP;
        track.clock = NO_ID;
        code = feed_track(telling->feed, track, &track.parent);
        track.kind = TRACK_SLICES;
        track.clock = telling->clock;
    }
    for (uint32_t i = 0; i < thread->line_count && code == STATUS_OK; i++) {
        track.engine = thread->lines[i].engine;
        if (thread->line_count > 1) {
            track.order = track.engine->order;
            code = strings_add_text(telling->feed->strings, track.engine->title, &track.name);
        }
        if (code == STATUS_OK)
            code = feed_track(telling->feed, track, &thread->lines[i].track);
    }
    return code;
}

/* ---- Processes ---------------------------------------------------------------------------------------------------- */

/* "python3 GPU 0 [0]": name, labels, and the number, where it is one. */
static status name_process(struct chrome_telling *telling, const struct chrome_process *process, string_id *name)
{
    struct strings *strings = telling->feed->strings;
    const char *pid = strings_text(strings, process->pid), *labels = strings_text(strings, process->labels);

    if (!process->name && !process->labels)
        return strings_add_format(strings, name,
                                  *pid >= '0' && *pid <= '9' ? "process %s"
                                  : *pid                     ? "%s"
                                                             : "process",
                                  pid);
    return strings_add_format(strings, name, *pid ? "%s%s%s [%s]" : "%s%s%s", strings_text(strings, process->name),
                              process->name && *labels ? " " : "", labels, pid);
}

static bool has_events(const struct chrome_telling *telling, uint32_t place)
{
    const struct chrome_process *process = chrome_process_at(telling->trace, place);

    return process->spans.events || process->counters.events || process->track != NO_ID;
}

static status announce_process(struct chrome_telling *telling, uint32_t place, int32_t rank)
{
    struct chrome_process *process = chrome_process_at(telling->trace, place);
    struct track track = { .parent = telling->feed->root, .order = rank, .clock = NO_ID, .kind = TRACK_GROUP };
    status code = name_process(telling, process, &track.name);

    return code == STATUS_OK ? feed_track(telling->feed, track, &process->track) : code;
}

static status announce_processes(struct chrome_telling *telling, struct ranked *ranks)
{
    struct chrome_trace *trace = telling->trace;
    uint32_t count = 0;
    status code = STATUS_OK;

    for (uint32_t i = 0; i < trace->threads.count; i++)
        if (chrome_thread_at(trace, i)->drawn)
            chrome_process_at(trace, chrome_thread_at(trace, i)->process)->track = 0;
    for (uint32_t i = 0; i < trace->processes.count; i++)
        if (has_events(telling, i))
            ranks[count++] = (struct ranked){ chrome_process_at(trace, i)->sort, i };
    if (count)
        qsort(ranks, count, sizeof *ranks, by_rank);
    for (uint32_t i = 0; i < count && code == STATUS_OK; i++)
        code = announce_process(telling, ranks[i].place, (int32_t)i);
    return code;
}

static status announce_threads(struct chrome_telling *telling, struct ranked *ranks)
{
    struct chrome_trace *trace = telling->trace;
    uint32_t count = 0;
    status code = STATUS_OK;

    for (uint32_t i = 0; i < trace->threads.count; i++) {
        const struct chrome_thread *thread = chrome_thread_at(trace, i);
        const struct chrome_process *process = chrome_process_at(trace, thread->process);

        telling->threads[i].fit = chrome_rules_of_line(&trace->rules, strings_get(telling->feed->strings, thread->name),
                                                       strings_get(telling->feed->strings, process->name),
                                                       strings_get(telling->feed->strings, process->labels));
        if (thread->drawn)
            ranks[count++] = (struct ranked){ thread->sort, i };
    }
    if (count)
        qsort(ranks, count, sizeof *ranks, by_rank);
    for (uint32_t i = 0; i < count && code == STATUS_OK; i++)
        code = announce_thread(telling, ranks[i].place, (int32_t)(i < INT32_MAX ? i : INT32_MAX));
    return code;
}

/* ---- Runs --------------------------------------------------------------------------------------------------------- */

int tell_compare_steps(const void *left, const void *right)
{
    const struct chrome_step *a = left, *b = right;

    if (a->process != b->process)
        return a->process < b->process ? -1 : 1;
    return (a->start > b->start) - (a->start < b->start);
}

static status order_steps(struct chrome_telling *telling)
{
    const struct chrome_trace *trace = telling->trace;

    telling->steps = memory_allocate((trace->steps.count + 1) * sizeof *telling->steps);
    if (!telling->steps)
        return status_no_memory("keeping runs");
    for (size_t i = 0; i < trace->steps.count; i++) {
        const struct chrome_step *step = column_at(&trace->steps, i);
        const struct producer_rule *rule = chrome_rule(&trace->rules, step->fit & telling->threads[step->thread].fit);

        if (rule && rule->role == ROLE_RUN)
            telling->steps[telling->step_count++] = *step;
    }
    if (telling->step_count)
        qsort(telling->steps, telling->step_count, sizeof *telling->steps, tell_compare_steps);
    return STATUS_OK;
}

/* The last of the runs that began by then; NULL: none. */
static struct chrome_step *step_at(struct chrome_step *steps, size_t count, int64_t time)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (steps[middle].start <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &steps[low - 1] : NULL;
}

static bool is_before(const struct chrome_launch *launch, const struct chrome_step *first)
{
    return !launch || launch->time < first->start;
}

/* When the device was done with `left` pieces of work that were launched before the first run, in a step that is not in the file: they are none of its
 * work. On each line of a device they are over before the first piece of a run is, which ends at `earliest`. */
static int64_t find_begin(const struct chrome_trace *trace, const struct chrome_step *first, size_t left,
                          int64_t earliest)
{
    int64_t begin = first->start;

    for (size_t i = 0; i < trace->work.count && left; i++) {
        const struct chrome_work *work = column_at(&trace->work, i);

        if (!is_before(chrome_find_launch(trace, work->correlation), first))
            continue;
        left--;
        if (work->end > begin && work->end < earliest)
            begin = work->end;
    }
    return begin;
}

/* A run lasts until the last work that was launched in it is done; the next one begins there, if it did not begin later. Gives when the first one begins. */
static int64_t find_ends(const struct chrome_trace *trace, struct chrome_step *steps, size_t count)
{
    int64_t earliest = INT64_MAX;
    size_t left = 0;

    assert(count);
    for (size_t i = 0; i < count; i++) {
        int64_t most = i + 1 < count ? steps[i + 1].start : trace->last;

        steps[i].host_end = steps[i].host_end < most ? steps[i].host_end : most;
        steps[i].end = steps[i].host_end;
    }
    for (size_t i = 0; i < trace->work.count; i++) {
        const struct chrome_work *work = column_at(&trace->work, i);
        const struct chrome_launch *launch = chrome_find_launch(trace, work->correlation);
        struct chrome_step *step;

        if (is_before(launch, &steps[0])) {
            left++;
            continue;
        }
        earliest = work->end < earliest ? work->end : earliest;
        step = step_at(steps, count, launch->time);
        if (step && launch->time < step->host_end && work->end > step->end)
            step->end = work->end;
    }
    return earliest == INT64_MAX ? steps[0].start : find_begin(trace, &steps[0], left, earliest);
}

/* The runs of one process, one behind the other. */
static status announce_runs(struct chrome_telling *telling, struct chrome_step *steps, size_t count, uint32_t launch)
{
    int64_t before = find_ends(telling->trace, steps, count);
    bool numbered = true;
    status code = STATUS_OK;

    for (size_t i = 0; i < count; i++)
        numbered &=
            steps[i].number >= 0 && steps[i].number <= UINT32_MAX - 1 && (!i || steps[i].number > steps[i - 1].number);
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        int64_t start = steps[i].start > before ? steps[i].start : before;
        struct run run = { .launch = launch,
                           .index = (uint32_t)(numbered ? (uint64_t)steps[i].number : i),
                           .clock = telling->clock,
                           .start = start - telling->origin,
                           .end = (steps[i].end > start ? steps[i].end : start) - telling->origin };

        before = run.end + telling->origin;
        code = feed_run(telling->feed, &run);
        steps[i].run = run.id;
    }
    return code;
}

/* Which of the runs, that are in order now, are of which process; those of a producer are announced with that. */
static status share_runs(struct chrome_telling *telling, bool own)
{
    uint32_t launch = 0;
    status code = STATUS_OK;

    telling->only_steps = NO_ID;
    for (size_t i = 0, end; i < telling->step_count && code == STATUS_OK; i = end) {
        struct chrome_process *process = chrome_process_at(telling->trace, telling->steps[i].process);

        for (end = i; end < telling->step_count && telling->steps[end].process == telling->steps[i].process; end++)
            ;
        process->first_run = (uint32_t)i;
        process->runs = (uint32_t)(end - i);
        telling->only_steps = launch ? NO_ID : telling->steps[i].process;
        code = own ? STATUS_OK : announce_runs(telling, telling->steps + i, end - i, launch);
        launch++;
    }
    return code;
}

static status announce_all_runs(struct chrome_telling *telling)
{
    status code = tell_settle_own(telling);
    bool own = telling->trace->own[CHROME_OWN_RUNS].count > 0;

    if (code == STATUS_OK)
        code = own ? tell_own_runs(telling) : order_steps(telling);
    if (code == STATUS_OK)
        code = share_runs(telling, own);
    return code == STATUS_OK ? tell_own_steps(telling) : code;
}

run_id tell_run_at(const struct chrome_telling *telling, uint32_t process, int64_t time)
{
    const struct chrome_process *found = chrome_process_at(telling->trace, process);
    const struct chrome_step *step;

    if (!found->runs && telling->only_steps != NO_ID)
        found = chrome_process_at(telling->trace, telling->only_steps);
    step = step_at(telling->steps + found->first_run, found->runs, time);
    return step && time < step->host_end ? step->run : NO_ID;
}

/* ---- All ---------------------------------------------------------------------------------------------------------- */

static int by_correlation(const void *left, const void *right)
{
    const struct chrome_launch *a = left, *b = right;

    if (a->correlation != b->correlation)
        return a->correlation < b->correlation ? -1 : 1;
    return (a->time > b->time) - (a->time < b->time);
}

static int by_time(const void *left, const void *right)
{
    const struct chrome_derivative *a = left, *b = right;

    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return (a->time > b->time) - (a->time < b->time);
}

static void order_launches(struct chrome_trace *trace)
{
    if (trace->derivative_count)
        qsort(trace->derivatives, trace->derivative_count, sizeof *trace->derivatives, by_time);
    for (size_t i = 1; i < trace->launch_count; i++) {
        if (trace->launches[i].correlation <= trace->launches[i - 1].correlation) {
            qsort(trace->launches, trace->launch_count, sizeof *trace->launches, by_correlation);
            return;
        }
    }
}

/* Traces have no times before 0: those of a file that does begin at its first one. */
static status note_origin(struct chrome_telling *telling)
{
    char time[FORMAT_SIZE];
    string_id note;
    status code;

    if (!telling->origin)
        return STATUS_OK;
    format_duration(time, -telling->origin);
    code = strings_add_format(telling->feed->strings, &note, "times begin %s before 0: all are told from there", time);
    if (code == STATUS_OK)
        source_note(telling->trace->source, strings_text(telling->feed->strings, note));
    return code;
}

static status announce_clock(struct chrome_telling *telling)
{
    struct clock clock = { .numerator = 1, .denominator = 1 };
    status code = strings_add_text(telling->feed->strings, "nanoseconds", &clock.name);

    if (code == STATUS_OK)
        code = note_origin(telling);
    return code == STATUS_OK ? feed_clock(telling->feed, &clock, &telling->clock) : code;
}

status tell_announce(struct chrome_telling *telling)
{
    const struct chrome_trace *trace = telling->trace;
    size_t most = trace->processes.count > trace->threads.count ? trace->processes.count : trace->threads.count;
    struct ranked *ranks = memory_allocate((most + 1) * sizeof *ranks);
    status code = ranks ? announce_clock(telling) : status_no_memory("ordering threads");

    order_launches(telling->trace);
    if (code == STATUS_OK)
        code = announce_processes(telling, ranks);
    if (code == STATUS_OK)
        code = announce_threads(telling, ranks);
    if (code == STATUS_OK)
        code = announce_all_runs(telling);
    column_free(&telling->trace->work);
    memory_free(ranks);
    return code;
}
