/* test_device_beside.c: what stands beside the timeline of a device log: maps of its cores, tables, notes; steps and launches in it; and what
 * happens without memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "page_reading.h"
#include "tenstorrent/chain.h"
#include "tenstorrent/device_beside.h"
#include "write/writer.h"

/* ---- help ------------------------------------------------------------------------------------------------------ */

struct fixture {
    struct strings *strings;
    struct marker_log log;
    struct device_setup setup;
    struct device_results results;
    struct output *output;
    struct source source;
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
    device_beside_release(&fixture->source);
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

/* Reads the log, which is known, into a page. */
static status read_known(struct fixture *fixture, struct output *output, struct source *source)
{
    const struct device_known known = { .log = &fixture->log, .results = &fixture->results };
    const struct writer_options options = { .arguments = true };
    struct writer writer = { .self = NULL };
    struct feed feed;
    status code = page_format.open(output, fixture->strings, &options, &writer);

    if (code != STATUS_OK)
        return code;
    feed_start(&feed, writer.sink, fixture->strings);
    source_add_companion(source, DEVICE_KNOWN, &known);
    code = source_begin(source, &feed, 0);
    if (code == STATUS_OK)
        code = tt_device_reader.read(source, &feed);
    if (code == STATUS_OK)
        code = sink_finish(&writer.sink);
    feed_free(&feed);
    writer_free(&writer);
    return code == STATUS_OK ? output_status(output) : code;
}

/* The JSON inside the page. */
static const struct json *write_page(struct fixture *fixture)
{
    size_t length;

    fixture->source = (struct source){ .path = "log.csv", .display = "log.csv", .alone = true };
    assert_int_equal(output_open_memory(&fixture->output), STATUS_OK);
    assert_int_equal(read_known(fixture, fixture->output, &fixture->source), STATUS_OK);
    return page_facts(&fixture->arena, output_memory(fixture->output, &length));
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

static void assert_cell(const struct table *table, size_t row, const char *name, const char *value)
{
    assert_string_equal(table_cell(table, row, 0).text, name);
    assert_string_equal(table_cell(table, row, 1).text, value);
}

/* ---- tests ----------------------------------------------------------------------------------------------------- */

static const struct json *place_of(const struct json *map, size_t index)
{
    return at(json_get(map, "places"), index);
}

static void test_maps_follow_the_chip(void **state)
{
    struct fixture *fixture = start("grayskull");
    const struct json *page, *map, *statistics;

    (void)state;
    add_launch(fixture, 11, 9, 1000);
    add_launch(fixture, 2, 4, 1000);
    analyze(fixture);
    page = write_page(fixture);
    map = at(json_get(page, "maps"), 0);
    statistics = json_get(map, "statistics");
    assert_string_equal(json_text(json_get(map, "name"), ""), "chip 0");
    assert_string_equal(json_text(json_get(at(statistics, 0), "title"), ""), "Time in kernels, on any RISC");
    assert_int_equal(json_get(map, "rows")->count, 12);
    assert_int_equal(json_get(map, "places")->count, 10); /* eight of memory, two cores */
    assert_string_equal(json_text(json_get(place_of(map, 0), "name"), ""), "DRAM0");
    assert_null(json_get(place_of(map, 0), "track"));
    assert_int_equal(integer_of(json_get(place_of(map, 8), "column")), 11);
    assert_int_equal(integer_of(json_get(place_of(map, 8), "row")), 11); /* below both rows of memory */
    assert_int_equal(integer_of(json_get(place_of(map, 9), "row")), 5);
    end(fixture);
    fixture = start("wormhole_b0");
    add_launch(fixture, 1000000, -7, 1000);
    add_launch(fixture, 2, 4, 1000);
    analyze(fixture);
    map = at(json_get(write_page(fixture), "maps"), 0);
    assert_int_equal(json_get(map, "columns")->count, 2); /* far apart: only those that are there */
    assert_string_equal(json_text(at(json_get(map, "columns"), 1), ""), "1000000");
    end(fixture);
}

/* A core that is hardly busy must not look busy: the scale ends where the log does, not at the busiest core. */
static void test_values_are_those_of_the_tracks(void **state)
{
    struct fixture *fixture = start("wormhole_b0");
    const struct json *page, *map, *place, *track;
    size_t ranges = 0;

    (void)state;
    add_launch(fixture, 1, 1, 1000);
    add_launch(fixture, 2, 1, 1000);
    add_launch(fixture, 2, 1, 9900);
    analyze(fixture);
    page = write_page(fixture);
    map = at(json_get(page, "maps"), 0);
    assert_int_equal(integer_of(json_get(at(json_get(map, "statistics"), 0), "full")), 9000);
    for (size_t i = 0; i < 2; i++) {
        place = place_of(map, i);
        assert_int_equal(integer_of(at(json_get(place, "values"), 0)), i ? 160 : 80);
        track = at(json_get(page, "tracks"), (size_t)integer_of(json_get(place, "track")));
        assert_string_equal(json_text(json_get(track, "name"), ""), i ? "core 2, 1" : "core 1, 1");
    }
    /* A median of several is told with its range. */
    for (size_t i = 0; i < json_get(place_of(map, 0), "texts")->count; i++) {
        assert_null(json_text(at(json_get(place_of(map, 0), "texts"), i), NULL));
        ranges += json_text(at(json_get(place_of(map, 1), "texts"), i), NULL) != NULL;
    }
    assert_true(ranges > 0);
    end(fixture);
}

/* What is not known is not 0. */
static void test_unknown_values_are_null(void **state)
{
    struct fixture *fixture = start("wormhole_b0");
    const struct json *map;

    (void)state;
    add_launch(fixture, 1, 1, 1000);
    mark(fixture, 2, 1, "BRISC", 1, 1000);
    mark(fixture, 2, 1, "BRISC", 2, 1010); /* does not end */
    mark(fixture, 2, 1, "BRISC", 4, 1050);
    analyze(fixture);
    map = at(json_get(write_page(fixture), "maps"), 0);
    assert_int_equal(at(json_get(place_of(map, 1), "values"), 0)->type, JSON_NULL);
    end(fixture);
}

static void test_facts_and_statistics_are_tables(void **state)
{
    struct fixture *fixture = start("grayskull");
    struct table *tables[4];
    size_t count;

    (void)state;
    add_launch(fixture, 3, 1, 63540641338544);
    add_launch(fixture, 0, 0, 63540641338600);
    analyze(fixture);
    (void)write_page(fixture);
    assert_int_equal(device_beside_details(&fixture->source, tables, 4, &count), STATUS_OK);
    assert_int_equal(count, 2);
    assert_cell(tables[0], 0, "Log", "log.csv");
    assert_cell(tables[0], 1, "Architecture", "grayskull");
    assert_cell(tables[0], 2, "Clock", "1200 MHz, which the log does not tell");
    assert_cell(tables[0], 3, "Cores", "2");
    assert_cell(tables[0], 4, "RISCs", "4");
    assert_cell(tables[0], 5, "Markers", "16");
    assert_cell(tables[0], 6, "T0", "core (3, 1) BRISC, cycle 63540641338544");
    assert_string_equal(table_title(tables[1]), "Statistics");
    assert_true(table_rows(tables[1]) > 0);
    table_free(tables[0]);
    table_free(tables[1]);
    assert_int_equal(device_beside_details(&fixture->source, tables, 4, &count), STATUS_OK);
    assert_int_equal(count, 0); /* they were given away */
    end(fixture);
}

/* What the sink was told of slices: a line each. */
struct listing {
    struct strings *strings;
    char text[4096];
    int64_t starts[64];
    string_id names[64];
};

static status list_begin(void *self, open_id id, open_id parent, const struct slice *slice)
{
    struct listing *listing = self;

    (void)parent;
    assert_true(id < 64);
    listing->starts[id] = slice->start;
    listing->names[id] = slice->name;
    return STATUS_OK;
}

static status list_end(void *self, open_id id, int64_t time)
{
    struct listing *listing = self;
    size_t used = strlen(listing->text);

    snprintf(listing->text + used, sizeof listing->text - used, "%s %d+%d\n",
             strings_text(listing->strings, listing->names[id]), (int)listing->starts[id],
             (int)(time - listing->starts[id]));
    return STATUS_OK;
}

static status list_slice(void *self, const struct slice *slice)
{
    (void)list_begin(self, 63, NO_ID, slice);
    return list_end(self, 63, slice->end);
}

static void list_slices(struct fixture *fixture, struct listing *listing)
{
    static const struct sink_calls calls = { .slice = list_slice, .begin = list_begin, .end = list_end };
    const struct device_known known = { .log = &fixture->log, .results = &fixture->results };
    struct feed feed;

    *listing = (struct listing){ .strings = fixture->strings };
    fixture->source = (struct source){ .path = "log.csv" };
    source_add_companion(&fixture->source, DEVICE_KNOWN, &known);
    feed_start(&feed, (struct sink){ &calls, listing }, fixture->strings);
    assert_int_equal(source_begin(&fixture->source, &feed, 0), STATUS_OK);
    assert_int_equal(tt_device_reader.read(&fixture->source, &feed), STATUS_OK);
    feed_free(&feed);
}

/* A log with numbers has no zones inside kernels: what lies between two of a program's markers is one. */
static void test_steps_between_numbered_markers(void **state)
{
    struct fixture *fixture = start("grayskull");
    struct listing listing;

    (void)state;
    add_launch(fixture, 0, 0, 1000);
    analyze(fixture);
    list_slices(fixture, &listing);
    assert_string_equal(listing.text, "NCRISC-FW 1005+90\n"
                                      "kernel start \xE2\x86\x92 5 1010+20\n"
                                      "5 \xE2\x86\x92 6 1030+30\n"
                                      "6 \xE2\x86\x92 kernel end 1060+30\n"
                                      "BRISC-KERNEL 1010+80\n"
                                      "BRISC-FW 1000+100\n");
    end(fixture);
}

/* A step needs both its ends, and a kernel around it. */
static void test_steps_end_where_markers_are_lost(void **state)
{
    struct fixture *fixture = start("grayskull");
    struct listing listing;

    (void)state;
    mark(fixture, 0, 0, "BRISC", 5, 5); /* in no kernel */
    mark(fixture, 0, 0, "BRISC", 6, 7);
    mark(fixture, 0, 0, "BRISC", 1, 10);
    mark(fixture, 0, 0, "BRISC", 2, 20);
    mark(fixture, 0, 0, "BRISC", 5, 30);
    mark(fixture, 0, 0, "BRISC", 4, 50); /* without the kernel's end */
    analyze(fixture);
    list_slices(fixture, &listing);
    assert_string_equal(listing.text, "kernel start \xE2\x86\x92 5 20+10\nBRISC-KERNEL 20+30\nBRISC-FW 10+40\n");
    end(fixture);
}

static void test_launches_have_a_line(void **state)
{
    struct fixture *fixture = start("grayskull");
    struct listing listing;

    (void)state;
    add_launch(fixture, 0, 0, 1000);
    add_launch(fixture, 0, 0, 5000);
    analyze(fixture);
    list_slices(fixture, &listing);
    assert_non_null(strstr(listing.text, "launch 1000+100\nlaunch 5000+100\n"));
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
    assert_int_equal(fixture->source.note_count, 1);
    assert_non_null(strstr(fixture->source.notes[0], "chip 0 has no map"));
    end(fixture);
}

/* Who takes no maps does not look, and gets no tables either: they would be made for nobody. */
static void test_nobody_looks(void **state)
{
    struct fixture *fixture = start("grayskull");
    const struct device_known known = { .log = &fixture->log, .results = &fixture->results };
    struct table *tables[4];
    struct tee tee = { 0 };
    struct feed feed;
    size_t count;

    (void)state;
    add_launch(fixture, 0, 0, 1000);
    analyze(fixture);
    fixture->source = (struct source){ .path = "log.csv" };
    source_add_companion(&fixture->source, DEVICE_KNOWN, &known);
    feed_start(&feed, tee_sink(&tee), fixture->strings);
    assert_int_equal(source_begin(&fixture->source, &feed, 0), STATUS_OK);
    assert_int_equal(tt_device_reader.read(&fixture->source, &feed), STATUS_OK);
    assert_int_equal(device_beside_details(&fixture->source, tables, 4, &count), STATUS_OK);
    assert_int_equal(count, 0);
    feed_free(&feed);
    tee_free(&tee);
    end(fixture);
}

static void test_an_empty_log_is_a_page(void **state)
{
    struct fixture *fixture = start("grayskull");
    const struct json *page;

    (void)state;
    analyze(fixture);
    page = write_page(fixture);
    assert_int_equal(json_get(page, "maps")->count, 0);
    assert_int_equal(json_get(page, "tracks")->count, 0);
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
        struct source source = { .path = "log.csv", .display = "log.csv" };
        struct output *output;
        status code;

        assert_true(nth < 5000);
        assert_int_equal(output_open_memory(&output), STATUS_OK);
        memory_fail_at(nth);
        code = read_known(fixture, output, &source);
        memory_fail_at(0);
        failed = code != STATUS_OK;
        if (failed)
            assert_int_equal(code, STATUS_MEMORY);
        device_beside_release(&source);
        output_abandon(output);
    }
    end(fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_maps_follow_the_chip),
        cmocka_unit_test(test_values_are_those_of_the_tracks),
        cmocka_unit_test(test_unknown_values_are_null),
        cmocka_unit_test(test_facts_and_statistics_are_tables),
        cmocka_unit_test(test_steps_between_numbered_markers),
        cmocka_unit_test(test_steps_end_where_markers_are_lost),
        cmocka_unit_test(test_launches_have_a_line),
        cmocka_unit_test(test_too_many_places_are_no_map),
        cmocka_unit_test(test_nobody_looks),
        cmocka_unit_test(test_an_empty_log_is_a_page),
        cmocka_unit_test(test_without_memory),
    };

    return cmocka_run_group_tests(tests, need_pages, NULL);
}
