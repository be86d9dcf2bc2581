/* markers_append.c: the markers of one log among those of another. */
#include "base/memory.h"
#include "tenstorrent/markers.h"

/* Ids of another log as ids of this one. */
struct translation {
    uint32_t *kinds;
    uint32_t *programs;
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
