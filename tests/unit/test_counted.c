/* test_counted.c: inputs that are read once for several questions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <unistd.h>
#include <cmocka.h>

#include "base/memory.h"
#include "job/core_verbs.h"
#include "job/counted.h"
#include "place.h"

static const char trace[] =
    "{\"traceEvents\": [{\"ph\": \"X\", \"pid\": 1, \"tid\": 1, \"name\": \"a\", \"ts\": 0, \"dur\": 5},"
    "{\"ph\": \"X\", \"pid\": 1, \"tid\": 1, \"name\": \"b\", \"ts\": 10, \"dur\": 7}]}";

/* What a verb answers as JSON; the caller's. NULL: it fails. */
static char *ask(const struct verb *verb, const char *path, struct counted *lent)
{
    struct output *output;
    struct job job;
    size_t length;
    char *text = NULL;

    assert_int_equal(job_start(&job, verb), STATUS_OK);
    job.lent = lent;
    job.json = true;
    assert_int_equal(job_input(&job, path), STATUS_OK);
    assert_int_equal(output_open_memory(&output), STATUS_OK);
    if (job_run(&job) == STATUS_OK && job_write_json(&job, output) == STATUS_OK) {
        const char *written = output_memory(output, &length);

        assert_non_null(written);
        text = strdup(written);
    }
    output_abandon(output);
    job_free(&job);
    return text;
}

/* Once it was read the file is not needed any more. */
static void test_what_is_lent_is_not_read_again(void **state)
{
    char *path, *operators, *summary;
    const char *paths[1];
    const struct texts inputs = { .items = paths, .count = 1 };
    struct counted counted = { .inputs = &inputs };

    (void)state;
    write_file("x.json", trace);
    paths[0] = path = strdup(file_at("x.json"));
    operators = ask(&operators_verb, path, NULL);
    summary = ask(&summary_verb, path, NULL);
    for (unsigned i = 0; i < 3; i++) {
        char *asked = ask(i ? &summary_verb : &operators_verb, path, &counted);

        assert_non_null(asked);
        assert_string_equal(asked, i ? summary : operators);
        free(asked);
        assert_int_equal(unlink(path) == 0, i == 0);
    }
    assert_null(ask(&summary_verb, path, NULL));
    counted_free(&counted);
    free(operators);
    free(summary);
    free(path);
}

static void test_what_is_lent_for_other_inputs_is_not_taken(void **state)
{
    const char *paths[] = { "another.json" };
    const struct texts inputs = { .items = paths, .count = 1 };
    struct counted counted = { .inputs = &inputs };
    char *asked;

    (void)state;
    write_file("y.json", trace);
    asked = ask(&operators_verb, file_at("y.json"), &counted);
    assert_non_null(asked);
    assert_false(counted.open);
    free(asked);
}

static void test_after_a_failure_it_is_tried_again(void **state)
{
    const char *paths[] = { "nowhere.json" };
    const struct texts inputs = { .items = paths, .count = 1 };
    struct counted counted = { .inputs = &inputs };

    (void)state;
    for (unsigned i = 0; i < 2; i++)
        assert_null(ask(&summary_verb, paths[0], &counted));
    assert_false(counted.open);
    counted_free(&counted);
}

static void test_out_of_memory(void **state)
{
    const char *paths[1];
    const struct texts inputs = { .items = paths, .count = 1 };
    struct counted counted = { .inputs = &inputs };
    struct job job;
    status code = STATUS_MEMORY;
    uint64_t nth = 1;
    char *path;

    (void)state;
    write_file("z.json", trace);
    paths[0] = path = strdup(file_at("z.json"));
    assert_int_equal(job_start(&job, &summary_verb), STATUS_OK);
    assert_int_equal(job_input(&job, path), STATUS_OK);
    for (; code != STATUS_OK; nth++) {
        memory_fail_at(nth);
        code = counted_open(&counted, &job, false);
        if (code == STATUS_OK)
            code = counted_read(&counted);
        memory_fail_at(0);
        assert_true(code == STATUS_OK ? counted.open : code == STATUS_MEMORY && !counted.open);
    }
    assert_true(nth > 10);
    counted_free(&counted);
    job_free(&job);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_lent_is_not_read_again),
        cmocka_unit_test(test_what_is_lent_for_other_inputs_is_not_taken),
        cmocka_unit_test(test_after_a_failure_it_is_tried_again),
        cmocka_unit_test(test_out_of_memory),
    };

    return cmocka_run_group_tests(tests, make_place, remove_place);
}
