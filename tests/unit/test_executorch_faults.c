/* test_executorch_faults.c: what the verbs about inferences do, with the n-th allocation, read or write failing, for many n.
 *
 * Whatever fails, the status says so; a file that is left is whole, byte for byte what a run without a fault writes; nothing else
 * is left beside it; and, under a sanitizer, no memory is lost.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/output.h"
#include "executorch/analysis_summary.h"
#include "executorch/latency_output.h"
#include "executorch/operators_tables.h"
#include "executorch/original/kernel_files.h"
#include "executorch/original/latency_files.h"
#include "executorch/original/operator_files.h"
#include "executorch/timeline_files.h"
#include "executorch/validate.h"
#include "job/table_file.h"
#include "page/formats.h"
#include "table/document.h"

enum { PATH_SIZE = 1024, MOST_FILES = 16, EVERY_ONE = 250 };

static char folder[] = "/tmp/tacho-executorch-XXXXXX";

static const char *data_path(const char *name)
{
    static char paths[4][PATH_SIZE];
    static unsigned next;
    const char *data = getenv("TACHO_TEST_DATA");
    char *path = paths[next++ % 4];

    snprintf(path, PATH_SIZE, "%s/%s", data ? data : "tests/data", name);
    return path;
}

static const char *output_name(const char *name)
{
    static char path[PATH_SIZE];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* ---- jobs -------------------------------------------------------------------------------------------------------- */

static struct load_options with_record(const char *record)
{
    return (struct load_options){ .etrecord = record ? data_path(record) : NULL, .no_etrecord = !record };
}

static status write_timeline(const char *dump, const char *record)
{
    struct timeline_request request = {
        .dump = data_path(dump),
        .out_dir = folder,
        .all_runs = true,
        .json = true,
        .extra = true,
    };
    struct timeline_result result = { 0 };
    struct loaded *loaded = calloc(1, sizeof *loaded);
    struct strings *strings = model_strings();
    struct execution execution;
    status code = STATUS_MEMORY;

    assert_non_null(loaded);
    request.load = with_record(record);
    if (strings) {
        code = load_execution(request.dump, &request.load, strings, &execution, loaded);
        if (code == STATUS_OK)
            code = timeline_files_write(&request, &execution, loaded->joined, &result);
        execution_free(&execution);
        loaded_free(loaded);
    } else {
        code = status_no_memory("starting");
    }
    strings_free(strings);
    free(loaded);
    timeline_result_free(&result);
    return code;
}

static status timeline_of_a_dump(void)
{
    return write_timeline("etrecord/mobilenet_portable.etdump.gz", "etrecord/mobilenet_portable.etrecord");
}

static status timeline_of_a_loop(void)
{
    return write_timeline("etdump/py_loop.etdp", NULL);
}

static status timeline_of_a_timeline(void)
{
    return write_timeline("et-timeline/broken_graph_run0_timeline.csv", NULL);
}

/* One build of the model, with its graph. */
struct build {
    struct loaded loaded;
    struct execution execution;
    struct operators sums;
};

static status add_build(struct build *build, const char *dump, struct strings *strings)
{
    struct load_options load = with_record("operators/broken_graph.etrecord");
    const char *path = data_path(dump);
    status code = load_execution(path, &load, strings, &build->execution, &build->loaded);

    return code == STATUS_OK ? operators_add(&build->sums, path, &build->execution, &build->loaded.graph, NULL) : code;
}

static void build_free(struct build *build)
{
    operators_free(&build->sums);
    execution_free(&build->execution);
    loaded_free(&build->loaded);
}

static status write_analysis(const struct operators_document *first, const struct operators_document *second,
                             const struct operators_pair *pair)
{
    struct output *output;
    status code = operator_files_write(first, folder);

    if (code == STATUS_OK)
        code = operator_files_compare(pair, first->model, folder);
    if (code == STATUS_OK)
        code = output_open(output_name("operator_analysis.json"), &output);
    if (code != STATUS_OK)
        return code;
    operator_json_write(output, first, second, pair);
    return output_commit(output);
}

static status take_table(status code, struct table *table, const char *name)
{
    if (code != STATUS_OK)
        return code;
    code = table_to_file(table, output_name(name), NULL, NULL, NULL);
    table_free(table);
    return code;
}

static status write_tables(const struct operators_pair *pair, const struct kernel_log *log)
{
    struct table *table;
    status code = operators_map_table(pair->first, log, &table);

    code = take_table(code, table, "map.csv");
    if (code == STATUS_OK) {
        code = operators_category_table(pair->first, &table);
        code = take_table(code, table, "category.json");
    }
    if (code == STATUS_OK) {
        code = operators_time_table(pair->first, log, true, &table);
        code = take_table(code, table, "time.md");
    }
    if (code == STATUS_OK) {
        code = operators_backend_table(pair->first, &table);
        code = take_table(code, table, "backend.html");
    }
    if (code == STATUS_OK) {
        code = operators_account_table(pair->first, &table);
        code = take_table(code, table, "account.txt");
    }
    if (code == STATUS_OK) {
        code = operators_compare_table(pair, &table);
        code = take_table(code, table, "compare.csv");
    }
    if (code == STATUS_OK) {
        code = operators_match_table(pair, true, NULL, &table);
        code = take_table(code, table, "match.csv");
    }
    return code;
}

static status analyse(struct build *on, struct build *off, struct kernel_log *log, struct strings *strings)
{
    struct operators_pair pair = {
        .first = &on->sums, .second = &off->sums, .first_label = "On", .second_label = "Off"
    };
    struct operators_document first = { .side = &on->sums, .model = "net", .label = "On", .log = log };
    struct operators_document second = { .side = &off->sums, .model = "net", .label = "Off" };
    status code = add_build(on, "operators/broken_graph_mac_sme2_on_t1.etdump", strings);

    if (code == STATUS_OK)
        code = add_build(off, "operators/broken_graph_mac_sme2_off_t1.etdump", strings);
    if (code == STATUS_OK)
        code = load_kernels(data_path("xnntrace/broken_graph_on.log"), strings, log);
    if (code == STATUS_OK) {
        assert_int_equal(operators_add_kernels(&on->sums, log), 5);
        code = operators_pair_match(&pair);
    }
    if (code == STATUS_OK)
        code = write_analysis(&first, &second, &pair);
    if (code == STATUS_OK)
        code = write_tables(&pair, log);
    operators_pair_free(&pair);
    return code;
}

static status operators_of_two_builds(void)
{
    struct build *on = calloc(1, sizeof *on), *off = calloc(1, sizeof *off);
    struct strings *strings = model_strings();
    struct kernel_log log;
    status code = STATUS_MEMORY;

    assert_non_null(on);
    assert_non_null(off);
    kernel_log_start(&log, strings);
    if (strings) {
        execution_start(&on->execution, strings);
        execution_start(&off->execution, strings);
        operators_start(&on->sums, strings);
        operators_start(&off->sums, strings);
        code = analyse(on, off, &log, strings);
        build_free(on);
        build_free(off);
    } else {
        code = status_no_memory("starting");
    }
    kernel_log_free(&log);
    strings_free(strings);
    free(on);
    free(off);
    return code;
}

static status write_kernels(const struct kernel_log *on, const struct kernel_log *off)
{
    struct kernel_view view = {
        .on = on, .off = off, .on_name = "On", .off_name = "Off", .title = "Kernels", .evidence = true
    };
    struct table *table;
    struct output *output;
    status code = output_open(output_name("kernels.csv"), &output);

    if (code != STATUS_OK)
        return code;
    code = kernels_csv(on, "net", true, output);
    if (code != STATUS_OK) {
        output_abandon(output);
        return code;
    }
    code = output_commit(output);
    if (code == STATUS_OK)
        code = output_open(output_name("view.md"), &output);
    if (code != STATUS_OK)
        return code;
    code = kernel_view_markdown(&view, output);
    if (code != STATUS_OK) {
        output_abandon(output);
        return code;
    }
    code = output_commit(output);
    if (code == STATUS_OK) {
        code = kernel_view_table(&view, NULL, &table);
        code = take_table(code, table, "view.json");
    }
    if (code == STATUS_OK) {
        code = kernels_table(on, NULL, &table);
        code = take_table(code, table, "kernels.html");
    }
    return code;
}

static status kernels_of_two_builds(void)
{
    struct strings *strings = model_strings();
    struct kernel_log on, off;
    status code;

    if (!strings)
        return status_no_memory("starting");
    kernel_log_start(&off, strings);
    code = load_kernels(data_path("xnntrace/mobilenet_on.log"), strings, &on);
    if (code == STATUS_OK)
        code = load_kernels(data_path("xnn-kernels/registered_kernels.csv"), strings, &off);
    if (code == STATUS_OK)
        code = write_kernels(&on, &off);
    kernel_log_free(&on);
    kernel_log_free(&off);
    strings_free(strings);
    return code;
}

static status write_latency(struct launches sides[2])
{
    const struct latency_side baseline = { "off", sides[0].times.items, sides[0].times.count };
    const struct latency_side candidate = { "on", sides[1].times.items, sides[1].times.count };
    const struct launch_choice all = { NULL, 0 };
    struct latency_output_side first = { &sides[0], "off", NULL, &all }, second = { &sides[1], "on", NULL, &all };
    struct latency_options options = { .warmup = WARMUP_AUTO, .seed = 1, .rounds = 20 };
    struct latency_comparison comparison;
    struct output *output = NULL;
    status code = latency_compare(&baseline, &candidate, &options, &comparison);

    if (code == STATUS_OK)
        code = latency_output_write(folder, &first, &second);
    if (code == STATUS_OK)
        code = output_open(output_name("answer.json"), &output);
    if (code == STATUS_OK) {
        const struct latency_answer answer = { .baseline = &comparison.baseline,
                                               .candidate = &comparison.candidate,
                                               .comparison = &comparison,
                                               .options = options,
                                               .losses = { &sides[0].files[0].losses, &sides[1].files[0].losses } };

        latency_write_answer(output, &answer);
        code = output_commit(output);
    }
    latency_comparison_free(&comparison);
    return code;
}

static status latency_of_two_builds(void)
{
    static const char *const names[] = { "latency/mobilenet_like_xnnpack_fp32_avx512_off_t1_l%u.etdump.gz",
                                         "latency/mobilenet_like_xnnpack_fp32_avx512_on_t1_l%u.etdump.gz" };
    const struct load_options load = { .no_etrecord = true };
    const struct launch_choice all = { NULL, 0 };
    struct launches sides[2];
    char path[PATH_SIZE];
    status code = STATUS_OK;

    launches_start(&sides[0]);
    launches_start(&sides[1]);
    for (unsigned i = 0; i < 4 && code == STATUS_OK; i++) {
        const char *data = getenv("TACHO_TEST_DATA");
        int length = snprintf(path, sizeof path, "%s/", data ? data : "tests/data");

        snprintf(path + length, sizeof path - (size_t)length, i % 2 ? names[1] : names[0], 1 + i / 2);
        code = launches_add(&sides[i % 2], path, &all, &load);
    }
    if (code == STATUS_OK)
        code = write_latency(sides);
    launches_free(&sides[0]);
    launches_free(&sides[1]);
    return code;
}

static void fill_document(struct document *document)
{
    static const struct document_column columns[] = { { "name", "Name", false }, { "ms", "ms", true } };
    struct table *table = table_new("rows", "Rows");

    document_heading(document, 2, NULL, "Heading %d", 1);
    document_text(document, "A **text** with `code` and a long tail: %0*d", 300, 1);
    document_mood(document, PROSE_GOOD, "all is well");
    document_item(document, 0, "an item");
    document_value(document, 1, NULL, "Label", "%s", "value");
    document_number(document, "number", 1.5);
    document_code(document, "tacho %s", "report");
    document_grid(document, "grid", columns, 2);
    for (unsigned i = 0; i < 40; i++) {
        document_cell(document, "row %u", i);
        document_cell_number(document, i, "%u", i);
    }
    if (table) {
        table_add_column(table, (struct table_column){ .name = "a", .title = "A", .type = CELL_TEXT });
        for (unsigned i = 0; i < 40; i++) {
            table_add_row(table);
            table_set_text(table, 0, "cell");
        }
    }
    document_table(document, table);
    document_rule(document);
}

static status documents(void)
{
    static const char *const names[] = { "d.md", "d.html", "d.json", "d.json.gz" };
    struct document *document = document_new("Title");
    status code = document ? STATUS_OK : status_no_memory("starting a document");

    if (document)
        fill_document(document);
    for (unsigned i = 0; i < sizeof names / sizeof *names && code == STATUS_OK; i++)
        code = document_write(document, output_name(names[i]));
    document_free(document);
    return code;
}

static status validation_of_a_directory(void)
{
    const struct validation_options options = { .require_sme2_kernels = true };
    struct validation validation;
    struct table *table;
    status code = validate_results(data_path("rundir/broken_graph"), &options, &validation);

    if (code == STATUS_OK) {
        code = validation_table(&validation, "rundir", NULL, &table);
        code = take_table(code, table, "validation.csv");
    }
    validation_free(&validation);
    return code;
}

static void copy_file(const char *from, const char *to)
{
    static char data[1 << 16];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    size_t size;

    assert_non_null(in);
    assert_non_null(out);
    size = fread(data, 1, sizeof data, in);
    assert_true(size < sizeof data);
    assert_int_equal(fwrite(data, 1, size, out), size);
    fclose(in);
    fclose(out);
}

static status summary_of_a_directory(void)
{
    struct timeline_request request = { .extra = true, .all_runs = true };
    struct analysis_total total;
    status code;

    copy_file(data_path("etdump/py_small.etdp"), output_name("net_t1.etdump"));
    code = analysis_summary_write(folder, &request, NULL, &total);
    assert_true(code != STATUS_OK || total.problems == 0);
    unlink(output_name("net_t1.etdump"));
    return code;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

struct file {
    char name[256];
    char *data;
    size_t size;
};

static struct file whole[MOST_FILES];
static unsigned whole_count;

static char *read_file(const char *name, size_t *size)
{
    FILE *file = fopen(output_name(name), "rb");
    char *data = malloc(4 << 20);

    assert_non_null(file);
    assert_non_null(data);
    *size = fread(data, 1, 4 << 20, file);
    assert_true(*size < 4 << 20);
    fclose(file);
    return data;
}

static const struct file *find_file(const char *name)
{
    for (unsigned i = 0; i < whole_count; i++)
        if (strcmp(whole[i].name, name) == 0)
            return &whole[i];
    return NULL;
}

/* A table as text may lose its alignment where memory is short, but no value. */
static size_t without_looks(char *to, const char *from, size_t size)
{
    size_t length = 0;

    for (size_t i = 0; i < size; i++) {
        bool rule = i + 2 < size && memcmp(from + i, "\xe2\x94\x80", 3) == 0;

        if (rule)
            i += 2;
        else if (from[i] != ' ')
            to[length++] = from[i];
    }
    return length;
}

static bool same_file(const struct file *file, char *data, size_t size)
{
    size_t length = strlen(file->name), whole_length;
    char *plain;
    bool same = file->size == size && memcmp(file->data, data, size) == 0;

    if (same || length < 4 || strcmp(file->name + length - 4, ".txt") != 0)
        return same;
    plain = malloc(file->size + 1);
    assert_non_null(plain);
    whole_length = without_looks(plain, file->data, file->size);
    size = without_looks(data, data, size);
    same = whole_length == size && memcmp(plain, data, size) == 0;
    free(plain);
    return same;
}

/* Takes all files out of the folder: keeps them, or compares each with what was kept. Returns how many there were. */
static unsigned empty_folder(bool keep)
{
    const struct dirent *entry;
    unsigned count = 0;
    DIR *open = opendir(folder);

    assert_non_null(open);
    while ((entry = readdir(open)) != NULL) {
        size_t size;
        char *data;

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        data = read_file(entry->d_name, &size);
        if (keep) {
            assert_true(whole_count < MOST_FILES);
            snprintf(whole[whole_count].name, sizeof whole->name, "%s", entry->d_name);
            whole[whole_count].data = data;
            whole[whole_count++].size = size;
        } else {
            const struct file *file = find_file(entry->d_name);

            if (!file || !same_file(file, data, size))
                fail_msg("%s is left, and is not what it should be", entry->d_name);
            free(data);
        }
        assert_int_equal(unlink(output_name(entry->d_name)), 0);
        count++;
    }
    closedir(open);
    return count;
}

static void forget_files(void)
{
    for (unsigned i = 0; i < whole_count; i++)
        free(whole[i].data);
    whole_count = 0;
}

/* ---- faults ------------------------------------------------------------------------------------------------------ */

struct fault {
    const char *name;
    void (*fail_at)(uint64_t nth);
    status expected;
};

struct job {
    const char *name;
    status (*run)(void);
    unsigned files;
    bool reads; /* and a read that fails is an error, not a finding */
};

static const struct job jobs[] = {
    { "timeline of a dump", timeline_of_a_dump, 6, true },
    { "timeline of a loop", timeline_of_a_loop, 6, true },
    { "timeline of a timeline", timeline_of_a_timeline, 6, true },
    { "operators", operators_of_two_builds, 13, true },
    { "kernels", kernels_of_two_builds, 4, true },
    { "latency", latency_of_two_builds, 6, true },
    { "documents", documents, 4, false },
    { "validation", validation_of_a_directory, 1, false },
    { "run directory", summary_of_a_directory, 4, false },
};

/* One by one at first, then in growing steps: late failures are many and alike. */
static uint64_t next_of(uint64_t nth)
{
    return nth < EVERY_ONE ? nth + 1 : nth + nth / 12;
}

static uint64_t run_job(const struct job *job, const struct fault *fault)
{
    status code = fault->expected;
    uint64_t nth, last = 0;

    assert_int_equal(job->run(), STATUS_OK);
    assert_int_equal(empty_folder(true), job->files);
    for (nth = 1; code != STATUS_OK; nth = next_of(nth)) {
        assert_true(nth < 10000000);
        status_clear();
        fault->fail_at(nth);
        code = job->run();
        fault->fail_at(0);
        if (code != STATUS_OK && code != fault->expected)
            fail_msg("%s: %s %llu gave status %d: %s", job->name, fault->name, (unsigned long long)nth, (int)code,
                     status_message());
        assert_true(code == STATUS_OK || *status_message());
        empty_folder(false);
        last = nth;
    }
    forget_files();
    return last;
}

static void test_allocations(void **state)
{
    static const struct fault fault = { "allocation", memory_fail_at, STATUS_MEMORY };

    (void)state;
    for (unsigned i = 0; i < sizeof jobs / sizeof *jobs; i++)
        assert_true(run_job(&jobs[i], &fault) > 10);
}

static void test_reads(void **state)
{
    static const struct fault fault = { "read", input_fail_at, STATUS_INPUT };

    (void)state;
    input_limit_reads(1021);
    for (unsigned i = 0; i < sizeof jobs / sizeof *jobs; i++)
        if (jobs[i].reads)
            assert_true(run_job(&jobs[i], &fault) > 3);
    input_limit_reads(0);
}

static void test_writes(void **state)
{
    static const struct fault fault = { "write", output_fail_at, STATUS_OUTPUT };

    (void)state;
    for (unsigned i = 0; i < sizeof jobs / sizeof *jobs; i++)
        assert_true(run_job(&jobs[i], &fault) > jobs[i].files);
}

static int start(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int stop(void **state)
{
    (void)state;
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allocations),
        cmocka_unit_test(test_reads),
        cmocka_unit_test(test_writes),
    };

    return cmocka_run_group_tests(tests, start, stop);
}
