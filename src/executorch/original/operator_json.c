/* operator_json.c: operator_analysis.json: times are milliseconds per inference on average; shares are of Method::execute. */
#include <stdio.h>

#include "base/json_write.h"
#include "base/number.h"
#include "executorch/original/operator_files.h"

static void put_id(struct json_out *json, const char *key, const struct operators *side, string_id id)
{
    json_out_text(json, key, id ? strings_text(side->strings, id) : NULL);
}

/* `known` false: null. */
static void put_integer(struct json_out *json, const char *key, bool known, int64_t value)
{
    if (known)
        json_out_integer(json, key, value);
    else
        json_out_null(json, key);
}

/* ---- One side ---- */

static void put_latency(struct json_out *json, const struct operators *side)
{
    json_out_object(json, "e2e", JSON_ONE_LINE);
    json_out_integer(json, "runs", (int64_t)side->inferences);
    json_out_decimal(json, "total_ms", operators_ms(side, side->execute));
    json_out_decimal(json, "avg_ms", operators_average_ms(side, side->execute));
    json_out_decimal(json, "min_ms", operators_ms(side, side->execute_least));
    json_out_decimal(json, "max_ms", operators_ms(side, side->execute_most));
    json_out_end(json);
}

static void put_accounting(struct json_out *json, const struct operators *side)
{
    int64_t sum = operators_accounted(side);

    json_out_object(json, "accounting", JSON_ONE_LINE);
    json_out_decimal(json, "execute_ms", operators_average_ms(side, side->execute));
    json_out_decimal(json, "operators_ms", operators_average_ms(side, side->work));
    json_out_decimal(json, "call_overhead_ms", operators_average_ms(side, side->calls));
    json_out_decimal(json, "control_flow_ms", operators_average_ms(side, side->control));
    json_out_decimal(json, "framework_ms", operators_average_ms(side, side->framework));
    json_out_decimal(json, "sum_ms", operators_average_ms(side, sum));
    json_out_decimal(json, "difference_ms", operators_average_ms(side, number_add(side->execute, -sum)));
    json_out_integer(json, "events_outside", (int64_t)side->outside);
    json_out_end(json);
}

static void group_members(struct json_out *json, const struct operators *side, const struct operator_group *group)
{
    json_out_decimal(json, "total_ms", operators_ms(side, group->total));
    json_out_decimal(json, "avg_ms", operators_average_ms(side, group->total));
    json_out_decimal(json, "pct_of_e2e", operators_percent(side, group->total));
    json_out_decimal(json, "portable_ms", operators_average_ms(side, group->portable));
    json_out_integer(json, "operators", group->operators);
}

static void put_kinds(struct json_out *json, const struct operators *side, enum category category)
{
    struct operator_group kinds[OPERATOR_KIND_COUNT];

    operators_by_kind(side, kinds);
    json_out_array(json, "kinds", JSON_ONE_LINE);
    for (unsigned i = 0; i < OPERATOR_KIND_COUNT; i++) {
        if (!kinds[i].operators || operator_kind_category((enum operator_kind)i) != category)
            continue;
        json_out_object(json, NULL, JSON_ONE_LINE);
        json_out_text(json, "kind", operator_kind_key((enum operator_kind)i));
        group_members(json, side, &kinds[i]);
        json_out_end(json);
    }
    json_out_end(json);
}

static void put_categories(struct json_out *json, const struct operators *side)
{
    struct operator_group groups[CATEGORY_COUNT];

    operators_by_category(side, groups);
    json_out_array(json, "categories", JSON_LINES);
    for (unsigned i = 0; i < CATEGORY_COUNT; i++) {
        if (!groups[i].operators)
            continue;
        json_out_object(json, NULL, JSON_ONE_LINE);
        json_out_text(json, "category", category_title((enum category)i));
        group_members(json, side, &groups[i]);
        put_kinds(json, side, (enum category)i);
        json_out_end(json);
    }
    json_out_end(json);
}

/* What one kind of event, delegated or portable, adds up to. */
static void put_backend(struct json_out *json, const char *key, const struct operators *side, enum event_kind event)
{
    struct operator_group group = { 0 };

    for (size_t i = 0; i < side->sums.count; i++) {
        const struct operator_sum *sum = operators_at(side, i);

        if (sum->event != event)
            continue;
        group.total = number_add(group.total, sum->total);
        group.portable = event == EVENT_PORTABLE ? group.total : 0;
        group.operators++;
    }
    json_out_object(json, key, JSON_ONE_LINE);
    group_members(json, side, &group);
    json_out_end(json);
}

static void origin_members(struct json_out *json, const struct operators *side, const struct operator_sum *sum)
{
    const struct graph_node *node = sum->node;
    char source[512] = "";

    if (node && node->file)
        snprintf(source, sizeof source, node->line ? "%s:%u" : "%s", strings_text(side->strings, node->file),
                 node->line);
    put_id(json, "module", side, node ? node->module : 0);
    json_out_text(json, "source", source[0] ? source : NULL);
    put_id(json, "op", side, node ? node->type : 0);
    put_integer(json, "macs", node && node->macs, node ? (int64_t)node->macs : 0);
    json_out_text(json, "joined",
                  sum->join == JOIN_RECORDED   ? "recorded"
                  : sum->join == JOIN_INFERRED ? "inferred"
                                               : NULL);
}

static void kernel_members(struct json_out *json, const struct operator_sum *sum, const struct kernel_log *log)
{
    const struct kernel_use *use = sum->use;

    if (!log || !use)
        return;
    json_out_text(json, "kernel",
                  use->kernel == NO_ID ? NULL : strings_text(log->strings, kernel_at(log, use->kernel)->name));
    put_integer(json, "m", use->has_tile, (int64_t)use->m);
    put_integer(json, "n", use->has_tile, (int64_t)use->n);
    put_integer(json, "groups", use->has_tile, use->groups);
    put_integer(json, "mr", use->has_tile, use->mr);
    put_integer(json, "nr", use->has_tile, use->nr);
}

static void put_operator(struct json_out *json, const struct operators_document *document,
                         const struct operator_sum *sum)
{
    const struct operators *side = document->side;
    double rate = operators_gflops(side, sum);

    json_out_object(json, NULL, JSON_ONE_LINE);
    put_id(json, "name", side, sum->name);
    put_id(json, "type", side, sum->type);
    json_out_text(json, "category", category_title(operator_kind_category(sum->kind)));
    json_out_text(json, "kind", operator_kind_key(sum->kind));
    json_out_text(json, "backend",
                  sum->event == EVENT_PORTABLE ? "portable"
                  : sum->backend               ? strings_text(side->strings, sum->backend)
                                               : "delegated");
    json_out_truth(json, "portable", sum->event == EVENT_PORTABLE);
    put_integer(json, "instruction", sum->instruction >= 0, sum->instruction);
    put_integer(json, "call", sum->call != NO_ID, sum->call);
    put_integer(json, "delegate", sum->delegate != NO_ID, sum->delegate);
    json_out_integer(json, "place", sum->place);
    origin_members(json, side, sum);
    kernel_members(json, sum, document->log);
    json_out_integer(json, "events", (int64_t)sum->events);
    json_out_decimal(json, "total_ms", operators_ms(side, sum->total));
    json_out_decimal(json, "avg_ms", operators_average_ms(side, sum->total));
    json_out_decimal(json, "self_ms", operators_average_ms(side, sum->self));
    json_out_decimal(json, "pct_of_e2e", operators_percent(side, sum->total));
    if (rate > 0)
        json_out_decimal(json, "gflops", rate);
    json_out_truth(json, "over_5_percent", operators_is_bottleneck(side, sum));
    json_out_end(json);
}

/* In execution order; only those over 5 % for the list of bottlenecks. */
static void put_operators(struct json_out *json, const char *key, const struct operators_document *document,
                          bool bottlenecks)
{
    json_out_array(json, key, JSON_LINES);
    for (size_t i = 0; i < document->side->sums.count; i++) {
        const struct operator_sum *sum = operators_at(document->side, i);

        if (operators_is_work(sum) && (!bottlenecks || operators_is_bottleneck(document->side, sum)))
            put_operator(json, document, sum);
    }
    json_out_end(json);
}

static void side_members(struct json_out *json, const struct operators_document *document)
{
    json_out_text(json, "model", document->model);
    json_out_text(json, "label", document->label);
    json_out_array(json, "files", JSON_ONE_LINE);
    for (size_t i = 0; i < document->path_count; i++)
        json_out_text(json, NULL, document->paths[i]);
    json_out_end(json);
    json_out_integer(json, "launches", document->side->launches);
    put_latency(json, document->side);
    put_accounting(json, document->side);
    put_categories(json, document->side);
    put_backend(json, "delegated", document->side, EVENT_DELEGATED);
    put_backend(json, "portable", document->side, EVENT_PORTABLE);
    put_operators(json, "bottlenecks", document, true);
    put_operators(json, "operators", document, false);
}

/* ---- Two sides ---- */

static void pair_members(struct json_out *json, const struct operators_pair *pair, int64_t first, int64_t second)
{
    double first_ms = operators_average_ms(pair->first, first), second_ms = operators_average_ms(pair->second, second);
    double speedup = operators_pair_speedup(pair, first_ms, second_ms);

    json_out_decimal(json, "baseline_ms", pair->first_is_baseline ? first_ms : second_ms);
    json_out_decimal(json, "candidate_ms", pair->first_is_baseline ? second_ms : first_ms);
    if (speedup > 0)
        json_out_decimal(json, "speedup", speedup);
    else
        json_out_text(json, "speedup", NULL);
}

static void put_category_pairs(struct json_out *json, const struct operators_pair *pair)
{
    struct operator_group first[CATEGORY_COUNT], second[CATEGORY_COUNT];

    operators_by_category(pair->first, first);
    operators_by_category(pair->second, second);
    json_out_array(json, "categories", JSON_LINES);
    for (unsigned i = 0; i < CATEGORY_COUNT; i++) {
        if (!first[i].operators && !second[i].operators)
            continue;
        json_out_object(json, NULL, JSON_ONE_LINE);
        json_out_text(json, "category", category_title((enum category)i));
        pair_members(json, pair, first[i].total, second[i].total);
        json_out_end(json);
    }
    json_out_end(json);
}

/* Where an operator stands in the program. */
static void place_members(struct json_out *json, const struct operator_sum *sum)
{
    put_integer(json, "instruction", sum->instruction >= 0, sum->instruction);
    put_integer(json, "call", sum->call != NO_ID, sum->call);
    json_out_integer(json, "place", sum->place);
}

static void put_matched(struct json_out *json, const struct operators_pair *pair)
{
    json_out_array(json, "matched", JSON_LINES);
    for (size_t i = 0; i < pair->first->sums.count; i++) {
        const struct operator_sum *first = operators_at(pair->first, i), *second;

        if (pair->matches[i] == NO_ID || !operators_is_work(first))
            continue;
        second = operators_at(pair->second, pair->matches[i]);
        json_out_object(json, NULL, JSON_ONE_LINE);
        put_id(json, "baseline", pair->first, pair->first_is_baseline ? first->name : second->name);
        put_id(json, "candidate", pair->first, pair->first_is_baseline ? second->name : first->name);
        json_out_text(json, "category", category_title(operator_kind_category(first->kind)));
        place_members(json, first);
        origin_members(json, first->node ? pair->first : pair->second, first->node ? first : second);
        pair_members(json, pair, first->total, second->total);
        json_out_end(json);
    }
    json_out_end(json);
}

/* Operators of the baseline (or of the candidate) that the other side does not have. */
static void put_unmatched(struct json_out *json, const char *key, const struct operators_pair *pair, bool baseline)
{
    bool first = baseline == pair->first_is_baseline;
    const struct operators *side = first ? pair->first : pair->second;
    const uint32_t *matches = first ? pair->matches : pair->backwards;

    json_out_array(json, key, JSON_LINES);
    for (size_t i = 0; i < side->sums.count; i++) {
        const struct operator_sum *sum = operators_at(side, i);

        if (matches[i] != NO_ID || !operators_is_work(sum))
            continue;
        json_out_object(json, NULL, JSON_ONE_LINE);
        put_id(json, "name", side, sum->name);
        place_members(json, sum);
        json_out_decimal(json, "avg_ms", operators_average_ms(side, sum->total));
        json_out_end(json);
    }
    json_out_end(json);
}

static void comparison_members(struct json_out *json, const struct operators_pair *pair)
{
    json_out_text(json, "baseline", pair->first_is_baseline ? pair->first_label : pair->second_label);
    json_out_text(json, "candidate", pair->first_is_baseline ? pair->second_label : pair->first_label);
    json_out_text(json, "speedup_is", "baseline / candidate");
    json_out_object(json, "e2e", JSON_ONE_LINE);
    pair_members(json, pair, pair->first->execute, pair->second->execute);
    json_out_end(json);
    put_category_pairs(json, pair);
    put_matched(json, pair);
    put_unmatched(json, "only_baseline", pair, true);
    put_unmatched(json, "only_candidate", pair, false);
}

void operator_json_write(struct output *output, const struct operators_document *first,
                         const struct operators_document *second, const struct operators_pair *pair)
{
    struct json_out json;

    json_out_start(&json, output);
    json_out_object(&json, NULL, JSON_LINES);
    side_members(&json, first);
    if (second && pair) {
        json_out_object(&json, "compared_with", JSON_LINES);
        side_members(&json, second);
        json_out_end(&json);
        json_out_object(&json, "comparison", JSON_LINES);
        comparison_members(&json, pair);
        json_out_end(&json);
    }
    json_out_end(&json);
    json_out_finish(&json);
}
