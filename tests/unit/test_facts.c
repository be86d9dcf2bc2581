/* test_facts.c: a profile as the gallery shows it, files that are none, and both without memory; errands that a query makes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/path.h"
#include "place.h"
#include "read/reader.h"
#include "serve/errands.h"
#include "serve/facts.h"

#define TIMELINE                                                        \
    "taskId, elapsed_time(us), timestamp(us), event, location, bytes\n" \
    "0,1024,0,DMA In,loc(\"net.mlir\":3:10),\n"                         \
    "1,2048,1024,Slice 0,loc(\"net.mlir\":3:10),\n"

#define DEVICE                  \
    "0, 0, 0, BRISC, 1, 1000\n" \
    "0, 0, 0, BRISC, 2, 2000\n" \
    "0, 0, 0, BRISC, 3, 3000\n" \
    "0, 0, 0, BRISC, 4, 5000\n"

static const struct texts no_options;
static const struct progress_pause nobody;

static void a_profile(void **state)
{
    struct arena arena = ARENA_EMPTY;
    const struct reader *reader;
    const struct json *root, *inputs;
    char *json;

    (void)state;
    write_file("net.csv", TIMELINE);
    assert_int_equal(facts_read(file_at("net.csv"), &no_options, nobody, &reader, &json), STATUS_OK);
    assert_non_null(reader);
    assert_int_equal(json_parse(&arena, "facts", (struct text){ json, strlen(json) }, &root), STATUS_OK);
    assert_string_equal(json_get(root, "format")->text.data, reader->id);
    inputs = json_get(root, "inputs");
    assert_int_equal(inputs->count, 1);
    arena_free(&arena);
    memory_free(json);
}

static void no_profiles(void **state)
{
    const struct reader *reader;
    char *json;

    (void)state;
    write_file("notes.txt", "nothing of any use\n");
    write_file("empty.csv", "");
    assert_int_equal(facts_read(file_at("notes.txt"), &no_options, nobody, &reader, &json), STATUS_NO);
    assert_null(reader);
    assert_null(json);
    assert_int_equal(facts_read(file_at("empty.csv"), &no_options, nobody, &reader, &json), STATUS_NO);
    assert_int_equal(facts_read(file_at("not there"), &no_options, nobody, &reader, &json), STATUS_NO);
    /* It is known what it is, and it cannot be used. */
    write_file("bad.csv", "taskId, elapsed_time(us), timestamp(us), event, location, bytes\nx,y,z,a,b,c\n");
    assert_int_equal(facts_read(file_at("bad.csv"), &no_options, nobody, &reader, &json), STATUS_INPUT);
    assert_non_null(reader);
    assert_null(json);
}

static void facts_without_memory(void **state)
{
    char path[512];
    status code = STATUS_MEMORY;

    (void)state;
    write_file("net.csv", TIMELINE);
    snprintf(path, sizeof path, "%s", file_at("net.csv"));
    for (uint64_t nth = 1; code != STATUS_OK; nth++) {
        const struct reader *reader;
        char *json;

        memory_fail_at(nth);
        code = facts_read(path, &no_options, nobody, &reader, &json);
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        assert_true((code == STATUS_OK) == (json != NULL));
        memory_free(json);
        assert_true(nth < 100000);
    }
}

static status start(struct errand *errand, enum errand_kind kind, const char *name, const char *uri)
{
    static struct guard_target target;

    assert_true(guard_parse(uri, &target));
    return errand_start(errand, kind, name, &target);
}

static void errands(void **state)
{
    struct errand errand;

    (void)state;
    assert_int_equal(
        start(&errand, ERRAND_TABLE, "operators", "/?token=x&columns=a,b&filter=a~b&filter=c&limit=2&sort=-a"),
        STATUS_OK);
    assert_string_equal(errand.columns, "a,b");
    assert_string_equal(errand.filters[1], "c");
    assert_null(errand.filters[2]);
    assert_string_equal(errand_suffix(&errand), ".json");
    errand_free(&errand);
    assert_int_equal(start(&errand, ERRAND_TABLE, "operators", "/?sort=a&sort=b"), STATUS_USAGE);
    errand_free(&errand);
    assert_int_equal(start(&errand, ERRAND_TABLE, "operators", "/?output=a"), STATUS_USAGE);
    errand_free(&errand);
    assert_int_equal(start(&errand, ERRAND_REPORT, "", "/?columns=a"), STATUS_USAGE);
    errand_free(&errand);
    assert_int_equal(start(&errand, ERRAND_TABLE, "x",
                           "/?filter=1&filter=2&filter=3&filter=4&filter=5&filter=6&filter=7&"
                           "filter=8&filter=9"),
                     STATUS_USAGE);
    errand_free(&errand);
    assert_int_equal(start(&errand, ERRAND_DOWNLOAD, "perfetto", "/"), STATUS_OK);
    assert_string_equal(errand_suffix(&errand), ".pb");
    errand_free(&errand);
    assert_int_equal(start(&errand, ERRAND_DOWNLOAD, "none", "/"), STATUS_OK);
    assert_null(errand_suffix(&errand));
    errand_free(&errand);
}

/* Each kind is answered, or fails without leaving anything. */
static void errands_without_memory(void **state)
{
    static const enum errand_kind kinds[] = { ERRAND_TABLE,   ERRAND_DOWNLOAD, ERRAND_REPORT,
                                              ERRAND_COMPARE, ERRAND_TRACE,    ERRAND_ARCHIVE };
    static const char *const names[] = { "losses", "chrome", "", "", "", "device" };

    (void)state;
    write_file("net.csv", TIMELINE);
    write_file("profile_log_device.csv", DEVICE);
    for (unsigned kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        struct errand errand = { .kind = kinds[kind] };
        struct kept_trace *trace = NULL;
        char out[512];
        status code = STATUS_MEMORY;

        snprintf(errand.name, sizeof errand.name, "%s", names[kind]);
        errand.paths[0] =
            memory_copy_text(file_at(kinds[kind] == ERRAND_ARCHIVE ? "profile_log_device.csv" : "net.csv"));
        errand.paths[1] = kinds[kind] == ERRAND_COMPARE ? memory_copy_text(file_at("net.csv")) : NULL;
        snprintf(out, sizeof out, "%s", file_at(kind < 2 ? "out.json" : kind < 5 ? "out.html" : "out.tar"));
        /* Every one of the first, then some. */
        for (uint64_t nth = 1; code != STATUS_OK; nth += 1 + nth / 40) {
            memory_fail_at(nth);
            code = errand_run(&errand, &no_options, out, &trace);
            memory_fail_at(0);
            assert_true(code == STATUS_OK || code == STATUS_MEMORY);
            assert_true((trace || path_is_file(out)) == (code == STATUS_OK));
            assert_true(!trace || kept_trace_state(trace).finished);
            assert_false(path_is_folder(file_at("out.tar.files")));
            kept_trace_drop(trace);
            assert_true(nth < 1000000);
        }
        remove(out);
        errand_free(&errand);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_profile),
        cmocka_unit_test(no_profiles),
        cmocka_unit_test(facts_without_memory),
        cmocka_unit_test(errands),
        cmocka_unit_test(errands_without_memory),
    };

    return cmocka_run_group_tests(tests, make_place, remove_place);
}
