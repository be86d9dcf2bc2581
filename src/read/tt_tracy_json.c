/* tt_tracy_json.c: the JSON of an op's message. It is scanned once, and what was read before a cut stays.
 *
 * Attributes and lists are kept as Python would print them, because that is what reports of this kind hold:
 * {'dim': '0'; 'keep': True}. */
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/number.h"
#include "read/tt_tracy.h"

/* A message that is being read. */
struct tracy_json {
    struct tracy *tracy;
    struct json_scan scan;
    struct op_info *info;
    struct tracy_message *told;
    struct op_tensor_detail optional[OP_DETAIL_TENSORS]; /* inputs that come behind the others */
    struct op_tensor_detail inputs[OP_DETAIL_TENSORS];
    struct op_tensor_detail outputs[OP_DETAIL_TENSORS];
    unsigned optional_count, input_count, output_count;
    uint64_t line;
};

static bool is_key(struct text key, const char *name)
{
    return key.length == strlen(name) && memcmp(key.data, name, key.length) == 0;
}

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
    if (is_key(number, "NaN"))
        return put_text(message, "nan");
    if (is_key(number, "Infinity") || is_key(number, "-Infinity"))
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

/* ---- Tensors ---- */

static status read_shape(struct tracy_json *message, struct op_tensor_detail *tensor)
{
    static const char names[] = "WZYX";
    enum json_type type;
    struct text key;
    bool found = true;
    status code = json_peek(&message->scan, &type);

    if (code != STATUS_OK || type != JSON_OBJECT)
        return code == STATUS_OK ? json_skip(&message->scan, NULL) : code;
    code = json_enter(&message->scan, JSON_OBJECT);
    for (bool first = true; code == STATUS_OK; first = false) {
        const char *at;

        code = json_next_key(&message->scan, first, &key, &found);
        if (code != STATUS_OK || !found)
            break;
        at = key.length == 1 ? memchr(names, key.data[0], 4) : NULL;
        code = at ? read_text(message, &tensor->size[at - names]) : json_skip(&message->scan, NULL);
    }
    return code;
}

/* {"buffer_type": "DRAM", "memory_layout": "INTERLEAVED"} */
static status read_memory_config(struct tracy_json *message, string_id parts[2])
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
        if (is_key(key, "buffer_type"))
            code = read_text(message, &parts[0]);
        else if (is_key(key, "memory_layout"))
            code = read_text(message, &parts[1]);
        else
            code = json_skip(&message->scan, NULL);
    }
    return code;
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
    string_id device = 0, parts[2] = { 0, 0 };
    enum json_type type;
    struct text key;
    bool found = true;
    status code = json_peek(&message->scan, &type);

    if (code != STATUS_OK || type != JSON_OBJECT)
        return code == STATUS_OK ? read_text(message, memory) : code;
    code = json_enter(&message->scan, JSON_OBJECT);
    for (bool first = true; code == STATUS_OK; first = false) {
        code = json_next_key(&message->scan, first, &key, &found);
        if (code != STATUS_OK || !found)
            break;
        if (is_key(key, "device_id"))
            code = read_text(message, &device);
        else if (is_key(key, "memory_config"))
            code = read_memory_config(message, parts);
        else
            code = json_skip(&message->scan, NULL);
    }
    if (code != STATUS_OK)
        return code;
    message->tracy->length = 0;
    code = put_text(message, "DEV");
    if (code == STATUS_OK)
        code = put_upper(message, device);
    if (code == STATUS_OK)
        code = put_upper(message, parts[0]);
    if (code == STATUS_OK)
        code = put_upper(message, parts[1]);
    return code == STATUS_OK ? tracy_intern(message->tracy, memory) : code;
}

static status read_tensor(struct tracy_json *message, struct op_tensor_detail *tensor)
{
    enum json_type type;
    struct text key;
    bool found = true;
    status code = json_peek(&message->scan, &type);

    *tensor = (struct op_tensor_detail){ .layout = 0 };
    if (code != STATUS_OK || type != JSON_OBJECT)
        return code == STATUS_OK ? json_skip(&message->scan, NULL) : code;
    code = json_enter(&message->scan, JSON_OBJECT);
    for (bool first = true; code == STATUS_OK; first = false) {
        code = json_next_key(&message->scan, first, &key, &found);
        if (code != STATUS_OK || !found)
            break;
        if (is_key(key, "shape"))
            code = read_shape(message, tensor);
        else if (is_key(key, "layout"))
            code = read_text(message, &tensor->layout);
        else if (is_key(key, "dtype"))
            code = read_text(message, &tensor->datatype);
        else if (is_key(key, "storage_type"))
            code = read_storage(message, &tensor->memory);
        else
            code = json_skip(&message->scan, NULL);
    }
    return code;
}

static status read_tensors(struct tracy_json *message, struct op_tensor_detail *tensors, unsigned *count)
{
    enum json_type type;
    bool found = true, beyond = false;
    status code = json_peek(&message->scan, &type);

    *count = 0;
    if (code != STATUS_OK || type != JSON_ARRAY)
        return code == STATUS_OK ? json_skip(&message->scan, NULL) : code;
    code = json_enter(&message->scan, JSON_ARRAY);
    for (bool first = true; code == STATUS_OK; first = false) {
        code = json_next_element(&message->scan, first, &found);
        if (code != STATUS_OK || !found)
            break;
        beyond = *count == OP_DETAIL_TENSORS;
        code = beyond ? json_skip(&message->scan, NULL) : read_tensor(message, &tensors[*count]);
        if (!beyond && code == STATUS_OK)
            ++*count;
    }
    if (beyond)
        op_details_odd(message->tracy->details, OP_ODD_TENSORS, message->told->call, message->line);
    return code;
}

/* ---- Kernels and the performance model ---- */

/* One member of a list of objects, all of them as a Python list. The other lists are the same array, read again. */
static status list_member(struct tracy_json *message, const char *member, string_id *list, string_id *last)
{
    bool found = true, any = false;
    status code = json_enter(&message->scan, JSON_ARRAY);

    message->tracy->length = 0;
    if (code == STATUS_OK)
        code = put_text(message, "[");
    for (bool first = true; code == STATUS_OK; first = false) {
        struct text key;
        bool inside = true;

        code = json_next_element(&message->scan, first, &found);
        if (code != STATUS_OK || !found)
            break;
        code = json_enter(&message->scan, JSON_OBJECT);
        for (bool one = true; code == STATUS_OK; one = false) {
            code = json_next_key(&message->scan, one, &key, &inside);
            if (code != STATUS_OK || !inside)
                break;
            if (!is_key(key, member)) {
                code = json_skip(&message->scan, NULL);
                continue;
            }
            if (last) {
                code = read_text(message, last);
                continue;
            }
            if (any)
                code = put_text(message, ", ");
            any = true;
            if (code == STATUS_OK)
                code = put_value(message);
        }
    }
    if (code == STATUS_OK && list)
        code = put_text(message, "]");
    return code == STATUS_OK && list ? tracy_intern(message->tracy, list) : code;
}

static status read_kernels(struct tracy_json *message, string_id *sources, string_id *hashes, string_id *fidelity)
{
    struct json_scan start;
    enum json_type type;
    status code = json_peek(&message->scan, &type);

    if (code != STATUS_OK || type != JSON_ARRAY)
        return code == STATUS_OK ? json_skip(&message->scan, NULL) : code;
    start = message->scan;
    code = list_member(message, "source", sources, NULL);
    if (code == STATUS_OK) {
        message->scan = start;
        code = list_member(message, "name", hashes, NULL);
    }
    if (code == STATUS_OK && fidelity) {
        message->scan = start;
        code = list_member(message, "math_fidelity", NULL, fidelity);
    }
    return code;
}

/* TENSIX_DM_0_max_kernel_size is the column TENSIX DM 0 MAX KERNEL SIZE [B]. */
static status read_size(struct tracy_json *message, struct text key)
{
    struct op_kernel_size *size;
    string_id name, bytes;
    status code = STATUS_OK;

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
    if (message->info->sizes == OP_DETAIL_SIZES) {
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

/* One object whose members are taken by `take`. */
static status read_members(struct tracy_json *message, status (*take)(struct tracy_json *message, struct text key))
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
        code = take(message, key);
    }
    return code;
}

static status take_kernel_info(struct tracy_json *message, struct text key)
{
    struct op_info *info = message->info;

    if (is_key(key, "compute_kernels"))
        return read_kernels(message, &info->compute_sources, &info->compute_hashes, &info->fidelity);
    if (is_key(key, "datamovement_kernels"))
        return read_kernels(message, &info->movement_sources, &info->movement_hashes, NULL);
    if (is_key(key, "kernel_sizes"))
        return read_members(message, read_size);
    return json_skip(&message->scan, NULL);
}

static status take_model(struct tracy_json *message, struct text key)
{
    struct op_info *info = message->info;

    if (is_key(key, "ideal_ns"))
        return read_text(message, &info->ideal);
    if (is_key(key, "compute_ns"))
        return read_text(message, &info->compute);
    if (is_key(key, "bandwidth_ns"))
        return read_text(message, &info->bandwidth);
    if (is_key(key, "input_bws"))
        return read_text(message, &info->input_rates);
    if (is_key(key, "output_bws"))
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

static status take_member(struct tracy_json *message, struct text key)
{
    struct op_info *info = message->info;

    if (is_key(key, "op_code"))
        return read_text(message, &info->code);
    if (is_key(key, "op_type"))
        return read_text(message, &info->type);
    if (is_key(key, "attributes"))
        return read_text(message, &info->attributes);
    if (is_key(key, "parallelization_strategy"))
        return read_text(message, &info->strategy);
    if (is_key(key, "math_fidelity"))
        return read_text(message, &info->fidelity);
    if (is_key(key, "op_hash"))
        return read_text(message, &info->hash);
    if (is_key(key, "global_call_count"))
        return read_integer(message, &message->told->call);
    if (is_key(key, "device_id"))
        return take_device(message);
    if (is_key(key, "program_cache_hit"))
        return take_hit(message);
    if (is_key(key, "input_tensors"))
        return read_tensors(message, message->inputs, &message->input_count);
    if (is_key(key, "optional_input_tensors"))
        return read_tensors(message, message->optional, &message->optional_count);
    if (is_key(key, "output_tensors"))
        return read_tensors(message, message->outputs, &message->output_count);
    if (is_key(key, "kernel_info"))
        return read_members(message, take_kernel_info);
    if (is_key(key, "performance_model"))
        return read_members(message, take_model);
    return json_skip(&message->scan, NULL);
}

static status keep_tensors(struct tracy_json *message, const struct op_tensor_detail *tensors, unsigned count,
                           uint16_t *kept)
{
    for (unsigned i = 0; i < count && *kept < OP_DETAIL_TENSORS; i++) {
        struct op_tensor_detail *tensor = column_append(&message->tracy->details->tensors);

        if (!tensor)
            return status_no_memory("keeping tensors");
        *tensor = tensors[i];
        ++*kept;
    }
    return STATUS_OK;
}

static status read_message(struct tracy_json *message)
{
    struct op_details *details = message->tracy->details;
    struct op_info *info = message->info;
    status code;

    info->first_size = (uint32_t)details->sizes.count;
    code = read_members(message, take_member);
    if (code == STATUS_OK)
        code = json_end(&message->scan);
    message->tracy->length = 0;
    if (code != STATUS_OK && code != STATUS_INPUT)
        return code;
    status_clear();
    info->whole = message->told->whole = code == STATUS_OK && info->code;
    message->told->hash = info->hash;
    info->first_tensor = (uint32_t)details->tensors.count;
    code = keep_tensors(message, message->inputs, message->input_count, &info->inputs);
    if (code == STATUS_OK)
        code = keep_tensors(message, message->optional, message->optional_count, &info->inputs);
    return code == STATUS_OK ? keep_tensors(message, message->outputs, message->output_count, &info->outputs) : code;
}

status tracy_read_json(struct tracy *tracy, struct text json, uint64_t line, struct tracy_message *told)
{
    struct op_info *info = column_append(&tracy->details->infos);
    struct tracy_json *message;

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
    message->input_count = message->optional_count = message->output_count = 0;
    return read_message(message);
}
