/* ops.c: the op profiler: ops and calls that are open on each thread, what is told of them, and where it goes when they end.
 *
 * An op that is open belongs to its thread, with all that was told of it; nobody else sees it. Names, call counts and the log belong to
 * all threads, behind locks. An op that ended is used again by its thread, with the memory of its texts.
 */
#include "tacho/ops.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "op_keys.h"
#include "ops_log.h"

enum {
    OP_BUCKETS = 1024,      /* of names */
    OP_FOLDER_LENGTH = 200, /* bytes of a folder's name that come from the op's */
    OP_MESSAGE = 512        /* bytes of an error */
};

enum op_value {
#define X(name, key) OP_##name,
    OP_TEXT_KEYS(X)
#undef X
        OP_VALUE_COUNT,
    OP_FIRST_DETAIL = OP_COMPUTE_PATHS
};

_Static_assert(OP_VALUE_COUNT - OP_FIRST_DETAIL == TACHO_OP_DETAILS, "a text for each detail");

#define X(name, key) { (key), "", "", 0, 0, 0, 0 },
static struct tacho_site op_value_keys[OP_VALUE_COUNT] = { OP_TEXT_KEYS(X) };
#undef X

enum op_number {
#define X(name, key) OP_NUMBER_##name,
    OP_NUMBER_KEYS(X)
#undef X
        OP_NUMBER_COUNT
};

#define X(name, key) { (key), "", "", 0, 0, 0, 0 },
static struct tacho_site op_number_keys[OP_NUMBER_COUNT] = { OP_NUMBER_KEYS(X) };
#undef X

/* An op or a function by its name. It stays until the process ends: recordings keep its site. */
struct op_name {
    struct op_name *next;    /* in its bucket */
    struct tacho_site site;  /* with the name */
    struct op_log_file file; /* of an op */
    uint64_t calls;          /* of an op, so far */
};

struct op_open {
    struct op_open *outer;                 /* that it is in; in a list of unused ones: the next */
    struct op_name *name;                  /* whose call it is */
    struct tacho_zone zone;                /* in the recording */
    uint64_t start;                        /* ns */
    uint64_t global;                       /* call count over all ops */
    uint64_t call;                         /* of this op */
    uint32_t depth;                        /* 1: outermost */
    uint32_t tensors[2];                   /* inputs and outputs so far, with absent ones */
    struct op_text values[OP_VALUE_COUNT]; /* what was told */
    struct op_text calls;                  /* rows of the functions that were called in it */
};

/* A function that was called and has not returned. */
struct op_running {
    struct op_running *outer; /* called before it; in a list of unused ones: the next */
    struct op_name *name;     /* of the function */
    struct op_open *op;       /* that it was called in; NULL: none */
    struct tacho_zone zone;   /* in the recording */
    uint64_t start;           /* ns */
};

struct op_thread {
    struct op_open *innermost;         /* op; NULL: none is open */
    struct op_running *running;        /* innermost function; NULL: none */
    struct op_open *unused;            /* ops */
    struct op_running *unused_running; /* functions */
    struct op_text row;                /* scratch */
    struct op_text answer;             /* what tacho_op_folder and others give */
    char error[OP_MESSAGE];            /* what tacho_op_error gives */
};

/* Of all threads. Whoever takes both locks takes this one first. */
static struct {
    pthread_mutex_t lock;              /* of this */
    struct op_name *names[OP_BUCKETS]; /* by hash; what they have of the log is the log's */
    uint64_t calls;                    /* of all ops */
} op_profiler = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Where it goes. Nobody who starts an op waits for it, but the first. */
static struct {
    pthread_mutex_t lock; /* of this */
    bool settled;         /* atomic: the log is open, or cannot be */
    struct op_log log;    /* the folder */
} op_logging = { .lock = PTHREAD_MUTEX_INITIALIZER, .log = { .folder = -1, .session = -1 } };

static struct {
    pthread_mutex_t lock;  /* of this */
    uint64_t count;        /* so far */
    char last[OP_MESSAGE]; /* a sentence */
} op_errors = { .lock = PTHREAD_MUTEX_INITIALIZER };

static pthread_once_t op_once = PTHREAD_ONCE_INIT;
static pthread_key_t op_threads;
static bool op_threads_made;

/* ---- errors -------------------------------------------------------------------------------------------------------- */

void op_error(int errno_value, const char *what, const char *name)
{
    const char *reason;

    pthread_mutex_lock(&op_errors.lock);
    reason = errno_value ? strerror(errno_value) : "";
    op_errors.count++;
    snprintf(op_errors.last, sizeof op_errors.last, "%s %s%s%s", what, name, *reason ? ": " : "", reason);
    pthread_mutex_unlock(&op_errors.lock);
}

uint64_t tacho_op_errors(void)
{
    uint64_t count;

    pthread_mutex_lock(&op_errors.lock);
    count = op_errors.count;
    pthread_mutex_unlock(&op_errors.lock);
    return count;
}

/* ---- threads ------------------------------------------------------------------------------------------------------- */

static void op_free_opens(struct op_open *open)
{
    while (open) {
        struct op_open *next = open->outer;

        for (unsigned i = 0; i < OP_VALUE_COUNT; i++)
            op_text_free(&open->values[i]);
        op_text_free(&open->calls);
        free(open);
        open = next;
    }
}

static void op_free_running(struct op_running *running)
{
    while (running) {
        struct op_running *next = running->outer;

        free(running);
        running = next;
    }
}

/* When a thread ends. */
static void op_leave_thread(void *data)
{
    struct op_thread *self = data;

    for (const struct op_open *open = self->innermost; open; open = open->outer)
        op_error(0, "the thread ended before the op", open->name->site.name);
    op_free_opens(self->innermost);
    op_free_opens(self->unused);
    op_free_running(self->running);
    op_free_running(self->unused_running);
    op_text_free(&self->row);
    op_text_free(&self->answer);
    free(self);
}

static void op_lock_all(void)
{
    pthread_mutex_lock(&op_profiler.lock);
    pthread_mutex_lock(&op_logging.lock);
    pthread_mutex_lock(&op_errors.lock);
}

static void op_unlock_all(void)
{
    pthread_mutex_unlock(&op_errors.lock);
    pthread_mutex_unlock(&op_logging.lock);
    pthread_mutex_unlock(&op_profiler.lock);
}

static void op_prepare(void)
{
    op_threads_made = pthread_key_create(&op_threads, op_leave_thread) == 0;
    pthread_atfork(op_lock_all, op_unlock_all, op_unlock_all);
}

/* NULL: there is no memory for it, which is counted. */
static struct op_thread *op_this_thread(void)
{
    struct op_thread *self;

    pthread_once(&op_once, op_prepare);
    self = op_threads_made ? pthread_getspecific(op_threads) : NULL;
    if (self || !op_threads_made)
        return self;
    self = calloc(1, sizeof *self);
    if (self && pthread_setspecific(op_threads, self) != 0) {
        free(self);
        self = NULL;
    }
    if (!self)
        op_error(ENOMEM, "cannot profile ops", "of a thread");
    return self;
}

const char *tacho_op_error(void)
{
    struct op_thread *self = op_this_thread();

    if (!self)
        return "out of memory";
    pthread_mutex_lock(&op_errors.lock);
    memcpy(self->error, op_errors.last, sizeof self->error);
    pthread_mutex_unlock(&op_errors.lock);
    return self->error;
}

/* The innermost op; NULL: none is open, which is counted. */
static struct op_open *op_innermost(const char *what)
{
    struct op_thread *self = op_this_thread();

    if (self && !self->innermost)
        op_error(0, "outside of any op:", what);
    return self ? self->innermost : NULL;
}

/* ---- names: with the lock ------------------------------------------------------------------------------------------ */

static uint32_t op_hash(const char *name)
{
    uint32_t hash = 2166136261u;

    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    return hash;
}

static bool op_folder_is_taken(const char *folder)
{
    for (unsigned i = 0; i < OP_BUCKETS; i++)
        for (const struct op_name *name = op_profiler.names[i]; name; name = name->next)
            if (name->file.folder && strcmp(name->file.folder, folder) == 0)
                return true;
    return false;
}

/* A name that can be a folder's, and is no other op's: "a/b" would be two folders, ".." another one. */
static char *op_name_folder(const char *name)
{
    struct op_text folder = { 0 };
    size_t length;

    op_text_add_clean(&folder, name, "/");
    if (!folder.length)
        op_text_add_string(&folder, "_");
    if (folder.failed) {
        op_text_free(&folder);
        return NULL;
    }
    if (*folder.data == '.')
        *folder.data = '_';
    length = folder.length < OP_FOLDER_LENGTH ? folder.length : OP_FOLDER_LENGTH;
    folder.data[length] = '\0';
    for (uint64_t number = 2; !folder.failed && op_folder_is_taken(folder.data); number++) {
        folder.length = length;
        op_text_add_string(&folder, "_");
        op_text_add_number(&folder, number);
    }
    if (!folder.failed)
        return folder.data;
    op_text_free(&folder);
    return NULL;
}

static struct op_name *op_name_new(const char *name, uint32_t flags)
{
    size_t length = strlen(name) + 1;
    struct op_name *made = calloc(1, sizeof *made);
    char *copy = malloc(length);
    char *folder = flags == TACHO_SITE_OP ? op_name_folder(name) : NULL;

    if (!made || !copy || (flags == TACHO_SITE_OP && !folder)) {
        free(made);
        free(copy);
        free(folder);
        return NULL;
    }
    memcpy(copy, name, length);
    made->site = (struct tacho_site){ copy, "", "", 0, 0, flags, 0 };
    made->file.folder = folder;
    return made;
}

/* NULL: no memory, which is counted. */
static struct op_name *op_name_find(const char *name, uint32_t flags)
{
    struct op_name **bucket = &op_profiler.names[op_hash(name) % OP_BUCKETS];

    for (struct op_name *found = *bucket; found; found = found->next)
        if (found->site.flags == flags && strcmp(found->site.name, name) == 0)
            return found;
    struct op_name *made = op_name_new(name, flags);
    if (!made) {
        op_error(ENOMEM, "cannot profile", name);
        return NULL;
    }
    made->next = *bucket;
    *bucket = made;
    return made;
}

/* The default location, where none was chosen before the first op. */
static void op_settle_log(void)
{
    if (__atomic_load_n(&op_logging.settled, __ATOMIC_ACQUIRE))
        return;
    pthread_mutex_lock(&op_logging.lock);
    if (!op_logging.settled)
        op_log_open(&op_logging.log, NULL);
    __atomic_store_n(&op_logging.settled, true, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&op_logging.lock);
}

/* ---- ops ----------------------------------------------------------------------------------------------------------- */

static uint64_t op_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static struct op_open *op_take(struct op_thread *self)
{
    struct op_open *open = self->unused;

    if (!open)
        return calloc(1, sizeof *open);
    self->unused = open->outer;
    open->tensors[0] = open->tensors[1] = 0;
    for (unsigned i = 0; i < OP_VALUE_COUNT; i++)
        op_text_clear(&open->values[i]);
    op_text_clear(&open->calls);
    return open;
}

static void op_give_back(struct op_thread *self, struct op_open *open)
{
    open->outer = self->unused;
    self->unused = open;
}

/* What is known from the start: an op that never stops has it, too. */
static void op_record_start(struct op_open *open)
{
    const struct op_text *type = &open->values[OP_TYPE];

    open->zone = tacho_zone_begin(&open->name->site);
    if (!open->zone.site)
        return;
    tacho_text(&op_value_keys[OP_TYPE], op_text_string(type), type->length);
    tacho_unsigned(&op_number_keys[OP_NUMBER_GLOBAL], open->global);
    tacho_unsigned(&op_number_keys[OP_NUMBER_CALL], open->call);
    tacho_unsigned(&op_number_keys[OP_NUMBER_DEPTH], open->depth);
}

static void op_record_stop(const struct op_open *open)
{
    if (!open->zone.site)
        return;
    for (unsigned i = 0; i < OP_VALUE_COUNT; i++)
        if (i != OP_TYPE && open->values[i].length)
            tacho_text(&op_value_keys[i], open->values[i].data, open->values[i].length);
    tacho_zone_end(open->zone);
}

void tacho_op_start(const char *name, const char *type)
{
    struct op_thread *self = op_this_thread();
    struct op_open *open = self && name ? op_take(self) : NULL;

    if (!open) {
        op_error(name ? ENOMEM : 0, "cannot profile the op", name ? name : "without a name");
        return;
    }
    op_text_add_clean(&open->values[OP_TYPE], type && *type ? type : TACHO_OP_UNKNOWN, "");
    op_settle_log();
    pthread_mutex_lock(&op_profiler.lock);
    open->name = op_name_find(name, TACHO_SITE_OP);
    if (open->name) {
        open->global = ++op_profiler.calls;
        open->call = ++open->name->calls;
    }
    pthread_mutex_unlock(&op_profiler.lock);
    if (!open->name) {
        op_give_back(self, open);
        return;
    }
    open->outer = self->innermost;
    open->depth = open->outer ? open->outer->depth + 1 : 1;
    self->innermost = open;
    op_record_start(open);
    open->start = op_now();
}

/* "name, start, stop, length" */
static void op_add_times(struct op_text *row, const char *name, uint64_t start, uint64_t stop)
{
    op_text_add_clean(row, name, "");
    op_text_add_string(row, ", ");
    op_text_add_number(row, start);
    op_text_add_string(row, ", ");
    op_text_add_number(row, stop);
    op_text_add_string(row, ", ");
    op_text_add_number(row, stop - start);
}

static void op_make_row(struct op_thread *self, const struct op_open *open, uint64_t stop)
{
    const uint64_t numbers[] = { open->global, open->call, open->depth };
    struct op_text *row = &self->row;

    op_text_clear(row);
    op_add_times(row, open->name->site.name, open->start, stop);
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        op_text_add_string(row, ", ");
        op_text_add_number(row, numbers[i]);
    }
    for (unsigned i = 0; i < OP_FIRST_DETAIL; i++) {
        op_text_add_string(row, ", ");
        op_text_add_string(row, op_text_string(&open->values[i]));
        row->failed |= open->values[i].failed;
    }
}

/* The later columns, in `answer`; empty where none was told. */
static const char *op_make_details(struct op_thread *self, const struct op_open *open)
{
    bool any = false;

    op_text_clear(&self->answer);
    for (unsigned i = OP_FIRST_DETAIL; i < OP_VALUE_COUNT; i++) {
        any |= open->values[i].length > 0;
        op_text_add_string(&self->answer, ", ");
        op_text_add_string(&self->answer, op_text_string(&open->values[i]));
        self->row.failed |= open->values[i].failed || self->answer.failed;
    }
    return any ? op_text_string(&self->answer) : "";
}

/* A row tells that the logs of its call are whole, so it comes last. Ops of the device have a log of calls in any case: without one, it would
 * not be known that there were none. */
static void op_log_op(struct op_thread *self, struct op_open *open, uint64_t stop)
{
    bool on_device = strcmp(op_text_string(&open->values[OP_TYPE]), TACHO_OP_DEVICE) == 0;
    const char *details;

    op_make_row(self, open, stop);
    details = op_make_details(self, open);
    if (self->row.failed || open->calls.failed) {
        op_error(ENOMEM, "cannot log the op", open->name->site.name);
        return;
    }
    pthread_mutex_lock(&op_logging.lock);
    if (open->calls.length || on_device)
        op_log_calls(&op_logging.log, open->name->file.folder, open->call, op_text_string(&open->calls));
    op_log_row(&op_logging.log, &open->name->file, op_text_string(&self->row), details);
    pthread_mutex_unlock(&op_logging.lock);
}

static void op_drop_running(struct op_thread *self, const struct op_open *op);

static void op_end_innermost(struct op_thread *self, uint64_t stop)
{
    struct op_open *open = self->innermost;

    op_drop_running(self, open);
    op_record_stop(open);
    self->innermost = open->outer;
    op_log_op(self, open, stop);
    op_give_back(self, open);
}

void tacho_op_stop(const char *name)
{
    uint64_t stop = op_now();
    struct op_thread *self = op_this_thread();
    struct op_open *meant = self ? self->innermost : NULL;

    while (meant && name && strcmp(meant->name->site.name, name) != 0)
        meant = meant->outer;
    if (!meant) {
        op_error(0, "an op is stopped that is not open on this thread:", name ? name : "without a name");
        return;
    }
    while (self->innermost != meant) {
        op_error(0, "an op was not stopped before the one around it:", self->innermost->name->site.name);
        op_end_innermost(self, stop);
    }
    op_end_innermost(self, stop);
}

/* ---- what is told of an op ----------------------------------------------------------------------------------------- */

static void op_add_memory(struct op_text *text, const struct tacho_op_tensor *tensor)
{
    size_t from;

    if (!tensor->buffer) {
        op_text_add_clean(text, tensor->storage ? tensor->storage : "host", "-|");
        return;
    }
    op_text_add_string(text, tensor->memory_layout ? "DEV_" : "dev_");
    op_text_add_number(text, tensor->device < 0 ? 0 : (uint64_t)tensor->device);
    op_text_add_string(text, "_");
    from = text->length;
    op_text_add_clean(text, tensor->buffer, "-|");
    if (tensor->memory_layout) {
        op_text_add_string(text, "_");
        op_text_add_clean(text, tensor->memory_layout, "-|");
        return;
    }
    for (size_t i = from; i < text->length; i++)
        if (text->data[i] >= 'A' && text->data[i] <= 'Z')
            text->data[i] = (char)(text->data[i] - 'A' + 'a');
}

static void op_add_tensor(struct op_text *text, const struct tacho_op_tensor *tensor)
{
    uint32_t rank = tensor->rank < TACHO_OP_DIMENSIONS ? tensor->rank : TACHO_OP_DIMENSIONS;

    for (uint32_t i = rank; i < 4; i++)
        op_text_add_string(text, i + 1 < 4 || rank ? "1_" : "1");
    for (uint32_t i = 0; i < rank; i++) {
        op_text_add_number(text, tensor->shape[i]);
        op_text_add_string(text, i + 1 < rank ? "_" : "");
    }
    op_text_add_string(text, "|");
    op_text_add_clean(text, tensor->layout ? tensor->layout : "", "-|");
    op_text_add_string(text, "|");
    op_text_add_clean(text, tensor->datatype ? tensor->datatype : "", "-|");
    op_text_add_string(text, "|");
    op_add_memory(text, tensor);
}

static void op_add_place(enum op_value side, const char *what, const struct tacho_op_tensor *tensor)
{
    struct op_open *open = op_innermost(what);

    if (!open)
        return;
    if (open->tensors[side]++)
        op_text_add_string(&open->values[side], "-");
    if (tensor)
        op_add_tensor(&open->values[side], tensor);
}

_Static_assert(OP_INPUTS == 0 && OP_OUTPUTS == 1, "places of the counts of tensors");

void tacho_op_input(const struct tacho_op_tensor *tensor)
{
    op_add_place(OP_INPUTS, "an input", tensor);
}

void tacho_op_output(const struct tacho_op_tensor *tensor)
{
    op_add_place(OP_OUTPUTS, "an output", tensor);
}

static void op_set_value(enum op_value which, const char *what, const char *text)
{
    struct op_open *open = op_innermost(what);

    if (!open)
        return;
    op_text_clear(&open->values[which]);
    op_text_add_clean(&open->values[which], text ? text : "", "");
}

void tacho_op_math_fidelity(const char *fidelity)
{
    op_set_value(OP_FIDELITY, "a math fidelity", fidelity);
}

void tacho_op_parallelization_strategy(const char *strategy)
{
    op_set_value(OP_STRATEGY, "a parallelization strategy", strategy);
}

void tacho_op_preferred_name(const char *name)
{
    op_set_value(OP_PREFERRED, "a preferred name", name);
}

void tacho_op_detail(enum tacho_op_detail_kind which, const char *text)
{
    if ((unsigned)which < TACHO_OP_DETAILS)
        op_set_value(OP_FIRST_DETAIL + (unsigned)which, "a detail", text);
}

void tacho_op_meta_data(const char *text)
{
    struct op_open *open = op_innermost("meta data");

    if (!open || !text || !*text)
        return;
    if (open->values[OP_META].length)
        op_text_add_string(&open->values[OP_META], "-");
    op_text_add_clean(&open->values[OP_META], text, "-");
}

/* ---- functions ----------------------------------------------------------------------------------------------------- */

static void op_give_back_running(struct op_thread *self)
{
    struct op_running *running = self->running;

    self->running = running->outer;
    running->outer = self->unused_running;
    self->unused_running = running;
}

/* Functions of an op that did not return before it stopped. */
static void op_drop_running(struct op_thread *self, const struct op_open *op)
{
    while (self->running && self->running->op == op) {
        op_error(0, "a call did not end before its op:", self->running->name->site.name);
        tacho_zone_end(self->running->zone);
        op_give_back_running(self);
    }
}

void tacho_op_call_begin(const char *function)
{
    struct op_thread *self = op_this_thread();
    struct op_running *running = self && function ? self->unused_running : NULL;

    if (running)
        self->unused_running = running->outer;
    else if (self && function)
        running = calloc(1, sizeof *running);
    if (!running) {
        op_error(function ? ENOMEM : 0, "cannot profile the call of", function ? function : "no function");
        return;
    }
    op_settle_log();
    pthread_mutex_lock(&op_profiler.lock);
    running->name = op_name_find(function, TACHO_SITE_OP_CALL);
    pthread_mutex_unlock(&op_profiler.lock);
    running->op = self->innermost;
    running->outer = self->running;
    self->running = running;
    if (!running->name) {
        op_give_back_running(self);
        return;
    }
    running->zone = tacho_zone_begin(&running->name->site);
    if (running->zone.site)
        tacho_unsigned(&op_number_keys[OP_NUMBER_CALLER], running->op ? running->op->global : 0);
    running->start = op_now();
}

static void op_end_running(struct op_thread *self, uint64_t stop)
{
    struct op_running *running = self->running;
    struct op_text *rows = running->op ? &running->op->calls : &self->row;

    tacho_zone_end(running->zone);
    if (!running->op)
        op_text_clear(rows);
    op_add_times(rows, running->name->site.name, running->start, stop);
    op_text_add_string(rows, "\n");
    if (!running->op && !rows->failed) {
        pthread_mutex_lock(&op_logging.lock);
        op_log_outside(&op_logging.log, op_text_string(rows));
        pthread_mutex_unlock(&op_logging.lock);
    }
    op_give_back_running(self);
}

void tacho_op_call_end(const char *function)
{
    uint64_t stop = op_now();
    struct op_thread *self = op_this_thread();
    struct op_running *meant = self ? self->running : NULL;

    while (meant && function && meant->op == self->innermost && strcmp(meant->name->site.name, function) != 0)
        meant = meant->outer;
    if (!meant || meant->op != self->innermost) {
        op_error(0, "a call ends that did not begin in this op:", function ? function : "no function");
        return;
    }
    while (self->running != meant) {
        op_error(0, "a call did not end before the one around it:", self->running->name->site.name);
        op_end_running(self, stop);
    }
    op_end_running(self, stop);
}

/* ---- where it goes ------------------------------------------------------------------------------------------------- */

int tacho_op_location(const char *folder)
{
    bool done;

    pthread_once(&op_once, op_prepare);
    pthread_mutex_lock(&op_logging.lock);
    done = op_log_open(&op_logging.log, folder ? folder : "");
    __atomic_store_n(&op_logging.settled, true, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&op_logging.lock);
    return done ? 0 : -1;
}

/* A copy of `text`, which another thread may change later. */
static const char *op_answer(struct op_thread *self, const char *text)
{
    op_text_clear(&self->answer);
    op_text_add_string(&self->answer, text);
    return op_text_string(&self->answer);
}

const char *tacho_op_folder(void)
{
    struct op_thread *self = op_this_thread();
    const char *folder = "";

    if (!self)
        return folder;
    op_settle_log();
    pthread_mutex_lock(&op_logging.lock);
    folder = op_answer(self, op_text_string(&op_logging.log.path));
    pthread_mutex_unlock(&op_logging.lock);
    return folder;
}

const char *tacho_op_call_folder(void)
{
    struct op_thread *self = op_this_thread();
    struct op_open *open = self ? self->innermost : NULL;
    const char *folder = "";

    if (!open)
        return folder;
    pthread_mutex_lock(&op_logging.lock);
    if (op_log_call_folder(&op_logging.log, open->name->file.folder, open->call))
        folder = op_answer(self, op_text_string(&op_logging.log.file));
    pthread_mutex_unlock(&op_logging.lock);
    return folder;
}
