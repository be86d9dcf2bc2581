/* wall_time.c: times around runs, from text and into files. */
#include "job/wall_time.h"

#include "base/number.h"
#include "base/path.h"

enum { LARGEST_FILE = 64 * 1024 };

static const int64_t nanoseconds_of_minute = 60000000000;
static const int64_t longest = 1000000000000000000; /* 31 years */

/* Takes a word that tells whose time it is off the start, with what stands between it and the time. */
static void cut_label(struct text *line)
{
    static const char *const labels[] = { "wall time", "wall_time", "real" };

    for (unsigned i = 0; i < sizeof labels / sizeof *labels; i++) {
        struct text start = { line->data, strlen(labels[i]) };

        if (line->length <= start.length || !text_is_any_case(start, labels[i]))
            continue;
        *line = text_trim(text_between(line->data + start.length, line->data + line->length));
        if (text_cut_start(line, ":"))
            *line = text_trim(*line);
        return;
    }
}

/* Cuts the unit off the end, and gives the power of ten by which its numbers become nanoseconds. */
static int cut_unit(struct text *time)
{
    static const struct {
        const char *name; /* of the unit; longer ones before those that they end with */
        int places;       /* of the decimal point, to the right */
    } units[] = { { "ms", 6 }, { "\xc2\xb5s", 3 }, { "\xce\xbcs", 3 }, { "us", 3 }, { "ns", 0 }, { "s", 9 } };

    for (unsigned i = 0; i < sizeof units / sizeof *units; i++) {
        if (text_cut_end(time, units[i].name)) {
            *time = text_trim(*time);
            return units[i].places;
        }
    }
    return 9;
}

bool wall_time_parse(struct text text, int64_t *nanoseconds)
{
    struct text line, minutes = { NULL, 0 };
    int64_t count = 0, rest;
    int places;

    if (!text_take_line(&text, &line))
        return false;
    cut_label(&line);
    places = cut_unit(&line);
    if (text_first(line, 'm')) {
        minutes = text_take(&line, 'm');
        if (places != 9 || !number_parse_integer(minutes.data, minutes.length, &count))
            return false;
    }
    if (number_parse_scaled(line.data, line.length, places, &rest) != NUMBER_FINE || rest < 0 || count < 0)
        return false;
    if (count > longest / nanoseconds_of_minute || rest > longest)
        return false;
    *nanoseconds = count * nanoseconds_of_minute + rest;
    return true;
}

status wall_time_write(struct text folder, const char *name, uint64_t nanoseconds)
{
    struct path path = { 0 };
    struct output *output;
    status code = path_set(&path, "%.*s%s%s", (int)folder.length, folder.length ? folder.data : "",
                           folder.length ? "/" : "", name);

    if (code == STATUS_OK)
        code = output_open(path.text, &output);
    if (code == STATUS_OK) {
        output_format(output, "%llu.%09llu\n", (unsigned long long)(nanoseconds / 1000000000),
                      (unsigned long long)(nanoseconds % 1000000000));
        code = output_commit(output);
    }
    path_free(&path);
    return code;
}

status wall_time_read(struct job *job, const char *profile, const char *name, int64_t *nanoseconds)
{
    struct path beside = { 0 };
    struct input *input;
    struct text text;
    status code = path_set(&beside, "%.*s%s", (int)(path_name(profile) - profile), profile, name);

    *nanoseconds = -1;
    if (code == STATUS_OK && strcmp(profile, "-") != 0 && input_open(beside.text, &input) == STATUS_OK) {
        if (input_whole(input, LARGEST_FILE, &text) != STATUS_OK)
            text = (struct text){ "", 0 };
        if (!wall_time_parse(text, nanoseconds))
            job_note(job, NOTE_PLAIN, beside.text, "does not hold a number of seconds: it is not shown");
        input_close(input);
    }
    if (code == STATUS_OK)
        status_clear();
    path_free(&beside);
    return code;
}
