/* rules_find.c: what rules find in one model: kernels outside of delegates, needless moves, slow work, the runtime's own time. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "executorch/operation.h"
#include "executorch/operator_facts.h"
#include "executorch/rules.h"
#include "trace/model.h"

static const struct operator_sum *sum_at(const struct rule_model *model, uint32_t op)
{
    return operators_at(model->side, op);
}

static double cluster_ns(const struct rule_model *model, const struct operator_cluster *cluster)
{
    double ns = 0;

    for (size_t i = 0; i < cluster->count; i++)
        ns += model->operators[cluster->members[i]].ns;
    return ns;
}

static struct text operation_at(const void *context, uint32_t op)
{
    const struct rule_model *model = context;

    return operator_operation(model->side, sum_at(model, op));
}

static const char *say(struct advice *advice, struct text text)
{
    return advice_say(advice, "%.*s", (int)text.length, text.data);
}

/* ---- Kernels outside of delegates ---- */

static bool is_portable(const void *context, uint32_t op)
{
    const struct rule_model *model = context;

    return sum_at(model, op)->event == EVENT_PORTABLE && model->operators[op].ns > 0 &&
           !operator_is_custom(model->side, sum_at(model, op));
}

/* Delegated operators that do the same: proof that the backend takes it. */
static size_t count_delegated(const struct rule_model *model, struct text operation)
{
    size_t count = 0;

    for (size_t i = 0; i < model->work; i++) {
        const struct operator_sum *sum = sum_at(model, model->order[i]);
        struct text other = operator_node_operation(model->side, sum);

        count += sum->event == EVENT_DELEGATED && other.length == operation.length && other.length &&
                 memcmp(other.data, operation.data, other.length) == 0;
    }
    return count;
}

static bool is_delegable(struct text operation)
{
    return operation_is_partitioned(operation) || operation_is_partitioned_with_product(operation);
}

/* Of its results; NULL: not known. */
static const char *result_type(const struct rule_model *model, uint32_t op)
{
    const struct graph_node *node = sum_at(model, op)->node;

    return node && node->dtype ? strings_text(model->side->strings, node->dtype) : NULL;
}

static bool is_foreign_type(const char *type)
{
    return type && (strcmp(type, "i64") == 0 || strcmp(type, "i32") == 0 || strcmp(type, "f64") == 0 ||
                    strcmp(type, "bool") == 0);
}

/* What was done at export, where that is not what a remedy would do. */
static const char *say_delegation(struct advice *advice, const struct rule_model *model, bool several)
{
    if (model->delegation == DELEGATED_NOWHERE)
        return "Nothing of the model is delegated. ";
    if (model->delegation == DELEGATED_ELSEWHERE)
        return advice_say(advice, "The model is delegated to %s, which did not take %s. ", model->backend,
                          several ? "them" : "it");
    return "";
}

/* What to do about an operator that XNNPACK has a rule for. */
static const char *say_export(struct advice *advice, const struct rule_model *model, const char *what)
{
    if (model->delegation == DELEGATED_XNNPACK)
        return advice_say(advice, "find out at export what kept %s out.", what);
    if (model->delegation == DELEGATED_ELSEWHERE)
        return advice_say(advice, "at export it may come behind that of %s.", model->backend);
    return advice_say(advice, "export with it, or where that was done find out what kept %s out.", what);
}

static const char *say_remedy(struct advice *advice, const struct rule_model *model,
                              const struct operator_cluster *cluster)
{
    size_t same = count_delegated(model, cluster->key);
    const char *name = say(advice, cluster->key), *type = result_type(model, cluster->members[0]);
    bool several = cluster->count > 1;
    const char *before = say_delegation(advice, model, several);

    if (operation_is_partitioned_with_product(cluster->key))
        return advice_say(advice,
                          "%sXNNPACK's partitioner takes %s as a part of the product or convolution that it quantises "
                          "for: %s",
                          before, name, say_export(advice, model, "that"));
    if (!operation_is_partitioned(cluster->key) && !same)
        return advice_say(
            advice,
            "%sXNNPACK's partitioner has no rule for %s: express it by operators that it takes, move it out "
            "of the model, or give it a faster kernel.",
            before, name);
    if (is_foreign_type(type))
        return advice_say(advice,
                          "%sXNNPACK takes %s, but not with results of type %s, as here: compute it in f32 or keep "
                          "it small.",
                          before, name, type);
    if (same)
        return advice_say(advice,
                          "%zu other %s of this model %s delegated: find out what keeps %s out (data type, rank, "
                          "dynamic shape).",
                          same, name, same == 1 ? "is" : "are", several ? "these" : "this one");
    return advice_say(advice, "%sXNNPACK's partitioner has a rule for %s: %s", before, name,
                      say_export(advice, model, several ? "these" : "it"));
}

static const char *rule_out_portable(struct advice *advice, const struct rule_model *model,
                                     const struct operator_cluster *cluster)
{
    const struct operator_sum *longest = sum_at(model, cluster->members[0]);
    const char *type = result_type(model, cluster->members[0]);
    bool f32 = type && strcmp(type, "f32") == 0 && operation_is_partitioned(cluster->key) &&
               model->delegation == DELEGATED_XNNPACK;
    bool own = longest->self == longest->total;

    if (!f32 && !own)
        return NULL;
    return advice_say(advice, "%s%s%s", own ? "the runtime's call around it: the time is the kernel's own" : "",
                      own && f32 ? "; " : "", f32 ? "the data type of the result: f32 can be delegated" : "");
}

/* What a delegate would leave of it is what memory allows, where that is known; else nothing is. */
static void claim_portable(struct advice *advice, struct advice_item *item, const struct rule_model *model,
                           const struct operator_cluster *cluster)
{
    double bounded_ns = 0, gigabytes = NAN, most = 0;

    for (size_t i = 0; i < cluster->count; i++) {
        const struct rule_operator *own = &model->operators[cluster->members[i]];
        bool bounded = own->roof && !isnan(own->roof->saves);

        rules_add_operator(advice, item, model, cluster->members[i],
                           bounded ? roofs_saves_ns(model->roofs, own->roof) * model->scale : own->ns);
        bounded_ns += bounded ? own->ns : 0;
        if (bounded && own->ns > most && own->roof->roof.gigabytes > 0) {
            most = own->ns;
            gigabytes = own->roof->roof.gigabytes;
        }
    }
    if (!isnan(gigabytes) && bounded_ns > cluster_ns(model, cluster) / 2) {
        advice_text(advice, item, "bounded", cluster->count > 1 ? "each moved" : "it moved");
        advice_text(advice, item, "gigabytes", advice_say_rate(advice, gigabytes));
        advice_text(advice, item, "proof",
                    model->input->peaks_file ? advice_say(advice, "the peak of %s", model->input->peaks_file)
                                             : "the best rate of delegated work here");
    } else {
        advice_text(advice, item, "free", cluster->count > 1 ? "they took no time" : "it took no time");
    }
}

static void add_portable(struct advice *advice, const struct advice_rule *rule, const struct rule_model *model,
                         const struct operator_cluster *cluster)
{
    struct advice_item *item = advice_add(advice, rule);
    const char *many = rules_say_many(advice, cluster->count, cluster->key);

    claim_portable(advice, item, model, cluster);
    advice_text(advice, item, is_delegable(cluster->key) ? "delegable" : "foreign", many);
    advice_text(advice, item, "many", many);
    advice_text(advice, item, "remedy", say_remedy(advice, model, cluster));
    advice_text(advice, item, "out", rule_out_portable(advice, model, cluster));
}

/* Operators of several operations, gathered; `members` has room for all. */
struct gathered {
    uint32_t *members;               /* owned */
    struct operator_cluster cluster; /* of these */
};

static void gather(struct gathered *to, const struct operator_cluster *cluster)
{
    memcpy(to->members + to->cluster.count, cluster->members, cluster->count * sizeof *to->members);
    to->cluster.count += cluster->count;
}

/* Nothing is delegated at all: one cause, one item. */
static void add_undelegated(struct advice *advice, const struct advice_rule *rule, const struct rule_model *model,
                            const struct operator_cluster *cluster)
{
    struct advice_item *item = advice_add(advice, rule);
    const char *operations = rules_say_operations(advice, model, cluster->members, cluster->count);

    claim_portable(advice, item, model, cluster);
    advice_text(advice, item, "undelegated", "nothing is delegated");
    advice_text(advice, item, "many",
                advice_say(advice, "%zu of the %zu operators (%s)", cluster->count, model->work, operations));
    advice_text(advice, item, "remedy",
                "XNNPACK's partitioner has rules for them, and not one operator of the model is delegated.");
}

/* What to do about those of several operations that the partitioner has rules for, and about the others. `room` is as long as the
 * cluster. */
static const char *say_remedies(struct advice *advice, const struct rule_model *model,
                                const struct operator_cluster *cluster, uint32_t *room)
{
    const char *text = say_delegation(advice, model, cluster->count > 1), *space = "";

    for (unsigned delegable = 2; delegable-- > 0;) {
        size_t count = 0;
        double ns = 0;

        for (size_t i = 0; i < cluster->count; i++)
            if (is_delegable(operation_at(model, cluster->members[i])) == (delegable == 1)) {
                room[count++] = cluster->members[i];
                ns += model->operators[cluster->members[i]].ns;
            }
        if (!count)
            continue;
        text = advice_say(advice, "%s%sXNNPACK's partitioner has %s for %s (%s): %s", text, space,
                          delegable ? (count > 1 ? "rules" : "a rule") : (count > 1 ? "no rules" : "no rule"),
                          rules_say_operations(advice, model, room, count), advice_say_time(advice, ns),
                          delegable   ? say_export(advice, model, count > 1 ? "these" : "it")
                          : count > 1 ? "express them by operators that it takes, or move them out of the model."
                                      : "express it by operators that it takes, or move it out of the model.");
        space = " ";
    }
    return text;
}

/* Small ones that only together are much. */
static void add_smaller(struct advice *advice, const struct advice_rule *rule, const struct rule_model *model,
                        const struct operator_cluster *cluster, uint32_t *room)
{
    struct advice_item *item = advice_add(advice, rule);

    claim_portable(advice, item, model, cluster);
    advice_text(advice, item, "smaller",
                advice_say(advice, "%zu smaller kernel%s", cluster->count, cluster->count == 1 ? "" : "s"));
    advice_text(advice, item, "many",
                advice_say(advice, "%zu operator%s (%s)", cluster->count, cluster->count == 1 ? "" : "s",
                           rules_say_operations(advice, model, cluster->members, cluster->count)));
    advice_text(advice, item, "remedy", say_remedies(advice, model, cluster, room));
}

void rules_find_portable(struct advice *advice, const struct advice_rule *rule, const void *context)
{
    const struct rule_model *model = context;
    struct operator_groups groups = rules_group(advice, model, is_portable, operation_at);
    uint32_t *room = memory_allocate(2 * (model->work + 1) * sizeof *room);
    struct gathered undelegated = { .members = room }, smaller = { .members = room ? room + model->work + 1 : NULL };

    if (!room && advice->failure == STATUS_OK)
        advice->failure = status_no_memory("looking at kernels");
    for (size_t i = 0; i < groups.count && room; i++) {
        const struct operator_cluster *cluster = &groups.items[i];

        if (!model->delegates && !model->delegated && is_delegable(cluster->key))
            gather(&undelegated, cluster);
        else if (advice_share(advice, cluster_ns(model, cluster)) > ADVICE_HEALTHY_PERCENT)
            add_portable(advice, rule, model, cluster);
        else
            gather(&smaller, cluster);
    }
    undelegated.cluster.members = undelegated.members;
    smaller.cluster.members = smaller.members;
    if (undelegated.cluster.count)
        add_undelegated(advice, rule, model, &undelegated.cluster);
    if (smaller.cluster.count)
        add_smaller(advice, rule, model, &smaller.cluster, undelegated.members);
    memory_free(room);
    operator_groups_free(&groups);
}

/* ---- Moves that nobody asked for ---- */

static bool is_inserted_move(const void *context, uint32_t op)
{
    const struct rule_model *model = context;

    return operator_is_inserted_move(model->side, sum_at(model, op)) && model->operators[op].ns > 0;
}

static struct text key_of_move(const void *context, uint32_t op)
{
    const struct rule_model *model = context;

    return sum_at(model, op)->kind == OPERATOR_KIND_QUANTISATION ? (struct text){ "conversion", 10 }
                                                                 : (struct text){ "move", 4 };
}

/* Those that stand first or last in their delegate change between the model's layout and the backend's. */
static size_t count_at_borders(const struct rule_model *model, const struct operator_cluster *cluster)
{
    size_t count = 0;

    for (size_t i = 0; i < cluster->count; i++) {
        uint32_t op = cluster->members[i];
        uint32_t delegate = sum_at(model, op)->delegate;
        bool is_last = op + 1 >= model->side->sums.count || sum_at(model, op + 1)->delegate != delegate;

        count += delegate != NO_ID && (sum_at(model, op)->place == 0 || is_last);
    }
    return count;
}

static const char *say_reason(struct advice *advice, const struct rule_model *model,
                              const struct operator_cluster *cluster)
{
    size_t borders;

    if (sum_at(model, cluster->members[0])->kind == OPERATOR_KIND_QUANTISATION)
        return "They change data types between neighbours: let operators of one data type stand together, or quantise "
               "statically.";
    borders = count_at_borders(model, cluster);
    if (2 * borders < cluster->count)
        return advice_say(
            advice,
            "Inside of a delegate: %zu of %zu. Keep one layout (channels last, or none) through the operators "
            "around them.",
            cluster->count - borders, cluster->count);
    return advice_say(
        advice,
        "At the start or the end of a delegate, where layouts change: %zu of %zu. Feed channels-last tensors, "
        "and have fewer borders.",
        borders, cluster->count);
}

void rules_find_layout(struct advice *advice, const struct advice_rule *rule, const void *context)
{
    const struct rule_model *model = context;
    struct operator_groups groups = rules_group(advice, model, is_inserted_move, key_of_move);

    for (size_t i = 0; i < groups.count; i++) {
        const struct operator_cluster *cluster = &groups.items[i];
        const char *operations = rules_say_operations(advice, model, cluster->members, cluster->count);
        const char *many = rules_say_many(advice, cluster->count, (struct text){ operations, strlen(operations) });
        bool conversion = sum_at(model, cluster->members[0])->kind == OPERATOR_KIND_QUANTISATION;
        struct advice_item *item = advice_add(advice, rule);

        for (size_t k = 0; k < cluster->count; k++)
            rules_add_operator(advice, item, model, cluster->members[k], model->operators[cluster->members[k]].ns);
        advice_text(advice, item, conversion ? "conversions" : "moves", many);
        advice_text(advice, item, "many", many);
        advice_text(advice, item, "reason", say_reason(advice, model, cluster));
    }
    operator_groups_free(&groups);
}

/* ---- Slow for its work ---- */

static bool is_low(const void *context, uint32_t op)
{
    const struct rule_model *model = context;
    const struct roof_item *roof = model->operators[op].roof;

    return sum_at(model, op)->event == EVENT_DELEGATED && !operator_is_inserted_move(model->side, sum_at(model, op)) &&
           roof && roof->saves > 0 && roof_reached(roof) < RULES_LOW_PERCENT &&
           !(model->operators[op].saved > 0); /* else a rule about pairs has spoken */
}

static struct text key_of_work(const void *context, uint32_t op)
{
    const struct rule_model *model = context;
    const struct operator_sum *sum = sum_at(model, op);
    const char *key = operator_is_depthwise(model->side, sum)  ? "depthwise convolution"
                      : operator_rows(model->side, sum) == 1   ? "product with a vector"
                      : sum->kind == OPERATOR_KIND_CONVOLUTION ? "convolution"
                      : sum->kind == OPERATOR_KIND_MATRIX      ? "matrix product"
                                                               : "operator";

    return (struct text){ key, strlen(key) };
}

static const char *say_why_low(struct advice *advice, const struct rule_model *model, uint32_t op)
{
    enum { FEW_ROWS = 4, FEW_FLOPS_PER_BYTE = 8 };
    const struct operator_sum *sum = sum_at(model, op);
    const struct roof_item *roof = model->operators[op].roof;
    uint64_t rows = operator_rows(model->side, sum);

    if (operator_is_depthwise(model->side, sum))
        return advice_say(advice,
                          "a depthwise convolution uses each value that it loads for few products (%.2g FLOPs per "
                          "byte), and half of a product's rate is what it can come to",
                          roof->point.intensity);
    if (rows && rows <= FEW_ROWS)
        return advice_say(advice, "M=%llu, so that each weight is read for %llu row%s only (%.2g FLOPs per byte)",
                          (unsigned long long)rows, (unsigned long long)rows, rows == 1 ? "" : "s",
                          roof->point.intensity);
    if (roof->point.intensity < FEW_FLOPS_PER_BYTE)
        return advice_say(advice, "it does little work for its data (%.2g FLOPs per byte)", roof->point.intensity);
    return NULL;
}

/* "94.7 GFLOP/s and 13.8 GB/s", as far as they are known. */
static const char *say_rates(struct advice *advice, double flops, double gigabytes, const char *between)
{
    const char *text = flops > 0 ? advice_say(advice, "%s GFLOP/s", advice_say_rate(advice, flops / 1e9)) : "";

    if (gigabytes > 0)
        text = advice_say(advice, "%s%s%s GB/s", text, *text ? between : "", advice_say_rate(advice, gigabytes));
    return text;
}

static void add_low(struct advice *advice, const struct advice_rule *rule, const struct rule_model *model,
                    const struct operator_cluster *cluster)
{
    const struct roof_item *longest = model->operators[cluster->members[0]].roof;
    const char *backend = operator_backend(model->side, sum_at(model, cluster->members[0]));
    struct advice_item *item = advice_add(advice, rule);
    double saves = 0, best = -1;

    for (size_t i = 0; i < cluster->count; i++) {
        const struct rule_operator *own = &model->operators[cluster->members[i]];
        double own_saves = roofs_saves_ns(model->roofs, own->roof) * model->scale;

        rules_add_operator(advice, item, model, cluster->members[i], own_saves);
        saves += own_saves;
        if (own_saves > best) {
            best = own_saves;
            longest = own->roof;
        }
    }
    advice_text(advice, item, "many",
                cluster->count > 1
                    ? advice_say(advice, "%zu %.*ss", cluster->count, (int)cluster->key.length, cluster->key.data)
                    : advice_say(advice, "the %.*s", (int)cluster->key.length, cluster->key.data));
    advice_percent(advice, item, "reached", (1 - saves / cluster_ns(model, cluster)) * 100);
    advice_text(advice, item, "rates", say_rates(advice, longest->point.flops, longest->point.gigabytes, " and "));
    advice_text(advice, item, "roofs", say_rates(advice, longest->roof.flops, longest->roof.gigabytes, " or "));
    advice_text(advice, item, "allowed",
                model->input->peaks_file ? advice_say(advice, "are possible by %s", model->input->peaks_file)
                : longest->any_size[0]   ? "are within reach by what other work does here"
                                         : "are reached by work of like size");
    advice_text(advice, item, "why", say_why_low(advice, model, longest->origin));
    advice_text(advice, item, "backend", backend);
}

void rules_find_low_rate(struct advice *advice, const struct advice_rule *rule, const void *context)
{
    struct operator_groups groups = rules_group(advice, context, is_low, key_of_work);

    for (size_t i = 0; i < groups.count; i++)
        add_low(advice, rule, context, &groups.items[i]);
    operator_groups_free(&groups);
}

/* ---- The runtime ---- */

/* Kernels between the first delegate and the last: what cuts the model into pieces. */
static void add_cutting(struct advice *advice, struct advice_item *item, const struct rule_model *model)
{
    uint32_t *members = memory_allocate((model->side->sums.count + 1) * sizeof *members);
    size_t kept = 0, met = 0;
    bool inside = false;
    double ns = 0;

    if (!members) {
        if (advice->failure == STATUS_OK)
            advice->failure = status_no_memory("looking at delegates");
        return;
    }
    for (uint32_t i = 0; i < model->side->sums.count; i++) {
        const struct operator_sum *sum = sum_at(model, i);

        if (sum->event == EVENT_DELEGATED) {
            inside = true;
            kept = met;
        } else if (sum->event == EVENT_PORTABLE && inside) {
            members[met++] = i;
        }
    }
    for (size_t i = 0; i < kept; i++) {
        const struct operator_sum *sum = sum_at(model, members[i]);

        ns += model->operators[members[i]].ns;
        /* Their own time is not what is to be saved here. */
        advice_row(advice, item,
                   (struct advice_row){ .name = strings_text(model->side->strings, sum->name),
                                        .location = rules_say_place(advice, model, sum),
                                        .remark = "between two delegates",
                                        .ns = NAN,
                                        .saves_ns = NAN });
    }
    if (kept) {
        advice_count(advice, item, "cutting", kept);
        advice_text(advice, item, "between", rules_say_operations(advice, model, members, kept));
        advice_time(advice, item, "between_time", ns);
    }
    memory_free(members);
}

static void add_delegates(struct advice *advice, const struct advice_rule *rule, const struct rule_model *model,
                          double all_ns, double longest_ns)
{
    struct advice_item *item = advice_add(advice, rule);

    advice_row(advice, item,
               (struct advice_row){ .name = "DELEGATE_CALL",
                                    .remark = "beside its operators",
                                    .ns = all_ns,
                                    .saves_ns = all_ns - longest_ns,
                                    .count = model->logged });
    advice_claim(advice, item, model->calls, all_ns - longest_ns);
    advice_count(advice, item, "delegates", model->logged);
    advice_count(advice, item, "each", (model->delegated + model->logged / 2) / model->logged);
    advice_time(advice, item, "call", all_ns / (double)model->logged);
    add_cutting(advice, item, model);
}

static void add_calls(struct advice *advice, const struct advice_rule *rule, const struct rule_model *model,
                      double all_ns)
{
    struct advice_item *item = advice_add(advice, rule);
    size_t others = 0;

    for (size_t i = 0; i < model->side->call_sums.count; i++)
        others += !operators_call(model->side, i)->delegate && !operators_call(model->side, i)->opaque;
    if (model->logged)
        advice_row(advice, item,
                   (struct advice_row){ .name = "DELEGATE_CALL",
                                        .remark = "beside its operators",
                                        .ns = all_ns,
                                        .saves_ns = all_ns,
                                        .count = model->logged });
    if (others)
        advice_row(advice, item,
                   (struct advice_row){ .name = "OPERATOR_CALL",
                                        .remark = "beside its kernel",
                                        .ns = rules_ns(model, model->side->calls) - all_ns,
                                        .saves_ns = rules_ns(model, model->side->calls) - all_ns,
                                        .count = others });
    advice_claim(advice, item, model->calls, rules_ns(model, model->side->calls));
    advice_count(advice, item, "calls", model->logged + others);
    if (model->logged && others)
        advice_count(advice, item, "delegates", model->logged);
}

/* Joined to one, delegates would be called once: that is what to do where it saves most of what calls take. */
void rules_find_calls(struct advice *advice, const struct advice_rule *rule, const void *context)
{
    const struct rule_model *model = context;
    double all_ns = 0, longest_ns = 0;

    assert(strcmp(rule->id, "small-delegates") == 0 && strcmp(rule[1].id, "calls") == 0);
    if (model->alone)
        return;
    for (size_t i = 0; i < model->side->call_sums.count; i++)
        if (operators_call(model->side, i)->delegate) {
            double ns = rules_ns(model, operators_call(model->side, i)->self);

            all_ns += ns;
            longest_ns = fmax(longest_ns, ns);
        }
    if (all_ns - longest_ns > rules_ns(model, model->side->calls) / 2)
        add_delegates(advice, rule, model, all_ns, longest_ns);
    else if (model->side->calls > 0)
        add_calls(advice, rule + 1, model, all_ns);
}

void rules_find_framework(struct advice *advice, const struct advice_rule *rule, const void *context)
{
    const struct rule_model *model = context;
    double ns = rules_ns(model, model->side->framework) - model->repeats_ns;
    double control = rules_ns(model, model->side->control);
    struct advice_item *item;

    if (!(ns + control > 0) || model->alone)
        return;
    item = advice_add(advice, rule);
    advice_row(advice, item,
               (struct advice_row){ .name = "Method::execute", .ns = ns + control, .saves_ns = ns + control });
    advice_claim(advice, item, model->framework, ns + control);
    if (control > 0)
        advice_time(advice, item, "control", control);
}
