/* advice_json.c: advice for a program. */
#include <math.h>

#include "page/advice_files.h"
#include "table/json.h"

static void write_ns(struct json_out *out, const char *key, double nanoseconds)
{
    if (isnan(nanoseconds))
        json_out_null(out, key);
    else
        json_out_integer(out, key, advice_rounded(nanoseconds));
}

static void write_row(struct json_out *out, const struct advice_row *row)
{
    json_out_object(out, NULL, JSON_ONE_LINE);
    json_out_text(out, "name", row->name);
    json_out_text(out, "location", row->location);
    write_ns(out, "time_ns", row->ns);
    write_ns(out, "saves_ns", row->saves_ns);
    if (row->count)
        json_out_unsigned(out, "count", row->count);
    if (row->remark)
        json_out_text(out, "remark", row->remark);
    json_out_end(out);
}

static void write_item(struct json_out *out, const char *key, const struct advice *advice,
                       const struct advice_item *item)
{
    json_out_object(out, key, JSON_LINES);
    json_out_text(out, "rule", item->rule->id);
    json_out_text(out, "title", item->title);
    json_out_text(out, "bound", advice_bound_key(item->bound));
    write_ns(out, "saves_ns", item->saves_ns);
    json_out_decimal(out, "share_percent", advice_share(advice, item->saves_ns));
    write_ns(out, "time_ns", item->ns);
    json_out_text(out, "evidence", item->evidence);
    json_out_text(out, "if", *item->assumes ? item->assumes : NULL);
    json_out_text(out, "ruled_out", item->ruled_out);
    json_out_text(out, "command", item->command);
    json_out_array(out, "where", JSON_LINES);
    for (size_t i = 0; i < item->row_count; i++)
        write_row(out, &item->rows[i]);
    json_out_end(out);
    json_out_unsigned(out, "where_more", item->rows_left);
    json_out_end(out);
}

static void write_items(struct json_out *out, const char *key, const struct advice *advice, size_t first, size_t count)
{
    json_out_array(out, key, JSON_LINES);
    for (size_t i = 0; i < count; i++)
        write_item(out, NULL, advice, advice->items[first + i]);
    json_out_end(out);
}

void advice_write_members(struct json_out *out, struct advice *advice)
{
    json_out_truth(out, "healthy", advice->healthy);
    write_ns(out, "run_ns", advice->run_ns);
    json_out_text(out, "headline", advice_headline(advice));
    write_items(out, "items", advice, 0, advice->count);
    write_items(out, "smaller", advice, advice->count, advice->smaller);
    if (advice->dominant)
        write_item(out, "dominates", advice, advice->dominant);
    else
        json_out_null(out, "dominates");
    json_out_array(out, "parts", JSON_LINES);
    for (size_t i = 0; i < advice->part_count; i++) {
        json_out_object(out, NULL, JSON_ONE_LINE);
        json_out_text(out, "part", advice->parts[i].name);
        write_ns(out, "time_ns", advice->parts[i].ns);
        json_out_end(out);
    }
    json_out_end(out);
    json_out_array(out, "notes", JSON_LINES);
    for (size_t i = 0; i < advice->note_count; i++)
        json_out_text(out, NULL, advice->notes[i]);
    json_out_end(out);
}

void table_write_member(struct json_out *out, const char *key, const struct table *table)
{
    json_out_array(out, key, JSON_LINES);
    for (size_t i = 0; i < table_rows(table); i++)
        json_write_row(json_out_value(out, NULL), table, i);
    json_out_end(out);
}

/* Takes the table over; NULL: out of memory. */
static void write_table(struct json_out *out, const char *key, struct table *table)
{
    status code = table ? table_status(table) : status_no_memory("making a table");

    if (code == STATUS_OK)
        table_write_member(out, key, table);
    else
        output_stick(out->output, code);
    table_free(table);
}

void advised_write_json(struct output *output, struct advised *advised)
{
    struct json_out out;

    json_out_start(&out, output);
    json_out_object(&out, NULL, JSON_LINES);
    json_out_text(&out, "profile", advised->advice.subject);
    json_out_text(&out, "summary", advised->advice.summary);
    advice_write_members(&out, &advised->advice);
    if (advised->roofs.count) {
        write_table(&out, "operations", roofs_item_table(&advised->roofs, "", SIZE_MAX, false));
        write_table(&out, "roofs", roofs_peak_table(&advised->roofs, ""));
    }
    json_out_end(&out);
    json_out_finish(&out);
}
