/* test_device_page.c: the page of a device log: lanes in their order, zones paired, what is unpaired counted, maps, and what happens without
 * memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "page_reading.h"
#include "tenstorrent/device_page.h"

/* ---- help ------------------------------------------------------------------------------------------------------ */

struct fixture {
    struct strings *strings;
    struct marker_log log;
    struct device_setup setup;
    struct device_results results;
    struct output *output;
    struct arena arena;
};

static struct fixture *start(const char *arch)
{
    static const struct marker_program none = { .trace = -1, .replay = -1 };
    struct fixture *fixture = calloc(1, sizeof *fixture);
    uint32_t program;

    assert_non_null(fixture);
    fixture->strings = model_strings();
    marker_log_start(&fixture->log, fixture->strings);
    assert_int_equal(marker_log_program(&fixture->log, &none, &program), STATUS_OK);
    fixture->log.clock_numerator = 1200;
    fixture->log.clock_denominator = 1;
    assert_int_equal(strings_add_text(fixture->strings, arch, &fixture->log.arch), STATUS_OK);
    return fixture;
}

static void end(struct fixture *fixture)
{
    output_abandon(fixture->output);
    device_results_free(&fixture->results);
    device_setup_free(&fixture->setup);
    marker_log_free(&fixture->log);
    strings_free(fixture->strings);
    arena_free(&fixture->arena);
    free(fixture);
}

/* A numbered marker, as six-column logs have them. */
static void mark(struct fixture *fixture, int32_t x, int32_t y, const char *risc, uint32_t id, int64_t time)
{
    struct marker_kind kind = { .timer_id = id, .numbered = true, .standard = MARKER_NO_DEFAULT };
    struct marker marker = { .time = time };
    uint32_t lane;

    assert_int_equal(strings_add_text(fixture->strings, risc, &kind.risc), STATUS_OK);
    if (id >= FIRMWARE_START && id <= FIRMWARE_END) {
        bool kernel = id == KERNEL_START || id == KERNEL_END;

        kind.standard = (uint8_t)id;
        kind.phase = id == FIRMWARE_START || id == KERNEL_START ? MARKER_START : MARKER_END;
        assert_int_equal(strings_add_format(fixture->strings, &kind.zone, "%s-%s", risc, kernel ? "KERNEL" : "FW"),
                         STATUS_OK);
    }
    assert_int_equal(marker_log_lane(&fixture->log, 0, x, y, kind.risc, &lane), STATUS_OK);
    assert_int_equal(marker_log_kind(&fixture->log, &kind, &marker.kind), STATUS_OK);
    assert_int_equal(marker_lane_add(marker_lane_at(&fixture->log, lane), &marker), STATUS_OK);
    fixture->log.numbered = true;
}

static void analyze(struct fixture *fixture)
{
    assert_int_equal(marker_log_settle(&fixture->log), STATUS_OK);
    assert_int_equal(device_setup_named(&fixture->setup, "default_setup", &fixture->log), STATUS_OK);
    assert_int_equal(device_analyze(&fixture->results, &fixture->log, &fixture->setup, false), STATUS_OK);
}

static const struct device_page_options options = { .source = "log.csv" };

/* The JSON inside the page. */
static const struct json *write_page(struct fixture *fixture)
{
    size_t length;

    assert_int_equal(output_open_memory(&fixture->output), STATUS_OK);
    assert_int_equal(device_page_write(fixture->output, &fixture->results, &options), STATUS_OK);
    return page_facts(&fixture->arena, output_memory(fixture->output, &length));
}

/* How often a label is drawn, and for how long in all. */
static void assert_label(const struct json *page, const char *name, int64_t count, int64_t total)
{
    const struct json *labels = json_get(page, "labels");

    for (size_t i = 0; i < labels->count; i++) {
        if (strcmp(json_text(at(at(labels, i), 0), ""), name) != 0)
            continue;
        assert_int_equal(integer_of(at(at(labels, i), 2)), count);
        assert_int_equal(integer_of(at(at(labels, i), 3)), total);
        return;
    }
    fail_msg("no label %s", name);
}

/* One launch of a core that steps through markers of its own; NCRISC is logged first, as the device does. */
static void add_launch(struct fixture *fixture, int32_t x, int32_t y, int64_t time)
{
    mark(fixture, x, y, "NCRISC", 1, time + 5);
    mark(fixture, x, y, "NCRISC", 4, time + 95);
    mark(fixture, x, y, "BRISC", 1, time);
    mark(fixture, x, y, "BRISC", 2, time + 10);
    mark(fixture, x, y, "BRISC", 5, time + 30);
    mark(fixture, x, y, "BRISC", 6, time + 60);
    mark(fixture, x, y, "BRISC", 3, time + 90);
    mark(fixture, x, y, "BRISC", 4, time + 100);
}

/* ---- tests ----------------------------------------------------------------------------------------------------- */

static void test_lanes_zones_and_steps(void **state)
{
    struct fixture *fixture = start("grayskull");
    const struct json *page, *lanes;

    (void)state;
    add_launch(fixture, 3, 1, 63540641338544);
    add_launch(fixture, 0, 0, 63540641338600);
    analyze(fixture);
    page = write_page(fixture);
    lanes = json_get(page, "lanes");
    assert_int_equal(lanes->count, 4);
    assert_string_equal(json_text(at(at(lanes, 0), 1), ""), "BRISC"); /* the usual order, not the log's */
    assert_string_equal(json_text(at(at(lanes, 1), 1), ""), "NCRISC");
    assert_string_equal(json_text(at(at(json_get(page, "groups"), 0), 1), ""),
                        "(0, 0)"); /* as the cores lie on the chip */
    assert_string_equal(json_text(at(at(json_get(page, "sections"), 0), 1), ""), "63540641338544");
    assert_label(page, "BRISC-FW", 2, 200);
    assert_label(page, "BRISC-KERNEL", 2, 160);
    assert_label(page, "kernel start \xE2\x86\x92 5", 2, 40);
    assert_label(page, "5 \xE2\x86\x92 6", 2, 60);
    assert_label(page, "6 \xE2\x86\x92 kernel end", 2, 60);
    assert_label(page, "marker 5", 2, 0);
    assert_label(page, "T0", 1, 0);
    assert_int_equal(json_get(page, "notes")->count, 0);
    end(fixture);
}

static void test_launches_have_a_lane(void **state)
{
    struct fixture *fixture = start("grayskull");
    const struct json *page;

    (void)state;
    add_launch(fixture, 0, 0, 1000);
    add_launch(fixture, 0, 0, 5000);
    analyze(fixture);
    page = write_page(fixture);
    assert_string_equal(json_text(at(at(json_get(page, "lanes"), 0), 1), ""), "launches");
    assert_label(page, "Launch 1", 1, 100);
    assert_label(page, "Launch 2", 1, 100);
    end(fixture);
}

static void test_unpaired_markers_are_told(void **state)
{
    struct fixture *fixture = start("grayskull");
    const struct json *page, *notes;

    (void)state;
    mark(fixture, 0, 0, "BRISC", 3, 5); /* ends what never began */
    mark(fixture, 0, 0, "BRISC", 1, 10);
    mark(fixture, 0, 0, "BRISC", 2, 20); /* does not end */
    mark(fixture, 0, 0, "BRISC", 4, 50);
    mark(fixture, 0, 0, "BRISC", 1, 100); /* does not end either */
    mark(fixture, 0, 0, "BRISC", 5, 130);
    analyze(fixture);
    page = write_page(fixture);
    notes = json_get(page, "notes");
    assert_int_equal(notes->count, 2);
    assert_non_null(strstr(json_text(at(notes, 0), ""), "2 zones have no end"));
    assert_non_null(strstr(json_text(at(notes, 1), ""), "1 ends of zones have no start"));
    assert_label(page, "BRISC-KERNEL end", 1, 0);
    assert_label(page, "BRISC-FW", 2, 70);
    assert_label(page, "BRISC-KERNEL", 1, 30);
    end(fixture);
}

static void test_maps_follow_the_chip(void **state)
{
    struct fixture *fixture = start("grayskull");
    const struct json *map, *places;

    (void)state;
    add_launch(fixture, 11, 9, 1000);
    add_launch(fixture, 2, 4, 1000);
    analyze(fixture);
    map = at(json_get(write_page(fixture), "maps"), 0);
    places = json_get(map, "places");
    assert_string_equal(json_text(json_get(map, "title"), ""), "Time in kernels, on any RISC");
    assert_int_equal(integer_of(json_get(map, "rows")), 12);
    assert_int_equal(places->count, 10); /* eight of memory, two cores */
    assert_int_equal(integer_of(at(at(places, 8), 0)), 11);
    assert_int_equal(integer_of(at(at(places, 8), 1)), 11); /* below both rows of memory */
    assert_int_equal(integer_of(at(at(places, 9), 1)), 5);
    end(fixture);
    fixture = start("wormhole_b0");
    add_launch(fixture, 1000000, -7, 1000);
    add_launch(fixture, 2, 4, 1000);
    analyze(fixture);
    map = at(json_get(write_page(fixture), "maps"), 0);
    assert_int_equal(integer_of(json_get(map, "columns")), 2); /* far apart: only those that are there */
    assert_string_equal(json_text(at(json_get(map, "columnNames"), 1), ""), "1000000");
    end(fixture);
}

static void test_too_many_places_are_no_map(void **state)
{
    struct fixture *fixture = start("wormhole_b0");
    const struct json *page;

    (void)state;
    for (int32_t i = 0; i < 70; i++)
        add_launch(fixture, i, 0, 1000);
    analyze(fixture);
    page = write_page(fixture);
    assert_int_equal(json_get(page, "maps")->count, 0);
    assert_non_null(strstr(json_text(at(json_get(page, "notes"), 0), ""), "has no map"));
    end(fixture);
}

static void test_an_empty_log_is_a_page(void **state)
{
    struct fixture *fixture = start("grayskull");

    (void)state;
    analyze(fixture);
    assert_int_equal(json_get(write_page(fixture), "lanes")->count, 0);
    end(fixture);
}

static void test_without_memory(void **state)
{
    struct fixture *fixture = start("grayskull");
    bool failed = true;

    (void)state;
    add_launch(fixture, 0, 0, 1000);
    add_launch(fixture, 0, 0, 5000);
    analyze(fixture);
    for (uint64_t nth = 1; failed; nth++) {
        struct output *output;
        status code;

        assert_true(nth < 5000);
        assert_int_equal(output_open_memory(&output), STATUS_OK);
        memory_fail_at(nth);
        code = device_page_write(output, &fixture->results, &options);
        memory_fail_at(0);
        failed = code != STATUS_OK;
        if (failed)
            assert_int_equal(code, STATUS_MEMORY);
        output_abandon(output);
    }
    end(fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lanes_zones_and_steps),
        cmocka_unit_test(test_launches_have_a_lane),
        cmocka_unit_test(test_unpaired_markers_are_told),
        cmocka_unit_test(test_maps_follow_the_chip),
        cmocka_unit_test(test_too_many_places_are_no_map),
        cmocka_unit_test(test_an_empty_log_is_a_page),
        cmocka_unit_test(test_without_memory),
    };

    return cmocka_run_group_tests(tests, need_pages, NULL);
}
