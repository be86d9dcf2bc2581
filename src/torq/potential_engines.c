/* potential_engines.c: what an estimate allows: overlap, rates of transfers, balance of the slices. */
#include "torq/potential_engines.h"

#include <assert.h>
#include <math.h>

#include "analyze/breakdown.h"
#include "base/format.h"
#include "base/memory.h"
#include "base/number.h"
#include "torq/chain.h"
#include "torq/metrics.h"

enum { MOST_ENGINES = 16 }; /* that move data: there are four classes, and a track of each */

/* An engine that moves data. */
struct mover {
    const struct busy_track *track;       /* when it was busy */
    const struct traffic_engine *traffic; /* what it moved */
    const char *name;                     /* of the potential */
    int64_t busy;                         /* ticks */
    int64_t exposed;                      /* of them, while nothing computes */
    uint32_t peak;                        /* among those of the potential; NO_ID: none */
    int best;                             /* the size with the best rate; -1: none is known */
};

struct filling {
    const struct potential_torq *input; /* what is looked at */
    struct potential *potential;        /* what is filled */
    struct mover movers[MOST_ENGINES];  /* engines that move data */
    unsigned count;                     /* of them */
};

static bool is_of(const struct potential_torq *input, const struct busy_track *track)
{
    return track->kept && track->process == input->process;
}

/* ---- Items ---- */

/* What one operator used of a track. */
static void add_share(struct potential *potential, const struct potential_torq *input, operator_id op,
                      const struct busy_share *share, uint32_t memory)
{
    const struct busy_track *track = busy_track(input->busy, share->track);
    struct potential_item *item = potential_add_item(potential);
    const struct op *about = op == NO_ID ? NULL : &busy_operator(input->busy, op)->op;
    const struct traffic_engine *traffic;

    if (!item)
        return;
    item->name = about && about->name ? potential_say(potential, "%s", strings_text(input->strings, about->name))
                                      : "(no operator)";
    item->engine = item->kind =
        potential_say(potential, "%s", breakdown_engine(&track->track, input->metrics, input->strings));
    item->label = potential_say(potential, "%s: %s", item->engine, item->name);
    item->steady = true;
    item->place =
        about && about->location ? potential_say(potential, "%s", strings_text(input->strings, about->location)) : NULL;
    item->ticks = intervals_length(&share->set);
    item->count = share->slices;
    /* Bytes of some transfers over the time of all would be no rate. */
    traffic = traffic_of_track(input->traffic, share->track);
    if (share->bytes > 0 && traffic && !traffic->unsized) {
        item->bytes = (double)share->bytes;
        item->memory = memory;
    }
}

void potential_add_shares(struct potential *potential, const struct potential_torq *input, unsigned groups,
                          const uint32_t *peaks)
{
    const struct busy *busy = input->busy;

    assert(input->busy && groups);
    for (size_t i = 0; i <= busy->operators.count; i++) {
        operator_id op = i < busy->operators.count ? (operator_id)i : NO_ID;
        uint32_t next = op == NO_ID ? busy->unattributed : busy_operator(busy, op)->first_share;

        for (; next != NO_ID; next = busy_share(busy, next)->next) {
            const struct busy_share *share = busy_share(busy, next);
            const struct busy_track *track = busy_track(busy, share->track);

            if (is_of(input, track) && groups & 1u << engine_group(track->track.engine))
                add_share(potential, input, op, share, peaks ? peaks[share->track] : NO_ID);
        }
    }
}

/* ---- Peaks of the engines ---- */

static double rate_of_size(const struct filling *filling, const struct traffic_size *size)
{
    const struct clock *clock = &filling->potential->clock;

    return size->ticks > 0
               ? (double)size->bytes / ((double)size->ticks * (double)clock->numerator / (double)clock->denominator)
               : NAN;
}

static const char *say_size(struct filling *filling, int size)
{
    char from[FORMAT_SIZE], to[FORMAT_SIZE];

    format_bytes(from, (uint64_t)1 << size);
    format_bytes(to, ((uint64_t)2 << size) - 1);
    return potential_say(filling->potential, "%s to %s", from, to);
}

static double given_rate(const struct potential_torq *input, const struct engine *engine)
{
    double rate = input->architecture ? architecture_gigabytes(input->architecture, engine->key) : NAN;

    if (isnan(rate) && input->architecture && (engine == &torq_engine_cdma_dtcm || engine == &torq_engine_cdma_itcm))
        rate = architecture_gigabytes(input->architecture, "cdma");
    return rate;
}

/* Given, or that of the size whose transfers are the fastest on average: one lucky transfer makes no peak. */
static void find_peak(struct filling *filling, struct mover *mover)
{
    double rate = given_rate(filling->input, mover->track->track.engine), best = NAN;
    bool given = !isnan(rate);

    mover->best = -1;
    for (int i = 0; i < TRAFFIC_SIZES; i++) {
        double size = rate_of_size(filling, &mover->traffic->sizes[i]);

        if (size > 0 && !(best >= size)) {
            best = size;
            mover->best = i;
        }
    }
    mover->peak = potential_peak(
        filling->potential, mover->name, true, given ? rate : best,
        given             ? filling->input->architecture_file
        : mover->best < 0 ? NULL
                          : potential_say(filling->potential, "transfers of %s", say_size(filling, mover->best)));
    if (mover->peak != NO_ID)
        filling->potential->peaks[mover->peak].observed = !given;
}

static void find_movers(struct filling *filling)
{
    const struct potential_torq *input = filling->input;

    for (size_t i = 0; i < input->busy->tracks.count && filling->count < MOST_ENGINES; i++) {
        const struct busy_track *track = busy_track(input->busy, (track_id)i);
        struct mover *mover = &filling->movers[filling->count];

        if (!is_of(input, track) || engine_group(track->track.engine) != GROUP_TRANSFER)
            continue;
        *mover = (struct mover){
            .track = track, .traffic = traffic_of_track(input->traffic, (track_id)i), .peak = NO_ID, .best = -1
        };
        mover->name =
            potential_say(filling->potential, "%s", breakdown_engine(&track->track, input->metrics, input->strings));
        mover->busy = intervals_length(&track->set);
        if (mover->traffic)
            find_peak(filling, mover);
        filling->count++;
    }
}

/* ---- Time that is not hidden ---- */

static void add_stretch(void *context, uint64_t active, int64_t start, int64_t end)
{
    struct filling *filling = context;

    if (active & 1)
        return;
    for (unsigned i = 0; i < filling->count; i++)
        if (active & 2u << i)
            filling->movers[i].exposed += end - start;
}

/* One sweep: the first set is all computing, the others are the movers'. */
static status find_exposed(struct filling *filling)
{
    const struct potential_torq *input = filling->input;
    const struct intervals *sets[MOST_ENGINES + 1];
    struct intervals computing = INTERVALS_EMPTY;
    status code = STATUS_OK;

    for (size_t i = 0; i < input->busy->tracks.count && code == STATUS_OK; i++) {
        const struct busy_track *track = busy_track(input->busy, (track_id)i);

        if (is_of(input, track) && engine_group(track->track.engine) == GROUP_COMPUTE)
            code = intervals_add_all(&computing, &track->set);
    }
    if (code == STATUS_OK)
        code = intervals_settle(&computing);
    sets[0] = &computing;
    for (unsigned i = 0; i < filling->count; i++)
        sets[i + 1] = &filling->movers[i].track->set;
    if (code == STATUS_OK)
        intervals_sweep(sets, filling->count + 1, add_stretch, filling);
    intervals_free(&computing);
    return code;
}

/* ---- Chances ---- */

static const char *say_ticks(struct filling *filling, int64_t ticks)
{
    return potential_say_time(filling->potential, potential_ns(filling->potential, ticks));
}

static void add_chance(struct filling *filling, int64_t time, double saves, struct potential_chance chance)
{
    chance.time = potential_ns(filling->potential, time);
    chance.saves = saves;
    chance.share = potential_share(filling->potential, saves);
    potential_add_chance(filling->potential, chance);
}

/* Transfers that nothing computes behind could run behind something that does, as far as there is so much of that. */
static void add_overlap(struct filling *filling)
{
    struct potential *potential = filling->potential;
    int64_t exposed = metrics_ticks(filling->input->metrics, &torq_metric_transfer_only),
            alone = metrics_ticks(filling->input->metrics, &torq_metric_compute_only);
    const char *list = "";

    for (unsigned i = 0; i < filling->count; i++)
        list =
            potential_say(potential, "%s%s%s %s of %s", list, i ? ", " : "", filling->movers[i].name,
                          say_ticks(filling, filling->movers[i].exposed), say_ticks(filling, filling->movers[i].busy));
    add_chance(
        filling, exposed, potential_ns(potential, exposed < alone ? exposed : alone),
        (struct potential_chance){
            .what = "Let transfers run while slices or CSS compute: bring in the next data during the work on these "
                    "(double buffering)",
            .about = "transfers",
            .bound = exposed < alone ? "if all of them ran behind computing"
                                     : potential_say(potential, "if all %s of computing without transfers hid some",
                                                     say_ticks(filling, alone)),
            .evidence = potential_say(
                potential, "Data move for %s while nothing computes, and for %s while something does. Not hidden: %s.",
                say_ticks(filling, exposed),
                say_ticks(filling, metrics_ticks(filling->input->metrics, &torq_metric_overlap)), list),
            .count = filling->count,
        });
}

/* Sizes that reach less than half of the best rate, below the best size. */
static struct traffic_size small_transfers(const struct filling *filling, const struct mover *mover, int *largest)
{
    struct traffic_size sum = { 0, 0, 0 };
    double best = mover->best < 0 ? NAN : rate_of_size(filling, &mover->traffic->sizes[mover->best]);

    *largest = -1;
    for (int i = 0; i < mover->best; i++) {
        const struct traffic_size *size = &mover->traffic->sizes[i];

        if (!(rate_of_size(filling, size) < best / 2))
            continue;
        sum.count += size->count;
        sum.bytes = number_add(sum.bytes, size->bytes);
        sum.ticks = number_add(sum.ticks, size->ticks);
        *largest = i;
    }
    return sum;
}

static uint64_t transfers_of(const struct mover *mover)
{
    uint64_t count = 0;

    for (int i = 0; i < TRAFFIC_SIZES; i++)
        count += mover->traffic->sizes[i].count;
    return count;
}

static const char *say_rate_of(struct filling *filling, const struct traffic_size *size)
{
    return potential_say_rate(filling->potential, rate_of_size(filling, size));
}

/* What to do about an engine, and why: small transfers are the usual cause of a low rate. */
static void explain_rate(struct filling *filling, const struct mover *mover, struct potential_chance *chance)
{
    struct potential *potential = filling->potential;
    double rate = (double)mover->track->bytes / potential_ns(potential, mover->busy);
    int largest;
    struct traffic_size small = small_transfers(filling, mover, &largest);
    char limit[FORMAT_SIZE], moved[FORMAT_SIZE];

    format_bytes(moved, (uint64_t)mover->track->bytes);
    chance->evidence = potential_say(potential, "%s moves %s in %s: %s GB/s.", mover->name, moved,
                                     say_ticks(filling, mover->busy), potential_say_rate(potential, rate));
    if (!small.count) {
        chance->what = potential_say(potential, "Bring %s nearer to its peak: at %.0f %% of it now", mover->name,
                                     rate / potential->peaks[mover->peak].rate * 100);
        return;
    }
    format_bytes(limit, (uint64_t)2 << largest);
    chance->what = potential_say(potential, "Make the transfers of %s larger: %llu of %llu are below %s", mover->name,
                                 (unsigned long long)small.count, (unsigned long long)transfers_of(mover), limit);
    chance->evidence = potential_say(potential, "%s Those below %s reach %s GB/s, those of %s %s.", chance->evidence,
                                     limit, say_rate_of(filling, &small), say_size(filling, mover->best),
                                     say_rate_of(filling, &mover->traffic->sizes[mover->best]));
}

/* What an engine takes above its peak; only what is not hidden counts. */
static void add_rate(struct filling *filling, const struct mover *mover)
{
    struct potential *potential = filling->potential;
    const struct potential_peak *peak = mover->peak == NO_ID ? NULL : &potential->peaks[mover->peak];
    double busy = potential_ns(potential, mover->busy), exposed = potential_ns(potential, mover->exposed), above;
    struct potential_chance chance = { .about = mover->name, .count = mover->track->slices };

    if (!peak || !(peak->rate > 0) || mover->track->bytes <= 0 || mover->busy <= 0 || mover->traffic->unsized)
        return;
    above = busy - (double)mover->track->bytes / peak->rate;
    explain_rate(filling, mover, &chance);
    chance.bound =
        potential_say(potential, "if it moved its bytes at %s GB/s%s%s", potential_say_rate(potential, peak->rate),
                      peak->observed ? ", the best of this profile" : "",
                      above > exposed ? "; what is hidden behind computing does not count" : "");
    add_chance(filling, mover->busy, above < exposed ? above : exposed, chance);
}

/* The slices together against an even share of each. */
static void add_balance(struct filling *filling)
{
    struct potential *potential = filling->potential;
    const struct potential_torq *input = filling->input;
    int64_t sum = 0, together = metrics_ticks(input->metrics, &torq_metric_slice);
    const char *list = "";
    unsigned slices = 0;

    for (size_t i = 0; i < input->busy->tracks.count; i++) {
        const struct busy_track *track = busy_track(input->busy, (track_id)i);
        int64_t busy;

        if (!is_of(input, track) || track->track.engine != &torq_engine_slice)
            continue;
        busy = intervals_length(&track->set);
        sum = number_add(sum, busy);
        if (slices++ < 4)
            list = potential_say(potential, "%s%s%s %s", list, slices > 1 ? ", " : "",
                                 strings_text(input->strings, track->track.name), say_ticks(filling, busy));
    }
    if (slices < 2)
        return;
    add_chance(filling, together, potential_ns(potential, together) - potential_ns(potential, sum) / slices,
               (struct potential_chance){
                   .what = "Share the work of the slices more evenly",
                   .about = "slices",
                   .bound = potential_say(potential, "if %s slices worked at once, each for as long",
                                          slices == 2 ? "both" : "all"),
                   .evidence = potential_say(potential, "Some slice computes for %s: %s%s.",
                                             say_ticks(filling, together), list, slices > 4 ? " and so on" : ""),
                   .count = slices,
               });
}

static void add_rest(struct filling *filling)
{
    struct potential *potential = filling->potential;
    int64_t css = metrics_ticks(filling->input->metrics, &torq_metric_compute) -
                  metrics_ticks(filling->input->metrics, &torq_metric_slice); /* while no slice computes */

    add_chance(
        filling, metrics_ticks(filling->input->metrics, &torq_metric_css), potential_ns(potential, css),
        (struct potential_chance){
            .what = "Give work of the CSS to the slices, or let it run beside them",
            .about = "CSS",
            .bound = "if it took no time, or ran while slices compute",
            .evidence = potential_say(
                potential,
                "The CSS, a single core for what slices cannot do, computes for %s, %s of it while no slice does.",
                say_ticks(filling, metrics_ticks(filling->input->metrics, &torq_metric_css)), say_ticks(filling, css)),
            .count = 1,
        });
    add_chance(filling, metrics_ticks(filling->input->metrics, &metric_idle),
               potential_ns(potential, metrics_ticks(filling->input->metrics, &metric_idle)),
               (struct potential_chance){
                   .what = "Find out what the accelerator waits for between its work",
                   .about = "idle",
                   .bound = "if there were no idle time",
                   .evidence = potential_say(potential, "For %s no engine is at work.",
                                             say_ticks(filling, metrics_ticks(filling->input->metrics, &metric_idle))),
               });
}

/* ---- Parts and notes ---- */

static void add_parts(struct filling *filling)
{
    int64_t rest = metrics_ticks(filling->input->metrics, &metric_overall) -
                   metrics_ticks(filling->input->metrics, &torq_metric_compute_only) -
                   metrics_ticks(filling->input->metrics, &torq_metric_overlap) -
                   metrics_ticks(filling->input->metrics, &torq_metric_transfer_only) -
                   metrics_ticks(filling->input->metrics, &metric_idle);

    potential_add_part(filling->potential, "computing only",
                       metrics_ticks(filling->input->metrics, &torq_metric_compute_only));
    potential_add_part(filling->potential, "computing and moving data",
                       metrics_ticks(filling->input->metrics, &torq_metric_overlap));
    potential_add_part(filling->potential, "moving data only",
                       metrics_ticks(filling->input->metrics, &torq_metric_transfer_only));
    if (rest)
        potential_add_part(filling->potential, "host or NSS program only", rest);
    potential_add_part(filling->potential, "idle", metrics_ticks(filling->input->metrics, &metric_idle));
}

static void note_estimate(struct filling *filling)
{
    struct potential *potential = filling->potential;
    uint64_t unsized = 0;
    bool observed = false;

    for (unsigned i = 0; i < filling->count; i++)
        unsized += filling->movers[i].traffic ? filling->movers[i].traffic->unsized : 0;
    for (size_t i = 0; i < potential->peak_count; i++)
        observed |= potential->peaks[i].observed && potential->peaks[i].rate > 0;
    potential_note(potential, "All times are the compiler's estimate.");
    if (unsized)
        potential_note(potential, "%llu transfer%s no bytes in the file: %s rate is not known.",
                       (unsigned long long)unsized, unsized == 1 ? " has" : "s have", unsized == 1 ? "its" : "their");
    if (observed)
        potential_note(potential, "Roofs that were observed are the best rates of this profile, by size of the "
                                  "transfers: the engines can do at "
                                  "least that. Their true peaks can be given by --arch FILE.json.");
    potential_note(potential,
                   "How many operations slices and the CSS do is not in the file: they have times, no rates.");
}

static status add_items(struct filling *filling)
{
    const struct busy *busy = filling->input->busy;
    uint32_t *peaks = memory_allocate((busy->tracks.count + 1) * sizeof *peaks);

    if (!peaks)
        return status_no_memory("looking at transfers");
    for (size_t i = 0; i < busy->tracks.count; i++)
        peaks[i] = NO_ID;
    for (unsigned i = 0; i < filling->count; i++)
        peaks[filling->movers[i].track->track.id] = filling->movers[i].peak;
    potential_add_shares(filling->potential, filling->input, 1u << GROUP_TRANSFER | 1u << GROUP_COMPUTE, peaks);
    memory_free(peaks);
    return STATUS_OK;
}

static status fill_estimate(struct filling *filling)
{
    status code;

    find_movers(filling);
    code = add_items(filling);
    if (code == STATUS_OK)
        code = find_exposed(filling);
    if (code == STATUS_OK)
        code = potential_settle(filling->potential);
    if (code != STATUS_OK)
        return code;
    add_parts(filling);
    add_overlap(filling);
    for (unsigned i = 0; i < filling->count; i++)
        add_rate(filling, &filling->movers[i]);
    add_balance(filling);
    add_rest(filling);
    note_estimate(filling);
    return potential_rank(filling->potential);
}

status potential_of_torq(struct potential *potential, const struct potential_torq *input)
{
    struct filling filling = { .input = input, .potential = potential };

    assert(input->metrics && input->busy);
    potential_start(potential, input->metrics->clock, 1);
    potential->whole = metrics_ticks(input->metrics, &metric_overall);
    potential->transfers = true;
    return input->measured ? potential_add_jobs(potential, input) : fill_estimate(&filling);
}
