/* advise_model.c: what each piece of work costs, and what a run is shorter where some of it is. */
#include "gpu/advise_model.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
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
    }
    model->longest = NO_ID;
    for (uint32_t i = 0; i < count; i++)
        if (model->by_op[i] > 0 && (model->longest == NO_ID || model->by_op[i] > model->by_op[model->longest]))
            model->longest = i;
    return STATUS_OK;
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
        .runs = profile->metrics.runs ? (double)profile->metrics.runs : 1,
        .longest = NO_ID,
    };
    model->gain = gpu_tensor_gain(model->chip, profile->head->major, &model->gain_type);
    model->costs = memory_allocate_clear((profile->pieces.work_count + 1) * sizeof *model->costs);
    if (!model->costs)
        return status_no_memory("looking for advice");
    code = find_call(model);
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
    model->costs = NULL;
    model->by_op = NULL;
}

/* ---- What shorter work saves ---------------------------------------------------------------------------------------- */

/* How much earlier device and host are than they were. */
struct advance {
    double device, host; /* ns; the device is never behind the host */
};

/* A call that lasts until the device is done ends earlier with it, but not before it begins. */
static void pass_wait(struct advance *advance, const struct gpu_piece *call)
{
    advance->host = fmin(advance->device, advance->host + (double)(call->end - call->start));
}

static bool holds_host(const struct gpu_model *model, const struct gpu_piece *piece)
{
    return piece->kind == GPU_WAIT ||
           (piece->kind == GPU_LAUNCH && (double)(piece->end - piece->start) > 4 * model->call);
}

double gpu_model_saves(const struct gpu_model *model, enum work_class class)
{
    const struct pieces *pieces = model->pieces;
    struct advance advance = { 0, 0 };
    uint32_t host = 0;

    for (size_t i = 0; i < pieces->work_count; i++) {
        const struct gpu_piece *work = piece_of_work(pieces, i), *launch = piece_launch(pieces, work);
        const struct gpu_cost *cost = &model->costs[i];
        double lead;

        /* Calls that were over when this one was launched. */
        for (; launch && host < pieces->items.count && piece_at(pieces, host)->start < launch->start; host++)
            if (holds_host(model, piece_at(pieces, host)))
                pass_wait(&advance, piece_at(pieces, host));
        lead = launch ? (double)(work->start - launch->end) : 0;
        advance.device = fmin(advance.device, fmax(0, lead) + advance.host);
        if (cost->class == class)
            advance.device += cost->spared * (double)cost->alone;
    }
    return gpu_model_ns(model, advance.device);
}
