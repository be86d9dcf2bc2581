/* compare_table.c: the rows of a comparison as tables. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze/compare.h"
#include "base/memory.h"
#include "base/number.h"

enum { MOST_REASONS = 5, REASON_SHOWN = 160 };

/* The context of all fields: rows as they are shown. */
struct shown {
    const struct comparison *comparison; /* borrowed */
    struct compare_row *rows;            /* copies */
    size_t count;                        /* of rows */
    char text[64];                       /* what `get` made last */
};

static const struct compare_row *row_at(const void *context, size_t row)
{
    const struct shown *shown = context;

    assert(row < shown->count);
    return &shown->rows[row];
}

static bool is_made(const struct compare_row *row)
{
    return row->kind == COMPARE_OTHERS || row->kind == COMPARE_SUM;
}

static struct table_cell number_or_none(double value)
{
    return isfinite(value) ? cell_decimal(value) : cell_null();
}

static struct table_cell get_name(const void *context, size_t row)
{
    return cell_text(row_at(context, row)->name);
}

static struct table_cell get_before(const void *context, size_t row)
{
    return cell_integer(row_at(context, row)->ns[0]);
}

static struct table_cell get_after(const void *context, size_t row)
{
    return cell_integer(row_at(context, row)->ns[1]);
}

static struct table_cell get_difference(const void *context, size_t row)
{
    return cell_integer(compare_difference(row_at(context, row)));
}

static struct table_cell get_change(const void *context, size_t row)
{
    const struct compare_row *change = row_at(context, row);

    return change->ns[0] > 0 && change->ns[1] > 0
               ? cell_decimal(100 * ((double)change->ns[1] / (double)change->ns[0] - 1))
               : cell_null();
}

static struct table_cell get_factor(const void *context, size_t row)
{
    return number_or_none(compare_factor(((const struct shown *)context)->comparison, row_at(context, row)));
}

static struct table_cell get_corrected(const void *context, size_t row)
{
    return number_or_none(row_at(context, row)->corrected);
}

static struct table_cell get_p(const void *context, size_t row)
{
    return number_or_none(row_at(context, row)->p);
}

/* As people read it: no more digits than it has. */
static struct table_cell get_p_text(const void *context, size_t row)
{
    struct shown *shown = (struct shown *)(uintptr_t)context;
    double p = row_at(context, row)->corrected;

    if (!isfinite(p))
        return cell_null();
    snprintf(shown->text, sizeof shown->text, p < 0.0001 ? "<0.0001" : p < 0.01 ? "%.4f" : "%.2f", p);
    return cell_text(shown->text);
}

static struct table_cell get_launches(const void *context, size_t row)
{
    struct shown *shown = (struct shown *)(uintptr_t)context;
    const struct compare_row *change = row_at(context, row);

    if (is_made(change))
        return cell_null();
    snprintf(shown->text, sizeof shown->text, "%zu+%zu", change->present[0], change->present[1]);
    return cell_text(shown->text);
}

static struct table_cell get_present_before(const void *context, size_t row)
{
    return is_made(row_at(context, row)) ? cell_null() : cell_integer((int64_t)row_at(context, row)->present[0]);
}

static struct table_cell get_present_after(const void *context, size_t row)
{
    return is_made(row_at(context, row)) ? cell_null() : cell_integer((int64_t)row_at(context, row)->present[1]);
}

/* "~": nothing can be said. What is on one side only is told, and whether that is certain. */
static struct table_cell get_verdict(const void *context, size_t row)
{
    const struct compare_row *change = row_at(context, row);
    bool certain = change->verdict > LATENCY_SAME;

    if (is_made(change))
        return cell_null();
    if (!change->present[0] && change->present[1])
        return cell_text(certain ? "appeared" : "appeared ~");
    if (change->present[0] && !change->present[1])
        return cell_text(certain ? "vanished" : "vanished ~");
    return cell_text(!certain ? "~" : change->verdict == LATENCY_SLOWER ? "slower" : "faster");
}

static struct table_cell get_needed(const void *context, size_t row)
{
    const struct compare_row *change = row_at(context, row);

    return change->needed && !is_made(change) ? cell_integer((int64_t)change->needed) : cell_null();
}

static struct table_cell get_reason(const void *context, size_t row)
{
    return cell_text(row_at(context, row)->reason);
}

/* The operator as the later side knows it. */
static const struct op *op_at(const void *context, size_t row)
{
    const struct compare_row *change = row_at(context, row);

    return change->ops[1] ? change->ops[1] : change->ops[0];
}

static struct table_cell cell_of(const void *context, const struct op *op, string_id name)
{
    return op && name ? cell_text(strings_text(((const struct shown *)context)->comparison->strings, name))
                      : cell_null();
}

static struct table_cell get_type(const void *context, size_t row)
{
    const struct op *op = op_at(context, row);

    return cell_of(context, op, op ? op->type : 0);
}

static struct table_cell get_module(const void *context, size_t row)
{
    const struct op *op = op_at(context, row);

    return cell_of(context, op, op ? op->module : 0);
}

static struct table_cell get_place(const void *context, size_t row)
{
    const struct op *op = op_at(context, row);

    return cell_of(context, op, op ? (op->place ? op->place : op->location) : 0);
}

static struct table_cell get_calls(const void *context, size_t row, size_t place)
{
    const struct compare_row *change = row_at(context, row);

    return change->ops[place] ? cell_decimal(change->calls[place]) : cell_null();
}

#define TEXT(name_, title_, get_, ...)                                                            \
    {                                                                                             \
        .key = name_, .title = title_, .type = CELL_TEXT, .get = get_, .description = __VA_ARGS__ \
    }
#define TIME(name_, title_, get_, ...)                                                                              \
    {                                                                                                               \
        .key = name_, .title = title_, .unit = "ns", .type = CELL_DURATION, .get = get_, .description = __VA_ARGS__ \
    }
#define NUMBER(name_, title_, type_, get_, ...)                                               \
    {                                                                                         \
        .key = name_, .title = title_, .type = type_, .get = get_, .description = __VA_ARGS__ \
    }

static const struct field fields[] = {
    TEXT("name", "Name", get_name, "what took the time"),
    TIME("before", "Before", get_before, "of one run: mean over launches of the mean over the runs that count"),
    { .key = "after",
      .title = "After",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "the same of the other side",
      .get = get_after,
      .optional = true },
    TIME("difference", "Difference", get_difference, "after less before; rows add up to that of the run"),
    { .key = "change",
      .title = "Change",
      .unit = "%",
      .type = CELL_PERCENT,
      .description = "the difference in percent of before",
      .optional = true,
      .get = get_change },
    NUMBER("factor", "Factor", CELL_DECIMAL, get_factor, "after over before; of the run by the medians of launches"),
    TEXT("p_shown", "p", get_p_text,
         "how often chance alone makes a difference as clear, corrected by Holm over all rows"),
    NUMBER("p_corrected", "p (Holm)", CELL_DECIMAL, get_corrected, "p, corrected by Holm over all rows"),
    NUMBER("p", "p (alone)", CELL_DECIMAL, get_p, "Welch's test on logarithms of launches, or ranks where some are 0"),
    TEXT("launches", "n", get_launches, "launches in which it took time: before and after"),
    NUMBER("launches_before", "n before", CELL_INTEGER, get_present_before, "launches before in which it is"),
    NUMBER("launches_after", "n after", CELL_INTEGER, get_present_after, "launches after in which it is"),
    TEXT("verdict", "Verdict", get_verdict, "slower, faster, appeared or vanished at the 1 % level; ~: cannot be said"),
    NUMBER("needed", "Needed", CELL_INTEGER, get_needed, "launches a side that a difference of this size takes, about"),
    { .key = "reason",
      .title = "Reason",
      .type = CELL_TEXT,
      .description = "what else changed: engine, data type, kernel, shapes, type, how often",
      .get = get_reason,
      .optional = true },
    TEXT("type", "Type", get_type, "of the operator"),
    TEXT("module", "Module", get_module, "that the model calls it in"),
    TEXT("location", "Location", get_place, "in the source"),
    { .key = "calls_before",
      .title = "Times before",
      .type = CELL_DECIMAL,
      .description = "how often in a run, before",
      .get_at = get_calls,
      .place = 0 },
    { .key = "calls_after",
      .title = "Times after",
      .type = CELL_DECIMAL,
      .description = "how often in a run, after",
      .get_at = get_calls,
      .place = 1 },
    { 0 },
};

static const struct field_set set = { "change", fields };
static const struct field_set *const sets[] = { &set, NULL };

static const char *const keys[] = { "name",    "before",   "after",   "difference", "change",
                                    "p_shown", "launches", "verdict", NULL };
static const char *const operator_keys[] = { "name",    "before",   "after",   "difference", "change",
                                             "p_shown", "launches", "verdict", "reason",     NULL };
static const struct view views[] = {
    [COMPARE_TOTALS] = { .name = "totals", .title = "Time", .keys = keys },
    [COMPARE_PART_ROWS] = { .name = "parts", .title = "By part", .keys = keys },
    [COMPARE_ENGINE_ROWS] = { .name = "engines", .title = "By engine", .keys = keys },
    [COMPARE_OPERATOR_ROWS] = { .name = "operators", .title = "By operator", .keys = operator_keys },
};

/* ---- tables ------------------------------------------------------------------------------------------------------------ */

static void add_to(struct compare_row *sum, const struct compare_row *row)
{
    for (unsigned i = 0; i < 2; i++)
        sum->ns[i] = number_add(sum->ns[i], row->ns[i]);
}

/* Rows up to `most`, the others as one, and what all of them add up to. */
static status choose_rows(const struct comparison *comparison, enum compare_section section, size_t most,
                          struct shown *shown, char others[64])
{
    size_t count;
    const struct compare_row *rows = comparison_section(comparison, section, &count);
    bool adds_up = section == COMPARE_PART_ROWS || section == COMPARE_OPERATOR_ROWS;
    struct compare_row rest = {
        .section = section, .kind = COMPARE_OTHERS, .name = others, .p = NAN, .corrected = NAN
    };
    struct compare_row sum = rest;
    size_t left = most && count > most + 1 ? count - most : 0;

    sum.kind = COMPARE_SUM;
    sum.name = comparison->subject == COMPARE_DEVICE && section == COMPARE_OPERATOR_ROWS ? comparison_device(comparison)
                                                                                         : "sum";
    *shown = (struct shown){ .comparison = comparison, .rows = memory_allocate((count + 2) * sizeof *shown->rows) };
    if (!shown->rows)
        return status_no_memory("making a table");
    for (size_t i = 0; i < count; i++) {
        add_to(&sum, &rows[i]);
        if (i < count - left)
            shown->rows[shown->count++] = rows[i];
        else
            add_to(&rest, &rows[i]);
    }
    snprintf(others, 64, "%zu others", left);
    if (left)
        shown->rows[shown->count++] = rest;
    if (adds_up && count > 1)
        shown->rows[shown->count++] = sum;
    return STATUS_OK;
}

static bool same_reason(const struct compare_row *one, const struct compare_row *other)
{
    return one->reason && other->reason && strcmp(one->name, other->name) == 0 &&
           strcmp(one->reason, other->reason) == 0;
}

/* Once for all rows of a name that have the same: a network has an operator in every layer. */
static void note_reasons(const struct shown *shown, struct table *table)
{
    size_t told = 0;

    for (size_t i = 0; i < shown->count && told < MOST_REASONS; i++) {
        const struct compare_row *row = &shown->rows[i];
        size_t before = 0, alike = 0;
        char times[32] = "";

        for (size_t k = 0; k < shown->count; k++)
            *(k < i ? &before : &alike) += same_reason(&shown->rows[k], row);
        if (!row->reason || before)
            continue;
        if (alike > 1)
            snprintf(times, sizeof times, "%zu x ", alike);
        table_note(table, "%s%s: %.*s%s", times, row->name, REASON_SHOWN, row->reason,
                   strlen(row->reason) > REASON_SHOWN ? "..." : "");
        told++;
    }
}

status comparison_table(const struct comparison *comparison, enum compare_section section, size_t most,
                        struct table **table)
{
    const struct view *const list[] = { &views[section], NULL };
    char others[64];
    struct shown shown;
    status code = choose_rows(comparison, section, most, &shown, others);

    *table = NULL;
    if (code == STATUS_OK) {
        const struct rows rows = { .entity = "change", .sets = sets, .context = &shown, .count = shown.count };

        code = view_table(&rows, list, NULL, table);
    }
    if (code == STATUS_OK && most) /* where the column may have no room */
        note_reasons(&shown, *table);
    memory_free(shown.rows);
    return code;
}

status comparison_view(const struct comparison *comparison, const struct view_request *request, struct table **table)
{
    static const struct view *const list[] = { &views[COMPARE_OPERATOR_ROWS], &views[COMPARE_TOTALS], NULL };
    size_t count;
    struct shown shown = { .comparison = comparison };
    struct rows rows = { .entity = "change", .sets = sets, .context = &shown };

    shown.rows = comparison_section(comparison, COMPARE_OPERATOR_ROWS, &count);
    rows.count = shown.count = count;
    return view_table(&rows, list, request, table);
}
