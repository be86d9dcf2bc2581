/* location.c: a parser of printed locations that visits what they come down to, and two forms made from that. */
#include "torq/location.h"

#include <assert.h>

#include "base/number.h"
#include "base/text.h"

/* Locations nest through fused lists and call sites; a printed location deeper than this is not one of ours. */
enum { DEEPEST = 64 };

/* What a location comes down to, in printed order. */
enum leaf_kind { LEAF_PLACE, LEAF_NAME, LEAF_ALIAS, LEAF_UNKNOWN };

struct leaf {
    enum leaf_kind kind; /* what it is */
    struct text text;    /* file of a place, else the piece itself, without quotes */
    uint32_t line;       /* of a place */
    uint32_t column;     /* the same */
    bool caller;         /* inside the B of a callsite(A at B) */
};

typedef void (*leaf_visit)(void *context, const struct leaf *leaf);

struct parser {
    const char *next; /* first byte that was not taken */
    const char *end;  /* of the text */
    unsigned depth;   /* of nested locations */
    unsigned callers; /* how many B sides enclose this point */
    leaf_visit visit; /* is called for each leaf */
    void *context;    /* of `visit` */
};

static char closer_of(char opener)
{
    switch (opener) {
    case '(':
        return ')';
    case '[':
        return ']';
    case '{':
        return '}';
    default:
        return '>';
    }
}

/* The first byte after a quoted text whose opening quote is at `next`; NULL: not closed. */
static const char *skip_quoted(const char *next, const char *end)
{
    for (next++; next < end; next++) {
        if (*next == '\\' && next + 1 < end)
            next++;
        else if (*next == '"')
            return next + 1;
    }
    return NULL;
}

/* Close the innermost bracket if `closer` belongs to it. "<" is also an ordinary sign in attributes: one that was
 * never closed gives way to the bracket around it. */
static bool close_bracket(const char *stack, unsigned *depth, char closer)
{
    while (*depth > 0 && stack[*depth - 1] == '>')
        (*depth)--;
    if (*depth == 0 || stack[*depth - 1] != closer)
        return false;
    (*depth)--;
    return true;
}

/* The length of the balanced text that begins with the bracket at `data`; 0: not closed, or crossed. */
static size_t balanced_span(const char *data, const char *end)
{
    char stack[DEEPEST];
    unsigned depth = 0;
    const char *next = data;

    while (next < end) {
        char sign = *next;

        switch (sign) {
        case '"':
            next = skip_quoted(next, end);
            if (!next)
                return 0;
            continue;
        case '(':
        case '[':
        case '{':
        case '<':
            if (depth == DEEPEST)
                return 0;
            stack[depth++] = closer_of(sign);
            break;
        case '>':
            assert(depth > 0); /* the text begins with a bracket */
            if (stack[depth - 1] == '>' && next[-1] != '-')
                depth--;
            break;
        case ')':
        case ']':
        case '}':
            if (!close_bracket(stack, &depth, sign))
                return 0;
            break;
        default:
            break;
        }
        next++;
        if (depth == 0)
            return (size_t)(next - data);
    }
    return 0;
}

size_t location_span(const char *data, size_t length)
{
    size_t span;

    if (length < 5 || !text_begins((struct text){ data, length }, "loc("))
        return 0;
    span = balanced_span(data + 3, data + length);
    return span ? span + 3 : 0;
}

static void skip_blanks(struct parser *parser)
{
    while (parser->next < parser->end && char_is_blank(*parser->next))
        parser->next++;
}

static bool take_sign(struct parser *parser, char sign)
{
    skip_blanks(parser);
    if (parser->next == parser->end || *parser->next != sign)
        return false;
    parser->next++;
    return true;
}

static bool is_word_sign(char sign)
{
    return char_is_letter(sign) || char_is_digit(sign) || sign == '_';
}

static bool take_word(struct parser *parser, const char *word)
{
    size_t length = strlen(word);

    skip_blanks(parser);
    if (!text_begins(text_between(parser->next, parser->end), word))
        return false;
    if (parser->next + length < parser->end && is_word_sign(parser->next[length]))
        return false;
    parser->next += length;
    return true;
}

static bool take_number(struct parser *parser, uint32_t *value)
{
    const char *next = parser->next;
    uint64_t number;

    if (!number_read_unsigned(&next, parser->end, &number) || number > UINT32_MAX)
        return false;
    parser->next = next;
    *value = (uint32_t)number;
    return true;
}

static void visit_leaf(struct parser *parser, enum leaf_kind kind, struct text text, uint32_t line, uint32_t column)
{
    struct leaf leaf = { kind, text, line, column, parser->callers > 0 };

    parser->visit(parser->context, &leaf);
}

static bool parse_location(struct parser *parser);

/* The rest of "file":line:column [to [line]:column], from the first colon. */
static bool parse_place(struct parser *parser, struct text file)
{
    uint32_t line, column, ignored;

    parser->next++;
    if (!take_number(parser, &line) || !take_sign(parser, ':') || !take_number(parser, &column))
        return false;
    if (take_word(parser, "to")) {
        skip_blanks(parser);
        take_number(parser, &ignored);
        if (!take_sign(parser, ':') || !take_number(parser, &ignored))
            return false;
    }
    visit_leaf(parser, LEAF_PLACE, file, line, column);
    return true;
}

/* A name says more than an unknown child, and less than a known one. */
static bool parse_named(struct parser *parser, struct text name)
{
    if (!take_sign(parser, '(')) {
        visit_leaf(parser, LEAF_NAME, name, 0, 0);
        return true;
    }
    if (take_word(parser, "unknown") || take_sign(parser, '?'))
        visit_leaf(parser, LEAF_NAME, name, 0, 0);
    else if (!parse_location(parser))
        return false;
    return take_sign(parser, ')');
}

static bool parse_quoted(struct parser *parser)
{
    const char *start = parser->next + 1;
    const char *after = skip_quoted(parser->next, parser->end);
    struct text text;

    if (!after)
        return false;
    text = (struct text){ start, (size_t)(after - 1 - start) };
    parser->next = after;
    if (after < parser->end && *after == ':')
        return parse_place(parser, text);
    return parse_named(parser, text);
}

static bool parse_callsite(struct parser *parser)
{
    bool closed;

    if (!take_sign(parser, '(') || !parse_location(parser) || !take_word(parser, "at"))
        return false;
    parser->callers++;
    closed = parse_location(parser) && take_sign(parser, ')');
    parser->callers--;
    return closed;
}

static bool parse_fused(struct parser *parser)
{
    skip_blanks(parser);
    if (parser->next < parser->end && *parser->next == '<') {
        size_t meta = balanced_span(parser->next, parser->end);

        if (!meta)
            return false;
        parser->next += meta;
    }
    if (!take_sign(parser, '['))
        return false;
    if (take_sign(parser, ']'))
        return true;
    do {
        if (!parse_location(parser))
            return false;
    } while (take_sign(parser, ','));
    return take_sign(parser, ']');
}

static bool parse_alias(struct parser *parser)
{
    const char *start = parser->next++;

    while (parser->next < parser->end && is_word_sign(*parser->next))
        parser->next++;
    visit_leaf(parser, LEAF_ALIAS, (struct text){ start, (size_t)(parser->next - start) }, 0, 0);
    return parser->next - start > 1;
}

static bool parse_form(struct parser *parser)
{
    skip_blanks(parser);
    if (parser->next == parser->end)
        return false;
    if (*parser->next == '"')
        return parse_quoted(parser);
    if (*parser->next == '#')
        return parse_alias(parser);
    if (take_word(parser, "callsite"))
        return parse_callsite(parser);
    if (take_word(parser, "fused"))
        return parse_fused(parser);
    if (take_word(parser, "loc"))
        return take_sign(parser, '(') && parse_location(parser) && take_sign(parser, ')');
    if (take_word(parser, "unknown") || take_sign(parser, '?')) {
        visit_leaf(parser, LEAF_UNKNOWN, (struct text){ "unknown", 7 }, 0, 0);
        return true;
    }
    return false;
}

static bool parse_location(struct parser *parser)
{
    bool understood;

    if (parser->depth == DEEPEST)
        return false;
    parser->depth++;
    understood = parse_form(parser);
    parser->depth--;
    return understood;
}

/* path:line:column without quotes, as documents and hand-made files write it. */
static bool parse_bare_place(struct text text, leaf_visit visit, void *context)
{
    const char *colons[2] = { NULL, NULL };
    struct parser parser = { .end = text.data + text.length };
    struct leaf leaf = { .kind = LEAF_PLACE };

    if (text_first(text, '"') || text_first(text, '('))
        return false;
    colons[1] = text_last(text, ':');
    if (colons[1])
        colons[0] = text_last(text_between(text.data, colons[1]), ':');
    if (!colons[0] || colons[0] == text.data)
        return false;
    parser.next = colons[0] + 1;
    if (!take_number(&parser, &leaf.line) || parser.next != colons[1])
        return false;
    parser.next++;
    if (!take_number(&parser, &leaf.column) || parser.next != parser.end)
        return false;
    leaf.text = (struct text){ text.data, (size_t)(colons[0] - text.data) };
    visit(context, &leaf);
    return true;
}

/* Visits what the text comes down to; false when the grammar was not met (what came before it was visited too). */
static bool visit_leaves(struct text text, leaf_visit visit, void *context)
{
    struct parser parser = { .next = text.data, .end = text.data + text.length, .visit = visit, .context = context };

    if (parse_bare_place(text, visit, context))
        return true;
    if (!parse_location(&parser))
        return false;
    skip_blanks(&parser);
    return parser.next == parser.end;
}

struct collection {
    struct location *location; /* that is filled */
    bool known;                /* something other than unknown was met */
};

static void collect_leaf(void *context, const struct leaf *leaf)
{
    struct collection *collection = context;
    struct location *location = collection->location;

    if (leaf->kind != LEAF_UNKNOWN)
        collection->known = true;
    if (leaf->kind != LEAF_PLACE)
        return;
    if (location->count < LOCATION_PLACES)
        location->places[location->count] =
            (struct location_place){ leaf->text, leaf->line, leaf->column, leaf->caller };
    if (location->count < UINT32_MAX)
        location->count++;
}

void location_parse(const char *data, size_t length, struct location *location)
{
    struct text text = text_trim((struct text){ data, length });
    struct collection collection = { location, false };

    location->count = 0;
    if (text.length == 0) {
        location->valid = true;
        location->unknown = true;
        return;
    }
    location->valid = visit_leaves(text, collect_leaf, &collection);
    location->unknown = location->valid && !collection.known;
}

/* A text that is cut where its room ends. */
struct writing {
    char *to;      /* where the text goes */
    size_t size;   /* with room for the NUL */
    size_t length; /* so far */
    bool cut;      /* something did not fit */
};

static void write_bytes(struct writing *writing, const char *data, size_t length)
{
    size_t room = writing->size - 1 - writing->length;

    if (length > room) {
        length = room;
        writing->cut = true;
    }
    if (length)
        memcpy(writing->to + writing->length, data, length);
    writing->length += length;
}

static void write_text(struct writing *writing, const char *text)
{
    write_bytes(writing, text, strlen(text));
}

static void write_number(struct writing *writing, uint32_t number)
{
    char digits[20];

    write_bytes(writing, digits, number_write_unsigned(digits, number));
}

/* Ends the text; a character that was cut in half goes. */
static size_t write_end(struct writing *writing)
{
    size_t last = writing->length;

    if (writing->cut) {
        while (last > 0 && ((unsigned char)writing->to[last - 1] & 0xC0) == 0x80)
            last--;
        if (last > 0 && (unsigned char)writing->to[last - 1] >= 0xC0) {
            unsigned char lead = (unsigned char)writing->to[last - 1];
            size_t needed = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;

            if (writing->length - (last - 1) < needed)
                writing->length = last - 1;
        }
    }
    writing->to[writing->length] = '\0';
    return writing->length;
}

struct drawing {
    struct writing writing; /* the text */
    uint32_t parts;         /* that were met so far */
};

static void pretty_leaf(void *context, const struct leaf *leaf)
{
    struct drawing *drawing = context;
    struct writing *writing = &drawing->writing;

    if (leaf->caller)
        return;
    if (drawing->parts++)
        write_text(writing, "+");
    switch (leaf->kind) {
    case LEAF_PLACE:
        write_text(writing, "@L");
        write_number(writing, leaf->line);
        write_text(writing, "C");
        write_number(writing, leaf->column);
        break;
    case LEAF_NAME:
        write_bytes(writing, leaf->text.data, leaf->text.length);
        break;
    case LEAF_ALIAS:
    case LEAF_UNKNOWN:
        write_text(writing, "loc(");
        write_bytes(writing, leaf->text.data, leaf->text.length);
        write_text(writing, ")");
        break;
    }
}

size_t location_pretty(const char *data, size_t length, char *to, size_t size)
{
    struct text text = text_trim((struct text){ data, length });
    struct drawing drawing = { .writing = { .to = to, .size = size } };
    struct location location;

    assert(to || !size);
    if (size == 0)
        return 0;
    location_parse(text.data, text.length, &location);
    if (text.length > 0 && location.valid && !location.unknown)
        visit_leaves(text, pretty_leaf, &drawing);
    if (drawing.parts == 0)
        write_bytes(&drawing.writing, text.data, text.length);
    return write_end(&drawing.writing);
}

static bool is_escape_digit(char sign)
{
    return char_is_digit(sign) || (sign >= 'A' && sign <= 'F');
}

/* How long the escape of a byte is that stands at `at`: a quote behind a backslash, or two digits; 0: none. */
static size_t escape_length(struct text path, size_t at)
{
    size_t left = path.length - at;

    if (path.data[at] != '\\' || left < 2 || (at > 0 && path.data[at - 1] == '\\'))
        return 0;
    if (path.data[at + 1] == '"')
        return 2;
    return left >= 3 && is_escape_digit(path.data[at + 1]) && is_escape_digit(path.data[at + 2]) ? 3 : 0;
}

struct text location_file(struct text path)
{
    size_t start = path.length;

    while (start > 0 && path.data[start - 1] != '/' && (path.data[start - 1] != '\\' || escape_length(path, start - 1)))
        start--;
    return (struct text){ path.data + start, path.length - start };
}

enum { SHORT_PARTS = 3 };

/* Quotes without what escapes them; other escapes may hide anything, and stay. */
static void write_file(struct writing *writing, struct text file)
{
    for (size_t i = 0; i < file.length; i++) {
        size_t length = escape_length(file, i);
        bool quote = length == 2 || (length == 3 && file.data[i + 1] == '2' && file.data[i + 2] == '2');

        write_bytes(writing, quote ? "\"" : file.data + i, 1);
        i += quote ? length - 1 : 0;
    }
}

static void short_leaf(void *context, const struct leaf *leaf)
{
    struct drawing *drawing = context;
    struct writing *writing = &drawing->writing;

    if (leaf->caller || leaf->kind == LEAF_UNKNOWN || drawing->parts++ >= SHORT_PARTS)
        return;
    if (drawing->parts > 1)
        write_text(writing, " + ");
    if (leaf->kind != LEAF_PLACE) {
        write_bytes(writing, leaf->text.data, leaf->text.length);
    } else {
        write_file(writing, location_file(leaf->text));
        write_text(writing, ":");
        write_number(writing, leaf->line);
        write_text(writing, ":");
        write_number(writing, leaf->column);
    }
}

/* A text that is no location we know: without its wrapping and quotes, and only the last part of a path. */
static void short_remainder(struct writing *writing, struct text text)
{
    if (text_cut_start(&text, "loc("))
        while (text_cut_end(&text, ")"))
            continue;
    text = location_file(text);
    for (size_t i = 0; i < text.length; i++) {
        if (text.data[i] != '"')
            write_bytes(writing, text.data + i, 1);
    }
}

size_t location_short(const char *data, size_t length, char *to, size_t size)
{
    struct text text = text_trim((struct text){ data, length });
    struct drawing drawing = { .writing = { .to = to, .size = size } };
    struct writing *writing = &drawing.writing;

    assert(to || !size);
    if (size == 0)
        return 0;
    if (text.length > 0)
        visit_leaves(text, short_leaf, &drawing);
    if (drawing.parts == 0)
        short_remainder(writing, text);
    if (drawing.parts > SHORT_PARTS) {
        write_text(writing, " (+");
        write_number(writing, drawing.parts - SHORT_PARTS);
        write_text(writing, " more)");
    }
    return write_end(writing);
}
