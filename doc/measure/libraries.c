/* libraries.c: what a library would cost where Tacho has code of its own. Prints ns per item, best of five.
 *
 * How to build and run it is in doc/dependencies.md; it is no part of the build, because it needs libraries that Tacho does
 * not. Each pair does the same work; in brackets is the number of bytes or rows, which shows it (printf writes 1e+06 where we
 * write 1000000.0).
 */
#include <csv.h>
#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/number.h"
#include "base/output.h"
#include "packet.pb-c.h"
#include "read/reader.h"
#include "table/json.h"
#include "torq/chain.h"
#include "write/proto.h"

enum { ROUNDS = 5, ITEMS = 1000000 };

static unsigned char packed[ITEMS * 20];
static uint64_t seen; /* keeps the compiler from leaving work out */

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* ---- protobuf ---- */

static size_t pack_library(void)
{
    size_t size = 0;

    for (uint64_t i = 0; i < ITEMS; i++) {
        TrackEvent event = TRACK_EVENT__INIT;
        TracePacket packet = TRACE_PACKET__INIT;
        TracePacket *packets[1] = { &packet };
        Trace trace = TRACE__INIT;

        event.has_type = event.has_name_iid = 1;
        event.type = 1;
        event.name_iid = i % 100 + 1;
        packet.has_timestamp = packet.has_trusted_packet_sequence_id = packet.has_sequence_flags = 1;
        packet.timestamp = i % 5000;
        packet.trusted_packet_sequence_id = 3;
        packet.sequence_flags = 2;
        packet.track_event = &event;
        trace.n_packet = 1;
        trace.packet = packets;
        size += trace__pack(&trace, packed + size);
    }
    return size;
}

static size_t pack_own(void)
{
    unsigned char *to = packed;

    for (uint64_t i = 0; i < ITEMS; i++) {
        unsigned char *packet = to = proto_open(to, 1);
        unsigned char *event;

        to = proto_number(to, 8, i % 5000);
        to = proto_number(to, 10, 3);
        event = to = proto_open(to, 11);
        to = proto_number(to, 9, 1);
        to = proto_number(to, 10, i % 100 + 1);
        to = proto_close(event, to);
        to = proto_number(to, 13, 2);
        to = proto_close(packet, to);
    }
    return (size_t)(to - packed);
}

/* ---- JSON ---- */

static size_t json_library(void)
{
    size_t size = 0;

    for (int64_t i = 0; i < ITEMS; i++) {
        struct json_object *event = json_object_new_object();

        json_object_object_add(event, "name", json_object_new_string("tosa.conv2d@L4"));
        json_object_object_add(event, "ph", json_object_new_string("B"));
        json_object_object_add(event, "ts", json_object_new_int64(i));
        json_object_object_add(event, "tid", json_object_new_int64(i % 100));
        size += strlen(json_object_to_json_string_ext(event, JSON_C_TO_STRING_PLAIN));
        json_object_put(event);
    }
    return size;
}

static size_t json_own(void)
{
    struct output *output;
    size_t size = 0;

    if (output_open("/dev/null", &output) != STATUS_OK)
        exit(1);
    for (int64_t i = 0; i < ITEMS; i++) {
        output_write(output, "{\"name\":", 8);
        json_write_string(output, "tosa.conv2d@L4", 14);
        output_write(output, ",\"ph\":\"B\",\"ts\":", 15);
        json_write_integer(output, i);
        output_write(output, ",\"tid\":", 7);
        json_write_integer(output, i % 100);
        output_write(output, "}", 1);
    }
    size = output_written(output);
    return output_commit(output) == STATUS_OK ? size : 0;
}

/* ---- shortest doubles ---- */

static double divisor; /* 1000: times in ms; 7919: percentages, which need all their digits */

static double decimal(uint64_t i)
{
    return (double)(i * 2654435761u % 1000000007u) / divisor;
}

/* The least number of digits that reads back, as printf can find it; of 17 it is known that they need 15 or more. */
static size_t shortest_library(void)
{
    size_t size = 0;
    char text[40];

    for (uint64_t i = 0; i < ITEMS; i++) {
        double value = decimal(i);
        int digits = divisor == 1000 ? 1 : 15;

        do {
            snprintf(text, sizeof text, "%.*g", digits++, value);
        } while (strtod(text, NULL) != value);
        size += strlen(text);
    }
    return size;
}

static size_t shortest_own(void)
{
    size_t size = 0;
    char text[40];

    for (uint64_t i = 0; i < ITEMS; i++) {
        size_t length = number_write_shortest(text, decimal(i));

        /* Whole numbers have ".0" here and none in printf's text. */
        size += length - (length > 2 && memcmp(text + length - 2, ".0", 2) == 0 ? 2 : 0);
    }
    return size;
}

/* ---- CSV ---- */

static const char *csv_path;

static void count_field(void *field, size_t length, void *context)
{
    (void)field;
    (void)context;
    seen += length;
}

static void count_row(int end, void *context)
{
    (void)end;
    ++*(size_t *)context;
}

static size_t csv_library(void)
{
    static char chunk[1 << 20];
    struct csv_parser parser;
    size_t rows = 0, got;
    FILE *file = fopen(csv_path, "rb");

    if (!file || csv_init(&parser, 0) != 0)
        exit(1);
    while ((got = fread(chunk, 1, sizeof chunk, file)) > 0)
        csv_parse(&parser, chunk, got, count_field, count_row, &rows);
    csv_fini(&parser, count_field, count_row, &rows);
    csv_free(&parser);
    fclose(file);
    return rows;
}

/* The whole reader: numbers, engines, operators, slices into a sink that keeps nothing. */
static size_t csv_own(void)
{
    static const struct sink_calls calls = { 0 };
    struct strings *strings = strings_new();
    struct source source = { .path = csv_path, .clock_numerator = 800, .clock_denominator = 1, .slices = 2 };
    struct feed feed;
    size_t rows;

    if (!strings || input_open(csv_path, &source.input) != STATUS_OK)
        exit(1);
    feed_start(&feed, (struct sink){ &calls, NULL }, strings, NULL);
    if (torq_compile_reader.read(&source, &feed) != STATUS_OK)
        exit(1);
    rows = feed.losses.used;
    feed_free(&feed);
    input_close(source.input);
    strings_free(strings);
    return rows;
}

static void measure(const char *what, size_t (*work)(void), double items)
{
    double best = 1e30;
    size_t result = 0;

    for (int i = 0; i < ROUNDS; i++) {
        double start = now();

        result = work();
        best = fmin(best, now() - start);
    }
    printf("%-48s %8.1f ns each   (%zu)\n", what, best / (items ? items : (double)result), result);
}

int main(int count, char **arguments)
{
    measure("protobuf packet, protobuf-c", pack_library, ITEMS);
    measure("protobuf packet, write/proto.h", pack_own, ITEMS);
    measure("JSON event, json-c", json_library, ITEMS);
    measure("JSON event, write/json.c", json_own, ITEMS);
    divisor = 1000;
    measure("12.845 and the like, printf until it reads back", shortest_library, ITEMS);
    measure("12.845 and the like, base/number.c", shortest_own, ITEMS);
    divisor = 7919;
    measure("17 digits, printf until it reads back", shortest_library, ITEMS);
    measure("17 digits, base/number.c", shortest_own, ITEMS);
    if (count > 1) {
        csv_path = arguments[1];
        measure("CSV row split into fields, libcsv", csv_library, 0);
        measure("CSV row read to a slice, read/torq_compile.c", csv_own, 0);
    }
    return seen == UINT64_MAX;
}
