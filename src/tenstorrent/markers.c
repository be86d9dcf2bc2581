/* markers.c: fills a device log, settles it, and walks over its markers. */
#include "tenstorrent/markers.h"

#include <assert.h>

#include "base/memory.h"

struct phase_row {
    const char *type;  /* as the log prints it */
    const char *phase; /* which end of a zone that is */
};

static const struct phase_row phase_rows[] = {
#define X(name, type, phase) { type, phase },
    MARKER_PHASE_MAP(X)
#undef X
};

const char *marker_phase_type(enum marker_phase phase)
{
    assert(phase < MARKER_PHASE_COUNT);
    return phase_rows[phase].type;
}

bool marker_phase_read(struct text text, enum marker_phase *phase)
{
    for (unsigned i = 0; i < MARKER_PHASE_COUNT; i++) {
        if (text_is(text, phase_rows[i].type) || text_is(text, phase_rows[i].phase)) {
            *phase = (enum marker_phase)i;
            return true;
        }
    }
    return false;
}

/* ---- Tables ---- */

void marker_log_start(struct marker_log *log, struct strings *strings)
{
    *log = (struct marker_log){ .strings = strings, .clock_numerator = 1, .clock_denominator = 1 };
    column_start(&log->chips, sizeof(struct marker_chip));
    column_start(&log->cores, sizeof(struct marker_core));
    column_start(&log->lanes, sizeof(struct marker_lane));
    column_start(&log->kinds, sizeof(struct marker_kind));
    column_start(&log->programs, sizeof(struct marker_program));
    column_start(&log->extras, sizeof(struct marker_extra));
    number_map_start(&log->by_place);
    number_map_start(&log->by_core);
    number_map_start(&log->by_program);
}

void marker_log_free(struct marker_log *log)
{
    for (size_t i = 0; i < log->lanes.count; i++) {
        column_free(&marker_lane_at(log, i)->markers);
        column_free(&marker_lane_at(log, i)->totals);
    }
    for (size_t i = 0; i < log->cores.count; i++)
        memory_free(marker_core_at(log, i)->lanes);
    for (size_t i = 0; i < log->chips.count; i++)
        memory_free(marker_chip_at(log, i)->cores);
    column_free(&log->chips);
    column_free(&log->cores);
    column_free(&log->lanes);
    column_free(&log->kinds);
    column_free(&log->programs);
    column_free(&log->extras);
    number_map_free(&log->by_place);
    number_map_free(&log->by_core);
    number_map_free(&log->by_program);
    map_free(&log->by_kind);
    marker_log_start(log, log->strings);
}

static status no_memory(void)
{
    return status_no_memory("keeping markers");
}

/* ---- Lanes ---- */

static status append_id(uint32_t **ids, size_t *count, size_t *capacity, uint32_t id)
{
    status code = memory_grow(ids, capacity, *count + 1, sizeof **ids);

    if (code == STATUS_OK)
        (*ids)[(*count)++] = id;
    return code;
}

static status find_chip(struct marker_log *log, int64_t id, uint32_t *chip)
{
    struct marker_chip *made;

    for (*chip = 0; *chip < log->chips.count; ++*chip)
        if (marker_chip_at(log, *chip)->id == id)
            return STATUS_OK;
    made = column_append(&log->chips);
    if (!made)
        return no_memory();
    *made = (struct marker_chip){ .id = id, .t0_core = NO_ID };
    return STATUS_OK;
}

static status make_core(struct marker_log *log, int64_t chip_id, int32_t x, int32_t y, uint32_t *id)
{
    uint32_t chip_index;
    struct marker_chip *chip;
    struct marker_core *made;
    status code = find_chip(log, chip_id, &chip_index);

    if (code != STATUS_OK)
        return code;
    made = column_append(&log->cores);
    if (!made)
        return no_memory();
    *id = (uint32_t)(log->cores.count - 1);
    *made = (struct marker_core){ .chip = chip_index, .x = x, .y = y };
    chip = marker_chip_at(log, chip_index);
    return append_id(&chip->cores, &chip->core_count, &chip->core_capacity, *id);
}

static status make_lane(struct marker_log *log, uint32_t core_index, string_id risc, uint32_t *id)
{
    struct marker_core *core;
    struct marker_lane *lane = column_append(&log->lanes);

    if (!lane)
        return no_memory();
    *id = (uint32_t)(log->lanes.count - 1);
    *lane = (struct marker_lane){ .core = core_index, .risc = risc };
    column_start(&lane->markers, sizeof(struct marker));
    column_start(&lane->totals, sizeof(struct marker));
    core = marker_core_at(log, core_index);
    return append_id(&core->lanes, &core->lane_count, &core->lane_capacity, *id);
}

status marker_log_lane(struct marker_log *log, int64_t chip, int32_t x, int32_t y, string_id risc, uint32_t *lane)
{
    uint32_t *core = number_map_at(&log->by_place, (uint64_t)chip, (uint64_t)(uint32_t)x << 32 | (uint32_t)y), *found;
    status code = core ? STATUS_OK : no_memory();

    if (code == STATUS_OK && *core == MAP_NONE)
        code = make_core(log, chip, x, y, core);
    if (code != STATUS_OK)
        return code;
    found = number_map_at(&log->by_core, *core, risc);
    if (!found)
        return no_memory();
    if (*found == MAP_NONE)
        code = make_lane(log, *core, risc, found);
    *lane = *found;
    assert(code != STATUS_OK || *lane < log->lanes.count);
    return code;
}

/* ---- Kinds and programs ---- */

static uint64_t hash_kind(const struct marker_kind *kind)
{
    uint64_t hash = map_mix(kind->timer_id, (uint64_t)kind->risc << 32 | kind->zone);

    return map_mix(map_mix(hash, (uint64_t)kind->file << 32 | kind->line), (uint64_t)kind->phase << 8 | kind->numbered);
}

static bool same_kind(const struct marker_kind *one, const struct marker_kind *other)
{
    return one->timer_id == other->timer_id && one->phase == other->phase && one->numbered == other->numbered &&
           one->risc == other->risc && one->zone == other->zone && one->file == other->file && one->line == other->line;
}

status marker_log_kind(struct marker_log *log, const struct marker_kind *kind, uint32_t *id)
{
    uint64_t hash = hash_kind(kind);
    struct marker_kind *made;
    size_t cursor;

    assert(kind->phase < MARKER_PHASE_COUNT);
    for (*id = map_first(&log->by_kind, hash, &cursor); *id != MAP_NONE; *id = map_next(&log->by_kind, hash, &cursor))
        if (same_kind(marker_kind_at(log, *id), kind))
            return STATUS_OK;
    made = column_append(&log->kinds);
    if (!made)
        return no_memory();
    *made = *kind;
    *id = (uint32_t)(log->kinds.count - 1);
    return map_add(&log->by_kind, hash, *id);
}

status marker_log_program(struct marker_log *log, const struct marker_program *program, uint32_t *id)
{
    struct marker_program *made;
    uint32_t *found;

    if (!log->programs.count) {
        made = column_append(&log->programs);
        if (!made)
            return no_memory();
        *made = (struct marker_program){ 0, -1, -1 };
    }
    *id = 0;
    if (!program->host_id)
        return STATUS_OK;
    found = number_map_at(&log->by_program, program->host_id,
                          (uint64_t)(uint32_t)program->trace << 32 | (uint32_t)program->replay);
    if (!found)
        return no_memory();
    if (*found == MAP_NONE) {
        made = column_append(&log->programs);
        if (!made)
            return no_memory();
        *made = *program;
        *found = (uint32_t)(log->programs.count - 1);
    }
    *id = *found;
    return *id < MARKER_MORE_EXTRA ? STATUS_OK : status_fail(STATUS_INPUT, "more programs than can be kept");
}

status marker_log_extra(struct marker_log *log, const struct marker_extra *extra, uint32_t *more)
{
    struct marker_extra *made = column_append(&log->extras);

    if (!made)
        return no_memory();
    *made = *extra;
    if (log->extras.count > MARKER_MORE_EXTRA - 1)
        return status_fail(STATUS_INPUT, "more markers with data than can be kept");
    *more = (uint32_t)(log->extras.count - 1) | MARKER_MORE_EXTRA;
    return STATUS_OK;
}

struct marker_extra marker_extra_of(const struct marker_log *log, const struct marker *marker)
{
    if (marker->more & MARKER_MORE_EXTRA)
        return *(struct marker_extra *)column_at(&log->extras, marker->more & ~MARKER_MORE_EXTRA);
    return (struct marker_extra){ .program = marker->more };
}

int64_t marker_sum_of(const struct marker_log *log, const struct marker *marker)
{
    uint64_t data;

    if (marker_kind_at(log, marker->kind)->numbered)
        return marker->time;
    data = marker_extra_of(log, marker).data;
    return data > INT64_MAX ? INT64_MAX : (int64_t)data;
}

status marker_lane_add_total(struct marker_lane *lane, const struct marker *marker)
{
    struct marker *made = column_append(&lane->totals);

    if (!made)
        return no_memory();
    *made = *marker;
    return STATUS_OK;
}

status marker_lane_grow(struct marker_lane *lane)
{
    size_t place = lane->markers.count;

    assert(lane->next == lane->end);
    lane->next = column_append(&lane->markers);
    if (!lane->next) {
        lane->end = NULL;
        return no_memory();
    }
    lane->end = lane->next + place +
                ((size_t)1 << COLUMN_FIRST_BITS); /* chunk k begins at element 64 * (2^k - 1) and has 64 << k */
    return STATUS_OK;
}

/* ---- Settling ---- */

/* Stable: runs of two, four, eight ... are merged from one array into the other. */
static struct marker *sort_markers(struct marker *from, struct marker *to, size_t count)
{
    for (size_t run = 1; run < count; run *= 2) {
        struct marker *swapped = from;

        for (size_t start = 0; start < count; start += 2 * run) {
            size_t middle = start + run < count ? start + run : count;
            size_t end = middle + run < count ? middle + run : count;
            size_t left = start, right = middle;

            for (size_t i = start; i < end; i++)
                to[i] = right == end || (left < middle && from[left].time <= from[right].time) ? from[left++]
                                                                                               : from[right++];
        }
        from = to;
        to = swapped;
    }
    return from;
}

static status sort_lane(struct marker_lane *lane)
{
    size_t count = lane->markers.count;
    struct marker *scratch =
        count <= SIZE_MAX / 2 / sizeof *scratch ? memory_allocate(2 * count * sizeof *scratch) : NULL;
    struct marker_cursor cursor;
    struct marker *sorted;

    if (!scratch)
        return no_memory();
    marker_cursor_start(&cursor, &lane->markers);
    for (size_t i = 0; i < count; i++)
        scratch[i] = *marker_cursor_next(&cursor);
    sorted = sort_markers(scratch, scratch + count, count);
    for (size_t i = 0; i < count; i++)
        *(struct marker *)column_at(&lane->markers, i) = sorted[i];
    memory_free(scratch);
    lane->unsorted = false;
    return STATUS_OK;
}

static status settle_lane(struct marker_log *log, struct marker_chip *chip, struct marker_lane *lane)
{
    struct marker_kind t0 = { .standard = MARKER_T0, .numbered = true, .risc = lane->risc };
    status code = lane->unsorted ? sort_lane(lane) : STATUS_OK;
    int64_t first;

    if (code == STATUS_OK)
        code = marker_log_kind(log, &t0, &lane->t0_kind);
    chip->markers += lane->markers.count + lane->totals.count;
    if (code != STATUS_OK || !lane->markers.count)
        return code;
    first = ((struct marker *)column_at(&lane->markers, 0))->time;
    if (chip->t0_core == NO_ID || first < chip->t0) {
        chip->t0 = first;
        chip->t0_core = lane->core;
        chip->t0_risc = lane->risc;
    }
    return STATUS_OK;
}

status marker_log_settle(struct marker_log *log)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < log->chips.count; i++) {
        struct marker_chip *chip = marker_chip_at(log, i);
        uint32_t rank = 0;

        for (size_t k = 0; k < chip->core_count; k++) {
            const struct marker_core *core = marker_core_at(log, chip->cores[k]);

            for (size_t l = 0; l < core->lane_count && code == STATUS_OK; l++) {
                struct marker_lane *lane = marker_lane_at(log, core->lanes[l]);

                lane->rank = rank++;
                code = settle_lane(log, chip, lane);
            }
        }
    }
    return code;
}

/* ---- Reading ---- */

void marker_cursor_start(struct marker_cursor *cursor, const struct column *column)
{
    *cursor = (struct marker_cursor){ .column = column };
}

bool marker_cursor_chunk(struct marker_cursor *cursor)
{
    const struct column *column = cursor->column;
    size_t room;

    if (cursor->given == column->count)
        return false;
    room = cursor->given + ((size_t)1 << COLUMN_FIRST_BITS); /* as in marker_lane_grow */
    if (room > column->count - cursor->given)
        room = column->count - cursor->given;
    cursor->next = column_at(column, cursor->given);
    cursor->end = cursor->next + room;
    cursor->given += room;
    return true;
}

void marker_merge_start(struct marker_merge *merge)
{
    *merge = (struct marker_merge){ .lanes = NULL };
}

void marker_merge_free(struct marker_merge *merge)
{
    memory_free(merge->lanes);
    memory_free(merge->heap);
    marker_merge_start(merge);
}

static bool comes_before(const struct marker_merge_lane *one, const struct marker_merge_lane *other)
{
    return one->time < other->time || (one->time == other->time && one->order < other->order);
}

/* The heap's entry at `at` may be larger than those below it: lets it sink. */
static void sink_down(struct marker_merge *merge, size_t at)
{
    uint32_t moving = merge->heap[at];

    for (size_t child; (child = 2 * at + 1) < merge->count; at = child) {
        if (child + 1 < merge->count &&
            comes_before(&merge->lanes[merge->heap[child + 1]], &merge->lanes[merge->heap[child]]))
            child++;
        if (comes_before(&merge->lanes[moving], &merge->lanes[merge->heap[child]]))
            break;
        merge->heap[at] = merge->heap[child];
        merge->heap[child] = moving;
    }
}

status marker_merge_begin(struct marker_merge *merge, const struct marker_log *log, const uint32_t *lanes, size_t count,
                          bool t0)
{
    size_t heap_capacity = merge->capacity;
    status code = memory_grow(&merge->heap, &heap_capacity, count, sizeof *merge->heap);

    assert(lanes || !count);
    if (code == STATUS_OK)
        code = memory_grow(&merge->lanes, &merge->capacity, count, sizeof *merge->lanes);
    merge->capacity = heap_capacity < merge->capacity ? heap_capacity : merge->capacity;
    merge->count = 0;
    merge->given = false;
    if (code != STATUS_OK)
        return code;
    for (size_t i = 0; i < count; i++) {
        const struct marker_lane *lane = marker_lane_at(log, lanes[i]);
        struct marker_merge_lane *entry = &merge->lanes[merge->count];

        *entry = (struct marker_merge_lane){ .order = (uint32_t)i, .lane = lanes[i] };
        marker_cursor_start(&entry->cursor, &lane->markers);
        entry->t0 = (struct marker){ marker_chip_at(log, marker_core_at(log, lane->core)->chip)->t0, lane->t0_kind, 0 };
        entry->marker = t0 && lane->markers.count ? &entry->t0 : marker_cursor_next(&entry->cursor);
        if (!entry->marker)
            continue;
        entry->time = entry->marker->time;
        merge->heap[merge->count] = (uint32_t)merge->count;
        merge->count++;
    }
    for (size_t i = merge->count / 2; i-- > 0;)
        sink_down(merge, i);
    return STATUS_OK;
}

const struct marker *marker_merge_next(struct marker_merge *merge, uint32_t *lane)
{
    struct marker_merge_lane *first;

    assert(merge->count <= merge->capacity);
    if (merge->given && merge->count) {
        first = &merge->lanes[merge->heap[0]];
        first->marker = marker_cursor_next(&first->cursor);
        if (first->marker)
            first->time = first->marker->time;
        else
            merge->heap[0] = merge->heap[--merge->count];
        sink_down(merge, 0);
    }
    if (!merge->count)
        return NULL;
    merge->given = true;
    first = &merge->lanes[merge->heap[0]];
    *lane = first->lane;
    return first->marker;
}

int64_t marker_log_smallest(const struct marker_log *log)
{
    int64_t smallest = INT64_MAX;

    for (size_t i = 0; i < log->lanes.count; i++) {
        struct marker_cursor cursor;
        const struct marker *marker;

        marker_cursor_start(&cursor, &marker_lane_at(log, i)->markers);
        while ((marker = marker_cursor_next(&cursor)))
            smallest = marker->time < smallest ? marker->time : smallest;
    }
    return smallest;
}

/* ---- Another log's markers ---- */

/* Ids of another log as ids of this one. */
struct translation {
    uint32_t *kinds;    /* by kind of the other log; owned */
    uint32_t *programs; /* by program of the other log; owned */
};

static status translate_tables(struct marker_log *log, const struct marker_log *other, uint32_t host_id,
                               struct translation *to)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < other->kinds.count && code == STATUS_OK; i++)
        code = marker_log_kind(log, marker_kind_at(other, i), &to->kinds[i]);
    for (size_t i = 0; i < other->programs.count && code == STATUS_OK; i++) {
        struct marker_program program = *(struct marker_program *)column_at(&other->programs, i);

        program.host_id = host_id;
        code = marker_log_program(log, &program, &to->programs[i]);
    }
    return code;
}

static status append_column(struct marker_log *log, struct marker_lane *lane, const struct marker_log *other,
                            const struct column *column, bool totals, const struct translation *to)
{
    struct marker_cursor cursor;
    const struct marker *marker;
    status code = STATUS_OK;

    marker_cursor_start(&cursor, column);
    while (code == STATUS_OK && (marker = marker_cursor_next(&cursor))) {
        struct marker added = { marker->time, to->kinds[marker->kind], 0 };

        if (marker->more & MARKER_MORE_EXTRA) {
            struct marker_extra extra = marker_extra_of(other, marker);

            extra.program = to->programs[extra.program];
            code = marker_log_extra(log, &extra, &added.more);
        } else {
            added.more = to->programs[marker->more];
        }
        if (code == STATUS_OK)
            code = totals ? marker_lane_add_total(lane, &added) : marker_lane_add(lane, &added);
    }
    return code;
}

static status append_lanes(struct marker_log *log, const struct marker_log *other, const struct translation *to)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < other->lanes.count && code == STATUS_OK; i++) {
        const struct marker_lane *from = marker_lane_at(other, i);
        const struct marker_core *core = marker_core_at(other, from->core);
        struct marker_lane *lane;
        uint32_t id;

        if (!from->markers.count && !from->totals.count)
            continue;
        code = marker_log_lane(log, marker_chip_at(other, core->chip)->id, core->x, core->y, from->risc, &id);
        if (code != STATUS_OK)
            break;
        lane = marker_lane_at(log, id);
        code = append_column(log, lane, other, &from->markers, false, to);
        if (code == STATUS_OK)
            code = append_column(log, lane, other, &from->totals, true, to);
    }
    return code;
}

status marker_log_append(struct marker_log *log, const struct marker_log *other, uint32_t host_id)
{
    struct translation to = {
        .kinds = memory_allocate((other->kinds.count + 1) * sizeof *to.kinds),
        .programs = memory_allocate_clear((other->programs.count + 1) * sizeof *to.programs),
    };
    status code =
        to.kinds && to.programs ? translate_tables(log, other, host_id, &to) : status_no_memory("keeping markers");

    assert(log != other && log->strings == other->strings);
    assert(log != other && log->strings == other->strings && "ids are those of one pool");
    if (code == STATUS_OK)
        code = append_lanes(log, other, &to);
    memory_free(to.kinds);
    memory_free(to.programs);
    log->numbered |= other->numbered;
    log->zoned |= other->zoned;
    log->dropped += other->dropped;
    log->notices += other->notices;
    losses_join(&log->losses, &other->losses);
    return code;
}
