/* compare_match.c: which operator of one side is which of the other, and what changed beside its time.
 *
 * First by all that is known of an operator, then by less and less of it: without the shapes, by module and place, by name. What several have in common
 * is paired in order. Numbers in names ("GEMM #5") count up, and one operator more shifts all that follow: such a name says nothing where the
 * sides have a different number of its like, unless a module or a place stands beside it. What is left is aligned in order, as diff(1) aligns
 * lines: the same name without numbers counts most, the same type less, the same category with the same first word least; the rest appeared or
 * vanished.
 */
#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analyze/compare.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/text.h"

/* ---- what is known of an operator ------------------------------------------------------------------------------------ */

static uint64_t hash_text(const struct strings *strings, string_id id)
{
    struct text text = strings_get(strings, id);

    return text.length ? map_hash_bytes(text.data, text.length) : 0;
}

/* Without numbers, and what stands before them: "Conv (instruction 3)" and "Conv (instruction 12)" are the same. */
static uint64_t hash_base(const struct strings *strings, string_id id)
{
    struct text text = strings_get(strings, id);
    uint64_t hash = 0;

    for (size_t i = 0; i < text.length; i++)
        if (!isdigit((unsigned char)text.data[i]))
            hash = map_mix(hash, (unsigned char)text.data[i]);
    return hash;
}

static uint64_t hash_place(const struct op *op, const struct strings *strings)
{
    if (op->file)
        return map_mix(map_mix(hash_text(strings, op->file), op->line), op->column);
    return hash_text(strings, op->location);
}

/* Shapes in JSON are the same however a tool sets them out: "[[1,3]]" is "[ [ 1, 3 ] ]". */
static uint64_t hash_shapes(const struct strings *strings, string_id id)
{
    struct text text = strings_get(strings, id);
    uint64_t hash = 1;

    if (!text_begins(text, "["))
        return hash_text(strings, id);
    for (size_t i = 0; i < text.length; i++)
        if (!isspace((unsigned char)text.data[i]))
            hash = map_mix(hash, (unsigned char)text.data[i]);
    return hash;
}

/* "models.py:20", wherever that file lies; else the longest word of its type or name, in small letters. */
static uint64_t hash_source(const struct op *op, const struct strings *strings)
{
    const char *text = strings_text(strings, op->type ? op->type : op->name);
    const char *best = text;
    size_t most = 0;
    uint64_t hash = 1;

    if (op->file && op->line) {
        const char *name = path_name(strings_text(strings, op->file));

        return map_mix(map_hash_bytes(name, strlen(name)), op->line);
    }
    for (const char *at = text; *at;) {
        size_t length = 0;

        while (isalnum((unsigned char)at[length]))
            length++;
        if (length > most) {
            most = length;
            best = at;
        }
        at += length ? length : 1;
    }
    for (size_t i = 0; i < most; i++)
        hash = map_mix(hash, (uint64_t)tolower((unsigned char)best[i]));
    return hash;
}

uint64_t compare_identity(const struct op *op, const struct strings *strings, bool by_source)
{
    uint64_t hash;

    if (op->id == NO_ID)
        return 0;
    if (by_source)
        return hash_source(op, strings);
    hash = map_mix(map_mix(hash_text(strings, op->name), hash_text(strings, op->type)),
                   map_mix(hash_text(strings, op->module), hash_shapes(strings, op->shapes)));
    return map_mix(hash, hash_place(op, strings));
}

/* ---- levels ---------------------------------------------------------------------------------------------------------- */

enum { BY_NAME = 1, BY_TYPE = 2, BY_MODULE = 4, BY_PLACE = 8, BY_SHAPES = 16 };

static const unsigned levels[] = {
    BY_NAME | BY_TYPE | BY_MODULE | BY_PLACE | BY_SHAPES,
    BY_NAME | BY_TYPE | BY_MODULE | BY_PLACE,
    BY_TYPE | BY_MODULE | BY_PLACE | BY_SHAPES,
    BY_TYPE | BY_MODULE | BY_PLACE,
    BY_NAME | BY_MODULE | BY_SHAPES,
    BY_NAME | BY_MODULE,
    BY_NAME | BY_SHAPES,
    BY_NAME,
};

/* What is compared of an operator. */
struct traits {
    uint64_t name, base, type, module, place, shapes, category; /* hashes; 0: not known */
    uint64_t word;                                              /* the first of its kernel, or of its type */
    bool plain;                                                 /* its name counts; see above */
};

struct matching {
    const struct compare_list *lists[2]; /* borrowed */
    struct traits *traits[2];            /* of their operators */
    uint32_t *matches;                   /* by operator of the first: of the second */
    bool *taken;                         /* by operator of the second */
};

/* "Convolution" of "Convolution (NHWC, F32) IGEMM". */
static uint64_t hash_word(const char *text)
{
    size_t length = 0;

    while (*text && !isalpha((unsigned char)*text))
        text++;
    while (isalpha((unsigned char)text[length]))
        length++;
    return map_hash_bytes(text, length);
}

static struct traits traits_of(const struct op *op, const struct strings *strings)
{
    if (op->id == NO_ID)
        return (struct traits){ .name = 1, .base = 1, .type = 1, .plain = true };
    return (struct traits){ .name = hash_text(strings, op->name),
                            .base = hash_base(strings, op->name),
                            .type = hash_text(strings, op->type),
                            .module = hash_text(strings, op->module),
                            .place = hash_place(op, strings),
                            .shapes = hash_shapes(strings, op->shapes),
                            .category = hash_text(strings, op->category),
                            .word = hash_word(strings_text(strings, op->kernel ? op->kernel : op->type)) };
}

/* The key of an operator at a level; 0: it takes no part. */
static uint64_t key_at(const struct traits *traits, unsigned level)
{
    uint64_t key = 1;

    if (level & BY_NAME ? !traits->plain : !traits->module && !traits->place)
        return 0;
    key = map_mix(key, level & BY_NAME ? traits->name : 0);
    key = map_mix(key, level & BY_TYPE ? traits->type : 0);
    key = map_mix(key, level & BY_MODULE ? traits->module : 0);
    key = map_mix(key, level & BY_PLACE ? traits->place : 0);
    key = map_mix(key, level & BY_SHAPES ? traits->shapes : 0);
    return key ? key : 1;
}

struct keyed {
    uint64_t key;   /* at a level */
    uint32_t place; /* in its list */
};

static int by_key(const void *left, const void *right)
{
    const struct keyed *one = left, *other = right;

    if (one->key != other->key)
        return one->key < other->key ? -1 : 1;
    return (one->place > other->place) - (one->place < other->place);
}

static size_t list_keys(const struct matching *matching, unsigned side, unsigned level, struct keyed *to)
{
    size_t count = 0;

    for (size_t i = 0; i < matching->lists[side]->count; i++) {
        uint64_t key = key_at(&matching->traits[side][i], level);

        if (key && (side ? !matching->taken[i] : matching->matches[i] == NO_ID))
            to[count++] = (struct keyed){ key, (uint32_t)i };
    }
    if (count)
        qsort(to, count, sizeof *to, by_key);
    return count;
}

/* The first with the first of the same key, the second with the second. */
static void match_level(struct matching *matching, unsigned level, struct keyed *one, struct keyed *other)
{
    size_t ones = list_keys(matching, 0, level, one), others = list_keys(matching, 1, level, other);

    for (size_t i = 0, k = 0; i < ones && k < others;) {
        if (one[i].key == other[k].key) {
            matching->matches[one[i].place] = other[k].place;
            matching->taken[other[k].place] = true;
            i++;
            k++;
        } else if (one[i].key < other[k].key) {
            i++;
        } else {
            k++;
        }
    }
}

/* How many operators have each name without numbers, on both sides: where that differs, the numbers are not those of the other side. */
static status trust_names(struct matching *matching)
{
    struct number_map counts[2];
    status code = STATUS_OK;

    number_map_start(&counts[0]);
    number_map_start(&counts[1]);
    for (unsigned side = 0; side < 2 && code == STATUS_OK; side++)
        for (size_t i = 0; i < matching->lists[side]->count && code == STATUS_OK; i++) {
            uint32_t *count = number_map_at(&counts[side], matching->traits[side][i].base, 0);

            if (count)
                *count = *count == MAP_NONE ? 1 : *count + 1;
            else
                code = status_no_memory("comparing");
        }
    for (unsigned side = 0; side < 2 && code == STATUS_OK; side++)
        for (size_t i = 0; i < matching->lists[side]->count; i++) {
            struct traits *traits = &matching->traits[side][i];
            uint32_t one = number_map_find(&counts[0], traits->base, 0);
            uint32_t other = number_map_find(&counts[1], traits->base, 0);

            traits->plain |= one == other || one == MAP_NONE || other == MAP_NONE || traits->module || traits->place;
        }
    number_map_free(&counts[0]);
    number_map_free(&counts[1]);
    return code;
}

/* ---- in order -------------------------------------------------------------------------------------------------------- */

enum { MOST_CELLS = 4 * 1024 * 1024 }; /* of an alignment; more are paired with the next one of their name and type */

static unsigned likeness(const struct traits *one, const struct traits *other)
{
    if (one->base == other->base && one->type == other->type)
        return one->shapes == other->shapes ? one->name == other->name ? 6 : 5 : 4;
    if (one->type && one->type == other->type)
        return 3;
    if (one->base == other->base)
        return 2;
    return one->category && one->category == other->category && one->word == other->word;
}

/* The alignment with the highest sum of likeness. `best[i * (columns + 1) + k]` is that of what follows the i-th and the k-th. */
static void align(struct matching *matching, const uint32_t *left, size_t rows, const uint32_t *right, size_t columns,
                  uint32_t *best)
{
    size_t width = columns + 1, i = 0, k = 0;

    for (size_t row = rows; row-- > 0;)
        for (size_t column = columns; column-- > 0;) {
            unsigned like = likeness(&matching->traits[0][left[row]], &matching->traits[1][right[column]]);
            uint32_t pair = like ? best[(row + 1) * width + column + 1] + like : 0;
            uint32_t down = best[(row + 1) * width + column], across = best[row * width + column + 1];
            uint32_t most = down > across ? down : across;

            best[row * width + column] = pair > most ? pair : most;
        }
    while (i < rows && k < columns) {
        unsigned like = likeness(&matching->traits[0][left[i]], &matching->traits[1][right[k]]);
        uint32_t here = best[i * width + k];

        if (like && here == best[(i + 1) * width + k + 1] + like) {
            matching->matches[left[i]] = right[k];
            matching->taken[right[k]] = true;
            i++;
            k++;
        } else if (here == best[(i + 1) * width + k]) {
            i++;
        } else {
            k++;
        }
    }
}

/* Too many for a table. */
static void match_greedily(struct matching *matching, const uint32_t *left, size_t rows, const uint32_t *right,
                           size_t columns)
{
    enum { LOOK_AHEAD = 64, SAME = 4 }; /* SAME: name without numbers, and type */
    size_t next = 0;

    for (size_t i = 0; i < rows; i++) {
        for (size_t k = next; k < columns && k < next + LOOK_AHEAD; k++) {
            if (likeness(&matching->traits[0][left[i]], &matching->traits[1][right[k]]) >= SAME) {
                matching->matches[left[i]] = right[k];
                matching->taken[right[k]] = true;
                next = k + 1;
                break;
            }
        }
    }
}

static status match_in_order(struct matching *matching)
{
    size_t rows = 0, columns = 0;
    uint32_t *left = memory_allocate((matching->lists[0]->count + 1) * sizeof *left);
    uint32_t *right = memory_allocate((matching->lists[1]->count + 1) * sizeof *right), *best = NULL;
    status code = left && right ? STATUS_OK : status_no_memory("comparing");

    for (size_t i = 0; i < matching->lists[0]->count && code == STATUS_OK; i++)
        if (matching->matches[i] == NO_ID)
            left[rows++] = (uint32_t)i;
    for (size_t i = 0; i < matching->lists[1]->count && code == STATUS_OK; i++)
        if (!matching->taken[i])
            right[columns++] = (uint32_t)i;
    if (code == STATUS_OK && (rows + 1) * (columns + 1) > MOST_CELLS) {
        match_greedily(matching, left, rows, right, columns);
    } else if (code == STATUS_OK && rows && columns) {
        best = memory_allocate_clear((rows + 1) * (columns + 1) * sizeof *best);
        if (best)
            align(matching, left, rows, right, columns, best);
        else
            code = status_no_memory("comparing");
    }
    memory_free(left);
    memory_free(right);
    memory_free(best);
    return code;
}

status compare_match(const struct compare_list *before, const struct compare_list *after, const struct strings *strings,
                     uint32_t *matches)
{
    struct matching matching = { .lists = { before, after }, .matches = matches };
    struct keyed *keys = memory_allocate((before->count + after->count + 1) * sizeof *keys);
    status code;

    matching.taken = memory_allocate_clear(after->count + 1);
    matching.traits[0] = memory_allocate((before->count + 1) * sizeof *matching.traits[0]);
    matching.traits[1] = memory_allocate((after->count + 1) * sizeof *matching.traits[1]);
    code =
        keys && matching.taken && matching.traits[0] && matching.traits[1] ? STATUS_OK : status_no_memory("comparing");
    for (unsigned side = 0; side < 2 && code == STATUS_OK; side++)
        for (size_t i = 0; i < matching.lists[side]->count; i++)
            matching.traits[side][i] = traits_of(matching.lists[side]->ops[i], strings);
    for (size_t i = 0; i < before->count; i++)
        matches[i] = NO_ID;
    if (code == STATUS_OK)
        code = trust_names(&matching);
    for (size_t i = 0; i < sizeof levels / sizeof *levels && code == STATUS_OK; i++)
        match_level(&matching, levels[i], keys, keys + before->count);
    if (code == STATUS_OK)
        code = match_in_order(&matching);
    memory_free(keys);
    memory_free(matching.taken);
    memory_free(matching.traits[0]);
    memory_free(matching.traits[1]);
    return code;
}

/* ---- reasons --------------------------------------------------------------------------------------------------------- */

/* The data type that a text tells: "F32" of "Convolution (NHWC, F32) IGEMM". Empty: none. */
static struct text data_type_of(const char *text)
{
    static const char *const types[] = { "f64",      "f32",  "f16",   "bf16", "fp64", "fp32", "fp16",    "tf32",
                                         "qs8",      "qu8",  "qd8",   "qc8",  "qc4",  "qb4",  "float32", "float16",
                                         "bfloat16", "int8", "i8",    "s8",   "u8",   "ui8",  "int16",   "i16",
                                         "int32",    "i32",  "int64", "fp8",  "f8",   "int4", "i4",      "x8",
                                         "x16",      "x32",  "float", "half" };

    for (const char *at = text; *at;) {
        size_t length = 0;

        while (isalnum((unsigned char)at[length]))
            length++;
        for (size_t i = 0; i < sizeof types / sizeof *types; i++)
            if (length == strlen(types[i]) && strncasecmp(at, types[i], length) == 0)
                return text_between(at, at + length);
        at += length ? length : 1;
    }
    return (struct text){ "", 0 };
}

struct reasons {
    char *to;      /* COMPARE_REASON bytes */
    size_t length; /* so far */
};

static void add_reason(struct reasons *reasons, const char *format, ...) PRINTF_LIKE(2, 3);

static void add_reason(struct reasons *reasons, const char *format, ...)
{
    va_list arguments;
    int length;

    if (reasons->length && reasons->length + 3 < COMPARE_REASON)
        reasons->length += (size_t)snprintf(reasons->to + reasons->length, COMPARE_REASON - reasons->length, "; ");
    va_start(arguments, format);
    length = vsnprintf(reasons->to + reasons->length, COMPARE_REASON - reasons->length, format, arguments);
    va_end(arguments);
    reasons->length += length > 0 ? (size_t)length : 0;
    if (reasons->length >= COMPARE_REASON)
        reasons->length = COMPARE_REASON - 1;
}

/* One text in place of another, where both are known. */
static void add_change(struct reasons *reasons, const struct strings *strings, const char *what, string_id before,
                       string_id after)
{
    if (before && after && before != after)
        add_reason(reasons, "%s %s -> %s", what, strings_text(strings, before), strings_text(strings, after));
}

/* The end of a name from the parameter on in which it differs from another. */
static struct text from_difference(struct text name, struct text other)
{
    size_t same = 0;

    while (same < name.length && same < other.length && name.data[same] == other.data[same])
        same++;
    while (same && !strchr("<(, ", name.data[same - 1]))
        same--;
    return text_between(name.data + same, name.data + name.length);
}

/* Names of templates have hundreds of letters, and may differ in one parameter alone. */
static void add_kernel(struct reasons *reasons, const struct strings *strings, string_id before, string_id after)
{
    enum { WHOLE = 60, PARAMETERS = 40 }; /* letters that are shown */
    struct text one = strings_get(strings, before), other = strings_get(strings, after);
    struct text name = kernel_short_name(one);
    char first[KERNEL_ROOM], second[KERNEL_ROOM], third[KERNEL_ROOM];

    if (!before || !after || before == after)
        return;
    if (one.length <= WHOLE && other.length <= WHOLE) {
        add_change(reasons, strings, "kernel", before, after);
        return;
    }
    if (text_equal(name, kernel_short_name(other))) {
        kernel_shorten(name, WHOLE, first);
        kernel_shorten_parameters(from_difference(one, other), PARAMETERS, second);
        kernel_shorten_parameters(from_difference(other, one), PARAMETERS, third);
        if (*second && *third)
            add_reason(reasons, "kernel %s, %s -> %s", first, second, third);
        else /* they differ behind their last parameter, in the number of a lambda */
            add_reason(reasons, "kernel %s, another variant of it", first);
    } else
        add_reason(reasons, "kernel %s -> %s", kernel_shorten(name, WHOLE, first),
                   kernel_shorten(kernel_short_name(other), WHOLE, second));
}

/* The first kernel of one side that the other does not have; 0: none, or the other has more than are kept. Of several that both have, chance may
 * make any the longest. */
static string_id only_here(const struct compare_seen *seen, const struct compare_seen *other)
{
    if (other->kernels[COMPARE_KERNELS - 1])
        return 0;
    for (size_t i = 0; i < COMPARE_KERNELS && seen->kernels[i]; i++) {
        size_t at = 0;

        while (at < COMPARE_KERNELS && other->kernels[at] != seen->kernels[i])
            at++;
        if (at == COMPARE_KERNELS)
            return seen->kernels[i];
    }
    return 0;
}

/* `kernels`: that changed; 0: none did. */
static void add_data_type(struct reasons *reasons, const struct strings *strings, const struct op *before,
                          const struct op *after, const string_id kernels[2])
{
    bool changed = kernels[0] && kernels[1];
    struct text one = data_type_of(strings_text(strings, changed ? kernels[0] : before->type));
    struct text other = data_type_of(strings_text(strings, changed ? kernels[1] : after->type));

    if (!one.length || !other.length) {
        one = data_type_of(strings_text(strings, before->shapes));
        other = data_type_of(strings_text(strings, after->shapes));
    }
    if (one.length && other.length && !text_equal(one, other))
        add_reason(reasons, "data type %.*s -> %.*s", (int)one.length, one.data, (int)other.length, other.data);
}

static void add_calls(struct reasons *reasons, const struct compare_row *row)
{
    long one = lround(row->calls[0]), other = lround(row->calls[1]);

    if (one != other && fabs(row->calls[0] - (double)one) < 0.01 && fabs(row->calls[1] - (double)other) < 0.01)
        add_reason(reasons, "%ld x -> %ld x", one, other);
}

/* The first name of "DMA In, Slice 0"; the list goes on behind it. */
static struct text list_next(struct text *list)
{
    const char *comma = memmem(list->data, list->length, ", ", 2);
    struct text name = { list->data, comma ? (size_t)(comma - list->data) : list->length };
    size_t taken = name.length + (comma ? 2 : 0);

    *list = (struct text){ list->data + taken, list->length - taken };
    return name;
}

/* Whether an engine that mattered on one side does nothing on the other. Small things beside the work come and go with kernels. */
static bool moved(const struct strings *strings, const struct compare_seen *from, const struct compare_seen *to)
{
    struct text rest = strings_get(strings, from->mainly), all = strings_get(strings, to->engines);

    while (from->mainly && to->engines && rest.length) {
        struct text name = list_next(&rest), other, names = all;

        do
            other = list_next(&names);
        while (names.length && !text_equal(name, other));
        if (!text_equal(name, other))
            return true;
    }
    return false;
}

void compare_reason(const struct comparison *comparison, const struct compare_row *row,
                    const struct compare_seen seen[2], char to[COMPARE_REASON])
{
    const struct strings *strings = comparison->strings;
    const struct op *before = row->ops[0], *after = row->ops[1];
    const string_id kernels[2] = { only_here(&seen[0], &seen[1]), only_here(&seen[1], &seen[0]) };
    struct reasons reasons = { .to = to };

    assert(before && after);
    to[0] = '\0';
    if (comparison->by_source || comparison->unlike) /* they call everything by other names */
        return;
    if (moved(strings, &seen[0], &seen[1]) || moved(strings, &seen[1], &seen[0]))
        add_change(&reasons, strings, "runs on", seen[0].mainly, seen[1].mainly);
    add_data_type(&reasons, strings, before, after, kernels);
    add_kernel(&reasons, strings, kernels[0], kernels[1]);
    if (hash_shapes(strings, before->shapes) != hash_shapes(strings, after->shapes))
        add_change(&reasons, strings, "shapes", before->shapes, after->shapes);
    if (!before->kernel || !after->kernel)
        add_change(&reasons, strings, "type", before->type, after->type);
    add_calls(&reasons, row);
}
