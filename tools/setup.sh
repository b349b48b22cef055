#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what one stage of the work needs and lacks: Debian packages, the pinned Python packages
# (into .venv) and the pinned C sources (into .deps). Prints nothing when all is there.
#
#   tools/setup.sh build    what compiles the library and the program (the default)
#   tools/setup.sh test     build, and what the tests need
#   tools/setup.sh bench    test, and the peers of the benchmarks
#   tools/setup.sh lint     test, and the checkers
#   tools/setup.sh engine   test, and cuPyNumeric (2.9 GB, into .venv-engine)
#   tools/setup.sh multirank   test, and cuPyNumeric with a network and Open MPI (4.2 GB, into .venv-ranks
#                              and .venv-mpi), for several ranks on one machine
set -eu
cd "$(dirname "$0")/.."
stage=${1:-build}

fail() {
  printf 'setup: %s\n' "$*" >&2
  exit 1
}

case $stage in
build | test | bench | lint | engine | multirank) ;;
*) fail "no stage '$stage': build, test, bench, lint, engine or multirank" ;;
esac

# Two runs at once would tread on each other's half-made folders; the second waits for the first.
exec 9<tools/setup.sh
flock 9

# ---- Debian packages -----------------------------------------------------------------------------

missing=()

# want PACKAGE TEST...: notes the package when the test fails. The tests look for the thing itself,
# so that a compiler or library from elsewhere will do, and other systems than Debian are served.
want() {
  local package=$1
  shift
  "$@" >/dev/null 2>&1 || missing+=("$package")
}

want gcc command -v cc
want libc6-dev test -e /usr/include/stdio.h
want cmake command -v cmake
want ninja-build command -v ninja
want pkg-config command -v pkg-config
want libxxhash-dev pkg-config --exists libxxhash
want libutf8proc-dev pkg-config --exists libutf8proc
want libgumbo-dev pkg-config --exists gumbo
want zlib1g-dev pkg-config --exists zlib
want libdeflate-dev pkg-config --exists libdeflate
want libzstd-dev pkg-config --exists libzstd
want liblz4-dev pkg-config --exists liblz4
want libblosc-dev pkg-config --exists blosc
want liblzma-dev pkg-config --exists liblzma
want libbz2-dev test -e /usr/include/bzlib.h
want libhdf5-103-1 python3 -c 'import ctypes; ctypes.CDLL("libhdf5_serial.so.103")'
[ -e .venv/stamp ] || want python3-venv python3 -c 'import ensurepip, venv'

if [ "$stage" != build ]; then
  want g++ command -v c++
  want libsnappy-dev test -e /usr/include/snappy-c.h # for static programs: blosc stands on it
  want libcmocka-dev pkg-config --exists cmocka
  want zsh command -v zsh
  want fish command -v fish
  want mandoc command -v mandoc
  want strace command -v strace
  command -v google-chrome >/dev/null || want chromium command -v chromium
  want clang command -v clang
  want libclang-rt-dev test -e "$(clang -print-file-name="libclang_rt.fuzzer-$(uname -m).a" 2>/dev/null)"
fi

if [ "$stage" = lint ]; then
  want clang-format command -v clang-format
  want clang-tidy command -v clang-tidy
  want cppcheck command -v cppcheck
  want shellcheck command -v shellcheck
fi

if [ ${#missing[@]} -gt 0 ]; then
  command -v apt-get >/dev/null || fail "please install (Debian's names): ${missing[*]}"
  as_root=(env DEBIAN_FRONTEND=noninteractive)
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "as root, please run: apt-get install ${missing[*]}"
    as_root=(sudo "${as_root[@]}")
  fi
  printf 'setup: installing Debian packages: %s\n' "${missing[*]}"
  { "${as_root[@]}" apt-get -qq update &&
    "${as_root[@]}" apt-get -qq -y --no-install-recommends install "${missing[@]}" >/dev/null; } ||
    fail "apt-get could not install: ${missing[*]}"
fi

# ---- Python packages -----------------------------------------------------------------------------

# A stamp is written last, so one that stands belongs to a finished step, and it holds what the step
# was made from, so a change there makes the step run again.

python=.venv/bin/python

# make_venv FOLDER: makes it, and again when python3 has become another.
make_venv() {
  if [ "$("$1/bin/python" -V 2>&1)" != "$(cat "$1/stamp" 2>/dev/null || echo none)" ]; then
    rm -rf "$1"
    python3 -m venv "$1" || fail "python3 could not make $1"
    "$1/bin/python" -V >"$1/stamp"
  fi
}

# installed FOLDER FILE...: whether the virtual environment has the packages of the files.
installed() {
  [ "$(cat "${@:2}" | sha256sum)" = "$(cat "$1/stamp-$stage" 2>/dev/null)" ]
}

# The files name all that is needed, and less than some of the packages ask for.
pip_options=(--no-deps)

# install_packages FOLDER FILE...: the packages of the files, into the virtual environment.
install_packages() {
  local folder=$1 sum
  shift
  sum=$(cat "$@" | sha256sum)
  if ! installed "$folder" "$@"; then
    printf 'setup: installing Python packages: %s\n' "$*"
    "$folder/bin/python" -m pip install -q --disable-pip-version-check --require-hashes \
      --only-binary :all: "${pip_options[@]}" "${@/#/-r}" ||
      fail "pip could not install $* (pinned for CPython 3.11; this is $("$folder/bin/python" -V))"
    echo "$sum" >"$folder/stamp-$stage"
  fi
}

make_venv .venv
case $stage in
build) ;;
test | engine | multirank) install_packages .venv tests/requirements.txt ;;
bench) install_packages .venv tests/requirements.txt bench/requirements.txt ;;
lint) install_packages .venv tests/requirements.txt tools/requirements-lint.txt ;;
esac

# On its own: the tests of the library shall not see another NumPy when the engine needs one.
if [ "$stage" = engine ]; then
  make_venv .venv-engine
  install_packages .venv-engine tests/requirements-engine.txt
fi

# need_space FOLDER GIGABYTES
need_space() {
  local free
  free=$(df -Pk "$1" 2>/dev/null | awk 'NR == 2 { print int($4 / 1000000) }')
  [ "${free:-0}" -ge "$2" ] || fail "$1 has ${free:-no} GB left, $2 are needed to install stage '$stage'"
}

if [ "$stage" = multirank ]; then
  [ "$(uname -m)" = x86_64 ] || fail "stage 'multirank' is for x86_64; this is $(uname -m)"
  # pip unpacks into the folder what it has fetched into the other, 2.5 GB.
  if ! installed .venv-ranks tests/requirements-ranks.txt; then
    need_space . 7
    need_space "${TMPDIR:-/tmp}" 3
  fi
  make_venv .venv-ranks
  install_packages .venv-ranks tests/requirements-ranks.txt
  make_venv .venv-mpi
  install_packages .venv-mpi tests/requirements-mpi.txt
  # It comes as a script for the linker, but Legate opens it as a library.
  [ -L .venv-mpi/lib/libmpi.so ] || ln -sf libmpi.so.40 .venv-mpi/lib/libmpi.so
fi

# ---- C sources -----------------------------------------------------------------------------------

# unpack FOLDER ARCHIVE PATH MEMBER...: members of a source archive, named below PATH, into FOLDER.
unpack() {
  local folder=.deps/$1 archive=$2 path=$3 slashes
  shift 3
  slashes=${path//[!\/]/}
  mkdir -p "$folder"
  tar -xzf "$archive" -C "$folder" --no-same-owner --strip-components=$((${#slashes} + 2)) \
    --wildcards "${@/#/*/$path/}"
}

lists=(tools/sources.txt tools/sources-scanner.txt)
sum=$(cat tools/setup.sh "${lists[@]}" | sha256sum)
if [ "$sum" != "$(cat .deps/stamp 2>/dev/null)" ]; then
  echo "setup: fetching C sources: ${lists[*]}"
  rm -rf .deps
  mkdir .deps
  for list in "${lists[@]}"; do
    $python -m pip download -q --disable-pip-version-check --no-deps -r "$list" -d .deps ||
      fail "pip could not fetch $list"
  done
  unpack yyjson .deps/yyjson-*.tar.gz yyjson 'yyjson.[ch]'
  unpack tree-sitter .deps/tree_sitter-*.tar.gz tree_sitter/core/lib include src
  unpack tree-sitter-python .deps/tree_sitter_python-0.25.0.tar.gz src parser.c tree_sitter
  unpack tree-sitter-python .deps/tree_sitter_python-0.23.6.tar.gz src scanner.c
  unpack tree-sitter-toml .deps/tree_sitter_toml-*.tar.gz src parser.c scanner.c
  # The numbers of the grammars' symbols, which stand in no header.
  for grammar in python toml; do
    sed -n '/^enum ts_symbol_identifiers/,/^};/p' .deps/tree-sitter-$grammar/parser.c \
      >.deps/tree-sitter-$grammar/symbols.h
  done
  echo "$sum" >.deps/stamp
fi
