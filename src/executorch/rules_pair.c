/* rules_pair.c: what rules find in two builds of one model: what SME2 should have made faster, and what became slower. */
#include <string.h>

#include "executorch/operator_facts.h"
#include "executorch/rules.h"

static const double SLOWER = 0.9;       /* times as fast as in the baseline: less is no noise */
static const double SLOWER_PERCENT = 1; /* of a run that it lost: less is not worth a row */

const struct advice_rule rules_of_pair[] = {
    { .id = "low-speedup",
      .looks_for = "delegated products and convolutions that SME2 kernels make less than three times as fast",
      .bound = ADVICE_KERNEL,
      .title = "Find out why SME2 helps {many} little",
      .evidence = "{many} {rows~takes:take} {time} against {before} in the baseline ({speedup}), where 3x to {most} is "
                  "expected; {kernel}.",
      .assumes = "if each reached the 3x of the baseline that is expected of it",
      .ruled_out = "delegation: {rows~it is:they are} delegated[ to {backend}]",
      .find = rules_find_low_speedup },
    { .id = "no-sme2",
      .looks_for = "a build that is called SME2, and whose kernel log has no such kernel",
      .bound = ADVICE_KERNEL,
      .title = "Run the candidate with SME2 kernels",
      .evidence =
          "{rows:product or convolution stays:products and convolutions stay} under the 3x of SME2 ({time} against "
          "{before} in the baseline, {speedup}), because no SME2 kernel took part: of {standing} registered kernels "
          "none is one.",
      .assumes = "if SME2 gave each the 3x that is expected of it",
      .ruled_out = "delegation: {rows~it is:they are} delegated[ to {backend}]" },
    { .id = "slower-than-baseline",
      .looks_for = "operators that take longer than in the baseline",
      .bound = ADVICE_KERNEL,
      .title = "Find out why {many} became slower",
      .evidence =
          "{many} {rows~takes:take} {time} against {before} in the baseline ({speedup}); {kernel}.[ It rests on "
          "{launches:launch:launches}, so it may be luck.]",
      .assumes = "if each took as long as in the baseline",
      .find = rules_find_slower },
    { 0 },
};

/* ---- Speedups ---- */

static const struct operator_sum *counterpart(const struct rule_model *model, uint32_t op)
{
    const struct operators_pair *pair = model->input->pair->pair;

    return pair ? operators_counterpart(pair, model->side, op) : NULL;
}

/* Nanoseconds of a run of the baseline; 0: not known. */
static double before_ns(const struct rule_model *model, uint32_t op)
{
    const struct operator_sum *other = counterpart(model, op);

    return other ? operators_average_ms(model->input->pair->baseline.operators, other->total) * 1e6 : 0;
}

static bool is_slower(const void *context, uint32_t op)
{
    const struct rule_model *model = context;
    double before = before_ns(model, op), ns = model->operators[op].ns;
    double run = operators_average_ms(model->side, model->side->execute) * 1e6;

    return before > 0 && before < SLOWER * ns && ns - before > SLOWER_PERCENT / 100 * run;
}

/* Names promise nothing: a kernel log says that there are SME2 kernels, or that there are none, and for which operators. */
static bool expects_sme2(const struct rule_model *model, const struct operator_sum *sum)
{
    const struct findings *findings = model->input->findings;

    if (findings->nature == PAIR_SME2)
        return !operator_is_depthwise(model->side, sum) || findings->facts.sme_depthwise;
    return findings->nature == PAIR_SME2_ABSENT;
}

static bool is_short(const void *context, uint32_t op)
{
    const struct rule_model *model = context;
    const struct operator_sum *sum = operators_at(model->side, op);
    double least = findings_least_speedup(operator_kind_category(sum->kind)), before = before_ns(model, op);

    return expects_sme2(model, sum) && sum->event == EVENT_DELEGATED && before > 0 &&
           before < least * model->operators[op].ns && !is_slower(model, op);
}

static struct text operation_at(const void *context, uint32_t op)
{
    const struct rule_model *model = context;

    return operator_operation(model->side, operators_at(model->side, op));
}

static const char *say_kernel(struct advice *advice, const struct rule_model *model, uint32_t op)
{
    const struct kernel_log *log = model->input->pair->candidate.log;
    const struct kernel_use *use = operators_at(model->side, op)->use;
    const struct kernel *kernel = log && use && use->kernel < log->kernels.count ? kernel_at(log, use->kernel) : NULL;

    if (!kernel)
        return "which kernel ran is not known";
    return advice_say(advice, "the kernel of the longest is %s (%s)", strings_text(log->strings, kernel->name),
                      architecture_title(strings_get(log->strings, kernel->architecture)));
}

/* ---- Items ---- */

/* Operators of a group, down to what they took in the baseline over `wanted` times the speed of that; 0: what is expected of each. */
static struct advice_item *add_group(struct advice *advice, const struct advice_rule *rule,
                                     const struct rule_model *model, const struct operator_cluster *cluster,
                                     double wanted)
{
    struct advice_item *item = advice_add(advice, rule);
    double before = 0, now = 0;

    for (size_t i = 0; i < cluster->count; i++) {
        uint32_t op = cluster->members[i];
        enum category category = operator_kind_category(operators_at(model->side, op)->kind);
        double ns = model->operators[op].ns;

        rules_add_operator(advice, item, model, op,
                           ns - before_ns(model, op) / (wanted > 0 ? wanted : findings_least_speedup(category)));
        before += before_ns(model, op);
        now += ns;
    }
    advice_text(advice, item, "many",
                cluster->count > 1
                    ? rules_say_many(advice, cluster->count, cluster->key)
                    : strings_text(model->side->strings, operators_at(model->side, cluster->members[0])->name));
    advice_time(advice, item, "before", before);
    advice_text(advice, item, "speedup", advice_say(advice, "%.2fx", operators_speedup(before, now)));
    advice_text(advice, item, "kernel", say_kernel(advice, model, cluster->members[0]));
    advice_text(advice, item, "backend", operator_backend(model->side, operators_at(model->side, cluster->members[0])));
    return item;
}

/* Where the log refutes the name there is one cause for all of them; on a machine of another kind, nothing to be had. */
void rules_find_low_speedup(struct advice *advice, const struct advice_rule *rule, const void *context)
{
    const struct rule_model *model = context;
    const struct findings *findings = model->input->findings;
    bool absent = findings->nature == PAIR_SME2_ABSENT;
    struct operator_groups groups = rules_group(advice, model, is_short, absent ? rules_no_key : operation_at);

    for (size_t i = 0; i < groups.count && !(absent && findings->facts.x86); i++) {
        enum category category = operator_kind_category(operators_at(model->side, groups.items[i].members[0])->kind);
        struct advice_item *item = add_group(advice, absent ? rule + 1 : rule, model, &groups.items[i], 0);

        advice_text(advice, item, "most", advice_say(advice, "%.0fx", findings_most_speedup(category)));
        advice_count(advice, item, "standing", findings->facts.standing);
    }
    operator_groups_free(&groups);
}

void rules_find_slower(struct advice *advice, const struct advice_rule *rule, const void *context)
{
    const struct rule_model *model = context;
    struct operator_groups groups = rules_group(advice, model, is_slower, operation_at);

    for (size_t i = 0; i < groups.count; i++) {
        struct advice_item *item = add_group(advice, rule, model, &groups.items[i], 1);

        if (model->side->launches < 2)
            advice_count(advice, item, "launches", model->side->launches);
    }
    operator_groups_free(&groups);
}
