/* model.c: the engines of the core. */
#include "trace/model.h"

#include <assert.h>

const struct engine engine_thread = {
    .key = "thread", .title = "Thread", .order = 20, .group = GROUP_HOST, .nested = true
};
const struct engine engine_device = { .key = "device", .title = "Device", .order = 21, .group = GROUP_JOB };
const struct engine engine_span = {
    .key = "span",
    .title = "Span",
    .order = 22,
    .group = GROUP_BOOKKEEPING,
    .description = "what began on one thread and may have ended on another",
};
const struct engine engine_sum = {
    .key = "sum",
    .title = "Sums",
    .order = 23,
    .group = GROUP_BOOKKEEPING,
    .description = "many short zones as one slice, as long as they were together",
};
const struct engine engine_frame = {
    .key = "frame",
    .title = "Frames",
    .order = 24,
    .group = GROUP_ENVELOPE,
    .description = "from one mark of the program to the next",
};
const struct engine engine_unknown = {
    .key = "unknown",
    .title = "Unknown",
    .order = 26,
    .group = GROUP_BOOKKEEPING,
    .description = "events of no known kind",
};
const struct engine engine_estimate = {
    .key = "estimate",
    .title = "Estimate",
    .order = 27,
    .group = GROUP_DRAWN,
    .description = "what the compiler expected, beside what was measured",
};
const struct engine engine_overview = {
    .key = "overview",
    .title = "Overview",
    .order = 28,
    .group = GROUP_DRAWN,
    .few = true,
    .description = "one slice for each sum over the input, as long as its time; only the lengths mean something",
};
const struct engine engine_operators = {
    .key = "operator",
    .title = "Operators",
    .order = 29,
    .group = GROUP_DRAWN,
    .few = true,
    .description = "a line for each operator of the model with its time, the longest first",
};
const struct engine engine_counter = { .key = "counter", .title = "Counters", .order = 30, .group = GROUP_DRAWN };
const struct engine engine_flight = { .key = "in_flight", .title = "In flight", .order = 30, .group = GROUP_DRAWN };
const struct engine engine_custom = { .key = "custom", .title = "Custom", .order = 31, .group = GROUP_CUSTOM };

const struct engine *const core_engines[] = { &engine_thread,
                                              &engine_device,
                                              &engine_span,
                                              &engine_sum,
                                              &engine_frame,
                                              &engine_unknown,
                                              &engine_estimate,
                                              &engine_overview,
                                              &engine_operators,
                                              &engine_counter,
                                              &engine_flight,
                                              &engine_custom,
                                              NULL };

struct strings *model_strings(void)
{
    static const char *const keys[] = {
#define X(name, key) key,
        KEY_MAP(X)
#undef X
    };
    struct strings *strings = strings_new();

    for (size_t i = 0; strings && i < sizeof keys / sizeof *keys; i++) {
        string_id id;

        if (strings_add_text(strings, keys[i], &id) != STATUS_OK) {
            strings_free(strings);
            return NULL;
        }
        assert(id == i + 1);
    }
    return strings;
}

const struct argument_key argument_keys[] = {
    { "bytes", "Bytes", "B", "moved by it", 1 },
    { "id", "Id", NULL, "number that the log gives it", 2 },
    { "kernel", "Kernel", NULL, "code that ran", 11 },
    { "location", "Location", NULL, "of its operator in the source, as the tool chain printed it", 0 },
    { "operator", "Operator", NULL, "that it works for", 0 },
    { "note", "Note", NULL, "what a person should know of it", 13 },
    { "run", "Run", NULL, "number of the inference", 14 },
    { "module", "Module", NULL, "part of the model that it belongs to", 16 },
    { "op", "Op", NULL, "type of its operator", 17 },
    { "macs", "MACs", NULL, "multiply-accumulates", 18 },
    { 0 },
};

const struct argument *argument_find(const struct argument *arguments, uint32_t count, string_id key)
{
    assert(arguments || !count);
    for (uint32_t i = 0; i < count; i++)
        if (arguments[i].key == key)
            return &arguments[i];
    return NULL;
}

int64_t slice_bytes(const struct slice *slice)
{
    const struct argument *bytes = argument_find(slice->arguments, slice->argument_count, KEY_BYTES);
    bool number = bytes && (bytes->type == ARGUMENT_INTEGER || bytes->type == ARGUMENT_UNSIGNED);

    return number && bytes->integer > 0 ? bytes->integer : 0;
}
