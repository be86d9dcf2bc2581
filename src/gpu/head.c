/* head.c: what stands before the events of a PyTorch profile. */
#include "gpu/head.h"

#include <assert.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/text.h"

static uint32_t number_of(const struct json *value)
{
    int64_t number = 0;

    return json_integer(value, &number) && number > 0 && number < UINT32_MAX ? (uint32_t)number : 0;
}

static void take_devices(struct gpu_head *head, const struct json *devices)
{
    const struct json *first = json_count(devices) ? &devices->items[0] : NULL;

    head->devices = (uint32_t)json_count(devices);
    text_copy(head->device, sizeof head->device, text_of(json_text(json_get(first, "name"), "")));
    head->processors = number_of(json_get(first, "numSms"));
    head->threads = number_of(json_get(first, "maxThreadsPerMultiprocessor"));
    head->major = number_of(json_get(first, "computeMajor"));
    head->minor = number_of(json_get(first, "computeMinor"));
}

static void take_ranks(struct gpu_head *head, const struct json *info)
{
    head->ranks = number_of(json_get(info, "world_size"));
    head->rank = number_of(json_get(info, "rank"));
    head->distributed = head->ranks > 0 && head->rank < head->ranks;
    text_copy(head->backend, sizeof head->backend, text_of(json_text(json_get(info, "backend"), "")));
}

/* One member of the object around the events. What the first bytes do not hold whole is not told. */
static status take_member(struct gpu_head *head, struct arena *arena, struct json_scan *scan, struct text key,
                          bool *more)
{
    const struct json *value;
    struct text raw;
    status code;

    *more = !text_is(key, "traceEvents") && json_skip(scan, &raw) == STATUS_OK;
    if (!*more || (!text_is(key, "deviceProperties") && !text_is(key, "distributedInfo")))
        return STATUS_OK;
    code = json_parse(arena, scan->file, raw, &value);
    if (code != STATUS_OK)
        return code == STATUS_MEMORY ? code : STATUS_OK;
    if (text_is(key, "deviceProperties"))
        take_devices(head, value);
    else
        take_ranks(head, value);
    return STATUS_OK;
}

static status take_members(struct gpu_head *head, const char *path, struct text bytes)
{
    struct json_scan scan = json_scan(path, bytes);
    struct arena arena = { 0 };
    struct text key;
    bool found = false, more = true;
    status code = STATUS_OK;

    more = json_enter(&scan, JSON_OBJECT) == STATUS_OK;
    for (bool first = true; more && code == STATUS_OK; first = false) {
        if (json_next_key(&scan, first, &key, &found) != STATUS_OK || !found)
            break;
        code = take_member(head, &arena, &scan, key, &more);
    }
    arena_free(&arena);
    return code;
}

status gpu_head_read(struct source *source)
{
    struct gpu_head *head;
    struct text bytes;
    status code;

    assert(source->input);
    gpu_head_release(source);
    code = input_head(source->input, &bytes);
    if (code != STATUS_OK)
        return code;
    head = memory_allocate_clear(sizeof *head);
    if (!head)
        return status_no_memory("reading a profile");
    source->kept = head;
    return take_members(head, source->path, bytes);
}

void gpu_head_release(struct source *source)
{
    memory_free(source->kept);
    source->kept = NULL;
}

const struct gpu_head *gpu_head(const struct source *source)
{
    static const struct gpu_head none;

    return source->kept ? source->kept : &none;
}
