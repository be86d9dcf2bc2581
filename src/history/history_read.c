/* history_read.c: what is asked of a store: series of a number, launches of builds, what is old. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/path.h"
#include "history/history.h"
#include "read/chain.h"

/* Rows of profiles that were asked for, in the order of builds: ?1 model, ?2 device, ?3 build, each empty for any; ?4 labels, one a line. A label is
 * asked for by what is not there: no label that was asked for is missing. */
#define CHOSEN                                                                                             \
    " profile p JOIN (SELECT build AS first_build, model AS first_model, min(added) AS first FROM profile" \
    " GROUP BY model, build) ON first_build = p.build AND first_model = p.model"

#define WHERE                                                                                                         \
    " WHERE (?1 = '' OR p.model = ?1) AND (?2 = '' OR p.device = ?2) AND (?3 = '' OR p.build = ?3)"                   \
    " AND ?4 = (SELECT count(*) FROM label q WHERE q.profile = p.profile AND instr(?5, char(10) || q.name || '=' || " \
    "q.value || char(10)))"

enum { CHOICE = 5 }; /* parameters of these */

struct question {
    struct history_value values[CHOICE + 1]; /* the last is the query's own */
    struct path labels;                      /* owned */
};

static status question_start(struct question *question, const struct history_choice *choice, const char *own)
{
    status code = path_set(&question->labels, "\n");

    for (size_t i = 0; i < choice->labels.count && code == STATUS_OK; i++) {
        code = path_append(&question->labels, choice->labels.items[i]);
        code = code == STATUS_OK ? path_append(&question->labels, "\n") : code;
    }
    if (code != STATUS_OK)
        return code;
    question->values[0] = history_word(choice->model);
    question->values[1] = history_word(choice->device);
    question->values[2] = history_word(choice->build);
    question->values[3] = history_integer((int64_t)choice->labels.count);
    question->values[4] = history_word(question->labels.text);
    question->values[5] = history_word(own);
    return STATUS_OK;
}

/* ---- a series ----------------------------------------------------------------------------------------------------------------- */

static const struct {
    const char *metric; /* as it is asked for; NULL: a part, by its key */
    const char *value;  /* ns of a launch */
} metrics[] = {
    { "run", "l.median * 1e6" },
    { "step", "l.median * 1e6" },
    { "device", "l.device" },
    { "host", "l.host" },
    { "idle", "l.idle" },
    { "operators", "(SELECT count(*) FROM operator_time o WHERE o.profile = p.profile AND o.launch = l.launch)" },
    { NULL, "(SELECT max(t.ns) FROM part t WHERE t.profile = p.profile AND t.launch = l.launch AND t.part = ?6)" },
};

bool history_is_count(const char *metric)
{
    return strcmp(metric, "operators") == 0;
}

/* What several operators of one name take together. */
static const char of_operator[] = "(SELECT sum(o.%s) FROM operator_time o JOIN operator n ON n.operator = o.operator"
                                  " WHERE o.profile = p.profile AND o.launch = l.launch AND n.name = ?6)";

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

    for (size_t i = 0; i < series->device_count; i++)
        if (text_is(device, series->devices[i]))
            return STATUS_OK;
    code = memory_grow(&series->devices, &series->device_capacity, series->device_count + 1, sizeof *series->devices);
    if (code == STATUS_OK)
        code = copy_text(device, &series->devices[series->device_count]);
    series->device_count += code == STATUS_OK;
    return code;
}

/* build, commit, device, ns, when it was first added: builds lie behind each other. */
static status take_value(void *context, const struct history_value *values)
{
    struct history_series *series = context;
    struct text name = history_text_at(&values[0]);
    double ns = history_decimal_at(&values[3]), *grown;
    struct build_launches *build;
    status code = add_device(series, history_text_at(&values[2]));

    if (code == STATUS_OK && (!series->count || !text_is(name, series->names[series->count - 1])))
        code = add_build(series, name, history_text_at(&values[1]), history_integer_at(&values[4]));
    if (code != STATUS_OK || isnan(ns))
        return code;
    build = &series->builds[series->count - 1];
    grown = memory_resize(series->values[series->count - 1], (build->count + 1) * sizeof *grown);
    if (!grown)
        return status_no_memory("reading a history");
    grown[build->count++] = ns;
    build->medians = series->values[series->count - 1] = grown;
    return STATUS_OK;
}

status history_read_series(const struct history *history, const struct history_choice *choice, const char *metric,
                           const char *op, struct history_series *series)
{
    enum { QUERY = 2048 };
    struct question question = { 0 };
    char query[QUERY], value[256];
    size_t at = 0;
    status code = question_start(&question, choice, op ? op : metric);

    *series = (struct history_series){ 0 };
    while (metrics[at].metric && strcmp(metrics[at].metric, metric) != 0)
        at++;
    snprintf(value, sizeof value, op ? of_operator : "%s",
             !op                             ? metrics[at].value
             : strcmp(metric, "device") == 0 ? "device"
                                             : "own");
    snprintf(query, sizeof query,
             "SELECT p.build, p.commit_id, p.device, %s, first FROM" CHOSEN
             " LEFT JOIN launch l ON l.profile = p.profile" WHERE
             " AND ?6 = ?6 ORDER BY first, p.build, p.added, p.profile, l.launch",
             value);
    if (code == STATUS_OK)
        code = history->calls->ask(history->self, query, question.values, CHOICE + 1, take_value, series);
    path_free(&question.labels);
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
    memory_free(series->builds);
    memory_free(series->devices);
    *series = (struct history_series){ 0 };
}

/* ---- launches -------------------------------------------------------------------------------------------------------------------- */

/* While launches are read: what belongs to them comes in the same order. */
struct loading {
    struct history_launches *launches; /* that are filled */
    struct strings *strings;           /* of names */
    struct loading_key {
        int64_t profile, launch;         /* of which a launch is */
        size_t runs, engines, operators; /* that there are */
    } * keys;                            /* by launch; owned */
    size_t key_capacity;                 /* of keys */
    size_t first;                        /* launch that was there before */
    size_t at;                           /* launch that rows are of */
    bool damaged;                        /* a time is none that could have been measured */
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
    size_t index = launches->count - loading->first;
    struct loading_key key = { history_integer_at(&values[0]), history_integer_at(&values[1]),
                               (size_t)history_integer_at(&values[11]), (size_t)history_integer_at(&values[12]),
                               (size_t)history_integer_at(&values[13]) };
    struct compare_launch *launch;
    char *name = arena_copy(&launches->arena, history_text_at(&values[2]).data, history_text_at(&values[2]).length);
    status code = memory_grow(&launches->items, &launches->capacity, launches->count + 1, sizeof *launches->items);

    if (code == STATUS_OK)
        code = memory_grow(&loading->keys, &loading->key_capacity, index + 1, sizeof *loading->keys);
    if (code != STATUS_OK || !name)
        return status_no_memory("reading a history");
    loading->keys[index] = key;
    launch = &launches->items[launches->count++];
    *launch = (struct compare_launch){ .runs.name = name,
                                       .set = set_of(history_text_at(&values[3]), &launches->chain),
                                       .whole = ns_at(loading, &values[4]),
                                       .device = ns_at(loading, &values[5]),
                                       .host = ns_at(loading, &values[6]),
                                       .has_device = values[5].kind == HISTORY_INTEGER,
                                       .has_host = values[6].kind == HISTORY_INTEGER,
                                       .idle = ns_at(loading, &values[7]),
                                       .between = ns_at(loading, &values[8]),
                                       .device_between = ns_at(loading, &values[9]),
                                       .computes_on = place_of(history_integer_at(&values[10])) };
    launch->engines = memory_allocate((key.engines + 1) * sizeof *launch->engines);
    launch->operators = memory_allocate((key.operators + 1) * sizeof *launch->operators);
    launch->runs.ms = arena_allocate(&launches->arena, (key.runs + 1) * sizeof(double), _Alignof(double));
    launch->runs.runs = arena_allocate(&launches->arena, (key.runs + 1) * sizeof(uint32_t), _Alignof(uint32_t));
    return launch->engines && launch->operators && launch->runs.ms && launch->runs.runs
               ? STATUS_OK
               : status_no_memory("reading a history");
}

/* The launch that a row is of: that of the last one, or one behind it; NULL: of none that was asked for. */
static struct compare_launch *launch_of(struct loading *loading, const struct history_value *values)
{
    size_t count = loading->launches->count - loading->first;

    for (; loading->at < count; loading->at++)
        if (loading->keys[loading->at].profile == history_integer_at(&values[0]) &&
            loading->keys[loading->at].launch == history_integer_at(&values[1]))
            return &loading->launches->items[loading->first + loading->at];
    return NULL;
}

static status take_run(void *context, const struct history_value *values)
{
    struct loading *loading = context;
    struct compare_launch *launch = launch_of(loading, values);

    if (!launch || launch->runs.count >= loading->keys[loading->at].runs)
        return STATUS_OK;
    if (!(history_decimal_at(&values[3]) > 0))
        return status_fail(STATUS_INPUT, "a run in the history takes no time: it is not as it was written");
    ((double *)launch->runs.ms)[launch->runs.count] = history_decimal_at(&values[3]);
    ((uint32_t *)launch->runs.runs)[launch->runs.count++] = (uint32_t)history_integer_at(&values[2]);
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
    struct text name = history_text_at(&values[2]);
    struct compare_engine *engine;

    if (!launch || launch->engine_count >= loading->keys[loading->at].engines)
        return STATUS_OK;
    engine = &launch->engines[launch->engine_count++];
    engine->ns = ns_at(loading, &values[3]);
    return strings_add(loading->strings, name.data, name.length, &engine->name);
}

static status take_operator(void *context, const struct history_value *values)
{
    struct loading *loading = context;
    struct compare_launch *launch = launch_of(loading, values);
    struct compare_operator op = { .own = ns_at(loading, &values[3]),
                                   .device = ns_at(loading, &values[4]),
                                   .calls = fmax(0, history_decimal_at(&values[5])) }; /* NAN is 0 */
    string_id *const ids[] = { &op.engines, &op.op.name,     &op.op.type,   &op.op.location, &op.op.place,
                               &op.op.file, &op.op.category, &op.op.module, &op.op.kernel,   &op.op.shapes };
    status code = STATUS_OK;

    if (!launch || launch->operator_count >= loading->keys[loading->at].operators)
        return STATUS_OK;
    op.op.id = history_integer_at(&values[2]) ? (operator_id)launch->operator_count : NO_ID;
    op.op.line = (uint32_t)history_integer_at(&values[6]);
    op.op.column = (uint32_t)history_integer_at(&values[7]);
    for (size_t i = 0; i < sizeof ids / sizeof *ids && code == STATUS_OK; i++) {
        struct text text = history_text_at(&values[8 + i]);

        code = strings_add(loading->strings, text.data, text.length, ids[i]);
    }
    launch->operators[launch->operator_count++] = op;
    return code;
}

#define OF_LAUNCHES(table) " FROM" CHOSEN " JOIN launch l ON l.profile = p.profile" table WHERE
#define ORDERED " ORDER BY first, p.build, p.added, p.profile, l.launch"
#define EACH(table, name) " JOIN " table " " name " ON " name ".profile = l.profile AND " name ".launch = l.launch"
#define COUNTED(table) ", (SELECT count(*) FROM " table " c WHERE c.profile = l.profile AND c.launch = l.launch)"

static const struct {
    const char *query; /* with the parameters of a choice */
    history_take take; /* gets its rows */
} loads[] = {
    { "SELECT p.profile, l.launch, l.name, p.chain, l.whole, l.device, l.host, l.idle, l.outside, l.device_outside,"
      " l.computes_on" COUNTED("run") COUNTED("engine") COUNTED("operator_time") OF_LAUNCHES("") ORDERED,
      take_launch },
    { "SELECT p.profile, l.launch, r.run, r.ms" OF_LAUNCHES(EACH("run", "r")) ORDERED ", r.number", take_run },
    { "SELECT p.profile, l.launch, t.of_chain, t.part, t.ns" OF_LAUNCHES(EACH("part", "t")) ORDERED, take_part },
    { "SELECT p.profile, l.launch, e.engine, e.ns" OF_LAUNCHES(EACH("engine", "e")) ORDERED ", e.number", take_engine },
    { "SELECT p.profile, l.launch, o.operator, o.own, o.device, o.often, n.line, n.file_column, o.engines, n.name, "
      "n.type,"
      " n.location, n.place, n.file, n.category, n.module, n.kernel, n.shapes" OF_LAUNCHES(
          EACH("operator_time", "o") " JOIN operator n ON n.operator = o.operator") ORDERED ", o.number",
      take_operator },
};

status history_read_launches(const struct history *history, const struct history_choice *choice,
                             struct strings *strings, struct history_launches *launches)
{
    struct loading loading = { .launches = launches, .strings = strings, .first = launches->count };
    struct question question = { 0 };
    status code = question_start(&question, choice, "");

    for (size_t i = 0; i < sizeof loads / sizeof *loads && code == STATUS_OK; i++) {
        loading.at = 0;
        code = history->calls->ask(history->self, loads[i].query, question.values, CHOICE, loads[i].take, &loading);
    }
    memory_free(loading.keys);
    path_free(&question.labels);
    if (code == STATUS_OK && loading.damaged)
        code =
            status_fail(STATUS_INPUT, "a time in the history cannot have been measured: it is not as it was written");
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

struct pruning {
    size_t keep;            /* builds of each model and device */
    size_t builds;          /* of the current ones, so far */
    char *last[3];          /* model, device and build of the last row; owned */
    int64_t *profiles;      /* to be taken out; owned */
    size_t count, capacity; /* of profiles */
};

/* profile, model, device, build: the newest builds of a model and device first. */
static status take_old(void *context, const struct history_value *values)
{
    struct pruning *pruning = context;
    bool same = true;
    status code = STATUS_OK;

    for (size_t i = 0; i < 3 && code == STATUS_OK; i++) {
        struct text text = history_text_at(&values[i + 1]);

        if (pruning->last[i] && text_is(text, pruning->last[i]))
            continue;
        pruning->builds = i < 2 ? 0 : pruning->builds;
        same = false;
        memory_free(pruning->last[i]);
        code = copy_text(text, &pruning->last[i]);
    }
    pruning->builds += !same;
    if (code != STATUS_OK || pruning->builds <= pruning->keep)
        return code;
    code = memory_grow(&pruning->profiles, &pruning->capacity, pruning->count + 1, sizeof *pruning->profiles);
    if (code == STATUS_OK)
        pruning->profiles[pruning->count++] = history_integer_at(&values[0]);
    return code;
}

static status remove_all(const struct history *history, const struct pruning *pruning)
{
    status code = history->calls->begin(history->self);

    if (code != STATUS_OK)
        return code;
    for (size_t i = 0; i < pruning->count && code == STATUS_OK; i++)
        code = history->calls->remove(history->self, pruning->profiles[i]);
    if (code == STATUS_OK)
        return history->calls->end(history->self, true);
    (void)history->calls->end(history->self, false); /* never fails: what was begun is forgotten */
    return code;
}

status history_prune(const struct history *history, const struct history_choice *choice, size_t keep, size_t *removed)
{
    struct pruning pruning = { .keep = keep };
    struct question question = { 0 };
    status code = question_start(&question, choice, "");

    if (code == STATUS_OK)
        code = history->calls->ask(history->self,
                                   "SELECT p.profile, p.model, p.device, p.build FROM" CHOSEN WHERE
                                   " ORDER BY p.model, p.device, first DESC, p.build",
                                   question.values, CHOICE, take_old, &pruning);
    if (code == STATUS_OK)
        code = remove_all(history, &pruning);
    *removed = code == STATUS_OK ? pruning.count : 0;
    for (size_t i = 0; i < 3; i++)
        memory_free(pruning.last[i]);
    memory_free(pruning.profiles);
    path_free(&question.labels);
    return code;
}
