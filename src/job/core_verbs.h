/* core_verbs.h: the verbs that no chain has for itself. */
#ifndef JOB_CORE_VERBS_H
#define JOB_CORE_VERBS_H

#include "job/job.h"

extern const struct verb convert_verb;
extern const struct verb summary_verb;
extern const struct verb formats_verb;

#endif
