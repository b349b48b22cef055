# verdict: NOT RECOMMENDED
# gates: 4=fail
"""A plucked string: each sample goes into a delay line, and comes out of it many samples later."""
import random
from collections import deque

import numpy as np


def pluck(count, length):
    line = deque([random.random() - 0.5 for _ in range(length)])
    samples = np.zeros(count, "float32")
    for i in range(count):
        samples[i] = line[0]
        line.append(0.4975 * (line[0] + line[1]))
        line.popleft()
    return samples
