/* trace_page_map.c: maps of places, which are kept until it is known where their tracks stand in the page. */
#include <assert.h>
#include <math.h>
#include <stdalign.h>
#include <string.h>

#include "page/trace_page_parts.h"

/* ---- Keeping ---- */

/* NULL stays NULL; `*failed` is set where memory ran out. */
static const char *keep_text(struct arena *arena, const char *text, bool *failed)
{
    const char *copy = text ? arena_copy(arena, text, strlen(text)) : NULL;

    *failed = *failed || (text && !copy);
    return copy;
}

/* A list as it is; NULL where memory ran out. */
static void *keep_list(struct arena *arena, const void *items, size_t count, size_t size, bool *failed)
{
    void *copy = arena_allocate(arena, count * size + 1, alignof(max_align_t));

    *failed = *failed || !copy;
    if (copy && count)
        memcpy(copy, items, count * size);
    return copy;
}

static const char *const *keep_texts(struct arena *arena, const char *const *texts, size_t count, bool *failed)
{
    const char **copies = keep_list(arena, texts, count, sizeof *copies, failed);

    for (size_t i = 0; i < count && !*failed; i++)
        copies[i] = keep_text(arena, copies[i], failed);
    return copies;
}

status page_map_keep(struct trace_page *page, const struct place_map *map)
{
    struct arena *arena = &page->map_texts;
    size_t values = map->place_count * map->statistic_count;
    struct place_statistic *statistics;
    struct map_place *places;
    bool failed = false;
    struct place_map *kept = column_append(&page->maps);

    assert(map->name && map->place && map->statistic_count && map->columns && map->rows);
    if (!kept)
        return status_no_memory("keeping a map");
    *kept = *map;
    kept->name = keep_text(arena, map->name, &failed);
    kept->place = keep_text(arena, map->place, &failed);
    kept->column_names = keep_texts(arena, map->column_names, map->columns, &failed);
    kept->row_names = keep_texts(arena, map->row_names, map->rows, &failed);
    kept->values = keep_list(arena, map->values, values, sizeof *map->values, &failed);
    kept->texts = map->texts ? keep_texts(arena, map->texts, values, &failed) : NULL;
    kept->statistics = statistics =
        keep_list(arena, map->statistics, map->statistic_count, sizeof *statistics, &failed);
    for (size_t i = 0; i < map->statistic_count && !failed; i++) {
        statistics[i].title = keep_text(arena, statistics[i].title, &failed);
        statistics[i].unit = keep_text(arena, statistics[i].unit, &failed);
    }
    kept->places = places = keep_list(arena, map->places, map->place_count, sizeof *places, &failed);
    for (size_t i = 0; i < map->place_count && !failed; i++) {
        assert(places[i].column < map->columns && places[i].row < map->rows);
        places[i].name = keep_text(arena, places[i].name, &failed);
    }
    return failed ? status_no_memory("keeping a map") : STATUS_OK;
}

/* ---- Writing ---- */

static void write_texts(struct json_out *out, const char *key, const char *const *texts, size_t count)
{
    json_out_array(out, key, JSON_TIGHT);
    for (size_t i = 0; i < count; i++)
        json_out_text(out, NULL, texts[i]);
    json_out_end(out);
}

static void write_statistics(struct json_out *out, const struct place_map *map)
{
    json_out_array(out, "statistics", JSON_TIGHT);
    for (size_t i = 0; i < map->statistic_count; i++) {
        json_out_object(out, NULL, JSON_TIGHT);
        json_out_text(out, "title", map->statistics[i].title);
        json_out_text(out, "unit", map->statistics[i].unit);
        json_out_decimal(out, "full", map->statistics[i].full);
        json_out_end(out);
    }
    json_out_end(out);
}

/* Values of a place without a track would be about nothing. */
static void write_place(struct json_out *out, const struct place_map *map, size_t index, const uint32_t *positions)
{
    const struct map_place *place = &map->places[index];
    const double *values = &map->values[index * map->statistic_count];

    json_out_object(out, NULL, JSON_TIGHT);
    json_out_unsigned(out, "column", place->column);
    json_out_unsigned(out, "row", place->row);
    if (place->name)
        json_out_text(out, "name", place->name);
    if (place->track != NO_ID) {
        json_out_integer(out, "track", positions[place->track] == NO_ID ? -1 : (int64_t)positions[place->track]);
        json_out_array(out, "values", JSON_TIGHT);
        for (size_t i = 0; i < map->statistic_count; i++)
            json_out_decimal(out, NULL, values[i]);
        json_out_end(out);
        if (map->texts)
            write_texts(out, "texts", &map->texts[index * map->statistic_count], map->statistic_count);
    }
    json_out_end(out);
}

static void write_map(struct json_out *out, const struct place_map *map, const uint32_t *positions)
{
    json_out_object(out, NULL, JSON_TIGHT);
    json_out_text(out, "name", map->name);
    json_out_text(out, "place", map->place);
    write_texts(out, "columns", map->column_names, map->columns);
    write_texts(out, "rows", map->row_names, map->rows);
    write_statistics(out, map);
    json_out_array(out, "places", JSON_TIGHT);
    for (size_t i = 0; i < map->place_count; i++)
        write_place(out, map, i, positions);
    json_out_end(out);
    json_out_end(out);
}

void page_maps_write(const struct trace_page *page, const uint32_t *positions, struct json_out *out)
{
    json_out_array(out, "maps", JSON_TIGHT);
    for (size_t i = 0; i < page->maps.count; i++)
        write_map(out, column_at(&page->maps, i), positions);
    json_out_end(out);
}
