/* test_library_faults.c: the public library when memory or the disk runs out at any point: no leak, no half file. */
#include "library_fixture.h"

/* ---- failures of memory and disk -------------------------------------------------------------------------------- */

/* All kinds of calls; stops at the first failure as a careful user does. */
static enum tacho_status write_everything(const char *path, const char *profile)
{
    static const uint32_t flows[] = { 1, 2 };
    const struct tacho_argument arguments[] = { { .key = "id", .integer = 1 },
                                                { .key = "note", .text = "n" },
                                                { .key = "own", .text = "[1]", .type = TACHO_VALUE_JSON } };
    struct tacho_writer_options options = { .counters = true, .by_operator = true };
    struct tacho_writer *writer;
    tacho_process process;
    tacho_thread thread;
    tacho_counter counter;
    enum tacho_status code = tacho_writer_open(path, &options, &writer);

    if (code != TACHO_OK)
        return code;
    code = tacho_writer_add_process(writer, "P", &process);
    if (code == TACHO_OK)
        code = tacho_writer_add_thread(writer, process, "T", &thread);
    if (code == TACHO_OK)
        code = tacho_writer_add_counter(writer, process, "C", "B", &counter);
    if (code == TACHO_OK)
        code = tacho_writer_render(writer, &(struct tacho_slice){ .thread = thread,
                                                                  .name = "s",
                                                                  .end = 5,
                                                                  .arguments = arguments,
                                                                  .argument_count = 3,
                                                                  .flows = flows,
                                                                  .flow_count = 2 });
    if (code == TACHO_OK)
        code = tacho_writer_flush(writer);
    if (code == TACHO_OK)
        code = begin(writer, thread, "b", 1);
    if (code == TACHO_OK)
        code = begin(writer, thread, "open", 2);
    if (code == TACHO_OK)
        code = tacho_writer_set_counter(writer, counter, 3, 4);
    if (code == TACHO_OK)
        code = tacho_writer_log(writer, &(struct tacho_log){ "Q", "T", "f", 0, 1 });
    if (code == TACHO_OK)
        code = tacho_writer_read(writer, "view", profile, NULL, NULL);
    if (code == TACHO_OK)
        return tacho_writer_close(writer);
    tacho_writer_abandon(writer);
    return code;
}

/* The same, but closing in spite of a failure: that must not leave a file either. */
static enum tacho_status write_carelessly(const char *path, const char *profile)
{
    struct tacho_writer *writer;
    enum tacho_status code = tacho_writer_open(path, NULL, &writer);

    if (code != TACHO_OK)
        return code;
    for (int i = 0; i < 3; i++)
        (void)tacho_writer_log(writer, &(struct tacho_log){ "P", i ? "T" : "U", "f", i, i + 1 });
    (void)tacho_writer_read(writer, NULL, profile, NULL, NULL);
    return tacho_writer_close(writer);
}

static enum tacho_status read_everything(const char *path, const char *input)
{
    static const char *const names[] = { "overview", "operators", "locations", "types", "engines", "slices", "losses" };
    struct tacho_profile *profile;
    enum tacho_status code = tacho_profile_open(input, NULL, &profile);

    for (size_t i = 0; i < sizeof names / sizeof *names && code == TACHO_OK; i++) {
        struct tacho_table *table = NULL;

        code = tacho_profile_table(profile, names[i], &table);
        if (code == TACHO_OK && i + 1 == sizeof names / sizeof *names)
            code = tacho_table_write(table, path);
        tacho_table_free(table);
    }
    tacho_profile_close(profile);
    return code;
}

static enum tacho_status ask_everything(const char *path, const char *input)
{
    static const struct tacho_option by = { "by", "engine" };
    const char *inputs[] = { input, data_path("torq-compile/c3.csv") };
    struct tacho_profile *profile;
    struct tacho_result *result = NULL;
    struct tacho_table *table = NULL;
    char *text = NULL;
    enum tacho_status code = tacho_profile_open_several(inputs, 2, NULL, &profile);

    tacho_profile_close(profile);
    if (code == TACHO_OK)
        code = tacho_profile_open_several(inputs, 1, NULL, &profile);
    if (code != TACHO_OK)
        return code;
    code = tacho_profile_ask(profile, "operators", &by, 1, &table);
    if (code == TACHO_OK)
        code = tacho_table_print(table, NULL, &text);
    tacho_text_free(text);
    tacho_table_free(table);
    if (code == TACHO_OK)
        code = tacho_profile_run(profile, "advise", NULL, 0, &result);
    if (code == TACHO_OK)
        code = tacho_result_json(result, &text);
    if (code == TACHO_OK) {
        tacho_text_free(text);
        code = tacho_result_write(result, path);
    }
    tacho_result_free(result);
    tacho_profile_close(profile);
    return code;
}

static enum tacho_status convert_everything(const char *path, const char *profile)
{
    struct tacho_input inputs[] = { { "a", data_path("torq-compile/c3.csv") }, { NULL, profile } };

    return tacho_convert(inputs, 2, path, NULL, NULL, NULL);
}

typedef enum tacho_status job(const char *path, const char *profile);

/* Lets the n-th allocation or write fail for every n until the job succeeds without noticing. */
static unsigned fail_everywhere(struct fixture *fixture, job *run, const char *name, void (*fail_at)(uint64_t),
                                enum tacho_status wanted)
{
    const char *profile = data_path("torq-runtime/runtime_r2.csv");
    unsigned nth = 0;
    enum tacho_status code;

    do {
        path_in(fixture, name);
        fail_at(++nth);
        code = run(fixture->path, profile);
        fail_at(0);
        if (code == TACHO_OK)
            break;
        if (code != wanted)
            fail_msg("at %u: status %d: %s", nth, (int)code, tacho_error_message());
        assert_true(strlen(tacho_error_message()) > 0);
        assert_int_equal(files_in(fixture, true), 0);
    } while (nth < 100000);
    assert_int_equal(files_in(fixture, true), 1);
    return nth;
}

static void test_memory_runs_out(void **state)
{
    assert_true(fail_everywhere(*state, write_everything, "m.pb", memory_fail_at, TACHO_MEMORY) > 20);
    assert_true(fail_everywhere(*state, write_everything, "m.json", memory_fail_at, TACHO_MEMORY) > 20);
    assert_true(fail_everywhere(*state, write_everything, "m.speedscope.json", memory_fail_at, TACHO_MEMORY) > 20);
    assert_true(fail_everywhere(*state, write_everything, "m.csv.gz", memory_fail_at, TACHO_MEMORY) > 20);
    assert_true(fail_everywhere(*state, write_carelessly, "m.pb", memory_fail_at, TACHO_MEMORY) > 20);
    assert_true(fail_everywhere(*state, read_everything, "m.csv", memory_fail_at, TACHO_MEMORY) > 20);
    assert_true(fail_everywhere(*state, convert_everything, "m.pb", memory_fail_at, TACHO_MEMORY) > 20);
    assert_true(fail_everywhere(*state, ask_everything, "m.json", memory_fail_at, TACHO_MEMORY) > 20);
}

static void test_the_disk_is_full(void **state)
{
    assert_true(fail_everywhere(*state, write_everything, "d.pb", output_fail_at, TACHO_OUTPUT) > 2);
    assert_true(fail_everywhere(*state, write_everything, "d.json", output_fail_at, TACHO_OUTPUT) > 2);
    assert_true(fail_everywhere(*state, write_carelessly, "d.csv", output_fail_at, TACHO_OUTPUT) > 1);
    assert_true(fail_everywhere(*state, convert_everything, "d.pb", output_fail_at, TACHO_OUTPUT) > 1);
    assert_true(fail_everywhere(*state, read_everything, "d.csv", output_fail_at, TACHO_OUTPUT) > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_in_folder(test_memory_runs_out),
        test_in_folder(test_the_disk_is_full),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
