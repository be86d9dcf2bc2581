/* names.c: what records refer to by number: call sites, threads, clocks and tracks, in chunks of their own that are never overwritten.
 *
 * A name is in the file before the first record that needs it. Sites keep their number for the life of the process, so that a second
 * recording, or the one of a forked child, gets all that are known: a copy of their records is kept, since the library that a site
 * stands in may have been unloaded. */
#include "recorder.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* Records of sites as they stand in chunks of names. */
struct journal {
    struct journal *next; /* NULL: the last */
    uint32_t used;        /* bytes of slots */
    uint32_t reserved;    /* 0 */
    uint64_t slots[8190]; /* in groups */
};

static struct journal *journal_first,
    *journal_last;     /* pages of their own: registering may happen in a signal handler */
static uint32_t sites; /* numbered so far */

/* Room in the chunk of names; a new chunk where it is full. NULL: there is none. */
static uint64_t *names_room(size_t bytes)
{
    struct recorder *recorder = &the_recorder;
    bool slow;

    if (!recorder->names || recorder->names_used + bytes > RECORDING_CHUNK - RECORDING_CHUNK_ROOM) {
        struct recording_chunk *chunk = chunks_claim(CHUNK_NAMES, 0, &slow);

        if (!chunk)
            return NULL;
        if (recorder->names) {
            __atomic_store_n(&recorder->names->used, recorder->names_used, __ATOMIC_RELEASE);
            chunks_seal(recorder->names);
        }
        recorder->names = chunk;
        recorder->names_used = RECORDING_CHUNK_HEAD;
    }
    uint64_t *slots = (uint64_t *)((uint8_t *)recorder->names + recorder->names_used);
    recorder->names_used += (uint32_t)bytes;
    return slots;
}

static size_t record_bytes(const struct names_record *record)
{
    size_t values = record->has_value ? 1 : 0;

    return (1 + values + recorder_text_slots(record->length)) * RECORDING_SLOT;
}

static void write_record(uint64_t *slots, const struct names_record *record)
{
    const uint32_t type = RECORDING_VALUE_UNSIGNED;

    recorder_write(slots, record->word, recording_tag(record->kind, record->length, record->id), &record->value, &type,
                   record->has_value ? 1 : 0, record->text, record->length);
}

bool names_put(const struct names_record *record)
{
    uint64_t *slots = names_room(record_bytes(record));

    if (!slots)
        return false;
    write_record(slots, record);
    return true;
}

/* A copy for recordings to come. The journal is a chunk as far as tags are concerned: its lap is 0. */
static bool remember(const struct names_record *record)
{
    size_t bytes = record_bytes(record);

    if (!journal_last || journal_last->used + bytes > sizeof journal_last->slots) {
        struct journal *page = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        if (page == MAP_FAILED)
            return false;
        if (journal_last)
            journal_last->next = page;
        else
            journal_first = page;
        journal_last = page;
    }
    uint64_t *slots = journal_last->slots + journal_last->used / sizeof(uint64_t);
    journal_last->used += (uint32_t)bytes;
    slots[0] = record->word;
    slots[1] = recording_tag(record->kind, record->length, record->id);
    slots[2] = record->value;
    memcpy(slots + 4, record->text, record->length);
    return true;
}

/* Name, function and file, each cut where it is very long, with zeros between them. */
static size_t site_text(const struct tacho_site *site, char *text, size_t size)
{
    const char *parts[3] = { site->name, site->function, site->file };
    size_t used = 0;

    for (int i = 0; i < 3; i++) {
        size_t length = parts[i] ? strlen(parts[i]) : 0;
        size_t most = size / 3 - 1;

        if (length > most)
            length = most;
        if (length)
            memcpy(text + used, parts[i], length);
        used += length;
        if (i < 2)
            text[used++] = 0;
    }
    return used;
}

uint32_t tacho_recorder_site(struct tacho_site *site)
{
    struct recorder_guard guard;
    char text[3072];
    uint32_t id;

    /* A thread, or a child of fork, that records for the first time opens what it needs before the names. */
    recorder_block(&guard);
    if (threads_here() == UINT32_MAX) {
        recorder_dropped();
        recorder_unblock(&guard);
        return 0;
    }
    recorder_unblock(&guard);
    recorder_lock(&guard);
    id = __atomic_load_n(&site->id, __ATOMIC_ACQUIRE);
    if (!id && the_recorder.base) {
        struct names_record record = { .kind = RECORD_SITE,
                                       .word = site->line | (uint64_t)site->color << 32,
                                       .id = sites + 1,
                                       .has_value = true,
                                       .value = site->flags,
                                       .text = text };

        record.length = site_text(site, text, sizeof text);
        if (remember(&record) && names_put(&record)) {
            id = ++sites;
            __atomic_store_n(&site->id, id, __ATOMIC_RELEASE);
        } else {
            recorder_dropped();
        }
    }
    recorder_unlock(&guard);
    return id;
}

void names_session(void)
{
    the_recorder.clocks = the_recorder.tracks = 0;
    for (const struct journal *page = journal_first; page; page = page->next) {
        for (uint32_t at = 0; at < page->used;) {
            const uint64_t *slots = page->slots + at / sizeof(uint64_t);
            struct names_record record = { .kind = RECORD_SITE,
                                           .word = slots[0],
                                           .id = recording_tag_id(slots[1]),
                                           .has_value = true,
                                           .value = slots[2],
                                           .text = (const char *)(slots + 4),
                                           .length = recording_tag_length(slots[1]) };

            if (!names_put(&record))
                return;
            at += (uint32_t)record_bytes(&record);
        }
    }
}

/* ---- names that programs give ------------------------------------------------------------------------------------- */

/* Puts a record that is about this thread or process. Gives whether it is in the file. */
static bool put_name(struct names_record *record, const char *text, uint32_t *count)
{
    struct recorder_guard guard;
    bool put = false;

    record->text = text;
    record->length = strlen(text);
    if (record->length > RECORDING_TEXT_MOST)
        record->length = RECORDING_TEXT_MOST;
    recorder_lock(&guard);
    if (the_recorder.base) {
        if (count)
            record->id = *count + 1;
        put = names_put(record);
        if (put && count)
            ++*count;
    }
    recorder_unlock(&guard);
    return put;
}

void tacho_thread_name(const char *name)
{
    struct names_record record = { .kind = RECORD_THREAD };
    struct recorder_guard guard;

    if (!tacho_recording())
        return;
    recorder_block(&guard);
    record.id = threads_here();
    recorder_unblock(&guard);
    if (record.id != UINT32_MAX)
        put_name(&record, name, NULL);
}

void tacho_process_name(const char *name)
{
    struct names_record record = { .kind = RECORD_PROCESS };

    if (tacho_recording())
        put_name(&record, name, NULL);
}

uint32_t tacho_clock_add(const char *name, uint64_t ticks_per_second)
{
    struct names_record record = { .kind = RECORD_CLOCK, .word = ticks_per_second };

    return tacho_recording() && put_name(&record, name, &the_recorder.clocks) ? record.id : 0;
}

uint32_t tacho_track_add(uint32_t clock, const char *name)
{
    struct names_record record = { .kind = RECORD_TRACK, .word = clock };

    return tacho_recording() && put_name(&record, name, &the_recorder.tracks) ? record.id : 0;
}
