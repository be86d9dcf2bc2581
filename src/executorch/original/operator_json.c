/* operator_json.c: times are milliseconds per inference on average; shares are of Method::execute. */
#include <stdio.h>

#include "base/number.h"
#include "executorch/original/operator_files.h"
#include "table/cell.h"
#include "table/json.h"

/* The members of an object, with commas between them. */
struct members {
    struct output *output;
    bool any;
};

static void key(struct members *members, const char *name)
{
    cell_write_plain(members->output, members->any ? ", " : "");
    members->any = true;
    json_write_text(members->output, name);
    cell_write_plain(members->output, ": ");
}

static void text(struct members *members, const char *name, const char *value)
{
    key(members, name);
    json_write_text(members->output, value);
}

static void id_text(struct members *members, const char *name, const struct operators *side, string_id id)
{
    text(members, name, id ? strings_text(side->strings, id) : NULL);
}

static void decimal(struct members *members, const char *name, double value)
{
    key(members, name);
    json_write_decimal(members->output, value);
}

static void integer(struct members *members, const char *name, int64_t value)
{
    key(members, name);
    json_write_integer(members->output, value);
}

/* `known` false: null. */
static void maybe_integer(struct members *members, const char *name, bool known, int64_t value)
{
    if (known)
        integer(members, name, value);
    else
        text(members, name, NULL);
}

static void truth(struct members *members, const char *name, bool value)
{
    key(members, name);
    cell_write_plain(members->output, value ? "true" : "false");
}

static struct members object(struct output *output)
{
    cell_write_plain(output, "{");
    return (struct members){ .output = output };
}

/* A section of the document: its own line. */
static void section(struct output *output, const char *indent, const char *name, bool first)
{
    cell_write_plain(output, first ? "\n" : ",\n");
    cell_write_plain(output, indent);
    json_write_text(output, name);
    cell_write_plain(output, ": ");
}

static void next_element(struct output *output, const char *indent, bool *any)
{
    cell_write_plain(output, *any ? ",\n  " : "\n  ");
    cell_write_plain(output, indent);
    *any = true;
}

static void end_array(struct output *output, const char *indent, bool any)
{
    if (any) {
        cell_write_plain(output, "\n");
        cell_write_plain(output, indent);
    }
    cell_write_plain(output, "]");
}

/* ---- One side ---- */

static void write_latency(struct output *output, const struct operators *side)
{
    struct members members = object(output);

    integer(&members, "runs", (int64_t)side->inferences);
    decimal(&members, "total_ms", operators_ms(side, side->execute));
    decimal(&members, "avg_ms", operators_average_ms(side, side->execute));
    decimal(&members, "min_ms", operators_ms(side, side->execute_least));
    decimal(&members, "max_ms", operators_ms(side, side->execute_most));
    cell_write_plain(output, "}");
}

static void write_accounting(struct output *output, const struct operators *side)
{
    struct members members = object(output);
    int64_t sum = operators_accounted(side);

    decimal(&members, "execute_ms", operators_average_ms(side, side->execute));
    decimal(&members, "operators_ms", operators_average_ms(side, side->work));
    decimal(&members, "call_overhead_ms", operators_average_ms(side, side->calls));
    decimal(&members, "control_flow_ms", operators_average_ms(side, side->control));
    decimal(&members, "framework_ms", operators_average_ms(side, side->framework));
    decimal(&members, "sum_ms", operators_average_ms(side, sum));
    decimal(&members, "difference_ms", operators_average_ms(side, number_add(side->execute, -sum)));
    integer(&members, "events_outside", (int64_t)side->outside);
    cell_write_plain(output, "}");
}

static void group_members(struct members *members, const struct operators *side, const struct operator_group *group)
{
    decimal(members, "total_ms", operators_ms(side, group->total));
    decimal(members, "avg_ms", operators_average_ms(side, group->total));
    decimal(members, "pct_of_e2e", operators_percent(side, group->total));
    decimal(members, "portable_ms", operators_average_ms(side, group->portable));
    integer(members, "operators", group->operators);
}

static void write_kinds(struct output *output, const struct operators *side, enum category category)
{
    struct operator_group kinds[OPERATOR_KIND_COUNT];
    bool any = false;

    operators_by_kind(side, kinds);
    cell_write_plain(output, "[");
    for (unsigned i = 0; i < OPERATOR_KIND_COUNT; i++) {
        struct members members;

        if (!kinds[i].operators || operator_kind_category((enum operator_kind)i) != category)
            continue;
        cell_write_plain(output, any ? ", " : "");
        any = true;
        members = object(output);
        text(&members, "kind", operator_kind_key((enum operator_kind)i));
        group_members(&members, side, &kinds[i]);
        cell_write_plain(output, "}");
    }
    cell_write_plain(output, "]");
}

static void write_categories(struct output *output, const struct operators *side, const char *indent)
{
    struct operator_group groups[CATEGORY_COUNT];
    bool any = false;

    operators_by_category(side, groups);
    cell_write_plain(output, "[");
    for (unsigned i = 0; i < CATEGORY_COUNT; i++) {
        struct members members;

        if (!groups[i].operators)
            continue;
        next_element(output, indent, &any);
        members = object(output);
        text(&members, "category", category_title((enum category)i));
        group_members(&members, side, &groups[i]);
        key(&members, "kinds");
        write_kinds(output, side, (enum category)i);
        cell_write_plain(output, "}");
    }
    end_array(output, indent, any);
}

/* What one kind of event, delegated or portable, adds up to. */
static void write_backend(struct output *output, const struct operators *side, enum event_kind event)
{
    struct operator_group group = { 0 };
    struct members members = object(output);

    for (size_t i = 0; i < side->sums.count; i++) {
        const struct operator_sum *sum = operators_at(side, i);

        if (sum->event != event)
            continue;
        group.total = number_add(group.total, sum->total);
        group.portable = event == EVENT_PORTABLE ? group.total : 0;
        group.operators++;
    }
    group_members(&members, side, &group);
    cell_write_plain(output, "}");
}

static void origin_members(struct members *members, const struct operators *side, const struct operator_sum *sum)
{
    const struct graph_node *node = sum->node;
    char source[512] = "";

    if (node && node->file)
        snprintf(source, sizeof source, node->line ? "%s:%u" : "%s", strings_text(side->strings, node->file),
                 node->line);
    id_text(members, "module", side, node ? node->module : 0);
    text(members, "source", source[0] ? source : NULL);
    id_text(members, "op", side, node ? node->type : 0);
    maybe_integer(members, "macs", node && node->macs, node ? (int64_t)node->macs : 0);
    text(members, "joined", sum->join == JOIN_RECORDED ? "recorded" : sum->join == JOIN_INFERRED ? "inferred" : NULL);
}

static void kernel_members(struct members *members, const struct operator_sum *sum, const struct kernel_log *log)
{
    const struct kernel_use *use = sum->use;

    if (!log || !use)
        return;
    text(members, "kernel",
         use->kernel == NO_ID ? NULL : strings_text(log->strings, kernel_at(log, use->kernel)->name));
    maybe_integer(members, "m", use->has_tile, (int64_t)use->m);
    maybe_integer(members, "n", use->has_tile, (int64_t)use->n);
    maybe_integer(members, "groups", use->has_tile, use->groups);
    maybe_integer(members, "mr", use->has_tile, use->mr);
    maybe_integer(members, "nr", use->has_tile, use->nr);
}

static void write_operator(struct output *output, const struct operators_document *document,
                           const struct operator_sum *sum)
{
    const struct operators *side = document->side;
    struct members members = object(output);
    double rate = operators_gflops(side, sum);

    id_text(&members, "name", side, sum->name);
    id_text(&members, "type", side, sum->type);
    text(&members, "category", category_title(operator_kind_category(sum->kind)));
    text(&members, "kind", operator_kind_key(sum->kind));
    text(&members, "backend",
         sum->event == EVENT_PORTABLE ? "portable"
         : sum->backend               ? strings_text(side->strings, sum->backend)
                                      : "delegated");
    truth(&members, "portable", sum->event == EVENT_PORTABLE);
    maybe_integer(&members, "instruction", sum->instruction >= 0, sum->instruction);
    maybe_integer(&members, "call", sum->call != NO_ID, sum->call);
    maybe_integer(&members, "delegate", sum->delegate != NO_ID, sum->delegate);
    integer(&members, "place", sum->place);
    origin_members(&members, side, sum);
    kernel_members(&members, sum, document->log);
    integer(&members, "events", (int64_t)sum->events);
    decimal(&members, "total_ms", operators_ms(side, sum->total));
    decimal(&members, "avg_ms", operators_average_ms(side, sum->total));
    decimal(&members, "self_ms", operators_average_ms(side, sum->self));
    decimal(&members, "pct_of_e2e", operators_percent(side, sum->total));
    if (rate > 0)
        decimal(&members, "gflops", rate);
    truth(&members, "over_5_percent", operators_is_bottleneck(side, sum));
    cell_write_plain(output, "}");
}

/* In execution order; only those over 5 % for the list of bottlenecks. */
static void write_operators(struct output *output, const struct operators_document *document, bool bottlenecks,
                            const char *indent)
{
    bool any = false;

    cell_write_plain(output, "[");
    for (size_t i = 0; i < document->side->sums.count; i++) {
        const struct operator_sum *sum = operators_at(document->side, i);

        if (!operators_is_work(sum) || (bottlenecks && !operators_is_bottleneck(document->side, sum)))
            continue;
        next_element(output, indent, &any);
        write_operator(output, document, sum);
    }
    end_array(output, indent, any);
}

static void write_side(struct output *output, const struct operators_document *document, const char *indent)
{
    section(output, indent, "model", true);
    json_write_text(output, document->model);
    section(output, indent, "label", false);
    json_write_text(output, document->label);
    section(output, indent, "files", false);
    cell_write_plain(output, "[");
    for (size_t i = 0; i < document->path_count; i++) {
        cell_write_plain(output, i ? ", " : "");
        json_write_text(output, document->paths[i]);
    }
    cell_write_plain(output, "]");
    section(output, indent, "launches", false);
    json_write_integer(output, document->side->launches);
    section(output, indent, "e2e", false);
    write_latency(output, document->side);
    section(output, indent, "accounting", false);
    write_accounting(output, document->side);
    section(output, indent, "categories", false);
    write_categories(output, document->side, indent);
    section(output, indent, "delegated", false);
    write_backend(output, document->side, EVENT_DELEGATED);
    section(output, indent, "portable", false);
    write_backend(output, document->side, EVENT_PORTABLE);
    section(output, indent, "bottlenecks", false);
    write_operators(output, document, true, indent);
    section(output, indent, "operators", false);
    write_operators(output, document, false, indent);
}

/* ---- Two sides ---- */

static void pair_members(struct members *members, const struct operators_pair *pair, int64_t first, int64_t second)
{
    double first_ms = operators_average_ms(pair->first, first), second_ms = operators_average_ms(pair->second, second);
    double speedup = operators_pair_speedup(pair, first_ms, second_ms);

    decimal(members, "baseline_ms", pair->first_is_baseline ? first_ms : second_ms);
    decimal(members, "candidate_ms", pair->first_is_baseline ? second_ms : first_ms);
    if (speedup > 0)
        decimal(members, "speedup", speedup);
    else
        text(members, "speedup", NULL);
}

static void write_category_pairs(struct output *output, const struct operators_pair *pair)
{
    struct operator_group first[CATEGORY_COUNT], second[CATEGORY_COUNT];
    bool any = false;

    operators_by_category(pair->first, first);
    operators_by_category(pair->second, second);
    cell_write_plain(output, "[");
    for (unsigned i = 0; i < CATEGORY_COUNT; i++) {
        struct members members;

        if (!first[i].operators && !second[i].operators)
            continue;
        next_element(output, "    ", &any);
        members = object(output);
        text(&members, "category", category_title((enum category)i));
        pair_members(&members, pair, first[i].total, second[i].total);
        cell_write_plain(output, "}");
    }
    end_array(output, "    ", any);
}

static void write_matched(struct output *output, const struct operators_pair *pair)
{
    bool any = false;

    cell_write_plain(output, "[");
    for (size_t i = 0; i < pair->first->sums.count; i++) {
        const struct operator_sum *first = operators_at(pair->first, i), *second;
        struct members members;

        if (pair->matches[i] == NO_ID || !operators_is_work(first))
            continue;
        second = operators_at(pair->second, pair->matches[i]);
        next_element(output, "    ", &any);
        members = object(output);
        id_text(&members, "baseline", pair->first, pair->first_is_baseline ? first->name : second->name);
        id_text(&members, "candidate", pair->first, pair->first_is_baseline ? second->name : first->name);
        text(&members, "category", category_title(operator_kind_category(first->kind)));
        maybe_integer(&members, "instruction", first->instruction >= 0, first->instruction);
        maybe_integer(&members, "call", first->call != NO_ID, first->call);
        integer(&members, "place", first->place);
        origin_members(&members, first->node ? pair->first : pair->second, first->node ? first : second);
        pair_members(&members, pair, first->total, second->total);
        cell_write_plain(output, "}");
    }
    end_array(output, "    ", any);
}

static void write_alone(struct output *output, const struct operators *side, const struct operator_sum *sum, bool *any)
{
    struct members members;

    next_element(output, "    ", any);
    members = object(output);
    id_text(&members, "name", side, sum->name);
    maybe_integer(&members, "instruction", sum->instruction >= 0, sum->instruction);
    maybe_integer(&members, "call", sum->call != NO_ID, sum->call);
    integer(&members, "place", sum->place);
    decimal(&members, "avg_ms", operators_average_ms(side, sum->total));
    cell_write_plain(output, "}");
}

/* Operators of the baseline (or of the candidate) that the other side does not have. */
static void write_unmatched(struct output *output, const struct operators_pair *pair, bool baseline)
{
    bool first = baseline == pair->first_is_baseline, any = false;
    const struct operators *side = first ? pair->first : pair->second;
    const uint32_t *matches = first ? pair->matches : pair->backwards;

    cell_write_plain(output, "[");
    for (size_t i = 0; i < side->sums.count; i++)
        if (matches[i] == NO_ID && operators_is_work(operators_at(side, i)))
            write_alone(output, side, operators_at(side, i), &any);
    end_array(output, "    ", any);
}

static void write_comparison(struct output *output, const struct operators_pair *pair)
{
    struct members members;

    section(output, "    ", "baseline", true);
    json_write_text(output, pair->first_is_baseline ? pair->first_label : pair->second_label);
    section(output, "    ", "candidate", false);
    json_write_text(output, pair->first_is_baseline ? pair->second_label : pair->first_label);
    section(output, "    ", "speedup_is", false);
    json_write_text(output, "baseline / candidate");
    section(output, "    ", "e2e", false);
    members = object(output);
    pair_members(&members, pair, pair->first->execute, pair->second->execute);
    cell_write_plain(output, "}");
    section(output, "    ", "categories", false);
    write_category_pairs(output, pair);
    section(output, "    ", "matched", false);
    write_matched(output, pair);
    section(output, "    ", "only_baseline", false);
    write_unmatched(output, pair, true);
    section(output, "    ", "only_candidate", false);
    write_unmatched(output, pair, false);
}

void operator_json_write(struct output *output, const struct operators_document *first,
                         const struct operators_document *second, const struct operators_pair *pair)
{
    cell_write_plain(output, "{");
    write_side(output, first, "  ");
    if (second && pair) {
        section(output, "  ", "compared_with", false);
        cell_write_plain(output, "{");
        write_side(output, second, "    ");
        cell_write_plain(output, "\n  }");
        section(output, "  ", "comparison", false);
        cell_write_plain(output, "{");
        write_comparison(output, pair);
        cell_write_plain(output, "\n  }");
    }
    cell_write_plain(output, "\n}\n");
}
