/* test_document.c: documents in three formats: what comes out is compared whole; texts that look like markup; what happens without memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/memory.h"
#include "page/formats.h"
#include "table/document.h"

/* ---- help ------------------------------------------------------------------------------------------------------ */

/* What a document looks like, to be freed. */
static char *print(const struct document *document, enum document_format format)
{
    struct output *output;
    const char *data;
    size_t length;
    char *text;

    assert_int_equal(output_open_memory(&output), STATUS_OK);
    assert_int_equal(document_print(document, format, output), STATUS_OK);
    data = output_memory(output, &length);
    assert_non_null(data);
    assert_int_equal(strlen(data), length);
    text = strdup(data);
    output_abandon(output);
    return text;
}

static void assert_prints(const struct document *document, enum document_format format, const char *expected)
{
    char *text = print(document, format);

    assert_string_equal(text, expected);
    free(text);
}

/* The body of the page alone. */
static void assert_body(const struct document *document, const char *expected)
{
    char *text = print(document, DOCUMENT_HTML);
    char *start = strstr(text, "<main>\n");
    char *end = strstr(text, "</main>");

    assert_non_null(start);
    assert_non_null(end);
    *end = '\0';
    assert_string_equal(start + strlen("<main>\n"), expected);
    free(text);
}

/* The tree of the JSON form; the arena owns it. */
static const struct json *parse(const struct document *document, struct arena *arena)
{
    const struct json *root = NULL;
    char *text = print(document, DOCUMENT_JSON);

    if (json_parse(arena, "document", (struct text){ text, strlen(text) }, &root) != STATUS_OK)
        fail_msg("%s\n%s", status_message(), text);
    free(text);
    return root;
}

static struct document *sample(void)
{
    static const struct document_column columns[] = { { "metric", "Metric", false }, { "on", "SME2-On", true } };
    struct document *document = document_new("A report: x_1 & <y>");
    struct table *table = table_new("operators", "Operators");

    assert_non_null(document);
    table_add_column(table, (struct table_column){ .name = "name", .title = "Name" });
    table_add_column(table, (struct table_column){ .name = "time", .title = "Time", .type = CELL_DURATION });
    table_add_row(table);
    table_set_text(table, 0, "Add (ND) #1|2");
    table_set_integer(table, 1, 1500);
    table_note(table, "one **note**");

    document_value(document, 0, "generated", "Generated", "2026-01-28");
    document_heading(document, 2, NULL, "Metadata");
    document_value(document, 0, "model", "Model", "`m_%d.pte`", 7);
    document_value(document, 0, "runner", "runner_on", "%s", "");
    document_value(document, 1, "path", "Relative path", "`bin/run`");
    document_item(document, 0, "an item with **bold** text");
    document_number(document, "runs", 10);
    document_heading(document, 3, "latency", "Latency *here*");
    document_text(document, "A < B & `c<d` costs 5 * 3.");
    document_mood(document, PROSE_GOOD, "**2.60x** faster");
    document_grid(document, "medians", columns, 2);
    document_cell(document, "**Median**");
    document_cell_number(document, 11.626, "%.3f ms", 11.626);
    document_cell(document, "Std `a|b`");
    document_cell_number(document, NAN, "-");
    document_code(document, "tacho report --run-dir '%s' > a", "x");
    document_heading(document, 2, NULL, "Operators");
    document_table(document, table);
    document_rule(document);
    assert_int_equal(document_status(document), STATUS_OK);
    return document;
}

/* ---- the three formats ----------------------------------------------------------------------------------------- */

static void test_markdown(void **state)
{
    struct document *document = sample();

    (void)state;
    assert_prints(document, DOCUMENT_MARKDOWN,
                  "# A report: x_1 &amp; &lt;y>\n"
                  "\n- **Generated**: 2026-01-28\n"
                  "\n## Metadata\n"
                  "\n- **Model**: `m_7.pte`\n"
                  "- **runner_on**:\n"
                  "  - Relative path: `bin/run`\n"
                  "- an item with **bold** text\n"
                  "\n### Latency \\*here\\*\n"
                  "\nA &lt; B &amp; `c<d` costs 5 \\* 3.\n"
                  "\n✅ **2.60x** faster\n"
                  "\n| Metric | SME2-On |\n"
                  "| --- | ---: |\n"
                  "| **Median** | 11.626 ms |\n"
                  "| Std `a\\|b` | - |\n"
                  "\n```\ntacho report --run-dir 'x' > a\n```\n"
                  "\n## Operators\n"
                  "\n**Operators**\n"
                  "\n| Name | Time |\n| --- | ---: |\n"
                  "| Add (ND) #1\\|2 | 1.500µs |\n"
                  "\n- one \\*\\*note\\*\\*\n"
                  "\n---\n");
    document_free(document);
}

static void test_html(void **state)
{
    struct document *document = sample();

    (void)state;
    assert_body(document,
                "<ul class=\"prose\">\n<li><span class=\"label\">Generated:</span> 2026-01-28</li>\n</ul>\n"
                "<h2 id=\"metadata\">Metadata</h2>\n"
                "<ul class=\"prose\">\n<li><span class=\"label\">Model:</span> <code>m_7.pte</code></li>\n"
                "<li><span class=\"label\">runner_on:</span><ul>\n"
                "<li><span class=\"label\">Relative path:</span> <code>bin/run</code></li>\n</ul></li>\n"
                "<li>an item with <strong>bold</strong> text</li>\n</ul>\n"
                "<h3 id=\"latency\">Latency *here*</h3>\n"
                "<p>A &lt; B &amp; <code>c&lt;d</code> costs 5 * 3.</p>\n"
                "<p class=\"mood good\"><strong>2.60x</strong> faster</p>\n"
                "<div class=\"table\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table>\n<thead><tr><th "
                "scope=\"col\">Metric</th>"
                "<th scope=\"col\" class=\"number\">SME2-On</th></tr></thead>\n<tbody>\n"
                "<tr><td><strong>Median</strong></td><td class=\"number\">11.626 ms</td></tr>\n"
                "<tr><td>Std <code>a|b</code></td><td class=\"number\">-</td></tr>\n</tbody>\n</table></div>\n"
                "<pre><code>tacho report --run-dir &#39;x&#39; &gt; a</code></pre>\n"
                "<h2 id=\"operators\">Operators</h2>\n"
                "<p><strong>Operators</strong></p>\n"
                "<section>\n<div class=\"table\" tabindex=\"0\" role=\"group\" "
                "aria-label=\"Operators\"><table>\n<thead><tr><th scope=\"col\">Name</th>"
                "<th scope=\"col\" class=\"number\">Time</th></tr></thead>\n<tbody>\n"
                "<tr><td>Add (ND) #1|2</td><td class=\"number\" title=\"1500 ns\">1.500µs</td></tr>\n"
                "</tbody>\n</table></div>\n<ul class=\"notes\">\n<li>one **note**</li>\n</ul>\n</section>\n"
                "<hr>\n");
    document_free(document);
}

static void test_json(void **state)
{
    struct document *document = sample();

    (void)state;
    assert_prints(document, DOCUMENT_JSON,
                  "{\n"
                  "  \"title\": \"A report: x_1 & <y>\",\n"
                  "  \"generated\": \"2026-01-28\",\n"
                  "  \"sections\": {\n"
                  "    \"metadata\": {\n"
                  "      \"title\": \"Metadata\",\n"
                  "      \"model\": \"m_7.pte\",\n"
                  "      \"runner\": {\n"
                  "        \"path\": \"bin/run\"\n"
                  "      },\n"
                  "      \"runs\": 10.0,\n"
                  "      \"items\": [\n"
                  "        \"an item with bold text\"\n"
                  "      ],\n"
                  "      \"sections\": {\n"
                  "        \"latency\": {\n"
                  "          \"title\": \"Latency *here*\",\n"
                  "          \"medians\": [\n"
                  "            {\"metric\": \"Median\", \"on\": 11.626},\n"
                  "            {\"metric\": \"Std a|b\", \"on\": null}\n"
                  "          ],\n"
                  "          \"text\": [\n"
                  "            \"A < B & c<d costs 5 * 3.\",\n"
                  "            \"2.60x faster\"\n"
                  "          ],\n"
                  "          \"commands\": [\n"
                  "            \"tacho report --run-dir 'x' > a\"\n"
                  "          ]\n"
                  "        }\n"
                  "      }\n"
                  "    },\n"
                  "    \"operators\": {\n"
                  "      \"title\": \"Operators\",\n"
                  "      \"operators\": [\n"
                  "        {\"name\": \"Add (ND) #1|2\", \"time\": 1500}\n"
                  "      ],\n"
                  "      \"notes\": [\n"
                  "        \"one **note**\"\n"
                  "      ]\n"
                  "    }\n"
                  "  }\n"
                  "}\n");
    document_free(document);
}

/* ---- details --------------------------------------------------------------------------------------------------- */

static void test_marks_without_counterpart_are_characters(void **state)
{
    struct document *document = document_new("t");

    (void)state;
    document_text(document, "a ** b ` c");
    document_text(document, "**`x`** and `**` and **a `b` c**");
    document_text(document, "%s", "");
    assert_body(document, "<p>a ** b ` c</p>\n"
                          "<p><strong><code>x</code></strong> and <code>**</code> and "
                          "<strong>a </strong><strong><code>b</code></strong><strong> c</strong></p>\n<p></p>\n");
    document_free(document);
}

static void test_bytes_that_are_no_text(void **state)
{
    struct document *document = document_new("\xff\x01");
    struct arena arena = ARENA_EMPTY;

    (void)state;
    document_value(document, 0, NULL, "\xc3", "`\x02\"\\\xed\xa0\x80`");
    document_heading(document, 2, NULL, "???");
    document_heading(document, 2, NULL, "日本語");
    assert_non_null(json_find(parse(document, &arena), "sections", "_", NULL));
    arena_free(&arena);
    free(print(document, DOCUMENT_MARKDOWN));
    free(print(document, DOCUMENT_HTML));
    document_free(document);
}

static void test_keys_are_unique(void **state)
{
    struct document *document = document_new("t");
    struct arena arena = ARENA_EMPTY;
    const struct json *root;

    (void)state;
    document_heading(document, 2, NULL, "Same");
    document_value(document, 0, NULL, "Key", "1");
    document_value(document, 1, NULL, "Key", "2");
    document_value(document, 1, NULL, "Key", "3");
    document_value(document, 0, NULL, "Key", "4");
    document_number(document, "title", 5);
    document_heading(document, 2, NULL, "Same");
    document_value(document, 0, NULL, "Key", "6");
    document_heading(document, 3, NULL, "Same");
    root = parse(document, &arena);
    assert_string_equal(json_text(json_find(root, "sections", "same", "key", "text", NULL), ""), "1");
    assert_string_equal(json_text(json_find(root, "sections", "same", "key", "key", NULL), ""), "2");
    assert_string_equal(json_text(json_find(root, "sections", "same", "key", "key_2", NULL), ""), "3");
    assert_string_equal(json_text(json_find(root, "sections", "same", "key_2", NULL), ""), "4");
    assert_string_equal(json_text(json_find(root, "sections", "same", "title", NULL), ""), "Same");
    assert_string_equal(json_find(root, "sections", "same", "title_2", NULL)->text.data, "5.0");
    assert_string_equal(json_text(json_find(root, "sections", "same_2", "key", NULL), ""), "6");
    assert_non_null(json_find(root, "sections", "same_2", "sections", "same_3", NULL));
    arena_free(&arena);
    document_free(document);
}

static void test_lists_of_many_levels_close(void **state)
{
    static const unsigned depths[] = { 5, 0, 1, 2, 7, 1, 0 };
    struct document *document = document_new("t");
    char *text;
    int open = 0;

    (void)state;
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++)
        document_item(document, depths[i], "%u", depths[i]);
    text = print(document, DOCUMENT_HTML);
    for (const char *cursor = strstr(text, "<main>"); *cursor; cursor++) {
        open += strncmp(cursor, "<ul", 3) == 0 || strncmp(cursor, "<li", 3) == 0;
        open -= strncmp(cursor, "</ul", 4) == 0 || strncmp(cursor, "</li", 4) == 0;
        assert_true(open >= 0);
    }
    assert_int_equal(open, 0);
    free(text);
    document_free(document);
}

static void test_contents_of_a_page(void **state)
{
    struct document *document = document_new("t");
    char *text;

    (void)state;
    document_heading(document, 2, "a", "A");
    document_heading(document, 3, "b", "B");
    document_heading(document, 2, "c", "C & `d`");
    text = print(document, DOCUMENT_HTML);
    assert_null(strstr(text, "<nav"));
    free(text);
    document_heading(document, 2, "e", "E");
    text = print(document, DOCUMENT_HTML);
    assert_non_null(
        strstr(text, "<a href=\"#a\">A</a>\n<a href=\"#c\">C &amp; <code>d</code></a>\n<a href=\"#e\">E</a>\n</nav>"));
    free(text);
    document_free(document);
}

static void test_an_empty_document_and_empty_tables(void **state)
{
    static const struct document_column columns[] = { { "a", "A", false } };
    struct document *document = document_new("");
    struct arena arena = ARENA_EMPTY;

    (void)state;
    document_cell(document, "a cell without a grid is nothing");
    document_grid(document, "none", columns, 1);
    document_grid(document, "zero", columns, 0);
    document_table(document, table_new("empty", ""));
    assert_int_equal(document_status(document), STATUS_OK);
    assert_int_equal(json_get(parse(document, &arena), "none")->count, 0);
    arena_free(&arena);
    free(print(document, DOCUMENT_HTML));
    free(print(document, DOCUMENT_MARKDOWN));
    document_free(document);
    document_free(NULL);
}

/* ---- files ----------------------------------------------------------------------------------------------------- */

static void test_files_by_suffix(void **state)
{
    static const char *const names[] = { "a.md", "a.html", "a.json", "a.md.gz", "a.json.zst" };
    struct document *document = sample();
    char folder[] = "/tmp/tacho-document-XXXXXX";
    char path[256];

    (void)state;
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_int_equal(document_write(document, path), STATUS_OK);
        assert_int_equal(unlink(path), 0);
    }
    snprintf(path, sizeof path, "%s/a.txt", folder);
    assert_int_equal(document_write(document, path), STATUS_USAGE);
    assert_non_null(strstr(status_message(), ".md, .html or .json"));
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(document_write(document, "/dev/null/x.md"), STATUS_OUTPUT);
    document_free(document);
}

/* Each allocation fails in turn: nothing leaks, and the failure is reported. */
static void test_without_memory(void **state)
{
    bool done = false;

    (void)state;
    for (uint64_t nth = 1; !done; nth++) {
        struct table *table = table_new("t", "");
        struct document *document;
        struct output *output;

        assert_int_equal(output_open_memory(&output), STATUS_OK);
        memory_fail_at(nth);
        document = document_new("t");
        if (document) {
            static const struct document_column columns[] = { { "a", "A", false } };

            document_heading(document, 2, NULL, "**a**");
            document_value(document, 0, NULL, "a", "b");
            document_grid(document, "g", columns, 1);
            document_cell(document, "x");
            document_table(document, table);
            if (document_status(document) == STATUS_OK)
                done =
                    document_print(document, DOCUMENT_HTML, output) == STATUS_OK && output_status(output) == STATUS_OK;
        } else {
            table_free(table);
        }
        memory_fail_at(0);
        document_free(document);
        output_abandon(output);
        assert_true(nth < 1000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_markdown),
        cmocka_unit_test(test_html),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_marks_without_counterpart_are_characters),
        cmocka_unit_test(test_bytes_that_are_no_text),
        cmocka_unit_test(test_keys_are_unique),
        cmocka_unit_test(test_lists_of_many_levels_close),
        cmocka_unit_test(test_contents_of_a_page),
        cmocka_unit_test(test_an_empty_document_and_empty_tables),
        cmocka_unit_test(test_files_by_suffix),
        cmocka_unit_test(test_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
