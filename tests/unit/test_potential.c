/* test_potential.c: what could be saved: peaks that were given or observed, items under them, chances by saving, sums that hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/memory.h"
#include "executorch/load.h"
#include "executorch/potential_execution.h"
#include "job/session.h"
#include "page/potential_files.h"
#include "torq/chain.h"
#include "torq/companions.h"
#include "torq/metrics.h"
#include "torq/potential_engines.h"

static struct strings *pool;
static struct potential potential;

static int set_up(void **state)
{
    (void)state;
    pool = model_strings();
    potential_start(&potential, clock_nanoseconds(0), 1);
    return pool ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    memory_fail_at(0);
    potential_free(&potential);
    strings_free(pool);
    return 0;
}

/* cmocka's own has the precision of a float only. */
static void assert_near(double one, double other, double apart)
{
    if (!(fabs(one - other) <= apart))
        fail_msg("%.12g is not %.12g", one, other);
}

static void path_of(char *to, size_t size, const char *name)
{
    const char *data = getenv("TACHO_TEST_DATA");

    snprintf(to, size, "%s/%s", data ? data : "tests/data", name);
}

/* ---- items under peaks ---- */

static void add(const char *name, const char *kind, int64_t ns, double bytes, double flops, uint32_t memory,
                uint32_t arithmetic)
{
    struct potential_item *item = potential_add_item(&potential);

    assert_non_null(item);
    item->name = name;
    item->kind = kind;
    item->ticks = ns;
    item->count = 1;
    item->bytes = bytes;
    item->flops = flops;
    item->memory = memory;
    item->arithmetic = arithmetic;
    item->steady = item->improvable = true;
}

static const struct potential_item *item_named(const char *name)
{
    for (size_t i = 0; i < potential.count; i++)
        if (strcmp(potential.items[i].name, name) == 0)
            return &potential.items[i];
    fail_msg("no item is called %s", name);
    return NULL;
}

static void given_peaks_place_items(void **state)
{
    uint32_t memory = potential_peak(&potential, "memory", true, 10, "file"),
             fp32 = potential_peak(&potential, "fp32", false, 100e9, "file");

    (void)state;
    assert_int_equal(potential_peak(&potential, "memory", true, 99, NULL), memory); /* the same one */
    add("compute", "a", 1000, 1000, 80000, memory, fp32);                           /* 1 GB/s, 80 GFLOP/s */
    add("memory", "a", 2000, 16000, 20000, memory, fp32);                           /* 8 GB/s, 10 GFLOP/s */
    add("slow", "b", 4000, 4000, 40000, memory, fp32);                              /* 1 GB/s, 10 GFLOP/s */
    add("both", "b", 500, 4500, 45000, memory, fp32);
    add("copy", "c", 300, 2700, NAN, memory, NO_ID);
    add("unknown", "c", 100, NAN, NAN, memory, fp32);
    assert_int_equal(potential_settle(&potential), STATUS_OK);
    assert_string_equal(potential.items[0].name, "slow");
    assert_string_equal(potential_bound(item_named("compute")), "FLOPs");
    assert_string_equal(potential_bound(item_named("memory")), "memory");
    assert_string_equal(potential_bound(item_named("slow")), "slow");
    assert_string_equal(potential_bound(item_named("both")), "both");
    assert_string_equal(potential_bound(item_named("copy")), "memory"); /* its bytes alone tell */
    assert_null(potential_bound(item_named("unknown")));
    assert_true(potential_is_unknown(item_named("unknown")) && isnan(item_named("unknown")->saves));
    assert_near(potential_reached(item_named("compute")), 80, 1e-9);
    assert_near(item_named("compute")->saves, 200e-9, 1e-15);
    assert_near(item_named("slow")->saves, 3600e-9, 1e-15); /* 40000 FLOPs take 400 ns, 4000 bytes as well */
    assert_false(potential.peaks[memory].observed);
}

static void peaks_that_nobody_gave_are_the_best_of_the_profile(void **state)
{
    uint32_t memory = potential_peak(&potential, "memory", true, NAN, NULL),
             fp32 = potential_peak(&potential, "fp32", false, NAN, NULL);

    (void)state;
    add("fast", "a", 1000, 1000, 50000, memory, fp32);
    add("wide", "a", 1000, 5000, 10000, memory, fp32);
    add("noise", "a", 1, 1e9, 1e9, memory, fp32);
    potential.items[2].steady = false;
    assert_int_equal(potential_settle(&potential), STATUS_OK);
    assert_true(potential.peaks[memory].observed && potential.peaks[fp32].observed);
    assert_near(potential.peaks[memory].rate, 5, 1e-9);
    assert_near(potential.peaks[fp32].rate, 50e9, 1);
    assert_string_equal(potential.peaks[fp32].from, "fast");
    assert_near(potential.peaks[memory].bytes, 5000, 0);
    assert_near(item_named("fast")->saves, 0, 1e-15);
    assert_true(isnan(potential_reached(item_named("noise"))) && isnan(item_named("noise")->saves));
}

static void a_peak_that_nothing_reached_stays_unknown(void **state)
{
    uint32_t memory = potential_peak(&potential, "memory", true, NAN, NULL);

    (void)state;
    add("a", "a", 0, 1000, NAN, memory, NO_ID); /* took no time */
    add("b", "a", 10, NAN, NAN, memory, NO_ID);
    assert_int_equal(potential_settle(&potential), STATUS_OK);
    assert_true(isnan(potential.peaks[memory].rate));
    potential_add_roof_chances(&potential);
    assert_int_equal(potential_rank(&potential), STATUS_OK);
    assert_int_equal(potential.chance_count, 0);
}

static void chances_go_by_what_they_save(void **state)
{
    uint32_t memory = potential_peak(&potential, "memory", true, 10, "file");
    struct table *table;

    (void)state;
    potential.whole = 100000;
    add("a1", "a", 1000, 5000, NAN, memory, NO_ID);
    add("a2", "a", 3000, 5000, NAN, memory, NO_ID);
    add("b1", "b", 9000, 1000, NAN, memory, NO_ID);
    add("not mine", "c", 50000, 1000, NAN, memory, NO_ID);
    potential.items[3].improvable = false;
    assert_int_equal(potential_settle(&potential), STATUS_OK);
    potential_add_roof_chances(&potential);
    potential_add_chance(&potential, (struct potential_chance){ .what = "nothing", .saves = 0 });
    potential_add_chance(&potential, (struct potential_chance){
                                         .what = "idle", .bound = "if", .saves = 5000, .time = 6000, .share = 5 });
    assert_int_equal(potential_rank(&potential), STATUS_OK);
    assert_int_equal(potential.chance_count, 3);
    assert_string_equal(potential.chances[0].about, "b1");
    assert_near(potential.chances[0].saves, 8900, 1e-6);
    assert_near(potential.chances[0].share, 8.9, 1e-9);
    assert_string_equal(potential.chances[1].what, "idle");
    assert_string_equal(potential.chances[2].about, "a");
    assert_int_equal(potential.chances[2].count, 2);
    assert_near(potential.chances[2].saves, 500 + 2500, 1e-6);
    assert_near(potential.chances[2].time, 4000, 1e-6);
    assert_non_null(strstr(potential.chances[2].evidence, "a2 takes"));
    table = potential_rank_table(&potential, "x", 2);
    assert_int_equal(table_rows(table), 2);
    assert_int_equal(table_columns(table), 8); /* with the evidence */
    assert_string_equal(table_note_at(table, 0), "1 smaller ones are left out");
    table_free(table);
}

static void running_out_of_memory_is_told(void **state)
{
    uint32_t memory;

    (void)state;
    memory = potential_peak(&potential, "memory", true, 10, NULL);
    memory_fail_at(1);
    for (int i = 0; i < 40; i++)
        (void)potential_add_item(&potential);
    assert_null(potential_add_item(&potential));
    assert_int_equal(potential_peak(&potential, "more", true, 1, NULL), NO_ID);
    potential_add_part(&potential, "x", 1);
    potential_add_roof_chances(&potential);
    assert_int_equal(memory, 0);
    assert_int_equal(potential_settle(&potential), STATUS_MEMORY);
    assert_int_equal(potential_rank(&potential), STATUS_MEMORY);
    memory_fail_at(0);
}

/* ---- operators of a model ---- */

static int64_t sum_of_items(void)
{
    int64_t sum = 0;

    for (size_t i = 0; i < potential.count; i++)
        sum += potential.items[i].ticks;
    return sum;
}

static int64_t sum_of_parts(void)
{
    int64_t sum = 0;

    for (size_t i = 0; i < potential.part_count; i++)
        sum += potential.parts[i].ticks;
    return sum;
}

struct model {
    struct execution execution;
    struct loaded loaded;
    struct operators side;
};

static void load(struct model *model, const char *name, bool record)
{
    struct load_options options = { .no_etrecord = !record };
    char path[512];

    path_of(path, sizeof path, name);
    assert_int_equal(load_execution(path, &options, pool, &model->execution, &model->loaded), STATUS_OK);
    operators_start(&model->side, pool);
    assert_int_equal(operators_add(&model->side, path, &model->execution, record ? &model->loaded.graph : NULL, NULL),
                     STATUS_OK);
}

static void unload(struct model *model)
{
    operators_free(&model->side);
    execution_free(&model->execution);
    loaded_free(&model->loaded);
}

static bool has_note(const char *piece)
{
    for (size_t i = 0; i < potential.note_count; i++)
        if (strstr(potential.notes[i], piece))
            return true;
    return false;
}

static void operators_add_up_to_the_inference(void **state)
{
    static const char *const files[] = { "etrecord/mobilenet.etdump.gz", "etrecord/broken_graph.etdump.gz",
                                         "etrecord/mobilenet_portable.etdump.gz" };

    (void)state;
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
        struct model model;
        struct potential_execution input = { .side = &model.side, .etrecord = "record" };

        load(&model, files[i], true);
        potential_free(&potential);
        assert_int_equal(potential_of_execution(&potential, &input), STATUS_OK);
        assert_int_equal(sum_of_items(), model.side.work);
        assert_int_equal(sum_of_parts(), model.side.execute);
        assert_int_equal(potential.whole, model.side.execute);
        for (size_t k = 0; k < potential.count; k++)
            assert_true(isnan(potential_reached(&potential.items[k])) ||
                        potential_reached(&potential.items[k]) <= 100 + 1e-9);
        for (size_t k = 0; k < potential.chance_count; k++)
            assert_true(potential.chances[k].saves <= potential_ns(&potential, potential.whole) * (1 + 1e-9));
        unload(&model);
    }
}

static void rates_are_those_of_the_operators(void **state)
{
    struct model model;
    struct potential_execution input = { .side = &model.side };
    double best = 0;

    (void)state;
    load(&model, "etrecord/mobilenet.etdump.gz", true);
    assert_int_equal(potential_of_execution(&potential, &input), STATUS_OK);
    for (size_t i = 0; i < model.side.sums.count; i++) {
        const struct operator_sum *sum = operators_at(&model.side, i);
        double gflops = operators_gflops(&model.side, sum);

        if (operators_is_work(sum) && operators_is_steady(&model.side, sum) && gflops > best)
            best = gflops;
    }
    assert_int_equal(potential.peak_count, 2);
    for (size_t i = 0; i < 2; i++)
        if (!potential.peaks[i].memory)
            assert_near(potential.peaks[i].rate, best * 1e9, 1);
    assert_true(has_note("best rates of this profile"));
    assert_true(has_note("have no shape in the record"));
    unload(&model);
}

static void given_rates_of_a_machine_are_the_roof(void **state)
{
    struct architecture machine = {
        .name = "machine", .peaks = { { "gb_s", "", 100 }, { "gflops", "int8", 400 }, { "gflops", "fp32", 200 } }
    };
    struct model model;
    struct potential_execution input = { .side = &model.side, .architecture = &machine, .architecture_file = "m.json" };

    (void)state;
    load(&model, "etrecord/mobilenet.etdump.gz", true);
    assert_int_equal(potential_of_execution(&potential, &input), STATUS_OK);
    for (size_t i = 0; i < potential.peak_count; i++) {
        assert_false(potential.peaks[i].observed);
        assert_near(potential.peaks[i].rate, potential.peaks[i].memory ? 100 : 200e9, 1e-3);
        assert_string_equal(potential.peaks[i].from, "m.json");
    }
    assert_false(has_note("best rates of this profile"));
    unload(&model);
}

static void without_a_record_times_are_still_told(void **state)
{
    struct model model;
    struct potential_execution input = { .side = &model.side };

    (void)state;
    load(&model, "etrecord/broken_graph.etdump.gz", false);
    assert_int_equal(potential_of_execution(&potential, &input), STATUS_OK);
    assert_int_equal(sum_of_items(), model.side.work);
    assert_int_equal(potential.peak_count, 0);
    assert_true(has_note("Without the ETRecord"));
    assert_true(potential.chance_count > 0); /* portable operators */
    unload(&model);
}

static void every_failed_allocation_of_an_execution_is_reported(void **state)
{
    struct model model;
    struct potential_execution input = { .side = &model.side };
    status code = STATUS_MEMORY;

    (void)state;
    load(&model, "etrecord/broken_graph.etdump.gz", true);
    for (uint64_t nth = 1; code != STATUS_OK; nth++) {
        potential_free(&potential);
        memory_fail_at(nth);
        code = potential_of_execution(&potential, &input);
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        assert_true(nth < 10000);
    }
    unload(&model);
}

/* ---- engines ---- */

struct engines {
    struct session session;
    struct busy busy;
    struct traffic traffic;
    struct metrics metrics;
};

static void read_engines(struct engines *engines, const char *name, const char *mlir)
{
    struct session_options options = { 0 };
    char path[512], program[512];
    struct tee tee = { 0 };
    struct feed feed;

    path_of(path, sizeof path, name);
    path_of(program, sizeof program, mlir ? mlir : "");
    settings_set(&options.settings, "mlir", mlir ? program : NULL);
    busy_start(&engines->busy);
    assert_int_equal(session_start(&engines->session, &options), STATUS_OK);
    traffic_start(&engines->traffic, engines->session.strings);
    assert_int_equal(tee_add(&tee, busy_sink(&engines->busy)), STATUS_OK);
    assert_int_equal(tee_add(&tee, traffic_sink(&engines->traffic)), STATUS_OK);
    feed_start(&feed, tee_sink(&tee), engines->session.strings);
    assert_int_equal(session_add(&engines->session, path, "x"), STATUS_OK);
    assert_int_equal(session_read(&engines->session, engines->session.profiles, &feed), STATUS_OK);
    assert_int_equal(busy_settle(&engines->busy), STATUS_OK);
    assert_int_equal(profile_metrics(engines->session.profiles, &engines->busy, NULL, &engines->metrics), STATUS_OK);
    feed_free(&feed);
    tee_free(&tee);
}

static struct potential_torq input_of(const struct engines *engines)
{
    const struct session *session = &engines->session;

    return (struct potential_torq){
        .busy = &engines->busy,
        .traffic = &engines->traffic,
        .metrics = &engines->metrics,
        .process = session->profiles[0].process,
        .strings = session->strings,
        .measured = session->profiles[0].reader->kind == READER_MEASURED,
        .program = torq_program(&session->profiles[0].source),
        .cycles = torq_cycles(&session->profiles[0].source),
    };
}

static void forget_engines(struct engines *engines)
{
    potential_free(&potential);
    traffic_free(&engines->traffic);
    busy_free(&engines->busy);
    session_end(&engines->session);
}

static const struct potential_chance *chance_about(const char *about)
{
    for (size_t i = 0; i < potential.chance_count; i++)
        if (potential.chances[i].about && strcmp(potential.chances[i].about, about) == 0)
            return &potential.chances[i];
    return NULL;
}

static void parts_of_every_torq_profile_add_up(void **state)
{
    static const char *const files[][2] = {
        { "torq-golden/c1.csv", NULL },
        { "torq-golden/c2.csv", NULL },
        { "torq-golden/c3.csv", NULL },
        { "torq-golden/c4.csv", NULL },
        { "torq-compile/odd.csv", NULL },
        { "torq-golden/executable_targets.mlir", NULL },
        { "torq-mlir/generic.mlir", NULL },
        { "torq-golden/runtime_r1.csv", NULL },
        { "torq-golden/runtime_r2.csv", "torq-golden/executable_targets.mlir" },
        { "torq-golden/runtime_r4.csv", "torq-golden/executable_targets.mlir" },
        { "torq-annotated/annotated_A4.csv", NULL },
    };

    (void)state;
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
        struct engines engines;
        struct potential_torq input;

        read_engines(&engines, files[i][0], files[i][1]);
        input = input_of(&engines);
        potential_free(&potential);
        assert_int_equal(potential_of_torq(&potential, &input), STATUS_OK);
        assert_int_equal(potential.whole, metrics_ticks(&engines.metrics, &metric_overall));
        assert_int_equal(sum_of_parts(), potential.whole);
        assert_true(potential.count > 0);
        for (size_t k = 0; k < potential.chance_count; k++)
            assert_true(potential.chances[k].saves <= potential_ns(&potential, potential.whole) * (1 + 1e-9));
        forget_engines(&engines);
    }
}

static void items_of_an_engine_add_up_to_its_time(void **state)
{
    struct engines engines;
    struct potential_torq input;
    int64_t slice = 0, in = 0;

    (void)state;
    read_engines(&engines, "torq-golden/c1.csv", NULL);
    input = input_of(&engines);
    assert_int_equal(potential_of_torq(&potential, &input), STATUS_OK);
    for (size_t i = 0; i < potential.count; i++) {
        slice += strcmp(potential.items[i].engine, "Slice 0") == 0 ? potential.items[i].ticks : 0;
        in += strcmp(potential.items[i].engine, "DMA In") == 0 ? potential.items[i].ticks : 0;
    }
    assert_int_equal(slice, metrics_ticks(&engines.metrics, &torq_metric_slice_0));
    assert_int_equal(in, metrics_ticks(&engines.metrics, &torq_metric_dma_in));
    assert_true(has_note("4 transfers have no bytes"));
    forget_engines(&engines);
}

static void transfers_that_are_not_hidden_are_told(void **state)
{
    struct engines engines;
    struct potential_torq input;
    const struct potential_chance *overlap, *slices;

    (void)state;
    read_engines(&engines, "torq-golden/executable_targets.mlir", NULL);
    input = input_of(&engines);
    assert_int_equal(potential_of_torq(&potential, &input), STATUS_OK);
    overlap = chance_about("transfers");
    slices = chance_about("slices");
    assert_non_null(overlap);
    assert_near(overlap->saves, (double)metrics_ns(&engines.metrics, &torq_metric_transfer_only), 1);
    assert_non_null(strstr(overlap->evidence, "DMA In 320ns of 960ns"));
    assert_non_null(slices);
    assert_near(slices->saves, 1440 - (1440 + 800) / 2.0, 1e-6);
    /* 512 B in 960 ns, 256 of them in 320 ns: 0.8 GB/s would take 640 ns. */
    assert_near(chance_about("DMA In")->saves, 320, 1e-6);
    forget_engines(&engines);
}

static void a_given_rate_of_an_engine_is_its_roof(void **state)
{
    struct architecture npu = { .name = "npu", .peaks = { { "gb_s", "dma_in", 12.8 }, { "gb_s", "cdma", 20 } } };
    struct engines engines;
    struct potential_torq input;

    (void)state;
    read_engines(&engines, "torq-golden/c2.csv", NULL);
    input = input_of(&engines);
    input.architecture = &npu;
    assert_int_equal(potential_of_torq(&potential, &input), STATUS_OK);
    for (size_t i = 0; i < potential.peak_count; i++) {
        bool given = strcmp(potential.peaks[i].name, "DMA Out") != 0;

        assert_int_equal(potential.peaks[i].observed, !given);
        if (given)
            assert_near(potential.peaks[i].rate, strcmp(potential.peaks[i].name, "DMA In") == 0 ? 12.8 : 20, 0);
    }
    assert_near(chance_about("DMA In")->saves, 640 - 4096 / 12.8, 1e-6);
    forget_engines(&engines);
}

static void measured_jobs_have_the_bytes_of_their_program(void **state)
{
    struct engines engines;
    struct potential_torq input;
    double bytes = 0, estimate;

    (void)state;
    read_engines(&engines, "torq-golden/runtime_r4.csv", "torq-golden/executable_targets.mlir");
    input = input_of(&engines);
    assert_int_equal(potential_of_torq(&potential, &input), STATUS_OK);
    for (size_t i = 0; i < potential.count; i++)
        bytes += isnan(potential.items[i].bytes) ? 0 : potential.items[i].bytes;
    assert_near(bytes, 1024, 0); /* what the dump's transfers add up to */
    estimate = chance_about("NSS Programs")->saves;
    assert_near(estimate, 706000 - 12425, 1);
    assert_non_null(chance_about("Host"));
    assert_non_null(chance_about("idle"));
    forget_engines(&engines);
}

/* ---- transfers by size ---- */

static void transfers_are_kept_by_size(void **state)
{
    struct traffic traffic;
    struct sink sink;
    struct track dma = { .id = 0, .parent = NO_ID, .kind = TRACK_SLICES, .engine = &torq_engine_dma_in };
    struct argument bytes = argument_integer(KEY_BYTES, 1024);
    struct slice slice = {
        .track = 0, .op = NO_ID, .run = NO_ID, .start = 10, .end = 20, .argument_count = 1, .arguments = &bytes
    };
    const struct traffic_engine *engine;

    (void)state;
    traffic_start(&traffic, pool);
    sink = traffic_sink(&traffic);
    assert_int_equal(sink.calls->track(sink.self, &dma), STATUS_OK);
    assert_int_equal(sink_slice(&sink, &slice), STATUS_OK);
    bytes.integer = 2047;
    assert_int_equal(sink_begin(&sink, 3, NO_ID, &slice), STATUS_OK);
    assert_int_equal(sink_end(&sink, 3, 5), STATUS_OK); /* ends before it starts */
    bytes.integer = INT64_MAX;
    assert_int_equal(sink_slice(&sink, &slice), STATUS_OK);
    bytes.integer = 0;
    assert_int_equal(sink_slice(&sink, &slice), STATUS_OK);
    slice.argument_count = 0;
    assert_int_equal(sink_slice(&sink, &slice), STATUS_OK);
    engine = traffic_of_track(&traffic, 0);
    assert_non_null(engine);
    assert_null(traffic_of_track(&traffic, 1));
    assert_int_equal(engine->sizes[10].count, 2);
    assert_int_equal(engine->sizes[10].bytes, 1024 + 2047);
    assert_int_equal(engine->sizes[10].ticks, 10);
    assert_int_equal(engine->sizes[62].count, 1);
    assert_int_equal(engine->unsized, 2);
    traffic_free(&traffic);
}

static void jobs_are_kept_by_what_they_are(void **state)
{
    struct traffic traffic;
    struct sink sink;
    struct track jobs = { .id = 0, .parent = NO_ID, .kind = TRACK_SLICES, .engine = &torq_engine_job };
    struct argument arguments[2];
    struct slice slice = {
        .track = 0, .op = NO_ID, .run = NO_ID, .start = 0, .end = 7, .argument_count = 2, .arguments = arguments
    };
    struct torq_keys keys;
    uint64_t runs = 0;

    (void)state;
    assert_int_equal(torq_keys_start(&keys, pool), STATUS_OK);
    arguments[0] = argument_integer(keys.start_action, 1);
    arguments[1] = argument_integer(keys.wait_action, 2);
    traffic_start(&traffic, pool);
    sink = traffic_sink(&traffic);
    assert_int_equal(sink.calls->track(sink.self, &jobs), STATUS_OK);
    for (int i = 0; i < 3000; i++) {
        arguments[0].integer = i % 1000;
        assert_int_equal(sink_slice(&sink, &slice), STATUS_OK);
    }
    assert_int_equal(traffic.jobs.count, 1000);
    for (size_t i = 0; i < traffic.jobs.count; i++) {
        runs += traffic_job(&traffic, i)->count;
        assert_int_equal(traffic_job(&traffic, i)->ticks, 21);
    }
    assert_int_equal(runs, 3000);
    traffic_free(&traffic);
}

/* ---- for a person ---- */

static void the_text_says_what_is_first_and_what_is_not_known(void **state)
{
    struct model model;
    struct potential_execution input = { .side = &model.side };
    const struct potential_title title = { "net\x1b[2J", "It takes long." };
    const struct printer_style style = { .width = 80 };
    struct output *output;
    const char *text;
    size_t length;

    (void)state;
    load(&model, "etrecord/mobilenet.etdump.gz", true);
    assert_int_equal(potential_of_execution(&potential, &input), STATUS_OK);
    assert_int_equal(output_open_memory(&output), STATUS_OK);
    assert_int_equal(potential_write_text(output, &potential, &title, &style, true), STATUS_OK);
    text = output_memory(output, &length);
    assert_non_null(text);
    assert_null(strchr(text, '\x1b'));
    assert_non_null(strstr(text, "What to do first"));
    assert_non_null(strstr(text, "= Method::execute"));
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        assert_true(format_width(line, strcspn(line, "\n")) <= 80);
    output_abandon(output);
    unload(&model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(given_peaks_place_items, set_up, tear_down),
        cmocka_unit_test_setup_teardown(peaks_that_nobody_gave_are_the_best_of_the_profile, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_peak_that_nothing_reached_stays_unknown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(chances_go_by_what_they_save, set_up, tear_down),
        cmocka_unit_test_setup_teardown(running_out_of_memory_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(operators_add_up_to_the_inference, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rates_are_those_of_the_operators, set_up, tear_down),
        cmocka_unit_test_setup_teardown(given_rates_of_a_machine_are_the_roof, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_a_record_times_are_still_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_failed_allocation_of_an_execution_is_reported, set_up, tear_down),
        cmocka_unit_test_setup_teardown(parts_of_every_torq_profile_add_up, set_up, tear_down),
        cmocka_unit_test_setup_teardown(items_of_an_engine_add_up_to_its_time, set_up, tear_down),
        cmocka_unit_test_setup_teardown(transfers_that_are_not_hidden_are_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_given_rate_of_an_engine_is_its_roof, set_up, tear_down),
        cmocka_unit_test_setup_teardown(measured_jobs_have_the_bytes_of_their_program, set_up, tear_down),
        cmocka_unit_test_setup_teardown(transfers_are_kept_by_size, set_up, tear_down),
        cmocka_unit_test_setup_teardown(jobs_are_kept_by_what_they_are, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_text_says_what_is_first_and_what_is_not_known, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
