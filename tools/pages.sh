#!/bin/sh
# pages.sh SOURCE FOLDER: bundles SOURCE/web into scripts and style sheets, which are embedded into the binary: trace.js and
# trace.css for the pages of traces (web/src/page/main.ts), serve.js and serve.css for what `tacho serve` shows (web/src/serve/main.ts).
#
# What npm fetches goes into web-modules in FOLDER, or into build/web-modules of the source tree where FOLDER lies inside
# it, so that all build folders share it; nothing is written beside the sources. Without node and npm, or where npm cannot
# fetch, both files are left empty and the build goes on: the tool then says that it was built without pages. Mistakes in the
# sources end the build.
set -eu

source=$(cd "$1" && pwd -P)
folder=$(mkdir -p "$2" && cd "$2" && pwd -P)

case $folder in
"$source"/*) modules=$source/build/web-modules ;;
*) modules=$folder/web-modules ;;
esac

without()
{
    echo "pages: $1; building without pages (make pages tries again)"
    for file in trace.js trace.css serve.js serve.css; do : >"$folder/$file"; done
    exit 0
}

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    without "node and npm are not installed"
fi

mkdir -p "$modules"
# Two builds at once install once.
exec 9>"$modules/lock"
if command -v flock >/dev/null; then
    flock 9
fi
wanted=$(cat "$source/web/package.json" "$source/web/package-lock.json" | cksum)
if [ "$(cat "$modules/installed" 2>/dev/null)" != "$wanted" ]; then
    rm -f "$modules/installed"
    cp "$source/web/package.json" "$source/web/package-lock.json" "$modules/"
    if ! (cd "$modules" && timeout 300 npm ci --ignore-scripts --no-audit --no-fund --loglevel=error --prefer-offline \
        --fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-timeout=30000) >"$modules/npm.log" 2>&1; then
        without "npm could not fetch what they need (see $modules/npm.log)"
    fi
    echo "$wanted" >"$modules/installed"
fi

# Build folders that share the modules share what is made of the same sources, too.
made=$modules/made-$(cd "$source" && find web tools/pages.sh -type f -exec cksum {} + | sort | cksum | tr ' ' -)
if [ ! -d "$made" ]; then
    # Compilers look for modules above the sources, so these are copied beside the modules.
    work=$(mktemp -d "$modules/work.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    cp -R "$source/web/src" "$source/web/style.css" "$source/web/tsconfig.json" "$work/"
    (cd "$work" && "$modules/node_modules/.bin/tsc" -p .) || exit 1
    bundle()
    {
        "$modules/node_modules/.bin/esbuild" "$work/src/$1/main.ts" --bundle --minify --format=iife --target=es2022 --charset=utf8 \
            --log-level=warning --outfile="$work/made/$2.js"
    }
    bundle page trace
    bundle serve serve
    rm -rf "$modules"/made-*
    mv "$work/made" "$made"
fi
cp "$made"/* "$folder/"
