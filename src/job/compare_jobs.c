/* compare_jobs.c: measured jobs beside what was estimated for them.
 *
 * The estimate and the log are read once more, together: the chain then draws what was estimated for a job from the moment at which it began (job/ties.h), as a
 * slice of the job's name. Here these slices are only added up.
 */
#include <assert.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/path.h"
#include "job/compare.h"
#include "job/ties.h"

/* A job that ran, or what was estimated for one. */
struct piece {
    string_id name;   /* of its slice */
    operator_id op;   /* that it works for; NO_ID: none */
    int64_t start;    /* ticks of its track */
    int64_t start_ns; /* the same */
    int64_t ns;       /* how long */
    clock_id clock;   /* of the ticks */
    track_id process; /* of its input */
    uint32_t order;   /* in which it came */
};

struct line {
    clock_id clock;   /* of a track */
    track_id process; /* its top-level ancestor */
    bool job;         /* of measured jobs */
    bool estimate;    /* of estimates */
};

/* Listens to what is read. */
struct listening {
    struct column clocks;            /* struct clock, by id */
    struct column lines;             /* struct line, by track */
    struct piece *pieces[2];         /* jobs, estimates; owned */
    size_t counts[2], capacities[2]; /* of them */
    uint32_t *opens;                 /* by open id: the job + 1; 0: another slice */
    size_t open_capacity;            /* of opens */
};

static status on_clock(void *self, clock_id id, const struct clock *clock)
{
    struct clock *kept = column_append(&((struct listening *)self)->clocks);

    (void)id;
    if (!kept)
        return status_no_memory("keeping a clock");
    *kept = *clock;
    return STATUS_OK;
}

static status on_track(void *self, const struct track *track)
{
    struct listening *listening = self;
    struct line *line = column_append(&listening->lines);

    if (!line)
        return status_no_memory("keeping a track");
    *line = (struct line){ .clock = track->clock,
                           .process = track->id,
                           .job = track->engine && engine_group(track->engine) == GROUP_JOB,
                           .estimate = track->engine == &engine_estimate };
    if (track->parent != NO_ID)
        line->process = ((struct line *)column_at(&listening->lines, track->parent))->process;
    return STATUS_OK;
}

static int64_t span_ns(const struct listening *listening, clock_id clock, int64_t ticks)
{
    return clock == NO_ID ? ticks : clock_span_ns(column_at(&listening->clocks, clock), ticks);
}

static status add_piece(struct listening *listening, const struct slice *slice, int64_t end, bool *kept)
{
    const struct line *line = column_at(&listening->lines, slice->track);
    unsigned kind = line->estimate;
    status code;

    *kept = line->job || line->estimate;
    if (!*kept)
        return STATUS_OK;
    code = memory_grow(&listening->pieces[kind], &listening->capacities[kind], listening->counts[kind] + 1,
                       sizeof **listening->pieces);
    if (code != STATUS_OK)
        return code;
    listening->pieces[kind][listening->counts[kind]] = (struct piece){
        .name = slice->name,
        .op = slice->op,
        .start = slice->start,
        .start_ns =
            line->clock == NO_ID ? slice->start : clock_ns(column_at(&listening->clocks, line->clock), slice->start),
        .ns = span_ns(listening, line->clock, end - slice->start),
        .clock = line->clock,
        .process = line->process,
        .order = (uint32_t)listening->counts[kind],
    };
    listening->counts[kind]++;
    return STATUS_OK;
}

static status on_slice(void *self, const struct slice *slice)
{
    bool kept;

    return add_piece(self, slice, slice->end, &kept);
}

static status on_begin(void *self, open_id id, open_id parent, const struct slice *slice)
{
    struct listening *listening = self;
    status code =
        memory_grow_clear(&listening->opens, &listening->open_capacity, (size_t)id + 1, sizeof *listening->opens);
    bool kept = false;

    (void)parent;
    if (code == STATUS_OK)
        code = add_piece(listening, slice, slice->start, &kept);
    if (code == STATUS_OK)
        listening->opens[id] = kept && !((struct line *)column_at(&listening->lines, slice->track))->estimate
                                   ? (uint32_t)listening->counts[0]
                                   : 0;
    return code;
}

static status on_end(void *self, open_id id, int64_t time)
{
    struct listening *listening = self;

    if (id < listening->open_capacity && listening->opens[id]) {
        struct piece *piece = &listening->pieces[0][listening->opens[id] - 1];

        piece->ns = span_ns(listening, piece->clock, time - piece->start);
    }
    return STATUS_OK;
}

static const struct sink_calls calls = {
    .clock = on_clock, .track = on_track, .slice = on_slice, .begin = on_begin, .end = on_end, .keys = SINK_NO_KEYS
};

static void free_listening(struct listening *listening)
{
    column_free(&listening->clocks);
    column_free(&listening->lines);
    memory_free(listening->pieces[0]);
    memory_free(listening->pieces[1]);
    memory_free(listening->opens);
}

/* ---- adding up --------------------------------------------------------------------------------------------------------- */

/* All jobs of one name and operator. */
struct job_sum {
    string_id name;     /* of them */
    operator_id op;     /* the same; NO_ID: none */
    int64_t ns[2];      /* measured, estimated: of all runs */
    uint64_t estimates; /* jobs that have one */
    uint64_t jobs;      /* of all runs */
};

static int by_place(const void *left, const void *right)
{
    const struct piece *one = left, *other = right;

    if (one->name != other->name)
        return one->name < other->name ? -1 : 1;
    if (one->start_ns != other->start_ns)
        return one->start_ns < other->start_ns ? -1 : 1;
    return (one->order > other->order) - (one->order < other->order);
}

/* The longest estimate of this name that begins with the job: it holds those of its engines. -1: none. */
static int64_t estimate_of(const struct listening *listening, const struct piece *job, size_t *next)
{
    int64_t longest = -1;

    for (; *next < listening->counts[1]; ++*next) {
        const struct piece *estimate = &listening->pieces[1][*next];

        if (estimate->name > job->name || (estimate->name == job->name && estimate->start_ns > job->start_ns))
            break;
        if (estimate->name == job->name && estimate->start_ns == job->start_ns && estimate->ns > longest)
            longest = estimate->ns;
    }
    return longest;
}

static bool is_counted(const struct intervals *windows, int64_t time)
{
    struct intervals_cursor cursor;
    struct interval window;

    if (!windows)
        return true;
    intervals_start(&cursor, windows);
    while (intervals_next(&cursor, &window))
        if (time < window.end)
            return time >= window.start;
    return false;
}

static int64_t difference_of(const struct job_sum *sum)
{
    return sum->estimates ? sum->ns[0] - sum->ns[1] : 0;
}

static int by_difference(const void *left, const void *right)
{
    const struct job_sum *one = left, *other = right;
    int64_t a = llabs(difference_of(one)), b = llabs(difference_of(other));

    if (!one->estimates != !other->estimates)
        return one->estimates ? -1 : 1;
    if (a != b)
        return a > b ? -1 : 1;
    if (one->name != other->name)
        return one->name < other->name ? -1 : 1;
    return (one->op > other->op) - (one->op < other->op);
}

/* The jobs of the log in the runs that count. `*sums` is the caller's, also after a failure. */
static status add_up(struct listening *listening, const struct profile *log, const struct busy *busy,
                     const struct counted_runs *runs, struct job_sum **sums, size_t *count)
{
    const struct clock *clock = busy_clock(busy, log->process);
    size_t next = 0, capacity = 0;
    status code = STATUS_OK;

    for (unsigned kind = 0; kind < 2; kind++)
        if (listening->counts[kind])
            qsort(listening->pieces[kind], listening->counts[kind], sizeof **listening->pieces, by_place);
    for (size_t i = 0; i < listening->counts[0] && code == STATUS_OK; i++) {
        const struct piece *job = &listening->pieces[0][i];
        int64_t estimate = estimate_of(listening, job, &next);
        size_t at = 0;
        bool same = clock && job->clock != NO_ID && clock_same(column_at(&listening->clocks, job->clock), clock);
        struct job_sum *sum;

        if (job->process != log->process || !is_counted(runs_windows(runs), same ? job->start : job->start_ns))
            continue;
        while (at < *count && ((*sums)[at].name != job->name || (*sums)[at].op != job->op))
            at++;
        if (at == *count) {
            code = memory_grow(sums, &capacity, *count + 1, sizeof **sums);
            if (code != STATUS_OK)
                break;
            (*sums)[(*count)++] = (struct job_sum){ .name = job->name, .op = job->op };
        }
        sum = &(*sums)[at];
        sum->ns[0] = number_add(sum->ns[0], job->ns);
        sum->ns[1] = number_add(sum->ns[1], estimate < 0 ? 0 : estimate);
        sum->estimates += estimate >= 0;
        sum->jobs++;
    }
    if (*count)
        qsort(*sums, *count, sizeof **sums, by_difference);
    return code;
}

/* ---- a table ----------------------------------------------------------------------------------------------------------- */

static void add_row(struct table *table, const char *name, const char *op, const int64_t ns[2], bool estimated)
{
    table_add_row(table);
    table_set_text(table, 0, name);
    table_set_integer(table, 2, ns[0]);
    table_set_text(table, 5, op);
    if (!estimated)
        return;
    table_set_integer(table, 1, ns[1]);
    table_set_integer(table, 3, ns[0] - ns[1]);
    if (ns[1] > 0)
        table_set_decimal(table, 4, 100 * ((double)ns[0] / (double)ns[1] - 1));
}

static void add_columns(struct table *table)
{
    static const struct table_column columns[] = {
        { .name = "name", .title = "Job", .description = "that the accelerator was given", .type = CELL_TEXT },
        { .name = "estimated", .title = "Estimated", .unit = "ns", .description = "of one run", .type = CELL_DURATION },
        { .name = "measured", .title = "Measured", .unit = "ns", .description = "of one run", .type = CELL_DURATION },
        { .name = "difference",
          .title = "Difference",
          .unit = "ns",
          .description = "measured less estimated",
          .type = CELL_DURATION },
        { .name = "change",
          .title = "Change",
          .unit = "%",
          .description = "in percent of the estimate",
          .type = CELL_PERCENT },
        { .name = "operator", .title = "Operator", .description = "that it works for", .type = CELL_TEXT },
    };

    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        table_add_column(table, columns[i]);
}

/* Sums are rounded, so that rows add up. */
static status make_table(const struct job_sum *sums, size_t count, const struct counting *counting, size_t runs,
                         const struct strings *strings, size_t most, struct table **made)
{
    struct table *table = table_new("jobs", "By job: measured against estimated");
    int64_t so_far[2] = { 0 }, total[2] = { 0 }, others[2] = { 0 };
    size_t without = 0;

    if (!table)
        return status_no_memory("making a table");
    add_columns(table);
    for (size_t i = 0; i < count; i++) {
        string_id op = sums[i].op == NO_ID ? 0 : busy_operator(&counting->busy, sums[i].op)->op.name;
        int64_t ns[2];

        for (unsigned k = 0; k < 2; k++) {
            ns[k] = (so_far[k] + sums[i].ns[k]) / (int64_t)runs - so_far[k] / (int64_t)runs;
            so_far[k] += sums[i].ns[k];
            total[k] += sums[i].estimates ? ns[k] : 0;
        }
        without += !sums[i].estimates;
        if (most && i >= most) {
            for (unsigned k = 0; k < 2 && sums[i].estimates; k++)
                others[k] += ns[k];
            continue;
        }
        add_row(table, strings_text(strings, sums[i].name), op ? strings_text(strings, op) : NULL, ns,
                sums[i].estimates);
    }
    if (most && count > most)
        add_row(table, "others", NULL, others, true);
    if (count > 1)
        add_row(table, "sum", NULL, total, true);
    if (without)
        table_note(table, "%zu of %zu jobs have no estimate, and are not in the sum", without, count);
    *made = table;
    return table_status(table);
}

static status read_both(struct session *session, struct ties *ties, struct feed *feed, const struct busy *busy)
{
    status code = STATUS_OK;

    for (unsigned pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < session->profile_count && code == STATUS_OK; i++) {
            struct profile *profile = &session->profiles[i];

            if ((profile->reader->kind == READER_ESTIMATE) != (pass == 0))
                continue;
            ties_begin(ties, profile);
            code = session_read(session, profile, feed);
            if (code == STATUS_OK)
                ties_end(ties, profile, busy);
        }
        if (code == STATUS_OK && pass == 0)
            code = ties_prepare(ties, session);
    }
    return code;
}

static status find_jobs(struct session *session, struct listening *listening, struct counting *counting, size_t most,
                        struct table **table)
{
    const struct profile *log = &session->profiles[session->profiles[0].reader->kind == READER_ESTIMATE];
    struct counted_runs runs = { 0 };
    struct metrics metrics;
    struct job_sum *sums = NULL;
    size_t count = 0;
    status code = counting_take(counting, log, &runs, &metrics);

    if (code == STATUS_OK)
        code = add_up(listening, log, &counting->busy, &runs, &sums, &count);
    if (code == STATUS_OK && listening->counts[1] && count)
        code = make_table(sums, count, counting, runs.counted, session->strings, most, table);
    memory_free(sums);
    counted_runs_free(&runs);
    return code;
}

status compare_jobs(struct job *job, const char *const paths[2], size_t most, struct table **table)
{
    struct session session;
    struct listening listening = { 0 };
    struct counting counting = { 0 };
    struct ties ties = { 0 };
    struct tee tee = { 0 };
    struct feed feed;
    status code = session_start(&session, &job->reading);

    *table = NULL;
    column_start(&listening.clocks, sizeof(struct clock));
    column_start(&listening.lines, sizeof(struct line));
    if (code == STATUS_OK)
        code = counting_start(&counting, job->runs, job->warmup, false, session.strings);
    if (code == STATUS_OK)
        code = tee_add(&tee, counting_sink(&counting));
    if (code == STATUS_OK)
        code = tee_add(&tee, (struct sink){ &calls, &listening });
    for (unsigned i = 0; i < 2 && code == STATUS_OK; i++)
        code = session_add(&session, paths[i], path_name(paths[i]));
    if (code == STATUS_OK)
        code = ties_open(&ties, &session, &tee);
    feed_start(&feed, tee_sink(&tee), session.strings);
    if (code == STATUS_OK && ties.count)
        code = read_both(&session, &ties, &feed, &counting.busy);
    if (code == STATUS_OK && ties.count)
        code = find_jobs(&session, &listening, &counting, most, table);
    feed_free(&feed);
    tee_free(&tee);
    ties_close(&ties);
    counting_free(&counting);
    free_listening(&listening);
    session_end(&session);
    if (code != STATUS_OK) {
        table_free(*table);
        *table = NULL;
    }
    return code;
}
