/* dialect.c: the dialects of CSV. */
#include "table/dialect.h"

const struct dialect dialect_plain = {
    .name = "plain",
    .delimiter = ',',
    .line_end = "\n",
    .null = "",
    .yes = "true",
    .no = "false",
};

const struct dialect dialect_pandas = {
    .name = "pandas",
    .delimiter = ';',
    .line_end = "\n",
    .null = "",
    .yes = "True",
    .no = "False",
    .integers_with_nulls_as_decimals = true,
};
