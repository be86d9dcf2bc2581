/* pending.c: jobs and host programs of one scope of R3, from their start to the end of their wait. */
#include "torq/pending.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "torq/chain.h"

static status end(struct torq_log *log, struct pendings *pendings, size_t place, int64_t time)
{
    status code = torq_log_work_end(log, &pendings->items[place].work, time);

    assert(place < pendings->count);
    assert(log->pending);
    log->pending--;
    pendings->count--;
    if (place < pendings->count)
        memmove(&pendings->items[place], &pendings->items[place + 1],
                (pendings->count - place) * sizeof *pendings->items);
    return code;
}

status pendings_lose(struct torq_log *log, struct pendings *pendings, int64_t time)
{
    status code;

    assert(pendings->count);
    code = torq_log_mark(log, &loss_begin_without_end, pendings->items[0].line);
    return code == STATUS_OK ? end(log, pendings, 0, time) : code;
}

static status add(struct torq_log *log, struct pendings *pendings, int64_t last, struct pending **added)
{
    status code = STATUS_OK;

    if (pendings->count == TORQ_MOST_PENDING)
        code = pendings_lose(log, pendings, last);
    if (code == STATUS_OK)
        code = memory_grow(&pendings->items, &pendings->capacity, pendings->count + 1, sizeof *pendings->items);
    if (code != STATUS_OK)
        return code;
    *added = &pendings->items[pendings->count];
    return STATUS_OK;
}

/* The wait action of a host program: the next one in its dispatch that waits for the same invocation. Actions are sorted
 * by id, and ids are dense as a rule: the search starts where the start itself would then be. */
static int64_t host_wait_action(const struct program *program, const struct program_action *start)
{
    enum { NEAR = 64 };
    const struct program_dispatch *dispatch = program_dispatch(program, start->dispatch);
    uint32_t at =
        start->id > 0 && (uint32_t)start->id < dispatch->action_count ? (uint32_t)start->id : dispatch->action_count;

    assert(start->dispatch < program->dispatches.count);
    while (at > 0 &&
           (at == dispatch->action_count || program_action(program, dispatch->first_action + at)->id > start->id))
        at--;
    for (uint32_t looked = 0; at < dispatch->action_count && looked < NEAR; at++, looked++) {
        const struct program_action *action = program_action(program, dispatch->first_action + at);

        if (action->kind == ACTION_HOST_WAIT && action->invocation == start->invocation && action->id > start->id)
            return action->id;
    }
    return -1;
}

static status begin_host_program(struct torq_log *log, const struct pending_row *row,
                                 const struct program_action *action, const struct slice *like, struct torq_work *work)
{
    struct argument arguments[2] = { { .key = log->keys.start_action, .integer = row->action } };
    struct slice slice = *like;
    int64_t wait = action && action->kind == ACTION_HOST_START ? host_wait_action(log->program, action) : -1;
    status code;

    if (row->event == TORQ_EVENT_HOST_WAIT)
        arguments[0].key = log->keys.wait_action;
    slice.arguments = arguments;
    slice.argument_count = 1;
    slice.flow = 0;
    if (wait >= 0)
        arguments[slice.argument_count++] = (struct argument){ .key = log->keys.wait_action, .integer = wait };
    work->engines.count = 0;
    work->start = row->time;
    slice.name = action ? action->invocation : 0;
    code = slice.name ? STATUS_OK
                      : torq_log_type_name(log, TORQ_EVENT_HOST_PROGRAM, (struct text){ NULL, 0 }, &slice.name);
    if (code == STATUS_OK)
        code = torq_log_track(log, &torq_engine_host, &slice.track);
    if (code == STATUS_OK)
        code = feed_open(log->feed, &work->id);
    return code == STATUS_OK ? sink_begin(&log->feed->sink, work->id, NO_ID, &slice) : code;
}

status pendings_begin(struct torq_log *log, struct pendings *pendings, const struct pending_row *row,
                      const struct program_action *action, const struct slice *like)
{
    bool host = row->event == TORQ_EVENT_HOST_START || row->event == TORQ_EVENT_HOST_WAIT;
    bool wait = row->event == TORQ_EVENT_HOST_WAIT || row->event == TORQ_EVENT_NSS_WAIT;
    struct pending *pending;
    status code = add(log, pendings, row->last, &pending);

    if (code != STATUS_OK)
        return code;
    /* Field by field: `work` is large, and whoever begins it fills what is needed. */
    pending->host = host;
    pending->waited = wait;
    pending->wait_action = wait ? row->action : -1;
    pending->start_action = wait ? -1 : row->action;
    pending->job = host ? NULL : join_job(log->join, action);
    pending->invocation = host && action ? action->invocation : 0;
    pending->flow = like->flow;
    pending->line = row->line;
    if (host)
        code = begin_host_program(log, row, action, like, &pending->work);
    else
        code = torq_log_job_begin(log, pending->job, pending->start_action, pending->wait_action, like, row->time,
                                  &pending->work);
    if (code == STATUS_OK) {
        pendings->count++;
        log->pending++;
    }
    return code;
}

/* The started work that a wait is for: the program's, where it knows, else the one that was started first. */
static struct pending *find_started(struct pendings *pendings, bool host, const struct program_job *job,
                                    string_id invocation)
{
    for (size_t i = 0; i < pendings->count; i++) {
        struct pending *pending = &pendings->items[i];

        if (pending->host != host || pending->waited)
            continue;
        if ((!job || pending->job == job) && (!invocation || !pending->invocation || pending->invocation == invocation))
            return pending;
    }
    return NULL;
}

const struct pending *pendings_wait(struct torq_log *log, struct pendings *pendings, enum torq_event event, int64_t id,
                                    const struct program_action *action)
{
    bool host = event == TORQ_EVENT_HOST_WAIT;
    struct pending *pending = find_started(pendings, host, host ? NULL : join_job(log->join, action),
                                           host && action ? action->invocation : 0);

    if (pending) {
        pending->waited = true;
        pending->wait_action = id;
    }
    return pending;
}

status pendings_end(struct torq_log *log, struct pendings *pendings, enum torq_event event, int64_t id, int64_t time)
{
    bool host = event == TORQ_EVENT_HOST_WAIT;

    for (size_t i = 0; i < pendings->count; i++) {
        const struct pending *pending = &pendings->items[i];

        if (pending->host == host && pending->waited && pending->wait_action == id)
            return end(log, pendings, i, time);
    }
    return STATUS_OK;
}
