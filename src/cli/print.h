/* print.h: what a job made, on the terminal. */
#ifndef CLI_PRINT_H
#define CLI_PRINT_H

#include "job/job.h"

/* A message on standard error, without what would play with a terminal. Line ends stay: a failure has a line per cause. */
void print_line(const char *prefix, const char *text);
/* Notes on standard error. */
void print_notes(const struct job *job);
/* A table in place of the one before, where standard output is a terminal that can do that; else nothing. For `show` of a job. */
void print_refreshed(void *context, const struct table *table);
/* What the job made: a file where -o names one, JSON where that is wanted, else the terminal. `silent`: no sentences about it. */
NODISCARD status print_job(const struct job *job, bool silent);

/* How tables look here: the width of the terminal, colours where they may be. */
struct printer_style print_style(void);

#endif
