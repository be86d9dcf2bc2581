/* advise_timeline.c: rules about the compiler's timelines: what waits for transfers, what takes turns, what moves too much.
 *
 * The time of an operator comes apart into pieces, each claimed by one rule:
 *
 *     wall ─┬─ wasted   by small transfers, over the rate of large ones, where that is more than could hide
 *           ├─ hide     over the longest of its engines, while only data move: transfers that double buffering would hide
 *           ├─ spread   over the longest of transfers and evenly shared computing: slices that wait for each other
 *           ├─ bound    over evenly shared computing: transfers that take longer than computing
 *           └─ even     computing, evenly shared: the model itself; and of it css_alone, while no slice computes
 *
 * The first transfer in and the last one out of an operator can hide only below the one before it and the one behind.
 *
 * Transfers of an operator that computes nothing itself (weights, results) belong to the one that computes next, or did last. One that
 * moves data in and out and computes nothing is a copy.
 */
#include <assert.h>
#include <math.h>

#include "analyze/breakdown.h"
#include "base/format.h"
#include "base/memory.h"
#include "torq/advise_model.h"
#include "torq/chain.h"

static const double LEAST_PART = 0.1; /* of an operator's time: less is what filling and draining takes anywhere */
static const double SLOW = 0.5;       /* of the rate that larger transfers of the same engine reach */

static bool computes(enum work_class class)
{
    return class == WORK_SLICE || class == WORK_CSS;
}

static size_t load_index(const struct torq_model *model, operator_id op)
{
    return op == NO_ID ? model->load_count - 1 : op;
}

static operator_id operator_of(const struct torq_model *model, size_t load)
{
    return load + 1 == model->load_count ? NO_ID : (operator_id)load;
}

static bool is_copy(const struct torq_load *load)
{
    return !load->tiles && !load->programs && load->ins && load->outs;
}

/* ---- What operators ask of engines ---- */

/* Slices that each operator computes on, and how often it moves data. */
static void count_pieces(struct torq_model *model)
{
    for (size_t i = 0; i < model->work->kinds.count; i++) {
        const struct work_kind *kind = work_kind(model->work, i);
        struct torq_load *load = &model->loads[load_index(model, kind->op)];
        uint32_t index = work_track(model->work, kind)->index;

        load->given += model->given[i];
        switch (kind->class) {
        case WORK_SLICE:
            load->tiles += kind->count;
            load->slices += kind->ticks;
            if (index < TORQ_MODEL_SLICES)
                model->slice_ticks[index] += kind->ticks;
            if (kind->ticks > load->longest) {
                load->longest = kind->ticks;
                load->busiest = index;
            }
            break;
        case WORK_CSS:
            load->programs += kind->count;
            load->css += kind->ticks;
            break;
        case WORK_IN:
            load->ins += kind->count;
            break;
        case WORK_OUT:
            load->outs += kind->count;
            break;
        default:
            break;
        }
    }
}

/* How many slices there are, and whether one of them hardly works. */
static void find_slices(struct torq_model *model)
{
    int64_t most = 0;

    for (uint32_t i = 0; i < TORQ_MODEL_SLICES; i++) {
        if (model->slice_ticks[i] && i >= model->slices)
            model->slices = i + 1;
        most = model->slice_ticks[i] > most ? model->slice_ticks[i] : most;
    }
    model->idle_slice = NO_ID;
    for (uint32_t i = model->slices; i-- > 0;)
        if ((double)model->slice_ticks[i] < LEAST_PART * (double)most)
            model->idle_slice = i;
}

/* The load that a piece belongs to. `next`, `last`: of the pieces that compute next and did last; NO_ID: none. */
static uint32_t owner_of(const struct torq_model *model, const struct work_kind *kind, uint32_t last, uint32_t next)
{
    uint32_t own = (uint32_t)load_index(model, kind->op);
    const struct torq_load *load = &model->loads[own];

    if (load->tiles || load->programs || is_copy(load))
        return own;
    if (kind->class == WORK_OUT)
        return last != NO_ID ? last : next != NO_ID ? next : own;
    return next != NO_ID ? next : last != NO_ID ? last : own;
}

/* By piece. The one that computes next is looked for from the last piece back. */
static status find_owners(struct torq_model *model)
{
    const struct work *work = model->work;
    uint32_t found = NO_ID, *next;

    model->owners = memory_allocate((work->count + 1) * sizeof *model->owners);
    next = memory_allocate((work->count + 1) * sizeof *next);
    if (!model->owners || !next) {
        memory_free(next);
        return status_no_memory("looking at transfers");
    }
    for (size_t i = work->count; i-- > 0;) {
        next[i] = found;
        if (computes(work_kind_of(work, (uint32_t)i)->class))
            found = (uint32_t)load_index(model, work_kind_of(work, (uint32_t)i)->op);
    }
    found = NO_ID;
    for (size_t i = 0; i < work->count; i++) {
        const struct work_kind *kind = work_kind_of(work, (uint32_t)i);

        model->owners[i] = owner_of(model, kind, found, next[i]);
        if (computes(kind->class))
            found = model->owners[i];
    }
    memory_free(next);
    return STATUS_OK;
}

static struct torq_load *newest_load(const struct torq_model *model, const uint32_t *newest, enum work_class class)
{
    return newest[class] == NO_ID ? NULL : &model->loads[model->owners[newest[class]]];
}

/* The later of two pieces that run; either may be none. */
static uint32_t later(const struct work *work, uint32_t one, uint32_t other)
{
    if (one == NO_ID || other == NO_ID)
        return one == NO_ID ? other : one;
    return work->pieces[one].start >= work->pieces[other].start ? one : other;
}

static void load_stretch(void *context, const struct work_stretch *stretch)
{
    const struct torq_model *model = context;
    const struct work *work = model->work;
    const uint32_t *newest = stretch->newest;
    uint32_t computing = later(work, newest[WORK_SLICE], newest[WORK_CSS]);
    uint32_t moving = later(work, later(work, newest[WORK_IN], newest[WORK_OUT]), newest[WORK_CDMA]);
    struct torq_load *load;

    if ((load = newest_load(model, newest, WORK_IN)) != NULL)
        load->in += stretch->ticks;
    if ((load = newest_load(model, newest, WORK_OUT)) != NULL)
        load->out += stretch->ticks;
    if ((load = newest_load(model, newest, WORK_CDMA)) != NULL)
        load->cdma += stretch->ticks;
    if ((load = newest_load(model, newest, WORK_SLICE)) != NULL)
        load->slicing += stretch->ticks;
    else if ((load = newest_load(model, newest, WORK_CSS)) != NULL)
        load->css_alone += stretch->ticks;
    if (computing != NO_ID) {
        load = &model->loads[model->owners[computing]];
        load->computing += stretch->ticks;
        load->alone += moving == NO_ID ? stretch->ticks : 0;
        load->wall += stretch->ticks;
    } else if (moving != NO_ID) {
        load = &model->loads[model->owners[moving]];
        load->exposed += stretch->ticks;
        load->wall += stretch->ticks;
    }
}

/* ---- Small transfers ---- */

static int size_of(int64_t bytes)
{
    return 63 - __builtin_clzll((unsigned long long)bytes);
}

static double rate_of(const struct torq_size *size)
{
    return size->ticks > 0 ? size->bytes / size->ticks : 0;
}

/* The mover of a transfer whose size is known; NULL: another piece. */
static struct torq_mover *mover_of(struct torq_model *model, uint32_t piece)
{
    enum work_class class = work_kind_of(model->work, piece)->class;

    if (work_bytes(model->work, piece) <= 0 || (class != WORK_IN && class != WORK_OUT))
        return NULL;
    return &model->movers[class == WORK_OUT];
}

/* Sizes that are far from what larger ones reach; where the peak is given, from that. */
static void find_slow_sizes(struct torq_mover *mover)
{
    bool given = mover->best > 0;
    int best = TORQ_SIZES;

    for (int i = 0; i < TORQ_SIZES && !given; i++)
        if (rate_of(&mover->sizes[i]) > mover->best) {
            mover->best = rate_of(&mover->sizes[i]);
            best = i;
        }
    for (int i = 0; i < best; i++)
        mover->sizes[i].slow = mover->sizes[i].count && rate_of(&mover->sizes[i]) < SLOW * mover->best;
}

static double ticks_of(const struct torq_model *model, uint32_t piece)
{
    return (double)(model->work->pieces[piece].end - model->work->pieces[piece].start);
}

/* What the slow transfers of each operator take over the best rate, as far as nothing computes meanwhile. */
static void find_slow_transfers(struct torq_model *model)
{
    for (uint32_t i = 0; i < model->work->count; i++) {
        struct torq_mover *mover = mover_of(model, i);
        struct torq_size *size = mover ? &mover->sizes[size_of(work_bytes(model->work, i))] : NULL;

        if (!size)
            continue;
        size->count++;
        size->bytes += (double)work_bytes(model->work, i);
        size->ticks += ticks_of(model, i);
    }
    find_slow_sizes(&model->movers[0]);
    find_slow_sizes(&model->movers[1]);
    for (uint32_t i = 0; i < model->work->count; i++) {
        const struct torq_mover *mover = mover_of(model, i);

        if (mover && mover->sizes[size_of(work_bytes(model->work, i))].slow)
            model->loads[model->owners[i]].slow[mover == &model->movers[1]] +=
                ticks_of(model, i) - (double)work_bytes(model->work, i) / mover->best;
    }
    for (size_t i = 0; i < model->load_count; i++) {
        struct torq_load *load = &model->loads[i];

        load->slow[0] = fmin(load->slow[0], (double)load->exposed);
        load->slow[1] = fmin(load->slow[1], (double)load->exposed - load->slow[0]);
    }
}

/* ---- What each could save ---- */

static double clamped(double value, double most)
{
    return value <= 0 || most <= 0 ? 0 : fmin(value, most);
}

/* The engine that moves its data the longest. */
static double transfers_of(const struct torq_load *load)
{
    return fmax((double)load->in, fmax((double)load->out, (double)load->cdma));
}

/* The same, if what small ones waste were saved already. */
static double quick_transfers_of(const struct torq_load *load)
{
    return fmax((double)load->in - load->wasted[0], fmax((double)load->out - load->wasted[1], (double)load->cdma));
}

static double wasted_of(const struct torq_load *load)
{
    return load->wasted[0] + load->wasted[1];
}

/* What slices compute, shared by all of them as evenly as whole tiles allow; where a slice has no work at all, tiles can be cut for it. */
static double shared_of(const struct torq_model *model, const struct torq_load *load)
{
    uint64_t rounds = (load->tiles + model->slices - 1) / model->slices;
    double part =
        model->idle_slice != NO_ID || !load->tiles ? 1 / (double)model->slices : (double)rounds / (double)load->tiles;

    return (double)load->slices * part;
}

/* The CSS may run beside slices; as far as it does not, its time is its own. */
static double even_of(const struct torq_model *model, const struct torq_load *load)
{
    return (double)load->css_alone + fmax((double)(load->css - load->css_alone), shared_of(model, load));
}

/* The first transfer in and the last one out cannot be hidden by the operator itself. */
static double fill_of(const struct torq_load *load)
{
    uint64_t pieces = load->tiles + load->programs;

    return pieces ? ((double)(load->in + load->out) - wasted_of(load)) / (double)pieces : 0;
}

static double worth(const struct torq_load *load, double ticks)
{
    return ticks >= LEAST_PART * (double)load->wall ? ticks : 0;
}

/* Over the longest of its engines, while only data move. */
static double waiting_of(const struct torq_load *load)
{
    return clamped((double)load->wall - wasted_of(load) - fmax(quick_transfers_of(load), (double)load->computing),
                   (double)load->exposed - wasted_of(load));
}

/* The first transfer in, or the last one out, can hide below computing of a neighbour that nothing else hides below. */
static void hide_below(struct torq_load *load, struct torq_load *neighbour, double transfers)
{
    double end = transfers / (double)(load->tiles + load->programs);
    double more = clamped(fmin(end, waiting_of(load) - load->hide), neighbour->room);

    load->hide += more;
    neighbour->room -= more;
}

/* Small transfers that waste more than overlap could hide come first: the others have what is left. */
static void find_wasted(struct torq_load *load)
{
    if (load->slow[0] + load->slow[1] <= waiting_of(load))
        return;
    load->wasted[0] = load->slow[0];
    load->wasted[1] = load->slow[1];
}

/* Loads that compute, in the order in which they do so first. */
static size_t order_loads(const struct torq_model *model, struct torq_load **order)
{
    size_t count = 0;

    for (size_t i = 0; i < model->work->count; i++) {
        struct torq_load *load = &model->loads[model->owners[i]];

        if (!computes(work_kind_of(model->work, (uint32_t)i)->class) || load->ordered)
            continue;
        load->ordered = true;
        find_wasted(load);
        load->hide = clamped(waiting_of(load) - fill_of(load), (double)load->exposed);
        load->room = clamped((double)load->alone - load->hide, (double)load->alone);
        order[count++] = load;
    }
    return count;
}

static void judge_load(const struct torq_model *model, struct torq_load *load)
{
    double wall = (double)load->wall - wasted_of(load), moving = quick_transfers_of(load), even = even_of(model, load);
    double stays = fmax(0, fmin(fill_of(load), waiting_of(load) - load->hide));
    double spread =
        clamped(wall - load->hide - fmax(moving, even) - stays, (double)load->slicing - shared_of(model, load));
    double bound = clamped(wall - load->hide - spread - even, moving - even);

    load->hide = worth(load, load->hide);
    load->spread = worth(load, spread);
    load->bound = worth(load, bound);
}

static status judge_loads(const struct torq_model *model)
{
    struct torq_load **order = memory_allocate((model->load_count + 1) * sizeof(struct torq_load *));
    size_t count;

    if (!order)
        return status_no_memory("looking at operators");
    count = order_loads(model, order);
    for (size_t i = 0; i < count; i++) {
        if (i)
            hide_below(order[i], order[i - 1], (double)order[i]->in - order[i]->wasted[0]);
        if (i + 1 < count)
            hide_below(order[i], order[i + 1], (double)order[i]->out - order[i]->wasted[1]);
    }
    for (size_t i = 0; i < count; i++)
        judge_load(model, order[i]);
    memory_free(order);
    return STATUS_OK;
}

/* Ticks of all runs, as a double, in ns of one. */
static double ns_of(const struct torq_model *model, double ticks)
{
    return ticks * torq_model_ns(model, 1);
}

/* As `operators` tells them. */
static status fill_totals(struct torq_model *model)
{
    struct breakdown breakdown = { 0 };
    status code = breakdown_operators(model->busy, model->process, &breakdown);

    for (size_t i = 0; i < breakdown.count && code == STATUS_OK; i++) {
        const struct breakdown_row *row = &breakdown.rows[i];
        struct torq_load *load = &model->loads[load_index(model, row->op)];

        if (row->kind != ROW_WORK)
            continue;
        load->total = row->total;
        load->total_transfer = row->transfer;
        load->total_compute = row->compute;
    }
    breakdown_free(&breakdown);
    return code;
}

status torq_fill_loads(struct torq_model *model, struct advice *advice)
{
    status code;

    model->load_count = model->busy->operators.count + 1;
    model->loads = memory_allocate_clear(model->load_count * sizeof *model->loads);
    if (!model->loads)
        return status_no_memory("looking at operators");
    count_pieces(model);
    find_slices(model);
    code = find_owners(model);
    if (code == STATUS_OK)
        code = work_walk(model->work, load_stretch, model);
    if (code == STATUS_OK)
        code = fill_totals(model);
    if (code != STATUS_OK)
        return code;
    find_slow_transfers(model);
    code = judge_loads(model);
    for (size_t i = 0; i < model->load_count; i++) {
        struct torq_load *load = &model->loads[i];
        double lost = load->hide + load->bound + wasted_of(load);

        load->transfers = advice_pool(advice, ns_of(model, fmax((double)load->exposed, lost)));
        load->computes = advice_pool(advice, ns_of(model, (double)load->computing));
    }
    return code == STATUS_OK ? advice->failure : code;
}

/* ---- Rules about operators ---- */

static struct advice_row load_row(const struct torq_model *model, size_t index, double saves, const char *remark)
{
    operator_id op = operator_of(model, index);
    const char *name = torq_operator_name(model, op);

    return (struct advice_row){ .name = name ? name : "(no operator)",
                                .location = torq_operator_place(model, op),
                                .remark = remark,
                                .ns = torq_model_ns(model, model->loads[index].total),
                                .saves_ns = ns_of(model, saves) };
}

/* What a rule finds in a load: ticks that it could save; and what to say of it, NULL: nothing. */
typedef double find_call(const struct torq_load *load);
typedef const char *say_call(struct advice *advice, const struct torq_model *model, const struct torq_load *load);

/* An item of all loads that could save something, with what they add up to. NULL: none could. */
static struct advice_item *claim_loads(struct advice *advice, const struct advice_rule *rule,
                                       const struct torq_model *model, find_call *find, say_call *say)
{
    double moving = 0, computing = 0, exposed = 0, even = 0, slicing = 0, shared = 0, css = 0, alone = 0;
    struct advice_item *item = NULL;

    for (size_t i = 0; i < model->load_count; i++) {
        const struct torq_load *load = &model->loads[i];
        double saves = find(load);

        if (!(saves > 0))
            continue;
        if (!item)
            item = advice_add(advice, rule);
        advice_row(advice, item, load_row(model, i, saves, say ? say(advice, model, load) : NULL));
        advice_claim(advice, item, rule->bound == ADVICE_TRANSFER ? load->transfers : load->computes,
                     ns_of(model, saves));
        moving += transfers_of(load);
        computing += (double)load->computing;
        exposed += (double)load->exposed;
        even += even_of(model, load);
        slicing += (double)load->slicing;
        shared += shared_of(model, load);
        css += (double)load->css;
        alone += (double)load->css_alone;
    }
    if (!item)
        return NULL;
    advice_time(advice, item, "moving", ns_of(model, moving));
    advice_time(advice, item, "computing", ns_of(model, computing));
    advice_time(advice, item, "below", moving <= computing ? ns_of(model, computing) : NAN);
    advice_time(advice, item, "exposed", ns_of(model, exposed));
    advice_time(advice, item, "even", ns_of(model, even));
    advice_time(advice, item, "slicing", ns_of(model, slicing));
    advice_time(advice, item, "shared", ns_of(model, shared));
    advice_time(advice, item, "css", ns_of(model, css));
    advice_time(advice, item, "alone", ns_of(model, alone));
    return item;
}

static const char *say_ticks(struct advice *advice, const struct torq_model *model, double ticks)
{
    return advice_say_time(advice, ns_of(model, ticks));
}

static const char *say_work(struct advice *advice, const struct torq_model *model, const struct torq_load *load)
{
    return advice_say(advice, "transfers %s, computing %s", say_ticks(advice, model, transfers_of(load)),
                      say_ticks(advice, model, (double)load->computing));
}

static const char *say_need(struct advice *advice, const struct torq_model *model, const struct torq_load *load)
{
    return advice_say(advice, "transfers %s, %s of computing on each slice",
                      say_ticks(advice, model, transfers_of(load)), say_ticks(advice, model, even_of(model, load)));
}

static const char *say_turns(struct advice *advice, const struct torq_model *model, const struct torq_load *load)
{
    return advice_say(advice, "Slice %u computes %s of %s in %llu tile%s", load->busiest,
                      say_ticks(advice, model, (double)load->longest), say_ticks(advice, model, (double)load->slices),
                      (unsigned long long)load->tiles, load->tiles == 1 ? "" : "s");
}

static double hide_of(const struct torq_load *load)
{
    return load->hide;
}

static double bound_of(const struct torq_load *load)
{
    return load->bound;
}

static double spread_of(const struct torq_load *load)
{
    return load->spread;
}

static double css_of(const struct torq_load *load)
{
    return (double)load->css_alone;
}

static double copy_of(const struct torq_load *load)
{
    return is_copy(load) ? (double)load->exposed : 0;
}

static void find_waiting(struct advice *advice, const struct advice_rule *rule, const void *model)
{
    claim_loads(advice, rule, model, hide_of, say_work);
}

static void find_bound(struct advice *advice, const struct advice_rule *rule, const void *model)
{
    claim_loads(advice, rule, model, bound_of, say_need);
}

static void find_css(struct advice *advice, const struct advice_rule *rule, const void *model)
{
    claim_loads(advice, rule, model, css_of, NULL);
}

static void find_copies(struct advice *advice, const struct advice_rule *rule, const void *model)
{
    claim_loads(advice, rule, model, copy_of, NULL);
}

/* Tiles that are fewer than slices cannot be shared: they have to be cut. */
static void say_tiles(struct advice *advice, struct advice_item *item, const struct torq_model *model)
{
    bool many = false, few = false;

    for (size_t i = 0; i < model->load_count; i++) {
        many |= model->loads[i].spread > 0 && model->loads[i].tiles >= model->slices;
        few |= model->loads[i].spread > 0 && model->loads[i].tiles < model->slices;
    }
    advice_text(advice, item, "turns",
                !few    ? "Tiles take turns"
                : !many ? "There are fewer tiles than slices"
                        : "Tiles take turns, or are fewer than slices");
    advice_text(advice, item, "cut",
                !few    ? advice_say(advice, "the same tiles were shared by all %u slices", model->slices)
                : !many ? "each tile were cut into one for each slice"
                        : "tiles were shared by all slices, and cut where they are fewer");
}

static void find_slices_idle(struct advice *advice, const struct advice_rule *rule, const void *data)
{
    const struct torq_model *model = data;
    struct advice_item *item = claim_loads(advice, rule, model, spread_of, say_turns);

    if (!item)
        return;
    advice_count(advice, item, "slices", model->slices);
    say_tiles(advice, item, model);
    if (model->idle_slice == NO_ID)
        return;
    advice_text(advice, item, "idle_slice", advice_say(advice, "Slice %u", model->idle_slice));
    advice_text(advice, item, "little", model->slice_ticks[model->idle_slice] ? "next to no work" : "no work at all");
}

/* GB/s of bytes per tick. */
static const char *say_rate(struct advice *advice, const struct torq_model *model, double rate)
{
    const struct clock *clock = &model->metrics->clock;

    return advice_say_rate(advice, rate * (double)clock->denominator / (double)clock->numerator);
}

static void set_sizes(struct advice *advice, struct advice_item *item, const struct torq_model *model,
                      const struct torq_mover *mover)
{
    struct torq_size slow = { 0 };
    uint64_t all = 0, runs = model->metrics->runs;
    char limit[FORMAT_SIZE];
    int largest = 0;

    for (int i = 0; i < TORQ_SIZES; i++) {
        all += mover->sizes[i].count;
        if (!mover->sizes[i].slow)
            continue;
        largest = i;
        slow.count += mover->sizes[i].count;
        slow.bytes += mover->sizes[i].bytes;
        slow.ticks += mover->sizes[i].ticks;
    }
    format_bytes(limit, (uint64_t)2 << largest);
    advice_text(advice, item, "limit", limit);
    advice_count(advice, item, "small", slow.count / runs);
    advice_count(advice, item, "all", all / runs);
    advice_text(advice, item, "rate", say_rate(advice, model, rate_of(&slow)));
    advice_text(advice, item, "best", say_rate(advice, model, mover->best));
}

static void find_small(struct advice *advice, const struct advice_rule *rule, const void *data)
{
    const struct torq_model *model = data;

    for (unsigned side = 0; side < 2; side++) {
        struct advice_item *item = NULL;

        for (size_t i = 0; i < model->load_count; i++) {
            const struct torq_load *load = &model->loads[i];
            double slow = load->slow[side];

            if (!(slow > 0))
                continue;
            if (!item)
                item = advice_add(advice, rule);
            advice_row(advice, item, load_row(model, i, slow, NULL));
            advice_claim(advice, item, load->transfers, ns_of(model, slow));
        }
        if (!item)
            continue;
        advice_text(advice, item, "engine", (side ? &torq_engine_dma_out : &torq_engine_dma_in)->title);
        set_sizes(advice, item, model, &model->movers[side]);
    }
}

/* ---- What dominates ---- */

void torq_dominates_timeline(struct advice *advice, const struct torq_model *model)
{
    size_t longest = 0;
    const struct torq_load *load;
    double even, moving;
    enum advice_bound bound;

    for (size_t i = 1; i < model->load_count; i++)
        if (model->loads[i].given > model->loads[longest].given)
            longest = i;
    load = &model->loads[longest];
    even = even_of(model, load);
    moving = fmax(transfers_of(load), (double)(load->total_compute ? 0 : load->total_transfer));
    if (!load->given)
        return;
    bound = moving > even ? ADVICE_TRANSFER : load->css > load->slices ? ADVICE_KERNEL : ADVICE_ARITHMETIC;
    advice_dominates(advice, load_row(model, longest, 0, NULL), bound,
                     advice_say(advice, "transfers %s, computing %s",
                                say_ticks(advice, model, (double)load->total_transfer),
                                say_ticks(advice, model, (double)load->total_compute)),
                     bound == ADVICE_TRANSFER ? "narrower types, or a shape that moves fewer bytes"
                     : bound == ADVICE_KERNEL ? "an operator that slices can compute"
                                              : "a smaller shape, a narrower type, or a cheaper operator");
}

/* ---- The rules ---- */

static const struct advice_rule rules[] = {
    { .id = "dma-not-hidden",
      .looks_for = "operators whose transfers would fit below their computing, but run while nothing computes",
      .bound = ADVICE_TRANSFER,
      .title = "Overlap transfers with computing (double buffering) in {first}[ ({place})][ {more}]",
      .evidence = "Data move for {exposed} while nothing computes: transfers and computing wait for each other.",
      .assumes = "if data of the next tile or operator came in, and results went out, while something computes",
      .ruled_out = "too many bytes: transfers take {moving} in the longer direction, computing {below}",
      .command = "tacho operators {input}[{files}]",
      .find = find_waiting },
    { .id = "dma-bound",
      .looks_for = "operators whose transfers take longer than their computing, even beside it",
      .bound = ADVICE_TRANSFER,
      .title = "Move fewer bytes for {first}[ ({place})][ {more}]",
      .evidence =
          "Transfers take {moving} in the longer direction, and the slices could compute in {even}: they wait for "
          "data the rest of the time. Narrower types, tiles that are read once, and data that stay in local "
          "memory make it less.",
      .assumes = "if transfers took as long as computing; fewer would save nothing more",
      .ruled_out = "missing overlap: what could hide below computing is counted apart",
      .command = "tacho operators {input}[{files}]",
      .find = find_bound },
    { .id = "slice-idle",
      .looks_for = "operators whose tiles take turns on one slice while others have no work",
      .bound = ADVICE_IMBALANCE,
      .title = "Let all {slices} slices work at once on {first}[ ({place})][ {more}]",
      .evidence = "[{idle_slice} has {little}. ]{turns}: for {slicing} at least one slice computes, where {shared} "
                  "would do if all did.",
      .assumes = "if {cut}; transfers stay as they are[. If there is no {idle_slice}, say how many there are: "
                 "--slices]",
      .ruled_out = "waiting for data: transfers take {moving} in the longer direction",
      .command = "tacho operators {input}[{files}] --by engine",
      .find = find_slices_idle },
    { .id = "css-alone",
      .looks_for = "operators that the CSS computes while no slice does",
      .bound = ADVICE_KERNEL,
      .title = "Give {first}[ ({place})][ {more}] to the slices, or let the CSS run beside them",
      .evidence =
          "The CSS, a single core for what slices cannot do, computes for {css}, and for {alone} of it no slice does.",
      .assumes = "if it took no time of its own: run beside slices, or by them",
      .command = "tacho operators {input}[{files}] --by engine",
      .find = find_css },
    { .id = "copy-operator",
      .looks_for = "operators that move data in and out and compute nothing",
      .bound = ADVICE_TRANSFER,
      .title = "Do without the copies of {first}[ ({place})][ {more}]",
      .evidence = "{rows:operator moves:operators move} data in and out for {time}, and compute{rows~s:} nothing.",
      .assumes = "if the operators around read and wrote the data where they are needed",
      .command = "tacho operators {input}[{files}]",
      .find = find_copies },
    { .id = "small-transfers",
      .looks_for = "transfers that are too small for the rate that larger ones of the same engine reach",
      .bound = ADVICE_TRANSFER,
      .title = "Make the transfers of {engine} larger: {small} of {all} are below {limit}",
      .evidence = "They reach {rate} GB/s, where the engine reaches {best}. The first is {first}[ ({place})].",
      .assumes = "if their bytes were moved at that rate; what is hidden below computing does not count",
      .command = "tacho advise {input}[{files}] --columns operation,engine,gb_s,bytes",
      .find = find_small },
    { .id = "host-program",
      .looks_for = "programs on the host for which the accelerator waits",
      .bound = ADVICE_WAITING,
      .title =
          "Bring {first}[ ({place})][ {more}] to the accelerator, or run {rows~it:them} while the accelerator works",
      .evidence = "The compiler leaves {rows:program:programs} to the host, for {time} of a run.",
      .assumes = "if the host had nothing to do, or did it meanwhile",
      .command = "tacho operators {input}[{files}] --by engine",
      .find = torq_find_host_programs },
    { .id = "idle-between",
      .looks_for = "time in which no engine works",
      .bound = ADVICE_WAITING,
      .title = "Find out what the engines wait for {first}[ ({place})][ {more}]",
      .evidence = "No engine works for {time} of a run, at {rows:place:places}.",
      .assumes = "if work went on at once",
      .command = "tacho convert {input}[{files}] -o timeline.pb",
      .find = torq_find_gaps },
    { 0 },
};

const struct advice_rules torq_timeline_rules = { "timelines of the compiler", rules };
