/* words.c: texts for the library, and its failures as exceptions. */
#include <string.h>

#include "answers.h"

/* ---- texts ---- */

void words_free(struct words *words)
{
    PyMem_Free(words->inputs);
    PyMem_Free(words->options);
    Py_CLEAR(words->kept);
    *words = (struct words){ 0 };
}

/* Takes over the bytes. */
static const char *keep_bytes(struct words *words, PyObject *bytes)
{
    char *text = NULL;

    if (bytes && !words->kept)
        words->kept = PyList_New(0);
    if (!bytes || !words->kept || PyBytes_AsStringAndSize(bytes, &text, NULL) < 0 ||
        PyList_Append(words->kept, bytes) < 0)
        text = NULL;
    Py_XDECREF(bytes);
    return text;
}

const char *words_keep(struct words *words, PyObject *text)
{
    PyObject *bytes = NULL;

    if (PyNumber_Check(text)) {
        PyObject *shown = PyObject_Str(text);

        bytes = shown ? PyUnicode_EncodeFSDefault(shown) : NULL;
        Py_XDECREF(shown);
    } else if (!PyUnicode_FSConverter(text, &bytes)) {
        bytes = NULL;
    }
    return keep_bytes(words, bytes);
}

/* The name of an option as the command has it. */
static const char *keep_name(struct words *words, PyObject *name)
{
    Py_ssize_t length;
    const char *given = PyUnicode_AsUTF8AndSize(name, &length);
    PyObject *bytes;

    if (!given)
        return NULL;
    if (length > 1 && given[length - 1] == '_')
        length--;
    bytes = PyBytes_FromStringAndSize(given, length);
    for (Py_ssize_t i = 0; bytes && i < length; i++)
        if (given[i] == '_')
            PyBytes_AS_STRING(bytes)[i] = '-';
    return keep_bytes(words, bytes);
}

/* ---- inputs and options ---- */

static int add_option(struct words *words, const char *name, PyObject *value)
{
    struct tacho_option option = { name, NULL };
    struct tacho_option *grown;

    if (value == Py_None || value == Py_False)
        return 0;
    if (value != Py_True) {
        option.value = words_keep(words, value);
        if (!option.value)
            return -1;
    }
    grown = PyMem_Realloc(words->options, (words->option_count + 1) * sizeof *grown);
    if (!grown) {
        PyErr_NoMemory();
        return -1;
    }
    words->options = grown;
    words->options[words->option_count++] = option;
    return 0;
}

static int add_options(struct words *words, PyObject *name, PyObject *value)
{
    const char *kept = keep_name(words, name);

    if (!kept)
        return -1;
    if (!PyList_Check(value) && !PyTuple_Check(value))
        return add_option(words, kept, value);
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(value); i++)
        if (add_option(words, kept, PySequence_Fast_GET_ITEM(value, i)) < 0)
            return -1;
    return 0;
}

static int take_inputs(struct words *words, PyObject *inputs)
{
    bool one = !PyList_Check(inputs) && !PyTuple_Check(inputs);
    Py_ssize_t count = one ? 1 : PySequence_Fast_GET_SIZE(inputs);

    words->inputs = PyMem_Calloc((size_t)count + 1, sizeof *words->inputs);
    if (!words->inputs) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        const char *kept = words_keep(words, one ? inputs : PySequence_Fast_GET_ITEM(inputs, i));

        if (!kept)
            return -1;
        words->inputs[words->input_count++] = kept;
    }
    return 0;
}

int words_take(struct words *words, PyObject *inputs, PyObject *options)
{
    PyObject *name, *value;
    Py_ssize_t at = 0;

    *words = (struct words){ 0 };
    if (inputs && take_inputs(words, inputs) < 0)
        return -1;
    while (options && PyDict_Next(options, &at, &name, &value))
        if (add_options(words, name, value) < 0)
            return -1;
    return 0;
}

struct tacho_read_options words_read_options(const struct words *words)
{
    struct tacho_read_options made = { .options = words->options };
    struct {
        const char *name;
        const char **text; /* that is set; NULL: a flag */
        bool *flag;        /* the same */
    } fields[] = {
        { "format", &made.format, NULL },
        { "clock-mhz", &made.clock_mhz, NULL },
        { "ticks", &made.ticks, NULL },
        { "runs", &made.runs, NULL },
        { "warmup", &made.warmup, NULL },
        { "strict", NULL, &made.strict },
        { "force-companion", NULL, &made.force_companion },
    };

    for (size_t i = 0; i < words->option_count; i++) {
        struct tacho_option option = words->options[i];
        size_t field = 0;

        while (field < sizeof fields / sizeof *fields && strcmp(fields[field].name, option.name) != 0)
            field++;
        if (field == sizeof fields / sizeof *fields)
            words->options[made.option_count++] = option;
        else if (fields[field].text)
            *fields[field].text = option.value ? option.value : "";
        else
            *fields[field].flag = true;
    }
    return made;
}

/* ---- what comes back ---- */

PyObject *text_of(const char *text)
{
    if (!text)
        Py_RETURN_NONE;
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

void put_text(PyObject **tuple, size_t index, const char *text)
{
    PyObject *made = text_of(text);

    if (!made)
        Py_CLEAR(*tuple);
    else
        PyTuple_SET_ITEM(*tuple, (Py_ssize_t)index, made);
}

PyObject *take_text(char *text)
{
    PyObject *made = text_of(text);

    tacho_text_free(text);
    return made;
}

static PyObject *place_number(uint64_t number)
{
    if (!number)
        Py_RETURN_NONE;
    return PyLong_FromUnsignedLongLong(number);
}

/* The exception's class, from the module that has them. */
static PyObject *class_of(enum tacho_status status)
{
    static const char *const names[] = {
        [TACHO_NO] = "Error", [TACHO_USAGE] = "UsageError", [TACHO_INPUT] = "InputError", [TACHO_OUTPUT] = "OutputError"
    };
    PyObject *module = PyImport_ImportModule("tacho.errors");
    PyObject *class = module ? PyObject_GetAttrString(module, names[status]) : NULL;

    Py_XDECREF(module);
    return class;
}

PyObject *raise_status(enum tacho_status status)
{
    uint64_t line, column;
    PyObject *file, *message, *class, *error = NULL;

    if (status == TACHO_OK || status == TACHO_MEMORY)
        return PyErr_NoMemory();
    file = text_of(tacho_error_file(&line, &column));
    message = text_of(tacho_error_message());
    class = class_of(status);
    if (file && message && class)
        error = PyObject_CallFunction(class, "OONN", message, file, place_number(line), place_number(column));
    if (error)
        PyErr_SetObject(class, error);
    Py_XDECREF(error);
    Py_XDECREF(class);
    Py_XDECREF(message);
    Py_XDECREF(file);
    return NULL;
}
