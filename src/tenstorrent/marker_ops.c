/* marker_ops.c: finds the ops of a chip, and tells which op a marker belongs to. */
#include "tenstorrent/marker_ops.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"
#include "tenstorrent/marker_missing.h"

/* A master RISC that starts or ends its firmware. */
struct master_event {
    uint32_t program; /* of the log */
    uint32_t lane;    /* of the log */
    int64_t time;     /* cycles */
    uint32_t order;   /* among events of equal time */
    bool start;       /* else it ends */
};

struct master_events {
    struct master_event *items; /* owned */
    size_t count, capacity;     /* of items */
};

static bool is_text(const struct marker_log *log, string_id id, const char *text)
{
    return strcmp(strings_text(log->strings, id), text) == 0;
}

/* The RISC that leads a core: it starts first, and the others at its word. */
static bool is_master(const struct marker_log *log, string_id risc)
{
    return is_text(log, risc, "BRISC") || is_text(log, risc, "ERISC") || is_text(log, risc, "QUASAR_DM0") ||
           is_text(log, risc, "TENSIX_RISC_AGG");
}

/* Firmware of the lane itself, or of the trace that an aggregate lane shows. */
static bool is_firmware(const struct marker_log *log, const struct marker_kind *kind)
{
    return kind->standard == FIRMWARE_START || kind->standard == FIRMWARE_END || is_text(log, kind->zone, "TRACE-FW");
}

bool marker_core_dispatches(const struct marker_log *log, uint32_t core_index)
{
    const struct marker_core *core = marker_core_at(log, core_index);

    assert(core_index < log->cores.count);
    for (size_t i = 0; i < core->lane_count; i++) {
        const struct marker_lane *lane = marker_lane_at(log, core->lanes[i]);
        struct marker_cursor cursor;
        const struct marker *marker;
        uint32_t last = NO_ID;

        if (is_text(log, lane->risc, "ERISC"))
            continue;
        marker_cursor_start(&cursor, &lane->markers);
        while ((marker = marker_cursor_next(&cursor))) {
            const char *zone;

            if (marker->kind == last)
                continue;
            last = marker->kind;
            zone = strings_text(log->strings, marker_kind_at(log, last)->zone);
            if (strstr(zone, "CQ-DISPATCH") || strstr(zone, "CQ-PREFETCH"))
                return true;
        }
    }
    return false;
}

/* Whether any zone of the log is one of a command queue: most logs have none, and need no look at each core. */
static bool log_dispatches(const struct marker_log *log)
{
    for (size_t i = 0; i < log->kinds.count; i++) {
        const char *zone = strings_text(log->strings, marker_kind_at(log, i)->zone);

        if (strstr(zone, "CQ-DISPATCH") || strstr(zone, "CQ-PREFETCH"))
            return true;
    }
    return false;
}

static status collect_lane(struct marker_ops *ops, uint32_t lane, struct master_events *events)
{
    const struct marker_log *log = ops->log;
    struct marker_cursor cursor;
    const struct marker *marker;

    marker_cursor_start(&cursor, &marker_lane_at(log, lane)->markers);
    while ((marker = marker_cursor_next(&cursor))) {
        const struct marker_kind *kind = marker_kind_at(log, marker->kind);
        uint32_t program = marker_program_of(log, marker);
        status code;

        if ((kind->phase != MARKER_START && kind->phase != MARKER_END) || !is_firmware(log, kind) ||
            (!program && !ops->unnamed))
            continue;
        code = memory_grow(&events->items, &events->capacity, events->count + 1, sizeof *events->items);
        if (code != STATUS_OK)
            return code;
        events->items[events->count] =
            (struct master_event){ program, lane, marker->time, (uint32_t)events->count, kind->phase == MARKER_START };
        events->count++;
    }
    return STATUS_OK;
}

static int compare_events(const void *one, const void *other)
{
    const struct master_event *a = one, *b = other;

    if (a->program != b->program)
        return a->program < b->program ? -1 : 1;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

static status add_op(struct marker_ops *ops, uint32_t program, uint32_t repetition, int64_t begins)
{
    status code = memory_grow(&ops->ops, &ops->capacity, ops->count + 1, sizeof *ops->ops);

    if (code == STATUS_OK)
        ops->ops[ops->count++] = (struct marker_op){ program, repetition, begins, INT64_MAX, { 0 } };
    return code;
}

/* The ops of one program from its events, which are in order. `started` says of each lane in which op it started last. */
static status split_program(struct marker_ops *ops, const struct master_event *events, size_t count, uint32_t *started)
{
    uint32_t repetition = 0;
    size_t running = 0;
    status code = add_op(ops, events[0].program, 0, INT64_MIN);

    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        if (!events[i].start) {
            running -= running > 0;
            continue;
        }
        if (started[events[i].lane] == ops->count) {
            ops->overlapping += running > 0;
            running = 0;
            code = add_op(ops, events[i].program, ++repetition, events[i].time);
        }
        started[events[i].lane] = (uint32_t)ops->count;
        running++;
    }
    return code;
}

static status split_events(struct marker_ops *ops, const struct master_events *events)
{
    size_t programs = ops->log->programs.count, next = 0;
    uint32_t *started = memory_allocate_clear((ops->log->lanes.count + 1) * sizeof *started);
    status code = STATUS_OK;

    if (!started)
        return status_no_memory("splitting ops");
    for (uint32_t program = 0; program < programs && code == STATUS_OK; program++) {
        size_t first = next;

        ops->of_program[program] = (uint32_t)ops->count;
        while (next < events->count && events->items[next].program == program)
            next++;
        if (next > first)
            code = split_program(ops, events->items + first, next - first, started);
        else if (program) /* no master was logged: its markers are one op */
            code = add_op(ops, program, 0, INT64_MIN);
    }
    ops->of_program[programs] = (uint32_t)ops->count;
    memory_free(started);
    return code;
}

uint32_t marker_ops_next(const struct marker_ops *ops, struct marker_ops_walk *walk, const struct marker *marker)
{
    uint32_t program = marker_program_of(ops->log, marker);
    uint32_t low = ops->of_program[program], high = ops->of_program[program + 1];
    const struct marker_kind *kind;
    uint32_t found;

    assert(program < ops->log->programs.count || !program);
    assert(low <= high && high <= ops->count);
    if (low == high)
        return NO_ID;
    kind = marker_kind_at(ops->log, marker->kind);
    if (walk->open != NO_ID && kind->standard != FIRMWARE_START && walk->open >= low && walk->open < high) {
        found = walk->open;
        if (kind->standard == FIRMWARE_END)
            walk->open = NO_ID;
        return found;
    }
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;

        if (ops->ops[middle].begins <= marker->time)
            low = middle;
        else
            high = middle;
    }
    if (kind->standard == FIRMWARE_START)
        walk->open = low;
    return low;
}

/* ---- Starts, and what is missing ---- */

/* How much of each op is there. */
struct presence {
    uint32_t *markers; /* [(op * riscs + risc) * MARKER_NO_DEFAULT + enum marker_default]; owned */
    uint32_t *cores;   /* by op: that have markers of it; owned */
    uint32_t *core;    /* by op: the last that was counted; owned */
};

uint32_t marker_ops_risc(const struct marker_ops *ops, string_id risc)
{
    unsigned i = 0;

    while (i + 1 < ops->risc_count && ops->riscs[i] != risc)
        i++;
    return (uint32_t)1 << i;
}

bool marker_op_lacks(const struct marker_op *op, const uint32_t of[MARKER_NO_DEFAULT])
{
    for (unsigned i = FIRMWARE_START; i <= FIRMWARE_END; i++)
        if (op->lacks[i] & of[i])
            return true;
    return false;
}

void marker_ops_any_kernel(const struct marker_ops *ops, uint32_t of[MARKER_NO_DEFAULT])
{
    uint32_t firmware = 0;

    for (size_t i = 0; i < ops->log->kinds.count; i++) {
        const struct marker_kind *kind = marker_kind_at(ops->log, i);

        if (kind->standard == FIRMWARE_START || kind->standard == FIRMWARE_END)
            firmware |= marker_ops_risc(ops, kind->risc);
    }
    of[KERNEL_START] |= of[KERNEL_START] ? firmware : 0;
    of[KERNEL_END] |= of[KERNEL_END] ? firmware : 0;
}

static void list_riscs(struct marker_ops *ops)
{
    for (size_t i = 0; i < ops->log->lanes.count && ops->risc_count < MARKER_OPS_RISCS; i++) {
        string_id risc = marker_lane_at(ops->log, i)->risc;
        unsigned known = 0;

        while (known < ops->risc_count && ops->riscs[known] != risc)
            known++;
        if (known == ops->risc_count)
            ops->riscs[ops->risc_count++] = risc;
    }
}

static bool note_missing(struct marker_ops *ops, const struct marker_missing_walk *missing, uint32_t risc)
{
    for (unsigned i = 0; i < missing->count; i++)
        if (missing->found[i].op != NO_ID)
            ops->ops[missing->found[i].op].lacks[missing->found[i].standard] |= risc;
    return missing->count > 0;
}

/* Whether the lane lacks a marker. */
static bool look_at_lane(struct marker_ops *ops, uint32_t lane)
{
    uint32_t risc = marker_ops_risc(ops, marker_lane_at(ops->log, lane)->risc);
    struct marker_ops_walk walk = { NO_ID };
    struct marker_missing_walk missing;
    struct marker_cursor cursor;
    const struct marker *marker;
    bool lacks = false;

    marker_missing_start(&missing, ops->log, lane);
    marker_cursor_start(&cursor, &marker_lane_at(ops->log, lane)->markers);
    while ((marker = marker_cursor_next(&cursor))) {
        uint32_t op = marker_ops_next(ops, &walk, marker);

        if (op != NO_ID && marker->time < ops->ops[op].first)
            ops->ops[op].first = marker->time;
        marker_missing_step(&missing, marker, op);
        if (missing.count)
            lacks |= note_missing(ops, &missing, risc);
    }
    marker_missing_finish(&missing);
    return note_missing(ops, &missing, risc) || lacks;
}

/* Whether the chip lacks a marker. */
static bool look_at_chip(struct marker_ops *ops)
{
    const struct marker_chip *chip = marker_chip_at(ops->log, ops->chip);
    bool lacks = false;

    for (size_t c = 0; c < chip->core_count; c++) {
        const struct marker_core *core = marker_core_at(ops->log, chip->cores[c]);

        for (size_t i = 0; i < core->lane_count && !ops->dispatch[chip->cores[c]]; i++)
            lacks |= look_at_lane(ops, core->lanes[i]);
    }
    return lacks;
}

static void count_lane(const struct marker_ops *ops, const struct marker_lane *lane, struct presence *presence)
{
    size_t risc = (size_t)__builtin_ctz(marker_ops_risc(ops, lane->risc));
    struct marker_ops_walk walk = { NO_ID };
    struct marker_cursor cursor;
    const struct marker *marker;

    marker_cursor_start(&cursor, &lane->markers);
    while ((marker = marker_cursor_next(&cursor))) {
        uint32_t op = marker_ops_next(ops, &walk, marker);
        const struct marker_kind *kind = marker_kind_at(ops->log, marker->kind);

        if (op == NO_ID)
            continue;
        presence->cores[op] += presence->core[op] != lane->core;
        presence->core[op] = lane->core;
        if (marker_kind_is_standard(kind))
            presence->markers[(op * ops->risc_count + risc) * MARKER_NO_DEFAULT + kind->standard]++;
    }
}

/* The RISCs that log firmware, and those that log kernels. */
static void usual_markers(const struct marker_ops *ops, uint32_t usual[MARKER_NO_DEFAULT])
{
    for (size_t i = 0; i < ops->log->kinds.count; i++) {
        const struct marker_kind *kind = marker_kind_at(ops->log, i);

        if (marker_kind_is_standard(kind)) {
            usual[kind->standard] |= marker_ops_risc(ops, kind->risc);
            usual[marker_kind_counterpart(kind).standard] |= marker_ops_risc(ops, kind->risc);
        }
    }
}

/* An op that lacks markers may lack others of which nothing is left. */
static void doubt_op(struct marker_ops *ops, size_t index, const struct presence *presence,
                     const uint32_t usual[MARKER_NO_DEFAULT])
{
    struct marker_op *op = &ops->ops[index];
    /* The kernel of a firmware that was cut off may never have been logged. */
    uint32_t cut = op->lacks[FIRMWARE_START] | op->lacks[FIRMWARE_END];

    if (!(cut | op->lacks[KERNEL_START] | op->lacks[KERNEL_END]))
        return;
    for (unsigned risc = 0; risc < ops->risc_count; risc++) {
        const uint32_t *markers = presence->markers + (index * ops->risc_count + risc) * MARKER_NO_DEFAULT;

        for (unsigned standard = FIRMWARE_START; standard <= FIRMWARE_END; standard++) {
            bool kernel = standard == KERNEL_START || standard == KERNEL_END;

            if (markers[standard] < presence->cores[index])
                op->lacks[standard] |= (usual[standard] | (kernel ? cut : 0)) & (uint32_t)1 << risc;
        }
    }
}

static void doubt_ops(struct marker_ops *ops, const struct presence *presence)
{
    uint32_t usual[MARKER_NO_DEFAULT] = { 0 };

    usual_markers(ops, usual);
    for (size_t i = 0; i < ops->count; i++)
        doubt_op(ops, i, presence, usual);
}

static status doubt_chip(struct marker_ops *ops)
{
    const struct marker_chip *chip = marker_chip_at(ops->log, ops->chip);
    size_t room = ops->count * ops->risc_count * MARKER_NO_DEFAULT + 1;
    struct presence presence = {
        .markers = memory_allocate_clear(room * sizeof *presence.markers),
        .cores = memory_allocate_clear((ops->count + 1) * sizeof *presence.cores),
        .core = memory_allocate((ops->count + 1) * sizeof *presence.core),
    };
    bool made = presence.markers && presence.cores && presence.core;

    for (size_t i = 0; i < ops->count && made; i++)
        presence.core[i] = NO_ID;
    for (size_t c = 0; c < chip->core_count && made; c++) {
        const struct marker_core *core = marker_core_at(ops->log, chip->cores[c]);

        for (size_t i = 0; i < core->lane_count && !ops->dispatch[chip->cores[c]]; i++)
            count_lane(ops, marker_lane_at(ops->log, core->lanes[i]), &presence);
    }
    if (made)
        doubt_ops(ops, &presence);
    memory_free(presence.markers);
    memory_free(presence.cores);
    memory_free(presence.core);
    return made ? STATUS_OK : status_no_memory("looking for lost markers");
}

/* ---- Ops by their starts ---- */

static int compare_starts(const void *one, const void *other, void *context)
{
    const struct marker_op *ops = context;
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;

    if (ops[a].first != ops[b].first)
        return ops[a].first < ops[b].first ? -1 : 1;
    return (a > b) - (a < b);
}

static status order_ops(struct marker_ops *ops)
{
    ops->by_start = memory_allocate((ops->count + 1) * sizeof *ops->by_start);
    if (!ops->by_start)
        return status_no_memory("ordering ops");
    for (uint32_t i = 0; i < ops->count; i++)
        ops->by_start[i] = i;
    qsort_r(ops->by_start, ops->count, sizeof *ops->by_start, compare_starts, ops->ops);
    return STATUS_OK;
}

static status collect_events(struct marker_ops *ops, struct master_events *events)
{
    const struct marker_log *log = ops->log;
    const struct marker_chip *chip = marker_chip_at(log, ops->chip);
    bool queue = log_dispatches(log);
    status code = STATUS_OK;

    for (size_t c = 0; c < chip->core_count; c++) {
        const struct marker_core *core = marker_core_at(log, chip->cores[c]);

        ops->dispatch[chip->cores[c]] = queue && marker_core_dispatches(log, chip->cores[c]);
        for (size_t i = 0; i < core->lane_count && code == STATUS_OK && !ops->dispatch[chip->cores[c]]; i++) {
            const struct marker_lane *lane = marker_lane_at(log, core->lanes[i]);

            if (is_master(log, lane->risc))
                code = collect_lane(ops, core->lanes[i], events);
        }
    }
    return code;
}

status marker_ops_build(struct marker_ops *ops, const struct marker_log *log, uint32_t chip)
{
    struct master_events events = { .items = NULL };
    status code = STATUS_OK;

    assert(chip < log->chips.count);
    *ops = (struct marker_ops){ .log = log, .chip = chip, .unnamed = log->programs.count <= 1 };
    ops->of_program = memory_allocate_clear((log->programs.count + 1) * sizeof *ops->of_program);
    ops->dispatch = memory_allocate_clear((log->cores.count + 1) * sizeof *ops->dispatch);
    if (!ops->of_program || !ops->dispatch)
        code = status_no_memory("splitting ops");
    if (code == STATUS_OK)
        code = collect_events(ops, &events);
    if (code == STATUS_OK && events.count)
        qsort(events.items, events.count, sizeof *events.items, compare_events);
    if (code == STATUS_OK)
        code = split_events(ops, &events);
    memory_free(events.items);
    list_riscs(ops);
    if (code == STATUS_OK && look_at_chip(ops))
        code = doubt_chip(ops);
    return code == STATUS_OK ? order_ops(ops) : code;
}

void marker_ops_free(struct marker_ops *ops)
{
    memory_free(ops->ops);
    memory_free(ops->of_program);
    memory_free(ops->by_start);
    memory_free(ops->dispatch);
    *ops = (struct marker_ops){ .log = NULL };
}

/* ---- Spans ---- */

static void widen(struct marker_op_span *span, int64_t time, bool firmware)
{
    if (span->firmware && !firmware)
        return;
    if (firmware && !span->firmware)
        *span = (struct marker_op_span){ INT64_MAX, INT64_MIN, true, span->whole };
    if (time < span->first)
        span->first = time;
    if (time > span->last)
        span->last = time;
}

static void span_lane(const struct marker_ops *ops, const struct marker_lane *lane, struct marker_op_span *spans)
{
    struct marker_ops_walk walk = { NO_ID };
    struct marker_cursor cursor;
    const struct marker *marker;

    marker_cursor_start(&cursor, &lane->markers);
    while ((marker = marker_cursor_next(&cursor))) {
        uint32_t op = marker_ops_next(ops, &walk, marker);
        uint8_t standard = marker_kind_at(ops->log, marker->kind)->standard;

        if (op != NO_ID)
            widen(&spans[op], marker->time, standard == FIRMWARE_START || standard == FIRMWARE_END);
    }
}

void marker_ops_spans(const struct marker_ops *ops, struct marker_op_span *spans)
{
    const struct marker_chip *chip = marker_chip_at(ops->log, ops->chip);

    assert(ops->log && "ops are built before their spans are asked for");
    for (size_t i = 0; i < ops->count; i++)
        spans[i] = (struct marker_op_span){ INT64_MAX, INT64_MIN, false,
                                            !ops->ops[i].lacks[FIRMWARE_START] && !ops->ops[i].lacks[FIRMWARE_END] };
    for (size_t c = 0; c < chip->core_count; c++) {
        const struct marker_core *core = marker_core_at(ops->log, chip->cores[c]);

        for (size_t i = 0; i < core->lane_count && !ops->dispatch[chip->cores[c]]; i++)
            span_lane(ops, marker_lane_at(ops->log, core->lanes[i]), spans);
    }
    for (size_t i = 0; i < ops->count; i++)
        if (!spans[i].firmware && (ops->ops[i].lacks[KERNEL_START] || ops->ops[i].lacks[KERNEL_END]))
            spans[i].whole = false;
}
