/* estimate.c: rows of an estimate, grouped by the job or action that they belong to. */
#include "torq/estimate.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"

/* What a row needs to know of its track. */
struct estimate_track {
    const struct engine *engine; /* NULL: a group */
    uint32_t index;              /* slice number */
};

void estimate_start(struct estimate *estimate, struct strings *strings)
{
    *estimate = (struct estimate){ .key = ESTIMATE_BY_NOTHING, .strings = strings };
    column_start(&estimate->tracks, sizeof(struct estimate_track));
    column_start(&estimate->operators, sizeof(string_id));
}

void estimate_free(struct estimate *estimate)
{
    memory_free(estimate->rows);
    column_free(&estimate->tracks);
    column_free(&estimate->operators);
    estimate_start(estimate, estimate->strings);
}

static status add_row(struct estimate *estimate, struct estimate_row row)
{
    status code = memory_grow(&estimate->rows, &estimate->capacity, estimate->count + 1, sizeof *estimate->rows);

    assert(row.start <= row.end);
    if (code == STATUS_OK)
        estimate->rows[estimate->count++] = row;
    return code;
}

static status on_clock(void *self, clock_id id, const struct clock *clock)
{
    struct estimate *estimate = self;

    (void)id;
    if (!estimate->count)
        estimate->clock = *clock;
    return STATUS_OK;
}

static status on_track(void *self, const struct track *track)
{
    struct estimate *estimate = self;
    struct estimate_track *kept = column_append(&estimate->tracks);

    if (!kept)
        return status_no_memory("keeping a track");
    assert(track->id == estimate->tracks.count - 1 && "ids of tracks are dense");
    *kept = (struct estimate_track){ track->engine, track->index };
    return torq_keys_start(&estimate->keys, estimate->strings);
}

static status on_operator(void *self, const struct op *op)
{
    struct estimate *estimate = self;
    string_id *location = column_append(&estimate->operators);

    if (!location)
        return status_no_memory("keeping an operator");
    assert(op->id == estimate->operators.count - 1 && "ids of operators are dense");
    *location = op->location;
    return STATUS_OK;
}

/* The argument that ties a slice to a job: its task or its action. NULL: none. */
static const struct argument *find_key(const struct estimate *estimate, const struct slice *slice)
{
    for (uint32_t i = 0; i < slice->argument_count; i++)
        if (slice->arguments[i].key == estimate->keys.task || slice->arguments[i].key == estimate->keys.action)
            return &slice->arguments[i];
    return NULL;
}

static status on_slice(void *self, const struct slice *slice)
{
    struct estimate *estimate = self;
    const struct estimate_track *track = column_at(&estimate->tracks, slice->track);
    const struct argument *key = find_key(estimate, slice);
    enum engine_group group = engine_group(track->engine);
    struct estimate_row row = {
        .group = NO_ID,
        .engine = track->engine,
        .index = track->index,
        .name = slice->name,
        .start = slice->start,
        .end = slice->end,
    };

    assert(slice->track < estimate->tracks.count);
    assert(slice->op == NO_ID || slice->op < estimate->operators.count);
    if (!estimate->keep || !key || (group != GROUP_TRANSFER && group != GROUP_COMPUTE))
        return STATUS_OK;
    estimate->key = key->key == estimate->keys.task ? ESTIMATE_BY_TASK : ESTIMATE_BY_ACTION;
    row.key = key->integer;
    if (slice->op != NO_ID)
        row.location = *(string_id *)column_at(&estimate->operators, slice->op);
    return add_row(estimate, row);
}

static const struct sink_calls estimate_calls = {
    .clock = on_clock,
    .track = on_track,
    .op = on_operator,
    .slice = on_slice,
};

struct sink estimate_sink(struct estimate *estimate)
{
    return (struct sink){ &estimate_calls, estimate };
}

status estimate_from_program(struct estimate *estimate, const struct program *program, const struct clock *clock)
{
    status code = STATUS_OK;

    assert(!estimate->count && clock->denominator);
    estimate->clock = *clock;
    estimate->key = ESTIMATE_BY_TASK;
    for (uint32_t i = 0; i < program->units.count && code == STATUS_OK; i++) {
        const struct program_unit *unit = program_unit(program, i);

        if (unit->start == NO_CYCLES || unit->busy_end == NO_CYCLES || unit->busy_end <= unit->start)
            continue;
        code = add_row(estimate, (struct estimate_row){
                                     .key = program_task(program, program_step(program, unit->start_step)->task)->id,
                                     .group = unit->job,
                                     .engine = unit->engine,
                                     .index = unit->index,
                                     .name = unit->kernel,
                                     .location = unit->location,
                                     .start = unit->start,
                                     .end = unit->busy_end,
                                 });
    }
    return code;
}

struct task_key {
    int64_t id;   /* of the task, as printed */
    uint32_t job; /* that it belongs to */
};

static int by_task(const void *left, const void *right)
{
    const struct task_key *a = left, *b = right;

    return (a->id > b->id) - (a->id < b->id);
}

/* Give each row that is keyed by a task the job of that task. Task ids repeat when a file holds several dispatches;
 * a compile timeline holds only the last dispatch, so the last one is meant. */
static status find_jobs(struct estimate *estimate, const struct program *program)
{
    size_t count = program->tasks.count;
    struct task_key *tasks = memory_allocate(count * sizeof *tasks);

    if (!tasks)
        return status_no_memory("sorting tasks");
    for (uint32_t i = 0; i < count; i++)
        tasks[i] = (struct task_key){ program_task(program, i)->id, program_task(program, i)->job };
    qsort(tasks, count, sizeof *tasks, by_task);
    for (size_t i = 0; i < estimate->count; i++) {
        struct task_key wanted = { estimate->rows[i].key, 0 };
        const struct task_key *found = bsearch(&wanted, tasks, count, sizeof *tasks, by_task);

        if (!found)
            continue;
        estimate->rows[i].group = found->job;
        for (; found > tasks && found[-1].id == wanted.id; found--)
            if (found[-1].job > estimate->rows[i].group)
                estimate->rows[i].group = found[-1].job;
        for (; found + 1 < tasks + count && found[1].id == wanted.id; found++)
            if (found[1].job > estimate->rows[i].group)
                estimate->rows[i].group = found[1].job;
    }
    memory_free(tasks);
    return STATUS_OK;
}

static int by_group(const void *left, const void *right)
{
    const struct estimate_row *a = left, *b = right;

    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return (a->start > b->start) - (a->start < b->start);
}

status estimate_complete(struct estimate *estimate, const struct program *program)
{
    status code = STATUS_OK;

    if (estimate->key == ESTIMATE_BY_ACTION) {
        for (size_t i = 0; i < estimate->count; i++)
            if (estimate->rows[i].key >= 0 && estimate->rows[i].key < NO_ID)
                estimate->rows[i].group = (uint32_t)estimate->rows[i].key;
    } else if (estimate->key == ESTIMATE_BY_TASK && program) {
        code = find_jobs(estimate, program);
    }
    if (estimate->count)
        qsort(estimate->rows, estimate->count, sizeof *estimate->rows, by_group);
    return code;
}

const struct estimate_row *estimate_group(const struct estimate *estimate, uint32_t group, size_t *count)
{
    size_t low = 0, high = estimate->count;

    assert(!high || estimate->rows[0].group <= estimate->rows[high - 1].group); /* it was completed */
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (estimate->rows[middle].group < group)
            low = middle + 1;
        else
            high = middle;
    }
    assert(group != NO_ID && "what belongs to no group is not drawn");
    for (*count = 0; low + *count < estimate->count && estimate->rows[low + *count].group == group; ++*count)
        ;
    return estimate->rows + low;
}
