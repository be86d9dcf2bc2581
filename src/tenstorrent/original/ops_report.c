/* ops_report.c: the perf report of the op profiler's logs, as the original writes it. */
#include "tenstorrent/original/ops_report.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/strings.h"
#include "table/cell.h"

enum { TENSOR_FIELDS = TENSOR_SIZES + 3, MOST_BLANKS = 64 };

static const char *const tensor_columns[TENSOR_FIELDS] = { "W", "Z", "Y", "X", "LAYOUT", "DATA TYPE", "MEMORY" };

static const char *const duration_columns[DURATION_COUNT] = {
#define X(name, column) column,
    OP_DURATION_MAP(X)
#undef X
};

static const char *const later_columns[LATER_COUNT] = {
#define X(name, log, column) column,
    OP_LATER_MAP(X)
#undef X
};

/* What is written: the calls, how wide their tensors are, and their functions by name. */
struct page {
    const struct op_calls *calls;      /* borrowed */
    struct cell_line line;             /* at hand */
    size_t inputs;                     /* most that a call has */
    size_t outputs;                    /* most that a call has */
    uint32_t *functions;               /* their numbers, by name; owned */
    const struct op_function **called; /* of one row, by function number */
};

/* ---- cells ------------------------------------------------------------------------------------------------------------- */

static void put_text(struct page *page, const char *text)
{
    cell_line_put(&page->line, text ? text : "-", text ? strlen(text) : 1);
}

static void put_number(struct page *page, bool known, uint64_t value)
{
    char digits[24];

    if (known)
        cell_line_put(&page->line, digits, number_write_unsigned(digits, value));
    else
        put_text(page, NULL);
}

/* ---- tensors ----------------------------------------------------------------------------------------------------------- */

static void put_field(struct page *page, struct text field)
{
    if (field.length)
        cell_line_put(&page->line, field.data, field.length);
    else
        put_text(page, NULL);
}

static void put_tensors(struct page *page, const char *tensors, size_t columns)
{
    static const struct op_tensor_text none = { .empty = true };
    struct text list = op_tensor_list(tensors);

    for (size_t i = 0; i < columns; i++) {
        struct op_tensor_text tensor = none;

        if (!op_tensor_next(&list, &tensor))
            tensor = none;
        for (unsigned size = 0; size < TENSOR_SIZES; size++)
            put_field(page, tensor.sizes[size]);
        put_field(page, tensor.layout);
        put_field(page, tensor.datatype);
        put_field(page, tensor.memory);
    }
}

/* ---- lines ------------------------------------------------------------------------------------------------------------- */

static unsigned duration_count(const struct page *page)
{
    return page->calls->later_device ? DURATION_COUNT : DURATION_LATER;
}

static void put_tensor_columns(struct page *page, const char *side, size_t count)
{
    char name[64];

    for (size_t i = 0; i < count; i++) {
        for (unsigned field = 0; field < TENSOR_FIELDS; field++) {
            snprintf(name, sizeof name, "%s_%zu_%s", side, i, tensor_columns[field]);
            put_text(page, name);
        }
    }
}

static void put_header(struct page *page)
{
    static const char *const front[] = {
        "OP CODE",
        "OP TYPE",
        "GLOBAL CALL COUNT",
        "ATTRIBUTES",
        "MATH FIDELITY",
        "CORE COUNT",
        "PARALLELIZATION STRATEGY",
        "HOST START TS",
        "HOST END TS",
        "HOST DURATION [ns]",
        "DEVICE FW START CYCLE",
        "DEVICE FW END CYCLE",
    };
    const struct op_calls *calls = page->calls;

    for (size_t i = 0; i < sizeof front / sizeof *front; i++)
        put_text(page, front[i]);
    for (unsigned i = 0; i < duration_count(page); i++)
        put_text(page, duration_columns[i]);
    put_tensor_columns(page, "INPUT", page->inputs);
    put_tensor_columns(page, "OUTPUT", page->outputs);
    put_text(page, "CALL DEPTH");
    for (unsigned i = 0; calls->later_host && i < LATER_COUNT; i++)
        put_text(page, later_columns[i]);
    for (size_t i = 0; i < calls->function_count; i++) {
        const char *name = calls->functions[page->functions[i]];

        cell_line_put_both(&page->line, name, strlen(name), " Count", strlen(" Count"));
        cell_line_put_both(&page->line, name, strlen(name), " Average [ns]", strlen(" Average [ns]"));
    }
    cell_line_end(&page->line);
}

/* The op's name, moved right by its depth. */
static void put_name(struct page *page, const struct op_call *row)
{
    char blanks[MOST_BLANKS];
    const char *name = row->name ? row->name : "-";

    memset(blanks, ' ', sizeof blanks);
    cell_line_put_both(&page->line, blanks, row->depth < MOST_BLANKS ? row->depth : MOST_BLANKS, name, strlen(name));
}

static void put_device(struct page *page, const struct op_device *device)
{
    put_number(page, device->known, device->first_cycle);
    put_number(page, device->known, device->last_cycle);
    for (unsigned i = 0; i < duration_count(page); i++)
        put_number(page, device->known && device->has[i], device->duration_ns[i]);
}

static void put_functions(struct page *page, const struct op_call *row)
{
    for (size_t i = 0; i < row->function_count; i++)
        page->called[row->functions[i].function] = &row->functions[i];
    for (size_t i = 0; i < page->calls->function_count; i++) {
        const struct op_function *called = page->called[page->functions[i]];

        put_number(page, !row->no_functions, called ? called->count : 0);
        put_number(page, !row->no_functions, called && called->count ? called->total_ns / called->count : 0);
    }
    for (size_t i = 0; i < row->function_count; i++)
        page->called[row->functions[i].function] = NULL;
}

static void put_row(struct page *page, const struct op_call *row)
{
    put_name(page, row);
    put_text(page, row->type);
    put_text(page, row->call);
    put_text(page, row->attributes);
    put_text(page, row->fidelity);
    put_number(page, row->device.known, row->device.cores);
    put_text(page, row->strategy);
    put_text(page, row->host_start);
    put_text(page, row->host_end);
    put_text(page, row->host_duration);
    put_device(page, &row->device);
    put_tensors(page, row->inputs, page->inputs);
    put_tensors(page, row->outputs, page->outputs);
    put_text(page, row->depth_text);
    for (unsigned i = 0; page->calls->later_host && i < LATER_COUNT; i++)
        put_text(page, row->later[i]);
    put_functions(page, row);
    cell_line_end(&page->line);
}

/* ---- the whole --------------------------------------------------------------------------------------------------------- */

static int by_name(const void *one, const void *other, void *names)
{
    const char *const *functions = names;

    return strcmp(functions[*(const uint32_t *)one], functions[*(const uint32_t *)other]);
}

static status prepare(struct page *page)
{
    const struct op_calls *calls = page->calls;

    page->functions = memory_allocate(calls->function_count * sizeof *page->functions);
    page->called = memory_allocate_clear(calls->function_count * sizeof *page->called);
    if (!page->functions || !page->called)
        return status_no_memory("writing the ops report");
    for (uint32_t i = 0; i < calls->function_count; i++)
        page->functions[i] = i;
    if (calls->function_count)
        qsort_r(page->functions, calls->function_count, sizeof *page->functions, by_name, calls->functions);
    for (size_t i = 0; i < calls->count; i++) {
        size_t inputs = op_tensor_count(calls->rows[i].inputs);
        size_t outputs = op_tensor_count(calls->rows[i].outputs);

        page->inputs = inputs > page->inputs ? inputs : page->inputs;
        page->outputs = outputs > page->outputs ? outputs : page->outputs;
    }
    return STATUS_OK;
}

status ops_report_write(const struct op_calls *calls, struct output *output)
{
    struct page page = { .calls = calls, .line.output = output };
    status code = prepare(&page);

    assert(calls->count == 0 || calls->rows);
    if (code == STATUS_OK) {
        put_header(&page);
        for (size_t i = 0; i < calls->count; i++)
            put_row(&page, &calls->rows[i]);
        code = output_status(output);
    }
    memory_free(page.functions);
    memory_free(page.called);
    return code;
}
