/* qemu.c: the five processors as harts of a RISC-V machine that QEMU emulates. Its memory is read through QMP, QEMU's own protocol: a
 * line of JSON for each command and each answer, over a socket. With -icount each instruction takes a nanosecond of the machine's
 * clock: cycles are instructions, and every run has the same durations.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "back_end.h"

enum { LINE = 4096 };

static struct {
    pid_t process;   /* of QEMU; 0: none */
    int socket;      /* to it */
    char folder[64]; /* for files between both; empty: none */
    char line[LINE]; /* what came from it and was not used yet */
    size_t length;   /* of that */
    double deadline; /* seconds */
} machine;

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* ---- QMP ---- */

/* One line, until the deadline. */
static bool next_line(char line[LINE])
{
    for (;;) {
        char *end = memchr(machine.line, '\n', machine.length);
        struct pollfd wanted = { machine.socket, POLLIN, 0 };
        double left = machine.deadline - seconds();
        ssize_t count;

        if (end) {
            size_t length = (size_t)(end + 1 - machine.line);

            memcpy(line, machine.line, length);
            line[length - 1] = 0;
            machine.length -= length;
            memmove(machine.line, machine.line + length, machine.length);
            return true;
        }
        if (machine.length == LINE || left <= 0)
            return false;
        if (poll(&wanted, 1, (int)(left * 1000) + 1) <= 0)
            continue;
        count = recv(machine.socket, machine.line + machine.length, LINE - machine.length, 0);
        if (count <= 0)
            return false;
        machine.length += (size_t)count;
    }
}

/* Sends a command and waits for its answer; events come in between. */
static bool command(const char *text)
{
    char line[LINE];

    if (send(machine.socket, text, strlen(text), MSG_NOSIGNAL) != (ssize_t)strlen(text))
        return false;
    while (next_line(line)) {
        if (strstr(line, "\"error\""))
            return false;
        if (strstr(line, "\"return\""))
            return true;
    }
    return false;
}

static int read_memory(uint64_t address, size_t size, void *bytes)
{
    char text[512], path[128];
    size_t count = 0;
    FILE *file;

    snprintf(path, sizeof path, "%s/memory", machine.folder);
    snprintf(text, sizeof text,
             "{\"execute\":\"pmemsave\",\"arguments\":{\"val\":%llu,\"size\":%zu,\"filename\":\"%s\"}}\n",
             (unsigned long long)address, size, path);
    if (!command(text))
        return -1;
    file = fopen(path, "rb");
    if (file) {
        count = fread(bytes, 1, size, file);
        fclose(file);
    }
    return count == size ? 0 : -1;
}

/* ---- QEMU ---- */

/* Kernels lie beside this program. */
static void find_kernels(char path[PATH], const char *name)
{
    ssize_t length = readlink("/proc/self/exe", path, PATH - 64);
    char *slash;

    path[length < 0 ? 0 : length] = 0;
    slash = strrchr(path, '/');
    strcpy(slash ? slash + 1 : path, name);
}

static void find_names(char path[PATH])
{
    find_kernels(path, "kernels_marked.elf");
}

static void become_machine(int socket, const char *kernels)
{
    const char *program = getenv("QEMU") ? getenv("QEMU") : "qemu-system-riscv32";
    char channel[64], loader[PATH + 64];

    snprintf(channel, sizeof channel, "socket,id=qmp,fd=%d", socket);
    snprintf(loader, sizeof loader, "loader,file=%s/core,addr=0x%x,force-raw=on", machine.folder, CORE_ADDRESS);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* not to outlive this program */
    execlp(program, program, "-machine", "virt", "-smp", "5", "-m", "16", "-bios", "none", "-icount", "shift=0",
           "-kernel", kernels, "-device", loader, "-display", "none", "-serial", "none", "-monitor", "none", "-chardev",
           channel, "-mon", "chardev=qmp,mode=control", (char *)NULL);
    _exit(127);
}

static bool start_machine(const char *kernels)
{
    int sockets[2];

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0)
        return false;
    machine.socket = sockets[0];
    machine.process = fork();
    if (machine.process == 0) {
        close(sockets[0]);
        become_machine(sockets[1], kernels);
    }
    close(sockets[1]);
    return machine.process > 0;
}

static bool write_core(const struct core_memory *core)
{
    char path[128];
    FILE *file;
    bool done;

    snprintf(machine.folder, sizeof machine.folder, "/tmp/tacho-device-XXXXXX");
    if (!mkdtemp(machine.folder)) {
        machine.folder[0] = 0;
        return false;
    }
    snprintf(path, sizeof path, "%s/core", machine.folder);
    file = fopen(path, "wb");
    if (!file)
        return false;
    done = fwrite(core, sizeof *core, 1, file) == 1;
    return fclose(file) == 0 && done;
}

/* Until all processors say that they have ended. */
static bool wait_for_end(void)
{
    while (seconds() < machine.deadline) {
        uint32_t done[PROCESSORS], count = 0;
        struct timespec moment = { 0, 10000000 };

        if (read_memory(CORE_ADDRESS + offsetof(struct core_memory, done), sizeof done, done) != 0)
            return false;
        for (unsigned i = 0; i < PROCESSORS; i++)
            count += done[i];
        if (count == PROCESSORS)
            return true;
        nanosleep(&moment, NULL);
    }
    return false;
}

static int launch(const struct core_memory *core, bool marked, char *message)
{
    char kernels[PATH], greeting[LINE];

    machine.deadline = seconds() + SECONDS;
    machine.length = 0;
    find_kernels(kernels, marked ? "kernels_marked.elf" : "kernels_printing.elf");
    if (access(kernels, R_OK) != 0) {
        snprintf(message, MESSAGE, "%.300s is missing: make kernels builds it", kernels);
        return -1;
    }
    if (!write_core(core) || !start_machine(kernels)) {
        snprintf(message, MESSAGE, "QEMU could not be started: %s", strerror(errno));
        return -1;
    }
    if (!next_line(greeting) || !command("{\"execute\":\"qmp_capabilities\"}\n")) {
        snprintf(message, MESSAGE, "QEMU does not answer; is qemu-system-riscv32 installed?");
        return -1;
    }
    if (!wait_for_end()) {
        snprintf(message, MESSAGE, "the processors did not end within %d seconds", SECONDS);
        return -1;
    }
    return 0;
}

static void remove_file(const char *name)
{
    char path[128];

    snprintf(path, sizeof path, "%s/%s", machine.folder, name);
    unlink(path);
}

/* Asks QEMU to end, and ends it where it does not within a second. */
static void stop(void)
{
    if (machine.process > 0) {
        struct timespec moment = { 0, 10000000 };
        pid_t ended = 0;

        machine.deadline = seconds() + 1;
        command("{\"execute\":\"quit\"}\n");
        while (!ended && seconds() < machine.deadline) {
            ended = waitpid(machine.process, NULL, WNOHANG);
            if (!ended)
                nanosleep(&moment, NULL);
        }
        if (!ended) {
            kill(machine.process, SIGKILL);
            waitpid(machine.process, NULL, 0);
        }
        close(machine.socket);
    }
    machine.process = 0;
    if (machine.folder[0]) {
        remove_file("core");
        remove_file("memory");
        rmdir(machine.folder);
    }
    machine.folder[0] = 0;
}

const struct back_end qemu_back_end = { "qemu", "qemu_virt", true, 1000, find_names, launch, read_memory, stop };
