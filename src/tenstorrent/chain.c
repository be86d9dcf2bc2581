/* chain.c: what Tenstorrent's tool chain is made of, registered. */
#include "tenstorrent/chain.h"

const struct engine tenstorrent_engine_host = { .key = "host", .title = "Host", .order = 4, .group = GROUP_HOST };
const struct engine tenstorrent_engine_call = { .key = "call", .title = "Calls", .order = 15, .group = GROUP_ENVELOPE };
const struct engine tenstorrent_engine_operation = {
    .key = "operation", .title = "Device", .order = 18, .group = GROUP_COMPUTE
};
const struct engine tenstorrent_engine_signpost = {
    .key = "signpost", .title = "Signposts", .order = 19, .group = GROUP_ENVELOPE
};
const struct engine tenstorrent_engine_risc = { .key = "risc", .title = "RISC", .order = 23, .group = GROUP_COMPUTE };
const struct engine tenstorrent_engine_device_op = {
    .key = "device_op", .title = "Ops", .order = 24, .group = GROUP_ENVELOPE
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
