/* rules.c: the model that rules look at, the rules, and what they rest on. */
#include "executorch/rules.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/command_word.h"
#include "base/memory.h"
#include "base/number.h"
#include "executorch/operation.h"
#include "executorch/operator_facts.h"
#include "trace/model.h"

static const double DEPTHWISE_REACH =
    0.5; /* of a peak of products: two loads for each multiply-accumulate, where tiles need next to none */
static const double VECTOR_REACH =
    0.5; /* the same for a product with a vector: each weight is loaded for one multiply-accumulate */

/* ---- The rules ---- */

#define SHOW_OPERATORS "tacho operators {input}[{files}] --verbose"
#define SHOW_TRACE "tacho convert {input}[{files}] -o trace.pb"

const struct advice_rule rules_of_model[] = {
    { .id = "portable",
      .looks_for = "kernels outside of every delegate",
      .bound = ADVICE_KERNEL,
      .title = "[Export with the XNNPACK partitioner: {undelegated}][Get {delegable} delegated][Replace {foreign}, or "
               "give {rows~it:them} a faster kernel][Delegate or replace {smaller} outside of delegates]",
      .evidence = "{many} {rows~runs in a portable kernel:run in portable kernels}, outside of every delegate, and "
                  "{rows~takes:take} {time} of {run} ({time_share}). {remedy}",
      .assumes = "[if {bounded} its tensors at {gigabytes} GB/s, {proof}][if {free}]",
      .ruled_out = "{out}",
      .command = SHOW_OPERATORS,
      .find = rules_find_portable },
    { .id = "layout",
      .looks_for = "transposes, copies and conversions that the backend or the export put between operators",
      .bound = ADVICE_MEMORY,
      .title = "[Keep one data type: do without {conversions}][Keep one layout: do without {moves}]",
      .evidence =
          "{many} {rows~takes:take} {time} of {run} ({time_share}) and {rows~computes:compute} nothing. {reason}",
      .assumes = "if the operators around {rows~it:them} took the tensors as they are",
      .command = SHOW_TRACE,
      .find = rules_find_layout },
    { .id = "low-rate",
      .looks_for = "delegated work under half of what work of like size reaches, or of the peaks of --arch",
      .bound = ADVICE_KERNEL,
      .title = "Bring {many} to the rate of like work: at {reached} of it now",
      .evidence = "{first} takes {first_time}: {rates}, where {roofs} {allowed}[; {why}].",
      .assumes = "if each ran at such a rate",
      .ruled_out = "delegation: {rows~it is:they are} delegated[ to {backend}]",
      .command = SHOW_OPERATORS,
      .find = rules_find_low_rate },
    { .id = "small-delegates",
      .looks_for = "many delegates, so that their calls take time beside the operators in them",
      .bound = ADVICE_LATENCY,
      .title = "Join the {delegates} delegates",
      .evidence =
          "A run enters {delegates} delegates (DELEGATE_CALL) for {each:operator:operators} each on average, and "
          "{time} of {run} ({time_share}) pass in these calls beside the operators: {call} a call.[ "
          "{cutting:kernel:kernels} outside of delegates {cutting~stands:stand} between them: {between}.]",
      .assumes = "if one delegate did all of it, and its call took as long as the longest of these does",
      .ruled_out = "warm-up: {counted}[; the kernels between them: these take {between_time}, which is counted apart]",
      .command = SHOW_TRACE,
      .find = rules_find_calls },
    { .id = "calls",
      .looks_for = "time in the runtime's calls beside the operators in them, where few delegates are called",
      .bound = ADVICE_LATENCY,
      .title = "Spend less time in calls of the runtime",
      .evidence =
          "{calls:call:calls} of the runtime {calls~takes:take} {time} of {run} ({time_share}) beside the operators "
          "in {calls~it:them}[; {delegates} of them {delegates~enters:enter} a delegate].",
      .assumes = "if calls took no time: set-up of delegates, copies of their inputs and outputs, thread pools",
      .ruled_out = "warm-up: {counted}",
      .command = SHOW_TRACE },
    { .id = "framework",
      .looks_for = "time in Method::execute outside of every call",
      .bound = ADVICE_LATENCY,
      .title = "Look at what Method::execute does besides its operators",
      .evidence =
          "{time} of {run} ({time_share}) pass in Method::execute outside of every call[; jumps and moves of the "
          "program take {control} of it].",
      .assumes = "if it took no time",
      .ruled_out = "warm-up: {counted}",
      .command = SHOW_TRACE,
      .find = rules_find_framework },
    { 0 },
};

static const struct advice_rules of_model = { "inferences (an ETDump, a timeline)", rules_of_model };
static const struct advice_rules of_pair = { "reports about two builds", rules_of_pair };
const struct advice_rules *const executorch_rules[] = { &of_model, &of_pair, NULL };

/* ---- Texts ---- */

double rules_ns(const struct rule_model *model, int64_t ticks)
{
    return operators_average_ms(model->side, ticks) * 1e6;
}

const char *rules_say_many(struct advice *advice, size_t count, struct text name)
{
    return count > 1 ? advice_say(advice, "%zu x %.*s", count, (int)name.length, name.data)
                     : advice_say(advice, "%.*s", (int)name.length, name.data);
}

const char *rules_say_operations(struct advice *advice, const struct rule_model *model, const uint32_t *members,
                                 size_t count)
{
    char list[OPERATOR_LIST];

    operator_list(model->side, members, count, list);
    return advice_say(advice, "%s", list);
}

const char *rules_say_place(struct advice *advice, const struct rule_model *model, const struct operator_sum *sum)
{
    const char *module = sum->node && sum->node->module ? strings_text(model->side->strings, sum->node->module) : "";
    char source[512];

    operator_source(model->side, sum->node, source, sizeof source);
    if (!*source && !*module)
        return NULL;
    return advice_say(advice, "%s%s%s", source, *source && *module ? ", " : "", module);
}

/* "1x32x112x112, 30.6 GFLOP/s" */
static const char *say_remark(struct advice *advice, const struct rule_model *model, uint32_t op)
{
    const struct operator_sum *sum = operators_at(model->side, op);
    const struct roof_item *roof = model->operators[op].roof;
    const char *text = sum->node && sum->node->shape ? strings_text(model->side->strings, sum->node->shape) : "";

    if (roof && roof->point.flops > 0)
        text = advice_say(advice, "%s%s%s GFLOP/s", text, *text ? ", " : "",
                          advice_say_rate(advice, roof->point.flops / 1e9));
    if (roof && roof->point.gigabytes > 0)
        text =
            advice_say(advice, "%s%s%s GB/s", text, *text ? ", " : "", advice_say_rate(advice, roof->point.gigabytes));
    return text;
}

void rules_add_operator(struct advice *advice, struct advice_item *item, const struct rule_model *model, uint32_t op,
                        double saves_ns)
{
    const struct operator_sum *sum = operators_at(model->side, op);
    struct rule_operator *own = &model->operators[op];
    bool kept;

    saves_ns = fmin(saves_ns, own->ns - own->saved);
    kept = item && (item->row_count < ADVICE_ROWS || saves_ns > item->rows[ADVICE_ROWS - 1].saves_ns);
    advice_row(advice, item,
               (struct advice_row){ .name = strings_text(model->side->strings, sum->name),
                                    .location = kept ? rules_say_place(advice, model, sum) : NULL,
                                    .remark = kept ? say_remark(advice, model, op) : NULL,
                                    .ns = own->ns,
                                    .saves_ns = saves_ns });
    advice_claim(advice, item, own->pool, saves_ns);
    own->saved += fmax(saves_ns, 0);
}

struct operator_groups rules_group(struct advice *advice, const struct rule_model *model,
                                   bool (*chosen)(const void *context, uint32_t op),
                                   struct text (*key)(const void *context, uint32_t op))
{
    struct operator_groups groups;
    status code = operator_groups_make(model->side, model->order, model->work, chosen, key, model, &groups);

    if (code != STATUS_OK) {
        operator_groups_free(&groups);
        if (advice->failure == STATUS_OK)
            advice->failure = code;
    }
    return groups;
}

struct text rules_no_key(const void *context, uint32_t op)
{
    (void)context;
    (void)op;
    return (struct text){ "", 0 };
}

/* ---- Roofs ---- */

static const char *say_text(struct advice *advice, const struct operators *side, string_id id)
{
    return advice_say(advice, "%s", strings_text(side->strings, id));
}

/* "Fully Connected GEMM #2" of "Fully Connected (NC, F32) GEMM #2", "cumsum.out" of "native_call_cumsum.out". */
static const char *say_label(struct advice *advice, const char *name)
{
    static const char front[] = "native_call_";
    const char *open = strstr(name, " ("), *close = open ? strchr(open, ')') : NULL;

    if (strncmp(name, front, sizeof front - 1) == 0 && name[sizeof front - 1])
        return name + sizeof front - 1;
    return close && open > name ? advice_say(advice, "%.*s%s", (int)(open - name), name, close + 1) : NULL;
}

static uint32_t arithmetic_peak(const struct rule_model *model, struct advised *advised, const struct operator_sum *sum)
{
    const struct architecture *peaks = model->input->peaks;
    struct text type = operators_data_type(model->side, sum);
    const char *name = architecture_type(type);

    if (!name)
        name = type.length ? advice_say(&advised->advice, "%.*s", (int)type.length, type.data) : "arithmetic";
    return roofs_peak(&advised->roofs, name, false, PROVEN_BY_SMALLER,
                      (peaks ? architecture_gflops(peaks, name) : NAN) * 1e9, model->input->peaks_file);
}

static void set_work(const struct rule_model *model, struct advised *advised, const struct operator_sum *sum,
                     struct roof_item *item)
{
    const struct architecture *peaks = model->input->peaks;
    const struct graph_node *node = sum->node;

    /* What a kernel computes besides is not known, and what memory allows is the least of a delegate in any case. */
    if (node->bytes)
        item->bytes = (double)node->bytes * (double)sum->events;
    if (node->bytes && (item->proves_nothing || operator_is_counted(model->side, sum)))
        item->memory = roofs_peak(&advised->roofs, "memory", true, PROVEN_BY_LARGER,
                                  peaks ? architecture_gigabytes(peaks, NULL) : NAN, model->input->peaks_file);
    if (!node->macs)
        return;
    item->flops = 2.0 * (double)node->macs * (double)sum->events;
    item->arithmetic = arithmetic_peak(model, advised, sum);
    item->reach = operator_is_depthwise(model->side, sum) ? DEPTHWISE_REACH
                  : operator_rows(model->side, sum) == 1  ? VECTOR_REACH
                                                          : 1;
}

static void add_roof(const struct rule_model *model, struct advised *advised, uint32_t op)
{
    const struct operator_sum *sum = operators_at(model->side, op);
    bool delegated = sum->event == EVENT_DELEGATED;
    struct roof_item *item = roofs_add_item(&advised->roofs);

    if (!item)
        return;
    item->name = say_text(&advised->advice, model->side, sum->name);
    item->label = say_label(&advised->advice, item->name);
    item->kind = say_text(&advised->advice, model->side, sum->type);
    item->engine = !delegated     ? "portable"
                   : sum->backend ? say_text(&advised->advice, model->side, sum->backend)
                                  : "delegated";
    item->place = rules_say_place(&advised->advice, model, sum);
    item->origin = op;
    item->ticks = sum->self;
    item->count = sum->events;
    item->steady = operators_is_steady(model->side, sum);
    item->proves_nothing = !delegated;
    /* A portable kernel does not wait for memory, nor a depthwise convolution for large products: where nothing else is of their size,
     * their own rate would prove itself. */
    item->any_size[0] = item->any_size[1] = !delegated;
    item->any_size[0] |= operator_is_depthwise(model->side, sum);
    item->often_slow = operator_is_depthwise(model->side, sum);
    if (sum->node)
        set_work(model, advised, sum, item);
}

static status find_roofs(struct rule_model *model, struct advised *advised)
{
    status code;

    roofs_start(&advised->roofs, model->side->clock, model->side->inferences);
    advised->roofs.whole = model->side->execute;
    advised->roofs.item_name = "Operator";
    for (size_t i = 0; i < model->work; i++)
        add_roof(model, advised, model->order[i]);
    code = roofs_settle(&advised->roofs);
    for (size_t i = 0; i < advised->roofs.count && code == STATUS_OK; i++)
        model->operators[advised->roofs.items[i].origin].roof = &advised->roofs.items[i];
    return code;
}

/* ---- The model ---- */

static void model_free(struct rule_model *model)
{
    memory_free(model->operators);
    memory_free(model->order);
}

/* XNNPACK's own names of operators have their layout and data type behind them; dumps without a record name no backend. */
static bool is_of_xnnpack(const struct operators *side, const struct operator_sum *sum)
{
    const char *backend = operator_backend(side, sum);
    struct text type = strings_get(side->strings, sum->type);

    return backend ? text_find_any_case(text_of(backend), "xnnpack") != NULL
                   : !sum->opaque && operation_of_event(type).length < type.length;
}

static void note_delegation(struct rule_model *model, const struct operator_sum *sum)
{
    const char *backend = operator_backend(model->side, sum);

    if (sum->event != EVENT_DELEGATED)
        return;
    if (is_of_xnnpack(model->side, sum))
        model->delegation = DELEGATED_XNNPACK;
    else if (model->delegation < DELEGATED_ELSEWHERE)
        model->delegation = backend ? DELEGATED_ELSEWHERE : DELEGATED_SOMEWHERE;
    model->backend = model->backend ? model->backend : backend;
}

static status model_start(struct rule_model *model, const struct rules_input *input, struct advised *advised)
{
    const struct operators *side = input->side;
    size_t count = side->sums.count + 1;

    *model = (struct rule_model){
        .input = input,
        .side = side,
        .roofs = &advised->roofs,
        .operators = memory_allocate_clear(count * sizeof *model->operators),
        .order = memory_allocate(count * sizeof *model->order),
        .scale =
            operators_accounted(side) > side->execute ? (double)side->execute / (double)operators_accounted(side) : 1,
    };
    if (!model->operators || !model->order)
        return status_no_memory("looking for advice");
    model->work = operators_by_time(side, model->order);
    for (size_t i = 0; i < model->work; i++) {
        const struct operator_sum *sum = operators_at(side, model->order[i]);
        struct rule_operator *own = &model->operators[model->order[i]];

        own->ns = rules_ns(model, sum->self) * model->scale;
        own->pool = advice_pool(&advised->advice, own->ns);
        model->delegated += sum->event == EVENT_DELEGATED && !sum->opaque;
        note_delegation(model, sum);
        model->has_nodes |= sum->node != NULL;
        model->unlogged_ns += sum->event == EVENT_DELEGATED && sum->opaque ? own->ns : 0;
        model->custom_ns += operator_is_custom(side, sum) ? own->ns : 0;
    }
    for (size_t i = 0; i < side->call_sums.count; i++) {
        const struct call_sum *call = operators_call(side, i);

        model->delegates += call->delegate;
        model->logged += call->delegate && !call->opaque;
    }
    if (model->delegates && model->delegation == DELEGATED_NOWHERE)
        model->delegation = DELEGATED_SOMEWHERE;
    model->calls = advice_pool(&advised->advice, rules_ns(model, side->calls));
    model->framework = advice_pool(&advised->advice, rules_ns(model, number_add(side->framework, side->control)));
    model->alone = side->inferences + side->left_out <= side->launches;
    model->repeats_ns = rules_ns(model, side->repeats < side->framework ? side->repeats : side->framework);
    model->beside_ns = rules_ns(model, number_add(side->calls, number_add(side->framework, side->control)));
    return STATUS_OK;
}

/* ---- What is the same for all items ---- */

/* Why it is not warm-up; NULL: nobody looked, or it may be. */
static const char *rule_out_warmup(struct advice *advice, const struct rule_model *model)
{
    const struct operators *side = model->side;

    if (model->alone || !side->warmup)
        return NULL;
    if (!side->left_out)
        return "the first run is not much slower than the others";
    return advice_say(advice, "%llu of %llu runs count, %s", (unsigned long long)side->inferences,
                      (unsigned long long)(side->inferences + side->left_out),
                      side->warmup == WARMUP_AUTO ? "none of them cold" : "the first were left out");
}

static void set_values(const struct rule_model *model, struct advice *advice)
{
    const struct operators *side = model->side;
    const char *record =
        model->input->etrecord ? command_word(&advice->arena, model->input->etrecord) : NULL; /* NULL also: no memory */
    char runs[OPERATORS_RUNS];

    operators_runs(side, runs);
    advice->subject = advice_say(advice, "%s", model->input->name);
    advice->summary =
        advice_say(advice, "A run (Method::execute) takes %s, mean of %s%s.", advice_say_time(advice, advice->run_ns),
                   runs, side->launches > 1 ? advice_say(advice, "; %u launches", side->launches) : "");
    advice_word(advice, &advice->every, "input", model->input->dump);
    if (record)
        advice_text(advice, &advice->every, "files", advice_say(advice, " --etrecord %s", record));
    advice_text(advice, &advice->every, "counted", rule_out_warmup(advice, model));
}

static struct rule_part part_of(const char *before, const char *name, int64_t ticks)
{
    struct rule_part part = { .ticks = ticks };

    snprintf(part.name, sizeof part.name, "%s%s", before, name);
    return part;
}

/* Delegated work by category, then what is around it. */
size_t rules_parts(const struct operators *side, struct rule_part parts[RULE_PARTS])
{
    int64_t categories[CATEGORY_COUNT] = { 0 }, portable = 0, custom = 0, unlogged = 0;
    int64_t repeats = side->repeats < side->framework ? side->repeats : side->framework;
    size_t count = 0;

    if (side->overlapping)
        return 0;
    for (size_t i = 0; i < side->sums.count; i++) {
        const struct operator_sum *sum = operators_at(side, i);
        int64_t *part = operator_is_custom(side, sum)  ? &custom
                        : sum->event == EVENT_PORTABLE ? &portable
                        : sum->opaque                  ? &unlogged
                                                       : &categories[operator_kind_category(sum->kind)];

        if (operators_is_work(sum))
            *part = number_add(*part, sum->self);
    }
    for (unsigned i = 0; i < CATEGORY_COUNT; i++)
        parts[count++] =
            part_of("delegated: ", i == CATEGORY_GEMM ? "products" : category_title((enum category)i), categories[i]);
    parts[count++] = part_of("", "delegates, not logged inside", unlogged);
    parts[count++] = part_of("", "kernels outside of delegates", portable);
    parts[count++] = part_of("", "custom kernels", custom);
    parts[count++] = part_of("", "calls beside operators", side->calls);
    parts[count++] = part_of("", "control flow", side->control);
    parts[count++] = part_of("", "repeats of loops, or framework", repeats);
    parts[count++] = part_of("", "framework", side->framework - repeats);
    assert(count == RULE_PARTS);
    return count;
}

static void add_parts(const struct rule_model *model, struct advice *advice)
{
    struct rule_part parts[RULE_PARTS];
    size_t count = rules_parts(model->side, parts);

    for (size_t i = 0; i < count; i++)
        if (parts[i].ticks)
            advice_part(advice, parts[i].name, rules_ns(model, parts[i].ticks));
}

/* ---- What dominates ---- */

static bool is_any(const void *context, uint32_t op)
{
    (void)context;
    (void)op;
    return true;
}

static struct text key_of_type(const void *context, uint32_t op)
{
    const struct rule_model *model = context;

    return operator_operation(model->side, operators_at(model->side, op));
}

/* What is left of them where all that rules found is saved. */
static double left_of(const struct rule_model *model, const uint32_t *members, size_t count)
{
    double left = 0;

    for (size_t i = 0; i < count; i++)
        left += model->operators[members[i]].ns - model->operators[members[i]].saved;
    return left;
}

static enum advice_bound bound_of(const struct roof_item *item)
{
    enum { FLOPS_OF_A_BYTE = 10 }; /* that a processor does, about, while its memory moves one */

    if (!item || !item->steady || isnan(item->point.intensity))
        return item && item->point.bound == ROOFLINE_MEMORY ? ADVICE_MEMORY : ADVICE_UNKNOWN;
    if (item->point.bound == ROOFLINE_MEMORY || item->point.bound == ROOFLINE_COMPUTE)
        return item->point.bound == ROOFLINE_MEMORY ? ADVICE_MEMORY : ADVICE_ARITHMETIC;
    return item->point.intensity < FLOPS_OF_A_BYTE ? ADVICE_MEMORY : ADVICE_ARITHMETIC;
}

static const char *say_why(struct advice *advice, const struct rule_model *model, uint32_t op, bool several)
{
    const struct operator_sum *sum = operators_at(model->side, op);
    const struct roof_item *item = model->operators[op].roof;
    const char *one = several ? advice_say(advice, "the longest of them, %s,", item->name) : "it";

    if (sum->opaque)
        return several ? "nothing of what is in them was logged, so what bounds them cannot be told"
                       : "nothing of what is in it was logged, so what bounds it cannot be told";
    if (operator_is_custom(model->side, sum))
        return "it is a custom kernel, not one of the runtime's own, so how fast it could be is not known";
    if (!model->has_nodes && several)
        return advice_say(advice,
                          "%s takes %s, and what bounds them cannot be told without shapes, which the ETRecord of the "
                          "export has",
                          one, advice_say_time(advice, model->operators[op].ns));
    if (!model->has_nodes)
        return "what bounds it cannot be told without shapes, which the ETRecord of the export has";
    if (item->point.flops > 0 && item->point.gigabytes > 0)
        return advice_say(advice, "%s runs at %s GFLOP/s and %s GB/s, %.0f %% of what like work reaches", one,
                          advice_say_rate(advice, item->point.flops / 1e9),
                          advice_say_rate(advice, item->point.gigabytes), roof_reached(item));
    if (item->point.gigabytes > 0)
        return advice_say(advice, "%s moves %s GB/s", one, advice_say_rate(advice, item->point.gigabytes));
    return NULL;
}

static const char *say_change(const struct rule_model *model, const struct operator_sum *sum, enum advice_bound bound)
{
    if (sum->opaque && sum->event == EVENT_DELEGATED)
        return "which one, a backend that logs its operators tells";
    if (operator_is_custom(model->side, sum))
        return "a faster kernel, a smaller data type, operators that a backend takes";
    if (!model->has_nodes) /* it may just be slow */
        return NULL;
    return bound == ADVICE_MEMORY ? "a smaller data type or fewer channels, so that fewer bytes move"
                                  : "a smaller data type, fewer channels, another algorithm";
}

/* One operator; or where none is much, all of one type. */
static void find_dominant(const struct rule_model *model, struct advice *advice)
{
    enum { MUCH_PERCENT = 20 };
    struct operator_groups types = rules_group(advice, model, is_any, key_of_type);
    const uint32_t *members = NULL;
    size_t count = 0;
    double most = 0;

    for (size_t i = 0; i < model->work; i++)
        if (left_of(model, &model->order[i], 1) > most) {
            most = left_of(model, &model->order[i], 1);
            members = &model->order[i];
            count = 1;
        }
    for (size_t i = 0; i < types.count && advice_share(advice, most) < MUCH_PERCENT; i++)
        if (left_of(model, types.items[i].members, types.items[i].count) > most) {
            most = left_of(model, types.items[i].members, types.items[i].count);
            members = types.items[i].members;
            count = types.items[i].count;
        }
    if (members) {
        const struct operator_sum *first = operators_at(model->side, members[0]);
        const struct roof_item *roof = model->operators[members[0]].roof;
        enum advice_bound bound = operator_is_custom(model->side, first) ? ADVICE_UNKNOWN : bound_of(roof);
        const char *place = rules_say_place(advice, model, first);
        double ns = 0;

        for (size_t i = 0; i < count; i++)
            ns += model->operators[members[i]].ns;
        advice_dominates(
            advice,
            (struct advice_row){ .name = count > 1 ? rules_say_many(advice, count, key_of_type(model, members[0]))
                                                   : strings_text(model->side->strings, first->name),
                                 .location = place && count > 1 ? advice_say(advice, "the longest: %s", place) : place,
                                 .ns = ns,
                                 .saves_ns = NAN,
                                 .count = count },
            bound, say_why(advice, model, members[0], count > 1), say_change(model, first, bound));
    }
    operator_groups_free(&types);
}

/* ---- What limits all of this ---- */

static void note_times(const struct rule_model *model, struct advice *advice)
{
    const struct operators *side = model->side;

    if (side->no_clock)
        advice_note(advice, "All time stamps of a launch are equal: the target had no clock, so no time can be told.");
    else if (side->overlapping)
        advice_note(advice, "Times inside a delegate overlap or follow a clock of their own: the parts of a run do not "
                            "add up to it, and savings are cut where they would be more than a run.");
    if (side->outside)
        advice_note(
            advice, "%llu event%s of runs without Method::execute %s in no sum: those runs failed or were cut off.",
            (unsigned long long)side->outside, side->outside == 1 ? "" : "s", side->outside == 1 ? "is" : "are");
}

/* A share of a run, for notes. */
static const char *say_share(struct advice *advice, double ns)
{
    return advice_say(advice, "%s of a run (%.1f %%)", advice_say_time(advice, ns), advice_share(advice, ns));
}

static bool is_custom(const void *context, uint32_t op)
{
    const struct rule_model *model = context;

    return operator_is_custom(model->side, operators_at(model->side, op));
}

static void note_custom(const struct rule_model *model, struct advice *advice)
{
    struct operator_groups groups = rules_group(advice, model, is_custom, rules_no_key);

    if (groups.count)
        advice_note(advice,
                    "%s pass in custom kernels (%s): they are not the runtime's own, so how fast they could be "
                    "is not known.",
                    say_share(advice, model->custom_ns),
                    rules_say_operations(advice, model, groups.items[0].members, groups.items[0].count));
    operator_groups_free(&groups);
}

/* What no rule looks at, because the file does not tell enough about it. */
static void note_unknown(const struct rule_model *model, struct advice *advice)
{
    if (model->alone)
        advice_note(advice,
                    "One run only: it may be the cold one, in which delegates are set up and memory is touched "
                    "for the first time.%s",
                    model->beside_ns > 0 ? advice_say(advice, " The %s beside operators are not judged.",
                                                      say_share(advice, model->beside_ns))
                                         : "");
    else if (advice_share(advice, model->repeats_ns) >= ADVICE_HEALTHY_PERCENT)
        advice_note(advice,
                    "%s lie between calls, in gaps as long as these: repeats of a loop, of which a timeline keeps one, "
                    "or the runtime's own time. They are not judged; the ETDump tells.",
                    say_share(advice, model->repeats_ns));
    if (advice_share(advice, model->unlogged_ns) >= ADVICE_HEALTHY_PERCENT)
        advice_note(advice,
                    "%s pass in delegates that logged nothing of what is in them: a backend that is built with "
                    "its profiler logs it.",
                    say_share(advice, model->unlogged_ns));
    if (advice_share(advice, model->custom_ns) >= ADVICE_HEALTHY_PERCENT)
        note_custom(model, advice);
}

/* Where nothing was found, and more than half of a run was not looked into, or what could be wrong with it was not held against it. */
static const char *say_unjudged(struct advice *advice, const struct rule_model *model)
{
    double unknown = model->unlogged_ns + model->custom_ns + model->repeats_ns;

    if (!advice->healthy || !(advice->run_ns > 0))
        return NULL;
    if (model->alone && advice_share(advice, model->beside_ns) >= ADVICE_HEALTHY_PERCENT)
        return advice_say(advice,
                          "There is one run only, which may be the cold one: whether the %s beside operators come "
                          "again, a second run tells.",
                          say_share(advice, model->beside_ns));
    if (2 * unknown > advice->run_ns)
        return advice_say(advice, "%s could not be looked into: see the notes.", say_share(advice, unknown));
    return NULL;
}

/* Operators that say nothing about their work, and those that are too short for a rate. */
static void note_work(const struct rule_model *model, struct advice *advice)
{
    size_t unknown = 0, brief = 0, logged = 0;
    double unknown_ns = 0, brief_ns = 0;

    for (size_t i = 0; i < model->work; i++)
        logged += !operators_at(model->side, model->order[i])->opaque;
    if (!model->has_nodes && logged)
        advice_note(
            advice,
            model->input->etrecord
                ? "None of the %zu operators could be tied to the record: it is of another export, or the times come "
                  "from a file without instruction numbers. Bytes, operations and rates are not known."
                : "Without the ETRecord of the export neither bytes nor operations of the %zu operators are known: "
                  "what is advised rests on times alone. --etrecord FILE gives it.",
            logged);
    if (!model->has_nodes)
        return;
    for (size_t i = 0; i < model->work; i++) {
        const struct rule_operator *own = &model->operators[model->order[i]];

        if (roof_is_unknown(own->roof)) {
            unknown++;
            unknown_ns += own->ns;
        } else if (!own->roof->steady) {
            brief++;
            brief_ns += own->ns;
        }
    }
    if (unknown)
        advice_note(advice,
                    "%zu of %zu operators (%.1f %% of a run) have no shape in the record: their backend made them, "
                    "or they could not be told apart. Their bytes and operations are not known.",
                    unknown, model->work, advice_share(advice, unknown_ns));
    if (brief)
        advice_note(advice,
                    "%zu operator%s under 10 µs (%.1f %% of a run) %s no rate: backends count whole microseconds.",
                    brief, brief == 1 ? "" : "s", advice_share(advice, brief_ns), brief == 1 ? "has" : "have");
}

static void note_roofs(const struct rule_model *model, struct advice *advice)
{
    bool observed = false;

    for (size_t i = 0; i < model->roofs->peak_count; i++)
        observed |= model->roofs->peaks[i].observed && model->roofs->peaks[i].rate > 0;
    if (observed)
        advice_note(
            advice,
            "The machine can do at least what work reached here; `tacho advise --arch FILE.json` takes its true "
            "peaks.");
    for (size_t i = 0; i < model->roofs->count; i++)
        if (roof_reached(&model->roofs->items[i]) > 105) {
            advice_note(advice,
                        "%s reaches %.0f %% of its roof: the peaks of %s are too low, or its bytes come from a "
                        "cache.",
                        model->roofs->items[i].name, roof_reached(&model->roofs->items[i]),
                        model->input->peaks_file ? model->input->peaks_file : "the machine");
            break;
        }
    if (model->roofs->peak_count)
        advice_note(advice, "Bytes are those of the tensors that an operator reads and writes, each once and weights "
                            "included, wherever they lie.");
}

/* ---- All of it ---- */

/* What a change of the build lost is undone before anything else is done. */
static void put_slower_first(struct advice *advice)
{
    size_t first = 0;

    for (size_t i = 0; i < advice->count; i++) {
        struct advice_item *item = advice->items[i];

        if (item->rule->find != rules_find_slower || advice_share(advice, item->saves_ns) < ADVICE_HEALTHY_PERCENT)
            continue;
        memmove(&advice->items[first + 1], &advice->items[first], (i - first) * sizeof *advice->items);
        advice->items[first++] = item;
    }
}

static status look(struct rule_model *model, struct advised *advised)
{
    struct advice *advice = &advised->advice;
    status code = find_roofs(model, advised);

    if (code != STATUS_OK)
        return code;
    set_values(model, advice);
    if (advice->run_ns > 0) {
        add_parts(model, advice);
        /* What a baseline proves goes before what is only possible. */
        if (model->input->pair)
            advice_find(advice, rules_of_pair, model);
        advice_find(advice, rules_of_model, model);
        find_dominant(model, advice);
    }
    note_times(model, advice);
    note_unknown(model, advice);
    note_work(model, advice);
    note_roofs(model, advice);
    code = advice_settle(advice);
    put_slower_first(advice);
    advice->unjudged = say_unjudged(advice, model);
    advice->healthy &= !advice->unjudged;
    return code != STATUS_OK ? code : advice->failure;
}

status rules_advise(const struct rules_input *input, struct advised *advised)
{
    const struct operators *side = input->side;
    struct rule_model model;
    status code;

    assert(side->inferences && !input->pair == !input->findings);
    *advised = (struct advised){ 0 };
    advice_start(&advised->advice, side->no_clock ? 0 : operators_average_ms(side, side->execute) * 1e6);
    code = model_start(&model, input, advised);
    if (code == STATUS_OK)
        code = look(&model, advised);
    model_free(&model);
    return code;
}
