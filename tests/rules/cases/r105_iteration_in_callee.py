# verdict: LIGHT REFACTOR
# unchecked: R304
"""A loop of its own in a function that is called with an element waits in each of its steps; a
test on the element alone belongs to the caller's loop."""
import numpy as np


def steps(state, heat):
    for k in range(state.size):
        i = np.random.randint(0, state.shape[0])
        change = state[i, 0] - state[i, 1]
        if np.random.random() < np.exp(-change / heat):  #> R105
            state[i, 0] = -state[i, 0]
    return state


def clipped(x, high):
    if x > high:
        return high
    return x


def run(n):
    heats = np.linspace(0.2, 9.5, n)
    state = np.ones((64, 64))
    out = np.zeros(n)
    for i, heat in enumerate(heats):  #> R103
        state = steps(state, heat)
        out[i] = clipped(heat, 3.0)
    return state, out
