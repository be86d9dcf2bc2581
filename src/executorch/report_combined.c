/* report_combined.c: one report about the same model on several platforms. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "executorch/report_sections.h"

struct combined {
    const struct report_platform *platforms; /* those that hold nothing, too */
    size_t count;                            /* of them */
    struct document *document;               /* that is written */
    const char *model;                       /* its name */
};

/* "macOS + Android": those that hold something. */
static void write_names(const struct combined *combined, const char *between, char *to, size_t size)
{
    size_t length = 0;

    to[0] = '\0';
    for (size_t i = 0; i < combined->count && length < size; i++)
        if (combined->platforms[i].inspection)
            length += (size_t)snprintf(to + length, size - length, "%s%s", length ? between : "",
                                       combined->platforms[i].name);
}

static const char *model_of(const struct report_platform *platforms, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (platforms[i].inspection && platforms[i].inspection->rundir.model_stem)
            return platforms[i].inspection->rundir.model_stem;
    return "Unknown";
}

static void add_metadata(const struct combined *combined, const char *time)
{
    struct document *document = combined->document;
    char names[512];

    write_names(combined, ", ", names, sizeof names);
    document_text(document, "**Generated**: %s", time);
    document_heading(document, 2, "metadata", "Metadata");
    document_value(document, 0, "model", "Model", "`%s.pte`", combined->model);
    document_value(document, 0, "platforms", "Platforms", "%s", names);
    for (size_t i = 0; i < combined->count; i++) {
        const struct report_platform *platform = &combined->platforms[i];

        if (!platform->inspection) {
            document_mood(document, PROSE_WARNING, "%s: its folder holds nothing usable.", platform->name);
            continue;
        }
        document_value(document, 0, NULL, platform->name, "`%s`", platform->inspection->rundir.absolute);
        if (platform->inspection->rundir.model_stem &&
            strcmp(platform->inspection->rundir.model_stem, combined->model) != 0)
            document_mood(document, PROSE_WARNING, "The model of %s is `%s`.", platform->name,
                          platform->inspection->rundir.model_stem);
    }
}

static void add_latency_row(struct document *document, const char *platform, const struct inspected *item)
{
    const double values[] = { item->plain.median, item->plain.mean, item->plain.least, item->plain.most,
                              item->plain.deviation };

    document_cell(document, "%s", platform);
    document_cell(document, "%s", item->entry->label);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        document_cell_number(document, values[i], "%.2f", values[i]);
    document_cell_number(document, (double)item->measurement.launches.times.count, "%zu",
                         item->measurement.launches.times.count);
    document_cell_number(document, (double)item->plain.runs, "%zu", item->plain.runs);
}

static void add_latencies(const struct combined *combined)
{
    static const struct document_column columns[] = {
        { "platform", "Platform", false },
        { "experiment", "Experiment", false },
        { "median_ms", "Median (ms)", true },
        { "mean_ms", "Mean (ms)", true },
        { "min_ms", "Min (ms)", true },
        { "max_ms", "Max (ms)", true },
        { "std_dev_ms", "Std Dev (ms)", true },
        { "launches", "Launches", true },
        { "runs", "Runs", true },
    };

    document_heading(combined->document, 2, "latency", "Cross-Platform Latency Comparison");
    document_grid(combined->document, "latency", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < combined->count; i++) {
        const struct inspection *inspection = combined->platforms[i].inspection;

        for (size_t j = 0; inspection && j < inspection->count; j++)
            if (inspection->items[j].plain.runs)
                add_latency_row(combined->document, combined->platforms[i].name, &inspection->items[j]);
    }
    document_text(combined->document,
                  "A latency is one `Method::execute`; warm-up is left out, and trace runs never count.");
}

static bool all_sme2(const struct combined *combined)
{
    for (size_t i = 0; i < combined->count; i++) {
        const struct inspection *inspection = combined->platforms[i].inspection;

        for (size_t j = 0; inspection && j < inspection->pair_count; j++)
            if (!inspection->pairs[j].sme2)
                return false;
    }
    return true;
}

static size_t count_pairs(const struct combined *combined)
{
    size_t count = 0;

    for (size_t i = 0; i < combined->count; i++)
        for (size_t j = 0; combined->platforms[i].inspection && j < combined->platforms[i].inspection->pair_count; j++)
            count += combined->platforms[i].inspection->pairs[j].has_latency;
    return count;
}

static void add_speedups(const struct combined *combined)
{
    static const struct document_column columns[] = {
        { "platform", "Platform", false },
        { "speedup", "Speedup", true },
        { "pair", "Candidate vs baseline", false },
        { "verdict", "Verdict", false },
    };
    struct document *document = combined->document;
    char verdict[LATENCY_SENTENCE];

    document_heading(document, 2, "speedup", "%s",
                     all_sme2(combined) ? "SME2 Speedup Comparison (SME2-On vs SME2-Off)" : "Speedup Comparison");
    if (!count_pairs(combined)) {
        document_text(document, "No platform has two experiments to compare.");
        return;
    }
    document_grid(document, "speedup", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < combined->count; i++) {
        const struct inspection *inspection = combined->platforms[i].inspection;

        for (size_t j = 0; inspection && j < inspection->pair_count; j++) {
            const struct inspected_pair *pair = &inspection->pairs[j];

            if (!pair->has_latency)
                continue;
            latency_sentence(&pair->comparison, verdict);
            document_cell(document, "%s", combined->platforms[i].name);
            report_cell_speedup(document,
                                operators_speedup(pair->baseline->plain.median, pair->candidate->plain.median));
            document_cell(document, "`%s` vs `%s`", pair->candidate->entry->label, pair->baseline->entry->label);
            document_cell(document, "%s", verdict);
        }
    }
}

static void add_categories(const struct combined *combined)
{
    document_heading(combined->document, 2, "categories", "Operator Category Breakdown (Cross-Platform)");
    for (size_t i = 0; i < combined->count; i++) {
        const struct inspection *inspection = combined->platforms[i].inspection;
        const struct inspected_pair *pair = inspection ? inspection_pair(inspection) : NULL;
        const struct inspected *subject = inspection ? inspection_subject(inspection) : NULL;
        const struct inspected *sides[2];
        size_t count = 0;

        if (!inspection)
            continue;
        if (inspected_has_operators(subject))
            sides[count++] = subject;
        if (pair && inspected_has_operators(pair->baseline))
            sides[count++] = pair->baseline;
        document_heading(combined->document, 3, NULL, "%s", combined->platforms[i].name);
        if (count)
            report_category_grid(combined->document, "categories", pair, sides, count, true, true);
        else
            document_text(combined->document, "No file tells about operators.");
    }
    document_text(combined->document, "Milliseconds per inference; percentages are of `Method::execute`.");
}

/* One line a platform. */
static void write_sentence(const struct combined *combined, char *to)
{
    size_t length = 0;
    char verdict[LATENCY_SENTENCE];

    to[0] = '\0';
    for (size_t i = 0; i < combined->count && length < REPORT_SENTENCE; i++) {
        const struct inspection *inspection = combined->platforms[i].inspection;
        const struct inspected_pair *pair = inspection ? inspection_pair(inspection) : NULL;

        if (!inspection)
            continue;
        if (pair && pair->has_latency)
            latency_sentence(&pair->comparison, verdict);
        else if (inspection_subject(inspection)->plain.runs)
            latency_summary_sentence(inspection_subject(inspection)->latency, verdict);
        else
            snprintf(verdict, sizeof verdict, "no latency was recorded");
        length += (size_t)snprintf(to + length, REPORT_SENTENCE - length, "%s%s: %s", length ? "\n" : "",
                                   combined->platforms[i].name, verdict);
    }
}

status report_combine(const struct report_platform *platforms, size_t count, const char *model_name,
                      const struct report_options *options, struct document **document, char *sentence)
{
    struct combined combined = { .platforms = platforms, .count = count };
    char title[1024], names[512], time[REPORT_TIME];

    assert(platforms && count);
    combined.model = model_name ? model_name : model_of(platforms, count);
    write_names(&combined, " + ", names, sizeof names);
    snprintf(title, sizeof title, "Profiling Report: %s (%s)", combined.model, names);
    report_write_time(options->time, time);
    *document = combined.document = document_new(options->title ? options->title : title);
    if (!combined.document)
        return status_no_memory("writing a report");
    add_metadata(&combined, time);
    add_latencies(&combined);
    add_speedups(&combined);
    add_categories(&combined);
    write_sentence(&combined, sentence);
    document_rule(combined.document);
    document_text(combined.document, "Report generated from ETDumps, or CSV files derived from them.");
    return document_status(combined.document);
}
