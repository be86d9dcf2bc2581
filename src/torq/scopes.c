/* scopes.c: R3, two rows per event: `dispatch_name,invocation_id,action_id,timestamp_us,event`.
 *
 * An invocation is a scope (an init, a dispatch, a HAL call) that belongs to one thread, so its events nest like
 * brackets: each scope keeps a stack of what is open. Scopes overlap each other freely.
 *
 *   DISPATCH [ EXECUTE_ACTIONS [ NSS_START[ ] NSS_WAIT[ ] ] ]     stack of one scope, all on the track Runtime
 *                                +---- job -----------+           NSS_START begin to NSS_WAIT end, on NSS Programs
 *
 * HAL_CALL encloses the other events of its scope. Where there are any, they count and it does not: see busy.h.
 */
#include <assert.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/number.h"
#include "read/value.h"
#include "torq/chain.h"
#include "torq/log.h"
#include "torq/pending.h"

struct open_event {
    enum torq_event event; /* that has begun */
    string_id name;        /* tells unknown events apart */
    int64_t action;        /* id; -1: none */
    open_id id;            /* of its slice */
    track_id track;        /* that the slice is on */
    int64_t start;         /* ticks */
    int64_t earliest;      /* its end is not before this: its own start, and the ends of what it enclosed */
    uint64_t line;         /* of the begin */
    bool again;            /* one of its kind was open already */
    step_id step;          /* of a run; NO_ID: it is none */
};

struct scope {
    int64_t invocation;               /* id */
    string_id dispatch;               /* its name */
    struct scope *next_in_bucket;     /* with the same hash */
    struct scope *newer, *older;      /* live scopes in order of their first row; `newer` also links unused ones */
    struct open_event *opens;         /* outermost first */
    size_t open_count, open_capacity; /* of these */
    uint64_t open_kinds;              /* kinds of events that are open, as bits */
    struct pendings pendings;         /* work that was started and has not ended */
    uint64_t number;                  /* counts up with the first rows */
    int64_t last;                     /* largest time seen in this scope */
};

/* A number and its comma, as rows have them again and again. */
struct repeated {
    uint64_t bytes; /* the first `length` of them count, the others are 0 */
    uint64_t mask;  /* of the bytes that count */
    size_t length;  /* 0: none yet */
    int64_t value;  /* that they mean */
};

/* What is known of a dispatch, since the same ones come in the same order with every inference. */
struct known_dispatch {
    string_id id;     /* 0: nothing is known */
    string_id title;  /* as scope_title makes it; 0: not asked for yet */
    string_id next;   /* that came in the row behind its rows the last time; 0: none yet */
    struct text name; /* of the next one, as the pool keeps it */
};

enum { KNOWN_DISPATCHES = 256 }; /* a power of two */

struct torq_scopes {
    struct torq_log *log;                          /* borrowed */
    struct torq_event_table events;                /* by their text */
    struct scope_columns columns;                  /* of the header that came last */
    struct scope **buckets;                        /* a power of two */
    size_t bucket_count;                           /* of them */
    size_t scope_count;                            /* that are live */
    struct scope *oldest, *newest;                 /* live ones, by their first row */
    struct scope *starter;                         /* no older one has work that has not ended; NULL: all may */
    uint64_t made;                                 /* scopes so far */
    struct scope *unused;                          /* ended; their arrays serve again */
    struct scope *current;                         /* of the row before; NULL: none, or it has ended */
    struct text name;                              /* dispatch of the row before, as the pool keeps it */
    string_id dispatch;                            /* the same; 0: none yet */
    string_id queue_execute;                       /* name of the call that starts the dispatches of an inference */
    struct repeated before[2];                     /* invocation and action of the row before */
    struct known_dispatch known[KNOWN_DISPATCHES]; /* by the end of their ids */
};

struct scope_row {
    string_id dispatch;    /* 0: not known yet */
    int64_t invocation;    /* id */
    int64_t action;        /* id; -1: none */
    int64_t time;          /* ticks */
    enum torq_event event; /* that happened */
    enum torq_phase phase; /* which end of it */
    string_id name;        /* of the event's type */
    uint64_t line;         /* of the file */
};

/* ---- Scopes ---- */

/* Hardly more are live at once than there are threads. Where their ends are missing, each keeps a lane of a trace: beyond so many the
 * oldest is over. */
enum { FIRST_BUCKETS = 256, MOST_SCOPES = 4096 };

static const struct scope_columns usual_columns = { .places = { 0, 1, 2, 3, 4 },
                                                    .count = SCOPE_COLUMNS,
                                                    .usual = true };

status torq_scopes_new(struct torq_log *log, struct torq_scopes **scopes)
{
    struct torq_scopes *made = memory_allocate_clear(sizeof *made);
    status code;

    if (!made)
        return status_no_memory("reading a runtime log");
    code = strings_add_text(log->feed->strings, "__HAL_QUEUE_EXECUTE__", &made->queue_execute);
    made->log = log;
    made->columns = usual_columns;
    made->bucket_count = FIRST_BUCKETS;
    made->buckets = memory_allocate_clear(FIRST_BUCKETS * sizeof(struct scope *));
    if (code == STATUS_OK && !made->buckets)
        code = status_no_memory("reading a runtime log");
    if (code != STATUS_OK) {
        torq_scopes_free(made);
        return code;
    }
    torq_event_table_fill(&made->events);
    *scopes = made;
    return STATUS_OK;
}

static void free_list(struct scope *scope)
{
    while (scope) {
        struct scope *next = scope->newer;

        memory_free(scope->opens);
        memory_free(scope->pendings.items);
        memory_free(scope);
        scope = next;
    }
}

void torq_scopes_free(struct torq_scopes *scopes)
{
    if (!scopes)
        return;
    free_list(scopes->oldest);
    free_list(scopes->unused);
    memory_free(scopes->buckets);
    memory_free(scopes);
}

static size_t bucket_of(int64_t invocation, string_id dispatch, size_t buckets)
{
    uint64_t mixed = ((uint64_t)invocation ^ (uint64_t)dispatch << 40) * 0x9E3779B97F4A7C15u;

    assert(buckets && !(buckets & (buckets - 1)));
    return (size_t)(mixed >> 32) & (buckets - 1);
}

static status grow_buckets(struct torq_scopes *scopes)
{
    size_t count = scopes->bucket_count * 2;
    struct scope **buckets = memory_allocate_clear(count * sizeof(struct scope *));

    if (!buckets)
        return status_no_memory("reading a runtime log");
    for (struct scope *scope = scopes->oldest; scope; scope = scope->newer) {
        size_t bucket = bucket_of(scope->invocation, scope->dispatch, count);

        scope->next_in_bucket = buckets[bucket];
        buckets[bucket] = scope;
    }
    memory_free(scopes->buckets);
    scopes->buckets = buckets;
    scopes->bucket_count = count;
    return STATUS_OK;
}

static struct scope *find_scope(struct torq_scopes *scopes, int64_t invocation, string_id dispatch)
{
    struct scope *scope = scopes->current;

    if (scope && scope->invocation == invocation && scope->dispatch == dispatch)
        return scope;
    scope = scopes->buckets[bucket_of(invocation, dispatch, scopes->bucket_count)];
    while (scope && (scope->invocation != invocation || scope->dispatch != dispatch))
        scope = scope->next_in_bucket;
    scopes->current = scope;
    return scope;
}

static status make_scope(struct torq_scopes *scopes, const struct scope_row *row, struct scope **made)
{
    struct scope *scope = scopes->unused;
    struct scope **bucket;

    if (scopes->scope_count >= scopes->bucket_count) {
        status code = grow_buckets(scopes);

        if (code != STATUS_OK)
            return code;
    }
    if (scope)
        scopes->unused = scope->newer;
    else if (!(scope = memory_allocate_clear(sizeof *scope)))
        return status_no_memory("reading a runtime log");
    scope->invocation = row->invocation;
    scope->dispatch = row->dispatch;
    scope->last = row->time;
    bucket = &scopes->buckets[bucket_of(scope->invocation, scope->dispatch, scopes->bucket_count)];
    scope->next_in_bucket = *bucket;
    *bucket = scope;
    scope->newer = NULL;
    scope->older = scopes->newest;
    *(scopes->newest ? &scopes->newest->newer : &scopes->oldest) = scope;
    scopes->newest = scope;
    scopes->scope_count++;
    scope->number = scopes->made++;
    scopes->current = scope;
    *made = scope;
    return STATUS_OK;
}

static void end_scope(struct torq_scopes *scopes, struct scope *scope)
{
    struct scope **link = &scopes->buckets[bucket_of(scope->invocation, scope->dispatch, scopes->bucket_count)];

    assert(!scope->open_count && !scope->pendings.count);
    while (*link != scope)
        link = &(*link)->next_in_bucket;
    *link = scope->next_in_bucket;
    *(scope->older ? &scope->older->newer : &scopes->oldest) = scope->newer;
    *(scope->newer ? &scope->newer->older : &scopes->newest) = scope->older;
    if (scopes->starter == scope)
        scopes->starter = scope->newer;
    scope->newer = scopes->unused;
    scopes->unused = scope;
    scopes->scope_count--;
    if (scopes->current == scope)
        scopes->current = NULL;
}

/* ---- Events ---- */

/* Ends the innermost open event; `lost`: its end never came. */
static status end_innermost(struct torq_scopes *scopes, struct scope *scope, int64_t time, bool lost)
{
    struct open_event *open = &scope->opens[--scope->open_count];
    struct torq_log *log = scopes->log;
    status code;

    assert(scope->open_count < scope->open_capacity); /* one was open */
    if (!open->again)
        scope->open_kinds &= ~(UINT64_C(1) << open->event);
    if (time < open->earliest)
        time = open->earliest;
    if (scope->open_count > 0 && scope->opens[scope->open_count - 1].earliest < time)
        scope->opens[scope->open_count - 1].earliest = time;
    code = sink_end(&log->feed->sink, open->id, time);
    feed_close(log->feed, open->id);
    if (code == STATUS_OK && open->step != NO_ID)
        code = (lost ? feed_step_lost : feed_step_end)(log->feed, open->step, time);
    if (code == STATUS_OK && (open->event == TORQ_EVENT_NSS_WAIT || open->event == TORQ_EVENT_HOST_WAIT))
        code = pendings_end(log, &scope->pendings, open->event, open->action, time);
    return code;
}

static status end_lost_innermost(struct torq_scopes *scopes, struct scope *scope, int64_t time)
{
    status code = torq_log_mark(scopes->log, &loss_begin_without_end, scope->opens[scope->open_count - 1].line);

    return code == STATUS_OK ? end_innermost(scopes, scope, time, true) : code;
}

/* One past the place of an open event in its scope's stack; 0: it is not open. */
static size_t find_open(const struct scope *scope, const struct scope_row *row)
{
    for (size_t i = scope->open_count; i > 0; i--) {
        const struct open_event *open = &scope->opens[i - 1];

        if (open->event == row->event && open->action == row->action && open->name == row->name)
            return i;
    }
    return 0;
}

/* Ends what the oldest scope has begun, with its last row: its own end never came. */
static status lose_oldest(struct torq_scopes *scopes)
{
    struct scope *scope = scopes->oldest;
    status code = STATUS_OK;

    while (code == STATUS_OK && scope->open_count > 0)
        code = end_lost_innermost(scopes, scope, scope->last);
    while (code == STATUS_OK && scope->pendings.count > 0)
        code = pendings_lose(scopes->log, &scope->pendings, scope->last);
    if (code == STATUS_OK)
        end_scope(scopes, scope);
    return code;
}

/* Ends the job that was started first of all. There is one. */
static status lose_oldest_job(struct torq_scopes *scopes, const struct scope *keep)
{
    struct scope *scope = scopes->starter ? scopes->starter : scopes->oldest;
    status code;

    while (!scope->pendings.count)
        scope = scope->newer;
    scopes->starter = scope;
    code = pendings_lose(scopes->log, &scope->pendings, scope->last);
    if (code == STATUS_OK && scope != keep && !scope->open_count && !scope->pendings.count)
        end_scope(scopes, scope);
    return code;
}

/* With its outermost event a scope is over. One that has none keeps the jobs that it still waits for. */
static status settle_scope(struct torq_scopes *scopes, struct scope *scope, enum torq_event ended)
{
    status code = STATUS_OK;

    if (scope->open_count > 0)
        return STATUS_OK;
    while (code == STATUS_OK && scope->pendings.count > 0 && torq_event_role(ended) == TORQ_ROLE_SCOPE)
        code = pendings_lose(scopes->log, &scope->pendings, scope->last);
    if (code == STATUS_OK && scope->pendings.count == 0)
        end_scope(scopes, scope);
    return code;
}

static status end_event(struct torq_scopes *scopes, struct scope *scope, const struct scope_row *row, size_t place)
{
    status code = STATUS_OK;

    while (code == STATUS_OK && scope->open_count > place)
        code = end_lost_innermost(scopes, scope, row->time);
    if (code == STATUS_OK)
        code = end_innermost(scopes, scope, row->time, false);
    return code == STATUS_OK ? settle_scope(scopes, scope, row->event) : code;
}

static struct known_dispatch *know_dispatch(struct torq_scopes *scopes, string_id id)
{
    struct known_dispatch *known = &scopes->known[id % KNOWN_DISPATCHES];

    if (known->id != id)
        *known = (struct known_dispatch){ .id = id };
    return known;
}

/* __HAL_QUEUE_EXECUTE__ as HAL_QUEUE_EXECUTE. */
static status scope_title(struct torq_scopes *scopes, string_id dispatch, string_id *title)
{
    struct known_dispatch *known = know_dispatch(scopes, dispatch);
    struct text name;
    status code;

    *title = known->title;
    if (*title)
        return STATUS_OK;
    name = strings_get(scopes->log->feed->strings, dispatch);

    while (name.length > 0 && *name.data == '_') {
        name.data++;
        name.length--;
    }
    while (name.length > 0 && name.data[name.length - 1] == '_')
        name.length--;
    code = strings_add(scopes->log->feed->strings, name.data, name.length, title);
    known->title = code == STATUS_OK ? *title : 0;
    return code;
}

static status name_event(struct torq_scopes *scopes, const struct scope_row *row, string_id *name)
{
    struct strings *strings = scopes->log->feed->strings;

    *name = row->name;
    switch (row->event) {
    case TORQ_EVENT_INIT:
        return strings_add_format(strings, name, "INIT %s", strings_text(strings, row->dispatch));
    case TORQ_EVENT_DISPATCH:
        *name = row->dispatch;
        return STATUS_OK;
    case TORQ_EVENT_HAL_CALL:
        return scope_title(scopes, row->dispatch, name);
    default:
        return STATUS_OK;
    }
}

static open_id enclosing_slice(const struct scope *scope, track_id track, int64_t start)
{
    for (size_t i = scope->open_count; i > 0; i--) {
        const struct open_event *open = &scope->opens[i - 1];

        if (open->track == track)
            return open->start <= start ? open->id : NO_ID;
    }
    return NO_ID;
}

/* What the program knows about an action; what it should know and does not is marked. */
static status look_up(struct torq_scopes *scopes, const struct scope_row *row, const struct program_action **action)
{
    struct torq_log *log = scopes->log;
    bool job = row->event == TORQ_EVENT_NSS_START || row->event == TORQ_EVENT_NSS_WAIT;
    status code;

    log->jobs |= job;
    *action = NULL;
    if (!log->program)
        return STATUS_OK;
    *action = join_action(log->join, row->dispatch, row->action);
    code = agreement_action(&log->agreement,
                            &(struct agreement_row){ row->dispatch, row->action, row->event, 0, row->line }, *action);
    if (code == STATUS_OK && (!*action || (job && !join_job(log->join, *action))))
        code = torq_log_mark(log, &torq_loss_no_match, row->line);
    return code;
}

/* The dispatch goes with actions, and with what stands for a whole scope or a HAL call: phases lie inside those. */
static unsigned fill_arguments(const struct torq_log *log, const struct scope_row *row, const struct engine *engine,
                               struct argument arguments[3])
{
    enum torq_role role = torq_event_role(row->event);
    bool all =
        !log->feed->sink.calls->keys; /* else nobody asks for words of this log, but for a dispatch its job does */
    unsigned count = 0;

    if (role == TORQ_ROLE_ACTION && all)
        arguments[count++] = (struct argument){ .key = log->keys.action, .integer = row->action };
    if (role == TORQ_ROLE_ACTION || role == TORQ_ROLE_SCOPE || engine == &torq_engine_hal)
        arguments[count++] = (struct argument){
            .key = log->keys.dispatch, .flags = ARGUMENT_HIDDEN, .type = ARGUMENT_TEXT, .text = row->dispatch
        };
    if (all)
        arguments[count++] =
            (struct argument){ .key = log->keys.invocation, .flags = ARGUMENT_OUTER, .integer = row->invocation };
    return count;
}

/* Dispatches come again with every inference, and so does the call that starts them; so do actions, where a log does not say which
 * dispatch they lie in. */
static bool is_step(const struct torq_scopes *scopes, const struct scope *scope, const struct scope_row *row)
{
    return row->event == TORQ_EVENT_DISPATCH ||
           (row->event == TORQ_EVENT_HAL_CALL && row->dispatch == scopes->queue_execute) ||
           (scope->open_count == 0 && torq_event_role(row->event) == TORQ_ROLE_ACTION);
}

static status push_open(struct torq_scopes *scopes, struct scope *scope, const struct scope_row *row,
                        const struct slice *slice)
{
    struct torq_log *log = scopes->log;
    struct open_event *open;
    status code = scope->open_count < scope->open_capacity
                      ? STATUS_OK
                      : memory_grow(&scope->opens, &scope->open_capacity, scope->open_count + 1, sizeof *scope->opens);
    open_id parent = enclosing_slice(scope, slice->track, slice->start);

    if (code != STATUS_OK)
        return code;
    open = &scope->opens[scope->open_count];
    *open = (struct open_event){ row->event, row->name,    row->action,
                                 NO_ID,      slice->track, row->time,
                                 row->time,  row->line,    scope->open_kinds >> row->event & 1,
                                 NO_ID };
    code = feed_open(log->feed, &open->id);
    if (code == STATUS_OK && is_step(scopes, scope, row))
        code = torq_log_step(log, map_mix(row->dispatch, (uint64_t)row->action), row->time, &open->step);
    if (code != STATUS_OK)
        return code;
    scope->open_count++;
    scope->open_kinds |= UINT64_C(1) << row->event;
    return sink_begin(&log->feed->sink, open->id, parent, slice);
}

/* The slice of an event, and with a start or a wait the work that it is about. */
static status begin_action_event(struct torq_scopes *scopes, struct scope *scope, const struct scope_row *row,
                                 struct slice *slice)
{
    const struct program_action *action;
    bool starts = row->event == TORQ_EVENT_NSS_START || row->event == TORQ_EVENT_HOST_START;
    bool waits = row->event == TORQ_EVENT_NSS_WAIT || row->event == TORQ_EVENT_HOST_WAIT;
    const struct pending *pending = NULL;
    status code = look_up(scopes, row, &action);

    if (code == STATUS_OK && action)
        code = feed_operator(scopes->log->feed, action->location, &slice->op);
    if (code != STATUS_OK)
        return code;
    if (waits && (pending = pendings_wait(scopes->log, &scope->pendings, row->event, row->action, action)) != NULL)
        slice->flow = pending->flow;
    if (row->event == TORQ_EVENT_NSS_START)
        slice->flow = feed_flow(scopes->log->feed);
    if (row->event == TORQ_EVENT_HOST_PROGRAM && action && action->invocation)
        slice->name = action->invocation;
    code = push_open(scopes, scope, row, slice);
    if (!starts && (!waits || pending))
        return code;
    if (code == STATUS_OK && scopes->log->pending == TORQ_MOST_PENDING)
        code = lose_oldest_job(scopes, scope);
    if (scopes->starter && scope->number < scopes->starter->number)
        scopes->starter = scope;
    if (code == STATUS_OK)
        code = pendings_begin(scopes->log, &scope->pendings,
                              &(struct pending_row){ row->event, row->action, row->time, row->line, scope->last },
                              action, slice);
    return code;
}

static status begin_event(struct torq_scopes *scopes, struct scope *scope, const struct scope_row *row)
{
    struct torq_log *log = scopes->log;
    const struct engine *engine = torq_event_engine(row->event, true);
    struct argument arguments[3];
    struct slice slice = {
        .op = NO_ID,
        .run = NO_ID,
        .start = row->time,
        .end = row->time,
        .argument_count = fill_arguments(scopes->log, row, engine, arguments),
        .arguments = arguments,
    };
    status code = name_event(scopes, row, &slice.name);

    if (code == STATUS_OK && (scope->open_kinds >> row->event & 1) && find_open(scope, row))
        code = torq_log_mark(log, &loss_repeated_id, row->line);
    if (code == STATUS_OK && row->event == TORQ_EVENT_UNKNOWN)
        code = torq_log_mark(log, &loss_unknown_event, row->line);
    if (code == STATUS_OK && scope->open_count == TORQ_MOST_OPEN)
        code = end_lost_innermost(scopes, scope, row->time);
    if (code == STATUS_OK)
        code = torq_log_track(log, engine, &slice.track);
    if (code != STATUS_OK)
        return code;
    if (torq_event_role(row->event) == TORQ_ROLE_ACTION)
        return begin_action_event(scopes, scope, row, &slice);
    return push_open(scopes, scope, row, &slice);
}

/* ---- Rows ---- */

static status use_row(struct torq_scopes *scopes, const struct scope_row *row, const struct line *line)
{
    struct torq_log *log = scopes->log;
    struct scope *scope = find_scope(scopes, row->invocation, row->dispatch);
    size_t place = 0;
    status code;

    if (row->phase == TORQ_END) {
        place = scope ? find_open(scope, row) : 0;
        if (place == 0)
            return torq_log_lose(log, line, &loss_end_without_begin, 0);
    }
    log->feed->losses.used++;
    code = torq_log_time(log, row->time, row->line);
    if (code == STATUS_OK && !scope && scopes->scope_count == MOST_SCOPES)
        code = lose_oldest(scopes);
    if (code == STATUS_OK && !scope)
        code = make_scope(scopes, row, &scope);
    if (code != STATUS_OK)
        return code;
    if (row->time > scope->last)
        scope->last = row->time;
    if (place > 0)
        return end_event(scopes, scope, row, place);
    code = begin_event(scopes, scope, row);
    /* An event that is neither a begin nor an end happens at one time. */
    if (code == STATUS_OK && row->phase == TORQ_NO_PHASE) {
        code = end_innermost(scopes, scope, row->time, false);
        if (code == STATUS_OK)
            code = settle_scope(scopes, scope, row->event);
    }
    return code;
}

/* A dispatch's name that differs from that of the row before. */
static status read_name(struct torq_scopes *scopes, struct text name, struct scope_row *row,
                        const struct loss_reason **reason)
{
    status code;

    name = text_trim(name);
    if (name.length >= 2 && *name.data == '"' && name.data[name.length - 1] == '"')
        name = (struct text){ name.data + 1, name.length - 2 };
    if (name.length == 0 || text_is_binary(name)) {
        *reason = &loss_fields;
        return STATUS_OK;
    }
    code = strings_add(scopes->log->feed->strings, name.data, name.length, &row->dispatch);
    if (code != STATUS_OK)
        return code;
    scopes->name = strings_get(scopes->log->feed->strings, row->dispatch);
    if (scopes->dispatch) {
        struct known_dispatch *before = know_dispatch(scopes, scopes->dispatch);

        before->next = row->dispatch;
        before->name = scopes->name;
    }
    scopes->dispatch = row->dispatch;
    return STATUS_OK;
}

static status read_event(struct torq_scopes *scopes, struct text text, struct scope_row *row,
                         const struct loss_reason **reason)
{
    struct torq_parsed parsed = { .type = { NULL, 0 } };

    if (!torq_event_table_find(&scopes->events, text, &row->event, &row->phase)) {
        text = text_trim(text);
        if (text.length == 0 || text_is_binary(text) || text_first(text, ',')) {
            *reason = &loss_fields;
            return STATUS_OK;
        }
        torq_parse_scope_event(text, &parsed);
        row->event = parsed.event;
        row->phase = parsed.phase;
    }
    row->name = row->event == TORQ_EVENT_UNKNOWN ? 0 : scopes->log->type_names[row->event];
    return row->name ? STATUS_OK : torq_log_type_name(scopes->log, row->event, parsed.type, &row->name);
}

/* Invocation and action are those of the row before as a rule: eight bytes tell. */
__attribute__((always_inline)) static inline bool read_repeated(const char **cursor, const char *end,
                                                                struct repeated *before, int64_t *value)
{
    const char *start = *cursor;
    uint64_t bytes;

    if (end - start < 8)
        return number_digits_then(cursor, end, ',', value);
    memcpy(&bytes, start, sizeof bytes);
    if (before->length && (bytes & before->mask) == before->bytes) {
        *value = before->value;
        *cursor = start + before->length;
        return true;
    }
    if (*start == '-' && start[1] == '1' && start[2] == ',') {
        *value = -1;
        *cursor = start + 3;
    } else if (!number_digits_then(cursor, end, ',', value)) {
        return false;
    }
    before->length = (size_t)(*cursor - start);
    if (before->length > sizeof bytes) {
        before->length = 0;
        return true;
    }
    before->mask = UINT64_MAX >> 8 * (sizeof bytes - before->length);
    if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
        before->mask = __builtin_bswap64(before->mask);
    before->bytes = bytes & before->mask;
    before->value = *value;
    return true;
}

static inline bool read_numbers_fast(struct repeated before[2], const char **cursor, const char *end,
                                     struct scope_row *row)
{
    return read_repeated(cursor, end, &before[0], &row->invocation) && row->invocation >= 0 &&
           read_repeated(cursor, end, &before[1], &row->action) && number_digits_then(cursor, end, ',', &row->time);
}

/* With blanks, signs or more digits than usual. */
__attribute__((noinline)) static const struct loss_reason *read_numbers_slow(const char **cursor, const char *end,
                                                                             struct scope_row *row)
{
    int64_t *const values[3] = { &row->invocation, &row->action, &row->time };
    struct text rest = text_between(*cursor, end);

    for (unsigned i = 0; i < 3; i++) {
        const struct loss_reason *reason = value_as_integer(text_take(&rest, ','), values[i]);

        if (!rest.data)
            return &loss_fields;
        if (reason != NULL)
            return i == 2 ? reason : &loss_number;
    }
    *cursor = rest.data;
    return NULL;
}

static inline const struct loss_reason *read_numbers(struct torq_scopes *scopes, const char **cursor, const char *end,
                                                     struct scope_row *row)
{
    const char *start = *cursor;

    if (read_numbers_fast(scopes->before, cursor, end, row))
        return NULL;
    *cursor = start;
    return read_numbers_slow(cursor, end, row);
}

static inline bool begins_with(const struct line *line, struct text name)
{
    return name.length && name.length < line->length && line->data[name.length] == ',' &&
           text_same(line->data, name.data, name.length);
}

/* The end of the first field. As a rule it is the name of the row before, or the one that came behind that before: then `row->dispatch` is set. */
static inline const char *find_comma(struct torq_scopes *scopes, const struct line *line, struct scope_row *row)
{
    const struct known_dispatch *known = &scopes->known[scopes->dispatch % KNOWN_DISPATCHES];

    if (!begins_with(line, scopes->name)) {
        if (known->id != scopes->dispatch || !begins_with(line, known->name))
            return text_first((struct text){ line->data, line->length }, ',');
        scopes->name = known->name;
        scopes->dispatch = known->next;
    }
    row->dispatch = scopes->dispatch;
    return line->data + scopes->name.length;
}

/* The fields of a row in another order than the usual one, with others between them, or in quotes. */
__attribute__((noinline)) static const struct loss_reason *split_row(const struct scope_columns *columns,
                                                                     struct text line, struct scope_row *row,
                                                                     struct text *name, struct text *event)
{
    struct text fields[SCOPE_COLUMNS] = { { NULL, 0 } };
    unsigned count = 0;

    for (; line.data && count < columns->count; count++) {
        struct text field = row_field(&line, ',');

        for (unsigned i = 0; i < SCOPE_COLUMNS; i++)
            if (columns->places[i] == count)
                fields[i] = field;
    }
    if (line.data || count < columns->count)
        return &loss_fields;
    *name = fields[SCOPE_NAME];
    *event = fields[SCOPE_EVENT];
    if (value_as_integer(fields[SCOPE_INVOCATION], &row->invocation) != NULL ||
        value_as_integer(fields[SCOPE_ACTION], &row->action) != NULL)
        return &loss_number;
    return value_as_integer(fields[SCOPE_TIME], &row->time);
}

/* The numbers of a row, and where its texts are. `row->dispatch` is set where it is that of the row before. */
static inline const struct loss_reason *read_fields(struct torq_scopes *scopes, const struct line *line,
                                                    struct scope_row *row, struct text *name, struct text *event)
{
    struct text text = { line->data, line->length };
    const char *end = line->data + line->length, *comma, *cursor;
    const struct loss_reason *reason;

    if (!scopes->columns.usual)
        return split_row(&scopes->columns, text, row, name, event);
    comma = find_comma(scopes, line, row);
    cursor = comma ? comma + 1 : end;
    reason = comma ? read_numbers(scopes, &cursor, end, row) : &loss_fields;
    if (reason == NULL) {
        *name = text_between(line->data, comma);
        *event = text_between(cursor, end);
    }
    return reason != NULL && text_first(text, '"') ? split_row(&usual_columns, text, row, name, event) : reason;
}

bool torq_scopes_header(struct torq_scopes *scopes, struct text line)
{
    struct scope_columns columns;

    if (!row_scope_columns(line, &columns))
        return false;
    scopes->columns = columns;
    return true;
}

status torq_scopes_row(struct torq_scopes *scopes, struct line *line)
{
    struct torq_log *log = scopes->log;
    struct text text = { line->data, line->length }, name = { NULL, 0 }, event = { NULL, 0 };
    struct scope_row row = { .line = line->number };
    const struct loss_reason *reason = read_fields(scopes, line, &row, &name, &event);
    status code = STATUS_OK;

    if (reason != NULL && (text_is_blank(text) || torq_scopes_header(scopes, text)))
        return STATUS_OK;
    log->feed->losses.rows++;
    if (reason == NULL && (row.time < 0 || row.time > log->limit))
        reason = &loss_time_range;
    if (reason == NULL && !line->too_long) {
        if (!row.dispatch)
            code = read_name(scopes, name, &row, &reason);
        if (code == STATUS_OK && reason == NULL)
            code = read_event(scopes, event, &row, &reason);
    }
    if (code != STATUS_OK)
        return code;
    if (reason != NULL || line->too_long)
        return torq_log_lose(log, line, reason, 0);
    return use_row(scopes, &row, line);
}

status torq_scopes_finish(struct torq_scopes *scopes)
{
    status code = STATUS_OK;

    while (code == STATUS_OK && scopes->oldest)
        code = lose_oldest(scopes);
    assert(code != STATUS_OK || !scopes->oldest);
    return code;
}

bool torq_scopes_row_start(struct text line)
{
    struct repeated before[2] = { { 0 } };
    const char *comma = text_first(line, ',');
    const char *end = line.data + line.length;
    const char *cursor = comma ? comma + 1 : end;
    struct torq_parsed parsed;
    struct scope_row row;

    if (!comma || comma == line.data || !read_numbers_fast(before, &cursor, end, &row))
        return false;
    torq_parse_scope_event(text_trim((struct text){ cursor, (size_t)(end - cursor) }), &parsed);
    return parsed.phase != TORQ_NO_PHASE;
}
