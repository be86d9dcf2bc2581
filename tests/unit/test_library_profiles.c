/* test_library_profiles.c: profiles in the public library: read into a trace, converted, asked for tables. */
#include "library_fixture.h"

/* ---- profiles in a trace ---------------------------------------------------------------------------------------- */

static void test_reading_profiles_into_a_writer(void **state)
{
    struct fixture *fixture = *state;
    static const struct tacho_option slices = { "slices", "4" };
    struct tacho_read_options four = { .clock_mhz = "1000", .options = &slices, .option_count = 1 };
    struct tacho_row_counts counts;
    tacho_thread thread;
    struct tacho_writer *writer = open_writer(path_in(fixture, "view.csv"), NULL, &thread);
    char *numbered = strdup(path_in(fixture, "numbered.csv"));

    write_file(numbered, "S2,0,800,loc(unknown),conv2d\nS3,0,800,loc(unknown),conv2d\n");
    assert_done(tacho_writer_read(writer, "first", numbered, NULL, &counts));
    assert_int_equal(counts.read, 2);
    assert_int_equal(counts.used, 2);
    assert_done(render(writer, thread, "between", 0, 1));
    assert_done(tacho_writer_read(writer, "second", numbered, &four, NULL));
    assert_done(tacho_writer_read(writer, NULL, data_path("torq-compile/odd.csv"), NULL, &counts));
    assert_true(counts.lost > 0);
    assert_int_equal(counts.read, counts.used + counts.lost);
    assert_done(tacho_writer_close(writer));
    path_in(fixture, "view.csv");
    assert_true(holds(fixture->path, "first,Slice 0,slice,0,conv2d,0,1000,0,800,"));
    assert_true(holds(fixture->path, "first,Slice 1,slice,1,conv2d,0,1000,0,800,"));
    assert_true(holds(fixture->path, "second,Slice 2,slice,2,conv2d,0,800,0,800,"));
    assert_true(holds(fixture->path, "second,Slice 3,slice,3,conv2d,0,800,0,800,"));
    assert_true(holds(fixture->path, "P,T,custom,0,between,"));
    assert_true(holds(fixture->path, "\nodd.csv,"));
    free(numbered);
}

static void test_names_of_operators_come_from_the_source_of_each_view(void **state)
{
    struct fixture *fixture = *state;
    char source[256];
    struct tacho_option original = { "original-mlir", source };
    struct tacho_read_options named = { .options = &original, .option_count = 1 };
    struct tacho_writer *writer;

    snprintf(source, sizeof source, "%s", data_path("torq-runtime/net.mlir"));
    assert_done(tacho_writer_open(path_in(fixture, "names.csv"), NULL, &writer));
    assert_done(tacho_writer_read(writer, "plain", data_path("torq-compile/c1.csv"), NULL, NULL));
    assert_done(tacho_writer_read(writer, "named", data_path("torq-compile/c1.csv"), &named, NULL));
    assert_done(tacho_writer_read(writer, "again", data_path("torq-compile/c1.csv"), NULL, NULL));
    assert_done(tacho_writer_close(writer));
    assert_int_equal(
        lines_with(fixture->path, "\nnamed,Slice 0,slice,0,conv2d,640,1610,512,1800,tosa.conv2d@L4,tosa.conv2d,"), 1);
    assert_int_equal(lines_with(fixture->path, "\nplain,Slice 0,slice,0,conv2d,640,1610,512,1800,net.mlir:4:10,,"), 1);
    assert_int_equal(lines_with(fixture->path, "\nagain,Slice 0,slice,0,conv2d,640,1610,512,1800,net.mlir:4:10,,"), 1);
}

static void test_inputs_that_cannot_be_used(void **state)
{
    struct fixture *fixture = *state;
    static const struct tacho_option nowhere = { "mlir", "/nowhere/at.mlir" };
    static const struct tacho_option unknown = { "colour", "red" };
    struct tacho_read_options strict = { .strict = true };
    tacho_thread thread;
    struct tacho_writer *writer = open_writer(path_in(fixture, "bad.csv"), NULL, &thread);

    assert_status(tacho_writer_read(writer, "x", "/nowhere/at.csv", NULL, NULL), TACHO_INPUT);
    assert_message("/nowhere/at.csv");
    assert_status(tacho_writer_read(writer, "x", fixture->folder, NULL, NULL), TACHO_INPUT);
    assert_status(tacho_writer_read(writer, "x", data_path("torq-compile/c1.csv"),
                                    &(struct tacho_read_options){ .format = "vcd" }, NULL),
                  TACHO_USAGE);
    assert_status(tacho_writer_read(writer, "x", data_path("torq-compile/c1.csv"),
                                    &(struct tacho_read_options){ .clock_mhz = "fast" }, NULL),
                  TACHO_USAGE);
    assert_status(tacho_writer_read(writer, "x", data_path("torq-compile/c1.csv"),
                                    &(struct tacho_read_options){ .options = &nowhere, .option_count = 1 }, NULL),
                  TACHO_INPUT);
    assert_status(tacho_writer_read(writer, "x", data_path("torq-compile/c1.csv"),
                                    &(struct tacho_read_options){ .options = &unknown, .option_count = 1 }, NULL),
                  TACHO_USAGE);
    assert_message("colour");
    /* Nothing was pushed so far: the writer is as good as new. */
    assert_done(tacho_writer_read(writer, "good", data_path("torq-compile/c1.csv"), NULL, NULL));
    assert_done(render(writer, thread, "own", 0, 1));
    assert_status(tacho_writer_read(writer, "x", data_path("torq-compile/odd.csv"), &strict, NULL), TACHO_INPUT);
    assert_message("odd.csv:");
    assert_status(tacho_writer_close(writer), TACHO_INPUT);
    assert_int_equal(files_in(fixture, false), 0);
}

static void test_one_read_is_one_conversion(void **state)
{
    static const char *const names[] = { "torq-compile/c1.csv", "torq-compile/odd.csv", "torq-runtime/runtime_r2.csv" };
    struct fixture *fixture = *state;
    struct tacho_row_counts read, converted;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct tacho_input input = { "same", data_path(names[i]) };
        size_t sizes[2];
        char *data[2];
        struct tacho_writer *writer;

        assert_done(tacho_writer_open(path_in(fixture, "one.pb"), NULL, &writer));
        assert_done(tacho_writer_read(writer, input.name, input.path, NULL, &read));
        assert_done(tacho_writer_close(writer));
        data[0] = contents(fixture->path, &sizes[0]);
        assert_done(tacho_convert(&input, 1, path_in(fixture, "two.pb"), NULL, NULL, &converted));
        data[1] = contents(fixture->path, &sizes[1]);
        assert_int_equal(sizes[0], sizes[1]);
        assert_memory_equal(data[0], data[1], sizes[0]);
        assert_memory_equal(&read, &converted, sizeof read);
        free(data[0]);
        free(data[1]);
    }
}

static void test_converting_several(void **state)
{
    struct fixture *fixture = *state;
    struct tacho_input inputs[] = { { "estimate", data_path("torq-compile/c3.csv") },
                                    { NULL, data_path("torq-runtime/runtime_r2.csv") },
                                    { "odd", data_path("torq-compile/odd.csv") } };
    struct tacho_writer_options bare = { .no_overview = true, .no_arguments = true };
    struct tacho_writer_options full = { .by_operator = true, .counters = true };
    struct tacho_row_counts counts;

    assert_done(tacho_convert(inputs, 2, path_in(fixture, "full.json"), &full, NULL, &counts));
    assert_int_equal(counts.read, counts.used + counts.lost);
    assert_true(holds(fixture->path, "\"estimate Overview\""));
    assert_true(holds(fixture->path, "\"runtime_r2.csv\""));
    assert_true(holds(fixture->path, "DMA In (estimate)"));
    assert_true(holds(fixture->path, "\"ph\":\"C\""));
    assert_done(tacho_convert(inputs, 3, path_in(fixture, "bare.json"), &bare, NULL, NULL));
    assert_false(holds(fixture->path, "Overview"));
    assert_false(holds(fixture->path, "\"bytes\""));
    assert_true(holds(fixture->path, "\"odd\""));
    assert_status(tacho_convert(inputs, 0, path_in(fixture, "none.pb"), NULL, NULL, &counts), TACHO_USAGE);
    assert_status(tacho_convert(inputs, 1, path_in(fixture, "none.xyz"), NULL, NULL, &counts), TACHO_USAGE);
    assert_status(tacho_convert(inputs, 1, NULL, NULL, NULL, &counts), TACHO_USAGE);
    inputs[1].path = NULL;
    assert_status(tacho_convert(inputs, 2, path_in(fixture, "none.pb"), NULL, NULL, &counts), TACHO_USAGE);
    inputs[1].path = "/nowhere/at.csv";
    assert_status(tacho_convert(inputs, 2, path_in(fixture, "none.pb"), NULL, NULL, &counts), TACHO_INPUT);
    assert_int_equal(access(path_in(fixture, "none.pb"), F_OK), -1);
    assert_int_equal(files_in(fixture, false), 2);
}

/* ---- profiles in memory ----------------------------------------------------------------------------------------- */

static struct tacho_table *table_of(const struct tacho_profile *profile, const char *name)
{
    struct tacho_table *table;

    assert_done(tacho_profile_table(profile, name, &table));
    return table;
}

static size_t find_row(const struct tacho_table *table, const char *column, const char *text)
{
    size_t at = tacho_table_find_column(table, column), row = 0;

    while (row < tacho_table_rows(table) && strcmp(tacho_table_text(table, row, at), text) != 0)
        row++;
    assert_true(row < tacho_table_rows(table));
    return row;
}

static void test_overview_of_a_profile(void **state)
{
    struct tacho_profile *profile;
    struct tacho_table *table;
    struct tacho_row_counts counts;
    size_t row;

    (void)state;
    assert_done(tacho_profile_open(data_path("torq-compile/c1.csv"), NULL, &profile));
    assert_string_equal(tacho_profile_format(profile), "torq-compile");
    counts = tacho_profile_row_counts(profile);
    assert_int_equal(counts.read, 6);
    assert_int_equal(counts.used, 6);
    assert_int_equal(counts.lost, 0);
    table = table_of(profile, "overview");
    tacho_profile_close(profile); /* tables live on */
    assert_int_equal(tacho_table_columns(table), 5);
    assert_string_equal(tacho_table_title(table), "Overview");
    assert_string_equal(tacho_table_column_name(table, 2), "time");
    assert_string_equal(tacho_table_column_title(table, 2), "Time");
    assert_string_equal(tacho_table_column_unit(table, 2), "ns");
    assert_int_equal(tacho_table_column_type(table, 2), TACHO_DURATION);
    assert_int_equal(tacho_table_column_type(table, 3), TACHO_PERCENT);
    assert_string_equal(tacho_table_column_description(table, 3), "of OVERALL");
    assert_null(tacho_table_column_unit(table, 0));
    row = find_row(table, "metric", "total_duration");
    assert_string_equal(tacho_table_text(table, row, 1), "OVERALL");
    assert_int_equal(tacho_table_integer(table, row, 2), 3125); /* 2500 cycles of 1.25 ns */
    assert_true(tacho_table_decimal(table, row, 3) == 100.0);
    assert_true(tacho_table_decimal(table, row, 2) == 3125.0);
    row = find_row(table, "metric", "dma_in");
    assert_int_equal(tacho_table_integer(table, row, 2), 1280);
    row = find_row(table, "metric", "overlap"); /* 512..1024 and nothing else */
    assert_int_equal(tacho_table_integer(table, row, 2), 640);
    tacho_table_free(table);
}

static void test_cells_outside_and_of_other_types(void **state)
{
    struct tacho_profile *profile;
    struct tacho_table *table;

    (void)state;
    assert_done(tacho_profile_open(data_path("torq-compile/odd.csv"), NULL, &profile));
    table = table_of(profile, "losses");
    assert_true(tacho_table_rows(table) > 2);
    assert_int_equal(tacho_table_column_type(table, 1), TACHO_BOOLEAN);
    assert_true(tacho_table_boolean(table, find_row(table, "reason", "end before start"), 1));
    assert_int_equal(tacho_table_integer(table, find_row(table, "reason", "end before start"), 2), 1);
    assert_string_equal(tacho_table_text(table, find_row(table, "reason", "end before start"), 3), "5");
    assert_null(tacho_table_text(table, 0, 2));
    assert_int_equal(tacho_table_integer(table, 0, 0), 0);
    assert_true(tacho_table_decimal(table, 0, 0) == 0);
    assert_false(tacho_table_boolean(table, 0, 2));
    assert_false(tacho_table_is_null(table, 0, 0));
    assert_true(tacho_table_is_null(table, 0, 99));
    assert_true(tacho_table_is_null(table, 999, 0));
    assert_null(tacho_table_text(table, 999, 0));
    assert_null(tacho_table_text(table, 0, 99));
    assert_null(tacho_table_column_name(table, 99));
    assert_null(tacho_table_column_title(table, 99));
    assert_int_equal(tacho_table_column_type(table, 99), TACHO_TEXT);
    assert_int_equal(tacho_table_find_column(table, "nothing"), tacho_table_columns(table));
    assert_int_equal(tacho_table_find_column(table, NULL), tacho_table_columns(table));
    assert_int_equal(tacho_table_notes(table), 1);
    assert_non_null(strstr(tacho_table_note(table, 0), "rows read"));
    assert_null(tacho_table_note(table, 1));
    tacho_table_free(table);
    table = table_of(profile, "overview");
    assert_non_null(strstr(tacho_table_note(table, tacho_table_notes(table) - 1), "rows were lost"));
    tacho_table_free(table);
    assert_status(tacho_profile_table(profile, "nothing", &table), TACHO_USAGE);
    assert_null(table);
    assert_message("\"nothing\"");
    assert_status(tacho_profile_table(profile, NULL, &table), TACHO_USAGE);
    tacho_profile_close(profile);
}

static void test_slices_of_a_profile(void **state)
{
    struct tacho_profile *profile;
    struct tacho_table *table;
    size_t row, location;

    (void)state;
    assert_done(tacho_profile_open(data_path("torq-compile/c4.csv"), NULL, &profile));
    table = table_of(profile, "slices");
    row = find_row(table, "engine", "dma_in");
    location = tacho_table_find_column(table, "location");
    assert_string_equal(tacho_table_text(table, row, tacho_table_find_column(table, "track")), "DMA In");
    assert_int_equal(tacho_table_integer(table, row, tacho_table_find_column(table, "duration_ns")), 640);
    assert_int_equal(tacho_table_integer(table, row, tacho_table_find_column(table, "end_ticks")), 512);
    assert_int_equal(tacho_table_column_type(table, tacho_table_find_column(table, "bytes")), TACHO_BYTES);
    assert_int_equal(tacho_table_integer(table, row, tacho_table_find_column(table, "bytes")), 4096);
    assert_int_equal(tacho_table_integer(table, row, tacho_table_find_column(table, "task")), 0);
    assert_false(tacho_table_is_null(table, row, tacho_table_find_column(table, "task")));
    assert_non_null(strstr(tacho_table_text(table, row, location), "net.mlir\":4:10"));
    row = find_row(table, "engine", "dma_out");
    assert_true(tacho_table_is_null(table, row, location));
    assert_int_equal(tacho_table_find_column(table, "kernels"), tacho_table_columns(table));
    tacho_table_free(table);
    tacho_profile_close(profile);
}

static void test_every_table_of_every_format(void **state)
{
    static const char *const inputs[] = { "torq-compile/c1.csv",         "torq-compile/c2.csv",
                                          "torq-compile/c3.csv",         "torq-compile/c4.csv",
                                          "torq-runtime/runtime_r1.csv", "torq-runtime/runtime_r2.csv",
                                          "torq-runtime/runtime_r3.csv", "torq-mlir/executable_targets.mlir" };
    static const char *const names[] = { "overview", "operators", "locations", "types", "engines", "slices", "losses" };
    static const char *const files[] = { "t.csv", "t.json", "t.md", "t.html", "t.txt", "t.xlsx", "t.csv.gz" };
    struct fixture *fixture = *state;

    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        struct tacho_profile *profile;
        struct tacho_row_counts counts;

        assert_done(tacho_profile_open(data_path(inputs[i]), NULL, &profile));
        counts = tacho_profile_row_counts(profile);
        assert_int_equal(counts.read, counts.used + counts.lost);
        for (size_t j = 0; j < sizeof names / sizeof *names; j++) {
            struct tacho_table *table = table_of(profile, names[j]);

            assert_true(tacho_table_columns(table) > 1);
            /* Operators are known where locations are; there need not be losses. */
            if (j == 0 || j == 4 || j == 5)
                assert_true(tacho_table_rows(table) > 0);
            assert_done(tacho_table_write(table, path_in(fixture, files[(i + j) % 7])));
            assert_int_equal(access(fixture->path, F_OK), 0);
            tacho_table_free(table);
        }
        tacho_profile_close(profile);
    }
}

static void test_tables_as_files(void **state)
{
    struct fixture *fixture = *state;
    struct tacho_profile *profile;
    struct tacho_table *table;

    assert_done(tacho_profile_open(data_path("torq-compile/c1.csv"), NULL, &profile));
    table = table_of(profile, "overview");
    assert_done(tacho_table_write(table, path_in(fixture, "t.csv")));
    assert_true(holds(fixture->path, "metric,label,time,percent,description\ntotal_duration,OVERALL,3125,100.0,"));
    assert_status(tacho_table_write(table, path_in(fixture, "t.xyz")), TACHO_USAGE);
    assert_message("suffix");
    assert_status(tacho_table_write(table, NULL), TACHO_USAGE);
    assert_status(tacho_table_write(table, "/dev/null/t.csv"), TACHO_OUTPUT);
    tacho_table_free(table);
    tacho_profile_close(profile);
}

static void test_profiles_that_cannot_be_read(void **state)
{
    struct fixture *fixture = *state;
    struct tacho_read_options strict = { .strict = true }, unknown = { .format = "vcd" };
    struct tacho_profile *profile;

    assert_status(tacho_profile_open(NULL, NULL, &profile), TACHO_USAGE);
    assert_status(tacho_profile_open("/nowhere/at.csv", NULL, &profile), TACHO_INPUT);
    assert_null(profile);
    assert_status(tacho_profile_open(fixture->folder, NULL, &profile), TACHO_INPUT);
    assert_status(tacho_profile_open(data_path("torq-compile/odd.csv"), &strict, &profile), TACHO_INPUT);
    assert_message("odd.csv:5");
    assert_status(tacho_profile_open(data_path("torq-compile/c1.csv"), &unknown, &profile), TACHO_USAGE);
    assert_null(profile);
}

static void test_companions_of_a_profile(void **state)
{
    char dump[256], source[256];
    struct tacho_option chain[] = { { "mlir", dump }, { "original-mlir", source } };
    struct tacho_read_options options = { .options = chain, .option_count = 2 };
    struct tacho_profile *profile;
    struct tacho_table *table;

    (void)state;
    snprintf(dump, sizeof dump, "%s", data_path("torq-mlir/executable_targets.mlir"));
    snprintf(source, sizeof source, "%s", data_path("torq-runtime/net.mlir"));
    assert_done(tacho_profile_open(data_path("torq-runtime/runtime_r2.csv"), &options, &profile));
    memset(dump, 'x', sizeof dump); /* texts are copied or done with */
    memset(source, 'x', sizeof source);
    table = table_of(profile, "types");
    find_row(table, tacho_table_column_name(table, 0), "tosa.conv2d");
    tacho_table_free(table);
    table = table_of(profile, "engines");
    find_row(table, tacho_table_column_name(table, 0), "DMA In");
    tacho_table_free(table);
    tacho_profile_close(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_in_folder(test_reading_profiles_into_a_writer),
        test_in_folder(test_names_of_operators_come_from_the_source_of_each_view),
        test_in_folder(test_inputs_that_cannot_be_used),
        test_in_folder(test_one_read_is_one_conversion),
        test_in_folder(test_converting_several),
        test_in_folder(test_overview_of_a_profile),
        test_in_folder(test_cells_outside_and_of_other_types),
        test_in_folder(test_slices_of_a_profile),
        test_in_folder(test_every_table_of_every_format),
        test_in_folder(test_tables_as_files),
        test_in_folder(test_profiles_that_cannot_be_read),
        test_in_folder(test_companions_of_a_profile),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
