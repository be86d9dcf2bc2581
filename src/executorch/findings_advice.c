/* findings_advice.c: what to do about it: recommendations on operators, in order of priority. */
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "executorch/findings_shared.h"

/* Operations that ExecuTorch's partitioner for XNNPACK has a rule for. */
static const char *const partitioned[] = {
    "_clone_dim_order",
    "_native_batch_norm_legit_no_training",
    "_softmax",
    "_to_dim_order_copy",
    "abs",
    "add",
    "addmm",
    "avg_pool2d",
    "bmm",
    "cat",
    "ceil",
    "clamp",
    "constant_pad_nd",
    "conv1d",
    "conv2d",
    "convolution",
    "cos",
    "div",
    "elu",
    "exp",
    "floor",
    "gelu",
    "hardswish",
    "hardtanh",
    "leaky_relu",
    "linear",
    "log",
    "max_pool2d",
    "maximum",
    "mean",
    "minimum",
    "mm",
    "mul",
    "neg",
    "permute_copy",
    "pow",
    "prelu",
    "relu",
    "rsqrt",
    "sigmoid",
    "sin",
    "slice_copy",
    "sqrt",
    "sub",
    "tanh",
    "upsample_bilinear2d",
    "view_copy",
};

static bool is_partitioned(struct text operation)
{
    for (size_t i = 0; i < sizeof partitioned / sizeof *partitioned; i++)
        if (strlen(partitioned[i]) == operation.length && memcmp(partitioned[i], operation.data, operation.length) == 0)
            return true;
    return false;
}

static const char *say_text(struct finder *finder, struct text text)
{
    return say(finder, "%.*s", (int)text.length, text.data);
}

static double cluster_ms(const struct finder *finder, const struct cluster *cluster)
{
    return operators_average_ms(finder->side, cluster->total);
}

static double cluster_percent(const struct finder *finder, const struct cluster *cluster)
{
    return operators_percent(finder->side, cluster->total);
}

/* "17 x Transpose (ND, X32)", or the name alone. */
static const char *say_many(struct finder *finder, const struct cluster *cluster)
{
    return cluster->count > 1 ? say(finder, "%zu x %.*s", cluster->count, (int)cluster->key.length, cluster->key.data)
                              : say_text(finder, cluster->key);
}

static const char *say_cluster_place(struct finder *finder, const struct cluster *cluster)
{
    struct findings_row row = row_of_cluster(finder, cluster, "");

    return say_place(finder, &row);
}

/* ---- Portable operators ---- */

static bool is_portable(const struct finder *finder, uint32_t op)
{
    return sum_at(finder, op)->event == EVENT_PORTABLE;
}

static bool is_uncovered_portable(const struct finder *finder, uint32_t op)
{
    return is_portable(finder, op) && !finder->covered[op] && sum_at(finder, op)->total > 0;
}

static struct text no_key(const struct finder *finder, uint32_t op)
{
    (void)finder;
    (void)op;
    return (struct text){ "", 0 };
}

/* The fastest delegated operator of the same kind, by bytes moved; NO_ID: none that was measured well enough. */
static uint32_t delegated_peer(const struct finder *finder, uint32_t op)
{
    enum operator_kind kind = sum_at(finder, op)->kind;
    uint32_t best = NO_ID;

    for (size_t i = 0; i < finder->work; i++) {
        const struct operator_sum *sum = sum_at(finder, finder->order[i]);

        /* XNNPACK counts whole microseconds: less than one on average tells nothing. */
        if (sum->event != EVENT_DELEGATED || sum->kind != kind || kind == OPERATOR_KIND_OTHER || !sum->events ||
            operators_ms(finder->side, sum->total) / (double)sum->events < 0.001)
            continue;
        if (bandwidth_at(finder, finder->order[i]) > (best == NO_ID ? 0 : bandwidth_at(finder, best)))
            best = finder->order[i];
    }
    return best;
}

static const char *say_peer(struct finder *finder, const struct cluster *cluster)
{
    uint32_t op = cluster->members[0];
    uint32_t peer = delegated_peer(finder, op);
    double own = bandwidth_at(finder, op), other = peer == NO_ID ? 0 : bandwidth_at(finder, peer);

    if (own <= 0 || other <= own)
        return "";
    return say(finder, "; at the %.1f GB/s of %s, a delegated operator of its kind, %s would take %s instead of %s",
               other, strings_text(finder->side->strings, sum_at(finder, peer)->name),
               cluster->count > 1 ? "the longest" : "it", say_ms(finder, ms_at(finder, op) * own / other),
               say_ms(finder, ms_at(finder, op)));
}

/* Delegated operators that do the same: proof that the backend takes it. */
static uint32_t count_delegated(const struct finder *finder, struct text operation)
{
    uint32_t count = 0;

    for (size_t i = 0; i < finder->work; i++) {
        const struct operator_sum *sum = sum_at(finder, finder->order[i]);
        struct text other;

        if (sum->event != EVENT_DELEGATED || !sum->node || !sum->node->type)
            continue;
        other = graph_operation(strings_get(finder->side->strings, sum->node->type));
        count += other.length == operation.length && memcmp(other.data, operation.data, other.length) == 0;
    }
    return count;
}

static const char *data_type_of_node(const struct finder *finder, uint32_t op)
{
    const struct graph_node *node = sum_at(finder, op)->node;

    return node && node->dtype ? strings_text(finder->side->strings, node->dtype) : NULL;
}

static bool is_foreign_type(const char *type)
{
    return type && (strcmp(type, "i64") == 0 || strcmp(type, "i32") == 0 || strcmp(type, "f64") == 0 ||
                    strcmp(type, "bool") == 0);
}

static const char *say_remedy(struct finder *finder, const struct cluster *cluster)
{
    uint32_t same = count_delegated(finder, cluster->key);
    const char *name = say_text(finder, cluster->key), *type = data_type_of_node(finder, cluster->members[0]);

    if (!is_partitioned(cluster->key) && !same)
        return say(finder,
                   "XNNPACK's partitioner has no rule for %s: express it by operators that it takes, move it out of "
                   "the model, "
                   "or give "
                   "it a faster kernel.",
                   name);
    if (is_foreign_type(type))
        return say(finder,
                   "XNNPACK takes %s, but not with results of type %s, as here: compute it in f32 or keep it small.",
                   name, type);
    if (same)
        return say(
            finder,
            "%u other %s of this model %s delegated: find out what keeps %s out (data type, rank, dynamic shape).",
            same, name, plural(same, "is", "are"), cluster->count > 1 ? "these" : "this one");
    return say(finder, "XNNPACK's partitioner has a rule for %s: find out at export what kept %s out.", name,
               cluster->count > 1 ? "these" : "it");
}

static const char *rule_out_portable(struct finder *finder, const struct cluster *cluster)
{
    struct findings_row row = row_of_cluster(finder, cluster, "");
    const char *type = data_type_of_node(finder, cluster->members[0]), *out = NULL;

    if (row.speedup > 0.9 && row.speedup < 1.1)
        out = say(finder, "the choice of build: both run it alike (%.2fx)", row.speedup);
    if (type && strcmp(type, "f32") == 0 && is_partitioned(cluster->key))
        out = say(finder, "%s%sthe data type of the result: f32 can be delegated", out ? out : "", out ? "; " : "");
    if (sum_at(finder, cluster->members[0])->self == sum_at(finder, cluster->members[0])->total)
        out = say(finder, "%s%sthe runtime's call around it: the time is the kernel's own", out ? out : "",
                  out ? "; " : "");
    return out;
}

static void advise_portable_cluster(struct finder *finder, const struct cluster *cluster)
{
    const char *many = say_many(finder, cluster);
    double ms = cluster_ms(finder, cluster);
    bool can = is_partitioned(cluster->key);
    struct recommendation advice = {
        .group = ADVICE_NEXT,
        .priority = ADVICE_PORTABLE,
        .bound_ms = ms,
        .bound = say(finder, "at most %s, if %s took no time%s", say_ms_of(finder, ms),
                     cluster->count > 1 ? "they" : "it", say_peer(finder, cluster)),
        .title = say(finder, can ? "Get %s delegated" : "Replace %s, or give it a faster kernel", many),
        .text =
            say(finder, "%s%s %s and %s %s, %.1f %% of Method::execute. %s", many, say_cluster_place(finder, cluster),
                plural(cluster->count, "runs in a portable kernel", "run in portable kernels"),
                plural(cluster->count, "takes", "take"), say_ms(finder, ms), cluster_percent(finder, cluster),
                say_remedy(finder, cluster)),
        .ruled_out = rule_out_portable(finder, cluster),
    };

    add_evidence(finder, &advice, cluster, many);
    add_recommendation(finder, advice);
}

/* Nothing is delegated at all: one cause, one recommendation. */
static void advise_partitioner(struct finder *finder, const struct clusters *clusters)
{
    int64_t total = 0;
    uint32_t count = 0;
    uint32_t *members = memory_allocate((finder->work + 1) * sizeof *members);

    if (!members) {
        finder->code = status_no_memory("looking at portable operators");
        return;
    }
    for (size_t i = 0; i < clusters->count; i++) {
        if (!is_partitioned(clusters->items[i].key))
            continue;
        total = number_add(total, clusters->items[i].total);
        for (size_t k = 0; k < clusters->items[i].count; k++)
            members[count++] = clusters->items[i].members[k];
    }
    if (count && operators_percent(finder->side, total) > OPERATOR_PERCENT) {
        struct cluster all = { .members = members, .count = count, .total = total };
        double ms = cluster_ms(finder, &all);
        struct recommendation advice = {
            .group = ADVICE_CONFIGURATION,
            .priority = ADVICE_PORTABLE,
            .bound_ms = ms,
            .bound = say(finder, "at most %s, if they took no time", say_ms_of(finder, ms)),
            .title = "Export with the XNNPACK partitioner",
            .text = say(
                finder,
                "Not one of the %zu operators is delegated. %u of them (%s) are of kinds that XNNPACK's partitioner "
                "takes; they "
                "take %s, %.1f %% of Method::execute.",
                finder->work, count, say_operations(finder, members, count), say_ms(finder, ms),
                cluster_percent(finder, &all)),
        };

        add_evidence(finder, &advice, &all, say(finder, "%u operators that can be delegated", count));
        add_recommendation(finder, advice);
    }
    memory_free(members);
}

static const char *say_partitioned(struct finder *finder, const struct cluster *cluster)
{
    int64_t total = 0;
    size_t count = 0;

    for (size_t i = 0; i < cluster->count; i++) {
        if (!is_partitioned(operation_of(finder, cluster->members[i])))
            continue;
        total = number_add(total, sum_at(finder, cluster->members[i])->total);
        count++;
    }
    return say(finder,
               " XNNPACK's partitioner has rules for %zu of the %zu, %s: find out at export what kept them out.", count,
               cluster->count, say_ms(finder, operators_average_ms(finder->side, total)));
}

/* Small ones that only together are much. */
static void advise_portable_rest(struct finder *finder)
{
    struct clusters rest;

    clusters_make(finder, is_uncovered_portable, no_key, &rest);
    if (rest.count && cluster_percent(finder, &rest.items[0]) > OPERATOR_PERCENT) {
        const struct cluster *cluster = &rest.items[0];
        double ms = cluster_ms(finder, cluster);
        const char *name =
            say(finder, "%zu portable %s", cluster->count, plural(cluster->count, "operator", "operators"));
        struct recommendation advice = {
            .group = ADVICE_ARCHITECTURE,
            .priority = ADVICE_PORTABLE,
            .bound_ms = ms,
            .bound = say(finder, "at most %s, if they took no time", say_ms_of(finder, ms)),
            .title = say(finder, "Do without %zu smaller portable %s", cluster->count,
                         plural(cluster->count, "operator", "operators")),
            .text = say(finder, "Each of %s is under 5 %%, together they take %s, %.1f %% of Method::execute.%s",
                        say_operations(finder, cluster->members, cluster->count), say_ms(finder, ms),
                        cluster_percent(finder, cluster), say_partitioned(finder, cluster)),
        };

        add_evidence(finder, &advice, cluster, name);
        add_recommendation(finder, advice);
    }
    clusters_free(&rest);
}

void advise_portable(struct finder *finder)
{
    struct clusters clusters;

    clusters_make(finder, is_portable, operation_of, &clusters);
    if (!finder->delegated)
        advise_partitioner(finder, &clusters);
    for (size_t i = 0; i < clusters.count && cluster_percent(finder, &clusters.items[i]) > OPERATOR_PERCENT; i++)
        if (finder->delegated || !is_partitioned(clusters.items[i].key))
            advise_portable_cluster(finder, &clusters.items[i]);
    clusters_free(&clusters);
    advise_portable_rest(finder);
}

/* ---- Data movement ---- */

static bool is_movement(const struct finder *finder, uint32_t op)
{
    return category_at(finder, op) == CATEGORY_DATA_MOVEMENT && !finder->covered[op] && sum_at(finder, op)->total > 0;
}

static struct text kind_key(const struct finder *finder, uint32_t op)
{
    const char *key = operator_kind_title(sum_at(finder, op)->kind);

    return (struct text){ key, strlen(key) };
}

/* Those that stand first or last in their delegate change between the model's layout and the backend's. */
static uint32_t count_at_borders(struct finder *finder, const struct cluster *cluster)
{
    uint32_t *last = memory_allocate_clear((finder->delegates + (size_t)1) * sizeof *last), count = 0;

    if (!last) {
        finder->code = status_no_memory("looking at data movement");
        return 0;
    }
    for (size_t i = 0; i < finder->work; i++) {
        const struct operator_sum *sum = sum_at(finder, finder->order[i]);

        if (sum->delegate != NO_ID && sum->place > last[sum->delegate])
            last[sum->delegate] = sum->place;
    }
    for (size_t i = 0; i < cluster->count; i++) {
        const struct operator_sum *sum = sum_at(finder, cluster->members[i]);

        count += sum->delegate != NO_ID && (sum->place == 0 || sum->place == last[sum->delegate]);
    }
    memory_free(last);
    return count;
}

static const char *say_movement(struct finder *finder, const struct cluster *cluster)
{
    uint32_t borders = count_at_borders(finder, cluster);

    switch (sum_at(finder, cluster->members[0])->kind) {
    case OPERATOR_KIND_QUANTISATION:
        return say(finder, "They change data types between neighbours: let %s of one data type stand together.",
                   cluster->count > 1 ? "operators" : "its neighbours");
    case OPERATOR_KIND_RESHAPE:
        return "A reshape that takes time copies: keep the tensor in the order that its reader wants.";
    default:
        if (!borders)
            return "They stand inside the model: keep one layout through the operators around them.";
        return say(
            finder,
            "%u of %zu stand at the start or the end of one of %u delegates, where layouts change: feed channels-last "
            "tensors, and "
            "have fewer borders.",
            borders, cluster->count, finder->delegates);
    }
}

static void advise_movement_cluster(struct finder *finder, const struct cluster *cluster, double category_percent)
{
    const char *many = say(finder, "%zu x %.*s", cluster->count, (int)cluster->key.length, cluster->key.data);
    struct findings_row row = row_of_cluster(finder, cluster, many);
    double ms = cluster_ms(finder, cluster);
    struct recommendation advice = {
        .group = ADVICE_NEXT,
        .priority = ADVICE_MOVEMENT,
        .bound_ms = ms,
        .bound = say(finder, "at most %s, if all of it went away", say_ms_of(finder, ms)),
        .title = say(finder, "Move less data: %s", say_operations(finder, cluster->members, cluster->count)),
        .text =
            say(finder,
                "Data movement takes %.1f %% of Method::execute; %zu %s of the kind \"%.*s\" %s %s of it (%.1f %%). %s",
                category_percent, cluster->count, plural(cluster->count, "operator", "operators"),
                (int)cluster->key.length, cluster->key.data, plural(cluster->count, "takes", "take"),
                say_ms(finder, ms), cluster_percent(finder, cluster), say_movement(finder, cluster)),
    };

    if (row.speedup > 0.9 && row.speedup < 1.1)
        advice.ruled_out =
            say(finder, "faster kernels: they took %s in the baseline (%.2fx), so the build does not change them",
                say_ms(finder, row.baseline_ms), row.speedup);
    add_evidence(finder, &advice, cluster, many);
    add_recommendation(finder, advice);
}

void advise_movement(struct finder *finder)
{
    struct operator_group groups[CATEGORY_COUNT];
    struct clusters clusters;
    double percent;

    operators_by_category(finder->side, groups);
    percent = operators_percent(finder->side, groups[CATEGORY_DATA_MOVEMENT].total);
    if (percent <= CATEGORY_PERCENT)
        return;
    clusters_make(finder, is_movement, kind_key, &clusters);
    for (size_t i = 0; i < clusters.count && cluster_percent(finder, &clusters.items[i]) > LISTED_PERCENT; i++)
        advise_movement_cluster(finder, &clusters.items[i], percent);
    clusters_free(&clusters);
}

/* ---- Low speedup ---- */

static bool is_short_delegated(const struct finder *finder, uint32_t op)
{
    return is_short(finder, op) && !is_portable(finder, op) && !finder->covered[op];
}

static bool is_slower(const struct finder *finder, uint32_t op)
{
    double speedup = speedup_at(finder, op);
    double lost = speedup > 0 ? percent_at(finder, op) * (1 - speedup) : 0;

    return !finder->covered[op] && speedup > 0 && speedup < 0.9 && lost > LISTED_PERCENT;
}

/* What they would take less at `wanted` times the speed of the baseline. */
static double ms_to_gain(const struct finder *finder, const struct cluster *cluster, bool to_least)
{
    double gain = 0;

    for (size_t i = 0; i < cluster->count; i++) {
        const struct operator_sum *other = counterpart(finder, cluster->members[i]);
        double wanted = to_least ? least_speedup(category_at(finder, cluster->members[i])) : 1;
        double ms = ms_at(finder, cluster->members[i]);
        double target = other && wanted > 0 ? operators_average_ms(finder->base, other->total) / wanted : ms;

        gain += target < ms ? ms - target : 0;
    }
    return gain;
}

static const char *say_kernel(struct finder *finder, uint32_t op)
{
    const struct kernel *kernel = kernel_of_operator(finder, op);
    const struct kernel_log *log = finder->input->candidate.log;

    if (!kernel)
        return "which kernel ran is not known";
    return say(finder, "the kernel of the longest is %s (%s)", strings_text(log->strings, kernel->name),
               architecture_title(strings_get(log->strings, kernel->architecture)));
}

static const char *rule_out_speedup(struct finder *finder, uint32_t op)
{
    enum { TINY_MACS = 100000 };
    const struct operator_sum *sum = sum_at(finder, op);
    const char *out = say(finder, "delegation: it is delegated%s", say_backend(finder, op));
    uint64_t rows = rows_of_product(finder, op);

    if (sum->node && sum->node->macs > TINY_MACS)
        out = say(finder, "%s; tiny shapes: the longest does %.3g million multiply-accumulates%s", out,
                  (double)sum->node->macs / 1e6, rows ? say(finder, " with M=%llu", (unsigned long long)rows) : "");
    return out;
}

static const char *say_depthwise(struct finder *finder, uint32_t op)
{
    if (!is_depthwise(finder, op) || !finder->facts.standing)
        return "";
    return say(finder, " It is a depthwise convolution; SME kernels registered for that: %u.",
               sme_kernels_for(finder, "dwconv"));
}

static void advise_short_cluster(struct finder *finder, const struct cluster *cluster)
{
    const char *many = say_many(finder, cluster);
    struct findings_row row = row_of_cluster(finder, cluster, many);
    double gain = ms_to_gain(finder, cluster, true);
    uint32_t longest = cluster->members[0];
    struct recommendation advice = {
        .group = ADVICE_CONFIGURATION,
        .priority = ADVICE_LOW_SPEEDUP,
        .bound_ms = gain,
        .bound = say(finder, "at most %s, if each reached the 3x of the baseline that is expected of it",
                     say_ms_of(finder, gain)),
        .title = say(finder, "Find out why SME2 helps %s little", many),
        .text = say(finder, "%s %s %s against %s in the baseline (%.2fx, expected 3 to %.0fx); %s.%s", many,
                    plural(cluster->count, "takes", "take"), say_ms(finder, row.ms), say_ms(finder, row.baseline_ms),
                    row.speedup, most_speedup(category_at(finder, longest)), say_kernel(finder, longest),
                    say_depthwise(finder, longest)),
        .ruled_out = rule_out_speedup(finder, longest),
    };

    add_evidence(finder, &advice, cluster, many);
    add_recommendation(finder, advice);
}

static void advise_slower_cluster(struct finder *finder, const struct cluster *cluster)
{
    const char *many = say_many(finder, cluster);
    struct findings_row row = row_of_cluster(finder, cluster, many);
    double gain = ms_to_gain(finder, cluster, false);
    struct recommendation advice = {
        .group = ADVICE_NEXT,
        .priority = ADVICE_LOW_SPEEDUP,
        .bound_ms = gain,
        .bound = say(finder, "at most %s, if each took as long as in the baseline", say_ms_of(finder, gain)),
        .title = say(finder, "Find out why %s became slower", many),
        .text = say(finder, "%s %s %s against %s in the baseline (%.2fx); %s.%s", many,
                    plural(cluster->count, "takes", "take"), say_ms(finder, row.ms), say_ms(finder, row.baseline_ms),
                    row.speedup, say_kernel(finder, cluster->members[0]),
                    finder->side->launches < 2 ? " It rests on one launch, so it may be luck." : ""),
    };

    add_evidence(finder, &advice, cluster, many);
    add_recommendation(finder, advice);
}

/* On a machine of another kind SME2 cannot be had: then the advice is to measure elsewhere, and it saves nothing here. */
static void set_absent_title(struct finder *finder, struct recommendation *advice, double gain)
{
    if (finder->facts.x86) {
        advice->title = say(finder, "Measure on a device with SME2: %s kernels ran here",
                            finder->facts.main ? finder->facts.main : "x86");
        advice->bound = "nothing on this machine, which is not an Arm one";
        return;
    }
    advice->title = "Run the candidate with SME2 kernels";
    advice->bound_ms = gain;
    advice->bound = say(finder, "at most %s, if SME2 gave each the 3x that is expected of it", say_ms_of(finder, gain));
}

/* The names promise SME2 and the log refutes it: one cause for all that is short. */
static void advise_absent_cluster(struct finder *finder, const struct cluster *cluster)
{
    const char *name = say(finder, "%zu x GEMM or convolution", cluster->count);
    struct findings_row row = row_of_cluster(finder, cluster, name);
    struct recommendation advice = {
        .group = ADVICE_CONFIGURATION,
        .priority = ADVICE_LOW_SPEEDUP,
        .text = say(
            finder,
            "%zu GEMM and convolution %s %s under the 3x of SME2 (%s against %s in the baseline, %.2fx), because no "
            "SME2 kernel "
            "took part: of %u registered kernels none is one.",
            cluster->count, plural(cluster->count, "operator", "operators"), plural(cluster->count, "stays", "stay"),
            say_ms(finder, row.ms), say_ms(finder, row.baseline_ms), row.speedup, finder->facts.standing),
        .ruled_out = rule_out_speedup(finder, cluster->members[0]),
    };

    set_absent_title(finder, &advice, ms_to_gain(finder, cluster, true));
    add_evidence(finder, &advice, cluster, name);
    /* These operators may still be slow for their own reasons: they stay open for the other recommendations. */
    for (size_t i = 0; i < cluster->count; i++)
        finder->covered[cluster->members[i]] = false;
    add_recommendation(finder, advice);
}

void advise_speedup(struct finder *finder)
{
    struct clusters clusters;
    bool absent = finder->findings->nature == PAIR_SME2_ABSENT;

    clusters_make(finder, is_short_delegated, absent ? no_key : operation_of, &clusters);
    for (size_t i = 0; i < clusters.count && cluster_percent(finder, &clusters.items[i]) > LISTED_PERCENT; i++) {
        if (absent)
            advise_absent_cluster(finder, &clusters.items[i]);
        else
            advise_short_cluster(finder, &clusters.items[i]);
    }
    clusters_free(&clusters);
    clusters_make(finder, is_slower, operation_of, &clusters);
    for (size_t i = 0; i < clusters.count; i++)
        advise_slower_cluster(finder, &clusters.items[i]);
    clusters_free(&clusters);
}
