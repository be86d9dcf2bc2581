/* parse.h: the words of a command line, as a job. */
#ifndef CLI_PARSE_H
#define CLI_PARSE_H

#include "job/job.h"

/* Fills the job. `*help` is set when --help was given, `*quiet` when --quiet was. STATUS_USAGE names the option. */
NODISCARD status parse_words(struct job *job, int count, char **words, bool *help, bool *quiet);
/* Words on lines of 80 columns: the first from a column on that was reached, the others behind so many blanks. */
void parse_print_wrapped(int column, int indent, const char *text);
/* What --help prints. */
void parse_help(const struct verb *verb);

#endif
