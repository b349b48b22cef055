# SPDX-License-Identifier: Apache-2.0
"""Hostile programs of many functions, classes, or things of one kind in one place."""

from support.hostile.programs import HEAD, join, listed, program, within

# ---- functions and classes -------------------------------------------------------------------------


@program(20_000)
def functions(n):
    return join(lambda i: f"def f{i}(x):\n    return np.sin(x)\n\n\n", n)


@program(20_000)
def functions_of_one_name(n):
    return "def f(x):\n    return np.sin(x)\n\n\n" * n + "f(np.zeros(3))\n" * (n // 20)


@program(3_000)
def ring_of_functions(n):
    body = "    for _ in range(n):\n        a = f{}(a + 1)\n    return a\n\n\n"
    return join(lambda i: f"def f{i}(a):\n" + body.format((i + 1) % n), n) + "f0(np.zeros(9))\n"


@program(3_000)
def chain_of_functions(n):
    chain = join(lambda i: f"def f{i}(a):\n    return f{i + 1}(a + 1)\n\n\n", n)
    return chain + f"def f{n}(a):\n    return a.sum()\n\n\nf0(np.zeros(9))\n"


@program(3_000)
def chain_of_functions_upwards(n):
    chain = join(lambda i: f"def f{i + 1}(a):\n    return f{i}(a + 1)\n\n\n", n)
    return "def f0(a):\n    return np.zeros(3)\n\n\n" + chain


@program(150)
def functions_that_all_call_all(n):
    calls = join(lambda i: f"    f{i}(a)\n", n)
    return join(lambda i: f"def f{i}(a):\n{calls}    return a\n\n\n", n) + "f0(np.zeros(9))\n"


@program(20)
def functions_that_call_twice(n):
    twice = "    for _ in range(n):\n        f{0}(a)\n        f{0}(a)\n\n\n"
    chain = join(lambda i: f"def f{i}(a):\n" + twice.format(i + 1), n)
    return chain + f"def f{n}(a):\n    return float(a.sum())\n\n\nf0(np.zeros(3))\n"


@program(2_000)
def recursive_calls(n):
    return "def f(a):\n" + "    a = f(f(a))\n" * n + "    return a\n\n\nf(np.zeros(3))\n"


@program(5_000)
def lambdas_of_lambdas(n):
    return "f = lambda x: np.sin(x)\n" + "f = lambda x, g=f: g(g(x))\n" * n + "f(np.zeros(3))\n"


@program(5_000)
def callers(n):
    calls = join(lambda i: f"f(np.zeros({i}))\n", n)
    return "def f(a):\n    return a.sum()\n\n\n" + calls


@program(2_000)
def classes(n):
    def one(i):
        base = f"C{i - 1}" if i else "object"
        init = f"    def __init__(self):\n        self.a{i} = np.zeros({i})\n\n"
        step = f"    def step(self):\n        self.a{i} = self.a{i} + 1\n        return super().step()\n"
        return f"class C{i}({base}):\n{init}{step}\n\n"

    return join(one, n)


@program(2_000)
def ring_of_classes(n):
    body = "    def step(self):\n        return self.b + np.zeros(3)\n\n\n"
    return join(lambda i: f"class C{i}(C{(i + 1) % n}):\n{body}", n)


@program(8)
def bases_in_common(n):
    def layer(i):
        bases = listed(lambda k: f"C{i - 1}_{k}", 12) if i else "object"
        body = "    def step(self):\n        return np.zeros(3) + self.absent\n\n\n"
        return join(lambda k: f"class C{i}_{k}({bases}):\n{body}", 12)

    return join(layer, n)


@program(5_000)
def attributes_of_a_class(n):
    init = join(lambda i: f"        self.a{i} = np.zeros({i})\n", n)
    step = join(lambda i: f"        self.a{i} = self.a{(i + 1) % n} + 1\n", n)
    return f"class C:\n    def __init__(self):\n{init}\n    def step(self):\n{step}"


@program(3_000)
def objects_of_objects(n):
    head = "class C:\n    def __init__(self, o):\n        self.o = o\n        self.a = np.zeros(3)\n\n\n"
    return head + "c = C(None)\n" + "c = C(c)\n" * n + "c.o.o.o.a.sum()\n"


@program(5_000)
def builders(n):
    head = "class C:\n    def g(self):\n        return self\n\n\n"
    return head + "x = C()" + ".g()" * n + "\nnp.zeros(3)\n"


# ---- many of one kind in one place -------------------------------------------------------------------


@program(30_000)
def handlers(n):
    return "a = np.zeros(3)\ntry:\n    x\n" + join(lambda i: f"except E{i}:\n    x{i} = a\n", n)


@program(50_000)
def branches(n):
    return "a = np.zeros(3)\n" + join(lambda i: f"if x:\n    x{i} = a\n", n)


@program(40_000)
def tries(n):
    return "a = np.zeros(3)\n" + join(lambda i: f"try:\n    x{i} = a\nexcept E:\n    x\n", n)


@program(40_000)
def cases_that_bind(n):
    cases = join(lambda i: f"    case {i}:\n        x{i} = a\n", n)
    return "a = np.zeros(3)\nmatch a:\n" + cases


@program(50_000)
def loops_with_names_of_their_own(n):
    loops = join(lambda i: f"for i{i} in range(1000):\n    a[i{i}] = 1\n", n)
    return "a = np.zeros(3)\n" + loops


@program(60_000)
def comprehensions_with_names_of_their_own(n):
    return "a = np.zeros(3)\n" + join(lambda i: f"x{i} = [x + 1 for x in a]\n", n)


@program(30_000)
def branches_in_one_loop(n):
    return within(join(lambda i: f"        if x:\n            x{i} = a\n", n))


@program(30_000)
def ends_of_one_loop(n):
    rows = join(lambda i: f"        if x{i}:\n            break\n        y{i} = a\n", n)
    return within(rows)


@program(140_000)
def counters_of_one_loop(n):
    return within(join(lambda i: f"        k{i} += 1\n", n))


@program(60_000)
def parameters(n):
    uses = join(lambda i: f"    a{i}.sum()\n", n // 10)
    return "def f(" + listed(lambda i: f"a{i}", n) + f"):\n{uses}    return np.sin(a0)\n"


@program(30_000)
def parameters_and_a_docstring(n):
    rows = join(lambda i: f"    b{i} : int\n", n)
    return "def f(" + listed(lambda i: f"a{i}", n) + f'):\n    """\n{rows}    """\n'


@program(60_000)
def keywords_that_are_passed_on(n):
    made = "def f(" + listed(lambda i: f"a{i}=0", n) + "):\n    return a0 + np.zeros(3)\n\n\n"
    return made + "f(" + listed(lambda i: f"a{i}=a", n) + ")\n"


@program(100_000)
def small_functions(n):
    return join(lambda i: f"def f{i}(x): return x\n", n)


@program(120_000)
def small_classes(n):
    return join(lambda i: f"class C{i}: pass\n", n) + join(lambda i: f"def f{i}(x): x\n", n // 4)


@program(110_000)
def methods_of_one_class(n):
    return "class C:\n" + join(lambda i: f"    def f{i}(self, x): return x\n", n)


@program(120_000)
def attributes_of_one_class(n):
    return "class C:\n    def f(self):\n" + join(lambda i: f"        self.a{i} = x\n", n)


@program(120_000)
def names_from_outside(n):
    return "def f():\n" + join(lambda i: f"    global a{i}\n    a{i} = x\n", n)


@program(160_000)
def calls_of_one_function(n):
    return "def f(a):\n    return a.sum()\n\n\nx = np.zeros(3)\n" + "f(x)\n" * n


@program(90_000)
def options(n):
    given = join(lambda i: f"p.add_argument('--a{i}', type=int)\n", n)
    head = "import argparse\n\np = argparse.ArgumentParser()\n"
    return f"{head}{given}o = p.parse_args()\n" + join(lambda i: f"np.zeros(o.a{i})\n", n // 4)


@program(12_000)
def stars(n):
    return join(lambda i: f"from m{i} import *\n", n) + join(lambda i: f"x{i}()\n", n)


@program(20_000)
def fields(n):
    made = "class C:\n" + join(lambda i: f"    a{i}: float\n", n)
    return made + "x = np.zeros(3)\n" + "C(x)\n" * n


# ---- comments --------------------------------------------------------------------------------------


@program(60_000)
def comments(n):
    return "a = np.zeros(3)\n" + "# a\n" * n


@program(20_000)
def data_in_comments(n):
    return "a = np.zeros(3)\n" + ("# " + "0123456 " * 9 + "\n") * n


@program(60_000)
def comments_between_empty_lines(n):
    return "if x:\n    a = np.zeros(3)\n" + join(lambda i: " " * (i % 7) + "# a\n\n", n)


# ---- what is no Python -------------------------------------------------------------------------------


@program(5_000)
def python_2(n):
    rows = "print 'x', np.zeros(3)\nexec 'x'\nraise E, 'x'\nprint >>f, `x`\nx = 0777 <> 1L\nur'x'\n"
    return rows * n


@program(50_000)
def errors(n):
    return "def (:\n  x ==== \n" * n


@program(200_000)
def noise(n):
    return "".join(chr(33 + i * 7919 % 94) for i in range(n)) + "\n"


@program(200_000)
def colons(n):
    return ":" * n + "\n"


@program(200_000)
def semicolons(n):
    return ";" * n + "\n"


@program(1_000_000)
def empty_lines(n):
    return "\n" * n


@program(3_000)
def indentation(n):
    return join(lambda i: " " * (i * 37 % 200) + "x = np.zeros(3)\n", n)


@program(200_000)
def string_that_stays_open(n):
    return '"""' + "x\n" * n


@program(1)
def arithmetic_at_the_limits(n):
    return (
        "n = 1 << 1000000000\nm = 2 ** 63\nk = -m - 1\na = np.zeros((n, m, k))\nq = m // 0\n"
        "r = m % 0\nz = -2**63 // -1\ny = -9223372036854775808 % -1\nw = 1 << -1\nv = 2 ** -1\n"
        "u = 9223372036854775807 + 1\nt = -9223372036854775807 - 2\ns = 1 >> 64\n"
        "for i in range(0, 10, 0):\n    a[i] = 1\n"
        "for i in range(-2**63, 2**63 - 1, 2**63 - 1):\n    a[i - 9223372036854775807] = 1\n"
        "for i in range(9223372036854775807, -9223372036854775807, -1):\n    a[i::m] = 1\n"
        "b = np.zeros(9223372036854775807) @ np.zeros((9223372036854775807, 3))\n"
        "c = np.zeros((4294967296, 4294967296)).reshape(-1, 0)\nd = np.eye(4294967296)\n"
        "e = np.arange(1e400)\nf = np.arange(-1e400, 1e400, 1e-400)\ng = np.linspace(0, 1, -5)\n"
    ) * n


def too_many_steps(n):
    """Names that move up through four loops, and callers that hand on another value each round."""
    loops = join(lambda i: " " * (i + 1) + f"for i{i} in range(n):\n", 4)
    rows = "".join(f"     x{i + 1} = x{i}\n" for i in reversed(range(n)))
    chain = join(lambda i: f"\n\ndef f{i + 1}(x):\n    f{i}(x)\n", 6)
    made = ["None", "1", "(1,)", "np.zeros((3, 3), dtype=int)", "np.zeros(3)", "np.zeros((3, 3))"]
    calls = "".join(f"f{i}({value})\n" for i, value in enumerate([*made, "np.eye(3)"]))
    return f"{HEAD}def f0(x0):\n{loops}{rows}{chain}\n\n{calls}"
