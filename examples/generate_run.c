/* generate_run.c: what the runtime would log: ten inferences, with the luck that real ones have. */
#include "generate.h"

#include <inttypes.h>

enum { INFERENCES = 10 };

static struct {
    struct page *page;
    uint64_t now; /* us */
    uint64_t random;
    unsigned invocations;
    unsigned inference;
} run;

/* 0 .. limit - 1 */
static unsigned luck(unsigned limit)
{
    run.random = run.random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((run.random >> 33) % limit);
}

static void print_event(const char *scope, unsigned invocation, int action, const char *event, const char *edge)
{
    print(run.page, "%s,%u,%d,%" PRIu64 ",%s_%s\n", scope, invocation, action, run.now, event, edge);
}

static void print_phase(const char *scope, unsigned invocation, const char *event, unsigned microseconds)
{
    run.now++;
    print_event(scope, invocation, -1, event, "BEGIN");
    run.now += microseconds;
    print_event(scope, invocation, -1, event, "END");
}

/* A job takes a tenth to four tenths longer than estimated: always the same for one job, and a little luck. The first
 * inference finds cold caches. */
static uint64_t job_microseconds(unsigned index)
{
    const struct job *job = &jobs[index];
    uint64_t percent = 110 + index * 7 % 27 + luck(4) + (run.inference == 0 ? 12 : 0);

    return (job->end - job->start) * percent / 100 / 800 + 3;
}

static void print_action(const struct action *action, unsigned invocation)
{
    static const char *const events[] = { "HOST_COPY", "NSS_START", "NSS_WAIT", "HOST_START",
                                          "HOST_WAIT", "ALLOC",     "DEALLOC" };
    const char *scope = dispatch_names[action->dispatch];
    uint64_t length = action->kind == WAIT ? job_microseconds(action->job) : action->microseconds;

    run.now += luck(2) + (action->kind == START ? luck(8) : 0);
    print_event(scope, invocation, (int)action->id, events[action->kind], "BEGIN");
    run.now += length + (length > 4 ? luck((unsigned)length / 16 + 2) : 0);
    print_event(scope, invocation, (int)action->id, events[action->kind], "END");
}

static void print_initialisation(unsigned dispatch)
{
    const char *scope = dispatch_names[dispatch];
    unsigned invocation = run.invocations++;

    print_event(scope, invocation, -1, "INIT", "BEGIN");
    print_phase(scope, invocation, "INIT_COMPUTE_XRAM_FOOTPRINT", 2);
    print_phase(scope, invocation, "INIT_HW_OPEN", dispatch == 0 ? 890 : 14);
    print_phase(scope, invocation, "INIT_CLEAR_MEMORY", 60 + luck(20));
    print_phase(scope, invocation, "INIT_LOAD_CODE_SEGMENTS", 240 + luck(90));
    print_phase(scope, invocation, "INIT_LOAD_HOST_CODE", dispatch + 1 == DISPATCHES ? 410 : 3);
    run.now += 2;
    print_event(scope, invocation, -1, "INIT", "END");
    run.now += 20 + luck(20);
}

static void print_call(unsigned dispatch)
{
    static const char hal[] = "__HAL_COMMAND_BUFFER_DISPATCH__";
    const char *scope = dispatch_names[dispatch];
    unsigned call = run.invocations++;
    unsigned invocation = run.invocations++;

    run.now += 2;
    print_event(hal, call, -1, "HAL_CALL", "BEGIN");
    print_phase(hal, call, "HAL_COMMAND_BUFFER_PUSH_DESCRIPTOR_SET", 1);
    run.now += 3 + luck(4);
    print_event(scope, invocation, -1, "DISPATCH", "BEGIN");
    print_phase(scope, invocation, "INIT_PREPARE_OUTPUT_DIRS", 1);
    print_phase(scope, invocation, "DISPATCH_ACQUIRE_HW_RESOURCES", 3);
    print_phase(scope, invocation, "DISPATCH_SYNC_BINDINGS_IN", 9 + luck(6));
    run.now++;
    print_event(scope, invocation, -1, "DISPATCH_EXECUTE_ACTIONS", "BEGIN");
    for (unsigned i = 0; i < action_count; i++) {
        if (actions[i].dispatch == dispatch)
            print_action(&actions[i], invocation);
    }
    run.now++;
    print_event(scope, invocation, -1, "DISPATCH_EXECUTE_ACTIONS", "END");
    print_phase(scope, invocation, "DISPATCH_SYNC_BINDINGS_OUT", 5 + luck(5));
    print_phase(scope, invocation, "DISPATCH_RELEASE_HW_RESOURCES", 2);
    run.now++;
    print_event(scope, invocation, -1, "DISPATCH", "END");
    run.now++;
    print_event(hal, call, -1, "HAL_CALL", "END");
}

static void print_inference(void)
{
    static const char queue[] = "__HAL_QUEUE_EXECUTE__";
    static const char copy[] = "__HAL_COMMAND_BUFFER_COPY_BUFFER__";
    unsigned execute = run.invocations++;
    unsigned copied;

    run.now += 180 + luck(120);
    print_event(queue, execute, -1, "HAL_CALL", "BEGIN");
    print_phase(queue, execute, "HAL_QUEUE_WAIT", 3 + luck(3));
    run.now++;
    print_event(queue, execute, -1, "HAL_QUEUE_APPLY_DEFERRED", "BEGIN");
    for (unsigned i = 0; i < DISPATCHES; i++)
        print_call(i);
    copied = run.invocations++;
    run.now++;
    print_event(copy, copied, -1, "HAL_CALL", "BEGIN");
    print_phase(copy, copied, "HAL_COMMAND_BUFFER_COPY_BUFFER", 6 + luck(3));
    run.now++;
    print_event(copy, copied, -1, "HAL_CALL", "END");
    run.now++;
    print_event(queue, execute, -1, "HAL_QUEUE_APPLY_DEFERRED", "END");
    print_phase(queue, execute, "HAL_QUEUE_SIGNAL", 2);
    run.now++;
    print_event(queue, execute, -1, "HAL_CALL", "END");
}

void print_run(struct page *page)
{
    run.page = page;
    run.now = 81234567;
    run.random = 2610;
    print(page, "dispatch_name,invocation_id,action_id,timestamp_us,event\n");
    for (unsigned i = 0; i < DISPATCHES; i++)
        print_initialisation(i);
    for (run.inference = 0; run.inference < INFERENCES; run.inference++)
        print_inference();
}
