/* companions.c: loads what belongs to Torq's profiles, and ties a compiler's estimate to measured jobs. */
#include "torq/companions.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/path.h"
#include "torq/chain.h"

enum { USUAL_MHZ = 800, USUAL_SLICES = 2, MOST_SLICES = 1024 };

/* ---- Options ------------------------------------------------------------------------------------------------------ */

const struct chain_option torq_options[] = {
    { "mlir", "FILE", "program dump: engines and kernels of a log's jobs" },
    { "original-mlir", "FILE", "the model's source: names of operators" },
    { "source-dir", "DIR", "folder with the model's source: names of operators" },
    { "dispatch", "NAME", "dispatch of a log that names none (default: last)" },
    { "slices", "N", "slices, for logs with issue numbers (default 2)" },
    { 0 },
};

/* 0: no number that will do. */
static uint32_t parse_slices(const char *text)
{
    int64_t number;

    return number_parse_integer(text, strlen(text), &number) && number >= 1 && number <= MOST_SLICES ? (uint32_t)number
                                                                                                     : 0;
}

status torq_check_options(const struct settings *settings)
{
    const char *slices = settings_get(settings, "slices"), *folder = settings_get(settings, "source-dir");
    const char *original = settings_get(settings, "original-mlir");
    struct input *input;
    status code;

    if (slices && !parse_slices(slices))
        return status_fail(STATUS_USAGE, "--slices wants a whole number from 1 to %d, not \"%s\"", MOST_SLICES, slices);
    if (settings_get(settings, "dispatch") && !settings_get(settings, "mlir"))
        return status_fail(STATUS_USAGE, "a dispatch can be chosen only with a program: --mlir");
    /* Files and folders that the user named must be there: what they lack later is told in notes only. */
    if (original) {
        code = input_open(original, &input);
        if (code != STATUS_OK)
            return code;
        input_close(input);
    }
    if (folder && !path_is_folder(folder))
        return status_fail_at(STATUS_INPUT, (struct place){ folder, 0, 0 },
                              "no such folder; --source-dir wants the one that holds the model's source");
    return STATUS_OK;
}

uint32_t torq_slices(const struct source *source)
{
    const char *slices = settings_get(source->settings, "slices");

    return slices && parse_slices(slices) ? parse_slices(slices) : USUAL_SLICES;
}

struct clock torq_cycles(const struct source *source)
{
    bool given = source->clock_numerator != 0;

    assert(!given || source->clock_denominator);
    return clock_of_mhz(given ? source->clock_numerator : USUAL_MHZ,
                        given && source->clock_denominator ? source->clock_denominator : 1, 0);
}

status torq_clock(const struct source *source, struct strings *strings, struct clock *clock)
{
    uint64_t numerator = source->clock_numerator ? source->clock_numerator : USUAL_MHZ;
    uint64_t denominator = source->clock_numerator && source->clock_denominator ? source->clock_denominator : 1;
    char megahertz[40];
    size_t length = numerator % denominator == 0
                        ? number_write_unsigned(megahertz, numerator / denominator)
                        : number_write_shortest(megahertz, (double)numerator / (double)denominator);

    *clock = torq_cycles(source);
    return strings_add_format(strings, &clock->name, "cycles at %.*s MHz", (int)length, megahertz);
}

/* ---- The program -------------------------------------------------------------------------------------------------- */

static status choose_dispatch(struct program *program, const char *wanted)
{
    string_id name;

    if (!wanted)
        return STATUS_OK;
    if (!strings_find(program->strings, wanted, strlen(wanted), &name) || !name ||
        program_find_dispatch(program, name) == NO_ID)
        return status_fail(STATUS_USAGE, "the program has no dispatch called \"%s\"", wanted);
    program->chosen = program_find_dispatch(program, name);
    return STATUS_OK;
}

static void unload_program(void *loaded)
{
    program_free(loaded);
    memory_free(loaded);
}

static status load_program(const struct companion_request *request, void **loaded)
{
    const struct settings *settings = request->source->settings;
    const char *path = settings_get(settings, "mlir");
    struct source source = { .path = path,
                             .clock_numerator = request->source->clock_numerator,
                             .clock_denominator = request->source->clock_denominator,
                             .settings = settings,
                             .strict = request->source->strict };
    const struct reader *reader;
    struct program *program;
    status code;

    if (!path)
        return STATUS_OK;
    program = memory_allocate(sizeof *program);
    if (!program)
        return status_no_memory("reading a program");
    program_start(program, request->strings);
    code = reader_open(path, NULL, &source.input, &reader);
    if (code == STATUS_OK && reader != &torq_mlir_reader)
        code = reader_refuse(reader, path, "it is not a program dump: --mlir wants an *.executable-targets.mlir file");
    if (code == STATUS_OK)
        code = torq_read_program(&source, program);
    input_close(source.input);
    if (code == STATUS_OK)
        code = choose_dispatch(program, settings_get(settings, "dispatch"));
    if (code == STATUS_OK)
        *loaded = program;
    else
        unload_program(program);
    return code;
}

const struct companion torq_program_companion = {
    .role = "program", .option = "mlir", .shared = true, .load = load_program, .unload = unload_program
};

const struct program *torq_program(const struct source *source)
{
    return source_companion(source, "program");
}

/* ---- The source of the model -------------------------------------------------------------------------------------- */

static status load_origin(const struct companion_request *request, void **loaded)
{
    const char *file = settings_get(request->source->settings, "original-mlir");
    const char *folder = settings_get(request->source->settings, "source-dir");
    struct origin *origin = NULL;
    status code = STATUS_OK;

    if (file || folder)
        code = origin_open(file, folder, false, request->strings, &origin);
    *loaded = origin;
    return code;
}

static void unload_origin(void *loaded)
{
    origin_close(loaded);
}

const struct companion torq_origin_companion = {
    .role = "origin", .option = "original-mlir", .shared = true, .load = load_origin, .unload = unload_origin
};

struct origin *torq_origin(const struct source *source)
{
    return (struct origin *)(uintptr_t)source_companion(source, "origin");
}

/* ---- The estimate beside measured jobs ---------------------------------------------------------------------------- */

const struct estimate *torq_estimate(const struct source *source)
{
    return source_companion(source, "estimate");
}

/* How many inputs of this kind are Torq's; the last of them in `*found`. */
static size_t count_inputs(const struct tied_input *inputs, size_t count, enum reader_kind kind,
                           const struct tied_input **found)
{
    size_t sum = 0;

    for (size_t i = 0; i < count; i++) {
        if (inputs[i].reader->chain != &torq_chain || inputs[i].reader->kind != kind)
            continue;
        *found = &inputs[i];
        sum++;
    }
    return sum;
}

static void note_measured(const struct tied_input *inputs, size_t count, const char *note)
{
    for (size_t i = 0; i < count; i++)
        if (inputs[i].reader->kind == READER_MEASURED)
            source_note(inputs[i].source, note);
}

static status open_tie(const struct tied_input *inputs, size_t count, struct strings *strings, void **tie)
{
    const struct tied_input *measured = NULL, *timeline = NULL;
    size_t measurements = count_inputs(inputs, count, READER_MEASURED, &measured);
    size_t timelines = count_inputs(inputs, count, READER_ESTIMATE, &timeline);
    struct estimate *estimate;

    *tie = NULL;
    if (!measurements || (!timelines && !torq_program(measured->source)))
        return STATUS_OK;
    estimate = memory_allocate(sizeof *estimate);
    if (!estimate)
        return status_no_memory("keeping an estimate");
    estimate_start(estimate, strings);
    estimate->keep = timelines == 1;
    *tie = estimate;
    return STATUS_OK;
}

static void close_tie(void *tie)
{
    estimate_free(tie);
    memory_free(tie);
}

static struct sink listen(void *tie)
{
    return estimate_sink(tie);
}

static status prepare(void *tie, const struct tied_input *inputs, size_t count, bool *ready)
{
    const struct tied_input *measured = NULL, *timeline = NULL;
    size_t timelines = count_inputs(inputs, count, READER_ESTIMATE, &timeline);
    struct estimate *estimate = tie;
    const struct program *program;
    struct clock cycles;
    status code = STATUS_OK;

    *ready = false;
    if (!count_inputs(inputs, count, READER_MEASURED, &measured))
        return STATUS_OK;
    program = torq_program(measured->source);
    cycles = torq_cycles(measured->source);
    if (!timelines && !(program && program->has_estimate))
        return STATUS_OK;
    if (timelines > 1) {
        note_measured(inputs, count, "several compile timelines are given: none is drawn beside the measured jobs");
        return STATUS_OK;
    }
    if (!timelines)
        code = estimate_from_program(estimate, program, &cycles);
    else if (estimate->key == ESTIMATE_BY_NOTHING)
        note_measured(inputs, count,
                      "the compile timeline names neither actions nor tasks: its estimate is not drawn beside "
                      "the measured jobs");
    else if (estimate->key == ESTIMATE_BY_TASK && !program)
        note_measured(inputs, count,
                      "the compile timeline names tasks: give --mlir to draw its estimate beside the measured jobs");
    if (code == STATUS_OK)
        code = estimate_complete(estimate, program);
    *ready = estimate->key == ESTIMATE_BY_ACTION || (estimate->key == ESTIMATE_BY_TASK && program);
    return code;
}

static void finish(void *tie, struct source *source, bool drawn)
{
    (void)tie;
    if (!drawn)
        source_note(source, "no measured job has a key that the estimate has: it is not drawn beside the jobs; "
                            "--mlir ties more of them");
}

const struct tie torq_estimate_tie = {
    .role = "estimate",
    .open = open_tie,
    .close = close_tie,
    .listen = listen,
    .prepare = prepare,
    .finish = finish,
};
