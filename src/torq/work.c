/* work.c: pieces of work by kind, cut to the runs that count. */
#include "torq/work.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/number.h"

void work_start(struct work *work, struct strings *strings, bool measured)
{
    *work = (struct work){ .strings = strings, .measured = measured };
    column_start(&work->tracks, sizeof(struct track));
    column_start(&work->kinds, sizeof(struct work_kind));
    column_start(&work->read, sizeof(struct work_piece));
}

void work_free(struct work *work)
{
    column_free(&work->tracks);
    column_free(&work->kinds);
    column_free(&work->read);
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
        return WORK_CALL;
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

static status begin(struct work *work, const struct slice *slice, struct work_piece **piece)
{
    enum work_class class = class_of(work, slice);
    const struct track *track = column_at(&work->tracks, slice->track);
    struct work_kind key = { .class = class, .track = slice->track, .op = slice->op };
    status code;

    *piece = NULL;
    hear_dispatch(work, slice);
    if (class == WORK_CLASSES)
        return STATUS_OK;
    if (class >= WORK_JOB) {
        key.name = slice->name;
        key.dispatch = track->engine == &torq_engine_hal ? 0 : work->dispatch;
    }
    if (class == WORK_JOB)
        key.job = work->told;
    *piece = column_append(&work->read);
    if (!*piece)
        return status_no_memory("keeping work");
    code = find_kind(work, &key, &(*piece)->kind);
    (*piece)->start = slice->start;
    (*piece)->end = slice->start;
    (*piece)->bytes = class == WORK_IN || class == WORK_OUT || class == WORK_CDMA ? slice_bytes(slice) : 0;
    return code;
}

static status on_slice(void *self, const struct slice *slice)
{
    struct work_piece *piece;
    status code = begin(self, slice, &piece);

    if (code == STATUS_OK && piece)
        piece->end = slice->end;
    return code;
}

static status on_begin(void *self, open_id id, open_id parent, const struct slice *slice)
{
    struct work *work = self;
    struct work_piece *piece;
    status code = memory_grow(&work->opens, &work->open_capacity, (size_t)id + 1, sizeof *work->opens);

    (void)parent;
    if (code == STATUS_OK)
        code = begin(work, slice, &piece);
    if (code == STATUS_OK)
        work->opens[id] = piece ? (uint32_t)work->read.count : 0;
    return code;
}

static status on_end(void *self, open_id id, int64_t time)
{
    struct work *work = self;

    assert(id < work->open_capacity);
    if (work->opens[id]) {
        struct work_piece *piece = column_at(&work->read, work->opens[id] - 1);

        piece->end = time > piece->start ? time : piece->start;
    }
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

/* ---- Cutting ---- */

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

/* A call in whose time another piece of work lies stands for that one; it is no work of its own. */
static bool holds_others(const struct work *work, const struct work_piece *piece, const struct work_piece *next)
{
    return work_kind(work, piece->kind)->class == WORK_CALL && next->start < piece->end && next->end <= piece->end;
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

/* Takes what was read into one array, by start, without calls that hold others. */
static status take_pieces(struct work *work, struct work_piece **sorted, size_t *count)
{
    size_t read = work->read.count, kept = 0;
    struct work_piece *pieces = memory_allocate((read + 1) * sizeof *pieces);

    if (!pieces)
        return status_no_memory("sorting work");
    for (size_t i = 0; i < read; i++)
        pieces[i] = *(const struct work_piece *)column_at(&work->read, i);
    column_free(&work->read);
    column_start(&work->read, sizeof(struct work_piece));
    if (read)
        qsort(pieces, read, sizeof *pieces, by_start);
    for (size_t i = 0; i < read; i++)
        if (i + 1 == read || !holds_others(work, &pieces[i], &pieces[i + 1]))
            pieces[kept++] = pieces[i];
    *sorted = pieces;
    *count = kept;
    return STATUS_OK;
}

static void add_up(struct work *work, const struct work_piece *piece)
{
    struct work_kind *kind = work_kind(work, piece->kind);
    int64_t from = kind->ticks && kind->end > piece->start ? kind->end : piece->start;

    if (piece->begins) {
        kind->count++;
        kind->bytes = number_add(kind->bytes, piece->bytes);
        kind->unsized += piece->bytes <= 0;
    }
    if (piece->end <= from)
        return;
    kind->ticks += piece->end - from;
    kind->end = piece->end;
}

/* What of a piece lies in the windows from the first that ends behind its start on; an empty one in the window where it starts. */
static status cut_piece(struct work *work, const struct work_piece *piece, size_t window, size_t *capacity)
{
    for (; window < work->window_count; window++) {
        const struct interval *run = &work->windows[window];
        struct work_piece cut = *piece;
        status code;

        if (run->start > piece->end || (run->start == piece->end && piece->start < piece->end))
            break;
        cut.begins = piece->start >= run->start && piece->start < run->end;
        cut.start = piece->start > run->start ? piece->start : run->start;
        cut.end = piece->end < run->end ? piece->end : run->end;
        if (cut.start > cut.end)
            continue;
        add_up(work, &cut);
        if (cut.start == cut.end)
            continue;
        code = memory_grow(&work->pieces, capacity, work->count + 1, sizeof *work->pieces);
        if (code != STATUS_OK)
            return code;
        work->pieces[work->count++] = cut;
    }
    return STATUS_OK;
}

status work_settle(struct work *work, const struct intervals *windows, struct interval whole)
{
    struct work_piece *sorted = NULL;
    size_t count = 0, capacity = 0, window = 0;
    status code = take_windows(work, windows, whole);

    if (code == STATUS_OK)
        code = take_pieces(work, &sorted, &count);
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        while (window < work->window_count && work->windows[window].end <= sorted[i].start)
            window++;
        code = cut_piece(work, &sorted[i], window, &capacity);
    }
    memory_free(sorted);
    /* Long pieces were cut at windows that begin behind other pieces. */
    if (code == STATUS_OK && work->count)
        qsort(work->pieces, work->count, sizeof *work->pieces, by_start);
    return code;
}

/* ---- Walking ---- */

struct end {
    int64_t time;   /* ticks */
    uint32_t piece; /* that ends then */
};

static int by_time(const void *one, const void *other)
{
    const struct end *a = one, *b = other;

    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return (a->piece > b->piece) - (a->piece < b->piece);
}

static void open_piece(struct work *work, uint32_t *newest, uint32_t index)
{
    struct work_piece *piece = &work->pieces[index];
    uint32_t *head = &newest[work_kind_of(work, index)->class];

    piece->older = *head;
    piece->newer = NO_ID;
    if (*head != NO_ID)
        work->pieces[*head].newer = index;
    *head = index;
}

static void close_piece(struct work *work, uint32_t *newest, uint32_t index)
{
    const struct work_piece *piece = &work->pieces[index];

    if (piece->older != NO_ID)
        work->pieces[piece->older].newer = piece->newer;
    if (piece->newer != NO_ID)
        work->pieces[piece->newer].older = piece->older;
    else
        newest[work_kind_of(work, index)->class] = piece->older;
}

/* One run: from start or end of a piece to the next. */
static void walk_window(struct work *work, const struct interval *window, const struct end *ends, size_t *at_start,
                        size_t *at_end, uint32_t *newest, work_call *call, void *context)
{
    bool first = true;

    for (int64_t now = window->start; now < window->end;) {
        int64_t next = window->end;

        while (*at_end < *at_start && ends[*at_end].time <= now)
            close_piece(work, newest, ends[(*at_end)++].piece);
        while (*at_start < work->count && work->pieces[*at_start].start <= now)
            open_piece(work, newest, (uint32_t)(*at_start)++);
        if (*at_start < work->count && work->pieces[*at_start].start < next)
            next = work->pieces[*at_start].start;
        if (*at_end < *at_start && ends[*at_end].time < next)
            next = ends[*at_end].time;
        call(context, &(struct work_stretch){ next - now, newest, first });
        first = false;
        now = next;
    }
    for (; *at_end < *at_start; (*at_end)++)
        close_piece(work, newest, ends[*at_end].piece);
}

status work_walk(struct work *work, work_call *call, void *context)
{
    struct end *ends = memory_allocate((work->count + 1) * sizeof *ends);
    size_t at_start = 0, at_end = 0;
    uint32_t newest[WORK_CLASSES];

    if (!ends)
        return status_no_memory("looking through work");
    for (size_t i = 0; i < work->count; i++)
        ends[i] = (struct end){ work->pieces[i].end, (uint32_t)i };
    if (work->count)
        qsort(ends, work->count, sizeof *ends, by_time);
    for (unsigned i = 0; i < WORK_CLASSES; i++)
        newest[i] = NO_ID;
    for (size_t i = 0; i < work->window_count; i++)
        walk_window(work, &work->windows[i], ends, &at_start, &at_end, newest, call, context);
    memory_free(ends);
    return STATUS_OK;
}
