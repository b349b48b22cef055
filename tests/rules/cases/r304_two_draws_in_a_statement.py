# verdict: READY
"""Box and Muller: one note per statement, whatever the number of draws."""
import numpy as np


def gaussian(n: int) -> np.ndarray:
    r = np.sqrt(-2.0 * np.log(1.0 - np.random.rand(n))) * np.cos(2.0 * np.pi * np.random.rand(n))  #> R304
    return r


def photons(mean_flux: np.ndarray) -> np.ndarray:
    return np.random.poisson(mean_flux)  #> R304
