/* producer.h: what a chain knows of events that a general reader reads: which are operators, launches, work of a device, runs.
 *
 * A trace in Chrome's form has names, categories, times and arguments; what they mean only the program knows that wrote them. A producer says it as
 * data: its rules are tried in order, the first one that fits an event counts, and one that none fits is a plain slice of its thread. The reader does the
 * rest, and it alone: the events of a thread are spread over lines by engine, operators get their module and their place in the source from
 * what they lie in, work of a device gets the operator and the run of the call that launched it.
 *
 *     thread   ProfilerStep#3   [----------------------------------]   ROLE_RUN
 *              nn.Module: Net     [----------------------------]       ROLE_SCOPE
 *              net.py(12): fwd     [------------------------]          ROLE_SOURCE
 *              aten::addmm           [--------------]                  ROLE_OPERATOR
 *              cudaLaunchKernel          [-----]                       ROLE_LAUNCH, correlation 7
 *     stream   gemm                            [--------------]        ROLE_WORK, correlation 7: of aten::addmm, in Net, at net.py:12, in run 3
 *
 * A host may be steps ahead of its device. So a run begins with its event, or where the run before ends if that is later, and it ends with its event
 * or with the last work that was launched in it, whichever is later: runs never lie on each other, and where the device is what takes time, its
 * pace is theirs. The first one begins when the device is done with what was launched before it.
 *
 * An arrow to a derivative may end in a call inside the one that also adds up what it gives: where all arrows that end in an operator,
 * however deep, are one, that operator shares the module and the place as well. The lines of one thread are children of one track.
 *
 * Work that was launched outside of all operators is an operator of its own, in the module and at the place of its launch.
 *
 * Some profilers have no correlation, but write work behind the operator that launched it and repeat its name. An arrow then leads from one to the other.
 *
 * Everything here is static data; nothing is owned.
 */
#ifndef READ_PRODUCER_H
#define READ_PRODUCER_H

#include "trace/model.h"

/* What an event is to the one who wrote it. */
enum event_role {
    ROLE_PLAIN,    /* a slice of its thread, and no more */
    ROLE_RUN,      /* one inference, or one step of a training */
    ROLE_SCOPE,    /* a module of the model: what lies in it is of that module */
    ROLE_SOURCE,   /* a function of the source, "net.py(12): forward": where what lies in it was called */
    ROLE_OPERATOR, /* of the model, on the host */
    ROLE_LAUNCH,   /* a call that hands work to a device */
    ROLE_WAIT,     /* a call in which the host waits for a device */
    ROLE_WORK, /* of a device: it belongs to the launch with the same correlation; without one it is an operator of its own */
    ROLE_END /* ends a table of rules */
};

/* In patterns '*' stands for any text; there is no other sign. */
struct producer_rule {
    const char *category;        /* of the event, a pattern; NULL: any */
    const char *name;            /* of the event, a pattern; NULL: any */
    const char *line;            /* pattern of the name of its thread or process; NULL: any */
    const char *argument;        /* it has an argument of this key, or "key=pattern" of this value; NULL: any */
    enum event_role role;        /* what it is */
    const struct engine *engine; /* of the line that it is drawn on; NULL: that of a plain thread */
};

/* How a text becomes the name of something: what stands before and behind it is left out. */
struct producer_name {
    const char *key;    /* of the argument that has it; NULL: the name of the event */
    const char *before; /* left out at the front where it is there; NULL: nothing */
    const char *behind; /* the same at the end */
};

/* Values that instants tell: memory in use after it was asked for. */
struct producer_counter {
    const char *name;  /* of the instants, a pattern; NULL ends a table */
    const char *key;   /* of the argument that is the value */
    const char *by;    /* key of an argument that tells lines apart, whose value ends the title; NULL: none */
    const char *title; /* of the line */
    const char *unit;  /* of the values: "B"; NULL: none */
};

struct producer {
    const char *title;                 /* for people: "PyTorch (Kineto)" */
    const struct producer_rule *rules; /* up to ROLE_END */
    const char *correlation;           /* key by which work and its launch know each other; NULL: none */
    const char *parent; /* key by which work names the event that launched it, behind which it stands in the file; work
                           without it stands behind an event of the same `type`; NULL: there is no such order */
    struct {
        const struct engine *alone;  /* of operators that a device computes, as a rule says it; NULL: none */
        const struct engine *beside; /* of these where the file has that work as well: they only launch it */
    } launching;
    const char
        *run_number; /* key of a run's number, or what stands before it in the name: "ProfilerStep#"; NULL: counted */
    const char *
        group; /* a pattern of the names of calls that launch many pieces of work at once: outside of operators they are the operator of
                          these, while work that another call launched is one of its own; NULL: all calls are as those */
    struct producer_name op;    /* name of an operator */
    struct producer_name scope; /* of a module: "nn.Module: Linear_0" without its front */
    const char *type;           /* key of an operator's type; NULL: none */
    const char *module;         /* key of an operator's module; NULL: only what it lies in */
    const char *place;          /* key of its place in the source, "net.py:12"; NULL: only what it lies in */
    const char *shapes;         /* key of its shapes; NULL: none */
    const struct producer_counter *counters; /* NULL: none */
    const char
        *backward; /* category of arrows from an operator to the one that takes its derivative, whose module it shares;
                                          NULL: there are none */
};

#endif
