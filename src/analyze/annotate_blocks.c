#include <stdio.h>
#include <string.h>

#include "analyze/annotate_shared.h"
#include "trace/clock.h"
#include "trace/location.h"

enum { BLOCK_NUMBER, BLOCK_NAME, BLOCK_TIME, BLOCK_SHARE, BLOCK_ENGINES, BLOCK_SOURCE, BLOCK_START };

static void add_block_columns(struct table *table)
{
    add_column(table, "action", "#", CELL_INTEGER, "action, or job where the log has no actions");
    add_column(table, "block", "Block", CELL_TEXT, "what ran");
    add_column(table, "time", "Time", CELL_DURATION, "how long");
    table_add_column(table, (struct table_column){ .name = "percent", .title = "Share", .unit = "%", .type = CELL_PERCENT, .bar = true,
                                                   .description = "of the whole, from first start to last end" });
    add_column(table, "engines", "Engines", CELL_TEXT, "engines that the program used");
    add_column(table, "source", "Source", CELL_TEXT, "operators of the model, or their places");
    table_add_column(table, (struct table_column){ .name = "start", .title = "Start", .type = CELL_DURATION, .optional = true,
                                                   .description = "since the first start" });
}

static void name_engines(uint32_t bits, struct joined *joined)
{
    static const char *const names[] = { "DMA in", "DMA out", "CDMA", "CSS" };
    char slice[16];

    *joined = (struct joined){ 0 };
    for (unsigned i = 0; i < 16; i++) {
        snprintf(slice, sizeof slice, "slice %u", i);
        if (bits & (uint32_t)USED_SLICE_0 << i)
            join_part(joined, ", ", slice);
    }
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (bits & 1u << i)
            join_part(joined, ", ", names[i]);
}

static status name_source(const struct annotation *annotation, string_id location, struct joined *joined)
{
    struct text text = strings_get(annotation->strings, location);
    status code = original_operators(annotation, location, " + ", true, joined);

    if (code == STATUS_OK && !joined->length && text.length)
        joined->length = location_short(text.data, text.length, joined->text, sizeof joined->text);
    return code;
}

/* What a block is called: its kernels where it has some, else the operation. */
static void name_block(const struct annotation *annotation, const struct program_action *action, const struct program_job *job,
                       struct joined *joined)
{
    const char *operation = action ? strings_text(annotation->strings, action->operation) : "";

    *joined = (struct joined){ 0 };
    if (strncmp(operation, "torq_hl.", 8) == 0)
        operation += 8;
    if (job && job->kernels) {
        join_part(joined, "", strings_text(annotation->strings, job->kernels));
    } else if (job) {
        join_part(joined, "", strings_text(annotation->strings, job->name));
    } else {
        join_part(joined, "", operation);
        if (action && action->invocation)
            join_part(joined, " ", strings_text(annotation->strings, action->invocation));
    }
    if (action && action->kind == ACTION_JOB_START)
        join_part(joined, " ", "(start)");
}

struct span {
    bool any;
    int64_t first, last;
};

static struct span measured_span(const struct measured *measured)
{
    struct span span = { 0 };

    for (size_t i = 0; i < measured->rows.count; i++) {
        const struct measured_row *row = measured_row(measured, i);

        if (!measured_is_block(measured, row))
            continue;
        if (!span.any || row->start < span.first)
            span.first = row->start;
        if (!span.any || row->end > span.last)
            span.last = row->end;
        span.any = true;
    }
    return span;
}

static status add_block(struct annotation *annotation, struct table *table, const struct span *span,
                        const struct measured_row *row, const struct program_action *action, const struct program_job *job)
{
    const struct clock *clock = &annotation->measured->clock;
    int64_t whole = span->last - span->first;
    string_id location = row->location ? row->location : action ? action->location : job ? job->location : 0;
    struct joined text;
    status code;

    table_add_row(table);
    table_set_integer(table, BLOCK_NUMBER, row->id);
    name_block(annotation, action, job, &text);
    table_set_text(table, BLOCK_NAME, text.length ? text.text : strings_text(annotation->strings, row->name));
    table_set_integer(table, BLOCK_TIME, clock_span_ns(clock, row->end - row->start));
    table_set_decimal(table, BLOCK_SHARE, whole ? 100.0 * (double)(row->end - row->start) / (double)whole : 0);
    name_engines(job && (!action || action->kind == ACTION_JOB_WAIT) ? job->used : 0, &text);
    table_set_text(table, BLOCK_ENGINES, text.text);
    code = name_source(annotation, location, &text);
    table_set_text(table, BLOCK_SOURCE, text.text);
    table_set_integer(table, BLOCK_START, clock_span_ns(clock, row->start - span->first));
    return code;
}

static status fill_blocks(struct annotation *annotation, struct table *table)
{
    const struct program *program = annotation->program;
    struct span span = measured_span(annotation->measured);
    status code = STATUS_OK;

    for (size_t i = 0; i < annotation->measured->rows.count && code == STATUS_OK; i++) {
        const struct measured_row *row = measured_row(annotation->measured, i);
        const struct program_action *action = NULL;
        const struct program_job *job = NULL;
        uint32_t dispatch, position;

        if (!measured_is_block(annotation->measured, row))
            continue;
        if (row->kind == MEASURED_JOB && row->id >= 0 && (uint64_t)row->id < program->jobs.count)
            job = program_job(program, (uint32_t)row->id);
        else if (row->kind == MEASURED_ACTION && find_dispatch(program, row->dispatch, &dispatch) &&
                 action_position(program, dispatch, row->id, &position))
            action = program_action(program, program_dispatch(program, dispatch)->first_action + position);
        else
            annotation->unmatched++;
        if (action)
            job = job_of(program, action);
        code = add_block(annotation, table, &span, row, action, job);
    }
    return code;
}
