/* test_markers.c: tests of the marker log: its tables, its order, merging of lanes, and ops. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/memory.h"
#include "tenstorrent/marker_missing.h"
#include "tenstorrent/marker_ops.h"
#include "tenstorrent/marker_zones.h"
#include "tenstorrent/markers.h"

struct fixture {
    struct strings *strings;
    struct marker_log log;
};

static struct fixture start(void)
{
    struct fixture fixture = { .strings = model_strings() };

    assert_non_null(fixture.strings);
    marker_log_start(&fixture.log, fixture.strings);
    return fixture;
}

static void finish(struct fixture *fixture)
{
    marker_log_free(&fixture->log);
    strings_free(fixture->strings);
}

static string_id text(struct fixture *fixture, const char *value)
{
    string_id id;

    assert_int_equal(strings_add_text(fixture->strings, value, &id), STATUS_OK);
    return id;
}

static uint32_t lane_of(struct fixture *fixture, int64_t chip, int32_t x, int32_t y, const char *risc)
{
    uint32_t lane;

    assert_int_equal(marker_log_lane(&fixture->log, chip, x, y, text(fixture, risc), &lane), STATUS_OK);
    return lane;
}

static uint32_t kind_of(struct fixture *fixture, const char *risc, enum marker_default standard)
{
    struct marker_kind kind = {
        .timer_id = standard, .standard = (uint8_t)standard, .numbered = true, .risc = text(fixture, risc)
    };
    uint32_t id;

    kind.phase = standard == FIRMWARE_START || standard == KERNEL_START ? MARKER_START : MARKER_END;
    assert_int_equal(marker_log_kind(&fixture->log, &kind, &id), STATUS_OK);
    return id;
}

static void add(struct fixture *fixture, uint32_t lane, uint32_t kind, int64_t time, uint32_t program)
{
    struct marker marker = { time, kind, program };

    assert_int_equal(marker_lane_add(marker_lane_at(&fixture->log, lane), &marker), STATUS_OK);
}

static void test_a_marker_is_small(void **state)
{
    (void)state;
    assert_true(sizeof(struct marker) <= 16);
}

static void test_lanes_keep_the_order_of_first_sight(void **state)
{
    struct fixture fixture = start();
    const struct marker_log *log = &fixture.log;

    (void)state;
    for (unsigned round = 0; round < 2; round++) {
        assert_int_equal(lane_of(&fixture, 3, 5, 6, "NCRISC"), 0);
        assert_int_equal(lane_of(&fixture, 0, 5, 6, "NCRISC"), 1);
        assert_int_equal(lane_of(&fixture, 3, 5, 6, "BRISC"), 2);
        assert_int_equal(lane_of(&fixture, 3, 6, 5, "BRISC"), 3);
    }
    assert_int_equal(log->chips.count, 2);
    assert_int_equal(marker_chip_at(log, 0)->id, 3);
    assert_int_equal(marker_chip_at(log, 0)->core_count, 2);
    assert_int_equal(marker_core_at(log, 0)->lane_count, 2);
    assert_int_equal(marker_core_at(log, 0)->lanes[1], 2);
    finish(&fixture);
}

static void test_many_lanes_kinds_and_programs_are_told_apart(void **state)
{
    struct fixture fixture = start();
    uint32_t id;

    (void)state;
    for (unsigned round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 1000; i++) {
            struct marker_kind kind = { .timer_id = i, .risc = 1, .phase = (uint8_t)(i % 3) };
            struct marker_program program = { i + 1, (int32_t)(i % 5) - 1, -1 };

            assert_int_equal(lane_of(&fixture, i % 3, (int32_t)(i % 17), (int32_t)(i / 17), i % 2 ? "BRISC" : "NCRISC"),
                             i);
            assert_int_equal(marker_log_kind(&fixture.log, &kind, &id), STATUS_OK);
            assert_int_equal(id, i);
            assert_int_equal(marker_log_program(&fixture.log, &program, &id), STATUS_OK);
            assert_int_equal(id, i + 1);
        }
    }
    assert_int_equal(fixture.log.lanes.count, 1000);
    assert_int_equal(marker_log_program(&fixture.log, &(struct marker_program){ 0, 4, 4 }, &id), STATUS_OK);
    assert_int_equal(id, 0);
    finish(&fixture);
}

static void test_data_and_metadata_lie_beside(void **state)
{
    struct fixture fixture = start();
    struct marker_extra extra = { .data = UINT64_MAX, .program = 7, .metadata = 2 };
    struct marker marker = { .time = 5 };

    (void)state;
    marker.kind = kind_of(&fixture, "BRISC", FIRMWARE_START);
    assert_int_equal(marker_log_extra(&fixture.log, &extra, &marker.more), STATUS_OK);
    assert_int_equal(marker_program_of(&fixture.log, &marker), 7);
    assert_true(marker_extra_of(&fixture.log, &marker).data == UINT64_MAX);
    marker.more = 9;
    assert_int_equal(marker_program_of(&fixture.log, &marker), 9);
    assert_int_equal(marker_extra_of(&fixture.log, &marker).metadata, 0);
    finish(&fixture);
}

/* Sorting is stable, T0 is the smallest time of each chip, and the first lane that has it wins. */
static void test_settling(void **state)
{
    struct fixture fixture = start();
    uint32_t first = lane_of(&fixture, 0, 1, 1, "NCRISC"), second = lane_of(&fixture, 0, 1, 1, "BRISC"),
             other = lane_of(&fixture, 1, 0, 0, "BRISC");
    uint32_t one = kind_of(&fixture, "NCRISC", FIRMWARE_START), two = kind_of(&fixture, "NCRISC", KERNEL_START);
    const struct marker_log *log = &fixture.log;

    (void)state;
    for (unsigned i = 0; i < 1000; i++)
        add(&fixture, first, i % 2 ? one : two, 1000 - (int64_t)(i / 4), i);
    add(&fixture, second, one, 751, 0);
    add(&fixture, other, one, 90000, 0);
    assert_true(marker_lane_at(log, first)->unsorted);
    assert_int_equal(marker_log_settle(&fixture.log), STATUS_OK);
    for (unsigned i = 0; i < 1000; i++) {
        const struct marker *marker = column_at(&marker_lane_at(log, first)->markers, i);

        assert_int_equal(marker->time, 751 + i / 4);
        assert_int_equal(marker->more % 4, i % 4);
    }
    assert_int_equal(marker_chip_at(log, 0)->t0, 751);
    assert_string_equal(strings_text(fixture.strings, marker_chip_at(log, 0)->t0_risc), "NCRISC");
    assert_int_equal(marker_chip_at(log, 1)->t0, 90000);
    assert_int_equal(marker_chip_at(log, 0)->markers, 1001);
    finish(&fixture);
}

/* Merging equals sorting everything by time and lane. */
static void test_merging_equals_sorting(void **state)
{
    struct fixture fixture = start();
    uint32_t lanes[9], kind = kind_of(&fixture, "BRISC", FIRMWARE_START), lane, before_lane = 0;
    struct marker_merge merge;
    const struct marker *marker;
    int64_t before = INT64_MIN;
    unsigned random = 1, count = 0, t0 = 0;

    (void)state;
    for (unsigned i = 0; i < 9; i++)
        lanes[i] = lane_of(&fixture, 0, (int32_t)i, 0, "BRISC");
    for (unsigned i = 0; i < 5000; i++) {
        random = random * 1103515245u + 12345u;
        add(&fixture, lanes[(random >> 16) % 8], kind, (int64_t)((random >> 4) % 900), i);
    }
    assert_int_equal(marker_log_settle(&fixture.log), STATUS_OK);
    marker_merge_start(&merge);
    for (unsigned round = 0; round < 2; round++) {
        before = INT64_MIN;
        assert_int_equal(marker_merge_begin(&merge, &fixture.log, lanes, 9, round == 1), STATUS_OK);
        while ((marker = marker_merge_next(&merge, &lane))) {
            assert_true(marker->time > before || (marker->time == before && lane >= before_lane));
            t0 += marker->kind != kind;
            before = marker->time;
            before_lane = lane;
            count++;
        }
        assert_null(marker_merge_next(&merge, &lane));
    }
    assert_int_equal(t0, 8); /* the ninth lane is empty */
    assert_int_equal(count, 2 * 5000 + 8);
    marker_merge_free(&merge);
    finish(&fixture);
}

static string_id lane_risc(const struct fixture *fixture, uint32_t lane)
{
    return marker_lane_at(&fixture->log, lane)->risc;
}

static void add_launch(struct fixture *fixture, uint32_t program, int32_t x, int64_t time, int64_t late)
{
    static const char *const riscs[] = { "BRISC", "NCRISC" };

    for (unsigned i = 0; i < 2; i++) {
        uint32_t lane = lane_of(fixture, 0, x, 0, riscs[i]);

        for (unsigned standard = FIRMWARE_START; standard <= FIRMWARE_END; standard++)
            add(fixture, lane, kind_of(fixture, riscs[i], standard), time + standard * 10 + i * late, program);
    }
}

static uint32_t op_at(const struct marker_ops *ops, uint32_t lane, size_t index)
{
    struct marker_ops_walk walk = { NO_ID };
    uint32_t op = NO_ID;

    for (size_t i = 0; i <= index; i++)
        op = marker_ops_next(ops, &walk, column_at(&marker_lane_at(ops->log, lane)->markers, i));
    return op;
}

/* The NCRISC ends after the BRISC of the next repetition has begun: its markers stay with their own op. */
static void test_repetitions_keep_what_comes_late(void **state)
{
    struct fixture fixture = start();
    struct marker_ops ops;
    uint32_t program;

    (void)state;
    assert_int_equal(marker_log_program(&fixture.log, &(struct marker_program){ 1024, -1, -1 }, &program), STATUS_OK);
    for (unsigned i = 0; i < 3; i++) {
        add_launch(&fixture, program, 0, 1000 + 100 * (int64_t)i, 75);
        add_launch(&fixture, program, 1, 1002 + 100 * (int64_t)i, 75);
    }
    assert_int_equal(marker_log_settle(&fixture.log), STATUS_OK);
    assert_int_equal(marker_ops_build(&ops, &fixture.log, 0), STATUS_OK);
    assert_int_equal(ops.count, 3);
    assert_int_equal(ops.overlapping, 0);
    for (unsigned lane = 0; lane < 4; lane++)
        for (unsigned i = 0; i < 12; i++)
            assert_int_equal(op_at(&ops, lane, i), i / 4);
    assert_int_equal(ops.ops[1].begins, 1110);
    marker_ops_free(&ops);
    finish(&fixture);
}

static void test_programs_are_ops_by_their_first_marker(void **state)
{
    struct fixture fixture = start();
    struct marker_ops ops;
    uint32_t programs[3];

    (void)state;
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(
            marker_log_program(&fixture.log, &(struct marker_program){ 1024, 5, (int32_t)i + 1 }, &programs[i]),
            STATUS_OK);
    add_launch(&fixture, programs[2], 0, 3000, 10);
    add_launch(&fixture, programs[0], 0, 1000, 10);
    add_launch(&fixture, 0, 0, 9000, 10);
    assert_int_equal(marker_log_settle(&fixture.log), STATUS_OK);
    assert_int_equal(marker_ops_build(&ops, &fixture.log, 0), STATUS_OK);
    assert_int_equal(ops.count, 3);
    assert_int_equal(ops.ops[ops.by_start[0]].program, programs[0]);
    assert_int_equal(ops.ops[ops.by_start[1]].program, programs[2]);
    assert_true(ops.ops[ops.by_start[2]].first == INT64_MAX);
    assert_int_equal(op_at(&ops, 0, 8), NO_ID);
    marker_ops_free(&ops);
    finish(&fixture);
}

static void test_unpaired(void **state)
{
    struct fixture fixture = start();
    uint32_t lane = lane_of(&fixture, 0, 0, 0, "BRISC");
    static const uint8_t standards[] = { FIRMWARE_END,   FIRMWARE_START, KERNEL_START, FIRMWARE_END,
                                         FIRMWARE_START, FIRMWARE_START, KERNEL_END };
    struct marker_unpaired unpaired;

    (void)state;
    for (unsigned i = 0; i < sizeof standards; i++)
        add(&fixture, lane, kind_of(&fixture, "BRISC", standards[i]), i, 0);
    unpaired = marker_log_unpaired(&fixture.log);
    assert_int_equal(unpaired.starts, 2);
    assert_int_equal(unpaired.ends, 3);
    assert_int_equal(unpaired.pairs, 1);
    assert_int_equal(unpaired.lane, lane);
    assert_int_equal(unpaired.time, 0);
    finish(&fixture);
}

/* A kernel's end and the next one's start are missing: all that is left looks paired, but for the firmware around it. */
static void test_kernels_that_reach_over_a_launch(void **state)
{
    static const uint8_t reaching[] = { FIRMWARE_START, KERNEL_START, FIRMWARE_END,
                                        FIRMWARE_START, KERNEL_END,   FIRMWARE_END };
    static const uint8_t whole[] = { FIRMWARE_START, KERNEL_START,   KERNEL_END,
                                     FIRMWARE_END,   FIRMWARE_START, FIRMWARE_END };
    const uint8_t *const logs[] = { reaching, whole };

    (void)state;
    for (unsigned log = 0; log < 2; log++) {
        struct fixture fixture = start();
        uint32_t lane = lane_of(&fixture, 0, 3, 4, "NCRISC");
        struct marker_unpaired unpaired;

        for (unsigned i = 0; i < sizeof reaching; i++)
            add(&fixture, lane, kind_of(&fixture, "NCRISC", logs[log][i]), i, 0);
        unpaired = marker_log_unpaired(&fixture.log);
        assert_int_equal(unpaired.starts, log == 0);
        assert_int_equal(unpaired.ends, log == 0);
        assert_int_equal(unpaired.lane, log == 0 ? lane : NO_ID);
        assert_int_equal(unpaired.pairs, log == 0 ? 2 : 3);
        finish(&fixture);
    }
}

/* What one op lacks says nothing of another; one that lacks a marker doubts what a core of it has not at all. */
static void test_ops_say_what_they_lack(void **state)
{
    struct fixture fixture = start();
    struct marker_ops ops;
    uint32_t programs[3], lane, bit;

    (void)state;
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(
            marker_log_program(&fixture.log, &(struct marker_program){ 1024 * (i + 1), -1, -1 }, &programs[i]),
            STATUS_OK);
    for (unsigned i = 0; i < 2; i++) {
        add_launch(&fixture, programs[i], 0, 1000 + 1000 * (int64_t)i, 5);
        add_launch(&fixture, programs[i], 1, 1000 + 1000 * (int64_t)i, 5);
    }
    /* The third has no kernel's end on one core, and no NCRISC on the other. */
    lane = lane_of(&fixture, 0, 0, 0, "BRISC");
    add(&fixture, lane, kind_of(&fixture, "BRISC", FIRMWARE_START), 5000, programs[2]);
    add(&fixture, lane, kind_of(&fixture, "BRISC", KERNEL_START), 5010, programs[2]);
    add(&fixture, lane, kind_of(&fixture, "BRISC", FIRMWARE_END), 5030, programs[2]);
    lane = lane_of(&fixture, 0, 1, 0, "BRISC");
    for (unsigned standard = FIRMWARE_START; standard <= FIRMWARE_END; standard++)
        add(&fixture, lane, kind_of(&fixture, "BRISC", standard), 5000 + 10 * standard, programs[2]);
    assert_int_equal(marker_log_settle(&fixture.log), STATUS_OK);
    assert_int_equal(marker_ops_build(&ops, &fixture.log, 0), STATUS_OK);
    for (unsigned standard = FIRMWARE_START; standard <= FIRMWARE_END; standard++)
        assert_int_equal(ops.ops[0].lacks[standard] | ops.ops[1].lacks[standard], 0);
    bit = marker_ops_risc(&ops, lane_risc(&fixture, lane));
    assert_int_equal(ops.ops[2].lacks[KERNEL_END] & bit, bit);
    assert_int_equal(ops.ops[2].lacks[KERNEL_START] & bit, 0);
    assert_int_equal(ops.ops[2].lacks[FIRMWARE_START] & bit, 0);
    assert_int_equal(ops.ops[2].lacks[KERNEL_START] & ~bit, ops.ops[2].lacks[FIRMWARE_END] & ~bit);
    assert_true(ops.ops[2].lacks[KERNEL_START] & ~bit);
    marker_ops_free(&ops);
    finish(&fixture);
}

static status build(void)
{
    struct strings *strings = model_strings();
    struct marker_log log;
    struct marker_ops ops = { .log = NULL };
    struct marker_merge merge;
    uint32_t lane, kind, program;
    status code = strings ? STATUS_OK : STATUS_MEMORY;

    marker_log_start(&log, strings);
    marker_merge_start(&merge);
    for (unsigned i = 0; i < 200 && code == STATUS_OK; i++) {
        struct marker_kind made = { .timer_id = i % 4 + 1,
                                    .standard = (uint8_t)(i % 4 + 1),
                                    .phase = i % 2 ? MARKER_END : MARKER_START };

        code = strings_add_text(strings, "BRISC", &made.risc);
        if (code == STATUS_OK)
            code = marker_log_lane(&log, 0, (int32_t)i % 3, 0, made.risc, &lane);
        if (code == STATUS_OK)
            code = marker_log_kind(&log, &made, &kind);
        if (code == STATUS_OK)
            code = marker_log_program(&log, &(struct marker_program){ i % 5 + 1, -1, -1 }, &program);
        if (code == STATUS_OK)
            code = marker_lane_add(marker_lane_at(&log, lane), &(struct marker){ 1000 - (int64_t)i, kind, program });
    }
    if (code == STATUS_OK)
        code = marker_log_settle(&log);
    if (code == STATUS_OK)
        code = marker_merge_begin(&merge, &log, (const uint32_t[]){ 0, 1, 2 }, 3, true);
    if (code == STATUS_OK)
        code = marker_ops_build(&ops, &log, 0);
    marker_ops_free(&ops);
    marker_merge_free(&merge);
    marker_log_free(&log);
    strings_free(strings);
    return code;
}

static void test_every_allocation_may_fail(void **state)
{
    status code = STATUS_MEMORY;

    (void)state;
    for (uint64_t nth = 1; code != STATUS_OK; nth++) {
        assert_true(nth < 300);
        memory_fail_at(nth);
        code = build();
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
    }
}

/* ---- Zones ---- */

/* What was heard of a lane: "F0+" a zone began at depth 0, "F0-7" it ended at 7, "F0~7" the same but guessed, "f@3" an end alone. */
struct heard {
    const struct marker_log *log;
    char text[16 * 1024];
    size_t length;
};

static char letter(const struct heard *heard, const struct marker *marker)
{
    return *strings_text(heard->log->strings, marker_kind_at(heard->log, marker->kind)->zone);
}

static status hear_begin(void *context, const struct marker *start, size_t depth)
{
    struct heard *heard = context;

    heard->length += (size_t)snprintf(heard->text + heard->length, sizeof heard->text - heard->length, "%c%zu+ ",
                                      letter(heard, start), depth);
    return STATUS_OK;
}

static status hear_end(void *context, const struct marker *start, size_t depth, int64_t time, bool guessed)
{
    struct heard *heard = context;

    heard->length += (size_t)snprintf(heard->text + heard->length, sizeof heard->text - heard->length, "%c%zu%c%d ",
                                      letter(heard, start), depth, guessed ? '~' : '-', (int)time);
    return STATUS_OK;
}

static status hear_point(void *context, const struct marker *marker, bool lone_end)
{
    struct heard *heard = context;

    heard->length += (size_t)snprintf(heard->text + heard->length, sizeof heard->text - heard->length, "%c%c%d ",
                                      letter(heard, marker), lone_end ? '@' : '!', (int)marker->time);
    return STATUS_OK;
}

/* A capital letter is a zone's start, the small one its end, '.' a moment; F and K are firmware and kernel. Times count from 1. */
static void check_zones(const char *markers, const char *expected)
{
    struct fixture fixture = start();
    uint32_t lane = lane_of(&fixture, 0, 0, 0, "BRISC");
    struct heard heard = { .log = &fixture.log };
    struct marker_zones_user user = { &heard, hear_begin, hear_end, hear_point };
    struct marker_zones zones;
    struct marker_cursor cursor;
    const struct marker *marker;

    for (int i = 0; markers[i]; i++) {
        char name[2] = { (char)(markers[i] & ~0x20), '\0' };
        bool begins = markers[i] == *name;
        struct marker_kind kind = { .standard = MARKER_NO_DEFAULT, .phase = begins ? MARKER_START : MARKER_END };
        uint32_t id;

        if (*name == 'F')
            kind.standard = begins ? FIRMWARE_START : FIRMWARE_END;
        if (*name == 'K')
            kind.standard = begins ? KERNEL_START : KERNEL_END;
        if (markers[i] == '.')
            kind.phase = MARKER_EVENT;
        kind.zone = text(&fixture, markers[i] == '.' ? "." : name);
        assert_int_equal(marker_log_kind(&fixture.log, &kind, &id), STATUS_OK);
        add(&fixture, lane, id, i + 1, 0);
    }
    assert_int_equal(marker_log_settle(&fixture.log), STATUS_OK);
    marker_zones_begin(&zones, &fixture.log, &user);
    marker_zones_start(&zones, 0);
    marker_cursor_start(&cursor, &marker_lane_at(&fixture.log, lane)->markers);
    while ((marker = marker_cursor_next(&cursor)))
        assert_int_equal(marker_zones_step(&zones, marker), STATUS_OK);
    assert_int_equal(marker_zones_finish(&zones), STATUS_OK);
    assert_string_equal(heard.text, expected);
    marker_zones_free(&zones);
    finish(&fixture);
}

static void test_zones_nest(void **state)
{
    (void)state;
    check_zones("", "");
    check_zones("FKABbakf", "F0+ K1+ A2+ B3+ B3-5 A2-6 K1-7 F0-8 ");
    check_zones("F.f", "F0+ .!2 F0-3 ");
    check_zones("AAaa", "A0+ A1+ A1-3 A0-4 "); /* a zone of a program may call itself */
}

static void test_zones_without_an_end_are_guessed(void **state)
{
    (void)state;
    check_zones("FKA.", "F0+ K1+ A2+ .!4 A2~4 K1~4 F0~4 ");
    check_zones("FKAkf", "F0+ K1+ A2+ A2~4 K1-4 F0-5 ");
    /* Firmware does not call itself: the first one's end was lost, and it lasted until the marker before. */
    check_zones("FKkFf", "F0+ K1+ K1-3 F0~3 F0+ F0-5 ");
    check_zones("FKAFf", "F0+ K1+ A2+ A2~3 K1~3 F0~3 F0+ F0-5 ");
}

static void test_ends_without_a_start_are_points(void **state)
{
    (void)state;
    check_zones("f", "F@1 ");
    check_zones("AbaB", "A0+ B@2 A0-3 B0+ B0~4 ");
}

/* More open zones than any program has: the starts beyond are points, and their ends are alone. */
static void test_open_zones_have_a_limit(void **state)
{
    char markers[MARKER_ZONES_OPEN + 4], expected[16 * 1024];
    size_t length = 0;

    (void)state;
    for (unsigned i = 0; i < MARKER_ZONES_OPEN; i++) {
        markers[i] = 'A';
        length += (size_t)snprintf(expected + length, sizeof expected - length, "A%u+ ", i);
    }
    memcpy(markers + MARKER_ZONES_OPEN, "Bba", 4);
    length += (size_t)snprintf(expected + length, sizeof expected - length, "B!%d B@%d A%d-%d ", MARKER_ZONES_OPEN + 1,
                               MARKER_ZONES_OPEN + 2, MARKER_ZONES_OPEN - 1, MARKER_ZONES_OPEN + 3);
    for (unsigned i = MARKER_ZONES_OPEN - 1; i-- > 0;)
        length += (size_t)snprintf(expected + length, sizeof expected - length, "A%u~%d ", i, MARKER_ZONES_OPEN + 3);
    check_zones(markers, expected);
}

static void test_logs_are_appended(void **state)
{
    struct fixture whole = start();
    struct marker_log part;
    struct marker_extra extra = { .data = 7 };
    struct marker_program program = { 1024, 3, 1 };
    struct marker marker = { .time = 50 };
    uint32_t lane;

    (void)state;
    for (int64_t chip = 0; chip < 2; chip++) { /* the second log has other kinds before the shared one */
        struct fixture fixture = { .strings = whole.strings };

        marker_log_start(&fixture.log, whole.strings);
        lane = lane_of(&fixture, chip, 1, 1, "NCRISC"); /* stays empty */
        lane = lane_of(&fixture, chip, 1, 1, "BRISC");
        if (chip)
            marker.kind = kind_of(&fixture, "BRISC", KERNEL_END);
        assert_int_equal(marker_log_program(&fixture.log, &program, &extra.program), STATUS_OK);
        assert_int_equal(marker_log_extra(&fixture.log, &extra, &marker.more), STATUS_OK);
        marker.kind = kind_of(&fixture, "BRISC", FIRMWARE_START);
        assert_int_equal(marker_lane_add(marker_lane_at(&fixture.log, lane), &marker), STATUS_OK);
        assert_int_equal(marker_lane_add_total(marker_lane_at(&fixture.log, lane), &marker), STATUS_OK);
        fixture.log.losses = (struct losses){ .rows = 3, .used = 2, .lost = 1 };
        part = fixture.log;
        assert_int_equal(marker_log_append(&whole.log, &part, (uint32_t)chip + 5), STATUS_OK);
        marker_log_free(&part);
    }
    assert_int_equal(marker_log_settle(&whole.log), STATUS_OK);
    assert_int_equal(whole.log.lanes.count, 2); /* empty ones are left out */
    assert_int_equal(whole.log.losses.rows, 6);
    for (uint32_t i = 0; i < 2; i++) {
        const struct marker *first = column_at(&marker_lane_at(&whole.log, i)->markers, 0);
        const struct marker_program *of = column_at(&whole.log.programs, marker_program_of(&whole.log, first));

        assert_int_equal(marker_kind_at(&whole.log, first->kind)->standard, FIRMWARE_START);
        assert_int_equal(marker_extra_of(&whole.log, first).data, 7);
        assert_int_equal(of->host_id, i + 5);
        assert_int_equal(of->trace, 3);
        assert_int_equal(marker_lane_at(&whole.log, i)->totals.count, 1);
    }
    finish(&whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_marker_is_small),
        cmocka_unit_test(test_lanes_keep_the_order_of_first_sight),
        cmocka_unit_test(test_many_lanes_kinds_and_programs_are_told_apart),
        cmocka_unit_test(test_data_and_metadata_lie_beside),
        cmocka_unit_test(test_settling),
        cmocka_unit_test(test_open_zones_have_a_limit),
        cmocka_unit_test(test_logs_are_appended),
        cmocka_unit_test(test_merging_equals_sorting),
        cmocka_unit_test(test_repetitions_keep_what_comes_late),
        cmocka_unit_test(test_programs_are_ops_by_their_first_marker),
        cmocka_unit_test(test_unpaired),
        cmocka_unit_test(test_ops_say_what_they_lack),
        cmocka_unit_test(test_kernels_that_reach_over_a_launch),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_zones_nest),
        cmocka_unit_test(test_zones_without_an_end_are_guessed),
        cmocka_unit_test(test_ends_without_a_start_are_points),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
