/* history.c: what a store keeps, whatever store it is, and a profile on its way there. */
#include "history/history.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "history/clickhouse_url.h"
#include "read/chain.h"

const struct history_table history_tables[] = {
    { .name = "profile",
      .columns = { { "profile", HISTORY_INTEGER },
                   { "size", HISTORY_INTEGER },
                   { "added", HISTORY_INTEGER },
                   { "name", HISTORY_TEXT },
                   { "chain", HISTORY_TEXT },
                   { "model", HISTORY_TEXT },
                   { "build", HISTORY_TEXT },
                   { "commit_id", HISTORY_TEXT },
                   { "device", HISTORY_TEXT } },
      .key = 1,
      .since = 1 },
    { .name = "content",
      .columns = { { "profile", HISTORY_INTEGER }, { "content", HISTORY_BYTES } },
      .key = 1,
      .since = 1 },
    { .name = "label",
      .columns = { { "profile", HISTORY_INTEGER }, { "name", HISTORY_TEXT }, { "value", HISTORY_TEXT } },
      .key = 2,
      .since = 1 },
    { .name = "note",
      .columns = { { "profile", HISTORY_INTEGER },
                   { "number", HISTORY_INTEGER },
                   { "kind", HISTORY_TEXT },
                   { "sentence", HISTORY_TEXT } },
      .key = 2,
      .since = 1,
      .named = "kind" },
    { .name = "advice",
      .columns = { { "profile", HISTORY_INTEGER },
                   { "number", HISTORY_INTEGER },
                   { "rule", HISTORY_TEXT },
                   { "sentence", HISTORY_TEXT },
                   { "saving", HISTORY_INTEGER } },
      .key = 2,
      .since = 1 },
    { .name = "launch",
      .columns = { { "profile", HISTORY_INTEGER },
                   { "launch", HISTORY_INTEGER },
                   { "name", HISTORY_TEXT },
                   { "median", HISTORY_DECIMAL, .optional = true },
                   { "whole", HISTORY_INTEGER },
                   { "device", HISTORY_INTEGER, .optional = true },
                   { "host", HISTORY_INTEGER, .optional = true },
                   { "idle", HISTORY_INTEGER },
                   { "outside", HISTORY_INTEGER },
                   { "device_outside", HISTORY_INTEGER },
                   { "computes_on", HISTORY_INTEGER },
                   { "operators", HISTORY_INTEGER } },
      .key = 2,
      .since = 1 },
    { .name = "run",
      .columns = { { "profile", HISTORY_INTEGER },
                   { "launch", HISTORY_INTEGER },
                   { "number", HISTORY_INTEGER },
                   { "run", HISTORY_INTEGER },
                   { "ms", HISTORY_DECIMAL, .optional = true } },
      .key = 3,
      .since = 1 },
    { .name = "part",
      .columns = { { "profile", HISTORY_INTEGER },
                   { "launch", HISTORY_INTEGER },
                   { "of_chain", HISTORY_INTEGER },
                   { "part", HISTORY_TEXT },
                   { "ns", HISTORY_INTEGER } },
      .key = 4,
      .since = 1,
      .named = "part" },
    { .name = "engine",
      .columns = { { "profile", HISTORY_INTEGER },
                   { "launch", HISTORY_INTEGER },
                   { "number", HISTORY_INTEGER },
                   { "engine", HISTORY_TEXT },
                   { "ns", HISTORY_INTEGER } },
      .key = 3,
      .since = 1 },
    { .name = "operator",
      .columns = { { "operator", HISTORY_INTEGER },
                   { "name", HISTORY_TEXT },
                   { "type", HISTORY_TEXT },
                   { "location", HISTORY_TEXT },
                   { "place", HISTORY_TEXT },
                   { "file", HISTORY_TEXT },
                   { "line", HISTORY_INTEGER },
                   { "file_column", HISTORY_INTEGER },
                   { "category", HISTORY_TEXT },
                   { "module", HISTORY_TEXT },
                   { "kernel", HISTORY_TEXT },
                   { "shapes", HISTORY_TEXT } },
      .key = 1,
      .since = 1,
      .named = "name",
      .shared = true },
    { .name = "operator_time",
      .columns = { { "profile", HISTORY_INTEGER },
                   { "launch", HISTORY_INTEGER },
                   { "number", HISTORY_INTEGER },
                   { "operator", HISTORY_INTEGER },
                   { "engines", HISTORY_TEXT },
                   { "own", HISTORY_INTEGER },
                   { "device", HISTORY_INTEGER },
                   { "often", HISTORY_DECIMAL, .optional = true } },
      .key = 3,
      .since = 1 },
    { .name = "counter",
      .columns = { { "profile", HISTORY_INTEGER },
                   { "launch", HISTORY_INTEGER },
                   { "counter", HISTORY_TEXT },
                   { "value", HISTORY_INTEGER } },
      .key = 3,
      .since = 2,
      .named = "counter" },
    { .name = "mark",
      .columns = { { "mark", HISTORY_INTEGER },
                   { "model", HISTORY_TEXT },
                   { "build", HISTORY_TEXT },
                   { "time", HISTORY_INTEGER },
                   { "state", HISTORY_TEXT } },
      .key = 1,
      .since = 2,
      .named = "model",
      .shared = true },
    { .name = NULL },
};

size_t history_columns(enum history_table_id table)
{
    size_t count = 0;

    while (count < HISTORY_COLUMNS && history_tables[table].columns[count].name)
        count++;
    return count;
}

size_t history_tables_since(int64_t version)
{
    size_t count = 0;

    for (size_t i = 0; i < HISTORY_TABLES; i++)
        count += history_tables[i].since <= version;
    return count;
}

/* ---- in ---------------------------------------------------------------------------------------------------------------------- */

/* While a profile is added. */
struct adding {
    const struct history *history;         /* borrowed */
    const struct history_profile *profile; /* the same */
};

static status insert(const struct adding *adding, enum history_table_id table, const struct history_value *values)
{
    return adding->history->calls->insert(adding->history->self, table, values);
}

static status add_profile(const struct adding *adding)
{
    const struct history_profile *profile = adding->profile;
    const struct history_value values[] = { history_integer(profile->id),    history_integer(profile->size),
                                            history_integer(profile->added), history_word(profile->name),
                                            history_word(profile->chain),    history_word(profile->model),
                                            history_word(profile->build),    history_word(profile->commit),
                                            history_word(profile->device) };
    const struct history_value content[] = { history_integer(profile->id),
                                             { .kind = HISTORY_BYTES, .text = profile->content } };
    status code = insert(adding, TABLE_PROFILE, values);

    return code == STATUS_OK && profile->content.data ? insert(adding, TABLE_CONTENT, content) : code;
}

static status add_texts(const struct adding *adding)
{
    const struct history_profile *profile = adding->profile;
    status code = STATUS_OK;

    for (size_t i = 0; i < profile->labels->count && code == STATUS_OK; i++) {
        const char *label = profile->labels->items[i], *sign = strchr(label, '=');
        const struct history_value values[] = { history_integer(profile->id), history_text(text_between(label, sign)),
                                                history_word(sign + 1) };

        code = insert(adding, TABLE_LABEL, values);
    }
    for (size_t i = 0; i < profile->failure_count + profile->note_count && code == STATUS_OK; i++) {
        bool failure = i < profile->failure_count;
        const struct history_value values[] = {
            history_integer(profile->id), history_integer((int64_t)i), history_word(failure ? "failure" : "note"),
            history_word(failure ? profile->failures[i] : profile->notes[i - profile->failure_count])
        };

        code = insert(adding, TABLE_NOTE, values);
    }
    for (size_t i = 0; i < profile->advice_count && code == STATUS_OK; i++) {
        const struct advice_note *advice = &profile->advice[i];
        const struct history_value values[] = { history_integer(profile->id), history_integer((int64_t)i),
                                                history_word(advice->rule), history_word(advice->sentence),
                                                history_integer(advice->saving) };

        code = insert(adding, TABLE_ADVICE, values);
    }
    return code;
}

/* Parts that any input can tell, or those of its chain. */
static status add_parts(const struct adding *adding, int64_t launch, const struct metric *const *parts, bool of_chain,
                        const int64_t *ns)
{
    status code = STATUS_OK;

    for (size_t i = 0; parts && parts[i] && i < COMPARE_PARTS && code == STATUS_OK; i++) {
        const struct history_value values[] = { history_integer(adding->profile->id), history_integer(launch),
                                                history_integer(of_chain), history_word(parts[i]->key),
                                                history_integer(ns[i]) };

        code = insert(adding, TABLE_PART, values);
    }
    return code;
}

/* Each operator once, by what it is: the key of its row. */
static status add_operator(const struct adding *adding, const struct op *op, int64_t *key)
{
    const struct strings *strings = adding->profile->strings;
    const string_id texts[] = { op->name,     op->type,   op->location, op->place, op->file,
                                op->category, op->module, op->kernel,   op->shapes };
    uint64_t hash = map_mix(op->line, op->column);

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct text text = strings_get(strings, texts[i]);

        hash = map_mix(hash, map_hash_bytes(text.data, text.length));
    }
    *key = op->id == NO_ID ? 0 : (int64_t)hash;
    const struct history_value values[] = {
        history_integer(*key),
        history_text(strings_get(strings, op->name)),
        history_text(strings_get(strings, op->type)),
        history_text(strings_get(strings, op->location)),
        history_text(strings_get(strings, op->place)),
        history_text(strings_get(strings, op->file)),
        history_integer(op->line),
        history_integer(op->column),
        history_text(strings_get(strings, op->category)),
        history_text(strings_get(strings, op->module)),
        history_text(strings_get(strings, op->kernel)),
        history_text(strings_get(strings, op->shapes)),
    };

    return insert(adding, TABLE_OPERATOR, values);
}

static status add_operators(const struct adding *adding, int64_t number, const struct compare_launch *launch)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < launch->operator_count && code == STATUS_OK; i++) {
        const struct compare_operator *op = &launch->operators[i];
        int64_t key;

        code = add_operator(adding, &op->op, &key);
        if (code == STATUS_OK) {
            const struct history_value values[] = { history_integer(adding->profile->id),
                                                    history_integer(number),
                                                    history_integer((int64_t)i),
                                                    history_integer(key),
                                                    history_text(strings_get(adding->profile->strings, op->mainly)),
                                                    history_integer(op->own),
                                                    history_integer(op->device),
                                                    history_decimal(op->calls) };

            code = insert(adding, TABLE_OPERATOR_TIME, values);
        }
    }
    return code;
}

/* What is not known has no row. */
static status add_counters(const struct adding *adding, int64_t number, const struct compare_launch *launch)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < COMPARE_COUNTERS && code == STATUS_OK; i++) {
        const struct history_value values[] = { history_integer(adding->profile->id), history_integer(number),
                                                history_word(compare_counters[i]),
                                                history_integer(launch->counters[i]) };

        if (launch->counters[i])
            code = insert(adding, TABLE_COUNTER, values);
    }
    return code;
}

static status add_launch(const struct adding *adding, size_t index)
{
    const struct compare_launch *launch = &adding->profile->launches[index];
    int64_t id = adding->profile->id, number = (int64_t)index;
    const struct history_value values[] = { history_integer(id),
                                            history_integer(number),
                                            history_word(launch->runs.name),
                                            history_decimal(adding->profile->medians[index]),
                                            history_integer(launch->whole),
                                            history_integer_or_none(launch->has_device, launch->device),
                                            history_integer_or_none(launch->has_host, launch->host),
                                            history_integer(launch->idle),
                                            history_integer(launch->between),
                                            history_integer(launch->device_between),
                                            history_integer(launch->computes_on),
                                            history_integer((int64_t)launch->operator_count) };
    status code = insert(adding, TABLE_LAUNCH, values);

    for (size_t i = 0; i < launch->runs.count && code == STATUS_OK; i++) {
        const struct history_value run[] = { history_integer(id), history_integer(number), history_integer((int64_t)i),
                                             history_integer(launch->runs.runs[i]),
                                             history_decimal(launch->runs.ms[i]) };

        code = insert(adding, TABLE_RUN, run);
    }
    for (size_t i = 0; i < launch->engine_count && code == STATUS_OK; i++) {
        const struct history_value engine[] = {
            history_integer(id), history_integer(number), history_integer((int64_t)i),
            history_text(strings_get(adding->profile->strings, launch->engines[i].name)),
            history_integer(launch->engines[i].ns)
        };

        code = insert(adding, TABLE_ENGINE, engine);
    }
    if (code == STATUS_OK)
        code = add_parts(adding, number, compare_parts, false, launch->general);
    if (code == STATUS_OK)
        code = add_parts(adding, number, launch->set->parts, true, launch->parts);
    if (code == STATUS_OK)
        code = add_counters(adding, number, launch);
    return code == STATUS_OK ? add_operators(adding, number, launch) : code;
}

static status take_found(void *context, const struct history_value *values)
{
    struct history_found *found = context;

    found->there = true;
    found->size = history_integer_at(&values[1]);
    text_copy(found->build, sizeof found->build, history_text_at(&values[6]));
    return STATUS_OK;
}

static status add_all(const struct adding *adding, struct history_found *found)
{
    const struct history *history = adding->history;
    const struct history_request request = { .table = TABLE_PROFILE, .ids = &adding->profile->id, .id_count = 1 };
    status code;

    *found = (struct history_found){ 0 };
    code = history->calls->read(history->self, &request, take_found, found);
    if (code == STATUS_OK && found->there && found->size != adding->profile->size)
        return status_fail(STATUS_INPUT, "%s: another file of the same hash was added before", adding->profile->name);
    if (code ==
        STATUS_INPUT) /* it is the store that cannot be used, not the profile: nobody may go on to the next one */
        code = STATUS_OUTPUT;
    if (code != STATUS_OK || found->there)
        return code;
    code = add_profile(adding);
    if (code == STATUS_OK)
        code = add_texts(adding);
    for (size_t i = 0; i < adding->profile->launch_count && code == STATUS_OK; i++)
        code = add_launch(adding, i);
    return code;
}

status history_add(const struct history *history, const struct history_profile *profile, struct history_found *found)
{
    const struct adding adding = { history, profile };
    status code = history->calls->begin(history->self);

    if (code != STATUS_OK)
        return code;
    code = add_all(&adding, found);
    if (code == STATUS_OK)
        return history->calls->end(history->self, true);
    (void)history->calls->end(history->self, false); /* never fails: what was begun is forgotten */
    return code;
}

status history_open_store(const char *name, bool write, struct history *history)
{
    return clickhouse_is_url(name) ? history_open_clickhouse(name, write, history)
                                   : history_open_sqlite(name, write, history);
}

status history_settle(const struct history *history)
{
    return history->calls->settle(history->self);
}

void history_close(struct history *history)
{
    if (history->calls)
        history->calls->close(history->self);
    *history = (struct history){ 0 };
}
