/* advise_profile.c: tacho advise on profiles that are no reports of operations: models in ExecuTorch, accelerators of Torq. */
#include <stdio.h>

#include "base/format.h"
#include "base/memory.h"
#include "base/path.h"
#include "cli/advise.h"
#include "cli/terminal.h"
#include "executorch/potential_execution.h"
#include "job/vocabulary.h"
#include "page/formats.h"
#include "page/potential_files.h"
#include "table/printer.h"
#include "torq/companions.h"
#include "torq/potential_engines.h"
#include "torq/traffic.h"

/* ---- Peaks ---- */

/* The first entry of the user's file; none where no file was given. */
static status load_peaks(const struct advise_common *how, struct architectures *architectures,
                         const struct architecture **peaks)
{
    const struct architecture_set *sets[VOCABULARY_CHAINS];
    status code;

    *architectures = (struct architectures){ NULL, 0, 0 };
    *peaks = NULL;
    if (!how->architecture)
        return STATUS_OK;
    if (!old_advise_is_file(how->architecture))
        return status_fail(STATUS_USAGE,
                           "--arch \"%s\": the built-in architectures are Tenstorrent's; give a FILE.json with "
                           "\"gb_s\" and \"gflops\" "
                           "for this profile",
                           how->architecture);
    vocabulary_architectures(sets);
    code = architectures_load(architectures, how->architecture, sets);
    if (code == STATUS_OK && architectures->given)
        *peaks = &architectures->items[0];
    return code;
}

static const char *name_of(const struct advise_common *how)
{
    return how->architecture ? path_name(how->architecture) : NULL;
}

/* ---- Outputs ---- */

static status print_json(const struct document *document)
{
    struct output *output;
    status code = output_open("-", &output);

    if (code != STATUS_OK)
        return code;
    return output_finish(output, document_print(document, DOCUMENT_JSON, output));
}

static status print_text(const struct potential *potential, const struct potential_title *title,
                         const struct advise_common *how)
{
    struct printer_style style = {
        .width = terminal_width(),
        .colour = !how->no_colour && (how->colour || terminal_colour()),
        .bars = terminal_width() > 0,
    };
    struct output *output;
    status code = output_open("-", &output);

    if (code != STATUS_OK)
        return code;
    return output_finish(output, potential_write_text(output, potential, title, &style, !how->no_advice));
}

static status write_csv(const struct potential *potential, const char *path)
{
    struct table *table = potential_item_table(potential, "Operations", SIZE_MAX, false);
    struct output *output;
    status code = table ? table_status(table) : status_no_memory("making a table");

    if (code == STATUS_OK)
        code = output_open(path, &output);
    if (code == STATUS_OK) {
        printer_write(&csv_printer, output, table, NULL);
        code = output_commit(output);
    }
    table_free(table);
    return code;
}

static status write_document(const struct potential *potential, const struct potential_title *title, const char *path)
{
    struct document *document = potential_document(potential, title);
    status code =
        document ? path ? document_write(document, path) : print_json(document) : status_no_memory("writing a page");

    document_free(document);
    return code;
}

static status show(const struct potential *potential, const struct potential_title *title,
                   const struct advise_common *how)
{
    status code = how->csv ? write_csv(potential, how->csv) : STATUS_OK;

    if (code == STATUS_OK && how->output)
        code = write_document(potential, title, how->output);
    if (code != STATUS_OK)
        return code;
    if (how->rank)
        return advise_print_rank(potential_rank_table(potential, ADVISE_RANK_TITLE, ADVISE_RANKED), how->json);
    if (how->json)
        return write_document(potential, title, NULL);
    return how->csv || how->output ? STATUS_OK : print_text(potential, title, how);
}

/* ---- ExecuTorch ---- */

struct launches {
    struct strings *strings;
    struct operators side;
    struct loaded *loaded;
    size_t count;
    char name[512];
};

static status add_launch(struct launches *launches, const char *path, struct load_options load)
{
    const struct loaded *loaded = &launches->loaded[launches->count];
    struct execution execution;
    const struct graph *graph;
    status code =
        load_next_launch(launches->loaded, &launches->count, path, load, launches->strings, &execution, &graph);

    if (code == STATUS_OK) {
        report_losses(path, &execution.losses, loaded->notes, loaded->note_count);
        if (!launches->name[0] && execution.model)
            snprintf(launches->name, sizeof launches->name, "%s", strings_text(launches->strings, execution.model));
        else if (!launches->name[0])
            text_copy(launches->name, sizeof launches->name, path_stem(path));
        code = operators_add(&launches->side, path, &execution, graph, NULL);
    }
    execution_free(&execution);
    return code;
}

static status load_launches(struct launches *launches, const struct old_texts *words)
{
    struct load_options load;
    status code = load_options_given(&load);

    launches->loaded = memory_allocate_clear(words->count * sizeof *launches->loaded);
    if (!launches->loaded)
        return status_no_memory("loading");
    for (size_t i = 0; i < words->count && code == STATUS_OK; i++)
        code = add_launch(launches, words->items[i], load);
    if (code == STATUS_OK && !launches->side.sums.count)
        code = status_fail_at(STATUS_INPUT, (struct place){ .file = words->items[0] },
                              "it has inferences and no operators; advice needs an ETDump or a timeline of all events");
    return code;
}

static status advise_launches(struct launches *launches, const struct old_texts *words, const struct advise_common *how)
{
    const struct operators *side = &launches->side;
    struct architectures architectures;
    struct potential_execution input = { .side = side, .dump = words->items[0], .architecture_file = name_of(how) };
    struct potential_title title = { .name = launches->name };
    struct potential potential = { .arena = ARENA_EMPTY };
    char summary[256], time[FORMAT_SIZE];
    status code = load_peaks(how, &architectures, &input.architecture);

    if (code == STATUS_OK)
        code = load_launches(launches, words);
    if (code == STATUS_OK) {
        input.etrecord = launches->loaded[0].etrecord.length ? launches->loaded[0].etrecord.text : NULL;
        code = potential_of_execution(&potential, &input);
    }
    if (code == STATUS_OK) {
        format_duration(time, potential_rounded(potential_ns(&potential, potential.whole)));
        snprintf(summary, sizeof summary,
                 "Method::execute takes %s on average of %llu inference%s in %u launch%s; it has %zu operators.", time,
                 (unsigned long long)side->inferences, side->inferences == 1 ? "" : "s", side->launches,
                 side->launches == 1 ? "" : "es", potential.count);
        title.summary = summary;
        code = show(&potential, &title, how);
    }
    potential_free(&potential);
    architectures_free(&architectures);
    return code;
}

status advise_executions(const struct old_texts *words, const struct advise_common *how)
{
    struct launches launches = { .strings = strings_new() };
    status code;

    if (!launches.strings)
        return status_no_memory("starting");
    operators_start(&launches.side, launches.strings);
    code = advise_launches(&launches, words, how);
    operators_free(&launches.side);
    for (size_t i = 0; i < launches.count; i++)
        loaded_free(&launches.loaded[i]);
    memory_free(launches.loaded);
    strings_free(launches.strings);
    return code;
}

/* ---- Torq ---- */

struct engines {
    struct session session;
    struct busy busy;
    struct traffic traffic;
    struct metrics metrics;
};

static status read_engines(struct engines *engines, const char *path)
{
    struct tee tee = { .all = { .count = 0 } };
    struct feed feed;
    struct profile *profile;
    status code = session_start(&engines->session, &common);

    engines->traffic.strings = engines->session.strings;

    if (code == STATUS_OK)
        code = tee_add(&tee, busy_sink(&engines->busy));
    if (code == STATUS_OK)
        code = tee_add(&tee, traffic_sink(&engines->traffic));
    feed_start(&feed, tee_sink(&tee), engines->session.strings);
    if (code == STATUS_OK)
        code = session_add(&engines->session, path, path_name(path));
    profile = engines->session.profiles;
    if (code == STATUS_OK)
        traffic_listen(&engines->traffic, &profile->source);
    if (code == STATUS_OK)
        code = session_read(&engines->session, profile, &feed);
    if (code == STATUS_OK)
        code = busy_settle(&engines->busy);
    if (code == STATUS_OK)
        code = profile_metrics(profile, &engines->busy, &engines->metrics);
    if (code == STATUS_OK) {
        report_profile(profile);
    }
    feed_free(&feed);
    tee_free(&tee);
    return code;
}

static status show_engines(struct engines *engines, const struct advise_common *how, const struct architecture *peaks)
{
    const struct session *session = &engines->session;
    const struct profile *profile = &session->profiles[0];
    struct potential_torq input = {
        .busy = &engines->busy,
        .traffic = &engines->traffic,
        .metrics = &engines->metrics,
        .process = profile->process,
        .strings = session->strings,
        .measured = profile->reader->kind == READER_MEASURED,
        .program = torq_program(&profile->source),
        .cycles = torq_cycles(&profile->source),
        .architecture = peaks,
        .architecture_file = name_of(how),
    };
    struct potential_title title = { .name = profile->display };
    struct potential potential;
    char summary[256], time[FORMAT_SIZE];
    status code = potential_of_torq(&potential, &input);

    if (code == STATUS_OK && !potential.count)
        code = status_fail_at(STATUS_INPUT, (struct place){ .file = profile->path },
                              "no engine, job or host program has any time in it; there is nothing to advise on");
    if (code == STATUS_OK) {
        format_duration(time, potential_rounded(potential_ns(&potential, potential.whole)));
        snprintf(summary, sizeof summary, "%.100s: %s from the first start to the last end, %s.",
                 profile->reader->title, time, input.measured ? "as measured" : "as the compiler estimates");
        title.summary = summary;
        code = show(&potential, &title, how);
    }
    potential_free(&potential);
    return code;
}

status advise_engines(const char *path, const struct advise_common *how)
{
    struct engines engines;
    struct architectures architectures;
    const struct architecture *peaks;
    status code = load_peaks(how, &architectures, &peaks);

    busy_start(&engines.busy);
    traffic_start(&engines.traffic, NULL);
    if (code == STATUS_OK) {
        code = read_engines(&engines, path);
        if (code == STATUS_OK)
            code = show_engines(&engines, how, peaks);
        session_end(&engines.session);
    }
    traffic_free(&engines.traffic);
    busy_free(&engines.busy);
    architectures_free(&architectures);
    return code;
}
