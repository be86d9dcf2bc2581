/* report.h: the report about a run directory, and the one about several platforms, as documents.
 *
 * A report says first what to do, as `tacho advise` does. Then it has eight sections: metadata, latency, categories, acceleration, bottlenecks, portable and delegated operators,
 * kernels, recommendations; then what proves it: accounting, sanity, files. The document belongs to the caller.
 */
#ifndef EXECUTORCH_REPORT_H
#define EXECUTORCH_REPORT_H

#include <time.h>

#include "executorch/inspection.h"
#include "table/document.h"

enum { REPORT_SENTENCE = 1024 };

struct report_options {
    const char *title; /* NULL: "Profiling Report: <model>" */
    bool by_module;    /* operators are grouped by module */
    time_t time;       /* of the analysis */
};

/* `sentence` has REPORT_SENTENCE bytes: what a person needs first. */
NODISCARD status report_make(const struct inspection *inspection, const struct report_options *options,
                             struct document **document, char *sentence);

/* A run directory of a combined report. */
struct report_platform {
    const char *name;                    /* macOS */
    const struct inspection *inspection; /* NULL: it holds nothing */
};

NODISCARD status report_combine(const struct report_platform *platforms, size_t count, const char *model_name,
                                const struct report_options *options, struct document **document, char *sentence);

#endif
