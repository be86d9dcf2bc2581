/* repeat.h: what repeats in a sequence: the inferences in the list of everything that an accelerator was told to do.
 *
 * A sequence is a list of keys; equal keys are the same step. Most of it is one pattern again and again, with something before, behind
 * and perhaps between:
 *
 *     i j  a b b c  a b b c  x  a b b c  a b          pattern a b b c: three complete ones, and one that is cut off
 *
 * The pattern begins at an anchor, a key that occurs once in it. Of the keys that could be one, that is taken whose pattern covers most of
 * the sequence. A log that begins or ends in the middle leaves several: then that with the longest pauses before it, else the one that
 * comes first. Two complete ones are the least, and half of the sequence; otherwise nothing repeats.
 *
 * What repeats may also be a part of one inference: a net has many equal layers, and something before or behind them. So where other steps
 * stand before the first pattern or behind the last, it counts only if pauses tell it: before patterns they are clearly longer than inside.
 * A step or two more behind a pattern belong to it.
 *
 * A repeat owns its list until `repeat_free`.
 */
#ifndef BASE_REPEAT_H
#define BASE_REPEAT_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct repeat {
    size_t *starts; /* places in the sequence where a complete pattern begins, ascending */
    size_t *ends;   /* the places behind their last steps */
    size_t count;   /* of complete patterns; 0: nothing repeats, otherwise 2 at least */
    size_t length;  /* of the pattern, in keys */
    size_t partial; /* anchors that a complete pattern does not follow: cut off, or with a step more or less */
};

/* `keys` are any numbers; equal ones are equal steps. `pauses` are the times before each step; NULL: not known. */
NODISCARD status repeat_find(const uint64_t *keys, const int64_t *pauses, size_t count, struct repeat *repeat);
void repeat_free(struct repeat *repeat); /* leaves an empty one */

#endif
