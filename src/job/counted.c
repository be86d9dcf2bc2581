/* counted.c: one reading for all who ask about the same inputs. */
#include "job/counted.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"

static bool are_same(const struct texts *one, const struct texts *other)
{
    if (one->count != other->count)
        return false;
    for (size_t i = 0; i < one->count; i++)
        if (strcmp(one->items[i], other->items[i]) != 0)
            return false;
    return true;
}

struct counted *counted_of(const struct job *job, struct counted *own)
{
    return job->lent && are_same(job->lent->inputs, &job->inputs) ? job->lent : own;
}

/* Whoever asks next tries again. */
static status give_up(struct counted *counted, status code)
{
    const struct texts *inputs = counted->inputs;

    if (code == STATUS_OK)
        return STATUS_OK;
    counted_free(counted);
    counted->inputs = inputs;
    return code;
}

status counted_open(struct counted *counted, const struct job *job, bool moments)
{
    status code;

    if (counted->open)
        return STATUS_OK;
    counted->open = true;
    code = session_start(&counted->session, &job->reading);
    if (code == STATUS_OK)
        code = counting_start(&counted->counting, job->runs, job->warmup, moments || counted->inputs,
                              counted->session.strings);
    feed_start(&counted->feed, counting_sink(&counted->counting), counted->session.strings);
    if (code == STATUS_OK)
        code = session_add_all(&counted->session, job->inputs.items, job->inputs.count);
    return give_up(counted, code);
}

static status read_profile(struct counted *counted, size_t index)
{
    struct profile *profile = &counted->session.profiles[index];
    struct counted_profile *own = &counted->profiles[index];
    status code = session_read(&counted->session, profile, &counted->feed);

    return code == STATUS_OK ? counting_take(&counted->counting, profile, &own->runs, &own->metrics) : code;
}

status counted_read(struct counted *counted)
{
    size_t count = counted->session.profile_count;
    status code = STATUS_OK;

    assert(counted->open);
    if (counted->profiles)
        return STATUS_OK;
    counted->profiles = memory_allocate_clear((count + 1) * sizeof *counted->profiles);
    if (!counted->profiles)
        code = status_no_memory("reading");
    for (size_t i = 0; i < count && code == STATUS_OK; i++)
        code = read_profile(counted, i);
    return give_up(counted, code);
}

void counted_free(struct counted *counted)
{
    if (!counted->open)
        return;
    for (size_t i = 0; i < counted->session.profile_count && counted->profiles; i++)
        counted_runs_free(&counted->profiles[i].runs);
    memory_free(counted->profiles);
    feed_free(&counted->feed);
    counting_free(&counted->counting);
    session_end(&counted->session);
    *counted = (struct counted){ 0 };
}
