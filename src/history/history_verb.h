/* history_verb.h: the verb `tacho history`, and what its parts share.
 *
 * Settings borrow all texts. Whoever opens a store closes it.
 */
#ifndef HISTORY_HISTORY_VERB_H
#define HISTORY_HISTORY_VERB_H

#include "history/history.h"
#include "job/job.h"
#include "table/field.h"

enum { HISTORY_SENTENCE = 2048 }; /* paths, names of models and of builds, whole */

struct history_settings {
    const char *store;                           /* file; NULL: HISTORY_FILE */
    const char *model, *build, *commit, *device; /* NULL: not given */
    struct texts labels;                         /* KEY=VALUE */
    bool keep;                                   /* the profiles themselves, too */
    const char *kept;                            /* folder that those go to which were kept; NULL: none */
    const char *op, *metric;                     /* of a trend or a gate; NULL: not given */
    uint64_t builds;                             /* that count, or are kept; 0: not given */
    uint64_t older;                              /* days; 0: not given */
    const char *tolerance;                       /* of a gate, in percent; NULL: the default */
    const char *junit;                           /* file; NULL: none */
    char git_commit[HISTORY_WORD];               /* what git says, asked once for all profiles */
    bool git_asked;                              /* it was */
    bool calibrate;                              /* a gate: over past builds */
    const char *table;                           /* that is shown alone; NULL: all */
};

extern const struct verb history_verb;

/* What was asked for, as a choice; its texts are the settings'. */
struct history_choice history_choice_of(const struct history_settings *settings);
NODISCARD status history_open(const struct history_settings *settings, bool write, struct history *history);
/* ns since 1970. */
int64_t history_now(void);

/* Profiles on their way: they are said to be added once the store says that they are. */
struct history_adding {
    struct job *job;        /* borrowed */
    struct history history; /* that is added to; the caller closes it */
    bool choosing;          /* labels that were given choose among what a folder of runs holds */
    char **sentences;       /* what became of each profile, for people; owned */
    size_t count, capacity; /* of sentences */
};

/* Reads what lies at a path and adds it: a profile, or those that a folder holds. */
NODISCARD status history_add_input(struct history_adding *adding, const char *path);
void history_adding_free(struct history_adding *adding);

/* Profiles that were asked for and kept with their bytes, as files of the folder that the settings name. */
NODISCARD status history_write_kept(struct job *job, const struct history *history);

/* The bytes of one, by the hash that show prints, into a file; `store` is a file or a URL. STATUS_INPUT: it is not there, or its bytes were not kept. */
NODISCARD status history_write_profile(const char *store, const char *hash, const char *path);

/* STATUS_USAGE: profiles of several devices, which are not one series. */
NODISCARD status history_check_devices(const struct history_series *series);
/* Warns of builds whose profiles differ in a label: their launches are looked at as one. */
NODISCARD status history_warn_mixture(struct job *job, const struct history *history,
                                      const struct history_choice *choice);
/* The number that is looked at: "run" where none is asked for. */
const char *history_metric(const struct history_settings *settings);
/* STATUS_USAGE: one that no operator has. */
NODISCARD status history_check_metric(const struct history_settings *settings);
/* What the numbers are of. */
void history_subject(const struct history_settings *settings, const char *model, char to[HISTORY_SENTENCE]);
/* For people, on lines that fit. */
NODISCARD status history_say(struct job *job, const char *text);
/* The number of the settings, of one device. STATUS_INPUT: no build that was chosen tells it. Free the series also after a failure. */
NODISCARD status history_series_of(const struct history *history, const struct history_settings *settings,
                                   const struct history_choice *choice, struct history_series *series);

/* The builds of a trend as a table, a row each: what was measured, and the level that it lies on (`levels`: a number for each; NAN: none is known). The
 * sentence is its note. */
NODISCARD status history_add_builds(struct job *job, const struct history_series *series, const double *levels,
                                    const char *sentence);

/* ---- What is listed and shown ------------------------------------------------------------------------------------------ */

/* Medians of launches, which somebody else may have written. */
struct history_medians {
    double sum, least, most; /* of them, in ms */
    size_t count;            /* of them */
};

/* NAN is none. */
void history_medians_add(struct history_medians *medians, double ms);
/* In ns; null where there are none, or none that a clock could measure. */
struct table_cell history_medians_mean(const struct history_medians *medians);
struct table_cell history_medians_least(const struct history_medians *medians);
struct table_cell history_medians_most(const struct history_medians *medians);
/* An empty text is none. */
struct table_cell history_cell_text(const char *text);

/* STATUS_USAGE: `--table` names none of these, NULL at the end. */
NODISCARD status history_check_table(const struct job *job, const char *const *tables);
/* Whether a table is made: `--table` names it; or nothing does, and it is the one that --columns and others are about (`usual`), or these are not given. */
bool history_wants(const struct job *job, const char *table, const char *usual);
/* The table as the user wants it. */
NODISCARD status history_add_view(struct job *job, const struct rows *rows, const struct view *const *views);

/* What the words of `tacho history` do; the inputs are those behind the word. */
NODISCARD status history_list(struct job *job, const struct texts *inputs);
NODISCARD status history_show(struct job *job, const struct texts *inputs);
NODISCARD status history_trend(struct job *job, const struct texts *inputs);
NODISCARD status history_gate(struct job *job, const struct texts *inputs);
NODISCARD status history_compare(struct job *job, const struct texts *inputs);
NODISCARD status history_mark(struct job *job, const struct texts *inputs);

#endif
