/* history_list.c: tacho history list: which builds there are, and what profiles are labelled with. */
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

enum { LABEL = 512, LABELS_SHOWN = 500 };

/* ---- builds ---------------------------------------------------------------------------------------------------------------------- */

/* Profiles of one model, device and build. */
struct group {
    string_id model, device, build, commit;    /* the greatest commit of them */
    size_t profiles, launches;                 /* that there are */
    size_t failed;                             /* launches that failed */
    struct history_medians medians;            /* of the launches */
    struct history_medians on_device, on_host; /* time of a run in which these work, in ms as all of these */
    struct history_medians idle;               /* in which nothing does */
    int64_t operators;                         /* the most that a launch has */
    int64_t added, last;                       /* the first and the last of them, ns since 1970 */
    int64_t bytes;                             /* of all of them */
    struct history_standing standing;          /* of the build */
};

struct listing {
    struct history_profiles profiles; /* that were asked for */
    size_t cursor;                    /* profile that a launch is of */
    struct number_map map;            /* by model, device and build: a group */
    struct group *groups;             /* owned */
    size_t count, capacity;           /* of groups */
    uint32_t *group_of;               /* by profile; owned */
    bool told;                        /* of some build there is something to say */
    char *room;                       /* for a text that is made when it is asked for: FORMAT_SIZE; borrowed */
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
        listing->groups[*at] =
            (struct group){ row->model, row->device, row->build, row->commit, .added = row->added, .last = row->added };
    }
    listing->group_of[index] = *at;
    group = &listing->groups[*at];
    group->profiles++;
    group->bytes = number_add(group->bytes, row->size);
    group->added = row->added < group->added ? row->added : group->added;
    group->last = row->added > group->last ? row->added : group->last;
    if (strcmp(history_profiles_text(&listing->profiles, row->commit),
               history_profiles_text(&listing->profiles, group->commit)) > 0)
        group->commit = row->commit;
    return STATUS_OK;
}

static status take_launch(void *context, const struct history_value *values)
{
    struct listing *listing = context;
    size_t at = history_profiles_find(&listing->profiles, history_integer_at(&values[0]), &listing->cursor);
    struct group *group;

    if (at == SIZE_MAX)
        return STATUS_OK;
    group = &listing->groups[listing->group_of[at]];
    group->launches++;
    history_medians_add(&group->medians, history_decimal_at(&values[3]));
    history_medians_add(&group->on_device, history_decimal_at(&values[5]) / 1e6);
    history_medians_add(&group->on_host, history_decimal_at(&values[6]) / 1e6);
    history_medians_add(&group->idle, history_decimal_at(&values[7]) / 1e6);
    if (history_integer_at(&values[11]) > group->operators)
        group->operators = history_integer_at(&values[11]);
    return STATUS_OK;
}

static status take_failure(void *context, const struct history_value *values)
{
    struct listing *listing = context;
    size_t at = history_profiles_find(&listing->profiles, history_integer_at(&values[0]), &listing->cursor);

    if (at != SIZE_MAX)
        listing->groups[listing->group_of[at]].failed++;
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
    const struct history_request launches = history_profiles_request(&listing->profiles, TABLE_LAUNCH, NULL);
    const struct history_request failures = history_profiles_request(&listing->profiles, TABLE_NOTE, "failure");
    status code = STATUS_OK;

    listing->group_of = memory_allocate((listing->profiles.count + 1) * sizeof *listing->group_of);
    if (!listing->group_of)
        return status_no_memory("listing");
    for (size_t i = 0; i < listing->profiles.count && code == STATUS_OK; i++)
        code = add_to_group(listing, i);
    if (code == STATUS_OK)
        code = history->calls->read(history->self, &launches, take_launch, listing);
    listing->cursor = 0;
    if (code == STATUS_OK)
        code = history->calls->read(history->self, &failures, take_failure, listing);
    if (code == STATUS_OK)
        code = take_standings(history, listing);
    if (code == STATUS_OK && listing->count)
        qsort_r(listing->groups, listing->count, sizeof *listing->groups, by_model, listing);
    return code;
}

/* ---- fields of builds ------------------------------------------------------------------------------------------------------------ */

static const struct group *group_at(const void *context, size_t row)
{
    return &((const struct listing *)context)->groups[row];
}

static struct table_cell text_of_listing(const void *context, string_id id)
{
    return history_cell_text(history_profiles_text(&((const struct listing *)context)->profiles, id));
}

static struct table_cell date_of_listing(const void *context, int64_t ns)
{
    const struct listing *listing = context;

    return cell_text(format_date(listing->room, ns) ? listing->room : NULL);
}

static struct table_cell get_model(const void *context, size_t row)
{
    return text_of_listing(context, group_at(context, row)->model);
}

static struct table_cell get_build(const void *context, size_t row)
{
    return text_of_listing(context, group_at(context, row)->build);
}

static struct table_cell get_device(const void *context, size_t row)
{
    return text_of_listing(context, group_at(context, row)->device);
}

static struct table_cell get_commit(const void *context, size_t row)
{
    return text_of_listing(context, group_at(context, row)->commit);
}

static struct table_cell get_profiles(const void *context, size_t row)
{
    return cell_integer((int64_t)group_at(context, row)->profiles);
}

static struct table_cell get_launches(const void *context, size_t row)
{
    return cell_integer((int64_t)group_at(context, row)->launches);
}

static struct table_cell get_median(const void *context, size_t row)
{
    return history_medians_mean(&group_at(context, row)->medians);
}

static struct table_cell get_least(const void *context, size_t row)
{
    return history_medians_least(&group_at(context, row)->medians);
}

static struct table_cell get_most(const void *context, size_t row)
{
    return history_medians_most(&group_at(context, row)->medians);
}

static struct table_cell get_added(const void *context, size_t row)
{
    return date_of_listing(context, group_at(context, row)->added);
}

static struct table_cell get_last(const void *context, size_t row)
{
    return date_of_listing(context, group_at(context, row)->last);
}

static struct table_cell get_size(const void *context, size_t row)
{
    return cell_integer(group_at(context, row)->bytes);
}

static struct table_cell get_failed(const void *context, size_t row)
{
    return cell_integer((int64_t)group_at(context, row)->failed);
}

static struct table_cell get_device_time(const void *context, size_t row)
{
    return history_medians_mean(&group_at(context, row)->on_device);
}

static struct table_cell get_host_time(const void *context, size_t row)
{
    return history_medians_mean(&group_at(context, row)->on_host);
}

static struct table_cell get_idle_time(const void *context, size_t row)
{
    return history_medians_mean(&group_at(context, row)->idle);
}

static struct table_cell get_operators(const void *context, size_t row)
{
    const struct group *group = group_at(context, row);

    return group->launches ? cell_integer(group->operators) : cell_null();
}

static struct table_cell get_state(const void *context, size_t row)
{
    return history_cell_text(history_standing_word(group_at(context, row)->standing));
}

static const struct field build_fields[] = {
    { .key = "model", .title = "Model", .type = CELL_TEXT, .description = "What was measured.", .get = get_model },
    { .key = "build", .title = "Build", .type = CELL_TEXT, .description = "Build of it.", .get = get_build },
    { .key = "device", .title = "Device", .type = CELL_TEXT, .description = "What it ran on.", .get = get_device },
    { .key = "profiles",
      .title = "Profiles",
      .type = CELL_INTEGER,
      .description = "Of the build.",
      .get = get_profiles },
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
    { .key = "commit",
      .title = "Commit",
      .type = CELL_TEXT,
      .description = "Of the build.",
      .get = get_commit,
      .optional = true },
    { .key = "added",
      .title = "Added",
      .type = CELL_TEXT,
      .description = "When the first of its profiles was added, in UTC.",
      .get = get_added,
      .optional = true },
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
    { .key = "last",
      .title = "Last added",
      .type = CELL_TEXT,
      .description = "When the last of its profiles was added, in UTC.",
      .get = get_last },
    { .key = "size",
      .title = "Size",
      .unit = "B",
      .type = CELL_BYTES,
      .description = "Of its profiles, together.",
      .get = get_size },
    { .key = "state",
      .title = "State",
      .type = CELL_TEXT,
      .description = "Failed, or marked good or bad.",
      .get = get_state },
    { .key = "failed",
      .title = "Failed",
      .type = CELL_INTEGER,
      .description = "Launches that have no time, since they failed.",
      .get = get_failed },
    { .key = "device_time",
      .title = "Device",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "Of a run, in which devices work; the mean of the launches.",
      .get = get_device_time },
    { .key = "host_time",
      .title = "Host",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "Of a run, in which the host works; the mean of the launches.",
      .get = get_host_time },
    { .key = "idle_time",
      .title = "Idle",
      .unit = "ns",
      .type = CELL_DURATION,
      .description = "Of a run, in which nothing works; the mean of the launches.",
      .get = get_idle_time },
    { .key = "operators",
      .title = "Operators",
      .type = CELL_INTEGER,
      .description = "How many there are; of launches that differ the most.",
      .get = get_operators },
    { .key = NULL },
};
static const struct field_set builds_set = { "build", build_fields };
static const struct field_set *const build_sets[] = { &builds_set, NULL };

static const char *const build_keys[] = { "model",  "build",  "device", "profiles", "launches",
                                          "median", "commit", "added",  "state",    NULL };
/* People get no column in which nothing stands. */
static const char *const stateless_keys[] = { "model",  "build",  "device", "profiles", "launches",
                                              "median", "commit", "added",  NULL };
static const char *const spread_keys[] = { "model", "build", "device", "launches", "median", "least", "most", NULL };
static const char *const number_keys[] = { "model",  "build",       "device",    "launches",  "failed",
                                           "median", "device_time", "host_time", "idle_time", "operators",
                                           "commit", "added",       "state",     NULL };
static const struct view builds_view = { .name = "builds", .title = "Builds", .keys = build_keys };
static const struct view spread_view = { .name = "spread", .table = "builds", .title = "Builds", .keys = spread_keys };
static const struct view numbers_view = {
    .name = "numbers", .table = "builds", .title = "Builds", .keys = number_keys
};
static const struct view stateless_view = { .name = "builds", .title = "Builds", .keys = stateless_keys };
static const struct view *const build_views[] = { &builds_view, &spread_view, &numbers_view, NULL };
static const struct view *const stateless_views[] = { &stateless_view, &spread_view, &numbers_view, NULL };

/* ---- labels ---------------------------------------------------------------------------------------------------------------------- */

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
    char text[LABEL];
    uint32_t *place;
    string_id id;
    status code;

    if (history_profiles_find(labels->profiles, history_integer_at(&values[0]), &labels->cursor) == SIZE_MAX)
        return STATUS_OK;
    snprintf(text, sizeof text, "%.*s=%.*s", (int)(name.length < LABEL ? name.length : LABEL), name.data,
             (int)(value.length < LABEL ? value.length : LABEL), value.data);
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

static const struct label *label_at(const void *context, size_t row)
{
    return &((const struct labels *)context)->items[row];
}

static struct table_cell get_label(const void *context, size_t row)
{
    return cell_text(history_profiles_text(((const struct labels *)context)->profiles, label_at(context, row)->text));
}

static struct table_cell get_labelled(const void *context, size_t row)
{
    return cell_integer((int64_t)label_at(context, row)->count);
}

static const struct field label_fields[] = {
    { .key = "label",
      .title = "Label",
      .type = CELL_TEXT,
      .description = "KEY=VALUE; the most frequent come first.",
      .get = get_label },
    { .key = "profiles",
      .title = "Profiles",
      .type = CELL_INTEGER,
      .description = "Profiles that have it.",
      .get = get_labelled },
    { .key = NULL },
};
static const struct field_set labels_set = { "label", label_fields };
static const struct field_set *const label_sets[] = { &labels_set, NULL };
static const struct view labels_view = { .name = "labels", .title = "Labels" };
static const struct view *const label_views[] = { &labels_view, NULL };

static status read_labels(const struct history *history, struct labels *labels)
{
    const struct history_request request = history_profiles_request(labels->profiles, TABLE_LABEL, NULL);
    status code = history->calls->read(history->self, &request, take_listed_label, labels);

    if (code == STATUS_OK && labels->count)
        qsort_r(labels->items, labels->count, sizeof *labels->items, by_frequency, labels);
    return code;
}

static status add_labels(struct job *job, const struct history *history, struct history_profiles *profiles)
{
    struct labels labels = { .profiles = profiles };
    status code = STATUS_OK;

    number_map_start(&labels.map);
    if (history->calls)
        code = read_labels(history, &labels);
    if (code == STATUS_OK)
        code = history_add_view(job,
                                &(struct rows){ .entity = "label",
                                                .sets = label_sets,
                                                .context = &labels,
                                                .count = labels.count < LABELS_SHOWN ? labels.count : LABELS_SHOWN },
                                label_views);
    number_map_free(&labels.map);
    memory_free(labels.items);
    return code;
}

/* ---- the verb -------------------------------------------------------------------------------------------------------------------- */

static status read_builds(const struct history *history, const struct history_choice *choice, struct listing *listing)
{
    status code = history_profiles_read(history, choice, &listing->profiles);

    return code == STATUS_OK ? group_profiles(history, listing) : code;
}

/* Labels are for who chooses among profiles: a program, as people know theirs. */
static status add_lists(struct job *job, const struct history *history, struct listing *listing)
{
    const struct history_settings *settings = job->settings;
    bool told = listing->told || job->json || job->output || view_asks_help(&job->view);
    status code = STATUS_OK;

    if (history_wants(job, "builds", "builds"))
        code = history_add_view(
            job, &(struct rows){ .entity = "build", .sets = build_sets, .context = listing, .count = listing->count },
            told ? build_views : stateless_views);
    if (code == STATUS_OK && (job->json || settings->table) && history_wants(job, "labels", "builds"))
        code = add_labels(job, history, &listing->profiles);
    return code;
}

/* Of all that is there, or of a model and a device. */
status history_list(struct job *job, const struct texts *inputs)
{
    static const char *const tables[] = { "builds", "labels", NULL };
    const struct history_settings *settings = job->settings;
    const struct history_choice choice = { .model = inputs->count ? inputs->items[0] : settings->model,
                                           .device = settings->device,
                                           .labels = settings->labels };
    char room[FORMAT_SIZE];
    struct listing listing = { .room = room };
    struct history history = { 0 };
    status code = history_check_table(job, tables);

    number_map_start(&listing.map);
    if (code == STATUS_OK && !view_asks_help(&job->view)) {
        code = history_open(settings, false, &history);
        if (code == STATUS_OK)
            code = read_builds(&history, &choice, &listing);
    }
    if (code == STATUS_OK)
        code = add_lists(job, &history, &listing);
    number_map_free(&listing.map);
    memory_free(listing.groups);
    memory_free(listing.group_of);
    history_profiles_free(&listing.profiles);
    history_close(&history);
    return code;
}
