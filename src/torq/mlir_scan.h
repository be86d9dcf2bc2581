/* mlir_scan.h: the tokens of MLIR text, and a fast way over what nobody wants to see.
 *
 * A scanner reads its input in chunks and holds one buffer, whatever the size of the file or of a line: constants of
 * gigabytes are passed over by `scanner_skip_group` and `scanner_skip_value`, which only look for quotes, brackets and
 * line ends. How the input is cut into chunks never changes what comes out.
 *
 * Texts in tokens and kept groups are views into the buffer, valid until the next call. The scanner borrows the input
 * and owns its buffer until `scanner_close`.
 */
#ifndef TORQ_MLIR_SCAN_H
#define TORQ_MLIR_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/input.h"
#include "base/progress.h"
#include "base/status.h"

enum {
    SCANNER_LONGEST = 1024 * 1024, /* bytes of a name, a string or a kept group */
    SCANNER_DEEPEST = 4096         /* brackets inside one skipped group */
};

enum token_kind {
    TOKEN_END,    /* of the input */
    TOKEN_NAME,   /* torq_hl.program, module, loc */
    TOKEN_STRING, /* text between the quotes, escapes as printed */
    TOKEN_NUMBER, /* 640, 1.5e3, 0x2A: begins with a digit */
    TOKEN_VALUE,  /* %name or %name#2: text without % and without #2 */
    TOKEN_BLOCK,  /* ^bb0: text without ^ */
    TOKEN_SYMBOL, /* @name or @"name": text without @ and quotes */
    TOKEN_ALIAS,  /* #loc4, #torq_hw: text without # */
    TOKEN_TYPE,   /* !torq_hl.invocation: text without ! */
    TOKEN_ARROW,  /* -> */
    TOKEN_MARK    /* any other byte */
};

struct token {
    enum token_kind kind; /* what it is */
    char mark;            /* of TOKEN_MARK, else 0 */
    uint32_t number;      /* TOKEN_VALUE: which result, 0 unless printed */
    struct text text;     /* its bytes, in the buffer */
    uint64_t line;        /* of its first byte, from 1 */
    uint64_t column;      /* in bytes, from 1 */
};

struct scanner {
    struct input *input;       /* borrowed */
    struct progress *progress; /* NULL: silent */
    char *buffer;              /* what was read and is still needed */
    size_t capacity;           /* of it */
    size_t next;               /* first byte not yet taken */
    size_t end;                /* one past the last byte read */
    size_t keep;               /* first byte that must stay in the buffer; SIZE_MAX: none */
    bool dropped;              /* what was to be kept went over SCANNER_LONGEST */
    bool ended;                /* the input gave its last byte */
    char previous;             /* the byte before buffer[0] */
    uint64_t base;             /* offset of buffer[0] in the input */
    uint64_t line;             /* where `next` is */
    uint64_t line_start;       /* offset of that line's first byte */
    uint32_t section;          /* `// -----` marks passed: dumps after each other in one file */
};

NODISCARD status scanner_open(struct scanner *scanner, struct input *input, struct progress *progress);
void scanner_close(struct scanner *scanner); /* also after a failed open, and twice */

/* The next token. An unterminated string or a token over SCANNER_LONGEST is STATUS_INPUT. */
NODISCARD status scanner_next(struct scanner *scanner, struct token *token);

/* The byte that the next token begins with, not taken; -1 at the end. Texts of earlier tokens end here too. */
NODISCARD status scanner_peek(struct scanner *scanner, int *byte);

/* The byte directly behind the token just taken, be it a blank; -1 at the end. */
NODISCARD status scanner_behind(struct scanner *scanner, int *byte);

/* Past the bracket that closes `opener`, the token just taken: one of ( [ < {. A } that belongs to an outer brace ends
 * the group too and is not taken. `inside` (NULL: not wanted) becomes the text between the brackets; its data is NULL
 * when that is longer than SCANNER_LONGEST. A group that the input does not close is STATUS_INPUT. */
NODISCARD status scanner_skip_group(struct scanner *scanner, const struct token *opener, struct text *inside);

/* Up to the comma or the closing brace that ends an attribute's value, which is not taken. `value` as `inside` above,
 * without blanks at its ends. `from` is where to point when the input ends inside. */
NODISCARD status scanner_skip_value(struct scanner *scanner, const struct token *from, struct text *value);

struct place scanner_place(const struct scanner *scanner, uint64_t line, uint64_t column);

/* The first of " ( ) [ ] { } < > / and the line end in [data, end), or `end`. The plain one is for machines without
 * vector instructions and for tests. */
const char *scan_find_bracket(const char *data, const char *end);
const char *scan_find_bracket_plain(const char *data, const char *end);
/* The first of " \ and the line end. */
const char *scan_find_quote(const char *data, const char *end);
const char *scan_find_quote_plain(const char *data, const char *end);

#endif
