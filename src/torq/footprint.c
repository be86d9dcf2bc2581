#include "torq/footprint.h"

#include "base/number.h"

static status finish(struct table *table, struct table **result)
{
    status code = table_status(table);

    if (code == STATUS_OK)
        *result = table;
    else
        table_free(table);
    return code;
}

static void set_known(struct table *table, size_t column, int64_t value)
{
    if (value != NO_CYCLES)
        table_set_integer(table, column, value);
}

/* Bytes that the units of a dispatch move. */
static int64_t bytes_moved(const struct program *program, uint32_t dispatch)
{
    int64_t bytes = 0;

    for (uint32_t i = 0; i < program->units.count; i++) {
        const struct program_unit *unit = program_unit(program, i);

        if (unit->bytes > 0 && program_job(program, unit->job)->dispatch == dispatch)
            bytes = number_add(bytes, unit->bytes);
    }
    return bytes;
}

static int64_t tasks_of(const struct program *program, const struct program_dispatch *dispatch)
{
    int64_t tasks = 0;

    for (uint32_t i = 0; i < dispatch->job_count; i++)
        tasks += program_job(program, dispatch->first_job + i)->task_count;
    return tasks;
}

status footprint_dispatches(const struct program *program, struct table **result)
{
    enum { NAME, MEMORY, LARGEST, ACTIONS, JOBS, TASKS, BYTES };
    struct table *table = table_new("dispatches", "Dispatches");

    if (!table)
        return status_no_memory("making a table");
    table_add_column(table, (struct table_column){ .name = "dispatch", .title = "Dispatch", .type = CELL_TEXT });
    table_add_column(table, (struct table_column){ .name = "memory",
                                                   .title = "Memory",
                                                   .unit = "B",
                                                   .type = CELL_BYTES,
                                                   .description = "sum over the memrefs of the dispatch" });
    table_add_column(table, (struct table_column){ .name = "largest_cycle",
                                                   .title = "Largest",
                                                   .type = CELL_INTEGER,
                                                   .description = "largest max_cycle of its slice tasks, not a sum" });
    table_add_column(
        table, (struct table_column){ .name = "actions", .title = "Actions", .type = CELL_INTEGER, .optional = true });
    table_add_column(table, (struct table_column){ .name = "jobs", .title = "Jobs", .type = CELL_INTEGER });
    table_add_column(table, (struct table_column){ .name = "tasks", .title = "Tasks", .type = CELL_INTEGER });
    table_add_column(table, (struct table_column){ .name = "bytes",
                                                   .title = "Moved",
                                                   .unit = "B",
                                                   .type = CELL_BYTES,
                                                   .description = "bytes of all DMA and CDMA transfers" });
    for (uint32_t i = 0; i < program->dispatches.count; i++) {
        const struct program_dispatch *dispatch = program_dispatch(program, i);

        table_add_row(table);
        table_set_text(table, NAME, strings_text(program->strings, dispatch->name));
        set_known(table, MEMORY, dispatch->memory);
        set_known(table, LARGEST, dispatch->largest_cycle);
        table_set_integer(table, ACTIONS, dispatch->action_count);
        table_set_integer(table, JOBS, dispatch->job_count);
        table_set_integer(table, TASKS, tasks_of(program, dispatch));
        table_set_integer(table, BYTES, bytes_moved(program, i));
    }
    table_note(table, "Largest is the compiler's total_cycle in cycles: the largest max_cycle of a dispatch's slice "
                      "tasks, not their sum");
    return finish(table, result);
}

status footprint_kernels(const struct program *program, struct table **result)
{
    enum { NAME, CYCLES, BOUND, BOUND_CYCLES, MEMORY, SHAPES, FIRST_BUS };
    struct table *table = table_new("slice_programs", "Slice programs");

    if (!table)
        return status_no_memory("making a table");
    table_add_column(table,
                     (struct table_column){ .name = "slice_program", .title = "Slice program", .type = CELL_TEXT });
    table_add_column(table, (struct table_column){ .name = "max_cycle",
                                                   .title = "Cycles",
                                                   .type = CELL_INTEGER,
                                                   .description = "estimated cycles of the slice task" });
    table_add_column(table, (struct table_column){ .name = "bound",
                                                   .title = "Bound by",
                                                   .type = CELL_TEXT,
                                                   .description = "the data path with the most cycles" });
    table_add_column(table, (struct table_column){ .name = "bound_cycles",
                                                   .title = "Its cycles",
                                                   .type = CELL_INTEGER,
                                                   .description = "cycles of that path" });
    table_add_column(table,
                     (struct table_column){ .name = "memory", .title = "Memory", .unit = "B", .type = CELL_BYTES });
    table_add_column(table, (struct table_column){ .name = "memory_info", .title = "Shapes", .type = CELL_TEXT });
    for (unsigned bus = 0; bus < BUS_COUNT; bus++)
        table_add_column(table, (struct table_column){ .name = bus_name(bus), .type = CELL_INTEGER, .optional = true });
    for (uint32_t i = 0; i < program->kernels.count; i++) {
        const struct program_kernel *kernel = program_kernel(program, i);

        table_add_row(table);
        table_set_text(table, NAME, strings_text(program->strings, kernel->name));
        set_known(table, CYCLES, kernel->max_cycle);
        set_known(table, MEMORY, kernel->memory);
        table_set_text(table, SHAPES, strings_text(program->strings, kernel->memory_info));
        if (kernel->cycles[kernel->bound] != NO_CYCLES) {
            table_set_text(table, BOUND, bus_name(kernel->bound));
            set_known(table, BOUND_CYCLES, kernel->cycles[kernel->bound]);
        }
        for (unsigned bus = 0; bus < BUS_COUNT; bus++)
            set_known(table, FIRST_BUS + bus, kernel->cycles[bus]);
    }
    return finish(table, result);
}
