/* kernel_files.h: what an XNNPACK log says about kernels, as kernels.csv and as the comparison of two builds in markdown.
 *
 * The first eleven columns of kernels.csv and the first table of the comparison are those of the original; what follows says what
 * the evidence is: a kernel that was registered need not have run, and one that was replaced cannot have.
 */
#ifndef EXECUTORCH_ORIGINAL_KERNEL_FILES_H
#define EXECUTORCH_ORIGINAL_KERNEL_FILES_H

#include "base/output.h"
#include "executorch/kernels.h"
#include "table/field.h"

/* X(name, key): the strongest thing that is known, the weakest first. */
#define KERNEL_EVIDENCE_MAP(X)                                                         \
    X(ABSENT, "absent")                                                                \
    X(REPLACED, "replaced")     /* another one took its slot before anything ran */    \
    X(REGISTERED, "registered") /* it stands ready; whether it ran is not known */     \
    X(IDLE, "not used")         /* the log shows what ran, and it is not among that */ \
    X(RAN, "ran")

enum kernel_evidence {
#define X(name, key) EVIDENCE_##name,
    KERNEL_EVIDENCE_MAP(X)
#undef X
        EVIDENCE_COUNT
};

const char *kernel_evidence_key(enum kernel_evidence evidence);
enum kernel_evidence kernel_evidence(const struct kernel_log *log, uint32_t kernel);

/* How often the kernels of a log ran, and which were SME, in numbers. */
struct kernel_counts {
    uint32_t kernels, sme, sme2, replaced, ran; /* all, then those of a kind */
};

struct kernel_counts kernel_count(const struct kernel_log *log);

/* By count, the highest first. */
NODISCARD status kernels_csv(const struct kernel_log *log, const char *model_id, bool extra, struct output *output);

struct kernel_view {
    const struct kernel_log *on, *off; /* both logs; borrowed */
    const char *on_name, *off_name;    /* SME2-On, SME2-Off */
    const char *title;                 /* of the page */
    const char *filter;                /* only kernels whose operation holds this; NULL: all */
    bool evidence;                     /* the second table */
};

NODISCARD status kernel_view_markdown(const struct kernel_view *view, struct output *output);
/* The same as one table: kernel, evidence on each side, architecture; `request` may be NULL. */
NODISCARD status kernel_view_table(const struct kernel_view *view, const struct view_request *request,
                                   struct table **table);

/* One log: a row per kernel. */
NODISCARD status kernels_table(const struct kernel_log *log, const struct view_request *request, struct table **table);

#endif
