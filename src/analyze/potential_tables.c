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
        { .key = "could_save",
          .title = "Could save",
          .unit = "ns",
          .type = CELL_DURATION,
          .description = "time that it could save at most",
          .get = get_chance_saves },
        { .key = "share",
          .title = "Share",
          .unit = "%",
          .type = CELL_PERCENT,
          .description = share_of,
          .get = get_chance_share },
        { .key = "advice",
          .title = "What to do",
          .type = CELL_TEXT,
          .description = "what to try",
          .get = get_chance_what },
        { .key = "operation",
          .title = "Operation",
          .type = CELL_TEXT,
          .description = "the operations that it is about",
          .get = get_chance_about },
        { .key = "count",
          .title = "Ops",
          .type = CELL_INTEGER,
          .description = "how many they are",
          .get = get_chance_count,
          .optional = true },
        { .key = "time",
          .title = "Takes now",
          .unit = "ns",
          .type = CELL_DURATION,
          .description = "time that they take",
          .get = get_chance_time,
          .optional = true },
        { .key = "bound",
          .title = "If",
          .type = CELL_TEXT,
          .description = "what the saving assumes",
          .get = get_chance_bound,
          .optional = true },
        { .key = "evidence",
          .title = "Evidence",
          .type = CELL_TEXT,
          .description = "the numbers that it rests on",
          .get = get_chance_evidence,
          .optional = true },
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
        { .key = "time",
          .title = "Time",
          .unit = "ns",
          .type = CELL_DURATION,
          .description = "that it takes",
          .get = get_item_time },
        { .key = "operation",
          .title = potential->item_name,
          .type = CELL_TEXT,
          .description = "what it is called",
          .get = get_item_name },
        { .key = "bound",
          .title = "Bound",
          .type = CELL_TEXT,
          .description = "the roof that is near (65 %): memory, FLOPs, both; slow: none is",
          .get = get_item_bound },
        { .key = "roof_percent",
          .title = "Roof",
          .unit = "%",
          .type = CELL_PERCENT,
          .description = "how much of the nearest roof it reaches",
          .get = get_item_reached },
        { .key = "could_save",
          .title = "Saves",
          .unit = "ns",
          .type = CELL_DURATION,
          .description = "its time above the least that the roofs allow",
          .get = get_item_saves },
        { .key = "gb_s",
          .title = "GB/s",
          .type = CELL_DECIMAL,
          .description = "10^9 bytes a second",
          .get = get_item_gigabytes },
        { .key = "share",
          .title = "Share",
          .type = CELL_PERCENT,
          .description = "of the whole",
          .get = get_item_share,
          .optional = true },
        { .key = "engine",
          .title = "Runs on",
          .type = CELL_TEXT,
          .description = "backend or engine",
          .get = get_item_engine,
          .optional = true },
        { .key = "place",
          .title = "Place",
          .type = CELL_TEXT,
          .description = "in the model",
          .get = get_item_place,
          .optional = true },
        { .key = "count",
          .title = "Count",
          .type = CELL_INTEGER,
          .description = "how often it ran, in all",
          .get = get_item_count,
          .optional = true },
        { .key = "bytes",
          .title = "Bytes",
          .unit = "B",
          .type = CELL_BYTES,
          .description = "that it moves",
          .get = get_item_bytes,
          .optional = true },
        { .key = "memory_percent",
          .title = "Memory",
          .unit = "%",
          .type = CELL_DECIMAL,
          .description = "of the memory's peak",
          .get = get_item_memory,
          .optional = true },
        { .key = "gflops",
          .title = "GFLOP/s",
          .type = CELL_DECIMAL,
          .description = "10^9 operations a second",
          .get = get_item_gflops },
        { .key = "flops",
          .title = "FLOPs",
          .type = CELL_INTEGER,
          .description = "operations that it does",
          .get = get_item_flops,
          .optional = true },
        { .key = "flops_per_byte",
          .title = "FLOPs/B",
          .type = CELL_DECIMAL,
          .description = "operations per byte",
          .get = get_item_intensity,
          .optional = true },
        { .key = "compute_percent",
          .title = "Compute",
          .unit = "%",
          .type = CELL_DECIMAL,
          .description = "of the arithmetic's peak",
          .get = get_item_compute,
          .optional = true },
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
        { .key = "part", .title = "Part", .type = CELL_TEXT, .description = "of the whole", .get = get_part_name },
        { .key = "time",
          .title = "Time",
          .unit = "ns",
          .type = CELL_DURATION,
          .description = "that it takes",
          .get = get_part_time },
        { .key = "share",
          .title = "Share",
          .type = CELL_PERCENT,
          .description = "of the whole",
          .get = get_part_share,
          .bar = true },
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
        { .key = "of",
          .title = "Roof",
          .type = CELL_TEXT,
          .description = "what it is the peak of",
          .get = get_peak_name },
        { .key = "rate", .title = "Rate", .type = CELL_DECIMAL, .description = "per second", .get = get_peak_rate },
        { .key = "unit", .title = "Unit", .type = CELL_TEXT, .description = "of the rate", .get = get_peak_unit },
        { .key = "observed",
          .title = "Observed",
          .type = CELL_BOOLEAN,
          .description = "the best of this profile: a lower bound of the true peak",
          .get = get_peak_observed },
        { .key = "from",
          .title = "From",
          .type = CELL_TEXT,
          .description = "what reached it, or the file that says so",
          .get = get_peak_from },
        { .key = NULL },
    };
    static const char *const keys[] = { "of", "rate", "unit", "observed", "from", NULL };
    static const struct field_set set = { "roof", fields };
    const struct view view = { .name = "roofs", .title = title, .keys = keys };

    return make_table(&set, potential, count_peaks(potential), &view, NULL);
}
