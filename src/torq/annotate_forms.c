#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "torq/annotate_shared.h"
#include "torq/location.h"

/* ---- engines and steps of a job ---------------------------------------------------------------------------------- */

static bool used(const struct program_job *job, uint32_t bit)
{
    return job && (job->used & bit);
}

static void set_flags(struct table *table, size_t column, const struct program_job *job, bool with_css)
{
    table_set_boolean(table, column, used(job, USED_SLICE_0));
    table_set_boolean(table, column + 1, used(job, USED_SLICE_0 << 1));
    table_set_boolean(table, column + 2, used(job, USED_DMA_IN));
    table_set_boolean(table, column + 3, used(job, USED_DMA_OUT));
    if (!with_css)
        return;
    table_set_boolean(table, column + 4, used(job, USED_CDMA));
    table_set_boolean(table, column + 5, used(job, USED_CSS));
}

static void add_flag_columns(struct table *table, bool with_css)
{
    add_column(table, "slice_used_0_in_program", "Slice 0 Used in NSS Program", CELL_BOOLEAN, "slice 0 was used");
    add_column(table, "slice_used_1_in_program", "Slice 1 Used in NSS Program", CELL_BOOLEAN, "slice 1 was used");
    add_column(table, "dma_in_used_in_program", "DMA In Used in NSS Program", CELL_BOOLEAN, "DMA input was used");
    add_column(table, "dma_out_used_in_program", "DMA Out Used in NSS Program", CELL_BOOLEAN, "DMA output was used");
    if (!with_css)
        return;
    add_column(table, "cdma_used_in_program", "CDMA Used in CSS Program", CELL_BOOLEAN, "CDMA was used");
    add_column(table, "css_used_in_program", "CSS Used in CSS Program", CELL_BOOLEAN, "the CSS was used");
}

/* The steps of a job in the order of the first annotator: task by task, in a task by the fixed rank of the kinds. */
struct step_walk {
    const struct program *program;
    const struct program_job *job;
    string_id last_kernel[16]; /* of each slice: a wait repeats it */
};

typedef void (*step_visit)(void *context, const struct program_step *step, string_id kernel);

static void walk_steps(struct step_walk *walk, step_visit visit, void *context)
{
    for (uint32_t t = 0; t < walk->job->task_count; t++) {
        const struct program_task *task = program_task(walk->program, walk->job->first_task + t);

        for (unsigned kind = 0; kind < STEP_COUNT; kind++) {
            for (uint32_t s = 0; s < task->step_count; s++) {
                const struct program_step *step = program_step(walk->program, task->first_step + s);
                unsigned slice = step->slice >= 0 && step->slice < 16 ? (unsigned)step->slice : 0;

                if (step->kind != (enum step_kind)kind)
                    continue;
                if (step->kind == STEP_SLICE_START)
                    walk->last_kernel[slice] = step->kernel;
                visit(context, step, step->slice >= 0 ? walk->last_kernel[slice] : 0);
            }
        }
    }
}

/* ---- A1: a row per hardware operation of every job --------------------------------------------------------------- */

enum { A1_INDEX, A1_OPERATION, A1_SLICE, A1_INVOCATION, A1_START, A1_END, A1_TOTAL, A1_FLAGS };

struct a1_row {
    struct table *table;
    const struct annotation *annotation;
    const struct program_job *job;
    int64_t index, start, end;
};

static void add_a1_step(void *context, const struct program_step *step, string_id kernel)
{
    struct a1_row *row = context;

    table_add_row(row->table);
    table_set_integer(row->table, A1_INDEX, row->index);
    table_set_text(row->table, A1_OPERATION, step_name(step->kind));
    if (step->slice >= 0) {
        table_set_integer(row->table, A1_SLICE, step->slice);
        table_set_text(row->table, A1_INVOCATION, strings_text(row->annotation->strings, kernel));
    }
    table_set_integer(row->table, A1_START, row->start);
    table_set_integer(row->table, A1_END, row->end);
    table_set_integer(row->table, A1_TOTAL, row->end - row->start);
    set_flags(row->table, A1_FLAGS, row->job, false);
}

static void add_a1_columns(struct table *table)
{
    add_column(table, "nss_program_index", "NSS Program Index", CELL_INTEGER, "index of the NSS program");
    add_column(table, "operation", "torq-hw Operation in program", CELL_TEXT, "hardware operation");
    add_column(table, "slice_id", "Slice ID (if applicable)", CELL_INTEGER, "slice that runs it");
    add_column(table, "invocation_name", "Invocation Name (if applicable)", CELL_TEXT, "slice program");
    add_column(table, "nss_program_timestamp_start", "NSS Program Start Timestamp [us]", CELL_INTEGER,
               "since the first start");
    add_column(table, "nss_program_timestamp_end", "NSS Program End Timestamp [us]", CELL_INTEGER,
               "since the first start");
    add_column(table, "nss_program_timestamp_total", "NSS Program Total Time [us]", CELL_INTEGER,
               "duration of the program");
    add_flag_columns(table, false);
}

/* `charge_gaps`: as the first annotator did, a job begins where the one before ended. */
static void fill_a1(struct annotation *annotation, struct table *table, bool charge_gaps)
{
    int64_t base = 0, before = 0;
    bool first = true;

    for (size_t i = 0; i < annotation->measured->rows.count; i++) {
        const struct measured_row *row = measured_row(annotation->measured, i);
        struct a1_row output = { .table = table, .annotation = annotation, .index = row->id };
        struct step_walk walk = { .program = annotation->program };

        if (!measured_is_block(annotation->measured, row))
            continue;
        if (first)
            base = before = row->start;
        first = false;
        output.start = (charge_gaps ? before : row->start) - base;
        output.end = row->end - base;
        before = row->end;
        if (row->id < 0 || (uint64_t)row->id >= annotation->program->jobs.count) {
            annotation->unmatched++;
            continue;
        }
        output.job = walk.job = program_job(annotation->program, (uint32_t)row->id);
        walk_steps(&walk, add_a1_step, &output);
    }
}

/* ---- A2: a row per action, NSS waits expanded to their operations ------------------------------------------------ */

enum {
    A2_ACTION,
    A2_JOB,
    A2_OPERATION,
    A2_INVOCATION,
    A2_OPERATOR,
    A2_TOTAL,
    A2_SLICE,
    A2_FLAGS,
    A2_START = A2_FLAGS + 6,
    A2_END,
    A2_LOCATION
};

struct a2_row {
    struct table *table;
    struct annotation *annotation;
    const struct program_action *action;
    const struct program_job *job;
    const struct measured_row *measured;
    const struct joined *operators;
};

static void add_a2_row(const struct a2_row *row, const char *operation)
{
    char job[16];

    table_add_row(row->table);
    table_set_integer(row->table, A2_ACTION, row->action->id);
    if (row->job) {
        snprintf(job, sizeof job, "%d", row->job->id);
        table_set_text(row->table, A2_JOB, job);
    }
    table_set_text(row->table, A2_OPERATION, operation);
    if (row->operators->length)
        table_set_text(row->table, A2_OPERATOR, row->operators->text);
    row->annotation->cut += row->operators->cut;
    if (!row->measured)
        return;
    table_set_integer(row->table, A2_TOTAL, row->measured->end - row->measured->start);
    table_set_integer(row->table, A2_START, row->measured->start);
    table_set_integer(row->table, A2_END, row->measured->end);
}

static void set_location(const struct a2_row *row)
{
    string_id location = row->measured && row->measured->location ? row->measured->location : row->action->location;

    table_set_text(row->table, A2_LOCATION,
                   location ? strings_text(row->annotation->strings, location) : "loc(unknown)");
}

static void add_a2_step(void *context, const struct program_step *step, string_id kernel)
{
    const struct a2_row *row = context;

    add_a2_row(row, step_name(step->kind));
    if (step->slice >= 0) {
        table_set_integer(row->table, A2_SLICE, step->slice);
        table_set_text(row->table, A2_INVOCATION, strings_text(row->annotation->strings, kernel));
    }
    set_flags(row->table, A2_FLAGS, row->job, true);
    set_location(row);
}

static void add_a2_columns(struct table *table)
{
    add_column(table, "action_id", "Action ID", CELL_INTEGER, "index of the runtime action");
    add_column(table, "job_id", "Job ID", CELL_TEXT, "index of the NSS job");
    add_column(table, "operation", "Action in program", CELL_TEXT, "action or hardware operation");
    add_column(table, "invocation_name", "Invocation Name (if applicable)", CELL_TEXT, "slice program");
    add_column(table, "original_operator", "Original Operator", CELL_TEXT, "operator of the model");
    add_column(table, "total_time", "Total Time [us]", CELL_INTEGER, "duration of the action");
    add_column(table, "slice_id", "Slice ID (if applicable)", CELL_INTEGER, "slice that runs it");
    add_flag_columns(table, true);
    add_column(table, "timestamp_start", "Timestamp Start", CELL_INTEGER, "as logged");
    add_column(table, "timestamp_end", "Timestamp End", CELL_INTEGER, "as logged");
    add_column(table, "location", "Location", CELL_TEXT, "as logged");
}

static status fill_a2_execution(struct annotation *annotation, struct table *table,
                                const struct dispatch_run *execution)
{
    const struct program_dispatch *dispatch = program_dispatch(annotation->program, execution->dispatch);

    for (uint32_t i = 0; i < dispatch->action_count; i++) {
        const struct program_action *action = program_action(annotation->program, dispatch->first_action + i);
        const struct measured_row *measured = execution->rows[i];
        struct joined operators;
        struct a2_row row = { table,    annotation, action, job_of_action(annotation->program, action),
                              measured, &operators };
        status code =
            original_operators(annotation, measured && measured->location ? measured->location : action->location,
                               " + ", true, &operators);

        if (code != STATUS_OK)
            return code;
        if (action->kind == ACTION_HOST_WAIT)
            continue;
        annotation->unmatched += measured ? 0 : 1;
        if (action->kind == ACTION_JOB_WAIT && row.job) {
            struct step_walk walk = { .program = annotation->program, .job = row.job };

            walk_steps(&walk, add_a2_step, &row);
            continue;
        }
        add_a2_row(&row, action->kind == ACTION_HOST_START ? "torq_hl.start_program (host)"
                                                           : strings_text(annotation->strings, action->operation));
        set_location(&row);
    }
    return STATUS_OK;
}

/* ---- A3 and document 003: a row per action ----------------------------------------------------------------------- */

enum {
    A3_ACTION,
    A3_JOB,
    A3_OPERATION,
    A3_INVOCATIONS,
    A3_OPERATORS,
    A3_TOTAL,
    A3_FLAGS,
    A3_START = A3_FLAGS + 6,
    A3_END,
    A3_LOCATION
};

static void add_a3_columns(struct table *table, bool exact)
{
    enum cell_type time = exact ? CELL_DECIMAL : CELL_INTEGER;

    add_column(table, "action_id", "Action ID", CELL_INTEGER, "index of the runtime action");
    add_column(table, "job_id", "Job ID", exact ? CELL_DECIMAL : CELL_INTEGER, "index of the NSS job");
    add_column(table, "operation", "Action in program", CELL_TEXT, "action being performed");
    add_column(table, "invocation_names", "Slice Invocation Names (if applicable)", CELL_TEXT,
               "slice programs invoked");
    add_column(table, exact ? "original_operators" : "original_operator", "Original Operators", CELL_TEXT,
               "operators of the model");
    add_column(table, "total_time", "Total Time [us]", time, "duration");
    add_flag_columns(table, true);
    add_column(table, "timestamp_start", "Timestamp Start [us]", time, "as logged");
    add_column(table, "timestamp_end", "Timestamp End [us]", time, "as logged");
    add_column(table, "location", "Location", CELL_TEXT, "place in the source");
}

static void set_number(struct table *table, size_t column, bool decimal, int64_t value)
{
    if (decimal)
        table_set_decimal(table, column, (double)value);
    else
        table_set_integer(table, column, value);
}

static void set_times(struct table *table, bool exact, const struct measured_row *measured)
{
    set_number(table, A3_TOTAL, exact, measured->end - measured->start);
    set_number(table, A3_START, exact, measured->start);
    set_number(table, A3_END, exact, measured->end);
}

static status add_a3_action(struct annotation *annotation, struct table *table, bool exact,
                            const struct program_action *action, const struct measured_row *measured)
{
    const struct program_job *job = job_of_action(annotation->program, action);
    string_id location = action->location ? action->location : measured ? measured->location : 0;
    struct text text = strings_get(annotation->strings, location);
    struct joined operators;
    char pretty[4096];
    size_t length = 0;
    status code = original_operators(annotation, location, " ", false, &operators);

    if (code != STATUS_OK)
        return code;
    table_add_row(table);
    table_set_integer(table, A3_ACTION, action->id);
    table_set_text(table, A3_OPERATION, strings_text(annotation->strings, action->operation));
    if (operators.length)
        table_set_text(table, A3_OPERATORS, operators.text);
    if (job) {
        set_number(table, A3_JOB, exact, job->id);
        if (job->kernels)
            table_set_text(table, A3_INVOCATIONS, strings_text(annotation->strings, job->kernels));
        set_flags(table, A3_FLAGS, job, true);
    }
    if (measured)
        set_times(table, exact, measured);
    if (text.length) {
        length = location_pretty(text.data, text.length, pretty, sizeof pretty);
        table_set_text(table, A3_LOCATION, pretty);
    }
    annotation->cut += operators.cut || length == sizeof pretty - 1;
    return STATUS_OK;
}

static status fill_a3_execution(struct annotation *annotation, struct table *table, bool exact,
                                const struct dispatch_run *execution)
{
    const struct program_dispatch *dispatch = program_dispatch(annotation->program, execution->dispatch);
    status code = STATUS_OK;

    for (uint32_t i = 0; i < dispatch->action_count && code == STATUS_OK; i++) {
        const struct program_action *action = program_action(annotation->program, dispatch->first_action + i);

        annotation->unmatched += execution->measured && !execution->rows[i] && action->kind != ACTION_HOST_WAIT ? 1 : 0;
        code = add_a3_action(annotation, table, exact, action, execution->rows[i]);
    }
    return code;
}

/* At equal start the outer one first. */
static int by_scope(const void *left, const void *right)
{
    const struct measured_row *const *a = left, *const *b = right;

    if ((*a)->invocation != (*b)->invocation)
        return (*a)->invocation < (*b)->invocation ? -1 : 1;
    if ((*a)->start != (*b)->start)
        return (*a)->start < (*b)->start ? -1 : 1;
    return ((*a)->end < (*b)->end) - ((*a)->end > (*b)->end);
}

/* A call is named after its scope: HAL_QUEUE_EXECUTE in __HAL_QUEUE_EXECUTE__. */
static bool is_call(const char *scope, const char *name)
{
    size_t length = strlen(name);

    scope += strspn(scope, "_");
    return strncmp(scope, name, length) == 0 && scope[length + strspn(scope + length, "_")] == '\0';
}

static void add_hal(const struct annotation *annotation, struct table *table, bool exact,
                    const struct measured_row *row, bool call)
{
    const char *name = strings_text(annotation->strings, row->name);
    char operation[512];

    snprintf(operation, sizeof operation, "%s.%s", strings_text(annotation->strings, row->dispatch),
             call ? "HAL_CALL" : name);
    table_add_row(table);
    table_set_integer(table, A3_ACTION, -1);
    table_set_text(table, A3_OPERATION, operation);
    set_times(table, exact, row);
    table_set_text(table, A3_LOCATION, name);
}

/* HAL calls come last, scope by scope, by start. A call that holds other events is left out, as the originals do. */
static status fill_hal(const struct annotation *annotation, struct table *table, bool exact)
{
    const struct measured *measured = annotation->measured;
    const struct measured_row **calls = NULL;
    size_t count = 0, capacity = 0;

    for (size_t i = 0; i < measured->rows.count; i++) {
        if (measured_row(measured, i)->kind != MEASURED_HAL)
            continue;
        if (memory_grow(&calls, &capacity, count + 1, sizeof *calls) != STATUS_OK) {
            memory_free(calls);
            return STATUS_MEMORY;
        }
        calls[count++] = measured_row(measured, i);
    }
    if (count)
        qsort(calls, count, sizeof *calls, by_scope);
    for (size_t i = 0; i < count; i++) {
        bool first = i == 0 || calls[i - 1]->invocation != calls[i]->invocation;
        bool last = i + 1 == count || calls[i + 1]->invocation != calls[i]->invocation;
        bool call = first && is_call(strings_text(annotation->strings, calls[i]->dispatch),
                                     strings_text(annotation->strings, calls[i]->name));

        if (!call || last)
            add_hal(annotation, table, exact, calls[i], call);
    }
    memory_free(calls);
    return STATUS_OK;
}

/* ---- entry ------------------------------------------------------------------------------------------------------- */

static int by_invocation(const void *left, const void *right)
{
    const struct dispatch_run *a = left, *b = right;

    return (a->invocation > b->invocation) - (a->invocation < b->invocation);
}

static status fill_actions(struct annotation *annotation, enum annotate_form form, struct table *table)
{
    struct executions executions = { 0 };
    bool exact = form == ANNOTATE_A3;
    status code = executions_collect(&executions, annotation);

    if (code == STATUS_OK && exact) {
        code = executions_add_inits(&executions, annotation);
        if (executions.count)
            qsort(executions.items, executions.count, sizeof *executions.items, by_invocation);
    }
    for (size_t i = 0; i < executions.count && code == STATUS_OK; i++)
        code = form == ANNOTATE_A2 ? fill_a2_execution(annotation, table, &executions.items[i])
                                   : fill_a3_execution(annotation, table, exact, &executions.items[i]);
    if (code == STATUS_OK && form != ANNOTATE_A2)
        code = fill_hal(annotation, table, exact);
    executions_free(&executions);
    return code;
}

status annotate_fill_form(struct annotation *annotation, enum annotate_form form, struct table *table)
{
    switch (form) {
    case ANNOTATE_JOBS:
    case ANNOTATE_A1:
        add_a1_columns(table);
        fill_a1(annotation, table, form == ANNOTATE_A1);
        return STATUS_OK;
    case ANNOTATE_A2:
        add_a2_columns(table);
        return fill_actions(annotation, form, table);
    case ANNOTATE_ACTIONS:
    case ANNOTATE_A3:
        add_a3_columns(table, form == ANNOTATE_A3);
        return fill_actions(annotation, form, table);
    case ANNOTATE_BLOCKS:
        break;
    }
    return STATUS_OK;
}
