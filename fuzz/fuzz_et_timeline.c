/* fuzz_et_timeline.c: the readers of ExecuTorch's CSV files: timelines, and operator statistics where the header is theirs. */
#include "check_sink.h"

enum { LARGEST = 64 * 1024 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text head = { (const char *)data, size };
    struct strings *strings;

    if (size > LARGEST)
        return -1;
    strings = strings_new();
    if (strings)
        check_reader(size && et_ops_reader.probe(head, "fuzz") ? &et_ops_reader : &et_timeline_reader, data, size, NULL,
                     NULL, strings);
    strings_free(strings);
    return 0;
}
