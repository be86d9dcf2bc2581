/* work.c: pieces of work by kind, cut to the runs that count. */
#include "torq/work.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/number.h"
#include "torq/events.h"

void work_start(struct work *work, struct strings *strings, bool measured)
{
    *work = (struct work){ .strings = strings, .measured = measured };
    column_start(&work->tracks, sizeof(struct track));
    column_start(&work->kinds, sizeof(struct work_kind));
    column_start(&work->sizes, sizeof(int64_t));
}

void work_free(struct work *work)
{
    column_free(&work->tracks);
    column_free(&work->kinds);
    column_free(&work->sizes);
    map_free(&work->by_key);
    memory_free(work->opens);
    memory_free(work->pieces);
    memory_free(work->windows);
    work_start(work, work->strings, work->measured);
}

/* ---- Reading ---- */

static status on_track(void *self, const struct track *track)
{
    struct work *work = self;
    struct track *kept = column_append(&work->tracks);

    if (!kept)
        return status_no_memory("keeping a track");
    assert(track->id == work->tracks.count - 1 && "ids of tracks are dense");
    *kept = *track;
    if (track->id)
        return STATUS_OK;
    if (strings_add_text(work->strings, torq_event_name(TORQ_EVENT_NSS_START), &work->start_name) != STATUS_OK)
        return status_no_memory("keeping a track");
    return torq_keys_start(&work->keys, work->strings);
}

/* What a slice is; WORK_CLASSES: nothing that is kept. */
static enum work_class class_of(const struct work *work, const struct slice *slice)
{
    const struct track *track = column_at(&work->tracks, slice->track);
    const struct engine *engine = track->engine;

    assert(slice->track < work->tracks.count);
    switch (track->kind == TRACK_SLICES ? engine_group(engine) : GROUP_DRAWN) {
    case GROUP_JOB:
        return WORK_JOB;
    case GROUP_HOST:
        return engine == &torq_engine_host_copy ? WORK_COPY : WORK_HOST;
    case GROUP_COMPUTE:
        return work->measured ? WORK_CLASSES : engine == &torq_engine_css ? WORK_CSS : WORK_SLICE;
    case GROUP_TRANSFER:
        if (work->measured)
            return WORK_CLASSES;
        return engine == &torq_engine_dma_in ? WORK_IN : engine == &torq_engine_dma_out ? WORK_OUT : WORK_CDMA;
    case GROUP_BOOKKEEPING:
        return work->measured ? WORK_CALL : WORK_CLASSES;
    case GROUP_ENVELOPE:
        return engine == &torq_engine_runtime ? WORK_CALL : WORK_CLASSES;
    default:
        return WORK_CLASSES;
    }
}

static bool is_same(const struct work_kind *one, const struct work_kind *other)
{
    return one->track == other->track && one->op == other->op && one->name == other->name &&
           one->dispatch == other->dispatch && one->job == other->job && one->class == other->class;
}

static status find_kind(struct work *work, const struct work_kind *key, uint32_t *index)
{
    uint64_t hash = map_mix(map_mix((uint64_t)key->track << 32 | key->op, (uint64_t)key->name << 32 | key->dispatch),
                            key->job ? key->job->index : NO_ID);
    struct work_kind *kind;
    size_t cursor;

    for (*index = map_first(&work->by_key, hash, &cursor); *index != MAP_NONE;
         *index = map_next(&work->by_key, hash, &cursor))
        if (is_same(work_kind(work, *index), key))
            return STATUS_OK;
    *index = (uint32_t)work->kinds.count;
    kind = column_append(&work->kinds);
    if (!kind)
        return status_no_memory("keeping work");
    *kind = *key;
    return map_add(&work->by_key, hash, *index);
}

/* The slice of an action names its dispatch, and comes right before that of the job or program that it starts. */
static void hear_dispatch(struct work *work, const struct slice *slice)
{
    const struct track *track = column_at(&work->tracks, slice->track);
    const struct argument *dispatch = argument_find(slice->arguments, slice->argument_count, work->keys.dispatch);

    if (dispatch && dispatch->type == ARGUMENT_TEXT && track->engine != &torq_engine_hal)
        work->dispatch = dispatch->text;
}

static status keep_bytes(struct work *work, int64_t bytes, uint32_t *size)
{
    int64_t *kept = column_append(&work->sizes);

    if (!kept)
        return status_no_memory("keeping work");
    *kept = bytes;
    *size = (uint32_t)(work->sizes.count - 1);
    return STATUS_OK;
}

/* What a job is called beside its operator and its dispatch, which have their own places here: its program, else its action; its number
 * where it has none of all these. */
static status own_name(struct work *work, const struct slice *slice, enum work_class class, string_id *name)
{
    const struct argument *program = argument_find(slice->arguments, slice->argument_count, work->keys.program);
    const struct argument *action = argument_find(slice->arguments, slice->argument_count, work->keys.start_action);
    const struct argument *job = argument_find(slice->arguments, slice->argument_count, work->keys.job);

    if (!action)
        action = argument_find(slice->arguments, slice->argument_count, work->keys.wait_action);
    *name = program ? program->text : slice->name;
    if (class == WORK_JOB && !program && !action && job && slice->op == NO_ID)
        return strings_add_format(work->strings, name, "%s %lld", strings_text(work->strings, slice->name),
                                  (long long)job->integer);
    if (program || !action || !work->dispatch || slice->name != work->dispatch)
        return STATUS_OK;
    return strings_add_format(work->strings, name, "action %lld", (long long)action->integer);
}

/* `*piece` is 0 where nothing is kept of the slice, else one more than its index. */
static status begin(struct work *work, const struct slice *slice, uint32_t *piece)
{
    enum work_class class = class_of(work, slice);
    const struct track *track = column_at(&work->tracks, slice->track);
    struct work_kind key = { .class = class, .track = slice->track, .op = slice->op };
    struct work_piece added = { .start = slice->start, .end = slice->start, .size = NO_ID };
    bool moves = class == WORK_IN || class == WORK_OUT || class == WORK_CDMA;
    uint32_t kind = 0;
    status code;

    *piece = 0;
    hear_dispatch(work, slice);
    if (class == WORK_CLASSES)
        return STATUS_OK;
    if (class >= WORK_JOB) {
        code = own_name(work, slice, class, &key.name);
        if (code != STATUS_OK)
            return code;
        key.dispatch = track->engine == &torq_engine_hal ? 0 : work->dispatch;
    }
    if (class == WORK_JOB)
        key.job = work->told;
    code = find_kind(work, &key, &kind);
    if (code == STATUS_OK && moves && slice_bytes(slice) > 0)
        code = keep_bytes(work, slice_bytes(slice), &added.size);
    if (code == STATUS_OK)
        code = memory_grow(&work->pieces, &work->capacity, work->count + 1, sizeof *work->pieces);
    if (code != STATUS_OK)
        return code;
    added.kind = kind & INT32_MAX;
    work->pieces[work->count++] = added;
    *piece = (uint32_t)work->count;
    return STATUS_OK;
}

static status on_slice(void *self, const struct slice *slice)
{
    struct work *work = self;
    uint32_t piece;
    status code = begin(work, slice, &piece);

    if (code == STATUS_OK && piece)
        work->pieces[piece - 1].end = slice->end;
    return code;
}

static status on_begin(void *self, open_id id, open_id parent, const struct slice *slice)
{
    struct work *work = self;
    status code = memory_grow(&work->opens, &work->open_capacity, (size_t)id + 1, sizeof *work->opens);

    (void)parent;
    return code == STATUS_OK ? begin(work, slice, &work->opens[id]) : code;
}

/* The slice of a job comes right behind that of the call that starts it. One that has ended already stays as it is. */
static void start_job(struct work *work, uint32_t call, int64_t time)
{
    struct work_piece *job = &work->pieces[call + 1];

    if (work_kind_of(work, call)->name != work->start_name || call + 1 == work->count ||
        work_kind_of(work, call + 1)->class != WORK_JOB || job->start != work->pieces[call].start ||
        job->end > job->start)
        return;
    job->start = job->end = time;
    work->starts_apart = true;
}

static status on_end(void *self, open_id id, int64_t time)
{
    struct work *work = self;
    struct work_piece *piece;

    assert(id < work->open_capacity);
    if (!work->opens[id])
        return STATUS_OK;
    piece = &work->pieces[work->opens[id] - 1];
    piece->end = time > piece->start ? time : piece->start;
    if (work_kind(work, piece->kind)->class == WORK_CALL)
        start_job(work, work->opens[id] - 1, piece->end);
    return STATUS_OK;
}

static const struct sink_calls work_calls = {
    .track = on_track,
    .slice = on_slice,
    .begin = on_begin,
    .end = on_end,
};

struct sink work_sink(struct work *work)
{
    return (struct sink){ &work_calls, work };
}

void work_listen(struct work *work, struct source *source)
{
    assert(work->tracks.element_size && "work is started before it listens");
    source_add_companion(source, WORK_ROLE, work);
}

/* ---- Settling ---- */

/* By start; at the same time the longer one first, which may hold the other. */
static int by_start(const void *one, const void *other)
{
    const struct work_piece *a = one, *b = other;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->end != b->end)
        return a->end > b->end ? -1 : 1;
    return (a->kind > b->kind) - (a->kind < b->kind);
}

/* Logs are in order as a rule: what holds others begins before them, also at the same time. */
static void sort_pieces(struct work *work)
{
    for (size_t i = 1; i < work->count; i++)
        if (work->pieces[i].start < work->pieces[i - 1].start) {
            qsort(work->pieces, work->count, sizeof *work->pieces, by_start);
            return;
        }
}

/* A call in whose time another piece of work lies stands for that one; it is no work of its own. */
static bool holds_next(const struct work *work, size_t index)
{
    const struct work_piece *piece = &work->pieces[index], *next = piece + 1;

    return index + 1 < work->count && work_kind(work, piece->kind)->class == WORK_CALL && next->start < piece->end &&
           next->end <= piece->end;
}

static status take_windows(struct work *work, const struct intervals *windows, struct interval whole)
{
    size_t count = windows ? (size_t)intervals_count(windows) : 1;
    struct intervals_cursor cursor;

    work->windows = memory_allocate((count + 1) * sizeof *work->windows);
    if (!work->windows)
        return status_no_memory("keeping runs");
    if (windows) {
        intervals_start(&cursor, windows);
        while (work->window_count < count && intervals_next(&cursor, &work->windows[work->window_count]))
            work->window_count++;
    } else if (whole.end > whole.start) {
        work->windows[work->window_count++] = whole;
    }
    return STATUS_OK;
}

/* What of a piece lies in the windows from the first that ends behind its start on. False: nothing. */
static bool add_up(struct work *work, const struct work_piece *piece, size_t window)
{
    struct work_kind *kind = work_kind(work, piece->kind);
    int64_t from = kind->ticks && kind->end > piece->start ? kind->end : piece->start;
    bool touches = false;

    for (; window < work->window_count && work->windows[window].start <= piece->end; window++) {
        const struct interval *run = &work->windows[window];
        int64_t start = from > run->start ? from : run->start, end = piece->end < run->end ? piece->end : run->end;

        if (piece->start >= run->start && !piece->envelope) {
            kind->count++;
            kind->bytes = number_add(kind->bytes, work_bytes(work, (uint32_t)(piece - work->pieces)));
            kind->unsized += piece->size == NO_ID;
        }
        touches |= piece->start < end && run->start < piece->end;
        if (end <= start || piece->envelope)
            continue;
        kind->ticks += end - start;
        kind->end = end;
    }
    return touches;
}

status work_settle(struct work *work, const struct intervals *windows, struct interval whole)
{
    size_t kept = 0, window = 0;
    status code = take_windows(work, windows, whole);

    if (code != STATUS_OK)
        return code;
    sort_pieces(work);
    for (size_t i = 0; i < work->count; i++)
        work->pieces[i].envelope = holds_next(work, i);
    for (size_t i = 0; i < work->count; i++) {
        while (window < work->window_count && work->windows[window].end <= work->pieces[i].start)
            window++;
        if (add_up(work, &work->pieces[i], window))
            work->pieces[kept++] = work->pieces[i];
    }
    work->count = kept;
    return STATUS_OK;
}

/* ---- Walking ---- */

/* The pieces of one class that run, the newest on top. One below another ends later: one that does not is never the newest again. */
struct stack {
    uint32_t *pieces;       /* by start */
    size_t count, capacity; /* of these */
};

struct walk {
    const struct work *work;          /* that is walked through */
    struct stack stacks[WORK_STACKS]; /* what runs now */
    uint32_t newest[WORK_STACKS];     /* on top of these */
    size_t next;                      /* piece that has not begun */
};

static void end_pieces(struct walk *walk, unsigned class, int64_t now)
{
    struct stack *stack = &walk->stacks[class];

    while (stack->count && walk->work->pieces[stack->pieces[stack->count - 1]].end <= now)
        stack->count--;
    walk->newest[class] = stack->count ? stack->pieces[stack->count - 1] : NO_ID;
}

static status begin_piece(struct walk *walk)
{
    const struct work_piece *piece = &walk->work->pieces[walk->next];
    unsigned class = piece->envelope ? WORK_ENVELOPE : work_kind(walk->work, piece->kind)->class;
    struct stack *stack = &walk->stacks[class];
    status code = memory_grow(&stack->pieces, &stack->capacity, stack->count + 1, sizeof *stack->pieces);

    if (code != STATUS_OK)
        return code;
    end_pieces(walk, class, piece->end);
    stack->pieces[stack->count++] = walk->newest[class] = (uint32_t)walk->next++;
    return STATUS_OK;
}

/* One run: from one change of what is newest to the next. */
static status walk_window(struct walk *walk, const struct interval *window, work_call *call, void *context)
{
    const struct work *work = walk->work;
    status code = STATUS_OK;

    for (int64_t now = window->start; now < window->end && code == STATUS_OK;) {
        int64_t next = window->end;
        bool first = now == window->start;

        while (walk->next < work->count && work->pieces[walk->next].start <= now && code == STATUS_OK)
            code = begin_piece(walk);
        for (unsigned i = 0; i < WORK_STACKS; i++) {
            end_pieces(walk, i, now);
            if (walk->newest[i] != NO_ID && work->pieces[walk->newest[i]].end < next)
                next = work->pieces[walk->newest[i]].end;
        }
        if (walk->next < work->count && work->pieces[walk->next].start < next)
            next = work->pieces[walk->next].start;
        if (code == STATUS_OK)
            call(context, &(struct work_stretch){ next - now, walk->newest, first });
        now = next;
    }
    return code;
}

status work_walk(const struct work *work, work_call *call, void *context)
{
    struct walk walk = { .work = work };
    status code = STATUS_OK;

    for (size_t i = 0; i < work->window_count && code == STATUS_OK; i++)
        code = walk_window(&walk, &work->windows[i], call, context);
    for (unsigned i = 0; i < WORK_STACKS; i++)
        memory_free(walk.stacks[i].pieces);
    return code;
}
