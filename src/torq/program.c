/* program.c: what was compiled, completed: engines of jobs, units, estimates. */
#include "torq/program.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "torq/chain.h"

/* Most slices a program may name: there are that many bits for them. */
enum { SLICES = 16 };

const char *step_name(enum step_kind kind)
{
    static const char *const names[] = {
#define X(name, printed) printed,
        STEP_MAP(X)
#undef X
    };

    assert(kind < STEP_COUNT);
    return names[kind];
}

const char *bus_name(enum bus bus)
{
    static const char *const names[] = {
#define X(name) #name,
        BUS_MAP(X)
#undef X
    };

    assert(bus < BUS_COUNT);
    return names[bus];
}

void program_start(struct program *program, struct strings *strings)
{
    assert(strings);
    *program = (struct program){ .strings = strings };
    column_start(&program->dispatches, sizeof(struct program_dispatch));
    column_start(&program->actions, sizeof(struct program_action));
    column_start(&program->jobs, sizeof(struct program_job));
    column_start(&program->tasks, sizeof(struct program_task));
    column_start(&program->steps, sizeof(struct program_step));
    column_start(&program->units, sizeof(struct program_unit));
    column_start(&program->kernels, sizeof(struct program_kernel));
}

void program_free(struct program *program)
{
    column_free(&program->dispatches);
    column_free(&program->actions);
    column_free(&program->jobs);
    column_free(&program->tasks);
    column_free(&program->steps);
    column_free(&program->units);
    column_free(&program->kernels);
}

/* ---- adding ------------------------------------------------------------------------------------------------------ */

/* A new element; NULL also when its index would not fit. */
static void *append(struct column *column)
{
    return column->count < NO_ID ? column_append(column) : NULL;
}

static uint32_t last(const struct column *column)
{
    return column->count ? (uint32_t)column->count - 1 : NO_ID;
}

struct program_dispatch *program_add_dispatch(struct program *program)
{
    struct program_dispatch *dispatch = append(&program->dispatches);

    if (dispatch)
        *dispatch = (struct program_dispatch){ .memory = NO_CYCLES, .largest_cycle = NO_CYCLES };
    return dispatch;
}

struct program_action *program_add_action(struct program *program)
{
    struct program_action *action = append(&program->actions);

    assert(program->dispatches.count && "an action is of a dispatch");
    if (action)
        *action = (struct program_action){
            .dispatch = last(&program->dispatches), .id = -1, .job = NO_ID, .start = NO_CYCLES, .end = NO_CYCLES
        };
    return action;
}

struct program_job *program_add_job(struct program *program)
{
    struct program_job *job = append(&program->jobs);

    assert(program->dispatches.count && "a job is of a dispatch");
    if (job)
        *job = (struct program_job){ .index = last(&program->jobs),
                                     .dispatch = last(&program->dispatches),
                                     .id = -1,
                                     .start_action = NO_ID,
                                     .wait_action = NO_ID,
                                     .start = NO_CYCLES,
                                     .end = NO_CYCLES };
    return job;
}

struct program_task *program_add_task(struct program *program)
{
    struct program_task *task = append(&program->tasks);

    assert(program->jobs.count && "a task is of a job");
    if (task)
        *task = (struct program_task){ .job = last(&program->jobs), .id = -1, .start = NO_CYCLES, .end = NO_CYCLES };
    return task;
}

struct program_step *program_add_step(struct program *program)
{
    struct program_step *step = append(&program->steps);

    assert(program->tasks.count && "a step is of a task");
    if (step)
        *step = (struct program_step){ .task = last(&program->tasks), .slice = -1, .async = NO_CYCLES, .bytes = -1 };
    return step;
}

struct program_kernel *program_add_kernel(struct program *program)
{
    struct program_kernel *kernel = append(&program->kernels);

    assert(program->dispatches.count && "a slice task is of a dispatch");
    if (!kernel)
        return NULL;
    *kernel = (struct program_kernel){ .dispatch = last(&program->dispatches), .memory = -1, .max_cycle = NO_CYCLES };
    for (unsigned i = 0; i < BUS_COUNT; i++)
        kernel->cycles[i] = NO_CYCLES;
    return kernel;
}

/* ---- completing -------------------------------------------------------------------------------------------------- */

/* Queues of units that were started and not yet waited for: the four engines without a number, then the slices. */
enum { QUEUE_DMA_IN, QUEUE_DMA_OUT, QUEUE_CDMA, QUEUE_CSS, QUEUE_SLICE_0, QUEUE_COUNT = QUEUE_SLICE_0 + SLICES };

/* A queue is also the number of its bit in `used`. */
_Static_assert(USED_DMA_IN == 1 << QUEUE_DMA_IN && USED_DMA_OUT == 1 << QUEUE_DMA_OUT && USED_CDMA == 1 << QUEUE_CDMA &&
                   USED_CSS == 1 << QUEUE_CSS && USED_SLICE_0 == 1 << QUEUE_SLICE_0,
               "queues and bits in the same order");

struct queue {
    uint32_t oldest; /* unit; NO_ID: none */
    uint32_t newest; /* unit that waits there last */
    int64_t bytes;   /* of the last cfg; -1: none yet */
};

struct completion {
    struct program *program;          /* that is completed */
    struct queue queues[QUEUE_COUNT]; /* by engine */
    uint32_t *next;                   /* by unit: the one started after it on the same queue; NO_ID: none */
    size_t next_capacity;             /* of these */
    uint32_t *seen;                   /* by string id of a kernel: job + 1 that listed it last */
    size_t seen_capacity;             /* of these */
    char *names;                      /* the kernel list of the current job */
    size_t names_length;              /* of the text */
    size_t names_capacity;            /* the same */
    string_id only;                   /* the one kernel listed so far; 0: none */
    unsigned listed;                  /* names in it */
};

static const struct {
    enum step_kind start, wait;
    int configure; /* the step that sets the bytes; -1: none */
} pairs[] = {
    { STEP_SLICE_START, STEP_SLICE_WAIT, -1 },
    { STEP_DMA_IN_START, STEP_DMA_IN_WAIT, STEP_DMA_IN_CFG },
    { STEP_DMA_OUT_START, STEP_DMA_OUT_WAIT, STEP_DMA_OUT_CFG },
    { STEP_CDMA_START, STEP_CDMA_WAIT, -1 },
    { STEP_CSS_START, STEP_CSS_WAIT, -1 },
};

enum { PAIRS = sizeof pairs / sizeof *pairs };

/* The queue of a step, QUEUE_COUNT when its slice has no bit. */
static unsigned queue_of(const struct program_step *step)
{
    switch (step->kind) {
    case STEP_DMA_IN_CFG:
    case STEP_DMA_IN_START:
    case STEP_DMA_IN_WAIT:
        return QUEUE_DMA_IN;
    case STEP_DMA_OUT_CFG:
    case STEP_DMA_OUT_START:
    case STEP_DMA_OUT_WAIT:
        return QUEUE_DMA_OUT;
    case STEP_CDMA_START:
    case STEP_CDMA_WAIT:
        return QUEUE_CDMA;
    case STEP_CSS_START:
    case STEP_CSS_WAIT:
        return QUEUE_CSS;
    default:
        return step->slice >= 0 && step->slice < SLICES ? QUEUE_SLICE_0 + (unsigned)step->slice : QUEUE_COUNT;
    }
}

static const struct engine *engine_of(const struct program *program, const struct program_step *step)
{
    switch (step->kind) {
    case STEP_DMA_IN_START:
        return &torq_engine_dma_in;
    case STEP_DMA_OUT_START:
        return &torq_engine_dma_out;
    case STEP_CDMA_START:
        return strstr(strings_text(program->strings, step->transfer), "ITCM") ? &torq_engine_cdma_itcm
                                                                              : &torq_engine_cdma_dtcm;
    case STEP_CSS_START:
        return &torq_engine_css;
    default:
        return &torq_engine_slice;
    }
}

/* start + async, or NO_CYCLES where one is not known or the sum has no room. */
static int64_t sum_of(int64_t start, int64_t async)
{
    int64_t sum;

    if (start == NO_CYCLES || async == NO_CYCLES || __builtin_add_overflow(start, async, &sum))
        return NO_CYCLES;
    return sum;
}

static status start_unit(struct completion *completion, struct program_job *job, uint32_t job_index,
                         const struct program_task *task, uint32_t step_index)
{
    struct program *program = completion->program;
    const struct program_step *step = program_step(program, step_index);
    unsigned at = queue_of(step);
    struct queue *queue = &completion->queues[at];
    uint32_t index = (uint32_t)program->units.count;
    struct program_unit *unit;
    status code;

    if (at == QUEUE_COUNT)
        return STATUS_OK;
    code = memory_grow(&completion->next, &completion->next_capacity, (size_t)index + 1, sizeof *completion->next);
    if (code != STATUS_OK)
        return code;
    unit = append(&program->units);
    if (!unit)
        return status_no_memory("pairing starts and waits");
    *unit = (struct program_unit){
        .engine = engine_of(program, step),
        .index = at >= QUEUE_SLICE_0 ? at - QUEUE_SLICE_0 : 0,
        .job = job_index,
        .start_step = step_index,
        .wait_step = NO_ID,
        .kernel = step->kernel,
        .location = step->location,
        .transfer = step->transfer,
        .bytes = step->bytes >= 0 ? step->bytes : queue->bytes,
        .start = task->start,
        .busy_end = sum_of(task->start, step->async),
        .wait_end = NO_CYCLES,
    };
    completion->next[index] = NO_ID;
    if (queue->oldest == NO_ID)
        queue->oldest = index;
    else
        completion->next[queue->newest] = index;
    queue->newest = index;
    job->used |= 1u << at;
    return STATUS_OK;
}

/* A wait ends the oldest unit of its queue. */
static void end_unit(struct completion *completion, const struct program_task *task, uint32_t step_index)
{
    struct program *program = completion->program;
    unsigned at = queue_of(program_step(program, step_index));
    struct queue *queue = &completion->queues[at];
    struct program_unit *unit;

    if (at == QUEUE_COUNT || queue->oldest == NO_ID)
        return;
    unit = column_at(&program->units, queue->oldest);
    queue->oldest = completion->next[queue->oldest];
    unit->wait_step = step_index;
    unit->wait_end = task->end;
    if (unit->busy_end == NO_CYCLES)
        unit->busy_end = task->end;
}

static status list_kernel(struct completion *completion, uint32_t job, string_id kernel)
{
    struct text name = strings_get(completion->program->strings, kernel);
    size_t had = completion->seen_capacity;
    status code =
        memory_grow(&completion->seen, &completion->seen_capacity, (size_t)kernel + 1, sizeof *completion->seen);

    if (code != STATUS_OK || !kernel)
        return code;
    if (completion->seen_capacity > had)
        memset(completion->seen + had, 0, (completion->seen_capacity - had) * sizeof *completion->seen);
    if (completion->seen[kernel] == job + 1)
        return STATUS_OK;
    completion->seen[kernel] = job + 1;
    completion->only = kernel;
    code = memory_grow(&completion->names, &completion->names_capacity, completion->names_length + name.length + 1, 1);
    if (code != STATUS_OK)
        return code;
    if (completion->listed++)
        completion->names[completion->names_length++] = ',';
    memcpy(completion->names + completion->names_length, name.data, name.length);
    completion->names_length += name.length;
    return STATUS_OK;
}

/* Starts come before waits, and engines in the order of `pairs`: that is how the newest annotator walks a task. */
static status complete_task(struct completion *completion, struct program_job *job, uint32_t job_index,
                            const struct program_task *task)
{
    const struct program *program = completion->program;
    uint32_t end = task->first_step + task->step_count;
    uint32_t kinds = 0;
    status code = STATUS_OK;

    for (uint32_t i = task->first_step; i < end; i++)
        kinds |= 1u << program_step(program, i)->kind;
    for (unsigned pair = 0; pair < PAIRS; pair++) {
        uint32_t wanted = 1u << pairs[pair].start | (pairs[pair].configure >= 0 ? 1u << pairs[pair].configure : 0);

        for (uint32_t i = task->first_step; kinds & wanted && i < end && code == STATUS_OK; i++) {
            const struct program_step *step = program_step(program, i);

            if ((int)step->kind == pairs[pair].configure)
                completion->queues[queue_of(step)].bytes = step->bytes;
            if (step->kind != pairs[pair].start)
                continue;
            code = start_unit(completion, job, job_index, task, i);
            if (code == STATUS_OK && step->kind == STEP_SLICE_START)
                code = list_kernel(completion, job_index, step->kernel);
        }
    }
    for (unsigned pair = 0; pair < PAIRS; pair++)
        for (uint32_t i = task->first_step; kinds >> pairs[pair].wait & 1 && i < end && code == STATUS_OK; i++)
            if (program_step(program, i)->kind == pairs[pair].wait)
                end_unit(completion, task, i);
    return code;
}

static void widen(int64_t *start, int64_t *end, const struct program_task *task)
{
    if (task->start != NO_CYCLES && (*start == NO_CYCLES || task->start < *start))
        *start = task->start;
    if (task->end != NO_CYCLES && task->end > *end)
        *end = task->end;
}

/* Cycles of a job: of its start and wait actions, else of its tasks. */
static void estimate_job(struct program *program, struct program_job *job)
{
    int64_t start = NO_CYCLES, end = NO_CYCLES;

    for (uint32_t i = 0; i < job->task_count; i++)
        widen(&start, &end, program_task(program, job->first_task + i));
    if (job->start_action != NO_ID && program_action(program, job->start_action)->start != NO_CYCLES)
        start = program_action(program, job->start_action)->start;
    if (job->wait_action != NO_ID && program_action(program, job->wait_action)->end != NO_CYCLES)
        end = program_action(program, job->wait_action)->end;
    job->start = start;
    job->end = end;
}

static status complete_job(struct completion *completion, uint32_t index)
{
    struct program *program = completion->program;
    struct program_job *job = column_at(&program->jobs, index);
    status code = STATUS_OK;

    job->used = 0;
    for (unsigned i = 0; i < QUEUE_COUNT; i++)
        job->used |= completion->queues[i].oldest != NO_ID ? 1u << i : 0;
    completion->names_length = 0;
    completion->listed = 0;
    completion->only = 0;
    for (uint32_t i = 0; i < job->task_count && code == STATUS_OK; i++)
        code = complete_task(completion, job, index, program_task(program, job->first_task + i));
    if (code != STATUS_OK)
        return code;
    estimate_job(program, job);
    if (completion->listed < 2) {
        job->kernels = completion->only;
        return STATUS_OK;
    }
    return strings_add(program->strings, completion->names, completion->names_length, &job->kernels);
}

/* First element and count for every parent, from what the children say; children come in the order of their parents. */
static void number_children(struct program *program)
{
    for (uint32_t i = 0; i < program->dispatches.count; i++) {
        struct program_dispatch *dispatch = column_at(&program->dispatches, i);

        dispatch->first_action = dispatch->action_count = dispatch->first_job = dispatch->job_count = 0;
    }
    for (uint32_t i = 0; i < program->actions.count; i++) {
        struct program_dispatch *dispatch = column_at(&program->dispatches, program_action(program, i)->dispatch);

        if (!dispatch->action_count++)
            dispatch->first_action = i;
        assert(dispatch->first_action + dispatch->action_count == i + 1);
    }
    for (uint32_t i = 0; i < program->jobs.count; i++) {
        struct program_job *job = column_at(&program->jobs, i);
        struct program_dispatch *dispatch = column_at(&program->dispatches, job->dispatch);

        job->first_task = job->task_count = 0;
        if (!dispatch->job_count++)
            dispatch->first_job = i;
        assert(dispatch->first_job + dispatch->job_count == i + 1);
    }
    for (uint32_t i = 0; i < program->tasks.count; i++) {
        struct program_task *task = column_at(&program->tasks, i);
        struct program_job *job = column_at(&program->jobs, task->job);

        task->first_step = task->step_count = 0;
        if (!job->task_count++)
            job->first_task = i;
        assert(job->first_task + job->task_count == i + 1);
    }
    for (uint32_t i = 0; i < program->steps.count; i++) {
        struct program_task *task = column_at(&program->tasks, program_step(program, i)->task);

        if (!task->step_count++)
            task->first_step = i;
        assert(task->first_step + task->step_count == i + 1);
    }
}

struct sorted_action {
    struct program_action action; /* a copy */
    uint32_t index;               /* where it was */
};

static int compare_actions(const void *left, const void *right)
{
    const struct sorted_action *a = left, *b = right;

    if (a->action.dispatch != b->action.dispatch)
        return a->action.dispatch < b->action.dispatch ? -1 : 1;
    if (a->action.id != b->action.id)
        return a->action.id < b->action.id ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static bool actions_in_order(const struct program *program)
{
    for (uint32_t i = 1; i < program->actions.count; i++) {
        const struct program_action *before = program_action(program, i - 1), *here = program_action(program, i);

        if (before->dispatch > here->dispatch || (before->dispatch == here->dispatch && before->id > here->id))
            return false;
    }
    return true;
}

/* Actions by dispatch and id; what points to them follows. */
static status sort_actions(struct program *program)
{
    size_t count = program->actions.count;
    struct sorted_action *sorted;
    uint32_t *moved;

    if (actions_in_order(program))
        return STATUS_OK;
    sorted = memory_allocate(count * sizeof *sorted);
    moved = memory_allocate(count * sizeof *moved);
    if (!sorted || !moved) {
        memory_free(sorted);
        memory_free(moved);
        return status_no_memory("sorting actions");
    }
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = (struct sorted_action){ *program_action(program, i), i };
    qsort(sorted, count, sizeof *sorted, compare_actions);
    for (uint32_t i = 0; i < count; i++) {
        *(struct program_action *)column_at(&program->actions, i) = sorted[i].action;
        moved[sorted[i].index] = i;
    }
    for (uint32_t i = 0; i < program->jobs.count; i++) {
        struct program_job *job = column_at(&program->jobs, i);

        job->start_action = job->start_action != NO_ID ? moved[job->start_action] : NO_ID;
        job->wait_action = job->wait_action != NO_ID ? moved[job->wait_action] : NO_ID;
    }
    memory_free(sorted);
    memory_free(moved);
    return STATUS_OK;
}

static bool any_cycles(const struct program *program)
{
    for (uint32_t i = 0; i < program->tasks.count; i++)
        if (program_task(program, i)->start != NO_CYCLES || program_task(program, i)->end != NO_CYCLES)
            return true;
    for (uint32_t i = 0; i < program->actions.count; i++)
        if (program_action(program, i)->start != NO_CYCLES || program_action(program, i)->end != NO_CYCLES)
            return true;
    return false;
}

static void bound_kernels(struct program *program)
{
    for (uint32_t i = 0; i < program->kernels.count; i++) {
        struct program_kernel *kernel = column_at(&program->kernels, i);

        kernel->bound = 0;
        for (unsigned bus = 1; bus < BUS_COUNT; bus++)
            if (kernel->cycles[bus] > kernel->cycles[kernel->bound])
                kernel->bound = (enum bus)bus;
    }
}

status program_complete(struct program *program)
{
    struct completion completion = { .program = program };
    status code = sort_actions(program);

    if (code != STATUS_OK)
        return code;
    number_children(program);
    bound_kernels(program);
    program->has_estimate = any_cycles(program);
    program->chosen = program->dispatches.count ? last(&program->dispatches) : 0;
    program->units.count = 0;
    for (uint32_t i = 0; i < program->jobs.count && code == STATUS_OK; i++) {
        if (!i || program_job(program, i)->dispatch != program_job(program, i - 1)->dispatch)
            for (unsigned at = 0; at < QUEUE_COUNT; at++)
                completion.queues[at] = (struct queue){ NO_ID, NO_ID, -1 };
        code = complete_job(&completion, i);
    }
    memory_free(completion.next);
    memory_free(completion.seen);
    memory_free(completion.names);
    return code;
}

/* ---- Finding ----------------------------------------------------------------------------------------------------- */

uint32_t program_find_dispatch(const struct program *program, string_id name)
{
    assert(!program->dispatches.count || program->chosen < program->dispatches.count);
    if (!name)
        return program->dispatches.count ? program->chosen : NO_ID;
    for (uint32_t i = 0; i < program->dispatches.count; i++)
        if (program_dispatch(program, i)->name == name)
            return i;
    return NO_ID;
}

/* Actions of a dispatch are sorted by id, and ids are dense as a rule: look at the expected place first. */
uint32_t program_find_action(const struct program *program, uint32_t dispatch, int64_t id)
{
    const struct program_dispatch *owner = program_dispatch(program, dispatch);
    uint32_t low = owner->first_action, high = low + owner->action_count;

    assert(dispatch < program->dispatches.count);
    if (id >= 0 && id < owner->action_count && program_action(program, low + (uint32_t)id)->id == id)
        return low + (uint32_t)id;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int64_t found = program_action(program, middle)->id;

        if (found == id)
            return middle;
        if (found < id)
            low = middle + 1;
        else
            high = middle;
    }
    return NO_ID;
}
