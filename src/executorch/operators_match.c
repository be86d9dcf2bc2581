/* operators_match.c: which operator of one side is which of the other.
 *
 * Names do not tell: "X #3" stands in every delegate that has three X, and another build may run the same operator under another
 * name. Where both logs give instructions, the place in the program decides. The rest is aligned in execution order, as diff(1)
 * aligns lines: equal types count most, equal kinds less, and what stands on one side only stays alone.
 */
#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"
#include "executorch/operators.h"

enum {
    MOST_CELLS = 4 * 1024 * 1024, /* of an alignment: one byte each */
    SAME_TYPE = 3,
    SAME_KIND = 1
};

struct matching {
    const struct operators *one, *other; /* both sides, borrowed */
    bool same_type;                      /* only operators of one type are counterparts */
    uint32_t *matches;                   /* by operator of `one` */
    bool *taken;                         /* by operator of `other` */
    uint32_t *left, *right;              /* operators without a counterpart so far, in order */
    size_t left_count, right_count;      /* of the two lists */
};

static unsigned likeness(const struct matching *matching, const struct operator_sum *one,
                         const struct operator_sum *other)
{
    if (one->event == EVENT_CONTROL || other->event == EVENT_CONTROL)
        return one->event == other->event && one->type == other->type ? SAME_TYPE : 0;
    if (one->type == other->type)
        return SAME_TYPE;
    return !matching->same_type && one->kind == other->kind && one->kind != OPERATOR_KIND_OTHER ? SAME_KIND : 0;
}

static void pair(struct matching *matching, uint32_t one, uint32_t other)
{
    matching->matches[one] = other;
    matching->taken[other] = true;
}

/* ---- By instruction ---- */

static int compare_places(const struct operator_sum *a, const struct operator_sum *b)
{
    if (a->chain != b->chain)
        return a->chain < b->chain ? -1 : 1;
    if (a->instruction != b->instruction)
        return a->instruction < b->instruction ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static int by_place(const void *left, const void *right, void *context)
{
    const struct operators *side = context;
    uint32_t one = *(const uint32_t *)left, other = *(const uint32_t *)right;
    int order = compare_places(operators_at(side, one), operators_at(side, other));

    return order ? order : (one > other) - (one < other);
}

static size_t with_instruction(const struct operators *side, uint32_t *list)
{
    size_t count = 0;

    for (size_t i = 0; i < side->sums.count; i++)
        if (operators_at(side, i)->instruction >= 0)
            list[count++] = (uint32_t)i;
    if (count)
        qsort_r(list, count, sizeof *list, by_place, (void *)(uintptr_t)side);
    return count;
}

static void match_places(struct matching *matching)
{
    size_t left = with_instruction(matching->one, matching->left),
           right = with_instruction(matching->other, matching->right);

    for (size_t i = 0, j = 0; i < left && j < right;) {
        uint32_t a = matching->left[i], b = matching->right[j];
        const struct operator_sum *one = operators_at(matching->one, a), *other = operators_at(matching->other, b);
        int order = compare_places(one, other);

        if (order == 0 && likeness(matching, one, other))
            pair(matching, a, b);
        i += order <= 0;
        j += order >= 0;
    }
}

/* ---- By order ---- */

static void collect_rest(struct matching *matching)
{
    matching->left_count = matching->right_count = 0;
    for (size_t i = 0; i < matching->one->sums.count; i++)
        if (matching->matches[i] == NO_ID)
            matching->left[matching->left_count++] = (uint32_t)i;
    for (size_t i = 0; i < matching->other->sums.count; i++)
        if (!matching->taken[i])
            matching->right[matching->right_count++] = (uint32_t)i;
}

static unsigned likeness_at(const struct matching *matching, size_t i, size_t j)
{
    return likeness(matching, operators_at(matching->one, matching->left[i]),
                    operators_at(matching->other, matching->right[j]));
}

/* Too many for a table: the next one of the same type, in order. */
static void match_greedily(struct matching *matching, size_t first, size_t left_end, size_t right_end)
{
    enum { LOOK_AHEAD = 64 };
    size_t next = first;

    for (size_t i = first; i < left_end; i++) {
        for (size_t j = next; j < right_end && j < next + LOOK_AHEAD; j++) {
            if (likeness_at(matching, i, j) == SAME_TYPE) {
                pair(matching, matching->left[i], matching->right[j]);
                next = j + 1;
                break;
            }
        }
    }
}

enum match_step { STEP_BOTH, STEP_LEFT, STEP_RIGHT };

/* Fills the steps of the best alignment from the end to the beginning; `scores` has two rows of `width` + 1. */
static void fill_steps(const struct matching *matching, size_t first, size_t height, size_t width, unsigned char *steps,
                       uint32_t *scores)
{
    uint32_t *below = scores, *row = scores + width + 1;

    for (size_t j = 0; j <= width; j++)
        below[j] = 0;
    for (size_t i = height; i-- > 0;) {
        uint32_t *swap = below;

        row[width] = 0;
        for (size_t j = width; j-- > 0;) {
            unsigned like = likeness_at(matching, first + i, first + j);
            uint32_t best = like ? below[j + 1] + like : 0;
            unsigned char step = STEP_BOTH;

            if (!like || below[j] > best) {
                best = below[j];
                step = STEP_LEFT;
            }
            if (row[j + 1] > best) {
                best = row[j + 1];
                step = STEP_RIGHT;
            }
            row[j] = best;
            steps[i * width + j] = step;
        }
        below = row;
        row = swap;
    }
}

static status align(struct matching *matching, size_t first, size_t height, size_t width)
{
    unsigned char *steps = memory_allocate(height * width);
    uint32_t *scores = memory_allocate(2 * (width + 1) * sizeof *scores);

    if (!steps || !scores) {
        memory_free(steps);
        memory_free(scores);
        return status_no_memory("matching operators");
    }
    fill_steps(matching, first, height, width, steps, scores);
    for (size_t i = 0, j = 0; i < height && j < width;) {
        unsigned char step = steps[i * width + j];

        if (step == STEP_BOTH)
            pair(matching, matching->left[first + i], matching->right[first + j]);
        i += step != STEP_RIGHT;
        j += step != STEP_LEFT;
    }
    memory_free(steps);
    memory_free(scores);
    return STATUS_OK;
}

/* What the two sides have in common at the beginning and the end needs no table. */
static status match_rest(struct matching *matching)
{
    size_t first = 0, left_end, right_end, height, width;

    collect_rest(matching);
    left_end = matching->left_count;
    right_end = matching->right_count;
    while (first < left_end && first < right_end && likeness_at(matching, first, first) == SAME_TYPE) {
        pair(matching, matching->left[first], matching->right[first]);
        first++;
    }
    while (left_end > first && right_end > first && likeness_at(matching, left_end - 1, right_end - 1) == SAME_TYPE)
        pair(matching, matching->left[--left_end], matching->right[--right_end]);
    height = left_end - first;
    width = right_end - first;
    if (!height || !width)
        return STATUS_OK;
    if (height > MOST_CELLS / width) {
        match_greedily(matching, first, left_end, right_end);
        return STATUS_OK;
    }
    return align(matching, first, height, width);
}

status operators_match(const struct operators *one, const struct operators *other, bool same_type, uint32_t *matches)
{
    struct matching matching = {
        .one = one,
        .other = other,
        .same_type = same_type,
        .matches = matches,
        .taken = memory_allocate_clear((other->sums.count + 1) * sizeof *matching.taken),
        .left = memory_allocate((one->sums.count + 1) * sizeof *matching.left),
        .right = memory_allocate((other->sums.count + 1) * sizeof *matching.right),
    };
    status code = STATUS_OK;

    assert(one->strings == other->strings && "names are compared by id");
    for (size_t i = 0; i < one->sums.count; i++)
        matches[i] = NO_ID;
    if (!matching.taken || !matching.left || !matching.right) {
        code = status_no_memory("matching operators");
    } else {
        match_places(&matching);
        code = match_rest(&matching);
    }
    memory_free(matching.taken);
    memory_free(matching.left);
    memory_free(matching.right);
    return code;
}
