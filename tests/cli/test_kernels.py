"""tacho kernels: the original's tables and comparisons, what counts as evidence, rates of what ran, and what goes wrong."""
import csv
import gzip
import io
import json
import math
import re
import shutil

import pytest

import tool

DATA = tool.DATA / "kernels"
LOGS = tool.DATA / "xnntrace"
OPERATORS = tool.DATA / "operators"
RUNDIR = tool.DATA / "rundir" / "broken_graph"
SYNTH, MOBILENET, BROKEN = ("synth_encoder_xnnpack_fp32", "mobilenet_like_xnnpack_fp32", "broken_graph_xnnpack_fp32")
# model, build: the log, and what the original made of it
ORIGINALS = {
    (SYNTH, "on"): (LOGS / "registered.log", tool.DATA / "xnn-kernels" / "registered_kernels.csv"),
    (SYNTH, "off"): (DATA / f"{SYNTH}_mac_sme2_off_trace_t1_xnntrace.log", DATA / f"{SYNTH}_mac_sme2_off_trace_t1_kernels.csv"),
    (MOBILENET, "on"): (LOGS / "mobilenet_on.log", tool.DATA / "xnn-kernels" / "mobilenet_kernels.csv"),
    (MOBILENET, "off"): (DATA / f"{MOBILENET}_mac_sme2_off_trace_t1_xnntrace.log.gz",
                         DATA / f"{MOBILENET}_mac_sme2_off_trace_t1_kernels.csv"),
    (BROKEN, "on"): (LOGS / "broken_graph_on.log", RUNDIR / f"{BROKEN}_mac_sme2_on_trace_t1_kernels.csv"),
    (BROKEN, "off"): (LOGS / "broken_graph_off.log", RUNDIR / f"{BROKEN}_mac_sme2_off_trace_t1_kernels.csv"),
}
# The original takes the second part of the name for the operation, the third for the variant, whatever they are.
MIXED_TYPES = {
    "xnn_pf16_f16_f16_igemm_minmax_fp16_ukernel_32x32c2__neonsme2": ("pf16_f16_f16", "igemm", "minmax"),
    "xnn_qp8_f32_qc4w_gemm_minmax_ukernel_16x64c4__neonsme": ("qp8_f32_qc4w", "gemm", "minmax"),
}
COLUMNS = ["model_id", "kernel_name", "category", "count", "dtype", "xnn_op", "variant", "ukernel_shape", "arch_chain", "has_sme",
           "has_sme2"]
EXTRA = ["architecture", "evidence", "replaced_by"]
VIEWS = [(SYNTH, "synth_kernel_view.md", []), (SYNTH, "synth_kernel_view_gemm.md", ["--filter-op", "gemm"]),
         (MOBILENET, "mobilenet_kernel_view_gemm.md", ["--filter-op", "gemm"]),
         (BROKEN, "broken_graph_kernel_view_gemm.md", ["--filter-op", "gemm"])]


def rows(path):
    return list(csv.DictReader(io.StringIO(path.read_bytes().decode(), newline="")))


def named_log(tmp_path, model, build):
    """The log under the name that the pipeline gives it: the model id comes from there."""
    log = ORIGINALS[model, build][0]
    path = tmp_path / f"{model}_mac_sme2_{build}_trace_t1_xnntrace.log{'.gz' if log.suffix == '.gz' else ''}"
    shutil.copy(log, path)
    return path


def split_types(expected):
    for row in expected:
        if row["kernel_name"] in MIXED_TYPES:
            assert row["xnn_op"] not in ("gemm", "igemm")
            row["dtype"], row["xnn_op"], row["variant"] = MIXED_TYPES[row["kernel_name"]]
    return expected


# ---- the original's files -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model, build", ORIGINALS)
def test_table_of_the_original(good, tmp_path, model, build):
    """Byte for byte, but for the names with several data types."""
    result = good("kernels", "--xnntrace", named_log(tmp_path, model, build), "--out", tmp_path / "k.csv", "--no-extra")
    golden = ORIGINALS[model, build][1]
    expected = split_types(rows(golden))
    assert rows(tmp_path / "k.csv") == expected
    assert f"{len(expected)} kernels" in result.text
    changed = [row for row in expected if row["kernel_name"] in MIXED_TYPES]
    assert len(changed) == (2 if (model, build) == (SYNTH, "on") else 0)
    if not changed:
        assert (tmp_path / "k.csv").read_bytes() == golden.read_bytes()


@pytest.mark.parametrize("model, build", ORIGINALS)
def test_extra_columns_follow_the_original_s(good, tmp_path, model, build):
    good("kernels", "--xnntrace-log", named_log(tmp_path, model, build), "--out", tmp_path / "k.csv")
    made = rows(tmp_path / "k.csv")
    assert list(made[0]) == COLUMNS + EXTRA
    assert [{column: row[column] for column in COLUMNS} for row in made] == split_types(rows(ORIGINALS[model, build][1]))
    good("kernels", tmp_path / "k.csv", "-o", tmp_path / "again.csv", "--no-extra", "--model-id", made[0]["model_id"])
    assert rows(tmp_path / "again.csv") == split_types(rows(ORIGINALS[model, build][1]))


def first_table(text):
    head, _, tail = text.partition("\n\n#### ")
    return head.rstrip("\n").splitlines()


def without_other(lines):
    """The original knows three architectures; ours has a name for each."""
    return [[cell.strip() for cell in line.split("|")] for line in lines]


@pytest.mark.parametrize("form", ["kernels", "log"])
@pytest.mark.parametrize("model, view, options", VIEWS)
def test_comparison_of_the_original(good, tmp_path, model, view, options, form):
    golden = (DATA / view).read_text()
    title = golden.splitlines()[0].removeprefix("#### **").removesuffix("**")
    on, off = (ORIGINALS[model, build][form == "kernels"] for build in ("on", "off"))
    command = ["kernels", "--sme2-on-kernels", on, "--sme2-off-kernels", off, "--title", title, *options]
    good(*command, "--out", tmp_path / "view.md")
    made = (tmp_path / "view.md").read_text()
    ours, theirs = without_other(first_table(made)), without_other(first_table(golden))
    assert len(ours) == len(theirs)
    for one, other in zip(ours, theirs):
        if len(other) > 4 and other[4] == "Other":
            assert one[4] in ("Scalar", "SSE", "AVX", "AVX2", "FMA3", "AVX-512")
            one[4] = "Other"
        assert one == other
    assert "What the evidence is" in made
    good(*command, "--no-extra", "-o", tmp_path / "plain.md")
    assert first_table(made) == (tmp_path / "plain.md").read_text().rstrip("\n").splitlines()


def test_options_of_the_original(good, tmp_path):
    """--sme2-on and --sme2-off of the script, and the report guide's own spelling, say the same."""
    on, off = (ORIGINALS[SYNTH, build][1] for build in ("on", "off"))
    good("kernels", "--sme2-on", on, "--sme2-off", off, "--out", tmp_path / "a.md")
    good("kernels", "--sme2-on-kernels", on, "--sme2-off-kernels", off, "--out", tmp_path / "b.md")
    good("kernels", "--sme2-on-kernels", on, "--sme2-off-kernels", off, "-o", tmp_path / "deep" / "er" / "c.md")
    assert (tmp_path / "a.md").read_text() == (tmp_path / "b.md").read_text() == (tmp_path / "deep" / "er" / "c.md").read_text()
    assert good("kernels", "--sme2-on", on, "--sme2-off", off, "-o", "-").text == (tmp_path / "a.md").read_text()


def test_filter_and_names(good):
    on, off = (ORIGINALS[SYNTH, build][1] for build in ("on", "off"))
    nothing = good("kernels", "--sme2-on", on, "--sme2-off", off, "--filter-op", "nothing like it", "-o", "-").text
    assert nothing == "#### **Kernel view (XNNPACK Delegated):**\n\nNo kernels found matching the filter criteria.\n"
    # A text that goes on behind the end of every name.
    assert good("kernels", "--sme2-on", on, "--sme2-off", off, "--filter-op", "neonsme2" + " " * 300, "-o", "-").text == nothing
    small, large = (good("kernels", "--sme2-on", on, "--sme2-off", off, "--filter-op", text, "-o", "-").text for text in ("gemm", "GEMM"))
    assert small == large and "igemm" in small
    named = good("kernels", "--sme2-on", on, "--sme2-off", off, "--name1", "new", "--name2", "old", "-o", "-").text
    assert "| Kernel Name | new | old | Architecture | Delegation |" in named


# ---- evidence --------------------------------------------------------------------------------------------------------------


def listed(good, path):
    return json.loads(good("kernels", path, "--json").text)["rows"]


def test_registered_is_not_yet_executed(good):
    assert {row["evidence"] for row in listed(good, LOGS / "registered.log")} == {"registered"}
    result = good("kernels", LOGS / "registered.log")
    assert "22 kernels: 0 replaced by a later one, 0 seen to run; 5 for SME, 4 for SME2" in result.text
    assert "What ran is not in the log" in result.text


@pytest.mark.parametrize("path", [LOGS / "mobilenet_on.log", DATA / f"{MOBILENET}_mac_sme2_off_trace_t1_xnntrace.log.gz"],
                         ids=["on", "off"])
def test_replaced_kernels_are_told_apart(good, tmp_path, path):
    """A slot that was filled three times keeps the last; what replaced a kernel may itself be replaced."""
    good("kernels", path, "-o", tmp_path / "k.csv")
    found = {row["kernel_name"]: row for row in rows(tmp_path / "k.csv")}
    chain = ["xnn_x32_transposec_ukernel__2x4_scalar_int", "xnn_x32_transposec_ukernel__4x4_sse",
             "xnn_x32_transposec_ukernel__8x8_reuse_multi_avx"]
    assert [found[name]["evidence"] for name in chain] == ["replaced", "replaced", "registered"]
    assert [found[name]["replaced_by"] for name in chain] == [*chain[1:], ""]
    assert sum(row["evidence"] == "replaced" for row in found.values()) == 9
    for row in found.values():
        assert (row["evidence"] == "replaced") == bool(row["replaced_by"])
        assert row["replaced_by"] in ("", *found)


@pytest.mark.parametrize("model, ran", [
    ("mobilenet_on", {"gemm": {"1x16", "7x16", "7x32"}, "igemm": {"7x32"}}),
    ("broken_graph_on", {"gemm": {"7x32"}, "igemm": set()})])
def test_what_ran_is_known_of_a_log_of_level_5(good, model, ran):
    found = listed(good, LOGS / f"{model}.log")
    tiled = {row["kernel"]: row["evidence"] for row in found if row["category"] in ("gemm", "igemm")}
    assert {name for name, evidence in tiled.items() if evidence == "ran"} == {
        f"xnn_f32_{operation}_minmax_ukernel_{tile}__avx512f_broadcast" for operation, tiles in ran.items() for tile in tiles}
    tiles = set(re.findall(r"mr=(\d+), nr=(\d+) set to", (LOGS / f"{model}.log").read_text()))
    assert {f"{rows}x{columns}" for rows, columns in tiles} == set().union(*ran.values())
    assert set(tiled.values()) <= {"ran", "not used", "replaced"}
    assert {row["evidence"] for row in found if row["category"] not in ("gemm", "igemm")} <= {"registered", "replaced"}


# ---- with the times ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model, dump, log", [
    ("broken_graph", "broken_graph_mac_sme2_on_t1.etdump", LOGS / "broken_graph_on.log"),
    ("mobilenet", "mobilenet_mac_sme2_on_t1.etdump.gz", LOGS / "mobilenet_on.log")])
def test_rates_of_what_ran(good, tmp_path, model, dump, log):
    good("kernels", "--xnntrace-log", log, "--etdump", OPERATORS / dump, "--etrecord", OPERATORS / f"{model}.etrecord", "-o",
         tmp_path / "map.csv")
    table = [row for row in rows(tmp_path / "map.csv") if row["delegate"] != ""]
    expected = rows(OPERATORS / "golden" / f"{model}_source_map.csv")
    assert [{column: row[column] for column in expected[0]} for row in table] == expected
    registered = {row["kernel"]: row["evidence"] for row in listed(good, log)}
    tiled = [row for row in table if row["mr"]]
    assert tiled and all(row["kernel"] for row in tiled)
    for row in tiled:
        assert registered[row["kernel"]] == "ran"
        assert f"_ukernel_{row['mr']}x{row['nr']}__" in row["kernel"]
        # Multiply-accumulates per second, twice, from the table's own time.
        assert math.isclose(float(row["gflops"]), 2 * int(row["macs"]) / float(row["avg_ms"]) / 1e6, rel_tol=1e-9)
        # m, n and the depth that follows are the operator's.
        assert int(row["macs"]) % (int(row["m"]) * int(row["n"])) == 0
    names = {row["kernel"] for row in tiled}
    assert names == {name for name, evidence in registered.items() if evidence == "ran"}
    shares = [float(row["pct_of_e2e"]) for row in rows(tmp_path / "map.csv")]
    assert 80 < sum(shares) <= 100


def test_a_log_of_another_model(tacho, tmp_path):
    result = tacho("kernels", "--xnntrace-log", LOGS / "mobilenet_on.log", "--etdump", tool.DATA / "etdump" / "real.etdp", "-o",
                   tmp_path / "map.csv")
    assert result.code == 3 and "none of its operators is in the dump" in result.err
    assert list(tmp_path.iterdir()) == []


# ---- what goes wrong ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words, says", [
    ([], "wants --xnntrace-log, or --sme2-on-kernels and --sme2-off-kernels"),
    (["--sme2-on-kernels", "a.csv"], "wants --xnntrace-log, or --sme2-on-kernels and --sme2-off-kernels"),
    (["--sme2-off-kernels", "a.csv"], "wants --xnntrace-log, or --sme2-on-kernels and --sme2-off-kernels"),
    (["--xnntrace-log", "a.log", "--sme2-on", "a.csv", "--sme2-off", "b.csv"], "wants --xnntrace-log, or"),
    (["a.log", "b.log"], "takes one log"),
    (["--sme2-on", "a.csv", "--sme2-off", "b.csv", "--etdump", "x.etdump"], "--etdump goes with --xnntrace-log"),
    (["--xnntrace-log"], "--xnntrace-log wants FILE"),
])
def test_wrong_usage(tacho, words, says):
    result = tacho("kernels", *words)
    assert result.code == 2 and says in result.err


@pytest.mark.parametrize("content, says", [
    (b"", "the file is empty"),
    (b"a,b\r\n1,2\r\n", "text of no known format"),
    (bytes(range(256)) * 16, "tacho formats"),
    (gzip.compress(b"Note (XNNPACK): Using gemm microkernel 'xnn_f32_gemm_ukernel_1x8__neon'.\n", mtime=0)[:10], "gzip"),
])
def test_inputs_that_cannot_be_used(tacho, tmp_path, content, says):
    (tmp_path / "x.log").write_bytes(content)
    for command in (["--xnntrace-log", tmp_path / "x.log", "-o", tmp_path / "out.csv"],
                    ["--sme2-on", LOGS / "registered.log", "--sme2-off", tmp_path / "x.log", "-o", tmp_path / "out.md"],
                    ["--sme2-on", tmp_path / "x.log", "--sme2-off", LOGS / "registered.log", "-o", tmp_path / "out.md"]):
        result = tacho("kernels", *command)
        assert result.code == 3 and f"{tmp_path / 'x.log'}: " in result.err and says in result.err
    assert [path.name for path in tmp_path.iterdir()] == ["x.log"]


def test_other_kinds_of_files(tacho):
    for path in (tool.DATA / "etdump" / "real.etdp", tool.DATA / "et-runner-log" / "broken_graph_latency.log"):
        result = tacho("kernels", path)
        assert result.code == 3 and "a log of XNNPACK or a kernels.csv is wanted here" in result.err
    result = tacho("kernels", LOGS)
    assert result.code == 3 and "is a directory" in result.err


def test_no_kernels_in_it(good, tmp_path):
    """A table without rows, a log without such lines: nothing found is an answer."""
    (tmp_path / "kernels.csv").write_text(",".join(COLUMNS) + "\r\n")
    lines = [line for line in (LOGS / "broken_graph_on.log").read_text().splitlines() if "microkernel" not in line]
    (tmp_path / "x_xnntrace.log").write_text("\n".join(lines) + "\n")
    for name in ("kernels.csv", "x_xnntrace.log"):
        assert "0 kernels" in good("kernels", tmp_path / name).text
        text = good("kernels", "--sme2-on", LOGS / "registered.log", "--sme2-off", tmp_path / name, "-o", "-", "--no-extra").text
        assert text.count("❌ **Absent**") == text.count("✅ **Present**") == 22


def test_outputs_that_cannot_be_written(tacho, tmp_path):
    (tmp_path / "file").write_text("x")
    for name in ("k.csv", "k.json", "k.xlsx"):
        assert tacho("kernels", LOGS / "registered.log", "-o", tmp_path / "file" / name).code == 4
    both = ["--sme2-on", LOGS / "registered.log", "--sme2-off", LOGS / "registered.log"]
    assert tacho("kernels", *both, "-o", tmp_path / "file" / "view.md").code == 4
    assert tacho("kernels", *both, "-o", "view.xyz", cwd=tmp_path).code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_an_input_is_never_the_output(tacho, tmp_path):
    shutil.copy(ORIGINALS[SYNTH, "on"][1], tmp_path / "kernels.csv")
    before = (tmp_path / "kernels.csv").read_bytes()
    result = tacho("kernels", tmp_path / "kernels.csv", "-o", tmp_path / "kernels.csv")
    assert result.code == 2 and "is an input too" in result.err
    assert (tmp_path / "kernels.csv").read_bytes() == before


def test_a_view_shows_what_is_asked_for(good):
    log = LOGS / "broken_graph_on.log"
    table = json.loads(good("kernels", log, "--columns", "kernel,evidence", "--filter", "evidence=ran", "--json").text)
    assert [column["name"] for column in table["columns"]] == ["kernel", "evidence"]
    assert table["rows"] and all(row["evidence"] == "ran" for row in table["rows"])
