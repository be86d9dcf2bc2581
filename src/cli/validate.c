/* validate.c: tacho validate: is a run directory complete, and do its numbers agree? */
#include <stdio.h>
#include <string.h>

#include "cli/terminal.h"
#include "cli/verbs.h"
#include "executorch/validation.h"
#include "job/table_file.h"

static struct given {
    const char *results;
    const char *output;
    bool require_sme2_kernels;
    bool allow_executorch_mismatch;
    bool json;
} settings;

static const struct old_option options[] = {
    { "results", 0, OLD_OPTION_TEXT, &settings.results, "DIR", "the run directory" },
    { "require-sme2-kernels", 0, OLD_OPTION_FLAG, &settings.require_sme2_kernels, NULL,
      "kernels: SME2 where on, none where off" },
    { "allow-executorch-mismatch", 0, OLD_OPTION_FLAG, &settings.allow_executorch_mismatch, NULL,
      "another version of ExecuTorch will do" },
    { "output", 'o', OLD_OPTION_TEXT, &settings.output, "FILE", "write a table: .csv .json .md .html .xlsx" },
    { "json", 0, OLD_OPTION_FLAG, &settings.json, NULL, "as JSON" },
    { 0 },
};

static status print_table(const struct validation *validation)
{
    struct table *table;
    status code = validation_table(validation, settings.results, &table);

    if (code != STATUS_OK)
        return code;
    code = settings.output ? table_to_file(table, settings.output, NULL, NULL) : table_print(table, true);
    table_free(table);
    return code;
}

static status print_lines(const struct validation *validation)
{
    for (size_t i = 0; i < validation->count; i++)
        printf("%s %s\n", finding_sign(validation->findings[i].result), validation->findings[i].detail);
    return STATUS_OK;
}

static status run(const struct old_texts *words)
{
    struct validation_options wanted = {
        .require_sme2_kernels = settings.require_sme2_kernels,
        .allow_executorch_mismatch = settings.allow_executorch_mismatch,
    };
    struct validation validation;
    status code;

    if (words->count == 1 && !settings.results)
        settings.results = words->items[0];
    else if (words->count || !settings.results)
        return status_fail(STATUS_USAGE, "tacho validate wants one run directory: --results DIR");
    if (settings.output && strcmp(settings.output, "-") == 0)
        settings.output = NULL;
    code = validate_results(settings.results, &wanted, &validation);
    if (code == STATUS_OK)
        code = settings.json || settings.output ? print_table(&validation) : print_lines(&validation);
    if (code == STATUS_OK && validation.by_result[FINDING_FAILED])
        code =
            status_fail(STATUS_NO, "%zu of %zu checks failed", validation.by_result[FINDING_FAILED], validation.count);
    validation_free(&validation);
    return code;
}

const struct old_verb validate_verb = {
    .name = "validate",
    .summary = "check that a run directory is complete and its numbers agree",
    .usage = "--results DIR [options]",
    .options = options,
    .run = run,
};
