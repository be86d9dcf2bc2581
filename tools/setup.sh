#!/bin/sh
# Installs what is missing on a Debian machine.
#
#   setup.sh         what building needs; node and npm, which bundle the pages: where they cannot be had, there are no pages
#   setup.sh test    and what the tests need, node and npm among it
#   setup.sh fuzz    and what the fuzz targets need
#   setup.sh bench   and what recording is compared with
#   setup.sh python  and what the Python package needs
#   setup.sh format  only what `make format` needs
set -eu

# Packages, and programs with the package that brings them where another may have brought them too.
packages="gcc libc6-dev meson ninja-build pkg-config zlib1g-dev libzstd-dev libxxhash-dev libxlsxwriter-dev libmicrohttpd-dev libsqlite3-dev libcurl4-openssl-dev libcmocka-dev python3"
programs=
wished="node:nodejs npm:npm"
formatting="git:git clang-format:clang-format"
python="python3-dev python3-setuptools"
case ${1-} in
fuzz)
    packages="$packages clang libclang-rt-dev llvm"
    ;;
test)
    packages="$packages $python python3-venv python3-pip python3-wheel python3-pytest python3-pytest-xdist locales libc6-dev-arm64-cross"
    programs="$wished $formatting c++:g++ make:make man:man-db taskset:util-linux zsh:zsh zstd:zstd ${TACHO_CHROMIUM:-chromium}:chromium"
    programs="$programs riscv64-unknown-elf-gcc:gcc-riscv64-unknown-elf qemu-system-riscv32:qemu-system-misc"
    programs="$programs aarch64-linux-gnu-gcc:gcc-aarch64-linux-gnu qemu-aarch64:qemu-user cmake:cmake"
    programs="$programs ssh:openssh-client /usr/sbin/sshd:openssh-server busybox:busybox /usr/sbin/clickhouse-server:clickhouse-server"
    wished=
    ;;
bench)
    packages="$packages $python lttng-tools liblttng-ust-dev babeltrace2"
    ;;
python)
    packages="$packages $python"
    ;;
format)
    packages=
    programs=$formatting
    wished=
    ;;
esac

# Of "program:package" words, the packages of programs that are not there.
packages_of_missing()
{
    for pair in "$@"; do
        command -v "${pair%:*}" >/dev/null || printf ' %s' "${pair##*:}"
    done
}

missing=$(packages_of_missing $programs)
for package in $packages; do
    if ! dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed'; then
        missing="$missing $package"
    fi
done
optional=$(packages_of_missing $wished)
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
    echo "missing packages, without which there are no pages:$optional ($obstacle)" >&2
    exit 0
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
install()
{
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >"$log" 2>&1
}
echo "installing:$missing$optional"
case $missing in
*openssh-server*)
    # The tests start the daemon themselves; this machine's own stays off, which this file tells it.
    $as_root mkdir -p /etc/ssh
    $as_root touch /etc/ssh/sshd_not_to_be_run
    ;;
esac
case $missing in
*clickhouse-server*)
    # The same: the unit is masked before it comes.
    $as_root mkdir -p /etc/systemd/system
    [ -e /etc/systemd/system/clickhouse-server.service ] || $as_root ln -s /dev/null /etc/systemd/system/clickhouse-server.service
    ;;
esac
if ! $as_root apt-get update -qq >"$log" 2>&1 && [ -n "$missing" ]; then
    cat "$log" >&2
    exit 1
fi
if [ -n "$missing" ] && ! install $missing; then
    cat "$log" >&2
    exit 1
fi
if [ -n "$optional" ] && ! install $optional; then
    echo "could not install$optional: there are no pages" >&2
fi
