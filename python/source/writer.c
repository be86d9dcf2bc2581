/* writer.c: a trace of one's own, and profiles converted to one. */
#include "answers.h"

struct writer {
    PyObject ob_base;            /* what every object of Python begins with */
    struct tacho_writer *writer; /* NULL: not open */
    bool busy;                   /* a thread is inside of the library with it, and let go of the interpreter */
};

static struct writer *of(PyObject *self)
{
    return (struct writer *)self;
}

/* ---- opening and closing ---- */

static int writer_init(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = { "path", "format", "tick_rate", "tick_rate_divisor", NULL };
    struct tacho_writer_options options = { 0 };
    unsigned long long rate = 0, divisor = 0;
    struct words words = { 0 };
    PyObject *path;
    const char *text;
    enum tacho_status status = TACHO_OK;

    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|zKK", names, &path, &options.format, &rate, &divisor))
        return -1;
    if (of(self)->writer) {
        PyErr_SetString(PyExc_ValueError, "the trace is open already");
        return -1;
    }
    options.tick_rate = rate;
    options.tick_rate_divisor = divisor;
    text = words_keep(&words, path);
    if (text)
        status = tacho_writer_open(text, &options, &of(self)->writer);
    words_free(&words);
    if (status != TACHO_OK)
        raise_status(status);
    return text && status == TACHO_OK ? 0 : -1;
}

static void writer_dealloc(PyObject *self)
{
    tacho_writer_abandon(of(self)->writer);
    Py_TYPE(self)->tp_free(self);
}

/* NULL: it cannot be used now, and an exception says so. */
static struct tacho_writer *open_writer(PyObject *self)
{
    if (of(self)->busy)
        PyErr_SetString(PyExc_RuntimeError, "another thread is using the trace");
    else if (!of(self)->writer)
        PyErr_SetString(PyExc_ValueError, "the trace is closed");
    else
        return of(self)->writer;
    return NULL;
}

static PyObject *done(enum tacho_status status)
{
    if (status != TACHO_OK)
        return raise_status(status);
    Py_RETURN_NONE;
}

static PyObject *writer_close(PyObject *self, PyObject *unused)
{
    struct tacho_writer *writer = open_writer(self);
    enum tacho_status status;

    (void)unused;
    if (!writer)
        return NULL;
    of(self)->writer = NULL;
    Py_BEGIN_ALLOW_THREADS
    status = tacho_writer_close(writer);
    Py_END_ALLOW_THREADS
    return done(status);
}

static PyObject *writer_abandon(PyObject *self, PyObject *unused)
{
    struct tacho_writer *writer = open_writer(self);

    (void)unused;
    if (!writer)
        return NULL;
    of(self)->writer = NULL;
    tacho_writer_abandon(writer);
    Py_RETURN_NONE;
}

static PyObject *writer_flush(PyObject *self, PyObject *unused)
{
    struct tacho_writer *writer = open_writer(self);

    (void)unused;
    return writer ? done(tacho_writer_flush(writer)) : NULL;
}

/* ---- processes, threads, counters ---- */

/* The number of something that was added. */
static PyObject *number_of(enum tacho_status status, uint32_t number)
{
    return status == TACHO_OK ? PyLong_FromUnsignedLong(number) : raise_status(status);
}

static PyObject *writer_add_process(PyObject *self, PyObject *arguments)
{
    struct tacho_writer *writer = open_writer(self);
    enum tacho_status status;
    tacho_process process;
    const char *name;

    if (!writer || !PyArg_ParseTuple(arguments, "s", &name))
        return NULL;
    status = tacho_writer_add_process(writer, name, &process);
    return number_of(status, process);
}

static PyObject *writer_add_thread(PyObject *self, PyObject *arguments)
{
    struct tacho_writer *writer = open_writer(self);
    enum tacho_status status;
    tacho_thread thread;
    unsigned process;
    const char *name;

    if (!writer || !PyArg_ParseTuple(arguments, "Is", &process, &name))
        return NULL;
    status = tacho_writer_add_thread(writer, process, name, &thread);
    return number_of(status, thread);
}

static PyObject *writer_add_counter(PyObject *self, PyObject *arguments)
{
    struct tacho_writer *writer = open_writer(self);
    enum tacho_status status;
    tacho_counter counter;
    unsigned process;
    const char *name, *unit = NULL;

    if (!writer || !PyArg_ParseTuple(arguments, "Is|z", &process, &name, &unit))
        return NULL;
    status = tacho_writer_add_counter(writer, process, name, unit, &counter);
    return number_of(status, counter);
}

static PyObject *writer_set_counter(PyObject *self, PyObject *arguments)
{
    struct tacho_writer *writer = open_writer(self);
    long long time, value;
    unsigned counter;

    if (!writer || !PyArg_ParseTuple(arguments, "ILL", &counter, &time, &value))
        return NULL;
    return done(tacho_writer_set_counter(writer, counter, time, value));
}

/* ---- slices ---- */

static int take_argument(PyObject *key, PyObject *value, struct tacho_argument *argument)
{
    int overflow = 0;

    argument->key = PyUnicode_AsUTF8(key);
    if (!argument->key)
        return -1;
    if (PyBool_Check(value)) {
        argument->type = TACHO_VALUE_BOOLEAN;
        argument->integer = value == Py_True;
    } else if (PyLong_Check(value)) {
        argument->type = TACHO_VALUE_INTEGER;
        argument->integer = PyLong_AsLongLongAndOverflow(value, &overflow);
        if (overflow > 0) {
            argument->type = TACHO_VALUE_UNSIGNED;
            argument->integer = (int64_t)PyLong_AsUnsignedLongLong(value);
        } else if (overflow) {
            PyErr_SetString(PyExc_OverflowError, "an argument is smaller than 64 bits can tell");
        }
    } else if (PyFloat_Check(value)) {
        argument->type = TACHO_VALUE_DECIMAL;
        argument->decimal = PyFloat_AS_DOUBLE(value);
    } else {
        argument->type = TACHO_VALUE_TEXT;
        argument->text = PyUnicode_AsUTF8(value); /* a TypeError where it is no text */
    }
    return PyErr_Occurred() ? -1 : 0;
}

/* Lends the texts of a dict to a slice; the caller frees the array. */
static int take_arguments(PyObject *dict, struct tacho_slice *slice)
{
    struct tacho_argument *arguments = PyMem_Calloc((size_t)PyDict_Size(dict) + 1, sizeof *arguments);
    PyObject *key, *value;
    Py_ssize_t at = 0;

    slice->arguments = arguments;
    if (!arguments) {
        PyErr_NoMemory();
        return -1;
    }
    while (PyDict_Next(dict, &at, &key, &value))
        if (take_argument(key, value, &arguments[slice->argument_count++]) < 0)
            return -1;
    return 0;
}

/* Draws a slice, or begins it. */
static PyObject *draw(PyObject *self, struct tacho_slice *slice, PyObject *dict,
                      enum tacho_status (*function)(struct tacho_writer *, const struct tacho_slice *))
{
    struct tacho_writer *writer = open_writer(self);
    PyObject *answer = NULL;

    if (writer && (!dict || take_arguments(dict, slice) == 0))
        answer = done(function(writer, slice));
    PyMem_Free((void *)(uintptr_t)slice->arguments);
    return answer;
}

static PyObject *writer_render(PyObject *self, PyObject *arguments)
{
    struct tacho_slice slice = { 0 };
    long long start, end;
    unsigned thread;
    PyObject *dict = NULL;

    if (!PyArg_ParseTuple(arguments, "IsLL|O!", &thread, &slice.name, &start, &end, &PyDict_Type, &dict))
        return NULL;
    slice.thread = thread;
    slice.start = start;
    slice.end = end;
    return draw(self, &slice, dict, tacho_writer_render);
}

static PyObject *writer_begin(PyObject *self, PyObject *arguments)
{
    struct tacho_slice slice = { 0 };
    long long start;
    unsigned thread;
    PyObject *dict = NULL;

    if (!PyArg_ParseTuple(arguments, "IsL|O!", &thread, &slice.name, &start, &PyDict_Type, &dict))
        return NULL;
    slice.thread = thread;
    slice.start = start;
    return draw(self, &slice, dict, tacho_writer_begin);
}

static PyObject *writer_end(PyObject *self, PyObject *arguments)
{
    struct tacho_writer *writer = open_writer(self);
    long long time;
    unsigned thread;

    if (!writer || !PyArg_ParseTuple(arguments, "IL", &thread, &time))
        return NULL;
    return done(tacho_writer_end(writer, thread, time));
}

static PyObject *writer_log(PyObject *self, PyObject *arguments)
{
    struct tacho_writer *writer = open_writer(self);
    long long start, end;
    struct tacho_log log;

    if (!writer || !PyArg_ParseTuple(arguments, "sssLL", &log.process, &log.thread, &log.function, &start, &end))
        return NULL;
    log.start_time = start;
    log.end_time = end;
    return done(tacho_writer_log(writer, &log));
}

/* ---- profiles ---- */

static PyObject *rows_of(enum tacho_status status, const struct tacho_row_counts *counts)
{
    if (status != TACHO_OK)
        return raise_status(status);
    return Py_BuildValue("{sKsKsK}", "read", (unsigned long long)counts->read, "used", (unsigned long long)counts->used,
                         "lost", (unsigned long long)counts->lost);
}

static PyObject *writer_read(PyObject *self, PyObject *arguments)
{
    struct tacho_writer *writer = open_writer(self);
    PyObject *path, *options = NULL, *answer = NULL;
    struct tacho_row_counts counts = { 0 };
    struct tacho_read_options reading;
    struct words words = { 0 };
    enum tacho_status status;
    const char *name;

    if (!writer || !PyArg_ParseTuple(arguments, "zO|O!", &name, &path, &PyDict_Type, &options))
        return NULL;
    if (words_take(&words, path, options) == 0) {
        reading = words_read_options(&words);
        of(self)->busy = true;
        Py_BEGIN_ALLOW_THREADS
        status = tacho_writer_read(writer, name, words.inputs[0], &reading, &counts);
        Py_END_ALLOW_THREADS
        of(self)->busy = false;
        answer = rows_of(status, &counts);
    }
    words_free(&words);
    return answer;
}

/* Fills inputs from a list of pairs of name and path, whose texts are kept. */
static int take_named(struct words *words, PyObject *pairs, struct tacho_input *inputs)
{
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(pairs); i++) {
        PyObject *pair = PyList_GET_ITEM(pairs, i), *name, *path;

        if (!PyTuple_Check(pair) || !PyArg_ParseTuple(pair, "OO", &name, &path)) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_TypeError, "an input is a tuple of name and path");
            return -1;
        }
        inputs[i].name = name == Py_None ? NULL : words_keep(words, name);
        inputs[i].path = words_keep(words, path);
        if (PyErr_Occurred())
            return -1;
    }
    return 0;
}

PyObject *convert_inputs(PyObject *module, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = { "inputs", "path", "format", "options", NULL };
    PyObject *pairs, *path, *options = NULL, *answer = NULL;
    struct tacho_writer_options writing = { 0 };
    struct tacho_read_options reading;
    struct tacho_row_counts counts = { 0 };
    struct words words = { 0 };
    struct tacho_input *inputs;
    enum tacho_status status;
    size_t count;

    (void)module;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O!O|zO!", names, &PyList_Type, &pairs, &path,
                                     &writing.format, &PyDict_Type, &options))
        return NULL;
    count = (size_t)PyList_GET_SIZE(pairs);
    inputs = PyMem_Calloc(count + 1, sizeof *inputs);
    if (!inputs)
        return PyErr_NoMemory();
    if (words_take(&words, path, options) == 0 && take_named(&words, pairs, inputs) == 0) {
        reading = words_read_options(&words);
        Py_BEGIN_ALLOW_THREADS
        status = tacho_convert(inputs, count, words.inputs[0], &writing, &reading, &counts);
        Py_END_ALLOW_THREADS
        answer = rows_of(status, &counts);
    }
    PyMem_Free(inputs);
    words_free(&words);
    return answer;
}

static PyMethodDef writer_methods[] = {
    { "add_process", writer_add_process, METH_VARARGS, "add_process(name): its number" },
    { "add_thread", writer_add_thread, METH_VARARGS, "add_thread(process, name): its number" },
    { "add_counter", writer_add_counter, METH_VARARGS, "add_counter(process, name, unit=None): its number" },
    { "set_counter", writer_set_counter, METH_VARARGS, "set_counter(counter, time, value): from that time on" },
    { "render", writer_render, METH_VARARGS, "render(thread, name, start, end, arguments={}): a slice" },
    { "begin", writer_begin, METH_VARARGS, "begin(thread, name, start, arguments={})" },
    { "end", writer_end, METH_VARARGS, "end(thread, time): of what was begun last" },
    { "log", writer_log, METH_VARARGS, "log(process, thread, function, start, end): a slice by names" },
    { "read", writer_read, METH_VARARGS, "read(name, path, options={}): a profile as a process of that name" },
    { "flush", writer_flush, METH_NOARGS, "hands what is ready to the file system" },
    { "close", writer_close, METH_NOARGS, "completes the file and gives it its name" },
    { "abandon", writer_abandon, METH_NOARGS, "throws away what was written" },
    { 0 },
};

PyTypeObject writer_type = {
    .ob_base = { PyObject_HEAD_INIT(NULL) 0 },
    .tp_name = "tacho._answers.Writer",
    .tp_doc = "Writer(path, format=None, tick_rate=0, tick_rate_divisor=0): a trace that is written; ticks are ns "
              "unless a rate is given.",
    .tp_basicsize = sizeof(struct writer),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_new = PyType_GenericNew,
    .tp_init = writer_init,
    .tp_dealloc = writer_dealloc,
    .tp_methods = writer_methods,
};
