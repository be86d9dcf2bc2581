/* mlir_lower.c: makes a program of the drafts: jobs in their order, locations resolved. */
#include <string.h>

#include "base/memory.h"
#include "torq/mlir_build.h"

/* A program may run several times, and each run has tasks of its own. A small file must not fill the memory that way:
 * copies beyond this many tasks and steps are left out, and said so. */
enum { MOST_REPEATED = 4 * 1024 * 1024 };

/* One draft on its way into the program. */
struct lowering {
    struct builder *builder; /* with the drafts */
    struct draft *draft;     /* that is made into a dispatch */
    struct program *program; /* that is filled */
    struct lowered *lowered; /* what is told afterwards */
    string_id *kernels;      /* by invocation of the draft: kernel name in the program's pool + 1; 0: not yet */
    uint32_t *order;         /* jobs in order of their waits */
    uint32_t *positions;     /* by job of the draft: where it is in that order */
    uint32_t first_action;   /* index of the draft's first action in the program */
    uint32_t first_job;      /* of the dispatch */
};

static void free_columns(struct draft *draft)
{
    column_free(&draft->programs);
    column_free(&draft->invocations);
    column_free(&draft->actions);
    column_free(&draft->jobs);
    column_free(&draft->tasks);
    column_free(&draft->steps);
    column_free(&draft->kernels);
    column_free(&draft->arguments);
    column_free(&draft->slots);
}

void draft_free(struct draft *draft)
{
    if (!draft)
        return;
    free_columns(draft);
    memory_free(draft);
}

void draft_replace(struct draft *draft)
{
    free_columns(draft);
    draft->replaced = true;
}

/* A text of the builder's pool in the program's. */
static status copy_text(const struct lowering *lowering, string_id from, string_id *to)
{
    struct text text = strings_get(lowering->builder->texts, from);

    return strings_add(lowering->program->strings, text.data, text.length, to);
}

static status copy_location(const struct lowering *lowering, string_id from, string_id *to)
{
    return aliases_resolve(&lowering->builder->aliases, lowering->draft->section, from, lowering->program->strings, to);
}

/* conv2d_0 from slice_program_torq_hl.conv2d_0 */
static struct text kernel_name(struct text name)
{
    static const char *const prefixes[] = { "slice_program_torq_hl.", "slice_program_" };

    for (unsigned i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (text_begins(name, prefixes[i]))
            return (struct text){ name.data + strlen(prefixes[i]), name.length - strlen(prefixes[i]) };
    return name;
}

static status add_kernel_name(const struct lowering *lowering, string_id name, string_id *id)
{
    struct text kernel = kernel_name(strings_get(lowering->builder->texts, name));

    return strings_add(lowering->program->strings, kernel.data, kernel.length, id);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Follow a slot to what fills it. Every slot passed on the way then points there at once, so that long chains stay
 * cheap; a circle ends in nothing. */
static struct ref follow_slots(const struct draft *draft, struct ref ref)
{
    struct ref root = ref;
    size_t steps = 0;

    while (root.kind == REF_SLOT && steps++ <= draft->slots.count)
        root = *(const struct ref *)column_at(&draft->slots, root.index);
    if (root.kind == REF_SLOT)
        root = (struct ref){ REF_NOTHING, 0 };
    while (ref.kind == REF_SLOT) {
        struct ref *slot = column_at(&draft->slots, ref.index);

        ref = *slot;
        *slot = root;
    }
    return root;
}

static status find_kernel(const struct lowering *lowering, const struct draft_job *job, struct ref ref,
                          string_id *kernel)
{
    const struct draft *draft = lowering->draft;
    status code = STATUS_OK;

    ref = follow_slots(draft, ref);
    if (ref.kind == REF_ENTRY && ref.index < job->argument_count)
        ref = *(const struct ref *)column_at(&draft->arguments, job->first_argument + ref.index);
    if (ref.kind != REF_INVOCATION)
        return STATUS_OK;
    if (!lowering->kernels[ref.index]) {
        const struct draft_invocation *invocation = column_at(&draft->invocations, ref.index);

        code = add_kernel_name(lowering, invocation->name, kernel);
        lowering->kernels[ref.index] = *kernel + 1;
    }
    *kernel = lowering->kernels[ref.index] - 1;
    return code;
}

/* ---- tasks and steps --------------------------------------------------------------------------------------------- */

static status lower_step(const struct lowering *lowering, const struct draft_job *job, const struct draft_step *draft)
{
    struct program_step *step = program_add_step(lowering->program);
    status code;

    if (!step)
        return status_no_memory("keeping a step");
    step->kind = draft->kind;
    step->slice = draft->slice;
    step->async = draft->async;
    step->bytes = draft->bytes;
    code = copy_location(lowering, draft->location, &step->location);
    if (code == STATUS_OK && draft->kind == STEP_SLICE_START)
        code = find_kernel(lowering, job, draft->kernel, &step->kernel);
    if (code == STATUS_OK && draft->has_transfer)
        code = strings_add_format(lowering->program->strings, &step->transfer, "%s to %s",
                                  value_space_name(draft->from), value_space_name(draft->to));
    return code;
}

static status lower_task(const struct lowering *lowering, const struct draft_job *job, const struct draft_task *draft)
{
    struct program_task *task = program_add_task(lowering->program);
    status code;

    if (!task)
        return status_no_memory("keeping a task");
    task->id = draft->id;
    task->start = draft->start;
    task->end = draft->end;
    code = copy_location(lowering, draft->location, &task->location);
    for (uint32_t i = 0; i < draft->step_count && code == STATUS_OK; i++)
        code = lower_step(lowering, job, column_at(&lowering->draft->steps, draft->first_step + i));
    return code;
}

/* False when the program ran before and another copy of it would be too much. */
static bool may_copy(struct lowering *lowering, struct draft_program *program)
{
    uint64_t size = program->task_count;

    if (!program->used) {
        program->used = true;
        return true;
    }
    for (uint32_t i = 0; i < program->task_count; i++)
        size += ((const struct draft_task *)column_at(&lowering->draft->tasks, program->first_task + i))->step_count;
    if (lowering->builder->repeated + size > MOST_REPEATED) {
        lowering->lowered->cut_jobs++;
        return false;
    }
    lowering->builder->repeated += size;
    return true;
}

/* ---- jobs, actions, kernels -------------------------------------------------------------------------------------- */

static status lower_job(struct lowering *lowering, const struct draft_job *draft)
{
    struct program_job *job = program_add_job(lowering->program);
    const struct draft_invocation *invocation;
    struct draft_program *program = NULL;
    string_id location = 0;
    status code = STATUS_OK;

    if (!job)
        return status_no_memory("keeping a job");
    if (draft->start_action != NO_ID) {
        job->start_action = lowering->first_action + draft->start_action;
        location = ((struct draft_action *)column_at(&lowering->draft->actions, draft->start_action))->location;
    }
    if (draft->wait_action != NO_ID)
        job->wait_action = lowering->first_action + draft->wait_action;
    if (draft->invocation != NO_ID) {
        invocation = column_at(&lowering->draft->invocations, draft->invocation);
        job->id = invocation->job;
        code = copy_text(lowering, invocation->name, &job->name);
        if (invocation->program != NO_ID)
            program = column_at(&lowering->draft->programs, invocation->program);
    }
    if (!location && program)
        location = program->location;
    if (code == STATUS_OK)
        code = copy_location(lowering, location, &job->location);
    if (code != STATUS_OK || !program || !may_copy(lowering, program))
        return code;
    for (uint32_t i = 0; i < program->task_count && code == STATUS_OK; i++)
        code = lower_task(lowering, draft, column_at(&lowering->draft->tasks, program->first_task + i));
    return code;
}

static status lower_action(const struct lowering *lowering, const struct draft_action *draft)
{
    struct program_action *action = program_add_action(lowering->program);
    status code;

    if (!action)
        return status_no_memory("keeping an action");
    action->id = draft->id;
    action->kind = draft->kind;
    action->start = draft->start;
    action->end = draft->end;
    if (draft->job != NO_ID)
        action->job = lowering->first_job + lowering->positions[draft->job];
    code = copy_text(lowering, draft->operation, &action->operation);
    if (code == STATUS_OK && draft->invocation != NO_ID)
        code = copy_text(lowering,
                         ((struct draft_invocation *)column_at(&lowering->draft->invocations, draft->invocation))->name,
                         &action->invocation);
    return code == STATUS_OK ? copy_location(lowering, draft->location, &action->location) : code;
}

static status lower_kernel(const struct lowering *lowering, const struct draft_kernel *draft)
{
    const struct draft_program *program = column_at(&lowering->draft->programs, draft->program);
    struct program_kernel *kernel = program_add_kernel(lowering->program);
    status code;

    if (!kernel)
        return status_no_memory("keeping a kernel");
    kernel->memory = draft->memory == NO_CYCLES ? -1 : draft->memory;
    kernel->max_cycle = draft->max_cycle;
    memcpy(kernel->cycles, draft->cycles, sizeof kernel->cycles);
    code = add_kernel_name(lowering, program->name, &kernel->name);
    return code == STATUS_OK ? copy_text(lowering, draft->memory_info, &kernel->memory_info) : code;
}

/* Jobs run in the order in which they are waited for; those nobody waits for come last, as printed. */
static status order_jobs(struct lowering *lowering)
{
    const struct draft *draft = lowering->draft;
    uint32_t unwaited = draft->waits;

    lowering->order = memory_allocate(draft->jobs.count * sizeof *lowering->order);
    lowering->positions = memory_allocate(draft->jobs.count * sizeof *lowering->positions);
    lowering->kernels = memory_allocate_clear(draft->invocations.count * sizeof *lowering->kernels);
    if (!lowering->order || !lowering->positions || !lowering->kernels)
        return status_no_memory("ordering jobs");
    for (uint32_t i = 0; i < draft->jobs.count; i++) {
        const struct draft_job *job = column_at(&draft->jobs, i);

        lowering->positions[i] = job->rank != NO_ID ? job->rank : unwaited++;
        lowering->order[lowering->positions[i]] = i;
    }
    return STATUS_OK;
}

static status lower_parts(struct lowering *lowering)
{
    const struct draft *draft = lowering->draft;
    struct program_dispatch *dispatch = program_add_dispatch(lowering->program);
    status code;

    if (!dispatch)
        return status_no_memory("keeping a dispatch");
    dispatch->memory = draft->memory;
    dispatch->largest_cycle = draft->largest_cycle;
    code = copy_text(lowering, draft->name, &dispatch->name);
    if (code == STATUS_OK)
        code = order_jobs(lowering);
    for (uint32_t i = 0; i < draft->actions.count && code == STATUS_OK; i++)
        code = lower_action(lowering, column_at(&draft->actions, i));
    for (uint32_t i = 0; i < draft->jobs.count && code == STATUS_OK; i++)
        code = lower_job(lowering, column_at(&draft->jobs, lowering->order[i]));
    for (uint32_t i = 0; i < draft->kernels.count && code == STATUS_OK; i++)
        code = lower_kernel(lowering, column_at(&draft->kernels, i));
    for (uint32_t i = 0; i < draft->programs.count; i++) {
        const struct draft_program *program = column_at(&draft->programs, i);

        lowering->lowered->unused_programs += !program->used && program->task_count;
    }
    return code;
}

status builder_lower(struct builder *builder, struct program *program, struct lowered *lowered)
{
    status code = STATUS_OK;

    *lowered = (struct lowered){ 0 };
    for (struct draft *draft = builder->first; draft && code == STATUS_OK; draft = draft->next) {
        struct lowering lowering = {
            .builder = builder,
            .draft = draft,
            .program = program,
            .lowered = lowered,
            .first_action = (uint32_t)program->actions.count,
            .first_job = (uint32_t)program->jobs.count,
        };

        if (draft->replaced)
            continue;
        code = lower_parts(&lowering);
        memory_free(lowering.kernels);
        memory_free(lowering.order);
        memory_free(lowering.positions);
    }
    return code == STATUS_OK ? program_complete(program) : code;
}
