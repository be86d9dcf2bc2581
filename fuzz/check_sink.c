/* check_sink.c: a sink that checks every rule of the seam, and readers run in pieces and in whole. */
#include "check_sink.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "read/chain.h"
#include "torq/chain.h"
#include "trace/clock.h"
#include "trace/places.h"

struct check_track {
    enum track_kind kind;
    clock_id clock;
    bool has_slices; /* came by `slice` */
    bool has_begins; /* came by `begin` */
};

struct check_open {
    bool open;
    open_id parent;
    uint32_t children; /* that are open */
    track_id track;
    int64_t start;
};

void check_that(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "rule broken: %s\n", what);
    abort();
}

static void digest(struct check *check, uint64_t value)
{
    check->digest = (check->digest ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    check->digest ^= check->digest >> 29;
}

static void check_text(const struct check *check, string_id id)
{
    check_that(id < strings_count(check->strings), "a text that is in the pool");
}

static status take_clock(void *self, clock_id id, const struct clock *clock)
{
    struct check *check = self;
    int64_t *latest;

    check_that(id == check->clocks.count, "clock ids are dense");
    check_that(clock->numerator > 0 && clock->denominator > 0, "a clock that runs");
    check_text(check, clock->name);
    latest = column_append(&check->clocks);
    if (!latest)
        return status_no_memory("a clock");
    *latest = clock_limit(clock);
    digest(check, clock->numerator ^ clock->denominator << 32);
    return STATUS_OK;
}

/* A track of slices or values has an engine that the core or a chain has registered. */
static bool is_registered(const struct engine *engine)
{
    for (const struct engine *const *own = core_engines; *own; own++)
        if (*own == engine)
            return true;
    for (const struct chain *const *chain = chains; *chain; chain++)
        for (const struct engine *const *own = (*chain)->engines; own && *own; own++)
            if (*own == engine)
                return true;
    return false;
}

static status take_track(void *self, const struct track *track)
{
    struct check *check = self;
    struct check_track *kept;

    check_that(track->id == check->tracks.count, "track ids are dense");
    check_that(track->parent == NO_ID || track->parent < track->id, "a parent that was announced before");
    check_that(is_registered(track->engine) ||
                   (!track->engine && (track->kind == TRACK_PROCESS || track->kind == TRACK_GROUP)),
               "an engine that exists");
    check_that(track->kind == TRACK_PROCESS || track->kind == TRACK_GROUP || track->clock < check->clocks.count,
               "a track's clock was announced before");
    check_text(check, track->name);
    kept = column_append(&check->tracks);
    if (!kept)
        return status_no_memory("a track");
    *kept = (struct check_track){ .kind = track->kind, .clock = track->clock };
    digest(check, (uintptr_t)track->engine);
    digest(check, track->index);
    return STATUS_OK;
}

static status take_operator(void *self, const struct op *op)
{
    struct check *check = self;

    check_that(op->id == check->operators++, "operator ids are dense");
    check_text(check, op->name);
    check_text(check, op->type);
    check_text(check, op->location);
    check_text(check, op->file);
    digest(check, op->name);
    return STATUS_OK;
}

static status take_run(void *self, const struct run *run)
{
    struct check *check = self;

    check_that(run->id == check->runs++, "run ids are dense");
    digest(check, run->index);
    return STATUS_OK;
}

static struct check_track *track_of(struct check *check, track_id id, int64_t time)
{
    struct check_track *track;

    check_that(id < check->tracks.count, "a track that was announced");
    track = column_at(&check->tracks, id);
    check_that(time >= 0, "times are not negative");
    check_that(time <= *(int64_t *)column_at(&check->clocks, track->clock), "times fit the clock");
    return track;
}

static void check_slice(struct check *check, const struct slice *slice)
{
    check_text(check, slice->name);
    check_that(slice->op == NO_ID || slice->op < check->operators, "an operator that was announced");
    check_that(slice->run == NO_ID || slice->run < check->runs, "a run that was announced");
    digest(check, slice->track);
    digest(check, slice->name);
    digest(check, slice->op);
    digest(check, (uint64_t)slice->start);
    for (uint32_t i = 0; i < slice->argument_count; i++) {
        const struct argument *argument = &slice->arguments[i];

        bool text = argument->type == ARGUMENT_TEXT || argument->type == ARGUMENT_JSON;

        check_that(argument->key != KEY_NONE, "an argument has a key");
        check_text(check, argument->key);
        check_that(!argument_find(slice->arguments, i, argument->key), "each key once");
        check_that(argument->type <= ARGUMENT_JSON, "an argument of a type that exists");
        if (text)
            check_text(check, argument->text);
        digest(check, argument->key);
        digest(check, text ? argument->text : argument->natural);
    }
    for (uint32_t i = 0; i < slice_flow_count(slice); i++) {
        check_that(slice_flow(slice, i) != 0, "a flow has a number");
        digest(check, slice_flow(slice, i));
    }
}

static status take_slice(void *self, const struct slice *slice)
{
    struct check *check = self;
    struct check_track *track = track_of(check, slice->track, slice->start);

    check_slice(check, slice);
    track_of(check, slice->track, slice->end);
    check_that(track->kind == TRACK_SLICES, "slices are on tracks of slices");
    check_that(slice->end >= slice->start, "no slice ends before it starts");
    check_that(!track->has_begins, "a track carries slices or pairs, not both");
    track->has_slices = true;
    digest(check, (uint64_t)slice->end);
    return STATUS_OK;
}

static struct check_open *open_of(struct check *check, open_id id)
{
    check_that(id < check->opens.count, "an open id that was begun");
    return column_at(&check->opens, id);
}

static status take_begin(void *self, open_id id, open_id parent, const struct slice *slice)
{
    struct check *check = self;
    struct check_track *track = track_of(check, slice->track, slice->start);
    bool fresh = id == check->opens.count;
    struct check_open *open;

    check_slice(check, slice);
    check_that(track->kind == TRACK_SLICES, "pairs are on tracks of slices");
    check_that(!track->has_slices, "a track carries slices or pairs, not both");
    track->has_begins = true;
    check_that(fresh || id < check->opens.count, "open ids are dense");
    open = fresh ? column_append(&check->opens) : column_at(&check->opens, id);
    if (!open)
        return status_no_memory("a begun slice");
    check_that(fresh || !open->open, "an open id is used again only after its end");
    if (parent != NO_ID) {
        check_that(parent != id && open_of(check, parent)->open, "the enclosing slice is open");
        open_of(check, parent)->children++;
    }
    *open = (struct check_open){ .open = true, .parent = parent, .track = slice->track, .start = slice->start };
    check->open_count++;
    digest(check, parent);
    return STATUS_OK;
}

static status take_end(void *self, open_id id, int64_t time)
{
    struct check *check = self;
    struct check_open *open = open_of(check, id);

    check_that(open->open, "every end has its begin");
    check_that(open->children == 0, "what is inside ends before what encloses it");
    track_of(check, open->track, time);
    check_that(time >= open->start, "no slice ends before it begins");
    if (open->parent != NO_ID)
        open_of(check, open->parent)->children--;
    open->open = false;
    check->open_count--;
    digest(check, (uint64_t)time);
    return STATUS_OK;
}

static status take_instant(void *self, const struct slice *slice)
{
    track_of(self, slice->track, slice->start);
    check_slice(self, slice);
    return STATUS_OK;
}

static status take_counter(void *self, track_id track, int64_t time, int64_t value)
{
    check_that(track_of(self, track, time)->kind == TRACK_COUNTER, "values are on tracks of values");
    digest(self, (uint64_t)value);
    return STATUS_OK;
}

static status take_loss(void *self, const struct losses *losses)
{
    struct check *check = self;
    uint64_t lost = 0;

    for (unsigned i = 0; i < losses->reason_count; i++) {
        if (!losses->reasons[i].reason->kept)
            lost += losses->reasons[i].count;
        digest(check, losses->reasons[i].count);
        digest(check, losses->reasons[i].lines[0]);
    }
    check_that(!check->lossed, "losses come once");
    check_that(losses->rows == losses->used + losses->lost, "every row is used or lost");
    check_that(lost == losses->lost, "every lost row has its reason");
    check->lossed = true;
    digest(check, losses->rows);
    return STATUS_OK;
}

static status take_finish(void *self)
{
    struct check *check = self;

    check_that(!check->finished, "finish comes once");
    check_that(check->open_count == 0, "every begin has its end");
    check->finished = true;
    return STATUS_OK;
}

/* What it is written from is in the maps as it is in the log: only what could lead astray is looked at. */
static status take_places(void *self, const struct place_map *map)
{
    const struct check *check = self;

    check_that(map->name && map->place && map->statistic_count && map->columns && map->rows, "a map of something");
    for (size_t i = 0; i < map->place_count; i++) {
        const struct map_place *place = &map->places[i];

        check_that(place->column < map->columns && place->row < map->rows, "a place that is on the map");
        check_that(place->track < check->tracks.count || (place->track == NO_ID && place->name), "a track or a name");
    }
    return STATUS_OK;
}

static const struct sink_calls check_calls = {
    .places = take_places,
    .clock = take_clock,
    .track = take_track,
    .op = take_operator,
    .run = take_run,
    .slice = take_slice,
    .begin = take_begin,
    .end = take_end,
    .instant = take_instant,
    .counter = take_counter,
    .loss = take_loss,
    .finish = take_finish,
};

void check_start(struct check *check, const struct strings *strings)
{
    *check = (struct check){ .strings = strings };
    column_start(&check->clocks, sizeof(int64_t));
    column_start(&check->tracks, sizeof(struct check_track));
    column_start(&check->opens, sizeof(struct check_open));
}

void check_free(struct check *check)
{
    column_free(&check->clocks);
    column_free(&check->tracks);
    column_free(&check->opens);
}

struct sink check_sink(struct check *check)
{
    return (struct sink){ &check_calls, check };
}

/* ---- runs of a reader ------------------------------------------------------------------------------------------ */

struct attempt {
    const struct reader *reader;
    const uint8_t *data;
    size_t size;
    const struct program *program;
    const struct estimate *estimate;
    size_t piece; /* most bytes that one read gives; 0: all */
    bool strict;
};

static struct source make_source(const struct attempt *attempt, struct input *input)
{
    struct source source = {
        .input = input,
        .path = "fuzz",
        .display = "fuzz",
        .alone = true,
        .strict = attempt->strict,
    };

    if (attempt->program)
        source_add_companion(&source, "program", attempt->program);
    if (attempt->estimate)
        source_add_companion(&source, "estimate", attempt->estimate);
    return source;
}

/* What an input tells by itself has a name, a key of its own and a time. */
static void check_told(const struct told *told)
{
    check_that(told->count <= TOLD_MOST, "metrics that are told have room");
    for (unsigned i = 0; i < told->count; i++) {
        const struct told_metric *metric = &told->metrics[i];

        check_that(*metric->key && *metric->label && strlen(metric->label) < TOLD_LABEL, "a metric has a name");
        check_that(metric->ns >= 0 && metric->slices, "a metric that is told has slices");
        for (unsigned other = 0; other < i; other++)
            check_that(strcmp(metric->key, told->metrics[other].key) != 0, "keys of metrics are told apart");
    }
}

static status push_all(const struct attempt *attempt, struct input *input, struct feed *feed)
{
    struct source source = make_source(attempt, input);
    string_id name;
    status code = strings_add_text(feed->strings, "fuzz", &name);

    if (code == STATUS_OK && !attempt->reader->begins)
        code = feed_input(feed, name, 0);
    if (code == STATUS_OK)
        code = attempt->reader->read(&source, feed);
    check_told(&source.told);
    if (code == STATUS_OK)
        code = feed_input_end(feed);
    if (code == STATUS_OK)
        code = sink_finish(&feed->sink);
    if (attempt->reader->release)
        attempt->reader->release(&source);
    return code;
}

static status read_once(const struct attempt *attempt, struct strings *strings, uint64_t *result)
{
    struct check check;
    struct feed feed;
    struct input *input = NULL;
    struct text head;
    status code;

    check_start(&check, strings);
    feed_start(&feed, check_sink(&check), strings);
    input_limit_reads(attempt->piece);
    code = input_open_memory("fuzz", attempt->data, attempt->size, &input);
    if (code == STATUS_OK)
        code = input_head(input, &head);
    if (code == STATUS_OK) {
        int sure = attempt->reader->probe(head, "fuzz");

        check_that(sure >= 0 && sure <= 100, "a probe is between 0 and 100");
        code = push_all(attempt, input, &feed);
    }
    check_that(code != STATUS_OK || (check.lossed && check.finished), "a read that worked is complete");
    *result = check.digest;
    input_close(input);
    input_limit_reads(0);
    feed_free(&feed);
    check_free(&check);
    return code;
}

static uint64_t hash_of(const uint8_t *data, size_t size)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ data[i]) * UINT64_C(0x100000001B3);
    return hash ^ hash >> 31;
}

bool check_every_way;

/* Whether this input takes this way of several, from 0 on: while fuzzing, each takes one, so that more inputs are tried. */
static bool takes(uint64_t hash, unsigned way, unsigned ways)
{
    return check_every_way || hash % ways == way;
}

bool check_takes(const uint8_t *data, size_t size, unsigned way, unsigned ways)
{
    return takes(hash_of(data, size) >> 8 * ways, way, ways); /* other bits than those of a choice inside another */
}

void check_reader(const struct reader *reader, const uint8_t *data, size_t size, const struct program *program,
                  const struct estimate *estimate, struct strings *strings)
{
    struct attempt attempt = { .reader = reader, .data = data, .size = size, .program = program, .estimate = estimate };
    uint64_t hash = hash_of(data, size);
    uint64_t whole;
    uint64_t pieces;
    uint64_t allocations = memory_count();
    status code = read_once(&attempt, strings, &whole);

    allocations = memory_count() - allocations;
    if (takes(hash, 3, 4)) {
        /* Texts are in the pool now, and keep their numbers: from here on the same pushes give the same digest. */
        check_that(read_once(&attempt, strings, &whole) == code, "the same input twice gives the same answer");
        attempt.piece = 1 + hash % 61;
        check_that(read_once(&attempt, strings, &pieces) == code, "an input in pieces gives the same answer");
        check_that(whole == pieces, "an input in pieces gives the same trace");
    }
    if (takes(hash, 0, 4)) {
        attempt.strict = true;
        code = read_once(&attempt, strings, &pieces);
        attempt.strict = false;
    }
    if (takes(hash, 1, 4)) {
        input_fail_at(1 + (hash >> 8) % 16);
        code = read_once(&attempt, strings, &pieces);
        input_fail_at(0);
    }
    if (takes(hash, 2, 4) && allocations > 0) {
        memory_fail_at(1 + (hash >> 8) % allocations);
        code = read_once(&attempt, strings, &pieces);
        memory_fail_at(0);
    }
    if (code != STATUS_OK)
        status_clear();
}

static status read_program_once(const struct attempt *attempt, struct program *program)
{
    struct input *input = NULL;
    status code;

    input_limit_reads(attempt->piece);
    code = input_open_memory("fuzz.mlir", attempt->data, attempt->size, &input);
    if (code == STATUS_OK) {
        struct source source = make_source(attempt, input);

        code = torq_read_program(&source, program);
    }
    input_close(input);
    input_limit_reads(0);
    return code;
}

static void check_counts(const struct program *left, const struct program *right)
{
    check_that(left->dispatches.count == right->dispatches.count && left->actions.count == right->actions.count &&
                   left->jobs.count == right->jobs.count && left->tasks.count == right->tasks.count &&
                   left->steps.count == right->steps.count && left->units.count == right->units.count &&
                   left->kernels.count == right->kernels.count,
               "a program in pieces is the same program");
}

bool check_program(const uint8_t *data, size_t size, struct program *program, struct strings *strings)
{
    struct attempt attempt = { .data = data, .size = size };
    uint64_t hash = hash_of(data, size);
    uint64_t allocations = memory_count();
    struct program other;
    status code;

    program_start(program, strings);
    code = read_program_once(&attempt, program);
    allocations = memory_count() - allocations;
    if (takes(hash, 0, 2)) {
        attempt.piece = 1 + hash % 61;
        program_start(&other, strings);
        check_that(read_program_once(&attempt, &other) == code, "a program in pieces gives the same answer");
        if (code == STATUS_OK)
            check_counts(program, &other);
        program_free(&other);
    }
    if (takes(hash, 1, 2) && allocations > 0) {
        program_start(&other, strings);
        memory_fail_at(1 + (hash >> 8) % allocations);
        if (read_program_once(&attempt, &other) != STATUS_OK)
            status_clear();
        memory_fail_at(0);
        program_free(&other);
    }
    if (code != STATUS_OK) {
        program_free(program);
        status_clear();
    }
    return code == STATUS_OK;
}

int check_input(const uint8_t *data, size_t size, check_target target)
{
    struct strings *strings;

    if (size > CHECK_LARGEST)
        return -1;
    strings = model_strings();
    if (strings)
        target(data, size, strings);
    strings_free(strings);
    return 0;
}
