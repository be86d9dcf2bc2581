/* test_board.c: a command on another machine, where memory ends at any moment; a script stands in for ssh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/path.h"
#include "job/core_verbs.h"

struct stand_in {
    char folder[64], ssh[96], sent[96], out[96], there[96];
};

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_int_equal(chmod(path, 0755), 0);
}

static int set_up(void **state)
{
    struct stand_in *place = calloc(1, sizeof *place);

    assert_non_null(place);
    strcpy(place->folder, "/tmp/tacho-board-XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    snprintf(place->ssh, sizeof place->ssh, "%s/ssh", place->folder);
    snprintf(place->sent, sizeof place->sent, "%s/sent", place->folder);
    snprintf(place->out, sizeof place->out, "%s/out", place->folder);
    snprintf(place->there, sizeof place->there, "%s/there", place->folder);
    write_text(place->ssh, "#!/bin/sh\nfor last; do :; done\nexec sh -c \"$last\"\n");
    write_text(place->sent, "sent\n");
    *state = place;
    return 0;
}

static int tear_down(void **state)
{
    struct stand_in *place = *state;
    char command[128];

    snprintf(command, sizeof command, "rm -rf '%s'", place->folder);
    assert_int_equal(system(command), 0);
    free(place);
    return 0;
}

/* A log that came back is summarised: the answer as JSON is what a program would get. */
static status run_board(const struct stand_in *place, const char *script, struct job *job)
{
    const char *const options[][2] = { { "host", "board" },     { "ssh", place->ssh }, { "remote-dir", place->there },
                                       { "push", place->sent }, { "fetch", "*.csv" },  { "out", place->out },
                                       { "json", NULL } };
    const char *const words[] = { "sh", "-c", script };
    struct output *output;
    status code = job_start(job, &record_verb);

    for (size_t i = 0; i < sizeof options / sizeof *options && code == STATUS_OK; i++)
        code = job_option(job, options[i][0], options[i][1]);
    for (size_t i = 0; i < sizeof words / sizeof *words && code == STATUS_OK; i++)
        code = job_input(job, words[i]);
    if (code == STATUS_OK)
        code = job_run(job);
    if (code == STATUS_OK)
        code = output_open_memory(&output);
    if (code == STATUS_OK) {
        code = job_write_json(job, output);
        output_abandon(output);
    }
    return code;
}

static const char *script(void)
{
    static char text[512];

    snprintf(text, sizeof text, "cp '%s/torq-golden/c1.csv' x.csv; echo said; echo complained >&2",
             getenv("TACHO_TEST_DATA"));
    return text;
}

static void test_memory_failures(void **state)
{
    const struct stand_in *place = *state;
    status code = STATUS_MEMORY;

    for (uint64_t nth = 1; code == STATUS_MEMORY && nth < 3000; nth += nth < 200 ? 1 : 17) {
        struct job job;

        memory_fail_at(nth);
        code = run_board(place, script(), &job);
        memory_fail_at(0);
        job_free(&job);
    }
    assert_int_equal(code, STATUS_OK);
}

/* What ends the command's connection without ending ssh's script is not told from a command that fails so: its status is asked for. */
static void test_exit_statuses(void **state)
{
    const struct stand_in *place = *state;
    const int statuses[] = { 1, 127, 254, 255 };

    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        char text[32];
        struct job job;

        snprintf(text, sizeof text, "exit %d", statuses[i]);
        assert_int_equal(run_board(place, text, &job), STATUS_OK);
        assert_int_equal(job.exit_code, statuses[i]);
        job_free(&job);
    }
}

/* Names that would lead out of the folder here are refused, whatever the other side says. */
static void test_hostile_names(void **state)
{
    const struct stand_in *place = *state;
    const char *const names[] = { "..", ".", "a/..", "/", "wall_time.txt" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char ssh[512];
        struct job job;

        /* The list of files begins with a function that no other script has. */
        snprintf(ssh, sizeof ssh,
                 "#!/bin/sh\nfor last; do :; done\ncase $last in *'list()'*) "
                 "mark=${last#*@}; echo \"@${mark%%%%\\'*}\" | tr -d '\\\\'; printf 'file 1 0 %s\\0' ;; "
                 "*) exec sh -c \"$last\" ;; esac\n",
                 names[i]);
        write_text(place->ssh, ssh);
        assert_int_equal(run_board(place, "true", &job), STATUS_INPUT);
        if (!strstr(status_message(), i < 4 ? "makes no sense" : "cannot come back"))
            fail_msg("%s: %s", names[i], status_message());
        job_free(&job);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_memory_failures, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_exit_statuses, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_hostile_names, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
