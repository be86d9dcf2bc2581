/* record_join.c: recordings of several processes as one file. */
#include "job/record_join.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/folder.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/path.h"
#include "record/format.h"

/* A recording in the folder. */
struct part {
    struct path path;           /* of its file; owned */
    struct recording_head head; /* as it will be written */
};

static int compare_parts(const void *one, const void *other)
{
    const struct recording_head *a = &((const struct part *)one)->head, *b = &((const struct part *)other)->head;

    if (a->launch != b->launch)
        return a->launch < b->launch ? -1 : 1;
    if (a->root != b->root)
        return a->root ? -1 : 1;
    return a->start_monotonic < b->start_monotonic ? -1 : a->start_monotonic > b->start_monotonic;
}

/* The head of a file; `*is_one` where that is a recording that holds something. */
static status read_head(const char *path, struct recording_head *head, bool *is_one)
{
    struct input *input;
    size_t have = 0, got = 1;
    status code = input_open(path, &input);

    *is_one = false;
    if (code != STATUS_OK)
        return code;
    while (have < sizeof *head && got && code == STATUS_OK) {
        code = input_read(input, (char *)head + have, sizeof *head - have, &got);
        have += got;
    }
    input_close(input);
    *is_one = code == STATUS_OK && have == sizeof *head &&
              memcmp(head->magic, RECORDING_MAGIC, sizeof head->magic) == 0 && head->version == RECORDING_VERSION &&
              head->chunk_size == RECORDING_CHUNK && head->chunks;
    return code;
}

/* What the one who waited for the launch knows. */
static void fill_outcome(struct recording_head *head, const struct foreground_result *launches, size_t count)
{
    const struct foreground_result *launch;

    if (head->launch >= count)
        return;
    launch = &launches[head->launch];
    head->root = head->pid == (uint32_t)launch->pid;
    if (!head->root)
        return;
    head->outcome = launch->signal ? OUTCOME_KILLED : OUTCOME_EXITED;
    head->outcome_code = (uint32_t)(launch->signal ? launch->signal : launch->exit_status);
    head->wall = launch->wall_ns;
    head->cpu_user = launch->user_ns;
    head->cpu_system = launch->system_ns;
    head->peak_memory = launch->peak;
}

/* The next chunk of a file; what is missing at its end is zeros. `*got` is 0 at the end. */
static status read_chunk(struct input *input, char *chunk, size_t *got)
{
    size_t more = 1;
    status code = STATUS_OK;

    for (*got = 0; *got < RECORDING_CHUNK && more && code == STATUS_OK; *got += more)
        code = input_read(input, chunk + *got, RECORDING_CHUNK - *got, &more);
    assert(*got <= RECORDING_CHUNK);
    if (*got < RECORDING_CHUNK)
        memset(chunk + *got, 0, RECORDING_CHUNK - *got);
    return code;
}

static bool has_events(const char *chunk)
{
    struct recording_chunk head;
    uint64_t first[2];

    memcpy(&head, chunk, sizeof head);
    memcpy(first, chunk + sizeof head, sizeof first);
    return head.magic == RECORDING_CHUNK_MAGIC && head.kind == CHUNK_EVENTS && first[1];
}

/* Chunk 0 with the new head, then the others as far as they were handed out. */
static status copy_part(const struct part *part, struct output *output, uint64_t *events)
{
    struct input *input = NULL;
    size_t got = 1;
    char *chunk = memory_allocate(RECORDING_CHUNK);
    status code = chunk ? input_open(part->path.text, &input) : status_no_memory("joining recordings");

    for (uint32_t i = 0; i < part->head.chunks && got && code == STATUS_OK; i++) {
        code = read_chunk(input, chunk, &got);
        if (code != STATUS_OK || !got)
            break;
        if (i == 0)
            memcpy(chunk, &part->head, sizeof part->head);
        else if (has_events(chunk))
            ++*events;
        code = output_write_long(output, chunk, RECORDING_CHUNK);
    }
    input_close(input);
    memory_free(chunk);
    return code;
}

static status find_parts(const char *folder, const struct foreground_result *launches, size_t count,
                         struct part **parts, size_t *part_count)
{
    struct folder_names names = { 0 };
    status code = folder_list(folder, &names);
    size_t capacity = 0;

    for (size_t i = 0; i < names.count && code == STATUS_OK; i++) {
        struct part part = { 0 };
        bool is_one = false;

        code = path_set(&part.path, "%s/%s", folder, names.names[i]);
        if (code == STATUS_OK && path_is_file(part.path.text))
            code = read_head(part.path.text, &part.head, &is_one);
        if (code == STATUS_OK && is_one)
            code = memory_grow(parts, &capacity, *part_count + 1, sizeof **parts);
        if (code != STATUS_OK || !is_one) {
            path_free(&part.path);
            continue;
        }
        fill_outcome(&part.head, launches, count);
        (*parts)[(*part_count)++] = part;
    }
    folder_free(&names);
    return code;
}

status record_join(const char *folder, const struct foreground_result *launches, size_t count, struct output *output,
                   struct join_result *result)
{
    struct part *parts = NULL;
    size_t part_count = 0;
    status code = find_parts(folder, launches, count, &parts, &part_count);

    assert(output && result);
    *result = (struct join_result){ 0 };
    if (code == STATUS_OK && part_count)
        qsort(parts, part_count, sizeof *parts, compare_parts);
    for (size_t i = 0; i < part_count && code == STATUS_OK; i++) {
        code = copy_part(&parts[i], output, &result->events);
        result->processes++;
        result->threads += parts[i].head.threads;
    }
    result->bytes = output_written(output);
    for (size_t i = 0; i < part_count; i++)
        path_free(&parts[i].path);
    memory_free(parts);
    return code;
}
