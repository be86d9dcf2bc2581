/* test_op_profiler.c: the op profiler: rows of its logs byte by byte, what is recorded, threads, processes, and what becomes of them when a
 * process is killed or a folder cannot be written.
 *
 * Each case is a program of its own, in a child: call counts are those of a process. The clock goes on by 100 ns whenever it is asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "place.h"
#include "tacho/ops.h"
#include "tenstorrent/ops_folder.h"

#define CALLS_HEADER "Name, Start timer count [ns], Stop timer count [ns], Delta timer count [ns]\n"
#define HEADER                                                                                                     \
    "Name, Start timer count [ns], Stop timer count [ns], Delta timer count [ns], Global Call Count, Call Count, " \
    "Stack Size, Inputs, Outputs, Math Fidelity, Parallelization Strategy, Preferred Name, Meta Data, Type"

/* ---- the clock ------------------------------------------------------------------------------------------------------ */

static uint64_t ticks;

int __real_clock_gettime(clockid_t id, struct timespec *time);
int __wrap_clock_gettime(clockid_t id, struct timespec *time);

int __wrap_clock_gettime(clockid_t id, struct timespec *time)
{
    uint64_t now;

    if (id != CLOCK_MONOTONIC)
        return __real_clock_gettime(id, time);
    now = __atomic_add_fetch(&ticks, 100, __ATOMIC_RELAXED);
    *time = (struct timespec){ .tv_sec = (time_t)(now / 1000000000), .tv_nsec = (long)(now % 1000000000) };
    return 0;
}

/* ---- a recorder that writes down what it is told, on one thread ----------------------------------------------------- */

enum { MOST_EVENTS = 256 };

struct event {
    uint64_t *slot; /* that a zone was put into; NULL: an argument */
    char text[200]; /* of an argument */
};

static _Alignas(TACHO_RECORDER_CHUNK) uint64_t chunk[TACHO_RECORDER_CHUNK / 8];
static struct event events[MOST_EVENTS];
static unsigned event_count;
static const struct tacho_site *sites[MOST_EVENTS];
static uint32_t site_count;

struct tacho_recorder tacho_recorder;
__thread struct tacho_recorder_thread tacho_recorder_thread __attribute__((tls_model("initial-exec")));

uint32_t tacho_recorder_site(struct tacho_site *site)
{
    sites[++site_count] = site;
    return site->id = site_count;
}

uint64_t *tacho_recorder_slots(uint32_t session, size_t bytes)
{
    uint64_t *slot = &chunk[8 + 2 * event_count];

    (void)session;
    (void)bytes;
    events[event_count++].slot = slot;
    return slot;
}

uint64_t tacho_recorder_clock(void)
{
    return 0;
}

void tacho_text(struct tacho_site *key, const char *text, size_t length)
{
    snprintf(events[event_count++].text, sizeof events->text, "  %s=%.*s", key->name, (int)length, text);
}

void tacho_unsigned(struct tacho_site *key, uint64_t value)
{
    snprintf(events[event_count++].text, sizeof events->text, "  %s=%" PRIu64, key->name, value);
}

static void write_events(const char *name)
{
    FILE *file = fopen(file_at(name), "w");

    for (unsigned i = 0; file && i < event_count; i++) {
        const struct event *event = &events[i];
        const struct tacho_site *site = event->slot ? sites[(uint32_t)event->slot[1]] : NULL;

        if (!site)
            fprintf(file, "%s\n", event->text);
        else if (event->slot[1] >> 56 == TACHO_RECORDER_BEGIN)
            fprintf(file, "%s {%s\n", site->name, site->flags == TACHO_SITE_OP ? " op" : " call");
        else
            fprintf(file, "} %s\n", site->name);
    }
    if (file)
        fclose(file);
}

/* ---- programs ------------------------------------------------------------------------------------------------------- */

/* Runs `program` in a process of its own, in the place; what `waitpid` gave. */
static int run(void (*program)(void))
{
    int ended;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        if (chdir(place) != 0)
            _exit(99);
        program();
        _exit(tacho_op_errors() > 200 ? 200 : (int)tacho_op_errors());
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    return ended;
}

/* The same for one that has `errors` and no other trouble. */
static void run_well(void (*program)(void), int errors)
{
    int ended = run(program);

    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), errors);
}

static const char *content(const char *name)
{
    static char text[1 << 16];
    FILE *file = fopen(file_at(name), "r");
    size_t length;

    if (!file)
        return "(no file)";
    length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    fclose(file);
    return text;
}

static bool is_there(const char *name)
{
    return access(file_at(name), F_OK) == 0;
}

static void locate(const char *name)
{
    tacho_op_location(file_at(name));
}

/* ---- rows ----------------------------------------------------------------------------------------------------------- */

static const struct tacho_op_tensor in_dram = { .rank = 4,
                                                .shape = { 1, 1, 128, 1024 },
                                                .layout = "TILE",
                                                .datatype = "BFLOAT16",
                                                .buffer = "DRAM",
                                                .memory_layout = "INTERLEAVED" };
static const struct tacho_op_tensor in_l1 = {
    .rank = 2, .shape = { 32, 64 }, .layout = "ROW_MAJOR", .datatype = "FLOAT32", .device = 3, .buffer = "L1"
};
static const struct tacho_op_tensor on_host = { .rank = 1, .shape = { 7 } };

static void run_one_op(void)
{
    locate("one");
    tacho_op_start("Matmul", TACHO_OP_DEVICE);
    tacho_op_input(&in_dram);
    tacho_op_input(NULL);
    tacho_op_input(&in_l1);
    tacho_op_output(&on_host);
    tacho_op_math_fidelity("HiFi4");
    tacho_op_parallelization_strategy("MULTI_CORE");
    tacho_op_preferred_name("tt::tt_metal::Big");
    tacho_op_meta_data("a-b, c");
    tacho_op_meta_data("second\nline");
    tacho_op_call_begin("CompileProgram");
    tacho_op_call_end("CompileProgram");
    tacho_op_call_begin("LaunchProgram");
    tacho_op_call_end("LaunchProgram");
    tacho_op_stop("Matmul");
}

static void test_a_row_has_all_that_was_told(void **state)
{
    (void)state;
    run_well(run_one_op, 0);
    assert_string_equal(content("one/Matmul/profile_log_host.csv"), HEADER
                        "\nMatmul, 100, 600, 500, 1, 1, 1, "
                        "1_1_128_1024|TILE|BFLOAT16|DEV_0_DRAM_INTERLEAVED--1_1_32_64|ROW_MAJOR|FLOAT32|dev_3_l1, "
                        "1_1_1_7|||host, HiFi4, MULTI_CORE, tt::tt_metal::Big, a_b; c-second line, tt_dnn_device\n");
    assert_string_equal(content("one/Matmul/1/profile_log_host.csv"),
                        CALLS_HEADER "CompileProgram, 200, 300, 100\nLaunchProgram, 400, 500, 100\n");
}

static void run_nested(void)
{
    locate("nested");
    tacho_op_start("Layer", TACHO_OP_CPU);
    tacho_op_start("Linear", TACHO_OP_DEVICE);
    tacho_op_stop("Linear");
    tacho_op_start("Linear", TACHO_OP_DEVICE);
    tacho_op_call_begin("Outer");
    tacho_op_call_begin("Inner");
    tacho_op_call_end("Inner");
    tacho_op_call_end("Outer");
    tacho_op_stop("Linear");
    tacho_op_meta_data("of the layer");
    tacho_op_stop("Layer");
    tacho_op_start("a, b/c", NULL);
    tacho_op_stop("a, b/c");
}

static void test_nested_ops_have_their_depth_and_their_calls(void **state)
{
    (void)state;
    run_well(run_nested, 0);
    assert_string_equal(content("nested/Layer/profile_log_host.csv"),
                        HEADER "\nLayer, 100, 1000, 900, 1, 1, 1, , , , , , of the layer, tt_dnn_cpu\n");
    assert_string_equal(content("nested/Linear/profile_log_host.csv"),
                        HEADER "\nLinear, 200, 300, 100, 2, 1, 2, , , , , , , tt_dnn_device\n"
                               "Linear, 400, 900, 500, 3, 2, 2, , , , , , , tt_dnn_device\n");
    assert_string_equal(content("nested/Linear/1/profile_log_host.csv"), CALLS_HEADER);
    assert_string_equal(content("nested/Linear/2/profile_log_host.csv"),
                        CALLS_HEADER "Inner, 600, 700, 100\nOuter, 500, 800, 300\n");
    assert_false(is_there("nested/Layer/1"));
    assert_string_equal(content("nested/a; b_c/profile_log_host.csv"),
                        HEADER "\na; b/c, 1100, 1200, 100, 4, 1, 1, , , , , , , unknown\n");
}

static void run_names(void)
{
    char long_name[400];

    memset(long_name, 'x', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    locate("names");
    for (unsigned i = 0; i < 5; i++) {
        const char *const names[] = { "..", "", "x/y", "x_y", long_name };

        tacho_op_start(names[i], "my own type");
        tacho_op_stop(names[i]);
    }
    long_name[398] = 'y';
    tacho_op_start(long_name, TACHO_OP_CUSTOM_ZONE);
    tacho_op_stop(long_name);
}

/* Whatever its name is, an op has a folder of its own, in the folder of logs. */
static void test_any_name_has_its_own_folder(void **state)
{
    struct ops_folder folder;
    char name[300] = "names/";

    (void)state;
    run_well(run_names, 0);
    assert_true(is_there("names/_./profile_log_host.csv") && is_there("names/_/profile_log_host.csv"));
    assert_true(is_there("names/x_y/profile_log_host.csv") && is_there("names/x_y_2/profile_log_host.csv"));
    memset(name + 6, 'x', 200);
    strcpy(name + 206, "_2/profile_log_host.csv");
    assert_true(is_there(name));
    assert_int_equal(ops_folder_read(file_at("names"), &folder), STATUS_OK);
    assert_int_equal(folder.calls.count, 6);
    assert_string_equal(folder.calls.rows[0].name, "..");
    assert_string_equal(folder.calls.rows[2].name, "x/y");
    assert_string_equal(folder.calls.rows[3].name, "x_y");
    assert_string_equal(folder.calls.rows[3].type, "my own type");
    assert_int_equal(strlen(folder.calls.rows[5].name), 399);
    ops_folder_free(&folder);
}

static void run_details(void)
{
    locate("details");
    tacho_op_start("Conv", TACHO_OP_DEVICE);
    tacho_op_detail(TACHO_OP_COMPUTE_KERNEL_PATHS, "a.cpp, b.cpp");
    tacho_op_detail(TACHO_OP_PM_REQ_O_BW, "12");
    tacho_op_stop("Conv");
    tacho_op_start("Conv", TACHO_OP_CPU);
    tacho_op_stop("Conv");
    tacho_op_start("Add", TACHO_OP_CPU);
    tacho_op_stop("Add");
    tacho_op_start("Add", TACHO_OP_CPU);
    tacho_op_detail(TACHO_OP_PM_IDEAL_NS, "5");
    tacho_op_stop("Add");
}

static void test_kernels_and_model_are_the_later_columns(void **state)
{
    struct ops_folder folder;

    (void)state;
    run_well(run_details, 1);
    assert_string_equal(
        content("details/Conv/profile_log_host.csv"), HEADER
        ", Compute Kernel Paths, Compute Kernel Hashes, Data Movement Kernel Paths, Data Movement Kernel Hashes, "
        "PM Ideal ns, PM Compute ns, PM Bandwidth ns, PM Req I BW, PM Req O BW\n"
        "Conv, 100, 200, 100, 1, 1, 1, , , , , , , tt_dnn_device, a.cpp; b.cpp, , , , , , , , 12\n"
        "Conv, 300, 400, 100, 2, 2, 1, , , , , , , tt_dnn_cpu, , , , , , , , , \n");
    assert_int_equal(ops_folder_read(file_at("details"), &folder), STATUS_OK);
    assert_int_equal(folder.losses[OPS_LOSS_HOST_FIELDS].count + folder.losses[OPS_LOSS_HOST_MORE].count, 0);
    assert_string_equal(folder.calls.rows[0].later[LATER_COMPUTE_PATHS], "a.cpp; b.cpp");
    assert_string_equal(folder.calls.rows[0].later[LATER_MODEL_OUTPUT], "12");
    assert_string_equal(folder.calls.rows[1].later[LATER_MODEL_OUTPUT], "");
    ops_folder_free(&folder);
}

/* ---- mistakes ------------------------------------------------------------------------------------------------------- */

static void run_mistakes(void)
{
    locate("mistakes");
    tacho_op_meta_data("of none");
    tacho_op_stop("Never");
    tacho_op_call_end("Never");
    tacho_op_start("Outer", TACHO_OP_CPU);
    tacho_op_start("Forgotten", TACHO_OP_CPU);
    tacho_op_call_begin("Endless");
    tacho_op_stop("Outer");
    tacho_op_start(NULL, NULL);
    tacho_op_stop(NULL);
    tacho_op_call_begin(NULL);
    tacho_op_call_end(NULL);
    tacho_op_detail((enum tacho_op_detail_kind)77, "x");
    if (strcmp(tacho_op_error(), "a call ends that did not begin in this op: no function") != 0)
        _exit(99);
    tacho_op_call_begin("Alone");
    tacho_op_call_end("Alone");
}

static void test_mistakes_are_counted_and_the_rest_is_kept(void **state)
{
    (void)state;
    run_well(run_mistakes, 9);
    assert_non_null(strstr(content("mistakes/Outer/profile_log_host.csv"), ", 1, 1, 1, "));
    assert_non_null(strstr(content("mistakes/Forgotten/profile_log_host.csv"), ", 2, 1, 2, "));
    assert_non_null(strstr(content("mistakes/unknown_op/1/profile_log_host.csv"), CALLS_HEADER "Alone, "));
}

static void run_without_permission(void)
{
    locate("closed/logs");
    tacho_op_start("A", TACHO_OP_CPU);
    tacho_op_stop("A");
    if (!strstr(tacho_op_error(), "cannot use the folder") || *tacho_op_folder())
        _exit(99);
}

/* As somebody whom permissions bind. */
static void run_read_only(void)
{
    if (geteuid() == 0 && seteuid(65534) != 0)
        _exit(99);
    locate("readonly");
    tacho_op_start("A", TACHO_OP_CPU);
    tacho_op_stop("A");
    if (!strstr(tacho_op_error(), "cannot write A/profile_log_host.csv: Permission denied"))
        _exit(99);
    tacho_op_start("A", TACHO_OP_CPU);
    tacho_op_stop("A");
    locate("readonly/inside");
    if (!strstr(tacho_op_error(), "cannot use the folder") || !strstr(tacho_op_error(), "Permission denied"))
        _exit(99);
}

static void run_blocked(void)
{
    locate("blocked");
    tacho_op_start("A", TACHO_OP_CPU);
    tacho_op_call_begin("F");
    tacho_op_call_end("F");
    tacho_op_stop("A");
    tacho_op_start("B", TACHO_OP_CPU);
    tacho_op_stop("B");
    if (!strstr(tacho_op_error(), "cannot write A/profile_log_host.csv: Not a directory"))
        _exit(99);
}

static void test_what_cannot_be_written_is_counted(void **state)
{
    (void)state;
    write_file("closed", "a file, no folder");
    run_well(run_without_permission, 1);
    chmod(place, 0711);
    mkdir(file_at("readonly"), 0555);
    run_well(run_read_only, 4); /* and the location could not be noted */
    mkdir(file_at("blocked"), 0777);
    write_file("blocked/A", "a file where a folder should be");
    run_well(run_blocked, 2);
    assert_true(is_there("blocked/B/profile_log_host.csv"));
}

static void run_nowhere(void)
{
    tacho_op_location("");
    tacho_op_start("A", TACHO_OP_DEVICE);
    if (*tacho_op_folder() || *tacho_op_call_folder())
        _exit(99);
    tacho_op_call_begin("F");
    tacho_op_call_end("F");
    tacho_op_stop("A");
    tacho_op_call_begin("F");
    tacho_op_call_end("F");
}

static void test_nothing_is_logged_where_nothing_is_wanted(void **state)
{
    (void)state;
    run_well(run_nowhere, 0);
}

/* ---- threads and processes ------------------------------------------------------------------------------------------ */

enum { THREADS = 8, ROUNDS = 50 };

static void *work(void *data)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        tacho_op_start("Shared", TACHO_OP_CPU);
        tacho_op_meta_data(data);
        tacho_op_start("Inner", TACHO_OP_CPU);
        tacho_op_meta_data(data);
        tacho_op_call_begin("F");
        tacho_op_call_end("F");
        tacho_op_stop("Inner");
        tacho_op_stop("Shared");
    }
    return NULL;
}

static void run_threads(void)
{
    static const char *const names[THREADS] = { "t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7" };
    pthread_t threads[THREADS];

    locate("threads");
    for (unsigned i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)(uintptr_t)names[i]);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void test_threads_do_not_mix(void **state)
{
    struct ops_folder folder;
    unsigned deep = 0, of_first = 0;

    (void)state;
    run_well(run_threads, 0);
    assert_int_equal(ops_folder_read(file_at("threads"), &folder), STATUS_OK);
    assert_int_equal(folder.calls.count, 2 * THREADS * ROUNDS);
    assert_int_equal(folder.function_rows, THREADS * ROUNDS);
    for (unsigned i = 0; i < OPS_LOSS_COUNT; i++)
        assert_int_equal(folder.losses[i].count, 0);
    for (size_t i = 0; i < folder.calls.count; i++) {
        assert_int_equal(folder.calls.rows[i].order, i + 1);
        assert_int_equal(folder.calls.rows[i].depth, strcmp(folder.calls.rows[i].name, "Inner") == 0 ? 2 : 1);
        deep += folder.calls.rows[i].depth == 2;
        of_first += strcmp(folder.calls.rows[i].attributes, "t0") == 0;
    }
    assert_int_equal(deep, THREADS * ROUNDS);
    assert_int_equal(of_first, 2 * ROUNDS);
    ops_folder_free(&folder);
}

static void run_thread_that_ends(void)
{
    pthread_t thread;

    locate("ends");
    pthread_create(&thread, NULL, work, "t");
    pthread_join(thread, NULL);
}

static void *start_only(void *data)
{
    (void)data;
    tacho_op_start("Open", TACHO_OP_CPU);
    return NULL;
}

static void run_thread_that_forgets(void)
{
    pthread_t thread;

    locate("forgets");
    pthread_create(&thread, NULL, start_only, NULL);
    pthread_join(thread, NULL);
}

static void test_a_thread_that_ends_leaves_nothing_open(void **state)
{
    (void)state;
    run_well(run_thread_that_ends, 0);
    run_well(run_thread_that_forgets, 1);
}

static void run_killed(void)
{
    locate("killed");
    for (unsigned i = 0; i < 100; i++) {
        tacho_op_start("Op", TACHO_OP_DEVICE);
        tacho_op_input(&in_dram);
        tacho_op_call_begin("F");
        tacho_op_call_end("F");
        if (i == 57)
            kill(getpid(), SIGKILL);
        tacho_op_stop("Op");
    }
}

static void test_a_kill_loses_only_the_open_op(void **state)
{
    struct ops_folder folder;
    int ended = run(run_killed);

    (void)state;
    assert_true(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGKILL);
    assert_int_equal(ops_folder_read(file_at("killed"), &folder), STATUS_OK);
    assert_int_equal(folder.calls.count, 57);
    assert_int_equal(folder.function_rows, 57);
    for (unsigned i = 0; i < OPS_LOSS_COUNT; i++)
        assert_true(i == OPS_LOSS_NO_LOG || folder.losses[i].count == 0);
    ops_folder_free(&folder);
}

static void run_two_ops(void)
{
    locate("again");
    tacho_op_start("A", TACHO_OP_DEVICE);
    tacho_op_stop("A");
    tacho_op_start("B", TACHO_OP_CPU);
    tacho_op_stop("B");
}

static void run_other_op(void)
{
    locate("again");
    tacho_op_start("A", TACHO_OP_CPU);
    tacho_op_stop("A");
    locate("elsewhere");
    tacho_op_start("A", TACHO_OP_CPU);
    tacho_op_stop("A");
    locate("again"); /* its own logs stay */
    tacho_op_start("A", TACHO_OP_CPU);
    tacho_op_stop("A");
}

static void test_a_folder_has_the_logs_of_one_session(void **state)
{
    (void)state;
    run_well(run_two_ops, 0);
    write_file("again/B/notes.txt", "of the user");
    write_file("again/A/1/profile_log_device.csv", "of the device");
    run_well(run_other_op, 0);
    assert_string_equal(content("again/A/profile_log_host.csv"),
                        HEADER "\nA, 100, 200, 100, 1, 1, 1, , , , , , , tt_dnn_cpu\n"
                               "A, 500, 600, 100, 3, 3, 1, , , , , , , tt_dnn_cpu\n");
    assert_string_equal(content("elsewhere/A/profile_log_host.csv"),
                        HEADER "\nA, 300, 400, 100, 2, 2, 1, , , , , , , tt_dnn_cpu\n");
    assert_false(is_there("again/A/1"));
    assert_false(is_there("again/B/profile_log_host.csv"));
    assert_true(is_there("again/B/notes.txt"));
}

static void run_beside_another(void)
{
    int ended;
    pid_t child;

    locate("both");
    tacho_op_start("A", TACHO_OP_CPU);
    tacho_op_stop("A");
    child = fork();
    if (child == 0) {
        execl("/proc/self/exe", "test", "another", place, NULL);
        _exit(98);
    }
    waitpid(child, &ended, 0);
    if (!WIFEXITED(ended) || WEXITSTATUS(ended))
        _exit(99);
    tacho_op_start("A", TACHO_OP_CPU);
    tacho_op_stop("A");
}

static int run_another(const char *folder)
{
    strcpy(place, folder);
    locate("both");
    tacho_op_start("A", TACHO_OP_PYTHON_FALLBACK);
    tacho_op_stop("A");
    return (int)tacho_op_errors();
}

static void test_processes_share_a_folder_while_both_run(void **state)
{
    (void)state;
    run_well(run_beside_another, 0);
    assert_string_equal(content("both/A/profile_log_host.csv"),
                        HEADER "\nA, 100, 200, 100, 1, 1, 1, , , , , , , tt_dnn_cpu\n"
                               "A, 100, 200, 100, 1, 1, 1, , , , , , , python_fallback\n"
                               "A, 300, 400, 100, 2, 2, 1, , , , , , , tt_dnn_cpu\n");
}

static void run_in_child_of_fork(void)
{
    int ended;
    pid_t child;

    locate("forked");
    tacho_op_start("A", TACHO_OP_CPU);
    child = fork();
    if (child == 0) {
        tacho_op_start("B", TACHO_OP_CPU);
        tacho_op_stop("B");
        _exit((int)tacho_op_errors());
    }
    waitpid(child, &ended, 0);
    tacho_op_stop("A");
    if (ended)
        _exit(99);
}

static void test_a_child_goes_on(void **state)
{
    (void)state;
    run_well(run_in_child_of_fork, 0);
    assert_non_null(strstr(content("forked/B/profile_log_host.csv"), ", 2, 1, 2, "));
    assert_non_null(strstr(content("forked/A/profile_log_host.csv"), ", 1, 1, 1, "));
}

/* ---- where ---------------------------------------------------------------------------------------------------------- */

static void run_default(void)
{
    tacho_op_start("A", TACHO_OP_DEVICE);
    if (chdir("/") != 0)
        _exit(99);
    tacho_op_stop("A");
}

static void run_default_below_home(void)
{
    setenv("TT_METAL_HOME", file_at("home"), 1);
    run_default();
}

static void run_with_device(void)
{
    setenv("TT_METAL_DEVICE_PROFILER", "1", 1);
    tacho_op_start("A", TACHO_OP_DEVICE);
    if (strcmp(tacho_op_folder(), file_at("tt_metal/tools/profiler/logs/ops_device")) != 0 ||
        strcmp(tacho_op_call_folder(), file_at("tt_metal/tools/profiler/logs/ops_device/A/1")) != 0)
        _exit(99);
    tacho_op_stop("A");
    tacho_op_location("chosen/ ");
    tacho_op_start("A", TACHO_OP_DEVICE);
    tacho_op_stop("A");
}

static void run_chosen(void)
{
    if (tacho_op_location("chosen/ ") != 0 || tacho_op_location("more/chosen//") != 0)
        _exit(99);
    tacho_op_start("A", TACHO_OP_DEVICE);
    tacho_op_stop("A");
}

static void test_the_folder_is_the_documented_one_or_the_chosen_one(void **state)
{
    char expected[600];

    (void)state;
    remove_folder("tt_metal");
    run_well(run_default, 0);
    assert_true(is_there("tt_metal/tools/profiler/logs/ops/A/profile_log_host.csv"));
    assert_false(is_there("tt_metal/tools/profiler/logs/.locations.log"));
    run_well(run_default_below_home, 0);
    assert_true(is_there("home/tt_metal/tools/profiler/logs/ops/A/profile_log_host.csv"));
    run_well(run_with_device, 0);
    assert_true(is_there("tt_metal/tools/profiler/logs/ops_device/A/profile_log_host.csv"));
    assert_true(is_there("chosen_device/A/profile_log_host.csv"));
    assert_false(is_there("tt_metal/tools/profiler/logs/.locations.log"));
    write_file("tt_metal/tools/profiler/logs/.locations.log", "of a process before\n");
    run_well(run_chosen, 0);
    assert_true(is_there("more/chosen/A/profile_log_host.csv"));
    snprintf(expected, sizeof expected, "%s/chosen\n%s/more/chosen\n", place, place);
    assert_string_equal(content("tt_metal/tools/profiler/logs/.locations.log"), expected);
}

/* ---- the recording -------------------------------------------------------------------------------------------------- */

static void run_recorded(void)
{
    tacho_recorder.session = 1;
    locate("recorded");
    tacho_op_start("Outer", TACHO_OP_CPU);
    tacho_op_start("Matmul", TACHO_OP_DEVICE);
    tacho_op_input(&in_dram);
    tacho_op_math_fidelity("LoFi");
    tacho_op_detail(TACHO_OP_PM_IDEAL_NS, "7");
    tacho_op_call_begin("LaunchProgram");
    tacho_op_call_end("LaunchProgram");
    tacho_op_stop("Matmul");
    tacho_op_meta_data("m");
    tacho_op_stop("Outer");
    tacho_op_call_begin("LaunchProgram");
    tacho_op_call_end("LaunchProgram");
    write_events("events.txt");
}

static void test_the_same_is_recorded(void **state)
{
    (void)state;
    run_well(run_recorded, 0);
    assert_string_equal(content("events.txt"),
                        "Outer { op\n  op.type=tt_dnn_cpu\n  op.global_call=1\n  op.call=1\n  op.depth=1\n"
                        "Matmul { op\n  op.type=tt_dnn_device\n  op.global_call=2\n  op.call=1\n  op.depth=2\n"
                        "LaunchProgram { call\n  op.caller=2\n} LaunchProgram\n"
                        "  op.inputs=1_1_128_1024|TILE|BFLOAT16|DEV_0_DRAM_INTERLEAVED\n  op.math_fidelity=LoFi\n"
                        "  op.detail.pm_ideal_ns=7\n} Matmul\n"
                        "  op.meta_data=m\n} Outer\n"
                        "LaunchProgram { call\n  op.caller=0\n} LaunchProgram\n");
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_row_has_all_that_was_told),
        cmocka_unit_test(test_nested_ops_have_their_depth_and_their_calls),
        cmocka_unit_test(test_any_name_has_its_own_folder),
        cmocka_unit_test(test_kernels_and_model_are_the_later_columns),
        cmocka_unit_test(test_mistakes_are_counted_and_the_rest_is_kept),
        cmocka_unit_test(test_what_cannot_be_written_is_counted),
        cmocka_unit_test(test_nothing_is_logged_where_nothing_is_wanted),
        cmocka_unit_test(test_threads_do_not_mix),
        cmocka_unit_test(test_a_thread_that_ends_leaves_nothing_open),
        cmocka_unit_test(test_a_kill_loses_only_the_open_op),
        cmocka_unit_test(test_a_folder_has_the_logs_of_one_session),
        cmocka_unit_test(test_processes_share_a_folder_while_both_run),
        cmocka_unit_test(test_a_child_goes_on),
        cmocka_unit_test(test_the_folder_is_the_documented_one_or_the_chosen_one),
        cmocka_unit_test(test_the_same_is_recorded),
    };

    if (count == 3 && strcmp(arguments[1], "another") == 0)
        return run_another(arguments[2]);
    unsetenv("TT_METAL_HOME");
    unsetenv("TT_METAL_DEVICE_PROFILER");
    return cmocka_run_group_tests(tests, make_place, remove_place);
}
