/* tracy_json.c: the JSON of an op's message. It is scanned once, and what was read before a cut stays.
 *
 * Attributes and lists are kept as Python would print them, because that is what reports of this kind hold:
 * {'dim': '0'; 'keep': True}. */
#include <assert.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/number.h"
#include "tenstorrent/tracy.h"

struct tensors {
    struct op_tensor_detail items[OP_DETAIL_TENSORS]; /* in the order of the message */
    unsigned count;                                   /* of items */
};

/* A message that is being read. */
struct tracy_json {
    struct tracy *tracy;                      /* borrowed */
    struct json_scan scan;                    /* where reading is */
    struct op_info *info;                     /* of the op; that is filled */
    struct tracy_message *told;               /* what else the message says */
    struct tensors inputs, optional, outputs; /* optional: inputs that come behind the others */
    bool beyond;                              /* there were more of them */
    uint64_t line;                            /* of the message */
};

static status put_text(struct tracy_json *message, const char *text)
{
    return tracy_put(message->tracy, text, strlen(text));
}

/* ---- Values as Python prints them ---- */

/* The text of a string; valid until the next one. */
static status plain_string(struct tracy_json *message, struct text *plain)
{
    struct tracy *tracy = message->tracy;
    struct text raw;
    bool escaped;
    status code = json_string(&message->scan, &raw, &escaped);

    *plain = raw;
    if (code != STATUS_OK || !escaped)
        return code;
    code = memory_grow(&tracy->unescaped, &tracy->unescaped_capacity, raw.length + 1, 1);
    if (code != STATUS_OK)
        return code;
    *plain = (struct text){ tracy->unescaped, json_unescape(raw, tracy->unescaped) };
    return STATUS_OK;
}

static status put_byte(struct tracy_json *message, unsigned char byte, char quote)
{
    static const char digits[] = "0123456789abcdef";
    char escape[4] = { '\\', 0, 0, 0 };
    size_t length = 2;

    switch (byte) {
    case '\n':
        escape[1] = 'n';
        break;
    case '\r':
        escape[1] = 'r';
        break;
    case '\t':
        escape[1] = 't';
        break;
    case '\\':
        escape[1] = '\\';
        break;
    default:
        if (byte == (unsigned char)quote) {
            escape[1] = quote;
        } else if (byte < 0x20 || byte == 0x7F) {
            escape[1] = 'x';
            escape[2] = digits[byte >> 4];
            escape[3] = digits[byte & 15];
            length = 4;
        } else {
            escape[0] = (char)byte;
            length = 1;
        }
    }
    return tracy_put(message->tracy, escape, length);
}

static status put_string(struct tracy_json *message)
{
    struct text plain;
    status code = plain_string(message, &plain);
    char quote = '\'';

    if (code == STATUS_OK && plain.length && memchr(plain.data, '\'', plain.length) &&
        !memchr(plain.data, '"', plain.length))
        quote = '"';
    if (code == STATUS_OK)
        code = tracy_put(message->tracy, &quote, 1);
    for (size_t i = 0; i < plain.length && code == STATUS_OK; i++)
        code = put_byte(message, (unsigned char)plain.data[i], quote);
    return code == STATUS_OK ? tracy_put(message->tracy, &quote, 1) : code;
}

/* A number at the very end of the text is the beginning of one: an object goes on behind it. */
static status check_number(struct tracy_json *message)
{
    return message->scan.next == message->scan.end ? json_fail(&message->scan, "the text ends within a number")
                                                   : STATUS_OK;
}

/* Integers as they are; decimals as the shortest text that gives the same number. */
static status put_number(struct tracy_json *message)
{
    struct text number;
    char shortest[40];
    double value;
    status code = json_number(&message->scan, &number);

    if (code == STATUS_OK)
        code = check_number(message);
    if (code != STATUS_OK)
        return code;
    if (memchr(number.data, '.', number.length) || memchr(number.data, 'e', number.length) ||
        memchr(number.data, 'E', number.length)) {
        if (number_parse_decimal(number.data, number.length, &value))
            return tracy_put(message->tracy, shortest, number_write_shortest(shortest, value));
    }
    if (text_is(number, "NaN"))
        return put_text(message, "nan");
    if (text_is(number, "Infinity") || text_is(number, "-Infinity"))
        return put_text(message, number.data[0] == '-' ? "-inf" : "inf");
    return tracy_put(message->tracy, number.data, number.length);
}

static status put_value(struct tracy_json *message);

static status put_array(struct tracy_json *message)
{
    bool found = true;
    status code = json_enter(&message->scan, JSON_ARRAY);

    if (code == STATUS_OK)
        code = put_text(message, "[");
    for (bool first = true; code == STATUS_OK; first = false) {
        code = json_next_element(&message->scan, first, &found);
        if (code != STATUS_OK || !found)
            break;
        if (!first)
            code = put_text(message, ", ");
        if (code == STATUS_OK)
            code = put_value(message);
    }
    return code == STATUS_OK ? put_text(message, "]") : code;
}

static status put_object(struct tracy_json *message)
{
    struct text key;
    bool found = true;
    status code = json_enter(&message->scan, JSON_OBJECT);

    if (code == STATUS_OK)
        code = put_text(message, "{");
    for (bool first = true; code == STATUS_OK; first = false) {
        code = json_next_key(&message->scan, first, &key, &found);
        if (code != STATUS_OK || !found)
            break;
        if (!first)
            code = put_text(message, ", ");
        if (code == STATUS_OK)
            code = put_text(message, "'");
        if (code == STATUS_OK)
            code = tracy_put(message->tracy, key.data, key.length);
        if (code == STATUS_OK)
            code = put_text(message, "': ");
        if (code == STATUS_OK)
            code = put_value(message);
    }
    return code == STATUS_OK ? put_text(message, "}") : code;
}

/* Any value; json_enter bounds the depth. */
static status put_value(struct tracy_json *message)
{
    enum json_type type;
    status code = json_peek(&message->scan, &type);

    if (code != STATUS_OK)
        return code;
    switch (type) {
    case JSON_STRING:
        return put_string(message);
    case JSON_NUMBER:
        return put_number(message);
    case JSON_ARRAY:
        return put_array(message);
    case JSON_OBJECT:
        return put_object(message);
    default:
        break;
    }
    code = json_skip(&message->scan, NULL);
    if (code != STATUS_OK)
        return code;
    return put_text(message, type == JSON_NULL ? "None" : type == JSON_TRUE ? "True" : "False");
}

/* A value as a column shows it: a string without quotes. */
static status read_text(struct tracy_json *message, string_id *id)
{
    struct text plain;
    enum json_type type;
    status code = json_peek(&message->scan, &type);

    message->tracy->length = 0;
    if (code == STATUS_OK && type == JSON_STRING) {
        code = plain_string(message, &plain);
        if (code == STATUS_OK)
            code = tracy_put(message->tracy, plain.data, plain.length);
    } else if (code == STATUS_OK) {
        code = put_value(message);
    }
    return code == STATUS_OK ? tracy_intern(message->tracy, id) : code;
}

/* An integer, perhaps written as a string; anything else leaves `*value`. */
static status read_integer(struct tracy_json *message, int64_t *value)
{
    struct text text = { NULL, 0 };
    enum json_type type;
    int64_t number;
    status code = json_peek(&message->scan, &type);

    if (code != STATUS_OK)
        return code;
    if (type == JSON_STRING)
        code = plain_string(message, &text);
    else
        code = json_skip(&message->scan, &text);
    if (code == STATUS_OK && type == JSON_NUMBER)
        code = check_number(message);
    if (code == STATUS_OK && text.length && number_parse_integer(text.data, text.length, &number) && number >= 0 &&
        number <= INT64_MAX / 4)
        *value = number;
    return code;
}

/* ---- Lists and objects ---- */

/* What is done with one member of an object: its value is taken or skipped. */
typedef status (*member_taker)(struct tracy_json *message, struct text key, void *to);

/* All members of an object; anything else is skipped. */
static status read_members(struct tracy_json *message, member_taker take, void *to)
{
    enum json_type type;
    struct text key;
    bool found = true;
    status code = json_peek(&message->scan, &type);

    if (code != STATUS_OK || type != JSON_OBJECT)
        return code == STATUS_OK ? json_skip(&message->scan, NULL) : code;
    code = json_enter(&message->scan, JSON_OBJECT);
    for (bool first = true; code == STATUS_OK; first = false) {
        code = json_next_key(&message->scan, first, &key, &found);
        if (code != STATUS_OK || !found)
            break;
        code = take(message, key, to);
    }
    return code;
}

/* All elements of a list, the same way. */
static status read_elements(struct tracy_json *message, status (*take)(struct tracy_json *message, void *to), void *to)
{
    enum json_type type;
    bool found = true;
    status code = json_peek(&message->scan, &type);

    if (code != STATUS_OK || type != JSON_ARRAY)
        return code == STATUS_OK ? json_skip(&message->scan, NULL) : code;
    code = json_enter(&message->scan, JSON_ARRAY);
    for (bool first = true; code == STATUS_OK; first = false) {
        code = json_next_element(&message->scan, first, &found);
        if (code != STATUS_OK || !found)
            break;
        code = take(message, to);
    }
    return code;
}

/* ---- Tensors ---- */

static status take_size(struct tracy_json *message, struct text key, void *to)
{
    static const char names[] = "WZYX";
    const char *at = key.length == 1 ? memchr(names, key.data[0], 4) : NULL;
    struct op_tensor_detail *tensor = to;

    return at ? read_text(message, &tensor->size[at - names]) : json_skip(&message->scan, NULL);
}

/* Where a tensor lies. */
struct storage {
    string_id device, buffer, layout; /* each 0 where not told */
};

/* {"buffer_type": "DRAM", "memory_layout": "INTERLEAVED"} */
static status take_memory(struct tracy_json *message, struct text key, void *to)
{
    struct storage *storage = to;

    if (text_is(key, "buffer_type"))
        return read_text(message, &storage->buffer);
    if (text_is(key, "memory_layout"))
        return read_text(message, &storage->layout);
    return json_skip(&message->scan, NULL);
}

static status take_storage(struct tracy_json *message, struct text key, void *to)
{
    struct storage *storage = to;

    if (text_is(key, "device_id"))
        return read_text(message, &storage->device);
    if (text_is(key, "memory_config"))
        return read_members(message, take_memory, storage);
    return json_skip(&message->scan, NULL);
}

static status put_upper(struct tracy_json *message, string_id id)
{
    struct text text = strings_get(message->tracy->strings, id);
    status code = put_text(message, "_");

    for (size_t i = 0; i < text.length && code == STATUS_OK; i++) {
        char byte = text.data[i];

        if (byte >= 'a' && byte <= 'z')
            byte = (char)(byte - 'a' + 'A');
        code = tracy_put(message->tracy, &byte, 1);
    }
    return code;
}

/* A text, or where on which device: DEV_0_DRAM_INTERLEAVED. */
static status read_storage(struct tracy_json *message, string_id *memory)
{
    struct storage storage = { 0, 0, 0 };
    enum json_type type;
    status code = json_peek(&message->scan, &type);

    if (code != STATUS_OK || type != JSON_OBJECT)
        return code == STATUS_OK ? read_text(message, memory) : code;
    code = read_members(message, take_storage, &storage);
    if (code != STATUS_OK)
        return code;
    message->tracy->length = 0;
    code = put_text(message, "DEV");
    if (code == STATUS_OK)
        code = put_upper(message, storage.device);
    if (code == STATUS_OK)
        code = put_upper(message, storage.buffer);
    if (code == STATUS_OK)
        code = put_upper(message, storage.layout);
    return code == STATUS_OK ? tracy_intern(message->tracy, memory) : code;
}

static status take_tensor_member(struct tracy_json *message, struct text key, void *to)
{
    struct op_tensor_detail *tensor = to;

    if (text_is(key, "shape"))
        return read_members(message, take_size, tensor);
    if (text_is(key, "layout"))
        return read_text(message, &tensor->layout);
    if (text_is(key, "dtype"))
        return read_text(message, &tensor->datatype);
    if (text_is(key, "storage_type"))
        return read_storage(message, &tensor->memory);
    return json_skip(&message->scan, NULL);
}

static status take_tensor(struct tracy_json *message, void *to)
{
    struct tensors *tensors = to;
    struct op_tensor_detail *tensor = &tensors->items[tensors->count];
    status code;

    if (tensors->count == OP_DETAIL_TENSORS) {
        message->beyond = true;
        return json_skip(&message->scan, NULL);
    }
    *tensor = (struct op_tensor_detail){ .layout = 0 };
    code = read_members(message, take_tensor_member, tensor);
    tensors->count += code == STATUS_OK;
    return code;
}

static status read_tensors(struct tracy_json *message, struct tensors *tensors)
{
    tensors->count = 0;
    return read_elements(message, take_tensor, tensors);
}

/* ---- Kernels and the performance model ---- */

/* One member of all objects of a list. */
struct collecting {
    const char *member; /* its key */
    string_id *last;    /* gets the last value; NULL: all of them become a text that grows, as a Python list */
    bool any;           /* an object had it */
};

static status take_collected(struct tracy_json *message, struct text key, void *to)
{
    struct collecting *collecting = to;
    status code = STATUS_OK;

    if (!text_is(key, collecting->member))
        return json_skip(&message->scan, NULL);
    if (collecting->last)
        return read_text(message, collecting->last);
    if (collecting->any)
        code = put_text(message, ", ");
    collecting->any = true;
    return code == STATUS_OK ? put_value(message) : code;
}

static status take_kernel(struct tracy_json *message, void *to)
{
    return read_members(message, take_collected, to);
}

static status list_member(struct tracy_json *message, const char *member, string_id *list)
{
    struct collecting collecting = { .member = member };
    status code;

    message->tracy->length = 0;
    code = put_text(message, "[");
    if (code == STATUS_OK)
        code = read_elements(message, take_kernel, &collecting);
    if (code == STATUS_OK)
        code = put_text(message, "]");
    return code == STATUS_OK ? tracy_intern(message->tracy, list) : code;
}

/* The same list is read once for each of its members. */
static status read_kernels(struct tracy_json *message, string_id *sources, string_id *hashes, string_id *fidelity)
{
    struct collecting collecting = { .member = "math_fidelity", .last = fidelity };
    struct json_scan start;
    enum json_type type;
    status code = json_peek(&message->scan, &type);

    if (code != STATUS_OK || type != JSON_ARRAY)
        return code == STATUS_OK ? json_skip(&message->scan, NULL) : code;
    start = message->scan;
    code = list_member(message, "source", sources);
    if (code == STATUS_OK) {
        message->scan = start;
        code = list_member(message, "name", hashes);
    }
    if (code == STATUS_OK && fidelity) {
        message->scan = start;
        code = read_elements(message, take_kernel, &collecting);
    }
    return code;
}

/* A report has a column for each name of a size. False: it has no more. */
static bool know_size(struct op_details *details, string_id name)
{
    for (unsigned i = 0; i < details->size_name_count; i++)
        if (details->size_names[i] == name)
            return true;
    if (details->size_name_count == OP_DETAIL_SIZES)
        return false;
    details->size_names[details->size_name_count++] = name;
    return true;
}

/* TENSIX_DM_0_max_kernel_size is the column TENSIX DM 0 MAX KERNEL SIZE [B]. */
static status take_kernel_size(struct tracy_json *message, struct text key, void *to)
{
    struct op_kernel_size *size;
    string_id name, bytes;
    status code = STATUS_OK;

    (void)to;
    message->tracy->length = 0;
    for (size_t i = 0; i < key.length && code == STATUS_OK; i++) {
        char byte = key.data[i] == '_' ? ' ' : key.data[i];

        if (byte >= 'a' && byte <= 'z')
            byte = (char)(byte - 'a' + 'A');
        code = tracy_put(message->tracy, &byte, 1);
    }
    if (code == STATUS_OK)
        code = put_text(message, " [B]");
    if (code == STATUS_OK)
        code = tracy_intern(message->tracy, &name);
    if (code == STATUS_OK)
        code = read_text(message, &bytes);
    if (code != STATUS_OK)
        return code;
    if (message->info->sizes == OP_DETAIL_SIZES || !know_size(message->tracy->details, name)) {
        op_details_odd(message->tracy->details, OP_ODD_FUNCTIONS, message->told->call, message->line);
        return STATUS_OK;
    }
    size = column_append(&message->tracy->details->sizes);
    if (!size)
        return status_no_memory("keeping kernels");
    *size = (struct op_kernel_size){ name, bytes };
    message->info->sizes++;
    return STATUS_OK;
}

static status take_kernel_info(struct tracy_json *message, struct text key, void *to)
{
    struct op_info *info = to;

    if (text_is(key, "compute_kernels"))
        return read_kernels(message, &info->compute_sources, &info->compute_hashes, &info->fidelity);
    if (text_is(key, "datamovement_kernels"))
        return read_kernels(message, &info->movement_sources, &info->movement_hashes, NULL);
    if (text_is(key, "kernel_sizes"))
        return read_members(message, take_kernel_size, NULL);
    return json_skip(&message->scan, NULL);
}

static status take_model(struct tracy_json *message, struct text key, void *to)
{
    struct op_info *info = to;

    if (text_is(key, "ideal_ns"))
        return read_text(message, &info->ideal);
    if (text_is(key, "compute_ns"))
        return read_text(message, &info->compute);
    if (text_is(key, "bandwidth_ns"))
        return read_text(message, &info->bandwidth);
    if (text_is(key, "input_bws"))
        return read_text(message, &info->input_rates);
    if (text_is(key, "output_bws"))
        return read_text(message, &info->output_rates);
    return json_skip(&message->scan, NULL);
}

/* ---- The message ---- */

static status take_device(struct tracy_json *message)
{
    int64_t device = -1;
    status code = read_integer(message, &device);

    if (device >= 0 && device < INT32_MAX)
        message->told->device = (int32_t)device;
    return code;
}

static status take_hit(struct tracy_json *message)
{
    struct text raw;
    status code = json_skip(&message->scan, &raw);

    if (code == STATUS_OK && raw.length)
        message->told->hit =
            raw.data[0] == 't' || raw.data[0] == '1' || (raw.data[0] == '"' && raw.length > 1 && raw.data[1] == 't');
    return code;
}

static status take_member(struct tracy_json *message, struct text key, void *to)
{
    struct op_info *info = to;

    if (text_is(key, "op_code"))
        return read_text(message, &info->code);
    if (text_is(key, "op_type"))
        return read_text(message, &info->type);
    if (text_is(key, "attributes"))
        return read_text(message, &info->attributes);
    if (text_is(key, "parallelization_strategy"))
        return read_text(message, &info->strategy);
    if (text_is(key, "math_fidelity"))
        return read_text(message, &info->fidelity);
    if (text_is(key, "op_hash"))
        return read_text(message, &info->hash);
    if (text_is(key, "global_call_count"))
        return read_integer(message, &message->told->call);
    if (text_is(key, "device_id"))
        return take_device(message);
    if (text_is(key, "program_cache_hit"))
        return take_hit(message);
    if (text_is(key, "input_tensors"))
        return read_tensors(message, &message->inputs);
    if (text_is(key, "optional_input_tensors"))
        return read_tensors(message, &message->optional);
    if (text_is(key, "output_tensors"))
        return read_tensors(message, &message->outputs);
    if (text_is(key, "kernel_info"))
        return read_members(message, take_kernel_info, info);
    if (text_is(key, "performance_model"))
        return read_members(message, take_model, info);
    return json_skip(&message->scan, NULL);
}

static status keep_tensors(struct tracy_json *message, const struct tensors *tensors, uint16_t *kept)
{
    for (unsigned i = 0; i < tensors->count; i++) {
        struct op_tensor_detail *tensor;

        if (*kept == OP_DETAIL_TENSORS) {
            message->beyond = true;
            break;
        }
        tensor = column_append(&message->tracy->details->tensors);
        if (!tensor)
            return status_no_memory("keeping tensors");
        *tensor = tensors->items[i];
        ++*kept;
    }
    return STATUS_OK;
}

static status keep_all_tensors(struct tracy_json *message)
{
    struct op_info *info = message->info;
    status code;

    info->first_tensor = (uint32_t)message->tracy->details->tensors.count;
    code = keep_tensors(message, &message->inputs, &info->inputs);
    if (code == STATUS_OK)
        code = keep_tensors(message, &message->optional, &info->inputs);
    if (code == STATUS_OK)
        code = keep_tensors(message, &message->outputs, &info->outputs);
    if (message->beyond)
        op_details_odd(message->tracy->details, OP_ODD_TENSORS, message->told->call, message->line);
    return code;
}

static status read_message(struct tracy_json *message)
{
    struct op_details *details = message->tracy->details;
    struct op_info *info = message->info;
    status code;

    info->first_size = (uint32_t)details->sizes.count;
    code = read_members(message, take_member, info);
    if (code == STATUS_OK)
        code = json_end(&message->scan);
    message->tracy->length = 0;
    if (code != STATUS_OK && code != STATUS_INPUT)
        return code;
    status_clear();
    message->told->closed = code == STATUS_OK;
    info->whole = message->told->whole = message->told->closed && info->code;
    message->told->hash = info->hash;
    return keep_all_tensors(message);
}

status tracy_read_json(struct tracy *tracy, struct text json, uint64_t line, struct tracy_message *told)
{
    struct op_info *info = column_append(&tracy->details->infos);
    struct tracy_json *message;

    assert(json.data);
    *told = (struct tracy_message){ .call = OP_NONE, .device = -1, .hit = -1 };
    if (!tracy->json)
        tracy->json = memory_allocate(sizeof *tracy->json);
    message = tracy->json;
    if (!message || !info)
        return status_no_memory("reading a message");
    *info = (struct op_info){ .code = 0 };
    told->info = (uint32_t)(tracy->details->infos.count - 1);
    message->tracy = tracy;
    message->scan = json_scan("message", json);
    message->info = info;
    message->told = told;
    message->line = line;
    message->inputs.count = message->optional.count = message->outputs.count = 0;
    message->beyond = false;
    return read_message(message);
}
