/* runner.c: a stand-in for ExecuTorch's executor_runner: the same options, the same lines, an ETDump; no model.
 *
 * Times depend only on the program's name (a runner whose name contains "off" is slower), the threads, and the dump's name, so
 * that launches differ and every repetition is the same. A runner whose name contains "log" or "trace" prints what XNNPACK prints
 * when it is built with XNN_LOG_LEVEL=5; where RUNNER_LOGCAT names a file, those lines go there in the form of Android's log.
 *
 *     --model_path P --num_executions N --cpu_threads T --etdump_path P    as the original; others are accepted and not used
 *     --test_exit N       print everything, write the dump, then end with this status
 *     --test_crash when   "start": crash before the dump is there, "end": after it, "half": with half of it there
 *     --test_hang 1       never end, with a child that never ends either
 *     --test_no_dump 1    write no dump
 *     --test_nan 1        the model's output has NaN
 *     --test_slow F       all times by this factor
 */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "etdump_writer.h"

struct settings {
    const char *program;
    const char *model;
    const char *dump;
    unsigned executions;
    unsigned threads;
    int exit_status;
    const char *crash;
    bool hang, no_dump, nan;
    double slow;
    bool off, trace;
};

/* ---- Options ---- */

static void set(struct settings *settings, const char *name, const char *value)
{
    if (strcmp(name, "model_path") == 0)
        settings->model = value;
    else if (strcmp(name, "etdump_path") == 0)
        settings->dump = value;
    else if (strcmp(name, "num_executions") == 0)
        settings->executions = (unsigned)strtoul(value, NULL, 10);
    else if (strcmp(name, "cpu_threads") == 0)
        settings->threads = (unsigned)strtoul(value, NULL, 10);
    else if (strcmp(name, "test_exit") == 0)
        settings->exit_status = (int)strtol(value, NULL, 10);
    else if (strcmp(name, "test_crash") == 0)
        settings->crash = value;
    else if (strcmp(name, "test_hang") == 0)
        settings->hang = true;
    else if (strcmp(name, "test_no_dump") == 0)
        settings->no_dump = true;
    else if (strcmp(name, "test_nan") == 0)
        settings->nan = true;
    else if (strcmp(name, "test_slow") == 0)
        settings->slow = strtod(value, NULL);
}

/* --name value and --name=value. */
static void parse(struct settings *settings, int count, char **words)
{
    const char *slash = strrchr(words[0], '/');
    const char *base = slash ? slash + 1 : words[0];

    *settings = (struct settings){ .program = words[0],
                                   .model = "model.pte",
                                   .dump = "model.etdump",
                                   .executions = 1,
                                   .threads = 1,
                                   .crash = "",
                                   .slow = 1 };
    settings->off = strstr(base, "off");
    settings->trace = strstr(base, "log") || strstr(base, "trace");
    for (int i = 1; i < count; i++) {
        char name[64];
        const char *equals = strchr(words[i], '=');

        if (strncmp(words[i], "--", 2) != 0)
            continue;
        snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - words[i] - 2) : 62, words[i] + 2);
        if (equals)
            set(settings, name, equals + 1);
        else if (i + 1 < count)
            set(settings, name, words[++i]);
    }
    if (settings->threads == 0)
        settings->threads = 1;
}

/* ---- Times ---- */

struct operator_plan {
    char name[48]; /* of a delegated one; of a portable one: native_call_... */
    int32_t instruction;
    bool delegated;
    unsigned on_us, off_us; /* one thread */
};

static const struct operator_plan plan[] = {
    { "Convolution (NHWC, F32) IGEMM #1", 0, true, 1400, 4200 },
    { "Clamp (ND) #1", 0, true, 90, 92 },
    { "Transpose (ND, X32) Transpose #1", 0, true, 700, 705 },
    { "Fully Connected (NC, F32) GEMM #1", 0, true, 900, 3100 },
    { "native_call_cumsum.out", 1, false, 420, 421 },
    { "Fully Connected (NC, F32) GEMM #1", 2, true, 500, 1700 },
    { "Softmax (NC, F32) #1", 2, true, 60, 61 },
};
enum { OPERATORS = sizeof plan / sizeof *plan, INSTRUCTIONS = 3, OVERHEAD_NS = 1500 };

static uint64_t seed_of(const struct settings *settings)
{
    const char *slash = strrchr(settings->dump, '/');
    uint64_t seed = 1469598103934665603u;

    for (const char *at = slash ? slash + 1 : settings->dump; *at; at++)
        seed = (seed ^ (unsigned char)*at) * 1099511628211u;
    return seed ^ settings->threads;
}

/* 0 to 1, the same on every machine. */
static double chance(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 40) / (double)(1 << 24);
}

/* XNNPACK reports whole microseconds. */
static uint64_t duration_us(const struct settings *settings, const struct operator_plan *one, double launch, double run)
{
    double us = settings->off ? one->off_us : one->on_us;

    if (one->delegated)
        us /= settings->threads;
    return (uint64_t)(us * settings->slow * launch * run + 1);
}

/* ---- The dump ---- */

static void add(struct etdump_writer *writer, const char *name, int32_t chain, int32_t instruction, uint64_t start,
                uint64_t end)
{
    struct etdump_profile event = {
        .name = name, .chain = chain, .instruction = instruction, .start = start, .end = end
    };

    etdump_add_profile(writer, &event);
}

static void add_delegated(struct etdump_writer *writer, const char *name, int32_t instruction, uint64_t start,
                          uint64_t end)
{
    struct etdump_profile event = { .delegated = true,
                                    .delegate_text = name,
                                    .delegate_number = -1,
                                    .metadata = "",
                                    .instruction = instruction,
                                    .start = start,
                                    .end = end };

    etdump_add_profile(writer, &event);
}

/* One inference from `*now` on, in the order in which the runtime logs: an event when it ends. */
static double add_inference(struct etdump_writer *writer, const struct settings *settings, uint64_t *now, double launch,
                            uint64_t *random, bool first)
{
    uint64_t start = *now;
    unsigned next = 0;

    etdump_begin_block(writer, "Execute", -1);
    *now += OVERHEAD_NS;
    for (int32_t instruction = 0; instruction < INSTRUCTIONS; instruction++) {
        uint64_t call = *now;
        bool delegated = plan[next].delegated;

        *now += OVERHEAD_NS;
        for (; next < OPERATORS && plan[next].instruction == instruction; next++) {
            double run = (first ? 1.7 : 1) * (0.99 + 0.02 * chance(random));
            uint64_t end = *now + duration_us(settings, &plan[next], launch, run) * 1000;

            if (delegated)
                add_delegated(writer, plan[next].name, instruction, *now, end);
            else
                add(writer, plan[next].name, 0, instruction, *now, end);
            *now = end;
        }
        *now += OVERHEAD_NS;
        add(writer, delegated ? "DELEGATE_CALL" : "OPERATOR_CALL", 0, instruction, call, *now);
    }
    *now += OVERHEAD_NS;
    add(writer, "Method::execute", -1, 0, start, *now);
    return (double)(*now - start) / 1e6;
}

static void print_time(uint64_t now, const char *place)
{
    printf("I 00:00:%02u.%06u executorch:%s] ", (unsigned)(now / 1000000000u % 60), (unsigned)(now / 1000u % 1000000u),
           place);
}

static void run_all(struct etdump_writer *writer, const struct settings *settings)
{
    uint64_t random = seed_of(settings), now = 16355000;
    double launch = 0.985 + 0.03 * chance(&random), total = 0;

    etdump_begin_block(writer, "Default", -1);
    add(writer, "Method::init", -1, 0, 720000, 16200000);
    add(writer, "Program::load_method", -1, 0, 700000, 16300000);
    for (unsigned i = 0; i < settings->executions; i++) {
        double ms = add_inference(writer, settings, &now, launch, &random, i == 0);

        print_time(now, "executor_runner.cpp:779");
        printf("Iteration %u of %u: %.6f ms\n", i + 1, settings->executions, ms);
        total += ms;
        now += 50000;
    }
    print_time(now, "executor_runner.cpp:785");
    printf("Model executed successfully %u time(s) in %.6f ms.\n", settings->executions, total);
    printf("OutputX 0: tensor(sizes=[1, 4], [\n  0.0112, -0.0191, %s, 0.0276, \n])\n",
           settings->nan ? "-nan" : "0.5021");
}

static bool write_dump(const struct settings *settings, struct etdump_writer *writer)
{
    const void *data;
    size_t size;
    FILE *file;
    bool good;

    if (settings->no_dump)
        return true;
    if (!etdump_finish(writer, &data, &size))
        return false;
    file = fopen(settings->dump, "wb");
    if (!file)
        return false;
    if (strcmp(settings->crash, "half") == 0)
        size /= 2;
    good = fwrite(data, 1, size, file) == size;
    return fclose(file) == 0 && good;
}

/* ---- What XNNPACK prints ---- */

static void xnnpack(FILE *to, bool logcat, const char *level, const char *text)
{
    if (logcat)
        fprintf(to, "01-02 03:04:05.678  1234  1234 %c XNNPACK : %s\n", *level == 'D' ? 'D' : 'I', text);
    else
        fprintf(to, "%s (XNNPACK): %s\n", level, text);
}

static void register_kernel(FILE *to, bool logcat, const char *category, const char *kernel, const char *init)
{
    char text[512];

    snprintf(text, sizeof text, "Using %s microkernel '%s'. (%s, src/configs/gemm-config.c:100)", category, kernel,
             init);
    xnnpack(to, logcat, "Note", text);
}

/* The name of an operator without its number. */
static int name_length(const struct operator_plan *one)
{
    return (int)strcspn(one->name, "#") - 1;
}

static void print_reshape(FILE *to, const struct settings *settings, bool logcat, const struct operator_plan *one,
                          unsigned place)
{
    char text[512];
    int length = name_length(one);

    /* The name without its variant: it ends with its bracket. */
    snprintf(text, sizeof text, "reshaping operator %u (%.*s) (xnn_reshape_runtime, src/runtime.c:887)", place,
             (int)strcspn(one->name, ")") + 1, one->name);
    xnnpack(to, logcat, "Debug", text);
    if (length < 4 || strncmp(one->name + length - 4, "GEMM", 4) != 0)
        return;
    snprintf(text, sizeof text,
             "Tile size for GEMM with num_groups=1, m=%u, n=128 and mr=%u, nr=%u set to [%u, 128] (5 tiles) "
             "(xnn_gemm_best_tile_size, src/microkernel-utils.c:148)",
             one->on_us, settings->off ? 6 : 32, settings->off ? 8 : 32, settings->off ? 6 : 32);
    xnnpack(to, logcat, "Debug", text);
}

/* Delegate by delegate: first all operators get their shapes, then they run. */
static void print_execution(FILE *to, const struct settings *settings, bool logcat)
{
    for (int32_t instruction = 0; instruction < INSTRUCTIONS; instruction++) {
        for (int running = 0; running < 2; running++) {
            unsigned place = 0;

            for (unsigned i = 0; i < OPERATORS; i++) {
                char text[512];

                if (plan[i].instruction != instruction || !plan[i].delegated)
                    continue;
                snprintf(text, sizeof text,
                         "running operator %u:0 (%.*s) (xnn_run_operator_with_index, src/operator-run.c:2001)", place,
                         name_length(&plan[i]), plan[i].name);
                if (running)
                    xnnpack(to, logcat, "Debug", text);
                else
                    print_reshape(to, settings, logcat, &plan[i], place);
                place++;
            }
        }
    }
}

static void print_trace(const struct settings *settings)
{
    const char *path = getenv("RUNNER_LOGCAT");
    FILE *to = path ? fopen(path, "a") : stderr;

    if (!to)
        return;
    fflush(stdout);
    register_kernel(to, path, "transposec", "xnn_x32_transposec_ukernel__4x4_aarch64_neon_tbl128",
                    "init_transpose_config");
    if (!settings->off) {
        register_kernel(to, path, "gemm", "xnn_f32_gemm_minmax_ukernel_1x32__neonsme2", "init_f32_gemm_config");
        register_kernel(to, path, "gemm", "xnn_f32_gemm_minmax_ukernel_32x32__neonsme2", "init_f32_gemm_config");
        register_kernel(to, path, "igemm", "xnn_f32_igemm_minmax_ukernel_32x32__neonsme2", "init_f32_igemm_config");
    } else {
        register_kernel(to, path, "gemm", "xnn_f32_gemm_minmax_ukernel_1x8__asm_aarch64_neonfma_cortex_a75",
                        "init_f32_gemm_config");
        register_kernel(to, path, "gemm", "xnn_f32_gemm_minmax_ukernel_6x8__asm_aarch64_neonfma_cortex_a75",
                        "init_f32_gemm_config");
        register_kernel(to, path, "igemm", "xnn_f32_igemm_minmax_ukernel_6x8__asm_aarch64_neonfma_cortex_a75",
                        "init_f32_igemm_config");
    }
    print_execution(to, settings, path);
    if (path)
        fclose(to);
}

static void hang(void)
{
    fflush(stdout);
    if (fork() == 0)
        for (;;)
            pause();
    for (;;)
        pause();
}

static void crash(void)
{
    fflush(stdout);
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
}

int main(int count, char **words)
{
    struct settings settings;
    struct etdump_writer writer;
    FILE *model;

    parse(&settings, count, words);
    print_time(496000, "executor_runner.cpp:340");
    printf("Resetting threadpool with num threads = %u\n", settings.threads);
    model = fopen(settings.model, "rb");
    if (!model) {
        print_time(600000, "executor_runner.cpp:470");
        printf("The model file %s cannot be loaded.\n", settings.model);
        return 1;
    }
    fclose(model);
    print_time(698000, "executor_runner.cpp:476");
    printf("Model file %s is loaded.\n", settings.model);
    if (settings.hang)
        hang();
    if (strcmp(settings.crash, "start") == 0)
        crash();
    if (settings.trace)
        print_trace(&settings);
    print_time(16355000, "executor_runner.cpp:624");
    printf("Model loaded in 15.671902 ms.\n");
    etdump_start(&writer);
    run_all(&writer, &settings);
    if (!write_dump(&settings, &writer)) {
        etdump_free(&writer);
        return 1;
    }
    etdump_free(&writer);
    if (*settings.crash)
        crash();
    print_time(1, "executor_runner.cpp:261");
    printf("ETDump written to file '%s'.\n", settings.dump);
    return settings.exit_status;
}
