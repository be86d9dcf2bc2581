/* overview.c: the same metrics as lines of a trace, as text, as JSON and side by side. */
#include "analyze/overview.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/format.h"
#include "base/memory.h"
#include "table/field.h"
#include "table/json.h"
#include "table/printer.h"

/* A line of the overview: one slice, as long as its metric. */
struct drawn_line {
    const char *name;            /* of the track */
    const char *label;           /* of the slice, before the time */
    const struct metric *metric; /* its length */
    const char *description;     /* NULL: the name says it */
};

/* The lines that are drawn, with the track above them. */
struct line_group {
    struct feed *feed;             /* borrowed */
    const struct metrics *metrics; /* borrowed */
    const char *name;              /* of the input */
    int32_t order;                 /* of the track above */
    int32_t count;                 /* lines so far */
    track_id track;                /* above all lines; announced with the first */
    clock_id clock;                /* of the lines */
};

static status draw_group(struct line_group *group)
{
    struct clock nanoseconds = clock_nanoseconds(0);
    struct track process = {
        .parent = NO_ID,
        .order = group->order,
        .kind = TRACK_PROCESS,
        .clock = NO_ID,
        .engine = &engine_overview,
    };
    status code = strings_add_format(group->feed->strings, &process.name, "%s Overview", group->name);

    if (code == STATUS_OK)
        code = feed_clock(group->feed, &nanoseconds, &group->clock);
    return code == STATUS_OK ? feed_track(group->feed, process, &group->track) : code;
}

static status draw_line(struct line_group *group, const struct drawn_line *line)
{
    const struct metrics *metrics = group->metrics;
    struct strings *strings = group->feed->strings;
    struct track track = { .kind = TRACK_SLICES, .engine = &engine_overview, .description = line->description };
    struct slice slice = { .op = NO_ID, .run = NO_ID };
    char duration[FORMAT_SIZE], percent[FORMAT_SIZE];
    status code = group->count ? STATUS_OK : draw_group(group);

    track.parent = group->track;
    track.order = group->count++;
    track.clock = group->clock;
    if (code == STATUS_OK)
        code = strings_add_text(strings, line->name, &track.name);
    slice.start = clock_ns(&metrics->clock, metrics->start);
    slice.end = slice.start + metrics_ns(metrics, line->metric);
    format_duration(duration, metrics_ns(metrics, line->metric));
    format_percent(percent, metrics_ticks(metrics, line->metric), metrics_ticks(metrics, &metric_overall));
    if (code == STATUS_OK && !line->metric->shareless && metrics_has(metrics, line->metric))
        code = strings_add_format(strings, &slice.name, "%s: %s (%s)", line->label, duration, percent);
    else if (code == STATUS_OK)
        code = strings_add_format(strings, &slice.name, "%s: %s", line->label, duration);
    if (code == STATUS_OK)
        code = feed_track(group->feed, track, &slice.track);
    return code == STATUS_OK ? sink_slice(&group->feed->sink, &slice) : code;
}

status overview_draw(struct feed *feed, const struct metrics *metrics, const char *name, int32_t order)
{
    struct line_group group = { .feed = feed, .metrics = metrics, .name = name, .order = order };
    status code = STATUS_OK;

    for (size_t i = 0; i < metrics->count && code == STATUS_OK; i++) {
        const struct metric *metric = metrics->set->rows[i];
        struct drawn_line line = { metric->label, metric->label, metric, metric->description };

        if (metrics->present[i] && metrics->ticks[i] && !metric->detail)
            code = draw_line(&group, &line);
    }
    return code;
}

status overview_draw_original(struct feed *feed, const struct metrics *metrics, const char *name, int32_t order)
{
    struct line_group group = { .feed = feed, .metrics = metrics, .name = name, .order = order };
    const struct metric_set *set = metrics->set;
    status code = STATUS_OK;

    for (size_t i = 0; set->lines[i].name && code == STATUS_OK; i++) {
        struct drawn_line line = { set->lines[i].name, set->lines[i].label, set->lines[i].metric, NULL };

        if (!set->known_lines || metrics_has(metrics, line.metric))
            code = draw_line(&group, &line);
    }
    return code;
}

/* ---- What the input tells ----------------------------------------------------------------------------------------- */

static bool is_computed(const struct metrics *metrics, const char *key)
{
    for (size_t i = 0; i < metrics->count; i++)
        if (metrics->present[i] && strcmp(metrics->set->rows[i]->key, key) == 0)
            return true;
    return false;
}

struct told overview_told(const struct told *told, const struct metrics *metrics)
{
    struct told beside = { .more = told->more };

    for (unsigned i = 0; i < told->count; i++)
        if (!is_computed(metrics, told->metrics[i].key))
            beside.metrics[beside.count++] = told->metrics[i];
    return beside;
}

double overview_told_percent(const struct told_metric *told, const struct metrics *metrics)
{
    int64_t whole = metrics_ns(metrics, &metric_overall);

    if (!metrics->whole)
        return NAN;
    return whole ? 100.0 * (double)told->ns / (double)whole : 0;
}

bool overview_told_note(const struct told *told, const struct metrics *metrics, char to[OVERVIEW_TOLD_NOTE])
{
    const size_t size = OVERVIEW_TOLD_NOTE;
    size_t length = (size_t)snprintf(to, size, "told by the trace, not computed:");

    for (unsigned i = 0; i < told->count; i++) {
        const struct told_metric *metric = &told->metrics[i];

        length += (size_t)snprintf(to + length, size - length, "%s %s", i ? "," : "", metric->label);
        if (metric->slices > 1)
            length += (size_t)snprintf(to + length, size - length, " (the sum of %llu slices)",
                                       (unsigned long long)metric->slices);
    }
    if (told->more)
        length += (size_t)snprintf(to + length, size - length, "%s %llu more that are not shown",
                                   told->count ? ", and" : "", (unsigned long long)told->more);
    if (told->count && !metrics->whole)
        length += (size_t)snprintf(to + length, size - length, "; of all of the trace, not of one run");
    assert(length < size);
    return told->count || told->more;
}

/* ---- Text --------------------------------------------------------------------------------------------------------- */

void overview_title(struct output *output, const struct overview *overview, unsigned width)
{
    const char *title = overview->metrics->set->title ? overview->metrics->set->title : "Profile Overview";
    size_t length = strlen(title) + 2;
    size_t rest = width > length ? width - length : 0;

    for (size_t i = 0; i < rest / 2; i++)
        output_write(output, "=", 1);
    output_format(output, " %s ", title);
    for (size_t i = 0; i < rest - rest / 2; i++)
        output_write(output, "=", 1);
    output_write(output, "\n", 1);
}

/* `  KEY (26 columns) VALUE (14 columns, right)  (PERCENT)` */
static void write_row(struct output *output, const char *key, const char *value, const char *percent)
{
    size_t key_width = format_width(key, strlen(key)), width = format_width(value, strlen(value));

    output_format(output, "  %s%*s %*s%s", key, key_width < 26 ? (int)(26 - key_width) : 0, "",
                  width < 14 ? (int)(14 - width) : 0, "", value);
    if (percent)
        output_format(output, "  (%s)", percent);
    output_write(output, "\n", 1);
}

/* Rows about the time around the run, which no metric of its inside can tell. */
static const struct metric around[] = {
    { .key = "wall_time", .label = "WALL_TIME", .shareless = true },
    { .key = "connection_time", .label = "CONNECTION", .shareless = true },
};
enum { AROUND = sizeof around / sizeof *around };

static bool is_around(const struct metric *metric)
{
    return metric == &around[0] || metric == &around[1];
}

/* -1: not given. */
static int64_t ns_around(const struct overview *overview, const struct metric *metric)
{
    return metric == &around[0] ? overview->wall_ns : overview->connection_ns;
}

static void format_wall(char *to, size_t size, int64_t wall_ns)
{
    if (wall_ns >= 1000000000)
        snprintf(to, size, "%.3fs", (double)wall_ns / 1e9);
    else
        snprintf(to, size, "%.3fms", (double)wall_ns / 1e6);
}

/* A text behind what it is, broken between words so that it fits. */
static void write_wrapped(struct output *output, const char *head, const char *text, unsigned width)
{
    size_t indent = strlen(head), room = width > indent + 20 ? width - indent : 60;

    output_write(output, head, indent);
    while (strlen(text) > room) {
        size_t cut = room;

        while (cut && text[cut] != ' ')
            cut--;
        if (!cut)
            break;
        output_format(output, "%.*s\n%*s", (int)cut, text, (int)indent, "");
        text += cut + 1;
    }
    output_format(output, "%s\n", text);
}

static void write_losses(struct output *output, const struct losses *losses, unsigned width)
{
    char text[512];

    if (!losses || !losses_total(losses))
        return;
    output_format(output, "  rows: %llu read, %llu used, %llu lost\n", (unsigned long long)losses->rows,
                  (unsigned long long)losses->used, (unsigned long long)losses->lost);
    for (unsigned i = 0; i < losses->reason_count; i++) {
        loss_describe(&losses->reasons[i], text, sizeof text);
        write_wrapped(output, "  loss: ", text, width);
    }
}

void overview_text(struct output *output, const struct overview *overview, unsigned width)
{
    const struct metrics *metrics = overview->metrics;
    char value[FORMAT_SIZE], percent[FORMAT_SIZE];

    output_format(output, "  Model: %s\n", overview->model);
    if (*overview->sentence)
        output_format(output, "  Runs: %s\n", overview->sentence);
    output_write(output, "  ", 2);
    for (unsigned i = 0; i < 52; i++)
        output_write(output, "\xe2\x94\x80", 3);
    output_write(output, "\n", 1);
    for (unsigned i = 0; i < AROUND; i++) {
        if (ns_around(overview, &around[i]) < 0)
            continue;
        format_wall(value, sizeof value, ns_around(overview, &around[i]));
        write_row(output, around[i].label, value, NULL);
    }
    for (size_t i = 0; i < metrics->count; i++) {
        const struct metric *metric = metrics->set->rows[i];

        if (!metrics->present[i] || metric->detail)
            continue;
        format_duration(value, metrics_ns(metrics, metric));
        format_percent(percent, metrics->ticks[i], metrics_ticks(metrics, &metric_overall));
        write_row(output, metric->label, value, metric->shareless ? NULL : percent);
    }
    for (unsigned i = 0; i < overview->told->count; i++) {
        const struct told_metric *told = &overview->told->metrics[i];

        format_duration(value, told->ns);
        format_percent(percent, told->ns, metrics_ns(metrics, &metric_overall));
        write_row(output, told->label, value, metrics->whole ? percent : NULL);
    }
    output_write(output, "\n", 1);
    write_losses(output, overview->losses, width > 80 ? width : 80);
    for (size_t i = 0; i < overview->note_count; i++)
        write_wrapped(output, "  note: ", overview->notes[i], width);
}

static void json_key(struct output *output, const char *key)
{
    output_write(output, ",\n  ", 4);
    json_write_string(output, key, strlen(key));
    output_write(output, ": ", 2);
}

static void json_runs(struct output *output, const struct counted_runs *runs)
{
    json_key(output, "runs");
    output_format(output, "{\"total\": %zu, \"counted\": %zu, \"warmup\": %zu, \"partial\": %zu}", runs->total,
                  runs->counted, runs->warmup, runs->partial);
}

static void json_losses(struct output *output, const struct losses *losses)
{
    json_key(output, "rows");
    output_format(output, "{\"read\": %llu, \"used\": %llu, \"lost\": %llu, \"reasons\": {",
                  (unsigned long long)losses->rows, (unsigned long long)losses->used, (unsigned long long)losses->lost);
    for (unsigned i = 0; i < losses->reason_count; i++)
        output_format(output, "%s\"%s\": %llu", i ? ", " : "", losses->reasons[i].reason->text,
                      (unsigned long long)losses->reasons[i].count);
    output_write(output, "}}", 2);
}

static void json_notes(struct output *output, const struct overview *overview)
{
    json_key(output, "notes");
    output_write(output, "[", 1);
    for (size_t i = 0; i < overview->note_count; i++) {
        if (i)
            output_write(output, ", ", 2);
        json_write_string(output, overview->notes[i], strlen(overview->notes[i]));
    }
    output_write(output, "]", 1);
}

/* Keys as those of metrics; one that would be that of a time around the run is told apart from it. */
static void json_told(struct output *output, const struct overview *overview)
{
    for (unsigned i = 0; i < overview->told->count; i++) {
        const struct told_metric *told = &overview->told->metrics[i];
        char key[TOLD_LABEL + 16];
        const char *before = "";

        snprintf(key, sizeof key, "%s_time", told->key);
        for (unsigned row = 0; row < AROUND; row++)
            if (strcmp(key, around[row].key) == 0)
                before = "told_";
        snprintf(key, sizeof key, "%s%s_time", before, told->key);
        json_key(output, key);
        json_write_integer(output, told->ns);
        snprintf(key, sizeof key, "%s%s_percent", before, told->key);
        json_key(output, key);
        json_write_decimal(output, overview_told_percent(told, overview->metrics));
    }
}

void overview_json(struct output *output, const struct overview *overview)
{
    const struct metrics *metrics = overview->metrics;
    char key[64];

    output_write(output, "{\n  \"model\": ", 13);
    json_write_string(output, overview->model, strlen(overview->model));
    for (unsigned i = 0; i < AROUND; i++) {
        if (ns_around(overview, &around[i]) < 0)
            continue;
        json_key(output, around[i].key);
        json_write_integer(output, ns_around(overview, &around[i]));
    }
    for (size_t i = 0; i < metrics->count; i++) {
        const struct metric *metric = metrics->set->rows[i];

        if (!metrics->present[i])
            continue;
        snprintf(key, sizeof key, "%s%s", metric->key, metric->shareless ? "" : "_time");
        json_key(output, key);
        json_write_integer(output, metrics_ns(metrics, metric));
        if (metric->shareless)
            continue;
        snprintf(key, sizeof key, "%s_percent", metric->key);
        json_key(output, key);
        json_write_decimal(output, metrics_percent(metrics, metric));
    }
    json_told(output, overview);
    json_runs(output, overview->runs);
    if (overview->losses)
        json_losses(output, overview->losses);
    json_notes(output, overview);
    for (size_t i = 0; i < overview->table_count; i++) {
        json_key(output, table_name(overview->tables[i]));
        printer_write(&json_printer, output, overview->tables[i], NULL);
    }
    output_write(output, "\n}", 2);
}

void overview_note_losses(struct table *table, const char *model, const struct losses *losses)
{
    const char *colon = model ? ": " : "";
    char text[512];

    model = model ? model : "";
    if (!losses_total(losses))
        return;
    table_note(table, "%s%srows: %llu read, %llu used, %llu lost", model, colon, (unsigned long long)losses->rows,
               (unsigned long long)losses->used, (unsigned long long)losses->lost);
    for (unsigned i = 0; i < losses->reason_count; i++) {
        loss_describe(&losses->reasons[i], text, sizeof text);
        table_note(table, "%s%sloss: %s", model, colon, text);
    }
}

/* ---- side by side ------------------------------------------------------------------------------------------------ */

/* A row: one of both. */
struct side_row {
    const struct metric *metric;    /* NULL: what inputs tell by themselves: */
    const struct told_metric *told; /* the first of its key */
};

/* Inputs, and the metrics that any of them can tell. */
struct comparison {
    const struct overview *overviews;
    size_t count;
    struct side_row *rows;
    size_t row_count;
    size_t capacity;
    struct field
        *fields; /* the label, a time and a share for each input, of two the difference, then one with key NULL */
    struct arena names; /* keys of the fields */
};

static struct table_cell get_label(const void *context, size_t row)
{
    const struct side_row *side = &((const struct comparison *)context)->rows[row];

    return cell_text(side->metric ? side->metric->label : side->told->label);
}

/* What an input tells by this key; NULL: nothing. */
static const struct told_metric *find_told(const struct overview *overview, const char *key)
{
    for (unsigned i = 0; i < overview->told->count; i++)
        if (strcmp(overview->told->metrics[i].key, key) == 0)
            return &overview->told->metrics[i];
    return NULL;
}

static struct table_cell get_time(const void *context, size_t row, size_t place)
{
    const struct comparison *comparison = context;
    const struct overview *overview = &comparison->overviews[place];
    const struct metric *metric = comparison->rows[row].metric;

    if (!metric) {
        const struct told_metric *told = find_told(overview, comparison->rows[row].told->key);

        return told ? cell_integer(told->ns) : cell_null();
    }
    if (is_around(metric))
        return ns_around(overview, metric) >= 0 ? cell_integer(ns_around(overview, metric)) : cell_null();
    return metrics_has(overview->metrics, metric) ? cell_integer(metrics_ns(overview->metrics, metric)) : cell_null();
}

static struct table_cell get_share(const void *context, size_t row, size_t place)
{
    const struct comparison *comparison = context;
    const struct overview *overview = &comparison->overviews[place];
    const struct metric *metric = comparison->rows[row].metric;

    if (!metric) {
        const struct told_metric *told = find_told(overview, comparison->rows[row].told->key);

        return told && overview->metrics->whole ? cell_decimal(overview_told_percent(told, overview->metrics))
                                                : cell_null();
    }
    if (metric->shareless || !metrics_has(overview->metrics, metric))
        return cell_null();
    return cell_decimal(metrics_percent(overview->metrics, metric));
}

/* Of two inputs: the second less the first, where both can tell. */
static struct table_cell get_difference(const void *context, size_t row)
{
    struct table_cell before = get_time(context, row, 0), after = get_time(context, row, 1);

    return before.null || after.null ? cell_null() : cell_integer(after.integer - before.integer);
}

static status add_row(struct comparison *comparison, const struct metric *metric, const struct told_metric *told)
{
    status code =
        memory_grow(&comparison->rows, &comparison->capacity, comparison->row_count + 1, sizeof *comparison->rows);

    if (code == STATUS_OK)
        comparison->rows[comparison->row_count++] = (struct side_row){ metric, told };
    return code;
}

static bool any_present(const struct comparison *comparison, const struct metric *metric)
{
    for (size_t i = 0; i < comparison->count && !metric->detail; i++)
        if (metrics_has(comparison->overviews[i].metrics, metric))
            return true;
    return false;
}

static bool has_row(const struct comparison *comparison, const struct metric *metric)
{
    for (size_t i = 0; i < comparison->row_count; i++)
        if (comparison->rows[i].metric == metric)
            return true;
    return false;
}

static bool has_told_row(const struct comparison *comparison, const char *key)
{
    for (size_t i = 0; i < comparison->row_count; i++)
        if (!comparison->rows[i].metric && strcmp(comparison->rows[i].told->key, key) == 0)
            return true;
    return false;
}

/* The times around runs where any is known, then the metrics of the first one's set, then those that only a later one has, then what
 * any of them tells by itself. */
static status choose_rows(struct comparison *comparison)
{
    status code = STATUS_OK;

    for (unsigned row = 0; row < AROUND; row++) {
        bool known = false;

        for (size_t i = 0; i < comparison->count; i++)
            known |= ns_around(&comparison->overviews[i], &around[row]) >= 0;
        if (known && code == STATUS_OK)
            code = add_row(comparison, &around[row], NULL);
    }
    for (size_t i = 0; i < comparison->count; i++) {
        const struct metric_set *set = comparison->overviews[i].metrics->set;

        for (size_t row = 0; row < comparison->overviews[i].metrics->count && code == STATUS_OK; row++)
            if (any_present(comparison, set->rows[row]) && !has_row(comparison, set->rows[row]))
                code = add_row(comparison, set->rows[row], NULL);
    }
    for (size_t i = 0; i < comparison->count; i++) {
        const struct told *told = comparison->overviews[i].told;

        for (unsigned row = 0; row < told->count && code == STATUS_OK; row++)
            if (!has_told_row(comparison, told->metrics[row].key))
                code = add_row(comparison, NULL, &told->metrics[row]);
    }
    return code;
}

/* "MODEL_time", cut where the name of the model is long. NULL: out of memory. */
static const char *name_field(struct comparison *comparison, const char *model, const char *what)
{
    char name[64];
    int length = snprintf(name, sizeof name, "%.40s_%s", model, what);

    return arena_copy(&comparison->names, name, (size_t)length);
}

static status make_fields(struct comparison *comparison)
{
    struct field *field = memory_allocate_clear((3 + 2 * comparison->count) * sizeof *field);
    bool named = true;

    comparison->fields = field;
    if (!field)
        return status_no_memory("making a table");
    *field++ = (struct field){
        .key = "metric", .title = "Metric", .type = CELL_TEXT, .description = "what is told", .get = get_label
    };
    for (size_t i = 0; i < comparison->count && named; i++) {
        const char *model = comparison->overviews[i].model;

        field[0] = (struct field){ .key = name_field(comparison, model, "time"),
                                   .title = model,
                                   .unit = "ns",
                                   .type = CELL_DURATION,
                                   .description = "how long, in this input",
                                   .get_at = get_time,
                                   .place = i };
        field[1] = (struct field){ .key = name_field(comparison, model, "percent"),
                                   .title = "%",
                                   .unit = "%",
                                   .type = CELL_PERCENT,
                                   .description = "of OVERALL, in this input",
                                   .get_at = get_share,
                                   .place = i };
        named = field[0].key && field[1].key;
        field += 2;
    }
    if (comparison->count == 2)
        *field = (struct field){ .key = "difference",
                                 .title = "Difference",
                                 .unit = "ns",
                                 .type = CELL_DURATION,
                                 .description = "the second input less the first",
                                 .get = get_difference };
    return named ? STATUS_OK : status_no_memory("making a table");
}

static void note_inputs(struct table *table, const struct overview *overviews, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (*overviews[i].sentence)
            table_note(table, "%s: %s", overviews[i].model, overviews[i].sentence);
        for (size_t j = 0; j < overviews[i].note_count; j++)
            table_note(table, "%s: %s", overviews[i].model, overviews[i].notes[j]);
        if (overviews[i].losses)
            overview_note_losses(table, overviews[i].model, overviews[i].losses);
    }
}

status overview_table(const struct overview *overviews, size_t count, struct table **table)
{
    static const struct view view = { .name = "overview", .title = "Overview" };
    static const struct view *const views[] = { &view, NULL };
    struct comparison comparison = { .overviews = overviews, .count = count };
    struct field_set set = { "metric", NULL };
    const struct field_set *const sets[] = { &set, NULL };
    status code = choose_rows(&comparison);

    if (code == STATUS_OK)
        code = make_fields(&comparison);
    if (code == STATUS_OK) {
        struct rows rows = { .entity = "metric", .sets = sets, .context = &comparison, .count = comparison.row_count };

        set.fields = comparison.fields;
        code = view_table(&rows, views, NULL, table);
    }
    if (code == STATUS_OK)
        note_inputs(*table, overviews, count);
    memory_free(comparison.fields);
    memory_free(comparison.rows);
    arena_free(&comparison.names);
    return code;
}
