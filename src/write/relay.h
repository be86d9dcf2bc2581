/* relay.h: a writer that works in a thread of its own, beside the reader that feeds it.
 *
 *     reader -> sink of the relay -> batch | batch | batch -> thread -> sink of the writer
 *
 * What comes per event is copied into batches, which the thread hands on in order. All other calls wait until nothing is left to hand on, and are
 * made then and there: the writer sees the same calls in the same order as without a relay, one at a time. Calls that come per event must
 * not look into the pool of strings, which grows meanwhile; ids are all that they may use.
 *
 * A failure of the writer comes back with one of the next calls, and with `finish` at the latest. Memory: a few batches.
 */
#ifndef WRITE_RELAY_H
#define WRITE_RELAY_H

#include "write/writer.h"

/* Puts `*writer` behind a relay, which owns it from then on; `writer_free` frees both, at any time. Where no thread can be started it stays as it is. */
NODISCARD status relay_writer(struct writer *writer);

#endif
