/* potential_tables.c: what could be saved, as tables. */
#include <math.h>
#include <stdio.h>

#include "analyze/potential.h"

static struct table *make_table(const char *name, const char *title, const struct table_column *columns, size_t count)
{
    struct table *table = table_new(name, title);

    for (size_t i = 0; table && i < count; i++)
        table_add_column(table, columns[i]);
    return table;
}

static void set_decimal(struct table *table, size_t column, double value)
{
    if (!isnan(value))
        table_set_decimal(table, column, value);
}

/* Whole numbers of any size: what no integer holds stays empty. */
static void set_rounded(struct table *table, size_t column, double value)
{
    if (fabs(value) < 9e18)
        table_set_integer(table, column, llround(value));
}

/* ---- Chances ---- */

struct table *chance_table(const char *title, const char *share_of, const struct potential_chance *chances,
                           size_t count, size_t left_out)
{
    const struct table_column columns[] = {
        [CHANCE_SAVES] = { "could_save", "Could save", "ns", "time that it could save at most", CELL_DURATION, false,
                           false },
        [CHANCE_SHARE] = { "share", "Share", "%", share_of, CELL_PERCENT, false, false },
        [CHANCE_WHAT] = { "advice", "What to do", NULL, "what to try", CELL_TEXT, false, false },
        [CHANCE_OPERATION] = { "operation", "Operation", NULL, "the operations that it is about", CELL_TEXT, false,
                               false },
        [CHANCE_COUNT] = { "count", "Ops", NULL, "how many they are", CELL_INTEGER, false, true },
        [CHANCE_TIME] = { "time", "Takes now", "ns", "time that they take", CELL_DURATION, false, true },
        [CHANCE_BOUND] = { "bound", "If", NULL, "what the saving assumes", CELL_TEXT, false, true },
        [CHANCE_EVIDENCE] = { "evidence", "Evidence", NULL, "the numbers that it rests on", CELL_TEXT, false, true },
    };
    bool evidence = false;
    struct table *table;

    for (size_t i = 0; i < count; i++)
        evidence |= chances[i].evidence != NULL;
    table = make_table("advice", title, columns, sizeof columns / sizeof *columns - !evidence);
    for (size_t i = 0; table && i < count; i++) {
        const struct potential_chance *chance = &chances[i];

        table_add_row(table);
        table_set_integer(table, CHANCE_SAVES, potential_rounded(chance->saves));
        set_decimal(table, CHANCE_SHARE, chance->share);
        table_set_text(table, CHANCE_WHAT, chance->what);
        table_set_text(table, CHANCE_OPERATION, chance->about);
        table_set_integer(table, CHANCE_COUNT, (int64_t)chance->count);
        table_set_integer(table, CHANCE_TIME, potential_rounded(chance->time));
        table_set_text(table, CHANCE_BOUND, chance->bound);
        if (evidence)
            table_set_text(table, CHANCE_EVIDENCE, chance->evidence);
    }
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

    snprintf(share, sizeof share, "of %.100s", potential->whole_name);
    return chance_table(title, share, potential->chances, count, potential->chance_count - count);
}

/* ---- Items ---- */

/* The last ones are left out where items do no operations. */
enum {
    ITEM_TIME,
    ITEM_NAME,
    ITEM_BOUND,
    ITEM_REACHED,
    ITEM_SAVES,
    ITEM_GIGABYTES,
    ITEM_SHARE,
    ITEM_ENGINE,
    ITEM_PLACE,
    ITEM_COUNT,
    ITEM_BYTES,
    ITEM_MEMORY_PERCENT,
    ITEM_GFLOPS,
    ITEM_FLOPS,
    ITEM_INTENSITY,
    ITEM_COMPUTE_PERCENT,
    ITEM_COLUMNS
};

static void add_item(struct table *table, const struct potential *potential, const struct potential_item *item,
                     bool short_names)
{
    double times = (double)potential->times;

    table_add_row(table);
    set_rounded(table, ITEM_TIME, potential_ns(potential, item->ticks));
    table_set_text(table, ITEM_NAME, short_names && item->label ? item->label : item->name);
    table_set_text(table, ITEM_BOUND, potential_bound(item));
    set_decimal(table, ITEM_REACHED, potential_reached(item));
    set_decimal(table, ITEM_GIGABYTES, item->point.gigabytes);
    set_rounded(table, ITEM_SAVES, item->saves * 1e9 / times);
    set_decimal(table, ITEM_SHARE, potential_share(potential, potential_ns(potential, item->ticks)));
    table_set_text(table, ITEM_ENGINE, item->engine);
    table_set_text(table, ITEM_PLACE, item->place);
    table_set_integer(table, ITEM_COUNT, (int64_t)item->count);
    set_rounded(table, ITEM_BYTES, item->bytes / times);
    set_decimal(table, ITEM_MEMORY_PERCENT, item->point.memory_percent);
    if (potential->transfers)
        return;
    set_decimal(table, ITEM_GFLOPS, item->point.flops / 1e9);
    set_rounded(table, ITEM_FLOPS, item->flops / times);
    set_decimal(table, ITEM_INTENSITY, item->point.intensity);
    set_decimal(table, ITEM_COMPUTE_PERCENT, item->point.compute_percent);
}

struct table *potential_item_table(const struct potential *potential, const char *title, size_t most, bool short_names)
{
    const struct table_column columns[] = {
        [ITEM_TIME] = { "time", "Time", "ns", "that it takes", CELL_DURATION, false, false },
        [ITEM_NAME] = { "operation", potential->item_name, NULL, NULL, CELL_TEXT, false, false },
        [ITEM_BOUND] = { "bound", "Bound", NULL, "the roof that is near (65 %): memory, FLOPs, both; slow: none is",
                         CELL_TEXT, false, false },
        [ITEM_REACHED] = { "roof_percent", "Roof", "%", "how much of the nearest roof it reaches", CELL_PERCENT, false,
                           false },
        [ITEM_GIGABYTES] = { "gb_s", "GB/s", NULL, "10^9 bytes a second", CELL_DECIMAL, false, false },
        [ITEM_GFLOPS] = { "gflops", "GFLOP/s", NULL, "10^9 operations a second", CELL_DECIMAL, false, false },
        [ITEM_SAVES] = { "could_save", "Saves", "ns", "its time above the least that the roofs allow", CELL_DURATION,
                         false, false },
        [ITEM_SHARE] = { "share", "Share", NULL, "of the whole", CELL_PERCENT, false, true },
        [ITEM_ENGINE] = { "engine", "Runs on", NULL, "backend or engine", CELL_TEXT, false, true },
        [ITEM_PLACE] = { "place", "Place", NULL, "in the model", CELL_TEXT, false, true },
        [ITEM_COUNT] = { "count", "Count", NULL, "how often it ran, in all", CELL_INTEGER, false, true },
        [ITEM_BYTES] = { "bytes", "Bytes", "B", "that it moves", CELL_BYTES, false, true },
        [ITEM_FLOPS] = { "flops", "FLOPs", NULL, "operations that it does", CELL_INTEGER, false, true },
        [ITEM_INTENSITY] = { "flops_per_byte", "FLOPs/B", NULL, "operations per byte", CELL_DECIMAL, false, true },
        [ITEM_MEMORY_PERCENT] = { "memory_percent", "Memory", "%", "of the memory's peak", CELL_DECIMAL, false, true },
        [ITEM_COMPUTE_PERCENT] = { "compute_percent", "Compute", "%", "of the arithmetic's peak", CELL_DECIMAL, false,
                                   true },
    };
    struct table *table = make_table("operations", title, columns, potential->transfers ? ITEM_GFLOPS : ITEM_COLUMNS);

    for (size_t i = 0; table && i < potential->count && i < most; i++)
        add_item(table, potential, &potential->items[i], short_names);
    if (table && potential->count > most)
        table_note(table, "%zu shorter ones are left out; --csv has all of them", potential->count - most);
    return table;
}

/* ---- Parts and peaks ---- */

struct table *potential_part_table(const struct potential *potential, const char *title)
{
    enum { NAME, TIME, SHARE };
    static const struct table_column columns[] = {
        [NAME] = { "part", "Part", NULL, NULL, CELL_TEXT, false, false },
        [TIME] = { "time", "Time", "ns", NULL, CELL_DURATION, false, false },
        [SHARE] = { "share", "Share", NULL, "of the whole", CELL_PERCENT, true, false },
    };
    struct table *table = make_table("parts", title, columns, sizeof columns / sizeof *columns);

    for (size_t i = 0; table && i <= potential->part_count; i++) {
        bool part = i < potential->part_count;
        double time = potential_ns(potential, part ? potential->parts[i].ticks : potential->whole);
        char name[128];

        snprintf(name, sizeof name, "= %.100s", potential->whole_name);
        table_add_row(table);
        table_set_text(table, NAME, part ? potential->parts[i].name : name);
        set_rounded(table, TIME, time);
        table_set_decimal(table, SHARE, potential_share(potential, time));
    }
    return table;
}

struct table *potential_peak_table(const struct potential *potential, const char *title)
{
    enum { NAME, RATE, UNIT, OBSERVED, FROM };
    static const struct table_column columns[] = {
        [NAME] = { "of", "Roof", NULL, "what it is the peak of", CELL_TEXT, false, false },
        [RATE] = { "rate", "Rate", NULL, "per second", CELL_DECIMAL, false, false },
        [UNIT] = { "unit", "Unit", NULL, NULL, CELL_TEXT, false, false },
        [OBSERVED] = { "observed", "Observed", NULL, "the best of this profile: a lower bound of the true peak",
                       CELL_BOOLEAN, false, false },
        [FROM] = { "from", "From", NULL, "what reached it, or the file that says so", CELL_TEXT, false, false },
    };
    struct table *table = make_table("roofs", title, columns, sizeof columns / sizeof *columns);

    for (size_t i = 0; table && i < potential->peak_count; i++) {
        const struct potential_peak *peak = &potential->peaks[i];

        if (isnan(peak->rate))
            continue;
        table_add_row(table);
        table_set_text(table, NAME, peak->name);
        table_set_decimal(table, RATE, peak->memory ? peak->rate : peak->rate / 1e9);
        table_set_text(table, UNIT, peak->memory ? "GB/s" : "GFLOP/s");
        table_set_boolean(table, OBSERVED, peak->observed);
        table_set_text(table, FROM, peak->from);
    }
    return table;
}
