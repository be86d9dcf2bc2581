/* ops_recording.c: picks the calls of ops out of a recording. */
#include "tenstorrent/ops_recording.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/number.h"
#include "trace/clock.h"

enum { OPS_MOST_DEPTH = 64 }; /* as in logs: deeper ones are shown at this depth */

status ops_recording_start(struct ops_recording *recording, struct strings *strings)
{
    static const char *const keys[OPS_KEY_COUNT] = {
#define X(name, key) key,
        OPS_KEY_MAP(X)
#undef X
    };
    status code = STATUS_OK;

    assert(strings);
    *recording = (struct ops_recording){ .arena = ARENA_EMPTY, .strings = strings };
    for (unsigned i = 0; i < OPS_KEY_COUNT && code == STATUS_OK; i++)
        code = strings_add_text(strings, keys[i], &recording->keys[i]);
    return code;
}

void ops_recording_free(struct ops_recording *recording)
{
    op_calls_free(&recording->calls);
    arena_free(&recording->arena);
    memory_free(recording->clocks);
    memory_free(recording->tracks);
    memory_free(recording->ops);
    memory_free(recording->functions);
    memory_free(recording->opens);
    *recording = (struct ops_recording){ .arena = ARENA_EMPTY };
}

/* ---- Clocks and tracks ---- */

static status take_clock(void *self, clock_id id, const struct clock *clock)
{
    struct ops_recording *recording = self;
    status code =
        memory_grow(&recording->clocks, &recording->clock_capacity, (size_t)id + 1, sizeof *recording->clocks);

    if (code != STATUS_OK)
        return code;
    assert(id == recording->clock_count);
    recording->clocks[recording->clock_count++] = *clock;
    return STATUS_OK;
}

static status take_track(void *self, const struct track *track)
{
    struct ops_recording *recording = self;
    status code =
        memory_grow(&recording->tracks, &recording->track_capacity, (size_t)track->id + 1, sizeof *recording->tracks);

    if (code != STATUS_OK)
        return code;
    assert(track->id == recording->track_count);
    recording->tracks[recording->track_count++] = *track;
    return STATUS_OK;
}

static int64_t to_ns(const struct ops_recording *recording, track_id track, int64_t ticks)
{
    clock_id clock = recording->tracks[track].clock;

    assert(track < recording->track_count);
    return clock == NO_ID ? ticks : clock_ns(&recording->clocks[clock], ticks);
}

/* ---- Arguments ---- */

static const struct argument *find(const struct ops_recording *recording, const struct slice *slice, enum ops_key key)
{
    return argument_find(slice->arguments, slice->argument_count, recording->keys[key]);
}

/* No data: the slice does not tell. */
static struct text text_of_key(const struct ops_recording *recording, const struct slice *slice, enum ops_key key)
{
    const struct argument *argument = find(recording, slice, key);

    return argument && argument->type == ARGUMENT_TEXT ? strings_get(recording->strings, argument->text)
                                                       : (struct text){ NULL, 0 };
}

static bool number_of_key(const struct ops_recording *recording, const struct slice *slice, enum ops_key key,
                          uint64_t *value)
{
    const struct argument *argument = find(recording, slice, key);

    if (!argument || (argument->type != ARGUMENT_UNSIGNED && argument->type != ARGUMENT_INTEGER))
        return false;
    *value = argument->natural; /* the same bits: counts are not negative */
    return *value <= INT64_MAX;
}

static bool is_unfinished(const struct ops_recording *recording, const struct slice *slice)
{
    const struct argument *argument = find(recording, slice, OPS_KEY_UNFINISHED);

    return argument && argument->type == ARGUMENT_BOOLEAN && argument->boolean;
}

/* ---- Ops ---- */

static status keep_number(struct ops_recording *recording, uint64_t number, const char **text)
{
    char digits[24];

    *text = arena_copy(&recording->arena, digits, number_write_unsigned(digits, number));
    return *text ? STATUS_OK : status_no_memory("keeping an op");
}

/* A name as logs have it, in which commas separate fields and line ends rows; no data: out of memory. */
static struct text keep_name(struct ops_recording *recording, string_id name)
{
    struct text text = strings_get(recording->strings, name);
    char *copy = arena_copy(&recording->arena, text.data, text.length);

    for (size_t i = 0; copy && i < text.length; i++)
        if (copy[i] == ',' || (unsigned char)copy[i] < ' ' || copy[i] == 0x7F)
            copy[i] = copy[i] == ',' ? ';' : ' ';
    return (struct text){ copy, copy ? text.length : 0 };
}

/* What an op that stopped does not tell is empty, as in a log; of one that did not, it is not known. */
static const char *keep_text(const struct ops_recording *recording, const struct slice *slice, enum ops_key key,
                             const char *otherwise)
{
    struct text text = text_of_key(recording, slice, key);

    return text.data ? text.data : otherwise;
}

static void keep_texts(struct ops_recording *recording, const struct slice *slice, struct op_call *row)
{
    const char *otherwise = is_unfinished(recording, slice) ? NULL : "";

    row->type = keep_text(recording, slice, OPS_KEY_TYPE, NULL);
    row->attributes = keep_text(recording, slice, OPS_KEY_META, otherwise);
    row->fidelity = keep_text(recording, slice, OPS_KEY_FIDELITY, otherwise);
    row->strategy = keep_text(recording, slice, OPS_KEY_STRATEGY, otherwise);
    row->inputs = keep_text(recording, slice, OPS_KEY_INPUTS, otherwise);
    row->outputs = keep_text(recording, slice, OPS_KEY_OUTPUTS, otherwise);
    for (unsigned i = 0; i < LATER_COUNT; i++) {
        row->later[i] = keep_text(recording, slice, OPS_KEY_COMPUTE_PATHS + i, NULL);
        recording->calls.later_host |= row->later[i] != NULL;
    }
}

static status keep_numbers(struct ops_recording *recording, const struct slice *slice, struct op_call *row,
                           struct ops_recorded_op *op)
{
    uint64_t depth;
    status code = STATUS_OK;

    row->order = INT64_MAX;
    if (number_of_key(recording, slice, OPS_KEY_GLOBAL, &op->global)) {
        row->order = (int64_t)op->global;
        code = keep_number(recording, op->global, &row->call);
    }
    if (code == STATUS_OK && number_of_key(recording, slice, OPS_KEY_DEPTH, &depth)) {
        row->depth = depth < OPS_MOST_DEPTH ? (uint32_t)depth : OPS_MOST_DEPTH;
        code = keep_number(recording, depth, &row->depth_text);
    }
    if (code == STATUS_OK)
        code = keep_number(recording, (uint64_t)op->start, &row->host_start);
    return code;
}

static status add_op(struct ops_recording *recording, const struct slice *slice)
{
    struct op_calls *calls = &recording->calls;
    struct op_call *row;
    struct ops_recorded_op *op;
    struct text name;
    status code = memory_grow(&calls->rows, &calls->capacity, calls->count + 1, sizeof *calls->rows);

    if (code == STATUS_OK)
        code = memory_grow(&recording->ops, &recording->op_capacity, calls->count + 1, sizeof *recording->ops);
    if (code != STATUS_OK)
        return code;
    row = &calls->rows[calls->count];
    op = &recording->ops[calls->count++];
    *row = (struct op_call){ .markers = NO_ID };
    *op = (struct ops_recorded_op){ .track = slice->track,
                                    .process = recording->tracks[slice->track].parent,
                                    .start = to_ns(recording, slice->track, slice->start) };
    keep_texts(recording, slice, row);
    recording->unfinished += is_unfinished(recording, slice);
    code = keep_numbers(recording, slice, row, op);
    name = keep_name(recording, slice->name);
    if (code == STATUS_OK && !name.data)
        code = status_no_memory("keeping an op");
    return code == STATUS_OK ? op_call_name(&recording->arena, name, text_of_key(recording, slice, OPS_KEY_PREFERRED),
                                            text_of_key(recording, slice, OPS_KEY_TYPE), &row->name)
                             : code;
}

static status end_op(struct ops_recording *recording, size_t place, int64_t end)
{
    const struct ops_recorded_op *op = &recording->ops[place];
    struct op_call *row = &recording->calls.rows[place];
    status code = keep_number(recording, (uint64_t)end, &row->host_end);

    return code == STATUS_OK ? keep_number(recording, (uint64_t)(end - op->start), &row->host_duration) : code;
}

/* ---- Functions ---- */

static status add_function(struct ops_recording *recording, const struct slice *slice, uint64_t caller)
{
    status code = memory_grow(&recording->functions, &recording->function_capacity, recording->function_count + 1,
                              sizeof *recording->functions);

    if (code == STATUS_OK)
        recording->functions[recording->function_count++] =
            (struct ops_recorded_function){ .track = slice->track, .name = slice->name, .caller = caller };
    return code;
}

/* ---- Slices ---- */

/* Keeps what a slice is of; its end is told to `close_slice`. */
static status open_slice(struct ops_recording *recording, const struct slice *slice, struct ops_recorded_open *opened)
{
    uint64_t caller;
    status code;

    *opened = (struct ops_recorded_open){ .start = slice->start, .track = slice->track };
    if (!slice->argument_count)
        return STATUS_OK;
    if (text_of_key(recording, slice, OPS_KEY_TYPE).data) {
        opened->place = recording->calls.count;
        code = add_op(recording, slice);
        opened->kind = is_unfinished(recording, slice) ? OPS_OPEN_NONE : OPS_OPEN_OP;
        return code;
    }
    if (!number_of_key(recording, slice, OPS_KEY_CALLER, &caller) || is_unfinished(recording, slice))
        return STATUS_OK;
    opened->place = recording->function_count;
    opened->kind = OPS_OPEN_FUNCTION;
    return add_function(recording, slice, caller);
}

static status close_slice(struct ops_recording *recording, const struct ops_recorded_open *opened, int64_t end)
{
    int64_t ns = to_ns(recording, opened->track, end);

    if (opened->kind == OPS_OPEN_OP)
        return end_op(recording, opened->place, ns);
    if (opened->kind == OPS_OPEN_FUNCTION)
        recording->functions[opened->place].ns = ns - to_ns(recording, opened->track, opened->start);
    return STATUS_OK;
}

static status take_slice(void *self, const struct slice *slice)
{
    struct ops_recorded_open opened;
    status code = open_slice(self, slice, &opened);

    return code == STATUS_OK ? close_slice(self, &opened, slice->end) : code;
}

static status take_begin(void *self, open_id id, open_id parent, const struct slice *slice)
{
    struct ops_recording *recording = self;
    status code = memory_grow(&recording->opens, &recording->open_capacity, (size_t)id + 1, sizeof *recording->opens);

    (void)parent;
    return code == STATUS_OK ? open_slice(recording, slice, &recording->opens[id]) : code;
}

static status take_end(void *self, open_id id, int64_t time)
{
    struct ops_recording *recording = self;

    assert(id < recording->open_capacity);
    return close_slice(recording, &recording->opens[id], time);
}

struct sink ops_recording_sink(struct ops_recording *recording)
{
    static const struct sink_calls calls = {
        .clock = take_clock,
        .track = take_track,
        .slice = take_slice,
        .begin = take_begin,
        .end = take_end,
    };

    return (struct sink){ &calls, recording };
}

/* ---- Functions of each op ---- */

static int by_caller(const void *one, const void *other)
{
    const struct ops_recorded_function *a = one, *b = other;

    if (a->track != b->track)
        return a->track < b->track ? -1 : 1;
    if (a->caller != b->caller)
        return a->caller < b->caller ? -1 : 1;
    return a->name < b->name ? -1 : a->name > b->name;
}

/* While functions are put to ops. */
struct summing {
    struct ops_recording *recording; /* borrowed */
    uint32_t *numbers;               /* of functions, from 1, by string id; 0: none yet; owned */
    uint64_t used;                   /* calls that belong to an op */
};

/* The first function of an op, among those that are sorted by caller. */
static size_t first_of(const struct ops_recording *recording, const struct ops_recorded_op *op)
{
    const struct ops_recorded_function wanted = { .track = op->track, .caller = op->global };
    size_t low = 0, high = recording->function_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (by_caller(&recording->functions[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool belongs(const struct ops_recorded_function *function, const struct ops_recorded_op *op)
{
    return op->global && function->track == op->track && function->caller == op->global;
}

/* The number of a function, which has columns from now on. */
static status number_function(struct summing *summing, string_id name, uint32_t *number)
{
    struct op_calls *calls = &summing->recording->calls;
    status code = STATUS_OK;

    if (!summing->numbers[name]) {
        struct text text = keep_name(summing->recording, name);

        code = text.data ? memory_grow(&calls->functions, &calls->function_capacity, calls->function_count + 1,
                                       sizeof *calls->functions)
                         : status_no_memory("keeping the functions of ops");
        if (code != STATUS_OK)
            return code;
        calls->functions[calls->function_count++] = text.data;
        summing->numbers[name] = (uint32_t)calls->function_count;
    }
    *number = summing->numbers[name] - 1;
    return code;
}

/* Puts the sums of an op's functions to its row. */
static status sum_functions(struct summing *summing, size_t place)
{
    struct ops_recording *recording = summing->recording;
    const struct ops_recorded_op *op = &recording->ops[place];
    const struct ops_recorded_function *functions = recording->functions;
    struct op_call *row = &recording->calls.rows[place];
    size_t first = first_of(recording, op), last = first, different = 0;
    status code = STATUS_OK;

    for (; last < recording->function_count && belongs(&functions[last], op); last++)
        different += last == first || functions[last].name != functions[last - 1].name;
    if (!different)
        return STATUS_OK;
    row->functions =
        arena_allocate(&recording->arena, different * sizeof *row->functions, _Alignof(struct op_function));
    if (!row->functions)
        return status_no_memory("keeping the functions of a call");
    for (size_t i = first; i < last && code == STATUS_OK; i++) {
        struct op_function *sum = &row->functions[row->function_count];

        if (i == first || functions[i].name != functions[i - 1].name) {
            *sum = (struct op_function){ .count = 0 };
            code = number_function(summing, functions[i].name, &sum->function);
            row->function_count++;
        }
        sum = &row->functions[row->function_count - 1];
        sum->count++;
        sum->total_ns += (uint64_t)functions[i].ns;
    }
    summing->used += last - first;
    return code;
}

static status give_functions(struct ops_recording *recording)
{
    struct summing summing = { .recording = recording };
    status code = STATUS_OK;

    if (!recording->function_count)
        return STATUS_OK;
    qsort(recording->functions, recording->function_count, sizeof *recording->functions, by_caller);
    summing.numbers = memory_allocate_clear(strings_count(recording->strings) * sizeof *summing.numbers);
    if (!summing.numbers)
        return status_no_memory("keeping the functions of ops");
    for (size_t i = 0; i < recording->calls.count && code == STATUS_OK; i++)
        code = sum_functions(&summing, i);
    recording->outside = recording->function_count - summing.used;
    memory_free(summing.numbers);
    return code;
}

/* ---- Order ---- */

struct ranked_call {
    struct ops_recorded_op op; /* that the call is of */
    struct op_call call;       /* that is sorted */
};

static int by_process(const void *one, const void *other)
{
    const struct ranked_call *a = one, *b = other;

    if (a->op.process != b->op.process)
        return a->op.process < b->op.process ? -1 : 1;
    if (a->call.order != b->call.order)
        return a->call.order < b->call.order ? -1 : 1;
    return a->op.start < b->op.start ? -1 : a->op.start > b->op.start;
}

/* Call counts are those of a process. */
static status sort_calls(struct ops_recording *recording)
{
    size_t count = recording->calls.count;
    struct ranked_call *ranked;

    if (!count)
        return STATUS_OK;
    ranked = memory_allocate(count * sizeof *ranked);
    if (!ranked)
        return status_no_memory("sorting the ops");
    for (size_t i = 0; i < count; i++)
        ranked[i] = (struct ranked_call){ .op = recording->ops[i], .call = recording->calls.rows[i] };
    qsort(ranked, count, sizeof *ranked, by_process);
    for (size_t i = 0; i < count; i++) {
        recording->calls.rows[i] = ranked[i].call;
        recording->processes += i == 0 || ranked[i].op.process != ranked[i - 1].op.process;
    }
    memory_free(ranked);
    return STATUS_OK;
}

status ops_recording_end(struct ops_recording *recording)
{
    status code = give_functions(recording);

    recording->calls.later_device = recording->calls.later_host;
    return code == STATUS_OK ? sort_calls(recording) : code;
}
