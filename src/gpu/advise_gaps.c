/* advise_gaps.c: why the device waited: what the host did between two pieces of work.
 *
 * A gap ends with a piece of work, and that with its launch. Where the launch was there before the gap, the device needed the time itself. Otherwise the
 * host was late: because it made the next input, because a call held it, or because its operators took that long. A host that had waited for
 * the device before would have been earlier by that wait, so a wait answers for as much of the gap behind it as it lasted.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "gpu/advise_model.h"

enum {
    FUNCTIONS_LOOKED_AT = 4096, /* that are over, before one that is not */
    WAITS_BEFORE = 16,          /* waits that may overlap the last one that was counted: of other threads */
    ABSENCE = 500 * 1000,       /* ns without a launch: less is an ordinary pause of Python */
    ABSENCE_FACTOR = 20,        /* the same, of the time from one launch to the next */
    AROUND_WAIT = 100 * 1000,   /* ns that an operator may take beside the call in it that waits */
    FETCHED_LEAST = 4096,       /* bytes: less than this are values that somebody looks at */
    FETCHED_FACTOR = 16         /* what is brought back is no larger than so many times what was fetched */
};

/* A call or an annotation that explains gaps. */
struct host_span {
    int64_t start, end; /* ns */
    uint32_t piece;     /* which */
};

struct host_spans {
    struct host_span *items; /* by start; owned */
    size_t count;            /* of them */
    size_t next;             /* the first that may matter from here on */
};

/* What the walk over all gaps goes along with. */
struct walk {
    struct gpu_model *model;     /* that is filled */
    struct host_spans waits;     /* calls that wait for a device */
    struct host_spans held;      /* launches that last until their copy is done */
    struct host_spans fallbacks; /* nodes on the CPU, and those that copy for them */
    struct host_spans inputs;    /* annotations of whoever loads data */
    struct host_spans functions; /* of the source, without those of the framework */
    struct host_spans operators; /* that lie in no other */
    struct host_spans launches;  /* all of them */
    int64_t absence;             /* ns without a launch from which on the host does something else than launch */
    int64_t owed;                /* ns that the host waited and that no gap was put down to yet */
    size_t next_wait;            /* the first that is not in that */
    int64_t owed_fallback;       /* the same of nodes on the CPU */
    size_t next_fallback;        /* the first that is not in that */
    uint32_t last_fallback;      /* the latest on the CPU: a piece; NO_ID: none */
    uint32_t last_wait;          /* the longest of the latest: a piece; NO_ID: none */
    size_t window;               /* run that the gap at hand lies in */
    double fetched;              /* bytes of the latest copy to the host in the run that `fetched_in` is */
    size_t fetched_in;           /* the same */
    int64_t *first_launches;     /* by window: when the first operator begins that launches something */
};

/* ---- Spans ---------------------------------------------------------------------------------------------------------- */

static int64_t least(int64_t one, int64_t other)
{
    return one < other ? one : other;
}

static bool is_input(struct text name)
{
    return text_contains(name, "DataLoader") || text_find_any_case(name, "dataload") ||
           text_find_any_case(name, "load_batch") || text_find_any_case(name, "next_batch") ||
           text_contains(name, "prefetch");
}

/* A launch is held where it lasts far longer than others, and until the work that it launched is done. */
static bool is_held(const struct gpu_model *model, const struct gpu_piece *work, const struct gpu_piece *launch)
{
    return work->kind == GPU_COPY && launch->end >= work->end &&
           (double)(launch->end - launch->start) > 2 * model->call;
}

static int by_start(const void *one, const void *other)
{
    const struct host_span *a = one, *b = other;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->piece < b->piece ? -1 : a->piece > b->piece;
}

static status collect(struct gpu_model *model, struct host_spans *spans,
                      bool (*fits)(const struct gpu_model *model, const struct gpu_piece *piece))
{
    size_t count = 0;

    for (uint32_t i = 0; i < model->pieces->items.count; i++)
        count += fits(model, piece_at(model->pieces, i));
    *spans = (struct host_spans){ .items = memory_allocate_clear((count + 1) * sizeof *spans->items) };
    if (!spans->items)
        return status_no_memory("looking for advice");
    for (uint32_t i = 0; i < model->pieces->items.count; i++) {
        const struct gpu_piece *piece = piece_at(model->pieces, i);

        if (fits(model, piece))
            spans->items[spans->count++] = (struct host_span){ piece->start, piece->end, i };
    }
    if (spans->count)
        qsort(spans->items, spans->count, sizeof *spans->items, by_start);
    return STATUS_OK;
}

/* An operator that is little more than the call that waits: .item() copies a value, waits, and is over. It is gone with the wait. */
static void widen_waits(const struct gpu_model *model, struct host_spans *waits)
{
    for (size_t i = 0; i < waits->count; i++) {
        struct host_span *wait = &waits->items[i];
        int64_t most = wait->end - wait->start + AROUND_WAIT;
        uint32_t up = piece_at(model->pieces, wait->piece)->up;

        for (; up != NO_ID; up = piece_at(model->pieces, up)->up) {
            const struct gpu_piece *around = piece_at(model->pieces, up);

            if (around->end - around->start > most)
                break;
            wait->start = around->start;
            wait->end = around->end;
        }
    }
}

static bool fits_wait(const struct gpu_model *model, const struct gpu_piece *piece)
{
    (void)model;
    return piece->kind == GPU_WAIT;
}

static bool fits_input(const struct gpu_model *model, const struct gpu_piece *piece)
{
    return (piece->kind == GPU_ANNOTATION || piece->kind == GPU_CALL) &&
           is_input(strings_get(model->pieces->strings, piece->name));
}

static bool fits_function(const struct gpu_model *model, const struct gpu_piece *piece)
{
    struct text name = piece->kind == GPU_FUNCTION ? strings_get(model->pieces->strings, piece->name) : text_of("");

    return text_contains(name, "): ") && !text_begins(name, "torch/") && !text_begins(name, "<") &&
           !text_begins(name, "nn.Module: ");
}

static bool fits_operator(const struct gpu_model *model, const struct gpu_piece *piece)
{
    (void)model;
    return piece_is_operator(piece) && piece->up == NO_ID;
}

static bool fits_launch(const struct gpu_model *model, const struct gpu_piece *piece)
{
    (void)model;
    return piece->kind == GPU_LAUNCH || piece->launches;
}

static bool fits_fallback(const struct gpu_model *model, const struct gpu_piece *piece)
{
    return piece_is_operator(piece) && gpu_is_fallback(model, piece);
}

static int by_time(const void *one, const void *other)
{
    int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;

    return a < b ? -1 : a > b;
}

/* Far longer than the time from one launch to the next, as it is in the middle of all. */
static status find_absence(struct walk *walk)
{
    size_t count = walk->launches.count;
    int64_t *times = memory_allocate_clear((count + 1) * sizeof *times);

    if (!times)
        return status_no_memory("looking for advice");
    for (size_t i = 1; i < count; i++)
        times[i - 1] = walk->launches.items[i].start - walk->launches.items[i - 1].start;
    if (count > 1)
        qsort(times, count - 1, sizeof *times, by_time);
    walk->absence = ABSENCE_FACTOR * (count > 1 ? times[(count - 1) / 2] : 0);
    walk->absence = walk->absence > ABSENCE ? walk->absence : ABSENCE;
    memory_free(times);
    return STATUS_OK;
}

static status collect_held(struct gpu_model *model, struct host_spans *spans)
{
    const struct pieces *pieces = model->pieces;

    *spans = (struct host_spans){ .items = memory_allocate_clear((pieces->work_count + 1) * sizeof *spans->items) };
    if (!spans->items)
        return status_no_memory("looking for advice");
    for (size_t i = 0; i < pieces->work_count; i++) {
        const struct gpu_piece *work = piece_of_work(pieces, i), *launch = piece_launch(pieces, work);

        if (launch && is_held(model, work, launch))
            spans->items[spans->count++] = (struct host_span){ launch->start, launch->end, work->up };
    }
    return STATUS_OK;
}

/* Of [start, end) what the spans cover, and the one that covers most. Asked in ascending order of start. */
static int64_t covered(struct host_spans *spans, int64_t start, int64_t end, uint32_t *most)
{
    int64_t sum = 0, best = 0, from = start;

    while (spans->next < spans->count && spans->items[spans->next].end <= start)
        spans->next++;
    for (size_t i = spans->next; i < spans->count && spans->items[i].start < end; i++) {
        int64_t begin = spans->items[i].start > from ? spans->items[i].start : from;
        int64_t stop = spans->items[i].end < end ? spans->items[i].end : end;

        if (stop <= begin)
            continue;
        sum += stop - begin;
        from = stop;
        if (stop - begin > best) {
            best = stop - begin;
            *most = spans->items[i].piece;
        }
    }
    return sum;
}

/* The time that spans took which ended in (after, before]; the longest of them. */
static int64_t ended(const struct host_spans *spans, int64_t after, int64_t before, uint32_t *longest)
{
    int64_t sum = 0, best = 0;
    size_t low = 0, high = spans->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (spans->items[middle].start <= before)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i-- > 0 && spans->items[i].end > after;) {
        int64_t took = spans->items[i].end - spans->items[i].start;

        if (spans->items[i].end > before)
            continue;
        sum += took;
        if (took > best) {
            best = took;
            *longest = spans->items[i].piece;
        }
    }
    return sum;
}

/* ---- Where the input of a run ends ---------------------------------------------------------------------------------- */

/* When the outermost operator around a call began. */
static int64_t outermost_start(const struct pieces *pieces, const struct gpu_piece *piece)
{
    while (piece->up != NO_ID)
        piece = piece_at(pieces, piece->up);
    return piece->start;
}

static status find_first_launches(struct walk *walk)
{
    const struct pieces *pieces = walk->model->pieces;

    walk->first_launches = memory_allocate_clear((pieces->window_count + 1) * sizeof *walk->first_launches);
    if (!walk->first_launches)
        return status_no_memory("looking for advice");
    for (size_t i = 0; i < pieces->window_count; i++)
        walk->first_launches[i] = INT64_MAX;
    for (uint32_t i = 0; i < pieces->items.count; i++) {
        const struct gpu_piece *piece = piece_at(pieces, i);
        size_t window = fits_launch(walk->model, piece) ? pieces_window(pieces, piece->start) : SIZE_MAX;
        int64_t start;

        if (window == SIZE_MAX)
            continue;
        start = outermost_start(pieces, piece);
        if (start < walk->first_launches[window])
            walk->first_launches[window] = start;
    }
    return STATUS_OK;
}

/* Of [start, end), which lies in the current window, what lies before its first launch. */
static int64_t before_first(const struct walk *walk, int64_t start, int64_t end)
{
    int64_t first = walk->first_launches[walk->window];

    if (first == INT64_MAX || first <= start)
        return 0;
    return (end < first ? end : first) - start;
}

/* The innermost function of the source that is at work then; NO_ID: none is recorded. */
static uint32_t function_at(const struct walk *walk, int64_t time)
{
    const struct host_spans *functions = &walk->functions;
    size_t low = 0, high = functions->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (functions->items[middle].start <= time)
            low = middle + 1;
        else
            high = middle;
    }
    for (unsigned looked = 0; low-- > 0 && looked < FUNCTIONS_LOOKED_AT; looked++)
        if (functions->items[low].end > time)
            return functions->items[low].piece;
    return NO_ID;
}

/* Whether the host had launched nothing for long at this time, and did not wait all that time. */
static bool is_absent(struct walk *walk, int64_t launch)
{
    const struct host_spans *launches = &walk->launches;
    struct host_spans waits = walk->waits;
    uint32_t wait = NO_ID;
    size_t low = 0, high = launches->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (launches->items[middle].start < launch)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low)
        return true;
    waits.next = walk->next_wait > WAITS_BEFORE ? walk->next_wait - WAITS_BEFORE : 0;
    return launch - launches->items[low - 1].end - covered(&waits, launches->items[low - 1].end, launch, &wait) >
           walk->absence;
}

/* ---- One gap -------------------------------------------------------------------------------------------------------- */

/* Waits that ended by then: a host that had not waited would be ahead by all of that, until gaps have used it up. The longest of them answers. */
static void count_waits(struct walk *walk, int64_t time, struct gpu_cost *cost)
{
    int64_t best = 0;

    for (; walk->next_wait < walk->waits.count && walk->waits.items[walk->next_wait].end <= time; walk->next_wait++) {
        const struct host_span *wait = &walk->waits.items[walk->next_wait];

        walk->owed += wait->end - wait->start;
        if (wait->end - wait->start > best) {
            best = wait->end - wait->start;
            walk->last_wait = wait->piece;
        }
    }
    cost->wait = walk->last_wait;
    if (cost->wait != NO_ID && piece_at(walk->model->pieces, cost->wait)->up == NO_ID)
        cost->where = function_at(walk, piece_at(walk->model->pieces, cost->wait)->start);
}

/* The same of nodes that the host computed itself, with the copies for them. */
static void count_fallbacks(struct walk *walk, int64_t time, struct gpu_cost *cost)
{
    const struct host_spans *spans = &walk->fallbacks;

    for (; walk->next_fallback < spans->count && spans->items[walk->next_fallback].end <= time; walk->next_fallback++) {
        const struct host_span *span = &spans->items[walk->next_fallback];

        if (piece_at(walk->model->pieces, span->piece)->kind == GPU_NODE) {
            walk->owed_fallback += span->end - span->start;
            walk->last_fallback = span->piece;
        }
    }
    cost->fallback = walk->last_fallback;
}

/* Of [start, end) what the host spent on the next input: it says so, or nothing was launched yet in this run, or not for a long time before `began`, when
 * the operator began that launches the next work: inside that one the host is slow, and makes no input. */
static int64_t input_in(struct walk *walk, int64_t start, int64_t end, int64_t began, struct gpu_cost *cost)
{
    uint32_t loader = NO_ID, op = NO_ID, wait = NO_ID;
    int64_t told = covered(&walk->inputs, start, end, &loader), first = before_first(walk, start, end);
    int64_t waits = covered(&walk->waits, start, end, &wait), most = least(began, end) - start;

    cost->first = first > 0;
    if (first < most && is_absent(walk, began))
        first = most;
    first = first > waits ? first - waits : 0;
    first = told > first ? told : first;
    if ((float)first <= cost->gaps[GAP_INPUT]) /* nothing, or less than in the run before, which the gap began in */
        return first;
    cost->where = function_at(walk, start + (end - start) / 2);
    cost->input = 2 * covered(&walk->operators, start, end, &op) > end - start ? op : cost->where;
    if (loader != NO_ID)
        cost->input = loader;
    return first;
}

static bool is_copy(const struct walk *walk, const struct gpu_piece *work, const char *const ways[2])
{
    struct text name = strings_get(walk->model->pieces->strings, work->name);

    return work->kind == GPU_COPY && (text_contains(name, ways[0]) || text_contains(name, ways[1]));
}

/* Whether the host computed a part of the model in a gap: in this run it had fetched about as much as it brings back with the work behind. A value that is
 * looked at is far smaller than an input. */
static bool is_part_of_model(const struct walk *walk, const struct gpu_piece *work, const struct gpu_cost *cost)
{
    static const char *const to_device[] = { "HtoD", "H2D" };
    const struct pieces *pieces = walk->model->pieces;

    return walk->model->profile->runs.source != INFERENCES_NONE && cost->input != NO_ID &&
           piece_is_operator(piece_at(pieces, cost->input)) && is_copy(walk, work, to_device) &&
           walk->fetched >= FETCHED_LEAST && piece_form(pieces, work)->bytes <= FETCHED_FACTOR * walk->fetched;
}

/* [start, end) of one window; `launch` is when the work behind it was launched, `began` when the operator of that began. */
static void share_out(struct walk *walk, int64_t start, int64_t end, const struct gpu_piece *work, int64_t before,
                      struct gpu_cost *cost)
{
    const struct pieces *pieces = walk->model->pieces;
    int64_t launch = piece_launched(pieces, work), began = outermost_start(pieces, piece_launch(pieces, work));
    int64_t host = launch < start ? start : launch > end ? end : launch;
    int64_t input, waits, held, fallback, left, blame;
    uint32_t wait = NO_ID, copy = NO_ID, node = NO_ID;
    bool part;

    if (launch <= start) {
        cost->gaps[GAP_SPACE] += (float)(end - start);
        return;
    }
    fallback = covered(&walk->fallbacks, start, host, &node);
    input = least(input_in(walk, start, host, began, cost), host - start - fallback);
    part = input > 0 && is_part_of_model(walk, work, cost);
    waits = least(covered(&walk->waits, start, host, &wait), host - start - fallback - input);
    held = least(covered(&walk->held, start, host, &copy), host - start - fallback - input - waits);
    left = end - start - fallback - input - waits - held;
    count_fallbacks(walk, host, cost);
    walk->owed_fallback -= fallback;
    blame = walk->owed_fallback < 0 ? 0 : least(walk->owed_fallback, left);
    walk->owed_fallback -= blame;
    cost->gaps[GAP_FALLBACK] += (float)(fallback + blame);
    left -= blame;
    blame = least(ended(&walk->held, before, host, &copy), left);
    cost->gaps[GAP_COPY] += (float)(held + blame);
    left -= blame;
    count_waits(walk, host, cost);
    walk->owed -= waits;
    blame = cost->class == WORK_SMALL ? ended(&walk->waits, before, host, &wait) : walk->owed;
    blame = blame < 0 ? 0 : least(blame, left);
    walk->owed -= blame;
    cost->gaps[GAP_WAIT] += (float)(waits + blame);
    /* An operator that takes as long as many launches is slow by itself, however short its kernel is. */
    cost->gaps[cost->class == WORK_SMALL && left - blame <= walk->absence ? GAP_SMALL : GAP_LAUNCH] +=
        (float)(left - blame);
    cost->gaps[part ? GAP_FALLBACK : walk->model->framework->waits_in_run ? GAP_OTHER : GAP_INPUT] += (float)input;
    if (part)
        cost->fallback = cost->input;
}

/* The gap between two moments, cut to the windows that it lies in; `work` ends it. */
static void add_gap(struct walk *walk, int64_t start, int64_t end, size_t work, int64_t before)
{
    const struct pieces *pieces = walk->model->pieces;
    const struct gpu_piece *launch = piece_launch(pieces, piece_of_work(pieces, work));
    struct gpu_cost *cost = &walk->model->costs[work];

    for (size_t i = walk->window; i < pieces->window_count && start < end; i++) {
        int64_t stop = least(end, pieces->windows[i].end);

        if (start < pieces->windows[i].start)
            start = pieces->windows[i].start;
        if (start >= stop)
            continue;
        walk->window = i;
        if (launch)
            share_out(walk, start, stop, piece_of_work(pieces, work), before, cost);
        else
            cost->gaps[GAP_OTHER] += (float)(stop - start);
        start = stop;
    }
    for (unsigned i = 0; i < GAP_REASONS; i++)
        walk->model->gaps[i] += cost->gaps[i];
}

/* What the host has of the device in a run. */
static void note_fetched(struct walk *walk, const struct gpu_piece *work)
{
    static const char *const to_host[] = { "DtoH", "D2H" };
    double bytes = piece_form(walk->model->pieces, work)->bytes;
    size_t window = pieces_window(walk->model->pieces, work->start);

    if (window != walk->fetched_in)
        walk->fetched = 0;
    walk->fetched_in = window;
    if (bytes > 0 && is_copy(walk, work, to_host))
        walk->fetched = bytes;
}

static void walk_gaps(struct walk *walk)
{
    const struct pieces *pieces = walk->model->pieces;
    int64_t end = INT64_MIN, before = INT64_MIN;

    for (size_t i = 0; i < pieces->work_count; i++)
        walk->model->costs[i].wait = walk->model->costs[i].where = walk->model->costs[i].input =
            walk->model->costs[i].fallback = NO_ID;
    for (size_t i = 0; i < pieces->work_count; i++) {
        const struct gpu_piece *work = piece_of_work(pieces, i), *launch = piece_launch(pieces, work);

        if (end == INT64_MIN) { /* from the begin of the first run on */
            end = pieces->windows[0].start != INT64_MIN ? pieces->windows[0].start : work->start;
            before = end;
            while (walk->next_wait < walk->waits.count && walk->waits.items[walk->next_wait].end <= end)
                walk->next_wait++;
        }
        if (work->start > end)
            add_gap(walk, end, work->start, i, before);
        if (launch && piece_launched(pieces, work) > before)
            before = piece_launched(pieces, work);
        note_fetched(walk, work);
        end = work->end > end ? work->end : end;
    }
}

status gpu_model_gaps(struct gpu_model *model)
{
    struct walk walk = { .model = model, .last_wait = NO_ID, .last_fallback = NO_ID };
    status code = collect(model, &walk.waits, fits_wait);

    if (code == STATUS_OK)
        widen_waits(model, &walk.waits);
    if (code == STATUS_OK)
        code = collect(model, &walk.inputs, fits_input);
    if (code == STATUS_OK)
        code = collect(model, &walk.functions, fits_function);
    if (code == STATUS_OK)
        code = collect(model, &walk.operators, fits_operator);
    if (code == STATUS_OK)
        code = collect(model, &walk.launches, fits_launch);
    if (code == STATUS_OK)
        code = collect(model, &walk.fallbacks, fits_fallback);
    if (code == STATUS_OK)
        code = find_absence(&walk);
    if (code == STATUS_OK)
        code = collect_held(model, &walk.held);
    if (code == STATUS_OK)
        code = find_first_launches(&walk);
    if (code == STATUS_OK)
        walk_gaps(&walk);
    memory_free(walk.waits.items);
    memory_free(walk.inputs.items);
    memory_free(walk.held.items);
    memory_free(walk.fallbacks.items);
    memory_free(walk.functions.items);
    memory_free(walk.operators.items);
    memory_free(walk.launches.items);
    memory_free(walk.first_launches);
    return code;
}
