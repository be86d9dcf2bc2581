/* etrecord_tensor.c: shapes, types and bytes of tensors in an exported program, and the work of its nodes. */
#include "executorch/etrecord_tensor.h"

#include <assert.h>
#include <string.h>

#include "base/number.h"

struct tensor {
    bool described;       /* the graph says what it is */
    uint32_t dtype;       /* as numbered in the file */
    uint32_t first, rank; /* into `sizes` */
    uint32_t counted_for; /* node whose traffic has it already, + 1 */
};

/* Numbers of the export schema. */
static const struct dtype {
    uint32_t number;
    uint32_t bytes;
    const char *name;
} dtypes[] = {
    { 1, 1, "u8" },      { 2, 1, "i8" },          { 3, 2, "i16" },         { 4, 4, "i32" },  { 5, 8, "i64" },
    { 6, 2, "f16" },     { 7, 4, "f32" },         { 8, 8, "f64" },         { 9, 4, "c32" },  { 10, 8, "c64" },
    { 11, 16, "c128" },  { 12, 1, "bool" },       { 13, 2, "bf16" },       { 28, 2, "u16" }, { 29, 1, "f8e4m3fn" },
    { 30, 1, "f8e5m2" }, { 31, 1, "f8e4m3fnuz" }, { 32, 1, "f8e5m2fnuz" },
};

static const struct dtype *dtype_of(const struct tensor *tensor)
{
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        if (dtypes[i].number == tensor->dtype)
            return &dtypes[i];
    }
    return NULL;
}

status tensors_start(struct tensors *tensors)
{
    *tensors = (struct tensors){ .names = strings_new() };
    column_start(&tensors->list, sizeof(struct tensor));
    column_start(&tensors->sizes, sizeof(int64_t));
    column_start(&tensors->uses, sizeof(struct tensor_use));
    return tensors->names ? STATUS_OK : status_no_memory("reading a graph");
}

void tensors_free(struct tensors *tensors)
{
    strings_free(tensors->names);
    column_free(&tensors->list);
    column_free(&tensors->sizes);
    column_free(&tensors->uses);
}

static status find_tensor(struct tensors *tensors, struct text name, uint32_t *index)
{
    string_id id;
    status done = strings_add(tensors->names, name.data, name.length, &id);

    if (done != STATUS_OK)
        return done;
    while (tensors->list.count <= id) {
        struct tensor *tensor = column_append(&tensors->list);

        if (!tensor)
            return status_no_memory("reading a graph");
        *tensor = (struct tensor){ 0 };
    }
    *index = id;
    return STATUS_OK;
}

status tensors_add_use(struct tensors *tensors, uint32_t node, struct text name, uint32_t position, bool output)
{
    struct tensor_use *use;
    uint32_t tensor = 0;
    status done = find_tensor(tensors, name, &tensor);

    assert(node != NO_ID && tensors->names && "tensors are started before they are used");
    if (done != STATUS_OK)
        return done;
    if (!(use = column_append(&tensors->uses)))
        return status_no_memory("reading a graph");
    *use = (struct tensor_use){ .node = node, .tensor = tensor, .position = position, .output = output };
    return STATUS_OK;
}

void tensors_mark_transposed(struct tensors *tensors, uint32_t node)
{
    for (size_t i = tensors->uses.count; i-- > 0;) {
        struct tensor_use *use = column_at(&tensors->uses, i);

        if (use->node != node)
            return;
        use->transposed = true;
    }
}

/* ---- tensor_values ----------------------------------------------------------------------------------------------- */

/* One size: {"as_int": 32}, or an expression, which is not known. */
static status read_size(struct json_scan *scan, int64_t *size)
{
    enum json_type type;
    struct text key, number;
    bool found = true;
    status done = json_peek(scan, &type);

    *size = -1;
    if (done != STATUS_OK || type != JSON_OBJECT)
        return done != STATUS_OK ? done : json_skip(scan, NULL);
    done = json_enter(scan, JSON_OBJECT);
    for (bool first = true; done == STATUS_OK; first = false) {
        done = json_next_key(scan, first, &key, &found);
        if (done != STATUS_OK || !found)
            break;
        done = json_skip(scan, &number);
        if (done == STATUS_OK && key.length == 6 && memcmp(key.data, "as_int", 6) == 0 &&
            (!number_parse_integer(number.data, number.length, size) || *size < 0))
            *size = -1;
    }
    return done;
}

static status read_sizes(struct tensors *tensors, struct json_scan *scan, struct tensor *tensor)
{
    enum json_type type;
    bool found = true;
    status done = json_peek(scan, &type);

    if (done != STATUS_OK || type != JSON_ARRAY)
        return done != STATUS_OK ? done : json_skip(scan, NULL);
    tensor->described = true;
    tensor->first = (uint32_t)tensors->sizes.count;
    tensor->rank = 0;
    done = json_enter(scan, JSON_ARRAY);
    for (bool first = true; done == STATUS_OK; first = false) {
        int64_t *size;

        done = json_next_element(scan, first, &found);
        if (done != STATUS_OK || !found)
            break;
        if (tensors->sizes.count >= UINT32_MAX || !(size = column_append(&tensors->sizes)))
            return status_no_memory("reading a graph");
        tensor->rank++;
        done = read_size(scan, size);
    }
    return done;
}

static status read_tensor(struct tensors *tensors, struct json_scan *scan, struct tensor *tensor)
{
    enum json_type type;
    struct text key, number;
    bool found = true;
    status done = json_peek(scan, &type);

    if (done != STATUS_OK || type != JSON_OBJECT)
        return done != STATUS_OK ? done : json_skip(scan, NULL);
    done = json_enter(scan, JSON_OBJECT);
    for (bool first = true; done == STATUS_OK; first = false) {
        int64_t dtype;

        done = json_next_key(scan, first, &key, &found);
        if (done != STATUS_OK || !found)
            break;
        if (key.length == 5 && memcmp(key.data, "sizes", 5) == 0) {
            done = read_sizes(tensors, scan, tensor);
            continue;
        }
        done = json_skip(scan, &number);
        if (done == STATUS_OK && key.length == 5 && memcmp(key.data, "dtype", 5) == 0 &&
            number_parse_integer(number.data, number.length, &dtype) && dtype > 0 && dtype < UINT32_MAX)
            tensor->dtype = (uint32_t)dtype;
    }
    return done;
}

status tensors_read(struct tensors *tensors, struct json_scan *scan)
{
    struct text key;
    bool found = true;
    status done = json_enter(scan, JSON_OBJECT);

    for (bool first = true; done == STATUS_OK; first = false) {
        uint32_t index = 0;

        done = json_next_key(scan, first, &key, &found);
        if (done != STATUS_OK || !found)
            break;
        if ((done = find_tensor(tensors, key, &index)) == STATUS_OK)
            done = read_tensor(tensors, scan, column_at(&tensors->list, index));
    }
    return done;
}

/* ---- What follows ------------------------------------------------------------------------------------------------ */

static int64_t size_at(const struct tensors *tensors, const struct tensor *tensor, uint32_t dimension)
{
    return *(const int64_t *)column_at(&tensors->sizes, tensor->first + dimension);
}

/* False: not known, or more than 64 bits hold. */
static bool elements_of(const struct tensors *tensors, const struct tensor *tensor, uint64_t *elements)
{
    if (!tensor || !tensor->described)
        return false;
    *elements = 1;
    for (uint32_t i = 0; i < tensor->rank; i++) {
        int64_t size = size_at(tensors, tensor, i);

        if (size < 0 || __builtin_mul_overflow(*elements, (uint64_t)size, elements))
            return false;
    }
    return true;
}

/* "1x32x112x112", "?" for a symbolic size; returns the length, 0 where nothing is known or the room is too small. */
static size_t write_shape(const struct tensors *tensors, const struct tensor *tensor, char *to, size_t room)
{
    static const char none[] = "scalar";
    size_t length = 0;

    if (!tensor->described || room < 24)
        return 0;
    if (tensor->rank == 0) {
        memcpy(to, none, sizeof none - 1);
        return sizeof none - 1;
    }
    for (uint32_t i = 0; i < tensor->rank; i++) {
        int64_t size = size_at(tensors, tensor, i);

        if (room - length < 24)
            return 0;
        if (i > 0)
            to[length++] = 'x';
        if (size < 0)
            to[length++] = '?';
        else
            length += number_write_unsigned(to + length, (uint64_t)size);
    }
    return length;
}

/* The uses of one node: a range of the column. */
struct arguments {
    const struct tensors *tensors; /* borrowed */
    size_t first, end;             /* the uses from the first on, below the end */
};

static const struct tensor_use *use_at(const struct arguments *arguments, size_t index)
{
    return column_at(&arguments->tensors->uses, index);
}

static struct tensor *tensor_of(const struct arguments *arguments, const struct tensor_use *use)
{
    return column_at(&arguments->tensors->list, use->tensor);
}

/* The tensor at a position; NULL: there is none. */
static const struct tensor *argument(const struct arguments *arguments, uint32_t position, bool output)
{
    for (size_t i = arguments->first; i < arguments->end; i++) {
        const struct tensor_use *use = use_at(arguments, i);

        if (use->output == output && use->position == position)
            return tensor_of(arguments, use);
    }
    return NULL;
}

/* How the multiplications of an operation are counted: as many for each element of `counted` as `factor` says. */
enum work { WORK_CONVOLUTION, WORK_TRANSPOSED, WORK_LINEAR, WORK_PRODUCT, WORK_ADDED_PRODUCT };

static const struct operation {
    const char *name;
    enum work work;
} operations[] = {
    { "convolution", WORK_CONVOLUTION },
    { "conv1d", WORK_CONVOLUTION },
    { "conv2d", WORK_CONVOLUTION },
    { "conv3d", WORK_CONVOLUTION },
    { "conv_transpose1d", WORK_TRANSPOSED },
    { "conv_transpose2d", WORK_TRANSPOSED },
    { "conv_transpose3d", WORK_TRANSPOSED },
    { "linear", WORK_LINEAR },
    { "mm", WORK_PRODUCT },
    { "bmm", WORK_PRODUCT },
    { "matmul", WORK_PRODUCT },
    { "addmm", WORK_ADDED_PRODUCT },
    { "baddbmm", WORK_ADDED_PRODUCT },
};

static const struct operation *find_operation(struct text name)
{
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        if (strlen(operations[i].name) == name.length && memcmp(operations[i].name, name.data, name.length) == 0)
            return &operations[i];
    }
    return NULL;
}

static uint64_t product(uint64_t one, uint64_t other)
{
    uint64_t result;

    return __builtin_mul_overflow(one, other, &result) ? 0 : result;
}

/* Of a convolution: each element of the output (of the input, where it is transposed) meets one slice of the weight. */
static uint64_t count_convolution(const struct arguments *arguments, bool transposed)
{
    const struct tensor *weight = argument(arguments, 1, false);
    const struct tensor *counted = transposed ? argument(arguments, 0, false) : argument(arguments, 0, true);
    uint64_t elements, weights;

    if (!elements_of(arguments->tensors, counted, &elements) || !elements_of(arguments->tensors, weight, &weights) ||
        weight->rank == 0 || weights == 0)
        return 0;
    return product(elements, weights / (uint64_t)size_at(arguments->tensors, weight, 0));
}

static uint64_t count_work(const struct arguments *arguments, struct text type)
{
    const struct operation *operation = find_operation(graph_operation(type));
    const struct tensor *summed;
    uint64_t elements;
    int64_t length;

    if (!operation)
        return 0;
    if (operation->work == WORK_TRANSPOSED)
        return count_convolution(arguments, true);
    if (operation->work == WORK_CONVOLUTION)
        return count_convolution(arguments, use_at(arguments, arguments->first)->transposed);
    /* The length of the sums is the last size of the left factor, which a linear's weight shares. */
    summed = argument(arguments, operation->work == WORK_PRODUCT ? 0 : 1, false);
    if (!summed || summed->rank == 0 || !elements_of(arguments->tensors, argument(arguments, 0, true), &elements))
        return 0;
    length = size_at(arguments->tensors, summed, summed->rank - 1);
    return length < 0 ? 0 : product(elements, (uint64_t)length);
}

/* Every tensor once, even where it is read twice; 0 where one of them is not known. */
static uint64_t count_bytes(const struct arguments *arguments)
{
    uint64_t sum = 0;

    for (size_t i = arguments->first; i < arguments->end; i++) {
        const struct tensor_use *use = use_at(arguments, i);
        struct tensor *tensor = tensor_of(arguments, use);
        const struct dtype *dtype = dtype_of(tensor);
        uint64_t elements, bytes;

        if (tensor->counted_for == use->node + 1)
            continue;
        tensor->counted_for = use->node + 1;
        if (!dtype || !elements_of(arguments->tensors, tensor, &elements) ||
            __builtin_mul_overflow(elements, (uint64_t)dtype->bytes, &bytes) ||
            __builtin_add_overflow(sum, bytes, &sum))
            return 0;
    }
    return sum;
}

static status describe_shapes(const struct arguments *arguments, struct graph *graph, struct graph_node *node)
{
    char text[1024];
    size_t length = 0;
    bool all = true;
    status done = STATUS_OK;

    for (size_t i = arguments->first; i < arguments->end && done == STATUS_OK; i++) {
        const struct tensor_use *use = use_at(arguments, i);
        const struct tensor *tensor = tensor_of(arguments, use);
        const struct dtype *dtype = dtype_of(tensor);
        size_t separator = length > 0 ? 2 : 0, written;

        if (use->output) {
            char shape[512];

            if (use->position == 0 && node->shape == 0) {
                written = write_shape(arguments->tensors, tensor, shape, sizeof shape);
                done = strings_add(graph->strings, shape, written, &node->shape);
                if (done == STATUS_OK && dtype)
                    done = strings_add_text(graph->strings, dtype->name, &node->dtype);
            }
            continue;
        }
        written = all && sizeof text - length > 2 ? write_shape(arguments->tensors, tensor, text + length + separator,
                                                                sizeof text - length - separator)
                                                  : 0;
        all = written > 0;
        memcpy(text + length, ", ", all ? separator : 0);
        length += all ? separator + written : 0;
    }
    if (done == STATUS_OK && all)
        done = strings_add(graph->strings, text, length, &node->inputs);
    return done;
}

status tensors_settle(struct tensors *tensors, struct graph *graph)
{
    struct arguments arguments = { .tensors = tensors };
    status done = STATUS_OK;

    assert(graph->strings);
    while (done == STATUS_OK && arguments.first < tensors->uses.count) {
        uint32_t index = use_at(&arguments, arguments.first)->node;
        struct graph_node *node = column_at(&graph->nodes, index);

        arguments.end = arguments.first + 1;
        while (arguments.end < tensors->uses.count && use_at(&arguments, arguments.end)->node == index)
            arguments.end++;
        node->macs = count_work(&arguments, strings_get(graph->strings, node->type));
        node->bytes = count_bytes(&arguments);
        done = describe_shapes(&arguments, graph, node);
        arguments.first = arguments.end;
    }
    return done;
}
