/* history_candidate.c: a candidate is read into a history of its own, in memory, and taken apart by devices and labels. */
#include "history/history_candidate.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

enum { SEPARATOR = '\x1F' }; /* between labels, of which any may have lines */

void candidate_free(struct candidate *candidate)
{
    for (size_t i = 0; i < candidate->profiles.count && candidate->keys; i++)
        memory_free(candidate->keys[i]);
    for (size_t i = 0; i < candidate->count; i++) {
        memory_free(candidate->parts[i].key);
        texts_free(&candidate->parts[i].labels);
    }
    memory_free(candidate->keys);
    memory_free(candidate->failures);
    memory_free(candidate->parts);
    history_profiles_free(&candidate->profiles);
    history_close(&candidate->history);
}

/* Labels of a profile come by name. */
static status take_label(void *context, const struct history_value *values)
{
    struct candidate *candidate = context;
    size_t at = history_profiles_find(&candidate->profiles, history_integer_at(&values[0]), &candidate->cursor);
    struct text name = history_text_at(&values[1]), value = history_text_at(&values[2]);
    size_t length, size;
    char *grown;

    if (at == SIZE_MAX)
        return STATUS_OK;
    length = strlen(candidate->keys[at]);
    size = length + name.length + value.length + 3;
    grown = memory_resize(candidate->keys[at], size);
    if (!grown)
        return status_no_memory("judging");
    candidate->keys[at] = grown;
    snprintf(grown + length, size - length, "%c%.*s=%.*s", SEPARATOR, (int)name.length, name.data, (int)value.length,
             value.data);
    return STATUS_OK;
}

static status take_failure(void *context, const struct history_value *values)
{
    struct candidate *candidate = context;
    size_t at = history_profiles_find(&candidate->profiles, history_integer_at(&values[0]), &candidate->cursor);

    if (at != SIZE_MAX)
        candidate->failures[at]++;
    return STATUS_OK;
}

/* The key is cut into its parts. */
static status add_part(struct candidate *candidate, const char *key)
{
    struct part *part = &candidate->parts[candidate->count];
    char *copy = memory_copy_text(key), *end;
    status code = copy ? STATUS_OK : status_no_memory("judging");

    *part = (struct part){ .key = copy, .device = copy };
    candidate->count++;
    for (end = copy ? strchr(copy, SEPARATOR) : NULL; end && code == STATUS_OK; end = strchr(end + 1, SEPARATOR)) {
        *end = '\0';
        code = texts_add(&part->labels, end + 1);
    }
    return code;
}

/* By profile: what it is of, and what failed. */
static status describe_profiles(struct candidate *candidate)
{
    const struct history_request labels = { .table = TABLE_LABEL };
    const struct history_request failures = { .table = TABLE_NOTE, .name = "failure" };
    const struct history *history = &candidate->history;
    size_t count = candidate->profiles.count;
    status code;

    candidate->keys = memory_allocate_clear((count + 1) * sizeof *candidate->keys);
    candidate->failures = memory_allocate_clear((count + 1) * sizeof *candidate->failures);
    code = candidate->keys && candidate->failures ? STATUS_OK : status_no_memory("judging");
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        candidate->keys[i] =
            memory_copy_text(history_profiles_text(&candidate->profiles, candidate->profiles.items[i].device));
        code = candidate->keys[i] ? STATUS_OK : status_no_memory("judging");
    }
    if (code == STATUS_OK)
        code = history->calls->read(history->self, &labels, take_label, candidate);
    candidate->cursor = 0;
    return code == STATUS_OK ? history->calls->read(history->self, &failures, take_failure, candidate) : code;
}

/* In the order in which they were given. */
static status find_parts(struct candidate *candidate)
{
    size_t count = candidate->profiles.count, *part_of = memory_allocate((count + 1) * sizeof *part_of);
    status code = describe_profiles(candidate);

    candidate->parts = memory_allocate_clear((count + 1) * sizeof *candidate->parts);
    if (code == STATUS_OK && (!part_of || !candidate->parts))
        code = status_no_memory("judging");
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        size_t at = candidate->profiles.order[i];

        part_of[i] = candidate->count;
        for (size_t k = 0; k < i; k++)
            if (strcmp(candidate->keys[candidate->profiles.order[k]], candidate->keys[at]) == 0)
                part_of[i] = part_of[k];
        if (part_of[i] == candidate->count)
            code = add_part(candidate, candidate->keys[at]);
        candidate->parts[part_of[i]].failures += candidate->failures[at];
    }
    memory_free(part_of);
    return code;
}

status candidate_read(struct job *job, const struct texts *inputs, struct candidate *candidate)
{
    static const struct history_choice any = { 0 };
    struct history_adding adding = { .job = job, .choosing = true };
    status code = history_open_sqlite(":memory:", true, &candidate->history);

    adding.history = candidate->history;
    for (size_t i = 0; i < inputs->count && code == STATUS_OK; i++)
        code = history_add_input(&adding, inputs->items[i]);
    history_adding_free(&adding);
    if (code == STATUS_OK)
        code = history_profiles_read(&candidate->history, &any, &candidate->profiles);
    return code == STATUS_OK ? find_parts(candidate) : code;
}
