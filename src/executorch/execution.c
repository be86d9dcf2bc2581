/* execution.c: the runs, operators and events of a launch, as readers fill them in. */
#include "executorch/execution.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

static const char *const kind_keys[] = {
#define X(name, key) key,
    EVENT_KIND_MAP(X)
#undef X
};

const char *event_kind_key(enum event_kind kind)
{
    assert((size_t)kind < sizeof kind_keys / sizeof *kind_keys);
    return kind_keys[kind];
}

/* ---- Names ---- */

enum event_kind event_kind_of_name(struct text name)
{
    static const struct {
        const char *name;
        enum event_kind kind;
    } known[] = {
        { "Method::execute", EVENT_EXECUTE }, { "Method::init", EVENT_LOAD },  { "Program::load_method", EVENT_LOAD },
        { "DELEGATE_CALL", EVENT_CALL },      { "OPERATOR_CALL", EVENT_CALL }, { "JF_CALL", EVENT_CONTROL },
        { "MOVE_CALL", EVENT_CONTROL },       { "FREE_CALL", EVENT_CONTROL },
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (text_is(name, known[i].name))
            return known[i].kind;
    }
    return text_begins(name, "Method::") || text_begins(name, "Program::") ? EVENT_CONTROL : EVENT_PORTABLE;
}

struct text operator_type_of_name(struct text name)
{
    while (name.length > 0 && (*name.data == ' ' || *name.data == '"')) {
        name.data++;
        name.length--;
    }
    while (name.length > 0 && (name.data[name.length - 1] == ' ' || name.data[name.length - 1] == '"'))
        name.length--;
    for (size_t i = name.length; i >= 2; i--) {
        if (name.data[i - 2] == ' ' && name.data[i - 1] == '#') {
            name.length = i - 2;
            break;
        }
    }
    return name;
}

bool backend_is_portable(struct text backend)
{
    return !backend.length || text_is_any_case(backend, "portable");
}

/* ---- Filling ---- */

void execution_start(struct execution *execution, struct strings *strings)
{
    *execution = (struct execution){ .strings = strings, .clock = { .numerator = 1, .denominator = 1 } };
    column_start(&execution->operators, sizeof(struct execution_operator));
    column_start(&execution->runs, sizeof(struct execution_run));
    column_start(&execution->events, sizeof(struct execution_event));
    column_start(&execution->allocators, sizeof(struct execution_allocator));
    column_start(&execution->values, sizeof(struct execution_value));
}

void execution_free(struct execution *execution)
{
    column_free(&execution->operators);
    column_free(&execution->runs);
    column_free(&execution->events);
    column_free(&execution->allocators);
    column_free(&execution->values);
    memory_free(execution->order);
    map_free(&execution->by_key);
    memory_free(execution->run_counts);
    execution->order = NULL;
    execution->run_counts = NULL;
    execution->run_count_capacity = 0;
}

status execution_add_run(struct execution *execution, string_id block, int32_t bundled_input, uint32_t *run)
{
    size_t had = execution->run_count_capacity;
    struct execution_run *made;
    status code = memory_grow(&execution->run_counts, &execution->run_count_capacity, (size_t)block + 1,
                              sizeof *execution->run_counts);

    assert(block < strings_count(execution->strings));
    assert(!execution->order && "a settled execution does not grow");
    if (code != STATUS_OK)
        return code;
    if (execution->run_count_capacity > had)
        memset(execution->run_counts + had, 0, (execution->run_count_capacity - had) * sizeof *execution->run_counts);
    made = execution->runs.count < NO_ID ? column_append(&execution->runs) : NULL;
    if (!made)
        return status_no_memory("keeping runs");
    *made = (struct execution_run){ .block = block, .bundled_input = bundled_input, .execute = -1 };
    made->index = execution->run_counts[block]++;
    *run = (uint32_t)(execution->runs.count - 1);
    return STATUS_OK;
}

struct execution_operator execution_key(string_id block, string_id name, enum event_kind kind)
{
    return (struct execution_operator){
        .name = name,
        .block = block,
        .kind = kind,
        .chain = -1,
        .instruction = -1,
        .delegate_id = -1,
        .node = NO_ID,
    };
}

static bool same_key(const struct execution_operator *one, const struct execution_operator *other)
{
    return one->name == other->name && one->block == other->block && one->kind == other->kind &&
           one->chain == other->chain && one->instruction == other->instruction &&
           one->delegate_id == other->delegate_id && one->occurrence == other->occurrence;
}

static uint64_t hash_key(const struct execution_operator *key)
{
    uint64_t hash = map_mix((uint64_t)key->kind, (uint64_t)key->name << 32 | key->block);

    hash = map_mix(hash, (uint64_t)(uint32_t)key->chain << 32 | (uint32_t)key->instruction);
    return map_mix(map_mix(hash, (uint64_t)key->delegate_id), key->occurrence);
}

static status make_operator(struct execution *execution, const struct execution_operator *key, uint32_t *op)
{
    struct execution_operator *made =
        execution->operators.count < NO_ID - 1 ? column_append(&execution->operators) : NULL;
    status code = STATUS_OK;

    if (!made)
        return status_no_memory("keeping operators");
    *made = *key;
    made->join = JOIN_NONE;
    made->node = made->parent = made->call = made->place = NO_ID;
    made->events = 0;
    made->total = made->self_total = 0;
    if (!made->type) {
        struct text type = operator_type_of_name(strings_get(execution->strings, made->name));

        code = strings_add(execution->strings, type.data, type.length, &made->type);
    }
    *op = (uint32_t)(execution->operators.count - 1);
    return code;
}

status execution_operator(struct execution *execution, const struct execution_operator *key, uint32_t *op)
{
    uint64_t hash = hash_key(key);
    size_t cursor;
    status code;

    assert(key->name < strings_count(execution->strings) && key->node == NO_ID);
    for (*op = map_first(&execution->by_key, hash, &cursor); *op != MAP_NONE;
         *op = map_next(&execution->by_key, hash, &cursor)) {
        if (same_key(execution_operator_at(execution, *op), key))
            return STATUS_OK;
    }
    code = make_operator(execution, key, op);
    return code == STATUS_OK ? map_add(&execution->by_key, hash, *op) : code;
}

status execution_add_event(struct execution *execution, uint32_t op, uint32_t run, int64_t start, int64_t duration,
                           uint32_t *event)
{
    struct execution_event *made = execution->events.count < NO_ID ? column_append(&execution->events) : NULL;

    assert(op < execution->operators.count);
    assert(run < execution->runs.count && start >= 0 && duration >= 0);
    assert(!execution->order && "a settled execution does not grow");
    if (!made)
        return status_no_memory("keeping events");
    *made = (struct execution_event){
        .start = start,
        .duration = duration,
        .op = op,
        .run = run,
        .parent = NO_ID,
    };
    if (event)
        *event = (uint32_t)(execution->events.count - 1);
    return STATUS_OK;
}

uint32_t execution_inferences(const struct execution *execution)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < execution->runs.count; i++)
        count += execution_run_at(execution, i)->execute >= 0;
    return count;
}
