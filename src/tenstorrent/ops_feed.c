/* ops_feed.c: pushes operations of a report as slices. */
#include "tenstorrent/ops_feed.h"
#include "tenstorrent/advise.h"
#include "tenstorrent/op_runs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "tenstorrent/chain.h"
#include "tenstorrent/device_log.h"
#include "tenstorrent/op_report.h"
#include "trace/clock.h"

enum { MOST_DEVICES = 4096, MOST_ARGUMENTS = 8, ABOVE_CORES = -2 /* place in a chip's group */ };

/* How the cycles of a device become nanoseconds of the host's clock. */
struct device {
    int32_t id;           /* as the report has it */
    uint32_t log;         /* that has its markers; NO_ID: none */
    track_id track;       /* NO_ID: not announced yet */
    uint64_t cycles;      /* of the operations that have cycles and a duration */
    uint64_t nanoseconds; /* of these operations */
    struct clock clock;   /* denominator 0: it has no cycles that could be used */
    int64_t limit;        /* the most cycles that are used; -1: none */
    int64_t offset;       /* ns: the least for which no operation starts before its call */
    int64_t earliest;     /* ns of its own clock */
    bool any;             /* it has an operation with a time */
    int64_t placed_end;   /* ns: where its last operation was placed that has no cycles */
    bool ran;             /* it has an operation that was placed */
    size_t first_placed;  /* its operations among those that are in a list */
    size_t end_placed;    /* 0: it has none */
};

/* A slice to be pushed, with what orders it. */
struct placed {
    uint32_t row;    /* of the report */
    string_id name;  /* of that row */
    uint32_t device; /* place among the devices */
    int64_t start;   /* ns */
    int64_t end;     /* ns */
};

struct feeding {
    struct feed *feed;                /* borrowed */
    struct tenstorrent_keys keys;     /* of arguments */
    const struct op_report *report;   /* borrowed */
    const struct op_markers *markers; /* NULL: none */
    clock_id clock;                   /* of the host: ns */
    int64_t first_call;               /* ns: the first start of a host call */
    bool any_call;                    /* one is known */
    struct device *devices;           /* in the order in which they were met; owned */
    size_t device_count;              /* of devices */
    size_t device_capacity;           /* of devices */
    operator_id *operators;           /* by the string id of a code: operator + 1 */
    uint32_t *run_of;                 /* by row from the first on; NO_ID: none; NULL: the report tells no runs; owned */
    struct run *runs;                 /* from the first start to the last end of their operations; owned */
    size_t run_count;                 /* of runs */
    struct placed *placed;            /* by device, then start; NULL where it is quiet; owned */
    size_t placed_count;              /* of placed */
    struct placed *hosts; /* calls of the host by start, then what is free, then signposts; NULL as above; owned */
    size_t host_count;    /* of the calls */
    size_t first_mark;    /* of the signposts, which end where the rows do */
    uint32_t *flows;      /* by row: not 0 where both ends are drawn; NULL as above; owned */
    bool by_host;         /* some operations had to be placed by their calls */
    bool joined;          /* device clocks were tied to the host's */
    size_t first;         /* row: those before it are of other inputs */
    struct op_listener *listener; /* borrowed; NULL: nobody listens */
    bool quiet;                   /* who listens has the runs, and looks at no slice */
    uint64_t undrawn;             /* rows that tell no time */
};

/* ---- Listeners ---- */

void op_listener_start(struct op_listener *listener, struct op_report *report)
{
    *listener = (struct op_listener){ .report = report, .first = report->rows.count };
    column_start(&listener->places, sizeof(struct op_place));
}

void op_listener_free(struct op_listener *listener)
{
    for (size_t i = 0; i < listener->log_count; i++)
        marker_log_free(&listener->logs[i]);
    memory_free(listener->logs);
    column_free(&listener->places);
}

/* Companions are given out as constants; this one is there to be filled. */
struct op_listener *op_listener_of(const struct source *source)
{
    return (struct op_listener *)(uintptr_t)source_companion(source, OP_LISTENER);
}

struct op_report *op_listener_report(const struct source *source, struct op_report *own, struct strings *strings)
{
    struct op_listener *listener = op_listener_of(source);

    op_report_start(own, strings);
    assert(!listener || listener->report->strings == strings);
    return listener ? listener->report : own;
}

status op_listener_take(struct op_listener *listener, struct marker_log *log)
{
    struct strings *strings = log->strings;
    status code =
        memory_grow(&listener->logs, &listener->log_capacity, listener->log_count + 1, sizeof *listener->logs);

    if (code != STATUS_OK)
        return code;
    listener->logs[listener->log_count++] = *log;
    marker_log_start(log, strings);
    return STATUS_OK;
}

/* ---- Clocks ---- */

static uint32_t log_of(const struct feeding *feeding, const struct op_row *row)
{
    return feeding->markers ? row->parts.markers : NO_ID;
}

/* The place of a device, or the one behind the last. */
static size_t find_device(const struct feeding *feeding, int64_t id, uint32_t log)
{
    size_t place = 0;

    while (place < feeding->device_count && (feeding->devices[place].id != id || feeding->devices[place].log != log))
        place++;
    return place;
}

static status device_of(struct feeding *feeding, const struct op_row *row, size_t *place)
{
    uint32_t log = log_of(feeding, row);
    status code;

    *place = find_device(feeding, row->device, log);
    if (*place < feeding->device_count)
        return STATUS_OK;
    if (feeding->device_count == MOST_DEVICES)
        return status_fail(STATUS_INPUT, "there are more than %d devices", MOST_DEVICES);
    code =
        memory_grow(&feeding->devices, &feeding->device_capacity, feeding->device_count + 1, sizeof *feeding->devices);
    if (code != STATUS_OK)
        return code;
    feeding->devices[feeding->device_count++] = (struct device){ .id = row->device, .log = log, .track = NO_ID };
    return STATUS_OK;
}

static bool has_cycles(const struct op_row *row)
{
    return row->firmware_start >= 0 && row->firmware_end >= row->firmware_start;
}

/* Where no log tells it, the clock is a whole number of MHz; durations are whole nanoseconds, so only their sum over many
 * operations tells it. */
static void find_frequency(struct device *device, const struct marker_log *log)
{
    uint64_t megahertz;

    if (log) {
        device->clock = clock_of_mhz(log->clock_numerator, log->clock_denominator, 0);
        return;
    }
    if (!device->nanoseconds)
        return;
    megahertz = (device->cycles * 1000 + device->nanoseconds / 2) / device->nanoseconds;
    if (megahertz > 0 && megahertz < 100000)
        device->clock = clock_of_mhz(megahertz, 1, 0);
}

/* Sums stay where they can be multiplied by 1000: weeks of work are enough to tell a frequency. */
static void add_span(struct device *device, uint64_t cycles, uint64_t nanoseconds)
{
    static const uint64_t most = (uint64_t)1 << 52;

    if (cycles > most - device->cycles || nanoseconds > most - device->nanoseconds)
        return;
    device->cycles += cycles;
    device->nanoseconds += nanoseconds;
}

static status measure_clocks(struct feeding *feeding)
{
    size_t place;

    for (size_t i = feeding->first; i < feeding->report->rows.count; i++) {
        const struct op_row *row = op_row_at(feeding->report, i);
        status code;

        if (row->host_start >= 0 && (!feeding->any_call || row->host_start < feeding->first_call)) {
            feeding->first_call = row->host_start;
            feeding->any_call = true;
        }
        if (row->kind != OP_DEVICE)
            continue;
        code = device_of(feeding, row, &place);
        if (code != STATUS_OK)
            return code;
        if (has_cycles(row) && row->firmware_duration > 0)
            add_span(&feeding->devices[place], (uint64_t)(row->firmware_end - row->firmware_start),
                     (uint64_t)row->firmware_duration);
    }
    for (size_t i = 0; i < feeding->device_count; i++) {
        struct device *device = &feeding->devices[i];

        device->clock = (struct clock){ .denominator = 0 };
        find_frequency(device, device->log == NO_ID ? NULL : &feeding->markers->logs[device->log]);
        device->limit = device->clock.denominator ? clock_limit(&device->clock) / 2 : -1;
    }
    return STATUS_OK;
}

/* A chip may have markers before those of its operations: none may come to lie before zero. */
static void see_markers(const struct feeding *feeding, struct device *device)
{
    const struct marker_log *log = device->log == NO_ID ? NULL : &feeding->markers->logs[device->log];

    for (size_t i = 0; log && i < log->chips.count; i++) {
        const struct marker_chip *chip = marker_chip_at(log, i);

        if (chip->id == device->id && chip->t0_core != NO_ID && chip->t0 < clock_limit(&device->clock) &&
            clock_span_ns(&device->clock, chip->t0) < device->earliest)
            device->earliest = clock_span_ns(&device->clock, chip->t0);
    }
}

/* The host's clock and a device's have nothing in common but this: nothing starts before it was called. */
static status tie_clocks(struct feeding *feeding)
{
    for (size_t i = feeding->first; i < feeding->report->rows.count; i++) {
        const struct op_row *row = op_row_at(feeding->report, i);
        struct device *device;
        size_t place;
        int64_t start, offset;

        if (row->kind != OP_DEVICE || !has_cycles(row))
            continue;
        if (device_of(feeding, row, &place) != STATUS_OK)
            return STATUS_MEMORY;
        device = &feeding->devices[place];
        if (row->firmware_end > device->limit)
            continue;
        start = clock_span_ns(&device->clock, row->firmware_start);
        offset = row->host_start >= 0 ? row->host_start - start : -start;
        if (!device->any || offset > device->offset)
            device->offset = offset;
        if (!device->any || start < device->earliest)
            device->earliest = start;
        device->any = true;
        feeding->joined |= row->host_start >= 0;
    }
    for (size_t i = 0; i < feeding->device_count; i++) {
        struct device *device = &feeding->devices[i];

        see_markers(feeding, device);
        if (device->any && device->offset < -device->earliest)
            device->offset = -device->earliest;
    }
    return STATUS_OK;
}

/* ---- Places ---- */

static int compare_placed(const void *one, const void *other)
{
    const struct placed *a = one;
    const struct placed *b = other;

    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->end != b->end)
        return a->end > b->end ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

/* Most reports have their rows in order. */
static void sort_placed(struct placed *placed, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (compare_placed(&placed[i - 1], &placed[i]) > 0) {
            qsort(placed, count, sizeof *placed, compare_placed);
            return;
        }
}

/* Without cycles an operation begins with its call, but not before the one before it is over. False: nothing tells when it ran. */
static bool place_on_device(struct feeding *feeding, const struct op_row *row, struct device *device,
                            struct placed *placed)
{
    int64_t next = row->latency > 0 ? device->placed_end + row->latency : device->placed_end;

    if (has_cycles(row) && device->any && row->firmware_end <= device->limit) {
        placed->start = clock_span_ns(&device->clock, row->firmware_start) + device->offset;
        placed->end = clock_span_ns(&device->clock, row->firmware_end) + device->offset;
        return true;
    }
    if (row->host_start < 0 || row->kernel_duration < 0)
        return false;
    feeding->by_host = true;
    placed->start = row->host_start > next ? row->host_start : next;
    placed->end =
        placed->start + (row->firmware_duration > row->kernel_duration ? row->firmware_duration : row->kernel_duration);
    device->placed_end = placed->end;
    return true;
}

static bool has_host_span(const struct op_row *row)
{
    return row->host_start >= 0 && row->host_end >= row->host_start;
}

/* The host's side of a row: calls from the front of the list, signposts from its end. */
static void place_on_host(struct feeding *feeding, uint32_t index, const struct op_row *row)
{
    bool mark = row->kind == OP_SIGNPOST && row->host_start >= 0, call = row->kind != OP_SIGNPOST && has_host_span(row);
    size_t place;

    if (!mark && !call) {
        feeding->undrawn += row->kind != OP_DEVICE;
        return;
    }
    place = mark ? --feeding->first_mark : feeding->host_count++;
    if (!feeding->quiet)
        feeding->hosts[place] =
            (struct placed){ index, row->code, mark, row->host_start, mark ? row->host_start : row->host_end };
}

/* Devices work on a run together. */
static void see_run(struct feeding *feeding, const struct placed *placed)
{
    uint32_t place = feeding->run_of[placed->row - feeding->first];
    struct run *run = place == NO_ID ? NULL : &feeding->runs[place];

    if (!run)
        return;
    run->start = placed->start < run->start ? placed->start : run->start;
    run->end = placed->end > run->end ? placed->end : run->end;
}

static status place_row(struct feeding *feeding, uint32_t index, const struct op_row *row, struct op_place *told)
{
    struct placed placed = { .row = index, .name = row->code };
    size_t place;
    status code = device_of(feeding, row, &place);

    if (code != STATUS_OK)
        return code;
    if (!place_on_device(feeding, row, &feeding->devices[place], &placed)) {
        feeding->undrawn += !has_host_span(row);
        return STATUS_OK;
    }
    placed.device = (uint32_t)place;
    feeding->devices[place].ran = true;
    if (told)
        *told = (struct op_place){ placed.start, placed.end };
    if (feeding->run_of)
        see_run(feeding, &placed);
    if (feeding->quiet)
        return STATUS_OK;
    feeding->placed[feeding->placed_count++] = placed;
    if (has_host_span(row))
        feeding->flows[index] = feed_flow(feeding->feed);
    return STATUS_OK;
}

/* What is pushed as slices; who is quiet needs none of it. */
static status make_lists(struct feeding *feeding)
{
    size_t count = feeding->report->rows.count;

    if (feeding->quiet)
        return STATUS_OK;
    feeding->placed = memory_allocate((count + 1) * sizeof *feeding->placed);
    feeding->hosts = memory_allocate((count + 1) * sizeof *feeding->hosts);
    feeding->flows = memory_allocate_clear((count + 1) * sizeof *feeding->flows);
    return feeding->placed && feeding->hosts && feeding->flows ? STATUS_OK : status_no_memory("placing operations");
}

static status place_rows(struct feeding *feeding)
{
    size_t count = feeding->report->rows.count;
    status code = make_lists(feeding);

    feeding->first_mark = count;
    for (uint32_t i = (uint32_t)feeding->first; i < count && code == STATUS_OK; i++) {
        const struct op_row *row = op_row_at(feeding->report, i);
        struct op_place *told = feeding->listener ? column_append(&feeding->listener->places) : NULL;

        if (told)
            *told = (struct op_place){ 0, -1 };
        else if (feeding->listener)
            return status_no_memory("placing operations");
        place_on_host(feeding, i, row);
        if (row->kind == OP_DEVICE)
            code = place_row(feeding, i, row, told);
    }
    if (feeding->quiet || code != STATUS_OK)
        return code;
    sort_placed(feeding->placed, feeding->placed_count);
    sort_placed(feeding->hosts, feeding->host_count);
    sort_placed(feeding->hosts + feeding->first_mark, count - feeding->first_mark);
    return STATUS_OK;
}

/* ---- Tracks and slices ---- */

/* The line of a device alone, or the first one in the group of its chip. */
static status device_track(struct feeding *feeding, size_t place, track_id group)
{
    struct device *device = &feeding->devices[place];
    struct track track = {
        .parent = group == NO_ID ? feeding->feed->root : group,
        .order = group == NO_ID ? feed_order(&tenstorrent_engine_operation, (uint32_t)place) : ABOVE_CORES,
        .clock = feeding->clock,
        .kind = TRACK_SLICES,
        .engine = &tenstorrent_engine_operation,
        .index = device->id >= 0 ? (uint32_t)device->id : 0,
        .unordered = feeding->by_host,
    };
    struct strings *strings = feeding->feed->strings;
    status code;

    if (group != NO_ID)
        code = strings_add_text(strings, "Ops", &track.name);
    else if (device->id >= 0)
        code = strings_add_format(strings, &track.name, "Device %d", device->id);
    else
        code = strings_add_text(strings, "Device", &track.name);

    return code == STATUS_OK ? feed_track(feeding->feed, track, &device->track) : code;
}

static status operator_of(struct feeding *feeding, const struct op_row *row, operator_id *id)
{
    struct op op = { .name = row->code, .type = row->code };
    status code = STATUS_OK;

    if (!feeding->operators[row->code]) {
        const char *category = advise_category(strings_get(feeding->feed->strings, row->code));

        if (category)
            code = strings_add_text(feeding->feed->strings, category, &op.category);
        if (code == STATUS_OK)
            code = feed_operator_new(feeding->feed, &op);
        feeding->operators[row->code] = op.id + 1;
    }
    *id = feeding->operators[row->code] - 1;
    return code;
}

static void add_integer(struct slice *slice, struct argument *arguments, string_id key, int64_t value)
{
    if (value != OP_NONE)
        arguments[slice->argument_count++] = (struct argument){ .key = key, .integer = value };
}

static void add_text(struct slice *slice, struct argument *arguments, string_id key, string_id text)
{
    if (text)
        arguments[slice->argument_count++] = (struct argument){ .key = key, .type = ARGUMENT_TEXT, .text = text };
}

static void describe(struct feeding *feeding, const struct op_row *row, struct slice *slice, struct argument *arguments)
{
    static const double largest = 9e18; /* what an integer argument holds */
    struct op_product product;

    slice->arguments = arguments;
    add_text(slice, arguments, KEY_OP, row->type);
    add_integer(slice, arguments, feeding->keys.call, row->call);
    if (slice->track == NO_ID || row->kind != OP_DEVICE)
        return;
    add_integer(slice, arguments, feeding->keys.cores, row->cores);
    add_integer(slice, arguments, feeding->keys.kernel_ns, row->kernel_duration);
    add_text(slice, arguments, feeding->keys.fidelity, row->fidelity);
    if (row->dram_bytes > 0 && row->dram_bytes < largest)
        add_integer(slice, arguments, KEY_BYTES, (int64_t)row->dram_bytes);
    if (op_row_product(feeding->report, row, &product) && op_product_flops(&product) < largest)
        add_integer(slice, arguments, KEY_MACS, (int64_t)(op_product_flops(&product) / 2));
}

/* The same operation of the next inference has the same code and sizes. */
static uint64_t key_of(const struct op_row *row)
{
    const struct op_tensor *tensors[] = { &row->inputs[0], &row->inputs[1], &row->output };
    uint64_t key = row->code;

    for (unsigned i = 0; i < 3; i++)
        for (unsigned j = 0; j < 4; j += 2)
            key = map_mix(key, (uint64_t)(uint32_t)tensors[i]->size[j] << 32 | (uint32_t)tensors[i]->size[j + 1]);
    return key;
}

/* Which rows are of one run, before they are placed: it tells whether anybody looks at slices. */
static status find_runs(struct feeding *feeding)
{
    status code = op_runs_find(feeding->report, feeding->first, &feeding->run_of, &feeding->run_count);

    if (code != STATUS_OK || !feeding->run_count)
        return code;
    feeding->quiet = feeding->listener && !feeding->listener->slices;
    feeding->runs = memory_allocate(feeding->run_count * sizeof *feeding->runs);
    if (!feeding->runs)
        return status_no_memory("telling runs");
    for (size_t i = 0; i < feeding->run_count; i++)
        feeding->runs[i] =
            (struct run){ .index = (uint32_t)i, .clock = feeding->clock, .start = INT64_MAX, .end = INT64_MIN };
    return STATUS_OK;
}

static status push_runs(struct feeding *feeding)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < feeding->run_count && code == STATUS_OK; i++)
        if (feeding->runs[i].start < feeding->runs[i].end)
            code = feed_run(feeding->feed, &feeding->runs[i]);
    return code;
}

/* The operation at a place in the order of a device; NULL: it has fewer. */
static const struct placed *placed_at(const struct feeding *feeding, const struct device *device, size_t place)
{
    return place < device->end_placed - device->first_placed ? &feeding->placed[device->first_placed + place] : NULL;
}

/* When the last of the devices is done with an operation of the first one, where all run the same; but what others do when that one
 * begins its next is no more of this. */
static int64_t end_of_all(const struct feeding *feeding, const struct placed *placed)
{
    const struct device *first = &feeding->devices[placed->device];
    size_t place = (size_t)(placed - feeding->placed) - first->first_placed;
    const struct placed *next = placed_at(feeding, first, place + 1);
    uint64_t key = key_of(op_row_at(feeding->report, placed->row));
    int64_t end = placed->end;

    for (size_t i = 0; i < feeding->device_count; i++) {
        const struct placed *other = placed_at(feeding, &feeding->devices[i], place);

        if (other && other->end > end && key_of(op_row_at(feeding->report, other->row)) == key)
            end = other->end;
    }
    if (next && end > next->start)
        end = next->start > placed->end ? next->start : placed->end;
    return end;
}

/* Devices work on an inference together: the sequence of one tells the runs. */
static status push_step(struct feeding *feeding, const struct placed *placed, const struct op_row *row)
{
    struct step step = { .key = key_of(row), .clock = feeding->clock, .start = placed->start, .end = placed->start };
    step_id id;
    status code = STATUS_OK;

    if (placed->device != feeding->placed[0].device)
        return STATUS_OK;
    code = feed_step(feeding->feed, &step, &id);
    return code == STATUS_OK ? feed_step_end(feeding->feed, id, end_of_all(feeding, placed)) : code;
}

static status push_operation(struct feeding *feeding, const struct placed *placed)
{
    const struct op_row *row = op_row_at(feeding->report, placed->row);
    struct argument arguments[MOST_ARGUMENTS];
    struct slice slice = {
        .track = feeding->devices[placed->device].track,
        .name = row->code,
        .run = NO_ID,
        .start = placed->start,
        .end = placed->end,
        .flow = feeding->flows[placed->row],
    };
    status code;

    if (!feeding->listener) /* who has the operations needs no words on them */
        describe(feeding, row, &slice, arguments);
    code = operator_of(feeding, row, &slice.op);
    if (code == STATUS_OK)
        code = push_step(feeding, placed, row);
    return code == STATUS_OK ? sink_slice(&feeding->feed->sink, &slice) : code;
}

/* How many cores more or fewer work from some time on. */
struct core_change {
    int64_t time;  /* ns */
    int64_t cores; /* fewer where it is negative */
};

static int compare_changes(const void *one, const void *other)
{
    const struct core_change *a = one;
    const struct core_change *b = other;

    return (a->time > b->time) - (a->time < b->time);
}

/* Starts and ends of a device's operations, by time. */
static size_t list_changes(const struct feeding *feeding, const struct device *device, struct core_change *changes)
{
    size_t count = 0;

    for (size_t i = device->first_placed; i < device->end_placed; i++) {
        const struct placed *placed = &feeding->placed[i];
        int64_t cores = op_row_at(feeding->report, placed->row)->cores;

        if (cores == OP_NONE || cores <= 0)
            continue;
        changes[count++] = (struct core_change){ placed->start, cores };
        changes[count++] = (struct core_change){ placed->end, -cores };
    }
    qsort(changes, count, sizeof *changes, compare_changes);
    return count;
}

/* The cores that its operations say they use: without markers nothing tells more. */
static status push_cores(struct feeding *feeding, size_t place)
{
    const struct device *device = &feeding->devices[place];
    struct core_change *changes =
        memory_allocate((2 * (device->end_placed - device->first_placed) + 1) * sizeof *changes);
    struct track track = { .parent = device->track == NO_ID ? feeding->feed->root : device->track,
                           .clock = feeding->clock,
                           .kind = TRACK_COUNTER,
                           .engine = &engine_counter,
                           .unit = "cores" };
    size_t count = changes ? list_changes(feeding, device, changes) : 0;
    status code = changes ? STATUS_OK : status_no_memory("counting active cores");
    int64_t active = 0;
    track_id id = NO_ID;

    if (code == STATUS_OK && count)
        code = strings_add_text(feeding->feed->strings, "Active cores", &track.name);
    if (code == STATUS_OK && count)
        code = feed_track(feeding->feed, track, &id);
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        active += changes[i].cores;
        if (i + 1 == count || changes[i + 1].time != changes[i].time)
            code = SINK_CALL(&feeding->feed->sink, counter, id, changes[i].time, active);
    }
    memory_free(changes);
    return code;
}

/* The operations of one device. */
static status push_device(struct feeding *feeding, size_t place, track_id group)
{
    status code = device_track(feeding, place, group);

    for (size_t i = feeding->devices[place].first_placed; i < feeding->devices[place].end_placed && code == STATUS_OK;
         i++)
        code = push_operation(feeding, &feeding->placed[i]);
    return code == STATUS_OK && group == NO_ID && !feeding->listener ? push_cores(feeding, place) : code;
}

/* Where the operations of each device lie among those that were placed, which are sorted. */
static void find_placed(struct feeding *feeding)
{
    for (size_t i = feeding->placed_count; i-- > 0;) {
        struct device *device = &feeding->devices[feeding->placed[i].device];

        device->first_placed = i;
        device->end_placed = device->end_placed ? device->end_placed : i + 1;
    }
}

/* ---- Chips with their markers ---- */

static size_t device_of_chip(const struct feeding *feeding, const struct marker_log *log,
                             const struct marker_chip *chip)
{
    return find_device(feeding, chip->id, (uint32_t)(log - feeding->markers->logs));
}

static bool has_chip(const struct marker_log *log, int64_t id)
{
    for (size_t i = 0; i < log->chips.count; i++)
        if (marker_chip_at(log, i)->id == id)
            return true;
    return false;
}

/* A chip that ran no operation of the report begins with the first call. */
static struct tt_chip_place place_chip(void *context, const struct marker_log *log, const struct marker_chip *chip,
                                       const struct clock *clock)
{
    const struct feeding *feeding = context;
    size_t device = device_of_chip(feeding, log, chip);
    int64_t limit = clock_limit(clock);
    struct tt_chip_place place = {
        .offset = feeding->first_call - clock_span_ns(clock, chip->t0 < limit ? chip->t0 : limit),
        .order = feed_order(&tenstorrent_engine_operation, (uint32_t)device),
    };

    if (device < feeding->device_count && feeding->devices[device].any)
        place.offset = feeding->devices[device].offset;
    for (size_t i = 0; i < feeding->markers->count; i++)
        place.named_by_clock |= &feeding->markers->logs[i] != log && has_chip(&feeding->markers->logs[i], chip->id);
    return place;
}

static status push_chip_ops(void *context, const struct marker_log *log, const struct marker_chip *chip, track_id group)
{
    struct feeding *feeding = context;
    size_t device = device_of_chip(feeding, log, chip);

    return device < feeding->device_count ? push_device(feeding, device, group) : STATUS_OK;
}

static status push_devices(struct feeding *feeding, struct source *source)
{
    struct tt_chip_host host = { .context = feeding, .place = place_chip, .ops = push_chip_ops };
    status code = STATUS_OK;

    find_placed(feeding);
    for (size_t i = 0; feeding->markers && i < feeding->markers->count && code == STATUS_OK; i++)
        code = tt_device_feed_hosted(source, &feeding->markers->logs[i], feeding->feed, &host);
    for (size_t i = 0; i < feeding->device_count && code == STATUS_OK; i++) {
        const struct device *device = &feeding->devices[i];

        /* With markers the rows that have none are often those that ran nowhere. */
        if (device->track == NO_ID && (!feeding->markers || device->ran))
            code = push_device(feeding, i, NO_ID);
    }
    return code;
}

/* Host calls by start, signposts as instants on a line of their own. */
static status push_host_row(struct feeding *feeding, const struct placed *placed, track_id track)
{
    const struct op_row *row = op_row_at(feeding->report, placed->row);
    bool signpost = placed->device;
    struct argument arguments[MOST_ARGUMENTS];
    struct slice slice = {
        .track = track,
        .name = placed->name,
        .op = NO_ID,
        .run = NO_ID,
        .start = placed->start,
        .end = placed->end,
        .flow = feeding->flows[placed->row],
        .arguments = arguments,
    };
    status code;

    if (signpost && !feeding->listener)
        add_text(&slice, arguments, KEY_NOTE, row->attributes);
    if (signpost)
        return SINK_CALL(&feeding->feed->sink, instant, &slice);
    code = operator_of(feeding, row, &slice.op);
    if (code != STATUS_OK)
        return code;
    if (!feeding->listener) {
        add_text(&slice, arguments, KEY_OP, row->type);
        add_integer(&slice, arguments, feeding->keys.call, row->call);
    }
    return sink_slice(&feeding->feed->sink, &slice);
}

/* The hosts from one place to another, on the line of an engine. */
static status push_hosts(struct feeding *feeding, const struct engine *engine, size_t from, size_t end)
{
    track_id track;
    status code = from < end ? feed_engine(feeding->feed, engine, 0, feeding->clock, &track) : STATUS_OK;

    for (size_t i = from; i < end && !feeding->quiet && code == STATUS_OK; i++)
        code = push_host_row(feeding, &feeding->hosts[i], track);
    return code;
}

static status push_host(struct feeding *feeding)
{
    status code = push_hosts(feeding, &tenstorrent_engine_host, 0, feeding->host_count);

    return code == STATUS_OK
               ? push_hosts(feeding, &tenstorrent_engine_signpost, feeding->first_mark, feeding->report->rows.count)
               : code;
}

static status push_all(struct feeding *feeding, struct source *source)
{
    struct clock clock = clock_nanoseconds(0);
    status code = feed_clock(feeding->feed, &clock, &feeding->clock);

    feeding->operators =
        memory_allocate_clear(((size_t)strings_count(feeding->feed->strings) + 1) * sizeof *feeding->operators);
    if (!feeding->operators)
        return status_no_memory("announcing operators");
    if (code == STATUS_OK)
        code = measure_clocks(feeding);
    if (code == STATUS_OK)
        code = tie_clocks(feeding);
    if (code == STATUS_OK)
        code = find_runs(feeding);
    if (code == STATUS_OK)
        code = place_rows(feeding);
    if (code == STATUS_OK)
        code = push_runs(feeding);
    if (code == STATUS_OK)
        code = push_host(feeding);
    return code == STATUS_OK ? push_devices(feeding, source) : code;
}

/* A note with a number in it lives in the pool of strings. */
static status note_undrawn(const struct feeding *feeding, struct source *source)
{
    string_id note;
    status code =
        strings_add_format(feeding->feed->strings, &note,
                           "rows that tell neither host times nor cycles of a device, and are not in the trace: %llu",
                           (unsigned long long)feeding->undrawn);

    if (code == STATUS_OK)
        source_note(source, strings_text(feeding->feed->strings, note));
    return code;
}

status op_report_feed(struct source *source, struct feed *feed, const struct op_report *report)
{
    return op_report_feed_markers(source, feed, report, NULL);
}

status op_report_feed_markers(struct source *source, struct feed *feed, const struct op_report *report,
                              const struct op_markers *markers)
{
    struct feeding feeding = { .feed = feed, .report = report, .markers = markers, .listener = op_listener_of(source) };
    status code;

    assert(!markers || markers->count);
    feed->losses = report->losses;
    if (feeding.listener)
        feeding.first = feeding.listener->first;
    code = tenstorrent_keys_start(&feeding.keys, feed->strings);
    if (code == STATUS_OK)
        code = push_all(&feeding, source);
    if (feeding.joined && !feeding.listener) /* how it is drawn is nothing to who looks at the operations */
        source_note(source, "the clocks of host and devices are not tied in the file: each device is drawn as early as "
                            "it can be without an operation before its call");
    if (markers && markers->count > 1 && !feeding.listener)
        source_note(source,
                    "device logs tell different clocks: a chip is drawn once for each, tied to the host by itself");
    if (feeding.by_host && !feeding.listener)
        source_note(source, "operations without cycles are drawn behind one another, none before its call");
    if (code == STATUS_OK && feeding.undrawn)
        code = note_undrawn(&feeding, source);
    memory_free(feeding.devices);
    memory_free(feeding.operators);
    memory_free(feeding.run_of);
    memory_free(feeding.runs);
    memory_free(feeding.placed);
    memory_free(feeding.hosts);
    memory_free(feeding.flows);
    return code;
}
