/* op_times.c: the device columns of each op from the markers of a log.
 *
 * One pass over the lanes of a chip: every op keeps the earliest start and the latest end of each analysis. At equal times the
 * order of lanes and of markers decides, as it would in a sorted series. Where a marker that may be the first or the last was
 * lost, the value is not known. */
#include "tenstorrent/op_times.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "tenstorrent/marker_missing.h"

__extension__ typedef unsigned __int128 wide;

/* What is measured from the first marker of one kind to the last of another. X(name) */
#define SPAN_MAP(X) \
    X(FW) X(KERNEL) X(KERNEL_DM) X(FIRST_TO_LAST) X(BRISC) X(NCRISC) X(TRISC0) X(TRISC1) X(TRISC2) X(ERISC)

enum span_kind {
#define X(name) SPAN_##name,
    SPAN_MAP(X)
#undef X
        SPAN_COUNT
};

static const enum op_time span_column[SPAN_COUNT] = {
#define X(name) [SPAN_##name] = OP_TIME_##name,
    SPAN_MAP(X)
#undef X
};

/* What a kind of marker begins and ends, a bit for each span; and the sums and commands it belongs to. */
struct plan {
    uint32_t start, end; /* spans, a bit each */
    bool firmware;       /* its core works for the op */
    bool kernel;         /* it is a kernel's */
    int sum;             /* enum op_time; -1: no sum */
    int dispatch;        /* column of a command; -1: it is none */
};

struct span {
    int64_t start, end;              /* cycles */
    uint32_t start_order, end_order; /* NO_ID: not met */
};

/* What an op has met so far. */
struct state {
    struct span spans[SPAN_COUNT]; /* by enum span_kind */
    struct span on_core;           /* kernel of the core at hand */
    uint32_t core;                 /* that core; NO_ID: none yet */
    uint32_t firmware_core;        /* the last that was counted */
    uint32_t cores;                /* that worked for it */
    uint64_t durations;            /* cores with a kernel */
    int64_t least, most, total;    /* of them */
    int64_t sums[2];               /* cycles */
    bool summed[2];                /* which of these were met */
    int64_t sub_device;            /* OP_NONE: not told */
};

struct working {
    const struct marker_log *log;                  /* settled; borrowed */
    struct op_times_list *list;                    /* that is filled; borrowed */
    struct marker_ops ops;                         /* of the chip at hand; owned */
    struct plan *plans;                            /* by kind */
    uint32_t riscs[SPAN_COUNT][MARKER_NO_DEFAULT]; /* of the chip: RISCs whose markers a span needs, a bit each */
    struct state *states;                          /* by op */
    uint32_t order;                                /* of the marker at hand */
    string_id metadata;                            /* looked at last */
    int64_t sub_device;                            /* that it names */
};

static const struct span no_span = { 0, 0, NO_ID, NO_ID };

const char *op_time_column(enum op_time time)
{
    static const char *const columns[] = {
#define X(name, column) column,
        OP_TIME_MAP(X)
#undef X
    };

    assert(time < OP_TIME_COUNT);
    return columns[time];
}

/* ---- Lists ---- */

void op_times_free(struct op_times_list *list)
{
    memory_free(list->items);
    *list = (struct op_times_list){ .items = NULL };
}

struct op_times *op_times_add(struct op_times_list *list)
{
    struct op_times *item;

    if (memory_grow(&list->items, &list->capacity, list->count + 1, sizeof *list->items) != STATUS_OK)
        return NULL;
    item = &list->items[list->count++];
    *item = (struct op_times){ .call = OP_NONE,
                               .trace = OP_NONE,
                               .replay = OP_NONE,
                               .first = OP_NONE,
                               .cores = OP_NONE,
                               .worker_cores = OP_NONE,
                               .sub_device = OP_NONE,
                               .device = -1 };
    for (unsigned i = 0; i < OP_TIME_COUNT; i++)
        item->values[i] = OP_NONE;
    return item;
}

void op_times_fill(const struct op_times *times, struct op_row *row)
{
    row->device = times->device;
    row->call = times->call;
    row->architecture = times->architecture;
    row->cores = times->cores;
    row->worker_cores = times->worker_cores;
    row->firmware_start = times->values[OP_TIME_FW_START];
    row->firmware_end = times->values[OP_TIME_FW_END];
    row->firmware_duration = times->values[OP_TIME_FW];
    row->kernel_duration = times->values[OP_TIME_KERNEL];
    row->latency = times->values[OP_TIME_LATENCY];
    op_times_fill_cores(times, row);
}

void op_times_fill_cores(const struct op_times *times, struct op_row *row)
{
    row->core_longest = times->values[OP_TIME_CORE_MAX];
    row->core_mean = times->values[OP_TIME_CORE_AVERAGE];
    row->last_start = times->values[OP_TIME_FIRST_TO_LAST];
    row->waits = times->values[OP_TIME_WAIT_FRONT];
}

int64_t marker_log_ns(const struct marker_log *log, int64_t cycles, uint64_t parts)
{
    assert(parts > 0);
    wide divisor = (wide)log->clock_numerator * parts;
    wide dividend = (wide)(cycles < 0 ? 0 - (uint64_t)cycles : (uint64_t)cycles) * 1000, quotient, rest;

    /* A clock of many decimals, as a user may give it, makes the product too wide. */
    if (!divisor || __builtin_mul_overflow(dividend, (wide)log->clock_denominator, &dividend))
        return OP_NONE;
    quotient = dividend / divisor;
    rest = dividend % divisor * 2;
    if (rest > divisor || (rest == divisor && (quotient & 1)))
        quotient++;
    if (quotient > INT64_MAX)
        return OP_NONE;
    return cycles < 0 ? -(int64_t)quotient : (int64_t)quotient;
}

/* ---- Kinds ---- */

/* BRISC-FW of "-FW": one of the RISCs whose firmware and kernels count. */
static bool is_zone_of(const char *zone, const char *suffix, bool movement)
{
    static const char *const riscs[] = { "BRISC", "NCRISC", "ERISC", "TRISC", "TENSIX_RISC_AGG", "DM" };
    unsigned count = movement ? 3 : sizeof riscs / sizeof *riscs;

    for (unsigned i = 0; i < count; i++) {
        size_t length = strlen(riscs[i]);

        if (strncmp(zone, riscs[i], length) == 0 && strcmp(zone + length, suffix) == 0)
            return true;
    }
    return false;
}

static uint32_t spans_of_risc(const char *risc, const char *zone)
{
    static const struct {
        const char *risc, *zone;
        enum span_kind span;
    } known[] = {
        { "BRISC", "BRISC-KERNEL", SPAN_BRISC },    { "NCRISC", "NCRISC-KERNEL", SPAN_NCRISC },
        { "TRISC_0", "TRISC-KERNEL", SPAN_TRISC0 }, { "TRISC_1", "TRISC-KERNEL", SPAN_TRISC1 },
        { "TRISC_2", "TRISC-KERNEL", SPAN_TRISC2 }, { "ERISC", "ERISC-KERNEL", SPAN_ERISC },
    };

    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(risc, known[i].risc) == 0 && strcmp(zone, known[i].zone) == 0)
            return 1u << known[i].span;
    return 0;
}

static struct plan plan_kind(const struct marker_log *log, const struct marker_kind *kind)
{
    const char *zone = strings_text(log->strings, kind->zone), *risc = strings_text(log->strings, kind->risc);
    struct plan plan = { .firmware = strstr(zone, "FW") != NULL, .sum = -1, .dispatch = -1 };

    if (is_zone_of(zone, "-FW", false))
        plan.start = plan.end = 1u << SPAN_FW;
    if (is_zone_of(zone, "-KERNEL", false)) {
        plan.kernel = true;
        plan.start = 1u << SPAN_KERNEL | spans_of_risc(risc, zone);
        plan.end = plan.start | 1u << SPAN_KERNEL_DM;
        if (is_zone_of(zone, "-KERNEL", true))
            plan.start |= 1u << SPAN_KERNEL_DM;
        if (kind->phase == MARKER_START) {
            plan.start |= 1u << SPAN_FIRST_TO_LAST;
            plan.end |= 1u << SPAN_FIRST_TO_LAST;
        }
    }
    if (strcmp(risc, "TRISC_0") == 0 && strcmp(zone, "CB-COMPUTE-WAIT-FRONT") == 0)
        plan.sum = 0;
    if (strcmp(risc, "TRISC_2") == 0 && strcmp(zone, "CB-COMPUTE-RESERVE-BACK") == 0)
        plan.sum = 1;
    if (strcmp(risc, "BRISC") == 0 && strstr(zone, "CQ_DISPATCH_"))
        plan.dispatch = OP_TIME_DISPATCH;
    if (strcmp(risc, "NCRISC") == 0 && strcmp(zone, "CQ_DISPATCH_CMD_SEND_GO_SIGNAL") == 0)
        plan.dispatch = OP_TIME_DISPATCH_GO;
    return plan;
}

static status plan_kinds(struct working *working)
{
    size_t count = working->log->kinds.count;

    working->plans = memory_allocate((count + 1) * sizeof *working->plans);
    if (!working->plans)
        return status_no_memory("measuring ops");
    for (size_t i = 0; i < count; i++)
        working->plans[i] = plan_kind(working->log, marker_kind_at(working->log, i));
    return STATUS_OK;
}

static void need_marker(struct working *working, const struct marker_kind *kind)
{
    struct plan plan = plan_kind(working->log, kind);
    uint32_t risc = marker_ops_risc(&working->ops, kind->risc);

    for (uint32_t bits = plan.start | plan.end; bits; bits &= bits - 1)
        working->riscs[__builtin_ctz(bits)][kind->standard] |= risc;
}

/* Which markers each span rests on, those that the log lacks altogether as well. */
static void need_markers(struct working *working)
{
    memset(working->riscs, 0, sizeof working->riscs);
    for (size_t i = 0; i < working->log->kinds.count; i++) {
        const struct marker_kind *kind = marker_kind_at(working->log, i);
        struct marker_kind other;

        if (!marker_kind_is_standard(kind))
            continue;
        other = marker_kind_counterpart(kind);
        need_marker(working, kind);
        need_marker(working, &other);
    }
    for (unsigned i = SPAN_KERNEL; i <= SPAN_FIRST_TO_LAST; i++)
        marker_ops_any_kernel(&working->ops, working->riscs[i]);
}

/* ---- Markers ---- */

static void note_start(struct span *span, int64_t time, uint32_t order)
{
    if (span->start_order != NO_ID && time >= span->start)
        return;
    span->start = time;
    span->start_order = order;
}

static void note_end(struct span *span, int64_t time, uint32_t order)
{
    if (span->end_order != NO_ID && time < span->end)
        return;
    span->end = time;
    span->end_order = order;
}

/* The number behind a key in metadata, which is JSON with ';' or a Python dict. */
static bool metadata_number(const char *metadata, const char *key, int64_t *number)
{
    const char *at = strstr(metadata, key), *end = metadata + strlen(metadata);

    if (!at)
        return false;
    for (at += strlen(key); at < end && strchr("\"': ", *at); at++)
        continue;
    return number_read_integer(&at, end, number);
}

static bool measured(const struct span *span)
{
    return span->start_order != NO_ID && span->end_order != NO_ID &&
           (span->end > span->start || (span->end == span->start && span->end_order > span->start_order));
}

/* The core at hand is done: its kernel is one more of the op's. */
static void finish_core(struct state *state)
{
    if (measured(&state->on_core)) {
        int64_t cycles = state->on_core.end - state->on_core.start;

        state->least = state->durations && state->least < cycles ? state->least : cycles;
        state->most = state->durations && state->most > cycles ? state->most : cycles;
        state->total = number_add(state->total, cycles);
        state->durations++;
    }
    state->on_core = no_span;
}

static void look_at_metadata(struct working *working, struct state *state, const struct marker *marker)
{
    string_id metadata;

    if (!(marker->more & MARKER_MORE_EXTRA))
        return;
    metadata = marker_extra_of(working->log, marker).metadata;
    if (!metadata)
        return;
    if (metadata != working->metadata) {
        working->metadata = metadata;
        if (!metadata_number(strings_text(working->log->strings, metadata), "sub_device_id", &working->sub_device))
            working->sub_device = OP_NONE;
    }
    if (working->sub_device != OP_NONE)
        state->sub_device = working->sub_device;
}

static void take_marker(struct working *working, uint32_t core, uint32_t op, const struct marker *marker)
{
    const struct plan *plan = &working->plans[marker->kind];
    struct state *state = &working->states[op];

    look_at_metadata(working, state, marker);
    if (plan->firmware && state->firmware_core != core) {
        state->firmware_core = core;
        state->cores++;
    }
    for (uint32_t bits = plan->start; bits; bits &= bits - 1)
        note_start(&state->spans[__builtin_ctz(bits)], marker->time, working->order);
    for (uint32_t bits = plan->end; bits; bits &= bits - 1)
        note_end(&state->spans[__builtin_ctz(bits)], marker->time, working->order);
    if (plan->kernel) {
        if (state->core != core)
            finish_core(state);
        state->core = core;
        note_start(&state->on_core, marker->time, working->order);
        note_end(&state->on_core, marker->time, working->order);
    }
    if (plan->sum >= 0) {
        state->summed[plan->sum] = true;
        state->sums[plan->sum] = number_add(state->sums[plan->sum], marker_sum_of(working->log, marker));
    }
}

static void take_lane(struct working *working, uint32_t core, const struct marker_lane *lane)
{
    struct marker_ops_walk walk = { NO_ID };
    struct marker_cursor cursor;
    const struct marker *marker;

    marker_cursor_start(&cursor, &lane->markers);
    while ((marker = marker_cursor_next(&cursor))) {
        uint32_t op = marker_ops_next(&working->ops, &walk, marker);

        if (op != NO_ID)
            take_marker(working, core, op, marker);
        working->order += working->order < NO_ID - 1;
    }
}

/* ---- Ops ---- */

/* A first or a last time, unless one that is missing may be it: that of the span's first marker, or of its last. */
static int64_t bound(const struct working *working, const struct marker_op *op, const struct span *span,
                     enum span_kind kind, bool last)
{
    const uint32_t *needed = working->riscs[kind];
    enum marker_default firmware = last ? FIRMWARE_END : FIRMWARE_START, kernel = last ? KERNEL_END : KERNEL_START;

    if (!measured(span) || (op->lacks[firmware] & needed[firmware]) || (op->lacks[kernel] & needed[kernel]))
        return OP_NONE;
    return last ? span->end : span->start;
}

static void fill_spans(const struct working *working, const struct marker_op *op, const struct state *state,
                       struct op_times *times)
{
    static const struct {
        enum span_kind span;
        enum op_time start, end;
    } bounds[] = {
        { SPAN_FW, OP_TIME_FW_START, OP_TIME_FW_END },
        { SPAN_KERNEL, OP_TIME_KERNEL_START, OP_TIME_KERNEL_END },
        { SPAN_KERNEL_DM, OP_TIME_KERNEL_DM_START, OP_TIME_KERNEL_DM_END },
    };

    for (unsigned i = 0; i < SPAN_COUNT; i++) {
        const struct span *span = &state->spans[i];

        if (marker_op_lacks(op, working->riscs[i]))
            times->unknown++;
        else if (measured(span))
            times->values[span_column[i]] = marker_log_ns(working->log, span->end - span->start, 1);
    }
    for (unsigned i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        const struct span *span = &state->spans[bounds[i].span];

        times->values[bounds[i].start] = bound(working, op, span, bounds[i].span, false);
        times->values[bounds[i].end] = bound(working, op, span, bounds[i].span, true);
    }
}

/* Where the op before ended, on one device. */
struct op_before {
    bool any;    /* there was one with a kernel */
    int64_t end; /* cycles; OP_NONE: not known */
};

/* From the end of the op before to the start of this one; 0 for the first of the device. */
static void fill_latency(const struct working *working, const struct marker_op *op, struct op_times *times,
                         struct op_before before[2])
{
    static const struct {
        enum span_kind span;
        enum op_time latency, start, end;
    } columns[] = {
        { SPAN_KERNEL, OP_TIME_LATENCY, OP_TIME_KERNEL_START, OP_TIME_KERNEL_END },
        { SPAN_KERNEL_DM, OP_TIME_LATENCY_DM, OP_TIME_KERNEL_DM_START, OP_TIME_KERNEL_DM_END },
    };

    for (unsigned i = 0; i < 2; i++) {
        int64_t start = times->values[columns[i].start], end = times->values[columns[i].end];

        if (start == OP_NONE && end == OP_NONE && !marker_op_lacks(op, working->riscs[columns[i].span]))
            continue;
        if (start != OP_NONE && !before[i].any)
            times->values[columns[i].latency] = 0;
        else if (start != OP_NONE && before[i].end != OP_NONE)
            times->values[columns[i].latency] = marker_log_ns(working->log, start - before[i].end, 1);
        before[i] = (struct op_before){ true, end };
    }
}

static status add_op(struct working *working, uint32_t index, struct op_before before[2])
{
    const struct marker_log *log = working->log;
    const struct marker_op *op = &working->ops.ops[index];
    const struct marker_program *program = column_at(&log->programs, op->program);
    struct state *state = &working->states[index];
    struct op_times *times = op_times_add(working->list);

    if (!times)
        return status_no_memory("measuring ops");
    finish_core(state);
    times->device = (int32_t)marker_chip_at(log, working->ops.chip)->id;
    times->call = working->ops.unnamed ? (int64_t)working->list->count : program->host_id;
    times->trace = program->trace >= 0 ? program->trace : OP_NONE;
    times->replay = program->replay >= 0 ? program->replay : OP_NONE;
    times->repetition = op->repetition;
    times->first = op->first;
    times->cores = state->cores;
    times->worker_cores = log->compute_cores ? log->compute_cores : OP_NONE;
    times->sub_device = state->sub_device;
    times->architecture = log->arch;
    fill_spans(working, op, state, times);
    if (state->durations && !marker_op_lacks(op, working->riscs[SPAN_KERNEL])) {
        times->values[OP_TIME_CORE_MIN] = marker_log_ns(log, state->least, 1);
        times->values[OP_TIME_CORE_MAX] = marker_log_ns(log, state->most, 1);
        times->values[OP_TIME_CORE_AVERAGE] = marker_log_ns(log, state->total, state->durations);
    }
    for (unsigned i = 0; i < 2; i++)
        if (state->summed[i])
            times->values[i ? OP_TIME_RESERVE_BACK : OP_TIME_WAIT_FRONT] = marker_log_ns(log, state->sums[i], 1);
    fill_latency(working, op, times, before);
    return STATUS_OK;
}

/* ---- Commands of the queue ---- */

struct command {
    int64_t call;     /* op that it works for */
    struct span span; /* from its start to its end */
    int column;       /* of the list */
};

struct commands {
    struct command *items;  /* owned */
    size_t count, capacity; /* of items */
};

static status take_command(struct commands *commands, int64_t call, int column, int64_t time)
{
    status code = memory_grow(&commands->items, &commands->capacity, commands->count + 1, sizeof *commands->items);

    if (code != STATUS_OK)
        return code;
    commands->items[commands->count] = (struct command){ call, { time, time, 0, (uint32_t)commands->count }, column };
    commands->count++;
    return STATUS_OK;
}

/* The op of a zone is told by a marker inside it. */
static bool look_ahead(const struct marker_log *log, struct marker_cursor cursor, string_id zone, int64_t *call)
{
    enum { FARTHEST = 64 };
    const struct marker *marker;

    for (unsigned i = 0; i < FARTHEST && (marker = marker_cursor_next(&cursor)); i++) {
        const struct marker_kind *kind = marker_kind_at(log, marker->kind);
        string_id metadata = marker_extra_of(log, marker).metadata;

        if (metadata && metadata_number(strings_text(log->strings, metadata), "workers_runtime_id", call))
            return true;
        if (kind->zone == zone && kind->phase == MARKER_END)
            return false;
    }
    return false;
}

static status command_lane(struct working *working, const struct marker_lane *lane, struct commands *commands)
{
    const struct marker_log *log = working->log;
    struct marker_cursor cursor;
    const struct marker *marker;
    int64_t call = OP_NONE;
    status code = STATUS_OK;

    marker_cursor_start(&cursor, &lane->markers);
    while (code == STATUS_OK && (marker = marker_cursor_next(&cursor))) {
        const struct marker_kind *kind = marker_kind_at(log, marker->kind);
        string_id metadata = marker_extra_of(log, marker).metadata;

        if (metadata)
            metadata_number(strings_text(log->strings, metadata), "workers_runtime_id", &call);
        if (kind->phase == MARKER_START)
            look_ahead(log, cursor, kind->zone, &call);
        if (call != OP_NONE && working->plans[marker->kind].dispatch >= 0)
            code = take_command(commands, call, working->plans[marker->kind].dispatch, marker->time);
    }
    return code;
}

static int compare_commands(const void *one, const void *other)
{
    const struct command *a = one, *b = other;

    if (a->call != b->call)
        return a->call < b->call ? -1 : 1;
    if (a->column != b->column)
        return a->column < b->column ? -1 : 1;
    return (a->span.end_order > b->span.end_order) - (a->span.end_order < b->span.end_order);
}

/* One span per op and column: the first time of all to the last. */
static void merge_commands(struct commands *commands)
{
    size_t kept = 0;

    if (commands->count)
        qsort(commands->items, commands->count, sizeof *commands->items, compare_commands);
    for (size_t i = 0; i < commands->count; i++) {
        const struct command *next = &commands->items[i];
        struct command *last = kept ? &commands->items[kept - 1] : NULL;

        if (!last || last->call != next->call || last->column != next->column) {
            commands->items[kept++] = *next;
            continue;
        }
        if (next->span.start < last->span.start)
            last->span.start = next->span.start;
        if (next->span.end > last->span.end)
            last->span.end = next->span.end;
        last->span.start_order++;
    }
    commands->count = kept;
}

static void give_commands(struct working *working, const struct commands *commands, size_t first)
{
    for (size_t i = first; i < working->list->count; i++) {
        struct op_times *times = &working->list->items[i];
        size_t low = 0, high = commands->count;

        while (low < high) {
            size_t middle = low + (high - low) / 2;

            if (commands->items[middle].call < times->call)
                low = middle + 1;
            else
                high = middle;
        }
        for (; low < commands->count && commands->items[low].call == times->call; low++) {
            const struct command *command = &commands->items[low];

            if (command->span.start_order) /* two markers at least */
                times->values[command->column] =
                    marker_log_ns(working->log, command->span.end - command->span.start, 1);
        }
    }
}

static status add_commands(struct working *working, size_t first)
{
    const struct marker_chip *chip = marker_chip_at(working->log, working->ops.chip);
    struct commands commands = { .items = NULL };
    status code = STATUS_OK;

    for (size_t c = 0; c < chip->core_count && code == STATUS_OK; c++) {
        const struct marker_core *core = marker_core_at(working->log, chip->cores[c]);

        for (size_t i = 0; i < core->lane_count && code == STATUS_OK && working->ops.dispatch[chip->cores[c]]; i++)
            code = command_lane(working, marker_lane_at(working->log, core->lanes[i]), &commands);
    }
    if (code == STATUS_OK) {
        merge_commands(&commands);
        give_commands(working, &commands, first);
    }
    memory_free(commands.items);
    return code;
}

/* ---- Chips ---- */

static status make_states(struct working *working)
{
    working->states = memory_allocate_clear((working->ops.count + 1) * sizeof *working->states);
    if (!working->states)
        return status_no_memory("measuring ops");
    for (size_t i = 0; i < working->ops.count; i++) {
        struct state *state = &working->states[i];

        for (unsigned s = 0; s < SPAN_COUNT; s++)
            state->spans[s] = no_span;
        state->on_core = no_span;
        state->core = state->firmware_core = NO_ID;
        state->sub_device = OP_NONE;
    }
    return STATUS_OK;
}

static status measure_chip(struct working *working, uint32_t index)
{
    const struct marker_chip *chip = marker_chip_at(working->log, index);
    struct op_before before[2] = { { false, OP_NONE }, { false, OP_NONE } };
    size_t first = working->list->count;
    status code = marker_ops_build(&working->ops, working->log, index);

    working->order = 0;
    working->list->unnamed |= working->ops.unnamed;
    need_markers(working);
    if (code == STATUS_OK)
        code = make_states(working);
    for (size_t c = 0; c < chip->core_count && code == STATUS_OK; c++) {
        const struct marker_core *core = marker_core_at(working->log, chip->cores[c]);

        for (size_t i = 0; i < core->lane_count && !working->ops.dispatch[chip->cores[c]]; i++)
            take_lane(working, chip->cores[c], marker_lane_at(working->log, core->lanes[i]));
    }
    for (size_t i = 0; i < working->ops.count && code == STATUS_OK; i++)
        if (working->ops.ops[working->ops.by_start[i]].first != INT64_MAX)
            code = add_op(working, working->ops.by_start[i], before);
    if (code == STATUS_OK)
        code = add_commands(working, first);
    memory_free(working->states);
    working->states = NULL;
    marker_ops_free(&working->ops);
    return code;
}

status op_times_of_log(struct op_times_list *list, const struct marker_log *log)
{
    struct working working = { .log = log, .list = list };
    status code = plan_kinds(&working);

    assert(log->strings);
    for (uint32_t i = 0; i < log->chips.count && code == STATUS_OK; i++)
        code = measure_chip(&working, i);
    memory_free(working.plans);
    return code;
}
