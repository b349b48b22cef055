"""np.vectorize and np.frompyfunc: what has a form for whole arrays, and what one has to look at."""
import math

import numpy as np

GAIN = 0.75
LEVELS = [1.0, 2.0]


@np.vectorize  #> R102 safe
def albedo(temp):
    """Ice and water."""
    if temp < 263.0:  # ice
        return 0.6
    return 0.3


def ramp(v: float) -> float:
    return v if v > 0 else GAIN * v


@np.vectorize  #> R102 safe
def pieces(v: float, low=0.5):
    """Three pieces
    of one function.
    """
    if v < 0:
        return 0.0
    return low * v if v < 1 else 2.0


leaky = np.vectorize(ramp)  #> R102 safe
rectified = np.vectorize(lambda v: 0 if v < 0 else v)  #> R102 look
rectified_floats = np.vectorize(lambda v: 0 if v < 0 else v, otypes=[float])  #> R102 safe
whole_at_first = np.vectorize(lambda v: np.abs(max(0, v)))  #> R102 look
counted = np.vectorize(lambda v: 1 if v > 0 else 0, otypes=[float])  #> R102 same
bumped = np.vectorize(lambda v, by=2.0: by * v + v, cache=True)  #> R102 safe
kept = np.vectorize(ramp, excluded=[1])  #> R102 none
whole = np.vectorize(lambda v: int(v))  #> R102 none
looked_up = np.vectorize(lambda v: LEVELS[0] * v)  #> R102 none
same_array = np.vectorize(lambda v: v)  #> R102 none
constant = np.vectorize(lambda v: 1.5)  #> R102 none


def types(x: np.ndarray):
    return [albedo(x * 100 + 263), leaky(x), kept(x), same_array(x), constant(x), whole(x), looked_up(x)]


def known():
    x = np.linspace(-1.0, 1.0, 7)
    y = np.ones(7) * 0.5
    return [rectified(x), rectified_floats(x), counted(x), whole_at_first(x), bumped(x), bumped(y, 3.0), pieces(x), pieces(x, 0.25), bumped(x[1:] - y[1:])]


def in_place(n: int):
    x = np.linspace(-1.0, 1.0, 9)
    y = np.ones(9) * 0.25
    u = np.vectorize(lambda v: v * v if v > 0 else 0.5)(x)  #> R102 safe
    z = 2.0 * np.vectorize(lambda v: v + 1.0)(x - y)  #> R102 safe
    t = np.vectorize(lambda v: v * v)(x - y)  #> R102 safe
    each = [np.vectorize(lambda v: v * v + k)(x - y) for k in (1.0, 2.0)]  #> R102 none
    plain = np.sum(np.vectorize(ramp)(x) + 1.0)  #> R102 safe
    w = np.vectorize(lambda a, b: max(a, b) if a < b else 0.0)(x, y)  #> R102 safe
    return [u, z, t, w, plain] + each


def in_range(v):
    return v >= 0.0 and v < 1.0


def with_types():
    whole = np.arange(-4, 5)
    inner = np.vectorize(in_range)  #> R102 safe
    half = np.vectorize(lambda v: v / 3.0 if v > 0 else -v)  #> R102 look
    return [inner(whole), half(whole)]


def wrapped(angle):
    return (angle + 180.0) % 360.0 - 180.0


def objects():
    a = np.linspace(-500.0, 500.0, 11)
    wrap = np.frompyfunc(wrapped, 1, 1)  #> R102 safe
    both = np.frompyfunc(wrapped, 1, 1)  #> R102 look
    return [wrap(a).astype(float), wrap(-a).astype(np.float64), [both(a).dtype == object]]


class Layer:
    def __init__(self, slope: float):
        self.slope = slope
        self.act = np.vectorize(lambda v: v if v > 0 else 0.1 * v)  #> R102 safe
        self.scaled = np.vectorize(lambda v: self.slope * v)  #> R102 none

    cut = staticmethod(np.vectorize(ramp))  #> R102 none

    def forward(self, n: int):
        x = np.linspace(-2.0, 2.0, 9)
        return [self.act(x), self.scaled(x)]


def handed_on(pieces):
    x = np.linspace(-2.0, 2.0, 9)
    step = np.vectorize(lambda v: v * 2.0)  #> R102 same
    return [step(x)] + [f(x) for f in [step]]


def caught():
    x = np.linspace(-2.0, 2.0, 9)
    root = np.vectorize(lambda v: 1.0 / v)  #> R102 look
    try:
        return [root(x)]
    except ZeroDivisionError:
        return [x]


def hidden(math):
    x = np.linspace(-1.0, 1.0, 9)
    GAIN = np.ones(9)
    other = np.vectorize(ramp)  #> R102 none
    return [other(x), GAIN]


def numbers(by: float):
    x = np.linspace(-1.0, 1.0, 9)
    scaled = np.vectorize(lambda v: v * by - LEVELS[0])  #> R102 none
    shifted = np.vectorize(lambda v: v * by - math.pi)  #> R102 safe
    times = np.vectorize(lambda v, k: v * (k + v))  #> R102 safe
    zero = 0.0
    never = np.vectorize(lambda v: 1.0 / zero if v > 5.0 else v)  #> R102 look
    return [never(x), scaled(x), shifted(x), times(x, by), times(x, 2)]


def loop(v):
    total = 0.0
    while v > 0:
        v -= 1.0
        total += v
    return total


def roots():
    x = np.linspace(0.0, 2.0, 9)
    cubic = np.vectorize(lambda v: abs((v - 1.0) ** 0.5))  #> R102 look
    deep = np.vectorize(loop)  #> R102 none
    return [cubic(x), deep(x)]


def main():
    x = np.linspace(-1.0, 1.0, 8)
    results = types(x) + known() + in_place(3) + with_types() + objects() + Layer(0.5).forward(1)
    return results + handed_on([]) + caught() + hidden(None) + roots() + numbers(0.25)
