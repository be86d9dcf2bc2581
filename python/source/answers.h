/* answers.h: what the files of the module tacho._answers share.
 *
 * The types stand on the library's objects of the same names (tacho.h), which they own. A table of a result keeps that result, a column
 * keeps its table, a result keeps its profile: whoever holds one of them may let go of the others. All of it is called with the lock of the
 * interpreter held, and lets go of it while the library works; objects that the library wants used by one thread at a time have a lock.
 *
 * Functions that return a pointer or an int fail as those of Python do: NULL or -1, and an exception is set.
 */
#ifndef TACHO_ANSWERS_H
#define TACHO_ANSWERS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <tacho/tacho.h>

/* ---- words.c: texts for the library, and its failures as exceptions ---- */

/* Texts that the library borrows, as bytes objects that live as long as this. */
struct words {
    PyObject *kept;               /* list of bytes; NULL: none yet */
    const char **inputs;          /* paths */
    size_t input_count;           /* of inputs */
    struct tacho_option *options; /* names and values */
    size_t option_count;          /* of options */
};

/* Inputs are a path or a sequence of paths, or NULL; options a dict or NULL. A name may have _ for -, and one _ behind it, as Python
 * wants it of `with`. A value is a text, a path or a number; True is a flag, None and False leave the option out; each element of a list
 * or tuple is given once. Free it also after a failure. */
int words_take(struct words *words, PyObject *inputs, PyObject *options);
void words_free(struct words *words);
/* One text of the caller, borrowed as long as the words; NULL: failed. */
const char *words_keep(struct words *words, PyObject *text);
/* The options as those of reading; the rest stays in `words`, which lends all of it. */
struct tacho_read_options words_read_options(const struct words *words);

/* Sets the exception for a failure of the last call of the library in this thread; NULL. */
PyObject *raise_status(enum tacho_status status);
/* A text of the library, which may be NULL: None. */
PyObject *text_of(const char *text);
/* Puts such a text into a tuple that is being made, which is freed and NULL where that fails. */
void put_text(PyObject **tuple, size_t index, const char *text);
/* A text that was made for us, which is freed. */
PyObject *take_text(char *text);

/* ---- table.c, column.c ---- */

struct table {
    PyObject ob_base;                /* what every object of Python begins with */
    const struct tacho_table *table; /* NULL: not made yet */
    PyObject *owner;                 /* the result that it belongs to; NULL: it is our own */
};

extern PyTypeObject table_type, column_type;

/* Takes the table over where there is no owner. */
PyObject *table_make(const struct tacho_table *table, PyObject *owner);
/* The column with this number. */
PyObject *column_make(struct table *table, size_t index);
/* A cell as Python has it; None: null, and decimals that are no number. */
PyObject *cell_value(const struct tacho_table *table, size_t row, size_t column);

/* ---- profile.c, query.c, result.c, writer.c ---- */

extern PyTypeObject profile_type, query_type, result_type, writer_type;

struct profile {
    PyObject ob_base;              /* what every object of Python begins with */
    struct tacho_profile *profile; /* NULL: not open, or closed and free */
    PyThread_type_lock lock;       /* held by the thread that uses it */
    size_t results;                /* that borrow texts from it */
    bool closed;                   /* by the user: no more questions */
};

/* For a question; -1: it is closed. What the library does meanwhile needs no interpreter. */
int profile_enter(struct profile *profile);
void profile_leave(struct profile *profile);
/* A result that borrowed from it is gone. */
void profile_forget(struct profile *profile);

PyObject *convert_inputs(PyObject *module, PyObject *arguments, PyObject *keywords);

#endif
