/* fuzz_xnntrace.c: logs of XNNPACK: their kernels and what ran, their times, and tables of kernels where the header is theirs. */
#include "check_sink.h"

#include "base/memory.h"
#include "executorch/chain.h"
#include "executorch/kernels.h"

static status read_kernels(const struct reader *reader, const uint8_t *data, size_t size, size_t piece,
                           struct kernel_log *log, struct strings *strings)
{
    struct input *input = NULL;
    status code;

    kernel_log_start(log, strings);
    input_limit_reads(piece);
    code = input_open_memory("fuzz", data, size, &input);
    if (code == STATUS_OK) {
        struct source source = { .input = input, .path = "fuzz" };

        code = executorch_calls(reader)->kernels(&source, log);
    }
    input_close(input);
    input_limit_reads(0);
    return code;
}

/* What must hold of every log. */
static void check_log(const struct kernel_log *log)
{
    for (uint32_t i = 0; i < log->kernels.count; i++) {
        const struct kernel *kernel = kernel_at(log, i);

        check_that(!kernel->replaced == (kernel->replaced_by == NO_ID), "a kernel that was replaced says by which");
        check_that(kernel->replaced_by == NO_ID || kernel->replaced_by < log->kernels.count, "that kernel is there");
    }
    for (uint32_t i = 0; i < log->uses.count; i++) {
        const struct kernel_use *use = kernel_use_at(log, i);
        const struct kernel_use *before = i ? kernel_use_at(log, i - 1) : NULL;

        check_that(use->kernel == NO_ID || (use->kernel < log->kernels.count && use->has_tile),
                   "a kernel that ran is there");
        check_that(use->kernel == NO_ID || !kernel_at(log, use->kernel)->replaced, "what ran was not replaced");
        check_that(use->place == 0 || (before && before->place + 1 == use->place && before->delegate == use->delegate),
                   "operators of a delegate follow each other");
        check_that(!before || before->execution <= use->execution, "inferences follow each other");
    }
}

static bool same_use(const struct kernel_use *one, const struct kernel_use *other)
{
    return one->delegate == other->delegate && one->execution == other->execution && one->place == other->place &&
           one->name == other->name && one->variant == other->variant && one->has_tile == other->has_tile &&
           one->m == other->m && one->kernel == other->kernel;
}

static void check_kernels(const struct reader *reader, const uint8_t *data, size_t size, struct strings *strings)
{
    struct kernel_log whole, pieces;
    uint64_t allocations = memory_count();
    status code = read_kernels(reader, data, size, 0, &whole, strings);

    allocations = memory_count() - allocations;
    if (code == STATUS_OK)
        check_log(&whole);
    check_that(read_kernels(reader, data, size, 1 + size % 61, &pieces, strings) == code,
               "a log in pieces gives the same answer");
    check_that(code != STATUS_OK ||
                   (whole.kernels.count == pieces.kernels.count && whole.uses.count == pieces.uses.count),
               "a log in pieces is the same log");
    for (uint32_t i = 0; code == STATUS_OK && i < whole.uses.count; i++)
        check_that(same_use(kernel_use_at(&whole, i), kernel_use_at(&pieces, i)), "uses are the same");
    kernel_log_free(&whole);
    kernel_log_free(&pieces);
    if (allocations > 0) {
        memory_fail_at(1 + size % allocations);
        code = read_kernels(reader, data, size, 0, &whole, strings);
        memory_fail_at(0);
        kernel_log_free(&whole);
    }
    if (code != STATUS_OK)
        status_clear();
}

static void check(const uint8_t *data, size_t size, struct strings *strings)
{
    struct text head = { (const char *)data, size };

    if (size && xnn_kernels_reader.probe(head, "fuzz")) {
        check_kernels(&xnn_kernels_reader, data, size, strings);
        return;
    }
    if (check_takes(data, size, 0, 3))
        check_kernels(&xnntrace_reader, data, size, strings);
    if (check_takes(data, size, 1, 3))
        check_reader(&xnntrace_reader, data, size, NULL, NULL, strings);
    if (check_takes(data, size, 2, 3))
        check_reader(&et_runner_log_reader, data, size, NULL, NULL, strings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return check_input(data, size, check);
}
