/* validate.h: is a run directory complete, and do its numbers agree with each other?
 *
 * Two generations of run directories are known: the first wants a manifest with a model and results, metrics and dumps;
 * the second, whose manifest states a schema_version, also wants its artifacts, the version of the runtime, and metrics
 * for every result. On top of both, latencies are measured again and held against what the JSON files state.
 *
 * A validation owns its findings until `validation_free`.
 */
#ifndef EXECUTORCH_VALIDATE_H
#define EXECUTORCH_VALIDATE_H

#include "executorch/rundir.h"
#include "table/field.h"

struct validation_options {
    bool require_sme2_kernels;      /* kernel tables: SME2 where it is on, none where it is off */
    bool allow_executorch_mismatch; /* the runtime may be another version than expected */
};

/* X(name, key, sign): what became of a check, for machines and for people. */
#define FINDING_MAP(X)               \
    X(PASSED, "passed", "✅")         \
    X(FAILED, "failed", "❌")         \
    X(WARNING, "warning", "⚠️ ") \
    X(SKIPPED, "skipped", "ℹ️ ")

enum finding_result {
#define X(name, key, sign) FINDING_##name,
    FINDING_MAP(X)
#undef X
        FINDING_COUNT
};

struct finding {
    const char *check;          /* manifest_exists: static text */
    const char *experiment;     /* label; NULL: of the whole directory */
    enum finding_result result; /* what came out */
    const char *detail;         /* a sentence */
};

struct validation {
    struct finding *findings;        /* in the order of the checks */
    size_t count, capacity;          /* of them */
    size_t by_result[FINDING_COUNT]; /* how many there are of each */
    struct arena arena;              /* holds the texts */
};

/* A directory that is not there is a finding too. Free it also after a failure. */
NODISCARD status validate_results(const char *path, const struct validation_options *options,
                                  struct validation *validation);
void validation_free(struct validation *validation);

/* Fields: check, experiment, passed (null where it could not be checked), result, detail. `request` may be NULL. */
NODISCARD status validation_table(const struct validation *validation, const char *path,
                                  const struct view_request *request, struct table **table);

#endif
