/* advice_model.c: one pass over the rows of a report: like operations together, and who kept a device waiting. */
#include "tenstorrent/advice_judge.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"

enum { MANY_CORES = 16 }; /* of an operation that tells whether waits are sums */
enum {
    MOST_LIKES = 1024
}; /* that are told apart: a run has fewer; of a file of more kinds the others go by their names */

static const double PLAUSIBLE_WAITS = 0.02; /* of a kernel: less than this, everywhere, is no sum over many cores */

/* What a device did last. */
struct model_device {
    int32_t id;                 /* as the report has it */
    bool any;                   /* it had an operation */
    bool open;                  /* when its last operation ended is not known */
    int64_t end;                /* ns: of its last operation */
    int64_t first;              /* ns: start of its first in that run */
    int64_t last;               /* ns: the latest end in that run */
    const struct interval *run; /* of its last operation that counts; NULL: there are no runs, or none yet */
    bool counts;                /* it had an operation that counts */
    size_t hosts;               /* host ops that came before its last operation */
    double own; /* ns from the first to the last, of all runs; less what it waits in exchanges once settled */
};

/* A host op between operations of devices. */
struct model_host {
    uint32_t like; /* of the model */
    double ns;     /* that it took; NAN: not known */
};

static struct model_device *device_at(const struct op_model *model, size_t place)
{
    return column_at(&model->devices, place);
}

void op_model_start(struct op_model *model, struct advise *advise, const struct op_report *report)
{
    *model = (struct op_model){ .report = report, .advise = advise };
    column_start(&model->likes, sizeof(struct op_like));
    column_start(&model->shares, sizeof(struct op_share));
    column_start(&model->devices, sizeof(struct model_device));
    column_start(&model->hosts, sizeof(struct model_host));
    column_start(&model->rows, sizeof(struct model_row));
    column_start(&model->exchanges, sizeof(double));
    number_map_start(&model->by_exchange);
}

void op_model_free(struct op_model *model)
{
    column_free(&model->likes);
    column_free(&model->shares);
    column_free(&model->devices);
    column_free(&model->hosts);
    column_free(&model->rows);
    column_free(&model->exchanges);
    number_map_free(&model->by_exchange);
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

static status like_of(struct op_model *model, const struct op_row *row, uint32_t *id, bool *fresh)
{
    bool mixed = model->likes.count >= MOST_LIKES;
    uint64_t hash = hash_row(row);
    struct op_like *like;

    *id = find_like(model, row, hash, false);
    if (*id == MAP_NONE && mixed) {
        hash = hash_mixed(row);
        *id = find_like(model, row, hash, true);
    }
    *fresh = *id == MAP_NONE;
    if (!*fresh)
        return STATUS_OK;
    like = column_append(&model->likes);
    if (!like)
        return status_no_memory("putting like operations together");
    *like = (struct op_like){ .op = { .row = row },
                              .first_share = NO_ID,
                              .pool = NO_ID,
                              .around_pool = NO_ID,
                              .gap_pool = NO_ID,
                              .mixed = mixed };
    *id = (uint32_t)(model->likes.count - 1);
    model->mixed |= mixed;
    return map_add(&model->by_like, hash, *id);
}

/* NO_ID: out of memory. */
static uint32_t share_of(struct op_model *model, uint32_t id, uint32_t device)
{
    struct op_like *like = op_like_at(model, id);
    uint32_t at = like->first_share;
    struct op_share *share;

    while (at != NO_ID && op_share_at(model, at)->device != device)
        at = op_share_at(model, at)->next;
    if (at != NO_ID)
        return at;
    share = column_append(&model->shares);
    if (!share)
        return NO_ID;
    *share = (struct op_share){ .like = id, .next = like->first_share, .device = device };
    like->devices++;
    return like->first_share = (uint32_t)(model->shares.count - 1);
}

static status device_of(struct op_model *model, int32_t id, uint32_t *place)
{
    struct model_device *device;

    for (*place = 0; *place < model->devices.count; ++*place)
        if (device_at(model, *place)->id == id)
            return STATUS_OK;
    device = column_append(&model->devices);
    if (!device)
        return status_no_memory("telling devices apart");
    *device = (struct model_device){ .id = id };
    return STATUS_OK;
}

/* ---- Gaps ---- */

/* What of a long gap the host ops explain that came since the device's last operation. The rest is returned. */
static status hold(struct op_model *model, uint32_t place, double *left)
{
    struct model_device *device = device_at(model, place);

    for (size_t i = device->hosts; i<model->hosts.count && * left> GAP_HIGH * 1000; i++) {
        const struct model_host *host = column_at(&model->hosts, i);
        uint32_t held = share_of(model, host->like, place);
        double taken = isnan(host->ns) ? 0 : fmin(host->ns, *left);

        if (held == NO_ID)
            return status_no_memory("adding up gaps");
        op_share_at(model, held)->held += taken;
        op_share_at(model, held)->count++;
        *left -= taken;
    }
    return STATUS_OK;
}

/* As the row says; else from the cycles of both. NAN: not known, or there was no operation before. */
static double gap_of(const struct op_model *model, const struct op_row *row, const struct op_place *place,
                     const struct model_device *device)
{
    if (!device->any || (device->open && row->latency == OP_NONE))
        return NAN;
    if (row->latency != OP_NONE || model->report->columns.latency)
        return row->latency == OP_NONE ? NAN : (double)row->latency;
    return row->firmware_start >= 0 && place->start <= place->end ? (double)(place->start - device->end) : NAN;
}

/* ---- Runs ---- */

/* The rows of one input as they are added. */
struct adding {
    struct op_model *model;         /* borrowed */
    const struct op_window *window; /* borrowed */
    int64_t *firsts;                /* ns by run: the first start on any device; NULL: there is one device */
    size_t near;                    /* the first run that did not end before the moment asked for last */
};

/* The run that a moment lies in; NULL: none that counts. Moments mostly come one after the other. */
static const struct interval *run_at(struct adding *adding, int64_t moment)
{
    const struct op_window *window = adding->window;
    size_t low = adding->near, high = window->count;

    if (low && window->runs[low - 1].end >= moment) {
        high = low;
        low = 0;
    } else if (low < high && window->runs[low].end >= moment) {
        high = low;
    } else if (low + 1 < high && window->runs[low + 1].end >= moment) {
        low = high = low + 1;
    }
    while (low < high) {
        size_t middle = (low + high) / 2;

        if (window->runs[middle].end < moment)
            low = middle + 1;
        else
            high = middle;
    }
    adding->near = low;
    return low < window->count && window->runs[low].start <= moment ? &window->runs[low] : NULL;
}

/* A device that begins after others waits for them, or for nobody: only until the first one begins do all wait for the host. */
static status find_firsts(struct adding *adding, const struct column *places)
{
    const struct op_window *window = adding->window;
    size_t count = window->runs ? window->count : 1;

    if (adding->model->report->devices < 2 || !count)
        return STATUS_OK;
    adding->firsts = memory_allocate(count * sizeof *adding->firsts);
    if (!adding->firsts)
        return status_no_memory("finding the starts of runs");
    for (size_t i = 0; i < count; i++)
        adding->firsts[i] = INT64_MAX;
    for (size_t i = 0; i < places->count; i++) {
        const struct op_place *place = column_at(places, i);
        const struct interval *run = window->runs ? run_at(adding, place->start) : NULL;
        int64_t *first = &adding->firsts[run ? run - window->runs : 0];

        if (place->start <= place->end && (!window->runs || run) && place->start < *first)
            *first = place->start;
    }
    return STATUS_OK;
}

/* Behind an operation whose end was lost, or without what the row should tell, nobody knows how long the device waited. */
static bool is_unknown_gap(const struct model_device *device, const struct interval *run, double gap)
{
    return isnan(gap) && (device->open || (device->counts && device->run == run));
}

/* A gap that begins before its run does is what of the run nothing ran in yet. */
static double cut_gap(const struct adding *adding, const struct op_place *place, const struct interval *run,
                      const struct model_device *device, double gap)
{
    const struct op_window *window = adding->window;
    const struct interval *whole = run ? run : &window->whole;
    int64_t first = adding->firsts ? adding->firsts[run ? run - window->runs : 0] : place->start;

    if (place->start > place->end || whole->start > whole->end || is_unknown_gap(device, run, gap))
        return gap;
    if (!isnan(gap) && (double)place->start - gap >= (double)whole->start)
        return gap;
    return (double)(first - whole->start);
}

static bool is_chosen(const struct op_window *window, const struct op_row *row)
{
    return (window->first == OP_NONE || row->number >= window->first) &&
           (window->last == OP_NONE || row->number <= window->last);
}

/* ---- Rows ---- */

static void add_cores(struct op_model *model, struct op_share *share, const struct op_row *row)
{
    double kernel = (double)row->kernel_duration;

    if (row->core_longest >= 0 && row->core_mean >= 0) {
        share->longest += (double)row->core_longest;
        share->mean += (double)row->core_mean;
        share->cored += kernel;
    }
    if (row->last_start >= 0) {
        double late = (double)row->last_start;

        /* What a core starts later it need not end later. */
        share->last_start += row->core_longest >= 0 ? fmin(late, fmax(kernel - (double)row->core_longest, 0)) : late;
        share->started += kernel;
    }
    if (row->waits < 0)
        return;
    share->waits += (double)row->waits;
    share->waited += kernel;
    if (row->cores >= MANY_CORES)
        model->waits_most = fmax(model->waits_most, (double)row->waits / (double)row->cores / kernel);
}

static void add_times(struct op_model *model, struct op_share *share, size_t index)
{
    const struct op_row *row = op_row_at(model->report, index);
    double kernel = (double)row->kernel_duration;

    share->timed++;
    share->kernel += kernel;
    if (kernel > share->slowest) {
        share->slowest = kernel;
        share->slowest_row = (uint32_t)index;
    }
    if (row->firmware_duration > row->kernel_duration)
        share->around += (double)row->firmware_duration - kernel;
    add_cores(model, share, row);
}

/* The shortest of the devices, for each exchange. */
static status add_exchange(struct op_model *model, const struct op_share *share, double kernel)
{
    uint32_t *place = number_map_at(&model->by_exchange, share->like, share->count);
    double *shortest;

    if (place && *place != MAP_NONE) {
        shortest = column_at(&model->exchanges, *place);
        op_like_at(model, share->like)->exchange -= fmax(*shortest - kernel, 0);
        *shortest = fmin(*shortest, kernel);
        return STATUS_OK;
    }
    shortest = place ? column_append(&model->exchanges) : NULL;
    if (!shortest)
        return status_no_memory("comparing exchanges");
    *place = (uint32_t)(model->exchanges.count - 1);
    *shortest = kernel;
    op_like_at(model, share->like)->exchange += kernel;
    return STATUS_OK;
}

/* How long a device takes for a run. */
static void see_span(struct model_device *device, const struct op_place *place, const struct interval *run)
{
    if (place->start > place->end)
        return;
    if (!device->counts || device->run != run) {
        device->own += device->counts ? (double)(device->last - device->first) : 0;
        device->first = place->start;
        device->last = place->end;
    }
    device->counts = true;
    device->run = run;
    device->last = place->end > device->last ? place->end : device->last;
}

static status add_counted(struct op_model *model, uint32_t at, uint32_t like, size_t index, double gap, bool fresh)
{
    const struct op_row *row = op_row_at(model->report, index);
    uint32_t place = share_of(model, like, at);
    struct model_row *counted = place == NO_ID ? NULL : column_append(&model->rows);
    struct op_share *share;
    status code = STATUS_OK;

    if (!counted)
        return status_no_memory("adding up operations");
    share = op_share_at(model, place);
    *counted = (struct model_row){ .share = place & 0x7fffffff, .fresh = fresh, .index = (uint32_t)index };
    share->count++;
    if (row->kernel_duration > 0) {
        counted->kernel = (double)row->kernel_duration;
        add_times(model, share, index);
        if (model->report->devices > 1 && op_kind_of(model, op_like_at(model, like)) & MODEL_COLLECTIVE)
            code = add_exchange(model, share, (double)row->kernel_duration);
    } else {
        model->untimed++;
    }
    if (gap > 0 && code == STATUS_OK) {
        code = hold(model, at, &gap);
        counted->gap = gap;
    }
    return code;
}

static status add_device_row(struct adding *adding, size_t index, const struct op_place *place)
{
    struct op_model *model = adding->model;
    const struct op_window *window = adding->window;
    const struct op_row *row = op_row_at(model->report, index);
    const struct interval *run = window->runs && place->start <= place->end ? run_at(adding, place->start) : NULL;
    struct model_device *device;
    uint32_t like, at;
    bool fresh;
    status code = device_of(model, row->device, &at);

    if (code == STATUS_OK)
        code = like_of(model, row, &like, &fresh);
    if (code != STATUS_OK)
        return code;
    if (row->parts.fresh >= 0)
        fresh = row->parts.fresh;
    device = device_at(model, at);
    if ((!window->runs || run) && is_chosen(window, row)) {
        double gap = cut_gap(adding, place, run, device, gap_of(model, row, place, device));

        code = add_counted(model, at, like, index, gap, fresh && model->numbered);
        see_span(device, place, run);
    } else if (window->runs && place->start > place->end && is_chosen(window, row)) {
        model->untimed++; /* in a run that nothing tells */
    }
    device->any = true;
    device->open = place->start > place->end;
    device->end = place->end;
    device->hosts = model->hosts.count;
    return code;
}

static status add_host_row(struct op_model *model, const struct op_row *row)
{
    struct model_host *host;
    uint32_t like;
    bool fresh;
    status code = like_of(model, row, &like, &fresh);

    if (code != STATUS_OK)
        return code;
    host = column_append(&model->hosts);
    if (!host)
        return status_no_memory("keeping host operations");
    *host = (struct model_host){ like, row->host_duration >= 0 ? (double)row->host_duration : NAN };
    return STATUS_OK;
}

/* What the host does behind the last operation is of the run, too. */
static status add_end(struct op_model *model, const struct op_window *window)
{
    int64_t end = INT64_MIN;
    status code = STATUS_OK;

    for (size_t i = 0; i < model->devices.count; i++)
        if (device_at(model, i)->counts && device_at(model, i)->last > end)
            end = device_at(model, i)->last;
    for (uint32_t i = 0; i < model->devices.count && code == STATUS_OK; i++) {
        double left = window->runs || end == INT64_MIN ? 0 : (double)window->whole.end - (double)end;

        code = hold(model, i, &left);
        device_at(model, i)->hosts = model->hosts.count;
        device_at(model, i)->own += (double)(device_at(model, i)->last - device_at(model, i)->first);
        device_at(model, i)->counts = false;
        device_at(model, i)->first = device_at(model, i)->last = 0;
    }
    return code;
}

status op_model_add(struct op_model *model, size_t first, const struct column *places, const struct op_window *window)
{
    struct adding adding = { .model = model, .window = window };
    status code = find_firsts(&adding, places);

    assert(first + places->count <= model->report->rows.count);
    if (code == STATUS_OK && !model->kinds) {
        model->kinds = memory_allocate_clear(strings_count(model->report->strings));
        code = model->kinds ? STATUS_OK : status_no_memory("judging operations");
    }
    for (size_t i = 0; i < places->count && code == STATUS_OK; i++) {
        const struct op_row *row = op_row_at(model->report, first + i);

        if (row->kind == OP_DEVICE)
            code = add_device_row(&adding, first + i, column_at(places, i));
        else if (row->kind == OP_HOST && is_chosen(window, row))
            code = add_host_row(model, row);
    }
    memory_free(adding.firsts);
    return code == STATUS_OK ? add_end(model, window) : code;
}

/* ---- A run ---- */

int32_t op_model_device(const struct op_model *model, uint32_t place)
{
    return device_at(model, place)->id;
}

/* What a device waits in the exchanges of some operations. */
static double waiting_of(const struct op_model *model, const struct op_share *share)
{
    const struct op_like *like = op_like_at(model, share->like);

    if (!(like->exchange > 0) || like->devices < 2)
        return 0;
    return fmax(share->kernel - like->exchange, 0);
}

/* The device that works longest and waits least for others: what it does is what a run takes. */
static void find_critical(struct op_model *model)
{
    for (size_t i = 0; i < model->shares.count; i++)
        device_at(model, op_share_at(model, i)->device)->own -= waiting_of(model, op_share_at(model, i));
    for (uint32_t i = 1; i < model->devices.count; i++)
        if (device_at(model, i)->own > device_at(model, model->critical)->own)
            model->critical = i;
}

static void settle_like(const struct op_model *model, struct op_like *like)
{
    const struct op_share *share;
    double sum = 0;

    like->op.kernel_ns = NAN;
    for (uint32_t at = like->first_share; at != NO_ID; at = share->next) {
        share = op_share_at(model, at);
        sum += share->kernel;
        if (share->device == model->critical)
            like->share = share;
    }
    share = like->share;
    if (!share)
        return;
    like->mean_kernel = sum / model->runs / like->devices;
    like->kernel = share->kernel / model->runs;
    like->waiting = waiting_of(model, share) / model->runs;
    like->around = share->around / model->runs;
    like->launch = share->launch / model->runs;
    like->excess = share->excess / model->runs;
    like->compiled = share->compiled / model->runs;
    like->held = share->held / model->runs;
    like->gaps = (double)share->gaps / model->runs;
    like->calls = (double)share->count / model->runs;
    if (share->timed)
        like->op.kernel_ns = share->kernel / (double)share->timed;
}

/* Where operations overlap, or nothing but their calls tells when they ran, they take more than a run: each counts for its share. */
static void share_run(struct op_model *model)
{
    double busy = 0;

    for (size_t i = 0; i < model->likes.count; i++) {
        const struct op_like *like = op_like_at(model, i);

        busy += like->kernel + like->around + like->launch + like->excess + like->compiled + like->held;
    }
    model->shared = busy > model->run_ns && model->run_ns > 0 ? model->run_ns / busy : 1;
    for (size_t i = 0; i < model->likes.count && model->shared < 1; i++) {
        struct op_like *like = op_like_at(model, i);
        double *const times[] = { &like->kernel, &like->mean_kernel, &like->waiting,  &like->around,
                                  &like->launch, &like->excess,      &like->compiled, &like->held };

        for (size_t j = 0; j < sizeof times / sizeof *times; j++)
            *times[j] *= model->shared;
    }
}

status op_model_settle(struct op_model *model, double runs, double run_ns)
{
    status code = STATUS_OK;

    assert(runs > 0);
    model->runs = runs;
    model->run_ns = run_ns;
    model->wait_sums = model->report->wait_sums || !(model->waits_most > 0) || model->waits_most >= PLAUSIBLE_WAITS;
    find_critical(model);
    op_model_share_gaps(model);
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
