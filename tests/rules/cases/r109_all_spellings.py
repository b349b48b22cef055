# verdict: LIGHT REFACTOR
"""order= by keyword and by position, on functions and on methods."""
import numpy as np


def layouts(a: np.ndarray, n: int):
    b = np.zeros((n, n), order="F")  #> R109
    c = np.empty((n, n), np.float64, "F")  #> R109
    d = np.reshape(a, (n, n), order="C")  #> R109
    e = a.flatten("F")  #> R109
    f = a.ravel(order="K")  #> R109
    g = np.array(a, order="F")  #> R109
    h = a.astype(np.float32, order="C")  #> R109
    i = a.copy(order="C")  #> R109
    j = np.full((n, n), 1.0, order="F")  #> R109
    return b, c, d, e, f, g, h, i, j
