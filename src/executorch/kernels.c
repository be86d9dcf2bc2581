/* kernels.c: names of microkernels taken apart, and what architectures they are for. */
#include "executorch/kernels.h"

#include <assert.h>
#include <string.h>

void kernel_log_start(struct kernel_log *log, struct strings *strings)
{
    *log = (struct kernel_log){ .strings = strings };
    column_start(&log->kernels, sizeof(struct kernel));
    column_start(&log->uses, sizeof(struct kernel_use));
}

void kernel_log_free(struct kernel_log *log)
{
    column_free(&log->kernels);
    column_free(&log->uses);
}

/* ---- Names ---- */

static bool has(struct text text, const char *piece)
{
    return text.length && memmem(text.data, text.length, piece, strlen(piece));
}

static bool is_digit(char sign)
{
    return sign >= '0' && sign <= '9';
}

/* f32, qs8, pqs8, qc8w, x24, xx, bf16: one to four letters, one or two digits, perhaps a w. */
static bool is_data_type(struct text word)
{
    size_t letters = 0;
    size_t digits = 0;

    if (text_is(word, "xx"))
        return true;
    while (letters < word.length && word.data[letters] >= 'a' && word.data[letters] <= 'z')
        letters++;
    while (letters + digits < word.length && is_digit(word.data[letters + digits]))
        digits++;
    if (letters < 1 || letters > 4 || digits < 1 || digits > 2)
        return false;
    return letters + digits == word.length ||
           (letters + digits + 1 == word.length && word.data[word.length - 1] == 'w');
}

/* The words of a name between its "_"; false: no more. */
static bool next_word(struct text *rest, struct text *word)
{
    const char *end;

    if (!rest->data)
        return false;
    end = rest->length ? memchr(rest->data, '_', rest->length) : NULL;
    *word = (struct text){ rest->data, end ? (size_t)(end - rest->data) : rest->length };
    *rest = end ? (struct text){ end + 1, rest->length - word->length - 1 } : (struct text){ NULL, 0 };
    return true;
}

/* What the part of a name before "__" says. */
struct name_parts {
    struct text types;     /* from the first one to the last */
    struct text operation; /* gemm, dwconv */
    struct text variant;   /* what comes between operation and shape; empty: none */
    struct text shape;     /* 4x16; empty: none */
};

static struct name_parts split_base(struct text base)
{
    struct name_parts parts = { { base.data, 0 }, { base.data, 0 }, { base.data, 0 }, { base.data, 0 } };
    struct text candidate = { base.data, 0 }; /* the word after the operation: a variant where "ukernel" follows */
    struct text rest = base;
    struct text word;
    unsigned after = 0; /* words since the operation */
    bool first = true;
    bool kernel = false;

    while (next_word(&rest, &word)) {
        if (first && text_is(word, "xnn")) {
            first = false;
            continue;
        }
        first = false;
        if (kernel) {
            parts.shape = word;
            return parts;
        }
        if (text_is(word, "ukernel")) {
            kernel = true;
            parts.variant = candidate;
        } else if (!parts.operation.length && is_data_type(word)) {
            if (!parts.types.length)
                parts.types = word;
            parts.types.length = (size_t)(word.data + word.length - parts.types.data);
        } else if (!parts.operation.length) {
            parts.operation = word;
        } else if (after++ == 0) {
            candidate = word;
        }
    }
    return parts;
}

static uint32_t read_number(const char **next, const char *end)
{
    enum { MOST = 1000000 };
    uint32_t sum = 0;

    for (; *next < end && is_digit(**next); (*next)++)
        sum = sum < MOST ? sum * 10 + (uint32_t)(**next - '0') : MOST;
    return sum;
}

/* MR and NR of 16x64c4. A tile that is a multiple of the vector length (1x4v) has no number that can be compared. */
static void read_tile(struct text shape, struct kernel *kernel)
{
    const char *next = shape.data;
    const char *end = shape.data + shape.length;
    uint32_t rows = read_number(&next, end);
    uint32_t columns;

    if (!rows || next == end || *next != 'x')
        return;
    next++;
    columns = read_number(&next, end);
    if (!columns || (next < end && *next == 'v'))
        return;
    kernel->rows = rows;
    kernel->columns = columns;
}

status kernel_split(struct strings *strings, struct text name, struct kernel *kernel)
{
    const char *mark = name.length ? memmem(name.data, name.length, "__", 2) : NULL;
    struct text base = { name.data, mark ? (size_t)(mark - name.data) : name.length };
    struct text architecture = mark ? (struct text){ mark + 2, name.length - base.length - 2 } : (struct text){ "", 0 };
    struct name_parts parts = split_base(base);
    status code = strings_add(strings, name.data, name.length, &kernel->name);

    assert(name.data || !name.length);
    if (code == STATUS_OK)
        code = strings_add(strings, parts.types.data, parts.types.length, &kernel->types);
    if (code == STATUS_OK)
        code = strings_add(strings, parts.operation.data, parts.operation.length, &kernel->operation);
    if (code == STATUS_OK)
        code = strings_add(strings, parts.variant.data, parts.variant.length, &kernel->variant);
    if (code == STATUS_OK)
        code = strings_add(strings, parts.shape.data, parts.shape.length, &kernel->shape);
    if (code == STATUS_OK)
        code = strings_add(strings, architecture.data, architecture.length, &kernel->architecture);
    kernel->rows = kernel->columns = 0;
    /* Shapes of other kernels name windows and strides. */
    if (has(parts.operation, "gemm") || text_is(parts.operation, "spmm"))
        read_tile(parts.shape, kernel);
    return code;
}

/* ---- Architectures ---- */

struct architecture {
    const char *piece; /* of the chain */
    const char *title; /* for people */
};

/* The first piece that the chain has decides: what needs the newer machine stands before what it is built on. */
static const struct architecture architectures[] = {
    { "sme2", "SME2" },
    { "sme", "SME" },
    { "sve2", "SVE2" },
    { "sve", "SVE" },
    { "amx", "AMX" },
    { "avx10", "AVX10" },
    { "avx512", "AVX-512" },
    { "avx256", "AVX-512 (256 bit)" },
    { "avxvnni", "AVX-VNNI" },
    { "avx2", "AVX2" },
    { "fma3", "FMA3" },
    { "f16c", "F16C" },
    { "avx", "AVX" },
    { "sse", "SSE" },
    { "neon", "NEON" },
    { "aarch64", "NEON" },
    { "aarch32", "NEON" },
    { "armsimd32", "Arm SIMD32" },
    { "fp16arith", "Arm FP16" },
    { "rvv", "RVV" },
    { "wasmrelaxedsimd", "WASM SIMD" },
    { "wasmsimd", "WASM SIMD" },
    { "wasmblendvps", "WASM SIMD" },
    { "wasmpshufb", "WASM SIMD" },
    { "wasmsdot", "WASM SIMD" },
    { "wasmusdot", "WASM SIMD" },
    { "wasm", "WASM" },
    { "hvx", "HVX" },
    { "hexagon", "Hexagon" },
    { "vsx", "VSX" },
    { "lsx", "LSX" },
    { "lasx", "LASX" },
    { "scalar", "Scalar" },
};

const char *architecture_title(struct text chain)
{
    for (size_t i = 0; i < sizeof architectures / sizeof *architectures; i++) {
        if (has(chain, architectures[i].piece))
            return architectures[i].title;
    }
    return "Other";
}

bool architecture_is_sme(struct text chain)
{
    return has(chain, "sme");
}

bool architecture_is_sme2(struct text chain)
{
    return has(chain, "sme2");
}
