/* xnn_kernels.c: a table of microkernels as the kit writes it from a log: kernels.csv.
 *
 *   model_id,kernel_name,category,count,dtype,xnn_op,variant,ukernel_shape,arch_chain,has_sme,has_sme2[,architecture,evidence,replaced_by]
 *
 * The parts of a name are taken from the name: the table splits names of several data types wrongly.
 */
#include "executorch/chain.h"
#include "executorch/kernels.h"
#include "read/csv_rows.h"
#include "read/value.h"

enum column_name { KERNEL_NAME, CATEGORY, COUNT, EVIDENCE, COLUMN_COUNT };

static const struct csv_column columns[COLUMN_COUNT] = {
    [KERNEL_NAME] = { "kernel_name", .required = true },
    [CATEGORY] = { "category", .repeats = true },
    [COUNT] = { "count" },
    [EVIDENCE] = { "evidence", .repeats = true },
};
static const struct csv_wish wish = { .columns = columns, .count = COLUMN_COUNT, .flags = CSV_ANY_CASE };

static bool says(const struct csv *csv, const char *evidence)
{
    return text_is(csv->values[EVIDENCE], evidence);
}

/* A kernel that comes again adds to its first row. */
static status add_kernel(struct kernel_log *log, struct strings *names, const struct csv *csv, uint64_t count)
{
    struct text name = csv->values[KERNEL_NAME];
    struct kernel *kernel;
    string_id number; /* of the name, from 1: kernels have the same order */
    status code = strings_add(names, name.data, name.length, &number);

    if (code != STATUS_OK)
        return code;
    if (number <= log->kernels.count) {
        kernel_at(log, number - 1)->count += count;
        return STATUS_OK;
    }
    kernel = column_append(&log->kernels);
    if (!kernel)
        return status_no_memory("keeping kernels");
    *kernel = (struct kernel){
        .count = count,
        .line = csv->line.number,
        .runs = says(csv, "ran"),
        .replaced = says(csv, "replaced"),
        .replaced_by = NO_ID,
    };
    /* Only a log that shows what ran tells that something did not. */
    log->has_execution |= kernel->runs || says(csv, "not used");
    code = kernel_split(log->strings, name, kernel);
    if (code == STATUS_OK)
        code = strings_add(log->strings, csv->values[CATEGORY].data, csv->values[CATEGORY].length, &kernel->category);
    return code;
}

static status read_rows(struct csv_rows *rows, struct kernel_log *log, struct strings *names)
{
    static const int64_t most = UINT32_MAX; /* lines of a log: sums of these never wrap */
    const struct csv *csv = &rows->csv;

    for (;;) {
        int64_t count = 1;
        bool found;
        status code = csv_rows_next(rows, &found);

        if (code != STATUS_OK || !found)
            return code;
        if (!csv->values[KERNEL_NAME].length) {
            code = csv_rows_lose(rows, &loss_fields, KERNEL_NAME);
        } else if (csv_has(csv, COUNT) &&
                   (value_as_scaled(csv->values[COUNT], 0, &count) != NULL || count < 0 || count > most)) {
            code = csv_rows_lose(rows, &loss_number, COUNT);
        } else {
            code = add_kernel(log, names, csv, (uint64_t)count);
            log->losses.used++;
        }
        if (code != STATUS_OK)
            return code;
    }
}

static status read_kernels(struct source *source, struct kernel_log *log)
{
    struct strings *names = strings_new();
    struct csv_rows rows;
    status code;

    if (!names)
        return status_no_memory("reading kernels");
    code = csv_rows_open(&rows, source, &log->losses, &wish);
    if (code == STATUS_OK)
        code = read_rows(&rows, log, names);
    code = source_use_part(source, source->input, log->losses.rows, code);
    csv_rows_close(&rows);
    strings_free(names);
    return code;
}

static int probe(struct text head, const char *path)
{
    bool has[COLUMN_COUNT];

    (void)path;
    return csv_probe(head, &wish, has) && has[KERNEL_NAME] ? 90 : 0;
}

static const char timeless[] = "a table of XNNPACK kernels has no times; tacho kernels shows it";

static status read(struct source *source, struct feed *feed)
{
    (void)feed;
    return status_fail_at(STATUS_INPUT, (struct place){ .file = input_name(source->input) }, "%s", timeless);
}

static const struct executorch_calls calls = { .kernels = read_kernels };

const struct reader xnn_kernels_reader = {
    .id = "xnn-kernels",
    .title = "XNNPACK kernel table",
    .timeless = timeless,
    .chain = &executorch_chain,
    .own = &calls,
    .kind = READER_PROGRAM,
    .files = "*_kernels.csv, kernels.csv",
    .probe = probe,
    .read = read,
};
