"""Damaged and unusual files, full disks, wrong usage: each has its message and exit code, and leaves no output behind.

The line of 1 GB is run when TACHO_LONG_LINE=1 is set; the others use 64 MB.
"""
import gzip
import json
import os
import re
import shutil
import signal
import stat
import subprocess

import pytest

import fixtures
import perfetto_decode
import tool
import waiting

GOLDEN = tool.GOLDEN
DUMP = GOLDEN / "executable_targets.mlir"
C1 = GOLDEN / "c1.csv"
ROW = "DI0,0,512,loc(unknown),DMA_IN"


def rows(good, *arguments, **options):
    return json.loads(good("summary", *arguments, "--json", **options).text)["rows"]


def write(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def fails(tacho, tmp_path, code, *arguments, says, **options):
    """The command fails with this code and message; an older output is untouched and nothing new is beside it."""
    folder = tmp_path / "output"
    folder.mkdir()
    old = folder / "old.pb"
    old.write_bytes(b"an older trace")
    result = tacho(*[old if argument == "OUT" else argument for argument in arguments], **options)
    assert result.code == code, f"{result.code}: {result.err}"
    assert result.err.startswith("tacho: ") and result.err.endswith("\n")
    for part in [says] if isinstance(says, str) else says:
        assert part in result.err, result.err
    assert [path.name for path in folder.iterdir()] == ["old.pb"]
    assert old.read_bytes() == b"an older trace"
    return result


# ---- files that are odd but readable ------------------------------------------------------------------------------------


def test_a_fused_location(good, tmp_path):
    """Its commas are no field separators, and the row is not lost."""
    location = 'loc(fused<"a, b">[callsite("x.mlir":4:10 at "x,)\\"y.mlir":2:3), "z.mlir":6:10])'
    log = write(tmp_path, "fused.csv", f"DO2,2000,2400,{location},DMA_OUT\n")
    assert rows(good, log) == {"read": 1, "used": 1, "lost": 0, "reasons": {}}
    good("convert", log, "-o", tmp_path / "out.pb")
    found = [found for found in perfetto_decode.decode_file(tmp_path / "out.pb").slices if found.args.get("id") == 2]
    assert [(slice.start, slice.duration) for slice in found] == [(2500, 500)]
    assert found[0].args["location"] == location


def test_a_truncated_last_line(good, tmp_path):
    log = write(tmp_path, "cut.csv", C1.read_text() + "DI9,2500,2600,loc(callsite(\"/w/m/n")
    result = good("convert", log, "-o", tmp_path / "out.pb")
    assert "1 of 7 rows lost" in result.err and "a location that is not closed (line 7)" in result.err
    trace = perfetto_decode.decode_file(tmp_path / "out.pb")
    assert len([found for found in trace.slices if "id" in found.args]) == 6
    assert any(found.instant and "a location that is not closed" in found.name for found in trace.slices)


def test_a_last_line_without_an_end(good, tmp_path):
    """A whole row is used; what cannot be whole is lost and said."""
    log = write(tmp_path, "whole.csv", C1.read_text().rstrip("\n"))
    assert rows(good, log)["used"] == 6
    log = write(tmp_path, "r3.csv", (GOLDEN / "runtime_r4.csv").read_text()[:-5])
    counts = rows(good, log)
    assert counts["read"] == 36 and counts["reasons"], counts


def test_carriage_returns_and_a_byte_order_mark(good, tmp_path):
    for name in ("c1.csv", "c2.csv", "c3.csv", "c4.csv", "r1.csv", "runtime_r1.csv", "runtime_r2.csv", "runtime_r4.csv",
                 "executable_targets.mlir"):
        plain = good("summary", GOLDEN / name, "--json", "--model", "m").out
        text = (GOLDEN / name).read_bytes()
        for mark, odd in (("crlf", text.replace(b"\n", b"\r\n")), ("bom", b"\xef\xbb\xbf" + text),
                          ("both", b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"))):
            log = write(tmp_path, f"{mark}-{name}", odd)
            assert good("summary", log, "--json", "--model", "m").out == plain, log


def test_blank_lines_and_headers_are_no_rows(good, tmp_path):
    for header in ("event_name, start_time, end_time, mlir_src_line, event_type", "ID,Start,End,Location,Op Type"):
        log = write(tmp_path, "header.csv", header + "\n" + ROW + "\n")
        assert rows(good, log) == {"read": 1, "used": 1, "lost": 0, "reasons": {}}, header
    log = write(tmp_path, "document.csv", "dispatch_id;time_since_open;time_since_start;mlir_loc\n0;1200;900;loc(unknown)\n")
    assert rows(good, log) == {"read": 1, "used": 1, "lost": 0, "reasons": {}}


def test_three_columns_of_r1(good, tmp_path):
    log = write(tmp_path, "three.csv", "id;time_since_open;time_since_start\n0;1200;900\n1;2300;1000\n")
    assert rows(good, log) == {"read": 2, "used": 2, "lost": 0, "reasons": {}}


def test_columns_of_r3_are_read_by_name(good, tmp_path):
    """Their order, others between them, quotes, and the unit that the header gives."""
    usual = (GOLDEN / "runtime_r4.csv").read_text().splitlines()
    want = good("summary", GOLDEN / "runtime_r4.csv", "--json", "--model", "m").text
    fields = [line.split(",") for line in usual]
    logs = {
        "order.csv": "\n".join(",".join([row[4], row[2], row[0], row[3], row[1]]) for row in fields),
        "more.csv": "\n".join(",".join([row[0], "thread" if number == 0 else "7", *row[1:], "x"]) for number, row in enumerate(fields)),
        "quoted.csv": "\n".join(",".join(f'"{field}"' for field in row) for row in fields),
        "ns.csv": "\n".join(["dispatch_name,invocation_id,action_id,timestamp_ns,event"] +
                            [",".join([*row[:3], row[3] + "000", row[4]]) for row in fields[1:]]),
    }
    for name, text in logs.items():
        assert good("summary", write(tmp_path, name, text + "\n"), "--json", "--model", "m").text == want, name
    table = [good("annotate", "-q", DUMP, log, "--json").text for log in (GOLDEN / "runtime_r4.csv", tmp_path / "ns.csv")]
    assert table[0] == table[1]


@pytest.mark.parametrize("name", ["runtime_r1.csv", "runtime_r2.csv", "c1.csv", "c2.csv", "c3.csv", "c4.csv"])
def test_a_log_whose_every_field_is_quoted(good, tmp_path, name):
    """As a spreadsheet writes it that was told to quote all."""
    text = (GOLDEN / name).read_text()
    delimiter = ";" if "r1" in name else ","
    count = {"runtime_r1.csv": 4, "runtime_r2.csv": 5, "c1.csv": 5, "c2.csv": 6, "c3.csv": 6, "c4.csv": 6}[name]
    intervals = name in ("c1.csv", "c2.csv")
    quoted = []
    for line in text.splitlines():
        if intervals:  # the location is the fourth field, and has commas
            first = line.split(",", 3)
            row = [*first[:3], *(first[3].rsplit(",", count - 4))]
        else:
            row = line.split(delimiter, 3 if delimiter == ";" else 4)
            if count == 6:
                row = [*row[:4], *row[4].rsplit(",", 1)]
        row = [field.strip() for field in row]
        row = [field[1:-1].replace('""', '"') if field.startswith('"') and field.endswith('"') else field for field in row]
        quoted.append(delimiter.join('"' + field.replace('"', '""') + '"' for field in row))
    log = write(tmp_path, name, "\n".join(quoted) + "\n")
    assert good("summary", log, "--json", "--model", "m").text == good("summary", GOLDEN / name, "--json", "--model", "m").text


def test_a_job_that_began_before_the_device_was_opened(good, tmp_path):
    log = write(tmp_path, "early.csv", "id;time_since_open;time_since_start;location\n0;100;900;loc(unknown)\n1;2000;50;loc(unknown)\n")
    assert rows(good, log)["reasons"] == {"a job that began before the device was opened": 1}


def test_a_source_that_cannot_be_read(good, tmp_path):
    """It was found: the note says what is wrong with it."""
    (tmp_path / "net.mlir").write_bytes(b"\x1f\x8b\x08\x00 this is no gzip file")
    notes = good("summary", GOLDEN / "runtime_r2.csv", "--source-dir", tmp_path, "--json").text
    assert f"{tmp_path}/net.mlir cannot be read: its operators have no names" in notes


def test_damaged_rows_are_counted_and_the_rest_is_used(good, tmp_path):
    lines = [ROW, "DI1,9,5,loc(unknown),DMA_IN", "DI2,1,99999999999999999999999,loc(unknown),DMA_IN", "DI3,4", ROW, "\x01\x02\x03",
             "DI5,600,700,loc(unknown),DMA_IN"]
    log = write(tmp_path, "damaged.csv", "\n".join(lines) + "\n")
    counts = rows(good, log)
    assert counts["read"] == 7 and counts["used"] == 3 and counts["lost"] == 4
    text = good("summary", log).text
    assert "rows: 7 read, 3 used, 4 lost" in text and "(line 2)" in text
    assert "rows: 7 read, 3 used, 4 lost" in good("summary", log, "--by", "engine").text
    assert "damaged: rows: 7 read, 3 used, 4 lost" in good("summary", log, C1).text
    assert "4 of 7 rows lost" in good("convert", log, "-o", tmp_path / "o.pb").err
    assert not good("convert", log, "-o", tmp_path / "o.pb", "--quiet").err


def test_begin_without_end_and_the_reverse(good, tmp_path):
    log = write(tmp_path, "odd.csv", "dispatch_name,invocation_id,action_id,timestamp_us,event\nd,0,-1,100,DISPATCH_BEGIN\n"
                "d,0,0,110,HOST_COPY_BEGIN\nd,0,0,120,HOST_COPY_END\nd,0,1,125,HOST_COPY_END\nd,0,2,130,NSS_START_BEGIN\n")
    counts = rows(good, log)
    assert counts["lost"] == 1 and counts["reasons"]["an end without a begin"] == 1
    # The dispatch, the start, and the job that was never waited for.
    assert counts["reasons"]["a begin without an end (kept, closed at the last time seen)"] == 3
    good("convert", log, "-o", tmp_path / "out.pb")
    perfetto_decode.decode_file(tmp_path / "out.pb")


def test_huge_numbers_do_not_wrap(good, tmp_path):
    """Times and bytes that each fit but whose sums do not."""
    huge = 10**18 - 1
    log = write(tmp_path, "huge.csv", "".join(f'DI{i},0,{huge},loc("a.mlir":1:2),DMA_IN,{huge}\n' for i in range(12))
                + "".join(f'S{i}_{i},0,{huge},loc("a.mlir":2:2),conv\n' for i in range(12)))
    for by in ("operator", "location", "type", "engine"):
        text = good("summary", log, "--by", by).text
        assert "-" not in "".join(line.split("loc(")[0] for line in text.splitlines()[3:]), text
    document = json.loads(good("summary", log, "--json").text)
    assert document["total_duration"] == huge * 5 // 4 and document["rows"]["used"] == 24
    good("convert", log, "-o", tmp_path / "out.pb", "--counters", "--by-operator")
    trace = perfetto_decode.decode_file(tmp_path / "out.pb")
    assert len([found for found in trace.slices if "id" in found.args and "Operators" not in trace.path(found.track)]) == 24
    assert min(value for _, _, value in trace.counters) == 0


# ---- lines that are too long ----------------------------------------------------------------------------------------------


def stream_long_line(tmp_path, size, before, after):
    """Pipes a row with a location of `size` bytes into the tool; returns its output and the most memory it held, in KiB."""
    process = subprocess.Popen([tool.TACHO, "summary", "-", "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, env=tool.environment())
    piece = b"a" * (1 << 20)
    process.stdin.write(before + b'DI1,5,9,loc("')
    for _ in range(size // len(piece)):
        process.stdin.write(piece)
    process.stdin.write(b'"),DMA_IN\n' + after)
    process.stdin.flush()
    # Of the program itself, with all but the last of the pipe read: what rusage tells begins with the memory of this process.
    with open(f"/proc/{process.pid}/status") as about:
        memory = int(re.search(r"VmHWM:\s*(\d+) kB", about.read()).group(1))
    text, _ = process.communicate()
    assert process.returncode == 0
    return json.loads(text), memory


@pytest.mark.parametrize("size", [64 << 20, pytest.param(1 << 30, marks=pytest.mark.long)])
def test_a_long_line(tmp_path, size):
    """It is lost, the rows around it are used, and memory does not grow with it."""
    document, memory = stream_long_line(tmp_path, size, (ROW + "\n").encode(), b"DI2,600,700,loc(unknown),DMA_IN\n")
    assert document["rows"] == {"read": 3, "used": 2, "lost": 1, "reasons": {"a line over 4 MiB": 1}}
    assert tool.SANITIZED or memory < 64 << 10, f"{memory} KiB"


def test_a_long_line_in_a_dump(good, tmp_path):
    """Constants in a dump are skipped, however long."""
    blob = b"            %c = torq_hl.const dense<\"0x" + b"00" * (4 << 20) + b"\"> : tensor<4194304xi8>\n"
    mark = b"          %conv = torq_hl.program"
    text = DUMP.read_bytes()
    log = write(tmp_path, "blob.mlir", text.replace(mark, blob + mark, 1))
    ours = json.loads(good("summary", log, "--json", "--model", "m").text)
    plain = json.loads(good("summary", DUMP, "--json", "--model", "m").text)
    assert {key: value for key, value in ours.items() if key != "rows"} == {key: value for key, value in plain.items() if key != "rows"}


# ---- inputs that cannot be used -------------------------------------------------------------------------------------------


def test_an_empty_file(tacho, tmp_path):
    log = write(tmp_path, "empty.csv", b"")
    fails(tacho, tmp_path, 3, "convert", log, "-o", "OUT", says="empty.csv: the file is empty")


def test_a_directory(tacho, tmp_path):
    fails(tacho, tmp_path, 3, "convert", GOLDEN, "-o", "OUT", says="is a directory")


def test_a_missing_file(tacho, tmp_path):
    fails(tacho, tmp_path, 3, "convert", tmp_path / "none.csv", "-o", "OUT", says="none.csv: No such file or directory")


def test_a_file_that_may_not_be_read(tacho, tmp_path):
    log = write(tmp_path, "secret.csv", ROW + "\n")
    log.chmod(0)
    fails(tacho, tmp_path, 3, "convert", log, "-o", "OUT", says="secret.csv: Permission denied", bound=True)


@pytest.mark.parametrize("content", [b"\x7fELF\x02\x01\x01\x00" + bytes(range(256)) * 8, bytes(4096),
                                     b"\xff\xfe" + "DI0".encode("utf-16-le")])
def test_a_binary_file(tacho, tmp_path, content):
    log = write(tmp_path, "program.bin", content)
    fails(tacho, tmp_path, 3, "convert", log, "-o", "OUT", says=["program.bin: ", "tacho formats"])


def test_text_of_no_known_format(tacho, tmp_path):
    log = write(tmp_path, "notes.txt", "Dear diary,\nnothing happened.\n")
    fails(tacho, tmp_path, 3, "convert", log, "-o", "OUT", says=["notes.txt: text of no known format", "Dear diary"])


def test_bytecode(tacho, tmp_path):
    """The message says how to dump text."""
    log = write(tmp_path, "dispatch.mlirb", b"ML\xefR\x0d" + bytes(100))
    fails(tacho, tmp_path, 3, "convert", log, "-o", "OUT", says=["MLIR bytecode", "--dump-compilation-phases-to=DIR"])
    shutil.rmtree(tmp_path / "output")
    fails(tacho, tmp_path, 3, "convert", C1, "--mlir", log, "-o", "OUT", says=["MLIR bytecode", "--dump-compilation-phases-to=DIR"])


PART = "the compressed file is cut off or damaged: what comes before that is used"


def test_a_compressed_file_of_which_nothing_unpacks(tacho, tmp_path):
    log = write(tmp_path, "cut.csv.gz", gzip.compress(C1.read_bytes())[:10])
    fails(tacho, tmp_path, 3, "convert", log, "-o", "OUT", says=["cut.csv.gz", "gzip"])


def test_a_compressed_file_whose_end_is_cut_or_wrong(good, tacho, tmp_path):
    """All of its text is there, and only the sum at the end is not: that is no reason to show nothing."""
    whole = gzip.compress(C1.read_bytes())
    wrong = bytearray(whole)
    wrong[-6] ^= 0xFF
    for name, data in (("cut.csv.gz", whole[:-4]), ("wrong.csv.gz", bytes(wrong))):
        log = write(tmp_path, name, data)
        result = good("convert", log, "-o", tmp_path / "out.pb")
        assert PART in result.err and rows(good, log) == rows(good, C1)
        shutil.rmtree(tmp_path / "output", ignore_errors=True)
        fails(tacho, tmp_path, 3, "convert", "--strict", log, "-o", "OUT", says=[name, "gzip"])


def test_a_truncated_file_after_many_rows(good, tacho, tmp_path):
    """What was unpacked is used; where that is not wanted, the output has begun when the input fails: nothing of it may stay."""
    text = "".join(f"DI{i},{i * 10},{i * 10 + 5},loc(\"m.mlir\":{i % 997}:1),DMA_IN\n" for i in range(60000))
    log = write(tmp_path, "cut.csv.gz", gzip.compress(text.encode(), 1)[:-2000])
    fails(tacho, tmp_path, 3, "convert", "--strict", log, "-o", "OUT", says=["cut.csv.gz", "gzip"])
    result = good("convert", log, "-o", tmp_path / "out.pb")
    assert PART in result.err
    assert 50000 < rows(good, log)["used"] < 60000


def test_a_row_that_goes_on_where_the_packing_ends_is_lost(good, tmp_path):
    """Its location is open, and the line behind it does not unpack: it is a row all the same, and must be counted."""
    text = C1.read_text() + 'DI9,9000,9100,loc("m.mlir":4:10\n'
    wrong = bytearray(gzip.compress((text + "at nothing that ends").encode()))
    wrong[-6] ^= 0xFF
    log = write(tmp_path, "open.csv.gz", bytes(wrong))
    whole, counted = rows(good, C1), rows(good, log)
    assert counted == dict(whole, read=whole["read"] + 1, lost=whole["lost"] + 1, reasons={"a location that is not closed": 1})


ROWS = [name for name in fixtures.FILES if name not in ("tacho-recording", "torq-mlir", "etdump", "etrecord", "tt-ops-folder", "tt-tracy-ops")]


@pytest.mark.parametrize("packing", ["gz", "zst"])
@pytest.mark.parametrize("form", ROWS)
def test_rows_of_a_truncated_file_are_used_by_every_verb(tmp_path, form, packing):
    plain = fixtures.copied(form, tmp_path)
    data = gzip.decompress(plain.read_bytes()) if plain.suffix == ".gz" else plain.read_bytes()
    if packing == "gz":
        packed = gzip.compress(data)
    else:
        packed = subprocess.run([tool.need("zstd"), "-c", "-B1024"], input=data, stdout=subprocess.PIPE, check=True).stdout
    log = write(tmp_path, f"{plain.name.split('.')[0]}.{plain.name.split('.')[1]}.{packing}", packed[:-3])
    verbs = [["summary", log], ["operators", log], ["latency", log], ["convert", log, "-o", tmp_path / "x.pb"], ["advise", log], ["report", log]]
    verbs += {"tt-device": [["device", "-d", log, "-o", tmp_path / "out"]], "xnntrace": [["kernels", log]],
              "xnn-kernels": [["kernels", log]]}.get(form, [])
    for words in verbs if form != "xnn-kernels" else verbs[-1:]:
        result = tool.run(*words)
        assert result.code == 0, (words, result.err)
        assert PART.split(":")[0] in " ".join((result.text + result.err).split()), (words, result.err)


def test_one_bad_input_of_several(tacho, tmp_path):
    fails(tacho, tmp_path, 3, "convert", C1, tmp_path / "none.csv", "-o", "OUT", says="none.csv")


@pytest.mark.parametrize("line, where, says", [("DI1,9,5,loc(unknown),DMA_IN", ":2:", "end before start"),
                                               ("DI1,1,x,loc(unknown),DMA_IN", ":2:", "a number that cannot be read"),
                                               ("DI1,1,2,loc(unk", ":2:", "a location that is not closed")])
def test_strict(tacho, tmp_path, line, where, says):
    log = write(tmp_path, "strict.csv", ROW + "\n" + line + "\n" + ROW + "\n")
    result = fails(tacho, tmp_path, 3, "convert", log, "--strict", "-o", "OUT", says=[f"strict.csv{where}", says])
    column = result.err.split(where)[1].split(":")[0]
    assert column.isdigit() and int(column) >= 1


def test_strict_is_content_with_a_whole_file(good, tmp_path):
    for name in ("c1.csv", "c4.csv", "runtime_r2.csv", "runtime_r4.csv"):
        good("convert", GOLDEN / name, "--strict", "-o", tmp_path / "out.pb")


def test_a_format_that_was_meant(tacho):
    assert "did you mean torq-compile?" in tacho("summary", C1, "--format", "torq-compil").err
    assert "did you mean tt-device?" in tacho("device", "--format", "tt_devce", "-d", C1).err


def test_many_blank_lines(tacho, tmp_path):
    """What was not looked at may be anything."""
    assert "holds only blank lines" in tacho("summary", write(tmp_path, "few.csv", "\n" * 1000)).err
    result = tacho("summary", write(tmp_path, "many.csv", "\n" * 70000 + ROW + "\n"))
    assert result.code == 3 and "only blank lines" not in result.err and "begins with 64 KiB of blank lines" in result.err


@pytest.mark.parametrize("log", ["fifteen/multi_core_multi_launch.csv", "six/multi_core_multi_launch.csv"])
def test_a_device_log_with_an_index_column_or_another_name_in_its_header(good, tmp_path, log):
    """As pandas writes it behind skiprows=1; and a header that lacks timer_id is no change of generation."""
    lines = (tool.DATA / "tt-device" / log).read_text().splitlines()[1:]
    names, data = lines[0], lines[1:]
    want = json.loads(good("summary", write(tmp_path, "plain.csv", "\n".join(lines) + "\n"), "--json", "--model", "m").text)
    index = write(tmp_path, "index.csv", "\n".join(["," + names] + [f"{i},{line}" for i, line in enumerate(data)]) + "\n")
    assert json.loads(good("summary", index, "--json", "--model", "m").text) == want
    other = write(tmp_path, "other.csv", "\n".join([names.replace("timer_id", "marker"), *data]) + "\n")
    result = good("summary", other, "--json", "--model", "m")
    got = json.loads(result.text)
    assert {key: value for key, value in got.items() if key != "notes"} == {key: value for key, value in want.items() if key != "notes"}
    assert any("the header in line 1 does not name the first six columns" in note for note in got["notes"]), got["notes"]
    assert not any("generation" in note for note in got["notes"])


def test_a_wrong_format_by_option(tacho, tmp_path):
    fails(tacho, tmp_path, 2, "convert", C1, "--format", "torq-nothing", "-o", "OUT", says='no format to read is called "torq-nothing"')


# ---- outputs that cannot be written ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["perfetto", "chrome", "speedscope", "slices"])
def test_a_full_disk(tacho, form):
    result = tacho("convert", C1, "--to", form, "-o", "/dev/full")
    assert result.code == 4 and "/dev/full: No space left on device" in result.err


def test_a_full_disk_behind_standard_output(tmp_path):
    for command in (["summary", C1], ["summary", C1, "--json"], ["summary", C1, "--by", "engine"], ["convert", C1, "-o", "-"], ["formats"],
                    ["annotate", DUMP, GOLDEN / "runtime_r2.csv"], ["completion", "bash"], ["--help"], ["help"], ["--version"],
                    ["convert", "--help"], []):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([tool.TACHO, *command], stdout=full, stderr=subprocess.PIPE, env=tool.environment())
        assert done.returncode == 4, command
        assert b"No space left" in done.stderr or b"cannot be written" in done.stderr, command


def test_a_reader_that_goes_away(tmp_path):
    """A closed pipe is an output that cannot be written, not a signal; the reader knows why it left."""
    read_end, write_end = os.pipe()
    os.close(read_end)
    with open(write_end, "wb") as pipe:
        done = subprocess.run([tool.TACHO, "convert", C1, "-o", "-"], stdout=pipe, stderr=subprocess.PIPE, env=tool.environment())
    assert done.returncode == 4 and done.stderr == b""


def test_a_folder_that_cannot_be_written(tacho, tmp_path):
    folder = tmp_path / "locked"
    folder.mkdir()
    (folder / "old.pb").write_bytes(b"old")
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    result = tacho("convert", C1, "-o", folder / "new.pb", bound=True)
    folder.chmod(stat.S_IRWXU)
    assert result.code == 4 and str(folder / "new.pb") in result.err and "Permission denied" in result.err
    assert [path.name for path in folder.iterdir()] == ["old.pb"]


def test_an_output_below_a_file(tacho, tmp_path):
    (tmp_path / "file").write_text("x")
    result = tacho("convert", C1, "-o", tmp_path / "file" / "out.pb")
    assert result.code == 4 and "Not a directory" in result.err and (tmp_path / "file").read_text() == "x"


def test_an_output_that_is_a_folder(tacho, tmp_path):
    (tmp_path / "out.pb").mkdir()
    result = tacho("convert", C1, "-o", tmp_path / "out.pb")
    assert result.code == 4 and "out.pb" in result.err
    assert [path.name for path in tmp_path.iterdir()] == ["out.pb"] and not list((tmp_path / "out.pb").iterdir())


@pytest.mark.parametrize("name", ["out.csv", "out.xlsx", "out.json", "out.md", "out.html"])
def test_tables_are_whole_or_not_there(tacho, tmp_path, name):
    (tmp_path / "file").write_text("x")
    for command in (["annotate", DUMP, GOLDEN / "runtime_r2.csv", tmp_path / "file" / name],
                    ["summary", C1, "--by", "engine", "-o", tmp_path / "file" / name]):
        result = tacho(*command)
        assert result.code == 4 and "file" in result.err
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_missing_folders_are_made(good, tmp_path):
    good("convert", C1, "-o", tmp_path / "a" / "b" / "out.pb")
    assert [path.name for path in (tmp_path / "a" / "b").iterdir()] == ["out.pb"]


def test_an_older_output_is_replaced(good, tmp_path):
    (tmp_path / "out.pb").write_bytes(b"old" * 100000)
    good("convert", C1, "-o", tmp_path / "out.pb")
    perfetto_decode.decode_file(tmp_path / "out.pb")
    assert [path.name for path in tmp_path.iterdir()] == ["out.pb"]


@pytest.mark.parametrize("verb", ["convert", "summary", "annotate"])
def test_an_input_is_never_the_output(tacho, tmp_path, verb):
    """Writing a table or slices over the log itself would destroy it; also through a link."""
    shutil.copy(GOLDEN / "runtime_r2.csv", tmp_path / "log.csv")
    (tmp_path / "link.csv").symlink_to("log.csv")
    before = (tmp_path / "log.csv").read_bytes()
    inputs = [GOLDEN / "executable_targets.mlir"] if verb == "annotate" else []
    for target in ("log.csv", "link.csv"):
        result = tacho(verb, *inputs, tmp_path / "log.csv", "-o", tmp_path / target)
        assert result.code == 2 and "is an input too" in result.err
    assert (tmp_path / "log.csv").read_bytes() == before


@pytest.mark.waits
def test_an_interrupted_command_leaves_nothing(tmp_path):
    """A signal in the middle of writing: no temporary file stays."""
    process = subprocess.Popen([tool.TACHO, "convert", "-", "-o", tmp_path / "out.pb"], stdin=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, env=tool.environment())
    process.stdin.write(C1.read_bytes() + b"\n" * 70_000)  # more than it reads before it begins to write
    process.stdin.flush()
    waiting.until(lambda: any(tmp_path.iterdir()))
    process.terminate()
    assert process.wait() == -signal.SIGTERM
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_may_not_grow(tmp_path):
    """A limit on file sizes is a write error like a full disk."""
    done = subprocess.run(["sh", "-c", 'ulimit -f 1; exec "$0" convert -q "$1" -o "$2"', tool.TACHO,
                           tool.ROOT / "examples/mobilenet/runtime.csv", tmp_path / "out.pb"], capture_output=True, env=tool.environment())
    assert done.returncode == 4 and b"too large" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_log_of_which_no_row_can_be_used(tacho, tmp_path):
    result = tacho("convert", C1, "--format", "torq-runtime", "-o", tmp_path / "out.pb")
    assert result.code == 3 and "none of its 6 rows can be used as torq-runtime" in result.err
    assert list(tmp_path.iterdir()) == []


def test_a_job_that_nobody_waits_for(good, tmp_path):
    """R2 cut after a start: the job is counted as a loss, and its arrow does not dangle."""
    rows = (GOLDEN / "runtime_r2.csv").read_text().splitlines(keepends=True)
    (tmp_path / "cut.csv").write_text("".join(rows[:5]))
    result = good("convert", tmp_path / "cut.csv", "-o", tmp_path / "out.pb")
    assert "a begin without an end" in result.err and "line 4" in result.err


# ---- usage -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments, says", [
    (["convert", C1, "-o", "OUT", "--nope"], "tacho convert has no option --nope; see tacho convert --help"),
    (["convert", C1, "-x", "-o", "OUT"], "has no option -x"),
    (["convert", C1, "-o"], "--output wants FILE"),
    (["convert", C1], "wants an output"),
    (["convert", "-o", "OUT"], "wants at least one input"),
    (["convert", C1, "-o", "trace.xyz"], "trace.xyz: the suffix names no trace format"),
    (["convert", C1, "-o", "OUT", "--to", "png"], 'no trace format is called "png"'),
    (["convert", C1, "-o", "OUT", "--clock-mhz", "0"], "a positive number of MHz"),
    (["convert", C1, "-o", "OUT", "--clock-mhz", "fast"], 'not "fast"'),
    (["convert", C1, "-o", "OUT", "--clock-mhz", "1.0000000000000000001"], 'not "1.0000000000000000001"'),
    (["convert", C1, "-o", "OUT", "--slices", "0"], "--slices wants a whole number from 1"),
    (["convert", C1, "-o", "OUT", "--slices", "99999999999"], "--slices wants a whole number from 1"),
    (["convert", C1, "-o", "OUT", "--counters=yes"], "--counters takes no value"),
    (["summary"], "wants at least one input"),
    (["summary", C1, "--by", "colour"], "--by wants operator, location, type, module, kernel, category or engine"),
    (["summary", C1, "--wall-time", "soon"], '--wall-time wants seconds, not "soon"'),
    (["summary", C1, "-o", "table.xyz"], "table.xyz: the suffix names no table format"),
    (["annotate", DUMP], "wants MLIR RUNTIME.csv"),
    (["annotate", DUMP, GOLDEN / "runtime_r2.csv", "table.csv", "--columns", "a9"], 'no field or view "a9"'),
    (["completion", "fish"], "wants bash or zsh"),
    (["frobnicate"], 'no verb is called "frobnicate"'),
])
def test_wrong_usage(tacho, tmp_path, arguments, says):
    fails(tacho, tmp_path, 2, *arguments, says=says, cwd=tmp_path)


def test_many_files(good, tmp_path):
    """None of them is left out."""
    good("convert", *[C1] * 300, "--runtime_profile", *[GOLDEN / "r1.csv"] * 56, "-o", tmp_path / "out.pb")
    names = perfetto_decode.decode_file(tmp_path / "out.pb").inputs()
    assert len(names) == 712 and "356 c1.csv" in names


@pytest.mark.parametrize("words, says", [
    (["--json", "summary", C1], "options stand behind the verb: tacho summary --json"),
    (["-q", "convert"], "options stand behind the verb: tacho convert -q"),
    ([C1], f"{C1} is a file, and a verb stands before it: tacho summary {C1} shows"),
    (["sumary", C1], "did you mean summary?"), (["--verison"], 'no verb is called "--verison"'), (["help", "sumary"], "did you mean summary?"),
    (["advise"], "tacho advise wants a profile; see tacho advise --help"), (["summary", C1, "--byy", "engine"], "did you mean --by?")])
def test_what_was_meant(tacho, words, says):
    result = tacho(*words)
    assert result.code == 2 and says in result.err and result.text == ""


@pytest.mark.parametrize("name, begins, says", [
    ("host.xplane.pb", b"\n\xbf\x87\x13\x12\x0e/host:metadata\"\xbe\xf2\x02\x00", "give the .trace.json.gz that JAX writes beside it"),
    ("report1.nsys-rep", b"\x00\x01\x02", "a report of Nsight Systems"), ("kernel.ncu-rep", b"NVR\x00", "a report of Nsight Compute"),
    ("tracy_profile_log_host.tracy", b"tr\xfd\x50\x00", "give the folder .logs"), ("builds.db", b"SQLite format 3\x00", "given as --store"),
    ("perf.data", b"PERFILE2h\x00", "a profile of Linux perf")])
def test_what_is_not_read_has_a_name(tacho, tmp_path, name, begins, says):
    """Files that people have instead of what is read: the error says what to give."""
    (tmp_path / name).write_bytes(begins * 20)
    result = tacho("summary", tmp_path / name)
    assert result.code == 3 and f"{name}: " in result.err and "is of no known format: " in result.err and says in result.err
    assert "binary data" not in result.err


def test_utf_16_is_told(tacho, tmp_path):
    """What PowerShell's > makes of a profile."""
    for encoding in ("utf-16-le", "utf-16-be"):
        path = tmp_path / f"{encoding}.json"
        path.write_bytes(("\ufeff" + '[{"ph":"X","name":"a","ts":1,"dur":1}]').encode(encoding))
        result = tacho("summary", path)
        assert result.code == 3 and f"{encoding}.json: text in UTF-16" in result.err


def test_no_verb(tacho):
    result = tacho()
    assert result.code == 2 and "convert" in result.text


@pytest.mark.parametrize("verb", ["convert", "annotate", "summary", "formats", "completion", "compare", "advise", "record", "query", "history", "serve",
                                  "device", "ops", "profile-this"])
def test_help_fits_the_terminal(good, verb):
    result = good(verb, "--help")
    assert result.text.startswith(f"tacho {verb} ") and not result.err
    assert all(len(line) <= 80 for line in result.text.splitlines())


def test_the_list_of_verbs_fits_the_terminal(good):
    assert all(len(line) <= 80 for line in good("--help").text.splitlines())


def test_other_names_of_version(good):
    assert good("version").text == good("-V").text == good("--version").text


def test_version(good):
    assert good("--version").text.startswith("tacho ")


# ---- options -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words, told", [
    (["convert", C1, "-o", ""], "--output wants the name of a file"), (["summary", C1, "--output="], "--output wants the name of a file"),
    (["convert", C1, "-o", "a.pb", "-o", "b.pb"], "--output a.pb and --output b.pb"),
    (["convert", C1, "-oa.pb", "--output=b.pb"], "--output a.pb and --output b.pb"),
    (["operators", C1, "--limit", "3", "--limit=4"], "--limit 3 and --limit 4"),
    (["summary", C1, "--source-dir", "a", "--source-dir", "b"], "--source-dir a and --source-dir b"),
])
def test_one_value_of_an_option(tmp_path, words, told):
    result = tool.run(*words, cwd=tmp_path)
    assert result.code == 2 and told in result.err and not list(tmp_path.iterdir())


def test_an_option_may_say_the_same_twice(tmp_path):
    tool.good("operators", C1, "--limit", "3", "--limit", "3", "--filter", "total_time>0ns", "--filter", "total_time>1ns")
