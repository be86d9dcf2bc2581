#!/bin/sh
# The main job on the example: demo.sh TACHO. Writes into demo-output/ of the current folder; needs no terminal.
set -eu

tacho=${1-build/tacho}
example=$(dirname "$0")/mobilenet
measured=$(dirname "$0")/mobilenet_xnnpack
encoder=$(dirname "$0")/encoder_wormhole
dump=$example/mobilenet.executable-targets.mlir
output=demo-output
COLUMNS=80
export COLUMNS

title() {
    printf '\n== %s\n\n' "$1"
}

convert() {
    "$tacho" convert -q "$example/timeline.csv" "$example/runtime.csv" --mlir "$dump" --source-dir "$example" -o "$1"
    printf '  %-42s %9d bytes\n' "$1" "$(wc -c <"$1")"
}

mkdir -p "$output"

title "A model like MobileNetV2, compiled for Torq and run ten times (synthetic)"
cat <<END
The commands below are run in $example; tacho is $tacho.

\$ tacho convert timeline.csv runtime.csv -o mobilenet.pb \\
>     --mlir mobilenet.executable-targets.mlir --source-dir .
END
convert "$output/mobilenet.pb"
convert "$output/mobilenet.json"
convert "$output/mobilenet.speedscope.json"

title "Where does the time go?"
printf '$ tacho summary runtime.csv --mlir mobilenet.executable-targets.mlir\n'
"$tacho" summary -q "$example/runtime.csv" --mlir "$dump"

title "Which operators should I look at first?"
cat <<END
\$ tacho summary runtime.csv --by operator \\
>     --mlir mobilenet.executable-targets.mlir --source-dir .
END
"$tacho" summary -q "$example/runtime.csv" --by operator --mlir "$dump" --source-dir "$example" >"$output/by-operator.txt"
head -n 11 "$output/by-operator.txt"
printf '... the whole table is in %s/by-operator.txt\n' "$output"

title "What ran, block by block?"
cat <<END
\$ tacho annotate mobilenet.executable-targets.mlir runtime.csv --source-dir .
END
"$tacho" annotate -q "$dump" "$example/runtime.csv" --source-dir "$example" >"$output/blocks.txt"
head -n 11 "$output/blocks.txt"
printf '... the whole table is in %s/blocks.txt\n' "$output"

title "ExecuTorch: two builds of a model like MobileNetV2, 30 inferences each (measured)"
printf '$ tacho operators mobilenet_like_xnnpack_fp32_mac_sme2_on_t1.etdump\n'
"$tacho" operators -q "$measured/mobilenet_like_xnnpack_fp32_mac_sme2_on_t1.etdump"

title "Is the build with more kernels faster, why, and what next?"
printf '$ tacho report --run-dir mobilenet_xnnpack --out report.html\n'
"$tacho" report --run-dir "$measured" --out "$output/report.md" >/dev/null
"$tacho" report --run-dir "$measured" --out "$output/report.html"
printf '\n'
sed -n '/^## Latency Comparison/,/^## Operator Category/p' "$output/report.md" | sed '$d'

title "Tenstorrent: a layer of an encoder on a Wormhole, four passes (synthetic)"
printf '$ tacho advise ops_perf_results.csv\n'
"$tacho" advise -q "$encoder/ops_perf_results.csv" >"$output/advice.txt"
sed -n '/^ID /,/ device ops/p' "$output/advice.txt" | cut -b 1-76 | sed 's/ *O*$//; $d'
printf '... DRAM and FLOP rates and gaps are in %s/advice.txt\n' "$output"

title "What to do first, by the time it could save?"
printf '$ tacho advise ops_perf_results.csv --rank\n'
"$tacho" advise -q --rank "$encoder/ops_perf_results.csv" >"$output/rank.txt"
head -n 14 "$output/rank.txt"
printf '... the rest is in %s/rank.txt\n' "$output"

title "Why is that product slow? The device's own log of it, three passes"
printf '$ tacho device -d profile_log_device.csv.gz -o device\n'
"$tacho" device -q -d "$encoder/profile_log_device.csv.gz" -o "$output/device" >"$output/device.txt"
sed -n '/= device_kernel_duration_per_core =/,/^$/p; /= device_kernel_duration =/,/^$/p' "$output/device.txt"
cat <<END
A cycle is a nanosecond here. Kernels of most cores take 0.9 ms; one core takes
1.13 ms, and the op is as long as that one.
END
printf '\n'
grep "^$output/device/" "$output/device.txt"

title "See it"
cat <<END
The report is $output/report.html (and $output/report.md): open it in a browser
The trace is $output/mobilenet.pb
  in a browser:  open https://ui.perfetto.dev and drag the file into the window
  offline:       open chrome://tracing and load $output/mobilenet.json,
                 or open $output/mobilenet.speedscope.json in speedscope

Read next:
  README.md             what each command answers
  examples/README.md    what there is to find in this example
  man -l doc/man/tacho.1

All of it in a browser:
  $tacho serve $output --open
END
