/* coverage.c: linked into every program and library whose lines are counted, so that all counters are written, also where a program
 * leaves without exit() or may no longer write files. Each program and library has counters of its own, hence all of this too. */
#include <dlfcn.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

void __gcov_dump(void);
void __gcov_reset(void);
_Noreturn void _exit(int code) __attribute__((visibility("default")));
int __real_raise(int number);

struct confined { /* as in src/serve/confine.h */
    int landlock;
    bool calls;
};

__attribute__((weak)) int __real_confine(const char *const *read, size_t count, const char *write,
                                         struct confined *confined);
int __wrap_confine(const char *const *read, size_t count, const char *write, struct confined *confined);
int __wrap_raise(int number);

enum {
    SECONDS = 10,
    ENOUGH = 1 << 16 /* bytes for the counters of one file of source */
};

/* A test may have limited the size of files, and half of the counters, written over those of before, would be wrong ones: where the
 * limit stays, what was there is written once more. The compiler's own function that writes them comes after this. */
__attribute__((destructor)) static void lift_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < ENOUGH) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_FSIZE, &limit);
        if (limit.rlim_max < ENOUGH) {
            signal(SIGXFSZ, SIG_IGN);
            __gcov_reset();
        }
    }
}

/* The next one is that of a library, or of the system. */
void _exit(int code)
{
    void (*next)(int) = (void (*)(int))(uintptr_t)dlsym(RTLD_NEXT, "_exit");

    lift_limit();
    __gcov_dump();
    for (;;)
        next(code);
}

/* What a handler of signals interrupted may hold what writing needs: a process beside this one writes, and may get stuck. */
int __wrap_raise(int number)
{
    pid_t child = _Fork();

    if (child == 0) {
        alarm(SECONDS);
        _exit(0);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
    return __real_raise(number);
}

/* A server that is confined could not write its counters. Programs that test the confinement itself are confined. */
int __wrap_confine(const char *const *read, size_t count, const char *write, struct confined *confined)
{
    if (!getenv("TACHO_UNCONFINED"))
        return __real_confine(read, count, write, confined);
    *confined = (struct confined){ 1, true };
    return 0;
}
