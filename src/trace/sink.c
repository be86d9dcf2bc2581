/* sink.c: the tee. */
#include "trace/sink.h"

#include <assert.h>

#include "base/memory.h"

/* Every call goes to each sink in turn and stops at the first failure. */
#define FOR_EACH_SINK(self, call, ...)                           \
    struct tee_list *all = &((struct tee *)(self))->all;         \
    status code = STATUS_OK;                                     \
                                                                 \
    for (size_t i = 0; i < all->count && code == STATUS_OK; i++) \
        code = SINK_CALL(&all->sinks[i], call, __VA_ARGS__);     \
    return code

static status tee_clock(void *self, clock_id id, const struct clock *clock)
{
    FOR_EACH_SINK(self, clock, id, clock);
}

static status tee_track(void *self, const struct track *track)
{
    FOR_EACH_SINK(self, track, track);
}

static status tee_operator(void *self, const struct op *op)
{
    FOR_EACH_SINK(self, op, op);
}

static status tee_run(void *self, const struct run *run)
{
    FOR_EACH_SINK(self, run, run);
}

static status tee_step(void *self, step_id id, const struct step *step)
{
    FOR_EACH_SINK(self, step, id, step);
}

static status tee_step_end(void *self, step_id id, int64_t time)
{
    FOR_EACH_SINK(self, step_end, id, time);
}

static status tee_step_lost(void *self, step_id id)
{
    FOR_EACH_SINK(self, step_lost, id);
}

static status tee_slice(void *self, const struct slice *slice)
{
    const struct tee_list *list = &((struct tee *)self)->slice;
    size_t i = 0;

    for (; i + 1 < list->count; i++) {
        status code = list->sinks[i].calls->slice(list->sinks[i].self, slice);

        if (code != STATUS_OK)
            return code;
    }
    return i < list->count ? list->sinks[i].calls->slice(list->sinks[i].self, slice) : STATUS_OK;
}

static status tee_begin(void *self, open_id id, open_id parent, const struct slice *slice)
{
    const struct tee_list *list = &((struct tee *)self)->begin;
    size_t i = 0;

    for (; i + 1 < list->count; i++) {
        status code = list->sinks[i].calls->begin(list->sinks[i].self, id, parent, slice);

        if (code != STATUS_OK)
            return code;
    }
    return i < list->count ? list->sinks[i].calls->begin(list->sinks[i].self, id, parent, slice) : STATUS_OK;
}

static status tee_end(void *self, open_id id, int64_t time)
{
    const struct tee_list *list = &((struct tee *)self)->end;
    size_t i = 0;

    for (; i + 1 < list->count; i++) {
        status code = list->sinks[i].calls->end(list->sinks[i].self, id, time);

        if (code != STATUS_OK)
            return code;
    }
    return i < list->count ? list->sinks[i].calls->end(list->sinks[i].self, id, time) : STATUS_OK;
}

static status tee_instant(void *self, const struct slice *slice)
{
    FOR_EACH_SINK(self, instant, slice);
}

static status tee_counter(void *self, track_id track, int64_t time, int64_t value)
{
    FOR_EACH_SINK(self, counter, track, time, value);
}

static status tee_places(void *self, const struct place_map *map)
{
    FOR_EACH_SINK(self, places, map);
}

static status tee_about(void *self, const struct about *about)
{
    FOR_EACH_SINK(self, about, about);
}

static status tee_loss(void *self, const struct losses *losses)
{
    FOR_EACH_SINK(self, loss, losses);
}

static status tee_finish(void *self)
{
    struct tee_list *all = &((struct tee *)self)->all;
    status code = STATUS_OK;

    for (size_t i = 0; i < all->count && code == STATUS_OK; i++)
        code = sink_finish(&all->sinks[i]);
    return code;
}

static const struct sink_calls all_calls = {
    .clock = tee_clock,
    .track = tee_track,
    .op = tee_operator,
    .run = tee_run,
    .step = tee_step,
    .step_end = tee_step_end,
    .step_lost = tee_step_lost,
    .slice = tee_slice,
    .begin = tee_begin,
    .end = tee_end,
    .instant = tee_instant,
    .counter = tee_counter,
    .places = tee_places,
    .about = tee_about,
    .loss = tee_loss,
    .finish = tee_finish,
};

static status list_add(struct tee_list *list, struct sink sink)
{
    status code = memory_grow(&list->sinks, &list->capacity, list->count + 1, sizeof *list->sinks);

    if (code == STATUS_OK)
        list->sinks[list->count++] = sink;
    return code;
}

static void take_calls(struct sink_calls *calls, const struct sink_calls *theirs, bool first)
{
    bool looks = theirs->slice || theirs->begin || theirs->instant;

    if (looks && !theirs->keys)
        calls->keys = 0;
    else if (first || calls->keys)
        calls->keys |= looks ? theirs->keys : SINK_NO_KEYS;
    calls->clock = theirs->clock ? all_calls.clock : calls->clock;
    calls->track = theirs->track ? all_calls.track : calls->track;
    calls->op = theirs->op ? all_calls.op : calls->op;
    calls->run = theirs->run ? all_calls.run : calls->run;
    calls->step = theirs->step ? all_calls.step : calls->step;
    calls->step_end = theirs->step_end ? all_calls.step_end : calls->step_end;
    calls->step_lost = theirs->step_lost ? all_calls.step_lost : calls->step_lost;
    calls->slice = theirs->slice ? all_calls.slice : calls->slice;
    calls->begin = theirs->begin ? all_calls.begin : calls->begin;
    calls->end = theirs->end ? all_calls.end : calls->end;
    calls->instant = theirs->instant ? all_calls.instant : calls->instant;
    calls->counter = theirs->counter ? all_calls.counter : calls->counter;
    calls->places = theirs->places ? all_calls.places : calls->places;
    calls->about = theirs->about ? all_calls.about : calls->about;
    calls->loss = theirs->loss ? all_calls.loss : calls->loss;
    calls->finish = theirs->finish ? all_calls.finish : calls->finish;
}

status tee_add(struct tee *tee, struct sink sink)
{
    status code = list_add(&tee->all, sink);

    assert(sink.calls && sink.self != tee && "a tee that feeds itself never ends");
    if (code == STATUS_OK && sink.calls->slice)
        code = list_add(&tee->slice, sink);
    if (code == STATUS_OK && sink.calls->begin)
        code = list_add(&tee->begin, sink);
    if (code == STATUS_OK && sink.calls->end)
        code = list_add(&tee->end, sink);
    take_calls(&tee->calls, sink.calls, tee->all.count == 1);
    return code;
}

void tee_free(struct tee *tee)
{
    memory_free(tee->all.sinks);
    memory_free(tee->slice.sinks);
    memory_free(tee->begin.sinks);
    memory_free(tee->end.sinks);
    *tee = (struct tee){ 0 };
}

struct sink tee_sink(struct tee *tee)
{
    return (struct sink){ &tee->calls, tee };
}
