#include "library/ops_device.h"

#include <string.h>

#include "base/lines.h"
#include "base/memory.h"
#include "base/number.h"
#include "library/number_set.h"

enum {
    FIELDS = 6,
    FIRST_SUM = 3000,  /* markers from here on carry cycles, not a time */
    WAIT_FRONT_ID = 3000,
    RESERVE_BACK_ID = 3001,
    LARGEST_MHZ = 1000000,
    MOST_CHIPS = 1024, /* more are no chips */
    OLD_MHZ = 1200,    /* of logs that say it in words */
};

enum marker_id { FIRMWARE_START = 1, KERNEL_START, KERNEL_END, FIRMWARE_END };

enum risc { BRISC, NCRISC, TRISC0, TRISC1, TRISC2, ERISC, OTHER_RISC };

static const char *const risc_names[OTHER_RISC] = { "BRISC", "NCRISC", "TRISC_0", "TRISC_1", "TRISC_2", "ERISC" };

static const enum ops_duration risc_durations[OTHER_RISC] = {
    OPS_BRISC, OPS_NCRISC, OPS_TRISC0, OPS_TRISC1, OPS_TRISC2, OPS_ERISC,
};

__extension__ typedef unsigned __int128 wide; /* sums of cycles, and their product with 1000 */

struct marker {
    int64_t chip;
    uint64_t x, y;
    enum risc risc;
    uint64_t id;
    uint64_t value; /* cycle, or cycles of a sum */
    size_t digits;  /* of the value */
};

/* From the first start to the last end. */
struct span {
    bool has_start, has_end;
    uint64_t start, end;
};

struct sum {
    uint64_t count;
    wide cycles;
};

struct chip {
    int64_t number;
    uint64_t rows;
    bool timed; /* has a marker with a time */
    uint64_t first, last;
    struct span firmware, kernel, riscs[OTHER_RISC];
    struct sum wait_front, reserve_back;
    struct number_set cores;
};

struct scan {
    struct ops_device_log *log;
    struct chip *chips;
    size_t chip_count, chip_capacity;
    size_t latest;       /* chip of the row before */
    uint64_t mhz;        /* 0: not told yet */
    size_t usual_digits; /* of the latest time */
};

/* ---- lines --------------------------------------------------------------------------------------------------------- */

static struct text strip(struct text text)
{
    while (text.length && (*text.data == ' ' || *text.data == '\t')) {
        text.data++;
        text.length--;
    }
    while (text.length && (text.data[text.length - 1] == ' ' || text.data[text.length - 1] == '\t'))
        text.length--;
    return text;
}

static bool read_number(struct text field, uint64_t *value)
{
    const char *cursor = field.data;

    return number_read_unsigned(&cursor, field.data + field.length, value) && cursor == field.data + field.length;
}

static bool parse_marker(const struct line *line, struct marker *marker)
{
    struct text fields[FIELDS];
    const char *cursor = line->data;
    const char *end = line->data + line->length;
    uint64_t chip;
    size_t count = 0;

    for (;; count++) {
        const char *comma = memchr(cursor, ',', (size_t)(end - cursor));

        if (count == FIELDS)
            return false;
        fields[count] = strip((struct text){ cursor, (size_t)((comma ? comma : end) - cursor) });
        if (!comma)
            break;
        cursor = comma + 1;
    }
    if (count + 1 != FIELDS || !fields[3].length || !read_number(fields[0], &chip) || chip > INT32_MAX ||
        !read_number(fields[1], &marker->x) || !read_number(fields[2], &marker->y) || marker->x > UINT16_MAX ||
        marker->y > UINT16_MAX || !read_number(fields[4], &marker->id) || !read_number(fields[5], &marker->value))
        return false;
    marker->chip = (int64_t)chip;
    marker->digits = fields[5].length;
    marker->risc = BRISC;
    while (marker->risc < OTHER_RISC && (strlen(risc_names[marker->risc]) != fields[3].length ||
                                         memcmp(risc_names[marker->risc], fields[3].data, fields[3].length) != 0))
        marker->risc++;
    return true;
}

/* "ARCH: grayskull, CHIP_FREQ[MHz]: 1202" or the older "Chip clock is at 1.2 GHz". */
static bool parse_clock(const struct line *line, uint64_t *mhz)
{
    static const char old[] = "Chip clock is at 1.2 GHz";
    static const char key[] = "CHIP_FREQ[MHz]:";
    const char *found = memmem(line->data, line->length, key, strlen(key));
    const char *end = line->data + line->length;

    if (!found) {
        *mhz = OLD_MHZ;
        return line->length >= strlen(old) && memcmp(line->data, old, strlen(old)) == 0;
    }
    found += strlen(key);
    while (found < end && *found == ' ')
        found++;
    return number_read_unsigned(&found, end, mhz) && *mhz && *mhz <= LARGEST_MHZ;
}

/* ---- sums ---------------------------------------------------------------------------------------------------------- */

static status find_chip(struct scan *scan, int64_t number, struct chip **chip)
{
    status code;

    *chip = NULL;
    if (scan->latest < scan->chip_count && scan->chips[scan->latest].number == number) {
        *chip = &scan->chips[scan->latest];
        return STATUS_OK;
    }
    for (scan->latest = 0; scan->latest < scan->chip_count; scan->latest++) {
        if (scan->chips[scan->latest].number == number) {
            *chip = &scan->chips[scan->latest];
            return STATUS_OK;
        }
    }
    if (scan->chip_count == MOST_CHIPS)
        return STATUS_OK;
    code = memory_grow(&scan->chips, &scan->chip_capacity, scan->chip_count + 1, sizeof *scan->chips);
    if (code != STATUS_OK)
        return code;
    *chip = &scan->chips[scan->chip_count++];
    **chip = (struct chip){ .number = number };
    return STATUS_OK;
}

static void span_add(struct span *span, bool is_end, uint64_t cycle)
{
    if (is_end) {
        span->end = span->has_end && span->end > cycle ? span->end : cycle;
        span->has_end = true;
    } else {
        span->start = span->has_start && span->start < cycle ? span->start : cycle;
        span->has_start = true;
    }
}

static void add_time(struct chip *chip, const struct marker *marker)
{
    bool is_end = marker->id == KERNEL_END || marker->id == FIRMWARE_END;

    chip->first = chip->timed && chip->first < marker->value ? chip->first : marker->value;
    chip->last = chip->timed && chip->last > marker->value ? chip->last : marker->value;
    chip->timed = true;
    if (marker->id == FIRMWARE_START || marker->id == FIRMWARE_END)
        span_add(&chip->firmware, is_end, marker->value);
    if (marker->id != KERNEL_START && marker->id != KERNEL_END)
        return;
    span_add(&chip->kernel, is_end, marker->value);
    if (marker->risc != OTHER_RISC)
        span_add(&chip->riscs[marker->risc], is_end, marker->value);
}

static void add_sum(struct chip *chip, const struct marker *marker)
{
    struct sum *sum = NULL;

    if (marker->id == WAIT_FRONT_ID && marker->risc == TRISC0)
        sum = &chip->wait_front;
    else if (marker->id == RESERVE_BACK_ID && marker->risc == TRISC2)
        sum = &chip->reserve_back;
    if (!sum)
        return;
    sum->count++;
    sum->cycles += marker->value;
}

static void lose(struct scan *scan, const struct line *line)
{
    if (!scan->log->lost++)
        scan->log->lost_line = line->number;
}

static status take_marker(struct scan *scan, const struct line *line, const struct marker *marker)
{
    struct chip *chip;
    bool added;
    status code;

    scan->log->rows++;
    /* The end of a log that was cut off: a time that lost digits would stretch everything. */
    if (!line->ended && marker->id < FIRST_SUM && marker->digits < scan->usual_digits) {
        lose(scan, line);
        return STATUS_OK;
    }
    code = find_chip(scan, marker->chip, &chip);
    if (code != STATUS_OK || !chip) {
        lose(scan, line);
        return code;
    }
    scan->log->later = scan->log->later || marker->risc == ERISC || marker->id >= FIRST_SUM;
    chip->rows++;
    if (marker->id < FIRST_SUM) {
        scan->usual_digits = marker->digits;
        add_time(chip, marker);
    } else {
        add_sum(chip, marker);
    }
    return number_set_add(&chip->cores, marker->x << 16 | marker->y, &added);
}

/* The first line tells the clock, the second names the columns; a log may lack both. */
static status take_line(struct scan *scan, const struct line *line, uint64_t count)
{
    struct marker marker;
    uint64_t mhz;

    if (!line->too_long && parse_marker(line, &marker))
        return take_marker(scan, line, &marker);
    if (!scan->mhz && parse_clock(line, &mhz)) {
        scan->mhz = mhz;
        return STATUS_OK;
    }
    if (line->length == 0 || (count <= 2 && memmem(line->data, line->length, "RISC processor type", 19)))
        return STATUS_OK;
    scan->log->rows++;
    lose(scan, line);
    return STATUS_OK;
}

/* ---- what the report shows ------------------------------------------------------------------------------------------ */

/* cycles * 1000 / (mhz * parts), halves to the even neighbour. */
static uint64_t to_ns(wide cycles, uint64_t mhz, uint64_t parts)
{
    wide divisor = (wide)mhz * parts;
    wide whole = cycles * 1000 / divisor;
    wide twice = cycles * 1000 % divisor * 2;

    if (twice > divisor || (twice == divisor && whole & 1))
        whole++;
    return whole > UINT64_MAX ? UINT64_MAX : (uint64_t)whole;
}

static void put_span(struct ops_device *device, enum ops_duration which, const struct span *span, uint64_t mhz)
{
    device->has[which] = span->has_start && span->has_end && span->end >= span->start;
    if (device->has[which])
        device->duration_ns[which] = to_ns(span->end - span->start, mhz, 1);
}

static void put_sum(struct ops_device *device, enum ops_duration which, const struct sum *sum, uint64_t mhz)
{
    device->has[which] = sum->count > 0;
    if (sum->count)
        device->duration_ns[which] = to_ns(sum->cycles, mhz, sum->count);
}

static void put_chip(struct ops_device_log *log, const struct chip *chip, uint64_t mhz)
{
    struct ops_device *device = &log->device;

    log->chip = chip->number;
    device->known = chip->timed;
    device->first_cycle = chip->first;
    device->last_cycle = chip->last;
    device->cores = chip->cores.count;
    put_span(device, OPS_FIRMWARE, &chip->firmware, mhz);
    put_span(device, OPS_KERNEL, &chip->kernel, mhz);
    for (unsigned i = 0; i < OTHER_RISC; i++)
        put_span(device, risc_durations[i], &chip->riscs[i], mhz);
    put_sum(device, OPS_WAIT_FRONT, &chip->wait_front, mhz);
    put_sum(device, OPS_RESERVE_BACK, &chip->reserve_back, mhz);
}

static void finish(struct scan *scan, int64_t wanted)
{
    struct ops_device_log *log = scan->log;
    const struct chip *chip = scan->chips;

    log->no_clock = log->rows && !scan->mhz;
    if (!scan->chip_count)
        return;
    for (size_t i = 0; i < scan->chip_count; i++)
        if (scan->chips[i].number == wanted)
            chip = &scan->chips[i];
    log->other_chip = wanted != OPS_ANY_CHIP && chip->number != wanted;
    put_chip(log, chip, scan->mhz ? scan->mhz : OPS_DEFAULT_MHZ);
    log->used = chip->rows;
    log->elsewhere = log->rows - log->lost - log->used;
}

static status scan_lines(struct scan *scan, struct input *input)
{
    struct lines *lines;
    struct line line;
    uint64_t count = 0;
    bool found = true;
    status code = lines_open(input, &lines);

    if (code != STATUS_OK)
        return code;
    while (code == STATUS_OK && (code = lines_next(lines, &line, &found)) == STATUS_OK && found)
        code = take_line(scan, &line, ++count);
    lines_close(lines);
    return code;
}

status ops_device_read(const char *path, int64_t chip, struct ops_device_log *log)
{
    struct scan scan = { .log = log };
    struct input *input;
    status code;

    *log = (struct ops_device_log){ .chip = OPS_ANY_CHIP };
    code = input_open(path, &input);
    if (code != STATUS_OK)
        return code;
    code = scan_lines(&scan, input);
    finish(&scan, chip);
    for (size_t i = 0; i < scan.chip_count; i++)
        number_set_free(&scan.chips[i].cores);
    memory_free(scan.chips);
    input_close(input);
    return code;
}
