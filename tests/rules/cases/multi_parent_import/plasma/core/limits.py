import numpy as np


def hold(q):
    np.clip(q, 0.0, float(np.median(q)), out=q)  #> R104
