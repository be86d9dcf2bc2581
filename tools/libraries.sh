#!/bin/sh
# libraries.sh BUILD: after an installation: makes the installed libraries known to the system where that can be done, and says what is
# left to do where it cannot.
set -e
log=$1/meson-logs/install-log.txt
folder=$(dirname "$(grep '/libtacho-record\.so$' "$log")")

[ -z "${DESTDIR-}" ] || exit 0 # a tree that is to be moved: known where it will be
[ "$(id -u)" -ne 0 ] || ldconfig 2>/dev/null || :
if PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | grep -q "=> $folder/libtacho-record\.so"; then
    echo "the libraries in $folder are known to the system"
else
    echo "the libraries are in $folder, where the system does not look: export LD_LIBRARY_PATH=$folder"
    echo "programs that are built: export PKG_CONFIG_PATH=$folder/pkgconfig"
fi
