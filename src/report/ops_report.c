#include "report/ops_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/strings.h"
#include "write/cell.h"

enum { TENSOR_SIZES = 4, TENSOR_FIELDS = 7, MOST_BLANKS = 64 };

static const char *const tensor_columns[TENSOR_FIELDS] = { "W", "Z", "Y", "X", "LAYOUT", "DATA TYPE", "MEMORY" };

static const char *const duration_columns[OPS_DURATION_COUNT] = {
#define X(name, column) column,
    OPS_DURATION_MAP(X)
#undef X
};

static const char *const later_columns[OPS_LATER_COUNT] = {
#define X(name, log, column) column,
    OPS_LATER_MAP(X)
#undef X
};

/* What is written: the report, how wide its tensors are, and its functions by name. */
struct page {
    const struct ops_report *report;
    struct output *output;
    size_t inputs;
    size_t outputs;
    uint32_t *functions;
    const struct ops_calls **called; /* of one row, by function number */
    bool started;                    /* a cell stands in this line already */
};

/* ---- cells ------------------------------------------------------------------------------------------------------------- */

/* One cell of two parts, which may be empty. */
static void put_parts(struct page *page, const char *one, size_t length, const char *other, size_t other_length)
{
    if (page->started)
        output_write(page->output, ",", 1);
    page->started = true;
    if (!cell_needs_quotes(one, length, ',') && !cell_needs_quotes(other, other_length, ',')) {
        output_write(page->output, one, length);
        output_write(page->output, other, other_length);
        return;
    }
    output_write(page->output, "\"", 1);
    cell_write_doubling_quotes(page->output, one, length);
    cell_write_doubling_quotes(page->output, other, other_length);
    output_write(page->output, "\"", 1);
}

static void put_cell(struct page *page, const char *text, size_t length)
{
    put_parts(page, text, length, "", 0);
}

static void put_text(struct page *page, const char *text)
{
    put_cell(page, text ? text : "-", text ? strlen(text) : 1);
}

static void put_number(struct page *page, bool known, uint64_t value)
{
    char digits[24];

    if (known)
        put_cell(page, digits, number_write_unsigned(digits, value));
    else
        put_text(page, NULL);
}

static void end_line(struct page *page)
{
    output_write(page->output, "\r\n", 2);
    page->started = false;
}

/* ---- tensors ----------------------------------------------------------------------------------------------------------- */

/* The part up to `sign`, and `rest` behind it; a text without the sign is all of it and `rest` has no data. */
static struct text cut_at(struct text *rest, char sign)
{
    const char *found = rest->length ? memchr(rest->data, sign, rest->length) : NULL;
    struct text part = *rest;

    if (!found) {
        *rest = (struct text){ 0 };
        return part;
    }
    part.length = (size_t)(found - rest->data);
    rest->data = found + 1;
    rest->length -= part.length + 1;
    return part;
}

size_t ops_tensor_count(const char *tensors)
{
    struct text rest = { tensors, tensors ? strlen(tensors) : 0 };
    size_t count = 0;

    for (size_t number = 1; rest.data && number <= OPS_MOST_TENSORS; number++)
        if (cut_at(&rest, '-').length)
            count = number;
    return count;
}

/* Fewer than four sizes are those of the last dimensions, the others are 1; of more than four the first column has the rest. */
static void put_sizes(struct page *page, struct text shape)
{
    size_t cuts[TENSOR_SIZES - 1];
    size_t found = 0;

    for (size_t i = shape.length; i-- > 0 && found < TENSOR_SIZES - 1;)
        if (shape.data[i] == '_')
            cuts[found++] = i;
    for (size_t missing = found + 1; missing < TENSOR_SIZES; missing++)
        put_text(page, shape.length ? "1" : NULL);
    for (size_t i = 0; i <= found; i++) {
        size_t from = i ? cuts[found - i] + 1 : 0;
        size_t to = i < found ? cuts[found - i - 1] : shape.length;

        if (to > from)
            put_cell(page, shape.data + from, to - from);
        else
            put_text(page, NULL);
    }
}

static void put_tensor(struct page *page, struct text tensor)
{
    struct text shape = cut_at(&tensor, '|');

    put_sizes(page, shape);
    for (unsigned i = TENSOR_SIZES; i < TENSOR_FIELDS; i++) {
        struct text field = i + 1 < TENSOR_FIELDS ? cut_at(&tensor, '|') : tensor;

        if (field.length)
            put_cell(page, field.data, field.length);
        else
            put_text(page, NULL);
    }
}

static void put_tensors(struct page *page, const char *tensors, size_t columns)
{
    struct text rest = { tensors, tensors ? strlen(tensors) : 0 };

    for (size_t i = 0; i < columns; i++)
        put_tensor(page, rest.data ? cut_at(&rest, '-') : (struct text){ 0 });
}

/* ---- lines ------------------------------------------------------------------------------------------------------------- */

static unsigned duration_count(const struct page *page)
{
    return page->report->later_device ? OPS_DURATION_COUNT : OPS_DURATION_LATER;
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
        "OP CODE", "OP TYPE", "GLOBAL CALL COUNT", "ATTRIBUTES", "MATH FIDELITY", "CORE COUNT", "PARALLELIZATION STRATEGY",
        "HOST START TS", "HOST END TS", "HOST DURATION [ns]", "DEVICE FW START CYCLE", "DEVICE FW END CYCLE",
    };
    const struct ops_report *report = page->report;

    for (size_t i = 0; i < sizeof front / sizeof *front; i++)
        put_text(page, front[i]);
    for (unsigned i = 0; i < duration_count(page); i++)
        put_text(page, duration_columns[i]);
    put_tensor_columns(page, "INPUT", page->inputs);
    put_tensor_columns(page, "OUTPUT", page->outputs);
    put_text(page, "CALL DEPTH");
    for (unsigned i = 0; report->later_host && i < OPS_LATER_COUNT; i++)
        put_text(page, later_columns[i]);
    for (size_t i = 0; i < report->function_count; i++) {
        const char *name = report->functions[page->functions[i]];

        put_parts(page, name, strlen(name), " Count", strlen(" Count"));
        put_parts(page, name, strlen(name), " Average [ns]", strlen(" Average [ns]"));
    }
    end_line(page);
}

/* The op's name, moved right by its depth. */
static void put_name(struct page *page, const struct ops_row *row)
{
    char blanks[MOST_BLANKS];
    const char *name = row->name ? row->name : "-";

    memset(blanks, ' ', sizeof blanks);
    put_parts(page, blanks, row->depth < MOST_BLANKS ? row->depth : MOST_BLANKS, name, strlen(name));
}

static void put_device(struct page *page, const struct ops_device *device)
{
    put_number(page, device->known, device->first_cycle);
    put_number(page, device->known, device->last_cycle);
    for (unsigned i = 0; i < duration_count(page); i++)
        put_number(page, device->known && device->has[i], device->duration_ns[i]);
}

static void put_functions(struct page *page, const struct ops_row *row)
{
    for (size_t i = 0; i < row->call_count; i++)
        page->called[row->calls[i].function] = &row->calls[i];
    for (size_t i = 0; i < page->report->function_count; i++) {
        const struct ops_calls *calls = page->called[page->functions[i]];

        put_number(page, !row->no_calls, calls ? calls->count : 0);
        put_number(page, !row->no_calls, calls && calls->count ? calls->total_ns / calls->count : 0);
    }
    for (size_t i = 0; i < row->call_count; i++)
        page->called[row->calls[i].function] = NULL;
}

static void put_row(struct page *page, const struct ops_row *row)
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
    for (unsigned i = 0; page->report->later_host && i < OPS_LATER_COUNT; i++)
        put_text(page, row->later[i]);
    put_functions(page, row);
    end_line(page);
}

/* ---- the whole --------------------------------------------------------------------------------------------------------- */

struct ranked {
    size_t place; /* before sorting */
    struct ops_row row;
};

static int by_call(const void *one, const void *other)
{
    const struct ranked *a = one;
    const struct ranked *b = other;

    if (a->row.order != b->row.order)
        return a->row.order < b->row.order ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

status ops_report_sort(struct ops_report *report)
{
    struct ranked *ranked;

    if (report->count < 2)
        return STATUS_OK;
    ranked = memory_allocate(report->count * sizeof *ranked);
    if (!ranked)
        return status_no_memory("sorting the ops");
    for (size_t i = 0; i < report->count; i++)
        ranked[i] = (struct ranked){ .place = i, .row = report->rows[i] };
    qsort(ranked, report->count, sizeof *ranked, by_call);
    for (size_t i = 0; i < report->count; i++)
        report->rows[i] = ranked[i].row;
    memory_free(ranked);
    return STATUS_OK;
}

static int by_name(const void *one, const void *other, void *names)
{
    const char *const *functions = names;

    return strcmp(functions[*(const uint32_t *)one], functions[*(const uint32_t *)other]);
}

static status prepare(struct page *page)
{
    const struct ops_report *report = page->report;

    page->functions = memory_allocate(report->function_count * sizeof *page->functions);
    page->called = memory_allocate_clear(report->function_count * sizeof *page->called);
    if (!page->functions || !page->called)
        return status_no_memory("writing the ops report");
    for (uint32_t i = 0; i < report->function_count; i++)
        page->functions[i] = i;
    if (report->function_count)
        qsort_r(page->functions, report->function_count, sizeof *page->functions, by_name, report->functions);
    for (size_t i = 0; i < report->count; i++) {
        size_t inputs = ops_tensor_count(report->rows[i].inputs);
        size_t outputs = ops_tensor_count(report->rows[i].outputs);

        page->inputs = inputs > page->inputs ? inputs : page->inputs;
        page->outputs = outputs > page->outputs ? outputs : page->outputs;
    }
    return STATUS_OK;
}

status ops_report_write(const struct ops_report *report, struct output *output)
{
    struct page page = { .report = report, .output = output };
    status code = prepare(&page);

    if (code == STATUS_OK) {
        put_header(&page);
        for (size_t i = 0; i < report->count; i++)
            put_row(&page, &report->rows[i]);
        code = output_status(output);
    }
    memory_free(page.functions);
    memory_free(page.called);
    return code;
}
