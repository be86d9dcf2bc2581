/* mlir_attribute.c: attributes, operands and types of the operation that is being read. */
#include "torq/mlir_parse.h"

#include <assert.h>

#include "base/text.h"

void operation_lose(struct operation *operation, const struct loss_reason *reason)
{
    assert(reason);
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

enum attribute_type {
    ATTRIBUTE_NUMBER,
    ATTRIBUTE_TITLE,
    ATTRIBUTE_INFO,
    ATTRIBUTE_NDL,
    ATTRIBUTE_CYCLES,
    ATTRIBUTE_SEGMENTS
};

struct attribute {
    struct text key;                                   /* as printed */
    enum attribute_type type;                          /* how its value is read */
    enum number_kind number;                           /* of ATTRIBUTE_NUMBER: where it goes */
    bool (*wanted)(const struct operation *operation); /* NULL: by every operation */
};

static bool is_slice_step(const struct operation *operation)
{
    return operation->kind == OPERATION_SLICE_START || operation->kind == OPERATION_SLICE_WAIT;
}

static bool is_configuration(const struct operation *operation)
{
    return operation->kind == OPERATION_DMA_IN_CFG || operation->kind == OPERATION_DMA_OUT_CFG;
}

static bool is_torq(const struct operation *operation)
{
    return operation->torq;
}

#define KEY(text)             \
    {                         \
        text, sizeof text - 1 \
    }

static const struct attribute attributes[] = {
    { KEY("torq-action-id"), ATTRIBUTE_NUMBER, NUMBER_ACTION, NULL },
    { KEY("torq-job-id"), ATTRIBUTE_NUMBER, NUMBER_JOB, is_torq },
    { KEY("torq-task-id"), ATTRIBUTE_NUMBER, NUMBER_TASK, is_torq },
    { KEY("torq-start-time-cycles"), ATTRIBUTE_NUMBER, NUMBER_START, NULL },
    { KEY("torq-end-time-cycles"), ATTRIBUTE_NUMBER, NUMBER_END, NULL },
    { KEY("torq-async-duration-cycles"), ATTRIBUTE_NUMBER, NUMBER_ASYNC, is_torq },
    { KEY("id"), ATTRIBUTE_NUMBER, NUMBER_SLICE, is_slice_step },
    { KEY("total_mem"), ATTRIBUTE_NUMBER, NUMBER_MEMORY, operation_wants_profile },
    { KEY("slice_mem"), ATTRIBUTE_NUMBER, NUMBER_MEMORY, operation_wants_profile },
    { KEY("total_cycle"), ATTRIBUTE_NUMBER, NUMBER_CYCLE, operation_wants_profile },
    { KEY("max_cycle"), ATTRIBUTE_NUMBER, NUMBER_CYCLE, operation_wants_profile },
    { KEY("name"), ATTRIBUTE_TITLE, 0, operation_has_title },
    { KEY("sym_name"), ATTRIBUTE_TITLE, 0, operation_has_title },
    { KEY("slice_meminfo"), ATTRIBUTE_INFO, 0, operation_wants_profile },
    { KEY("slice_ndl_cycles"), ATTRIBUTE_CYCLES, 0, operation_wants_profile },
    { KEY("read_ndl"), ATTRIBUTE_NDL, 0, is_configuration },
    { KEY("operandSegmentSizes"), ATTRIBUTE_SEGMENTS, 0, operation_wants_operands },
    { KEY("operand_segment_sizes"), ATTRIBUTE_SEGMENTS, 0, operation_wants_operands },
};

static const struct attribute *find_attribute(const struct operation *operation, struct text key)
{
    for (size_t i = 0; operation && i < sizeof attributes / sizeof *attributes; i++)
        if (text_equal(key, attributes[i].key))
            return !attributes[i].wanted || attributes[i].wanted(operation) ? &attributes[i] : NULL;
    return NULL;
}

static status set_attribute(const struct attribute *attribute, struct operation *operation, struct strings *texts,
                            struct text value)
{
    struct text name;

    switch (attribute->type) {
    case ATTRIBUTE_NUMBER:
        if (!value_integer(value, &operation->numbers[attribute->number]))
            operation_lose(operation, &loss_number);
        return STATUS_OK;
    case ATTRIBUTE_TITLE:
        return value_name(value, &name) ? strings_add(texts, name.data, name.length, &operation->title) : STATUS_OK;
    case ATTRIBUTE_INFO:
        return value_name(value, &name) ? strings_add(texts, name.data, name.length, &operation->memory_info)
                                        : STATUS_OK;
    case ATTRIBUTE_CYCLES:
        if (!value_bus_cycles(value, operation->cycles))
            operation_lose(operation, &loss_syntax);
        return STATUS_OK;
    case ATTRIBUTE_NDL:
        if (!value_ndl_bytes(value, &operation->bytes))
            operation_lose(operation, &loss_number);
        return STATUS_OK;
    default:
        operation->segment_count = value_array(value, operation->segments, SEGMENTS);
        return STATUS_OK;
    }
}

/* ---- dictionaries ------------------------------------------------------------------------------------------------ */

/* The value behind a key that was just read; the current token is its `=`. */
static status parse_attribute(struct parser *parser)
{
    struct operation *operation = parser_operation(parser);
    const struct attribute *attribute = find_attribute(operation, parser_name(parser, 0));
    struct token from = parser->token;
    struct text value = { NULL, 0 };
    status code = scanner_skip_value(&parser->scanner, &from, attribute ? &value : NULL);

    if (code != STATUS_OK)
        return code;
    if (attribute && !value.data)
        operation_lose(operation, &loss_too_long);
    else if (attribute)
        code = set_attribute(attribute, operation, parser->builder->texts, value);
    return code == STATUS_OK ? parser_advance(parser) : code;
}

/* The rest of an attribute dictionary. Its first key is the name kept last, and the current token follows that key. */
status parser_dictionary(struct parser *parser, const struct token *opener)
{
    for (;;) {
        status code = STATUS_OK;

        if (parser->token.kind == TOKEN_END)
            return parser_not_closed(parser, opener);
        if (parser_is(parser, '}'))
            return parser_advance(parser);
        if (parser_is(parser, '=')) {
            code = parse_attribute(parser);
        } else if (parser_is(parser, ',')) {
            code = parser_advance(parser);
            parser_forget_names(parser);
            if (code == STATUS_OK)
                code = parser_keep_name(parser, parser->token.text);
            if (code == STATUS_OK && (parser->token.kind == TOKEN_NAME || parser->token.kind == TOKEN_STRING))
                code = parser_advance(parser);
        } else { /* no dictionary that we know: go to the next entry */
            code = scanner_skip_value(&parser->scanner, opener, NULL);
            if (code == STATUS_OK)
                code = parser_advance(parser);
        }
        if (code != STATUS_OK)
            return code;
    }
}

/* ---- operands, types --------------------------------------------------------------------------------------------- */

/* The group behind a type's name, and what it says. The current token is the <. */
status parser_type(struct parser *parser, bool memory, bool execution)
{
    struct operation *operation = parser_operation(parser);
    struct text inside = { NULL, 0 };
    bool wanted = operation && ((memory && operation_wants_memory(operation)) ||
                                (execution && operation_wants_execution(operation)));
    status code = parser_skip_group(parser, wanted ? &inside : NULL);

    if (code != STATUS_OK)
        return code;
    if (wanted && inside.data && execution) {
        operation->execution = value_execution(inside);
    } else if (wanted && inside.data) {
        struct memory_type *type = &operation->types[operation->type_count++];
        struct text alias = text_after(inside, ", #");
        enum memory_space space;

        assert(operation->type_count <= sizeof operation->types / sizeof *operation->types);
        *type = value_memory(inside);
        /* The space may hide behind an alias. */
        if (alias.data && !value_space(inside, &space) &&
            value_space(aliases_meaning(&parser->builder->aliases, parser->builder->section, alias), &space))
            type->space = space;
    }
    return parser_advance(parser);
}

/* A word or !type inside a list: only a following < matters. */
status parser_type_word(struct parser *parser)
{
    bool memory = parser->token.kind == TOKEN_NAME &&
                  (text_is(parser->token.text, "memref") || text_is(parser->token.text, "tensor"));
    bool execution = parser->token.kind == TOKEN_TYPE;
    status code = parser_advance(parser);

    return code == STATUS_OK && parser_is(parser, '<') ? parser_type(parser, memory, execution) : code;
}

/* One %value of a list. `*inner` is the %inside of (%inside = %outside), from one call to the next. */
static status parse_operand(struct parser *parser, enum operand_group group, string_id *inner)
{
    struct ref ref = builder_value(parser->builder, parser->token.text, parser->token.number);
    status code;

    parser_forget_names(parser);
    code = parser_keep_name(parser, parser->token.text);
    if (code == STATUS_OK)
        code = parser_advance(parser);
    if (code != STATUS_OK)
        return code;
    if (parser_is(parser, '='))
        return parser_set_text(parser, inner, parser_name(parser, 0));
    if (operation_wants_operands(parser_operation(parser)))
        code = builder_add_operand(parser->builder, ref, group, *inner);
    *inner = 0;
    return code;
}

/* (%a, %b : types): operands of the current operation. The current token is the (. */
status parser_operands(struct parser *parser, enum operand_group group)
{
    struct token opener = parser->token;
    status code = parser_advance(parser);
    string_id inner = 0;

    while (code == STATUS_OK && !parser_is(parser, ')')) {
        if (parser->token.kind == TOKEN_END)
            return parser_not_closed(parser, &opener);
        if (parser_is(parser, '}')) /* of an outer brace: the group is broken */
            return STATUS_OK;
        if (parser->token.kind == TOKEN_VALUE) {
            code = parse_operand(parser, group, &inner);
        } else if (parser->token.kind == TOKEN_NAME || parser->token.kind == TOKEN_TYPE) {
            code = parser_type_word(parser);
        } else if (parser_is(parser, '(') || parser_is(parser, '[') || parser_is(parser, '{') ||
                   parser_is(parser, '<')) {
            code = parser_skip(parser);
        } else {
            code = parser_advance(parser);
        }
    }
    return code == STATUS_OK ? parser_advance(parser) : code;
}

enum operand_group parser_group_of(const struct operation *operation, struct text word)
{
    if (operation->kind == OPERATION_START && text_is(word, "args"))
        return GROUP_ARGS;
    return text_is(word, "program") ? GROUP_PLAIN : GROUP_OTHER;
}
