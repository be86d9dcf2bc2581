#include "trace/store.h"

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
    column_start(&store->arguments, sizeof(struct argument));
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
    column_free(&store->arguments);
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
           sizeof(uint32_t);
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
    *kept = *clock;
    return STATUS_OK;
}

static status on_track(void *self, const struct track *track)
{
    struct store *store = self;
    struct track *kept = column_append(&store->tracks);

    if (!kept)
        return no_memory();
    *kept = *track;
    return STATUS_OK;
}

static status on_operator(void *self, const struct op *op)
{
    struct store *store = self;
    struct op *kept = column_append(&store->operators);

    if (!kept)
        return no_memory();
    *kept = *op;
    return STATUS_OK;
}

static status on_run(void *self, const struct run *run)
{
    struct store *store = self;
    struct run *kept = column_append(&store->runs);

    if (!kept)
        return no_memory();
    *kept = *run;
    return STATUS_OK;
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

    if (!track || !name || !op || !run || !start || !end || !first)
        return no_memory();
    if (store->arguments.count > UINT32_MAX - ARGUMENT_COUNT || store->track.count >= NO_ID)
        return status_fail(STATUS_INPUT, "more slices than can be kept in memory at once");
    *track = slice->track;
    *name = slice->name;
    *op = slice->op;
    *run = slice->run;
    *start = slice->start;
    *end = end_time;
    *first = (uint32_t)store->arguments.count;
    for (uint32_t i = 0; i < slice->argument_count; i++) {
        struct argument *argument = column_append(&store->arguments);

        if (!argument)
            return no_memory();
        *argument = slice->arguments[i];
    }
    return STATUS_OK;
}

static status on_slice(void *self, const struct slice *slice)
{
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

    *(int64_t *)column_at(&store->end, index) = time > start ? time : start;
    return STATUS_OK;
}

static status on_instant(void *self, const struct slice *slice)
{
    return add(self, slice, slice->start);
}

static status on_loss(void *self, const struct losses *losses)
{
    struct store *store = self;

    store->losses = *losses;
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

struct slice store_slice(const struct store *store, size_t index, struct argument arguments[ARGUMENT_COUNT])
{
    uint32_t first = *(uint32_t *)column_at(&store->first_argument, index);
    size_t next = index + 1 < store->track.count ? *(uint32_t *)column_at(&store->first_argument, index + 1)
                                                 : store->arguments.count;
    struct slice slice = {
        .track = *(track_id *)column_at(&store->track, index),
        .name = *(string_id *)column_at(&store->name, index),
        .op = *(operator_id *)column_at(&store->op, index),
        .run = *(run_id *)column_at(&store->run, index),
        .start = *(int64_t *)column_at(&store->start, index),
        .end = *(int64_t *)column_at(&store->end, index),
        .arguments = arguments,
    };

    for (size_t i = first; i < next && slice.argument_count < ARGUMENT_COUNT; i++)
        arguments[slice.argument_count++] = *(struct argument *)column_at(&store->arguments, i);
    return slice;
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
