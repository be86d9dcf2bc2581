/* fuzz_torq_annotated.c: the reader of annotated runtime logs. */
#include "check_sink.h"
#include "torq/chain.h"

static void check(const uint8_t *data, size_t size, struct strings *strings)
{
    check_reader(&torq_annotated_reader, data, size, NULL, NULL, strings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return check_input(data, size, check);
}
