/* tacho_run.c: the public functions that do what the command does. */
#include <string.h>

#include "base/memory.h"
#include "base/path.h"
#include "job/public.h"

struct tacho_result {
    struct job job; /* owned */
};

/* An option where the verb takes it. */
static status set_given(struct job *job, const struct tacho_option *given)
{
    struct job_option found;

    if (job_find(job, given->name, strlen(given->name), 0, &found) != STATUS_OK)
        return STATUS_OK;
    return job_set(job, &found, given->value);
}

status question_fill(const struct question *question, struct job *job)
{
    status code = STATUS_OK;

    job->by_name = true;
    for (size_t i = 0; i < question->given_count && code == STATUS_OK; i++)
        code = set_given(job, &question->given[i]);
    for (size_t i = 0; i < question->asked_count && code == STATUS_OK; i++)
        code = question->asked[i].name ? job_option(job, question->asked[i].name, question->asked[i].value)
                                       : status_fail(STATUS_USAGE, "an option wants a name");
    for (size_t i = 0; i < question->input_count && code == STATUS_OK; i++)
        code = question->inputs[i] ? job_input(job, question->inputs[i])
                                   : status_fail(STATUS_USAGE, "an input wants the path of a file");
    return code;
}

enum tacho_status question_run(const struct question *question, const char *name, struct tacho_result **result)
{
    const char *nearest = NULL;
    const struct verb *verb = verb_named(name ? name : "", &nearest);
    struct tacho_result *made;
    status code;

    if (result)
        *result = NULL;
    if (!verb)
        return to_public(status_fail(STATUS_USAGE, "no verb is called \"%s\"%s%s%s", name ? name : "",
                                     nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : ""));
    made = memory_allocate_clear(sizeof *made);
    if (!made)
        return to_public(status_no_memory("starting"));
    code = job_start(&made->job, verb);
    if (code == STATUS_OK)
        code = question_fill(question, &made->job);
    if (code == STATUS_OK)
        code = job_run(&made->job);
    if ((code == STATUS_OK || code == STATUS_NO) && made->job.output) {
        status written = job_write_file(&made->job, made->job.output);

        code = written == STATUS_OK ? code : written;
    }
    if (result)
        *result = made;
    else
        tacho_result_free(made);
    return to_public(code);
}

enum tacho_status tacho_run(const char *verb, const char *const *inputs, size_t input_count,
                            const struct tacho_option *options, size_t option_count, struct tacho_result **result)
{
    const struct question question = {
        .inputs = inputs, .input_count = input_count, .asked = options, .asked_count = option_count
    };

    return question_run(&question, verb, result);
}

void tacho_result_free(struct tacho_result *result)
{
    if (!result)
        return;
    job_free(&result->job);
    memory_free(result);
}

/* The product of a kind with this number among its like; NULL: there is none. */
static const struct product *product_at(const struct tacho_result *result, enum product_kind kind, size_t index)
{
    for (size_t i = 0; i < result->job.product_count; i++)
        if (result->job.products[i].kind == kind && !index--)
            return &result->job.products[i];
    return NULL;
}

static size_t count_products(const struct tacho_result *result, enum product_kind kind)
{
    size_t count = 0;

    while (product_at(result, kind, count))
        count++;
    return count;
}

size_t tacho_result_tables(const struct tacho_result *result)
{
    return count_products(result, PRODUCT_TABLE);
}

const struct tacho_table *tacho_result_table(const struct tacho_result *result, size_t index)
{
    const struct product *product = product_at(result, PRODUCT_TABLE, index);

    return product ? (const struct tacho_table *)product->table : NULL;
}

const struct tacho_table *tacho_result_find(const struct tacho_result *result, const char *name)
{
    return name ? (const struct tacho_table *)job_find_table(&result->job, name) : NULL;
}

size_t tacho_result_notes(const struct tacho_result *result)
{
    return result->job.note_count;
}

const char *tacho_result_note(const struct tacho_result *result, size_t index)
{
    return index < result->job.note_count ? result->job.notes[index].text : NULL;
}

size_t tacho_result_lines(const struct tacho_result *result)
{
    return count_products(result, PRODUCT_LINE);
}

const char *tacho_result_line(const struct tacho_result *result, size_t index)
{
    const struct product *product = product_at(result, PRODUCT_LINE, index);

    return product ? product->line : NULL;
}

enum tacho_status tacho_result_write(const struct tacho_result *result, const char *path)
{
    struct output *output;
    status code;

    if (!path)
        return to_public(status_fail(STATUS_USAGE, "a result wants the path of a file"));
    if (strcmp(path, "-") != 0 && !text_equal(path_suffix(path), text_of(".json")))
        return to_public(job_write_file(&result->job, path));
    code = output_open(path, &output);
    if (code != STATUS_OK)
        return to_public(code);
    return to_public(output_finish(output, job_write_json(&result->job, output)));
}

enum tacho_status tacho_result_json(const struct tacho_result *result, char **text)
{
    struct output *output;
    status code = output_open_memory(&output);

    *text = NULL;
    return code == STATUS_OK ? hand_out_text(output, job_write_json(&result->job, output), text) : to_public(code);
}

const char *tacho_verb_name(size_t index)
{
    struct verb_walk walk = { 0 };
    const struct verb *verb = verb_next(&walk);

    for (; verb && index; index--)
        verb = verb_next(&walk);
    return verb ? verb->name : NULL;
}
