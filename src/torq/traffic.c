#include "torq/traffic.h"

#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "torq/chain.h"

struct traffic_track {
    uint32_t engine; /* row; NO_ID: it moves no data */
    bool jobs;
};

void traffic_start(struct traffic *traffic, struct strings *strings)
{
    *traffic = (struct traffic){ .strings = strings };
    column_start(&traffic->tracks, sizeof(struct traffic_track));
    column_start(&traffic->engines, sizeof(struct traffic_engine));
    column_start(&traffic->jobs, sizeof(struct traffic_job));
}

void traffic_free(struct traffic *traffic)
{
    column_free(&traffic->tracks);
    column_free(&traffic->engines);
    column_free(&traffic->jobs);
    memory_free(traffic->slots);
    memory_free(traffic->opens);
    traffic_start(traffic, traffic->strings);
}

const struct traffic_engine *traffic_of_track(const struct traffic *traffic, track_id track)
{
    const struct traffic_track *found = track < traffic->tracks.count ? column_at(&traffic->tracks, track) : NULL;

    return found && found->engine != NO_ID ? traffic_engine(traffic, found->engine) : NULL;
}

static status on_track(void *self, const struct track *track)
{
    struct traffic *traffic = self;
    struct traffic_track *kept = column_append(&traffic->tracks);
    struct traffic_engine *engine;

    if (!kept)
        return status_no_memory("keeping a track");
    if (torq_keys_start(&traffic->keys, traffic->strings) != STATUS_OK)
        return STATUS_MEMORY;
    *kept = (struct traffic_track){ .engine = NO_ID,
                                    .jobs = track->kind == TRACK_SLICES && track->engine == &torq_engine_job };
    if (track->kind != TRACK_SLICES || engine_group(track->engine) != GROUP_TRANSFER)
        return STATUS_OK;
    engine = column_append(&traffic->engines);
    if (!engine)
        return status_no_memory("keeping an engine");
    *engine = (struct traffic_engine){ .track = track->id };
    kept->engine = (uint32_t)(traffic->engines.count - 1);
    return STATUS_OK;
}

/* ---- Jobs ---- */

static bool is_same(const struct traffic_job *one, const struct traffic_job *other)
{
    return one->name == other->name && one->op == other->op && one->start_action == other->start_action &&
           one->wait_action == other->wait_action;
}

static size_t slot_of(const struct traffic *traffic, const struct traffic_job *job)
{
    uint64_t hash = ((uint64_t)job->name << 32 | job->op) * 0x9E3779B97F4A7C15u;
    size_t slot;

    hash = (hash ^ (uint64_t)job->start_action ^ (uint64_t)job->wait_action << 17) * 0x9E3779B97F4A7C15u;
    slot = (size_t)(hash >> 24) & (traffic->slot_count - 1);
    while (traffic->slots[slot] && !is_same(traffic_job(traffic, traffic->slots[slot] - 1), job))
        slot = (slot + 1) & (traffic->slot_count - 1);
    return slot;
}

static status grow(struct traffic *traffic)
{
    size_t count = traffic->slot_count ? traffic->slot_count * 2 : 256;
    uint32_t *slots = memory_allocate_clear(count * sizeof *slots);

    if (!slots)
        return status_no_memory("keeping jobs");
    memory_free(traffic->slots);
    traffic->slots = slots;
    traffic->slot_count = count;
    for (size_t i = 0; i < traffic->jobs.count; i++)
        slots[slot_of(traffic, traffic_job(traffic, i))] = (uint32_t)i + 1;
    return STATUS_OK;
}

static status find_job(struct traffic *traffic, const struct slice *slice, uint32_t *index)
{
    struct traffic_job key = { .name = slice->name, .op = slice->op, .start_action = -1, .wait_action = -1 };
    struct traffic_job *job;
    size_t slot;

    for (uint32_t i = 0; i < slice->argument_count; i++) {
        if (slice->arguments[i].key == traffic->keys.start_action)
            key.start_action = slice->arguments[i].integer;
        else if (slice->arguments[i].key == traffic->keys.wait_action)
            key.wait_action = slice->arguments[i].integer;
    }
    if (traffic->jobs.count * 2 >= traffic->slot_count && grow(traffic) != STATUS_OK)
        return STATUS_MEMORY;
    slot = slot_of(traffic, &key);
    if (!traffic->slots[slot]) {
        job = column_append(&traffic->jobs);
        if (!job)
            return status_no_memory("keeping a job");
        *job = key;
        traffic->slots[slot] = (uint32_t)traffic->jobs.count;
    }
    *index = traffic->slots[slot] - 1;
    return STATUS_OK;
}

/* ---- Slices ---- */

static status start(struct traffic *traffic, const struct slice *slice, struct traffic_open *open)
{
    const struct traffic_track *track = column_at(&traffic->tracks, slice->track);

    *open = (struct traffic_open){ .engine = track->engine, .job = NO_ID, .start = slice->start };
    if (track->engine != NO_ID)
        open->bytes = slice_bytes(slice);
    return track->jobs ? find_job(traffic, slice, &open->job) : STATUS_OK;
}

static void finish(struct traffic *traffic, const struct traffic_open *open, int64_t end)
{
    int64_t ticks = end > open->start ? end - open->start : 0;

    if (open->job != NO_ID) {
        struct traffic_job *job = column_at(&traffic->jobs, open->job);

        job->count++;
        job->ticks = number_add(job->ticks, ticks);
    }
    if (open->engine != NO_ID) {
        struct traffic_engine *engine = column_at(&traffic->engines, open->engine);
        struct traffic_size *size;

        if (open->bytes <= 0) {
            engine->unsized++;
            return;
        }
        size = &engine->sizes[63 - __builtin_clzll((unsigned long long)open->bytes)];
        size->count++;
        size->bytes = number_add(size->bytes, open->bytes);
        size->ticks = number_add(size->ticks, ticks);
    }
}

static status on_slice(void *self, const struct slice *slice)
{
    struct traffic_open open;
    status code = start(self, slice, &open);

    if (code == STATUS_OK)
        finish(self, &open, slice->end);
    return code;
}

static status on_begin(void *self, open_id id, open_id parent, const struct slice *slice)
{
    struct traffic *traffic = self;
    status code = memory_grow(&traffic->opens, &traffic->open_capacity, (size_t)id + 1, sizeof *traffic->opens);

    (void)parent;
    return code == STATUS_OK ? start(traffic, slice, &traffic->opens[id]) : code;
}

static status on_end(void *self, open_id id, int64_t time)
{
    struct traffic *traffic = self;

    finish(traffic, &traffic->opens[id], time);
    return STATUS_OK;
}

static const struct sink_calls traffic_calls = {
    .track = on_track,
    .slice = on_slice,
    .begin = on_begin,
    .end = on_end,
};

struct sink traffic_sink(struct traffic *traffic)
{
    return (struct sink){ &traffic_calls, traffic };
}
