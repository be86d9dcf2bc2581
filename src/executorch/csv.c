#include "executorch/csv.h"

#include <string.h>

#include "base/memory.h"
#include "torq/csv.h"

enum { NAME_LONGEST = 64 }; /* of a column in a header; longer ones are nobody's */

/* ---- Fields ---- */

/* A field as it stands in the row. */
struct field {
    struct text raw;
    bool quoted;
};

/* Where the quoted field at `start` ends, one past its last quote; NULL: it is not closed. */
static const char *after_quotes(const char *start, const char *end)
{
    const char *next = start + 1;

    while (next < end) {
        const char *quote = memchr(next, '"', (size_t)(end - next));

        if (!quote || quote + 1 == end || quote[1] != '"')
            return quote ? quote + 1 : NULL;
        next = quote + 2;
    }
    return NULL;
}

/* The field at `start`. NULL: found; &loss_quote: its quote is not closed, `*open` if a further line may close it. */
static const struct loss_reason *take_field(const char *start, const char *end, char delimiter, struct field *field,
                                            bool *open)
{
    const char *after;

    field->quoted = start < end && *start == '"';
    if (field->quoted) {
        after = after_quotes(start, end);
        *open = !after;
        if (!after || (after < end && *after != delimiter))
            return &loss_quote;
    } else {
        after = start < end ? memchr(start, delimiter, (size_t)(end - start)) : NULL;
        if (!after)
            after = end;
    }
    field->raw = (struct text){ start, (size_t)(after - start) };
    return NULL;
}

/* The field without its quotes at `to`, which has room for the whole. */
static size_t unquote(const struct field *field, char *to)
{
    const char *from = field->raw.data;
    size_t length = 0;

    if (!field->quoted) {
        memcpy(to, from, field->raw.length);
        return field->raw.length;
    }
    for (size_t i = 1; i + 1 < field->raw.length; i++) {
        to[length++] = from[i];
        if (from[i] == '"')
            i++;
    }
    return length;
}

/* ---- Header ---- */

static bool is_named(struct text text, const char *name)
{
    size_t i = 0;

    for (; i < text.length && name[i]; i++) {
        char sign = text.data[i];

        if ((sign >= 'A' && sign <= 'Z' ? sign - 'A' + 'a' : sign) != name[i])
            return false;
    }
    return i == text.length && !name[i];
}

/* A header without a comma may have been written with semicolons or tabs. */
static char delimiter_of(struct text line)
{
    if (!line.length || memchr(line.data, ',', line.length))
        return ',';
    if (memchr(line.data, ';', line.length))
        return ';';
    return memchr(line.data, '\t', line.length) ? '\t' : ',';
}

/* The column that a field of the header names; of two of one name the first counts. */
static unsigned column_named(const struct field *field, const struct et_csv_column *columns, unsigned wanted,
                             uint32_t taken)
{
    char name[NAME_LONGEST];
    struct text text;

    if (field->raw.length > sizeof name)
        return ET_CSV_COLUMNS;
    text = csv_trim((struct text){ name, unquote(field, name) });
    if (text.length > 1 && *text.data == '"' && text.data[text.length - 1] == '"') /* blanks stood around the quotes */
        text = (struct text){ text.data + 1, text.length - 2 };
    for (unsigned i = 0; i < wanted; i++) {
        if (!(taken >> i & 1) && is_named(text, columns[i].name))
            return i;
    }
    return ET_CSV_COLUMNS;
}

/* Fills the places of the columns from a header line; the number of its fields, 0 where it is no such line. */
static unsigned read_header(struct text line, const struct et_csv_column *columns, unsigned wanted, char delimiter,
                            uint8_t *column_of, uint32_t *present)
{
    const char *next = line.data;
    const char *end = line.data + line.length;
    unsigned count = 0;

    *present = 0;
    for (;;) {
        struct field field;
        bool open;
        unsigned column;

        if (count == ET_CSV_FIELDS || take_field(next, end, delimiter, &field, &open) != NULL)
            return 0;
        column = column_named(&field, columns, wanted, *present);
        if (column < wanted)
            *present |= 1u << column;
        column_of[count++] = (uint8_t)column;
        next = field.raw.data + field.raw.length;
        if (next == end)
            return count;
        next++;
    }
}

uint32_t et_csv_probe(struct text head, const struct et_csv_column *columns, unsigned wanted)
{
    uint8_t column_of[ET_CSV_FIELDS];
    uint32_t present;
    struct text line;

    if (head.length >= 3 && memcmp(head.data, "\xEF\xBB\xBF", 3) == 0) {
        head.data += 3;
        head.length -= 3;
    }
    if (!csv_next_line(&head, &line) || !read_header(line, columns, wanted, delimiter_of(line), column_of, &present))
        return 0;
    return present;
}

static status check_header(struct et_csv *csv, uint32_t required)
{
    struct place where = { .file = input_name(csv->source->input), .line = csv->line.number, .column = 1 };

    if (!csv->field_count)
        return status_fail_at(STATUS_INPUT, where, "this is no header line of a CSV file");
    for (unsigned i = 0; i < csv->wanted; i++) {
        if ((required >> i & 1) && !et_csv_has(csv, i))
            return status_fail_at(STATUS_INPUT, where, "the header has no column \"%s\"", csv->columns[i].name);
    }
    return STATUS_OK;
}

/* The next line that is not blank. */
static status next_line(struct et_csv *csv, bool *found)
{
    status code;

    do
        code = lines_next(csv->lines, &csv->line, found);
    while (code == STATUS_OK && *found && csv_is_blank((struct text){ csv->line.data, csv->line.length }));
    return code;
}

status et_csv_open(struct et_csv *csv, struct source *source, struct losses *losses,
                   const struct et_csv_column *columns, unsigned wanted, uint32_t required)
{
    struct text header;
    bool found;
    status code;

    *csv = (struct et_csv){ .source = source, .losses = losses, .columns = columns, .wanted = wanted };
    code = lines_open(source->input, &csv->lines);
    if (code == STATUS_OK)
        code = next_line(csv, &found);
    if (code != STATUS_OK)
        return code;
    if (!found)
        return status_fail_at(STATUS_INPUT, (struct place){ .file = input_name(source->input) },
                              "the file has no header line");
    header = csv_trim((struct text){ csv->line.data, csv->line.length });
    csv->delimiter = delimiter_of(header);
    csv->field_count = read_header(header, columns, wanted, csv->delimiter, csv->column_of, &csv->present);
    while (csv->leading + 1 < csv->field_count && csv->column_of[csv->leading] < wanted &&
           columns[csv->column_of[csv->leading]].repeats)
        csv->leading++;
    for (unsigned i = 0; i < ET_CSV_COLUMNS; i++)
        csv->values[i] = (struct text){ "", 0 };
    return check_header(csv, required);
}

void et_csv_close(struct et_csv *csv)
{
    for (unsigned i = 0; i < ET_CSV_COLUMNS; i++)
        memory_free(csv->memory[i].data);
    memory_free(csv->lead);
    lines_close(csv->lines);
    csv->lines = NULL;
}

/* ---- Rows ---- */

/* Keeps what a column says, for the rows to come. */
static status remember(struct et_csv *csv, unsigned column, const struct field *field)
{
    struct et_csv_memory *memory = &csv->memory[column];
    status code = memory_grow(&memory->data, &memory->capacity, field->raw.length * 2 + 1, 1);

    if (code != STATUS_OK)
        return code;
    memcpy(memory->data, field->raw.data, field->raw.length);
    memory->raw = field->raw.length;
    memory->known = true;
    csv->values[column] = (struct text){ memory->data + memory->raw, unquote(field, memory->data + memory->raw) };
    csv->changed |= 1u << column;
    return STATUS_OK;
}

/* The end of the field at `next` if it says what the row before said; else NULL. */
static const char *same_as_before(const struct et_csv *csv, unsigned column, const char *next, const char *end)
{
    const struct et_csv_memory *memory = &csv->memory[column];

    if (!memory->known || (size_t)(end - next) < memory->raw || !text_same(next, memory->data, memory->raw))
        return NULL;
    next += memory->raw;
    return next == end || *next == csv->delimiter ? next : NULL;
}

/* Takes the field at `*next` and moves to its end. */
static status split_field(struct et_csv *csv, unsigned column, const char **next, const char *end,
                          const struct loss_reason **reason, bool *open)
{
    bool asked = column < ET_CSV_COLUMNS;
    struct field field;
    status code = STATUS_OK;

    *reason = take_field(*next, end, csv->delimiter, &field, open);
    if (*reason != NULL)
        return STATUS_OK;
    if (asked && (field.quoted || csv->columns[column].repeats))
        code = remember(csv, column, &field);
    else if (asked)
        csv->values[column] = field.raw;
    *next = field.raw.data + field.raw.length;
    return code;
}

/* Keeps the fields that a row begins with and that the next one probably begins with, too. */
static status remember_lead(struct et_csv *csv, const char *end)
{
    size_t length = (size_t)(end - csv->line.data);
    status code = memory_grow(&csv->lead, &csv->lead_capacity, length, 1);

    if (code != STATUS_OK)
        return code;
    memcpy(csv->lead, csv->line.data, length);
    csv->lead_length = length;
    return STATUS_OK;
}

/* Takes the row apart. `*open`: a quote may be closed on the next line. */
static status split_row(void *row, const struct loss_reason **reason, bool *open)
{
    struct et_csv *csv = row;
    const char *next = csv->line.data;
    const char *end = next + csv->line.length;
    unsigned count = 0;

    *open = false;
    if (csv->lead_length && csv->line.length >= csv->lead_length && memcmp(next, csv->lead, csv->lead_length) == 0) {
        next += csv->lead_length;
        count = csv->leading;
    } else {
        csv->lead_length = 0;
    }
    for (; count < csv->field_count; next++) {
        unsigned column = csv->column_of[count];
        const char *after =
            column < ET_CSV_COLUMNS && csv->columns[column].repeats ? same_as_before(csv, column, next, end) : NULL;
        status code = STATUS_OK;

        if (after)
            next = after;
        else
            code = split_field(csv, column, &next, end, reason, open);
        if (code != STATUS_OK || (!after && *reason != NULL))
            return code;
        count++;
        if (next == end) {
            *reason = count == csv->field_count ? NULL : &loss_fields;
            return STATUS_OK;
        }
        if (count == csv->leading)
            code = remember_lead(csv, next + 1);
        if (code != STATUS_OK)
            return code;
    }
    *reason = &loss_fields;
    return STATUS_OK;
}

static status lose_line(struct et_csv *csv, const struct loss_reason *reason)
{
    if (csv->line.too_long)
        reason = &loss_too_long;
    else if (csv_is_binary((struct text){ csv->line.data, csv->line.length }))
        reason = &loss_binary;
    return source_lose_row(csv->source, csv->losses, reason, csv->line.number, 1);
}

status et_csv_next(struct et_csv *csv, bool *found)
{
    if (csv->given)
        csv->changed = 0;
    csv->given = false;
    for (;;) {
        const struct loss_reason *reason = &loss_too_long;
        status code = next_line(csv, found);

        if (code != STATUS_OK || !*found)
            return code;
        csv->losses->rows++;
        csv_progress(csv->source, csv->losses->rows);
        if (!csv->line.too_long)
            code = csv_split_row(csv->lines, &csv->line, CSV_LONGEST_ROW, split_row, csv, &reason);
        if (code == STATUS_OK && !csv->line.ended)
            code = source_lose_row(csv->source, csv->losses, &loss_last_line, csv->line.number, 1);
        if (code != STATUS_OK)
            return code;
        if (reason == NULL) {
            csv->given = true;
            return STATUS_OK;
        }
        code = lose_line(csv, reason);
        if (code != STATUS_OK)
            return code;
    }
}

status et_csv_lose(struct et_csv *csv, const struct loss_reason *reason, unsigned column)
{
    const char *at = csv->values[column].data;
    bool inside = at >= csv->line.data && at <= csv->line.data + csv->line.length;

    if (csv_is_binary((struct text){ csv->line.data, csv->line.length }))
        reason = &loss_binary;
    return source_lose_row(csv->source, csv->losses, reason, csv->line.number,
                           inside ? (uint64_t)(at - csv->line.data) + 1 : 1);
}

/* ---- Numbers ---- */

/* The digits of a decimal number as an integer, and the power of ten that belongs to it. Digits after the 19th cannot be
 * kept; where the result fits into 64 bits they are behind the digit that decides the rounding. */
struct digits {
    uint64_t number;
    unsigned kept;
    bool any;
    int64_t exponent;
};

enum { DIGITS_KEPT = 19 }; /* so many fit into 64 bits, whatever they are */

static const uint64_t powers[DIGITS_KEPT + 1] = {
    1u,
    10u,
    100u,
    1000u,
    10000u,
    100000u,
    1000000u,
    10000000u,
    100000000u,
    1000000000u,
    10000000000u,
    100000000000u,
    1000000000000u,
    10000000000000u,
    100000000000000u,
    1000000000000000u,
    10000000000000000u,
    100000000000000000u,
    1000000000000000000u,
    10000000000000000000u,
};

/* Digits of a text that cannot have more than fit: eight at once. */
static const char *read_few_digits(struct digits *digits, const char *next, const char *end)
{
    const char *start = next;
    unsigned digit;

    while (end - next >= 8) {
        uint64_t part;
        unsigned count = csv_eight_digits(next, &part);

        digits->number = digits->number * powers[count] + part;
        next += count;
        if (count < 8)
            break;
    }
    for (; next < end && (digit = (unsigned char)*next - (unsigned)'0') <= 9; next++)
        digits->number = digits->number * 10 + digit;
    digits->any |= next > start;
    return next;
}

static const char *read_many_digits(struct digits *digits, const char *next, const char *end, bool fraction)
{
    unsigned digit;

    for (; next < end && (digit = (unsigned char)*next - (unsigned)'0') <= 9; next++) {
        digits->any = true;
        if (digits->kept == DIGITS_KEPT) {
            digits->exponent += !fraction;
            continue;
        }
        digits->number = digits->number * 10 + digit;
        digits->kept += digits->number > 0;
        digits->exponent -= fraction;
    }
    return next;
}

/* The digits before and behind the point. */
static const char *read_digits(struct digits *digits, const char *next, const char *end)
{
    bool few = end - next <= DIGITS_KEPT + 1; /* one of them is the point */

    /* Twenty digits and no point: one too many. */
    if (end - next == DIGITS_KEPT + 1 && !memchr(next, '.', DIGITS_KEPT + 1))
        few = false;
    next = few ? read_few_digits(digits, next, end) : read_many_digits(digits, next, end, false);
    if (next < end && *next == '.') {
        const char *fraction = ++next;

        next = few ? read_few_digits(digits, next, end) : read_many_digits(digits, next, end, true);
        digits->exponent -= few ? next - fraction : 0;
    }
    return next;
}

/* `e-05`; NULL: letters that are no exponent. */
static const char *read_exponent(struct digits *digits, const char *next, const char *end)
{
    enum { MOST = 100000 }; /* beyond any number that fits */
    bool negative;
    int64_t sum = 0;

    if (next == end)
        return next;
    if (*next != 'e' && *next != 'E')
        return NULL;
    next++;
    negative = next < end && *next == '-';
    next += next < end && (*next == '-' || *next == '+');
    if (next == end)
        return NULL;
    for (; next < end; next++) {
        if (*next < '0' || *next > '9')
            return NULL;
        sum = sum < MOST ? sum * 10 + (*next - '0') : sum;
    }
    digits->exponent += negative ? -sum : sum;
    return next;
}

static bool scale(const struct digits *digits, uint64_t *value)
{
    uint64_t power, rest;

    *value = digits->number;
    if (!digits->number || !digits->exponent)
        return true;
    if (digits->exponent > DIGITS_KEPT)
        return false;
    if (digits->exponent < -DIGITS_KEPT) {
        *value = 0;
        return true;
    }
    if (digits->exponent > 0)
        return !__builtin_mul_overflow(digits->number, powers[digits->exponent], value);
    power = powers[-digits->exponent];
    rest = digits->number % power;
    *value = digits->number / power + (rest >= power - rest);
    return true;
}

const struct loss_reason *et_scaled(struct text text, int places, int64_t *value)
{
    struct digits digits = { .exponent = places };
    uint64_t magnitude;
    const char *next;
    const char *end;
    bool negative;

    text = csv_trim(text);
    next = text.data;
    end = next + text.length;
    negative = next < end && *next == '-';
    next += next < end && (*next == '-' || *next == '+');
    next = read_digits(&digits, next, end);
    if (!digits.any || !read_exponent(&digits, next, end))
        return &loss_number;
    if (!scale(&digits, &magnitude) || magnitude > INT64_MAX)
        return &loss_time_range;
    *value = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return NULL;
}
