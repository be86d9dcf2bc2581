/* overview.c: the same metrics as lines of a trace, as text, as JSON and side by side. */
#include "analyze/overview.h"

#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "table/json.h"
#include "table/printer.h"

static status draw_track(struct feed *feed, const struct metrics *metrics, const struct overview_line *row,
                         track_id process, clock_id clock, int32_t order)
{
    struct track track = {
        .parent = process, .order = order, .clock = clock, .kind = TRACK_SLICES, .engine = &engine_overview
    };
    struct slice slice = { .op = NO_ID, .run = NO_ID };
    char duration[FORMAT_SIZE], percent[FORMAT_SIZE];
    status code = strings_add_text(feed->strings, row->name, &track.name);

    slice.start = clock_ns(&metrics->clock, metrics->start);
    slice.end = slice.start + metrics_ns(metrics, row->metric);
    format_duration(duration, metrics_ns(metrics, row->metric));
    format_percent(percent, metrics_ticks(metrics, row->metric), metrics_ticks(metrics, &metric_overall));
    if (code == STATUS_OK && !row->metric->shareless && metrics_has(metrics, row->metric))
        code = strings_add_format(feed->strings, &slice.name, "%s: %s (%s)", row->label, duration, percent);
    else if (code == STATUS_OK)
        code = strings_add_format(feed->strings, &slice.name, "%s: %s", row->label, duration);
    if (code == STATUS_OK)
        code = feed_track(feed, track, &slice.track);
    return code == STATUS_OK ? sink_slice(&feed->sink, &slice) : code;
}

status overview_draw(struct feed *feed, const struct metrics *metrics, const char *name, int32_t order)
{
    struct clock nanoseconds = clock_nanoseconds(0);
    struct track process = {
        .parent = NO_ID, .order = order, .kind = TRACK_PROCESS, .clock = NO_ID, .engine = &engine_overview
    };
    const struct metric_set *set = metrics->set;
    track_id parent;
    clock_id clock;
    status code = strings_add_format(feed->strings, &process.name, "%s Overview", name);

    if (code == STATUS_OK)
        code = feed_clock(feed, &nanoseconds, &clock);
    if (code == STATUS_OK)
        code = feed_track(feed, process, &parent);
    for (size_t i = 0; set->lines[i].name && code == STATUS_OK; i++)
        if (!set->known_lines || metrics_has(metrics, set->lines[i].metric))
            code = draw_track(feed, metrics, &set->lines[i], parent, clock, (int32_t)i);
    return code;
}

void overview_title(struct output *output, unsigned width)
{
    static const char title[] = " Host Profile Overview ";
    size_t rest = width > sizeof title - 1 ? width - (sizeof title - 1) : 0;

    for (size_t i = 0; i < rest / 2; i++)
        output_write(output, "=", 1);
    output_write(output, title, sizeof title - 1);
    for (size_t i = 0; i < rest - rest / 2; i++)
        output_write(output, "=", 1);
    output_write(output, "\n", 1);
}

/* `  KEY (26 columns) VALUE (14 columns, right)  (PERCENT)` */
static void write_row(struct output *output, const char *key, const char *value, const char *percent)
{
    size_t width = format_width(value, strlen(value));

    output_format(output, "  %-26s %*s%s", key, width < 14 ? (int)(14 - width) : 0, "", value);
    if (percent)
        output_format(output, "  (%s)", percent);
    output_write(output, "\n", 1);
}

static void format_wall(char *to, size_t size, int64_t wall_ns)
{
    if (wall_ns >= 1000000000)
        snprintf(to, size, "%.3fs", (double)wall_ns / 1e9);
    else
        snprintf(to, size, "%.3fms", (double)wall_ns / 1e6);
}

static void write_losses(struct output *output, const struct losses *losses)
{
    char text[512];

    if (!losses || !losses_total(losses))
        return;
    output_format(output, "  rows: %llu read, %llu used, %llu lost\n", (unsigned long long)losses->rows,
                  (unsigned long long)losses->used, (unsigned long long)losses->lost);
    for (unsigned i = 0; i < losses->reason_count; i++) {
        loss_describe(&losses->reasons[i], text, sizeof text);
        output_format(output, "  loss: %s\n", text);
    }
}

/* A note, broken between words so that it fits. */
static void write_note(struct output *output, const char *note, unsigned width)
{
    static const char head[] = "  note: ";
    size_t room = width > sizeof head + 20 ? width - (sizeof head - 1) : 60;

    output_write(output, head, sizeof head - 1);
    while (strlen(note) > room) {
        size_t cut = room;

        while (cut && note[cut] != ' ')
            cut--;
        if (!cut)
            break;
        output_format(output, "%.*s\n%*s", (int)cut, note, (int)sizeof head - 1, "");
        note += cut + 1;
    }
    output_format(output, "%s\n", note);
}

void overview_text(struct output *output, const struct overview *overview, unsigned width)
{
    const struct metrics *metrics = overview->metrics;
    char value[FORMAT_SIZE], percent[FORMAT_SIZE];

    output_format(output, "  Model: %s\n  ", overview->model);
    for (unsigned i = 0; i < 52; i++)
        output_write(output, "\xe2\x94\x80", 3);
    output_write(output, "\n", 1);
    if (overview->wall_ns >= 0) {
        format_wall(value, sizeof value, overview->wall_ns);
        write_row(output, "WALL_TIME", value, NULL);
    }
    for (size_t i = 0; i < metrics->count; i++) {
        const struct metric *metric = metrics->set->rows[i];

        if (!metrics->present[i] || metric->detail)
            continue;
        format_duration(value, metrics_ns(metrics, metric));
        format_percent(percent, metrics->ticks[i], metrics_ticks(metrics, &metric_overall));
        write_row(output, metric->label, value, metric->shareless ? NULL : percent);
    }
    output_write(output, "\n", 1);
    write_losses(output, overview->losses);
    for (size_t i = 0; i < overview->note_count; i++)
        write_note(output, overview->notes[i], width);
}

static void json_key(struct output *output, const char *key)
{
    output_write(output, ",\n  ", 4);
    json_write_string(output, key, strlen(key));
    output_write(output, ": ", 2);
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

void overview_json(struct output *output, const struct overview *overview)
{
    const struct metrics *metrics = overview->metrics;
    char key[64];

    output_write(output, "{\n  \"model\": ", 13);
    json_write_string(output, overview->model, strlen(overview->model));
    if (overview->wall_ns >= 0) {
        json_key(output, "wall_time");
        json_write_integer(output, overview->wall_ns);
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
    if (overview->losses)
        json_losses(output, overview->losses);
    json_notes(output, overview);
    for (size_t i = 0; i < overview->table_count; i++) {
        json_key(output, table_name(overview->tables[i]));
        printer_write(&json_printer, output, overview->tables[i], NULL);
    }
    output_write(output, "\n}", 2);
}

static void add_overview_columns(struct table *table, const struct overview *overviews, size_t count)
{
    char name[64], title[128];

    table_add_column(table, (struct table_column){ .name = "metric", .title = "Metric", .type = CELL_TEXT });
    for (size_t i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%.40s_time", overviews[i].model);
        snprintf(title, sizeof title, "%s", overviews[i].model);
        table_add_column(table,
                         (struct table_column){ .name = name, .title = title, .unit = "ns", .type = CELL_DURATION });
        snprintf(name, sizeof name, "%.40s_percent", overviews[i].model);
        table_add_column(table, (struct table_column){ .name = name, .title = "%", .unit = "%", .type = CELL_PERCENT });
    }
}

static bool any_present(const struct overview *overviews, size_t count, const struct metric *metric)
{
    for (size_t i = 0; i < count && !metric->detail; i++)
        if (metrics_has(overviews[i].metrics, metric))
            return true;
    return false;
}

static void add_metric(struct table *table, const struct overview *overviews, size_t count, const struct metric *metric)
{
    table_add_row(table);
    table_set_text(table, 0, metric->label);
    for (size_t i = 0; i < count; i++) {
        if (!metrics_has(overviews[i].metrics, metric))
            continue;
        table_set_integer(table, 1 + 2 * i, metrics_ns(overviews[i].metrics, metric));
        if (!metric->shareless)
            table_set_decimal(table, 2 + 2 * i, metrics_percent(overviews[i].metrics, metric));
    }
}

/* A row for each metric that some input can tell: those of the first one's set, then those that only a later one has. */
static void add_metrics(struct table *table, const struct overview *overviews, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct metrics *metrics = overviews[i].metrics;

        for (size_t row = 0; row < metrics->count; row++) {
            const struct metric *metric = metrics->set->rows[row];
            bool shown = !any_present(overviews, count, metric);

            for (size_t before = 0; before < i && !shown; before++)
                for (size_t j = 0; j < overviews[before].metrics->count && !shown; j++)
                    shown = overviews[before].metrics->set->rows[j] == metric;
            if (!shown)
                add_metric(table, overviews, count, metric);
        }
    }
}

static void add_wall_times(struct table *table, const struct overview *overviews, size_t count)
{
    bool any = false;

    for (size_t i = 0; i < count; i++)
        any |= overviews[i].wall_ns >= 0;
    if (!any)
        return;
    table_add_row(table);
    table_set_text(table, 0, "WALL_TIME");
    for (size_t i = 0; i < count; i++)
        if (overviews[i].wall_ns >= 0)
            table_set_integer(table, 1 + 2 * i, overviews[i].wall_ns);
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

struct table *overview_table(const struct overview *overviews, size_t count)
{
    struct table *table = table_new("overview", "Overview");

    if (!table)
        return NULL;
    add_overview_columns(table, overviews, count);
    add_wall_times(table, overviews, count);
    add_metrics(table, overviews, count);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < overviews[i].note_count; j++)
            table_note(table, "%s: %s", overviews[i].model, overviews[i].notes[j]);
        if (overviews[i].losses)
            overview_note_losses(table, overviews[i].model, overviews[i].losses);
    }
    return table;
}
