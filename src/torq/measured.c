/* measured.c: keeps actions, jobs and HAL calls as they come. */
#include "torq/measured.h"

#include <assert.h>

#include "base/memory.h"
#include "torq/chain.h"

void measured_start(struct measured *measured, struct strings *strings)
{
    *measured = (struct measured){ .strings = strings };
    column_start(&measured->rows, sizeof(struct measured_row));
    column_start(&measured->engines, sizeof(const struct engine *));
    column_start(&measured->operators, sizeof(string_id));
}

void measured_free(struct measured *measured)
{
    column_free(&measured->rows);
    column_free(&measured->engines);
    column_free(&measured->operators);
    memory_free(measured->opens);
    measured_start(measured, measured->strings);
}

static status on_clock(void *self, clock_id id, const struct clock *clock)
{
    struct measured *measured = self;

    if (id == 0)
        measured->clock = *clock;
    return STATUS_OK;
}

static status on_track(void *self, const struct track *track)
{
    struct measured *measured = self;
    const struct engine **engine = column_append(&measured->engines);

    if (!engine)
        return status_no_memory("keeping a track");
    assert(track->id == measured->engines.count - 1 && "ids of tracks are dense");
    *engine = track->engine;
    return torq_keys_start(&measured->keys, measured->strings);
}

static status on_operator(void *self, const struct op *op)
{
    struct measured *measured = self;
    string_id *location = column_append(&measured->operators);

    if (!location)
        return status_no_memory("keeping an operator");
    assert(op->id == measured->operators.count - 1 && "ids of operators are dense");
    *location = op->location;
    return STATUS_OK;
}

/* What this slice is, by its arguments and the engine of its track. False: nothing that is kept. */
static bool classify(const struct measured *measured, const struct slice *slice, struct measured_row *row)
{
    const struct engine *engine = *(const struct engine **)column_at(&measured->engines, slice->track);
    enum engine_group group = engine_group(engine);
    bool action = false, job = false, init;

    assert(slice->op == NO_ID || slice->op < measured->operators.count);
    *row = (struct measured_row){
        .invocation = -1, .id = -1, .name = slice->name, .start = slice->start, .end = slice->end
    };
    for (uint32_t i = 0; i < slice->argument_count; i++) {
        const struct argument *argument = &slice->arguments[i];

        if (argument->key == measured->keys.action) {
            action = true;
            row->id = argument->integer;
        } else if (argument->key == measured->keys.job && !action) {
            job = true;
            row->id = argument->integer;
        } else if (argument->key == measured->keys.invocation) {
            row->invocation = argument->integer;
        } else if (argument->key == measured->keys.dispatch) {
            row->dispatch = argument->text;
        }
    }
    row->kind = action ? MEASURED_ACTION : engine == &torq_engine_hal ? MEASURED_HAL : MEASURED_JOB;
    /* The slice of a whole scope carries the dispatch's name as argument; that of an INIT scope is called "INIT ...". */
    init = !action && engine == &torq_engine_runtime && row->dispatch &&
           text_begins(strings_get(measured->strings, slice->name), "INIT ");
    if (init)
        row->kind = MEASURED_INIT;
    if (slice->op != NO_ID)
        row->location = *(string_id *)column_at(&measured->operators, slice->op);
    /* Engine tracks repeat a job's arguments; they are not the job. */
    return group != GROUP_TRANSFER && group != GROUP_COMPUTE && group != GROUP_DRAWN &&
           (action || init || engine == &torq_engine_hal || (job && engine == &torq_engine_job));
}

static status add(struct measured *measured, const struct measured_row *row)
{
    struct measured_row *kept = column_append(&measured->rows);

    if (!kept)
        return status_no_memory("keeping measured actions");
    *kept = *row;
    measured->has_actions |= row->kind == MEASURED_ACTION;
    return STATUS_OK;
}

static status on_slice(void *self, const struct slice *slice)
{
    struct measured_row row;

    return classify(self, slice, &row) ? add(self, &row) : STATUS_OK;
}

static status on_begin(void *self, open_id id, open_id parent, const struct slice *slice)
{
    struct measured *measured = self;
    struct measured_row row;
    status code =
        memory_grow_clear(&measured->opens, &measured->open_capacity, (size_t)id + 1, sizeof *measured->opens);

    (void)parent;
    if (code != STATUS_OK)
        return code;
    measured->opens[id] = 0;
    if (!classify(measured, slice, &row))
        return STATUS_OK;
    row.end = row.start;
    code = add(measured, &row);
    measured->opens[id] = (uint32_t)measured->rows.count;
    return code;
}

static status on_end(void *self, open_id id, int64_t time)
{
    struct measured *measured = self;

    assert(id < measured->open_capacity);
    if (measured->opens[id]) {
        struct measured_row *row = column_at(&measured->rows, measured->opens[id] - 1);

        row->end = time > row->start ? time : row->start;
    }
    return STATUS_OK;
}

static const struct sink_calls measured_calls = {
    .clock = on_clock,
    .track = on_track,
    .op = on_operator,
    .slice = on_slice,
    .begin = on_begin,
    .end = on_end,
};

struct sink measured_sink(struct measured *measured)
{
    return (struct sink){ &measured_calls, measured };
}
