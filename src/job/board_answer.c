/* board_answer.c: what came of a command on another machine, for people and for programs. */
#include <signal.h>
#include <string.h>

#include "base/format.h"
#include "base/json_write.h"
#include "base/memory.h"
#include "base/path.h"
#include "job/board_parts.h"
#include "job/core_verbs.h"
#include "job/wall_time.h"

enum { LAST_LINES = 5 }; /* of a command that failed */

void board_free(struct board *board)
{
    for (size_t i = 0; i < board->question_count; i++)
        job_free(&board->questions[i]);
    memory_free(board->questions);
    for (unsigned i = 0; i < 2; i++)
        output_abandon(board->streams[i].kept);
    remote_free(&board->remote);
    texts_free(&board->words);
    texts_free(&board->wanted);
    memory_free(board->files);
    for (size_t i = 0; i < board->result_count; i++)
        memory_free(board->results[i].made);
    memory_free(board->results);
    arena_free(&board->arena);
    memory_free(board);
}

/* ---- Summaries ----------------------------------------------------------------------------------------------------- */

/* Whether `tacho summary` takes it; a file of another kind was wanted for itself. */
static bool is_profile(const char *path)
{
    const struct reader *reader = NULL;
    struct input *input = NULL;
    bool known = reader_open(path, NULL, &input, &reader) == STATUS_OK && !verb_refuses(&summary_verb, reader);

    input_close(input);
    status_clear();
    return known;
}

static status complete(struct board *board, struct board_result *result)
{
    struct path made = { 0 };
    status code = STATUS_OK;

    if (board->program && board->program->complete)
        code = board->program->complete(board->job, result->to, &made);
    if (code == STATUS_OK && made.text)
        result->made = made.text;
    else
        path_free(&made);
    return code;
}

static status summarise(struct board *board, struct board_result *result)
{
    struct job *question = &board->questions[board->question_count];
    status code = job_start(question, &summary_verb);

    board->question_count++;
    question->reading = board->job->reading;
    if (code == STATUS_OK)
        code = job_input(question, result->to);
    if (code == STATUS_OK)
        code = job_run(question);
    for (size_t i = 0; i < question->note_count; i++)
        job_note(board->job, question->notes[i].kind, NULL, "%s", question->notes[i].text);
    return code == STATUS_OK ? complete(board, result) : code;
}

status board_summarise(struct board *board)
{
    status code = STATUS_OK;

    board->questions = memory_allocate_clear((board->result_count + 1) * sizeof *board->questions);
    if (!board->questions)
        return status_no_memory("adding up");
    for (size_t i = 0; i < board->result_count && code == STATUS_OK; i++)
        if (is_profile(board->results[i].to))
            code = summarise(board, &board->results[i]);
    return code;
}

/* ---- For programs -------------------------------------------------------------------------------------------------- */

static void write_files(struct json_out *out, const struct board *board, const char *key, bool kept)
{
    json_out_array(out, key, JSON_ONE_LINE);
    for (size_t i = 0; i < board->file_count; i++)
        if (board->files[i].kept == kept)
            json_out_text(out, NULL, board->files[i].path);
    json_out_end(out);
}

static void write_results(struct json_out *out, const struct board *board)
{
    json_out_array(out, "fetched", JSON_LINES);
    for (size_t i = 0; i < board->result_count; i++) {
        const struct board_result *result = &board->results[i];

        json_out_object(out, NULL, JSON_ONE_LINE);
        json_out_text(out, "path", result->to);
        json_out_text(out, "from", result->from);
        json_out_unsigned(out, "bytes", result->size);
        json_out_truth(out, "older_than_the_run", result->old);
        json_out_text(out, "made", result->made);
        json_out_end(out);
    }
    json_out_end(out);
}

static void write_stream(struct json_out *out, const char *key, const char *dropped_key,
                         const struct board_stream *stream)
{
    size_t length = 0;
    const char *text = output_memory(stream->kept, &length);

    json_out_string(out, key, (struct text){ text, text ? length : 0 });
    if (stream->dropped)
        json_out_unsigned(out, dropped_key, stream->dropped);
}

static void write_overviews(struct json_out *out, const struct board *board)
{
    json_out_array(out, "overviews", JSON_LINES);
    for (size_t i = 0; i < board->question_count; i++)
        for (size_t k = 0; k < board->questions[i].product_count; k++)
            if (board->questions[i].products[k].kind == PRODUCT_JSON)
                board->questions[i].products[k].block.write(json_out_value(out, NULL),
                                                            board->questions[i].products[k].block.data, NULL);
    json_out_end(out);
}

static void write_json(struct output *output, const void *data, const struct printer_style *style)
{
    const struct board *board = data;
    struct json_out out;

    (void)style;
    json_out_start(&out, output);
    json_out_object(&out, NULL, JSON_LINES);
    json_out_text(&out, "host", board->remote.host);
    json_out_text(&out, "folder", board->folder);
    json_out_array(&out, "command", JSON_ONE_LINE);
    for (size_t i = 0; i < board->words.count; i++)
        json_out_text(&out, NULL, board->words.items[i]);
    json_out_end(&out);
    json_out_integer(&out, "exit_status", board->exit_status);
    if (board->exit_status)
        json_out_null(&out, "wall_time"); /* a run that failed has no time */
    else
        json_out_unsigned(&out, "wall_time", board->wall_ns);
    json_out_unsigned(&out, "connection_time", board->connection_ns);
    write_files(&out, board, "pushed", false);
    write_files(&out, board, "kept", true);
    json_out_text(&out, "output", board->out);
    write_results(&out, board);
    write_stream(&out, "stdout", "stdout_dropped", &board->streams[0]);
    write_stream(&out, "stderr", "stderr_dropped", &board->streams[1]);
    write_overviews(&out, board);
    json_out_end(&out);
    json_out_finish(&out);
}

/* ---- For people ---------------------------------------------------------------------------------------------------- */

static void write_overview_texts(struct output *output, const void *data, const struct printer_style *style)
{
    const struct board *board = data;
    bool any = false;

    for (size_t i = 0; i < board->question_count; i++) {
        for (size_t k = 0; k < board->questions[i].product_count; k++) {
            const struct product *product = &board->questions[i].products[k];

            if (product->kind != PRODUCT_BLOCK)
                continue;
            if (any)
                output_write(output, "\n", 1);
            product->block.write(output, product->block.data, style);
            any = true;
        }
    }
}

/* The last lines of a stream that had any. */
static status say_last_lines(struct board *board, const struct board_stream *stream)
{
    size_t length = 0, lines = 0;
    const char *text = output_memory(stream->kept, &length);
    struct text all = text_trim((struct text){ text, text ? length : 0 }), rest = all;
    status code = STATUS_OK;

    for (const char *at = all.data + all.length; all.length && at > all.data && lines < LAST_LINES; at--)
        if (at[-1] == '\n' && ++lines == LAST_LINES)
            rest = text_between(at, all.data + all.length);
    while (rest.length && rest.data && code == STATUS_OK) {
        struct text line = text_take(&rest, '\n');

        code = job_say(board->job, "  %.*s", (int)line.length, line.data);
    }
    return code;
}

static status say_failure(struct board *board)
{
    int number = board->exit_status > 128 && board->exit_status < 128 + 65 ? board->exit_status - 128 : 0;
    status code =
        number
            ? job_say(board->job, "the command failed on %s: exit status %d (signal %d, %s, as shells say it)",
                      board->remote.host, board->exit_status, number, strsignal(number))
            : job_say(board->job, "the command failed on %s: exit status %d", board->remote.host, board->exit_status);

    for (unsigned i = 0; i < 2 && code == STATUS_OK; i++)
        code = say_last_lines(board, &board->streams[1 - i]);
    return code;
}

static status say_files(struct board *board)
{
    status code = STATUS_OK;

    for (size_t i = 0; i < board->file_count && code == STATUS_OK; i++)
        code = job_say(board->job, "%s: %s %s:%s/%s", board->files[i].path,
                       board->files[i].kept ? "unchanged on" : "copied to", board->remote.host, board->folder,
                       board->files[i].name);
    for (size_t i = 0; i < board->result_count && code == STATUS_OK; i++) {
        char size[FORMAT_SIZE];

        format_bytes(size, board->results[i].size);
        code = job_say(board->job, "%s: fetched, %s", board->results[i].to, size);
        if (code == STATUS_OK && board->results[i].made)
            code = job_say(board->job, "%s: made of it", board->results[i].made);
    }
    return code;
}

static void release(void *data)
{
    board_free(data);
}

status board_say(struct board *board)
{
    struct job *job = board->job;
    char wall[FORMAT_SIZE], connection[FORMAT_SIZE];
    status code = say_files(board);

    job->exit_code = board->exit_status;
    format_duration(wall, (int64_t)board->wall_ns);
    format_duration(connection, (int64_t)board->connection_ns);
    if (code == STATUS_OK && board->exit_status)
        code = say_failure(board);
    else if (code == STATUS_OK)
        code = job_say(job, "wall time %s on %s, with the connection; a connection alone: %s", wall, board->remote.host,
                       connection);
    if (code == STATUS_OK && board->question_count)
        code = job_block(job, "overview", write_overview_texts, board, NULL);
    if (code != STATUS_OK) {
        board_free(board);
        return code;
    }
    return job_json(job, write_json, board, release);
}
