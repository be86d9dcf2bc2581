/* chrome.h: the reader of trace events in Chrome's JSON form, for whoever wrote them.
 *
 * The events of such a file come in no order that sinks could take: names behind what they name, work of a device before the call that launched
 * it, and on one thread several sections, each by time. So a file is walked through twice. The first walk keeps names, and 8 bytes for each event:
 *
 *     file     [ops of thread 1 | functions of thread 1 | calls of thread 1, kernels of stream 7, arrows | names]
 *     line 1     run [t0 t1 t2 ..]  run [t0 t1 ..]        run [t0 ..]
 *     line 2                                                            run [t0 t1 ..]
 *
 * A line is a thread, or the spans or the counters of a process; a run is a part of it by ascending time. The second walk merges the runs of
 * each line and all lines by time, reads each event where it lies, and tells it. So what is open on a thread is known when something begins there, and
 * a launch is told before the work that it launched.
 *
 * What the events mean is told by a producer; without one, slices are zones of threads, and their names are operators.
 */
#ifndef READ_CHROME_H
#define READ_CHROME_H

#include "read/producer.h"
#include "read/reader.h"

/* The whole input into the feed, for a reader of a chain. `producer` may be NULL. */
NODISCARD status chrome_read(struct source *source, struct feed *feed, const struct producer *producer);
/* How sure it is that a file has this form, whoever wrote it: 0, or 40. A chain that knows the writer is surer. */
int chrome_probe(struct text head);

extern const struct reader chrome_json_reader;

#endif
