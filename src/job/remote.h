/* remote.h: a machine that is reached by ssh: scripts that run there, files that go there and come back.
 *
 * Every call is a connection of its own, by the user's ssh command with its ports, keys and configuration; no shell is used here. Scripts
 * run in `sh` there, whatever shell the user has, and need nothing that a small system lacks: files go through `cat`, so that neither
 * scp, sftp nor rsync must be there. What a login prints before a script starts is passed over.
 *
 * A file has its name, here and there, only when it is complete: it comes under another one, its size and hash are compared, and then it
 * is renamed. A remote owns its words until `remote_free`; what it is given is borrowed.
 */
#ifndef JOB_REMOTE_H
#define JOB_REMOTE_H

#include "base/arena.h"
#include "base/process.h"
#include "base/text.h"

enum {
    REMOTE_HASH = 65,                /* room for a hash in hexadecimal */
    REMOTE_COMPLAINT = 1024,         /* and for what was complained about */
    REMOTE_ANSWER = 4 * 1024 * 1024, /* bytes of an answer that are kept */
    REMOTE_SHORT_MS = 60 * 1000,     /* time for calls that only ask */
    REMOTE_LONG_MS = 60 * 60 * 1000, /* and for those that copy: lines are slow */
    REMOTE_LOST = 255,               /* exit status of an ssh that failed itself */
};

struct remote {
    const char *host;   /* USER@MACHINE; borrowed */
    const char **words; /* of the command up to the host; owned */
    size_t count;       /* of words; there is room for two more */
    struct arena arena; /* of their texts */
    char number[17];    /* that no other use has, in hexadecimal */
};

/* `ssh` is a command line, split as a shell would; NULL: plain ssh. STATUS_USAGE: a host or a command that is none. */
NODISCARD status remote_start(struct remote *remote, const char *host, const char *ssh);
void remote_free(struct remote *remote);

/* A word of a script: 'it'\''s'. */
void remote_quote(struct output *script, const char *word);

/* Splits a command line into words as a shell does, without replacing anything: quotes, backslashes, blanks. The words are the arena's,
 * the array the caller's, with a NULL at the end. STATUS_USAGE: a quote that is not closed. */
NODISCARD status remote_split(const char *line, struct arena *arena, const char ***words, size_t *count);

struct remote_call {
    const char *script;  /* for `sh` */
    int input;           /* file that it reads as its standard input, borrowed; 0: an empty one */
    uint64_t timeout_ms; /* 0: none */
    uint64_t limit;      /* bytes that are taken of what it prints; 0: all */
    /* Gets what it prints, as it comes; `error`: on standard error. */
    void (*receive)(void *context, bool error, const char *data, size_t size);
    void *context; /* for `receive` */
};

struct remote_result {
    struct process_result process;    /* of ssh, whose exit status is that of the script where it ran */
    bool reached;                     /* the script was started */
    char complaint[REMOTE_COMPLAINT]; /* the last line on standard error; empty: none */
};

/* Fails only where this process lacks something: the result tells what became of the call. */
NODISCARD status remote_call(const struct remote *remote, const struct remote_call *call, struct remote_result *result);
/* The same for a script whose answer is wanted as a text, NUL-terminated and the caller's to free with `memory_free`. */
NODISCARD status remote_ask(const struct remote *remote, const char *script, uint64_t timeout_ms,
                            struct remote_result *result, char **answer, size_t *length);

/* Whether ssh itself failed: nobody was reached, or the connection went. A script that ends with REMOTE_LOST looks the same. */
bool remote_is_lost(const struct remote_result *result);
/* Why a call did not succeed, as a failure: with `code` where the script failed, STATUS_INPUT where it was not reached, lost or not in
 * time. `what` says in the script's case what could not be done. */
status remote_fail(const struct remote *remote, const struct remote_result *result, uint64_t timeout_ms, status code,
                   const char *what);

/* How long nothing takes there: connecting, logging in, `true`. */
NODISCARD status remote_connect(const struct remote *remote, uint64_t *nanoseconds);

/* SHA-256 of a file here, as sha256sum prints it. */
NODISCARD status remote_hash(const char *path, char hash[REMOTE_HASH]);
/* Copies a file into a folder there, under this name; `hash` is that of the file. */
NODISCARD status remote_push(const struct remote *remote, const char *path, const char *hash, const char *folder,
                             const char *name, bool executable);
/* Copies a file from there, which has this size. */
NODISCARD status remote_fetch(const struct remote *remote, const char *from, uint64_t size, const char *to);

#endif
