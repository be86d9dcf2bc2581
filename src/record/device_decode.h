/* device_decode.h: between the halves of fetching markers: words of a buffer into markers, markers into zones.
 *
 * Nothing here owns memory, and nothing fails: what makes no sense is counted.
 */
#ifndef RECORD_DEVICE_DECODE_H
#define RECORD_DEVICE_DECODE_H

#include "tacho/device_host.h"

/* What a marker is. */
enum device_kind { DEVICE_POINT, DEVICE_START, DEVICE_END, DEVICE_SUM };

struct device_marker {
    uint64_t time; /* cycles; of a sum those of the last marker of its processor */
    uint64_t sum;  /* cycles of a sum */
    uint32_t id;   /* number, or hash of a name */
    uint8_t kind;  /* enum device_kind */
    uint8_t risc;  /* enum tacho_device_risc; for who keeps markers of several */
    bool named;    /* it is a hash */
    uint32_t core; /* place among the cores of the launch; likewise */
};

/* The markers of a buffer of `size` words, as the device has them; sums stand behind the others. There is room for
 * size / 3 of them. Adds to markers, dropped, damaged and bad of the report. */
size_t device_decode(const unsigned char *bytes, uint32_t size, struct device_marker *markers,
                     struct tacho_device_report *report);

/* What a marker is called. The event's name is NULL where there is none; `text` has DEVICE_TEXT bytes that it may lie in. */
enum { DEVICE_TEXT = 16 };
void device_name(const struct device_marker *marker, const struct tacho_device_names *names, char *text,
                 struct tacho_device_event *event);

/* Ends of zones with their starts. */
typedef void device_zone(void *context, const struct device_marker *start, const struct device_marker *end);
/* Of one processor's markers. `open` has room for as many numbers as there are markers. Returns how many found no other end. */
uint64_t device_pair(const struct device_marker *markers, size_t count, uint32_t *open, device_zone *zone,
                     void *context);

/* Puts what it is told into the recording; the launch is borrowed. Without calls where nothing is being recorded. */
struct tacho_device_listener device_recorder(const struct tacho_device_launch *launch);

/* A message, cut off where it is too long. NULL: nobody wants it. */
void device_say(char *message, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
