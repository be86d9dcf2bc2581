/* test_plot.c: pictures as SVG: what is drawn of odd values, that texts stay texts, and that copies are whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "table/plot.h"

static char *draw(const struct plot *plot)
{
    struct output *output;
    size_t length;
    char *text;

    assert_int_equal(output_open_memory(&output), STATUS_OK);
    plot_write(output, plot);
    text = strdup(output_memory(output, &length));
    assert_int_equal(strlen(text), length);
    output_abandon(output);
    return text;
}

static size_t count(const char *text, const char *part)
{
    size_t found = 0;

    for (; (text = strstr(text, part)) != NULL; text += strlen(part))
        found++;
    return found;
}

/* Whatever is drawn is well-formed enough: no number that is none, every element closed. */
static void check(const char *text)
{
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    assert_null(strstr(text, "<script"));
    assert_int_equal(count(text, "<text"), count(text, "</text>"));
    assert_int_equal(count(text, "<rect"), count(text, "</rect>"));
    assert_int_equal(count(text, "<figure"), count(text, "</figure>"));
}

/* The number behind `name`="..." at the first place behind `from`. */
static double attribute(const char *from, const char *name)
{
    char wanted[32];
    const char *found;

    snprintf(wanted, sizeof wanted, " %s=\"", name);
    found = strstr(from, wanted);
    assert_non_null(found);
    return strtod(found + strlen(wanted), NULL);
}

static struct plot stack(const char *const *rows, size_t row_count, const struct plot_bar *bars, size_t bar_count)
{
    return (struct plot){ .kind = PLOT_STACK,
                          .title = "Parts",
                          .x_title = "",
                          .y_title = "",
                          .rows = rows,
                          .row_count = row_count,
                          .bars = bars,
                          .bar_count = bar_count };
}

static void test_pieces_of_a_stack_add_up(void **state)
{
    static const char *const rows[] = { "after", "before" };
    static const struct plot_bar bars[] = { { 0, 30, PLOT_FIRST, "a", "30" },
                                            { 0, 10, PLOT_FIRST, "b", "10" },
                                            { 1, 60, PLOT_FIRST, "a", "60" },
                                            { 1, 20, PLOT_FIRST, "b", "20" } };
    struct plot plot = stack(rows, 2, bars, 4);
    char *text = draw(&plot), *piece = text;
    double ends[4];

    (void)state;
    check(text);
    assert_int_equal(count(text, "<rect"), 4);
    for (unsigned i = 0; i < 4; i++) {
        piece = strstr(piece + 1, "<rect");
        ends[i] = attribute(piece, "x") + attribute(piece, "width");
    }
    /* The longer row is as wide as the picture, the other in proportion; pieces touch. */
    assert_float_equal(ends[3], 640, 0.1);
    assert_float_equal(ends[1], 320, 0.1);
    assert_float_equal(ends[2], 480, 0.1);
    assert_int_equal(count(text, "class=\"part1\""), 2);
    free(text);
}

static void test_a_piece_without_time_keeps_its_colour(void **state)
{
    static const char *const rows[] = { "" };
    static const struct plot_bar bars[] = { { 0, 1, PLOT_FIRST, "a", "1" },
                                            { 0, 0, PLOT_FIRST, "none", "0" },
                                            { 0, -1, PLOT_FIRST, "less", "-1" },
                                            { 0, NAN, PLOT_FIRST, "unknown", "-" },
                                            { 0, INFINITY, PLOT_FIRST, "endless", "-" },
                                            { 0, 2, PLOT_FIRST, "b", "2" } };
    struct plot plot = stack(rows, 1, bars, 6);
    char *text = draw(&plot);

    (void)state;
    check(text);
    assert_int_equal(count(text, "<rect"), 2);
    assert_non_null(strstr(text, "class=\"part1\""));
    assert_non_null(strstr(text, "class=\"part6\""));
    free(text);
}

static void test_words_stand_in_a_piece_where_they_fit(void **state)
{
    static const char *const rows[] = { "" };
    static const struct plot_bar bars[] = { { 0, 90, PLOT_FIRST, "wide", "90.0 %" },
                                            { 0, 9, PLOT_FIRST, "a long name", "9.0 %" },
                                            { 0, 1, PLOT_FIRST, "thin", "1.0 %" } };
    struct plot plot = stack(rows, 1, bars, 3);
    char *text = draw(&plot);

    (void)state;
    assert_int_equal(count(text, "<text class=\"in\""), 2);
    assert_non_null(strstr(text, ">wide 90.0 %</text>"));
    assert_non_null(strstr(text, ">9.0 %</text>"));  /* the value where its name does not fit */
    assert_int_equal(count(text, "a long name"), 1); /* for who points at it */
    free(text);
}

static void test_nothing_to_draw(void **state)
{
    static const char *const rows[] = { "" };
    static const struct plot_bar none[] = { { 0, 0, PLOT_FIRST, "", "" }, { 0, NAN, PLOT_FIRST, "", "" } };
    static const struct plot_point points[] = { { NAN, 1, 0, PLOT_FIRST, "" },
                                                { 1, NAN, 0, PLOT_FIRST, "" },
                                                { 1, 1e300, 0, PLOT_FIRST, "" } };

    (void)state;
    for (unsigned kind = PLOT_ROOFS; kind <= PLOT_DOTS; kind++) {
        struct plot plot = stack(rows, 1, none, 2);
        char *text;

        plot.kind = (enum plot_kind)kind;
        plot.points = points;
        plot.point_count = kind == PLOT_ROOFS ? 2 : 3;
        text = draw(&plot);
        assert_string_equal(text, "");
        free(text);
    }
}

static void test_bars_of_two_sides(void **state)
{
    static const char *const rows[] = { "conv", "add" };
    static const struct plot_bar bars[] = { { 0, 4, PLOT_FIRST, "", "4ms" },
                                            { 0, 8, PLOT_SECOND, "", "8ms" },
                                            { 1, 2, PLOT_FIRST, "", "2ms" },
                                            { 1, NAN, PLOT_SECOND, "", "-" } };
    static const struct plot_legend legend[] = { { PLOT_FIRST, "after" }, { PLOT_SECOND, "before" } };
    struct plot plot = stack(rows, 2, bars, 4);
    char *text;

    (void)state;
    plot.kind = PLOT_BARS;
    plot.legend = legend;
    plot.legend_count = 2;
    text = draw(&plot);
    check(text);
    assert_int_equal(count(text, "<rect"), 3);
    assert_float_equal(attribute(strstr(text, "<rect class=\"second\""), "width"), 640, 0.1);
    assert_float_equal(attribute(strstr(text, "<rect class=\"first\""), "width"), 320, 0.1);
    assert_non_null(strstr(text, "<title>conv: 8ms</title>"));
    assert_int_equal(count(text, "class=\"entry\""), 2);
    free(text);
}

static void test_texts_stay_texts(void **state)
{
    static const char *const rows[] = { "<b>&\"'\x01\xff" };
    static const struct plot_bar bars[] = { { 0, 1, PLOT_FIRST, "</title><script>", "\"1\"" } };
    static const struct plot_point points[] = { { 1, 1, 0.5, PLOT_GOOD, "<i>point</i>" } };
    static const struct plot_group groups[] = { { 0, 2, "<group>" } };
    static const struct plot_level levels[] = { { 0, 2, 1, "<level>" } };
    static const struct plot_line lines[] = { { 1, 1, "<roof>" } };
    static const struct plot_legend legend[] = { { PLOT_BAD, "<legend>" } };

    (void)state;
    for (unsigned kind = PLOT_ROOFS; kind <= PLOT_DOTS; kind++) {
        struct plot plot = stack(rows, 1, bars, 1);
        char *text;

        plot.kind = (enum plot_kind)kind;
        plot.title = "a \" onload=\"x";
        plot.x_title = plot.y_title = "<axis>";
        plot.points = points;
        plot.lines = lines;
        plot.groups = groups;
        plot.levels = levels;
        plot.legend = legend;
        plot.point_count = plot.line_count = plot.group_count = plot.level_count = plot.legend_count = 1;
        text = draw(&plot);
        check(text);
        for (size_t i = 0; i < 8; i++) {
            static const char *const wrong[] = { "<b>",    "<i>",      "<group>", "<level>",
                                                 "<roof>", "<legend>", "<axis>",  "\" onload" };

            assert_null(strstr(text, wrong[i]));
        }
        free(text);
    }
}

static struct plot dots(const struct plot_point *points, size_t point_count)
{
    return (struct plot){ .kind = PLOT_DOTS,
                          .title = "Runs",
                          .x_title = "run",
                          .y_title = "ms",
                          .points = points,
                          .point_count = point_count };
}

static void test_one_value_has_a_frame(void **state)
{
    static const double values[] = { 0, 1, 7.821, 1e-300, -3, 1e14 };

    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct plot_point point = { 0, values[i], 0, PLOT_FIRST, "one" };
        struct plot plot = dots(&point, 1);
        char *text = draw(&plot);
        const char *circle = strstr(text, "<circle");

        check(text);
        assert_non_null(circle);
        assert_true(attribute(circle, "cy") > 12 && attribute(circle, "cy") < 204);
        assert_true(count(text, "class=\"grid\"") >= 2 && count(text, "class=\"grid\"") <= 20);
        free(text);
    }
}

static void test_many_values_keep_their_order(void **state)
{
    enum { MANY = 5000 };
    struct plot_point *points = memory_allocate(MANY * sizeof *points);
    struct plot plot;
    char *text;
    double last = -1;

    (void)state;
    for (size_t i = 0; i < MANY; i++)
        points[i] = (struct plot_point){ (double)i, 10 + (double)(i % 7), 0, PLOT_FIRST, "" };
    plot = dots(points, MANY);
    text = draw(&plot);
    check(text);
    assert_int_equal(count(text, "<circle"), MANY);
    for (const char *circle = strstr(text, "<circle"); circle; circle = strstr(circle + 1, "<circle")) {
        double x = attribute(circle, "cx");

        assert_true(x >= last && x <= 640);
        last = x;
    }
    free(text);
    memory_free(points);
}

static void test_values_above_the_frame_are_marked(void **state)
{
    static const struct plot_point points[] = { { 0, 900, 0, PLOT_WARNING, "warm-up" },
                                                { 1, 10, 0, PLOT_FIRST, "run" },
                                                { 2, 11, 0, PLOT_FIRST, "run" } };
    struct plot plot = dots(points, 3);
    char *text;

    (void)state;
    plot.y_most = 12;
    text = draw(&plot);
    check(text);
    assert_int_equal(count(text, "<circle"), 2);
    assert_int_equal(count(text, "<path class=\"dot warning\""), 1);
    assert_null(strstr(text, ">100<"));
    free(text);
}

/* Many groups and levels close to each other: words that have no room are left out, and none lies on another. */
static void test_words_do_not_collide(void **state)
{
    enum { MANY = 60 };
    struct plot_point points[MANY];
    struct plot_group groups[MANY];
    struct plot_level levels[MANY];
    struct plot plot = dots(points, MANY);
    char *text;

    (void)state;
    for (size_t i = 0; i < MANY; i++) {
        points[i] = (struct plot_point){ (double)i, 5, 0, PLOT_FIRST, "" };
        groups[i] = (struct plot_group){ (double)i, (double)i, "launch" };
        levels[i] = (struct plot_level){ 0, MANY - 1, 5 + 0.0001 * (double)i, "mode" };
    }
    plot.groups = groups;
    plot.levels = levels;
    plot.group_count = plot.level_count = MANY;
    text = draw(&plot);
    check(text);
    assert_int_equal(count(text, ">launch<"), 0);
    assert_int_equal(count(text, ">mode<"), 1);
    assert_int_equal(count(text, "class=\"level\""), MANY);
    free(text);
}

static void test_powers_of_ten_keep_their_distance(void **state)
{
    static const struct plot_point points[] = { { 1e-200, 1e-200, 0.5, PLOT_FIRST, "" },
                                                { 1e200, 1e200, 2, PLOT_FIRST, "" },
                                                { 0, 1, 1, PLOT_FIRST, "" } };
    struct plot plot = dots(points, 3);
    char *text;

    (void)state;
    plot.kind = PLOT_ROOFS;
    text = draw(&plot);
    check(text);
    assert_int_equal(count(text, "<circle"), 2);
    assert_true(count(text, "class=\"grid\"") < 40);
    free(text);
}

static struct plot everything(void)
{
    static const char *const rows[] = { "row" };
    static const struct plot_bar bars[] = { { 0, 1, PLOT_FIRST, "label", "shown" } };
    static const struct plot_point points[] = { { 1, 1, 0.5, PLOT_GOOD, "point" } };
    static const struct plot_group groups[] = { { 1, 1, "group" } };
    static const struct plot_level levels[] = { { 1, 1, 1, "level" } };
    static const struct plot_line lines[] = { { 1, 1, "line" } };
    static const struct plot_legend legend[] = { { PLOT_BAD, "legend" } };
    struct plot plot = stack(rows, 1, bars, 1);

    plot.points = points;
    plot.lines = lines;
    plot.groups = groups;
    plot.levels = levels;
    plot.legend = legend;
    plot.point_count = plot.line_count = plot.group_count = plot.level_count = plot.legend_count = 1;
    return plot;
}

static void test_a_copy_draws_the_same(void **state)
{
    struct plot plot = everything();
    struct arena arena = ARENA_EMPTY;

    (void)state;
    for (unsigned kind = PLOT_ROOFS; kind <= PLOT_DOTS; kind++) {
        const struct plot *copy;
        char *one, *other;

        plot.kind = (enum plot_kind)kind;
        copy = plot_copy(&arena, &plot);
        assert_non_null(copy);
        assert_ptr_not_equal(copy->bars, plot.bars);
        assert_ptr_not_equal(copy->points[0].label, plot.points[0].label);
        one = draw(&plot);
        other = draw(copy);
        assert_string_equal(one, other);
        free(one);
        free(other);
    }
    arena_free(&arena);
}

static void test_memory_may_run_out(void **state)
{
    struct plot plot = everything();
    struct arena arena = ARENA_EMPTY;

    (void)state;
    memory_fail_at(1);
    assert_null(plot_copy(&arena, &plot));
    memory_fail_at(0);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_of_a_stack_add_up),
        cmocka_unit_test(test_a_piece_without_time_keeps_its_colour),
        cmocka_unit_test(test_words_stand_in_a_piece_where_they_fit),
        cmocka_unit_test(test_nothing_to_draw),
        cmocka_unit_test(test_bars_of_two_sides),
        cmocka_unit_test(test_texts_stay_texts),
        cmocka_unit_test(test_one_value_has_a_frame),
        cmocka_unit_test(test_many_values_keep_their_order),
        cmocka_unit_test(test_values_above_the_frame_are_marked),
        cmocka_unit_test(test_words_do_not_collide),
        cmocka_unit_test(test_powers_of_ten_keep_their_distance),
        cmocka_unit_test(test_a_copy_draws_the_same),
        cmocka_unit_test(test_memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
