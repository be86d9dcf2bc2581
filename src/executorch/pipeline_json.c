#include "executorch/pipeline_json.h"

#include "table/json.h"

struct json_writer json_writer(struct output *output)
{
    return (struct json_writer){ .output = output, .first = true };
}

static void new_line(struct json_writer *writer)
{
    output_write(writer->output, "\n", 1);
    for (unsigned i = 0; i < writer->depth; i++)
        output_write(writer->output, "  ", 2);
}

/* What stands before a value: the comma of the one before it, its line, its key. */
static void begin_value(struct json_writer *writer, const char *key)
{
    if (!writer->first)
        output_write(writer->output, ",", 1);
    if (writer->depth)
        new_line(writer);
    writer->first = false;
    if (key) {
        json_write_text(writer->output, key);
        output_write(writer->output, ": ", 2);
    }
}

void json_open(struct json_writer *writer, const char *key, char bracket)
{
    begin_value(writer, key);
    output_write(writer->output, &bracket, 1);
    writer->depth++;
    writer->first = true;
}

void json_close(struct json_writer *writer, char bracket)
{
    writer->depth--;
    if (!writer->first)
        new_line(writer);
    output_write(writer->output, &bracket, 1);
    writer->first = false;
}

void json_put_text(struct json_writer *writer, const char *key, const char *text)
{
    begin_value(writer, key);
    json_write_text(writer->output, text);
}

void json_put_integer(struct json_writer *writer, const char *key, int64_t value)
{
    begin_value(writer, key);
    json_write_integer(writer->output, value);
}

void json_put_decimal(struct json_writer *writer, const char *key, double value)
{
    begin_value(writer, key);
    json_write_decimal(writer->output, value);
}

void json_put_truth(struct json_writer *writer, const char *key, bool value)
{
    begin_value(writer, key);
    if (value)
        output_write(writer->output, "true", 4);
    else
        output_write(writer->output, "false", 5);
}

void json_put_null(struct json_writer *writer, const char *key)
{
    json_put_text(writer, key, NULL);
}

void json_finish(struct json_writer *writer)
{
    output_write(writer->output, "\n", 1);
}
