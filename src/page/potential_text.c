/* potential_text.c: what could be saved, as lines for a terminal: the advice with its evidence, then tables. */
#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "base/format.h"
#include "page/potential_files.h"

enum { MOST_CHANCES = 8, MOST_ITEMS = 20 };

/* The saving stands on a line of its own, so that the eye can run down the list. */
static void write_head(struct output *output, const struct potential_chance *chance, size_t number,
                       const struct printer_style *style)
{
    char saves[FORMAT_SIZE], share[FORMAT_SIZE] = "", first[FORMAT_SIZE];

    assert(number && chance->what);
    format_duration(saves, potential_rounded(chance->saves));
    if (!isnan(chance->share))
        snprintf(share, sizeof share, " (%.1f %%)", chance->share);
    snprintf(first, sizeof first, "%2zu. ", number);
    output_format(output, "%s%s%s%s%s\n", first, style->colour ? "\033[1m" : "", saves, style->colour ? "\033[0m" : "",
                  share);
    text_write_wrapped(output, style, "    ", chance->what);
}

static void write_grounds(struct output *output, const struct potential_chance *chance,
                          const struct printer_style *style)
{
    if (chance->evidence)
        text_write_wrapped(output, style, "    ", chance->evidence);
    text_write_wrapped(output, style, "    bound: ", chance->bound);
}

/* Less than half a percent is for --rank and files. */
static bool is_worth_a_line(const struct potential_chance *chance)
{
    return isnan(chance->share) || chance->share >= 0.5;
}

static void write_chances(struct output *output, const struct potential *potential, const struct printer_style *style)
{
    size_t shown = 0;

    while (shown < potential->chance_count && shown < MOST_CHANCES && is_worth_a_line(&potential->chances[shown]))
        shown++;
    output_format(output, "%sWhat to do first%s: the most that each could save\n", style->colour ? "\033[1m" : "",
                  style->colour ? "\033[0m" : "");
    for (size_t i = 0; i < shown; i++) {
        write_head(output, &potential->chances[i], i + 1, style);
        write_grounds(output, &potential->chances[i], style);
    }
    if (!shown)
        text_write_wrapped(output, style, "    ", "Nothing stands out.");
    if (shown < potential->chance_count)
        output_format(output, "note: left out: %zu smaller; --rank has all\n", potential->chance_count - shown);
    if (shown > 1)
        text_write_wrapped(output, style,
                           "note: ", "Savings are bounds, each for itself: two may speak of the same time.");
    output_write(output, "\n", 1);
}

/* The chance that a row of `chance_table` is; texts are the table's. */
static struct potential_chance chance_of(const struct table *table, size_t row)
{
    struct table_cell share = table_cell(table, row, CHANCE_SHARE), about = table_cell(table, row, CHANCE_OPERATION);

    assert(row < table_rows(table) && table_columns(table) > CHANCE_BOUND);
    return (struct potential_chance){
        .saves = (double)table_cell(table, row, CHANCE_SAVES).integer,
        .share = share.null ? (double)NAN : share.decimal,
        .what = table_cell(table, row, CHANCE_WHAT).text,
        .about = about.null ? NULL : about.text,
        .count = (uint64_t)table_cell(table, row, CHANCE_COUNT).integer,
        .time = (double)table_cell(table, row, CHANCE_TIME).integer,
        .bound = table_cell(table, row, CHANCE_BOUND).text,
        .evidence = table_columns(table) > CHANCE_EVIDENCE ? table_cell(table, row, CHANCE_EVIDENCE).text : NULL,
    };
}

void chance_list_write(struct output *output, const struct table *table, const struct printer_style *style)
{
    output_format(output, "%s%s%s: the most that each could save\n", style->colour ? "\033[1m" : "", table_title(table),
                  style->colour ? "\033[0m" : "");
    for (size_t i = 0; i < table_rows(table); i++) {
        struct potential_chance chance = chance_of(table, i);
        char takes[FORMAT_SIZE], line[FORMAT_SIZE + 64];

        format_duration(takes, potential_rounded(chance.time));
        snprintf(line, sizeof line, "now: %s for %llu operation%s", takes, (unsigned long long)chance.count,
                 chance.count == 1 ? "" : "s");
        write_head(output, &chance, i + 1, style);
        if (chance.about)
            text_write_wrapped(output, style, "    ", chance.about);
        text_write_wrapped(output, style, "    ", line);
        write_grounds(output, &chance, style);
    }
    if (!table_rows(table))
        text_write_wrapped(output, style, "    ", "Nothing stands out.");
    for (size_t i = 0; i < table_notes(table); i++)
        text_write_wrapped(output, style, "note: ", table_note_at(table, i));
}

static status write_table(struct output *output, struct table *table, const struct printer_style *style)
{
    status code = table ? table_status(table) : status_no_memory("making a table");

    if (code == STATUS_OK && table_rows(table)) {
        printer_write(&text_printer, output, table, style);
        output_write(output, "\n", 1);
    }
    table_free(table);
    return code;
}

status potential_write_text(struct output *output, const struct potential *potential,
                            const struct potential_title *title, const struct printer_style *style, bool advice)
{
    status code;

    text_write_wrapped(output, style, "", title->name);
    text_write_wrapped(output, style, "", title->summary);
    output_write(output, "\n", 1);
    if (advice)
        write_chances(output, potential, style);
    code = write_table(output, potential_item_table(potential, "Operations", MOST_ITEMS, true), style);
    if (code == STATUS_OK)
        code = write_table(output, potential_part_table(potential, "What adds up to the whole"), style);
    if (code == STATUS_OK)
        code = write_table(output, potential_peak_table(potential, "Roofs"), style);
    for (size_t i = 0; i < potential->note_count && code == STATUS_OK; i++)
        text_write_wrapped(output, style, "note: ", potential->notes[i]);
    return code;
}
