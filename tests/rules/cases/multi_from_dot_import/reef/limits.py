import numpy as np


def clip(cover):
    np.minimum(cover, 1.0, out=cover)  #> R006
