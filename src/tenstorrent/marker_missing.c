/* marker_missing.c: walks along a lane, and tells which markers of firmware and kernels are not there. */
#include "tenstorrent/marker_missing.h"

static bool logs_firmware(const struct marker_log *log, string_id risc)
{
    for (size_t i = 0; i < log->kinds.count; i++) {
        const struct marker_kind *kind = marker_kind_at(log, i);

        if (kind->risc == risc && (kind->standard == FIRMWARE_START || kind->standard == FIRMWARE_END))
            return true;
    }
    return false;
}

void marker_missing_start(struct marker_missing_walk *walk, const struct marker_log *log, uint32_t lane)
{
    assert(lane < log->lanes.count);
    *walk = (struct marker_missing_walk){ .log = log, .op = NO_ID, .program = NO_ID, .last = INT64_MIN };
    walk->has_firmware = logs_firmware(log, marker_lane_at(log, lane)->risc);
}

static void tell(struct marker_missing_walk *walk, enum marker_default standard, uint32_t op, int64_t after,
                 int64_t before)
{
    assert(walk->count < MARKER_MISSING_MOST);
    walk->found[walk->count++] = (struct marker_missing){ (uint8_t)standard, op, after, before };
}

static void end_kernel(struct marker_missing_walk *walk, int64_t time)
{
    if (walk->kernel)
        tell(walk, KERNEL_END, walk->op, walk->last, time);
    walk->kernel = false;
}

/* What is open when something new begins at `time` has no end. */
static void leave(struct marker_missing_walk *walk, int64_t time)
{
    end_kernel(walk, time);
    if (walk->bare)
        tell(walk, FIRMWARE_START, walk->op, walk->bare_after, walk->bare_first);
    if (walk->bare || walk->firmware)
        tell(walk, FIRMWARE_END, walk->op, walk->last, time);
    walk->firmware = walk->seen = walk->bare = false;
}

static void end_firmware(struct marker_missing_walk *walk, int64_t time, uint32_t op)
{
    end_kernel(walk, time);
    walk->paired += walk->firmware;
    if (!walk->firmware)
        tell(walk, FIRMWARE_START, op, walk->bare ? walk->bare_after : walk->last,
             walk->bare ? walk->bare_first : time);
    walk->firmware = walk->seen = walk->bare = false;
}

/* A kernel's marker: which firmware is it in? The second one of a firmware is in another, whose start was lost. */
static void enter_kernel(struct marker_missing_walk *walk, int64_t time, uint32_t op, bool starts)
{
    bool second = walk->seen && !walk->kernel;

    if (starts)
        end_kernel(walk, time);
    if (second && walk->bare)
        leave(walk, time);
    else if (second && walk->firmware) {
        tell(walk, FIRMWARE_END, walk->op, walk->last, time);
        tell(walk, FIRMWARE_START, op, walk->last, time);
    }
    if (!walk->firmware && !walk->bare && walk->has_firmware) {
        walk->bare = true;
        walk->bare_after = walk->last;
        walk->bare_first = time;
    }
    if (starts)
        walk->kernel = true;
    walk->seen = true;
}

static void finish_kernel(struct marker_missing_walk *walk, int64_t time, uint32_t op)
{
    enter_kernel(walk, time, op, false);
    if (!walk->kernel)
        tell(walk, KERNEL_START, op, walk->last, time);
    walk->paired += walk->kernel;
    walk->kernel = false;
}

void marker_missing_step(struct marker_missing_walk *walk, const struct marker *marker, uint32_t op)
{
    const struct marker_kind *kind = marker_kind_at(walk->log, marker->kind);
    uint32_t program;

    walk->count = 0;
    if (!marker_kind_is_standard(kind))
        return;
    program = marker_program_of(walk->log, marker);
    if (program != walk->program || kind->standard == FIRMWARE_START)
        leave(walk, marker->time);
    if (kind->standard == FIRMWARE_START)
        walk->firmware = true;
    else if (kind->standard == FIRMWARE_END)
        end_firmware(walk, marker->time, op);
    else if (kind->standard == KERNEL_START)
        enter_kernel(walk, marker->time, op, true);
    else
        finish_kernel(walk, marker->time, op);
    walk->program = program;
    walk->op = op;
    walk->last = marker->time;
}

void marker_missing_finish(struct marker_missing_walk *walk)
{
    assert(walk->log);
    walk->count = 0;
    leave(walk, INT64_MAX);
}

struct marker_kind marker_kind_counterpart(const struct marker_kind *kind)
{
    struct marker_kind other = *kind;

    assert(marker_kind_is_standard(kind));
    /* 1 and 4, 2 and 3. */
    other.standard = (uint8_t)(FIRMWARE_START + FIRMWARE_END - kind->standard);
    other.phase = kind->phase == MARKER_START ? MARKER_END : MARKER_START;
    if (kind->numbered)
        other.timer_id = other.standard;
    return other;
}

/* ---- Of a whole log ---- */

static void count_found(struct marker_unpaired *unpaired, const struct marker_missing_walk *walk, uint32_t lane,
                        int64_t time)
{
    for (unsigned i = 0; i < walk->count; i++) {
        uint8_t standard = walk->found[i].standard;

        unpaired->starts += standard == FIRMWARE_START || standard == KERNEL_START;
        unpaired->ends += standard == FIRMWARE_END || standard == KERNEL_END;
    }
    if (walk->count && unpaired->lane == NO_ID) {
        unpaired->lane = lane;
        unpaired->time = time;
    }
}

/* Nearly every lane is whole: a firmware starts, its kernel starts and ends, the firmware ends. Goes over the markers that are so, as steps of the walk
 * would; the first one that is not, NULL where all are. `*last` is the time of the last one before that. */
static const struct marker *skip_whole(struct marker_missing_walk *walk, struct marker_cursor *cursor, int64_t *last)
{
    static const uint8_t standards[] = { FIRMWARE_START, KERNEL_START, KERNEL_END, FIRMWARE_END };
    unsigned place = 0; /* of the one that comes next */
    const struct marker *marker;

    for (; (marker = marker_cursor_next(cursor)); *last = marker->time) {
        const struct marker_kind *kind = marker_kind_at(walk->log, marker->kind);
        unsigned found = place == 1 && kind->standard == FIRMWARE_END ? 3 : place; /* one that ran no kernel */
        uint32_t program;

        if (!marker_kind_is_standard(kind))
            continue;
        program = marker_program_of(walk->log, marker);
        if (kind->standard != standards[found] || (found && program != walk->program))
            break;
        walk->paired += found >> 1;
        walk->program = program;
        walk->last = marker->time;
        place = (found + 1) % 4;
    }
    walk->firmware = place != 0;
    walk->kernel = place == 2;
    walk->seen = place >= 2;
    return marker;
}

static void count_lane(const struct marker_log *log, uint32_t lane, struct marker_unpaired *unpaired)
{
    struct marker_missing_walk walk;
    struct marker_cursor cursor;
    const struct marker *marker;
    int64_t last = 0;

    marker_missing_start(&walk, log, lane);
    marker_cursor_start(&cursor, &marker_lane_at(log, lane)->markers);
    marker = skip_whole(&walk, &cursor, &last);
    for (; marker; marker = marker_cursor_next(&cursor)) {
        marker_missing_step(&walk, marker, 0);
        if (walk.count)
            count_found(unpaired, &walk, lane, marker->time);
        last = marker->time;
    }
    marker_missing_finish(&walk);
    count_found(unpaired, &walk, lane, last);
    unpaired->pairs += walk.paired;
}

struct marker_unpaired marker_log_unpaired(const struct marker_log *log)
{
    struct marker_unpaired unpaired = { .lane = NO_ID };

    for (uint32_t i = 0; i < log->lanes.count; i++)
        count_lane(log, i, &unpaired);
    return unpaired;
}
