/* test_tt_ops_csv.c: ops reports of Tenstorrent devices: columns in any order, every generation, quoting, losses, and what the sink is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "recorder.h"
#include "tenstorrent/chain.h"
#include "tenstorrent/op_report.h"

struct reading {
    struct strings *strings;
    struct source source;
    struct op_report report;
    status code;
};

static void read_text(struct reading *reading, const char *text, bool strict)
{
    struct input *input;

    *reading = (struct reading){ .strings = model_strings() };
    assert_non_null(reading->strings);
    op_report_start(&reading->report, reading->strings);
    assert_int_equal(input_open_memory("ops.csv", text, strlen(text), &input), STATUS_OK);
    reading->source = (struct source){ .input = input, .path = "ops.csv", .strict = strict };
    reading->code = tenstorrent_calls(&tt_ops_csv_reader)->ops(&reading->source, &reading->report);
    input_close(input);
    if (reading->code == STATUS_OK)
        assert_int_equal(reading->report.losses.rows, reading->report.losses.used + reading->report.losses.lost);
}

static void done(struct reading *reading)
{
    op_report_free(&reading->report);
    strings_free(reading->strings);
    status_clear();
}

static const char *text_at(const struct reading *reading, string_id id)
{
    return strings_text(reading->strings, id);
}

static const char *const header =
    "OP CODE,OP TYPE,GLOBAL CALL COUNT,DEVICE ID,HOST START TS,HOST END TS,DEVICE KERNEL DURATION [ns]\n";

static void test_columns_are_found_in_any_order(void **state)
{
    struct reading reading;
    const struct op_row *row;

    (void)state;
    read_text(&reading,
              "HOST START TS,X,DEVICE KERNEL DURATION [ns],OP TYPE,CORE COUNT,INPUT_1_Y,OP "
              "CODE,INPUT_0_MEMORY,INPUT_0_DATATYPE,"
              "INPUT_0_W,INPUT_0_Z,INPUT_0_Y,INPUT_0_X\r\n"
              "100,?,2500,tt_dnn_device,8,64,Matmul,DEV_0_DRAM_INTERLEAVED,BFLOAT8_B,1,2,32,64\r\n",
              false);
    assert_int_equal(reading.code, STATUS_OK);
    assert_int_equal(reading.report.rows.count, 1);
    assert_int_equal(reading.report.generation, OP_GENERATION_1);
    assert_string_equal(reading.source.generation, "v1");
    row = op_row_at(&reading.report, 0);
    assert_int_equal(row->number, 2);
    assert_int_equal(row->kind, OP_DEVICE);
    assert_string_equal(text_at(&reading, row->code), "Matmul");
    assert_int_equal(row->host_start, 100);
    assert_int_equal(row->kernel_duration, 2500);
    assert_int_equal(row->cores, 8);
    assert_int_equal(row->device, -1);
    assert_int_equal(row->inputs[0].size[OP_Z], 2);
    assert_int_equal(row->inputs[1].size[OP_Y], 64);
    assert_int_equal(row->inputs[1].size[OP_X], -1);
    assert_true(row->latency == OP_NONE && row->call == OP_NONE);
    assert_true(row->dram_bytes == 1 * 2 * 32 * 64);
    done(&reading);
}

static void test_generations(void **state)
{
    struct reading reading;

    (void)state;
    read_text(&reading, "OP CODE,OP TYPE,INPUT_0_Y_PAD[LOGICAL]\nA,tt_dnn_device,32[17]\n", false);
    assert_int_equal(reading.report.generation, OP_GENERATION_2);
    assert_int_equal(op_row_at(&reading.report, 0)->inputs[0].size[OP_Y], 32);
    done(&reading);
    read_text(&reading, "OP CODE,OP TYPE,DEVICE ARCH,AVAILABLE WORKER CORE COUNT\nA,tt_dnn_device,blackhole,110\n",
              false);
    assert_int_equal(reading.report.generation, OP_GENERATION_2_1);
    assert_string_equal(text_at(&reading, op_row_at(&reading.report, 0)->architecture), "blackhole");
    assert_int_equal(op_row_at(&reading.report, 0)->worker_cores, 110);
    done(&reading);
    read_text(&reading, "OP CODE,OP TYPE,CORE COUNT,INPUT_0_DATA TYPE\n  A,tt_dnn_device,-,BFLOAT16\n", false);
    assert_string_equal(text_at(&reading, op_row_at(&reading.report, 0)->code), "A");
    assert_true(op_row_at(&reading.report, 0)->cores == OP_NONE);
    assert_string_equal(text_at(&reading, op_row_at(&reading.report, 0)->inputs[0].datatype), "BFLOAT16");
    done(&reading);
}

static void test_kinds_and_missing_values(void **state)
{
    struct reading reading;
    char text[1024];

    (void)state;
    snprintf(text, sizeof text, "%s%s", header,
             "start,signpost,,,10,,\n(torch) "
             "view,python_fallback,nan,,20,25,None\nAdd,tt_dnn_device,1024.0,1.0,30,35,700.0\n");
    read_text(&reading, text, false);
    assert_int_equal(reading.report.losses.used, 3);
    assert_int_equal(op_row_at(&reading.report, 0)->kind, OP_SIGNPOST);
    assert_int_equal(op_row_at(&reading.report, 1)->kind, OP_HOST);
    assert_true(op_row_at(&reading.report, 1)->call == OP_NONE &&
                op_row_at(&reading.report, 1)->kernel_duration == OP_NONE);
    assert_int_equal(op_row_at(&reading.report, 2)->call, 1024);
    assert_int_equal(op_row_at(&reading.report, 2)->device, 1);
    assert_int_equal(op_row_at(&reading.report, 2)->kernel_duration, 700);
    assert_true(reading.report.columns.call_gaps && reading.report.columns.core_gaps);
    done(&reading);
}

static void test_quotes(void **state)
{
    struct reading reading;

    (void)state;
    read_text(&reading,
              "\"OP CODE\",\"OP TYPE\",ATTRIBUTES,CORE COUNT\n"
              "\"A,\"\"b\"\"\",tt_dnn_device,\"x\ny,\"\"\",3\n"
              "B,tt_dnn_device,,4\n"
              "C,tt_dnn_device,\"open,5\n",
              false);
    assert_int_equal(reading.report.rows.count, 2);
    assert_string_equal(text_at(&reading, op_row_at(&reading.report, 0)->code), "A,\"b\"");
    assert_string_equal(text_at(&reading, op_row_at(&reading.report, 0)->attributes), "x\ny,\"");
    assert_int_equal(op_row_at(&reading.report, 0)->cores, 3);
    assert_int_equal(op_row_at(&reading.report, 1)->cores, 4);
    assert_int_equal(losses_count(&reading.report.losses, &loss_quote), 1);
    done(&reading);
}

static void test_losses(void **state)
{
    static const struct {
        const char *row;
        const struct loss_reason *reason;
    } cases[] = {
        { "A,tt_dnn_device,1,0,1,2\n", &loss_fields },
        { "A,tt_dnn_device,1,0,1,2,3,4\n", &loss_fields },
        { "A,tt_dnn_device,1,0,1,2,,\n", &loss_fields },
        { "A,tt_dnn_device,1,0,soon,2,3\n", &loss_number },
        { "A,tt_dnn_device,1,0,99999999999999999999,2,3\n", &loss_number },
        { "A,tt_dnn_device,1,0,1,2,-3\n", &loss_end_before_start },
        { ",,1,0,1,2,3\n", &loss_no_event },
        { "A\x01,tt_dnn_device,1,0,x,2,3\n", &loss_binary },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct reading reading;
        char text[512];

        snprintf(text, sizeof text, "%s%sLast,tt_dnn_device,1,0,1,2,3\n", header, cases[i].row);
        read_text(&reading, text, false);
        assert_int_equal(reading.code, STATUS_OK);
        assert_int_equal(reading.report.losses.rows, 2);
        assert_int_equal(losses_count(&reading.report.losses, cases[i].reason), 1);
        assert_int_equal(reading.report.rows.count, 1);
        assert_int_equal(op_row_at(&reading.report, 0)->number, 3);
        done(&reading);
        read_text(&reading, text, true);
        assert_int_equal(reading.code, STATUS_INPUT);
        assert_non_null(strstr(status_message(), "ops.csv:2:"));
        done(&reading);
    }
}

static void test_headers_that_come_again(void **state)
{
    struct reading reading;

    (void)state;
    read_text(&reading, "OP CODE,OP TYPE,CORE COUNT\nA,tt_dnn_device,1\nOP CODE,DEVICE ID,OP TYPE\nB,3,tt_dnn_device\n",
              false);
    assert_int_equal(reading.report.rows.count, 2);
    assert_int_equal(reading.report.losses.rows, 2);
    assert_int_equal(op_row_at(&reading.report, 1)->device, 3);
    assert_true(op_row_at(&reading.report, 1)->cores == OP_NONE);
    assert_int_equal(reading.source.note_count, 2);
    done(&reading);
}

static void test_bad_headers(void **state)
{
    static const char *const texts[] = { "\n", "OP CODE\nA\n", "OP TYPE,X\nA,B\n", "OP CODE,\"OP TYPE\n", "a\n" };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct reading reading;

        read_text(&reading, texts[i], false);
        assert_int_equal(reading.code, STATUS_INPUT);
        assert_int_equal(tt_ops_csv_reader.probe((struct text){ texts[i], strlen(texts[i]) }, "x"), 0);
        done(&reading);
    }
    assert_true(tt_ops_csv_reader.probe((struct text){ header, strlen(header) }, "x") > 90);
}

/* Many columns, and many more than there may be. */
static void test_wide_headers(void **state)
{
    (void)state;
    for (unsigned columns = 300; columns <= 5000; columns += 4700) {
        struct reading reading;
        size_t size = columns * 12 + 200, length;
        char *text = memory_allocate(size);

        assert_non_null(text);
        length = (size_t)snprintf(text, size, "OP CODE,OP TYPE");
        for (unsigned i = 2; i < columns; i++)
            length += (size_t)snprintf(text + length, size - length, ",c%u", i);
        length += (size_t)snprintf(text + length, size - length, "\nA,tt_dnn_device");
        for (unsigned i = 2; i < columns; i++)
            length += (size_t)snprintf(text + length, size - length, ",%u", i);
        snprintf(text + length, size - length, "\n");
        read_text(&reading, text, false);
        assert_int_equal(reading.code, columns == 300 ? STATUS_OK : STATUS_INPUT);
        assert_int_equal(reading.report.rows.count, columns == 300);
        done(&reading);
        memory_free(text);
    }
}

static void test_products(void **state)
{
    struct reading reading;
    struct op_product product;

    (void)state;
    read_text(
        &reading,
        "OP CODE,OP "
        "TYPE,ATTRIBUTES,INPUT_0_W,INPUT_0_Z,INPUT_0_Y,INPUT_0_X,INPUT_1_W,INPUT_1_Z,INPUT_1_Y,INPUT_1_X,OUTPUT_0_Y\n"
        "Matmul,tt_dnn_device,,1,2,32,64,1,4,64,16,0\n"
        "Conv2dDeviceOperation,tt_dnn_device,window_hw=(3;5);,1,1,10,8,1,1,1,16,100\n"
        "Conv2dDeviceOperation,tt_dnn_device,,1,1,10,8,1,1,1,16,100\n"
        "Matmul,tt_dnn_device,,2147483647,2147483647,2147483647,2147483647,1,1,1,2147483647,0\n"
        "Add,tt_dnn_device,,1,1,1,1,1,1,1,1,1\n",
        false);
    assert_true(op_row_product(&reading.report, op_row_at(&reading.report, 0), &product));
    assert_int_equal(product.batch, 4);
    assert_true(op_product_flops(&product) == 2.0 * 32 * 64 * 16 * 4);
    assert_true(op_row_product(&reading.report, op_row_at(&reading.report, 1), &product));
    assert_true(product.convolution && product.rows == 100 && product.inner == 8 * 15 && product.columns == 16);
    assert_false(op_row_product(&reading.report, op_row_at(&reading.report, 2), &product));
    assert_true(op_row_product(&reading.report, op_row_at(&reading.report, 3), &product));
    assert_true(op_product_flops(&product) > 1e46);
    assert_false(op_row_product(&reading.report, op_row_at(&reading.report, 4), &product));
    done(&reading);
}

/* Device cycles become the host's nanoseconds so that nothing starts before its call. */
static void test_the_sink(void **state)
{
    static const char text[] =
        "OP CODE,OP TYPE,DEVICE ID,CORE COUNT,HOST START TS,HOST END TS,DEVICE FW START CYCLE,DEVICE FW "
        "END CYCLE,DEVICE FW DURATION [ns],"
        "DEVICE KERNEL DURATION [ns]\n"
        "mark,signpost,,,50,,,,,\n"
        "Add,tt_dnn_device,0,64,100,110,1000,2000,1000,900\n"
        "(torch) view,python_fallback,,,150,170,,,,\n"
        "Mul,tt_dnn_device,0,32,200,210,5000,5500,500,400\n"
        "Old,tt_dnn_device,1,,300,310,,,,40\n";
    struct recorder *recorder = memory_allocate_clear(sizeof *recorder);
    struct strings *strings = model_strings();
    struct input *input;
    struct feed feed;
    struct source source;

    (void)state;
    assert_non_null(recorder);
    recorder->strings = strings;
    assert_int_equal(input_open_memory("ops.csv", text, sizeof text - 1, &input), STATUS_OK);
    source = (struct source){ .input = input, .path = "ops.csv" };
    feed_start(&feed, (struct sink){ &recorder_calls, recorder }, strings);
    assert_int_equal(feed_input(&feed, 0, 0), STATUS_OK);
    assert_int_equal(tt_ops_csv_reader.read(&source, &feed), STATUS_OK);
    assert_int_equal(feed_input_end(&feed), STATUS_OK);
    assert_string_equal(recorder_text(recorder),
                        "host 0 | Add | 100..110 | Add | op=tt_dnn_device | flow 1\n"
                        "host 0 | (torch) view | 150..170 | (torch) view | op=python_fallback\n"
                        "host 0 | Mul | 200..210 | Mul | op=tt_dnn_device | flow 2\n"
                        "host 0 | Old | 300..310 | Old | op=tt_dnn_device | flow 3\n"
                        "operation 0 | Add | 100..1100 | Add | op=tt_dnn_device cores=64 kernel_ns=900 | flow 1\n"
                        "operation 0 | Mul | 4100..4600 | Mul | op=tt_dnn_device cores=32 kernel_ns=400 | flow 2\n"
                        "operation 1 | Old | 300..340 | Old | op=tt_dnn_device kernel_ns=40 | flow 3\n");
    assert_int_equal(recorder->losses.used, 5);
    feed_free(&feed);
    input_close(input);
    strings_free(strings);
    memory_free(recorder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_are_found_in_any_order),
        cmocka_unit_test(test_generations),
        cmocka_unit_test(test_kinds_and_missing_values),
        cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_losses),
        cmocka_unit_test(test_headers_that_come_again),
        cmocka_unit_test(test_bad_headers),
        cmocka_unit_test(test_wide_headers),
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_the_sink),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
