#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "torq/annotate_shared.h"
#include "torq/location.h"
#include "trace/clock.h"

enum { BLOCK_NUMBER, BLOCK_NAME, BLOCK_TIME, BLOCK_SHARE, BLOCK_ENGINES, BLOCK_SOURCE, BLOCK_START };

enum { MOST_LISTED = 8 }; /* dispatches that the note names */

/* A measured row with what the program knows of it. */
struct block {
    const struct measured_row *row;
    uint32_t dispatch;                   /* index; NO_ID: the program has none of that name */
    const struct program_action *action; /* NULL: a job, or not in the program */
    const struct program_job *job;       /* NULL: none, or not in the program */
};

struct span {
    bool any;
    int64_t first, last;
};

/* The table while it is filled. */
struct block_table {
    struct table *table;
    struct annotation *annotation;
    struct span span;
    bool numbered; /* the program has several dispatches: ids alone are ambiguous */
    bool *occurs;  /* by dispatch, when numbered */
    bool unknown;  /* a block's dispatch is not in the program */
};

static void add_block_columns(struct table *table, bool numbered)
{
    if (numbered)
        add_column(table, "action", "#", CELL_TEXT, "dispatch:action, or dispatch:job where the log has no actions");
    else
        add_column(table, "action", "#", CELL_INTEGER, "action, or job where the log has no actions");
    add_column(table, "block", "Block", CELL_TEXT, "what ran: kernels of a job, else the operation");
    add_column(table, "time", "Time", CELL_DURATION, "how long");
    table_add_column(table, (struct table_column){ .name = "percent",
                                                   .title = "Share",
                                                   .unit = "%",
                                                   .type = CELL_PERCENT,
                                                   .bar = true,
                                                   .description = "of the whole, from first start to last end" });
    add_column(table, "engines", "Engines", CELL_TEXT,
               "engines that the program used: S0, S1, ... slices, IN DMA input, OUT DMA output, CDMA, CSS");
    add_column(table, "source", "Source", CELL_TEXT, "operators of the model, or their places");
    table_add_column(table, (struct table_column){ .name = "start",
                                                   .title = "Start",
                                                   .type = CELL_DURATION,
                                                   .optional = true,
                                                   .description = "since the first start" });
}

/* ---- cells ------------------------------------------------------------------------------------------------------- */

static void number_block(struct block_table *blocks, const struct block *block)
{
    char text[64];

    if (!blocks->numbered) {
        table_set_integer(blocks->table, BLOCK_NUMBER, block->row->id);
        return;
    }
    if (block->dispatch == NO_ID) {
        blocks->unknown = true;
        snprintf(text, sizeof text, "?:%lld", (long long)block->row->id);
    } else {
        blocks->occurs[block->dispatch] = true;
        snprintf(text, sizeof text, "%u:%lld", block->dispatch, (long long)block->row->id);
    }
    table_set_text(blocks->table, BLOCK_NUMBER, text);
}

/* Codes, because a narrow terminal has to hold all of them. */
static void name_engines(uint32_t bits, struct joined *joined)
{
    static const char *const names[] = { "IN", "OUT", "CDMA", "CSS" };
    char slice[16];

    *joined = (struct joined){ 0 };
    for (unsigned i = 0; i < 16; i++) {
        snprintf(slice, sizeof slice, "S%u", i);
        if (bits & (uint32_t)USED_SLICE_0 << i)
            joined_add(joined, " ", slice);
    }
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (bits & 1u << i)
            joined_add(joined, " ", names[i]);
}

static status name_source(const struct annotation *annotation, const struct block *block, struct joined *joined)
{
    string_id location = block->row->location ? block->row->location
                         : block->action      ? block->action->location
                         : block->job         ? block->job->location
                                              : 0;
    struct text text = strings_get(annotation->strings, location);
    status code = original_operators(annotation, location, " + ", true, joined);

    if (code == STATUS_OK && !joined->length && text.length) {
        joined->length = location_short(text.data, text.length, joined->text, sizeof joined->text);
        joined->cut = false; /* this form says itself how many places it leaves out */
    }
    return code;
}

/* What an action does with its job or host program. The wait for a job is the job itself, as far as anyone measured. */
static const char *verb_of(const struct program_action *action)
{
    if (action->kind == ACTION_JOB_START || action->kind == ACTION_HOST_START)
        return "start";
    return action->kind == ACTION_HOST_WAIT ? "wait" : "";
}

/* What a block is called: its kernels where it has some, else the operation. The verb comes first, because the end of a
 * long list is cut. */
static void name_block(const struct annotation *annotation, const struct block *block, struct joined *joined)
{
    const struct program_action *action = block->action;
    const struct program_job *job = block->job;
    const char *operation = action ? strings_text(annotation->strings, action->operation) : "";
    string_id name = job ? job->kernels ? job->kernels : job->name : action ? action->invocation : 0;

    *joined = (struct joined){ 0 };
    if (strncmp(operation, "torq_hl.", 8) == 0)
        operation += 8;
    if (!job)
        joined_add(joined, "", name && *verb_of(action) ? verb_of(action) : operation);
    else if (action)
        joined_add(joined, "", verb_of(action));
    if (name)
        joined_add(joined, " ", strings_text(annotation->strings, name));
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

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

/* Returns false when the program has no counterpart. */
static bool find_block(const struct program *program, const struct measured_row *row, struct block *block)
{
    uint32_t dispatch, position;

    *block = (struct block){ .row = row, .dispatch = NO_ID };
    if (row->kind == MEASURED_JOB) {
        if (row->id < 0 || (uint64_t)row->id >= program->jobs.count)
            return false;
        block->job = program_job(program, (uint32_t)row->id);
        block->dispatch = block->job->dispatch;
        return true;
    }
    if (!annotate_find_dispatch(program, row->dispatch, &dispatch))
        return false;
    block->dispatch = dispatch;
    if (!annotate_find_action(program, dispatch, row->id, &position))
        return false;
    block->action = program_action(program, program_dispatch(program, dispatch)->first_action + position);
    block->job = job_of_action(program, block->action);
    return true;
}

static status add_block(struct block_table *blocks, const struct block *block)
{
    struct annotation *annotation = blocks->annotation;
    const struct clock *clock = &annotation->measured->clock;
    const struct measured_row *row = block->row;
    bool ran = block->job && (!block->action || block->action->kind == ACTION_JOB_WAIT);
    int64_t whole = blocks->span.last - blocks->span.first;
    struct table *table = blocks->table;
    struct joined text;
    bool cut;
    status code;

    table_add_row(table);
    number_block(blocks, block);
    name_block(annotation, block, &text);
    cut = text.cut;
    table_set_text(table, BLOCK_NAME, text.length ? text.text : strings_text(annotation->strings, row->name));
    table_set_integer(table, BLOCK_TIME, clock_span_ns(clock, row->end - row->start));
    table_set_decimal(table, BLOCK_SHARE, whole ? 100.0 * (double)(row->end - row->start) / (double)whole : 0);
    name_engines(ran ? block->job->used : 0, &text);
    table_set_text(table, BLOCK_ENGINES, text.text);
    code = name_source(annotation, block, &text);
    annotation->cut += cut || text.cut;
    table_set_text(table, BLOCK_SOURCE, text.text);
    table_set_integer(table, BLOCK_START, clock_span_ns(clock, row->start - blocks->span.first));
    return code;
}

/* ---- notes ------------------------------------------------------------------------------------------------------- */

/* "dispatches: 0 = main_dispatch_0_conv, 1 = main_dispatch_1_add" */
static void note_dispatches(const struct block_table *blocks)
{
    const struct program *program = blocks->annotation->program;
    struct joined list = { 0 };
    unsigned listed = 0;

    for (uint32_t i = 0; i < program->dispatches.count && listed <= MOST_LISTED; i++) {
        char number[16];

        if (!blocks->occurs[i])
            continue;
        snprintf(number, sizeof number, "%u = ", i);
        joined_add(&list, ", ", listed < MOST_LISTED ? number : "...");
        if (listed < MOST_LISTED)
            joined_add(&list, "", strings_text(blocks->annotation->strings, program_dispatch(program, i)->name));
        listed++;
    }
    if (blocks->unknown)
        joined_add(&list, ", ", "? = not in the program");
    if (list.length)
        table_note(blocks->table, "dispatches: %s%s", list.text, list.cut ? "..." : "");
}

/* ---- entry ------------------------------------------------------------------------------------------------------- */

static status fill_blocks(struct block_table *blocks)
{
    struct annotation *annotation = blocks->annotation;
    status code = STATUS_OK;

    for (size_t i = 0; i < annotation->measured->rows.count && code == STATUS_OK; i++) {
        const struct measured_row *row = measured_row(annotation->measured, i);
        struct block block;

        if (!measured_is_block(annotation->measured, row))
            continue;
        if (!find_block(annotation->program, row, &block))
            annotation->unmatched++;
        code = add_block(blocks, &block);
    }
    return code;
}

status annotate_fill_blocks(struct annotation *annotation, struct table *table)
{
    size_t dispatches = annotation->program->dispatches.count;
    struct block_table blocks = {
        .table = table,
        .annotation = annotation,
        .span = measured_span(annotation->measured),
        .numbered = dispatches > 1,
    };
    status code;

    add_block_columns(table, blocks.numbered);
    if (blocks.numbered) {
        blocks.occurs = memory_allocate_clear(dispatches * sizeof *blocks.occurs);
        if (!blocks.occurs)
            return status_no_memory("annotating");
    }
    code = fill_blocks(&blocks);
    if (code == STATUS_OK && blocks.numbered)
        note_dispatches(&blocks);
    memory_free(blocks.occurs);
    return code;
}
