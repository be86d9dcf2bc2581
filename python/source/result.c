/* result.c: what a verb of the command made: tables, sentences, notes, JSON. */
#include "answers.h"

struct result {
    PyObject ob_base;            /* what every object of Python begins with */
    struct tacho_result *result; /* NULL: not made */
    struct words words;          /* that it borrows */
    struct profile *profile;     /* the same; NULL: none */
    bool yes;                    /* the answer is not "no" */
};

static struct result *of(PyObject *self)
{
    return (struct result *)self;
}

/* ---- making one ---- */

static enum tacho_status run(struct result *result, const char *verb)
{
    const struct words *words = &result->words;

    if (result->profile)
        return tacho_profile_run(result->profile->profile, verb, words->options, words->option_count, &result->result);
    return tacho_run(verb, words->inputs, words->input_count, words->options, words->option_count, &result->result);
}

/* Inputs are paths, or a profile that was opened. */
static int take_inputs(struct result *result, PyObject *inputs, PyObject *options)
{
    bool opened = PyObject_TypeCheck(inputs, &profile_type);

    if (words_take(&result->words, opened ? NULL : inputs, options) < 0)
        return -1;
    if (!opened)
        return 0;
    if (profile_enter((struct profile *)inputs) < 0)
        return -1;
    Py_INCREF(inputs);
    result->profile = (struct profile *)inputs;
    result->profile->results++;
    return 0;
}

static int result_init(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = { "verb", "inputs", "options", NULL };
    struct result *result = of(self);
    PyObject *inputs, *options = NULL;
    const char *verb;
    enum tacho_status status;

    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "sO|O!", names, &verb, &inputs, &PyDict_Type, &options))
        return -1;
    if (result->result) {
        PyErr_SetString(PyExc_ValueError, "the result is there already");
        return -1;
    }
    if (take_inputs(result, inputs, options) < 0)
        return -1;
    Py_BEGIN_ALLOW_THREADS
    status = run(result, verb);
    Py_END_ALLOW_THREADS
    if (result->profile)
        profile_leave(result->profile);
    result->yes = status == TACHO_OK;
    if (status != TACHO_OK && status != TACHO_NO)
        raise_status(status);
    return PyErr_Occurred() || PyErr_CheckSignals() < 0 ? -1 : 0;
}

static void result_dealloc(PyObject *self)
{
    struct result *result = of(self);

    tacho_result_free(result->result);
    words_free(&result->words);
    if (result->profile)
        profile_forget(result->profile);
    Py_XDECREF(result->profile);
    Py_TYPE(self)->tp_free(self);
}

/* ---- what came out ---- */

/* A subclass may ask before it was made. */
static const struct tacho_result *made(PyObject *self)
{
    if (!of(self)->result)
        PyErr_SetString(PyExc_ValueError, "there is no result");
    return of(self)->result;
}

static PyObject *result_tables(PyObject *self, void *unused)
{
    const struct tacho_result *result = made(self);
    size_t count = result ? tacho_result_tables(result) : 0;
    PyObject *tuple = result ? PyTuple_New((Py_ssize_t)count) : NULL;

    (void)unused;
    for (size_t i = 0; tuple && i < count; i++) {
        PyObject *table = table_make(tacho_result_table(result, i), self);

        if (!table)
            Py_CLEAR(tuple);
        else
            PyTuple_SET_ITEM(tuple, (Py_ssize_t)i, table);
    }
    return tuple;
}

static PyObject *result_subscript(PyObject *self, PyObject *key)
{
    const struct tacho_result *result = made(self);
    const char *name = result ? PyUnicode_AsUTF8(key) : NULL;
    const struct tacho_table *table = name ? tacho_result_find(result, name) : NULL;

    if (table)
        return table_make(table, self);
    if (name)
        PyErr_SetObject(PyExc_KeyError, key);
    return NULL;
}

/* A tuple of sentences. */
static PyObject *sentences(PyObject *self, size_t (*count_of)(const struct tacho_result *),
                           const char *(*get)(const struct tacho_result *, size_t))
{
    const struct tacho_result *result = made(self);
    size_t count = result ? count_of(result) : 0;
    PyObject *tuple = result ? PyTuple_New((Py_ssize_t)count) : NULL;

    for (size_t i = 0; tuple && i < count; i++)
        put_text(&tuple, i, get(result, i));
    return tuple;
}

static PyObject *result_notes(PyObject *self, void *unused)
{
    (void)unused;
    return sentences(self, tacho_result_notes, tacho_result_note);
}

static PyObject *result_lines(PyObject *self, void *unused)
{
    (void)unused;
    return sentences(self, tacho_result_lines, tacho_result_line);
}

static PyObject *result_yes(PyObject *self, void *unused)
{
    (void)unused;
    return PyBool_FromLong(of(self)->yes);
}

/* Writing may finish sentences inside of the result, so that the interpreter is kept: one thread at a time. */
static PyObject *result_json(PyObject *self, PyObject *unused)
{
    const struct tacho_result *result = made(self);
    char *written = NULL;
    enum tacho_status status = result ? tacho_result_json(result, &written) : TACHO_OK;
    PyObject *text, *module, *value;

    (void)unused;
    if (!result)
        return NULL;
    if (status != TACHO_OK)
        return raise_status(status);
    text = take_text(written);
    module = PyImport_ImportModule("json");
    value = text && module ? PyObject_CallMethod(module, "loads", "O", text) : NULL;
    Py_XDECREF(module);
    Py_XDECREF(text);
    return value;
}

static PyObject *result_write(PyObject *self, PyObject *path)
{
    const struct tacho_result *result = made(self);
    struct words words = { 0 };
    const char *text = result ? words_keep(&words, path) : NULL;
    enum tacho_status status = text ? tacho_result_write(result, text) : TACHO_OK;

    words_free(&words);
    if (!text)
        return NULL;
    if (status != TACHO_OK)
        return raise_status(status);
    Py_RETURN_NONE;
}

static PyGetSetDef result_members[] = {
    { "answer", result_yes, NULL, "False: the answer is no, as the command says by its exit status 1", NULL },
    { "tables", result_tables, NULL, "the tables that it made", NULL },
    { "notes", result_notes, NULL, "what the command says on standard error", NULL },
    { "lines", result_lines, NULL, "what the command says as sentences", NULL },
    { 0 },
};

static PyMethodDef result_methods[] = {
    { "json", result_json, METH_NOARGS, "what --json prints, as Python has it" },
    { "write", result_write, METH_O, "write(path): as a file by suffix" },
    { 0 },
};

static PyMappingMethods result_mapping = { .mp_subscript = result_subscript };

PyTypeObject result_type = {
    .ob_base = { PyObject_HEAD_INIT(NULL) 0 },
    .tp_name = "tacho._answers.Result",
    .tp_doc = "Result(verb, inputs, options={}): what `tacho VERB` does; inputs are paths, or a Profile.",
    .tp_basicsize = sizeof(struct result),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_new = PyType_GenericNew,
    .tp_init = result_init,
    .tp_dealloc = result_dealloc,
    .tp_as_mapping = &result_mapping,
    .tp_methods = result_methods,
    .tp_getset = result_members,
};
