/* device_log.c: profile_log_device.csv of Tenstorrent's tt-metal: time markers of every RISC of every core.
 *
 *   ARCH: grayskull, CHIP_FREQ[MHz]: 1202
 *   PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset]
 *   0, 0, 0, NCRISC, 1, 63540641338544
 *
 * Six columns have a number for what was marked; later logs (12, 13, 15 columns) name zones, programs and replays of
 * traces. Columns are found by their names where the log has them, else by their number. Rows come core by core and in
 * no order of time; the file may go on with another header.
 *
 * A row mostly belongs to the same RISC as the row before: its first four fields are then the same bytes, and are not
 * looked at.
 */
#include <assert.h>
#include <string.h>

#include "base/lines.h"
#include "base/memory.h"
#include "base/number.h"
#include "tenstorrent/device_log.h"
#include "tenstorrent/device_log_layout.h"

enum {
    LARGEST_MHZ = 1000000,
    LARGEST_CHIP = 4095,
    LARGEST_COORDINATE = 255,
    LONGEST_PREFIX = 44, /* bytes of the first four fields that are remembered */
    LONGEST_RISC = 64,
    KIND_CACHE = 512,
    SMALL_IDS = 64
};

#define LATEST ((uint64_t)INT64_MAX / 2) /* time: sums of two must fit */

/* A kind that was met, by what its row says about it. */
struct kind_entry {
    const char *tail;  /* from the zone's name to the end of the row, in the string pool; NULL: free */
    size_t length;     /* of the tail */
    uint32_t timer_id; /* of the marker */
    string_id risc;    /* its name */
    uint32_t kind;     /* in the log */
};

/* The kinds of a RISC's numbered markers. */
struct risc_entry {
    string_id risc;            /* its name */
    uint32_t kinds[SMALL_IDS]; /* kind + 1 by timer id; 0: not met */
};

/* How rows of a lane begin, and which lane's rows came behind them last time: logs repeat their order. */
struct lane_entry {
    struct marker_lane *lane;    /* of the log */
    uint32_t risc;               /* place among the RISCs */
    uint32_t follower;           /* lane; NO_ID: none yet */
    uint32_t length;             /* of the prefix; 0: it is longer than what is kept */
    char prefix[LONGEST_PREFIX]; /* chip, core and RISC, as rows print them */
};

struct reading {
    struct source *source;               /* borrowed */
    struct marker_log *log;              /* that is filled; borrowed */
    struct tt_layout layout;             /* of the rows now */
    struct tt_layout named;              /* of the last line with column names; count 0: none */
    uint64_t line;                       /* number of the row at hand */
    struct lane_entry *lanes;            /* by lane of the log */
    size_t lane_count, lane_capacity;    /* of lanes */
    struct risc_entry *riscs;            /* in the order in which they were met; owned */
    size_t risc_count, risc_capacity;    /* of riscs */
    uint32_t lane;                       /* of the row before; NO_ID: none */
    string_id risc;                      /* of that lane */
    struct kind_entry kinds[KIND_CACHE]; /* by hash; a newer one takes the place */
    struct marker_program program;       /* of the row before */
    uint32_t program_id;                 /* of that program in the log */
    char middle[LONGEST_PREFIX];         /* between time and zone of a row without data: most rows repeat it */
    size_t middle_length;                /* 0: none, or it is longer */
    uint32_t middle_program;             /* the program that it names */
    struct tt_oddities odd;              /* to be told at the end */
    bool unended;                        /* the line has no line end: the file was cut there, or somebody edited it */
    bool indexed;                        /* rows have their number before them */
};

/* ---- Header ---- */

/* The clock and the architecture that a line tells; those of the oldest logs, which name none, are all of one chip. */
static bool read_clock(struct text line, struct text *arch, int64_t *mhz)
{
    struct text frequency = tt_info_value(line, "CHIP_FREQ");

    *arch = (struct text){ "grayskull", 9 };
    if (!text_begins(line, "ARCH"))
        return tt_info_gigahertz(line, mhz);
    *arch = tt_info_value(line, "ARCH");
    return number_parse_integer(frequency.data, frequency.length, mhz) && *mhz >= 1 && *mhz <= LARGEST_MHZ;
}

static status read_info(struct reading *reading, struct text line)
{
    struct marker_log *log = reading->log;
    struct text cores = tt_info_value(line, "Max Compute Cores"), arch;
    int64_t mhz = 0, count;
    bool told = read_clock(line, &arch, &mhz);
    string_id name;
    status code = strings_add(log->strings, arch.data, arch.length, &name);

    if (code == STATUS_OK && memchr(line.data, '\r', line.length)) /* the whole log would be taken for its first line */
        code = status_fail_at(STATUS_INPUT, (struct place){ input_name(reading->source->input), reading->line, 1 },
                              "its lines end with carriage returns alone: line feeds are wanted");
    if (code != STATUS_OK)
        return code;
    if (log->clock_told && (name != log->arch || (told && (uint64_t)mhz != log->clock_numerator))) {
        reading->odd.two_clocks = true;
        return STATUS_OK;
    }
    if (!told)
        source_note(reading->source,
                    "the header does not tell the chip's clock, as in \"ARCH: grayskull, CHIP_FREQ[MHz]: 1202\"");
    log->arch = name;
    if (told) {
        log->clock_numerator = (uint64_t)mhz;
        log->clock_denominator = 1;
        log->clock_told = true;
    }
    if (cores.length && number_parse_integer(cores.data, cores.length, &count) && count > 0 && count < INT32_MAX)
        log->compute_cores = (uint32_t)count;
    return STATUS_OK;
}

/* ---- Fields ---- */

static bool is_blank(char character)
{
    return character == ' ' || character == '\t';
}

/* A number of up to 19 digits, which 64 bits hold, between blanks, at `*at`; ended by a comma, which is taken, or the end of the
 * line. */
static bool read_number(const char **at, const char *end, uint64_t *value)
{
    const char *next = *at;
    uint64_t number = 0;
    const char *digits;

    while (next < end && is_blank(*next))
        next++;
    digits = next;
    for (unsigned digit; next < end && (digit = (unsigned)(*next - '0')) <= 9; next++)
        number = number * 10 + digit;
    if (next == digits || next - digits > 19)
        return false;
    while (next < end && is_blank(*next))
        next++;
    if (next < end && *next++ != ',')
        return false;
    *at = next;
    *value = number;
    return true;
}

/* The longest numbers there are: 64 bits of data. */
static bool read_wide(struct text text, uint64_t *value)
{
    const char *cursor = text.data;

    *value = 0;
    if (!text.length)
        return true;
    return number_read_unsigned(&cursor, text.data + text.length, value) && cursor == text.data + text.length;
}

static status lose(struct reading *reading, const struct loss_reason *reason, uint64_t column)
{
    return source_lose_row(reading->source, &reading->log->losses, reading->unended ? &loss_cut_off : reason,
                           reading->line, column);
}

static status find_risc(struct reading *reading, string_id risc, uint32_t *place)
{
    status code;

    for (*place = 0; *place < reading->risc_count; ++*place)
        if (reading->riscs[*place].risc == risc)
            return STATUS_OK;
    code = memory_grow(&reading->riscs, &reading->risc_capacity, reading->risc_count + 1, sizeof *reading->riscs);
    if (code == STATUS_OK)
        reading->riscs[reading->risc_count++] = (struct risc_entry){ .risc = risc };
    return code;
}

/* Remembers how rows of the current lane begin. */
static status remember_lane(struct reading *reading, struct text prefix)
{
    struct lane_entry *entry;
    status code = STATUS_OK;

    while (code == STATUS_OK && reading->lane_count <= reading->lane) {
        code = memory_grow(&reading->lanes, &reading->lane_capacity, reading->lane_count + 1, sizeof *reading->lanes);
        if (code == STATUS_OK)
            reading->lanes[reading->lane_count++] = (struct lane_entry){ .follower = NO_ID };
    }
    if (code != STATUS_OK)
        return code;
    entry = &reading->lanes[reading->lane];
    entry->lane = marker_lane_at(reading->log, reading->lane);
    entry->length = prefix.length <= LONGEST_PREFIX ? (uint32_t)prefix.length : 0;
    memcpy(entry->prefix, prefix.data, entry->length);
    return find_risc(reading, reading->risc, &entry->risc);
}

/* The first four fields of a row: which RISC it is about. `*at` is behind them. */
static status read_lane(struct reading *reading, struct text line, const char **at, bool *found)
{
    const char *next = line.data, *end = line.data + line.length, *comma;
    uint32_t before = reading->lane;
    uint64_t chip, x, y;
    struct text risc;
    status code;

    *found = false;
    if (!read_number(&next, end, &chip) || !read_number(&next, end, &x) || !read_number(&next, end, &y) ||
        chip > LARGEST_CHIP || x > LARGEST_COORDINATE || y > LARGEST_COORDINATE)
        return lose(reading, &loss_number, (uint64_t)(next - line.data) + 1);
    comma = memchr(next, ',', (size_t)(end - next));
    risc = text_trim(text_between(next, comma ? comma : end));
    if (!comma || !risc.length || risc.length > LONGEST_RISC)
        return lose(reading, &loss_fields, (uint64_t)(next - line.data) + 1);
    for (size_t i = 0; i < risc.length; i++)
        if ((unsigned char)risc.data[i] < ' ' || risc.data[i] == 0x7F) /* it is shown to people */
            return lose(reading, &loss_binary, (uint64_t)(next - line.data) + 1);
    code = strings_add(reading->log->strings, risc.data, risc.length, &reading->risc);
    if (code == STATUS_OK)
        code = marker_log_lane(reading->log, (int64_t)chip, (int32_t)x, (int32_t)y, reading->risc, &reading->lane);
    if (code != STATUS_OK)
        return code;
    *at = comma + 1;
    *found = true;
    code = remember_lane(reading, (struct text){ line.data, (size_t)(*at - line.data) });
    if (code == STATUS_OK && before != NO_ID)
        reading->lanes[before].follower = reading->lane;
    return code;
}

static bool has_prefix(const struct reading *reading, uint32_t lane, struct text line)
{
    const struct lane_entry *entry = &reading->lanes[lane];

    return entry->length && line.length > entry->length && text_same(entry->prefix, line.data, entry->length);
}

/* The lane of a row that begins as rows before it did: the same lane, or the one that came after it before. */
static bool guess_lane(struct reading *reading, struct text line)
{
    uint32_t follower;

    if (reading->lane == NO_ID)
        return false;
    if (has_prefix(reading, reading->lane, line))
        return true;
    follower = reading->lanes[reading->lane].follower;
    if (follower == NO_ID || !has_prefix(reading, follower, line))
        return false;
    reading->lane = follower;
    reading->risc = reading->lanes[follower].lane->risc;
    return true;
}

/* ---- Kinds ---- */

/* The zone that a firmware's marker belongs to: BRISC-FW; the three TRISCs share their name. */
static status standard_zone(struct reading *reading, bool kernel, string_id *zone)
{
    struct text risc = strings_get(reading->log->strings, reading->risc);
    const char *underscore = memchr(risc.data, '_', risc.length);
    size_t length = underscore && text_begins(risc, "TRISC") ? (size_t)(underscore - risc.data) : risc.length;

    return strings_add_format(reading->log->strings, zone, "%.*s-%s", (int)length, risc.data, kernel ? "KERNEL" : "FW");
}

static status numbered_kind(struct reading *reading, uint32_t timer_id, uint32_t *id)
{
    struct marker_kind kind = {
        .timer_id = timer_id, .numbered = true, .risc = reading->risc, .standard = MARKER_NO_DEFAULT
    };
    status code = STATUS_OK;

    if (!timer_id)
        kind.standard = MARKER_T0;
    if (timer_id >= FIRMWARE_START && timer_id <= FIRMWARE_END) {
        kind.standard = (uint8_t)timer_id;
        kind.phase = timer_id == FIRMWARE_START || timer_id == KERNEL_START ? MARKER_START : MARKER_END;
        code = standard_zone(reading, timer_id == KERNEL_START || timer_id == KERNEL_END, &kind.zone);
    } else if (timer_id >= FIRST_SUM_ID) {
        kind.phase = MARKER_TOTAL;
        if (timer_id == FIRST_SUM_ID)
            code = strings_add_text(reading->log->strings, "CB-COMPUTE-WAIT-FRONT", &kind.zone);
        else if (timer_id == FIRST_SUM_ID + 1)
            code = strings_add_text(reading->log->strings, "CB-COMPUTE-RESERVE-BACK", &kind.zone);
    }
    if (code == STATUS_OK)
        code = marker_log_kind(reading->log, &kind, id);
    if (code == STATUS_OK && timer_id < SMALL_IDS)
        reading->riscs[reading->lanes[reading->lane].risc].kinds[timer_id] = *id + 1;
    return code;
}

static uint8_t standard_of(struct text zone, enum marker_phase phase)
{
    bool firmware = text_ends(zone, "-FW"), kernel = text_ends(zone, "-KERNEL");

    if ((!firmware && !kernel) || (phase != MARKER_START && phase != MARKER_END) || text_begins(zone, "TRACE-"))
        return MARKER_NO_DEFAULT;
    if (firmware)
        return phase == MARKER_START ? FIRMWARE_START : FIRMWARE_END;
    return phase == MARKER_START ? KERNEL_START : KERNEL_END;
}

/* A column that the layout lacks is empty. */
static struct text given(struct text field)
{
    return field.data ? field : (struct text){ "", 0 };
}

static struct kind_entry *find_entry(struct reading *reading, uint32_t timer_id, struct text tail)
{
    return &reading->kinds[(timer_id * 31u + (uint32_t)tail.length * 7u + reading->risc * 101u) % KIND_CACHE];
}

static bool is_kind(const struct kind_entry *entry, uint32_t timer_id, string_id risc, struct text tail)
{
    return entry->tail && entry->timer_id == timer_id && entry->risc == risc && entry->length == tail.length &&
           text_same(entry->tail, tail.data, tail.length);
}

/* The kind of a row with zones. `tail` is all of the row that tells it, apart from number and RISC. */
static status zone_kind(struct reading *reading, uint32_t timer_id, const struct text *fields, struct text tail,
                        uint32_t *id, bool *known)
{
    struct text zone = given(fields[ZONE]), file = given(fields[FILE_NAME]);
    struct kind_entry *entry = find_entry(reading, timer_id, tail);
    struct marker_kind kind = { .timer_id = timer_id, .risc = reading->risc };
    enum marker_phase phase = MARKER_POINT;
    uint64_t line = 0;
    string_id kept;
    status code;

    if (is_kind(entry, timer_id, reading->risc, tail)) {
        *id = entry->kind;
        *known = true;
        return STATUS_OK;
    }
    *known = marker_phase_read(given(fields[TYPE]), &phase) && read_wide(fields[LINE], &line);
    if (!*known)
        return STATUS_OK;
    kind.phase = (uint8_t)phase;
    kind.line = line > UINT32_MAX ? 0 : (uint32_t)line;
    kind.standard = standard_of(zone, phase);
    code = strings_add(reading->log->strings, zone.data, zone.length, &kind.zone);
    if (code == STATUS_OK)
        code = strings_add(reading->log->strings, file.data, file.length, &kind.file);
    if (code == STATUS_OK)
        code = strings_add(reading->log->strings, tail.data, tail.length, &kept);
    if (code == STATUS_OK)
        code = marker_log_kind(reading->log, &kind, id);
    if (code == STATUS_OK)
        *entry =
            (struct kind_entry){ strings_text(reading->log->strings, kept), tail.length, timer_id, reading->risc, *id };
    return code;
}

/* ---- Rows ---- */

/* Rows have another number of columns than those before, or than the header says. */
static void note_change(struct reading *reading, unsigned count)
{
    if (!reading->odd.changed_line && count != reading->layout.count)
        reading->odd = (struct tt_oddities){ reading->line, reading->layout.count, count, reading->odd.two_clocks,
                                             reading->odd.unnamed_line };
}

/* The layout of a row that does not fit the current one: the file went on with another. What is left of a row that was
 * cut off may have as many columns as a shorter layout by chance. */
static bool change_layout(struct reading *reading, struct text line)
{
    unsigned count = tt_count_columns(line);
    const struct tt_layout *layout = reading->named.count == count ? &reading->named : tt_layout_known(count);

    if (!layout || reading->layout.count == count || reading->unended)
        return false;
    note_change(reading, count);
    reading->layout = *layout;
    reading->middle_length = 0;
    return true;
}

/* An index that is empty outside of traces. */
static bool read_index(struct text text, int32_t *index)
{
    uint64_t value;

    *index = -1;
    if (!text.length || text_is(text, "-1"))
        return true;
    if (!read_wide(text, &value) || value > INT32_MAX)
        return false;
    *index = (int32_t)value;
    return true;
}

static status find_program(struct reading *reading, const struct text *fields, bool *known)
{
    struct marker_program program = { .host_id = 0 };
    uint64_t host_id;
    status code = STATUS_OK;

    *known = read_wide(fields[HOST_ID], &host_id) && host_id <= UINT32_MAX &&
             read_index(fields[TRACE_ID], &program.trace) && read_index(fields[REPLAY], &program.replay);
    program.host_id = (uint32_t)host_id;
    if (*known && (program.host_id != reading->program.host_id || program.trace != reading->program.trace ||
                   program.replay != reading->program.replay)) {
        reading->program = program;
        code = marker_log_program(reading->log, &program, &reading->program_id);
    }
    return code;
}

/* The digits at the end of a line, 16 at most, eight at a time. `end` has 16 bytes before it. False: not so. */
static bool read_last_digits(const char *start, const char *end, uint64_t *value)
{
    const uint64_t zeros = 0x3030303030303030u;
    size_t count = (size_t)(end - start), foreign = 16 - count;
    uint64_t high, low, mask;

    if (!count || count > 16)
        return false;
    memcpy(&high, end - 16, sizeof high);
    memcpy(&low, end - 8, sizeof low);
    if (foreign >= 8) {
        high = zeros;
        mask = foreign == 8 ? 0 : ((uint64_t)1 << (foreign - 8) * 8) - 1;
        low = (low & ~mask) | (zeros & mask);
    } else {
        mask = ((uint64_t)1 << foreign * 8) - 1;
        high = (high & ~mask) | (zeros & mask);
    }
    high -= zeros;
    low -= zeros;
    if (((high | low | (high + 0x7676767676767676u) | (low + 0x7676767676767676u)) & 0x8080808080808080u) != 0)
        return false;
    high = high * 10 + (high >> 8);
    low = low * 10 + (low >> 8);
    high = ((high & 0x000000FF000000FFu) * 0x000F424000000064u +
            ((high >> 16) & 0x000000FF000000FFu) * 0x0000271000000001u) >>
           32;
    low = ((low & 0x000000FF000000FFu) * 0x000F424000000064u +
           ((low >> 16) & 0x000000FF000000FFu) * 0x0000271000000001u) >>
          32;
    *value = (high & UINT32_MAX) * 100000000u + (low & UINT32_MAX);
    return true;
}

static status add_marker(struct reading *reading, const struct marker *marker)
{
    reading->log->losses.used++;
    return marker_lane_add(reading->lanes[reading->lane].lane, marker);
}

/* The usual row: one or two digits, a comma, blanks, digits up to the end, and a kind that was met before. */
static bool read_usual(const struct reading *reading, struct text line, const char *at, struct marker *marker)
{
    const struct risc_entry *risc = &reading->riscs[reading->lanes[reading->lane].risc];
    const char *end = line.data + line.length;
    unsigned timer_id;
    uint64_t time;

    if (end - line.data < 16 || end - at < 6)
        return false;
    at += *at == ' ';
    timer_id = (unsigned)(*at++ - '0');
    if (timer_id <= 9 && (unsigned)(*at - '0') <= 9)
        timer_id = timer_id * 10 + (unsigned)(*at++ - '0');
    if (timer_id >= SMALL_IDS || !risc->kinds[timer_id] || *at++ != ',')
        return false;
    at += *at == ' ';
    if (at >= end || !read_last_digits(at, end, &time))
        return false;
    *marker = (struct marker){ .time = (int64_t)time, .kind = risc->kinds[timer_id] - 1 };
    return true;
}

static status read_numbered(struct reading *reading, struct text line, const char *at)
{
    const char *end = line.data + line.length, *start;
    struct marker marker = { .more = 0 };
    uint64_t timer_id, time;
    status code;

    if (!read_number(&at, end, &timer_id) || timer_id > UINT32_MAX)
        return lose(reading, &loss_number, (uint64_t)(at - line.data) + 1);
    start = at;
    if (!read_number(&at, end, &time))
        return lose(reading, &loss_number, (uint64_t)(at - line.data) + 1);
    if (at != end || end[-1] == ',')
        return lose(reading, &loss_fields, (uint64_t)(at - line.data) + 1);
    if (time > LATEST)
        return lose(reading, &loss_time_range, (uint64_t)(start - line.data) + 1);
    code = numbered_kind(reading, (uint32_t)timer_id, &marker.kind);
    if (code != STATUS_OK)
        return code;
    marker.time = (int64_t)time;
    reading->log->numbered = true;
    if (timer_id < FIRST_SUM_ID)
        return add_marker(reading, &marker);
    reading->log->losses.used++;
    return marker_lane_add_total(reading->lanes[reading->lane].lane, &marker);
}

/* A row with zones that repeats all but number and time of rows before it. */
static bool read_usual_zone(struct reading *reading, struct text line, const char *at, struct marker *marker)
{
    const char *end = line.data + line.length;
    const struct kind_entry *entry;
    uint64_t timer_id, time;
    struct text tail;

    if (!reading->middle_length || !read_number(&at, end, &timer_id) || timer_id > UINT32_MAX ||
        !read_number(&at, end, &time) || time > LATEST || (size_t)(end - at) <= reading->middle_length ||
        !text_same(reading->middle, at, reading->middle_length))
        return false;
    tail = (struct text){ at + reading->middle_length, (size_t)(end - at) - reading->middle_length };
    entry = find_entry(reading, (uint32_t)timer_id, tail);
    if (!is_kind(entry, (uint32_t)timer_id, reading->risc, tail))
        return false;
    *marker = (struct marker){ (int64_t)time, entry->kind, reading->middle_program };
    return true;
}

/* What stands between the time and the zone of a row, where that says nothing but the program. */
static void remember_middle(struct reading *reading, const struct text *fields)
{
    const char *start = fields[TIME].data + fields[TIME].length;
    size_t length = fields[ZONE].data > start ? (size_t)(fields[ZONE].data - start) : 0;

    reading->middle_length = 0;
    if (length < 2 || length > LONGEST_PREFIX || *start != ',')
        return;
    reading->middle_length = length - 1;
    reading->middle_program = reading->program_id;
    memcpy(reading->middle, start + 1, length - 1);
}

static status read_zoned(struct reading *reading, struct text line, const struct text *fields)
{
    const char *end = line.data + line.length;
    const char *tail_end = fields[METADATA].data ? fields[METADATA].data : end;
    struct text tail = given(fields[ZONE]), metadata = given(fields[METADATA]);
    struct marker_extra extra = { .data = 0 };
    struct marker marker = { .more = 0 };
    uint64_t timer_id, time;
    bool known;
    status code;

    if (!read_wide(fields[TIMER_ID], &timer_id) || timer_id > UINT32_MAX || !read_wide(fields[TIME], &time) ||
        !fields[TIME].length || !read_wide(fields[DATA], &extra.data))
        return lose(reading, &loss_number, (uint64_t)(fields[TIMER_ID].data - line.data) + 1);
    if (time > LATEST)
        return lose(reading, &loss_time_range, (uint64_t)(fields[TIME].data - line.data) + 1);
    tail.length = fields[ZONE].data && tail_end > tail.data ? (size_t)(tail_end - tail.data) : 0;
    code = find_program(reading, fields, &known);
    if (code == STATUS_OK && known)
        code = zone_kind(reading, (uint32_t)timer_id, fields, tail, &marker.kind, &known);
    if (code != STATUS_OK)
        return code;
    if (!known)
        return lose(reading, &loss_fields, fields[ZONE].data ? (uint64_t)(tail.data - line.data) + 1 : 0);
    marker.time = (int64_t)time;
    marker.more = reading->program_id;
    if (extra.data || metadata.length) {
        extra.program = reading->program_id;
        code = strings_add(reading->log->strings, metadata.data, metadata.length, &extra.metadata);
        if (code == STATUS_OK)
            code = marker_log_extra(reading->log, &extra, &marker.more);
    } else {
        remember_middle(reading, fields);
    }
    reading->log->zoned = true;
    return code == STATUS_OK ? add_marker(reading, &marker) : code;
}

static bool is_text_line(struct text line)
{
    return !memchr(line.data, '\0', line.length);
}

/* A row behind its first four fields. */
static status read_rest(struct reading *reading, struct text line, const char *at)
{
    struct text fields[NO_FIELD + 1] = { 0 };
    const char *end = line.data + line.length;

    if (reading->layout.count == 6 && tt_count_columns((struct text){ at, (size_t)(end - at) }) == 2)
        return read_numbered(reading, line, at);
    if (reading->layout.count != 6 && tt_split(&reading->layout, at, end, fields))
        return read_zoned(reading, line, fields);
    if (!change_layout(reading, line))
        return lose(reading, is_text_line(line) ? &loss_fields : &loss_binary, 0);
    if (reading->layout.count == 6)
        return read_numbered(reading, line, at);
    memset(fields, 0, sizeof fields);
    if (!tt_split(&reading->layout, at, end, fields))
        return lose(reading, &loss_fields, 0);
    return read_zoned(reading, line, fields);
}

static void note_dropped(struct reading *reading, struct text line)
{
    if (!reading->log->notices++)
        reading->log->notice_line = reading->line;
    reading->log->dropped += tt_notice_count(line);
}

static status read_row(struct reading *reading, struct text line)
{
    const char *at;
    bool found = true;
    status code = STATUS_OK;

    reading->log->losses.rows++;
    if (guess_lane(reading, line)) {
        struct marker usual;

        at = line.data + reading->lanes[reading->lane].length;
        if (reading->layout.count == 6 ? read_usual(reading, line, at, &usual)
                                       : read_usual_zone(reading, line, at, &usual))
            return add_marker(reading, &usual);
        return read_rest(reading, line, at);
    }
    if (tt_is_notice(line)) {
        reading->log->losses.rows--;
        note_dropped(reading, line);
        return STATUS_OK;
    }
    if (!is_text_line(line))
        return lose(reading, &loss_binary, 0);
    code = read_lane(reading, line, &at, &found);
    return code == STATUS_OK && found ? read_rest(reading, line, at) : code;
}

/* The last line, where it has no line end: kept where it is whole. */
static status read_unended(struct reading *reading, struct text line)
{
    uint64_t used = reading->log->losses.used;
    size_t time;
    status code;

    if (reading->layout.count == 6 && tt_is_cut(line, marker_log_smallest(reading->log), &time)) {
        reading->log->losses.rows++;
        return lose(reading, &loss_cut_off, time + 1);
    }
    code = read_row(reading, line);
    if (code == STATUS_OK && reading->log->losses.used > used)
        losses_add(&reading->log->losses, &loss_last_line, reading->line);
    return code;
}

/* The names of columns, with a blank one for the number of rows where pandas wrote the file. */
static status read_names(struct reading *reading, struct text names)
{
    const struct tt_layout *usual;

    reading->indexed = text_cut_start(&names, ",");
    reading->middle_length = 0;
    usual = tt_layout_known(tt_count_columns(names));
    if (!tt_layout_read(names, &reading->named)) {
        reading->named.count = 0;
        if (!usual)
            return STATUS_OK;
        reading->odd.unnamed_line = reading->line;
        reading->named = *usual;
    }
    if (reading->log->losses.rows)
        note_change(reading, reading->named.count);
    reading->layout = reading->named;
    return STATUS_OK;
}

static status read_line(struct reading *reading, const struct line *line)
{
    struct text text = { line->data, line->length };

    reading->unended = !line->ended;
    if (line->too_long) {
        reading->log->losses.rows++;
        return lose(reading, &loss_too_long, 0);
    }
    if (reading->indexed && text.length && char_is_digit(*text.data) && text_first(text, ','))
        text_take(&text, ',');
    if (text.length && text.data[0] >= '0' && text.data[0] <= '9' && reading->lane != NO_ID && line->ended)
        return read_row(reading, text);
    text = text_trim(text);
    if (!text.length)
        return STATUS_OK;
    if (tt_is_info(text))
        return read_info(reading, text);
    if (tt_is_names(text))
        return read_names(reading, text);
    return line->ended ? read_row(reading, text) : read_unended(reading, text);
}

static void choose_clock(struct reading *reading)
{
    struct source *source = reading->source;
    struct marker_log *log = reading->log;

    if (log->clock_told)
        return;
    if (source->clock_numerator) {
        log->clock_numerator = source->clock_numerator;
        log->clock_denominator = source->clock_denominator;
        return;
    }
    log->clock_numerator = TT_DEVICE_USUAL_MHZ;
    log->clock_denominator = 1;
    source_note(source, "the log tells no clock: it is taken to run at 1202 MHz (--clock-mhz)");
}

static status read_lines(struct reading *reading)
{
    struct source *source = reading->source;
    struct lines *lines;
    struct line line = { .data = NULL };
    bool found = true;
    status code = lines_open(source->input, &lines);

    while (code == STATUS_OK) {
        code = lines_next(lines, &line, &found);
        if (code != STATUS_OK || !found)
            break;
        reading->line = line.number;
        code = read_line(reading, &line);
        if (source->progress && (line.number & 0xFFFF) == 0)
            progress_update(source->progress, input_consumed(source->input));
    }
    lines_close(lines);
    return code;
}

status tt_device_read_rows(struct source *source, struct marker_log *log)
{
    struct reading *reading = memory_allocate_clear(sizeof *reading);
    status code;

    assert(source->input && log->strings);
    if (!reading)
        return status_no_memory("reading a device log");
    reading->source = source;
    reading->log = log;
    reading->lane = NO_ID;
    reading->layout = *tt_layout_known(6);
    reading->program = (struct marker_program){ 0, -1, -1 };
    code = marker_log_program(log, &reading->program, &reading->program_id);
    if (code == STATUS_OK)
        code = read_lines(reading);
    code = source_use_part(source, source->input, log->losses.rows, code);
    choose_clock(reading);
    if (code == STATUS_OK)
        code = tt_note_oddities(source, log, &reading->odd);
    memory_free(reading->lanes);
    memory_free(reading->riscs);
    memory_free(reading);
    return code;
}

status tt_device_read_markers(struct source *source, struct marker_log *log)
{
    status code = tt_device_read_rows(source, log);

    return code == STATUS_OK ? marker_log_settle(log) : code;
}
