/* mlir_scan.c: finds brackets, quotes and line ends sixteen bytes at a time, and cuts the text into tokens. */
#include "torq/mlir_scan.h"

#include <assert.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/memory.h"
#include "base/number.h"

enum { FIRST_CAPACITY = 256 * 1024, LEAST_CAPACITY = 16 * 1024, NO_BYTE = -1 };

#define KEEP_NOTHING SIZE_MAX

/* ---- finding bytes ----------------------------------------------------------------------------------------------- */

static bool is_bracket(char byte)
{
    switch (byte) {
    case '"':
    case '(':
    case ')':
    case '[':
    case ']':
    case '{':
    case '}':
    case '<':
    case '>':
    case '/':
    case '\n':
        return true;
    default:
        return false;
    }
}

const char *scan_find_bracket_plain(const char *data, const char *end)
{
    assert(data <= end);
    while (data < end && !is_bracket(*data))
        data++;
    return data;
}

const char *scan_find_quote_plain(const char *data, const char *end)
{
    assert(data <= end);
    while (data < end && *data != '"' && *data != '\\' && *data != '\n')
        data++;
    return data;
}

#if defined(__SSE2__)

/* Pairs of delimiters differ in one bit: setting it leaves one comparison for both. */
static __m128i equals(__m128i bytes, char set, char wanted)
{
    return _mm_cmpeq_epi8(_mm_or_si128(bytes, _mm_set1_epi8(set)), _mm_set1_epi8(wanted));
}

const char *scan_find_bracket(const char *data, const char *end)
{
    while (end - data >= 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)data);
        __m128i curly = _mm_or_si128(equals(bytes, 0x20, '{'), equals(bytes, 0x20, '}')); /* [ ] too */
        __m128i round = _mm_or_si128(equals(bytes, 0x01, ')'), equals(bytes, 0x02, '>')); /* ( < too */
        __m128i other =
            _mm_or_si128(equals(bytes, 0, '"'), _mm_or_si128(equals(bytes, 0, '/'), equals(bytes, 0, '\n')));
        int found = _mm_movemask_epi8(_mm_or_si128(curly, _mm_or_si128(round, other)));

        if (found)
            return data + __builtin_ctz((unsigned)found);
        data += 16;
    }
    return scan_find_bracket_plain(data, end);
}

const char *scan_find_quote(const char *data, const char *end)
{
    while (end - data >= 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)data);
        __m128i any = _mm_or_si128(equals(bytes, 0, '"'), _mm_or_si128(equals(bytes, 0, '\\'), equals(bytes, 0, '\n')));
        int found = _mm_movemask_epi8(any);

        if (found)
            return data + __builtin_ctz((unsigned)found);
        data += 16;
    }
    return scan_find_quote_plain(data, end);
}

#else

const char *scan_find_bracket(const char *data, const char *end)
{
    return scan_find_bracket_plain(data, end);
}

const char *scan_find_quote(const char *data, const char *end)
{
    return scan_find_quote_plain(data, end);
}

#endif

/* ---- the buffer -------------------------------------------------------------------------------------------------- */

status scanner_open(struct scanner *scanner, struct input *input, struct progress *progress)
{
    uint64_t size = input_size(input);

    assert(input);
    /* Small inputs need no large buffer; what is packed may be longer than the file says. */
    *scanner = (struct scanner){ .input = input, .progress = progress, .keep = KEEP_NOTHING, .line = 1 };
    scanner->capacity =
        size && size < (FIRST_CAPACITY - LEAST_CAPACITY) / 4 ? (size_t)size * 4 + LEAST_CAPACITY : FIRST_CAPACITY;
    scanner->buffer = memory_allocate(scanner->capacity);
    return scanner->buffer ? STATUS_OK : status_no_memory("reading MLIR text");
}

void scanner_close(struct scanner *scanner)
{
    memory_free(scanner->buffer);
    scanner->buffer = NULL;
}

struct place scanner_place(const struct scanner *scanner, uint64_t line, uint64_t column)
{
    return (struct place){ input_name(scanner->input), line, column };
}

static uint64_t column_here(const struct scanner *scanner)
{
    return scanner->base + scanner->next - scanner->line_start + 1;
}

static void keep_from_here(struct scanner *scanner)
{
    scanner->keep = scanner->next;
    scanner->dropped = false;
}

/* Make room at the end of the buffer: throw away what was taken and need not stay, or let the buffer grow. */
static status make_room(struct scanner *scanner)
{
    size_t first;

    if (scanner->keep != KEEP_NOTHING && scanner->next - scanner->keep > SCANNER_LONGEST) {
        scanner->keep = KEEP_NOTHING;
        scanner->dropped = true;
    }
    first = scanner->keep != KEEP_NOTHING ? scanner->keep : scanner->next;
    if (first == 0)
        return memory_grow(&scanner->buffer, &scanner->capacity, scanner->capacity + 1, 1);
    scanner->previous = scanner->buffer[first - 1];
    memmove(scanner->buffer, scanner->buffer + first, scanner->end - first);
    scanner->base += first;
    scanner->next -= first;
    scanner->end -= first;
    if (scanner->keep != KEEP_NOTHING)
        scanner->keep = 0;
    return STATUS_OK;
}

/* More bytes behind `end`; sets `ended` when there are none. */
static status refill(struct scanner *scanner)
{
    size_t got = 0;
    status code = scanner->end == scanner->capacity ? make_room(scanner) : STATUS_OK;

    if (code != STATUS_OK || scanner->ended)
        return code;
    code = input_read(scanner->input, scanner->buffer + scanner->end, scanner->capacity - scanner->end, &got);
    if (code != STATUS_OK)
        return code;
    scanner->end += got;
    scanner->ended = got == 0;
    if (scanner->progress)
        progress_update(scanner->progress, input_consumed(scanner->input));
    return STATUS_OK;
}

/* Make `*byte` the byte `ahead` of `next`, or NO_BYTE. */
static status look(struct scanner *scanner, size_t ahead, int *byte)
{
    while (scanner->end - scanner->next <= ahead && !scanner->ended) {
        status code = refill(scanner);

        if (code != STATUS_OK)
            return code;
    }
    *byte = scanner->end - scanner->next > ahead ? (unsigned char)scanner->buffer[scanner->next + ahead] : NO_BYTE;
    return STATUS_OK;
}

/* The byte before `next`. */
static char look_back(const struct scanner *scanner)
{
    return scanner->next ? scanner->buffer[scanner->next - 1] : scanner->previous;
}

static void take_line_end(struct scanner *scanner)
{
    scanner->next++;
    scanner->line++;
    scanner->line_start = scanner->base + scanner->next;
}

/* Past a comment, up to its line end. Dumps of several passes in one file are parted by `// -----`. */
static status skip_comment(struct scanner *scanner)
{
    static const char mark[] = "// -----";
    size_t matched = 0;
    int byte;
    status code;

    while (mark[matched]) {
        code = look(scanner, matched, &byte);
        if (code != STATUS_OK)
            return code;
        if (byte != mark[matched])
            break;
        matched++;
    }
    scanner->section += !mark[matched];
    for (;;) {
        const char *from = scanner->buffer + scanner->next;
        const char *found = memchr(from, '\n', scanner->end - scanner->next);

        scanner->next = found ? (size_t)(found - scanner->buffer) : scanner->end;
        if (found || scanner->ended)
            return STATUS_OK;
        code = refill(scanner);
        if (code != STATUS_OK)
            return code;
    }
}

/* Past blanks and comments. */
static status skip_blanks(struct scanner *scanner)
{
    for (;;) {
        int byte, second;
        status code;

        while (scanner->next < scanner->end) {
            char here = scanner->buffer[scanner->next];

            if (here == '\n')
                take_line_end(scanner);
            else if (here == ' ' || here == '\t' || here == '\r')
                scanner->next++;
            else
                break;
        }
        code = look(scanner, 0, &byte);
        if (code != STATUS_OK || byte == NO_BYTE)
            return code;
        if (byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n')
            continue;
        if (byte != '/')
            return STATUS_OK;
        code = look(scanner, 1, &second);
        if (code != STATUS_OK || second != '/')
            return code;
        code = skip_comment(scanner);
        if (code != STATUS_OK)
            return code;
    }
}

/* ---- tokens ------------------------------------------------------------------------------------------------------ */

enum { CLASS_LETTER = 1, CLASS_DIGIT = 2, CLASS_DOT = 4, CLASS_DASH = 8 };

static unsigned class_of(unsigned char byte)
{
    if ((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' || byte == '$')
        return CLASS_LETTER;
    if (byte >= '0' && byte <= '9')
        return CLASS_DIGIT;
    if (byte == '.')
        return CLASS_DOT;
    return byte == '-' ? CLASS_DASH : 0;
}

/* Take bytes while they are of one of `classes`. */
static status take_while(struct scanner *scanner, unsigned classes)
{
    for (;;) {
        status code;

        while (scanner->next < scanner->end) {
            if (!(class_of((unsigned char)scanner->buffer[scanner->next]) & classes))
                return STATUS_OK;
            scanner->next++;
        }
        if (scanner->ended)
            return STATUS_OK;
        code = refill(scanner);
        if (code != STATUS_OK)
            return code;
    }
}

/* Past the closing quote of a string; `next` is behind the opening one. */
static status take_string(struct scanner *scanner, uint64_t line, uint64_t column)
{
    for (;;) {
        const char *end = scanner->buffer + scanner->end;
        const char *found = scan_find_quote(scanner->buffer + scanner->next, end);
        int byte;
        status code;

        scanner->next = (size_t)(found - scanner->buffer);
        code = look(scanner, 0, &byte);
        if (code != STATUS_OK)
            return code;
        if (byte == NO_BYTE || byte == '\n')
            return status_fail_at(STATUS_INPUT, scanner_place(scanner, line, column), "a string that is not closed");
        scanner->next += byte == '"' || byte == '\\';
        if (byte == '"')
            return STATUS_OK;
        if (byte != '\\')
            continue; /* the look brought new bytes: search them */
        code = look(scanner, 0, &byte);
        if (code != STATUS_OK)
            return code;
        scanner->next += byte != NO_BYTE && byte != '\n';
    }
}

/* The text kept since keep_from_here() + skip, less `cut` bytes at its end. */
static status finish_text(struct scanner *scanner, struct token *token, size_t skip, size_t cut)
{
    size_t length = scanner->keep == KEEP_NOTHING ? SIZE_MAX : scanner->next - scanner->keep;

    if (length > SCANNER_LONGEST + 2)
        return status_fail_at(STATUS_INPUT, scanner_place(scanner, token->line, token->column),
                              "a name or string over %d bytes", (int)SCANNER_LONGEST);
    token->text = (struct text){ scanner->buffer + scanner->keep + skip, length - skip - cut };
    scanner->keep = KEEP_NOTHING;
    return STATUS_OK;
}

static status next_string(struct scanner *scanner, struct token *token)
{
    status code;

    scanner->next++;
    code = take_string(scanner, token->line, token->column);
    return code == STATUS_OK ? finish_text(scanner, token, 1, 1) : code;
}

/* @name or @"name" */
static status next_symbol(struct scanner *scanner, struct token *token)
{
    int byte;
    status code;

    scanner->next++;
    code = look(scanner, 0, &byte);
    if (code != STATUS_OK)
        return code;
    if (byte == '"') {
        keep_from_here(scanner);
        return next_string(scanner, token);
    }
    code = take_while(scanner, CLASS_LETTER | CLASS_DIGIT | CLASS_DOT);
    return code == STATUS_OK ? finish_text(scanner, token, 1, 0) : code;
}

/* %name#2: the text is cut before the #. */
static status next_value(struct scanner *scanner, struct token *token)
{
    size_t suffix = 0; /* bytes of #2 */
    int byte, digit;
    status code;

    scanner->next++;
    code = take_while(scanner, CLASS_LETTER | CLASS_DIGIT | CLASS_DOT | CLASS_DASH);
    if (code == STATUS_OK)
        code = look(scanner, 1, &digit);
    if (code == STATUS_OK)
        code = look(scanner, 0, &byte);
    if (code != STATUS_OK)
        return code;
    if (byte == '#' && digit >= '0' && digit <= '9') {
        const char *cursor;
        uint64_t number;
        size_t name = scanner->next - scanner->keep;

        scanner->next++;
        code = take_while(scanner, CLASS_DIGIT);
        if (code != STATUS_OK)
            return code;
        if (scanner->keep != KEEP_NOTHING) {
            suffix = scanner->next - scanner->keep - name;
            cursor = scanner->buffer + scanner->keep + name + 1;
            token->number =
                number_read_unsigned(&cursor, scanner->buffer + scanner->next, &number) && number < UINT32_MAX
                    ? (uint32_t)number
                    : UINT32_MAX;
        }
    }
    return finish_text(scanner, token, 1, suffix);
}

/* A name, or a number with whatever letters and dots belong to it: 0x2A, 1.5e3, and the 256xi8 of a shape. A sign
 * inside an exponent is left out: nobody asks for such numbers. */
static status next_plain(struct scanner *scanner, struct token *token)
{
    status code = take_while(scanner, CLASS_LETTER | CLASS_DIGIT | CLASS_DOT);

    return code == STATUS_OK ? finish_text(scanner, token, 0, 0) : code;
}

static status next_prefixed(struct scanner *scanner, struct token *token, unsigned classes)
{
    status code;

    scanner->next++;
    code = take_while(scanner, classes);
    return code == STATUS_OK ? finish_text(scanner, token, 1, 0) : code;
}

static status next_mark(struct scanner *scanner, struct token *token, char byte)
{
    int second = NO_BYTE;
    status code = byte == '-' ? look(scanner, 1, &second) : STATUS_OK;

    if (code != STATUS_OK)
        return code;
    token->kind = second == '>' ? TOKEN_ARROW : TOKEN_MARK;
    token->mark = second == '>' ? 0 : byte;
    scanner->next += second == '>' ? 2 : 1;
    return finish_text(scanner, token, 0, 0);
}

static status skip_byte_order_mark(struct scanner *scanner)
{
    static const unsigned char mark[] = { 0xEF, 0xBB, 0xBF };
    size_t i;

    if (scanner->base + scanner->next)
        return STATUS_OK;
    for (i = 0; i < sizeof mark; i++) {
        int byte;
        status code = look(scanner, i, &byte);

        if (code != STATUS_OK || byte != mark[i])
            return code;
    }
    scanner->next += sizeof mark;
    return STATUS_OK;
}

/* The kind of token that begins with `byte`; `second` follows it. */
static enum token_kind kind_of(int byte, int second)
{
    bool named = second != NO_BYTE && class_of((unsigned char)second) & (CLASS_LETTER | CLASS_DIGIT);

    switch (byte) {
    case '"':
        return TOKEN_STRING;
    case '%':
        return TOKEN_VALUE;
    case '^':
        return TOKEN_BLOCK;
    case '@':
        return TOKEN_SYMBOL;
    case '#':
        return named ? TOKEN_ALIAS : TOKEN_MARK;
    case '!':
        return named ? TOKEN_TYPE : TOKEN_MARK;
    default:
        switch (class_of((unsigned char)byte)) {
        case CLASS_LETTER:
            return TOKEN_NAME;
        case CLASS_DIGIT:
            return TOKEN_NUMBER;
        default:
            return TOKEN_MARK;
        }
    }
}

status scanner_next(struct scanner *scanner, struct token *token)
{
    int byte, second = NO_BYTE;
    status code = skip_byte_order_mark(scanner);

    *token = (struct token){ .kind = TOKEN_END, .text = { "", 0 } };
    if (code == STATUS_OK)
        code = skip_blanks(scanner);
    token->line = scanner->line;
    token->column = column_here(scanner);
    if (code == STATUS_OK)
        code = look(scanner, 0, &byte);
    if (code != STATUS_OK || byte == NO_BYTE)
        return code;
    if (byte == '#' || byte == '!')
        code = look(scanner, 1, &second);
    if (code != STATUS_OK)
        return code;
    keep_from_here(scanner);
    token->kind = kind_of(byte, second);
    switch (token->kind) {
    case TOKEN_STRING:
        return next_string(scanner, token);
    case TOKEN_SYMBOL:
        return next_symbol(scanner, token);
    case TOKEN_VALUE:
        return next_value(scanner, token);
    case TOKEN_BLOCK:
        return next_prefixed(scanner, token, CLASS_LETTER | CLASS_DIGIT | CLASS_DOT | CLASS_DASH);
    case TOKEN_ALIAS:
    case TOKEN_TYPE:
        return next_prefixed(scanner, token, CLASS_LETTER | CLASS_DIGIT | CLASS_DOT);
    case TOKEN_NAME:
    case TOKEN_NUMBER:
        return next_plain(scanner, token);
    default:
        return next_mark(scanner, token, (char)byte);
    }
}

status scanner_peek(struct scanner *scanner, int *byte)
{
    status code = skip_blanks(scanner);

    return code == STATUS_OK ? look(scanner, 0, byte) : code;
}

status scanner_behind(struct scanner *scanner, int *byte)
{
    return look(scanner, 0, byte);
}

/* ---- skipping ---------------------------------------------------------------------------------------------------- */

/* The brackets that are open inside a skipped group. */
struct nesting {
    size_t depth;               /* of brackets */
    size_t counts[4];           /* how many of the open ones are { ( [ < */
    char open[SCANNER_DEEPEST]; /* those brackets */
};

static size_t kind_index(char opener)
{
    switch (opener) {
    case '{':
        return 0;
    case '(':
        return 1;
    case '[':
        return 2;
    default:
        return 3;
    }
}

static status push(struct scanner *scanner, struct nesting *nesting, char opener)
{
    if (nesting->depth == SCANNER_DEEPEST)
        return status_fail_at(STATUS_INPUT, scanner_place(scanner, scanner->line, column_here(scanner)),
                              "brackets nested deeper than %d", (int)SCANNER_DEEPEST);
    nesting->open[nesting->depth++] = opener;
    nesting->counts[kind_index(opener)]++;
    return STATUS_OK;
}

/* Close the innermost `opener` and whatever was left open inside it; false when there is none. */
static bool pop(struct nesting *nesting, char opener)
{
    if (!nesting->counts[kind_index(opener)])
        return false;
    for (;;) {
        char closed = nesting->open[--nesting->depth];

        nesting->counts[kind_index(closed)]--;
        if (closed == opener)
            return true;
    }
}

/* A < that opens a bracket, and not a comparison: in front of a blank or an = it does not. */
static status take_less(struct scanner *scanner, struct nesting *nesting)
{
    int second;
    status code = look(scanner, 1, &second);

    if (code == STATUS_OK && second != NO_BYTE && !strchr("= \t\r\n", second))
        code = push(scanner, nesting, '<');
    scanner->next++;
    return code;
}

/* A > closes only a < that is the innermost bracket, and never after a dash. */
static void take_greater(struct scanner *scanner, struct nesting *nesting)
{
    if (look_back(scanner) != '-' && nesting->depth && nesting->open[nesting->depth - 1] == '<')
        pop(nesting, '<');
    scanner->next++;
}

static status take_slash(struct scanner *scanner)
{
    int second;
    status code = look(scanner, 1, &second);

    if (code != STATUS_OK || second == '/')
        return code == STATUS_OK ? skip_comment(scanner) : code;
    scanner->next++;
    return STATUS_OK;
}

/* Take the delimiter `byte` at `next`. `*outer` becomes true, and nothing is taken, at a } that was opened outside. */
static status take_delimiter(struct scanner *scanner, struct nesting *nesting, char byte, bool *outer)
{
    uint64_t column = column_here(scanner);
    status code = STATUS_OK;

    switch (byte) {
    case '\n':
        take_line_end(scanner);
        return STATUS_OK;
    case '"':
        scanner->next++;
        return take_string(scanner, scanner->line, column);
    case '/':
        return take_slash(scanner);
    case '<':
        return take_less(scanner, nesting);
    case '>':
        take_greater(scanner, nesting);
        return STATUS_OK;
    case '(':
    case '[':
    case '{':
        code = push(scanner, nesting, byte);
        break;
    case ')':
        pop(nesting, '(');
        break;
    case ']':
        pop(nesting, '[');
        break;
    default:
        *outer = !pop(nesting, '{');
        break;
    }
    scanner->next += !*outer;
    return code;
}

/* At depth 0 of a value a comma ends it, so that the search must stop there too. */
static const char *find_in_value(const char *data, const char *end)
{
    while (data < end && *data != ',' && !is_bracket(*data))
        data++;
    return data;
}

/* Skip until the nesting is empty (a group), or until a comma or an outer } at depth 0 (a value). */
static status skip_nested(struct scanner *scanner, struct nesting *nesting, bool value, const struct token *from)
{
    bool outer = false;

    do {
        const char *data = scanner->buffer + scanner->next;
        const char *end = scanner->buffer + scanner->end;
        const char *found = nesting->depth ? scan_find_bracket(data, end) : find_in_value(data, end);
        int byte;
        status code;

        scanner->next = (size_t)(found - scanner->buffer);
        code = look(scanner, 0, &byte);
        if (code != STATUS_OK)
            return code;
        if (byte == NO_BYTE)
            return status_fail_at(STATUS_INPUT, scanner_place(scanner, from->line, from->column),
                                  "'%.*s' is not closed", (int)(from->text.length < 40 ? from->text.length : 40),
                                  from->text.data);
        if (byte == ',' && !nesting->depth)
            return STATUS_OK;
        if (!is_bracket((char)byte))
            continue; /* the look brought new bytes: search them */
        code = take_delimiter(scanner, nesting, (char)byte, &outer);
        if (code != STATUS_OK)
            return code;
    } while (!outer && (value || nesting->depth));
    return STATUS_OK;
}

/* What was kept since keep_from_here(), up to `next`. */
static struct text kept_text(struct scanner *scanner)
{
    struct text kept = { NULL, 0 };

    if (scanner->keep != KEEP_NOTHING && scanner->next - scanner->keep <= SCANNER_LONGEST)
        kept = (struct text){ scanner->buffer + scanner->keep, scanner->next - scanner->keep };
    scanner->keep = KEEP_NOTHING;
    return kept;
}

status scanner_skip_group(struct scanner *scanner, const struct token *opener, struct text *inside)
{
    struct token from = *opener;
    struct nesting nesting;
    status code;

    assert(opener->kind == TOKEN_MARK);
    from.text = (struct text){ &from.mark, 1 };
    nesting.depth = 0;
    memset(nesting.counts, 0, sizeof nesting.counts);
    if (inside)
        keep_from_here(scanner);
    code = push(scanner, &nesting, opener->mark);
    if (code == STATUS_OK)
        code = skip_nested(scanner, &nesting, false, &from);
    if (inside) {
        *inside = kept_text(scanner);
        if (inside->length && !nesting.depth)
            inside->length--; /* the closing bracket */
    }
    return code;
}

status scanner_skip_value(struct scanner *scanner, const struct token *from, struct text *value)
{
    struct token opener = *from;
    struct nesting nesting;
    status code;

    opener.text = (struct text){ "an attribute", strlen("an attribute") };
    nesting.depth = 0;
    memset(nesting.counts, 0, sizeof nesting.counts);
    if (value)
        keep_from_here(scanner);
    code = skip_nested(scanner, &nesting, true, &opener);
    if (value) {
        *value = kept_text(scanner);
        while (value->length && strchr(" \t\r\n", value->data[0]))
            value->data++, value->length--;
        while (value->length && strchr(" \t\r\n", value->data[value->length - 1]))
            value->length--;
    }
    return code;
}
