/* history_marks.c: which builds are good ones: what people say of them, and whether their launches failed.
 *
 * A mark is never changed: a newer one of the same build counts instead of it, "none" as if there had never been one.
 */
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "history/history_profiles.h"
#include "history/history_verb.h"

enum { MARK_MODEL = 1, MARK_BUILD, MARK_TIME, MARK_STATE }; /* columns of a mark */

static const char *const states[] = { [MARK_NONE] = "none", [MARK_GOOD] = "good", [MARK_BAD] = "bad" };

enum { STATES = sizeof states / sizeof *states };

const char *history_standing_word(struct history_standing standing)
{
    return standing.mark != MARK_NONE ? states[standing.mark] : standing.failed ? "failed" : "";
}

/* ---- marks that there are ------------------------------------------------------------------------------------------------------ */

/* The newest of a build. */
struct newest {
    int64_t key, time;      /* of it */
    enum history_mark mark; /* what it says */
};

struct marks {
    struct strings *strings; /* of models and builds; borrowed */
    struct number_map map;   /* by model and build: its place in `items` */
    struct newest *items;    /* owned */
    size_t count, capacity;  /* of items */
};

/* A state that somebody else wrote is none. */
static enum history_mark mark_of(struct text state)
{
    for (unsigned i = 0; i < STATES; i++)
        if (text_is(state, states[i]))
            return (enum history_mark)i;
    return MARK_NONE;
}

/* At one moment two may have been said: the key decides then, so that every reader says the same. */
static bool is_newer(const struct newest *one, const struct newest *other)
{
    return one->time != other->time ? one->time > other->time : one->key > other->key;
}

static status take_mark(void *context, const struct history_value *values)
{
    struct marks *marks = context;
    struct text model = history_text_at(&values[MARK_MODEL]), build = history_text_at(&values[MARK_BUILD]);
    const struct newest mark = { history_integer_at(&values[0]), history_integer_at(&values[MARK_TIME]),
                                 mark_of(history_text_at(&values[MARK_STATE])) };
    string_id ids[2] = { 0, 0 };
    uint32_t *place;
    status code = strings_add(marks->strings, model.data, model.length, &ids[0]);

    if (code == STATUS_OK)
        code = strings_add(marks->strings, build.data, build.length, &ids[1]);
    if (code == STATUS_OK)
        code = memory_grow(&marks->items, &marks->capacity, marks->count + 1, sizeof *marks->items);
    place = code == STATUS_OK ? number_map_at(&marks->map, ids[0], ids[1]) : NULL;
    if (!place)
        return status_no_memory("reading marks");
    if (*place == MAP_NONE) {
        *place = (uint32_t)marks->count++;
        marks->items[*place] = mark;
    } else if (is_newer(&mark, &marks->items[*place])) {
        marks->items[*place] = mark;
    }
    return STATUS_OK;
}

/* Of a model, or of all (NULL). Free it also after a failure. */
static status read_marks(const struct history *history, const char *model, struct strings *strings, struct marks *marks)
{
    const struct history_request request = { .table = TABLE_MARK, .name = model };

    *marks = (struct marks){ .strings = strings };
    number_map_start(&marks->map);
    return history->calls->read(history->self, &request, take_mark, marks);
}

static void marks_free(struct marks *marks)
{
    number_map_free(&marks->map);
    memory_free(marks->items);
}

/* NULL: nothing was ever said of it. */
static const struct newest *find_mark(const struct marks *marks, string_id model, string_id build)
{
    uint32_t place = number_map_find(&marks->map, model, build);

    return place == MAP_NONE ? NULL : &marks->items[place];
}

/* ---- builds -------------------------------------------------------------------------------------------------------------------- */

/* A launch that failed, on whatever device and with whatever labels, makes its build one that failed. */
struct failing {
    struct history_profiles all; /* of the models and builds that were asked for */
    size_t cursor;               /* profile that a failure is of */
    struct strings *strings;     /* of the map: those that were asked for */
    struct number_map builds;    /* by model and build: it failed */
};

static status take_failure(void *context, const struct history_value *values)
{
    struct failing *failing = context;
    size_t at = history_profiles_find(&failing->all, history_integer_at(&values[0]), &failing->cursor);
    const struct history_row *row = at == SIZE_MAX ? NULL : &failing->all.items[at];
    string_id model, build;
    uint32_t *failed;
    status code;

    if (!row)
        return STATUS_OK;
    code = strings_add_text(failing->strings, history_profiles_text(&failing->all, row->model), &model);
    if (code == STATUS_OK)
        code = strings_add_text(failing->strings, history_profiles_text(&failing->all, row->build), &build);
    failed = code == STATUS_OK ? number_map_at(&failing->builds, model, build) : NULL;
    if (!failed)
        return status_no_memory("reading marks");
    *failed = true;
    return STATUS_OK;
}

static status read_failures(const struct history *history, const struct history_choice *choice, struct failing *failing)
{
    status code = history_profiles_read(history, choice, &failing->all);
    struct history_request request;

    number_map_start(&failing->builds);
    if (code != STATUS_OK)
        return code;
    request = history_profiles_request(&failing->all, TABLE_NOTE, "failure");
    return history->calls->read(history->self, &request, take_failure, failing);
}

status history_profiles_standings(const struct history *history, const struct history_profiles *profiles,
                                  struct history_standing **standings)
{
    const struct history_choice choice = { .model = profiles->choice->model,
                                           .builds = profiles->choice->builds,
                                           .build_count = profiles->choice->build_count };
    struct failing failing = { .strings = profiles->strings };
    struct marks marks = { 0 };
    status code;

    *standings = memory_allocate_clear((profiles->count + 1) * sizeof **standings);
    if (!*standings)
        return status_no_memory("reading marks");
    code = read_failures(history, &choice, &failing);
    if (code == STATUS_OK)
        code = read_marks(history, choice.model && *choice.model ? choice.model : NULL, profiles->strings, &marks);
    for (size_t i = 0; i < profiles->count && code == STATUS_OK; i++) {
        const struct history_row *row = &profiles->items[i];
        const struct newest *mark = find_mark(&marks, row->model, row->build);

        (*standings)[i].mark = mark ? mark->mark : MARK_NONE;
        (*standings)[i].failed = number_map_find(&failing.builds, row->model, row->build) != MAP_NONE;
    }
    marks_free(&marks);
    number_map_free(&failing.builds);
    history_profiles_free(&failing.all);
    return code;
}

/* Builds of both come in the same order: those of the series are these profiles'. */
static void join_profiles(const struct history_profiles *profiles, const struct history_standing *standings,
                          struct history_series *series)
{
    size_t build = 0;

    for (size_t i = 0; i < profiles->count; i++) {
        const struct history_row *row = &profiles->items[profiles->order[i]];

        while (build < series->count && strcmp(series->names[build], history_profiles_text(profiles, row->build)) != 0)
            build++;
        if (build == series->count)
            return; /* somebody added one in between */
        series->standings[build] = standings[profiles->order[i]];
    }
}

status history_read_standings(const struct history *history, const struct history_choice *choice,
                              struct history_series *series)
{
    struct history_standing *standings = NULL;
    struct history_profiles profiles;
    status code = history_profiles_read(history, choice, &profiles);

    series->standings = memory_allocate_clear((series->count + 1) * sizeof *series->standings);
    if (code == STATUS_OK && !series->standings)
        code = status_no_memory("reading marks");
    if (code == STATUS_OK)
        code = history_profiles_standings(history, &profiles, &standings);
    if (code == STATUS_OK)
        join_profiles(&profiles, standings, series);
    memory_free(standings);
    history_profiles_free(&profiles);
    return code;
}

/* ---- mark ------------------------------------------------------------------------------------------------------------------------ */

/* Marks that are to be made: of each build one that is newer than any before, whatever the clocks say. */
struct marking {
    const char *model, *state; /* of all of them */
    const char **builds;       /* that are marked; borrowed */
    int64_t *times;            /* of each; owned */
    size_t count;              /* of builds */
};

static status find_builds(const struct history *history, struct marking *marking)
{
    const struct history_choice choice = { .model = marking->model };
    struct history_profiles profiles;
    struct marks marks = { 0 };
    int64_t now = history_now();
    status code = history_profiles_read(history, &choice, &profiles);

    if (code == STATUS_OK)
        code = read_marks(history, marking->model, profiles.strings, &marks);
    for (size_t i = 0; i < marking->count && code == STATUS_OK; i++) {
        const struct history_row *found = NULL;
        const struct newest *mark;

        for (size_t k = 0; k < profiles.count && !found; k++)
            if (strcmp(history_profiles_text(&profiles, profiles.items[k].build), marking->builds[i]) == 0)
                found = &profiles.items[k];
        if (!found) {
            code = status_fail(STATUS_INPUT,
                               "no build \"%s\" of \"%s\" is in the history; tacho history list lists what is",
                               marking->builds[i], marking->model);
            break;
        }
        mark = find_mark(&marks, found->model, found->build);
        marking->times[i] = mark && mark->time >= now ? mark->time + 1 : now;
    }
    marks_free(&marks);
    history_profiles_free(&profiles);
    return code;
}

static status insert_mark(const struct history *history, const struct marking *marking, size_t index)
{
    const char *const texts[] = { marking->model, marking->builds[index], marking->state };
    uint64_t hash = (uint64_t)marking->times[index];

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        hash = map_mix(hash, map_hash_bytes(texts[i], strlen(texts[i])));
    const struct history_value values[] = { history_integer((int64_t)hash), history_word(texts[0]),
                                            history_word(texts[1]), history_integer(marking->times[index]),
                                            history_word(texts[2]) };

    return history->calls->insert(history->self, TABLE_MARK, values);
}

static status insert_marks(const struct history *history, const struct marking *marking)
{
    status code = history->calls->begin(history->self);

    if (code != STATUS_OK)
        return code;
    for (size_t i = 0; i < marking->count && code == STATUS_OK; i++)
        code = insert_mark(history, marking, i);
    if (code == STATUS_OK)
        code = history->calls->end(history->self, true);
    else
        (void)history->calls->end(history->self, false); /* never fails: what was begun is forgotten */
    return code == STATUS_OK ? history_settle(history) : code;
}

static bool is_state(const char *word)
{
    for (unsigned i = 0; i < STATES; i++)
        if (strcmp(word, states[i]) == 0)
            return true;
    return false;
}

status history_mark(struct job *job, const struct texts *inputs)
{
    const struct history_settings *settings = job->settings;
    struct marking marking = { .model = settings->model };
    struct history history = { 0 };
    status code = inputs->count < 2 || !settings->model
                      ? status_fail(STATUS_USAGE, "tacho history mark wants good, bad or none, builds, and --model")
                      : STATUS_OK;

    if (code == STATUS_OK && !is_state(inputs->items[0]))
        code = status_fail(STATUS_USAGE, "tacho history mark wants good, bad or none, not \"%s\"", inputs->items[0]);
    if (code != STATUS_OK)
        return code;
    marking.state = inputs->items[0];
    marking.builds = inputs->items + 1;
    marking.count = inputs->count - 1;
    marking.times = memory_allocate(marking.count * sizeof *marking.times);
    code = marking.times ? history_open(settings, false, &history) : status_no_memory("marking");
    if (code == STATUS_OK) /* read first: a history that is not there is not made for a mark */
        code = find_builds(&history, &marking);
    history_close(&history);
    if (code == STATUS_OK)
        code = history_open(settings, true, &history);
    if (code == STATUS_OK)
        code = insert_marks(&history, &marking);
    history_close(&history);
    for (size_t i = 0; i < marking.count && code == STATUS_OK; i++)
        code = job_say(job, "%s, build %s: marked %s", marking.model, marking.builds[i],
                       strcmp(marking.state, "none") == 0 ? "no more" : marking.state);
    memory_free(marking.times);
    return code;
}
