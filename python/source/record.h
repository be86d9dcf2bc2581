/* record.h: what the files of the module tacho._record share.
 *
 *     record.c       the module: a recording starts and stops, what is asked of it
 *     sites.c        the number that a function, a line or a zone has in the recording
 *     calls.c        the calls of a thread that are open
 *     clock.c        how long a tick is, and how long the system kept a thread waiting
 *     hooks.c        the interpreter tells calls: the hooks of a thread, up to Python 3.11
 *     monitoring.c   the same by sys.monitoring, from 3.12 on
 *     zones.c        zones, runs and steps that a program marks
 *
 * Everything here is called with the interpreter's lock held. A function that gives an int gives -1 with an exception set where it fails;
 * what is called for every call of the program never fails: what cannot be recorded is left out, and the recorder counts it.
 */
#ifndef PYTHON_RECORD_H
#define PYTHON_RECORD_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <frameobject.h>
#include <stdbool.h>
#include <tacho/zone.h>

#pragma GCC visibility push(hidden)

/* Whose calls are recorded. */
enum record_mode {
    RECORD_MARKS,   /* of threads where a profiler is enabled */
    RECORD_PARTIAL, /* the same, and of those that are inside of a zone */
    RECORD_WHOLE    /* of all */
};

/* What is recorded; set before the first hook. */
struct record_settings {
    enum record_mode mode; /* whose calls */
    uint64_t min_duration; /* ticks that a call must take; 0: all are recorded */
    size_t max_depth;      /* calls inside each other; SIZE_MAX: as many as there are */
    bool c_calls;          /* functions that are written in C, too */
    bool lines;            /* each line is a zone */
    PyObject *include;     /* tuple of patterns, as bytes; owned; NULL: everything */
    PyObject *exclude;     /* the same; NULL: nothing */
    PyObject *own_folder;  /* str: this package's files, which are never recorded; owned */
};
extern struct record_settings settings;

/* ---- sites.c: numbers ---------------------------------------------------------------------------------------------- */

enum { SITE_NONE = 0 }; /* the number of what is not recorded */

int sites_start(void); /* once, when the module is imported */
/* Of a function's code. */
uint32_t site_of_code(PyCodeObject *code);
/* Of a line in it. */
uint32_t site_of_line(PyCodeObject *code, int line);
/* Of a function that is written in C; `function` is a builtin or a method's descriptor. */
uint32_t site_of_builtin(PyObject *function);
/* Of a zone, by its name and place. `flags` are those of a struct tacho_site. */
uint32_t site_of_place(PyObject *name, PyObject *function, PyObject *file, int line, uint32_t flags);

/* ---- clock.c: time ------------------------------------------------------------------------------------------------- */

/* What is known of a thread's time; all zero: nothing. */
struct clock_thread {
    uint64_t heard; /* ticks of its last event */
    uint64_t asked; /* the same, when the system was asked last; 0: never */
    uint64_t cpu;   /* that it had had then, in ticks */
    long given_up;  /* how often it had given up the CPU by itself */
};

void clock_start(void); /* measures, the first time, while something is being recorded */
/* Ticks of the recorder's clock. */
uint64_t clock_ticks(uint64_t nanoseconds);
/* Of the time since the last event those ticks, at the end of it, in which the thread waited for a CPU. 0: none that are known. */
uint64_t clock_waited(struct clock_thread *thread, uint64_t now);

/* ---- calls.c: what is open on a thread ----------------------------------------------------------------------------- */

/* A call, a line or a zone that began and has not ended. */
struct call {
    const void *owner; /* a frame, a code, a function or a zone: what its end has, too */
    uint64_t begin;    /* ticks */
    uint32_t site;     /* its number; SITE_NONE: it is not recorded */
    bool marked;       /* a zone that the program marks, not what the interpreter tells */
};

enum { NAMED = 1000 }; /* a thread gets its name soon after it began to run */

struct calls {
    struct call *open;         /* from the outermost; owned */
    size_t count, capacity;    /* of open */
    size_t told;               /* the first so many are in the recording: only where short calls are left out */
    size_t depth;              /* of those that are recorded */
    uint32_t epoch;            /* of the recording that they are in */
    struct clock_thread clock; /* its time */
    uint64_t part;             /* the part of the program that this thread joined; 0: none, or it is over */
    uint32_t enabled;          /* profilers and zones by which this thread is recorded */
    uint32_t naming;           /* how often its name was asked for; NAMED: the recording has it, or there is none */
};

/* Of this thread. */
struct calls *calls_here(void);
/* Nothing that is open now ends in the recording that comes: another one began, or this is a child of fork. */
void calls_forget(void);
void call_begin(struct calls *calls, const void *owner, uint32_t site);
/* The last one of that owner ends, and with it what is open inside. `raised`: by an exception, which the text tells; NULL: it returned. */
void call_end(struct calls *calls, const void *owner, const char *raised);
/* A line begins, and the one before it in the same function ends. */
void call_line(struct calls *calls, const void *owner, uint32_t site);
/* A zone that the program marks: it is recorded however short, deep or excluded it is. */
void call_begin_zone(struct calls *calls, const void *owner, uint32_t site);
bool call_is_open(const struct calls *calls, const void *owner);
/* All but the outermost `count` end. */
void calls_end_inner(struct calls *calls, size_t count);
/* Calls end that the interpreter tells no more of. A zone goes on until the program leaves it, and calls around one end when it does. */
void calls_cut(struct calls *calls);
/* Whether C functions that are called now count: their caller does. */
static inline bool calls_include_callees(const struct calls *calls)
{
    return !calls->count || calls->open[calls->count - 1].site != SITE_NONE;
}

/* The program is in a part that is recorded while a thread is attached. Threads that begin meanwhile join the part: they are recorded until it is
 * over, which it is for all of them at once when the last thread is detached. They notice it later, each at its next event. */

/* Whether the program is in such a part. */
bool part_goes_on(void);
/* Whether it was, and threads that joined have not noticed yet that it is over. */
bool part_lingers(void);
/* This thread is attached; as often as that is done, it must be detached. */
void part_attach(struct calls *calls);
void part_detach(struct calls *calls);
/* This thread began in the part that goes on. */
void part_join(struct calls *calls);
/* Whether this thread is recorded: it is attached, or the part that it joined goes on. */
bool part_records(const struct calls *calls);
/* In a child of fork, of whose threads only this one is there. */
void part_forked(struct calls *calls);

/* ---- hooks.c or monitoring.c: hooks ------------------------------------------------------------------------------ */

/* Calls of this thread are recorded from now on; as often as it is attached, it must be detached. */
int hooks_attach(struct calls *calls);
void hooks_detach(struct calls *calls);
/* Calls of this thread, which just began, are recorded while the part of the program goes on. */
void hooks_join(struct calls *calls);
/* Whether the interpreter's word on this thread is recorded. */
bool hooks_heard(const struct calls *calls);
/* A frame of this thread was entered right before it was attached. */
void hooks_entered(PyFrameObject *frame);

/* ---- record.c ------------------------------------------------------------------------------------------------------ */

/* The recording gets the name that Python has for this thread, where it has one. */
void name_thread(struct calls *calls);

/* ---- zones.c ------------------------------------------------------------------------------------------------------- */

extern PyTypeObject zone_type;
PyObject *zone_run(PyObject *module, PyObject *arguments, PyObject *keywords);
PyObject *zone_step(PyObject *module, PyObject *const *arguments, Py_ssize_t count);
PyObject *zone_message(PyObject *module, PyObject *text);
int zones_add(PyObject *module);

#pragma GCC visibility pop

#endif
