/* fuzz_torq_runtime.c: the reader of runtime logs, alone and with what was compiled.
 *
 * After a line "%mlir" the input goes on with the dump that the log belongs to.
 */
#include <string.h>

#include "check_sink.h"
#include "torq/chain.h"

static void read_with_program(const uint8_t *log, size_t log_size, const uint8_t *dump, size_t dump_size,
                              struct strings *strings)
{
    const struct clock cycles = clock_of_mhz(800, 1, 0);
    struct program program;
    struct estimate estimate;

    if (!check_program(dump, dump_size, &program, strings))
        return;
    estimate_start(&estimate, strings);
    if (estimate_from_program(&estimate, &program, &cycles) == STATUS_OK &&
        estimate_complete(&estimate, &program) == STATUS_OK)
        check_reader(&torq_runtime_reader, log, log_size, &program, &estimate, strings);
    estimate_free(&estimate);
    program_free(&program);
}

static void check(const uint8_t *data, size_t size, struct strings *strings)
{
    static const char separator[] = "\n%mlir\n";
    const uint8_t *dump = size ? memmem(data, size, separator, sizeof separator - 1) : NULL;
    size_t log_size = dump ? (size_t)(dump - data) + 1 : size;
    size_t skipped = log_size + sizeof separator - 2; /* the log's last line end is the first byte of the separator */

    if (dump)
        read_with_program(data, log_size, data + skipped, size - skipped, strings);
    else
        check_reader(&torq_runtime_reader, data, size, NULL, NULL, strings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return check_input(data, size, check);
}
