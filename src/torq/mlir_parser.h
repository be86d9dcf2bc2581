/* mlir_parser.h: the state of the parser, for mlir_parse.c (structure) and mlir_attribute.c (the parts of an
 * operation).
 *
 * The current token is always the first one not used yet. Texts of tokens are valid until the next token is taken:
 * names that are needed longer are kept first.
 */
#ifndef TORQ_MLIR_PARSER_H
#define TORQ_MLIR_PARSER_H

#include "read/reader.h"
#include "torq/mlir_build.h"
#include "torq/mlir_scan.h"

enum frame_kind {
    FRAME_FILE,
    FRAME_REGION, /* { operations } */
    FRAME_REGIONS /* ( {...}, {...} ) of the generic form */
};

/* What is open at the moment. */
struct frame {
    enum frame_kind kind;
    bool has_operation;         /* one was begun here and is not finished */
    struct operation operation; /* the last one begun */
    struct scope scope;
    uint64_t line, column; /* of the opening bracket */
};

struct span {
    size_t start, length; /* in the parser's names */
};

struct parser {
    struct source *source;
    struct feed *feed;
    struct builder *builder;
    struct scanner scanner;
    struct token token;   /* current, not yet used */
    struct frame *frames; /* [0] is the file */
    size_t depth;         /* of the innermost frame */
    size_t frame_capacity;
    bool after_name; /* the token before was an operation's name */
    bool after_to;   /* the token before was `to` */
    int number;      /* enum number_kind that the next number of a profile is; -1: none */
    char *names;     /* bytes of the value names just read, or of a key */
    size_t names_length, names_capacity;
    struct span *spans; /* the names */
    size_t span_count, span_capacity;
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

#endif
