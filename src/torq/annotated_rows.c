/* annotated_rows.c: headers and rows of annotated logs, by the names of their columns. */
#include "torq/annotated_rows.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "read/value.h"
#include "torq/chain.h"

enum { LONGEST_NAME = 64, FIRST_FLAG = COLUMN_DMA_IN, LAST_FLAG = COLUMN_SLICE_1 };

struct spelling {
    const char *name;             /* lower case, blanks as "_" */
    enum annotated_column column; /* that it names */
};

/* The first spelling of a column is the one that messages use. */
static const struct spelling spellings[] = {
    { "nss_program_index", COLUMN_INDEX },
    { "action_id", COLUMN_ACTION },
    { "job_id", COLUMN_JOB },
    { "operation", COLUMN_OPERATION },
    { "action_in_program", COLUMN_OPERATION },
    { "torq-hw_operation_in_program", COLUMN_OPERATION },
    { "slice_id", COLUMN_SLICE },
    { "slice_id_(if_applicable)", COLUMN_SLICE },
    { "invocation_name", COLUMN_INVOCATION },
    { "invocation_name_(if_applicable)", COLUMN_INVOCATION },
    { "invocation_names", COLUMN_INVOCATIONS },
    { "slice_invocation_names_(if_applicable)", COLUMN_INVOCATIONS },
    { "original_operator", COLUMN_OPERATOR },
    { "original_operators", COLUMN_OPERATOR },
    { "total_time", COLUMN_TOTAL },
    { "total_time_[us]", COLUMN_TOTAL },
    { "nss_program_timestamp_total", COLUMN_TOTAL },
    { "nss_program_total_time_[us]", COLUMN_TOTAL },
    { "dma_in_used_in_program", COLUMN_DMA_IN },
    { "dma_in_used_in_nss_program", COLUMN_DMA_IN },
    { "dma_out_used_in_program", COLUMN_DMA_OUT },
    { "dma_out_used_in_nss_program", COLUMN_DMA_OUT },
    { "cdma_used_in_program", COLUMN_CDMA },
    { "cdma_used_in_css_program", COLUMN_CDMA },
    { "css_used_in_program", COLUMN_CSS },
    { "css_used_in_css_program", COLUMN_CSS },
    { "slice_used_0_in_program", COLUMN_SLICE_0 },
    { "slice_0_used_in_nss_program", COLUMN_SLICE_0 },
    { "slice_used_1_in_program", COLUMN_SLICE_1 },
    { "slice_1_used_in_nss_program", COLUMN_SLICE_1 },
    { "timestamp_start", COLUMN_START },
    { "timestamp_start_[us]", COLUMN_START },
    { "nss_program_timestamp_start", COLUMN_START },
    { "nss_program_start_timestamp_[us]", COLUMN_START },
    { "timestamp_end", COLUMN_END },
    { "timestamp_end_[us]", COLUMN_END },
    { "nss_program_timestamp_end", COLUMN_END },
    { "nss_program_end_timestamp_[us]", COLUMN_END },
    { "location", COLUMN_LOCATION },
};

/* ---- The header ---- */

static const struct spelling *spelling_of(struct text name)
{
    char plain[LONGEST_NAME];
    size_t length = 0;

    name = text_trim(name);
    for (size_t i = 0; i < name.length; i++) {
        char sign = name.data[i];

        if (sign == '"')
            continue;
        if (length == sizeof plain)
            return NULL;
        plain[length++] = (char)(sign >= 'A' && sign <= 'Z' ? sign - 'A' + 'a' : sign == ' ' ? '_' : sign);
    }
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        if (strlen(spellings[i].name) == length && memcmp(spellings[i].name, plain, length) == 0)
            return &spellings[i];
    }
    return NULL;
}

/* What the annotators call a column: those of the first one's times have names of their own. */
static const char *column_name(enum annotated_column column, enum annotated_form form)
{
    if (form == FORM_A1 && (column == COLUMN_START || column == COLUMN_END))
        return column == COLUMN_START ? "nss_program_timestamp_start" : "nss_program_timestamp_end";
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        if (spellings[i].column == column)
            return spellings[i].name;
    }
    return "";
}

static bool has_column(const struct annotated_header *header, enum annotated_column column)
{
    return header->places[column] >= 0;
}

/* `first`: some column has a name that only the first annotator gave. */
static enum annotated_form form_of(const struct annotated_header *header, bool first)
{
    if (first)
        return FORM_A1;
    if (has_column(header, COLUMN_INVOCATIONS))
        return FORM_A3;
    return has_column(header, COLUMN_INVOCATION) || has_column(header, COLUMN_SLICE) ? FORM_A2 : FORM_A3;
}

void annotated_read_header(struct text line, struct annotated_header *header)
{
    static const char delimiters[] = { ';', '\t', ',' };
    struct text rest = line;
    bool first = false;

    *header = (struct annotated_header){ .delimiter = ';' };
    for (unsigned i = 0; i < COLUMN_COUNT; i++)
        header->places[i] = -1;
    for (unsigned i = sizeof delimiters; i-- > 0;) {
        if (text_first(line, delimiters[i]))
            header->delimiter = delimiters[i];
    }
    while (rest.data) {
        const struct spelling *found = spelling_of(text_take(&rest, header->delimiter));

        if (found && !has_column(header, found->column) && header->count < ANNOTATED_MOST_FIELDS) {
            header->places[found->column] = (int)header->count;
            header->known++;
            first |= strncmp(found->name, "nss_program_", 12) == 0;
        }
        header->count++;
    }
    header->form = form_of(header, first);
}

/* The first column that this form cannot do without and that is not there; COLUMN_COUNT: none. */
static enum annotated_column missing_column(const struct annotated_header *header)
{
    static const enum annotated_column of_actions[] = { COLUMN_ACTION, COLUMN_OPERATION, COLUMN_JOB };
    static const enum annotated_column of_all[] = { COLUMN_START,   COLUMN_END,    COLUMN_SLICE_0,
                                                    COLUMN_SLICE_1, COLUMN_DMA_IN, COLUMN_DMA_OUT };

    if (header->form == FORM_A1 && !has_column(header, COLUMN_INDEX))
        return COLUMN_INDEX;
    /* A2 tells a wait for a job by its engines alone. */
    for (unsigned i = 0; header->form != FORM_A1 && i < (header->form == FORM_A2 ? 2 : 3); i++) {
        if (!has_column(header, of_actions[i]))
            return of_actions[i];
    }
    for (unsigned i = 0; i < sizeof of_all / sizeof *of_all; i++) {
        if (!has_column(header, of_all[i]))
            return of_all[i];
    }
    return COLUMN_COUNT;
}

bool annotated_is_header(const struct annotated_header *header)
{
    return header->count <= ANNOTATED_MOST_FIELDS && missing_column(header) == COLUMN_COUNT;
}

status annotated_take_header(struct torq_log *log, const struct line *line, struct annotated_header *header)
{
    struct place where = { .file = input_name(log->source->input), .line = line->number };
    enum annotated_column missing;

    annotated_read_header((struct text){ line->data, line->length }, header);
    if (header->known == 0)
        return status_fail_at(STATUS_INPUT, where,
                              "there is no header: an annotated log begins with the names of its columns");
    missing = missing_column(header);
    if (missing != COLUMN_COUNT)
        return status_fail_at(STATUS_INPUT, where, "the header lacks the column \"%s\"",
                              column_name(missing, header->form));
    if (header->count > ANNOTATED_MOST_FIELDS)
        return status_fail_at(STATUS_INPUT, where, "the header has %u columns, more than the %u that can be read",
                              header->count, (unsigned)ANNOTATED_MOST_FIELDS);
    if (header->known < header->count)
        source_note(log->source, "some columns are not known; they were not used");
    return STATUS_OK;
}

/* ---- Fields ---- */

/* A number at the start of a line, as all rows have it that the annotators wrote. */
static bool starts_row(struct text line)
{
    const char *cursor = line.data;
    const char *end = line.data + line.length;
    int64_t ignored;

    if (cursor < end && *cursor == '-')
        cursor++;
    if (!number_digits(&cursor, end, &ignored))
        return false;
    if (end - cursor > 2 && memcmp(cursor, ".0", 2) == 0)
        cursor += 2;
    return cursor < end && (*cursor == ';' || *cursor == '\t' || *cursor == ',');
}

static const struct loss_reason *split_fields(struct annotated_sheet *sheet, struct text line)
{
    const char *cursor = line.data;
    const char *end = line.data + line.length;
    char delimiter = sheet->header.delimiter;
    unsigned count = 0;
    bool last = false;

    while (!last) {
        struct row_location *field = &sheet->fields[count];
        bool location = end - cursor >= 4 && memcmp(cursor, "loc(", 4) == 0;

        if (count++ == sheet->header.count)
            return &loss_fields;
        if (location || (cursor < end && *cursor == '"')) {
            const struct loss_reason *reason = row_location(&cursor, end, delimiter, field);

            if (reason != NULL)
                return reason;
            last = cursor == end;
            if (!last && *cursor++ != delimiter)
                return &loss_fields;
        } else {
            struct text rest = text_between(cursor, end);

            *field = (struct row_location){ text_take(&rest, delimiter), false };
            last = !rest.data;
            cursor = rest.data;
        }
    }
    return count == sheet->header.count ? NULL : &loss_fields;
}

/* What stands in a column, valid until the next call; empty where there is no such column. */
static status take_text(struct torq_log *log, struct annotated_sheet *sheet, enum annotated_column column,
                        struct text *text)
{
    int place = sheet->header.places[column];

    *text = (struct text){ "", 0 };
    return place < 0 ? STATUS_OK : row_plain(&sheet->fields[place], &log->buffer, text);
}

static status take_string(struct torq_log *log, struct annotated_sheet *sheet, enum annotated_column column,
                          string_id *id)
{
    struct text text;
    status code = take_text(log, sheet, column, &text);

    return code == STATUS_OK ? strings_add(log->feed->strings, text.data, text.length, id) : code;
}

/* 12, or 12.0 as pandas writes the integers of a column with gaps. */
static const struct loss_reason *read_number(struct torq_log *log, struct text field, int64_t *value)
{
    const struct loss_reason *reason = value_as_integer(field, value);
    const char *dot = field.length ? memchr(field.data, '.', field.length) : NULL;
    size_t length = field.length;
    double decimal;

    if (reason != &loss_number)
        return reason;
    while (dot && field.data[length - 1] == '0')
        length--;
    if (dot && field.data + length == dot + 1)
        return value_as_integer((struct text){ field.data, (size_t)(dot - field.data) }, value);
    if (!number_parse_decimal(field.data, field.length, &decimal))
        return &loss_number;
    if (decimal > 9e18 || decimal < -9e18)
        return &loss_time_range;
    *value = (int64_t)decimal;
    if ((double)*value != decimal)
        source_note(log->source, "fractions of a microsecond are cut off");
    return NULL;
}

/* A number that may be missing. */
static status take_number(struct torq_log *log, struct annotated_sheet *sheet, enum annotated_column column,
                          int64_t *value, bool *there, const struct loss_reason **reason)
{
    struct text text;
    status code = take_text(log, sheet, column, &text);

    *there = code == STATUS_OK && text.length > 0;
    if (*there)
        *reason = read_number(log, text, value);
    return code;
}

static bool same_word(struct text text, const char *word)
{
    size_t length = strlen(word);

    if (text.length != length)
        return false;
    for (size_t i = 0; i < length; i++) {
        char sign = text.data[i];

        if ((char)(sign >= 'A' && sign <= 'Z' ? sign - 'A' + 'a' : sign) != word[i])
            return false;
    }
    return true;
}

static status take_flags(struct torq_log *log, struct annotated_sheet *sheet, struct annotated_row *row,
                         const struct loss_reason **reason)
{
    for (unsigned column = FIRST_FLAG; column <= LAST_FLAG; column++) {
        struct text text;
        status code = take_text(log, sheet, (enum annotated_column)column, &text);

        if (code != STATUS_OK)
            return code;
        if (text.length == 0)
            continue;
        row->flagged = true;
        if (same_word(text, "true") || same_word(text, "1") || same_word(text, "1.0"))
            row->used |= 1u << (column - FIRST_FLAG);
        else if (!same_word(text, "false") && !same_word(text, "0") && !same_word(text, "0.0"))
            *reason = &loss_number;
    }
    return STATUS_OK;
}

static status take_times(struct torq_log *log, struct annotated_sheet *sheet, struct annotated_row *row,
                         const struct loss_reason **reason)
{
    bool ended = false, total_there = false;
    const struct loss_reason *total_reason = NULL;
    int64_t total = 0;
    status code = take_number(log, sheet, COLUMN_START, &row->start, &row->timed, reason);

    if (code == STATUS_OK && *reason == NULL)
        code = take_number(log, sheet, COLUMN_END, &row->end, &ended, reason);
    if (code != STATUS_OK || *reason != NULL)
        return code;
    if (row->timed != ended || (!row->timed && sheet->header.form == FORM_A1)) {
        *reason = &loss_number;
        return STATUS_OK;
    }
    if (!row->timed)
        return STATUS_OK;
    if (row->start < 0 || row->start > log->limit || row->end > log->limit)
        *reason = &loss_time_range;
    else if (row->end < row->start)
        *reason = &loss_end_before_start;
    code = take_number(log, sheet, COLUMN_TOTAL, &total, &total_there, &total_reason);
    if (*reason == NULL && total_there && (total_reason != NULL || total != row->end - row->start))
        source_note(log->source, "total times and timestamps do not agree everywhere: the timestamps were used");
    return code;
}

/* The column of operators as the name of one: "tosa.conv2d@L4 + tosa.add@L5", three at most; its type is the first's. */
static status name_operators(struct strings *strings, struct text names, string_id *name, string_id *type)
{
    enum { MOST = 3, LONGEST = 200 };
    char joined[MOST * (LONGEST + 3) + 32];
    size_t length = 0;
    unsigned count = 0;
    status code = STATUS_OK;

    *name = *type = 0;
    while (names.data && code == STATUS_OK) {
        struct text part = text_take(&names, ' ');
        const char *at = text_first(part, '@');

        if (part.length == 0 || text_is(part, "+") || count++ >= MOST)
            continue;
        if (count == 1)
            code = strings_add(strings, part.data, at ? (size_t)(at - part.data) : part.length, type);
        length += (size_t)snprintf(joined + length, sizeof joined - length, "%s%.*s", count > 1 ? " + " : "",
                                   part.length < LONGEST ? (int)part.length : LONGEST, part.data);
    }
    if (code != STATUS_OK || count == 0)
        return code;
    if (count > MOST)
        length += (size_t)snprintf(joined + length, sizeof joined - length, " (+%u more)", count - MOST);
    return strings_add(strings, joined, length, name);
}

static status take_operator(struct torq_log *log, struct annotated_sheet *sheet, struct annotated_row *row)
{
    struct feed *feed = log->feed;
    struct text names;
    string_id name, type;
    status code = take_text(log, sheet, COLUMN_OPERATOR, &names);

    if (code == STATUS_OK)
        code = name_operators(feed->strings, names, &name, &type);
    if (code != STATUS_OK)
        return code;
    return feed_operator_named(feed, row->location ? row->location : name, name, type, &row->op);
}

/* The first annotators had no columns for CDMA and CSS, but they list every operation of a job. */
static uint32_t engines_of_operation(const struct annotated_header *header, struct text operation)
{
    static const struct {
        const char *prefix;
        enum annotated_column column;
        uint32_t used;
    } engines[] = { { "torq_hw.cdma_", COLUMN_CDMA, USED_CDMA }, { "torq_hw.css_", COLUMN_CSS, USED_CSS } };
    uint32_t used = 0;

    for (unsigned i = 0; i < sizeof engines / sizeof *engines; i++) {
        size_t length = strlen(engines[i].prefix);

        if (!has_column(header, engines[i].column) && operation.length > length &&
            memcmp(operation.data, engines[i].prefix, length) == 0)
            used |= engines[i].used;
    }
    return used;
}

static status take_texts(struct torq_log *log, struct annotated_sheet *sheet, struct annotated_row *row)
{
    bool several = sheet->header.form == FORM_A3;
    status code = take_string(log, sheet, COLUMN_OPERATION, &row->operation);

    if (code == STATUS_OK)
        row->used |= engines_of_operation(&sheet->header, strings_get(log->feed->strings, row->operation));
    if (code == STATUS_OK)
        code = take_string(log, sheet, several ? COLUMN_INVOCATIONS : COLUMN_INVOCATION, &row->kernels);
    if (code == STATUS_OK)
        code = take_string(log, sheet, COLUMN_LOCATION, &row->location);
    /* Of a HAL call the location column holds its name. */
    return code == STATUS_OK && row->id >= 0 ? take_operator(log, sheet, row) : code;
}

static status take_values(struct torq_log *log, struct annotated_sheet *sheet, struct annotated_row *row,
                          const struct loss_reason **reason)
{
    enum annotated_column key = sheet->header.form == FORM_A1 ? COLUMN_INDEX : COLUMN_ACTION;
    bool there;
    status code = take_number(log, sheet, key, &row->id, &there, reason);

    if (code == STATUS_OK && there && *reason == NULL)
        code = take_number(log, sheet, COLUMN_JOB, &row->job, &row->has_job, reason);
    /* An id is no time. */
    if (!there || *reason != NULL)
        *reason = &loss_number;
    if (code == STATUS_OK && *reason == NULL)
        code = take_flags(log, sheet, row, reason);
    if (code == STATUS_OK && *reason == NULL)
        code = take_times(log, sheet, row, reason);
    if (code == STATUS_OK && *reason == NULL)
        code = take_texts(log, sheet, row);
    return code;
}

/* Takes the line apart, and those below it that a quoted field goes on in. */
static status split_row(struct torq_log *log, struct annotated_sheet *sheet, struct line *line,
                        const struct loss_reason **reason)
{
    unsigned added = 0;
    bool extended = true;
    status code = STATUS_OK;

    while (extended && code == STATUS_OK) {
        *reason = split_fields(sheet, (struct text){ line->data, line->length });
        if (*reason != &loss_quote && *reason != &torq_loss_location)
            break;
        code = row_extend(log->lines, line, &added, starts_row, &extended);
    }
    return code;
}

status annotated_take_row(struct torq_log *log, struct annotated_sheet *sheet, struct line *line,
                          struct annotated_row *row, const struct loss_reason **reason)
{
    status code = split_row(log, sheet, line, reason);

    assert(sheet->header.known && sheet->header.count <= ANNOTATED_MOST_FIELDS && "rows come after a header");
    *row = (struct annotated_row){ .op = NO_ID, .line = line->number };
    if (code == STATUS_OK && *reason == NULL && text_is_binary((struct text){ line->data, line->length }))
        *reason = &loss_binary;
    return code == STATUS_OK && *reason == NULL ? take_values(log, sheet, row, reason) : code;
}
