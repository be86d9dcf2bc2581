/* advise_tables.c: the operations as CSV, and the stacked report as text and CSV. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "table/cell.h"
#include "tenstorrent/advise_files.h"
#include "tenstorrent/original/advise_advice.h"

/* ---- CSV fields, as Python's csv module writes them ---- */

static void write_field(struct output *output, const char *text)
{
    cell_write_field(output, text, strlen(text), ',');
}

static void comma(struct output *output)
{
    output_write(output, ",", 1);
}

/* The shortest text that reads back as the same number; nothing for NAN. */
static void write_decimal(struct output *output, double value)
{
    char text[32];

    comma(output);
    if (!isnan(value))
        output_write(output, text, number_write_shortest(text, value));
}

static void write_integer(struct output *output, int64_t value)
{
    char text[24];

    if (value != OP_NONE)
        output_write(output, text, number_write_integer(text, value));
}

/* A column of integers some of which are missing is one of decimals: 1024.0, nan. */
static void write_gappy(struct output *output, int64_t value, bool gaps)
{
    char text[32];

    if (!gaps)
        write_integer(output, value);
    else if (value == OP_NONE)
        output_write(output, "nan", 3);
    else
        output_write(output, text, number_write_shortest(text, (double)value));
}

static void write_type(struct output *output, const struct advise *advise, string_id type)
{
    comma(output);
    write_field(output, type ? strings_text(advise->report->strings, type) : "nan");
}

static void write_cores(struct output *output, const struct advise *advise, const struct advise_op *op)
{
    comma(output);
    if (isnan(op->cores))
        return;
    write_gappy(output, (int64_t)op->cores, op->cores_raw && advise->report->columns.core_gaps);
}

static void write_rates(struct output *output, const struct advise *advise, const struct advise_op *op)
{
    comma(output);
    write_integer(output, op->row->device >= 0 ? op->row->device : OP_NONE);
    if (isnan(op->kernel_ns) && op->device_time == 0)
        output_write(output, ",0", 2); /* as the original has what was not measured */
    else
        write_decimal(output, op->device_time);
    write_decimal(output, op->gap);
    write_cores(output, advise, op);
    write_decimal(output, op->dram);
    write_decimal(output, op->dram_percent);
    write_decimal(output, op->tflops);
    write_decimal(output, op->flops_percent);
    comma(output);
    write_field(output, op->fidelity ? op->fidelity : "");
}

static void write_program(struct output *output, const struct advise *advise, const struct advise_op *op)
{
    write_type(output, advise, op->row->output.datatype);
    write_type(output, advise, op->row->inputs[0].datatype);
    if (advise->report->columns.input_1_datatype)
        write_type(output, advise, op->row->inputs[1].datatype);
    else
        comma(output);
    output_format(output, ",%s,", op->dram_sharded ? "True" : "False");
    write_field(output, strings_text(advise->report->strings, op->row->inputs[0].memory));
    comma(output);
    write_integer(output, op->program->block_width);
    comma(output);
    write_integer(output, op->program->subblock_height);
    comma(output);
    write_integer(output, op->program->subblock_width);
    comma(output);
    write_gappy(output, op->row->call, advise->report->columns.call_gaps);
}

static void write_advice(struct output *output, const struct advise *advise, const struct advise_op *op)
{
    char text[ADVICE_MOST * (ADVICE_LONGEST + 8)];

    comma(output);
    write_field(output, advise_advice_text(advise, op, text, sizeof text));
}

void advise_write_csv(struct output *output, const struct advise *advise, const struct advise_style *style)
{
    output_format(
        output,
        "ID,Total %%,Bound,OP Code,Device,Device Time,Op-to-Op Gap,Cores,DRAM,DRAM %%,FLOPs,FLOPs %%,Math Fidelity,"
        "Output Datatype,Input 0 Datatype,Input 1 Datatype,DRAM Sharded,Input 0 Memory,Inner Dim Block Size,"
        "Output Subblock H,Output Subblock W,Global Call Count%s%s\r\n",
        style->advice ? ",Advice" : "", style->raw_codes ? ",Raw OP Code" : "");
    for (size_t i = 0; i < advise->count; i++) {
        const struct advise_op *op = &advise->ops[i];

        write_integer(output, op->row->number);
        write_decimal(output, op->total);
        output_format(output, ",%s,", advise_bound(op));
        write_field(output, op->label);
        write_rates(output, advise, op);
        write_program(output, advise, op);
        if (style->advice)
            write_advice(output, advise, op);
        if (style->raw_codes) {
            comma(output);
            write_field(output, strings_text(advise->report->strings, op->row->code));
        }
        output_write(output, "\r\n", 2);
    }
}

/* ---- The stacked report ---- */

enum { SHARE, NAME, DEVICE, TIME, COUNT, CATEGORY, LEAST, MOST, MEAN, DEVIATION, WEIGHTED, COLUMNS };

static const struct {
    const char *title;
    const char *unit;
} columns[COLUMNS] = {
    [SHARE] = { "Total %", "%" },
    [NAME] = { "Op Code", NULL },
    [DEVICE] = { "Device", NULL },
    [TIME] = { "Device Time Sum", "μs" },
    [COUNT] = { "Op Count", NULL },
    [CATEGORY] = { "Op Category", NULL },
    [LEAST] = { "Min FLOPs", "%" },
    [MOST] = { "Max FLOPs", "%" },
    [MEAN] = { "Mean FLOPs", "%" },
    [DEVIATION] = { "Std FLOPs", "%" },
    [WEIGHTED] = { "Weighted Mean FLOPs", "%" },
};

static bool is_shown(const struct advise_stack *stack, unsigned column)
{
    if (column == DEVICE)
        return stack->by_device;
    return column < CATEGORY || !stack->by_category;
}

static double number_of(const struct advise_stack_row *row, unsigned column)
{
    switch (column) {
    case SHARE:
        return row->share;
    case TIME:
        return row->time;
    case LEAST:
        return row->least;
    case MOST:
        return row->most;
    case MEAN:
        return row->mean;
    case DEVIATION:
        return row->deviation;
    default:
        return row->weighted;
    }
}

enum { CELL_SIZE = 448 };

/* Commas between the thousands of "%.2f". */
static size_t show_decimal(char *to, double value)
{
    char text[CELL_SIZE];
    size_t digits, length = 0;
    const char *from = text;

    snprintf(text, sizeof text, "%.2f", value);
    digits = strspn(text, "0123456789");
    for (; *from; digits -= digits > 0) {
        to[length++] = *from++;
        if (digits > 1 && digits % 3 == 1)
            to[length++] = ',';
    }
    to[length] = '\0';
    return length;
}

/* A cell as people see it; texts are not copied. */
static const char *show_cell(char *to, const struct advise_stack_row *row, unsigned column)
{
    size_t length;

    if (column == NAME)
        return row->name;
    if (column == CATEGORY)
        return row->category;
    *to = '\0';
    if (column == DEVICE || column == COUNT) {
        to[number_write_integer(to, column == DEVICE ? row->device : (int64_t)row->count)] = '\0';
        return to;
    }
    if (isnan(number_of(row, column)))
        return to;
    length = show_decimal(to, number_of(row, column));
    snprintf(to + length, CELL_SIZE - length, " %s", columns[column].unit);
    return to;
}

static size_t characters(const char *text)
{
    size_t count = 0;

    for (; *text; text++)
        count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}

static void write_blanks(struct output *output, size_t count)
{
    static const char blanks[] = "                                                                ";

    for (; count >= sizeof blanks - 1; count -= sizeof blanks - 1)
        output_write(output, blanks, sizeof blanks - 1);
    output_write(output, blanks, count);
}

static void write_rule(struct output *output, const struct advise_stack *stack, const size_t *widths)
{
    size_t width = 0;
    unsigned shown = 0;

    for (unsigned i = 0; i < COLUMNS; i++) {
        width += is_shown(stack, i) ? widths[i] : 0;
        shown += is_shown(stack, i);
    }
    for (width += (shown - 1) * 2; width > 0; width--)
        output_write(output, "-", 1);
    output_write(output, "\n", 1);
}

static void write_stack_row(struct output *output, const struct advise_stack *stack, const struct advise_stack_row *row,
                            const size_t *widths, bool colour)
{
    bool first = true;

    for (unsigned i = 0; i < COLUMNS; i++) {
        char text[CELL_SIZE];
        const char *shown;
        size_t width;

        if (!is_shown(stack, i))
            continue;
        shown = row ? show_cell(text, row, i) : columns[i].title;
        width = characters(shown);
        write_blanks(output, (first ? 0 : 2) + (i == NAME ? 0 : widths[i] - width));
        if (i == NAME && row && colour)
            output_format(output, "%s", advise_code_colour(text_of(shown)));
        advise_write_clean(output, shown);
        if (i == NAME && row && colour)
            output_format(output, "\033[0m");
        write_blanks(output, i == NAME ? widths[i] - width : 0);
        first = false;
    }
    output_write(output, "\n", 1);
}

static int compare_devices(const struct advise_stack_row *a, const struct advise_stack_row *b)
{
    return a->device < b->device ? -1 : a->device > b->device;
}

/* By device, the largest share first. */
static int compare_shares(const void *one, const void *other)
{
    const struct advise_stack_row *a = *(const struct advise_stack_row *const *)one;
    const struct advise_stack_row *b = *(const struct advise_stack_row *const *)other;
    int order = compare_devices(a, b);

    return order ? order : a < b ? -1 : a > b; /* they came by time */
}

/* The same by the share as text, "9.54 %" before "46.85 %": what the original does. */
static int compare_texts(const void *one, const void *other)
{
    const struct advise_stack_row *a = *(const struct advise_stack_row *const *)one;
    const struct advise_stack_row *b = *(const struct advise_stack_row *const *)other;
    char first[CELL_SIZE], second[CELL_SIZE];
    int order = compare_devices(a, b);

    if (!order)
        order = strcmp(show_cell(second, b, SHARE), show_cell(first, a, SHARE));
    return order ? order : a < b ? -1 : a > b;
}

status advise_write_stack(struct output *output, const struct advise *advise, const struct advise_stack *stack,
                          const struct advise_style *style)
{
    const struct advise_stack_row **rows = memory_allocate((stack->count + 1) * sizeof *rows);
    size_t widths[COLUMNS];

    if (!rows)
        return status_no_memory("printing the stacked report");
    for (unsigned column = 0; column < COLUMNS; column++)
        widths[column] = strlen(columns[column].title);
    for (size_t i = 0; i < stack->count; i++) {
        rows[i] = &stack->rows[i];
        for (unsigned column = 0; column < COLUMNS; column++) {
            char text[CELL_SIZE];
            size_t width = characters(show_cell(text, rows[i], column));

            widths[column] = width > widths[column] ? width : widths[column];
        }
    }
    if (stack->by_device)
        qsort(rows, stack->count, sizeof *rows, advise->options.as_original ? compare_texts : compare_shares);
    output_format(output, "\n📊 Stacked report 📊\n====================\n\n");
    write_stack_row(output, stack, NULL, widths, false);
    write_rule(output, stack, widths);
    for (size_t i = 0; i < stack->count; i++)
        write_stack_row(output, stack, rows[i], widths, style->colour);
    write_rule(output, stack, widths);
    memory_free(rows);
    return STATUS_OK;
}

void advise_write_stack_csv(struct output *output, const struct advise_stack *stack)
{
    for (unsigned i = 0; i < COLUMNS; i++) {
        if (!is_shown(stack, i))
            continue;
        output_format(output, "%s%s", i ? "," : "", columns[i].title);
        if (columns[i].unit)
            output_format(output, " [%s]", columns[i].unit);
    }
    output_write(output, "\n", 1);
    for (size_t row = 0; row < stack->count; row++) {
        for (unsigned i = 0; i < COLUMNS; i++) {
            char text[CELL_SIZE];

            if (!is_shown(stack, i))
                continue;
            if (i)
                comma(output);
            if (i == NAME || i == CATEGORY || i == DEVICE || i == COUNT)
                write_field(output, show_cell(text, &stack->rows[row], i));
            else if (!isnan(number_of(&stack->rows[row], i)))
                output_format(output, "%.2f", number_of(&stack->rows[row], i));
        }
        output_write(output, "\n", 1);
    }
}
