/* board_parts.h: what the files of the board share: one use of a machine, from the plan to what came of it. */
#ifndef JOB_BOARD_PARTS_H
#define JOB_BOARD_PARTS_H

#include "job/board.h"
#include "job/remote.h"
#include "read/chain.h"

enum { STREAM_KEPT = 4 * 1024 * 1024 }; /* bytes of each stream of the command that are kept */

/* A file that must be there. */
struct board_file {
    const char *path;       /* here, as it was given */
    const char *name;       /* there */
    char hash[REMOTE_HASH]; /* of its bytes */
    bool executable;        /* it is made so there */
    bool kept;              /* it was there already */
};

/* A file that came back. */
struct board_result {
    const char *from; /* there */
    const char *to;   /* here */
    uint64_t size;    /* bytes */
    bool old;         /* it was there before the command started */
    char *made;       /* file that its chain made of it; owned; NULL: none */
};

/* What the command printed on one stream. */
struct board_stream {
    struct output *kept; /* the first bytes of it; owned */
    uint64_t dropped;    /* bytes over that */
    char line[4096];     /* that is not at its end yet */
    size_t length;       /* of the line */
};

struct board {
    struct job *job;                       /* borrowed until it is done */
    const struct board_settings *settings; /* the same */
    struct remote remote;                  /* how it is reached */
    struct arena arena;                    /* of texts */
    const struct chain_program *program;   /* that the command is; NULL: none that a chain knows */
    const char *out;                       /* folder here */
    bool made_out;                         /* it was not there before */
    const char *folder;                    /* there; absolute once it was seen */
    const char *run;                       /* name of the folder in it that is this run's */
    bool running;                          /* that folder is there, as far as we know */
    struct board_file *files;              /* owned */
    size_t file_count;                     /* of files; the command is the first where it is one */
    bool pushed_command;                   /* it is */
    struct texts words;                    /* of the command, as it is started there */
    struct texts wanted;                   /* patterns of what comes back */
    struct board_result *results;          /* owned */
    size_t result_count, result_capacity;  /* of results */
    struct board_stream streams[2];        /* standard output and standard error */
    uint64_t wall_ns;                      /* around the command, with the connection */
    uint64_t connection_ns;                /* of a connection alone */
    int exit_status;                       /* of the command, as a shell gives it */
    struct job *questions;                 /* summaries of what came back; owned */
    size_t question_count;                 /* of questions */
};

/* ---- board_there.c: what is done over there ---- */

/* Makes the folders, finds which files are there already, and copies the others. */
NODISCARD status board_prepare(struct board *board);
/* Runs the command and measures it. A failure of the command is none here. */
NODISCARD status board_command(struct board *board);
/* Brings back what is wanted, and keeps the times beside it; what is not there is a failure where the command succeeded. */
NODISCARD status board_collect(struct board *board);
/* Removes this run's folder there. What cannot be done is noted. */
void board_remove(struct board *board);

/* ---- board_answer.c: what is said ---- */

/* Summaries of the profiles among what came back, and what their chains make of them. */
NODISCARD status board_summarise(struct board *board);
/* Everything as products of the job, which owns the board from then on, also after a failure. */
NODISCARD status board_say(struct board *board);
void board_free(struct board *board);

/* A text of the board's arena. NULL: out of memory. */
const char *board_text(struct board *board, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
