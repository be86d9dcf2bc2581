/* report_sections.h: what the sections of a report share. Only the files of the report include it.
 *
 * Sections add to the document and cannot fail: what goes wrong there sticks in the document.
 */
#ifndef EXECUTORCH_REPORT_SECTIONS_H
#define EXECUTORCH_REPORT_SECTIONS_H

#include "executorch/report.h"
#include "executorch/rules.h"

enum { REPORT_TOP = 10, REPORT_MOST_ROWS = 400, REPORT_TIME = 32 };

struct report {
    const struct inspection *inspection;  /* borrowed */
    const struct report_options *options; /* borrowed */
    struct document *document;            /* that is written; borrowed */
    const struct inspected_pair *pair;    /* NULL: nothing is compared */
    const struct inspected *sides[2];     /* with operators: the candidate, the baseline; or the only one */
    size_t side_count;                    /* 0: nobody knows operators */
    struct findings findings;             /* of the candidate, or of the only side; owned */
    struct advised advised;         /* on that side, and against its baseline where operators are compared; owned */
    char sentence[REPORT_SENTENCE]; /* the verdict */
    char time[REPORT_TIME];         /* when it was made */
};

/* What a side is called in tables. */
const char *report_title(const struct report *report, const struct inspected *item);
const struct operators *report_operators(const struct report *report, size_t side);

/* A cell with a text that may be missing. */
void report_cell_text(struct document *document, const char *text);
void report_cell_code(struct document *document, const char *text);
/* "2.60x"; "-" where it is 0. */
void report_cell_speedup(struct document *document, double speedup);
void report_cell_ms(struct document *document, double ms);
void report_cell_percent(struct document *document, double percent);
/* A grid without the columns whose bits are set in `left_out`: those that would be empty. At most REPORT_MOST_COLUMNS. */
enum { REPORT_MOST_COLUMNS = 16 };
void report_grid(struct document *document, const char *key, const struct document_column *columns, size_t count,
                 uint32_t left_out);
/* The module that it comes from, "(model)" where that is the model itself. */
void report_cell_module(struct document *document, const struct operators *operators, const struct operator_sum *sum);
/* A rate, "-" where it is not known. */
void report_cell_rate(struct document *document, double gflops);
/* The delegate call that it ran in, or "portable". */
void report_cell_delegate(struct document *document, const struct operator_sum *sum);
/* A column whose title is put together: "SME2-On (ms)". `to` has room for REPORT_COLUMN bytes. */
enum { REPORT_COLUMN = 192 };
const char *report_column(char *to, const char *name, const char *unit);
/* The sections, in order. */
void report_add_front(struct report *report);
void report_add_failures(struct report *report);
void report_add_latency(struct report *report);
void report_add_categories(struct report *report);
void report_add_acceleration(struct report *report);
void report_add_bottlenecks(struct report *report);
void report_add_backends(struct report *report);
void report_add_kernels(struct report *report);
void report_add_recommendations(struct report *report);
void report_add_operators(struct report *report);
void report_add_checks(struct report *report);
void report_add_summary(struct report *report);
void report_add_artifacts(struct report *report);
void report_add_metadata(struct report *report);

/* For both kinds of report. */
void report_write_time(time_t time, char to[REPORT_TIME]);
/* A note about the configuration, which has its warning where its path is shown. */
bool report_is_about_config(const struct rundir *rundir, const char *note);
enum prose_mood report_mood(const struct inspected_pair *pair); /* of the verdict; there is one */
void report_write_verdict(const struct inspected_pair *pair, char *to);
void report_category_grid(struct document *document, const char *key, const struct inspected_pair *pair,
                          const struct inspected *const sides[2], size_t count, bool by_name, bool shares);

#endif
