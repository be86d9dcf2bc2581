/* potential_tables.c: what could be saved, as tables: views of items, chances, parts and roofs. */
#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "analyze/potential.h"

static struct table_cell cell_known(double value)
{
    return isnan(value) ? cell_null() : cell_decimal(value);
}

/* Whole numbers of any size: what no integer holds stays empty. */
static struct table_cell cell_rounded(double value)
{
    return fabs(value) < 9e18 ? cell_integer(llround(value)) : cell_null();
}

/* A view without what a user asks for; its title and the words of one field may be those of the profile. NULL: out of memory. */
static struct table *make_table(const struct field_set *set, const void *context, size_t count, const struct view *view,
                                const struct view_request *request)
{
    const struct field_set *const sets[] = { set, NULL };
    const struct view *const views[] = { view, NULL };
    struct rows rows = { .entity = set->entity, .sets = sets, .context = context, .count = count };
    struct table *table = NULL;

    return view_table(&rows, views, request, &table) == STATUS_OK ? table : NULL;
}

/* ---- Chances ------------------------------------------------------------------------------------------------------- */

static const struct potential_chance *chance_at(const void *context, size_t row)
{
    return &((const struct potential_chance *)context)[row];
}

static struct table_cell get_chance_saves(const void *context, size_t row)
{
    return cell_integer(potential_rounded(chance_at(context, row)->saves));
}

static struct table_cell get_chance_share(const void *context, size_t row)
{
    return cell_known(chance_at(context, row)->share);
}

static struct table_cell get_chance_what(const void *context, size_t row)
{
    return cell_text(chance_at(context, row)->what);
}

static struct table_cell get_chance_about(const void *context, size_t row)
{
    return cell_text(chance_at(context, row)->about);
}

static struct table_cell get_chance_count(const void *context, size_t row)
{
    return cell_integer((int64_t)chance_at(context, row)->count);
}

static struct table_cell get_chance_time(const void *context, size_t row)
{
    return cell_integer(potential_rounded(chance_at(context, row)->time));
}

static struct table_cell get_chance_bound(const void *context, size_t row)
{
    return cell_text(chance_at(context, row)->bound);
}

static struct table_cell get_chance_evidence(const void *context, size_t row)
{
    return cell_text(chance_at(context, row)->evidence);
}

struct table *chance_table(const char *title, const char *share_of, const struct potential_chance *chances,
                           size_t count, size_t left_out)
{
    const struct field fields[] = {
        { "could_save", "Could save", "ns", CELL_DURATION, "time that it could save at most", get_chance_saves, false,
          false },
        { "share", "Share", "%", CELL_PERCENT, share_of, get_chance_share, false, false },
        { "advice", "What to do", NULL, CELL_TEXT, "what to try", get_chance_what, false, false },
        { "operation", "Operation", NULL, CELL_TEXT, "the operations that it is about", get_chance_about, false,
          false },
        { "count", "Ops", NULL, CELL_INTEGER, "how many they are", get_chance_count, false, true },
        { "time", "Takes now", "ns", CELL_DURATION, "time that they take", get_chance_time, false, true },
        { "bound", "If", NULL, CELL_TEXT, "what the saving assumes", get_chance_bound, false, true },
        { "evidence", "Evidence", NULL, CELL_TEXT, "the numbers that it rests on", get_chance_evidence, false, true },
        { .key = NULL },
    };
    static const char *const with_evidence[] = { "could_save", "share", "advice",   "operation", "count",
                                                 "time",       "bound", "evidence", NULL };
    static const char *const without[] = {
        "could_save", "share", "advice", "operation", "count", "time", "bound", NULL
    };
    const struct field_set set = { "chance", fields };
    struct view view = { .name = "rank", .table = "advice", .title = title, .keys = without };
    struct table *table;

    assert(title && share_of && (chances || !count));
    for (size_t i = 0; i < count; i++)
        if (chances[i].evidence)
            view.keys = with_evidence;
    table = make_table(&set, chances, count, &view, NULL);
    if (table && left_out)
        table_note(table, "%zu smaller ones are left out", left_out);
    if (table && count)
        table_note(table, "Savings are bounds, each for itself: two rows may speak of the same time.");
    return table;
}

struct table *potential_rank_table(const struct potential *potential, const char *title, size_t most)
{
    size_t count = potential->chance_count < most ? potential->chance_count : most;
    char share[128];

    assert(potential->whole_name && title);
    snprintf(share, sizeof share, "of %.100s", potential->whole_name);
    return chance_table(title, share, potential->chances, count, potential->chance_count - count);
}

/* ---- Items --------------------------------------------------------------------------------------------------------- */

struct shown_items {
    const struct potential *potential; /* borrowed */
    bool short_names;                  /* labels where there are any */
};

static const struct potential *potential_of(const void *context)
{
    return ((const struct shown_items *)context)->potential;
}

static const struct potential_item *item_at(const void *context, size_t row)
{
    assert(row < potential_of(context)->count);
    return &potential_of(context)->items[row];
}

static struct table_cell get_item_time(const void *context, size_t row)
{
    return cell_rounded(potential_ns(potential_of(context), item_at(context, row)->ticks));
}

static struct table_cell get_item_name(const void *context, size_t row)
{
    const struct potential_item *item = item_at(context, row);

    return cell_text(((const struct shown_items *)context)->short_names && item->label ? item->label : item->name);
}

static struct table_cell get_item_bound(const void *context, size_t row)
{
    return cell_text(potential_bound(item_at(context, row)));
}

static struct table_cell get_item_reached(const void *context, size_t row)
{
    return cell_known(potential_reached(item_at(context, row)));
}

static struct table_cell get_item_saves(const void *context, size_t row)
{
    return cell_rounded(item_at(context, row)->saves * 1e9 / (double)potential_of(context)->times);
}

static struct table_cell get_item_gigabytes(const void *context, size_t row)
{
    return cell_known(item_at(context, row)->point.gigabytes);
}

static struct table_cell get_item_share(const void *context, size_t row)
{
    const struct potential *potential = potential_of(context);

    return cell_known(potential_share(potential, potential_ns(potential, item_at(context, row)->ticks)));
}

static struct table_cell get_item_engine(const void *context, size_t row)
{
    return cell_text(item_at(context, row)->engine);
}

static struct table_cell get_item_place(const void *context, size_t row)
{
    return cell_text(item_at(context, row)->place);
}

static struct table_cell get_item_count(const void *context, size_t row)
{
    return cell_integer((int64_t)item_at(context, row)->count);
}

static struct table_cell get_item_bytes(const void *context, size_t row)
{
    return cell_rounded(item_at(context, row)->bytes / (double)potential_of(context)->times);
}

static struct table_cell get_item_memory(const void *context, size_t row)
{
    return cell_known(item_at(context, row)->point.memory_percent);
}

static struct table_cell get_item_gflops(const void *context, size_t row)
{
    return cell_known(item_at(context, row)->point.flops / 1e9);
}

static struct table_cell get_item_flops(const void *context, size_t row)
{
    return cell_rounded(item_at(context, row)->flops / (double)potential_of(context)->times);
}

static struct table_cell get_item_intensity(const void *context, size_t row)
{
    return cell_known(item_at(context, row)->point.intensity);
}

static struct table_cell get_item_compute(const void *context, size_t row)
{
    return cell_known(item_at(context, row)->point.compute_percent);
}

struct table *potential_item_view(const struct potential *potential, const char *title, size_t most, bool short_names,
                                  const struct view_request *request)
{
    const struct field fields[] = {
        { "time", "Time", "ns", CELL_DURATION, "that it takes", get_item_time, false, false },
        { "operation", potential->item_name, NULL, CELL_TEXT, "what it is called", get_item_name, false, false },
        { "bound", "Bound", NULL, CELL_TEXT, "the roof that is near (65 %): memory, FLOPs, both; slow: none is",
          get_item_bound, false, false },
        { "roof_percent", "Roof", "%", CELL_PERCENT, "how much of the nearest roof it reaches", get_item_reached, false,
          false },
        { "could_save", "Saves", "ns", CELL_DURATION, "its time above the least that the roofs allow", get_item_saves,
          false, false },
        { "gb_s", "GB/s", NULL, CELL_DECIMAL, "10^9 bytes a second", get_item_gigabytes, false, false },
        { "share", "Share", NULL, CELL_PERCENT, "of the whole", get_item_share, false, true },
        { "engine", "Runs on", NULL, CELL_TEXT, "backend or engine", get_item_engine, false, true },
        { "place", "Place", NULL, CELL_TEXT, "in the model", get_item_place, false, true },
        { "count", "Count", NULL, CELL_INTEGER, "how often it ran, in all", get_item_count, false, true },
        { "bytes", "Bytes", "B", CELL_BYTES, "that it moves", get_item_bytes, false, true },
        { "memory_percent", "Memory", "%", CELL_DECIMAL, "of the memory's peak", get_item_memory, false, true },
        { "gflops", "GFLOP/s", NULL, CELL_DECIMAL, "10^9 operations a second", get_item_gflops, false, false },
        { "flops", "FLOPs", NULL, CELL_INTEGER, "operations that it does", get_item_flops, false, true },
        { "flops_per_byte", "FLOPs/B", NULL, CELL_DECIMAL, "operations per byte", get_item_intensity, false, true },
        { "compute_percent", "Compute", "%", CELL_DECIMAL, "of the arithmetic's peak", get_item_compute, false, true },
        { .key = NULL },
    };
    static const char *const all[] = { "time",       "operation", "bound",          "roof_percent",
                                       "could_save", "gb_s",      "share",          "engine",
                                       "place",      "count",     "bytes",          "memory_percent",
                                       "gflops",     "flops",     "flops_per_byte", "compute_percent",
                                       NULL };
    static const char *const transfers[] = { "time",  "operation",      "bound",  "roof_percent", "could_save",
                                             "gb_s",  "share",          "engine", "place",        "count",
                                             "bytes", "memory_percent", NULL };
    const struct field_set set = { "operation", fields };
    const struct view view = { .name = "operations", .title = title, .keys = potential->transfers ? transfers : all };
    const struct shown_items items = { potential, short_names };
    size_t count = potential->count < most ? potential->count : most;
    struct table *table = make_table(&set, &items, count, &view, request);

    if (table && potential->count > most)
        table_note(table, "%zu shorter ones are left out; --csv has all of them", potential->count - most);
    return table;
}

struct table *potential_item_table(const struct potential *potential, const char *title, size_t most, bool short_names)
{
    return potential_item_view(potential, title, most, short_names, NULL);
}

/* ---- Parts and peaks ----------------------------------------------------------------------------------------------- */

/* The last row is the whole. */
static struct table_cell get_part_name(const void *context, size_t row)
{
    static _Thread_local char name[128];
    const struct potential *potential = context;

    if (row < potential->part_count)
        return cell_text(potential->parts[row].name);
    snprintf(name, sizeof name, "= %.100s", potential->whole_name);
    return cell_text(name);
}

static double part_time(const struct potential *potential, size_t row)
{
    assert(row <= potential->part_count && "the row behind the parts is the whole");
    return potential_ns(potential, row < potential->part_count ? potential->parts[row].ticks : potential->whole);
}

static struct table_cell get_part_time(const void *context, size_t row)
{
    return cell_rounded(part_time(context, row));
}

static struct table_cell get_part_share(const void *context, size_t row)
{
    return cell_decimal(potential_share(context, part_time(context, row)));
}

struct table *potential_part_table(const struct potential *potential, const char *title)
{
    static const struct field fields[] = {
        { "part", "Part", NULL, CELL_TEXT, "of the whole", get_part_name, false, false },
        { "time", "Time", "ns", CELL_DURATION, "that it takes", get_part_time, false, false },
        { "share", "Share", NULL, CELL_PERCENT, "of the whole", get_part_share, true, false },
        { .key = NULL },
    };
    static const char *const keys[] = { "part", "time", "share", NULL };
    static const struct field_set set = { "part", fields };
    const struct view view = { .name = "parts", .title = title, .keys = keys };

    return make_table(&set, potential, potential->part_count + 1, &view, NULL);
}

/* A peak that nothing reached has no rate, and no row. */
static size_t count_peaks(const struct potential *potential)
{
    size_t count = 0;

    for (size_t i = 0; i < potential->peak_count; i++)
        count += !isnan(potential->peaks[i].rate) ? 1u : 0u;
    return count;
}

/* There are few of them. */
static const struct potential_peak *peak_at(const void *context, size_t row)
{
    const struct potential_peak *peak = ((const struct potential *)context)->peaks;

    assert(row < count_peaks(context));
    for (size_t known = 0;; peak++)
        if (!isnan(peak->rate) && known++ == row)
            return peak;
}

static struct table_cell get_peak_name(const void *context, size_t row)
{
    return cell_text(peak_at(context, row)->name);
}

static struct table_cell get_peak_rate(const void *context, size_t row)
{
    const struct potential_peak *peak = peak_at(context, row);

    return cell_known(peak->memory ? peak->rate : peak->rate / 1e9);
}

static struct table_cell get_peak_unit(const void *context, size_t row)
{
    return cell_text(peak_at(context, row)->memory ? "GB/s" : "GFLOP/s");
}

static struct table_cell get_peak_observed(const void *context, size_t row)
{
    return cell_boolean(peak_at(context, row)->observed);
}

static struct table_cell get_peak_from(const void *context, size_t row)
{
    return cell_text(peak_at(context, row)->from);
}

struct table *potential_peak_table(const struct potential *potential, const char *title)
{
    static const struct field fields[] = {
        { "of", "Roof", NULL, CELL_TEXT, "what it is the peak of", get_peak_name, false, false },
        { "rate", "Rate", NULL, CELL_DECIMAL, "per second", get_peak_rate, false, false },
        { "unit", "Unit", NULL, CELL_TEXT, "of the rate", get_peak_unit, false, false },
        { "observed", "Observed", NULL, CELL_BOOLEAN, "the best of this profile: a lower bound of the true peak",
          get_peak_observed, false, false },
        { "from", "From", NULL, CELL_TEXT, "what reached it, or the file that says so", get_peak_from, false, false },
        { .key = NULL },
    };
    static const char *const keys[] = { "of", "rate", "unit", "observed", "from", NULL };
    static const struct field_set set = { "roof", fields };
    const struct view view = { .name = "roofs", .title = title, .keys = keys };

    return make_table(&set, potential, count_peaks(potential), &view, NULL);
}
