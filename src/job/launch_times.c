/* launch_times.c: how long the runs of each launch took. */
#include "job/launch_times.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/path.h"
#include "job/session.h"

void launch_times_free(struct launch_times *times)
{
    memory_free(times->items);
    memory_free(times->ranks);
    arena_free(&times->arena);
    *times = (struct launch_times){ 0 };
}

status launch_times_new(struct launch_times *times, const char *name, size_t count, double **ms, uint32_t **runs)
{
    status code = memory_grow(&times->items, &times->capacity, times->count + 1, sizeof *times->items);
    const char *copy;

    assert(name && count && ms && runs);
    if (code != STATUS_OK)
        return code;
    copy = arena_copy(&times->arena, name, strlen(name));
    *ms = arena_allocate(&times->arena, count * sizeof **ms, _Alignof(double));
    *runs = arena_allocate(&times->arena, count * sizeof **runs, _Alignof(uint32_t));
    if (!copy || !*ms || !*runs)
        return status_no_memory("reading launches");
    times->items[times->count++] = (struct latency_launch){ .name = copy, .ms = *ms, .runs = *runs, .count = count };
    return STATUS_OK;
}

/* A file with several launches tells them apart by their numbers. */
static status new_launch(struct launch_times *times, const char *path, const struct inference_list *list, size_t at,
                         double **ms, uint32_t **runs)
{
    uint32_t launch = list->items[at].launch;
    bool several = list->items[0].launch != list->items[list->count - 1].launch;
    struct path name = { .text = NULL };
    size_t count = 0;
    status code = several ? path_set(&name, "%s launch %u", path, launch + 1) : path_set(&name, "%s", path);

    while (at + count < list->count && list->items[at + count].launch == launch)
        count++;
    if (code == STATUS_OK)
        code = launch_times_new(times, name.text, count, ms, runs);
    path_free(&name);
    return code;
}

/* The runs of one launch: items of a list from `*at` on. */
static status add_launch(struct launch_times *times, const char *path, const struct counting *counting,
                         const struct inference_list *list, size_t *at, size_t *without_time)
{
    uint32_t launch = list->items[*at].launch;
    size_t count = 0;
    uint32_t *runs;
    double *ms;
    status code = new_launch(times, path, list, *at, &ms, &runs);

    for (; *at < list->count && list->items[*at].launch == launch && code == STATUS_OK; ++*at) {
        const struct inference *run = &list->items[*at];
        double span = clock_span_ms(inferences_clock(&counting->inferences, run), run->end - run->start);

        if (inference_continues(list, *at) && count) {
            ms[count - 1] += span;
            continue;
        }
        ms[count] = span;
        runs[count] = run->index;
        *without_time += run->start == run->end;
        count += run->start < run->end;
    }
    if (code == STATUS_OK)
        times->items[times->count - 1].count = count;
    return code == STATUS_OK && !count
               ? status_fail_at(STATUS_INPUT, (struct place){ .file = path }, "every run of it lasts 0")
               : code;
}

/* An input without any runs is one, from its first start to its last end. */
static status add_whole(struct launch_times *times, const struct counting *counting, const struct profile *profile)
{
    struct metrics metrics;
    uint32_t *runs;
    double *ms;
    status code = profile_metrics(profile, &counting->busy, NULL, &metrics);

    if (code == STATUS_OK)
        code = launch_times_new(times, profile->path, 1, &ms, &runs);
    if (code != STATUS_OK)
        return code;
    *ms = clock_span_ms(&metrics.clock, metrics_ticks(&metrics, &metric_overall));
    *runs = 0;
    return STATUS_OK;
}

status launch_times_add(struct launch_times *times, struct counting *counting, const struct profile *profile,
                        size_t *without_time)
{
    struct inference_list list;
    status code = inferences_of(&counting->inferences, profile->process, profile->path, &list);

    *without_time = code == STATUS_OK ? list.empty : 0;
    if (code == STATUS_OK && !list.count)
        return profile->source.failed ? STATUS_OK : add_whole(times, counting, profile);
    for (size_t at = 0; at < list.count && code == STATUS_OK;)
        code = add_launch(times, profile->path, counting, &list, &at, without_time);
    return code;
}

/* ---- Ranks ---------------------------------------------------------------------------------------------------------- */

static bool has_rank(const struct launch_times *times, unsigned group, size_t launch, uint32_t rank)
{
    for (size_t i = 0; i < times->rank_count; i++)
        if (times->ranks[i].group == group && times->ranks[i].launch == launch && times->ranks[i].rank == rank)
            return true;
    return false;
}

/* The first launch of a group that lacks a rank; `none`: all have it. */
static size_t find_launch(const struct launch_times *times, unsigned group, const struct source *source, size_t none)
{
    for (size_t i = 0; i < times->rank_count; i++)
        if (times->ranks[i].group == group && times->ranks[i].ranks == source->ranks &&
            !has_rank(times, group, times->ranks[i].launch, source->rank))
            return times->ranks[i].launch;
    return none;
}

static int64_t slowest_of(const struct launch_times *times, size_t launch)
{
    int64_t ns = -1;

    for (size_t i = 0; i < times->rank_count; i++)
        if (times->ranks[i].launch == launch && times->ranks[i].ns > ns)
            ns = times->ranks[i].ns;
    return ns;
}

status launch_times_join(struct launch_times *times, unsigned group, const struct profile *profile, int64_t ns,
                         struct launch_join *join)
{
    const struct source *source = &profile->source;
    size_t last = times->count - 1;
    status code;

    assert(times->count && join);
    *join = (struct launch_join){ .was = LAUNCH_NEW, .launch = last };
    if (source->ranks < 2)
        return STATUS_OK;
    join->launch = find_launch(times, group, source, last);
    if (join->launch != last) {
        join->was = ns > slowest_of(times, join->launch) ? LAUNCH_SLOWER : LAUNCH_QUICKER;
        join->replaced = times->items[join->launch].ms;
        if (join->was == LAUNCH_SLOWER)
            times->items[join->launch] = times->items[last];
        times->count--;
    }
    code = memory_grow(&times->ranks, &times->rank_capacity, times->rank_count + 1, sizeof *times->ranks);
    if (code == STATUS_OK)
        times->ranks[times->rank_count++] = (struct launch_rank){
            .group = group, .rank = source->rank, .ranks = source->ranks, .launch = join->launch, .ns = ns
        };
    return code;
}

bool launch_times_ranks(const struct launch_times *times, unsigned group, char to[LAUNCH_SENTENCE])
{
    const struct launch_rank *slowest = NULL;
    size_t files = 0, launches = 0;

    for (size_t i = 0; i < times->rank_count; i++) {
        const struct launch_rank *rank = &times->ranks[i];
        bool seen = false;

        if (rank->group != group)
            continue;
        files++;
        slowest = !slowest || rank->ns > slowest->ns ? rank : slowest;
        for (size_t k = 0; k < i; k++)
            seen |= times->ranks[k].group == group && times->ranks[k].launch == rank->launch;
        launches += !seen;
    }
    if (files == launches)
        return false;
    if (launches == 1)
        snprintf(to, LAUNCH_SENTENCE, "%zu of %u ranks of one launch: a run takes as long as in the slowest, rank %u",
                 files, slowest->ranks, slowest->rank);
    else
        snprintf(to, LAUNCH_SENTENCE, "%zu files are ranks of %zu launches: a run takes as long as in the slowest rank",
                 files, launches);
    return true;
}
