/* advise_model.c: what each piece of work costs, and what a run is shorter where some of it is. */
#include "gpu/advise_model.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "gpu/chips.h"

/* ---- The median launch ---------------------------------------------------------------------------------------------- */

static int compare_times(const void *one, const void *other)
{
    int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;

    return a < b ? -1 : a > b;
}

static status find_call(struct gpu_model *model)
{
    const struct pieces *pieces = model->pieces;
    int64_t *times = memory_allocate_clear((pieces->work_count + 1) * sizeof *times);
    size_t count = 0;

    if (!times)
        return status_no_memory("looking for advice");
    for (size_t i = 0; i < pieces->work_count; i++) {
        const struct gpu_piece *launch = piece_launch(pieces, piece_of_work(pieces, i));

        if (launch)
            times[count++] = launch->end - launch->start;
    }
    qsort(times, count, sizeof *times, compare_times);
    model->call = count ? (double)times[count / 2] : NAN;
    memory_free(times);
    return STATUS_OK;
}

/* ---- Work beside other work ----------------------------------------------------------------------------------------- */

struct edge {
    int64_t time;  /* of a start or an end */
    uint32_t work; /* its place */
    bool starts;   /* which of the two */
};

static int compare_edges(const void *one, const void *other)
{
    const struct edge *a = one, *b = other;

    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return (int)a->starts - (int)b->starts; /* ends first: what touches does not overlap */
}

/* While one piece alone is at work, the sum of the numbers of all that are is its number. */
static void sweep(struct gpu_model *model, const struct edge *edges, size_t count)
{
    uint64_t sum = 0, active = 0;
    int64_t last = 0;

    for (size_t i = 0; i < count; i++) {
        if (active)
            model->device += (double)(edges[i].time - last);
        if (active == 1)
            model->costs[sum].alone += edges[i].time - last;
        last = edges[i].time;
        active += edges[i].starts ? 1 : UINT64_MAX;
        sum += edges[i].starts ? edges[i].work : 0 - (uint64_t)edges[i].work;
    }
    assert(!active && !sum);
}

static status find_alone(struct gpu_model *model)
{
    const struct pieces *pieces = model->pieces;
    struct edge *edges = memory_allocate_clear((2 * pieces->work_count + 1) * sizeof *edges);
    size_t count = 0;

    if (!edges)
        return status_no_memory("looking for advice");
    for (size_t i = 0; i < pieces->work_count; i++) {
        const struct gpu_piece *work = piece_of_work(pieces, i);

        if (work->end > work->start) { /* one without a length has no place in the order of ends and starts */
            edges[count++] = (struct edge){ work->start, (uint32_t)i, true };
            edges[count++] = (struct edge){ work->end, (uint32_t)i, false };
        }
    }
    qsort(edges, count, sizeof *edges, compare_edges);
    sweep(model, edges, count);
    memory_free(edges);
    return STATUS_OK;
}

/* ---- Operators ------------------------------------------------------------------------------------------------------ */

static status add_up_operators(struct gpu_model *model)
{
    const struct pieces *pieces = model->pieces;
    size_t count = pieces->operators.count;

    model->by_op = memory_allocate_clear((count + 1) * sizeof *model->by_op);
    if (!model->by_op)
        return status_no_memory("looking for advice");
    for (size_t i = 0; i < pieces->work_count; i++) {
        const struct gpu_piece *work = piece_of_work(pieces, i);

        model->by_op[work->op != NO_ID ? work->op : count] += (double)(work->end - work->start);
        if (model->nodes && work->up != NO_ID &&
            piece_at(pieces, work->up)->op != NO_ID) /* its own time is not theirs */
            model->by_op[piece_at(pieces, work->up)->op] -= (double)(work->end - work->start);
    }
    model->longest = NO_ID;
    for (uint32_t i = 0; i < count; i++)
        if (model->by_op[i] > 0 && (model->longest == NO_ID || model->by_op[i] > model->by_op[model->longest]))
            model->longest = i;
    return STATUS_OK;
}

/* ---- Calls that hold the host ---------------------------------------------------------------------------------------- */

static int by_end(const void *one, const void *other)
{
    const struct interval *a = one, *b = other;

    if (a->end != b->end)
        return a->end < b->end ? -1 : 1;
    return (a->start > b->start) - (a->start < b->start);
}

/* Those that wait, and launches that last far longer than others: of a copy that has to be done, or while no more launches fit. So does a run that is over
 * when its results are there. */
static bool holds_host(const struct gpu_model *model, const struct gpu_piece *piece)
{
    switch (piece->kind) {
    case GPU_WAIT:
        return true;
    case GPU_LAUNCH:
        return (double)(piece->end - piece->start) > 4 * model->call;
    case GPU_OPERATOR:
        return gpu_is_fallback(model, piece);
    case GPU_ANNOTATION:
        return model->framework->waits_in_run &&
               text_is(strings_get(model->pieces->strings, piece->name), model->framework->run);
    default:
        return false;
    }
}

/* A run that ends when its last work is done waited for that, also where nothing says so: JAX does not record what block_until_ready does. From the last
 * launch on; what the host did behind the work was less. */
static status find_run_ends(struct gpu_model *model)
{
    const struct pieces *pieces = model->pieces;
    struct interval *last = memory_allocate_clear((pieces->window_count + 1) * sizeof *last); /* launch, work */

    if (!last)
        return status_no_memory("looking for advice");
    for (size_t i = 0; i < pieces->work_count; i++) {
        const struct gpu_piece *work = piece_of_work(pieces, i), *launch = piece_launch(pieces, work);
        size_t window = launch ? pieces_window(pieces, launch->start) : SIZE_MAX;

        if (window == SIZE_MAX)
            continue;
        last[window].start = launch->end > last[window].start ? launch->end : last[window].start;
        last[window].end = work->end > last[window].end ? work->end : last[window].end;
    }
    for (size_t i = 0; i < pieces->window_count; i++) {
        int64_t end = pieces->windows[i].end;

        if (last[i].end && last[i].end <= end && end - last[i].end < last[i].end - last[i].start)
            model->holds[model->hold_count++] = (struct interval){ last[i].start, end };
    }
    memory_free(last);
    return STATUS_OK;
}

static status find_holds(struct gpu_model *model)
{
    const struct pieces *pieces = model->pieces;
    size_t count = pieces->window_count;
    status code;

    for (uint32_t i = 0; i < pieces->items.count; i++)
        count += holds_host(model, piece_at(pieces, i));
    model->holds = memory_allocate_clear((count + 1) * sizeof *model->holds);
    if (!model->holds)
        return status_no_memory("looking for advice");
    for (uint32_t i = 0; i < pieces->items.count; i++) {
        const struct gpu_piece *piece = piece_at(pieces, i);

        if (holds_host(model, piece))
            model->holds[model->hold_count++] = (struct interval){ piece->start, piece->end };
    }
    code = find_run_ends(model);
    qsort(model->holds, model->hold_count, sizeof *model->holds, by_end);
    return code;
}

/* ---- Nodes ---------------------------------------------------------------------------------------------------------- */

/* Whether there are nodes on the CPU, and whether something is beside them. */
static void find_places(struct gpu_model *model)
{
    bool cpu = false, other = !model->nodes;

    for (uint32_t i = 0; i < model->pieces->items.count; i++) {
        cpu |= piece_at(model->pieces, i)->kind == GPU_NODE;
        other |= piece_at(model->pieces, i)->kind == GPU_PROVIDED;
    }
    model->mixed = cpu && other;
    model->on_cpu = cpu && !other;
}

/* ---- The model ------------------------------------------------------------------------------------------------------ */

static void add_pools(struct gpu_model *model, struct advice *advice)
{
    for (unsigned i = 0; i < WORK_CLASSES; i++)
        model->pools[i] = advice_pool(advice, gpu_model_ns(model, model->work[i]));
    for (unsigned i = 0; i < GAP_REASONS; i++)
        model->gap_pools[i] = advice_pool(advice, gpu_model_ns(model, model->gaps[i]));
}

status gpu_model_fill(struct gpu_model *model, const struct gpu_profile *profile, const struct architecture *peaks,
                      struct advice *advice)
{
    status code;

    *model = (struct gpu_model){
        .profile = profile,
        .pieces = &profile->pieces,
        .chip = peaks ? peaks : gpu_chip_of(profile->head->device),
        .framework = gpu_framework_of(gpu_profile_of(profile)->reader),
        .nodes = profile->nodes,
        .runs = profile->metrics.runs ? (double)profile->metrics.runs : 1,
        .longest = NO_ID,
    };
    model->gain = gpu_tensor_gain(model->chip, gpu_generation(model), gpu_uses_half(model), &model->gain_type);
    model->costs = memory_allocate_clear((profile->pieces.work_count + 1) * sizeof *model->costs);
    if (!model->costs)
        return status_no_memory("looking for advice");
    find_places(model);
    code = find_call(model);
    if (code == STATUS_OK)
        code = find_holds(model);
    if (code == STATUS_OK)
        code = find_alone(model);
    if (code == STATUS_OK)
        code = add_up_operators(model);
    if (code != STATUS_OK)
        return code;
    gpu_model_classes(model);
    code = gpu_model_gaps(model);
    add_pools(model, advice);
    return code;
}

void gpu_model_free(struct gpu_model *model)
{
    memory_free(model->costs);
    memory_free(model->by_op);
    memory_free(model->holds);
    model->holds = NULL;
    model->costs = NULL;
    model->by_op = NULL;
}

/* ---- What shorter work saves ---------------------------------------------------------------------------------------- */

enum {
    STREAMS = 64,  /* that are told apart */
    TOUCHES = 5000 /* ns: work that begins so soon behind other work waited for that */
};

/* An end of work. */
struct work_end {
    int64_t end;    /* as it was; INT64_MIN: there is none */
    double advance; /* ns that it is earlier */
};

/* How much earlier a stream is than it was. */
struct stream {
    track_id id;            /* its line's */
    struct work_end last;   /* of its last work */
    struct work_end before; /* of the one before that: the last may go on while other streams begin */
};

struct advance {
    struct stream streams[STREAMS]; /* those that were met */
    size_t count;                   /* of these */
    double host;                    /* ns that the host is earlier */
};

static struct stream *stream_of(struct advance *advance, track_id id)
{
    size_t at = 0;

    while (at < advance->count && advance->streams[at].id != id)
        at++;
    if (at == advance->count && at < STREAMS)
        advance->streams[advance->count++] = (struct stream){ id, { INT64_MIN, 0 }, { INT64_MIN, 0 } };
    return &advance->streams[at < STREAMS ? at : STREAMS - 1];
}

/* The end of all work that ended last, up to a moment. */
static struct work_end last_end(const struct advance *advance, int64_t moment)
{
    struct work_end last = { INT64_MIN, 0 };

    for (size_t i = 0; i < advance->count; i++) {
        const struct stream *stream = &advance->streams[i];
        const struct work_end *end = stream->last.end <= moment ? &stream->last : &stream->before;

        if (end->end <= moment && end->end > last.end)
            last = *end;
    }
    return last;
}

/* A call that lasts until the device is done ends earlier with it, but not before it begins. */
static void pass_hold(struct advance *advance, const struct interval *call)
{
    double earlier = fmin(last_end(advance, INT64_MAX).advance, advance->host + (double)(call->end - call->start));

    advance->host = fmax(advance->host, earlier);
}

/* What a piece of work waited for, as it was and as it would be. */
struct begin {
    double was, is; /* ns: the last moment of these */
};

static void waits_for(struct begin *begin, int64_t moment, double advance)
{
    begin->was = fmax(begin->was, (double)moment);
    begin->is = fmax(begin->is, (double)moment - advance);
}

/* When a launch was there: at the end of its call, and where that holds the host, after the time that others take. */
static int64_t arrival(const struct gpu_model *model, const struct gpu_piece *work, const struct gpu_piece *launch)
{
    int64_t there = launch->start + (int64_t)fmin((double)(launch->end - launch->start), model->call);

    if (piece_is_operator(launch))
        return piece_launched(model->pieces, work);
    return there < work->start ? there : work->start;
}

/* How much earlier a piece of work begins: it waits for its launch, and for the work before it on its stream. Where both were long over when it began, it
 * waited for another stream, by an event that files do not have: for what had ended there last. */
static double earlier(const struct gpu_model *model, const struct advance *advance, const struct stream *own,
                      const struct gpu_piece *work, const struct gpu_piece *launch)
{
    struct begin begin = { -INFINITY, -INFINITY };
    struct work_end other = { INT64_MIN, 0 };

    if (launch)
        waits_for(&begin, arrival(model, work, launch), advance->host);
    if (own->last.end != INT64_MIN)
        waits_for(&begin, own->last.end, own->last.advance);
    if ((double)work->start - begin.was > TOUCHES)
        other = last_end(advance, work->start);
    if (other.end != INT64_MIN)
        waits_for(&begin, other.end, other.advance);
    return isinf(begin.was) ? 0 : fmax(0, begin.was - begin.is);
}

double gpu_model_saves(const struct gpu_model *model, enum work_class class)
{
    const struct pieces *pieces = model->pieces;
    struct advance advance = { .count = 0 };
    size_t held = 0;

    for (size_t i = 0; i < pieces->work_count; i++) {
        const struct gpu_piece *work = piece_of_work(pieces, i), *launch = piece_launch(pieces, work);
        struct stream *stream = stream_of(&advance, work->thread);
        const struct gpu_cost *cost = &model->costs[i];
        double gained;

        for (; launch && held < model->hold_count && model->holds[held].end <= launch->start; held++)
            pass_hold(&advance, &model->holds[held]);
        gained = earlier(model, &advance, stream, work, launch);
        if (cost->class == class)
            gained += cost->spared * (double)cost->alone;
        if (work->end < stream->last.end)
            continue;
        stream->before = stream->last;
        stream->last = (struct work_end){ work->end, gained };
    }
    return gpu_model_ns(model, last_end(&advance, INT64_MAX).advance);
}
