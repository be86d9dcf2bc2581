/* device_ops.c: analyses inside each op, and inside each command of the queue.
 *
 * First and last of an op need no series by time: lanes are gone through one after the other, and each op keeps its
 * earliest start and its latest end. At equal times the order of lanes and markers decides, as it would in a sorted
 * series.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "tenstorrent/device_shared.h"
#include "tenstorrent/marker_missing.h"

bool device_op_duration(const struct device_op_value *value, int64_t *cycles)
{
    bool after = value->end > value->start || (value->end == value->start && value->end_order > value->start_order);

    if (value->start_order == NO_ID || value->end_order == NO_ID || !after || value->unknown)
        return false;
    *cycles = value->end - value->start;
    assert(*cycles >= 0);
    return true;
}

static const struct device_op_value nothing = { 0, 0, NO_ID, NO_ID, false };

static void note_start(struct device_op_value *value, int64_t time, uint32_t order)
{
    if (value->start_order == NO_ID || time < value->start) {
        value->start = time;
        value->start_order = order;
    }
}

static void note_end(struct device_op_value *value, int64_t time, uint32_t order)
{
    if (value->end_order == NO_ID || time >= value->end) {
        value->end = time;
        value->end_order = order;
    }
}

/* A sum is a value that ends where it would if it had begun at 0. */
static void note_sum(struct device_op_value *value, int64_t sum)
{
    if (value->start_order == NO_ID)
        *value = (struct device_op_value){ 0, 0, 0, 1, false };
    value->end = number_add(value->end, sum);
}

/* The duration of an op on one core, for the statistics of its cores. */
struct core_duration {
    uint32_t op;    /* index */
    uint32_t place; /* of the core on its chip; they come in order */
    int64_t cycles; /* from its start to its end there */
};

struct core_durations {
    struct core_duration *items; /* owned */
    size_t count, capacity;      /* of items */
};

struct op_work {
    struct device_work *work;                            /* borrowed */
    struct device_chip_results *results;                 /* of the chip; borrowed */
    uint64_t analyses;                                   /* that have a column */
    uint32_t order;                                      /* of the marker at hand */
    struct core_durations by_core[DEVICE_ANALYSES];      /* by analysis */
    uint32_t needed[DEVICE_ANALYSES][MARKER_NO_DEFAULT]; /* RISCs whose markers an analysis needs, a bit each */
};

/* Columns only for what some kind of marker can begin and some can end: most logs lack most RISCs. */
static void choose_columns(struct op_work *op, uint64_t analyses)
{
    struct device_chip_results *results = op->results;
    uint64_t starts = 0, ends = 0;

    for (size_t i = 0; i < op->work->log->kinds.count; i++) {
        starts |= op->work->kinds[i].start | op->work->counterparts[i].start;
        ends |= op->work->kinds[i].end | op->work->counterparts[i].end;
    }
    memset(results->op_column, DEVICE_ANALYSES, sizeof results->op_column);
    memset(results->op_core_column, DEVICE_ANALYSES, sizeof results->op_core_column);
    op->analyses = analyses & starts & ends;
    for (uint64_t bits = op->analyses; bits; bits &= bits - 1) {
        unsigned i = (unsigned)__builtin_ctzll(bits);

        results->op_column[i] = (uint8_t)results->op_count;
        results->op_analyses[results->op_count++] = (uint8_t)i;
        if (op->work->setup->analyses[i].type == DEVICE_OP_CORE)
            results->op_core_column[i] = (uint8_t)results->op_core_count++;
    }
}

static void need(struct op_work *op, const struct device_plan *plan, uint8_t standard, uint32_t risc)
{
    for (uint64_t bits = (plan->start | plan->end) & op->analyses & ~op->work->types[DEVICE_SUM]; bits;
         bits &= bits - 1)
        op->needed[__builtin_ctzll(bits)][standard] |= risc;
}

/* Which markers of firmware and kernels each analysis rests on, those that the log lacks altogether as well. */
static void need_markers(struct op_work *op)
{
    for (size_t i = 0; i < op->work->log->kinds.count; i++) {
        const struct marker_kind *kind = marker_kind_at(op->work->log, i);
        uint32_t risc;

        if (!marker_kind_is_standard(kind))
            continue;
        risc = marker_ops_risc(&op->results->ops, kind->risc);
        need(op, &op->work->kinds[i], kind->standard, risc);
        need(op, &op->work->counterparts[i], marker_kind_counterpart(kind).standard, risc);
    }
    for (unsigned i = 0; i < op->work->setup->count; i++)
        if (!op->work->setup->analyses[i].start.risc && !op->work->setup->analyses[i].end.risc)
            marker_ops_any_kernel(&op->results->ops, op->needed[i]);
}

static void step(struct op_work *op, const struct device_plan *accepted, uint32_t index, const struct marker *marker)
{
    const struct device_plan *plan = &op->work->kinds[marker->kind];
    struct device_op_value *values = op->results->op_values + (size_t)index * op->results->op_count;
    uint64_t start = plan->start & accepted->start & op->analyses, end = plan->end & accepted->end & op->analyses;
    uint64_t sums = op->work->types[DEVICE_SUM];

    for (uint64_t bits = start; bits; bits &= bits - 1) {
        struct device_op_value *value = &values[op->results->op_column[__builtin_ctzll(bits)]];

        if (bits & -bits & sums)
            note_sum(value, marker_sum_of(op->work->log, marker));
        else
            note_start(value, marker->time, op->order);
    }
    for (uint64_t bits = end & ~sums; bits; bits &= bits - 1)
        note_end(&values[op->results->op_column[__builtin_ctzll(bits)]], marker->time, op->order);
}

static void scan_lane(struct op_work *op, const struct marker_lane *lane, const struct device_plan *accepted)
{
    struct marker_ops_walk walk = { NO_ID };
    struct marker_cursor cursor;
    const struct marker *marker;

    marker_cursor_start(&cursor, &lane->markers);
    while ((marker = marker_cursor_next(&cursor))) {
        uint32_t index = marker_ops_next(&op->results->ops, &walk, marker);

        if (index != NO_ID)
            step(op, accepted, index, marker);
        op->order += op->order < NO_ID - 1;
    }
}

/* ---- By core ---- */

/* Takes what one core left in the column of an analysis by core, and clears it for the next. */
static status take_core(struct op_work *op, unsigned analysis, uint32_t place)
{
    struct core_durations *durations = &op->by_core[analysis];
    unsigned column = op->results->op_column[analysis];

    for (uint32_t i = 0; i < op->results->ops.count; i++) {
        struct device_op_value *value = &op->results->op_values[(size_t)i * op->results->op_count + column];
        int64_t cycles;

        if (device_op_duration(value, &cycles)) {
            status code =
                memory_grow(&durations->items, &durations->capacity, durations->count + 1, sizeof *durations->items);

            if (code != STATUS_OK)
                return code;
            durations->items[durations->count++] = (struct core_duration){ i, place, cycles };
        }
        *value = nothing;
    }
    return STATUS_OK;
}

static status scan_core(struct op_work *op, const struct marker_chip *chip, size_t place)
{
    const struct marker_log *log = op->work->log;
    const struct marker_core *core = marker_core_at(log, chip->cores[place]);
    struct device_plan accepted = device_core_plan(op->work->setup, core);
    status code = STATUS_OK;

    for (size_t i = 0; i < core->lane_count; i++)
        scan_lane(op, marker_lane_at(log, core->lanes[i]), &accepted);
    for (uint64_t bits = op->analyses & op->work->types[DEVICE_OP_CORE]; bits && code == STATUS_OK; bits &= bits - 1)
        code = take_core(op, (unsigned)__builtin_ctzll(bits), (uint32_t)place);
    return code;
}

/* Statistics of the ops of each core: what a map of the cores shows. */
static status finish_cores(struct op_work *op, unsigned analysis)
{
    struct device_chip_results *results = op->results;
    const struct core_durations *durations = &op->by_core[analysis];
    int64_t *cycles = memory_allocate((durations->count + 1) * sizeof *cycles);

    if (!cycles)
        return status_no_memory("analysing ops");
    for (size_t i = 0, next; i < durations->count; i = next) {
        uint32_t place = durations->items[i].place;
        struct device_statistics *to = &results->cores[place * op->work->setup->count + analysis];
        uint64_t unknown = 0;
        size_t count = 0;

        for (next = i; next < durations->count && durations->items[next].place == place; next++) {
            if (marker_op_lacks(&results->ops.ops[durations->items[next].op], op->needed[analysis]))
                unknown++;
            else
                cycles[count++] = durations->items[next].cycles;
        }
        *to = device_statistics_of(cycles, count);
        to->unknown = unknown;
    }
    memory_free(cycles);
    return STATUS_OK;
}

/* Statistics of the cores of each op: durations are put together by op. */
static status finish_by_core(struct op_work *op, unsigned analysis)
{
    struct device_chip_results *results = op->results;
    struct core_durations *durations = &op->by_core[analysis];
    struct device_gathering gathering = { .medians = NULL };
    size_t *starts = memory_allocate_clear((results->ops.count + 2) * sizeof *starts);
    int64_t *cycles = memory_allocate((durations->count + 1) * sizeof *cycles);
    status code = starts && cycles ? STATUS_OK : status_no_memory("analysing ops");

    for (size_t i = 0; i < durations->count && code == STATUS_OK; i++)
        starts[durations->items[i].op + 2]++;
    for (size_t i = 2; i < results->ops.count + 2 && code == STATUS_OK; i++)
        starts[i] += starts[i - 1];
    for (size_t i = 0; i < durations->count && code == STATUS_OK; i++)
        cycles[starts[durations->items[i].op + 1]++] = durations->items[i].cycles;
    for (size_t i = 0; i < results->ops.count && code == STATUS_OK; i++) {
        struct device_statistics *to =
            &results->op_cores[i * results->op_core_count + results->op_core_column[analysis]];

        if (marker_op_lacks(&results->ops.ops[i], op->needed[analysis]))
            to->unknown = starts[i + 1] > starts[i] ? starts[i + 1] - starts[i] : 1;
        else
            *to = device_statistics_of(cycles + starts[i], starts[i + 1] - starts[i]);
        code = device_gather(&gathering, to);
    }
    if (code == STATUS_OK)
        results->summary[analysis] = device_gathered(&gathering);
    memory_free(gathering.medians);
    memory_free(starts);
    memory_free(cycles);
    return code;
}

static status finish_by_op(struct op_work *op, unsigned analysis)
{
    struct device_chip_results *results = op->results;
    struct device_samples *samples = &op->work->samples[analysis];
    status code = STATUS_OK;

    samples->count = 0;
    for (size_t i = 0; i < results->ops.count && code == STATUS_OK; i++) {
        uint32_t index = results->ops.by_start[i];
        struct device_op_value *value =
            &results->op_values[(size_t)index * results->op_count + results->op_column[analysis]];
        int64_t cycles;

        value->unknown = marker_op_lacks(&results->ops.ops[index], op->needed[analysis]);
        samples->unknown += value->unknown;
        if (device_op_duration(value, &cycles))
            code = device_sample(samples, cycles);
    }
    results->summary[analysis] = device_statistics_of(samples->items, samples->count);
    results->summary[analysis].unknown = samples->unknown;
    samples->unknown = 0;
    samples->count = 0;
    return code;
}

static status make_room(struct device_chip_results *results)
{
    size_t values = results->ops.count * results->op_count, by_core = results->ops.count * results->op_core_count;

    results->op_values = memory_allocate((values + 1) * sizeof *results->op_values);
    results->op_cores = memory_allocate_clear((by_core + 1) * sizeof *results->op_cores);
    if (!results->op_values || !results->op_cores)
        return status_no_memory("analysing ops");
    for (size_t i = 0; i < values; i++)
        results->op_values[i] = nothing;
    return STATUS_OK;
}

static status run_ops(struct op_work *op)
{
    const struct marker_chip *chip = marker_chip_at(op->work->log, op->results->chip);
    status code = make_room(op->results);

    for (size_t i = 0; i < chip->core_count && code == STATUS_OK; i++)
        if (!op->results->ops.dispatch[chip->cores[i]])
            code = scan_core(op, chip, i);
    for (uint64_t bits = op->analyses; bits && code == STATUS_OK; bits &= bits - 1) {
        unsigned i = (unsigned)__builtin_ctzll(bits);

        bool by_core = op->work->setup->analyses[i].type == DEVICE_OP_CORE;

        code = by_core ? finish_by_core(op, i) : finish_by_op(op, i);
        if (code == STATUS_OK && by_core)
            code = finish_cores(op, i);
    }
    for (unsigned i = 0; i < DEVICE_ANALYSES; i++)
        memory_free(op->by_core[i].items);
    return code;
}

/* ---- Commands of the queue ---- */

/* A marker of a dispatch core that an analysis asks for. */
struct command {
    uint32_t program;  /* whose command it is */
    uint32_t analysis; /* index */
    int64_t time;      /* cycles */
    uint32_t order;    /* among markers of equal time */
    bool start, end;   /* which end of the analysis it is; may be both */
};

struct commands {
    struct command *items;  /* owned */
    size_t count, capacity; /* of items */
};

/* The number behind "workers_runtime_id" in metadata, which is JSON or a Python dict. */
static bool runtime_id(const char *metadata, uint32_t *id)
{
    static const char key[] = "workers_runtime_id";
    const char *at = strstr(metadata, key), *end;
    uint64_t value;

    if (!at)
        return false;
    end = metadata + strlen(metadata);
    for (at += sizeof key - 1; at < end && strchr("\"': ", *at); at++)
        continue;
    if (!number_read_unsigned(&at, end, &value) || value > UINT32_MAX)
        return false;
    *id = (uint32_t)value;
    return true;
}

/* The program that a zone works for is told by a marker inside it: looks ahead from the zone's start to its end. */
static bool look_ahead(const struct marker_log *log, struct marker_cursor cursor, string_id zone, uint32_t *id)
{
    enum { FARTHEST = 64 };
    const struct marker *marker;

    for (unsigned i = 0; i < FARTHEST && (marker = marker_cursor_next(&cursor)); i++) {
        const struct marker_kind *kind = marker_kind_at(log, marker->kind);
        string_id metadata = marker_extra_of(log, marker).metadata;

        if (metadata && runtime_id(strings_text(log->strings, metadata), id))
            return true;
        if (kind->zone == zone && kind->phase == MARKER_END)
            return false;
    }
    return false;
}

static status collect_commands(struct device_work *work, const struct marker_lane *lane, struct commands *commands)
{
    const struct marker_log *log = work->log;
    uint64_t analyses = work->across[ACROSS_DISPATCH];
    struct marker_cursor cursor;
    const struct marker *marker;
    uint32_t program = NO_ID;
    status code = STATUS_OK;

    marker_cursor_start(&cursor, &lane->markers);
    while (code == STATUS_OK && (marker = marker_cursor_next(&cursor))) {
        const struct device_plan *plan = &work->kinds[marker->kind];
        const struct marker_kind *kind = marker_kind_at(log, marker->kind);
        string_id metadata = marker_extra_of(log, marker).metadata;

        if (metadata)
            runtime_id(strings_text(log->strings, metadata), &program);
        if (kind->phase == MARKER_START)
            look_ahead(log, cursor, kind->zone, &program);
        for (uint64_t bits = program == NO_ID ? 0 : (plan->start | plan->end) & analyses; bits && code == STATUS_OK;
             bits &= bits - 1) {
            code = memory_grow(&commands->items, &commands->capacity, commands->count + 1, sizeof *commands->items);
            if (code == STATUS_OK)
                commands->items[commands->count] = (struct command){ program,
                                                                     (uint32_t)__builtin_ctzll(bits),
                                                                     marker->time,
                                                                     (uint32_t)commands->count,
                                                                     (plan->start & bits & -bits) != 0,
                                                                     (plan->end & bits & -bits) != 0 };
            commands->count += code == STATUS_OK;
        }
    }
    return code;
}

static int compare_commands(const void *one, const void *other)
{
    const struct command *a = one, *b = other;

    if (a->analysis != b->analysis)
        return a->analysis < b->analysis ? -1 : 1;
    if (a->program != b->program)
        return a->program < b->program ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

static status finish_commands(struct device_work *work, struct device_chip_results *results, struct commands *commands)
{
    struct device_op_value value = nothing;
    status code = STATUS_OK;
    int64_t cycles;

    if (commands->count)
        qsort(commands->items, commands->count, sizeof *commands->items, compare_commands);
    for (size_t i = 0; i < commands->count && code == STATUS_OK; i++) {
        const struct command *command = &commands->items[i];
        bool last = i + 1 == commands->count || command[1].program != command->program ||
                    command[1].analysis != command->analysis;

        if (command->start)
            note_start(&value, command->time, command->order);
        if (command->end)
            note_end(&value, command->time, command->order);
        if (!last)
            continue;
        if (device_op_duration(&value, &cycles))
            code = device_sample(&work->samples[command->analysis], cycles);
        value = nothing;
    }
    for (uint64_t bits = work->across[ACROSS_DISPATCH]; bits; bits &= bits - 1) {
        unsigned i = (unsigned)__builtin_ctzll(bits);

        results->summary[i] = device_statistics_of(work->samples[i].items, work->samples[i].count);
        work->samples[i].count = 0;
    }
    return code;
}

static status run_commands(struct device_work *work, struct device_chip_results *results)
{
    const struct marker_chip *chip = marker_chip_at(work->log, results->chip);
    struct commands commands = { .items = NULL };
    status code = STATUS_OK;

    for (size_t c = 0; c < chip->core_count && code == STATUS_OK; c++) {
        const struct marker_core *core = marker_core_at(work->log, chip->cores[c]);

        for (size_t i = 0; i < core->lane_count && code == STATUS_OK && results->ops.dispatch[chip->cores[c]]; i++)
            code = collect_commands(work, marker_lane_at(work->log, core->lanes[i]), &commands);
    }
    if (code == STATUS_OK)
        code = finish_commands(work, results, &commands);
    memory_free(commands.items);
    return code;
}

status device_analyze_ops(struct device_work *work, struct device_chip_results *results)
{
    struct op_work op = { .work = work, .results = results };
    status code = marker_ops_build(&results->ops, work->log, results->chip);

    assert(results->chip < work->log->chips.count);
    results->has_ops = true;
    choose_columns(&op, work->across[ACROSS_OPS]);
    need_markers(&op);
    if (code == STATUS_OK)
        code = run_ops(&op);
    return code == STATUS_OK ? run_commands(work, results) : code;
}
