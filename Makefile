# The front door. Every target sets up what it needs; meson does the work in build/.
BUILD := build
SANITIZED := build-asan
FUZZ := build-fuzz
THREADS := build-tsan
# Builds that are looked through by sanitizers: lines for their reports, and no more.
CHECKED := -Dbuildtype=debug -Doptimization=1 -Dc_args=-g1

.PHONY: all setup pages python test test-truth test-web format demo bench fuzz install uninstall clean

all: $(BUILD)/build.ninja
	@tools/files.sh $(BUILD)
	@ninja -C $(BUILD)
	@ln -sf src/tacho $(BUILD)/tacho

setup:
	@tools/setup.sh

# Tries again to build the pages, after a build without them.
pages: $(BUILD)/build.ninja
	@tools/setup.sh
	@rm -f $(BUILD)/trace.js
	@$(MAKE) --no-print-directory all

$(BUILD)/build.ninja:
	@tools/setup.sh
	@tools/train.sh $(BUILD)

$(SANITIZED)/build.ninja:
	@meson setup $(SANITIZED) . $(CHECKED) -Db_sanitize=address,undefined -Db_lto=false -Db_lundef=false

$(THREADS)/build.ninja:
	@meson setup $(THREADS) . $(CHECKED) -Db_sanitize=thread -Db_lto=false -Db_lundef=false

$(FUZZ)/build.ninja:
	@tools/setup.sh fuzz
	@CC=clang meson setup $(FUZZ) . -Dbuildtype=debugoptimized -Dfuzz=true -Db_lto=false -Db_lundef=false

# The Python package, to be imported from $(BUILD)/python without being installed.
python: all
	@tools/setup.sh python
	@tools/python.sh $(BUILD)

# Unit, golden, property, man-page and include-rule tests, plain and under ASan and UBSan; jobs in several
# threads, and programs whose threads record, under TSan. Nothing is left out: what is missing is
# installed first, pages that could not be built are tried again, and tests of what is still not there fail.
test:
	@tools/setup.sh test
	@for build in $(BUILD) $(SANITIZED); do [ -s $$build/trace.js ] || rm -f $$build/trace.js; done
	@$(MAKE) --no-print-directory all $(SANITIZED)/build.ninja $(THREADS)/build.ninja
	@tools/files.sh $(SANITIZED)
	@ninja -C $(SANITIZED)
	@tools/files.sh $(THREADS)
	@ninja -C $(THREADS) tests/two_jobs tests/zones tests/test_relay src/tacho
	@ln -sf src/tacho $(SANITIZED)/tacho
	@tools/python.sh $(BUILD)
	@CFLAGS="-fsanitize=address,undefined -fsanitize-undefined-trap-on-error" tools/python.sh $(SANITIZED)
	@/usr/bin/python3 tests/run.py $(BUILD) $(SANITIZED)

# How often the first advice on 300 profiles with planted causes is right, by cause: tests/planted/README.md.
test-truth: all
	@rm -rf $(BUILD)/planted
	@/usr/bin/python3 tests/planted/generate.py --count 400 --seed 1 --out $(BUILD)/planted
	@/usr/bin/python3 tests/planted/judge.py --tacho $(BUILD)/tacho --verbs advise,report --require $(TRUTH) $(BUILD)/planted

# Pages in a real browser, all of it: every kind of input at every size, and ten million slices. Pictures are left in $(BUILD)/pictures.
test-web: all
	@tools/setup.sh test
	@TACHO=$(abspath $(BUILD))/tacho TACHO_BUILD=$(abspath $(BUILD)) TACHO_WEB=all /usr/bin/python3 -m pytest -q -p no:cacheprovider tests/test_web.py tests/test_browser.py tests/test_trace_page.py tests/test_serve_browser.py tests/test_serve_live_browser.py tests/test_tiles_browser.py tests/test_webapp_browser.py

# A test wants what this leaves.
format:
	@tools/setup.sh format
	@git ls-files -z '*.c' '*.h' | xargs -0 clang-format -i

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
	@rm -rf $(BUILD) $(SANITIZED) $(THREADS) $(FUZZ)
