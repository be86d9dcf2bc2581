/* csv.c: takes rows apart: 64 bytes at once where they have no quotes. */
#include "base/csv.h"

#include <assert.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/memory.h"

enum { BLOCK = 64, NAME_LONGEST = 256 }; /* NAME_LONGEST: a longer name with doubled quotes is kept as it stands */

static bool plainly_only;

void csv_cut_plainly(bool plainly)
{
    plainly_only = plainly;
}

/* A field that somebody wants. */
struct csv_field {
    uint16_t field;  /* its place in a row */
    uint16_t column; /* what it is */
    bool repeats;    /* of the column */
};

/* What a column said last. */
struct csv_memory {
    char *data;      /* the field as it stands in the file, then its value */
    size_t capacity; /* of `data` */
    size_t raw;      /* bytes of the field */
    size_t length;   /* of the value */
    bool known;      /* false: nothing */
};

/* ---- Fields with quotes ---- */

/* Where the quote that closes a field is, looked for from `from` on; `length`: nowhere. */
static size_t find_close(const char *data, size_t from, size_t length)
{
    while (from < length) {
        const char *quote = memchr(data + from, '"', length - from);

        if (!quote)
            return length;
        from = (size_t)(quote - data);
        if (from + 1 == length || data[from + 1] != '"')
            return from;
        from += 2;
    }
    return length;
}

static bool is_quoted(const struct csv_wish *wish, struct text raw)
{
    return raw.length && *raw.data == '"' && !(wish->flags & CSV_NO_QUOTES);
}

/* The text of a quoted field, whose quotes were checked, at `to`, which has room for it. */
static size_t unquote(struct text raw, char *to)
{
    size_t length = 0;

    assert(raw.length >= 2 && raw.data[0] == '"' && raw.data[raw.length - 1] == '"');
    for (size_t i = 1; i + 1 < raw.length; i++) {
        to[length++] = raw.data[i];
        i += raw.data[i] == '"';
    }
    return length;
}

/* ---- Header ---- */

static char find_delimiter(struct text line)
{
    static const char candidates[] = { ',', ';', '\t' };

    for (size_t i = 0; i < sizeof candidates; i++)
        if (text_first(line, candidates[i]))
            return candidates[i];
    return ',';
}

/* A name without quotes and blanks; `room` holds it where it has doubled quotes. */
static struct text header_name(const struct csv_wish *wish, struct text raw, char room[NAME_LONGEST])
{
    raw = text_trim(raw); /* blanks may stand around the quotes */
    if (!is_quoted(wish, raw) || raw.length < 2 || raw.data[raw.length - 1] != '"')
        return raw;
    if (raw.length <= NAME_LONGEST && memchr(raw.data + 1, '"', raw.length - 2))
        return text_trim((struct text){ room, unquote(raw, room) });
    return text_trim((struct text){ raw.data + 1, raw.length - 2 });
}

static bool is_named(const struct csv_wish *wish, struct text name, const char *wanted)
{
    return wanted && (wish->flags & CSV_ANY_CASE ? text_is_any_case(name, wanted) : text_is(name, wanted));
}

static unsigned find_column(const struct csv_wish *wish, struct text name)
{
    unsigned column = wish->find ? wish->find(wish->context, name) : 0;

    if (!wish->find)
        while (column < wish->count && !is_named(wish, name, wish->columns[column].name) &&
               !is_named(wish, name, wish->columns[column].alias))
            column++;
    assert(column <= wish->count || column == CSV_NO_COLUMN);
    return column < wish->count ? column : CSV_NO_COLUMN;
}

/* Where the field of a header line that begins at `at` ends; false: its quote does not close, `*open` if a further line may do that. */
static bool find_end(const struct csv_wish *wish, struct text line, size_t at, char delimiter, size_t *end, bool *open)
{
    struct text rest = { line.data + at, line.length - at };
    const char *found = text_first(rest, delimiter);

    *open = false;
    *end = found ? (size_t)(found - line.data) : line.length;
    if (!is_quoted(wish, rest))
        return true;
    *end = find_close(line.data, at + 1, line.length);
    *open = *end == line.length;
    ++*end;
    return !*open && (*end == line.length || line.data[*end] == delimiter);
}

/* The fields of a header line, one after the other. */
struct header {
    const struct csv_wish *wish; /* of the reader */
    struct text line;            /* the whole */
    size_t next;                 /* where the next field begins */
    char delimiter;              /* between fields */
    unsigned count;              /* fields taken */
    struct text name;            /* of the field taken last */
    bool open;                   /* it ends within quotes */
    char room[NAME_LONGEST];     /* holds the name where it needs room */
};

static void header_start(struct header *header, const struct csv_wish *wish, struct text line)
{
    *header = (struct header){ .wish = wish, .line = line, .delimiter = find_delimiter(line) };
}

/* False: there is no further field, `next` is behind the end; or this is no header. */
static bool header_next(struct header *header)
{
    size_t end;

    if (header->next > header->line.length || header->count == CSV_MOST_FIELDS ||
        !find_end(header->wish, header->line, header->next, header->delimiter, &end, &header->open))
        return false;
    header->name =
        header_name(header->wish, (struct text){ header->line.data + header->next, end - header->next }, header->room);
    header->next = end + 1;
    header->count++;
    return true;
}

static bool header_done(const struct header *header)
{
    return header->next > header->line.length && header->count;
}

bool csv_probe(struct text head, const struct csv_wish *wish, bool *has)
{
    struct text line = { NULL, 0 };
    struct header header;
    unsigned column;

    assert(has && (wish->columns || wish->find));
    memset(has, 0, wish->count * sizeof *has);
    (void)text_cut_start(&head, "\xEF\xBB\xBF");
    while (head.data && !line.length)
        line = text_trim(text_take(&head, '\n'));
    if (!line.length)
        return false;
    for (header_start(&header, wish, line); header_next(&header);)
        if ((column = find_column(wish, header.name)) != CSV_NO_COLUMN)
            has[column] = true;
    return header_done(&header);
}

static bool is_header(const struct csv_wish *wish, struct text line)
{
    struct header header;

    header_start(&header, wish, line);
    while (header_next(&header))
        ;
    return header_done(&header);
}

static void forget(struct csv *csv)
{
    for (unsigned i = 0; i < csv->wish->count; i++) {
        csv->values[i] = (struct text){ "", 0 };
        csv->field_of[i] = CSV_NO_FIELD;
        if (csv->memories)
            csv->memories[i].known = false;
    }
    csv->wanted_count = csv->leading = csv->field_count = csv->row_fields = 0;
    csv->lead_length = csv->first_length = csv->first_field = 0;
    csv->changed = UINT64_MAX;
    csv->laid_out = true;
    csv->problem = CSV_FIELDS; /* no row yet: what is said to have changed stays so for the first one */
}

/* Notes the name of the first field that has one, by which a header is known when it comes again. */
static status keep_first(struct csv *csv, const struct header *header)
{
    if (csv->first_length || !header->name.length)
        return STATUS_OK;
    memory_free(csv->first_name);
    csv->first_name = memory_allocate(header->name.length);
    if (!csv->first_name)
        return status_no_memory("reading a header");
    memcpy(csv->first_name, header->name.data, header->name.length);
    csv->first_length = header->name.length;
    csv->first_field = header->count - 1;
    return STATUS_OK;
}

static void want(struct csv *csv, const struct header *header)
{
    unsigned column = find_column(csv->wish, header->name), field = header->count - 1;

    assert(field < CSV_MOST_FIELDS);
    if (column == CSV_NO_COLUMN || csv->field_of[column] != CSV_NO_FIELD)
        return;
    csv->field_of[column] = (uint16_t)field;
    assert(csv->wanted_count < csv->wish->count);
    csv->wanted[csv->wanted_count++] = (struct csv_field){
        .field = (uint16_t)field,
        .column = (uint16_t)column,
        .repeats = csv->memories && csv->wish->columns[column].repeats,
    };
}

/* The fields at the start that repeat; what goes behind them is one more, so that their end is a delimiter. */
static unsigned count_leading(const struct csv *csv)
{
    unsigned count = 0;

    while (count < csv->wanted_count && csv->wanted[count].field == count && csv->wanted[count].repeats)
        count++;
    return count < csv->field_count ? count : 0;
}

status csv_take_header(struct csv *csv, struct text line, bool *taken)
{
    struct header header;
    status code = STATUS_OK;
    uint32_t *starts;

    assert(csv->wish && "a CSV is opened before it takes a header");
    *taken = is_header(csv->wish, line);
    if (!*taken)
        return STATUS_OK;
    forget(csv);
    for (header_start(&header, csv->wish, line); code == STATUS_OK && header_next(&header);) {
        code = keep_first(csv, &header);
        want(csv, &header);
    }
    if (code != STATUS_OK)
        return code;
    /* The delimiters of a block may lie behind the last field. */
    starts = memory_resize(csv->starts, (header.count + BLOCK + 2) * sizeof *starts);
    if (!starts)
        return status_no_memory("reading a header");
    csv->starts = starts;
    starts[0] = 0;
    csv->delimiter = header.delimiter;
    csv->field_count = header.count;
    csv->leading = count_leading(csv);
    csv->last_field = csv->wanted_count ? csv->wanted[csv->wanted_count - 1].field : 0;
    if (csv->last_field < csv->first_field)
        csv->last_field = csv->first_field;
    return STATUS_OK;
}

/* ---- Rows without quotes ---- */

/* Finds bytes: a bit for each of 64 that is a delimiter, the first byte's lowest, and the same for quotes. */
typedef uint64_t (*find_bits)(const char *data, char delimiter, uint64_t *quotes);

/* A bit for each of eight bytes that is `wanted`. */
static inline uint64_t match_eight(uint64_t bytes, char wanted)
{
    static const uint64_t ones = 0x0101010101010101u, low = 0x7F7F7F7F7F7F7F7Fu;
    uint64_t different = bytes ^ ones * (unsigned char)wanted;
    uint64_t equal = ~(((different & low) + low) | different | low); /* the highest bit of each byte */

    return (equal >> 7) * 0x0102040810204080u >> 56;
}

/* The same of up to 64 bytes, without any help. */
static inline uint64_t match_some(const char *data, size_t length, char delimiter, uint64_t *quotes)
{
    uint64_t bits = 0;

    *quotes = 0;
    for (size_t i = 0; i < length; i += 8) {
        uint64_t bytes = 0;

        memcpy(&bytes, data + i, length - i < 8 ? length - i : 8);
        if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
            bytes = __builtin_bswap64(bytes);
        bits |= match_eight(bytes, delimiter) << i;
        *quotes |= match_eight(bytes, '"') << i;
    }
    return bits; /* the zeros behind the end are neither */
}

#if defined(__x86_64__)
static inline uint64_t match_plain(const char *data, char delimiter, uint64_t *quotes)
{
    const __m128i wanted = _mm_set1_epi8(delimiter), quote = _mm_set1_epi8('"');
    uint64_t bits = 0;

    *quotes = 0;
    for (unsigned i = 0; i < BLOCK; i += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(data + i));

        bits |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, wanted)) << i;
        *quotes |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, quote)) << i;
    }
    return bits;
}

/* Nearly every processor of today can do 32 bytes at once and count bits; a build for all of them may not assume it. */
__attribute__((target("avx2,bmi,popcnt"))) static inline uint64_t match_wide(const char *data, char delimiter,
                                                                             uint64_t *quotes)
{
    const __m256i wanted = _mm256_set1_epi8(delimiter), quote = _mm256_set1_epi8('"');
    __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)data);
    __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(data + 32));
    __m256i low_quotes = _mm256_cmpeq_epi8(low, quote), high_quotes = _mm256_cmpeq_epi8(high, quote);

    *quotes = 0;
    if (_mm256_movemask_epi8(_mm256_or_si256(low_quotes, high_quotes)))
        *quotes = (uint64_t)(unsigned)_mm256_movemask_epi8(low_quotes) |
                  (uint64_t)(unsigned)_mm256_movemask_epi8(high_quotes) << 32;
    return (uint64_t)(unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, wanted)) |
           (uint64_t)(unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, wanted)) << 32;
}
#else
static inline uint64_t match_plain(const char *data, char delimiter, uint64_t *quotes)
{
    return match_some(data, BLOCK, delimiter, quotes);
}
#endif

/* Fills where fields begin from the byte `from` on, before which there are `count`, and returns how many the row has. Behind
 * the last one that somebody wants they are only counted. `*quotes`: there are some, and nothing else is certain. Made anew for
 * each way to find bytes. */
static inline __attribute__((always_inline)) unsigned cut_with(struct csv *csv, size_t from, unsigned count,
                                                               bool *quotes, find_bits find)
{
    const char *data = csv->line.data;
    size_t length = csv->line.length;
    uint32_t *starts = csv->starts + 1, *next;
    char delimiter = csv->delimiter;
    bool quoting = !(csv->wish->flags & CSV_NO_QUOTES);
    unsigned last = csv->last_field;

    *quotes = false;
    for (size_t at = from; at < length; at += BLOCK) {
        uint64_t bits, quote_bits;

        if (length - at >= BLOCK) {
            bits = find(data + at, delimiter, &quote_bits);
        } else if (length >= BLOCK) { /* the last block of the row, less what was looked at */
            bits = find(data + length - BLOCK, delimiter, &quote_bits) >> (BLOCK - (length - at));
            quote_bits >>= BLOCK - (length - at);
        } else {
            bits = match_some(data + at, length - at, delimiter, &quote_bits);
        }
        if (quote_bits && quoting) {
            *quotes = true;
            return 0;
        }
        if (count > last) {
            count += (unsigned)__builtin_popcountll(bits);
            continue;
        }
        next = starts + count;
        for (; bits; bits &= bits - 1)
            *next++ = (uint32_t)at + 1 + (uint32_t)__builtin_ctzll(bits);
        count = (unsigned)(next - starts);
    }
    if (count < csv->field_count)
        starts[count] = (uint32_t)length + 1;
    return count + 1;
}

static unsigned cut_plain(struct csv *csv, size_t from, unsigned count, bool *quotes)
{
    return cut_with(csv, from, count, quotes, match_plain);
}

#if defined(__x86_64__)
__attribute__((target("avx2,bmi,popcnt"))) static unsigned cut_wide(struct csv *csv, size_t from, unsigned count,
                                                                    bool *quotes)
{
    return cut_with(csv, from, count, quotes, match_wide);
}

static bool is_wide(void)
{
    return !plainly_only && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("popcnt");
}
#endif

/* ---- Rows with quotes ---- */

/* Adds lines until the quote at `at` is closed at `*close`. `*closed` is false where nothing closes it. */
static status close_quote(struct csv *csv, size_t at, unsigned *added, size_t *close, bool *closed)
{
    size_t from = at + 1;

    for (;;) {
        bool extended = false;
        status code = STATUS_OK;

        *close = find_close(csv->line.data, from, csv->line.length);
        *closed = *close < csv->line.length;
        if (*closed)
            return STATUS_OK;
        from = csv->line.length;
        if (++*added <= CSV_MOST_ROW_LINES && csv->line.length < CSV_LONGEST_OPEN)
            code = lines_extend(csv->lines, &csv->line, &extended);
        if (code != STATUS_OK || !extended)
            return code;
    }
}

/* As `cut_with`, field by field. */
static status walk(struct csv *csv, size_t at, unsigned count)
{
    unsigned added = 0;

    for (;; at++) {
        const struct line *line = &csv->line;
        bool closed = true;
        const char *found;
        status code = STATUS_OK;

        if (at < line->length && line->data[at] == '"') {
            code = close_quote(csv, at, &added, &at, &closed);
            at++;
        } else {
            found = text_first((struct text){ line->data + at, line->length - at }, csv->delimiter);
            at = found ? (size_t)(found - line->data) : line->length;
        }
        if (code != STATUS_OK)
            return code;
        if (!closed || (at < line->length && line->data[at] != csv->delimiter)) {
            csv->problem = CSV_QUOTE;
            lines_retract(csv->lines, &csv->line);
            return STATUS_OK;
        }
        count++;
        if (count <= csv->field_count)
            csv->starts[count] = (uint32_t)at + 1;
        if (at == line->length)
            break;
    }
    csv->row_fields = count;
    return STATUS_OK;
}

/* ---- Values ---- */

static status make_value(struct csv *csv, struct text raw, struct text *value)
{
    status code;

    *value = csv->wish->flags & CSV_TRIM ? text_trim(raw) : raw;
    if (!is_quoted(csv->wish, raw))
        return STATUS_OK;
    *value = (struct text){ raw.data + 1, raw.length - 2 };
    if (!text_first(*value, '"'))
        return STATUS_OK;
    /* The whole row at most: what was put there before stays where it is. */
    code = memory_grow(&csv->plain, &csv->plain_capacity, csv->line.length, 1);
    if (code != STATUS_OK)
        return code;
    *value = (struct text){ csv->plain + csv->plain_length, unquote(raw, csv->plain + csv->plain_length) };
    csv->plain_length += value->length;
    return STATUS_OK;
}

/* Keeps what a column says, for the rows to come. */
static status remember(struct csv *csv, unsigned column, struct text raw)
{
    struct csv_memory *memory = &csv->memories[column];
    struct text value;
    status code = make_value(csv, raw, &value);

    assert(column < 64 && "a bit for each column that repeats");
    if (code == STATUS_OK)
        code = memory_grow(&memory->data, &memory->capacity, raw.length + value.length, 1);
    if (code != STATUS_OK)
        return code;
    if (raw.length)
        memcpy(memory->data, raw.data, raw.length);
    if (value.length)
        memcpy(memory->data + raw.length, value.data, value.length);
    memory->raw = raw.length;
    memory->length = value.length;
    memory->known = true;
    csv->values[column] = (struct text){ memory->length ? memory->data + memory->raw : "", memory->length };
    csv->changed |= UINT64_C(1) << column;
    return STATUS_OK;
}

static bool is_as_before(const struct csv *csv, unsigned column, struct text raw)
{
    const struct csv_memory *memory = &csv->memories[column];

    return memory->known && memory->raw == raw.length && text_same(memory->data, raw.data, raw.length);
}

/* Wanted fields that the row has. */
static unsigned count_present(const struct csv *csv)
{
    unsigned count = 0;

    while (count < csv->wanted_count && csv->wanted[count].field < csv->row_fields)
        count++;
    return count;
}

/* The values from the wanted field `first` on, as far as the row has them. `plain`: they are what stands in the row. */
static status take_values(struct csv *csv, unsigned first, bool plain)
{
    unsigned end = csv->row_fields >= csv->field_count ? csv->wanted_count : count_present(csv);
    status code = STATUS_OK;

    csv->plain_length = 0;
    if (plain && csv->wish->flags & CSV_ASKED && csv->row_fields == csv->field_count) {
        csv->laid_out = false;
        return STATUS_OK;
    }
    if (plain && !csv->memories) {
        for (unsigned i = first; i < end; i++)
            csv->values[csv->wanted[i].column] = csv_raw(csv, csv->wanted[i].field);
        return STATUS_OK;
    }
    for (unsigned i = first; code == STATUS_OK && i < end; i++) {
        unsigned column = csv->wanted[i].column;
        struct text raw = csv_raw(csv, csv->wanted[i].field);

        if (csv->wanted[i].repeats) {
            if (!is_as_before(csv, column, raw))
                code = remember(csv, column, raw);
        } else if (plain) {
            csv->values[column] = raw;
        } else {
            code = make_value(csv, raw, &csv->values[column]);
        }
    }
    return code;
}

/* The row has no fields from the wanted one `first` on. */
static void clear_values(struct csv *csv, unsigned first)
{
    for (unsigned i = first; i < csv->wanted_count; i++) {
        unsigned column = csv->wanted[i].column;

        csv->values[column] = (struct text){ "", 0 };
        if (csv->wanted[i].repeats) {
            csv->memories[column].known = false;
            csv->changed |= UINT64_C(1) << column;
        }
    }
    csv->lead_length = 0;
}

/* Keeps the fields that a row begins with and that the next one probably begins with, too. */
static status remember_lead(struct csv *csv)
{
    size_t length = csv->starts[csv->leading];
    status code = memory_grow(&csv->lead, &csv->lead_capacity, length, 1);

    assert(csv->leading && csv->leading < csv->field_count);
    if (code != STATUS_OK)
        return code;
    memcpy(csv->lead, csv->line.data, length);
    csv->lead_length = length;
    return STATUS_OK;
}

status csv_split(struct csv *csv)
{
    bool led = csv->lead_length && csv->line.length >= csv->lead_length &&
               memcmp(csv->line.data, csv->lead, csv->lead_length) == 0;
    size_t from = led ? csv->lead_length : 0;
    unsigned before = led ? csv->leading : 0;
    bool quotes = false;
    status code = STATUS_OK;

    assert(csv->field_count && "rows come after a header");
    if (csv->problem == CSV_FINE)
        csv->changed = 0;
    csv->problem = csv->line.too_long ? CSV_TOO_LONG : CSV_FINE;
    csv->row_fields = 0;
    csv->laid_out = true;
    if (!csv->line.too_long)
        csv->row_fields = csv->cut(csv, from, before, &quotes);
    if (quotes)
        code = walk(csv, from, before);
    if (code == STATUS_OK && csv->problem == CSV_FINE)
        code = take_values(csv, before, !quotes && !(csv->wish->flags & CSV_TRIM));
    if (code != STATUS_OK)
        return code;
    if (csv->row_fields != csv->field_count) {
        csv->problem = csv->problem == CSV_FINE ? CSV_FIELDS : csv->problem;
        clear_values(csv, count_present(csv));
    } else if (csv->leading && !led) {
        code = remember_lead(csv);
    }
    return code;
}

/* ---- Files ---- */

static status next_line(struct csv *csv, bool *found)
{
    status code;

    do
        code = lines_next(csv->lines, &csv->line, found);
    while (code == STATUS_OK && *found && text_is_blank((struct text){ csv->line.data, csv->line.length }));
    return code;
}

/* Adds lines to a header in which a name goes over several. */
static status complete_header(struct csv *csv)
{
    status code = STATUS_OK;
    bool extended = true;

    for (unsigned added = 0; code == STATUS_OK && extended && added < CSV_MOST_ROW_LINES; added++) {
        struct header header;

        header_start(&header, csv->wish, (struct text){ csv->line.data, csv->line.length });
        while (header_next(&header))
            continue;
        extended = false;
        if (header.open && csv->line.length < CSV_LONGEST_OPEN)
            code = lines_extend(csv->lines, &csv->line, &extended);
    }
    return code;
}

static status read_header(struct csv *csv, struct place where)
{
    bool found, taken = false;
    status code = next_line(csv, &found);

    if (code == STATUS_OK && !found)
        return status_fail_at(STATUS_INPUT, where, "the file is empty: it has no header line");
    if (code == STATUS_OK && !csv->line.too_long)
        code = complete_header(csv);
    if (code == STATUS_OK && !csv->line.too_long)
        code = csv_take_header(csv, (struct text){ csv->line.data, csv->line.length }, &taken);
    if (code != STATUS_OK)
        return code;
    where.line = csv->line.number;
    where.column = 1;
    if (!taken)
        return status_fail_at(STATUS_INPUT, where, "this is no header line of a CSV file");
    for (unsigned i = 0; csv->wish->columns && i < csv->wish->count; i++)
        if (csv->wish->columns[i].required && !csv_has(csv, i))
            return status_fail_at(STATUS_INPUT, where, "the header has no column \"%s\"", csv->wish->columns[i].name);
    return STATUS_OK;
}

static bool any_repeats(const struct csv_wish *wish)
{
    bool any = false;

    for (unsigned i = 0; wish->columns && i < wish->count; i++) {
        assert(!wish->columns[i].repeats || i < 64);
        any |= wish->columns[i].repeats;
    }
    return any;
}

status csv_open(struct csv *csv, struct input *input, const struct csv_wish *wish)
{
    size_t count = wish->count;
    status code;

    assert((wish->columns || wish->find) && count < CSV_MOST_COLUMNS);
    assert(!(wish->flags & CSV_ASKED) || !any_repeats(wish));
    *csv = (struct csv){ .wish = wish, .cut = cut_plain };
#if defined(__x86_64__)
    if (is_wide())
        csv->cut = cut_wide;
#endif
    csv->values = memory_allocate(count * sizeof *csv->values);
    csv->field_of = memory_allocate(count * sizeof *csv->field_of);
    csv->wanted = memory_allocate(count * sizeof *csv->wanted);
    if (any_repeats(wish))
        csv->memories = memory_allocate_clear(count * sizeof *csv->memories);
    if (!csv->values || !csv->field_of || !csv->wanted || (any_repeats(wish) && !csv->memories))
        return status_no_memory("reading a CSV file");
    forget(csv);
    code = lines_open(input, &csv->lines);
    return code == STATUS_OK ? read_header(csv, (struct place){ .file = input_name(input) }) : code;
}

void csv_close(struct csv *csv)
{
    for (unsigned i = 0; csv->memories && i < csv->wish->count; i++)
        memory_free(csv->memories[i].data);
    memory_free(csv->memories);
    memory_free(csv->values);
    memory_free(csv->field_of);
    memory_free(csv->wanted);
    memory_free(csv->starts);
    memory_free(csv->lead);
    memory_free(csv->plain);
    memory_free(csv->first_name);
    lines_close(csv->lines);
    *csv = (struct csv){ .lines = NULL };
}

status csv_next(struct csv *csv, bool *found)
{
    status code = next_line(csv, found);

    return code == STATUS_OK && *found ? csv_split(csv) : code;
}

bool csv_is_header(const struct csv *csv)
{
    char room[NAME_LONGEST];
    struct text name;

    if (!csv->first_length || csv->problem > CSV_FIELDS || csv->first_field >= csv->row_fields ||
        csv->first_field >= csv->field_count)
        return false;
    name = csv_raw(csv, csv->first_field);
    /* A name may begin with a blank or a quote; nearly all rows are told by their first byte. */
    if (name.length < csv->first_length ||
        (*name.data != *csv->first_name && *name.data != '"' && !char_is_blank(*name.data)))
        return false;
    name = header_name(csv->wish, name, room);
    return text_equal(name, (struct text){ csv->first_name, csv->first_length });
}

uint64_t csv_place(const struct csv *csv, unsigned column)
{
    unsigned field = csv->field_of[column];

    assert(column < csv->wish->count);
    return csv_row_has(csv, column) && field && csv->problem <= CSV_FIELDS ? (uint64_t)csv->starts[field] + 1 : 1;
}
