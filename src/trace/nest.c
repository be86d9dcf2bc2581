/* nest.c: order, nesting and sums of an execution: what its file does not say and its times do. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "trace/execution.h"

enum { DEEPEST = 512 };

/* Columns as one array each: the passes below go over all events several times. */
struct nesting {
    struct execution *execution;
    struct sort_key *keys;   /* of one run */
    size_t key_capacity;
    uint32_t *pattern;       /* places of the run before, in its order, from its first event */
    uint32_t pattern_count;
    uint32_t *next_places;   /* by operator: children that have a place so far */
};

struct sort_key {
    int64_t start;
    int64_t end;
    uint32_t event;
    bool delegated;
};

static int64_t end_of(const struct execution_event *event)
{
    return number_add(event->start, event->duration);
}

/* By start. At equal start what can enclose others comes first, the longer before the shorter, then the one logged later: parents are
 * logged after their children. Delegated operators enclose nothing and keep the order in which they were logged. */
static int compare_keys(const void *a, const void *b)
{
    const struct sort_key *one = a, *other = b;

    if (one->start != other->start)
        return one->start < other->start ? -1 : 1;
    if (one->delegated != other->delegated)
        return one->delegated ? 1 : -1;
    if (one->delegated)
        return one->event < other->event ? -1 : one->event > other->event;
    if (one->end != other->end)
        return one->end > other->end ? -1 : 1;
    return one->event > other->event ? -1 : one->event < other->event;
}

/* Events of each run in file order: a counting sort. */
static status bucket_events(struct execution *execution)
{
    uint32_t next = 0;

    execution->order = memory_allocate((execution->events.count + 1) * sizeof *execution->order);
    if (!execution->order)
        return status_no_memory("ordering events");
    for (uint32_t i = 0; i < execution->runs.count; i++)
        execution_run_at(execution, i)->event_count = 0;
    for (uint32_t i = 0; i < execution->events.count; i++)
        execution_run_at(execution, execution_event_at(execution, i)->run)->event_count++;
    for (uint32_t i = 0; i < execution->runs.count; i++) {
        struct execution_run *run = execution_run_at(execution, i);

        run->first_event = next;
        next += run->event_count;
        run->event_count = 0;
    }
    for (uint32_t i = 0; i < execution->events.count; i++) {
        struct execution_run *run = execution_run_at(execution, execution_event_at(execution, i)->run);

        execution->order[run->first_event + run->event_count++] = i;
    }
    return STATUS_OK;
}

static struct sort_key key_of(const struct execution *execution, uint32_t index)
{
    const struct execution_event *event = execution_event_at(execution, index);

    return (struct sort_key){
        .start = event->start,
        .end = end_of(event),
        .event = index,
        .delegated = execution_operator_at(execution, event->operator)->kind == EVENT_DELEGATED,
    };
}

/* Runs repeat each other: the order of the run before is tried first, and is right as a rule. */
static bool sort_like_before(struct nesting *nesting, uint32_t *events, uint32_t count)
{
    if (nesting->pattern_count != count)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        nesting->keys[i] = key_of(nesting->execution, events[nesting->pattern[i]]);
        if (i > 0 && compare_keys(&nesting->keys[i - 1], &nesting->keys[i]) > 0)
            return false;
    }
    return true;
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;

    return one < other ? -1 : one > other;
}

static void sort_anew(struct nesting *nesting, const uint32_t *events, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        nesting->keys[i] = key_of(nesting->execution, events[i]);
    qsort(nesting->keys, count, sizeof *nesting->keys, compare_keys);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *place = bsearch(&nesting->keys[i].event, events, count, sizeof *events, compare_numbers);

        nesting->pattern[i] = (uint32_t)(place - events);
    }
    nesting->pattern_count = count;
}

static status sort_run(struct nesting *nesting, const struct execution_run *run)
{
    uint32_t *events = nesting->execution->order + run->first_event;

    if (run->event_count > nesting->key_capacity) {
        size_t capacity = run->event_count;

        memory_free(nesting->keys);
        memory_free(nesting->pattern);
        nesting->keys = memory_allocate(capacity * sizeof *nesting->keys);
        nesting->pattern = memory_allocate(capacity * sizeof *nesting->pattern);
        nesting->pattern_count = 0;
        nesting->key_capacity = nesting->keys && nesting->pattern ? capacity : 0;
        if (!nesting->key_capacity)
            return status_no_memory("ordering events");
    }
    if (!sort_like_before(nesting, events, run->event_count))
        sort_anew(nesting, events, run->event_count);
    return STATUS_OK;
}

/* A delegated operator lies in the call of its chain and instruction that was logged next. Before the sort: `order` is in file order. */
static void nest_by_instruction(struct nesting *nesting, const struct execution_run *run)
{
    const struct execution *execution = nesting->execution;
    const uint32_t *events = execution->order + run->first_event;
    const struct execution_operator *call = NULL;
    uint32_t call_event = NO_ID;

    for (uint32_t i = run->event_count; i > 0; i--) {
        struct execution_event *event = execution_event_at(execution, events[i - 1]);
        const struct execution_operator *operator = execution_operator_at(execution, event->operator);

        if (operator->kind == EVENT_CALL) {
            call = operator;
            call_event = events[i - 1];
        } else if (operator->kind == EVENT_DELEGATED && call && operator->instruction >= 0 &&
                   operator->instruction == call->instruction && operator->chain == call->chain) {
            event->parent = call_event;
        }
    }
}

static bool contains(const struct sort_key *outer, const struct sort_key *inner)
{
    return outer->start <= inner->start && inner->end <= outer->end;
}

/* The innermost event on the stack around `key`. Events that only overlap it stay: they may hold what comes later. */
static uint32_t find_around(const struct execution *execution, const struct sort_key *keys, const uint32_t *stack,
                            unsigned depth, const struct sort_key *key)
{
    for (unsigned i = depth; i > 0; i--) {
        const struct sort_key *outer = &keys[stack[i - 1]];
        const struct execution_event *event = execution_event_at(execution, outer->event);

        /* Nothing lies in a delegated operator; a call that did could be its own ancestor. */
        if (execution_operator_at(execution, event->operator)->kind == EVENT_DELEGATED)
            continue;
        if (contains(outer, key))
            return outer->event;
    }
    return NO_ID;
}

/* After the sort: `keys` are the run's events in order. */
static void nest_by_time(struct nesting *nesting, uint32_t count)
{
    const struct execution *execution = nesting->execution;
    const struct sort_key *keys = nesting->keys;
    uint32_t stack[DEEPEST];
    unsigned depth = 0;

    for (uint32_t i = 0; i < count; i++) {
        struct execution_event *event = execution_event_at(execution, keys[i].event);

        /* What ended before this one began is over; a length of zero at the very end of an event still lies in it. */
        while (depth > 0 && (keys[stack[depth - 1]].end < keys[i].start ||
                             (keys[stack[depth - 1]].end == keys[i].start && keys[i].end > keys[i].start)))
            depth--;
        if (event->parent == NO_ID)
            event->parent = find_around(execution, keys, stack, depth, &keys[i]);
        if (depth < DEEPEST)
            stack[depth++] = i;
    }
}

/* Durations minus those of the children. A child that is longer than its parent, or children that overlap, would make it negative. */
static void add_up_run(struct nesting *nesting, struct execution_run *run)
{
    struct execution *execution = nesting->execution;
    const uint32_t *events = execution->order + run->first_event;

    run->execute = -1;
    run->start = run->event_count ? execution_event_at(execution, events[0])->start : 0;
    for (uint32_t i = 0; i < run->event_count; i++)
        execution_event_at(execution, events[i])->self = execution_event_at(execution, events[i])->duration;
    for (uint32_t i = 0; i < run->event_count; i++) {
        const struct execution_event *event = execution_event_at(execution, events[i]);
        struct execution_event *around = event->parent == NO_ID ? NULL : execution_event_at(execution, event->parent);

        if (around)
            around->self = number_add(around->self, -event->duration);
    }
    for (uint32_t i = 0; i < run->event_count; i++) {
        struct execution_event *event = execution_event_at(execution, events[i]);
        struct execution_operator *operator = execution_operator_at(execution, event->operator);

        if (event->self < 0) {
            execution->overlapping = true;
            event->self = 0;
        }
        operator->events++;
        operator->total = number_add(operator->total, event->duration);
        operator->self_total = number_add(operator->self_total, event->self);
        if (operator->kind == EVENT_EXECUTE)
            run->execute = number_add(run->execute < 0 ? 0 : run->execute, event->duration);
    }
}

/* Where an operator stands in the program, from the first run that has it. */
static void place_operators(struct nesting *nesting, const struct execution_run *run)
{
    const struct execution *execution = nesting->execution;
    const uint32_t *events = execution->order + run->first_event;

    for (uint32_t i = 0; i < run->event_count; i++) {
        const struct execution_event *event = execution_event_at(execution, events[i]);
        struct execution_operator *operator = execution_operator_at(execution, event->operator);
        uint32_t around = event->parent;

        if (operator->place != NO_ID)
            continue;
        operator->parent = around == NO_ID ? NO_ID : execution_event_at(execution, around)->operator;
        operator->call = operator->kind == EVENT_CALL ? event->operator : NO_ID;
        for (; operator->call == NO_ID && around != NO_ID; around = execution_event_at(execution, around)->parent) {
            uint32_t outer = execution_event_at(execution, around)->operator;

            if (execution_operator_at(execution, outer)->kind == EVENT_CALL)
                operator->call = outer;
        }
        operator->place = nesting->next_places[operator->parent == NO_ID ? execution->operators.count : operator->parent]++;
    }
}

static status settle_run(struct nesting *nesting, struct execution_run *run)
{
    uint32_t *events = nesting->execution->order + run->first_event;
    status code;

    nest_by_instruction(nesting, run);
    code = sort_run(nesting, run);
    if (code != STATUS_OK)
        return code;
    nest_by_time(nesting, run->event_count);
    for (uint32_t i = 0; i < run->event_count; i++)
        events[i] = nesting->keys[i].event;
    add_up_run(nesting, run);
    place_operators(nesting, run);
    return STATUS_OK;
}

/* All stamps equal and nothing lasts: a machine without a clock. */
static bool has_no_clock(const struct execution *execution)
{
    int64_t first = execution->events.count ? execution_event_at(execution, 0)->start : 0;

    for (uint32_t i = 0; i < execution->events.count; i++) {
        const struct execution_event *event = execution_event_at(execution, i);

        if (event->start != first || event->duration != 0)
            return false;
    }
    return execution->events.count > 1;
}

status execution_settle(struct execution *execution)
{
    struct nesting nesting = { .execution = execution };
    status code = bucket_events(execution);

    if (code != STATUS_OK)
        return code;
    nesting.next_places = memory_allocate_clear((execution->operators.count + 1) * sizeof *nesting.next_places);
    if (!nesting.next_places)
        code = status_no_memory("nesting events");
    for (uint32_t i = 0; i < execution->runs.count && code == STATUS_OK; i++)
        code = settle_run(&nesting, execution_run_at(execution, i));
    memory_free(nesting.keys);
    memory_free(nesting.pattern);
    memory_free(nesting.next_places);
    execution->no_clock = has_no_clock(execution);
    return code;
}
