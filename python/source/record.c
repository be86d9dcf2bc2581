/* record.c: the module tacho._record: a recording starts and stops, what is asked of it. */
#include "record.h"

#include <string.h>

struct record_settings settings = { .max_depth = SIZE_MAX, .c_calls = true };

/* ---- The recording ------------------------------------------------------------------------------------------------- */

/* The file, and the folder that children of fork record to. */
static PyObject *start(PyObject *module, PyObject *arguments)
{
    PyObject *path, *children;
    struct tacho_record_options options = { 0 };
    int result;

    (void)module;
    if (!PyArg_ParseTuple(arguments, "O&O&", PyUnicode_FSConverter, &path, PyUnicode_FSConverter, &children))
        return NULL;
    options.path = PyBytes_AS_STRING(path);
    options.children = PyBytes_AS_STRING(children);
    result = tacho_record_start(&options);
    Py_DECREF(path);
    Py_DECREF(children);
    if (result) {
        PyErr_SetString(PyExc_OSError, tacho_record_error());
        return NULL;
    }
    calls_forget();
    Py_RETURN_NONE;
}

static PyObject *stop(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    calls_end_inner(calls_here(), 0);
    Py_BEGIN_ALLOW_THREADS;
    tacho_record_stop();
    Py_END_ALLOW_THREADS;
    Py_RETURN_NONE;
}

static PyObject *recording(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return PyBool_FromLong(tacho_recording());
}

static PyObject *path(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return PyUnicode_DecodeFSDefault(tacho_record_path());
}

/* In a child of fork: what its parent has open is the parent's. */
static PyObject *forked(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    calls_forget();
    part_forked(calls_here());
    if (tacho_recording())
        name_thread(calls_here());
    Py_RETURN_NONE;
}

static PyObject *name_process(PyObject *module, PyObject *name)
{
    const char *text = PyUnicode_AsUTF8(name);

    (void)module;
    if (!text)
        return NULL;
    tacho_process_name(text);
    Py_RETURN_NONE;
}

/* ---- Threads ------------------------------------------------------------------------------------------------------- */

/* What the module threading knows by the number of this thread; a new reference, NULL: nothing. */
static PyObject *thread_of_python(void)
{
    PyObject *name = PyUnicode_FromString("threading");
    PyObject *module = name ? PyImport_GetModule(name) : NULL;
    PyObject *active = module ? PyObject_GetAttrString(module, "_active") : NULL;
    PyObject *number = active ? PyLong_FromUnsignedLong(PyThread_get_thread_ident()) : NULL;
    PyObject *thread = number ? PyObject_GetItem(active, number) : NULL;

    Py_XDECREF(name);
    Py_XDECREF(module);
    Py_XDECREF(active);
    Py_XDECREF(number);
    PyErr_Clear();
    return thread;
}

void name_thread(struct calls *calls)
{
    PyObject *thread = thread_of_python();
    PyObject *name = thread ? PyObject_GetAttrString(thread, "name") : NULL;
    const char *text = name && PyUnicode_Check(name) ? PyUnicode_AsUTF8(name) : NULL;

    calls->naming++;
    if (text) {
        tacho_thread_name(text);
        calls->naming = NAMED;
    }
    Py_XDECREF(thread);
    Py_XDECREF(name);
    PyErr_Clear();
}

static PyObject *attach(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    if (tacho_recording())
        clock_start();
    if (hooks_attach(calls_here()) < 0)
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *detach(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    hooks_detach(calls_here());
    Py_RETURN_NONE;
}

/* The profile function of a thread that the program started: frame, event, argument. It stays in place for this one event, and makes room
 * for the hooks where the thread is to be recorded: all are, or the program is in a part that is. */
static PyObject *adopt(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    bool whole = settings.mode == RECORD_WHOLE, wanted = tacho_recording() && (whole || part_goes_on());

    (void)module;
    PyEval_SetProfile(NULL, NULL);
    if (!wanted)
        Py_RETURN_NONE;
    if (!whole)
        hooks_join(calls_here());
    else if (hooks_attach(calls_here()) < 0)
        return NULL;
    if (hooks_heard(calls_here()) && count == 3 && PyFrame_Check(arguments[0]) && PyUnicode_Check(arguments[1]) &&
        PyUnicode_CompareWithASCIIString(arguments[1], "call") == 0)
        hooks_entered((PyFrameObject *)arguments[0]);
    Py_RETURN_NONE;
}

/* Runs a program: its code in the namespace of its main module. */
static PyObject *execute(PyObject *module, PyObject *arguments)
{
    PyObject *code, *namespace, *result, *raised[3];
    struct calls *calls = calls_here();

    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O!", &PyCode_Type, &code, &PyDict_Type, &namespace))
        return NULL;
    if (settings.mode == RECORD_WHOLE && hooks_attach(calls) < 0)
        return NULL;
    result = PyEval_EvalCode(code, namespace, namespace);
    PyErr_Fetch(&raised[0], &raised[1], &raised[2]);
    if (settings.mode == RECORD_WHOLE)
        hooks_detach(calls_here());
    PyErr_Restore(raised[0], raised[1], raised[2]);
    return result;
}

/* ---- What it costs ------------------------------------------------------------------------------------------------- */

/* A function with what functions have: arguments, a branch, some sums. It is called 41 times, and once around that. */
static const char typical[] = "(lambda f: lambda: f(f, 7))(lambda f, n: n if n < 2 else f(f, n - 1) + f(f, n - 2))";
enum { ROUNDS = 16, CALLS = 42 }; /* the fastest round counts */

/* Ticks of a round; 0: it failed. */
static uint64_t time_calls(PyObject *function)
{
    uint64_t start = tacho_recorder_time();
    PyObject *result = PyObject_CallNoArgs(function);
    uint64_t ticks = tacho_recorder_time() - start;

    Py_XDECREF(result);
    return result ? ticks : 0;
}

/* Rounds with and without hooks. What they record is taken back: slots of this thread that are zeros again. */
static int measure(PyObject *function, struct calls *calls, uint64_t *without, uint64_t *with)
{
    uintptr_t first = tacho_recorder_thread.next;

    *without = *with = UINT64_MAX;
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t plain = time_calls(function), hooked;

        if (hooks_attach(calls) < 0)
            return -1;
        hooked = time_calls(function);
        hooks_detach(calls);
        if (!plain || !hooked)
            return -1;
        *without = plain < *without ? plain : *without;
        *with = hooked < *with ? hooked : *with;
        memset((void *)first, 0, tacho_recorder_thread.next - first);
        tacho_recorder_thread.next = first;
    }
    return 0;
}

/* The recording tells what a call costs here: at its start, when this thread has hardly recorded. */
static PyObject *calibrate(PyObject *module, PyObject *unused)
{
    struct calls *calls = calls_here();
    uint64_t *slot = tacho_recording() ? tacho_recorder_slots(tacho_recorder.session, 16) : NULL;
    uint64_t without = 0, with = 0;
    PyObject *function;
    int result;

    (void)module;
    (void)unused;
    if (!slot || ((uintptr_t)(slot + 8 * CALLS) & (TACHO_RECORDER_CHUNK - 1)) > TACHO_RECORDER_END / 2)
        Py_RETURN_NONE;
    tacho_recorder_thread.next = (uintptr_t)slot;
    function = PyRun_String(typical, Py_eval_input, PyModule_GetDict(module), PyModule_GetDict(module));
    result = function ? measure(function, calls, &without, &with) : -1;
    Py_XDECREF(function);
    if (result < 0)
        return NULL;
    if (with > without)
        tacho_record_cost(with - without, CALLS);
    Py_RETURN_NONE;
}

/* ---- Settings ------------------------------------------------------------------------------------------------------ */

/* None, or a tuple of bytes. */
static int keep_patterns(PyObject *given, PyObject **kept)
{
    if (given != Py_None && !PyTuple_Check(given)) {
        PyErr_SetString(PyExc_TypeError, "patterns are a tuple");
        return -1;
    }
    for (Py_ssize_t i = 0; given != Py_None && i < PyTuple_GET_SIZE(given); i++) {
        if (!PyBytes_Check(PyTuple_GET_ITEM(given, i))) {
            PyErr_SetString(PyExc_TypeError, "patterns are bytes");
            return -1;
        }
    }
    Py_XSETREF(*kept, given == Py_None || !PyTuple_GET_SIZE(given) ? NULL : Py_NewRef(given));
    return 0;
}

static PyObject *configure(PyObject *module, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = { "mode",         "lines",     "c_calls",    "include", "exclude",
                             "min_duration", "max_depth", "own_folder", NULL };
    int mode = (int)settings.mode, lines = settings.lines, c_calls = settings.c_calls;
    unsigned long long min_duration = 0, max_depth = 0;
    PyObject *include = Py_None, *exclude = Py_None, *own_folder = Py_None;

    (void)module;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|$ippOOKKO", names, &mode, &lines, &c_calls, &include,
                                     &exclude, &min_duration, &max_depth, &own_folder))
        return NULL;
    if (keep_patterns(include, &settings.include) < 0 || keep_patterns(exclude, &settings.exclude) < 0)
        return NULL;
    settings.mode = (enum record_mode)mode;
    settings.lines = lines;
    settings.c_calls = c_calls;
    if (tacho_recording())
        clock_start();
    settings.min_duration = clock_ticks(min_duration);
    settings.max_depth = max_depth ? max_depth : SIZE_MAX;
    if (PyUnicode_Check(own_folder))
        Py_XSETREF(settings.own_folder, Py_NewRef(own_folder));
    Py_RETURN_NONE;
}

/* ---- The module ---------------------------------------------------------------------------------------------------- */

#define FUNCTION(function) ((PyCFunction)(void (*)(void))(function))

static PyMethodDef methods[] = {
    { "start", start, METH_VARARGS,
      "start(path, children): records to that file; children of fork do to that folder." },
    { "stop", stop, METH_NOARGS, "The recording ends, and its file is complete." },
    { "recording", recording, METH_NOARGS, "Whether something is being recorded." },
    { "path", path, METH_NOARGS, "Of the file; '' where nothing is being recorded." },
    { "forked", forked, METH_NOARGS, "In a child of fork." },
    { "name_process", name_process, METH_O, "The name that the recording has for this process." },
    { "attach", attach, METH_NOARGS, "Calls of this thread are recorded." },
    { "detach", detach, METH_NOARGS, "They are not any more." },
    { "adopt", FUNCTION(adopt), METH_FASTCALL, "For threading.setprofile: a thread begins." },
    { "execute", execute, METH_VARARGS, "execute(code, namespace): runs a program." },
    { "configure", FUNCTION(configure), METH_VARARGS | METH_KEYWORDS, "What is recorded." },
    { "calibrate", calibrate, METH_NOARGS, "The recording is told what a call costs." },
    { "run", FUNCTION(zone_run), METH_VARARGS | METH_KEYWORDS,
      "run(name='run', **arguments): a zone that is one run of the model; tables are about runs." },
    { "step", FUNCTION(zone_step), METH_FASTCALL, "step(name='step'): a run ends here, and the next begins." },
    { "message", zone_message, METH_O, "message(text): something happens at this moment." },
    { 0 },
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "tacho._record", .m_doc = "What the package tacho records with: use that.",
    .m_size = -1,          .m_methods = methods,
};

PyMODINIT_FUNC PyInit__record(void)
{
    PyObject *module = PyModule_Create(&definition);

    if (module &&
        (sites_start() < 0 || zones_add(module) < 0 || PyModule_AddIntConstant(module, "MARKS", RECORD_MARKS) < 0 ||
         PyModule_AddIntConstant(module, "PARTIAL", RECORD_PARTIAL) < 0 ||
         PyModule_AddIntConstant(module, "WHOLE", RECORD_WHOLE) < 0))
        Py_CLEAR(module);
    return module;
}
