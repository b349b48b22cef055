# SPDX-License-Identifier: Apache-2.0
"""A small wave solver in NumPy, with the faults that such programs have: for muster assess."""

import argparse

import numpy as np

from analysis import energy, loud, smooth_rows
from solver import run


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--output", default="wave.npy")
    args = parser.parse_args()
    field, peaks = run(args.steps, 0.5, 1e-6)
    smooth = smooth_rows(field)
    print("peak", max(peaks), "energy", energy(smooth).sum(), "loud", loud(smooth, 0.1).size)
    np.save(args.output, smooth)


if __name__ == "__main__":
    main()
