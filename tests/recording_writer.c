/* recording_writer.c: heads, chunks and slots of recordings, in memory. */
#include "recording_writer.h"

#include <stdlib.h>
#include <string.h>

enum { START = 1000 }; /* ns of CLOCK_MONOTONIC at which recordings start */

void recording_free(struct recording_writer *writer)
{
    free(writer->memory);
    *writer = (struct recording_writer){ 0 };
}

static bool grow(struct recording_writer *writer, size_t bytes)
{
    size_t wanted = writer->size + bytes;

    if (wanted > writer->capacity) {
        size_t capacity = wanted * 2;
        unsigned char *memory = realloc(writer->memory, capacity);

        if (!memory) {
            writer->failed = true;
            return false;
        }
        writer->memory = memory;
        writer->capacity = capacity;
    }
    memset(writer->memory + writer->size, 0, bytes);
    writer->size = wanted;
    return true;
}

struct recording_head *recording_head(struct recording_writer *writer)
{
    return (struct recording_head *)(void *)(writer->memory + writer->head);
}

struct recording_chunk *recording_chunk(struct recording_writer *writer, uint32_t index)
{
    return (struct recording_chunk *)(void *)(writer->memory + writer->head + (size_t)index * RECORDING_CHUNK);
}

void recording_begin_process(struct recording_writer *writer, uint32_t pid, uint32_t ring)
{
    struct recording_head *head;
    size_t at = writer->size;

    if (!grow(writer, (size_t)(ring + 1) * RECORDING_CHUNK))
        return;
    writer->head = at;
    writer->sequence = writer->sites = writer->names = writer->ring_next = 0;
    memset(writer->chunk, 0, sizeof writer->chunk);
    head = recording_head(writer);
    memcpy(head->magic, RECORDING_MAGIC, sizeof head->magic);
    head->version = RECORDING_VERSION;
    head->chunk_size = RECORDING_CHUNK;
    head->state = RECORDING_OPEN;
    head->clock = RECORDING_MONOTONIC;
    head->pid = pid;
    head->parent = 1;
    head->start_real = UINT64_C(1700000000000000000);
    head->start_monotonic = START;
    head->ring_first = ring ? 1 : 0;
    head->ring_count = ring;
    head->cap = 1 << 17;
    head->chunks = ring + 1;
    head->tie[0] = (struct recording_tie){ START, START, START };
    head->ties = 1;
    memcpy(head->program, "program", 8);
    memcpy(head->command, "program", 8);
}

/* 0: no memory. */
static uint32_t hand_out(struct recording_writer *writer, enum recording_chunk_kind kind, uint32_t thread)
{
    uint32_t ring = recording_head(writer)->ring_count;
    uint32_t index;
    struct recording_chunk *chunk;

    if (ring && kind == CHUNK_EVENTS) {
        do
            index = 1 + writer->ring_next++ % ring; /* more chunks than threads: some are not in use */
        while (recording_chunk(writer, index)->state == CHUNK_IN_USE);
    } else {
        index = (uint32_t)((writer->size - writer->head) / RECORDING_CHUNK);
        if (!grow(writer, RECORDING_CHUNK))
            return 0;
    }
    chunk = recording_chunk(writer, index);
    chunk->lap = ((chunk->lap >> 48) % 255 + 1) << 48;
    chunk->magic = RECORDING_CHUNK_MAGIC;
    chunk->state = CHUNK_IN_USE;
    chunk->sequence = ++writer->sequence;
    chunk->checksum = 0;
    chunk->index = index;
    chunk->kind = kind;
    chunk->thread = thread;
    chunk->used = 0;
    if (recording_head(writer)->chunks <= index)
        recording_head(writer)->chunks = index + 1;
    return index;
}

static size_t text_length(const struct written_record *record)
{
    return !record->text ? 0 : record->text_length ? record->text_length : strlen(record->text);
}

static uint32_t record_bytes(const struct written_record *record)
{
    size_t pieces = (text_length(record) + RECORDING_SLOT_TEXT - 1) / RECORDING_SLOT_TEXT;

    return (uint32_t)(1 + record->value_count + pieces) * RECORDING_SLOT;
}

static uint64_t *write_record(struct recording_chunk *chunk, uint32_t offset, const struct written_record *record)
{
    uint64_t *slot = (uint64_t *)(void *)((unsigned char *)chunk + offset), *first = slot;
    size_t length = text_length(record);

    *slot++ = record->word;
    *slot++ = recording_tag(record->kind, length, record->id) | chunk->lap;
    for (unsigned i = 0; i < record->value_count; i++) {
        *slot++ = record->values[i];
        *slot++ = recording_tag(RECORD_VALUE, 0, record->types[i]) | chunk->lap;
    }
    for (size_t at = 0; at < length; at += RECORDING_SLOT_TEXT) {
        uint64_t words[2] = { 0, 0 };

        memcpy(words, record->text + at, length - at < RECORDING_SLOT_TEXT ? length - at : RECORDING_SLOT_TEXT);
        *slot++ = words[0];
        *slot++ = words[1] | (uint64_t)RECORD_TEXT << 56 | chunk->lap;
    }
    return first;
}

void recording_seal(struct recording_writer *writer, uint32_t index)
{
    struct recording_chunk *chunk = recording_chunk(writer, index);
    const uint64_t *slots = (const uint64_t *)(const void *)chunk + RECORDING_CHUNK_HEAD / 8;

    chunk->checksum = recording_checksum(slots, (chunk->used - RECORDING_CHUNK_HEAD) / RECORDING_SLOT);
    chunk->state = CHUNK_SEALED;
}

static void leave(struct recording_writer *writer, uint32_t *index, uint32_t used)
{
    if (*index) {
        recording_chunk(writer, *index)->used = used;
        recording_seal(writer, *index);
    }
    *index = 0;
}

static uint64_t *put(struct recording_writer *writer, enum recording_chunk_kind kind, uint32_t thread, uint32_t *index,
                     uint32_t *used, const struct written_record *record)
{
    uint32_t bytes = record_bytes(record);
    uint64_t *slot;

    if (writer->failed)
        return NULL;
    if (*index && *used + bytes > RECORDING_CHUNK - RECORDING_CHUNK_ROOM)
        leave(writer, index, *used);
    if (!*index) {
        *index = hand_out(writer, kind, thread);
        *used = RECORDING_CHUNK_HEAD;
        if (!*index)
            return NULL;
        if (kind == CHUNK_EVENTS)
            recording_head(writer)->thread[thread].chunks++;
    }
    slot = write_record(recording_chunk(writer, *index), *used, record);
    *used += bytes;
    return slot;
}

void recording_name(struct recording_writer *writer, const struct written_record *record)
{
    put(writer, CHUNK_NAMES, 0, &writer->names, &writer->names_used, record);
}

uint64_t *recording_put(struct recording_writer *writer, uint32_t thread, const struct written_record *record)
{
    return put(writer, CHUNK_EVENTS, thread, &writer->chunk[thread], &writer->used[thread], record);
}

void recording_zone(struct recording_writer *writer, uint32_t thread, enum recording_kind kind, uint64_t time,
                    uint32_t site)
{
    recording_put(writer, thread, &(struct written_record){ .kind = kind, .word = time, .id = site });
}

uint32_t recording_add_site(struct recording_writer *writer, const char *name, const char *function, const char *file,
                            uint32_t line, uint32_t flags)
{
    char text[512];
    size_t length = 0;
    const char *parts[] = { name, function, file };

    for (unsigned i = 0; i < 3; i++) {
        size_t part = strlen(parts[i]) + (i < 2);

        if (length + part > sizeof text)
            part = sizeof text - length;
        memcpy(text + length, parts[i], part);
        length += part;
    }
    recording_name(writer, &(struct written_record){ .kind = RECORD_SITE,
                                                     .word = line,
                                                     .id = ++writer->sites,
                                                     .value_count = 1,
                                                     .values = { flags },
                                                     .types = { RECORDING_VALUE_UNSIGNED },
                                                     .text = text,
                                                     .text_length = length });
    return writer->sites;
}

void recording_add_thread(struct recording_writer *writer, uint32_t number, uint64_t system, const char *name)
{
    recording_name(writer,
                   &(struct written_record){ .kind = RECORD_THREAD, .word = system, .id = number, .text = name });
    if (!writer->failed && recording_head(writer)->threads <= number)
        recording_head(writer)->threads = number + 1;
}

void recording_next_chunk(struct recording_writer *writer, uint32_t thread)
{
    if (!writer->failed)
        leave(writer, &writer->chunk[thread], writer->used[thread]);
}

void recording_hand_over(struct recording_writer *writer, uint32_t from, uint32_t to, uint64_t time)
{
    if (writer->failed)
        return;
    writer->chunk[to] = writer->chunk[from];
    writer->used[to] = writer->used[from];
    writer->chunk[from] = 0;
    recording_zone(writer, to, RECORD_THREAD_HERE, time, to);
}

void recording_finish(struct recording_writer *writer)
{
    if (writer->failed)
        return;
    leave(writer, &writer->names, writer->names_used);
    for (unsigned i = 0; i < WRITER_THREADS; i++)
        leave(writer, &writer->chunk[i], writer->used[i]);
    recording_head(writer)->state = RECORDING_CLOSED;
}

bool recording_data(const struct recording_writer *writer, const void **data, size_t *size)
{
    *data = writer->memory;
    *size = writer->size;
    return !writer->failed;
}
