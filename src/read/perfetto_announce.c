/* perfetto_announce.c: the clocks, tracks, operators and runs that Tacho wrote, announced to the feed between the two walks; of several inputs, those of one.
 */
#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"
#include "read/chain.h"
#include "read/perfetto_reading.h"

/* ---- Inputs ---- */

static const struct engine *engine_in(const struct engine *const *engines, struct text key)
{
    for (; engines && *engines; engines++)
        if (text_is(key, (*engines)->key))
            return *engines;
    return NULL;
}

/* The engine of a key: that of the chain whose words the trace uses, of the core, or of another chain; one that there is none of is unknown. */
static const struct engine *find_engine(const struct chain *words, struct text key)
{
    const struct engine *found = words ? engine_in(words->engines, key) : NULL;

    if (!found)
        found = engine_in(core_engines, key);
    for (const struct chain *const *chain = chains; *chain && !found; chain++)
        found = engine_in((*chain)->engines, key);
    return found ? found : &engine_unknown;
}

/* A process that is not drawn: an input of the trace. */
static bool is_input(const struct own_track *own)
{
    const struct engine *engine = own->engine.length ? find_engine(NULL, own->engine) : NULL;

    return own->known && own->track.kind == TRACK_PROCESS && !own->parent && engine_group(engine) != GROUP_DRAWN;
}

/* What was done with a trace of several inputs. */
static status note_inputs(struct perfetto_reading *reading, const struct own_track *root, size_t inputs)
{
    const struct source *source = reading->source;
    string_id note = 0;
    status code = STATUS_OK;

    if (source->part && !root)
        code = strings_add_format(reading->strings, &note, "the trace ends before its input %zu", source->part);
    else if (source->only_of)
        code = strings_add_format(reading->strings, &note, "the trace holds %zu inputs: this is about %s, the first",
                                  source->only_of, strings_text(reading->strings, root->track.name));
    else if (inputs > 1 && !source->part)
        code = strings_add_format(reading->strings, &note,
                                  "the trace holds %zu inputs: sums are those of the first; convert keeps all", inputs);
    if (code == STATUS_OK && note)
        source_note(reading->source, strings_text(reading->strings, note));
    return code;
}

/* Whether one input stood before another where they were given. They need not be read in that order. */
static bool is_before(const struct own_track *one, const struct own_track *other)
{
    return one->track.order == other->track.order ? one->number < other->number : one->track.order < other->track.order;
}

/* The input's own process: that of the first, or of the part that is wanted. NULL: it is not there. */
static struct own_track *find_root(const struct perfetto_reading *reading, struct own_track *const *tracks,
                                   size_t count)
{
    struct own_track *found = NULL;

    for (size_t part = 0; part < reading->source->part + !reading->source->part; part++) {
        struct own_track *next = NULL;

        for (size_t i = 0; i < count; i++)
            if (is_input(tracks[i]) && (!found || is_before(found, tracks[i])) && (!next || is_before(tracks[i], next)))
                next = tracks[i];
        if (!next)
            return NULL;
        found = next;
    }
    return found;
}

/* Whether a track is of another input than the one that is read. What is drawn of an input comes right behind it. */
static bool is_elsewhere(const struct perfetto_reading *reading, const struct own_track *own,
                         const struct own_track *root)
{
    enum { DEEPEST_TRACK = 99 };

    for (unsigned depth = 0; own->parent && depth < DEEPEST_TRACK; depth++) {
        uint32_t above = number_map_find(&reading->own.track_map, own->parent, 0);

        if (above == MAP_NONE)
            break;
        own = own_at(reading, above);
    }
    return own != root && (!root || is_input(own) || own->track.order != root->track.order + 1);
}

/* ---- Announcing ---- */

static int by_number(const void *left, const void *right)
{
    const struct own_track *a = *(struct own_track *const *)left, *b = *(struct own_track *const *)right;

    return (a->number > b->number) - (a->number < b->number);
}

static status announce_operators(struct perfetto_reading *reading)
{
    struct own_reading *own = &reading->own;
    status code = STATUS_OK;

    for (size_t i = 0; i < own->operators.count && code == STATUS_OK; i++)
        code = feed_operator_new(reading->feed, column_at(&own->operators, i));
    return code;
}

static status announce_clock(struct perfetto_reading *reading, uint64_t number, clock_id *id, struct clock *ticks)
{
    uint32_t place = number ? number_map_find(&reading->own.clock_map, number, 0) : MAP_NONE;
    struct own_clock *clock = place == MAP_NONE ? NULL : column_at(&reading->own.clocks, place);
    status code = STATUS_OK;

    *id = NO_ID;
    *ticks = clock_nanoseconds(0);
    if (!clock)
        return STATUS_OK;
    if (clock->id == NO_ID)
        code = feed_clock(reading->feed, &clock->clock, &clock->id);
    *id = clock->id;
    *ticks = clock->clock;
    return code;
}

static status announce_track(struct perfetto_reading *reading, struct own_track *own, const struct own_track *root)
{
    struct source *source = reading->source;
    uint32_t parent = own->parent ? number_map_find(&reading->own.track_map, own->parent, 0) : MAP_NONE;
    struct track track = own->track;
    status code = announce_clock(reading, own->clock, &track.clock, &own->ticks);

    own->limit = clock_limit(&own->ticks);
    own->inverse = clock_inverse(&own->ticks);
    own->drawn = engine_group(track.engine) == GROUP_DRAWN;
    if (track.engine == &engine_overview)
        source->drawn |= DRAWN_OVERVIEW;
    else if (track.engine == &engine_operators)
        source->drawn |= DRAWN_OPERATORS;
    else if (track.engine == &engine_flight)
        source->drawn |= DRAWN_COUNTERS;
    track.parent = parent == MAP_NONE ? NO_ID : own_at(reading, parent)->id;
    if (track.parent == NO_ID && track.kind != TRACK_PROCESS)
        track.parent = reading->feed->root;
    if (code == STATUS_OK && track.clock == NO_ID && (track.kind == TRACK_SLICES || track.kind == TRACK_COUNTER))
        code = lines_clock(reading, &track.clock);
    if (track.kind == TRACK_PROCESS && root)
        track.order = source->order + (track.order - root->track.order);
    return code == STATUS_OK ? feed_track(reading->feed, track, &own->id) : code;
}

/* All of them by number, and the process of the input. */
static status find_tracks(struct perfetto_reading *reading, struct own_track **sorted, struct own_track **root)
{
    size_t count = reading->own.tracks.count;
    status code = STATUS_OK;

    for (size_t i = 0; i < count; i++)
        sorted[i] = own_at(reading, (uint32_t)i);
    qsort(sorted, count, sizeof *sorted, by_number);
    *root = find_root(reading, sorted, count);
    if (reading->source->part) {
        reading->own.input = *root ? (*root)->number : UINT64_MAX;
        reading->source->clock = reading->source->path; /* that of the other inputs in the file */
        code = own_take_told(reading);
    }
    for (size_t i = 0; i < count; i++) {
        struct own_track *own = sorted[i];

        own->elsewhere = reading->source->part && is_elsewhere(reading, own, *root);
        if (own->engine.length || own->track.kind == TRACK_SLICES || own->track.kind == TRACK_COUNTER)
            own->track.engine = find_engine(reading->source->chain, own->engine);
    }
    return code;
}

static status announce_tracks(struct perfetto_reading *reading)
{
    size_t count = reading->own.tracks.count, inputs = 0;
    struct own_track **sorted = memory_allocate((count + 1) * sizeof *sorted);
    struct own_track *root = NULL;
    status code = sorted ? find_tracks(reading, sorted, &root) : status_no_memory("announcing tracks");

    if (code == STATUS_OK)
        code = source_begin(reading->source, reading->feed, root ? root->track.name : 0);
    if (code == STATUS_OK && root) {
        root->id = reading->feed->root;
        root->ticks = clock_nanoseconds(0);
        root->limit = clock_limit(&root->ticks);
        root->inverse = clock_inverse(&root->ticks);
    }
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        inputs += is_input(sorted[i]);
        if (sorted[i]->id == NO_ID && sorted[i]->known && !sorted[i]->elsewhere)
            code = announce_track(reading, sorted[i], root);
    }
    if (code == STATUS_OK)
        code = note_inputs(reading, root, inputs);
    memory_free(sorted);
    return code;
}

static status announce_runs(struct perfetto_reading *reading)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < reading->own.runs.count && code == STATUS_OK; i++) {
        struct own_run *own = column_at(&reading->own.runs, i);
        struct clock ticks;

        if (reading->own.input && own->process != reading->own.input)
            continue;
        code = announce_clock(reading, own->clock, &own->run.clock, &ticks);
        if (code == STATUS_OK && own->run.clock != NO_ID && own->run.start >= 0 && own->run.start <= own->run.end &&
            own->run.end <= clock_limit(&ticks))
            code = feed_run(reading->feed, &own->run);
    }
    return code;
}

status own_announce(struct perfetto_reading *reading)
{
    status code = announce_tracks(reading);

    if (code == STATUS_OK)
        code = announce_operators(reading);
    return code == STATUS_OK ? announce_runs(reading) : code;
}
