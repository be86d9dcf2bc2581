#!/bin/sh
# train.sh BUILD: configures BUILD for a release that is optimised by what the tool does as a rule.
#
# The tool is built once with counters, reads a few thousand generated rows of each kind, and the counters then tell the
# compiler which branches and calls are the usual ones: about a tenth less CPU per row. Profiles of functions that are edited
# later are ignored, so a build directory stays usable. Compilers other than gcc get a plain release build.
set -eu

build=$1
meson setup "$build" .
if ${CC:-cc} -dM -E -x c /dev/null | grep -q __clang__; then
    exit 0
fi
meson configure "$build" -Db_pgo=generate
ninja -C "$build" src/tacho bench/generate

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for kind in c1 c4 r2 r3; do
    "$build/bench/generate" $kind 20000 >"$work/$kind.csv"
    for output in pb json csv; do
        "$build/src/tacho" convert "$work/$kind.csv" -o "$work/out.$output"
    done
    "$build/src/tacho" summary "$work/$kind.csv"
    "$build/src/tacho" summary "$work/out.pb"
    "$build/src/tacho" convert "$work/out.pb" -o "$work/again.pb"
done >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
{
    "$build/bench/generate" etdump 20000 >"$work/net.etdump"
    "$build/bench/generate" et-timeline 20000 >"$work/net.csv"
    "$build/src/tacho" timeline "$work/net.etdump" --out-dir "$work/out" --all-runs
    "$build/src/tacho" convert "$work/net.etdump" -o "$work/net.pb"
    "$build/src/tacho" operators "$work/net.csv"
    "$build/src/tacho" summary "$work/net.csv"
    "$build/src/tacho" summary "$work/net.etdump"
} >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
{
    "$build/bench/generate" tt-ops 20000 >"$work/ops.csv"
    "$build/src/tacho" advise "$work/ops.csv"
    "$build/src/tacho" advise --ignore-signposts "$work/ops.csv"
    "$build/src/tacho" advise --ignore-signposts --csv "$work/out.csv" "$work/ops.csv"
} >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
{
    "$build/bench/generate" tt-device 20000 >"$work/device.csv"
    "$build/src/tacho" device -d "$work/device.csv" -o "$work/device" --no-print-stats --no-plots
} >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
{
    "$build/bench/generate" kineto 40000 >"$work/net.json"
    "$build/src/tacho" convert "$work/net.json" -o "$work/net.pb"
    "$build/src/tacho" summary "$work/net.json"
} >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
meson configure "$build" -Db_pgo=use
