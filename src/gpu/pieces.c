/* pieces.c: keeps what a host and its devices did. */
#include "gpu/pieces.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "gpu/chain.h"

/* What is known of a track. */
struct gpu_line {
    enum gpu_kind kind; /* of its slices */
    track_id thread;    /* whose line it is */
    clock_id clock;     /* NO_ID: nanoseconds */
    uint32_t top;       /* of a thread: the operator that was begun last; NO_ID: none */
};

static struct gpu_line *line_at(const struct pieces *pieces, track_id id)
{
    return column_at(&pieces->tracks, id);
}

/* ---- Arguments ------------------------------------------------------------------------------------------------------ */

static bool parse(struct text text, double *value)
{
    return text.length && number_parse_decimal(text.data, text.length, value);
}

static double number_of(const struct pieces *pieces, const struct slice *slice, string_id key)
{
    const struct argument *found = argument_find(slice->arguments, slice->argument_count, key);
    double value = NAN;

    if (!found)
        return NAN;
    switch (found->type) {
    case ARGUMENT_INTEGER:
        return (double)found->integer;
    case ARGUMENT_UNSIGNED:
        return (double)found->natural;
    case ARGUMENT_DECIMAL:
        return found->decimal;
    case ARGUMENT_TEXT:
        return parse(strings_get(pieces->strings, found->text), &value) ? value : NAN;
    default:
        return NAN;
    }
}

static string_id text_of_key(const struct slice *slice, string_id key)
{
    const struct argument *found = argument_find(slice->arguments, slice->argument_count, key);

    return found && found->type == ARGUMENT_TEXT ? found->text : 0;
}

/* Of [4, 2, 1] 8. */
static double product_of(const struct pieces *pieces, const struct slice *slice, string_id key)
{
    const struct argument *found = argument_find(slice->arguments, slice->argument_count, key);
    struct text rest;
    double product = 1, value;

    if (!found || (found->type != ARGUMENT_JSON && found->type != ARGUMENT_TEXT))
        return NAN;
    rest = text_trim(strings_get(pieces->strings, found->text));
    if (!text_cut_start(&rest, "[") || !text_cut_end(&rest, "]"))
        return NAN;
    while (rest.data) {
        if (!parse(text_trim(text_take(&rest, ',')), &value))
            return NAN;
        product *= value;
    }
    return product;
}

/* Bytes of an element of a type, as PyTorch writes it; NAN: none that is known. */
static double size_of(struct text type)
{
    static const struct {
        const char *name; /* of the type */
        double size;      /* bytes */
    } types[] = {
        { "Byte", 1 },        { "Char", 1 },     { "Bool", 1 },         { "Short", 2 },
        { "Half", 2 },        { "BFloat16", 2 }, { "Int", 4 },          { "Float", 4 },
        { "ComplexHalf", 4 }, { "Long", 8 },     { "Double", 8 },       { "UInt16", 2 },
        { "UInt32", 4 },      { "UInt64", 8 },   { "ComplexFloat", 8 }, { "ComplexDouble", 16 },
    };

    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (text_is(type, types[i].name))
            return types[i].size;
    return text_begins(type, "Float8_") ? 1 : NAN;
}

/* What a collective moves: the larger of what goes in and what comes out, as of an all-gather or a reduce-scatter. */
static double message_of(const struct pieces *pieces, const struct slice *slice, double sent)
{
    double received = number_of(pieces, slice, pieces->keys.received);
    string_id type = text_of_key(slice, pieces->keys.type);

    return fmax(sent, received) * (type ? size_of(strings_get(pieces->strings, type)) : NAN);
}

static status keep_form(struct pieces *pieces, const struct slice *slice, struct gpu_piece *piece)
{
    const struct gpu_keys *keys = &pieces->keys;
    struct gpu_form form = {
        .blocks = product_of(pieces, slice, keys->grid),
        .threads = product_of(pieces, slice, keys->block),
        .per_processor = number_of(pieces, slice, keys->per_processor),
        .occupancy = number_of(pieces, slice, keys->occupancy),
        .bytes = number_of(pieces, slice, keys->bytes),
        .collective = text_of_key(slice, keys->collective),
        .type = text_of_key(slice, keys->type),
        .elements = number_of(pieces, slice, keys->elements),
        .group = number_of(pieces, slice, keys->group),
    };
    struct gpu_form *kept = column_append(&pieces->forms);

    form.message = piece->kind == GPU_COLLECTIVE ? message_of(pieces, slice, form.elements) : NAN;

    if (!kept)
        return status_no_memory("keeping what a device did");
    *kept = form;
    piece->form = (uint32_t)pieces->forms.count - 1;
    return STATUS_OK;
}

/* ---- The sink ------------------------------------------------------------------------------------------------------- */

static enum gpu_kind kind_of(const struct engine *engine)
{
    static const struct {
        const struct engine *engine; /* of a line */
        enum gpu_kind kind;          /* of what is on it */
    } kinds[] = {
        { &gpu_engine_kernel, GPU_KERNEL },
        { &gpu_engine_collective, GPU_COLLECTIVE },
        { &gpu_engine_copy, GPU_COPY },
        { &gpu_engine_set, GPU_SET },
        { &gpu_engine_operator, GPU_OPERATOR },
        { &gpu_engine_node, GPU_NODE },
        { &gpu_engine_provided, GPU_PROVIDED },
        { &gpu_engine_launch, GPU_LAUNCH },
        { &gpu_engine_call, GPU_CALL },
        { &gpu_engine_wait, GPU_WAIT },
        { &gpu_engine_annotation, GPU_ANNOTATION },
        { &gpu_engine_python, GPU_FUNCTION },
    };

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (engine == kinds[i].engine)
            return kinds[i].kind;
    return GPU_KINDS;
}

static status take_clock(void *self, clock_id id, const struct clock *clock)
{
    struct pieces *pieces = self;
    struct clock *kept = column_append(&pieces->clocks);

    (void)id;
    assert(id + 1 == pieces->clocks.count || !kept);
    if (!kept)
        return status_no_memory("keeping what a device did");
    *kept = *clock;
    return STATUS_OK;
}

static status take_track(void *self, const struct track *track)
{
    struct pieces *pieces = self;
    struct gpu_line *line = column_append(&pieces->tracks);

    assert(track->id + 1 == pieces->tracks.count || !line);
    if (!line)
        return status_no_memory("keeping what a device did");
    line->kind = track->kind == TRACK_SLICES ? kind_of(track->engine) : GPU_KINDS;
    line->thread = track->parent != NO_ID ? track->parent : track->id;
    line->clock = track->clock;
    line->top = NO_ID;
    return STATUS_OK;
}

static status take_op(void *self, const struct op *op)
{
    struct pieces *pieces = self;
    struct op *kept = column_append(&pieces->operators);

    assert(op->id + 1 == pieces->operators.count || !kept);
    if (!kept)
        return status_no_memory("keeping what a device did");
    *kept = *op;
    return STATUS_OK;
}

enum { BY_CORRELATION, BY_ARROW }; /* how work and what launched it know each other */

static status keep_launch(struct pieces *pieces, uint64_t correlation, uint32_t index)
{
    uint32_t *place = number_map_at(&pieces->launches, correlation, BY_CORRELATION);

    if (!place)
        return status_no_memory("keeping what a device did");
    if (*place == MAP_NONE || piece_at(pieces, *place)->kind == GPU_CALL)
        *place = index;
    return STATUS_OK;
}

/* Operators that an arrow leaves: what lies on it as well may be their work. */
static status keep_arrow(struct pieces *pieces, uint32_t flow, uint32_t index)
{
    uint32_t *place = number_map_at(&pieces->launches, flow, BY_ARROW);

    if (!place)
        return status_no_memory("keeping what a device did");
    if (*place == MAP_NONE)
        *place = index;
    return STATUS_OK;
}

static int64_t time_of(const struct pieces *pieces, const struct gpu_line *line, int64_t ticks)
{
    return line->clock == NO_ID ? ticks : clock_ns(column_at(&pieces->clocks, line->clock), ticks);
}

static status take_run(void *self, const struct run *run)
{
    struct pieces *pieces = self;
    int64_t *start = column_append(&pieces->runs);

    if (!start)
        return status_no_memory("keeping what a device did");
    assert(run->id + 1 == pieces->runs.count);
    *start = clock_ns(column_at(&pieces->clocks, run->clock), run->start);
    return STATUS_OK;
}

static status keep(struct pieces *pieces, const struct slice *slice, uint32_t *kept)
{
    struct gpu_line *line = line_at(pieces, slice->track);
    struct gpu_piece *piece;
    double correlation;
    uint32_t index;

    *kept = NO_ID;
    if (line->kind == GPU_KINDS)
        return STATUS_OK;
    piece = column_append(&pieces->items);
    if (!piece)
        return status_no_memory("keeping what a device did");
    *kept = index = (uint32_t)pieces->items.count - 1;
    correlation = number_of(pieces, slice, pieces->keys.correlation);
    if (isnan(correlation))
        correlation = number_of(pieces, slice, pieces->keys.correlation_of_xla);
    *piece = (struct gpu_piece){
        .start = time_of(pieces, line, slice->start),
        .end = time_of(pieces, line, slice->end),
        .correlation = correlation > 0 ? (uint64_t)correlation : 0,
        .name = slice->name,
        .op = slice->op,
        .run = slice->run,
        .thread = line->thread,
        .clock = line->clock,
        .up = NO_ID,
        .flow = slice->flow,
        .form = NO_ID,
        .kind = (uint8_t)line->kind,
    };
    if (piece_is_work(piece))
        return keep_form(pieces, slice, piece);
    if (piece->correlation && piece->kind < GPU_ANNOTATION)
        return keep_launch(pieces, piece->correlation, index);
    return piece->flow && piece_is_operator(piece) ? keep_arrow(pieces, piece->flow, index) : STATUS_OK;
}

static status take_slice(void *self, const struct slice *slice)
{
    uint32_t kept;

    return keep(self, slice, &kept);
}

static status take_begin(void *self, open_id id, open_id parent, const struct slice *slice)
{
    struct pieces *pieces = self;
    struct slice open = *slice;
    uint32_t kept;
    status code;

    (void)parent;
    open.end = open.start;
    code = keep(pieces, &open, &kept);
    if (code == STATUS_OK)
        code = memory_grow(&pieces->opens, &pieces->open_capacity, (size_t)id + 1, sizeof *pieces->opens);
    if (code == STATUS_OK)
        pieces->opens[id] = kept;
    return code;
}

static status take_end(void *self, open_id id, int64_t time)
{
    struct pieces *pieces = self;
    struct gpu_piece *piece;

    assert(id < pieces->open_capacity);
    if (pieces->opens[id] == NO_ID)
        return STATUS_OK;
    piece = piece_at(pieces, pieces->opens[id]);
    piece->end = piece->clock == NO_ID ? time : clock_ns(column_at(&pieces->clocks, piece->clock), time);
    return STATUS_OK;
}

struct sink pieces_sink(struct pieces *pieces)
{
    static const struct sink_calls calls = { .clock = take_clock,
                                             .track = take_track,
                                             .op = take_op,
                                             .run = take_run,
                                             .slice = take_slice,
                                             .begin = take_begin,
                                             .end = take_end };

    return (struct sink){ &calls, pieces };
}

status pieces_start(struct pieces *pieces, struct strings *strings)
{
    static const char *const names[] = { "correlation",    "correlation_id",  "grid",
                                         "block",          "blocks per SM",   "est. achieved occupancy %",
                                         "bytes",          "Collective name", "In msg nelems",
                                         "Out msg nelems", "dtype",           "Group size" };
    struct gpu_keys *keys = &pieces->keys;
    string_id *const places[] = { &keys->correlation,   &keys->correlation_of_xla, &keys->grid,  &keys->block,
                                  &keys->per_processor, &keys->occupancy,          &keys->bytes, &keys->collective,
                                  &keys->elements,      &keys->received,           &keys->type,  &keys->group };
    status code = STATUS_OK;

    _Static_assert(sizeof names / sizeof *names == sizeof places / sizeof *places, "a place for each key");
    *pieces = (struct pieces){ .strings = strings };
    column_start(&pieces->items, sizeof(struct gpu_piece));
    column_start(&pieces->forms, sizeof(struct gpu_form));
    column_start(&pieces->tracks, sizeof(struct gpu_line));
    column_start(&pieces->operators, sizeof(struct op));
    column_start(&pieces->clocks, sizeof(struct clock));
    column_start(&pieces->runs, sizeof(int64_t));
    number_map_start(&pieces->launches);
    for (size_t i = 0; i < sizeof names / sizeof *names && code == STATUS_OK; i++)
        code = strings_add_text(strings, names[i], places[i]);
    return code;
}

void pieces_free(struct pieces *pieces)
{
    column_free(&pieces->items);
    column_free(&pieces->forms);
    column_free(&pieces->tracks);
    column_free(&pieces->operators);
    column_free(&pieces->clocks);
    column_free(&pieces->runs);
    number_map_free(&pieces->launches);
    memory_free(pieces->work);
    memory_free(pieces->opens);
    memory_free(pieces->windows);
    pieces->windows = NULL;
    pieces->window_count = 0;
    pieces->opens = NULL;
    pieces->open_capacity = 0;
    pieces->work = NULL;
    pieces->work_count = 0;
}

/* ---- Settling ------------------------------------------------------------------------------------------------------- */

static status keep_windows(struct pieces *pieces, const struct intervals *windows)
{
    if (windows)
        return intervals_list(windows, &pieces->windows, &pieces->window_count);
    pieces->windows = memory_allocate(sizeof *pieces->windows);
    if (!pieces->windows)
        return status_no_memory("keeping what a device did");
    pieces->windows[0] = (struct interval){ INT64_MIN, INT64_MAX };
    pieces->window_count = 1;
    return STATUS_OK;
}

size_t pieces_window(const struct pieces *pieces, int64_t time)
{
    return interval_holding(pieces->windows, pieces->window_count, time);
}

bool piece_counts(const struct pieces *pieces, const struct gpu_piece *piece)
{
    int64_t run = piece->run < pieces->runs.count ? *(int64_t *)column_at(&pieces->runs, piece->run) : INT64_MIN;

    return pieces_window(pieces, run > piece->start ? run : piece->start) != SIZE_MAX;
}

static int by_start(const void *one, const void *other)
{
    const struct gpu_place *a = one, *b = other;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->piece < b->piece ? -1 : a->piece > b->piece;
}

/* The innermost operator of a thread that is at work then; those that are over are forgotten. Slices of one thread lie in each other: an end that is later
 * than the one around it was rounded. */
static uint32_t operator_around(struct pieces *pieces, track_id thread, int64_t start)
{
    struct gpu_line *line = line_at(pieces, thread);

    while (line->top != NO_ID && piece_at(pieces, line->top)->end <= start)
        line->top = piece_at(pieces, line->top)->up;
    return line->top;
}

/* Pieces of a thread came by their start; their ends are all known now. */
static void find_around(struct pieces *pieces)
{
    for (uint32_t i = 0; i < pieces->items.count; i++) {
        struct gpu_piece *piece = piece_at(pieces, i);

        if (piece_is_work(piece))
            continue;
        piece->up = operator_around(pieces, piece->thread, piece->start);
        if (piece_is_operator(piece))
            line_at(pieces, piece->thread)->top = i;
    }
}

/* What launched a piece of work: the call of its correlation, or the operator that its arrow comes from. */
static uint32_t launch_of(struct pieces *pieces, const struct gpu_piece *work)
{
    uint32_t found;

    if (work->correlation)
        return number_map_find(&pieces->launches, work->correlation, BY_CORRELATION);
    found = work->flow ? number_map_find(&pieces->launches, work->flow, BY_ARROW) : MAP_NONE;
    if (found != MAP_NONE)
        piece_at(pieces, found)->launches = true;
    return found;
}

static bool is_node(const struct gpu_piece *piece)
{
    return piece->kind == GPU_NODE || piece->kind == GPU_PROVIDED;
}

status pieces_take_nodes(struct pieces *pieces)
{
    size_t count = 0;

    assert(!pieces->work_count && "nodes beside work of a device are the host's");
    for (uint32_t i = 0; i < pieces->items.count; i++)
        count += is_node(piece_at(pieces, i));
    memory_free(pieces->work);
    pieces->work = memory_allocate_clear((count + 1) * sizeof *pieces->work);
    if (!pieces->work)
        return status_no_memory("keeping what a device did");
    for (uint32_t i = 0; i < pieces->items.count; i++) {
        const struct gpu_piece *piece = piece_at(pieces, i);

        if (is_node(piece) && pieces_window(pieces, piece->start) != SIZE_MAX)
            pieces->work[pieces->work_count++] = (struct gpu_place){ piece->start, i };
    }
    qsort(pieces->work, pieces->work_count, sizeof *pieces->work, by_start);
    return STATUS_OK;
}

status pieces_settle(struct pieces *pieces, const struct intervals *windows)
{
    size_t count = 0;
    status code = keep_windows(pieces, windows);

    if (code != STATUS_OK)
        return code;
    pieces->work = memory_allocate_clear((pieces->forms.count + 1) * sizeof *pieces->work);
    if (!pieces->work)
        return status_no_memory("keeping what a device did");
    find_around(pieces);
    for (uint32_t i = 0; i < pieces->items.count; i++) {
        struct gpu_piece *piece = piece_at(pieces, i);

        if (!piece_is_work(piece))
            continue;
        piece->up = launch_of(pieces, piece);
        pieces->work[pieces->work_count++] = (struct gpu_place){ piece->start, i };
    }
    qsort(pieces->work, pieces->work_count, sizeof *pieces->work, by_start);
    for (size_t i = 0; i < pieces->work_count; i++)
        if (pieces_window(pieces, pieces->work[i].start) != SIZE_MAX)
            pieces->work[count++] = pieces->work[i];
    pieces->work_count = count;
    return STATUS_OK;
}

/* ---- Asking --------------------------------------------------------------------------------------------------------- */

const struct gpu_piece *piece_launch(const struct pieces *pieces, const struct gpu_piece *work)
{
    return piece_is_work(work) && work->up != NO_ID ? piece_at(pieces, work->up) : NULL;
}

int64_t piece_launched(const struct pieces *pieces, const struct gpu_piece *work)
{
    const struct gpu_piece *launch = piece_launch(pieces, work);
    int64_t last;

    assert(launch);
    if (!piece_is_operator(launch))
        return launch->start;
    last = launch->end < work->start ? launch->end : work->start;
    return last > launch->start ? last : launch->start;
}

const struct gpu_piece *piece_operator(const struct pieces *pieces, const struct gpu_piece *work)
{
    const struct gpu_piece *launch = piece_launch(pieces, work);

    if (launch && piece_is_operator(launch))
        return launch;
    return launch && launch->up != NO_ID ? piece_at(pieces, launch->up) : NULL;
}

const struct gpu_form *piece_form(const struct pieces *pieces, const struct gpu_piece *work)
{
    static const struct gpu_form none = { NAN, NAN, NAN, NAN, NAN, 0, 0, NAN, NAN, NAN };

    return work->form != NO_ID ? column_at(&pieces->forms, work->form) : &none;
}

const char *piece_name(const struct pieces *pieces, const struct gpu_piece *piece)
{
    return strings_text(pieces->strings, piece->name);
}

const struct op *piece_op(const struct pieces *pieces, const struct gpu_piece *piece)
{
    return piece->op != NO_ID ? column_at(&pieces->operators, piece->op) : NULL;
}
