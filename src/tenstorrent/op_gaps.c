/* op_gaps.c: waits of each core between two ops. */
#include "tenstorrent/op_gaps.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"
#include "tenstorrent/op_times.h"

/* A kernel that ended last on a core, and what can come behind it. */
struct core_walk {
    const struct marker_log *log;  /* settled; borrowed */
    const struct marker_ops *ops;  /* of the chip; borrowed */
    struct marker_ops_walk *walks; /* by lane of the log */
    struct op_gaps *gaps;          /* that are filled; borrowed */
    int64_t before; /* ops of the chips before: a log without programs counts them through, as op_times.h does */
    uint32_t ended; /* op whose kernel ended; NO_ID: none since the last start */
    int64_t end;    /* cycles, of that kernel */
};

static bool moves_data(const struct marker_log *log, const struct marker_kind *kind)
{
    const char *zone = strings_text(log->strings, kind->zone);

    return strcmp(zone, "BRISC-KERNEL") == 0 || strcmp(zone, "NCRISC-KERNEL") == 0;
}

static int64_t call_of(const struct core_walk *walk, uint32_t op)
{
    const struct marker_program *program = column_at(&walk->log->programs, walk->ops->ops[op].program);

    return walk->ops->unnamed ? walk->before + op + 1 : program->host_id;
}

static status add_gap(struct core_walk *walk, const struct marker_core *core, uint32_t op, int64_t time)
{
    struct op_gaps *gaps = walk->gaps;
    status code = memory_grow(&gaps->items, &gaps->capacity, gaps->count + 1, sizeof *gaps->items);

    if (code != STATUS_OK)
        return code;
    gaps->items[gaps->count++] = (struct op_gap){ .device = marker_chip_at(walk->log, core->chip)->id,
                                                  .from = call_of(walk, walk->ended),
                                                  .to = call_of(walk, op),
                                                  .start = walk->end,
                                                  .ns = marker_log_ns(walk->log, time - walk->end, 1),
                                                  .x = core->x,
                                                  .y = core->y };
    return STATUS_OK;
}

/* The last end before a start, and that start: RISCs of one op that follow each other are no gap. Where an op has lost ends or
 * starts of kernels, the gap beside it is not known. */
static status take_marker(struct core_walk *walk, const struct marker_core *core, uint32_t op,
                          const struct marker *marker)
{
    const struct marker_kind *kind = marker_kind_at(walk->log, marker->kind);
    status code = STATUS_OK;

    if (kind->standard == KERNEL_END) {
        walk->ended = op;
        walk->end = marker->time;
    } else if (kind->standard == KERNEL_START && walk->ended != NO_ID && moves_data(walk->log, kind)) {
        if (op != NO_ID && walk->ended != op && !walk->ops->ops[walk->ended].lacks[KERNEL_END] &&
            !walk->ops->ops[op].lacks[KERNEL_START])
            code = add_gap(walk, core, op, marker->time);
        walk->ended = NO_ID;
    }
    return code;
}

static status walk_core(struct core_walk *walk, struct marker_merge *merge, uint32_t index)
{
    const struct marker_core *core = marker_core_at(walk->log, index);
    const struct marker *marker;
    uint32_t lane;
    status code = marker_merge_begin(merge, walk->log, core->lanes, core->lane_count, false);

    walk->ended = NO_ID;
    for (size_t i = 0; i < core->lane_count; i++)
        walk->walks[core->lanes[i]] = (struct marker_ops_walk){ NO_ID };
    while (code == STATUS_OK && (marker = marker_merge_next(merge, &lane)))
        code = take_marker(walk, core, marker_ops_next(walk->ops, &walk->walks[lane], marker), marker);
    return code;
}

static status keep_core(struct op_gaps *gaps, const struct marker_core *core)
{
    status code = memory_grow(&gaps->cores, &gaps->core_capacity, gaps->core_count + 1, sizeof *gaps->cores);

    if (code == STATUS_OK)
        gaps->cores[gaps->core_count++] = (struct op_gap_core){ core->x, core->y };
    return code;
}

static int compare_cores(const void *one, const void *other)
{
    const struct op_gap_core *a = one, *b = other;

    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    return (a->y > b->y) - (a->y < b->y);
}

/* Several devices have the same cores. */
static void sort_cores(struct op_gaps *gaps)
{
    size_t kept = 0;

    if (gaps->core_count)
        qsort(gaps->cores, gaps->core_count, sizeof *gaps->cores, compare_cores);
    for (size_t i = 0; i < gaps->core_count; i++)
        if (!kept || compare_cores(&gaps->cores[i], &gaps->cores[kept - 1]) != 0)
            gaps->cores[kept++] = gaps->cores[i];
    gaps->core_count = kept;
}

static status walk_chip(struct core_walk *walk, struct marker_merge *merge, uint32_t index)
{
    const struct marker_chip *chip = marker_chip_at(walk->log, index);
    struct marker_ops ops;
    status code = marker_ops_build(&ops, walk->log, index);

    walk->ops = &ops;
    for (size_t i = 0; i < chip->core_count && code == STATUS_OK; i++) {
        if (ops.dispatch[chip->cores[i]])
            continue;
        code = keep_core(walk->gaps, marker_core_at(walk->log, chip->cores[i]));
        if (code == STATUS_OK)
            code = walk_core(walk, merge, chip->cores[i]);
    }
    walk->before += (int64_t)ops.count;
    marker_ops_free(&ops);
    return code;
}

static int order_of(int64_t one, int64_t other)
{
    return (one > other) - (one < other);
}

static int compare_gaps(const void *one, const void *other)
{
    const struct op_gap *a = one, *b = other;
    const int orders[] = { order_of(a->device, b->device),
                           order_of(a->start, b->start),
                           order_of(a->from, b->from),
                           order_of(a->to, b->to),
                           order_of(a->ns, b->ns),
                           order_of(a->x, b->x),
                           order_of(a->y, b->y) };

    for (unsigned i = 0; i < sizeof orders / sizeof *orders; i++)
        if (orders[i])
            return orders[i];
    return 0;
}

status op_gaps_of_log(struct op_gaps *gaps, const struct marker_log *log)
{
    struct core_walk walk = { .log = log, .gaps = gaps };
    struct marker_merge merge;
    status code = STATUS_OK;

    assert(log->clock_denominator);
    *gaps = (struct op_gaps){ .items = NULL };
    marker_merge_start(&merge);
    walk.walks = memory_allocate((log->lanes.count + 1) * sizeof *walk.walks);
    if (!walk.walks)
        code = status_no_memory("measuring gaps between ops");
    for (uint32_t i = 0; i < log->chips.count && code == STATUS_OK; i++)
        code = walk_chip(&walk, &merge, i);
    if (code == STATUS_OK && gaps->count)
        qsort(gaps->items, gaps->count, sizeof *gaps->items, compare_gaps);
    sort_cores(gaps);
    memory_free(walk.walks);
    marker_merge_free(&merge);
    return code;
}

void op_gaps_free(struct op_gaps *gaps)
{
    memory_free(gaps->items);
    memory_free(gaps->cores);
    *gaps = (struct op_gaps){ .items = NULL };
}
