/* launches_table.c: a CSV of launches: one row per run, columns by name, the others are keys. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/memory.h"
#include "base/number.h"
#include "executorch/launches.h"

enum { MOST_COLUMNS = 64, VALUES_SHOWN = 8 };

enum column_kind { FIELD_KEY, FIELD_LAUNCH, FIELD_ITERATION, FIELD_MS };

struct table_key {
    enum column_kind field;         /* what its values are */
    string_id name;                 /* as in the header */
    struct text wanted;             /* data NULL: not chosen */
    string_id values[VALUES_SHOWN]; /* met so far, for messages */
    unsigned value_count;           /* of them */
    bool has_value;                 /* a chosen row gave `value` */
    string_id value;                /* that all chosen rows have */
};

struct table_run {
    uint32_t launch;   /* in order of first appearance */
    int64_t iteration; /* in its launch */
    uint64_t order;    /* of the row */
    double ms;         /* that it took */
};

struct launch_table {
    struct launch_file *file;             /* borrowed: losses are counted there */
    struct strings *strings;              /* its own: names and values */
    struct csv csv;                       /* the rows */
    struct table_key keys[MOST_COLUMNS];  /* by column */
    size_t key_count;                     /* columns of the header */
    status failure;                       /* of keeping names of columns */
    string_id *launches;                  /* their names */
    size_t launch_count, launch_capacity; /* of these */
    uint32_t *by_name;                    /* launch + 1 of a name's id; 0: none yet */
    size_t name_count, name_capacity;     /* of these */
    struct table_run *runs;               /* rows that were chosen */
    size_t run_count, run_capacity;       /* of these */
    bool strict;                          /* the first lost row is fatal */
};

/* ---- fields -------------------------------------------------------------------------------------------------------- */

static enum column_kind field_of(struct text name)
{
    return text_is(name, "launch")      ? FIELD_LAUNCH
           : text_is(name, "iteration") ? FIELD_ITERATION
           : text_is(name, "ms")        ? FIELD_MS
                                        : FIELD_KEY;
}

static unsigned count_field(void *context, struct text name)
{
    ((unsigned *)context)[field_of(name)]++;
    return CSV_NO_COLUMN;
}

bool launches_is_header(struct text head)
{
    unsigned found[4] = { 0 };
    const struct csv_wish wish = { .find = count_field, .context = found };
    bool none[1];

    return csv_probe(head, &wish, none) && found[FIELD_LAUNCH] == 1 && found[FIELD_MS] == 1 &&
           found[FIELD_ITERATION] <= 1;
}

/* Every field of the header is a column of its own. */
static unsigned add_key(void *context, struct text name)
{
    struct launch_table *table = context;
    struct table_key *key = &table->keys[table->key_count];

    if (table->key_count == MOST_COLUMNS || table->failure != STATUS_OK)
        return CSV_NO_COLUMN;
    *key = (struct table_key){ .field = field_of(name) };
    table->failure = strings_add(table->strings, name.data, name.length, &key->name);
    return (unsigned)table->key_count++;
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
            struct text wanted = text_of(equals + 1);

            if (key->field != FIELD_KEY || !text_equal(name, text_between(choice->keys[i], equals)))
                continue;
            found = true;
            if (key->wanted.data && !text_equal(key->wanted, wanted))
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
        if (key->wanted.data && !text_equal(key->wanted, fields[i]))
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

/* Why a row cannot be used; NULL: it can, and its numbers are in `run`. */
static const struct loss_reason *check_row(const struct launch_table *table, struct table_run *run, struct text *launch)
{
    const struct csv *csv = &table->csv;

    if (csv->problem == CSV_TOO_LONG)
        return &loss_too_long;
    if (memchr(csv->line.data, '\0', csv->line.length))
        return &loss_binary;
    if (csv->problem != CSV_FINE)
        return csv->problem == CSV_QUOTE ? &loss_quote : &loss_fields;
    return read_numbers(table, csv->values, run, launch);
}

static status read_row(struct launch_table *table)
{
    struct table_run run = { .order = table->file->losses.rows, .iteration = (int64_t)table->file->losses.rows };
    uint64_t line = table->csv.line.number;
    struct text launch = { 0 };
    const struct loss_reason *reason;
    bool chosen;
    status code;

    table->file->losses.rows++;
    reason = check_row(table, &run, &launch);
    if (reason != NULL)
        return lose(table, reason, line);
    table->file->losses.used++;
    code = match_keys(table, table->csv.values, line, &chosen);
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

static status read_rows(struct launch_table *table, const struct launch_choice *choice)
{
    bool found = true;
    status code = table->failure;

    if (code == STATUS_OK && table->csv.field_count > MOST_COLUMNS)
        code = status_fail_at(STATUS_INPUT, (struct place){ table->file->path, table->csv.line.number, 1 },
                              "more than %d columns are too many for a CSV of launches", MOST_COLUMNS);
    if (code == STATUS_OK)
        code = choose_keys(table, choice);
    while (code == STATUS_OK) {
        code = csv_next(&table->csv, &found);
        if (code != STATUS_OK || !found)
            break;
        code = read_row(table);
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
        code = launch_times_new(&launches->times, name, end - start, &ms, &runs);
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
    if (!losses->used) {
        losses_none_used(losses, values, sizeof values);
        return status_fail_at(STATUS_INPUT, place, "%s", values);
    }
    for (size_t i = 0; i < table->key_count; i++) {
        const struct table_key *key = &table->keys[i];
        bool met = false;

        for (unsigned j = 0; j < key->value_count && key->wanted.data; j++) {
            struct text value = strings_get(table->strings, key->values[j]);

            met |= text_equal(value, key->wanted);
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
    const struct csv_wish wish = { .count = MOST_COLUMNS, .flags = CSV_TRIM, .find = add_key, .context = &table };
    struct text head = { NULL, 0 };
    status code = table.strings ? input_head(input, &head) : status_no_memory("reading launches");

    if (code == STATUS_OK && !head.length)
        code = status_fail_at(STATUS_INPUT, (struct place){ file->path, 0, 0 }, "the file is empty");
    if (code == STATUS_OK) {
        code = csv_open(&table.csv, input, &wish);
        if (code == STATUS_OK)
            code = read_rows(&table, choice);
        csv_close(&table.csv);
    }
    if (code == STATUS_OK)
        code = table.run_count ? make_launches(&table, launches) : fail_empty(&table);
    memory_free(table.runs);
    memory_free(table.launches);
    memory_free(table.by_name);
    strings_free(table.strings);
    return code;
}
