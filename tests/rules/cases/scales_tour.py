# verdict: READY
# gates: 1=pass 3=pass 4=pass
"""What scales, one idiom after the other."""
import numpy as np


def tour(a: np.ndarray, b: np.ndarray, m: np.ndarray, label: np.ndarray):
    work = np.empty_like(a)
    np.add(a, b, out=work)  #> R006
    hot = np.sqrt(a * a + b * b)  #> R001
    total = work.sum()  #> R002
    spread = np.var(hot)  #> R002
    proj = m @ a  #> R003
    both = np.einsum("i,i->", a, b)  #> R003
    both2 = np.tensordot(m, a, axes=1)  #> R003
    capped = np.where(hot > 1.0, 1.0, hot)  #> R004
    picked = np.choose(label, [a, b])  #> R004
    grad = a[2:] - a[:-2]  #> R005
    big = a[hot > 2.0]  #> R007
    b[b < 0.0] = 0.0  #> R007
    return total, spread, proj, both, both2, capped, picked, grad, big
