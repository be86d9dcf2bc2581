/* clickhouse_http.h: statements to ClickHouse servers over HTTP, and what they answer.
 *
 * A failure that may pass (no connection, one that broke, a server that has too much to do) is tried again, with growing pauses, at the other hosts, too; what
 * is sent again is the same, byte by byte. The first host that answers is asked from then on. An answer counts once it is complete and the server says that nothing
 * went wrong: it is told to wait with its status until then.
 * A struct clickhouse_http borrows its URL and owns its connection until `clickhouse_http_close`.
 */
#ifndef HISTORY_CLICKHOUSE_HTTP_H
#define HISTORY_CLICKHOUSE_HTTP_H

#include <stdatomic.h>

#include "base/text.h"
#include "history/clickhouse_url.h"

enum { CLICKHOUSE_ANY = -1 }; /* the first host that answers */

/* Errors of the server by its own numbers, as far as they are told apart. */
enum { CLICKHOUSE_UNKNOWN_TABLE = 60, CLICKHOUSE_UNKNOWN_DATABASE = 81 };

/* Who connects, in a process that may not. What cannot be done at once is told at once then: who asks can ask again. */
struct clickhouse_connector {
    /* A connection to the host of the store with this number, the caller's to close; -1: `why` (of `size`) says why there is none. By any thread. */
    int (*connect)(void *context, size_t host, char *why, size_t size);
    void *context;           /* for `connect` */
    const atomic_bool *stop; /* once it is true, nothing is waited for any more */
    uint64_t timeout_s;      /* in which a server has to go on; 0: as the URL says */
};

/* For whatever is opened from now on; NULL: who asks connects by itself. Borrowed. */
void clickhouse_connect_by(const struct clickhouse_connector *connector);

struct clickhouse_http;

/* Bytes of an answer, piece by piece. */
typedef status (*clickhouse_take)(void *context, const char *data, size_t length);

NODISCARD status clickhouse_http_open(const struct clickhouse_url *url, struct clickhouse_http **http);
void clickhouse_http_close(struct clickhouse_http *http); /* NULL is fine */

/* A question: STATUS_INPUT where it cannot be answered; a long one is asked again only while nothing was taken. */
NODISCARD status clickhouse_ask(struct clickhouse_http *http, int host, struct text sql, clickhouse_take take,
                                void *context);
/* A statement that changes something, with the rows that it inserts; without rows it is sent as it is. STATUS_OUTPUT where it cannot be done. Whatever is sent may
 * arrive twice. */
NODISCARD status clickhouse_tell(struct clickhouse_http *http, int host, const char *sql, struct text rows);

/* The number of the server's own error, of the last failure; 0: it was none of these. */
int clickhouse_error(const struct clickhouse_http *http);

#endif
