/* pipeline_report.c: the last step: the report about the run directory that was made. */
#include <stdio.h>
#include <time.h>

#include "executorch/pipeline.h"
#include "executorch/report.h"
#include "page/formats.h"

static status write_document(const struct pipeline *pipeline, const struct inspection *inspection)
{
    struct report_options options = { .time = time(NULL) };
    char path[PIPELINE_PATH], sentence[REPORT_SENTENCE];
    struct document *document;
    status code = report_make(inspection, &options, &document, sentence);

    if (code != STATUS_OK)
        return code;
    snprintf(path, sizeof path, "%s/report.md", pipeline->output_root);
    code = document_write(document, path);
    document_free(document);
    return code;
}

status pipeline_write_report(struct pipeline *pipeline)
{
    struct inspection_options options = { 0 };
    struct inspection inspection;
    status code = inspection_open(&inspection, pipeline->output_root, &options);

    if (code == STATUS_OK)
        code = write_document(pipeline, &inspection);
    inspection_free(&inspection);
    if (code == STATUS_INPUT) {
        pipeline_warn(pipeline, "no report: %s", status_message());
        return STATUS_OK;
    }
    return code;
}
