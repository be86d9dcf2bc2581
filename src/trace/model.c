/* model.c: the engines of the core. */
#include "trace/model.h"

#include <assert.h>

const struct engine engine_unknown = { .key = "unknown", .title = "Unknown", .order = 26, .group = GROUP_BOOKKEEPING };
const struct engine engine_estimate = { .key = "estimate", .title = "Estimate", .order = 27, .group = GROUP_DRAWN };
const struct engine engine_overview = {
    .key = "overview", .title = "Overview", .order = 28, .group = GROUP_DRAWN, .few = true
};
const struct engine engine_operators = {
    .key = "operator", .title = "Operators", .order = 29, .group = GROUP_DRAWN, .few = true
};
const struct engine engine_counter = { .key = "counter", .title = "Counters", .order = 30, .group = GROUP_DRAWN };
const struct engine engine_custom = { .key = "custom", .title = "Custom", .order = 31, .group = GROUP_CUSTOM };

struct argument_row {
    const char *name;
    bool shown;
};

static const struct argument_row argument_rows[] = {
#define X(name, key, shown) { key, shown },
    ARGUMENT_MAP(X)
#undef X
};

const char *argument_name(enum argument_key key)
{
    assert(key < ARGUMENT_COUNT);
    return argument_rows[key].name;
}

bool argument_shown(enum argument_key key)
{
    assert(key < ARGUMENT_COUNT);
    return argument_rows[key].shown;
}
