/* ops.c: the module tacho._ops: the op profiler of the recorder (ops.h), whose face is tacho.profiler.
 *
 * Nothing here fails but for arguments of the wrong type: what could not be logged is counted. Logging writes files, so the lock of the
 * interpreter is let go of where an op or a call ends; the stack of ops is that of the calling thread all the same.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <tacho/ops.h>

static PyObject *start(PyObject *module, PyObject *arguments)
{
    const char *name, *type;

    (void)module;
    if (!PyArg_ParseTuple(arguments, "ss", &name, &type))
        return NULL;
    tacho_op_start(name, type);
    Py_RETURN_NONE;
}

static PyObject *stop(PyObject *module, PyObject *arguments)
{
    const char *name;

    (void)module;
    if (!PyArg_ParseTuple(arguments, "s", &name))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    tacho_op_stop(name);
    Py_END_ALLOW_THREADS
    Py_RETURN_NONE;
}

/* ---- tensors ---- */

static int take_shape(PyObject *shape, struct tacho_op_tensor *tensor)
{
    PyObject *sizes = PySequence_Fast(shape, "a shape is a sequence of numbers");
    Py_ssize_t count = sizes ? PySequence_Fast_GET_SIZE(sizes) : 0;

    if (count > TACHO_OP_DIMENSIONS)
        PyErr_Format(PyExc_ValueError, "a shape has %d dimensions at most", TACHO_OP_DIMENSIONS);
    for (Py_ssize_t i = 0; i < count && !PyErr_Occurred(); i++) {
        PyObject *size = PyNumber_Index(PySequence_Fast_GET_ITEM(sizes, i));

        tensor->shape[tensor->rank++] = size ? PyLong_AsUnsignedLongLong(size) : 0;
        Py_XDECREF(size);
    }
    Py_XDECREF(sizes);
    return PyErr_Occurred() ? -1 : 0;
}

/* tensor(shape, layout, datatype, device, buffer, memory_layout, storage), or (None) */
static PyObject *tensor(PyObject *arguments, void (*append)(const struct tacho_op_tensor *))
{
    struct tacho_op_tensor told = { 0 };
    PyObject *shape;
    int device = 0;

    if (!PyArg_ParseTuple(arguments, "O|zzizzz", &shape, &told.layout, &told.datatype, &device, &told.buffer,
                          &told.memory_layout, &told.storage))
        return NULL;
    if (shape != Py_None && take_shape(shape, &told) < 0)
        return NULL;
    told.device = device;
    append(shape == Py_None ? NULL : &told);
    Py_RETURN_NONE;
}

static PyObject *input(PyObject *module, PyObject *arguments)
{
    (void)module;
    return tensor(arguments, tacho_op_input);
}

static PyObject *output(PyObject *module, PyObject *arguments)
{
    (void)module;
    return tensor(arguments, tacho_op_output);
}

/* ---- texts of the innermost op ---- */

static PyObject *say(PyObject *arguments, void (*function)(const char *))
{
    const char *text;

    if (!PyArg_ParseTuple(arguments, "s", &text))
        return NULL;
    function(text);
    Py_RETURN_NONE;
}

static PyObject *math_fidelity(PyObject *module, PyObject *arguments)
{
    (void)module;
    return say(arguments, tacho_op_math_fidelity);
}

static PyObject *parallelization_strategy(PyObject *module, PyObject *arguments)
{
    (void)module;
    return say(arguments, tacho_op_parallelization_strategy);
}

static PyObject *preferred_name(PyObject *module, PyObject *arguments)
{
    (void)module;
    return say(arguments, tacho_op_preferred_name);
}

static PyObject *meta_data(PyObject *module, PyObject *arguments)
{
    (void)module;
    return say(arguments, tacho_op_meta_data);
}

static PyObject *detail(PyObject *module, PyObject *arguments)
{
    const char *text;
    int which;

    (void)module;
    if (!PyArg_ParseTuple(arguments, "is", &which, &text))
        return NULL;
    if (which < 0 || which >= TACHO_OP_DETAILS) {
        PyErr_SetString(PyExc_ValueError, "there is no such detail");
        return NULL;
    }
    tacho_op_detail((enum tacho_op_detail_kind)which, text);
    Py_RETURN_NONE;
}

/* ---- calls ---- */

static PyObject *call_begin(PyObject *module, PyObject *arguments)
{
    (void)module;
    return say(arguments, tacho_op_call_begin);
}

static PyObject *call_end(PyObject *module, PyObject *arguments)
{
    (void)module;
    return say(arguments, tacho_op_call_end);
}

/* ---- where it is logged ---- */

static PyObject *path_of(const char *text)
{
    return PyUnicode_DecodeFSDefault(text);
}

static PyObject *location(PyObject *module, PyObject *arguments)
{
    PyObject *folder;
    int failed;

    (void)module;
    if (!PyArg_ParseTuple(arguments, "O&", PyUnicode_FSConverter, &folder))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    failed = tacho_op_location(PyBytes_AS_STRING(folder));
    Py_END_ALLOW_THREADS
    Py_DECREF(folder);
    return PyBool_FromLong(!failed);
}

static PyObject *folder_of_logs(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return path_of(tacho_op_folder());
}

static PyObject *call_folder(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return path_of(tacho_op_call_folder());
}

static PyObject *errors(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return PyLong_FromUnsignedLongLong(tacho_op_errors());
}

static PyObject *error(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return path_of(tacho_op_error());
}

static PyMethodDef functions[] = {
    { "start", start, METH_VARARGS, "start(name, type): an op begins" },
    { "stop", stop, METH_VARARGS, "stop(name): the innermost op of that name ends" },
    { "input", input, METH_VARARGS, "input(shape, layout, datatype, device, buffer, memory_layout, storage)" },
    { "output", output, METH_VARARGS, "the same" },
    { "math_fidelity", math_fidelity, METH_VARARGS, "math_fidelity(text)" },
    { "parallelization_strategy", parallelization_strategy, METH_VARARGS, "parallelization_strategy(text)" },
    { "preferred_name", preferred_name, METH_VARARGS, "preferred_name(text)" },
    { "meta_data", meta_data, METH_VARARGS, "meta_data(text): one more item" },
    { "detail", detail, METH_VARARGS, "detail(which, text)" },
    { "call_begin", call_begin, METH_VARARGS, "call_begin(function)" },
    { "call_end", call_end, METH_VARARGS, "call_end(function)" },
    { "location", location, METH_VARARGS, "location(folder): whether it can be used" },
    { "folder", folder_of_logs, METH_NOARGS, "the folder of logs; empty: none" },
    { "call_folder", call_folder, METH_NOARGS, "where logs of the device for this call belong; empty: there is none" },
    { "errors", errors, METH_NOARGS, "how often something could not be logged" },
    { "error", error, METH_NOARGS, "the last of them; empty: none" },
    { 0 },
};

static struct PyModuleDef definition = { PyModuleDef_HEAD_INIT, .m_name = "tacho._ops", .m_size = -1,
                                         .m_methods = functions };

PyMODINIT_FUNC PyInit__ops(void)
{
    return PyModule_Create(&definition);
}
