/* test_folders.c: what lies in folders that are served, and what does not; answers that are kept; threads that work; what a confined
 * process can do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/path.h"
#include "place.h"
#include "serve/answers.h"
#include "serve/confine.h"
#include "serve/folders.h"
#include "serve/pool.h"
#include "wait.h"

static void make_folder(const char *name)
{
    assert_int_equal(path_make_folder(file_at(name)), STATUS_OK);
}

static void make_link(const char *target, const char *name)
{
    char from[512];

    snprintf(from, sizeof from, "%s", file_at(target));
    assert_int_equal(symlink(*target == '/' ? target : from, file_at(name)), 0);
}

/* Folders on what lies at one name of the place. */
static void start_at(struct folders *folders, const char *name)
{
    const char *path = file_at(name);

    assert_int_equal(folders_start(folders, &path, 1, false), STATUS_OK);
    assert_int_equal(folders_scan(folders), STATUS_OK);
}

static struct served *named(const struct folders *folders, const char *name)
{
    for (size_t i = 0; i < folders->count; i++)
        if (strcmp(folders->items[i]->name, name) == 0 && !folders->items[i]->gone)
            return folders->items[i];
    return NULL;
}

static void files_come_and_go(void **state)
{
    struct folders folders;
    struct served *one;
    uint32_t version;

    (void)state;
    make_folder("live/deep/er");
    write_file("live/one.csv", "a");
    write_file("live/deep/er/two.csv", "b");
    write_file("live/.hidden.csv", "c");
    start_at(&folders, "live");
    assert_int_equal(folders.count, 2);
    one = named(&folders, "one.csv");
    assert_non_null(one);
    assert_non_null(named(&folders, "deep/er/two.csv"));
    assert_int_equal(strlen(one->id), FOLDERS_ID);
    assert_ptr_equal(folders_find(&folders, one->id), one);
    assert_null(folders_find(&folders, ""));
    assert_null(folders_find(&folders, "one.csv"));
    assert_null(strstr(one->path, one->id));

    version = one->version;
    assert_int_equal(folders_scan(&folders), STATUS_OK);
    assert_int_equal(one->version, version);
    write_file("live/one.csv", "longer");
    write_file("live/three.csv", "c");
    assert_int_equal(folders_scan(&folders), STATUS_OK);
    assert_int_equal(one->version, version + 1);
    assert_non_null(named(&folders, "three.csv"));
    assert_int_equal(unlink(file_at("live/one.csv")), 0);
    assert_int_equal(folders_scan(&folders), STATUS_OK);
    assert_true(one->gone);
    assert_null(folders_find(&folders, one->id));
    /* The same id when it comes back, and another version. */
    write_file("live/one.csv", "longer");
    assert_int_equal(folders_scan(&folders), STATUS_OK);
    assert_ptr_equal(folders_find(&folders, one->id), one);
    assert_true(one->version > version + 1);
    folders_free(&folders);
}

static void links_lead_nowhere_else(void **state)
{
    struct folders folders;
    struct served *item;

    (void)state;
    make_folder("served/inner");
    make_folder("served2");
    write_file("served/real.csv", "a");
    write_file("served2/secret.csv", "b");
    make_link("served2/secret.csv", "served/secret.csv");
    make_link("served2", "served/folder");
    make_link("served", "served/loop");
    make_link("/etc/passwd", "served/passwd");
    make_link("nowhere", "served/broken");
    make_link("served/real.csv", "served/inner/again.csv");
    start_at(&folders, "served");
    assert_int_equal(folders.count, 1);
    assert_int_equal(folders.outside, 4); /* the loop leads to what is served, and is not followed */
    item = folders.items[0];
    assert_int_equal(folders_check(&folders, item), STATUS_OK);
    assert_true(folders_hold(&folders, item->path));
    assert_false(folders_hold(&folders, file_at("served2/secret.csv")));
    assert_false(folders_hold(&folders, "/etc/passwd"));

    /* A file that becomes a link between two looks. */
    assert_int_equal(unlink(file_at("served/real.csv")), 0);
    make_link("served2/secret.csv", "served/real.csv");
    assert_int_equal(folders_check(&folders, item), STATUS_INPUT);
    folders_free(&folders);
}

static void a_file_alone(void **state)
{
    const char *missing = "/no/such/file";
    struct folders folders;

    (void)state;
    make_folder("alone");
    write_file("alone/given.csv", "a");
    write_file("alone/other.csv", "b");
    start_at(&folders, "alone/given.csv");
    assert_int_equal(folders.count, 1);
    assert_true(folders.items[0]->given);
    assert_string_equal(folders.items[0]->name, "given.csv");
    assert_false(folders_hold(&folders, file_at("alone/other.csv")));
    assert_false(folders_hold(&folders, file_at("alone/given.csv2")));
    folders_free(&folders);
    assert_int_equal(folders_start(&folders, &missing, 1, false), STATUS_INPUT);
    folders_free(&folders);
}

static void folders_without_memory(void **state)
{
    status code = STATUS_MEMORY;

    (void)state;
    make_folder("poor/deep");
    write_file("poor/one.csv", "a");
    write_file("poor/deep/two.csv", "b");
    for (uint64_t nth = 1; code != STATUS_OK; nth++) {
        char path[512];
        const char *paths[] = { path };
        struct folders folders;

        snprintf(path, sizeof path, "%s", file_at("poor"));
        memory_fail_at(nth);
        code = folders_start(&folders, paths, 1, false);
        if (code == STATUS_OK)
            code = folders_scan(&folders);
        memory_fail_at(0);
        assert_true(code == STATUS_OK || code == STATUS_MEMORY);
        assert_true(code != STATUS_OK || folders.count == 2);
        folders_free(&folders);
        assert_true(nth < 1000);
    }
}

/* ---- Answers ---- */

static struct answer *hold(struct answers *answers, const char *key)
{
    struct errand errand = { .kind = ERRAND_TABLE };
    struct answer *answer;

    assert_int_equal(answers_hold(answers, key, &errand, &answer), STATUS_OK);
    return answer;
}

/* Makes what is new: so many bytes. */
static struct answer *made(struct answers *answers, const char *key, size_t bytes)
{
    struct answer *answer = hold(answers, key);
    struct output *output;

    if (answer->state == ANSWER_NEW) {
        answer->state = ANSWER_MAKING;
        assert_int_equal(output_open(answer->path, &output), STATUS_OK);
        for (size_t i = 0; i < bytes; i++)
            output_write(output, "x", 1);
        assert_int_equal(output_commit(output), STATUS_OK);
        answer_done(answer, STATUS_OK);
    }
    return answer;
}

static void answers_are_kept_within_a_budget(void **state)
{
    struct answers answers;
    struct answer *first, *second;
    char path[512];

    (void)state;
    make_folder("answers");
    assert_int_equal(answers_start(&answers, file_at("answers"), 250), STATUS_OK);
    first = made(&answers, "first", 100);
    snprintf(path, sizeof path, "%s", first->path);
    assert_ptr_equal(hold(&answers, "first"), first);
    answer_drop(first);
    answer_drop(first);
    assert_int_equal(answers.bytes, 100);
    answer_drop(made(&answers, "second", 100));
    /* Used again, so that the second is the oldest. */
    answer_drop(made(&answers, "first", 0));
    answer_drop(made(&answers, "third", 100));
    assert_int_equal(answers.bytes, 200);
    assert_true(path_is_file(path));
    second = hold(&answers, "second");
    assert_int_equal(second->state, ANSWER_NEW);
    /* What failed is forgotten when nobody holds it. */
    second->state = ANSWER_MAKING;
    answer_done(second, status_fail(STATUS_INPUT, "no"));
    assert_int_equal(second->state, ANSWER_FAILED);
    assert_string_equal(second->error, "no");
    answer_drop(second);
    assert_int_equal(answers.count, 2);
    /* What somebody holds stays, whatever the budget. */
    first = made(&answers, "large", 1000);
    assert_true(path_is_file(first->path));
    answer_drop(first);
    /* So does what was used last, until something else is. */
    assert_int_equal(answers.bytes, 1000);
    answer_drop(made(&answers, "small", 10));
    assert_int_equal(answers.bytes, 10);
    /* What nobody can ask for any more goes at once, but for what somebody has in hand. */
    first = made(&answers, "2 id.7", 10);
    answer_drop(made(&answers, "1 id.7 other.1", 10));
    answers_forget(&answers, " id.");
    assert_int_equal(answers.count, 2);
    assert_int_equal(answers.bytes, 20);
    answer_drop(first);
    answers_free(&answers);
    assert_false(path_is_file(path));
}

static void what_is_being_written_counts(void **state)
{
    struct answers answers;
    struct answer *first, *second;

    (void)state;
    make_folder("growing");
    assert_int_equal(answers_start(&answers, file_at("growing"), 250), STATUS_OK);
    assert_int_equal(answers_measure(&answers), 250);
    answer_drop(made(&answers, "first", 100));
    assert_int_equal(answers_measure(&answers), 150);
    /* A job writes a file, and another one in a folder of its own: answers make room. */
    make_folder("growing/9.tar.files");
    write_file("growing/9.tar.files/part", "0123456789");
    write_file("growing/8.json.tmp", "01234567890123456789");
    assert_int_equal(answers_measure(&answers), 20 + 250 - 130);
    assert_int_equal(answers.growing, 30);
    answer_drop(made(&answers, "second", 100));
    assert_int_equal(answers.count, 2);
    second = made(&answers, "third", 100);
    assert_int_equal(answers_measure(&answers), 20 + 250 - 230);
    assert_int_equal(answers.count, 2);
    /* Small ones are not endless. */
    for (unsigned i = 0; i < ANSWERS_MOST + 50; i++) {
        char key[32];

        snprintf(key, sizeof key, "small %u", i);
        answer_drop(made(&answers, key, 0));
    }
    assert_true(answers.count <= ANSWERS_MOST);
    answers.budget = 130;
    answers_measure(&answers);
    answers.budget = 250;
    /* What somebody holds stays; then no file may become larger than the largest that grows. */
    first = made(&answers, "fourth", 200);
    assert_int_equal(answers_measure(&answers), 20);
    answer_drop(first);
    answer_drop(second);
    answers_free(&answers);
}

/* ---- Threads ---- */

static _Atomic int running, most, wanted, begun, done, released;
static _Atomic bool held;

static bool comes_to(const _Atomic int *number, int least)
{
    for (int i = 0; i < WAIT_MS && *number < least; i++)
        usleep(1000);
    return *number >= least;
}

/* Waits for as many beside it as are wanted, and long enough for one too many. */
static void work(void *context)
{
    int now = ++running;

    (void)context;
    for (int seen = most; now > seen && !atomic_compare_exchange_weak(&most, &seen, now);)
        continue;
    (void)comes_to(&most, wanted);
    usleep(3000);
    running--;
    done++;
}

static void stay(void *context)
{
    (void)context;
    begun++;
    while (held)
        usleep(1000);
    done++;
}

static void start_counting(bool hold_them)
{
    running = most = wanted = begun = done = released = 0;
    held = hold_them;
}

static void note_release(void *owner)
{
    assert_ptr_equal(owner, &released);
    released++;
}

static void add(struct pool *pool, void (*run)(void *), uint64_t bytes, bool behind)
{
    struct pool_piece piece = { .run = run, .context = memory_allocate(1), .memory = bytes, .behind = behind };

    assert_non_null(piece.context);
    assert_int_equal(pool_add(pool, piece), STATUS_OK);
}

static void wait_for(const _Atomic int *number, int count)
{
    (void)comes_to(number, count);
    assert_int_equal(*number, count);
}

static void work_within_a_budget(void **state)
{
    struct pool *pool;

    (void)state;
    start_counting(false);
    wanted = 2;
    assert_int_equal(pool_start(&pool, 4, 100, note_release, &released), STATUS_OK);
    for (int i = 0; i < 12; i++)
        add(pool, work, 50, false);
    wait_for(&done, 12);
    assert_int_equal(most, 2);
    /* Those that need more than all of it run alone. */
    most = wanted = 0;
    for (int i = 0; i < 4; i++)
        add(pool, work, 1000, false);
    wait_for(&done, 16);
    assert_int_equal(most, 1);
    most = 0;
    for (int i = 0; i < 6; i++)
        add(pool, work, 1, true);
    wait_for(&done, 22);
    assert_int_equal(most, 1);
    assert_true(pool_stop(pool, WAIT_MS));
    assert_int_equal(released, 1);
}

static void work_that_outlives_its_pool(void **state)
{
    struct pool *pool;

    (void)state;
    start_counting(true);
    assert_int_equal(pool_start(&pool, 2, 100, note_release, &released), STATUS_OK);
    add(pool, stay, 60, false);
    wait_for(&begun, 1);
    add(pool, stay, 60, false); /* never begun, and freed */
    assert_false(pool_stop(pool, 10));
    assert_int_equal(released, 0);
    held = false;
    wait_for(&released, 1);
    assert_int_equal(done, 1);
}

/* Whatever waits for another machine, somebody is there for the rest. */
static void work_that_waits_elsewhere(void **state)
{
    struct pool_piece piece = { .run = stay, .elsewhere = true };
    struct pool *pool;

    (void)state;
    start_counting(true);
    assert_int_equal(pool_start(&pool, 2, 100, note_release, &released), STATUS_OK);
    for (int i = 0; i < 3; i++) {
        piece.context = memory_allocate(1);
        assert_int_equal(pool_add(pool, piece), STATUS_OK);
    }
    add(pool, work, 1, false);
    add(pool, work, 1, true);
    wait_for(&done, 2);
    wait_for(&begun, 1);
    assert_false(pool_stop(pool, 10));
    held = false;
    wait_for(&released, 1);
    assert_int_equal(done, 3); /* the second and the third were never begun */
}

static void queues_are_not_endless(void **state)
{
    struct pool_piece piece = { .run = work };
    struct pool *pool;
    status code = STATUS_OK;
    int added = 0;

    (void)state;
    start_counting(true);
    assert_int_equal(pool_start(&pool, 1, 100, note_release, &released), STATUS_OK);
    add(pool, stay, 1, false);
    for (; code == STATUS_OK && added < 1000; added++) {
        piece.context = memory_allocate(1);
        code = pool_add(pool, piece);
    }
    assert_int_equal(code, STATUS_NO);
    assert_true(added <= POOL_FRONT + 2);
    memory_free(piece.context);
    held = false;
    assert_true(pool_stop(pool, WAIT_MS));
}

/* ---- Confinement ---- */

/* In a process of its own: what it could do, as a sum of bits. */
static int try_confined(const char *read, const char *write)
{
    struct sockaddr_in here = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int listener = socket(AF_INET, SOCK_STREAM, 0), made = socket(AF_INET, SOCK_STREAM, 0);
    socklen_t size = sizeof here;
    struct confined confined;
    char path[600];
    int could = 0, file;

    if (bind(listener, (struct sockaddr *)&here, size) || listen(listener, 1) ||
        getsockname(listener, (struct sockaddr *)&here, &size))
        return 128;
    if (confine(&read, 1, write, &confined) != STATUS_OK)
        return 128;
    if (!confined.landlock || !confined.calls)
        return 0;
    snprintf(path, sizeof path, "%s/in.csv", read);
    file = open(path, O_RDONLY);
    if (file < 0 || close(file))
        return 64; /* it could not do what it may */
    snprintf(path, sizeof path, "%s/made", write);
    file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (file < 0 || close(file) || unlink(path))
        return 64;
    could |= open("/etc/passwd", O_RDONLY) >= 0 ? 1 : 0;
    snprintf(path, sizeof path, "%s/made", read);
    could |= open(path, O_WRONLY | O_CREAT, 0600) >= 0 ? 2 : 0;
    could |= socket(AF_INET, SOCK_STREAM, 0) >= 0 ? 4 : 0;
    /* Whatever the call says, nothing is connected. */
    could |= connect(made, (struct sockaddr *)&here, size) == 0 ? 32 : 0;
    could |= getpeername(made, (struct sockaddr *)&here, &size) == 0 ? 32 : 0;
    snprintf(path, sizeof path, "%s/in.csv", read);
    could |= unlink(path) == 0 ? 8 : 0;
    execl("/bin/true", "true", (char *)NULL);
    could |= errno == EPERM || errno == EACCES ? 0 : 16;
    return could;
}

static void what_a_confined_process_can_do(void **state)
{
    char read[512], write[512];
    int status_of_child;
    pid_t child;

    (void)state;
    make_folder("readable");
    make_folder("writable");
    write_file("readable/in.csv", "a");
    snprintf(read, sizeof read, "%s", file_at("readable"));
    snprintf(write, sizeof write, "%s", file_at("writable"));
    child = fork();
    assert_true(child >= 0);
    if (!child)
        _exit(try_confined(read, write));
    assert_int_equal(waitpid(child, &status_of_child, 0), child);
    assert_true(WIFEXITED(status_of_child));
    assert_int_equal(WEXITSTATUS(status_of_child), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_come_and_go),
        cmocka_unit_test(links_lead_nowhere_else),
        cmocka_unit_test(a_file_alone),
        cmocka_unit_test(folders_without_memory),
        cmocka_unit_test(answers_are_kept_within_a_budget),
        cmocka_unit_test(what_is_being_written_counts),
        cmocka_unit_test(work_within_a_budget),
        cmocka_unit_test(work_that_outlives_its_pool),
        cmocka_unit_test(work_that_waits_elsewhere),
        cmocka_unit_test(queues_are_not_endless),
        cmocka_unit_test(what_a_confined_process_can_do),
    };

    return cmocka_run_group_tests(tests, make_place, remove_place);
}
