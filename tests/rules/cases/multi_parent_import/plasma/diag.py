import numpy as np


def charge(q):
    return float(np.sum(q))  #> R104


def summary(q):
    print("charge", float(np.sum(q)))
