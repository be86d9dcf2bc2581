/* ops_tables.c: calls of ops and the cores that worked for them, from the timeline of their logs. */
#include "tenstorrent/ops_tables.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/path.h"
#include "tenstorrent/chain.h"
#include "tenstorrent/op_report.h"
#include "trace/store.h"

/* A slice of the timeline with what the tables say of it. */
struct drawn {
    uint32_t slice;     /* of the store */
    uint32_t chip;      /* group of tracks that it lies in, of a device */
    uint32_t depth;     /* of a call on the host, from 1 */
    int64_t call;       /* global call count; OP_NONE: not known */
    int64_t start, end; /* ns */
};

struct drawings {
    struct drawn *items;    /* owned */
    size_t count, capacity; /* of items */
};

/* A call, on either side. */
struct call_shown {
    const struct drawn *host;   /* NULL: only a device tells of it */
    const struct drawn *device; /* the longest of its devices; NULL: none */
    unsigned devices;           /* that it ran on */
};

/* A zone of a RISC in a call. */
struct core_shown {
    const struct drawn *zone; /* itself */
    const struct drawn *op;   /* that it worked for */
};

struct ops_shown {
    struct strings *strings;          /* of the session; borrowed */
    struct store store;               /* the timeline */
    struct op_report report;          /* the rows that it is made of */
    struct tenstorrent_keys keys;     /* of its arguments */
    struct drawings host, ops, zones; /* calls, operations on devices by chip and start, zones of cores */
    int64_t first;                    /* ns: start of the first call on the host */
    struct column calls;              /* struct call_shown */
    struct column cores;              /* struct core_shown */
};

static void free_shown(struct ops_shown *shown)
{
    memory_free(shown->host.items);
    memory_free(shown->ops.items);
    memory_free(shown->zones.items);
    column_free(&shown->calls);
    column_free(&shown->cores);
    op_report_free(&shown->report);
    store_free(&shown->store);
}

/* ---- From the timeline ---------------------------------------------------------------------------------------------- */

static status read_into(struct ops_shown *shown, struct job *job, struct session *session, const char *input)
{
    struct feed feed;
    status code = session_add(session, input, path_name(input));

    shown->strings = session->strings;
    op_report_start(&shown->report, session->strings);
    if (code == STATUS_OK)
        code = tenstorrent_keys_start(&shown->keys, session->strings);
    if (code != STATUS_OK)
        return code;
    feed_start(&feed, store_sink(&shown->store), session->strings);
    code = session_read(session, &session->profiles[0], &feed);
    feed_free(&feed);
    if (code == STATUS_OK)
        job_note_profile(job, &session->profiles[0]);
    return code;
}

/* The rows of the report, which tell more of calls than their slices do. */
static status read_rows(struct ops_shown *shown, const struct session *session)
{
    const struct profile *profile = &session->profiles[0];
    struct source source = { .path = profile->path };
    const struct tenstorrent_calls *calls = tenstorrent_calls(profile->reader);

    return calls->ops ? calls->ops(&source, &shown->report) : STATUS_OK;
}

/* The group that has a chip's tracks: above the line of its operations, and above the group of each core. */
static uint32_t chip_of(const struct store *store, const struct track *track)
{
    bool core = track->engine == &tenstorrent_engine_risc;

    if (core && track->parent != NO_ID)
        track = store_track(store, track->parent);
    return track->parent;
}

static status add_drawn(struct ops_shown *shown, struct drawings *to, size_t index)
{
    struct slice slice = store_slice(&shown->store, index);
    const struct track *track = store_track(&shown->store, slice.track);
    const struct clock *clock = track->clock == NO_ID ? NULL : store_clock(&shown->store, track->clock);
    const struct argument *call = argument_find(slice.arguments, slice.argument_count, shown->keys.call);
    status code = memory_grow(&to->items, &to->capacity, to->count + 1, sizeof *to->items);

    if (code == STATUS_OK)
        to->items[to->count++] =
            (struct drawn){ .slice = (uint32_t)index,
                            .chip = chip_of(&shown->store, track),
                            .call = call && call->type == ARGUMENT_INTEGER ? call->integer : OP_NONE,
                            .start = clock ? clock_ns(clock, slice.start) : slice.start,
                            .end = clock ? clock_ns(clock, slice.end) : slice.end };
    return code;
}

static status sort_out(struct ops_shown *shown)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < store_count(&shown->store) && code == STATUS_OK; i++) {
        const struct engine *engine = store_track(&shown->store, store_slice(&shown->store, i).track)->engine;

        if (store_is_instant(&shown->store, i))
            continue;
        if (engine == &tenstorrent_engine_host)
            code = add_drawn(shown, &shown->host, i);
        else if (engine == &tenstorrent_engine_operation)
            code = add_drawn(shown, &shown->ops, i);
        else if (engine == &tenstorrent_engine_risc)
            code = add_drawn(shown, &shown->zones, i);
    }
    return code;
}

/* By start; what encloses others before these. */
static int by_start(const void *one, const void *other)
{
    const struct drawn *a = one, *b = other;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->end != b->end)
        return a->end > b->end ? -1 : 1;
    return a->slice < b->slice ? -1 : 1;
}

static int by_chip_and_start(const void *one, const void *other)
{
    const struct drawn *a = one, *b = other;

    return a->chip == b->chip ? by_start(one, other) : a->chip < b->chip ? -1 : 1;
}

static void sort(struct drawings *drawings, int (*order)(const void *one, const void *other))
{
    if (drawings->count)
        qsort(drawings->items, drawings->count, sizeof *drawings->items, order);
}

/* ---- Calls ---------------------------------------------------------------------------------------------------------- */

static int by_call_of_row(const void *one, const void *other)
{
    const struct op_row *a = *(const struct op_row *const *)one, *b = *(const struct op_row *const *)other;

    return a->call == b->call ? 0 : a->call < b->call ? -1 : 1;
}

/* What the log tells goes before what the times say: it may lack the calls around one. */
static status take_depths(struct drawings *host, const struct op_report *report)
{
    const struct op_row **rows = memory_allocate((report->rows.count + 1) * sizeof *rows);
    struct op_row wanted = { .call = 0 };
    size_t count = 0;

    if (!rows)
        return status_no_memory("making a table");
    for (size_t i = 0; i < report->rows.count; i++)
        if (op_row_at(report, i)->depth && op_row_at(report, i)->call != OP_NONE)
            rows[count++] = op_row_at(report, i);
    if (count)
        qsort(rows, count, sizeof *rows, by_call_of_row);
    for (size_t i = 0; i < host->count && count; i++) {
        const struct op_row *key = &wanted, **found;

        wanted.call = host->items[i].call;
        found = bsearch(&key, rows, count, sizeof *rows, by_call_of_row);
        if (found)
            host->items[i].depth = (*found)->depth;
    }
    memory_free(rows);
    return STATUS_OK;
}

/* How many calls each lies in, itself included. They are sorted. */
static status find_depths(struct drawings *host)
{
    size_t *open = memory_allocate((host->count + 1) * sizeof *open), depth = 0;

    if (!open)
        return status_no_memory("making a table");
    for (size_t i = 0; i < host->count; i++) {
        while (depth && host->items[open[depth - 1]].end < host->items[i].end)
            depth--;
        open[depth++] = i;
        host->items[i].depth = (uint32_t)depth;
    }
    memory_free(open);
    return STATUS_OK;
}

static int by_call(const void *one, const void *other)
{
    const struct drawn *a = *(const struct drawn *const *)one, *b = *(const struct drawn *const *)other;

    if (a->call != b->call)
        return a->call < b->call ? -1 : 1;
    return a->start == b->start ? 0 : a->start < b->start ? -1 : 1;
}

/* Operations of devices by their calls; those without one are left out. */
static status list_by_call(const struct drawings *ops, const struct drawn ***list, size_t *count)
{
    const struct drawn **made = memory_allocate((ops->count + 1) * sizeof *made);

    *list = made;
    *count = 0;
    if (!made)
        return status_no_memory("making a table");
    for (size_t i = 0; i < ops->count; i++)
        if (ops->items[i].call != OP_NONE)
            made[(*count)++] = &ops->items[i];
    if (*count)
        qsort(made, *count, sizeof *made, by_call);
    return STATUS_OK;
}

static size_t first_of_call(const struct drawn *const *list, size_t count, int64_t call)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (list[middle]->call < call)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void join_devices(struct call_shown *shown, const struct drawn *const *list, size_t count, int64_t call)
{
    for (size_t i = first_of_call(list, count, call); call != OP_NONE && i < count && list[i]->call == call; i++) {
        shown->devices++;
        if (!shown->device || list[i]->end - list[i]->start > shown->device->end - shown->device->start)
            shown->device = list[i];
    }
}

static status add_call(struct ops_shown *shown, struct call_shown call)
{
    struct call_shown *added = column_append(&shown->calls);

    if (!added)
        return status_no_memory("making a table");
    *added = call;
    return STATUS_OK;
}

/* Calls of the host by start, then those that only a device tells of. */
static status list_calls(struct ops_shown *shown)
{
    const struct drawn **devices = NULL, **calls = NULL;
    size_t device_count = 0, call_count = 0;
    status code = find_depths(&shown->host);

    if (code == STATUS_OK)
        code = take_depths(&shown->host, &shown->report);
    if (code == STATUS_OK)
        code = list_by_call(&shown->ops, &devices, &device_count);
    if (code == STATUS_OK)
        code = list_by_call(&shown->host, &calls, &call_count);
    for (size_t i = 0; i < shown->host.count && code == STATUS_OK; i++) {
        struct call_shown call = { .host = &shown->host.items[i] };

        join_devices(&call, devices, device_count, call.host->call);
        code = add_call(shown, call);
    }
    for (size_t i = 0; i < device_count && code == STATUS_OK; i++) {
        size_t at = first_of_call(calls, call_count, devices[i]->call);
        struct call_shown call = { .host = NULL };

        if ((at < call_count && calls[at]->call == devices[i]->call) || (i && devices[i - 1]->call == devices[i]->call))
            continue;
        join_devices(&call, devices, device_count, devices[i]->call);
        code = add_call(shown, call);
    }
    shown->first = shown->host.count ? shown->host.items[0].start : 0;
    memory_free(devices);
    memory_free(calls);
    return code;
}

static const struct call_shown *call_at(const void *context, size_t row)
{
    return column_at(&((const struct ops_shown *)context)->calls, row);
}

static const struct drawn *either(const struct call_shown *call)
{
    return call->host ? call->host : call->device;
}

static struct table_cell cell_number(int64_t value)
{
    return value == OP_NONE ? cell_null() : cell_integer(value);
}

static struct table_cell text_of_id(const struct ops_shown *shown, string_id id)
{
    return id ? cell_text(strings_text(shown->strings, id)) : cell_null();
}

static struct table_cell get_call(const void *context, size_t row)
{
    return cell_number(either(call_at(context, row))->call);
}

static struct table_cell get_op(const void *context, size_t row)
{
    const struct ops_shown *shown = context;

    return text_of_id(shown, store_slice(&shown->store, either(call_at(context, row))->slice).name);
}

static struct table_cell get_depth(const void *context, size_t row)
{
    const struct drawn *host = call_at(context, row)->host;

    return host ? cell_integer(host->depth) : cell_null();
}

static struct table_cell get_start(const void *context, size_t row)
{
    const struct drawn *host = call_at(context, row)->host;

    return host ? cell_integer(host->start - ((const struct ops_shown *)context)->first) : cell_null();
}

static struct table_cell get_duration(const void *context, size_t row)
{
    const struct drawn *host = call_at(context, row)->host;

    return host ? cell_integer(host->end - host->start) : cell_null();
}

static struct table_cell get_device_time(const void *context, size_t row)
{
    const struct drawn *device = call_at(context, row)->device;

    return device ? cell_integer(device->end - device->start) : cell_null();
}

static struct table_cell get_devices(const void *context, size_t row)
{
    return cell_integer(call_at(context, row)->devices);
}

/* Of the operation on the device: what it says of itself. */
static struct table_cell get_argument(const struct ops_shown *shown, const struct drawn *device, string_id key)
{
    struct slice slice = device ? store_slice(&shown->store, device->slice) : (struct slice){ .argument_count = 0 };
    const struct argument *found = argument_find(slice.arguments, slice.argument_count, key);

    return found && found->type == ARGUMENT_INTEGER ? cell_integer(found->integer) : cell_null();
}

static struct table_cell get_kernel(const void *context, size_t row)
{
    const struct ops_shown *shown = context;

    return get_argument(shown, call_at(context, row)->device, shown->keys.kernel_ns);
}

static struct table_cell get_cores(const void *context, size_t row)
{
    const struct ops_shown *shown = context;

    return get_argument(shown, call_at(context, row)->device, shown->keys.cores);
}

static const struct field call_fields[] = {
    { .key = "call", .title = "Call", .type = CELL_INTEGER, .description = "global call count", .get = get_call },
    { .key = "op", .title = "Op", .type = CELL_TEXT, .description = "its name", .get = get_op },
    { .key = "depth",
      .title = "Depth",
      .type = CELL_INTEGER,
      .description = "calls on the host that it lies in, with itself",
      .get = get_depth },
    { .key = "start",
      .title = "Start",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "on the host, since the first call",
      .get = get_start },
    { .key = "duration",
      .title = "Host",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "time of the call on the host",
      .get = get_duration },
    { .key = "device_time",
      .title = "Device",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "time on the device, of several the longest",
      .get = get_device_time },
    { .key = "kernel",
      .title = "Kernel",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "of that the time in kernels",
      .get = get_kernel },
    { .key = "cores", .title = "Cores", .type = CELL_INTEGER, .description = "that it used", .get = get_cores },
    { .key = "devices", .title = "Devices", .type = CELL_INTEGER, .description = "that it ran on", .get = get_devices },
    { .key = NULL },
};
static const struct field_set call_set = { "call", call_fields };
static const struct field_set *const call_sets[] = { &call_set, NULL };

/* ---- Cores ---------------------------------------------------------------------------------------------------------- */

/* The operation of its chip that a zone began in; NULL: none. Operations are sorted by chip and start. */
static const struct drawn *op_of(const struct drawings *ops, const struct drawn *zone)
{
    size_t low = 0, high = ops->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct drawn *op = &ops->items[middle];

        if (op->chip < zone->chip || (op->chip == zone->chip && op->start <= zone->start))
            low = middle + 1;
        else
            high = middle;
    }
    if (!low || ops->items[low - 1].chip != zone->chip || ops->items[low - 1].end < zone->start)
        return NULL;
    return &ops->items[low - 1];
}

static status list_cores(struct ops_shown *shown)
{
    sort(&shown->ops, by_chip_and_start);
    for (size_t i = 0; i < shown->zones.count; i++) {
        const struct drawn *op = op_of(&shown->ops, &shown->zones.items[i]);
        struct core_shown *added = op && op->call != OP_NONE ? column_append(&shown->cores) : NULL;

        if (added)
            *added = (struct core_shown){ .zone = &shown->zones.items[i], .op = op };
        else if (op && op->call != OP_NONE)
            return status_no_memory("making a table");
    }
    return STATUS_OK;
}

static const struct core_shown *core_at(const void *context, size_t row)
{
    return column_at(&((const struct ops_shown *)context)->cores, row);
}

static const struct track *track_at(const void *context, size_t row)
{
    const struct ops_shown *shown = context;

    return store_track(&shown->store, store_slice(&shown->store, core_at(context, row)->zone->slice).track);
}

static struct table_cell name_of_track(const struct ops_shown *shown, uint32_t track)
{
    return track == NO_ID ? cell_null() : text_of_id(shown, store_track(&shown->store, track)->name);
}

static struct table_cell get_zone_call(const void *context, size_t row)
{
    return cell_number(core_at(context, row)->op->call);
}

static struct table_cell get_chip(const void *context, size_t row)
{
    return name_of_track(context, core_at(context, row)->op->chip);
}

static struct table_cell get_core(const void *context, size_t row)
{
    return name_of_track(context, track_at(context, row)->parent);
}

static struct table_cell get_risc(const void *context, size_t row)
{
    return text_of_id(context, track_at(context, row)->name);
}

static struct table_cell get_zone(const void *context, size_t row)
{
    const struct ops_shown *shown = context;

    return text_of_id(shown, store_slice(&shown->store, core_at(context, row)->zone->slice).name);
}

static struct table_cell get_zone_start(const void *context, size_t row)
{
    return cell_integer(core_at(context, row)->zone->start - core_at(context, row)->op->start);
}

static struct table_cell get_zone_duration(const void *context, size_t row)
{
    return cell_integer(core_at(context, row)->zone->end - core_at(context, row)->zone->start);
}

static const struct field core_fields[] = {
    { .key = "call", .title = "Call", .type = CELL_INTEGER, .description = "global call count", .get = get_zone_call },
    { .key = "chip", .title = "Chip", .type = CELL_TEXT, .description = "that the core is of", .get = get_chip },
    { .key = "core", .title = "Core", .type = CELL_TEXT, .description = "where it lies", .get = get_core },
    { .key = "risc", .title = "RISC", .type = CELL_TEXT, .description = "of the core", .get = get_risc },
    { .key = "zone",
      .title = "Zone",
      .type = CELL_TEXT,
      .description = "firmware, kernel and others",
      .get = get_zone },
    { .key = "start",
      .title = "Start",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "since the op began on its device",
      .get = get_zone_start },
    { .key = "duration",
      .title = "Duration",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "of the zone",
      .get = get_zone_duration },
    { .key = NULL },
};
static const struct field_set core_set = { "core", core_fields };
static const struct field_set *const core_sets[] = { &core_set, NULL };

/* ---- Tables --------------------------------------------------------------------------------------------------------- */

static status make(struct ops_shown *shown, const struct view_request *request, bool cores, struct table **table)
{
    static const char *const call_keys[] = { "call",        "op",     "depth", "start", "duration",
                                             "device_time", "kernel", "cores", NULL };
    static const struct view call_view = { .name = "calls", .title = "Calls of ops", .keys = call_keys };
    static const struct view core_view = { .name = "call_cores", .title = "Cores at work for calls of ops" };
    static const struct view *const call_views[] = { &call_view, NULL }, *const core_views[] = { &core_view, NULL };
    struct rows rows = { cores ? "core" : "call", cores ? core_sets : call_sets, shown, 0 };
    status code = sort_out(shown);

    sort(&shown->host, by_start);
    if (code == STATUS_OK)
        code = cores ? list_cores(shown) : list_calls(shown);
    rows.count = cores ? shown->cores.count : shown->calls.count;
    return code == STATUS_OK ? view_table(&rows, cores ? core_views : call_views, request, table) : code;
}

static status table_of(struct job *job, const char *input, bool cores, struct table **table)
{
    struct ops_shown shown = { .first = 0 };
    struct session session;
    status code = session_start(&session, &(struct session_options){ .format = NULL });

    assert(input);
    store_start(&shown.store);
    column_start(&shown.calls, sizeof(struct call_shown));
    column_start(&shown.cores, sizeof(struct core_shown));
    if (code == STATUS_OK)
        code = read_into(&shown, job, &session, input);
    if (code == STATUS_OK && !cores)
        code = read_rows(&shown, &session);
    if (code == STATUS_OK)
        code = make(&shown, &job->view, cores, table);
    free_shown(&shown);
    session_end(&session);
    return code;
}

status ops_calls_table(struct job *job, const char *input, struct table **table)
{
    return table_of(job, input, false, table);
}

status ops_cores_table(struct job *job, const char *input, struct table **table)
{
    return table_of(job, input, true, table);
}
