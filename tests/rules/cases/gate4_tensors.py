# verdict: NOT RECOMMENDED
# gates: 4=fail
"""All that is computed is computed on tensors; NumPy only brings the data."""
import numpy as np
import torch


def step(host, n):
    r = torch.from_numpy(host)
    a = torch.zeros((n, 3))
    for row in range(n - 1):
        d = r[row, :] - r[row + 1:, :]
        s = torch.sqrt(torch.sum(d * d, dim=1))
        a[row] = torch.sum(d / s[:, None], dim=0)
    return a.numpy()


print(step(np.zeros((100, 3)), 100))
