/* store.c: keeps what it is told. */
#include "trace/store.h"

#include <assert.h>

#include "base/memory.h"

void store_start(struct store *store)
{
    *store = (struct store){ 0 };
    column_start(&store->track, sizeof(track_id));
    column_start(&store->name, sizeof(string_id));
    column_start(&store->op, sizeof(operator_id));
    column_start(&store->run, sizeof(run_id));
    column_start(&store->start, sizeof(int64_t));
    column_start(&store->end, sizeof(int64_t));
    column_start(&store->first_argument, sizeof(uint32_t));
    column_start(&store->argument_count, sizeof(uint32_t));
    column_start(&store->arguments, sizeof(struct argument));
    column_start(&store->flows, sizeof(struct store_flow));
    column_start(&store->counters, sizeof(struct store_counter));
    column_start(&store->losses, sizeof(struct losses));
    column_start(&store->tracks, sizeof(struct track));
    column_start(&store->operators, sizeof(struct op));
    column_start(&store->runs, sizeof(struct run));
    column_start(&store->clocks, sizeof(struct clock));
}

void store_free(struct store *store)
{
    column_free(&store->track);
    column_free(&store->name);
    column_free(&store->op);
    column_free(&store->run);
    column_free(&store->start);
    column_free(&store->end);
    column_free(&store->first_argument);
    column_free(&store->argument_count);
    column_free(&store->arguments);
    column_free(&store->flows);
    column_free(&store->counters);
    column_free(&store->losses);
    column_free(&store->tracks);
    column_free(&store->operators);
    column_free(&store->runs);
    column_free(&store->clocks);
    memory_free(store->opens);
    store_start(store);
}

size_t store_bytes_per_slice(void)
{
    return sizeof(track_id) + sizeof(string_id) + sizeof(operator_id) + sizeof(run_id) + 2 * sizeof(int64_t) +
           2 * sizeof(uint32_t);
}

static status no_memory(void)
{
    return status_no_memory("keeping the trace");
}

static status on_clock(void *self, clock_id id, const struct clock *clock)
{
    struct store *store = self;
    struct clock *kept = column_append(&store->clocks);

    (void)id;
    if (!kept)
        return no_memory();
    assert(id == store->clocks.count - 1 && "ids of clocks are dense");
    *kept = *clock;
    return STATUS_OK;
}

static status on_track(void *self, const struct track *track)
{
    struct store *store = self;
    struct track *kept = column_append(&store->tracks);

    if (!kept)
        return no_memory();
    assert(track->id == store->tracks.count - 1 && "ids of tracks are dense");
    *kept = *track;
    return STATUS_OK;
}

static status on_operator(void *self, const struct op *op)
{
    struct store *store = self;
    struct op *kept = column_append(&store->operators);

    if (!kept)
        return no_memory();
    assert(op->id == store->operators.count - 1 && "ids of operators are dense");
    *kept = *op;
    return STATUS_OK;
}

static status on_run(void *self, const struct run *run)
{
    struct store *store = self;
    struct run *kept = column_append(&store->runs);

    if (!kept)
        return no_memory();
    assert(run->id == store->runs.count - 1 && "ids of runs are dense");
    *kept = *run;
    return STATUS_OK;
}

/* In the column of ends: an instant. No time is negative. */
#define INSTANT INT64_MIN

/* In one piece; what is left unused before it is flow 0 of the same slice. */
static status add_flows(struct store *store, const struct slice *slice)
{
    size_t before = store->flows.count;
    uint32_t row = (uint32_t)store->track.count - 1, count = slice_flow_count(slice);
    struct store_flow *to = column_append_piece(&store->flows, count);

    assert(store->track.count && count && "flows belong to the slice added last");
    if (!to)
        return no_memory();
    for (size_t i = before; i + count < store->flows.count; i++)
        *(struct store_flow *)column_at(&store->flows, i) = (struct store_flow){ row, 0 };
    for (uint32_t i = 0; i < count; i++)
        to[i] = (struct store_flow){ row, slice_flow(slice, i) };
    return STATUS_OK;
}

static status add_arguments(struct store *store, const struct slice *slice, uint32_t *first)
{
    struct argument *to = column_append_piece(&store->arguments, slice->argument_count);

    if (slice->argument_count && !to)
        return no_memory();
    *first = (uint32_t)(store->arguments.count - slice->argument_count);
    for (uint32_t i = 0; i < slice->argument_count; i++)
        to[i] = slice->arguments[i];
    return slice_flow_count(slice) ? add_flows(store, slice) : STATUS_OK;
}

static status add(struct store *store, const struct slice *slice, int64_t end_time)
{
    track_id *track = column_append(&store->track);
    string_id *name = column_append(&store->name);
    operator_id *op = column_append(&store->op);
    run_id *run = column_append(&store->run);
    int64_t *start = column_append(&store->start);
    int64_t *end = column_append(&store->end);
    uint32_t *first = column_append(&store->first_argument);
    uint32_t *count = column_append(&store->argument_count);

    assert(slice_is_whole(slice) && slice->track < store->tracks.count);
    assert(slice->op == NO_ID || slice->op < store->operators.count);
    assert(slice->run == NO_ID || slice->run < store->runs.count);
    if (!track || !name || !op || !run || !start || !end || !first || !count)
        return no_memory();
    if (store->arguments.count > UINT32_MAX / 2 - slice->argument_count || store->track.count >= NO_ID)
        return status_fail(STATUS_INPUT, "more slices than can be kept in memory at once");
    assert(store->track.count == store->argument_count.count && "columns grow together");
    *track = slice->track;
    *name = slice->name;
    *op = slice->op;
    *run = slice->run;
    *start = slice->start;
    *end = end_time;
    *count = slice->argument_count;
    return add_arguments(store, slice, first);
}

static status on_slice(void *self, const struct slice *slice)
{
    assert(slice->start <= slice->end);
    return add(self, slice, slice->end);
}

static status on_begin(void *self, open_id id, open_id parent, const struct slice *slice)
{
    struct store *store = self;
    status code = memory_grow(&store->opens, &store->open_capacity, (size_t)id + 1, sizeof *store->opens);

    (void)parent;
    if (code != STATUS_OK)
        return code;
    store->opens[id] = (uint32_t)store->track.count;
    return add(store, slice, slice->start);
}

static status on_end(void *self, open_id id, int64_t time)
{
    struct store *store = self;
    size_t index = store->opens[id];
    int64_t start = *(int64_t *)column_at(&store->start, index);

    assert(id < store->open_capacity && index < store->track.count);
    *(int64_t *)column_at(&store->end, index) = time > start ? time : start;
    return STATUS_OK;
}

static status on_instant(void *self, const struct slice *slice)
{
    return add(self, slice, INSTANT);
}

static status on_counter(void *self, track_id track, int64_t time, int64_t value)
{
    struct store *store = self;
    struct store_counter *kept = column_append(&store->counters);

    assert(track < store->tracks.count);
    if (!kept)
        return no_memory();
    *kept = (struct store_counter){ track, time, value };
    return STATUS_OK;
}

static status on_loss(void *self, const struct losses *losses)
{
    struct store *store = self;
    struct losses *kept = column_append(&store->losses);

    if (!kept)
        return no_memory();
    *kept = *losses;
    return STATUS_OK;
}

static const struct sink_calls store_calls = {
    .clock = on_clock,
    .track = on_track,
    .op = on_operator,
    .run = on_run,
    .slice = on_slice,
    .begin = on_begin,
    .end = on_end,
    .instant = on_instant,
    .counter = on_counter,
    .loss = on_loss,
};

struct sink store_sink(struct store *store)
{
    return (struct sink){ &store_calls, store };
}

size_t store_count(const struct store *store)
{
    return store->track.count;
}

struct slice store_slice(const struct store *store, size_t index)
{
    uint32_t first = *(uint32_t *)column_at(&store->first_argument, index);
    uint32_t count = *(uint32_t *)column_at(&store->argument_count, index);
    int64_t start = *(int64_t *)column_at(&store->start, index), end = *(int64_t *)column_at(&store->end, index);

    assert(end == INSTANT || start <= end);
    assert(first + count <= store->arguments.count);
    return (struct slice){
        .track = *(track_id *)column_at(&store->track, index),
        .name = *(string_id *)column_at(&store->name, index),
        .op = *(operator_id *)column_at(&store->op, index),
        .run = *(run_id *)column_at(&store->run, index),
        .start = start,
        .end = end == INSTANT ? start : end,
        .arguments = count ? column_at(&store->arguments, first) : NULL,
        .argument_count = count,
    };
}

bool store_is_instant(const struct store *store, size_t index)
{
    return *(int64_t *)column_at(&store->end, index) == INSTANT;
}

const struct store_flow *store_flows(const struct store *store, size_t index, size_t *count)
{
    size_t low = 0, high = store->flows.count, last;

    assert(index < store->track.count);
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (((struct store_flow *)column_at(&store->flows, middle))->slice < index)
            low = middle + 1;
        else
            high = middle;
    }
    for (last = low; last < store->flows.count; last++)
        if (((struct store_flow *)column_at(&store->flows, last))->slice != index)
            break;
    while (low < last && !((struct store_flow *)column_at(&store->flows, low))->flow)
        low++; /* left unused */
    *count = last - low;
    assert(!*count || ((struct store_flow *)column_at(&store->flows, low))->slice == index);
    return *count ? column_at(&store->flows, low) : NULL;
}

const struct track *store_track(const struct store *store, track_id id)
{
    return column_at(&store->tracks, id);
}

const struct op *store_operator(const struct store *store, operator_id id)
{
    return column_at(&store->operators, id);
}

const struct clock *store_clock(const struct store *store, clock_id id)
{
    return column_at(&store->clocks, id);
}
