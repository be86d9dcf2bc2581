/* advise_inputs.c: reads reports of operations and device logs for advice. */
#include "tenstorrent/advise_inputs.h"

#include "base/memory.h"
#include "base/path.h"
#include "tenstorrent/advice_model.h"
#include "tenstorrent/chain.h"
#include "trace/clock.h"

static status open_input(struct advise_inputs *inputs, const struct job *job, size_t index)
{
    struct advise_settings *settings = job->settings;
    struct profile *profile = &inputs->items[index].profile;
    const struct session *session = &inputs->session;
    status code = STATUS_OK;

    *profile = (struct profile){ .path = job->inputs.items[index], .process = NO_ID };
    profile->display = memory_copy_text(path_name(profile->path));
    if (!profile->display)
        return status_no_memory("opening inputs");
    if (!index && settings->first) {
        profile->input = settings->first;
        profile->reader = settings->reader;
        settings->first = NULL;
    } else {
        code = reader_open(profile->path, job->reading.format, &profile->input, &profile->reader);
    }
    if (code == STATUS_OK && profile->reader->chain != &tenstorrent_chain)
        code = reader_refuse(profile->reader, profile->path,
                             "only reports of operations (tt-ops-csv, tt-ops-folder, tt-tracy-ops) go together, and "
                             "with device logs");
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
    return code;
}

/* The runs that count, in ns. */
static status keep_runs(struct advise_input *input, const struct clock *clock)
{
    const struct intervals *windows = runs_windows(&input->counted);
    struct intervals_cursor cursor;
    struct interval run;

    if (!windows || !clock)
        return STATUS_OK;
    input->runs = memory_allocate((size_t)(intervals_count(windows) + 1) * sizeof *input->runs);
    if (!input->runs)
        return status_no_memory("keeping runs");
    intervals_start(&cursor, windows);
    while (intervals_next(&cursor, &run))
        input->runs[input->run_count++] = (struct interval){ clock_ns(clock, run.start), clock_ns(clock, run.end) };
    return STATUS_OK;
}

static void keep_whole(struct advise_input *input, const struct metrics *metrics)
{
    input->whole = (struct interval){ 0, -1 };
    if (runs_windows(&input->counted) || !metrics->clock.denominator || !(input->run_ns > 0))
        return;
    input->whole.start = clock_ns(&metrics->clock, metrics->start);
    input->whole.end = input->whole.start + advice_rounded(input->run_ns);
}

static status read_input(struct advise_inputs *inputs, struct job *job, struct advise_input *input)
{
    struct counting counting = { .warmup = 0 };
    struct metrics metrics;
    struct feed feed;
    status code = counting_start(&counting, job->runs, job->warmup, false, inputs->session.strings);

    input->listener.report->losses = (struct losses){ .rows = 0 };
    source_add_companion(&input->profile.source, OP_LISTENER, &input->listener);
    feed_start(&feed, counting_sink(&counting), inputs->session.strings);
    if (code == STATUS_OK)
        code = session_read(&inputs->session, &input->profile, &feed);
    if (code == STATUS_OK) {
        job_note_profile(job, &input->profile);
        code = counting_take(&counting, &input->profile, &input->counted, &metrics);
    }
    if (code == STATUS_OK) {
        input->run_ns = (double)metrics_ns(&metrics, &metric_overall);
        keep_whole(input, &metrics);
        code = keep_runs(input, busy_clock(&counting.busy, input->profile.process));
    }
    feed_free(&feed);
    counting_free(&counting);
    return code;
}

/* What the markers of all inputs add to the rows of reports. */
static status join_logs(struct advise_inputs *inputs)
{
    size_t joined = 0, logs = 0;
    status code = STATUS_OK;

    for (size_t i = 0; i < inputs->count; i++)
        for (size_t j = 0; j < inputs->items[i].listener.log_count && code == STATUS_OK; j++, logs++)
            code = op_report_join_log(&inputs->report, &inputs->items[i].listener.logs[j], &joined);
    inputs->unjoined = logs && !joined;
    return code;
}

static status choose_rows(struct advise_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count && !inputs->first; i++)
        if (!inputs->items[i].log)
            inputs->first = &inputs->items[i];
    if (inputs->first) {
        inputs->rows = &inputs->report;
        return join_logs(inputs);
    }
    if (inputs->count > 1)
        return status_fail(STATUS_USAGE,
                           "advice on device logs takes one at a time, or with the report of its operations");
    inputs->first = &inputs->items[0];
    inputs->rows = &inputs->logged;
    return STATUS_OK;
}

status advise_inputs_read(struct advise_inputs *inputs, struct job *job)
{
    status code = session_start(&inputs->session, &job->reading);

    op_report_start(&inputs->report, inputs->session.strings);
    op_report_start(&inputs->logged, inputs->session.strings);
    inputs->items = memory_allocate_clear(job->inputs.count * sizeof *inputs->items);
    if (code == STATUS_OK && !inputs->items)
        code = status_no_memory("reading inputs");
    for (size_t i = 0; i < job->inputs.count && code == STATUS_OK; i++) {
        struct advise_input *input = &inputs->items[i];

        inputs->count++;
        code = open_input(inputs, job, i);
        input->log = code == STATUS_OK && tenstorrent_calls(input->profile.reader)->markers;
        op_listener_start(&input->listener, input->log ? &inputs->logged : &inputs->report);
        input->listener.slices = job->runs != NULL; /* names of them may tell the runs */
        if (code == STATUS_OK)
            code = read_input(inputs, job, input);
    }
    return code == STATUS_OK ? choose_rows(inputs) : code;
}

void advise_inputs_free(struct advise_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++) {
        struct advise_input *input = &inputs->items[i];

        op_listener_free(&input->listener);
        counted_runs_free(&input->counted);
        memory_free(input->runs);
        input_close(input->profile.input);
        memory_free(input->profile.display);
    }
    memory_free(inputs->items);
    op_report_free(&inputs->report);
    op_report_free(&inputs->logged);
    session_end(&inputs->session);
}
