# SPDX-License-Identifier: Apache-2.0
"""R102: functions of numbers, patched into functions of whole arrays, against np.vectorize of NumPy itself.

Each function is written down once; a program makes it one of arrays, muster's patch another one. Both get the same
numbers, odd ones one at a time, since Python raises for some of them.
"""

import itertools
import json
import textwrap

import numpy as np
from support import cli
from test_patches import patched, project  # noqa: F401: a fixture

ODD = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -2.5, 1e-310, 1e308, 263.0, 1e-3]

# Of numbers that are declared to be float.
FLOATS = """
v if v > 0 else 0.01 * v
v * v
-v
abs(v)
v % 360.0 - 180.0
(v + 180.0) // 7.5
v ** 2
2.0 ** v
abs(v) ** 0.5
max(v, 0.0)
max(0.0, v)
min(v, 1.0)
min(1.0, v)
min(max(v, 0.0), 1.0)
max(min(v, 1.0), -1.0)
max(-v, v)
math.exp(v) if v < 10.0 else v
math.sqrt(v) if v >= 0 else 0.0
1.0 / v if v != 0 else 0.0
math.atan2(v, 2.0) + math.hypot(v, 1)
math.copysign(1.0, v)
math.fabs(v) + math.pi
math.pow(v, 2) - np.pi
np.sin(v) * math.cos(v)
np.tanh(v)
math.log1p(abs(v)) if not v > 100.0 else v
0.0 if v < -1.0 or v > 1.0 else v
v if -1.0 < v <= 1.0 else 0.5 * v
1 if v > 0 and v < 2 else 0
v > 0 or v < -1
True if v > 1 else False
math.isnan(v)
0.0 if math.isnan(v) else v
1.0 if v > 0.0 else (-1.0 if v < 0.0 else 0.0)
-1.0 if v < 0 else 0.25 if v == 0 else v if v < 1 else 1.0
float(v) * 2
float(v - 1.0) * 2
max(0, v) * 1.5 + v
v * (v > 0)
LIMIT * v if v < LIMIT else v - LIMIT
not v < 1.0
math.degrees(v) / math.radians(180.0)
(v if v > 0 else -v) * 3.0 - 1
v if v > 1 and not (1 > 2) else -v
v if v > -LIMIT and not v > 3.0 else LIMIT / 2
min(-LIMIT * 2, v)
math.sqrt(2) * v
np.clip(v, -1, 1.0) + np.sign(v)
np.floor(v) - np.ceil(v) * np.rint(v) + np.trunc(v)
np.fmin(v, 1.0) * np.fmax(1, v)
np.square(v) ** 0.5
LIMIT ** v + math.e ** v
v if v > 0 and not (v > 2 or v == 1.0) else 0.0
""".strip().splitlines()

BODIES = [
    """
    low = 0.5
    high = low * 4
    if v < low:
        low = v
    return min(low, high) / low if low != 0 else high
    """,
    """
    if v > 0:
        return v
    return 0.5 * v
    """,
    """
    \"\"\"Three pieces.\"\"\"
    if v < 0:
        return 0.0
    elif v < 1:
        return v * v
    else:
        return 2 * v - 1.0
    """,
    """
    if v < -1.0:
        return -1.0
    if v > 1.0:
        return 1.0
    return v
    """,
    """
    scaled = v * 2.0
    if scaled > 1.0:
        scaled = 1.0
    return scaled + v
    """,
    """
    if v < 0:
        v = -v
    v += 1.0
    return v / 2
    """,
    """
    if v < 0:
        rate = 0.1
    elif v < 1:
        rate = 0.2
    else:
        rate = 0.3
    return rate * v
    """,
    """
    if v < 0:
        return 0.0
    root = math.sqrt(v)
    half: float = root / 2
    return half if half < 1.0 else root
    """,
    """
    if v > 0:
        if v > 1:
            return 1.0
        return v
    pass
    return -v if v < -1 else 0.0
    """,
]

# Of numbers of any type: nothing is computed with them.
ANY = [
    "0.6 if v < 263.0 else 0.3",
    "1 if v > 0 else 0",
    "v >= 0.5",
    "1.5 if -1 < v <= 2 else (2.5 if v == 3 else 0.5)",
]

TWO = ["a if a > b else b", "a * b + 0.5", "min(a, b)", "max(a, b)", "0.0 if b == 0 else a / b", "math.hypot(a, b)"]

HEAD = "import math\n\nimport numpy as np\n\nLIMIT = 0.75\n"


def program(functions):
    """[(parameters, body)] -> a program with f0, f1 ... of numbers, and use0, use1 ... of arrays."""
    parts = [HEAD]
    for i, (names, kind, body) in enumerate(functions):
        parameters = ", ".join(f"{name}{kind}" for name in names)
        arrays = ", ".join(f"{name}: np.ndarray" for name in names)
        inner = textwrap.indent(textwrap.dedent(body).strip(), "    ")
        make = (f"@np.vectorize\ndef w{i}({parameters}):\n{inner}\n" if i % 2
                else f"def f{i}({parameters}):\n{inner}\n\n\nw{i} = np.vectorize(f{i})\n")  # fmt: skip
        parts.append(f"{make}\n\ndef use{i}({arrays}):\n    return w{i}({', '.join(names)})\n")
    return "\n\n".join(parts)


def loaded(text):
    names = {"__name__": ""}
    exec(compile(text, "program", "exec"), names)  # noqa: S102: programs of our own
    return names


def right_of(function, arguments):
    try:
        with np.errstate(all="ignore"):
            return function(*arguments)
    except (ArithmeticError, ValueError, TypeError):
        return None


def assert_same(old, new, arguments, what):
    """Type, shape, values, signs of zeros; exact but for what math and NumPy round in their own ways."""
    right = right_of(old, arguments)
    if right is None:
        return 0
    with np.errstate(all="ignore"):
        found = np.asarray(new(*arguments))
    context = (what, arguments, right, found)
    assert found.dtype == right.dtype and found.shape == right.shape, context
    assert all(not np.shares_memory(found, one) for one in arguments), context
    assert np.allclose(found, right, rtol=1e-14, atol=0, equal_nan=True), context
    if right.dtype.kind == "f":
        plain = ~np.isnan(right)
        assert np.array_equal(np.signbit(found)[plain], np.signbit(right)[plain]), context
    return 1


def compare(functions, project, inputs_of):  # noqa: F811
    text = program(functions)
    (project / "a.py").write_text(text)
    files, _ = patched(project, "--rule=R102", "a.py")
    new = files[b"a.py"].decode()
    assert "np.vectorize" not in new, new[new.index("np.vectorize") - 300 :][:400]
    (project / "a.py").write_text(new)
    again = json.loads(cli.ok("assess", "--format", "json", project / "a.py").out)["findings"]
    assert not [f for f in again if f["category"] in ("BLOCKS", "REFACTOR")]
    before, after = loaded(text), loaded(new)
    for i, (names, _, body) in enumerate(functions):
        ran = [assert_same(before[f"use{i}"], after[f"use{i}"], arguments, body)
               for arguments in inputs_of(len(names))]  # fmt: skip
        assert sum(ran) > 8, body


def floats(count):
    """Arrays of float64 with one axis, two, and none, positive, negative; odd numbers one at a time."""
    random = np.random.default_rng(3)
    for shape in ((50,), (4, 5), (), (3, 1, 2)):
        yield [random.normal(0, 2, shape) for _ in range(count)]
        yield [np.abs(random.normal(0, 2, shape)) + 0.01 for _ in range(count)]
        yield [random.integers(-3, 4, shape).astype(float) for _ in range(count)]
    for odd in itertools.product(ODD, repeat=count):
        yield [np.array([one]) for one in odd]
        yield [np.array([0.5, one, -3.0]) for one in odd]


def of_any_type(count):
    random = np.random.default_rng(4)
    for dtype in (np.float64, np.float32, np.float16, np.int64, np.int32, np.int8, np.uint8, np.bool_):
        yield [random.integers(-3, 4, 40).astype(dtype)]
        yield [(300 * random.normal(0, 1, (5, 6))).astype(np.int64).astype(dtype)]
    yield [np.array([2**53 + 1, 263, 262, -(2**62), 2**62])]
    yield [np.nextafter(np.float32(263.0), np.float32([0, 1000]))]
    yield from floats(count)


def test_floats(project):  # noqa: F811
    functions = [("v", ": float", body if "\n" in body else f"return {body}") for body in FLOATS + BODIES]
    compare(functions, project, floats)


def test_any_type(project):  # noqa: F811
    compare([("v", "", f"return {body}") for body in ANY], project, of_any_type)


def test_two_parameters(project):  # noqa: F811
    compare([("ab", ": float", f"return {body}") for body in TWO], project, floats)
