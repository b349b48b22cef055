# verdict: READY
# unchecked: R301
"""A function that draws takes what it wants to the host: it is at the boundary."""
import matplotlib.pyplot as plt
import numpy as np


def show(u: np.ndarray, title: str) -> None:
    plt.plot(u.tolist())
    plt.title(title + " " + str(float(u.max())))
    plt.savefig("u.png")


def run(n: int, steps: int) -> np.ndarray:
    u = np.linspace(0.0, 1.0, n)
    w = np.zeros_like(u)
    for _ in range(steps):
        w[1:-1] = 0.5 * (u[2:] + u[:-2])  #> R005
        u, w = w, u  #> R006
    return u


def main() -> None:
    show(run(1000000, 500), "heat")


if __name__ == "__main__":
    main()
