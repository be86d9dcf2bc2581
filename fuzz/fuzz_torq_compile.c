/* fuzz_torq_compile.c: the reader of compile-time timelines. */
#include "check_sink.h"
#include "torq/chain.h"

static void check(const uint8_t *data, size_t size, struct strings *strings)
{
    check_reader(&torq_compile_reader, data, size, NULL, NULL, strings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return check_input(data, size, check);
}
