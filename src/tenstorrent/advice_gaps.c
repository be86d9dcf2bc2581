/* advice_gaps.c: the gaps before operations: what a launch takes in a report, what its compiler takes, and what nobody explains. */
#include <math.h>

#include "tenstorrent/advice_model.h"

static const double LAUNCH_QUANTILE = 0.1; /* of the gaps of a report: as quick as this one launches */
static const double COMPILE_FACTOR = 4; /* times the usual gap before what ran already: that is what compiling adds */
static const double DISPATCH_NS = 1e6;  /* a dispatch takes less, a compiler more */

/* ---- Quantiles ---- */

enum { STEPS = 8, MOST_POWERS = 64 }; /* classes of a power of two; powers of two of ns */

/* Gaps by their size: classes of an eighth of a power of two, so that a quantile needs no sorting. */
struct gap_sizes {
    uint64_t count;                       /* of all */
    uint64_t counts[MOST_POWERS * STEPS]; /* of each class */
    double sums[MOST_POWERS * STEPS];     /* ns of these */
};

static void add_size(struct gap_sizes *sizes, double ns)
{
    int power;
    double part = frexp(ns, &power); /* 0.5 to 1 */
    size_t at = (size_t)(power < 0 ? 0 : power >= MOST_POWERS ? MOST_POWERS - 1 : power) * STEPS;

    at += (size_t)((part - 0.5) * 2 * STEPS);
    sizes->count++;
    sizes->counts[at]++;
    sizes->sums[at] += ns;
}

/* The mean of the class that has it; NAN: there are none. */
static double size_at(const struct gap_sizes *sizes, double quantile)
{
    double wanted = quantile * (double)sizes->count, seen = 0;

    for (size_t i = 0; i < MOST_POWERS * STEPS; i++) {
        seen += (double)sizes->counts[i];
        if (sizes->counts[i] && seen >= wanted)
            return sizes->sums[i] / (double)sizes->counts[i];
    }
    return NAN;
}

/* ---- Gaps ---- */

/* Gaps before operations that ran already, and before those that are new. */
struct gap_kinds {
    struct gap_sizes old, fresh; /* those */
};

/* ns over which a gap before something new is its compiler's. */
static double compile_limit(const struct gap_kinds *kinds)
{
    double old = size_at(&kinds->old, 0.5), fresh = size_at(&kinds->fresh, 0.5);

    if (isnan(old))
        return fresh >= DISPATCH_NS ? DISPATCH_NS : INFINITY;
    return fresh >= COMPILE_FACTOR * old ? fmax(COMPILE_FACTOR * old, DISPATCH_NS) : INFINITY;
}

static double find_launch(const struct gap_kinds *kinds)
{
    double old = size_at(&kinds->old, LAUNCH_QUANTILE);
    double launch = isnan(old) ? size_at(&kinds->fresh, LAUNCH_QUANTILE) : old;

    return launch < GAP_NORMAL * 1000 ? launch : GAP_NORMAL * 1000;
}

void op_model_share_gaps(struct op_model *model)
{
    struct gap_kinds kinds = { .old = { .count = 0 } };
    double limit;

    for (size_t i = 0; i < model->rows.count; i++) {
        const struct model_row *row = model_row_at(model, i);

        if (row->gap > 0 && op_share_at(model, row->share)->device == model->critical)
            add_size(row->fresh ? &kinds.fresh : &kinds.old, row->gap);
    }
    limit = compile_limit(&kinds);
    model->launch_ns = find_launch(&kinds);
    for (size_t i = 0; i < model->rows.count; i++) {
        const struct model_row *row = model_row_at(model, i);
        struct op_share *share = op_share_at(model, row->share);
        double over = row->gap - model->launch_ns;

        if (!(row->gap > GAP_HIGH * 1000)) {
            share->launch += row->gap;
            continue;
        }
        share->launch += model->launch_ns;
        if (row->fresh && row->gap > limit) {
            share->compiled += over;
            continue;
        }
        share->excess += over;
        share->gaps++;
        if (over > share->worst_gap) {
            share->worst_gap = over;
            share->worst_gap_row = row->index;
        }
    }
}
