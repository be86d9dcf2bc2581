/* latency.c: tacho latency: how long an inference takes, and whether a change of it can be luck. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyze/overview.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/path.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "executorch/latency_output.h"
#include "executorch/launches_check.h"
#include "executorch/original/latency_files.h"
#include "job/table_file.h"

enum { MOST_WARNINGS = 32, MOST_ROUNDS = 1000000 };

static struct given {
    struct old_texts timelines, compare, baseline, candidate, where;
    const char *name, *name1, *name2;
    const char *output_dir;
    const char *output;
    const char *warmup, *seed, *rounds;
    bool json;
    bool verbose;
} settings;

static const struct old_option options[] = {
    { "timeline-csv", 0, OLD_OPTION_LIST, &settings.timelines, "FILE...",
      "launches to look at; the baseline of a comparison" },
    { "compare", 0, OLD_OPTION_LIST, &settings.compare, "FILE...", "launches to compare with them: the candidate" },
    { "baseline", 0, OLD_OPTION_LIST, &settings.baseline, "SIDE...",
      "files or KEY=VALUE: what the speedup is against" },
    { "candidate", 0, OLD_OPTION_LIST, &settings.candidate, "SIDE...", "files or KEY=VALUE: what may be faster" },
    { "where", 0, OLD_OPTION_LIST, &settings.where, "KEY=VALUE...", "rows of a CSV of launches, for both sides" },
    { "name", 0, OLD_OPTION_TEXT, &settings.name, "NAME", "name of the launches (default: from the file)" },
    { "name1", 0, OLD_OPTION_TEXT, &settings.name1, "NAME", "name of --timeline-csv in a comparison" },
    { "name2", 0, OLD_OPTION_TEXT, &settings.name2, "NAME", "name of --compare" },
    { "output-dir", 0, OLD_OPTION_TEXT, &settings.output_dir, "DIR",
      "write *_robust_stats.json, *_robust_comparison.json" },
    { "output", 'o', OLD_OPTION_TEXT, &settings.output, "FILE", "write tables: .csv .json .md .html .xlsx" },
    { "json", 0, OLD_OPTION_FLAG, &settings.json, NULL, "as JSON, times in ms" },
    { "warmup", 0, OLD_OPTION_TEXT, &settings.warmup, "N", "runs to leave out of each launch, or auto (default)" },
    { "seed", 0, OLD_OPTION_TEXT, &settings.seed, "N", "of the random draws (default 1)" },
    { "rounds", 0, OLD_OPTION_TEXT, &settings.rounds, "N", "random draws for an interval (default 2000)" },
    { "ticks", 0, OLD_OPTION_TEXT, &common.ticks, "UNIT", "of an ETDump: ns, us or cycles:MHZ (default ns)" },
    { "format", 0, OLD_OPTION_TEXT, &common.format, "ID", "read every input as this format; see tacho formats" },
    { "strict", 0, OLD_OPTION_FLAG, &common.strict, NULL, "the first row that cannot be used is an error" },
    { "verbose", 'v', OLD_OPTION_FLAG, &settings.verbose, NULL, "every launch, and what the tests say" },
    { "quiet", 'q', OLD_OPTION_FLAG, &quiet, NULL, "no warnings, no notes, no losses on standard error" },
    { 0 },
};

/* ---- sides: which files, which rows, which name --------------------------------------------------------------------- */

struct side {
    struct old_texts files;
    struct old_texts keys;
    char name[256];
    const char *given_name; /* NULL: none */
    struct launch_choice choice;
    struct launches launches;
    struct losses losses; /* of all files */
};

static bool holds(const struct old_texts *texts, const char *text)
{
    for (size_t i = 0; i < texts->count; i++)
        if (launches_same_file(texts->items[i], text))
            return true;
    return false;
}

static status add_text(struct old_texts *texts, const char *text)
{
    if (texts->count == MOST_TEXTS)
        return status_fail(STATUS_USAGE, "more than %d files on one side", MOST_TEXTS);
    texts->items[texts->count++] = text;
    return STATUS_OK;
}

static status add_texts(struct old_texts *to, const struct old_texts *from)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < from->count && code == STATUS_OK; i++)
        code = add_text(to, from->items[i]);
    return code;
}

/* Of --baseline or --candidate: a word with "=" that is no file is a key. */
static status split_words(const struct old_texts *words, struct side *side)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < words->count && code == STATUS_OK; i++) {
        bool key = strchr(words->items[i], '=') && access(words->items[i], F_OK) != 0;

        code = add_text(key ? &side->keys : &side->files, words->items[i]);
    }
    return code;
}

/* Files of --timeline-csv and --compare that the other side has not taken. */
static status take_rest(struct side *side, const struct side *other, const struct old_texts *first)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < first->count && code == STATUS_OK; i++)
        if (!holds(&other->files, first->items[i]))
            code = add_text(&side->files, first->items[i]);
    for (size_t i = 0; i < settings.compare.count && code == STATUS_OK; i++)
        if (!holds(&other->files, settings.compare.items[i]))
            code = add_text(&side->files, settings.compare.items[i]);
    if (code == STATUS_OK && !side->files.count && side->keys.count)
        code = add_texts(&side->files, &other->files); /* one table, told apart by keys */
    return code;
}

static status share_files(struct side *baseline, struct side *candidate, const struct old_texts *first)
{
    status code;

    if (baseline->files.count && candidate->files.count)
        return STATUS_OK;
    if (baseline->files.count)
        return take_rest(candidate, baseline, first);
    if (candidate->files.count)
        return take_rest(baseline, candidate, first);
    code = add_texts(&baseline->files, first);
    if (code == STATUS_OK)
        code = add_texts(&candidate->files, &settings.compare);
    if (code == STATUS_OK && !candidate->files.count && candidate->keys.count)
        code = add_texts(&candidate->files, first);
    return code;
}

/* What the stems of the files begin with alike, without what every file of a pipeline ends in. */
static void name_by_files(struct side *side)
{
    static const char *const endings[] = { "_exec_all_runs_timeline", "_exec_run0_timeline", "_all_runs_timeline",
                                           "_latency" };
    size_t length;

    text_copy(side->name, sizeof side->name, path_stem(side->files.items[0]));
    length = strlen(side->name);
    for (size_t i = 1; i < side->files.count; i++) {
        char other[sizeof side->name];
        size_t same = 0;

        text_copy(other, sizeof other, path_stem(side->files.items[i]));
        while (same < length && other[same] == side->name[same])
            same++;
        length = same;
    }
    /* Of "_l1" and "_l2" not "_l" but what is before: back to the last whole word. */
    if (side->name[length]) {
        size_t end = length;

        while (end && side->name[end] != '_' && side->name[end] != '-')
            end--;
        if (end)
            side->name[end] = '\0';
    }
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (path_ends(side->name, endings[i]))
            side->name[strlen(side->name) - strlen(endings[i])] = '\0';
}

/* Files of one name in two folders: the folders tell them apart. */
static void tell_apart(struct side *side)
{
    const char *path = side->files.items[0], *name = path_name(path);
    const char *folder = name > path ? name - 1 : path;
    char stem[sizeof side->name];

    while (folder > path && folder[-1] != '/')
        folder--;
    if (folder >= name - 1)
        return;
    snprintf(stem, sizeof stem, "%s", side->name);
    snprintf(side->name, sizeof side->name, "%.*s/%.120s", (int)(name - 1 - folder), folder, stem);
}

/* Without a name of the user's: the chosen keys, or the file's name. */
static void name_side(struct side *side)
{
    size_t length = 0;

    side->given_name =
        settings.candidate.count || settings.compare.count || settings.baseline.count
            ? (side->files.count && holds(&settings.compare, side->files.items[0]) ? settings.name2 : settings.name1)
            : settings.name;
    if (side->given_name) {
        snprintf(side->name, sizeof side->name, "%s", side->given_name);
        return;
    }
    for (size_t i = 0; i < side->keys.count && length < sizeof side->name; i++)
        length += (size_t)snprintf(side->name + length, sizeof side->name - length, "%s%s", i ? " " : "",
                                   side->keys.items[i]);
    if (!length && side->files.count)
        name_by_files(side);
}

static status choose_sides(const struct old_texts *words, struct side *baseline, struct side *candidate)
{
    static struct old_texts first;
    status code = add_texts(&first, &settings.timelines);

    if (code == STATUS_OK)
        code = add_texts(&first, words);
    if (code == STATUS_OK)
        code = split_words(&settings.baseline, baseline);
    if (code == STATUS_OK)
        code = split_words(&settings.candidate, candidate);
    if (code == STATUS_OK)
        code = share_files(baseline, candidate, &first);
    if (code != STATUS_OK)
        return code;
    if (!baseline->files.count)
        return status_fail(STATUS_USAGE,
                           "tacho latency wants launches: --timeline-csv FILE...; see tacho latency --help");
    if (!candidate->files.count && (settings.candidate.count || settings.compare.count || settings.baseline.count))
        return status_fail(STATUS_USAGE, "there is nothing to compare with: give --candidate or --compare");
    name_side(baseline);
    name_side(candidate);
    /* Names from --name1 and --name2 in a comparison whose sides are told apart by keys. */
    if (candidate->files.count && !settings.compare.count && settings.name2) {
        candidate->given_name = settings.name2;
        snprintf(candidate->name, sizeof candidate->name, "%s", settings.name2);
    }
    if (candidate->files.count && !baseline->given_name && !candidate->given_name &&
        strcmp(baseline->name, candidate->name) == 0) {
        tell_apart(baseline);
        tell_apart(candidate);
    }
    code = add_texts(&baseline->keys, &settings.where);
    return code == STATUS_OK ? add_texts(&candidate->keys, &settings.where) : code;
}

/* ---- warnings ------------------------------------------------------------------------------------------------------ */

struct warning_list {
    char *items[MOST_WARNINGS];
    size_t count;
};

static void keep_warning(void *self, const char *text)
{
    struct warning_list *list = self;

    if (!quiet)
        fprintf(stderr, "tacho: warning: %s\n", text);
    if (list->count < MOST_WARNINGS && (list->items[list->count] = memory_copy_text(text)))
        list->count++;
}

static void report_file(const struct launch_file *file)
{
    report_losses(file->path, &file->losses, file->notes, file->note_count);
    if (file->without_execute && !quiet)
        fprintf(stderr, "tacho: %s: note: runs without Method::execute, which do not count: %zu\n", file->path,
                file->without_execute);
    if (file->without_time && !quiet)
        fprintf(stderr, "tacho: %s: note: runs that last 0, which do not count: %zu\n", file->path, file->without_time);
}

/* ---- reading ------------------------------------------------------------------------------------------------------- */

static status read_side(struct side *side, const struct side *before, struct warning_list *warnings)
{
    struct load_options load;
    char text[PATH_MAX + 64];
    status code = load_options_given(&load);

    if (code != STATUS_OK)
        return code;
    side->choice = (struct launch_choice){ side->keys.items, side->keys.count };
    for (size_t i = 0; i < side->files.count && code == STATUS_OK; i++) {
        struct old_texts earlier = { .count = i };
        const char *path = side->files.items[i];

        memcpy(earlier.items, side->files.items, i * sizeof *earlier.items);
        if (holds(&earlier, path)) {
            snprintf(text, sizeof text, "%s is given twice on one side: it counts once", path);
            keep_warning(warnings, text);
            continue;
        }
        code = launches_add(&side->launches, path, &side->choice, &load);
        if (code == STATUS_OK) {
            const struct launch_file *file = &side->launches.files[side->launches.file_count - 1];

            losses_join(&side->losses, &file->losses);
            if (!before || !holds(&before->files, path))
                report_file(file);
        }
    }
    return code;
}

static status parse_number(const char *name, const char *text, int64_t least, int64_t most, int64_t *number)
{
    if (number_parse_integer(text, strlen(text), number) && *number >= least && *number <= most)
        return STATUS_OK;
    return status_fail(STATUS_USAGE, "--%s wants a whole number from %lld to %lld, not \"%s\"", name, (long long)least,
                       (long long)most, text);
}

static status parse_options(struct latency_options *latency)
{
    int64_t number;
    status code = STATUS_OK;

    *latency = LATENCY_DEFAULTS;
    if (settings.warmup && strcmp(settings.warmup, "auto") != 0) {
        if (!number_parse_integer(settings.warmup, strlen(settings.warmup), &latency->warmup) || latency->warmup < 0)
            return status_fail(STATUS_USAGE, "--warmup wants a number of runs or auto, not \"%s\"", settings.warmup);
    }
    if (settings.seed) {
        code = parse_number("seed", settings.seed, 0, INT64_MAX, &number);
        latency->seed = (uint64_t)number;
    }
    if (code == STATUS_OK && settings.rounds) {
        code = parse_number("rounds", settings.rounds, 1, MOST_ROUNDS, &number);
        latency->rounds = (unsigned)number;
    }
    return code;
}

/* ---- output -------------------------------------------------------------------------------------------------------- */

static status write_json(const struct latency_answer *answer)
{
    struct output *output;
    status code = output_open(settings.output ? settings.output : "-", &output);

    if (code != STATUS_OK)
        return code;
    latency_write_answer(output, answer);
    return output_commit(output);
}

enum { TABLES = 3 };

static status make_tables(const struct latency_answer *answer, struct table *tables[TABLES])
{
    char remark[LATENCY_SENTENCE];
    status code = latency_metrics_table(answer->baseline, answer->candidate, &tables[0]);

    if (code == STATUS_OK)
        code = latency_sides_table(answer->baseline, answer->candidate, &tables[1]);
    if (code == STATUS_OK)
        code = latency_launches_table(answer->baseline, answer->candidate, &tables[2]);
    for (unsigned i = 0;
         code == STATUS_OK && answer->comparison && latency_comparison_remark(answer->comparison, i, remark); i++)
        if (settings.verbose || settings.output || strncmp(remark, "largest mode", strlen("largest mode")) == 0)
            table_note(tables[0], "%s", remark);
    /* On a terminal they were on standard error. */
    for (unsigned i = 0; code == STATUS_OK && settings.output && i < 2 && answer->losses[i]; i++)
        overview_note_losses(tables[1],
                             i || answer->candidate ? (i ? answer->candidate : answer->baseline)->name : NULL,
                             answer->losses[i]);
    return code;
}

static void print_sentence(const struct latency_answer *answer, const char *sentence)
{
    printf("%s\n", sentence);
    if (answer->comparison)
        printf("baseline %s %.3f ms, candidate %s %.3f ms\nspeedup = baseline/candidate = %.3f\n",
               answer->baseline->name, answer->baseline->median, answer->candidate->name, answer->candidate->median,
               answer->comparison->speedup);
    putchar('\n');
    fflush(stdout);
}

static status print_tables(const struct latency_answer *answer)
{
    struct table *tables[TABLES] = { 0 };
    char sentence[LATENCY_SENTENCE];
    status code = make_tables(answer, tables);

    if (answer->comparison)
        latency_sentence(answer->comparison, sentence);
    else
        latency_summary_sentence(answer->baseline, sentence);
    if (code == STATUS_OK && settings.output) {
        table_note(tables[0], "%s", sentence);
        code = tables_to_file((const struct table *const *)tables, TABLES, settings.output);
    } else if (code == STATUS_OK) {
        print_sentence(answer, sentence);
        for (unsigned i = 0; i < (settings.verbose ? TABLES : TABLES - 1) && code == STATUS_OK; i++) {
            if (i) {
                putchar('\n');
                fflush(stdout);
            }
            code = table_print(tables[i], false);
        }
    }
    for (unsigned i = 0; i < TABLES; i++)
        table_free(tables[i]);
    return code;
}

static status write_files(const struct side *baseline, const struct side *candidate)
{
    struct latency_output_side one = { &baseline->launches, baseline->name, settings.name, &baseline->choice };
    struct latency_output_side other = { &candidate->launches, candidate->name, NULL, &candidate->choice };

    if (!settings.output_dir)
        return STATUS_OK;
    return latency_output_write(settings.output_dir, &one, candidate->files.count ? &other : NULL);
}

/* ---- run ----------------------------------------------------------------------------------------------------------- */

static struct latency_side side_of(const struct side *side)
{
    return (struct latency_side){ .name = side->name, .launches = side->launches.items, .count = side->launches.count };
}

static status answer_pair(const struct side *baseline, const struct side *candidate, struct latency_answer *answer)
{
    struct latency_side one = side_of(baseline), other = side_of(candidate);
    struct latency_comparison comparison;
    struct latency_summary summary;
    bool json = settings.json || (settings.output && path_ends(settings.output, ".json"));
    status code;

    if (!candidate->files.count) {
        code = latency_summarise(&one, &answer->options, &summary);
        answer->baseline = &summary;
        answer->losses[0] = &baseline->losses;
        if (code == STATUS_OK)
            code = json ? write_json(answer) : print_tables(answer);
        latency_summary_free(&summary);
        return code;
    }
    code = latency_compare(&one, &other, &answer->options, &comparison);
    answer->baseline = &comparison.baseline;
    answer->candidate = &comparison.candidate;
    answer->comparison = &comparison;
    answer->losses[0] = &baseline->losses;
    answer->losses[1] = &candidate->losses;
    if (code == STATUS_OK)
        code = json ? write_json(answer) : print_tables(answer);
    latency_comparison_free(&comparison);
    return code;
}

static status check_output(const struct side *side)
{
    for (size_t i = 0; settings.output && i < side->files.count; i++)
        if (launches_same_file(side->files.items[i], settings.output))
            return status_fail(STATUS_USAGE, "%s is an input: writing there would destroy it", settings.output);
    return STATUS_OK;
}

static status run_sides(struct side *baseline, struct side *candidate, struct warning_list *list)
{
    struct launch_warnings warnings = { keep_warning, list };
    struct latency_answer answer = { 0 };
    status code = parse_options(&answer.options);

    if (code == STATUS_OK)
        code = check_output(baseline);
    if (code == STATUS_OK)
        code = check_output(candidate);
    if (code == STATUS_OK)
        code = read_side(baseline, NULL, list);
    if (code == STATUS_OK)
        code = read_side(candidate, baseline, list);
    if (code != STATUS_OK)
        return code;
    launches_check_side(&baseline->launches, baseline->given_name, &warnings);
    launches_check_side(&candidate->launches, candidate->given_name, &warnings);
    launches_check_pair(&baseline->launches, &candidate->launches, &warnings);
    answer.warnings = (const char *const *)list->items;
    answer.warning_count = list->count;
    code = write_files(baseline, candidate);
    return code == STATUS_OK ? answer_pair(baseline, candidate, &answer) : code;
}

static status run(const struct old_texts *words)
{
    static struct side baseline, candidate;
    struct warning_list warnings = { 0 };
    status code;

    if (settings.output && strcmp(settings.output, "-") == 0)
        settings.output = NULL;
    launches_start(&baseline.launches);
    launches_start(&candidate.launches);
    code = choose_sides(words, &baseline, &candidate);
    if (code == STATUS_OK)
        code = run_sides(&baseline, &candidate, &warnings);
    launches_free(&baseline.launches);
    launches_free(&candidate.launches);
    for (size_t i = 0; i < warnings.count; i++)
        memory_free(warnings.items[i]);
    return code;
}

const struct old_verb latency_verb = {
    .name = "latency",
    .summary = "compare latencies of launches: how much faster, and is it luck",
    .usage = "[options] FILE... [--compare FILE...]",
    .options = options,
    .run = run,
};
