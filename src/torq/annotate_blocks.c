/* annotate_blocks.c: a log for people: every block in the order in which it ran, with its time, engines and source. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "torq/annotation.h"
#include "torq/location.h"
#include "trace/clock.h"

enum { MOST_LISTED = 8 }; /* dispatches that the note names */

static const struct annotation *of(const void *context)
{
    return context;
}

/* The text that is being made, empty. */
static struct joined *begin_text(const void *context)
{
    struct joined *text = &of(context)->work->text;

    text->length = 0;
    text->cut = false;
    text->text[0] = '\0';
    return text;
}

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

/* What the program knows of a measured row. False: it has no counterpart. */
static bool find_block(const struct program *program, struct annotation_row *block)
{
    const struct measured_row *row = block->measured;
    uint32_t action;

    if (row->kind == MEASURED_JOB) {
        if (row->id < 0 || (uint64_t)row->id >= program->jobs.count)
            return false;
        block->job = program_job(program, (uint32_t)row->id);
        block->dispatch = block->job->dispatch;
        return true;
    }
    block->dispatch = program_find_dispatch(program, row->dispatch);
    action = block->dispatch == NO_ID ? NO_ID : program_find_action(program, block->dispatch, row->id);
    if (action == NO_ID)
        return false;
    block->action = program_action(program, action);
    block->job = job_of_action(program, block->action);
    return true;
}

static status fill_blocks(struct annotation *annotation)
{
    const struct measured *measured = annotation->measured;
    size_t dispatches = annotation->program->dispatches.count;

    annotation->occurs = memory_allocate_clear((dispatches + 1) * sizeof *annotation->occurs);
    if (!annotation->occurs)
        return status_no_memory("annotating");
    for (size_t i = 0; i < measured->rows.count; i++) {
        const struct measured_row *row = measured_row(measured, i);
        struct annotation_row *block;

        if (!measured_is_block(measured, row))
            continue;
        if (!annotation->count || row->start < annotation->first)
            annotation->first = row->start;
        if (!annotation->count || row->end > annotation->last)
            annotation->last = row->end;
        block = annotation_add(annotation);
        if (!block)
            return status_no_memory("annotating");
        block->measured = row;
        annotation->unmatched += !find_block(annotation->program, block);
        annotation->occurs[block->dispatch == NO_ID ? dispatches : block->dispatch] = true;
    }
    return STATUS_OK;
}

/* ---- Fields ------------------------------------------------------------------------------------------------------ */

static struct table_cell get_number(const void *context, size_t row)
{
    return cell_integer(annotation_row(context, row)->measured->id);
}

/* Ids alone are ambiguous where the program has several dispatches. */
static struct table_cell get_numbers(const void *context, size_t row)
{
    const struct annotation_row *block = annotation_row(context, row);
    struct joined *text = begin_text(context);

    if (block->dispatch == NO_ID)
        snprintf(text->text, sizeof text->text, "?:%lld", (long long)block->measured->id);
    else
        snprintf(text->text, sizeof text->text, "%u:%lld", block->dispatch, (long long)block->measured->id);
    return cell_text(text->text);
}

/* What an action does with its job or host program. The wait for a job is the job itself, as far as anyone measured. */
static const char *verb_of(const struct program_action *action)
{
    if (action->kind == ACTION_JOB_START || action->kind == ACTION_HOST_START)
        return "start";
    return action->kind == ACTION_HOST_WAIT ? "wait" : "";
}

/* What a block is called: its kernels where it has some, else the operation. The verb comes first, because the end of a long list
 * is cut. */
static struct table_cell get_name(const void *context, size_t row)
{
    struct annotation_row *block = annotation_row(context, row);
    const struct strings *strings = of(context)->strings;
    const struct program_action *action = block->action;
    const struct program_job *job = block->job;
    const char *operation = action ? strings_text(strings, action->operation) : "";
    string_id name = job ? job->kernels ? job->kernels : job->name : action ? action->invocation : 0;
    struct joined *text = begin_text(context);

    if (strncmp(operation, "torq_hl.", 8) == 0)
        operation += 8;
    if (!job)
        joined_add(text, "", name && *verb_of(action) ? verb_of(action) : operation);
    else if (action)
        joined_add(text, "", verb_of(action));
    if (name)
        joined_add(text, " ", strings_text(strings, name));
    block->cut |= text->cut;
    return cell_text(text->length ? text->text : strings_text(strings, block->measured->name));
}

static struct table_cell get_time(const void *context, size_t row)
{
    const struct measured_row *measured = annotation_row(context, row)->measured;

    return cell_integer(clock_span_ns(&of(context)->measured->clock, measured->end - measured->start));
}

static struct table_cell get_share(const void *context, size_t row)
{
    const struct measured_row *measured = annotation_row(context, row)->measured;
    int64_t whole = of(context)->last - of(context)->first;

    return cell_decimal(whole ? 100.0 * (double)(measured->end - measured->start) / (double)whole : 0);
}

/* Codes, because a narrow terminal has to hold all of them. */
static struct table_cell get_engines(const void *context, size_t row)
{
    static const char *const names[] = { "IN", "OUT", "CDMA", "CSS" };
    const struct annotation_row *block = annotation_row(context, row);
    bool ran = block->job && (!block->action || block->action->kind == ACTION_JOB_WAIT);
    uint32_t used = ran ? block->job->used : 0;
    struct joined *text = begin_text(context);
    char slice[16];

    for (unsigned i = 0; i < 16; i++) {
        snprintf(slice, sizeof slice, "S%u", i);
        if (used & (uint32_t)USED_SLICE_0 << i)
            joined_add(text, " ", slice);
    }
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (used & 1u << i)
            joined_add(text, " ", names[i]);
    return cell_text(text->text);
}

static struct table_cell get_source(const void *context, size_t row)
{
    struct annotation_row *block = annotation_row(context, row);
    string_id location = block->measured->location ? block->measured->location
                         : block->action           ? block->action->location
                         : block->job              ? block->job->location
                                                   : 0;
    struct text text = strings_get(of(context)->strings, location);
    const struct joined *operators = annotation_operators(context, location, " + ", true);

    if (operators->length) {
        block->cut |= operators->cut;
        return cell_text(operators->text);
    }
    /* This form says itself how many places it leaves out. */
    if (text.length)
        location_short(text.data, text.length, begin_text(context)->text, sizeof operators->text);
    return cell_text(operators->text);
}

static struct table_cell get_start(const void *context, size_t row)
{
    return cell_integer(clock_span_ns(&of(context)->measured->clock,
                                      annotation_row(context, row)->measured->start - of(context)->first));
}

static const struct field number_fields[] = {
    ANNOTATION_FIELD("action", "#", CELL_INTEGER, "action, or job where the log has no actions", get_number),
    { .key = NULL },
};
static const struct field numbers_fields[] = {
    ANNOTATION_FIELD("action", "#", CELL_TEXT, "dispatch:action, or dispatch:job where the log has no actions",
                     get_numbers),
    { .key = NULL },
};
static const struct field block_fields[] = {
    ANNOTATION_FIELD("block", "Block", CELL_TEXT, "what ran: kernels of a job, else the operation", get_name),
    ANNOTATION_FIELD("time", "Time", CELL_DURATION, "how long", get_time),
    { .key = "percent",
      .title = "Share",
      .unit = "%",
      .type = CELL_PERCENT,
      .bar = true,
      .description = "of the whole, from first start to last end",
      .get = get_share },
    ANNOTATION_FIELD("engines", "Engines", CELL_TEXT,
                     "engines that the program used: S0, S1, ... slices, IN DMA input, OUT DMA output, CDMA, CSS",
                     get_engines),
    ANNOTATION_FIELD("source", "Source", CELL_TEXT, "operators of the model, or their places", get_source),
    { .key = "start",
      .title = "Start",
      .type = CELL_DURATION,
      .optional = true,
      .description = "since the first start",
      .get = get_start },
    { .key = NULL },
};
static const struct field_set number_set = { "block", number_fields }, numbers_set = { "block", numbers_fields },
                              block_set = { "block", block_fields };
static const struct field_set *const block_sets[] = { &number_set, &block_set, NULL };
static const struct field_set *const numbered_sets[] = { &numbers_set, &block_set, NULL };
static const char *const keys[] = { "action", "block", "time", "percent", "engines", "source", "start", NULL };

/* ---- Forms ------------------------------------------------------------------------------------------------------- */

/* "dispatches: 0 = main_dispatch_0_conv, 1 = main_dispatch_1_add" */
static void note_dispatches(const struct annotation *annotation, struct table *table)
{
    const struct program *program = annotation->program;
    struct joined *list = begin_text(annotation);
    unsigned listed = 0;

    for (uint32_t i = 0; i < program->dispatches.count && listed <= MOST_LISTED; i++) {
        char number[16];

        if (!annotation->occurs[i])
            continue;
        snprintf(number, sizeof number, "%u = ", i);
        joined_add(list, ", ", listed < MOST_LISTED ? number : "...");
        if (listed < MOST_LISTED)
            joined_add(list, "", strings_text(annotation->strings, program_dispatch(program, i)->name));
        listed++;
    }
    if (annotation->occurs[program->dispatches.count])
        joined_add(list, ", ", "? = not in the program");
    if (list->length)
        table_note(table, "dispatches: %s%s", list->text, list->cut ? "..." : "");
}

const struct annotation_form form_blocks = {
    .name = "blocks",
    .title = "Blocks in execution order",
    .fill = fill_blocks,
    .sets = block_sets,
    .keys = keys,
};

const struct annotation_form form_numbered_blocks = {
    .name = "blocks",
    .title = "Blocks in execution order",
    .fill = fill_blocks,
    .sets = numbered_sets,
    .keys = keys,
    .note = note_dispatches,
};
