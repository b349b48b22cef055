# verdict: none
"""Indexed like arrays, but nobody here has NumPy: `xp` is another library's, `np.zeros` is mentioned in words."""
from devices import current

xp = current().xp


def relax(x, y):
    for i in range(1, len(x) - 1):
        x[i] = 0.5 * (y[i - 1, 0] + y[i + 1, 0])
    return xp.sum(x)


def scaled(rows):
    return rows[:, 1:3] * rows.shape[0]
