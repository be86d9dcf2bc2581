/* fuzz_reader.c: any reader, by the rules that hold for all of them. The build names which: FUZZED_READER. */
#include "check_sink.h"
#include "read/chain.h"

static void check(const uint8_t *data, size_t size, struct strings *strings)
{
    const struct reader *reader = reader_named(FUZZED_READER);

    check_that(reader != NULL, "there is a reader of that name");
    check_reader(reader, data, size, NULL, NULL, strings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return check_input(data, size, check);
}
