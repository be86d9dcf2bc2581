#include "executorch/original/latency_files.h"

#include <math.h>
#include <stdio.h>

#include "table/json.h"

/* ---- JSON of two blanks a level, as Python writes it ---------------------------------------------------------------- */

struct json_lines {
    struct output *output;
    unsigned depth;
    bool first; /* nothing stands yet behind the last bracket */
};

static void new_line(struct json_lines *json)
{
    if (!json->first)
        output_write(json->output, ",", 1);
    output_write(json->output, "\n", 1);
    for (unsigned i = 0; i < json->depth; i++)
        output_write(json->output, "  ", 2);
    json->first = false;
}

static void put_key(struct json_lines *json, const char *key)
{
    new_line(json);
    json_write_text(json->output, key);
    output_write(json->output, ": ", 2);
}

static void open_bracket(struct json_lines *json, char bracket)
{
    output_write(json->output, &bracket, 1);
    json->depth++;
    json->first = true;
}

static void close_bracket(struct json_lines *json, char bracket)
{
    bool empty = json->first;

    json->depth--;
    json->first = true;
    if (!empty)
        new_line(json);
    output_write(json->output, &bracket, 1);
    json->first = false;
}

static void open_object(struct json_lines *json, const char *key)
{
    if (key)
        put_key(json, key);
    open_bracket(json, '{');
}

static void put_integer(struct json_lines *json, const char *key, size_t value)
{
    put_key(json, key);
    json_write_integer(json->output, (int64_t)value);
}

static void put_decimal(struct json_lines *json, const char *key, double value)
{
    put_key(json, key);
    json_write_decimal(json->output, value);
}

static void put_text(struct json_lines *json, const char *key, const char *value)
{
    put_key(json, key);
    json_write_text(json->output, value);
}

static void put_bool(struct json_lines *json, const char *key, bool value)
{
    put_key(json, key);
    output_write(json->output, value ? "true" : "false", value ? 4 : 5);
}

static void put_decimals(struct json_lines *json, const char *key, const double *values, size_t count)
{
    put_key(json, key);
    open_bracket(json, '[');
    for (size_t i = 0; i < count; i++) {
        new_line(json);
        json_write_decimal(json->output, values[i]);
    }
    close_bracket(json, ']');
}

/* ---- the original's files ------------------------------------------------------------------------------------------- */

static void put_moments(struct json_lines *json, const struct robust_moments *moments)
{
    put_integer(json, "count", moments->count);
    put_decimal(json, "mean_ms", moments->mean);
    put_decimal(json, "median_ms", moments->median);
    put_decimal(json, "std_dev_ms", moments->deviation);
    put_decimal(json, "cv_percent", moments->variation);
}

static void put_percentiles(struct json_lines *json, const double *values, const double *percentiles, double scale,
                            size_t count)
{
    open_object(json, "percentiles");
    for (size_t i = 0; i < count; i++) {
        char key[16];

        snprintf(key, sizeof key, "p%.0f", percentiles[i] * scale);
        put_decimal(json, key, values[i]);
    }
    close_bracket(json, '}');
}

static void put_outliers(struct json_lines *json, const struct robust *robust)
{
    open_object(json, "outliers");
    put_integer(json, "count", robust->outlier_count);
    put_decimal(json, "percentage",
                robust->all.count ? (double)robust->outlier_count / (double)robust->all.count * 100 : 0);
    put_decimals(json, "values", robust->outliers, robust->outlier_count);
    open_object(json, "bounds");
    put_decimal(json, "lower", robust->lower);
    put_decimal(json, "upper", robust->upper);
    close_bracket(json, '}');
    close_bracket(json, '}');
}

void latency_write_stats(struct output *output, const struct latency_launch *launch, const struct robust *robust,
                         const char *name)
{
    struct json_lines json = { .output = output };

    open_object(&json, NULL);
    put_moments(&json, &robust->all);
    put_decimal(&json, "min_ms", robust->least);
    put_decimal(&json, "max_ms", robust->most);
    put_percentiles(&json, robust->percentiles, robust_percentiles, 1, ROBUST_PERCENTILES);
    put_outliers(&json, robust);
    put_decimal(&json, "trimmed_mean_5_ms", robust->trimmed_5);
    put_decimal(&json, "trimmed_mean_10_ms", robust->trimmed_10);
    open_object(&json, "robust_stats");
    put_moments(&json, &robust->inliers);
    close_bracket(&json, '}');
    put_decimals(&json, "latencies_ms", launch->ms, launch->count);
    put_key(&json, "run_indices");
    open_bracket(&json, '[');
    for (size_t i = 0; i < launch->count; i++) {
        new_line(&json);
        json_write_integer(output, launch->runs[i]);
    }
    close_bracket(&json, ']');
    put_text(&json, "name", name);
    close_bracket(&json, '}');
}

static void put_config(struct json_lines *json, const char *key, const char *name, const struct robust *robust)
{
    open_object(json, key);
    put_text(json, "name", name);
    put_decimal(json, "median_ms", robust->inliers.median);
    put_decimal(json, "trimmed_mean_ms", robust->trimmed_5);
    put_decimal(json, "cv_percent", robust->inliers.variation);
    put_integer(json, "count", robust->all.count);
    close_bracket(json, '}');
}

void latency_write_comparison(struct output *output, const char *one_name, const struct robust *one,
                              const char *other_name, const struct robust *other)
{
    struct json_lines json = { .output = output };
    double speedup = one->inliers.median / other->inliers.median;
    double one_cv = one->inliers.variation, other_cv = other->inliers.variation;
    char description[LATENCY_SENTENCE];

    snprintf(description, sizeof description, "%.200s is %.2fx %s than %.200s", other_name,
             speedup < 1 ? 1 / speedup : speedup, speedup < 1 ? "slower" : "faster", one_name);
    open_object(&json, NULL);
    put_config(&json, "config1", one_name, one);
    put_config(&json, "config2", other_name, other);
    open_object(&json, "speedup");
    put_decimal(&json, "median_based", speedup);
    put_decimal(&json, "trimmed_mean_based", one->trimmed_5 / other->trimmed_5);
    put_text(&json, "description", description);
    close_bracket(&json, '}');
    open_object(&json, "variability");
    put_decimal(&json, "config1_cv", one_cv);
    put_decimal(&json, "config2_cv", other_cv);
    put_text(&json, "more_variable", one_cv > other_cv ? one_name : other_name);
    put_decimal(&json, "cv_ratio", other_cv > 0 ? one_cv / other_cv : NAN);
    close_bracket(&json, '}');
    close_bracket(&json, '}');
}

/* ---- our own answer ------------------------------------------------------------------------------------------------- */

static void put_interval(struct json_lines *json, const char *key, struct confidence interval)
{
    put_key(json, key);
    if (isnan(interval.low)) {
        output_write(json->output, "null", 4);
        return;
    }
    open_bracket(json, '[');
    new_line(json);
    json_write_decimal(json->output, interval.low);
    new_line(json);
    json_write_decimal(json->output, interval.high);
    close_bracket(json, ']');
}

static void put_modes(struct json_lines *json, const struct latency_summary *summary)
{
    put_key(json, "modes");
    open_bracket(json, '[');
    for (unsigned i = 0; i < summary->mode_count; i++) {
        new_line(json);
        open_bracket(json, '{');
        put_integer(json, "launches", summary->modes[i].launches);
        put_decimal(json, "median_ms", summary->modes[i].median);
        put_decimal(json, "factor", summary->modes[i].factor);
        close_bracket(json, '}');
    }
    close_bracket(json, ']');
}

static void put_launches(struct json_lines *json, const struct latency_summary *summary)
{
    put_key(json, "each_launch");
    open_bracket(json, '[');
    for (size_t i = 0; i < summary->launches; i++) {
        const struct latency_process *process = &summary->processes[i];

        new_line(json);
        open_bracket(json, '{');
        put_text(json, "name", process->name);
        put_integer(json, "runs", process->runs);
        put_integer(json, "left_out", process->left_out);
        put_decimal(json, "median_ms", process->median);
        put_decimal(json, "min_ms", process->least);
        put_decimal(json, "max_ms", process->most);
        put_decimal(json, "std_dev_ms", process->deviation);
        put_integer(json, "mode", process->mode + 1);
        put_decimal(json, "drift_percent", process->drift * 100);
        close_bracket(json, '}');
    }
    close_bracket(json, ']');
}

static void put_losses(struct json_lines *json, const struct losses *losses)
{
    open_object(json, "rows");
    put_integer(json, "read", losses->rows);
    put_integer(json, "used", losses->used);
    put_integer(json, "lost", losses->lost);
    open_object(json, "reasons");
    for (unsigned i = 0; i < losses->reason_count; i++)
        put_integer(json, losses->reasons[i].reason->text, losses->reasons[i].count);
    close_bracket(json, '}');
    close_bracket(json, '}');
}

static void put_side(struct json_lines *json, const char *key, const struct latency_summary *summary,
                     const struct losses *losses)
{
    char remark[LATENCY_SENTENCE];

    open_object(json, key);
    put_text(json, "name", summary->name);
    put_integer(json, "launches", summary->launches);
    put_integer(json, "runs", summary->runs);
    put_integer(json, "left_out", summary->left_out);
    put_integer(json, "warmup", summary->warmup);
    put_decimal(json, "median_ms", summary->median);
    put_interval(json, "median_ci95_ms", summary->interval);
    put_decimal(json, "mean_ms", summary->mean);
    put_decimal(json, "std_dev_ms", summary->deviation);
    put_decimal(json, "cv_percent", summary->variation);
    put_decimal(json, "min_ms", summary->least);
    put_decimal(json, "max_ms", summary->most);
    put_percentiles(json, summary->quantiles, latency_quantiles, 100, LATENCY_QUANTILES);
    put_decimal(json, "launch_cv_percent", summary->launch_variation);
    put_modes(json, summary);
    put_integer(json, "launches_drifting_slower", summary->slower.launches);
    put_integer(json, "launches_drifting_faster", summary->faster.launches);
    put_key(json, "remarks");
    open_bracket(json, '[');
    for (unsigned i = 0; latency_remark(summary, i, remark); i++) {
        new_line(json);
        json_write_text(json->output, remark);
    }
    close_bracket(json, ']');
    put_losses(json, losses);
    put_launches(json, summary);
    close_bracket(json, '}');
}

static void put_test(struct json_lines *json, const char *key, const struct rank_test *test, bool basis)
{
    open_object(json, key);
    put_text(json, "test", "Mann-Whitney, two-sided");
    put_bool(json, "exact", test->exact);
    put_decimal(json, "u", test->u);
    put_decimal(json, "p", test->p);
    put_decimal(json, "least_p", test->least_p);
    put_bool(json, "different", test->p <= LATENCY_LEVEL);
    put_bool(json, "basis_of_the_verdict", basis);
    close_bracket(json, '}');
}

static void put_comparison(struct json_lines *json, const struct latency_comparison *comparison)
{
    static const char *const verdicts[] = { "too few launches", "no significant difference", "faster", "slower" };

    put_text(json, "verdict", verdicts[comparison->verdict]);
    put_decimal(json, "level", LATENCY_LEVEL);
    put_text(json, "speedup_is", "baseline/candidate");
    put_decimal(json, "speedup", comparison->speedup);
    put_interval(json, "speedup_ci95", comparison->interval);
    put_decimal(json, "speedup_of_largest_modes", comparison->main_speedup);
    put_key(json, "launches_needed_estimate");
    if (comparison->needed)
        json_write_integer(json->output, (int64_t)comparison->needed);
    else
        output_write(json->output, "null", 4);
    put_test(json, "over_launches", &comparison->over_launches, comparison->verdict != LATENCY_TOO_FEW);
    put_test(json, "over_runs", &comparison->over_runs, false);
}

void latency_write_answer(struct output *output, const struct latency_answer *answer)
{
    struct json_lines json = { .output = output };
    char sentence[LATENCY_SENTENCE];

    if (answer->comparison)
        latency_sentence(answer->comparison, sentence);
    else
        latency_summary_sentence(answer->baseline, sentence);
    open_object(&json, NULL);
    put_text(&json, "sentence", sentence);
    if (answer->comparison)
        put_comparison(&json, answer->comparison);
    put_integer(&json, "seed", answer->options.seed);
    put_integer(&json, "rounds", answer->options.rounds);
    put_side(&json, answer->comparison ? "baseline" : "side", answer->baseline, answer->losses[0]);
    if (answer->candidate)
        put_side(&json, "candidate", answer->candidate, answer->losses[1]);
    put_key(&json, "warnings");
    open_bracket(&json, '[');
    for (size_t i = 0; i < answer->warning_count; i++) {
        new_line(&json);
        json_write_text(output, answer->warnings[i]);
    }
    close_bracket(&json, ']');
    close_bracket(&json, '}');
    output_write(output, "\n", 1);
}
