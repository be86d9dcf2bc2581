/* zones.c: a program that records, for tests of the recorder: zones CASE [ARGUMENT]...
 *
 *   kill COUNTERS THREADS     zones without end; each thread counts those that ended in a page of its own in the file COUNTERS
 *   nest THREADS ZONES        that many zones a thread, nested by a rule that the test knows
 *   churn THREADS ROUNDS      threads that come and go
 *   storm THREADS ROUNDS      zones, arguments, texts, counters and messages of all threads at once
 *   fork CHILDREN             children that record, and children of theirs
 *   forks CHILDREN            the same while 8 threads record all the time; prints how many zones each process made
 *   exec PROGRAM CASE ...     a zone, then another program in its place
 *   signals ZONES             a timer's handler records in the middle of everything
 *   kinds                     every kind of record once
 *   cancel TIMES              threads that are cancelled while they record
 *   again TIMES PATH          recordings one after another
 *   restart TIMES PATH        the same while 8 threads record all the time
 *   load LIBRARY              a library is loaded, records, is unloaded, is loaded again
 *   wait                      zones until a line comes from standard input
 *   lines                     a zone for each line of standard input, named after it
 *   crash                     three open zones, then a null pointer
 *   hidden COUNT              zones with names and arguments made while it runs
 *
 * With ZONES_WAIT in the environment it begins once a line comes from standard input: a viewer may come first.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tacho/zone.h"

enum { THREADS = 64, COUNTER_STEP = 4096 };

static uint64_t *counters; /* one a page */
static long zones;         /* of each thread */

static void *count_zones(void *number)
{
    volatile uint64_t *counter = counters + (size_t)number * COUNTER_STEP / sizeof *counters;

    for (;;) {
        {
            TACHO_ZONE("counted");
            {
                TACHO_ZONE("inner");
            }
        }
        *counter += 2;
    }
    return NULL;
}

static int run_kill(const char *path, long threads)
{
    int file = open(path, O_RDWR | O_CREAT, 0644);
    pthread_t made[THREADS];

    if (file < 0 || ftruncate(file, THREADS * COUNTER_STEP) != 0)
        return 1;
    counters = mmap(NULL, THREADS * COUNTER_STEP, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    for (long i = 1; i < threads; i++)
        pthread_create(&made[i], NULL, count_zones, (void *)i);
    count_zones(NULL);
    return 0;
}

/* A zone of depth d has d mod 3 children of its own, until there were enough. */
static void nest(int depth, long *left)
{
    TACHO_ZONE("nested");
    TACHO_INTEGER("depth", depth);
    for (int i = 0; i < depth % 3 && *left > 0; i++) {
        --*left;
        nest(depth + 1, left);
    }
}

static void *nest_zones(void *unused)
{
    long left = zones;

    (void)unused;
    while (left > 0) {
        left--;
        nest(1, &left);
    }
    return NULL;
}

static int run_nest(long threads, long count)
{
    pthread_t made[THREADS];

    zones = count;
    for (long i = 0; i < threads; i++)
        pthread_create(&made[i], NULL, nest_zones, NULL);
    for (long i = 0; i < threads; i++)
        pthread_join(made[i], NULL);
    return 0;
}

static void *few_zones(void *name)
{
    tacho_thread_name(name);
    for (int i = 0; i < 10; i++) {
        TACHO_ZONE("short life");
    }
    return NULL;
}

static int run_churn(long threads, long rounds)
{
    for (long round = 0; round < rounds; round++) {
        pthread_t made[THREADS];
        char names[THREADS][32];

        for (long i = 0; i < threads; i++) {
            snprintf(names[i], sizeof names[i], "churn %ld", round * threads + i);
            pthread_create(&made[i], NULL, few_zones, names[i]);
        }
        for (long i = 0; i < threads; i++)
            pthread_join(made[i], NULL);
    }
    return 0;
}

/* One zone in another, with all that a thread may say of them. */
static void say_all(long round)
{
    TACHO_ZONE("storm");
    TACHO_INTEGER("round", round);
    TACHO_TEXT("text", "a text that takes more than one slot");
    {
        TACHO_ZONE_NAMED(round % 2 ? "odd" : "even");
        TACHO_COUNTER("rounds", round);
        tacho_counter_of("made counter", (double)round);
        tacho_text_of("made key", "made text", 9);
        TACHO_MESSAGE("a message of a thread");
    }
}

static void *storm(void *name)
{
    tacho_thread_name(name);
    for (long i = 0; i < zones; i++)
        say_all(i);
    return NULL;
}

static int run_storm(long threads, long rounds)
{
    pthread_t made[THREADS];
    char names[THREADS][32];

    zones = rounds;
    for (long i = 0; i < threads; i++) {
        snprintf(names[i], sizeof names[i], "storm %ld", i);
        pthread_create(&made[i], NULL, storm, names[i]);
    }
    for (long i = 0; i < threads; i++)
        pthread_join(made[i], NULL);
    return 0;
}

/* ---- threads that record while something else happens ---- */

enum { BUSY = 8 };

static uint32_t busy_end; /* atomic: they shall stop */

static void *be_busy(void *number)
{
    uint64_t *made = number;

    for (uint64_t i = 1; !__atomic_load_n(&busy_end, __ATOMIC_ACQUIRE); i++) {
        say_all((long)i);
        __atomic_store_n(made, i, __ATOMIC_RELEASE);
        if (i % 64 == 0)
            usleep(1000); /* what they record is read by a slow decoder */
    }
    return NULL;
}

/* Each has begun: a thread that starts allocates, and the lock that a sanitizer has for that stays locked in a child of a fork in the
 * middle of it. */
static void start_busy(pthread_t threads[BUSY], uint64_t made[BUSY])
{
    for (int i = 0; i < BUSY; i++)
        pthread_create(&threads[i], NULL, be_busy, &made[i]);
    for (int i = 0; i < BUSY; i++)
        while (!__atomic_load_n(&made[i], __ATOMIC_ACQUIRE))
            usleep(100);
}

static void end_busy(pthread_t threads[BUSY])
{
    __atomic_store_n(&busy_end, 1, __ATOMIC_RELEASE);
    for (int i = 0; i < BUSY; i++)
        pthread_join(threads[i], NULL);
}

/* A thread of a program may be cancelled in whatever waits, and there is nothing here that does, but for the file that grows. */
static void *record_much(void *unused)
{
    for (long i = 0;; i++) {
        say_all(i);
        if (i % 20000 == 19999)
            pthread_testcancel();
    }
    return unused;
}

static int run_cancel(long times)
{
    for (long i = 0; i < times; i++) {
        pthread_t thread;

        pthread_create(&thread, NULL, record_much, NULL);
        usleep(500);
        pthread_cancel(thread);
        pthread_join(thread, NULL);
    }
    return 0;
}

/* Half of them end without leave: what they recorded is in their file all the same. */
static void be_child(long number)
{
    pthread_t other;

    pthread_create(&other, NULL, few_zones, "of a child");
    for (long i = 0; i < 100 + number; i++) {
        TACHO_ZONE("child");
    }
    pthread_join(other, NULL);
    printf("%ld child %ld\n", (long)getpid(), 100 + number);
    fflush(stdout);
    if (number % 2)
        _exit(0);
    exit(0);
}

static int run_forks(long children)
{
    pthread_t threads[BUSY];
    uint64_t made[BUSY] = { 0 }, sum = 0;
    int state, failed = 0;

    start_busy(threads, made);
    for (long i = 0; i < children; i++) {
        pid_t child = fork();

        if (child == 0)
            be_child(i);
        failed |= child < 0;
    }
    while (wait(&state) > 0)
        failed |= state != 0;
    end_busy(threads);
    for (int i = 0; i < BUSY; i++)
        sum += made[i];
    printf("%ld storm %llu\n", (long)getpid(), (unsigned long long)sum);
    return failed;
}

static int run_fork(long children)
{
    TACHO_ZONE("parent");
    for (long i = 0; i < children; i++) {
        pid_t child = fork();

        if (child == 0) {
            for (int k = 0; k < 100; k++) {
                TACHO_ZONE("child");
            }
            if (i % 2 == 0 && fork() == 0) {
                TACHO_ZONE("grandchild");
                exit(0);
            }
            while (wait(NULL) > 0)
                continue;
            exit(0);
        }
    }
    while (wait(NULL) > 0)
        continue;
    return 0;
}

/* Asked for anew each time: signals in steady steps would leave a slow machine no time for anything else. */
static void ask_for_alarm(void)
{
    const struct itimerval soon = { .it_value = { 0, 50 } };

    setitimer(ITIMER_REAL, &soon, NULL);
}

static void record_alarm(void)
{
    TACHO_ZONE("handler");
    TACHO_INTEGER("one", 1);
    tacho_message("from a handler", 14);
}

static void on_alarm(int number)
{
    (void)number;
    record_alarm();
    ask_for_alarm();
}

static int run_signals(long count)
{
    struct sigaction action = { .sa_handler = on_alarm, .sa_flags = SA_RESTART };
    const struct itimerval never = { { 0, 0 }, { 0, 0 } };

    sigaction(SIGALRM, &action, NULL);
    ask_for_alarm();
    for (long i = 0; i < count; i++) {
        TACHO_ZONE("interrupted");
        tacho_text_of("text", "a text of some slots, written in one piece", 42);
    }
    setitimer(ITIMER_REAL, &never, NULL);
    return 0;
}

static int run_kinds(void)
{
    uint32_t clock, track;

    tacho_process_name("all kinds");
    tacho_thread_name("main thread");
    {
        TACHO_RUN("inference");
        {
            TACHO_ZONE_COLOR("coloured", 0x112233);
            TACHO_INTEGER("integer", -5);
            TACHO_UNSIGNED("unsigned", UINT64_MAX);
            TACHO_DECIMAL("decimal", 2.5);
            TACHO_TEXT("text", "a text with \"quotes\" and \xc3\xa4");
            tacho_integer_of("made key", 7);
            tacho_text_of("made text", "", 0);
            TACHO_FLOW(42);
        }
        {
            TACHO_ZONE_NAMED("made name");
            TACHO_FLOW(42);
        }
        TACHO_FUNCTION();
        TACHO_BEGIN(open_zone, "begun");
        tacho_zone_name("renamed", 7);
        TACHO_END(open_zone);
        TACHO_SUM(sum, "summed");
        for (int i = 0; i < 10; i++) {
            tacho_sum_begin(&sum);
            tacho_sum_end(&sum);
        }
    }
    TACHO_INSTANT("instant");
    TACHO_MESSAGE("a message");
    for (int i = 0; i < 3; i++) {
        TACHO_COUNTER("counter", 10 * i);
        TACHO_COUNTER_DECIMAL("decimal counter", 0.5 * i);
        tacho_counter_of("made counter", i);
        TACHO_FRAME("frame");
        TACHO_FRAME_BEGIN("own frame");
        TACHO_FRAME_END("own frame");
    }
    TACHO_ASYNC_BEGIN("request", 1);
    TACHO_ASYNC_BEGIN("request", 2);
    TACHO_ASYNC_END("request", 1);
    TACHO_ASYNC_END("request", 2);
    clock = tacho_clock_add("chip 0", 1000000000);
    track = tacho_track_add(clock, "chip 0/core 1");
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    tacho_clock_tie(clock, ns - 500, 1000000, ns + 500);
    tacho_track_slice(track, "kernel", 1000100, 1000300);
    tacho_track_instant(track, "marker", 1000200);
    return 0;
}

static int run_again(long times, const char *path)
{
    for (long i = 0; i < times; i++) {
        char name[4096];
        struct tacho_record_options options = { .path = name };

        snprintf(name, sizeof name, "%s-%ld.tacho", path, i);
        if (tacho_record_start(&options) != 0) {
            fprintf(stderr, "%s\n", tacho_record_error());
            return 1;
        }
        run_nest(2, 100);
        tacho_record_stop();
        run_nest(1, 10); /* not recorded */
    }
    return 0;
}

/* Until one of the threads has made a zone from begin to end, and for a while. */
static void wait_for_zones(const uint64_t *made)
{
    uint64_t before = __atomic_load_n(made, __ATOMIC_ACQUIRE);

    do
        usleep(3000);
    while (__atomic_load_n(made, __ATOMIC_ACQUIRE) < before + 2);
}

static int run_restart(long times, const char *path)
{
    pthread_t threads[BUSY];
    uint64_t made[BUSY] = { 0 };
    int failed = 0;

    start_busy(threads, made);
    for (long i = 0; i < times && !failed; i++) {
        char name[4096];
        struct tacho_record_options options = { .path = name, .ring_mb = i % 3 == 2 ? 4 : 0 };

        snprintf(name, sizeof name, "%s-%ld.tacho", path, i);
        failed = tacho_record_start(&options) != 0;
        wait_for_zones(&made[i % BUSY]);
        tacho_record_stop();
    }
    if (failed)
        fprintf(stderr, "%s\n", tacho_record_error());
    end_busy(threads);
    return failed;
}

static int run_load(const char *path)
{
    for (int i = 0; i < 3; i++) {
        void *library = dlopen(path, RTLD_NOW);
        void (*call)(void);

        if (!library) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        *(void **)&call = dlsym(library, "record_something");
        call();
        dlclose(library);
    }
    return 0;
}

static int run_wait(void)
{
    char line[16];
    int flags = fcntl(0, F_GETFL);

    fcntl(0, F_SETFL, flags | O_NONBLOCK);
    printf("%s %s\n", tacho_record_live_address(), tacho_record_live_token());
    fflush(stdout);
    for (long i = 0; read(0, line, sizeof line) < 0; i++) {
        TACHO_RUN("turn");
        {
            TACHO_ZONE("work");
            usleep(1000);
        }
    }
    return 0;
}

static int run_lines(void)
{
    char line[128];

    printf("%s %s\n", tacho_record_live_address(), tacho_record_live_token());
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        TACHO_ZONE_NAMED(line);
        {
            TACHO_ZONE("inside");
            usleep(1000);
        }
    }
    return 0;
}

static int run_crash(void)
{
    volatile int *nothing = NULL;
    TACHO_ZONE("outer");
    TACHO_ZONE("middle");
    TACHO_ZONE("the one that crashes");

    return *nothing;
}

static int run_hidden(long count)
{
    for (long i = 0; i < count; i++) {
        char name[64];

        snprintf(name, sizeof name, "layer %ld", i % 10);
        TACHO_ZONE_NAMED(name);
        TACHO_INTEGER("bytes", i);
    }
    return 0;
}

static long number(char **arguments, int count, int at)
{
    return at < count ? strtol(arguments[at], NULL, 10) : 0;
}

int main(int count, char **arguments)
{
    const char *name = count > 1 ? arguments[1] : "";
    char line[16];

    if (getenv("ZONES_WAIT") && !fgets(line, sizeof line, stdin))
        return 1;
    if (!strcmp(name, "kill") && count > 3)
        return run_kill(arguments[2], number(arguments, count, 3));
    if (!strcmp(name, "nest"))
        return run_nest(number(arguments, count, 2), number(arguments, count, 3));
    if (!strcmp(name, "churn"))
        return run_churn(number(arguments, count, 2), number(arguments, count, 3));
    if (!strcmp(name, "storm"))
        return run_storm(number(arguments, count, 2), number(arguments, count, 3));
    if (!strcmp(name, "forks"))
        return run_forks(number(arguments, count, 2));
    if (!strcmp(name, "cancel"))
        return run_cancel(number(arguments, count, 2));
    if (!strcmp(name, "restart") && count > 3)
        return run_restart(number(arguments, count, 2), arguments[3]);
    if (!strcmp(name, "fork"))
        return run_fork(number(arguments, count, 2));
    if (!strcmp(name, "exec") && count > 2) {
        TACHO_ZONE("before exec");
        execv(arguments[2], arguments + 2);
        return 127;
    }
    if (!strcmp(name, "signals"))
        return run_signals(number(arguments, count, 2));
    if (!strcmp(name, "kinds"))
        return run_kinds();
    if (!strcmp(name, "again") && count > 3)
        return run_again(number(arguments, count, 2), arguments[3]);
    if (!strcmp(name, "load") && count > 2)
        return run_load(arguments[2]);
    if (!strcmp(name, "wait"))
        return run_wait();
    if (!strcmp(name, "lines"))
        return run_lines();
    if (!strcmp(name, "crash"))
        return run_crash();
    if (!strcmp(name, "hidden"))
        return run_hidden(number(arguments, count, 2));
    fprintf(stderr, "zones: no such case: %s\n", name);
    return 2;
}
