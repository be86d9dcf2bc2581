/* Folders of ops logs: numbers of device logs, names and tensors of rows, archives, and what becomes of broken files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "library/number_set.h"
#include "library/ops_device.h"
#include "library/ops_output.h"
#include "library/tar.h"

static char place[] = "/tmp/tacho-ops-XXXXXX";

static const char *file_at(const char *name)
{
    static char path[512];

    snprintf(path, sizeof path, "%s/%s", place, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    struct output *output;

    assert_int_equal(output_open(file_at(name), &output), STATUS_OK);
    output_write(output, text, strlen(text));
    assert_int_equal(output_commit(output), STATUS_OK);
}

static struct ops_device_log read_device(const char *text, int64_t chip)
{
    struct ops_device_log log;

    write_file("device.csv", text);
    assert_int_equal(ops_device_read(file_at("device.csv"), chip, &log), STATUS_OK);
    assert_int_equal(log.rows, log.used + log.elsewhere + log.lost);
    return log;
}

/* ---- device logs --------------------------------------------------------------------------------------------------- */

#define HEAD "ARCH: grayskull, CHIP_FREQ[MHz]: 1200\nPCIe slot, core_x, core_y, RISC processor type, timer_id, time\n"

static void test_spans_go_from_the_first_start_to_the_last_end(void **state)
{
    struct ops_device_log log = read_device(HEAD "0, 1, 0, BRISC, 3, 9000\n"
                                                 "0, 0, 0, BRISC, 2, 3000\n0, 1, 0, BRISC, 2, 3600\n0, 0, 0, BRISC, 3, 4200\n"
                                                 "0, 0, 0, NCRISC, 1, 1200\n0, 0, 0, NCRISC, 4, 12000\n0, 0, 0, NCRISC, 7, 600\n",
                                            OPS_ANY_CHIP);

    (void)state;
    assert_true(log.device.known);
    assert_int_equal(log.device.cores, 2);
    assert_int_equal(log.device.first_cycle, 600);
    assert_int_equal(log.device.last_cycle, 12000);
    assert_int_equal(log.device.duration_ns[OPS_FIRMWARE], 9000);
    assert_int_equal(log.device.duration_ns[OPS_KERNEL], 5000);
    assert_int_equal(log.device.duration_ns[OPS_BRISC], 5000);
    assert_false(log.device.has[OPS_NCRISC]);
    assert_false(log.later);
}

static void test_halves_go_to_the_even_neighbour(void **state)
{
    /* 3 cycles of 1200 MHz are 2.5 ns, 9 are 7.5 ns. */
    (void)state;
    assert_int_equal(read_device(HEAD "0,0,0,BRISC,2,10\n0,0,0,BRISC,3,13\n", OPS_ANY_CHIP).device.duration_ns[OPS_BRISC], 2);
    assert_int_equal(read_device(HEAD "0,0,0,BRISC,2,10\n0,0,0,BRISC,3,19\n", OPS_ANY_CHIP).device.duration_ns[OPS_BRISC], 8);
}

static void test_an_end_before_its_start_is_no_duration(void **state)
{
    (void)state;
    assert_false(read_device(HEAD "0,0,0,BRISC,2,10\n0,0,0,BRISC,3,9\n", OPS_ANY_CHIP).device.has[OPS_BRISC]);
}

static void test_sums_are_averaged_and_are_no_times(void **state)
{
    struct ops_device_log log = read_device(HEAD "0,0,0,TRISC_0,3000,1200\n0,1,0,TRISC_0,3000,3600\n0,0,0,BRISC,1,900000\n"
                                                 "0,0,0,TRISC_2,3001,2400\n0,0,0,TRISC_1,3000,77\n",
                                            OPS_ANY_CHIP);

    (void)state;
    assert_true(log.later);
    assert_int_equal(log.device.duration_ns[OPS_WAIT_FRONT], 2000);
    assert_int_equal(log.device.duration_ns[OPS_RESERVE_BACK], 2000);
    assert_int_equal(log.device.first_cycle, 900000);
}

static void test_chips_are_kept_apart(void **state)
{
    static const char text[] = HEAD "3,0,0,BRISC,2,1200\n3,0,0,BRISC,3,2400\n1,0,0,BRISC,2,10\n1,0,0,BRISC,3,130\n"
                                    "1,5,5,BRISC,4,140\n";
    struct ops_device_log one = read_device(text, 1);
    struct ops_device_log first = read_device(text, OPS_ANY_CHIP);
    struct ops_device_log missing = read_device(text, 7);

    (void)state;
    assert_int_equal(one.chip, 1);
    assert_int_equal(one.device.duration_ns[OPS_BRISC], 100);
    assert_int_equal(one.device.cores, 2);
    assert_int_equal(one.elsewhere, 2);
    assert_false(one.other_chip);
    assert_int_equal(first.chip, 3);
    assert_int_equal(first.device.duration_ns[OPS_BRISC], 1000);
    assert_int_equal(missing.chip, 3);
    assert_true(missing.other_chip);
}

static void test_clocks(void **state)
{
    static const char rows[] = "0, 0, 0, BRISC, 2, 0\n0, 0, 0, BRISC, 3, 12020\n";
    char text[512];
    struct ops_device_log log = read_device(rows, OPS_ANY_CHIP);

    (void)state;
    assert_true(log.no_clock);
    assert_int_equal(log.lost, 0);
    assert_int_equal(log.device.duration_ns[OPS_BRISC], 10000);
    snprintf(text, sizeof text, "Chip clock is at 1.2 GHz\nPCIe slot, core_x, core_y, RISC processor type, timer_id\n%s", rows);
    log = read_device(text, OPS_ANY_CHIP);
    assert_false(log.no_clock);
    assert_int_equal(log.device.duration_ns[OPS_BRISC], 10017);
    snprintf(text, sizeof text, "ARCH: grayskull, CHIP_FREQ[MHz]: 0\n%s", rows);
    assert_true(read_device(text, OPS_ANY_CHIP).no_clock);
}

static void test_bad_rows_are_counted(void **state)
{
    struct ops_device_log log = read_device(HEAD "0,0,0,BRISC,2,100000\nrubbish\n0,0,0,BRISC,x,5\n0,0,0,BRISC,3,-5\n"
                                                 "0,0,0,BRISC,3\n0,0,0,BRISC,3,99999999999999999999\n0,0,0,BRISC,3,100012,0\n"
                                                 "\n0,99999,0,BRISC,3,5\n"
                                                 "0,0,0,BRISC,3,100120\n0,0,0,NCRISC,3,1001",
                                            OPS_ANY_CHIP);

    (void)state;
    assert_int_equal(log.rows, 10);
    assert_int_equal(log.used, 2);
    assert_int_equal(log.lost, 8);
    assert_int_equal(log.lost_line, 4);
    assert_int_equal(log.device.first_cycle, 100000);
    assert_int_equal(log.device.duration_ns[OPS_BRISC], 100);
}

static void test_logs_without_markers(void **state)
{
    struct ops_device_log log;

    (void)state;
    assert_false(read_device("", OPS_ANY_CHIP).device.known);
    assert_false(read_device(HEAD, 2).device.known);
    assert_int_equal(ops_device_read(file_at("not there"), 0, &log), STATUS_INPUT);
}

/* ---- rows ---------------------------------------------------------------------------------------------------------- */

static void test_tensors_are_counted_by_their_place(void **state)
{
    char many[4096];

    (void)state;
    assert_int_equal(ops_tensor_count(NULL), 0);
    assert_int_equal(ops_tensor_count(""), 0);
    assert_int_equal(ops_tensor_count("a"), 1);
    assert_int_equal(ops_tensor_count("a-b-"), 2);
    assert_int_equal(ops_tensor_count("a--c"), 3);
    assert_int_equal(ops_tensor_count("---"), 0);
    for (size_t i = 0; i < sizeof many - 2; i += 2)
        memcpy(many + i, "a-", 3);
    assert_int_equal(ops_tensor_count(many), OPS_MOST_TENSORS);
}

static const char *printed(struct ops_row row)
{
    static char text[8192];
    struct ops_report report = { .rows = &row, .count = 1 };
    struct output *output;
    const char *found;
    size_t length;

    assert_int_equal(output_open_memory(&output), STATUS_OK);
    assert_int_equal(ops_report_write(&report, output), STATUS_OK);
    found = output_memory(output, &length);
    assert_true(length < sizeof text);
    memcpy(text, found, length + 1);
    output_abandon(output);
    return strstr(text, "\r\n") + 2;
}

static void test_cells(void **state)
{
    (void)state;
    assert_string_equal(printed((struct ops_row){ .name = "a\"b", .type = "x,y", .depth = 2, .attributes = "" }),
                        "\"  a\"\"b\",\"x,y\",-,,-,-,-,-,-,-,-,-,-,-,-,-,-,-,-,-\r\n");
    assert_string_equal(printed((struct ops_row){ .name = "n", .inputs = "8_9|T-|L||M-1_2_3_4_5|A|B|C|D" }),
                        "n,-,-,-,-,-,-,-,-,-,-,-,-,-,-,-,-,-,-,1,1,8,9,T,-,-,-,-,-,-,L,-,M,1_2,3,4,5,A,B,C|D,-\r\n");
}

static void test_number_sets(void **state)
{
    struct number_set set = { 0 };
    bool added;

    (void)state;
    assert_false(number_set_has(&set, 0));
    for (uint64_t i = 0; i < 1000; i++) {
        assert_int_equal(number_set_add(&set, i * i * 4096, &added), STATUS_OK);
        assert_true(added);
    }
    assert_int_equal(number_set_add(&set, 0, &added), STATUS_OK);
    assert_false(added);
    assert_int_equal(number_set_add(&set, NUMBER_SET_LARGEST, &added), STATUS_OK);
    assert_true(added && number_set_has(&set, NUMBER_SET_LARGEST) && !number_set_has(&set, 5));
    assert_int_equal(set.count, 1001);
    number_set_clear(&set);
    assert_false(number_set_has(&set, 4096));
    number_set_free(&set);
}

/* ---- archives ------------------------------------------------------------------------------------------------------ */

static void test_archives_are_read_by_tar(void **state)
{
    char name[400], shown[512], command[1200];
    struct tar *tar;

    (void)state;
    memset(name, 'n', sizeof name);
    memcpy(name, "in/", 3);
    name[230] = '\0';
    name[120] = '/';
    write_file("in/empty", "");
    write_file(name, "split");
    memset(name, 'm', sizeof name);
    memcpy(name, "in/", 3);
    name[200] = '\0';
    write_file(name, "pax");
    assert_int_equal(symlink("nowhere", file_at("in/link")), 0);
    assert_int_equal(tar_open(file_at("a.tgz"), &tar), STATUS_OK);
    assert_int_equal(tar_add_folder(tar, file_at("in"), "in"), STATUS_OK);
    assert_int_equal(tar_add_folder(tar, file_at("nothing"), "in"), STATUS_INPUT);
    assert_int_equal(tar_add_file(tar, file_at("nothing"), "x"), STATUS_INPUT);
    assert_int_equal(tar_left_out(tar), 1);
    assert_int_equal(tar_commit(tar), STATUS_OK);
    assert_int_equal(unlink(file_at("in/link")), 0);
    snprintf(shown, sizeof shown, "%s", place);
    snprintf(command, sizeof command, "cd %s && mkdir out && tar xzf a.tgz -C out && diff -r in out/in", shown);
    assert_int_equal(system(command), 0);
    tar_abandon(NULL);
}

/* ---- faults -------------------------------------------------------------------------------------------------------- */

static const char *data_folder(void)
{
    static char path[1024];
    const char *data = getenv("TACHO_TEST_DATA");

    snprintf(path, sizeof path, "%s/tt-ops-folder/logs/ops", data ? data : "tests/data");
    return path;
}

static status read_and_write(void)
{
    char output[512];
    struct ops_output_options options = { .folder = output };
    struct ops_written written;
    struct ops_folder folder;
    status code = ops_folder_read(data_folder(), &folder);

    snprintf(output, sizeof output, "%s", file_at("written"));
    if (code == STATUS_OK)
        code = ops_write(&folder, &options, &written);
    ops_folder_free(&folder);
    return code;
}

static void test_every_allocation_may_fail(void **state)
{
    uint64_t before = memory_count();
    uint64_t needed;

    (void)state;
    assert_int_equal(read_and_write(), STATUS_OK);
    needed = memory_count() - before;
    for (uint64_t i = 1; i <= needed; i++) {
        status code;

        memory_fail_at(i);
        code = read_and_write();
        memory_fail_at(0);
        assert_int_equal(code, STATUS_MEMORY);
    }
}

static int make_place(void **state)
{
    (void)state;
    return mkdtemp(place) ? 0 : -1;
}

static int remove_place(void **state)
{
    char command[64];

    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", place);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spans_go_from_the_first_start_to_the_last_end),
        cmocka_unit_test(test_halves_go_to_the_even_neighbour),
        cmocka_unit_test(test_an_end_before_its_start_is_no_duration),
        cmocka_unit_test(test_sums_are_averaged_and_are_no_times),
        cmocka_unit_test(test_chips_are_kept_apart),
        cmocka_unit_test(test_clocks),
        cmocka_unit_test(test_bad_rows_are_counted),
        cmocka_unit_test(test_logs_without_markers),
        cmocka_unit_test(test_tensors_are_counted_by_their_place),
        cmocka_unit_test(test_cells),
        cmocka_unit_test(test_number_sets),
        cmocka_unit_test(test_archives_are_read_by_tar),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, make_place, remove_place);
}
