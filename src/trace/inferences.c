/* inferences.c: runs as they are told, named, or found by what repeats. */
#include "trace/inferences.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/repeat.h"
#include "trace/clock.h"

struct inference_track {
    track_id process; /* its top-level ancestor */
    clock_id clock;   /* NO_ID: of a group */
};

struct inference_step {
    struct step step;
    step_id id;       /* in the order of the input */
    track_id process; /* of its input */
    bool lost;        /* its end never came */
};

/* ---- what the user says ------------------------------------------------------------------------------------------ */

status inference_choice_parse(const char *text, struct inference_choice *choice)
{
    size_t length = text ? strlen(text) : 0;
    char *pattern, why[128];
    int failed;

    *choice = (struct inference_choice){ .text = text, .whole = text && strcmp(text, "whole") == 0 };
    if (text && !length)
        return status_fail(STATUS_USAGE, "--runs wants whole, the name of a slice, or /PATTERN/");
    if (length < 3 || text[0] != '/' || text[length - 1] != '/')
        return STATUS_OK;
    pattern = memory_copy_text(text + 1);
    if (!pattern)
        return status_no_memory("reading options");
    pattern[length - 2] = '\0';
    failed = regcomp(&choice->pattern, pattern, REG_EXTENDED | REG_NOSUB);
    memory_free(pattern);
    if (failed) {
        regerror(failed, &choice->pattern, why, sizeof why);
        return status_fail(STATUS_USAGE, "--runs %s: %s", text, why);
    }
    choice->is_pattern = true;
    return STATUS_OK;
}

void inference_choice_free(struct inference_choice *choice)
{
    if (choice->is_pattern)
        regfree(&choice->pattern);
    choice->is_pattern = false;
}

static bool is_asked(const struct inferences *inferences)
{
    return inferences->choice && inferences->choice->text && !inferences->choice->whole;
}

/* ---- the sink ---------------------------------------------------------------------------------------------------- */

void inferences_start(struct inferences *inferences, const struct inference_choice *choice,
                      const struct strings *strings)
{
    *inferences = (struct inferences){ .choice = choice, .strings = strings, .process = NO_ID };
    column_start(&inferences->clocks, sizeof(struct clock));
    column_start(&inferences->tracks, sizeof(struct inference_track));
    column_start(&inferences->steps, sizeof(struct inference_step));
    column_start(&inferences->told, sizeof(struct inference));
    column_start(&inferences->named, sizeof(struct inference));
}

void inferences_free(struct inferences *inferences)
{
    column_free(&inferences->clocks);
    column_free(&inferences->tracks);
    column_free(&inferences->steps);
    column_free(&inferences->told);
    column_free(&inferences->named);
    memory_free(inferences->names);
    memory_free(inferences->opens);
    memory_free(inferences->made);
    inferences_start(inferences, inferences->choice, inferences->strings);
}

static status on_clock(void *self, clock_id id, const struct clock *clock)
{
    struct clock *kept = column_append(&((struct inferences *)self)->clocks);

    (void)id;
    if (!kept)
        return status_no_memory("keeping a clock");
    *kept = *clock;
    return STATUS_OK;
}

static status on_track(void *self, const struct track *track)
{
    struct inferences *inferences = self;
    struct inference_track *kept = column_append(&inferences->tracks);

    if (!kept)
        return status_no_memory("keeping a track");
    *kept = (struct inference_track){ .process = track->id, .clock = track->clock };
    if (track->parent != NO_ID)
        kept->process = ((struct inference_track *)column_at(&inferences->tracks, track->parent))->process;
    else if (engine_group(track->engine) != GROUP_DRAWN)
        inferences->process = track->id;
    return STATUS_OK;
}

static status add_inference(struct column *column, struct inference inference)
{
    struct inference *kept = column_append(column);

    if (!kept)
        return status_no_memory("keeping runs");
    *kept = inference;
    return STATUS_OK;
}

static status on_run(void *self, const struct run *run)
{
    struct inferences *inferences = self;

    assert(run->start <= run->end);
    return add_inference(&inferences->told, (struct inference){ .process = inferences->process,
                                                                .launch = run->launch,
                                                                .index = run->index,
                                                                .clock = run->clock,
                                                                .start = run->start,
                                                                .end = run->end });
}

static status on_step(void *self, step_id id, const struct step *step)
{
    struct inferences *inferences = self;
    struct inference_step *kept = column_append(&inferences->steps);

    if (!kept)
        return status_no_memory("keeping the steps of runs");
    assert(id + 1 == inferences->steps.count);
    *kept = (struct inference_step){ .step = *step, .id = id, .process = inferences->process };
    return STATUS_OK;
}

static status on_step_end(void *self, step_id id, int64_t time)
{
    struct inference_step *kept = column_at(&((struct inferences *)self)->steps, id);

    if (time > kept->step.start)
        kept->step.end = time;
    return STATUS_OK;
}

static status on_step_lost(void *self, step_id id)
{
    ((struct inference_step *)column_at(&((struct inferences *)self)->steps, id))->lost = true;
    return STATUS_OK;
}

/* Whether slices of this name are runs; each name is looked at once. */
static status is_named(struct inferences *inferences, string_id name, bool *named)
{
    const struct inference_choice *choice = inferences->choice;
    status code =
        memory_grow_clear(&inferences->names, &inferences->name_capacity, (size_t)name + 1, sizeof *inferences->names);

    if (code != STATUS_OK)
        return code;
    if (!inferences->names[name]) {
        const char *text = strings_text(inferences->strings, name);
        bool fits =
            choice->is_pattern ? regexec(&choice->pattern, text, 0, NULL, 0) == 0 : strcmp(text, choice->text) == 0;

        inferences->names[name] = fits ? 2 : 1;
    }
    *named = inferences->names[name] == 2;
    return STATUS_OK;
}

static status on_slice(void *self, const struct slice *slice)
{
    struct inferences *inferences = self;
    const struct inference_track *track = column_at(&inferences->tracks, slice->track);
    bool named;
    status code = is_named(inferences, slice->name, &named);

    if (code != STATUS_OK || !named)
        return code;
    return add_inference(&inferences->named, (struct inference){ .process = track->process,
                                                                 .clock = track->clock,
                                                                 .start = slice->start,
                                                                 .end = slice->end });
}

static status on_begin(void *self, open_id id, open_id parent, const struct slice *slice)
{
    struct inferences *inferences = self;
    size_t before = inferences->named.count;
    struct slice at_once = *slice;
    status code =
        memory_grow_clear(&inferences->opens, &inferences->open_capacity, (size_t)id + 1, sizeof *inferences->opens);

    (void)parent;
    at_once.end = slice->start;
    if (code == STATUS_OK)
        code = on_slice(self, &at_once);
    if (code == STATUS_OK)
        inferences->opens[id] = inferences->named.count > before ? (uint32_t)inferences->named.count : 0;
    return code;
}

static status on_end(void *self, open_id id, int64_t time)
{
    struct inferences *inferences = self;

    assert(id < inferences->open_capacity);
    if (inferences->opens[id])
        ((struct inference *)column_at(&inferences->named, inferences->opens[id] - 1))->end = time;
    return STATUS_OK;
}

static status on_instant(void *self, const struct slice *slice)
{
    struct slice at_once = *slice;

    at_once.end = slice->start;
    return on_slice(self, &at_once);
}

struct sink inferences_sink(struct inferences *inferences)
{
    /* Slices are looked at only where the user names some. */
    static const struct sink_calls calls = {
        .clock = on_clock,
        .track = on_track,
        .run = on_run,
        .step = on_step,
        .step_end = on_step_end,
        .step_lost = on_step_lost,
    };
    static const struct sink_calls naming = { .clock = on_clock,
                                              .track = on_track,
                                              .slice = on_slice,
                                              .begin = on_begin,
                                              .end = on_end,
                                              .instant = on_instant,
                                              .keys = SINK_NO_KEYS };

    return (struct sink){ is_asked(inferences) ? &naming : &calls, inferences };
}

/* ---- what repeats ------------------------------------------------------------------------------------------------ */

static int by_start(const void *left, const void *right)
{
    const struct inference_step *a = *(const struct inference_step *const *)left;
    const struct inference_step *b = *(const struct inference_step *const *)right;

    if (a->step.start != b->step.start)
        return a->step.start < b->step.start ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

struct sequence {
    const struct inference_step **steps; /* of one input, by start */
    uint64_t *keys;                      /* of each */
    int64_t *pauses;                     /* before each: from the latest end so far to its start */
    size_t count;
};

static void sequence_free(struct sequence *sequence)
{
    memory_free(sequence->steps);
    memory_free(sequence->keys);
    memory_free(sequence->pauses);
}

static status sequence_of(const struct inferences *inferences, track_id process, struct sequence *sequence)
{
    size_t most = inferences->steps.count;
    bool sorted = true;
    int64_t latest = INT64_MIN;

    *sequence = (struct sequence){ .steps = memory_allocate((most + 1) * sizeof *sequence->steps),
                                   .keys = memory_allocate((most + 1) * sizeof *sequence->keys),
                                   .pauses = memory_allocate((most + 1) * sizeof *sequence->pauses) };
    if (!sequence->steps || !sequence->keys || !sequence->pauses)
        return status_no_memory("looking for runs");
    for (size_t i = 0; i < most; i++) {
        const struct inference_step *step = column_at(&inferences->steps, i);

        if (step->process != process)
            continue;
        sorted = sorted && (!sequence->count || sequence->steps[sequence->count - 1]->step.start <= step->step.start);
        sequence->steps[sequence->count++] = step;
    }
    if (!sorted)
        qsort(sequence->steps, sequence->count, sizeof *sequence->steps, by_start);
    for (size_t i = 0; i < sequence->count; i++) {
        const struct step *step = &sequence->steps[i]->step;

        sequence->keys[i] = step->key;
        sequence->pauses[i] = i && step->start > latest ? step->start - latest : 0;
        latest = step->end > latest ? step->end : latest;
    }
    return STATUS_OK;
}

static status add_made(struct inferences *inferences, struct inference inference)
{
    status code = memory_grow(&inferences->made, &inferences->made_capacity, inferences->made_count + 1,
                              sizeof *inferences->made);

    if (code == STATUS_OK)
        inferences->made[inferences->made_count++] = inference;
    return code;
}

/* From the first of its steps to the last end of them. */
static struct inference span_of(const struct inference_step *const *steps, size_t count)
{
    struct inference run = { .process = steps[0]->process,
                             .clock = steps[0]->step.clock,
                             .start = steps[0]->step.start,
                             .end = steps[0]->step.end };

    for (size_t i = 1; i < count; i++)
        run.end = steps[i]->step.end > run.end ? steps[i]->step.end : run.end;
    return run;
}

/* A file that ends in the middle of a run: nobody knows when the last step of it would have ended. */
static bool is_cut_off(const struct inference_step *const *steps, size_t count, int64_t end)
{
    for (size_t i = 0; i < count; i++)
        if (steps[i]->step.end == end && !steps[i]->lost)
            return false;
    return true;
}

static status list_repeated(struct inferences *inferences, track_id process, struct inference_list *list)
{
    struct sequence sequence;
    struct repeat repeat = { 0 };
    status code = sequence_of(inferences, process, &sequence);

    if (code == STATUS_OK)
        code = repeat_find(sequence.keys, sequence.pauses, sequence.count, &repeat);
    for (size_t i = 0; i < repeat.count && code == STATUS_OK; i++) {
        const struct inference_step *const *steps = sequence.steps + repeat.starts[i];
        size_t count = repeat.ends[i] - repeat.starts[i];
        struct inference run = span_of(steps, count);

        run.index = (uint32_t)i;
        if (i + 1 == repeat.count && is_cut_off(steps, count, run.end))
            repeat.partial++;
        else
            code = add_made(inferences, run);
    }
    list->source = repeat.count ? INFERENCES_REPEATED : INFERENCES_NONE;
    list->steps = repeat.length;
    list->partial = repeat.partial;
    repeat_free(&repeat);
    sequence_free(&sequence);
    return code;
}

/* ---- lists ------------------------------------------------------------------------------------------------------- */

static int by_place(const void *left, const void *right)
{
    const struct inference *a = left, *b = right;

    if (a->launch != b->launch)
        return a->launch < b->launch ? -1 : 1;
    if (a->index != b->index)
        return a->index < b->index ? -1 : 1;
    return (a->start > b->start) - (a->start < b->start);
}

static status list_kept(struct inferences *inferences, const struct column *column, track_id process)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < column->count && code == STATUS_OK; i++) {
        const struct inference *kept = column_at(column, i);

        if (kept->process == process)
            code = add_made(inferences, *kept);
    }
    if (inferences->made_count)
        qsort(inferences->made, inferences->made_count, sizeof *inferences->made, by_place);
    return code;
}

/* Slices that were named are runs; those that last nothing are marks, and the runs are what lies between them. Of slices inside each
 * other the outer ones are runs. */
static status list_named(struct inferences *inferences, track_id process, const char *path)
{
    status code = list_kept(inferences, &inferences->named, process);
    size_t count = 0;
    bool marks = true;

    if (code != STATUS_OK)
        return code;
    if (!inferences->made_count)
        return status_fail_at(STATUS_INPUT, (struct place){ .file = path },
                              "no slice is called %s, which --runs names; 'tacho convert -o slices.csv' lists all",
                              inferences->choice->text);
    for (size_t i = 0; i < inferences->made_count; i++)
        marks = marks && inferences->made[i].start == inferences->made[i].end;
    for (size_t i = 0; i < inferences->made_count; i++) {
        struct inference run = inferences->made[i];

        if (marks && i + 1 == inferences->made_count)
            break;
        if (marks)
            run.end = inferences->made[i + 1].start;
        else if (count && run.start < inferences->made[count - 1].end)
            continue;
        run.index = (uint32_t)count;
        inferences->made[count++] = run;
    }
    inferences->made_count = count;
    return STATUS_OK;
}

/* A run in one piece that lasts nothing. */
static bool is_empty(const struct inferences *inferences, size_t item)
{
    const struct inference_list all = { .items = inferences->made, .count = inferences->made_count };
    const struct inference *run = &inferences->made[item];

    return run->start == run->end && !inference_continues(&all, item) &&
           (item + 1 == all.count || !inference_continues(&all, item + 1));
}

/* Leaves out runs that last nothing, unless all of their launch do. */
static void drop_empty(struct inferences *inferences, struct inference_list *list)
{
    struct inference *made = inferences->made;
    size_t count = 0;

    for (size_t first = 0, next; first < inferences->made_count; first = next) {
        size_t empty = 0;

        for (next = first; next < inferences->made_count && made[next].launch == made[first].launch; next++)
            empty += is_empty(inferences, next);
        if (empty == next - first)
            empty = 0;
        list->empty += empty;
        for (size_t i = first; i < next; i++)
            if (!empty || !is_empty(inferences, i))
                made[count++] = made[i];
    }
    inferences->made_count = count;
}

status inferences_of(struct inferences *inferences, track_id process, const char *path, struct inference_list *list)
{
    status code = STATUS_OK;

    *list = (struct inference_list){ .source = INFERENCES_NONE };
    inferences->made_count = 0;
    if (is_asked(inferences)) {
        code = list_named(inferences, process, path);
        list->source = INFERENCES_NAMED;
    } else if (!inferences->choice || !inferences->choice->whole) {
        code = list_kept(inferences, &inferences->told, process);
        list->source = inferences->made_count ? INFERENCES_TOLD : INFERENCES_NONE;
        if (code == STATUS_OK && !inferences->made_count)
            code = list_repeated(inferences, process, list);
    }
    if (code == STATUS_OK)
        drop_empty(inferences, list);
    list->items = inferences->made;
    list->count = inferences->made_count;
    return code;
}
