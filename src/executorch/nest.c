/* nest.c: order, nesting and sums of an execution: what its file does not say and its times do. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "executorch/execution.h"

enum { DEEPEST = 512 };

/* One event of the run at hand. Files list all runs of an event together, so the events of a run lie far apart: they are copied side by
 * side, and what was found is copied back. Numbers are places in the run, in file order. */
struct member {
    int64_t start;                 /* ticks */
    int64_t end;                   /* ticks */
    int64_t duration;              /* ticks, as logged */
    int64_t self;                  /* ticks without those of its children */
    struct execution_operator *of; /* its operator */
    uint32_t op;                   /* index of that */
    uint32_t parent;               /* NO_ID: none */
};

struct nesting {
    struct execution *execution; /* borrowed */
    struct member *members;      /* of one run */
    uint32_t *sorted;      /* members in order; also the order of the run before, which is right again as a rule */
    uint32_t *backup;      /* the order of the file */
    uint32_t sorted_count; /* members of the run before */
    size_t capacity;       /* of the arrays above */
    uint32_t *next_places; /* by operator: children that have a place so far */
};

/* By start. At equal start what can enclose others comes first, the longer before the shorter, then the one logged later: parents are
 * logged after their children. Delegated operators enclose nothing and keep the order in which they were logged. */
static int compare_members(const struct member *members, uint32_t one, uint32_t other)
{
    const struct member *a = &members[one], *b = &members[other];
    bool delegated = a->of->kind == EVENT_DELEGATED;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (delegated != (b->of->kind == EVENT_DELEGATED))
        return delegated ? 1 : -1;
    if (delegated)
        return one < other ? -1 : one > other;
    if (a->end != b->end)
        return a->end > b->end ? -1 : 1;
    return one > other ? -1 : one < other;
}

static int compare_sorted(const void *a, const void *b, void *members)
{
    return compare_members(members, *(const uint32_t *)a, *(const uint32_t *)b);
}

/* Events of each run in file order: a counting sort. */
static status bucket_events(struct execution *execution)
{
    uint32_t next = 0;

    assert(!execution->order && "an execution is settled once");
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

static status make_room(struct nesting *nesting, size_t count)
{
    if (count <= nesting->capacity)
        return STATUS_OK;
    memory_free(nesting->members);
    memory_free(nesting->sorted);
    memory_free(nesting->backup);
    nesting->members = memory_allocate(count * sizeof *nesting->members);
    nesting->sorted = memory_allocate(count * sizeof *nesting->sorted);
    nesting->backup = memory_allocate(count * sizeof *nesting->backup);
    nesting->sorted_count = 0;
    nesting->capacity = nesting->members && nesting->sorted && nesting->backup ? count : 0;
    return nesting->capacity ? STATUS_OK : status_no_memory("ordering events");
}

static void gather(struct nesting *nesting, const struct execution_run *run)
{
    const struct execution *execution = nesting->execution;
    const uint32_t *events = execution->order + run->first_event;

    for (uint32_t i = 0; i < run->event_count; i++) {
        const struct execution_event *event = execution_event_at(execution, events[i]);

        nesting->members[i] = (struct member){
            .start = event->start,
            .end = number_add(event->start, event->duration),
            .duration = event->duration,
            .self = event->duration,
            .of = execution_operator_at(execution, event->op),
            .op = event->op,
            .parent = NO_ID,
        };
    }
}

/* Runs repeat each other: the order of the run before is tried first. */
static void sort_members(struct nesting *nesting, uint32_t count)
{
    bool right = nesting->sorted_count == count;

    for (uint32_t i = 1; i < count && right; i++)
        right = compare_members(nesting->members, nesting->sorted[i - 1], nesting->sorted[i]) < 0;
    if (right)
        return;
    for (uint32_t i = 0; i < count; i++)
        nesting->sorted[i] = i;
    qsort_r(nesting->sorted, count, sizeof *nesting->sorted, compare_sorted, nesting->members);
    nesting->sorted_count = count;
}

/* A delegated operator lies in the call of its chain and instruction that was logged next. */
static void nest_by_instruction(struct member *members, uint32_t count)
{
    uint32_t call = NO_ID;

    for (uint32_t i = count; i > 0; i--) {
        struct member *member = &members[i - 1];

        if (member->of->kind == EVENT_CALL)
            call = i - 1;
        else if (member->of->kind == EVENT_DELEGATED && call != NO_ID && member->of->instruction >= 0 &&
                 member->of->instruction == members[call].of->instruction &&
                 member->of->chain == members[call].of->chain)
            member->parent = call;
    }
}

/* The innermost member on the stack around this one. Those that only overlap it stay: they may hold what comes later. */
static uint32_t find_around(const struct member *members, const uint32_t *stack, unsigned depth,
                            const struct member *inner)
{
    for (unsigned i = depth; i > 0; i--) {
        const struct member *outer = &members[stack[i - 1]];

        if (outer->start <= inner->start && inner->end <= outer->end)
            return stack[i - 1];
    }
    return NO_ID;
}

static void nest_by_time(struct nesting *nesting, uint32_t count)
{
    struct member *members = nesting->members;
    uint32_t stack[DEEPEST];
    unsigned depth = 0;

    for (uint32_t i = 0; i < count; i++) {
        struct member *member = &members[nesting->sorted[i]];

        /* What ended before this one began is over; a length of zero at the very end of an event still lies in it. */
        while (depth > 0 && (members[stack[depth - 1]].end < member->start ||
                             (members[stack[depth - 1]].end == member->start && member->end > member->start)))
            depth--;
        if (member->parent == NO_ID)
            member->parent = find_around(members, stack, depth, member);
        /* Nothing lies in a delegated operator; a call that did could be its own ancestor. */
        if (depth < DEEPEST && member->of->kind != EVENT_DELEGATED)
            stack[depth++] = nesting->sorted[i];
    }
}

/* Durations minus those of the children. A child that is longer than its parent, or children that overlap, would make it negative. */
static void add_up(struct nesting *nesting, struct execution_run *run)
{
    struct member *members = nesting->members;

    run->execute = -1;
    run->executions = 0;
    run->start = run->event_count ? members[nesting->sorted[0]].start : 0;
    for (uint32_t i = 0; i < run->event_count; i++) {
        if (members[i].parent != NO_ID)
            members[members[i].parent].self = number_add(members[members[i].parent].self, -members[i].duration);
    }
    for (uint32_t i = 0; i < run->event_count; i++) {
        struct member *member = &members[i];

        if (member->self < 0) {
            nesting->execution->overlapping = true;
            member->self = 0;
        }
        member->of->events++;
        member->of->total = number_add(member->of->total, member->duration);
        member->of->self_total = number_add(member->of->self_total, member->self);
        if (member->of->kind != EVENT_EXECUTE)
            continue;
        run->execute = number_add(run->execute < 0 ? 0 : run->execute, member->duration);
        run->executions++;
    }
}

/* Where an operator stands in the program, from the first run that has it. */
static void place_operators(struct nesting *nesting, uint32_t count)
{
    const struct member *members = nesting->members;

    for (uint32_t i = 0; i < count; i++) {
        const struct member *member = &members[nesting->sorted[i]];
        uint32_t around = member->parent;

        if (member->of->place != NO_ID)
            continue;
        member->of->parent = around == NO_ID ? NO_ID : members[around].op;
        member->of->call = member->of->kind == EVENT_CALL ? member->op : NO_ID;
        for (; member->of->call == NO_ID && around != NO_ID; around = members[around].parent) {
            if (members[around].of->kind == EVENT_CALL)
                member->of->call = members[around].op;
        }
        member->of->place =
            nesting
                ->next_places[member->of->parent == NO_ID ? nesting->execution->operators.count : member->of->parent]++;
    }
}

static void scatter(struct nesting *nesting, const struct execution_run *run)
{
    uint32_t *events = nesting->execution->order + run->first_event;

    for (uint32_t i = 0; i < run->event_count; i++) {
        struct execution_event *event = execution_event_at(nesting->execution, events[i]);

        event->self = nesting->members[i].self;
        event->parent = nesting->members[i].parent == NO_ID ? NO_ID : events[nesting->members[i].parent];
        nesting->backup[i] = events[i];
    }
    for (uint32_t i = 0; i < run->event_count; i++)
        events[i] = nesting->backup[nesting->sorted[i]];
}

static status settle_run(struct nesting *nesting, struct execution_run *run)
{
    status code = make_room(nesting, run->event_count);

    if (code != STATUS_OK)
        return code;
    gather(nesting, run);
    sort_members(nesting, run->event_count);
    nest_by_instruction(nesting->members, run->event_count);
    nest_by_time(nesting, run->event_count);
    add_up(nesting, run);
    place_operators(nesting, run->event_count);
    scatter(nesting, run);
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
    memory_free(nesting.members);
    memory_free(nesting.sorted);
    memory_free(nesting.backup);
    memory_free(nesting.next_places);
    execution->no_clock = has_no_clock(execution);
    return code;
}
