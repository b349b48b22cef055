# verdict: LIGHT REFACTOR
# recipes: RR-loop
"""Static methods are functions; a class attribute is a module-like constant."""
import numpy as np


class Spectrum:
    BANDS = 3

    @staticmethod
    def smooth(s: np.ndarray) -> np.ndarray:
        out = np.zeros_like(s)
        for i in range(1, s.size - 1):  #> R101
            out[i] = 0.25 * s[i - 1] + 0.5 * s[i] + 0.25 * s[i + 1]
        return out

    @classmethod
    def flat(cls, n: int) -> np.ndarray:
        return np.ones((cls.BANDS, n))


def ratio(s: np.ndarray) -> np.ndarray:
    return Spectrum.smooth(s) / (1.0 + s)  #> R001
