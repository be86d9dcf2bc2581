/* perfetto_notes.c: what a person should know of a Perfetto trace: why events were lost, and which packets are of kinds that are not read. */
#include <stdio.h>
#include <stdlib.h>

#include "read/perfetto_reading.h"

/* ---- Losses ---- */

/* Orders behind those of the general reasons. */
#define REASON(place, words)                                \
    {                                                       \
        .text = words, .order = 60 + (place), .bytes = true \
    }
#define KEPT(place, words)                                                \
    {                                                                     \
        .text = words, .kept = true, .order = 60 + (place), .bytes = true \
    }

const struct loss_reason perfetto_loss_packet = REASON(0, "a packet that cannot be decoded");
const struct loss_reason perfetto_loss_foreign = REASON(1, "bytes that are no packet: the rest of the file");
const struct loss_reason perfetto_loss_packed = REASON(2, "compressed packets that cannot be unpacked");
const struct loss_reason perfetto_loss_cut = REASON(3, "a last packet that is cut off");
const struct loss_reason perfetto_loss_sequence = REASON(4, "an event without a packet sequence");
const struct loss_reason perfetto_loss_state = REASON(5, "an event that needs packets which were dropped");
const struct loss_reason perfetto_loss_time = REASON(6, "an event without a time");
const struct loss_reason perfetto_loss_range = REASON(7, "a time before 0, or beyond the clock's range");
const struct loss_reason perfetto_loss_clock = REASON(8, "a time of a clock that no snapshot ties to the trace's");
const struct loss_reason perfetto_loss_type = REASON(9, "an event of an unknown type");
const struct loss_reason perfetto_loss_legacy = REASON(10, "a legacy event that has no place on its track");
const struct loss_reason perfetto_loss_counter = REASON(11, "a value on a track that is no counter");
const struct loss_reason perfetto_loss_value = REASON(12, "a counter event without a value");
const struct loss_reason perfetto_loss_extra = REASON(13, "an event whose extra counters do not fit");
const struct loss_reason perfetto_loss_end = REASON(14, "an end without its begin");
const struct loss_reason perfetto_loss_parent = REASON(15, "an event on a track whose parent is not there");
const struct loss_reason perfetto_loss_deep = REASON(16, "a slice in 512 others");
const struct loss_reason perfetto_loss_overlap = REASON(17, "a complete event that overlaps the one around it");
const struct loss_reason perfetto_loss_open = KEPT(18, "a begin without its end (kept, until the last time seen)");
const struct loss_reason perfetto_loss_misplaced = KEPT(19, "a slice cut at the end of the one around it (kept)");
const struct loss_reason perfetto_loss_argument = KEPT(20, "an argument without a name or value (kept without it)");
const struct loss_reason perfetto_loss_text = KEPT(21, "a text whose number had another already (the first stays)");

const struct loss_reason *const perfetto_loss_reasons[] = {
    &perfetto_loss_packet,
    &perfetto_loss_foreign,
    &perfetto_loss_packed,
    &perfetto_loss_cut,
    &perfetto_loss_sequence,
    &perfetto_loss_state,
    &perfetto_loss_time,
    &perfetto_loss_range,
    &perfetto_loss_clock,
    &perfetto_loss_type,
    &perfetto_loss_legacy,
    &perfetto_loss_counter,
    &perfetto_loss_value,
    &perfetto_loss_extra,
    &perfetto_loss_end,
    &perfetto_loss_parent,
    &perfetto_loss_deep,
    &perfetto_loss_overlap,
    &perfetto_loss_open,
    &perfetto_loss_misplaced,
    &perfetto_loss_argument,
    &perfetto_loss_text,
    NULL,
};

/* ---- Packets of other kinds ---- */

enum { OTHERS_SHOWN = 4 };

/* Packets of a kind that is not read. */
struct other_kind {
    uint32_t field; /* of the packet */
    uint64_t count; /* of them */
};

void notes_start(struct column *others)
{
    column_start(others, sizeof(struct other_kind));
}

/* What the kinds are called that other programs write most. */
static const char *kind_name(uint32_t field)
{
    static const struct {
        uint32_t field;   /* of the packet */
        const char *name; /* of its message */
    } names[] = {
        { 1, "ftrace events" },
        { 2, "process tree" },
        { 5, "Chrome events" },
        { 7, "system statistics" },
        { 9, "process statistics" },
        { 33, "trace configuration" },
        { 34, "ftrace statistics" },
        { 35, "trace statistics" },
        { 36, "synchronisation" },
        { 37, "heap profile" },
        { 38, "battery counters" },
        { 39, "log" },
        { 40, "battery rails" },
        { 43, "profiled frame" },
        { 45, "system information" },
        { 46, "trigger" },
        { 48, "packages" },
        { 52, "GPU counters" },
        { 53, "GPU render stages" },
        { 54, "streaming profile" },
        { 56, "heap graph" },
        { 57, "graphics frames" },
        { 66, "samples" },
        { 67, "CPU information" },
        { 72, "extension descriptors" },
        { 78, "view" },
        { 89, "trace id" },
        { 94, "remote clocks" },
        { 126, "trace attributes" },
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].field == field)
            return names[i].name;
    return NULL;
}

status notes_count(struct perfetto_reading *reading, uint32_t field)
{
    struct other_kind *kind;

    for (size_t i = 0; i < reading->others.count; i++) {
        kind = column_at(&reading->others, i);
        if (kind->field == field) {
            kind->count++;
            return STATUS_OK;
        }
    }
    /* Numbers without end are no kinds. */
    if (reading->others.count > 64)
        return STATUS_OK;
    kind = column_append(&reading->others);
    if (!kind)
        return status_no_memory("counting packets");
    *kind = (struct other_kind){ field, 1 };
    return STATUS_OK;
}

static int by_count(const void *left, const void *right)
{
    const struct other_kind *a = left, *b = right;

    return a->count == b->count ? (a->field > b->field) - (a->field < b->field) : a->count < b->count ? 1 : -1;
}

/* "12 packets of other kinds were not read: 9 x ftrace events, 3 x process statistics" */
status notes_others(struct perfetto_reading *reading)
{
    struct other_kind kinds[66];
    char text[400];
    uint64_t total = 0;
    size_t count = reading->others.count, length;
    string_id note;
    status code;

    if (!count)
        return STATUS_OK;
    for (size_t i = 0; i < count; i++) {
        kinds[i] = *(struct other_kind *)column_at(&reading->others, i);
        total += kinds[i].count;
    }
    qsort(kinds, count, sizeof *kinds, by_count);
    length =
        (size_t)snprintf(text, sizeof text, "%llu packet%s of other kinds %s not read: ", (unsigned long long)total,
                         total == 1 ? "" : "s", total == 1 ? "was" : "were");
    for (size_t i = 0; i < count && i < OTHERS_SHOWN; i++) {
        const char *name = kind_name(kinds[i].field);

        length += (size_t)snprintf(text + length, sizeof text - length, "%s%llu x ", i ? ", " : "",
                                   (unsigned long long)kinds[i].count);
        if (name)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s", name);
        else
            length += (size_t)snprintf(text + length, sizeof text - length, "field %u", kinds[i].field);
    }
    if (count > OTHERS_SHOWN)
        snprintf(text + length, sizeof text - length, ", and %zu more kinds", count - OTHERS_SHOWN);
    code = strings_add_text(reading->strings, text, &note);
    if (code == STATUS_OK)
        source_note(reading->source, strings_text(reading->strings, note));
    return code;
}
