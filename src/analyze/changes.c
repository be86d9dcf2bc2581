/* changes.c: from builds to change points: places that could be one, the weak ones dropped until all that are left stand by themselves. */
#include "analyze/changes.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "analyze/latency.h"
#include "analyze/steps.h"
#include "base/memory.h"

enum {
    AROUND = 2 * CHANGES_WINDOW /* builds on each side that a step is fitted to */
};

static const double weak_level = 0.05;   /* that the test has to reach for a place to be looked at any further */
static const double ranks_level = 0.001; /* that the test over launches has to reach */

/* While changes are looked for. */
struct search {
    const struct build_launches *builds; /* borrowed */
    const struct build_value *values;    /* of those that were measured */
    size_t count;                        /* of values */
    double level;                        /* of the test */
    size_t *places;                      /* first values of levels, ascending: 0 first, `count` last; owned */
    double *p;                           /* of each place: of the test between its neighbours; owned */
    size_t place_count;                  /* of places */
    double *room;                        /* for a number of each value; owned */
};

static struct level_test test_at(const struct search *search, size_t from, size_t place, size_t to)
{
    return builds_test(search->values + from, place - from, to - from, search->room);
}

/* ---- places that could be one --------------------------------------------------------------------------------------------- */

/* `places` is 1 where a change could be. Divides the values again and again, as long as both parts differ. */
static void divide(const struct search *search, size_t from, size_t to, bool *places)
{
    size_t place = steps_divide(search->values + from, to - from, CHANGES_LEAST);

    /* No deeper than there are values to divide: CHANGES_WINDOW / CHANGES_LEAST. */
    if (!place || !(test_at(search, from, from + place, to).p <= weak_level))
        return;
    places[from + place] = true;
    divide(search, from, from + place, places);
    divide(search, from + place, to, places);
}

/* A change that did not last, and one of many, would not be seen over all builds at once: so windows that overlap by half. */
static status find_places(struct search *search)
{
    bool *could = memory_allocate_clear((search->count + 1) * sizeof *could);

    search->places = memory_allocate((search->count + 2) * sizeof *search->places);
    search->p = memory_allocate((search->count + 2) * sizeof *search->p);
    search->room = memory_allocate((search->count + 1) * sizeof *search->room);
    if (!could || !search->places || !search->p || !search->room) {
        memory_free(could);
        return status_no_memory("looking for changes");
    }
    for (size_t from = 0;; from += CHANGES_WINDOW / 2) {
        if (from + CHANGES_WINDOW >= search->count) {
            divide(search, search->count > CHANGES_WINDOW ? search->count - CHANGES_WINDOW : 0, search->count, could);
            break;
        }
        divide(search, from, from + CHANGES_WINDOW, could);
    }
    search->places[search->place_count++] = 0;
    for (size_t i = 1; i < search->count; i++)
        if (could[i])
            search->places[search->place_count++] = i;
    search->places[search->place_count++] = search->count;
    memory_free(could);
    return STATUS_OK;
}

/* ---- the weak ones --------------------------------------------------------------------------------------------------------- */

static void test_place(struct search *search, size_t index)
{
    size_t from = search->places[index - 1], place = search->places[index], to = search->places[index + 1];

    search->p[index] = 2; /* worse than any other */
    if (place - from >= CHANGES_LEAST && to - place >= CHANGES_LEAST)
        search->p[index] = test_at(search, from, place, to).p;
}

static void drop_place(struct search *search, size_t index)
{
    size_t behind = search->place_count - index - 1;

    memmove(search->places + index, search->places + index + 1, behind * sizeof *search->places);
    memmove(search->p + index, search->p + index + 1, behind * sizeof *search->p);
    search->place_count--;
    /* What lies beside it has more on one side now. */
    if (index > 1)
        test_place(search, index - 1);
    if (index + 1 < search->place_count)
        test_place(search, index);
}

/* The weakest first, since each makes what is beside it stronger. */
static void drop_weak(struct search *search)
{
    for (size_t i = 1; i + 1 < search->place_count; i++)
        test_place(search, i);
    while (search->place_count > 2) {
        size_t weakest = 1;

        for (size_t i = 2; i + 1 < search->place_count; i++)
            if (search->p[i] > search->p[weakest])
                weakest = i;
        if (search->p[weakest] <= search->level)
            return;
        drop_place(search, weakest);
    }
}

/* A place was found in some window: it is put where all builds up to its neighbours say. */
static void move_places(struct search *search)
{
    for (size_t i = 1; i + 1 < search->place_count; i++) {
        size_t from = search->places[i - 1], to = search->places[i + 1];

        search->places[i] = from + steps_divide(search->values + from, to - from, CHANGES_LEAST);
    }
}

/* ---- what the other looks say ----------------------------------------------------------------------------------------------- */

/* The builds that a place is judged by: as far as its neighbours, AROUND at most. */
struct stretch {
    size_t from, place, to; /* values */
};

static struct stretch stretch_of(const struct search *search, size_t index)
{
    struct stretch stretch = { search->places[index - 1], search->places[index], search->places[index + 1] };

    if (stretch.place - stretch.from > AROUND)
        stretch.from = stretch.place - AROUND;
    if (stretch.to - stretch.place > AROUND)
        stretch.to = stretch.place + AROUND;
    return stretch;
}

/* As places among all values. */
static struct step_range range_of(const struct search *search, const struct stretch *stretch)
{
    struct step_range range = steps_range(search->values + stretch->from, stretch->to - stretch->from,
                                          stretch->place - stretch->from, search->room);

    return (struct step_range){ range.first + stretch->from, range.last + stretch->from, range.best + stretch->from };
}

/* One that is worth its price, where the place is; and not rather one of a build or two at an end. */
static status has_step(const struct search *search, const struct stretch *stretch, bool *agrees)
{
    struct step_range range = range_of(search, stretch);
    struct step_fit fit;
    status code = steps_fit(search->values + stretch->from, stretch->to - stretch->from, CHANGES_LEAST, &fit);
    size_t place = fit.place + stretch->from;

    *agrees = code == STATUS_OK && fit.gain > fit.price && place >= range.first && place <= range.last &&
              range.best - stretch->from >= CHANGES_LEAST && stretch->to - range.best >= CHANGES_LEAST;
    return code;
}

static status launches_differ(const struct search *search, const struct stretch *stretch, bool *agrees)
{
    double before[BUILDS_LAUNCHES], after[BUILDS_LAUNCHES];
    const struct build_value *values = search->values;
    size_t before_count =
        builds_gather(search->builds, values + stretch->from, stretch->place - stretch->from, true, before);
    size_t after_count =
        builds_gather(search->builds, values + stretch->place, stretch->to - stretch->place, false, after);
    struct mode_test test;
    status code = mode_test_run(before, before_count, after, after_count, &test);

    *agrees = code == STATUS_OK && test.p <= ranks_level;
    return code;
}

/* Drops a place on which the looks do not agree, the weakest of them; `*dropped` is false where there is none. */
static status drop_doubtful(struct search *search, bool *dropped)
{
    size_t doubtful = 0;

    for (size_t i = 1; i + 1 < search->place_count; i++) {
        struct stretch stretch = stretch_of(search, i);
        bool agrees;
        status code = has_step(search, &stretch, &agrees);

        if (code == STATUS_OK && agrees)
            code = launches_differ(search, &stretch, &agrees);
        if (code != STATUS_OK)
            return code;
        if (!agrees && (!doubtful || search->p[i] > search->p[doubtful]))
            doubtful = i;
    }
    *dropped = doubtful > 0;
    if (doubtful)
        drop_place(search, doubtful);
    return STATUS_OK;
}

static status settle(struct search *search)
{
    bool dropped = true;
    status code = STATUS_OK;

    while (dropped && code == STATUS_OK) {
        drop_weak(search);
        move_places(search);
        drop_weak(search);
        code = drop_doubtful(search, &dropped);
    }
    return code;
}

/* ---- what is said of them ------------------------------------------------------------------------------------------------------ */

static size_t launches_of(const struct search *search, size_t from, size_t to)
{
    size_t launches = 0;

    for (size_t i = from; i < to; i++)
        launches += build_times(&search->builds[search->values[i].build]);
    return launches;
}

static double level_of(const struct search *search, size_t from, size_t to, struct build_level *level)
{
    const struct build_value *values = search->values + from;
    struct build_spread spread = builds_spread(values, to - from, to - from, search->room);

    *level = builds_level(values, to - from, spread.medians[0], spread.reach);
    return exp(level->mean);
}

static struct change change_at(const struct search *search, size_t index)
{
    size_t from = search->places[index - 1], place = search->places[index], to = search->places[index + 1];
    struct stretch stretch = stretch_of(search, index);
    struct step_range range = range_of(search, &stretch);
    struct level_test test = test_at(search, from, place, to);
    struct build_level level;

    return (struct change){
        .range = { search->values[range.first - 1].build, search->values[range.last].build },
        .build = search->values[place].build,
        .before = level_of(search, from, place, &level),
        .after = level_of(search, place, to, &level),
        .factor = level_factor(&test),
        .interval = level_interval(&test),
        .p = test.p,
        .builds = { place - from, to - place },
        .launches = { launches_of(search, from, place), launches_of(search, place, to) },
    };
}

/* Of all levels together; what was out of reach is left out. */
static double noise_of(const struct search *search)
{
    double squares = 0, weight = 0, freedom = 0;

    for (size_t i = 0; i + 1 < search->place_count; i++) {
        struct build_level level;

        level_of(search, search->places[i], search->places[i + 1], &level);
        if (!level.count)
            continue;
        squares += level.squares;
        weight += level.weight;
        freedom += (double)(level.count - level.clipped) - 1;
    }
    return freedom > 0 ? sqrt(squares / freedom * (double)search->count / weight) : NAN;
}

static status keep(const struct search *search, struct changes *changes)
{
    size_t count = search->place_count - 2;
    struct build_level level;

    changes->measured = search->count;
    changes->noise = noise_of(search);
    if (search->count)
        changes->level = level_of(search, search->places[count], search->count, &level);
    changes->items = memory_allocate((count + 1) * sizeof *changes->items);
    if (!changes->items)
        return status_no_memory("keeping changes");
    for (size_t i = 0; i < count; i++)
        changes->items[changes->count++] = change_at(search, i + 1);
    return STATUS_OK;
}

status changes_find(const struct build_launches *builds, size_t count, const struct changes_options *options,
                    struct changes *changes)
{
    struct search search = { .builds = builds, .level = options->level };
    struct build_values values;
    status code = builds_values(builds, count, &values);

    *changes = (struct changes){ .noise = NAN, .level = NAN };
    search.values = values.items;
    search.count = values.count;
    if (code == STATUS_OK)
        code = find_places(&search);
    if (code == STATUS_OK)
        code = settle(&search);
    if (code == STATUS_OK)
        code = keep(&search, changes);
    memory_free(search.places);
    memory_free(search.p);
    memory_free(search.room);
    build_values_free(&values);
    return code;
}

void changes_free(struct changes *changes)
{
    memory_free(changes->items);
    *changes = (struct changes){ 0 };
}

/* ---- what is counted -------------------------------------------------------------------------------------------------------------- */

static bool is_steady(const struct build_count *build)
{
    for (size_t i = 1; i < build->count; i++)
        if (build->values[i] != build->values[0])
            return false;
    return true;
}

status changes_of_counts(const struct build_count *builds, size_t count, struct count_changes *changes)
{
    size_t capacity = 0, last = count; /* count: none yet */
    status code;

    *changes = (struct count_changes){ 0 };
    for (size_t i = 0; i < count; i++) {
        if (!builds[i].count)
            continue;
        if (!is_steady(&builds[i])) {
            changes->unsteady++;
            continue;
        }
        if (last < count && builds[last].values[0] != builds[i].values[0]) {
            code = memory_grow(&changes->items, &capacity, changes->count + 1, sizeof *changes->items);
            if (code != STATUS_OK)
                return code;
            changes->items[changes->count++] =
                (struct count_change){ last, i, builds[last].values[0], builds[i].values[0] };
        }
        last = i;
    }
    return STATUS_OK;
}

void count_changes_free(struct count_changes *changes)
{
    memory_free(changes->items);
    *changes = (struct count_changes){ 0 };
}
