# SPDX-License-Identifier: Apache-2.0
# A thin front for CMake: CMakePresets.json holds the builds, tools/setup.sh what they need.

PREFIX ?= /usr/local
DESTDIR ?=
JOBS ?= 2

# The builds that `make test` makes and tests, each in a folder of its own.
FLAVOURS := release asan tsan fuzz
FOLDERS := build build-asan build-tsan build-fuzz

C_FILES = $(shell find include src tests examples bench -name '*.[ch]' 2>/dev/null)

.PHONY: all demo test test-multirank bench fuzz soak format lint install clean help setup

all: build/build.ninja  ## build the library, the program and its manual pages (into build/)
	@cmake --build --preset release --target muster muster_shared muster_static printed

build/build.ninja: CMakePresets.json | setup
	cmake --preset release >/dev/null

setup:
	@tools/setup.sh build

demo: all  ## build, then show muster at work on a small dataset and a small program
	@build/muster demo
	@printf '\n$$ muster assess examples/wave\n'
	@build/muster assess --format text examples/wave

# One ctest over all the builds, so that one summary at the end tells about everything. What is only
# needed to run some tests is installed while the builds are made; where it cannot be had, those tests
# are skipped, and the summary says so.
test:  ## build in all flavours (release, sanitizers, fuzzers) and run every test
	@tools/setup.sh test
	@{ tools/setup.sh engine || echo 'Going on without cuPyNumeric: tests labelled doctor are skipped.'; \
	   tools/setup.sh multirank || echo 'Going on without several ranks: tests labelled multirank are skipped.'; } & \
	for flavour in $(FLAVOURS); do \
	  cmake --preset $$flavour >/dev/null && cmake --build --preset $$flavour || { wait; exit 1; }; \
	done; wait
	@mkdir -p build/all
	@printf 'subdirs("../../%s")\n' $(FOLDERS) > build/all/CTestTestfile.cmake
	@ctest --test-dir build/all -j $(JOBS) --output-on-failure

test-multirank: all  ## run the tests on two ranks of cuPyNumeric (4.2 GB are installed)
	@tools/setup.sh multirank
	@cmake --preset release >/dev/null && cmake --build --preset release --target support-no_gpu_driver
	@ctest --preset release -L multirank --verbose

bench: all  ## compare: other ways to load the same data, other readers of the same source
	@tools/setup.sh bench
	@bench/run.sh

fuzz:  ## run each fuzzer for a minute
	@tools/setup.sh test
	@cmake --preset fuzz -DMUSTER_FUZZ_SECONDS=60 >/dev/null
	@cmake --build --preset fuzz
	@ctest --preset fuzz -j $(JOBS)

soak: all  ## run the long tests
	@tools/setup.sh test
	@MUSTER_SOAK=1 MUSTER_PROGRAM=$(CURDIR)/build/muster MUSTER_LIBRARY=$(CURDIR)/build/libmuster.so \
	  .venv/bin/python -m pytest -q tests/soak tests/formats \
	  tests/rules/test_one_finding.py tests/rules/test_suppression.py

format:  ## lay out the C files
	@tools/setup.sh lint
	@clang-format -i $(C_FILES)

# cppcheck cannot tell that yyjson.h finds <stdint.h>, and raises false alarms about variables that
# are set through pointers; the compilers and sanitizers look for those. What lies in .deps is not
# ours, but is part of some of our files' compilation. What was found is kept for unchanged files.
lint: all  ## check layout, likely mistakes, complexity and types
	@tools/setup.sh lint
	clang-format --dry-run --Werror $(C_FILES)
	find src -name '*.c' | xargs -P $(JOBS) -n 4 clang-tidy -p build --quiet
	mkdir -p build/cppcheck
	cppcheck --project=build/compile_commands.json --file-filter='src/*' --file-filter='tests/*' \
	  -j $(JOBS) --quiet --cppcheck-build-dir=build/cppcheck --enable=warning,performance,portability \
	  --inline-suppr --error-exitcode=1 --suppress=uninitvar \
	  --suppress='*:.deps/*' -DYYJSON_HAS_STDINT_H=1
	.venv/bin/python -m lizard -l cpp --warnings_only --CCN 20 --length 100 include src
	.venv/bin/python -m mypy --strict
	.venv/bin/python -m ruff check python
	.venv/bin/python -m ruff format --check python
	shellcheck tools/*.sh .ci/run

install: all  ## install below PREFIX (/usr/local), staged in DESTDIR
	@DESTDIR='$(DESTDIR)' cmake --install build --prefix '$(PREFIX)'

clean:  ## remove what was built, but not what was fetched
	rm -rf build build-*

help:  ## print this list
	@sed -n 's/^\([a-z-]*\):.*  ## /make \1\t/p' Makefile | expand -t 22
