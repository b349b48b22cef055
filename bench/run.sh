#!/usr/bin/env bash
# Runs the benchmark on build/libmuster.so; README.md tells about it, --help about the options.
set -eu
cd "$(dirname "$0")/.."

if [ ! -e build/libmuster.so ] || [ ! -e .venv/stamp-bench ]; then
  echo 'bench: something is not built yet: run make bench' >&2
  exit 1
fi
cc -std=c17 -O2 -Wall -Wextra -shared -fPIC -pthread -o build/bench-limit.so bench/limit.c
PYTHONPATH=tests exec .venv/bin/python bench/bench.py "$@"
