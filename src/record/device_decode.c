/* device_decode.c: words of a device's buffer into markers, markers into zones. The words come from a device that may have crashed:
 * anything may be in them. */
#include "device_decode.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tacho/device.h"

#define LATEST ((uint64_t)INT64_MAX / 2) /* time: sums of two must fit */

static uint32_t word_at(const unsigned char *bytes, size_t index)
{
    bytes += index * 4;
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Where the markers end; 0: that cannot be. */
static uint32_t end_index(const unsigned char *bytes, uint32_t size)
{
    uint32_t end = word_at(bytes, TACHO_DEVICE_END_INDEX);

    if (end < TACHO_DEVICE_FIRST || end > size || (end - TACHO_DEVICE_FIRST) % TACHO_DEVICE_TRIPLE)
        return 0;
    return end;
}

static bool decode_named(uint32_t id, struct device_marker *marker)
{
    marker->id = id & TACHO_DEVICE_ZONE_HASH;
    marker->named = true;
    switch (id & ~(TACHO_DEVICE_NAMED | TACHO_DEVICE_ZONE_HASH)) {
    case TACHO_DEVICE_ZONE_START:
        marker->kind = DEVICE_START;
        return true;
    case TACHO_DEVICE_ZONE_END:
        marker->kind = DEVICE_END;
        return true;
    case TACHO_DEVICE_ZONE_TOTAL:
        marker->kind = DEVICE_SUM;
        return true;
    default:
        return false;
    }
}

static bool decode_id(uint32_t id, struct device_marker *marker)
{
    if (id & TACHO_DEVICE_NAMED)
        return decode_named(id, marker);
    marker->id = id;
    if (id >= TACHO_DEVICE_SUM)
        marker->kind = DEVICE_SUM;
    else if (id == TACHO_DEVICE_FIRMWARE_START || id == TACHO_DEVICE_KERNEL_START)
        marker->kind = DEVICE_START;
    else if (id == TACHO_DEVICE_KERNEL_END || id == TACHO_DEVICE_FIRMWARE_END)
        marker->kind = DEVICE_END;
    else
        marker->kind = DEVICE_POINT;
    return id != 0;
}

/* The sums of a buffer, or all but them. */
static size_t decode_some(const unsigned char *bytes, uint32_t end, bool sums, uint64_t last,
                          struct device_marker *markers, struct tacho_device_report *report)
{
    size_t count = 0;

    for (uint32_t at = TACHO_DEVICE_FIRST; at < end; at += TACHO_DEVICE_TRIPLE) {
        struct device_marker marker = { .kind = DEVICE_POINT };
        uint64_t value = word_at(bytes, at + 1) | (uint64_t)word_at(bytes, at + 2) << 32;
        bool good = decode_id(word_at(bytes, at), &marker) && value <= LATEST;

        if ((marker.kind == DEVICE_SUM) != sums)
            continue;
        report->markers++;
        if (!good || last > LATEST) {
            report->bad++;
            continue;
        }
        marker.time = sums ? last : value;
        marker.sum = sums ? value : 0;
        markers[count++] = marker;
    }
    return count;
}

size_t device_decode(const unsigned char *bytes, uint32_t size, struct device_marker *markers,
                     struct tacho_device_report *report)
{
    uint32_t end;
    uint64_t last = UINT64_MAX;
    size_t count;

    assert(size >= TACHO_DEVICE_LEAST_WORDS);
    report->buffers++;
    if (!word_at(bytes, TACHO_DEVICE_END_INDEX)) /* the processor did not begin */
        return 0;
    end = end_index(bytes, size);
    if (!end) {
        report->damaged++;
        return 0;
    }
    report->dropped += word_at(bytes, TACHO_DEVICE_DROPPED);
    count = decode_some(bytes, end, false, 0, markers, report);
    if (count)
        last = markers[count - 1].time;
    return count + decode_some(bytes, end, true, last, markers + count, report);
}

/* ---- Names ---- */

/* Zones of the firmware have the names that newer logs give them; the three TRISCs share theirs. */
static void standard_name(const struct device_marker *marker, char *text)
{
    const char *risc = tacho_device_risc_name((enum tacho_device_risc)marker->risc);
    bool kernel = marker->id == TACHO_DEVICE_KERNEL_START || marker->id == TACHO_DEVICE_KERNEL_END;

    snprintf(text, DEVICE_TEXT, "%.*s-%s", (int)strcspn(risc, "_"), risc, kernel ? "KERNEL" : "FW");
}

void device_name(const struct device_marker *marker, const struct tacho_device_names *names, char *text,
                 struct tacho_device_event *event)
{
    struct tacho_device_name found;

    event->name = NULL;
    event->file = "";
    event->line = 0;
    event->id = marker->id;
    if (marker->named) {
        if (names && tacho_device_names_find(names, marker->id, &found)) {
            event->name = found.name;
            event->file = found.file;
            event->line = found.line;
        }
    } else if (marker->kind == DEVICE_START || marker->kind == DEVICE_END) {
        standard_name(marker, text);
        event->name = text;
        event->id = tacho_device_hash(text, strlen(text));
    } else if (marker->id == TACHO_DEVICE_SUM) {
        event->name = "CB-COMPUTE-WAIT-FRONT";
    } else if (marker->id == TACHO_DEVICE_SUM + 1) {
        event->name = "CB-COMPUTE-RESERVE-BACK";
    }
}

/* ---- Zones ---- */

/* The ids of the firmware's markers stand around each other: 1 with 4, 2 with 3. */
static uint32_t start_of(const struct device_marker *end)
{
    return end->named ? end->id : TACHO_DEVICE_FIRMWARE_START + TACHO_DEVICE_FIRMWARE_END - end->id;
}

uint64_t device_pair(const struct device_marker *markers, size_t count, uint32_t *open, device_zone *zone,
                     void *context)
{
    uint64_t unpaired = 0;
    size_t depth = 0;

    for (size_t i = 0; i < count; i++) {
        const struct device_marker *marker = &markers[i], *start = NULL;
        size_t place = depth;

        if (marker->kind == DEVICE_START)
            open[depth++] = (uint32_t)i;
        if (marker->kind != DEVICE_END)
            continue;
        while (place && !start) {
            start = &markers[open[--place]];
            if (start->named != marker->named || start->id != start_of(marker))
                start = NULL;
        }
        if (!start || start->time > marker->time) {
            unpaired++;
            continue;
        }
        unpaired += depth - place - 1;
        depth = place;
        zone(context, start, marker);
    }
    return unpaired + depth;
}

/* ---- Messages ---- */

void device_say(char *message, const char *format, ...)
{
    va_list arguments;

    if (!message)
        return;
    va_start(arguments, format);
    vsnprintf(message, TACHO_DEVICE_MESSAGE, format, arguments);
    va_end(arguments);
}
