/* format.h: how numbers and texts look to a person.
 *
 * All functions write into a caller's buffer and return the length written (without the NUL they also write).
 */
#ifndef BASE_FORMAT_H
#define BASE_FORMAT_H

#include <stddef.h>
#include <stdint.h>

enum { FORMAT_SIZE = 64 }; /* enough for every number below */

/* A duration: 1.234s, 12.845ms, 453.000µs, 17ns (the micro sign is U+00B5, two bytes). */
size_t format_duration(char *to, int64_t nanoseconds);
/* 12.34% from a part and a whole; 0.00% when the whole is 0. */
size_t format_percent(char *to, int64_t part, int64_t whole);
/* Bytes: 640 B, 1.25 KiB, 3.00 MiB. */
size_t format_bytes(char *to, uint64_t bytes);
/* 1234567 as 1,234,567. */
size_t format_count(char *to, uint64_t count);
/* A time, given in nanoseconds since 1970, in UTC: 2026-11-16T08:30:00Z. */
size_t format_date(char *to, int64_t nanoseconds);

/* Columns that a UTF-8 text takes in a terminal (wide characters count 2, combining ones 0). */
size_t format_width(const char *data, size_t length);
/* Bytes of `data` that fit into `columns`, never splitting a character. */
size_t format_fit(const char *data, size_t length, size_t columns);

#endif
