/* names.c: names of operators from locations. */
#include "torq/names.h"

#include <stdio.h>

#include "torq/location.h"
#include "torq/origin.h"

/* "tosa.conv2d@L4 + tosa.add@L5": the callee places whose line names an operator, each once. */
static status name_from_origin(struct origin *origin, struct feed *feed, const struct location *location, struct op *op)
{
    enum { MOST = 3 };
    char name[512];
    size_t length = 0;
    unsigned named = 0;
    unsigned places = location->count < LOCATION_PLACES ? location->count : LOCATION_PLACES;

    for (unsigned i = 0; i < places; i++) {
        const struct location_place *place = &location->places[i];
        string_id found = 0;
        char part[256];
        status code;

        if (place->caller)
            continue;
        code = origin_operator(origin, place->file, place->line, &found);
        if (code != STATUS_OK)
            return code;
        if (!found)
            continue;
        snprintf(part, sizeof part, "%s@L%u", strings_text(feed->strings, found), place->line);
        if (length && strstr(name, part))
            continue;
        if (!named++)
            op->type = found;
        if (named <= MOST && length < sizeof name)
            length += (size_t)snprintf(name + length, sizeof name - length, "%s%s", length ? " + " : "", part);
    }
    if (!named)
        return STATUS_OK;
    if (named > MOST && length < sizeof name)
        length += (size_t)snprintf(name + length, sizeof name - length, " (+%u more)", named - MOST);
    return strings_add_text(feed->strings, name, &op->name);
}

static bool names_nothing(struct text location)
{
    return location.length == 0 || text_is(location, "unknown") || text_is(location, "loc(unknown)") ||
           text_is(location, "loc(?)");
}

static status name_operator(const void *context, struct feed *feed, struct op *op, bool *none)
{
    struct origin *origin = (struct origin *)(uintptr_t)context;
    struct text text = strings_get(feed->strings, op->location);
    struct location location;
    char brief[512];
    status code = STATUS_OK;

    *none = names_nothing(text);
    if (*none)
        return STATUS_OK;
    location_parse(text.data, text.length, &location);
    for (unsigned i = 0; i < location.count && i < LOCATION_PLACES && !op->line; i++) {
        const struct location_place *place = &location.places[i];

        code = strings_add(feed->strings, place->file.data, place->file.length, &op->file);
        op->line = place->line;
        op->column = place->column;
    }
    if (code == STATUS_OK)
        code =
            strings_add(feed->strings, brief, location_short(text.data, text.length, brief, sizeof brief), &op->place);
    if (code == STATUS_OK && origin)
        code = name_from_origin(origin, feed, &location, op);
    if (!op->name)
        op->name = op->place;
    return code;
}

void torq_names_start(struct source *source, struct feed *feed)
{
    feed_set_namer(feed, (struct namer){ name_operator, source_companion(source, "origin") });
}

status torq_names_finish(struct source *source, struct feed *feed)
{
    const struct origin *origin = source_companion(source, "origin");
    bool unreadable = false;
    const char *missing = origin ? origin_missing(origin, &unreadable) : NULL;
    string_id note;
    status code = STATUS_OK;

    if (missing)
        code = strings_add_format(feed->strings, &note,
                                  "%s %s: its operators have no names (--source-dir, --original-mlir)", missing,
                                  unreadable ? "cannot be read" : "was not found");
    if (missing && code == STATUS_OK)
        source_note(source, strings_text(feed->strings, note));
    return code;
}
