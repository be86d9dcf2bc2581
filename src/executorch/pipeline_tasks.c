/* pipeline_tasks.c: runs the tasks, here or on a device, and puts what each of them leaves where it belongs. */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "executorch/load.h"
#include "executorch/pipeline.h"
#include "executorch/pipeline_adb.h"

enum {
    MOST_ARGUMENTS = 16,             /* of ours; the configuration's come on top */
    LARGEST_LOG = 256 * 1024 * 1024, /* bytes of one run's output that are kept */
};

/* One task while it runs. */
struct running {
    struct pipeline *pipeline;     /* that it is of */
    struct pipeline_task *task;    /* what it becomes stands there */
    struct adb *adb;               /* NULL: on this machine */
    struct process_result process; /* how the runner ended */
    bool lost;                     /* the connection to the device */
    struct output *log;            /* what the runner printed */
    const char *scratch;           /* where the dump is written before it is known to be whole; in the arena */
};

static status fail_task(struct pipeline *pipeline, struct pipeline_task *task, const char *reason)
{
    task->state = RUN_STATE_FAILED;
    task->reason = pipeline_text(pipeline, "%s", reason);
    if (!task->reason)
        return status_no_memory("running a task");
    pipeline_warn(pipeline, "%s, %u thread%s, launch %u: %s", task->experiment->name, task->threads,
                  task->threads == 1 ? "" : "s", task->launch, reason);
    return STATUS_OK;
}

/* ---- Before ---- */

/* Results of an earlier call must not stand in for those of a run that fails now. */
static void remove_old_files(const struct pipeline_task *task)
{
    for (const struct pipeline_artifact *one = pipeline_artifacts(task->experiment->mode); one->role; one++)
        unlink(task->files[one->role]);
}

/* `model` and `dump` as the runner sees them. */
static status build_arguments(const struct running *running, const char *model, const char *dump, uint32_t executions,
                              const char ***arguments)
{
    const struct pipeline_experiment *experiment = running->task->experiment;
    struct pipeline *pipeline = running->pipeline;
    const char **words = arena_allocate(&pipeline->arena, (MOST_ARGUMENTS + experiment->extra_count) * sizeof *words,
                                        _Alignof(const char *));
    size_t count = 0;

    if (!words)
        return status_no_memory("running a task");
    if (!running->adb && experiment->affinity) {
        words[count++] = "taskset";
        words[count++] = experiment->affinity;
    }
    if (!running->adb)
        words[count++] = experiment->runner_path;
    words[count++] = "--model_path";
    words[count++] = model;
    words[count++] = "--num_executions";
    words[count++] = pipeline_text(pipeline, "%u", executions);
    words[count++] = "--cpu_threads";
    words[count++] = pipeline_text(pipeline, "%u", running->task->threads);
    words[count++] = "--etdump_path";
    words[count++] = dump;
    for (size_t i = 0; i < experiment->extra_count; i++)
        words[count++] = experiment->extra[i];
    words[count] = NULL;
    assert(count < MOST_ARGUMENTS + experiment->extra_count);
    for (size_t i = 0; i < count; i++)
        if (!words[i])
            return status_no_memory("running a task");
    *arguments = words;
    return STATUS_OK;
}

/* ---- The run itself ---- */

/* Of the dump on a device. */
static const char *dump_name(const struct running *running)
{
    return pipeline_text(running->pipeline, "%s.etdump", path_name(running->task->stem));
}

static status run_here(struct running *running, uint32_t executions, struct output *log)
{
    struct process_request request = { .output = log,
                                       .limit = LARGEST_LOG,
                                       .timeout_ms = running->task->experiment->timeout_ms };
    const char **arguments;
    status code = build_arguments(running, running->pipeline->model_path, running->scratch, executions, &arguments);

    if (code != STATUS_OK)
        return code;
    request.arguments = arguments;
    return process_run(&request, &running->process);
}

static status run_there(struct running *running, uint32_t executions, struct output *log)
{
    const char *dump = dump_name(running);
    const char **arguments;
    struct adb_result result;
    status code;

    if (!dump)
        return status_no_memory("running a task");
    code = build_arguments(running, adb_model_name(running->adb), dump, executions, &arguments);
    if (code == STATUS_OK)
        code = adb_run(running->adb, running->task->experiment, arguments, LARGEST_LOG, log, &result);
    if (code != STATUS_OK)
        return code;
    running->process = result.process;
    running->lost = result.lost;
    return STATUS_OK;
}

static status run_once(struct running *running, uint32_t executions, struct output *log)
{
    return running->adb ? run_there(running, executions, log) : run_here(running, executions, log);
}

/* A process of its own for the warm-up, where the configuration wants one. Its dump and log are not kept. */
static status warm_up(struct running *running)
{
    const struct pipeline_experiment *experiment = running->task->experiment;
    struct output *log;
    status code;

    if (experiment->warmup_in_process || !experiment->warmup)
        return STATUS_OK;
    code = output_open_memory(&log);
    if (code != STATUS_OK)
        return code;
    code = run_once(running, experiment->warmup, log);
    output_abandon(log);
    unlink(running->scratch);
    return code;
}

/* The device's log first, under headings, as the original has it. */
static status run_trace_there(struct running *running)
{
    struct output *printed;
    const char *text;
    size_t length;
    status code = output_open_memory(&printed);

    if (code != STATUS_OK)
        return code;
    code = adb_clear_log(running->adb);
    if (code == STATUS_OK)
        code = run_once(running, 1, printed);
    output_format(running->log, "=== XNNPACK Logcat Output ===\n");
    if (code == STATUS_OK)
        code = adb_read_log(running->adb, LARGEST_LOG, running->log);
    text = output_memory(printed, &length);
    output_format(running->log, "\n=== Runner stdout ===\n");
    if (text)
        output_write(running->log, text, length);
    else if (code == STATUS_OK)
        code = status_no_memory("running a task");
    output_abandon(printed);
    return code;
}

/* ---- After ---- */

static bool is_in_word(char sign)
{
    return char_is_letter(sign) || char_is_digit(sign) || sign == '_';
}

/* "nan" as a word of its own, as a model's printed output has it. */
static bool says_nan(struct text text)
{
    struct text rest = text;
    const char *end = text.data + text.length, *at;

    for (; (at = text_find_any_case(rest, "nan")); rest = text_between(at + 1, end))
        if ((at == text.data || !is_in_word(at[-1])) && (at + 3 == end || !is_in_word(at[3])))
            return true;
    return false;
}

/* The last lines of what was printed, for a person who wants to know why it failed. */
static status keep_tail(const struct running *running, struct text printed)
{
    enum { MOST_LINES = 5, MOST_BYTES = 2000 };
    size_t start = printed.length, lines = 0;

    while (start && printed.length - start < MOST_BYTES && lines <= MOST_LINES)
        lines += printed.data[--start] == '\n' && start + 1 < printed.length;
    start += lines > MOST_LINES;
    if (text_is_blank(printed))
        return STATUS_OK;
    running->task->tail = arena_copy(&running->pipeline->arena, printed.data + start, printed.length - start);
    return running->task->tail ? STATUS_OK : status_no_memory("keeping a log");
}

/* The original's summary stands at the end of the log; readers look for it there. */
static void write_performance(struct output *output, const struct running *running, uint32_t executions)
{
    const struct pipeline_task *task = running->task;
    double wall = (double)running->process.wall_ns / 1e9;
    const char *line = "=========================================\n";

    output_format(output, "\n%sPERFORMANCE SUMMARY\n%s", line, line);
    output_format(output, "Experiment:              %s\n", task->experiment->name);
    output_format(output, "Model:                   %s\n", running->pipeline->model_path);
    output_format(output, "Warmup Iterations:       %u%s\n", task->experiment->warmup,
                  task->warmup_in_process ? " (the first iterations of this process)" : "");
    output_format(output, "Execution Iterations:    %u\n", task->experiment->runs);
    output_format(output, "Execution Total Wall:    %.6fs\n", wall);
    output_format(output, "Avg Wall/Run:            %.6fs\n", wall / executions);
    output_format(output, "CPU Threads:             %u\n", task->threads);
    output_format(output, "Runner:                  %s\n", task->experiment->runner_path);
    output_format(output, "%s", line);
}

static status write_log(struct running *running, uint32_t executions)
{
    struct pipeline_task *task = running->task;
    bool trace = task->experiment->mode == PIPELINE_TRACE;
    struct text text = { NULL, 0 };
    struct output *output;
    status code = STATUS_OK;

    text.data = output_memory(running->log, &text.length);
    if (!text.data)
        return status_no_memory("keeping a log");
    task->nan_in_output = says_nan(text);
    if (task->state == RUN_STATE_FAILED)
        code = keep_tail(running, text);
    if (trace && !text_contains(text, "microkernel"))
        task->note = "no kernel in the log: was the runner built with XNN_LOG_LEVEL=4 or more?";
    if (running->process.dropped)
        task->note = "the runner printed more than 256 MiB: the log is cut";
    if (code == STATUS_OK)
        code = output_open(task->files[trace ? RUN_XNNTRACE : RUN_LOG], &output);
    if (code != STATUS_OK)
        return code;
    output_write(output, text.data, text.length);
    if (text.length && !text_ends(text, "\n"))
        output_write(output, "\n", 1);
    if (!trace)
        write_performance(output, running, executions);
    return output_commit(output);
}

/* A dump that a crashed runner left may be whole all the same, when it crashed at its end. */
static bool is_whole(const char *path)
{
    struct load_options options = { .format = "etdump", .no_etrecord = true, .strict = true };
    struct strings *strings = strings_new();
    struct execution execution;
    struct loaded loaded;
    status code;

    if (!strings)
        return false;
    code = load_execution(path, &options, strings, &execution, &loaded);
    execution_free(&execution);
    loaded_free(&loaded);
    strings_free(strings);
    return code == STATUS_OK;
}

static status fetch_dump(struct running *running)
{
    const char *name = dump_name(running);
    bool found;
    status code;

    if (!running->adb)
        return STATUS_OK;
    if (!name)
        return status_no_memory("fetching a dump");
    code = adb_pull(running->adb, name, running->scratch, &found);
    return code == STATUS_OK ? adb_remove(running->adb, name) : code;
}

static status keep_dump(struct running *running)
{
    struct pipeline_task *task = running->task;

    if (!pipeline_file_exists(running->scratch)) {
        if (!task->reason)
            task->note = "the runner wrote no ETDump: was it built with the event tracer?";
        return STATUS_OK;
    }
    if (task->reason && !is_whole(running->scratch)) {
        task->note = "the ETDump was incomplete and is not kept";
        return STATUS_OK;
    }
    if (rename(running->scratch, task->files[RUN_ETDUMP]) < 0)
        return status_fail_at(STATUS_OUTPUT, (struct place){ .file = task->files[RUN_ETDUMP] }, "%s", strerror(errno));
    return STATUS_OK;
}

static status judge(struct running *running)
{
    char text[PROCESS_TEXT];

    if (running->lost)
        return fail_task(running->pipeline, running->task, "the connection to the device broke off");
    if (process_succeeded(&running->process)) {
        running->task->state = RUN_STATE_OK;
        return STATUS_OK;
    }
    running->task->exit_status = running->process.exit_status;
    running->task->signal = running->process.signal;
    process_describe(&running->process, running->task->experiment->timeout_ms, text);
    return fail_task(running->pipeline, running->task, text);
}

/* An exit status of 0 is no result yet. */
static status check_result(struct running *running)
{
    struct pipeline_task *task = running->task;
    uint32_t wanted = task->experiment->runs + task->warmup_in_process;
    status code = pipeline_measure(running->pipeline, task);

    if (code != STATUS_OK || task->experiment->mode == PIPELINE_TRACE || task->state != RUN_STATE_OK)
        return code;
    if (!task->metrics.inferences)
        return fail_task(running->pipeline, task, "neither an ETDump nor the log shows an inference");
    if (task->metrics.inferences != wanted) {
        task->note = pipeline_text(running->pipeline, "%zu inferences instead of %u", task->metrics.inferences, wanted);
        return task->note ? STATUS_OK : status_no_memory("running a task");
    }
    return STATUS_OK;
}

static status run_and_collect(struct running *running)
{
    struct pipeline_task *task = running->task;
    bool trace = task->experiment->mode == PIPELINE_TRACE;
    uint32_t executions = trace ? 1 : task->experiment->runs + task->warmup_in_process;
    status code = warm_up(running);

    if (code == STATUS_OK)
        code = trace && running->adb ? run_trace_there(running) : run_once(running, executions, running->log);
    if (code != STATUS_OK)
        return code;
    task->wall_s = (double)running->process.wall_ns / 1e9;
    code = judge(running);
    if (code == STATUS_OK && !running->process.start_error)
        code = write_log(running, executions);
    if (code == STATUS_OK)
        code = fetch_dump(running);
    if (code == STATUS_OK && !trace)
        code = keep_dump(running);
    return code == STATUS_OK ? check_result(running) : code;
}

static status run_task(struct pipeline *pipeline, struct pipeline_task *task, struct adb *adb)
{
    struct running running = {
        .pipeline = pipeline, .task = task, .adb = adb, .scratch = pipeline_text(pipeline, "%s.etdump.part", task->stem)
    };
    struct text folder = path_folder(task->stem);
    const char *made = pipeline_text(pipeline, "%.*s", (int)folder.length, folder.data);
    status code;

    task->ran_now = true;
    task->started = time(NULL);
    if (!made || !running.scratch)
        return status_no_memory("running a task");
    code = path_make_folder(made);
    if (code == STATUS_OK)
        code = output_open_memory(&running.log);
    if (code != STATUS_OK)
        return code;
    remove_old_files(task);
    unlink(running.scratch);
    process_guard(running.scratch);
    code = run_and_collect(&running);
    unlink(running.scratch);
    process_release(running.scratch);
    output_abandon(running.log);
    return code;
}

/* ---- All of them ---- */

/* What keeps a task from being started at all; NULL: nothing. */
static status find_obstacle(struct pipeline *pipeline, const struct pipeline_task *task, struct adb *adb,
                            const char *no_device, const char **obstacle)
{
    *obstacle = no_device;
    if (no_device)
        return STATUS_OK;
    if (!task->experiment->runner_path) {
        *obstacle = pipeline_text(pipeline, "the runner %s is not there", task->experiment->runner);
        return *obstacle ? STATUS_OK : status_no_memory("running a task");
    }
    return adb ? adb_push_runner(adb, task->experiment, obstacle) : STATUS_OK;
}

/* Nothing was started, so nothing was lost: files of an earlier call stay, and their numbers with them. */
static status skip_task(struct pipeline *pipeline, struct pipeline_task *task, const char *obstacle)
{
    status code = fail_task(pipeline, task, obstacle);

    task->ran_now = true;
    if (code == STATUS_OK)
        code = pipeline_measure(pipeline, task);
    if (pipeline_file_exists(task->files[RUN_ETDUMP]) || pipeline_file_exists(task->files[RUN_LOG]) ||
        pipeline_file_exists(task->files[RUN_XNNTRACE]))
        task->note = "the files are of an earlier call";
    return code;
}

static status run_in_turn(struct pipeline *pipeline, struct adb *adb, const char *no_device)
{
    size_t turn = 0, turns = 0;
    status code = STATUS_OK;

    for (size_t i = 0; i < pipeline->task_count; i++)
        turns += pipeline->tasks[i].experiment->selected;
    for (size_t i = 0; i < pipeline->task_count && code == STATUS_OK; i++) {
        struct pipeline_task *task = &pipeline->tasks[pipeline->order[i]];
        const char *obstacle;

        if (!task->experiment->selected)
            continue;
        pipeline_tell(pipeline, "[%zu/%zu] %s, %u thread%s, launch %u of %u", ++turn, turns, task->experiment->name,
                      task->threads, task->threads == 1 ? "" : "s", task->launch, task->experiment->launches);
        code = find_obstacle(pipeline, task, adb, no_device, &obstacle);
        if (code == STATUS_OK)
            code = obstacle ? skip_task(pipeline, task, obstacle) : run_task(pipeline, task, adb);
        if (code == STATUS_OK)
            code = pipeline_write_manifest(pipeline); /* so that an interruption leaves a true one */
    }
    return code;
}

status pipeline_run_tasks(struct pipeline *pipeline)
{
    struct adb adb;
    const char *no_device = NULL;
    status code, finished;

    if (pipeline->platform == PIPELINE_HERE) {
        code = pipeline_describe_here(pipeline);
        pipeline->device_known = code == STATUS_OK;
        return code == STATUS_OK ? run_in_turn(pipeline, NULL, NULL) : code;
    }
    code = adb_start(&adb, pipeline, &no_device);
    pipeline->device_known = code == STATUS_OK && pipeline->device.os;
    if (code == STATUS_OK)
        code = run_in_turn(pipeline, &adb, no_device);
    finished = adb_finish(&adb);
    return code == STATUS_OK ? finished : code;
}
