/* findings_rows.c: what the findings say about operators: texts and rows. */
#include <assert.h>
#include <string.h>

#include "base/command_word.h"
#include "base/number.h"
#include "executorch/findings_shared.h"

/* ---- Texts ---- */

static const char *fail(struct finder *finder)
{
    if (finder->code == STATUS_OK)
        finder->code = status_no_memory("writing down findings");
    return "";
}

const char *say(struct finder *finder, const char *format, ...)
{
    va_list arguments;
    const char *text;

    va_start(arguments, format);
    text = arena_format(&finder->findings->arena, format, arguments);
    va_end(arguments);
    return text ? text : fail(finder);
}

/* Three digits that count, and never an exponent. */
static int decimals_of(double ms)
{
    return ms >= 100 ? 0 : ms >= 10 ? 1 : ms >= 1 ? 2 : ms >= 0.1 ? 3 : ms >= 0.01 ? 4 : ms > 0 ? 5 : 0;
}

const char *say_ms(struct finder *finder, double ms)
{
    return say(finder, "%.*f ms", decimals_of(ms), ms);
}

const char *say_file(struct finder *finder, const char *path, const char *otherwise)
{
    const char *word = path ? command_word(&finder->findings->arena, path) : otherwise;

    return word ? word : fail(finder);
}

const char *plural(size_t count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}

bool text_has(const char *text, const char *piece)
{
    return text && strcasestr(text, piece);
}

const char *say_place(struct finder *finder, const struct findings_row *row)
{
    if (row->source && row->module)
        return say(finder, " at %s, module %s", row->source, row->module);
    if (row->source)
        return say(finder, " at %s", row->source);
    return row->module ? say(finder, " in module %s", row->module) : "";
}

const char *say_operations(struct finder *finder, const uint32_t *members, size_t count)
{
    char list[OPERATOR_LIST];

    operator_list(finder->side, members, count, list);
    return say(finder, "%s", list);
}

/* ---- Operators ---- */

const struct operator_sum *sum_at(const struct finder *finder, uint32_t op)
{
    assert(op < finder->side->sums.count);
    return operators_at(finder->side, op);
}

double ms_at(const struct finder *finder, uint32_t op)
{
    return operators_average_ms(finder->side, sum_at(finder, op)->total);
}

double percent_at(const struct finder *finder, uint32_t op)
{
    return operators_percent(finder->side, sum_at(finder, op)->total);
}

enum category category_at(const struct finder *finder, uint32_t op)
{
    return operator_kind_category(sum_at(finder, op)->kind);
}

const struct operator_sum *counterpart(const struct finder *finder, uint32_t op)
{
    const struct operators_pair *pair = finder->input->pair;

    return pair && finder->base ? operators_counterpart(pair, finder->side, op) : NULL;
}

double speedup_at(const struct finder *finder, uint32_t op)
{
    const struct operator_sum *other = counterpart(finder, op);

    return other ? operators_speedup(operators_average_ms(finder->base, other->total), ms_at(finder, op)) : 0;
}

const struct kernel *kernel_of_operator(const struct finder *finder, uint32_t op)
{
    const struct kernel_use *use = sum_at(finder, op)->use;
    const struct kernel_log *log = finder->input->candidate.log;

    return use && log && use->kernel < log->kernels.count ? kernel_at(log, use->kernel) : NULL;
}

/* ---- Rows ---- */

struct findings_row row_of(struct finder *finder, uint32_t op)
{
    const struct operator_sum *sum = sum_at(finder, op), *other = counterpart(finder, op);
    struct findings_row row = {
        .op = op,
        .name = say(finder, "%s", strings_text(finder->side->strings, sum->name)),
        .count = 1,
        .ms = ms_at(finder, op),
        .percent = percent_at(finder, op),
        .gflops = operators_gflops(finder->side, sum),
        .portable = sum->event == EVENT_PORTABLE,
    };
    char source[512];

    operator_source(finder->side, sum->node, source, sizeof source);
    if (*source)
        row.source = say(finder, "%s", source);
    if (sum->node && sum->node->module)
        row.module = say(finder, "%s", strings_text(finder->side->strings, sum->node->module));
    if (other) {
        row.baseline_ms = operators_average_ms(finder->base, other->total);
        row.speedup = operators_speedup(row.baseline_ms, row.ms);
    }
    return row;
}

/* A module or a source line that all of them share is said once. */
static void keep_common(struct findings_row *row, const struct findings_row *next)
{
    if (row->module && (!next->module || strcmp(row->module, next->module) != 0))
        row->module = NULL;
    if (row->source && (!next->source || strcmp(row->source, next->source) != 0))
        row->source = NULL;
    row->portable &= next->portable;
}

struct findings_row row_of_cluster(struct finder *finder, const struct operator_cluster *cluster, const char *name)
{
    assert(cluster->count);
    enum { LOOKED_AT = 256 }; /* for what they have in common: texts of thousands would fill the arena */
    struct findings_row row = row_of(finder, cluster->members[0]);
    const struct operator_sum *other = counterpart(finder, cluster->members[0]);
    int64_t matched = other ? sum_at(finder, cluster->members[0])->total : 0, baseline = other ? other->total : 0;

    if (cluster->count == 1)
        return row;
    for (size_t i = 1; i < cluster->count; i++) {
        if (i < LOOKED_AT) {
            struct findings_row next = row_of(finder, cluster->members[i]);

            keep_common(&row, &next);
        }
        other = counterpart(finder, cluster->members[i]);
        matched = number_add(matched, other ? sum_at(finder, cluster->members[i])->total : 0);
        baseline = number_add(baseline, other ? other->total : 0);
    }
    if (cluster->count > LOOKED_AT)
        row.module = row.source = NULL;
    row.op = NO_ID;
    row.name = name;
    row.gflops = 0;
    row.count = (uint32_t)cluster->count;
    row.ms = operators_average_ms(finder->side, cluster->total);
    row.percent = operators_percent(finder->side, cluster->total);
    row.baseline_ms = baseline && matched == cluster->total ? operators_average_ms(finder->base, baseline) : 0;
    row.speedup = operators_speedup(row.baseline_ms, row.ms);
    return row;
}
