/* pipeline_device.c: what the model runs on, and which ExecuTorch the runners come from. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/input.h"
#include "base/path.h"
#include "executorch/pipeline.h"

enum { LARGEST_INFORMATION = 4 * 1024 * 1024, QUICK_MS = 20000 };

status pipeline_capture(struct pipeline *pipeline, const char *const *arguments, uint64_t limit, uint64_t timeout_ms,
                        struct process_result *result, const char **text)
{
    struct process_request request = { .arguments = arguments, .limit = limit, .timeout_ms = timeout_ms };
    const char *captured;
    size_t length = 0;
    status code = output_open_memory(&request.output);

    assert(arguments && *arguments && limit);
    if (code != STATUS_OK)
        return code;
    code = process_run(&request, result);
    captured = output_memory(request.output, &length);
    *text = code == STATUS_OK && captured ? arena_copy(&pipeline->arena, captured, length) : NULL;
    output_abandon(request.output);
    return code != STATUS_OK || *text ? code : status_no_memory("running a program");
}

/* ---- Texts of lines "key : value" ---- */

/* The value of the first line whose key is this; length 0: there is none. */
static struct text value_of(const char *lines, const char *key)
{
    struct text rest = text_of(lines);

    while (rest.data) {
        struct text line = text_take(&rest, '\n');
        struct text name = text_trim(text_take(&line, ':'));

        if (line.data && text_is(name, key))
            return text_trim(line);
    }
    return (struct text){ "", 0 };
}

/* How many lines have this key. */
static uint32_t count_of(const char *lines, const char *key)
{
    struct text rest = text_of(lines);
    uint32_t count = 0;

    while (rest.data) {
        struct text line = text_take(&rest, '\n');

        count += text_is(text_trim(text_take(&line, ':')), key) && line.data;
    }
    return count;
}

static const char *copy(struct pipeline *pipeline, struct text text)
{
    return arena_copy(&pipeline->arena, text.data, text.length);
}

/* getprop prints "[ro.product.model]: [Pixel 9]". `key` has its brackets. */
static const char *property(struct pipeline *pipeline, const char *properties, const char *key)
{
    struct text value = value_of(properties, key);

    assert(*key == '[');
    return text_cut_start(&value, "[") && text_cut_end(&value, "]") ? copy(pipeline, value) : "";
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
    if (!*maker || !*thing || text_find_any_case(text_of(thing), maker))
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
    const char *release = property(pipeline, properties, "[ro.build.version.release]");
    const char *level = property(pipeline, properties, "[ro.build.version.sdk]");
    status code;

    device->architecture = property(pipeline, properties, "[ro.product.cpu.abi]");
    device->os = "Android";
    device->version =
        release && level && *release && *level ? pipeline_text(pipeline, "%s (API %s)", release, level) : release;
    device->model = with_maker(pipeline, property(pipeline, properties, "[ro.product.manufacturer]"),
                               property(pipeline, properties, "[ro.product.model]"));
    device->cpu = with_maker(pipeline, property(pipeline, properties, "[ro.soc.manufacturer]"),
                             property(pipeline, properties, "[ro.soc.model]"));
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
    *text = process_succeeded(&result) ? copy(pipeline, text_trim(text_of(*text))) : "";
    return *text ? STATUS_OK : status_no_memory("describing the device");
}

/* "hw.optional.arm.FEAT_SME2: 1" becomes "FEAT_SME2". */
static const char *features_of_sysctl(struct pipeline *pipeline, const char *lines)
{
    char *made = arena_allocate(&pipeline->arena, strlen(lines) + 1, 1);
    struct text rest = text_of(lines);
    char *to = made;

    if (!made)
        return NULL;
    while (rest.data) {
        struct text line = text_take(&rest, '\n'), name = text_take(&line, ':');
        const char *dot = text_last(name, '.');

        if (!text_is(line, " 1"))
            continue;
        if (dot)
            name = text_between(dot + 1, name.data + name.length);
        if (to > made)
            *to++ = ' ';
        memcpy(to, name.data, name.length);
        to += name.length;
    }
    *to = '\0';
    assert((size_t)(to - made) <= strlen(lines));
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
    struct text rest = text_after(text_of(file_text(pipeline, "/etc/os-release")), "PRETTY_NAME=\"");
    struct text name = text_take(&rest, '"');

    if (!name.length)
        return pipeline_text(pipeline, "%s", release);
    return pipeline_text(pipeline, "%.*s, kernel %s", (int)name.length, name.data, release);
}

static status describe_linux(struct pipeline *pipeline, const char *release)
{
    struct pipeline_device *device = &pipeline->device;
    const char *board = file_text(pipeline, "/proc/device-tree/model");

    device->os = "Linux";
    device->version = linux_version(pipeline, release);
    if (!*board)
        board = file_text(pipeline, "/sys/devices/virtual/dmi/id/product_name");
    device->model = copy(pipeline, text_trim(text_of(board)));
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

    for (; (at = strstr(at, "executorch/")); at++) {
        int length = (int)(at - runner + (ptrdiff_t)strlen("executorch"));

        if ((at == runner || at[-1] == '/') && path_exists(pipeline_text(pipeline, "%.*s/.git", length, runner)))
            return pipeline_text(pipeline, "%.*s", length, runner);
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
