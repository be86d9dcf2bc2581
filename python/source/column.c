/* column.c: a column of a table: a sequence, and for numbers a buffer that others can look into without a copy.
 *
 * Numbers are copied out of the table once. What is null is 0 in the buffer of integers and truths, and not a number among decimals; the
 * mask tells which those are.
 */
#include <math.h>
#include <string.h>

#include "answers.h"

struct column {
    PyObject ob_base;      /* what every object of Python begins with */
    struct table *table;   /* keeps what the texts lie in */
    size_t index;          /* in the table */
    enum tacho_type type;  /* of its cells */
    size_t count;          /* of cells */
    size_t nulls;          /* among them */
    void *values;          /* int64_t, double or bool by cell; NULL: texts */
    PyObject *mask;        /* bytes: 1 where the cell is null */
    Py_ssize_t shape[1];   /* of the buffer */
    Py_ssize_t strides[1]; /* the same */
};

static const struct {
    const char *name;   /* for Python */
    const char *format; /* of the buffer's elements; NULL: none */
    size_t size;        /* of one */
} kinds[] = {
    [TACHO_TEXT] = { "text", NULL, 0 },
    [TACHO_INTEGER] = { "integer", "q", sizeof(int64_t) },
    [TACHO_DECIMAL] = { "decimal", "d", sizeof(double) },
    [TACHO_BOOLEAN] = { "boolean", "?", sizeof(bool) },
    [TACHO_DURATION] = { "duration", "q", sizeof(int64_t) },
    [TACHO_PERCENT] = { "percent", "d", sizeof(double) },
    [TACHO_BYTES] = { "bytes", "q", sizeof(int64_t) },
};

/* ---- cells ---- */

PyObject *cell_value(const struct tacho_table *table, size_t row, size_t column)
{
    double decimal;

    if (tacho_table_is_null(table, row, column))
        Py_RETURN_NONE;
    switch (tacho_table_column_type(table, column)) {
    case TACHO_TEXT:
        return text_of(tacho_table_text(table, row, column));
    case TACHO_BOOLEAN:
        return PyBool_FromLong(tacho_table_boolean(table, row, column));
    case TACHO_DECIMAL:
    case TACHO_PERCENT:
        decimal = tacho_table_decimal(table, row, column);
        if (isnan(decimal))
            Py_RETURN_NONE;
        return PyFloat_FromDouble(decimal);
    case TACHO_INTEGER:
    case TACHO_DURATION:
    case TACHO_BYTES:
        break;
    }
    return PyLong_FromLongLong(tacho_table_integer(table, row, column));
}

/* ---- making one ---- */

static void copy_cell(struct column *column, size_t row, bool null)
{
    const struct tacho_table *table = column->table->table;

    switch (*kinds[column->type].format) {
    case 'q':
        ((int64_t *)column->values)[row] = tacho_table_integer(table, row, column->index);
        break;
    case 'd':
        ((double *)column->values)[row] = null ? NAN : tacho_table_decimal(table, row, column->index);
        break;
    default:
        ((bool *)column->values)[row] = tacho_table_boolean(table, row, column->index);
    }
}

static int fill(struct column *column)
{
    const struct tacho_table *table = column->table->table;
    size_t size = kinds[column->type].size;
    char *mask;

    column->mask = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)column->count);
    if (!column->mask)
        return -1;
    if (size) {
        column->values = PyMem_Calloc(column->count ? column->count : 1, size);
        if (!column->values) {
            PyErr_NoMemory();
            return -1;
        }
    }
    mask = PyBytes_AS_STRING(column->mask);
    for (size_t row = 0; row < column->count; row++) {
        bool null = tacho_table_is_null(table, row, column->index);

        if (size)
            copy_cell(column, row, null);
        if (size && *kinds[column->type].format == 'd')
            null = isnan(((double *)column->values)[row]);
        mask[row] = null;
        column->nulls += null;
    }
    return 0;
}

PyObject *column_make(struct table *table, size_t index)
{
    struct column *column = PyObject_New(struct column, &column_type);

    if (!column)
        return NULL;
    Py_INCREF(table);
    column->table = table;
    column->index = index;
    column->type = tacho_table_column_type(table->table, index);
    column->count = tacho_table_rows(table->table);
    column->nulls = 0;
    column->values = NULL;
    column->mask = NULL;
    column->shape[0] = (Py_ssize_t)column->count;
    column->strides[0] = (Py_ssize_t)kinds[column->type].size;
    if (fill(column) < 0)
        Py_CLEAR(column);
    return (PyObject *)column;
}

static void column_free(PyObject *self)
{
    struct column *column = (struct column *)self;

    PyMem_Free(column->values);
    Py_XDECREF(column->mask);
    Py_XDECREF(column->table);
    PyObject_Free(self);
}

/* ---- as a sequence ---- */

static Py_ssize_t column_length(PyObject *self)
{
    return (Py_ssize_t)((struct column *)self)->count;
}

static PyObject *column_item(PyObject *self, Py_ssize_t row)
{
    struct column *column = (struct column *)self;

    if (row < 0 || (size_t)row >= column->count) {
        PyErr_SetString(PyExc_IndexError, "the column has no such row");
        return NULL;
    }
    return cell_value(column->table->table, (size_t)row, column->index);
}

static PyObject *list_of(PyObject *self, Py_ssize_t start, Py_ssize_t step, Py_ssize_t count)
{
    PyObject *list = PyList_New(count);

    for (Py_ssize_t i = 0; list && i < count; i++) {
        PyObject *value = column_item(self, start + i * step);

        if (!value)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, i, value);
    }
    return list;
}

static PyObject *column_subscript(PyObject *self, PyObject *key)
{
    Py_ssize_t start, stop, step, row;

    if (PySlice_Check(key)) {
        if (PySlice_Unpack(key, &start, &stop, &step) < 0)
            return NULL;
        return list_of(self, start, step, PySlice_AdjustIndices(column_length(self), &start, &stop, step));
    }
    row = PyNumber_AsSsize_t(key, PyExc_IndexError);
    if (row == -1 && PyErr_Occurred())
        return NULL;
    return column_item(self, row < 0 ? row + column_length(self) : row);
}

static PyObject *column_list(PyObject *self, PyObject *unused)
{
    (void)unused;
    return list_of(self, 0, 1, column_length(self));
}

static PyObject *column_compare(PyObject *self, PyObject *other, int how)
{
    PyObject *own, *others, *answer;

    if ((how != Py_EQ && how != Py_NE) || (Py_TYPE(other) != &column_type && !PyList_Check(other)))
        Py_RETURN_NOTIMPLEMENTED;
    own = column_list(self, NULL);
    others = PySequence_List(other);
    answer = own && others ? PyObject_RichCompare(own, others, how) : NULL;
    Py_XDECREF(own);
    Py_XDECREF(others);
    return answer;
}

static PyObject *column_repr(PyObject *self)
{
    enum { SHOWN = 6 };
    struct column *column = (struct column *)self;
    const struct tacho_table *table = column->table->table;
    const char *unit = tacho_table_column_unit(table, column->index);
    PyObject *some = list_of(self, 0, 1, column->count < SHOWN ? (Py_ssize_t)column->count : SHOWN), *made = NULL;

    if (some)
        made = PyUnicode_FromFormat("<tacho.Column %s%s%s%s: %zu %s, %zu null, %R%s>",
                                    tacho_table_column_name(table, column->index), unit ? " [" : "", unit ? unit : "",
                                    unit ? "]" : "", column->count, kinds[column->type].name, column->nulls, some,
                                    column->count > SHOWN ? " ..." : "");
    Py_XDECREF(some);
    return made;
}

/* ---- as a buffer ---- */

static int column_buffer(PyObject *self, Py_buffer *view, int flags)
{
    struct column *column = (struct column *)self;

    view->obj = NULL;
    if (!column->values) {
        PyErr_SetString(PyExc_BufferError, "a column of texts has no buffer: take list(column)");
        return -1;
    }
    if (flags & PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "a column cannot be changed");
        return -1;
    }
    Py_INCREF(self);
    *view = (Py_buffer){
        .buf = column->values,
        .obj = self,
        .len = column->shape[0] * column->strides[0],
        .itemsize = column->strides[0],
        .readonly = 1,
        .ndim = 1,
        .format = flags & PyBUF_FORMAT ? (char *)(uintptr_t)kinds[column->type].format : NULL,
        .shape = flags & PyBUF_ND ? column->shape : NULL,
        .strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? column->strides : NULL,
    };
    return 0;
}

static PyObject *column_mask(PyObject *self, void *unused)
{
    PyObject *bytes = PyMemoryView_FromObject(((struct column *)self)->mask), *mask;

    (void)unused;
    mask = bytes ? PyObject_CallMethod(bytes, "cast", "s", "?") : NULL;
    Py_XDECREF(bytes);
    return mask;
}

/* ---- what it is ---- */

static PyObject *column_text(PyObject *self, void *get)
{
    struct column *column = (struct column *)self;
    const char *(*const *function)(const struct tacho_table *, size_t) = get;

    return text_of((*function)(column->table->table, column->index));
}

static PyObject *column_type_name(PyObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(kinds[((struct column *)self)->type].name);
}

static PyObject *column_nulls(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(((struct column *)self)->nulls);
}

static const char *(*get_name)(const struct tacho_table *, size_t) = tacho_table_column_name;
static const char *(*get_title)(const struct tacho_table *, size_t) = tacho_table_column_title;
static const char *(*get_unit)(const struct tacho_table *, size_t) = tacho_table_column_unit;
static const char *(*get_description)(const struct tacho_table *, size_t) = tacho_table_column_description;

static PyGetSetDef column_members[] = {
    { "name", column_text, NULL, "what it is called", &get_name },
    { "title", column_text, NULL, "its heading", &get_title },
    { "unit", column_text, NULL, "of its numbers, or None", &get_unit },
    { "description", column_text, NULL, "what it says, or None", &get_description },
    { "type", column_type_name, NULL, "text, integer, decimal, boolean, duration (ns), percent or bytes", NULL },
    { "nulls", column_nulls, NULL, "how many cells are not known", NULL },
    { "mask", column_mask, NULL, "a memoryview of truths: which cells are not known", NULL },
    { 0 },
};

static PyMethodDef column_methods[] = {
    { "tolist", column_list, METH_NOARGS, "its values; None: not known" },
    { 0 },
};

static PySequenceMethods column_sequence = { .sq_length = column_length, .sq_item = column_item };
static PyMappingMethods column_mapping = { .mp_length = column_length, .mp_subscript = column_subscript };
static PyBufferProcs column_buffers = { .bf_getbuffer = column_buffer };

PyTypeObject column_type = {
    .ob_base = { PyObject_HEAD_INIT(NULL) 0 },
    .tp_name = "tacho.Column",
    .tp_doc =
        "A column of a table: a sequence of values, None where one is not known. Columns of numbers have a buffer.",
    .tp_basicsize = sizeof(struct column),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = column_free,
    .tp_repr = column_repr,
    .tp_richcompare = column_compare,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_iter = PySeqIter_New,
    .tp_as_sequence = &column_sequence,
    .tp_as_mapping = &column_mapping,
    .tp_as_buffer = &column_buffers,
    .tp_methods = column_methods,
    .tp_getset = column_members,
};
