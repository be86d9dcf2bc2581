/* answers.h: what jobs made, as files in one private folder, the last used of them kept within a budget of bytes.
 *
 * An errand that is asked again finds its answer, or waits for the job that is making it; none is made twice at a time. Whoever asks
 * holds the answer until he drops it. A file that is open goes on being read when its answer is forgotten. Nothing but the files is kept: a page
 * of any size costs no memory.
 *
 * What is still being written counts, too, as often as somebody measures it: finished answers make room for it, and where that is not
 * enough, no file may become larger than the largest one that is being written.
 *
 * The caller locks. The folder is the caller's, and empty of other things.
 */
#ifndef SERVE_ANSWERS_H
#define SERVE_ANSWERS_H

#include <stdint.h>

#include "serve/errands.h"

struct exchange;

enum {
    ANSWERS_MOST = 2000, /* that are kept, however small they are */
    ANSWER_TAG = 24      /* bytes of a tag */
};

enum answer_state {
    ANSWER_NEW,    /* somebody must begin to make it */
    ANSWER_MAKING, /* somebody does */
    ANSWER_READY,  /* the file is there, or the trace */
    ANSWER_FAILED  /* and will not be: asked again, it is tried again */
};

struct answer {
    enum answer_state state;  /* see above */
    char *key;                /* what was asked, of which version of which files; owned */
    struct errand errand;     /* the same for the job; owned */
    char *path;               /* of the file; owned */
    struct kept_trace *trace; /* the answer, where it is no file; held; NULL: it is one */
    char
        tag[ANSWER_TAG]; /* which two files have that are equal, in quotes; empty: nobody asks for it again and again */
    status code;         /* of a failure */
    char *error;         /* the same, for people; NULL: none, or no memory for it; owned */
    uint64_t bytes;      /* of the file, or of the trace */
    uint64_t used;       /* when it was asked for last: a number that counts up */
    unsigned holders;    /* that have it in hand, the job among them */
    struct exchange *waiting; /* who waits for it, linked; the server's */
    struct answers *among;    /* borrowed: where it is listed */
};

struct answers {
    char *folder;           /* where the files lie; owned */
    struct answer **items;  /* in no order; owned */
    size_t count, capacity; /* of items */
    uint64_t bytes, budget; /* of all answers that are there, and how many may stay */
    uint64_t growing;       /* bytes of everything else in the folder, when that was last measured */
    uint64_t clock;         /* counts uses */
    uint64_t numbered;      /* files so far */
};

/* Looks at the folder, and forgets what is too much. How large a file may become. */
uint64_t answers_measure(struct answers *answers);

NODISCARD status answers_start(struct answers *answers, const char *folder, uint64_t budget);
void answers_free(struct answers *answers); /* the files too */

/* The answer to an errand, which is held by the caller then. Takes over what the errand owns, also where it fails. */
NODISCARD status answers_hold(struct answers *answers, const char *key, struct errand *errand, struct answer **answer);
/* Forgets answers whose key has this text in it, but for those that somebody holds. */
void answers_forget(struct answers *answers, const char *text);
void answer_keep(struct answer *answer); /* one more holder */
void answer_drop(struct answer *answer); /* one less; it must not be used afterwards */
/* The tag of a file that was made. Not locked: nobody else has it in hand yet. */
NODISCARD status answer_name(struct answer *answer);
/* It was made, or failed with the message of the last status. */
void answer_done(struct answer *answer, status code);

#endif
