/* runtime.c: what Torq's runtime measured, generations R1 to R3.
 *
 *   R1   0;1200;900;loc(...)                                one row per NSS job: id, time of its end, its length
 *   R2   1,13,5000013,NSS_START,"loc(...)"                  two rows per host action
 *   R3   main_dispatch_0,3,1,5000013,NSS_START_BEGIN        two rows per event of a scope: init, dispatch, HAL call
 *
 * All times are microseconds. The log says when a job ran, not when an engine ran inside it; with a program the engines
 * that a job uses are drawn over the whole job.
 */
#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "read/value.h"
#include "torq/chain.h"
#include "torq/companions.h"
#include "torq/log.h"
#include "torq/names.h"
#include "torq/work.h"
#include "trace/clock.h"

enum generation { GENERATION_NOT_KNOWN, GENERATION_R1, GENERATION_R2, GENERATION_R3 };

/* ---- Shared by the generations ---- */

status torq_log_track(struct torq_log *log, const struct engine *engine, track_id *track)
{
    status code = STATUS_OK;

    assert(engine->order < TORQ_ORDERS);
    if (log->tracks[engine->order] == NO_ID)
        code = feed_engine(log->feed, engine, 0, log->clock, &log->tracks[engine->order]);
    *track = log->tracks[engine->order];
    return code;
}

status torq_log_lose(struct torq_log *log, const struct line *line, const struct loss_reason *reason, size_t column)
{
    if (line->too_long)
        reason = &loss_too_long;
    else if (text_is_binary((struct text){ line->data, line->length }))
        reason = &loss_binary;
    assert(reason && !reason->kept);
    return source_lose(log->source, log->feed, reason, line->number, column + 1);
}

status torq_log_mark(struct torq_log *log, const struct loss_reason *reason, uint64_t line)
{
    assert(reason->kept && "a row that is not used is lost, not marked");
    return source_lose(log->source, log->feed, reason, line, 1);
}

status torq_log_time(struct torq_log *log, int64_t time, uint64_t line)
{
    status code = time < log->last_time ? torq_log_mark(log, &loss_backwards, line) : STATUS_OK;

    log->last_time = time;
    return code;
}

status torq_log_type_name(struct torq_log *log, enum torq_event event, struct text type, string_id *name)
{
    status code = STATUS_OK;

    assert(event <= TORQ_EVENT_UNKNOWN);
    if (event == TORQ_EVENT_UNKNOWN)
        return strings_add(log->feed->strings, type.data, type.length, name);
    if (!log->type_names[event])
        code = strings_add_text(log->feed->strings, torq_event_name(event), &log->type_names[event]);
    *name = log->type_names[event];
    return code;
}

status torq_log_operator(struct torq_log *log, struct text location, operator_id *id)
{
    string_id text;
    status code = strings_add(log->feed->strings, location.data, location.length, &text);

    if (code == STATUS_OK)
        code = feed_operator(log->feed, text, id);
    if (code != STATUS_OK || *id == NO_ID)
        return code;
    code = memory_grow_clear(&log->locations, &log->location_capacity, (size_t)*id + 1, sizeof *log->locations);
    if (code == STATUS_OK)
        log->locations[*id] = text;
    return code;
}

string_id torq_log_location(const struct torq_log *log, operator_id id)
{
    return id != NO_ID && id < log->location_capacity ? log->locations[id] : 0;
}

/* Whether the end of a row was read before; mostly it is that of the row before, as tiles of one operator follow each other. */
static bool know_end(struct torq_log *log, struct text end, operator_id *id)
{
    if (!log->ends)
        return false;
    if (!log->last_end || !text_equal(strings_get(log->ends, log->last_end), end))
        if (!strings_find(log->ends, end.data, end.length, &log->last_end) || !log->last_end)
            return false;
    *id = log->end_operators[log->last_end];
    return true;
}

static status keep_end(struct torq_log *log, struct text end, operator_id id)
{
    enum { MOST = 1 << 16 }; /* a log whose every row ends differently gains nothing */
    string_id added;
    status code;

    if (!log->ends)
        log->ends = strings_new();
    if (!log->ends)
        return status_no_memory("reading a runtime log");
    if (!end.length || strings_count(log->ends) > MOST)
        return STATUS_OK;
    code = strings_add(log->ends, end.data, end.length, &added);
    if (code == STATUS_OK)
        code = memory_grow(&log->end_operators, &log->end_capacity, (size_t)added + 1, sizeof *log->end_operators);
    if (code == STATUS_OK)
        log->end_operators[added] = id;
    return code;
}

/* The location at the end of a row; the line grows when it goes on below. */
static status read_location(struct torq_log *log, struct line *line, size_t start, row_start starts_row,
                            struct text *plain, const struct loss_reason **reason)
{
    unsigned added = 0;
    bool extended = true;

    while (extended) {
        const char *cursor = line->data + start;
        const char *end = line->data + line->length;
        struct row_location location;
        status code;

        *reason = row_location(&cursor, end, log->delimiter, &location);
        if (*reason == NULL) {
            if (!text_is_blank(text_between(cursor, end)))
                *reason = &loss_fields;
            return row_plain(&location, &log->buffer, plain);
        }
        code = row_extend(log->lines, line, &added, starts_row, &extended);
        if (code != STATUS_OK)
            return code;
    }
    return STATUS_OK;
}

status torq_log_row_operator(struct torq_log *log, struct line *line, size_t start, row_start starts_row,
                             operator_id *op, const struct loss_reason **reason)
{
    struct text location = { line->data, 0 };
    status code;

    assert(start <= line->length);
    *reason = NULL;
    if (know_end(log, text_between(line->data + start, line->data + line->length), op))
        return STATUS_OK;
    code = read_location(log, line, start, starts_row, &location, reason);
    if (code == STATUS_OK && *reason == NULL && text_is_binary(location))
        *reason = &loss_binary;
    if (code != STATUS_OK || *reason != NULL)
        return code;
    code = torq_log_operator(log, location, op);
    return code == STATUS_OK ? keep_end(log, text_between(line->data + start, line->data + line->length), *op) : code;
}

static int64_t job_number(const struct program_job *job)
{
    return job->id >= 0 ? (int64_t)job->id : (int64_t)job->index;
}

unsigned torq_log_job_arguments(const struct torq_log *log, const struct program_job *job, int64_t start_action,
                                int64_t wait_action, struct argument arguments[TORQ_JOB_ARGUMENTS])
{
    const struct program *program = log->program;
    unsigned count = 0;

    if (job) {
        arguments[count++] = (struct argument){ .key = log->keys.job, .integer = job_number(job) };
        if (start_action < 0 && job->start_action != NO_ID)
            start_action = program_action(program, job->start_action)->id;
        if (wait_action < 0 && job->wait_action != NO_ID)
            wait_action = program_action(program, job->wait_action)->id;
    }
    if (start_action >= 0)
        arguments[count++] = (struct argument){ .key = log->keys.start_action, .integer = start_action };
    if (wait_action >= 0)
        arguments[count++] = (struct argument){ .key = log->keys.wait_action, .integer = wait_action };
    if (job && job->kernels)
        arguments[count++] = (struct argument){ .key = log->keys.kernels, .type = ARGUMENT_TEXT, .text = job->kernels };
    assert(count + 2 <= TORQ_JOB_ARGUMENTS);
    return count;
}

/* Adds what a job is called elsewhere than by its operator. The engines that it uses do without. */
static void add_names(const struct torq_log *log, const struct program_job *job, const struct argument *dispatch,
                      struct slice *slice, struct argument *arguments)
{
    assert(slice->argument_count + 2 <= TORQ_JOB_ARGUMENTS);
    if (job && job->name && job->name != slice->name)
        arguments[slice->argument_count++] = argument_text(log->keys.program, job->name);
    if (dispatch)
        arguments[slice->argument_count++] = argument_text(log->keys.dispatch, dispatch->text);
}

status torq_log_job_name(struct torq_log *log, const struct program_job *job, int64_t action, operator_id op,
                         string_id *name)
{
    size_t slot = (uint64_t)action % TORQ_NAMES;
    status code;

    *name = op == NO_ID ? 0 : feed_operator_name(log->feed, op);
    if (*name)
        return STATUS_OK;
    if (job && job->name) {
        *name = job->name;
        return STATUS_OK;
    }
    if (job)
        return strings_add_format(log->feed->strings, name, "job %lld", (long long)job_number(job));
    if (!log->action_names[slot].name || log->action_names[slot].action != action) {
        char text[32] = "action ";
        size_t length = strlen(text);

        length += number_write_integer(text + length, action);
        code = strings_add(log->feed->strings, text, length, &log->action_names[slot].name);
        if (code != STATUS_OK)
            return code;
        log->action_names[slot].action = action;
    }
    *name = log->action_names[slot].name;
    return STATUS_OK;
}

static int64_t wait_action_of(const struct torq_log *log, const struct program_job *job)
{
    return job && job->wait_action != NO_ID ? program_action(log->program, job->wait_action)->id : -1;
}

status torq_log_job_begin(struct torq_log *log, const struct program_job *job, int64_t start_action,
                          int64_t wait_action, const struct slice *like, int64_t time, struct torq_work *work)
{
    const struct argument *dispatch = argument_find(like->arguments, like->argument_count, log->keys.dispatch);
    struct argument arguments[TORQ_JOB_ARGUMENTS];
    uint32_t plain;
    struct slice slice = {
        .op = like->op, .run = NO_ID, .start = time, .end = time, .flow = like->flow, .arguments = arguments
    };
    status code = torq_log_job_name(log, job, start_action >= 0 ? start_action : wait_action, like->op, &slice.name);

    work->engines.count = 0;
    work->start = time;
    if (wait_action < 0)
        wait_action = wait_action_of(log, job);
    slice.argument_count = torq_log_job_arguments(log, job, start_action, wait_action, arguments);
    plain = slice.argument_count;
    if (code == STATUS_OK && dispatch && like->op == NO_ID && !(job && job->name))
        slice.name = dispatch->text;
    add_names(log, job, dispatch, &slice, arguments);
    if (code == STATUS_OK)
        code = torq_log_track(log, &torq_engine_job, &slice.track);
    work_tell(log->work, job);
    if (code == STATUS_OK)
        code = feed_open(log->feed, &work->id);
    if (code == STATUS_OK)
        code = sink_begin(&log->feed->sink, work->id, NO_ID, &slice);
    slice.argument_count = plain;
    return code == STATUS_OK ? join_job_begin(log->join, job, wait_action, &slice, &work->engines) : code;
}

status torq_log_work_end(struct torq_log *log, struct torq_work *work, int64_t time)
{
    status code;

    assert(work->id != NO_ID && work->engines.count <= JOIN_ENGINES);
    if (time < work->start)
        time = work->start;
    code = sink_end(&log->feed->sink, work->id, time);
    feed_close(log->feed, work->id);
    return code == STATUS_OK ? join_job_end(log->join, &work->engines, time) : code;
}

/* ---- R1 ---- */

struct job_row {
    int64_t id;      /* of the job */
    int64_t start;   /* microseconds since the device was opened */
    int64_t end;     /* the same */
    size_t location; /* where in the line it starts */
};

/* int;int;int and then the end or a location. */
static bool starts_job_row(struct text line)
{
    const char *cursor = line.data;
    const char *end = line.data + line.length;
    int64_t ignored;

    return number_digits_then(&cursor, end, ';', &ignored) && number_digits_then(&cursor, end, ';', &ignored) &&
           number_digits(&cursor, end, &ignored) && (cursor == end || *cursor == ';');
}

/* With blanks, signs or quotes. */
static const struct loss_reason *read_job_slowly(const struct torq_log *log, struct text line, struct job_row *row,
                                                 int64_t *length)
{
    struct text fields[3], rest = line;
    const struct loss_reason *reason;

    for (unsigned i = 0; i < 3; i++) {
        if (!rest.data)
            return &loss_fields;
        fields[i] = row_field(&rest, log->delimiter);
    }
    row->location = rest.data ? (size_t)(rest.data - line.data) : line.length;
    if (value_as_integer(fields[0], &row->id) != NULL)
        return &loss_number;
    reason = value_as_integer(fields[1], &row->end);
    return reason == NULL ? value_as_integer(fields[2], length) : reason;
}

static const struct loss_reason *read_job_leading(const struct torq_log *log, struct text line, struct job_row *row)
{
    const char *cursor = line.data, *end = line.data + line.length;
    int64_t length = 0;

    if (number_digits_then(&cursor, end, log->delimiter, &row->id) &&
        number_digits_then(&cursor, end, log->delimiter, &row->end) && number_digits(&cursor, end, &length) &&
        (cursor == end || *cursor == log->delimiter)) {
        row->location = (size_t)(cursor - line.data) + (cursor < end);
    } else {
        const struct loss_reason *reason = read_job_slowly(log, line, row, &length);

        if (reason != NULL)
            return reason;
    }
    if (row->end < 0 || row->end > log->limit)
        return &loss_time_range;
    if (length < 0)
        return &loss_end_before_start;
    if (length > row->end)
        return &torq_loss_before_open;
    row->start = row->end - length;
    return NULL;
}

static status end_job_step(struct torq_log *log)
{
    step_id id;

    if (!log->job_stepping)
        return STATUS_OK;
    log->job_stepping = false;
    return feed_step(log->feed, &log->job_step, &id);
}

/* Numbers of jobs count on from inference to inference; their operators come again. Jobs of one operator that follow each other are one
 * step: its tiles. Of a job without an operator nothing tells when it comes again. */
static status step_job(struct torq_log *log, operator_id op, const struct job_row *row)
{
    status code;

    if (log->job_stepping && log->job_step.key == op) {
        log->job_step.end = row->end > log->job_step.start ? row->end : log->job_step.end;
        return STATUS_OK;
    }
    code = end_job_step(log);
    log->job_stepping = op != NO_ID;
    log->job_step = (struct step){ .key = op, .clock = log->clock, .start = row->start, .end = row->end };
    return code;
}

static status push_job(struct torq_log *log, const struct job_row *row, operator_id op, uint64_t line)
{
    const struct program_job *job = row->id >= 0 ? join_job_at(log->join, (uint64_t)row->id) : NULL;
    struct argument arguments[TORQ_JOB_ARGUMENTS];
    struct slice slice = {
        .name = log->job_name, .op = op, .run = NO_ID, .start = row->start, .end = row->end, .arguments = arguments
    };
    uint32_t plain;
    status code = STATUS_OK;

    if (log->program && !job)
        code = torq_log_mark(log, &torq_loss_no_match, line);
    if (code == STATUS_OK)
        code = agreement_job(&log->agreement, job, torq_log_location(log, op), line);
    if (code == STATUS_OK && op == NO_ID && job)
        code = feed_operator(log->feed, job->location, &slice.op);
    if (code == STATUS_OK)
        code = slice.op != NO_ID || (job && job->name) ? torq_log_job_name(log, job, -1, slice.op, &slice.name)
                                                       : STATUS_OK;
    if (code == STATUS_OK)
        code = torq_log_track(log, &torq_engine_job, &slice.track);
    if (code != STATUS_OK)
        return code;
    slice.argument_count = torq_log_job_arguments(log, job, -1, -1, arguments);
    /* The log's own number: it counts over all dispatches, a program's ids start anew in each. */
    if (job)
        arguments[0].integer = row->id;
    else
        arguments[slice.argument_count++] = (struct argument){ .key = log->keys.job, .integer = row->id };
    plain = slice.argument_count;
    add_names(log, job, NULL, &slice, arguments);
    log->jobs = true;
    log->feed->losses.used++;
    work_tell(log->work, job);
    code = sink_slice(&log->feed->sink, &slice);
    slice.argument_count = plain;
    if (code == STATUS_OK)
        code = step_job(log, slice.op, row);
    return code == STATUS_OK ? join_job_slice(log->join, job, wait_action_of(log, job), &slice) : code;
}

static status read_job_row(struct torq_log *log, struct line *line, int64_t *last_id)
{
    struct text text = { line->data, line->length };
    operator_id op;
    struct job_row row;
    const struct loss_reason *reason = read_job_leading(log, text, &row);
    status code = STATUS_OK;

    if (reason != NULL && (text_is_blank(text) || row_header(text) != HEADER_NONE))
        return STATUS_OK;
    log->feed->losses.rows++;
    if (reason != NULL || line->too_long)
        return torq_log_lose(log, line, reason, 0);
    code = torq_log_row_operator(log, line, row.location, starts_job_row, &op, &reason);
    if (code != STATUS_OK)
        return code;
    if (reason != NULL)
        return torq_log_lose(log, line, reason, row.location);
    if (row.id <= *last_id)
        code = torq_log_mark(log, &loss_repeated_id, line->number);
    *last_id = row.id;
    /* Rows are written as jobs end, so it is the ends that must not run backwards. */
    if (code == STATUS_OK)
        code = torq_log_time(log, row.end, line->number);
    return code == STATUS_OK ? push_job(log, &row, op, line->number) : code;
}

/* ---- The reader ---- */

static enum generation generation_of_header(enum row_header header)
{
    switch (header) {
    case HEADER_R1:
    case HEADER_R1_SHORT:
        return GENERATION_R1;
    case HEADER_R2:
        return GENERATION_R2;
    case HEADER_R3:
        return GENERATION_R3;
    default:
        return GENERATION_NOT_KNOWN;
    }
}

static enum generation generation_of_row(struct text line)
{
    if (starts_job_row(line))
        return GENERATION_R1;
    if (torq_actions_row_start(line))
        return GENERATION_R2;
    return torq_scopes_row_start(line) ? GENERATION_R3 : GENERATION_NOT_KNOWN;
}

static char delimiter_of(struct text line)
{
    if (text_first(line, ';'))
        return ';';
    return text_first(line, '\t') ? '\t' : ',';
}

struct reading {
    struct torq_log log;          /* what the generations share */
    enum generation generation;   /* of the rows */
    struct torq_actions *actions; /* NULL: it is not R2 */
    struct torq_scopes *scopes;   /* NULL: it is not R3 */
    int64_t last_id;              /* of R1 */
};

/* The first line that is not blank decides how the rest is read. `*row` says whether it is a row already. */
static status choose_generation(struct reading *reading, struct text line, bool *row)
{
    enum row_header header = row_header(line);
    status code = STATUS_OK;

    reading->generation = generation_of_header(header);
    *row = reading->generation == GENERATION_NOT_KNOWN;
    if (*row)
        reading->generation = generation_of_row(line);
    if (reading->generation == GENERATION_NOT_KNOWN)
        reading->generation = char_is_digit(line.data[0]) ? GENERATION_R2 : GENERATION_R3;
    reading->log.delimiter = reading->generation == GENERATION_R1 ? delimiter_of(line) : ',';
    if (header == HEADER_R1_SHORT)
        source_note(reading->log.source, "this log has no locations: operators come from the program only");
    if (reading->generation == GENERATION_R2)
        return torq_actions_new(&reading->log, &reading->actions);
    if (reading->generation == GENERATION_R3)
        code = torq_scopes_new(&reading->log, &reading->scopes);
    if (code == STATUS_OK && reading->scopes)
        torq_scopes_header(reading->scopes, line);
    return code;
}

static status read_row(struct reading *reading, struct line *line)
{
    struct text text = { line->data, line->length };
    bool row = true;

    if (reading->generation == GENERATION_NOT_KNOWN) {
        status code;

        if (text_is_blank(text))
            return STATUS_OK;
        code = choose_generation(reading, text, &row);
        if (code != STATUS_OK || !row)
            return code;
    }
    switch (reading->generation) {
    case GENERATION_R1:
        return read_job_row(&reading->log, line, &reading->last_id);
    case GENERATION_R2:
        return torq_actions_row(reading->actions, line);
    default:
        return torq_scopes_row(reading->scopes, line);
    }
}

static status read_rows(struct reading *reading)
{
    struct torq_log *log = &reading->log;
    status code;

    for (;;) {
        struct line line;
        bool found;

        code = lines_next(log->lines, &line, &found);

        if (code == STATUS_OK && found)
            code = read_row(reading, &line);
        if (code != STATUS_OK || !found)
            break;
        source_progress(log->source, log->feed->losses.rows);
    }
    code = source_use_part(log->source, log->source->input, log->feed->losses.rows, code);
    if (code == STATUS_OK)
        code = end_job_step(log);
    if (code != STATUS_OK)
        return code;
    if (reading->actions)
        return torq_actions_finish(reading->actions);
    code = reading->scopes ? torq_scopes_finish(reading->scopes) : STATUS_OK;
    return code == STATUS_OK ? agreement_finish(&log->agreement) : code;
}

/* What the header says of the times; microseconds where there is none. */
static status find_clock(const struct torq_log *log, struct clock *clock)
{
    struct scope_columns columns = { .count = 0 };
    struct text head, line;
    string_id name;
    status code = input_head(log->source->input, &head);

    if (code != STATUS_OK)
        return code;
    text_cut_start(&head, "\xEF\xBB\xBF");
    if (text_take_line(&head, &line) && row_scope_columns(line, &columns) && columns.nanoseconds) {
        code = strings_add_text(log->feed->strings, "nanoseconds", &name);
        *clock = clock_nanoseconds(name);
        return code;
    }
    code = strings_add_text(log->feed->strings, "microseconds", &name);
    *clock = clock_microseconds(name);
    return code;
}

status torq_log_open(struct torq_log *log, struct source *source, struct feed *feed)
{
    struct clock clock;
    status code;

    assert(!log->lines && !log->join && "a log is opened once");
    log->source = source;
    log->program = torq_program(source);
    log->work = work_of(source);
    log->feed = feed;
    for (unsigned i = 0; i < TORQ_ORDERS; i++)
        log->tracks[i] = NO_ID;
    code = find_clock(log, &clock);
    if (code == STATUS_OK)
        code = torq_keys_start(&log->keys, feed->strings);
    if (code == STATUS_OK)
        code = strings_add_text(feed->strings, "NSS job", &log->job_name);
    if (code != STATUS_OK)
        return code;
    log->limit = clock_limit(&clock);
    code = feed_clock(log->feed, &clock, &log->clock);
    if (code == STATUS_OK)
        code = join_new(log->program, torq_estimate(log->source), log->feed, log->clock, &clock, &log->join);
    if (code == STATUS_OK)
        code = agreement_start(&log->agreement, log->source, log->join);
    return code == STATUS_OK ? lines_open(log->source->input, &log->lines) : code;
}

void torq_log_close(struct torq_log *log)
{
    lines_close(log->lines);
    agreement_free(&log->agreement);
    join_free(log->join);
    memory_free(log->buffer.data);
    strings_free(log->ends);
    memory_free(log->end_operators);
    memory_free(log->locations);
}

status torq_log_step(struct torq_log *log, uint64_t key, int64_t start, step_id *id)
{
    return feed_step(log->feed, &(struct step){ .key = key, .clock = log->clock, .start = start, .end = start }, id);
}

void torq_log_note_whole_jobs(struct source *source)
{
    source_note(source,
                "a job counts whole for every engine it uses, since the log does not say when inside it an engine "
                "ran: Overlap, Dma Only and Compute Only are not measured");
}

static void conclude(const struct reading *reading)
{
    static const char *const names[] = { "R2", "R1", "R2", "R3" }; /* only R2 leaves a file without a header */
    struct source *source = reading->log.source;

    source->generation = names[reading->generation];
    if (torq_program(source))
        torq_log_note_whole_jobs(source);
    else if (reading->log.jobs)
        source_note(source, "without --mlir the engines that a job used are not known");
}

static status read_runtime(struct source *source, struct feed *feed)
{
    struct reading *reading = memory_allocate_clear(sizeof *reading);
    status code;

    if (!reading)
        return status_no_memory("reading a runtime log");
    reading->last_id = -1;
    source->engines_known = torq_program(source) != NULL;
    torq_names_start(source, feed);
    code = torq_log_open(&reading->log, source, feed);
    if (code == STATUS_OK)
        code = read_rows(reading);
    if (code == STATUS_OK)
        conclude(reading);
    if (code == STATUS_OK)
        code = torq_names_finish(source, feed);
    torq_actions_free(reading->actions);
    torq_scopes_free(reading->scopes);
    torq_log_close(&reading->log);
    memory_free(reading);
    return code;
}

static int probe_runtime(struct text head, const char *path)
{
    enum { SAMPLE = 32 };
    struct text line;
    unsigned lines = 0, formed = 0;

    (void)path;
    text_cut_start(&head, "\xEF\xBB\xBF");
    while (lines < SAMPLE && text_take_line(&head, &line)) {
        enum row_header header = row_header(line);

        if (header != HEADER_NONE && lines == 0)
            return generation_of_header(header) != GENERATION_NOT_KNOWN ? 100 : 0;
        formed += generation_of_row(line) != GENERATION_NOT_KNOWN;
        lines++;
    }
    if (formed == 0)
        return 0;
    return formed == lines ? 90 : formed * 2 >= lines ? 75 : 50;
}

static const struct companion *const companions[] = { &torq_program_companion, &torq_origin_companion, NULL };

const struct reader torq_runtime_reader = {
    .id = "torq-runtime",
    .title = "Torq runtime log (R1 to R3)",
    .chain = &torq_chain,
    .kind = READER_MEASURED,
    .files = "runtime.csv, host_profile.csv",
    .companions = companions,
    .probe = probe_runtime,
    .read = read_runtime,
};
