/* etdump.c: reader `etdump`: what ExecuTorch's event tracer wrote.
 *
 *   ETDump ── RunData ("Default", "Execute", ...) ─┬─ Allocator (name)
 *                                                  └─ Event: a ProfileEvent (times), AllocationEvent or DebugEvent (Value)
 *
 * A program does the same in every run, so each operator remembers which one followed it: a right guess costs a comparison of the
 * name, and no hash.
 */
#include "base/memory.h"
#include "base/number.h"
#include "executorch/chain.h"
#include "executorch/etdump_unwrap.h"
#include "executorch/etdump_value.h"
#include "executorch/execution_reader.h"
#include "executorch/flatbuffer.h"
#include "executorch/launch_failure.h"
#include "trace/clock.h"

static const char identifier[4] = { 'E', 'D', '0', '0' };

enum { DUMP_VERSION, DUMP_RUNS };
enum { RUN_NAME, RUN_BUNDLED_INPUT, RUN_ALLOCATORS, RUN_EVENTS };
enum { EVENT_PROFILE_SLOT, EVENT_ALLOCATION_SLOT, EVENT_DEBUG_SLOT, EVENT_SLOTS };
enum {
    PROFILE_NAME,
    PROFILE_CHAIN,
    PROFILE_INSTRUCTION,
    PROFILE_DELEGATE_INTEGER,
    PROFILE_DELEGATE_TEXT,
    PROFILE_METADATA,
    PROFILE_START,
    PROFILE_END
};
enum { ALLOCATION_ALLOCATOR, ALLOCATION_SIZE };
enum { DEBUG_CHAIN, DEBUG_INSTRUCTION, DEBUG_VALUE, DEBUG_DELEGATE_INTEGER, DEBUG_DELEGATE_TEXT, DEBUG_NAME };

/* A profile event as the file has it. */
struct profile {
    struct text name;     /* of the delegate's operator, else of the event */
    bool delegated;       /* a backend reported it */
    bool numbered;        /* it has no name but its integer id */
    int32_t chain;        /* of instructions; -1: none */
    int32_t instruction;  /* in that chain; -1: none */
    int32_t delegate;     /* integer id; -1: none */
    struct text metadata; /* bytes of the backend; empty: none */
    uint64_t start;       /* as it stands in the file: a stamp of the device's clock */
    uint64_t end;         /* the same */
};

/* How the events of an operator look in the file. */
struct known {
    struct text name;     /* in the pool */
    struct text metadata; /* in the pool */
    string_id block;      /* of its runs */
    int32_t chain;        /* of instructions; -1: none */
    int32_t instruction;  /* in that chain; -1: none */
    int32_t delegate;     /* integer id; -1: none */
    bool delegated;       /* a backend reports it */
    bool numbered;        /* it has no name but its integer id */
    uint32_t next;        /* operator of the event that followed the last time; NO_ID: none yet */
};

struct dump {
    struct source *source;       /* that is read; borrowed */
    struct execution *execution; /* that is filled; borrowed */
    struct flatbuffer buffer;    /* the bytes of the file */
    struct flat_table event;     /* kept from event to event: most share one vtable */
    struct flat_table profile;   /* of that event; kept the same way */
    struct column known;         /* struct known, by operator */
    uint32_t previous;           /* operator of the event before in this run; NO_ID: none */
    uint32_t first;              /* operator that began the run before; NO_ID: none */
    uint32_t run;                /* index of the run at hand */
    string_id block;             /* of the run */
    size_t first_allocator;      /* of the run */
    string_id backend;           /* "delegated" */
    int64_t limit;               /* the latest time that the clock can tell */
    uint64_t announced;          /* bytes that the size prefix promises; 0: there is none */
    uint64_t elements;           /* of vectors of tables so far */
    uint64_t text_bytes;         /* of names that had to be looked up so far */
    uint64_t latest;             /* the largest stamp so far */
    uint64_t last_end;           /* of the event before that no delegate reported */
    bool wraps;                  /* a clock of 32 bits seems to have started again */
    bool metadata_differs;       /* some operator has other bytes than at its first event */
};

/* ---- Failing ---- */

static status fail_damaged(const struct dump *dump)
{
    struct place where = { .file = input_name(dump->source->input) };
    const struct flatbuffer *buffer = &dump->buffer;

    if (dump->announced > buffer->size)
        return status_fail_at(STATUS_INPUT, where,
                              "the dump is cut: it says that it has %llu bytes, %zu are there; %s (offset %zu)",
                              (unsigned long long)dump->announced, buffer->size, buffer->fault, buffer->fault_at);
    return status_fail_at(STATUS_INPUT, where, "the dump is damaged: %s (offset %zu)", buffer->fault, buffer->fault_at);
}

/* No writer lets two vectors share a table, so there cannot be more elements than fit; without this, a small file could tell of
 * any number of events. */
static bool has_room(struct dump *dump, struct flat_vector vector)
{
    dump->elements += vector.count;
    if (dump->elements > dump->buffer.size / 4)
        flat_fail(&dump->buffer, "vectors with more elements than the file has room for", vector.at);
    return !dump->buffer.fault;
}

/* Names may be shared, but not without end: texts that overlap would make a small file an endless one. */
static status keep_text(struct dump *dump, struct text text, string_id *id)
{
    enum { SHARED = 16 };

    dump->text_bytes += text.length;
    if (dump->text_bytes / SHARED > dump->buffer.size) {
        flat_fail(&dump->buffer, "texts that overlap each other", (size_t)(text.data - dump->buffer.data));
        return fail_damaged(dump);
    }
    return strings_add(dump->execution->strings, text.data, text.length, id);
}

/* ---- Profile events ---- */

static void decode_profile(struct dump *dump, struct profile *profile)
{
    struct flatbuffer *buffer = &dump->buffer;
    const struct flat_table *table = &dump->profile;

    profile->delegate = flat_get_integer(buffer, table, PROFILE_DELEGATE_INTEGER, -1);
    profile->name = flat_get_text(buffer, table, PROFILE_DELEGATE_TEXT);
    profile->numbered = profile->name.length == 0 && profile->delegate != -1;
    profile->delegated = profile->name.length > 0 || profile->numbered;
    if (!profile->delegated)
        profile->name = flat_get_text(buffer, table, PROFILE_NAME);
    profile->chain = flat_get_integer(buffer, table, PROFILE_CHAIN, 0);
    profile->instruction = flat_get_integer(buffer, table, PROFILE_INSTRUCTION, -1);
    profile->metadata = flat_get_text(buffer, table, PROFILE_METADATA);
    profile->start = flat_get_64(buffer, table, PROFILE_START, 0);
    profile->end = flat_get_64(buffer, table, PROFILE_END, 0);
}

/* NULL: the times can be used. A clock of 32 bits may have started again in between: what would take more than half of its range then just ends before it starts. */
static const struct loss_reason *measure(const struct dump *dump, const struct profile *profile, int64_t *start,
                                         int64_t *duration)
{
    uint64_t limit = (uint64_t)dump->limit;
    uint64_t length = profile->end - profile->start;

    if (profile->start > profile->end) {
        if (profile->start > UINT32_MAX)
            return profile->start > limit ? &loss_time_range : &loss_end_before_start;
        length = (uint32_t)length;
        if (length > UINT32_MAX / 2)
            return &loss_end_before_start;
    }
    if (profile->start > limit || length > limit - profile->start)
        return &loss_time_range;
    *start = (int64_t)profile->start;
    *duration = (int64_t)length;
    return NULL;
}

/* Events are logged when they end: an end far before the last one is a clock that started again. */
static void watch_clock(struct dump *dump, const struct profile *profile)
{
    uint64_t later = profile->start > profile->end ? profile->start : profile->end;

    dump->latest = later > dump->latest ? later : dump->latest;
    dump->wraps |= profile->start > profile->end;
    if (profile->delegated)
        return;
    dump->wraps |= dump->last_end > profile->end && dump->last_end - profile->end > ETDUMP_BACK;
    dump->last_end = profile->end;
}

static bool is_same(const struct known *known, const struct profile *profile, string_id block)
{
    return known->name.length == profile->name.length && known->instruction == profile->instruction &&
           known->chain == profile->chain && known->delegate == profile->delegate &&
           known->delegated == profile->delegated && known->numbered == profile->numbered && known->block == block &&
           text_same(known->name.data, profile->name.data, profile->name.length);
}

static status add_known(struct dump *dump, const struct profile *profile, string_id name, uint32_t op)
{
    while (dump->known.count <= op) {
        struct known *made = column_append(&dump->known);

        if (!made)
            return status_no_memory("reading an ETDump");
        *made = (struct known){
            .block = dump->block,
            .chain = profile->chain,
            .instruction = profile->instruction,
            .delegate = profile->delegate,
            .delegated = profile->delegated,
            .numbered = profile->numbered,
            .next = NO_ID,
        };
        if (!profile->numbered)
            made->name = strings_get(dump->execution->strings, name);
    }
    return STATUS_OK;
}

static status look_up(struct dump *dump, const struct profile *profile, uint32_t *op)
{
    struct execution_operator key = execution_key(dump->block, 0, EVENT_DELEGATED);
    struct text name = profile->name;
    char digits[24];
    status code;

    if (profile->numbered)
        name = (struct text){ digits, number_write_integer(digits, profile->delegate) };
    code = profile->numbered ? strings_add(dump->execution->strings, name.data, name.length, &key.name)
                             : keep_text(dump, name, &key.name);
    if (code != STATUS_OK)
        return code;
    if (!profile->delegated)
        key.kind = event_kind_of_name(name);
    key.backend = profile->delegated ? dump->backend : 0;
    key.chain = profile->chain;
    key.instruction = profile->instruction;
    key.delegate_id = profile->delegate;
    code = execution_operator(dump->execution, &key, op);
    return code == STATUS_OK ? add_known(dump, profile, key.name, *op) : code;
}

/* By a guess: what followed the event before the last time, or began the run before. */
static status find_operator(struct dump *dump, const struct profile *profile, uint32_t *op)
{
    uint32_t *guess = &dump->first;
    status code = STATUS_OK;

    if (dump->previous != NO_ID)
        guess = &((struct known *)column_at(&dump->known, dump->previous))->next;
    if (*guess != NO_ID && is_same(column_at(&dump->known, *guess), profile, dump->block)) {
        *op = *guess;
    } else {
        code = look_up(dump, profile, op);
        *guess = code == STATUS_OK ? *op : NO_ID;
    }
    dump->previous = *guess;
    return code;
}

/* A backend attaches the same to every event of an operator as a rule; an operator keeps the first. */
static status keep_metadata(struct dump *dump, const struct profile *profile, uint32_t op)
{
    struct known *known = column_at(&dump->known, op);
    struct execution_operator *owner = execution_operator_at(dump->execution, op);
    status code;

    if (profile->metadata.length == 0)
        return STATUS_OK;
    if (known->metadata.length > 0) {
        dump->metadata_differs |= known->metadata.length != profile->metadata.length ||
                                  !text_same(known->metadata.data, profile->metadata.data, profile->metadata.length);
        return STATUS_OK;
    }
    code = keep_text(dump, profile->metadata, &owner->metadata);
    if (code == STATUS_OK)
        known->metadata = strings_get(dump->execution->strings, owner->metadata);
    return code;
}

static status read_profile(struct dump *dump, size_t at, const struct loss_reason **reason)
{
    struct profile profile;
    uint32_t op;
    int64_t start, duration;
    status code;

    if (!flat_open(&dump->buffer, at, &dump->profile))
        return fail_damaged(dump);
    decode_profile(dump, &profile);
    if (dump->buffer.fault)
        return fail_damaged(dump);
    *reason = measure(dump, &profile, &start, &duration);
    if (*reason != NULL)
        return STATUS_OK;
    watch_clock(dump, &profile);
    code = find_operator(dump, &profile, &op);
    if (code == STATUS_OK)
        code = keep_metadata(dump, &profile, op);
    return code == STATUS_OK ? execution_add_event(dump->execution, op, dump->run, start, duration, NULL) : code;
}

/* ---- Allocations and values ---- */

/* The allocator that an allocation is for; NULL: there is none with this number, which counts from 1. */
static struct execution_allocator *find_allocator(struct dump *dump, const struct flat_table *allocation)
{
    struct column *allocators = &dump->execution->allocators;
    int32_t number = flat_get_integer(&dump->buffer, allocation, ALLOCATION_ALLOCATOR, 0);

    if (number < 1 || (size_t)number > allocators->count - dump->first_allocator)
        return NULL;
    return column_at(allocators, dump->first_allocator + (size_t)number - 1);
}

static status read_allocation(struct dump *dump, size_t at, const struct loss_reason **reason)
{
    struct flat_table table = { 0 };
    struct execution_allocator *allocator = NULL;
    uint64_t size = 0;

    if (flat_open(&dump->buffer, at, &table)) {
        allocator = find_allocator(dump, &table);
        size = flat_get_64(&dump->buffer, &table, ALLOCATION_SIZE, 0);
    }
    if (dump->buffer.fault)
        return fail_damaged(dump);
    if (!allocator) {
        *reason = &executorch_loss_allocator;
        return STATUS_OK;
    }
    if (__builtin_add_overflow(allocator->bytes, size, &allocator->bytes))
        allocator->bytes = UINT64_MAX;
    allocator->count++;
    return STATUS_OK;
}

static status keep_value_name(struct dump *dump, const struct flat_table *table, string_id *id)
{
    struct flatbuffer *buffer = &dump->buffer;
    struct text name = flat_get_text(buffer, table, DEBUG_DELEGATE_TEXT);
    int32_t delegate = flat_get_integer(buffer, table, DEBUG_DELEGATE_INTEGER, -1);

    if (name.length == 0 && delegate != -1)
        return strings_add_format(dump->execution->strings, id, "%d", (int)delegate);
    if (name.length == 0)
        name = flat_get_text(buffer, table, DEBUG_NAME);
    return buffer->fault ? fail_damaged(dump) : keep_text(dump, name, id);
}

static status read_debug(struct dump *dump, size_t at)
{
    struct flatbuffer *buffer = &dump->buffer;
    struct execution_value kept = { .run = dump->run };
    struct etdump_value value;
    struct flat_table table = { 0 };
    struct execution_value *made;
    status code;

    flat_open(buffer, at, &table);
    kept.instruction = flat_get_integer(buffer, &table, DEBUG_INSTRUCTION, -1);
    etdump_value_read(buffer, flat_reference(buffer, &table, DEBUG_VALUE), &value);
    if (buffer->fault)
        return fail_damaged(dump);
    kept.output = value.output;
    code = keep_value_name(dump, &table, &kept.name);
    if (code == STATUS_OK)
        code = strings_add(dump->execution->strings, value.text, value.length, &kept.text);
    if (code != STATUS_OK)
        return code;
    made = column_append(&dump->execution->values);
    if (!made)
        return status_no_memory("keeping logged values");
    *made = kept;
    return STATUS_OK;
}

/* ---- Runs ---- */

/* One row: what an event holds in this slot, or nothing where `at` is 0. */
static status read_part(struct dump *dump, unsigned slot, size_t at)
{
    struct losses *losses = &dump->execution->losses;
    const struct loss_reason *reason = NULL;
    status code = STATUS_OK;

    losses->rows++;
    if (!at)
        reason = &loss_no_event;
    else if (slot == EVENT_PROFILE_SLOT)
        code = read_profile(dump, at, &reason);
    else if (slot == EVENT_ALLOCATION_SLOT)
        code = read_allocation(dump, at, &reason);
    else
        code = read_debug(dump, at);
    if (code != STATUS_OK)
        return code;
    if (reason != NULL)
        return source_lose_row(dump->source, losses, reason, losses->rows, 0);
    losses->used++;
    return STATUS_OK;
}

/* An event holds one of the three; should there be one with more, each is a row. */
static status read_event(struct dump *dump, struct flat_vector events, uint32_t index)
{
    struct flatbuffer *buffer = &dump->buffer;
    unsigned parts = 0;
    status code = STATUS_OK;

    if (!flat_open_element(buffer, events, index, &dump->event))
        return fail_damaged(dump);
    for (unsigned slot = 0; slot < EVENT_SLOTS && code == STATUS_OK; slot++) {
        size_t at = flat_reference(buffer, &dump->event, slot);

        if (buffer->fault)
            return fail_damaged(dump);
        parts += at != 0;
        if (at)
            code = read_part(dump, slot, at);
    }
    return code == STATUS_OK && parts == 0 ? read_part(dump, EVENT_SLOTS, 0) : code;
}

static status read_allocators(struct dump *dump, struct flat_vector allocators)
{
    struct flat_table table = { 0 };

    dump->first_allocator = dump->execution->allocators.count;
    for (uint32_t i = 0; i < allocators.count; i++) {
        struct execution_allocator *made;
        struct text name = { 0 };
        string_id id;
        status code;

        if (flat_open_element(&dump->buffer, allocators, i, &table))
            name = flat_get_text(&dump->buffer, &table, 0);
        if (dump->buffer.fault)
            return fail_damaged(dump);
        code = keep_text(dump, name, &id);
        if (code != STATUS_OK)
            return code;
        made = column_append(&dump->execution->allocators);
        if (!made)
            return status_no_memory("keeping allocators");
        *made = (struct execution_allocator){ .run = dump->run, .name = id };
    }
    return STATUS_OK;
}

static status read_run(struct dump *dump, const struct flat_table *table)
{
    struct flatbuffer *buffer = &dump->buffer;
    struct text name = flat_get_text(buffer, table, RUN_NAME);
    int32_t bundled_input = flat_get_integer(buffer, table, RUN_BUNDLED_INPUT, -1);
    struct flat_vector allocators = flat_get_vector(buffer, table, RUN_ALLOCATORS, 4);
    struct flat_vector events = flat_get_vector(buffer, table, RUN_EVENTS, 4);
    status code;

    if (buffer->fault || !has_room(dump, allocators) || !has_room(dump, events))
        return fail_damaged(dump);
    code = keep_text(dump, name, &dump->block);
    if (code == STATUS_OK)
        code = execution_add_run(dump->execution, dump->block, bundled_input, &dump->run);
    if (code == STATUS_OK)
        code = read_allocators(dump, allocators);
    dump->previous = NO_ID;
    for (uint32_t i = 0; i < events.count && code == STATUS_OK; i++)
        code = read_event(dump, events, i);
    return code;
}

static status read_runs(struct dump *dump, const struct flat_table *root)
{
    struct flatbuffer *buffer = &dump->buffer;
    struct flat_vector runs = flat_get_vector(buffer, root, DUMP_RUNS, 4);
    uint32_t version = flat_get_32(buffer, root, DUMP_VERSION, 0);
    struct flat_table table = { 0 };
    status code = STATUS_OK;

    if (buffer->fault || !has_room(dump, runs))
        return fail_damaged(dump);
    if (version != 0)
        source_note(dump->source, "the dump is of a later version of the format: what that version added is not shown");
    for (uint32_t i = 0; i < runs.count && code == STATUS_OK; i++) {
        code = flat_open_element(buffer, runs, i, &table) ? read_run(dump, &table) : fail_damaged(dump);
        if (dump->source->progress)
            progress_update(dump->source->progress, input_consumed(dump->source->input) / runs.count * (i + 1));
    }
    return code;
}

/* ---- The reader ---- */

static bool has_identifier(struct text bytes, size_t at)
{
    return bytes.length >= at + sizeof identifier && memcmp(bytes.data + at, identifier, sizeof identifier) == 0;
}

/* With a size before it, as the runtime writes it, or without. */
static status open_root(struct dump *dump, struct flat_table *root)
{
    struct flatbuffer *buffer = &dump->buffer;
    struct place where = { .file = input_name(dump->source->input) };
    struct text bytes = { buffer->data, buffer->size };
    bool prefixed = has_identifier(bytes, 8);
    size_t at;

    if (!prefixed && !has_identifier(bytes, 4))
        return status_fail_at(STATUS_INPUT, where, "this is no ETDump: ED00 is neither at byte 4 nor at byte 8");
    if (prefixed)
        dump->announced = 4 + (uint64_t)flat_load_32(buffer, 0);
    at = flat_follow(buffer, prefixed ? 4 : 0);
    if (!at || !flat_open(buffer, at, root))
        return fail_damaged(dump);
    return STATUS_OK;
}

static status set_clock(struct dump *dump)
{
    struct tick_rate ticks = dump->source->ticks;
    struct strings *strings = dump->execution->strings;
    struct clock *clock = &dump->execution->clock;
    char megahertz[40];
    size_t length;
    status code;

    if (!ticks.numerator || !ticks.denominator)
        ticks = (struct tick_rate){ 1, 1 };
    if (ticks.numerator == ticks.denominator) {
        code = strings_add_text(strings, "nanoseconds", &clock->name);
    } else if (ticks.numerator == 1000 && ticks.denominator == 1) {
        code = strings_add_text(strings, "microseconds", &clock->name);
    } else {
        length = number_write_shortest(megahertz, 1000.0 * (double)ticks.denominator / (double)ticks.numerator);
        if (length > 2 && memcmp(megahertz + length - 2, ".0", 2) == 0)
            length -= 2;
        code = strings_add_format(strings, &clock->name, "cycles at %.*s MHz", (int)length, megahertz);
    }
    clock->numerator = ticks.numerator;
    clock->denominator = ticks.denominator;
    clock->offset = 0;
    dump->limit = clock_limit(clock);
    return code;
}

static void conclude(const struct dump *dump)
{
    struct source *source = dump->source;

    if (dump->execution->events.count == 0)
        source_note(source, "the dump holds no events");
    if (dump->execution->no_clock)
        source_note(source, "no clock: all times in the dump are equal");
    if (dump->execution->wrapped)
        source_note(source, "the clock has 32 bits and started again: the times after that go on where it ended");
    if (dump->announced > dump->buffer.size)
        source_note(source, "the end of the dump is cut off; nothing that it refers to is missing");
    if (dump->metadata_differs)
        source_note(source, "delegates attached different metadata to the events of one operator: the first is kept");
}

static status read_dump(struct dump *dump)
{
    struct flat_table root = { 0 };
    struct text whole;
    status code = input_whole(dump->source->input, UINT32_MAX, &whole);

    if (code != STATUS_OK)
        return code;
    dump->buffer.data = whole.data;
    dump->buffer.size = whole.length;
    code = set_clock(dump);
    if (code == STATUS_OK)
        code = strings_add_text(dump->execution->strings, "delegated", &dump->backend);
    if (code == STATUS_OK)
        code = open_root(dump, &root);
    if (code == STATUS_OK)
        code = read_runs(dump, &root);
    if (code == STATUS_OK && dump->wraps && dump->latest <= UINT32_MAX)
        etdump_unwrap(dump->execution, dump->limit);
    if (code == STATUS_OK)
        code = execution_settle(dump->execution);
    if (code == STATUS_OK)
        conclude(dump);
    return code;
}

static status read_execution(struct source *source, struct execution *execution)
{
    struct dump dump = { .source = source, .execution = execution, .first = NO_ID, .previous = NO_ID };
    status code;

    column_start(&dump.known, sizeof(struct known));
    code = read_dump(&dump);
    column_free(&dump.known);
    return code;
}

static status read_etdump(struct source *source, struct feed *feed)
{
    return execution_read(source, feed, read_execution);
}

/* A size or an offset that reads as text is one of more than 500 MB: more likely it is text. */
static int probe_etdump(struct text head, const char *path)
{
    bool text = true;

    (void)path;
    if (!has_identifier(head, 8) && !has_identifier(head, 4))
        return 0;
    for (size_t i = 0; i < 4; i++)
        text &= head.data[i] >= ' ' && head.data[i] <= '~';
    return text ? 40 : 100;
}

static const struct companion *const companions[] = { &executorch_graph_companion, &executorch_failure_companion,
                                                      NULL };
static const struct executorch_calls calls = { .execution = read_execution };

const struct reader etdump_reader = {
    .id = "etdump",
    .title = "ExecuTorch ETDump",
    .chain = &executorch_chain,
    .companions = companions,
    .own = &calls,
    .kind = READER_MEASURED,
    .files = "*.etdump *.etdp",
    .probe = probe_etdump,
    .read = read_etdump,
};
