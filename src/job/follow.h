/* follow.h: `tacho summary --follow`: a recording that is still being made, shown again and again until it ends. */
#ifndef JOB_FOLLOW_H
#define JOB_FOLLOW_H

#include "job/job.h"

/* Follows the file or the "HOST:PORT" that is the job's only input. `token` as the user gave it; NULL: not given. */
NODISCARD status follow_recording(struct job *job, const char *token);

#endif
