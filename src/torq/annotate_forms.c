/* annotate_forms.c: logs as tables for machines: a row per action of the program, or per hardware operation of every job. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "torq/annotation.h"
#include "torq/location.h"
#include "trace/clock.h"

static const struct annotation *of(const void *context)
{
    return context;
}

static struct table_cell cell_string(const void *context, string_id id)
{
    return cell_text(strings_text(of(context)->strings, id));
}

/* ---- Engines of a job -------------------------------------------------------------------------------------------- */

static struct table_cell cell_used(const void *context, size_t row, uint32_t bit)
{
    const struct annotation_row *about = annotation_row(context, row);

    return about->engines ? cell_boolean(about->job->used & bit) : cell_null();
}

struct table_cell get_slice_0(const void *context, size_t row)
{
    return cell_used(context, row, USED_SLICE_0);
}

struct table_cell get_slice_1(const void *context, size_t row)
{
    return cell_used(context, row, USED_SLICE_0 << 1);
}

struct table_cell get_dma_in(const void *context, size_t row)
{
    return cell_used(context, row, USED_DMA_IN);
}

struct table_cell get_dma_out(const void *context, size_t row)
{
    return cell_used(context, row, USED_DMA_OUT);
}

struct table_cell get_cdma(const void *context, size_t row)
{
    return cell_used(context, row, USED_CDMA);
}

struct table_cell get_css(const void *context, size_t row)
{
    return cell_used(context, row, USED_CSS);
}

/* ---- Rows per hardware operation of a job ------------------------------------------------------------------------ */

static status add_steps_of(struct annotation *annotation, const struct annotation_row *like,
                           const struct program_task *task, enum step_kind kind, string_id last_kernel[16])
{
    assert(kind < STEP_COUNT);
    for (uint32_t i = 0; i < task->step_count; i++) {
        const struct program_step *step = program_step(annotation->program, task->first_step + i);
        unsigned slice = step->slice >= 0 && step->slice < 16 ? (unsigned)step->slice : 0;
        struct annotation_row *row;

        if (step->kind != kind)
            continue;
        if (kind == STEP_SLICE_START)
            last_kernel[slice] = step->kernel;
        row = annotation_add(annotation);
        if (!row)
            return status_no_memory("annotating");
        *row = *like;
        row->step = step;
        row->kernel = step->slice >= 0 ? last_kernel[slice] : 0;
        row->engines = true;
    }
    return STATUS_OK;
}

status annotation_add_steps(struct annotation *annotation, const struct annotation_row *like)
{
    string_id last_kernel[16] = { 0 }; /* of each slice: a wait repeats it */
    status code = STATUS_OK;

    assert(like->job);
    for (uint32_t i = 0; i < like->job->task_count; i++)
        for (unsigned kind = 0; kind < STEP_COUNT && code == STATUS_OK; kind++)
            code = add_steps_of(annotation, like, program_task(annotation->program, like->job->first_task + i),
                                (enum step_kind)kind, last_kernel);
    return code;
}

status fill_jobs(struct annotation *annotation, bool charge_gaps)
{
    int64_t base = 0, before = 0;
    bool first = true;
    status code = STATUS_OK;

    assert(annotation->work && "an annotation is started before it is filled");
    for (size_t i = 0; i < annotation->measured->rows.count && code == STATUS_OK; i++) {
        const struct measured_row *row = measured_row(annotation->measured, i);
        struct annotation_row like = { .measured = row, .dispatch = NO_ID };

        if (!measured_is_block(annotation->measured, row))
            continue;
        if (first)
            base = before = row->start;
        first = false;
        like.start = (charge_gaps ? before : row->start) - base;
        like.end = row->end - base;
        before = row->end;
        if (row->id < 0 || (uint64_t)row->id >= annotation->program->jobs.count) {
            annotation->unmatched++;
            continue;
        }
        like.job = program_job(annotation->program, (uint32_t)row->id);
        code = annotation_add_steps(annotation, &like);
    }
    return code;
}

static struct table_cell get_index(const void *context, size_t row)
{
    return cell_integer(annotation_row(context, row)->measured->id);
}

static struct table_cell get_step(const void *context, size_t row)
{
    return cell_text(step_name(annotation_row(context, row)->step->kind));
}

struct table_cell get_step_slice(const void *context, size_t row)
{
    const struct program_step *step = annotation_row(context, row)->step;

    return step && step->slice >= 0 ? cell_integer(step->slice) : cell_null();
}

struct table_cell get_step_kernel(const void *context, size_t row)
{
    const struct program_step *step = annotation_row(context, row)->step;

    return step && step->slice >= 0 ? cell_string(context, annotation_row(context, row)->kernel) : cell_null();
}

static struct table_cell get_start(const void *context, size_t row)
{
    return cell_integer(annotation_row(context, row)->start);
}

static struct table_cell get_end(const void *context, size_t row)
{
    return cell_integer(annotation_row(context, row)->end);
}

static struct table_cell get_total(const void *context, size_t row)
{
    return cell_integer(annotation_row(context, row)->end - annotation_row(context, row)->start);
}

static const struct field job_row_fields[] = {
    ANNOTATION_FIELD("nss_program_index", "NSS Program Index", CELL_INTEGER, "index of the NSS program", get_index),
    ANNOTATION_FIELD("operation", "torq-hw Operation in program", CELL_TEXT, "hardware operation", get_step),
    ANNOTATION_FIELD("slice_id", "Slice ID (if applicable)", CELL_INTEGER, "slice that runs it", get_step_slice),
    ANNOTATION_FIELD("invocation_name", "Invocation Name (if applicable)", CELL_TEXT, "slice program", get_step_kernel),
    ANNOTATION_FIELD("nss_program_timestamp_start", "NSS Program Start Timestamp [us]", CELL_INTEGER,
                     "since the first start", get_start),
    ANNOTATION_FIELD("nss_program_timestamp_end", "NSS Program End Timestamp [us]", CELL_INTEGER,
                     "since the first start", get_end),
    ANNOTATION_FIELD("nss_program_timestamp_total", "NSS Program Total Time [us]", CELL_INTEGER,
                     "duration of the program", get_total),
    FIRST_ENGINE_FIELDS,
    LATER_ENGINE_FIELDS,
    { .key = NULL },
};
static const struct field_set job_row_set = { "step", job_row_fields };
const struct field_set *const job_row_sets[] = { &job_row_set, NULL };
const char *const job_row_keys[] = {
    "nss_program_index",
    "operation",
    "slice_id",
    "invocation_name",
    "nss_program_timestamp_start",
    "nss_program_timestamp_end",
    "nss_program_timestamp_total",
    "slice_used_0_in_program",
    "slice_used_1_in_program",
    "dma_in_used_in_program",
    "dma_out_used_in_program",
    NULL,
};

static status fill_true_jobs(struct annotation *annotation)
{
    return fill_jobs(annotation, false);
}

const struct annotation_form form_jobs = {
    .name = "jobs",
    .title = "Detailed Performance Data",
    .needs = FORM_OF_JOBS,
    .fill = fill_true_jobs,
    .sets = job_row_sets,
    .keys = job_row_keys,
};

/* ---- Rows per action --------------------------------------------------------------------------------------------- */

static status add_actions(struct annotation *annotation, const struct dispatch_run *execution)
{
    const struct program_dispatch *dispatch = program_dispatch(annotation->program, execution->dispatch);

    for (uint32_t i = 0; i < dispatch->action_count; i++) {
        struct annotation_row *row = annotation_add(annotation);

        if (!row)
            return status_no_memory("annotating");
        row->action = program_action(annotation->program, dispatch->first_action + i);
        row->job = job_of_action(annotation->program, row->action);
        row->engines = row->job != NULL;
        row->measured = execution->rows[i];
        annotation->unmatched += execution->measured && !row->measured && row->action->kind != ACTION_HOST_WAIT;
    }
    return STATUS_OK;
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

/* HAL calls come last, scope by scope, by start. A call that holds other events is left out, as the originals do. */
static status add_calls(struct annotation *annotation, const struct measured_row **calls, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool first = i == 0 || calls[i - 1]->invocation != calls[i]->invocation;
        bool last = i + 1 == count || calls[i + 1]->invocation != calls[i]->invocation;
        bool call = first && is_call(strings_text(annotation->strings, calls[i]->dispatch),
                                     strings_text(annotation->strings, calls[i]->name));
        struct annotation_row *row;

        if (call && !last)
            continue;
        row = annotation_add(annotation);
        if (!row)
            return status_no_memory("annotating");
        row->measured = calls[i];
        row->call = call;
    }
    return STATUS_OK;
}

static status add_hal(struct annotation *annotation)
{
    const struct measured *measured = annotation->measured;
    const struct measured_row **calls = NULL;
    size_t count = 0, capacity = 0;
    status code = STATUS_OK;

    for (size_t i = 0; i < measured->rows.count && code == STATUS_OK; i++) {
        if (measured_row(measured, i)->kind != MEASURED_HAL)
            continue;
        code = memory_grow(&calls, &capacity, count + 1, sizeof *calls);
        if (code == STATUS_OK)
            calls[count++] = measured_row(measured, i);
    }
    if (code == STATUS_OK && count) {
        qsort(calls, count, sizeof *calls, by_scope);
        code = add_calls(annotation, calls, count);
    }
    memory_free(calls);
    return code;
}

status fill_actions(struct annotation *annotation, bool inits)
{
    struct executions executions = { 0 };
    status code = executions_collect(&executions, annotation);

    assert(annotation->work && "an annotation is started before it is filled");
    if (code == STATUS_OK && inits)
        code = executions_add_inits(&executions, annotation);
    for (size_t i = 0; i < executions.count && code == STATUS_OK; i++)
        code = add_actions(annotation, &executions.items[i]);
    if (code == STATUS_OK)
        code = add_hal(annotation);
    executions_free(&executions);
    return code;
}

struct table_cell get_action_id(const void *context, size_t row)
{
    const struct program_action *action = annotation_row(context, row)->action;

    return cell_integer(action ? action->id : -1);
}

static struct table_cell get_job_id(const void *context, size_t row)
{
    const struct program_job *job = annotation_row(context, row)->job;

    return job ? cell_integer(job->id) : cell_null();
}

struct table_cell get_action_operation(const void *context, size_t row)
{
    const struct annotation_row *about = annotation_row(context, row);
    const struct strings *strings = of(context)->strings;
    struct joined *text = &of(context)->work->text;

    assert(about->action || about->measured);
    if (about->action)
        return cell_string(context, about->action->operation);
    snprintf(text->text, sizeof text->text, "%s.%s", strings_text(strings, about->measured->dispatch),
             about->call ? "HAL_CALL" : strings_text(strings, about->measured->name));
    return cell_text(text->text);
}

struct table_cell get_kernels(const void *context, size_t row)
{
    const struct program_job *job = annotation_row(context, row)->job;

    return job && job->kernels ? cell_string(context, job->kernels) : cell_null();
}

static string_id location_of(const struct annotation_row *row)
{
    return row->action->location ? row->action->location : row->measured ? row->measured->location : 0;
}

struct table_cell get_all_operators(const void *context, size_t row)
{
    struct annotation_row *about = annotation_row(context, row);
    const struct joined *operators;

    if (!about->action)
        return cell_null();
    operators = annotation_operators(context, location_of(about), " ", false);
    about->cut |= operators->cut;
    return operators->length ? cell_text(operators->text) : cell_null();
}

/* Ticks of the log as microseconds, which they are as a rule. */
static struct table_cell cell_time(const void *context, int64_t ticks)
{
    const struct clock *clock = &of(context)->measured->clock;

    return cell_integer(clock->numerator == 1000 && clock->denominator == 1 ? ticks
                                                                            : clock_span_ns(clock, ticks) / 1000);
}

struct table_cell get_total_time(const void *context, size_t row)
{
    const struct measured_row *measured = annotation_row(context, row)->measured;

    return measured ? cell_time(context, measured->end - measured->start) : cell_null();
}

struct table_cell get_timestamp_start(const void *context, size_t row)
{
    const struct measured_row *measured = annotation_row(context, row)->measured;

    return measured ? cell_time(context, measured->start) : cell_null();
}

struct table_cell get_timestamp_end(const void *context, size_t row)
{
    const struct measured_row *measured = annotation_row(context, row)->measured;

    return measured ? cell_time(context, measured->end) : cell_null();
}

/* The pretty form of a location, made once; NULL: it does not fit, or there is no memory for it. */
static const char *pretty_of(const struct annotation *annotation, string_id location)
{
    struct annotation_work *work = annotation->work;
    struct text text = strings_get(annotation->strings, location);
    status code = memory_grow_clear(&work->pretty, &work->pretty_capacity, (size_t)location + 1, sizeof *work->pretty);

    if (code == STATUS_OK && !work->pretty[location]) {
        size_t length = location_pretty(text.data, text.length, work->text.text, sizeof work->text.text);

        if (length == sizeof work->text.text - 1)
            return NULL;
        code = strings_add(annotation->strings, work->text.text, length, &work->pretty[location]);
    }
    if (code != STATUS_OK)
        work->failure = code;
    return code == STATUS_OK ? strings_text(annotation->strings, work->pretty[location]) : NULL;
}

struct table_cell get_pretty_location(const void *context, size_t row)
{
    struct annotation_row *about = annotation_row(context, row);
    const char *pretty;
    string_id location;

    assert(about->action || about->measured);
    if (!about->action)
        return cell_string(context, about->measured->name);
    location = location_of(about);
    if (!location)
        return cell_null();
    pretty = pretty_of(context, location);
    about->cut |= !pretty;
    return cell_text(pretty ? pretty : of(context)->work->text.text);
}

static const struct field action_fields[] = {
    ANNOTATION_FIELD("action_id", "Action ID", CELL_INTEGER, "index of the runtime action", get_action_id),
    ANNOTATION_FIELD("job_id", "Job ID", CELL_INTEGER, "index of the NSS job", get_job_id),
    ANNOTATION_FIELD("operation", "Action in program", CELL_TEXT, "action being performed", get_action_operation),
    ANNOTATION_FIELD("invocation_names", "Slice Invocation Names (if applicable)", CELL_TEXT, "slice programs invoked",
                     get_kernels),
    ANNOTATION_FIELD("original_operator", "Original Operators", CELL_TEXT, "operators of the model", get_all_operators),
    ANNOTATION_FIELD("total_time", "Total Time [us]", CELL_INTEGER, "duration", get_total_time),
    FIRST_ENGINE_FIELDS,
    LATER_ENGINE_FIELDS,
    ANNOTATION_FIELD("timestamp_start", "Timestamp Start [us]", CELL_INTEGER, "as logged", get_timestamp_start),
    ANNOTATION_FIELD("timestamp_end", "Timestamp End [us]", CELL_INTEGER, "as logged", get_timestamp_end),
    ANNOTATION_FIELD("location", "Location", CELL_TEXT, "place in the source", get_pretty_location),
    { .key = NULL },
};
static const struct field_set action_set = { "action", action_fields };
static const struct field_set *const action_sets[] = { &action_set, NULL };
static const char *const action_keys[] = {
    "action_id",
    "job_id",
    "operation",
    "invocation_names",
    "original_operator",
    "total_time",
    "slice_used_0_in_program",
    "slice_used_1_in_program",
    "dma_in_used_in_program",
    "dma_out_used_in_program",
    "cdma_used_in_program",
    "css_used_in_program",
    "timestamp_start",
    "timestamp_end",
    "location",
    NULL,
};

static status fill_measured_actions(struct annotation *annotation)
{
    return fill_actions(annotation, false);
}

const struct annotation_form form_actions = {
    .name = "actions",
    .title = "Detailed Performance Data",
    .needs = FORM_OF_ACTIONS,
    .fill = fill_measured_actions,
    .sets = action_sets,
    .keys = action_keys,
};
