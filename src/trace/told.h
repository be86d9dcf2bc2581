/* told.h: metrics that an input tells by itself: somebody added them up before it was written, and nothing in it lets them be computed again.
 *
 * A struct told of zeros is empty. It owns nothing: its texts are in the pool of strings that they were added with.
 */
#ifndef TRACE_TOLD_H
#define TRACE_TOLD_H

#include "base/strings.h"

enum { TOLD_MOST = 32, TOLD_LABEL = 64 }; /* metrics of an input; bytes of a label, with the NUL behind it */

struct told_metric {
    const char *key;   /* in machine outputs; no other one of the input has it */
    const char *label; /* for people */
    int64_t ns;        /* how long */
    uint64_t slices;   /* that this is the sum of; 1 at least */
};

struct told {
    struct told_metric metrics[TOLD_MOST]; /* in the order in which they were added */
    unsigned count;                        /* of metrics */
    uint64_t more;                         /* tracks that there is no room for */
};

/* The name of a track without the number in front that orders it; one that is nothing else stays. */
struct text told_name(struct text name);
/* The name of a track as a label: the words behind `mark`, or all behind the number where that is not in it (NULL: no name has it), each with
 * its first letter large: "07 OVERVIEW WARP_DRIVE" is "Warp Drive". What does not fit, and what a terminal must not get, is left out. */
void told_label(char to[TOLD_LABEL], struct text name, const char *mark);
/* A label for machines: "Warp Drive" is "warp_drive". */
void told_key(char to[TOLD_LABEL], const char *label);

/* What the track of this name tells: `slices` slices that are `ns` long together. Tracks with the same words are one metric: their sum. */
NODISCARD status told_add(struct told *told, struct strings *strings, struct text name, const char *mark, int64_t ns,
                          uint64_t slices);

#endif
