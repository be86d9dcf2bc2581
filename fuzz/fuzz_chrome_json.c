/* fuzz_chrome_json.c: trace events of no known writer, and with a producer whose rules have every role. */
#include "check_sink.h"
#include "read/chrome.h"

static const struct producer_rule rules[] = {
    { NULL, "step*", NULL, NULL, ROLE_RUN, &engine_frame },
    { "op", NULL, NULL, NULL, ROLE_OPERATOR, NULL },
    { "fn", "module *", NULL, NULL, ROLE_SCOPE, &engine_sum },
    { "fn", NULL, NULL, NULL, ROLE_SOURCE, &engine_sum },
    { "call", "wait*", NULL, NULL, ROLE_WAIT, &engine_custom },
    { "call", NULL, NULL, NULL, ROLE_LAUNCH, &engine_custom },
    { NULL, NULL, NULL, "link", ROLE_WORK, &engine_device },
    { NULL, NULL, "stream*", NULL, ROLE_WORK, &engine_unknown },
    { NULL, NULL, NULL, NULL, ROLE_END, NULL },
};

static const struct producer_counter told_counters[] = {
    { "[mem*", "total", "device", "Memory of", "B" },
    { NULL, NULL, NULL, NULL, NULL },
};

static const struct producer producer = {
    .title = "fuzz",
    .rules = rules,
    .correlation = "link",
    .run_number = "step#",
    .op = { .key = "op", .behind = "_op" },
    .scope = { .before = "module " },
    .type = "type",
    .module = "module",
    .place = "place",
    .shapes = "dims",
    .backward = "back",
    .counters = told_counters,
};

static status read_produced(struct source *source, struct feed *feed)
{
    return chrome_read(source, feed, &producer);
}

static void check(const uint8_t *data, size_t size, struct strings *strings)
{
    struct reader produced = chrome_json_reader;

    produced.read = read_produced;
    check_reader(&chrome_json_reader, data, size, NULL, NULL, strings);
    check_reader(&produced, data, size, NULL, NULL, strings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return check_input(data, size, check);
}
