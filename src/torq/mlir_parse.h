/* mlir_parse.h: the structure of an MLIR dump: regions, blocks, operations, attributes.
 *
 * The parser knows no operation's own syntax. It collects what any printed operation is made of (names, operands,
 * groups such as args(...), types, attributes, a location) and hands the whole to the builder, so that pretty and
 * generic forms, any order of attributes and any white space read alike, and what it does not know does no harm.
 *
 * Rows are counted in feed->losses: every Torq operation, and every other that has an action id, is one.
 */
#ifndef TORQ_MLIR_PARSE_H
#define TORQ_MLIR_PARSE_H

#include "read/reader.h"
#include "torq/mlir_build.h"

/* Everything up to the end of the input goes into `builder`, which the caller started and frees. */
NODISCARD status mlir_parse(struct source *source, struct feed *feed, struct builder *builder);

#endif
