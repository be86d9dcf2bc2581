/* coverage.c: linked into every program and library whose lines are counted, so that all counters are written, also where a program
 * leaves without exit() or may no longer write files. Each program and library has counters of its own, hence all of this too.
 * COUNTERS is the folder that they lie in. */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

void __gcov_dump(void);
void __gcov_reset(void);
_Noreturn void _exit(int code) __attribute__((visibility("default")));
long __real_syscall(long number, long a, long b, long c, long d, long e, long f);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f);
int __real_raise(int number);
int __wrap_raise(int number);

enum {
    SECONDS = 10,
    ENOUGH = 1 << 16, /* bytes for the counters of one file of source */
    LANDLOCK_ADD = 445,
    LANDLOCK_RESTRICT = 446,
    LANDLOCK_BENEATH = 1,
    WRITING = 1 << 1 | 1 << 2 | 1 << 8, /* write files, read them, make them */
    TRUNCATING = 1 << 14
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

/* A server that confines itself may write there as well. Kernels of before version 3 do not know the right to make a file shorter. */
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f)
{
    static const unsigned long long rights[] = { WRITING | TRUNCATING, WRITING };

    for (unsigned i = 0; number == LANDLOCK_RESTRICT && i < sizeof rights / sizeof *rights; i++) {
        struct __attribute__((packed)) {
            unsigned long long allowed;
            int folder;
        } below = { rights[i], open(COUNTERS, O_PATH | O_CLOEXEC) };
        long failed = __real_syscall(LANDLOCK_ADD, a, LANDLOCK_BENEATH, (long)&below, 0, 0, 0);

        close(below.folder);
        if (!failed)
            break;
    }
    return __real_syscall(number, a, b, c, d, e, f);
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
