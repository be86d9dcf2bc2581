/* fuzz_torq_mlir.c: the scanner and reader of the compiler's dump, as a program and as an estimated timeline. */
#include "check_sink.h"

enum { LARGEST = 64 * 1024 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct program program;
    struct strings *strings;

    if (size > LARGEST)
        return -1;
    strings = strings_new();
    if (strings && check_program(&torq_mlir_reader, data, size, &program, strings)) {
        program_free(&program);
        if (torq_mlir_reader.read)
            check_reader(&torq_mlir_reader, data, size, NULL, NULL, strings);
    }
    strings_free(strings);
    return 0;
}
