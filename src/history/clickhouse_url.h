/* clickhouse_url.h: what the name of a store on ClickHouse says:
 *
 *     clickhouse://[user[:password]@]host[:8123][,host2[:8123]...]/database[?option=value&...]
 *
 * A struct clickhouse_url owns its texts until `clickhouse_url_free`. `shown` is for messages: it has no password.
 */
#ifndef HISTORY_CLICKHOUSE_URL_H
#define HISTORY_CLICKHOUSE_URL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { CLICKHOUSE_HOSTS = 16 };

struct clickhouse_url {
    char *text;                          /* all others are pieces of it; owned */
    char *shown;                         /* "clickhouse://host:8123/database"; owned */
    const char *user, *password;         /* empty: none */
    const char *hosts[CLICKHOUSE_HOSTS]; /* with their ports where they are given */
    bool ports[CLICKHOUSE_HOSTS];        /* they are */
    size_t host_count;                   /* of these, one at least */
    const char *database;                /* letters, digits and _ */
    const char *cluster;                 /* the same; NULL: none, one host alone */
    uint64_t retry_ms;                   /* pauses between tries, together */
    uint64_t timeout_s;                  /* in which a server has to go on */
    uint64_t ttl_days;                   /* after which rows may go; 0: never */
};

bool clickhouse_is_url(const char *text);
/* STATUS_USAGE: it is none that can be used. Free it also after a failure. */
NODISCARD status clickhouse_url_parse(const char *text, struct clickhouse_url *url);
void clickhouse_url_free(struct clickhouse_url *url);

#endif
