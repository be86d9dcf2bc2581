/* rules.c: the rules of advice on profiles of GPUs, and the functions that find evidence for them. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "analyze/kernel_names.h"
#include "base/memory.h"
#include "base/text.h"
#include "gpu/advise_model.h"

/* ---- Rows: time by operator ----------------------------------------------------------------------------------------- */

/* What the rows of an item are made of: time by operator, or by the name of what launched. */
struct tally {
    const struct gpu_model *model; /* that is looked at */
    struct number_map places;      /* operator and name: place in `lines` */
    struct column lines;           /* struct line */
    bool before;                   /* what a line is about came before its work: nobody is known for it */
    bool failed;                   /* out of memory */
};

struct line {
    operator_id op;    /* NO_ID: none is known */
    uint32_t where;    /* the function of the source, where no operator is known: a piece; NO_ID: not known */
    string_id name;    /* that stands for it */
    string_id kernel;  /* the longest piece; 0: none */
    int64_t kernel_ns; /* that it took */
    double ns, saves;  /* of all runs */
    uint64_t count;    /* of pieces */
    bool first;        /* the longest piece had its input made before its run launched anything */
};

static void tally_start(struct tally *tally, const struct gpu_model *model)
{
    *tally = (struct tally){ .model = model };
    number_map_start(&tally->places);
    column_start(&tally->lines, sizeof(struct line));
}

static void tally_free(struct tally *tally)
{
    number_map_free(&tally->places);
    column_free(&tally->lines);
}

static struct line *line_of(struct tally *tally, operator_id op, string_id name)
{
    uint32_t *place = tally->failed ? NULL : number_map_at(&tally->places, op, op == NO_ID ? name : 0);
    struct line *line;

    if (place && *place != MAP_NONE)
        return column_at(&tally->lines, *place);
    line = place ? column_append(&tally->lines) : NULL;
    tally->failed = !line;
    if (!line)
        return NULL;
    *place = (uint32_t)tally->lines.count - 1;
    *line = (struct line){ .op = op, .name = name, .where = NO_ID };
    return line;
}

static void tally_add(struct tally *tally, operator_id op, string_id name, double ns, double saves)
{
    struct line *line = line_of(tally, op, name);

    if (!line)
        return;
    line->ns += ns;
    line->saves += saves;
    line->count++;
}

/* A piece of work, under the operator that launched it. */
static void tally_work(struct tally *tally, size_t index, double ns, double saves)
{
    const struct pieces *pieces = tally->model->pieces;
    const struct gpu_piece *work = piece_of_work(pieces, index), *launch = piece_launch(pieces, work);
    const struct op *op = piece_op(pieces, work);
    string_id name = op ? op->name : launch ? launch->name : work->name;
    struct line *line;

    tally_add(tally, work->op, name, ns, saves);
    line = line_of(tally, work->op, name);
    if (line && piece_is_work(work) && work->end - work->start >= line->kernel_ns) {
        line->kernel = work->name;
        line->kernel_ns = work->end - work->start;
        line->first = tally->model->costs[index].first;
    }
}

/* A call or an annotation of the host, under the operator that it lies in. */
static void tally_host(struct tally *tally, const struct gpu_piece *piece, uint32_t where, double ns, double saves)
{
    const struct pieces *pieces = tally->model->pieces;
    const struct gpu_piece *around = piece->up != NO_ID ? piece_at(pieces, piece->up) : NULL;
    operator_id op = around && around->op != NO_ID ? around->op : piece->op;
    string_id name = op != NO_ID && piece_is_operator(piece) ? piece_op(pieces, piece)->name : piece->name;
    struct line *line;

    tally_add(tally, op, name, ns, saves);
    line = line_of(tally, op, name);
    if (line && where != NO_ID)
        line->where = where;
}

static const char *say_place(struct advice *advice, const struct gpu_model *model, const struct op *op)
{
    const struct strings *strings = model->pieces->strings;
    string_id place = op ? op->place ? op->place : op->location : 0;
    const char *module = op && op->module ? strings_text(strings, op->module) : "";

    if (!place && !*module)
        return NULL;
    return advice_say(advice, "%s%s%s", place ? strings_text(strings, place) : "", place && *module ? ", " : "",
                      module);
}

/* "net.py(12): forward" is forward at net.py:12; NULL: no function. */
static const char *say_function(struct advice *advice, const char *name, const char **location)
{
    const char *open = strchr(name, '('), *close = open ? strstr(open, "): ") : NULL;

    if (!close || open == name)
        return NULL;
    *location = advice_say(advice, "%.*s:%.*s", (int)(open - name), name, (int)(close - open - 1), open + 1);
    return advice_say(advice, "%s", close + 3);
}

const char *gpu_short_kernel(struct advice *advice, const char *name)
{
    char text[KERNEL_ROOM];

    return advice_say(advice, "%s", kernel_shorten(text_of(name), KERNEL_LETTERS, text));
}

static void add_line(struct advice *advice, struct advice_item *item, const struct tally *tally,
                     const struct line *line, double scale)
{
    const struct gpu_model *model = tally->model;
    const struct strings *strings = model->pieces->strings;
    const struct op *op = line->op != NO_ID ? column_at(&model->pieces->operators, line->op) : NULL;
    const char *name = strings_text(strings, op ? op->name : line->name), *location = say_place(advice, model, op);
    const char *remark = line->kernel && !tally->before ? gpu_short_kernel(advice, strings_text(strings, line->kernel))
                                                        : NULL,
               *function = NULL;

    if (op && op->name != line->name && !remark)
        remark = strings_text(strings, line->name);
    if (remark && op && op->name == line->kernel) { /* launched outside of all operators */
        name = remark;
        remark = NULL;
    }
    if (tally->before && line->kernel)
        name = model->profile->runs.source == INFERENCES_NONE
                   ? advice_say(advice, "before %s", name)
                   : advice_say(advice, "%s a step (%s), before %s", line->first ? "start of" : "in",
                                model->framework->run, name);
    if (!op && !location)
        function = say_function(advice, name, &location);
    if (!op && !location && line->where != NO_ID)
        say_function(advice, piece_name(model->pieces, piece_at(model->pieces, line->where)), &location);
    advice_row(advice, item,
               (struct advice_row){ .name = function ? function : name,
                                    .location = location,
                                    .remark = remark,
                                    .ns = gpu_model_ns(model, line->ns),
                                    .saves_ns = gpu_model_ns(model, line->saves) * scale,
                                    .count = (uint64_t)((double)line->count / model->runs + 0.5) });
}

/* All rows of an item; `scale` makes them add up to what the item saves. */
static void tally_rows(struct advice *advice, struct advice_item *item, const struct tally *tally, double scale)
{
    if (tally->failed && advice->failure == STATUS_OK)
        advice->failure = status_no_memory("looking for advice");
    for (size_t i = 0; i < tally->lines.count; i++)
        add_line(advice, item, tally, column_at(&tally->lines, i), scale);
}

/* ---- Work that could be shorter ------------------------------------------------------------------------------------- */

static const double HIDING =
    0.75; /* of other work that can hide transfers: the first and the last piece of a run have nothing beside them */

/* Work that other work could hide: as much as there is of that. */
static double hideable(const struct gpu_model *model, enum work_class class)
{
    double others = 0;

    for (unsigned i = 0; i < WORK_CLASSES; i++)
        if (i != class)
            others += model->work[i];
    return gpu_model_ns(model, others) * HIDING;
}

/* What copies are shorter from pinned memory: those of pageable memory go through the host's caches first. */
static double pinning(const struct gpu_model *model)
{
    double rate = model->profile->head->major >= 9 ? 50 : 22, gain = 0; /* GB/s over the bus: generation 5 and 4 */

    for (size_t i = 0; i < model->pieces->work_count; i++) {
        const struct gpu_piece *work = piece_of_work(model->pieces, i);
        double ns = (double)(work->end - work->start), bytes = piece_form(model->pieces, work)->bytes;

        if (model->costs[i].class == WORK_COPY && bytes > 0 &&
            text_contains(strings_get(model->pieces->strings, work->name), "Pageable"))
            gain += fmax(0, 1 - bytes / rate / ns) * (double)model->costs[i].alone;
    }
    return gpu_model_ns(model, gain);
}

/* An item about all work of a class; NULL: there is none worth a word. */
static struct advice_item *find_class(struct advice *advice, const struct advice_rule *rule,
                                      const struct gpu_model *model, enum work_class class, double more)
{
    double saves = gpu_model_saves(model, class), all = 0;
    struct advice_item *item;
    struct tally tally;

    if (class == WORK_COPY || class == WORK_COLLECTIVE)
        saves = fmin(saves, hideable(model, class) + (class == WORK_COPY ? pinning(model) : 0));
    tally_start(&tally, model);
    for (size_t i = 0; i < model->pieces->work_count; i++) {
        const struct gpu_piece *work = piece_of_work(model->pieces, i);
        double ns = (double)(work->end - work->start), spared = model->costs[i].spared * (double)model->costs[i].alone;

        if (model->costs[i].class != class || !(spared > 0))
            continue;
        tally_work(&tally, i, ns, spared);
        all += spared;
    }
    all = gpu_model_ns(model, all);
    if (class == WORK_SMALL) /* their launches are gone with them */
        saves = all;
    if (!(saves + more > 0) || !(all > 0)) {
        tally_free(&tally);
        return NULL;
    }
    item = advice_add(advice, rule);
    tally_rows(advice, item, &tally, (saves + more) / all);
    advice_claim(advice, item, model->pools[class], saves);
    advice_count(advice, item, "pieces", (uint64_t)((double)model->counts[class] / model->runs + 0.5));
    advice_time(advice, item, "work", gpu_model_ns(model, model->work[class]));
    advice_percent(advice, item, "work_share", advice_share(advice, gpu_model_ns(model, model->work[class])));
    tally_free(&tally);
    return item;
}

static void find_fp32(struct advice *advice, const struct advice_rule *rule, const void *context)
{
    const struct gpu_model *model = context;
    struct advice_item *item = find_class(advice, rule, model, WORK_FP32, 0);

    advice_factor(advice, item, "gain", model->gain);
    advice_text(advice, item, "type", model->gain_type);
    advice_text(advice, item, "device", model->profile->head->device[0] ? model->profile->head->device : NULL);
}

static void find_unfilled(struct advice *advice, const struct advice_rule *rule, const void *context)
{
    const struct gpu_model *model = context;
    struct advice_item *item = find_class(advice, rule, model, WORK_UNFILLED, 0);
    double blocks = 0, ns = 0;

    for (size_t i = 0; i < model->pieces->work_count; i++) {
        const struct gpu_piece *work = piece_of_work(model->pieces, i);

        if (model->costs[i].class == WORK_UNFILLED) {
            blocks += piece_form(model->pieces, work)->per_processor * (double)(work->end - work->start);
            ns += (double)(work->end - work->start);
        }
    }
    if (ns > 0)
        advice_text(advice, item, "blocks", advice_say_rate(advice, blocks / ns));
    if (model->profile->head->processors)
        advice_count(advice, item, "processors", model->profile->head->processors);
}

static void find_layout(struct advice *advice, const struct advice_rule *rule, const void *context)
{
    find_class(advice, rule, context, WORK_LAYOUT, 0);
}

static void find_collectives(struct advice *advice, const struct advice_rule *rule, const void *context)
{
    const struct gpu_model *model = context;
    struct advice_item *item = find_class(advice, rule, model, WORK_COLLECTIVE, 0);
    const struct gpu_head *head = model->profile->head;
    double bytes = 0, alone = 0;
    string_id kind = 0;

    for (size_t i = 0; i < model->pieces->work_count; i++) {
        const struct gpu_form *form = piece_form(model->pieces, piece_of_work(model->pieces, i));

        if (model->costs[i].class != WORK_COLLECTIVE)
            continue;
        alone += (double)model->costs[i].alone;
        bytes += form->elements > 0 ? form->elements : 0;
        kind = form->collective ? form->collective : kind;
    }
    advice_time(advice, item, "alone", gpu_model_ns(model, alone));
    if (head->distributed)
        advice_count(advice, item, "ranks", head->ranks);
    if (kind)
        advice_text(advice, item, "kind", strings_text(model->pieces->strings, kind));
    if (bytes > 0)
        advice_text(advice, item, "elements", advice_say_rate(advice, gpu_model_ns(model, bytes) / 1e6));
    if (item && hideable(model, WORK_COLLECTIVE) <= 0)
        advice_text(advice, item, "nothing", "nothing else runs in a step that could hide it");
}

static void find_copies(struct advice *advice, const struct advice_rule *rule, const void *context)
{
    const struct gpu_model *model = context;
    double held = gpu_model_ns(model, model->gaps[GAP_COPY]);
    struct advice_item *item = find_class(advice, rule, model, WORK_COPY, held);
    double alone = 0, pageable = 0, bytes = 0, ns = 0;
    bool pinned = false;

    for (size_t i = 0; i < model->pieces->work_count; i++) {
        const struct gpu_piece *work = piece_of_work(model->pieces, i);
        double moved = piece_form(model->pieces, work)->bytes;

        if (model->costs[i].class != WORK_COPY)
            continue;
        alone += (double)model->costs[i].alone;
        if (text_contains(strings_get(model->pieces->strings, work->name), "Pageable"))
            pageable += (double)(work->end - work->start);
        pinned |= text_contains(strings_get(model->pieces->strings, work->name), "Pinned");
        if (moved > 0) {
            bytes += moved;
            ns += (double)(work->end - work->start);
        }
    }
    if (held > 0)
        advice_claim(advice, item, model->gap_pools[GAP_COPY], held);
    advice_time(advice, item, "alone", gpu_model_ns(model, alone));
    if (pageable > 0)
        advice_time(advice, item, "pageable", gpu_model_ns(model, pageable));
    else if (pinned)
        advice_text(advice, item, "pinned", "from pinned memory");
    if (ns > 0)
        advice_text(advice, item, "rate", advice_say_rate(advice, bytes / ns));
}

/* ---- Time in which the device waits --------------------------------------------------------------------------------- */

/* What answers for a gap: the call that waited, or who made the input; NO_ID: nobody is recorded. */
static uint32_t answers_for(const struct gpu_cost *cost, enum gap_reason reason)
{
    switch (reason) {
    case GAP_WAIT:
        return cost->wait;
    case GAP_INPUT:
        return cost->input;
    case GAP_FALLBACK:
        return cost->fallback;
    default:
        return NO_ID;
    }
}

static void tally_gaps(struct tally *tally, enum gap_reason reason)
{
    const struct gpu_model *model = tally->model;

    for (size_t i = 0; i < model->pieces->work_count; i++) {
        const struct gpu_cost *cost = &model->costs[i];
        double ns = cost->gaps[reason];
        uint32_t host = answers_for(cost, reason);

        if (!(ns > 0))
            continue;
        if (host != NO_ID)
            tally_host(tally, piece_at(model->pieces, host), cost->where, ns, ns);
        else
            tally_work(tally, i, ns, ns);
        if (host == NO_ID && reason == GAP_INPUT)
            tally->before = true;
    }
}

static struct advice_item *find_gaps(struct advice *advice, const struct advice_rule *rule,
                                     const struct gpu_model *model, enum gap_reason reason)
{
    double saves = gpu_model_ns(model, model->gaps[reason]);
    struct advice_item *item;
    struct tally tally;

    if (!(saves > 0))
        return NULL;
    tally_start(&tally, model);
    tally_gaps(&tally, reason);
    item = advice_add(advice, rule);
    tally_rows(advice, item, &tally, 1);
    advice_claim(advice, item, model->gap_pools[reason], saves);
    advice_time(advice, item, "gaps", saves);
    advice_percent(advice, item, "gap_share", advice_share(advice, saves));
    tally_free(&tally);
    return item;
}

static const double HOST_BOUND = 10; /* percent of a run that the device waits for launches */

static void find_late(struct advice *advice, const struct advice_rule *rule, const void *context)
{
    const struct gpu_model *model = context;
    struct advice_item *item = find_gaps(advice, rule, model, GAP_LAUNCH);
    double count = (double)model->pieces->work_count;

    if (!item)
        return;
    advice_text(advice, item, "device",
                advice_share(advice, gpu_model_ns(model, model->gaps[GAP_LAUNCH])) < HOST_BOUND
                    ? "The device"
                    : "The step is host-bound: the device");
    advice_time(advice, item, "busy", gpu_model_ns(model, model->device));
    advice_percent(advice, item, "busy_share", advice_share(advice, gpu_model_ns(model, model->device)));
    advice_count(advice, item, "launches", (uint64_t)(count / model->runs + 0.5));
    advice_time(advice, item, "each", model->device / count);
    advice_time(advice, item, "interval", advice->run_ns * model->runs / count);
    if (item->row_count && 2 * item->rows[0].saves_ns > gpu_model_ns(model, model->gaps[GAP_LAUNCH]))
        advice_text(advice, item, "slow", item->rows[0].name);
}

static void find_small(struct advice *advice, const struct advice_rule *rule, const void *context)
{
    const struct gpu_model *model = context;
    double gaps = gpu_model_ns(model, model->gaps[GAP_SMALL]), space = 0, work = 0, count = 0;
    struct advice_item *item;

    for (size_t i = 0; i < model->pieces->work_count; i++) {
        if (model->costs[i].class != WORK_SMALL)
            continue;
        space += model->costs[i].gaps[GAP_SPACE] < GPU_SMALL_NS ? model->costs[i].gaps[GAP_SPACE] : 0;
        work += (double)(piece_of_work(model->pieces, i)->end - piece_of_work(model->pieces, i)->start);
        count++;
    }
    if (!(count > 0))
        return;
    space = gpu_model_ns(model, space);
    item = find_class(advice, rule, model, WORK_SMALL, gaps + space);
    advice_claim(advice, item, model->gap_pools[GAP_SMALL], gaps);
    advice_claim(advice, item, model->gap_pools[GAP_SPACE], space);
    advice_time(advice, item, "between", gaps + space);
    advice_count(advice, item, "small", (uint64_t)(count / model->runs + 0.5));
    advice_time(advice, item, "each", work / count);
    advice_time(advice, item, "together", gpu_model_ns(model, work));
    if (model->call > 0)
        advice_time(advice, item, "call", model->call);
}

static void find_waits(struct advice *advice, const struct advice_rule *rule, const void *context)
{
    const struct gpu_model *model = context;
    struct advice_item *item = find_gaps(advice, rule, model, GAP_WAIT);
    uint64_t waits = 0;

    if (!item)
        return;
    for (size_t i = 0; i < model->pieces->work_count; i++)
        waits += model->costs[i].gaps[GAP_WAIT] > 0;
    advice_count(advice, item, "waits", (uint64_t)fmax(1, (double)waits / model->runs + 0.5));
}

static void find_input(struct advice *advice, const struct advice_rule *rule, const void *context)
{
    const struct gpu_model *model = context;
    struct advice_item *item = find_gaps(advice, rule, model, GAP_INPUT);
    bool named = false;

    for (size_t i = 0; i < model->pieces->work_count; i++)
        named |= model->costs[i].gaps[GAP_INPUT] > 0 && model->costs[i].input != NO_ID;
    if (item && !named)
        advice_text(advice, item, "unnamed", "nothing is recorded in that time: Python, reading or decoding");
}

/* ---- Operators on the CPU ------------------------------------------------------------------------------------------- */

/* Nodes on the CPU, and those that copy for them, of one run; where operators are not told apart by what computes them, those that the device waited for. */
static void count_nodes(struct advice *advice, struct advice_item *item, const struct gpu_model *model)
{
    double nodes = 0, copies = 0;

    for (uint32_t i = 0; i < model->pieces->items.count; i++) {
        const struct gpu_piece *piece = piece_at(model->pieces, i);

        if (!piece_is_operator(piece) || !gpu_is_fallback(model, piece) || !piece_counts(model->pieces, piece))
            continue;
        nodes += piece->kind == GPU_NODE;
        copies += piece->kind != GPU_NODE;
    }
    for (size_t i = 0; !model->mixed && i < model->pieces->work_count; i++)
        nodes += model->costs[i].gaps[GAP_FALLBACK] > 0;
    advice_count(advice, item, "nodes", (uint64_t)(nodes / model->runs + 0.5));
    if (copies >= model->runs)
        advice_count(advice, item, "copies", (uint64_t)(copies / model->runs + 0.5));
}

static void find_fallback(struct advice *advice, const struct advice_rule *rule, const void *context)
{
    const struct gpu_model *model = context;
    double work = gpu_model_saves(model, WORK_FALLBACK), gaps = gpu_model_ns(model, model->gaps[GAP_FALLBACK]);
    struct advice_item *item;
    struct tally tally;

    if (!(work + gaps > 0))
        return;
    tally_start(&tally, model);
    tally_gaps(&tally, GAP_FALLBACK);
    for (size_t i = 0; i < model->pieces->work_count; i++)
        if (model->costs[i].class == WORK_FALLBACK)
            tally_work(&tally, i, (double)model->costs[i].alone, (double)model->costs[i].alone);
    for (size_t i = 0; i < tally.lines.count; i++) /* gaps are no calls of it */
        ((struct line *)column_at(&tally.lines, i))->count = 0;
    item = advice_add(advice, rule);
    tally_rows(advice, item, &tally, 1);
    advice_claim(advice, item, model->pools[WORK_FALLBACK], work);
    advice_claim(advice, item, model->gap_pools[GAP_FALLBACK], gaps);
    advice_time(advice, item, "cost", work + gaps);
    advice_percent(advice, item, "cost_share", advice_share(advice, work + gaps));
    count_nodes(advice, item, model);
    tally_free(&tally);
}

/* ---- The rules ------------------------------------------------------------------------------------------------------ */

#define SHOW_OPERATORS "tacho operators {input}"
#define SHOW_TRACE "tacho convert {input} -o trace.pb"

static const struct advice_rule rules[] = {
    { .id = "late-launches",
      .looks_for = "a device that waits because the host launches the next kernel too late (host-bound)",
      .bound = ADVICE_LATENCY,
      .title = "Launch in time: the host is too slow for the device[, most of all in {slow}]",
      .evidence =
          "{device} works {busy} of {run} ({busy_share}) and waits {gaps} ({gap_share}) for "
          "launches. A run launches {launches:piece of work:pieces of work} of {each} on average, and the host takes "
          "{interval} for each. Most waiting is before {where}.",
      .assumes = "if all launches came in time: {for_launches}",
      .ruled_out = "waiting for the device and making inputs, which are counted apart",
      .command = "tacho operators {input} --sort -host_self",
      .find = find_late },
    { .id = "small-kernels",
      .looks_for = "many kernels that are shorter than their launches",
      .bound = ADVICE_LATENCY,
      .title = "Fuse small kernels: {small} in a run take under 4us each",
      .evidence = "{small:kernel takes:kernels take} {each} each, {together} together[, where a launch takes {call}]; "
                  "between them the "
                  "device waits {between}. Most are of {where}.",
      .assumes = "if they were fused ({for_small}) or launched as one CUDA graph",
      .command = SHOW_OPERATORS,
      .find = find_small },
    { .id = "unhidden-copies",
      .looks_for = "copies between host and device while nothing computes",
      .bound = ADVICE_TRANSFER,
      .title = "Hide copies behind computing: {where}",
      .evidence = "Copies between host and device take {work} of {run}[ at {rate} GB/s], and in {alone} of that "
                  "nothing else runs[; {pageable} "
                  "are from or to pageable memory, which also holds the host][ ({pinned})].",
      .assumes = "if they ran beside computing: [pinned memory, and not {pageable} of pageable; ]{for_copies}",
      .command = SHOW_TRACE,
      .find = find_copies },
    { .id = "synchronisations",
      .looks_for = "a device that waits because the host waited for it and launched nothing meanwhile",
      .bound = ADVICE_WAITING,
      .title = "Do without {waits:synchronisation:synchronisations} in a run: {where}",
      .evidence =
          "After {waits:wait:waits} for the device in a run ({waiting}) it has nothing to do until the host has "
          "launched again: {gaps} of {run} ({gap_share}).",
      .assumes = "if the host went on launching: read values later, or once after many steps",
      .ruled_out = "slow launches: the host was ahead before it waited",
      .command = SHOW_TRACE,
      .find = find_waits },
    { .id = "slow-input",
      .looks_for = "a device that waits for the next input: the host loads or makes it first",
      .bound = ADVICE_WAITING,
      .title = "Make inputs ahead: the device waits {gaps} of a run for them",
      .evidence =
          "The device waits {gaps} of {run} ({gap_share}) while the host launches nothing: it loads or makes the next "
          "input[: {where}][; {unnamed}].",
      .assumes = "if the input was ready: more workers, prefetching, work on inputs moved to the device",
      .ruled_out = "launches and synchronisations inside the step, which are counted apart",
      .command = SHOW_TRACE,
      .find = find_input },
    { .id = "no-tensor-cores",
      .looks_for = "products in fp32 on units that are not made for products",
      .bound = ADVICE_ARITHMETIC,
      .title = "Use tensor cores for products: {where}",
      .evidence = "{pieces:kernel multiplies:kernels multiply} in plain fp32 and {pieces~takes:take} {work} of {run} "
                  "({work_share}). Tensor "
                  "units[ of {device}] do {gain} as much in {type}.",
      .assumes = "if {type} is exact enough: {for_units}",
      .command = SHOW_OPERATORS,
      .find = find_fp32 },
    { .id = "low-occupancy",
      .looks_for = "long kernels with too few blocks to fill the device",
      .bound = ADVICE_KERNEL,
      .title = "Fill the device: {where}",
      .evidence =
          "{pieces:kernel has:kernels have} too few blocks or warps for the device ({blocks} blocks for each of its "
          "[{processors} ]processors) and {pieces~takes:take} {work} of {run} ({work_share}).",
      .assumes = "if the same work was spread over all processors: another algorithm or split, a larger batch",
      .command = SHOW_OPERATORS,
      .find = find_unfilled },
    { .id = "layout-copies",
      .looks_for = "kernels that only bring tensors into another order",
      .bound = ADVICE_MEMORY,
      .title = "Keep one layout: do without the copies of {where}",
      .evidence = "{pieces:kernel takes:kernels take} {work} of {run} ({work_share}) to bring tensors into another "
                  "order (NCHW and NHWC, "
                  "transposed and contiguous), and compute nothing.",
      .assumes = "if tensors stayed in one order: {for_layout}",
      .command = SHOW_OPERATORS,
      .find = find_layout },
    { .id = "communication",
      .looks_for = "communication between devices while nothing computes",
      .bound = ADVICE_TRANSFER,
      .title = "Hide communication behind computing: {where}",
      .evidence = "[{kind}: ][{elements} million elements, ]{work} of {run} ({work_share})[ between {ranks} ranks]; in "
                  "{alone} of that nothing "
                  "computes. The time of a collective includes waiting for the slowest rank.",
      .assumes = "if it ran beside computing: buckets that start during the backward pass, gradients summed less "
                 "often[; but {nothing}]",
      .command = SHOW_TRACE,
      .find = find_collectives },
    { .id = "cpu-fallback",
      .looks_for = "operators that the CPU computes between those of a device, and copies for them",
      .bound = ADVICE_WAITING,
      .title = "Keep the model on the device: {where}",
      .evidence =
          "{nodes:operator runs:operators run} on the CPU in a run[, with {copies:node that copies:nodes that copy} "
          "between it and the device]; that costs {cost} of {run} ({cost_share}) in which the device computes "
          "nothing.",
      .assumes = "if the device computed them, too: {for_fallback}",
      .command = SHOW_OPERATORS,
      .find = find_fallback },
    { 0 },
};

const struct advice_rules gpu_rules = { "profiles of GPUs and frameworks", rules };

void gpu_say_framework(struct advice *advice, const struct gpu_framework *framework)
{
    advice_text(advice, &advice->every, "waiting", framework->waits);
    advice_text(advice, &advice->every, "for_launches", framework->launches);
    advice_text(advice, &advice->every, "for_small", framework->fuses);
    advice_text(advice, &advice->every, "for_copies", framework->copies);
    advice_text(advice, &advice->every, "for_units", framework->units);
    advice_text(advice, &advice->every, "for_layout", framework->layout);
    advice_text(advice, &advice->every, "for_fallback", framework->fallback);
}

/* ---- What dominates ------------------------------------------------------------------------------------------------- */

void gpu_dominates(struct advice *advice, const struct gpu_model *model)
{
    const struct pieces *pieces = model->pieces;
    const struct op *op;
    struct advice_row row;
    uint64_t count = 0;

    if (model->longest == NO_ID)
        return;
    op = column_at(&pieces->operators, model->longest);
    for (size_t i = 0; i < pieces->work_count; i++)
        count += piece_of_work(pieces, i)->op == model->longest;
    row = (struct advice_row){
        .name = strings_text(pieces->strings, op->name),
        .location = say_place(advice, model, op),
        .ns = gpu_model_ns(model, model->by_op[model->longest]),
        .saves_ns = NAN,
        .count = (uint64_t)((double)count / model->runs + 0.5),
    };
    advice_dominates(advice, row, ADVICE_UNKNOWN,
                     model->nodes ? "that is its own time, without what it calls" : "its kernels on the device",
                     model->nodes ? NULL : "a smaller model, a lower precision, fused or better kernels");
}
