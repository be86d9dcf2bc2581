/* roofs_tables.c: work under its roofs, as tables: views of items and of peaks. */
#include <assert.h>
#include <math.h>

#include "analyze/roofs.h"

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

/* ---- Items --------------------------------------------------------------------------------------------------------- */

struct shown_items {
    const struct roofs *roofs; /* borrowed */
    bool short_names;          /* labels where there are any */
};

static const struct roofs *roofs_of(const void *context)
{
    return ((const struct shown_items *)context)->roofs;
}

static const struct roof_item *item_at(const void *context, size_t row)
{
    assert(row < roofs_of(context)->count);
    return &roofs_of(context)->items[row];
}

static struct table_cell get_item_time(const void *context, size_t row)
{
    return cell_rounded(roofs_ns(roofs_of(context), item_at(context, row)->ticks));
}

static struct table_cell get_item_name(const void *context, size_t row)
{
    const struct roof_item *item = item_at(context, row);

    return cell_text(((const struct shown_items *)context)->short_names && item->label ? item->label : item->name);
}

static struct table_cell get_item_bound(const void *context, size_t row)
{
    return cell_text(roof_bound(item_at(context, row)));
}

static struct table_cell get_item_reached(const void *context, size_t row)
{
    return cell_known(roof_reached(item_at(context, row)));
}

static struct table_cell get_item_saves(const void *context, size_t row)
{
    return cell_rounded(item_at(context, row)->saves * 1e9 / (double)roofs_of(context)->times);
}

static struct table_cell get_item_gigabytes(const void *context, size_t row)
{
    return cell_known(item_at(context, row)->point.gigabytes);
}

static struct table_cell get_item_share(const void *context, size_t row)
{
    const struct roofs *roofs = roofs_of(context);

    return cell_known(roofs_share(roofs, item_at(context, row)->ticks));
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
    return cell_rounded(item_at(context, row)->bytes / (double)roofs_of(context)->times);
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
    return cell_rounded(item_at(context, row)->flops / (double)roofs_of(context)->times);
}

static struct table_cell get_item_intensity(const void *context, size_t row)
{
    return cell_known(item_at(context, row)->point.intensity);
}

static struct table_cell get_item_compute(const void *context, size_t row)
{
    return cell_known(item_at(context, row)->point.compute_percent);
}

struct table *roofs_item_view(const struct roofs *roofs, const char *title, size_t most, bool short_names,
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
          .title = roofs->item_name,
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
    const struct view view = { .name = "operations", .title = title, .keys = roofs->transfers ? transfers : all };
    const struct shown_items items = { roofs, short_names };
    size_t count = roofs->count < most ? roofs->count : most;
    struct table *table = make_table(&set, &items, count, &view, request);

    if (table && roofs->count > most)
        table_note(table, "%zu shorter ones are left out; --csv has all of them", roofs->count - most);
    return table;
}

struct table *roofs_item_table(const struct roofs *roofs, const char *title, size_t most, bool short_names)
{
    return roofs_item_view(roofs, title, most, short_names, NULL);
}

/* ---- Peaks --------------------------------------------------------------------------------------------------- */

/* A peak that nothing reached has no rate, and no row. */
static size_t count_peaks(const struct roofs *roofs)
{
    size_t count = 0;

    for (size_t i = 0; i < roofs->peak_count; i++)
        count += !isnan(roofs->peaks[i].rate) ? 1u : 0u;
    return count;
}

/* There are few of them. */
static const struct roof_peak *peak_at(const void *context, size_t row)
{
    const struct roof_peak *peak = ((const struct roofs *)context)->peaks;

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
    const struct roof_peak *peak = peak_at(context, row);

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

struct table *roofs_peak_table(const struct roofs *roofs, const char *title)
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

    return make_table(&set, roofs, count_peaks(roofs), &view, NULL);
}
