/* footprint.c: what a program takes, as tables: memory and cycles by dispatch and by slice program. */
#include "base/number.h"
#include "table/field.h"
#include "torq/program.h"

static struct table_cell cell_string(const struct program *program, string_id id)
{
    return cell_text(strings_text(program->strings, id));
}

static struct table_cell cell_known(int64_t value)
{
    return value == NO_CYCLES ? cell_null() : cell_integer(value);
}

/* ---- Dispatches -------------------------------------------------------------------------------------------------- */

static const struct program_dispatch *dispatch_at(const void *context, size_t row)
{
    return program_dispatch(context, (uint32_t)row);
}

static struct table_cell get_dispatch(const void *context, size_t row)
{
    return cell_string(context, dispatch_at(context, row)->name);
}

static struct table_cell get_memory(const void *context, size_t row)
{
    return cell_known(dispatch_at(context, row)->memory);
}

static struct table_cell get_largest(const void *context, size_t row)
{
    return cell_known(dispatch_at(context, row)->largest_cycle);
}

static struct table_cell get_actions(const void *context, size_t row)
{
    return cell_integer(dispatch_at(context, row)->action_count);
}

static struct table_cell get_jobs(const void *context, size_t row)
{
    return cell_integer(dispatch_at(context, row)->job_count);
}

static struct table_cell get_tasks(const void *context, size_t row)
{
    const struct program_dispatch *dispatch = dispatch_at(context, row);
    int64_t tasks = 0;

    for (uint32_t i = 0; i < dispatch->job_count; i++)
        tasks += program_job(context, dispatch->first_job + i)->task_count;
    return cell_integer(tasks);
}

static struct table_cell get_moved(const void *context, size_t row)
{
    const struct program *program = context;
    int64_t bytes = 0;

    for (uint32_t i = 0; i < program->units.count; i++) {
        const struct program_unit *unit = program_unit(program, i);

        if (unit->bytes > 0 && program_job(program, unit->job)->dispatch == row)
            bytes = number_add(bytes, unit->bytes);
    }
    return cell_integer(bytes);
}

static const struct field dispatch_fields[] = {
    { .key = "dispatch", .title = "Dispatch", .description = "its name", .get = get_dispatch },
    { .key = "memory",
      .title = "Memory",
      .unit = "B",
      .type = CELL_BYTES,
      .description = "sum over the memrefs of the dispatch",
      .get = get_memory },
    { .key = "largest_cycle",
      .title = "Largest",
      .type = CELL_INTEGER,
      .description = "largest max_cycle of its slice tasks, not a sum",
      .get = get_largest },
    { .key = "actions",
      .title = "Actions",
      .type = CELL_INTEGER,
      .description = "that the host takes",
      .get = get_actions,
      .optional = true },
    { .key = "jobs", .title = "Jobs", .type = CELL_INTEGER, .description = "programs on the NSS", .get = get_jobs },
    { .key = "tasks", .title = "Tasks", .type = CELL_INTEGER, .description = "of all its jobs", .get = get_tasks },
    { .key = "bytes",
      .title = "Moved",
      .unit = "B",
      .type = CELL_BYTES,
      .description = "bytes of all DMA and CDMA transfers",
      .get = get_moved },
    { .key = NULL },
};
static const struct field_set dispatch_set = { "dispatch", dispatch_fields };
static const struct field_set *const dispatch_sets[] = { &dispatch_set, NULL };
static const char *const dispatch_keys[] = { "dispatch", "memory", "largest_cycle", "actions",
                                             "jobs",     "tasks",  "bytes",         NULL };
static const struct view dispatch_view = { .name = "dispatches", .title = "Dispatches", .keys = dispatch_keys };

status footprint_dispatches(const struct program *program, struct table **table)
{
    static const struct view *const views[] = { &dispatch_view, NULL };
    const struct rows rows = { "dispatch", dispatch_sets, program, program->dispatches.count };
    status code = view_table(&rows, views, NULL, table);

    if (code == STATUS_OK)
        table_note(*table, "Largest is the compiler's total_cycle in cycles: the largest max_cycle of a dispatch's "
                           "slice tasks, not their sum");
    return code;
}

/* ---- Slice programs ---------------------------------------------------------------------------------------------- */

static const struct program_kernel *kernel_at(const void *context, size_t row)
{
    return program_kernel(context, (uint32_t)row);
}

static struct table_cell get_kernel(const void *context, size_t row)
{
    return cell_string(context, kernel_at(context, row)->name);
}

static struct table_cell get_cycles(const void *context, size_t row)
{
    return cell_known(kernel_at(context, row)->max_cycle);
}

static struct table_cell get_bound(const void *context, size_t row)
{
    const struct program_kernel *kernel = kernel_at(context, row);

    return kernel->cycles[kernel->bound] == NO_CYCLES ? cell_null() : cell_text(bus_name(kernel->bound));
}

static struct table_cell get_bound_cycles(const void *context, size_t row)
{
    const struct program_kernel *kernel = kernel_at(context, row);

    return cell_known(kernel->cycles[kernel->bound]);
}

static struct table_cell get_kernel_memory(const void *context, size_t row)
{
    return cell_known(kernel_at(context, row)->memory);
}

static struct table_cell get_shapes(const void *context, size_t row)
{
    return cell_string(context, kernel_at(context, row)->memory_info);
}

#define X(name)                                                          \
    static struct table_cell get_##name(const void *context, size_t row) \
    {                                                                    \
        return cell_known(kernel_at(context, row)->cycles[BUS_##name]);  \
    }
BUS_MAP(X)
#undef X

static const struct field kernel_fields[] = {
    { .key = "slice_program", .title = "Slice program", .description = "its name", .get = get_kernel },
    { .key = "max_cycle",
      .title = "Cycles",
      .type = CELL_INTEGER,
      .description = "estimated cycles of the slice task",
      .get = get_cycles },
    { .key = "bound", .title = "Bound by", .description = "the data path with the most cycles", .get = get_bound },
    { .key = "bound_cycles",
      .title = "Its cycles",
      .type = CELL_INTEGER,
      .description = "cycles of that path",
      .get = get_bound_cycles },
    { .key = "memory",
      .title = "Memory",
      .unit = "B",
      .type = CELL_BYTES,
      .description = "that the slice task needs",
      .get = get_kernel_memory },
    { .key = "memory_info", .title = "Shapes", .description = "of its tensors", .get = get_shapes },
#define X(name) \
    { .key = #name, .type = CELL_INTEGER, .description = "cycles of this path", .get = get_##name, .optional = true },
    BUS_MAP(X)
#undef X
        { .key = NULL },
};
static const struct field_set kernel_set = { "slice_program", kernel_fields };
static const struct field_set *const kernel_sets[] = { &kernel_set, NULL };
static const char *const kernel_keys[] = { "slice_program",
                                           "max_cycle",
                                           "bound",
                                           "bound_cycles",
                                           "memory",
                                           "memory_info",
#define X(name) #name,
                                           BUS_MAP(X)
#undef X
                                               NULL };
static const struct view kernel_view = { .name = "slice_programs", .title = "Slice programs", .keys = kernel_keys };

status footprint_kernels(const struct program *program, struct table **table)
{
    static const struct view *const views[] = { &kernel_view, NULL };
    const struct rows rows = { "slice_program", kernel_sets, program, program->kernels.count };

    return view_table(&rows, views, NULL, table);
}
