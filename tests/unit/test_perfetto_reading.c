/* test_perfetto_reading.c: the reader of Perfetto traces, on packets that are built here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <zlib.h>

#include "read/perfetto.h"
#include "read/perfetto_reading.h"
#include "recorder.h"

/* ---- Packets ------------------------------------------------------------------------------------------------------ */

/* Bytes of a message. Small ones are passed by value and put into each other. */
struct bytes {
    size_t length;
    unsigned char data[2048];
};

static void put_varint(struct bytes *to, uint64_t value)
{
    do {
        assert_true(to->length < sizeof to->data);
        to->data[to->length++] = (unsigned char)((value & 0x7F) | (value > 0x7F ? 0x80 : 0));
        value >>= 7;
    } while (value);
}

static struct bytes number(uint32_t field, uint64_t value)
{
    struct bytes made = { 0 };

    put_varint(&made, (uint64_t)field << 3);
    put_varint(&made, value);
    return made;
}

static struct bytes block(uint32_t field, const void *data, size_t length)
{
    struct bytes made = { 0 };

    put_varint(&made, (uint64_t)field << 3 | 2);
    put_varint(&made, length);
    assert_true(made.length + length <= sizeof made.data);
    memcpy(made.data + made.length, data, length);
    made.length += length;
    return made;
}

static struct bytes inside(uint32_t field, struct bytes message)
{
    return block(field, message.data, message.length);
}

static struct bytes text(uint32_t field, const char *value)
{
    return block(field, value, strlen(value));
}

static struct bytes join(struct bytes one, struct bytes other)
{
    assert_true(one.length + other.length <= sizeof one.data);
    memcpy(one.data + one.length, other.data, other.length);
    one.length += other.length;
    return one;
}

#define NOTHING ((struct bytes){ 0 })

/* A trace in the making. */
static struct {
    size_t length;
    char data[256 * 1024];
} trace;

static void add(struct bytes packet)
{
    struct bytes framed = inside(TRACE_PACKET, packet);

    assert_true(trace.length + framed.length <= sizeof trace.data);
    memcpy(trace.data + trace.length, framed.data, framed.length);
    trace.length += framed.length;
}

static struct bytes head(uint64_t time, uint32_t sequence, uint32_t flags)
{
    return join(number(PACKET_TIMESTAMP, time),
                join(number(PACKET_SEQUENCE, sequence), number(PACKET_SEQUENCE_FLAGS, flags)));
}

static struct bytes event(uint32_t type, uint64_t track, struct bytes more)
{
    return inside(PACKET_TRACK_EVENT, join(number(EVENT_TYPE, type), join(number(EVENT_TRACK, track), more)));
}

static struct bytes named(const char *name)
{
    return text(EVENT_NAME, name);
}

static void add_track(uint64_t uuid, const char *name, uint64_t parent)
{
    add(inside(PACKET_TRACK_DESCRIPTOR, join(number(DESCRIPTOR_UUID, uuid),
                                             join(text(DESCRIPTOR_NAME, name), number(DESCRIPTOR_PARENT, parent)))));
}

static void add_begin(uint64_t time, uint64_t track, const char *name)
{
    add(join(head(time, 1, FLAG_STATE_CLEARED), event(TYPE_BEGIN, track, named(name))));
}

static void add_end(uint64_t time, uint64_t track)
{
    add(join(head(time, 1, 0), event(TYPE_END, track, NOTHING)));
}

static struct bytes interned(uint32_t field, uint64_t iid, const char *value)
{
    return inside(PACKET_INTERNED_DATA, inside(field, join(number(ENTRY_IID, iid), text(ENTRY_TEXT, value))));
}

/* ---- Reading ------------------------------------------------------------------------------------------------------ */

static status read_trace(struct recorder *recorder, const struct sink_calls *calls, struct source *source)
{
    struct input *input;
    struct feed feed;
    status code = input_open_memory("t.pb", trace.data, trace.length, &input);

    if (code != STATUS_OK)
        return code;
    *source = (struct source){ .input = input, .path = "t.pb", .display = "t.pb" };
    feed_start(&feed, (struct sink){ calls, recorder }, recorder->strings);
    code = perfetto_reader.read(source, &feed);
    if (code == STATUS_OK)
        code = feed_input_end(&feed);
    feed_free(&feed);
    input_close(input);
    return code;
}

static struct recorder *read_all(const struct sink_calls *calls)
{
    struct recorder *recorder = recorder_new();
    struct source source;

    if (read_trace(recorder, calls, &source) != STATUS_OK)
        fail_msg("%s", status_message());
    recorder_check(recorder);
    return recorder;
}

/* The slices of the trace are these, and so many events were lost. The trace begins anew. */
static void check_lost(const char *expected, uint64_t lost)
{
    struct recorder *recorder = read_all(&recorder_calls);

    assert_string_equal(recorder_text(recorder), expected);
    assert_int_equal(recorder->losses.lost, lost);
    recorder_free(recorder);
    trace.length = 0;
}

static void check(const char *expected)
{
    check_lost(expected, 0);
}

/* ---- Fields -------------------------------------------------------------------------------------------------------- */

static uint64_t value_of(const struct bytes *message)
{
    struct wire wire = wire_of(message->data, message->length);
    struct wire_field field;

    assert_true(wire_next(&wire, &field));
    assert_false(wire_next(&wire, &field));
    assert_false(wire_broken(&wire));
    return field.value;
}

static void test_numbers_of_any_length(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < 64; bits++) {
        for (int64_t around = -1; around <= 1; around++) {
            uint64_t value = ((uint64_t)1 << bits) + (uint64_t)around;
            struct bytes message = number(1, value), last = { 0 };
            struct wire_number varied;

            assert_true(value_of(&message) == value);
            /* Whatever comes behind it, and however little: the same as byte by byte. */
            put_varint(&last, value);
            for (size_t more = 0; more < 12; more++) {
                struct wire_number slow;

                varied = wire_varied_at(last.data, last.data + last.length);
                slow = wire_long_number(last.data, last.data + last.length);
                assert_true(varied.value == value && slow.value == value && varied.at == slow.at);
                last.data[last.length++] = (unsigned char)(more * 37 | 0x80);
            }
        }
    }
}

static void test_numbers_that_do_not_end(void **state)
{
    unsigned char endless[16];

    (void)state;
    memset(endless, 0x80, sizeof endless);
    for (size_t length = 0; length <= sizeof endless; length++) {
        assert_null(wire_varied_at(endless, endless + length).at);
        assert_null(wire_number_at(endless, endless + length).at);
    }
    endless[9] = 1;
    assert_ptr_equal(wire_varied_at(endless, endless + 12).at, endless + 10);
}

static void test_messages_that_are_cut(void **state)
{
    struct bytes whole = join(number(3, 300), join(text(4, "four"), number(500, 1)));

    (void)state;
    for (size_t length = 0; length < whole.length; length++) {
        struct wire wire = wire_of(whole.data, length);
        struct wire_field field;
        size_t at = 0;

        while (wire_next(&wire, &field))
            at = (size_t)(wire.at - whole.data);
        assert_true(wire_broken(&wire) ? at < length : at == length);
    }
}

/* ---- Names ---------------------------------------------------------------------------------------------------------- */

static void test_interned_names(void **state)
{
    (void)state;
    add_track(1, "line", 0);
    add(join(head(10, 1, FLAG_STATE_CLEARED),
             join(event(TYPE_BEGIN, 1, number(EVENT_NAME_IID, 7)), interned(INTERNED_NAME, 7, "seven"))));
    add(join(head(20, 1, FLAG_NEEDS_STATE), event(TYPE_END, 1, NOTHING)));
    /* Another sequence has names of its own, and a number far away. */
    add(join(head(30, 300, FLAG_STATE_CLEARED),
             join(event(TYPE_BEGIN, 1, number(EVENT_NAME_IID, 1000000)), interned(INTERNED_NAME, 1000000, "far"))));
    add(join(head(40, 300, FLAG_NEEDS_STATE), event(TYPE_END, 1, NOTHING)));
    add(join(head(50, 1, FLAG_NEEDS_STATE), event(TYPE_BEGIN, 1, number(EVENT_NAME_IID, 7))));
    add(join(head(60, 1, FLAG_NEEDS_STATE), event(TYPE_END, 1, NOTHING)));
    check("thread 0 | seven | 10..20 | seven | \n"
          "thread 0 | far | 30..40 | far | \n"
          "thread 0 | seven | 50..60 | seven | \n");
}

static void test_a_state_that_begins_anew(void **state)
{
    (void)state;
    add_track(1, "line", 0);
    add(join(head(10, 1, FLAG_STATE_CLEARED),
             join(event(TYPE_BEGIN, 1, number(EVENT_NAME_IID, 7)), interned(INTERNED_NAME, 7, "old"))));
    add(join(head(20, 1, FLAG_NEEDS_STATE), event(TYPE_END, 1, NOTHING)));
    add(join(head(30, 1, FLAG_STATE_CLEARED),
             join(event(TYPE_BEGIN, 1, number(EVENT_NAME_IID, 7)), interned(INTERNED_NAME, 7, "new"))));
    add(join(head(40, 1, FLAG_NEEDS_STATE), event(TYPE_END, 1, NOTHING)));
    /* Packets before it were dropped: what needs the state is lost, until it begins anew. */
    add(join(join(head(50, 1, FLAG_NEEDS_STATE), number(PACKET_DROPPED, 1)),
             event(TYPE_BEGIN, 1, number(EVENT_NAME_IID, 7))));
    add(join(head(55, 1, FLAG_NEEDS_STATE), event(TYPE_END, 1, NOTHING)));
    add_begin(60, 1, "again");
    add_end(70, 1);
    check_lost("thread 0 | old | 10..20 | old | \n"
               "thread 0 | new | 30..40 | new | \n"
               "thread 0 | again | 60..70 | again | \n",
               2);
}

/* A line in no order is told last, when its names are those of a state that was replaced. */
static void test_names_of_a_state_that_is_gone(void **state)
{
    (void)state;
    add_track(1, "line", 0);
    add(join(head(100, 1, FLAG_STATE_CLEARED),
             join(event(TYPE_BEGIN, 1, number(EVENT_NAME_IID, 7)), interned(INTERNED_NAME, 7, "old"))));
    add(join(head(110, 1, FLAG_NEEDS_STATE), event(TYPE_END, 1, NOTHING)));
    add(join(head(10, 1, FLAG_STATE_CLEARED),
             join(event(TYPE_BEGIN, 1, number(EVENT_NAME_IID, 7)), interned(INTERNED_NAME, 7, "new"))));
    add(join(head(20, 1, FLAG_NEEDS_STATE), event(TYPE_END, 1, NOTHING)));
    check("thread 0 | new | 10..20 | new | \n"
          "thread 0 | old | 100..110 | old | \n");
}

/* ---- Clocks ---------------------------------------------------------------------------------------------------------- */

static struct bytes clock_at(uint32_t id, uint64_t time, bool incremental, uint64_t unit)
{
    return inside(SNAPSHOT_CLOCK,
                  join(join(number(CLOCK_ID, id), number(CLOCK_TIMESTAMP, time)),
                       join(number(CLOCK_IS_INCREMENTAL, incremental), unit ? number(CLOCK_UNIT, unit) : NOTHING)));
}

static void test_clocks(void **state)
{
    (void)state;
    add_track(1, "line", 0);
    /* An incremental clock of microseconds, that of the sequence by default. */
    add(join(join(number(PACKET_SEQUENCE, 1), number(PACKET_SEQUENCE_FLAGS, FLAG_STATE_CLEARED)),
             join(inside(PACKET_DEFAULTS, number(DEFAULTS_CLOCK, 64)),
                  inside(PACKET_CLOCK_SNAPSHOT,
                         join(clock_at(64, 5, true, 1000), clock_at(CLOCK_BOOTTIME, 100000, false, 0))))));
    add(join(head(1, 1, FLAG_NEEDS_STATE), event(TYPE_BEGIN, 1, named("a"))));
    add(join(head(2, 1, FLAG_NEEDS_STATE), event(TYPE_END, 1, NOTHING)));
    /* A time in the trace's clock between them; one of a clock that nobody knows. */
    add(join(join(head(200000, 1, FLAG_NEEDS_STATE), number(PACKET_TIMESTAMP_CLOCK, CLOCK_BOOTTIME)),
             event(TYPE_BEGIN, 1, named("b"))));
    add(join(head(150, 1, FLAG_NEEDS_STATE), event(TYPE_END, 1, NOTHING)));
    add(join(join(head(9, 1, FLAG_NEEDS_STATE), number(PACKET_TIMESTAMP_CLOCK, 99)),
             event(TYPE_INSTANT, 1, named("c"))));
    check_lost("thread 0 | a | 101000..103000 | a | \n"
               "thread 0 | b | 200000..253000 | b | \n",
               1);
}

/* ---- Packets in packets -------------------------------------------------------------------------------------------- */

static void add_packed(size_t from)
{
    unsigned char packed[sizeof((struct bytes *)0)->data];
    uLongf length = sizeof packed;

    assert_int_equal(compress(packed, &length, (const Bytef *)trace.data + from, trace.length - from), Z_OK);
    trace.length = from;
    add(block(PACKET_COMPRESSED, packed, length));
}

static void test_compressed_packets(void **state)
{
    size_t from;

    (void)state;
    add_track(1, "line", 0);
    from = trace.length;
    add_begin(10, 1, "a");
    add_end(20, 1);
    add_packed(from);
    add_begin(30, 1, "b");
    from = trace.length;
    add_end(40, 1);
    add_begin(50, 1, "c");
    add_packed(from);
    add_end(60, 1);
    add(block(PACKET_COMPRESSED, "no such thing", 13));
    add_begin(70, 1, "d");
    add_end(80, 1);
    check_lost("thread 0 | a | 10..20 | a | \n"
               "thread 0 | b | 30..40 | b | \n"
               "thread 0 | c | 50..60 | c | \n"
               "thread 0 | d | 70..80 | d | \n",
               1);
    /* The same where they have to be looked at again, and one that holds another. */
    add_track(1, "line", 0);
    from = trace.length;
    add_begin(30, 1, "late");
    add_end(40, 1);
    add_packed(from);
    add_begin(10, 1, "early");
    add_end(20, 1);
    from = trace.length;
    add_begin(90, 1, "deep");
    add_packed(from);
    add_packed(from);
    check_lost("thread 0 | early | 10..20 | early | \n"
               "thread 0 | late | 30..40 | late | \n",
               1);
}

/* Packets that are larger than all that is read at once, and that lie on its edge. */
static void test_packets_on_the_edge_of_a_window(void **state)
{
    char expected[64 * 1024];
    size_t length = 0;

    (void)state;
    add_track(1, "line", 0);
    for (unsigned i = 0; i < 1200; i++) {
        char name[200];

        memset(name, 'x', sizeof name);
        name[100 + i % 97] = '\0';
        add_begin(10 * i, 1, name);
        add_end(10 * i + 5, 1);
        if (i < 60)
            length += (size_t)snprintf(expected + length, sizeof expected - length,
                                       "thread 0 | %s | %u..%u | %.100s | \n", name, 10 * i, 10 * i + 5, name);
    }
    for (size_t limit = 0; limit < 3; limit++) {
        struct recorder *recorder;

        input_limit_reads(limit * 1111);
        recorder = read_all(&recorder_calls);
        input_limit_reads(0);
        assert_int_equal(recorder->count, 1200);
        assert_int_equal(recorder->losses.used, 2400);
        assert_memory_equal(recorder_text(recorder), expected, length);
        recorder_free(recorder);
    }
    trace.length = 0;
}

/* ---- Slices and tracks ------------------------------------------------------------------------------------------------ */

static void test_slices_that_do_not_end(void **state)
{
    struct recorder *recorder;

    (void)state;
    add_track(1, "line", 0);
    add_begin(10, 1, "outer");
    add_begin(20, 1, "inner");
    add_end(30, 1);
    add_begin(40, 1, "open");
    add_track(2, "other", 0);
    add_begin(90, 2, "late");
    recorder = read_all(&recorder_calls);
    assert_string_equal(recorder_text(recorder), "thread 0 | outer | 10..90 | outer | \n"
                                                 "thread 0 | inner | 20..30 | inner |  | in outer\n"
                                                 "thread 0 | open | 40..90 | open |  | in outer\n"
                                                 "thread 1 | late | 90..90 | late | \n");
    assert_int_equal(losses_count(&recorder->losses, &perfetto_loss_open), 3);
    recorder_free(recorder);
    trace.length = 0;
}

static void test_nested_tracks(void **state)
{
    struct recorder *recorder;

    (void)state;
    add_track(1, "top", 0);
    add_track(2, "middle", 1);
    add_track(3, "bottom", 2);
    add_track(4, "orphan", 99);
    add_begin(10, 1, "a");
    add_end(20, 1);
    add_begin(12, 3, "c");
    add_end(18, 3);
    add_begin(30, 4, "lost");
    recorder = read_all(&recorder_calls);
    /* The input; a group of each that has something below it, and a line of its name in that of the first. */
    assert_int_equal(recorder->count, 2);
    for (unsigned i = 0; i < recorder->count; i++) {
        const struct track *line = &recorder->tracks[recorder->slices[i].slice.track];
        const struct track *group = &recorder->tracks[line->parent];

        assert_int_equal(group->kind, TRACK_GROUP);
        assert_string_equal(strings_text(recorder->strings, line->name), i ? "bottom" : "top");
        assert_string_equal(strings_text(recorder->strings, group->name), i ? "middle" : "top");
    }
    assert_int_equal(losses_count(&recorder->losses, &perfetto_loss_parent), 1);
    recorder_free(recorder);
    trace.length = 0;
}

static void test_what_ends_say(void **state)
{
    struct bytes said = inside(EVENT_ANNOTATION, join(text(ANNOTATION_NAME, "said"), number(ANNOTATION_INTEGER, 5)));

    (void)state;
    add_track(1, "line", 0);
    add_begin(10, 1, "a");
    add(join(head(20, 1, 0), event(TYPE_END, 1, said)));
    check("thread 0 | a | 10..20 | a | said=5\n");
}

/* ---- Arguments that nobody looks at ------------------------------------------------------------------------------------ */

static void test_only_arguments_that_somebody_looks_at(void **state)
{
    static const char *const texts[] = { "bytes=7 note=n other=o", "bytes=7", "" };
    static const uint32_t keys[] = { 0, 1 << KEY_BYTES, SINK_NO_KEYS };
    struct bytes arguments =
        join(inside(EVENT_ANNOTATION, join(text(ANNOTATION_NAME, "bytes"), number(ANNOTATION_INTEGER, 7))),
             join(inside(EVENT_ANNOTATION, join(text(ANNOTATION_NAME, "note"), text(ANNOTATION_TEXT, "n"))),
                  inside(EVENT_ANNOTATION, join(text(ANNOTATION_TEXT, "o"), text(ANNOTATION_NAME, "other")))));
    struct bytes bad = inside(EVENT_ANNOTATION, text(ANNOTATION_NAME, "nothing"));

    (void)state;
    add_track(1, "line", 0);
    add(join(head(10, 1, FLAG_STATE_CLEARED), event(TYPE_BEGIN, 1, join(named("a"), join(arguments, bad)))));
    add_end(20, 1);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct sink_calls calls = recorder_calls;
        char expected[100];
        struct recorder *recorder;

        calls.keys = keys[i];
        recorder = read_all(&calls);
        snprintf(expected, sizeof expected, "thread 0 | a | 10..20 | a | %s\n", texts[i]);
        assert_string_equal(recorder_text(recorder), expected);
        /* What is wrong with them is the same for everyone. */
        assert_int_equal(losses_count(&recorder->losses, &perfetto_loss_argument), 1);
        recorder_free(recorder);
    }
    trace.length = 0;
}

/* ---- Failures ---------------------------------------------------------------------------------------------------------- */

/* One of everything. */
static void add_everything(void)
{
    struct bytes dictionary =
        inside(ANNOTATION_DICTIONARY, join(text(ANNOTATION_NAME, "inner"), number(ANNOTATION_INTEGER, 1)));
    size_t from;

    add_track(1, "line", 0);
    add_track(2, "below", 1);
    add(inside(PACKET_TRACK_DESCRIPTOR,
               join(number(DESCRIPTOR_UUID, 3),
                    inside(DESCRIPTOR_THREAD, join(number(THREAD_PID, 4), number(THREAD_TID, 5))))));
    add(inside(PACKET_TRACK_DESCRIPTOR, join(number(DESCRIPTOR_UUID, 4), inside(DESCRIPTOR_COUNTER, NOTHING))));
    add(join(join(number(PACKET_SEQUENCE, 1), number(PACKET_SEQUENCE_FLAGS, FLAG_STATE_CLEARED)),
             inside(PACKET_CLOCK_SNAPSHOT, join(clock_at(64, 0, true, 1000), clock_at(CLOCK_BOOTTIME, 0, false, 0)))));
    add(join(head(10, 1, FLAG_STATE_CLEARED),
             join(event(TYPE_BEGIN, 1,
                        join(number(EVENT_NAME_IID, 7),
                             inside(EVENT_ANNOTATION, join(text(ANNOTATION_NAME, "deep"), dictionary)))),
                  interned(INTERNED_NAME, 7, "seven"))));
    add(join(
        head(30, 1, FLAG_NEEDS_STATE),
        event(TYPE_END, 1, inside(EVENT_ANNOTATION, join(text(ANNOTATION_NAME, "said"), text(ANNOTATION_TEXT, "t"))))));
    add_begin(50, 2, "late");
    add_end(60, 2);
    add_begin(20, 2, "early");
    add_end(25, 2);
    for (char phase = 'b'; phase; phase = phase == 'b' ? 'e' : '\0')
        add(join(head(phase == 'b' ? 70 : 80, 1, 0),
                 inside(PACKET_TRACK_EVENT, join(join(number(EVENT_TRACK, 3), named("span")),
                                                 inside(EVENT_LEGACY, join(number(LEGACY_PHASE, (uint64_t)phase),
                                                                           number(LEGACY_ID, 6)))))));
    add(join(head(90, 1, 0), event(TYPE_COUNTER, 4, number(EVENT_COUNTER_VALUE, 5))));
    from = trace.length;
    add_begin(100, 3, "packed");
    add_end(110, 3);
    add_packed(from);
}

static void test_no_memory_anywhere_is_told(void **state)
{
    status code = STATUS_MEMORY;
    uint64_t nth = 1;

    (void)state;
    add_everything();
    for (; code != STATUS_OK; nth++) {
        struct recorder *recorder = recorder_new();
        struct source source;

        memory_fail_at(nth);
        code = read_trace(recorder, &recorder_calls, &source);
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        recorder_free(recorder);
    }
    assert_true(nth > 20); /* it does ask for memory */
    trace.length = 0;
}

static void test_damaged_traces(void **state)
{
    unsigned random = 4711;

    (void)state;
    add_everything();
    for (unsigned round = 0; round < 3000; round++) {
        size_t length = trace.length, at;
        char kept[4];
        struct recorder *recorder = recorder_new();
        struct source source;
        status code;

        random = random * 1103515245u + 12345u;
        at = (random >> 8) % (length - sizeof kept);
        memcpy(kept, trace.data + at, sizeof kept);
        trace.data[at] = (char)(random >> 16);
        trace.data[at + round % sizeof kept] ^= (char)(1 << round % 8);
        trace.length = round % 3 ? length : (random >> 4) % length;
        code = read_trace(recorder, &recorder_calls, &source);
        assert_true(code == STATUS_OK || code == STATUS_INPUT);
        if (code == STATUS_OK)
            recorder_check(recorder);
        recorder_free(recorder);
        trace.length = length;
        memcpy(trace.data + at, kept, sizeof kept);
    }
    trace.length = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_of_any_length),
        cmocka_unit_test(test_numbers_that_do_not_end),
        cmocka_unit_test(test_messages_that_are_cut),
        cmocka_unit_test(test_interned_names),
        cmocka_unit_test(test_a_state_that_begins_anew),
        cmocka_unit_test(test_names_of_a_state_that_is_gone),
        cmocka_unit_test(test_clocks),
        cmocka_unit_test(test_compressed_packets),
        cmocka_unit_test(test_packets_on_the_edge_of_a_window),
        cmocka_unit_test(test_slices_that_do_not_end),
        cmocka_unit_test(test_nested_tracks),
        cmocka_unit_test(test_what_ends_say),
        cmocka_unit_test(test_only_arguments_that_somebody_looks_at),
        cmocka_unit_test(test_no_memory_anywhere_is_told),
        cmocka_unit_test(test_damaged_traces),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
