#!/bin/sh
# train.sh BUILD [OPTION...]: configures BUILD, with these options of meson, for a release that is optimised by what the tool does as a rule.
#
# The tool is built once with counters, reads a few thousand generated rows of each kind, and the counters then tell the
# compiler which branches and calls are the usual ones: about a tenth less CPU per row. Profiles of functions that are edited
# later are ignored, so a build directory stays usable. Compilers other than gcc get a plain release build. GENERATE names the program that
# generates the rows, where BUILD has no benchmarks.
set -eu

build=$1
shift
meson setup "$build" . "$@"
if ${CC:-cc} -dM -E -x c /dev/null | grep -q __clang__; then
    exit 0
fi
# Counters are put in before files are joined: the half of the work that joins them is for the release alone.
meson configure "$build" -Db_pgo=generate -Db_lto=false
ninja -C "$build" src/tacho
[ -n "${GENERATE-}" ] || ninja -C "$build" bench/generate

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A training that fails in silence would make a slow tool.
made() { # KIND ROWS FILE: that many rows, generated
    "${GENERATE:-$build/bench/generate}" "$1" "$2" >"$work/$3" 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
}
ran() { # the tool, on files of the work folder
    (cd "$work" && "$tacho" "$@") >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
}
case $build in /*) tacho=$build/src/tacho ;; *) tacho=$PWD/$build/src/tacho ;; esac

for kind in c1 c4 r1 r2 r3; do
    made $kind 20000 $kind.csv
    for output in out.pb out.json slices.csv; do
        ran convert $kind.csv -o $output
    done
    ran summary $kind.csv
    ran summary out.pb
    ran convert out.pb -o again.pb
done
made etdump 20000 net.etdump
made et-timeline 20000 net.csv
ran timeline net.etdump --out-dir out --all-runs
ran convert net.etdump -o net.pb
ran operators net.csv
ran summary net.csv
ran summary net.etdump
made tt-ops 20000 ops.csv
ran advise ops.csv
ran advise --ignore-signposts ops.csv
ran advise --ignore-signposts --csv advice.csv ops.csv
made tt-device 20000 device.csv
ran device -d device.csv -o device --no-print-stats --no-plots
ran device -d device.csv -o device --no-print-stats --no-plots --no-artifacts
made kineto 40000 net.json
ran convert net.json -o net.pb
ran summary net.json
meson configure "$build" -Db_pgo=use -Db_lto=true
