/* compare_launch.c: one launch as numbers: parts, engines and operators of a run. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/compare.h"
#include "analyze/operator_time.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/path.h"

/* ---- parts ----------------------------------------------------------------------------------------------------------- */

enum {
    TRANSFER = 1u << GROUP_TRANSFER,
    COMPUTE = 1u << GROUP_COMPUTE,
    JOB = 1u << GROUP_JOB,
    DEVICE = TRANSFER | COMPUTE | JOB,
    HOST = 1u << GROUP_HOST
};

/* Each moment of a run is in one of these. */
static const struct metric both = { .key = "compute_and_transfer",
                                    .label = "Compute and transfer",
                                    .description = "computing and moving data at once",
                                    .some = { .groups = TRANSFER },
                                    .also = { .groups = COMPUTE } };
static const struct metric compute_only = { .key = "compute_only",
                                            .label = "Compute only",
                                            .description = "computing while nothing moves data",
                                            .some = { .groups = COMPUTE },
                                            .none = { .groups = TRANSFER } };
static const struct metric transfer_only = { .key = "transfer_only",
                                             .label = "Transfer only",
                                             .description = "moving data while nothing computes",
                                             .some = { .groups = TRANSFER },
                                             .none = { .groups = COMPUTE } };
static const struct metric jobs_only = { .key = "jobs_only",
                                         .label = "Jobs, engines not told",
                                         .description = "programs on the accelerator that do not tell their engines",
                                         .some = { .groups = JOB },
                                         .none = { .groups = TRANSFER | COMPUTE } };
static const struct metric host_only = { .key = "host_only",
                                         .label = "Host only",
                                         .description = "work on the host while no device works",
                                         .some = { .groups = HOST },
                                         .none = { .groups = DEVICE } };
static const struct metric runtime_only = { .key = "runtime_only",
                                            .label = "Runtime only",
                                            .description = "inside the runtime, and nothing else works",
                                            .some = { .at_work = true },
                                            .none = { .groups = DEVICE | HOST } };

const struct metric *const compare_parts[] = { &both,      &compute_only, &transfer_only, &jobs_only,
                                               &host_only, &runtime_only, &metric_idle,   NULL };

static const struct metric device_time = { .key = "device", .label = "Device", .some = { .groups = DEVICE } };
static const struct metric host_time = { .key = "host", .label = "Host", .some = { .groups = HOST } };
/* The same where there are devices beside a processor that computes: it is no device then. */
static const struct metric device_alone = { .key = "device",
                                            .label = "Device",
                                            .some = { .groups = DEVICE, .no_processor = true } };
static const struct metric host_computing = { .key = "host",
                                              .label = "Host",
                                              .some = { .groups = HOST, .processor = true } };

/* All that is asked of one sweep. */
struct asked {
    const struct metric *rows[METRIC_MOST];      /* NULL at the end */
    size_t count;                                /* of rows */
    struct metric engines[COMPARE_ENGINES];      /* one for each */
    const struct track *tracks[COMPARE_ENGINES]; /* that an engine was first met on */
    size_t engine_count;                         /* of engines */
};

static void ask(struct asked *asked, const struct metric *metric)
{
    for (size_t i = 0; i < asked->count; i++)
        if (asked->rows[i] == metric)
            return;
    assert(asked->count < METRIC_MOST - 1);
    asked->rows[asked->count++] = metric;
}

/* Numbered ones are told one by one, unless there are thousands. */
static bool is_told_by_index(const struct engine *engine)
{
    return engine->numbered && !engine->few;
}

static bool same_engine(const struct track *one, const struct track *other)
{
    return one->engine == other->engine && (!is_told_by_index(one->engine) || one->index == other->index);
}

static bool knows_engine(const struct track *const *tracks, size_t count, const struct track *track)
{
    for (size_t i = 0; i < count; i++)
        if (same_engine(tracks[i], track))
            return true;
    return false;
}

/* Those that work. */
static void ask_engines(struct asked *asked, const struct compare_source *source)
{
    for (size_t i = 0; i < source->facts.busy->tracks.count && asked->engine_count < COMPARE_ENGINES; i++) {
        const struct busy_track *track = busy_track(source->facts.busy, (track_id)i);

        if (!track->kept || !track->work || track->process != source->facts.process ||
            knows_engine(asked->tracks, asked->engine_count, &track->track))
            continue;
        asked->tracks[asked->engine_count] = &track->track;
        asked->engines[asked->engine_count] = (struct metric){
            .key = track->track.engine->key,
            .some = { .engines = { track->track.engine },
                      .only = is_told_by_index(track->track.engine) ? track->track.index + 1 : 0 },
        };
        ask(asked, &asked->engines[asked->engine_count++]);
    }
}

/* ---- nanoseconds of one run ------------------------------------------------------------------------------------------ */

static void take_parts(const struct metrics *metrics, const struct metric *const *parts, int64_t ns[COMPARE_PARTS])
{
    struct metrics_rounding rounding = { .metrics = metrics };

    for (size_t i = 0; parts && parts[i]; i++) {
        assert(i < COMPARE_PARTS);
        ns[i] = metrics_next_ns(&rounding, metrics_ticks(metrics, parts[i]));
    }
}

/* "Slice 0": an estimate tells apart engines that share a line of a trace. */
static status name_engine(const struct track *track, bool estimated, struct strings *strings, string_id *name)
{
    const char *title = estimated && track->engine->part ? track->engine->part : track->engine->title;

    return is_told_by_index(track->engine) ? strings_add_format(strings, name, "%s %u", title, track->index)
                                           : strings_add_text(strings, title, name);
}

static status take_engines(const struct compare_source *source, const struct asked *asked,
                           const struct metrics *metrics, struct compare_launch *launch)
{
    status code = STATUS_OK;

    launch->engines = memory_allocate_clear((asked->engine_count + 1) * sizeof *launch->engines);
    if (!launch->engines)
        return status_no_memory("comparing");
    for (size_t i = 0; i < asked->engine_count && code == STATUS_OK; i++) {
        struct compare_engine *engine = &launch->engines[launch->engine_count++];

        engine->ns = metrics_ns(metrics, &asked->engines[i]);
        code = name_engine(asked->tracks[i], metrics->estimated, source->strings, &engine->name);
    }
    return code;
}

/* ---- operators --------------------------------------------------------------------------------------------------------- */

/* How often each engine worked for an operator. */
struct seen {
    const struct engine *engines[COMPARE_ENGINES]; /* that did */
    uint64_t slices[COMPARE_ENGINES];              /* pieces of work */
    size_t count;                                  /* of engines */
};

static void look_at(const struct compare_source *source, operator_id op, struct seen *seen)
{
    seen->count = 0;
    for (uint32_t i = operator_first_share(source->facts.busy, op); i != NO_ID;
         i = busy_share(source->facts.busy, i)->next) {
        const struct busy_share *share = busy_share(source->facts.busy, i);
        const struct busy_track *track = busy_track(source->facts.busy, share->track);
        size_t at = 0;

        if (track->process != source->facts.process || !track->work || !share->slices)
            continue;
        while (at < seen->count && seen->engines[at] != track->track.engine)
            at++;
        if (at == COMPARE_ENGINES)
            continue;
        if (at == seen->count) {
            seen->engines[at] = track->track.engine;
            seen->slices[at] = 0;
            seen->count++;
        }
        seen->slices[at] += share->slices;
    }
}

/* The least that there is of engines of some groups; UINT64_MAX: there are none. */
static uint64_t least_of(const struct seen *seen, unsigned groups)
{
    uint64_t least = UINT64_MAX;

    for (size_t i = 0; i < seen->count; i++)
        if (groups >> engine_group(seen->engines[i]) & 1 && seen->slices[i] < least)
            least = seen->slices[i];
    return least;
}

/* A call is a piece of work on the host, and one or more on devices: how often is what there is least of. Only some calls of an operator may fill or copy
 * memory besides. */
static double calls_of(const struct seen *seen, size_t runs)
{
    uint64_t least = least_of(seen, ~(1u << GROUP_TRANSFER));

    return (double)(least < UINT64_MAX ? least : least_of(seen, 1u << GROUP_TRANSFER)) / (double)runs;
}

/* An engine that worked for an operator. */
struct worker {
    const struct track *track; /* one of its lines */
    int64_t ticks;             /* that it did so */
};

static int by_order(const void *left, const void *right)
{
    const struct track *one = ((const struct worker *)left)->track, *other = ((const struct worker *)right)->track;

    if (one->engine->order != other->engine->order)
        return one->engine->order < other->engine->order ? -1 : 1;
    if (one->engine != other->engine)
        return strcmp(one->engine->key, other->engine->key);
    return (one->index > other->index) - (one->index < other->index);
}

/* "DMA In, Slice 0": those that worked for so long. */
static status join_names(const struct compare_source *source, bool estimated, const struct worker *workers,
                         size_t count, int64_t least, string_id *names)
{
    struct path list = { .text = NULL };
    status code = path_set(&list, "%s", "");

    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        string_id name = 0;

        if (workers[i].ticks < least)
            continue;
        code = name_engine(workers[i].track, estimated, source->strings, &name);
        if (code == STATUS_OK && list.text[0])
            code = path_append(&list, ", ");
        if (code == STATUS_OK)
            code = path_append(&list, strings_text(source->strings, name));
    }
    if (code == STATUS_OK)
        code = strings_add_text(source->strings, list.text, names);
    path_free(&list);
    return code;
}

/* In the order of engines, each once. */
static status name_engines(const struct compare_source *source, bool estimated, operator_id id,
                           struct compare_operator *op)
{
    enum { MAINLY = 10 }; /* times shorter than the longest, at most */
    const struct busy *busy = source->facts.busy;
    struct worker workers[COMPARE_ENGINES];
    int64_t longest = 0;
    size_t count = 0;
    status code;

    for (uint32_t i = operator_first_share(busy, id); i != NO_ID; i = busy_share(busy, i)->next) {
        const struct busy_share *share = busy_share(busy, i);
        const struct busy_track *track = busy_track(busy, share->track);
        size_t at = 0;

        if (!track->work || track->process != source->facts.process || !share->slices)
            continue;
        while (at < count && !same_engine(workers[at].track, &track->track))
            at++;
        if (at == COMPARE_ENGINES)
            continue;
        if (at == count)
            workers[count++] = (struct worker){ &track->track, 0 };
        workers[at].ticks = number_add(workers[at].ticks, intervals_length(&share->set));
        longest = workers[at].ticks > longest ? workers[at].ticks : longest;
    }
    if (count)
        qsort(workers, count, sizeof *workers, by_order);
    code = join_names(source, estimated, workers, count, 0, &op->engines);
    return code == STATUS_OK
               ? join_names(source, estimated, workers, count, (longest + MAINLY - 1) / MAINLY, &op->mainly)
               : code;
}

static status list_operators(const struct compare_source *source, bool estimated, struct compare_launch *launch,
                             operator_id *ids)
{
    size_t all = source->facts.busy->operators.count;
    status code = STATUS_OK;

    for (size_t i = 0; i <= all && code == STATUS_OK; i++) {
        operator_id id = i < all ? (operator_id)i : NO_ID;
        struct compare_operator *op = &launch->operators[launch->operator_count];
        struct seen seen;

        look_at(source, id, &seen);
        if (!seen.count)
            continue;
        *op = (struct compare_operator){
            .op = id == NO_ID ? (struct op){ .id = NO_ID } : busy_operator(source->facts.busy, id)->op,
            .calls = calls_of(&seen, source->file_runs),
        };
        op->kernels[0] = op->op.kernel;
        if (id != NO_ID && !op->op.kernel)
            kernel_names_of(source->kernels, id, op->kernels, COMPARE_KERNELS);
        ids[launch->operator_count++] = id;
        code = name_engines(source, estimated, id, op);
    }
    return code;
}

static status take_times(const struct compare_source *source, const struct metrics *metrics,
                         const struct metric *of_device, const operator_id *ids, int64_t *ticks,
                         struct compare_launch *launch)
{
    const struct operator_time time = { .busy = source->facts.busy,
                                        .process = source->facts.process,
                                        .windows = source->facts.windows,
                                        .device_first = source->set->device_first };
    int64_t idle = metrics_ticks(metrics, &metric_idle), whole = metrics_ticks(metrics, &metric_overall);
    struct metrics_rounding own = { .metrics = metrics }, device = { .metrics = metrics };
    status code = operator_own_times(&time, ids, launch->operator_count, ticks);

    for (size_t i = 0; i < launch->operator_count && code == STATUS_OK; i++)
        launch->operators[i].own = metrics_next_ns(&own, ticks[i]);
    launch->between = metrics_next_ns(&own, whole - idle - own.ticks);
    launch->idle = metrics_next_ns(&own, idle);
    if (code == STATUS_OK)
        code = operator_device_times(&time, ids, launch->operator_count, ticks);
    for (size_t i = 0; i < launch->operator_count && code == STATUS_OK; i++)
        launch->operators[i].device = metrics_next_ns(&device, ticks[i]);
    launch->device_between = metrics_next_ns(&device, metrics_ticks(metrics, of_device) - device.ticks);
    assert(code != STATUS_OK || own.ticks == whole);
    return code;
}

static status take_operators(const struct compare_source *source, const struct metrics *metrics,
                             const struct metric *of_device, struct compare_launch *launch)
{
    size_t most = source->facts.busy->operators.count + 1;
    operator_id *ids = memory_allocate(most * sizeof *ids);
    int64_t *ticks = memory_allocate(most * sizeof *ticks);
    status code;

    launch->operators = memory_allocate_clear(most * sizeof *launch->operators);
    code = ids && ticks && launch->operators ? list_operators(source, metrics->estimated, launch, ids)
                                             : status_no_memory("comparing");
    if (code == STATUS_OK)
        code = take_times(source, metrics, of_device, ids, ticks, launch);
    memory_free(ids);
    memory_free(ticks);
    return code;
}

/* ---- counters ---------------------------------------------------------------------------------------------------------- */

const char *const compare_counters[] = {
#define X(name, key) key,
    COMPARE_COUNTER_MAP(X)
#undef X
};

/* Of all runs that count; where these do not have the same, a mean of them would change with how many they are. */
static int64_t one_run(int64_t sum, size_t runs)
{
    return sum > 0 && sum % (int64_t)runs == 0 ? sum / (int64_t)runs : 0;
}

static bool counts_cycles(const struct clock *clock, const struct strings *strings)
{
    struct text name = strings_get(strings, clock->name);

    return text_cut_start(&name, "cycles");
}

static void take_counters(const struct compare_source *source, const struct metrics *metrics,
                          struct compare_launch *launch)
{
    const struct busy *busy = source->facts.busy;
    int64_t bytes = 0, macs = 0;

    for (size_t i = 0; i <= busy->operators.count; i++) {
        operator_id id = i < busy->operators.count ? (operator_id)i : NO_ID;

        for (uint32_t k = operator_first_share(busy, id); k != NO_ID; k = busy_share(busy, k)->next) {
            const struct busy_share *share = busy_share(busy, k);
            const struct busy_track *track = busy_track(busy, share->track);

            if (track->process != source->facts.process || !track->work)
                continue;
            bytes = number_add(bytes, share->bytes);
            macs = number_add(macs, share->macs);
        }
    }
    launch->counters[COMPARE_BYTES] = one_run(bytes, source->file_runs);
    launch->counters[COMPARE_FLOPS] = one_run(number_add(macs, macs), source->file_runs);
    if (!source->facts.measured && counts_cycles(&metrics->clock, source->strings))
        launch->counters[COMPARE_CYCLES] = one_run(metrics_ticks(metrics, &metric_overall), metrics->runs);
}

/* ---- another model ------------------------------------------------------------------------------------------------------ */

/* Work that nothing is known to have launched is an operator of its own. How much there is of that is chance: a device may still be at work of before the
 * profile began. */
static bool is_own_work(const struct compare_operator *op)
{
    return op->kernels[0] && op->kernels[0] == op->op.name;
}

static size_t count_named(const struct compare_launch *launch)
{
    size_t count = 0;

    for (size_t i = 0; i < launch->operator_count; i++)
        count += !is_own_work(&launch->operators[i]);
    return count;
}

status compare_is_another(const struct compare_launch *first, const struct compare_launch *other, bool *another)
{
    size_t one = count_named(first), two = count_named(other), most = one > two ? one : two, least = one + two - most;
    size_t known = 0;
    struct number_map names;
    status code = STATUS_OK;

    *another = least && (most - least) * 4 > most;
    if (!least || *another)
        return STATUS_OK;
    number_map_start(&names);
    for (size_t i = 0; i < first->operator_count && code == STATUS_OK; i++)
        if (!number_map_at(&names, first->operators[i].op.name, 0))
            code = status_no_memory("comparing");
        else
            *number_map_at(&names, first->operators[i].op.name, 0) = 0;
    for (size_t i = 0; i < other->operator_count; i++)
        known +=
            !is_own_work(&other->operators[i]) && number_map_find(&names, other->operators[i].op.name, 0) != MAP_NONE;
    *another = known * 2 < two;
    number_map_free(&names);
    return code;
}

/* ---- all of it --------------------------------------------------------------------------------------------------------- */

static enum compare_place place_of(const struct metric_facts *facts)
{
    enum compare_place place = COMPARE_ON_HOST;

    for (size_t i = 0; i < facts->busy->tracks.count; i++) {
        const struct busy_track *track = busy_track(facts->busy, (track_id)i);
        const struct engine *engine = track->track.engine;

        if (!track->kept || track->process != facts->process || !engine || engine->host ||
            !(1u << engine_group(engine) & DEVICE))
            continue;
        if (!engine->either)
            return COMPARE_ON_DEVICE;
        place = COMPARE_ON_EITHER;
    }
    return place;
}

status compare_launch_take(const struct compare_source *source, struct compare_launch *launch)
{
    struct asked asked = { .count = 0 };
    struct metric_set set = { .rows = asked.rows };
    enum compare_place place = place_of(&source->facts);
    const struct metric *device = place == COMPARE_ON_DEVICE ? &device_alone : &device_time;
    const struct metric *host = place == COMPARE_ON_DEVICE ? &host_computing : &host_time;
    struct metrics metrics;
    status code;

    assert(source->set && source->strings && source->file_runs);
    *launch = (struct compare_launch){ .set = source->set };
    ask(&asked, &metric_overall);
    ask(&asked, device);
    ask(&asked, host);
    for (size_t i = 0; compare_parts[i]; i++)
        ask(&asked, compare_parts[i]);
    for (size_t i = 0; source->set->parts && source->set->parts[i]; i++)
        ask(&asked, source->set->parts[i]);
    ask_engines(&asked, source);
    code = metrics_compute(&source->facts, &set, &metrics);
    if (code != STATUS_OK)
        return code;
    launch->whole = metrics_ns(&metrics, &metric_overall);
    launch->device = metrics_ns(&metrics, device);
    launch->host = metrics_ns(&metrics, host);
    launch->has_device = metrics_has(&metrics, device);
    launch->has_host = metrics_has(&metrics, host);
    launch->computes_on = place;
    take_parts(&metrics, compare_parts, launch->general);
    take_parts(&metrics, source->set->parts, launch->parts);
    take_counters(source, &metrics, launch);
    code = take_engines(source, &asked, &metrics, launch);
    return code == STATUS_OK ? take_operators(source, &metrics, device, launch) : code;
}

void compare_launch_free(struct compare_launch *launch)
{
    memory_free(launch->engines);
    memory_free(launch->operators);
    *launch = (struct compare_launch){ 0 };
}
