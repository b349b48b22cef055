# verdict: LIGHT REFACTOR
"""Python 2's lazy zip under the name of zip."""
import sys

import numpy as np

if sys.version_info[0] == 2:
    import itertools
    zip = itertools.izip


def values(w: np.ndarray):
    rows, columns = np.nonzero(w)
    return tuple(w[i, j] for i, j in zip(rows, columns))  #> R103
