/* same_model.c: operations of files, one after the other, held against those of the first. */
#include "executorch/same_model.h"

#include <assert.h>

#include "base/memory.h"
#include "executorch/operation.h"

/* An operation of the model. */
struct model_step {
    string_id operation; /* "Convolution", "add": as logged, without its variant */
    bool product;        /* whoever runs it, it is logged */
};

/* The steps of one file. */
struct sequence {
    struct strings *strings; /* borrowed */
    struct column *steps;    /* struct model_step; borrowed */
    uint32_t calls, kernels; /* of delegates, and of the runtime's own kernels */
};

void same_model_start(struct same_model *model)
{
    *model = (struct same_model){ 0 };
    column_start(&model->steps, sizeof(struct model_step));
}

void same_model_free(struct same_model *model)
{
    column_free(&model->steps);
    strings_free(model->strings);
    same_model_start(model);
}

/* ---- What a file ran ---- */

static bool is_product(const struct execution_operator *op, struct text type)
{
    uint32_t made[MADE_KINDS] = { 0 };

    if (op->kind == EVENT_DELEGATED && firm_kind_of_event(type) == FIRM_PRODUCT)
        return true;
    firm_kinds_of_node(operation_of_kernel(type), made);
    return made[FIRM_PRODUCT] > 0;
}

static status add_step(struct sequence *sequence, const struct execution_operator *op, struct text type)
{
    struct text operation = op->kind == EVENT_DELEGATED ? operation_of_event(type) : operation_of_kernel(type);
    struct model_step *step;

    if (operation_is_inserted(operation))
        return STATUS_OK;
    step = column_append(sequence->steps);
    if (!step)
        return status_no_memory("comparing models");
    step->product = is_product(op, type);
    return strings_add(sequence->strings, operation.data, operation.length, &step->operation);
}

/* Operators come in the order in which they were first logged, which is that of the program; blocks of other names repeat it. */
static status take(struct sequence *sequence, const struct execution *execution)
{
    string_id block = 0;
    bool found = false;
    status code = STATUS_OK;

    for (uint32_t i = 0; i < execution->operators.count && code == STATUS_OK; i++) {
        const struct execution_operator *op = execution_operator_at(execution, i);

        if (operator_is_work(op) && !found) {
            block = op->block;
            found = true;
        }
        if (!found || op->block != block)
            continue;
        sequence->kernels += op->kind == EVENT_PORTABLE;
        if (operator_is_work(op))
            code = add_step(sequence, op, strings_get(execution->strings, op->type));
    }
    for (uint32_t i = 0; i < execution->operators.count; i++) {
        const struct execution_operator *op = execution_operator_at(execution, i);

        sequence->calls += op->kind == EVENT_CALL && op->block == block &&
                           text_is(strings_get(execution->strings, op->type), "DELEGATE_CALL");
    }
    return code;
}

/* ---- Two files ---- */

static const struct model_step *step_at(const struct sequence *sequence, size_t index)
{
    return column_at(sequence->steps, index);
}

/* The next step that is compared, from `index` on; the count of steps: there is none. */
static size_t next_step(const struct sequence *sequence, size_t index, bool products)
{
    while (products && index < sequence->steps->count && !step_at(sequence, index)->product)
        index++;
    return index;
}

/* Counted from 1, for people; "nothing" behind the last one. */
static const char *name_at(const struct sequence *sequence, size_t index)
{
    return index < sequence->steps->count ? strings_text(sequence->strings, step_at(sequence, index)->operation)
                                          : "nothing";
}

static status refuse(const struct same_model *model, const char *path, const struct sequence *one, size_t at,
                     const struct sequence *other, size_t place, size_t number, bool products)
{
    return status_fail_at(STATUS_INPUT, (struct place){ path, 0, 0 },
                          "it is of another model than %s: the first %s that differs is number %zu, %s here and %s "
                          "there; --different-models uses both",
                          model->path, products ? "product" : "operator", number, name_at(other, place),
                          name_at(one, at));
}

/* Builds may run a product by operators of different names: it is enough that both are products. */
static bool same_step(const struct model_step *one, const struct model_step *other)
{
    return (one->product && other->product) || one->operation == other->operation;
}

static status compare(struct same_model *model, const char *path, const struct sequence *one,
                      const struct sequence *other)
{
    bool products = one->calls != other->calls || one->kernels != other->kernels;
    size_t at = next_step(one, 0, products), place = next_step(other, 0, products);

    for (size_t number = 1; at < one->steps->count || place < other->steps->count; number++) {
        bool ended = at >= one->steps->count || place >= other->steps->count;

        if (ended || !same_step(step_at(one, at), step_at(other, place))) {
            model->differs = true;
            return refuse(model, path, one, at, other, place, number, products);
        }
        at = next_step(one, at + 1, products);
        place = next_step(other, place + 1, products);
    }
    return STATUS_OK;
}

status same_model_check(struct same_model *model, const char *path, const struct execution *execution)
{
    struct sequence sequence = { 0 }, first;
    struct column steps;
    status code;

    assert(model && path);
    /* Where starts are not in the file, its rows may be in any order. */
    if (execution->synthetic)
        return STATUS_OK;
    if (!model->strings && !(model->strings = strings_new()))
        return status_no_memory("comparing models");
    column_start(&steps, sizeof(struct model_step));
    sequence = (struct sequence){ .strings = model->strings, .steps = model->path ? &steps : &model->steps };
    first = (struct sequence){ model->strings, &model->steps, model->calls, model->kernels };
    code = take(&sequence, execution);
    if (code == STATUS_OK && sequence.steps->count && model->path)
        code = compare(model, path, &first, &sequence);
    if (code == STATUS_OK && !model->path && sequence.steps->count) {
        model->path = path;
        model->calls = sequence.calls;
        model->kernels = sequence.kernels;
    }
    column_free(&steps);
    return code;
}
