#!/bin/sh
# files.sh: what the build takes: the files that are there, so that no list has to be kept.
#
#     files.sh            prints them, one a line
#     files.sh BUILD      configures a build folder again where files came or went since it was configured
#
# Meson itself looks only when a meson.build changes; make calls the second form before it builds.
set -e
cd "$(dirname "$0")/.."

list()
{
    find src tests/unit fuzz web/src doc/man \( -path fuzz/corpus -prune \) -o -type f \( -name '*.c' -o -name '*.ts' \
        -o -name '*.1' \) -print
    find include -type f
    find fuzz/corpus -mindepth 1 -maxdepth 1 -type d
}

if [ $# -eq 0 ]; then
    list | LC_ALL=C sort
else
    "$0" | cmp -s - "$1/files.txt" || meson setup --reconfigure "$1" > /dev/null
fi
