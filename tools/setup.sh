#!/bin/sh
# Installs what is missing on a Debian machine.
#
#   setup.sh         what building needs; node and npm, which bundle the pages: where they cannot be had, there are no pages
#   setup.sh test    and what the tests need, node and npm among it
#   setup.sh check   and what `make check` needs: the tests without a browser, node and npm
#   setup.sh fuzz    and what the fuzz targets need
#   setup.sh bench   and what recording is compared with
#   setup.sh python  and what the Python package needs
#   setup.sh cross   and what builds for arm64 and runs it
#   setup.sh dist    and what makes the source tarball
#   setup.sh format  only what `make format` needs
#
# It waits for another apt, says what it installs before it does, and removes nothing: where apt would have to, it installs nothing
# and says which packages stand in the way. ccache is used where it is installed, and is not asked for.
set -eu

# Packages, and programs with the package that brings them where another may have brought them too.
packages="gcc libc6-dev meson ninja-build pkg-config zlib1g-dev libzstd-dev libxxhash-dev libxlsxwriter-dev libmicrohttpd-dev libsqlite3-dev libcurl4-openssl-dev python3"
programs=
wished="node:nodejs npm:npm"
formatting="git:git clang-format:clang-format"
python="python3-dev python3-setuptools"

installed()
{
    dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'install ok installed'
}

# A tarball of `make dist` has its pages with it.
[ ! -e "$(dirname "$0")/../web/bundled/trace.js" ] || wished=

# Debian's cross compilers cannot stand beside gcc-multilib, by which many build for 32 bits. clang and the same libraries can (tests/cross.py).
arm64_packages=libc6-dev-arm64-cross
arm64="aarch64-linux-gnu-gcc:gcc-aarch64-linux-gnu"
if installed gcc-multilib; then
    arm64_packages="libc6-dev-arm64-cross libgcc-$(gcc -dumpversion)-dev-arm64-cross"
    arm64="clang:clang aarch64-linux-gnu-ld:binutils-aarch64-linux-gnu"
fi
arm64="$arm64 qemu-aarch64:qemu-user"

case ${1-} in
fuzz)
    packages="$packages libcmocka-dev clang libclang-rt-dev llvm"
    ;;
check|test)
    packages="$packages libcmocka-dev $python $arm64_packages python3-venv python3-pip python3-wheel python3-pytest python3-pytest-xdist python3-pandas locales"
    programs="$formatting $arm64 c++:g++ make:make man:man-db taskset:util-linux zsh:zsh zstd:zstd cmake:cmake gcovr:gcovr"
    programs="$programs riscv64-unknown-elf-gcc:gcc-riscv64-unknown-elf qemu-system-riscv32:qemu-system-misc"
    programs="$programs ssh:openssh-client /usr/sbin/sshd:openssh-server busybox:busybox /usr/sbin/clickhouse-server:clickhouse-server"
    if [ "$1" = test ]; then
        programs="$programs node:nodejs npm:npm ${TACHO_CHROMIUM:-chromium-headless-shell}:chromium-headless-shell"
        wished=
    fi
    ;;
cross)
    packages="$packages $arm64_packages"
    programs=$arm64
    ;;
dist)
    programs="git:git node:nodejs npm:npm"
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
    installed "$package" || missing="$missing $package"
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
apt_get()
{
    $as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -qq -o DPkg::Lock::Timeout=600 "$@" >"$log" 2>&1
}

# The lists of packages have a lock of their own, for which apt does not wait.
update()
{
    tries=120
    until apt_get update; do
        grep -q 'Could not get lock' "$log" && [ "$tries" -gt 0 ] || return 1
        [ "$tries" -lt 120 ] || echo "waiting for another apt, which is reading its lists"
        tries=$((tries - 1))
        sleep 5
    done
}

# Tests start these daemons themselves. This machine's own stay off: a file says so, and a unit is masked before it comes.
keep_off()
{
    case $1 in
    *openssh-server*)
        $as_root mkdir -p /etc/ssh
        $as_root touch /etc/ssh/sshd_not_to_be_run
        ;;
    esac
    case $1 in
    *clickhouse-server*)
        $as_root mkdir -p /etc/systemd/system
        [ -e /etc/systemd/system/clickhouse-server.service ] || $as_root ln -s /dev/null /etc/systemd/system/clickhouse-server.service
        ;;
    esac
}

# What apt would do with packages, as a list: Inst or Remv.
planned()
{
    sed -n "s/^$1 \([^ ]*\).*/ \1/p" "$log" | tr -d '\n'
}

install()
{
    if ! apt_get -s install --no-install-recommends "$@"; then
        cat "$log" >&2
        return 1
    fi
    removed=$(planned Remv)
    if [ -n "$removed" ]; then
        echo "nothing is installed: for $* apt would have to remove$removed, which somebody may need" >&2
        echo "remove them yourself, or install what is missing by other means" >&2
        return 1
    fi
    echo "installing:$(planned Inst)"
    keep_off "$*"
    if ! apt_get -y install --no-remove --no-install-recommends "$@"; then
        cat "$log" >&2
        return 1
    fi
}

if ! update && [ -n "$missing" ]; then
    cat "$log" >&2
    exit 1
fi
[ -z "$missing" ] || install $missing || exit 1
[ -z "$optional" ] || install $optional || echo "could not install$optional: there are no pages" >&2
