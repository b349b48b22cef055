"""Numbers of the host: in arithmetic, in tests, in histories, of whole numbers."""
import json
import math

import numpy as np


def arithmetic(n):
    u = np.linspace(0.0, 1.0, 50)
    total = 0.0
    for step in range(n):
        u = u * 0.9 + 0.1  #> R202 none
        total += float(np.sum(u * u))  #> R104 same
        scaled = 2.0 * float(u.mean() if step else u.max())  #> R104 same
        shifted = -float(
            u.sum()
            + 1.0
        )  #> R104 same
        total += scaled + shifted
    return total


def history(n):
    u = np.linspace(0.0, 1.0, 50)
    seen = []
    for step in range(n):
        u *= 0.9
        error = float(np.max(u))  #> R104 same
        seen.append(error)
    return np.array(seen)


def previous(n):
    u = np.linspace(0.0, 1.0, 50)
    last = 0.0
    for step in range(n):
        peak = u.max()
        last = float(peak)  #> R104 none
        peak += 1
        u *= 0.9
    return last


def only_ends(n):
    u = np.linspace(0.0, 1.0, 50)
    for step in range(n):
        u *= 0.9
        error = float(np.max(np.abs(u)))  #> R104 later
        if error < 1e-3:
            break
    return u


def told_later(n):
    u = np.linspace(0.0, 1.0, 50)
    for step in range(1, n):
        u *= 0.9
        error = float(np.max(np.abs(u)))  #> R104 same
        if error < 1e-3:
            break
    return u, error


def whole(n):
    k = np.arange(50)
    total = 0.0
    for step in range(n):
        total += float(np.sum(k)) ** -1  #> R104 none
        total += float(k[step]).hex().count("0")
    return total


def handed_to_others(n):
    u = np.linspace(0.0, 1.0, 50)
    texts = []
    for step in range(n):
        u *= 0.9
        texts.append(json.dumps({"max": float(np.max(u))}))  #> R104 none
        texts.append(str(math.floor(float(u.sum()))))  #> R104 none
    return len("".join(texts))


def main():
    return [
        arithmetic(40), history(40), previous(40), only_ends(400), *told_later(400), whole(40),
        handed_to_others(20),
    ]
