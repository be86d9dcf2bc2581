/* timeline_stats.c: the statistics file beside a timeline: totals by type and backend, per inference. */
#include <stdlib.h>

#include "base/json_write.h"
#include "base/memory.h"
#include "base/number.h"
#include "executorch/original/pairwise.h"
#include "executorch/original/timeline.h"
#include "table/cell.h"

struct group {
    string_id type;      /* of its operators */
    struct text backend; /* that ran them */
    uint32_t nodes;      /* operators */
    uint32_t place;      /* in order of first appearance: ties keep it */
    double total_ms;     /* per inference */
    double lost;         /* of the compensated sum */
};

struct groups {
    struct group *items;    /* owned */
    size_t count, capacity; /* of items */
    double total_ms;        /* of all operators, as the original adds them */
};

static void group_add(struct group *group, double value)
{
    double next;

    value -= group->lost;
    next = group->total_ms + value;
    group->lost = next - group->total_ms - value;
    group->total_ms = next;
    group->nodes++;
}

static int compare_groups(const void *a, const void *b)
{
    const struct group *one = a, *other = b;

    if (one->total_ms != other->total_ms)
        return one->total_ms > other->total_ms ? -1 : 1;
    return one->place < other->place ? -1 : 1;
}

/* By type: few of them, and equal ones are close to each other; the last hit is tried first. */
static status find_group(struct groups *groups, string_id type, struct text backend, struct group **found)
{
    status code;

    for (size_t i = groups->count; i > 0; i--) {
        if (groups->items[i - 1].type == type && text_equal(groups->items[i - 1].backend, backend)) {
            *found = &groups->items[i - 1];
            return STATUS_OK;
        }
    }
    code = memory_grow(&groups->items, &groups->capacity, groups->count + 1, sizeof *groups->items);
    if (code != STATUS_OK)
        return code;
    *found = &groups->items[groups->count];
    **found = (struct group){ .type = type, .backend = backend, .place = (uint32_t)groups->count++ };
    return STATUS_OK;
}

static status collect(const struct timeline *timeline, struct groups *groups)
{
    double *averages = memory_allocate(((size_t)timeline_nodes(timeline) + 1) * sizeof *averages);
    status code = averages ? STATUS_OK : status_no_memory("adding up a timeline");

    for (uint32_t i = 0; i < timeline_nodes(timeline) && code == STATUS_OK; i++) {
        struct timeline_node node = timeline_node(timeline, i);
        struct group *group;

        code = find_group(groups, execution_operator_at(timeline_execution(timeline), node.op)->type, node.backend,
                          &group);
        if (code == STATUS_OK)
            group_add(group, node.average_ms);
        averages[i] = node.average_ms;
    }
    if (code == STATUS_OK)
        groups->total_ms = pairwise_sum(averages, timeline_nodes(timeline));
    memory_free(averages);
    if (groups->count)
        qsort(groups->items, groups->count, sizeof *groups->items, compare_groups);
    return code;
}

static void csv_decimal(struct output *output, double value)
{
    char text[40];

    text[0] = ',';
    output_write(output, text, 1 + number_write_shortest(text + 1, value));
}

static double percent_of(const struct groups *groups, const struct group *group)
{
    return groups->total_ms > 0 ? group->total_ms / groups->total_ms * 100.0 : 0.0;
}

status timeline_stats_csv(const struct timeline *timeline, struct output *output)
{
    struct strings *strings = timeline_execution(timeline)->strings;
    const char *model = timeline_model(timeline);
    struct groups groups = { 0 };
    status code = collect(timeline, &groups);

    output_format(output, "model_id,name,type,delegate_backend,count,total_ms,avg_ms,pct_total\r\n");
    for (size_t i = 0; i < groups.count && code == STATUS_OK; i++) {
        const struct group *group = &groups.items[i];
        const struct text fields[] = { text_of(model), strings_get(strings, group->type),
                                       strings_get(strings, group->type), group->backend };

        for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
            cell_write_field(output, fields[k].data, fields[k].length, ',');
            output_write(output, ",", 1);
        }
        output_format(output, "%u", group->nodes);
        csv_decimal(output, group->total_ms);
        csv_decimal(output, group->total_ms / group->nodes);
        csv_decimal(output, percent_of(&groups, group));
        output_write(output, "\r\n", 2);
    }
    memory_free(groups.items);
    return code == STATUS_OK ? output_status(output) : code;
}

status timeline_stats_json(const struct timeline *timeline, struct output *output)
{
    struct strings *strings = timeline_execution(timeline)->strings;
    struct groups groups = { 0 };
    struct json_out json;
    status code = collect(timeline, &groups);

    json_out_start(&json, output);
    json_out_array(&json, NULL, JSON_LINES);
    for (size_t i = 0; i < groups.count && code == STATUS_OK; i++) {
        const struct group *group = &groups.items[i];

        json_out_object(&json, NULL, JSON_LINES);
        json_out_string(&json, "name", strings_get(strings, group->type));
        json_out_string(&json, "type", strings_get(strings, group->type));
        json_out_string(&json, "delegate_backend", group->backend);
        json_out_unsigned(&json, "count", group->nodes);
        json_out_decimal(&json, "total_ms", group->total_ms);
        json_out_decimal(&json, "avg_ms", group->total_ms / group->nodes);
        json_out_decimal(&json, "pct_total", percent_of(&groups, group));
        json_out_text(&json, "model_id", timeline_model(timeline));
        json_out_end(&json);
    }
    json_out_end(&json);
    memory_free(groups.items);
    return code == STATUS_OK ? output_status(output) : code;
}
