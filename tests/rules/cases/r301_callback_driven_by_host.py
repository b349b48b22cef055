# verdict: LIGHT REFACTOR
"""The right-hand side is called by SciPy's integrator at each of its steps."""
import numpy as np
from scipy.integrate import solve_ivp


def heat(u0: np.ndarray, k: float, t_end: float):
    def rhs(t, u):
        du = np.empty_like(u)
        du[1:-1] = k * (u[2:] - 2.0 * u[1:-1] + u[:-2])  #> R005
        du[0] = 0.0
        du[-1] = 0.0
        return du

    return solve_ivp(rhs, (0.0, t_end), u0)  #> R301


def damping(u: np.ndarray, steps: int, rate: np.ndarray) -> np.ndarray:
    for _ in range(steps):
        u = u - rate * u  #> R202
    return u
