/* device_log_layout.c: lines of a device log that are no rows, and the columns of those that are. */
#include "tenstorrent/device_log_layout.h"

#include <assert.h>

#include "base/number.h"
#include "tenstorrent/markers.h"

static const struct tt_layout known_layouts[] = {
    { 6, { CHIP, CORE_X, CORE_Y, RISC, TIMER_ID, TIME } },
    { 12, { CHIP, CORE_X, CORE_Y, RISC, TIMER_ID, TIME, DATA, RUN_ID, ZONE, TYPE, LINE, FILE_NAME } },
    { 13, { CHIP, CORE_X, CORE_Y, RISC, TIMER_ID, TIME, DATA, HOST_ID, ZONE, TYPE, LINE, FILE_NAME, METADATA } },
    { 15,
      { CHIP, CORE_X, CORE_Y, RISC, TIMER_ID, TIME, DATA, HOST_ID, TRACE_ID, REPLAY, ZONE, TYPE, LINE, FILE_NAME,
        METADATA } },
};

static const struct {
    const char *name;
    enum tt_field field;
} column_names[] = {
    { "PCIe slot", CHIP },
    { "core_x", CORE_X },
    { "core_y", CORE_Y },
    { "RISC processor type", RISC },
    { "timer_id", TIMER_ID },
    { "time[cycles since reset]", TIME },
    { "stat value", DATA },
    { "data", DATA },
    { "run ID", RUN_ID },
    { "run host ID", HOST_ID },
    { "trace id", TRACE_ID },
    { "trace id counter", REPLAY },
    { "zone name", ZONE },
    { "zone phase", TYPE },
    { "type", TYPE },
    { "source line", LINE },
    { "source file", FILE_NAME },
    { "meta data", METADATA },
};

bool tt_is_info(struct text line)
{
    return text_begins(line, "ARCH:") || text_begins(line, "ARCH :") || text_begins(line, "Chip clock is at");
}

bool tt_is_names(struct text line)
{
    (void)text_cut_start(&line, ","); /* pandas puts the number of each row before it, without a name */
    return text_begins(line, "PCIe slot");
}

/* The driver logs such a line when a buffer on the device was full. A row begins with the number of its chip, whatever its zone is
 * called. */
bool tt_is_notice(struct text line)
{
    size_t digits = 0;

    while (digits < line.length && char_is_digit(line.data[digits]))
        digits++;
    if (digits && digits < line.length && line.data[digits] == ',')
        return false;
    return text_contains(line, "dropped") && text_contains(line, "marker");
}

struct text tt_info_value(struct text line, const char *key)
{
    while (line.data) {
        struct text part = text_trim(text_take(&line, ','));
        const char *colon = text_last(part, ':');

        if (text_begins(part, key) && colon)
            return text_trim(text_between(colon + 1, part.data + part.length));
    }
    return (struct text){ "", 0 };
}

bool tt_info_gigahertz(struct text line, int64_t *mhz)
{
    const char *unit = text_find(line, "GHz"), *at = text_find(line, " at ");
    struct text number = at && unit >= at + 4 ? text_trim(text_between(at + 4, unit)) : (struct text){ "", 0 };
    double value;

    if (!number_parse_decimal(number.data, number.length, &value) || !(value > 0) || value > 1000)
        return false;
    *mhz = (int64_t)(value * 1000 + 0.5);
    return *mhz > 0;
}

uint64_t tt_notice_count(struct text line)
{
    uint64_t value = 0;

    if (text_contains(line, "Profiler DRAM")) /* one for each buffer; its numbers name a core */
        return 1;
    for (size_t i = 0; i < line.length; i++) {
        const char *at = line.data + i;

        if (line.data[i] >= '0' && line.data[i] <= '9' && (i == 0 || line.data[i - 1] == ' ') &&
            number_read_unsigned(&at, line.data + line.length, &value) && at < line.data + line.length && *at == ' ')
            return value;
    }
    return 1;
}

static enum tt_field field_named(struct text name)
{
    for (size_t i = 0; i < sizeof column_names / sizeof *column_names; i++) {
        if (text_is_any_case(name, column_names[i].name))
            return column_names[i].field;
    }
    return NO_FIELD;
}

bool tt_layout_read(struct text names, struct tt_layout *layout)
{
    assert(names.data);
    *layout = (struct tt_layout){ .count = 0 };
    while (names.data && layout->count < TT_MOST_COLUMNS)
        layout->fields[layout->count++] = (uint8_t)field_named(text_trim(text_take(&names, ',')));
    for (unsigned i = 0; i <= TIME; i++)
        if (layout->fields[i] != i)
            return false;
    return true;
}

const struct tt_layout *tt_layout_known(unsigned count)
{
    for (size_t i = 0; i < sizeof known_layouts / sizeof *known_layouts; i++)
        if (known_layouts[i].count == count)
            return &known_layouts[i];
    return NULL;
}

unsigned tt_count_columns(struct text line)
{
    unsigned count = 1;

    for (size_t i = 0; i < line.length; i++)
        count += line.data[i] == ',';
    return count;
}

bool tt_split(const struct tt_layout *layout, const char *at, const char *end, struct text fields[NO_FIELD + 1])
{
    assert(at <= end && layout->count <= TT_MOST_COLUMNS);
    for (unsigned column = TIMER_ID; column < layout->count; column++) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma ? comma : end;

        if (!comma != (column + 1 == layout->count))
            return false;
        fields[layout->fields[column]] = text_trim(text_between(at, stop));
        at = stop + 1;
    }
    return true;
}

static size_t digits_of(int64_t number)
{
    size_t count = 1;

    while (number /= 10)
        count++;
    return count;
}

bool tt_is_cut(struct text line, int64_t smallest, size_t *time)
{
    const char *end = line.data + line.length, *comma = memrchr(line.data, ',', line.length);
    const char *id_comma = comma ? memrchr(line.data, ',', (size_t)(comma - line.data)) : NULL;
    struct text id, value;
    int64_t number;

    if (!id_comma || smallest == INT64_MAX)
        return false;
    id = text_trim(text_between(id_comma + 1, comma));
    value = text_trim(text_between(comma + 1, end));
    *time = (size_t)(value.data - line.data);
    return number_parse_integer(id.data, id.length, &number) && number < FIRST_SUM_ID && /* sums may be of any size */
           number_parse_integer(value.data, value.length, &number) && value.length < digits_of(smallest);
}

/* A note with numbers in it lives in the pool of strings. */
static status note_generations(struct source *source, const struct marker_log *log, const struct tt_oddities *odd)
{
    string_id note;
    status code;

    if (!odd->changed_line)
        return STATUS_OK;
    code = strings_add_format(
        log->strings, &note, "the log changes its generation: from line %llu on rows have %u columns, not %u%s",
        (unsigned long long)odd->changed_line, odd->changed_to, odd->changed_from,
        log->numbered && log->zoned ? "; cores of six-column rows are numbered without gaps, later ones by "
                                      "their place on the chip, so the same core may be there under two "
                                      "numbers"
                                    : "");
    if (code == STATUS_OK)
        source_note(source, strings_text(log->strings, note));
    return code;
}

/* A header that is none: what its columns are follows from how many there are. */
static status note_names(struct source *source, const struct marker_log *log, const struct tt_oddities *odd)
{
    string_id note;
    status code;

    if (!odd->unnamed_line)
        return STATUS_OK;
    code =
        strings_add_format(log->strings, &note,
                           "the header in line %llu does not name the first six columns as device logs do (PCIe slot, "
                           "core_x, core_y, RISC processor type, timer_id, time): columns are taken by their places",
                           (unsigned long long)odd->unnamed_line);
    if (code == STATUS_OK)
        source_note(source, strings_text(log->strings, note));
    return code;
}

static status note_dropping(struct source *source, const struct marker_log *log)
{
    string_id note;
    status code;

    if (!log->notices)
        return STATUS_OK;
    code = strings_add_format(
        log->strings, &note,
        "the device dropped markers because its buffers were full: %llu notice%s, the first in line %llu, "
        "of %llu markers or more; durations that need them are missing or too short",
        (unsigned long long)log->notices, log->notices == 1 ? "" : "s", (unsigned long long)log->notice_line,
        (unsigned long long)log->dropped);
    if (code == STATUS_OK)
        source_note(source, strings_text(log->strings, note));
    return code;
}

status tt_note_oddities(struct source *source, const struct marker_log *log, const struct tt_oddities *odd)
{
    status code;

    if (odd->two_clocks)
        source_note(source, "the log tells two architectures or clocks; all times are taken with the first");
    code = note_names(source, log, odd);
    if (code == STATUS_OK)
        code = note_generations(source, log, odd);
    if (code == STATUS_OK)
        code = note_dropping(source, log);
    source->generation = log->zoned ? (log->numbered ? "G1 and later" : "G2 to G5") : "G0, G1";
    return code;
}
