#include "read/mlir_attribute.h"

void operation_lose(struct operation *operation, enum loss_reason reason)
{
    if (!operation->has_loss)
        operation->loss = reason;
    operation->has_loss = true;
}

bool operation_wants_operands(const struct operation *operation)
{
    switch (operation->kind) {
    case OPERATION_INVOCATION:
    case OPERATION_DESCRIPTOR:
    case OPERATION_START:
    case OPERATION_WAIT:
    case OPERATION_NEXT:
    case OPERATION_TASK:
    case OPERATION_SLICE_START:
        return true;
    default:
        return false;
    }
}

bool operation_wants_memory(const struct operation *operation)
{
    return operation->kind == OPERATION_CDMA_START && operation->type_count < 2;
}

bool operation_wants_execution(const struct operation *operation)
{
    return operation->kind >= OPERATION_PROGRAM && operation->kind <= OPERATION_WAIT &&
           operation->execution == EXECUTION_NONE;
}

bool operation_wants_profile(const struct operation *operation)
{
    return operation->kind == OPERATION_DISPATCH_PROFILING || operation->kind == OPERATION_SLICE_PROFILING;
}

bool operation_has_title(const struct operation *operation)
{
    return operation->kind <= OPERATION_DESCRIPTOR;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

enum attribute_type { ATTRIBUTE_NUMBER, ATTRIBUTE_TITLE, ATTRIBUTE_INFO, ATTRIBUTE_NDL, ATTRIBUTE_CYCLES, ATTRIBUTE_SEGMENTS };

struct attribute {
    const char *key;
    enum attribute_type type;
    enum number_kind number;
    bool (*wanted)(const struct operation *operation); /* NULL: by every operation */
};

static bool is_slice_step(const struct operation *operation)
{
    return operation->kind == OPERATION_SLICE_START ||
           operation->kind == OPERATION_SLICE_WAIT;
}

static bool is_configuration(const struct operation *operation)
{
    return operation->kind == OPERATION_DMA_IN_CFG ||
           operation->kind == OPERATION_DMA_OUT_CFG;
}

static bool is_torq(const struct operation *operation)
{
    return operation->torq;
}

static const struct attribute attributes[] = {
    { "torq-action-id", ATTRIBUTE_NUMBER, NUMBER_ACTION, NULL },
    { "torq-job-id", ATTRIBUTE_NUMBER, NUMBER_JOB, is_torq },
    { "torq-task-id", ATTRIBUTE_NUMBER, NUMBER_TASK, is_torq },
    { "torq-start-time-cycles", ATTRIBUTE_NUMBER, NUMBER_START, NULL },
    { "torq-end-time-cycles", ATTRIBUTE_NUMBER, NUMBER_END, NULL },
    { "torq-async-duration-cycles", ATTRIBUTE_NUMBER, NUMBER_ASYNC, is_torq },
    { "id", ATTRIBUTE_NUMBER, NUMBER_SLICE, is_slice_step },
    { "total_mem", ATTRIBUTE_NUMBER, NUMBER_MEMORY, operation_wants_profile },
    { "slice_mem", ATTRIBUTE_NUMBER, NUMBER_MEMORY, operation_wants_profile },
    { "total_cycle", ATTRIBUTE_NUMBER, NUMBER_CYCLE, operation_wants_profile },
    { "max_cycle", ATTRIBUTE_NUMBER, NUMBER_CYCLE, operation_wants_profile },
    { "name", ATTRIBUTE_TITLE, 0, operation_has_title },
    { "sym_name", ATTRIBUTE_TITLE, 0, operation_has_title },
    { "slice_meminfo", ATTRIBUTE_INFO, 0, operation_wants_profile },
    { "slice_ndl_cycles", ATTRIBUTE_CYCLES, 0, operation_wants_profile },
    { "read_ndl", ATTRIBUTE_NDL, 0, is_configuration },
    { "operandSegmentSizes", ATTRIBUTE_SEGMENTS, 0, operation_wants_operands },
    { "operand_segment_sizes", ATTRIBUTE_SEGMENTS, 0, operation_wants_operands },
};

const struct attribute *attribute_find(const struct operation *operation, struct text key)
{
    for (size_t i = 0; operation && i < sizeof attributes / sizeof *attributes; i++)
        if (text_equals(key, attributes[i].key))
            return !attributes[i].wanted || attributes[i].wanted(operation) ? &attributes[i] : NULL;
    return NULL;
}

status attribute_set(const struct attribute *attribute, struct operation *operation, struct strings *texts, struct text value)
{
    struct text name;

    switch (attribute->type) {
    case ATTRIBUTE_NUMBER:
        if (!value_integer(value, &operation->numbers[attribute->number]))
            operation_lose(operation, LOSS_NUMBER);
        return STATUS_OK;
    case ATTRIBUTE_TITLE:
        return value_name(value, &name) ? strings_add(texts, name.data, name.length, &operation->title) : STATUS_OK;
    case ATTRIBUTE_INFO:
        return value_name(value, &name) ? strings_add(texts, name.data, name.length, &operation->memory_info) : STATUS_OK;
    case ATTRIBUTE_CYCLES:
        if (!value_bus_cycles(value, operation->cycles))
            operation_lose(operation, LOSS_SYNTAX);
        return STATUS_OK;
    case ATTRIBUTE_NDL:
        if (!value_ndl_bytes(value, &operation->bytes))
            operation_lose(operation, LOSS_NUMBER);
        return STATUS_OK;
    default:
        operation->segment_count = value_array(value, operation->segments, SEGMENTS);
        return STATUS_OK;
    }
}
