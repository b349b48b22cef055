# verdict: READY
# gates: 4=pass
# unchecked: R301
"""Tensors come in and go out; all that is computed is computed by NumPy."""
import numpy as np
import torch


def to_array(x):
    if isinstance(x, torch.Tensor):
        return x.detach().cpu().numpy()
    return np.asarray(x)


def kernel(x: np.ndarray, y: np.ndarray, width: float) -> np.ndarray:
    xx = np.sum(x * x, axis=1)
    yy = np.sum(y * y, axis=1)
    d = xx[:, None] + yy[None, :] - 2.0 * x @ y.T  #> R003
    np.maximum(d, 0.0, out=d)  #> R006
    return np.exp(-d / width)


def smooth(x: np.ndarray, f: np.ndarray, width: float) -> np.ndarray:
    w = kernel(x, x, width)
    w /= np.sum(w, axis=1)[:, None]
    return w @ f  #> R003


def to_tensor(f: np.ndarray):
    return torch.from_numpy(f)
