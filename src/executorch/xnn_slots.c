/* xnn_slots.c: the tables that XNNPACK fills with microkernels: what stands in them, and which of that ran. */
#include "executorch/xnn_slots.h"

#include <assert.h>
#include <string.h>

#include "base/text.h"

/* A kernel in its slot, for one number of rows. */
struct xnn_choice {
    uint32_t kernel; /* NO_ID: none any more */
    string_id next;  /* of the same slot; 0: none */
    bool listed;     /* among those of its slot */
};

struct xnn_slot {
    const char *architecture; /* title, of what stands there; NULL: nothing yet */
    string_id first;          /* choice; 0: none */
};

status xnn_slots_start(struct xnn_slots *slots, struct kernel_log *log)
{
    assert(log->strings);
    *slots = (struct xnn_slots){
        .log = log,
        .names = strings_new(),
        .slot_keys = strings_new(),
        .choice_keys = strings_new(),
        .use_keys = strings_new(),
    };
    return slots->names && slots->slot_keys && slots->choice_keys && slots->use_keys
               ? STATUS_OK
               : status_no_memory("reading kernels");
}

void xnn_slots_free(struct xnn_slots *slots)
{
    strings_free(slots->names);
    strings_free(slots->slot_keys);
    strings_free(slots->choice_keys);
    strings_free(slots->use_keys);
    memory_free(slots->slots);
    memory_free(slots->choices);
    memory_free(slots->standing);
    memory_free(slots->found);
}

/* ---- Kernels ---- */

/* The log's word in lower case; the kit calls transposec transpose. */
static status add_category(struct strings *strings, struct text word, string_id *category)
{
    enum { LONGEST = 128 }; /* a longer word is no category: it is cut */
    char lower[LONGEST];
    size_t length = word.length < sizeof lower ? word.length : sizeof lower;

    for (size_t i = 0; i < length; i++)
        lower[i] = char_lower(word.data[i]);
    if (text_is((struct text){ lower, length }, "transposec"))
        length--;
    return strings_add(strings, lower, length, category);
}

/* The kernel of a name, made where it is new. Category and init function are those of its last line. */
static status find_kernel(struct xnn_slots *slots, const struct xnn_registration *registration, uint32_t *index)
{
    struct kernel_log *log = slots->log;
    struct kernel *kernel;
    string_id number;
    status code = strings_add(slots->names, registration->name.data, registration->name.length, &number);

    if (code != STATUS_OK)
        return code;
    *index = number - 1;
    if (number > log->kernels.count) {
        code = memory_grow(&slots->standing, &slots->standing_capacity, number, sizeof *slots->standing);
        if (code != STATUS_OK)
            return code;
        kernel = column_append(&log->kernels);
        if (!kernel)
            return status_no_memory("keeping kernels");
        slots->standing[*index] = 0;
        *kernel = (struct kernel){ .line = registration->line, .replaced_by = NO_ID };
        code = kernel_split(log->strings, registration->name, kernel);
        if (code != STATUS_OK)
            return code;
    }
    kernel = kernel_at(log, *index);
    kernel->count++;
    code = add_category(log->strings, registration->category, &kernel->category);
    return code == STATUS_OK
               ? strings_add(log->strings, registration->init.data, registration->init.length, &kernel->init)
               : code;
}

/* ---- Slots ---- */

static bool is_gemm(const struct xnn_slots *slots, const struct kernel *kernel)
{
    struct text operation = strings_get(slots->log->strings, kernel->operation);

    return text_is(operation, "gemm") || text_is(operation, "igemm");
}

/* Which of several kernels of one table it is: for gemm and igemm one row or many, for dwconv its taps (9 of 9p16c). */
static uint32_t role_of(const struct xnn_slots *slots, const struct kernel *kernel)
{
    enum { MOST = 1000000 };
    struct text shape = strings_get(slots->log->strings, kernel->shape);
    uint32_t taps = 0;

    if (is_gemm(slots, kernel))
        return kernel->rows == 1;
    if (!text_is(strings_get(slots->log->strings, kernel->operation), "dwconv"))
        return 0;
    for (size_t i = 0; i < shape.length && char_is_digit(shape.data[i]); i++)
        taps = taps < MOST ? taps * 10 + (uint32_t)(shape.data[i] - '0') : MOST;
    return taps;
}

static status find_slot(struct xnn_slots *slots, const struct kernel *kernel, string_id *slot)
{
    uint32_t known = strings_count(slots->slot_keys);
    status code = strings_add_format(slots->slot_keys, slot, "%u %u %u %u %u %u", kernel->init, kernel->category,
                                     kernel->types, kernel->operation, kernel->variant, role_of(slots, kernel));

    if (code == STATUS_OK)
        code = memory_grow(&slots->slots, &slots->slot_capacity, (size_t)*slot + 1, sizeof *slots->slots);
    if (code == STATUS_OK && *slot >= known)
        slots->slots[*slot] = (struct xnn_slot){ .first = 0 };
    return code;
}

static status find_choice(struct xnn_slots *slots, string_id slot, uint32_t rows, string_id *choice)
{
    uint32_t known = strings_count(slots->choice_keys);
    status code = strings_add_format(slots->choice_keys, choice, "%u %u", slot, rows);

    if (code == STATUS_OK)
        code = memory_grow(&slots->choices, &slots->choice_capacity, (size_t)*choice + 1, sizeof *slots->choices);
    if (code == STATUS_OK && *choice >= known)
        slots->choices[*choice] = (struct xnn_choice){ .kernel = NO_ID };
    return code;
}

/* Another kernel takes the place of what stands there. */
static void replace(struct xnn_slots *slots, struct xnn_choice *choice, uint32_t by)
{
    if (choice->kernel == NO_ID || choice->kernel == by)
        return;
    assert(slots->standing[choice->kernel]);
    slots->standing[choice->kernel]--;
    kernel_at(slots->log, choice->kernel)->replaced_by = by;
    choice->kernel = NO_ID;
}

status xnn_slots_add(struct xnn_slots *slots, const struct xnn_registration *registration)
{
    const struct kernel *kernel;
    struct xnn_choice *choice;
    struct xnn_slot *slot;
    const char *architecture;
    string_id slot_id, choice_id;
    uint32_t index;
    status code = find_kernel(slots, registration, &index);

    if (code != STATUS_OK)
        return code;
    kernel = kernel_at(slots->log, index);
    code = find_slot(slots, kernel, &slot_id);
    if (code == STATUS_OK)
        code = find_choice(slots, slot_id, is_gemm(slots, kernel) ? kernel->rows : 0, &choice_id);
    if (code != STATUS_OK)
        return code;
    slot = &slots->slots[slot_id];
    choice = &slots->choices[choice_id];
    architecture = architecture_title(strings_get(slots->log->strings, kernel->architecture));
    if (slot->architecture && strcmp(slot->architecture, architecture) != 0) {
        for (string_id other = slot->first; other;) {
            struct xnn_choice *gone = &slots->choices[other];

            replace(slots, gone, index);
            other = gone->next;
            gone->listed = false;
        }
        slot->first = 0;
    }
    slot->architecture = architecture;
    replace(slots, choice, index);
    if (choice->kernel == NO_ID)
        slots->standing[index]++;
    choice->kernel = index;
    if (!choice->listed) {
        choice->next = slot->first;
        choice->listed = true;
        slot->first = choice_id;
    }
    return STATUS_OK;
}

void xnn_slots_settle(struct xnn_slots *slots)
{
    for (uint32_t i = 0; i < slots->log->kernels.count; i++) {
        struct kernel *kernel = kernel_at(slots->log, i);

        kernel->replaced = slots->standing[i] == 0;
        if (!kernel->replaced)
            kernel->replaced_by = NO_ID;
    }
}

/* ---- What an operator ran ---- */

enum { MOST_TYPES = 6, LONGEST_TYPE = 8 };

/* Data types as words in lower case. */
struct types {
    char words[MOST_TYPES][LONGEST_TYPE]; /* with a NUL behind each */
    unsigned count;                       /* of words */
};

static void add_type(struct types *types, const char *word, size_t length)
{
    char *to = types->words[types->count];

    if (types->count == MOST_TYPES || length >= LONGEST_TYPE)
        return;
    for (size_t i = 0; i < length; i++)
        to[i] = char_lower(word[i]);
    to[length] = '\0';
    types->count++;
}

/* The words of a text that have a digit are data types: NC, NHWC and ND are layouts. */
static struct types read_types(struct text text)
{
    struct types types = { .count = 0 };
    size_t start = 0;
    bool digit = false;

    for (size_t i = 0; i <= text.length; i++) {
        char sign = i < text.length ? text.data[i] : ' ';

        if (sign == ' ' || sign == ',' || sign == '_' || sign == '(' || sign == ')') {
            if (digit)
                add_type(&types, text.data + start, i - start);
            start = i + 1;
            digit = false;
        }
        digit |= char_is_digit(sign);
    }
    return types;
}

/* Types in the last parentheses of an operator's name, with the words that kernels have for them. */
static struct types operator_types(struct text name)
{
    const char *open = text_last(name, '(');
    struct types types = { .count = 0 };

    if (open)
        types = read_types(text_between(open, name.data + name.length));
    for (unsigned i = 0; i < types.count; i++) {
        if (strcmp(types.words[i], "qdu8") == 0) /* dynamically quantised to unsigned: the same kernels */
            memcpy(types.words[i], "qd8", 4);
    }
    if (types.count == 1 && strcmp(types.words[0], "qc8") == 0) /* per channel: input and weights */
        types = read_types(text_of("qs8_qc8w"));
    return types;
}

/* 2: the same; 1: the kernel names more of them, the first is the same; 0: others. */
static unsigned match_types(const struct types *op, const struct types *kernel)
{
    unsigned matched = 0;

    if (!op->count || !kernel->count || strcmp(op->words[0], kernel->words[0]) != 0)
        return 0;
    for (unsigned i = 0; i < kernel->count && matched < op->count; i++)
        matched += strcmp(op->words[matched], kernel->words[i]) == 0;
    return matched < op->count ? 0 : op->count == kernel->count ? 2 : 1;
}

/* How well a kernel fits; 0: not at all. */
static unsigned rate_kernel(const struct xnn_slots *slots, const struct kernel *kernel, const struct kernel_use *use,
                            const struct types *types)
{
    struct strings *strings = slots->log->strings;
    struct text variant = strings_get(strings, use->variant);
    bool indirect = text_is(strings_get(strings, kernel->operation), "igemm");
    struct types own;
    unsigned matched;

    if (kernel->replaced || kernel->rows != use->mr || kernel->columns != use->nr || !is_gemm(slots, kernel))
        return 0;
    own = read_types(strings_get(strings, kernel->types));
    matched = match_types(types, &own);
    if (!matched)
        return 0;
    return 1 + matched * 2 + (text_is(strings_get(strings, kernel->variant), "minmax") ? 1 : 0) +
           (indirect == text_is(variant, "IGEMM") ? 8 : 0);
}

status xnn_slots_find(struct xnn_slots *slots, struct kernel_use *use)
{
    uint32_t known = strings_count(slots->use_keys);
    unsigned best = 0;
    struct types types;
    string_id key;
    status code = strings_add_format(slots->use_keys, &key, "%u %u %u %u", use->name, use->variant, use->mr, use->nr);

    if (code == STATUS_OK)
        code = memory_grow(&slots->found, &slots->found_capacity, (size_t)key + 1, sizeof *slots->found);
    if (code != STATUS_OK)
        return code;
    if (key >= known) {
        types = operator_types(strings_get(slots->log->strings, use->name));
        slots->found[key] = NO_ID;
        for (uint32_t i = 0; i < slots->log->kernels.count; i++) {
            unsigned rate = rate_kernel(slots, kernel_at(slots->log, i), use, &types);

            if (rate && rate >= best) {
                best = rate;
                slots->found[key] = i;
            }
        }
    }
    use->kernel = slots->found[key];
    if (use->kernel != NO_ID && !use->skipped)
        kernel_at(slots->log, use->kernel)->runs++;
    return STATUS_OK;
}
