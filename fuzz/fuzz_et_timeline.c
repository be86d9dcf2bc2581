/* fuzz_et_timeline.c: the readers of ExecuTorch's CSV files: timelines, and operator statistics where the header is theirs. */
#include "check_sink.h"
#include "executorch/chain.h"

static void check(const uint8_t *data, size_t size, struct strings *strings)
{
    struct text head = { (const char *)data, size };

    check_reader(size && et_ops_reader.probe(head, "fuzz") ? &et_ops_reader : &et_timeline_reader, data, size, NULL,
                 NULL, strings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return check_input(data, size, check);
}
