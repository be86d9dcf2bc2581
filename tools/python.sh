#!/bin/sh
# Builds the Python package against a build that is not installed, so that it can be imported from BUILD/python.
#
#   python.sh BUILD [PYTHON]    PYTHON: another interpreter than Debian's; its modules lie beside those of others
set -eu
build=$(cd "$1" && pwd)
python=${2:-/usr/bin/python3}
root=$(cd "$(dirname "$0")/.." && pwd)
# Several tests may want it at once.
exec 9>"$build/python.lock"
flock 9
# Most times nothing has changed since: to find that out by setup.py takes half a second.
stamp=$build/python-objects/built$(echo "$python" | tr / -)
changed() {
    find "$root/python" "$root/include" "$build/meson-uninstalled" -type f ! -name '*.pyc' ! -path '*.egg-info/*' -newer "$1" -print -quit
}
[ -e "$stamp" ] && [ -z "$(changed "$stamp")" ] && exit 0
mkdir -p "$build/python-objects"
touch "$stamp.new"
cd "$root/python"
# An interpreter that came without setuptools builds with Debian's.
"$python" -c 'import setuptools' 2>/dev/null || export PYTHONPATH=/usr/lib/python3/dist-packages
PKG_CONFIG_PATH="$build/meson-uninstalled" CFLAGS="-I$root/include ${CFLAGS-}" PYTHONDONTWRITEBYTECODE= \
    "$python" -W ignore setup.py -q build --build-base "$build/python-objects" --build-lib "$build/python"
mv "$stamp.new" "$stamp"
