# SPDX-License-Identifier: Apache-2.0
"""Hostile programs of many statements."""

from support.hostile.programs import join, program, within

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
