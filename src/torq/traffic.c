/* traffic.c: transfers by engine and size, jobs by what tells them apart. */
#include "torq/traffic.h"

#include <assert.h>

#include "base/memory.h"
#include "base/number.h"
#include "torq/chain.h"

struct traffic_track {
    uint32_t engine; /* row; NO_ID: it moves no data */
    bool jobs;       /* its slices are jobs */
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
    map_free(&traffic->by_key);
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
    assert(track->id == traffic->tracks.count - 1 && "ids of tracks are dense");
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
    return one->name == other->name && one->op == other->op && one->job == other->job &&
           one->start_action == other->start_action && one->wait_action == other->wait_action;
}

static uint64_t hash_of(const struct traffic_job *job)
{
    uint64_t hash = map_mix((uint64_t)job->name << 32 | job->op, job->job ? job->job->index : NO_ID);

    return map_mix(map_mix(hash, (uint64_t)job->start_action), (uint64_t)job->wait_action);
}

static status find_job(struct traffic *traffic, const struct slice *slice, uint32_t *index)
{
    struct traffic_job key = { .name = slice->name, .op = slice->op, .start_action = -1, .wait_action = -1 };
    struct traffic_job *job;
    uint64_t hash;
    size_t cursor;

    key.job = traffic->told;
    for (uint32_t i = 0; i < slice->argument_count; i++) {
        if (slice->arguments[i].key == traffic->keys.start_action)
            key.start_action = slice->arguments[i].integer;
        else if (slice->arguments[i].key == traffic->keys.wait_action)
            key.wait_action = slice->arguments[i].integer;
    }
    hash = hash_of(&key);
    for (*index = map_first(&traffic->by_key, hash, &cursor); *index != MAP_NONE;
         *index = map_next(&traffic->by_key, hash, &cursor))
        if (is_same(traffic_job(traffic, *index), &key))
            return STATUS_OK;
    *index = (uint32_t)traffic->jobs.count;
    job = column_append(&traffic->jobs);
    if (!job)
        return status_no_memory("keeping a job");
    *job = key;
    return map_add(&traffic->by_key, hash, *index);
}

/* ---- Slices ---- */

static status start(struct traffic *traffic, const struct slice *slice, struct traffic_open *open)
{
    const struct traffic_track *track = column_at(&traffic->tracks, slice->track);

    assert(slice->track < traffic->tracks.count);
    *open = (struct traffic_open){ .engine = track->engine, .job = NO_ID, .start = slice->start };
    if (track->engine != NO_ID)
        open->bytes = slice_bytes(slice);
    return track->jobs ? find_job(traffic, slice, &open->job) : STATUS_OK;
}

static void finish(struct traffic *traffic, const struct traffic_open *open, int64_t end)
{
    int64_t ticks = end > open->start ? end - open->start : 0;

    assert(open->engine == NO_ID || open->engine < traffic->engines.count);
    assert(open->job == NO_ID || open->job < traffic->jobs.count);
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

    assert(id < traffic->open_capacity);
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

void traffic_listen(struct traffic *traffic, struct source *source)
{
    assert(traffic->tracks.element_size && "traffic is started before it listens");
    source_add_companion(source, TRAFFIC_ROLE, traffic);
}
