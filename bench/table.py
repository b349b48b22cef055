# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks' tables have in common: options, ratios, targets, the report as JSON."""

import argparse
import dataclasses
import json
import pathlib
import statistics

MARKS = {None: "", True: "ok", False: "MISSED"}


@dataclasses.dataclass(kw_only=True)
class Compared:
    """A row's part that says how muster compares with the side, and whether that is enough."""

    ratio: str = ""
    target: str = ""
    met: bool | None = None  # None: nothing is asked

    def compare(self, ratios, target):
        """`ratios`: how many times as fast muster is, of each round."""
        ratio = statistics.median(ratios)
        self.ratio = f"{ratio:.2f} x"
        if len(ratios) > 1:
            low, _, high = statistics.quantiles(ratios, method="inclusive")
            self.ratio += f"  ({low:.2f} to {high:.2f})"
        if target is not None:
            self.target, self.met = f">= {target:.3g} x", ratio >= target

    @property
    def mark(self):
        return MARKS[self.met]


def options(prog, description, rounds, quick):
    parser = argparse.ArgumentParser(prog=prog, description=description)
    parser.add_argument(
        "--rounds", type=int, default=rounds, help=f"repetitions (default: {rounds})"
    )
    parser.add_argument("--quick", action="store_true", help=f"{quick}, to try it out")
    parser.add_argument("--only", default="", metavar="WORD", help="only cases with this in the name")
    parser.add_argument("--json", metavar="FILE", help="write the rows, with all times, as JSON")
    given = parser.parse_args()
    if given.rounds < 2:
        parser.error("--rounds: at least 2, for a median")
    return given


def header(machine, rounds, side):
    """What stands above the table; `side`: what it calls that which muster is compared with."""
    return f"""{machine}
Each figure is the median of {rounds} rounds; in a round all {side}s of a case take turns, by chance.
"muster is": how many times as fast as this {side}, the median of each round's ratio (and its quartiles).
"""


def targets_met(rows):
    asked = [row.met for row in rows if row.met is not None]
    return f"{sum(asked)} of {len(asked)} targets met"


def finish(given, machine, notes, rows):
    print("\n".join(notes))
    if given.json:
        report = {"machine": machine, "notes": notes, "rows": list(map(dataclasses.asdict, rows))}
        pathlib.Path(given.json).write_text(json.dumps(report, indent=1) + "\n")
