/* fuzz_tt_device.c: the reader of Tenstorrent's device logs, the default analyses, and the files made of them. */
#include "check_sink.h"
#include "tenstorrent/chain.h"
#include "tenstorrent/device_analysis.h"
#include "tenstorrent/original/device_files.h"

/* One of the files, by the size of the input. */
static status write_one(struct output *output, size_t which, const struct device_results *results)
{
    struct device_json_options options = { .folder = "", .port = 8050 };

    switch (which % 4) {
    case 0:
        return device_analysis_write(output, results, &options);
    case 1:
        return device_chrome_write(output, results->log);
    case 2:
        return device_rearranged_write(output, results->log);
    default:
        device_stats_write(output, results);
        return STATUS_OK;
    }
}

static void analyse(const uint8_t *data, size_t size, struct strings *strings)
{
    struct source source = { .path = "fuzz" };
    struct device_results results = { .chips = NULL };
    struct device_setup setup = { .name = "" };
    struct output *output = NULL;
    struct marker_log log;
    status code = input_open_memory("fuzz", data, size, &source.input);

    marker_log_start(&log, strings);
    if (code == STATUS_OK)
        code = tenstorrent_calls(&tt_device_reader)->markers(&source, &log);
    if (code == STATUS_OK)
        code = device_setup_named(&setup, "default_setup", &log);
    if (code == STATUS_OK)
        code = device_analyze(&results, &log, &setup, false);
    if (code == STATUS_OK)
        code = output_open_memory(&output);
    if (code == STATUS_OK)
        code = write_one(output, size, &results);
    output_abandon(output);
    device_results_free(&results);
    device_setup_free(&setup);
    marker_log_free(&log);
    input_close(source.input);
}

static void check(const uint8_t *data, size_t size, struct strings *strings)
{
    if (check_takes(data, size, 0, 2))
        check_reader(&tt_device_reader, data, size, NULL, NULL, strings);
    if (check_takes(data, size, 1, 2))
        analyse(data, size, strings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return check_input(data, size, check);
}
