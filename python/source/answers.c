/* answers.c: the module tacho._answers: the library's questions and answers, and its writer of traces. */
#include "answers.h"

static PyObject *version(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return text_of(tacho_version());
}

static PyObject *verbs(PyObject *module, PyObject *unused)
{
    PyObject *list = PyList_New(0);

    (void)module;
    (void)unused;
    for (size_t i = 0; list && tacho_verb_name(i); i++) {
        PyObject *name = text_of(tacho_verb_name(i));

        if (!name || PyList_Append(list, name) < 0)
            Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

static PyMethodDef functions[] = {
    { "version", version, METH_NOARGS, "of the library" },
    { "verbs", verbs, METH_NOARGS, "what can be asked" },
    { "convert", (PyCFunction)(void (*)(void))convert_inputs, METH_VARARGS | METH_KEYWORDS,
      "convert(inputs, path, options={}): named profiles into one trace; the rows read, used and lost" },
    { 0 },
};

static struct PyModuleDef definition = { PyModuleDef_HEAD_INIT, .m_name = "tacho._answers", .m_size = -1,
                                         .m_methods = functions };

PyMODINIT_FUNC PyInit__answers(void)
{
    static const struct {
        const char *name;
        PyTypeObject *type;
    } types[] = {
        { "Profile", &profile_type }, { "Table", &table_type },   { "Column", &column_type },
        { "Result", &result_type },   { "Writer", &writer_type }, { "Query", &query_type },
    };
    PyObject *module = PyModule_Create(&definition);

    for (size_t i = 0; module && i < sizeof types / sizeof *types; i++) {
        Py_INCREF(types[i].type);
        if (PyType_Ready(types[i].type) < 0 ||
            PyModule_AddObject(module, types[i].name, (PyObject *)types[i].type) < 0) {
            Py_DECREF(types[i].type);
            Py_CLEAR(module);
        }
    }
    return module;
}
