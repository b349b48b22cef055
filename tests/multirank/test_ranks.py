# SPDX-License-Identifier: Apache-2.0
"""Two ranks of cuPyNumeric on one machine: what a loader must know, and that rows arrive.

The facts are those of docs/ranks.md. Programs lie in programs/.
"""

import json
import os
import pathlib
import re

import numpy as np
import pytest
from support import cli, env, format_cases, load_cases, ranks

PROGRAMS = pathlib.Path(__file__).parent / "programs"
CELLS = [[10.0 * row + column for column in range(3)] for row in range(10)]
#: Seconds; a program that is not waiting for ever ends in much less from where it is waited for.
LONG = 10

LONG_EXCEPTION = """
import sys
from legate.core import TaskContext, VariantCode, get_legate_runtime, types
from legate.core.task import OutputStore, task

@task(variants=(VariantCode.CPU,))
def fail(ctx: TaskContext, place: OutputStore, length: int) -> None:
    raise ValueError("x" * length)

for length in (1000, 4000):
    runtime = get_legate_runtime()
    launch = runtime.create_manual_task(fail.library, fail.task_id, (1,))
    launch.add_output(runtime.create_store(types.int64, (1,)).partition_by_tiling((1,)))
    launch.add_scalar_arg(length, types.int64)
    launch.throws_exception(ValueError)
    try:
        launch.execute()
    except ValueError as error:
        sys.stdout.write(f"caught {len(str(error))}\\n")
        sys.stdout.flush()
"""

pytestmark = pytest.mark.skipif(not ranks.INSTALLED, reason=ranks.NOT_INSTALLED)


# ---- the harness ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "records",
    [
        [{"rank": 0, "ranks": 1, "pid": 7}, {"rank": 0, "ranks": 1, "pid": 8}],  # no network
        [{"rank": 0, "ranks": 2, "pid": 7}, {"rank": 0, "ranks": 2, "pid": 7}],
        [{"rank": 0, "ranks": 2, "pid": 7}],
    ],
)
def test_fewer_ranks_are_noticed(records):
    with pytest.raises(AssertionError):
        ranks.check_ranks(records, 2)


# ---- facts -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def facts():
    return ranks.ok(PROGRAMS / "facts.py").told


def test_the_runtime_tells_rank_and_count(facts):
    assert [told["rank"] for told in facts] == [0, 1]
    assert [told["ranks"] for told in facts] == [told["processors"] for told in facts] == [2, 2]


def test_variables_tell_the_rank_and_only_those_of_the_launcher_the_count(facts):
    for rank, told in enumerate(facts):
        variables = told["variables"]
        assert variables["LEGATE_GLOBAL_RANK"] == variables["LEGATE_LOCAL_RANK"] == str(rank)
        assert variables["OMPI_COMM_WORLD_SIZE"] == "2"
        assert not [name for name in variables if re.match("LEGATE.*SIZE", name)]


def test_tiles_are_dealt_to_ranks_in_blocks(facts):
    where = [{name: v[0] for name, v in told.items() if name.startswith("tile ")} for told in facts]
    assert where == [{"tile 0": 0, "tile 1": 0}, {"tile 2": 1, "tile 3": 1}]


def test_scalar_arguments_are_those_of_the_rank_that_owns_the_tile(facts):
    assert facts[0]["tile 1"] == [0, "of rank 0"]
    assert facts[1]["tile 2"] == [1, "of rank 1"]


def test_every_rank_sees_the_whole_array(facts):
    assert [told["cells"] for told in facts] == [CELLS, CELLS]


def test_an_exception_in_a_tile_reaches_the_driver_on_all_ranks(facts):
    def fault(tile, rank):
        return ["FileNotFoundError", 2, f"tile {tile} on rank {rank}", "shard_7.npy"]

    for told in facts:
        assert told["first"] == fault(0, 0)
        assert told["last"] == fault(3, 1)
        assert told["all"] in [fault(tile, tile // 2) for tile in range(4)]
        assert told["after"] == CELLS


def test_exceptions_of_several_tiles_may_differ_between_ranks(facts):
    """So nothing that ranks have to do alike may depend on which one arrived."""
    assert [told["all"][2] for told in facts] == ["tile 0 on rank 0", "tile 2 on rank 1"]


def test_an_exception_with_a_long_text_ends_the_process():
    """More than 4,096 bytes, and a character took two or more of them: 1,400 arrived, 1,800 did not."""
    ran = ranks.run(LONG_EXCEPTION, ranks=1)
    assert "caught 1000\n" in ran.outputs[0]
    assert "exceeds the maximum" in ran.outputs[0] and "caught 4000" not in ran.outputs[0]
    assert ran.status != 0


def test_ranks_agree(facts):
    for told in facts:
        assert told["exchanged"] == ["00ff", "01ff"]
        assert told["no_error"] is None
        assert told["error"] == ["DataError", "dir/é: is missing (rank 1)", 403, 7, "x", "y"]


# ---- ranks that do not do the same -----------------------------------------------------------------


def test_a_rank_that_raises_alone_leaves_all_waiting():
    running = ranks.Running(PROGRAMS / "alone.py", arguments=["raise"])
    for rank in range(2):
        running.wait_for(rank, "A: ['A0', 'A1']")
    with pytest.raises(ranks.TimedOut) as caught:
        running.wait(LONG)
    assert "OSError: rank 1 cannot see the folder" in str(caught.value)
    assert "B:" not in running.output(0) and "C:" not in running.output(0)
    ranks.check_ranks(running.records, 2)


def test_a_rank_that_leaves_out_a_launch_mixes_it_up_with_the_next():
    """Without any error: launches are matched by their order alone."""
    running = ranks.Running(PROGRAMS / "alone.py", arguments=["skip"])
    running.wait_for(0, "B: ['B0', 'C1']")
    running.wait_for(1, "C: ['B0', 'C1']")
    with pytest.raises(ranks.TimedOut):
        running.wait(LONG)


# ---- loading ---------------------------------------------------------------------------------------

ROWS = [5, 0, 9, 1, 30, 7]
SOME_TIME = 1_700_000_000
TILE_ROWS = 8  # tiles do not end where shards do, and there are more of them than processors


def parts(lengths):
    cells = np.random.default_rng(env.SEED).standard_normal((sum(lengths), 4)).astype(np.float32)
    return np.split(cells, np.cumsum(lengths)[:-1])


@pytest.fixture(scope="module")
def loads(tmp_path_factory):
    """(folder of the results, what the program did) for one program with all cases."""
    top = tmp_path_factory.mktemp("loads")

    def case(name):
        """The same folder for both ranks, or one that rank 1 finds different."""
        alike = cli.npy_folder(top / name / "0", parts(ROWS))
        other = cli.npy_folder(top / name / "1", parts(ROWS))
        for path in (top / name).glob("*/*"):
            os.utime(path, (SOME_TIME, SOME_TIME + 0.5))
        return {"folders": [str(alike), str(other)]}

    names = "missing more truncated mismatching unreadable times vanishes cut".split()
    cases = {name: case(name) for name in names}
    (top / "missing/1/shard_2.npy").unlink()
    np.save(top / "more/1/shard_6.npy", parts([2])[0])
    os.truncate(top / "truncated/1/shard_4.npy", 300)
    np.save(top / "mismatching/1/shard_4.npy", np.zeros((30, 5), "f4"))
    (top / "unreadable/1/shard_4.npy").unlink()
    (top / "unreadable/1/shard_4.npy").symlink_to("shard_4.npy")  # root may read everything else
    os.utime(top / "times/1/shard_4.npy", (SOME_TIME, SOME_TIME + 5))
    cases["vanishes"] |= {"remove": str(top / "vanishes/1/shard_5.npy")}
    cases["cut"] |= {"cut": str(top / "cut/1/shard_4.npy")}
    whole = str(cli.npy_folder(top / "whole", parts(ROWS)))
    dates = np.arange("2024-01", "2024-04", dtype="M8[D]")
    dates_folder = str(cli.npy_folder(top / "dates", [dates[:30], dates[30:]]))
    both = {"folders": [whole, whole]}
    cases |= {"rows": both | {"rows": [[0, 10], [5, 15]]}, "breaks": both | {"breaks": 1}}
    cases |= {"options": both | {"options": [{}, {"format": "npy"}]}}
    cases |= {"thread": both | {"thread": True}, "one rank": both | {"processors": [0, 1]}}
    cases["large"] = {"folders": ["null:1000000x1000:f8"] * 2}
    cases["dates"] = {"folders": [dates_folder] * 2, "rows": [[0, 80]] * 2}
    cases["whole"] = both  # last, so that all of that must have left a runtime that works
    running = ranks.Running(
        PROGRAMS / "load.py", arguments=[top, str(TILE_ROWS), json.dumps(cases)]
    )
    return top, running.wait(240)


def test_each_rank_loads_its_rows(loads):
    folder, ran = loads
    for rank in range(2):
        assert (folder / f"whole.{rank}.npy").exists(), ran
        loaded = np.load(folder / f"whole.{rank}.npy")
        np.testing.assert_array_equal(loaded, np.concatenate(parts(ROWS)), strict=True)
    read = [re.findall(r"^whole: rank (\d) reads (\d+)", output, re.M) for output in ran.outputs]
    assert {rank for rank, _ in read[0]} == {"0"} and {rank for rank, _ in read[1]} == {"1"}
    starts = sorted(int(lo) for lines in read for _, lo in lines)
    assert starts == list(range(0, sum(ROWS), TILE_ROWS))


@pytest.mark.parametrize("name, cases", [("load", load_cases.FEWER_CASES), ("format", format_cases.CASES)])
def test_what_arrives_on_each_rank(tmp_path, name, cases):
    for number, case in enumerate(cases):
        folder = tmp_path / str(number)
        folder.mkdir()
        np.save(tmp_path / f"{number}.npy", case.expected(case.make(folder)))
    for told in ranks.ok(PROGRAMS / "matrix.py", timeout=280, arguments=[tmp_path, name]).told:
        assert told == {case.name: True for case in cases}


def test_dates_are_opened_alike(loads):
    folder, _ = loads
    expected = np.arange("2024-01", "2024-04", dtype="M8[D]").astype("i8")[:80]
    for rank in range(2):
        np.testing.assert_array_equal(np.load(folder / f"dates.{rank}.npy"), expected, strict=True)


@pytest.mark.parametrize(
    "name, message",
    [
        ("missing", r".*missing in the numbers: shard_2\.npy.* \(rank 1\)"),
        ("more", r"of 2 ranks, 1 found other files than the rest"),
        ("truncated", r".*\(rank 1\)"),
        ("mismatching", r".*\(rank 1\)"),
        ("unreadable", r".*\(rank 1\)"),
        ("times", r"of 2 ranks, 1 found files of other modification times than the rest"),
        ("rows", r"of 2 ranks, 1 were given other arguments than the rest"),
        ("options", r"of 2 ranks, 1 were given other arguments than the rest"),
        ("thread", r"Legate takes work only from the thread that started it, MainThread, and this is another"),
        ("one rank", r"this is a scope with CPUs of 1 of 2 ranks"),
        ("large", r"the array takes 4,000,000,000 bytes of each node"),
        ("breaks", r"AttributeError: .* \(rank 1\)"),
    ],
)
def test_all_ranks_raise_what_one_has_found(loads, name, message):
    folder, ran = loads
    for told in ran.told:
        assert re.match(message, told[name][1])
    assert f"{name}: rank" not in "".join(ran.outputs), "although not all agreed, a tile was read"
    assert not list(folder.glob(f"{name}.*.npy"))


@pytest.mark.parametrize("name", ["truncated", "mismatching", "unreadable"])
def test_the_file_is_named_on_all_ranks(loads, name):
    for told in loads[1].told:
        assert told[name][2] == str(loads[0] / name / "1/shard_4.npy")


@pytest.mark.parametrize(
    "name, file, words",
    [("vanishes", "shard_5", "vanished since the dataset was opened"), ("cut", "shard_4", "")],
)
def test_all_ranks_raise_what_went_wrong_in_a_tile(loads, name, file, words):
    folder, ran = loads
    for told in ran.told:
        kind, text, path = told[name]
        assert kind == "ChangedError" and path == str(folder / name / f"1/{file}.npy")
        assert words in text and text.endswith("(rank 1)")


def test_a_program_ends_when_all_ranks_raise(loads):
    assert loads[1].status == 1
