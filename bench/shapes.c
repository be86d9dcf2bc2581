/* shapes.c: writes a Perfetto trace of plain slices of any shape, for measuring what is done with large ones.
 *
 *     shapes TRACKS SLICES NAMES TRACE.pb [SLICES.bin]
 *
 * Three in eight slices of a track lie on its first line, the others inside of them. Tracks come in turns of some hundred
 * slices, as programs hand over what each of their threads has collected. A track has up to 2,000 of the names, in no order. SLICES.bin gets the slices themselves, so that what is
 * shown can be compared with them: per slice its track, its depth, its start and its end, each as 8 bytes, low ones first.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/strings.h"
#include "trace/feed.h"
#include "write/writer.h"

enum {
    TURN = 300,  /* slices of the first line */
    NAMES = 2000 /* of a track, at most */
};

struct shape {
    uint64_t tracks, slices, names; /* how many of each */
    FILE *raw;                      /* NULL: not wanted */
    struct feed feed;               /* into the trace */
    track_id *ids;                  /* of the tracks */
    int64_t *times;                 /* up to which each is filled */
    string_id *texts;               /* names */
    uint64_t dice;                  /* state of the random numbers */
};

static uint64_t roll(struct shape *shape, uint64_t sides)
{
    shape->dice = shape->dice * 6364136223846793005u + 1442695040888963407u;
    return (shape->dice >> 33) % sides;
}

static status put(struct shape *shape, uint64_t track, uint64_t depth, int64_t start, int64_t end)
{
    const struct slice slice = {
        .track = shape->ids[track],
        .name = shape->texts[(track * NAMES + roll(shape, shape->names < NAMES ? shape->names : NAMES)) % shape->names],
        .op = NO_ID,
        .run = NO_ID,
        .start = start,
        .end = end
    };
    const uint64_t told[] = { track, depth, (uint64_t)start, (uint64_t)end };

    if (shape->raw && fwrite(told, sizeof told, 1, shape->raw) != 1)
        return status_fail(STATUS_OUTPUT, "the slices cannot be written");
    return shape->feed.sink.calls->slice(shape->feed.sink.self, &slice);
}

/* An outer slice with some inside of it. */
static status put_outer(struct shape *shape, uint64_t track, unsigned inner)
{
    int64_t start = shape->times[track] + (int64_t)roll(shape, 400), at = start + (int64_t)roll(shape, 50);
    int64_t starts[2], ends[2];
    status code;

    for (unsigned i = 0; i < inner; i++) {
        starts[i] = at + (int64_t)roll(shape, 60);
        at = ends[i] = starts[i] + 20 + (int64_t)roll(shape, 700);
    }
    shape->times[track] = at + (int64_t)roll(shape, 50);
    code = put(shape, track, 0, start, shape->times[track]);
    for (unsigned i = 0; i < inner && code == STATUS_OK; i++)
        code = put(shape, track, 1, starts[i], ends[i]);
    return code;
}

static status put_tracks(struct shape *shape)
{
    status code = STATUS_OK;
    char name[64];

    for (uint64_t i = 0; i < shape->names && code == STATUS_OK; i++) {
        snprintf(name, sizeof name, "kernel_%llu", (unsigned long long)i);
        code = strings_add_text(shape->feed.strings, name, &shape->texts[i]);
    }
    for (uint64_t i = 0; i < shape->tracks && code == STATUS_OK; i++) {
        struct track track = {
            .parent = NO_ID, .order = (int32_t)i, .clock = NO_ID, .kind = TRACK_SLICES, .engine = &engine_custom
        };

        snprintf(name, sizeof name, "Engine %llu", (unsigned long long)i);
        code = strings_add_text(shape->feed.strings, name, &track.name);
        if (code == STATUS_OK)
            code = feed_track(&shape->feed, track, &shape->ids[i]);
    }
    return code;
}

static status put_all(struct shape *shape)
{
    static const unsigned inner[] = { 2, 2, 1 };
    status code = put_tracks(shape);

    for (uint64_t made = 0; made < shape->slices && code == STATUS_OK;)
        for (uint64_t track = 0; track < shape->tracks; track++)
            for (unsigned i = 0; i < TURN && made < shape->slices && code == STATUS_OK; i++) {
                code = put_outer(shape, track, inner[i % 3]);
                made += 1 + inner[i % 3];
            }
    return code;
}

static status write_shape(struct shape *shape, const char *path)
{
    struct strings *strings = strings_new();
    struct output *output = NULL;
    struct writer writer = { 0 };
    status code = strings ? STATUS_OK : status_no_memory("starting");

    if (code == STATUS_OK)
        code = output_open(path, &output);
    if (code == STATUS_OK)
        code = perfetto_format.open(output, strings, &(struct writer_options){ .arguments = true }, &writer);
    if (code == STATUS_OK) {
        feed_start(&shape->feed, writer.sink, strings);
        code = put_all(shape);
        if (code == STATUS_OK)
            code = sink_finish(&writer.sink);
        feed_free(&shape->feed);
        writer_free(&writer);
    }
    if (output)
        code = output_finish(output, code);
    strings_free(strings);
    return code;
}

int main(int count, char **words)
{
    struct shape shape = { .dice = 1 };
    status code;

    if (count < 5 || count > 6) {
        fprintf(stderr, "usage: shapes TRACKS SLICES NAMES TRACE.pb [SLICES.bin]\n");
        return 2;
    }
    shape.tracks = strtoull(words[1], NULL, 10);
    shape.slices = strtoull(words[2], NULL, 10);
    shape.names = strtoull(words[3], NULL, 10);
    shape.ids = calloc(shape.tracks + 1, sizeof *shape.ids);
    shape.times = calloc(shape.tracks + 1, sizeof *shape.times);
    shape.texts = calloc(shape.names + 1, sizeof *shape.texts);
    shape.raw = count > 5 ? fopen(words[5], "wb") : NULL;
    if (!shape.tracks || !shape.names || !shape.ids || !shape.times || !shape.texts || (count > 5 && !shape.raw)) {
        fprintf(stderr, "shapes: not so many, or not there\n");
        return 2;
    }
    code = write_shape(&shape, words[4]);
    if (shape.raw && fclose(shape.raw) != 0)
        code = STATUS_OUTPUT;
    if (code != STATUS_OK)
        fprintf(stderr, "shapes: %s\n", status_message());
    free(shape.ids);
    free(shape.times);
    free(shape.texts);
    return code == STATUS_OK ? 0 : 1;
}
