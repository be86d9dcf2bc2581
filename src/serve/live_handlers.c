/* live_handlers.c: live sources: the list, what is new, and what is asked of them. */
#include "serve/live_handlers.h"

#include <string.h>

#include "base/json_write.h"
#include "base/number.h"
#include "serve/trace_routes.h"

#define JSON "application/json"

/* ---- Sources --------------------------------------------------------------------------------------------------------- */

status live_list(struct exchange *exchange, const char *const places[ROUTE_PLACES])
{
    status code = exchange_begin(exchange, JSON, REPLY_DATA);

    (void)places;
    if (code == STATUS_OK)
        live_write_list(exchange->live, exchange->body);
    return code;
}

status live_listen(struct exchange *exchange, const char *const places[ROUTE_PLACES])
{
    (void)places;
    return exchange_listen(exchange);
}

/* What was done is told by the id of the source. */
static status tell_source(struct exchange *exchange, const char *id)
{
    status code = exchange_begin(exchange, JSON, REPLY_DATA);
    struct json_out out;

    if (code != STATUS_OK)
        return code;
    json_out_start(&out, exchange->body);
    json_out_object(&out, NULL, JSON_ONE_LINE);
    json_out_text(&out, "source", id);
    json_out_end(&out);
    json_out_finish(&out);
    return STATUS_OK;
}

status live_add(struct exchange *exchange, const char *const places[ROUTE_PLACES])
{
    const char *address = guard_value(&exchange->target, "address");
    const char *token = guard_value(&exchange->target, "program_token");
    char id[LIVE_ID + 1];
    status code;

    (void)places;
    if (!address)
        return status_fail(STATUS_USAGE, "address=HOST:PORT says what is to be followed");
    code = live_connect(exchange->live, address, token && *token ? token : NULL, id);
    /* It may have room later. */
    exchange->busy = code == STATUS_NO;
    return code == STATUS_OK ? tell_source(exchange, id) : code;
}

status live_end(struct exchange *exchange, const char *const places[ROUTE_PLACES])
{
    status code = live_disconnect(exchange->live, places[0]);

    return code == STATUS_OK ? tell_source(exchange, places[0]) : code;
}

status live_set_keep(struct exchange *exchange, const char *const places[ROUTE_PLACES])
{
    const char *text = guard_value(&exchange->target, "seconds");
    int64_t seconds = 0;
    status code;

    if (!text || !number_parse_integer(text, strlen(text), &seconds) || seconds < 0 || seconds > LIVE_KEEP_MOST)
        seconds = 0;
    code = live_keep(exchange->live, places[0], (unsigned)seconds);

    return code == STATUS_OK ? tell_source(exchange, places[0]) : code;
}

/* ---- Traces ---------------------------------------------------------------------------------------------------------- */

static status no_trace(void)
{
    return status_fail(STATUS_NO, "there is no such trace any more: ask which one the source has now");
}

static status answer(struct exchange *exchange, const char *id,
                     status (*write)(struct exchange *exchange, struct kept_trace *trace))
{
    struct kept_trace *trace = live_trace(exchange->live, id);
    status code = trace ? write(exchange, trace) : no_trace();

    kept_trace_drop(trace);
    return code;
}

status live_head(struct exchange *exchange, const char *const places[ROUTE_PLACES])
{
    return answer(exchange, places[0], trace_write_head);
}

status live_block(struct exchange *exchange, const char *const places[ROUTE_PLACES])
{
    return answer(exchange, places[0], trace_write_block);
}

status live_tiles(struct exchange *exchange, const char *const places[ROUTE_PLACES])
{
    return answer(exchange, places[0], trace_write_tiles);
}
