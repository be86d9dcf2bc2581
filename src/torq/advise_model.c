/* advise_model.c: to what every tick of a run is given, and the rules about the host and about gaps, which all profiles have. */
#include "torq/advise_model.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "torq/chain.h"
#include "torq/events.h"
#include "torq/metrics.h"

/* ---- Shares ---- */

struct sharing {
    struct torq_model *model; /* that is filled */
    uint32_t before;          /* kind of the work that ended last; NO_ID: none in this run */
    struct torq_gap pending;  /* since then */
    int64_t longest;          /* stretch of it: in its envelope */
    status code;              /* the first failure */
};

/* What runs around a stretch tells where it is; of several the one around the longest. */
static void add_to_gap(struct sharing *sharing, const struct work_stretch *stretch)
{
    uint32_t envelope = stretch->newest[WORK_ENVELOPE];

    sharing->pending.ticks += stretch->ticks;
    sharing->pending.inside += envelope != NO_ID ? stretch->ticks : 0;
    if (stretch->ticks <= sharing->longest)
        return;
    sharing->longest = stretch->ticks;
    sharing->pending.envelope = envelope == NO_ID ? NO_ID : sharing->model->work->pieces[envelope].kind;
}

static struct torq_gap *find_gap(struct torq_model *model, const struct torq_gap *like)
{
    uint32_t *place = number_map_at(&model->gap_places, (uint64_t)like->before << 32 | like->after, like->envelope);

    if (place && *place == MAP_NONE) {
        struct torq_gap *gap = column_append(&model->gaps);

        if (gap) {
            *gap = (struct torq_gap){ like->before, like->after, like->envelope, 0, 0, 0 };
            *place = (uint32_t)(model->gaps.count - 1);
        }
    }
    return place && *place != MAP_NONE ? column_at(&model->gaps, *place) : NULL;
}

static void keep_gap(struct sharing *sharing, uint32_t after)
{
    struct torq_gap *pending = &sharing->pending, *gap;

    if (!pending->ticks || sharing->code != STATUS_OK)
        return;
    pending->before = sharing->before;
    pending->after = after;
    gap = find_gap(sharing->model, pending);
    if (!gap) {
        sharing->code = status_no_memory("looking for gaps");
        return;
    }
    gap->ticks += pending->ticks;
    gap->inside += pending->inside;
    gap->count++;
    pending->ticks = pending->inside = sharing->longest = 0;
}

static void share_stretch(void *context, const struct work_stretch *stretch)
{
    struct sharing *sharing = context;
    struct torq_model *model = sharing->model;
    const uint32_t *newest = stretch->newest;
    bool computes = newest[WORK_SLICE] != NO_ID || newest[WORK_CSS] != NO_ID;
    bool moves = newest[WORK_IN] != NO_ID || newest[WORK_OUT] != NO_ID || newest[WORK_CDMA] != NO_ID;
    unsigned class = 0;

    if (stretch->first) {
        keep_gap(sharing, NO_ID);
        sharing->before = NO_ID;
    }
    if (computes || moves)
        *(!moves ? &model->computing : computes ? &model->both : &model->moving) += stretch->ticks;
    while (class < WORK_CLASSES && newest[class] == NO_ID)
        class ++;
    if (class == WORK_CLASSES) {
        add_to_gap(sharing, stretch);
        return;
    }
    model->given[model->work->pieces[newest[class]].kind] += stretch->ticks;
    if (class == WORK_JOB && newest[WORK_CALL] == NO_ID)
        model->unwaited[model->work->pieces[newest[class]].kind] += stretch->ticks;
    if (class >= WORK_CALL)
        return;
    keep_gap(sharing, model->work->pieces[newest[class]].kind);
    sharing->before = model->work->pieces[newest[class]].kind;
}

static status share(struct torq_model *model)
{
    struct sharing sharing = { .model = model, .before = NO_ID };
    status code;

    model->given = memory_allocate_clear((model->work->kinds.count + 1) * sizeof *model->given);
    model->unwaited = memory_allocate_clear((model->work->kinds.count + 1) * sizeof *model->unwaited);
    if (!model->given || !model->unwaited)
        return status_no_memory("looking at work");
    code = work_walk(model->work, share_stretch, &sharing);
    keep_gap(&sharing, NO_ID);
    return code == STATUS_OK ? sharing.code : code;
}

/* ---- The model ---- */

double torq_model_ns(const struct torq_model *model, int64_t ticks)
{
    const struct clock *clock = &model->metrics->clock;

    return (double)ticks * (double)clock->numerator / (double)clock->denominator / (double)model->metrics->runs;
}

static status make_pools(struct torq_model *model, struct advice *advice)
{
    int64_t gaps = 0;

    model->pools = memory_allocate((model->work->kinds.count + 1) * sizeof *model->pools);
    if (!model->pools)
        return status_no_memory("looking at work");
    for (size_t i = 0; i < model->work->kinds.count; i++)
        model->pools[i] = work_kind(model->work, i)->class >= WORK_JOB
                              ? advice_pool(advice, torq_model_ns(model, model->given[i]))
                              : NO_ID;
    for (size_t i = 0; i < model->gaps.count; i++)
        gaps += ((const struct torq_gap *)column_at(&model->gaps, i))->ticks;
    model->gap_pool = advice_pool(advice, torq_model_ns(model, gaps));
    return advice->failure;
}

status torq_model_fill(struct torq_model *model, struct advice *advice)
{
    status code;

    column_start(&model->gaps, sizeof(struct torq_gap));
    number_map_start(&model->gap_places);
    for (size_t i = 0; i < model->work->kinds.count; i++) {
        enum work_class class = work_kind(model->work, i)->class;

        model->logs_host |= class == WORK_HOST || class == WORK_COPY || class == WORK_CALL;
    }
    code = share(model);
    if (code == STATUS_OK)
        code = make_pools(model, advice);
    if (code == STATUS_OK)
        code = model->measured ? torq_fill_timed(model) : torq_fill_loads(model, advice);
    return code;
}

void torq_model_free(struct torq_model *model)
{
    column_free(&model->gaps);
    number_map_free(&model->gap_places);
    memory_free(model->given);
    memory_free(model->unwaited);
    memory_free(model->pools);
    memory_free(model->loads);
    memory_free(model->owners);
    memory_free(model->timed);
}

double torq_class_ns(const struct torq_model *model, enum work_class class)
{
    int64_t sum = 0;

    for (size_t i = 0; i < model->work->kinds.count; i++)
        if (work_kind(model->work, i)->class == class)
            sum += model->given[i];
    return torq_model_ns(model, sum);
}

/* ---- Names ---- */

const char *torq_operator_name(const struct torq_model *model, operator_id op)
{
    const struct op *about = op == NO_ID ? NULL : &busy_operator(model->busy, op)->op;

    return about && about->name ? strings_text(model->strings, about->name) : NULL;
}

const char *torq_operator_place(const struct torq_model *model, operator_id op)
{
    const struct op *about = op == NO_ID ? NULL : &busy_operator(model->busy, op)->op;

    return about && about->place && about->place != about->name ? strings_text(model->strings, about->place) : NULL;
}

static const char *dispatch_of(const struct torq_model *model, const struct work_kind *kind)
{
    if (kind->dispatch)
        return strings_text(model->strings, kind->dispatch);
    return kind->job && model->program
               ? strings_text(model->strings, program_dispatch(model->program, kind->job->dispatch)->name)
               : NULL;
}

struct advice_row torq_kind_row(struct advice *advice, const struct torq_model *model, uint32_t index, double ns,
                                double saves)
{
    const struct work_kind *kind = work_kind(model->work, index);
    const char *op = torq_operator_name(model, kind->op), *place = torq_operator_place(model, kind->op);
    const char *own = kind->name ? strings_text(model->strings, kind->name) : NULL;
    const char *dispatch = dispatch_of(model, kind);
    bool call = kind->class >= WORK_CALL;
    uint64_t runs = model->metrics->runs;
    struct advice_row row = { .name = op && !call ? op
                                      : own       ? own
                                                  : "(no operator)",
                              .location = call && op ? op
                                          : place    ? place
                                                     : dispatch,
                              .ns = ns,
                              .saves_ns = saves,
                              .count = (kind->count + runs / 2) / runs };

    if (!op || call)
        return row;
    row.remark = kind->class != WORK_COPY && own && strcmp(own, op) != 0 ? own : NULL;
    if (place && dispatch)
        row.remark = row.remark ? advice_say(advice, "%s of %s", row.remark, dispatch) : dispatch;
    return row;
}

/* ---- The host ---- */

/* All kinds of a class, each as far as nothing else worked meanwhile. */
static struct advice_item *claim_class(struct advice *advice, const struct advice_rule *rule,
                                       const struct torq_model *model, enum work_class class)
{
    struct advice_item *item = NULL;

    for (uint32_t i = 0; i < model->work->kinds.count; i++) {
        double given = torq_model_ns(model, model->given[i]);

        if (work_kind(model->work, i)->class != class || !(given > 0))
            continue;
        if (!item)
            item = advice_add(advice, rule);
        advice_row(advice, item, torq_kind_row(advice, model, i, given, given));
        advice_claim(advice, item, model->pools[i], given);
    }
    return item;
}

void torq_find_host_programs(struct advice *advice, const struct advice_rule *rule, const void *data)
{
    claim_class(advice, rule, data, WORK_HOST);
}

void torq_find_host_copies(struct advice *advice, const struct advice_rule *rule, const void *data)
{
    claim_class(advice, rule, data, WORK_COPY);
}

/* ---- Gaps ---- */

static const char *say_around(struct advice *advice, const struct torq_model *model, const struct torq_gap *gap)
{
    const char *to = gap->after == NO_ID ? NULL : dispatch_of(model, work_kind(model->work, gap->after)), *from;

    if (gap->before == NO_ID || gap->after == NO_ID)
        return gap->before != NO_ID ? "at the end of a run" : gap->after != NO_ID ? "at the start of a run" : NULL;
    from = dispatch_of(model, work_kind(model->work, gap->before));
    return advice_say(advice, "after %s",
                      from && to && strcmp(from, to) != 0 ? from
                                                          : torq_kind_row(advice, model, gap->before, 0, 0).name);
}

/* The call that is open all the while; NULL: none is. */
static const char *say_envelope(struct advice *advice, const struct torq_model *model, const struct torq_gap *gap)
{
    const struct work_kind *kind = gap->envelope == NO_ID ? NULL : work_kind(model->work, gap->envelope);

    if (!kind)
        return NULL;
    if (!kind->dispatch)
        return strings_text(model->strings, kind->name);
    return advice_say(advice, "%s of %s",
                      kind->dispatch == kind->name ? torq_event_name(TORQ_EVENT_DISPATCH)
                                                   : strings_text(model->strings, kind->name),
                      strings_text(model->strings, kind->dispatch));
}

static struct advice_row gap_row(struct advice *advice, const struct torq_model *model, const struct torq_gap *gap)
{
    uint32_t beside = gap->after != NO_ID ? gap->after : gap->before;
    const char *around = say_around(advice, model, gap), *envelope = say_envelope(advice, model, gap);
    struct advice_row row = { .name = "in runs without any work" };
    uint64_t runs = model->metrics->runs;

    if (beside != NO_ID) {
        row = torq_kind_row(advice, model, beside, 0, 0);
        row.name = advice_say(advice, "%s %s", gap->after != NO_ID ? "before" : "after", row.name);
    }
    row.remark = around;
    if (envelope)
        row.remark = advice_say(advice, "%s%sinside %s", around ? around : "", around ? ", " : "", envelope);
    row.ns = row.saves_ns = torq_model_ns(model, gap->ticks);
    row.count = (gap->count + runs / 2) / runs;
    return row;
}

void torq_find_gaps(struct advice *advice, const struct advice_rule *rule, const void *data)
{
    const struct torq_model *model = data;
    struct advice_item *item = NULL;
    const struct torq_gap *longest = NULL;
    int64_t sum = 0, inside = 0;

    for (size_t i = 0; i < model->gaps.count; i++) {
        const struct torq_gap *gap = column_at(&model->gaps, i);

        if (!item)
            item = advice_add(advice, rule);
        advice_row(advice, item, gap_row(advice, model, gap));
        sum += gap->ticks;
        inside += gap->inside;
        if (gap->envelope != NO_ID && (!longest || gap->ticks > longest->ticks))
            longest = gap;
    }
    if (!item)
        return;
    advice_claim(advice, item, model->gap_pool, torq_model_ns(model, sum));
    advice_time(advice, item, "open", inside ? torq_model_ns(model, inside) : NAN);
    advice_text(advice, item, "envelope", longest ? say_envelope(advice, model, longest) : NULL);
    advice_text(advice, item, "host_rows", model->logs_host ? "programs and copies of the host" : NULL);
    advice_text(advice, item, "silent",
                model->measured && !model->logs_host ? "This log has no rows of the host: it may have worked." : NULL);
}
