/* query.c: inputs that are asked in SQL. */
#include "answers.h"

#include <time.h>

struct query {
    PyObject ob_base;          /* what every object of Python begins with */
    struct tacho_query *query; /* NULL: not open, or closed */
    PyThread_type_lock lock;   /* held by the thread that uses it */
    struct timespec looked;    /* when signals were last looked for */
};

static struct query *of(PyObject *self)
{
    return (struct query *)self;
}

/* ---- Ctrl-C ---- */

enum { LOOK_MS = 50 }; /* between two looks: the lock of the interpreter is taken for each */

/* Called while a statement works, without the lock of the interpreter. The exception of a signal stays set. */
static bool is_interrupted(void *context)
{
    struct query *query = context;
    struct timespec now;
    PyGILState_STATE state;
    bool interrupted;

    clock_gettime(CLOCK_MONOTONIC, &now);
    if ((now.tv_sec - query->looked.tv_sec) * 1000 + (now.tv_nsec - query->looked.tv_nsec) / 1000000 < LOOK_MS)
        return false;
    query->looked = now;
    state = PyGILState_Ensure();
    interrupted = PyErr_CheckSignals() < 0;
    PyGILState_Release(state);
    return interrupted;
}

/* ---- one thread at a time ---- */

static void lock(struct query *query)
{
    if (PyThread_acquire_lock(query->lock, NOWAIT_LOCK))
        return;
    Py_BEGIN_ALLOW_THREADS
    PyThread_acquire_lock(query->lock, WAIT_LOCK);
    Py_END_ALLOW_THREADS
}

/* -1: it is closed. */
static int enter(struct query *query)
{
    if (query->lock)
        lock(query);
    if (query->query)
        return 0;
    if (query->lock)
        PyThread_release_lock(query->lock);
    PyErr_SetString(PyExc_ValueError, "the query is closed");
    return -1;
}

/* The table, or the exception: that of a signal comes before what it made fail. */
static PyObject *finish(struct query *query, enum tacho_status status, struct tacho_table *table)
{
    PyThread_release_lock(query->lock);
    if (PyErr_Occurred() || PyErr_CheckSignals() < 0) {
        tacho_table_free(table);
        return NULL;
    }
    return status == TACHO_OK ? table_make(table, NULL) : raise_status(status);
}

/* ---- opening and closing ---- */

static int query_init(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = { "inputs", "options", "timeout", "memory", NULL };
    struct tacho_query_options asked = { .stop = is_interrupted, .stop_context = self };
    unsigned long long seconds = 0, megabytes = 0;
    struct query *query = of(self);
    PyObject *inputs, *options = NULL;
    struct words words;
    enum tacho_status status;

    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O!KK", names, &inputs, &PyDict_Type, &options, &seconds,
                                     &megabytes))
        return -1;
    if (query->query) {
        PyErr_SetString(PyExc_ValueError, "the query is open already");
        return -1;
    }
    query->lock = query->lock ? query->lock : PyThread_allocate_lock();
    if (!query->lock) {
        PyErr_NoMemory();
        return -1;
    }
    if (words_take(&words, inputs, options) < 0) {
        words_free(&words);
        return -1;
    }
    asked.read = words_read_options(&words);
    asked.seconds = seconds;
    asked.megabytes = megabytes;
    Py_BEGIN_ALLOW_THREADS
    status = tacho_query_open(words.inputs, words.input_count, &asked, &query->query);
    Py_END_ALLOW_THREADS
    words_free(&words);
    if (status != TACHO_OK)
        raise_status(status);
    return status == TACHO_OK ? 0 : -1;
}

static PyObject *query_close(PyObject *self, PyObject *unused)
{
    (void)unused;
    if (of(self)->lock)
        lock(of(self));
    tacho_query_close(of(self)->query);
    of(self)->query = NULL;
    if (of(self)->lock)
        PyThread_release_lock(of(self)->lock);
    Py_RETURN_NONE;
}

static void query_dealloc(PyObject *self)
{
    tacho_query_close(of(self)->query);
    if (of(self)->lock)
        PyThread_free_lock(of(self)->lock);
    Py_TYPE(self)->tp_free(self);
}

/* ---- questions ---- */

static PyObject *query_ask(PyObject *self, PyObject *sql)
{
    struct tacho_table *table = NULL;
    const char *text = PyUnicode_AsUTF8(sql);
    enum tacho_status status;

    if (!text || enter(of(self)) < 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = tacho_query_ask(of(self)->query, text, &table);
    Py_END_ALLOW_THREADS
    return finish(of(self), status, table);
}

static PyObject *query_schema(PyObject *self, PyObject *unused)
{
    struct tacho_table *table = NULL;
    enum tacho_status status;

    (void)unused;
    if (enter(of(self)) < 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = tacho_query_schema(of(self)->query, &table);
    Py_END_ALLOW_THREADS
    return finish(of(self), status, table);
}

static PyMethodDef query_methods[] = {
    { "ask", query_ask, METH_O, "ask(sql): what one statement answers, as a table; Ctrl-C stops it" },
    { "schema", query_schema, METH_NOARGS, "tables, columns with their units, and functions" },
    { "close", query_close, METH_NOARGS, "ends it; its tables live on" },
    { 0 },
};

PyTypeObject query_type = {
    .ob_base = { PyObject_HEAD_INIT(NULL) 0 },
    .tp_name = "tacho._answers.Query",
    .tp_doc = "Query(inputs, options={}, timeout=0, memory=0): one or several inputs that are asked in SQL.",
    .tp_basicsize = sizeof(struct query),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_new = PyType_GenericNew,
    .tp_init = query_init,
    .tp_dealloc = query_dealloc,
    .tp_methods = query_methods,
};
