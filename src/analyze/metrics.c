#include "analyze/metrics.h"

#include "base/memory.h"

struct metric_row {
    const char *key;
    const char *label;
    const char *description;
};

static const struct metric_row metric_rows[] = {
#define X(name, key, label, description) { key, label, description },
    METRIC_MAP(X)
#undef X
};

const char *metric_key(enum metric metric)
{
    return metric_rows[metric].key;
}

const char *metric_label(enum metric metric)
{
    return metric_rows[metric].label;
}

const char *metric_description(enum metric metric)
{
    return metric_rows[metric].description;
}

/* The classes that metrics are made of: one bit each in a stretch's mask. */
enum class_bit {
    BIT_DMA_IN,
    BIT_DMA_OUT,
    BIT_CDMA_DTCM,
    BIT_CDMA_ITCM,
    BIT_SLICE_0,
    BIT_SLICE_1,
    BIT_SLICE_MORE, /* slices 2 and up */
    BIT_CSS,
    BIT_JOB,
    BIT_HOST,
    BIT_HOST_COPY,
    BIT_HAL,
    BIT_INFERENCE,
    BIT_DELEGATE,
    BIT_PORTABLE,
    BIT_LOAD,
    BIT_RISC,
    BIT_OPERATION,
    BIT_COUNT
};

enum {
    MASK_DMA = 1 << BIT_DMA_IN | 1 << BIT_DMA_OUT,
    MASK_CDMA = 1 << BIT_CDMA_DTCM | 1 << BIT_CDMA_ITCM,
    MASK_TRANSFER = MASK_DMA | MASK_CDMA,
    MASK_SLICE = 1 << BIT_SLICE_0 | 1 << BIT_SLICE_1 | 1 << BIT_SLICE_MORE,
    MASK_COMPUTE = MASK_SLICE | 1 << BIT_CSS,
    MASK_NPU = MASK_TRANSFER | MASK_COMPUTE | 1 << BIT_JOB,
    MASK_ON_HOST = 1 << BIT_HOST | 1 << BIT_HOST_COPY,
    MASK_OPERATOR = 1 << BIT_DELEGATE | 1 << BIT_PORTABLE,
    MASK_BUSY = MASK_NPU | MASK_ON_HOST | MASK_OPERATOR | 1 << BIT_INFERENCE | 1 << BIT_LOAD | 1 << BIT_RISC |
                1 << BIT_OPERATION
};

static int bit_of(const struct track *track)
{
    switch (track->engine) {
    case ENGINE_DMA_IN:
        return BIT_DMA_IN;
    case ENGINE_DMA_OUT:
        return BIT_DMA_OUT;
    case ENGINE_CDMA_DTCM:
        return BIT_CDMA_DTCM;
    case ENGINE_CDMA_ITCM:
        return BIT_CDMA_ITCM;
    case ENGINE_SLICE:
        return track->index == 0 ? BIT_SLICE_0 : track->index == 1 ? BIT_SLICE_1 : BIT_SLICE_MORE;
    case ENGINE_CSS:
        return BIT_CSS;
    case ENGINE_JOB:
        return BIT_JOB;
    case ENGINE_HOST:
        return BIT_HOST;
    case ENGINE_HOST_COPY:
        return BIT_HOST_COPY;
    case ENGINE_HAL:
        return BIT_HAL;
    case ENGINE_INFERENCE:
        return BIT_INFERENCE;
    case ENGINE_DELEGATE:
        return BIT_DELEGATE;
    case ENGINE_PORTABLE:
        return BIT_PORTABLE;
    case ENGINE_LOAD:
        return BIT_LOAD;
    case ENGINE_RISC:
        return BIT_RISC;
    case ENGINE_OPERATION:
        return BIT_OPERATION;
    default:
        return -1;
    }
}

/* Time by combination of busy classes. Few of them ever occur: those are listed. */
struct combinations {
    int64_t ticks[1 << BIT_COUNT];
    uint32_t met[1 << BIT_COUNT];
    uint32_t met_count;
};

static void add_stretch(void *context, uint32_t active, int64_t start, int64_t end)
{
    struct combinations *combinations = context;

    if (!combinations->ticks[active] && end > start)
        combinations->met[combinations->met_count++] = active;
    combinations->ticks[active] += end - start;
}

/* Time in which some class of `some` and none of `none` was busy. */
static int64_t time_with(const struct combinations *combinations, uint32_t some, uint32_t none)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < combinations->met_count; i++) {
        uint32_t mask = combinations->met[i];

        if ((mask & some) && !(mask & none))
            sum += combinations->ticks[mask];
    }
    return sum;
}

static int64_t time_with_both(const struct combinations *combinations, uint32_t one, uint32_t other)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < combinations->met_count; i++) {
        uint32_t mask = combinations->met[i];

        if ((mask & one) && (mask & other))
            sum += combinations->ticks[mask];
    }
    return sum;
}

/* First start and last end over some tracks. */
struct span {
    bool any;
    int64_t first;
    int64_t last;
};

static void span_add(struct span *span, const struct intervals *set)
{
    if (!set->any)
        return;
    if (!span->any || set->first < span->first)
        span->first = set->first;
    if (!span->any || set->last > span->last)
        span->last = set->last;
    span->any = true;
}

static void fill(struct metrics *metrics, const struct combinations *times, const struct span *all,
                 const struct span *work)
{
    int64_t *ticks = metrics->ticks;
    int64_t host_alone = time_with(times, MASK_ON_HOST, MASK_NPU);

    ticks[METRIC_OVERALL] = all->any ? all->last - all->first : 0;
    ticks[METRIC_INFERENCE] = time_with(times, 1 << BIT_INFERENCE, 0);
    ticks[METRIC_DELEGATED] = time_with(times, 1 << BIT_DELEGATE, 0);
    ticks[METRIC_PORTABLE] = time_with(times, 1 << BIT_PORTABLE, 0);
    ticks[METRIC_FRAMEWORK] = time_with(times, 1 << BIT_INFERENCE, MASK_OPERATOR);
    ticks[METRIC_LOAD] = time_with(times, 1 << BIT_LOAD, 0);
    ticks[METRIC_OPERATIONS] = time_with(times, 1 << BIT_OPERATION, 0);
    ticks[METRIC_CORES] = time_with(times, 1 << BIT_RISC, 0);
    ticks[METRIC_NPU_OPERATIONS] = work->any ? work->last - work->first - host_alone : 0;
    ticks[METRIC_NSS] = time_with(times, 1 << BIT_JOB, 0);
    ticks[METRIC_DMA_COMBINED] = time_with(times, MASK_TRANSFER, 0);
    ticks[METRIC_DMA_ONLY] = time_with(times, MASK_TRANSFER, MASK_COMPUTE);
    ticks[METRIC_DMA] = time_with(times, MASK_DMA, 0);
    ticks[METRIC_CDMA] = time_with(times, MASK_CDMA, 0);
    ticks[METRIC_CDMA_DTCM] = time_with(times, 1 << BIT_CDMA_DTCM, 0);
    ticks[METRIC_CDMA_ITCM] = time_with(times, 1 << BIT_CDMA_ITCM, 0);
    ticks[METRIC_DMA_IN] = time_with(times, 1 << BIT_DMA_IN, 0);
    ticks[METRIC_DMA_OUT] = time_with(times, 1 << BIT_DMA_OUT, 0);
    ticks[METRIC_COMPUTE] = time_with(times, MASK_COMPUTE, 0);
    ticks[METRIC_COMPUTE_ONLY] = time_with(times, MASK_COMPUTE, MASK_TRANSFER);
    ticks[METRIC_SLICE] = time_with(times, MASK_SLICE, 0);
    ticks[METRIC_SLICE_0] = time_with(times, 1 << BIT_SLICE_0, 0);
    ticks[METRIC_SLICE_1] = time_with(times, 1 << BIT_SLICE_1, 0);
    ticks[METRIC_CSS] = time_with(times, 1 << BIT_CSS, 0);
    ticks[METRIC_OVERLAP] = time_with_both(times, MASK_TRANSFER, MASK_COMPUTE);
    ticks[METRIC_IDLE] = ticks[METRIC_OVERALL] - time_with(times, MASK_BUSY, 0);
    ticks[METRIC_HAL] = time_with(times, 1 << BIT_HAL, 0);
    ticks[METRIC_HOST] = time_with(times, 1 << BIT_HOST, 0);
    ticks[METRIC_HOST_COPY] = time_with(times, 1 << BIT_HOST_COPY, 0);
}

static bool is_engine_metric(unsigned metric)
{
    return metric >= METRIC_DMA_COMBINED && metric <= METRIC_OVERLAP;
}

/* The intervals of each class. A class with one track borrows that track's set; only a class with several is merged. */
struct classes {
    const struct intervals *sets[BIT_COUNT]; /* never NULL */
    struct intervals merged[BIT_COUNT];
    bool met[BIT_COUNT];
    bool host_logged; /* the log shows what the host did */
    struct span all;  /* everything but envelopes */
    struct span work; /* engines, jobs and host work */
};

static void mark_present(struct metrics *metrics, struct metrics_scope scope, const struct classes *classes)
{
    for (unsigned i = 0; i < METRIC_COUNT; i++)
        metrics->present[i] = is_engine_metric(i) ? scope.engines : scope.measured && classes->host_logged;
    metrics->present[METRIC_OVERALL] = metrics->present[METRIC_IDLE] = true;
    metrics->present[METRIC_NPU_OPERATIONS] = scope.measured && scope.engines;
    metrics->present[METRIC_NSS] = scope.measured && !scope.engines && classes->met[BIT_JOB];
    metrics->present[METRIC_HAL] = classes->met[BIT_HAL];
    metrics->present[METRIC_INFERENCE] = classes->met[BIT_INFERENCE];
    /* A runner's log has inferences alone: what was an operator and what was not is unknown. */
    metrics->present[METRIC_FRAMEWORK] =
        classes->met[BIT_INFERENCE] && (classes->met[BIT_DELEGATE] || classes->met[BIT_PORTABLE]);
    metrics->present[METRIC_DELEGATED] = classes->met[BIT_DELEGATE];
    metrics->present[METRIC_PORTABLE] = classes->met[BIT_PORTABLE];
    metrics->present[METRIC_LOAD] = classes->met[BIT_LOAD];
    metrics->present[METRIC_OPERATIONS] = classes->met[BIT_OPERATION];
    metrics->present[METRIC_CORES] = classes->met[BIT_RISC];
    /* A measured job says nothing about the kind of CDMA transfer beyond what its program says. */
    metrics->present[METRIC_CDMA_DTCM] = metrics->present[METRIC_CDMA_ITCM] = scope.engines && !scope.measured;
}

static status add_to_class(struct classes *classes, unsigned bit, const struct intervals *set)
{
    status code = STATUS_OK;

    if (!classes->met[bit]) {
        classes->met[bit] = true;
        classes->sets[bit] = set;
        return STATUS_OK;
    }
    if (classes->sets[bit] != &classes->merged[bit])
        code = intervals_add_all(&classes->merged[bit], classes->sets[bit]);
    classes->sets[bit] = &classes->merged[bit];
    if (code == STATUS_OK)
        code = intervals_add_all(&classes->merged[bit], set);
    return code == STATUS_OK ? intervals_settle(&classes->merged[bit]) : code;
}

static status collect(struct classes *classes, const struct busy *busy, track_id process)
{
    status code = STATUS_OK;

    for (unsigned i = 0; i < BIT_COUNT; i++) {
        classes->merged[i] = INTERVALS_EMPTY;
        classes->sets[i] = &classes->merged[i];
    }
    for (size_t i = 0; i < busy->tracks.count && code == STATUS_OK; i++) {
        const struct busy_track *track = busy_track(busy, (track_id)i);
        enum engine_group group = engine_group(track->track.engine);
        int bit = bit_of(&track->track);

        if (!track->kept || track->process != process)
            continue;
        classes->host_logged |=
            group == GROUP_HOST || track->track.engine == ENGINE_ACTION || track->track.engine == ENGINE_RUNTIME;
        if (group == GROUP_ENVELOPE)
            continue;
        span_add(&classes->all, &track->set);
        if (group != GROUP_BOOKKEEPING)
            span_add(&classes->work, &track->set);
        if (bit >= 0)
            code = add_to_class(classes, (unsigned)bit, &track->set);
    }
    return code;
}

status metrics_compute(const struct busy *busy, track_id process, struct metrics_scope scope, struct metrics *metrics)
{
    struct classes classes = { 0 };
    struct combinations *times = memory_allocate_clear(sizeof *times);
    const struct clock *clock = busy_clock(busy, process);
    status code = times ? collect(&classes, busy, process) : status_no_memory("adding up");

    *metrics = (struct metrics){ .start = classes.all.first, .clock = clock ? *clock : clock_nanoseconds(0) };
    if (code == STATUS_OK) {
        intervals_sweep(classes.sets, BIT_COUNT, add_stretch, times);
        fill(metrics, times, &classes.all, &classes.work);
        mark_present(metrics, scope, &classes);
    }
    for (unsigned i = 0; i < BIT_COUNT; i++)
        intervals_free(&classes.merged[i]);
    memory_free(times);
    return code;
}

int64_t metrics_ns(const struct metrics *metrics, enum metric metric)
{
    return clock_span_ns(&metrics->clock, metrics->ticks[metric]);
}

double metrics_percent(const struct metrics *metrics, enum metric metric)
{
    int64_t whole = metrics->ticks[METRIC_OVERALL];

    return whole ? 100.0 * (double)metrics->ticks[metric] / (double)whole : 0;
}
