#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs Python with cuPyNumeric (.venv-engine) and with what the tests import, on a machine without a GPU.
#
#   engine.sh CPUS SYSMEM_MIB ARGUMENT...
set -eu
root=${MUSTER_SOURCE:?}
engine=$root/.venv-engine
if [ ! -e "$engine/stamp-engine" ]; then
  echo 'SKIPPED: cuPyNumeric is not installed: tools/setup.sh engine (CPython 3.11 on Linux)'
  exit 0
fi
export LEGATE_AUTO_CONFIG=0 LEGATE_CONFIG="--cpus $1 --gpus 0 --omps 0 --sysmem $2"
shift 2
export LD_LIBRARY_PATH=$MUSTER_BUILD/tests/support/no_gpu${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
# The test tools come last, so that of packages in both the engine's own is taken.
tools=("$root"/.venv/lib/python3*/site-packages)
export PYTHONPATH=$MUSTER_BUILD/python:$root/bench
exec "$engine/bin/python" -c 'import runpy, sys
sys.path.append(sys.argv.pop(1))
sys.argv.pop(0)
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)' "${tools[0]}" "$@"
