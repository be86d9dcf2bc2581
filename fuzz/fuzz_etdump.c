/* fuzz_etdump.c: the reader of ExecuTorch's dumps, as an execution and as a trace. */
#include "check_sink.h"
#include "executorch/chain.h"
#include "executorch/execution.h"

static void check_operators(const struct execution *execution)
{
    uint64_t events = 0;

    for (uint32_t i = 0; i < execution->operators.count; i++) {
        const struct execution_operator *op = execution_operator_at(execution, i);

        events += op->events;
        check_that(op->total >= 0 && op->self_total >= 0, "times of an operator are not negative");
    }
    check_that(events == execution->events.count, "every event has its operator");
}

static void check_ancestors(const struct execution *execution, uint32_t event)
{
    size_t steps = 0;

    for (; event != NO_ID; event = execution_event_at(execution, event)->parent)
        check_that(steps++ < execution->events.count, "no event is its own ancestor");
}

static void check_execution(const struct execution *execution)
{
    const struct losses *losses = &execution->losses;
    uint64_t events = 0;

    check_that(losses->rows == losses->used + losses->lost, "a row is used or lost");
    check_that(losses->used >= execution->events.count + execution->values.count, "what is there was used");
    for (uint32_t i = 0; i < execution->runs.count; i++)
        events += execution_run_at(execution, i)->event_count;
    check_that(events == execution->events.count, "every event has its run");
    for (uint32_t i = 0; i < execution->events.count; i++) {
        const struct execution_event *event = execution_event_at(execution, i);

        check_that(event->start >= 0 && event->duration >= 0 && event->start <= INT64_MAX - event->duration,
                   "times fit the clock");
        check_that(event->parent == NO_ID || event->parent < execution->events.count, "a parent is an event");
        check_ancestors(execution, i);
    }
    check_operators(execution);
}

static void check(const uint8_t *data, size_t size, struct strings *strings)
{
    struct execution execution;
    struct source source = { .path = "fuzz" };

    execution_start(&execution, strings);
    if (input_open_memory("fuzz", data, size, &source.input) == STATUS_OK &&
        executorch_calls(&etdump_reader)->execution(&source, &execution) == STATUS_OK)
        check_execution(&execution);
    input_close(source.input);
    execution_free(&execution);
    check_reader(&etdump_reader, data, size, NULL, NULL, strings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return check_input(data, size, check);
}
