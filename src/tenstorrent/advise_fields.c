/* advise_fields.c: what is known of each operation of a report and of each stack of them, as fields and views. */
#include <assert.h>
#include <math.h>

#include "tenstorrent/advise_files.h"
#include "tenstorrent/original/advise_advice.h"

static struct table_cell known(double value)
{
    return isnan(value) ? cell_null() : cell_decimal(value);
}

/* Microseconds as nanoseconds, which durations are. */
static struct table_cell duration(double value)
{
    return isnan(value) ? cell_null() : cell_integer(llround(value * 1000));
}

static struct table_cell whole(int64_t value)
{
    return value == OP_NONE ? cell_null() : cell_integer(value);
}

/* ---- Operations ----------------------------------------------------------------------------------------------------- */

/* The context of operations: the advise, and room for a text that is put together. */
struct shown_ops {
    const struct advise *advise;                   /* borrowed */
    char text[ADVICE_MOST * (ADVICE_LONGEST + 8)]; /* of the row that was asked for last */
};

static const struct advise *advise_of(const void *context)
{
    return ((const struct shown_ops *)context)->advise;
}

static const struct advise_op *op_at(const void *context, size_t row)
{
    return &advise_of(context)->ops[row];
}

static struct table_cell named(const void *context, string_id id)
{
    return cell_text(id ? strings_text(advise_of(context)->report->strings, id) : NULL);
}

static struct table_cell get_id(const void *context, size_t row)
{
    return cell_integer(op_at(context, row)->row->number);
}

static struct table_cell get_total(const void *context, size_t row)
{
    return known(op_at(context, row)->total);
}

static struct table_cell get_bound(const void *context, size_t row)
{
    return cell_text(advise_bound(op_at(context, row)));
}

static struct table_cell get_label(const void *context, size_t row)
{
    return cell_text(op_at(context, row)->label);
}

static struct table_cell get_device(const void *context, size_t row)
{
    int32_t device = op_at(context, row)->row->device;

    return device >= 0 ? cell_integer(device) : cell_null();
}

static struct table_cell get_device_time(const void *context, size_t row)
{
    return duration(op_at(context, row)->device_time);
}

static struct table_cell get_gap(const void *context, size_t row)
{
    return duration(op_at(context, row)->gap);
}

static struct table_cell get_cores(const void *context, size_t row)
{
    double cores = op_at(context, row)->cores;

    return isnan(cores) ? cell_null() : cell_integer((int64_t)cores);
}

static struct table_cell get_dram(const void *context, size_t row)
{
    return known(op_at(context, row)->dram);
}

static struct table_cell get_dram_percent(const void *context, size_t row)
{
    return known(op_at(context, row)->dram_percent);
}

static struct table_cell get_tflops(const void *context, size_t row)
{
    return known(op_at(context, row)->tflops);
}

static struct table_cell get_flops_percent(const void *context, size_t row)
{
    return known(op_at(context, row)->flops_percent);
}

static struct table_cell get_fidelity(const void *context, size_t row)
{
    return cell_text(op_at(context, row)->fidelity);
}

static struct table_cell get_code(const void *context, size_t row)
{
    return named(context, op_at(context, row)->row->code);
}

static struct table_cell get_call(const void *context, size_t row)
{
    return whole(op_at(context, row)->row->call);
}

static struct table_cell get_output_type(const void *context, size_t row)
{
    return named(context, op_at(context, row)->row->output.datatype);
}

static struct table_cell get_first_type(const void *context, size_t row)
{
    return named(context, op_at(context, row)->row->inputs[0].datatype);
}

static struct table_cell get_second_type(const void *context, size_t row)
{
    return named(context, op_at(context, row)->row->inputs[1].datatype);
}

static struct table_cell get_memory(const void *context, size_t row)
{
    return named(context, op_at(context, row)->row->inputs[0].memory);
}

static struct table_cell get_sharded(const void *context, size_t row)
{
    return cell_boolean(op_at(context, row)->dram_sharded);
}

static struct table_cell get_block(const void *context, size_t row)
{
    return whole(op_at(context, row)->program->block_width);
}

static struct table_cell get_subblock_height(const void *context, size_t row)
{
    return whole(op_at(context, row)->program->subblock_height);
}

static struct table_cell get_subblock_width(const void *context, size_t row)
{
    return whole(op_at(context, row)->program->subblock_width);
}

static struct table_cell get_advice(const void *context, size_t row)
{
    struct shown_ops *shown = (struct shown_ops *)context; /* a text lives until the next call */

    advise_advice_text(shown->advise, op_at(context, row), shown->text, sizeof shown->text);
    return cell_text(*shown->text ? shown->text : NULL);
}

static const struct field op_fields[] = {
    { .key = "id", .title = "ID", .type = CELL_INTEGER, .description = "row of the report", .get = get_id },
    { .key = "total",
      .title = "Total",
      .type = CELL_PERCENT,
      .description = "of all device times and gaps",
      .get = get_total,
      .bar = true },
    { .key = "bound", .title = "Bound", .type = CELL_TEXT, .description = "what holds it back", .get = get_bound },
    { .key = "operation",
      .title = "Operation",
      .type = CELL_TEXT,
      .description = "its name, and the sizes of a product",
      .get = get_label },
    { .key = "device", .title = "Device", .type = CELL_INTEGER, .description = "that it ran on", .get = get_device },
    { .key = "device_time",
      .title = "Device time",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "of its kernel",
      .get = get_device_time },
    { .key = "gap",
      .title = "Gap",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "since the operation before",
      .get = get_gap },
    { .key = "cores", .title = "Cores", .type = CELL_INTEGER, .description = "that it used", .get = get_cores },
    { .key = "dram",
      .title = "DRAM",
      .unit = "GB/s",
      .type = CELL_DECIMAL,
      .description = "moved to and from DRAM",
      .get = get_dram },
    { .key = "dram_percent",
      .title = "DRAM",
      .unit = "%",
      .type = CELL_DECIMAL,
      .description = "of the peak",
      .get = get_dram_percent },
    { .key = "tflops",
      .title = "FLOPs",
      .unit = "TFLOPs",
      .type = CELL_DECIMAL,
      .description = "operations of a product",
      .get = get_tflops },
    { .key = "flops_percent",
      .title = "FLOPs",
      .unit = "%",
      .type = CELL_DECIMAL,
      .description = "of the peak",
      .get = get_flops_percent },
    { .key = "fidelity",
      .title = "Math fidelity",
      .type = CELL_TEXT,
      .description = "of the arithmetic, with the types",
      .get = get_fidelity },
    { .key = "code",
      .title = "OP code",
      .type = CELL_TEXT,
      .description = "its name as the report has it",
      .get = get_code },
    { .key = "call", .title = "Call", .type = CELL_INTEGER, .description = "global call count", .get = get_call },
    { .key = "output_type",
      .title = "Output type",
      .type = CELL_TEXT,
      .description = "data type of the output",
      .get = get_output_type },
    { .key = "input_0_type",
      .title = "Input 0 type",
      .type = CELL_TEXT,
      .description = "data type of the first input",
      .get = get_first_type },
    { .key = "input_1_type",
      .title = "Input 1 type",
      .type = CELL_TEXT,
      .description = "data type of the second input",
      .get = get_second_type },
    { .key = "input_0_memory",
      .title = "Input 0 memory",
      .type = CELL_TEXT,
      .description = "where the first input lies",
      .get = get_memory },
    { .key = "dram_sharded",
      .title = "DRAM sharded",
      .type = CELL_BOOLEAN,
      .description = "its program is",
      .get = get_sharded },
    { .key = "block",
      .title = "Block",
      .type = CELL_INTEGER,
      .description = "inner dimension of its blocks",
      .get = get_block },
    { .key = "subblock_h",
      .title = "Subblock H",
      .type = CELL_INTEGER,
      .description = "height of the output's",
      .get = get_subblock_height },
    { .key = "subblock_w",
      .title = "Subblock W",
      .type = CELL_INTEGER,
      .description = "width of the output's",
      .get = get_subblock_width },
    { .key = "advice",
      .title = "Advice",
      .type = CELL_TEXT,
      .description = "what to try with a product",
      .get = get_advice },
    { .key = NULL },
};
static const struct field_set op_set = { "operation", op_fields };
static const struct field_set *const op_sets[] = { &op_set, NULL };

status advise_op_table(const struct advise *advise, size_t most, const char *title, const struct view_request *request,
                       struct table **table)
{
    static const char *const keys[] = { "id",          "total",         "bound",    "operation", "device",
                                        "device_time", "gap",           "cores",    "dram",      "dram_percent",
                                        "tflops",      "flops_percent", "fidelity", NULL };
    const struct view view = { .name = "operations", .title = title, .keys = keys };
    const struct view *const views[] = { &view, NULL };
    struct shown_ops shown = { .advise = advise };
    struct rows rows = { "operation", op_sets, &shown, advise->count < most ? advise->count : most };

    return view_table(&rows, views, request, table);
}

/* ---- Stacks --------------------------------------------------------------------------------------------------------- */

static const struct advise_stack_row *stack_at(const void *context, size_t row)
{
    return &((const struct advise_stack *)context)->rows[row];
}

static struct table_cell get_stack_share(const void *context, size_t row)
{
    return known(stack_at(context, row)->share);
}

static struct table_cell get_stack_name(const void *context, size_t row)
{
    return cell_text(stack_at(context, row)->name);
}

static struct table_cell get_stack_time(const void *context, size_t row)
{
    return duration(stack_at(context, row)->time);
}

static struct table_cell get_stack_count(const void *context, size_t row)
{
    return cell_integer((int64_t)stack_at(context, row)->count);
}

static struct table_cell get_stack_untimed(const void *context, size_t row)
{
    return cell_integer((int64_t)stack_at(context, row)->untimed);
}

static struct table_cell get_stack_category(const void *context, size_t row)
{
    return cell_text(stack_at(context, row)->category);
}

static struct table_cell get_stack_weighted(const void *context, size_t row)
{
    return known(stack_at(context, row)->weighted);
}

static struct table_cell get_stack_least(const void *context, size_t row)
{
    return known(stack_at(context, row)->least);
}

static struct table_cell get_stack_most(const void *context, size_t row)
{
    return known(stack_at(context, row)->most);
}

static struct table_cell get_stack_device(const void *context, size_t row)
{
    return cell_integer(stack_at(context, row)->device);
}

static const struct field stack_fields[] = {
    { .key = "share",
      .title = "Total",
      .type = CELL_PERCENT,
      .description = "of the device time",
      .get = get_stack_share,
      .bar = true },
    { .key = "operation",
      .title = "Operation",
      .type = CELL_TEXT,
      .description = "operations of one name",
      .get = get_stack_name },
    { .key = "time",
      .title = "Device time",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "of all of them",
      .get = get_stack_time },
    { .key = "count", .title = "Ops", .type = CELL_INTEGER, .description = "how many", .get = get_stack_count },
    { .key = "untimed",
      .title = "Without time",
      .type = CELL_INTEGER,
      .description = "of these, whose device time is not known",
      .get = get_stack_untimed },
    { .key = "category",
      .title = "Category",
      .type = CELL_TEXT,
      .description = "Compute, DM (moves data), TM (changes shape or layout), Host",
      .get = get_stack_category },
    { .key = "flops_weighted",
      .title = "FLOPs",
      .unit = "%",
      .type = CELL_DECIMAL,
      .description = "of the peak, mean by time",
      .get = get_stack_weighted },
    { .key = "flops_least",
      .title = "least",
      .unit = "%",
      .type = CELL_DECIMAL,
      .description = "of the peak",
      .get = get_stack_least },
    { .key = "flops_most",
      .title = "most",
      .unit = "%",
      .type = CELL_DECIMAL,
      .description = "of the peak",
      .get = get_stack_most },
    { .key = "device",
      .title = "Device",
      .type = CELL_INTEGER,
      .description = "that they ran on",
      .get = get_stack_device },
    { .key = NULL },
};
static const struct field_set stack_set = { "stack", stack_fields };
static const struct field_set *const stack_sets[] = { &stack_set, NULL };

static bool has_untimed(const struct advise_stack *stack)
{
    for (size_t i = 0; i < stack->count; i++)
        if (stack->rows[i].untimed)
            return true;
    return false;
}

status advise_stack_table(const struct advise_stack *stack, struct table **table)
{
    const char *keys[12] = { "share",          "operation",   "time",       "count", "category",
                             "flops_weighted", "flops_least", "flops_most", NULL };
    const struct view view = { .name = "stack", .title = "", .keys = keys };
    const struct view *const views[] = { &view, NULL };
    struct rows rows = { "stack", stack_sets, stack, stack->count };
    size_t count = 0;

    assert(stack->rows || !stack->count);
    while (keys[count])
        count++;
    if (stack->by_device)
        keys[count++] = "device";
    if (has_untimed(stack))
        keys[count++] = "untimed";
    return view_table(&rows, views, NULL, table);
}
