#!/usr/bin/env bash
# Runs the benchmarks on build/libmuster.so and build/muster; README.md tells about them.
#
#   bench/run.sh [OPTION...]           all, with options that both know: --rounds, --quick
#   bench/run.sh load [OPTION...]      that of loading; --help lists the options
#   bench/run.sh formats [OPTION...]   that of other formats than npy; --help lists the options
#   bench/run.sh assess [OPTION...]    that of assess; --help lists the options
#   bench/run.sh legate [OPTION...]    that of loading into cuPyNumeric, where that is installed
set -eu
cd "$(dirname "$0")/.."

if [ ! -e build/libmuster.so ] || [ ! -e build/muster ] || [ ! -e .venv/stamp-bench ]; then
  echo 'bench: something is not built yet: run make bench' >&2
  exit 1
fi

load() {
  cc -std=c17 -O2 -Wall -Wextra -shared -fPIC -pthread -o build/bench-limit.so bench/limit.c
  PYTHONPATH=tests .venv/bin/python bench/bench.py "$@"
}

formats() {
  local flags=(-std=c17 -O2 -Wall -Wextra -shared -fPIC -pthread)
  cc "${flags[@]}" -o build/bench-limit.so bench/limit.c
  cc "${flags[@]}" -o build/bench-codecs.so bench/codecs.c -lzstd -ldeflate -lblosc -llz4 -lsnappy
  PYTHONPATH=tests .venv/bin/python bench/formats.py "$@"
}

# The flags are those that libmuster's tree-sitter is compiled with, but for its allocator.
tree_sitter() {
  local deps=.deps/tree-sitter grammar=.deps/tree-sitter-python object=build/bench-tree-sitter.o
  [ $object -nt $grammar/parser.c ] && return
  local flags=(-std=c17 -O2 -g -DNDEBUG -D_GNU_SOURCE -DTREE_SITTER_HIDE_SYMBOLS -fPIC
    -fvisibility=hidden -w "-I$deps/src" "-I$deps/include" "-I$grammar")
  cc "${flags[@]}" -r -o $object build/tree_sitter.c $grammar/parser.c $grammar/scanner.c
}

assess() {
  tree_sitter
  local flags=(-std=c17 -O2 -Wall -Wextra -pthread)
  cc "${flags[@]}" -I.deps/tree-sitter/include -o build/bench-parse \
    bench/parse.c build/bench-tree-sitter.o
  cc "${flags[@]}" -DBENCH_OURS -Iinclude -Isrc -o build/bench-parse-ours \
    bench/parse.c build/libmuster.a -lm
  PYTHONPATH=tests .venv/bin/python bench/assess.py "$@"
}

legate() {
  cmake --build build --target python_package support-no_gpu_driver >/dev/null
  MUSTER_SOURCE=$PWD MUSTER_BUILD=$PWD/build tests/support/engine.sh "$(nproc)" 14000 \
    cupynumeric_load "$@"
}

case ${1:-} in
  load | formats | assess | legate) "$@" ;;
  *)
    load "$@"
    formats "$@"
    assess "$@"
    legate "$@"
    ;;
esac
