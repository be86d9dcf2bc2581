/* fuzz_torq_mlir.c: the scanner and reader of the compiler's dump, as a program and as an estimated timeline. */
#include "check_sink.h"
#include "torq/chain.h"

static void check(const uint8_t *data, size_t size, struct strings *strings)
{
    struct program program;

    if (check_program(data, size, &program, strings)) {
        program_free(&program);
        check_reader(&torq_mlir_reader, data, size, NULL, NULL, strings);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return check_input(data, size, check);
}
