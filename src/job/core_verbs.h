/* core_verbs.h: the verbs that no chain has for itself. */
#ifndef JOB_CORE_VERBS_H
#define JOB_CORE_VERBS_H

#include "job/advise.h"
#include "job/conversion.h"
#include "job/job.h"
#include "job/report.h"

extern const struct verb convert_verb;
extern const struct verb summary_verb;
extern const struct verb formats_verb;
extern const struct verb operators_verb;
extern const struct verb compare_verb;
extern const struct verb record_verb;

/* What `tacho convert INPUT... -o OUTPUT` does, for verbs that write a trace among other things. */
NODISCARD status convert_inputs(struct job *job, const struct texts *inputs, const char *output,
                                const struct writer_format *format, const struct conversion_options *how);
/* The same to whoever keeps it, without a word. */
NODISCARD status convert_kept(struct job *job, const struct texts *inputs, const struct writer_keeper *keeper,
                              const struct conversion_options *how);

#endif
