/* pipeline_adb.c: what adb is told, and what its answers mean. */
#include "executorch/pipeline_adb.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/path.h"

#define DEVICE_FOLDER "/data/local/tmp/tacho"
#define END_MARK "tacho: exit status "

enum {
    MOST_WORDS = 16,
    SHORT_MS = 60000,         /* for commands that only ask */
    TRANSFER_MS = 1800000,    /* models have gigabytes, cables are slow */
    ANSWER = 4 * 1024 * 1024, /* bytes of an answer that are kept */
    SIGNAL_BASE = 128,        /* a shell's exit status for a program that a signal ended is over this */
};

/* ---- Commands ---- */

/* `adb [-s SERIAL] words...` */
static void build(const struct adb *adb, const char *const *words, const char *arguments[MOST_WORDS])
{
    const char *program = getenv("ADB");
    size_t count = 0;

    arguments[count++] = program && *program ? program : "adb";
    if (adb->serial) {
        arguments[count++] = "-s";
        arguments[count++] = adb->serial;
    }
    while (*words) {
        assert(count < MOST_WORDS - 1);
        arguments[count++] = *words++;
    }
    arguments[count] = NULL;
}

static status ask(struct adb *adb, const char *const *words, uint64_t timeout_ms, struct process_result *result,
                  const char **text)
{
    const char *arguments[MOST_WORDS];

    build(adb, words, arguments);
    return pipeline_capture(adb->pipeline, arguments, ANSWER, timeout_ms, result, text);
}

/* What went wrong in one sentence: how adb ended, and the last line that it printed. */
static status explain(struct adb *adb, const char *what, const struct process_result *result, uint64_t timeout_ms,
                      const char *text, const char **problem)
{
    char ending[PROCESS_TEXT];
    struct text last = text_trim(text_of(text));
    const char *line = text_last(last, '\n');

    process_describe(result, timeout_ms, ending);
    if (line)
        last = text_between(line + 1, last.data + last.length);
    *problem = pipeline_text(adb->pipeline, "%s: adb: %s%s%.*s", what, ending, last.length ? ": " : "",
                             (int)last.length, last.length ? last.data : "");
    return *problem ? STATUS_OK : status_no_memory("talking to a device");
}

/* A command that must succeed; else `*problem`. */
static status demand(struct adb *adb, const char *what, const char *const *words, uint64_t timeout_ms,
                     const char **text, const char **problem)
{
    struct process_result result;
    status code = ask(adb, words, timeout_ms, &result, text);

    if (code != STATUS_OK || process_succeeded(&result))
        return code;
    return explain(adb, what, &result, timeout_ms, *text, problem);
}

/* One word of a shell's command: 'it'\''s'. */
static const char *quote(struct adb *adb, const char *word)
{
    size_t quotes = 0;
    char *made, *to;

    for (const char *at = word; *at; at++)
        quotes += *at == '\'';
    made = to = arena_allocate(&adb->pipeline->arena, strlen(word) + 3 * quotes + 3, 1);
    if (!made)
        return NULL;
    *to++ = '\'';
    for (; *word; word++) {
        if (*word == '\'') {
            memcpy(to, "'\\'", 3);
            to += 3;
        }
        *to++ = *word;
    }
    *to++ = '\'';
    *to = '\0';
    return made;
}

const char *adb_model_name(const struct adb *adb)
{
    return path_name(adb->pipeline->model_path);
}

/* ---- The device ---- */

/* The next word of a line, which is then cut off it; empty: there is none. */
static struct text take_word(struct text *line)
{
    struct text word = text_trim(*line);
    size_t length = 0;

    while (length < word.length && !char_is_blank(word.data[length]))
        length++;
    *line = (struct text){ word.data + length, word.length - length };
    word.length = length;
    return word;
}

/* The device of `adb devices` with this serial, or the only one. */
static status choose_device(struct adb *adb, const char *wanted, const char *lines, const char **problem)
{
    const char *found = NULL, *state = "";
    struct text rest = text_of(lines);
    unsigned ready = 0;

    while (rest.data) {
        struct text line = text_take(&rest, '\n');
        struct text name = take_word(&line), condition = take_word(&line);
        bool is_ready = text_is(condition, "device");

        if (!condition.length || text_is(name, "List") || *name.data == '*')
            continue;
        if (wanted ? text_is(name, wanted) : is_ready) {
            ready += is_ready;
            found = arena_copy(&adb->pipeline->arena, name.data, name.length);
            state = arena_copy(&adb->pipeline->arena, condition.data, condition.length);
            if (!found || !state)
                return status_no_memory("looking for a device");
        }
    }
    if (ready == 1)
        adb->serial = found;
    else if (wanted)
        *problem = pipeline_text(adb->pipeline, "the device %s is %s", wanted, found ? state : "not there");
    else
        *problem = ready ? "several devices are there: choose one with --remote-device or ANDROID_SERIAL"
                         : "no device is there (adb devices)";
    return adb->serial || *problem ? STATUS_OK : status_no_memory("looking for a device");
}

static status find_device(struct adb *adb, const char **problem)
{
    const struct pipeline_options *options = adb->pipeline->options;
    const char *remote = options->remote_device ? options->remote_device : adb->pipeline->config.remote_device;
    const char *wanted = remote ? remote : getenv("ANDROID_SERIAL");
    const char *connect[] = { "connect", remote, NULL };
    const char *devices[] = { "devices", NULL };
    const char *text = "";
    status code = STATUS_OK;

    /* What adb connect says differs between versions; whether the device is listed does not. */
    if (remote) {
        pipeline_tell(adb->pipeline, "connecting to %s", remote);
        code = demand(adb, "connecting", connect, SHORT_MS, &text, problem);
    }
    if (code == STATUS_OK && !*problem)
        code = demand(adb, "looking for a device", devices, SHORT_MS, &text, problem);
    if (code == STATUS_OK && !*problem)
        code = choose_device(adb, wanted && *wanted ? wanted : NULL, text, problem);
    return code;
}

static status describe(struct adb *adb, const char **problem)
{
    static const char *const properties[] = { "shell", "getprop", NULL };
    static const char *const information[] = { "shell", "cat /proc/cpuinfo", NULL };
    const char *property_text = "", *information_text = "";
    struct process_result result;
    status code = demand(adb, "asking for its properties", properties, SHORT_MS, &property_text, problem);

    if (code == STATUS_OK && !*problem)
        code = ask(adb, information, SHORT_MS, &result, &information_text);
    if (code == STATUS_OK && !*problem)
        code =
            pipeline_describe_android(adb->pipeline, property_text, process_succeeded(&result) ? information_text : "");
    return code;
}

static status push(struct adb *adb, const char *path, const char *name, const char **problem)
{
    const char *what = pipeline_text(adb->pipeline, "pushing %s", path);
    const char *target = pipeline_text(adb->pipeline, DEVICE_FOLDER "/%s", name);
    const char *words[] = { "push", path, target, NULL };
    const char *text = "";

    if (!what || !target)
        return status_no_memory("pushing to a device");
    pipeline_tell(adb->pipeline, "pushing %s to %s", path, adb->serial);
    return demand(adb, what, words, TRANSFER_MS, &text, problem);
}

status adb_start(struct adb *adb, struct pipeline *pipeline, const char **problem)
{
    static const char *const make_folder[] = { "shell", "mkdir -p " DEVICE_FOLDER, NULL };
    size_t size = pipeline->config.experiment_count * sizeof(struct adb_runner);
    const char *text = "";
    status code;

    *adb = (struct adb){ .pipeline = pipeline,
                         .runners = arena_allocate(&pipeline->arena, size, _Alignof(struct adb_runner)) };
    *problem = NULL;
    if (!adb->runners)
        return status_no_memory("talking to a device");
    memset(adb->runners, 0, size);
    code = find_device(adb, problem);
    if (code == STATUS_OK && !*problem)
        code = describe(adb, problem);
    if (code == STATUS_OK && !*problem)
        code = demand(adb, "making a folder there", make_folder, SHORT_MS, &text, problem);
    if (code == STATUS_OK && !*problem)
        code = push(adb, pipeline->model_path, adb_model_name(adb), problem);
    return code;
}

status adb_push_runner(struct adb *adb, const struct pipeline_experiment *experiment, const char **problem)
{
    struct adb_runner *runner = &adb->runners[experiment - adb->pipeline->config.experiments];
    const char *name = pipeline_text(adb->pipeline, "executor_runner_%s", experiment->name);
    const char *path = name ? pipeline_text(adb->pipeline, DEVICE_FOLDER "/%s", name) : NULL;
    const char *quoted = path ? quote(adb, path) : NULL;
    const char *command = quoted ? pipeline_text(adb->pipeline, "chmod 755 %s", quoted) : NULL;
    const char *words[] = { "shell", command, NULL };
    const char *text = "";
    status code;

    assert(experiment >= adb->pipeline->config.experiments &&
           experiment < adb->pipeline->config.experiments + adb->pipeline->config.experiment_count);
    *problem = runner->problem;
    if (runner->tried)
        return STATUS_OK;
    if (!command)
        return status_no_memory("pushing to a device");
    runner->tried = true;
    code = push(adb, experiment->runner_path, name, &runner->problem);
    if (code == STATUS_OK && !runner->problem)
        code = demand(adb, "making the runner executable", words, SHORT_MS, &text, &runner->problem);
    *problem = runner->problem;
    return code;
}

/* ---- Running ---- */

/* The whole as one shell command. The runner is started in the background, so that its id is known and a run that takes too
 * long can be ended there too; its exit status is printed, since older devices do not pass it on. */
static const char *shell_command(struct adb *adb, const struct pipeline_experiment *experiment,
                                 const char *const *arguments)
{
    const char *runner = pipeline_text(adb->pipeline, "./executor_runner_%s", experiment->name);
    const char *command = runner ? quote(adb, runner) : NULL;

    if (command && experiment->affinity)
        command = pipeline_text(adb->pipeline, "taskset %s %s", experiment->affinity, command);
    for (; command && *arguments; arguments++) {
        const char *word = quote(adb, *arguments);

        command = word ? pipeline_text(adb->pipeline, "%s %s", command, word) : NULL;
    }
    if (!command)
        return NULL;
    return pipeline_text(adb->pipeline,
                         "cd " DEVICE_FOLDER " || exit 127; export LD_LIBRARY_PATH=" DEVICE_FOLDER "; "
                         "%s & echo $! > runner.pid; wait $!; echo \"" END_MARK "$?\"",
                         command);
}

/* Takes the line with the exit status off the end of what was printed. */
static size_t take_end_mark(const char *text, size_t length, struct adb_result *result)
{
    size_t mark = strlen(END_MARK);

    for (size_t at = length < mark ? 0 : length - mark + 1; at-- > 0;) {
        const char *cursor = text + at + mark;
        uint64_t number;

        if (memcmp(text + at, END_MARK, mark) != 0 || !number_read_unsigned(&cursor, text + length, &number))
            continue;
        result->process.signal = number > SIGNAL_BASE && number < SIGNAL_BASE + 65 ? (int)(number - SIGNAL_BASE) : 0;
        result->process.exit_status = result->process.signal ? -1 : (int)(number & 0xff);
        return at;
    }
    result->lost = !result->process.start_error && !result->process.timed_out;
    return length;
}

static status end_remote(struct adb *adb)
{
    static const char *const words[] = { "shell", "kill -9 $(cat " DEVICE_FOLDER "/runner.pid)", NULL };
    struct process_result result;
    const char *text;

    return ask(adb, words, SHORT_MS, &result, &text);
}

status adb_run(struct adb *adb, const struct pipeline_experiment *experiment, const char *const *arguments,
               uint64_t limit, struct output *output, struct adb_result *result)
{
    const char *words[] = { "shell", shell_command(adb, experiment, arguments), NULL };
    const char *all[MOST_WORDS];
    struct process_request request = { .arguments = all, .timeout_ms = experiment->timeout_ms, .limit = limit };
    const char *text;
    size_t length;
    status code;

    assert(adb->serial && arguments && "a device is found before it runs anything");
    *result = (struct adb_result){ 0 };
    if (!words[1])
        return status_no_memory("running on a device");
    build(adb, words, all);
    code = output_open_memory(&request.output);
    if (code != STATUS_OK)
        return code;
    code = process_run(&request, &result->process);
    text = output_memory(request.output, &length);
    if (code == STATUS_OK && !text)
        code = status_no_memory("running on a device");
    if (code == STATUS_OK)
        output_write(output, text, take_end_mark(text, length, result));
    output_abandon(request.output);
    if (code == STATUS_OK && result->process.timed_out)
        code = end_remote(adb);
    return code;
}

status adb_pull(struct adb *adb, const char *name, const char *path, bool *found)
{
    const char *source = pipeline_text(adb->pipeline, DEVICE_FOLDER "/%s", name);
    const char *words[] = { "pull", source, path, NULL };
    struct process_result result;
    const char *text;
    status code;

    assert(adb->serial && path);
    *found = false;
    if (!source)
        return status_no_memory("pulling from a device");
    code = ask(adb, words, TRANSFER_MS, &result, &text);
    *found = code == STATUS_OK && process_succeeded(&result) && pipeline_file_exists(path);
    return code;
}

status adb_remove(struct adb *adb, const char *name)
{
    const char *path = pipeline_text(adb->pipeline, DEVICE_FOLDER "/%s", name);
    const char *quoted = path ? quote(adb, path) : NULL;
    const char *command = quoted ? pipeline_text(adb->pipeline, "rm -f %s", quoted) : NULL;
    const char *words[] = { "shell", command, NULL };
    struct process_result result;
    const char *text;

    return command ? ask(adb, words, SHORT_MS, &result, &text) : status_no_memory("removing from a device");
}

status adb_clear_log(struct adb *adb)
{
    static const char *const words[] = { "logcat", "-c", NULL };
    struct process_result result;
    const char *text;

    return ask(adb, words, SHORT_MS, &result, &text);
}

status adb_read_log(struct adb *adb, uint64_t limit, struct output *output)
{
    static const char *const words[] = { "logcat", "-d", "-s", "XNNPACK", NULL };
    const char *all[MOST_WORDS];
    struct process_request request = { .arguments = all, .timeout_ms = SHORT_MS, .limit = limit, .output = output };
    struct process_result result;

    build(adb, words, all);
    return process_run(&request, &result);
}

status adb_finish(struct adb *adb)
{
    static const char *const words[] = { "shell", "rm -rf " DEVICE_FOLDER, NULL };
    struct process_result result;
    const char *text;

    return adb->serial ? ask(adb, words, SHORT_MS, &result, &text) : STATUS_OK;
}
