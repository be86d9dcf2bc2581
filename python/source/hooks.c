/* hooks.c: the interpreter tells calls by the hooks of each thread: profile and trace functions, up to Python 3.11.
 *
 * A generator or a coroutine is a call each time that it goes on, until it yields: its frame is the owner of each of them.
 */
#include "record.h"

#if PY_VERSION_HEX < 0x030c0000

#include <stdio.h>

static void begin_frame(struct calls *calls, PyFrameObject *frame)
{
    PyCodeObject *code = PyFrame_GetCode(frame);

    call_begin(calls, frame, site_of_code(code));
    Py_DECREF(code);
}

/* A frame that returns nothing, not even None, is left by an exception. Which one, the interpreter does not tell here. */
static void end_frame(struct calls *calls, PyFrameObject *frame, const PyObject *result)
{
    char raised[32];

    if (result) {
        call_end(calls, frame, NULL);
        return;
    }
    snprintf(raised, sizeof raised, "line %d", PyFrame_GetLineNumber(frame));
    call_end(calls, frame, raised);
}

static int on_call(PyObject *unused, PyFrameObject *frame, int what, PyObject *argument)
{
    struct calls *calls = calls_here();

    (void)unused;
    if (!hooks_heard(calls)) { /* the part of the program that this thread joined is over */
        PyEval_SetProfile(NULL, NULL);
        return 0;
    }
    switch (what) {
    case PyTrace_CALL:
        begin_frame(calls, frame);
        break;
    case PyTrace_RETURN:
        end_frame(calls, frame, argument);
        break;
    case PyTrace_C_CALL:
        if (settings.c_calls && PyCFunction_Check(argument))
            call_begin(calls, argument, calls_include_callees(calls) ? site_of_builtin(argument) : SITE_NONE);
        break;
    case PyTrace_C_RETURN:
        if (settings.c_calls)
            call_end(calls, argument, NULL);
        break;
    case PyTrace_C_EXCEPTION:
        if (settings.c_calls)
            call_end(calls, argument, "an exception");
        break;
    }
    return 0;
}

static int on_line(PyObject *unused, PyFrameObject *frame, int what, PyObject *argument)
{
    struct calls *calls = calls_here();

    (void)unused;
    (void)argument;
    if (!hooks_heard(calls)) {
        PyEval_SetTrace(NULL, NULL);
    } else if (what == PyTrace_LINE) {
        PyCodeObject *code = PyFrame_GetCode(frame);

        call_line(calls, frame, site_of_line(code, PyFrame_GetLineNumber(frame)));
        Py_DECREF(code);
    }
    return 0;
}

static void hear_thread(struct calls *calls)
{
    name_thread(calls);
    PyEval_SetProfile(on_call, NULL);
    if (settings.lines)
        PyEval_SetTrace(on_line, NULL);
}

bool hooks_heard(const struct calls *calls)
{
    return part_records(calls);
}

void hooks_entered(PyFrameObject *frame)
{
    begin_frame(calls_here(), frame);
}

int hooks_attach(struct calls *calls)
{
    bool heard = hooks_heard(calls);

    part_attach(calls);
    if (!heard)
        hear_thread(calls);
    return 0;
}

void hooks_join(struct calls *calls)
{
    part_join(calls);
    hear_thread(calls);
}

void hooks_detach(struct calls *calls)
{
    if (!hooks_heard(calls))
        return;
    part_detach(calls);
    if (hooks_heard(calls))
        return;
    PyEval_SetProfile(NULL, NULL);
    if (settings.lines)
        PyEval_SetTrace(NULL, NULL);
    calls_cut(calls);
}

#endif
