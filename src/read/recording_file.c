/* recording_file.c: finds heads and chunks, and reads chunks one at a time. */
#include "read/recording_file.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/path.h"

static const char suffix[] = ".tacho";

static bool is_recording_name(const char *name)
{
    return text_ends(path_unpacked(name), suffix);
}

bool recording_in_folder(const char *path)
{
    struct folder_names names;
    bool found = false;

    if (folder_list(path, &names) != STATUS_OK)
        status_clear();
    for (size_t i = 0; i < names.count && !found; i++)
        found = is_recording_name(names.names[i]);
    folder_free(&names);
    return found;
}

/* ---- Files -------------------------------------------------------------------------------------------------------- */

/* The input that a file is read through; one of a folder is open at a time. */
static status open_file(struct recording_files *files, size_t file, struct input **input)
{
    struct path path = { .text = NULL };
    status code = STATUS_OK;

    assert(file < files->file_count);
    if (files->source->input) {
        *input = files->source->input;
        return STATUS_OK;
    }
    if (!files->opened || files->open != file) {
        input_close(files->opened);
        files->opened = NULL;
        files->open = file;
        path_set(&path, "%s", files->source->path);
        code = path_add(&path, files->names.names[file]);
        if (code == STATUS_OK)
            code = input_open(path.text, &files->opened);
        path_free(&path);
    }
    *input = files->opened;
    return code;
}

static status read_at(struct recording_files *files, size_t file, uint64_t offset, void *buffer, size_t size,
                      size_t *got)
{
    struct input *input;
    status code = open_file(files, file, &input);

    *got = 0;
    if (code == STATUS_OK)
        code = input_read_at(input, offset, buffer, size, got);
    if (code == STATUS_OK && input_is_damaged(input))
        files->damaged = true;
    return code;
}

/* The same of a process, whose ring may be a copy by now. */
static status read_process(struct recording_files *files, const struct recording_process *process, uint64_t offset,
                           void *buffer, size_t size, size_t *got)
{
    uint64_t at = offset - RECORDING_CHUNK;

    if (offset < RECORDING_CHUNK || at >= process->ring_bytes)
        return read_at(files, process->file, process->offset + offset, buffer, size, got);
    *got = process->ring_bytes - at < size ? (size_t)(process->ring_bytes - at) : size;
    memcpy(buffer, process->ring + at, *got);
    return STATUS_OK;
}

/* ---- Heads -------------------------------------------------------------------------------------------------------- */

static status refuse(const struct recording_files *files, size_t file, const char *why)
{
    const struct source *source = files->source;
    const char *name = source->input ? input_name(source->input) : files->names.names[file];

    return status_fail_at(STATUS_INPUT, (struct place){ .file = name }, "%s", why);
}

static status check_head(const struct recording_files *files, size_t file, const struct recording_head *head,
                         size_t got)
{
    if (got < sizeof *head)
        return refuse(files, file, "a recording that is cut off in its head: nothing of it can be used");
    if (head->version > RECORDING_VERSION || !head->version)
        return refuse(files, file, "a recording of a later version of Tacho: this one cannot read it");
    if (head->chunk_size != RECORDING_CHUNK)
        return refuse(files, file, "a recording with chunks of a size that there is none of: its head is damaged");
    if (head->clock != RECORDING_MONOTONIC && head->clock != RECORDING_COUNTER)
        return refuse(files, file, "a recording with a clock that is not known: its head is damaged");
    return STATUS_OK;
}

/* A ring that may still turn is copied at once, as far as that is not too much. */
static status copy_ring(struct recording_files *files, struct recording_process *process)
{
    enum { MOST_COPIED = 4096 }; /* chunks */
    uint32_t count = process->head->ring_count;
    size_t got = RECORDING_CHUNK;
    status code = STATUS_OK;

    if (process->head->state != RECORDING_OPEN || process->head->ring_first != 1 || count > MOST_COPIED)
        return STATUS_OK;
    for (uint32_t i = 0; i < count && got == RECORDING_CHUNK && code == STATUS_OK; i++) {
        code = memory_grow(&process->ring, &process->ring_capacity, process->ring_bytes + RECORDING_CHUNK, 1);
        if (code == STATUS_OK)
            code = read_at(files, process->file, process->offset + RECORDING_CHUNK + process->ring_bytes,
                           process->ring + process->ring_bytes, RECORDING_CHUNK, &got);
        process->ring_bytes += code == STATUS_OK ? got : 0;
    }
    return code;
}

static status add_process(struct recording_files *files, size_t file, uint64_t offset)
{
    struct recording_process *process;
    size_t got;
    status code = memory_grow(&files->processes, &files->capacity, files->count + 1, sizeof *files->processes);

    if (code != STATUS_OK)
        return code;
    process = &files->processes[files->count++];
    *process = (struct recording_process){ .file = file, .offset = offset, .there = 1 };
    process->head = memory_allocate_clear(sizeof *process->head);
    if (!process->head)
        return status_no_memory("reading a recording");
    code = read_at(files, file, offset, process->head, sizeof *process->head, &got);
    if (code == STATUS_OK)
        code = check_head(files, file, process->head, got);
    process->head->program[sizeof process->head->program - 1] = '\0';
    process->head->command[sizeof process->head->command - 1] = '\0';
    if (process->head->ties > RECORDING_TIES)
        process->head->ties = RECORDING_TIES;
    if (process->head->threads > RECORDING_THREADS)
        process->head->threads = RECORDING_THREADS;
    return code == STATUS_OK ? copy_ring(files, process) : code;
}

/* ---- Chunks ------------------------------------------------------------------------------------------------------- */

static status add_spot(struct recording_process *process, const struct recording_chunk *chunk, uint32_t index)
{
    status code = memory_grow(&process->spots, &process->capacity, process->count + 1, sizeof *process->spots);

    if (code == STATUS_OK)
        process->spots[process->count++] = (struct recording_spot){
            .sequence = chunk->sequence, .lap = chunk->lap, .index = index, .kind = chunk->kind
        };
    return code;
}

/* What begins at each multiple of a chunk's size: a head, a chunk, or nothing. */
static status scan_file(struct recording_files *files, size_t file)
{
    size_t first = files->count;
    status code = STATUS_OK;

    for (uint64_t offset = 0; code == STATUS_OK; offset += RECORDING_CHUNK) {
        struct recording_chunk chunk = { 0 };
        struct recording_process *process;
        size_t got;

        code = read_at(files, file, offset, &chunk, sizeof chunk, &got);
        if (code != STATUS_OK || !got)
            break;
        if (memcmp(&chunk, RECORDING_MAGIC, 8) == 0) {
            code = add_process(files, file, offset);
            continue;
        }
        if (files->count == first)
            return refuse(files, file, "is no recording: it does not begin with a head");
        process = &files->processes[files->count - 1];
        process->there++;
        code = read_process(files, process, offset - process->offset, &chunk, sizeof chunk, &got);
        if (code == STATUS_OK && chunk.magic == RECORDING_CHUNK_MAGIC)
            code = add_spot(process, &chunk, (uint32_t)((offset - process->offset) / RECORDING_CHUNK));
        else
            files->other_chunks += chunk.magic != 0;
    }
    return code;
}

static int by_sequence(const void *left, const void *right)
{
    const struct recording_spot *a = left, *b = right;

    if (a->sequence != b->sequence)
        return a->sequence < b->sequence ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static int by_launch(const void *left, const void *right)
{
    const struct recording_process *a = left, *b = right;

    if (a->head->launch != b->head->launch)
        return a->head->launch < b->head->launch ? -1 : 1;
    if (a->head->start_monotonic != b->head->start_monotonic)
        return a->head->start_monotonic < b->head->start_monotonic ? -1 : 1;
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    return (a->offset > b->offset) - (a->offset < b->offset);
}

/* Of a folder, those that are recordings, by name. */
static status list_files(struct recording_files *files)
{
    size_t kept = 0;
    status code;

    if (files->source->input) {
        files->file_count = 1;
        return STATUS_OK;
    }
    code = folder_list(files->source->path, &files->names);
    for (size_t i = 0; i < files->names.count; i++)
        if (is_recording_name(files->names.names[i]))
            files->names.names[kept++] = files->names.names[i];
    files->names.count = files->file_count = kept;
    return code;
}

status recording_files_open(struct recording_files *files, struct source *source)
{
    status code;

    *files = (struct recording_files){ .source = source, .names = { .arena = ARENA_EMPTY } };
    code = list_files(files);
    for (size_t i = 0; i < files->file_count && code == STATUS_OK; i++)
        code = scan_file(files, i);
    if (code == STATUS_OK && !files->count)
        code = status_fail_at(STATUS_INPUT, (struct place){ .file = source->path }, "there is no recording in it");
    if (code != STATUS_OK)
        return code;
    qsort(files->processes, files->count, sizeof *files->processes, by_launch);
    for (size_t i = 0; i < files->count; i++)
        if (files->processes[i].count)
            qsort(files->processes[i].spots, files->processes[i].count, sizeof *files->processes[i].spots, by_sequence);
    return STATUS_OK;
}

void recording_files_free(struct recording_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        memory_free(files->processes[i].head);
        memory_free(files->processes[i].spots);
        memory_free(files->processes[i].ring);
    }
    memory_free(files->processes);
    input_close(files->opened);
    folder_free(&files->names);
    *files = (struct recording_files){ .names = { .arena = ARENA_EMPTY } };
}

/* ---- One chunk ---------------------------------------------------------------------------------------------------- */

static bool makes_sense(const struct recording_chunk *chunk, const struct recording_spot *spot)
{
    return chunk->index == spot->index && (chunk->kind == CHUNK_EVENTS || chunk->kind == CHUNK_NAMES) &&
           chunk->state <= CHUNK_SEALED && chunk->lap && recording_tag_lap(chunk->lap) == chunk->lap;
}

static enum chunk_verdict judge(const struct recording_chunk *chunk, struct recording_spot *spot,
                                const struct chunk_buffer *buffer, uint32_t present, uint32_t *count)
{
    enum { MOST = (RECORDING_CHUNK - RECORDING_CHUNK_HEAD) / RECORDING_SLOT };
    bool counted = chunk->state == CHUNK_SEALED || chunk->state == CHUNK_LEFT;
    uint32_t used = counted ? chunk->used : RECORDING_CHUNK;

    *count = 0;
    if (chunk->magic != RECORDING_CHUNK_MAGIC || chunk->sequence != spot->sequence || chunk->lap != spot->lap)
        return CHUNK_REUSED;
    if (!makes_sense(chunk, spot) || used < RECORDING_CHUNK_HEAD || used > RECORDING_CHUNK || used % RECORDING_SLOT)
        return CHUNK_DAMAGED;
    *count = (used - RECORDING_CHUNK_HEAD) / RECORDING_SLOT;
    if (*count > present) {
        *count = present;
        return CHUNK_CUT;
    }
    if (present < MOST && !counted)
        return CHUNK_CUT;
    if (chunk->state == CHUNK_SEALED && !spot->checked)
        spot->checked = recording_checksum(buffer->words + RECORDING_CHUNK_HEAD / 8, *count) == chunk->checksum;
    return chunk->state == CHUNK_SEALED && !spot->checked ? CHUNK_DAMAGED : CHUNK_FINE;
}

/* A chunk that is being filled is the same each time that it is read. */
static uint32_t settled(struct recording_spot *spot, const struct chunk_view *view)
{
    uint32_t count = view->count;

    while (count && recording_tag_lap(view->slots[2 * (size_t)count - 1]) != view->lap)
        count--;
    if (!spot->seen)
        spot->seen = count + 1;
    return count < spot->seen ? count : spot->seen - 1;
}

status recording_load(struct recording_files *files, const struct recording_process *process,
                      struct recording_spot *spot, struct chunk_buffer *buffer, struct chunk_view *view)
{
    struct recording_chunk chunk;
    size_t got;
    status code = read_process(files, process, (uint64_t)spot->index * RECORDING_CHUNK, buffer, sizeof *buffer, &got);

    assert(spot->index && "chunk 0 is the head");
    *view = (struct chunk_view){ .verdict = CHUNK_CUT };
    if (code != STATUS_OK || got < RECORDING_CHUNK_HEAD)
        return code;
    memcpy(&chunk, buffer, sizeof chunk);
    view->slots = buffer->words + RECORDING_CHUNK_HEAD / 8;
    view->thread = chunk.thread;
    view->lap = chunk.lap;
    view->verdict =
        judge(&chunk, spot, buffer, (uint32_t)((got - RECORDING_CHUNK_HEAD) / RECORDING_SLOT), &view->count);
    view->count = view->verdict == CHUNK_DAMAGED || view->verdict == CHUNK_REUSED ? 0 : settled(spot, view);
    return STATUS_OK;
}
