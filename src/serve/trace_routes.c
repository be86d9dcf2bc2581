/* trace_routes.c: from an address to what it asks of a served trace. */
#include "serve/trace_routes.h"

#include <assert.h>
#include <string.h>

#include "base/number.h"

#define BINARY "application/octet-stream"

/* A whole number, all of a text. */
static status read_number(const char *what, const char *text, int64_t least, int64_t most, int64_t *value)
{
    if (!text || !number_parse_integer(text, strlen(text), value) || *value < least || *value > most)
        return status_fail(STATUS_USAGE, "%s is to be a whole number from %lld to %lld", what, (long long)least,
                           (long long)most);
    return STATUS_OK;
}

/* The same of the query, where it may be missing. */
static status read_value(const struct exchange *exchange, const char *name, int64_t least, int64_t most, int64_t *value)
{
    const char *text = guard_value(&exchange->target, name);

    return text ? read_number(name, text, least, most, value) : STATUS_OK;
}

/* ---- The head -------------------------------------------------------------------------------------------------------- */

status trace_write_head(struct exchange *exchange, struct kept_trace *trace)
{
    int64_t after = 0;
    status code = read_value(exchange, "after", 0, INT64_MAX, &after);

    if (code == STATUS_OK)
        code = exchange_begin(exchange, "application/json", REPLY_DATA);
    if (code == STATUS_OK)
        kept_trace_write_head(trace, (uint64_t)after, exchange->body);
    return code;
}

status trace_head(struct exchange *exchange, const char *const places[ROUTE_PLACES])
{
    return exchange_ask_trace(exchange, places[0], trace_write_head);
}

/* ---- Blocks ---------------------------------------------------------------------------------------------------------- */

status trace_write_block(struct exchange *exchange, struct kept_trace *trace)
{
    const struct guard_target *target = &exchange->target;
    int64_t place[3];
    status code = STATUS_OK;

    assert(target->piece_count > 3);
    for (unsigned i = 0; i < 3 && code == STATUS_OK; i++)
        code =
            read_number("a number of a place", target->pieces[target->piece_count - 3 + i], 0, UINT32_MAX, &place[i]);
    if (code == STATUS_OK)
        code = exchange_begin(exchange, BINARY, REPLY_DATA);
    if (code == STATUS_OK)
        code =
            kept_trace_write_block(trace, (uint32_t)place[0], (uint32_t)place[1], (uint32_t)place[2], exchange->body);
    return code;
}

status trace_block(struct exchange *exchange, const char *const places[ROUTE_PLACES])
{
    return exchange_ask_trace(exchange, places[0], trace_write_block);
}

/* ---- Tiles ----------------------------------------------------------------------------------------------------------- */

/* "3,5-9": numbers and stretches of them. */
static status read_rows(const char *text, struct tiles *tiles)
{
    while (text && *text) {
        size_t length = strcspn(text, ","), first = strcspn(text, ",-");
        char part[2][16] = { "", "" };
        int64_t from, to;
        status code;

        if (first >= sizeof part[0] || length - first >= sizeof part[1])
            return status_fail(STATUS_USAGE, "rows are numbers such as 3,5-9");
        memcpy(part[0], text, first);
        if (first < length)
            memcpy(part[1], text + first + 1, length - first - 1);
        code = read_number("a row", part[0], 0, UINT32_MAX - 1, &from);
        to = from;
        if (code == STATUS_OK && first < length)
            code = read_number("a row", part[1], from, UINT32_MAX - 1, &to);
        if (code != STATUS_OK)
            return code;
        for (int64_t row = from; row <= to; row++) {
            if (tiles->row_count == TILE_ROWS)
                return status_fail(STATUS_USAGE, "up to %d rows are asked for at once", TILE_ROWS);
            tiles->rows[tiles->row_count++] = (uint32_t)row;
        }
        text += length + (text[length] == ',');
    }
    return STATUS_OK;
}

static status read_tiles(const struct exchange *exchange, struct tiles *tiles)
{
    const struct guard_target *target = &exchange->target;
    const int64_t most = (int64_t)1 << 60;
    int64_t columns = 0, wide = 0, generation = 0;
    status code = read_number("from", guard_value(target, "from"), -most, most, &tiles->from);

    if (code == STATUS_OK)
        code = read_number("to", guard_value(target, "to"), -most, most, &tiles->to);
    if (code == STATUS_OK)
        code = read_number("columns", guard_value(target, "columns"), 1, TILE_COLUMNS, &columns);
    if (code == STATUS_OK)
        code = read_value(exchange, "wide", 0, INT64_MAX, &wide);
    if (code == STATUS_OK)
        code = read_value(exchange, "generation", 0, INT64_MAX, &generation);
    if (code == STATUS_OK)
        code = read_rows(guard_value(target, "rows"), tiles);
    tiles->columns = (uint32_t)columns;
    tiles->wide = (uint64_t)wide;
    tiles->generation = (uint64_t)generation;
    return code;
}

status trace_write_tiles(struct exchange *exchange, struct kept_trace *trace)
{
    struct tiles tiles = { 0 };
    status code = read_tiles(exchange, &tiles);

    if (code == STATUS_OK)
        code = exchange_begin(exchange, BINARY, REPLY_DATA);
    return code == STATUS_OK ? kept_trace_write_tiles(trace, &tiles, exchange->body) : code;
}

status trace_tiles(struct exchange *exchange, const char *const places[ROUTE_PLACES])
{
    return exchange_ask_trace(exchange, places[0], trace_write_tiles);
}
