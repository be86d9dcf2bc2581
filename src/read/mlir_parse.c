#include "read/mlir_parse.h"

#include <string.h>

#include "base/memory.h"
#include "read/mlir_attribute.h"
#include "read/mlir_scan.h"

enum { DEEPEST = 1000, MOST_NAMES = 65536 };

enum frame_kind {
    FRAME_FILE,
    FRAME_REGION, /* { operations } */
    FRAME_REGIONS /* ( {...}, {...} ) of the generic form */
};

/* What is open at the moment. */
struct frame {
    enum frame_kind kind;
    bool has_operation;         /* one was begun here and is not finished */
    struct operation operation; /* the last one begun */
    struct scope scope;
    uint64_t line, column;      /* of the opening bracket */
};

struct span {
    size_t start, length; /* in the parser's names */
};

struct parser {
    struct source *source;
    struct feed *feed;
    struct builder *builder;
    struct scanner scanner;
    struct token token;         /* current, not yet used */
    struct frame *frames;       /* [0] is the file */
    size_t depth;               /* of the innermost frame */
    size_t frame_capacity;
    bool after_name;            /* the token before was an operation's name */
    bool after_to;              /* the token before was `to` */
    int number;                 /* enum number_kind that the next number of a profile is; -1: none */
    char *names;                /* bytes of the value names just read, or of a key */
    size_t names_length, names_capacity;
    struct span *spans;         /* the names */
    size_t span_count, span_capacity;
};

/* ---- small things ------------------------------------------------------------------------------------------------ */

static status advance(struct parser *parser)
{
    status code = scanner_next(&parser->scanner, &parser->token);

    parser->builder->section = parser->scanner.section;
    return code;
}

static bool is_mark(const struct parser *parser, char mark)
{
    return parser->token.kind == TOKEN_MARK && parser->token.mark == mark;
}

/* Past the group that the current token opens. */
static status skip_group(struct parser *parser, struct text *inside)
{
    struct token opener = parser->token;
    status code = scanner_skip_group(&parser->scanner, &opener, inside);

    return code;
}

static status skip_group_and_advance(struct parser *parser)
{
    status code = skip_group(parser, NULL);

    return code == STATUS_OK ? advance(parser) : code;
}

static struct frame *top(struct parser *parser)
{
    return &parser->frames[parser->depth];
}

/* The operation that is being read; NULL: none. */
static struct operation *current(struct parser *parser)
{
    struct frame *frame = top(parser);

    return frame->kind != FRAME_REGIONS && frame->has_operation ? &frame->operation : NULL;
}

/* The operation whose region the innermost frame is; NULL: none known. */
static struct operation *owner(struct parser *parser)
{
    size_t depth = parser->depth;

    if (depth && parser->frames[--depth].kind == FRAME_REGIONS)
        depth--;
    return parser->depth && parser->frames[depth].has_operation ? &parser->frames[depth].operation : NULL;
}

static void forget_names(struct parser *parser)
{
    parser->names_length = 0;
    parser->span_count = 0;
}

static status keep_name(struct parser *parser, struct text name)
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

static struct text name_at(const struct parser *parser, size_t index)
{
    return (struct text){ parser->names + parser->spans[index].start, parser->spans[index].length };
}

static status set_text(struct parser *parser, string_id *id, struct text text)
{
    return strings_add(parser->builder->texts, text.data, text.length, id);
}

/* ---- operations -------------------------------------------------------------------------------------------------- */

/* Hand over the last operation of a frame and count it. */
static status finish_operation(struct parser *parser)
{
    struct frame *frame = top(parser);
    struct operation *operation = &frame->operation;
    bool row;
    status code;

    if (!frame->has_operation)
        return STATUS_OK;
    frame->has_operation = false;
    code = builder_finish(parser->builder, operation);
    row = operation->torq || operation->numbers[NUMBER_ACTION] != NO_CYCLES;
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
    struct frame *frame = top(parser);
    struct operation *operation = &frame->operation;
    string_id id, result = 0;
    status code = set_text(parser, &id, name);

    if (code == STATUS_OK)
        code = finish_operation(parser);
    for (size_t i = 0; results && i < parser->span_count && code == STATUS_OK; i++)
        code = builder_define(parser->builder, name_at(parser, i), (struct ref){ REF_NOTHING, 0 });
    if (code == STATUS_OK && results && id <= OPERATION_OTHER)
        code = set_text(parser, &result, name_at(parser, 0));
    if (code != STATUS_OK)
        return code;
    *operation = (struct operation){ .kind = id <= OPERATION_OTHER ? (enum operation_kind)(id - 1) : OPERATION_OTHER,
                                     .name = id,
                                     .torq = text_begins(name, "torq_"),
                                     .generic = generic,
                                     .loss = LOSS_SYNTAX,
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
    return memchr(name.data, '.', name.length) || text_equals(name, "module") || text_equals(name, "return");
}

/* ---- attributes -------------------------------------------------------------------------------------------------- */

/* The value behind a key that was just read; the current token is its `=`. */
static status parse_attribute(struct parser *parser)
{
    struct operation *operation = current(parser);
    const struct attribute *attribute = attribute_find(operation, name_at(parser, 0));
    struct token from = parser->token;
    struct text value = { NULL, 0 };
    status code = scanner_skip_value(&parser->scanner, &from, attribute ? &value : NULL);

    if (code != STATUS_OK)
        return code;
    if (attribute && !value.data)
        operation_lose(operation, LOSS_TOO_LONG);
    else if (attribute)
        code = attribute_set(attribute, operation, parser->builder->texts, value);
    return code == STATUS_OK ? advance(parser) : code;
}

/* The rest of an attribute dictionary. Its first key is the name kept last, and the current token follows that key. */
static status parse_dictionary(struct parser *parser, const struct token *opener)
{
    for (;;) {
        status code = STATUS_OK;

        if (parser->token.kind == TOKEN_END)
            return status_fail_at(STATUS_INPUT, scanner_place(&parser->scanner, opener->line, opener->column),
                                  "'{' is not closed");
        if (is_mark(parser, '}'))
            return advance(parser);
        if (is_mark(parser, '=')) {
            code = parse_attribute(parser);
        } else if (is_mark(parser, ',')) {
            code = advance(parser);
            forget_names(parser);
            if (code == STATUS_OK)
                code = keep_name(parser, parser->token.text);
            if (code == STATUS_OK && (parser->token.kind == TOKEN_NAME || parser->token.kind == TOKEN_STRING))
                code = advance(parser);
        } else { /* no dictionary that we know: go to the next entry */
            code = scanner_skip_value(&parser->scanner, opener, NULL);
            if (code == STATUS_OK)
                code = advance(parser);
        }
        if (code != STATUS_OK)
            return code;
    }
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
    return kind == FRAME_REGION ? builder_enter(parser->builder, owner(parser), &frame->scope) : STATUS_OK;
}

/* A } : the innermost region ends. */
static status close_region(struct parser *parser)
{
    struct frame *frame;
    status code;

    if (top(parser)->kind == FRAME_REGIONS)
        parser->depth--; /* its ) is missing */
    frame = top(parser);
    if (frame->kind == FRAME_FILE)
        return status_fail_at(STATUS_INPUT, scanner_place(&parser->scanner, parser->token.line, parser->token.column),
                              "'}' closes nothing");
    code = finish_operation(parser);
    if (code != STATUS_OK)
        return code;
    builder_leave(parser->builder, owner(parser), &frame->scope);
    parser->depth--;
    return advance(parser);
}

/* An operation of one word behind a {, and not an attribute without a value. */
static bool ends_block(struct text name)
{
    static const char *const endings[] = { "return", "yield", "unreachable" };

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
    bool ends = is_mark(parser, ',') || is_mark(parser, '}');
    bool region = string ? is_mark(parser, '(') : !is_mark(parser, '=') && !(ends && !ends_block(name_at(parser, 0)));
    status code;

    if (top(parser)->kind != FRAME_REGIONS && !region)
        return parse_dictionary(parser, opener);
    code = push_frame(parser, FRAME_REGION, opener);
    if (code != STATUS_OK || (!string && !names_operation(name_at(parser, 0))))
        return code;
    return begin_operation(parser, name_at(parser, 0), word->line, word->column, string, false);
}

/* A {: a region, a dictionary of attributes, or the {-# resources #-} at the end of a file. */
static status open_brace(struct parser *parser)
{
    struct token opener = parser->token;
    struct token word;
    status code = advance(parser);

    if (code != STATUS_OK)
        return code;
    if (is_mark(parser, '-')) {
        code = scanner_skip_group(&parser->scanner, &opener, NULL);
        return code == STATUS_OK ? advance(parser) : code;
    }
    if (is_mark(parser, '}') && top(parser)->kind != FRAME_REGIONS)
        return advance(parser); /* nothing in it: whichever it was */
    if (parser->token.kind != TOKEN_NAME && parser->token.kind != TOKEN_STRING)
        return push_frame(parser, FRAME_REGION, &opener);
    word = parser->token;
    forget_names(parser);
    code = keep_name(parser, word.text);
    if (code == STATUS_OK)
        code = advance(parser);
    return code == STATUS_OK ? open_with_word(parser, &opener, &word) : code;
}

/* ---- operands, types --------------------------------------------------------------------------------------------- */

/* The group behind a type's name, and what it says. The current token is the <. */
static status parse_type(struct parser *parser, bool memory, bool execution)
{
    struct operation *operation = current(parser);
    struct text inside = { NULL, 0 };
    bool wanted = operation && ((memory && operation_wants_memory(operation)) || (execution && operation_wants_execution(operation)));
    status code = skip_group(parser, wanted ? &inside : NULL);

    if (code != STATUS_OK)
        return code;
    if (wanted && inside.data && execution) {
        operation->execution = value_execution(inside);
    } else if (wanted && inside.data) {
        struct memory_type *type = &operation->types[operation->type_count++];
        long alias = text_find(inside, ", #");
        enum memory_space space;

        *type = value_memory(inside);
        if (alias >= 0 && !value_space(inside, &space)) { /* the space may hide behind an alias */
            struct text name = { inside.data + alias + 3, inside.length - (size_t)alias - 3 };

            if (value_space(aliases_meaning(&parser->builder->aliases, parser->builder->section, name), &space))
                type->space = space;
        }
    }
    return advance(parser);
}

/* A word or !type inside a list: only a following < matters. */
static status parse_type_word(struct parser *parser)
{
    bool memory = parser->token.kind == TOKEN_NAME &&
                  (text_equals(parser->token.text, "memref") || text_equals(parser->token.text, "tensor"));
    bool execution = parser->token.kind == TOKEN_TYPE;
    status code = advance(parser);

    return code == STATUS_OK && is_mark(parser, '<') ? parse_type(parser, memory, execution) : code;
}

/* One %value of a list. `*inner` is the %inside of (%inside = %outside), from one call to the next. */
static status parse_operand(struct parser *parser, enum operand_group group, string_id *inner)
{
    struct ref ref = builder_value(parser->builder, parser->token.text, parser->token.number);
    status code;

    forget_names(parser);
    code = keep_name(parser, parser->token.text);
    if (code == STATUS_OK)
        code = advance(parser);
    if (code != STATUS_OK)
        return code;
    if (is_mark(parser, '='))
        return set_text(parser, inner, name_at(parser, 0));
    if (operation_wants_operands(current(parser)))
        code = builder_add_operand(parser->builder, ref, group, *inner);
    *inner = 0;
    return code;
}

/* (%a, %b : types): operands of the current operation. The current token is the (. */
static status parse_operands(struct parser *parser, enum operand_group group)
{
    struct token opener = parser->token;
    status code = advance(parser);
    string_id inner = 0;

    while (code == STATUS_OK && !is_mark(parser, ')')) {
        if (parser->token.kind == TOKEN_END)
            return status_fail_at(STATUS_INPUT, scanner_place(&parser->scanner, opener.line, opener.column),
                                  "'(' is not closed");
        if (is_mark(parser, '}')) /* of an outer brace: the group is broken */
            return STATUS_OK;
        if (parser->token.kind == TOKEN_VALUE) {
            code = parse_operand(parser, group, &inner);
        } else if (parser->token.kind == TOKEN_NAME || parser->token.kind == TOKEN_TYPE) {
            code = parse_type_word(parser);
        } else if (is_mark(parser, '(') || is_mark(parser, '[') || is_mark(parser, '{') || is_mark(parser, '<')) {
            code = skip_group_and_advance(parser);
        } else {
            code = advance(parser);
        }
    }
    return code == STATUS_OK ? advance(parser) : code;
}

static enum operand_group group_of(const struct operation *operation, struct text word)
{
    if (operation->kind == OPERATION_START && text_equals(word, "args"))
        return GROUP_ARGS;
    return text_equals(word, "program") ? GROUP_PLAIN : GROUP_OTHER;
}

/* ---- tokens at the level of operations --------------------------------------------------------------------------- */

/* %a, %b:2 - results when an = and an operation follow, else operands. */
static status parse_values(struct parser *parser)
{
    struct operation *operation = current(parser);
    size_t before = parser->builder->operand_count;
    status code = STATUS_OK;
    int next;

    forget_names(parser);
    while (parser->token.kind == TOKEN_VALUE) {
        code = keep_name(parser, parser->token.text);
        if (code == STATUS_OK && operation && operation_wants_operands(operation) && !operation->generic)
            code = builder_add_operand(
                parser->builder, builder_value(parser->builder, parser->token.text, parser->token.number), GROUP_PLAIN, 0);
        if (code == STATUS_OK)
            code = advance(parser);
        if (code == STATUS_OK && is_mark(parser, ':')) {
            code = scanner_peek(&parser->scanner, &next);
            if (code != STATUS_OK || next < '0' || next > '9')
                return code; /* a type follows */
            code = advance(parser);
            if (code == STATUS_OK)
                code = advance(parser);
        }
        if (code != STATUS_OK || !is_mark(parser, ','))
            break;
        code = advance(parser);
        if (code != STATUS_OK)
            break;
    }
    if (code != STATUS_OK || !is_mark(parser, '='))
        return code;
    code = advance(parser);
    if (code != STATUS_OK || (parser->token.kind != TOKEN_NAME && parser->token.kind != TOKEN_STRING))
        return code; /* %i = 0 to 10 of a loop */
    parser->builder->operand_count = before;
    code = begin_operation(parser, parser->token.text, parser->token.line, parser->token.column,
                           parser->token.kind == TOKEN_STRING, true);
    return code == STATUS_OK ? advance(parser) : code;
}

/* loc(...) belongs to the operation it follows. The current token is the (. */
static status parse_location(struct parser *parser)
{
    struct operation *operation = current(parser);
    struct token opener = parser->token;
    struct text inside;
    status code = skip_group(parser, &inside);

    if (code != STATUS_OK)
        return code;
    if (!inside.data)
        return status_fail_at(STATUS_INPUT, scanner_place(&parser->scanner, opener.line, opener.column),
                              "a location over %d bytes", (int)SCANNER_LONGEST);
    if (operation)
        code = aliases_keep(&parser->builder->aliases, inside, &operation->location);
    return code == STATUS_OK ? advance(parser) : code;
}

/* Words of torq_hw.dispatch_profiling and torq_hw.slice_profiling: memory : 2048 bytes, dedr(1152). */
static status parse_profile_word(struct parser *parser)
{
    struct operation *operation = current(parser);
    enum bus bus = value_bus(parser->token.text);
    status code;

    parser->number = -1;
    if (text_equals(parser->token.text, "memory"))
        parser->number = NUMBER_MEMORY;
    else if (text_equals(parser->token.text, "max_cycle") || text_equals(parser->token.text, "total_cycle"))
        parser->number = NUMBER_CYCLE;
    code = advance(parser);
    if (code != STATUS_OK || !is_mark(parser, '('))
        return code;
    if (bus == BUS_COUNT)
        return skip_group_and_advance(parser);
    code = advance(parser);
    if (code == STATUS_OK && !value_integer(parser->token.text, &operation->cycles[bus]))
        operation_lose(operation, LOSS_NUMBER);
    while (code == STATUS_OK && parser->token.kind == TOKEN_NUMBER)
        code = advance(parser);
    return code == STATUS_OK && is_mark(parser, ')') ? advance(parser) : code;
}

/* A word of the current operation: what matters is which group or type it stands in front of. */
static status parse_word(struct parser *parser)
{
    struct operation *operation = current(parser);
    enum operand_group group = operation ? group_of(operation, parser->token.text) : GROUP_OTHER;
    bool location = text_equals(parser->token.text, "loc");
    bool memory = text_equals(parser->token.text, "memref") || text_equals(parser->token.text, "tensor");
    status code;

    parser->after_to = text_equals(parser->token.text, "to");
    code = advance(parser);
    if (code != STATUS_OK)
        return code;
    if (is_mark(parser, '<'))
        return parse_type(parser, memory, false);
    if (!is_mark(parser, '('))
        return STATUS_OK;
    if (location)
        return parse_location(parser);
    return operation && operation_wants_operands(operation) ? parse_operands(parser, group) : STATUS_OK;
}

static status parse_name(struct parser *parser)
{
    struct operation *operation = current(parser);
    status code;

    if (names_operation(parser->token.text)) {
        code = begin_operation(parser, parser->token.text, parser->token.line, parser->token.column, false, false);
        return code == STATUS_OK ? advance(parser) : code;
    }
    if (operation && operation_wants_profile(operation) && !text_equals(parser->token.text, "loc"))
        return parse_profile_word(parser);
    return parse_word(parser);
}

/* A string: the name of a generic operation, or the first one in an operation, which is a program's name. */
static status parse_string(struct parser *parser, bool after_name)
{
    struct operation *operation = current(parser);
    struct token string = parser->token;
    bool dotted = string.text.length && memchr(string.text.data, '.', string.text.length);
    status code;

    forget_names(parser);
    code = keep_name(parser, string.text);
    if (code == STATUS_OK)
        code = advance(parser);
    if (code != STATUS_OK)
        return code;
    if (is_mark(parser, '(') && dotted && !after_name)
        return begin_operation(parser, name_at(parser, 0), string.line, string.column, true, false);
    if (operation && operation_has_title(operation) && !operation->title)
        return set_text(parser, &operation->title, name_at(parser, 0));
    if (operation && operation->kind == OPERATION_SLICE_PROFILING && !operation->memory_info)
        return set_text(parser, &operation->memory_info, name_at(parser, 0));
    return STATUS_OK;
}

static status parse_symbol(struct parser *parser)
{
    struct operation *operation = current(parser);
    status code = STATUS_OK;

    if (operation && operation->kind == OPERATION_FUNCTION && !operation->title)
        code = set_text(parser, &operation->title, parser->token.text);
    return code == STATUS_OK ? advance(parser) : code;
}

static status parse_number(struct parser *parser)
{
    struct operation *operation = current(parser);

    if (operation && operation_wants_profile(operation) && parser->number >= 0) {
        if (!value_integer(parser->token.text, &operation->numbers[parser->number]))
            operation_lose(operation, LOSS_NUMBER);
        parser->number = -1;
    }
    return advance(parser);
}

/* The arguments of a block, names only. The current token is the (. */
static status parse_block_arguments(struct parser *parser)
{
    struct token opener = parser->token;
    status code = advance(parser);

    while (code == STATUS_OK && !is_mark(parser, ')')) {
        if (parser->token.kind == TOKEN_END)
            return status_fail_at(STATUS_INPUT, scanner_place(&parser->scanner, opener.line, opener.column),
                                  "'(' is not closed");
        if (is_mark(parser, '}'))
            return STATUS_OK;
        if (is_mark(parser, '(') || is_mark(parser, '[') || is_mark(parser, '{') || is_mark(parser, '<')) {
            code = skip_group_and_advance(parser);
            continue;
        }
        if (parser->token.kind == TOKEN_VALUE)
            code = keep_name(parser, parser->token.text);
        if (code == STATUS_OK)
            code = advance(parser);
    }
    return code == STATUS_OK ? advance(parser) : code;
}

/* ^bb1(%a: type): the beginning of a block, or, without the colon, where an operation goes on. The label is the first name kept. */
static status begin_block(struct parser *parser)
{
    size_t count = parser->span_count - 1;
    struct text *names = memory_allocate((count + 1) * sizeof *names);
    status code;

    if (!names)
        return status_no_memory("reading a block");
    for (size_t i = 0; i < count; i++)
        names[i] = name_at(parser, i + 1);
    code = finish_operation(parser);
    if (code == STATUS_OK)
        code = builder_block(parser->builder, owner(parser), name_at(parser, 0), names, count);
    memory_free(names);
    return code == STATUS_OK ? advance(parser) : code;
}

static status parse_block(struct parser *parser, bool after_to)
{
    struct operation *operation = current(parser);
    status code;

    forget_names(parser);
    code = keep_name(parser, parser->token.text);
    if (code == STATUS_OK)
        code = advance(parser);
    if (code == STATUS_OK && is_mark(parser, '('))
        code = parse_block_arguments(parser);
    if (code != STATUS_OK)
        return code;
    if (is_mark(parser, ':') && !after_to)
        return begin_block(parser);
    if (operation && operation->kind == OPERATION_NEXT && !operation->successor)
        return set_text(parser, &operation->successor, name_at(parser, 0));
    return STATUS_OK;
}

/* #name = loc(...) defines an alias. Of other aliases only those that name a memory space matter. */
static status parse_alias(struct parser *parser)
{
    struct operation *operation = current(parser);
    bool profile = operation && operation_wants_profile(operation);
    struct text inside;
    enum memory_space space;
    bool location;
    status code;

    forget_names(parser);
    code = keep_name(parser, parser->token.text);
    if (code == STATUS_OK)
        code = advance(parser);
    if (code == STATUS_OK && profile && is_mark(parser, '<')) { /* #torq_hw<ndl_cycles dedr(1152) ...> */
        code = skip_group(parser, &inside);
        if (code == STATUS_OK && (!inside.data || !value_bus_cycles(inside, operation->cycles)))
            operation_lose(operation, LOSS_SYNTAX);
        return code == STATUS_OK ? advance(parser) : code;
    }
    if (code != STATUS_OK || !is_mark(parser, '='))
        return code;
    code = advance(parser);
    if (code != STATUS_OK || (parser->token.kind != TOKEN_NAME && parser->token.kind != TOKEN_ALIAS))
        return code;
    location = parser->token.kind == TOKEN_NAME && text_equals(parser->token.text, "loc");
    code = advance(parser);
    if (code != STATUS_OK || !is_mark(parser, location ? '(' : '<'))
        return code;
    code = skip_group(parser, &inside);
    if (code == STATUS_OK && inside.data && (location || value_space(inside, &space)))
        code = aliases_define(&parser->builder->aliases, parser->builder->section, name_at(parser, 0), inside);
    return code == STATUS_OK ? advance(parser) : code;
}

/* <{ properties }>, a type without its name as in `: <nss>`, or a comparison. */
static status parse_less(struct parser *parser)
{
    int next;
    status code = scanner_peek(&parser->scanner, &next);

    if (code != STATUS_OK || next == '=')
        return code == STATUS_OK ? advance(parser) : code;
    if (next != '{')
        return parse_type(parser, false, true);
    code = advance(parser);
    if (code == STATUS_OK)
        code = open_brace(parser);
    return code == STATUS_OK && is_mark(parser, '>') ? advance(parser) : code;
}

/* A ( that no word stands in front of: regions of the generic form, operands, or types. */
static status parse_parenthesis(struct parser *parser, bool after_name)
{
    struct operation *operation = current(parser);
    struct token opener = parser->token;
    bool plain;
    int next;
    status code = scanner_peek(&parser->scanner, &next);

    if (code != STATUS_OK)
        return code;
    if (next == '{') {
        code = push_frame(parser, FRAME_REGIONS, &opener);
        return code == STATUS_OK ? advance(parser) : code;
    }
    if (!operation || !(operation_wants_operands(operation) || operation_wants_memory(operation) || operation_wants_execution(operation)))
        return skip_group_and_advance(parser);
    plain = (operation->generic && after_name) || operation->kind == OPERATION_TASK;
    return parse_operands(parser, plain ? GROUP_PLAIN : GROUP_OTHER);
}

/* [^bb1] of a generic torq_hl.next; every other [ ... ] is skipped. */
static status parse_bracket(struct parser *parser)
{
    struct operation *operation = current(parser);
    status code;

    if (!operation || operation->kind != OPERATION_NEXT)
        return skip_group_and_advance(parser);
    code = advance(parser);
    if (code == STATUS_OK && parser->token.kind == TOKEN_BLOCK) {
        code = set_text(parser, &operation->successor, parser->token.text);
        if (code == STATUS_OK)
            code = advance(parser);
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
        if (top(parser)->kind == FRAME_REGIONS)
            parser->depth--;
        return advance(parser);
    default:
        return advance(parser);
    }
}

static status parse_token(struct parser *parser)
{
    bool after_name = parser->after_name, after_to = parser->after_to;

    parser->after_name = parser->after_to = false;
    if (top(parser)->kind == FRAME_REGIONS && parser->token.kind != TOKEN_MARK)
        return advance(parser);
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
        return parse_type_word(parser);
    case TOKEN_MARK:
        return parse_mark(parser, after_name);
    default:
        return advance(parser);
    }
}

static status parse_all(struct parser *parser)
{
    status code = memory_grow(&parser->frames, &parser->frame_capacity, 1, sizeof *parser->frames);

    if (code != STATUS_OK)
        return code;
    parser->frames[0] = (struct frame){ .kind = FRAME_FILE };
    code = advance(parser);
    while (code == STATUS_OK && parser->token.kind != TOKEN_END)
        code = parse_token(parser);
    if (code == STATUS_OK && parser->depth)
        return status_fail_at(STATUS_INPUT, scanner_place(&parser->scanner, top(parser)->line, top(parser)->column),
                              "'%c' is not closed: the file ends before its end",
                              top(parser)->kind == FRAME_REGIONS ? '(' : '{');
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
