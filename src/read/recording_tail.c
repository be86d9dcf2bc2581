/* recording_tail.c: a recording that is still being made, pushed into a feed as it comes. */
#include "read/recording_tail.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "read/recording_names.h"
#include "read/tick_map.h"

enum {
    HOLE_NS = 1000000000,
    MOST_SITES = 1 << 22,  /* numbers of sites beyond make no sense */
    MOST_CHUNKS = 1 << 24, /* the same of chunks */
};
enum { SLOTS = (RECORDING_CHUNK - RECORDING_CHUNK_HEAD - RECORDING_CHUNK_ROOM) / RECORDING_SLOT };

/* How far a chunk was read. */
struct tail_chunk {
    uint64_t sequence; /* of the chunk as it was read; 0: never */
    uint32_t next;     /* slot */
    uint32_t thread;   /* that its next slot belongs to */
    uint64_t hole;     /* ns since when that slot is a hole; 0: it is none */
    bool done;         /* nothing comes any more */
};

struct tail_zone {
    uint32_t site; /* number */
    open_id open;  /* in the sink */
};

struct tail_thread {
    uint32_t number;         /* in the recording */
    track_id track;          /* of its zones; NO_ID: not announced yet */
    int64_t last;            /* ns of its last record: times of a track do not run backwards */
    uint64_t waits;          /* number of the look in which a chunk of it was not yet full: later ones wait for that */
    struct tail_zone *stack; /* open zones; owned */
    size_t count, capacity;  /* of stack */
};

struct recording_tail {
    struct recording_image image; /* where the bytes come from */
    struct feed *feed;            /* borrowed */
    struct recording_head head;   /* as of the last look */
    struct recording_names names; /* of sites and threads */
    bool named;                   /* they are begun */
    struct tick_map clock;        /* ticks to ns from the start of the process */
    clock_id clock_id;            /* of the sink */
    struct tail_chunk *chunks;    /* by index; owned */
    size_t chunk_count, chunk_capacity;
    uint64_t looks;              /* so far */
    uint32_t first;              /* chunks before it are done */
    struct tail_thread *threads; /* in the order in which they came; owned */
    size_t thread_count, thread_capacity;
    uint64_t zones, open, lost;             /* as the facts have them */
    int64_t now;                            /* the same */
    uint64_t words[2][RECORDING_CHUNK / 8]; /* the chunks that are being read: one of events, one of names */
    struct record_text text[2];             /* of the records that are being read, in the same order */
};

status recording_tail_open(const char *where, const char *token, struct feed *feed, struct recording_tail **tail)
{
    struct recording_tail *made = memory_allocate_clear(sizeof *made);

    *tail = made;
    if (!made)
        return status_no_memory("following a recording");
    recording_image_start(&made->image, where, token);
    made->feed = feed;
    made->first = 1;
    made->clock_id = NO_ID;
    return STATUS_OK;
}

status recording_tail_attach(struct recording_tail *tail, int socket)
{
    return recording_image_attach(&tail->image, socket);
}

void recording_tail_attach_file(struct recording_tail *tail, int file)
{
    recording_image_attach_file(&tail->image, file);
}

void recording_tail_free(struct recording_tail *tail)
{
    if (!tail)
        return;
    recording_image_close(&tail->image);
    if (tail->named)
        recording_names_free(&tail->names);
    tick_map_free(&tail->clock);
    for (size_t i = 0; i < tail->thread_count; i++)
        memory_free(tail->threads[i].stack);
    memory_free(tail->threads);
    memory_free(tail->chunks);
    memory_free(tail);
}

/* ---- Head and clock ------------------------------------------------------------------------------------------------ */

/* The rate becomes better known from look to look; a thread's times never run backwards for that. */
static status set_clock(struct recording_tail *tail)
{
    const struct recording_head *head = &tail->head;
    uint32_t ties = head->ties < RECORDING_TIES ? head->ties : RECORDING_TIES;
    int64_t origin = head->start_monotonic < INT64_MAX / 4 ? (int64_t)head->start_monotonic : 0;
    bool measured;
    status code = STATUS_OK;

    tick_map_free(&tail->clock);
    tail->clock = (struct tick_map){ 0 };
    if (head->clock != RECORDING_COUNTER)
        code = tick_map_add(&tail->clock, (struct tick_tie){ .ticks = (uint64_t)origin });
    for (uint32_t i = 0; i < ties && head->clock == RECORDING_COUNTER && code == STATUS_OK; i++) {
        const struct recording_tie *tie = &head->tie[i];
        uint64_t half = (tie->after - tie->before) / 2;

        if (tie->ticks && tie->before <= tie->after && tie->after < INT64_MAX)
            code = tick_map_add(&tail->clock, (struct tick_tie){ .ticks = tie->ticks,
                                                                 .ns = (int64_t)(tie->before + half) - origin,
                                                                 .unsure = (int64_t)half });
    }
    return code == STATUS_OK ? tick_map_finish(&tail->clock, 1, 1, &measured) : code;
}

/* `*ready`: there is a head. */
static status read_head(struct recording_tail *tail, bool *ready)
{
    struct clock clock = { .numerator = 1, .denominator = 1 };
    status code = STATUS_OK;

    recording_image_read(&tail->image, 0, &tail->head, sizeof tail->head);
    *ready = memcmp(tail->head.magic, RECORDING_MAGIC, sizeof tail->head.magic) == 0;
    if (!*ready)
        return STATUS_OK;
    if (tail->head.version != RECORDING_VERSION || tail->head.chunk_size != RECORDING_CHUNK)
        return status_fail(STATUS_INPUT, "%s is a recording of version %u; this is version %d", tail->image.where,
                           tail->head.version, RECORDING_VERSION);
    tail->head.program[sizeof tail->head.program - 1] = '\0';
    if (!tail->named) {
        recording_names_start(&tail->names, tail->feed->strings, MOST_SITES);
        tail->named = true;
        code = strings_add_text(tail->feed->strings, "nanoseconds", &clock.name);
        if (code == STATUS_OK)
            code = feed_clock(tail->feed, &clock, &tail->clock_id);
    }
    return code == STATUS_OK ? set_clock(tail) : code;
}

/* ---- Threads and zones --------------------------------------------------------------------------------------------- */

static status thread_of(struct recording_tail *tail, uint32_t number, struct tail_thread **thread)
{
    status code;

    for (size_t i = 0; i < tail->thread_count; i++) {
        if (tail->threads[i].number == number) {
            *thread = &tail->threads[i];
            return STATUS_OK;
        }
    }
    code = memory_grow(&tail->threads, &tail->thread_capacity, tail->thread_count + 1, sizeof *tail->threads);
    if (code != STATUS_OK)
        return code;
    *thread = &tail->threads[tail->thread_count++];
    **thread = (struct tail_thread){ .number = number, .track = NO_ID };
    return STATUS_OK;
}

/* At its first zone: its name is there by then. */
static status announce(struct recording_tail *tail, struct tail_thread *thread)
{
    const struct recording_thread_name *known;
    struct track track = { .parent = tail->feed->root,
                           .order = feed_order(&engine_thread, thread->number),
                           .clock = tail->clock_id,
                           .kind = TRACK_SLICES,
                           .engine = &engine_thread,
                           .index = thread->number };
    uint32_t place;
    status code = STATUS_OK;

    if (thread->track != NO_ID)
        return STATUS_OK;
    place = number_map_find(&tail->names.thread_map, thread->number, 0);
    known = place == MAP_NONE ? NULL : column_at(&tail->names.threads, place);
    track.name = known ? known->name : 0;
    if (!track.name)
        code = strings_add_format(tail->feed->strings, &track.name, "thread %u", thread->number);
    return code == STATUS_OK ? feed_track(tail->feed, track, &thread->track) : code;
}

static status operator_of(struct recording_tail *tail, struct recording_site *site)
{
    struct op op = { .name = site->name, .file = site->file, .line = site->line };
    status code;

    if (site->op != NO_ID)
        return STATUS_OK;
    code = feed_operator_new(tail->feed, &op);
    site->op = op.id;
    return code;
}

static status begin_zone(struct recording_tail *tail, struct tail_thread *thread, const struct record *record,
                         int64_t time)
{
    struct slice slice = { .run = NO_ID, .start = time };
    struct recording_site *site;
    struct tail_zone zone = { .site = record->id };
    status code = recording_site(&tail->names, record->id, &site);

    if (code != STATUS_OK || !site) {
        tail->lost++;
        return code;
    }
    code = announce(tail, thread);
    slice.track = thread->track;
    if (code == STATUS_OK)
        code = operator_of(tail, site);
    slice.op = site->op;
    slice.name = site->name;
    if (code == STATUS_OK && record->text.length)
        code = strings_add(tail->feed->strings, record->text.data, record->text.length, &slice.name);
    if (code == STATUS_OK)
        code = feed_open(tail->feed, &zone.open);
    if (code == STATUS_OK)
        code = memory_grow(&thread->stack, &thread->capacity, thread->count + 1, sizeof *thread->stack);
    if (code == STATUS_OK)
        code = sink_begin(&tail->feed->sink, zone.open, thread->count ? thread->stack[thread->count - 1].open : NO_ID,
                          &slice);
    if (code != STATUS_OK)
        return code;
    thread->stack[thread->count++] = zone;
    tail->zones++;
    tail->open++;
    return STATUS_OK;
}

static status end_innermost(struct recording_tail *tail, struct tail_thread *thread, int64_t time)
{
    open_id open = thread->stack[--thread->count].open;
    status code = sink_end(&tail->feed->sink, open, time);

    feed_close(tail->feed, open);
    tail->open--;
    return code;
}

/* The end of a zone below others: theirs are missing. */
static status end_zone(struct recording_tail *tail, struct tail_thread *thread, uint32_t site, int64_t time)
{
    size_t depth = thread->count;
    status code = STATUS_OK;

    while (depth && thread->stack[depth - 1].site != site)
        depth--;
    if (!depth) {
        tail->lost++;
        return STATUS_OK;
    }
    tail->lost += thread->count - depth;
    while (thread->count >= depth && code == STATUS_OK)
        code = end_innermost(tail, thread, time);
    return code;
}

static status take_record(struct recording_tail *tail, struct tail_chunk *chunk, const struct record *record)
{
    struct tail_thread *thread;
    int64_t time;
    status code;

    if (record->kind == RECORD_THREAD_HERE) {
        chunk->thread = record->id;
        return STATUS_OK;
    }
    if (record->kind != RECORD_BEGIN && record->kind != RECORD_END)
        return STATUS_OK;
    code = thread_of(tail, chunk->thread, &thread);
    if (code != STATUS_OK)
        return code;
    time = tick_map_ns(&tail->clock, record->word);
    time = time > thread->last ? time : thread->last;
    thread->last = time;
    tail->now = time > tail->now ? time : tail->now;
    return record->kind == RECORD_BEGIN ? begin_zone(tail, thread, record, time)
                                        : end_zone(tail, thread, record->id, time);
}

/* ---- Chunks -------------------------------------------------------------------------------------------------------- */

/* The chunk as it is now, its head first. False: it was not handed out. */
static bool load(struct recording_tail *tail, uint32_t index, uint64_t *words, struct recording_chunk *head,
                 struct chunk_view *view)
{
    recording_image_read(&tail->image, (uint64_t)index * RECORDING_CHUNK, words, RECORDING_CHUNK);
    memcpy(head, words, sizeof *head);
    *view = (struct chunk_view){
        .slots = words + RECORDING_CHUNK_HEAD / 8, .count = SLOTS, .thread = head->thread, .lap = head->lap
    };
    return head->magic == RECORDING_CHUNK_MAGIC && head->index == index;
}

static bool is_hole(const struct chunk_view *view, uint32_t slot)
{
    uint64_t tag = view->slots[2 * (size_t)slot + 1];

    return !tag || recording_tag_lap(tag) != view->lap;
}

/* How many slots there are: up to the last that is none of the holes. */
static uint32_t filled(const struct chunk_view *view, uint32_t from)
{
    uint32_t end = view->count;

    while (end > from && is_hole(view, end - 1))
        end--;
    return end;
}

static uint64_t monotonic(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* A hole is waited for: its writer was stopped a moment. When it does not come back, it was a signal handler that left by a jump. */
static bool is_given_up(const struct recording_tail *tail, struct tail_chunk *chunk, bool closed)
{
    uint64_t now = monotonic();

    if (!chunk->hole)
        chunk->hole = now;
    return closed || tail->image.state != IMAGE_GROWING || now - chunk->hole > HOLE_NS;
}

static status read_names(struct recording_tail *tail);

static bool are_known(const struct recording_tail *tail, uint32_t thread, uint32_t site)
{
    return site < tail->names.site_count && tail->names.sites[site].known &&
           number_map_find(&tail->names.thread_map, thread, 0) != MAP_NONE;
}

/* Whoever records something has put its name there before; but it may come here after. `*known`: it is there, or never will be. */
static status find_names(struct recording_tail *tail, uint32_t thread, const struct record *record, bool *known)
{
    status code;

    *known = true;
    if (record->kind != RECORD_BEGIN || are_known(tail, thread, record->id))
        return STATUS_OK;
    code = read_names(tail);
    if (tail->image.state == IMAGE_GROWING)
        *known = are_known(tail, thread, record->id);
    return code;
}

/* Slots that are new. */
static status read_slots(struct recording_tail *tail, struct tail_chunk *chunk, const struct chunk_view *view,
                         bool closed, bool names)
{
    uint32_t end = filled(view, chunk->next);
    status code = STATUS_OK;

    while (chunk->next < end && code == STATUS_OK) {
        struct record record;
        bool known = true;

        if (is_hole(view, chunk->next)) {
            if (!is_given_up(tail, chunk, closed))
                return STATUS_OK;
            chunk->next++;
            continue;
        }
        chunk->hole = 0;
        if (record_take(view, chunk->next, &tail->text[names], &record) != RECORD_FINE) {
            tail->lost++;
            chunk->next++;
            continue;
        }
        if (!names)
            code = find_names(tail, chunk->thread, &record, &known);
        if (code != STATUS_OK || !known)
            return code;
        chunk->next += record.slots;
        code = names ? recording_names_add(&tail->names, &record, &known) : take_record(tail, chunk, &record);
    }
    return code;
}

/* A ring hands a chunk out again: then it begins anew. */
static void follow_lap(struct tail_chunk *chunk, const struct recording_chunk *head)
{
    if (chunk->sequence != head->sequence)
        *chunk = (struct tail_chunk){ .sequence = head->sequence, .thread = head->thread };
}

/* A thread goes on in its next chunk when this one is full, and says so before. */
static bool is_full(const struct tail_chunk *chunk, const struct recording_chunk *head)
{
    return chunk->next >= SLOTS || (head->used && chunk->next * RECORDING_SLOT + RECORDING_CHUNK_HEAD >= head->used);
}

static status read_chunk(struct recording_tail *tail, uint32_t index, enum recording_chunk_kind kind)
{
    struct tail_chunk *chunk = &tail->chunks[index];
    struct recording_chunk head;
    struct chunk_view view;
    bool ring = tail->head.ring_count && index <= tail->head.ring_count;
    struct tail_thread *thread = NULL;
    status code = STATUS_OK;

    if (!load(tail, index, tail->words[kind == CHUNK_NAMES], &head, &view) || head.kind != kind)
        return STATUS_OK;
    follow_lap(chunk, &head);
    if (kind == CHUNK_EVENTS)
        code = thread_of(tail, chunk->thread, &thread);
    if (code != STATUS_OK || (thread && thread->waits == tail->looks))
        return code;
    code = read_slots(tail, chunk, &view, head.state == CHUNK_SEALED, kind == CHUNK_NAMES);
    chunk->done = !ring && head.state == CHUNK_SEALED && is_full(chunk, &head);
    if (code == STATUS_OK && kind == CHUNK_EVENTS && !is_full(chunk, &head)) {
        code = thread_of(tail, chunk->thread, &thread);
        if (code == STATUS_OK)
            thread->waits = tail->looks;
    }
    return code;
}

static int compare_sequences(const void *one, const void *other)
{
    const uint64_t *a = one, *b = other;

    return a[0] < b[0] ? -1 : a[0] > b[0];
}

static status read_names(struct recording_tail *tail)
{
    status code = STATUS_OK;

    for (uint32_t i = tail->first; i < tail->chunk_count && code == STATUS_OK; i++)
        if (!tail->chunks[i].done)
            code = read_chunk(tail, i, CHUNK_NAMES);
    return code;
}

/* Chunks of events in the order in which they were handed out. */
static status read_events(struct recording_tail *tail, uint32_t count)
{
    uint64_t(*order)[2] = memory_allocate(((size_t)count + 1) * sizeof *order);
    size_t found = 0;
    status code = order ? STATUS_OK : status_no_memory("following a recording");

    for (uint32_t i = tail->first; i < count && code == STATUS_OK; i++) {
        struct recording_chunk head;

        if (tail->chunks[i].done)
            continue;
        recording_image_read(&tail->image, (uint64_t)i * RECORDING_CHUNK, &head, sizeof head);
        if (head.magic == RECORDING_CHUNK_MAGIC && head.kind == CHUNK_EVENTS) {
            order[found][0] = head.sequence;
            order[found++][1] = i;
        }
    }
    if (code == STATUS_OK && found)
        qsort(order, found, sizeof *order, compare_sequences);
    for (size_t i = 0; i < found && code == STATUS_OK; i++)
        code = read_chunk(tail, (uint32_t)order[i][1], CHUNK_EVENTS);
    memory_free(order);
    while (tail->first < count && tail->chunks[tail->first].done)
        tail->first++;
    recording_image_forget(&tail->image, (uint64_t)tail->first * RECORDING_CHUNK);
    return code;
}

status recording_tail_look(struct recording_tail *tail, int milliseconds)
{
    bool ready = false;
    uint64_t there;
    uint32_t count;
    status code = recording_image_look(&tail->image, milliseconds);

    if (code == STATUS_OK)
        code = read_head(tail, &ready);
    if (code != STATUS_OK || !ready)
        return code;
    tail->looks++;
    count = tail->head.chunks;
    if (count > MOST_CHUNKS)
        return status_fail(STATUS_INPUT, "%s says that it has %u chunks, which no recording has", tail->image.where,
                           count);
    /* Those that are not there yet need no looking at. */
    there = (recording_image_size(&tail->image) + RECORDING_CHUNK - 1) / RECORDING_CHUNK;
    count = count < there ? count : (uint32_t)there;
    code = memory_grow(&tail->chunks, &tail->chunk_capacity, (size_t)count + 1, sizeof *tail->chunks);
    if (code == STATUS_OK && count > tail->chunk_count) {
        memset(tail->chunks + tail->chunk_count, 0, (count - tail->chunk_count) * sizeof *tail->chunks);
        tail->chunk_count = count;
    }
    if (code == STATUS_OK)
        code = read_names(tail);
    return code == STATUS_OK ? read_events(tail, count) : code;
}

status recording_tail_end(struct recording_tail *tail)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < tail->thread_count; i++)
        while (tail->threads[i].count && code == STATUS_OK)
            code = end_innermost(tail, &tail->threads[i],
                                 tail->now > tail->threads[i].last ? tail->now : tail->threads[i].last);
    return code;
}

/* ---- What is known ------------------------------------------------------------------------------------------------- */

void recording_tail_facts(const struct recording_tail *tail, struct tail_facts *facts)
{
    *facts = (struct tail_facts){ .state = tail->image.state,
                                  .program = tail->head.program,
                                  .pid = tail->head.pid,
                                  .threads = (uint32_t)tail->thread_count,
                                  .zones = tail->zones,
                                  .open = tail->open,
                                  .lost = tail->lost,
                                  .now = tail->now };
    for (uint32_t i = 0; i < RECORDING_THREADS; i++)
        facts->dropped += tail->head.thread[i].dropped;
    if (tail->clock.lines)
        facts->cost = (double)tick_map_span(&tail->clock, tail->head.zone_cost) / 256;
}

/* The outermost, and the innermost ones: a deep stack would tell nobody anything. */
void recording_tail_open_zones(const struct recording_tail *tail, char *to, size_t size)
{
    enum { OUTER = 2, INNER = 3 };
    size_t used = 0;

    to[0] = '\0';
    for (size_t i = 0; i < tail->thread_count; i++) {
        const struct tail_thread *thread = &tail->threads[i];

        for (size_t k = 0; k < thread->count && used < size; k++) {
            bool left_out = k >= OUTER && k + INNER < thread->count;
            uint32_t number = thread->stack[k].site;
            string_id name = number < tail->names.site_count ? tail->names.sites[number].name : 0;
            int more;

            if (left_out && k > OUTER)
                continue;
            more = snprintf(to + used, size - used, "%s%s",
                            k      ? " > "
                            : used ? "; "
                                   : "",
                            left_out ? "…" : strings_text(tail->feed->strings, name));
            used += more > 0 ? (size_t)more : 0;
        }
    }
}
