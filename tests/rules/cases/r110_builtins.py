# verdict: LIGHT REFACTOR
"""Python's builtins over arrays: each element would come to the host."""
import numpy as np


def extremes(depth: np.ndarray):
    return max(depth), min(depth)  #> R110


def ranked(depth: np.ndarray) -> list:
    return sorted(depth)  #> R110


def flagged(depth: np.ndarray):
    wet = depth > 0.0
    return any(wet)  #> R110


def unique_codes(codes: np.ndarray) -> set:
    return set(codes)  #> R110
