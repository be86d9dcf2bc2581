/* runtime.c: what the runtime logged, R1 to R3. */
#include <stdio.h>

#include "model.h"

struct clockwork {
    uint64_t random;
    uint64_t percent; /* chance of a gap */
    uint64_t now;     /* us */
    uint64_t gaps;
};

/* Goes on by a pause, or not at all. */
static void maybe_pause(struct clockwork *clockwork)
{
    uint64_t ticket = next_random(&clockwork->random);

    if ((ticket >> 40) % 100 < clockwork->percent) {
        clockwork->now += 1 + (ticket & 31);
        clockwork->gaps++;
    }
}

uint64_t generate_r1(uint64_t rows, uint64_t seed, uint64_t gaps)
{
    struct clockwork clockwork = { .random = seed, .percent = gaps, .now = 900 };

    put_line("id;time_since_open;time_since_start;location");
    for (uint64_t id = 0; id < rows; id++) {
        uint64_t duration = 40 + draw(&clockwork.random, 2400);

        maybe_pause(&clockwork);
        clockwork.now += duration;
        put_unsigned(id);
        put_character(';');
        put_unsigned(clockwork.now);
        put_character(';');
        put_unsigned(duration);
        put_character(';');
        if (id % 50 != 49)
            put_location((unsigned)(id / 3 % LAYERS));
        end_line();
    }
    return clockwork.gaps;
}

static uint64_t action_length(struct clockwork *clockwork, unsigned kind)
{
    static const uint64_t shortest[] = { 8, 3, 30, 60, 1, 1 };
    static const uint64_t range[] = { 40, 6, 1200, 400, 3, 3 };

    return shortest[kind] + draw(&clockwork->random, range[kind]);
}

enum action { ACTION_COPY, ACTION_START, ACTION_WAIT, ACTION_HOST, ACTION_ALLOC, ACTION_DEALLOC };

/* R2 is one dispatch however long it is: a copy and a host program now and then, jobs in between. */
static enum action action_at(uint64_t action)
{
    switch (action % 24) {
    case 0:
        return ACTION_COPY;
    case 21:
        return ACTION_HOST;
    case 22:
        return ACTION_ALLOC;
    case 23:
        return ACTION_DEALLOC;
    default:
        return action % 24 % 2 ? ACTION_START : ACTION_WAIT;
    }
}

uint64_t generate_r2(uint64_t rows, uint64_t seed, uint64_t gaps)
{
    static const char *const begins[] = { "HOST_COPY_START",    "NSS_START",   "NSS_WAIT_START",
                                          "HOST_PROGRAM_START", "ALLOC_START", "DEALLOC_START" };
    static const char *const ends[] = { "HOST_COPY_END",    "NSS_START_END", "NSS_WAIT_END",
                                        "HOST_PROGRAM_END", "ALLOC_END",     "DEALLOC_END" };
    struct clockwork clockwork = { .random = seed, .percent = gaps, .now = UINT64_C(5123456789) };
    uint64_t first = clockwork.now;

    put_line("actionIndex, elapsed_time(us), timestamp(us), event, location");
    for (uint64_t row = 0; row < rows; row++) {
        uint64_t action = row / 2;
        enum action kind = action_at(action);
        const struct layer *layer = &layers[action / 48 % LAYERS];

        if (row % 2)
            clockwork.now += action_length(&clockwork, kind);
        else if (row)
            maybe_pause(&clockwork);
        put_unsigned(action);
        put_character(',');
        put_unsigned(clockwork.now - first);
        put_character(',');
        put_unsigned(clockwork.now);
        put_character(',');
        put((row % 2 ? ends : begins)[kind]);
        put_character(',');
        put_bytes(layer->quoted, layer->quoted_length);
        end_line();
    }
    return clockwork.gaps;
}

/* One scope of the R3 log: what stands in each of its rows. */
struct scope {
    char name[64];
    uint64_t invocation;
};

struct log {
    struct clockwork clockwork;
    uint64_t invocations;
};

static struct scope open_scope(struct log *log, const char *name)
{
    struct scope scope = { .invocation = log->invocations++ };

    snprintf(scope.name, sizeof scope.name, "%s", name);
    return scope;
}

/* `action` -1: none. `what` is the event without BEGIN or END. */
static void put_event(const struct log *log, const struct scope *scope, int64_t action, const char *what, bool begins)
{
    put(scope->name);
    put_character(',');
    put_unsigned(scope->invocation);
    put_character(',');
    if (action < 0)
        put_bytes("-1", 2);
    else
        put_unsigned((uint64_t)action);
    put_character(',');
    put_unsigned(log->clockwork.now);
    put_character(',');
    put(what);
    put(begins ? "_BEGIN" : "_END");
    end_line();
}

static void put_phase(struct log *log, const struct scope *scope, const char *what, uint64_t duration)
{
    log->clockwork.now++;
    put_event(log, scope, -1, what, true);
    log->clockwork.now += duration;
    put_event(log, scope, -1, what, false);
}

static void put_initialisation(struct log *log, uint64_t dispatch)
{
    char name[64];
    struct scope scope;

    dispatch_name(name, sizeof name, dispatch);
    scope = open_scope(log, name);
    log->clockwork.now += 100;
    put_event(log, &scope, -1, "INIT", true);
    put_phase(log, &scope, "INIT_COMPUTE_XRAM_FOOTPRINT", 3);
    put_phase(log, &scope, "INIT_HW_OPEN", 890);
    put_phase(log, &scope, "INIT_CLEAR_MEMORY", 120);
    put_phase(log, &scope, "INIT_LOAD_CODE_SEGMENTS", 340);
    put_phase(log, &scope, "INIT_LOAD_HOST_CODE", 45);
    log->clockwork.now += 2;
    put_event(log, &scope, -1, "INIT", false);
}

static void put_action(struct log *log, const struct scope *scope, int64_t *action, const char *what, enum action kind)
{
    maybe_pause(&log->clockwork);
    put_event(log, scope, *action, what, true);
    log->clockwork.now += action_length(&log->clockwork, kind);
    put_event(log, scope, *action, what, false);
    (*action)++;
}

static void put_dispatch(struct log *log, uint64_t dispatch)
{
    char name[64];
    struct scope call = open_scope(log, "__HAL_COMMAND_BUFFER_DISPATCH__");
    struct scope scope;
    int64_t action = 0;

    dispatch_name(name, sizeof name, dispatch);
    log->clockwork.now++;
    put_event(log, &call, -1, "HAL_CALL", true);
    put_phase(log, &call, "HAL_COMMAND_BUFFER_PUSH_DESCRIPTOR_SET", 2);
    scope = open_scope(log, name);
    log->clockwork.now += 3;
    put_event(log, &scope, -1, "DISPATCH", true);
    put_phase(log, &scope, "INIT_PREPARE_OUTPUT_DIRS", 1);
    put_phase(log, &scope, "DISPATCH_ACQUIRE_HW_RESOURCES", 4);
    put_phase(log, &scope, "DISPATCH_SYNC_BINDINGS_IN", 20 + draw(&log->clockwork.random, 30));
    log->clockwork.now++;
    put_event(log, &scope, -1, "DISPATCH_EXECUTE_ACTIONS", true);
    put_action(log, &scope, &action, "HOST_COPY", ACTION_COPY);
    for (unsigned job = 0; job < DISPATCH_JOBS; job++) {
        put_action(log, &scope, &action, "NSS_START", ACTION_START);
        put_action(log, &scope, &action, "NSS_WAIT", ACTION_WAIT);
    }
    if (dispatch_has_host_program(dispatch)) {
        put_action(log, &scope, &action, "HOST_START", ACTION_HOST);
        put_action(log, &scope, &action, "HOST_WAIT", ACTION_ALLOC);
    }
    put_action(log, &scope, &action, "ALLOC", ACTION_ALLOC);
    put_action(log, &scope, &action, "DEALLOC", ACTION_DEALLOC);
    log->clockwork.now++;
    put_event(log, &scope, -1, "DISPATCH_EXECUTE_ACTIONS", false);
    put_phase(log, &scope, "DISPATCH_SYNC_BINDINGS_OUT", 12 + draw(&log->clockwork.random, 20));
    put_phase(log, &scope, "DISPATCH_RELEASE_HW_RESOURCES", 3);
    log->clockwork.now++;
    put_event(log, &scope, -1, "DISPATCH", false);
    log->clockwork.now += 2;
    put_event(log, &call, -1, "HAL_CALL", false);
}

static void put_inference(struct log *log)
{
    struct scope queue = open_scope(log, "__HAL_QUEUE_EXECUTE__");
    struct scope copy;

    log->clockwork.now += 50 + draw(&log->clockwork.random, 400);
    put_event(log, &queue, -1, "HAL_CALL", true);
    put_phase(log, &queue, "HAL_QUEUE_WAIT", 4);
    log->clockwork.now++;
    put_event(log, &queue, -1, "HAL_QUEUE_APPLY_DEFERRED", true);
    for (uint64_t dispatch = 0; dispatch < RUNTIME_DISPATCHES; dispatch++)
        put_dispatch(log, dispatch);
    copy = open_scope(log, "__HAL_COMMAND_BUFFER_COPY_BUFFER__");
    log->clockwork.now++;
    put_event(log, &copy, -1, "HAL_CALL", true);
    put_phase(log, &copy, "HAL_COMMAND_BUFFER_COPY_BUFFER", 18);
    log->clockwork.now++;
    put_event(log, &copy, -1, "HAL_CALL", false);
    log->clockwork.now++;
    put_event(log, &queue, -1, "HAL_QUEUE_APPLY_DEFERRED", false);
    put_phase(log, &queue, "HAL_QUEUE_SIGNAL", 2);
    log->clockwork.now++;
    put_event(log, &queue, -1, "HAL_CALL", false);
}

/* Scopes enclose each other, so every pair of rows may stand between gaps of its own track: half the rows. */
uint64_t generate_r3(uint64_t rows, uint64_t seed, uint64_t gaps)
{
    struct log log = { .clockwork = { .random = seed, .percent = gaps, .now = UINT64_C(5123456789) } };

    put_line("dispatch_name,invocation_id,action_id,timestamp_us,event");
    for (uint64_t dispatch = 0; dispatch < RUNTIME_DISPATCHES; dispatch++)
        put_initialisation(&log, dispatch);
    while (lines_written <= rows)
        put_inference(&log);
    return lines_written / 2;
}
