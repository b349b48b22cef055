# SPDX-License-Identifier: Apache-2.0
"""
Python programs that are hard to read, by name: each a function of its size that gives the text. All
of them speak of arrays, so that none is passed over.
"""

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


# ---- nesting ---------------------------------------------------------------------------------------


@program(100_000)
def parentheses(n):
    return "x = " + "(" * n + "np.zeros(3)" + ")" * n + "\n"


@program(100_000)
def lists_in_lists(n):
    return "x = " + "[" * n + "]" * n + "\n"


@program(100_000)
def brackets_that_stay_open(n):
    return "x = " + "[{(" * n + "\n"


@program(100_000)
def calls_in_calls(n):
    return "x = " + "np.sin(" * n + "1" + ")" * n + "\n"


@program(100_000)
def indices_in_indices(n):
    return "a = np.zeros(9)\nx = " + "a[" * n + "0" + "]" * n + "\n"


@program(100_000)
def signs(n):
    return "a = np.zeros(9)\nx = " + "-" * n + "a\n"


@program(100_000)
def nots(n):
    return "a = np.zeros(9)\nif " + "not " * n + "a.any():\n    pass\n"


@program(100_000)
def lambdas_in_lambdas(n):
    return "f = " + "lambda: " * n + "np.zeros(3)\n"


@program(50_000)
def conditional_expressions(n):
    return "a = np.zeros(9)\nx = " + "1 if a.any() else " * n + "2\n"


@program(50_000)
def powers(n):
    return "a = np.zeros(9)\nx = " + "a ** " * n + "2\n"


@program(2_000)
def fstrings(n):
    return "x = " + "f'{" * n + "1" + "}'" * n + "\n"


@program(5_000)
def walruses(n):
    return "x = " + "(y := " * n + "np.zeros(3)" + ")" * n + "\n"


@program(3_000)
def annotations(n):
    return "def f(x: " + "Optional[" * n + "np.ndarray" + "]" * n + "):\n    return x.sum()\n"


@program(1_500)
def ifs_in_ifs(n):
    return ladder(lambda i: "if x:", n, "x = np.zeros(3)")


@program(1_000)
def functions_in_functions(n):
    return ladder(lambda i: f"def f{i}(a):", n, "return np.zeros(3)")


@program(100)
def closures(n):
    ladder_of_two = join(
        lambda i: " " * i + f"def f{i}():\n" + " " * (i + 1) + f"x{i} = np.zeros(3)\n", n
    )
    return ladder_of_two + " " * n + "return " + " + ".join(f"x{i}" for i in range(n)) + "\n"


@program(1_000)
def classes_in_classes(n):
    return ladder(lambda i: f"class C{i}:", n, "x = np.zeros(3)")


@program(300)
def tries_in_tries(n):
    handlers = "".join(" " * i + "except E:\n" + " " * i + " pass\n" for i in reversed(range(n)))
    return ladder(lambda i: "try:", n, "np.zeros(3)") + handlers


@program(500)
def loops_in_loops(n):
    rows = ladder(lambda i: f"for i{i} in range(n):", n, "a[i0] = a.sum()")
    return "a = np.zeros(9)\n" + rows


@program(100)
def loops_in_loops_of_a_function(n):
    rows = join(lambda i: " " * (i + 1) + f"for i{i} in range(n):\n", n)
    return "def f(a: np.ndarray, n):\n" + rows + " " * (n + 1) + "a[i0] = a.sum()\n"


@program(2_600)
def rows_in_a_loop_too_long_to_be_judged(n):
    rows = join(lambda i: f"        q{i} = {i} + n * 2 + {i} * n\n", n)
    return within(rows + "        for x in np.unique(a):\n            n = n + 1\n")


@program(800)
def windows(n):
    rows = join(lambda i: f"            e{i} = i + w{i}\n            b[i:e{i}] = a[i:e{i}]\n", n)
    widths = join(lambda i: f"    w{i} = h + {i} - w{i + 1}\n", n)
    head = "def f(a: np.ndarray, b: np.ndarray, n):\n    h = a.shape[0]\n"
    return f"{head}{widths}    for i in range(n):\n        for j in range(n):\n{rows}"


@program(1_500)
def distant_indices(n):
    far = 2**63 - 1
    rows = join(lambda i: f"        a[i + {far - i}] = a[i - {far + i}] + a[-i * {far} - {i}]\n", n)
    return within(rows)


@program(100)
def waiting_in_waiting(n):
    rows = join(lambda i: " " * (i + 1) + f"while a.max() > {i}:\n", n)
    return "def f(a: np.ndarray, n):\n" + rows + " " * (n + 1) + "a = a + 1\n"


@program(100)
def guards_in_guards(n):
    rows = join(lambda i: " " * (i + 5) + f"if i % {i + 2} == 0:\n", n)
    return within(rows + " " * (n + 5) + "print(a.sum())\n")


@program(300)
def comprehensions_in_comprehensions(n):
    loops = join(lambda i: f" for i{i} in range(n)]", n)
    return "def f(a: np.ndarray, n):\n    b = " + "[" * n + "a[0]" + loops + "\n"


@program(3_000)
def loops_of_one_comprehension(n):
    loops = join(lambda i: f" for i{i} in range(n)", n)
    return "def f(a: np.ndarray, n):\n    b = [a[i0]" + loops + "]\n"


# ---- chains ----------------------------------------------------------------------------------------


@program(100_000)
def attributes(n):
    return "x = np.zeros(3)" + ".a" * n + "\n"


@program(100_000)
def transposes(n):
    return "x = np.zeros((3, 3))" + ".T" * n + "\n"


@program(100_000)
def method_calls(n):
    return "x = np.zeros(3)" + ".copy()" * n + "\n"


@program(100_000)
def subscripts(n):
    return "x = np.zeros(3)" + "[1:]" * n + "\n"


@program(100_000)
def sums(n):
    return "a = np.zeros(3)\nx = a" + " + a" * n + "\n"


@program(50_000)
def sums_of_elements(n):
    return within("        x = a" + " + a[i]" * n + "\n")


@program(100_000)
def conjunctions(n):
    return "a = np.zeros(3)\nif a.any()" + " and a.all()" * n + ":\n    pass\n"


@program(100_000)
def comparisons(n):
    return "a = np.zeros(3)\nx = a" + " < a" * n + "\n"


@program(20_000)
def elifs(n):
    return "a = np.zeros(3)\nif a.any():\n    pass\n" + "elif a.all():\n    pass\n" * n


@program(50_000)
def assignments(n):
    return join(lambda i: f"a{i} = ", n) + "np.zeros(3)\n"


@program(50_000)
def joined_strings(n):
    return "x = " + "'a' " * n + "\n"


@program(20_000)
def unions(n):
    return "def f(x: " + " | ".join(["np.ndarray"] * n) + "):\n    return x.sum()\n"


@program(20_000)
def dotted_name(n):
    return "import " + ".".join(f"a{i}" for i in range(n)) + "\n"


@program(10_000)
def decorators(n):
    return "@np.vectorize\n" * n + "def f(x):\n    return x\n\n\nf(np.zeros(3))\n"


@program(50_000)
def continued_lines(n):
    return "x = np.zeros(3) \\\n" + "\\\n" * n + "\n"


# ---- long lists ------------------------------------------------------------------------------------


@program(100_000)
def numbers(n):
    return "x = np.array([" + listed(str, n) + "])\n"


@program(100_000)
def pairs(n):
    return "x = np.array([" + "[1, 2], " * n + "])\n"


@program(50_000)
def entries(n):
    return "d = {" + listed(lambda i: f"'k{i}': {i}", n) + "}\nx = np.array(list(d))\n"


@program(50_000)
def entries_of_arrays(n):
    made = "d = {" + listed(lambda i: f"'k{i}': np.zeros({i})", n) + "}\n"
    return made + "for k in d:\n    d[k] += 1\n"


@program(10_000)
def arguments(n):
    made = "def f(" + listed(lambda i: f"a{i}", n) + "):\n    return a0 + np.zeros(3)\n\n\n"
    return made + "f(" + listed(lambda i: "np.zeros(3)", n) + ")\n"


@program(10_000)
def keywords(n):
    made = "def f(" + listed(lambda i: f"a{i}=None", n) + "):\n    return a0 + np.zeros(3)\n\n\n"
    return made + "f(" + listed(lambda i: f"a{i}=np.zeros(3)", n) + ")\n"


@program(10_000)
def keywords_of_numpy(n):
    return "x = np.zeros(" + listed(lambda i: f"a{i}={i}", n) + ")\n"


@program(3_000)
def starred_arguments(n):
    return "f(" + listed(lambda i: "*np.zeros(3)", n) + ")\n"


@program(20_000)
def slices(n):
    return "a = np.zeros(3)\na[" + listed(lambda i: "::2", n) + "] = 1\n"


@program(3_000)
def extents(n):
    return "n = 1000000000\na = np.zeros((" + listed(lambda i: "n", n) + "))\nb = a.sum()\n"


@program(10_000)
def unpacked(n):
    return listed(lambda i: f"x{i}", n) + " = " + listed(lambda i: "np.zeros(3)", n) + "\n"


@program(20_000)
def imported_names(n):
    return "from numpy import (" + listed(lambda i: f"n{i}", n) + ")\n"


@program(20_000)
def imports(n):
    return join(lambda i: f"import m{i}.x{i} as y{i}\n", n)


@program(20_000)
def global_names(n):
    names = listed(lambda i: f"g{i}", n)
    return f"def f():\n    global {names}\n    g0 = np.zeros(3)\n"


@program(5_000)
def context_managers(n):
    return "with " + listed(lambda i: f"open('f') as x{i}", n) + ":\n    np.zeros(3)\n"


@program(5_000)
def match_cases(n):
    cases = join(lambda i: f"    case [{i}, *x] if a.any():\n        a += 1\n", n)
    return "a = np.zeros(3)\nmatch a:\n" + cases


@program(3_000)
def stencil(n):
    points = " + ".join(f"a[{i}:-{2 * n - i}]" for i in range(n))
    return within(f"        a[1:-1] = {points}\n")


@program(1_000_000)
def name(n):
    return "x" * n + " = np.zeros(3)\n" + "x" * n + " += 1\n"


@program(200_000)
def name_in_a_loop(n):
    x = "x" * n
    return f"def f({x}: np.ndarray):\n    for i in range(n):\n        {x}[i] = float({x}.sum())\n"


@program(100_000)
def digits(n):
    return "n = " + "9" * n + "\na = np.zeros(n)\nfor i in range(n):\n    a[i] = n ** n ** n\n"


@program(15_000)
def docstring(n):
    rows = "    x : ndarray\n        an array\n" * n
    head = '    """Do.\n\n    Parameters\n    ----------\n'
    return f'def f(x):\n{head}{rows}    """\n    return x.sum()\n'


@program(60_000)
def characters(n):
    return "".join(chr(i) for i in range(1, n) if not 0xD800 <= i < 0xE000) + "\n"


# ---- many statements -------------------------------------------------------------------------------


@program(100_000)
def assignments_to_many_names(n):
    return join(lambda i: f"x{i} = np.zeros(3)\n", n)


@program(100_000)
def assignments_to_one_name(n):
    return "x = np.zeros(3)\n" + "x = x + 1\n" * n


@program(30_000)
def elements_in_one_loop(n):
    return within(join(lambda i: f"        a[i] = a[i] + {i}\n", n))


@program(30_000)
def arrays_in_one_loop(n):
    return within("        a = a + np.zeros(3)\n" * n)


@program(30_000)
def names_in_one_loop(n):
    return within(join(lambda i: f"        x{i + 1} = x{i} + a\n", n) + f"        x0 = x{n}\n")


@program(3_000)
def names_that_move_up(n):
    return within("".join(f"        x{i + 1} = x{i}\n" for i in reversed(range(n))))


@program(3_000)
def carried_scalars(n):
    rows = join(lambda i: f"        a[i] = a[i - {i + 1}] * s{i}\n        s{i} = s{(i + 1) % n}\n", n)
    return within(rows)


@program(20_000)
def syncs_in_one_loop(n):
    return within("        if a.max() > float(a.sum()):\n            print(a)\n" * n)


@program(10_000)
def turns_that_end_early(n):
    rows = join(lambda i: f"        if i % {i + 2}:\n            continue\n        a.item()\n", n)
    return within(rows)


@program(5_000)
def growing_stacks(n):
    return within("        a = np.concatenate([a, a])\n" * n)


@program(5_000)
def swaps(n):
    return within("        a, b = b, a\n" * n)


@program(20_000)
def loops(n):
    return "def f(a: np.ndarray, n):\n" + "    for i in range(n):\n        a[i] = 1\n" * n


@program(20_000)
def comprehensions(n):
    return "def f(a: np.ndarray, n):\n" + "    b = [a[i] for i in range(n)]\n" * n


@program(50_000)
def statements_on_one_line(n):
    return "a = np.zeros(3); " * n + "\n"


@program(20_000)
def statements_on_one_line_of_a_loop(n):
    return within("        'é'; " + "a = a + 1; " * n + "\n")


@program(5_000)
def nested_tuples(n):
    return "x = np.zeros(3)\n" + "x = (x, x)\n" * n


@program(60)
def doubled_tuples(n):
    return "x = (np.zeros(3),)\n" + "x = x + x\n" * n + "y = np.array(x)\n"


@program(5_000)
def growing_shape(n):
    return "s = (3,)\n" + "s = s + (4,)\n" * n + "a = np.zeros(s)\n"


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


def text(name, scale=1):
    return HEAD + PROGRAMS[name](max(1, SIZES[name] // scale))


def too_many_steps(n):
    """Names that move up through four loops, and callers that hand on another value each round."""
    loops = join(lambda i: " " * (i + 1) + f"for i{i} in range(n):\n", 4)
    rows = "".join(f"     x{i + 1} = x{i}\n" for i in reversed(range(n)))
    chain = join(lambda i: f"\n\ndef f{i + 1}(x):\n    f{i}(x)\n", 6)
    made = ["None", "1", "(1,)", "np.zeros((3, 3), dtype=int)", "np.zeros(3)", "np.zeros((3, 3))"]
    calls = "".join(f"f{i}({value})\n" for i, value in enumerate([*made, "np.eye(3)"]))
    return f"{HEAD}def f0(x0):\n{loops}{rows}{chain}\n\n{calls}"
