# SPDX-License-Identifier: Apache-2.0
"""The table of support/format_cases.py by the backends that need no Legate, and by recipes."""

import sys

import numpy as np
import pytest
from support import cli, env, format_cases, reference, stand_ins, tables

sys.path.insert(0, str(env.BUILD / "python"))
import muster  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::muster.DatasetWarning")


@pytest.fixture(scope="module", params=format_cases.CASES, ids=lambda case: case.name)
def made(request, tmp_path_factory):
    """(folder, options, what must arrive)"""
    folder = tmp_path_factory.mktemp("data")
    return folder, request.param.options, request.param.expected(request.param.make(folder))


@pytest.mark.parametrize("tile_rows", [None, 23])
def test_package(made, tile_rows):
    folder, options, expected = made
    loaded = muster.load(folder, backend="numpy", progress=False, **options | {"tile_rows": tile_rows})
    assert reference.same(loaded, expected)


@pytest.mark.parametrize("tile_rows", [0, 23])
def test_memory_and_file(made, tile_rows, tmp_path):
    folder, options, expected = made
    words = [*format_cases.words_of(options), f"--tile-rows={tile_rows}"] if tile_rows else [*format_cases.words_of(options)]
    got = cli.ok("load", folder, "--to=memory", "--json", *words).json
    assert int(got["checksum"], 16) == reference.checksum(expected)
    cli.ok("load", folder, "-o", tmp_path / "out.npy", "--quiet", *words)
    assert reference.same(np.load(tmp_path / "out.npy"), expected)


@pytest.mark.parametrize("on_gpu", [False, True])
def test_recipe(made, on_gpu):
    folder, options, expected = made
    words = format_cases.words_of({k: v for k, v in options.items() if k != "over_decompose"})
    text = cli.ok("recipe", folder, *words, "--quiet").out
    assert tables.same(stand_ins.run(text, on_gpu=on_gpu)["array"], expected)
