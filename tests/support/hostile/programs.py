# SPDX-License-Identifier: Apache-2.0
"""What the hostile programs are made with, and the tables that they enter."""

HEAD = "import numpy as np\n\n\n"

#: A function that has one finding, R104, wherever it stands.
PLAIN = (
    "\n\ndef plain(a: np.ndarray, steps: int):\n    for _ in range(steps):\n"
    "        a *= 0.5\n        a /= float(a.sum())\n    return a\n"
)

PROGRAMS = {}
SIZES = {}


def program(size):
    def keep(function):
        PROGRAMS[function.__name__], SIZES[function.__name__] = function, size
        return function

    return keep


def text(name, scale=1):
    return HEAD + PROGRAMS[name](max(1, SIZES[name] // scale))


def join(pieces, count):
    """The pieces for 0, 1, ... up to count."""
    return "".join(map(pieces, range(count)))


def listed(pieces, count):
    return ", ".join(map(pieces, range(count)))


def ladder(line, count, inner):
    """Each line one step further to the right, and the innermost below them."""
    return join(lambda i: " " * i + line(i) + "\n", count) + " " * count + inner + "\n"


def within(rows, loop="for i in range(n):"):
    """The rows in a loop of a function that is given an array `a` and a number `n`."""
    return f"def f(a: np.ndarray, b: np.ndarray, n):\n    {loop}\n{rows}"
