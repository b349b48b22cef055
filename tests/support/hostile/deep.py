# SPDX-License-Identifier: Apache-2.0
"""Hostile programs of one thing: nested, chained, or long."""

from support.hostile.programs import join, ladder, listed, program, within

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
