/* op_names.c: names of operations by the number of their call. */
#include "tenstorrent/op_names.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"
#include "tenstorrent/chain.h"
#include "tenstorrent/op_report.h"

#define OPTION "ops-report"

struct named_call {
    int64_t call;   /* as the report counts */
    int64_t device; /* that it ran on */
    size_t order;   /* in the report */
    string_id name; /* of the operation */
};

struct op_names {
    struct named_call *calls; /* by call, device and order; owned */
    size_t count;             /* of calls */
};

static int by_call(const void *one, const void *other)
{
    const struct named_call *a = one, *b = other;

    if (a->call != b->call)
        return a->call < b->call ? -1 : 1;
    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

static status take_rows(struct op_names *names, const struct op_report *report)
{
    names->calls = memory_allocate((report->rows.count + 1) * sizeof *names->calls);
    if (!names->calls)
        return status_no_memory("keeping names of operations");
    for (size_t i = 0; i < report->rows.count; i++) {
        const struct op_row *row = op_row_at(report, i);

        if (row->kind == OP_DEVICE && row->call != OP_NONE && row->code)
            names->calls[names->count++] = (struct named_call){ row->call, row->device, i, row->code };
    }
    qsort(names->calls, names->count, sizeof *names->calls, by_call);
    return STATUS_OK;
}

void op_names_free(struct op_names *names)
{
    if (names)
        memory_free(names->calls);
    memory_free(names);
}

status op_names_load(const char *path, bool strict, struct strings *strings, struct op_names **names)
{
    struct source source = { .path = path, .strict = strict };
    const struct reader *reader;
    struct op_report report;
    status code;

    *names = memory_allocate_clear(sizeof **names);
    if (!*names)
        return status_no_memory("keeping names of operations");
    op_report_start(&report, strings);
    code = reader_open(path, NULL, &source.input, &reader);
    if (code == STATUS_OK && !tenstorrent_calls(reader)->ops)
        code = reader_refuse(reader, path, "--" OPTION " wants a report of operations (ops_perf_results.csv)");
    if (code == STATUS_OK)
        code = tenstorrent_calls(reader)->ops(&source, &report);
    if (code == STATUS_OK)
        code = take_rows(*names, &report);
    input_close(source.input);
    op_report_free(&report);
    if (code != STATUS_OK) {
        op_names_free(*names);
        *names = NULL;
    }
    return code;
}

/* ---- The companion ---- */

static status load(const struct companion_request *request, void **loaded)
{
    const char *path = settings_get(request->source->settings, OPTION);
    struct op_names *names = NULL;
    status code = path ? op_names_load(path, request->source->strict, request->strings, &names) : STATUS_OK;

    *loaded = names;
    return code;
}

static void unload(void *loaded)
{
    op_names_free(loaded);
}

const struct companion op_names_companion = {
    .role = "op names", .option = OPTION, .shared = true, .load = load, .unload = unload
};

const struct op_names *op_names_of(const struct source *source)
{
    return source_companion(source, op_names_companion.role);
}

void op_names_add(struct source *source, const struct op_names *names)
{
    assert(names);
    source_add_companion(source, op_names_companion.role, names);
}

/* ---- Finding ---- */

string_id op_names_find(const struct op_names *names, int64_t device, int64_t call)
{
    size_t low = 0, high = names->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (names->calls[middle].call < call)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == names->count || names->calls[low].call != call)
        return 0;
    for (size_t i = low; i < names->count && names->calls[i].call == call; i++)
        if (names->calls[i].device == device)
            return names->calls[i].name;
    return names->calls[low].name;
}
