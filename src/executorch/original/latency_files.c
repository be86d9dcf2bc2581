/* latency_files.c: latencies as JSON: what the original script writes, and our own answer. */
#include "executorch/original/latency_files.h"

#include <math.h>
#include <stdio.h>

#include "base/json_write.h"

static void put_decimals(struct json_out *json, const char *key, const double *values, size_t count)
{
    json_out_array(json, key, JSON_LINES);
    for (size_t i = 0; i < count; i++)
        json_out_decimal(json, NULL, values[i]);
    json_out_end(json);
}

/* ---- the original's files ------------------------------------------------------------------------------------------- */

static void put_moments(struct json_out *json, const struct robust_moments *moments)
{
    json_out_unsigned(json, "count", moments->count);
    json_out_decimal(json, "mean_ms", moments->mean);
    json_out_decimal(json, "median_ms", moments->median);
    json_out_decimal(json, "std_dev_ms", moments->deviation);
    json_out_decimal(json, "cv_percent", moments->variation);
}

static void put_percentiles(struct json_out *json, const double *values, const double *percentiles, double scale,
                            size_t count)
{
    json_out_object(json, "percentiles", JSON_LINES);
    for (size_t i = 0; i < count; i++) {
        char key[16];

        snprintf(key, sizeof key, "p%.0f", percentiles[i] * scale);
        json_out_decimal(json, key, values[i]);
    }
    json_out_end(json);
}

static void put_outliers(struct json_out *json, const struct robust *robust)
{
    json_out_object(json, "outliers", JSON_LINES);
    json_out_unsigned(json, "count", robust->outlier_count);
    json_out_decimal(json, "percentage",
                     robust->all.count ? (double)robust->outlier_count / (double)robust->all.count * 100 : 0);
    put_decimals(json, "values", robust->outliers, robust->outlier_count);
    json_out_object(json, "bounds", JSON_LINES);
    json_out_decimal(json, "lower", robust->lower);
    json_out_decimal(json, "upper", robust->upper);
    json_out_end(json);
    json_out_end(json);
}

void latency_write_stats(struct output *output, const struct latency_launch *launch, const struct robust *robust,
                         const char *name)
{
    struct json_out json;

    json_out_start(&json, output);
    json_out_object(&json, NULL, JSON_LINES);
    put_moments(&json, &robust->all);
    json_out_decimal(&json, "min_ms", robust->least);
    json_out_decimal(&json, "max_ms", robust->most);
    put_percentiles(&json, robust->percentiles, robust_percentiles, 1, ROBUST_PERCENTILES);
    put_outliers(&json, robust);
    json_out_decimal(&json, "trimmed_mean_5_ms", robust->trimmed_5);
    json_out_decimal(&json, "trimmed_mean_10_ms", robust->trimmed_10);
    json_out_object(&json, "robust_stats", JSON_LINES);
    put_moments(&json, &robust->inliers);
    json_out_end(&json);
    put_decimals(&json, "latencies_ms", launch->ms, launch->count);
    json_out_array(&json, "run_indices", JSON_LINES);
    for (size_t i = 0; i < launch->count; i++) {
        json_out_integer(&json, NULL, launch->runs[i]);
    }
    json_out_end(&json);
    json_out_text(&json, "name", name);
    json_out_end(&json);
}

static void put_config(struct json_out *json, const char *key, const char *name, const struct robust *robust)
{
    json_out_object(json, key, JSON_LINES);
    json_out_text(json, "name", name);
    json_out_decimal(json, "median_ms", robust->inliers.median);
    json_out_decimal(json, "trimmed_mean_ms", robust->trimmed_5);
    json_out_decimal(json, "cv_percent", robust->inliers.variation);
    json_out_unsigned(json, "count", robust->all.count);
    json_out_end(json);
}

void latency_write_comparison(struct output *output, const char *one_name, const struct robust *one,
                              const char *other_name, const struct robust *other)
{
    struct json_out json;
    double speedup = one->inliers.median / other->inliers.median;
    double one_cv = one->inliers.variation, other_cv = other->inliers.variation;
    char description[LATENCY_SENTENCE];

    snprintf(description, sizeof description, "%.200s is %.2fx %s than %.200s", other_name,
             speedup < 1 ? 1 / speedup : speedup, speedup < 1 ? "slower" : "faster", one_name);
    json_out_start(&json, output);
    json_out_object(&json, NULL, JSON_LINES);
    put_config(&json, "config1", one_name, one);
    put_config(&json, "config2", other_name, other);
    json_out_object(&json, "speedup", JSON_LINES);
    json_out_decimal(&json, "median_based", speedup);
    json_out_decimal(&json, "trimmed_mean_based", one->trimmed_5 / other->trimmed_5);
    json_out_text(&json, "description", description);
    json_out_end(&json);
    json_out_object(&json, "variability", JSON_LINES);
    json_out_decimal(&json, "config1_cv", one_cv);
    json_out_decimal(&json, "config2_cv", other_cv);
    json_out_text(&json, "more_variable", one_cv > other_cv ? one_name : other_name);
    json_out_decimal(&json, "cv_ratio", other_cv > 0 ? one_cv / other_cv : NAN);
    json_out_end(&json);
    json_out_end(&json);
}

/* ---- our own answer ------------------------------------------------------------------------------------------------- */

static void put_interval(struct json_out *json, const char *key, struct confidence interval)
{
    if (isnan(interval.low)) {
        json_out_null(json, key);
        return;
    }
    json_out_array(json, key, JSON_LINES);
    json_out_decimal(json, NULL, interval.low);
    json_out_decimal(json, NULL, interval.high);
    json_out_end(json);
}

static void put_modes(struct json_out *json, const struct latency_summary *summary)
{
    json_out_array(json, "modes", JSON_LINES);
    for (unsigned i = 0; i < summary->mode_count; i++) {
        json_out_object(json, NULL, JSON_LINES);
        json_out_unsigned(json, "launches", summary->modes[i].launches);
        json_out_decimal(json, "median_ms", summary->modes[i].median);
        json_out_decimal(json, "factor", summary->modes[i].factor);
        json_out_end(json);
    }
    json_out_end(json);
}

static void put_launches(struct json_out *json, const struct latency_summary *summary)
{
    json_out_array(json, "each_launch", JSON_LINES);
    for (size_t i = 0; i < summary->launches; i++) {
        const struct latency_process *process = &summary->processes[i];

        json_out_object(json, NULL, JSON_LINES);
        json_out_text(json, "name", process->name);
        json_out_unsigned(json, "runs", process->runs);
        json_out_unsigned(json, "left_out", process->left_out);
        json_out_decimal(json, "median_ms", process->median);
        json_out_decimal(json, "min_ms", process->least);
        json_out_decimal(json, "max_ms", process->most);
        json_out_decimal(json, "std_dev_ms", process->deviation);
        json_out_unsigned(json, "mode", process->mode + 1);
        json_out_decimal(json, "drift_percent", process->drift * 100);
        json_out_end(json);
    }
    json_out_end(json);
}

static void put_losses(struct json_out *json, const struct losses *losses)
{
    json_out_object(json, "rows", JSON_LINES);
    json_out_unsigned(json, "read", losses->rows);
    json_out_unsigned(json, "used", losses->used);
    json_out_unsigned(json, "lost", losses->lost);
    json_out_object(json, "reasons", JSON_LINES);
    for (unsigned i = 0; i < losses->reason_count; i++)
        json_out_unsigned(json, losses->reasons[i].reason->text, losses->reasons[i].count);
    json_out_end(json);
    json_out_end(json);
}

static void put_side(struct json_out *json, const char *key, const struct latency_summary *summary,
                     const struct losses *losses)
{
    char remark[LATENCY_SENTENCE];

    json_out_object(json, key, JSON_LINES);
    json_out_text(json, "name", summary->name);
    json_out_unsigned(json, "launches", summary->launches);
    json_out_unsigned(json, "runs", summary->runs);
    json_out_unsigned(json, "left_out", summary->left_out);
    json_out_unsigned(json, "warmup", summary->warmup);
    json_out_decimal(json, "median_ms", summary->median);
    put_interval(json, "median_ci95_ms", summary->interval);
    json_out_decimal(json, "mean_ms", summary->mean);
    json_out_decimal(json, "std_dev_ms", summary->deviation);
    json_out_decimal(json, "cv_percent", summary->variation);
    json_out_decimal(json, "min_ms", summary->least);
    json_out_decimal(json, "max_ms", summary->most);
    put_percentiles(json, summary->quantiles, latency_quantiles, 100, LATENCY_QUANTILES);
    json_out_decimal(json, "launch_cv_percent", summary->launch_variation);
    put_modes(json, summary);
    json_out_unsigned(json, "slow_runs", summary->slow);
    json_out_unsigned(json, "launches_drifting_slower", summary->slower.launches);
    json_out_unsigned(json, "launches_drifting_faster", summary->faster.launches);
    json_out_array(json, "remarks", JSON_LINES);
    for (unsigned i = 0; latency_remark(summary, i, remark); i++) {
        json_out_text(json, NULL, remark);
    }
    json_out_end(json);
    put_losses(json, losses);
    put_launches(json, summary);
    json_out_end(json);
}

static void put_test(struct json_out *json, const char *key, const struct rank_test *test, bool basis)
{
    json_out_object(json, key, JSON_LINES);
    json_out_text(json, "test", "Mann-Whitney, two-sided");
    json_out_truth(json, "exact", test->exact);
    json_out_decimal(json, "u", test->u);
    json_out_decimal(json, "p", test->p);
    json_out_decimal(json, "least_p", test->least_p);
    json_out_truth(json, "different", test->p <= LATENCY_LEVEL);
    json_out_truth(json, "basis_of_the_verdict", basis);
    json_out_end(json);
}

static void put_look(struct json_out *json, const char *key, const struct mode_answer *answer)
{
    json_out_object(json, key, JSON_LINES);
    json_out_decimal(json, "z", answer->z);
    json_out_decimal(json, "p", answer->p);
    json_out_end(json);
}

/* The test with its parts, where launches lie in modes. */
static void put_modes_test(struct json_out *json, const struct mode_test *test, bool basis)
{
    if (test->mode_count < 2) {
        json_out_null(json, "over_modes");
        return;
    }
    json_out_object(json, "over_modes", JSON_LINES);
    json_out_text(json, "test", "the largest of three rank sums, each over its deviation, two-sided");
    json_out_truth(json, "exact", test->exact);
    json_out_decimal(json, "p", test->p);
    put_look(json, "inside_modes", &test->answers[MODE_INSIDE]);
    put_look(json, "mode_occurrence", &test->answers[MODE_OCCURRENCE]);
    put_look(json, "all_launches", &test->answers[MODE_ALL]);
    json_out_truth(json, "different", test->p <= LATENCY_LEVEL);
    json_out_truth(json, "basis_of_the_verdict", basis);
    json_out_decimal(json, "speedup_inside_modes", test->factor_inside);
    json_out_array(json, "modes", JSON_LINES);
    for (unsigned i = 0; i < test->mode_count; i++) {
        json_out_object(json, NULL, JSON_LINES);
        json_out_unsigned(json, "baseline_launches", test->modes[i].one);
        json_out_unsigned(json, "candidate_launches", test->modes[i].other);
        json_out_decimal(json, "baseline_median_ms", test->modes[i].one_median);
        json_out_decimal(json, "candidate_median_ms", test->modes[i].other_median);
        json_out_end(json);
    }
    json_out_end(json);
    json_out_end(json);
}

static void put_comparison(struct json_out *json, const struct latency_comparison *comparison)
{
    static const char *const verdicts[] = { "too few launches", "no significant difference", "faster", "slower" };
    static const char *const questions[] = { "all launches", "inside modes", "mode occurrence" };
    bool tested = comparison->verdict != LATENCY_TOO_FEW;

    json_out_text(json, "verdict", verdicts[comparison->verdict]);
    if (comparison->verdict == LATENCY_FASTER || comparison->verdict == LATENCY_SLOWER)
        json_out_text(json, "decided_by", questions[comparison->test.decided]);
    else
        json_out_null(json, "decided_by");
    json_out_decimal(json, "p", tested ? comparison->test.p : NAN);
    json_out_decimal(json, "level", LATENCY_LEVEL);
    json_out_text(json, "speedup_is", "baseline/candidate");
    json_out_decimal(json, "speedup", comparison->speedup);
    put_interval(json, "speedup_ci95", comparison->interval);
    if (comparison->needed)
        json_out_unsigned(json, "launches_needed_estimate", comparison->needed);
    else
        json_out_null(json, "launches_needed_estimate");
    put_test(json, "over_launches", &comparison->test.whole, tested && comparison->test.mode_count == 1);
    put_modes_test(json, &comparison->test, tested);
    put_test(json, "over_runs", &comparison->over_runs, false);
}

void latency_write_answer(struct output *output, const struct latency_answer *answer)
{
    struct json_out json;
    char sentence[LATENCY_SENTENCE];

    if (answer->comparison)
        latency_sentence(answer->comparison, sentence);
    else
        latency_summary_sentence(answer->baseline, sentence);
    json_out_start(&json, output);
    json_out_object(&json, NULL, JSON_LINES);
    json_out_text(&json, "sentence", sentence);
    if (answer->comparison)
        put_comparison(&json, answer->comparison);
    json_out_unsigned(&json, "seed", answer->options.seed);
    json_out_unsigned(&json, "rounds", answer->options.rounds);
    put_side(&json, answer->comparison ? "baseline" : "side", answer->baseline, answer->losses[0]);
    if (answer->candidate)
        put_side(&json, "candidate", answer->candidate, answer->losses[1]);
    json_out_array(&json, "failures", JSON_LINES);
    for (size_t i = 0; i < answer->failure_count; i++)
        json_out_text(&json, NULL, answer->failures[i]);
    json_out_end(&json);
    json_out_array(&json, "warnings", JSON_LINES);
    for (size_t i = 0; i < answer->warning_count; i++) {
        json_out_text(&json, NULL, answer->warnings[i]);
    }
    json_out_end(&json);
    json_out_end(&json);
    json_out_finish(&json);
}
