/* tracy_join.c: ops of the host and ops of the devices become rows.
 *
 * Both have a device and a number (the global call count is the run host ID). An op that was captured in a trace has a row for
 * the call that captured it, and one for each replay in which it ran. Nothing is left out because its other half is missing.
 *
 * Rows stand in order of time: of the host's call, of a replay's message, of a signpost. What the host does not tell of comes
 * behind the op that ran before it on the same device. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "tenstorrent/tracy.h"

struct joined {
    int64_t time;      /* ns of the host; OP_NONE: not known yet */
    int64_t call_time; /* of a replay: ns of its message; OP_NONE: not known */
    int64_t first;     /* cycles of the device; OP_NONE: it did not run there */
    int64_t trace;     /* OP_NONE: none */
    int64_t replay;    /* of that trace; OP_NONE: none */
    int32_t device;    /* id */
    uint32_t sequence; /* breaks ties */
    uint32_t host;     /* op; NO_ID: none */
    uint32_t times;    /* NO_ID: none */
    uint32_t signpost; /* NO_ID: it is none */
};

struct joining {
    struct tracy *tracy;        /* borrowed */
    struct op_details *details; /* that are filled; borrowed */
    uint32_t *hosts;            /* ops of devices, by device and call */
    size_t host_count;          /* of hosts */
    uint32_t *runs;             /* times, by device, call, trace, replay, time */
    size_t run_count;           /* of runs */
    struct joined *rows;        /* what comes out; owned */
    size_t count, capacity;     /* of rows */
    string_id device_type;      /* tt_dnn_device */
};

/* ---- Order ---- */

static int order_of(int64_t one, int64_t other)
{
    return (one > other) - (one < other);
}

static int compare_hosts(const void *one, const void *other, void *context)
{
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    const struct tracy_op *first = tracy_op_at(context, a), *second = tracy_op_at(context, b);
    int order = order_of(first->device, second->device);

    if (!order)
        order = order_of(first->call, second->call);
    return order ? order : order_of(a, b);
}

static int compare_runs(const void *one, const void *other, void *context)
{
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    const struct op_times *first = (const struct op_times *)context + a, *second = (const struct op_times *)context + b;
    const int orders[] = { order_of(first->device, second->device), order_of(first->call, second->call),
                           order_of(first->trace, second->trace),   order_of(first->replay, second->replay),
                           order_of(first->first, second->first),   order_of(a, b) };

    for (unsigned i = 0; i < sizeof orders / sizeof *orders; i++)
        if (orders[i])
            return orders[i];
    return 0;
}

static int compare_rows(const void *one, const void *other)
{
    const struct joined *a = one, *b = other;
    int order = order_of(a->time, b->time);

    if (!order)
        order = order_of(a->device, b->device);
    if (!order)
        order = order_of(a->first, b->first);
    return order ? order : order_of(a->sequence, b->sequence);
}

static int compare_devices(const void *one, const void *other)
{
    const struct joined *a = one, *b = other;
    int order = order_of(a->device, b->device);

    if (!order)
        order = order_of(a->first, b->first);
    return order ? order : order_of(a->sequence, b->sequence);
}

static status sort_both(struct joining *joining)
{
    struct tracy *tracy = joining->tracy;
    struct op_times_list *times = &joining->details->times;

    joining->hosts = memory_allocate((tracy->ops.count + 1) * sizeof *joining->hosts);
    joining->runs = memory_allocate((times->count + 1) * sizeof *joining->runs);
    if (!joining->hosts || !joining->runs)
        return status_no_memory("joining ops");
    for (uint32_t i = 0; i < tracy->ops.count; i++) {
        struct tracy_op *op = tracy_op_at(tracy, i);

        /* The device is a part of the number that a program has on it. */
        if (op->kind == TRACY_DEVICE_OP && op->device < 0 && op->call != OP_NONE)
            op->device = (int32_t)(op->call & 1023);
        if (op->kind == TRACY_DEVICE_OP && op->call != OP_NONE)
            joining->hosts[joining->host_count++] = i;
    }
    for (uint32_t i = 0; i < times->count; i++)
        joining->runs[joining->run_count++] = i;
    if (joining->host_count)
        qsort_r(joining->hosts, joining->host_count, sizeof *joining->hosts, compare_hosts, tracy);
    if (joining->run_count)
        qsort_r(joining->runs, joining->run_count, sizeof *joining->runs, compare_runs, times->items);
    return STATUS_OK;
}

/* ---- Rows ---- */

static struct joined *add_row(struct joining *joining, uint32_t host, uint32_t times)
{
    struct joined *row;

    if (memory_grow(&joining->rows, &joining->capacity, joining->count + 1, sizeof *joining->rows) != STATUS_OK)
        return NULL;
    row = &joining->rows[joining->count];
    *row = (struct joined){ .time = OP_NONE,
                            .call_time = OP_NONE,
                            .first = OP_NONE,
                            .trace = OP_NONE,
                            .replay = OP_NONE,
                            .device = -1,
                            .sequence = (uint32_t)joining->count,
                            .host = host,
                            .times = times,
                            .signpost = NO_ID };
    joining->count++;
    if (host != NO_ID) {
        const struct tracy_op *op = tracy_op_at(joining->tracy, host);

        row->device = op->device;
        row->trace = op->trace;
        row->time = op->start != OP_NONE ? op->start : op->message;
    }
    if (times != NO_ID) {
        const struct op_times *run = &joining->details->times.items[times];

        row->device = run->device;
        row->first = run->first;
        if (run->trace != OP_NONE)
            row->trace = run->trace;
        row->replay = run->replay;
    }
    return row;
}

/* When the message of a replay was sent. */
static void time_replay(struct joining *joining, struct joined *row, int64_t call)
{
    struct tracy *tracy = joining->tracy;
    uint32_t found = NO_ID;

    if (row->trace != OP_NONE && row->device >= 0 && row->replay > 0) /* with 0 the map says how many there are */
        found = number_map_find(&tracy->replayed, tracy_trace_key(row->device, row->trace), (uint64_t)row->replay);
    row->time = OP_NONE;
    if (found != NO_ID)
        row->time = row->call_time = *(int64_t *)column_at(&tracy->replays, found);
    else if (row->host != NO_ID)
        op_details_odd(joining->details, OP_ODD_NO_REPLAY, call, 0);
}

/* An op of the host that did not run on its device, as far as is known. */
static status add_host(struct joining *joining, uint32_t host)
{
    const struct tracy_op *op = tracy_op_at(joining->tracy, host);
    enum op_odd odd = op->trace != OP_NONE ? OP_ODD_NOT_REPLAYED : OP_ODD_NO_DEVICE;

    if (!add_row(joining, host, NO_ID))
        return status_no_memory("joining ops");
    if (op->kind == TRACY_DEVICE_OP && joining->details->device_source != OP_DEVICE_NONE)
        op_details_odd(joining->details, odd, op->call, op->line);
    return STATUS_OK;
}

static status add_run(struct joining *joining, uint32_t host, uint32_t times, bool again)
{
    const struct op_times *run = &joining->details->times.items[times];
    struct joined *row = add_row(joining, host, times);

    if (!row)
        return status_no_memory("joining ops");
    if (host == NO_ID) {
        if (joining->details->host)
            op_details_odd(joining->details, OP_ODD_NO_HOST, run->call, 0);
        if (row->replay != OP_NONE)
            time_replay(joining, row, run->call);
        return STATUS_OK;
    }
    if (row->trace != OP_NONE && row->replay == OP_NONE)
        row->replay = (int64_t)run->repetition + 1;
    if (row->replay != OP_NONE)
        time_replay(joining, row, run->call);
    else if (again)
        op_details_odd(joining->details, OP_ODD_RAN_AGAIN, run->call, 0);
    return STATUS_OK;
}

/* The calls that captured an op: it did not run then. */
static status add_captures(struct joining *joining, const uint32_t *hosts, size_t host_count)
{
    for (size_t i = 0; i < host_count; i++)
        if (tracy_op_at(joining->tracy, hosts[i])->trace != OP_NONE && !add_row(joining, hosts[i], NO_ID))
            return status_no_memory("joining ops");
    return STATUS_OK;
}

/* Ops and runs with the same device and number: one to one; what runs more often belongs to the last op. */
static status join_group(struct joining *joining, const uint32_t *hosts, size_t host_count, const uint32_t *runs,
                         size_t run_count)
{
    status code = run_count ? add_captures(joining, hosts, host_count < run_count ? host_count : run_count) : STATUS_OK;

    for (size_t i = 0; i < run_count && code == STATUS_OK; i++) {
        uint32_t host = !host_count ? NO_ID : hosts[i < host_count ? i : host_count - 1];

        code = add_run(joining, host, runs[i], i >= host_count);
    }
    for (size_t i = run_count; i < host_count && code == STATUS_OK; i++)
        code = add_host(joining, hosts[i]);
    return code;
}

static status join_all(struct joining *joining)
{
    const struct op_times *times = joining->details->times.items;
    size_t host = 0, run = 0;
    status code = STATUS_OK;

    while (code == STATUS_OK && (host < joining->host_count || run < joining->run_count)) {
        size_t first_host = host, first_run = run;
        int64_t device = INT64_MAX, call = INT64_MAX;

        if (host < joining->host_count) {
            const struct tracy_op *op = tracy_op_at(joining->tracy, joining->hosts[host]);

            device = op->device;
            call = op->call;
        }
        if (run < joining->run_count) {
            const struct op_times *next = &times[joining->runs[run]];

            if (next->device < device || (next->device == device && next->call < call)) {
                device = next->device;
                call = next->call;
            }
        }
        for (; host < joining->host_count; host++) {
            const struct tracy_op *op = tracy_op_at(joining->tracy, joining->hosts[host]);

            if (op->device != device || op->call != call)
                break;
        }
        while (run < joining->run_count && times[joining->runs[run]].device == device &&
               times[joining->runs[run]].call == call)
            run++;
        code = join_group(joining, joining->hosts + first_host, host - first_host, joining->runs + first_run,
                          run - first_run);
    }
    return code;
}

static status add_others(struct joining *joining)
{
    struct tracy *tracy = joining->tracy;
    status code = STATUS_OK;

    for (uint32_t i = 0; i < tracy->ops.count && code == STATUS_OK; i++) {
        const struct tracy_op *op = tracy_op_at(tracy, i);

        if (op->kind != TRACY_DEVICE_OP || op->call == OP_NONE)
            code = add_host(joining, i);
        if (op->start == OP_NONE && code == STATUS_OK && joining->details->host_times)
            op_details_odd(joining->details, OP_ODD_NO_TIME, op->call, op->line);
    }
    for (uint32_t i = 0; i < tracy->signposts.count && code == STATUS_OK; i++) {
        struct joined *row = add_row(joining, NO_ID, NO_ID);

        if (!row)
            return status_no_memory("joining ops");
        row->signpost = i;
        row->time = ((struct tracy_signpost *)column_at(&tracy->signposts, i))->time;
    }
    return code;
}

/* What has no time of the host comes behind the run before it on its device. */
static void place_rows(struct joining *joining)
{
    int64_t last = OP_NONE;

    if (!joining->count)
        return;
    qsort(joining->rows, joining->count, sizeof *joining->rows, compare_devices);
    for (size_t i = 0; i < joining->count; i++) {
        struct joined *row = &joining->rows[i];

        if (i == 0 || row->device != row[-1].device)
            last = OP_NONE;
        if (row->time == OP_NONE)
            row->time = last;
        else if (row->first != OP_NONE)
            last = row->time;
    }
    qsort(joining->rows, joining->count, sizeof *joining->rows, compare_rows);
}

/* ---- The report ---- */

static int32_t padded_size(struct text text)
{
    const char *cursor = text.data;
    uint64_t size;

    return number_read_unsigned(&cursor, text.data + text.length, &size) && size <= INT32_MAX ? (int32_t)size : -1;
}

static void fill_tensors(const struct joining *joining, const struct op_info *info, struct op_row *row)
{
    const struct strings *strings = joining->tracy->strings;

    for (unsigned i = 0; i < (unsigned)info->inputs + info->outputs; i++) {
        const struct op_tensor_detail *detail = column_at(&joining->details->tensors, info->first_tensor + i);
        struct op_tensor tensor = { .datatype = detail->datatype, .memory = detail->memory };
        double bytes;

        for (unsigned s = 0; s < 4; s++)
            tensor.size[s] = detail->size[s] ? padded_size(strings_get(strings, detail->size[s])) : -1;
        if (i < info->inputs && i < 2)
            row->inputs[i] = tensor;
        if (i == info->inputs)
            row->output = tensor;
        bytes = op_tensor_in_dram(strings, &tensor) ? op_tensor_bytes(strings, &tensor) : 0;
        if (bytes > 0)
            row->dram_bytes += bytes;
    }
}

static void fill_info(const struct joining *joining, const struct op_info *info, struct op_row *row)
{
    if (info->code)
        row->code = info->code;
    if (info->type)
        row->type = info->type;
    row->attributes = info->attributes;
    row->fidelity = info->fidelity;
    fill_tensors(joining, info, row);
}

/* A replay is called by one message for all its ops, at `time`. */
static status fill_host(struct joining *joining, const struct tracy_op *op, bool replayed, int64_t time,
                        struct op_row *row)
{
    static const char *const types[] = {
        [TRACY_DEVICE_OP] = "tt_dnn_device", [TRACY_HOST_OP] = "tt_dnn_cpu", [TRACY_FALL_BACK_OP] = "python_fallback"
    };

    row->code = op->name;
    row->device = op->device;
    row->call = op->call;
    row->host_start = replayed ? time : op->start;
    if (op->start != OP_NONE && !replayed) {
        row->host_duration = op->duration;
        row->host_end = op->start + op->duration;
    }
    return strings_add_text(joining->tracy->strings, types[op->kind], &row->type);
}

static status emit_signpost(struct joining *joining, const struct joined *joined, struct op_row *row)
{
    const struct tracy_signpost *signpost = column_at(&joining->tracy->signposts, joined->signpost);

    row->kind = OP_SIGNPOST;
    row->code = signpost->header;
    row->attributes = signpost->message;
    row->host_start = signpost->time;
    return strings_add_text(joining->tracy->strings, "signpost", &row->type);
}

static status emit_op(struct joining *joining, const struct joined *joined, struct op_row *row)
{
    const struct tracy_op *op = joined->host == NO_ID ? NULL : tracy_op_at(joining->tracy, joined->host);
    const struct op_times *times = joined->times == NO_ID ? NULL : &joining->details->times.items[joined->times];
    status code = STATUS_OK;

    if (op) {
        code = fill_host(joining, op, joined->replay != OP_NONE, joined->call_time, row);
        row->parts.info = op->info;
        row->parts.functions = joined->replay == OP_NONE ? op->calls : NO_ID;
        row->parts.hit = op->hit;
    } else {
        row->type = joining->device_type;
    }
    if (times) {
        op_times_fill(times, row);
        row->parts.times = joined->times;
        row->parts.markers = 0;
        if (!row->code)
            row->code = times->name;
    }
    if (op && op->info != NO_ID)
        fill_info(joining, column_at(&joining->details->infos, op->info), row);
    if (code == STATUS_OK && !row->code)
        code = strings_add_format(joining->tracy->strings, &row->code, "op %lld", (long long)row->call);
    row->kind = row->type == joining->device_type ? OP_DEVICE : OP_HOST;
    row->trace = joined->trace;
    row->replay = joined->replay;
    return code;
}

static status emit_rows(struct joining *joining)
{
    struct op_report *report = joining->details->report;
    status code = strings_add_text(joining->tracy->strings, "tt_dnn_device", &joining->device_type);

    report->wait_sums = true;
    for (size_t i = 0; i < joining->count && code == STATUS_OK; i++) {
        struct op_row *row = op_report_add(report);

        if (!row)
            return status_no_memory("keeping operations");
        report->numbered++;
        row->number = report->numbered + 1;
        code = joining->rows[i].signpost != NO_ID ? emit_signpost(joining, &joining->rows[i], row)
                                                  : emit_op(joining, &joining->rows[i], row);
    }
    return code;
}

static int compare_functions(const void *one, const void *other, void *context)
{
    return strcmp(strings_text(context, *(const string_id *)one), strings_text(context, *(const string_id *)other));
}

static status sort_functions(struct joining *joining)
{
    const struct number_map *index = &joining->tracy->functions;
    struct op_details *details = joining->details;

    details->functions = memory_allocate((number_map_count(index) + 1) * sizeof *details->functions);
    if (!details->functions)
        return status_no_memory("keeping host functions");
    for (size_t i = 0; i < number_map_count(index); i++)
        if (number_map_entry(index, i)->value != MAP_NONE)
            details->functions[details->function_count++] = number_map_entry(index, i)->value;
    if (details->function_count)
        qsort_r(details->functions, details->function_count, sizeof *details->functions, compare_functions,
                joining->tracy->strings);
    return STATUS_OK;
}

status tracy_join(struct tracy *tracy)
{
    struct joining joining = { .tracy = tracy, .details = tracy->details };
    status code = sort_both(&joining);

    assert(tracy->details->report);
    tracy->details->host_ops = tracy->ops.count;
    if (code == STATUS_OK)
        code = join_all(&joining);
    if (code == STATUS_OK)
        code = add_others(&joining);
    if (code == STATUS_OK) {
        place_rows(&joining);
        code = emit_rows(&joining);
    }
    if (code == STATUS_OK)
        code = sort_functions(&joining);
    memory_free(joining.hosts);
    memory_free(joining.runs);
    memory_free(joining.rows);
    return code;
}
