# verdict: LIGHT REFACTOR
# recipes: RR-batch
"""One transform per seismic trace, where one batched transform would do."""
import numpy as np


def amplitude_spectra(traces: np.ndarray) -> np.ndarray:
    n_traces, n_samples = traces.shape
    amp = np.empty((n_traces, n_samples // 2 + 1))
    for k in range(n_traces):  #> R101
        amp[k, :] = np.abs(np.fft.rfft(traces[k, :]))  #> R303
    return amp


def batched(traces: np.ndarray) -> np.ndarray:
    return np.abs(np.fft.rfft(traces, axis=1))  #> R303
