/* potential.c: items under their peaks, and chances in the order of what they could save. */
#include "analyze/potential.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/memory.h"

void potential_start(struct potential *potential, struct clock clock, uint64_t times)
{
    assert(clock.numerator && clock.denominator);
    *potential = (struct potential){
        .arena = ARENA_EMPTY,
        .clock = clock,
        .times = times ? times : 1,
        .whole_name = "the whole",
        .item_name = "Operation",
    };
}

void potential_free(struct potential *potential)
{
    memory_free(potential->items);
    memory_free(potential->peaks);
    memory_free(potential->parts);
    memory_free(potential->chances);
    memory_free(potential->notes);
    arena_free(&potential->arena);
    *potential = (struct potential){ .arena = ARENA_EMPTY };
}

/* ---- Filling ---- */

static bool fail(struct potential *potential)
{
    if (potential->failure == STATUS_OK)
        potential->failure = status_no_memory("looking for what could be saved");
    return false;
}

static bool make_room(struct potential *potential, void *items, size_t *capacity, size_t count, size_t size)
{
    assert(potential->times && "a potential is started before it is filled");
    if (potential->failure != STATUS_OK)
        return false;
    return memory_grow(items, capacity, count + 1, size) == STATUS_OK || fail(potential);
}

static const char *say(struct potential *potential, const char *format, va_list arguments)
{
    const char *text = arena_format(&potential->arena, format, arguments);

    if (text)
        return text;
    fail(potential);
    return "";
}

const char *potential_say(struct potential *potential, const char *format, ...)
{
    const char *text;
    va_list arguments;

    va_start(arguments, format);
    text = say(potential, format, arguments);
    va_end(arguments);
    return text;
}

const char *potential_say_time(struct potential *potential, double nanoseconds)
{
    char text[FORMAT_SIZE];

    format_duration(text, potential_rounded(nanoseconds));
    return potential_say(potential, "%s", text);
}

void potential_note(struct potential *potential, const char *format, ...)
{
    const char *note;
    va_list arguments;

    va_start(arguments, format);
    note = say(potential, format, arguments);
    va_end(arguments);
    if (make_room(potential, &potential->notes, &potential->note_capacity, potential->note_count, sizeof note))
        potential->notes[potential->note_count++] = note;
}

struct potential_item *potential_add_item(struct potential *potential)
{
    struct potential_item *item;

    if (!make_room(potential, &potential->items, &potential->capacity, potential->count, sizeof *item))
        return NULL;
    item = &potential->items[potential->count++];
    *item = (struct potential_item){
        .name = "",
        .kind = "",
        .engine = "",
        .bytes = NAN,
        .flops = NAN,
        .memory = NO_ID,
        .arithmetic = NO_ID,
        .point = roofline_place((struct roofline_work){ NAN, NAN, NAN }, (struct roofline_peak){ NAN, NAN }),
        .saves = NAN,
    };
    return item;
}

uint32_t potential_peak(struct potential *potential, const char *name, bool memory, double rate, const char *from)
{
    assert(name && (isnan(rate) || rate > 0));
    for (size_t i = 0; i < potential->peak_count; i++)
        if (potential->peaks[i].memory == memory && strcmp(potential->peaks[i].name, name) == 0)
            return (uint32_t)i;
    if (!make_room(potential, &potential->peaks, &potential->peak_capacity, potential->peak_count,
                   sizeof *potential->peaks))
        return NO_ID;
    potential->peaks[potential->peak_count] = (struct potential_peak){
        .name = name,
        .memory = memory,
        .rate = rate,
        .from = from,
        .bytes = NAN,
    };
    return (uint32_t)potential->peak_count++;
}

void potential_add_part(struct potential *potential, const char *name, int64_t ticks)
{
    assert(name);
    if (make_room(potential, &potential->parts, &potential->part_capacity, potential->part_count,
                  sizeof *potential->parts))
        potential->parts[potential->part_count++] = (struct potential_part){ name, ticks };
}

void potential_add_chance(struct potential *potential, struct potential_chance chance)
{
    assert(chance.what && (chance.bound || !(chance.saves > 0)));
    if (chance.saves > 0 &&
        make_room(potential, &potential->chances, &potential->chance_capacity, potential->chance_count, sizeof chance))
        potential->chances[potential->chance_count++] = chance;
}

/* ---- Reading ---- */

/* Over all times, in seconds. */
static double seconds_of(const struct potential *potential, int64_t ticks)
{
    assert(potential->clock.denominator);
    return (double)ticks * (double)potential->clock.numerator / (double)potential->clock.denominator / 1e9;
}

double potential_ns(const struct potential *potential, int64_t ticks)
{
    assert(potential->times);
    return seconds_of(potential, ticks) * 1e9 / (double)potential->times;
}

int64_t potential_rounded(double nanoseconds)
{
    if (isnan(nanoseconds))
        return 0;
    return nanoseconds >= 9.2e18 ? INT64_MAX : nanoseconds <= -9.2e18 ? INT64_MIN : llround(nanoseconds);
}

double potential_share(const struct potential *potential, double nanoseconds)
{
    double whole = potential_ns(potential, potential->whole);

    return whole > 0 ? nanoseconds / whole * 100 : 0;
}

const char *potential_bound(const struct potential_item *item)
{
    static const char *const texts[] = {
        [ROOFLINE_UNKNOWN] = NULL,    [ROOFLINE_SLOW] = "slow", [ROOFLINE_MEMORY] = "memory",
        [ROOFLINE_COMPUTE] = "FLOPs", [ROOFLINE_BOTH] = "both",
    };

    assert(item->point.bound <= ROOFLINE_BOTH);
    return texts[item->point.bound];
}

double potential_reached(const struct potential_item *item)
{
    return fmax(item->point.memory_percent, item->point.compute_percent);
}

bool potential_is_unknown(const struct potential_item *item)
{
    return isnan(item->bytes) && isnan(item->flops);
}

const char *potential_say_rate(struct potential *potential, double rate)
{
    return potential_say(potential, "%.*f", rate >= 100 ? 0 : rate >= 10 ? 1 : rate >= 0.1 ? 2 : 4, rate);
}

static const char *say_peak(struct potential *potential, uint32_t index)
{
    const struct potential_peak *peak = &potential->peaks[index];

    assert(index < potential->peak_count);
    return peak->memory ? potential_say(potential, "%s GB/s", potential_say_rate(potential, peak->rate))
                        : potential_say(potential, "%s GFLOP/s (%s)", potential_say_rate(potential, peak->rate / 1e9),
                                        peak->name);
}

static bool has_rate(const struct potential *potential, uint32_t index)
{
    assert(index == NO_ID || index < potential->peak_count);
    return index != NO_ID && potential->peaks[index].rate > 0;
}

const char *potential_say_peaks(struct potential *potential, const struct potential_item *item)
{
    bool arithmetic = has_rate(potential, item->arithmetic) && !isnan(item->flops);
    bool memory = has_rate(potential, item->memory) && !isnan(item->bytes);

    return potential_say(potential, "%s%s%s", arithmetic ? say_peak(potential, item->arithmetic) : "",
                         arithmetic && memory ? " and " : "", memory ? say_peak(potential, item->memory) : "");
}

/* ---- Peaks and places ---- */

static struct roofline_work work_of(const struct potential *potential, const struct potential_item *item)
{
    return (struct roofline_work){ .bytes = item->bytes,
                                   .flops = item->flops,
                                   .seconds = seconds_of(potential, item->ticks) };
}

/* The best rate of steady work, for each peak that nobody gave. */
static void find_peaks(struct potential *potential)
{
    for (size_t i = 0; i < potential->peak_count; i++)
        potential->peaks[i].observed |= isnan(potential->peaks[i].rate);
    for (size_t i = 0; i < potential->count; i++) {
        const struct potential_item *item = &potential->items[i];
        struct roofline_point point = roofline_place(work_of(potential, item), (struct roofline_peak){ NAN, NAN });
        const uint32_t peaks[] = { item->memory, item->arithmetic };
        const double rates[] = { point.gigabytes, point.flops };

        for (unsigned k = 0; k < 2 && item->steady; k++) {
            struct potential_peak *peak = peaks[k] == NO_ID ? NULL : &potential->peaks[peaks[k]];

            /* Not "less than": NAN is to be replaced, too. */
            if (peak && peak->observed && rates[k] > 0 && !(peak->rate >= rates[k])) {
                peak->rate = rates[k];
                peak->from = item->name;
                peak->bytes = item->bytes / (double)item->count;
            }
        }
    }
}

/* Where only one of the two is known, it alone decides: a copy has no arithmetic that could hold it back. */
static enum roofline_bound bound_by_one(const struct roofline_point *point)
{
    if (isnan(point->memory_percent) == isnan(point->compute_percent))
        return point->bound;
    if (point->memory_percent >= ROOFLINE_NEAR)
        return ROOFLINE_MEMORY;
    return point->compute_percent >= ROOFLINE_NEAR ? ROOFLINE_COMPUTE : ROOFLINE_SLOW;
}

static void place_item(const struct potential *potential, struct potential_item *item)
{
    struct roofline_work work = work_of(potential, item);
    struct roofline_peak peak = {
        .gigabytes = has_rate(potential, item->memory) ? potential->peaks[item->memory].rate : NAN,
        .flops = has_rate(potential, item->arithmetic) ? potential->peaks[item->arithmetic].rate : NAN,
    };

    assert(item->memory == NO_ID || potential->peaks[item->memory].memory);
    assert(item->arithmetic == NO_ID || !potential->peaks[item->arithmetic].memory);
    if (!item->steady)
        return;
    item->point = roofline_place(work, peak);
    item->point.bound = bound_by_one(&item->point);
    item->saves = isnan(item->point.ideal_seconds) ? NAN : fmax(0, work.seconds - item->point.ideal_seconds);
}

static int by_ticks(const void *one, const void *other)
{
    const struct potential_item *a = one, *b = other;
    int order;

    if (a->ticks != b->ticks)
        return a->ticks > b->ticks ? -1 : 1;
    order = strcmp(a->name, b->name);
    return order ? order : strcmp(a->engine, b->engine);
}

status potential_settle(struct potential *potential)
{
    if (potential->failure != STATUS_OK)
        return potential->failure;
    find_peaks(potential);
    for (size_t i = 0; i < potential->count; i++)
        place_item(potential, &potential->items[i]);
    if (potential->count)
        qsort(potential->items, potential->count, sizeof *potential->items, by_ticks);
    return STATUS_OK;
}

/* ---- Chances ---- */

static int by_kind(const void *one, const void *other)
{
    const struct potential_item *a = *(const struct potential_item *const *)one;
    const struct potential_item *b = *(const struct potential_item *const *)other;
    int order = strcmp(a->kind, b->kind);

    return order ? order : (a > b) - (a < b);
}

/* "110.3 GFLOP/s and 5.2 GB/s", as far as they are known. */
static const char *say_rates(struct potential *potential, const struct potential_item *item)
{
    bool flops = item->point.flops > 0, bytes = item->point.gigabytes > 0;

    return potential_say(potential, "%s%s%s%s%s", flops ? potential_say_rate(potential, item->point.flops / 1e9) : "",
                         flops ? " GFLOP/s" : "", flops && bytes ? " and " : "",
                         bytes ? potential_say_rate(potential, item->point.gigabytes) : "", bytes ? " GB/s" : "");
}

static const char *say_evidence(struct potential *potential, const struct potential_item *item, size_t count)
{
    const char *place = item->place ? potential_say(potential, " (%s)", item->place) : "";
    const char *intensity = item->point.intensity > 0
                                ? potential_say(potential, " for its %.3g FLOPs per byte", item->point.intensity)
                                : "";

    return potential_say(potential, "%s%s%s takes %s and reaches %s, %.0f %% of the roof%s.%s%s",
                         count > 1 ? "Most of it: " : "", item->name, place,
                         potential_say_time(potential, potential_ns(potential, item->ticks)),
                         say_rates(potential, item), potential_reached(item), intensity, item->reason ? " " : "",
                         item->reason ? item->reason : "");
}

static bool is_observed(const struct potential *potential, const struct potential_item *item)
{
    return (item->memory != NO_ID && potential->peaks[item->memory].observed) ||
           (item->arithmetic != NO_ID && potential->peaks[item->arithmetic].observed);
}

/* Near a true peak only less work helps; a peak that was observed can be exceeded. */
static const char *say_remedy(struct potential *potential, const struct potential_item *example, size_t count,
                              bool near, double percent)
{
    const char *what = count > 1 ? potential_say(potential, "%zu x %s", count, example->kind) : example->name;

    if (!near)
        return potential_say(potential, "Bring %s nearer to the roof: at %.0f %% of it now", what, percent);
    if (is_observed(potential, example))
        return potential_say(potential, "Bring %s to the rate of the best operator: at %.0f %% of it now", what,
                             percent);
    return potential_say(potential, "Do less work in %s: at %.0f %% of the peak, only fewer bytes or operations help",
                         what, percent);
}

static void add_roof_chance(struct potential *potential, const struct potential_item *const *members, size_t count)
{
    const struct potential_item *example = members[0];
    double time = 0, saves = 0, nanoseconds;
    size_t near = 0;

    assert(count && potential->times);
    for (size_t i = 0; i < count; i++) {
        time += seconds_of(potential, members[i]->ticks);
        saves += members[i]->saves;
        near += members[i]->point.bound != ROOFLINE_SLOW;
        if (members[i]->saves > example->saves)
            example = members[i];
    }
    nanoseconds = saves * 1e9 / (double)potential->times;
    potential_add_chance(
        potential,
        (struct potential_chance){
            .what = say_remedy(potential, example, count, near == count, time > 0 ? (1 - saves / time) * 100 : 0),
            .about = count > 1 ? example->kind : example->name,
            .bound = potential_say(potential, "if %s ran at %s%s", count > 1 ? "each" : "it",
                                   potential_say_peaks(potential, example),
                                   is_observed(potential, example) ? ", the best of this profile" : ""),
            .evidence = say_evidence(potential, example, count),
            .count = count,
            .time = time * 1e9 / (double)potential->times,
            .saves = nanoseconds,
            .share = potential_share(potential, nanoseconds),
        });
}

void potential_add_roof_chances(struct potential *potential)
{
    const struct potential_item **order = memory_allocate((potential->count + 1) * sizeof *order);
    size_t count = 0;

    if (!order) {
        fail(potential);
        return;
    }
    for (size_t i = 0; i < potential->count; i++)
        if (potential->items[i].improvable && potential->items[i].saves > 0)
            order[count++] = &potential->items[i];
    if (count)
        qsort(order, count, sizeof *order, by_kind);
    for (size_t first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && strcmp(order[next]->kind, order[first]->kind) == 0;)
            next++;
        add_roof_chance(potential, order + first, next - first);
    }
    memory_free(order);
}

static int by_saving(const void *one, const void *other)
{
    const struct potential_chance *a = one, *b = other;

    if (a->saves != b->saves)
        return a->saves > b->saves ? -1 : 1;
    return strcmp(a->what, b->what);
}

status potential_rank(struct potential *potential)
{
    if (potential->failure == STATUS_OK && potential->chance_count)
        qsort(potential->chances, potential->chance_count, sizeof *potential->chances, by_saving);
    return potential->failure;
}
