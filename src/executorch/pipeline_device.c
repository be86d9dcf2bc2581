/* pipeline_device.c: what the model runs on, and which ExecuTorch the runners come from. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "base/input.h"
#include "base/strings.h"
#include "executorch/pipeline.h"

enum { LARGEST_INFORMATION = 4 * 1024 * 1024, QUICK_MS = 20000 };

status pipeline_capture(struct pipeline *pipeline, const char *const *arguments, uint64_t limit, uint64_t timeout_ms,
                        struct process_result *result, const char **text)
{
    struct process_request request = { .arguments = arguments, .limit = limit, .timeout_ms = timeout_ms };
    const char *captured;
    size_t length = 0;
    status code = output_open_memory(&request.output);

    if (code != STATUS_OK)
        return code;
    code = process_run(&request, result);
    captured = output_memory(request.output, &length);
    *text = code == STATUS_OK && captured ? arena_copy(&pipeline->arena, captured, length) : NULL;
    output_abandon(request.output);
    return code != STATUS_OK || *text ? code : status_no_memory("running a program");
}

/* ---- Texts of lines "key : value" ---- */

static struct text trim(const char *data, size_t length)
{
    while (length && strchr(" \t\r\n", data[length - 1]))
        length--;
    while (length && strchr(" \t", *data)) {
        data++;
        length--;
    }
    return (struct text){ data, length };
}

/* The value of the first line whose key is this; length 0: there is none. */
static struct text value_of(const char *lines, const char *key)
{
    size_t key_length = strlen(key);

    while (lines && *lines) {
        size_t length = strcspn(lines, "\n");
        const char *colon = memchr(lines, ':', length);

        if (colon) {
            struct text name = trim(lines, (size_t)(colon - lines));

            if (name.length == key_length && memcmp(name.data, key, key_length) == 0)
                return trim(colon + 1, length - (size_t)(colon + 1 - lines));
        }
        lines += length + (lines[length] == '\n');
    }
    return (struct text){ "", 0 };
}

static uint32_t count_of(const char *lines, const char *key)
{
    size_t key_length = strlen(key);
    uint32_t count = 0;

    for (; lines && *lines; lines += strcspn(lines, "\n"), lines += *lines == '\n')
        count += strncmp(lines, key, key_length) == 0 && strchr(" \t:", lines[key_length]);
    return count;
}

/* getprop prints "[ro.product.model]: [Pixel 9]". */
static const char *property(struct pipeline *pipeline, const char *properties, const char *name)
{
    char key[96];
    struct text value;

    snprintf(key, sizeof key, "[%s]", name);
    value = value_of(properties, key);
    if (value.length < 2 || *value.data != '[' || value.data[value.length - 1] != ']')
        return "";
    return arena_copy(&pipeline->arena, value.data + 1, value.length - 2);
}

static const char *copy(struct pipeline *pipeline, struct text text)
{
    return arena_copy(&pipeline->arena, text.data, text.length);
}

static const char *first_filled(const char *one, const char *other)
{
    return one && *one ? one : other;
}

/* "maker thing", where the thing does not name its maker already. */
static const char *with_maker(struct pipeline *pipeline, const char *maker, const char *thing)
{
    if (!maker || !thing)
        return NULL;
    if (!*maker || !*thing || strcasestr(thing, maker))
        return first_filled(thing, maker);
    return pipeline_text(pipeline, "%s %s", maker, thing);
}

/* Arm cores without a name are known by numbers. */
static const char *arm_part(struct pipeline *pipeline, const char *information)
{
    struct text maker = value_of(information, "CPU implementer");
    struct text part = value_of(information, "CPU part");

    if (!part.length)
        return "";
    return pipeline_text(pipeline, "CPU implementer %.*s part %.*s", (int)maker.length, maker.data, (int)part.length,
                         part.data);
}

static status describe_cpu(struct pipeline *pipeline, const char *information)
{
    struct pipeline_device *device = &pipeline->device;
    struct text name = value_of(information, "model name");
    struct text features = value_of(information, "Features");

    if (!name.length)
        name = value_of(information, "Hardware");
    if (!features.length)
        features = value_of(information, "flags");
    device->cores = count_of(information, "processor");
    device->features = copy(pipeline, features);
    if (!device->cpu || !*device->cpu)
        device->cpu = name.length ? copy(pipeline, name) : arm_part(pipeline, information);
    return device->features && device->cpu ? STATUS_OK : status_no_memory("describing the device");
}

static status check_device(const struct pipeline_device *device)
{
    if (device->architecture && device->os && device->version && device->cpu && device->model && device->features)
        return STATUS_OK;
    return status_no_memory("describing the device");
}

status pipeline_describe_android(struct pipeline *pipeline, const char *properties, const char *cpu_information)
{
    struct pipeline_device *device = &pipeline->device;
    const char *release = property(pipeline, properties, "ro.build.version.release");
    const char *level = property(pipeline, properties, "ro.build.version.sdk");
    status code;

    device->architecture = property(pipeline, properties, "ro.product.cpu.abi");
    device->os = "Android";
    device->version =
        release && level && *release && *level ? pipeline_text(pipeline, "%s (API %s)", release, level) : release;
    device->model = with_maker(pipeline, property(pipeline, properties, "ro.product.manufacturer"),
                               property(pipeline, properties, "ro.product.model"));
    device->cpu = with_maker(pipeline, property(pipeline, properties, "ro.soc.manufacturer"),
                             property(pipeline, properties, "ro.soc.model"));
    code = describe_cpu(pipeline, cpu_information);
    return code == STATUS_OK ? check_device(device) : code;
}

/* ---- This machine ---- */

/* A file's text; "" where there is none. */
static const char *file_text(struct pipeline *pipeline, const char *path)
{
    struct input *input;
    struct text text;
    const char *made = "";

    if (input_open(path, &input) != STATUS_OK)
        return "";
    if (input_whole(input, LARGEST_INFORMATION, &text) == STATUS_OK)
        made = arena_copy(&pipeline->arena, text.data, text.length);
    input_close(input);
    return made ? made : "";
}

/* What a small program prints, without its line end; "" where it fails. */
static status program_text(struct pipeline *pipeline, const char *const *arguments, const char **text)
{
    struct process_result result;
    status code = pipeline_capture(pipeline, arguments, LARGEST_INFORMATION, QUICK_MS, &result, text);

    if (code != STATUS_OK)
        return code;
    *text = process_succeeded(&result) ? copy(pipeline, trim(*text, strlen(*text))) : "";
    return *text ? STATUS_OK : status_no_memory("describing the device");
}

/* "hw.optional.arm.FEAT_SME2: 1" becomes "FEAT_SME2". */
static const char *features_of_sysctl(struct pipeline *pipeline, const char *lines)
{
    char *made = arena_allocate(&pipeline->arena, strlen(lines) + 1, 1);
    char *to = made;

    if (!made)
        return NULL;
    while (*lines) {
        size_t length = strcspn(lines, "\n");
        size_t name = strcspn(lines, ":\n");

        if (length > 3 && memcmp(lines + length - 3, ": 1", 3) == 0 && name == length - 3) {
            size_t start = name;

            while (start && lines[start - 1] != '.')
                start--;
            if (to > made)
                *to++ = ' ';
            memcpy(to, lines + start, name - start);
            to += name - start;
        }
        lines += length + (lines[length] == '\n');
    }
    *to = '\0';
    return made;
}

static status describe_darwin(struct pipeline *pipeline)
{
    static const char *const version[] = { "sw_vers", "-productVersion", NULL };
    static const char *const brand[] = { "sysctl", "-n", "machdep.cpu.brand_string", NULL };
    static const char *const model[] = { "sysctl", "-n", "hw.model", NULL };
    static const char *const cores[] = { "sysctl", "-n", "hw.logicalcpu", NULL };
    static const char *const features[] = { "sysctl", "hw.optional", NULL };
    struct pipeline_device *device = &pipeline->device;
    const char *text = "", *number = "";
    status code = program_text(pipeline, version, &device->version);

    device->os = "macOS";
    if (code == STATUS_OK)
        code = program_text(pipeline, brand, &device->cpu);
    if (code == STATUS_OK)
        code = program_text(pipeline, model, &device->model);
    if (code == STATUS_OK)
        code = program_text(pipeline, cores, &number);
    if (code == STATUS_OK)
        code = program_text(pipeline, features, &text);
    if (code != STATUS_OK)
        return code;
    device->cores = (uint32_t)strtoul(number, NULL, 10);
    device->features = features_of_sysctl(pipeline, text);
    return STATUS_OK;
}

/* PRETTY_NAME="Debian GNU/Linux 12 (bookworm)" */
static const char *linux_version(struct pipeline *pipeline, const char *release)
{
    const char *lines = file_text(pipeline, "/etc/os-release");
    const char *found = strstr(lines, "PRETTY_NAME=\"");
    size_t length = found ? strcspn(found + 13, "\"\n") : 0;

    if (!length)
        return pipeline_text(pipeline, "%s", release);
    return pipeline_text(pipeline, "%.*s, kernel %s", (int)length, found + 13, release);
}

static status describe_linux(struct pipeline *pipeline, const char *release)
{
    struct pipeline_device *device = &pipeline->device;
    const char *board = file_text(pipeline, "/proc/device-tree/model");

    device->os = "Linux";
    device->version = linux_version(pipeline, release);
    if (!*board)
        board = file_text(pipeline, "/sys/devices/virtual/dmi/id/product_name");
    device->model = copy(pipeline, trim(board, strlen(board)));
    return describe_cpu(pipeline, file_text(pipeline, "/proc/cpuinfo"));
}

status pipeline_describe_here(struct pipeline *pipeline)
{
    struct utsname name;
    status code;

    if (uname(&name) != 0)
        return STATUS_OK;
    pipeline->device.architecture = pipeline_text(pipeline, "%s", name.machine);
    code = strcmp(name.sysname, "Darwin") == 0 ? describe_darwin(pipeline) : describe_linux(pipeline, name.release);
    if (code == STATUS_OK)
        code = check_device(&pipeline->device);
    return code;
}

/* ---- ExecuTorch ---- */

/* The tree above a runner: the folder called executorch that is a git checkout. */
static const char *tree_of_runner(struct pipeline *pipeline, const char *runner)
{
    const char *at = runner;
    struct stat there;

    while ((at = strstr(at, "executorch/"))) {
        size_t length = (size_t)(at - runner) + strlen("executorch");
        const char *git;

        at += strlen("executorch/");
        if (at - strlen("executorch/") > runner && at[-(ptrdiff_t)strlen("executorch/") - 1] != '/')
            continue;
        git = pipeline_text(pipeline, "%.*s/.git", (int)length, runner);
        if (git && stat(git, &there) == 0)
            return pipeline_text(pipeline, "%.*s", (int)length, runner);
    }
    return NULL;
}

status pipeline_describe_tree(struct pipeline *pipeline)
{
    const char *folder = getenv("EXECUTORCH_DIR");
    const char *head[] = { "git", "-C", NULL, "rev-parse", "HEAD", NULL };
    const char *changes[] = { "git", "-C", NULL, "status", "--porcelain", "--untracked-files=no", NULL };
    const char *text = "";
    status code;

    pipeline->tree = (struct pipeline_tree){ .sha = "" };
    for (size_t i = 0; i < pipeline->config.experiment_count && (!folder || !*folder); i++)
        if (pipeline->config.experiments[i].runner_path)
            folder = tree_of_runner(pipeline, pipeline->config.experiments[i].runner_path);
    if (!folder || !*folder)
        return STATUS_OK;
    head[2] = changes[2] = folder;
    code = program_text(pipeline, head, &pipeline->tree.sha);
    if (code == STATUS_OK && *pipeline->tree.sha)
        code = program_text(pipeline, changes, &text);
    pipeline->tree.present = *pipeline->tree.sha;
    pipeline->tree.dirty = *text;
    return code;
}
