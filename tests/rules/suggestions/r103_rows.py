"""Reductions of rows in comprehensions: handed to NumPy, or kept as a list."""
import numpy as np


def handed_on(k: int):
    m = np.linspace(0.0, 1.0, 200).reshape(40, 5) * k
    a = np.array([np.sum(row) for row in m])  #> R103 safe
    b = np.array([
        row.max()  # the largest
        for row in m * 2 + 1
    ])  #> R103 safe
    return a, b


def given(m: np.ndarray):
    return np.array([np.sum(row) for row in m[1:, :]])  #> R103 same


def without_rows(n: int):
    m = np.ones((n, 3), dtype=int)
    found = np.array([np.sum(row) for row in m])  #> R103 same
    return found


def operand():
    m = np.arange(200.0).reshape(40, 5)
    return np.asarray([row.max() for row in m - 3])  #> R103 same


def kept():
    m = np.arange(200.0).reshape(40, 5)
    sums = [np.sum(row) for row in m]  #> R103 none
    sums.append(3.0)
    return sums + [np.mean(row) for row in m]  #> R103 none


def main():
    return [*handed_on(3), operand(), np.array(kept()), given(np.ones((40, 3))), without_rows(int(np.zeros(30)[0]))]
