/* session.c: a recording begins and ends: by the environment, by the program, by fork and exit; the helper thread; ties of the clock. */
#include "recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

enum {
    DEFAULT_CAP_MB = 8192,
    DEFAULT_PREFAULT_MB = 16,
    FIRST_TIES = 256,       /* that come once a second; later ones once a minute */
    CALIBRATION_ROUNDS = 8, /* of which the fastest counts */
    CALIBRATION_ZONES = 64  /* of a round */
};

struct tacho_recorder tacho_recorder;
struct recorder the_recorder = { .lock = PTHREAD_MUTEX_INITIALIZER, .growing = PTHREAD_MUTEX_INITIALIZER, .file = -1 };

static __thread char error_text[512]; /* why the last start of this thread failed */

static pthread_mutex_t control =
    PTHREAD_MUTEX_INITIALIZER; /* one start or stop at a time; taken outside of the other locks */
static __thread int cancelled; /* whether this thread can be cancelled, before that */
static __thread bool controls; /* this thread is in one; a signal handler in the middle of it must not wait for it */

/* ---- locks and time ------------------------------------------------------------------------------------------------ */

void recorder_block(struct recorder_guard *guard)
{
    sigset_t all;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &guard->before);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &guard->cancelled);
}

void recorder_unblock(const struct recorder_guard *guard)
{
    pthread_setcancelstate(guard->cancelled, NULL);
    pthread_sigmask(SIG_SETMASK, &guard->before, NULL);
}

void recorder_lock(struct recorder_guard *guard)
{
    recorder_block(guard);
    pthread_mutex_lock(&the_recorder.lock);
}

void recorder_unlock(const struct recorder_guard *guard)
{
    pthread_mutex_unlock(&the_recorder.lock);
    recorder_unblock(guard);
}

static uint64_t nanoseconds_of(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t recorder_nanoseconds(void)
{
    return nanoseconds_of(CLOCK_MONOTONIC);
}

/* Whether the CPU's counter runs at one rate on all cores, in every state of sleep. The kernel knows better than the CPU where a virtual
 * machine hides what the hardware can do. */
static bool counter_is_steady(void)
{
#if defined(__x86_64__)
    unsigned a, b, c, d;
    char source[8] = "";
    int file = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);

    if (file >= 0) {
        ssize_t got = read(file, source, sizeof source - 1);

        close(file);
        if (got >= 3 && !memcmp(source, "tsc", 3))
            return true;
    }
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8);
#elif defined(__aarch64__)
    return true; /* the architecture says so */
#else
    return false;
#endif
}

/* One moment on both clocks, as narrow as three tries give it. */
static void tie(struct recording_head *head)
{
    struct recording_tie best = { 0 };
    uint32_t count = head->ties;

    for (int i = 0; i < 3; i++) {
        struct recording_tie now;

        now.before = recorder_nanoseconds();
        now.ticks = tacho_recorder_time();
        now.after = recorder_nanoseconds();
        if (!best.ticks || now.after - now.before < best.after - best.before)
            best = now;
    }
    if (count == RECORDING_TIES)
        count--;
    /* The ticks make it count. */
    __atomic_store_n(&head->tie[count].ticks, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&head->tie[count].before, best.before, __ATOMIC_RELAXED);
    __atomic_store_n(&head->tie[count].after, best.after, __ATOMIC_RELAXED);
    __atomic_store_n(&head->tie[count].ticks, best.ticks, __ATOMIC_RELEASE);
    __atomic_store_n(&head->ties, count + 1, __ATOMIC_RELEASE);
}

/* ---- the helper ---------------------------------------------------------------------------------------------------- */

void recorder_wake(void)
{
    if (__atomic_exchange_n(&the_recorder.asleep, 0, __ATOMIC_ACQ_REL))
        sem_post(&the_recorder.wake);
}

/* Until something is wanted, or so long. */
static void doze(struct recorder *recorder, uint64_t milliseconds)
{
    uint64_t until = nanoseconds_of(CLOCK_REALTIME) + milliseconds * 1000000;
    struct timespec time = { (time_t)(until / 1000000000), (long)(until % 1000000000) };

    __atomic_store_n(&recorder->asleep, 1, __ATOMIC_RELEASE);
    while (sem_timedwait(&recorder->wake, &time) != 0 && errno == EINTR)
        continue;
    __atomic_store_n(&recorder->asleep, 0, __ATOMIC_RELEASE);
}

/* Ties come after 1, 10 and 100 ms, then once a second: a program that is killed soon has some, too. */
static void *help(void *unused)
{
    struct recorder *recorder = &the_recorder;
    uint32_t ahead = (uint32_t)(recorder->options.prefault_mb * (1024 * 1024 / RECORDING_CHUNK));
    uint64_t wait = 1;
    uint64_t next_tie = recorder_nanoseconds() + 1000000;

    (void)unused;
    sem_post(&recorder->begun);
    while (!__atomic_load_n(&recorder->ending, __ATOMIC_ACQUIRE)) {
        uint32_t claimed = __atomic_load_n(&recorder->claimed, __ATOMIC_RELAXED);
        bool room = chunks_ahead(claimed < recorder->cap - ahead ? claimed + ahead : recorder->cap);
        uint64_t now = recorder_nanoseconds();

        if (now >= next_tie) {
            tie(recorder->head);
            wait = wait < 1000 ? wait * 10 : recorder->head->ties < FIRST_TIES ? 1000 : 60000;
            next_tie = now + wait * 1000000;
        }
        /* A full disk is asked again after a tenth of a second. */
        uint64_t left = next_tie > now ? (next_tie - now) / 1000000 + 1 : 1;
        doze(recorder, !room && left > 100 ? 100 : left);
    }
    return NULL;
}

static void start_helper(struct recorder *recorder)
{
    pthread_attr_t attributes;

    /* It needs little, and threads of their own make no zones: a small stack, no signals. The caller has them blocked. */
    recorder->ending = recorder->asleep = 0;
    sem_init(&recorder->wake, 0, 0);
    sem_init(&recorder->begun, 0, 0);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 128 * 1024);
    recorder->helped = pthread_create(&recorder->helper, &attributes, help, NULL) == 0;
    pthread_attr_destroy(&attributes);
    /* While a thread starts, the system may hold locks for it that a fork would leave locked in the child. */
    while (recorder->helped && sem_wait(&recorder->begun) != 0 && errno == EINTR)
        continue;
}

/* ---- begin and end ------------------------------------------------------------------------------------------------- */

/* "run.tacho" of process 17 that may not have that name: "run-17.tacho". A folder: "PROGRAM-17.tacho" in it. */
static void name_file(const char *base, bool another, unsigned attempt, char *path)
{
    size_t length = strlen(base);
    struct stat status;
    char more[16] = "";

    if (attempt)
        snprintf(more, sizeof more, "-%u", attempt + 1);
    if (length && (base[length - 1] == '/' || (stat(base, &status) == 0 && S_ISDIR(status.st_mode)))) {
        snprintf(path, RECORDER_PATH, "%.3900s%s%.100s-%ld%s.tacho", base, base[length - 1] == '/' ? "" : "/",
                 program_invocation_short_name, (long)getpid(), more);
    } else if (!another) {
        snprintf(path, RECORDER_PATH, "%.4000s", base);
    } else {
        size_t stem = length > 6 && !strcmp(base + length - 6, ".tacho") ? length - 6 : length;

        snprintf(path, RECORDER_PATH, "%.*s-%ld%s%s", (int)(stem < 4000 ? stem : 4000), base, (long)getpid(), more,
                 base + stem);
    }
}

/* A name that nobody else records to; the one that was asked for where it may be. 0, or errno. */
static int open_somewhere(struct recorder *recorder, bool child)
{
    const struct tacho_record_options *options = &recorder->options;
    const char *base = child && options->children ? options->children : options->path;
    struct stat status;
    size_t length = strlen(base);
    bool folder = length && base[length - 1] == '/';
    int error = EEXIST;

    if (folder)
        (void)mkdir(base, 0777);
    else
        folder = stat(base, &status) == 0 && S_ISDIR(status.st_mode);
    if (!folder && !child) {
        name_file(base, false, 0, recorder->path);
        error = chunks_open(recorder->path, true, options->cap_mb, options->ring_mb);
    }
    for (unsigned attempt = 0; attempt < 100 && (error == EBUSY || error == EEXIST); attempt++) {
        name_file(base, true, attempt, recorder->path);
        error = chunks_open(recorder->path, false, options->cap_mb, options->ring_mb);
    }
    return error;
}

static void read_text(const char *path, char *text, size_t size)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file >= 0 ? read(file, text, size - 1) : 0;

    text[got > 0 ? got : 0] = 0;
    if (file >= 0)
        close(file);
}

static void fill_head(struct recorder *recorder)
{
    struct recording_head *head = recorder->head;
    const char *launch = getenv("TACHO_LAUNCH");

    head->version = RECORDING_VERSION;
    head->clock = tacho_recorder.counter ? RECORDING_COUNTER : RECORDING_MONOTONIC;
    head->pid = (uint32_t)getpid();
    head->parent = (uint32_t)getppid();
    head->start_real = nanoseconds_of(CLOCK_REALTIME);
    head->start_monotonic = recorder_nanoseconds();
    head->zone_cost = recorder->zone_cost;
    head->launch = launch ? (uint32_t)strtoul(launch, NULL, 10) : 0;
    snprintf(head->program, sizeof head->program, "%.255s", program_invocation_short_name);
    read_text("/proc/self/cmdline", head->command, sizeof head->command);
    head->state = RECORDING_OPEN;
    memcpy(head->magic, RECORDING_MAGIC, sizeof head->magic);
}

void tacho_record_cost(uint64_t ticks, uint64_t zones)
{
    struct recorder *recorder = &the_recorder;
    struct recorder_guard guard;

    recorder_lock(&guard);
    recorder->zone_cost = zones && ticks < UINT64_MAX / 256 ? ticks * 256 / zones : 0;
    if (recorder->base)
        __atomic_store_n(&recorder->head->zone_cost, recorder->zone_cost, __ATOMIC_RELAXED);
    recorder_unlock(&guard);
}

/* What a zone costs here, on chunk that is then as if nothing had happened: measured so that readers can tell what share recording had. */
static void measure_cost(struct recorder *recorder)
{
    struct tacho_site site = { .id = UINT32_MAX };
    uint64_t best = UINT64_MAX;
    uintptr_t first;

    if (threads_here() == UINT32_MAX || !tacho_recorder_slots(recorder->sessions, RECORDING_SLOT))
        return;
    first = tacho_recorder_thread.next - RECORDING_SLOT;
    for (int round = 0; round < CALIBRATION_ROUNDS; round++) {
        uint64_t start = tacho_recorder_time();
        uint64_t ticks;

        __atomic_store_n(&tacho_recorder_thread.next, first, __ATOMIC_RELAXED);
        for (int i = 0; i < CALIBRATION_ZONES; i++)
            tacho_zone_end(tacho_zone_begin(&site));
        ticks = tacho_recorder_time() - start;
        if (ticks < best)
            best = ticks;
    }
    memset((void *)first, 0, (size_t)2 * CALIBRATION_ZONES * RECORDING_SLOT);
    __atomic_store_n(&tacho_recorder_thread.next, first, __ATOMIC_RELAXED);
    tacho_record_cost(best, CALIBRATION_ZONES);
}

/* Two ties at the start, so far apart that they tell the rate of the counter to some thousandths: all that there is of a program that is
 * killed at once. */
static void tie_first(struct recorder *recorder)
{
    const struct timespec pause = { 0, 200000 };

    tie(recorder->head);
    if (tacho_recorder.counter)
        nanosleep(&pause, NULL);
    tie(recorder->head);
}

/* Under the lock, of a start and of a child that records for the first time. 0, or errno. */
static int begin(struct recorder *recorder, bool child)
{
    int error = open_somewhere(recorder, child);

    if (error)
        return error;
    __atomic_store_n(&tacho_recorder.counter, !recorder->options.monotonic && counter_is_steady(), __ATOMIC_RELAXED);
    fill_head(recorder);
    tie_first(recorder);
    names_session();
    threads_session();
    start_helper(recorder);
    return 0;
}

static struct recorder_guard fork_guard; /* of the thread that forks; the lock is held */

/* The locks are held across the fork, and signals wait, so that the child finds both locks its own and a handler meets neither. */
static void before_fork(void)
{
    struct recorder_guard guard;

    recorder_lock(&guard);
    pthread_mutex_lock(&the_recorder.growing);
    fork_guard = guard;
}

static void forked_parent(void)
{
    struct recorder_guard guard = fork_guard;

    pthread_mutex_unlock(&the_recorder.growing);
    recorder_unlock(&guard);
}

/* The child has one thread, and nothing of its parent's file. It gets its own when it records. */
static void forked_child(void)
{
    struct recorder *recorder = &the_recorder;
    bool recording = tacho_recorder.session != 0;

    pthread_mutex_init(&control, NULL);
    controls = false;
    recorder->inside = 0;
    pthread_mutex_init(&recorder->lock, NULL);
    pthread_mutex_init(&recorder->growing, NULL);
    chunks_forget();
    threads_forget();
    live_forget();
    recorder->helped = false;
    recorder->path[0] = 0;
    recorder->opens_later = recording;
    if (recording)
        __atomic_store_n(&tacho_recorder.session, ++recorder->sessions, __ATOMIC_RELEASE);
    recorder_unblock(&fork_guard);
}

bool recorder_open_later(void)
{
    struct recorder *recorder = &the_recorder;

    recorder->opens_later = false;
    if (begin(recorder, true) == 0)
        return true;
    recorder->path[0] = 0;
    __atomic_store_n(&tacho_recorder.session, 0, __ATOMIC_RELEASE);
    return false;
}

static int fail(const char *path, const char *why)
{
    snprintf(error_text, sizeof error_text, "cannot record to %.300s: %s", path, why);
    return -1;
}

static void set_options(struct recorder *recorder, const struct tacho_record_options *options)
{
    recorder->options = *options;
    if (!recorder->options.cap_mb)
        recorder->options.cap_mb = DEFAULT_CAP_MB;
    if (!recorder->options.prefault_mb)
        recorder->options.prefault_mb = DEFAULT_PREFAULT_MB;
    snprintf(recorder->base_path, sizeof recorder->base_path, "%s", options->path);
    snprintf(recorder->live, sizeof recorder->live, "%s", options->live ? options->live : "");
    snprintf(recorder->children, sizeof recorder->children, "%s", options->children ? options->children : "");
    recorder->options.path = recorder->base_path;
    recorder->options.children = recorder->children[0] ? recorder->children : NULL;
    recorder->options.live = recorder->live[0] ? recorder->live : NULL;
}

/* Under the lock. */
static int start(struct recorder *recorder, const struct tacho_record_options *options)
{
    static bool forks_known; /* handlers of fork are for ever */
    int error;

    if (recorder->base || recorder->opens_later)
        return fail(options->path, "this program records already");
    set_options(recorder, options);
    error = begin(recorder, false);
    if (error) {
        recorder->path[0] = 0;
        return fail(options->path,
                    error == EFBIG ? "the cap or the limit of file sizes leaves no room" : strerror(error));
    }
    if (!forks_known)
        forks_known = pthread_atfork(before_fork, forked_parent, forked_child) == 0;
    __atomic_store_n(&tacho_recorder.session, ++recorder->sessions, __ATOMIC_RELEASE);
    return 0;
}

static bool take_control(void)
{
    if (controls)
        return false;
    controls = true;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelled);
    pthread_mutex_lock(&control);
    return true;
}

static void give_control(void)
{
    pthread_mutex_unlock(&control);
    pthread_setcancelstate(cancelled, NULL);
    controls = false;
}

int tacho_record_start(const struct tacho_record_options *options)
{
    struct recorder *recorder = &the_recorder;
    struct recorder_guard guard;
    const char *obstacle = NULL;
    int result;

    error_text[0] = 0;
    if (!options || !options->path || !*options->path)
        return fail("nothing", "there is no path");
    if (strlen(options->path) > RECORDER_PATH - 160 ||
        (options->children && strlen(options->children) > RECORDER_PATH - 160))
        return fail("a path", "it is too long");
    if (!take_control())
        return fail(options->path, "this thread is starting or stopping a recording");
    recorder_lock(&guard);
    result = start(recorder, options);
    recorder_unlock(&guard);
    if (!result) {
        recorder_block(&guard);
        measure_cost(recorder);
        if (recorder->options.live)
            obstacle = live_start(recorder->options.live);
        recorder_unblock(&guard);
    }
    give_control();
    /* It records, and nobody can watch: that is not what was asked for, but better than nothing. */
    if (obstacle)
        snprintf(error_text, sizeof error_text, "recording, but nobody can attach: %s", obstacle);
    return result;
}

/* Those that came before the recording was stopped; they take no longer than a chunk takes to be made. */
static void wait_for_threads(struct recorder *recorder)
{
    const struct timespec pause = { 0, 20000 };

    while (__atomic_load_n(&recorder->inside, __ATOMIC_SEQ_CST))
        nanosleep(&pause, NULL);
}

void tacho_record_stop(void)
{
    struct recorder *recorder = &the_recorder;
    struct recorder_guard guard;

    if (!take_control())
        return;
    recorder_lock(&guard);
    __atomic_store_n(&tacho_recorder.session, 0, __ATOMIC_SEQ_CST);
    recorder->opens_later = false;
    recorder_unlock(&guard);
    wait_for_threads(recorder);
    if (recorder->helped) {
        __atomic_store_n(&recorder->ending, 1, __ATOMIC_RELEASE);
        sem_post(&recorder->wake);
        pthread_join(recorder->helper, NULL);
        sem_destroy(&recorder->wake);
    }
    recorder_lock(&guard);
    recorder->helped = false;
    if (recorder->base) {
        threads_close();
        if (recorder->names) {
            __atomic_store_n(&recorder->names->used, recorder->names_used, __ATOMIC_RELEASE);
            chunks_seal(recorder->names);
        }
        tie(recorder->head);
        __atomic_store_n(&recorder->head->state, RECORDING_CLOSED, __ATOMIC_RELEASE);
    }
    recorder_unlock(&guard);
    live_stop(); /* it sends the last of it, so the file is still there */
    recorder_lock(&guard);
    if (recorder->base)
        chunks_close();
    recorder->path[0] = 0;
    recorder_unlock(&guard);
    give_control();
}

const char *tacho_record_path(void)
{
    return the_recorder.path;
}

const char *tacho_record_error(void)
{
    return error_text;
}

/* ---- the environment ----------------------------------------------------------------------------------------------- */

static void say(const char *text)
{
    size_t length = strlen(text);

    (void)!write(2, text, length);
}

static uint64_t number_from(const char *name)
{
    const char *text = secure_getenv(name);
    char *end = NULL, message[256];
    uint64_t number = text ? strtoull(text, &end, 10) : 0;

    if (text && *text && (*end || *text == '-')) {
        snprintf(message, sizeof message, "tacho: %s wants a number of MB, not \"%.100s\": it is passed over\n", name,
                 text);
        say(message);
        return 0;
    }
    return number;
}

/* Where only viewers are wanted, the file is for them, and has no name once it is open. */
static void name_nowhere(char *path, size_t size)
{
    const char *folder = secure_getenv("TMPDIR");

    snprintf(path, size, "%.200s/tacho-live-%ld.tacho", folder && *folder ? folder : "/tmp", (long)getpid());
}

/* The user of the program asked for a recording, not the program: so it is the user who is told when there is none. */
__attribute__((constructor)) static void start_by_environment(void)
{
    const char *path = secure_getenv("TACHO_RECORD");
    const char *clock = secure_getenv("TACHO_CLOCK");
    struct tacho_record_options options = { .path = path,
                                            .live = secure_getenv("TACHO_LIVE"),
                                            .ring_mb = number_from("TACHO_RING"),
                                            .cap_mb = number_from("TACHO_CAP"),
                                            .prefault_mb = number_from("TACHO_PREFAULT"),
                                            .monotonic = clock && !strcmp(clock, "monotonic") };
    char message[640], nowhere[256];
    bool only_live = (!path || !*path) && options.live && *options.live;

    if (only_live) {
        name_nowhere(nowhere, sizeof nowhere);
        options.path = nowhere;
    } else if (!path || !*path) {
        return;
    }
    if (tacho_record_start(&options) != 0 || error_text[0]) {
        snprintf(message, sizeof message, "tacho: %s\n", error_text);
        say(message);
    } else if (*tacho_record_live_address()) {
        if (only_live)
            unlink(the_recorder.path);
        snprintf(message, sizeof message, "tacho: live on %s, token %s\ntacho: seen by: tacho serve --live %s\n",
                 tacho_record_live_address(), tacho_record_live_token(), tacho_record_live_address());
        say(message);
    }
}

__attribute__((destructor)) static void stop_at_exit(void)
{
    tacho_record_stop();
}
