/* advice_judge.c: what bounds like operations, and which one thing is wrong with them. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "tenstorrent/advice_judge.h"

static const double IMPOSSIBLE = 1.5; /* of a peak: it is not that of this chip, or the time is not that of the work */
static const double UNEVEN = 0.1;     /* of an operation's time on the critical device, over the mean: less is noise */
static const double STRAGGLES = 1.2;  /* times the mean core that the longest works: not shared out */
static const double LATE = 0.2;       /* of its kernel that the last core starts behind the first */
static const double STARVED = 0.3;    /* of its kernel that compute waits */
static const double EXPLAINED = 0.5;  /* of what an operation lacks: what explains so much is why it is slow */
static const double FEW = 0.5;        /* of all cores that a product may use at most to be on few of them */
static const double FEW_OF_OTHERS = 0.25; /* the same of what is no product: how well it divides is not known */
static const double SHORT_NS = 20000;     /* an operation below is over before more cores or another setup could help */

/* ---- Names ---- */

static bool is_collective(struct text code)
{
    static const char *const names[] = { "AllGather",    "ReduceScatter", "AllReduce", "AllToAll",  "AllBroadcast",
                                         "PointToPoint", "ReduceToRoot",  "SendAsync", "RecvAsync", "SendDirectAsync" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text_contains(code, names[i]))
            return true;
    return false;
}

/* Operations that only move data into another form, by how their names begin, and what makes them unneeded. */
static const struct {
    const char *name, *instead;
} layouts[] = {
    { "Tilize", "make the tensor in tiles where it comes from" },
    { "Untilize", "leave the tensor in tiles: most operations take them" },
    { "InterleavedToSharded", "let the operation before write the shards" },
    { "ShardedToInterleaved", "let the next operation read the shards" },
    { "Reshard", "give the operations on both sides one sharding" },
    { "Permute", "fold it into the weights, or into the operation before" },
    { "Transpose", "multiply with transpose_a or transpose_b, or store the weights transposed" },
    { "Reshape", "reshape along whole tiles, which moves nothing" },
    { "Pad", "allocate the tensor with its padding" },
    { "FillPad", "allocate the tensor with its padding" },
    { "Copy", "let the operation before write there" },
    { "Clone", "let the operation before write there" },
    { "Move", "allocate the tensor where it stays" },
};

const char *op_layout_instead(struct text code)
{
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        struct text rest = code;

        if (text_cut_start(&rest, layouts[i].name) && !(rest.length && *rest.data >= 'a' && *rest.data <= 'z'))
            return layouts[i].instead;
    }
    return NULL;
}

/* Whether an operation that is no product reads all of its tensors; others may read some rows of a large one. */
static bool reads_all(struct text code)
{
    static const char *const names[] = { "Binary",  "Unary",  "Ternary",  "LayerNorm", "RMSNorm", "GroupNorm",
                                         "Softmax", "Reduce", "Typecast", "Copy",      "Eltwise" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text_begins(code, names[i]))
            return true;
    return false;
}

uint8_t op_kind_of(const struct op_model *model, const struct op_like *like)
{
    struct text code = strings_get(model->report->strings, like->op.row->code);
    uint8_t *kind = &model->kinds[like->op.row->code];
    const char *category;

    if (*kind)
        return *kind;
    category = advise_category(code);
    *kind = MODEL_KNOWN;
    *kind |= is_collective(code) ? MODEL_COLLECTIVE : 0;
    *kind |= op_layout_instead(code) ? MODEL_LAYOUT : 0;
    *kind |= reads_all(code) ? MODEL_READS_ALL : 0;
    *kind |= category && (*category == 'D' || *category == 'T') ? MODEL_MOVES : 0; /* DM, TM */
    return *kind;
}

/* ---- Work ---- */

static struct text type_of(const struct op_model *model, string_id id)
{
    return strings_get(model->report->strings, id);
}

/* Passes that are enough for a type of weights; activations may be of any of them. */
static const struct {
    const char *type;
    enum fidelity enough;
} passes[] = { { "BFLOAT16", FIDELITY_HIFI2 }, { "BFLOAT8_B", FIDELITY_HIFI2 }, { "BFLOAT4_B", FIDELITY_LOFI } };

enum fidelity op_enough_passes(const struct op_model *model, const struct op_like *like)
{
    enum fidelity enough[2] = { FIDELITY_COUNT, FIDELITY_COUNT };

    for (unsigned i = 0; i < 2; i++)
        for (size_t j = 0; j < sizeof passes / sizeof *passes; j++)
            if (text_is(type_of(model, like->op.row->inputs[i].datatype), passes[j].type))
                enough[i] = passes[j].enough;
    return enough[0] == FIDELITY_COUNT ? FIDELITY_COUNT : enough[1];
}

static double dram_bytes(const struct op_model *model, const struct op_tensor *tensor)
{
    return op_tensor_in_dram(model->report->strings, tensor) ? op_tensor_bytes(model->report->strings, tensor) : 0;
}

/* More than 8 bits for a number. */
static bool is_wide(const struct op_model *model, const struct op_tensor *tensor)
{
    return text_is(type_of(model, tensor->datatype), "BFLOAT16") ||
           text_is(type_of(model, tensor->datatype), "FLOAT32");
}

/* Bytes in DRAM that it need not move: half of what has 16 bits and could have 8. */
static double spare_bytes(const struct op_model *model, const struct op_like *like)
{
    const struct op_row *row = like->op.row;
    const struct op_tensor *tensors[] = { &row->inputs[0], &row->inputs[1], &row->output };
    double spare = 0;

    for (unsigned i = 0; i < 3; i++)
        if (is_wide(model, tensors[i]) && dram_bytes(model, tensors[i]) > 0)
            spare += dram_bytes(model, tensors[i]) / 2;
    return spare;
}

bool op_work(const struct op_model *model, const struct op_like *like, struct op_rates *rates)
{
    const struct chip *chip = &model->advise->architecture;
    struct roofline_point point;

    *rates = (struct op_rates){ .cores = like->op.cores,
                                .work = { NAN, NAN, like->op.kernel_ns * 1e-9 },
                                .peak = { NAN, NAN } };
    rates->product = !like->mixed && advise_work(model->advise, &like->op, &rates->work, &rates->peak);
    if (rates->product && isnan(rates->work.bytes)) { /* a convolution, which is held against all cores */
        rates->work.bytes = like->op.row->dram_bytes;
        rates->peak.flops *= like->op.cores / (double)chip->worker_cores;
        rates->convolution = true;
    }
    if (!rates->product && !like->mixed && (op_kind_of(model, like) & MODEL_READS_ALL)) {
        rates->work.bytes = like->op.row->dram_bytes;
        rates->peak.gigabytes = chip->dram;
    }
    point = roofline_place(rates->work, rates->peak);
    rates->memory = point.memory_percent > 0 ? point.memory_percent / 100 : 0;
    rates->arithmetic = point.compute_percent > 0 ? point.compute_percent / 100 : 0;
    rates->reached = fmax(rates->memory, rates->arithmetic);
    if (rates->reached > IMPOSSIBLE)
        rates->memory = rates->arithmetic = rates->reached = 0;
    rates->known = rates->product && !rates->convolution && rates->arithmetic > 0 &&
                   (!(rates->work.bytes > 0) || rates->memory > 0);
    return rates->reached > 0 && rates->work.seconds > 0;
}

/* What of its time would be left with other work or other peaks, if it came as near to them as now. */
static double left_with(const struct op_rates *rates, double bytes, double flops_factor)
{
    double memory = bytes > 0 ? bytes / (rates->peak.gigabytes * 1e9) : 0;
    double arithmetic = rates->work.flops > 0 ? rates->work.flops / (rates->peak.flops * flops_factor) : 0;
    double ideal = fmax(isnan(memory) ? 0 : memory, isnan(arithmetic) ? 0 : arithmetic);

    return ideal / rates->reached / rates->work.seconds;
}

/* ---- Findings ---- */

/* The larger one stays. `part`: of its time that could be saved. */
static void find(struct op_like *like, enum op_finding finding, double part)
{
    double saves = fmin(part, 1) * like->kernel;

    if (!(saves > like->saves))
        return;
    like->finding = finding;
    like->saves = saves;
}

double op_waits(const struct op_model *model, const struct op_like *like)
{
    double waits = like->share && like->share->waited > 0 ? like->share->waits / like->share->waited : NAN;

    return model->wait_sums ? waits / like->op.cores : waits;
}

bool op_is_uneven(const struct op_like *like)
{
    return like->share->cored > 0 && like->share->longest >= STRAGGLES * like->share->mean;
}

bool op_starts_late(const struct op_like *like)
{
    return like->share->started > 0 && like->share->last_start >= LATE * like->share->started;
}

double op_uneven(const struct op_like *like)
{
    double over = like->kernel - like->mean_kernel;

    return like->devices > 1 && over >= UNEVEN * like->kernel ? over : 0;
}

double op_all_cores(const struct op_model *model, const struct op_rates *rates)
{
    double cores = (double)model->advise->architecture.worker_cores;

    return rates->arithmetic * 100 >= ROOFLINE_NEAR && cores > 0 ? cores : model->most_cores;
}

/* What its cores tell: the parts of its time in which one works alone, some have not begun, compute waits. */
static void judge_cores(const struct op_model *model, struct op_like *like, const struct op_rates *rates)
{
    const struct op_share *share = like->share;
    double waits = op_waits(model, like);

    if (op_is_uneven(like))
        find(like, OP_STRAGGLER, (share->longest - share->mean) / share->cored);
    if (op_starts_late(like))
        find(like, OP_LATE, share->last_start / share->started);
    if (waits >= STARVED && rates->memory * 100 < ROOFLINE_NEAR)
        find(like, OP_STARVED, waits);
}

/* Arithmetic bounds it: more cores, or fewer passes over the multiplier. */
static void judge_arithmetic(const struct op_model *model, struct op_like *like, const struct op_rates *rates)
{
    const struct chip *chip = &model->advise->architecture;
    enum fidelity now = fidelity_named(type_of(model, like->op.row->fidelity)), enough = op_enough_passes(model, like);

    if (rates->cores <= FEW * (double)chip->worker_cores)
        find(like, OP_FEW_CORES, 1 - left_with(rates, rates->work.bytes, (double)chip->worker_cores / rates->cores));
    if (now < FIDELITY_COUNT && enough < FIDELITY_COUNT && enough > now)
        find(like, OP_FIDELITY, 1 - left_with(rates, rates->work.bytes, chip->tflops[enough] / chip->tflops[now]));
}

/* Of its time: what some of them take over their equals, or over other devices, is no fault of how a product is set up. */
static double usual_part(const struct op_like *like)
{
    double others = like->devices > 1 ? (double)like->devices / (like->devices - 1) : 0; /* of what is over the mean */
    double over = fmin(op_uneven(like) * others, like->kernel);

    return 1 - fmax(like->outlier.alike ? like->outlier.excess : 0, over) / like->kernel;
}

static void judge_product(const struct op_model *model, struct op_like *like, const struct op_rates *rates)
{
    double slow = usual_part(like) - rates->reached * 100 / ROOFLINE_NEAR, spare;

    if (rates->arithmetic * 100 >= ROOFLINE_NEAR)
        judge_arithmetic(model, like, rates);
    if (rates->memory * 100 >= ROOFLINE_NEAR && (spare = spare_bytes(model, like)) > 0)
        find(like, OP_MEMORY, 1 - left_with(rates, rates->work.bytes - spare, 1));
    if (rates->known && slow > 0 && like->op.kernel_ns >= SHORT_NS &&
        fmax(like->saves, op_uneven(like)) < EXPLAINED * slow * like->kernel)
        find(like, OP_SLOW, slow);
}

/* How well it would divide is not known, but it is on so few cores that most of them must help. */
bool op_is_on_few_cores(const struct op_model *model, const struct op_like *like)
{
    return !like->mixed && like->op.cores <= FEW_OF_OTHERS * model->most_cores && like->op.kernel_ns >= SHORT_NS;
}

static void judge_few_cores(const struct op_model *model, struct op_like *like, const struct op_rates *rates)
{
    double least = rates->memory; /* of its time that DRAM takes at its peak, however many cores there are */

    if (like->finding == OP_FINE && op_is_on_few_cores(model, like))
        find(like, OP_FEW_CORES, 1 - fmax(like->op.cores / op_all_cores(model, rates), least));
}

/* What is no product: its arithmetic is not known, and only its bytes tell how well it fares. */
static void judge_other(const struct op_model *model, struct op_like *like, const struct op_rates *rates)
{
    double spare;

    if (rates->memory * 100 >= ROOFLINE_NEAR && (spare = spare_bytes(model, like)) > 0)
        find(like, OP_MEMORY, spare / rates->work.bytes);
    judge_few_cores(model, like, rates);
}

/* What its cores tell is a cause, unless those of its equals must be like that, too; all else may not be the one. */
static void judge_outlier(struct op_like *like)
{
    bool caused = like->finding == OP_STRAGGLER || like->finding == OP_LATE || like->finding == OP_STARVED;

    if (caused && !like->outlier.alike)
        return;
    if (fmax(like->saves, op_uneven(like)) < EXPLAINED * like->outlier.excess)
        find(like, OP_OUTLIER, like->outlier.excess / like->kernel);
}

static void judge(const struct op_model *model, struct op_like *like)
{
    struct op_rates rates;
    uint8_t kind;

    if (like->op.row->kind != OP_DEVICE || !(like->kernel > 0))
        return;
    kind = op_kind_of(model, like);
    if (kind & MODEL_COLLECTIVE) { /* one that computes meanwhile is as it should be */
        like->finding = like->op.matmul ? OP_FINE : OP_COLLECTIVE;
        return;
    }
    if (kind & MODEL_LAYOUT) {
        find(like, OP_LAYOUT, 1);
        return;
    }
    (void)op_work(model, like, &rates);
    judge_cores(model, like, &rates);
    if (!rates.product)
        judge_other(model, like, &rates);
    else if (rates.reached > 0)
        judge_product(model, like, &rates);
    if (rates.convolution)
        judge_few_cores(model, like, &rates);
    judge_outlier(like);
}

status op_model_judge(struct op_model *model)
{
    status code = op_model_find_outliers(model);

    for (size_t i = 0; i < model->likes.count; i++)
        if (op_like_at(model, i)->op.row->kind == OP_DEVICE)
            model->most_cores = fmax(model->most_cores, op_like_at(model, i)->op.cores);
    for (size_t i = 0; i < model->likes.count && code == STATUS_OK; i++)
        judge(model, op_like_at(model, i));
    return code;
}
