/* test_execution.c: nesting, self times and sums of executions: by instruction, by time, over runs that repeat and runs that do not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "executorch/execution.h"

static struct strings *strings;
static struct execution execution;

static int set_up(void **state)
{
    (void)state;
    strings = model_strings();
    assert_non_null(strings);
    execution_start(&execution, strings);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    execution_free(&execution);
    strings_free(strings);
    return 0;
}

static string_id text(const char *value)
{
    string_id id;

    assert_int_equal(strings_add_text(strings, value, &id), STATUS_OK);
    return id;
}

static uint32_t add_run(const char *block)
{
    uint32_t run;

    assert_int_equal(execution_add_run(&execution, text(block), -1, &run), STATUS_OK);
    return run;
}

static uint32_t add(uint32_t run, const char *name, enum event_kind kind, int32_t instruction, int64_t start,
                    int64_t duration)
{
    struct execution_operator key = execution_key(execution_run_at(&execution, run)->block, text(name), kind);
    uint32_t op, event;

    key.instruction = instruction;
    key.chain = instruction < 0 ? -1 : 0;
    assert_int_equal(execution_operator(&execution, &key, &op), STATUS_OK);
    assert_int_equal(execution_add_event(&execution, op, run, start, duration, &event), STATUS_OK);
    return event;
}

static const struct execution_event *event_at(uint32_t event)
{
    return execution_event_at(&execution, event);
}

static void settle(void)
{
    assert_int_equal(execution_settle(&execution), STATUS_OK);
}

static struct text of(const char *value)
{
    return (struct text){ value, strlen(value) };
}

static void names(void **state)
{
    (void)state;
    assert_int_equal(event_kind_of_name(of("Method::execute")), EVENT_EXECUTE);
    assert_int_equal(event_kind_of_name(of("Program::load_method")), EVENT_LOAD);
    assert_int_equal(event_kind_of_name(of("OPERATOR_CALL")), EVENT_CALL);
    assert_int_equal(event_kind_of_name(of("MOVE_CALL")), EVENT_CONTROL);
    assert_int_equal(event_kind_of_name(of("Method::step")), EVENT_CONTROL);
    assert_int_equal(event_kind_of_name(of("native_call_add.out")), EVENT_PORTABLE);
    assert_int_equal(event_kind_of_name(of("")), EVENT_PORTABLE);
    assert_memory_equal(operator_type_of_name(of(" \"Add (ND) #12\" ")).data, "Add (ND)", 8);
    assert_int_equal(operator_type_of_name(of(" \"Add (ND) #12\" ")).length, 8);
    assert_int_equal(operator_type_of_name(of("a #1 #2")).length, 4);
    assert_int_equal(operator_type_of_name(of("#1")).length, 2);
    assert_true(backend_is_portable(of("Portable")) && backend_is_portable(of("")));
    assert_false(backend_is_portable(of("XNNPACK")) || backend_is_portable(of("delegated")));
}

static void nests_as_logged(void **state)
{
    uint32_t run, first, second, call, native, wrapper, jump, whole;

    (void)state;
    run = add_run("Execute");
    first = add(run, "Conv #1", EVENT_DELEGATED, 0, 110, 30);
    second = add(run, "Add #1", EVENT_DELEGATED, 0, 140, 10);
    call = add(run, "DELEGATE_CALL", EVENT_CALL, 0, 105, 60);
    native = add(run, "native_call_add.out", EVENT_PORTABLE, 1, 170, 20);
    wrapper = add(run, "OPERATOR_CALL", EVENT_CALL, 1, 170, 20); /* the same interval: logged later, so outer */
    jump = add(run, "JF_CALL", EVENT_CONTROL, 2, 191, 2);
    whole = add(run, "Method::execute", EVENT_EXECUTE, -1, 100, 100);
    settle();
    assert_int_equal(event_at(first)->parent, call);
    assert_int_equal(event_at(second)->parent, call);
    assert_int_equal(event_at(call)->parent, whole);
    assert_int_equal(event_at(native)->parent, wrapper);
    assert_int_equal(event_at(wrapper)->parent, whole);
    assert_int_equal(event_at(jump)->parent, whole);
    assert_int_equal(event_at(whole)->parent, NO_ID);
    assert_int_equal(event_at(call)->self, 20);
    assert_int_equal(event_at(wrapper)->self, 0);
    assert_int_equal(event_at(whole)->self, 100 - 60 - 20 - 2);
    assert_int_equal(execution_run_at(&execution, run)->execute, 100);
    assert_int_equal(execution_inferences(&execution), 1);
    assert_int_equal(execution_operator_at(&execution, 1)->place, 1);
    assert_int_equal(execution_operator_at(&execution, 1)->call, event_at(call)->op);
    assert_int_equal(execution_operator_at(&execution, 3)->parent, event_at(wrapper)->op);
    assert_false(execution.overlapping || execution.no_clock);
}

/* Operators of no length at the edges of others are their siblings, never their children. */
static void delegated_operators_stay_side_by_side(void **state)
{
    uint32_t run, none, some, last, call;

    (void)state;
    run = add_run("Execute");
    none = add(run, "Copy #1", EVENT_DELEGATED, -1, 10, 0);
    some = add(run, "Conv #1", EVENT_DELEGATED, -1, 10, 5);
    last = add(run, "Copy #2", EVENT_DELEGATED, -1, 15, 0);
    call = add(run, "DELEGATE_CALL", EVENT_CALL, -1, 10, 5);
    settle();
    assert_int_equal(event_at(none)->parent, call);
    assert_int_equal(event_at(some)->parent, call);
    assert_int_equal(event_at(last)->parent, call);
    assert_int_equal(event_at(call)->self, 0);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(execution_operator_at(&execution, i)->place, i);
}

/* A delegate that counts cycles: its stamps lie elsewhere, its instruction does not. */
static void foreign_clocks_nest_by_instruction(void **state)
{
    uint32_t run, event, call;

    (void)state;
    run = add_run("Execute");
    event = add(run, "7", EVENT_DELEGATED, 4, 900000, 5000);
    call = add(run, "DELEGATE_CALL", EVENT_CALL, 4, 10, 50);
    add(run, "Method::execute", EVENT_EXECUTE, -1, 0, 100);
    settle();
    assert_int_equal(event_at(event)->parent, call);
    assert_int_equal(event_at(call)->self, 0);
    assert_true(execution.overlapping);
}

static void loops_keep_every_iteration(void **state)
{
    uint32_t run;

    (void)state;
    run = add_run("Execute");
    for (int64_t i = 0; i < 5; i++) {
        add(run, "Add #1", EVENT_DELEGATED, 3, 10 * i + 1, 4);
        assert_int_equal(add(run, "DELEGATE_CALL", EVENT_CALL, 3, 10 * i, 8), (uint32_t)(2 * i + 1));
    }
    settle();
    assert_int_equal(execution.operators.count, 2);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(event_at(2 * i)->parent, 2 * i + 1);
    assert_int_equal(execution_operator_at(&execution, 0)->events, 5);
    assert_int_equal(execution_operator_at(&execution, 0)->total, 20);
    assert_int_equal(execution_operator_at(&execution, 1)->self_total, 20);
    assert_int_equal(execution_run_at(&execution, run)->execute, -1);
}

static void runs_count_by_block(void **state)
{
    (void)state;
    assert_int_equal(execution_run_at(&execution, add_run("Default"))->index, 0);
    assert_int_equal(execution_run_at(&execution, add_run("Execute"))->index, 0);
    assert_int_equal(execution_run_at(&execution, add_run("Execute"))->index, 1);
    assert_int_equal(execution_run_at(&execution, add_run("Default"))->index, 1);
    settle();
    assert_int_equal(execution_inferences(&execution), 0);
}

static void no_clock(void **state)
{
    uint32_t run;

    (void)state;
    run = add_run("Execute");
    add(run, "a", EVENT_PORTABLE, 0, 11223344, 0);
    add(run, "b", EVENT_PORTABLE, 1, 11223344, 0);
    settle();
    assert_true(execution.no_clock);
}

/* Random trees, logged post-order: the self times below each inference add up to it, whatever the shape. */
static int64_t grow(uint32_t run, unsigned depth, int64_t start, int64_t end)
{
    int64_t next = start;
    char name[32];

    while (depth < 4 && end - next > 3 && rand() % 4) {
        int64_t from = next + rand() % 2, to = from + 1 + rand() % (end - from);

        next = grow(run, depth + 1, from, to);
    }
    snprintf(name, sizeof name, "op%d", rand() % 8);
    add(run, depth == 0 ? "Method::execute" : name, depth == 0 ? EVENT_EXECUTE : EVENT_PORTABLE, -1, start,
        end - start);
    return end;
}

static void self_times_add_up(void **state)
{
    (void)state;
    srand(7);
    for (unsigned round = 0; round < 200; round++) {
        for (unsigned i = 0; i < 1 + round % 3; i++)
            grow(add_run("Execute"), 0, 1000 * (int64_t)i, 1000 * (int64_t)i + 1 + rand() % 900);
        settle();
        assert_false(execution.overlapping);
        for (uint32_t i = 0; i < execution.runs.count; i++) {
            const struct execution_run *run = execution_run_at(&execution, i);
            int64_t sum = 0;

            for (uint32_t k = 0; k < run->event_count; k++)
                sum += event_at(execution.order[run->first_event + k])->self;
            assert_int_equal(sum, run->execute);
        }
        execution_free(&execution);
        execution_start(&execution, strings);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nests_as_logged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(delegated_operators_stay_side_by_side, set_up, tear_down),
        cmocka_unit_test_setup_teardown(foreign_clocks_nest_by_instruction, set_up, tear_down),
        cmocka_unit_test_setup_teardown(loops_keep_every_iteration, set_up, tear_down),
        cmocka_unit_test_setup_teardown(runs_count_by_block, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_clock, set_up, tear_down),
        cmocka_unit_test_setup_teardown(self_times_add_up, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
