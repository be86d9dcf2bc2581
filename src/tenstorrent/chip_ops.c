/* chip_ops.c: the ops of chip after chip, joined to those of one by program and by how often it was called. */
#include "tenstorrent/chip_ops.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/number.h"

enum { CHIPS = 1024 }; /* that an op's number has room for in its low bits */

struct joining {
    struct all_chip_ops *all;     /* being filled */
    const struct marker_log *log; /* settled; borrowed */
    bool chips_in_ids;            /* each chip calls a program otherwise: its own number is in the low bits */
    struct number_map called;     /* by program and chip: how often so far */
    struct number_map places;     /* by program and which call of it: the op of the leader */
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

/* The op of the leader that this one is, which is itself where it is of that; MAP_NONE: there is none. */
static status find_led(struct joining *joining, size_t chip, uint32_t op, uint32_t *led)
{
    uint64_t key = key_of(joining, &joining->all->chips[chip].ops, op);
    uint32_t *called = number_map_at(&joining->called, key, chip), *place;

    if (!called)
        return status_no_memory("joining the ops of chips");
    *called = *called == MAP_NONE ? 0 : *called + 1;
    place = number_map_at(&joining->places, key, *called);
    if (!place)
        return status_no_memory("joining the ops of chips");
    if (chip == joining->all->leader)
        *place = op;
    *led = *place;
    return STATUS_OK;
}

/* When an op of another chip ended, as the leader counts; `least`: it would not fit, and nothing is known. */
static int64_t end_on_leader(const struct joining *joining, size_t chip, const struct marker_op_span *span,
                             int64_t least)
{
    int64_t t0 = marker_chip_at(joining->log, joining->all->leader)->t0;
    int64_t passed = span->last - marker_chip_at(joining->log, chip)->t0;

    return passed >= 0 && passed <= INT64_MAX - t0 ? t0 + passed : least;
}

static status join_chip(struct joining *joining, size_t chip)
{
    const struct chip_ops *own = &joining->all->chips[chip];
    int64_t *ends = joining->all->ends;
    status code = STATUS_OK;

    for (size_t i = 0; i < own->ops.count && code == STATUS_OK; i++) {
        uint32_t op = own->ops.by_start[i], led = MAP_NONE;
        const struct marker_op_span *span = &own->spans[op];
        int64_t end;

        if (!is_spanned(span))
            continue;
        code = find_led(joining, chip, op, &led);
        if (code != STATUS_OK || led == MAP_NONE)
            continue;
        end = end_on_leader(joining, chip, span, ends[led]);
        ends[led] = end > ends[led] ? end : ends[led];
    }
    return code;
}

/* What others do when the leader begins its next op is no more of this one. */
static void end_by_next(struct all_chip_ops *all)
{
    const struct chip_ops *leader = &all->chips[all->leader];
    int64_t next = INT64_MAX;

    for (size_t i = leader->ops.count; i-- > 0;) {
        uint32_t op = leader->ops.by_start[i];
        const struct marker_op_span *span = &leader->spans[op];
        int64_t most = next > span->last ? next : span->last;

        if (!is_spanned(span))
            continue;
        if (all->ends[op] > most) {
            all->late++;
            all->lag = number_add(all->lag, all->ends[op] - most);
            all->ends[op] = most;
        }
        next = span->first;
    }
}

static status join_chips(struct joining *joining)
{
    struct all_chip_ops *all = joining->all;
    status code;

    number_map_start(&joining->called);
    number_map_start(&joining->places);
    code = join_chip(joining, all->leader); /* first, so that others find its ops */
    for (size_t i = 0; i < all->count && code == STATUS_OK; i++)
        if (i != all->leader)
            code = join_chip(joining, i);
    if (code == STATUS_OK)
        end_by_next(all);
    number_map_free(&joining->called);
    number_map_free(&joining->places);
    return code;
}

/* The ends of all ops of one chip. */
static status join_to(struct joining *joining, size_t leader)
{
    struct all_chip_ops *all = joining->all;
    size_t count = all->chips[leader].ops.count;

    memory_free(all->ends);
    all->ends = memory_allocate((count + 1) * sizeof *all->ends);
    if (!all->ends)
        return status_no_memory("joining the ops of chips");
    for (size_t i = 0; i < count; i++)
        all->ends[i] = all->chips[leader].spans[i].last;
    all->leader = leader;
    all->late = 0;
    all->lag = 0;
    return all->count > 1 ? join_chips(joining) : STATUS_OK;
}

/* How many ops a chip did, and when it was done with all, in cycles from its first marker. */
static size_t count_done(const struct joining *joining, size_t index, int64_t *done)
{
    const struct chip_ops *chip = &joining->all->chips[index];
    int64_t t0 = marker_chip_at(joining->log, index)->t0;
    size_t count = 0;

    *done = 0;
    for (size_t i = 0; i < chip->ops.count; i++)
        if (is_spanned(&chip->spans[i])) {
            count++;
            *done = chip->spans[i].last - t0 > *done ? chip->spans[i].last - t0 : *done;
        }
    return count;
}

/* Of the chips that did as many ops as the first, the one that was done last. */
static size_t find_slowest(const struct joining *joining)
{
    int64_t latest, done;
    size_t count = count_done(joining, 0, &latest), slowest = 0;

    for (size_t i = 1; i < joining->all->count; i++)
        if (count_done(joining, i, &done) == count && done > latest) {
            latest = done;
            slowest = i;
        }
    return slowest;
}

static status join(struct all_chip_ops *all, const struct marker_log *log)
{
    struct joining joining = { .all = all, .log = log };
    size_t slowest;
    int64_t lag;
    status code;

    joining.chips_in_ids = has_chips_in_ids(&joining);
    code = join_to(&joining, 0);
    slowest = find_slowest(&joining);
    lag = all->lag;
    if (code != STATUS_OK || !lag || !slowest)
        return code;
    code = join_to(&joining, slowest);
    return code == STATUS_OK && all->lag >= lag ? join_to(&joining, 0) : code;
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
