/* zones.c: zones, runs and steps that a program marks.
 *
 *     with tacho.zone("load weights", bytes=size):
 *         ...
 *
 * A zone keeps nothing of its being entered but its site, so that one may be entered again inside itself, and on several threads. Where nothing is
 * recorded, entering it is one branch.
 */
#include "record.h"

#include <string.h>

struct zone {
    PyObject object;     /* what every object has */
    PyObject *name;      /* str */
    PyObject *arguments; /* dict; NULL: none */
    PyObject *function;  /* str: what it stands around; NULL: the function in which it is entered */
    PyObject *file;      /* str: of that; NULL: the same */
    int line;            /* the same */
    uint32_t flags;      /* of its site */
    uint32_t site;       /* SITE_NONE: not known yet */
};

/* ---- Arguments ----------------------------------------------------------------------------------------------------- */

static void tell_text(const char *key, PyObject *value)
{
    PyObject *text = PyObject_Str(value);
    PyObject *bytes = text ? PyUnicode_AsEncodedString(text, "utf-8", "backslashreplace") : NULL;

    if (bytes)
        tacho_text_of(key, PyBytes_AS_STRING(bytes), (size_t)PyBytes_GET_SIZE(bytes));
    Py_XDECREF(text);
    Py_XDECREF(bytes);
    PyErr_Clear();
}

static void tell_argument(const char *key, PyObject *value)
{
    if (PyFloat_Check(value)) {
        tacho_decimal_of(key, PyFloat_AS_DOUBLE(value));
    } else if (PyLong_Check(value) && !PyBool_Check(value)) {
        int overflow;
        long long number = PyLong_AsLongLongAndOverflow(value, &overflow);

        if (overflow)
            tell_text(key, value);
        else
            tacho_integer_of(key, number);
    } else {
        tell_text(key, value);
    }
}

static void tell_arguments(PyObject *arguments)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;

    while (PyDict_Next(arguments, &at, &key, &value)) {
        const char *name = PyUnicode_AsUTF8(key);

        if (name)
            tell_argument(name, value);
        else
            PyErr_Clear();
    }
}

/* ---- Entering ------------------------------------------------------------------------------------------------------ */

static uint32_t site_here(const struct zone *zone)
{
    PyFrameObject *frame = PyEval_GetFrame();
    PyCodeObject *code = frame ? PyFrame_GetCode(frame) : NULL;
    uint32_t site = SITE_NONE;

    if (code)
        site = site_of_place(zone->name, code->co_name, code->co_filename, PyFrame_GetLineNumber(frame), zone->flags);
    Py_XDECREF(code);
    return site;
}

static PyObject *enter(PyObject *self, PyObject *unused)
{
    struct zone *zone = (struct zone *)self;
    struct calls *calls;

    (void)unused;
    if (!tacho_recording())
        return Py_NewRef(self);
    calls = calls_here();
    if (calls->naming < NAMED)
        name_thread(calls);
    if (!zone->site)
        zone->site = zone->file ? site_of_place(zone->name, zone->function, zone->file, zone->line, zone->flags)
                                : site_here(zone);
    call_begin_zone(calls, zone, zone->site);
    if (zone->arguments && zone->site)
        tell_arguments(zone->arguments);
    if (settings.mode == RECORD_PARTIAL && hooks_attach(calls) < 0)
        return NULL;
    return Py_NewRef(self);
}

/* The name of what a zone is left by; NULL: it just ends. Generators end by an exception, too. */
static const char *name_raised(PyObject *kind)
{
    if (!PyExceptionClass_Check(kind) || PyErr_GivenExceptionMatches(kind, PyExc_StopIteration) ||
        PyErr_GivenExceptionMatches(kind, PyExc_GeneratorExit))
        return NULL;
    return PyExceptionClass_Name(kind);
}

/* It may have ended before: where tasks take turns, the zone of one ends inside of that of another. */
static PyObject *leave(PyObject *self, PyObject *const *arguments, Py_ssize_t count)
{
    struct calls *calls = tacho_recording() ? calls_here() : NULL;

    if (!calls)
        Py_RETURN_FALSE;
    if (settings.mode == RECORD_PARTIAL)
        hooks_detach(calls);
    if (call_is_open(calls, self))
        call_end(calls, self, count ? name_raised(arguments[0]) : NULL);
    if (!hooks_heard(calls))
        calls_cut(calls);
    Py_RETURN_FALSE;
}

/* ---- Making -------------------------------------------------------------------------------------------------------- */

/* The function with the zone around each of its calls. */
static PyObject *decorate(PyObject *zone, PyObject *function)
{
    PyObject *module = PyImport_ImportModule("tacho.zones");
    PyObject *made = module ? PyObject_CallMethod(module, "decorate", "OO", zone, function) : NULL;

    Py_XDECREF(module);
    return made;
}

/* A zone is about a function where it stands around one. */
static int place_at(struct zone *zone, PyObject *function)
{
    PyObject *code = PyObject_GetAttrString(function, "__code__");

    if (!code || !PyCode_Check(code)) { /* a class, or something that is called: its name is all that is known */
        PyErr_Clear();
        Py_XDECREF(code);
        return 0;
    }
    Py_XSETREF(zone->function, PyObject_GetAttrString(function, "__qualname__"));
    Py_XSETREF(zone->file, Py_NewRef(((PyCodeObject *)code)->co_filename));
    zone->line = ((PyCodeObject *)code)->co_firstlineno;
    Py_DECREF(code);
    return zone->function && PyUnicode_Check(zone->function) ? 0 : -1;
}

/* From zone("name", key=value); from zone(function), which gives the function. */
static PyObject *make_zone(PyTypeObject *type, PyObject *arguments, PyObject *keywords, uint32_t flags)
{
    PyObject *given = PyTuple_GET_ITEM(arguments, 0), *decorated;
    struct zone *zone = (struct zone *)type->tp_alloc(type, 0);

    if (!zone)
        return NULL;
    zone->flags = flags;
    zone->arguments = Py_XNewRef(keywords);
    if (PyUnicode_Check(given)) {
        zone->name = Py_NewRef(given);
        return (PyObject *)zone;
    }
    zone->name = PyCallable_Check(given) ? PyObject_GetAttrString(given, "__qualname__") : NULL;
    if (!zone->name || !PyUnicode_Check(zone->name)) {
        PyErr_SetString(PyExc_TypeError, "a zone wants a name, or a function to stand around");
        Py_DECREF(zone);
        return NULL;
    }
    decorated = place_at(zone, given) < 0 ? NULL : decorate((PyObject *)zone, given);
    Py_DECREF(zone);
    return decorated;
}

static PyObject *new_zone(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    if (PyTuple_GET_SIZE(arguments) != 1) {
        PyErr_SetString(PyExc_TypeError, "zone(name, **arguments): one name, or one function");
        return NULL;
    }
    return make_zone(type, arguments, keywords, 0);
}

PyObject *zone_run(PyObject *module, PyObject *arguments, PyObject *keywords)
{
    PyObject *named, *made;

    (void)module;
    if (PyTuple_GET_SIZE(arguments) > 1) {
        PyErr_SetString(PyExc_TypeError, "run(name='run', **arguments): one name, or one function");
        return NULL;
    }
    named = PyTuple_GET_SIZE(arguments) ? Py_NewRef(arguments) : Py_BuildValue("(s)", "run");
    made = named ? make_zone(&zone_type, named, keywords, TACHO_SITE_RUN) : NULL;
    Py_XDECREF(named);
    return made;
}

/* zone("name")(function) */
static PyObject *call_zone(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    struct zone *zone = (struct zone *)self;

    if (PyTuple_GET_SIZE(arguments) != 1 || (keywords && PyDict_GET_SIZE(keywords)) ||
        !PyCallable_Check(PyTuple_GET_ITEM(arguments, 0))) {
        PyErr_SetString(PyExc_TypeError, "a zone can be called with the function that it shall stand around");
        return NULL;
    }
    return place_at(zone, PyTuple_GET_ITEM(arguments, 0)) < 0 ? NULL : decorate(self, PyTuple_GET_ITEM(arguments, 0));
}

static void free_zone(PyObject *self)
{
    struct zone *zone = (struct zone *)self;

    PyObject_GC_UnTrack(self);
    Py_CLEAR(zone->name);
    Py_CLEAR(zone->arguments);
    Py_CLEAR(zone->function);
    Py_CLEAR(zone->file);
    Py_TYPE(self)->tp_free(self);
}

static int visit_zone(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(((struct zone *)self)->arguments);
    return 0;
}

static int clear_zone(PyObject *self)
{
    Py_CLEAR(((struct zone *)self)->arguments);
    return 0;
}

static PyObject *show_zone(PyObject *self)
{
    return PyUnicode_FromFormat("<tacho.zone %R>", ((struct zone *)self)->name);
}

static PyMethodDef zone_methods[] = {
    { "__enter__", enter, METH_NOARGS, "The zone begins." },
    { "__exit__", (PyCFunction)(void (*)(void))leave, METH_FASTCALL, "The zone ends." },
    { 0 },
};

PyTypeObject zone_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "tacho.zone",
    .tp_doc = "zone(name, **arguments): a part of the program that the recording shall show.\n\n"
              "    with zone(\"load weights\", bytes=size): ...\n"
              "    @zone\n"
              "    @zone(\"load weights\")",
    .tp_basicsize = sizeof(struct zone),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_new = new_zone,
    .tp_call = call_zone,
    .tp_dealloc = free_zone,
    .tp_traverse = visit_zone,
    .tp_clear = clear_zone,
    .tp_repr = show_zone,
    .tp_methods = zone_methods,
};

/* ---- What is not a zone -------------------------------------------------------------------------------------------- */

/* A run ends here, and the next begins. */
PyObject *zone_step(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    PyObject *name, *none;
    struct tacho_site site = { .flags = TACHO_SITE_RUN };

    (void)module;
    if (count > 1 || (count && !PyUnicode_Check(arguments[0]))) {
        PyErr_SetString(PyExc_TypeError, "step(name='step'): one name");
        return NULL;
    }
    if (!tacho_recording())
        Py_RETURN_NONE;
    name = count ? Py_NewRef(arguments[0]) : PyUnicode_FromString("step");
    none = PyUnicode_FromString("");
    if (name && none && (site.id = site_of_place(name, none, none, 0, TACHO_SITE_RUN)))
        tacho_frame(&site);
    Py_XDECREF(name);
    Py_XDECREF(none);
    if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

PyObject *zone_message(PyObject *module, PyObject *text)
{
    PyObject *bytes;

    (void)module;
    if (!tacho_recording())
        Py_RETURN_NONE;
    bytes = PyUnicode_AsEncodedString(text, "utf-8", "backslashreplace");
    if (!bytes)
        return NULL;
    tacho_message(PyBytes_AS_STRING(bytes), (size_t)PyBytes_GET_SIZE(bytes));
    Py_DECREF(bytes);
    Py_RETURN_NONE;
}

int zones_add(PyObject *module)
{
    if (PyType_Ready(&zone_type) < 0)
        return -1;
    return PyModule_AddObjectRef(module, "zone", (PyObject *)&zone_type);
}
