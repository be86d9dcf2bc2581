/* fuzz_torq_annotated.c: the reader of annotated runtime logs. */
#include "check_sink.h"

enum { LARGEST = 64 * 1024 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct strings *strings;

    if (size > LARGEST)
        return -1;
    strings = strings_new();
    if (strings)
        check_reader(&torq_annotated_reader, data, size, NULL, NULL, strings);
    strings_free(strings);
    return 0;
}
