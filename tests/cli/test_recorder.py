"""The recorder, by a decoder that knows the format alone: what programs record, and what is left of them when they fork, exec, crash, run out
of disk or are killed."""
import collections
import signal
import stat
import subprocess
import time

import pytest

import cross
import kill_recorder
import recording_reference
import tool
import waiting

BUILD = tool.BUILD
ZONES = BUILD / "tests" / "zones"
LIBRARY = BUILD / "tests" / "libloaded.so"


class Recorded:
    """One run of the program `zones`: how it ended, and the processes in the files that it left."""

    def __init__(self, folder, *arguments, code=0, path="run.tacho", prefix=(), **variables):
        command = [*prefix, ZONES, *[str(argument) for argument in arguments]]
        self.done = subprocess.run(command, capture_output=True, text=True, cwd=folder,
                                   env=tool.environment(TACHO_RECORD=path, **variables), timeout=waiting.LIMIT)
        assert self.done.returncode == code, self.done.stderr
        self.files = sorted(folder.rglob("*.tacho"))
        self.processes = [process for file in self.files for process in recording_reference.read(file)]

    @property
    def only(self):
        process, = self.processes
        return process


def names_of(process):
    return collections.Counter(zone[1] for zone in process.zones()[0])


@pytest.mark.waits
def test_zones_of_threads_nest_and_none_is_lost(tmp_path):
    process = Recorded(tmp_path, "nest", 4, 20000).only
    done, still_open, without = process.zones()
    assert len(done) == 80000 and not still_open and not without and process.state == 2
    assert sum(process.dropped) == 0 and len(process.thread_names) == 5
    # The rule of the program: a zone of depth d has at most d mod 3 children.
    assert max(zone[4] for zone in done) == 3 - 1
    by_thread = collections.Counter(zone[0] for zone in done)
    assert sorted(by_thread.values()) == [20000] * 4
    arguments = [record for records in process.threads.values() for record in records if record.kind == "argument_integer"]
    assert len(arguments) == 80000


def test_every_kind_of_record(tmp_path):
    process = Recorded(tmp_path, "kinds").only
    kinds = collections.Counter(record.kind for record in process.threads[0])
    for kind in recording_reference.KINDS.values():
        if kind not in ("value", "text", "site", "thread", "process", "clock", "track", "thread_here", "color"):
            assert kinds[kind] > 0, kind
    texts = {record.text for record in process.threads[0]}
    assert b"made name" in texts and b"renamed" in texts and b"a message" in texts
    assert 'a text with "quotes" and ä'.encode() in texts
    names = {record.kind: record for record in process.names}
    assert names["process"].text == b"all kinds" and names["clock"].text == b"chip 0" and names["track"].text == b"chip 0/core 1"
    assert process.thread_names[0] == "main thread"
    total, = [record for record in process.threads[0] if record.kind == "sum"]
    assert total.values[2] == 10 and total.values[1] <= total.values[0] - total.word
    assert 0 < process.zone_cost / 256 < 100000


def test_ties_are_narrow_and_in_order(tmp_path):
    process = Recorded(tmp_path, "nest", 1, 1000, 30).only
    assert len(process.ties) >= 3
    for before, after in zip(process.ties, process.ties[1:]):
        assert before[0] <= before[2] <= after[0] <= after[2] and before[1] < after[1]


def test_the_systems_clock_where_it_is_asked_for(tmp_path):
    before = time.monotonic_ns()
    process = Recorded(tmp_path, "nest", 1, 10, TACHO_CLOCK="monotonic").only
    after = time.monotonic_ns()
    assert process.clock == 1
    assert all(before < begin <= end < after for _, _, begin, end, *_ in process.zones()[0])


@pytest.mark.waits
def test_threads_that_come_and_go_share_chunks(tmp_path):
    process = Recorded(tmp_path, "churn", 16, 50).only
    done, still_open, without = process.zones()
    assert len(done) == 8000 and not still_open and not without
    assert len(process.thread_names) == 801 and len(process.chunks) < 60
    assert "churn 799" in process.thread_names.values()


@pytest.mark.waits
def test_a_signal_handler_may_record_anywhere(tmp_path):
    process = Recorded(tmp_path, "signals", 20000).only
    done, still_open, without = process.zones()
    names = names_of(process)
    assert names["interrupted"] == 20000 and names["handler"] > 0 and not still_open and not without
    texts = [record for record in process.threads[0] if record.kind == "argument_text"]
    # The key, then the value.
    assert len(texts) == 20000 and {record.text for record in texts} == {b"texta text of some slots, written in one piece"}
    messages = [record for record in process.threads[0] if record.kind == "instant"]
    assert len(messages) == names["handler"]


@pytest.mark.waits
def test_children_of_fork_record_for_themselves(tmp_path):
    recorded = Recorded(tmp_path, "fork", 6)
    assert len(recorded.processes) == 10 and len({process.pid for process in recorded.processes}) == 10
    counts = collections.Counter()
    for process in recorded.processes:
        counts += names_of(process)
        assert process.zones()[2] == 0
    assert counts == {"parent": 1, "child": 600}
    assert (tmp_path / "run.tacho").exists()
    # What a child leaves by exit() inside of a zone is an open zone.
    assert sum(len(process.zones()[1]) for process in recorded.processes) == 3


@pytest.mark.waits
@pytest.mark.parametrize("children", [20, pytest.param(200, marks=pytest.mark.long)])
def test_a_storm_of_forks_while_threads_record(tmp_path, children):
    recorded = Recorded(tmp_path, "forks", children)
    told = {int(pid): (name, int(count)) for pid, name, count in (line.split() for line in recorded.done.stdout.splitlines())}
    assert len(recorded.processes) == len(told) == children + 1 and {process.pid for process in recorded.processes} == set(told)
    for process in recorded.processes:
        name, count = told[process.pid]
        others = {"short life": 10} if name == "child" else {"say_all": count}
        assert names_of(process) == {name: count, **others} and sum(process.dropped) == 0
        assert not process.zones()[1] and not process.zones()[2]


@pytest.mark.waits
def test_a_recording_is_stopped_while_threads_record(tmp_path):
    done = subprocess.run([ZONES, "restart", "20", tmp_path / "turn"], capture_output=True, text=True, env=tool.environment())
    assert done.returncode == 0, done.stderr
    processes = [recording_reference.read(tmp_path / f"turn-{i}.tacho")[0] for i in range(20)]
    assert sum(len(process.zones()[0]) for process in processes) > 0 and {process.state for process in processes} == {2}


@pytest.mark.waits
@pytest.mark.slow
def test_threads_that_are_cancelled(tmp_path):
    process = Recorded(tmp_path, "cancel", 6, TACHO_CAP="12").only
    assert process.state == 2 and len(process.thread_names) == 7 and len(process.zones()[0]) > 0


def test_a_child_that_records_nothing_leaves_no_file(tmp_path):
    assert len(Recorded(tmp_path, "exec", "/bin/true").files) == 1


@pytest.mark.waits
def test_exec_begins_another_recording(tmp_path):
    recorded = Recorded(tmp_path, "exec", ZONES, "nest", 1, 50)
    assert len(recorded.files) == 2
    first = recording_reference.read(tmp_path / "run.tacho")[0]
    assert [name for _, name in first.zones()[1]] == ["before exec"] and first.state == 1
    other, = [process for process in recorded.processes if process.state == 2]
    assert len(other.zones()[0]) == 50 and other.pid == first.pid


def test_a_library_that_is_unloaded_leaves_its_names(tmp_path):
    process = Recorded(tmp_path, "load", LIBRARY).only
    assert names_of(process) == {"in a library": 3}


@pytest.mark.waits
def test_recordings_one_after_another(tmp_path):
    done = subprocess.run([ZONES, "again", "5", tmp_path / "turn"], capture_output=True, text=True, env=tool.environment())
    assert done.returncode == 0, done.stderr
    for i in range(5):
        process, = recording_reference.read(tmp_path / f"turn-{i}.tacho")
        assert len(process.zones()[0]) == 200 and process.sites == {1: "nested", 2: "depth"}


@pytest.mark.once("the sanitizer ends the program in its own way")
def test_a_crash_shows_what_was_open(tmp_path):
    process = Recorded(tmp_path, "crash", code=-signal.SIGSEGV).only
    assert [name for _, name in process.zones()[1]] == ["outer", "middle", "the one that crashes"] and process.state == 1


@pytest.mark.waits
def test_a_ring_keeps_the_last(tmp_path):
    process = Recorded(tmp_path, "nest", 2, 300000, TACHO_RING="4").only
    done, still_open, without = process.zones()
    assert not still_open and without <= 3 * 64 and 40000 < len(done) < 600000
    assert (tmp_path / "run.tacho").stat().st_size < 8 << 20
    ends = collections.defaultdict(list)
    for zone in done:
        ends[zone[0]].append(zone[3])
    assert all(times == sorted(times) for times in ends.values())


def test_the_cap_drops_and_counts(tmp_path):
    process = Recorded(tmp_path, "nest", 2, 150000, TACHO_CAP="4").only
    done, still_open, _ = process.zones()
    records = sum(len(records) for records in process.threads.values())
    # A begin and an end and an argument each; an argument of a zone that was dropped may still have been tried.
    assert records + sum(process.dropped) <= 3 * 300000 and sum(process.dropped) > 300000
    assert 0 < len(done) < 300000 and (tmp_path / "run.tacho").stat().st_size <= 4 << 20


def in_small_disk(folder, script):
    """Runs a script in a mount namespace where `folder` is a disk of 3 MB."""
    return subprocess.run(["unshare", "-rm", "sh", "-c", f"mount -t tmpfs -o size=3m none {folder} && {script}"], capture_output=True,
                          text=True, env=tool.environment(TACHO_RECORD=f"{folder}/run.tacho"))


def test_a_full_disk_drops_and_counts_and_kills_nobody(tmp_path):
    disk, kept = tmp_path / "disk", tmp_path / "kept.tacho"
    disk.mkdir()
    done = in_small_disk(disk, f"{ZONES} nest 2 60000 && cp {disk}/run.tacho {kept}")
    assert done.returncode == 0, done.stderr
    process, = recording_reference.read(kept)
    assert process.full > 0 and sum(process.dropped) > 0 and len(process.zones()[0]) > 0


def test_a_folder_that_cannot_be_written(tmp_path):
    closed = tmp_path / "closed"
    closed.mkdir()
    closed.chmod(stat.S_IRUSR | stat.S_IXUSR)
    recorded = Recorded(tmp_path, "nest", 1, 10, path=str(closed / "run.tacho"), prefix=tool.BOUND)
    closed.chmod(stat.S_IRWXU)
    assert recorded.done.stderr == f"tacho: cannot record to {closed / 'run.tacho'}: Permission denied\n" and not recorded.files


def test_a_place_that_is_no_file(tmp_path):
    assert "cannot record to /dev/null" in Recorded(tmp_path, "nest", 1, 10, path="/dev/null").done.stderr


def test_a_folder_gets_a_file_of_its_own(tmp_path):
    recorded = Recorded(tmp_path, "nest", 1, 10, path=f"{tmp_path}/all/")
    assert recorded.files == [tmp_path / "all" / f"zones-{recorded.only.pid}.tacho"]


def test_limits_of_the_process(tmp_path):
    limited = Recorded(tmp_path, "nest", 1, 150000, prefix=["sh", "-c", 'ulimit -f 8192 && exec "$@"', "sh"])
    assert sum(limited.only.dropped) > 0 and (tmp_path / "run.tacho").stat().st_size <= 8192 * 1024


@pytest.mark.waits
def test_an_older_recording_is_replaced_and_one_in_use_is_not(tmp_path):
    Recorded(tmp_path, "nest", 1, 10)
    assert len(Recorded(tmp_path, "nest", 1, 20).only.zones()[0]) == 20
    waiting = subprocess.Popen([ZONES, "wait"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path,
                               env=tool.environment(TACHO_RECORD="run.tacho"))
    waiting.stdout.readline()
    other = Recorded(tmp_path, "nest", 1, 30)
    waiting.communicate(b"end\n")
    assert len(other.files) == 2 and sorted(len(process.zones()[0]) for process in other.processes)[-1] >= 30


@pytest.mark.waits
# What is lost at the begin, in the first chunks and between threads shows within milliseconds; more kills say how seldom the rest is.
@pytest.mark.parametrize("times", [8, pytest.param(300, marks=pytest.mark.long)])
def test_nothing_that_ended_is_lost_by_a_kill(tmp_path, times):
    for i in range(times):
        counted, recorded, dropped = kill_recorder.kill_once(ZONES, tmp_path, 0.0007 * (i % 30), 1 + i % 3, False)
        assert recorded + dropped >= counted, f"kill {i}"


def test_one_file_to_drop_in(tmp_path):
    source = tool.TESTS / "programs" / "zones.c"
    program = tmp_path / "zones"
    (tmp_path / "tacho").mkdir()
    (tmp_path / "tacho" / "zone.h").write_text('#include "tacho_record.h"\n')
    done = subprocess.run(["cc", "-O1", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE", f"-I{tmp_path}", f"-I{BUILD / 'src'}", source,
                           BUILD / "src" / "tacho_record.c", "-o", program, "-pthread", "-ldl"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    subprocess.run([program, "nest", "2", "1000"], check=True, cwd=tmp_path, env=tool.environment(TACHO_RECORD="one.tacho"))
    process, = recording_reference.read(tmp_path / "one.tacho")
    assert len(process.zones()[0]) == 2000


@pytest.fixture(scope="module")
def arm(tmp_path_factory):
    """The recorder and the program, built for AArch64, and what runs it."""
    program = tmp_path_factory.mktemp("aarch64") / "zones"
    sources = sorted((tool.ROOT / "src" / "record").glob("*.c"))
    # A static program that names hosts and loads libraries needs those of the same system: the linker says so, and nobody does that here.
    done = subprocess.run([*cross.arm64(), "-O2", "-static", "-D_GNU_SOURCE", f"-I{tool.ROOT / 'include'}", *sources,
                           tool.TESTS / "programs" / "zones.c", "-o", program, "-pthread"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [tool.need("qemu-aarch64"), program]


@pytest.mark.slow
@pytest.mark.once("once is enough: the program is the same")
@pytest.mark.parametrize("case, zones", [(("nest", 4, 20000), {"nested": 80000}), (("churn", 16, 10), {"short life": 1600}),
                                         (("storm", 4, 2000), {"storm": 8000, "say_all": 8000})], ids=["nest", "churn", "storm"])
def test_another_processor(tmp_path, arm, case, zones):
    subprocess.run([*arm, *[str(word) for word in case]], check=True, cwd=tmp_path, env=tool.environment(TACHO_RECORD="run.tacho"))
    process, = recording_reference.read(tmp_path / "run.tacho")
    assert names_of(process) == zones and process.clock == 2 and sum(process.dropped) == 0
    assert not process.zones()[1] and not process.zones()[2]


@pytest.mark.slow
@pytest.mark.once("once is enough: the program is the same")
def test_every_kind_of_record_of_another_processor(tmp_path, arm):
    here = Recorded(tmp_path, "kinds").only
    subprocess.run([*arm, "kinds"], check=True, cwd=tmp_path, env=tool.environment(TACHO_RECORD="arm.tacho"))
    there, = recording_reference.read(tmp_path / "arm.tacho")

    def said(process):
        return [(record.kind, record.text, len(record.values)) for record in process.threads[0]]

    assert said(there) == said(here) and there.sites == here.sites and there.thread_names == here.thread_names


FUNCTIONS = """
#include <stdio.h>
__attribute__((noinline)) static int inner(int n) { return n + 1; }
__attribute__((noinline)) int outer(int n) { return inner(n) + inner(n + 1); }
int main(void) { int sum = 0; for (int i = 0; i < 100; i++) sum += outer(i); return sum == 0; }
"""


def test_every_function_of_a_program(tmp_path):
    (tmp_path / "functions.c").write_text(FUNCTIONS)
    flags = ["-fsanitize=address,undefined"] if tool.SANITIZED else []
    subprocess.run(["cc", "-O1", *flags, "-finstrument-functions", "functions.c", "-o", "functions", f"-L{BUILD / 'src'}", "-ltacho-record",
                    f"-Wl,-rpath,{BUILD / 'src'}"], check=True, cwd=tmp_path)
    subprocess.run([tmp_path / "functions"], check=True, cwd=tmp_path, env=tool.environment(TACHO_RECORD="run.tacho"))
    process, = recording_reference.read(tmp_path / "run.tacho")
    assert names_of(process) == {"main": 1, "outer": 100, "inner": 200}
    assert {zone[4] for zone in process.zones()[0] if zone[1] == "inner"} == {2}


TRACY_CPP = """
#include <mutex>
#include "tacho/tracy.h"
static TracyLockable(std::mutex, lock);
static void step(int n)
{
    ZoneScoped;
    ZoneText("abc", 3);
    ZoneValue(static_cast<uint64_t>(n));
    {
        ZoneNamedN(inner, "inner", true);
        std::lock_guard<LockableBase(std::mutex)> held(lock);
        ZoneNameV(inner, "renamed", 7);
    }
    ZoneNamedN(odd, "odd", n % 2 == 1);
    ZoneTransientN(made, "transient", true);
    TracyPlot("plot", n);
    TracyMessageL("hello");
    FrameMark;
}
int main() { tracy::SetThreadName("tracy thread"); for (int i = 0; i < 4; i++) step(i); return TracyIsConnected ? 0 : 0; }
"""
TRACY_C = """
#include "tacho/tracy.h"
static void step(int n)
{
    TracyCZone(zone, 1);
    TracyCZoneN(odd, "odd", n % 2);
    TracyCZoneText(zone, "abc", 3);
    TracyCZoneValue(zone, n);
    TracyCPlot("plot", n);
    TracyCMessageL("hello");
    TracyCFrameMark;
    TracyCZoneEnd(odd);
    TracyCZoneEnd(zone);
}
int main(void) { TracyCSetThreadName("tracy thread"); for (int i = 0; i < 4; i++) step(i); return 0; }
"""
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]


@pytest.mark.parametrize("compiler, suffix, source", [("c++", "cpp", TRACY_CPP), ("cc", "c", TRACY_C)])
@pytest.mark.parametrize("disabled", [False, True])
def test_macros_of_tracy(tmp_path, compiler, suffix, source, disabled):
    (tmp_path / f"marked.{suffix}").write_text(source)
    flags = ["-fsanitize=address,undefined"] if tool.SANITIZED else []
    library = ["-DTACHO_DISABLE"] if disabled else [f"-L{BUILD / 'src'}", "-ltacho-record", f"-Wl,-rpath,{BUILD / 'src'}"]
    done = subprocess.run([compiler, "-O1", *flags, *STRICT, f"-I{tool.ROOT / 'include'}", f"marked.{suffix}", "-o", "marked", *library],
                          cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    subprocess.run([tmp_path / "marked"], check=True, cwd=tmp_path, env=tool.environment(TACHO_RECORD="run.tacho"))
    if disabled:
        assert not (tmp_path / "run.tacho").exists()
        return
    process, = recording_reference.read(tmp_path / "run.tacho")
    names = names_of(process)
    assert names["step"] >= 4 and names["odd"] == 2 and process.thread_names[0] == "tracy thread"
    kinds = collections.Counter(record.kind for record in process.threads[0])
    assert kinds["frame"] == 4 and kinds["counter"] == 4 and kinds["instant"] == 4 and kinds["argument_text"] == 4


def test_the_cpp_header(tmp_path):
    (tmp_path / "marked.cpp").write_text("""
#include "tacho/zone.hpp"
int main()
{
    tacho::zone outer(TACHO_HERE_SITE);
    tacho::argument("integer", -3);
    tacho::argument("unsigned", 3u);
    tacho::argument("decimal", 1.5f);
    tacho::argument("text", "x");
    tacho::argument("string", std::string("y"));
    tacho::zone_named inner(TACHO_HERE_SITE, std::string("made"));
    tacho::message("hello");
    return outer.recorded() ? 0 : 1;
}""")
    flags = ["-fsanitize=address,undefined"] if tool.SANITIZED else []
    subprocess.run(["c++", "-O1", *flags, *STRICT, f"-I{tool.ROOT / 'include'}", "marked.cpp", "-o", "marked", f"-L{BUILD / 'src'}",
                    "-ltacho-record", f"-Wl,-rpath,{BUILD / 'src'}"], check=True, cwd=tmp_path)
    subprocess.run([tmp_path / "marked"], check=True, cwd=tmp_path, env=tool.environment(TACHO_RECORD="run.tacho"))
    process, = recording_reference.read(tmp_path / "run.tacho")
    assert names_of(process) == {"main": 2}
    arguments = [record for record in process.threads[0] if record.kind.startswith("argument")]
    assert [record.kind[9:] for record in arguments] == ["integer", "unsigned", "decimal", "text", "text"]
