# verdict: LIGHT REFACTOR
"""Windows of an array are an array: every other one of them needs a step."""
import numpy as np


def frames(signal: np.ndarray, window, step):
    view = np.lib.stride_tricks.sliding_window_view(signal, window)
    return view[::step]  #> R106
