/* device_json_setup.c: the layout of device_analysis_data.json, and its part about the setup. */
#include <stdlib.h>
#include <string.h>

#include "table/json.h"
#include "tenstorrent/original/device_json.h"

void nested_put_key(struct output *output, unsigned depth, bool *first, const char *key)
{
    if (!*first)
        nested_put(output, ",");
    *first = false;
    nested_new_line(output, depth);
    json_write_text(output, key);
    nested_put(output, ": ");
}

void nested_put_integer(struct output *output, unsigned depth, bool *first, const char *key, int64_t value)
{
    nested_put_key(output, depth, first, key);
    json_write_integer(output, value);
}

void nested_put_decimal(struct output *output, unsigned depth, bool *first, const char *key, double value)
{
    nested_put_key(output, depth, first, key);
    json_write_decimal(output, value);
}

void nested_close_object(struct output *output, unsigned depth)
{
    nested_new_line(output, depth);
    nested_put(output, "}");
}

void nested_open_list(struct output *output)
{
    nested_put(output, "[");
}

void nested_close_list(struct output *output, unsigned depth, bool empty)
{
    if (!empty)
        nested_new_line(output, depth);
    nested_put(output, "]");
}

static int compare_keys(const void *one, const void *other, void *context)
{
    const struct json *object = context;

    return strcmp(object->keys[*(const size_t *)one].data, object->keys[*(const size_t *)other].data);
}

static void put_object(struct output *output, const struct json *value, unsigned depth)
{
    enum { MOST_SORTED = 64 }; /* objects with more keys than any setup has stay as they are */
    size_t order[MOST_SORTED];
    bool sorted = value->count <= MOST_SORTED;
    bool first = true;

    nested_put(output, "{");
    for (size_t i = 0; i < value->count && sorted; i++)
        order[i] = i;
    if (sorted)
        qsort_r(order, value->count, sizeof *order, compare_keys, (void *)(uintptr_t)value);
    for (size_t i = 0; i < value->count; i++) {
        size_t place = sorted ? order[i] : i;

        nested_put_key(output, depth + 1, &first, value->keys[place].data);
        nested_put_value(output, &value->items[place], depth + 1);
    }
    if (value->count)
        nested_new_line(output, depth);
    nested_put(output, "}");
}

/* As deep as the parser lets a document be. */
void nested_put_value(struct output *output, const struct json *value, unsigned depth)
{
    switch (value->type) {
    case JSON_OBJECT:
        put_object(output, value, depth);
        break;
    case JSON_ARRAY:
        nested_open_list(output);
        for (size_t i = 0; i < value->count; i++) {
            nested_put(output, i ? "," : "");
            nested_new_line(output, depth + 1);
            nested_put_value(output, &value->items[i], depth + 1);
        }
        nested_close_list(output, depth, !value->count);
        break;
    case JSON_STRING:
        json_write_string(output, value->text.data, value->text.length);
        break;
    case JSON_NUMBER:
        output_write(output, value->text.data, value->text.length);
        break;
    default:
        nested_put(output, value->type == JSON_TRUE ? "true" : value->type == JSON_FALSE ? "false" : "null");
    }
}

static int compare_analyses(const void *one, const void *other, void *context)
{
    const struct device_setup *setup = context;

    return strcmp(setup->analyses[*(const unsigned *)one].name, setup->analyses[*(const unsigned *)other].name);
}

void device_sort_analyses(const struct device_setup *setup, unsigned order[DEVICE_ANALYSES])
{
    for (unsigned i = 0; i < setup->count; i++)
        order[i] = i;
    qsort_r(order, setup->count, sizeof *order, compare_analyses, (void *)(uintptr_t)setup);
}

static void put_texts(struct output *output, const char *const *texts, size_t count, unsigned depth)
{
    nested_open_list(output);
    for (size_t i = 0; i < count; i++) {
        nested_put(output, i ? "," : "");
        nested_new_line(output, depth + 1);
        json_write_text(output, texts[i]);
    }
    nested_close_list(output, depth, !count);
}

static void put_text_at(struct output *output, unsigned depth, bool *first, const char *key, const char *text)
{
    nested_put_key(output, depth, first, key);
    json_write_text(output, text);
}

static void put_colours(struct output *output, unsigned depth)
{
    static const char *const rows[][2] = { { "BRISC", "light:g" },      { "NCRISC", "light:r" },
                                           { "TENSIX", "light:b" },     { "TRISC_0", "light:gray" },
                                           { "TRISC_1", "light:gray" }, { "TRISC_2", "light:gray" } };
    bool first = true;

    nested_put(output, "{");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool inner = true;

        nested_put_key(output, depth + 1, &first, rows[i][0]);
        nested_put(output, "{");
        put_text_at(output, depth + 2, &inner, "color", rows[i][1]);
        nested_close_object(output, depth + 1);
    }
    nested_close_object(output, depth);
}

static void put_labels(struct output *output, unsigned depth)
{
    static const char *const labels[] = { "Start", "Firmware Start", "Kernel start", "Kernel End", "Firmware End" };

    nested_open_list(output);
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        nested_put(output, i ? "," : "");
        nested_new_line(output, depth + 1);
        nested_open_list(output);
        nested_new_line(output, depth + 2);
        json_write_integer(output, (int64_t)i);
        nested_put(output, ",");
        nested_new_line(output, depth + 2);
        json_write_text(output, labels[i]);
        nested_close_list(output, depth + 1, false);
    }
    nested_close_list(output, depth, false);
}

static void put_shown(struct output *output, const struct device_setup *setup, unsigned depth)
{
    const char *shown[STATISTIC_COUNT_OF];

    for (unsigned i = 0; i < setup->shown_count; i++)
        shown[i] = device_statistic_key(setup->shown[i]);
    put_texts(output, shown, setup->shown_count, depth);
}

static void put_definitions(struct output *output, const struct device_setup *setup, unsigned depth)
{
    unsigned order[DEVICE_ANALYSES];
    bool first = true;

    device_sort_analyses(setup, order);
    nested_put(output, "{");
    for (unsigned i = 0; i < setup->count; i++) {
        nested_put_key(output, depth + 1, &first, setup->analyses[order[i]].name);
        nested_put_value(output, setup->analyses[order[i]].definition, depth + 1);
    }
    nested_close_object(output, depth);
}

void device_setup_write(struct output *output, const struct device_setup *setup,
                        const struct device_json_options *options, unsigned depth)
{
    static const char *const riscs[] = { "BRISC", "NCRISC", "TRISC_0", "TRISC_1", "TRISC_2", "ERISC" };
    bool first = true;

    nested_put(output, "{");
    put_text_at(output, depth + 1, &first, "deviceAnalysisData", DEVICE_ANALYSIS_FILE);
    put_text_at(output, depth + 1, &first, "deviceChromeTracing", DEVICE_CHROME_FILE);
    put_text_at(output, depth + 1, &first, "devicePerfHTML", "timeline.html");
    put_text_at(output, depth + 1, &first, "deviceRearranged", DEVICE_REARRANGED_FILE);
    put_text_at(output, depth + 1, &first, "deviceStatsTXT", DEVICE_STATS_FILE);
    put_text_at(output, depth + 1, &first, "deviceTarball", "device_perf_results.tgz");
    nested_put_key(output, depth + 1, &first, "displayStats");
    put_shown(output, setup, depth + 1);
    put_text_at(output, depth + 1, &first, "outputFolder", options->folder);
    nested_put_integer(output, depth + 1, &first, "plotBaseHeight", 200);
    nested_put_integer(output, depth + 1, &first, "plotPerCoreHeight", 100);
    nested_put_key(output, depth + 1, &first, "riscs");
    put_texts(output, riscs, setup->zones ? 6 : 5, depth + 1);
    nested_put_key(output, depth + 1, &first, "riscsData");
    put_colours(output, depth + 1);
    nested_put_key(output, depth + 1, &first, "timerAnalysis");
    put_definitions(output, setup, depth + 1);
    nested_put_key(output, depth + 1, &first, "timerIDLabels");
    put_labels(output, depth + 1);
    nested_put_integer(output, depth + 1, &first, "webappPort", options->port);
    nested_close_object(output, depth);
}
