/* view_filter.c: filters: parsed by the type of a field, applied to its values. */
#include "table/view_filter.h"

#include <assert.h>
#include <math.h>

#include "base/number.h"

__extension__ typedef unsigned __int128 wide;

enum { LESS = 1, EQUAL = 2, GREATER = 4 };

/* Longer ones first: ">" begins ">=". */
static const struct {
    const char *sign;  /* as written */
    unsigned accepted; /* as in struct view_filter */
} operators[] = {
    { "!=", LESS | GREATER }, { ">=", EQUAL | GREATER }, { "<=", LESS | EQUAL }, { "~", 0 },
    { "=", EQUAL },           { ">", GREATER },          { "<", LESS },
};
enum { OPERATORS = sizeof operators / sizeof *operators };

static const struct {
    const char *name;  /* one word */
    const char *wants; /* what a value of it looks like */
} types[] = {
    [CELL_TEXT] = { "text", "a text" },
    [CELL_INTEGER] = { "integer", "a whole number" },
    [CELL_DECIMAL] = { "decimal", "a number" },
    [CELL_BOOLEAN] = { "boolean", "yes or no" },
    [CELL_DURATION] = { "duration", "a duration (10us, 1.5ms, 2s, or 200 for ns)" },
    [CELL_PERCENT] = { "percent", "a percentage (10 or 10%)" },
    [CELL_BYTES] = { "bytes", "a number of bytes (4096, 4KiB or 1.5MB)" },
};

struct unit {
    const char *name; /* in lower case; NULL at the end */
    uint64_t size;    /* of what the cell counts: ns, bytes; 2^60 at most */
};

/* The micro sign is U+00B5, and the Greek letter that looks like it U+03BC. */
static const struct unit duration_units[] = {
    { "", 1 },         { "ns", 1 },         { "us", 1000 }, { "\xC2\xB5s", 1000 }, { "\xCE\xBCs", 1000 },
    { "ms", 1000000 }, { "s", 1000000000 }, { NULL, 0 },
};

static const struct unit byte_units[] = {
    { "", 1 },
    { "b", 1 },
    { "kb", 1000 },
    { "kib", UINT64_C(1) << 10 },
    { "mb", 1000000 },
    { "mib", UINT64_C(1) << 20 },
    { "gb", 1000000000 },
    { "gib", UINT64_C(1) << 30 },
    { "tb", UINT64_C(1000000000000) },
    { "tib", UINT64_C(1) << 40 },
    { "pb", UINT64_C(1000000000000000) },
    { "pib", UINT64_C(1) << 50 },
    { "eb", UINT64_C(1000000000000000000) },
    { "eib", UINT64_C(1) << 60 },
    { NULL, 0 },
};

const char *view_type_name(enum cell_type type)
{
    return types[type].name;
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

struct text view_trim(const char *data, const char *end)
{
    while (data < end && is_blank(*data))
        data++;
    while (end > data && is_blank(end[-1]))
        end--;
    return (struct text){ data, (size_t)(end - data) };
}

static char lower(char byte)
{
    return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

/* Whether `text` begins with the piece, ignoring case; it ends at its NUL at the latest. */
static bool begins(const char *text, struct text piece)
{
    size_t i = 0;

    while (i < piece.length && lower(text[i]) == lower(piece.data[i]))
        i++;
    return i == piece.length;
}

static bool holds(const char *text, struct text piece)
{
    while (!begins(text, piece))
        if (!*text++)
            return false;
    return true;
}

static bool is_word(struct text text, const char *word)
{
    return text.length == strlen(word) && begins(word, text);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static const struct unit *find_unit(const struct unit *units, struct text name)
{
    for (; units->name; units++)
        if (is_word(name, units->name))
            return units;
    return NULL;
}

/* Digits behind the point: `*part` of `*scale`. 18 of them at most, so that no product below overflows. */
static bool read_fraction(const char **cursor, const char *end, uint64_t *part, uint64_t *scale)
{
    const uint64_t most = UINT64_C(1000000000000000000);

    for (; *cursor < end && **cursor >= '0' && **cursor <= '9'; ++*cursor) {
        if (*scale == most)
            return false;
        *part = *part * 10 + (uint64_t)(**cursor - '0');
        *scale *= 10;
    }
    return *scale > 1;
}

/* [-]12.5unit as whole steps of what the cell counts, rounded down; never through a double. */
static bool parse_quantity(struct text text, const struct unit *units, struct view_filter *filter)
{
    const char *at = text.data, *end = text.data + text.length;
    bool negative = at < end && *at == '-';
    uint64_t whole, part = 0, scale = 1;
    const struct unit *unit;
    wide steps;

    at += negative;
    if (!number_read_unsigned(&at, end, &whole))
        return false;
    if (at < end && *at == '.') {
        at++;
        if (!read_fraction(&at, end, &part, &scale))
            return false;
    }
    unit = find_unit(units, view_trim(at, end));
    if (!unit)
        return false;
    /* 2^64 * 2^60 + 10^18 * 2^60 fits. */
    steps = (wide)whole * unit->size + (wide)part * unit->size / scale;
    filter->more = (wide)part * unit->size % scale != 0;
    if (steps > INT64_MAX)
        return false;
    filter->whole = negative ? -(int64_t)steps - filter->more : (int64_t)steps;
    return true;
}

static bool parse_boolean(struct text text, int64_t *value)
{
    *value = is_word(text, "yes") || is_word(text, "true");
    return *value || is_word(text, "no") || is_word(text, "false");
}

static bool parse_value(struct text text, struct view_filter *filter)
{
    switch (filter->field->type) {
    case CELL_TEXT:
        filter->text = text;
        return true;
    case CELL_INTEGER:
        return number_parse_integer(text.data, text.length, &filter->whole);
    case CELL_BOOLEAN:
        return parse_boolean(text, &filter->whole);
    case CELL_DURATION:
        return parse_quantity(text, duration_units, filter);
    case CELL_BYTES:
        return parse_quantity(text, byte_units, filter);
    case CELL_PERCENT:
        if (text.length && text.data[text.length - 1] == '%')
            text = view_trim(text.data, text.data + text.length - 1);
        return number_parse_decimal(text.data, text.length, &filter->decimal);
    case CELL_DECIMAL:
        return number_parse_decimal(text.data, text.length, &filter->decimal);
    }
    return false;
}

status view_filter_parse(const struct rows *rows, const char *text, struct view_filter *filter)
{
    const char *sign = strpbrk(text, "~=!<>");
    unsigned which = 0;
    struct text value;
    status code;

    *filter = (struct view_filter){ 0 };
    while (sign && which < OPERATORS && strncmp(sign, operators[which].sign, strlen(operators[which].sign)) != 0)
        which++;
    if (!sign || which == OPERATORS)
        return status_fail(STATUS_USAGE, "--filter wants KEY~TEXT or KEY=VALUE (or != > < >= <=), not \"%s\"", text);
    code = field_find(rows, view_trim(text, sign), "--filter", &filter->field);
    if (code != STATUS_OK)
        return code;
    filter->accepted = operators[which].accepted;
    if (!filter->accepted && filter->field->type != CELL_TEXT)
        return status_fail(STATUS_USAGE,
                           "--filter %s: ~ looks into texts, and %s wants %s behind =, !=, >, <, >= or <=", text,
                           filter->field->key, types[filter->field->type].wants);
    sign += strlen(operators[which].sign);
    value = view_trim(sign, sign + strlen(sign));
    if (!parse_value(value, filter))
        return status_fail(STATUS_USAGE, "--filter %s: %s wants %s, not \"%.*s\"", text, filter->field->key,
                           types[filter->field->type].wants, (int)value.length, value.data);
    return STATUS_OK;
}

/* ---- comparing --------------------------------------------------------------------------------------------------- */

bool view_value_known(enum cell_type type, struct table_cell cell)
{
    return !cell.null && !((type == CELL_DECIMAL || type == CELL_PERCENT) && isnan(cell.decimal));
}

static unsigned compare_whole(int64_t value, const struct view_filter *filter)
{
    if (value == filter->whole)
        return filter->more ? LESS : EQUAL;
    return value < filter->whole ? LESS : GREATER;
}

/* The text of the filter has no NUL at its end. */
static unsigned compare_text(const char *value, struct text text)
{
    int order = strncmp(value, text.data, text.length);

    if (order == 0)
        return value[text.length] ? GREATER : EQUAL;
    return order < 0 ? LESS : GREATER;
}

static unsigned compare(const struct view_filter *filter, struct table_cell cell)
{
    switch (filter->field->type) {
    case CELL_TEXT:
        return compare_text(cell.text, filter->text);
    case CELL_BOOLEAN:
        return compare_whole(cell.boolean, filter);
    case CELL_INTEGER:
    case CELL_DURATION:
    case CELL_BYTES:
        return compare_whole(cell.integer, filter);
    case CELL_DECIMAL:
    case CELL_PERCENT:
        return cell.decimal == filter->decimal ? EQUAL : cell.decimal < filter->decimal ? LESS : GREATER;
    }
    return 0;
}

bool view_filter_passes(const struct view_filter *filter, struct table_cell cell)
{
    if (!view_value_known(filter->field->type, cell))
        return false;
    if (!filter->accepted)
        return holds(cell.text, filter->text);
    return (compare(filter, cell) & filter->accepted) != 0;
}
