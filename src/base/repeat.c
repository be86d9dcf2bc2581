/* repeat.c: the pattern that covers most of a sequence. */
#include "base/repeat.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"

/* Keys with the same number of occurrences give the same pattern, begun at another place: the first of them is tried, those that occur least
 * first: what comes once in a run gives all of it, what comes often gives parts. */
enum { MOST_ANCHORS = 64, LEAST_ANCHORS = 16, MOST_STEPS = 16 << 20 /* that are looked at, over all anchors */ };

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

/* The first kind of each number of occurrences, the smallest numbers first. */
static void choose_anchors(struct finder *finder)
{
    size_t most = MOST_STEPS / (finder->count + 1);

    most = most > MOST_ANCHORS ? MOST_ANCHORS : most < LEAST_ANCHORS ? LEAST_ANCHORS : most;
    for (uint32_t i = 0; i < finder->kind_count; i++) {
        uint32_t occurs = finder->kinds[i].count;
        size_t place = finder->anchor_count;

        while (place > 0 && finder->kinds[finder->anchors[place - 1]].count > occurs)
            place--;
        if (occurs < 2 || place == most || (place > 0 && finder->kinds[finder->anchors[place - 1]].count == occurs))
            continue;
        finder->anchor_count += finder->anchor_count < most;
        memmove(&finder->anchors[place + 1], &finder->anchors[place],
                (finder->anchor_count - 1 - place) * sizeof *finder->anchors);
        finder->anchors[place] = i;
    }
}

/* ---- one anchor -------------------------------------------------------------------------------------------------- */

/* A pattern, and how much of the sequence it covers. */
struct pattern {
    uint32_t anchor; /* that it begins with */
    size_t start;    /* where it occurs first */
    size_t length;   /* in steps; 0: there is none */
    size_t complete; /* how often it occurs behind an anchor */
    size_t first;    /* where the first complete one begins */
    size_t last;     /* and the last */
    size_t covers;   /* steps of the sequence: of complete ones, and of those that are cut off at its ends */
    int64_t pauses;  /* before the complete ones */
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

/* What stands behind the last one is the beginning of another, which is cut off. */
static bool is_cut_off(const struct finder *finder, size_t last, size_t length)
{
    size_t end = last + length, left = finder->count - end;

    return left < length && memcmp(finder->steps + end, finder->steps + last, left * sizeof *finder->steps) == 0;
}

/* What stands before the first one is the end of another. */
static bool is_cut_on(const struct finder *finder, size_t first, size_t length)
{
    return first < length && memcmp(finder->steps, finder->steps + length, first * sizeof *finder->steps) == 0;
}

static void measure_cover(const struct finder *finder, struct pattern *pattern)
{
    pattern->covers = pattern->complete * pattern->length;
    if (is_cut_on(finder, pattern->first, pattern->length))
        pattern->covers += pattern->first;
    if (is_cut_off(finder, pattern->last, pattern->length))
        pattern->covers += finder->count - pattern->last - pattern->length;
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
            pattern.first = pattern.complete ? pattern.first : finder->segments[i].start;
            pattern.last = finder->segments[i].start;
            pattern.complete++;
            pattern.pauses += finder->pauses && i ? finder->pauses[finder->segments[i].start] : 0;
        }
    if (pattern.complete)
        measure_cover(finder, &pattern);
    return pattern;
}

/* Of equal ones that which begins after the longer pauses, else the one that comes first. */
static bool is_better(const struct pattern *one, const struct pattern *other)
{
    if (one->covers != other->covers)
        return one->covers > other->covers;
    return one->pauses != other->pauses ? one->pauses > other->pauses : one->first < other->first;
}

/* ---- what stands beside it ------------------------------------------------------------------------------------------ */

/* Steps behind a pattern that may belong to it. */
static size_t longest_tail(size_t length)
{
    return length / 8 > 1 ? length / 8 : 1;
}

/* Whether other steps stand before the first or behind the last. */
static bool has_others(const struct finder *finder, const struct repeat *repeat)
{
    return !is_cut_on(finder, repeat->starts[0], repeat->length) ||
           !is_cut_off(finder, repeat->starts[repeat->count - 1], repeat->length);
}

static int by_value(const void *left, const void *right)
{
    const int64_t *a = left, *b = right;

    return (*a > *b) - (*a < *b);
}

static int64_t median_of(int64_t *values, size_t count)
{
    if (count)
        qsort(values, count, sizeof *values, by_value);
    return count ? values[count / 2] : 0;
}

/* Whether the pauses before patterns are clearly longer than those inside. */
static status do_pauses_tell(const struct finder *finder, const struct repeat *repeat, bool *tell)
{
    enum { CLEARLY = 3 };
    int64_t *before, *inside;
    size_t inside_count = 0;

    *tell = !finder->pauses; /* nothing speaks against it */
    if (*tell)
        return STATUS_OK;
    before = memory_allocate(repeat->count * sizeof *before);
    inside = memory_allocate(finder->count * sizeof *inside);
    for (size_t i = 0; before && inside && i < repeat->count; i++) {
        if (i)
            before[i - 1] = finder->pauses[repeat->starts[i]];
        for (size_t k = 1; k < repeat->length; k++)
            inside[inside_count++] = finder->pauses[repeat->starts[i] + k];
    }
    if (before && inside) {
        int64_t typical = median_of(inside, inside_count);

        *tell = inside_count && median_of(before, repeat->count - 1) > CLEARLY * (typical > 0 ? typical : 1);
    }
    memory_free(before);
    memory_free(inside);
    return before && inside ? STATUS_OK : status_no_memory("looking for what repeats");
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

static status list_starts(struct finder *finder, const struct pattern *pattern, struct repeat *repeat)
{
    size_t count = cut_segments(finder, pattern->anchor);

    repeat->starts = memory_allocate(pattern->complete * sizeof *repeat->starts);
    repeat->ends = memory_allocate(pattern->complete * sizeof *repeat->ends);
    if (!repeat->starts || !repeat->ends)
        return status_no_memory("looking for what repeats");
    for (size_t i = 0; i < count; i++) {
        const struct segment *segment = &finder->segments[i];
        size_t tail = segment->length - pattern->length;

        if (!is_complete(finder, segment, pattern))
            continue;
        repeat->starts[repeat->count] = segment->start;
        repeat->ends[repeat->count++] =
            segment->start + pattern->length + (i + 1 < count && tail <= longest_tail(pattern->length) ? tail : 0);
    }
    repeat->length = pattern->length;
    repeat->partial = count - repeat->count;
    return STATUS_OK;
}

/* A sequence that is one pattern from its first step to its last begins with it, wherever the anchor is. */
static status begin_at_first(const struct finder *finder, struct repeat *repeat)
{
    size_t length = repeat->length, count = finder->count / length;

    if (!repeat->starts[0] || finder->count % length ||
        memcmp(finder->steps, finder->steps + length, (finder->count - length) * sizeof *finder->steps) != 0)
        return STATUS_OK;
    repeat_free(repeat);
    *repeat = (struct repeat){ .starts = memory_allocate(count * sizeof *repeat->starts),
                               .ends = memory_allocate(count * sizeof *repeat->ends),
                               .length = length };
    if (!repeat->starts || !repeat->ends)
        return status_no_memory("looking for what repeats");
    for (repeat->count = 0; repeat->count < count; repeat->count++) {
        repeat->starts[repeat->count] = repeat->count * length;
        repeat->ends[repeat->count] = (repeat->count + 1) * length;
    }
    return STATUS_OK;
}

/* Parts of one inference are no inferences. */
static status keep_runs(struct finder *finder, const struct pattern *best, struct repeat *repeat)
{
    status code = list_starts(finder, best, repeat);
    bool runs = true;

    if (code == STATUS_OK)
        code = begin_at_first(finder, repeat);
    if (code == STATUS_OK && has_others(finder, repeat))
        code = do_pauses_tell(finder, repeat, &runs);
    if (code != STATUS_OK || !runs)
        repeat_free(repeat);
    return code;
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
        if (best.covers == finder->count && !best.first)
            break; /* nothing covers more */
    }
    if (best.complete < 2 || best.complete * best.length * 2 < finder->count)
        return STATUS_OK;
    return keep_runs(finder, &best, repeat);
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
    memory_free(repeat->ends);
    *repeat = (struct repeat){ 0 };
}
