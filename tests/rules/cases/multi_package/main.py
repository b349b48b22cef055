# verdict: LIGHT REFACTOR
# recipes: RR-alloc
"""A package with relative imports; the scratch array is made three files away from the loop."""
import numpy as np

from ocean.model import Model


def main():
    model = Model(4096)
    for _ in range(10000):
        model.step()
    print(float(model.h.sum()))


if __name__ == "__main__":
    main()
