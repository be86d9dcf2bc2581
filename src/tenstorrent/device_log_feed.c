/* device_log_feed.c: a device log as tracks: chip > core > RISC with zones, the ops of a chip, how many cores are active. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/intervals.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/number.h"
#include "tenstorrent/chain.h"
#include "tenstorrent/chip_ops.h"
#include "tenstorrent/device_beside.h"
#include "tenstorrent/device_log.h"
#include "tenstorrent/device_log_layout.h"
#include "tenstorrent/marker_zones.h"
#include "tenstorrent/op_names.h"
#include "tenstorrent/op_times.h"
#include "tenstorrent/ops_feed.h"
#include "trace/clock.h"

enum { MOST_ARGUMENTS = 6, CORE_ROW = 1024 /* places between two rows of cores among a chip's tracks */ };

struct feeding {
    struct source *source;                /* borrowed */
    const struct marker_log *log;         /* settled; borrowed */
    struct feed *feed;                    /* borrowed */
    struct tenstorrent_keys keys;         /* of arguments */
    const struct tt_chip_host *host;      /* NULL: the log stands for itself */
    clock_id clock;                       /* of the chip */
    int64_t chip_id;                      /* as logged */
    const struct op_names *names;         /* of ops; NULL: their numbers will do */
    uint64_t unnamed;                     /* ops that these do not have */
    uint64_t op_count;                    /* all of them */
    int64_t limit;                        /* largest time that the clock can tell */
    track_id chip_track;                  /* group of the chip */
    track_id track;                       /* of the lane */
    struct marker_zones zones;            /* of the lane */
    open_id *open;                        /* ids of the zones that are open on the lane, by depth */
    size_t open_capacity;                 /* of open */
    struct intervals active;              /* of the core: a kernel runs, or where none is logged its firmware */
    struct intervals firmware;            /* of the core: its firmware runs */
    size_t depth;                         /* of the zone that began last on the lane */
    open_id step;                         /* slice between two numbered markers; NO_ID: none is open */
    int64_t kernel_start, firmware_start; /* on the lane; -1: none open */
    uint32_t program;                     /* of the last of them */
    struct interval *spells;              /* in which a core was active, all cores of the chip */
    size_t spell_count, spell_capacity;   /* of spells */
    struct device_tracks tracks;          /* where cores and chips are drawn; owned */
    struct all_chip_ops ops;              /* of all chips, where the log stands for itself; owned */
};

/* ---- Tracks ---- */

static status group_track(struct feeding *feeding, track_id parent, string_id name, int32_t order, track_id *id)
{
    struct track track = {
        .parent = parent, .name = name, .order = order, .clock = feeding->clock, .kind = TRACK_GROUP
    };

    return feed_track(feeding->feed, track, id);
}

/* Chips do not share a clock: alone, each begins at its own first marker. */
static struct tt_chip_place own_place(const struct marker_chip *chip, uint32_t index, const struct clock *clock)
{
    int64_t limit = clock_limit(clock);

    return (struct tt_chip_place){
        .offset = -clock_span_ns(clock, chip->t0 < limit ? chip->t0 : limit),
        .order = (int32_t)index,
    };
}

static status add_frequency(const struct marker_log *log, string_id *text, const char *before, int64_t chip)
{
    unsigned long long numerator = log->clock_numerator, denominator = log->clock_denominator;

    if (denominator == 1)
        return strings_add_format(log->strings, text, "chip %lld%s %llu MHz", (long long)chip, before, numerator);
    return strings_add_format(log->strings, text, "chip %lld%s %llu/%llu MHz", (long long)chip, before, numerator,
                              denominator);
}

/* The clock of a chip, and the group of its tracks. */
static status open_chip(struct feeding *feeding, uint32_t index)
{
    const struct marker_log *log = feeding->log;
    const struct marker_chip *chip = marker_chip_at(log, index);
    struct clock clock = clock_of_mhz(log->clock_numerator, log->clock_denominator, 0);
    struct tt_chip_place place;
    string_id name;
    status code = add_frequency(log, &clock.name, ": cycles at", chip->id);

    place = feeding->host ? feeding->host->place(feeding->host->context, log, chip, &clock)
                          : own_place(chip, index, &clock);
    clock.offset = place.offset;
    feeding->limit = clock_limit(&clock);
    if (code == STATUS_OK)
        code = feed_clock(feeding->feed, &clock, &feeding->clock);
    if (code == STATUS_OK)
        code = place.named_by_clock ? add_frequency(log, &name, " at", chip->id)
                                    : strings_add_format(log->strings, &name, "chip %lld", (long long)chip->id);
    if (code == STATUS_OK)
        code = group_track(feeding, feeding->feed->root, name, place.order, &feeding->chip_track);
    if (code == STATUS_OK)
        feeding->tracks.chips[index] = name;
    return code;
}

static status lane_track(struct feeding *feeding, track_id core, const struct marker_lane *lane, int32_t order)
{
    struct track track = { .parent = core,
                           .name = lane->risc,
                           .order = order,
                           .clock = feeding->clock,
                           .kind = TRACK_SLICES,
                           .engine = &tenstorrent_engine_risc };

    return feed_track(feeding->feed, track, &feeding->track);
}

/* ---- Zones ---- */

static void add_natural(struct argument *arguments, uint32_t *count, string_id key, uint64_t value)
{
    arguments[(*count)++] = (struct argument){ .key = key, .type = ARGUMENT_UNSIGNED, .natural = value };
}

/* Of a marker that has a number and no name. */
static const char *kind_name(const struct marker_kind *kind)
{
    if (kind->phase == MARKER_START || kind->phase == MARKER_END)
        return "zone";
    return kind->phase == MARKER_POINT ? "marker" : marker_phase_type(kind->phase);
}

static status describe(struct feeding *feeding, const struct marker *marker, struct slice *slice,
                       struct argument *arguments)
{
    const struct marker_log *log = feeding->log;
    const struct marker_kind *kind = marker_kind_at(log, marker->kind);
    struct marker_extra extra = marker_extra_of(log, marker);
    const struct marker_program *program = log->programs.count ? column_at(&log->programs, extra.program) : NULL;
    string_id location = 0;
    status code = STATUS_OK;

    *slice = (struct slice){ .track = feeding->track,
                             .name = kind->zone,
                             .op = NO_ID,
                             .run = NO_ID,
                             .start = marker->time,
                             .end = marker->time,
                             .arguments = arguments };
    if (!slice->name)
        code = strings_add_format(log->strings, &slice->name, "%s %u", kind_name(kind), kind->timer_id);
    if (program && program->host_id)
        add_natural(arguments, &slice->argument_count, feeding->keys.host_id, program->host_id);
    if (program && program->trace >= 0)
        add_natural(arguments, &slice->argument_count, feeding->keys.trace, (uint64_t)program->trace);
    if (program && program->replay >= 0)
        add_natural(arguments, &slice->argument_count, feeding->keys.replay, (uint64_t)program->replay);
    if (code == STATUS_OK && (extra.data || kind->phase == MARKER_DATA || kind->phase == MARKER_DATA_LONG))
        add_natural(arguments, &slice->argument_count,
                    kind->phase == MARKER_TOTAL ? feeding->keys.cycles : feeding->keys.data, extra.data);
    if (extra.metadata)
        arguments[slice->argument_count++] = argument_text(KEY_NOTE, extra.metadata);
    if (code == STATUS_OK && kind->file) {
        code = strings_add_format(log->strings, &location, "%s:%u", strings_text(log->strings, kind->file), kind->line);
        arguments[slice->argument_count++] = argument_text(KEY_LOCATION, location);
    }
    return code;
}

static status begin_zone(void *context, const struct marker *marker, size_t depth)
{
    struct feeding *feeding = context;
    struct argument arguments[MOST_ARGUMENTS];
    struct slice slice;
    status code = describe(feeding, marker, &slice, arguments);

    feeding->depth = depth;
    if (code == STATUS_OK)
        code = memory_grow(&feeding->open, &feeding->open_capacity, depth + 1, sizeof *feeding->open);
    if (code == STATUS_OK)
        code = feed_open(feeding->feed, &feeding->open[depth]);
    if (code != STATUS_OK)
        return code;
    return sink_begin(&feeding->feed->sink, feeding->open[depth], depth ? feeding->open[depth - 1] : NO_ID, &slice);
}

static status end_zone(void *context, const struct marker *start, size_t depth, int64_t time, bool guessed)
{
    struct feeding *feeding = context;
    status code = sink_end(&feeding->feed->sink, feeding->open[depth], time);

    (void)start;
    feed_close(feeding->feed, feeding->open[depth]);
    if (guessed)
        feed_lose(feeding->feed, &loss_begin_without_end, 0);
    return code;
}

static status push_instant(void *context, const struct marker *marker, bool lone_end)
{
    struct feeding *feeding = context;
    struct argument arguments[MOST_ARGUMENTS];
    struct slice slice;
    status code = describe(feeding, marker, &slice, arguments);

    if (lone_end)
        feed_lose(feeding->feed, &loss_lone_end, 0);
    return code == STATUS_OK ? SINK_CALL(&feeding->feed->sink, instant, &slice) : code;
}

/* ---- Steps ---- */

/* Numbered markers have no zones: what lies between two of them inside a kernel is shown instead, where a program has set any of its own. */

static bool is_own(const struct marker_kind *kind)
{
    return kind->numbered && kind->phase == MARKER_POINT;
}

static status name_step(struct feeding *feeding, const struct marker_kind *from, const struct marker_kind *to,
                        string_id *name)
{
    struct strings *strings = feeding->log->strings;

    if (from->standard == KERNEL_START)
        return strings_add_format(strings, name, "kernel start \xE2\x86\x92 %u", to->timer_id);
    if (to->standard == KERNEL_END)
        return strings_add_format(strings, name, "%u \xE2\x86\x92 kernel end", from->timer_id);
    return strings_add_format(strings, name, "%u \xE2\x86\x92 %u", from->timer_id, to->timer_id);
}

/* From a marker to the one behind it, where both are of a kernel's steps. */
static status begin_step(struct feeding *feeding, const struct marker *marker, const struct marker *next)
{
    const struct marker_kind *from = marker_kind_at(feeding->log, marker->kind), *to;
    struct argument arguments[MOST_ARGUMENTS];
    struct slice slice;
    status code;

    if (!next || next->time > feeding->limit)
        return STATUS_OK;
    to = marker_kind_at(feeding->log, next->kind);
    if (!is_own(to) && !(is_own(from) && to->numbered && to->standard == KERNEL_END))
        return STATUS_OK;
    code = describe(feeding, marker, &slice, arguments);
    if (code == STATUS_OK)
        code = name_step(feeding, from, to, &slice.name);
    if (code == STATUS_OK)
        code = feed_open(feeding->feed, &feeding->step);
    if (code != STATUS_OK)
        return code;
    return sink_begin(&feeding->feed->sink, feeding->step, feeding->open[feeding->depth], &slice);
}

static status end_step(struct feeding *feeding, int64_t time)
{
    open_id step = feeding->step;
    status code = step == NO_ID ? STATUS_OK : sink_end(&feeding->feed->sink, step, time);

    if (step != NO_ID)
        feed_close(feeding->feed, step);
    feeding->step = NO_ID;
    return code;
}

/* ---- Sums ---- */

/* A sum has no time of its own: it is shown where its RISC's markers end. */
static status push_totals(struct feeding *feeding, const struct marker_lane *lane)
{
    struct marker_cursor cursor;
    const struct marker *marker;
    status code = STATUS_OK;

    marker_cursor_start(&cursor, &lane->totals);
    while (code == STATUS_OK && (marker = marker_cursor_next(&cursor))) {
        const struct marker_kind *kind = marker_kind_at(feeding->log, marker->kind);
        struct argument cycles = argument_integer(feeding->keys.cycles, marker->time);
        struct slice slice = { .track = feeding->track,
                               .name = kind->zone,
                               .op = NO_ID,
                               .run = NO_ID,
                               .start = feeding->zones.last,
                               .arguments = &cycles,
                               .argument_count = 1 };

        if (!slice.name)
            code = strings_add_format(feeding->log->strings, &slice.name, "sum %u", kind->timer_id);
        if (code == STATUS_OK)
            code = SINK_CALL(&feeding->feed->sink, instant, &slice);
    }
    return code;
}

/* ---- Active cores ---- */

/* A kernel whose firmware has ended, and whatever another program has begun, has lost its end: how long it ran is not known. */
static status note_active(struct feeding *feeding, const struct marker *marker)
{
    uint8_t standard = marker_kind_at(feeding->log, marker->kind)->standard;
    uint32_t program = marker_program_of(feeding->log, marker);
    int64_t start;

    if (standard != MARKER_NO_DEFAULT && program != feeding->program) {
        feeding->firmware_start = feeding->kernel_start = -1;
        feeding->program = program;
    }
    switch (standard) {
    case FIRMWARE_START:
        feeding->firmware_start = marker->time;
        feeding->kernel_start = -1;
        return STATUS_OK;
    case KERNEL_START:
        feeding->kernel_start = marker->time;
        return STATUS_OK;
    case FIRMWARE_END:
        start = feeding->firmware_start;
        feeding->firmware_start = feeding->kernel_start = -1;
        return start < 0 ? STATUS_OK : intervals_add(&feeding->firmware, start, marker->time);
    case KERNEL_END:
        start = feeding->kernel_start;
        feeding->kernel_start = -1;
        return start < 0 ? STATUS_OK : intervals_add(&feeding->active, start, marker->time);
    default:
        return STATUS_OK;
    }
}

static status add_spells(struct feeding *feeding, const struct intervals *set)
{
    struct intervals_cursor cursor;
    struct interval interval;
    status code = memory_grow(&feeding->spells, &feeding->spell_capacity,
                              feeding->spell_count + (size_t)intervals_count(set), sizeof *feeding->spells);

    intervals_start(&cursor, set);
    while (code == STATUS_OK && intervals_next(&cursor, &interval))
        feeding->spells[feeding->spell_count++] = interval;
    return code;
}

static status keep_spells(struct feeding *feeding)
{
    status code = intervals_settle(&feeding->active);

    if (code == STATUS_OK)
        code = intervals_settle(&feeding->firmware);
    if (code == STATUS_OK)
        code = add_spells(feeding, intervals_count(&feeding->active) ? &feeding->active : &feeding->firmware);
    intervals_free(&feeding->active);
    intervals_free(&feeding->firmware);
    return code;
}

static int compare_times(const void *one, const void *other)
{
    int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;

    return (a > b) - (a < b);
}

/* Starts and ends of spells, each sorted for itself: how many have started less how many have ended. */
static status push_counter(struct feeding *feeding)
{
    struct track track = { .parent = feeding->chip_track,
                           .order = -1,
                           .clock = feeding->clock,
                           .kind = TRACK_COUNTER,
                           .engine = &engine_counter,
                           .unit = "cores" };
    size_t count = feeding->spell_count, ended = 0, started = 0;
    int64_t *times = count ? memory_allocate(2 * count * sizeof *times) : NULL;
    track_id id;
    status code = count && !times ? status_no_memory("counting active cores") : STATUS_OK;

    if (code == STATUS_OK && count)
        code = strings_add_text(feeding->log->strings, "Active cores", &track.name);
    if (code == STATUS_OK && count)
        code = feed_track(feeding->feed, track, &id);
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        times[i] = feeding->spells[i].start;
        times[count + i] = feeding->spells[i].end;
    }
    if (code == STATUS_OK && count) {
        qsort(times, count, sizeof *times, compare_times);
        qsort(times + count, count, sizeof *times, compare_times);
    }
    while (code == STATUS_OK && ended < count) {
        int64_t now = started < count && times[started] < times[count + ended] ? times[started] : times[count + ended];

        while (started < count && times[started] == now)
            started++;
        while (ended < count && times[count + ended] == now)
            ended++;
        code = SINK_CALL(&feeding->feed->sink, counter, id, now, (int64_t)(started - ended));
    }
    memory_free(times);
    feeding->spell_count = 0;
    return code;
}

/* ---- Ops ---- */

/* A program that is launched again, or an op of a trace that is replayed, has the same ids. Chips work on an inference together: the
 * sequence of one tells the runs, and `end` is that of all. */
static status push_step(struct feeding *feeding, const struct marker_program *program, const struct slice *slice,
                        int64_t end)
{
    struct step step = { .key = map_mix(program->host_id, (uint64_t)(int64_t)program->trace),
                         .clock = feeding->clock,
                         .start = slice->start,
                         .end = slice->start };
    step_id id;
    status code = feed_step(feeding->feed, &step, &id);

    return code == STATUS_OK ? feed_step_end(feeding->feed, id, end < feeding->limit ? end : feeding->limit) : code;
}

/* Ops that a report names are instances of what it calls them; others have their number. */
static status name_op(struct feeding *feeding, const struct marker_op *op, uint32_t host_id, string_id *name)
{
    *name = feeding->names ? op_names_find(feeding->names, feeding->chip_id, host_id) : 0;
    feeding->op_count++;
    feeding->unnamed += feeding->names && !*name;
    if (*name)
        return STATUS_OK;
    if (op->repetition)
        return strings_add_format(feeding->log->strings, name, "op %u (%u)", host_id, op->repetition + 1);
    return strings_add_format(feeding->log->strings, name, "op %u", host_id);
}

/* Of a log that names no programs: all launches are instances of one thing. */
static status push_launch(struct feeding *feeding, size_t number, const struct marker_op_span *span, track_id track)
{
    struct argument arguments[1];
    struct slice slice = {
        .track = track, .op = NO_ID, .run = NO_ID, .start = span->first, .end = span->last, .arguments = arguments
    };
    status code;

    if (span->last < span->first || span->last > feeding->limit)
        return STATUS_OK;
    add_natural(arguments, &slice.argument_count, feeding->keys.call, number);
    code = strings_add_text(feeding->log->strings, "launch", &slice.name);
    return code == STATUS_OK ? sink_slice(&feeding->feed->sink, &slice) : code;
}

static status push_op(struct feeding *feeding, const struct marker_ops *ops, uint32_t index,
                      const struct marker_op_span *span, track_id track, bool leads)
{
    const struct marker_program *program = column_at(&feeding->log->programs, ops->ops[index].program);
    struct argument arguments[3];
    struct slice slice = {
        .track = track, .op = NO_ID, .run = NO_ID, .start = span->first, .end = span->last, .arguments = arguments
    };
    status code;

    if (span->last < span->first || span->last > feeding->limit)
        return STATUS_OK;
    code = name_op(feeding, &ops->ops[index], program->host_id, &slice.name);
    add_natural(arguments, &slice.argument_count, feeding->keys.host_id, program->host_id);
    if (program->trace >= 0)
        add_natural(arguments, &slice.argument_count, feeding->keys.trace, (uint64_t)program->trace);
    if (program->replay >= 0)
        add_natural(arguments, &slice.argument_count, feeding->keys.replay, (uint64_t)program->replay);
    if (code == STATUS_OK && leads)
        code = push_step(feeding, program, &slice, feeding->ops.ends[index]);
    return code == STATUS_OK ? sink_slice(&feeding->feed->sink, &slice) : code;
}

static status push_ops(struct feeding *feeding, uint32_t chip_index)
{
    struct track track = { .parent = feeding->chip_track,
                           .order = -2,
                           .clock = feeding->clock,
                           .kind = TRACK_SLICES,
                           .engine = &tenstorrent_engine_device_op,
                           .unordered = true };
    const struct chip_ops *chip = &feeding->ops.chips[chip_index];
    const struct marker_ops *ops = &chip->ops;
    track_id id;
    status code = STATUS_OK;

    if (!ops->count)
        return STATUS_OK;
    code = strings_add_text(feeding->log->strings, ops->unnamed ? "Launches" : tenstorrent_engine_device_op.title,
                            &track.name);
    if (code == STATUS_OK)
        code = feed_track(feeding->feed, track, &id);
    for (size_t i = 0; i < ops->count && code == STATUS_OK; i++) {
        uint32_t op = ops->by_start[i];

        code = ops->unnamed ? push_launch(feeding, i + 1, &chip->spans[op], id)
                            : push_op(feeding, ops, op, &chip->spans[op], id, chip_index == feeding->ops.leader);
    }
    return code;
}

/* ---- All of it ---- */

/* `next` is the one behind it on the lane; NULL: it is the last. */
static status push_marker(struct feeding *feeding, const struct marker *marker, const struct marker *next)
{
    const struct marker_kind *kind = marker_kind_at(feeding->log, marker->kind);
    bool stepping = feeding->step != NO_ID;
    status code;

    if (marker->time > feeding->limit) {
        feeding->feed->losses.used--;
        return source_lose(feeding->source, feeding->feed, &loss_time_range, 0, 0);
    }
    code = end_step(feeding, marker->time);
    if (code == STATUS_OK)
        code = marker_zones_step(&feeding->zones, marker);
    /* Other zones may begin anywhere in logs that name some. */
    if (code == STATUS_OK && !feeding->log->zoned &&
        ((kind->numbered && kind->standard == KERNEL_START) || (stepping && is_own(kind))))
        code = begin_step(feeding, marker, next);
    return code == STATUS_OK ? note_active(feeding, marker) : code;
}

static status push_lane(struct feeding *feeding, const struct marker_lane *lane)
{
    int64_t t0 = marker_chip_at(feeding->log, marker_core_at(feeding->log, lane->core)->chip)->t0;
    struct marker_cursor cursor;
    const struct marker *marker, *next;
    status code = STATUS_OK;

    marker_zones_start(&feeding->zones, t0 < feeding->limit ? t0 : feeding->limit);
    feeding->firmware_start = feeding->kernel_start = -1;
    feeding->step = NO_ID;
    marker_cursor_start(&cursor, &lane->markers);
    for (marker = marker_cursor_next(&cursor); marker && code == STATUS_OK; marker = next) {
        next = marker_cursor_next(&cursor);
        code = push_marker(feeding, marker, next);
    }
    if (code == STATUS_OK)
        code = marker_zones_finish(&feeding->zones);
    return code == STATUS_OK ? push_totals(feeding, lane) : code;
}

static status push_core(struct feeding *feeding, uint32_t index)
{
    const struct marker_core *core = marker_core_at(feeding->log, index);
    string_id name;
    track_id track;
    status code = strings_add_format(feeding->log->strings, &name, "core %d, %d", core->x, core->y);

    if (code == STATUS_OK)
        code = group_track(feeding, feeding->chip_track, name, core->y * CORE_ROW + core->x, &track);
    if (code == STATUS_OK)
        feeding->tracks.cores[index] = track;
    for (size_t i = 0; i < core->lane_count && code == STATUS_OK; i++) {
        const struct marker_lane *lane = marker_lane_at(feeding->log, core->lanes[i]);

        code = lane_track(feeding, track, lane, (int32_t)i);
        if (code == STATUS_OK)
            code = push_lane(feeding, lane);
    }
    return code == STATUS_OK ? keep_spells(feeding) : code;
}

static status push_chip(struct feeding *feeding, uint32_t index)
{
    const struct marker_chip *chip = marker_chip_at(feeding->log, index);
    status code;

    feeding->chip_id = chip->id;
    code = open_chip(feeding, index);

    if (code == STATUS_OK && feeding->host)
        code = feeding->host->ops(feeding->host->context, feeding->log, chip, feeding->chip_track);
    else if (code == STATUS_OK)
        code = push_ops(feeding, index);
    for (size_t i = 0; i < chip->core_count && code == STATUS_OK; i++)
        code = push_core(feeding, chip->cores[i]);
    return code == STATUS_OK ? push_counter(feeding) : code;
}

static status note_unnamed(const struct feeding *feeding)
{
    string_id note;
    status code = strings_add_format(feeding->log->strings, &note,
                                     "%llu of %llu ops are not in the report of operations: they have their numbers",
                                     (unsigned long long)feeding->unnamed, (unsigned long long)feeding->op_count);

    if (code == STATUS_OK)
        source_note(feeding->source, strings_text(feeding->log->strings, note));
    return code;
}

/* A run can end no later than the next one of the same chip begins. */
static status note_late(const struct feeding *feeding)
{
    string_id note;
    status code = strings_add_format(feeding->log->strings, &note,
                                     "%llu of the ops were not done on every chip when chip %lld began its next one: "
                                     "what others still did then is in "
                                     "no time of a run",
                                     (unsigned long long)feeding->ops.late,
                                     (long long)marker_chip_at(feeding->log, feeding->ops.leader)->id);

    if (code == STATUS_OK)
        source_note(feeding->source, strings_text(feeding->log->strings, note));
    return code;
}

status tt_device_feed_hosted(struct source *source, const struct marker_log *log, struct feed *feed,
                             const struct tt_chip_host *host)
{
    struct feeding feeding = { .source = source, .log = log, .feed = feed, .host = host, .names = op_names_of(source) };
    struct marker_zones_user user = { &feeding, begin_zone, end_zone, push_instant };
    status code = tenstorrent_keys_start(&feeding.keys, feed->strings);

    assert(log->strings == feed->strings && log->clock_denominator);
    feeding.tracks.cores = memory_allocate((log->cores.count + 1) * sizeof *feeding.tracks.cores);
    feeding.tracks.chips = memory_allocate_clear((log->chips.count + 1) * sizeof *feeding.tracks.chips);
    if (code == STATUS_OK && (!feeding.tracks.cores || !feeding.tracks.chips))
        code = status_no_memory("drawing a device log");
    for (size_t i = 0; i < log->cores.count && code == STATUS_OK; i++)
        feeding.tracks.cores[i] = NO_ID;
    marker_zones_begin(&feeding.zones, log, &user);
    if (code == STATUS_OK && !host)
        code = chip_ops_build(&feeding.ops, log);
    for (uint32_t i = 0; i < log->chips.count && code == STATUS_OK; i++)
        code = push_chip(&feeding, i);
    if (code == STATUS_OK)
        code = device_beside_show(source, feed, log, &feeding.tracks);
    if (code == STATUS_OK && feeding.unnamed)
        code = note_unnamed(&feeding);
    if (code == STATUS_OK && feeding.ops.late)
        code = note_late(&feeding);
    if (log->numbered && losses_count(&feed->losses, &loss_begin_without_end))
        source_note(source,
                    "where an end and the next start are missing, a zone reaches from one launch into the next: busy "
                    "times are too large");
    marker_zones_free(&feeding.zones);
    memory_free(feeding.open);
    memory_free(feeding.tracks.cores);
    memory_free(feeding.tracks.chips);
    memory_free(feeding.spells);
    chip_ops_free(&feeding.ops);
    intervals_free(&feeding.active);
    intervals_free(&feeding.firmware);
    return code;
}

status tt_device_feed(struct source *source, const struct marker_log *log, struct feed *feed)
{
    if (log->chips.count > 1)
        source_note(source, "chips have clocks of their own: the times of each begin at its own first marker");
    return tt_device_feed_hosted(source, log, feed, NULL);
}

/* ---- The reader ---- */

/* A row without anything above it: three numbers, a RISC, two numbers, and whatever newer logs have behind them. */
static bool is_bare_row(struct text line)
{
    unsigned count = 0;

    for (; line.data && count < 6; count++) {
        struct text field = text_trim(text_take(&line, ','));
        int64_t value;

        if (count == 3 ? !text_contains(field, "RISC") : !number_parse_integer(field.data, field.length, &value))
            return false;
    }
    return count == 6;
}

static int probe(struct text head, const char *path)
{
    struct text rest, line;

    (void)path;
    (void)text_cut_start(&head, "\xEF\xBB\xBF");
    rest = head = text_trim(head);
    line = text_trim(text_take(&rest, '\n'));
    if (tt_is_names(line) && text_contains(line, "RISC processor type"))
        return 95;
    if (tt_is_info(line))
        return text_contains(head, "PCIe slot") || text_begins(line, "ARCH:") ? 95 : 60;
    if (is_bare_row(line))
        return 80;
    return text_contains(head, "\nPCIe slot") && text_contains(head, "RISC processor type")
               ? 70
               : 0; /* something was put before it */
}

/* A row for an op of a log, as reports have them; what nothing names is called by its number, which is the same on all chips. */
static status listen_to_op(struct op_listener *listener, const struct op_times *times, const struct clock *clock,
                           int64_t number)
{
    struct op_report *report = listener->report;
    struct op_row *row = op_report_add(report);
    struct op_place *place = row ? column_append(&listener->places) : NULL;
    status code;

    if (!place)
        return status_no_memory("keeping operations");
    op_times_fill(times, row);
    row->kind = OP_DEVICE;
    row->number = ++report->numbered + 1;
    row->trace = times->trace;
    row->replay = times->replay;
    *place = (struct op_place){ 0, -1 };
    if (row->firmware_start >= 0 && row->firmware_end >= row->firmware_start && row->firmware_end < clock_limit(clock))
        *place = (struct op_place){ clock_ns(clock, row->firmware_start), clock_ns(clock, row->firmware_end) };
    code = strings_add_format(report->strings, &row->code, "op %lld", (long long)number);
    return code == STATUS_OK ? strings_add_text(report->strings, "tt_dnn_device", &row->type) : code;
}

/* Logs of several chips may have the chip in the low bits of an op's number, so that each calls it otherwise. */
static bool has_chips_in_calls(const struct op_times_list *list)
{
    enum { CHIPS = 1024 };

    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].call % CHIPS != list->items[i].device)
            return false;
    return true;
}

static status listen(struct source *source, struct op_listener *listener, struct marker_log *log)
{
    const struct op_columns columns = { .device = true, .latency = true };
    struct op_times_list list = { .items = NULL };
    status code = op_times_of_log(&list, log);
    bool chips = code == STATUS_OK && has_chips_in_calls(&list);
    size_t before = 0; /* ops of other chips */

    listener->report->files++;
    listener->report->wait_sums = true;
    op_report_columns(listener->report, OP_GENERATION_2_1, &columns);
    for (size_t i = 0, chip = 0; i < list.count && code == STATUS_OK; i++) {
        struct clock clock = clock_of_mhz(log->clock_numerator, log->clock_denominator, 0);
        const struct op_times *times = &list.items[i];

        before = i && list.items[i - 1].device != times->device ? i : before;
        while (marker_chip_at(log, chip)->id != times->device)
            chip++;
        clock.offset = own_place(marker_chip_at(log, chip), (uint32_t)chip, &clock).offset;
        code = listen_to_op(listener, times, &clock,
                            list.unnamed ? (int64_t)(i - before) + 1
                            : chips      ? times->call - times->device
                                         : times->call);
    }
    op_times_free(&list);
    if (code == STATUS_OK)
        code = op_report_end(listener->report, listener->first, source->path);
    return code == STATUS_OK ? op_listener_take(listener, log) : code;
}

static status read_known(struct source *source, struct feed *feed, const struct device_known *known)
{
    for (unsigned i = 0; i < known->note_count; i++)
        source_note(source, known->notes[i]);
    feed->losses = known->log->losses;
    return tt_device_feed(source, known->log, feed);
}

static status read_device_log(struct source *source, struct feed *feed)
{
    const struct device_known *known = device_known_of(source);
    struct op_listener *listener = op_listener_of(source);
    struct marker_log log;
    status code;

    if (known)
        return read_known(source, feed, known);
    marker_log_start(&log, feed->strings);
    code = tt_device_read_markers(source, &log);
    feed->losses = log.losses;
    source->device = log.arch ? strings_text(log.strings, log.arch) : NULL;
    if (code == STATUS_OK)
        code = tt_device_feed(source, &log, feed);
    if (code == STATUS_OK && listener)
        code = listen(source, listener, &log);
    marker_log_free(&log);
    return code;
}

static const struct tenstorrent_calls calls = { .markers = tt_device_read_markers };

static const struct companion *const companions[] = { &op_names_companion, NULL };

const struct reader tt_device_reader = {
    .id = "tt-device",
    .title = "Tenstorrent device log",
    .chain = &tenstorrent_chain,
    .own = &calls,
    .kind = READER_MEASURED,
    .files = "profile_log_device.csv",
    .companions = companions,
    .probe = probe,
    .read = read_device_log,
    .details = device_beside_details,
    .release = device_beside_release,
};
