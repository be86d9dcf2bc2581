/* category.c: what an operator does, by the words of its name: a table, and rules of the user before it. */
#include "executorch/category.h"

#include <assert.h>

#include "base/lines.h"
#include "base/memory.h"

const char *category_key(enum category category)
{
    static const char *const keys[] = {
#define X(name, key, title) key,
        CATEGORY_MAP(X)
#undef X
    };

    assert(category < CATEGORY_COUNT);
    return keys[category];
}

const char *category_title(enum category category)
{
    static const char *const titles[] = {
#define X(name, key, title) title,
        CATEGORY_MAP(X)
#undef X
    };

    assert(category < CATEGORY_COUNT);
    return titles[category];
}

const char *operator_kind_key(enum operator_kind kind)
{
    static const char *const keys[] = {
#define X(name, key, title, category) key,
        OPERATOR_KIND_MAP(X)
#undef X
    };

    assert(kind < OPERATOR_KIND_COUNT);
    return keys[kind];
}

const char *operator_kind_title(enum operator_kind kind)
{
    static const char *const titles[] = {
#define X(name, key, title, category) title,
        OPERATOR_KIND_MAP(X)
#undef X
    };

    assert(kind < OPERATOR_KIND_COUNT);
    return titles[kind];
}

enum category operator_kind_category(enum operator_kind kind)
{
    static const unsigned char categories[] = {
#define X(name, key, title, category) CATEGORY_##category,
        OPERATOR_KIND_MAP(X)
#undef X
    };

    assert(kind < OPERATOR_KIND_COUNT);
    return categories[kind];
}

/* ---- The table ---- */

struct table_rule {
    enum operator_kind kind; /* what operators of such a name are */
    const char *patterns;    /* alternatives between bars; a word also stands for itself with 1d, 2d, 3d behind */
};

/* The first row that fits wins, so what names a whole operator comes before the words that it is made of: attention before dot,
 * quantize before linear, matrix multiply before multiply, pooling before max, softmax before log, scatter before add. */
static const struct table_rule table[] = {
    { OPERATOR_KIND_ATTENTION, "attention|sdpa|mha|flash attn" },
    { OPERATOR_KIND_RECURRENT, "lstm|gru|rnn" },
    { OPERATOR_KIND_QUANTISATION,
      "quantize|dequantize|requantize|quantise|dequantise|requantise|fake quant|choose qparams|convert|cast" },
    { OPERATOR_KIND_RESIZE, "resize|upsample|interpolate|grid sampler|grid sample" },
    { OPERATOR_KIND_CONVOLUTION,
      "conv|convolution|deconv|deconvolution|subconv|depthwise|dwconv|pointwise|igemm|implicit gemm" },
    { OPERATOR_KIND_MATRIX,
      "gemm|gemv|matmul|mm|bmm|addmm|baddbmm|addbmm|mv|addmv|spmm|linear|fully connected|fullyconnected|dense|einsum|"
      "matrix multiply|dot" },
    { OPERATOR_KIND_POOLING, "pool|pooling|unpooling|maxpool|avgpool|meanpool|averagepool|adaptivepool|globalpool" },
    { OPERATOR_KIND_NORMALISATION,
      "layer norm|batch norm|group norm|instance norm|rms norm|weight norm|response norm|layernorm|batchnorm|"
      "groupnorm|instancenorm|rmsnorm|lrn|layer normalization|batch normalization" },
    { OPERATOR_KIND_ARITHMETIC, "rope|rotary embedding|rotary emb" },
    { OPERATOR_KIND_EMBEDDING, "embedding|embeddingbag" },
    { OPERATOR_KIND_ACTIVATION,
      "relu|relu6|leakyrelu|prelu|rrelu|gelu|silu|swish|mish|elu|celu|selu|glu|tanh|sigmoid|logsigmoid|softplus|"
      "softsign|softmax|logsoftmax|softmin|softshrink|hardshrink|hardtanh|hardswish|hardsigmoid|threshold" },
    { OPERATOR_KIND_RESHAPE, "reshape|view|flatten|unflatten|squeeze|unsqueeze" },
    { OPERATOR_KIND_LAYOUT,
      "transpose|permute|swapaxes|movedim|aten t|cat|concat|concatenate|concatenate2|concatenate3|concatenate4|"
      "concatenate5|split|split2|split3|split4|chunk|stack|unbind|gather|scatter|index|take|select|narrow|slice|copy|"
      "clone|contiguous|memcpy|expand|broadcast|tile|repeat|unfold|fold|im2col|pad|padding|roll|flip|depth to space|"
      "space to depth|pixel shuffle|pixel unshuffle|channel shuffle|update cache|pack" },
    { OPERATOR_KIND_REDUCTION,
      "sum|mean|amax|amin|aminmax|argmax|argmin|prod|var|std|any|all|logsumexp|vector norm|max dim|min dim|max unary|"
      "min unary|reduce|reduction" },
    { OPERATOR_KIND_ARITHMETIC,
      "add|addcmul|addcdiv|sub|subtract|rsub|mul|multiply|div|divide|remainder|fmod|modulus|reciprocal|neg|negate|"
      "negative|abs|sign|squared difference|square|square root|cube root|sqrt|rsqrt|pow|power|exp|exponential|exp2|"
      "expm1|log|log2|log10|log1p|erf|sin|sine|cos|cosine|tan|tangent|asin|acos|atan|atan2|sinh|cosh|asinh|acosh|"
      "atanh|max|maximum|min|minimum|clamp|clip|round|rounding|floor|floor divide|ceil|ceiling|trunc|truncation|"
      "copysign|where|masked fill|tril|triu|logical|bitwise|and|or|xor|not|eq|ne|gt|ge|lt|le|equal|isnan|isinf|"
      "vmulcaddc|elementwise" },
};

/* ---- Words ---- */

enum { NAME_LONGEST = 512, NAME_WORDS = 64 }; /* what is behind this in a name does not count */

struct words {
    char text[NAME_LONGEST];      /* the name in lower case; the words point into it */
    struct text word[NAME_WORDS]; /* in the order of the name */
    unsigned count;               /* of words */
};

static bool is_blank(char byte)
{
    return byte == '\0' || strchr(" \t_:/-.(),#\"'", byte) != NULL;
}

static void words_split(struct words *words, struct text name)
{
    size_t length = name.length < NAME_LONGEST ? name.length : NAME_LONGEST, i, start;

    words->count = 0;
    for (i = 0; i < length; i++)
        words->text[i] = name.data[i] >= 'A' && name.data[i] <= 'Z' ? (char)(name.data[i] - 'A' + 'a') : name.data[i];
    for (i = 0; i < length && words->count < NAME_WORDS;) {
        if (is_blank(words->text[i])) {
            i++;
            continue;
        }
        for (start = i; i < length && !is_blank(words->text[i]); i++)
            ;
        words->word[words->count++] = (struct text){ words->text + start, i - start };
    }
}

/* The next word of a pattern, or length 0 at its end. */
static struct text next_word(struct text *pattern)
{
    struct text word;

    while (pattern->length && *pattern->data == ' ')
        pattern->data++, pattern->length--;
    word = (struct text){ pattern->data, 0 };
    while (word.length < pattern->length && word.data[word.length] != ' ')
        word.length++;
    pattern->data += word.length;
    pattern->length -= word.length;
    return word;
}

static bool has_dimension(struct text word)
{
    return word.length == 2 && word.data[0] >= '1' && word.data[0] <= '3' && word.data[1] == 'd';
}

static bool word_fits(struct text word, struct text wanted, bool dimensions)
{
    if (word.length < wanted.length || memcmp(word.data, wanted.data, wanted.length) != 0)
        return false;
    return word.length == wanted.length ||
           (dimensions && has_dimension((struct text){ word.data + wanted.length, word.length - wanted.length }));
}

/* Whether the words of `part`, which has no star, stand at `first`; `*after` is then the word behind them. */
static bool part_fits_at(const struct words *words, unsigned first, struct text part, bool dimensions, unsigned *after)
{
    struct text wanted;

    for (*after = first; (wanted = next_word(&part)).length > 0; (*after)++)
        if (*after >= words->count || !word_fits(words->word[*after], wanted, dimensions))
            return false;
    return true;
}

/* Each part between stars at its first place behind the part before: no later place could help the rest. */
static bool pattern_fits(const struct words *words, struct text pattern, bool dimensions)
{
    unsigned from = 0, after = 0;

    while (pattern.length) {
        const char *star = memchr(pattern.data, '*', pattern.length);
        struct text part = { pattern.data, star ? (size_t)(star - pattern.data) : pattern.length };

        while (!part_fits_at(words, from, part, dimensions, &after))
            if (++from >= words->count)
                return false;
        from = after;
        pattern.data += part.length + (star ? 1 : 0);
        pattern.length -= part.length + (star ? 1 : 0);
    }
    return true;
}

static bool row_fits(const struct words *words, const char *patterns)
{
    for (;;) {
        size_t length = strcspn(patterns, "|");

        if (pattern_fits(words, (struct text){ patterns, length }, true))
            return true;
        if (!patterns[length])
            return false;
        patterns += length + 1;
    }
}

/* ---- A user's rules ---- */

struct user_rule {
    char *pattern;           /* words in lower case with one blank between them, stars included */
    enum operator_kind kind; /* what operators of such a name are */
};

struct category_rules {
    struct user_rule *rules; /* the first that fits counts; owned */
    size_t count, capacity;  /* of rules */
};

void category_rules_free(struct category_rules *rules)
{
    if (!rules)
        return;
    for (size_t i = 0; i < rules->count; i++)
        memory_free(rules->rules[i].pattern);
    memory_free(rules->rules);
    memory_free(rules);
}

static struct text trim(struct text text)
{
    while (text.length && (*text.data == ' ' || *text.data == '\t'))
        text.data++, text.length--;
    while (text.length && (text.data[text.length - 1] == ' ' || text.data[text.length - 1] == '\t'))
        text.length--;
    return text;
}

static bool kind_named(struct text key, enum operator_kind *kind)
{
    for (unsigned i = 0; i < OPERATOR_KIND_COUNT; i++) {
        const char *candidate = operator_kind_key((enum operator_kind)i);

        if (strlen(candidate) == key.length && memcmp(candidate, key.data, key.length) == 0) {
            *kind = (enum operator_kind)i;
            return true;
        }
    }
    return false;
}

/* The pattern as `pattern_fits` wants it. Stars stand alone, and a pattern of stars only would fit everything by accident. */
static status pattern_copy(struct place place, struct text text, char **pattern)
{
    struct words words;
    size_t length = 0;
    bool has_word = false;

    if (text.length > NAME_LONGEST)
        return status_fail_at(STATUS_INPUT, place, "the pattern is longer than %d bytes", NAME_LONGEST);
    words_split(&words, text);
    for (unsigned i = 0; i < words.count; i++) {
        if (words.word[i].length > 1 && memchr(words.word[i].data, '*', words.word[i].length))
            return status_fail_at(STATUS_INPUT, place, "a * stands for whole words: put blanks around it");
        has_word |= words.word[i].data[0] != '*';
    }
    if (!has_word)
        return status_fail_at(STATUS_INPUT, place, "there is no word before the =");
    if (!(*pattern = memory_allocate(text.length + 1)))
        return status_no_memory("keeping a rule");
    for (unsigned i = 0; i < words.count; i++) {
        if (i)
            (*pattern)[length++] = ' ';
        memcpy(*pattern + length, words.word[i].data, words.word[i].length);
        length += words.word[i].length;
    }
    (*pattern)[length] = '\0';
    return STATUS_OK;
}

static status read_rule(struct category_rules *rules, const char *file, const struct line *line)
{
    const char *comment = memchr(line->data, '#', line->length), *equals;
    struct text text = trim((struct text){ line->data, comment ? (size_t)(comment - line->data) : line->length }), key;
    struct user_rule rule;
    status result;

    if (!text.length)
        return STATUS_OK;
    if (line->too_long || !(equals = memrchr(text.data, '=', text.length)))
        return status_fail_at(STATUS_INPUT, (struct place){ file, line->number, 1 }, "a rule is written: WORDS = KIND");
    key = trim((struct text){ equals + 1, (size_t)(text.data + text.length - equals - 1) });
    if (!kind_named(key, &rule.kind))
        return status_fail_at(
            STATUS_INPUT, (struct place){ file, line->number, (uint64_t)(equals - line->data) + 2 },
            "\"%.*s\" is no kind of operator; the kinds are: matrix, convolution, layout, reshape, "
            "quantisation, arithmetic, activation, pooling, normalisation, attention, reduction, resize, "
            "embedding, recurrent, other",
            (int)(key.length < 40 ? key.length : 40), key.data);
    result = memory_grow(&rules->rules, &rules->capacity, rules->count + 1, sizeof *rules->rules);
    if (result == STATUS_OK)
        result = pattern_copy((struct place){ file, line->number, (uint64_t)(text.data - line->data) + 1 },
                              (struct text){ text.data, (size_t)(equals - text.data) }, &rule.pattern);
    if (result == STATUS_OK)
        rules->rules[rules->count++] = rule;
    return result;
}

status category_rules_read(struct input *input, struct category_rules **rules)
{
    struct lines *lines = NULL;
    struct line line;
    bool found = true;
    status result;

    if (!(*rules = memory_allocate_clear(sizeof **rules)))
        return status_no_memory("reading rules");
    result = lines_open(input, &lines);
    while (result == STATUS_OK && found) {
        result = lines_next(lines, &line, &found);
        if (result == STATUS_OK && found)
            result = read_rule(*rules, input_name(input), &line);
    }
    lines_close(lines);
    if (result != STATUS_OK) {
        category_rules_free(*rules);
        *rules = NULL;
    }
    return result;
}

enum operator_kind operator_kind_of(const struct category_rules *rules, struct text name)
{
    struct words words;

    words_split(&words, name);
    for (size_t i = 0; rules && i < rules->count; i++)
        if (pattern_fits(&words, (struct text){ rules->rules[i].pattern, strlen(rules->rules[i].pattern) }, false))
            return rules->rules[i].kind;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (row_fits(&words, table[i].patterns))
            return table[i].kind;
    return OPERATOR_KIND_OTHER;
}

status category_rules_given(const char *path, struct category_rules **rules)
{
    struct input *input;
    status code;

    *rules = NULL;
    if (!path)
        return STATUS_OK;
    code = input_open(path, &input);
    if (code != STATUS_OK)
        return code;
    code = category_rules_read(input, rules);
    input_close(input);
    return code;
}
