/* mlir.c: Torq's compiled program as printed MLIR (M1, *.executable-targets.mlir).
 *
 * The dump fills a program. Where it carries the compiler's cycle estimates, they also make a timeline: NSS programs
 * and tasks, and one track per engine with the work that each start causes.
 *
 *     start of the task                     start + duration      end of the task that waits
 *         |────────── the work ───────────────────|───── WAITING ──────|
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/path.h"
#include "read/reader.h"
#include "table/table.h"
#include "torq/chain.h"
#include "torq/companions.h"
#include "torq/mlir_build.h"
#include "torq/mlir_parse.h"
#include "torq/names.h"
#include "trace/clock.h"

enum { SLICES = 16 };

struct timeline {
    struct source *source;           /* that is read */
    struct feed *feed;               /* that is fed */
    const struct program *program;   /* that is drawn */
    struct torq_keys keys;           /* of arguments */
    clock_id clock;                  /* cycles */
    int64_t limit;                   /* largest tick that the clock can turn into ns */
    int64_t *offsets;                /* by dispatch: added to its cycles */
    track_id engines[TORQ_ORDERS];   /* by order; NO_ID: not made yet */
    track_id slices[SLICES];         /* by number; the same */
    track_id waiting[TORQ_ORDERS];   /* beside those of engines */
    track_id waiting_slices[SLICES]; /* beside those of slices */
    string_id waiting_name;          /* of slices that wait */
};

/* Something to draw; sorted before it is drawn. */
struct item {
    int64_t start, end; /* ticks of the drawing */
    uint32_t index;     /* of the job, task or unit */
};

/* ---- order ------------------------------------------------------------------------------------------------------- */

static int compare_items(const void *left, const void *right)
{
    const struct item *a = left, *b = right;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if ((a->end == a->start) != (b->end == b->start))
        return a->end == a->start ? -1 : 1; /* what takes no time is over before the next begins, not inside it */
    if (a->end != b->end)
        return a->end > b->end ? -1 : 1; /* the outer one first */
    return a->index < b->index ? -1 : a->index > b->index;
}

static void sort_items(struct item *items, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (compare_items(&items[i - 1], &items[i]) > 0) {
            qsort(items, count, sizeof *items, compare_items);
            return;
        }
}

/* Keep [start, end) of something in `dispatch`, when both are known and the clock can show them. */
static void add_item(struct timeline *timeline, struct item *items, size_t *count, uint32_t dispatch, int64_t start,
                     int64_t end, uint32_t index)
{
    int64_t offset = timeline->offsets[dispatch];

    if (start == NO_CYCLES || end == NO_CYCLES)
        return;
    if (start > timeline->limit - offset || end > timeline->limit - offset) {
        source_note(timeline->source, "estimates beyond the range of the clock are not drawn");
        return;
    }
    items[(*count)++] = (struct item){ start + offset, end < start ? start + offset : end + offset, index };
}

static void widen(int64_t *first, int64_t *last, int64_t start, int64_t end)
{
    if (start != NO_CYCLES && (*first == NO_CYCLES || start < *first))
        *first = start;
    if (end != NO_CYCLES && end > *last)
        *last = end;
}

/* Every dispatch counts its cycles from 0: draw one after the other, as they are printed. */
static status place_dispatches(struct timeline *timeline)
{
    const struct program *program = timeline->program;
    int64_t *firsts, *lasts, end = 0;
    size_t count = program->dispatches.count;

    timeline->offsets = memory_allocate_clear(3 * count * sizeof *timeline->offsets);
    if (!timeline->offsets)
        return status_no_memory("drawing a program");
    firsts = timeline->offsets + count;
    lasts = firsts + count;
    for (size_t i = 0; i < count; i++)
        firsts[i] = lasts[i] = NO_CYCLES;
    for (uint32_t i = 0; i < program->jobs.count; i++) {
        const struct program_job *job = program_job(program, i);

        widen(&firsts[job->dispatch], &lasts[job->dispatch], job->start, job->end);
    }
    for (uint32_t i = 0; i < program->tasks.count; i++) {
        const struct program_task *task = program_task(program, i);
        uint32_t dispatch = program_job(program, task->job)->dispatch;

        widen(&firsts[dispatch], &lasts[dispatch], task->start, task->end);
    }
    for (uint32_t i = 0; i < program->units.count; i++) {
        const struct program_unit *unit = program_unit(program, i);
        uint32_t dispatch = program_job(program, unit->job)->dispatch;

        widen(&firsts[dispatch], &lasts[dispatch], unit->start, unit->busy_end);
    }
    for (size_t i = 0; i < count; i++) {
        int64_t room = timeline->limit - end;

        if (firsts[i] == NO_CYCLES || lasts[i] == NO_CYCLES)
            continue;
        if (firsts[i] < end) {
            timeline->offsets[i] = end - firsts[i];
            source_note(timeline->source, "each dispatch counts its cycles from 0: they are drawn one after the other");
        }
        end = lasts[i] > room ? timeline->limit : lasts[i] + timeline->offsets[i];
    }
    return STATUS_OK;
}

/* ---- tracks and names -------------------------------------------------------------------------------------------- */

static status engine_track(struct timeline *timeline, const struct engine *engine, uint32_t index, track_id *track)
{
    track_id *made = engine == &torq_engine_slice ? &timeline->slices[index] : &timeline->engines[engine->order];
    status code = STATUS_OK;

    assert(engine->order < TORQ_ORDERS && (engine != &torq_engine_slice || index < SLICES));
    if (*made == NO_ID)
        code = feed_engine(timeline->feed, engine, engine == &torq_engine_slice ? index : 0, timeline->clock, made);
    *track = *made;
    return code;
}

/* Waiting stands beside the work of its engine, under the same name, and counts in none of its sums. */
static status waiting_track(struct timeline *timeline, const struct engine *engine, uint32_t index, track_id *track)
{
    track_id *made =
        engine == &torq_engine_slice ? &timeline->waiting_slices[index] : &timeline->waiting[engine->order];
    struct track waiting = {
        .parent = timeline->feed->root,
        .order = feed_order(engine, index),
        .clock = timeline->clock,
        .kind = TRACK_SLICES,
        .engine = &torq_engine_waiting,
        .index = index,
    };
    status code = STATUS_OK;

    if (*made == NO_ID) {
        code = engine == &torq_engine_slice
                   ? strings_add_format(timeline->feed->strings, &waiting.name, "%s %u", engine->title, index)
                   : strings_add_text(timeline->feed->strings, engine->title, &waiting.name);
        if (code == STATUS_OK)
            code = feed_track(timeline->feed, waiting, made);
    }
    *track = *made;
    return code;
}

/* Name and operator of a slice from a location; `name` stays when it is set already. */
static status describe(struct timeline *timeline, struct slice *slice, string_id location, const struct engine *engine)
{
    status code = feed_operator(timeline->feed, location, &slice->op);

    if (code == STATUS_OK && !slice->name)
        slice->name = feed_operator_name(timeline->feed, slice->op);
    if (code == STATUS_OK && !slice->name)
        code = strings_add_text(timeline->feed->strings, engine->title, &slice->name);
    return code;
}

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

struct arguments {
    struct argument list[6]; /* more than any slice has */
    uint32_t count;          /* of them */
};

static void add_number(struct arguments *arguments, string_id key, int64_t value)
{
    arguments->list[arguments->count++] = (struct argument){ .key = key, .type = ARGUMENT_INTEGER, .integer = value };
}

static void add_text(struct arguments *arguments, string_id key, string_id value)
{
    arguments->list[arguments->count++] = (struct argument){ .key = key, .type = ARGUMENT_TEXT, .text = value };
}

static status draw(struct timeline *timeline, struct slice *slice, const struct item *item,
                   const struct arguments *arguments)
{
    slice->run = NO_ID;
    slice->start = item->start;
    slice->end = item->end;
    slice->arguments = arguments->list;
    slice->argument_count = arguments->count;
    return sink_slice(&timeline->feed->sink, slice);
}

static status draw_job(struct timeline *timeline, const struct item *item)
{
    const struct program *program = timeline->program;
    const struct program_job *job = program_job(program, item->index);
    struct slice slice = { .name = job->name };
    struct arguments arguments = { .count = 0 };
    status code = engine_track(timeline, &torq_engine_plan, 0, &slice.track);

    if (code == STATUS_OK)
        code = describe(timeline, &slice, job->location, &torq_engine_plan);
    if (code != STATUS_OK)
        return code;
    if (job->id >= 0)
        add_number(&arguments, timeline->keys.job, job->id);
    if (job->start_action != NO_ID)
        add_number(&arguments, timeline->keys.start_action, program_action(program, job->start_action)->id);
    if (job->wait_action != NO_ID)
        add_number(&arguments, timeline->keys.wait_action, program_action(program, job->wait_action)->id);
    if (job->kernels)
        add_text(&arguments, timeline->keys.kernels, job->kernels);
    return draw(timeline, &slice, item, &arguments);
}

static status draw_task(struct timeline *timeline, const struct item *item)
{
    const struct program_task *task = program_task(timeline->program, item->index);
    struct slice slice = { 0 };
    struct arguments arguments = { .count = 0 };
    status code = engine_track(timeline, &torq_engine_task, 0, &slice.track);

    if (code == STATUS_OK)
        code = task->id >= 0
                   ? strings_add_format(timeline->feed->strings, &slice.name, "task %lld", (long long)task->id)
                   : strings_add_text(timeline->feed->strings, "task", &slice.name);
    if (code == STATUS_OK)
        code = describe(timeline, &slice, task->location, &torq_engine_task);
    if (code != STATUS_OK)
        return code;
    if (task->id >= 0)
        add_number(&arguments, timeline->keys.task, task->id);
    return draw(timeline, &slice, item, &arguments);
}

static status draw_unit(struct timeline *timeline, const struct item *item)
{
    const struct program *program = timeline->program;
    const struct program_unit *unit = program_unit(program, item->index);
    const struct program_task *task = program_task(program, program_step(program, unit->start_step)->task);
    const struct program_job *job = program_job(program, unit->job);
    struct slice slice = { .name = unit->kernel };
    struct arguments arguments = { .count = 0 };
    status code = engine_track(timeline, unit->engine, unit->index, &slice.track);

    if (code == STATUS_OK)
        code = describe(timeline, &slice, unit->location, unit->engine);
    if (code != STATUS_OK)
        return code;
    if (unit->bytes >= 0)
        add_number(&arguments, KEY_BYTES, unit->bytes);
    if (task->id >= 0)
        add_number(&arguments, timeline->keys.task, task->id);
    if (job->id >= 0)
        add_number(&arguments, timeline->keys.job, job->id);
    if (unit->transfer)
        add_text(&arguments, timeline->keys.transfer, unit->transfer);
    return draw(timeline, &slice, item, &arguments);
}

static status draw_waiting(struct timeline *timeline, const struct item *item)
{
    const struct program_unit *unit = program_unit(timeline->program, item->index);
    struct slice slice = { .name = timeline->waiting_name };
    struct arguments arguments = { .count = 0 };
    status code = waiting_track(timeline, unit->engine, unit->index, &slice.track);

    if (code == STATUS_OK)
        code = feed_operator(timeline->feed, unit->location, &slice.op);
    return code == STATUS_OK ? draw(timeline, &slice, item, &arguments) : code;
}

typedef status (*draw_call)(struct timeline *timeline, const struct item *item);

static status draw_items(struct timeline *timeline, struct item *items, size_t count, draw_call call)
{
    status code = STATUS_OK;

    sort_items(items, count);
    for (size_t i = 0; i < count && code == STATUS_OK; i++)
        code = call(timeline, &items[i]);
    return code;
}

static status draw_all(struct timeline *timeline, struct item *items)
{
    const struct program *program = timeline->program;
    size_t count = 0;
    status code;

    for (uint32_t i = 0; i < program->jobs.count; i++) {
        const struct program_job *job = program_job(program, i);

        add_item(timeline, items, &count, job->dispatch, job->start, job->end, i);
    }
    code = draw_items(timeline, items, count, draw_job);
    count = 0;
    for (uint32_t i = 0; i < program->tasks.count && code == STATUS_OK; i++) {
        const struct program_task *task = program_task(program, i);

        add_item(timeline, items, &count, program_job(program, task->job)->dispatch, task->start, task->end, i);
    }
    code = code == STATUS_OK ? draw_items(timeline, items, count, draw_task) : code;
    count = 0;
    for (uint32_t i = 0; i < program->units.count && code == STATUS_OK; i++) {
        const struct program_unit *unit = program_unit(program, i);

        add_item(timeline, items, &count, program_job(program, unit->job)->dispatch, unit->start, unit->busy_end, i);
    }
    code = code == STATUS_OK ? draw_items(timeline, items, count, draw_unit) : code;
    count = 0;
    for (uint32_t i = 0; i < program->units.count && code == STATUS_OK; i++) {
        const struct program_unit *unit = program_unit(program, i);

        if (unit->busy_end != NO_CYCLES && unit->wait_end != NO_CYCLES && unit->wait_end > unit->busy_end)
            add_item(timeline, items, &count, program_job(program, unit->job)->dispatch, unit->busy_end, unit->wait_end,
                     i);
    }
    return code == STATUS_OK ? draw_items(timeline, items, count, draw_waiting) : code;
}

static size_t largest(const struct program *program)
{
    size_t most = program->jobs.count > program->tasks.count ? program->jobs.count : program->tasks.count;

    return most > program->units.count ? most : program->units.count;
}

static status draw_timeline(struct timeline *timeline)
{
    struct item *items = NULL;
    status code = strings_add_text(timeline->feed->strings, "WAITING", &timeline->waiting_name);

    for (unsigned i = 0; i < TORQ_ORDERS; i++)
        timeline->engines[i] = timeline->waiting[i] = NO_ID;
    for (unsigned i = 0; i < SLICES; i++)
        timeline->slices[i] = timeline->waiting_slices[i] = NO_ID;
    if (code == STATUS_OK)
        code = place_dispatches(timeline);
    if (code == STATUS_OK) {
        items = memory_allocate(largest(timeline->program) * sizeof *items);
        code = items ? draw_all(timeline, items) : status_no_memory("drawing a program");
    }
    memory_free(items);
    memory_free(timeline->offsets);
    return code;
}

/* ---- the reader -------------------------------------------------------------------------------------------------- */

static bool is_bytecode(struct text head)
{
    return text_begins(head, "ML\xEFR");
}

static status check_text(const struct source *source)
{
    struct text head;
    status code = input_head(source->input, &head);

    if (code == STATUS_OK && is_bytecode(head))
        code = status_fail_at(STATUS_INPUT, (struct place){ .file = input_name(source->input) },
                              "MLIR bytecode, which Tacho does not read; dump text instead: compile with "
                              "--dump-compilation-phases-to=DIR and give the *.executable-targets.mlir file");
    return code;
}

static void note_program(struct source *source, const struct program *program, const struct lowered *lowered)
{
    if (!program->actions.count && !program->jobs.count)
        source_note(source, "the dump starts no programs: it is of an earlier phase than executable-targets");
    if (lowered->unused_programs)
        source_note(source, "an NSS program that nothing starts is left out");
    if (lowered->cut_jobs)
        source_note(source, "a program that runs very often is shown without its tasks in the later runs");
}

/* Ids that several actions of a dispatch share: kept, and said. */
static void mark_repeated(struct feed *feed, const struct program *program)
{
    for (uint32_t i = 1; i < program->actions.count; i++) {
        const struct program_action *before = program_action(program, i - 1), *here = program_action(program, i);

        if (before->dispatch == here->dispatch && before->id == here->id)
            feed_lose(feed, &loss_repeated_id, 0);
    }
}

/* Parse the whole input into `program`; rows and losses are counted in `feed`. */
static status fill_program(struct source *source, struct feed *feed, int64_t limit, struct program *program)
{
    struct builder builder;
    struct lowered lowered;
    status code = check_text(source);

    if (code != STATUS_OK)
        return code;
    source->generation = "M1";
    source->engines_known = true;
    code = builder_start(&builder, limit);
    if (code == STATUS_OK)
        code = mlir_parse(source, feed, &builder);
    if (code == STATUS_OK && !builder.first)
        code = status_fail_at(STATUS_INPUT, (struct place){ .file = input_name(source->input) },
                              "no Torq operations in this MLIR file; expected is the *.executable-targets.mlir dump of "
                              "torq-compile --dump-compilation-phases-to=DIR");
    if (code == STATUS_OK)
        code = builder_lower(&builder, program, &lowered);
    if (code == STATUS_OK) {
        note_program(source, program, &lowered);
        mark_repeated(feed, program);
    }
    builder_free(&builder);
    return code;
}

static status read_mlir(struct source *source, struct feed *feed)
{
    struct timeline timeline = { .source = source, .feed = feed };
    struct program *program = memory_allocate(sizeof *program);
    struct clock clock;
    status code;

    if (!program)
        return status_no_memory("reading a program");
    program_start(program, feed->strings);
    source->kept = program;
    code = torq_clock(source, feed->strings, &clock);
    if (code != STATUS_OK)
        return code;
    torq_names_start(source, feed);
    code = torq_keys_start(&timeline.keys, feed->strings);
    if (code != STATUS_OK)
        return code;
    timeline.program = program;
    timeline.limit = clock_limit(&clock);
    code = fill_program(source, feed, timeline.limit, program);
    if (code == STATUS_OK)
        code = feed_clock(feed, &clock, &timeline.clock);
    if (code == STATUS_OK && program->has_estimate)
        code = draw_timeline(&timeline);
    else if (code == STATUS_OK)
        source_note(source,
                    "the dump carries no cycle estimates: compile with --torq-enable-profiling to get a timeline");
    return code == STATUS_OK ? torq_names_finish(source, feed) : code;
}

static void release(struct source *source)
{
    if (source->kept)
        program_free(source->kept);
    memory_free(source->kept);
    source->kept = NULL;
}

/* Memory and cycles of what was compiled. */
static status details(const struct source *source, struct table **tables, size_t most, size_t *count)
{
    const struct program *program = source->kept;
    status code = STATUS_OK;

    *count = 0;
    if (most < 2)
        return STATUS_OK;
    code = footprint_dispatches(program, &tables[0]);
    if (code != STATUS_OK)
        return code;
    code = footprint_kernels(program, &tables[1]);
    if (code == STATUS_OK)
        *count = 2;
    else
        table_free(tables[0]);
    return code;
}

status torq_read_program(struct source *source, struct program *program)
{
    static const struct sink_calls no_calls = { 0 };
    struct feed feed;
    struct clock clock;
    status code = torq_clock(source, program->strings, &clock);

    if (code != STATUS_OK)
        return code;
    feed_start(&feed, (struct sink){ &no_calls, NULL }, program->strings);
    code = fill_program(source, &feed, clock_limit(&clock), program);
    if (code == STATUS_OK && feed.losses.lost)
        source_note(source, "some operations of the dump could not be read: convert it by itself to see which");
    feed_free(&feed);
    return code;
}

/* ---- recognising ------------------------------------------------------------------------------------------------- */

/* What follows the blanks and comments that a text begins with. */
static struct text first_word(struct text head)
{
    text_cut_start(&head, "\xEF\xBB\xBF");
    for (head = text_trim(head); text_begins(head, "//"); head = text_trim(head))
        text_take(&head, '\n');
    return head;
}

static int probe_mlir(struct text head, const char *path)
{
    static const char *const beginnings[] = { "module",   "builtin.module", "\"builtin.module\"", "#",
                                              "!",        "func.func",      "\"func.func\"",      "hal.executable",
                                              "torq_hl.", "torq_hw.",       "\"torq_hl.",         "\"torq_hw.",
                                              "%",        "util.global" };
    static const char *const marks[] = {
        "module {", "module @", "builtin.module", "func.func", "hal.executable", "#loc"
    };
    bool named = path && path_ends(path, ".mlir");
    bool begins = text_contains(head, "// -----// IR Dump");
    bool marked = false;
    struct text word;

    if (is_bytecode(head))
        return 100;
    word = first_word(head);
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        begins |= text_begins(word, beginnings[i]);
    if (!begins && !named)
        return 0;
    for (size_t i = 0; i < sizeof marks / sizeof *marks && !marked; i++)
        marked = text_contains(head, marks[i]);
    if (text_contains(head, "torq_hl.") || text_contains(head, "torq_hw.") || text_contains(head, "#torq_hl"))
        return marked ? 95 : 80;
    return marked ? 60 : named ? 40 : 0;
}

static const struct companion *const companions[] = { &torq_origin_companion, NULL };

const struct reader torq_mlir_reader = {
    .id = "torq-mlir",
    .title = "Torq program (MLIR text)",
    .chain = &torq_chain,
    .kind = READER_PROGRAM,
    .files = "*.executable-targets.mlir",
    .companions = companions,
    .probe = probe_mlir,
    .read = read_mlir,
    .details = details,
    .release = release,
};
