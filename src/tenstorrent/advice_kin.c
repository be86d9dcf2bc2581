/* advice_kin.c: operations that take much longer than their equals: some of those that are alike, or all of them beside others of
 * their kind. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "tenstorrent/advice_judge.h"

enum { FEW_EQUALS = 3 }; /* as many others tell well what is usual */

static const double OUTLIES = 2;     /* times the usual of operations that are alike */
static const double KIN_OUTLIES = 4; /* the same of others of their kind: what they compute may differ */
static const double LIKE_SIZE = 2;   /* times the work, up or down, that can be compared */
static const double WORTH = 0.01;    /* of a run: what takes less is not compared with its kind */

static int compare_times(const void *one, const void *other)
{
    double a = *(const double *)one, b = *(const double *)other;

    return (a > b) - (a < b);
}

static double median_of(double *times, size_t count)
{
    qsort(times, count, sizeof *times, compare_times);
    return times[(count - 1) / 2];
}

/* ---- Among those that are alike ---- */

/* Times the usual from which on one is an outlier: few equals tell less of what is usual. */
static double outlies_among(uint64_t count)
{
    return count > FEW_EQUALS ? OUTLIES : KIN_OUTLIES;
}

/* Whether one of them takes so much longer than the mean, of few than the mean of the others, that it may be an outlier. */
static bool is_suspect(const struct op_share *share)
{
    double others = (double)share->timed - 1;

    if (share->timed > FEW_EQUALS)
        return share->slowest >= OUTLIES * share->kernel / (double)share->timed;
    return others > 0 && share->slowest * others >= KIN_OUTLIES * (share->kernel - share->slowest);
}

/* The times of each suspect, one after the other; `*starts` by like. */
static void list_times(const struct op_model *model, const size_t *starts, double *times, size_t *filled)
{
    for (size_t i = 0; i < model->rows.count; i++) {
        const struct model_row *row = model_row_at(model, i);
        const struct op_share *share = op_share_at(model, row->share);

        if (row->kernel > 0 && op_like_at(model, share->like)->share == share && is_suspect(share))
            times[starts[share->like] + filled[share->like]++] = row->kernel;
    }
}

static void judge_times(const struct op_model *model, struct op_like *like, double *times, size_t count)
{
    struct op_outlier *outlier = &like->outlier;

    outlier->usual = median_of(times, count);
    outlier->worst = times[count - 1];
    outlier->among = count;
    outlier->row = op_row_at(model->report, like->share->slowest_row);
    outlier->alike = true;
    for (size_t i = 0; i < count; i++) {
        if (times[i] < outlies_among(count) * outlier->usual)
            continue;
        outlier->count++;
        outlier->excess += (times[i] - outlier->usual) / model->runs * model->shared;
    }
}

static status compare_alike(struct op_model *model)
{
    size_t *starts = memory_allocate_clear((model->likes.count + 1) * 2 * sizeof *starts), count = 0;
    size_t *filled = starts ? starts + model->likes.count + 1 : NULL;
    double *times = NULL;

    for (size_t i = 0; i < model->likes.count && starts; i++) {
        const struct op_share *share = op_like_at(model, i)->share;

        starts[i] = count;
        count += share && is_suspect(share) ? share->timed : 0;
    }
    if (count)
        times = memory_allocate(count * sizeof *times);
    if (times) {
        list_times(model, starts, times, filled);
        for (size_t i = 0; i < model->likes.count; i++)
            if (filled[i])
                judge_times(model, op_like_at(model, i), times + starts[i], filled[i]);
    }
    memory_free(times);
    memory_free(starts);
    return starts && (times || !count) ? STATUS_OK : status_no_memory("comparing operations");
}

const struct op_row *op_worst_row(const struct op_model *model, const struct op_like *like)
{
    return like->share && is_suspect(like->share) ? op_row_at(model->report, like->share->slowest_row) : NULL;
}

/* ---- Beside others of their kind ---- */

static double elements_of(const struct op_tensor *tensor)
{
    double product = 1;

    for (unsigned i = 0; i < 4; i++)
        product *= tensor->size[i] > 0 ? tensor->size[i] : 1;
    return tensor->size[OP_X] > 0 ? product : NAN;
}

/* Operations of a product, or numbers in the larger of its tensors; NAN: not known. */
static double work_of(const struct op_model *model, const struct op_like *like)
{
    struct op_rates rates;

    (void)op_work(model, like, &rates);
    return rates.product ? rates.work.flops
                         : fmax(elements_of(&like->op.row->inputs[0]), elements_of(&like->op.row->output));
}

static bool is_kin(const struct op_like *one, const struct op_like *other)
{
    const struct op_row *a = one->op.row, *b = other->op.row;

    return a->code == b->code && a->kind == b->kind && a->fidelity == b->fidelity &&
           a->inputs[0].memory == b->inputs[0].memory && a->inputs[0].datatype == b->inputs[0].datatype &&
           a->output.memory == b->output.memory && other->share && other->share->timed && !other->mixed;
}

/* What others of its kind take for work of like size, as a rule; one of less work is taken to grow with it. NAN: there are too few. */
static double usual_of(const struct op_model *model, const struct op_like *like, double *times, size_t *among)
{
    double own = work_of(model, like);

    *among = 0;
    for (size_t i = 0; i < model->likes.count; i++) {
        const struct op_like *other = op_like_at(model, i);
        double work = is_kin(like, other) ? work_of(model, other) : NAN;

        if (work * LIKE_SIZE >= own && work <= own * LIKE_SIZE)
            times[(*among)++] = other->op.kernel_ns * fmax(own / work, 1);
    }
    return *among > FEW_EQUALS ? median_of(times, *among) : NAN;
}

static void compare_kin(struct op_model *model, double *times)
{
    for (size_t i = 0; i < model->likes.count; i++) {
        struct op_like *like = op_like_at(model, i);
        size_t among;
        double usual;

        if (!(like->kernel >= WORTH * model->run_ns) || like->mixed || like->outlier.excess > 0)
            continue;
        usual = usual_of(model, like, times, &among);
        if (!(like->op.kernel_ns >= KIN_OUTLIES * usual))
            continue;
        like->outlier = (struct op_outlier){ .excess = like->kernel * (1 - usual / like->op.kernel_ns),
                                             .usual = usual,
                                             .worst = like->op.kernel_ns,
                                             .count = like->share->timed,
                                             .among = among,
                                             .row = like->op.row };
    }
}

status op_model_find_outliers(struct op_model *model)
{
    double *times = memory_allocate((model->likes.count + 1) * sizeof *times);
    status code = times ? compare_alike(model) : status_no_memory("comparing operations");

    if (code == STATUS_OK)
        compare_kin(model, times);
    memory_free(times);
    return code;
}
