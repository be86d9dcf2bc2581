/* recording_zones.c: windows, stacks, and what is told of zones. */
#include "read/recording_zones.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/path.h"
#include "read/recording.h"

enum { DEEPEST_SEARCH = 1024 }; /* zones that an end looks through for its begin */

void recording_zones_start(struct recording_zones *zones)
{
    column_start(&zones->threads, sizeof(struct zone_thread));
    column_start(&zones->known, sizeof(struct zone_known));
    column_start(&zones->facts, sizeof(struct zone_fact));
    column_start(&zones->runs, sizeof(struct zone_run));
    number_map_start(&zones->thread_map);
    number_map_start(&zones->known_map);
    number_map_start(&zones->flow_map);
}

static struct zone_thread *thread_at(const struct recording_zones *zones, size_t index)
{
    return column_at(&zones->threads, index);
}

void recording_zones_free(struct recording_zones *zones)
{
    for (size_t i = 0; i < zones->threads.count; i++) {
        struct zone_thread *thread = thread_at(zones, i);

        memory_free(thread->window);
        memory_free(thread->stack);
        memory_free(thread->arguments);
        memory_free(thread->flows);
    }
    column_free(&zones->threads);
    column_free(&zones->known);
    column_free(&zones->facts);
    column_free(&zones->runs);
    number_map_free(&zones->thread_map);
    number_map_free(&zones->known_map);
    number_map_free(&zones->flow_map);
}

status zones_thread(struct recording_zones *zones, uint32_t number, struct zone_thread **thread)
{
    uint32_t *place = number_map_at(&zones->thread_map, number, 0);

    *thread = NULL;
    if (place && *place == MAP_NONE) {
        struct zone_thread *made = column_append(&zones->threads);

        if (!made)
            return status_no_memory("reading a thread");
        *made = (struct zone_thread){
            .number = number, .track = NO_ID, .sums = NO_ID, .first = INT64_MAX, .stepped = INT64_MIN
        };
        *place = (uint32_t)zones->threads.count - 1;
    }
    if (!place)
        return status_no_memory("reading a thread");
    *thread = thread_at(zones, *place);
    if (!(*thread)->window)
        (*thread)->window = memory_allocate(ZONE_WINDOW * sizeof *(*thread)->window);
    return (*thread)->window ? STATUS_OK : status_no_memory("reading a thread");
}

/* ---- The window --------------------------------------------------------------------------------------------------- */

static bool is_untimed(const struct zone_record *record)
{
    return record->kind != RECORD_BEGIN && record->kind != RECORD_END && record->kind != RECORD_INSTANT;
}

/* There is room for one more. */
static void insert(struct zone_thread *thread, uint32_t at, struct zone_record record)
{
    assert(at <= thread->count && thread->count < ZONE_WINDOW);
    memmove(&thread->window[at + 1], &thread->window[at], (thread->count - at) * sizeof *thread->window);
    thread->window[at] = record;
    thread->recent = at;
}

void zones_move_late(struct zone_thread *thread)
{
    struct zone_record record = thread->window[thread->count];
    uint32_t at = thread->count;

    while (at && thread->window[at - 1].time > record.time)
        at--;
    if (!thread->displaced)
        thread->depth = 0;
    thread->displaced = true;
    thread->depth += record.kind == RECORD_BEGIN ? 1 : record.kind == RECORD_END ? -1 : 0;
    insert(thread, at, record);
}

/* It belongs to what was recorded just before. Where that came late, and its zone is open, this is still the handler that came in between;
 * else the program goes on that it interrupted. */
status zones_add_untimed(struct recording_zones *zones, struct zone_thread *thread, const struct zone_record *record)
{
    struct zone_record placed = *record;
    uint32_t at;

    if (thread->count == ZONE_WINDOW) {
        status code = zones_drain(zones, thread, ZONE_WINDOW_KEPT);

        if (code != STATUS_OK)
            return code;
    }
    at = thread->count;
    if (thread->displaced && thread->depth > 0)
        at = thread->recent + 1;
    placed.time = at ? thread->window[at - 1].time : thread->told;
    insert(thread, at, placed);
    thread->count++;
    return STATUS_OK;
}

/* ---- What is known of a zone -------------------------------------------------------------------------------------- */

static struct zone_known *find_known(const struct recording_zones *zones, uint64_t where)
{
    uint32_t place;

    if (!zones->process->spots[where >> 12].marked)
        return NULL;
    place = number_map_find(&zones->known_map, where, 0);
    return place == MAP_NONE ? NULL : column_at(&zones->known, place);
}

/* The same while looking; NULL: out of memory. */
static struct zone_known *make_known(struct recording_zones *zones, uint64_t where)
{
    uint32_t *place = number_map_at(&zones->known_map, where, 0);
    struct zone_known *made;

    if (!place || *place != MAP_NONE)
        return place ? column_at(&zones->known, *place) : NULL;
    made = column_append(&zones->known);
    if (!made)
        return NULL;
    *made = (struct zone_known){ .first = NO_ID, .last = NO_ID, .run = NO_ID };
    *place = (uint32_t)zones->known.count - 1;
    zones->process->spots[where >> 12].marked = true;
    return made;
}

static status keep_fact(struct recording_zones *zones, uint64_t where, const struct zone_record *record)
{
    struct zone_known *known = make_known(zones, where);
    struct zone_fact *fact = known ? column_append(&zones->facts) : NULL;
    uint32_t place = (uint32_t)zones->facts.count - 1;

    if (!fact)
        return status_no_memory("keeping arguments");
    *fact = (struct zone_fact){ .record = *record, .next = NO_ID };
    if (known->last == NO_ID)
        known->first = place;
    else
        ((struct zone_fact *)column_at(&zones->facts, known->last))->next = place;
    known->last = place;
    return STATUS_OK;
}

/* ---- Looking ------------------------------------------------------------------------------------------------------ */

/* One more open zone, in the run of the one around it; NULL: out of memory. It is filled where it stays. */
static inline struct zone_open *push_open(struct zone_thread *thread, const struct zone_record *record,
                                          const struct recording_site *site)
{
    struct zone_open *open;

    if (thread->open == thread->capacity &&
        memory_grow(&thread->stack, &thread->capacity, thread->open + 1, sizeof *thread->stack) != STATUS_OK)
        return NULL;
    open = &thread->stack[thread->open++];
    open->where = record->where;
    open->start = record->time;
    open->site = record->id;
    open->name = record->text ? record->text : site->name;
    open->run = thread->open > 1 ? open[-1].run : NO_ID;
    open->open = NO_ID;
    thread->fresh = true;
    return open;
}

/* A zone that is no part of a run, of a site whose zones are runs. */
static status look_at_run(struct recording_zones *zones, struct zone_open *open)
{
    struct zone_known *known = make_known(zones, open->where);
    struct zone_run *run = known ? column_append(&zones->runs) : NULL;

    if (!run)
        return status_no_memory("keeping runs");
    *run = (struct zone_run){ .id = NO_ID, .start = open->start, .end = -1 };
    known->run = open->run = (run_id)(zones->runs.count - 1);
    return STATUS_OK;
}

status zones_step(struct recording_zones *zones, struct zone_thread *thread, int64_t time)
{
    int64_t before = thread->stepped;
    struct zone_run *run;

    assert(!zones->telling);
    thread->stepped = time;
    if (before == INT64_MIN || before > time || zones->failed)
        return STATUS_OK;
    run = column_append(&zones->runs);
    if (!run)
        return status_no_memory("keeping runs");
    *run = (struct zone_run){ .id = NO_ID, .start = before, .end = time };
    return STATUS_OK;
}

static status look_at_begin(struct recording_zones *zones, struct zone_thread *thread, const struct zone_record *record)
{
    struct recording_site *site;
    struct zone_open *open;
    status code = recording_site(zones->names, record->id, &site);

    assert(code != STATUS_OK || site);
    if (code != STATUS_OK)
        return code;
    open = push_open(thread, record, site);
    if (!open)
        return STATUS_MEMORY;
    thread->zones++;
    return open->run == NO_ID && site->flags & SITE_RUN && !zones->failed ? look_at_run(zones, open) : STATUS_OK;
}

/* The place of the zone that an end is of, counted from 1; 0: it is not open. */
static size_t find_open(const struct zone_thread *thread, uint32_t site)
{
    for (size_t i = thread->open; i > 0 && thread->open - i < DEEPEST_SEARCH; i--)
        if (thread->stack[i - 1].site == site)
            return i;
    return 0;
}

static void end_run(struct recording_zones *zones, const struct zone_thread *thread, size_t place, int64_t time)
{
    run_id run = thread->stack[place - 1].run;

    if (run != NO_ID && (place == 1 || thread->stack[place - 2].run == NO_ID))
        ((struct zone_run *)column_at(&zones->runs, run))->end = time;
}

static void look_at_end(struct recording_zones *zones, struct zone_thread *thread, const struct zone_record *record)
{
    size_t place = find_open(thread, record->id);

    thread->fresh = false;
    for (; place && thread->open >= place; thread->open--)
        end_run(zones, thread, thread->open, record->time);
}

static status look(struct recording_zones *zones, struct zone_thread *thread, const struct zone_record *record)
{
    switch (record->kind) {
    case RECORD_BEGIN:
        return look_at_begin(zones, thread, record);
    case RECORD_END:
        look_at_end(zones, thread, record);
        return STATUS_OK;
    case RECORD_INSTANT:
        thread->fresh = false;
        return STATUS_OK;
    default:
        if (record->kind == RECORD_NAME && thread->open)
            thread->stack[thread->open - 1].name = record->text;
        return thread->fresh || !thread->open || record->kind == RECORD_COLOR
                   ? STATUS_OK
                   : keep_fact(zones, thread->stack[thread->open - 1].where, record);
    }
}

/* ---- Telling ------------------------------------------------------------------------------------------------------ */

/* Where the source says that a site is, for people. */
static status place_operator(struct strings *strings, const struct recording_site *site, struct op *op)
{
    const char *file = strings_text(strings, site->file);
    status code = STATUS_OK;

    op->file = site->file;
    op->line = site->line;
    if (site->file && site->line)
        code = strings_add_format(strings, &op->place, "%s:%u", path_name(file), site->line);
    if (code == STATUS_OK && site->function && site->file)
        code = strings_add_format(strings, &op->location, "%s (%s:%u)", strings_text(strings, site->function), file,
                                  site->line);
    else if (code == STATUS_OK && site->file)
        code = strings_add_format(strings, &op->location, "%s:%u", file, site->line);
    else
        op->location = site->function;
    return code;
}

status zones_operator(struct recording_zones *zones, struct recording_site *site, operator_id *op)
{
    struct op made = { .name = site->name };
    uint32_t *place;
    status code;

    *op = site->op;
    if (site->op != NO_ID)
        return STATUS_OK;
    place = number_map_at(zones->operators, (uint64_t)site->name << 32 | site->file,
                          (uint64_t)site->line << 32 | site->function);
    if (!place)
        return status_no_memory("keeping operators");
    if (*place == MAP_NONE) {
        code = place_operator(zones->feed->strings, site, &made);
        if (code == STATUS_OK)
            code = feed_operator_new(zones->feed, &made);
        if (code != STATUS_OK)
            return code;
        *place = made.id;
    }
    *op = site->op = *place;
    return STATUS_OK;
}

status zones_thread_name(struct recording_zones *zones, const struct zone_thread *thread, string_id *name)
{
    uint32_t place = number_map_find(&zones->names->thread_map, thread->number, 0);
    const struct recording_thread_name *known = place == MAP_NONE ? NULL : column_at(&zones->names->threads, place);

    *name = known ? known->name : 0;
    return *name ? STATUS_OK
                 : strings_add_format(zones->feed->strings, name, "thread %llu",
                                      (unsigned long long)(known ? known->system : thread->number));
}

static status announce_thread(struct recording_zones *zones, struct zone_thread *thread)
{
    struct track track = {
        .parent = zones->parent,
        .order = feed_order(&engine_thread, thread->number),
        .clock = zones->clock,
        .kind = TRACK_SLICES,
        .engine = &engine_thread,
        .index = thread->number,
    };
    status code = zones_thread_name(zones, thread, &track.name);

    return code == STATUS_OK ? feed_track(zones->feed, track, &thread->track) : code;
}

static status lose(struct recording_zones *zones, const struct loss_reason *reason)
{
    return source_lose(zones->source, zones->feed, reason, 0, 0);
}

static status add_argument(struct zone_thread *thread, struct argument argument)
{
    status code;

    for (size_t i = 0; i < thread->argument_count; i++) {
        if (thread->arguments[i].key == argument.key) {
            thread->arguments[i] = argument;
            return STATUS_OK;
        }
    }
    code = memory_grow(&thread->arguments, &thread->argument_capacity, thread->argument_count + 1,
                       sizeof *thread->arguments);
    if (code == STATUS_OK)
        thread->arguments[thread->argument_count++] = argument;
    return code;
}

static status add_flow(struct recording_zones *zones, struct zone_thread *thread, uint64_t number)
{
    uint32_t *flow = number_map_at(&zones->flow_map, number, 0);
    status code =
        flow ? memory_grow(&thread->flows, &thread->flow_capacity, thread->flow_count + 1, sizeof *thread->flows)
             : status_no_memory("keeping flows");

    if (code != STATUS_OK)
        return code;
    if (*flow == MAP_NONE)
        *flow = feed_flow(zones->feed);
    thread->flows[thread->flow_count++] = *flow;
    return STATUS_OK;
}

enum { MOST_ARGUMENTS = 64 }; /* of a zone: keys are told apart one by one */

/* Something about the zone that is not told yet. */
static status take_fact(struct recording_zones *zones, struct zone_thread *thread, const struct zone_record *record)
{
    struct argument argument = { .key = record->id, .type = record->type, .integer = record->integer };

    switch (record->kind) {
    case RECORD_NAME:
        thread->stack[thread->open - 1].name = record->text;
        return STATUS_OK;
    case RECORD_FLOW:
        if (thread->flow_count >= MOST_ARGUMENTS)
            return lose(zones, &recording_loss_many);
        return add_flow(zones, thread, record->natural);
    case RECORD_COLOR:
        return STATUS_OK;
    default:
        if (thread->argument_count >= MOST_ARGUMENTS)
            return lose(zones, &recording_loss_many);
        if (record->type == ARGUMENT_TEXT)
            argument.text = record->text;
        return add_argument(thread, argument);
    }
}

static status take_known(struct recording_zones *zones, struct zone_thread *thread, struct zone_open *open)
{
    const struct zone_known *known = find_known(zones, open->where);
    struct argument unfinished = { .key = zones->unfinished, .type = ARGUMENT_BOOLEAN, .boolean = true };
    status code = STATUS_OK;

    if (!known)
        return STATUS_OK;
    for (uint32_t i = known->first; i != NO_ID && code == STATUS_OK;) {
        const struct zone_fact *fact = column_at(&zones->facts, i);

        code = take_fact(zones, thread, &fact->record);
        i = fact->next;
    }
    if (known->run != NO_ID)
        open->run = ((const struct zone_run *)column_at(&zones->runs, known->run))->id;
    return known->unfinished && code == STATUS_OK ? add_argument(thread, unfinished) : code;
}

/* The innermost zone begins in the sink, with all that is known of it. */
static status tell_begin(struct recording_zones *zones, struct zone_thread *thread)
{
    struct zone_open *open = &thread->stack[thread->open - 1];
    struct slice slice = { .track = thread->track, .start = open->start };
    struct recording_site *site;
    status code = take_known(zones, thread, open);

    assert(thread->fresh && thread->open && thread->track != NO_ID);
    thread->fresh = false;
    if (code == STATUS_OK)
        code = recording_site(zones->names, open->site, &site);
    if (code == STATUS_OK)
        code = zones_operator(zones, site, &slice.op);
    if (code == STATUS_OK)
        code = feed_open(zones->feed, &open->open);
    if (code != STATUS_OK)
        return code;
    slice.name = open->name;
    slice.run = open->run;
    slice.arguments = thread->arguments;
    slice.argument_count = (uint32_t)thread->argument_count;
    if (thread->flow_count) {
        slice.flow = thread->flows[0];
        slice.more_flows = thread->flows + 1;
        slice.more_flow_count = (uint32_t)thread->flow_count - 1;
    }
    thread->argument_count = thread->flow_count = 0;
    return sink_begin(&zones->feed->sink, open->open, thread->open > 1 ? open[-1].open : NO_ID, &slice);
}

static status settle(struct recording_zones *zones, struct zone_thread *thread)
{
    return thread->fresh ? tell_begin(zones, thread) : STATUS_OK;
}

static status tell_zone(struct recording_zones *zones, struct zone_thread *thread, const struct zone_record *record)
{
    struct recording_site *site;
    status code = settle(zones, thread);

    if (code == STATUS_OK)
        code = recording_site(zones->names, record->id, &site);
    if (code == STATUS_OK && !site->known)
        code = lose(zones, &recording_loss_site);
    if (code != STATUS_OK)
        return code;
    return push_open(thread, record, site) ? STATUS_OK : STATUS_MEMORY;
}

static status close_top(struct recording_zones *zones, struct zone_thread *thread, int64_t time)
{
    open_id open = thread->stack[--thread->open].open;
    status code = sink_end(&zones->feed->sink, open, time);

    feed_close(zones->feed, open);
    return code;
}

static status tell_end(struct recording_zones *zones, struct zone_thread *thread, const struct zone_record *record)
{
    status code = settle(zones, thread);
    size_t place = find_open(thread, record->id);

    if (code == STATUS_OK && !place)
        return lose(zones, zones->process->head->ring_count ? &recording_loss_ring : &loss_end_without_begin);
    while (code == STATUS_OK && thread->open > place) {
        code = lose(zones, &recording_loss_no_end);
        if (code == STATUS_OK)
            code = close_top(zones, thread, record->time);
    }
    return code == STATUS_OK ? close_top(zones, thread, record->time) : code;
}

static status tell_instant(struct recording_zones *zones, struct zone_thread *thread, const struct zone_record *record)
{
    struct slice slice = { .track = thread->track,
                           .name = record->text,
                           .op = NO_ID,
                           .run = NO_ID,
                           .start = record->time,
                           .end = record->time };
    struct recording_site *site = NULL;
    status code = settle(zones, thread);

    if (code == STATUS_OK && record->id)
        code = recording_site(zones->names, record->id, &site);
    if (code == STATUS_OK && site)
        code = zones_operator(zones, site, &slice.op);
    if (site && !slice.name)
        slice.name = site->name;
    if (thread->open)
        slice.run = thread->stack[thread->open - 1].run;
    return code == STATUS_OK ? SINK_CALL(&zones->feed->sink, instant, &slice) : code;
}

static status tell(struct recording_zones *zones, struct zone_thread *thread, const struct zone_record *record)
{
    switch (record->kind) {
    case RECORD_BEGIN:
        return tell_zone(zones, thread, record);
    case RECORD_END:
        return tell_end(zones, thread, record);
    case RECORD_INSTANT:
        return tell_instant(zones, thread, record);
    default:
        if (!thread->open)
            return record->kind == RECORD_COLOR ? STATUS_OK : lose(zones, &recording_loss_outside);
        /* What comes later was found by the first walk. */
        return thread->fresh ? take_fact(zones, thread, record) : STATUS_OK;
    }
}

/* ---- Walks -------------------------------------------------------------------------------------------------------- */

void zones_widen(struct recording_zones *zones, struct zone_thread *thread, int64_t time)
{
    thread->first = time < thread->first ? time : thread->first;
    thread->last = time > thread->last ? time : thread->last;
    zones->last = time > zones->last ? time : zones->last;
}

status zones_drain(struct recording_zones *zones, struct zone_thread *thread, uint32_t keep)
{
    uint32_t done = thread->count > keep ? thread->count - keep : 0;
    status code = STATUS_OK;

    if (zones->telling && done && thread->track == NO_ID)
        code = announce_thread(zones, thread);
    for (uint32_t i = 0; i < done && code == STATUS_OK; i++) {
        struct zone_record *record = &thread->window[i];

        /* What is out of order by more than a window cannot be put right. */
        if (record->time < thread->told && !is_untimed(record)) {
            if (zones->telling)
                losses_mark(&zones->feed->losses, &loss_backwards, 1);
            record->time = thread->told;
        }
        thread->told = record->time > thread->told ? record->time : thread->told;
        code = zones->telling ? tell(zones, thread, record) : look(zones, thread, record);
    }
    if (done) {
        zones_widen(zones, thread, thread->window[0].time);
        zones_widen(zones, thread, thread->told);
    }
    memmove(thread->window, thread->window + done, (thread->count - done) * sizeof *thread->window);
    thread->count -= done;
    thread->recent = thread->recent > done ? thread->recent - done : 0;
    return code;
}

static status finish_looking(struct recording_zones *zones, struct zone_thread *thread)
{
    for (size_t i = 0; i < thread->open; i++) {
        struct zone_known *known = make_known(zones, thread->stack[i].where);

        if (!known)
            return status_no_memory("keeping open zones");
        known->unfinished = true;
    }
    zones->open_at_end += thread->open;
    zones->zones += thread->zones;
    zones->recorded += thread->last > thread->first ? thread->last - thread->first : 0;
    return STATUS_OK;
}

static status finish_telling(struct recording_zones *zones, struct zone_thread *thread)
{
    int64_t end = zones->last > thread->told ? zones->last : thread->told;
    status code = settle(zones, thread);

    while (thread->open && code == STATUS_OK)
        code = close_top(zones, thread, end);
    return code;
}

status zones_finish(struct recording_zones *zones)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < zones->threads.count && code == STATUS_OK; i++)
        code = zones_drain(zones, thread_at(zones, i), 0);
    for (size_t i = 0; i < zones->threads.count && code == STATUS_OK; i++)
        code = zones->telling ? finish_telling(zones, thread_at(zones, i)) : finish_looking(zones, thread_at(zones, i));
    return code;
}

void zones_describe_open(const struct recording_zones *zones, char *to, size_t size)
{
    enum { THREADS = 4, DEEPEST = 8 };
    size_t length = 0, shown = 0, threads = 0;

    assert(!zones->telling && size);
    *to = '\0';
    for (size_t i = 0; i < zones->threads.count; i++) {
        const struct zone_thread *thread = thread_at(zones, i);

        if (!thread->open)
            continue;
        threads++;
        if (shown++ >= THREADS)
            continue;
        for (size_t j = 0; j < thread->open && j < DEEPEST && length < size; j++)
            length += (size_t)snprintf(to + length, size - length, "%s%.100s",
                                       j           ? " > "
                                       : shown > 1 ? "; "
                                                   : "",
                                       strings_text(zones->feed->strings, thread->stack[j].name));
        if (thread->open > DEEPEST && length < size)
            length += (size_t)snprintf(to + length, size - length, " > ...");
    }
    if (threads > THREADS && length < size)
        snprintf(to + length, size - length, "; and of %zu more threads", threads - THREADS);
}

static int by_start(const void *left, const void *right)
{
    const struct zone_run *a = *(struct zone_run *const *)left, *b = *(struct zone_run *const *)right;

    return (a->start > b->start) - (a->start < b->start);
}

/* From the first record of any thread to the last. */
static status announce_whole(struct recording_zones *zones, uint32_t launch, uint32_t *index)
{
    struct run whole = {
        .launch = launch, .index = *index, .clock = zones->clock, .start = INT64_MAX, .end = INT64_MIN
    };

    for (size_t i = 0; i < zones->threads.count; i++) {
        const struct zone_thread *thread = thread_at(zones, i);

        if (thread->first > thread->last)
            continue;
        whole.start = thread->first < whole.start ? thread->first : whole.start;
        whole.end = thread->last > whole.end ? thread->last : whole.end;
    }
    if (whole.start > whole.end)
        return STATUS_OK;
    ++*index;
    return feed_run(zones->feed, &whole);
}

static status announce_runs(struct recording_zones *zones, uint32_t launch, uint32_t *index)
{
    struct zone_run **order = memory_allocate((zones->runs.count + 1) * sizeof(struct zone_run *));
    status code = order ? STATUS_OK : status_no_memory("keeping runs");
    size_t count = 0;

    for (size_t i = 0; i < zones->runs.count && order; i++) {
        order[count] = column_at(&zones->runs, i);
        count += order[count]->end >= order[count]->start;
    }
    if (count)
        qsort(order, count, sizeof *order, by_start);
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        struct run run = {
            .launch = launch, .index = (*index)++, .clock = zones->clock, .start = order[i]->start, .end = order[i]->end
        };

        code = feed_run(zones->feed, &run);
        order[i]->id = run.id;
    }
    memory_free(order);
    if (code == STATUS_OK && zones->is_run && !zones->runs.count)
        code = announce_whole(zones, launch, index);
    return code;
}

status zones_begin_telling(struct recording_zones *zones, uint32_t launch, uint32_t *index)
{
    status code = announce_runs(zones, launch, index);

    zones->telling = true;
    for (size_t i = 0; i < zones->threads.count; i++) {
        struct zone_thread *thread = thread_at(zones, i);

        assert(!thread->count);
        thread->open = 0;
        thread->fresh = thread->displaced = false;
        thread->told = 0;
    }
    return code;
}
