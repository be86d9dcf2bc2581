/* prompt.h: lines that a user enters, and what is answered at once: for `enter` and `answer` of a job. */
#ifndef CLI_PROMPT_H
#define CLI_PROMPT_H

#include "job/job.h"

/* From then on the job may ask for lines. Ctrl-C stops what it does, once it has asked for the first. */
void prompt_prepare(struct job *job);

#endif
