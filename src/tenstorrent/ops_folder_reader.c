/* ops_folder_reader.c: reader `tt-ops-folder`: the log folder of tt-metal's op profiler as a report of operations and as a
 * timeline: calls of the host with the tt_metal functions inside, and on each chip the operations above the cores that ran them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "tenstorrent/chain.h"
#include "tenstorrent/device_beside.h"
#include "tenstorrent/ops_call.h"
#include "tenstorrent/ops_feed.h"
#include "tenstorrent/ops_folder.h"

#define LATEST (INT64_MAX / 4) /* times: sums of two must fit */

/* ---- Rows ---- */

struct filling {
    struct op_report *report; /* borrowed */
    uint64_t parts;           /* values that cannot be used; the rows are kept without them */
};

static status take_text(struct filling *filling, const char *text, string_id *id)
{
    *id = 0;
    return text && strcmp(text, "-") != 0 ? strings_add_text(filling->report->strings, text, id) : STATUS_OK;
}

/* The logs were read with care: what is no number any more is beyond all sense. */
static int64_t take_number(struct filling *filling, const char *text)
{
    int64_t value;

    if (!text)
        return OP_NONE;
    if (number_parse_integer(text, strlen(text), &value) && value >= -LATEST && value <= LATEST)
        return value;
    filling->parts++;
    return OP_NONE;
}

static int64_t take_cycles(struct filling *filling, bool known, uint64_t value)
{
    if (!known)
        return OP_NONE;
    if (value <= (uint64_t)LATEST)
        return (int64_t)value;
    filling->parts++;
    return OP_NONE;
}

/* "1024", and "2_3" of more than four dimensions: their product. */
static int32_t take_size(struct filling *filling, struct text size)
{
    const char *next = size.data, *end = size.data + size.length;
    uint64_t product = 1, factor;

    if (!size.length)
        return -1;
    while (number_read_unsigned(&next, end, &factor) && !__builtin_mul_overflow(product, factor, &product)) {
        if (next == end && product <= INT32_MAX)
            return (int32_t)product;
        if (next == end || *next++ != '_')
            break;
    }
    filling->parts++;
    return -1;
}

static status take_tensor(struct filling *filling, const struct op_tensor_text *text, struct op_tensor *tensor)
{
    status code = strings_add(filling->report->strings, text->datatype.data, text->datatype.length, &tensor->datatype);

    if (code == STATUS_OK)
        code = strings_add(filling->report->strings, text->memory.data, text->memory.length, &tensor->memory);
    for (unsigned i = 0; i < TENSOR_SIZES; i++)
        tensor->size[i] = take_size(filling, text->sizes[i]);
    return code;
}

static status take_tensors(struct filling *filling, const char *tensors, struct op_tensor *kept, size_t most,
                           double *dram_bytes)
{
    const struct strings *strings = filling->report->strings;
    struct text list = op_tensor_list(tensors);
    struct op_tensor_text text;
    status code = STATUS_OK;

    for (size_t i = 0; i < OP_MOST_TENSORS && code == STATUS_OK && op_tensor_next(&list, &text); i++) {
        struct op_tensor other, *tensor = i < most ? &kept[i] : &other;
        double bytes;

        if (text.empty)
            continue;
        code = take_tensor(filling, &text, tensor);
        bytes = code == STATUS_OK && op_tensor_in_dram(strings, tensor) ? op_tensor_bytes(strings, tensor) : 0;
        if (bytes > 0)
            *dram_bytes += bytes;
    }
    return code;
}

/* The chip whose cycles these are; where there are none, the one that the tensors name. */
static int32_t device_of(const struct op_call *call)
{
    int64_t chip = call->device.known ? call->device.chip : ops_chip_of(call);

    return chip >= 0 && chip < INT32_MAX / 2 ? (int32_t)chip : -1;
}

static void fill_times(struct filling *filling, const struct op_call *call, struct op_row *row)
{
    const struct op_device *device = &call->device;

    row->call = call->order == INT64_MAX ? OP_NONE : take_number(filling, call->call);
    row->host_start = take_number(filling, call->host_start);
    row->host_end = take_number(filling, call->host_end);
    row->host_duration = take_number(filling, call->host_duration);
    if (row->host_start != OP_NONE && row->host_end != OP_NONE && row->host_end < row->host_start) {
        filling->parts++;
        row->host_end = OP_NONE;
    }
    row->cores = device->known ? (int64_t)device->cores : OP_NONE;
    row->firmware_start = take_cycles(filling, device->known, device->first_cycle);
    row->firmware_end = take_cycles(filling, device->known, device->last_cycle);
    row->firmware_duration =
        take_cycles(filling, device->known && device->has[DURATION_FIRMWARE], device->duration_ns[DURATION_FIRMWARE]);
    row->kernel_duration =
        take_cycles(filling, device->known && device->has[DURATION_KERNEL], device->duration_ns[DURATION_KERNEL]);
}

static status fill_row(struct filling *filling, const struct op_call *call, struct op_row *row)
{
    status code = take_text(filling, call->name, &row->code);

    if (code == STATUS_OK)
        code = take_text(filling, call->type, &row->type);
    if (code == STATUS_OK)
        code = take_text(filling, call->architecture, &row->architecture);
    if (code == STATUS_OK)
        code = take_text(filling, call->attributes, &row->attributes);
    if (code == STATUS_OK)
        code = take_text(filling, call->fidelity, &row->fidelity);
    if (code == STATUS_OK)
        code = take_tensors(filling, call->inputs, row->inputs, 2, &row->dram_bytes);
    if (code == STATUS_OK)
        code = take_tensors(filling, call->outputs, &row->output, 1, &row->dram_bytes);
    row->depth = call->depth_text && call->depth < 1 << 24 ? call->depth & 0xFFFFFF : 0;
    row->number = ++filling->report->numbered + 1;
    row->kind = call->type && strcmp(call->type, "tt_dnn_device") == 0 ? OP_DEVICE : OP_HOST;
    row->device = row->kind == OP_DEVICE ? device_of(call) : -1;
    row->parts.markers = call->device.known ? call->markers : NO_ID;
    fill_times(filling, call, row);
    return code;
}

static status fill_report(const struct ops_folder *folder, const char *path, struct op_report *report)
{
    struct filling filling = { .report = report };
    struct op_columns columns = { .device = true, .host_start = true };
    size_t first = report->rows.count;
    status code = STATUS_OK;

    report->files++;
    for (size_t i = 0; i < folder->calls.count && code == STATUS_OK; i++) {
        struct op_row *row = op_report_add(report);

        code = row ? fill_row(&filling, &folder->calls.rows[i], row) : status_no_memory("keeping operations");
        if (code != STATUS_OK)
            break;
        columns.input_1_datatype |= op_tensor_count(folder->calls.rows[i].inputs) > 1;
        columns.device &= row->kind != OP_DEVICE || row->device >= 0;
    }
    if (code != STATUS_OK)
        return code;
    op_report_columns(report, OP_GENERATION_1, &columns);
    report->losses = ops_folder_losses(folder);
    losses_mark(&report->losses, &loss_part, filling.parts);
    return op_report_end(report, first, path);
}

static void note_folder(struct source *source, const struct ops_folder *folder)
{
    struct losses losses = ops_folder_losses(folder);

    if (folder->host_is_device)
        source_note(source, "host times are those of the run with device profiling, which is slower");
    else if (folder->device_ops)
        source_note(source,
                    "host times are those of the run without device profiling, device times those of the run with it");
    if (!folder->has_device)
        source_note(source, "there is no folder of the same name with _device behind it: device times are missing");
    if (folder->losses[OPS_LOSS_OTHER_CHIP].count)
        source_note(source, "a device log lacks the chip of its op's tensors: its first chip is taken for the op's");
    if (folder->losses[OPS_LOSS_UNKNOWN].count)
        source_note(source, "folders of activity outside any op are left out");
    if (losses_total(&losses))
        source_note(source, "tacho ops names the first place of each kind of loss");
}

static status read_ops(struct source *source, struct op_report *report)
{
    size_t first = report->rows.count;
    struct ops_reading reading;
    struct ops_folder folder;
    status code;

    ops_reading_start(&reading, source, report->strings, false);
    code = ops_folder_read_for(&reading, source->path, &folder);
    if (code == STATUS_OK)
        code = fill_report(&folder, source->path, report);
    if (code == STATUS_OK) {
        note_folder(source, &folder);
        if (folder.losses[OPS_LOSS_ELSEWHERE].count)
            source_note(source, "markers of chips that are not the op's are in no row");
    }
    op_report_drop_parts(report, first);
    ops_folder_free(&folder);
    ops_reading_free(&reading);
    return code;
}

/* ---- Timeline ---- */

static int by_start(const void *one, const void *other)
{
    const struct op_function_span *a = one, *b = other;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->end == b->end ? 0 : a->end > b->end ? -1 : 1;
}

static status push_functions(struct feed *feed, const struct ops_reading *reading, const struct ops_folder *folder)
{
    struct clock clock = { .numerator = 1, .denominator = 1 };
    struct track track = { .parent = feed->root,
                           .order = feed_order(&tenstorrent_engine_host, 0) + 1,
                           .kind = TRACK_SLICES,
                           .engine = &tenstorrent_engine_call };
    size_t count = reading->functions.count;
    struct op_function_span *spans;
    track_id id;
    status code;

    if (!count)
        return STATUS_OK;
    spans = memory_allocate(count * sizeof *spans);
    code = spans ? strings_add_text(feed->strings, "tt_metal functions", &track.name)
                 : status_no_memory("drawing functions");
    if (code == STATUS_OK)
        code = feed_clock(feed, &clock, &track.clock);
    if (code == STATUS_OK)
        code = feed_track(feed, track, &id);
    for (size_t i = 0; i < count && code == STATUS_OK; i++)
        spans[i] = *(struct op_function_span *)column_at(&reading->functions, i);
    if (code == STATUS_OK)
        qsort(spans, count, sizeof *spans, by_start);
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        struct slice slice = { .track = id, .op = NO_ID, .run = NO_ID, .start = spans[i].start, .end = spans[i].end };

        code = strings_add_text(feed->strings, folder->calls.functions[spans[i].function], &slice.name);
        if (code == STATUS_OK)
            code = sink_slice(&feed->sink, &slice);
    }
    memory_free(spans);
    return code;
}

static status push_report(struct source *source, struct feed *feed, struct ops_reading *reading,
                          const struct ops_folder *folder, const struct op_report *report)
{
    struct op_markers markers = { .logs = reading->logs, .count = reading->log_count };
    status code = STATUS_OK;

    for (size_t i = 0; i < reading->log_count && code == STATUS_OK; i++)
        code = marker_log_settle(&reading->logs[i]);
    if (code == STATUS_OK)
        code = op_report_feed_markers(source, feed, report, reading->log_count ? &markers : NULL);
    return code == STATUS_OK ? push_functions(feed, reading, folder) : code;
}

static status give_logs(const struct source *source, struct ops_reading *reading)
{
    struct op_listener *listener = op_listener_of(source);
    status code = STATUS_OK;

    for (size_t i = 0; i < reading->log_count && listener && code == STATUS_OK; i++)
        code = op_listener_take(listener, &reading->logs[i]);
    return code;
}

static status read(struct source *source, struct feed *feed)
{
    struct ops_reading reading;
    struct ops_folder folder;
    struct op_report own, *report = op_listener_report(source, &own, feed->strings);
    size_t first = report->rows.count;
    status code;

    ops_reading_start(&reading, source, feed->strings, true);
    code = ops_folder_read_for(&reading, source->path, &folder);
    if (code == STATUS_OK)
        code = fill_report(&folder, source->path, report);
    if (code == STATUS_OK) {
        losses_mark(&report->losses, &loss_part, reading.undrawn);
        note_folder(source, &folder);
        code = push_report(source, feed, &reading, &folder, report);
    }
    if (code == STATUS_OK)
        code = give_logs(source, &reading);
    op_report_drop_parts(report, first);
    ops_folder_free(&folder);
    ops_reading_free(&reading);
    op_report_free(&own);
    return code;
}

/* ---- Reader ---- */

static int probe_folder(const char *path)
{
    return ops_folder_probe(path);
}

static const struct tenstorrent_calls calls = { .ops = read_ops };

const struct reader tt_ops_folder_reader = {
    .id = "tt-ops-folder",
    .title = "Tenstorrent ops folder",
    .chain = &tenstorrent_chain,
    .own = &calls,
    .kind = READER_MEASURED,
    .files = "logs/ops/, logs/ops_device/",
    .probe_folder = probe_folder,
    .read = read,
    .details = device_beside_details,
    .release = device_beside_release,
};
