/* advice_model.c: one pass over the rows of a report: like operations together, and who kept a device waiting. */
#include "tenstorrent/advice_model.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"

enum { MANY_CORES = 16 }; /* of an operation that tells whether waits are sums */
enum {
    MOST_LIKES = 1024
}; /* that are told apart: a run has fewer; of a file of more kinds the others go by their names */

static const double COMPILE_NS = 20e6;      /* less is no compiler's */
static const double COMPILE_FACTOR = 4;     /* times the later gaps */
static const double PLAUSIBLE_WAITS = 0.02; /* of a kernel: less than this, everywhere, is no sum over many cores */

/* What a device did last. */
struct model_device {
    int32_t id;    /* as the report has it */
    int64_t end;   /* ns: of its last operation */
    bool any;      /* it had one */
    size_t hosts;  /* host ops that came before its last operation */
    double kernel; /* ns of all its operations that count */
};

/* A host op between operations of devices. */
struct model_host {
    uint32_t like; /* of the model */
    double ns;     /* that it took; NAN: not known */
};

void op_model_start(struct op_model *model, struct advise *advise, const struct op_report *report)
{
    *model = (struct op_model){ .report = report, .advise = advise };
    column_start(&model->likes, sizeof(struct op_like));
    column_start(&model->shares, sizeof(struct op_share));
    column_start(&model->devices, sizeof(struct model_device));
    column_start(&model->hosts, sizeof(struct model_host));
}

void op_model_free(struct op_model *model)
{
    column_free(&model->likes);
    column_free(&model->shares);
    column_free(&model->devices);
    column_free(&model->hosts);
    map_free(&model->by_like);
    memory_free(model->kinds);
}

/* ---- Like operations ---- */

static uint64_t hash_tensor(uint64_t hash, const struct op_tensor *tensor)
{
    hash = map_mix(hash, (uint64_t)(uint32_t)tensor->size[0] << 32 | (uint32_t)tensor->size[1]);
    hash = map_mix(hash, (uint64_t)(uint32_t)tensor->size[2] << 32 | (uint32_t)tensor->size[3]);
    return map_mix(hash, (uint64_t)tensor->datatype << 32 | tensor->memory);
}

static uint64_t hash_row(const struct op_row *row)
{
    uint64_t hash = map_mix((uint64_t)row->code << 32 | row->attributes, (uint64_t)row->fidelity << 2 | row->kind);

    hash = map_mix(hash, (uint64_t)row->cores);
    for (unsigned i = 0; i < 2; i++)
        hash = hash_tensor(hash, &row->inputs[i]);
    return hash_tensor(hash, &row->output);
}

static bool same_tensor(const struct op_tensor *one, const struct op_tensor *other)
{
    return memcmp(one->size, other->size, sizeof one->size) == 0 && one->datatype == other->datatype &&
           one->memory == other->memory;
}

static bool is_like(const struct op_row *one, const struct op_row *other)
{
    return one->code == other->code && one->attributes == other->attributes && one->fidelity == other->fidelity &&
           one->kind == other->kind && one->cores == other->cores && same_tensor(&one->inputs[0], &other->inputs[0]) &&
           same_tensor(&one->inputs[1], &other->inputs[1]) && same_tensor(&one->output, &other->output);
}

/* Like a row; `mixed`: those that share nothing but its name. */
static uint32_t find_like(const struct op_model *model, const struct op_row *row, uint64_t hash, bool mixed)
{
    size_t cursor;
    uint32_t id;

    for (id = map_first(&model->by_like, hash, &cursor); id != MAP_NONE;
         id = map_next(&model->by_like, hash, &cursor)) {
        const struct op_like *like = op_like_at(model, id);

        if (like->mixed == mixed && (mixed ? like->op.row->code == row->code : is_like(like->op.row, row)))
            break;
    }
    return id;
}

static uint64_t hash_mixed(const struct op_row *row)
{
    return map_mix(row->code, row->kind);
}

uint32_t op_model_like(const struct op_model *model, const struct op_row *row)
{
    uint32_t id = find_like(model, row, hash_row(row), false);

    return id == MAP_NONE ? find_like(model, row, hash_mixed(row), true) : id;
}

static status like_of(struct op_model *model, const struct op_row *row, uint32_t *id)
{
    bool mixed = model->likes.count >= MOST_LIKES;
    uint64_t hash = hash_row(row);
    struct op_like *like;

    *id = find_like(model, row, hash, false);
    if (*id == MAP_NONE && mixed) {
        hash = hash_mixed(row);
        *id = find_like(model, row, hash, true);
    }
    if (*id != MAP_NONE)
        return STATUS_OK;
    like = column_append(&model->likes);
    if (!like)
        return status_no_memory("putting like operations together");
    *like = (struct op_like){
        .op = { .row = row }, .first_share = NO_ID, .pool = NO_ID, .gap_pool = NO_ID, .mixed = mixed
    };
    *id = (uint32_t)(model->likes.count - 1);
    model->mixed |= mixed;
    return map_add(&model->by_like, hash, *id);
}

/* NULL: out of memory. */
static struct op_share *share_of(struct op_model *model, uint32_t id, uint32_t device)
{
    struct op_like *like = op_like_at(model, id);
    struct op_share *share;

    for (uint32_t at = like->first_share; at != NO_ID; at = share->next) {
        share = column_at(&model->shares, at);
        if (share->device == device)
            return share;
    }
    share = column_append(&model->shares);
    if (!share)
        return NULL;
    *share = (struct op_share){ .like = id, .next = like->first_share, .device = device };
    like->first_share = (uint32_t)(model->shares.count - 1);
    like->devices++;
    return share;
}

static status device_of(struct op_model *model, int32_t id, uint32_t *place)
{
    struct model_device *device;

    for (*place = 0; *place < model->devices.count; ++*place)
        if (((struct model_device *)column_at(&model->devices, *place))->id == id)
            return STATUS_OK;
    device = column_append(&model->devices);
    if (!device)
        return status_no_memory("telling devices apart");
    *device = (struct model_device){ .id = id };
    return STATUS_OK;
}

/* ---- Gaps ---- */

/* What is over a launch in a gap goes to the host ops that came since the device's last operation, then to nobody known. */
static status add_gap(struct op_model *model, uint32_t place, struct op_share *share, double gap, bool first)
{
    const struct model_device *device = column_at(&model->devices, place);
    double left = gap > GAP_HIGH * 1000 ? gap - GAP_NORMAL * 1000 : 0;

    for (size_t i = device->hosts; i < model->hosts.count && left > 0; i++) {
        const struct model_host *host = column_at(&model->hosts, i);
        struct op_share *held = share_of(model, host->like, place);
        double taken = isnan(host->ns) ? 0 : fmin(host->ns, left);

        if (!held)
            return status_no_memory("adding up gaps");
        held->held += taken;
        held->count++;
        left -= taken;
    }
    if (left <= GAP_HIGH * 1000 - GAP_NORMAL * 1000)
        return STATUS_OK;
    if (share->count == 1 && first)
        share->first_gap = left;
    share->excess += left;
    share->gaps++;
    share->worst_gap = fmax(share->worst_gap, left);
    return STATUS_OK;
}

/* As the row says; else from the cycles of both. NAN: not known, or there was no operation before. */
static double gap_of(const struct op_model *model, const struct op_row *row, const struct op_place *place,
                     const struct model_device *device)
{
    if (!device->any)
        return NAN;
    if (row->latency != OP_NONE || model->report->columns.latency)
        return row->latency == OP_NONE ? NAN : (double)row->latency;
    return row->firmware_start >= 0 && place->start <= place->end ? (double)(place->start - device->end) : NAN;
}

/* ---- Rows ---- */

/* The run that a moment lies in; NULL: none that counts. */
static const struct interval *run_at(const struct op_window *window, int64_t moment)
{
    size_t low = 0, high = window->count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (window->runs[middle].end < moment)
            low = middle + 1;
        else
            high = middle;
    }
    return low < window->count && window->runs[low].start <= moment ? &window->runs[low] : NULL;
}

static bool is_chosen(const struct op_window *window, const struct op_row *row)
{
    return (window->first == OP_NONE || row->number >= window->first) &&
           (window->last == OP_NONE || row->number <= window->last);
}

static void add_cores(struct op_model *model, struct op_like *like, const struct op_row *row)
{
    if (row->core_longest >= 0 && row->core_mean >= 0 && row->last_start >= 0) {
        like->longest += (double)row->core_longest;
        like->mean += (double)row->core_mean;
        like->last_start += (double)row->last_start;
        like->cored++;
    }
    if (row->waits < 0)
        return;
    like->waits += (double)row->waits;
    like->waited++;
    if (row->cores >= MANY_CORES)
        model->waits_most =
            fmax(model->waits_most, (double)row->waits / (double)row->cores / (double)row->kernel_duration);
}

static status add_device_row(struct op_model *model, const struct op_row *row, const struct op_place *place,
                             const struct op_window *window)
{
    const struct interval *run = window->runs && place->start <= place->end ? run_at(window, place->start) : NULL;
    struct model_device *device;
    struct op_share *share;
    uint32_t like, at;
    double gap;
    status code = device_of(model, row->device, &at);

    if (code != STATUS_OK)
        return code;
    device = column_at(&model->devices, at);
    gap = gap_of(model, row, place, device);
    if ((!window->runs || run) && is_chosen(window, row)) {
        code = like_of(model, row, &like);
        share = code == STATUS_OK ? share_of(model, like, at) : NULL;
        if (!share)
            return status_no_memory("adding up operations");
        op_like_at(model, like)->count++;
        share->count++;
        if (row->kernel_duration > 0) {
            share->kernel += (double)row->kernel_duration;
            device->kernel += (double)row->kernel_duration;
            add_cores(model, op_like_at(model, like), row);
        } else {
            op_like_at(model, like)->untimed++;
            model->untimed++;
        }
        if (gap > 0 && (!run || (double)place->start - gap >= (double)run->start))
            code = add_gap(model, at, share, gap, model->numbered && !window->runs);
    }
    device->any = true;
    device->end = place->end;
    device->hosts = model->hosts.count;
    return code;
}

static status add_host_row(struct op_model *model, const struct op_row *row)
{
    struct model_host *host;
    uint32_t like;
    status code = like_of(model, row, &like);

    if (code != STATUS_OK)
        return code;
    host = column_append(&model->hosts);
    if (!host)
        return status_no_memory("keeping host operations");
    *host = (struct model_host){ like, row->host_duration >= 0 ? (double)row->host_duration : NAN };
    return STATUS_OK;
}

status op_model_add(struct op_model *model, size_t first, const struct column *places, const struct op_window *window)
{
    status code = STATUS_OK;

    assert(first + places->count <= model->report->rows.count);
    for (size_t i = 0; i < places->count && code == STATUS_OK; i++) {
        const struct op_row *row = op_row_at(model->report, first + i);

        if (row->kind == OP_DEVICE)
            code = add_device_row(model, row, column_at(places, i), window);
        else if (row->kind == OP_HOST && is_chosen(window, row))
            code = add_host_row(model, row);
    }
    return code;
}

/* ---- A run ---- */

int32_t op_model_device(const struct op_model *model, uint32_t place)
{
    return ((struct model_device *)column_at(&model->devices, place))->id;
}

uint32_t op_model_longest(const struct op_model *model)
{
    uint32_t longest = 0;

    for (uint32_t i = 1; i < model->devices.count; i++)
        if (((struct model_device *)column_at(&model->devices, i))->kernel >
            ((struct model_device *)column_at(&model->devices, longest))->kernel)
            longest = i;
    return longest;
}

/* A program that runs first is compiled, which takes much longer than whatever keeps the later ones waiting. */
static double compile_of(const struct op_share *share)
{
    double later = share->gaps > 1 ? (share->excess - share->first_gap) / (double)(share->gaps - 1) : 0;

    return share->first_gap >= COMPILE_NS && share->first_gap >= COMPILE_FACTOR * later ? share->first_gap : 0;
}

/* The device that takes longest tells the times of a run. */
static void settle_like(const struct op_model *model, struct op_like *like)
{
    double sum = 0;

    for (uint32_t at = like->first_share; at != NO_ID;) {
        const struct op_share *share = column_at(&model->shares, at);

        if (share->kernel >= like->kernel * model->runs) {
            like->kernel = share->kernel / model->runs;
            like->slowest = share->device;
        }
        if (share->excess >= (like->excess + like->compiled) * model->runs) {
            like->compiled = compile_of(share) / model->runs;
            like->excess = share->excess / model->runs - like->compiled;
            like->gaps = (double)(share->gaps - (like->compiled > 0)) / model->runs;
        }
        like->held = fmax(like->held, share->held / model->runs);
        like->calls = fmax(like->calls, (double)share->count / model->runs);
        like->worst_gap = fmax(like->worst_gap, share->worst_gap);
        sum += share->kernel;
        at = share->next;
    }
    if (like->devices)
        like->mean_kernel = sum / model->runs / like->devices;
    like->op.kernel_ns = like->count > like->untimed ? sum / (double)(like->count - like->untimed) : NAN;
}

/* Where operations overlap, or nothing but their calls tells when they ran, they take more than a run: each counts for its share. */
static void share_run(struct op_model *model)
{
    double busy = 0;

    for (size_t i = 0; i < model->shares.count; i++) {
        const struct op_share *share = column_at(&model->shares, i);

        if (share->device == op_model_longest(model))
            busy += (share->kernel + share->excess + share->held) / model->runs;
    }
    model->shared = busy > model->run_ns && model->run_ns > 0 ? model->run_ns / busy : 1;
    for (size_t i = 0; i < model->likes.count; i++) {
        struct op_like *like = op_like_at(model, i);

        like->kernel *= model->shared;
        like->mean_kernel *= model->shared;
        like->excess *= model->shared;
        like->compiled *= model->shared;
        like->held *= model->shared;
    }
}

status op_model_settle(struct op_model *model, double runs, double run_ns)
{
    status code = STATUS_OK;

    assert(runs > 0);
    model->runs = runs;
    model->run_ns = run_ns;
    model->wait_sums = model->report->wait_sums || !(model->waits_most > 0) || model->waits_most >= PLAUSIBLE_WAITS;
    for (size_t i = 0; i < model->likes.count && code == STATUS_OK; i++) {
        struct op_like *like = op_like_at(model, i);

        settle_like(model, like);
        code = advise_row(model->advise, &like->op);
        if (like->mixed)
            like->op.label = strings_text(model->report->strings, like->op.row->code);
    }
    share_run(model);
    return code;
}
