#!/bin/sh
# cross.sh BUILD: builds the tool for arm64 into BUILD, with the headers and libraries that Debian has for it, unpacked into BUILD/system.
#
# apt asks where it always asks, with folders of its own in BUILD/apt: the packages of this machine and its list of architectures stay as
# they are. `qemu-aarch64 -L BUILD/system BUILD/src/tacho` runs what is built.
set -eu
cd "$(dirname "$0")/.."
build=$(mkdir -p "$1" && cd "$1" && pwd -P)
apt=$build/apt
system=$build/system
packages="libc6-dev libgcc-$(gcc -dumpversion)-dev zlib1g-dev libzstd-dev libxxhash-dev libxlsxwriter-dev libmicrohttpd-dev libsqlite3-dev libcurl4-openssl-dev"

apt_get()
{
    LC_ALL=C apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State="$apt/state" \
        -o Dir::State::status="$apt/status" -o Dir::Cache="$apt/cache" "$@" >>"$apt/log" 2>&1
}

# Links of packages go to the root of a system.
links_into()
{
    find "$1" -type l -lname '/*' | while read -r link; do
        ln -sfn "$1$(readlink "$link")" "$link"
    done
}

unpack()
{
    rm -rf "$apt" "$system"
    mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial" "$system"
    : >"$apt/status"
    # A source that has nothing for arm64 is no obstacle: the next line tells.
    apt_get update || :
    if ! apt_get install -y --download-only --no-install-recommends $packages; then
        cat "$apt/log" >&2
        echo "cross: apt could not fetch the libraries for arm64" >&2
        exit 1
    fi
    for package in "$apt"/cache/archives/*.deb; do
        dpkg-deb -x "$package" "$system"
    done
    links_into "$system"
    # Packages of Debian 12 say /lib, later ones leave that to the system.
    [ -e "$system/lib" ] || ln -s usr/lib "$system/lib"
    rm -rf "$apt"
    echo "$packages" >"$build/unpacked"
}

# Where gcc-multilib is installed, Debian's compiler cannot be: clang.
if command -v aarch64-linux-gnu-gcc >/dev/null; then
    compiler="'aarch64-linux-gnu-gcc'"
else
    compiler="'clang', '--target=aarch64-linux-gnu'"
fi
! command -v ccache >/dev/null || compiler="'ccache', $compiler"

[ "$(cat "$build/unpacked" 2>/dev/null)" = "$packages" ] || unpack
cat >"$build/arm64.ini" <<END
[binaries]
c = [$compiler, '--sysroot=$system']
ar = 'aarch64-linux-gnu-ar'
strip = 'aarch64-linux-gnu-strip'
pkgconfig = 'pkg-config'

[properties]
sys_root = '$system'
pkg_config_libdir = ['$system/usr/lib/aarch64-linux-gnu/pkgconfig', '$system/usr/share/pkgconfig']

[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
END
[ -e "$build/build.ninja" ] || meson setup "$build" . --cross-file "$build/arm64.ini" -Dtests=false -Dbench=false -Db_lto=false
tools/files.sh "$build"
ninja -C "$build"
