/* join.c: jobs by action, their engines drawn over them, their estimate beside them. */
#include "torq/join.h"

#include <assert.h>

#include "base/memory.h"
#include "torq/chain.h"

enum { USED_BITS = 20, MOST_SLICES = 1024 };

struct join {
    const struct program *program;          /* NULL: none */
    const struct estimate *estimate;        /* NULL: none */
    struct feed *feed;                      /* borrowed */
    clock_id clock;                         /* of the measured events */
    struct clock rate;                      /* of that clock */
    track_id engines[USED_BITS];            /* track of each used bit; NO_ID: not made yet */
    track_id estimates[TORQ_ORDERS];        /* estimate tracks of engines without a number */
    track_id estimated_slices[MOST_SLICES]; /* the same of slices, by number */
    clock_id nanoseconds;                   /* clock of the estimate tracks; NO_ID: not announced yet */
    uint32_t *by_name;                      /* dispatch + 1 by string id of its name */
    size_t name_count;                      /* strings that there were when the index was made */
};

static status index_names(struct join *join)
{
    const struct program *program = join->program;

    join->name_count = strings_count(program->strings);
    join->by_name = memory_allocate_clear(join->name_count * sizeof *join->by_name);
    if (!join->by_name)
        return status_no_memory("indexing dispatches");
    for (uint32_t i = 0; i < program->dispatches.count; i++)
        join->by_name[program_dispatch(program, i)->name] = i + 1;
    return STATUS_OK;
}

status join_new(const struct program *program, const struct estimate *estimate, struct feed *feed, clock_id clock,
                const struct clock *clock_rate, struct join **result)
{
    struct join *join = memory_allocate_clear(sizeof *join);
    status code = STATUS_OK;

    assert(feed && clock_rate->denominator);
    if (!join)
        return status_no_memory("joining events and program");
    join->program = program;
    join->estimate = estimate && estimate->count ? estimate : NULL;
    join->feed = feed;
    join->clock = clock;
    join->rate = *clock_rate;
    join->nanoseconds = NO_ID;
    for (unsigned i = 0; i < USED_BITS; i++)
        join->engines[i] = NO_ID;
    for (unsigned i = 0; i < TORQ_ORDERS; i++)
        join->estimates[i] = NO_ID;
    for (unsigned i = 0; i < MOST_SLICES; i++)
        join->estimated_slices[i] = NO_ID;
    if (program)
        code = index_names(join);
    if (code != STATUS_OK) {
        join_free(join);
        return code;
    }
    *result = join;
    return STATUS_OK;
}

void join_free(struct join *join)
{
    if (!join)
        return;
    memory_free(join->by_name);
    memory_free(join);
}

bool join_dispatch(const struct join *join, string_id name, uint32_t *dispatch)
{
    if (!join->program || !join->program->dispatches.count)
        return false;
    *dispatch = join->program->chosen;
    if (name) {
        if (name >= join->name_count || !join->by_name[name])
            return false;
        *dispatch = join->by_name[name] - 1;
    }
    return true;
}

const struct program_action *join_action(const struct join *join, string_id dispatch, int64_t action)
{
    uint32_t index;

    if (!join_dispatch(join, dispatch, &index))
        return NULL;
    index = program_find_action(join->program, index, action);
    return index == NO_ID ? NULL : program_action(join->program, index);
}

const struct program_job *join_job(const struct join *join, const struct program_action *action)
{
    assert(!action || join->program);
    return action && action->job != NO_ID ? program_job(join->program, action->job) : NULL;
}

const struct program_job *join_job_at(const struct join *join, uint64_t k)
{
    return join->program && k < join->program->jobs.count ? program_job(join->program, (uint32_t)k) : NULL;
}

static status engine_track(struct join *join, unsigned bit, track_id *track)
{
    static const struct engine *const engines[] = { &torq_engine_dma_in, &torq_engine_dma_out, &torq_engine_cdma_dtcm,
                                                    &torq_engine_css };
    status code = STATUS_OK;

    assert(bit < USED_BITS);
    if (join->engines[bit] == NO_ID) {
        bool slice = bit >= sizeof engines / sizeof *engines;

        code = feed_engine(join->feed, slice ? &torq_engine_slice : engines[bit],
                           slice ? bit - (unsigned)(sizeof engines / sizeof *engines) : 0, join->clock,
                           &join->engines[bit]);
    }
    *track = join->engines[bit];
    return code;
}

/* The track "Slice 0 (estimate)", right below the measured one. */
static status estimate_track(struct join *join, const struct engine *engine, uint32_t index, track_id *track)
{
    track_id *slot =
        engine == &torq_engine_slice ? &join->estimated_slices[index % MOST_SLICES] : &join->estimates[engine->order];
    struct track made = {
        .parent = join->feed->root,
        .order = feed_order(engine, index) + 1,
        .kind = TRACK_SLICES,
        .engine = &engine_estimate,
        .index = index,
    };
    status code = STATUS_OK;

    assert(engine->order < TORQ_ORDERS);
    if (*slot == NO_ID) {
        struct clock nanoseconds = clock_nanoseconds(0);

        if (join->nanoseconds == NO_ID)
            code = feed_clock(join->feed, &nanoseconds, &join->nanoseconds);
        made.clock = join->nanoseconds;
        if (code == STATUS_OK)
            code = engine == &torq_engine_slice
                       ? strings_add_format(join->feed->strings, &made.name, "%s %u (estimate)", engine->title, index)
                       : strings_add_format(join->feed->strings, &made.name, "%s (estimate)", engine->title);
        if (code == STATUS_OK)
            code = feed_track(join->feed, made, slot);
    }
    *track = *slot;
    return code;
}

static status draw_row(struct join *join, const struct estimate_row *row, int64_t base, int64_t measured)
{
    const struct clock *cycles = &join->estimate->clock;
    struct slice slice = {
        .name = row->name,
        .run = NO_ID,
        .op = NO_ID,
        .start = measured + clock_span_ns(cycles, row->start - base),
        .end = measured + clock_span_ns(cycles, row->end - base),
    };
    status code = estimate_track(join, row->engine, row->index, &slice.track);

    assert(row->start >= base && row->start <= row->end);
    if (code == STATUS_OK)
        code = feed_operator(join->feed, row->location, &slice.op);
    if (code == STATUS_OK && !slice.name)
        slice.name = feed_operator_name(join->feed, slice.op);
    if (code == STATUS_OK && !slice.name)
        code = strings_add_text(join->feed->strings, row->engine->title, &slice.name);
    return code == STATUS_OK ? sink_slice(&join->feed->sink, &slice) : code;
}

/* Draw what the compiler estimated for a job from the time at which it was seen to start. */
static status draw_estimate(struct join *join, const struct program_job *job, int64_t action, const struct slice *like)
{
    const struct estimate_row *rows;
    int64_t measured = clock_ns(&join->rate, like->start);
    struct estimate_row whole = { .engine = &torq_engine_job, .name = like->name };
    uint32_t group = NO_ID;
    size_t count;
    status code = STATUS_OK;

    if (!join->estimate)
        return STATUS_OK;
    if (join->estimate->key == ESTIMATE_BY_ACTION && action >= 0 && action < NO_ID)
        group = (uint32_t)action;
    if (join->estimate->key == ESTIMATE_BY_TASK && job)
        group = (uint32_t)job->index;
    if (group == NO_ID)
        return STATUS_OK;
    rows = estimate_group(join->estimate, group, &count);
    if (!count)
        return STATUS_OK;
    whole.start = rows[0].start;
    for (size_t i = 0; i < count; i++)
        whole.end = rows[i].end > whole.end ? rows[i].end : whole.end;
    code = draw_row(join, &whole, whole.start, measured);
    for (size_t i = 0; i < count && code == STATUS_OK; i++)
        code = draw_row(join, &rows[i], whole.start, measured);
    return code;
}

status join_job_begin(struct join *join, const struct program_job *job, int64_t action, const struct slice *like,
                      struct join_open *open)
{
    status code;

    assert(!job || (join->program && job->index < join->program->jobs.count) || job->index == NO_ID);
    open->count = 0;
    if (!job && !join->estimate) /* for every row of a log that is read alone */
        return STATUS_OK;
    code = draw_estimate(join, job, action, like);
    if (!job)
        return code;
    for (unsigned bit = 0; bit < USED_BITS && code == STATUS_OK; bit++) {
        struct slice slice = *like;

        if (!(job->used & 1u << bit))
            continue;
        slice.flow = 0;
        assert(open->count < JOIN_ENGINES);
        code = engine_track(join, bit, &slice.track);
        if (code == STATUS_OK)
            code = feed_open(join->feed, &open->opens[open->count]);
        if (code == STATUS_OK)
            code = sink_begin(&join->feed->sink, open->opens[open->count++], NO_ID, &slice);
    }
    return code;
}

status join_job_end(struct join *join, struct join_open *open, int64_t time)
{
    status code = STATUS_OK;

    assert(open->count <= JOIN_ENGINES);
    for (unsigned i = 0; i < open->count && code == STATUS_OK; i++) {
        code = sink_end(&join->feed->sink, open->opens[i], time);
        feed_close(join->feed, open->opens[i]);
    }
    open->count = 0;
    return code;
}

status join_job_slice(struct join *join, const struct program_job *job, int64_t action, const struct slice *like)
{
    struct join_open open;
    status code = join_job_begin(join, job, action, like, &open);

    assert(like->start <= like->end);
    return code == STATUS_OK ? join_job_end(join, &open, like->end) : code;
}
