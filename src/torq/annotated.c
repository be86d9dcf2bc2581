/* annotated.c: a runtime log after an annotator put engines, kernels and operators beside it.
 *
 *   A1   a row per hardware operation of a job, each with the times of the whole job
 *   A2   a row per action; the wait for a job is repeated for each of its hardware operations
 *   A3   a row per action, start and wait of a job apart, HAL calls as action -1; also what `tacho annotate` writes
 *
 * Columns are found by their names, or by the longer titles of the spreadsheets, in any order. Times are microseconds,
 * and empty where an action was listed but did not run. A job counts whole for every engine that its row names.
 *
 * A file of the third form does not say which log it was made from. Its jobs reach from the begin of their start to the
 * end of their wait, as in R3, and its calls that are no work are outside of the span; R2 itself counts the wait alone
 * and those calls too, so a file made from R2 shows its jobs longer, and its span perhaps shorter, than that log does.
 */
#include <string.h>

#include "base/memory.h"
#include "torq/annotated_rows.h"
#include "torq/chain.h"
#include "torq/companions.h"
#include "torq/names.h"

/* A job or host program of A3 whose wait has not come. */
struct pending {
    bool host;             /* a host program; else a job */
    int64_t job;           /* its number; of a host program nothing */
    int64_t end;           /* of its start: where it ends if no wait comes */
    uint32_t flow;         /* arrow from its start to its wait */
    uint64_t line;         /* of its start */
    struct torq_work work; /* its slices */
};

struct annotated {
    struct torq_log log;          /* that is read */
    struct annotated_sheet sheet; /* its header and the fields of a row */
    bool grouping;                /* A1, A2: rows are being put together */
    struct annotated_row group;   /* what they say so far; valid when `grouping` */
    int64_t last_index;           /* of A1 */
    uint64_t groups;              /* so far; the newest one's number */
    uint64_t *named_in;           /* by string id: the group that this kernel was last named in */
    size_t named_capacity;        /* of named_in */
    char *kernels;                /* of the group, comma-joined */
    size_t kernels_length;        /* of the text */
    size_t kernels_capacity;      /* the same */
    struct pending *pendings;     /* A3, oldest first */
    size_t pending_count;         /* of them */
    size_t pending_capacity;      /* the same */
};

/* ---- Slices ---- */

/* torq_hl.start_program as start_program. */
static struct text brief_operation(const struct annotated *annotated, const struct annotated_row *row)
{
    static const char prefix[] = "torq_hl.";
    struct text text = strings_get(annotated->log.feed->strings, row->operation);

    if (text.length > sizeof prefix - 1 && memcmp(text.data, prefix, sizeof prefix - 1) == 0)
        text = (struct text){ text.data + sizeof prefix - 1, text.length - (sizeof prefix - 1) };
    return text;
}

static enum action_kind kind_of(const struct annotated *annotated, const struct annotated_row *row)
{
    struct text operation = brief_operation(annotated, row);
    bool job = row->flagged || row->has_job;

    if (text_begins(operation, "host_copy"))
        return ACTION_HOST_COPY;
    if (text_begins(operation, "start_program"))
        return job ? ACTION_JOB_START : ACTION_HOST_START;
    if (text_begins(operation, "wait_program"))
        return job ? ACTION_JOB_WAIT : ACTION_HOST_WAIT;
    return ACTION_OTHER;
}

static void add_number(struct slice *slice, struct argument *arguments, string_id key, int64_t value)
{
    arguments[slice->argument_count++] = (struct argument){ .key = key, .integer = value };
}

static void add_text(struct slice *slice, struct argument *arguments, string_id key, string_id text)
{
    if (text)
        arguments[slice->argument_count++] = (struct argument){ .key = key, .type = ARGUMENT_TEXT, .text = text };
}

/* A row as a slice of its own. */
static status push_action(struct annotated *annotated, const struct annotated_row *row, const struct engine *engine,
                          uint32_t flow)
{
    struct torq_log *log = &annotated->log;
    struct text operation = brief_operation(annotated, row);
    struct argument arguments[3];
    struct slice slice = {
        .op = row->op, .run = NO_ID, .start = row->start, .end = row->end, .flow = flow, .arguments = arguments
    };
    status code = operation.length ? strings_add(log->feed->strings, operation.data, operation.length, &slice.name)
                                   : torq_log_job_name(log, NULL, row->id, NO_ID, &slice.name);

    add_number(&slice, arguments, log->keys.action, row->id);
    if (row->has_job)
        add_number(&slice, arguments, log->keys.job, row->job);
    add_text(&slice, arguments, log->keys.kernels, row->kernels);
    if (code == STATUS_OK)
        code = torq_log_track(log, engine, &slice.track);
    return code == STATUS_OK ? sink_slice(&log->feed->sink, &slice) : code;
}

/* Calls come scope by scope, and a scope may begin before the one listed ahead of it ends. */
static status hal_track(struct torq_log *log, track_id *track)
{
    track_id *made = &log->tracks[torq_engine_hal.order];
    struct track announced = {
        .parent = log->feed->root,
        .order = feed_order(&torq_engine_hal, 0),
        .clock = log->clock,
        .kind = TRACK_SLICES,
        .engine = &torq_engine_hal,
        .unordered = true,
    };
    status code = STATUS_OK;

    if (*made == NO_ID) {
        code = strings_add_text(log->feed->strings, torq_engine_hal.title, &announced.name);
        if (code == STATUS_OK)
            code = feed_track(log->feed, announced, made);
    }
    *track = *made;
    return code;
}

/* __HAL_QUEUE_EXECUTE__.HAL_QUEUE_WAIT: the scope, and what it did. */
static status push_call(struct annotated *annotated, const struct annotated_row *row)
{
    struct torq_log *log = &annotated->log;
    struct text operation = strings_get(log->feed->strings, row->operation);
    const char *dot = operation.length ? memrchr(operation.data, '.', operation.length) : NULL;
    struct argument arguments[1];
    struct slice slice = { .name = row->location ? row->location : row->operation,
                           .op = NO_ID,
                           .run = NO_ID,
                           .start = row->start,
                           .end = row->end,
                           .arguments = arguments };
    string_id scope = 0;
    status code = hal_track(log, &slice.track);

    if (code == STATUS_OK && dot)
        code = strings_add(log->feed->strings, operation.data, (size_t)(dot - operation.data), &scope);
    add_text(&slice, arguments, log->keys.dispatch, scope);
    if (slice.argument_count)
        arguments[0].flags = ARGUMENT_HIDDEN;
    return code == STATUS_OK ? sink_slice(&log->feed->sink, &slice) : code;
}

/* Begins a job with its engines. It is named after its kernels: its operations are those of the host. */
static status begin_job(struct annotated *annotated, const struct annotated_row *row, string_id role, uint32_t flow,
                        struct torq_work *work)
{
    struct torq_log *log = &annotated->log;
    const struct program_job job = { .index = NO_ID, .used = row->used };
    struct argument arguments[3];
    struct slice slice = { .name = row->kernels,
                           .op = row->op,
                           .run = NO_ID,
                           .start = row->start,
                           .end = row->start,
                           .flow = flow,
                           .arguments = arguments };
    status code = STATUS_OK;

    *work = (struct torq_work){ .start = row->start };
    if (row->has_job)
        add_number(&slice, arguments, log->keys.job, row->job);
    if (role != log->keys.job)
        add_number(&slice, arguments, role, row->id);
    add_text(&slice, arguments, log->keys.kernels, row->kernels);
    if (!slice.name)
        code = row->has_job ? strings_add_format(log->feed->strings, &slice.name, "job %lld", (long long)row->job)
                            : torq_log_job_name(log, NULL, row->id, row->op, &slice.name);
    if (code == STATUS_OK)
        code = torq_log_track(log, &torq_engine_job, &slice.track);
    if (code == STATUS_OK)
        code = feed_open(log->feed, &work->id);
    if (code == STATUS_OK)
        code = sink_begin(&log->feed->sink, work->id, NO_ID, &slice);
    return code == STATUS_OK ? join_job_begin(log->join, &job, -1, &slice, &work->engines) : code;
}

static status begin_host_program(struct annotated *annotated, const struct annotated_row *row, string_id role,
                                 struct torq_work *work)
{
    struct torq_log *log = &annotated->log;
    struct argument arguments[1];
    struct slice slice = {
        .op = row->op, .run = NO_ID, .start = row->start, .end = row->start, .arguments = arguments
    };
    status code = torq_log_type_name(log, TORQ_EVENT_HOST_PROGRAM, (struct text){ NULL, 0 }, &slice.name);

    *work = (struct torq_work){ .start = row->start };
    add_number(&slice, arguments, role, row->id);
    if (code == STATUS_OK)
        code = torq_log_track(log, &torq_engine_host, &slice.track);
    if (code == STATUS_OK)
        code = feed_open(log->feed, &work->id);
    return code == STATUS_OK ? sink_begin(&log->feed->sink, work->id, NO_ID, &slice) : code;
}

/* ---- A1 and A2: several rows for one job ---- */

/* A kernel that this group has not named yet. */
static status add_kernel(struct annotated *annotated, string_id kernel)
{
    size_t had = annotated->named_capacity;
    struct text text = strings_get(annotated->log.feed->strings, kernel);
    size_t length = annotated->kernels_length;
    status code =
        memory_grow(&annotated->named_in, &annotated->named_capacity, (size_t)kernel + 1, sizeof *annotated->named_in);

    if (code != STATUS_OK)
        return code;
    memset(annotated->named_in + had, 0, (annotated->named_capacity - had) * sizeof *annotated->named_in);
    if (annotated->named_in[kernel] == annotated->groups)
        return STATUS_OK;
    annotated->named_in[kernel] = annotated->groups;
    code = memory_grow(&annotated->kernels, &annotated->kernels_capacity, length + text.length + 1, 1);
    if (code != STATUS_OK)
        return code;
    if (length)
        annotated->kernels[length++] = ',';
    memcpy(annotated->kernels + length, text.data, text.length);
    annotated->kernels_length = length + text.length;
    return STATUS_OK;
}

static status push_group(struct annotated *annotated)
{
    struct annotated_row *group = &annotated->group;
    bool first = annotated->sheet.header.form == FORM_A1;
    struct torq_work work;
    status code;

    if (!annotated->grouping)
        return STATUS_OK;
    annotated->grouping = false;
    if (!first && !group->flagged) {
        enum action_kind kind = kind_of(annotated, group);

        if (kind != ACTION_HOST_START)
            return push_action(annotated, group,
                               kind == ACTION_HOST_COPY ? &torq_engine_host_copy : &torq_engine_action, 0);
        code = begin_host_program(annotated, group, annotated->log.keys.action, &work);
    } else {
        code = strings_add(annotated->log.feed->strings, annotated->kernels ? annotated->kernels : "",
                           annotated->kernels_length, &group->kernels);
        if (code == STATUS_OK)
            code = begin_job(annotated, group, first ? annotated->log.keys.job : annotated->log.keys.wait_action, 0,
                             &work);
    }
    return code == STATUS_OK ? torq_log_work_end(&annotated->log, &work, group->end) : code;
}

static status start_group(struct annotated *annotated, const struct annotated_row *row)
{
    struct annotated_row *group = &annotated->group;
    status code = push_group(annotated);

    if (code == STATUS_OK)
        code = torq_log_time(&annotated->log, row->start, row->line);
    annotated->grouping = true;
    annotated->groups++;
    annotated->kernels_length = 0;
    *group = *row;
    if (annotated->sheet.header.form != FORM_A1 || code != STATUS_OK)
        return code;
    group->job = row->id;
    group->has_job = true;
    if (row->id <= annotated->last_index)
        code = torq_log_mark(&annotated->log, &loss_repeated_id, row->line);
    annotated->last_index = row->id;
    return code;
}

static status group_row(struct annotated *annotated, const struct annotated_row *row)
{
    struct annotated_row *group = &annotated->group;
    status code = STATUS_OK;

    if (!row->timed) {
        source_note(annotated->log.source, "rows without times are not drawn");
        return STATUS_OK;
    }
    if (!annotated->grouping || row->id != group->id || row->start != group->start || row->end != group->end)
        code = start_group(annotated, row);
    group->flagged |= row->flagged;
    group->used |= row->used;
    return code == STATUS_OK && row->kernels ? add_kernel(annotated, row->kernels) : code;
}

/* ---- A3: start and wait apart ---- */

static status end_pending(struct annotated *annotated, size_t place, int64_t time)
{
    status code = torq_log_work_end(&annotated->log, &annotated->pendings[place].work, time);

    annotated->pending_count--;
    memmove(&annotated->pendings[place], &annotated->pendings[place + 1],
            (annotated->pending_count - place) * sizeof *annotated->pendings);
    return code;
}

/* Ends work whose wait is missing: all that is known is that its start was over. */
static status end_lost_pending(struct annotated *annotated, size_t place)
{
    const struct pending *pending = &annotated->pendings[place];
    status code = torq_log_mark(&annotated->log, &loss_begin_without_end, pending->line);

    return code == STATUS_OK ? end_pending(annotated, place, pending->end) : code;
}

/* The oldest started work that a start or wait is about; `pending_count`: none. */
static size_t find_pending(const struct annotated *annotated, bool host, int64_t job)
{
    size_t place = 0;

    while (place < annotated->pending_count &&
           (annotated->pendings[place].host != host || (!host && annotated->pendings[place].job != job)))
        place++;
    return place;
}

static status start_work(struct annotated *annotated, const struct annotated_row *row, bool host)
{
    struct pending pending = { .host = host, .job = row->job, .end = row->end, .line = row->line };
    size_t same = find_pending(annotated, host, row->job);
    status code = STATUS_OK;

    /* Host programs have no number, and may be under way side by side; a job has one. */
    if (same < annotated->pending_count && !host)
        code = end_lost_pending(annotated, same);
    if (code == STATUS_OK && annotated->pending_count == TORQ_MOST_OPEN)
        code = end_lost_pending(annotated, 0);
    if (code == STATUS_OK)
        code = memory_grow(&annotated->pendings, &annotated->pending_capacity, annotated->pending_count + 1,
                           sizeof pending);
    if (code != STATUS_OK)
        return code;
    pending.flow = host ? 0 : feed_flow(annotated->log.feed);
    code = push_action(annotated, row, &torq_engine_runtime, pending.flow);
    if (code == STATUS_OK)
        code = host ? begin_host_program(annotated, row, annotated->log.keys.start_action, &pending.work)
                    : begin_job(annotated, row, annotated->log.keys.start_action, pending.flow, &pending.work);
    annotated->pendings[annotated->pending_count++] = pending;
    return code;
}

static status wait_for_work(struct annotated *annotated, const struct annotated_row *row, bool host)
{
    size_t place = find_pending(annotated, host, row->job);
    bool started = place < annotated->pending_count;
    status code = push_action(annotated, row, &torq_engine_runtime, started ? annotated->pendings[place].flow : 0);
    struct torq_work work;

    if (code != STATUS_OK)
        return code;
    if (started)
        return end_pending(annotated, place, row->end);
    code = host ? begin_host_program(annotated, row, annotated->log.keys.wait_action, &work)
                : begin_job(annotated, row, annotated->log.keys.wait_action, 0, &work);
    return code == STATUS_OK ? torq_log_work_end(&annotated->log, &work, row->end) : code;
}

/* An action that was listed but not measured. R2 measures a host program whole, as its start: its wait has no times. */
static status pass_action(struct annotated *annotated, const struct annotated_row *row)
{
    enum action_kind kind = row->id >= 0 ? kind_of(annotated, row) : ACTION_OTHER;
    bool host = kind == ACTION_HOST_WAIT;
    size_t place = host || kind == ACTION_JOB_WAIT ? find_pending(annotated, host, row->job) : annotated->pending_count;

    if (place < annotated->pending_count)
        return host ? end_pending(annotated, place, annotated->pendings[place].end)
                    : end_lost_pending(annotated, place);
    source_note(annotated->log.source, "rows without times (from INIT scopes) are not drawn");
    return STATUS_OK;
}

static status use_action(struct annotated *annotated, const struct annotated_row *row)
{
    enum action_kind kind;
    status code;

    if (!row->timed)
        return pass_action(annotated, row);
    if (row->id < 0)
        return push_call(annotated, row);
    code = torq_log_time(&annotated->log, row->start, row->line);
    if (code != STATUS_OK)
        return code;
    kind = kind_of(annotated, row);
    switch (kind) {
    case ACTION_JOB_START:
    case ACTION_HOST_START:
        return start_work(annotated, row, kind == ACTION_HOST_START);
    case ACTION_JOB_WAIT:
    case ACTION_HOST_WAIT:
        return wait_for_work(annotated, row, kind == ACTION_HOST_WAIT);
    case ACTION_HOST_COPY:
        return push_action(annotated, row, &torq_engine_host_copy, 0);
    case ACTION_OTHER:
        break;
    }
    return push_action(annotated, row, &torq_engine_runtime, 0);
}

/* ---- The reader ---- */

/* Files that were put one after the other repeat the header. */
static bool repeats_header(struct annotated *annotated, const struct line *line)
{
    struct annotated_header header;

    annotated_read_header((struct text){ line->data, line->length }, &header);
    if (!annotated_is_header(&header) || header.form != annotated->sheet.header.form)
        return false;
    annotated->sheet.header = header;
    return true;
}

static status read_row(struct annotated *annotated, struct line *line)
{
    struct losses *losses = &annotated->log.feed->losses;
    struct annotated_row row;
    const struct loss_reason *reason = &loss_too_long;
    status code = STATUS_OK;

    if (!line->too_long)
        code = annotated_take_row(&annotated->log, &annotated->sheet, line, &row, &reason);
    if (code != STATUS_OK || (reason != NULL && repeats_header(annotated, line)))
        return code;
    losses->rows++;
    if (reason != NULL)
        return torq_log_lose(&annotated->log, line, reason, 0);
    losses->used++;
    return annotated->sheet.header.form == FORM_A3 ? use_action(annotated, &row) : group_row(annotated, &row);
}

static status read_line(struct annotated *annotated, struct line *line)
{
    if (text_is_blank((struct text){ line->data, line->length }))
        return STATUS_OK;
    if (annotated->sheet.header.known)
        return read_row(annotated, line);
    return annotated_take_header(&annotated->log, line, &annotated->sheet.header);
}

static status read_rows(struct annotated *annotated)
{
    bool found = true;
    status code = STATUS_OK;

    while (found && code == STATUS_OK) {
        struct line line;

        code = lines_next(annotated->log.lines, &line, &found);
        if (code != STATUS_OK || !found)
            break;
        code = read_line(annotated, &line);
        source_progress(annotated->log.source, annotated->log.feed->losses.rows);
    }
    code = source_use_part(annotated->log.source, annotated->log.source->input, annotated->log.feed->losses.rows, code);
    if (code == STATUS_OK && !annotated->sheet.header.known)
        return status_fail_at(STATUS_INPUT, (struct place){ .file = input_name(annotated->log.source->input) },
                              "there is no header: an annotated log begins with the names of its columns");
    if (code == STATUS_OK)
        code = push_group(annotated);
    while (code == STATUS_OK && annotated->pending_count > 0)
        code = end_lost_pending(annotated, 0);
    return code;
}

static status read_annotated(struct source *source, struct feed *feed)
{
    static const char *const generations[] = { "R1", "R2", "R3" }; /* of the logs that the forms were made from */
    struct annotated *annotated = memory_allocate_clear(sizeof *annotated);
    status code;

    if (!annotated)
        return status_no_memory("reading an annotated log");
    annotated->last_index = -1;
    source->engines_known = true;
    torq_names_start(source, feed);
    code = torq_log_open(&annotated->log, source, feed);
    if (code == STATUS_OK)
        code = read_rows(annotated);
    if (code == STATUS_OK) {
        source->generation = generations[annotated->sheet.header.form];
        torq_log_note_whole_jobs(source);
        code = torq_names_finish(source, feed);
    }
    torq_log_close(&annotated->log);
    memory_free(annotated->named_in);
    memory_free(annotated->kernels);
    memory_free(annotated->pendings);
    memory_free(annotated);
    return code;
}

/* A header that lacks a column is still ours: reading it says which. */
static int probe_annotated(struct text head, const char *path)
{
    enum { ENOUGH = 6 };
    struct annotated_header header;
    struct text line;

    (void)path;
    if (head.length >= 3 && memcmp(head.data, "\xEF\xBB\xBF", 3) == 0)
        head = (struct text){ head.data + 3, head.length - 3 };
    if (!text_take_line(&head, &line))
        return 0;
    annotated_read_header(line, &header);
    if (annotated_is_header(&header))
        return 95;
    return header.known >= ENOUGH ? 60 : 0;
}

static const struct companion *const companions[] = { &torq_program_companion, &torq_origin_companion, NULL };

const struct reader torq_annotated_reader = {
    .id = "torq-annotated",
    .title = "Torq annotated (A1 to A3)",
    .chain = &torq_chain,
    .kind = READER_MEASURED,
    .files = "annotated.csv",
    .companions = companions,
    .probe = probe_annotated,
    .read = read_annotated,
};
