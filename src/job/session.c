/* session.c: inputs opened, companions loaded, profiles read. */
#include "job/session.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/path.h"
#include "table/table.h"
#include "trace/clock.h"

status session_start(struct session *session, const struct session_options *options)
{
    const struct reader *given;
    status code;

    *session = (struct session){ .options = *options };
    if (options->clock_mhz &&
        !clock_parse_mhz(options->clock_mhz, &session->clock_numerator, &session->clock_denominator))
        return status_fail(STATUS_USAGE, "the clock wants a positive number of MHz such as 800 or 1202.5, not \"%s\"",
                           options->clock_mhz);
    if (options->ticks && !tick_rate_parse(options->ticks, &session->ticks))
        return status_fail(STATUS_USAGE, "ticks are ns, us or cycles:MHZ, not \"%s\"", options->ticks);
    code = reader_given(options->format, &given);
    if (code != STATUS_OK)
        return code;
    session->strings = options->strings ? options->strings : model_strings();
    if (!session->strings)
        return status_no_memory("starting");
    for (const struct chain *const *chain = chains; *chain && code == STATUS_OK; chain++)
        if ((*chain)->check)
            code = (*chain)->check(&options->settings);
    return code;
}

void session_end(struct session *session)
{
    for (size_t i = 0; i < session->profile_count; i++) {
        struct profile *profile = &session->profiles[i];

        if (profile->reader && profile->reader->release)
            profile->reader->release(&profile->source);
        input_close(profile->input);
        memory_free(profile->display);
    }
    for (size_t i = 0; i < session->companion_count; i++)
        if (session->companions[i].value)
            session->companions[i].companion->unload(session->companions[i].value);
    memory_free(session->companions);
    memory_free(session->profiles);
    if (!session->options.strings)
        strings_free(session->strings);
    *session = (struct session){ 0 };
}

/* ---- Inputs ------------------------------------------------------------------------------------------------------- */

static const struct loaded_companion *find_loaded(const struct session *session, const struct companion *companion)
{
    for (size_t i = 0; i < session->companion_count && companion->shared; i++)
        if (session->companions[i].companion == companion)
            return &session->companions[i];
    return NULL;
}

static status load_companion(struct session *session, struct profile *profile, const struct companion *companion)
{
    struct companion_request request = { .source = &profile->source, .strings = session->strings };
    const struct loaded_companion *known = find_loaded(session, companion);
    struct loaded_companion *loaded;
    status code = STATUS_OK;

    if (!known) {
        code = memory_grow(&session->companions, &session->companion_capacity, session->companion_count + 1,
                           sizeof *session->companions);
        if (code != STATUS_OK)
            return code;
        loaded = &session->companions[session->companion_count++];
        *loaded = (struct loaded_companion){ .companion = companion };
        code = companion->load(&request, &loaded->value);
        known = loaded;
    }
    if (known->value)
        source_add_companion(&profile->source, companion->role, known->value);
    return code;
}

/* What a reader is told of a profile. */
static void prepare_source(const struct session *session, struct profile *profile)
{
    profile->source = (struct source){
        .input = profile->input,
        .path = profile->path,
        .settings = &session->options.settings,
        .clock_numerator = session->clock_numerator,
        .clock_denominator = session->clock_denominator,
        .ticks = session->ticks,
        .strict = session->options.strict,
        .force_companion = session->options.force_companion,
    };
}

static status load_companions(struct session *session, struct profile *profile)
{
    const struct companion *const *companions = profile->reader->companions;
    status code = STATUS_OK;

    prepare_source(session, profile);
    for (size_t i = 0; code == STATUS_OK && companions && companions[i]; i++)
        code = load_companion(session, profile, companions[i]);
    return code;
}

static status open_profile(struct session *session, struct profile *profile)
{
    status code = reader_open(profile->path, session->options.format, &profile->input, &profile->reader);

    return code == STATUS_OK ? load_companions(session, profile) : code;
}

static struct profile *last_profile(const struct session *session)
{
    return &session->profiles[session->profile_count - 1];
}

/* One more profile, not opened yet. */
static status append_profile(struct session *session, const char *path)
{
    status code = memory_grow(&session->profiles, &session->profile_capacity, session->profile_count + 1,
                              sizeof *session->profiles);

    assert(session->strings && path && "a session is started before its inputs");
    if (code != STATUS_OK)
        return code;
    session->profile_count++;
    *last_profile(session) = (struct profile){
        .path = path,
        .order = session->options.order + (int32_t)(session->profile_count - 1) * 2,
        .process = NO_ID,
    };
    return STATUS_OK;
}

/* Opens one more input, without its name. */
static status add_profile(struct session *session, const char *path)
{
    status code = append_profile(session, path);

    return code == STATUS_OK ? open_profile(session, last_profile(session)) : code;
}

/* Names what was opened last. */
static status name_profile(struct session *session, const char *name, const char *display)
{
    struct profile *profile = last_profile(session);
    string_id id;
    status code = strings_add_text(session->strings, name, &id);

    if (code == STATUS_OK)
        profile->name = strings_text(session->strings, id);
    profile->display = memory_copy_text(display);
    return code == STATUS_OK && !profile->display ? status_no_memory("opening inputs") : code;
}

/* The inputs in the file that was opened last. What comes through a pipe is read once, as a whole. */
static status find_inputs(const struct session *session, string_id **names, size_t *count)
{
    const struct profile *profile = last_profile(session);

    *names = NULL;
    *count = 0;
    if (!profile->reader->inputs || !path_is_file(profile->path))
        return STATUS_OK;
    return profile->reader->inputs(profile->input, session->strings, names, count);
}

status session_add(struct session *session, const char *path, const char *display)
{
    string_id *names = NULL;
    size_t count = 0;
    status code = add_profile(session, path);

    if (code == STATUS_OK)
        code = name_profile(session, path_name(path), display);
    if (code == STATUS_OK)
        code = find_inputs(session, &names, &count);
    if (code == STATUS_OK && count > 1) {
        last_profile(session)->source.part = 1;
        last_profile(session)->source.only_of = count;
    }
    memory_free(names);
    return code;
}

/* The name of a file. That of a folder ("full", ".logs") says too little: the folder that it lies in comes before it. */
static void name_input(const char *path, char *name, size_t size)
{
    struct path whole = { 0 };

    snprintf(name, size, "%s", strcmp(path, "-") == 0 ? "stdin" : path_name(path));
    if (path_is_folder(path) && path_resolve(&whole, path) == STATUS_OK) {
        struct text above = path_folder(whole.text);
        const char *parent = above.data + above.length;

        while (parent > above.data && parent[-1] != '/')
            parent--;
        snprintf(name, size, "%.*s%s%s", (int)(above.data + above.length - parent), parent, *parent == '/' ? "" : ": ",
                 path_name(whole.text));
    }
    path_free(&whole);
}

enum { LONGEST_NAME = 400 };

status session_add_known(struct session *session, const char *path, const struct reader *reader, const char *role,
                         const void *known)
{
    status code = append_profile(session, path);
    char name[LONGEST_NAME];

    assert(reader && role && known);
    if (code != STATUS_OK)
        return code;
    last_profile(session)->reader = reader;
    prepare_source(session, last_profile(session));
    source_add_companion(&last_profile(session)->source, role, known);
    name_input(path, name, sizeof name);
    return name_profile(session, name, name);
}

status session_add_open(struct session *session, const char *path, struct input *input, const struct reader *reader)
{
    status code = append_profile(session, path);
    char name[LONGEST_NAME];

    assert(reader && input);
    if (code != STATUS_OK) {
        input_close(input);
        return code;
    }
    last_profile(session)->input = input;
    last_profile(session)->reader = reader;
    snprintf(name, sizeof name, "%s", path_name(path));
    code = name_profile(session, name, name);
    return code == STATUS_OK ? load_companions(session, last_profile(session)) : code;
}

/* As many digits each, because viewers show inputs by name. */
static void number_input(char *display, size_t size, size_t index, size_t count, const char *name)
{
    if (count > 1)
        snprintf(display, size, "%0*zu %.*s", count > 999 ? 4 : count > 99 ? 3 : 2, index + 1, LONGEST_NAME, name);
    else
        snprintf(display, size, "%.*s", LONGEST_NAME, name);
}

/* The other inputs of the file that was opened last, and the names of all. Where other files come with it, they stand behind that of the file. */
static status add_parts(struct session *session, const string_id *names, size_t count, const char *file)
{
    const char *path = last_profile(session)->path;
    status code = STATUS_OK;

    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        const char *name = strings_text(session->strings, names[i]);
        char numbered[LONGEST_NAME + 32], display[2 * sizeof numbered + 16];

        number_input(numbered, sizeof numbered, i, count, name);
        snprintf(display, sizeof display, "%s%s%s", file ? file : "", file ? ": " : "", numbered);
        if (i)
            code = add_profile(session, path);
        if (code == STATUS_OK)
            code = name_profile(session, name, display);
        last_profile(session)->source.part = i + 1;
    }
    return code;
}

static status add_file(struct session *session, const char *path, const char *name, const char *display, bool alone)
{
    string_id *names = NULL;
    size_t count = 0;
    status code = add_profile(session, path);

    if (code == STATUS_OK)
        code = find_inputs(session, &names, &count);
    if (code == STATUS_OK)
        code =
            count > 1 ? add_parts(session, names, count, alone ? NULL : display) : name_profile(session, name, display);
    memory_free(names);
    return code;
}

status session_add_all(struct session *session, const char *const *paths, size_t count)
{
    status code = STATUS_OK;
    unsigned standard_inputs = 0;

    assert(paths || !count);
    for (size_t i = 0; i < count; i++)
        standard_inputs += strcmp(paths[i], "-") == 0;
    if (standard_inputs > 1)
        return status_fail(STATUS_USAGE, "standard input can be read only once");
    for (size_t i = 0; i < count && code == STATUS_OK; i++) {
        char name[LONGEST_NAME], display[LONGEST_NAME + 32];

        name_input(paths[i], name, sizeof name);
        number_input(display, sizeof display, i, count, name);
        code = add_file(session, paths[i], name, display, count == 1);
    }
    return code;
}

status session_check_output(const struct session *session, const char *path)
{
    const struct settings *settings = &session->options.settings;
    bool same = false;

    for (size_t i = 0; i < settings->count; i++)
        same |= path_same_file(settings->items[i].value, path);
    for (size_t i = 0; i < session->profile_count; i++)
        same |= path_same_file(session->profiles[i].path, path);
    return same ? status_fail(STATUS_USAGE, "%s: is an input too; choose another output", path) : STATUS_OK;
}

status output_check_inputs(const char *output, const char *const *inputs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (path_same_file(inputs[i], output))
            return status_fail(STATUS_USAGE, "%s: is an input too; choose another output", output);
    return STATUS_OK;
}

static status tell_about(const struct profile *profile, struct feed *feed)
{
    const struct source *source = &profile->source;
    const struct chain *chain = source_chain(source, profile->reader);
    struct about about = {
        .chain = chain ? chain->id : NULL,
        .generation = source->generation,
        .failed = source->failed,
        .notes = source->notes,
        .note_count = source->note_count,
        .estimate = !source_is_measured(source, profile->reader),
        .engines_known = source->engines_known,
    };

    return SINK_CALL(&feed->sink, about, &about);
}

status session_read(struct session *session, struct profile *profile, struct feed *feed)
{
    status code = STATUS_OK;

    assert(profile->process == NO_ID && profile->reader && "a profile is read once");
    assert(feed->strings == session->strings);
    if (session->options.progress || session->options.pause.call) {
        progress_start(&profile->progress, "reading", profile->path, profile->input ? input_size(profile->input) : 0);
        profile->progress.enabled &= session->options.progress;
        profile->progress.pause = session->options.pause;
        profile->source.progress = &profile->progress;
    }
    profile->source.display = profile->display;
    profile->source.order = profile->order;
    profile->source.alone = session->profile_count == 1;
    if (!profile->reader->begins)
        code = source_begin(&profile->source, feed, 0);
    if (code == STATUS_OK)
        code = profile->reader->read(&profile->source, feed);
    profile->process = feed->root;
    if (profile->source.progress)
        progress_finish(&profile->progress);
    if (code == STATUS_OK && feed->losses.rows && !feed->losses.used)
        code = losses_fail(&feed->losses, profile->path, profile->reader->id);
    if (code == STATUS_OK)
        code = tell_about(profile, feed);
    if (code == STATUS_OK)
        code = feed_input_end(feed);
    profile->losses = feed->losses;
    assert(code != STATUS_OK || profile->process < feed->tracks);
    return code;
}

void profile_note_input(const struct profile *profile, struct table *table)
{
    const struct source *source = &profile->source;

    if (source->ranks)
        table_note(table, "input: %s, rank %u of %u of a launch", profile->path, source->rank, source->ranks);
    else
        table_note(table, "input: %s%s%s", profile->path, source->part ? ": " : "", source->part ? profile->name : "");
}

struct metric_facts profile_facts(const struct profile *profile, const struct busy *busy,
                                  const struct counted_runs *runs)
{
    assert(profile->process != NO_ID && profile->process < busy->tracks.count);
    return (struct metric_facts){
        .busy = busy,
        .process = profile->process,
        .measured = source_is_measured(&profile->source, profile->reader),
        .engines = profile->source.engines_known,
        .windows = runs ? runs_windows(runs) : NULL,
        .runs = runs ? runs->counted : 1,
    };
}

status profile_metrics(const struct profile *profile, const struct busy *busy, const struct counted_runs *runs,
                       struct metrics *metrics)
{
    const struct chain *chain = source_chain(&profile->source, profile->reader);
    struct metric_facts facts = profile_facts(profile, busy, runs);

    return metrics_compute(&facts, chain && chain->metrics ? chain->metrics : &metrics_general, metrics);
}

status counting_start(struct counting *counting, const char *runs, const char *warmup, bool moments,
                      const struct strings *strings)
{
    status code = inference_choice_parse(runs, &counting->choice);

    busy_start(&counting->busy);
    counting->busy.keep_moments = moments;
    kernel_names_start(&counting->kernels);
    counting->with_kernels = false;
    counting->tee = (struct tee){ 0 };
    inferences_start(&counting->inferences, &counting->choice, strings);
    if (code == STATUS_OK)
        code = warmup_parse(warmup, &counting->warmup);
    if (code == STATUS_OK)
        code = tee_add(&counting->tee, busy_sink(&counting->busy));
    return code == STATUS_OK ? tee_add(&counting->tee, inferences_sink(&counting->inferences)) : code;
}

status counting_keep_kernels(struct counting *counting)
{
    counting->with_kernels = true;
    return tee_add(&counting->tee, kernel_names_sink(&counting->kernels));
}

/* The calls of the busy intervals get the busy intervals, which lie in a counting. */
static struct inferences *inferences_beside(void *busy)
{
    return &((struct counting *)((char *)busy - offsetof(struct counting, busy)))->inferences;
}

static status on_clock(void *self, clock_id id, const struct clock *clock)
{
    struct inferences *inferences = inferences_beside(self);
    status code = inferences_sink(inferences).calls->clock(inferences, id, clock);

    return code == STATUS_OK ? busy_sink(self).calls->clock(self, id, clock) : code;
}

static status on_track(void *self, const struct track *track)
{
    struct inferences *inferences = inferences_beside(self);
    status code = inferences_sink(inferences).calls->track(inferences, track);

    return code == STATUS_OK ? busy_sink(self).calls->track(self, track) : code;
}

static status on_run(void *self, const struct run *run)
{
    struct inferences *inferences = inferences_beside(self);
    status code = inferences_sink(inferences).calls->run(inferences, run);

    return code == STATUS_OK ? busy_sink(self).calls->run(self, run) : code;
}

static status on_step(void *self, step_id id, const struct step *step)
{
    struct inferences *inferences = inferences_beside(self);

    return inferences_sink(inferences).calls->step(inferences, id, step);
}

static status on_step_end(void *self, step_id id, int64_t time)
{
    struct inferences *inferences = inferences_beside(self);

    return inferences_sink(inferences).calls->step_end(inferences, id, time);
}

static status on_step_lost(void *self, step_id id)
{
    struct inferences *inferences = inferences_beside(self);

    return inferences_sink(inferences).calls->step_lost(inferences, id);
}

/* A tee costs a call for each slice; runs come seldom. */
struct sink counting_sink(struct counting *counting)
{
    if (counting->with_kernels || inferences_sink(&counting->inferences).calls->slice)
        return tee_sink(&counting->tee);
    counting->calls = *busy_sink(&counting->busy).calls;
    counting->calls.clock = on_clock;
    counting->calls.track = on_track;
    counting->calls.run = on_run;
    counting->calls.step = on_step;
    counting->calls.step_end = on_step_end;
    counting->calls.step_lost = on_step_lost;
    return (struct sink){ &counting->calls, &counting->busy };
}

void counting_free(struct counting *counting)
{
    tee_free(&counting->tee);
    inferences_free(&counting->inferences);
    kernel_names_free(&counting->kernels);
    busy_free(&counting->busy);
    inference_choice_free(&counting->choice);
}

status counting_take(struct counting *counting, const struct profile *profile, struct counted_runs *runs,
                     struct metrics *metrics)
{
    status code = busy_settle(&counting->busy);

    if (code == STATUS_OK)
        code = kernel_names_settle(&counting->kernels);
    *runs = (struct counted_runs){ 0 };
    if (code == STATUS_OK)
        code =
            runs_count(&counting->inferences, &counting->busy, profile->process, profile->path, counting->warmup, runs);
    if (code == STATUS_OK && runs_windows(runs) && counting->busy.keep_moments && !counting->busy.lost_moments)
        code = busy_cut(&counting->busy, profile->process, runs_windows(runs));
    return code == STATUS_OK ? profile_metrics(profile, &counting->busy, runs, metrics) : code;
}

size_t profile_notes(const struct profile *profile, const struct metrics *metrics, const char *notes[PROFILE_NOTES])
{
    size_t count = 0;

    for (unsigned i = 0; i < profile->source.note_count; i++)
        notes[count++] = profile->source.notes[i];
    for (size_t i = 0; i < metrics->count; i++)
        if (metrics->present[i] && metrics->set->rows[i]->note)
            notes[count++] = metrics->set->rows[i]->note;
    assert(count <= PROFILE_NOTES);
    return count;
}
