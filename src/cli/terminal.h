/* terminal.h: what all commands share: the common options, and tables and messages for a person. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include "cli/options.h"
#include "executorch/load.h"
#include "executorch/operators.h"
#include "job/session.h"
#include "table/table.h"

/* Set by the shared options. */
extern struct session_options common;
extern bool quiet;
extern struct old_option common_options[];
/* Those of verbs that are about inferences only, and what they say about loading. */
extern struct old_option inference_options[];
/* Once, before options are parsed. */
void terminal_start(void);
NODISCARD status load_options_given(struct load_options *load);

/* Losses and notes of an input on standard error, unless --quiet. */
void report_losses(const char *path, const struct losses *losses, const char *const *notes, size_t note_count);
/* Kernels of a log or table, with what it lost on standard error; with --strict that is an error. */
NODISCARD status load_kernels_given(const char *path, struct strings *strings, struct kernel_log *log);
/* What ran, from a log, for the operators of a dump; a warning where only some of them are in it. Returns how many are. */
uint32_t add_kernels_given(const char *path, struct operators *side, const struct kernel_log *log);
/* Losses and notes of a profile on standard error, unless --quiet. */
void report_profile(const struct profile *profile);
/* The same for the notes of a table that went into a file, where a person may not see them. */
void report_notes(const struct table *table);

/* Columns of the terminal; 0: standard output is no terminal and COLUMNS is not set. */
unsigned terminal_width(void);
bool terminal_colour(void);

/* A table to the terminal. */
NODISCARD status table_print(const struct table *table, bool json);

#endif
