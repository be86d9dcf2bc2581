#include "trace/model.h"

#include <assert.h>

struct engine_row {
    const char *key;
    const char *title;
    enum engine_group group;
};

static const struct engine_row engine_rows[] = {
#define X(name, key, title, group) { key, title, GROUP_##group },
    ENGINE_MAP(X)
#undef X
};

const char *engine_key(enum engine engine)
{
    assert(engine < ENGINE_COUNT);
    return engine_rows[engine].key;
}

const char *engine_title(enum engine engine)
{
    assert(engine < ENGINE_COUNT);
    return engine_rows[engine].title;
}

enum engine_group engine_group(enum engine engine)
{
    assert(engine < ENGINE_COUNT);
    return engine_rows[engine].group;
}

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
