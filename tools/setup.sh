#!/bin/sh
# Installs what is missing on a Debian machine.
#
#   setup.sh         what building needs; node and npm, which bundle the pages: where they cannot be had, there are no pages
#   setup.sh test    and Chromium, in which the pages are tested: where it cannot be had, those tests are skipped
#   setup.sh fuzz    and what the fuzz targets need
#   setup.sh format  only what `make format` needs
set -eu

needed="gcc libc6-dev meson ninja-build pkg-config zlib1g-dev libzstd-dev libxxhash-dev libxlsxwriter-dev libcmocka-dev
    python3 python3-pytest man-db zstd"
programs="node:nodejs npm:npm"
formatting="git clang-format"
case ${1-} in
fuzz) needed="$needed clang libclang-rt-dev llvm" ;;
test)
    needed="$needed $formatting"
    programs="$programs chromium:chromium"
    ;;
format)
    needed=$formatting
    programs=
    ;;
esac

missing=
for package in $needed; do
    if ! dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed'; then
        missing="$missing $package"
    fi
done
optional=
for program in $programs; do
    command -v "${program%:*}" >/dev/null || optional="$optional ${program#*:}"
done
[ -n "$missing$optional" ] || exit 0

as_root=
obstacle=
if ! command -v apt-get >/dev/null; then
    obstacle="install them with your package manager"
elif [ "$(id -u)" -ne 0 ]; then
    as_root=sudo
    command -v sudo >/dev/null || obstacle="install them as root: there is no sudo"
fi
if [ -n "$obstacle" ]; then
    [ -z "$missing" ] || { echo "missing packages:$missing ($obstacle)" >&2; exit 1; }
    echo "missing packages, without which some pages or tests are left out:$optional ($obstacle)" >&2
    exit 0
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
install()
{
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >"$log" 2>&1
}
echo "installing:$missing$optional"
if ! $as_root apt-get update -qq >"$log" 2>&1 && [ -n "$missing" ]; then
    cat "$log" >&2
    exit 1
fi
if [ -n "$missing" ] && ! install $missing; then
    cat "$log" >&2
    exit 1
fi
if [ -n "$optional" ] && ! install $optional; then
    echo "could not install$optional: some pages or tests are left out" >&2
fi
