/* events.c: records other than plain zones: arguments, messages, counters, frames, async spans, flows, sums, slices of devices. */
#include "recorder.h"

#include <string.h>

/* From the last slot to the first: a reader that finds the first has the others. */
void recorder_write(uint64_t *slots, uint64_t word, uint64_t tag, const uint64_t *values, const uint32_t *value_types,
                    size_t value_count, const char *text, size_t length)
{
    const uint64_t *chunk = (const uint64_t *)((uintptr_t)slots & ~(uintptr_t)(RECORDING_CHUNK - 1));

    for (size_t i = recorder_text_slots(length); i-- > 0;) {
        uint64_t *slot = slots + 2 * (1 + value_count + i);
        size_t rest = length - i * RECORDING_SLOT_TEXT;
        uint64_t words[2] = { 0, 0 };

        memcpy(words, text + i * RECORDING_SLOT_TEXT, rest < RECORDING_SLOT_TEXT ? rest : RECORDING_SLOT_TEXT);
        __atomic_store_n(&slot[0], words[0], __ATOMIC_RELAXED);
        __atomic_store_n(&slot[1], (uint64_t)RECORD_TEXT << 56 | chunk[1] | words[1], __ATOMIC_RELEASE);
    }
    for (size_t i = value_count; i-- > 0;)
        tacho_recorder_put(slots + 2 * (1 + i), values[i], RECORD_VALUE, value_types[i]);
    __atomic_store_n(&slots[0], word, __ATOMIC_RELAXED);
    __atomic_store_n(&slots[1], tag | chunk[1], __ATOMIC_RELEASE);
}

/* One record of this thread. False: it was dropped, or nothing is being recorded. */
static bool record(enum recording_kind kind, uint64_t word, uint32_t id, const uint64_t *values, const uint32_t *types,
                   size_t count, const char *text, size_t length)
{
    uint32_t session = __atomic_load_n(&tacho_recorder.session, __ATOMIC_RELAXED);
    uint64_t *slots;

    if (!session)
        return false;
    if (length > RECORDING_TEXT_MOST) {
        length = RECORDING_TEXT_MOST;
        recorder_cut();
    }
    slots = tacho_recorder_slots(session, (1 + count + recorder_text_slots(length)) * RECORDING_SLOT);
    if (!slots)
        return false;
    recorder_write(slots, word, recording_tag(kind, length, id), values, types, count, text, length);
    return true;
}

/* The number of a site; 0: nothing is being recorded, or there was no room for its name. */
static uint32_t number_of(struct tacho_site *site)
{
    uint32_t id;

    if (!tacho_recording())
        return 0;
    id = __atomic_load_n(&site->id, __ATOMIC_ACQUIRE);
    return id ? id : tacho_recorder_site(site);
}

static void record_site(enum recording_kind kind, struct tacho_site *site)
{
    uint64_t time = tacho_recorder_time();
    uint32_t id = number_of(site);

    if (id)
        record(kind, time, id, NULL, NULL, 0, NULL, 0);
}

static void record_value(enum recording_kind kind, struct tacho_site *site, uint64_t value, uint32_t type)
{
    uint64_t time = tacho_recorder_time();
    uint32_t id = number_of(site);

    if (id)
        record(kind, time, id, &value, &type, 1, NULL, 0);
}

static uint64_t bits_of(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

uint64_t tacho_recorder_clock(void)
{
    return recorder_nanoseconds();
}

struct tacho_zone tacho_zone_begin_named(struct tacho_site *site, const char *name, size_t length)
{
    struct tacho_zone zone = { number_of(site) };

    if (zone.site && !record(RECORD_BEGIN, tacho_recorder_time(), zone.site, NULL, NULL, 0, name, length))
        zone.site = 0;
    return zone;
}

void tacho_zone_name(const char *name, size_t length)
{
    record(RECORD_NAME, 0, 0, NULL, NULL, 0, name, length);
}

void tacho_zone_color(uint32_t color)
{
    record(RECORD_COLOR, color, 0, NULL, NULL, 0, NULL, 0);
}

static void argument(enum recording_kind kind, struct tacho_site *key, uint64_t value)
{
    uint32_t id = number_of(key);

    if (id)
        record(kind, value, id, NULL, NULL, 0, NULL, 0);
}

void tacho_integer(struct tacho_site *key, int64_t value)
{
    argument(RECORD_ARGUMENT_INTEGER, key, (uint64_t)value);
}

void tacho_unsigned(struct tacho_site *key, uint64_t value)
{
    argument(RECORD_ARGUMENT_UNSIGNED, key, value);
}

void tacho_decimal(struct tacho_site *key, double value)
{
    argument(RECORD_ARGUMENT_DECIMAL, key, bits_of(value));
}

void tacho_text(struct tacho_site *key, const char *text, size_t length)
{
    uint32_t id = number_of(key);

    if (id)
        record(RECORD_ARGUMENT_TEXT, 0, id, NULL, NULL, 0, text, length);
}

void tacho_integer_of(const char *key, int64_t value)
{
    record(RECORD_ARGUMENT_INTEGER, (uint64_t)value, 0, NULL, NULL, 0, key, strlen(key));
}

void tacho_unsigned_of(const char *key, uint64_t value)
{
    record(RECORD_ARGUMENT_UNSIGNED, value, 0, NULL, NULL, 0, key, strlen(key));
}

void tacho_decimal_of(const char *key, double value)
{
    record(RECORD_ARGUMENT_DECIMAL, bits_of(value), 0, NULL, NULL, 0, key, strlen(key));
}

/* Key and value are one text; a key that is far too long leaves room for its value. */
void tacho_text_of(const char *key, const char *text, size_t length)
{
    char joined[RECORDING_TEXT_MOST];
    size_t key_length = strnlen(key, sizeof joined / 4);

    if (!tacho_recording())
        return;
    if (length > sizeof joined - key_length) {
        length = sizeof joined - key_length;
        recorder_cut();
    }
    memcpy(joined, key, key_length);
    memcpy(joined + key_length, text, length);
    record(RECORD_ARGUMENT_TEXT, key_length, 0, NULL, NULL, 0, joined, key_length + length);
}

void tacho_flow(uint64_t number)
{
    record(RECORD_FLOW, number, 0, NULL, NULL, 0, NULL, 0);
}

void tacho_instant(struct tacho_site *site)
{
    record_site(RECORD_INSTANT, site);
}

void tacho_message(const char *text, size_t length)
{
    if (tacho_recording())
        record(RECORD_INSTANT, tacho_recorder_time(), 0, NULL, NULL, 0, text, length);
}

void tacho_counter_integer(struct tacho_site *counter, int64_t value)
{
    record_value(RECORD_COUNTER, counter, (uint64_t)value, RECORDING_VALUE_SIGNED);
}

void tacho_counter_decimal(struct tacho_site *counter, double value)
{
    record_value(RECORD_COUNTER, counter, bits_of(value), RECORDING_VALUE_DOUBLE);
}

void tacho_counter_of(const char *name, double value)
{
    const uint64_t bits = bits_of(value);
    const uint32_t type = RECORDING_VALUE_DOUBLE;

    if (tacho_recording())
        record(RECORD_COUNTER, tacho_recorder_time(), 0, &bits, &type, 1, name, strlen(name));
}

void tacho_frame(struct tacho_site *site)
{
    record_site(RECORD_FRAME, site);
}

void tacho_frame_begin(struct tacho_site *site)
{
    record_site(RECORD_FRAME_BEGIN, site);
}

void tacho_frame_end(struct tacho_site *site)
{
    record_site(RECORD_FRAME_END, site);
}

void tacho_async_begin(struct tacho_site *site, uint64_t number)
{
    record_value(RECORD_ASYNC_BEGIN, site, number, RECORDING_VALUE_UNSIGNED);
}

void tacho_async_end(struct tacho_site *site, uint64_t number)
{
    record_value(RECORD_ASYNC_END, site, number, RECORDING_VALUE_UNSIGNED);
}

void tacho_sum_flush(struct tacho_sum *sum)
{
    const uint64_t values[3] = { sum->last, sum->ticks, sum->count };
    const uint32_t types[3] = { RECORDING_VALUE_UNSIGNED, RECORDING_VALUE_UNSIGNED, RECORDING_VALUE_UNSIGNED };
    uint32_t id = sum->count ? number_of(sum->site) : 0;

    if (id)
        record(RECORD_SUM, sum->first, id, values, types, 3, NULL, 0);
    sum->ticks = sum->count = sum->begun = 0;
}

void tacho_clock_tie(uint32_t clock, uint64_t before_ns, uint64_t ticks, uint64_t after_ns)
{
    const uint64_t values[2] = { ticks, after_ns };
    const uint32_t types[2] = { RECORDING_VALUE_UNSIGNED, RECORDING_VALUE_UNSIGNED };

    if (clock)
        record(RECORD_TIE, before_ns, clock, values, types, 2, NULL, 0);
}

void tacho_track_slice(uint32_t track, const char *name, uint64_t start, uint64_t end)
{
    const uint32_t type = RECORDING_VALUE_UNSIGNED;

    if (track)
        record(RECORD_TRACK_SLICE, start, track, &end, &type, 1, name, strlen(name));
}

void tacho_track_instant(uint32_t track, const char *name, uint64_t time)
{
    if (track)
        record(RECORD_TRACK_INSTANT, time, track, NULL, NULL, 0, name, strlen(name));
}
