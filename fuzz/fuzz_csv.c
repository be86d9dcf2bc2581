/* fuzz_csv.c: CSV files of any kind. The first byte says how they are read; whole and in small pieces, with and without wide
 * instructions, they must say the same. */
#include "check_sink.h"

#include <string.h>

#include "base/csv.h"
#include "base/map.h"

enum { LARGEST = 64 * 1024, COLUMNS = 6 };

static const struct csv_column columns[COLUMNS] = {
    { .name = "name", .alias = "op name", .repeats = true },
    { .name = "kind", .repeats = true },
    { .name = "start" },
    { .name = "end" },
    { .name = "", .repeats = true },
    { .name = "run" },
};

/* What one reading of the file gave. */
struct result {
    status code;
    uint64_t digest;
};

static bool lies_in(struct text value, const char *data, size_t size)
{
    return value.data >= data && value.data + value.length <= data + size;
}

static void check_row(const struct csv *csv)
{
    for (unsigned i = 0; i < COLUMNS; i++) {
        struct text value = csv->values[i];

        check_that(value.data != NULL, "every column has a value, perhaps an empty one");
        check_that(csv_has(csv, i) || !value.length, "a column that is not there is empty");
        check_that(csv_row_has(csv, i) || !value.length, "so is one that the row does not have");
        check_that(value.length <= csv->line.length, "no value is longer than its row");
        check_that(columns[i].repeats || !value.length || lies_in(value, csv->line.data, csv->line.length) ||
                       lies_in(value, csv->plain, csv->plain_length),
                   "a value lies in its row");
        check_that(csv_place(csv, i) <= csv->line.length + 1, "a place is in the row");
    }
    check_that((csv->problem == CSV_FINE) == (csv->row_fields == csv->field_count),
               "a row is fine when it has the header's fields");
}

static uint64_t mix_row(uint64_t digest, const struct csv *csv)
{
    digest = map_mix(map_mix(digest, csv->line.number), map_mix(csv->problem, csv->row_fields));
    for (unsigned i = 0; i < COLUMNS; i++)
        digest = map_mix(digest, map_hash_bytes(csv->values[i].data, csv->values[i].length));
    return map_mix(digest, csv->changed);
}

static status read_rows(struct csv *csv, uint64_t *digest)
{
    bool found = true, taken;
    status code = STATUS_OK;

    while (code == STATUS_OK && found) {
        code = csv_next(csv, &found);
        if (code != STATUS_OK || !found)
            break;
        check_row(csv);
        *digest = mix_row(*digest, csv);
        if (csv_is_header(csv))
            code = csv_take_header(csv, (struct text){ csv->line.data, csv->line.length }, &taken);
    }
    return code;
}

static struct result read_file(const uint8_t *data, size_t size, unsigned flags, size_t piece, bool plainly)
{
    const struct csv_wish wish = { .columns = columns, .count = COLUMNS, .flags = flags };
    struct result result = { .digest = 0 };
    struct input *input = NULL;
    struct csv csv;

    input_limit_reads(piece);
    csv_cut_plainly(plainly);
    result.code = input_open_memory("fuzz", data, size, &input);
    if (result.code == STATUS_OK) {
        result.code = csv_open(&csv, input, &wish);
        if (result.code == STATUS_OK)
            result.code = read_rows(&csv, &result.digest);
        csv_close(&csv);
    }
    input_close(input);
    input_limit_reads(0);
    csv_cut_plainly(false);
    return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct csv_wish wish = { .columns = columns, .count = COLUMNS, .flags = size ? data[0] & 7u : 0 };
    struct result whole, pieces;
    bool has[COLUMNS];

    if (size > LARGEST || size < 1)
        return -1;
    whole = read_file(data + 1, size - 1, wish.flags, 0, false);
    pieces = read_file(data + 1, size - 1, wish.flags, 1 + size % 37, true);
    check_that(whole.code == pieces.code, "pieces give the same answer");
    check_that(whole.code != STATUS_OK || whole.digest == pieces.digest, "pieces give the same rows");
    (void)csv_probe((struct text){ (const char *)data + 1, size - 1 }, &wish, has);
    status_clear();
    return 0;
}
