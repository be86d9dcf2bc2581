/* chip_ops.c: the ops of chip after chip, joined to those of the first by program and by how often it was called. */
#include "tenstorrent/chip_ops.h"

#include "base/map.h"
#include "base/memory.h"

enum { CHIPS = 1024 }; /* that an op's number has room for in its low bits */

struct joining {
    struct all_chip_ops *all;     /* being filled */
    const struct marker_log *log; /* settled; borrowed */
    bool chips_in_ids;            /* each chip calls a program otherwise: its own number is in the low bits */
    struct number_map called;     /* by program and chip: how often so far */
    struct number_map places;     /* by program and which call of it: the op of the first chip */
};

static status build_chip(struct chip_ops *chip, const struct marker_log *log, uint32_t index)
{
    status code = marker_ops_build(&chip->ops, log, index);

    if (code != STATUS_OK)
        return code;
    if (chip->ops.unnamed && chip->ops.count == 1)
        chip->ops.count = 0; /* it is the whole log: it needs no line */
    chip->spans = memory_allocate((chip->ops.count + 1) * sizeof *chip->spans);
    if (!chip->spans)
        return status_no_memory("joining the ops of chips");
    if (chip->ops.count)
        marker_ops_spans(&chip->ops, chip->spans);
    return STATUS_OK;
}

static const struct marker_program *program_of(const struct joining *joining, const struct marker_ops *ops, size_t op)
{
    return column_at(&joining->log->programs, ops->ops[op].program);
}

/* A chip may lack programs of others. */
static bool is_spanned(const struct marker_op_span *span)
{
    return span->last >= span->first;
}

static bool has_chips_in_ids(const struct joining *joining)
{
    for (size_t i = 0; i < joining->all->count; i++) {
        const struct chip_ops *chip = &joining->all->chips[i];

        for (size_t k = 0; k < chip->ops.count; k++)
            if (is_spanned(&chip->spans[k]) &&
                program_of(joining, &chip->ops, k)->host_id % CHIPS != marker_chip_at(joining->log, i)->id)
                return false;
    }
    return true;
}

/* The same for one program on all chips. */
static uint64_t key_of(const struct joining *joining, const struct marker_ops *ops, size_t op)
{
    const struct marker_program *program = program_of(joining, ops, op);
    uint32_t id = program->host_id;

    return map_mix(joining->chips_in_ids ? id - id % CHIPS : id, (uint64_t)(int64_t)program->trace);
}

/* The op of the first chip that this one is, which is itself where it is of that; MAP_NONE: there is none. */
static status find_first(struct joining *joining, size_t chip, uint32_t op, uint32_t *first)
{
    uint64_t key = key_of(joining, &joining->all->chips[chip].ops, op);
    uint32_t *called = number_map_at(&joining->called, key, chip), *place;

    if (!called)
        return status_no_memory("joining the ops of chips");
    *called = *called == MAP_NONE ? 0 : *called + 1;
    place = number_map_at(&joining->places, key, *called);
    if (!place)
        return status_no_memory("joining the ops of chips");
    if (!chip)
        *place = op;
    *first = *place;
    return STATUS_OK;
}

/* When an op of another chip ended, as the first one counts; `least`: it would not fit, and nothing is known. */
static int64_t end_on_first(const struct joining *joining, size_t chip, const struct marker_op_span *span,
                            int64_t least)
{
    int64_t t0 = marker_chip_at(joining->log, 0)->t0, passed = span->last - marker_chip_at(joining->log, chip)->t0;

    return passed >= 0 && passed <= INT64_MAX - t0 ? t0 + passed : least;
}

static status join_chip(struct joining *joining, size_t chip)
{
    const struct chip_ops *own = &joining->all->chips[chip];
    int64_t *ends = joining->all->ends;
    status code = STATUS_OK;

    for (size_t i = 0; i < own->ops.count && code == STATUS_OK; i++) {
        uint32_t op = own->ops.by_start[i], first = MAP_NONE;
        const struct marker_op_span *span = &own->spans[op];
        int64_t end;

        if (!is_spanned(span))
            continue;
        code = find_first(joining, chip, op, &first);
        if (code != STATUS_OK || first == MAP_NONE)
            continue;
        end = chip ? end_on_first(joining, chip, span, ends[first]) : span->last;
        ends[first] = end > ends[first] ? end : ends[first];
    }
    return code;
}

/* What others do when the first chip begins its next op is no more of this one. */
static void end_by_next(struct all_chip_ops *all)
{
    const struct chip_ops *first = &all->chips[0];
    int64_t next = INT64_MAX;

    for (size_t i = first->ops.count; i-- > 0;) {
        uint32_t op = first->ops.by_start[i];
        const struct marker_op_span *span = &first->spans[op];

        if (!is_spanned(span))
            continue;
        if (all->ends[op] > next)
            all->ends[op] = next > span->last ? next : span->last;
        next = span->first;
    }
}

static status join(struct all_chip_ops *all, const struct marker_log *log)
{
    struct joining joining = { .all = all, .log = log };
    size_t count = all->chips[0].ops.count;
    status code = STATUS_OK;

    all->ends = memory_allocate((count + 1) * sizeof *all->ends);
    if (!all->ends)
        return status_no_memory("joining the ops of chips");
    for (size_t i = 0; i < count; i++)
        all->ends[i] = all->chips[0].spans[i].last;
    if (all->count == 1)
        return STATUS_OK;
    joining.chips_in_ids = has_chips_in_ids(&joining);
    number_map_start(&joining.called);
    number_map_start(&joining.places);
    for (size_t i = 0; i < all->count && code == STATUS_OK; i++)
        code = join_chip(&joining, i);
    if (code == STATUS_OK)
        end_by_next(all);
    number_map_free(&joining.called);
    number_map_free(&joining.places);
    return code;
}

status chip_ops_build(struct all_chip_ops *all, const struct marker_log *log)
{
    status code = STATUS_OK;

    *all = (struct all_chip_ops){ .chips = memory_allocate_clear((log->chips.count + 1) * sizeof *all->chips) };
    if (!all->chips)
        return status_no_memory("joining the ops of chips");
    for (uint32_t i = 0; i < log->chips.count && code == STATUS_OK; i++) {
        all->count++;
        code = build_chip(&all->chips[i], log, i);
    }
    return code == STATUS_OK && all->count ? join(all, log) : code;
}

void chip_ops_free(struct all_chip_ops *all)
{
    for (size_t i = 0; i < all->count; i++) {
        marker_ops_free(&all->chips[i].ops);
        memory_free(all->chips[i].spans);
    }
    memory_free(all->chips);
    memory_free(all->ends);
    *all = (struct all_chip_ops){ 0 };
}
