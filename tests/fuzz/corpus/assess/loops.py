import itertools
import numpy as np
from tqdm import tqdm, trange


def walk(a: np.ndarray, b: "np.ndarray", n: int):
    out = np.zeros(n)
    for i in range(n):
        out[i] = a[i] * b[n - i - 1]
    for i, j in itertools.product(range(n), range(n)):
        out[i] += a[j]
    i = 0
    while i < n:
        out[i] = a[i]
        i += 1
    for i in tqdm(range(2, a.shape[1])):
        out[i] = out[i - 1] + a[i]
    for i in trange(1, len(a)):
        out[i] = 0.5 * out[i - 1] + a[i] * np.sqrt(out[i - 2])
    for i in range(3):
        a[:, i] = b[:, i] * 2
    for k in range(0, n, 64):
        out[k:k + 64] = a[k:k + 64].sum()
    for row in range(n):
        out[row, :] = np.linalg.solve(a[row], b[row])
    total = [a[i] for i in range(n) if b[i] > 0]
    prev = 0.0
    for t in range(n):
        prev = prev * 0.9 + a[t]
        out[t] = prev
    return {i: a[i] for i in range(n)}, total
