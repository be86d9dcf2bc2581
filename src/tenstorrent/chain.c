/* chain.c: what Tenstorrent's tool chain is made of, registered. */
#include "tenstorrent/chain.h"

#include <assert.h>

#include "tenstorrent/advice_model.h"
#include "tenstorrent/chips.h"

const struct engine tenstorrent_engine_host = { .key = "host", .title = "Host", .order = 4, .group = GROUP_HOST };
const struct engine tenstorrent_engine_call = { .key = "call", .title = "Calls", .order = 15, .group = GROUP_ENVELOPE };
const struct engine tenstorrent_engine_operation = {
    .key = "operation",
    .title = "Device",
    .order = 18,
    .group = GROUP_COMPUTE,
    .description = "operations on the device, by its own clock",
};
const struct engine tenstorrent_engine_signpost = {
    .key = "signpost",
    .title = "Signposts",
    .order = 19,
    .group = GROUP_ENVELOPE,
    .description = "marks that the program set",
};
const struct engine tenstorrent_engine_risc = { .key = "risc", .title = "RISC", .order = 23, .group = GROUP_COMPUTE };
const struct engine tenstorrent_engine_device_op = {
    .key = "device_op",
    .title = "Ops",
    .order = 24,
    .group = GROUP_ENVELOPE,
    .description = "operations, from the first core that began to the last that ended",
};

/* ---- Metrics ------------------------------------------------------------------------------------------------------ */

static const struct metric operations = {
    .key = "operations",
    .label = "Operations",
    .description = "an operation running on some device",
    .some = { .engines = { &tenstorrent_engine_operation } },
};
static const struct metric cores = {
    .key = "cores",
    .label = "Cores",
    .description = "firmware or a kernel running on some core",
    .some = { .engines = { &tenstorrent_engine_risc } },
};
static const struct metric host = {
    .key = "host",
    .label = "Host",
    .description = "calls on the host",
    .some = { .engines = { &tenstorrent_engine_host } },
};

static const struct metric *const metric_rows[] = { &metric_overall, &operations, &cores, &metric_idle, &host, NULL };

static const struct overview_line lines[] = {
    { "00 OVERVIEW OPERATIONS", "Operations on a device", &operations },
    { "01 OVERVIEW CORES", "Some core at work", &cores },
    { "02 OVERVIEW HOST", "Host calls", &host },
    { "03 OVERVIEW IDLE", "IDLE", &metric_idle },
    { "04 OVERALL", "OVERALL", &metric_overall },
    { 0 },
};

const struct metric_set tenstorrent_metrics = { .rows = metric_rows, .lines = lines, .known_lines = true };

/* ---- Arguments ---------------------------------------------------------------------------------------------------- */

/* In the order of struct tenstorrent_keys. */
static const struct argument_key arguments[] = {
    { "data", "Data", NULL, "that a marker carries", 19 },
    { "cycles", "Cycles", NULL, "that a sum counted", 20 },
    { "run_host_id", "Run host id", NULL, "number of the program as the host counts", 21 },
    { "trace_id", "Trace id", NULL, "trace that is replayed", 22 },
    { "trace_replay", "Trace replay", NULL, "which replay of the trace", 23 },
    { "cores", "Cores", NULL, "that the operation used", 24 },
    { "fidelity", "Fidelity", NULL, "of the arithmetic", 25 },
    { "call", "Call", NULL, "number of the call", 26 },
    { "kernel_ns", "Kernel", "ns", "duration of the kernel on the device", 27 },
    { 0 },
};

status tenstorrent_keys_start(struct tenstorrent_keys *keys, struct strings *strings)
{
    string_id *const places[] = { &keys->data,  &keys->cycles,   &keys->host_id, &keys->trace,    &keys->replay,
                                  &keys->cores, &keys->fidelity, &keys->call,    &keys->kernel_ns };
    status code = STATUS_OK;

    assert(strings);
    _Static_assert(sizeof places / sizeof *places + 1 == sizeof arguments / sizeof *arguments, "a place for each key");
    for (size_t i = 0; i < sizeof places / sizeof *places && code == STATUS_OK; i++)
        code = strings_add_text(strings, arguments[i].name, places[i]);
    return code;
}

/* ---- The chain ---------------------------------------------------------------------------------------------------- */

const struct tenstorrent_calls *tenstorrent_calls(const struct reader *reader)
{
    static const struct tenstorrent_calls none;

    return reader->chain == &tenstorrent_chain && reader->own ? reader->own : &none;
}

static const struct reader *const readers[] = {
    &tt_ops_csv_reader, &tt_ops_folder_reader, &tt_tracy_ops_reader, &tt_device_reader, NULL,
};
static const struct engine *const engines[] = {
    &tenstorrent_engine_host,
    &tenstorrent_engine_call,
    &tenstorrent_engine_operation,
    &tenstorrent_engine_signpost,
    &tenstorrent_engine_risc,
    &tenstorrent_engine_device_op,
    NULL,
};
static const struct loss_reason *const losses[] = { NULL };
static const struct stranger strangers[] = {
    { .ends = ".tracy",
      .what = "a capture of Tracy",
      .instead = "give the folder .logs that holds tracy_ops_times.csv and tracy_ops_data.csv" },
    { 0 },
};
static const struct chain_option options[] = {
    { "ops-report", "FILE", "report of operations: names of a device log's ops" },
    { 0 },
};
static const struct verb *const verbs[] = { &device_verb, &ops_verb, &profile_this_verb, NULL };
static const struct advice_rules *const advice[] = { &tenstorrent_op_rules, NULL };
static const struct verb_part *const parts[] = { &tenstorrent_advise_part, NULL };

const struct chain tenstorrent_chain = {
    .id = "tenstorrent",
    .title = "Tenstorrent",
    .readers = readers,
    .engines = engines,
    .arguments = arguments,
    .losses = losses,
    .metrics = &tenstorrent_metrics,
    .architectures = &tenstorrent_architectures,
    .strangers = strangers,
    .options = options,
    .rules = advice,
    .verbs = verbs,
    .parts = parts,
};
