/* chunks.c: the file of a recording: blocks reserved and mapped ahead of need, handed out chunk by chunk, sealed when full.
 *
 * Disk blocks are reserved before a chunk is handed out: a store into a mapping for which the disk has no block would kill the program
 * with SIGBUS. The address of a chunk is base + index * RECORDING_CHUNK, aligned to its size, so that a slot finds its chunk. */
#include "recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

enum { LEAST_CAP = 16 }; /* chunks: 1 MiB */

struct recording_chunk *chunks_at(uint32_t index)
{
    return (struct recording_chunk *)(the_recorder.base + (size_t)index * RECORDING_CHUNK);
}

/* The whole cap is mapped at once, aligned to chunks, also what the file does not have yet: nobody goes there before its blocks are
 * reserved, and growing changes no mapping that threads use meanwhile. Less of it where the process may not have so much. */
static int reserve_range(struct recorder *recorder)
{
    for (; recorder->cap >= LEAST_CAP; recorder->cap /= 2) {
        size_t range = (size_t)recorder->cap * RECORDING_CHUNK;
        uint8_t *found =
            mmap(NULL, range + RECORDING_CHUNK, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

        if (found == MAP_FAILED)
            continue;
        size_t before = -(uintptr_t)found & (RECORDING_CHUNK - 1);
        recorder->base = found + before;
        recorder->range = range;
        if (before)
            munmap(found, before);
        munmap(recorder->base + range, RECORDING_CHUNK - before);
        return mmap(recorder->base, range, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, recorder->file, 0) ==
                       MAP_FAILED
                   ? errno
                   : 0;
    }
    return ENOMEM;
}

/* Blocks are reserved, then written: where pages are made by writing, the kernel makes them many at a time, and mapping them for writing is
 * then four times as fast as having each made by its first store. 0, or errno. */
static int reserve_blocks(int file, off_t offset, uint32_t count)
{
    static uint8_t zeros[RECORDING_CHUNK];
    struct iovec parts[RECORDER_EXTENT];
    int error = posix_fallocate(file, offset, (off_t)count * RECORDING_CHUNK);

    if (error)
        return error;
    for (uint32_t i = 0; i < RECORDER_EXTENT; i++)
        parts[i] = (struct iovec){ zeros, sizeof zeros };
    for (uint32_t done = 0; done < count; done += RECORDER_EXTENT) {
        uint32_t some = count - done < RECORDER_EXTENT ? count - done : RECORDER_EXTENT;

        /* A write that falls short is no loss: the blocks are there. */
        if (pwritev(file, parts, (int)some, offset + (off_t)done * RECORDING_CHUNK) < 0 && errno != EINTR)
            return errno;
    }
    return 0;
}

/* One step longer; `growing` is held. 0, or errno. */
static int grow(struct recorder *recorder, uint32_t count)
{
    uint32_t mapped = recorder->mapped;
    off_t offset = (off_t)mapped * RECORDING_CHUNK;
    int error;

    if (count > recorder->cap - mapped)
        count = recorder->cap - mapped;
    if (!count)
        return EFBIG;
    error = reserve_blocks(recorder->file, offset, count);
    if (error)
        return error;
    __atomic_store_n(&recorder->mapped, mapped + count, __ATOMIC_RELEASE);
    return 0;
}

/* Other threads may use these chunks already: pages are touched without changing a byte. */
static void touch(struct recorder *recorder, uint32_t from, uint32_t to)
{
    uint8_t *start = recorder->base + (size_t)from * RECORDING_CHUNK;
    size_t bytes = (size_t)(to - from) * RECORDING_CHUNK;

    if (madvise(start, bytes, MADV_POPULATE_WRITE) == 0)
        return;
    for (size_t i = 0; i < bytes; i += 4096)
        __atomic_fetch_or(start + i, 0, __ATOMIC_RELAXED);
}

bool chunks_ahead(uint32_t target)
{
    struct recorder *recorder = &the_recorder;

    if (target > recorder->cap)
        target = recorder->cap;
    while (__atomic_load_n(&recorder->ready, __ATOMIC_RELAXED) < target) {
        uint32_t from = recorder->ready;
        int error = 0;

        if (__atomic_load_n(&recorder->ending, __ATOMIC_RELAXED))
            return true;
        pthread_mutex_lock(&recorder->growing);
        if (recorder->mapped <= from)
            error = grow(recorder, RECORDER_EXTENT);
        if (error && error != EFBIG)
            __atomic_add_fetch(&recorder->head->full, 1, __ATOMIC_RELAXED);
        __atomic_store_n(&recorder->full, error != 0, __ATOMIC_RELAXED);
        pthread_mutex_unlock(&recorder->growing);
        if (error)
            return false;
        uint32_t to = __atomic_load_n(&recorder->mapped, __ATOMIC_ACQUIRE);
        touch(recorder, from, to);
        __atomic_store_n(&recorder->ready, to, __ATOMIC_RELEASE);
    }
    return true;
}

/* A file that another process records into is not ours to replace; nor is the one of this very process before it called exec. */
static bool in_use(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct recording_head head;
    bool used = false;

    if (file < 0)
        return false;
    if (flock(file, LOCK_EX | LOCK_NB) != 0)
        used = errno == EWOULDBLOCK;
    else if (pread(file, &head, sizeof head, 0) == (ssize_t)sizeof head &&
             !memcmp(head.magic, RECORDING_MAGIC, sizeof head.magic))
        used = head.pid == (uint32_t)getpid();
    close(file);
    return used;
}

static int open_file(const char *path, bool replace)
{
    struct stat status;

    if (replace) {
        if (in_use(path)) {
            errno = EBUSY;
            return -1;
        }
        /* A new file instead of an emptied one: somebody may be reading the old. Devices and the like are not files to record to. */
        if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
            errno = EINVAL;
            return -1;
        }
        unlink(path);
    }
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file >= 0)
        (void)flock(file, LOCK_EX | LOCK_NB);
    return file;
}

/* Chunks of a number of MB that is at most what the file size of the process is limited to: growing beyond would be a signal. */
static uint32_t chunks_of_mb(uint64_t mb)
{
    struct rlimit limit;
    uint64_t most = UINT32_MAX / 2;
    uint64_t chunks = mb > most / 16 ? most : mb * (1024 * 1024 / RECORDING_CHUNK);

    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        limit.rlim_cur / RECORDING_CHUNK < chunks)
        chunks = limit.rlim_cur / RECORDING_CHUNK;
    return (uint32_t)chunks;
}

int chunks_open(const char *path, bool replace, uint64_t cap_mb, uint64_t ring_mb)
{
    struct recorder *recorder = &the_recorder;
    uint32_t ring = ring_mb ? chunks_of_mb(ring_mb) : 0;
    int error;

    /* Names of a ring are beside it, and never overwritten. */
    recorder->cap = ring ? ring + 1 + chunks_of_mb(cap_mb) / 8 : chunks_of_mb(cap_mb);
    if (recorder->cap < LEAST_CAP)
        return EFBIG;
    recorder->file = open_file(path, replace);
    if (recorder->file < 0)
        return errno;
    recorder->mapped = recorder->ready = recorder->claimed = recorder->full = 0;
    recorder->sequence = recorder->ring_next = 0;
    recorder->left_count = 0;
    error = reserve_range(recorder);
    if (!error && ring && ring + 1 >= recorder->cap)
        error = ENOMEM;
    if (!error)
        error = grow(recorder, ring ? ring + 1 : RECORDER_EXTENT);
    if (error) {
        if (recorder->base)
            munmap(recorder->base, recorder->range);
        recorder->base = NULL;
        close(recorder->file);
        recorder->file = -1;
        unlink(path);
        return error;
    }
    __atomic_store_n(&recorder->head, (struct recording_head *)recorder->base, __ATOMIC_RELEASE);
    recorder->claimed = ring + 1;
    recorder->head->chunk_size = RECORDING_CHUNK;
    recorder->head->cap = recorder->cap;
    recorder->head->ring_first = ring ? 1 : 0;
    recorder->head->ring_count = ring;
    recorder->head->chunks = ring + 1;
    return 0;
}

/* What is mapped becomes plain memory, of which pages exist once somebody writes there: a thread may be in the middle of a record. */
static void detach(struct recorder *recorder, size_t bytes)
{
    if (recorder->range > bytes)
        munmap(recorder->base + bytes, recorder->range - bytes);
    (void)mmap(recorder->base, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
               -1, 0);
    recorder->base = NULL;
    __atomic_store_n(&recorder->head, NULL, __ATOMIC_RELEASE);
    recorder->names = NULL;
}

void chunks_close(void)
{
    struct recorder *recorder = &the_recorder;
    size_t used = (size_t)recorder->claimed * RECORDING_CHUNK;

    (void)!ftruncate(recorder->file, (off_t)used);
    detach(recorder, used);
    close(recorder->file);
    recorder->file = -1;
}

void chunks_forget(void)
{
    struct recorder *recorder = &the_recorder;

    if (recorder->base)
        munmap(recorder->base, recorder->range);
    if (recorder->file >= 0)
        close(recorder->file);
    recorder->base = NULL;
    recorder->head = NULL;
    recorder->names = NULL;
    recorder->file = -1;
}

/* The next chunk in the order of the file, which is made longer where it must be: `slow`, for then the thread waits. 0: there is none. */
static uint32_t claim_next(struct recorder *recorder, bool *slow)
{
    uint32_t index = __atomic_load_n(&recorder->claimed, __ATOMIC_RELAXED);

    for (;;) {
        if (index < __atomic_load_n(&recorder->mapped, __ATOMIC_ACQUIRE)) {
            if (!__atomic_compare_exchange_n(&recorder->claimed, &index, index + 1, false, __ATOMIC_ACQ_REL,
                                             __ATOMIC_RELAXED))
                continue;
            return index;
        }
        if (index >= recorder->cap || __atomic_load_n(&recorder->full, __ATOMIC_RELAXED))
            return 0;
        int error = 0;
        *slow = true;
        pthread_mutex_lock(&recorder->growing);
        if (index >= recorder->mapped)
            error = grow(recorder, RECORDER_OWN);
        if (error && error != EFBIG) {
            __atomic_add_fetch(&recorder->head->full, 1, __ATOMIC_RELAXED);
            __atomic_store_n(&recorder->full, 1, __ATOMIC_RELAXED);
        }
        pthread_mutex_unlock(&recorder->growing);
        if (error)
            return 0;
        index = __atomic_load_n(&recorder->claimed, __ATOMIC_RELAXED);
    }
}

/* The oldest chunk of the ring that no thread is writing to. 0: all are in use. */
static uint32_t claim_ring(struct recorder *recorder)
{
    uint32_t count = recorder->head->ring_count;

    for (uint32_t tried = 0; tried < count; tried++) {
        uint64_t next = __atomic_fetch_add(&recorder->ring_next, 1, __ATOMIC_RELAXED);
        uint32_t index = 1 + (uint32_t)(next % count);
        struct recording_chunk *chunk = chunks_at(index);
        uint32_t state = __atomic_load_n(&chunk->state, __ATOMIC_ACQUIRE);

        if (state != CHUNK_IN_USE &&
            __atomic_compare_exchange_n(&chunk->state, &state, CHUNK_IN_USE, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            return index;
    }
    __atomic_add_fetch(&recorder->head->laps_lost, 1, __ATOMIC_RELAXED);
    return 0;
}

/* Laps begin anew: slots of the one with the same number, long ago, must not count. */
static void clear_tags(struct recording_chunk *chunk)
{
    uint64_t *words = (uint64_t *)chunk;

    for (size_t i = RECORDING_CHUNK_HEAD / sizeof *words; i < RECORDING_CHUNK / sizeof *words; i += 2)
        __atomic_store_n(&words[i + 1], 0, __ATOMIC_RELAXED);
}

/* Viewers read all of a chunk at any time, so nothing in it is a plain store. What lies in it from its lap before counts no more as soon as the lap is the new one. */
static void hand_out(struct recorder *recorder, struct recording_chunk *chunk, uint32_t index,
                     enum recording_chunk_kind kind, uint32_t thread)
{
    uint64_t lap = (chunk->lap >> 48) + 1;

    __atomic_store_n(&chunk->state, CHUNK_IN_USE, __ATOMIC_RELAXED);
    __atomic_store_n(&chunk->magic, 0, __ATOMIC_RELEASE);
    if (lap > 255) {
        clear_tags(chunk);
        lap = 1;
    }
    __atomic_store_n(&chunk->lap, lap << 48, __ATOMIC_RELAXED);
    __atomic_store_n(&chunk->checksum, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&chunk->index, index, __ATOMIC_RELAXED);
    __atomic_store_n(&chunk->kind, kind, __ATOMIC_RELAXED);
    __atomic_store_n(&chunk->thread, thread, __ATOMIC_RELAXED);
    __atomic_store_n(&chunk->used, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&chunk->sequence, __atomic_add_fetch(&recorder->sequence, 1, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
    __atomic_store_n(&chunk->magic, RECORDING_CHUNK_MAGIC, __ATOMIC_RELEASE);
    for (uint32_t seen = __atomic_load_n(&recorder->head->chunks, __ATOMIC_RELAXED); seen <= index;)
        if (__atomic_compare_exchange_n(&recorder->head->chunks, &seen, index + 1, false, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED))
            break;
}

struct recording_chunk *chunks_claim(enum recording_chunk_kind kind, uint32_t thread, bool *slow)
{
    struct recorder *recorder = &the_recorder;
    bool ring = recorder->head->ring_count && kind == CHUNK_EVENTS;
    uint32_t index;

    *slow = false;
    index = ring ? claim_ring(recorder) : claim_next(recorder, slow);
    if (!ring && recorder->helped &&
        index + recorder->options.prefault_mb * (1024 * 1024 / RECORDING_CHUNK) / 2 >=
            __atomic_load_n(&recorder->ready, __ATOMIC_RELAXED))
        recorder_wake();
    if (!index)
        return NULL;
    hand_out(recorder, chunks_at(index), index, kind, thread);
    return chunks_at(index);
}

bool chunks_take_left(uint32_t index)
{
    uint32_t state = CHUNK_LEFT;

    return __atomic_compare_exchange_n(&chunks_at(index)->state, &state, CHUNK_IN_USE, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED);
}

void chunks_seal(struct recording_chunk *chunk)
{
    const uint64_t *slots = (const uint64_t *)((const uint8_t *)chunk + RECORDING_CHUNK_HEAD);

    __atomic_store_n(&chunk->checksum, recording_checksum(slots, (chunk->used - RECORDING_CHUNK_HEAD) / RECORDING_SLOT),
                     __ATOMIC_RELAXED);
    __atomic_store_n(&chunk->state, CHUNK_SEALED, __ATOMIC_RELEASE);
}
