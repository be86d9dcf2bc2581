/* ties.c: estimates beside what was measured. */
#include "job/ties.h"

#include <assert.h>

#include "base/memory.h"

static status list_inputs(const struct session *session, struct tied_input **inputs)
{
    *inputs = memory_allocate_clear((session->profile_count + 1) * sizeof **inputs);
    if (!*inputs)
        return status_no_memory("listing inputs");
    for (size_t i = 0; i < session->profile_count; i++)
        (*inputs)[i] = (struct tied_input){ &session->profiles[i].source, session->profiles[i].reader };
    return STATUS_OK;
}

status ties_open(struct ties *ties, const struct session *session, struct tee *tee)
{
    struct tied_input *inputs;
    size_t capacity = 0;
    status code = list_inputs(session, &inputs);

    *ties = (struct ties){ 0 };
    for (const struct chain *const *chain = chains; *chain && code == STATUS_OK; chain++) {
        struct session_tie tie = { .calls = (*chain)->tie };

        if (tie.calls)
            code = tie.calls->open(inputs, session->profile_count, session->strings, &tie.self);
        if (code != STATUS_OK || !tie.self)
            continue;
        code = memory_grow(&ties->items, &capacity, ties->count + 1, sizeof tie);
        if (code == STATUS_OK)
            ties->items[ties->count++] = tie;
        else
            tie.calls->close(tie.self);
        if (code == STATUS_OK)
            code = tee_add(tee, tie.calls->listen(tie.self));
    }
    memory_free(inputs);
    return code;
}

void ties_close(struct ties *ties)
{
    for (size_t i = 0; i < ties->count; i++)
        ties->items[i].calls->close(ties->items[i].self);
    memory_free(ties->items);
    *ties = (struct ties){ 0 };
}

status ties_prepare(struct ties *ties, const struct session *session)
{
    struct tied_input *inputs = NULL;
    status code = ties->count ? list_inputs(session, &inputs) : STATUS_OK;

    for (size_t i = 0; i < ties->count && code == STATUS_OK; i++)
        code =
            ties->items[i].calls->prepare(ties->items[i].self, inputs, session->profile_count, &ties->items[i].ready);
    memory_free(inputs);
    return code;
}

/* The tie that a profile may have; NULL: none. */
static const struct session_tie *tie_of(const struct ties *ties, const struct profile *profile)
{
    const struct chain *chain = profile->reader->chain;

    assert(profile->reader);
    for (size_t i = 0; i < ties->count; i++)
        if (chain && chain->tie == ties->items[i].calls && ties->items[i].ready)
            return profile->reader->kind == READER_MEASURED ? &ties->items[i] : NULL;
    return NULL;
}

void ties_begin(const struct ties *ties, struct profile *profile)
{
    const struct session_tie *tie = tie_of(ties, profile);

    assert(profile->process == NO_ID && "a profile is read once");
    if (tie)
        source_add_companion(&profile->source, tie->calls->role, tie->self);
}

static bool has_estimate(const struct busy *busy, track_id process)
{
    assert(process < busy->tracks.count);
    for (size_t i = 0; i < busy->tracks.count; i++) {
        const struct busy_track *track = busy_track(busy, (track_id)i);

        if (track->process == process && track->track.engine == &engine_estimate)
            return true;
    }
    return false;
}

void ties_end(const struct ties *ties, struct profile *profile, const struct busy *busy)
{
    const struct session_tie *tie = tie_of(ties, profile);

    if (tie)
        tie->calls->finish(tie->self, &profile->source, has_estimate(busy, profile->process));
}
