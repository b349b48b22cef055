"""Functions of numbers in a program that has short ones, too."""
import numpy as np

SHORT = np.float32(0.1)


def third(v: float):
    return (v + 1.0) / 3.0 - v * 0.1


thirds = np.vectorize(third)  #> R102 look


def declared(x: np.ndarray):
    return [thirds(x)]


def in_range(v):
    return v >= 0.0 and v < 1.0


def within(v):
    return v > 0.1


def known(n: int):
    x = np.linspace(0.0, 1.0, 9)
    short = np.linspace(0.0, 1.0, 9, dtype=np.float32)
    inner = np.vectorize(in_range)  #> R102 safe
    rounded = np.vectorize(within)  #> R102 look
    scaled = np.vectorize(lambda v: v * SHORT)  #> R102 look
    powers = np.vectorize(lambda v, k: v * (k * k))  #> R102 look
    return [inner(short), rounded(np.array([0.1, 0.5], dtype=np.float32)), scaled(x), powers(x, SHORT)]


def main():
    return declared(np.linspace(0.0, 1.0, 9, dtype=np.float32)) + known(3)
