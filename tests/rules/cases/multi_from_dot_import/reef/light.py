import numpy as np


def share(cover):
    return 1.0 - float(np.mean(cover))  #> R104
