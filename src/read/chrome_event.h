/* chrome_event.h: one trace event in its JSON text: where its parts lie, found at scanning speed.
 *
 * Nothing is copied and nothing is owned: parts are views of the bytes that were scanned. Behind the end of these bytes there must be CHROME_PAD more,
 * all CHROME_FILL (`chrome_pad`), so that scanning needs no look at the end for each byte.
 */
#ifndef READ_CHROME_EVENT_H
#define READ_CHROME_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strings.h"

enum { CHROME_PAD = 64, CHROME_FILL = '~' };

enum chrome_scan {
    CHROME_WHOLE, /* all is there */
    CHROME_MORE,  /* the bytes end too early */
    CHROME_BROKEN /* this is no JSON */
};

/* A member of an object. */
struct chrome_member {
    struct text key;   /* still escaped */
    struct text value; /* as parts of events */
    char first;        /* byte of the value: '"', '{', '[', a digit, a letter */
};

enum { CHROME_MEMBERS = 256 }; /* arguments that are split */

/* The arguments of an event, one by one. */
struct chrome_members {
    uint32_t count;                             /* of items */
    bool broken;                                /* what follows them is no member */
    bool more;                                  /* there are more than these */
    struct chrome_member items[CHROME_MEMBERS]; /* as they stand in the text */
};

/* Texts are as they stand between their quotes, still escaped; numbers as they are written; arrays and objects with their brackets. One that is not there, or
 * null, has no data. */
struct chrome_event {
    char phase;            /* 0: none */
    size_t length;         /* from its bracket to behind the other one; valid where it was scanned to its end */
    struct text name;      /* of what happened */
    struct text category;  /* several are separated by commas */
    struct text pid;       /* of its process */
    struct text tid;       /* of its thread */
    struct text time;      /* in microseconds */
    struct text duration;  /* the same */
    struct text id;        /* of an arrow or span */
    struct text id2;       /* the same, as an object that tells the scope */
    struct text arguments; /* an object */
    struct text bind;      /* "e": an arrow ends in the slice around it */
    struct text binding;   /* of a slice: the id of an arrow that it names itself */
    struct text flow_in;   /* "true": that arrow leads to it */
    struct text flow_out;  /* the same: from it */
    struct text frame;     /* id of its place in stackFrames */
};

void chrome_pad(char *end); /* fills the CHROME_PAD bytes from there on */

/* The event whose bracket stands at `at`. `members` (may be NULL) get its arguments. `*where`: how far it came, also where it is broken. */
enum chrome_scan chrome_event_scan(const char *at, const char *end, struct chrome_event *event,
                                   struct chrome_members *members, const char **where);
/* Passes any value that begins at `*at`, where no blank stands. */
enum chrome_scan chrome_value_scan(const char **at, const char *end);

/* Control bytes are taken for blanks: files that were made larger before they were filled end in zeros. */
static inline const char *chrome_skip_blanks(const char *at)
{
    while ((unsigned char)*at <= ' ')
        at++;
    return at;
}

/* The next member of an object whose text is whole: `*at` is behind its bracket at first, then where the last call left it. False: there is none, or
 * what comes is no member. The value of a string is without its quotes. */
bool chrome_next_member(const char **at, const char *end, struct chrome_member *member);
/* The value of a key in an object: no data: there is none. */
struct text chrome_find_member(struct text object, const char *key);

/* Microseconds as nanoseconds, rounded to the nearest; false: no number, or one beyond the range of times. */
bool chrome_time(struct text text, int64_t *ns);
/* An integer; most are short. False: no integer, or one beyond the range. */
bool chrome_integer(struct text text, int64_t *value);

#endif
