#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/memory.h"
#include "base/number.h"
#include "tenstorrent/ops_csv.h"
#include "torq/csv.h"

static const char *const column_names[FIXED_COLUMNS] = {
    [CODE] = "OP CODE",
    [TYPE] = "OP TYPE",
    [CALL] = "GLOBAL CALL COUNT",
    [DEVICE] = "DEVICE ID",
    [ARCHITECTURE] = "DEVICE ARCH",
    [ATTRIBUTES] = "ATTRIBUTES",
    [FIDELITY] = "MATH FIDELITY",
    [CORES] = "CORE COUNT",
    [WORKER_CORES] = "AVAILABLE WORKER CORE COUNT",
    [HOST_START] = "HOST START TS",
    [HOST_END] = "HOST END TS",
    [HOST_DURATION] = "HOST DURATION [ns]",
    [OPS_FIRMWARE_START] = "DEVICE FW START CYCLE",
    [OPS_FIRMWARE_END] = "DEVICE FW END CYCLE",
    [FIRMWARE_DURATION] = "DEVICE FW DURATION [ns]",
    [KERNEL_DURATION] = "DEVICE KERNEL DURATION [ns]",
    [LATENCY] = "OP TO OP LATENCY [ns]",
    [TRACE] = "METAL TRACE ID",
    [REPLAY] = "METAL TRACE REPLAY SESSION ID",
};

/* ---- Header ---- */

/* INPUT_3_Y, INPUT_3_Y_PAD[LOGICAL], OUTPUT_0_DATATYPE, OUTPUT_0_DATA TYPE, INPUT_0_MEMORY. */
static unsigned tensor_slot(struct text name, bool *padded)
{
    static const char *const sizes[] = { "_W", "_Z", "_Y", "_X" };
    static const char suffix[] = "_PAD[LOGICAL]";
    bool input = name.length > 6 && memcmp(name.data, "INPUT_", 6) == 0;
    bool output = name.length > 7 && memcmp(name.data, "OUTPUT_", 7) == 0;
    const char *next = name.data + (input ? 6 : 7);
    const char *end = name.data + name.length;
    uint64_t index;
    unsigned base;
    struct text rest;

    if ((!input && !output) || !number_read_unsigned(&next, end, &index) ||
        index >= (uint64_t)(input ? MOST_INPUTS : MOST_OUTPUTS))
        return NO_SLOT;
    base = FIXED_COLUMNS + ((input ? 0 : MOST_INPUTS) + (unsigned)index) * PARTS;
    rest = (struct text){ next, (size_t)(end - next) };
    if (text_is(rest, "_DATATYPE") || text_is(rest, "_DATA TYPE"))
        return base + PART_DATATYPE;
    if (text_is(rest, "_MEMORY"))
        return base + PART_MEMORY;
    if (rest.length > sizeof suffix && memcmp(end - (sizeof suffix - 1), suffix, sizeof suffix - 1) == 0) {
        rest.length -= sizeof suffix - 1;
        *padded = true;
    }
    for (unsigned i = 0; i < 4; i++) {
        if (text_is(rest, sizes[i]))
            return base + i;
    }
    return NO_SLOT;
}

static unsigned slot_named(struct text name, bool *padded)
{
    for (unsigned i = 0; i < FIXED_COLUMNS; i++) {
        if (text_is(name, column_names[i]))
            return i;
    }
    return text_is(name, "OP NAME") ? CODE : tensor_slot(name, padded); /* that of the device's own report */
}

/* The field at `*next`, which moves to its delimiter or the end. False: its quote is not closed, or not where the field ends;
 * `*open`: a further line may close it. */
static bool take_field(const char **next, const char *end, struct text *raw, bool *open)
{
    const char *start = *next;
    const char *after = start;

    if (start == end || *start != '"') {
        after = start == end ? NULL : memchr(start, ',', (size_t)(end - start));
        *next = after ? after : end;
        *raw = (struct text){ start, (size_t)(*next - start) };
        return true;
    }
    for (after = start + 1;; after += 2) {
        after = after < end ? memchr(after, '"', (size_t)(end - after)) : NULL;
        *open = !after;
        if (!after)
            return false;
        if (after + 1 == end || after[1] != '"')
            break;
    }
    *next = after + 1;
    *raw = (struct text){ start, (size_t)(*next - start) };
    return *next == end || **next == ',';
}

static struct text header_name(struct text raw)
{
    raw = csv_trim(raw);
    if (raw.length > 1 && *raw.data == '"' && raw.data[raw.length - 1] == '"')
        raw = csv_trim((struct text){ raw.data + 1, raw.length - 2 });
    return raw;
}

/* A report of devices alone, without the host's files: it has cycles, and no types of operations. */
static bool is_bare(const bool *has)
{
    return !has[TYPE] && has[CALL] && has[OPS_FIRMWARE_START] && has[KERNEL_DURATION];
}

/* Places of the columns; the number of fields, 0 where the line is no header of such a report. */
static unsigned read_header(struct text line, uint16_t *slot_of, bool *has, bool *padded, struct text *first)
{
    const char *next = line.data;
    const char *end = line.data + line.length;
    unsigned count = 0;

    *padded = false;
    for (;; next++) {
        struct text name;
        unsigned slot;
        bool open;

        if (count == MOST_FIELDS || !take_field(&next, end, &name, &open))
            return 0;
        name = header_name(name);
        if (!count)
            *first = name;
        slot = slot_named(name, padded);
        /* Of two columns of one name the first counts. */
        if (slot != NO_SLOT && has[slot])
            slot = NO_SLOT;
        if (slot != NO_SLOT)
            has[slot] = true;
        slot_of[count++] = (uint16_t)slot;
        if (next == end)
            return (has[CODE] && has[TYPE]) || is_bare(has) ? count : 0;
    }
}

bool ops_csv_starts_as_header(const struct ops_csv *csv)
{
    struct text line = { csv->line.data, csv->line.length };
    struct text first;
    const char *next = line.data;
    bool open;

    if (!line.length || (*line.data != csv->first_name[0] && *line.data != '"' && *line.data != ' '))
        return false;
    if (!take_field(&next, line.data + line.length, &first, &open))
        return false;
    first = header_name(first);
    return first.length == csv->first_length && memcmp(first.data, csv->first_name, first.length) == 0;
}

static void forget_columns(struct ops_csv *csv)
{
    for (unsigned i = 0; i <= SLOTS; i++)
        csv->values[i] = (struct text){ "", 0 };
    memset(csv->has, 0, sizeof csv->has);
}

bool ops_csv_take_header(struct ops_csv *csv)
{
    struct text line = { csv->line.data, csv->line.length };
    struct text first;

    forget_columns(csv);
    csv->field_count = read_header(line, csv->slot_of, csv->has, &csv->padded, &first);
    if (!csv->field_count || first.length > sizeof csv->first_name || !first.length)
        return false;
    memcpy(csv->first_name, first.data, first.length);
    csv->first_length = first.length;
    csv->wanted_count = csv->tensor_count = 0;
    for (unsigned i = 0; i < csv->field_count; i++) {
        if (csv->slot_of[i] != NO_SLOT)
            csv->wanted[csv->wanted_count++] = (struct wanted){ (uint16_t)i, csv->slot_of[i] };
    }
    for (unsigned i = FIXED_COLUMNS; i < SLOTS; i++) {
        uint8_t tensor = (uint8_t)((i - FIXED_COLUMNS) / PARTS);

        if (csv->has[i] && (!csv->tensor_count || csv->tensors[csv->tensor_count - 1] != tensor))
            csv->tensors[csv->tensor_count++] = tensor;
    }
    return true;
}

/* ---- Rows ---- */

/* A field without its quotes. */
static status unquote(struct ops_csv *csv, struct text raw, size_t *used, struct text *value)
{
    const char *from = raw.data;
    size_t length = 0;
    status code;

    *value = (struct text){ from + 1, raw.length - 2 };
    if (!memchr(value->data, '"', value->length))
        return STATUS_OK;
    /* The whole row at most: what was put there before stays where it is. */
    code = memory_grow(&csv->plain, &csv->plain_capacity, csv->line.length, 1);
    if (code != STATUS_OK)
        return code;
    for (size_t i = 1; i + 1 < raw.length; i++) {
        csv->plain[*used + length++] = from[i];
        if (from[i] == '"')
            i++;
    }
    *value = (struct text){ csv->plain + *used, length };
    *used += length;
    return STATUS_OK;
}

/* A bit for each of the first `length` bytes, 64 at most, that is a comma, the first byte's lowest. `*quotes`: one is a quote. */
static uint64_t comma_bits_plain(const char *data, size_t length, bool *quotes)
{
    uint64_t bits = 0;

    for (size_t i = 0; i < length; i++) {
        bits |= (uint64_t)(data[i] == ',') << i;
        *quotes |= data[i] == '"';
    }
    return bits;
}

#if defined(__x86_64__)
static uint64_t comma_bits(const char *data, size_t length, bool *quotes)
{
    const __m128i comma = _mm_set1_epi8(','), quote = _mm_set1_epi8('"');
    __m128i any = _mm_setzero_si128();
    uint64_t bits = 0;

    if (length < 64)
        return comma_bits_plain(data, length, quotes);
    for (unsigned i = 0; i < 4; i++) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(data + i * 16));

        bits |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, comma)) << i * 16;
        any = _mm_or_si128(any, _mm_cmpeq_epi8(bytes, quote));
    }
    *quotes |= _mm_movemask_epi8(any) != 0;
    return bits;
}
#else
static uint64_t comma_bits(const char *data, size_t length, bool *quotes)
{
    return comma_bits_plain(data, length < 64 ? length : 64, quotes);
}
#endif

typedef uint64_t (*find_commas)(const char *data, size_t length, bool *quotes);

/* Takes a row apart that has no quotes, which is nearly every one; `*quotes`: it has some. Behind the last field that somebody
 * wants, commas are only counted. Made anew for each way to find commas. */
static inline __attribute__((always_inline)) const struct loss_reason *split_with(struct ops_csv *csv, bool *quotes,
                                                                                  find_commas find)
{
    const char *data = csv->line.data;
    size_t length = csv->line.length;
    unsigned last = csv->wanted[csv->wanted_count - 1].field;
    unsigned count = 0;

    for (size_t at = 0; at < length; at += 64) {
        uint64_t bits = find(data + at, length - at, quotes);

        if (*quotes)
            return NULL;
        if (count > last) {
            count += (unsigned)__builtin_popcountll(bits);
            continue;
        }
        /* Room for the commas of 64 bytes is behind the last field that a header may have. */
        for (; bits; bits &= bits - 1)
            csv->ends[count++] = (uint32_t)(at + (unsigned)__builtin_ctzll(bits));
    }
    if (count + 1 != csv->field_count)
        return &loss_fields;
    if (count == last)
        csv->ends[count] = (uint32_t)length;
    for (unsigned i = 0; i < csv->wanted_count; i++) {
        unsigned field = csv->wanted[i].field;
        size_t start = field ? csv->ends[field - 1] + 1 : 0;

        csv->values[csv->wanted[i].slot] = (struct text){ data + start, csv->ends[field] - start };
    }
    return NULL;
}

static const struct loss_reason *split_narrow(struct ops_csv *csv, bool *quotes)
{
    return split_with(csv, quotes, comma_bits);
}

#if defined(__x86_64__)
/* Nearly every processor of today can do 32 bytes at once and count bits; a build for all of them may not assume it. */
__attribute__((target("avx2,bmi,popcnt"))) static inline uint64_t comma_bits_wide(const char *data, size_t length,
                                                                                  bool *quotes)
{
    const __m256i comma = _mm256_set1_epi8(','), quote = _mm256_set1_epi8('"');
    __m256i low, high;

    if (length < 64)
        return comma_bits_plain(data, length, quotes);
    low = _mm256_loadu_si256((const __m256i *)(const void *)data);
    high = _mm256_loadu_si256((const __m256i *)(const void *)(data + 32));
    *quotes |=
        _mm256_movemask_epi8(_mm256_or_si256(_mm256_cmpeq_epi8(low, quote), _mm256_cmpeq_epi8(high, quote))) != 0;
    return (uint64_t)(unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, comma)) |
           (uint64_t)(unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, comma)) << 32;
}

__attribute__((target("avx2,bmi,popcnt"))) static const struct loss_reason *split_wide(struct ops_csv *csv,
                                                                                       bool *quotes)
{
    return split_with(csv, quotes, comma_bits_wide);
}

static const struct loss_reason *split_plain(struct ops_csv *csv, bool *quotes)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") ? split_wide(csv, quotes)
                                                                           : split_narrow(csv, quotes);
}
#else
static const struct loss_reason *split_plain(struct ops_csv *csv, bool *quotes)
{
    return split_narrow(csv, quotes);
}
#endif

/* Takes the row apart. NULL: done; &loss_quote: a quote is not closed, `*open` if a further line may close it. */
static status split_row(void *row, const struct loss_reason **reason, bool *open)
{
    struct ops_csv *csv = row;
    const char *next = csv->line.data;
    const char *end = next + csv->line.length;
    bool quotes = false;
    size_t used = 0;

    *open = false;
    *reason = split_plain(csv, &quotes);
    if (!quotes)
        return STATUS_OK;
    for (unsigned count = 0; count < csv->field_count; next++) {
        struct text *value = &csv->values[csv->slot_of[count++]];

        if (next < end && *next == ',') {
            *value = (struct text){ next, 0 };
            continue;
        }
        if (!take_field(&next, end, value, open)) {
            *reason = &loss_quote;
            return STATUS_OK;
        }
        if (value->length && *value->data == '"') {
            status code = unquote(csv, *value, &used, value);

            if (code != STATUS_OK)
                return code;
        }
        if (next == end) {
            *reason = count == csv->field_count ? NULL : &loss_fields;
            return STATUS_OK;
        }
    }
    *reason = &loss_fields;
    return STATUS_OK;
}

status ops_csv_split(struct ops_csv *csv, const struct loss_reason **reason)
{
    return csv_split_row(csv->lines, &csv->line, ROW_LONGEST, split_row, csv, reason);
}

bool ops_csv_probe(struct text line, bool has[SLOTS])
{
    uint16_t *slot_of = memory_allocate(MOST_FIELDS * sizeof *slot_of);
    struct text first;
    bool padded;
    bool found = slot_of && read_header(line, slot_of, has, &padded, &first);

    memory_free(slot_of);
    return found;
}
