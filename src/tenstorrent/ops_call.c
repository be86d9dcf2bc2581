/* ops_call.c: what one device log tells about one call of an op. */
#include "tenstorrent/ops_call.h"

#include <assert.h>

#include "base/number.h"
#include "tenstorrent/op_times.h"

/* From the first start to the last end. */
struct span {
    bool has_start, has_end; /* which of the two was met */
    int64_t start, end;      /* cycles */
};

struct sum {
    uint64_t count; /* of waits */
    int64_t cycles; /* of all of them */
};

/* "…|DEV_3_DRAM_INTERLEAVED", or "…|dev_3_dram" where the memory's layout is not told */
static int64_t chip_of_tensors(const char *tensors)
{
    const char *found = tensors ? strcasestr(tensors, "|DEV_") : NULL;
    const char *end = tensors ? tensors + strlen(tensors) : NULL;
    uint64_t chip;

    if (!found)
        return OPS_ANY_CHIP;
    found += strlen("|DEV_");
    return number_read_unsigned(&found, end, &chip) && chip <= INT32_MAX ? (int64_t)chip : OPS_ANY_CHIP;
}

int64_t ops_chip_of(const struct op_call *call)
{
    int64_t chip = chip_of_tensors(call->inputs);

    return chip == OPS_ANY_CHIP ? chip_of_tensors(call->outputs) : chip;
}

/* A chip while its markers are looked at. */
struct measuring {
    const struct marker_log *log;                        /* settled; borrowed */
    bool timed;                                          /* has a marker with a time */
    int64_t first, last;                                 /* cycles; valid when `timed` */
    uint64_t cores;                                      /* that have markers */
    struct span firmware, kernel, riscs[DURATION_COUNT]; /* those of RISCs by the duration that they are */
    struct sum wait_front, reserve_back;                 /* of circular buffers */
    bool lacks_firmware, lacks_kernel;                   /* a lane has lost a marker of it */
    bool lacks[DURATION_COUNT];                          /* the same for the kernels of a RISC */
    uint32_t kernels[DURATION_COUNT];                    /* lanes that have one */
};

/* ---- Markers ---- */

/* The column of a RISC's kernels; DURATION_COUNT: it has none. */
static enum op_duration duration_of(struct text risc)
{
    static const struct {
        const char *name;
        enum op_duration duration;
    } riscs[] = {
        { "BRISC", DURATION_BRISC },    { "NCRISC", DURATION_NCRISC },  { "TRISC_0", DURATION_TRISC0 },
        { "TRISC_1", DURATION_TRISC1 }, { "TRISC_2", DURATION_TRISC2 }, { "ERISC", DURATION_ERISC },
    };

    for (size_t i = 0; i < sizeof riscs / sizeof *riscs; i++)
        if (text_is(risc, riscs[i].name))
            return riscs[i].duration;
    return DURATION_COUNT;
}

static void add_start(struct span *span, int64_t time)
{
    span->start = span->has_start && span->start < time ? span->start : time;
    span->has_start = true;
}

static void add_end(struct span *span, int64_t time)
{
    span->end = span->has_end && span->end > time ? span->end : time;
    span->has_end = true;
}

static void add_time(struct measuring *chip, struct span *risc, const struct marker *marker,
                     enum marker_default standard)
{
    chip->first = chip->timed && chip->first < marker->time ? chip->first : marker->time;
    chip->last = chip->timed && chip->last > marker->time ? chip->last : marker->time;
    chip->timed = true;
    switch (standard) {
    case FIRMWARE_START:
        add_start(&chip->firmware, marker->time);
        break;
    case FIRMWARE_END:
        add_end(&chip->firmware, marker->time);
        break;
    case KERNEL_START:
        add_start(&chip->kernel, marker->time);
        add_start(risc, marker->time);
        break;
    case KERNEL_END:
        add_end(&chip->kernel, marker->time);
        add_end(risc, marker->time);
        break;
    default:
        break;
    }
}

/* What TRISC_0 waited for input and TRISC_2 for room; logs with zones name it, others number it. */
static void add_sum(struct measuring *chip, enum op_duration risc, const struct marker *marker)
{
    const char *zone = strings_text(chip->log->strings, marker_kind_at(chip->log, marker->kind)->zone);
    struct sum *sum = NULL;

    if (risc == DURATION_TRISC0 && strcmp(zone, "CB-COMPUTE-WAIT-FRONT") == 0)
        sum = &chip->wait_front;
    else if (risc == DURATION_TRISC2 && strcmp(zone, "CB-COMPUTE-RESERVE-BACK") == 0)
        sum = &chip->reserve_back;
    if (!sum)
        return;
    sum->count++;
    sum->cycles = number_add(sum->cycles, marker_sum_of(chip->log, marker));
}

static bool logs_firmware(const struct marker_log *log, string_id risc)
{
    for (size_t i = 0; i < log->kinds.count; i++)
        if (marker_kind_at(log, i)->risc == risc && marker_kind_at(log, i)->standard == FIRMWARE_START)
            return true;
    return false;
}

/* As many starts as ends, and firmware around each kernel, on a RISC that logs it: else something was lost. */
static void note_lost(struct measuring *chip, const struct marker_lane *lane, enum op_duration risc,
                      const uint64_t counts[MARKER_NO_DEFAULT + 1])
{
    bool kernel = counts[KERNEL_START] != counts[KERNEL_END];
    bool firmware = counts[FIRMWARE_START] != counts[FIRMWARE_END];

    if (counts[KERNEL_START] && !counts[FIRMWARE_START])
        firmware |= logs_firmware(chip->log, lane->risc);
    chip->lacks_firmware |= firmware;
    chip->lacks_kernel |= kernel;
    if (risc == DURATION_COUNT)
        return;
    chip->lacks[risc] |= kernel;
    chip->kernels[risc] += counts[KERNEL_START] && !kernel;
}

static void measure_lane(struct measuring *chip, const struct marker_lane *lane)
{
    enum op_duration risc = duration_of(strings_get(chip->log->strings, lane->risc));
    struct span other = { .has_start = false };
    struct span *span = risc == DURATION_COUNT ? &other : &chip->riscs[risc];
    uint64_t counts[MARKER_NO_DEFAULT + 1] = { 0 };
    struct marker_cursor cursor;
    const struct marker *marker;

    marker_cursor_start(&cursor, &lane->markers);
    while ((marker = marker_cursor_next(&cursor))) {
        const struct marker_kind *kind = marker_kind_at(chip->log, marker->kind);

        counts[kind->standard]++;
        add_time(chip, span, marker, (enum marker_default)kind->standard);
        if (kind->phase == MARKER_TOTAL)
            add_sum(chip, risc, marker);
    }
    note_lost(chip, lane, risc, counts);
    marker_cursor_start(&cursor, &lane->totals);
    while ((marker = marker_cursor_next(&cursor)))
        add_sum(chip, risc, marker);
}

static uint64_t core_rows(const struct marker_log *log, const struct marker_core *core)
{
    uint64_t rows = 0;

    for (size_t i = 0; i < core->lane_count; i++)
        rows += marker_lane_at(log, core->lanes[i])->markers.count + marker_lane_at(log, core->lanes[i])->totals.count;
    return rows;
}

/* A row that was lost may have named a chip that has no other. */
static uint64_t chip_rows(const struct marker_log *log, const struct marker_chip *chip)
{
    uint64_t rows = 0;

    for (size_t i = 0; i < chip->core_count; i++)
        rows += core_rows(log, marker_core_at(log, chip->cores[i]));
    return rows;
}

static void measure_chip(struct measuring *measuring, const struct marker_chip *chip)
{
    const struct marker_log *log = measuring->log;

    for (size_t i = 0; i < chip->core_count; i++) {
        const struct marker_core *core = marker_core_at(log, chip->cores[i]);

        measuring->cores += core_rows(log, core) > 0;
        for (size_t k = 0; k < core->lane_count; k++)
            measure_lane(measuring, marker_lane_at(log, core->lanes[k]));
    }
}

/* ---- Numbers ---- */

static void put_ns(struct op_device *device, enum op_duration which, int64_t nanoseconds)
{
    device->has[which] = nanoseconds != OP_NONE;
    if (device->has[which])
        device->duration_ns[which] = (uint64_t)nanoseconds;
}

/* `lacks`: a marker that may be its first or its last was lost. */
static void put_span(const struct measuring *chip, struct op_device *device, enum op_duration which,
                     const struct span *span, bool lacks)
{
    bool whole = span->has_start && span->has_end && span->end >= span->start && !lacks;

    device->lost += lacks;
    put_ns(device, which, whole ? marker_log_ns(chip->log, span->end - span->start, 1) : OP_NONE);
}

static void put_sum(const struct marker_log *log, struct op_device *device, enum op_duration which,
                    const struct sum *sum)
{
    put_ns(device, which, sum->count ? marker_log_ns(log, sum->cycles, sum->count) : OP_NONE);
}

/* In a call that has lost markers, a core without a RISC's kernel may have lost all of it. */
static bool risc_lacks(const struct measuring *chip, enum op_duration risc)
{
    bool lost = chip->lacks_firmware || chip->lacks_kernel;

    return chip->lacks[risc] || (lost && chip->kernels[risc] && chip->kernels[risc] < chip->cores);
}

static void put_chip(const struct measuring *chip, struct op_device *device)
{
    bool kernel = chip->lacks_kernel;

    device->known = chip->timed;
    device->first_cycle = (uint64_t)chip->first;
    device->last_cycle = (uint64_t)chip->last;
    device->cores = chip->cores;
    for (unsigned i = DURATION_BRISC; i <= DURATION_ERISC; i++) {
        kernel |= risc_lacks(chip, i);
        put_span(chip, device, i, &chip->riscs[i], risc_lacks(chip, i));
    }
    put_span(chip, device, DURATION_FIRMWARE, &chip->firmware, chip->lacks_firmware);
    put_span(chip, device, DURATION_KERNEL, &chip->kernel, kernel);
    put_sum(chip->log, device, DURATION_WAIT_FRONT, &chip->wait_front);
    put_sum(chip->log, device, DURATION_RESERVE_BACK, &chip->reserve_back);
}

/* Whichever chip is shown, the columns of such markers belong to the report. */
static bool has_later(const struct marker_log *log)
{
    for (size_t i = 0; i < log->kinds.count; i++) {
        const struct marker_kind *kind = marker_kind_at(log, i);

        if (kind->phase == MARKER_TOTAL || duration_of(strings_get(log->strings, kind->risc)) == DURATION_ERISC)
            return true;
    }
    return false;
}

void ops_measure(const struct marker_log *log, int64_t wanted, struct ops_measured *measured)
{
    struct measuring measuring = { .log = log };
    const struct marker_chip *shown = NULL;

    assert(wanted >= OPS_ANY_CHIP);
    *measured = (struct ops_measured){ .device.chip = OPS_ANY_CHIP, .later = has_later(log) };
    for (size_t i = 0; i < log->chips.count; i++) {
        const struct marker_chip *chip = marker_chip_at(log, i);
        uint64_t rows = chip_rows(log, chip);

        measured->elsewhere += rows;
        if (rows && (!shown || chip->id == wanted))
            shown = chip;
    }
    if (shown) {
        measured->elsewhere -= chip_rows(log, shown);
        measured->device.chip = shown->id;
        measured->other_chip = wanted != OPS_ANY_CHIP && shown->id != wanted;
        measure_chip(&measuring, shown);
        put_chip(&measuring, &measured->device);
    }
}
