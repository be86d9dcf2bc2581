/* test_timeline_page.c: timeline pages: levels of detail decoded again and compared with the slices, nesting, what hostile names and times do to a
 * page, and what happens without memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/memory.h"
#include "page/timeline_levels.h"
#include "page/timeline_page.h"
#include "page_reading.h"

/* ---- help ------------------------------------------------------------------------------------------------------ */

struct block {
    uint64_t start, end, count, label, share;
};

struct reading {
    unsigned char bytes[1 << 20];
    size_t size, at;
};

static struct reading reading;

static unsigned digit(char character)
{
    const char *all = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = strchr(all, character);

    assert_true(character && found);
    return (unsigned)(found - all);
}

static void decode_base64(const char *text, size_t length)
{
    uint32_t bits = 0;
    unsigned held = 0;

    reading.size = reading.at = 0;
    for (size_t i = 0; i < length; i++) {
        bits = bits << 6 | digit(text[i]);
        held += 6;
        if (held >= 8) {
            held -= 8;
            assert_true(reading.size < sizeof reading.bytes);
            reading.bytes[reading.size++] = (unsigned char)(bits >> held);
        }
    }
}

static uint64_t next_number(void)
{
    uint64_t value = 0;

    for (unsigned shift = 0;; shift += 7) {
        assert_true(reading.at < reading.size);
        value |= (uint64_t)(reading.bytes[reading.at] & 127) << shift;
        if (reading.bytes[reading.at++] < 128)
            return value;
    }
}

/* The blocks of one level; times count from the row's first start. */
static struct block *decode_level(const char *text, size_t length, size_t count, bool exact, bool instants)
{
    struct block *blocks = calloc(count + 1, sizeof *blocks);
    uint64_t time = 0;

    assert_non_null(blocks);
    decode_base64(text, length);
    for (size_t i = 0; i < count; i++) {
        blocks[i].start = time += next_number();
        blocks[i].end = time += exact && instants ? 0 : next_number();
        blocks[i].count = exact ? 1 : next_number();
        blocks[i].label = next_number();
        blocks[i].share = exact || blocks[i].count == 1 ? 255 : next_number();
    }
    assert_int_equal(reading.at, reading.size);
    return blocks;
}

struct written {
    struct output *data, *facts;
    const char *text; /* of the levels */
    unsigned levels[40], count;
    size_t blocks[40], characters[40];
};

static void write_row(struct timeline_row *row, struct written *written)
{
    const char *facts;
    size_t length;
    int moved;

    assert_int_equal(output_open_memory(&written->data), STATUS_OK);
    assert_int_equal(output_open_memory(&written->facts), STATUS_OK);
    timeline_row_write(row, written->data, written->facts);
    assert_int_equal(row->count, 0);
    written->text = output_memory(written->data, &length);
    facts = output_memory(written->facts, &length);
    assert_int_equal(*facts, '[');
    written->count = 0;
    while (*facts != ']') {
        assert_int_equal(sscanf(facts + 1, "%u,%zu,%zu%n", &written->levels[written->count],
                                &written->blocks[written->count], &written->characters[written->count], &moved),
                         3);
        facts += 1 + moved;
        written->count++;
    }
}

static void forget(struct written *written)
{
    output_abandon(written->data);
    output_abandon(written->facts);
}

static uint64_t seed;

static int64_t draw(int64_t limit)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)(seed >> 33) % limit;
}

/* ---- levels ---------------------------------------------------------------------------------------------------- */

static void test_exact_level_is_exact(void **state)
{
    struct timeline_row row = { 0 };
    struct written written;
    struct block *blocks;

    (void)state;
    assert_int_equal(timeline_row_add(&row, INT64_MIN, -5, 7), STATUS_OK);
    assert_int_equal(timeline_row_add(&row, -5, -5, 0), STATUS_OK);
    assert_int_equal(timeline_row_add(&row, 1000000, INT64_MAX, UINT32_MAX), STATUS_OK);
    write_row(&row, &written);
    assert_int_equal(written.count, 1);
    blocks = decode_level(written.text, written.characters[0], 3, true, false);
    assert_true(blocks[0].start == 0 && blocks[0].end == (uint64_t)INT64_MAX - 4);
    assert_int_equal(blocks[0].label, 7);
    assert_true(blocks[1].start == blocks[0].end && blocks[1].end == blocks[0].end);
    assert_true(blocks[2].end == UINT64_MAX);
    assert_int_equal(blocks[2].label, UINT32_MAX);
    free(blocks);
    forget(&written);
    timeline_row_free(&row);
}

/* What must hold of a merged level: same range, same slices, no overlap, and never more than two blocks to a width. */
static void check_level(const struct block *blocks, size_t count, const struct block *exact, size_t slices,
                        uint64_t width)
{
    size_t at = 0;

    for (size_t i = 0; i < count; i++) {
        uint64_t busy = 0, found = 0;

        assert_true(blocks[i].start == exact[at].start);
        if (i + 2 < count)
            assert_true(blocks[i + 2].end - blocks[i].start > width);
        if (i)
            assert_true(blocks[i].start >= blocks[i - 1].end);
        for (uint64_t n = 0; n < blocks[i].count; n++, at++) {
            assert_true(at < slices && exact[at].end <= blocks[i].end);
            busy += exact[at].end - exact[at].start;
            found |= exact[at].label == blocks[i].label;
        }
        assert_true(found);
        assert_true(blocks[i].end == exact[at - 1].end);
        if (blocks[i].count > 1 && blocks[i].end > blocks[i].start) {
            double share = (double)busy / (double)(blocks[i].end - blocks[i].start) * 255;

            assert_true(fabs(share - (double)blocks[i].share) <= 1);
        }
    }
    assert_int_equal(at, slices);
}

static void check_row(size_t slices, bool instants, int64_t length, int64_t gap)
{
    struct timeline_row row = { .instants = instants };
    struct written written;
    struct block *exact;
    const char *text;
    int64_t time = -draw(1000);

    for (size_t i = 0; i < slices; i++) {
        int64_t end = time + (instants ? 0 : draw(length));

        assert_int_equal(timeline_row_add(&row, time, end, (uint32_t)draw(5)), STATUS_OK);
        time = end + draw(gap) * (draw(20) ? 1 : 100);
    }
    write_row(&row, &written);
    exact = decode_level(written.text, written.characters[0], slices, true, instants);
    text = written.text + written.characters[0];
    for (unsigned i = 1; i < written.count; i++) {
        struct block *blocks = decode_level(text, written.characters[i], written.blocks[i], false, instants);

        assert_true(written.blocks[i] * 3 <= written.blocks[i - 1]);
        assert_true(written.levels[i] > written.levels[i - 1]);
        check_level(blocks, written.blocks[i], exact, slices, (uint64_t)1 << 2 * written.levels[i]);
        text += written.characters[i];
        free(blocks);
    }
    assert_true(slices < 1000 || written.count > 1);
    assert_true(slices < 1000 || written.blocks[written.count - 1] <= 600);
    free(exact);
    forget(&written);
    timeline_row_free(&row);
}

static void test_levels_hold_every_slice(void **state)
{
    (void)state;
    seed = 1;
    check_row(1, false, 10, 10);
    check_row(192, false, 10, 10);
    check_row(193, false, 10, 10);
    check_row(20000, false, 100, 30);
    check_row(20000, false, 1, 1); /* all at one moment */
    check_row(20000, false, 100000, 3);
    check_row(20000, true, 1, 50);
    check_row(5000, true, 1, 1000000000);
}

/* ---- pages ----------------------------------------------------------------------------------------------------- */

static const struct timeline_words words = { .title = "A <b> page",
                                             .section = "Chip",
                                             .group = "Core",
                                             .lane = "RISC",
                                             .tick = "cycles",
                                             .clock_numerator = 1000,
                                             .clock_denominator = 1202 };

/* A page with one lane, which is open. */
static struct timeline_page *begin_lane(struct output **output)
{
    struct timeline_page *page;

    assert_int_equal(output_open_memory(output), STATUS_OK);
    assert_int_equal(timeline_page_begin(*output, &words, &page), STATUS_OK);
    timeline_page_section(page, "Chip 0", 0);
    timeline_page_group(page, "(0, 0)");
    timeline_page_lane(page, "BRISC");
    return page;
}

static void test_nested_and_overlapping_slices_get_rows(void **state)
{
    struct timeline_page *page;
    struct output *output;
    struct arena arena = ARENA_EMPTY;
    const struct json *lanes, *rows;
    uint32_t outer, inner;
    size_t length;

    (void)state;
    assert_int_equal(output_open_memory(&output), STATUS_OK);
    assert_int_equal(timeline_page_begin(output, &words, &page), STATUS_OK);
    outer = timeline_page_label(page, "outer", TIMELINE_OUTER);
    inner = timeline_page_label(page, "inner", TIMELINE_ZONE);
    assert_int_equal(timeline_page_label(page, "outer", TIMELINE_OUTER), outer);
    assert_int_not_equal(timeline_page_label(page, "outer", TIMELINE_MAIN), outer);
    timeline_page_section(page, "Chip 0", 100);
    timeline_page_group(page, "(0, 0)");
    timeline_page_lane(page, "BRISC");
    timeline_page_slice(page, inner, 120, 130); /* ends come first in a log: any order will do */
    timeline_page_slice(page, inner, 130, 140);
    timeline_page_slice(page, outer, 100, 200);
    timeline_page_slice(page, inner, 190, 210); /* partly over */
    timeline_page_slice(page, outer, 200, 205); /* below it, since that one is still open */
    timeline_page_instant(page, inner, 150);
    timeline_page_lane(page, "NCRISC");
    timeline_page_slice(page, 99, 1, 2); /* no such label: not drawn */
    assert_int_equal(timeline_page_finish(page), STATUS_OK);
    lanes = json_get(page_facts(&arena, output_memory(output, &length)), "lanes");
    assert_int_equal(lanes->count, 2);
    rows = at(at(lanes, 0), 2);
    assert_int_equal(rows->count, 4); /* three depths and moments */
    assert_int_equal(integer_of(at(at(at(rows, 0), 3), 1)), 1);
    assert_int_equal(integer_of(at(at(at(rows, 1), 3), 1)), 3);
    assert_int_equal(integer_of(at(at(at(rows, 2), 3), 1)), 1);
    assert_int_equal(integer_of(at(at(rows, 0), 1)), 0); /* since the origin */
    assert_int_equal(integer_of(at(at(rows, 1), 2)), 110);
    assert_int_equal(integer_of(at(at(rows, 3), 0)), -1);
    assert_int_equal(at(at(lanes, 1), 2)->count, 0);
    arena_free(&arena);
    output_abandon(output);
}

static void test_hostile_names_do_not_end_the_page(void **state)
{
    static const char nasty[] = "</script><script>alert(1)</script><!-- \"\\\xff";
    struct timeline_page *page;
    struct output *output;
    struct arena arena = ARENA_EMPTY;
    const struct json *facts;
    const char *text;
    unsigned ends = 0;
    size_t length;

    (void)state;
    assert_int_equal(output_open_memory(&output), STATUS_OK);
    assert_int_equal(timeline_page_begin(output, &words, &page), STATUS_OK);
    timeline_page_fact(page, nasty, "%s", nasty);
    timeline_page_note(page, "%s", nasty);
    timeline_page_section(page, nasty, INT64_MIN);
    timeline_page_group(page, nasty);
    timeline_page_lane(page, nasty);
    timeline_page_slice(page, timeline_page_label(page, nasty, TIMELINE_ZONE), INT64_MIN, INT64_MAX);
    timeline_page_slice(page, 0, 5, 1); /* ends before it starts */
    timeline_page_map(page,
                      &(struct timeline_map){ .title = nasty,
                                              .columns = 1,
                                              .rows = 1,
                                              .place_count = 1,
                                              .places = &(struct timeline_place){ .value = NAN, .text = nasty } });
    assert_int_equal(timeline_page_finish(page), STATUS_OK);
    text = output_memory(output, &length);
    assert_int_equal(strlen(text), length);
    facts = page_facts(&arena, text);
    assert_int_equal(json_get(facts, "labels")->count, 1);
    for (const char *found = text; (found = strstr(found, "</script")); found++)
        ends++;
    assert_int_equal(ends, 3); /* one lane, the facts, the program */
    arena_free(&arena);
    output_abandon(output);
}

static void test_too_deep_slices_are_counted(void **state)
{
    struct timeline_page *page;
    struct output *output;
    size_t length;

    (void)state;
    page = begin_lane(&output);
    timeline_page_label(page, "zone", TIMELINE_ZONE);
    for (int64_t i = 0; i < 30; i++)
        timeline_page_slice(page, 0, i, 1000 - i);
    assert_int_equal(timeline_page_finish(page), STATUS_OK);
    assert_non_null(
        strstr(output_memory(output, &length), "\"6 slices are nested deeper than 24 and are not drawn.\""));
    output_abandon(output);
}

/* Lengths from 0 to the largest there are: every one in the bin whose edges are around it. */
static void test_histograms_count_every_slice(void **state)
{
    struct timeline_page *page;
    struct output *output;
    struct arena arena = ARENA_EMPTY;
    const struct json *label, *bins;
    int64_t counted = 0;
    size_t length;

    (void)state;
    page = begin_lane(&output);
    timeline_page_label(page, "zone", TIMELINE_ZONE);
    timeline_page_slice(page, 0, 0, 0);
    for (int i = 0; i < 63; i++)
        timeline_page_slice(page, 0, 0, (int64_t)1 << i);
    timeline_page_slice(page, 0, 0, 17);
    assert_int_equal(timeline_page_finish(page), STATUS_OK);
    label = at(json_get(page_facts(&arena, output_memory(output, &length)), "labels"), 0);
    bins = at(label, 6);
    for (size_t i = 0; i < bins->count; i += 2) {
        if (i)
            assert_true(integer_of(at(bins, i)) > integer_of(at(bins, i - 2)));
        counted += integer_of(at(bins, i + 1));
    }
    assert_int_equal(counted, 65);
    assert_int_equal(integer_of(at(label, 2)), 65);
    assert_int_equal(integer_of(at(bins, 0)), 0);
    assert_int_equal(integer_of(at(bins, 10)), 16); /* 0, 1, 2, 4, 8, then 16 */
    assert_int_equal(integer_of(at(bins, 12)), 17);
    assert_int_equal(integer_of(at(bins, 14)), 32);
    arena_free(&arena);
    output_abandon(output);
}

/* Lanes of different sections that fill each other's gaps, and a long gap that all have. */
static void test_idle_stretches_are_those_of_all_lanes(void **state)
{
    struct timeline_page *page;
    struct output *output;
    struct arena arena = ARENA_EMPTY;
    const struct json *idle;
    size_t length;

    (void)state;
    assert_int_equal(output_open_memory(&output), STATUS_OK);
    assert_int_equal(timeline_page_begin(output, &words, &page), STATUS_OK);
    timeline_page_label(page, "zone", TIMELINE_ZONE);
    for (int64_t chip = 0; chip < 2; chip++) {
        int64_t origin = chip * 1000000;

        timeline_page_section(page, "Chip", origin);
        timeline_page_group(page, "(0, 0)");
        timeline_page_lane(page, "BRISC");
        timeline_page_slice(page, 0, origin + chip * 50, origin + chip * 50 + 50);
        timeline_page_slice(page, 0, origin + 9000, origin + 9100);
        if (chip)
            timeline_page_instant(page, 0, origin + 5000);
    }
    assert_int_equal(timeline_page_finish(page), STATUS_OK);
    idle = json_get(page_facts(&arena, output_memory(output, &length)), "idle");
    assert_int_equal(idle->count, 4);
    assert_int_equal(integer_of(at(idle, 0)), 101);
    assert_int_equal(integer_of(at(idle, 1)), 4899);
    assert_int_equal(integer_of(at(idle, 2)), 5001);
    assert_int_equal(integer_of(at(idle, 3)), 3999);
    arena_free(&arena);
    output_abandon(output);
}

static status make_page(struct output *output)
{
    struct timeline_page *page;
    status done = timeline_page_begin(output, &words, &page);

    if (done != STATUS_OK)
        return done;
    timeline_page_fact(page, "Clock", "1202 MHz");
    timeline_page_section(page, "Chip 0", 0);
    timeline_page_group(page, "(0, 0)");
    timeline_page_lane(page, "BRISC");
    for (int64_t i = 0; i < 300; i++) {
        timeline_page_slice(page, timeline_page_label(page, i % 2 ? "one" : "other", TIMELINE_ZONE), i * 10,
                            i * 10 + 5);
        timeline_page_instant(page, timeline_page_label(page, "moment", TIMELINE_POINT), i);
    }
    return timeline_page_finish(page);
}

static void test_failures_stick(void **state)
{
    struct output *output;
    bool failed = true;

    (void)state;
    for (uint64_t nth = 1; failed; nth++) {
        status done;

        assert_true(nth < 5000);
        assert_int_equal(output_open_memory(&output), STATUS_OK);
        memory_fail_at(nth);
        done = make_page(output);
        memory_fail_at(0);
        failed = done != STATUS_OK;
        if (failed)
            assert_int_equal(done, STATUS_MEMORY);
        output_abandon(output);
    }
}

/* The linker puts this in the place of html_has_script: a build has pages or has none, and both are tested. */
bool __real_html_has_script(void);
bool __wrap_html_has_script(void);

static bool pages_hidden;

bool __wrap_html_has_script(void)
{
    return !pages_hidden && __real_html_has_script();
}

static void test_no_pages_is_said(void **state)
{
    struct timeline_page *page;
    struct output *output;

    (void)state;
    pages_hidden = true;
    assert_false(timeline_page_possible());
    assert_int_equal(output_open_memory(&output), STATUS_OK);
    assert_int_equal(timeline_page_begin(output, &words, &page), STATUS_USAGE);
    assert_non_null(strstr(status_message(), "built without pages"));
    assert_null(page);
    pages_hidden = false;
    output_abandon(output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_level_is_exact),
        cmocka_unit_test(test_levels_hold_every_slice),
        cmocka_unit_test(test_nested_and_overlapping_slices_get_rows),
        cmocka_unit_test(test_hostile_names_do_not_end_the_page),
        cmocka_unit_test(test_too_deep_slices_are_counted),
        cmocka_unit_test(test_histograms_count_every_slice),
        cmocka_unit_test(test_idle_stretches_are_those_of_all_lanes),
        cmocka_unit_test(test_failures_stick),
        cmocka_unit_test(test_no_pages_is_said),
    };

    return cmocka_run_group_tests(tests, need_pages, NULL);
}
