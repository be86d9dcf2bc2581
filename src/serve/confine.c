/* confine.c: Landlock, and a filter of system calls. The numbers are the kernel's: Debian 12's headers know only some of them. */
#include "serve/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/path.h"

/* What finds leaks at the end of a sanitized program traces it from a process of its own, and reads /proc. */
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/* ---- Landlock -------------------------------------------------------------------------------------------------------- */

enum { LANDLOCK_CREATE = 444, LANDLOCK_ADD = 445, LANDLOCK_RESTRICT = 446, LANDLOCK_VERSION = 1, LANDLOCK_BENEATH = 1 };

/* Rights, by the version that brought them. */
#define FS_READ_FILE (1ull << 2)
#define FS_READ_DIR (1ull << 3)
#define FS_WRITE_FILE (1ull << 1)
#define FS_REMOVE_DIR (1ull << 4)
#define FS_REMOVE_FILE (1ull << 5)
#define FS_MAKE_DIR (1ull << 7)
#define FS_MAKE_REG (1ull << 8)
#define FS_VERSION_1 ((1ull << 13) - 1)
#define FS_REFER (1ull << 13)    /* version 2 */
#define FS_TRUNCATE (1ull << 14) /* version 3 */
#define FS_IOCTL (1ull << 15)    /* version 5 */
#define NET_ALL 3ull             /* version 4: bind, connect */
#define SCOPE_ALL 3ull           /* version 6: abstract sockets, signals */

struct landlock_rules {
    uint64_t files;  /* rights that are given only below */
    uint64_t net;    /* the same; kernels that do not know it want 0 */
    uint64_t scoped; /* the same */
};

struct landlock_below {
    uint64_t allowed; /* rights */
    int32_t parent;   /* an open folder */
} __attribute__((packed));

static uint64_t file_rights(int version)
{
    uint64_t rights = FS_VERSION_1;

    rights |= version >= 2 ? FS_REFER : 0;
    rights |= version >= 3 ? FS_TRUNCATE : 0;
    return rights | (version >= 5 ? FS_IOCTL : 0);
}

static status fail_landlock(const char *what)
{
    return status_fail(STATUS_INPUT, "the process cannot be confined: %s: %s", what, strerror(errno));
}

static status allow(int rules, const char *folder, uint64_t rights)
{
    struct landlock_below below = { .allowed = rights, .parent = open(folder, O_PATH | O_CLOEXEC) };
    long failed;

    if (below.parent < 0)
        return fail_landlock(folder);
    failed = syscall(LANDLOCK_ADD, rules, LANDLOCK_BENEATH, &below, 0);
    close(below.parent);
    return failed ? fail_landlock(folder) : STATUS_OK;
}

static status allow_reading(int rules, const char *path)
{
    return allow(rules, path, path_is_folder(path) ? FS_READ_FILE | FS_READ_DIR : FS_READ_FILE);
}

static status start_landlock(const char *const *read, size_t count, const char *write, int version)
{
    const struct landlock_rules wanted = { .files = file_rights(version),
                                           .net = version >= 4 ? NET_ALL : 0,
                                           .scoped = version >= 6 ? SCOPE_ALL : 0 };
    const uint64_t writing =
        FS_READ_FILE | FS_READ_DIR | FS_WRITE_FILE | FS_REMOVE_FILE | FS_REMOVE_DIR | FS_MAKE_REG | FS_MAKE_DIR;
    long rules = syscall(LANDLOCK_CREATE, &wanted, version >= 6 ? sizeof wanted : version >= 4 ? 16u : 8u, 0);
    status code = rules < 0 ? fail_landlock("landlock") : STATUS_OK;

    if (code == STATUS_OK)
        code = allow((int)rules, write, writing | (wanted.files & (FS_REFER | FS_TRUNCATE)));
    for (size_t i = 0; i < count && code == STATUS_OK; i++)
        code = allow_reading((int)rules, read[i]);
    if (code == STATUS_OK && SANITIZED)
        code = allow((int)rules, "/proc", FS_READ_FILE | FS_READ_DIR);
    if (code == STATUS_OK && syscall(LANDLOCK_RESTRICT, (int)rules, 0))
        code = fail_landlock("landlock");
    if (rules >= 0)
        close((int)rules);
    return code;
}

/* ---- System calls ---------------------------------------------------------------------------------------------------- */

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (offset))
#define GIVE(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define DENY_WITH(number, error) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), GIVE(error)
#define DENY(number) DENY_WITH(number, EPERM)

static status start_filter(bool *there)
{
    *there = false;
#ifdef ARCHITECTURE
    static struct sock_filter filter[] = {
        /* Calls by the numbers of another architecture would pass by other names. */
        LOAD(offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        GIVE(EPERM),
        LOAD(offsetof(struct seccomp_data, nr)),
#ifdef __x86_64__
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000u, 0, 1), /* x32 */
        GIVE(EPERM),
        DENY(SYS_fork),
        DENY(SYS_vfork),
#endif
        DENY(SYS_execve),
        DENY(SYS_execveat),
        DENY(SYS_socket),
        DENY(SYS_socketpair),
        /* libcurl 7.88, which Debian 12 has, also connects what somebody else has connected for it, and takes this for an answer: it looks whether the socket is
         * connected then. */
        DENY_WITH(SYS_connect, EINPROGRESS),
        DENY(SYS_bind),
        DENY(SYS_listen),
        DENY(SYS_process_vm_readv),
        DENY(SYS_process_vm_writev),
        DENY(SYS_kill),
        DENY(SYS_mount),
        DENY(SYS_umount2),
        DENY(SYS_pivot_root),
        DENY(SYS_chroot),
        DENY(SYS_unshare),
        DENY(SYS_setns),
        DENY(SYS_bpf),
        DENY(SYS_perf_event_open),
        DENY(SYS_userfaultfd),
        DENY(SYS_add_key),
        DENY(SYS_request_key),
        DENY(SYS_keyctl),
        DENY(SYS_init_module),
        DENY(SYS_finit_module),
        DENY(SYS_delete_module),
        DENY(SYS_kexec_load),
        DENY(SYS_open_by_handle_at),
        DENY(425), /* io_uring_setup: what it does passes no filter */
        DENY(438), /* pidfd_getfd */
#if !SANITIZED
        DENY(SYS_ptrace),
        /* What clone3 is asked lies where a filter cannot look: without it the C library takes clone, of which threads may pass. */
        DENY_WITH(435, ENOSYS),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4),
        LOAD(offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
        GIVE(EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
#endif
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { .len = sizeof filter / sizeof *filter, .filter = filter };

    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0)
        *there = true;
    else if (errno != EINVAL && errno != ENOSYS)
        return status_fail(STATUS_INPUT, "the process cannot be confined: seccomp: %s", strerror(errno));
#endif
    return STATUS_OK;
}

status confine(const char *const *read, size_t count, const char *write, struct confined *confined)
{
    long version = syscall(LANDLOCK_CREATE, NULL, 0, LANDLOCK_VERSION);
    status code = STATUS_OK;

    *confined = (struct confined){ .landlock = version > 0 ? (int)version : 0 };
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        return fail_landlock("no new privileges");
    if (confined->landlock)
        code = start_landlock(read, count, write, confined->landlock);
    if (code == STATUS_OK)
        code = start_filter(&confined->calls);
    return code;
}
