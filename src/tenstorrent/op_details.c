/* op_details.c: what is known about operations beyond their rows, and what could not be put together. */
#include "tenstorrent/op_details.h"

#include <assert.h>
#include <stdio.h>

#include "base/memory.h"

void op_details_start(struct op_details *details, struct op_report *report)
{
    assert(report->strings);
    *details = (struct op_details){ .report = report };
    column_start(&details->infos, sizeof(struct op_info));
    column_start(&details->tensors, sizeof(struct op_tensor_detail));
    column_start(&details->sizes, sizeof(struct op_kernel_size));
    column_start(&details->calls, sizeof(struct op_host_call));
}

void op_details_free(struct op_details *details)
{
    column_free(&details->infos);
    column_free(&details->tensors);
    column_free(&details->sizes);
    column_free(&details->calls);
    op_times_free(&details->times);
    op_gaps_free(&details->gaps);
    memory_free(details->functions);
    details->functions = NULL;
}

void op_details_odd(struct op_details *details, enum op_odd odd, int64_t call, uint64_t line)
{
    struct op_odd_count *count = &details->odds[odd];

    assert(odd < OP_ODD_COUNT);
    if (count->count++ == 0) {
        count->call = call;
        count->line = line;
    }
}

const char *op_odd_text(enum op_odd odd)
{
    static const char *const texts[] = {
#define X(name, text) text,
        OP_ODD_MAP(X)
#undef X
    };

    assert(odd < OP_ODD_COUNT);
    return texts[odd];
}

int op_odd_describe(const struct op_details *details, enum op_odd odd, char *to, size_t size)
{
    const struct op_odd_count *count = &details->odds[odd];
    char place[96] = "";

    assert(odd < OP_ODD_COUNT && size);
    if (!count->count)
        return 0;
    if (count->call != OP_NONE && count->line)
        snprintf(place, sizeof place, ", first op %lld (line %llu)", (long long)count->call,
                 (unsigned long long)count->line);
    else if (count->call != OP_NONE)
        snprintf(place, sizeof place, ", first op %lld", (long long)count->call);
    else if (count->line)
        snprintf(place, sizeof place, ", first in line %llu", (unsigned long long)count->line);
    return snprintf(to, size, "%llu x %s%s", (unsigned long long)count->count, op_odd_text(odd), place);
}
