#!/bin/sh
# Installs what is missing on a Debian machine. `setup.sh fuzz` also installs what the fuzz targets need.
set -eu

needed="gcc libc6-dev meson ninja-build pkg-config zlib1g-dev libzstd-dev libxxhash-dev libxlsxwriter-dev libcmocka-dev
    python3 python3-pytest man-db zstd"
if [ "${1-}" = fuzz ]; then
    needed="$needed clang libclang-rt-dev llvm"
fi

missing=
for package in $needed; do
    if ! dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed'; then
        missing="$missing $package"
    fi
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
    echo "missing packages:$missing (install them with your package manager)" >&2
    exit 1
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
    as_root=sudo
    if ! command -v sudo >/dev/null; then
        echo "missing packages:$missing (install them as root: there is no sudo)" >&2
        exit 1
    fi
fi
echo "installing:$missing"
log=$(mktemp)
if ! { $as_root apt-get update -qq && $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing; } >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    exit 1
fi
rm -f "$log"
