# verdict: READY
# context: elements=16384x16384 gpus=4
# gates: 2=pass
"""A size given as a shape; the small one in the code is only a demonstration."""
import numpy as np

N = 64


def edges(img: np.ndarray) -> np.ndarray:
    return np.abs(img[:, 1:] - img[:, :-1])  #> R005


def main():
    print(edges(np.ones((N, N))).sum())


if __name__ == "__main__":
    main()
