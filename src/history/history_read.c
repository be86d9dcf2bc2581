/* history_read.c: what is asked of a store: series of a number, launches of builds, what is old. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/number.h"
#include "history/history_profiles.h"
#include "read/chain.h"

/* Columns of a launch, and of what belongs to one. */
enum {
    LAUNCH_NAME = 2,
    LAUNCH_MEDIAN,
    LAUNCH_WHOLE,
    LAUNCH_DEVICE,
    LAUNCH_HOST,
    LAUNCH_IDLE,
    LAUNCH_OUTSIDE,
    LAUNCH_DEVICE_OUTSIDE,
    LAUNCH_COMPUTES_ON,
    LAUNCH_OPERATORS,
    PART_NS = 4,
    COUNTER_VALUE = 3,
    TIME_OWN = 5,
    TIME_DEVICE
};

/* ---- a series ----------------------------------------------------------------------------------------------------------------- */

/* Where the number of a launch stands. */
struct number_source {
    const char *metric;          /* as it is asked for; NULL: a part, by its key */
    enum history_table_id table; /* in whose rows */
    size_t column;               /* of these */
    double unit;                 /* ns that 1 is */
    bool counted;                /* it has no luck */
};

static const struct number_source sources[] = {
    { "run", TABLE_LAUNCH, LAUNCH_MEDIAN, 1e6, false },
    { "step", TABLE_LAUNCH, LAUNCH_MEDIAN, 1e6, false },
    { "device", TABLE_LAUNCH, LAUNCH_DEVICE, 1, false },
    { "host", TABLE_LAUNCH, LAUNCH_HOST, 1, false },
    { "idle", TABLE_LAUNCH, LAUNCH_IDLE, 1, false },
    { "operators", TABLE_LAUNCH, LAUNCH_OPERATORS, 1, true },
#define X(name, key) { key, TABLE_COUNTER, COUNTER_VALUE, 1, true },
    COMPARE_COUNTER_MAP(X)
#undef X
        { NULL, TABLE_PART, PART_NS, 1, false },
};

/* What several operators of one name take together. */
static const struct number_source of_operator = { NULL, TABLE_OPERATOR_TIME, TIME_OWN, 1, false };
static const struct number_source of_operator_device = { NULL, TABLE_OPERATOR_TIME, TIME_DEVICE, 1, false };

static const struct number_source *source_of(const char *metric)
{
    const struct number_source *source = sources;

    while (source->metric && strcmp(source->metric, metric) != 0)
        source++;
    return source;
}

bool history_is_count(const char *metric)
{
    return source_of(metric)->counted;
}

static status copy_text(struct text text, char **to)
{
    *to = memory_allocate(text.length + 1);
    if (!*to)
        return status_no_memory("reading a history");
    text_copy(*to, text.length + 1, text);
    return STATUS_OK;
}

static status add_build(struct history_series *series, struct text name, struct text commit, int64_t added)
{
    size_t at = series->count, room = series->capacity, rooms[] = { room, room, room, room, room };
    status code = memory_grow_clear(&series->builds, &rooms[0], at + 1, sizeof *series->builds);

    if (code == STATUS_OK)
        code = memory_grow_clear(&series->values, &rooms[1], at + 1, sizeof *series->values);
    if (code == STATUS_OK)
        code = memory_grow_clear(&series->names, &rooms[2], at + 1, sizeof *series->names);
    if (code == STATUS_OK)
        code = memory_grow_clear(&series->commits, &rooms[3], at + 1, sizeof *series->commits);
    if (code == STATUS_OK)
        code = memory_grow_clear(&series->added, &rooms[4], at + 1, sizeof *series->added);
    if (code != STATUS_OK)
        return code;
    series->capacity = rooms[4];
    series->added[at] = added;
    series->count++;
    code = copy_text(name, &series->names[at]);
    return code == STATUS_OK ? copy_text(commit, &series->commits[at]) : code;
}

static status add_device(struct history_series *series, struct text device)
{
    status code;

    if (!device.length) /* one that is not known is not another one */
        return STATUS_OK;
    for (size_t i = 0; i < series->device_count; i++)
        if (text_is(device, series->devices[i]))
            return STATUS_OK;
    code = memory_grow(&series->devices, &series->device_capacity, series->device_count + 1, sizeof *series->devices);
    if (code == STATUS_OK)
        code = copy_text(device, &series->devices[series->device_count]);
    series->device_count += code == STATUS_OK;
    return code;
}

/* Numbers of launches, as they come: by profile. */
struct numbers {
    const struct history_profiles *profiles; /* that were asked for */
    const struct number_source *source;      /* of the numbers */
    size_t cursor;                           /* profile that the last one is of */
    int64_t profile, launch;                 /* the same, and its launch; where there is one */
    double *items;                           /* in ns; owned */
    size_t count, capacity;                  /* of items */
    size_t *ends;                            /* by profile: where its numbers end; owned */
};

/* Rows of one launch are one number: of operators the sum, of parts the largest. */
static status take_number(void *context, const struct history_value *values)
{
    struct numbers *numbers = context;
    int64_t profile = history_integer_at(&values[0]), launch = history_integer_at(&values[1]);
    size_t at = history_profiles_find(numbers->profiles, profile, &numbers->cursor);
    double number = history_decimal_at(&values[numbers->source->column]) * numbers->source->unit;
    bool again = numbers->count && numbers->profile == profile && numbers->launch == launch;
    status code;

    if (at == SIZE_MAX || isnan(number))
        return STATUS_OK;
    if (again) {
        double *last = &numbers->items[numbers->count - 1];

        *last = numbers->source->table == TABLE_OPERATOR_TIME ? *last + number : fmax(*last, number);
        return STATUS_OK;
    }
    code = memory_grow(&numbers->items, &numbers->capacity, numbers->count + 1, sizeof *numbers->items);
    if (code != STATUS_OK)
        return code;
    numbers->items[numbers->count++] = number;
    numbers->ends[at] = numbers->count;
    numbers->profile = profile;
    numbers->launch = launch;
    return STATUS_OK;
}

static status add_numbers(struct history_series *series, const double *items, size_t count)
{
    struct build_launches *build = &series->builds[series->count - 1];
    double *grown = memory_resize(series->values[series->count - 1], (build->count + count + 1) * sizeof *grown);

    if (!grown)
        return status_no_memory("reading a history");
    memcpy(grown + build->count, items, count * sizeof *items);
    build->count += count;
    build->medians = series->values[series->count - 1] = grown;
    return STATUS_OK;
}

/* In the order of builds, which lie behind each other. */
static status make_series(const struct numbers *numbers, struct history_series *series)
{
    const struct history_profiles *profiles = numbers->profiles;
    status code = STATUS_OK;

    for (size_t i = 0; i < profiles->count && code == STATUS_OK; i++) {
        size_t at = profiles->order[i], start = at ? numbers->ends[at - 1] : 0;
        const struct history_row *row = &profiles->items[at];
        const struct history_row *last = i ? &profiles->items[profiles->order[i - 1]] : NULL;

        code = add_device(series, strings_get(profiles->strings, row->device));
        if (code == STATUS_OK && (!last || last->build != row->build))
            code = add_build(series, strings_get(profiles->strings, row->build),
                             strings_get(profiles->strings, row->commit), row->first);
        if (code == STATUS_OK && numbers->ends[at] > start)
            code = add_numbers(series, numbers->items + start, numbers->ends[at] - start);
    }
    return code;
}

static status read_numbers(const struct history *history, const char *name, struct numbers *numbers)
{
    const struct history_request request = history_profiles_request(numbers->profiles, numbers->source->table, name);
    status code;

    numbers->ends = memory_allocate_clear((numbers->profiles->count + 1) * sizeof *numbers->ends);
    if (!numbers->ends)
        return status_no_memory("reading a history");
    code = history->calls->read(history->self, &request, take_number, numbers);
    for (size_t i = 1; i < numbers->profiles->count; i++) /* one without a number ends where it starts */
        if (!numbers->ends[i])
            numbers->ends[i] = numbers->ends[i - 1];
    return code;
}

status history_read_series(const struct history *history, const struct history_choice *choice, const char *metric,
                           const char *op, struct history_series *series)
{
    struct history_profiles profiles;
    struct numbers numbers = { .profiles = &profiles, .source = source_of(metric) };
    status code = history_profiles_read(history, choice, &profiles);

    *series = (struct history_series){ 0 };
    if (op)
        numbers.source = strcmp(metric, "device") == 0 ? &of_operator_device : &of_operator;
    if (code == STATUS_OK)
        code = read_numbers(history, op ? op : numbers.source->table == TABLE_LAUNCH ? NULL : metric, &numbers);
    if (code == STATUS_OK)
        code = make_series(&numbers, series);
    memory_free(numbers.items);
    memory_free(numbers.ends);
    history_profiles_free(&profiles);
    return code;
}

void history_series_free(struct history_series *series)
{
    for (size_t i = 0; i < series->count; i++) {
        memory_free(series->names[i]);
        memory_free(series->commits[i]);
        memory_free(series->values[i]);
    }
    for (size_t i = 0; i < series->device_count; i++)
        memory_free(series->devices[i]);
    memory_free(series->names);
    memory_free(series->commits);
    memory_free(series->added);
    memory_free(series->values);
    memory_free(series->standings);
    memory_free(series->builds);
    memory_free(series->devices);
    *series = (struct history_series){ 0 };
}

/* ---- launches -------------------------------------------------------------------------------------------------------------------- */

/* While launches are read: what belongs to them comes in the order in which they came, by profile; in the end they are put into the order of builds. */
struct loading {
    struct history_launches *launches;       /* that are filled */
    const struct history_profiles *profiles; /* that they are of */
    struct strings *strings;                 /* of names */
    struct loading_key {
        size_t profile;                        /* item of the profiles */
        int64_t launch;                        /* of it */
        size_t engine_capacity, time_capacity; /* of its lists */
    } * keys;                                  /* by launch; owned */
    size_t key_capacity;                       /* of keys */
    size_t first;                              /* launch that was there before */
    size_t cursor;                             /* profile that rows are of */
    size_t at;                                 /* launch that rows are of */
    double *ms;                                /* runs of that launch; owned */
    uint32_t *runs;                            /* the same: their numbers; owned */
    size_t run_count, ms_capacity, run_capacity;
    int64_t *operators;                       /* that work is of, in the order of launches; owned */
    size_t operator_count, operator_capacity; /* of these */
    struct number_map names;                  /* by operator: which of `ops` it is */
    struct op *ops;                           /* as they are written down; owned */
    size_t op_count, op_capacity;             /* of ops */
    bool damaged;                             /* a time is none that could have been measured */
};

static const struct metric_set *set_of(struct text id, const struct chain **chain)
{
    *chain = NULL;
    for (size_t i = 0; chains[i]; i++)
        if (text_is(id, chains[i]->id))
            *chain = chains[i];
    return *chain && (*chain)->metrics ? (*chain)->metrics : &metrics_general;
}

/* Times that were measured: what is larger was not written by us, and sums of it would not be numbers. */
static int64_t ns_at(struct loading *loading, const struct history_value *value)
{
    static const int64_t most = INT64_C(1) << 53;
    int64_t ns = history_integer_at(value);

    loading->damaged |= ns > most || ns < -most;
    return loading->damaged ? 0 : ns;
}

static enum compare_place place_of(int64_t value)
{
    return value == COMPARE_ON_DEVICE || value == COMPARE_ON_HOST ? (enum compare_place)value : COMPARE_ON_EITHER;
}

static status take_launch(void *context, const struct history_value *values)
{
    struct loading *loading = context;
    struct history_launches *launches = loading->launches;
    size_t profile = history_profiles_find(loading->profiles, history_integer_at(&values[0]), &loading->cursor);
    struct text name = history_text_at(&values[LAUNCH_NAME]);
    const struct chain *chain;
    char *copy;
    status code;

    if (profile == SIZE_MAX)
        return STATUS_OK;
    copy = arena_copy(&launches->arena, name.data, name.length);
    code = memory_grow(&launches->items, &launches->capacity, launches->count + 1, sizeof *launches->items);
    if (code == STATUS_OK)
        code = memory_grow(&loading->keys, &loading->key_capacity, launches->count - loading->first + 1,
                           sizeof *loading->keys);
    if (code != STATUS_OK || !copy)
        return status_no_memory("reading a history");
    loading->keys[launches->count - loading->first] =
        (struct loading_key){ .profile = profile, .launch = history_integer_at(&values[1]) };
    launches->items[launches->count++] = (struct compare_launch){
        .runs.name = copy,
        .set = set_of(strings_get(loading->profiles->strings, loading->profiles->items[profile].chain), &chain),
        .whole = ns_at(loading, &values[LAUNCH_WHOLE]),
        .device = ns_at(loading, &values[LAUNCH_DEVICE]),
        .host = ns_at(loading, &values[LAUNCH_HOST]),
        .has_device = values[LAUNCH_DEVICE].kind == HISTORY_INTEGER,
        .has_host = values[LAUNCH_HOST].kind == HISTORY_INTEGER,
        .idle = ns_at(loading, &values[LAUNCH_IDLE]),
        .between = ns_at(loading, &values[LAUNCH_OUTSIDE]),
        .device_between = ns_at(loading, &values[LAUNCH_DEVICE_OUTSIDE]),
        .computes_on = place_of(history_integer_at(&values[LAUNCH_COMPUTES_ON]))
    };
    return STATUS_OK;
}

/* The launch that a row is of: that of the last one, or one behind it; NULL: of none that was asked for. */
static struct compare_launch *launch_of(struct loading *loading, const struct history_value *values)
{
    size_t count = loading->launches->count - loading->first;
    size_t profile = history_profiles_find(loading->profiles, history_integer_at(&values[0]), &loading->cursor);
    int64_t launch = history_integer_at(&values[1]);

    if (profile == SIZE_MAX)
        return NULL;
    while (loading->at < count &&
           (loading->keys[loading->at].profile < profile ||
            (loading->keys[loading->at].profile == profile && loading->keys[loading->at].launch < launch)))
        loading->at++;
    return loading->at < count && loading->keys[loading->at].profile == profile &&
                   loading->keys[loading->at].launch == launch
               ? &loading->launches->items[loading->first + loading->at]
               : NULL;
}

/* The runs of a launch are all there: it gets them. */
static status end_runs(struct loading *loading, struct compare_launch *launch)
{
    struct arena *arena = &loading->launches->arena;
    size_t count = loading->run_count;
    double *ms = arena_allocate(arena, (count + 1) * sizeof *ms, _Alignof(double));
    uint32_t *runs = arena_allocate(arena, (count + 1) * sizeof *runs, _Alignof(uint32_t));

    if (!ms || !runs)
        return status_no_memory("reading a history");
    if (count) {
        memcpy(ms, loading->ms, count * sizeof *ms);
        memcpy(runs, loading->runs, count * sizeof *runs);
    }
    launch->runs.ms = ms;
    launch->runs.runs = runs;
    launch->runs.count = count;
    loading->run_count = 0;
    return STATUS_OK;
}

static status take_run(void *context, const struct history_value *values)
{
    struct loading *loading = context;
    size_t before = loading->at;
    struct compare_launch *launch = launch_of(loading, values);
    double ms = history_decimal_at(&values[4]);
    status code = STATUS_OK;

    if (loading->at != before && loading->run_count)
        code = end_runs(loading, &loading->launches->items[loading->first + before]);
    if (code != STATUS_OK || !launch)
        return code;
    if (!(ms > 0))
        return status_fail(STATUS_INPUT, "a run in the history takes no time: it is not as it was written");
    code = memory_grow(&loading->ms, &loading->ms_capacity, loading->run_count + 1, sizeof *loading->ms);
    if (code == STATUS_OK)
        code = memory_grow(&loading->runs, &loading->run_capacity, loading->run_count + 1, sizeof *loading->runs);
    if (code != STATUS_OK)
        return code;
    loading->ms[loading->run_count] = ms;
    loading->runs[loading->run_count++] = (uint32_t)history_integer_at(&values[3]);
    return STATUS_OK;
}

static status take_part(void *context, const struct history_value *values)
{
    struct compare_launch *launch = launch_of(context, values);
    bool of_chain = history_integer_at(&values[2]) != 0;
    const struct metric *const *parts = !launch || !of_chain ? compare_parts : launch->set->parts;

    for (size_t i = 0; launch && parts && parts[i] && i < COMPARE_PARTS; i++)
        if (text_is(history_text_at(&values[3]), parts[i]->key))
            (of_chain ? launch->parts : launch->general)[i] = ns_at(context, &values[4]);
    return STATUS_OK;
}

static status take_engine(void *context, const struct history_value *values)
{
    struct loading *loading = context;
    struct compare_launch *launch = launch_of(loading, values);
    struct text name = history_text_at(&values[3]);
    struct compare_engine *engine;
    status code;

    if (!launch)
        return STATUS_OK;
    code = memory_grow(&launch->engines, &loading->keys[loading->at].engine_capacity, launch->engine_count + 1,
                       sizeof *launch->engines);
    if (code != STATUS_OK)
        return code;
    engine = &launch->engines[launch->engine_count++];
    engine->ns = ns_at(loading, &values[4]);
    return strings_add(loading->strings, name.data, name.length, &engine->name);
}

/* What work is of is told later: each operator once. */
static status take_work(void *context, const struct history_value *values)
{
    struct loading *loading = context;
    struct compare_launch *launch = launch_of(loading, values);
    struct compare_operator work = { .own = ns_at(loading, &values[TIME_OWN]),
                                     .device = ns_at(loading, &values[TIME_DEVICE]),
                                     .calls = fmax(0, history_decimal_at(&values[7])) }; /* NAN is 0 */
    struct text engines = history_text_at(&values[4]);
    status code;

    if (!launch)
        return STATUS_OK;
    code = strings_add(loading->strings, engines.data, engines.length, &work.engines);
    work.mainly = work.engines; /* those that matter are what is kept */
    if (code == STATUS_OK)
        code = memory_grow(&launch->operators, &loading->keys[loading->at].time_capacity, launch->operator_count + 1,
                           sizeof *launch->operators);
    if (code == STATUS_OK)
        code = memory_grow(&loading->operators, &loading->operator_capacity, loading->operator_count + 1,
                           sizeof *loading->operators);
    if (code != STATUS_OK)
        return code;
    launch->operators[launch->operator_count++] = work;
    loading->operators[loading->operator_count++] = history_integer_at(&values[3]);
    return number_map_at(&loading->names, (uint64_t)history_integer_at(&values[3]), 0)
               ? STATUS_OK
               : status_no_memory("reading a history");
}

static status take_operator(void *context, const struct history_value *values)
{
    struct loading *loading = context;
    struct op op = { .line = (uint32_t)history_integer_at(&values[6]),
                     .column = (uint32_t)history_integer_at(&values[7]) };
    static const size_t columns[] = { 1, 2, 3, 4, 5, 8, 9, 10, 11 };
    string_id *const ids[] = { &op.name,     &op.type,   &op.location, &op.place, &op.file,
                               &op.category, &op.module, &op.kernel,   &op.shapes };
    uint32_t *place = number_map_at(&loading->names, (uint64_t)history_integer_at(&values[0]), 0);
    status code = memory_grow(&loading->ops, &loading->op_capacity, loading->op_count + 1, sizeof *loading->ops);

    if (code != STATUS_OK || !place)
        return status_no_memory("reading a history");
    for (size_t i = 0; i < sizeof ids / sizeof *ids && code == STATUS_OK; i++) {
        struct text text = history_text_at(&values[columns[i]]);

        code = strings_add(loading->strings, text.data, text.length, ids[i]);
    }
    *place = (uint32_t)loading->op_count;
    loading->ops[loading->op_count++] = op;
    return code;
}

static int by_number(const void *one, const void *other)
{
    int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;

    return (a > b) - (a < b);
}

/* Work gets its operators; what is of one that is not written down is left out. */
static void name_work(struct loading *loading)
{
    const int64_t *next = loading->operators;

    for (size_t i = loading->first; i < loading->launches->count; i++) {
        struct compare_launch *launch = &loading->launches->items[i];
        size_t count = launch->operator_count;

        launch->operator_count = 0;
        for (size_t k = 0; k < count; k++, next++) {
            uint32_t place = number_map_find(&loading->names, (uint64_t)*next, 0);
            struct compare_operator *work = &launch->operators[launch->operator_count];

            if (place == MAP_NONE)
                continue;
            *work = launch->operators[k];
            work->op = loading->ops[place];
            work->op.id = *next ? (operator_id)launch->operator_count : NO_ID;
            launch->operator_count++;
        }
    }
}

static status read_operators(const struct history *history, struct loading *loading)
{
    size_t count = number_map_count(&loading->names);
    int64_t *ids = memory_allocate((count + 1) * sizeof *ids);
    const struct history_request request = { .table = TABLE_OPERATOR, .ids = ids, .id_count = count };
    status code;

    if (!ids)
        return status_no_memory("reading a history");
    for (size_t i = 0; i < count; i++)
        ids[i] = (int64_t)number_map_entry(&loading->names, i)->one;
    qsort(ids, count, sizeof *ids, by_number);
    code = history->calls->read(history->self, &request, take_operator, loading);
    memory_free(ids);
    if (code == STATUS_OK)
        name_work(loading);
    return code;
}

/* From the order of profiles into that of builds. */
static status order_launches(struct loading *loading)
{
    struct compare_launch *items = loading->launches->items + loading->first;
    const struct history_profiles *profiles = loading->profiles;
    size_t count = loading->launches->count - loading->first, next = 0;
    struct compare_launch *sorted = memory_allocate((count + 1) * sizeof *sorted);
    size_t *starts = memory_allocate_clear((profiles->count + 2) * sizeof *starts);

    if (sorted && starts) {
        for (size_t i = 0; i < count; i++)
            starts[loading->keys[i].profile + 1]++;
        for (size_t i = 0; i < profiles->count; i++)
            starts[i + 1] += starts[i];
        for (size_t i = 0; i < profiles->count; i++) {
            size_t at = profiles->order[i];

            if (starts[at] < starts[at + 1])
                (void)set_of(strings_get(profiles->strings, profiles->items[at].chain), &loading->launches->chain);
            for (size_t k = starts[at]; k < starts[at + 1]; k++)
                sorted[next++] = items[k];
        }
        if (count)
            memcpy(items, sorted, count * sizeof *items);
    }
    memory_free(starts);
    memory_free(sorted);
    return sorted && starts ? STATUS_OK : status_no_memory("reading a history");
}

static status load(const struct history *history, struct loading *loading)
{
    static const struct {
        enum history_table_id table; /* whose rows */
        history_take take;           /* gets them */
    } loads[] = { { TABLE_LAUNCH, take_launch },
                  { TABLE_RUN, take_run },
                  { TABLE_PART, take_part },
                  { TABLE_ENGINE, take_engine },
                  { TABLE_OPERATOR_TIME, take_work } };
    status code = STATUS_OK;

    for (size_t i = 0; i < sizeof loads / sizeof *loads && code == STATUS_OK; i++) {
        const struct history_request request = history_profiles_request(loading->profiles, loads[i].table, NULL);

        loading->cursor = loading->at = 0;
        code = history->calls->read(history->self, &request, loads[i].take, loading);
        if (code == STATUS_OK && loading->run_count)
            code = end_runs(loading, &loading->launches->items[loading->first + loading->at]);
    }
    if (code == STATUS_OK)
        code = read_operators(history, loading);
    if (code == STATUS_OK)
        code = order_launches(loading);
    if (code == STATUS_OK && loading->damaged)
        code =
            status_fail(STATUS_INPUT, "a time in the history cannot have been measured: it is not as it was written");
    return code;
}

status history_read_launches(const struct history *history, const struct history_choice *choice,
                             struct strings *strings, struct history_launches *launches)
{
    struct history_profiles profiles;
    struct loading loading = {
        .launches = launches, .profiles = &profiles, .strings = strings, .first = launches->count
    };
    status code = history_profiles_read(history, choice, &profiles);

    number_map_start(&loading.names);
    if (code == STATUS_OK)
        code = load(history, &loading);
    number_map_free(&loading.names);
    memory_free(loading.keys);
    memory_free(loading.ms);
    memory_free(loading.runs);
    memory_free(loading.operators);
    memory_free(loading.ops);
    history_profiles_free(&profiles);
    return code;
}

void history_launches_free(struct history_launches *launches)
{
    for (size_t i = 0; i < launches->count; i++)
        compare_launch_free(&launches->items[i]);
    memory_free(launches->items);
    arena_free(&launches->arena);
    *launches = (struct history_launches){ 0 };
}

/* ---- what is old ------------------------------------------------------------------------------------------------------------------ */

/* The newest builds of a model and device first. */
static int by_age(const void *one, const void *other, void *context)
{
    const struct history_profiles *profiles = context;
    const struct history_row *a = &profiles->items[*(const uint32_t *)one];
    const struct history_row *b = &profiles->items[*(const uint32_t *)other];

    if (a->model != b->model)
        return a->model < b->model ? -1 : 1;
    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    if (a->first != b->first)
        return a->first > b->first ? -1 : 1;
    return (a->build > b->build) - (a->build < b->build);
}

/* Their ids, ascending, into `old`. */
static size_t find_old(struct history_profiles *profiles, size_t keep, int64_t since, int64_t *old)
{
    const struct history_row *last = NULL;
    size_t builds = 0, count = 0;

    qsort_r(profiles->order, profiles->count, sizeof *profiles->order, by_age, profiles);
    for (size_t i = 0; i < profiles->count; i++) {
        const struct history_row *row = &profiles->items[profiles->order[i]];
        bool same = last && last->model == row->model && last->device == row->device;

        builds = !same ? 1 : builds + (last->build != row->build);
        last = row;
        if ((keep && builds > keep) || row->added < since)
            old[count++] = row->id;
    }
    qsort(old, count, sizeof *old, by_number);
    return count;
}

static status remove_all(const struct history *history, const int64_t *profiles, size_t count)
{
    status code = history->calls->begin(history->self);

    if (code != STATUS_OK)
        return code;
    code = history->calls->remove(history->self, profiles, count);
    if (code == STATUS_OK)
        code = history->calls->end(history->self, true);
    else
        (void)history->calls->end(history->self, false); /* never fails: what was begun is forgotten */
    return code == STATUS_OK ? history_settle(history) : code;
}

status history_prune(const struct history *history, const struct history_choice *choice, size_t keep, int64_t since,
                     size_t *removed)
{
    struct history_profiles profiles;
    int64_t *old = NULL;
    size_t count = 0;
    status code = history_profiles_read(history, choice, &profiles);

    if (code == STATUS_OK) {
        old = memory_allocate((profiles.count + 1) * sizeof *old);
        code = old ? STATUS_OK : status_no_memory("pruning");
    }
    if (code == STATUS_OK) {
        count = find_old(&profiles, keep, since, old);
        code = remove_all(history, old, count);
    }
    *removed = code == STATUS_OK ? count : 0;
    memory_free(old);
    history_profiles_free(&profiles);
    return code;
}
