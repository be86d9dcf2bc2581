/* listen.c: finds a free port. */
#include "serve/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

union any_address {
    struct sockaddr plain;   /* what calls take */
    struct sockaddr_in four; /* IPv4 */
    struct sockaddr_in6 six; /* IPv6 */
};

static bool parse(const char *text, union any_address *address)
{
    if (strcmp(text, "localhost") == 0)
        text = "127.0.0.1";
    *address = (union any_address){ .six = { 0 } };
    if (inet_pton(AF_INET, text, &address->four.sin_addr) == 1) {
        address->plain.sa_family = AF_INET;
        return true;
    }
    if (inet_pton(AF_INET6, text, &address->six.sin6_addr) == 1) {
        address->plain.sa_family = AF_INET6;
        return true;
    }
    return false;
}

static void describe(struct listening *listening, const union any_address *address)
{
    if (address->plain.sa_family == AF_INET) {
        uint32_t number = ntohl(address->four.sin_addr.s_addr);

        inet_ntop(AF_INET, &address->four.sin_addr, listening->address, sizeof listening->address);
        listening->loopback = number >> 24 == 127;
        listening->any = number == INADDR_ANY;
    } else {
        inet_ntop(AF_INET6, &address->six.sin6_addr, listening->address, sizeof listening->address);
        listening->loopback = IN6_IS_ADDR_LOOPBACK(&address->six.sin6_addr);
        listening->any = IN6_IS_ADDR_UNSPECIFIED(&address->six.sin6_addr);
    }
}

/* 0, or what went wrong; the socket is closed then. */
static int try_port(struct listening *listening, union any_address *address, uint16_t port)
{
    socklen_t size = address->plain.sa_family == AF_INET ? sizeof address->four : sizeof address->six;
    int error, yes = 1;

    listening->socket = socket(address->plain.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listening->socket < 0)
        return errno;
    if (address->plain.sa_family == AF_INET)
        address->four.sin_port = htons(port);
    else
        address->six.sin6_port = htons(port);
    /* A port whose last connections have just ended is free. */
    setsockopt(listening->socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(listening->socket, &address->plain, size) == 0 && listen(listening->socket, SOMAXCONN) == 0)
        return 0;
    error = errno;
    listen_close(listening);
    return error;
}

status listen_open(struct listening *listening, const char *address, uint16_t port)
{
    union any_address parsed;
    int error = EADDRINUSE;

    *listening = (struct listening){ .socket = -1 };
    if (!parse(address, &parsed))
        return status_fail(STATUS_USAGE, "--bind wants an address of this machine, such as 0.0.0.0, not \"%s\"",
                           address);
    describe(listening, &parsed);
    for (uint32_t tried = port; tried < (uint32_t)port + LISTEN_PORTS && tried <= UINT16_MAX; tried++) {
        error = try_port(listening, &parsed, (uint16_t)tried);
        listening->port = (uint16_t)tried;
        if (!error)
            return STATUS_OK;
        if (error != EADDRINUSE && error != EACCES)
            break;
    }
    if (error == EADDRNOTAVAIL)
        return status_fail(STATUS_USAGE, "--bind %s: this machine has no such address", address);
    return status_fail(STATUS_INPUT, "no port from %u on is free at %s: %s", (unsigned)port, address, strerror(error));
}

void listen_close(struct listening *listening)
{
    if (listening->socket >= 0)
        close(listening->socket);
    listening->socket = -1;
}
