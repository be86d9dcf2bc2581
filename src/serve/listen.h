/* listen.h: the socket that the server listens on: a given address, a port or the next free one. */
#ifndef SERVE_LISTEN_H
#define SERVE_LISTEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct listening {
    int socket;       /* owned; -1: none */
    char address[64]; /* numeric, without brackets */
    uint16_t port;    /* that was free */
    bool loopback;    /* only this machine reaches it */
    bool any;         /* every address of this machine */
};

enum { LISTEN_PORTS = 100 }; /* that are tried, from the wanted one on */

/* `address` is numeric, or localhost. STATUS_USAGE: it is none, or not of this machine. STATUS_INPUT: no port is free. */
NODISCARD status listen_open(struct listening *listening, const char *address, uint16_t port);
void listen_close(struct listening *listening); /* where nobody took the socket over */

#endif
