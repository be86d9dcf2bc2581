/* history_list.c: tacho history list and show: which builds there are, and what is known of one. */
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

enum { CELL = 512, OPERATORS_SHOWN = 20, LABELS_SHOWN = 500 };

static struct table *new_table(const char *name, const char *title, const struct table_column *columns)
{
    struct table *table = table_new(name, title);

    for (size_t i = 0; table && columns[i].name; i++)
        table_add_column(table, columns[i]);
    return table;
}

static status add_table(struct job *job, struct table *table, status code)
{
    if (code == STATUS_OK)
        code = table_status(table);
    if (code == STATUS_OK)
        return job_table(job, table);
    table_free(table);
    return code;
}

/* An empty text is none; a very long one is cut. */
static void set_text(struct table *table, size_t column, const char *text)
{
    char cut[CELL];

    snprintf(cut, sizeof cut, "%s", text);
    table_set_text(table, column, *cut ? cut : NULL);
}

/* Means of what launches took, which somebody else may have written. */
struct mean {
    double sum;   /* of medians, in ms */
    size_t count; /* of these */
};

static void set_mean(struct table *table, size_t column, const struct mean *mean)
{
    double ns = mean->sum / (double)mean->count * 1e6;

    if (fabs(ns) < 1e18) /* not NAN, either */
        table_set_integer(table, column, llround(ns));
}

/* ---- list ----------------------------------------------------------------------------------------------------------------------- */

/* Profiles of one model, device and build. */
struct group {
    string_id model, device, build, commit; /* the greatest commit of them */
    size_t profiles, launches;              /* that there are */
    struct mean mean;                       /* of the launches */
    int64_t added;                          /* the first of them */
    struct history_standing standing;       /* of the build */
};

struct listing {
    struct history_profiles profiles; /* that were asked for */
    size_t cursor;                    /* profile that a launch is of */
    struct number_map map;            /* by model, device and build: a group */
    struct group *groups;             /* owned */
    size_t count, capacity;           /* of groups */
    uint32_t *group_of;               /* by profile; owned */
    bool told;                        /* of some build there is something to say */
};

static status add_to_group(struct listing *listing, size_t index)
{
    const struct history_row *row = &listing->profiles.items[index];
    uint32_t *at = number_map_at(&listing->map, (uint64_t)row->model << 32 | row->device, row->build);
    struct group *group;
    status code = memory_grow(&listing->groups, &listing->capacity, listing->count + 1, sizeof *listing->groups);

    if (!at || code != STATUS_OK)
        return status_no_memory("listing");
    if (*at == MAP_NONE) {
        *at = (uint32_t)listing->count++;
        listing->groups[*at] = (struct group){ row->model, row->device, row->build, row->commit, .added = row->added };
    }
    listing->group_of[index] = *at;
    group = &listing->groups[*at];
    group->profiles++;
    group->added = row->added < group->added ? row->added : group->added;
    if (strcmp(history_profiles_text(&listing->profiles, row->commit),
               history_profiles_text(&listing->profiles, group->commit)) > 0)
        group->commit = row->commit;
    return STATUS_OK;
}

static status take_launch(void *context, const struct history_value *values)
{
    struct listing *listing = context;
    size_t at = history_profiles_find(&listing->profiles, history_integer_at(&values[0]), &listing->cursor);
    double median = history_decimal_at(&values[3]);
    struct group *group;

    if (at == SIZE_MAX)
        return STATUS_OK;
    group = &listing->groups[listing->group_of[at]];
    group->launches++;
    if (!isnan(median)) {
        group->mean.sum += median;
        group->mean.count++;
    }
    return STATUS_OK;
}

static status take_standings(const struct history *history, struct listing *listing)
{
    struct history_standing *standings;
    status code = history_profiles_standings(history, &listing->profiles, &standings);

    for (size_t i = 0; i < listing->profiles.count && code == STATUS_OK; i++) {
        struct history_standing *standing = &listing->groups[listing->group_of[i]].standing;

        *standing = standings[i];
        listing->told |= *history_standing_word(*standing) != '\0';
    }
    memory_free(standings);
    return code;
}

static int by_model(const void *one, const void *other, void *context)
{
    const struct listing *listing = context;
    const struct group *a = one, *b = other;
    int order = strcmp(history_profiles_text(&listing->profiles, a->model),
                       history_profiles_text(&listing->profiles, b->model));

    if (!order)
        order = strcmp(history_profiles_text(&listing->profiles, a->device),
                       history_profiles_text(&listing->profiles, b->device));
    if (!order)
        order = (a->added > b->added) - (a->added < b->added);
    return order ? order
                 : strcmp(history_profiles_text(&listing->profiles, a->build),
                          history_profiles_text(&listing->profiles, b->build));
}

static status group_profiles(const struct history *history, struct listing *listing)
{
    const struct history_request request = history_profiles_request(&listing->profiles, TABLE_LAUNCH, NULL);
    status code = STATUS_OK;

    listing->group_of = memory_allocate((listing->profiles.count + 1) * sizeof *listing->group_of);
    if (!listing->group_of)
        return status_no_memory("listing");
    for (size_t i = 0; i < listing->profiles.count && code == STATUS_OK; i++)
        code = add_to_group(listing, i);
    if (code == STATUS_OK)
        code = history->calls->read(history->self, &request, take_launch, listing);
    if (code == STATUS_OK)
        code = take_standings(history, listing);
    if (code == STATUS_OK && listing->count)
        qsort_r(listing->groups, listing->count, sizeof *listing->groups, by_model, listing);
    return code;
}

static status add_groups(struct job *job, const struct listing *listing)
{
    static const struct table_column columns[] = {
        { .name = "model", .title = "Model", .type = CELL_TEXT, .description = "what was measured" },
        { .name = "build", .title = "Build", .type = CELL_TEXT, .description = "of it" },
        { .name = "device", .title = "Device", .type = CELL_TEXT, .description = "it ran on" },
        { .name = "profiles", .title = "Profiles", .type = CELL_INTEGER, .description = "of the build" },
        { .name = "launches", .title = "Launches", .type = CELL_INTEGER, .description = "of these, with a time" },
        { .name = "median", .title = "Run", .type = CELL_DURATION, .description = "mean of the launch medians" },
        { .name = "commit", .title = "Commit", .type = CELL_TEXT, .description = "of the build", .optional = true },
        { .name = "added", .title = "Added", .type = CELL_TEXT, .description = "first, in UTC", .optional = true },
        { .name = NULL },
    };
    static const struct table_column state = {
        .name = "state", .title = "State", .type = CELL_TEXT, .description = "failed, or marked good or bad"
    };
    struct table *table = new_table("builds", "Builds", columns);
    bool told = listing->told || job->json || job->output; /* people get no column in which nothing stands */

    if (!table)
        return status_no_memory("listing");
    if (told)
        table_add_column(table, state);
    for (size_t i = 0; i < listing->count; i++) {
        const struct group *group = &listing->groups[i];
        char date[FORMAT_SIZE];

        table_add_row(table);
        set_text(table, 0, history_profiles_text(&listing->profiles, group->model));
        set_text(table, 1, history_profiles_text(&listing->profiles, group->build));
        set_text(table, 2, history_profiles_text(&listing->profiles, group->device));
        table_set_integer(table, 3, (int64_t)group->profiles);
        table_set_integer(table, 4, (int64_t)group->launches);
        set_mean(table, 5, &group->mean);
        set_text(table, 6, history_profiles_text(&listing->profiles, group->commit));
        table_set_text(table, 7, format_date(date, group->added) ? date : NULL);
        if (told)
            set_text(table, 8, history_standing_word(group->standing));
    }
    return add_table(job, table, STATUS_OK);
}

/* Labels of profiles, each with how many have it. */
struct labels {
    struct history_profiles *profiles; /* that were asked for; texts go to their pool */
    size_t cursor;                     /* profile that a label is of */
    struct number_map map;             /* by text: its place in `items` */
    struct label {
        string_id text;     /* KEY=VALUE, as far as it fits */
        size_t count;       /* of profiles */
    } * items;              /* owned */
    size_t count, capacity; /* of items */
};

static status take_listed_label(void *context, const struct history_value *values)
{
    struct labels *labels = context;
    struct text name = history_text_at(&values[1]), value = history_text_at(&values[2]);
    char text[CELL];
    uint32_t *place;
    string_id id;
    status code;

    if (history_profiles_find(labels->profiles, history_integer_at(&values[0]), &labels->cursor) == SIZE_MAX)
        return STATUS_OK;
    snprintf(text, sizeof text, "%.*s=%.*s", (int)(name.length < CELL ? name.length : CELL), name.data,
             (int)(value.length < CELL ? value.length : CELL), value.data);
    code = strings_add(labels->profiles->strings, text, strlen(text), &id);
    if (code == STATUS_OK)
        code = memory_grow(&labels->items, &labels->capacity, labels->count + 1, sizeof *labels->items);
    place = code == STATUS_OK ? number_map_at(&labels->map, id, 0) : NULL;
    if (!place)
        return status_no_memory("listing");
    if (*place == MAP_NONE) {
        *place = (uint32_t)labels->count++;
        labels->items[*place] = (struct label){ .text = id };
    }
    labels->items[*place].count++;
    return STATUS_OK;
}

/* The most frequent first. */
static int by_frequency(const void *one, const void *other, void *context)
{
    const struct labels *labels = context;
    const struct label *a = one, *b = other;

    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return strcmp(history_profiles_text(labels->profiles, a->text), history_profiles_text(labels->profiles, b->text));
}

/* For who chooses among profiles: a program, as people know theirs. */
static status add_labels(struct job *job, const struct history *history, struct history_profiles *profiles)
{
    static const struct table_column columns[] = {
        { .name = "label", .title = "Label", .type = CELL_TEXT, .description = "KEY=VALUE, the most frequent first" },
        { .name = "profiles", .title = "Profiles", .type = CELL_INTEGER, .description = "that have it" },
        { .name = NULL },
    };
    const struct history_request request = history_profiles_request(profiles, TABLE_LABEL, NULL);
    struct table *table = new_table("labels", "Labels", columns);
    struct labels labels = { .profiles = profiles };
    status code = table ? STATUS_OK : status_no_memory("listing");

    number_map_start(&labels.map);
    if (code == STATUS_OK)
        code = history->calls->read(history->self, &request, take_listed_label, &labels);
    if (code == STATUS_OK && labels.count)
        qsort_r(labels.items, labels.count, sizeof *labels.items, by_frequency, &labels);
    for (size_t i = 0; i < labels.count && i < LABELS_SHOWN && code == STATUS_OK; i++) {
        table_add_row(table);
        set_text(table, 0, history_profiles_text(profiles, labels.items[i].text));
        table_set_integer(table, 1, (int64_t)labels.items[i].count);
    }
    number_map_free(&labels.map);
    memory_free(labels.items);
    return table ? add_table(job, table, code) : code;
}

/* Of all that is there, or of a model and a device. */
status history_list(struct job *job, const struct texts *inputs)
{
    const struct history_settings *settings = job->settings;
    const struct history_choice choice = { .model = inputs->count ? inputs->items[0] : settings->model,
                                           .device = settings->device,
                                           .labels = settings->labels };
    struct listing listing = { 0 };
    struct history history;
    status code = history_open(settings, false, &history);

    number_map_start(&listing.map);
    if (code == STATUS_OK)
        code = history_profiles_read(&history, &choice, &listing.profiles);
    if (code == STATUS_OK)
        code = group_profiles(&history, &listing);
    if (code == STATUS_OK)
        code = add_groups(job, &listing);
    if (code == STATUS_OK && job->json)
        code = add_labels(job, &history, &listing.profiles);
    number_map_free(&listing.map);
    memory_free(listing.groups);
    memory_free(listing.group_of);
    history_profiles_free(&listing.profiles);
    history_close(&history);
    return code;
}

/* ---- show ----------------------------------------------------------------------------------------------------------------------- */

/* What is to be known of a profile: a note, a failure or advice. */
struct sentence {
    size_t profile;    /* item of the profiles */
    size_t place;      /* of the sentence among all, as they came */
    const char *kind;  /* of the arena */
    const char *words; /* the same */
};

/* What operators take of all launches together: first by id, then by name. */
struct taken {
    int64_t id;          /* of the operator */
    string_id name;      /* of the profiles' pool */
    int64_t own, device; /* in ns */
};

struct showing {
    struct history_profiles profiles; /* of the build */
    size_t cursor;                    /* profile that rows are of */
    struct shown {
        char labels[CELL];                    /* as people read them, as far as they fit */
        size_t launches;                      /* that there are */
        struct mean mean;                     /* of these */
        size_t item;                          /* of the profiles */
        int64_t added;                        /* ns since 1970 */
        size_t rank;                          /* of the item with this number, by age */
    } * shown;                                /* by item of the profiles, later by age; owned */
    size_t launches;                          /* of all of them */
    struct arena arena;                       /* of sentences */
    bool advice;                              /* sentences that come are advice */
    struct sentence *sentences;               /* owned */
    size_t sentence_count, sentence_capacity; /* of these */
    struct number_map places;                 /* by id of an operator, later by name: its place in `taken` */
    struct taken *taken;                      /* owned */
    size_t taken_count, taken_capacity;       /* of these */
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
                 (int)(name.length < CELL ? name.length : CELL), name.data,
                 (int)(value.length < CELL ? value.length : CELL), value.data);
    return STATUS_OK;
}

static status take_shown_launch(void *context, const struct history_value *values)
{
    struct showing *showing = context;
    struct shown *shown = profile_of(showing, values);
    double median = history_decimal_at(&values[3]);

    if (!shown)
        return STATUS_OK;
    showing->launches++;
    shown->launches++;
    if (!isnan(median)) {
        shown->mean.sum += median;
        shown->mean.count++;
    }
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
    uint32_t *place = number_map_at(&showing->places, key, 0);
    status code =
        memory_grow(&showing->taken, &showing->taken_capacity, showing->taken_count + 1, sizeof *showing->taken);
    struct taken *taken;

    if (!place || code != STATUS_OK)
        return status_no_memory("showing a build");
    if (*place == MAP_NONE) {
        *place = (uint32_t)showing->taken_count++;
        showing->taken[*place] = (struct taken){ .id = more->id, .name = more->name };
    }
    taken = &showing->taken[*place];
    taken->own = number_add(taken->own, more->own);
    taken->device = number_add(taken->device, more->device);
    return STATUS_OK;
}

static status take_work(void *context, const struct history_value *values)
{
    const struct taken taken = { .id = history_integer_at(&values[3]),
                                 .own = history_integer_at(&values[5]),
                                 .device = history_integer_at(&values[6]) };

    return profile_of(context, values) ? add_taken(context, (uint64_t)taken.id, &taken) : STATUS_OK;
}

static status take_operator(void *context, const struct history_value *values)
{
    struct showing *showing = context;
    struct text name = history_text_at(&values[1]);
    uint32_t place = number_map_find(&showing->places, (uint64_t)history_integer_at(&values[0]), 0);
    string_id id;
    status code = strings_add(showing->profiles.strings, name.data, name.length, &id);

    if (code == STATUS_OK && place != MAP_NONE)
        showing->taken[place].name = id;
    return code;
}

static int by_id(const void *one, const void *other)
{
    const struct taken *a = one, *b = other;

    return (a->id > b->id) - (a->id < b->id);
}

/* The longest first. */
static int by_time(const void *one, const void *other, void *context)
{
    const struct history_profiles *profiles = context;
    const struct taken *a = one, *b = other;

    if (a->own != b->own)
        return a->own > b->own ? -1 : 1;
    return strcmp(history_profiles_text(profiles, a->name), history_profiles_text(profiles, b->name));
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
        qsort_r(showing->taken, showing->taken_count, sizeof *showing->taken, by_time, &showing->profiles);
    return code;
}

static status read_names(const struct history *history, struct showing *showing)
{
    int64_t *ids = memory_allocate((showing->taken_count + 1) * sizeof *ids);
    const struct history_request request = { .table = TABLE_OPERATOR, .ids = ids, .id_count = showing->taken_count };
    status code = ids ? STATUS_OK : status_no_memory("showing a build");

    if (showing->taken_count)
        qsort(showing->taken, showing->taken_count, sizeof *showing->taken, by_id);
    number_map_clear(&showing->places);
    for (size_t i = 0; i < showing->taken_count && code == STATUS_OK; i++) {
        uint32_t *place = number_map_at(&showing->places, (uint64_t)showing->taken[i].id, 0);

        code = place ? STATUS_OK : status_no_memory("showing a build");
        if (place)
            *place = (uint32_t)i;
        ids[i] = showing->taken[i].id;
        showing->taken[i].name = MAP_NONE;
    }
    if (code == STATUS_OK)
        code = history->calls->read(history->self, &request, take_operator, showing);
    memory_free(ids);
    return code == STATUS_OK ? join_names(showing) : code;
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
    status code = STATUS_OK;

    showing->shown = memory_allocate_clear((showing->profiles.count + 1) * sizeof *showing->shown);
    if (!showing->shown)
        return status_no_memory("showing a build");
    for (size_t i = 0; i < sizeof reads / sizeof *reads && code == STATUS_OK; i++) {
        const struct history_request request = history_profiles_request(&showing->profiles, reads[i].table, NULL);

        showing->cursor = 0;
        showing->advice = reads[i].table == TABLE_ADVICE;
        code = history->calls->read(history->self, &request, reads[i].take, showing);
    }
    return code == STATUS_OK ? read_names(history, showing) : code;
}

/* ---- show: tables ------------------------------------------------------------------------------------------------------------------ */

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

static status add_profiles(struct job *job, const struct showing *showing)
{
    static const struct table_column columns[] = {
        { .name = "profile", .title = "Profile", .type = CELL_TEXT, .description = "the file" },
        { .name = "model", .title = "Model", .type = CELL_TEXT, .description = "what was measured" },
        { .name = "device", .title = "Device", .type = CELL_TEXT, .description = "it ran on" },
        { .name = "labels", .title = "Labels", .type = CELL_TEXT, .description = "whatever else was said of it" },
        { .name = "launches", .title = "Launches", .type = CELL_INTEGER, .description = "with a time" },
        { .name = "median", .title = "Run", .type = CELL_DURATION, .description = "mean of the launch medians" },
        { .name = "size", .title = "Size", .type = CELL_BYTES, .description = "of the file" },
        { .name = "hash", .title = "Hash", .type = CELL_TEXT, .description = "of its bytes", .optional = true },
        { .name = NULL },
    };
    const struct history_profiles *profiles = &showing->profiles;
    struct table *table = new_table("profiles", "Profiles", columns);

    if (!table)
        return status_no_memory("showing a build");
    for (size_t i = 0; i < profiles->count; i++) {
        const struct shown *shown = &showing->shown[i];
        const struct history_row *row = &profiles->items[shown->item];
        char hash[20];

        table_add_row(table);
        set_text(table, 0, history_profiles_text(profiles, row->name));
        set_text(table, 1, history_profiles_text(profiles, row->model));
        set_text(table, 2, history_profiles_text(profiles, row->device));
        set_text(table, 3, shown->labels);
        table_set_integer(table, 4, (int64_t)shown->launches);
        set_mean(table, 5, &shown->mean);
        table_set_integer(table, 6, row->size);
        snprintf(hash, sizeof hash, "%016llx", (unsigned long long)row->id);
        table_set_text(table, 7, hash);
    }
    return add_table(job, table, STATUS_OK);
}

static status add_operators(struct job *job, const struct showing *showing)
{
    static const struct table_column columns[] = {
        { .name = "operator", .title = "Operator", .type = CELL_TEXT, .description = "of the model" },
        { .name = "own", .title = "Time", .type = CELL_DURATION, .description = "of a run, mean over launches" },
        { .name = "device", .title = "Device", .type = CELL_DURATION, .description = "the same, of devices" },
        { .name = NULL },
    };
    struct table *table = new_table("operators", "Operators", columns);

    if (!table)
        return status_no_memory("showing a build");
    for (size_t i = 0; i < showing->taken_count && i < OPERATORS_SHOWN; i++) {
        const struct taken *taken = &showing->taken[i];

        table_add_row(table);
        set_text(table, 0, history_profiles_text(&showing->profiles, taken->name));
        if (!showing->launches)
            continue;
        table_set_integer(table, 1, llround((double)taken->own / (double)showing->launches));
        table_set_integer(table, 2, llround((double)taken->device / (double)showing->launches));
    }
    return add_table(job, table, STATUS_OK);
}

static status add_sentences(struct job *job, const struct showing *showing)
{
    static const struct table_column columns[] = {
        { .name = "profile", .title = "Profile", .type = CELL_TEXT, .description = "it is about" },
        { .name = "kind", .title = "", .type = CELL_TEXT, .description = "failure, note or advice" },
        { .name = "sentence", .title = "What is to be known", .type = CELL_TEXT, .description = "in words" },
        { .name = NULL },
    };
    const struct history_profiles *profiles = &showing->profiles;
    struct table *table = new_table("sentences", "Notes", columns);

    if (!table)
        return status_no_memory("showing a build");
    for (size_t i = 0; i < showing->sentence_count; i++) {
        const struct sentence *sentence = &showing->sentences[i];

        table_add_row(table);
        set_text(table, 0, history_profiles_text(profiles, profiles->items[sentence->profile].name));
        set_text(table, 1, sentence->kind);
        set_text(table, 2, sentence->words);
    }
    return add_table(job, table, STATUS_OK);
}

static status show_build(struct job *job, const struct history *history, const struct history_choice *choice)
{
    struct showing showing = { 0 };
    status code = history_profiles_read(history, choice, &showing.profiles);

    number_map_start(&showing.places);
    if (code == STATUS_OK && !showing.profiles.count)
        code = status_fail(STATUS_INPUT, "no build is called \"%s\"; tacho history list lists them", choice->builds[0]);
    if (code == STATUS_OK)
        code = read_shown(history, &showing);
    if (code == STATUS_OK) {
        order_shown(&showing);
        code = add_profiles(job, &showing);
    }
    if (code == STATUS_OK)
        code = add_operators(job, &showing);
    if (code == STATUS_OK)
        code = add_sentences(job, &showing);
    number_map_free(&showing.places);
    memory_free(showing.shown);
    memory_free(showing.sentences);
    memory_free(showing.taken);
    arena_free(&showing.arena);
    history_profiles_free(&showing.profiles);
    return code;
}

status history_show(struct job *job, const struct texts *inputs)
{
    const struct history_settings *settings = job->settings;
    const char *build = inputs->count ? inputs->items[0] : settings->build;
    const struct history_choice choice = { .model = settings->model, .builds = &build, .build_count = 1 };
    struct history history = { 0 };
    status code =
        build ? history_open(settings, false, &history) : status_fail(STATUS_USAGE, "tacho history show wants a build");

    if (code == STATUS_OK)
        code = show_build(job, &history, &choice);
    history_close(&history);
    return code;
}
