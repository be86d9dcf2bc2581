/* table.c: a table: rows as dicts, columns by name. */
#include <string.h>

#include "answers.h"

enum { SHOWN_ROWS = 30, SHOWN_WIDTH = 80 }; /* of a representation */

static struct table *of(PyObject *self)
{
    return (struct table *)self;
}

PyObject *table_make(const struct tacho_table *table, PyObject *owner)
{
    struct table *made = PyObject_New(struct table, &table_type);

    if (!made) {
        if (!owner)
            tacho_table_free((struct tacho_table *)(uintptr_t)table);
        return NULL;
    }
    Py_XINCREF(owner);
    made->table = table;
    made->owner = owner;
    return (PyObject *)made;
}

static void table_dealloc(PyObject *self)
{
    if (!of(self)->owner)
        tacho_table_free((struct tacho_table *)(uintptr_t)of(self)->table);
    Py_XDECREF(of(self)->owner);
    PyObject_Free(self);
}

/* ---- rows ---- */

static Py_ssize_t table_length(PyObject *self)
{
    return (Py_ssize_t)tacho_table_rows(of(self)->table);
}

/* Adds a value, which is taken over, to a dict. */
static int put(PyObject *dict, const char *key, PyObject *value)
{
    PyObject *name = value ? text_of(key) : NULL;
    int done = name ? PyDict_SetItem(dict, name, value) : -1;

    Py_XDECREF(name);
    Py_XDECREF(value);
    return done;
}

static PyObject *table_row(PyObject *self, Py_ssize_t row)
{
    const struct tacho_table *table = of(self)->table;
    PyObject *dict;

    if (row < 0 || row >= table_length(self)) {
        PyErr_SetString(PyExc_IndexError, "the table has no such row");
        return NULL;
    }
    dict = PyDict_New();
    for (size_t i = 0; dict && i < tacho_table_columns(table); i++)
        if (put(dict, tacho_table_column_name(table, i), cell_value(table, (size_t)row, i)) < 0)
            Py_CLEAR(dict);
    return dict;
}

static PyObject *rows_of(PyObject *self, PyObject *slice)
{
    Py_ssize_t start, stop, step, count;
    PyObject *list;

    if (PySlice_Unpack(slice, &start, &stop, &step) < 0)
        return NULL;
    count = PySlice_AdjustIndices(table_length(self), &start, &stop, step);
    list = PyList_New(count);
    for (Py_ssize_t i = 0; list && i < count; i++) {
        PyObject *row = table_row(self, start + i * step);

        if (!row)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, i, row);
    }
    return list;
}

/* table["time"], table[0], table[2:5] */
static PyObject *table_subscript(PyObject *self, PyObject *key)
{
    Py_ssize_t row;

    if (PyUnicode_Check(key)) {
        const char *name = PyUnicode_AsUTF8(key);
        size_t column = name ? tacho_table_find_column(of(self)->table, name) : 0;

        if (name && column < tacho_table_columns(of(self)->table))
            return column_make(of(self), column);
        if (name)
            PyErr_SetObject(PyExc_KeyError, key);
        return NULL;
    }
    if (PySlice_Check(key))
        return rows_of(self, key);
    row = PyNumber_AsSsize_t(key, PyExc_IndexError);
    if (row == -1 && PyErr_Occurred())
        return NULL;
    return table_row(self, row < 0 ? row + table_length(self) : row);
}

static int table_contains(PyObject *self, PyObject *key)
{
    const char *name = PyUnicode_Check(key) ? PyUnicode_AsUTF8(key) : NULL;

    if (!name)
        return PyErr_Occurred() ? -1 : 0;
    return tacho_table_find_column(of(self)->table, name) < tacho_table_columns(of(self)->table);
}

static PyObject *table_lists(PyObject *self, PyObject *unused)
{
    const struct tacho_table *table = of(self)->table;
    PyObject *dict = PyDict_New();

    (void)unused;
    for (size_t i = 0; dict && i < tacho_table_columns(table); i++) {
        PyObject *column = column_make(of(self), i);
        PyObject *list = column ? PySequence_List(column) : NULL;

        Py_XDECREF(column);
        if (put(dict, tacho_table_column_name(table, i), list) < 0)
            Py_CLEAR(dict);
    }
    return dict;
}

/* ---- shown and written ---- */

static PyObject *print(PyObject *self, const struct tacho_print_options *options)
{
    char *text = NULL;
    enum tacho_status status;

    Py_BEGIN_ALLOW_THREADS
    status = tacho_table_print(of(self)->table, options, &text);
    Py_END_ALLOW_THREADS
    return status == TACHO_OK ? take_text(text) : raise_status(status);
}

static PyObject *table_format(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = { "format", "width", "rows", NULL };
    struct tacho_print_options options = { 0 };
    Py_ssize_t rows = 0;

    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|sIn", names, &options.format, &options.width, &rows))
        return NULL;
    options.rows = rows > 0 ? (size_t)rows : 0;
    return print(self, &options);
}

/* A representation, with a sentence behind it about rows that it leaves out. */
static PyObject *show(PyObject *self, const char *format, const char *left_out)
{
    const struct tacho_print_options options = { format, SHOWN_WIDTH, SHOWN_ROWS };
    size_t rows = tacho_table_rows(of(self)->table);
    PyObject *text = print(self, &options), *more;

    if (!text || rows <= SHOWN_ROWS)
        return text;
    more = PyUnicode_FromFormat(left_out, rows - SHOWN_ROWS, rows);
    PyUnicode_AppendAndDel(&text, more);
    return text;
}

static PyObject *table_repr(PyObject *self)
{
    return show(self, "text", "... %zu of %zu rows are not shown\n");
}

static PyObject *table_html(PyObject *self, PyObject *unused)
{
    (void)unused;
    return show(self, "html", "<p>... %zu of %zu rows are not shown</p>\n");
}

static PyObject *table_write(PyObject *self, PyObject *path)
{
    struct words words = { 0 };
    const char *text = words_keep(&words, path);
    enum tacho_status status = TACHO_OK;

    if (text) {
        Py_BEGIN_ALLOW_THREADS
        status = tacho_table_write(of(self)->table, text);
        Py_END_ALLOW_THREADS
    }
    words_free(&words);
    if (!text)
        return NULL;
    if (status != TACHO_OK)
        return raise_status(status);
    Py_RETURN_NONE;
}

static PyObject *table_pandas(PyObject *self, PyObject *unused)
{
    PyObject *module = PyImport_ImportModule("tacho.frame");
    PyObject *frame = module ? PyObject_CallMethod(module, "of", "O", self) : NULL;

    (void)unused;
    Py_XDECREF(module);
    return frame;
}

/* ---- what it is ---- */

static PyObject *table_name(PyObject *self, void *unused)
{
    (void)unused;
    return text_of(tacho_table_id(of(self)->table));
}

static PyObject *table_title(PyObject *self, void *unused)
{
    (void)unused;
    return text_of(tacho_table_title(of(self)->table));
}

/* A tuple of the texts that `get` has for each number below `count`. */
static PyObject *texts(const struct tacho_table *table, size_t count,
                       const char *(*get)(const struct tacho_table *, size_t))
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);

    for (size_t i = 0; tuple && i < count; i++)
        put_text(&tuple, i, get(table, i));
    return tuple;
}

static PyObject *table_columns(PyObject *self, void *unused)
{
    const struct tacho_table *table = of(self)->table;

    (void)unused;
    return texts(table, tacho_table_columns(table), tacho_table_column_name);
}

static PyObject *table_notes(PyObject *self, void *unused)
{
    const struct tacho_table *table = of(self)->table;

    (void)unused;
    return texts(table, tacho_table_notes(table), tacho_table_note);
}

static PyGetSetDef table_members[] = {
    { "name", table_name, NULL, "what it is called", NULL },
    { "title", table_title, NULL, "its heading", NULL },
    { "columns", table_columns, NULL, "names of its columns", NULL },
    { "notes", table_notes, NULL, "sentences that a person should know of these numbers", NULL },
    { 0 },
};

static PyMethodDef table_methods[] = {
    { "to_dict", table_lists, METH_NOARGS, "columns as lists, by name" },
    { "to_pandas", table_pandas, METH_NOARGS, "the table as a DataFrame of pandas" },
    { "format", (PyCFunction)(void (*)(void))table_format, METH_VARARGS | METH_KEYWORDS,
      "format(format='text', width=0, rows=0): as text, csv, json, markdown or html" },
    { "write", table_write, METH_O, "write(path): as a file by suffix: .csv .json .md .html .txt .xlsx" },
    { "_repr_html_", table_html, METH_NOARGS, "for notebooks" },
    { 0 },
};

static PySequenceMethods table_sequence = { .sq_length = table_length,
                                            .sq_item = table_row,
                                            .sq_contains = table_contains };
static PyMappingMethods table_mapping = { .mp_length = table_length, .mp_subscript = table_subscript };

PyTypeObject table_type = {
    .ob_base = { PyObject_HEAD_INIT(NULL) 0 },
    .tp_name = "tacho.Table",
    .tp_doc = "A table: table['time'] is a column, table[0] a row as a dict, and so is each of its iteration.",
    .tp_basicsize = sizeof(struct table),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = table_dealloc,
    .tp_repr = table_repr,
    .tp_iter = PySeqIter_New,
    .tp_as_sequence = &table_sequence,
    .tp_as_mapping = &table_mapping,
    .tp_methods = table_methods,
    .tp_getset = table_members,
};
