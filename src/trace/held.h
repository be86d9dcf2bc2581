/* held.h: a copy of a slice that outlives the call it came with.
 *
 * A place may be used again and again: it keeps its memory for arguments and flows until `held_free`.
 */
#ifndef TRACE_HELD_H
#define TRACE_HELD_H

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "trace/model.h"

struct held {
    struct slice slice;         /* its arguments and flows are those below */
    struct argument *arguments; /* owned */
    size_t capacity;            /* of arguments */
    uint32_t *flows;            /* those behind the first */
    size_t flow_capacity;       /* of flows */
};

NODISCARD static inline status held_own_flows(struct held *held)
{
    struct slice *slice = &held->slice;
    status result = STATUS_OK;

    if (slice->more_flow_count > held->flow_capacity)
        result = memory_grow(&held->flows, &held->flow_capacity, slice->more_flow_count, sizeof *held->flows);
    if (result == STATUS_OK && slice->more_flow_count)
        memcpy(held->flows, slice->more_flows, slice->more_flow_count * sizeof *held->flows);
    slice->more_flows = held->flows;
    return result;
}

/* What was put into `held->slice` gets arguments and flows of its own. */
NODISCARD static inline status held_own(struct held *held)
{
    struct slice *slice = &held->slice;
    status result = STATUS_OK;

    assert(slice_is_whole(slice));
    if (slice->argument_count > held->capacity)
        result = memory_grow(&held->arguments, &held->capacity, slice->argument_count, sizeof *held->arguments);
    if (result != STATUS_OK)
        return result;
    if (slice->argument_count)
        memcpy(held->arguments, slice->arguments, slice->argument_count * sizeof *held->arguments);
    slice->arguments = held->arguments;
    return held_own_flows(held);
}

/* The same where its arguments lie in memory of the caller's, at the beginning of it: that goes into `held`, and what `held` had is the
 * caller's. */
NODISCARD static inline status held_exchange(struct held *held, struct argument **arguments, size_t *capacity)
{
    struct argument *had = held->arguments;
    size_t had_capacity = held->capacity;

    assert(slice_is_whole(&held->slice) && held->slice.argument_count <= *capacity);
    held->arguments = *arguments;
    held->capacity = *capacity;
    held->slice.arguments = held->arguments;
    *arguments = had;
    *capacity = had_capacity;
    return held_own_flows(held);
}

NODISCARD static inline status held_keep(struct held *held, const struct slice *slice)
{
    assert(slice != &held->slice);
    held->slice = *slice;
    return held_own(held);
}

static inline void held_free(struct held *held)
{
    memory_free(held->arguments);
    memory_free(held->flows);
    *held = (struct held){ .arguments = NULL };
}

#endif
