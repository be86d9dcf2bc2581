/* tacho_writer.c: the public functions that write a trace: tracks and slices of one's own, and profiles read into it.
 *
 *     tacho_process ──► a process track
 *     tacho_thread  ──► up to two slice tracks of the same name and place, which viewers draw as one: whole slices,
 *                       and slices that were begun and ended apart (a track carries one of the two kinds)
 *     tacho_counter ──► a counter track
 *
 * The tracks of a thread are made with its first slice.
 */
#include <assert.h>
#include <string.h>

#include "base/json.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"
#include "job/public.h"

struct own_process {
    track_id track;  /* of the process */
    int32_t threads; /* lines added under it so far */
};

struct own_open {
    open_id id;     /* in the feed */
    string_id name; /* of the slice */
};

struct own_thread {
    tacho_process process;  /* that it belongs to */
    string_id name;         /* of its track */
    int32_t order;          /* among the lines of its process */
    tacho_thread namesake;  /* an older thread of the same name; NO_ID: none */
    track_id rendered;      /* for whole slices; NO_ID: not made yet */
    track_id begun;         /* for slices with their ends apart; NO_ID: not made yet */
    int64_t last;           /* time of the newest single event; 0: none yet */
    struct own_open *opens; /* begun and not ended, outermost first */
    size_t depth;           /* slices that are open */
    size_t capacity;        /* of opens */
};

struct own_counter {
    track_id track; /* of the counter */
    int64_t last;   /* time of the newest value */
};

enum { MOST_ARGUMENTS = 4096 };

struct tacho_writer {
    struct argument *arguments;             /* of the slice at hand */
    size_t argument_capacity;               /* of arguments */
    uint32_t *flows;                        /* of the slice at hand, as the feed numbers them */
    size_t flow_capacity;                   /* of flows */
    struct number_map flow_numbers;         /* the user's to the feed's: profiles have flows of their own */
    struct session session;                 /* string pool; inputs have sessions of their own */
    struct conversion conversion;           /* into the file */
    status failure;                         /* of an earlier call: the trace is incomplete */
    clock_id clock;                         /* of all own tracks */
    int64_t latest;                         /* largest time that this clock can tell */
    int32_t order;                          /* of the next process; each has room for an overview behind it */
    struct strings *names;                  /* of processes and threads: few, so that ids can be indexes */
    tacho_process *process_by_name;         /* process + 1; 0: none of that name */
    size_t process_names;                   /* of process_by_name */
    tacho_thread *thread_by_name;           /* newest thread + 1 of that name in any process; 0: none */
    size_t thread_names;                    /* of thread_by_name */
    struct own_process *processes;          /* by number; owned */
    size_t process_count, process_capacity; /* of processes */
    struct own_thread *threads;             /* by number; owned */
    size_t thread_count, thread_capacity;   /* of threads */
    struct own_counter *counters;           /* by number; owned */
    size_t counter_count, counter_capacity; /* of counters */
};

/* ---- opening and closing ---------------------------------------------------------------------------------------- */

static status choose_clock(const struct tacho_writer_options *options, struct clock *clock)
{
    const uint64_t micro = 1000000, giga = 1000000000;
    uint64_t rate = options && options->tick_rate ? options->tick_rate : giga;
    uint64_t divisor = options && options->tick_rate_divisor ? options->tick_rate_divisor : 1;

    if (divisor > UINT64_MAX / giga)
        return status_fail(STATUS_USAGE, "a tick rate may be divided by at most %llu",
                           (unsigned long long)(UINT64_MAX / giga));
    *clock = clock_of_mhz(rate, divisor * micro, 0);
    return STATUS_OK;
}

static status start(struct tacho_writer *writer, const char *path, const struct writer_format *format,
                    const struct tacho_writer_options *options, const struct clock *clock)
{
    struct session_options defaults = { 0 };
    struct conversion_options own = conversion_options_of(options);
    status code = session_start(&writer->session, &defaults);

    if (code != STATUS_OK)
        return code;
    number_map_start(&writer->flow_numbers);
    writer->names = strings_new();
    if (!writer->names)
        return status_no_memory("opening a trace");
    code = conversion_open(&writer->conversion, &writer->session, path, format, &own);
    if (code != STATUS_OK)
        return code;
    writer->latest = clock_limit(clock);
    code = feed_clock(&writer->conversion.feed, clock, &writer->clock);
    if (code != STATUS_OK)
        conversion_abandon(&writer->conversion);
    return code;
}

/* Everything but the conversion, which was committed or abandoned. */
static void free_writer(struct tacho_writer *writer)
{
    for (size_t i = 0; i < writer->thread_count; i++)
        memory_free(writer->threads[i].opens);
    memory_free(writer->threads);
    memory_free(writer->arguments);
    memory_free(writer->flows);
    number_map_free(&writer->flow_numbers);
    memory_free(writer->processes);
    memory_free(writer->counters);
    memory_free(writer->process_by_name);
    memory_free(writer->thread_by_name);
    strings_free(writer->names);
    session_end(&writer->session);
    memory_free(writer);
}

enum tacho_status tacho_writer_open(const char *path, const struct tacho_writer_options *options,
                                    struct tacho_writer **writer)
{
    const struct writer_format *format;
    struct tacho_writer *made;
    struct clock clock;
    status code = choose_format(path, options, &format);

    *writer = NULL;
    if (code == STATUS_OK)
        code = choose_clock(options, &clock);
    if (code != STATUS_OK)
        return to_public(code);
    made = memory_allocate_clear(sizeof *made);
    if (!made)
        return to_public(status_no_memory("opening a trace"));
    code = start(made, path, format, options, &clock);
    if (code == STATUS_OK)
        *writer = made;
    else
        free_writer(made);
    return to_public(code);
}

/* A failure that may have left a hole in the trace sticks; wrong usage was noticed before anything was written. */
static enum tacho_status settle(struct tacho_writer *writer, status code)
{
    if (code != STATUS_OK && code != STATUS_USAGE && writer->failure == STATUS_OK)
        writer->failure = code;
    return to_public(code);
}

static status check_whole(const struct tacho_writer *writer)
{
    if (writer->failure == STATUS_OK)
        return STATUS_OK;
    return status_fail(writer->failure, "the trace is incomplete, because an earlier call failed; close or abandon it");
}

static status end_slice(struct tacho_writer *writer, struct own_thread *thread, int64_t time)
{
    struct feed *feed = &writer->conversion.feed;
    struct own_open open = thread->opens[--thread->depth];
    status code = sink_end(&feed->sink, open.id, time);

    assert(thread->depth < thread->capacity && time >= thread->last);
    feed_close(feed, open.id);
    thread->last = time;
    return code;
}

/* Ends what is open at the last time that is known, and says so there. */
static status end_all(struct tacho_writer *writer, struct own_thread *thread)
{
    struct feed *feed = &writer->conversion.feed;
    struct slice event = {
        .track = thread->begun, .op = NO_ID, .run = NO_ID, .start = thread->last, .end = thread->last
    };
    status code = STATUS_OK;

    while (thread->depth && code == STATUS_OK) {
        string_id name = thread->opens[thread->depth - 1].name;

        code = end_slice(writer, thread, thread->last);
        if (code == STATUS_OK)
            code = strings_add_format(feed->strings, &event.name, "not ended: %s", strings_text(feed->strings, name));
        if (code == STATUS_OK)
            code = SINK_CALL(&feed->sink, instant, &event);
    }
    return code;
}

enum tacho_status tacho_writer_close(struct tacho_writer *writer)
{
    struct conversion_result result;
    status code = check_whole(writer);

    for (size_t i = 0; i < writer->thread_count && code == STATUS_OK; i++)
        code = end_all(writer, &writer->threads[i]);
    if (code == STATUS_OK)
        code = conversion_commit(&writer->conversion, &result);
    else
        conversion_abandon(&writer->conversion);
    free_writer(writer);
    return to_public(code);
}

void tacho_writer_abandon(struct tacho_writer *writer)
{
    if (!writer)
        return;
    conversion_abandon(&writer->conversion);
    free_writer(writer);
}

enum tacho_status tacho_writer_flush(struct tacho_writer *writer)
{
    status code = check_whole(writer);

    if (code == STATUS_OK)
        code = output_flush(writer->conversion.output);
    return settle(writer, code);
}

/* ---- processes, threads and counters ---------------------------------------------------------------------------- */

/* Makes an array of ids by name reach `name`, with 0 for those that are new. */
static status reach(uint32_t **ids, size_t *capacity, string_id name)
{
    size_t had = *capacity;
    status code = memory_grow(ids, capacity, (size_t)name + 1, sizeof **ids);

    if (code == STATUS_OK && *capacity > had)
        memset(*ids + had, 0, (*capacity - had) * sizeof **ids);
    return code;
}

static status add_process(struct tacho_writer *writer, const char *name, tacho_process *process)
{
    struct feed *feed = &writer->conversion.feed;
    struct track track = { .parent = NO_ID, .order = writer->order, .kind = TRACK_PROCESS, .clock = NO_ID };
    string_id key;
    track_id id;
    status code = strings_add_text(writer->names, name, &key);

    if (code == STATUS_OK)
        code = strings_add_text(feed->strings, name, &track.name);
    if (code == STATUS_OK)
        code = reach(&writer->process_by_name, &writer->process_names, key);
    if (code == STATUS_OK)
        code = memory_grow(&writer->processes, &writer->process_capacity, writer->process_count + 1,
                           sizeof *writer->processes);
    track.engine = &engine_custom;
    if (code == STATUS_OK)
        code = feed_track(feed, track, &id);
    if (code != STATUS_OK)
        return code;
    *process = (tacho_process)writer->process_count;
    writer->processes[writer->process_count++] = (struct own_process){ .track = id };
    writer->process_by_name[key] = *process + 1;
    writer->order += 2;
    return STATUS_OK;
}

static status add_thread(struct tacho_writer *writer, tacho_process process, const char *name, tacho_thread *thread)
{
    struct own_thread made = { .process = process, .rendered = NO_ID, .begun = NO_ID };
    string_id key;
    status code = strings_add_text(writer->names, name, &key);

    assert(process < writer->process_count);
    if (code == STATUS_OK)
        code = strings_add_text(writer->conversion.feed.strings, name, &made.name);
    if (code == STATUS_OK)
        code = reach(&writer->thread_by_name, &writer->thread_names, key);
    if (code == STATUS_OK)
        code =
            memory_grow(&writer->threads, &writer->thread_capacity, writer->thread_count + 1, sizeof *writer->threads);
    if (code != STATUS_OK)
        return code;
    made.order = writer->processes[process].threads++;
    made.namesake = writer->thread_by_name[key] ? writer->thread_by_name[key] - 1 : NO_ID;
    *thread = (tacho_thread)writer->thread_count;
    writer->threads[writer->thread_count++] = made;
    writer->thread_by_name[key] = *thread + 1;
    return STATUS_OK;
}

static status check_name(const char *name, const char *what)
{
    return name ? STATUS_OK : status_fail(STATUS_USAGE, "%s wants a name", what);
}

static status check_process(const struct tacho_writer *writer, tacho_process process)
{
    return process < writer->process_count ? STATUS_OK
                                           : status_fail(STATUS_USAGE, "the trace has no process %u", process);
}

static status check_thread(const struct tacho_writer *writer, tacho_thread thread)
{
    return thread < writer->thread_count ? STATUS_OK : status_fail(STATUS_USAGE, "the trace has no thread %u", thread);
}

static status check_time(const struct tacho_writer *writer, int64_t time)
{
    if (time >= 0 && time <= writer->latest)
        return STATUS_OK;
    return status_fail(STATUS_USAGE, "the time %lld lies outside of this clock's range, 0 to %lld ticks",
                       (long long)time, (long long)writer->latest);
}

enum tacho_status tacho_writer_add_process(struct tacho_writer *writer, const char *name, tacho_process *process)
{
    status code = check_whole(writer);

    if (code == STATUS_OK)
        code = check_name(name, "a process");
    if (code == STATUS_OK)
        code = add_process(writer, name, process);
    return settle(writer, code);
}

enum tacho_status tacho_writer_add_thread(struct tacho_writer *writer, tacho_process process, const char *name,
                                          tacho_thread *thread)
{
    status code = check_whole(writer);

    if (code == STATUS_OK)
        code = check_name(name, "a thread");
    if (code == STATUS_OK)
        code = check_process(writer, process);
    if (code == STATUS_OK)
        code = add_thread(writer, process, name, thread);
    return settle(writer, code);
}

static status add_counter(struct tacho_writer *writer, tacho_process process, const char *name, const char *unit,
                          tacho_counter *counter)
{
    struct feed *feed = &writer->conversion.feed;
    struct own_process *parent = &writer->processes[process];
    struct track track = {
        .parent = parent->track, .clock = writer->clock, .kind = TRACK_COUNTER, .engine = &engine_custom
    };
    string_id kept;
    track_id id;
    status code = strings_add_text(feed->strings, name, &track.name);

    assert(process < writer->process_count);
    if (code == STATUS_OK && unit) {
        code = strings_add_text(feed->strings, unit, &kept);
        track.unit = code == STATUS_OK ? strings_text(feed->strings, kept) : NULL;
    }
    if (code == STATUS_OK)
        code = memory_grow(&writer->counters, &writer->counter_capacity, writer->counter_count + 1,
                           sizeof *writer->counters);
    track.order = parent->threads++;
    if (code == STATUS_OK)
        code = feed_track(feed, track, &id);
    if (code != STATUS_OK)
        return code;
    *counter = (tacho_counter)writer->counter_count;
    writer->counters[writer->counter_count++] = (struct own_counter){ .track = id };
    return STATUS_OK;
}

enum tacho_status tacho_writer_add_counter(struct tacho_writer *writer, tacho_process process, const char *name,
                                           const char *unit, tacho_counter *counter)
{
    status code = check_whole(writer);

    if (code == STATUS_OK)
        code = check_name(name, "a counter");
    if (code == STATUS_OK)
        code = check_process(writer, process);
    if (code == STATUS_OK)
        code = add_counter(writer, process, name, unit, counter);
    return settle(writer, code);
}

enum tacho_status tacho_writer_set_counter(struct tacho_writer *writer, tacho_counter counter, int64_t time,
                                           int64_t value)
{
    struct feed *feed = &writer->conversion.feed;
    status code = check_whole(writer);

    if (code == STATUS_OK && counter >= writer->counter_count)
        code = status_fail(STATUS_USAGE, "the trace has no counter %u", counter);
    if (code == STATUS_OK)
        code = check_time(writer, time);
    if (code == STATUS_OK && time < writer->counters[counter].last)
        code = status_fail(STATUS_USAGE, "the time of a counter runs backwards, from %lld to %lld",
                           (long long)writer->counters[counter].last, (long long)time);
    if (code == STATUS_OK)
        code = SINK_CALL(&feed->sink, counter, writer->counters[counter].track, time, value);
    if (code == STATUS_OK)
        writer->counters[counter].last = time;
    return settle(writer, code);
}

/* ---- slices ----------------------------------------------------------------------------------------------------- */

static enum tacho_value value_type(const struct tacho_argument *argument)
{
    if (argument->type != TACHO_VALUE_PLAIN)
        return argument->type;
    return argument->text ? TACHO_VALUE_TEXT : TACHO_VALUE_INTEGER;
}

/* A JSON text that viewers are handed as it is must be one. */
static status check_json(const struct tacho_argument *argument)
{
    struct json_scan scan = json_scan(argument->key, text_of(argument->text));
    status code = json_skip(&scan, NULL);

    if (code == STATUS_OK)
        code = json_end(&scan);
    if (code != STATUS_INPUT)
        return code;
    status_clear();
    return status_fail(STATUS_USAGE, "the argument \"%s\" is no JSON", argument->key);
}

static status check_argument(const struct tacho_argument *argument)
{
    enum tacho_value type = value_type(argument);

    if (!argument->key || !*argument->key)
        return status_fail(STATUS_USAGE, "an argument wants a key");
    if ((unsigned)type > TACHO_VALUE_JSON)
        return status_fail(STATUS_USAGE, "the argument \"%s\" is of no known type", argument->key);
    if ((type == TACHO_VALUE_TEXT || type == TACHO_VALUE_JSON) && !argument->text)
        return status_fail(STATUS_USAGE, "the argument \"%s\" wants a text", argument->key);
    return type == TACHO_VALUE_JSON ? check_json(argument) : STATUS_OK;
}

static status check_arguments(const struct tacho_slice *slice)
{
    status code = STATUS_OK;

    if (slice->argument_count > MOST_ARGUMENTS || slice->flow_count > MOST_ARGUMENTS)
        return status_fail(STATUS_USAGE, "a slice takes %d arguments and flows at most", MOST_ARGUMENTS);
    for (size_t i = 0; i < slice->argument_count && code == STATUS_OK; i++) {
        code = check_argument(&slice->arguments[i]);
        for (size_t j = 0; j < i && code == STATUS_OK; j++)
            if (strcmp(slice->arguments[i].key, slice->arguments[j].key) == 0)
                code = status_fail(STATUS_USAGE, "the argument \"%s\" is there twice", slice->arguments[i].key);
    }
    for (size_t i = 0; i < slice->flow_count && code == STATUS_OK; i++)
        if (!slice->flows[i])
            code = status_fail(STATUS_USAGE, "a flow has a number that is not 0");
    return code;
}

/* An argument, which was checked, as the model has it. */
static status take_argument(struct strings *strings, const struct tacho_argument *from, struct argument *to)
{
    static const uint16_t types[] = {
        [TACHO_VALUE_INTEGER] = ARGUMENT_INTEGER, [TACHO_VALUE_UNSIGNED] = ARGUMENT_UNSIGNED,
        [TACHO_VALUE_DECIMAL] = ARGUMENT_DECIMAL, [TACHO_VALUE_BOOLEAN] = ARGUMENT_BOOLEAN,
        [TACHO_VALUE_TEXT] = ARGUMENT_TEXT,       [TACHO_VALUE_POINTER] = ARGUMENT_POINTER,
        [TACHO_VALUE_JSON] = ARGUMENT_JSON,
    };
    status code;

    *to = (struct argument){ .type = types[value_type(from)] };
    code = strings_add_text(strings, from->key, &to->key);
    if (to->type == ARGUMENT_TEXT || to->type == ARGUMENT_JSON)
        return code == STATUS_OK ? strings_add_text(strings, from->text, &to->text) : code;
    if (to->type == ARGUMENT_DECIMAL)
        to->decimal = from->decimal;
    else if (to->type == ARGUMENT_BOOLEAN)
        to->boolean = from->integer != 0;
    else
        to->integer = from->integer;
    return code;
}

static status check_slice(const struct tacho_writer *writer, const struct tacho_slice *slice)
{
    status code = check_name(slice->name, "a slice");

    if (code == STATUS_OK)
        code = check_thread(writer, slice->thread);
    if (code == STATUS_OK)
        code = check_time(writer, slice->start);
    return code == STATUS_OK ? check_arguments(slice) : code;
}

/* The line of a thread for one kind of slices. */
static status make_line(struct tacho_writer *writer, const struct own_thread *thread, track_id *line)
{
    struct track track = {
        .parent = writer->processes[thread->process].track,
        .name = thread->name,
        .order = thread->order,
        .clock = writer->clock,
        .kind = TRACK_SLICES,
        .engine = &engine_custom,
    };

    assert(thread->process < writer->process_count);
    return *line == NO_ID ? feed_track(&writer->conversion.feed, track, line) : STATUS_OK;
}

static status take_flows(struct tacho_writer *writer, const struct tacho_slice *slice)
{
    status code = memory_grow(&writer->flows, &writer->flow_capacity, slice->flow_count, sizeof *writer->flows);

    for (size_t i = 0; i < slice->flow_count && code == STATUS_OK; i++) {
        uint32_t *flow = number_map_at(&writer->flow_numbers, slice->flows[i], 0);

        if (!flow)
            return status_no_memory("keeping a flow");
        if (*flow == MAP_NONE)
            *flow = feed_flow(&writer->conversion.feed);
        writer->flows[i] = *flow;
    }
    return code;
}

/* Its arguments and flows lie in the writer until the next slice. */
static status fill_slice(struct tacho_writer *writer, const struct tacho_slice *slice, struct slice *filled)
{
    struct strings *strings = writer->conversion.feed.strings;
    status code;

    assert(slice->argument_count <= MOST_ARGUMENTS && slice->flow_count <= MOST_ARGUMENTS);
    *filled = (struct slice){
        .op = NO_ID,
        .run = NO_ID,
        .start = slice->start,
        .end = slice->end,
        .argument_count = (uint32_t)slice->argument_count,
        .more_flow_count = (uint32_t)slice->flow_count,
    };
    code =
        memory_grow(&writer->arguments, &writer->argument_capacity, slice->argument_count, sizeof *writer->arguments);
    if (code == STATUS_OK)
        code = strings_add_text(strings, slice->name, &filled->name);
    for (size_t i = 0; i < slice->argument_count && code == STATUS_OK; i++)
        code = take_argument(strings, &slice->arguments[i], &writer->arguments[i]);
    if (code == STATUS_OK)
        code = take_flows(writer, slice);
    filled->arguments = writer->arguments;
    filled->more_flows = writer->flows;
    return code;
}

static status render(struct tacho_writer *writer, const struct tacho_slice *slice)
{
    struct own_thread *thread = &writer->threads[slice->thread];
    struct slice filled;
    status code = fill_slice(writer, slice, &filled);

    assert(slice->thread < writer->thread_count && slice->start <= slice->end);
    if (code == STATUS_OK)
        code = make_line(writer, thread, &thread->rendered);
    filled.track = thread->rendered;
    return code == STATUS_OK ? sink_slice(&writer->conversion.feed.sink, &filled) : code;
}

static status check_end(const struct tacho_writer *writer, const char *name, int64_t from, int64_t to)
{
    if (to < from)
        return status_fail(STATUS_USAGE, "the slice \"%s\" ends at %lld, before its start at %lld", name, (long long)to,
                           (long long)from);
    return check_time(writer, to);
}

enum tacho_status tacho_writer_render(struct tacho_writer *writer, const struct tacho_slice *slice)
{
    status code = check_whole(writer);

    if (code == STATUS_OK)
        code = check_slice(writer, slice);
    if (code == STATUS_OK)
        code = check_end(writer, slice->name, slice->start, slice->end);
    if (code == STATUS_OK)
        code = render(writer, slice);
    return settle(writer, code);
}

/* Single events of a thread come in order of time. */
static status check_order(const struct tacho_writer *writer, tacho_thread id, int64_t time)
{
    const struct own_thread *thread = &writer->threads[id];

    assert(id < writer->thread_count);
    if (time >= thread->last)
        return check_time(writer, time);
    return status_fail(STATUS_USAGE, "the time of thread \"%s\" runs backwards, from %lld to %lld",
                       strings_text(writer->conversion.feed.strings, thread->name), (long long)thread->last,
                       (long long)time);
}

static status begin(struct tacho_writer *writer, const struct tacho_slice *slice)
{
    struct feed *feed = &writer->conversion.feed;
    struct own_thread *thread = &writer->threads[slice->thread];
    open_id parent = thread->depth ? thread->opens[thread->depth - 1].id : NO_ID;
    struct slice filled;
    open_id id;
    status code = fill_slice(writer, slice, &filled);

    assert(slice->thread < writer->thread_count);
    if (code == STATUS_OK)
        code = make_line(writer, thread, &thread->begun);
    if (code == STATUS_OK)
        code = memory_grow(&thread->opens, &thread->capacity, thread->depth + 1, sizeof *thread->opens);
    if (code == STATUS_OK)
        code = feed_open(feed, &id);
    filled.track = thread->begun;
    filled.end = filled.start;
    if (code == STATUS_OK)
        code = sink_begin(&feed->sink, id, parent, &filled);
    if (code != STATUS_OK)
        return code;
    thread->opens[thread->depth++] = (struct own_open){ .id = id, .name = filled.name };
    thread->last = slice->start;
    return STATUS_OK;
}

enum tacho_status tacho_writer_begin(struct tacho_writer *writer, const struct tacho_slice *slice)
{
    status code = check_whole(writer);

    if (code == STATUS_OK)
        code = check_slice(writer, slice);
    if (code == STATUS_OK)
        code = check_order(writer, slice->thread, slice->start);
    if (code == STATUS_OK)
        code = begin(writer, slice);
    return settle(writer, code);
}

enum tacho_status tacho_writer_end(struct tacho_writer *writer, tacho_thread thread, int64_t time)
{
    status code = check_whole(writer);

    if (code == STATUS_OK)
        code = check_thread(writer, thread);
    if (code == STATUS_OK && !writer->threads[thread].depth)
        code = status_fail(STATUS_USAGE, "nothing is open on thread \"%s\": an end wants a begin",
                           strings_text(writer->conversion.feed.strings, writer->threads[thread].name));
    if (code == STATUS_OK)
        code = check_order(writer, thread, time);
    if (code == STATUS_OK)
        code = end_slice(writer, &writer->threads[thread], time);
    return settle(writer, code);
}

/* ---- logs by name ----------------------------------------------------------------------------------------------- */

static status find_process(struct tacho_writer *writer, const char *name, tacho_process *process)
{
    string_id key;

    if (strings_find(writer->names, name, strlen(name), &key) && key < writer->process_names &&
        writer->process_by_name[key]) {
        *process = writer->process_by_name[key] - 1;
        return STATUS_OK;
    }
    return add_process(writer, name, process);
}

static status find_thread(struct tacho_writer *writer, tacho_process process, const char *name, tacho_thread *thread)
{
    string_id key;

    assert(process < writer->process_count);
    if (strings_find(writer->names, name, strlen(name), &key) && key < writer->thread_names) {
        *thread = writer->thread_by_name[key] ? writer->thread_by_name[key] - 1 : NO_ID;
        while (*thread != NO_ID && writer->threads[*thread].process != process)
            *thread = writer->threads[*thread].namesake;
        if (*thread != NO_ID)
            return STATUS_OK;
    }
    return add_thread(writer, process, name, thread);
}

enum tacho_status tacho_writer_log(struct tacho_writer *writer, const struct tacho_log *log)
{
    struct tacho_slice slice = { .name = log->function, .start = log->start_time, .end = log->end_time };
    tacho_process process;
    status code = check_whole(writer);

    if (code == STATUS_OK)
        code = check_name(log->process, "the process of a log");
    if (code == STATUS_OK)
        code = check_name(log->thread, "the thread of a log");
    if (code == STATUS_OK)
        code = check_name(log->function, "the function of a log");
    if (code == STATUS_OK)
        code = check_time(writer, log->start_time);
    if (code == STATUS_OK)
        code = check_end(writer, log->function, log->start_time, log->end_time);
    if (code == STATUS_OK)
        code = find_process(writer, log->process, &process);
    if (code == STATUS_OK)
        code = find_thread(writer, process, log->thread, &slice.thread);
    if (code == STATUS_OK)
        code = render(writer, &slice);
    return settle(writer, code);
}

/* ---- profiles --------------------------------------------------------------------------------------------------- */

enum tacho_status tacho_writer_read(struct tacho_writer *writer, const char *view_name, const char *path,
                                    const struct tacho_read_options *options, struct tacho_row_counts *counts)
{
    struct session_options own;
    struct tacho_row_counts unused, *rows = counts ? counts : &unused;
    struct session session;
    status code = check_whole(writer);

    *rows = (struct tacho_row_counts){ 0 };
    if (code != STATUS_OK)
        return to_public(code);
    code = read_options_fill(&own, options);
    if (code != STATUS_OK)
        return to_public(code);
    own.strings = writer->session.strings;
    own.order = writer->order;
    code = session_start(&session, &own);
    if (code == STATUS_OK)
        code = open_input(&session, view_name, path);
    if (code == STATUS_OK) {
        conversion_switch(&writer->conversion, &session);
        code = conversion_read(&writer->conversion);
        counts_add(rows, &session.profiles[0].losses);
        conversion_switch(&writer->conversion, &writer->session);
        writer->order += 2;
        writer->failure = code;
    }
    session_end(&session);
    return to_public(code);
}
