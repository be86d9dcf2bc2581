/* mlir_parse.h: the structure of an MLIR dump: regions, blocks, operations, attributes.
 *
 * The parser knows no operation's own syntax. It collects what any printed operation is made of (names, operands, groups such as
 * args(...), types, attributes, a location) and hands the whole to the builder, so that pretty and generic forms, any order of
 * attributes and any white space read alike, and what it does not know does no harm. Rows are counted in feed->losses: every Torq
 * operation, and every other that has an action id, is one.
 *
 * The state of the parser is here for mlir_parse.c (structure) and mlir_attribute.c (the parts of an operation), and owned by
 * `mlir_parse` while it runs. The current token is always the first one not used yet. Texts of tokens are valid until the next token
 * is taken: names that are needed longer are kept first.
 */
#ifndef TORQ_MLIR_PARSE_H
#define TORQ_MLIR_PARSE_H

#include "read/reader.h"
#include "torq/mlir_build.h"
#include "torq/mlir_scan.h"

/* Everything up to the end of the input goes into `builder`, which the caller started and frees. */
NODISCARD status mlir_parse(struct source *source, struct feed *feed, struct builder *builder);

/* ---- The state ---- */

enum frame_kind {
    FRAME_FILE,
    FRAME_REGION, /* { operations } */
    FRAME_REGIONS /* ( {...}, {...} ) of the generic form */
};

/* What is open at the moment. */
struct frame {
    enum frame_kind kind;       /* what encloses */
    bool has_operation;         /* one was begun here and is not finished */
    struct operation operation; /* the last one begun */
    struct scope scope;         /* what its end restores */
    uint64_t line, column;      /* of the opening bracket */
};

struct span {
    size_t start, length; /* in the parser's names */
};

struct parser {
    struct source *source;               /* that is read */
    struct feed *feed;                   /* whose losses are counted */
    struct builder *builder;             /* gets the operations */
    struct scanner scanner;              /* gives the tokens */
    struct token token;                  /* current, not yet used */
    struct frame *frames;                /* [0] is the file */
    size_t depth;                        /* of the innermost frame */
    size_t frame_capacity;               /* of them */
    bool after_name;                     /* the token before was an operation's name */
    bool after_to;                       /* the token before was `to` */
    int number;                          /* enum number_kind that the next number of a profile is; -1: none */
    char *names;                         /* bytes of the value names just read, or of a key */
    size_t names_length, names_capacity; /* of these bytes */
    struct span *spans;                  /* the names */
    size_t span_count, span_capacity;    /* of them */
};

NODISCARD status parser_advance(struct parser *parser);
bool parser_is(const struct parser *parser, char mark); /* the current token is this mark */
/* Past the group that the current token opens; `parser_skip` also takes the token behind it. */
NODISCARD status parser_skip_group(struct parser *parser, struct text *inside);
NODISCARD status parser_skip(struct parser *parser);
NODISCARD status parser_not_closed(struct parser *parser, const struct token *opener);

struct frame *parser_top(struct parser *parser);
struct operation *parser_operation(struct parser *parser); /* being read; NULL: none */
struct operation *parser_owner(struct parser *parser);     /* whose region the innermost frame is; NULL: none known */

void parser_forget_names(struct parser *parser);
NODISCARD status parser_keep_name(struct parser *parser, struct text name);
struct text parser_name(const struct parser *parser, size_t index);
NODISCARD status parser_set_text(struct parser *parser, string_id *id, struct text text);

/* ---- mlir_attribute.c: works on the operation that is being read ---- */

bool operation_wants_operands(const struct operation *operation);
bool operation_wants_memory(const struct operation *operation);    /* memref types */
bool operation_wants_execution(const struct operation *operation); /* the <nss> of a type */
bool operation_wants_profile(const struct operation *operation);   /* memory : 2048 bytes and the like */
bool operation_has_title(const struct operation *operation);       /* a string or symbol that names it */

/* The operation cannot be used; the first reason stays. */
void operation_lose(struct operation *operation, const struct loss_reason *reason);

/* The rest of an attribute dictionary. Its first key is the name kept last, and the current token follows that key. */
NODISCARD status parser_dictionary(struct parser *parser, const struct token *opener);

/* The group behind a type's name, and what it says. The current token is the <. */
NODISCARD status parser_type(struct parser *parser, bool memory, bool execution);
/* A word or !type: only a following < matters. */
NODISCARD status parser_type_word(struct parser *parser);
/* (%a, %b : types): operands of the current operation. The current token is the (. */
NODISCARD status parser_operands(struct parser *parser, enum operand_group group);
/* The group that a word in front of such a list stands for. */
enum operand_group parser_group_of(const struct operation *operation, struct text word);

#endif
