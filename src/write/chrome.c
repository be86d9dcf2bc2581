/* chrome.c: the trace as Chrome's JSON, for viewers that read nothing else.
 *
 * Processes are processes; lanes are their threads. Slices are begin and end events in file order per thread. Importers
 * sort ends before begins of the same time, which would tear empty slices apart: those are written as complete events.
 * Whether a slice is empty shows when time moves on, so begins are held back until then.
 *
 * What the format has no place for stands in metadata events of our own, which viewers pass over: see trace/chrome_own.h.
 */
#include <assert.h>
#include <stdio.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/number.h"
#include "table/json.h"
#include "trace/chrome_own.h"
#include "trace/held.h"
#include "write/announced.h"
#include "write/argument_json.h"
#include "write/lanes.h"
#include "write/writer.h"

struct chrome_lane {
    track_id track;       /* that the lane shows */
    uint32_t thread;      /* its number */
    int64_t time;         /* of the begins held back */
    struct held *begins;  /* not written yet, all at `time`, outermost first */
    size_t count;         /* of begins held back */
    size_t made;          /* of begins: those whose memory may be used again */
    size_t capacity;      /* of begins */
    string_id *open;      /* names of slices whose begin was written, outermost first: their ends repeat them */
    size_t depth;         /* of open */
    size_t open_capacity; /* of open */
};

/* The threads of a track's instants. */
struct chrome_instants {
    uint32_t *threads;          /* by lane; owned */
    size_t capacity;            /* of threads */
    uint32_t count;             /* of threads */
    struct instant_place place; /* of the last instant */
};

enum { ROWS_HELD = 4096 }; /* that one event tells */

/* Rows of numbers that wait for an event of ours. */
struct chrome_rows {
    int64_t (*rows)[CHROME_OWN_WIDTH]; /* owned */
    size_t count;                      /* of rows */
    size_t capacity;                   /* the same */
    uint32_t pid;                      /* that they are of */
    uint32_t first;                    /* number of the first of them, where they are counted */
};

struct chrome {
    struct announced announced;               /* first, as its calls need it */
    struct output *output;                    /* borrowed */
    struct strings *strings;                  /* borrowed */
    bool arguments;                           /* they are written */
    bool any;                                 /* an event was written */
    struct lanes *lanes;                      /* owned */
    struct column rows;                       /* struct chrome_lane by lane */
    struct column pids;                       /* uint32_t by track id: 0 where the track is no process */
    struct column instants;                   /* struct chrome_instants by track id */
    struct column categories;                 /* string_id by track id: of its slices; 0: none */
    uint32_t processes;                       /* process numbers given */
    uint32_t stray;                           /* process of tracks outside of any; 0: none yet */
    uint32_t threads;                         /* thread numbers given */
    unsigned char *flows;                     /* bit per flow: its first slice was written */
    size_t flow_bytes;                        /* of flows */
    struct chrome_rows own[CHROME_OWN_KINDS]; /* by what they tell */
    struct number_map step_keys;              /* a small number for each */
    clock_id step_clock;                      /* of the latest step */
    int64_t first;                            /* smallest time since the last process was announced; INT64_MAX: none */
    uint64_t events;                          /* begins and ends written */
};

/* --- pieces of JSON ----------------------------------------------------------------------------------------------- */

static void put(struct chrome *chrome, const char *text)
{
    output_write(chrome->output, text, strlen(text));
}

static void put_text(struct chrome *chrome, string_id id)
{
    struct text text = strings_get(chrome->strings, id);

    json_write_string(chrome->output, text.data, text.length);
}

/* Microseconds with exactly three decimals: nanoseconds survive. */
static void put_time(struct chrome *chrome, int64_t time)
{
    uint64_t magnitude = time < 0 ? 0 - (uint64_t)time : (uint64_t)time;
    unsigned rest = (unsigned)(magnitude % 1000);
    char *start = (char *)output_reserve(chrome->output, 32);
    char *to = start;

    if (time < 0)
        *to++ = '-';
    to += number_write_unsigned(to, magnitude / 1000);
    *to++ = '.';
    *to++ = (char)('0' + rest / 100);
    *to++ = (char)('0' + rest / 10 % 10);
    *to++ = (char)('0' + rest % 10);
    output_advance(chrome->output, (size_t)(to - start));
}

/* Everything up to `"pid":1,"tid":2`; the caller goes on from there and closes the object. */
static void begin_event(struct chrome *chrome, const char *phase, uint32_t pid, uint32_t tid)
{
    put(chrome, chrome->any ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
    chrome->any = true;
    put(chrome, phase);
    put(chrome, "\",\"pid\":");
    json_write_integer(chrome->output, pid);
    put(chrome, ",\"tid\":");
    json_write_integer(chrome->output, tid);
}

static void put_stamp(struct chrome *chrome, int64_t time)
{
    put(chrome, ",\"ts\":");
    put_time(chrome, time);
}

static void put_key(struct chrome *chrome, const char *key, bool *any)
{
    put(chrome, *any ? "," : ",\"args\":{");
    json_write_text(chrome->output, key);
    put(chrome, ":");
    *any = true;
}

/* JSON objects have each key once: the first value stays. */
static bool was_written(const struct slice *slice, const struct op *op, uint32_t index)
{
    string_id key = slice->arguments[index].key;

    if (op && ((key == KEY_LOCATION && op->location) || (key == KEY_OPERATOR && op->name && op->name != slice->name)))
        return true;
    return argument_find(slice->arguments, index, key) != NULL;
}

static void put_arguments(struct chrome *chrome, const struct slice *slice)
{
    const struct op *op = announced_operator(&chrome->announced, slice->op);
    bool any = false;

    if (op && op->location) {
        put_key(chrome, "location", &any);
        put_text(chrome, op->location);
    }
    if (op && op->name && op->name != slice->name) {
        put_key(chrome, "operator", &any);
        put_text(chrome, op->name);
    }
    for (uint32_t i = 0; i < slice->argument_count; i++) {
        const struct argument *argument = &slice->arguments[i];

        if (argument->flags & ARGUMENT_HIDDEN || was_written(slice, op, i))
            continue;
        put_key(chrome, strings_text(chrome->strings, argument->key), &any);
        argument_write_json(chrome->output, chrome->strings, argument);
    }
    if (any)
        put(chrome, "}");
}

/* --- processes and threads ---------------------------------------------------------------------------------------- */

static void write_metadata(struct chrome *chrome, const char *kind, uint32_t pid, uint32_t tid)
{
    begin_event(chrome, "M", pid, tid);
    put(chrome, ",\"name\":\"");
    put(chrome, kind);
    put(chrome, "\",\"args\":{");
}

static void write_process(struct chrome *chrome, uint32_t pid, struct text name, int64_t order)
{
    write_metadata(chrome, "process_name", pid, 0);
    put(chrome, "\"name\":");
    json_write_string(chrome->output, name.data, name.length);
    put(chrome, "}}");
    write_metadata(chrome, "process_sort_index", pid, 0);
    put(chrome, "\"sort_index\":");
    json_write_integer(chrome->output, order);
    put(chrome, "}}");
}

/* The process number of a track; tracks outside of any process share one. */
static uint32_t pid_of(struct chrome *chrome, track_id track)
{
    track_id process = announced_track(&chrome->announced, track)->process;

    if (process != NO_ID)
        return *(const uint32_t *)column_at(&chrome->pids, process);
    if (!chrome->stray) {
        chrome->stray = ++chrome->processes;
        write_process(chrome, chrome->stray, (struct text){ "Trace", 5 }, 0);
    }
    return chrome->stray;
}

enum { DEEPEST_GROUP = 8 }; /* groups that a thread's name and order tell */

/* Threads have no groups: the names of the groups become part of the name, outermost first. */
static void put_thread_name(struct chrome *chrome, track_id track)
{
    track_id chain[DEEPEST_GROUP];
    unsigned count = 0;
    char name[512];
    size_t length = 0;

    while (track != NO_ID && count < DEEPEST_GROUP) {
        const struct track *announced = &announced_track(&chrome->announced, track)->track;

        if (announced->kind == TRACK_PROCESS)
            break;
        chain[count++] = track;
        track = announced->parent;
    }
    while (count && length < sizeof name - 1) {
        const struct track *announced = &announced_track(&chrome->announced, chain[--count])->track;
        int written = snprintf(name + length, sizeof name - length, "%s%s", length ? " / " : "",
                               strings_text(chrome->strings, announced->name));

        length += written > 0 ? (size_t)written : 0;
    }
    json_write_string(chrome->output, name, length < sizeof name ? length : sizeof name - 1);
}

/* Siblings by their order, inside groups by the order of the groups. */
static int64_t thread_order(const struct chrome *chrome, track_id track)
{
    enum { SIBLINGS = 65536 };
    int64_t order = 0;
    int64_t scale = 1;

    for (unsigned depth = 0; track != NO_ID && depth < 2; depth++) {
        const struct track *announced = &announced_track(&chrome->announced, track)->track;

        if (announced->kind == TRACK_PROCESS)
            break;
        order += announced->order * scale;
        scale *= SIBLINGS;
        track = announced->parent;
    }
    if (order > INT32_MAX)
        return INT32_MAX;
    return order < INT32_MIN ? INT32_MIN : order;
}

static uint32_t new_thread(struct chrome *chrome, track_id track)
{
    uint32_t pid = pid_of(chrome, track);
    uint32_t tid = ++chrome->threads;

    write_metadata(chrome, "thread_name", pid, tid);
    put(chrome, "\"name\":");
    put_thread_name(chrome, track);
    /* Viewers pass it over; who reads the file again knows what the line means. */
    put(chrome, ",\"engine\":");
    json_write_text(chrome->output, announced_track(&chrome->announced, track)->track.engine->key);
    put(chrome, "}}");
    write_metadata(chrome, "thread_sort_index", pid, tid);
    put(chrome, "\"sort_index\":");
    json_write_integer(chrome->output, thread_order(chrome, track));
    put(chrome, "}}");
    return tid;
}

/* --- slices ------------------------------------------------------------------------------------------------------- */

static status write_flow(struct chrome *chrome, uint32_t flow, uint32_t pid, uint32_t tid, int64_t time)
{
    size_t byte = flow / 8;
    unsigned bit = 1u << flow % 8;
    size_t had = chrome->flow_bytes;
    status result = memory_grow(&chrome->flows, &chrome->flow_bytes, byte + 1, 1);
    bool first;

    assert(flow && "flow 0 is none");
    if (result != STATUS_OK)
        return result;
    memset(chrome->flows + had, 0, chrome->flow_bytes - had);
    first = !(chrome->flows[byte] & bit);
    chrome->flows[byte] = (unsigned char)(chrome->flows[byte] | bit);
    begin_event(chrome, first ? "s" : "f", pid, tid);
    put_stamp(chrome, time);
    put(chrome, ",\"cat\":\"flow\",\"name\":\"flow\",\"id\":");
    json_write_integer(chrome->output, flow);
    put(chrome, first ? "}" : ",\"bp\":\"e\"}");
    return STATUS_OK;
}

static status write_slice(struct chrome *chrome, const struct chrome_lane *row, const struct slice *slice, int64_t time,
                          bool empty)
{
    uint32_t pid = pid_of(chrome, slice->track);
    uint32_t tid = row->thread;
    status result = STATUS_OK;

    assert(row->thread && row->track == announced_track(&chrome->announced, slice->track)->line);
    begin_event(chrome, empty ? "X" : "B", pid, tid);
    put_stamp(chrome, time);
    if (empty)
        put(chrome, ",\"dur\":0.000");
    put(chrome, ",\"name\":");
    put_text(chrome, slice->name);
    if (*(const string_id *)column_at(&chrome->categories, slice->track)) {
        put(chrome, ",\"cat\":");
        put_text(chrome, *(const string_id *)column_at(&chrome->categories, slice->track));
    }
    if (chrome->arguments)
        put_arguments(chrome, slice);
    put(chrome, "}");
    for (uint32_t i = 0; chrome->arguments && i < slice_flow_count(slice) && result == STATUS_OK; i++)
        result = write_flow(chrome, slice_flow(slice, i), pid, tid, time);
    return result;
}

static struct chrome_lane *lane_at(const struct chrome *chrome, uint32_t lane)
{
    return column_at(&chrome->rows, lane);
}

/* Time on the lane moves on to `time`: begins before it were no empty slices. */
static status move_on(struct chrome *chrome, struct chrome_lane *row, int64_t time)
{
    status result = STATUS_OK;

    if (time == row->time)
        return STATUS_OK;
    for (size_t i = 0; i < row->count && result == STATUS_OK; i++) {
        result = memory_grow(&row->open, &row->open_capacity, row->depth + 1, sizeof *row->open);
        if (result == STATUS_OK) {
            row->open[row->depth++] = row->begins[i].slice.name;
            result = write_slice(chrome, row, &row->begins[i].slice, row->time, false);
        }
    }
    row->count = 0;
    row->time = time;
    return result;
}

static status chrome_lane(void *self, uint32_t lane, track_id track, enum lane_kind kind)
{
    struct chrome *chrome = self;
    struct chrome_lane *row = column_append(&chrome->rows);

    (void)lane; /* lanes are dense: it is the next one */
    (void)kind; /* every event has its own time */
    if (!row)
        return status_no_memory("starting a lane");
    assert(lane == chrome->rows.count - 1);
    *row = (struct chrome_lane){ .track = track, .thread = new_thread(chrome, track), .time = INT64_MIN };
    return STATUS_OK;
}

static status chrome_lane_begin(void *self, uint32_t lane, int64_t time, const struct slice *slice)
{
    struct chrome *chrome = self;
    struct chrome_lane *row = lane_at(chrome, lane);
    status result = move_on(chrome, row, time);

    assert(row->count <= row->made);
    if (result == STATUS_OK)
        result = memory_grow(&row->begins, &row->capacity, row->count + 1, sizeof *row->begins);
    if (result != STATUS_OK)
        return result;
    if (row->made == row->count)
        row->begins[row->made++] = (struct held){ .arguments = NULL };
    result = held_keep(&row->begins[row->count], slice);
    if (result == STATUS_OK)
        row->count++;
    return result;
}

static status chrome_lane_end(void *self, uint32_t lane, int64_t time)
{
    struct chrome *chrome = self;
    struct chrome_lane *row = lane_at(chrome, lane);
    status result = move_on(chrome, row, time);

    if (result != STATUS_OK)
        return result;
    chrome->events += 2;
    if (row->count) {
        row->count--;
        return write_slice(chrome, row, &row->begins[row->count].slice, time, true);
    }
    assert(row->depth && "an end has its begin");
    begin_event(chrome, "E", pid_of(chrome, row->track), row->thread);
    put_stamp(chrome, time);
    put(chrome, ",\"name\":"); /* some importers close the innermost slice of that name, and none without */
    put_text(chrome, row->open[--row->depth]);
    put(chrome, "}");
    return output_status(chrome->output);
}

/* --- what is ours -------------------------------------------------------------------------------------------------- */

static void flush_rows(struct chrome *chrome, enum chrome_own kind)
{
    struct chrome_rows *own = &chrome->own[kind];

    if (!own->count)
        return;
    write_metadata(chrome, chrome_own_names[kind].name, own->pid, 0);
    put(chrome, "\"first\":");
    json_write_integer(chrome->output, own->first);
    put(chrome, ",\"rows\":[");
    for (size_t i = 0; i < own->count; i++)
        for (unsigned column = 0; column < chrome_own_names[kind].width; column++) {
            put(chrome, column ? "," : i ? ",[" : "[");
            json_write_integer(chrome->output, own->rows[i][column]);
            put(chrome, column + 1 == chrome_own_names[kind].width ? "]" : "");
        }
    put(chrome, "]}}");
    own->first += (uint32_t)own->count;
    own->count = 0;
}

/* Room for a row of the input that comes now. */
static status add_row(struct chrome *chrome, enum chrome_own kind, int64_t **row)
{
    struct chrome_rows *own = &chrome->own[kind];
    track_id process = chrome->announced.process;
    uint32_t pid = process == NO_ID ? 0 : *(const uint32_t *)column_at(&chrome->pids, process);
    status result;

    if (own->count == ROWS_HELD || own->pid != pid)
        flush_rows(chrome, kind);
    result = memory_grow(&own->rows, &own->capacity, own->count + 1, sizeof *own->rows);
    own->pid = pid;
    if (result == STATUS_OK)
        *row = own->rows[own->count++];
    return result;
}

static int64_t time_by(const struct chrome *chrome, clock_id clock, int64_t ticks)
{
    return announced_visible(clock == NO_ID ? ticks : clock_ns(column_at(&chrome->announced.clocks, clock), ticks));
}

static status chrome_run(void *self, const struct run *run)
{
    struct chrome *chrome = self;
    int64_t *row;
    status result = add_row(chrome, CHROME_OWN_RUNS, &row);

    if (result != STATUS_OK)
        return result;
    row[0] = run->launch;
    row[1] = run->index;
    row[2] = time_by(chrome, run->clock, run->start);
    row[3] = time_by(chrome, run->clock, run->end);
    return STATUS_OK;
}

static status chrome_step(void *self, step_id id, const struct step *step)
{
    struct chrome *chrome = self;
    uint32_t *key = number_map_at(&chrome->step_keys, step->key, 0);
    int64_t *row = NULL;
    status result = key ? add_row(chrome, CHROME_OWN_STEPS, &row) : status_no_memory("keeping steps");

    if (result != STATUS_OK)
        return result;
    if (*key == MAP_NONE)
        *key = (uint32_t)number_map_count(&chrome->step_keys);
    assert(id + 1 == chrome->own[CHROME_OWN_STEPS].first + chrome->own[CHROME_OWN_STEPS].count);
    (void)id;
    row[0] = *key;
    row[1] = time_by(chrome, step->clock, step->start);
    row[2] = time_by(chrome, step->clock, step->end);
    chrome->step_clock = step->clock;
    return STATUS_OK;
}

static status chrome_step_end(void *self, step_id id, int64_t time)
{
    struct chrome *chrome = self;
    struct chrome_rows *steps = &chrome->own[CHROME_OWN_STEPS];
    int64_t end = time_by(chrome, chrome->step_clock, time), *row;
    status result;

    if (id >= steps->first) {
        steps->rows[id - steps->first][2] = end;
        return STATUS_OK;
    }
    result = add_row(chrome, CHROME_OWN_STEP_ENDS, &row);
    if (result == STATUS_OK) {
        row[0] = id;
        row[1] = end;
    }
    return result;
}

static status chrome_step_lost(void *self, step_id id)
{
    int64_t *row;
    status result = add_row(self, CHROME_OWN_STEP_LOST, &row);

    if (result == STATUS_OK)
        row[0] = id;
    return result;
}

/* --- the sink ----------------------------------------------------------------------------------------------------- */

static status categorise(struct chrome *chrome, const struct track *track)
{
    string_id *category = column_at(&chrome->categories, track->id);
    string_id parts[TRACK_CATEGORIES];
    status result = announced_categories(track, chrome->strings, parts);

    *category = parts[0];
    if (result == STATUS_OK && parts[1])
        result = strings_add_format(chrome->strings, category, "%s,%s", strings_text(chrome->strings, parts[0]),
                                    strings_text(chrome->strings, parts[1]));
    return result;
}

static status chrome_track(void *self, const struct track *track)
{
    struct chrome *chrome = self;
    status result = announced_add_track(self, track);

    while (result == STATUS_OK && chrome->pids.count <= track->id) {
        uint32_t *pid = column_append(&chrome->pids);
        struct chrome_instants *instants = column_append(&chrome->instants);
        string_id *category = column_append(&chrome->categories);

        if (instants)
            *instants = (struct chrome_instants){ .count = 0 };
        if (!pid || !instants || !category)
            return status_no_memory("remembering a track");
        *pid = *category = 0;
    }
    if (result == STATUS_OK)
        result = categorise(chrome, track);
    if (result != STATUS_OK || track->kind != TRACK_PROCESS)
        return result;
    chrome->first = INT64_MAX;
    *(uint32_t *)column_at(&chrome->pids, track->id) = ++chrome->processes;
    write_process(chrome, chrome->processes, strings_get(chrome->strings, track->name), track->order);
    return STATUS_OK;
}

/* Nanoseconds on the clock of a track. */
static int64_t time_on(struct chrome *chrome, track_id track, int64_t ticks)
{
    int64_t time = announced_visible(clock_ns(announced_track(&chrome->announced, track)->clock, ticks));

    if (time < chrome->first)
        chrome->first = time;
    return time;
}

static status chrome_slice(void *self, const struct slice *slice)
{
    struct chrome *chrome = self;
    status result = announced_check(&chrome->announced, slice->track);
    int64_t start;

    if (result != STATUS_OK)
        return result;
    start = time_on(chrome, slice->track, slice->start);
    return lanes_slice(chrome->lanes, announced_track(&chrome->announced, slice->track)->line, slice, start,
                       time_on(chrome, slice->track, slice->end));
}

static status chrome_begin(void *self, open_id id, open_id parent, const struct slice *slice)
{
    struct chrome *chrome = self;
    status result = announced_check(&chrome->announced, slice->track);

    if (result == STATUS_OK)
        result = announced_open(&chrome->announced, id, slice->track);
    if (result != STATUS_OK)
        return result;
    return lanes_begin(chrome->lanes, announced_track(&chrome->announced, slice->track)->line, id, parent, slice,
                       time_on(chrome, slice->track, slice->start));
}

static status chrome_end(void *self, open_id id, int64_t time)
{
    struct chrome *chrome = self;
    status result = announced_check_open(&chrome->announced, id);

    if (result != STATUS_OK)
        return result;
    return lanes_end(chrome->lanes, id, time_on(chrome, announced_track_of(&chrome->announced, id), time));
}

static status chrome_instant(void *self, const struct slice *slice)
{
    struct chrome *chrome = self;
    status result = announced_check(&chrome->announced, slice->track);
    struct chrome_instants *instants;
    int64_t time;
    uint32_t lane;

    if (result != STATUS_OK)
        return result;
    time = time_on(chrome, slice->track, slice->start);
    instants = column_at(&chrome->instants, slice->track);
    lane = instant_lane(&instants->place, time);
    if (lane == instants->count) {
        result = memory_grow(&instants->threads, &instants->capacity, (size_t)lane + 1, sizeof *instants->threads);
        if (result != STATUS_OK)
            return result;
        instants->threads[instants->count++] =
            new_thread(chrome, announced_track(&chrome->announced, slice->track)->line);
    }
    begin_event(chrome, "i", pid_of(chrome, slice->track), instants->threads[lane]);
    put_stamp(chrome, time);
    put(chrome, ",\"s\":\"t\",\"name\":");
    put_text(chrome, slice->name);
    if (chrome->arguments)
        put_arguments(chrome, slice);
    put(chrome, "}");
    return output_status(chrome->output);
}

static status chrome_counter(void *self, track_id track, int64_t time, int64_t value)
{
    struct chrome *chrome = self;
    status result = announced_check(&chrome->announced, track);
    const struct track *announced;

    assert(announced_track(&chrome->announced, track)->track.kind == TRACK_COUNTER);
    if (result != STATUS_OK)
        return result;
    announced = &announced_track(&chrome->announced, track)->track;
    begin_event(chrome, "C", pid_of(chrome, track), 0);
    put_stamp(chrome, time_on(chrome, track, time));
    put(chrome, ",\"name\":");
    put_thread_name(chrome, track);
    put(chrome, ",\"args\":{");
    json_write_text(chrome->output, announced->unit ? announced->unit : "value");
    put(chrome, ":");
    if (announced->decimal)
        json_write_decimal(chrome->output, counter_decimal(value));
    else
        json_write_integer(chrome->output, value);
    put(chrome, "}}");
    return output_status(chrome->output);
}

static status chrome_loss(void *self, const struct losses *losses)
{
    struct chrome *chrome = self;
    track_id process = chrome->announced.process;
    uint32_t pid = process == NO_ID ? 0 : *(const uint32_t *)column_at(&chrome->pids, process);

    for (unsigned i = 0; i < losses->reason_count; i++) {
        const struct loss_reason *reason = losses->reasons[i].reason;
        uint64_t count = losses->reasons[i].count;
        char name[256];

        snprintf(name, sizeof name, "%llu row%s%s: %s", (unsigned long long)count, count == 1 ? "" : "s",
                 reason->kept ? "" : " lost", reason->text);
        begin_event(chrome, "i", pid, 0);
        put_stamp(chrome, chrome->first == INT64_MAX ? 0 : chrome->first);
        put(chrome, ",\"s\":\"p\",\"name\":");
        json_write_text(chrome->output, name);
        put(chrome, "}");
    }
    return STATUS_OK;
}

static status chrome_finish(void *self)
{
    struct chrome *chrome = self;
    status result = lanes_finish(chrome->lanes);

    if (result != STATUS_OK)
        return result;
    for (enum chrome_own kind = 0; kind < CHROME_OWN_KINDS; kind++)
        flush_rows(chrome, kind);
    put(chrome, "\n]}\n");
    return output_status(chrome->output);
}

static const struct sink_calls chrome_calls = {
    .clock = announced_add_clock,
    .track = chrome_track,
    .op = announced_add_operator,
    .run = chrome_run,
    .step = chrome_step,
    .step_end = chrome_step_end,
    .step_lost = chrome_step_lost,
    .slice = chrome_slice,
    .begin = chrome_begin,
    .end = chrome_end,
    .instant = chrome_instant,
    .counter = chrome_counter,
    .loss = chrome_loss,
    .finish = chrome_finish,
};

static const struct lanes_calls chrome_lanes = {
    .lane = chrome_lane,
    .begin = chrome_lane_begin,
    .end = chrome_lane_end,
};

/* --- the format --------------------------------------------------------------------------------------------------- */

static void chrome_free(void *self)
{
    struct chrome *chrome = self;

    for (uint32_t lane = 0; lane < chrome->rows.count; lane++) {
        struct chrome_lane *row = lane_at(chrome, lane);

        for (size_t i = 0; i < row->made; i++)
            held_free(&row->begins[i]);
        memory_free(row->begins);
        memory_free(row->open);
    }
    for (enum chrome_own kind = 0; kind < CHROME_OWN_KINDS; kind++)
        memory_free(chrome->own[kind].rows);
    number_map_free(&chrome->step_keys);
    column_free(&chrome->rows);
    column_free(&chrome->pids);
    for (size_t i = 0; i < chrome->instants.count; i++)
        memory_free(((struct chrome_instants *)column_at(&chrome->instants, i))->threads);
    column_free(&chrome->instants);
    column_free(&chrome->categories);
    announced_free(&chrome->announced);
    lanes_free(chrome->lanes);
    memory_free(chrome->flows);
    memory_free(chrome);
}

static uint64_t chrome_events(const void *self)
{
    return ((const struct chrome *)self)->events;
}

static status chrome_open(struct output *output, struct strings *strings, const struct writer_options *options,
                          struct writer *writer)
{
    struct chrome *chrome = memory_allocate_clear(sizeof *chrome);
    status result;

    if (!chrome)
        return status_no_memory("preparing a trace");
    chrome->output = output;
    chrome->strings = strings;
    chrome->arguments = options->arguments;
    chrome->first = INT64_MAX;
    announced_start(&chrome->announced);
    number_map_start(&chrome->step_keys);
    column_start(&chrome->rows, sizeof(struct chrome_lane));
    column_start(&chrome->pids, sizeof(uint32_t));
    column_start(&chrome->instants, sizeof(struct chrome_instants));
    column_start(&chrome->categories, sizeof(string_id));
    result = lanes_new(&chrome_lanes, chrome, &chrome->lanes);
    if (result != STATUS_OK) {
        chrome_free(chrome);
        return result;
    }
    put(chrome, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    *writer = (struct writer){
        .sink = { &chrome_calls, chrome },
        .self = chrome,
        .free = chrome_free,
        .events = chrome_events,
    };
    return STATUS_OK;
}

static const char *const suffixes[] = { ".json", NULL };

const struct writer_format chrome_format = {
    .id = "chrome",
    .title = "Chrome trace events (JSON)",
    .suffixes = suffixes,
    .drawn = true,
    .open = chrome_open,
};
