/* launches_table.c: a CSV of launches: one row per run, columns by name, the others are keys. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lines.h"
#include "base/memory.h"
#include "base/number.h"
#include "executorch/launches.h"

enum { MOST_COLUMNS = 64, VALUES_SHOWN = 8 };

enum field { FIELD_KEY, FIELD_LAUNCH, FIELD_ITERATION, FIELD_MS };

struct table_key {
    enum field field;
    string_id name;
    struct text wanted;             /* data NULL: not chosen */
    string_id values[VALUES_SHOWN]; /* met so far, for messages */
    unsigned value_count;
    bool has_value; /* a chosen row gave `value` */
    string_id value;
};

struct table_run {
    uint32_t launch; /* in order of first appearance */
    int64_t iteration;
    uint64_t order; /* of the row */
    double ms;
};

struct launch_table {
    struct launch_file *file;
    struct strings *strings;
    struct table_key keys[MOST_COLUMNS];
    size_t key_count;
    string_id *launches; /* their names */
    size_t launch_count, launch_capacity;
    uint32_t *by_name; /* launch + 1 of a name's id; 0: none yet */
    size_t name_count, name_capacity;
    struct table_run *runs;
    size_t run_count, run_capacity;
    bool strict;
};

/* ---- fields -------------------------------------------------------------------------------------------------------- */

static struct text trim(struct text text)
{
    while (text.length && (text.data[0] == ' ' || text.data[0] == '\t')) {
        text.data++;
        text.length--;
    }
    while (text.length && (text.data[text.length - 1] == ' ' || text.data[text.length - 1] == '\t'))
        text.length--;
    return text;
}

/* The fields of a line, without quotes around them; NULL: all went well. */
static const struct loss_reason *split(struct text line, struct text *fields, size_t *count)
{
    const char *next = line.data, *end = line.data + line.length;

    for (*count = 0;; (*count)++) {
        const char *stop;

        if (*count == MOST_COLUMNS)
            return &loss_fields;
        if (next < end && *next == '"') {
            const char *close = next + 1;

            while (close < end && (*close != '"' || (close + 1 < end && close[1] == '"')))
                close += *close == '"' ? 2 : 1;
            if (close >= end || (close + 1 < end && close[1] != ','))
                return &loss_quote;
            fields[*count] = (struct text){ next + 1, (size_t)(close - next - 1) };
            stop = close + 1;
        } else {
            stop = memchr(next, ',', (size_t)(end - next));
            stop = stop ? stop : end;
            fields[*count] = trim((struct text){ next, (size_t)(stop - next) });
        }
        if (stop == end)
            break;
        next = stop + 1;
    }
    (*count)++;
    return NULL;
}

static enum field field_of(struct text name)
{
    return text_is(name, "launch")      ? FIELD_LAUNCH
           : text_is(name, "iteration") ? FIELD_ITERATION
           : text_is(name, "ms")        ? FIELD_MS
                                        : FIELD_KEY;
}

bool launches_is_header(struct text line)
{
    struct text fields[MOST_COLUMNS];
    unsigned found[4] = { 0 };
    size_t count;

    if (split(line, fields, &count) != NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        found[field_of(fields[i])]++;
    return found[FIELD_LAUNCH] == 1 && found[FIELD_MS] == 1 && found[FIELD_ITERATION] <= 1;
}

/* ---- keys ---------------------------------------------------------------------------------------------------------- */

static void list_keys(const struct launch_table *table, char *to, size_t size)
{
    size_t length = 0;

    *to = '\0';
    for (size_t i = 0; i < table->key_count && length < size; i++)
        if (table->keys[i].field == FIELD_KEY)
            length += (size_t)snprintf(to + length, size - length, "%s%s", length ? ", " : "",
                                       strings_text(table->strings, table->keys[i].name));
    if (!length)
        snprintf(to, size, "none");
}

static void list_values(const struct launch_table *table, const struct table_key *key, char *to, size_t size)
{
    size_t length = 0;

    *to = '\0';
    for (unsigned i = 0; i < key->value_count && length < size; i++)
        length += (size_t)snprintf(to + length, size - length, "%s%s", i ? ", " : "",
                                   strings_text(table->strings, key->values[i]));
}

static status choose_keys(struct launch_table *table, const struct launch_choice *choice)
{
    char known[256];

    for (size_t i = 0; i < choice->count; i++) {
        const char *equals = strchr(choice->keys[i], '=');
        size_t length = equals ? (size_t)(equals - choice->keys[i]) : 0;
        bool found = false;

        if (!length)
            return status_fail(STATUS_USAGE, "\"%s\" is no KEY=VALUE", choice->keys[i]);
        for (size_t j = 0; j < table->key_count; j++) {
            struct table_key *key = &table->keys[j];
            struct text name = strings_get(table->strings, key->name);
            struct text wanted = { equals + 1, strlen(equals + 1) };

            if (key->field != FIELD_KEY || name.length != length || memcmp(name.data, choice->keys[i], length) != 0)
                continue;
            found = true;
            if (key->wanted.data &&
                (key->wanted.length != wanted.length || memcmp(key->wanted.data, wanted.data, wanted.length) != 0))
                return status_fail(STATUS_USAGE, "%s is chosen twice: %.*s and %s",
                                   strings_text(table->strings, key->name), (int)key->wanted.length, key->wanted.data,
                                   wanted.data);
            key->wanted = wanted;
        }
        list_keys(table, known, sizeof known);
        if (!found)
            return status_fail(STATUS_USAGE, "%s: it has no key \"%.*s\"; its keys: %s", table->file->path, (int)length,
                               choice->keys[i], known);
    }
    return STATUS_OK;
}

static void remember_value(struct table_key *key, string_id value)
{
    for (unsigned i = 0; i < key->value_count; i++)
        if (key->values[i] == value)
            return;
    if (key->value_count < VALUES_SHOWN)
        key->values[key->value_count++] = value;
}

/* Whether a row has the chosen keys; of the other keys it must have what the rows before it had. */
static status match_keys(struct launch_table *table, const struct text *fields, uint64_t line, bool *chosen)
{
    string_id values[MOST_COLUMNS];
    status code = STATUS_OK;

    *chosen = true;
    for (size_t i = 0; i < table->key_count && code == STATUS_OK; i++) {
        struct table_key *key = &table->keys[i];

        if (key->field != FIELD_KEY)
            continue;
        code = strings_add(table->strings, fields[i].data, fields[i].length, &values[i]);
        if (code != STATUS_OK)
            return code;
        remember_value(key, values[i]);
        if (key->wanted.data && !(key->wanted.length == fields[i].length &&
                                  memcmp(key->wanted.data, fields[i].data, fields[i].length) == 0))
            *chosen = false;
    }
    for (size_t i = 0; i < table->key_count && *chosen; i++) {
        struct table_key *key = &table->keys[i];
        const char *name = strings_text(table->strings, key->name);

        if (key->field != FIELD_KEY || key->wanted.data)
            continue;
        if (key->has_value && key->value != values[i])
            return status_fail_at(
                STATUS_USAGE, (struct place){ table->file->path, line, 0 },
                "%s=%s and %s=%s on one side: choose one with --where %s=%s, or compare them with --baseline "
                "%s=%s --candidate %s=%s",
                name, strings_text(table->strings, key->value), name, strings_text(table->strings, values[i]), name,
                strings_text(table->strings, key->value), name, strings_text(table->strings, key->value), name,
                strings_text(table->strings, values[i]));
        key->has_value = true;
        key->value = values[i];
    }
    return code;
}

/* ---- rows ---------------------------------------------------------------------------------------------------------- */

/* The launch of this name, made where it is new. */
static status find_launch(struct launch_table *table, struct text name, uint32_t *launch)
{
    string_id id;
    status code = strings_add(table->strings, name.data, name.length, &id);

    if (code == STATUS_OK)
        code = memory_grow(&table->by_name, &table->name_capacity, (size_t)id + 1, sizeof *table->by_name);
    if (code == STATUS_OK)
        code = memory_grow(&table->launches, &table->launch_capacity, table->launch_count + 1, sizeof *table->launches);
    if (code != STATUS_OK)
        return code;
    while (table->name_count <= id)
        table->by_name[table->name_count++] = 0;
    if (!table->by_name[id]) {
        table->launches[table->launch_count++] = id;
        table->by_name[id] = (uint32_t)table->launch_count;
    }
    *launch = table->by_name[id] - 1;
    return STATUS_OK;
}

/* The numbers of a row; NULL: all can be read. */
static const struct loss_reason *read_numbers(const struct launch_table *table, const struct text *fields,
                                              struct table_run *run, struct text *launch)
{
    for (size_t i = 0; i < table->key_count; i++) {
        switch (table->keys[i].field) {
        case FIELD_LAUNCH:
            *launch = fields[i];
            if (!launch->length)
                return &loss_fields;
            break;
        case FIELD_ITERATION:
            if (!number_parse_integer(fields[i].data, fields[i].length, &run->iteration))
                return &loss_number;
            break;
        case FIELD_MS:
            if (!number_parse_decimal(fields[i].data, fields[i].length, &run->ms))
                return &loss_number;
            if (!(run->ms > 0) || run->ms > 1e12)
                return &loss_time_range;
            break;
        case FIELD_KEY:
            break;
        }
    }
    return NULL;
}

static status lose(struct launch_table *table, const struct loss_reason *reason, uint64_t line)
{
    losses_add(&table->file->losses, reason, line);
    if (table->strict)
        return status_fail_at(STATUS_INPUT, (struct place){ table->file->path, line, 0 }, "%s", reason->text);
    return STATUS_OK;
}

static status read_row(struct launch_table *table, const struct line *line)
{
    struct table_run run = { .order = table->file->losses.rows, .iteration = (int64_t)table->file->losses.rows };
    struct text fields[MOST_COLUMNS], launch = { 0 };
    const struct loss_reason *reason;
    bool chosen;
    size_t count;
    status code;

    table->file->losses.rows++;
    if (line->too_long)
        return lose(table, &loss_too_long, line->number);
    if (memchr(line->data, '\0', line->length))
        return lose(table, &loss_binary, line->number);
    reason = split((struct text){ line->data, line->length }, fields, &count);
    if (reason == NULL && count != table->key_count)
        reason = &loss_fields;
    if (reason == NULL)
        reason = read_numbers(table, fields, &run, &launch);
    if (reason != NULL)
        return lose(table, reason, line->number);
    table->file->losses.used++;
    code = match_keys(table, fields, line->number, &chosen);
    if (code != STATUS_OK || !chosen) {
        table->file->not_chosen += !chosen;
        return code;
    }
    code = find_launch(table, launch, &run.launch);
    if (code == STATUS_OK)
        code = memory_grow(&table->runs, &table->run_capacity, table->run_count + 1, sizeof *table->runs);
    if (code == STATUS_OK)
        table->runs[table->run_count++] = run;
    return code;
}

static status read_header(struct launch_table *table, const struct line *line)
{
    struct text fields[MOST_COLUMNS];
    status code = STATUS_OK;

    if (split((struct text){ line->data, line->length }, fields, &table->key_count) != NULL)
        return status_fail_at(STATUS_INPUT, (struct place){ table->file->path, line->number, 1 },
                              "no header of a CSV of launches");
    for (size_t i = 0; i < table->key_count && code == STATUS_OK; i++) {
        table->keys[i] = (struct table_key){ .field = field_of(fields[i]) };
        code = strings_add(table->strings, fields[i].data, fields[i].length, &table->keys[i].name);
    }
    return code;
}

static status read_lines(struct launch_table *table, struct lines *lines, const struct launch_choice *choice)
{
    struct line line;
    bool found;
    status code = lines_next(lines, &line, &found);

    if (code == STATUS_OK && !found)
        return status_fail_at(STATUS_INPUT, (struct place){ table->file->path, 0, 0 }, "the file is empty");
    if (code == STATUS_OK)
        code = read_header(table, &line);
    if (code == STATUS_OK)
        code = choose_keys(table, choice);
    while (code == STATUS_OK) {
        code = lines_next(lines, &line, &found);
        if (code != STATUS_OK || !found)
            break;
        if (trim((struct text){ line.data, line.length }).length)
            code = read_row(table, &line);
    }
    return code;
}

/* ---- launches ------------------------------------------------------------------------------------------------------ */

static int compare_runs(const void *one, const void *other)
{
    const struct table_run *a = one, *b = other;

    if (a->launch != b->launch)
        return a->launch < b->launch ? -1 : 1;
    if (a->iteration != b->iteration)
        return a->iteration < b->iteration ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

static status make_launches(struct launch_table *table, struct launches *launches)
{
    status code = STATUS_OK;

    if (table->run_count)
        qsort(table->runs, table->run_count, sizeof *table->runs, compare_runs);
    for (size_t start = 0, end; start < table->run_count && code == STATUS_OK; start = end) {
        const char *text = strings_text(table->strings, table->launches[table->runs[start].launch]);
        char name[256];
        uint32_t *runs;
        double *ms;

        for (end = start + 1; end < table->run_count && table->runs[end].launch == table->runs[start].launch;)
            end++;
        snprintf(name, sizeof name, "launch %s", text);
        code = launches_new(launches, name, end - start, &ms, &runs);
        for (size_t i = start; i < end && code == STATUS_OK; i++) {
            const struct table_run *run = &table->runs[i];

            ms[i - start] = run->ms;
            runs[i - start] =
                run->iteration >= 0 && run->iteration <= UINT32_MAX ? (uint32_t)run->iteration : (uint32_t)(i - start);
            if (i > start && run->iteration == run[-1].iteration)
                losses_add(&table->file->losses, &loss_repeated_id, 0);
        }
    }
    return code;
}

/* No row is left: say why. */
static status fail_empty(const struct launch_table *table)
{
    const struct losses *losses = &table->file->losses;
    struct place place = { table->file->path, 0, 0 };
    char values[256];

    if (!losses->rows)
        return status_fail_at(STATUS_INPUT, place, "there is no row behind the header");
    if (!losses->used)
        return status_fail_at(STATUS_INPUT, place, "none of its %llu rows can be used",
                              (unsigned long long)losses->rows);
    for (size_t i = 0; i < table->key_count; i++) {
        const struct table_key *key = &table->keys[i];
        bool met = false;

        for (unsigned j = 0; j < key->value_count && key->wanted.data; j++) {
            struct text value = strings_get(table->strings, key->values[j]);

            met |= value.length == key->wanted.length && memcmp(value.data, key->wanted.data, value.length) == 0;
        }
        if (!key->wanted.data || met || key->value_count == VALUES_SHOWN)
            continue;
        list_values(table, key, values, sizeof values);
        return status_fail(STATUS_USAGE, "%s: no row has %s=%.*s; the values are %s", table->file->path,
                           strings_text(table->strings, key->name), (int)key->wanted.length, key->wanted.data, values);
    }
    return status_fail(STATUS_USAGE, "%s: no row has all of the chosen keys", table->file->path);
}

status launches_read_table(struct launches *launches, struct launch_file *file, struct input *input,
                           const struct launch_choice *choice, bool strict)
{
    struct launch_table table = { .file = file, .strings = strings_new(), .strict = strict };
    struct lines *lines = NULL;
    status code = table.strings ? lines_open(input, &lines) : status_no_memory("reading launches");

    if (code == STATUS_OK)
        code = read_lines(&table, lines, choice);
    if (code == STATUS_OK)
        code = table.run_count ? make_launches(&table, launches) : fail_empty(&table);
    lines_close(lines);
    memory_free(table.runs);
    memory_free(table.launches);
    memory_free(table.by_name);
    strings_free(table.strings);
    return code;
}
