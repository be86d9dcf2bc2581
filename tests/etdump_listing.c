/* etdump_listing.c: what the reader `etdump` makes of a dump, one line for each thing: etdump_listing FILE
 *
 * `etdump_reference.py` prints the same from its own reading of the file; `cli/test_etdump.py` compares the two.
 */
#include <inttypes.h>
#include <stdio.h>

#include "executorch/chain.h"
#include "executorch/execution.h"
#include "read/reader.h"

static void print_quoted(const struct strings *strings, string_id id)
{
    struct text text = strings_get(strings, id);

    putchar('"');
    for (size_t i = 0; i < text.length; i++) {
        unsigned char byte = (unsigned char)text.data[i];

        if (byte < ' ' || byte > '~' || byte == '"' || byte == '\\')
            printf("\\x%02x", byte);
        else
            putchar(byte);
    }
    putchar('"');
}

static void print_event(const struct execution *execution, const struct execution_event *event)
{
    const struct execution_operator *op = execution_operator_at(execution, event->op);

    printf("event %u ", event->run);
    print_quoted(execution->strings, op->name);
    printf(" %s chain %d instruction %d id %" PRId64, event_kind_key(op->kind), op->chain, op->instruction,
           op->delegate_id);
    printf(" start %" PRId64 " duration %" PRId64 " metadata ", event->start, event->duration);
    print_quoted(execution->strings, op->metadata);
    printf(" block ");
    print_quoted(execution->strings, op->block);
    printf(" backend ");
    print_quoted(execution->strings, op->backend);
    putchar('\n');
}

static void print_rest(const struct execution *execution)
{
    for (uint32_t i = 0; i < execution->allocators.count; i++) {
        const struct execution_allocator *allocator = column_at(&execution->allocators, i);

        printf("allocator %u ", allocator->run);
        print_quoted(execution->strings, allocator->name);
        printf(" bytes %" PRIu64 " count %" PRIu64 "\n", allocator->bytes, allocator->count);
    }
    for (uint32_t i = 0; i < execution->values.count; i++) {
        const struct execution_value *value = column_at(&execution->values, i);

        printf("value %u ", value->run);
        print_quoted(execution->strings, value->name);
        printf(" instruction %d output %d ", value->instruction, value->output);
        print_quoted(execution->strings, value->text);
        putchar('\n');
    }
    printf("rows %" PRIu64 " used %" PRIu64 " lost %" PRIu64 "\n", execution->losses.rows, execution->losses.used,
           execution->losses.lost);
}

static void print_execution(const struct execution *execution)
{
    for (uint32_t i = 0; i < execution->runs.count; i++) {
        const struct execution_run *run = execution_run_at(execution, i);

        printf("run %u ", i);
        print_quoted(execution->strings, run->block);
        printf(" index %u bundled %d events %u execute %" PRId64 "\n", run->index, run->bundled_input, run->event_count,
               run->execute);
    }
    for (uint32_t i = 0; i < execution->events.count; i++)
        print_event(execution, execution_event_at(execution, i));
    print_rest(execution);
}

int main(int count, char **words)
{
    struct source source = { 0 };
    struct execution execution;
    struct strings *strings = model_strings();
    status code = strings && count == 2 ? input_open(words[1], &source.input) : STATUS_USAGE;

    execution_start(&execution, strings);
    source.path = words[count - 1];
    if (code == STATUS_OK)
        code = executorch_calls(&etdump_reader)->execution(&source, &execution);
    if (code == STATUS_OK)
        print_execution(&execution);
    else
        fprintf(stderr, "%s\n", code == STATUS_USAGE ? "usage: etdump_listing FILE" : status_message());
    execution_free(&execution);
    input_close(source.input);
    strings_free(strings);
    return status_exit_code(code);
}
