/* monitoring.c: the interpreter tells calls by sys.monitoring, from Python 3.12 on.
 *
 * Events come from all threads; those of threads that are not recorded are passed over. They tell the code and not the frame: the last call
 * of that code is the one that ends. A generator or a coroutine is a call each time that it goes on, until it yields.
 */
#include "record.h"

#if PY_VERSION_HEX >= 0x030c0000

#include <stdio.h>

static long tool = -1; /* the number by which sys.monitoring knows us; -1: none yet */
static bool told;      /* events are */

static void fall_silent(void);

bool hooks_heard(const struct calls *calls)
{
    return settings.mode == RECORD_WHOLE || part_records(calls);
}

/* Of this thread; NULL: it is not recorded. */
static struct calls *calls_wanted(void)
{
    struct calls *calls = calls_here();

    if (!hooks_heard(calls)) {
        fall_silent();
        return NULL;
    }
    if (calls->naming < NAMED)
        name_thread(calls);
    return calls;
}

static PyObject *on_start(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    struct calls *calls = calls_wanted();

    (void)module;
    if (calls && count && PyCode_Check(arguments[0]))
        call_begin(calls, arguments[0], site_of_code((PyCodeObject *)arguments[0]));
    Py_RETURN_NONE;
}

static PyObject *on_return(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    struct calls *calls = calls_wanted();

    (void)module;
    if (calls && count)
        call_end(calls, arguments[0], NULL);
    Py_RETURN_NONE;
}

/* Code, offset, exception. */
static PyObject *on_unwind(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    struct calls *calls = calls_wanted();
    char raised[160];

    (void)module;
    if (calls && count == 3 && PyCode_Check(arguments[0])) {
        int offset = (int)PyLong_AsLong(arguments[1]);

        snprintf(raised, sizeof raised, "%.100s, line %d", Py_TYPE(arguments[2])->tp_name,
                 PyCode_Addr2Line((PyCodeObject *)arguments[0], offset));
        call_end(calls, arguments[0], raised);
    }
    Py_RETURN_NONE;
}

static bool is_builtin(PyObject *callable)
{
    return PyCFunction_Check(callable) || Py_IS_TYPE(callable, &PyMethodDescr_Type);
}

/* Code, offset, what is called, its first argument. Python's functions begin by an event of their own. */
static PyObject *on_builtin(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    struct calls *calls;

    (void)module;
    if (count > 2 && is_builtin(arguments[2]) && (calls = calls_wanted()))
        call_begin(calls, arguments[2], calls_include_callees(calls) ? site_of_builtin(arguments[2]) : SITE_NONE);
    Py_RETURN_NONE;
}

static PyObject *on_builtin_return(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    struct calls *calls;

    (void)module;
    if (count > 2 && is_builtin(arguments[2]) && (calls = calls_wanted()))
        call_end(calls, arguments[2], NULL);
    Py_RETURN_NONE;
}

static PyObject *on_builtin_raise(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    struct calls *calls;

    (void)module;
    if (count > 2 && is_builtin(arguments[2]) && (calls = calls_wanted()))
        call_end(calls, arguments[2], "an exception");
    Py_RETURN_NONE;
}

/* Code, line. */
static PyObject *on_line(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    struct calls *calls = calls_wanted();

    (void)module;
    if (calls && count == 2 && PyCode_Check(arguments[0]))
        call_line(calls, arguments[0], site_of_line((PyCodeObject *)arguments[0], (int)PyLong_AsLong(arguments[1])));
    Py_RETURN_NONE;
}

#define CALLBACK(name)                                                  \
    {                                                                   \
#name, (PyCFunction)(void (*)(void))(name), METH_FASTCALL, NULL \
    }
static PyMethodDef start = CALLBACK(on_start), returned = CALLBACK(on_return), unwind = CALLBACK(on_unwind),
                   builtin = CALLBACK(on_builtin), builtin_return = CALLBACK(on_builtin_return),
                   builtin_raise = CALLBACK(on_builtin_raise), line = CALLBACK(on_line);

enum wanted { ALWAYS, C_CALLS, LINES };

static const struct {
    const char *event;       /* as sys.monitoring.events has it */
    PyMethodDef *definition; /* of who hears of it */
    enum wanted wanted;      /* where it is asked for */
} events[] = {
    { "PY_START", &start, ALWAYS },         { "PY_RESUME", &start, ALWAYS },
    { "PY_THROW", &start, ALWAYS },         { "PY_RETURN", &returned, ALWAYS },
    { "PY_YIELD", &returned, ALWAYS },      { "PY_UNWIND", &unwind, ALWAYS },
    { "CALL", &builtin, C_CALLS },          { "C_RETURN", &builtin_return, C_CALLS },
    { "C_RAISE", &builtin_raise, C_CALLS }, { "LINE", &line, LINES },
};

/* A number that no debugger, coverage or profiler uses. */
static int take_tool(PyObject *monitoring)
{
    static const int candidates[] = { 4, 3, 2 };

    for (size_t i = 0; i < sizeof candidates / sizeof *candidates && tool < 0; i++) {
        PyObject *done = PyObject_CallMethod(monitoring, "use_tool_id", "is", candidates[i], "tacho");

        if (done)
            tool = candidates[i];
        else if (!PyErr_ExceptionMatches(PyExc_ValueError))
            return -1;
        PyErr_Clear();
        Py_XDECREF(done);
    }
    if (tool < 0)
        PyErr_SetString(PyExc_RuntimeError, "tacho: other tools have taken all places of sys.monitoring");
    return tool < 0 ? -1 : 0;
}

static int register_event(PyObject *monitoring, const char *number_name, PyMethodDef *definition, long *mask)
{
    PyObject *names = PyObject_GetAttrString(monitoring, "events");
    PyObject *number = names ? PyObject_GetAttrString(names, number_name) : NULL;
    PyObject *callback = number ? PyCFunction_New(definition, NULL) : NULL;
    PyObject *before =
        callback ? PyObject_CallMethod(monitoring, "register_callback", "lOO", tool, number, callback) : NULL;

    if (before)
        *mask |= PyLong_AsLong(number);
    Py_XDECREF(names);
    Py_XDECREF(number);
    Py_XDECREF(callback);
    Py_XDECREF(before);
    return before ? 0 : -1;
}

/* Events are told from now on, or not. */
static int set_events(bool on)
{
    PyObject *monitoring = PySys_GetObject("monitoring"), *done;
    long mask = 0;

    if (!monitoring) {
        PyErr_SetString(PyExc_RuntimeError, "tacho: there is no sys.monitoring");
        return -1;
    }
    if (tool < 0 && take_tool(monitoring) < 0)
        return -1;
    for (size_t i = 0; on && i < sizeof events / sizeof *events; i++) {
        if ((events[i].wanted == C_CALLS && !settings.c_calls) || (events[i].wanted == LINES && !settings.lines))
            continue;
        if (register_event(monitoring, events[i].event, events[i].definition, &mask) < 0)
            return -1;
    }
    done = PyObject_CallMethod(monitoring, "set_events", "ll", tool, mask);
    Py_XDECREF(done);
    told = done ? on : told;
    return done ? 0 : -1;
}

/* Where the part is over and everybody knows: each event costs something, also that of a thread that is not recorded. */
static void fall_silent(void)
{
    if (told && !part_goes_on() && !part_lingers() && set_events(false) < 0)
        PyErr_Clear();
}

void hooks_entered(PyFrameObject *frame)
{
    PyCodeObject *code = PyFrame_GetCode(frame);

    call_begin(calls_here(), code, site_of_code(code));
    Py_DECREF(code);
}

int hooks_attach(struct calls *calls)
{
    if (!told && set_events(true) < 0)
        return -1;
    part_attach(calls);
    return 0;
}

void hooks_join(struct calls *calls)
{
    part_join(calls);
}

void hooks_detach(struct calls *calls)
{
    part_detach(calls);
    fall_silent();
    if (!told || !hooks_heard(calls))
        calls_cut(calls);
}

#endif
