/* actions.c: R2, two rows per host action: `actionIndex, elapsed_time(us), timestamp(us), event, location`.
 *
 * Actions do not nest, so each end is matched with the newest begin of the same event and action, and no slice has a
 * parent. A job's time is that of its NSS_WAIT action: that is what the original tools sum up for this generation.
 */
#include <assert.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/number.h"
#include "read/value.h"
#include "torq/chain.h"
#include "torq/log.h"

struct open_action {
    enum torq_event event; /* that has begun */
    string_id name;        /* of its type; tells unknown events apart */
    int64_t action;        /* id */
    open_id id;            /* of its slice */
    step_id step;          /* of a run */
    int64_t start;         /* ticks */
    uint64_t line;         /* of the begin */
    bool has_job;          /* a job is drawn with it */
    struct torq_work job;  /* valid when `has_job` */
};

/* An NSS_START whose NSS_WAIT has not begun yet. */
struct started {
    const struct program_job *job; /* NULL: not known */
    int64_t action;                /* id */
    uint32_t flow;                 /* arrow to its wait */
    uint64_t line;                 /* of the begin */
};

struct torq_actions {
    struct torq_log *log;               /* borrowed */
    struct open_action *opens;          /* oldest first; TORQ_MOST_OPEN at most */
    size_t open_count, open_capacity;   /* of the opens */
    struct started *starts;             /* the same */
    size_t start_count, start_capacity; /* of the starts */
    int64_t first_time;                 /* timestamp of the first row minus its elapsed time */
    bool has_first;                     /* that is known */
    int64_t newest;                     /* largest time seen */
};

struct action_row {
    int64_t action;           /* id */
    int64_t elapsed;          /* since the first event, as logged */
    int64_t time;             /* as logged */
    struct torq_parsed event; /* its text is a view into the line */
    operator_id op;           /* at its location; NO_ID: none */
};

status torq_actions_new(struct torq_log *log, struct torq_actions **actions)
{
    *actions = memory_allocate_clear(sizeof **actions);
    if (!*actions)
        return status_no_memory("reading a runtime log");
    (*actions)->log = log;
    return STATUS_OK;
}

void torq_actions_free(struct torq_actions *actions)
{
    if (!actions)
        return;
    memory_free(actions->opens);
    memory_free(actions->starts);
    memory_free(actions);
}

bool torq_actions_row_start(struct text line)
{
    const char *cursor = line.data;
    const char *end = line.data + line.length;
    struct torq_parsed parsed;
    struct text rest, event;
    int64_t ignored;

    for (unsigned i = 0; i < 3; i++) {
        if (!number_digits_then(&cursor, end, ',', &ignored))
            return false;
    }
    rest = text_between(cursor, end);
    event = text_trim(text_take(&rest, ','));
    torq_parse_action_event(event, &parsed);
    return parsed.phase != TORQ_NO_PHASE || text_is(event, "Unknown");
}

/* With blanks, signs or quotes. `*left` is what follows them. */
static const struct loss_reason *read_numbers_slowly(struct text line, struct action_row *row, struct text *left)
{
    int64_t *const values[3] = { &row->action, &row->elapsed, &row->time };

    *left = line;
    for (unsigned i = 0; i < 3; i++) {
        const struct loss_reason *reason = value_as_integer(row_field(left, ','), values[i]);

        if (!left->data)
            return &loss_fields;
        if (reason != NULL)
            return i == 2 ? reason : &loss_number;
    }
    return NULL;
}

static const struct loss_reason *read_leading(const struct torq_log *log, struct text line, struct action_row *row,
                                              size_t *rest)
{
    const char *cursor = line.data, *end = line.data + line.length;
    struct text left, event;

    if (number_digits_then(&cursor, end, ',', &row->action) && number_digits_then(&cursor, end, ',', &row->elapsed) &&
        number_digits_then(&cursor, end, ',', &row->time)) {
        left = text_between(cursor, end);
    } else {
        const struct loss_reason *reason = read_numbers_slowly(line, row, &left);

        if (reason != NULL)
            return reason;
    }
    event = left.length && *left.data != '"' ? text_trim(text_take(&left, ',')) : row_field(&left, ',');
    if (event.length == 0)
        return &loss_fields;
    if (text_is_binary(event))
        return &loss_binary;
    torq_parse_action_event(event, &row->event);
    *rest = left.data ? (size_t)(left.data - line.data) : line.length;
    return row->time < 0 || row->time > log->limit ? &loss_time_range : NULL;
}

static struct open_action *find_open(struct torq_actions *actions, enum torq_event event, string_id name,
                                     int64_t action)
{
    for (size_t i = actions->open_count; i-- > 0;) {
        struct open_action *open = &actions->opens[i];

        if (open->event == event && open->name == name && open->action == action)
            return open;
    }
    return NULL;
}

/* `lost`: its end never came. */
static status close_open(struct torq_actions *actions, struct open_action *open, int64_t time, bool lost)
{
    struct torq_log *log = actions->log;
    size_t place = (size_t)(open - actions->opens);
    status code = STATUS_OK;

    assert(place < actions->open_count);
    if (time < open->start)
        time = open->start;
    if (open->has_job)
        code = torq_log_work_end(log, &open->job, time);
    if (code == STATUS_OK)
        code = sink_end(&log->feed->sink, open->id, time);
    if (code == STATUS_OK)
        code = (lost ? feed_step_lost : feed_step_end)(log->feed, open->step, time);
    feed_close(log->feed, open->id);
    memmove(open, open + 1, (actions->open_count - place - 1) * sizeof *open);
    actions->open_count--;
    return code;
}

/* Closes a begin that got no end. */
static status close_lost(struct torq_actions *actions, struct open_action *open)
{
    status code = torq_log_mark(actions->log, &loss_begin_without_end, open->line);

    return code == STATUS_OK ? close_open(actions, open, actions->newest, true) : code;
}

/* The start that a wait belongs to: of the same job where the program knows it, else the oldest. */
static bool take_start(struct torq_actions *actions, const struct program_job *job, struct started *taken)
{
    for (size_t i = 0; i < actions->start_count; i++) {
        if (job && actions->starts[i].job != job)
            continue;
        *taken = actions->starts[i];
        memmove(&actions->starts[i], &actions->starts[i + 1], (actions->start_count - i - 1) * sizeof *actions->starts);
        actions->start_count--;
        return true;
    }
    return false;
}

/* A job that nobody waits for: in R2 the wait is the job's time, so it has none, but it is not forgotten. */
static status lose_start(struct torq_actions *actions, const struct started *started)
{
    struct torq_log *log = actions->log;
    struct torq_work work;
    status code = torq_log_mark(log, &loss_begin_without_end, started->line);

    if (code == STATUS_OK)
        code = torq_log_job_begin(log, started->job, started->action, -1,
                                  &(struct slice){ .op = NO_ID, .flow = started->flow }, actions->newest, &work);
    return code == STATUS_OK ? torq_log_work_end(log, &work, actions->newest) : code;
}

static status add_start(struct torq_actions *actions, struct started started)
{
    status code = STATUS_OK;

    assert(actions->start_count <= TORQ_MOST_OPEN);
    if (actions->start_count == TORQ_MOST_OPEN) {
        struct started oldest;

        take_start(actions, NULL, &oldest);
        code = lose_start(actions, &oldest);
    }
    if (code == STATUS_OK)
        code =
            memory_grow(&actions->starts, &actions->start_capacity, actions->start_count + 1, sizeof *actions->starts);
    if (code == STATUS_OK)
        actions->starts[actions->start_count++] = started;
    return code;
}

/* What the program knows about the action; a row that it should know and does not is marked. */
static status look_up(struct torq_log *log, const struct action_row *row, uint64_t line,
                      const struct program_action **action, const struct program_job **job)
{
    bool wants_job = row->event.event == TORQ_EVENT_NSS_START || row->event.event == TORQ_EVENT_NSS_WAIT;
    status code;

    *action = join_action(log->join, 0, row->action);
    *job = wants_job ? join_job(log->join, *action) : NULL;
    code = agreement_action(
        &log->agreement,
        &(struct agreement_row){ 0, row->action, row->event.event, torq_log_location(log, row->op), line }, *action);
    if (code == STATUS_OK && log->program && (!*action || (wants_job && !*job)))
        code = torq_log_mark(log, &torq_loss_no_match, line);
    return code;
}

/* The job that begins with an NSS_WAIT, and the arrow to it from its NSS_START. */
static status begin_job(struct torq_actions *actions, const struct action_row *row, const struct program_job *job,
                        struct slice *slice, struct open_action *open)
{
    struct started started = { .action = -1 };

    actions->log->jobs = true;
    if (take_start(actions, job, &started))
        slice->flow = started.flow;
    open->has_job = true;
    return torq_log_job_begin(actions->log, job, started.action, row->action, slice, row->time, &open->job);
}

static status begin_action(struct torq_actions *actions, const struct action_row *row, string_id name, uint64_t line)
{
    struct torq_log *log = actions->log;
    struct argument argument = { .key = log->keys.action, .integer = row->action };
    struct slice slice = {
        .name = name, .run = NO_ID, .start = row->time, .end = row->time, .argument_count = 1, .arguments = &argument
    };
    struct open_action open = {
        .event = row->event.event, .name = name, .action = row->action, .start = row->time, .line = line
    };
    const struct program_action *action;
    const struct program_job *job;
    status code = look_up(log, row, line, &action, &job);

    if (code == STATUS_OK && find_open(actions, open.event, name, row->action))
        code = torq_log_mark(log, &loss_repeated_id, line);
    if (code == STATUS_OK && actions->open_count == TORQ_MOST_OPEN)
        code = close_lost(actions, &actions->opens[0]);
    slice.op = row->op;
    if (code == STATUS_OK && row->op == NO_ID && action)
        code = feed_operator(log->feed, action->location, &slice.op);
    if (code == STATUS_OK)
        code = torq_log_track(log, torq_event_engine(open.event, false), &slice.track);
    if (code != STATUS_OK)
        return code;
    if (open.event == TORQ_EVENT_HOST_PROGRAM && action && action->invocation)
        slice.name = action->invocation;
    if (open.event == TORQ_EVENT_NSS_START) {
        slice.flow = feed_flow(log->feed);
        log->jobs = true;
        code = add_start(actions, (struct started){ job, row->action, slice.flow, line });
    }
    if (code == STATUS_OK && open.event == TORQ_EVENT_NSS_WAIT)
        code = begin_job(actions, row, job, &slice, &open);
    if (code == STATUS_OK)
        code = feed_open(log->feed, &open.id);
    if (code == STATUS_OK)
        code = torq_log_step(log, map_mix(name, (uint64_t)row->action), row->time, &open.step);
    if (code == STATUS_OK)
        code = memory_grow(&actions->opens, &actions->open_capacity, actions->open_count + 1, sizeof *actions->opens);
    if (code != STATUS_OK)
        return code;
    assert(actions->open_count < TORQ_MOST_OPEN);
    actions->opens[actions->open_count++] = open;
    return sink_begin(&log->feed->sink, open.id, NO_ID, &slice);
}

/* elapsed counts from the first event of the file; where the two clocks part, a person should know. */
static void check_elapsed(struct torq_actions *actions, const struct action_row *row)
{
    int64_t first;

    if (__builtin_sub_overflow(row->time, row->elapsed, &first))
        return;
    if (!actions->has_first)
        actions->first_time = first;
    actions->has_first = true;
    if (first != actions->first_time)
        source_note(actions->log->source, "elapsed_time and timestamp do not agree everywhere: timestamp was used");
}

static status use_row(struct torq_actions *actions, const struct action_row *row, const struct line *line)
{
    struct torq_log *log = actions->log;
    struct open_action *open;
    string_id name;
    status code = torq_log_type_name(log, row->event.event, row->event.type, &name);

    if (code != STATUS_OK)
        return code;
    open = row->event.phase == TORQ_END ? find_open(actions, row->event.event, name, row->action) : NULL;
    if (row->event.phase == TORQ_END && !open)
        return torq_log_lose(log, line, &loss_end_without_begin, 0);
    check_elapsed(actions, row);
    log->feed->losses.used++;
    code = torq_log_time(log, row->time, line->number);
    if (row->time > actions->newest)
        actions->newest = row->time;
    if (code == STATUS_OK && row->event.event == TORQ_EVENT_UNKNOWN && !open)
        code = torq_log_mark(log, &loss_unknown_event, line->number);
    if (code != STATUS_OK)
        return code;
    if (open)
        return close_open(actions, open, row->time, false);
    code = begin_action(actions, row, name, line->number);
    /* An event that is neither a begin nor an end happens at one time. */
    if (code == STATUS_OK && row->event.phase == TORQ_NO_PHASE)
        code = close_open(actions, &actions->opens[actions->open_count - 1], row->time, false);
    return code;
}

status torq_actions_row(struct torq_actions *actions, struct line *line)
{
    struct torq_log *log = actions->log;
    struct text text = { line->data, line->length };
    struct action_row row;
    size_t rest = 0, type;
    const struct loss_reason *reason = read_leading(log, text, &row, &rest);
    status code;

    if (reason != NULL && (text_is_blank(text) || row_header(text) == HEADER_R2))
        return STATUS_OK;
    log->feed->losses.rows++;
    if (reason != NULL || line->too_long)
        return torq_log_lose(log, line, reason, 0);
    type = (size_t)(row.event.type.data - line->data);
    code = torq_log_row_operator(log, line, rest, torq_actions_row_start, &row.op, &reason);
    if (code != STATUS_OK)
        return code;
    if (reason != NULL)
        return torq_log_lose(log, line, reason, rest);
    row.event.type.data = line->data + type; /* the line may have moved */
    return use_row(actions, &row, line);
}

status torq_actions_finish(struct torq_actions *actions)
{
    status code = STATUS_OK;

    assert(actions->open_count <= TORQ_MOST_OPEN && actions->start_count <= TORQ_MOST_OPEN);
    while (code == STATUS_OK && actions->open_count > 0)
        code = close_lost(actions, &actions->opens[actions->open_count - 1]);
    for (size_t i = 0; i < actions->start_count && code == STATUS_OK; i++)
        code = lose_start(actions, &actions->starts[i]);
    return code;
}
