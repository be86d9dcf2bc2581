#include "job/session.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/number.h"
#include "executorch/load.h"

/* Files and folders that the user named must be there: what they lack later is told in notes only. */
static status check_origin(const struct session_options *options)
{
    struct input *input;
    struct stat about;
    status code = options->original_mlir ? input_open(options->original_mlir, &input) : STATUS_OK;

    if (options->original_mlir && code == STATUS_OK)
        input_close(input);
    if (code == STATUS_OK && options->source_dir && (stat(options->source_dir, &about) != 0 || !S_ISDIR(about.st_mode)))
        code = status_fail_at(STATUS_INPUT, (struct place){ options->source_dir, 0, 0 },
                              "no such folder; --source-dir wants the one that holds the model's source");
    return code;
}

status session_start(struct session *session, const struct session_options *options)
{
    const char *clock_mhz = options->clock_mhz ? options->clock_mhz : "800";
    status code = STATUS_OK;

    *session = (struct session){ .options = *options };
    if (!number_parse_fraction(clock_mhz, &session->clock_numerator, &session->clock_denominator))
        return status_fail(STATUS_USAGE, "the clock wants a positive number of MHz such as 800 or 1202.5, not \"%s\"",
                           clock_mhz);
    if (options->ticks && !tick_rate_parse(options->ticks, &session->ticks))
        return status_fail(STATUS_USAGE, "ticks are ns, us or cycles:MHZ, not \"%s\"", options->ticks);
    if (options->dispatch && !options->mlir)
        return status_fail(STATUS_USAGE, "a dispatch can be chosen only with a program: --mlir");
    if (options->format && !reader_named(options->format))
        return status_fail(STATUS_USAGE, "no format is called \"%s\"; see tacho formats", options->format);
    session->strings = options->strings ? options->strings : strings_new();
    if (!session->strings)
        return status_no_memory("starting");
    program_start(&session->program, session->strings);
    program_start(&session->dump, session->strings);
    code = check_origin(options);
    if (code == STATUS_OK && (options->original_mlir || options->source_dir))
        code = origin_open(options->original_mlir, options->source_dir, false, session->strings, &session->origin);
    if (code == STATUS_OK && options->mlir)
        code = session_read_program(session, options->mlir);
    return code;
}

void session_end(struct session *session)
{
    for (size_t i = 0; i < session->profile_count; i++) {
        input_close(session->profiles[i].input);
        memory_free(session->profiles[i].display);
        if (session->profiles[i].has_graph)
            graph_free(&session->profiles[i].graph);
    }
    memory_free(session->profiles);
    program_free(&session->program);
    program_free(&session->dump);
    origin_close(session->origin);
    if (!session->options.strings)
        strings_free(session->strings);
    *session = (struct session){ 0 };
}

static void fill_source(const struct session *session, struct source *source, struct input *input, const char *path)
{
    *source = (struct source){
        .input = input,
        .path = path,
        .clock_numerator = session->clock_numerator,
        .clock_denominator = session->clock_denominator,
        .clock_given = session->options.clock_mhz != NULL,
        .slices = session->options.slices,
        .strict = session->options.strict,
        .ticks = session->ticks,
    };
}

static status choose_dispatch(struct session *session)
{
    string_id name;

    if (!session->options.dispatch)
        return STATUS_OK;
    if (strings_find(session->strings, session->options.dispatch, strlen(session->options.dispatch), &name)) {
        for (uint32_t i = 0; i < session->program.dispatches.count; i++) {
            if (program_dispatch(&session->program, i)->name == name) {
                session->program.chosen = i;
                return STATUS_OK;
            }
        }
    }
    return status_fail(STATUS_USAGE, "the program has no dispatch called \"%s\"", session->options.dispatch);
}

status session_read_program(struct session *session, const char *path)
{
    const struct reader *reader;
    struct source source;
    struct input *input;
    status code;

    if (session->has_program)
        return status_fail(STATUS_USAGE, "%s: only one program dump can be given", path);
    code = reader_open(path, NULL, &input, &reader);
    fill_source(session, &source, input, path);
    if (code == STATUS_OK && !reader->read_program)
        code = reader_refuse(reader, path, "it is not a program dump: --mlir wants an *.executable-targets.mlir file");
    if (code == STATUS_OK)
        code = reader->read_program(&source, &session->program);
    input_close(input);
    session->has_program = code == STATUS_OK;
    return code == STATUS_OK ? choose_dispatch(session) : code;
}

const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

void path_stem(const char *path, char *to, size_t size)
{
    char *dot;

    snprintf(to, size, "%s", strcmp(path, "-") == 0 ? "stdin" : path_name(path));
    for (dot = strrchr(to, '.'); dot && dot != to && (strcmp(dot, ".gz") == 0 || strcmp(dot, ".zst") == 0);
         dot = strrchr(to, '.'))
        *dot = '\0';
    if (dot && dot != to)
        *dot = '\0';
}

bool path_ends(const char *path, const char *suffix)
{
    size_t length = strlen(path), tail = strlen(suffix);

    return length >= tail && strcmp(path + length - tail, suffix) == 0;
}

static status open_profile(struct session *session, struct profile *profile, const char *display)
{
    status code;

    profile->display = memory_copy_text(display);
    if (!profile->display)
        return status_no_memory("opening inputs");
    code = reader_open(profile->path, session->options.format, &profile->input, &profile->reader);
    fill_source(session, &profile->source, profile->input, profile->path);
    return code;
}

status session_add(struct session *session, const char *path, const char *display)
{
    struct profile *profile;
    status code =
        memory_grow(&session->profiles, &session->profile_capacity, session->profile_count + 1, sizeof *profile);

    if (code != STATUS_OK)
        return code;
    profile = &session->profiles[session->profile_count++];
    *profile = (struct profile){
        .path = path,
        .order = session->options.order + (int32_t)(session->profile_count - 1) * 2,
        .process = NO_ID,
    };
    return open_profile(session, profile, display);
}

status session_add_all(struct session *session, const char *const *paths, size_t count)
{
    status code = STATUS_OK;
    unsigned standard_inputs = 0;

    for (size_t i = 0; i < count; i++)
        standard_inputs += strcmp(paths[i], "-") == 0;
    if (standard_inputs > 1)
        return status_fail(STATUS_USAGE, "standard input can be read only once");
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        const char *name = strcmp(paths[i], "-") == 0 ? "stdin" : path_name(paths[i]);
        char display[512];

        if (count > 1)
            snprintf(display, sizeof display, "%02zu %s", i + 1, name);
        else
            snprintf(display, sizeof display, "%s", name);
        code = session_add(session, paths[i], display);
    }
    return code;
}

static bool same_file(const char *path, const struct stat *other)
{
    struct stat found;

    return path && stat(path, &found) == 0 && S_ISREG(found.st_mode) && found.st_dev == other->st_dev &&
           found.st_ino == other->st_ino;
}

status session_check_output(const struct session *session, const char *path)
{
    const struct session_options *options = &session->options;
    struct stat target;
    bool same;

    if (stat(path, &target) != 0)
        return STATUS_OK;
    same = same_file(options->mlir, &target) || same_file(options->etrecord, &target) ||
           same_file(options->original_mlir, &target);
    for (size_t i = 0; i < session->profile_count; i++)
        same |= same_file(session->profiles[i].path, &target);
    return same ? status_fail(STATUS_USAGE, "%s: is an input too; choose another output", path) : STATUS_OK;
}

status output_check_inputs(const char *output, const char *const *inputs, size_t count)
{
    struct stat target;

    if (!output || strcmp(output, "-") == 0 || stat(output, &target) != 0)
        return STATUS_OK;
    for (size_t i = 0; i < count; i++)
        if (same_file(inputs[i], &target))
            return status_fail(STATUS_USAGE, "%s: is an input too; choose another output", output);
    return STATUS_OK;
}

/* The record of a profile of inferences: the one that was given, else the one beside it where that can be read. */
static status read_record(struct session *session, struct profile *profile)
{
    char beside[4096];
    const char *path = session->options.etrecord;
    status code;

    if (!profile->reader->read_execution || (!path && !load_find_etrecord(profile->path, beside, sizeof beside)))
        return STATUS_OK;
    profile->has_graph = true;
    code = load_graph(path ? path : beside, session->strings, &profile->graph);
    if (code == STATUS_INPUT && !path) {
        status_clear();
        source_note(&profile->source, "the ETRecord beside the file cannot be read: operators have no source");
        return STATUS_OK;
    }
    profile->source.graph = &profile->graph;
    return code;
}

status session_read(struct session *session, struct profile *profile, struct feed *feed,
                    const struct estimate *estimate)
{
    string_id name;
    status code = strings_add_text(session->strings, profile->display, &name);

    profile->source.program = session->has_program ? &session->program : NULL;
    profile->source.keep = session->has_dump ? NULL : &session->dump;
    profile->source.estimate = estimate;
    if (session->options.progress) {
        progress_start(&profile->progress, "reading", profile->path, profile->input ? input_size(profile->input) : 0);
        profile->source.progress = &profile->progress;
    }
    if (code == STATUS_OK)
        code = read_record(session, profile);
    if (code == STATUS_OK)
        code = feed_input(feed, name, profile->order);
    profile->process = feed->root;
    if (code == STATUS_OK)
        code = profile->reader->read(&profile->source, feed);
    session->has_dump |= profile->reader->read_program != NULL;
    if (profile->source.progress)
        progress_finish(&profile->progress);
    if (code == STATUS_OK && feed->losses.rows && !feed->losses.used)
        code = losses_fail(&feed->losses, profile->path, profile->reader->id);
    if (code == STATUS_OK)
        code = feed_input_end(feed);
    profile->losses = feed->losses;
    return code;
}

status profile_metrics(const struct profile *profile, const struct busy *busy, struct metrics *metrics)
{
    struct metrics_scope scope = {
        .measured = profile->reader->kind == READER_MEASURED,
        .engines = profile->source.engines_known,
    };

    return metrics_compute(busy, profile->process, scope, metrics);
}

size_t profile_notes(const struct profile *profile, const struct metrics *metrics, const char *notes[PROFILE_NOTES])
{
    size_t count = 0;

    for (unsigned i = 0; i < profile->source.note_count; i++)
        notes[count++] = profile->source.notes[i];
    if (metrics->present[METRIC_HAL])
        notes[count++] = "HAL calls enclose the dispatches that they start; they are shown but do not count as busy";
    return count;
}
