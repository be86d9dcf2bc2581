/* verbs.h: the commands, one file each. */
#ifndef CLI_VERBS_H
#define CLI_VERBS_H

#include "cli/options.h"

extern const struct verb convert_verb;
extern const struct verb advise_verb;
extern const struct verb annotate_verb;
extern const struct verb summary_verb;
extern const struct verb timeline_verb;
extern const struct verb operators_verb;
extern const struct verb latency_verb;
extern const struct verb kernels_verb;
extern const struct verb report_verb;
extern const struct verb validate_verb;
extern const struct verb pipeline_verb;
extern const struct verb ops_verb;
extern const struct verb profile_this_verb;
extern const struct verb device_verb;
extern const struct verb formats_verb;
extern const struct verb completion_verb;

/* All of them, NULL at the end. */
extern const struct verb *const verbs[];

/* What `tacho convert INPUT... -o OUTPUT` does, for verbs that write a trace among other things. */
NODISCARD status convert_to(const struct texts *inputs, const char *output);

#endif
