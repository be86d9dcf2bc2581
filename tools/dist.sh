#!/bin/sh
# dist.sh BUILD: makes BUILD/tacho-VERSION.tar.gz: what is committed, and the pages bundled in web/bundled, so that a build of it needs neither
# node and npm nor a network. The same commit gives the same bytes: files are in the order of git, with the time of the commit.
set -eu
cd "$(dirname "$0")/.."
if ! git rev-parse -q --verify HEAD >/dev/null 2>&1; then
    echo "dist: a tarball is made of what git has, and this is no clone (or there is no git)" >&2
    exit 1
fi
git diff --quiet HEAD || echo "dist: changes that are not committed are left out" >&2

build=$(mkdir -p "$1" && cd "$1" && pwd -P)
name=tacho-$(sed -n "s/^  version: '\(.*\)',$/\1/p" meson.build)
work=$(mktemp -d "$build/dist.XXXXXX")
trap 'rm -rf "$work"' EXIT

# The pages are of the commit, too; what npm fetched is shared with other builds.
git archive HEAD web | tar -x -C "$work"
mkdir -p build/web-modules "$work/build"
ln -s "$PWD/build/web-modules" "$work/build/web-modules"
tools/pages.sh "$work" "$work/build/pages" build
if [ ! -s "$work/build/pages/trace.js" ]; then
    echo "dist: there is no tarball without pages" >&2
    exit 1
fi

set --
for file in trace.js trace.css serve.js serve.css; do
    set -- "$@" "--add-file=$work/build/pages/$file"
done
git -c tar.umask=0022 archive --format=tar --prefix="$name/web/bundled/" "$@" --prefix="$name/" HEAD >"$work/tar"
gzip -9n <"$work/tar" >"$work/tar.gz"
mv "$work/tar.gz" "$build/$name.tar.gz"
echo "$build/$name.tar.gz"
