/* mlir_parse.c: regions, blocks and operations of printed MLIR, whatever their own syntax is. */
#include "torq/mlir_parse.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

enum { DEEPEST = 1000, MOST_NAMES = 65536 }; /* open regions; names kept of one list */

/* ---- small things ------------------------------------------------------------------------------------------------ */

status parser_advance(struct parser *parser)
{
    status code = scanner_next(&parser->scanner, &parser->token);

    parser->builder->section = parser->scanner.section;
    return code;
}

bool parser_is(const struct parser *parser, char mark)
{
    return parser->token.kind == TOKEN_MARK && parser->token.mark == mark;
}

/* Past the group that the current token opens. */
status parser_skip_group(struct parser *parser, struct text *inside)
{
    struct token opener = parser->token;

    assert(opener.kind == TOKEN_MARK);
    return scanner_skip_group(&parser->scanner, &opener, inside);
}

status parser_skip(struct parser *parser)
{
    status code = parser_skip_group(parser, NULL);

    return code == STATUS_OK ? parser_advance(parser) : code;
}

struct frame *parser_top(struct parser *parser)
{
    assert(parser->frames);
    return &parser->frames[parser->depth];
}

/* The operation that is being read; NULL: none. */
struct operation *parser_operation(struct parser *parser)
{
    struct frame *frame = parser_top(parser);

    return frame->kind != FRAME_REGIONS && frame->has_operation ? &frame->operation : NULL;
}

/* The operation whose region the innermost frame is; NULL: none known. */
struct operation *parser_owner(struct parser *parser)
{
    size_t depth = parser->depth;

    if (depth && parser->frames[--depth].kind == FRAME_REGIONS)
        depth--;
    return parser->depth && parser->frames[depth].has_operation ? &parser->frames[depth].operation : NULL;
}

void parser_forget_names(struct parser *parser)
{
    parser->names_length = 0;
    parser->span_count = 0;
}

status parser_keep_name(struct parser *parser, struct text name)
{
    status code;

    if (parser->span_count == MOST_NAMES)
        return STATUS_OK;
    code = memory_grow(&parser->names, &parser->names_capacity, parser->names_length + name.length, 1);
    if (code == STATUS_OK)
        code = memory_grow(&parser->spans, &parser->span_capacity, parser->span_count + 1, sizeof *parser->spans);
    if (code != STATUS_OK)
        return code;
    if (name.length)
        memcpy(parser->names + parser->names_length, name.data, name.length);
    parser->spans[parser->span_count++] = (struct span){ parser->names_length, name.length };
    parser->names_length += name.length;
    return STATUS_OK;
}

struct text parser_name(const struct parser *parser, size_t index)
{
    const struct span *span = &parser->spans[index];

    assert(index < parser->span_count);
    /* Names of no length at all never needed a buffer. */
    return span->length ? (struct text){ parser->names + span->start, span->length } : (struct text){ "", 0 };
}

status parser_set_text(struct parser *parser, string_id *id, struct text text)
{
    return strings_add(parser->builder->texts, text.data, text.length, id);
}

/* The input ended inside what `opener` opened. */
status parser_not_closed(struct parser *parser, const struct token *opener)
{
    return status_fail_at(STATUS_INPUT, scanner_place(&parser->scanner, opener->line, opener->column),
                          "'%c' is not closed", opener->mark);
}

/* ---- operations -------------------------------------------------------------------------------------------------- */

/* Hand over the last operation of a frame and count it. */
static status finish_operation(struct parser *parser)
{
    struct frame *frame = parser_top(parser);
    struct operation *operation = &frame->operation;
    bool row;
    status code;

    if (!frame->has_operation)
        return STATUS_OK;
    frame->has_operation = false;
    code = builder_finish(parser->builder, operation);
    row = operation->torq || operation->numbers[NUMBER_ACTION] != NO_CYCLES || operation->has_loss;
    if (code != STATUS_OK || !row)
        return code;
    parser->feed->losses.rows++;
    if (operation->has_loss)
        return source_lose(parser->source, parser->feed, operation->loss, operation->line, operation->column);
    parser->feed->losses.used++;
    return STATUS_OK;
}

/* Begin an operation in the innermost frame; the names kept before are its results. */
static status begin_operation(struct parser *parser, struct text name, uint64_t line, uint64_t column, bool generic,
                              bool results)
{
    struct frame *frame = parser_top(parser);
    struct operation *operation = &frame->operation;
    string_id id, result = 0;
    status code = parser_set_text(parser, &id, name);

    if (code == STATUS_OK)
        code = finish_operation(parser);
    for (size_t i = 0; results && i < parser->span_count && code == STATUS_OK; i++)
        code = builder_define(parser->builder, parser_name(parser, i), (struct ref){ REF_NOTHING, 0 });
    if (code == STATUS_OK && results && id <= OPERATION_OTHER)
        code = parser_set_text(parser, &result, parser_name(parser, 0));
    if (code != STATUS_OK)
        return code;
    *operation = (struct operation){ .kind = id <= OPERATION_OTHER ? (enum operation_kind)(id - 1) : OPERATION_OTHER,
                                     .name = id,
                                     .torq = text_begins(name, "torq_"),
                                     .generic = generic,
                                     .loss = &loss_syntax,
                                     .line = line,
                                     .column = column,
                                     .result = result,
                                     .bytes = -1,
                                     .first_operand = parser->builder->operand_count,
                                     .draft = NO_ID };
    for (unsigned i = 0; i < NUMBER_COUNT; i++)
        operation->numbers[i] = NO_CYCLES;
    for (unsigned i = 0; i < BUS_COUNT; i++)
        operation->cycles[i] = NO_CYCLES;
    frame->has_operation = true;
    parser->builder->entry = false;
    parser->after_name = true;
    parser->number = -1;
    return STATUS_OK;
}

/* A bare name that begins an operation rather than being a word of one. */
static bool names_operation(struct text name)
{
    return text_first(name, '.') || text_is(name, "module") || text_is(name, "return");
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

static status push_frame(struct parser *parser, enum frame_kind kind, const struct token *opener)
{
    struct frame *frame;
    status code;

    if (parser->depth + 1 >= DEEPEST)
        return status_fail_at(STATUS_INPUT, scanner_place(&parser->scanner, opener->line, opener->column),
                              "regions nested deeper than %d", (int)DEEPEST);
    code = memory_grow(&parser->frames, &parser->frame_capacity, parser->depth + 2, sizeof *parser->frames);
    if (code != STATUS_OK)
        return code;
    frame = &parser->frames[++parser->depth];
    frame->kind = kind;
    frame->has_operation = false;
    frame->line = opener->line;
    frame->column = opener->column;
    return kind == FRAME_REGION ? builder_enter(parser->builder, parser_owner(parser), &frame->scope) : STATUS_OK;
}

/* A } : the innermost region ends. */
static status close_region(struct parser *parser)
{
    struct frame *frame;
    status code;

    while (parser_top(parser)->kind == FRAME_REGIONS)
        parser->depth--; /* its ) is missing */
    frame = parser_top(parser);
    if (frame->kind == FRAME_FILE)
        return status_fail_at(STATUS_INPUT, scanner_place(&parser->scanner, parser->token.line, parser->token.column),
                              "'}' closes nothing");
    code = finish_operation(parser);
    if (code != STATUS_OK)
        return code;
    builder_leave(parser->builder, parser_owner(parser), &frame->scope);
    parser->depth--;
    return parser_advance(parser);
}

/* An operation of one word behind a {, and not an attribute without a value. */
static bool is_lone_operation(const struct parser *parser, struct text name)
{
    static const char *const endings[] = { "return", "yield", "unreachable" };
    string_id id;

    if (strings_find(parser->builder->texts, name.data, name.length, &id) && id && id <= OPERATION_OTHER)
        return true;

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t length = strlen(endings[i]);

        if (name.length >= length && memcmp(name.data + name.length - length, endings[i], length) == 0)
            return true;
    }
    return false;
}

/* A { whose first word has been kept; the current token follows it. */
static status open_with_word(struct parser *parser, const struct token *opener, const struct token *word)
{
    bool string = word->kind == TOKEN_STRING;
    bool ends = parser_is(parser, ',') || parser_is(parser, '}');
    bool region = string ? parser_is(parser, '(')
                         : !parser_is(parser, '=') && (!ends || is_lone_operation(parser, parser_name(parser, 0)));
    status code;

    if (parser_top(parser)->kind != FRAME_REGIONS && !region)
        return parser_dictionary(parser, opener);
    code = push_frame(parser, FRAME_REGION, opener);
    if (code != STATUS_OK || (!string && !names_operation(parser_name(parser, 0))))
        return code;
    return begin_operation(parser, parser_name(parser, 0), word->line, word->column, string, false);
}

/* A {: a region, a dictionary of attributes, or the {-# resources #-} at the end of a file. */
static status open_brace(struct parser *parser)
{
    struct token opener = parser->token;
    struct token word;
    status code = parser_advance(parser);

    if (code != STATUS_OK)
        return code;
    if (parser_is(parser, '-')) {
        code = scanner_skip_group(&parser->scanner, &opener, NULL);
        return code == STATUS_OK ? parser_advance(parser) : code;
    }
    if (parser_is(parser, '}') && parser_top(parser)->kind != FRAME_REGIONS)
        return parser_advance(parser); /* nothing in it: whichever it was */
    if (parser->token.kind != TOKEN_NAME && parser->token.kind != TOKEN_STRING)
        return push_frame(parser, FRAME_REGION, &opener);
    word = parser->token;
    parser_forget_names(parser);
    code = parser_keep_name(parser, word.text);
    if (code == STATUS_OK)
        code = parser_advance(parser);
    return code == STATUS_OK ? open_with_word(parser, &opener, &word) : code;
}

/* ---- tokens at the level of operations --------------------------------------------------------------------------- */

/* %a, %b:2 - results when an = and an operation follow, else operands. */
static status parse_values(struct parser *parser)
{
    struct operation *operation = parser_operation(parser);
    size_t before = parser->builder->operand_count;
    status code = STATUS_OK;
    int next;

    parser_forget_names(parser);
    while (parser->token.kind == TOKEN_VALUE) {
        code = parser_keep_name(parser, parser->token.text);
        if (code == STATUS_OK && operation && operation_wants_operands(operation) && !operation->generic)
            code = builder_add_operand(parser->builder,
                                       builder_value(parser->builder, parser->token.text, parser->token.number),
                                       GROUP_PLAIN, 0);
        if (code == STATUS_OK)
            code = parser_advance(parser);
        if (code == STATUS_OK && parser_is(parser, ':')) {
            code = scanner_peek(&parser->scanner, &next);
            if (code != STATUS_OK || next < '0' || next > '9')
                return code; /* a type follows */
            code = parser_advance(parser);
            if (code == STATUS_OK)
                code = parser_advance(parser);
        }
        if (code != STATUS_OK || !parser_is(parser, ','))
            break;
        code = parser_advance(parser);
        if (code != STATUS_OK)
            break;
    }
    if (code != STATUS_OK || !parser_is(parser, '='))
        return code;
    code = parser_advance(parser);
    if (code != STATUS_OK || (parser->token.kind != TOKEN_NAME && parser->token.kind != TOKEN_STRING))
        return code; /* %i = 0 to 10 of a loop */
    parser->builder->operand_count = before;
    code = begin_operation(parser, parser->token.text, parser->token.line, parser->token.column,
                           parser->token.kind == TOKEN_STRING, true);
    return code == STATUS_OK ? parser_advance(parser) : code;
}

/* loc(...) belongs to the operation it follows. The current token is the (. */
static status parse_location(struct parser *parser)
{
    struct operation *operation = parser_operation(parser);
    struct token opener = parser->token;
    struct text inside;
    status code = parser_skip_group(parser, &inside);

    if (code != STATUS_OK)
        return code;
    if (!inside.data)
        return status_fail_at(STATUS_INPUT, scanner_place(&parser->scanner, opener.line, opener.column),
                              "a location over %d bytes", (int)SCANNER_LONGEST);
    if (operation)
        code = aliases_keep(&parser->builder->aliases, inside, &operation->location);
    return code == STATUS_OK ? parser_advance(parser) : code;
}

/* Words of torq_hw.dispatch_profiling and torq_hw.slice_profiling: memory : 2048 bytes, dedr(1152). */
static status parse_profile_word(struct parser *parser)
{
    struct operation *operation = parser_operation(parser);
    enum bus bus = value_bus(parser->token.text);
    status code;

    parser->number = -1;
    if (text_is(parser->token.text, "memory"))
        parser->number = NUMBER_MEMORY;
    else if (text_is(parser->token.text, "max_cycle") || text_is(parser->token.text, "total_cycle"))
        parser->number = NUMBER_CYCLE;
    code = parser_advance(parser);
    if (code != STATUS_OK || !parser_is(parser, '('))
        return code;
    if (bus == BUS_COUNT)
        return parser_skip(parser);
    code = parser_advance(parser);
    if (code == STATUS_OK && !value_integer(parser->token.text, &operation->cycles[bus]))
        operation_lose(operation, &loss_number);
    while (code == STATUS_OK && parser->token.kind == TOKEN_NUMBER)
        code = parser_advance(parser);
    return code == STATUS_OK && parser_is(parser, ')') ? parser_advance(parser) : code;
}

/* A word of the current operation: what matters is which group or type it stands in front of. */
static status parse_word(struct parser *parser)
{
    struct operation *operation = parser_operation(parser);
    enum operand_group group = operation ? parser_group_of(operation, parser->token.text) : GROUP_OTHER;
    bool location = text_is(parser->token.text, "loc");
    bool memory = text_is(parser->token.text, "memref") || text_is(parser->token.text, "tensor");
    status code;

    parser->after_to = text_is(parser->token.text, "to");
    code = parser_advance(parser);
    if (code != STATUS_OK)
        return code;
    if (parser_is(parser, '<'))
        return parser_type(parser, memory, false);
    if (!parser_is(parser, '('))
        return STATUS_OK;
    if (location)
        return parse_location(parser);
    return operation && operation_wants_operands(operation) ? parser_operands(parser, group) : STATUS_OK;
}

static status parse_name(struct parser *parser)
{
    struct operation *operation = parser_operation(parser);
    status code;

    if (names_operation(parser->token.text)) {
        code = begin_operation(parser, parser->token.text, parser->token.line, parser->token.column, false, false);
        return code == STATUS_OK ? parser_advance(parser) : code;
    }
    if (operation && operation_wants_profile(operation) && !text_is(parser->token.text, "loc"))
        return parse_profile_word(parser);
    return parse_word(parser);
}

/* A string: the name of a generic operation, or the first one in an operation, which is a program's name. */
static status parse_string(struct parser *parser, bool after_name)
{
    struct operation *operation = parser_operation(parser);
    struct token string = parser->token;
    bool dotted = text_first(string.text, '.') != NULL;
    bool inside = after_name && !operation->torq && operation->line == string.line; /* torch.operator "onnx.Relu"(%0) */
    status code;

    parser_forget_names(parser);
    code = parser_keep_name(parser, string.text);
    if (code == STATUS_OK)
        code = parser_advance(parser);
    if (code != STATUS_OK)
        return code;
    if (parser_is(parser, '(') && dotted && !inside)
        return begin_operation(parser, parser_name(parser, 0), string.line, string.column, true, false);
    if (operation && operation_has_title(operation) && !operation->title)
        return parser_set_text(parser, &operation->title, parser_name(parser, 0));
    if (operation && operation->kind == OPERATION_SLICE_PROFILING && !operation->memory_info)
        return parser_set_text(parser, &operation->memory_info, parser_name(parser, 0));
    return STATUS_OK;
}

static status parse_symbol(struct parser *parser)
{
    struct operation *operation = parser_operation(parser);
    status code = STATUS_OK;

    if (operation && operation->kind == OPERATION_FUNCTION && !operation->title)
        code = parser_set_text(parser, &operation->title, parser->token.text);
    return code == STATUS_OK ? parser_advance(parser) : code;
}

static status parse_number(struct parser *parser)
{
    struct operation *operation = parser_operation(parser);

    if (operation && operation_wants_profile(operation) && parser->number >= 0) {
        if (!value_integer(parser->token.text, &operation->numbers[parser->number]))
            operation_lose(operation, &loss_number);
        parser->number = -1;
    }
    return parser_advance(parser);
}

/* The arguments of a block, names only. The current token is the (. */
static status parse_block_arguments(struct parser *parser)
{
    struct token opener = parser->token;
    status code = parser_advance(parser);

    while (code == STATUS_OK && !parser_is(parser, ')')) {
        if (parser->token.kind == TOKEN_END)
            return parser_not_closed(parser, &opener);
        if (parser_is(parser, '}'))
            return STATUS_OK;
        if (parser_is(parser, '(') || parser_is(parser, '[') || parser_is(parser, '{') || parser_is(parser, '<')) {
            code = parser_skip(parser);
            continue;
        }
        if (parser->token.kind == TOKEN_VALUE)
            code = parser_keep_name(parser, parser->token.text);
        if (code == STATUS_OK)
            code = parser_advance(parser);
    }
    return code == STATUS_OK ? parser_advance(parser) : code;
}

/* ^bb1(%a: type): the beginning of a block, or, without the colon, where an operation goes on. The label is the first
 * name kept. */
static status begin_block(struct parser *parser)
{
    size_t count = parser->span_count - 1;
    struct text *names = memory_allocate((count + 1) * sizeof *names);
    status code;

    if (!names)
        return status_no_memory("reading a block");
    for (size_t i = 0; i < count; i++)
        names[i] = parser_name(parser, i + 1);
    code = finish_operation(parser);
    if (code == STATUS_OK)
        code = builder_block(parser->builder, parser_owner(parser), parser_name(parser, 0), names, count);
    memory_free(names);
    return code == STATUS_OK ? parser_advance(parser) : code;
}

static status parse_block(struct parser *parser, bool after_to)
{
    struct operation *operation = parser_operation(parser);
    status code;

    parser_forget_names(parser);
    code = parser_keep_name(parser, parser->token.text);
    if (code == STATUS_OK)
        code = parser_advance(parser);
    if (code == STATUS_OK && parser_is(parser, '('))
        code = parse_block_arguments(parser);
    if (code != STATUS_OK)
        return code;
    if (parser_is(parser, ':') && !after_to)
        return begin_block(parser);
    if (operation && operation->kind == OPERATION_NEXT && !operation->successor)
        return parser_set_text(parser, &operation->successor, parser_name(parser, 0));
    return STATUS_OK;
}

/* #name = loc(...) defines an alias. Of other aliases only those that name a memory space matter. */
static status parse_alias(struct parser *parser)
{
    struct operation *operation = parser_operation(parser);
    bool profile = operation && operation_wants_profile(operation);
    struct text inside;
    enum memory_space space;
    bool location;
    status code;

    parser_forget_names(parser);
    code = parser_keep_name(parser, parser->token.text);
    if (code == STATUS_OK)
        code = parser_advance(parser);
    if (code == STATUS_OK && profile && parser_is(parser, '<')) { /* #torq_hw<ndl_cycles dedr(1152) ...> */
        code = parser_skip_group(parser, &inside);
        if (code == STATUS_OK && (!inside.data || !value_bus_cycles(inside, operation->cycles)))
            operation_lose(operation, &loss_syntax);
        return code == STATUS_OK ? parser_advance(parser) : code;
    }
    if (code != STATUS_OK || !parser_is(parser, '='))
        return code;
    code = parser_advance(parser);
    if (code != STATUS_OK || (parser->token.kind != TOKEN_NAME && parser->token.kind != TOKEN_ALIAS))
        return code;
    location = parser->token.kind == TOKEN_NAME && text_is(parser->token.text, "loc");
    code = parser_advance(parser);
    if (code != STATUS_OK || !parser_is(parser, location ? '(' : '<'))
        return code;
    code = parser_skip_group(parser, &inside);
    if (code == STATUS_OK && inside.data && (location || value_space(inside, &space)))
        code = aliases_define(&parser->builder->aliases, parser->builder->section, parser_name(parser, 0), inside);
    return code == STATUS_OK ? parser_advance(parser) : code;
}

/* <{ properties }>, a type without its name as in `: <nss>`, or a comparison. */
static status parse_less(struct parser *parser)
{
    int next;
    status code = scanner_behind(&parser->scanner, &next);

    if (code != STATUS_OK || next <= 0 || strchr("= \t\r\n", next))
        return code == STATUS_OK ? parser_advance(parser) : code;
    if (next != '{')
        return parser_type(parser, false, true);
    code = parser_advance(parser);
    if (code == STATUS_OK)
        code = open_brace(parser);
    return code == STATUS_OK && parser_is(parser, '>') ? parser_advance(parser) : code;
}

/* A ( that no word stands in front of: regions of the generic form, operands, or types. */
static status parse_parenthesis(struct parser *parser, bool after_name)
{
    struct operation *operation = parser_operation(parser);
    struct token opener = parser->token;
    bool plain;
    int next;
    status code = scanner_peek(&parser->scanner, &next);

    if (code != STATUS_OK)
        return code;
    if (next == '{') {
        code = push_frame(parser, FRAME_REGIONS, &opener);
        return code == STATUS_OK ? parser_advance(parser) : code;
    }
    if (!operation || !(operation_wants_operands(operation) || operation_wants_memory(operation) ||
                        operation_wants_execution(operation)))
        return parser_skip(parser);
    plain = (operation->generic && after_name) || operation->kind == OPERATION_TASK;
    return parser_operands(parser, plain ? GROUP_PLAIN : GROUP_OTHER);
}

/* [^bb1] of a generic torq_hl.next; every other [ ... ] is skipped. */
static status parse_bracket(struct parser *parser)
{
    struct operation *operation = parser_operation(parser);
    status code;

    if (!operation || operation->kind != OPERATION_NEXT)
        return parser_skip(parser);
    code = parser_advance(parser);
    if (code == STATUS_OK && parser->token.kind == TOKEN_BLOCK) {
        code = parser_set_text(parser, &operation->successor, parser->token.text);
        if (code == STATUS_OK)
            code = parser_advance(parser);
    }
    return code;
}

static status parse_mark(struct parser *parser, bool after_name)
{
    switch (parser->token.mark) {
    case '(':
        return parse_parenthesis(parser, after_name);
    case '{':
        return open_brace(parser);
    case '}':
        return close_region(parser);
    case '[':
        return parse_bracket(parser);
    case '<':
        return parse_less(parser);
    case ')':
        if (parser_top(parser)->kind == FRAME_REGIONS)
            parser->depth--;
        return parser_advance(parser);
    default:
        return parser_advance(parser);
    }
}

static status parse_token(struct parser *parser)
{
    bool after_name = parser->after_name, after_to = parser->after_to;

    parser->after_name = parser->after_to = false;
    if (parser_top(parser)->kind == FRAME_REGIONS && parser->token.kind != TOKEN_MARK)
        return parser_advance(parser);
    switch (parser->token.kind) {
    case TOKEN_VALUE:
        return parse_values(parser);
    case TOKEN_NAME:
        return parse_name(parser);
    case TOKEN_STRING:
        return parse_string(parser, after_name);
    case TOKEN_SYMBOL:
        return parse_symbol(parser);
    case TOKEN_NUMBER:
        return parse_number(parser);
    case TOKEN_BLOCK:
        return parse_block(parser, after_to);
    case TOKEN_ALIAS:
        return parse_alias(parser);
    case TOKEN_TYPE:
        return parser_type_word(parser);
    case TOKEN_MARK:
        return parse_mark(parser, after_name);
    default:
        return parser_advance(parser);
    }
}

static status parse_all(struct parser *parser)
{
    status code = memory_grow(&parser->frames, &parser->frame_capacity, 1, sizeof *parser->frames);

    if (code != STATUS_OK)
        return code;
    parser->frames[0] = (struct frame){ .kind = FRAME_FILE };
    code = parser_advance(parser);
    while (code == STATUS_OK && parser->token.kind != TOKEN_END)
        code = parse_token(parser);
    if (code == STATUS_OK && parser->depth)
        return status_fail_at(
            STATUS_INPUT, scanner_place(&parser->scanner, parser_top(parser)->line, parser_top(parser)->column),
            "'%c' is not closed: the file ends before its end", parser_top(parser)->kind == FRAME_REGIONS ? '(' : '{');
    return code == STATUS_OK ? finish_operation(parser) : code;
}

status mlir_parse(struct source *source, struct feed *feed, struct builder *builder)
{
    struct parser parser = { .source = source, .feed = feed, .builder = builder, .number = -1 };
    status code = scanner_open(&parser.scanner, source->input, source->progress);

    if (code == STATUS_OK)
        code = parse_all(&parser);
    scanner_close(&parser.scanner);
    memory_free(parser.frames);
    memory_free(parser.names);
    memory_free(parser.spans);
    return code;
}
