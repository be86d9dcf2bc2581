/* repeat.c: the pattern that covers most of a sequence. */
#include "base/repeat.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"

/* Keys with the same number of occurrences give the same pattern, begun at another place: the first of them is tried. Sequences that
 * repeat have few such numbers. */
enum { MOST_ANCHORS = 16 };

struct kind {
    uint32_t first; /* where it occurs first */
    uint32_t count; /* how often */
};

/* From one anchor to the next. */
struct segment {
    uint64_t hash; /* of its steps */
    size_t start;  /* in the sequence */
    size_t length; /* in steps */
};

struct finder {
    const int64_t *pauses;          /* before each step; NULL: not known */
    uint32_t *steps;                /* numbers of kinds, in the order of the sequence */
    size_t count;                   /* of steps */
    struct kind *kinds;             /* by number */
    size_t kind_count;              /* of them */
    size_t kind_capacity;           /* room for so many */
    uint32_t anchors[MOST_ANCHORS]; /* kinds to be tried, in the order in which they occur first */
    size_t anchor_count;            /* of them */
    struct segment *segments;       /* of the anchor that is tried */
    struct segment *sorted;         /* the same by hash */
};

/* ---- which keys are equal ---------------------------------------------------------------------------------------- */

static status number_steps(struct finder *finder, const uint64_t *keys)
{
    struct number_map map;
    status code = STATUS_OK;

    number_map_start(&map);
    for (size_t i = 0; i < finder->count && code == STATUS_OK; i++) {
        uint32_t *kind = number_map_at(&map, keys[i], 0);

        if (!kind) {
            code = status_no_memory("looking for what repeats");
        } else if (*kind == MAP_NONE) {
            *kind = (uint32_t)finder->kind_count;
            code = memory_grow(&finder->kinds, &finder->kind_capacity, finder->kind_count + 1, sizeof *finder->kinds);
            if (code == STATUS_OK)
                finder->kinds[finder->kind_count++] = (struct kind){ .first = (uint32_t)i };
        }
        if (code == STATUS_OK) {
            finder->steps[i] = *kind;
            finder->kinds[*kind].count++;
        }
    }
    number_map_free(&map);
    return code;
}

static void choose_anchors(struct finder *finder)
{
    for (uint32_t i = 0; i < finder->kind_count && finder->anchor_count < MOST_ANCHORS; i++) {
        bool known = finder->kinds[i].count < 2;

        for (size_t j = 0; j < finder->anchor_count && !known; j++)
            known = finder->kinds[finder->anchors[j]].count == finder->kinds[i].count;
        if (!known)
            finder->anchors[finder->anchor_count++] = i;
    }
}

/* ---- one anchor -------------------------------------------------------------------------------------------------- */

/* A pattern, and how much of the sequence it covers. */
struct pattern {
    uint32_t anchor; /* that it begins with */
    size_t start;    /* where it occurs first */
    size_t length;   /* in steps; 0: there is none */
    size_t complete; /* how often it occurs behind an anchor */
    int64_t pauses;  /* before those */
};

static size_t cut_segments(struct finder *finder, uint32_t anchor)
{
    size_t count = 0;

    for (size_t i = finder->kinds[anchor].first; i < finder->count; i++) {
        if (finder->steps[i] == anchor)
            finder->segments[count++] = (struct segment){ .start = i };
        finder->segments[count - 1].length++;
        finder->segments[count - 1].hash = map_mix(finder->segments[count - 1].hash, finder->steps[i]);
    }
    assert(count == finder->kinds[anchor].count);
    return count;
}

static int by_hash(const void *left, const void *right)
{
    const struct segment *a = left, *b = right;

    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    return (a->start > b->start) - (a->start < b->start);
}

/* The segment that occurs more than once and covers most; NULL: all differ. */
static const struct segment *find_usual(struct finder *finder, size_t count)
{
    const struct segment *usual = NULL;
    size_t most = 0;

    memcpy(finder->sorted, finder->segments, count * sizeof *finder->sorted);
    qsort(finder->sorted, count, sizeof *finder->sorted, by_hash);
    for (size_t first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && finder->sorted[next].hash == finder->sorted[first].hash;)
            next++;
        if (next - first > 1 && (next - first) * finder->sorted[first].length > most) {
            most = (next - first) * finder->sorted[first].length;
            usual = &finder->sorted[first];
        }
    }
    return usual;
}

/* Whether a segment begins with the pattern: more steps may follow, which belong to no run. */
static bool is_complete(const struct finder *finder, const struct segment *segment, const struct pattern *pattern)
{
    return segment->length >= pattern->length && memcmp(finder->steps + segment->start, finder->steps + pattern->start,
                                                        pattern->length * sizeof *finder->steps) == 0;
}

static struct pattern try_anchor(struct finder *finder, uint32_t anchor)
{
    size_t count = cut_segments(finder, anchor);
    const struct segment *usual = find_usual(finder, count);
    struct pattern pattern = { .anchor = anchor };

    if (!usual)
        return pattern;
    pattern.start = usual->start;
    pattern.length = usual->length;
    for (size_t i = 0; i < count; i++)
        if (is_complete(finder, &finder->segments[i], &pattern)) {
            pattern.complete++;
            pattern.pauses += finder->pauses && i ? finder->pauses[finder->segments[i].start] : 0;
        }
    return pattern;
}

/* Of equal ones that which begins after the longer pauses. */
static bool is_better(const struct pattern *one, const struct pattern *other)
{
    size_t covers = one->complete * one->length, covered = other->complete * other->length;

    return covers != covered ? covers > covered : one->pauses > other->pauses;
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

static status list_starts(struct finder *finder, const struct pattern *pattern, struct repeat *repeat)
{
    size_t count = cut_segments(finder, pattern->anchor);

    repeat->starts = memory_allocate(pattern->complete * sizeof *repeat->starts);
    if (!repeat->starts)
        return status_no_memory("looking for what repeats");
    for (size_t i = 0; i < count; i++)
        if (is_complete(finder, &finder->segments[i], pattern))
            repeat->starts[repeat->count++] = finder->segments[i].start;
    repeat->length = pattern->length;
    repeat->partial = count - repeat->count;
    return STATUS_OK;
}

static status search(struct finder *finder, struct repeat *repeat)
{
    struct pattern best = { 0 };
    size_t segments = 1;

    for (size_t i = 0; i < finder->anchor_count; i++)
        segments =
            finder->kinds[finder->anchors[i]].count > segments ? finder->kinds[finder->anchors[i]].count : segments;
    finder->segments = memory_allocate(segments * sizeof *finder->segments);
    finder->sorted = memory_allocate(segments * sizeof *finder->sorted);
    if (!finder->segments || !finder->sorted)
        return status_no_memory("looking for what repeats");
    for (size_t i = 0; i < finder->anchor_count; i++) {
        struct pattern pattern = try_anchor(finder, finder->anchors[i]);

        if (pattern.length && (!best.length || is_better(&pattern, &best)))
            best = pattern;
    }
    if (best.complete < 2 || best.complete * best.length * 2 < finder->count)
        return STATUS_OK;
    return list_starts(finder, &best, repeat);
}

status repeat_find(const uint64_t *keys, const int64_t *pauses, size_t count, struct repeat *repeat)
{
    struct finder finder = { .pauses = pauses, .count = count };
    status code;

    *repeat = (struct repeat){ 0 };
    if (count < 2 || count >= MAP_NONE)
        return STATUS_OK;
    finder.steps = memory_allocate(count * sizeof *finder.steps);
    if (!finder.steps)
        return status_no_memory("looking for what repeats");
    code = number_steps(&finder, keys);
    if (code == STATUS_OK) {
        choose_anchors(&finder);
        code = search(&finder, repeat);
    }
    memory_free(finder.steps);
    memory_free(finder.kinds);
    memory_free(finder.segments);
    memory_free(finder.sorted);
    return code;
}

void repeat_free(struct repeat *repeat)
{
    memory_free(repeat->starts);
    *repeat = (struct repeat){ 0 };
}
