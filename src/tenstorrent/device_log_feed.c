/* device_log_feed.c: a device log as tracks: chip > core > RISC with zones, the ops of a chip, how many cores are active. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/intervals.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/number.h"
#include "tenstorrent/chain.h"
#include "tenstorrent/device_log.h"
#include "tenstorrent/device_log_layout.h"
#include "tenstorrent/marker_ops.h"
#include "tenstorrent/marker_zones.h"
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
    int64_t limit;                        /* largest time that the clock can tell */
    track_id chip_track;                  /* group of the chip */
    track_id track;                       /* of the lane */
    struct marker_zones zones;            /* of the lane */
    open_id *open;                        /* ids of the zones that are open on the lane, by depth */
    size_t open_capacity;                 /* of open */
    struct intervals active;              /* of the core: a kernel runs, or where none is logged its firmware */
    struct intervals firmware;            /* of the core: its firmware runs */
    int64_t kernel_start, firmware_start; /* on the lane; -1: none open */
    uint32_t program;                     /* of the last of them */
    struct interval *spells;              /* in which a core was active, all cores of the chip */
    size_t spell_count, spell_capacity;   /* of spells */
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
 * sequence of the first tells the runs. */
static status push_step(struct feeding *feeding, const struct marker_program *program, const struct slice *slice)
{
    struct step step = { .key = map_mix(program->host_id, (uint64_t)(int64_t)program->trace),
                         .clock = feeding->clock,
                         .start = slice->start,
                         .end = slice->start };
    step_id id;
    status code = feed_step(feeding->feed, &step, &id);

    return code == STATUS_OK ? feed_step_end(feeding->feed, id, slice->end) : code;
}

static status push_op(struct feeding *feeding, const struct marker_ops *ops, uint32_t index,
                      const struct marker_op_span *span, track_id track, bool first)
{
    const struct marker_program *program = column_at(&feeding->log->programs, ops->ops[index].program);
    struct argument arguments[3];
    struct slice slice = {
        .track = track, .op = NO_ID, .run = NO_ID, .start = span->first, .end = span->last, .arguments = arguments
    };
    status code;

    if (span->last < span->first || span->last > feeding->limit)
        return STATUS_OK;
    if (ops->ops[index].repetition)
        code = strings_add_format(feeding->log->strings, &slice.name, "op %u (%u)", program->host_id,
                                  ops->ops[index].repetition + 1);
    else
        code = strings_add_format(feeding->log->strings, &slice.name, "op %u", program->host_id);
    add_natural(arguments, &slice.argument_count, feeding->keys.host_id, program->host_id);
    if (program->trace >= 0)
        add_natural(arguments, &slice.argument_count, feeding->keys.trace, (uint64_t)program->trace);
    if (program->replay >= 0)
        add_natural(arguments, &slice.argument_count, feeding->keys.replay, (uint64_t)program->replay);
    if (code == STATUS_OK && first)
        code = push_step(feeding, program, &slice);
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
    struct marker_op_span *spans = NULL;
    struct marker_ops ops;
    track_id id;
    status code = marker_ops_build(&ops, feeding->log, chip_index);

    if (code == STATUS_OK && ops.count && !(spans = memory_allocate(ops.count * sizeof *spans)))
        code = status_no_memory("drawing ops");
    if (code == STATUS_OK && ops.count)
        marker_ops_spans(&ops, spans);
    if (code == STATUS_OK && ops.count)
        code = strings_add_text(feeding->log->strings, tenstorrent_engine_device_op.title, &track.name);
    if (code == STATUS_OK && ops.count)
        code = feed_track(feeding->feed, track, &id);
    for (size_t i = 0; i < ops.count && code == STATUS_OK; i++)
        code = push_op(feeding, &ops, ops.by_start[i], &spans[ops.by_start[i]], id, chip_index == 0);
    memory_free(spans);
    marker_ops_free(&ops);
    return code;
}

/* ---- All of it ---- */

static status push_marker(struct feeding *feeding, const struct marker *marker)
{
    status code;

    if (marker->time > feeding->limit) {
        feeding->feed->losses.used--;
        return source_lose(feeding->source, feeding->feed, &loss_time_range, 0, 0);
    }
    code = marker_zones_step(&feeding->zones, marker);
    return code == STATUS_OK ? note_active(feeding, marker) : code;
}

static status push_lane(struct feeding *feeding, const struct marker_lane *lane)
{
    int64_t t0 = marker_chip_at(feeding->log, marker_core_at(feeding->log, lane->core)->chip)->t0;
    struct marker_cursor cursor;
    const struct marker *marker;
    status code = STATUS_OK;

    marker_zones_start(&feeding->zones, t0 < feeding->limit ? t0 : feeding->limit);
    feeding->firmware_start = feeding->kernel_start = -1;
    marker_cursor_start(&cursor, &lane->markers);
    while (code == STATUS_OK && (marker = marker_cursor_next(&cursor)))
        code = push_marker(feeding, marker);
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
    status code = open_chip(feeding, index);

    if (code == STATUS_OK && feeding->host)
        code = feeding->host->ops(feeding->host->context, feeding->log, chip, feeding->chip_track);
    else if (code == STATUS_OK && feeding->log->programs.count > 1)
        code = push_ops(feeding, index);
    for (size_t i = 0; i < chip->core_count && code == STATUS_OK; i++)
        code = push_core(feeding, chip->cores[i]);
    return code == STATUS_OK ? push_counter(feeding) : code;
}

status tt_device_feed_hosted(struct source *source, const struct marker_log *log, struct feed *feed,
                             const struct tt_chip_host *host)
{
    struct feeding feeding = { .source = source, .log = log, .feed = feed, .host = host };
    struct marker_zones_user user = { &feeding, begin_zone, end_zone, push_instant };
    status code = tenstorrent_keys_start(&feeding.keys, feed->strings);

    assert(log->strings == feed->strings && log->clock_denominator);
    marker_zones_begin(&feeding.zones, log, &user);
    for (uint32_t i = 0; i < log->chips.count && code == STATUS_OK; i++)
        code = push_chip(&feeding, i);
    if (log->numbered && losses_count(&feed->losses, &loss_begin_without_end))
        source_note(source,
                    "where an end and the next start are missing, a zone reaches from one launch into the next: busy "
                    "times are too large");
    marker_zones_free(&feeding.zones);
    memory_free(feeding.open);
    memory_free(feeding.spells);
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

static status read_device_log(struct source *source, struct feed *feed)
{
    struct op_listener *listener = op_listener_of(source);
    struct marker_log log;
    status code;

    marker_log_start(&log, feed->strings);
    code = tt_device_read_markers(source, &log);
    feed->losses = log.losses;
    if (code == STATUS_OK)
        code = tt_device_feed(source, &log, feed);
    if (code == STATUS_OK && listener)
        code = listen(source, listener, &log);
    marker_log_free(&log);
    return code;
}

static const struct tenstorrent_calls calls = { .markers = tt_device_read_markers };

const struct reader tt_device_reader = {
    .id = "tt-device",
    .title = "Tenstorrent device log",
    .chain = &tenstorrent_chain,
    .own = &calls,
    .kind = READER_MEASURED,
    .files = "profile_log_device.csv",
    .probe = probe,
    .read = read_device_log,
};
