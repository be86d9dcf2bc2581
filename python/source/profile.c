/* profile.c: a profile that was opened, and what can be asked of it. */
#include "answers.h"

static struct profile *of(PyObject *self)
{
    return (struct profile *)self;
}

/* ---- one thread at a time ---- */

/* Another thread may hold the lock, and want the interpreter to let go of it. */
static void lock(struct profile *profile)
{
    if (PyThread_acquire_lock(profile->lock, NOWAIT_LOCK))
        return;
    Py_BEGIN_ALLOW_THREADS
    PyThread_acquire_lock(profile->lock, WAIT_LOCK);
    Py_END_ALLOW_THREADS
}

int profile_enter(struct profile *profile)
{
    if (profile->lock)
        lock(profile);
    if (profile->profile && !profile->closed)
        return 0;
    if (profile->lock)
        PyThread_release_lock(profile->lock);
    PyErr_SetString(PyExc_ValueError, "the profile is closed");
    return -1;
}

void profile_leave(struct profile *profile)
{
    PyThread_release_lock(profile->lock);
}

static void free_closed(struct profile *profile)
{
    if (!profile->closed || profile->results)
        return;
    tacho_profile_close(profile->profile);
    profile->profile = NULL;
}

void profile_forget(struct profile *profile)
{
    profile->results--;
    free_closed(profile);
}

/* ---- opening and closing ---- */

static int profile_init(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = { "inputs", "options", NULL };
    struct profile *profile = of(self);
    PyObject *inputs, *options = NULL;
    struct tacho_read_options reading;
    struct words words;
    enum tacho_status status;

    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O!", names, &inputs, &PyDict_Type, &options))
        return -1;
    if (profile->profile) {
        PyErr_SetString(PyExc_ValueError, "the profile is open already");
        return -1;
    }
    profile->lock = profile->lock ? profile->lock : PyThread_allocate_lock();
    if (!profile->lock) {
        PyErr_NoMemory();
        return -1;
    }
    if (words_take(&words, inputs, options) < 0) {
        words_free(&words);
        return -1;
    }
    reading = words_read_options(&words);
    Py_BEGIN_ALLOW_THREADS
    status = tacho_profile_open_several(words.inputs, words.input_count, &reading, &profile->profile);
    Py_END_ALLOW_THREADS
    words_free(&words);
    if (status != TACHO_OK)
        raise_status(status);
    return status != TACHO_OK || PyErr_CheckSignals() < 0 ? -1 : 0;
}

static PyObject *profile_close(PyObject *self, PyObject *unused)
{
    (void)unused;
    if (of(self)->lock)
        lock(of(self));
    of(self)->closed = true;
    free_closed(of(self));
    if (of(self)->lock)
        PyThread_release_lock(of(self)->lock);
    Py_RETURN_NONE;
}

static void profile_dealloc(PyObject *self)
{
    tacho_profile_close(of(self)->profile);
    if (of(self)->lock)
        PyThread_free_lock(of(self)->lock);
    Py_TYPE(self)->tp_free(self);
}

/* ---- questions ---- */

static PyObject *profile_tables(PyObject *self, PyObject *unused)
{
    PyObject *dict;
    const char *name, *description;

    (void)unused;
    if (profile_enter(of(self)) < 0)
        return NULL;
    dict = PyDict_New();
    for (size_t i = 0; dict && (name = tacho_profile_table_name(of(self)->profile, i, &description)); i++) {
        PyObject *text = text_of(description);

        if (!text || PyDict_SetItemString(dict, name, text) < 0)
            Py_CLEAR(dict);
        Py_XDECREF(text);
    }
    profile_leave(of(self));
    return dict;
}

static PyObject *profile_table(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    struct tacho_table *table = NULL;
    struct words words = { 0 };
    enum tacho_status status;
    const char *name;

    if (!PyArg_ParseTuple(arguments, "s", &name))
        return NULL;
    if (words_take(&words, NULL, keywords) < 0 || profile_enter(of(self)) < 0) {
        words_free(&words);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    status = tacho_profile_ask(of(self)->profile, name, words.options, words.option_count, &table);
    Py_END_ALLOW_THREADS
    profile_leave(of(self));
    words_free(&words);
    if (status != TACHO_OK)
        return raise_status(status);
    if (PyErr_CheckSignals() < 0) {
        tacho_table_free(table);
        return NULL;
    }
    return table_make(table, NULL);
}

/* ---- what it is ---- */

static PyObject *profile_format(PyObject *self, void *unused)
{
    PyObject *format;

    (void)unused;
    if (profile_enter(of(self)) < 0)
        return NULL;
    format = text_of(tacho_profile_format(of(self)->profile));
    profile_leave(of(self));
    return format;
}

static PyObject *profile_rows(PyObject *self, void *unused)
{
    struct tacho_row_counts counts;

    (void)unused;
    if (profile_enter(of(self)) < 0)
        return NULL;
    counts = tacho_profile_row_counts(of(self)->profile);
    profile_leave(of(self));
    return Py_BuildValue("{sKsKsK}", "read", (unsigned long long)counts.read, "used", (unsigned long long)counts.used,
                         "lost", (unsigned long long)counts.lost);
}

static PyObject *profile_closed(PyObject *self, void *unused)
{
    (void)unused;
    return PyBool_FromLong(of(self)->closed);
}

static PyGetSetDef profile_members[] = {
    { "format", profile_format, NULL, "the id of the format that it was read as", NULL },
    { "rows", profile_rows, NULL, "rows of the input: read, used and lost", NULL },
    { "closed", profile_closed, NULL, "whether it was closed", NULL },
    { 0 },
};

static PyMethodDef profile_methods[] = {
    { "tables", profile_tables, METH_NOARGS, "the tables that can be asked for, with what they say" },
    { "table", (PyCFunction)(void (*)(void))profile_table, METH_VARARGS | METH_KEYWORDS,
      "table(name, **options): a table, with options of the verb that makes it" },
    { "close", profile_close, METH_NOARGS, "ends it; its tables live on" },
    { 0 },
};

PyTypeObject profile_type = {
    .ob_base = { PyObject_HEAD_INIT(NULL) 0 },
    .tp_name = "tacho._answers.Profile",
    .tp_doc = "Profile(inputs, options={}): one or several inputs that were opened.",
    .tp_basicsize = sizeof(struct profile),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_new = PyType_GenericNew,
    .tp_init = profile_init,
    .tp_dealloc = profile_dealloc,
    .tp_methods = profile_methods,
    .tp_getset = profile_members,
};
