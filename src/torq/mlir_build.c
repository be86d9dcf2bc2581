/* mlir_build.c: follows values through functions, programs and blocks, and collects what is printed. */
#include "torq/mlir_build.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"

static const struct ref nothing = { REF_NOTHING, 0 };

status builder_start(struct builder *builder, int64_t cycle_limit)
{
    static const char *const names[] = {
#define X(name, printed) printed,
        OPERATION_MAP(X)
#undef X
    };
    status code = STATUS_OK;
    string_id id;

    *builder = (struct builder){ .program = NO_ID, .task = NO_ID, .cycle_limit = cycle_limit };
    builder->texts = strings_new();
    if (!builder->texts)
        return status_no_memory("reading MLIR text");
    code = aliases_start(&builder->aliases);
    for (unsigned i = 0; i < OPERATION_STEP && code == STATUS_OK; i++)
        code = strings_add_text(builder->texts, names[i], &id);
    for (unsigned i = 0; i < STEP_COUNT && code == STATUS_OK; i++)
        code = strings_add_text(builder->texts, step_name((enum step_kind)i), &id);
    return code;
}

void builder_free(struct builder *builder)
{
    while (builder->first) {
        struct draft *draft = builder->first;

        builder->first = draft->next;
        draft_free(draft);
    }
    aliases_free(&builder->aliases);
    strings_free(builder->texts);
    memory_free(builder->meanings);
    memory_free(builder->undo);
    memory_free(builder->operands);
    memory_free(builder->labels);
    memory_free(builder->blocks);
    memory_free(builder->sources);
    memory_free(builder->by_name);
    *builder = (struct builder){ 0 };
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

struct ref builder_value(const struct builder *builder, struct text name, uint32_t number)
{
    string_id id;

    if (number || !strings_find(builder->texts, name.data, name.length, &id) || id >= builder->meaning_capacity ||
        builder->meanings[id].function != builder->function)
        return nothing;
    return builder->meanings[id].ref;
}

/* Most values stand for nothing that matters here: those leave no trace unless they hide one that does. */
status builder_define(struct builder *builder, struct text name, struct ref ref)
{
    string_id id;
    status code;

    assert(ref.kind <= REF_SLOT);
    if (ref.kind == REF_NOTHING && builder_value(builder, name, 0).kind == REF_NOTHING)
        return STATUS_OK;
    code = strings_add(builder->texts, name.data, name.length, &id);
    if (code == STATUS_OK)
        code = memory_grow_clear(&builder->meanings, &builder->meaning_capacity, (size_t)id + 1,
                                 sizeof *builder->meanings);
    if (code == STATUS_OK)
        code = memory_grow(&builder->undo, &builder->undo_capacity, builder->undo_count + 1, sizeof *builder->undo);
    if (code != STATUS_OK)
        return code;
    builder->undo[builder->undo_count++] = (struct undo){ id, builder->meanings[id] };
    builder->meanings[id] = (struct meaning){ ref, builder->function };
    return STATUS_OK;
}

static status define_result(struct builder *builder, const struct operation *operation, enum ref_kind kind,
                            size_t index)
{
    if (!operation->result)
        return STATUS_OK;
    return builder_define(builder, strings_get(builder->texts, operation->result),
                          (struct ref){ kind, (uint32_t)index });
}

status builder_add_operand(struct builder *builder, struct ref ref, enum operand_group group, string_id name)
{
    status code = memory_grow(&builder->operands, &builder->operand_capacity, builder->operand_count + 1,
                              sizeof *builder->operands);

    assert(group <= GROUP_OTHER && ref.kind <= REF_SLOT);
    if (code == STATUS_OK)
        builder->operands[builder->operand_count++] = (struct operand){ ref, group, name };
    return code;
}

/* The n-th operand of a group; nothing when there are fewer. */
static struct ref operand_at(const struct builder *builder, const struct operation *operation, enum operand_group group,
                             size_t n)
{
    for (size_t i = operation->first_operand; i < builder->operand_count; i++)
        if (builder->operands[i].group == group && n-- == 0)
            return builder->operands[i].ref;
    return nothing;
}

/* ---- drafts ------------------------------------------------------------------------------------------------------ */

/* The draft of the current function, made when the first operation needs it. */
static status need_draft(struct builder *builder)
{
    struct draft *draft;

    if (builder->draft)
        return STATUS_OK;
    draft = memory_allocate_clear(sizeof *draft);
    if (!draft)
        return status_no_memory("reading a dispatch");
    draft->section = builder->section;
    draft->memory = draft->largest_cycle = NO_CYCLES;
    column_start(&draft->programs, sizeof(struct draft_program));
    column_start(&draft->invocations, sizeof(struct draft_invocation));
    column_start(&draft->actions, sizeof(struct draft_action));
    column_start(&draft->jobs, sizeof(struct draft_job));
    column_start(&draft->tasks, sizeof(struct draft_task));
    column_start(&draft->steps, sizeof(struct draft_step));
    column_start(&draft->kernels, sizeof(struct draft_kernel));
    column_start(&draft->arguments, sizeof(struct ref));
    column_start(&draft->slots, sizeof(struct ref));
    if (builder->last)
        builder->last->next = draft;
    else
        builder->first = draft;
    builder->last = draft;
    builder->draft = draft;
    return STATUS_OK;
}

/* A new element of a draft's column; NULL when there is no room for one more index. */
static void *append(struct column *column)
{
    return column->count < NO_ID ? column_append(column) : NULL;
}

static status begin_program(struct builder *builder, struct operation *operation)
{
    struct draft_program *program;
    status code = need_draft(builder);

    if (code != STATUS_OK)
        return code;
    operation->draft = (uint32_t)builder->draft->programs.count;
    program = append(&builder->draft->programs);
    if (!program)
        return status_no_memory("reading a program");
    *program = (struct draft_program){ .first_task = (uint32_t)builder->draft->tasks.count };
    return STATUS_OK;
}

static status begin_task(struct builder *builder, struct operation *operation)
{
    struct draft *draft = builder->draft;
    struct draft_task *task;

    operation->draft = (uint32_t)draft->tasks.count;
    task = append(&draft->tasks);
    if (!task)
        return status_no_memory("reading a task");
    *task = (struct draft_task){ .id = -1, .start = NO_CYCLES, .end = NO_CYCLES };
    task->first_step = (uint32_t)draft->steps.count;
    ((struct draft_program *)column_at(&draft->programs, builder->program))->task_count++;
    return STATUS_OK;
}

/* Names given to operands in front of the region: (%inside = %outside). */
static status define_inner_names(struct builder *builder, const struct operation *operation)
{
    status code = STATUS_OK;

    for (size_t i = operation->first_operand; i < operation->first_operand + operation->operand_count; i++)
        if (builder->operands[i].name && code == STATUS_OK)
            code = builder_define(builder, strings_get(builder->texts, builder->operands[i].name),
                                  builder->operands[i].ref);
    return code;
}

status builder_enter(struct builder *builder, struct operation *operation, struct scope *scope)
{
    status code = STATUS_OK;

    *scope = (struct scope){ .undo = builder->undo_count,
                             .draft = builder->draft,
                             .number = builder->function,
                             .program = builder->program,
                             .task = builder->task,
                             .stamp = builder->stamp,
                             .entry = builder->entry };
    if (!operation)
        return STATUS_OK;
    operation->operand_count = (uint32_t)(builder->operand_count - operation->first_operand);
    if (operation->kind == OPERATION_FUNCTION) {
        scope->function = true;
        builder->draft = NULL;
        builder->function = ++builder->functions;
        builder->program = builder->task = NO_ID;
    } else if (operation->kind == OPERATION_PROGRAM && builder->program == NO_ID && operation->draft == NO_ID) {
        code = begin_program(builder, operation);
        builder->program = operation->draft;
        builder->stamp++;
        builder->block_count = builder->source_count = 0;
        builder->entry = true;
    } else if (operation->kind == OPERATION_TASK && builder->program != NO_ID && builder->task == NO_ID &&
               operation->draft == NO_ID) {
        code = begin_task(builder, operation);
        builder->task = operation->draft;
    }
    return code == STATUS_OK ? define_inner_names(builder, operation) : code;
}

void builder_leave(struct builder *builder, struct operation *operation, const struct scope *scope)
{
    assert(builder->undo_count >= scope->undo); /* regions close in the order in which they opened */
    while (builder->undo_count > scope->undo) {
        const struct undo *undo = &builder->undo[--builder->undo_count];

        builder->meanings[undo->name] = undo->before;
    }
    if (scope->function) {
        if (builder->draft)
            operation->function = builder->draft;
        builder->draft = scope->draft;
        builder->function = scope->number;
    }
    /* Blocks of a program that began in here are of its own draft; those of the one around it, if there is any, were given up for them. */
    if (builder->stamp != scope->stamp) {
        builder->stamp++;
        builder->block_count = builder->source_count = 0;
    }
    builder->program = scope->program;
    builder->task = scope->task;
    builder->entry = scope->entry;
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

/* The block of the current program with this label, made when it is first named. */
static status find_block(struct builder *builder, string_id label, uint32_t *index)
{
    status code =
        memory_grow_clear(&builder->labels, &builder->label_capacity, (size_t)label + 1, sizeof *builder->labels);

    if (code != STATUS_OK)
        return code;
    if (builder->labels[label].program != builder->stamp) {
        code =
            memory_grow(&builder->blocks, &builder->block_capacity, builder->block_count + 1, sizeof *builder->blocks);
        if (code != STATUS_OK)
            return code;
        builder->labels[label] = (struct block_label){ builder->stamp, (uint32_t)builder->block_count };
        builder->blocks[builder->block_count++] = (struct block){ 0 };
    }
    *index = builder->labels[label].block;
    return STATUS_OK;
}

/* Arguments of a block that no torq_hl.next has named yet: their sources are filled in when it comes. */
static status define_slots(struct builder *builder, struct block *block, const struct text *names, size_t count)
{
    status code = STATUS_OK;

    block->first_slot = (uint32_t)builder->draft->slots.count;
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        size_t index = builder->draft->slots.count;
        struct ref *slot = append(&builder->draft->slots);

        if (!slot)
            return status_no_memory("reading a block");
        *slot = nothing;
        code = builder_define(builder, names[i], (struct ref){ REF_SLOT, (uint32_t)index });
    }
    block->slot_count = (uint32_t)count;
    return code;
}

static status begin_block(struct builder *builder, struct text label, const struct text *names, size_t count)
{
    bool entry = builder->entry;
    struct block *block;
    uint32_t index;
    string_id id;
    status code = strings_add(builder->texts, label.data, label.length, &id);

    builder->entry = false;
    if (code == STATUS_OK)
        code = find_block(builder, id, &index);
    if (code != STATUS_OK)
        return code;
    block = &builder->blocks[index];
    if (!entry && !block->bound && !block->defined)
        code = define_slots(builder, block, names, count);
    for (size_t i = 0; (entry || block->bound) && i < count && code == STATUS_OK; i++) {
        struct ref source = { REF_ENTRY, (uint32_t)i };

        if (!entry)
            source = i < block->source_count ? builder->sources[block->first_source + i] : nothing;
        code = builder_define(builder, names[i], source);
    }
    block->bound |= entry; /* the entry is bound by the start of the program */
    block->defined = true;
    return code;
}

status builder_block(struct builder *builder, const struct operation *owner, struct text label,
                     const struct text *names, size_t count)
{
    status code = STATUS_OK;

    assert(names || !count);
    if (owner && owner->kind == OPERATION_PROGRAM && owner->draft != NO_ID && owner->draft == builder->program)
        return begin_block(builder, label, names, count);
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        bool passed = owner && owner->kind == OPERATION_TASK && i < owner->operand_count;

        code = builder_define(builder, names[i], passed ? builder->operands[owner->first_operand + i].ref : nothing);
    }
    return code;
}

/* torq_hl.next: its operands, less the memory for the code, are the arguments of the next block. */
static status finish_next(struct builder *builder, struct operation *operation)
{
    size_t end = builder->operand_count;
    struct block *block;
    uint32_t index;
    status code;

    if (!operation->successor) {
        operation->has_loss = true;
        return STATUS_OK;
    }
    if (builder->program == NO_ID)
        return STATUS_OK;
    code = find_block(builder, operation->successor, &index);
    if (code != STATUS_OK)
        return code;
    block = &builder->blocks[index];
    if (block->bound)
        return STATUS_OK;
    if (operation->generic && end > operation->first_operand)
        end--;
    block->bound = true;
    block->first_source = (uint32_t)builder->source_count;
    for (size_t i = operation->first_operand; i < end && code == STATUS_OK; i++) {
        if (builder->operands[i].group != GROUP_PLAIN)
            continue;
        code = memory_grow(&builder->sources, &builder->source_capacity, builder->source_count + 1,
                           sizeof *builder->sources);
        if (code != STATUS_OK)
            return code;
        if (block->defined && block->source_count < block->slot_count)
            *(struct ref *)column_at(&builder->draft->slots, block->first_slot + block->source_count) =
                builder->operands[i].ref;
        builder->sources[builder->source_count++] = builder->operands[i].ref;
        block->source_count++;
    }
    return code;
}

/* ---- programs and invocations ------------------------------------------------------------------------------------ */

static status finish_program(struct builder *builder, struct operation *operation)
{
    struct draft_program *program;
    status code = operation->draft == NO_ID ? begin_program(builder, operation) : STATUS_OK;

    if (code != STATUS_OK)
        return code;
    program = column_at(&builder->draft->programs, operation->draft);
    program->name = operation->title;
    program->location = operation->location;
    program->execution = operation->execution;
    return define_result(builder, operation, REF_PROGRAM, operation->draft);
}

static status finish_invocation(struct builder *builder, struct operation *operation)
{
    struct draft *draft = builder->draft;
    struct ref program = operand_at(builder, operation, GROUP_PLAIN, 0);
    int64_t job = operation->numbers[NUMBER_JOB];
    size_t index = draft->invocations.count;
    struct draft_invocation *invocation = append(&draft->invocations);

    if (!invocation)
        return status_no_memory("reading an invocation");
    *invocation = (struct draft_invocation){ .name = operation->title,
                                             .program = program.kind == REF_PROGRAM ? program.index : NO_ID,
                                             .execution = operation->execution,
                                             .job = job == NO_CYCLES ? -1 : (int32_t)job,
                                             .pending = NO_ID };
    if (invocation->program != NO_ID) {
        const struct draft_program *body = column_at(&draft->programs, program.index);

        invocation->name = invocation->name ? invocation->name : body->name;
        invocation->execution = invocation->execution ? invocation->execution : body->execution;
    }
    return define_result(builder, operation, REF_INVOCATION, index);
}

/* ---- actions and jobs -------------------------------------------------------------------------------------------- */

/* The action of an operation that has an id; `*index` is NO_ID for one that has none. */
static status add_action(struct builder *builder, const struct operation *operation, enum action_kind kind,
                         uint32_t invocation, uint32_t job, uint32_t *index)
{
    struct draft_action *action;

    *index = NO_ID;
    if (operation->numbers[NUMBER_ACTION] == NO_CYCLES)
        return STATUS_OK;
    *index = (uint32_t)builder->draft->actions.count;
    action = append(&builder->draft->actions);
    if (!action)
        return status_no_memory("reading an action");
    *action = (struct draft_action){ .id = (int32_t)operation->numbers[NUMBER_ACTION],
                                     .kind = kind,
                                     .operation = operation->name,
                                     .invocation = invocation,
                                     .job = job,
                                     .location = operation->location,
                                     .start = operation->numbers[NUMBER_START],
                                     .end = operation->numbers[NUMBER_END] };
    return STATUS_OK;
}

static status add_job(struct builder *builder, const struct operation *operation, uint32_t invocation, uint32_t *index)
{
    struct draft_job *job;

    *index = (uint32_t)builder->draft->jobs.count;
    job = append(&builder->draft->jobs);
    if (!job)
        return status_no_memory("reading a job");
    *job = (struct draft_job){
        .invocation = invocation, .start_action = NO_ID, .wait_action = NO_ID, .rank = NO_ID, .line = operation->line
    };
    return STATUS_OK;
}

static status add_arguments(struct builder *builder, const struct operation *operation, struct draft_job *job)
{
    size_t skip = 0; /* plain operands in front of the arguments, in the generic form */

    if (operation->generic) {
        skip = 2;
        if (operation->segment_count >= 2)
            skip = operation->segments[1] >= 0 && operation->segments[1] < UINT32_MAX
                       ? 1 + (size_t)operation->segments[1]
                       : 1;
    }
    job->first_argument = (uint32_t)builder->draft->arguments.count;
    for (size_t i = operation->first_operand + skip; i < builder->operand_count; i++) {
        struct ref *argument;

        if (builder->operands[i].group != (operation->generic ? GROUP_PLAIN : GROUP_ARGS))
            continue;
        argument = append(&builder->draft->arguments);
        if (!argument)
            return status_no_memory("reading the arguments of a program");
        *argument = builder->operands[i].ref;
        job->argument_count++;
    }
    return STATUS_OK;
}

/* torq_hl.start_program and torq_hl.wait_program. */
static status finish_start_or_wait(struct builder *builder, const struct operation *operation)
{
    struct ref ref = operand_at(builder, operation, GROUP_PLAIN, 0);
    bool start = operation->kind == OPERATION_START;
    struct draft_invocation *invocation =
        ref.kind == REF_INVOCATION ? column_at(&builder->draft->invocations, ref.index) : NULL;
    uint32_t at = invocation ? ref.index : NO_ID;
    enum executor execution = operation->execution;
    struct draft_job *job;
    uint32_t index = NO_ID, action;
    status code = STATUS_OK;

    if (execution == EXECUTION_NONE && invocation)
        execution = invocation->execution;
    if (execution == EXECUTION_HOST)
        return add_action(builder, operation, start ? ACTION_HOST_START : ACTION_HOST_WAIT, at, NO_ID, &action);
    if (execution != EXECUTION_NSS)
        return add_action(builder, operation, ACTION_OTHER, at, NO_ID, &action);
    if (!start && invocation)
        index = invocation->pending;
    if (index == NO_ID)
        code = add_job(builder, operation, at, &index);
    if (code == STATUS_OK)
        code = add_action(builder, operation, start ? ACTION_JOB_START : ACTION_JOB_WAIT, at, index, &action);
    if (code != STATUS_OK)
        return code;
    job = column_at(&builder->draft->jobs, index);
    if (invocation)
        invocation->pending = start ? index : NO_ID;
    if (start) {
        job->start_action = action;
        return add_arguments(builder, operation, job);
    }
    job->wait_action = action;
    job->rank = builder->draft->waits++;
    return STATUS_OK;
}

/* ---- tasks, steps, profiles -------------------------------------------------------------------------------------- */

static status finish_task(struct builder *builder, struct operation *operation)
{
    struct draft_task *task;
    status code = STATUS_OK;

    if (operation->draft == NO_ID &&
        (builder->program == NO_ID || builder->task != NO_ID)) { /* not where a task may be */
        operation->has_loss = true;
        return STATUS_OK;
    }
    if (operation->draft == NO_ID)
        code = begin_task(builder, operation);
    if (code != STATUS_OK)
        return code;
    task = column_at(&builder->draft->tasks, operation->draft);
    task->location = operation->location;
    if (operation->has_loss)
        return STATUS_OK; /* its steps stay, its numbers cannot be trusted */
    task->id = operation->numbers[NUMBER_TASK] == NO_CYCLES ? -1 : operation->numbers[NUMBER_TASK];
    task->start = operation->numbers[NUMBER_START];
    task->end = operation->numbers[NUMBER_END];
    return STATUS_OK;
}

static status finish_step(struct builder *builder, struct operation *operation)
{
    enum step_kind kind = (enum step_kind)(operation->kind - OPERATION_STEP);
    bool slice = kind == STEP_SLICE_START || kind == STEP_SLICE_WAIT;
    struct draft_step *step;

    if (builder->task == NO_ID || (slice && operation->numbers[NUMBER_SLICE] == NO_CYCLES)) {
        operation->has_loss = true;
        return STATUS_OK;
    }
    step = append(&builder->draft->steps);
    if (!step)
        return status_no_memory("reading a task");
    *step = (struct draft_step){ .kind = kind,
                                 .slice = slice ? (int32_t)operation->numbers[NUMBER_SLICE] : -1,
                                 .location = operation->location,
                                 .async = operation->numbers[NUMBER_ASYNC],
                                 .bytes = operation->bytes };
    if (kind == STEP_SLICE_START)
        step->kernel = operand_at(builder, operation, GROUP_PLAIN, 0);
    if (kind == STEP_CDMA_START && operation->type_count >= 2) {
        step->has_transfer = true;
        step->from = operation->types[0].space;
        step->to = operation->types[1].space;
        step->bytes = operation->types[0].bytes;
    }
    ((struct draft_task *)column_at(&builder->draft->tasks, builder->task))->step_count++;
    return STATUS_OK;
}

static status finish_slice_profiling(struct builder *builder, struct operation *operation)
{
    struct draft_kernel *kernel;

    if (builder->program == NO_ID) {
        operation->has_loss = true;
        return STATUS_OK;
    }
    kernel = append(&builder->draft->kernels);
    if (!kernel)
        return status_no_memory("reading a profile");
    *kernel = (struct draft_kernel){ .program = builder->program,
                                     .memory_info = operation->memory_info,
                                     .memory = operation->numbers[NUMBER_MEMORY],
                                     .max_cycle = operation->numbers[NUMBER_CYCLE] };
    memcpy(kernel->cycles, operation->cycles, sizeof kernel->cycles);
    return STATUS_OK;
}

/* A function that an earlier section of the file had too is a later stage of the same: the later counts. */
static status finish_function(struct builder *builder, struct operation *operation)
{
    struct draft *draft = operation->function;
    struct draft **newest;
    status code;

    if (!draft)
        return STATUS_OK;
    draft->name = operation->title;
    code = memory_grow_clear(&builder->by_name, &builder->by_name_capacity, (size_t)draft->name + 1,
                             sizeof *builder->by_name);
    if (code != STATUS_OK)
        return code;
    newest = &builder->by_name[draft->name];
    if (*newest && (*newest)->section < draft->section)
        draft_replace(*newest);
    *newest = draft;
    return STATUS_OK;
}

/* Numbers that an operation may print, checked once for all kinds. */
static void check_numbers(struct builder *builder, struct operation *operation)
{
    static const enum number_kind small[] = { NUMBER_ACTION, NUMBER_JOB };
    static const enum number_kind times[] = { NUMBER_START, NUMBER_END, NUMBER_ASYNC };
    int64_t *numbers = operation->numbers;

    for (unsigned i = 0; i < sizeof small / sizeof *small; i++)
        if (numbers[small[i]] != NO_CYCLES && (numbers[small[i]] < 0 || numbers[small[i]] > INT32_MAX))
            operation->has_loss = true, operation->loss = &loss_number;
    if (numbers[NUMBER_SLICE] != NO_CYCLES && (numbers[NUMBER_SLICE] < 0 || numbers[NUMBER_SLICE] > 15))
        operation->has_loss = true, operation->loss = &loss_number;
    for (unsigned i = 0; i < sizeof times / sizeof *times; i++)
        if (numbers[times[i]] != NO_CYCLES && (numbers[times[i]] < 0 || numbers[times[i]] > builder->cycle_limit))
            operation->has_loss = true, operation->loss = &loss_time_range;
    if (numbers[NUMBER_START] != NO_CYCLES && numbers[NUMBER_END] != NO_CYCLES &&
        numbers[NUMBER_START] > numbers[NUMBER_END])
        operation->has_loss = true, operation->loss = &loss_end_before_start;
}

static status finish_known(struct builder *builder, struct operation *operation)
{
    uint32_t action;

    switch (operation->kind) {
    case OPERATION_PROGRAM:
    case OPERATION_IMPORT:
        return finish_program(builder, operation);
    case OPERATION_INVOCATION:
    case OPERATION_DESCRIPTOR:
        return finish_invocation(builder, operation);
    case OPERATION_START:
    case OPERATION_WAIT:
        return finish_start_or_wait(builder, operation);
    case OPERATION_NEXT:
        return finish_next(builder, operation);
    case OPERATION_DISPATCH_PROFILING:
        builder->draft->memory = operation->numbers[NUMBER_MEMORY];
        builder->draft->largest_cycle = operation->numbers[NUMBER_CYCLE];
        return STATUS_OK;
    case OPERATION_SLICE_PROFILING:
        return finish_slice_profiling(builder, operation);
    case OPERATION_COPY:
        return add_action(builder, operation, ACTION_HOST_COPY, NO_ID, NO_ID, &action);
    case OPERATION_OTHER:
        return add_action(builder, operation, ACTION_OTHER, NO_ID, NO_ID, &action);
    default:
        return finish_step(builder, operation);
    }
}

status builder_finish(struct builder *builder, struct operation *operation)
{
    bool wanted = operation->torq || operation->numbers[NUMBER_ACTION] != NO_CYCLES;
    status code = STATUS_OK;

    if (operation->kind == OPERATION_FUNCTION)
        code = finish_function(builder, operation);
    else if (wanted)
        code = need_draft(builder);
    if (code == STATUS_OK && wanted && operation->kind != OPERATION_FUNCTION) {
        check_numbers(builder, operation);
        if (operation->kind == OPERATION_TASK)
            code = finish_task(builder, operation);
        else if (!operation->has_loss)
            code = finish_known(builder, operation);
    }
    assert(operation->first_operand <= builder->operand_count);
    builder->operand_count = operation->first_operand;
    return code;
}
