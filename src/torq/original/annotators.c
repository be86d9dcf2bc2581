/* annotators.c: the tables of the three original annotators, mistakes included: A1 of jobs, A2 and A3 of actions. */
#include <stdio.h>

#include "torq/annotation.h"

static const struct annotation *of(const void *context)
{
    return context;
}

/* ---- A1: a job begins where the one before ended ----------------------------------------------------------------- */

static status fill_a1(struct annotation *annotation)
{
    return fill_jobs(annotation, true);
}

const struct annotation_form form_a1 = {
    .name = "a1",
    .title = "Detailed Performance Data",
    .needs = FORM_OF_JOBS,
    .exact = true,
    .fill = fill_a1,
    .sets = job_row_sets,
    .keys = job_row_keys,
};

/* ---- A2: a row per action, NSS waits expanded to their operations ------------------------------------------------ */

static status add_a2(struct annotation *annotation, const struct program_action *action,
                     const struct measured_row *measured)
{
    struct annotation_row like = {
        .action = action, .measured = measured, .job = job_of_action(annotation->program, action), .dispatch = NO_ID
    };
    struct annotation_row *row;

    if (action->kind == ACTION_HOST_WAIT)
        return STATUS_OK;
    annotation->unmatched += !measured;
    if (action->kind == ACTION_JOB_WAIT && like.job)
        return annotation_add_steps(annotation, &like);
    row = annotation_add(annotation);
    if (!row)
        return status_no_memory("annotating");
    *row = like;
    return STATUS_OK;
}

static status fill_a2(struct annotation *annotation)
{
    struct executions executions = { 0 };
    status code = executions_collect(&executions, annotation);

    for (size_t i = 0; i < executions.count; i++) {
        const struct program_dispatch *dispatch = program_dispatch(annotation->program, executions.items[i].dispatch);

        for (uint32_t j = 0; j < dispatch->action_count && code == STATUS_OK; j++)
            code = add_a2(annotation, program_action(annotation->program, dispatch->first_action + j),
                          executions.items[i].rows[j]);
    }
    executions_free(&executions);
    return code;
}

static struct table_cell get_job_text(const void *context, size_t row)
{
    const struct program_job *job = annotation_row(context, row)->job;
    struct joined *text = &of(context)->work->text;

    if (!job)
        return cell_null();
    snprintf(text->text, sizeof text->text, "%d", job->id);
    return cell_text(text->text);
}

static struct table_cell get_a2_operation(const void *context, size_t row)
{
    const struct annotation_row *about = annotation_row(context, row);

    if (about->step)
        return cell_text(step_name(about->step->kind));
    return about->action->kind == ACTION_HOST_START
               ? cell_text("torq_hl.start_program (host)")
               : cell_text(strings_text(of(context)->strings, about->action->operation));
}

static string_id a2_location(const struct annotation_row *row)
{
    return row->measured && row->measured->location ? row->measured->location : row->action->location;
}

static struct table_cell get_callees(const void *context, size_t row)
{
    struct annotation_row *about = annotation_row(context, row);
    const struct joined *operators = annotation_operators(context, a2_location(about), " + ", true);

    about->cut |= operators->cut;
    return operators->length ? cell_text(operators->text) : cell_null();
}

static struct table_cell get_logged_location(const void *context, size_t row)
{
    string_id location = a2_location(annotation_row(context, row));

    return cell_text(location ? strings_text(of(context)->strings, location) : "loc(unknown)");
}

static const struct field a2_fields[] = {
    ANNOTATION_FIELD("action_id", "Action ID", CELL_INTEGER, "index of the runtime action", get_action_id),
    ANNOTATION_FIELD("job_id", "Job ID", CELL_TEXT, "index of the NSS job", get_job_text),
    ANNOTATION_FIELD("operation", "Action in program", CELL_TEXT, "action or hardware operation", get_a2_operation),
    ANNOTATION_FIELD("invocation_name", "Invocation Name (if applicable)", CELL_TEXT, "slice program", get_step_kernel),
    ANNOTATION_FIELD("original_operator", "Original Operator", CELL_TEXT, "operator of the model", get_callees),
    ANNOTATION_FIELD("total_time", "Total Time [us]", CELL_INTEGER, "duration of the action", get_total_time),
    ANNOTATION_FIELD("slice_id", "Slice ID (if applicable)", CELL_INTEGER, "slice that runs it", get_step_slice),
    FIRST_ENGINE_FIELDS,
    LATER_ENGINE_FIELDS,
    ANNOTATION_FIELD("timestamp_start", "Timestamp Start", CELL_INTEGER, "as logged", get_timestamp_start),
    ANNOTATION_FIELD("timestamp_end", "Timestamp End", CELL_INTEGER, "as logged", get_timestamp_end),
    ANNOTATION_FIELD("location", "Location", CELL_TEXT, "as logged", get_logged_location),
    { .key = NULL },
};
static const struct field_set a2_set = { "action", a2_fields };
static const struct field_set *const a2_sets[] = { &a2_set, NULL };

const struct annotation_form form_a2 = {
    .name = "a2",
    .title = "Detailed Performance Data",
    .needs = FORM_OF_ACTIONS,
    .exact = true,
    .fill = fill_a2,
    .sets = a2_sets,
};

/* ---- A3: times as decimals; actions repeated without times for every INIT ---------------------------------------- */

static status fill_a3(struct annotation *annotation)
{
    return fill_actions(annotation, true);
}

static struct table_cell as_decimal(struct table_cell cell)
{
    return cell.null ? cell : cell_decimal((double)cell.integer);
}

static struct table_cell get_job_decimal(const void *context, size_t row)
{
    const struct program_job *job = annotation_row(context, row)->job;

    return job ? cell_decimal(job->id) : cell_null();
}

static struct table_cell get_total_decimal(const void *context, size_t row)
{
    return as_decimal(get_total_time(context, row));
}

static struct table_cell get_start_decimal(const void *context, size_t row)
{
    return as_decimal(get_timestamp_start(context, row));
}

static struct table_cell get_end_decimal(const void *context, size_t row)
{
    return as_decimal(get_timestamp_end(context, row));
}

static const struct field a3_fields[] = {
    ANNOTATION_FIELD("action_id", "Action ID", CELL_INTEGER, "index of the runtime action", get_action_id),
    ANNOTATION_FIELD("job_id", "Job ID", CELL_DECIMAL, "index of the NSS job", get_job_decimal),
    ANNOTATION_FIELD("operation", "Action in program", CELL_TEXT, "action being performed", get_action_operation),
    ANNOTATION_FIELD("invocation_names", "Slice Invocation Names (if applicable)", CELL_TEXT, "slice programs invoked",
                     get_kernels),
    ANNOTATION_FIELD("original_operators", "Original Operators", CELL_TEXT, "operators of the model",
                     get_all_operators),
    ANNOTATION_FIELD("total_time", "Total Time [us]", CELL_DECIMAL, "duration", get_total_decimal),
    FIRST_ENGINE_FIELDS,
    LATER_ENGINE_FIELDS,
    ANNOTATION_FIELD("timestamp_start", "Timestamp Start [us]", CELL_DECIMAL, "as logged", get_start_decimal),
    ANNOTATION_FIELD("timestamp_end", "Timestamp End [us]", CELL_DECIMAL, "as logged", get_end_decimal),
    ANNOTATION_FIELD("location", "Location", CELL_TEXT, "place in the source", get_pretty_location),
    { .key = NULL },
};
static const struct field_set a3_set = { "action", a3_fields };
static const struct field_set *const a3_sets[] = { &a3_set, NULL };

const struct annotation_form form_a3 = {
    .name = "a3",
    .title = "Detailed Performance Data",
    .needs = FORM_OF_ACTIONS,
    .exact = true,
    .fill = fill_a3,
    .sets = a3_sets,
};
