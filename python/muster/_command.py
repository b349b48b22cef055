# SPDX-License-Identifier: Apache-2.0
"""What `muster load --backend legate` runs under `legate`: `python -m muster._command OPTION... PATH...`.

The first rank prints one line, which the program reads: `muster-result: ` and a JSON object. Whatever
else Legate and its launchers print is passed on to the terminal.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from typing import Any

import muster
from muster import _legate, errors


def _columns(text: str) -> list[str]:
    """Names between commas; a backslash before a comma makes it part of a name."""
    return [name.replace("\\,", ",") for name in re.split(r"(?<!\\),", text)]


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="muster load --backend legate", allow_abbrev=False)
    for name in ("format", "sidecar", "source-dtype", "dtype", "order", "direct", "dataset", "null"):
        parser.add_argument(f"--{name}")
    for name in ("header-bytes", "threads", "tile-rows", "over-decompose"):
        parser.add_argument(f"--{name}", type=int)
    parser.add_argument("--row-shape", type=lambda text: [int(n) for n in text.split(",") if n])
    parser.add_argument("--rows", type=lambda text: tuple(int(n) for n in text.split(":")))
    parser.add_argument("--columns", type=_columns)
    for name in (
        "allow-gaps",
        "stack",
        "strict",
        "decode-cf",
        "follow-external",
        "no-checksum",
        "no-progress",
    ):
        parser.add_argument(f"--{name}", action="store_true")
    parser.add_argument("paths", nargs="+")
    return parser.parse_args()


def _open(args: argparse.Namespace) -> muster.Dataset:
    names = (
        "format",
        "sidecar",
        "source_dtype",
        "dtype",
        "row_shape",
        "header_bytes",
        "rows",
        "dataset",
        "null",
        "columns",
    )
    flags = ("allow_gaps", "stack", "strict", "decode_cf", "follow_external")
    options = {name: getattr(args, name) for name in (*names, *flags)}
    options |= {name: getattr(args, name) for name in ("order", "direct", "threads") if getattr(args, name)}
    dataset = _legate.open_on_all(lambda: muster.Dataset(args.paths, **options))
    if dataset.dtype.kind in "mM":
        dataset = muster.Dataset(args.paths, **(options | {"dtype": "int64"}))
    return dataset


def _run(args: argparse.Namespace) -> dict[str, Any]:
    dataset = _open(args)
    import cupynumeric  # noqa: F401 (its start is not part of the load)

    where = _legate.describe_machine()
    begun = time.perf_counter()
    progress = not args.no_progress
    if args.no_checksum:
        muster.load(
            dataset,
            backend="cupynumeric",
            tile_rows=args.tile_rows,
            over_decompose=args.over_decompose,
            progress=progress,
        )
        checksum = None
    else:
        _, checksum = _legate.load_and_sum(dataset, args.tile_rows, args.over_decompose or 1, progress)
    return {
        "rows": len(dataset),
        "seconds": time.perf_counter() - begun,
        "checksum": checksum,
        "where": where,
    }


def main() -> int:
    try:
        result = _run(_parse())
    except errors.Error as error:
        if isinstance(error, errors.OutOfMemoryError):
            error.message = error.message.replace("start it with", "add to --launcher-args:")
        result = {
            "error": {"status": error.status, "errno": error.errnum, "message": error.message}
            | {"path": error.file or "", "offset": -1 if error.offset is None else error.offset}
        }
    if _legate.is_first_rank():
        # A name that is not UTF-8 is shown as the program shows it.
        text = json.dumps(result, ensure_ascii=False).encode("utf-8", "replace").decode()
        sys.stdout.write(f"muster-result: {text}\n")
        sys.stdout.flush()
    return 1 if "error" in result else 0


if __name__ == "__main__":
    sys.exit(main())
