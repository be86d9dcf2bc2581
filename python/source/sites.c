/* sites.c: the number that a function, a line or a zone has in the recording.
 *
 * The recorder copies the texts of a site and gives it a number for the life of the process. Only that number is kept here: in the code object
 * itself, so that a call needs no look-up, and in a table for functions that are written in C. Code that is compiled again gets the number
 * that its name and place have already.
 */
#include "record.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#if PY_VERSION_HEX >= 0x030c0000
#define CODE_INDEX PyUnstable_Eval_RequestCodeExtraIndex
#define CODE_GET PyUnstable_Code_GetExtra
#define CODE_SET PyUnstable_Code_SetExtra
#else
#define CODE_INDEX _PyEval_RequestCodeExtraIndex
#define CODE_GET _PyCode_GetExtra
#define CODE_SET _PyCode_SetExtra
#endif

/* The numbers of a code's lines. */
struct code_lines {
    int count;          /* of numbers: lines from the code's first on */
    uint32_t numbers[]; /* + 1; 0: not asked for yet */
};

/* A function that is written in C is known by its definition, and a constructor, whose definition all types share, by its type besides. */
struct builtin {
    const PyMethodDef *definition; /* NULL: the entry is free */
    const PyTypeObject *type;      /* NULL: does not matter */
    const char *name;              /* of the definition: modules come and go, and another may be at that address now */
    PyCFunction function;          /* the same */
    uint32_t site;                 /* its number */
};

enum { MOST_PLACES = 100000 }; /* that are told apart: names that a program makes while it runs never end */

static struct tacho_site others = { .name = "(others)", .function = "", .file = "" };
static Py_ssize_t code_index = -1;             /* where a code object has its number + 1 */
static Py_ssize_t lines_index = -1;            /* where it has its struct code_lines */
static PyObject *places;                       /* dict: (name, function, file, line, flags) to number */
static struct builtin *builtins;               /* a table, open addressing; owned */
static size_t builtin_count, builtin_capacity; /* of it; the capacity is a power of two */

int sites_start(void)
{
    code_index = CODE_INDEX(NULL);
    lines_index = CODE_INDEX(free);
    places = PyDict_New();
    if (code_index < 0 || lines_index < 0) {
        PyErr_SetString(PyExc_RuntimeError, "tacho: code objects have no room for one number more");
        return -1;
    }
    return places ? 0 : -1;
}

/* ---- What is recorded ---------------------------------------------------------------------------------------------- */

static bool matches(PyObject *patterns, const char *text)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(patterns); i++)
        if (fnmatch(PyBytes_AS_STRING(PyTuple_GET_ITEM(patterns, i)), text, 0) == 0)
            return true;
    return false;
}

/* A pattern is about the path of a file, its name, or a function. */
static bool matches_any(PyObject *patterns, const char *file, const char *function)
{
    const char *name = strrchr(file, '/');

    return matches(patterns, function) ||
           (*file && (matches(patterns, file) || matches(patterns, name ? name + 1 : file)));
}

static bool is_wanted(const char *file, const char *function)
{
    if (settings.include && *file && !matches_any(settings.include, file, function))
        return false;
    return !settings.exclude || !matches_any(settings.exclude, file, function);
}

/* ---- Places -------------------------------------------------------------------------------------------------------- */

/* As UTF-8, also where the text could not be decoded; owned by `*keeper`, which is released by the caller. "": it has none. */
static const char *utf8_of(PyObject *text, PyObject **keeper)
{
    *keeper = PyUnicode_AsEncodedString(text, "utf-8", "backslashreplace");
    if (*keeper)
        return PyBytes_AS_STRING(*keeper);
    PyErr_Clear();
    return "";
}

static uint32_t make_site(PyObject *name, PyObject *function, PyObject *file, int line, uint32_t flags)
{
    PyObject *texts[3];
    struct tacho_site site = { .name = utf8_of(name, &texts[0]),
                               .function = utf8_of(function, &texts[1]),
                               .file = utf8_of(file, &texts[2]),
                               .line = line > 0 ? (uint32_t)line : 0,
                               .flags = flags };
    uint32_t number = tacho_recorder_site(&site);

    for (int i = 0; i < 3; i++)
        Py_XDECREF(texts[i]);
    return number;
}

uint32_t site_of_place(PyObject *name, PyObject *function, PyObject *file, int line, uint32_t flags)
{
    PyObject *key = Py_BuildValue("(OOOiI)", name, function, file, line, flags);
    PyObject *known = key ? PyDict_GetItemWithError(places, key) : NULL;
    uint32_t number = known ? (uint32_t)PyLong_AsUnsignedLong(known) : SITE_NONE;

    if (key && !known && PyDict_GET_SIZE(places) >= MOST_PLACES)
        number = others.id ? others.id : tacho_recorder_site(&others);
    else if (key && !known && !PyErr_Occurred() && (number = make_site(name, function, file, line, flags))) {
        known = PyLong_FromUnsignedLong(number);
        if (known)
            (void)PyDict_SetItem(places, key, known);
        Py_XDECREF(known);
    }
    Py_XDECREF(key);
    PyErr_Clear();
    return number;
}

/* ---- Code ---------------------------------------------------------------------------------------------------------- */

static PyObject *qualified_name(PyCodeObject *code)
{
#if PY_VERSION_HEX >= 0x030b0000
    return code->co_qualname;
#else
    return code->co_name;
#endif
}

/* All modules are called "<module>": they get the name of their file besides. */
static PyObject *name_code(PyCodeObject *code)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(code->co_filename);
    Py_ssize_t slash = PyUnicode_FindChar(code->co_filename, '/', 0, length, -1);
    PyObject *name, *file;

    if (PyUnicode_CompareWithASCIIString(qualified_name(code), "<module>") != 0)
        return Py_NewRef(qualified_name(code));
    file = PyUnicode_Substring(code->co_filename, slash < 0 ? 0 : slash + 1, length);
    name = file ? PyUnicode_FromFormat("<module> %U", file) : NULL;
    Py_XDECREF(file);
    return name;
}

static bool is_code_wanted(PyCodeObject *code)
{
    PyObject *texts[2];
    const char *file = utf8_of(code->co_filename, &texts[0]);
    const char *function = utf8_of(qualified_name(code), &texts[1]);
    bool own =
        settings.own_folder && PyUnicode_Tailmatch(code->co_filename, settings.own_folder, 0, PY_SSIZE_T_MAX, -1);
    bool wanted = !own && is_wanted(file, function);

    Py_XDECREF(texts[0]);
    Py_XDECREF(texts[1]);
    return wanted;
}

static uint32_t make_code_site(PyCodeObject *code)
{
    uint32_t number = SITE_NONE;
    PyObject *name;

    if (is_code_wanted(code)) {
        name = name_code(code);
        if (name)
            number = site_of_place(name, qualified_name(code), code->co_filename, code->co_firstlineno, 0);
        Py_XDECREF(name);
        if (!number) {
            PyErr_Clear();
            return SITE_NONE; /* there was no room for it in the recording: perhaps next time */
        }
    }
    if (CODE_SET((PyObject *)code, code_index, (void *)((uintptr_t)number + 1)) < 0)
        PyErr_Clear();
    return number;
}

uint32_t site_of_code(PyCodeObject *code)
{
    void *known = NULL;

    (void)CODE_GET((PyObject *)code, code_index, &known);
    return known ? (uint32_t)((uintptr_t)known - 1) : make_code_site(code);
}

/* ---- Lines --------------------------------------------------------------------------------------------------------- */

/* What the line says; "line 12" where its source is not there. */
static PyObject *text_of_line(PyObject *file, int line)
{
    PyObject *module = PyImport_ImportModule("linecache");
    PyObject *text = module ? PyObject_CallMethod(module, "getline", "Oi", file, line) : NULL;
    PyObject *stripped = text ? PyObject_CallMethod(text, "strip", NULL) : NULL;

    Py_XDECREF(module);
    Py_XDECREF(text);
    if (stripped && PyUnicode_Check(stripped) && PyUnicode_GET_LENGTH(stripped))
        return stripped;
    Py_XDECREF(stripped);
    PyErr_Clear();
    return PyUnicode_FromFormat("line %d", line);
}

static uint32_t make_line_site(PyCodeObject *code, int line)
{
    PyObject *name = site_of_code(code) ? text_of_line(code->co_filename, line) : NULL;
    uint32_t number = name ? site_of_place(name, qualified_name(code), code->co_filename, line, 0) : SITE_NONE;

    Py_XDECREF(name);
    PyErr_Clear();
    return number;
}

/* Room for the number of the code's line `at`; NULL: no memory. */
static uint32_t *reach_line(PyCodeObject *code, struct code_lines *lines, int at)
{
    int count = lines ? lines->count : 0;
    struct code_lines *grown;

    if (at < count)
        return &lines->numbers[at];
    grown = calloc(1, sizeof *grown + ((size_t)at + 16) * sizeof *grown->numbers);
    if (!grown)
        return NULL;
    if (count)
        memcpy(grown->numbers, lines->numbers, (size_t)count * sizeof *grown->numbers);
    grown->count = at + 16;
    if (CODE_SET((PyObject *)code, lines_index, grown) < 0) { /* the old one is freed by this */
        PyErr_Clear();
        free(grown);
        return NULL;
    }
    return &grown->numbers[at];
}

uint32_t site_of_line(PyCodeObject *code, int line)
{
    void *known = NULL;
    int at = line - code->co_firstlineno;
    uint32_t *number;

    (void)CODE_GET((PyObject *)code, lines_index, &known);
    number = at >= 0 ? reach_line(code, known, at) : NULL;
    if (!number)
        return make_line_site(code, line);
    if (!*number)
        *number = make_line_site(code, line) + 1;
    return *number - 1;
}

/* ---- Functions that are written in C ------------------------------------------------------------------------------- */

/* Where a method is defined: an object of a derived class has it from there. */
static const PyTypeObject *defining_type(const PyTypeObject *type, const PyMethodDef *definition)
{
    for (const PyTypeObject *base = type; base; base = base->tp_base)
        for (const PyMethodDef *method = base->tp_methods; method && method->ml_name; method++)
            if (method == definition)
                return base;
    return type;
}

/* The built-in type that a class is made of. */
static const PyTypeObject *built_in_base(const PyTypeObject *type)
{
    while (type->tp_base && type->tp_flags & Py_TPFLAGS_HEAPTYPE)
        type = type->tp_base;
    return type;
}

/* "list.append", "time.sleep". */
static PyObject *name_builtin(PyObject *function, const PyMethodDef *definition)
{
    PyObject *self, *module;

    if (!PyCFunction_Check(function))
        return PyUnicode_FromFormat("%s.%s", PyDescr_TYPE(function)->tp_name, definition->ml_name);
    self = PyCFunction_GET_SELF(function);
    module = ((PyCFunctionObject *)function)->m_module;
    if (self && PyType_Check(self))
        return PyUnicode_FromFormat("%s.%s", built_in_base((PyTypeObject *)self)->tp_name, definition->ml_name);
    if (self && !PyModule_Check(self))
        return PyUnicode_FromFormat("%s.%s", defining_type(Py_TYPE(self), definition)->tp_name, definition->ml_name);
    if (module && PyUnicode_Check(module))
        return PyUnicode_FromFormat("%U.%s", module, definition->ml_name);
    return PyUnicode_FromString(definition->ml_name);
}

static uint32_t make_builtin_site(PyObject *function, const PyMethodDef *definition)
{
    PyObject *name = name_builtin(function, definition), *none = PyUnicode_FromString(""), *keeper = NULL;
    const char *text = name ? utf8_of(name, &keeper) : "";
    uint32_t number = SITE_NONE;

    if (name && none && strncmp(text, "tacho.", 6) != 0 && is_wanted("", text))
        number = site_of_place(name, none, none, 0, 0);
    Py_XDECREF(name);
    Py_XDECREF(none);
    Py_XDECREF(keeper);
    PyErr_Clear();
    return number;
}

static struct builtin *find_builtin(const struct builtin *asked)
{
    size_t at = (size_t)((((uintptr_t)asked->definition >> 4) ^ (uintptr_t)asked->type) * 0x9e3779b97f4a7c15u >> 32);

    for (;; at++) {
        struct builtin *entry = &builtins[at & (builtin_capacity - 1)];

        if (!entry->definition || (entry->definition == asked->definition && entry->type == asked->type))
            return entry;
    }
}

/* Half of the table stays free. False: no memory. */
static bool grow_builtins(void)
{
    struct builtin *old = builtins;
    size_t old_capacity = builtin_capacity;

    if (2 * builtin_count < builtin_capacity)
        return true;
    builtin_capacity = old_capacity ? 2 * old_capacity : 1024;
    builtins = calloc(builtin_capacity, sizeof *builtins);
    if (!builtins) {
        builtins = old;
        builtin_capacity = old_capacity;
        return false;
    }
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i].definition)
            *find_builtin(&old[i]) = old[i];
    free(old);
    return true;
}

uint32_t site_of_builtin(PyObject *function)
{
    bool bound = PyCFunction_Check(function);
    PyObject *self = bound ? PyCFunction_GET_SELF(function) : NULL;
    struct builtin asked = { .definition = bound ? ((PyCFunctionObject *)function)->m_ml
                                                 : ((PyMethodDescrObject *)function)->d_method };
    struct builtin *entry;

    if (self && PyType_Check(self))
        asked.type = built_in_base((PyTypeObject *)self);
    asked.name = asked.definition->ml_name;
    asked.function = asked.definition->ml_meth;
    if (!grow_builtins())
        return SITE_NONE;
    entry = find_builtin(&asked);
    if (entry->definition && entry->name == asked.name && entry->function == asked.function)
        return entry->site;
    asked.site = make_builtin_site(function, asked.definition);
    builtin_count += !entry->definition;
    *entry = asked;
    return asked.site;
}
