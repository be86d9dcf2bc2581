/* perfetto_sequence.c: the start of a packet sequence, and the texts that it has named. */
#include "write/perfetto_sequence.h"

#include <assert.h>

#include "base/memory.h"

status id_map_add(struct id_map *map, string_id id, uint32_t *iid)
{
    size_t page = id >> ID_PAGE_BITS;
    size_t had = map->page_count;
    status result = memory_grow(&map->pages, &map->page_count, page + 1, sizeof *map->pages);

    if (result != STATUS_OK)
        return result;
    for (size_t i = had; i < map->page_count; i++)
        map->pages[i] = NULL;
    assert(!id_map_get(map, id) && "a text is named once in a sequence");
    if (!map->pages[page]) {
        map->pages[page] = memory_allocate_clear(ID_PAGE_SIZE * sizeof **map->pages);
        if (!map->pages[page])
            return status_no_memory("naming a text");
    }
    *iid = ++map->last;
    map->pages[page][id & (ID_PAGE_SIZE - 1)] = *iid;
    return STATUS_OK;
}

void id_map_free(struct id_map *map)
{
    for (size_t i = 0; i < map->page_count; i++)
        memory_free(map->pages[i]);
    memory_free(map->pages);
    *map = (struct id_map){ 0 };
}

void sequence_start(struct sequence *sequence, uint32_t number, bool absolute, bool micro)
{
    unsigned char *end;

    assert(number && "number 0 is no sequence");
    *sequence = (struct sequence){ .absolute = absolute, .micro = micro && !absolute, .number = number };
    end = proto_number(sequence->head, PACKET_SEQUENCE, number);
    end = proto_number(end, PACKET_SEQUENCE_FLAGS, FLAG_NEEDS_STATE);
    sequence->head_size = (uint8_t)(end - sequence->head);
    assert(sequence->head_size <= SEQUENCE_HEAD);
}

void sequence_free(struct sequence *sequence)
{
    id_map_free(&sequence->names);
    id_map_free(&sequence->categories);
    id_map_free(&sequence->keys);
    id_map_free(&sequence->texts);
    memory_free(sequence->named);
}

/* `unit` in ns; 0: this is the trace's own clock. */
static unsigned char *write_clock(unsigned char *to, uint32_t id, uint64_t unit)
{
    unsigned char *clock = to = proto_open(to, SNAPSHOT_CLOCK);

    to = proto_number(to, CLOCK_ID, id);
    to = proto_number(to, CLOCK_TIMESTAMP, 0);
    if (unit)
        to = proto_number(to, CLOCK_IS_INCREMENTAL, 1);
    if (unit > 1)
        to = proto_number(to, CLOCK_UNIT, unit);
    return proto_close(clock, to);
}

unsigned char *sequence_write_start(const struct sequence *sequence, unsigned char *to, uint64_t track_uuid)
{
    unsigned char *packet, *defaults, *event, *snapshot;

    assert(sequence->head_size && "a sequence is started before it is written");
    packet = to = proto_open(to, TRACE_PACKET);
    to = proto_number(to, PACKET_SEQUENCE, sequence->number);
    to = proto_number(to, PACKET_SEQUENCE_FLAGS, FLAG_STATE_CLEARED);
    defaults = to = proto_open(to, PACKET_DEFAULTS);
    if (!sequence->absolute)
        to = proto_number(to, DEFAULTS_CLOCK, CLOCK_OF_SEQUENCE);
    if (track_uuid) {
        event = to = proto_open(to, DEFAULTS_TRACK_EVENT);
        to = proto_number(to, EVENT_TRACK, track_uuid);
        to = proto_close(event, to);
    }
    to = proto_close(defaults, to);
    if (!sequence->absolute) {
        snapshot = to = proto_open(to, PACKET_CLOCK_SNAPSHOT);
        to = write_clock(to, CLOCK_OF_SEQUENCE, sequence->micro ? 1000 : 1);
        to = write_clock(to, CLOCK_BOOTTIME, 0);
        to = proto_close(snapshot, to);
    }
    return proto_close(packet, to);
}
