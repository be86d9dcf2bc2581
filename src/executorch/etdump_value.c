/* etdump_value.c: what debug events of a dump logged, as text. */
#include "executorch/etdump_value.h"

#include "base/number.h"

enum { VALUE_TYPE, VALUE_TENSOR, VALUE_TENSOR_LIST, VALUE_INT, VALUE_FLOAT, VALUE_DOUBLE, VALUE_BOOL, VALUE_OUTPUT };
enum { TENSOR_TYPE, TENSOR_SIZES, TENSOR_STRIDES, TENSOR_OFFSET };
enum {
    TYPE_NULL,
    TYPE_INT,
    TYPE_BOOL,
    TYPE_FLOAT,
    TYPE_DOUBLE,
    TYPE_TENSOR,
    TYPE_TENSOR_LIST,
    TYPE_STRING,
    TYPE_COUNT
};

static const char *const value_types[TYPE_COUNT] = { "Null",   "Int",    "Bool",       "Float",
                                                     "Double", "Tensor", "TensorList", "String" };

/* Gaps are numbers that the schema does not use. */
static const char *const scalar_types[] = {
    [0] = "BYTE",        [1] = "CHAR",          [2] = "SHORT",           [3] = "INT",
    [4] = "LONG",        [5] = "HALF",          [6] = "FLOAT",           [7] = "DOUBLE",
    [11] = "BOOL",       [12] = "QINT8",        [13] = "QUINT8",         [14] = "QINT32",
    [15] = "BFLOAT16",   [16] = "QUINT4X2",     [17] = "QUINT2X4",       [22] = "BITS16",
    [23] = "FLOAT8E5M2", [24] = "FLOAT8E4M3FN", [25] = "FLOAT8E5M2FNUZ", [26] = "FLOAT8E4M3FNUZ",
    [27] = "UINT16",     [28] = "UINT32",       [29] = "UINT64",
};

static bool is_full(const struct etdump_value *value)
{
    return value->length == sizeof value->text - 1;
}

static void put(struct etdump_value *value, const char *data, size_t length)
{
    size_t room = sizeof value->text - 1 - value->length;

    if (length > room) {
        memcpy(value->text + value->length, data, room);
        memcpy(value->text + sizeof value->text - 4, "...", 3);
        length = room;
    } else {
        memcpy(value->text + value->length, data, length);
    }
    value->length += length;
    value->text[value->length] = '\0';
}

static void put_text(struct etdump_value *value, const char *text)
{
    put(value, text, strlen(text));
}

static void put_integer(struct etdump_value *value, int64_t number)
{
    char digits[24];

    put(value, digits, number_write_integer(digits, number));
}

static void put_decimal(struct etdump_value *value, double number)
{
    char digits[32];

    if (number - number != 0) /* no finite number */
        put_text(value, number != number ? "nan" : number > 0 ? "inf" : "-inf");
    else
        put(value, digits, number_write_shortest(digits, number));
}

static void put_integers(struct flatbuffer *buffer, struct flat_vector numbers, struct etdump_value *value)
{
    put_text(value, "[");
    for (uint32_t i = 0; i < numbers.count && !is_full(value); i++) {
        if (i > 0)
            put_text(value, ", ");
        put_integer(value, (int64_t)flat_load_64(buffer, numbers.at + 8 * (size_t)i));
    }
    put_text(value, "]");
}

/* Strides that follow from the sizes, the last one 1, say nothing. Real tensors have 16 dimensions at most. */
static bool are_plain(struct flatbuffer *buffer, struct flat_vector sizes, struct flat_vector strides)
{
    enum { DIMENSIONS = 64 };
    uint64_t expected = 1;

    if (strides.count != sizes.count || sizes.count > DIMENSIONS)
        return strides.count == 0;
    for (uint32_t i = sizes.count; i > 0; i--) {
        if (flat_load_64(buffer, strides.at + 8 * (size_t)(i - 1)) != expected)
            return false;
        expected *= flat_load_64(buffer, sizes.at + 8 * (size_t)(i - 1));
    }
    return true;
}

static void put_tensor(struct flatbuffer *buffer, const struct flat_table *tensor, struct etdump_value *value)
{
    uint8_t type = flat_get_8(buffer, tensor, TENSOR_TYPE, 0);
    struct flat_vector sizes = flat_get_vector(buffer, tensor, TENSOR_SIZES, 8);
    struct flat_vector strides = flat_get_vector(buffer, tensor, TENSOR_STRIDES, 8);
    int64_t offset = (int64_t)flat_get_64(buffer, tensor, TENSOR_OFFSET, 0);

    if (type < sizeof scalar_types / sizeof *scalar_types && scalar_types[type]) {
        put_text(value, scalar_types[type]);
    } else {
        put_text(value, "type ");
        put_integer(value, (int8_t)type);
    }
    put_text(value, " ");
    put_integers(buffer, sizes, value);
    if (!are_plain(buffer, sizes, strides)) {
        put_text(value, " strides ");
        put_integers(buffer, strides, value);
    }
    if (offset < 0) {
        put_text(value, " without data");
    } else {
        put_text(value, " at ");
        put_integer(value, offset);
    }
}

static void put_tensor_list(struct flatbuffer *buffer, const struct flat_table *list, struct etdump_value *value)
{
    struct flat_vector tensors = flat_get_vector(buffer, list, 0, 4);
    struct flat_table tensor = { 0 };

    put_text(value, "TensorList of ");
    put_integer(value, tensors.count);
    for (uint32_t i = 0; i < tensors.count && !is_full(value) && flat_open_element(buffer, tensors, i, &tensor); i++) {
        put_text(value, i ? "; " : ": ");
        put_tensor(buffer, &tensor, value);
    }
}

/* The one field of Float and Double. */
static double get_decimal(struct flatbuffer *buffer, const struct flat_table *table, bool is_float)
{
    double decimal;
    float small;
    uint32_t narrow;
    uint64_t wide;

    if (is_float) {
        narrow = flat_get_32(buffer, table, 0, 0);
        memcpy(&small, &narrow, sizeof small);
        return (double)small;
    }
    wide = flat_get_64(buffer, table, 0, 0);
    memcpy(&decimal, &wide, sizeof decimal);
    return decimal;
}

static void put_content(struct flatbuffer *buffer, unsigned type, const struct flat_table *content,
                        struct etdump_value *value)
{
    if (type == TYPE_TENSOR) {
        put_tensor(buffer, content, value);
        return;
    }
    if (type == TYPE_TENSOR_LIST) {
        put_tensor_list(buffer, content, value);
        return;
    }
    put_text(value, value_types[type]);
    put_text(value, " ");
    if (type == TYPE_INT)
        put_integer(value, (int64_t)flat_get_64(buffer, content, 0, 0));
    else if (type == TYPE_BOOL)
        put_text(value, flat_get_8(buffer, content, 0, 0) ? "true" : "false");
    else
        put_decimal(value, get_decimal(buffer, content, type == TYPE_FLOAT));
}

void etdump_value_read(struct flatbuffer *buffer, size_t at, struct etdump_value *value)
{
    static const unsigned slots[TYPE_COUNT] = {
        [TYPE_INT] = VALUE_INT,       [TYPE_BOOL] = VALUE_BOOL,     [TYPE_FLOAT] = VALUE_FLOAT,
        [TYPE_DOUBLE] = VALUE_DOUBLE, [TYPE_TENSOR] = VALUE_TENSOR, [TYPE_TENSOR_LIST] = VALUE_TENSOR_LIST
    };
    struct flat_table table = { 0 }, content = { 0 };
    size_t content_at = 0;
    uint8_t type;

    value->length = 0;
    value->text[0] = '\0';
    value->output = false;
    if (!at || !flat_open(buffer, at, &table))
        return;
    type = flat_get_8(buffer, &table, VALUE_TYPE, 0);
    if (type < TYPE_COUNT && slots[type])
        content_at = flat_reference(buffer, &table, slots[type]);
    if (content_at && flat_open(buffer, content_at, &content)) {
        put_content(buffer, type, &content, value);
    } else if (type < TYPE_COUNT) {
        put_text(value, value_types[type]);
    } else {
        put_text(value, "value of type ");
        put_integer(value, (int8_t)type);
    }
    content_at = flat_reference(buffer, &table, VALUE_OUTPUT);
    if (content_at && flat_open(buffer, content_at, &content))
        value->output = flat_get_8(buffer, &content, 0, 0) != 0;
}
