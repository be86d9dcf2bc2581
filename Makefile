# The front door. Every target sets up what it needs; meson does the work in build/.
BUILD := build
CHECK := build-check
SANITIZED := build-asan
RELEASE := build-release
FUZZ := build-fuzz
THREADS := build-tsan
# Builds for tests: asserts are on, reports have lines, and files are not joined.
CHECKED := -Dbuildtype=debug -Doptimization=1 -Dc_args=-g1 -Db_lto=false

.PHONY: all setup pages python $(CHECK) $(SANITIZED) $(THREADS) $(RELEASE) check test test-long test-shaken coverage test-truth test-web format demo bench fuzz install uninstall clean

all: $(BUILD)/build.ninja
	@tools/files.sh $(BUILD)
	@ninja -C $(BUILD)
	@ln -sf src/tacho $(BUILD)/tacho

setup:
	@tools/setup.sh

# Tries again to build the pages, after a build without them.
pages: $(BUILD)/build.ninja
	@tools/setup.sh
	@meson configure $(BUILD) -Dpages=build
	@rm -f $(BUILD)/trace.js
	@$(MAKE) --no-print-directory all

$(BUILD)/build.ninja:
	@tools/setup.sh
	@tools/train.sh $(BUILD) -Dtests=false

$(CHECK)/build.ninja:
	@meson setup $(CHECK) . $(CHECKED)

$(SANITIZED)/build.ninja:
	@meson setup $(SANITIZED) . $(CHECKED) -Db_sanitize=address,undefined -Db_lundef=false

$(THREADS)/build.ninja:
	@meson setup $(THREADS) . $(CHECKED) -Db_sanitize=thread -Db_lundef=false

# Builds for tests, as tests/run.py asks for them. Pages that could not be built are tried again.
$(CHECK): $(CHECK)/build.ninja
	@[ -s $(CHECK)/trace.js ] || rm -f $(CHECK)/trace.js
	@tools/files.sh $(CHECK)
	@ninja -C $(CHECK)
	@ln -sf src/tacho $(CHECK)/tacho
	@tools/python.sh $(CHECK)

$(SANITIZED): $(SANITIZED)/build.ninja
	@[ -s $(SANITIZED)/trace.js ] || rm -f $(SANITIZED)/trace.js
	@tools/files.sh $(SANITIZED)
	@ninja -C $(SANITIZED)
	@ln -sf src/tacho $(SANITIZED)/tacho
	@CFLAGS="-fsanitize=address,undefined -fsanitize-undefined-trap-on-error" tools/python.sh $(SANITIZED)

$(THREADS): $(THREADS)/build.ninja
	@tools/files.sh $(THREADS)
	@ninja -C $(THREADS) tests/two_jobs tests/zones tests/test_relay src/tacho

# What ships: the tool as `make` makes it, and nothing else.
$(RELEASE)/build.ninja: | $(CHECK)
	@GENERATE=$(abspath $(CHECK))/bench/generate tools/train.sh $(RELEASE) -Dtests=false -Dbench=false

$(RELEASE): $(RELEASE)/build.ninja
	@tools/files.sh $(RELEASE)
	@ninja -C $(RELEASE) src/tacho
	@ln -sf src/tacho $(RELEASE)/tacho

$(FUZZ)/build.ninja:
	@tools/setup.sh fuzz
	@CC=clang meson setup $(FUZZ) . -Dbuildtype=debugoptimized -Dfuzz=true -Db_lto=false -Db_lundef=false

# The Python package, to be imported from $(BUILD)/python without being installed.
python: all
	@tools/setup.sh python
	@tools/python.sh $(BUILD)

# Two and a half minutes for whoever works: unit tests and nearly all others, over a plain build of its own that takes little time to make.
check:
	@tools/setup.sh check
	@/usr/bin/python3 tests/run.py check

# Everything, as CI runs it: also under ASan and UBSan, threads under TSan, in a browser, and over the release that ships. Nothing is
# left out: what is missing is installed first, and tests of what is still not there fail.
test:
	@tools/setup.sh test
	@/usr/bin/python3 tests/run.py test

# What takes many minutes: torture by hundreds of rounds, statistics over thousands of draws, fuzzing.
test-long:
	@tools/setup.sh test
	@/usr/bin/python3 tests/run.py long

# The fast tests three times, in an order of their own: in short and in long paths, beside busy processes, on one core. SEED=N repeats one.
test-shaken:
	@tools/setup.sh check
	@$(MAKE) --no-print-directory $(CHECK)
	@/usr/bin/python3 tests/shaken.py $(CHECK) $(if $(SEED),--seed $(SEED)) $(SHAKEN)

# Which lines the fast tests reach, by room. AGAINST="one.json two.json": what both of these runs reached is reached again.
coverage:
	@tools/setup.sh test
	@/usr/bin/python3 tools/coverage.py build-coverage $(COVERAGE) $(if $(AGAINST),--against $(AGAINST))

# How often the first advice on 300 profiles with planted causes is right, by cause: tests/planted/README.md.
test-truth: all
	@rm -rf $(BUILD)/planted
	@/usr/bin/python3 tests/planted/generate.py --count 400 --seed 1 --out $(BUILD)/planted
	@/usr/bin/python3 tests/planted/judge.py --tacho $(BUILD)/tacho --verbs advise,report --require $(TRUTH) $(BUILD)/planted

# Pages in a real browser, all of it: every kind of input at every size. Pictures are left in $(CHECK)/pictures.
test-web:
	@tools/setup.sh test
	@$(MAKE) --no-print-directory $(CHECK)
	@TACHO=$(abspath $(CHECK))/tacho TACHO_BUILD=$(abspath $(CHECK)) TACHO_WEB=all /usr/bin/python3 -m pytest -q -p no:cacheprovider tests/test_web.py tests/test_browser.py tests/test_trace_page.py tests/test_serve_browser.py tests/test_serve_live_browser.py tests/test_tiles_browser.py tests/test_webapp_browser.py

# A test wants what this leaves.
format:
	@tools/setup.sh format
	@{ git ls-files -z '*.c' '*.h' 2>/dev/null || find src include tests bench fuzz examples python -name '*.[ch]' -print0; } | xargs -0 clang-format -i

demo: all
	@examples/demo.sh $(BUILD)/tacho

bench: all
	@tools/setup.sh bench
	@/usr/bin/python3 bench/bench.py --tacho $(BUILD)/tacho --tools $(BUILD)/bench $(BENCH)
	@/usr/bin/python3 bench/recorder.py --tools $(BUILD)/bench
	@tools/python.sh $(BUILD)
	@/usr/bin/python3 bench/python.py --build $(BUILD)

fuzz: $(FUZZ)/build.ninja
	@tools/files.sh $(FUZZ)
	@ninja -C $(FUZZ)
	@/usr/bin/python3 fuzz/run.py $(FUZZ)/fuzz $(FUZZ_OPTIONS)

# PREFIX=DIR says where to, DESTDIR=DIR puts a tree somewhere else first. It ends with what programs need to find the libraries.
install: all
	@[ -z "$(PREFIX)" ] || { meson configure $(BUILD) -Dprefix=$(abspath $(PREFIX)) && ninja -C $(BUILD); }
	@meson install -C $(BUILD) --no-rebuild
	@tools/libraries.sh $(BUILD)

uninstall:
	@ninja -C $(BUILD) uninstall

clean:
	@rm -rf $(BUILD) $(CHECK) $(SANITIZED) $(THREADS) $(RELEASE) $(FUZZ) build-arm64 build-coverage

.PHONY: dist cross-arm64
# The source as a tarball, with its pages bundled: who builds from it needs no network.
dist:
	@tools/setup.sh dist
	@tools/dist.sh $(BUILD)

# The tool built for arm64 in build-arm64, with Debian's libraries for it unpacked there: under qemu it answers as the tool does here.
cross-arm64:
	@tools/setup.sh check
	@tools/setup.sh cross
	@$(MAKE) --no-print-directory $(CHECK)
	@TACHO=$(abspath $(CHECK))/tacho TACHO_BUILD=$(abspath $(CHECK)) /usr/bin/python3 -m pytest -q -p no:cacheprovider tests/test_build.py -k arm64_answers
