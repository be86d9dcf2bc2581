/* compare.h: what the parts of `tacho compare` share: the models that are compared, and how the answer is written.
 *
 * A struct compare_answer owns everything it points to until `compare_answer_free`.
 */
#ifndef JOB_COMPARE_H
#define JOB_COMPARE_H

#include "analyze/compare.h"
#include "job/job.h"
#include "job/launch_times.h"

/* What may not become slower, and by how much. */
struct compare_gate {
    const char *text; /* as it was given */
    char of[16];      /* time, run, device, host, part, engine, operator */
    double percent;   /* a slowdown that is larger fails */
    size_t failed;    /* rows that did */
    bool too_few;     /* some row had too few launches */
};

/* One side of one model. */
struct compare_half {
    struct compare_launch *launches; /* owned */
    size_t count, capacity;          /* of launches */
    size_t files;                    /* that were given */
    size_t failed;                   /* of these: no launch of them has a time */
    const char *first;               /* path of the first file; borrowed */
    const struct chain *chain;       /* of its files; NULL: none, or none was read */
    const char *device;              /* that the last of them says it ran on; NULL: it does not. In the pool */
    bool estimate;                   /* a compiler's estimate, not a measurement */
    size_t runs, slow;               /* behind warm-up; of these, so slow that they are in no mean */
    double slow_factor;              /* the slow ones of the file that has the slowest, over its others */
};

struct compare_model {
    char *name;                      /* for people; owned */
    struct compare_half halves[2];   /* before and after */
    struct compare_side sides[2];    /* the same, as they are compared */
    struct comparison comparison;    /* of the two */
    bool compared;                   /* it was made */
    char sentence[COMPARE_SENTENCE]; /* about it */
    struct table *jobs;              /* measured against estimated; NULL: nothing is, or they are not tied */
    bool jobs_given;                 /* the job owns them now; else they are freed here */
};

struct compare_answer {
    struct strings *strings;                /* of all names; owned */
    struct launch_times times;              /* of all launches */
    struct compare_model *models;           /* owned */
    size_t model_count;                     /* of models */
    char **failures;                        /* launches that failed, and why; owned */
    size_t failure_count, failure_capacity; /* of failures */
    struct compare_gate *gates;             /* owned */
    size_t gate_count;                      /* of gates */
    char **notes;                           /* each once, with the files that it is about; owned */
    size_t note_count, note_capacity;       /* of notes */
    double mean_factor;                     /* geometric mean over models of the time after over the time before */
};

void compare_answer_free(struct compare_answer *answer);

/* The launches of one file, as the first side of the only model; nothing is compared. Free `*made` also after a failure, where it is not NULL. */
NODISCARD status compare_read(struct job *job, const char *path, struct compare_answer **made);
/* What a file is of, by its name without what numbers launches. */
struct text compare_model_of(const char *path);

/* The launches of one side of one model, among the times of all. */
static inline unsigned compare_group(size_t model, unsigned side)
{
    return (unsigned)model * 2 + side;
}

/* Rows that a gate is about, of one model: the next from `*at` on; NULL: no more. */
const struct compare_row *compare_gated(const struct comparison *comparison, const struct compare_gate *gate,
                                        size_t *at);
/* Launches of the second side that failed: what gates there are stop that, whatever the others took. */
size_t compare_failed_launches(const struct compare_answer *answer);
/* Is its slowdown significant and larger? */
bool compare_fails(const struct comparison *comparison, const struct compare_row *row, const struct compare_gate *gate);

enum { COMPARE_TERMINAL = 15 }; /* operators and jobs that a terminal gets; others as one row */

/* An estimate and a log: the jobs of the log beside what was estimated for them (`most` of them; 0: all), which the caller frees. NULL in `*table`: their chain does not
 * tie them, or no job has an estimate. */
NODISCARD status compare_jobs(struct job *job, const char *const paths[2], size_t most, struct table **table);

/* Products of the job, from an answer that outlives it. */
NODISCARD status compare_write_products(struct job *job, struct compare_answer *answer);
void compare_write_json(struct output *output, const void *answer, const struct printer_style *style);
/* One test case for each model and gated row; without gates for the run, the devices and the host. */
NODISCARD status compare_write_junit(const struct compare_answer *answer, const char *path);
/* A text inside of XML. */
void compare_write_xml(struct output *output, const char *text);

#endif
