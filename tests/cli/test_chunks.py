"""However the bytes of an input arrive, the result is the same byte for byte: whole, in random pieces through a pipe, packed."""
import functools
import gzip
import os
import random
import subprocess

import pytest

import tool

GOLDEN = tool.GOLDEN
SEEDS = range(3)
FILES = ["c1.csv", "c2.csv", "c3.csv", "c4.csv", "r1.csv", "runtime_r2.csv", "runtime_r4.csv", "executable_targets.mlir"]


def convert_pieces(pieces, output, *options):
    """Feeds the tool one piece after the other through a pipe; it gets what happens to be there at each read."""
    process = subprocess.Popen([tool.TACHO, "convert", "-", "-o", str(output), "--quiet", *options], stdin=subprocess.PIPE,
                               stderr=subprocess.PIPE, env=tool.environment())
    for piece in pieces:
        process.stdin.write(piece)
        process.stdin.flush()
    process.stdin.close()
    message = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait(60) == 0, message


def cut(data, generator):
    """Pieces of random size, from single bytes to a few hundred."""
    most = generator.choice([1, 7, 64, 700])
    at = 0
    while at < len(data):
        size = generator.randint(1, most)
        yield data[at : at + size]
        at += size


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """What each file gives when it is read as a file. Its name is that of standard input, so that traces agree."""
    folder = tmp_path_factory.mktemp("whole")
    made = {}

    def give(name, data=None):
        if name not in made:
            (folder / "stdin").write_bytes((GOLDEN / name).read_bytes() if data is None else data)
            tool.good("convert", folder / "stdin", "-o", folder / "out.pb", "--quiet")
            made[name] = (folder / "out.pb").read_bytes()
        return made[name]

    return give


@pytest.mark.parametrize("name", FILES)
def test_random_pieces(whole, tmp_path, name):
    data = (GOLDEN / name).read_bytes()
    for seed in SEEDS:
        convert_pieces(cut(data, random.Random(f"{name} {seed}")), tmp_path / "out.pb")
        assert (tmp_path / "out.pb").read_bytes() == whole(name), seed


@pytest.mark.parametrize("name", FILES)
def test_packed(whole, tmp_path, name):
    data = (GOLDEN / name).read_bytes()
    packed = [gzip.compress(data), gzip.compress(data[:99]) + gzip.compress(data[99:]),
              subprocess.run([tool.need("zstd"), "-q", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout]
    for number, form in enumerate(packed):
        convert_pieces([form], tmp_path / "out.pb")
        assert (tmp_path / "out.pb").read_bytes() == whole(name), number
        convert_pieces(cut(form, random.Random(f"{name} {number}")), tmp_path / "out.pb")
        assert (tmp_path / "out.pb").read_bytes() == whole(name), number


@functools.cache
def big_inputs():
    """By name: files larger than any buffer, with locations over several lines, so that pieces end everywhere."""
    generator = random.Random(7)
    rows = []
    for number in range(30000):
        start = number * 10 + generator.randint(0, 5)
        location = generator.choice(['loc(unknown)', f'loc("m.mlir":{number % 991}:7)',
                                     f'loc(fused["a b.mlir":{number % 97}:1,\n "c.mlir":2:{number % 13}])'])
        rows.append(f"{generator.choice(['DI', 'DO', 'S'])}{number},{start},{start + generator.randint(0, 40)},{location},kind")
    lines = ["dispatch_name,invocation_id,action_id,timestamp_us,event"]
    for number in range(15000):
        name = generator.choice(["HOST_COPY", "ALLOC", "NSS_START", "NSS_WAIT"])
        lines += [f"main,1,{number % 7},{number * 9},{name}_BEGIN", f"main,1,{number % 7},{number * 9 + 4},{name}_END"]
    return {"compile": "\n".join(rows).encode() + b"\n", "runtime": "\r\n".join(lines).encode()}


@pytest.mark.parametrize("name", ["compile", "runtime"])
def test_a_file_larger_than_any_buffer(whole, tmp_path, name):
    generator, data = random.Random(name), big_inputs()[name]
    expected = whole(name, data)
    for most in (50000, 300000):
        pieces, at = [], 0
        while at < len(data):
            size = generator.randint(1, most)
            pieces.append(data[at : at + size])
            at += size
        convert_pieces(pieces, tmp_path / "out.pb")
        assert (tmp_path / "out.pb").read_bytes() == expected
    convert_pieces([gzip.compress(data, 1)], tmp_path / "out.pb")
    assert (tmp_path / "out.pb").read_bytes() == expected


def test_a_program_through_a_pipe(tmp_path):
    """--mlir takes a pipe as well; what comes through it counts the same."""
    plain = tool.good("summary", GOLDEN / "runtime_r4.csv", "--mlir", GOLDEN / "executable_targets.mlir", "--json").out
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = subprocess.Popen(["sh", "-c", f"cat '{GOLDEN / 'executable_targets.mlir'}' > '{pipe}'"])
    assert tool.good("summary", GOLDEN / "runtime_r4.csv", "--mlir", pipe, "--json").out == plain
    assert writer.wait(10) == 0
