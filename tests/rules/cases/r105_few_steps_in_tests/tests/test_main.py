import numpy as np
from main import relax, required, rows, stages


def helper(u, count):
    for _ in range(count):
        np.multiply(u, 0.5, out=u)
        assert u.max() < 3


def test_few():
    assert relax(64, 3).shape == (64, 64)
    assert required(64, 3) == 0
    assert rows(np.zeros((3, 64))) == 0
    assert len(stages(np.zeros((64, 64)), 2)) == 2
    helper(np.zeros(64), 3)
