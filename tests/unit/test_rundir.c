/* test_rundir.c: run directories of all layouts, made in a folder of their own: which experiments are found, with which files, in which
 * order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "executorch/rundir.h"
#include "trace/model.h"

/* ---- a folder per test ----------------------------------------------------------------------------------------- */

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/tacho-rundir-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[256];

    (void)state;
    snprintf(command, sizeof command, "chmod -R u+rwx %s; rm -rf %s", folder, folder);
    return system(command);
}

static const char *inside(const char *name)
{
    static char path[4096];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* A file with these bytes; the folders on its way are made. */
static void put_bytes(const char *name, const char *bytes, size_t length)
{
    char path[4096];
    FILE *file;

    snprintf(path, sizeof path, "%s", inside(name));
    for (char *slash = strchr(path + strlen(folder) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

static void put(const char *name, const char *text)
{
    put_bytes(name, text, strlen(text));
}

static void put_dump(const char *name)
{
    static const char bytes[] = "\x20\0\0\0\x08\0\0\0ED00\0\0\0\0";

    put_bytes(name, bytes, sizeof bytes);
}

static void open_here(struct rundir *rundir)
{
    if (rundir_open(rundir, folder) != STATUS_OK)
        fail_msg("%s", status_message());
}

static const struct run_entry *entry_of(const struct rundir *rundir, const char *name, uint32_t threads)
{
    const struct run_entry *entry = rundir_find(rundir, name, threads);

    if (!entry)
        fail_msg("no experiment is called %s", name);
    return entry;
}

/* All entries as one text: "name/threads source(files)[*]". */
static void assert_entries(const struct rundir *rundir, const char *expected)
{
    char text[4096] = "";
    size_t length = 0;

    for (size_t i = 0; i < rundir->entry_count; i++) {
        const struct run_entry *entry = &rundir->entries[i];

        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s/%u %s(%zu)%s", i ? "; " : "", entry->name,
                                   entry->threads, run_source_key(entry->times.source), entry->times.count,
                                   entry->trace ? "*" : "");
    }
    assert_string_equal(text, expected);
}

static bool has_note(const struct rundir *rundir, const char *part)
{
    for (size_t i = 0; i < rundir->note_count; i++)
        if (strstr(rundir->notes[i], part))
            return true;
    return false;
}

/* ---- names ----------------------------------------------------------------------------------------------------- */

static void assert_split(const char *name, const char *role, const char *stem, uint32_t threads, uint32_t launch)
{
    struct run_name split = run_name_split(name);

    assert_string_equal(run_role_key(split.role), role);
    assert_int_equal(split.stem.length, strlen(stem));
    assert_memory_equal(split.stem.data, stem, strlen(stem));
    assert_int_equal(split.threads, threads);
    assert_int_equal(split.launch, launch);
}

static void test_file_names(void **state)
{
    (void)state;
    assert_split("m_on_t1.etdump", "etdump", "m_on", 1, 0);
    assert_split("m_on_t16_l3.etdp.zst", "etdump", "m_on", 16, 3);
    assert_split("m_on_l3_t16.etdump", "etdump", "m_on", 16, 3);
    assert_split("m_on_t1_exec_all_runs_timeline.csv", "timeline_all", "m_on", 1, 0);
    assert_split("m_on_t1_exec_run0_timeline.csv", "timeline_run0", "m_on", 1, 0);
    assert_split("m_run12_timeline.csv", "timeline_run0", "m", 0, 0);
    assert_split("m_on_t2_exec_ops_stats.csv.gz", "ops_stats", "m_on", 2, 0);
    assert_split("m_on_t2_latency.log", "log", "m_on", 2, 0);
    assert_split("m_on_trace_t2_xnntrace.log", "xnntrace_log", "m_on_trace", 2, 0);
    assert_split("m_on_trace_t2_kernels.csv", "kernel_csv", "m_on_trace", 2, 0);
    assert_split("kernels.csv", "kernel_csv", "", 0, 0);
    assert_split("t4_kernels.csv", "kernel_csv", "", 4, 0);
    assert_split("m_on_t1_exec_all_runs_timeline_robust_stats.json", "robust_stats", "m_on", 1, 0);
    assert_split("m_pipeline_summary.json", "pipeline_summary", "m", 0, 0);
    assert_split("m.slim.etrecord", "etrecord", "m", 0, 0);
    assert_split("m.pte.etrecord", "etrecord", "m", 0, 0);
    assert_split("m_t1.pte", "model", "m_t1", 0, 0);
    assert_split("bert.etdump", "etdump", "bert", 0, 0); /* the t belongs to the name */
    assert_split("net1.etdump", "etdump", "net1", 0, 0);
    assert_split("m_t99999999.etdump", "etdump", "m_t99999999", 0, 0);
    assert_split(".etdump", "none", ".etdump", 0, 0);
    assert_split("", "none", "", 0, 0);
    assert_split("m_a_vs_b_robust_comparison.json", "none", "m_a_vs_b_robust_comparison.json", 0, 0);
    assert_true(run_name_split("m_t1_xtrace.etdump").xtrace);
    assert_true(run_name_split("runner.log").vague);
    assert_false(run_name_split("m_latency.log").vague);
}

static void test_natural_order(void **state)
{
    (void)state;
    assert_true(natural_compare("t2", "t10") < 0);
    assert_true(natural_compare("t10", "t2") > 0);
    assert_true(natural_compare("t02", "t2") != 0);
    assert_true(natural_compare("a", "a1") < 0);
    assert_true(natural_compare("a99999999999999999999999", "a100000000000000000000000") < 0);
    assert_int_equal(natural_compare("x1y2", "x1y2"), 0);
}

static void test_switches(void **state)
{
    (void)state;
    assert_int_equal(run_switch("mac_sme2_on"), 1);
    assert_int_equal(run_switch("mac-SME2-Off"), -1);
    assert_int_equal(run_switch("on_v2"), 1);
    assert_int_equal(run_switch("off_on"), 1);
    assert_int_equal(run_switch("on/off"), -1);
    assert_int_equal(run_switch("station"), 0);
    assert_int_equal(run_switch(""), 0);
}

/* ---- layouts --------------------------------------------------------------------------------------------------- */

static void put_flat(const char *experiment, unsigned threads)
{
    static const char *const endings[] = { "_exec_all_runs_timeline.csv", "_exec_run0_timeline.csv",
                                           "_exec_ops_stats.csv", "_latency.log" };
    char name[256];

    snprintf(name, sizeof name, "net_fp32_%s_t%u.etdump", experiment, threads);
    put_dump(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        snprintf(name, sizeof name, "net_fp32_%s_t%u%s", experiment, threads, endings[i]);
        put(name, "x\n");
    }
}

static void test_flat_with_thread_sweep(void **state)
{
    struct rundir rundir;
    struct run_pair *pairs;
    size_t count;
    const struct run_entry *on;

    (void)state;
    put_flat("mac_sme2_on", 1);
    put_flat("mac_sme2_on", 10);
    put_flat("mac_sme2_on", 2);
    put_flat("mac_sme2_off", 1);
    put_flat("mac_sme2_off", 2);
    put("net_fp32_mac_sme2_on_trace_t1_xnntrace.log", "x");
    put("net_fp32_mac_sme2_on_trace_t1_kernels.csv", "x");
    put("robust/net_fp32_mac_sme2_off_t2_exec_all_runs_timeline_robust_stats.json", "{}");
    put("report.md", "x");
    open_here(&rundir);
    assert_entries(
        &rundir,
        "mac_sme2_off/1 etdump(1); mac_sme2_off/2 etdump(1); mac_sme2_on/1 etdump(1); mac_sme2_on/2 etdump(1); "
        "mac_sme2_on/10 etdump(1); mac_sme2_on_trace/1 none(0)*");
    on = entry_of(&rundir, "mac_sme2_on", 10);
    assert_string_equal(on->label, "mac_sme2_on_t10");
    assert_int_equal(on->file_count, 5);
    assert_string_equal(rundir_kernel_file(&rundir, on, RUN_KERNELS)->shown,
                        "net_fp32_mac_sme2_on_trace_t1_kernels.csv");
    assert_null(rundir_kernel_file(&rundir, entry_of(&rundir, "mac_sme2_off", 1), RUN_KERNELS));
    assert_non_null(run_entry_file(entry_of(&rundir, "mac_sme2_off", 2), RUN_ROBUST_STATS));
    assert_int_equal(rundir.entries[5].partner, 2);
    assert_int_equal(rundir_pairs(&rundir, NULL, NULL, &pairs, &count), STATUS_OK);
    assert_int_equal(count, 2);
    assert_int_equal(pairs[1].baseline, 1);
    assert_int_equal(pairs[1].candidate, 3);
    assert_false(rundir.manifest.found);
    assert_null(rundir.config.path);
    assert_int_equal(rundir.etdump_count, 5);
    rundir_free(&rundir);
}

static void test_nested(void **state)
{
    struct rundir rundir;
    const struct run_entry *on;

    (void)state;
    put_dump("deep/er/sme2-on/anything_t4.etdump");
    put("deep/er/sme2-on/kernels.csv", "x");
    put("deep/er/sme2-on/runner.log", "x");
    put_dump("deep/er/sme2-off/anything_t4.etdump");
    put_dump("deep/er/third/a.etdump");
    open_here(&rundir);
    assert_entries(&rundir, "sme2-off/4 etdump(1); sme2-on/4 etdump(1); third/0 etdump(1)");
    on = entry_of(&rundir, "sme2-on", 0);
    assert_string_equal(run_entry_file(on, RUN_KERNELS)->shown, "deep/er/sme2-on/kernels.csv");
    assert_string_equal(run_entry_file(on, RUN_LOG)->shown, "deep/er/sme2-on/runner.log");
    rundir_free(&rundir);
}

static void test_flat_and_nested_together(void **state)
{
    struct rundir rundir;

    (void)state;
    put("manifest.json", "{\"model\": \"x/net_fp32.pte\", \"results\": [{\"experiment\": \"fast_on\"}]}");
    put_dump("net_fp32_fast_on_t2.etdump");
    put("fast_on/kernels.csv", "x");
    open_here(&rundir);
    assert_entries(&rundir, "fast_on/2 etdump(1)");
    assert_non_null(run_entry_file(&rundir.entries[0], RUN_KERNELS));
    rundir_free(&rundir);
}

static void test_folders_called_alike_stay_apart(void **state)
{
    struct rundir rundir;
    struct run_pair *pairs;
    size_t count;

    (void)state;
    put_dump("mac/sme2_on/m_t1.etdump");
    put_dump("mac/sme2_off/m_t1.etdump");
    put_dump("android/sme2_on/m_t1.etdump");
    put_dump("android/sme2_off/m_t1.etdump");
    put_dump("many/m_a_t1.etdump");
    put_dump("many/m_b_t1.etdump");
    open_here(&rundir);
    assert_entries(&rundir, "a/1 etdump(1); android/sme2_off/1 etdump(1); android/sme2_on/1 etdump(1); b/1 etdump(1); "
                            "mac/sme2_off/1 etdump(1); mac/sme2_on/1 etdump(1)");
    assert_int_equal(rundir_pairs(&rundir, NULL, NULL, &pairs, &count), STATUS_OK);
    assert_int_equal(count, 2);
    rundir_free(&rundir);
}

static void test_launches(void **state)
{
    struct rundir rundir;
    const struct run_entry *on;

    (void)state;
    put_dump("net_fp32_avx_on_t1_l2.etdump");
    put_dump("net_fp32_avx_on_t1_l10.etdump");
    put("net_fp32_avx_on_t1_l1.etdump", "dummy");
    put("net_fp32_avx_on_t1_l1_exec_all_runs_timeline.csv", "x");
    put("net_fp32_avx_on_t1_l3_exec_run0_timeline.csv", "x");
    put_dump("net_fp32_avx_off_t1_l1.etdump");
    open_here(&rundir);
    assert_entries(&rundir, "avx_off/1 etdump(1); avx_on/1 timeline_all(3)");
    on = entry_of(&rundir, "avx_on", 1);
    assert_int_equal(on->times.files[0]->role, RUN_TIMELINE);
    assert_int_equal(on->times.files[1]->launch, 2);
    assert_int_equal(on->times.files[2]->launch, 10);
    assert_int_equal(on->times.left_out, 1);
    assert_true(has_note(&rundir, "net_fp32_avx_on_t1_l1.etdump: is no ETDump"));
    assert_true(has_note(&rundir, "1 of 4 launches"));
    rundir_free(&rundir);
}

/* ---- sources --------------------------------------------------------------------------------------------------- */

static void test_sources_in_order(void **state)
{
    struct rundir rundir;

    (void)state;
    put("a/x_run0_timeline.csv", "x");
    put("a/x_ops_stats.csv", "x");
    put("b/x_ops_stats.csv", "x");
    put("b/x_latency.log", "x");
    put("c/x_latency.log", "x");
    put("d/x.etdump", "short");
    put("metrics.json",
        "{\"results\": [{\"experiment\": \"d\", \"metrics\": {\"threads\": 3, \"latency_ms\": [1, 2.5]}},"
        "{\"experiment\": \"e\", \"metrics\": {\"latency_ms\": [4]}}, {\"experiment\": \"f\", \"metrics\": {}}, 7]}");
    open_here(&rundir);
    assert_entries(&rundir, "a/0 timeline_run0(1); b/0 ops_stats(1); c/0 log(1); d/3 metrics(0); e/0 metrics(0)");
    assert_string_equal(run_source_key(entry_of(&rundir, "b", 0)->latency.source), "log");
    assert_int_equal(run_entry_latencies(entry_of(&rundir, "d", 3))->count, 2);
    assert_true(has_note(&rundir, "a: only a timeline of one run"));
    assert_int_equal(rundir_reject(&rundir, &rundir.entries[1], rundir.entries[1].times.files[0], "bad"), STATUS_OK);
    assert_string_equal(run_source_key(rundir.entries[1].times.source), "log");
    assert_true(has_note(&rundir, "bad"));
    rundir_free(&rundir);
}

static void test_traces_never_time(void **state)
{
    struct rundir rundir;

    (void)state;
    put("manifest.json", "{\"results\": [{\"experiment\": \"kernels_a\", \"mode\": \"xnntrace\"},"
                         "{\"experiment\": \"x_trace\", \"mode\": \"timing\"}]}");
    put_dump("kernels_a/m_t1.etdump");
    put_dump("x_trace/m_t1.etdump");
    put_dump("y_trace/m_t1.etdump");
    put_dump("y/m_t2.etdump");
    put("z/m_xnntrace.log", "x");
    put_dump("w/m_w_t1.etdump");
    put("w/m_w_trace_t1_xnntrace.log", "x");
    put_dump("v/m_t1_xtrace.etdump");
    open_here(&rundir);
    assert_entries(
        &rundir,
        "kernels_a/1 etdump(1)*; v_xtrace/1 etdump(1)*; w/1 etdump(1); w_trace/1 none(0)*; x_trace/1 etdump(1); "
        "y/2 etdump(1); y_trace/1 etdump(1)*; z/0 none(0)*");
    assert_int_equal(entry_of(&rundir, "y", 0)->partner, 6);
    assert_int_equal(entry_of(&rundir, "y_trace", 0)->partner, 5);
    assert_int_equal(entry_of(&rundir, "z", 0)->partner, NO_ID);
    rundir_free(&rundir);
}

/* ---- documents ------------------------------------------------------------------------------------------------- */

static void test_documents(void **state)
{
    struct rundir rundir;
    double median;

    (void)state;
    put("manifest.json", "{\"model\": \"models/net_fp32.pte\", \"config\": \"conf/run.json\", \"results\": []}");
    put("conf/run.json",
        "{\"experiments\": [{\"name\": \"base\", \"mode\": \"timing\"}], \"analysis\": {\"compare_pairs\": "
        "[{\"baseline\": {\"experiment\": \"base\", \"threads\": 1}, \"candidate\": {\"experiment\": \"new\"}, "
        "\"label\": \"L\"}, {\"baseline\": 3}]}}");
    put("net_fp32_pipeline_summary.json",
        "{\"runs\": [{\"experiment\": \"base\", \"threads\": 1, \"metrics\": {\"median_ms\": 7.5}}]}");
    put("models/net_fp32.etrecord", "x");
    put_dump("net_fp32_base_t1.etdump");
    put_dump("net_fp32_new_t1.etdump");
    open_here(&rundir);
    assert_true(rundir.config.found);
    assert_non_null(rundir.config_resolved);
    assert_string_equal(rundir.model_stem, "net_fp32");
    assert_non_null(strstr(rundir.etrecord, "models/net_fp32.etrecord"));
    assert_true(run_stated(entry_of(&rundir, "base", 1)->summary, "median_ms", &median));
    assert_true(median == 7.5);
    assert_non_null(entry_of(&rundir, "base", 1)->config);
    {
        struct run_pair *pairs;
        size_t count;

        assert_int_equal(rundir_pairs(&rundir, NULL, NULL, &pairs, &count), STATUS_OK);
        assert_int_equal(count, 1);
        assert_string_equal(pairs[0].label, "L");
        assert_string_equal(rundir.entries[pairs[0].candidate].name, "new");
    }
    rundir_free(&rundir);
}

static void test_bad_documents(void **state)
{
    struct rundir rundir;

    (void)state;
    put("manifest.json", "{\"model\": ");
    put("metrics.json", "");
    put("x_pipeline_summary.json", "[1, 2]");
    put_dump("x_a.etdump");
    open_here(&rundir);
    assert_true(rundir.manifest.found);
    assert_null(rundir.manifest.root);
    assert_non_null(rundir.manifest.problem);
    assert_non_null(rundir.metrics.problem);
    assert_entries(&rundir, "a/0 etdump(1)");
    rundir_free(&rundir);

    put("manifest.json", "{\"config\": \"/nowhere/c.json\", \"results\": {\"a\": 1}, \"model\": 5}");
    put("metrics.json", "{\"results\": [[], null, {\"experiment\": 3}]}");
    open_here(&rundir);
    assert_string_equal(rundir.config.path, "/nowhere/c.json");
    assert_false(rundir.config.found);
    assert_true(has_note(&rundir, "/nowhere/c.json"));
    assert_null(rundir.model);
    rundir_free(&rundir);
}

/* ---- pairs ----------------------------------------------------------------------------------------------------- */

/* ---- a manifest that lists its launches ------------------------------------------------------------------------ */

#define ARTIFACT(key, path) "\"" key "\": {\"path\": \"/gone/" path "\", \"relative_path\": \"" path "\"}"

static void put_listed(void)
{
    put_dump("on/net_on_t1_l1.etdump");
    put_dump("on/net_on_t1_l2.etdump");
    put_dump("on/net_on_t1_l9.etdump");
    put_dump("off/other_name.etdump");
    put("on/kernels.csv", "kernel_name\n");
    put("manifest.json",
        "{\"results\": ["
        "{\"experiment\": \"on\", \"mode\": \"timing\", \"threads\": 1, \"launch_results\": ["
        "{\"launch\": 2, \"status\": \"failed\", \"reason\": \"exit status 3\", \"artifacts\": "
        "{" ARTIFACT(
            "etdump",
            "on/net_on_t1_l2.etdump") "}},"
                                      "{\"launch\": 1, \"status\": \"ok\", \"artifacts\": "
                                      "{" ARTIFACT("etdump", "on/net_on_t1_l1.etdump") "," ARTIFACT(
                                          "log", "on/gone.log") "}}]},"
                                                                "{\"experiment\": \"off\", \"mode\": \"timing\", "
                                                                "\"threads\": 4, \"launch_results\": ["
                                                                "{\"launch\": 1, \"status\": \"analysis-only\", "
                                                                "\"artifacts\": "
                                                                "{" ARTIFACT(
                                                                    "etdump",
                                                                    "off/other_name.etdump") "}}]},"
                                                                                             "{\"experiment\": "
                                                                                             "\"dead\", \"threads\": "
                                                                                             "1, \"launch_results\": ["
                                                                                             "{\"launch\": 1, "
                                                                                             "\"status\": \"failed\", "
                                                                                             "\"artifacts\": {}}]},"
                                                                                             "{\"experiment\": "
                                                                                             "\"later\", \"threads\": "
                                                                                             "1, \"launch_results\": ["
                                                                                             "{\"launch\": 1, "
                                                                                             "\"status\": \"pending\", "
                                                                                             "\"artifacts\": {}}]}]}");
}

static void test_the_manifest_is_the_authority(void **state)
{
    const struct run_entry *on, *dead;
    struct rundir rundir;

    (void)state;
    put_listed();
    open_here(&rundir);
    assert_true(rundir.listed);
    assert_entries(&rundir, "dead/1 none(0); off/4 etdump(1); on/1 etdump(1)");
    on = entry_of(&rundir, "on", 1);
    assert_int_equal(on->launch_count, 2);
    assert_int_equal(on->failed, 1);
    assert_int_equal(on->launches[0].number, 1);
    assert_string_equal(run_entry_failure(on)->reason, "exit status 3");
    assert_int_equal(on->times.files[0]->launch, 1);
    assert_int_equal(on->times.left_out, 0);
    assert_non_null(run_entry_file(on, RUN_KERNELS)); /* has no times, and lies in its folder */
    dead = entry_of(&rundir, "dead", 1);
    assert_null(run_entry_failure(dead)->reason);
    assert_true(has_note(&rundir, "on: 1 of 2 launches failed and have no times: exit status 3"));
    assert_true(has_note(&rundir,
                         "1 file with times that manifest.json does not list is left out, the first: on/net_on_t1_l9"));
    rundir_free(&rundir);
}

static void test_a_manifest_without_launches_lists_nothing(void **state)
{
    static const char *const manifests[] = {
        "{\"results\": [{\"experiment\": \"on\", \"threads\": 1, \"artifacts\": {}}]}",
        "{\"results\": [{\"experiment\": \"on\", \"launch_results\": []}]}",
        "{\"results\": [{\"experiment\": \"on\", \"launch_results\": 7}, 3]}",
        "{\"results\": []}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof manifests / sizeof *manifests; i++) {
        struct rundir rundir;

        put_dump("net_on_t1.etdump");
        put("manifest.json", manifests[i]);
        open_here(&rundir);
        assert_false(rundir.listed);
        assert_int_equal(rundir.entry_count, 1);
        assert_int_equal(rundir.entries[0].times.count, 1);
        rundir_free(&rundir);
    }
}

/* Odd members are passed over; nothing is read beyond them. */
static void test_launches_that_are_none(void **state)
{
    struct rundir rundir;

    (void)state;
    put_dump("net_on_t1.etdump");
    put("manifest.json", "{\"results\": [{\"experiment\": 4, \"launch_results\": [1]}, {\"launch_results\": [{}]},"
                         "{\"experiment\": \"on\", \"threads\": -1, \"launch_results\": [{\"launch\": -7, "
                         "\"status\": \"odd\", \"artifacts\": {\"etdump\": 3, \"log\": {\"relative_path\": []}, "
                         "\"nothing\": {\"relative_path\": \"net_on_t1.etdump\"}}}]}]}");
    open_here(&rundir);
    assert_true(rundir.listed);
    assert_int_equal(rundir.entry_count, 0);
    rundir_free(&rundir);
}

static void test_pairs_by_name(void **state)
{
    struct rundir rundir;
    struct run_pair *pairs;
    size_t count;

    (void)state;
    put_dump("a/m_t1.etdump");
    put_dump("a/m_t2.etdump");
    put_dump("b/m_t1.etdump");
    put_dump("b/m_t2.etdump");
    put_dump("c/m_t4.etdump");
    open_here(&rundir);
    assert_int_equal(rundir_pairs(&rundir, NULL, NULL, &pairs, &count), STATUS_OK);
    assert_int_equal(count, 0);
    assert_int_equal(rundir_pairs(&rundir, "b", "a", &pairs, &count), STATUS_OK);
    assert_int_equal(count, 2);
    assert_int_equal(pairs[0].baseline, 2);
    assert_int_equal(pairs[0].candidate, 0);
    assert_int_equal(rundir_pairs(&rundir, "a_t1", "a_t2", &pairs, &count), STATUS_OK);
    assert_int_equal(count, 1);
    assert_int_equal(rundir_pairs(&rundir, "a_t1", "c", &pairs, &count), STATUS_OK); /* no common threads: as asked */
    assert_int_equal(count, 1);
    assert_int_equal(rundir_pairs(&rundir, "a", NULL, &pairs, &count), STATUS_USAGE);
    assert_int_equal(rundir_pairs(&rundir, "a_t1", "a_t1", &pairs, &count), STATUS_USAGE);
    assert_int_equal(rundir_pairs(&rundir, "a", "nobody", &pairs, &count), STATUS_USAGE);
    assert_non_null(strstr(status_message(), "there are: a, b, c"));
    rundir_free(&rundir);
}

static void test_pairs_with_one_name(void **state)
{
    struct rundir rundir;
    struct run_pair *pairs;
    size_t count;

    (void)state;
    put_dump("x_off/m.etdump");
    put_dump("x_on/m.etdump");
    put_dump("other/m.etdump");
    open_here(&rundir);
    assert_int_equal(rundir_pairs(&rundir, NULL, "x_off", &pairs, &count), STATUS_OK);
    assert_int_equal(count, 1);
    assert_string_equal(rundir.entries[pairs[0].baseline].name, "x_on");
    rundir_free(&rundir);
}

/* ---- odd folders ----------------------------------------------------------------------------------------------- */

static void test_links_and_depth(void **state)
{
    struct rundir rundir;
    char deep[256] = "";

    (void)state;
    put_dump("zz/m_t1.etdump");
    assert_int_equal(symlink(folder, inside("back")), 0);
    assert_int_equal(symlink("zz", inside("alias")), 0);
    assert_int_equal(symlink("self", inside("self")), 0);
    assert_int_equal(symlink("nowhere", inside("dangling.etdump")), 0);
    for (unsigned i = 0; i < RUNDIR_DEEPEST + 2; i++)
        strcat(deep, "d/");
    strcat(deep, "m.etdump");
    put_dump(deep);
    mkdir(inside("n.etdump"), 0777);
    open_here(&rundir);
    assert_entries(&rundir, "zz/1 etdump(1)");
    assert_int_equal(rundir.loops, 3);
    assert_int_equal(rundir.too_deep, 1);
    assert_int_equal(rundir.note_count, 2);
    rundir_free(&rundir);
}

/* Root, who reads everything, opens it as somebody else. */
static void open_here_as_anyone(struct rundir *rundir)
{
    uid_t user = geteuid();

    assert_int_equal(chmod(folder, 0755), 0);
    if (user == 0)
        assert_int_equal(seteuid(65534), 0);
    open_here(rundir);
    assert_int_equal(seteuid(user), 0);
}

static void test_folders_that_cannot_be_read(void **state)
{
    struct rundir rundir;

    (void)state;
    umask(022);
    put_dump("a/m.etdump");
    put_dump("b/m.etdump");
    assert_int_equal(chmod(inside("b"), 0), 0);
    open_here_as_anyone(&rundir);
    assert_entries(&rundir, "a/0 etdump(1)");
    assert_int_equal(rundir.unreadable, 1);
    rundir_free(&rundir);
    assert_int_equal(rundir_open(&rundir, inside("missing")), STATUS_INPUT);
    rundir_free(&rundir);
    assert_int_equal(rundir_open(&rundir, inside("a/m.etdump")), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "is no folder"));
    rundir_free(&rundir);
}

static void test_an_empty_folder(void **state)
{
    struct rundir rundir;
    struct run_pair *pairs;
    size_t count;

    (void)state;
    open_here(&rundir);
    assert_int_equal(rundir.entry_count, 0);
    assert_int_equal(rundir_pairs(&rundir, NULL, NULL, &pairs, &count), STATUS_OK);
    assert_int_equal(rundir_pairs(&rundir, "a", NULL, &pairs, &count), STATUS_USAGE);
    rundir_free(&rundir);
}

/* Each allocation fails in turn: the failure is reported and nothing leaks. */
/* Each allocation of opening and pairing fails once. */
static void open_without_memory(void)
{
    status code = STATUS_MEMORY;

    for (uint64_t nth = 1; code != STATUS_OK; nth++) {
        struct rundir rundir;
        struct run_pair *pairs;
        size_t count;

        memory_fail_at(nth);
        code = rundir_open(&rundir, folder);
        if (code == STATUS_OK)
            code = rundir_pairs(&rundir, NULL, NULL, &pairs, &count);
        memory_fail_at(0);
        rundir_free(&rundir);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        assert_true(nth < 5000);
    }
}

static void test_without_memory(void **state)
{
    (void)state;
    put("manifest.json",
        "{\"model\": \"net_fp32.pte\", \"config\": \"c.json\", \"results\": [{\"experiment\": \"x_on\"}]}");
    put("metrics.json", "{\"results\": [{\"experiment\": \"only\", \"metrics\": {\"latency_ms\": [1]}}]}");
    put_flat("x_on", 1);
    put_dump("a/x_off/m_t1.etdump");
    put_dump("b/x_off/m_t1.etdump");
    open_without_memory();
}

static void test_a_manifest_without_memory(void **state)
{
    (void)state;
    put_listed();
    open_without_memory();
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file_names),
        cmocka_unit_test(test_natural_order),
        cmocka_unit_test(test_switches),
        IN_FOLDER(test_flat_with_thread_sweep),
        IN_FOLDER(test_nested),
        IN_FOLDER(test_flat_and_nested_together),
        IN_FOLDER(test_folders_called_alike_stay_apart),
        IN_FOLDER(test_launches),
        IN_FOLDER(test_sources_in_order),
        IN_FOLDER(test_traces_never_time),
        IN_FOLDER(test_documents),
        IN_FOLDER(test_bad_documents),
        IN_FOLDER(test_the_manifest_is_the_authority),
        IN_FOLDER(test_a_manifest_without_launches_lists_nothing),
        IN_FOLDER(test_launches_that_are_none),
        IN_FOLDER(test_pairs_by_name),
        IN_FOLDER(test_pairs_with_one_name),
        IN_FOLDER(test_links_and_depth),
        IN_FOLDER(test_folders_that_cannot_be_read),
        IN_FOLDER(test_an_empty_folder),
        IN_FOLDER(test_without_memory),
        IN_FOLDER(test_a_manifest_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
