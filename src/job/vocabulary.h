/* vocabulary.h: what the core and all chains have registered, put together.
 *
 * What is handed out is static data, or belongs to the caller where it says so.
 */
#ifndef JOB_VOCABULARY_H
#define JOB_VOCABULARY_H

#include "read/chain.h"
#include "table/field.h"

/* What is known of an argument key; NULL: nobody registered it. */
const struct argument_key *vocabulary_key(const char *name);
/* Its place in the CSV of slices; UINT_MAX: it has none. */
unsigned vocabulary_order(const char *name);

enum { VOCABULARY_COLUMNS = 64 };

/* The keys that have a column of their own in the CSV of slices, in order, NULL at the end. */
void vocabulary_columns(const char *columns[VOCABULARY_COLUMNS]);

enum { VOCABULARY_CHAINS = 16 };

/* The architectures that chains know, NULL at the end. */
void vocabulary_architectures(const struct architecture_set *sets[VOCABULARY_CHAINS]);

enum { VOCABULARY_SETS = 32 };

/* The field sets of the core and, behind them, those that chains add to any entity, NULL at the end. */
void vocabulary_fields(const struct field_set *const *core, const struct field_set *sets[VOCABULARY_SETS]);

#endif
