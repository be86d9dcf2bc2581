/* clock.c: how long a tick is, and how long the system kept a thread waiting.
 *
 * A call takes longer where other programs use the CPU meanwhile, and that says nothing of the function. The system knows what CPU time a thread had: where
 * nothing was heard of it for a while, it is asked. What is missing to the time that passed, the thread waited for a CPU, unless it gave it up
 * by itself (slept, read, waited for a lock) since it was last asked: then nobody can tell, and the time is the function's.
 */
#include "record.h"

#include <sys/resource.h>
#include <time.h>

enum {
    SILENCE = 500000, /* ns without an event after which the system is asked, which takes some microseconds */
    LEAST = 20000     /* ns of waiting that are told */
};

static double rate;      /* ticks of the recorder's clock in a nanosecond; 0: not measured yet */
static uint64_t silence; /* SILENCE in ticks */

static uint64_t nanoseconds(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* One moment on both clocks: the narrowest of some tries, since the system may do something else in between. */
static void read_both(uint64_t *ns, uint64_t *ticks)
{
    uint64_t narrowest = UINT64_MAX;

    for (int i = 0; i < 16; i++) {
        uint64_t before = nanoseconds(CLOCK_MONOTONIC), read = tacho_recorder_time(),
                 width = nanoseconds(CLOCK_MONOTONIC) - before;

        if (width < narrowest) {
            narrowest = width;
            *ns = before + width / 2;
            *ticks = read;
        }
    }
}

void clock_start(void)
{
    const struct timespec pause = { 0, 2000000 };
    uint64_t ns[2] = { 0 }, ticks[2] = { 0 };

    if (rate > 0)
        return;
    read_both(&ns[0], &ticks[0]);
    nanosleep(&pause, NULL);
    read_both(&ns[1], &ticks[1]);
    rate = tacho_recorder.counter && ns[1] > ns[0] ? (double)(ticks[1] - ticks[0]) / (double)(ns[1] - ns[0]) : 1;
    silence = (uint64_t)(SILENCE * rate);
}

uint64_t clock_ticks(uint64_t ns)
{
    return (uint64_t)((double)ns * rate);
}

/* How often this thread gave the CPU up by itself. */
static long given_up(void)
{
    struct rusage usage = { 0 };

    (void)getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw;
}

uint64_t clock_waited(struct clock_thread *thread, uint64_t now)
{
    uint64_t quiet = now - thread->heard, waited = 0;
    struct clock_thread before = *thread;

    if (quiet < silence || !silence)
        return 0;
    thread->asked = now;
    thread->cpu = clock_ticks(nanoseconds(CLOCK_THREAD_CPUTIME_ID));
    thread->given_up = given_up();
    if (before.asked && before.given_up == thread->given_up && now - before.asked > thread->cpu - before.cpu)
        waited = now - before.asked - (thread->cpu - before.cpu);
    return waited < clock_ticks(LEAST) ? 0 : waited < quiet ? waited : quiet;
}
