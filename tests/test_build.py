"""Set-up and builds: what tools/setup.sh asks apt for, by programs that stand in for apt's; the source tarball, built where there is no network;
the tool built for arm64."""
import filecmp
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile

import pytest

import tool

EXAMPLES = tool.ROOT / "examples"

# apt-get, which writes down what it is asked. `plan` is what it would do. It is busy as often as `busy` has lines.
APT = """#!/bin/sh
echo "$*" >>"$MACHINE/asked"
case "$*" in
*update)
    [ -s "$MACHINE/busy" ] || exit 0
    sed -i 1d "$MACHINE/busy"
    echo "E: Could not get lock lists/lock. It is held by process 7 (apt-get)"
    exit 100
    ;;
*" -s install "*) cat "$MACHINE/plan" ;;
*) cp "$MACHINE/said" "$MACHINE/said-before" ;;
esac
"""
DPKG_QUERY = """#!/bin/sh
for package; do :; done
! grep -qx "$package" "$MACHINE/absent" || exit 1
printf 'install ok installed'
"""
ORDINARY = "cat cp dirname env grep mktemp rm sed sh tr".split()
STAND_INS = {"apt-get": APT, "dpkg-query": DPKG_QUERY, "id": "#!/bin/sh\necho 0\n", "sleep": "#!/bin/sh\n", "gcc": "#!/bin/sh\necho 12\n",
             "node": "#!/bin/sh\n", "npm": "#!/bin/sh\n"}


class Machine:
    """A machine whose packages are all there but those in `absent`, and whose programs are few."""

    def __init__(self, folder):
        self.folder, self.programs = folder, folder / "programs"
        self.programs.mkdir()
        # A tree without bundled pages, whatever this one has: the tests may run in a tarball.
        self.tree = folder / "tree"
        shutil.copytree(tool.ROOT / "tools", self.tree / "tools")
        for name in ORDINARY:
            (self.programs / name).symlink_to(shutil.which(name))
        for name, text in STAND_INS.items():
            self.has(name, text)
        self.write(absent=["gcc-multilib"], plan=[], busy=[], asked=[])

    def has(self, name, text="#!/bin/sh\n"):
        (self.programs / name).write_text(text)
        (self.programs / name).chmod(0o755)

    def write(self, **files):
        for name, lines in files.items():
            (self.folder / name).write_text("".join(f"{line}\n" for line in lines))

    def lines(self, name):
        return (self.folder / name).read_text().splitlines()

    def set_up(self, *words, code=0):
        """What setup.sh says; it must end with this code."""
        with open(self.folder / "said", "wb") as said:
            done = subprocess.run(["/bin/sh", self.tree / "tools" / "setup.sh", *words], stdout=said, stderr=subprocess.PIPE, text=True,
                                  env={"PATH": str(self.programs), "MACHINE": str(self.folder)})
        assert done.returncode == code, done.stderr
        self.complaint = done.stderr
        return self.lines("said")

    def installed(self):
        """What apt was asked to install, and to do else."""
        return [line.split() for line in self.lines("asked") if " -y install " in line]


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


@pytest.mark.parametrize("kind", [[], ["python"], ["dist"], ["cross"]], ids=str)
def test_where_nothing_is_missing_set_up_is_silent(machine, kind):
    for program in ("git", "aarch64-linux-gnu-gcc", "qemu-aarch64"):
        machine.has(program)
    assert machine.set_up(*kind) == [] and machine.complaint == "" and machine.lines("asked") == []


def test_set_up_says_what_it_installs_and_removes_nothing(machine):
    machine.write(absent=["gcc-multilib", "libxxhash-dev"],
                  plan=["Inst libxxhash0 (1.1.7-3 Debian:12 [amd64])", "Inst libxxhash-dev (1.1.7-3 Debian:12 [amd64])", "Conf libxxhash0"])
    said = machine.set_up()
    assert said == ["installing: libxxhash0 libxxhash-dev"] == machine.lines("said-before")
    asked, = machine.installed()
    assert asked[-1] == "libxxhash-dev" and "--no-remove" in asked
    assert all("-o DPkg::Lock::Timeout=600" in line for line in machine.lines("asked"))


def test_set_up_does_not_remove_what_somebody_needs(machine):
    machine.write(absent=["gcc-multilib", "libxxhash-dev"],
                  plan=["Remv libold-dev [1.0]", "Remv libold [1.0]", "Inst libxxhash-dev (1.1.7-3 Debian:12 [amd64])"])
    assert machine.set_up(code=1) == []
    assert machine.complaint.startswith("nothing is installed: for libxxhash-dev apt would have to remove libold-dev libold, ")
    assert machine.installed() == []


def test_builds_go_on_where_only_pages_would_cost_a_package(machine):
    (machine.programs / "npm").unlink()
    machine.write(plan=["Remv libold-dev [1.0]", "Inst npm (9.2.0 Debian:12 [all])"])
    assert machine.set_up() == []
    assert "remove libold-dev" in machine.complaint and machine.complaint.endswith("could not install npm: there are no pages\n")
    assert machine.installed() == []


def test_set_up_waits_for_another_apt(machine):
    machine.write(absent=["gcc-multilib", "libxxhash-dev"], plan=["Inst libxxhash-dev (1.1.7-3 Debian:12 [amd64])"], busy=["yes", "yes", "yes"])
    assert machine.set_up() == ["waiting for another apt, which is reading its lists", "installing: libxxhash-dev"]
    assert len([line for line in machine.lines("asked") if line.endswith("update")]) == 4 and len(machine.installed()) == 1


def test_beside_gcc_multilib_clang_builds_for_arm64(machine):
    machine.write(absent=["libgcc-12-dev-arm64-cross"], plan=["Inst clang (1:14.0 Debian:12 [amd64])"])
    machine.set_up("cross")
    asked, = machine.installed()
    assert {"clang", "binutils-aarch64-linux-gnu", "libgcc-12-dev-arm64-cross", "qemu-user"} <= set(asked) and "gcc-aarch64-linux-gnu" not in asked


def test_without_gcc_multilib_debians_compiler_does(machine):
    machine.write(plan=["Inst gcc-aarch64-linux-gnu (4:12.2.0 Debian:12 [amd64])"])
    machine.set_up("cross")
    asked, = machine.installed()
    assert {"gcc-aarch64-linux-gnu", "qemu-user"} == set(asked[asked.index("--no-install-recommends") + 1:])


def test_a_tarball_has_its_pages_and_asks_for_no_npm(machine):
    for program in ("node", "npm"):
        (machine.programs / program).unlink()
    machine.write(plan=["Inst npm (9.2.0 Debian:12 [all])"])
    assert machine.set_up() == ["installing: npm"]
    (machine.tree / "web" / "bundled").mkdir(parents=True)
    (machine.tree / "web" / "bundled" / "trace.js").touch()
    machine.write(asked=[])
    assert machine.set_up() == [] and machine.lines("asked") == []


# ---- pages -----------------------------------------------------------------------------------------------------------

PAGES = ["serve.css", "serve.js", "trace.css", "trace.js"]


def pages(source, folder, kind):
    subprocess.run([tool.ROOT / "tools" / "pages.sh", source, folder, kind], check=True, env={"PATH": "/usr/bin:/bin"})
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_pages_of_a_tarball_and_none(tmp_path):
    (tmp_path / "web" / "bundled").mkdir(parents=True)
    for name in PAGES:
        (tmp_path / "web" / "bundled" / name).write_text(f"this is {name}")
    assert pages(tmp_path, tmp_path / "build", "prebuilt") == {name: f"this is {name}" for name in PAGES}
    assert pages(tmp_path, tmp_path / "build", "none") == {name: "" for name in PAGES}


def test_a_tarball_is_made_of_a_clone(tmp_path):
    shutil.copytree(tool.ROOT / "tools", tmp_path / "tools")
    done = subprocess.run([tmp_path / "tools" / "dist.sh", tmp_path / "build"], capture_output=True, text=True,
                          env={"PATH": os.environ["PATH"], "GIT_CEILING_DIRECTORIES": str(tmp_path.parent)})
    assert done.returncode == 1 and done.stdout == "" and done.stderr.startswith("dist: a tarball is made of what git has, and this is no clone")


# ---- the tarball, where there is no network --------------------------------------------------------------------------

NO_NETWORK = ["unshare", *([] if os.geteuid() == 0 else ["--map-root-user"]), "--net", sys.executable, str(tool.TESTS / "offline.py")]
# What a browser gets from a server of the tool that was built: the page, and whether its script is the one of the tarball.
SHOWN = """
import pathlib, sys
import serving
with serving.Server(sys.argv[2], program=[sys.argv[1]]) as server:
    page = server.good("/").text
    assert pathlib.Path("web/bundled/serve.js").read_text() in page and pathlib.Path("web/bundled/serve.css").read_text() in page
    print(len(server.cards()), "profiles")
"""


def without_network(*command, cwd, code=0, **variables):
    done = subprocess.run([*NO_NETWORK, *[str(word) for word in command]], cwd=cwd, capture_output=True, text=True,
                          env=tool.environment(TACHO=None, TACHO_BUILD=None, TACHO_BESIDE=None, TACHO_AGAIN=None, **variables))
    assert done.returncode == code, f"{' '.join(map(str, command))}\n{done.stdout[-20000:]}{done.stderr[-20000:]}"
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def tarballs(tmp_path_factory):
    """The same commit twice."""
    folders = [tmp_path_factory.mktemp("dist") for _ in range(2)]
    for folder in folders:
        subprocess.run([tool.ROOT / "tools" / "dist.sh", folder], check=True)
    return [next(folder.glob("tacho-*.tar.gz")) for folder in folders]


@pytest.fixture(scope="module")
def unpacked(tarballs, tmp_path_factory):
    folder = tmp_path_factory.mktemp("unpacked")
    subprocess.run(["tar", "-xzf", tarballs[0]], cwd=folder, check=True)
    found, = folder.iterdir()
    assert found.name == tarballs[0].name.removesuffix(".tar.gz")
    return found


@pytest.fixture(scope="module")
def no_npm(tmp_path_factory):
    """A PATH on which node and npm only tell that somebody wanted them."""
    folder = tmp_path_factory.mktemp("no-npm")
    for name in ("node", "npm"):
        (folder / name).write_text(f"#!/bin/sh\necho {name} >>{folder}/wanted\nexit 1\n")
        (folder / name).chmod(0o755)
    yield f"{folder}:{os.environ['PATH']}"
    assert not (folder / "wanted").exists()


@pytest.mark.long
def test_a_commit_is_one_tarball(tarballs):
    assert filecmp.cmp(*tarballs, shallow=False)


@pytest.mark.long
def test_a_tarball_builds_offline_and_serves_its_pages(unpacked, no_npm):
    build = unpacked / "build-plain"
    without_network("meson", "setup", build, ".", "-Dtests=false", "-Dbench=false", "-Db_lto=false", "-Doptimization=1", cwd=unpacked, PATH=no_npm)
    without_network("ninja", "-C", build, cwd=unpacked, PATH=no_npm)
    assert not (build / "tests").exists() and not (build / "bench").exists()
    told = without_network(sys.executable, "-c", SHOWN, build / "src" / "tacho", EXAMPLES / "mobilenet", cwd=unpacked, PYTHONPATH=str(unpacked / "tests"))
    assert int(told.split()[0]) >= 2

    # The same without pages: it says so instead of showing an empty one.
    without_network("meson", "configure", build, "-Dpages=none", cwd=unpacked)
    without_network("ninja", "-C", build, "src/tacho", cwd=unpacked, PATH=no_npm)
    told = without_network(build / "src" / "tacho", "serve", "--port", tool.free_port(), EXAMPLES / "mobilenet", cwd=unpacked, code=4)
    assert "tacho was built without pages: with -Dpages=none" in told


@pytest.mark.long
def test_make_check_of_a_tarball(unpacked, no_npm):
    """Without a network, a clone and npm."""
    assert not (unpacked / ".git").exists()
    told = without_network("make", "check", cwd=unpacked, PATH=no_npm)
    assert told.rstrip().endswith(" passed, 0 failed")


# ---- another processor -----------------------------------------------------------------------------------------------

MOBILENET, WORMHOLE, DUMPS = EXAMPLES / "mobilenet", EXAMPLES / "encoder_wormhole", EXAMPLES / "mobilenet_xnnpack"
OFF, ON = (DUMPS / f"mobilenet_like_xnnpack_fp32_mac_sme2_{side}_t1.etdump" for side in ("off", "on"))
COMMANDS = {
    "summary": ["summary", MOBILENET / "timeline.csv", MOBILENET / "runtime.csv"],
    "operators": ["operators", ON, "--json"],
    "advise": ["advise", WORMHOLE / "ops_perf_results.csv"],
    "perfetto": ["convert", MOBILENET / "timeline.csv", MOBILENET / "runtime.csv", "-o", "both.pb"],
    "chrome": ["convert", ON, "-o", "dump.json"],
    "page": ["convert", WORMHOLE / "profile_log_device.csv.gz", "-o", "page.html"],
    "compare": ["compare", OFF, "--with", ON],
    "report": ["report", MOBILENET / "runtime.csv", "-o", "report.html"],
    "query": ["query", MOBILENET / "runtime.csv", "SELECT name, count(*), avg(duration_ns) FROM slices GROUP BY name ORDER BY 3 DESC, 1"],
    "kernels": ["kernels", DUMPS / "mobilenet_like_xnnpack_fp32_mac_sme2_on_trace_t1_xnntrace.log"],
    "timeline": ["timeline", OFF, "--out-dir", "timelines", "--all-runs"],
    "annotate": ["annotate", MOBILENET / "mobilenet.executable-targets.mlir", MOBILENET / "runtime.csv", "--source-dir", MOBILENET],
    "device": ["device", "-d", WORMHOLE / "profile_log_device.csv.gz", "-o", "device"],
}


def contents(path):
    """The bytes of a file; of a tarball those of its members, since each has the time at which it was written."""
    if path.suffix != ".tar":
        return path.read_bytes()
    with tarfile.open(path) as tar:
        return {member.name: tar.extractfile(member).read() for member in tar if member.isfile()}


def answer(program, command, folder):
    """Code, output and files of a command line."""
    folder.mkdir()
    done = subprocess.run([*program, *command], cwd=folder, capture_output=True, env=tool.environment(), timeout=600)
    files = {path.relative_to(folder).as_posix(): contents(path) for path in sorted(folder.rglob("*")) if path.is_file()}
    return done.returncode, done.stdout, done.stderr, files


@pytest.mark.long
def test_arm64_answers_as_this_processor_does(tmp_path):
    build = tool.ROOT / "build-arm64"
    done = subprocess.run([tool.ROOT / "tools" / "cross.sh", build], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-5000:]
    arm = [tool.need("qemu-aarch64"), "-L", build / "system", build / "src" / "tacho"]
    different = []
    for name, command in COMMANDS.items():
        here, there = (answer(program, command, tmp_path / f"{name}-{at}") for at, program in enumerate(([tool.TACHO], arm)))
        assert here[0] == 0 and (here[1] or here[3]), (name, here[2])
        if here != there:
            different.append(name)
    assert not different
