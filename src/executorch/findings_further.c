/* findings_further.c: what to do about it, continued: operators that are slow for their work, the runtime's share, and what to measure next. */
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/number.h"
#include "executorch/findings_shared.h"

static double cluster_ms(const struct finder *finder, const struct cluster *cluster)
{
    return operators_average_ms(finder->side, cluster->total);
}

static double cluster_percent(const struct finder *finder, const struct cluster *cluster)
{
    return operators_percent(finder->side, cluster->total);
}

/* ---- Rates ---- */

static bool is_slow_enough(const struct finder *finder, uint32_t op)
{
    return is_slow(finder, op) && !finder->covered[op] && percent_at(finder, op) >= LISTED_PERCENT &&
           sum_at(finder, op)->event == EVENT_DELEGATED;
}

static struct text slow_key(const struct finder *finder, uint32_t op)
{
    const char *key = is_depthwise(finder, op)           ? "depthwise convolution"
                      : rows_of_product(finder, op) == 1 ? "matrix-vector product"
                                                         : "matrix product or convolution";

    return (struct text){ key, strlen(key) };
}

/* What they take above the least that this profile shows to be possible. */
static double ms_above_attainable(const struct finder *finder, const struct cluster *cluster)
{
    double above = 0;

    for (size_t i = 0; i < cluster->count; i++) {
        double least = attainable_ms(finder, cluster->members[i]), ms = ms_at(finder, cluster->members[i]);

        above += least > 0 && least < ms ? ms - least : 0;
    }
    return above;
}

static void advise_slow_cluster(struct finder *finder, const struct cluster *cluster)
{
    uint32_t longest = cluster->members[0];
    const struct best_rate *best = best_rate_of(finder, longest);
    double gain = ms_above_attainable(finder, cluster), bandwidth = bandwidth_at(finder, longest);
    struct findings_row row = row_of(finder, longest);
    const char *many = cluster->count > 1
                           ? say(finder, "%zu %.*ss", cluster->count, (int)cluster->key.length, cluster->key.data)
                           : say(finder, "the %.*s%s", (int)cluster->key.length, cluster->key.data,
                                 say_place(finder, &row)),
               *why = why_slow(finder, longest);
    bool by_memory = finder->best_bandwidth > 0 && bandwidth > finder->best_bandwidth * 0.8;
    struct recommendation advice = {
        .group = by_memory ? ADVICE_CONFIGURATION : ADVICE_ARCHITECTURE,
        .priority = ADVICE_REST,
        .by_rate = true,
        .bound_ms = gain,
        .title = say(finder, by_memory ? "Read fewer bytes in %s" : "Rework %s", many),
        .text = say(
            finder, "%s takes %s%s (%.1f %%) and runs at %.1f GFLOP/s, while %s reaches %.1f%s%s.%s", row.name,
            say_ms(finder, row.ms),
            cluster->count > 1
                ? say(finder, " of the %s of all %zu", say_ms(finder, cluster_ms(finder, cluster)), cluster->count)
                : "",
            cluster_percent(finder, cluster), row.gflops,
            strings_text(finder->side->strings, sum_at(finder, best->op)->name), best->gflops,
            why ? ": " : "; the shape does not tell why", why ? why : "",
            by_memory ? " It moves data nearly as fast as any: only fewer bytes, as of smaller weights, make it faster."
                      : ""),
        .ruled_out = say(finder, "delegation: %s delegated", cluster->count > 1 ? "they are" : "it is"),
    };

    if (finder->best_bandwidth > 0)
        advice.bound = say(
            finder, "at most %s, at the best rate (%.1f GFLOP/s) and the best bandwidth (%.1f GB/s) of this profile",
            say_ms_of(finder, gain), best->gflops, finder->best_bandwidth);
    else
        advice.bound = say(finder, "at most %s, at the best rate (%.1f GFLOP/s) of this profile",
                           say_ms_of(finder, gain), best->gflops);
    add_evidence(finder, &advice, cluster, many);
    add_recommendation(finder, advice);
}

/* A memory-bound one has nothing to gain at this size of data, and still is worth saying. */
static bool is_worth_saying(const struct finder *finder, const struct cluster *cluster)
{
    double gain = ms_above_attainable(finder, cluster);

    return gain * 100 > finder->execute_ms * LISTED_PERCENT ||
           bandwidth_at(finder, cluster->members[0]) > finder->best_bandwidth * 0.8;
}

static bool is_f32_product(const struct finder *finder, uint32_t op)
{
    struct text type = data_type_of(finder, op);

    return sum_at(finder, op)->event == EVENT_DELEGATED && attainable_ms(finder, op) > 0 && type.length == 3 &&
           strncasecmp(type.data, "f32", 3) == 0;
}

static struct text one_key(const struct finder *finder, uint32_t op)
{
    (void)finder;
    (void)op;
    return (struct text){ "products in f32", 15 };
}

/* Where most of the time is products that run as fast as any in the profile, only smaller data are left. */
static void advise_smaller_type(struct finder *finder, const struct cluster *cluster)
{
    double ms = cluster_ms(finder, cluster), reached = 1 - ms_above_attainable(finder, cluster) / ms;
    const struct best_rate *best = best_rate_of(finder, cluster->members[0]);
    const char *name = say(finder, "%zu products in f32", cluster->count);
    struct recommendation advice = {
        .group = ADVICE_CONFIGURATION,
        .priority = ADVICE_REST,
        .bound = "this profile has no smaller data type to tell from",
        .title = "Try a smaller data type: the products run near the best rate already",
        .text = say(finder,
                    "%zu GEMM and convolution operators in f32 take %s, %.1f %% of Method::execute, and reach %.0f %% "
                    "of what the best "
                    "rate (%.1f GFLOP/s) and bandwidth of this profile allow: f16 or int8 promises more than tuning "
                    "them one by one.",
                    cluster->count, say_ms(finder, ms), cluster_percent(finder, cluster), reached * 100, best->gflops),
        .ruled_out = "delegation: all of them are delegated",
    };

    add_evidence(finder, &advice, cluster, name);
    add_recommendation(finder, advice);
}

void advise_rates(struct finder *finder)
{
    struct clusters clusters;

    clusters_make(finder, is_slow_enough, slow_key, &clusters);
    for (size_t i = 0; i < clusters.count; i++)
        if (is_worth_saying(finder, &clusters.items[i]))
            advise_slow_cluster(finder, &clusters.items[i]);
    clusters_free(&clusters);
    clusters_make(finder, is_f32_product, one_key, &clusters);
    if (clusters.count && clusters.items[0].count > 1 && cluster_percent(finder, &clusters.items[0]) > 50 &&
        ms_above_attainable(finder, &clusters.items[0]) < 0.4 * cluster_ms(finder, &clusters.items[0]))
        advise_smaller_type(finder, &clusters.items[0]);
    clusters_free(&clusters);
}

/* ---- The runtime ---- */

static const struct bottleneck *bottleneck_of(const struct finder *finder, enum bottleneck_kind kind)
{
    for (size_t i = 0; i < finder->findings->bottleneck_count; i++)
        if (finder->findings->bottlenecks[i].kind == kind)
            return &finder->findings->bottlenecks[i];
    return NULL;
}

static const char *say_trace_command(struct finder *finder)
{
    const char *dump = finder->input->candidate.dump;

    return dump ? say(finder, "tacho convert %s%s%s -o trace.pb", say_file(finder, dump, ""),
                      finder->input->etrecord ? " --etrecord " : "", say_file(finder, finder->input->etrecord, ""))
                : NULL;
}

static void add_row(struct finder *finder, struct recommendation *advice, const struct findings_row *row)
{
    advice->rows = arena_allocate(&finder->findings->arena, sizeof *row, _Alignof(struct findings_row));
    if (!advice->rows) {
        finder->code = status_no_memory("writing down findings");
        return;
    }
    *advice->rows = *row;
    advice->row_count = 1;
}

static void advise_graph(struct finder *finder)
{
    uint32_t *members = memory_allocate((finder->work + 1) * sizeof *members);
    struct cluster between = { 0 };
    double calls = operators_average_ms(finder->side, finder->side->calls), ms;

    if (!members) {
        finder->code = status_no_memory("looking at delegates");
        return;
    }
    between.members = members;
    between.count = between_delegates(finder, members, &between.total);
    if (between.count) {
        struct recommendation advice = {
            .group = ADVICE_ARCHITECTURE,
            .priority = ADVICE_REST,
            .bound_ms = calls,
            .bound = say(finder, "at most %s of call overhead; what the operators between take is counted with them",
                         say_ms_of(finder, calls)),
            .title = say(finder, "Join the %u delegates", finder->delegates),
            .ruled_out = say(finder, "framework overhead: that is %s and counted apart",
                             say_ms(finder, operators_average_ms(finder->side, finder->side->framework))),
        };
        const char *name = say(finder, "%zu portable %s between delegates", between.count,
                               plural(between.count, "operator", "operators"));

        ms = cluster_ms(finder, &between);
        advice.text =
            say(finder,
                "%s %s the graph into %u delegates, each with its own call and layout borders; %s in portable kernels "
                "(%s). "
                "Delegated, or moved before the first or behind the last delegate, they would leave one delegate.",
                say_operations(finder, members, between.count), plural(between.count, "breaks", "break"),
                finder->delegates, between.count == 1 ? "it runs" : "they run", say_ms(finder, ms));
        add_evidence(finder, &advice, &between, name);
        add_recommendation(finder, advice);
    }
    memory_free(members);
}

static void advise_calls(struct finder *finder, const struct bottleneck *calls)
{
    struct recommendation advice = {
        .group = ADVICE_CONFIGURATION,
        .priority = ADVICE_REST,
        .bound_ms = calls->ms,
        .bound = say(finder, "at most %s, if calls took no time", say_ms_of(finder, calls->ms)),
        .title = "Spend less time in calls of the runtime",
        .command = say_trace_command(finder),
    };

    if (finder->delegates)
        advice.text = say(finder,
                          "%s Most of this is the delegate's own: %s for each of %u, for %.1f operators each on "
                          "average. Set-up and the "
                          "thread pool are the usual places; compare thread counts, and let fewer delegates do more.",
                          calls->text, say_ms(finder, calls->ms / finder->delegates), finder->delegates,
                          (double)finder->delegated / finder->delegates);
    else
        advice.text = say(finder, "%s No delegate is involved: %zu small operators are called one by one.", calls->text,
                          finder->work);
    add_row(finder, &advice, &calls->row);
    add_recommendation(finder, advice);
}

static void advise_framework(struct finder *finder, const struct bottleneck *framework)
{
    struct recommendation advice = {
        .group = ADVICE_NEXT,
        .priority = ADVICE_REST,
        .bound_ms = framework->ms,
        .bound = say(finder, "at most %s, if it took no time", say_ms_of(finder, framework->ms)),
        .title = "Look at what Method::execute does besides its operators",
        .text = framework->text,
        .command = say_trace_command(finder),
    };

    add_row(finder, &advice, &framework->row);
    add_recommendation(finder, advice);
}

void advise_overhead(struct finder *finder)
{
    const struct bottleneck *broken = bottleneck_of(finder, BOTTLENECK_DELEGATES),
                            *calls = bottleneck_of(finder, BOTTLENECK_CALLS);
    const struct bottleneck *framework = bottleneck_of(finder, BOTTLENECK_FRAMEWORK);

    if (broken)
        advise_graph(finder);
    if (calls)
        advise_calls(finder, calls);
    if (framework)
        advise_framework(finder, framework);
}

/* ---- What to measure next ---- */

static void advise_next(struct finder *finder, const char *title, const char *text, const char *command)
{
    add_recommendation(
        finder,
        (struct recommendation){
            .group = ADVICE_ANALYSIS, .priority = ADVICE_REST, .title = title, .text = text, .command = command });
}

static void advise_record(struct finder *finder)
{
    const char *dump = finder->input->candidate.dump;

    if (finder->execute_ms <= 0 || finder->has_nodes)
        return;
    if (finder->input->etrecord) {
        advise_next(finder, "Use the ETRecord of this very export",
                    say(finder,
                        "There is an ETRecord, but none of the %zu operators could be tied to it: it belongs to "
                        "another export, or "
                        "the times come from a file without instruction numbers.",
                        finder->work),
                    say(finder, "tacho operators %s --etrecord %s", say_file(finder, dump, "MODEL.etdump"),
                        say_file(finder, finder->input->etrecord, "")));
        return;
    }
    advise_next(
        finder, "Give the ETRecord of the export",
        say(finder,
            "No ETRecord was found: modules, source lines, shapes and rates of the %zu operators are not known.",
            finder->work),
        say(finder, "tacho operators %s --etrecord MODEL.etrecord -o operators.csv",
            say_file(finder, dump, "MODEL.etdump")));
}

static void advise_log(struct finder *finder)
{
    const struct findings_side *candidate = &finder->input->candidate;
    bool has_log = candidate->log && candidate->log->kernels.count;
    const char *command = say(finder, "tacho kernels --xnntrace-log XNNTRACE.log --etdump %s --out kernels.csv",
                              say_file(finder, candidate->dump, "MODEL.etdump"));

    if ((!finder->delegated && !expects_sme2(finder)) || (has_log && candidate->log->has_execution))
        return;
    if (has_log)
        advise_next(
            finder, "Log which kernels run",
            say(finder,
                "The log names %u registered kernels, not which of them ran: build the runner with XNN_LOG_LEVEL=5 and "
                "give its log.",
                finder->facts.standing),
            command);
    else
        advise_next(
            finder, "Log which kernels are registered and run",
            say(finder,
                "No kernel log of %s was found, so nothing proves which kernels %s: build the runner with "
                "XNN_LOG_LEVEL=5 and run it once, apart from the timing.",
                candidate->name ? candidate->name : "the candidate",
                finder->delegated ? say(finder, "its %u delegated operators use", finder->delegated) : "it uses"),
            command);
}

static uint32_t launches_of(const struct findings_side *side)
{
    return side->launches || !side->operators ? side->launches : side->operators->launches;
}

static const char *times_of(const struct findings_side *side)
{
    return side->dump ? side->dump : side->timeline;
}

static void advise_launches(struct finder *finder)
{
    const struct findings_input *input = finder->input;
    uint32_t one = launches_of(&input->candidate), other = launches_of(&input->baseline);
    const char *speedup =
        input->latency.speedup > 0 ? say(finder, "The factor of %.2fx", input->latency.speedup) : "A difference";

    if (!input->has_baseline || input->latency.tested)
        return;
    advise_next(finder, "Measure 5 or more launches a side",
                say(finder, "%s rests on %s: that cannot tell a change from luck.", speedup,
                    one == other ? say(finder, "%u %s a side", one, plural(one, "launch", "launches"))
                                 : say(finder, "%u launches of the baseline and %u of the candidate", other, one)),
                input->config ? say(finder, "tacho pipeline --config %s", say_file(finder, input->config, ""))
                              : say(finder, "tacho latency --baseline %s ... --candidate %s ...",
                                    say_file(finder, times_of(&input->baseline), "OFF_l1.etdump"),
                                    say_file(finder, times_of(&input->candidate), "ON_l1.etdump")));
}

static void advise_baseline(struct finder *finder)
{
    const struct findings_input *input = finder->input;
    const char *times = times_of(&input->candidate);

    if (input->has_baseline || input->baseline.operators || finder->execute_ms <= 0)
        return;
    advise_next(
        finder, "Compare with another build",
        say(finder,
            "There is only %s: what was accelerated, and what was not, shows against a second build of the same model.",
            input->candidate.name ? input->candidate.name : "one build"),
        say(finder, "tacho operators --timeline-csv %s --compare OTHER.etdump",
            say_file(finder, times, "THIS.etdump")));
}

static void advise_spread(struct finder *finder)
{
    double least, most;

    if (finder->execute_ms <= 0 || finder->side->inferences < 2)
        return;
    least = operators_ms(finder->side, finder->side->execute_least);
    most = operators_ms(finder->side, finder->side->execute_most);
    if (least <= 0 || most <= 1.5 * least)
        return;
    advise_next(finder, "Look at the spread of the runs",
                say(finder,
                    "The %llu inferences of the candidate took from %s to %s, %.1fx apart: warm-up, other load or a "
                    "second mode.",
                    (unsigned long long)finder->side->inferences, say_ms(finder, least), say_ms(finder, most),
                    most / least),
                say(finder, "tacho latency %s --verbose",
                    say_file(finder, times_of(&finder->input->candidate), "THIS.etdump")));
}

static void advise_times(struct finder *finder)
{
    const struct findings_input *input = finder->input;

    if (finder->execute_ms > 0)
        return;
    advise_next(finder, "Record times by operator",
                say(finder, "There are no times by operator of %s: run it with an event tracer and keep the ETDump.",
                    input->candidate.name ? input->candidate.name : "the candidate"),
                input->config ? say(finder, "tacho pipeline --config %s", say_file(finder, input->config, ""))
                              : say(finder, "tacho timeline MODEL.etdump --out-dir %s --all-runs",
                                    say_file(finder, input->run_dir, ".")));
}

void advise_analysis(struct finder *finder)
{
    advise_times(finder);
    advise_record(finder);
    advise_log(finder);
    advise_launches(finder);
    advise_baseline(finder);
    advise_spread(finder);
}
