# verdict: READY
"""Arrays that SciPy and imageio return live on the host; looping over them there is as cheap as ever."""
import imageio
import numpy as np
from scipy.signal import find_peaks


def peaks_of(profile: np.ndarray, centre: np.ndarray) -> np.ndarray:
    found, props = find_peaks(profile, height=0.1)  #> R301
    total = np.zeros_like(centre)
    positions = []
    for p in found:
        positions.append(p)
    return total - len(positions)


def frame(path, dark: np.ndarray) -> np.ndarray:
    raw = imageio.imread(path)  #> R301
    for row in raw:
        row[0] = 0
    return np.asarray(raw) - dark
