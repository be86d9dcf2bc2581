/* history_show.c: tacho history show: the profiles of a build, its operators, and what is to be known of it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/number.h"
#include "history/history_profiles.h"
#include "history/history_verb.h"

enum { LABELS = 512, OPERATORS_SHOWN = 20 };

/* What is to be known of a profile: a note, a failure or advice. */
struct sentence {
    size_t profile;    /* item of the profiles */
    size_t place;      /* of the sentence among all, as they came */
    const char *kind;  /* of the arena */
    const char *words; /* the same */
};

/* A model on a device: launches of several are not averaged. */
struct series {
    string_id model, device; /* of the profiles' pool */
    size_t launches;         /* that there are */
    bool tells_device;       /* some launch tells what devices do */
};

/* What operators take of all launches of a series together: first by id, then by name. */
struct taken {
    int64_t id;          /* of the operator */
    uint32_t series;     /* that it is of */
    string_id name;      /* of the profiles' pool */
    int64_t own, device; /* in ns */
    double calls;        /* in a run */
};

struct showing {
    struct history_profiles profiles; /* of the build */
    size_t cursor;                    /* profile that rows are of */
    struct shown {
        char labels[LABELS];                  /* as people read them, as far as they fit */
        size_t launches;                      /* that there are */
        struct history_medians medians;       /* of these */
        uint32_t series;                      /* that it is of */
        size_t item;                          /* of the profiles */
        int64_t added;                        /* ns since 1970 */
        size_t rank;                          /* of the item with this number, by age */
    } * shown;                                /* by item of the profiles, later by age; owned */
    struct number_map numbers;                /* by model and device: of a series */
    struct series *series;                    /* owned */
    size_t series_count, series_capacity;     /* of these */
    struct arena arena;                       /* of sentences */
    bool advice;                              /* sentences that come are advice */
    struct sentence *sentences;               /* owned */
    size_t sentence_count, sentence_capacity; /* of these */
    struct number_map places;                 /* by id of an operator, later by name: its place in `taken` */
    struct taken *taken;                      /* owned */
    size_t taken_count, taken_capacity;       /* of these */
    char *room;                               /* for a text that is made when it is asked for: FORMAT_SIZE; borrowed */
};

static struct shown *profile_of(struct showing *showing, const struct history_value *values)
{
    size_t at = history_profiles_find(&showing->profiles, history_integer_at(&values[0]), &showing->cursor);

    return at == SIZE_MAX ? NULL : &showing->shown[at];
}

static status take_label(void *context, const struct history_value *values)
{
    struct shown *shown = profile_of(context, values);
    struct text name = history_text_at(&values[1]), value = history_text_at(&values[2]);
    size_t length = shown ? strlen(shown->labels) : 0;

    if (shown)
        snprintf(shown->labels + length, sizeof shown->labels - length, "%s%.*s=%.*s", length ? " " : "",
                 (int)(name.length < LABELS ? name.length : LABELS), name.data,
                 (int)(value.length < LABELS ? value.length : LABELS), value.data);
    return STATUS_OK;
}

static status take_shown_launch(void *context, const struct history_value *values)
{
    struct showing *showing = context;
    struct shown *shown = profile_of(showing, values);

    if (!shown)
        return STATUS_OK;
    showing->series[shown->series].launches++;
    showing->series[shown->series].tells_device |= values[5].kind != HISTORY_NULL;
    shown->launches++;
    history_medians_add(&shown->medians, history_decimal_at(&values[3]));
    return STATUS_OK;
}

/* Notes and advice have their sentences in the same column. */
static status take_sentence(void *context, const struct history_value *values)
{
    struct showing *showing = context;
    const struct shown *shown = profile_of(showing, values);
    struct text kind = showing->advice ? text_of("advice") : history_text_at(&values[2]);
    struct text words = history_text_at(&values[3]);
    struct sentence sentence;
    status code;

    if (!shown)
        return STATUS_OK;
    sentence = (struct sentence){ .profile = (size_t)(shown - showing->shown),
                                  .place = showing->sentence_count,
                                  .kind = arena_copy(&showing->arena, kind.data, kind.length),
                                  .words = arena_copy(&showing->arena, words.data, words.length) };
    code = memory_grow(&showing->sentences, &showing->sentence_capacity, showing->sentence_count + 1,
                       sizeof *showing->sentences);
    if (code != STATUS_OK || !sentence.kind || !sentence.words)
        return status_no_memory("showing a build");
    showing->sentences[showing->sentence_count++] = sentence;
    return STATUS_OK;
}

static status add_taken(struct showing *showing, uint64_t key, const struct taken *more)
{
    uint32_t *place = number_map_at(&showing->places, key, more->series);
    status code =
        memory_grow(&showing->taken, &showing->taken_capacity, showing->taken_count + 1, sizeof *showing->taken);
    struct taken *taken;

    if (!place || code != STATUS_OK)
        return status_no_memory("showing a build");
    if (*place == MAP_NONE) {
        *place = (uint32_t)showing->taken_count++;
        showing->taken[*place] = (struct taken){ .id = more->id, .series = more->series, .name = more->name };
    }
    taken = &showing->taken[*place];
    taken->own = number_add(taken->own, more->own);
    taken->device = number_add(taken->device, more->device);
    taken->calls += more->calls;
    return STATUS_OK;
}

static status take_work(void *context, const struct history_value *values)
{
    const struct shown *shown = profile_of(context, values);
    const struct taken taken = { .id = history_integer_at(&values[3]),
                                 .series = shown ? shown->series : 0,
                                 .own = history_integer_at(&values[5]),
                                 .device = history_integer_at(&values[6]),
                                 .calls = history_decimal_at(&values[7]) };

    return shown ? add_taken(context, (uint64_t)taken.id, &taken) : STATUS_OK;
}

static status take_operator(void *context, const struct history_value *values)
{
    struct showing *showing = context;
    struct text name = history_text_at(&values[1]);
    uint32_t place = number_map_find(&showing->places, (uint64_t)history_integer_at(&values[0]), 0);
    string_id id;
    status code = strings_add(showing->profiles.strings, name.data, name.length, &id);

    for (size_t i = place; code == STATUS_OK && place != MAP_NONE && i < showing->taken_count &&
                           showing->taken[i].id == showing->taken[place].id;
         i++)
        showing->taken[i].name = id;
    return code;
}

static int by_id(const void *one, const void *other)
{
    const struct taken *a = one, *b = other;

    return (a->id > b->id) - (a->id < b->id);
}

static double own_of(const struct showing *showing, const struct taken *taken)
{
    return (double)taken->own / (double)showing->series[taken->series].launches;
}

/* The longest first. */
static int by_time(const void *one, const void *other, void *context)
{
    const struct showing *showing = context;
    const struct taken *a = one, *b = other;
    double left = own_of(showing, a), right = own_of(showing, b);
    int order;

    if (left > right || left < right)
        return left > right ? -1 : 1;
    order =
        strcmp(history_profiles_text(&showing->profiles, a->name), history_profiles_text(&showing->profiles, b->name));
    return order ? order : (a->series > b->series) - (a->series < b->series);
}

/* Operators of one name are one; those that are not written down are left out. */
static status join_names(struct showing *showing)
{
    size_t count = showing->taken_count;
    status code = STATUS_OK;

    number_map_clear(&showing->places);
    showing->taken_count = 0;
    for (size_t i = 0; i < count && code == STATUS_OK; i++) { /* each goes to its own place, or one before it */
        struct taken taken = showing->taken[i];

        if (taken.name != MAP_NONE)
            code = add_taken(showing, taken.name, &taken);
    }
    if (code == STATUS_OK && showing->taken_count)
        qsort_r(showing->taken, showing->taken_count, sizeof *showing->taken, by_time, showing);
    return code;
}

static status read_names(const struct history *history, struct showing *showing)
{
    int64_t *ids = memory_allocate((showing->taken_count + 1) * sizeof *ids);
    struct history_request request = { .table = TABLE_OPERATOR, .ids = ids };
    status code = ids ? STATUS_OK : status_no_memory("showing a build");

    if (showing->taken_count)
        qsort(showing->taken, showing->taken_count, sizeof *showing->taken, by_id);
    number_map_clear(&showing->places);
    for (size_t i = 0; i < showing->taken_count && code == STATUS_OK; i++) {
        uint32_t *place = number_map_at(&showing->places, (uint64_t)showing->taken[i].id, 0);

        code = place ? STATUS_OK : status_no_memory("showing a build");
        if (place && *place == MAP_NONE) { /* the first of several series */
            *place = (uint32_t)i;
            ids[request.id_count++] = showing->taken[i].id;
        }
        showing->taken[i].name = MAP_NONE;
    }
    if (code == STATUS_OK)
        code = history->calls->read(history->self, &request, take_operator, showing);
    memory_free(ids);
    return code == STATUS_OK ? join_names(showing) : code;
}

static status find_series(struct showing *showing)
{
    for (size_t i = 0; i < showing->profiles.count; i++) {
        const struct history_row *row = &showing->profiles.items[i];
        uint32_t *number = number_map_at(&showing->numbers, row->model, row->device);
        status code = memory_grow(&showing->series, &showing->series_capacity, showing->series_count + 1,
                                  sizeof *showing->series);

        if (!number || code != STATUS_OK)
            return status_no_memory("showing a build");
        if (*number == MAP_NONE) {
            *number = (uint32_t)showing->series_count++;
            showing->series[*number] = (struct series){ .model = row->model, .device = row->device };
        }
        showing->shown[i].series = *number;
    }
    return STATUS_OK;
}

static status read_shown(const struct history *history, struct showing *showing)
{
    static const struct {
        enum history_table_id table; /* whose rows */
        history_take take;           /* gets them */
    } reads[] = { { TABLE_LABEL, take_label },
                  { TABLE_LAUNCH, take_shown_launch },
                  { TABLE_OPERATOR_TIME, take_work },
                  { TABLE_NOTE, take_sentence },
                  { TABLE_ADVICE, take_sentence } };
    status code;

    showing->shown = memory_allocate_clear((showing->profiles.count + 1) * sizeof *showing->shown);
    if (!showing->shown)
        return status_no_memory("showing a build");
    code = find_series(showing);
    for (size_t i = 0; i < sizeof reads / sizeof *reads && code == STATUS_OK; i++) {
        const struct history_request request = history_profiles_request(&showing->profiles, reads[i].table, NULL);

        showing->cursor = 0;
        showing->advice = reads[i].table == TABLE_ADVICE;
        code = history->calls->read(history->self, &request, reads[i].take, showing);
    }
    return code == STATUS_OK ? read_names(history, showing) : code;
}

/* ---- fields of profiles ------------------------------------------------------------------------------------------------------------------ */

static int by_age(const void *one, const void *other)
{
    const struct shown *a = one, *b = other;

    return a->added != b->added ? (a->added > b->added) - (a->added < b->added)
                                : (a->item > b->item) - (a->item < b->item);
}

static int by_rank(const void *one, const void *other, void *context)
{
    const struct shown *shown = context;
    const struct sentence *a = one, *b = other;
    size_t left = shown[a->profile].rank, right = shown[b->profile].rank;

    return left != right ? (left > right) - (left < right) : (a->place > b->place) - (a->place < b->place);
}

/* Profiles, and what is to be known of them, in the order in which they were added. */
static void order_shown(struct showing *showing)
{
    size_t count = showing->profiles.count;

    for (size_t i = 0; i < count; i++) {
        showing->shown[i].item = i;
        showing->shown[i].added = showing->profiles.items[i].added;
    }
    if (count)
        qsort(showing->shown, count, sizeof *showing->shown, by_age);
    for (size_t i = 0; i < count; i++)
        showing->shown[showing->shown[i].item].rank = i;
    if (showing->sentence_count)
        qsort_r(showing->sentences, showing->sentence_count, sizeof *showing->sentences, by_rank, showing->shown);
}

static const struct shown *shown_at(const void *context, size_t row)
{
    return &((const struct showing *)context)->shown[row];
}

static const struct history_row *row_at(const void *context, size_t row)
{
    return &((const struct showing *)context)->profiles.items[shown_at(context, row)->item];
}

static struct table_cell text_of_showing(const void *context, string_id id)
{
    return history_cell_text(history_profiles_text(&((const struct showing *)context)->profiles, id));
}

static struct table_cell get_profile(const void *context, size_t row)
{
    return text_of_showing(context, row_at(context, row)->name);
}

static struct table_cell get_model(const void *context, size_t row)
{
    return text_of_showing(context, row_at(context, row)->model);
}

static struct table_cell get_build(const void *context, size_t row)
{
    return text_of_showing(context, row_at(context, row)->build);
}

static struct table_cell get_commit(const void *context, size_t row)
{
    return text_of_showing(context, row_at(context, row)->commit);
}

static struct table_cell get_device(const void *context, size_t row)
{
    return text_of_showing(context, row_at(context, row)->device);
}

static struct table_cell get_chain(const void *context, size_t row)
{
    return text_of_showing(context, row_at(context, row)->chain);
}

static struct table_cell get_labels(const void *context, size_t row)
{
    return history_cell_text(shown_at(context, row)->labels);
}

static struct table_cell get_launches(const void *context, size_t row)
{
    return cell_integer((int64_t)shown_at(context, row)->launches);
}

static struct table_cell get_median(const void *context, size_t row)
{
    return history_medians_mean(&shown_at(context, row)->medians);
}

static struct table_cell get_least(const void *context, size_t row)
{
    return history_medians_least(&shown_at(context, row)->medians);
}

static struct table_cell get_most(const void *context, size_t row)
{
    return history_medians_most(&shown_at(context, row)->medians);
}

static struct table_cell get_size(const void *context, size_t row)
{
    return cell_integer(row_at(context, row)->size);
}

static struct table_cell get_added(const void *context, size_t row)
{
    const struct showing *showing = context;

    return cell_text(format_date(showing->room, row_at(context, row)->added) ? showing->room : NULL);
}

static struct table_cell get_hash(const void *context, size_t row)
{
    const struct showing *showing = context;

    snprintf(showing->room, FORMAT_SIZE, "%016llx", (unsigned long long)row_at(context, row)->id);
    return cell_text(showing->room);
}

static const struct field profile_fields[] = {
    { .key = "profile", .title = "Profile", .type = CELL_TEXT, .description = "The file.", .get = get_profile },
    { .key = "model", .title = "Model", .type = CELL_TEXT, .description = "What was measured.", .get = get_model },
    { .key = "device", .title = "Device", .type = CELL_TEXT, .description = "What it ran on.", .get = get_device },
    { .key = "labels",
      .title = "Labels",
      .type = CELL_TEXT,
      .description = "Whatever else was said of it.",
      .get = get_labels },
    { .key = "launches",
      .title = "Launches",
      .type = CELL_INTEGER,
      .description = "Launches that have a time.",
      .get = get_launches },
    { .key = "median",
      .title = "Run",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "Mean of the launch medians.",
      .get = get_median },
    { .key = "size", .title = "Size", .unit = "B", .type = CELL_BYTES, .description = "Of the file.", .get = get_size },
    { .key = "hash",
      .title = "Hash",
      .type = CELL_TEXT,
      .description = "Hash of its bytes.",
      .get = get_hash,
      .optional = true },
    { .key = "build", .title = "Build", .type = CELL_TEXT, .description = "Build that it is of.", .get = get_build },
    { .key = "commit",
      .title = "Commit",
      .type = CELL_TEXT,
      .description = "Commit of that build.",
      .get = get_commit },
    { .key = "chain",
      .title = "Tool chain",
      .type = CELL_TEXT,
      .description = "Tool chain that it comes from.",
      .get = get_chain },
    { .key = "added",
      .title = "Added",
      .type = CELL_TEXT,
      .description = "When it was added, in UTC.",
      .get = get_added },
    { .key = "least",
      .title = "Least",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "Of the launch medians.",
      .get = get_least },
    { .key = "most",
      .title = "Most",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "Of the launch medians.",
      .get = get_most },
    { .key = NULL },
};
static const struct field_set profiles_set = { "profile", profile_fields };
static const struct field_set *const profile_sets[] = { &profiles_set, NULL };
static const char *const profile_keys[] = { "profile", "model", "device", "labels", "launches",
                                            "median",  "size",  "hash",   NULL };
static const struct view profiles_view = { .name = "profiles", .title = "Profiles", .keys = profile_keys };
static const struct view *const profile_views[] = { &profiles_view, NULL };

/* ---- fields of operators --------------------------------------------------------------------------------------------------------- */

static const struct taken *taken_at(const void *context, size_t row)
{
    return &((const struct showing *)context)->taken[row];
}

static const struct series *series_at(const void *context, size_t row)
{
    return &((const struct showing *)context)->series[taken_at(context, row)->series];
}

/* Mean over launches; none, where there are no launches. */
static struct table_cell mean_of(const struct series *series, int64_t ns)
{
    return series->launches ? cell_integer(llround((double)ns / (double)series->launches)) : cell_null();
}

static struct table_cell get_operator_model(const void *context, size_t row)
{
    return text_of_showing(context, series_at(context, row)->model);
}

static struct table_cell get_operator_device(const void *context, size_t row)
{
    return text_of_showing(context, series_at(context, row)->device);
}

static struct table_cell get_operator(const void *context, size_t row)
{
    return text_of_showing(context, taken_at(context, row)->name);
}

static struct table_cell get_own(const void *context, size_t row)
{
    return mean_of(series_at(context, row), taken_at(context, row)->own);
}

static struct table_cell get_device_time(const void *context, size_t row)
{
    const struct series *series = series_at(context, row);

    return series->tells_device ? mean_of(series, taken_at(context, row)->device) : cell_null();
}

static struct table_cell get_calls(const void *context, size_t row)
{
    size_t launches = series_at(context, row)->launches;

    return launches ? cell_decimal(taken_at(context, row)->calls / (double)launches) : cell_null();
}

static const struct field operator_fields[] = {
    { .key = "operator",
      .title = "Operator",
      .type = CELL_TEXT,
      .description = "Operator of the model.",
      .get = get_operator },
    { .key = "own",
      .title = "Time",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "What it takes of a run, mean over launches.",
      .get = get_own },
    { .key = "device",
      .title = "Device",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "What it takes of devices, in a run, mean over launches.",
      .get = get_device_time },
    { .key = "calls",
      .title = "Calls",
      .type = CELL_DECIMAL,
      .description = "How often it is called in a run, mean over launches.",
      .get = get_calls },
    { .key = "model",
      .title = "Model",
      .type = CELL_TEXT,
      .description = "Model whose operator it is.",
      .get = get_operator_model },
    { .key = "on",
      .title = "On",
      .type = CELL_TEXT,
      .description = "Device that the model ran on.",
      .get = get_operator_device },
    { .key = NULL },
};
static const struct field_set operators_set = { "operator", operator_fields };
static const struct field_set *const operator_sets[] = { &operators_set, NULL };
static const char *const operator_keys[] = { "operator", "own", "device", NULL };
static const struct view operators_view = { .name = "operators", .title = "Operators", .keys = operator_keys };
static const struct view *const operator_views[] = { &operators_view, NULL };
/* Of several models or devices each has its own. */
static const char *const several_keys[] = { "model", "on", "operator", "own", "device", NULL };
static const struct view several_view = { .name = "operators", .title = "Operators", .keys = several_keys };
static const struct view *const several_views[] = { &several_view, NULL };

/* ---- fields of sentences --------------------------------------------------------------------------------------------------------- */

static const struct sentence *sentence_at(const void *context, size_t row)
{
    return &((const struct showing *)context)->sentences[row];
}

static struct table_cell get_sentence_profile(const void *context, size_t row)
{
    return text_of_showing(context,
                           ((const struct showing *)context)->profiles.items[sentence_at(context, row)->profile].name);
}

static struct table_cell get_sentence_model(const void *context, size_t row)
{
    return text_of_showing(context,
                           ((const struct showing *)context)->profiles.items[sentence_at(context, row)->profile].model);
}

static struct table_cell get_kind(const void *context, size_t row)
{
    return history_cell_text(sentence_at(context, row)->kind);
}

static struct table_cell get_sentence(const void *context, size_t row)
{
    return history_cell_text(sentence_at(context, row)->words);
}

static const struct field sentence_fields[] = {
    { .key = "profile",
      .title = "Profile",
      .type = CELL_TEXT,
      .description = "Profile that it is about.",
      .get = get_sentence_profile },
    { .key = "kind", .title = "", .type = CELL_TEXT, .description = "Failure, note or advice.", .get = get_kind },
    { .key = "sentence",
      .title = "What is to be known",
      .type = CELL_TEXT,
      .description = "What is to be known, in words.",
      .get = get_sentence },
    { .key = "model",
      .title = "Model",
      .type = CELL_TEXT,
      .description = "Model of that profile.",
      .get = get_sentence_model },
    { .key = NULL },
};
static const struct field_set sentences_set = { "sentence", sentence_fields };
static const struct field_set *const sentence_sets[] = { &sentences_set, NULL };
static const char *const sentence_keys[] = { "profile", "kind", "sentence", NULL };
static const struct view sentences_view = { .name = "sentences", .title = "Notes", .keys = sentence_keys };
static const struct view *const sentence_views[] = { &sentences_view, NULL };

/* ---- the verb -------------------------------------------------------------------------------------------------------------------- */

/* Who asks for nothing in particular is shown those that take longest. */
static status add_operators(struct job *job, const struct showing *showing)
{
    const struct history_settings *settings = job->settings;
    bool all = settings->table || view_is_asked(&job->view) || showing->taken_count <= OPERATORS_SHOWN;
    const struct rows rows = { .entity = "operator",
                               .sets = operator_sets,
                               .context = showing,
                               .count = all ? showing->taken_count : OPERATORS_SHOWN };
    status code = history_add_view(job, &rows, showing->series_count > 1 ? several_views : operator_views);

    if (code == STATUS_OK && !all)
        table_note(job_last(job)->table, "the %d of %zu that take longest; --table operators shows all",
                   OPERATORS_SHOWN, showing->taken_count);
    return code;
}

static status add_tables(struct job *job, const struct showing *showing)
{
    const struct rows profiles = {
        .entity = "profile", .sets = profile_sets, .context = showing, .count = showing->profiles.count
    };
    const struct rows sentences = {
        .entity = "sentence", .sets = sentence_sets, .context = showing, .count = showing->sentence_count
    };
    status code = STATUS_OK;

    if (history_wants(job, "profiles", "operators"))
        code = history_add_view(job, &profiles, profile_views);
    if (code == STATUS_OK && history_wants(job, "operators", "operators"))
        code = add_operators(job, showing);
    if (code == STATUS_OK && history_wants(job, "sentences", "operators"))
        code = history_add_view(job, &sentences, sentence_views);
    return code;
}

static status read_build(const struct history *history, const struct history_choice *choice, struct showing *showing)
{
    status code = history_profiles_read(history, choice, &showing->profiles);

    if (code == STATUS_OK && !showing->profiles.count)
        code = status_fail(STATUS_INPUT, "no build is called \"%s\"; tacho history list lists them", choice->builds[0]);
    if (code == STATUS_OK)
        code = read_shown(history, showing);
    if (code == STATUS_OK)
        order_shown(showing);
    return code;
}

/* What is in columns can be told without a build. */
static status show(struct job *job, const char *build, struct showing *showing)
{
    const struct history_settings *settings = job->settings;
    const struct history_choice choice = { .model = settings->model,
                                           .device = settings->device,
                                           .builds = &build,
                                           .build_count = 1,
                                           .labels = settings->labels };
    struct history history = { 0 };
    status code = STATUS_OK;

    if (!view_asks_help(&job->view)) {
        code = build ? history_open(settings, false, &history)
                     : status_fail(STATUS_USAGE, "tacho history show wants a build");
        if (code == STATUS_OK)
            code = read_build(&history, &choice, showing);
    }
    history_close(&history);
    return code == STATUS_OK ? add_tables(job, showing) : code;
}

status history_show(struct job *job, const struct texts *inputs)
{
    static const char *const tables[] = { "profiles", "operators", "sentences", NULL };
    const struct history_settings *settings = job->settings;
    char room[FORMAT_SIZE];
    struct showing showing = { .room = room };
    status code = history_check_table(job, tables);

    number_map_start(&showing.places);
    number_map_start(&showing.numbers);
    if (code == STATUS_OK)
        code = show(job, inputs->count ? inputs->items[0] : settings->build, &showing);
    number_map_free(&showing.places);
    number_map_free(&showing.numbers);
    memory_free(showing.series);
    memory_free(showing.shown);
    memory_free(showing.sentences);
    memory_free(showing.taken);
    arena_free(&showing.arena);
    history_profiles_free(&showing.profiles);
    return code;
}
