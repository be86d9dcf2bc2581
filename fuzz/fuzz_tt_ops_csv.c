/* fuzz_tt_ops_csv.c: the reader of Tenstorrent's ops reports, and the advice on what it read. */
#include "check_sink.h"
#include "page/formats.h"
#include "tenstorrent/advice_model.h"
#include "tenstorrent/advise_files.h"
#include "tenstorrent/chain.h"

/* Rules look at all rows; nothing is drawn, so none has a place. */
static status look_for_advice(struct advise *advise, struct advice *advice)
{
    const struct op_window all = { .first = OP_NONE, .last = OP_NONE };
    struct column places;
    struct op_model model;
    status code = STATUS_OK;

    column_start(&places, sizeof(struct op_place));
    for (size_t i = 0; i < advise->report->rows.count && code == STATUS_OK; i++) {
        struct op_place *place = column_append(&places);

        code = place ? STATUS_OK : STATUS_MEMORY;
        if (place)
            *place = (struct op_place){ 0, -1 };
    }
    op_model_start(&model, advise, advise->report);
    if (code == STATUS_OK)
        code = op_model_add(&model, 0, &places, &all);
    if (code == STATUS_OK)
        code = op_model_settle(&model, 1, 1e9);
    if (code == STATUS_OK)
        code = op_model_judge(&model);
    if (code == STATUS_OK) {
        op_model_advise(&model, advice);
        code = advice_settle(advice);
    }
    op_model_free(&model);
    column_free(&places);
    return code;
}

static void write_all(struct advise *advise)
{
    const struct advise_style style = { .colour = true, .advice = true, .raw_codes = true, .least = 0.5 };
    struct advise_stack stack = { .rows = NULL };
    struct advice advice;
    struct output *output;

    if (output_open_memory(&output) != STATUS_OK)
        return;
    advice_start(&advice, 1e9);
    advice_text(&advice, NULL, "file", "fuzz");
    advice_text(&advice, NULL, "see_cores", "fuzz");
    advice_text(&advice, NULL, "see_gaps", "fuzz");
    advice_text(&advice, NULL, "see_ops", "fuzz");
    if (advise_write_text(output, advise, &style) == STATUS_OK && look_for_advice(advise, &advice) == STATUS_OK &&
        advise_stack(advise, advise->options.as_original ? GROUP_BY_OP : GROUP_BY_MEMORY, &stack) == STATUS_OK) {
        struct document *document = advise_document(advise, &stack, &advice);

        advise_write_csv(output, advise, &style);
        advise_write_stack_csv(output, &stack);
        if (advise_write_stack(output, advise, &stack, &style) == STATUS_OK && document &&
            document_print(document, DOCUMENT_HTML, output) != STATUS_OK)
            status_clear();
        document_free(document);
    }
    advice_free(&advice);
    advise_stack_free(&stack);
    output_abandon(output);
}

static void advise_on(const uint8_t *data, size_t size, struct strings *strings)
{
    const struct architecture_set *const sets[] = { &tenstorrent_architectures, NULL };
    struct architectures architectures = { NULL, 0, 0 };
    struct op_report report;
    struct input *input;
    struct source source = { .path = "fuzz" };

    op_report_start(&report, strings);
    if (input_open_memory("fuzz", data, size, &input) != STATUS_OK)
        return;
    source.input = input;
    if (tenstorrent_calls(&tt_ops_csv_reader)->ops(&source, &report) == STATUS_OK &&
        architectures_load(&architectures, NULL, sets) == STATUS_OK) {
        for (unsigned i = 0; i < 4; i++) {
            struct advise_options options = {
                .ignore_signposts = i & 1, .no_merge = i & 2, .as_original = i & 2, .first = OP_NONE, .last = OP_NONE
            };
            struct advise advise;

            if (!check_takes(data, size, i, 4))
                continue;
            if (advise_run(&advise, &report, &architectures, &options) == STATUS_OK)
                write_all(&advise);
            advise_free(&advise);
        }
    }
    status_clear();
    architectures_free(&architectures);
    op_report_free(&report);
    input_close(input);
}

static void check(const uint8_t *data, size_t size, struct strings *strings)
{
    if (check_takes(data, size, 0, 2))
        check_reader(&tt_ops_csv_reader, data, size, NULL, NULL, strings);
    if (check_takes(data, size, 1, 2))
        advise_on(data, size, strings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return check_input(data, size, check);
}
