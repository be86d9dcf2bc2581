/* add_two_ints.c: adds two rows of numbers on a core of five processors, and either profiles the kernels or lets them print.
 *
 *     add_two_ints [--back-end threads|qemu] [--profile-device | --print] [--numbers] [--tiles N] [--launches N] [--folder DIR]
 *
 * With --profile-device and TT_METAL_DEVICE_PROFILER=1 the markers of each launch are appended to
 * tt_metal/tools/profiler/logs/profile_log_device.csv, or to the one in the folder given, which `tacho device` reads.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacho/device_host.h>

#include "back_end.h"

enum { FAILED = 1, USAGE = 2, FIRST_RUN = 1024 /* run host IDs are multiples of it */ };

struct options {
    const struct back_end *back_end; /* what runs the kernels */
    bool profile_device;             /* markers are taken */
    bool print;                      /* debug print was asked for */
    bool numbers;                    /* the log has numbers, not names */
    uint32_t tiles, launches;        /* how many */
    const char *folder;              /* of the log; NULL: the usual one */
};

static int complain(int code, const char *what)
{
    fprintf(stderr, "add_two_ints: %s\n", what);
    return code;
}

/* ---- Options ---- */

static bool read_count(const char *text, uint32_t most, uint32_t *count)
{
    char *end;
    unsigned long value = text ? strtoul(text, &end, 10) : 0;

    if (!text || *end || !value || value > most)
        return false;
    *count = (uint32_t)value;
    return true;
}

static bool read_option(struct options *options, const char *option, const char *value, bool *used)
{
    *used = false;
    if (strcmp(option, "--profile-device") == 0)
        return options->profile_device = true;
    if (strcmp(option, "--print") == 0)
        return options->print = true;
    if (strcmp(option, "--numbers") == 0)
        return options->numbers = true;
    *used = true;
    if (strcmp(option, "--tiles") == 0)
        return read_count(value, MOST_TILES, &options->tiles);
    if (strcmp(option, "--launches") == 0)
        return read_count(value, 1000, &options->launches);
    if (strcmp(option, "--folder") == 0)
        return (options->folder = value) != NULL;
    if (strcmp(option, "--back-end") == 0 && value) {
        options->back_end = strcmp(value, "qemu") == 0      ? &qemu_back_end
                            : strcmp(value, "threads") == 0 ? &threads_back_end
                                                            : NULL;
        return options->back_end != NULL;
    }
    return false;
}

static int read_options(struct options *options, char **arguments)
{
    bool used;

    for (; *arguments; arguments += 1 + used)
        if (!read_option(options, arguments[0], arguments[1], &used))
            return complain(USAGE,
                            "usage: add_two_ints [--back-end threads|qemu] [--profile-device | --print] [--numbers] "
                            "[--tiles N] [--launches N] [--folder DIR]");
    if (options->profile_device && options->print)
        return complain(
            USAGE, "debug print cannot be used in kernels that are being profiled: both keep what they have in the "
                   "same memory; give --profile-device or --print");
    if (options->launches > 1 && options->back_end->one_launch)
        return complain(USAGE, "this back end has one launch: its clock begins anew with each");
    return 0;
}

/* ---- What came out ---- */

static int check_sums(const struct options *options, const struct core_memory *given)
{
    static uint32_t sums[MOST_TILES * TILE];

    if (options->back_end->read(CORE_ADDRESS + offsetof(struct core_memory, sums), sizeof sums, sums) != 0)
        return complain(FAILED, "the sums could not be read");
    for (uint32_t i = 0; i < options->tiles * TILE; i++)
        if (sums[i] != given->one[i] + given->other[i])
            return complain(FAILED, "a sum is wrong");
    return 0;
}

static int show_prints(const struct options *options)
{
    for (uint32_t risc = 0; risc < PROCESSORS; risc++) {
        uint32_t words[TACHO_DEVICE_WORDS];
        const char *text = (const char *)(words + 1), *end;

        if (options->back_end->read(CORE_ADDRESS + offsetof(struct core_memory, debug) + risc * sizeof words,
                                    sizeof words, words) != 0 ||
            words[0] > sizeof words - sizeof *words)
            return complain(FAILED, "what was printed could not be read");
        for (const char *last = text + words[0]; text < last; text = end + 1) {
            end = memchr(text, '\n', (size_t)(last - text));
            if (!end) /* the rest found no room */
                break;
            printf("0, 0, %s: %.*s\n", tacho_device_risc_name((enum tacho_device_risc)risc), (int)(end - text), text);
        }
    }
    return 0;
}

static int read_core(void *context, uint32_t x, uint32_t y, enum tacho_device_risc risc, uint64_t address, size_t size,
                     void *bytes)
{
    const struct options *options = context;

    (void)x; /* there is one core */
    (void)y;
    (void)risc;
    return options->back_end->read(address, size, bytes);
}

static int fetch(struct options *options, uint32_t number, const struct tacho_device_names *names)
{
    static const struct tacho_device_core core = { 0, 0, 0 };
    struct tacho_device_launch launch = {
        .architecture = options->back_end->architecture,
        .megahertz = options->back_end->megahertz,
        .generation = options->numbers ? TACHO_DEVICE_NUMBERED : TACHO_DEVICE_ZONED,
        .run_host_id = number * FIRST_RUN,
        .cores = &core,
        .core_count = 1,
        .read = read_core,
        .context = options,
        .names = names,
        .folder = options->folder,
    };
    struct tacho_device_report report;
    enum tacho_device_status status;

    for (uint32_t risc = 0; risc < PROCESSORS; risc++)
        launch.addresses[risc] =
            CORE_ADDRESS + offsetof(struct core_memory, debug) + risc * sizeof(uint32_t[TACHO_DEVICE_WORDS]);
    status = tacho_device_fetch(&launch, &report);
    if (status == TACHO_DEVICE_OFF)
        return complain(0, "the markers were not fetched: set TT_METAL_DEVICE_PROFILER=1");
    if (report.message[0])
        complain(0, report.message);
    if (status == TACHO_DEVICE_OK)
        printf("launch %u: %llu markers written\n", number, (unsigned long long)report.written);
    return status == TACHO_DEVICE_OK ? 0 : FAILED;
}

/* ---- Launches ---- */

static int run_launch(struct options *options, uint32_t number, const struct tacho_device_names *names)
{
    static struct core_memory core;
    char message[MESSAGE] = "";
    int code = 0;

    core.tiles = options->tiles;
    for (uint32_t i = 0; i < options->tiles * TILE; i++) {
        core.one[i] = i;
        core.other[i] = 1000 * number;
    }
    if (options->back_end->launch(&core, options->profile_device, message) != 0)
        code = complain(FAILED, message);
    if (!code)
        code = check_sums(options, &core);
    if (!code)
        code = options->profile_device ? fetch(options, number, names) : show_prints(options);
    options->back_end->stop();
    if (!code)
        printf("launch %u: %u sums are right\n", number, options->tiles * TILE);
    return code;
}

int main(int count, char **arguments)
{
    struct options options = { .back_end = &threads_back_end, .tiles = 4, .launches = 1 };
    struct tacho_device_names *names = NULL;
    int code = read_options(&options, arguments + (count > 0));

    if (!code && options.profile_device && !options.numbers) {
        char path[PATH], message[TACHO_DEVICE_MESSAGE];

        options.back_end->names(path);
        if (tacho_device_names_read(&names, path, message) != TACHO_DEVICE_OK)
            complain(0, message);
    }
    for (uint32_t number = 1; number <= options.launches && !code; number++)
        code = run_launch(&options, number, names);
    tacho_device_names_free(names);
    return code;
}
