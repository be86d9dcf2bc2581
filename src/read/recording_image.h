/* recording_image.h: a recording that is still being made, wherever it is: a file that grows, or a program that sends it.
 *
 * An image is bytes at offsets. Of a file they are read where they lie; what a program sends (see "the live stream" in record/format.h) is
 * put into a file without a name, a piece at a time. Whoever asks may be there first: there is nothing yet then, and it is asked again. The image
 * owns its file and its connection until `recording_image_close`.
 */
#ifndef READ_RECORDING_IMAGE_H
#define READ_RECORDING_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum image_state {
    IMAGE_WAITING,  /* there is nothing yet */
    IMAGE_GROWING,  /* there may be more */
    IMAGE_COMPLETE, /* the recording was ended, and all of it is there */
    IMAGE_BROKEN    /* its program is gone without having ended it: what is there is all */
};

struct recording_image {
    const char *where;      /* as it was asked for; borrowed */
    const char *token;      /* to be shown; NULL: the one that is kept for this user; borrowed */
    bool live;              /* a program, not a file */
    int file;               /* of the bytes; -1: none yet */
    int socket;             /* of the program; -1: none */
    enum image_state state; /* as of the last look */
    unsigned char *piece;   /* that is being received: its head, then its bytes; owned */
    size_t have;            /* bytes of it */
    uint64_t forgotten;     /* offset up to which nothing is read any more */
};

/* "HOST:PORT" is a program, all else a file. */
void recording_image_start(struct recording_image *image, const char *where, const char *token);
void recording_image_close(struct recording_image *image);

/* A program that is connected already: shows it the token and hears its answer. The image owns the socket from then on, also after a
 * failure. `recording_image_look` does this where it finds the program itself. */
NODISCARD status recording_image_attach(struct recording_image *image, int socket);

/* The same for a file that somebody else has opened, where this process may not. */
void recording_image_attach_file(struct recording_image *image, int file);

enum { RECORDING_TOKEN = 33 }; /* room for a token and a NUL */
/* The token that the recorder of this user keeps for a port; empty: none. */
void recording_kept_token(const char *port, char token[RECORDING_TOKEN]);

/* Looks for more, for at most so many milliseconds. STATUS_INPUT: it will never be one: a wrong token, a file of another kind. */
NODISCARD status recording_image_look(struct recording_image *image, int milliseconds);

/* Bytes that there are, as of now. */
uint64_t recording_image_size(const struct recording_image *image);
/* Bytes at an offset; what is not there is 0. */
void recording_image_read(const struct recording_image *image, uint64_t offset, void *to, size_t size);
/* Nobody will read what lies between the head and this offset any more: of what a program sends, no room is kept for it. */
void recording_image_forget(struct recording_image *image, uint64_t offset);

#endif
