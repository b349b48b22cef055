# verdict: LIGHT REFACTOR
# recipes: RR-inplace
"""The module is handed in as a parameter."""
import numpy


def axpy_loop(np, n, steps):
    x = np.zeros(n)
    y = np.linspace(0.0, 1.0, n)
    for _ in range(steps):
        x = x + 0.5 * y  #> R202
        np.multiply(y, 0.99, out=y)  #> R006
    return x


def main():
    result = axpy_loop(numpy, 20_000_000, 500)
    print(result[:5])


if __name__ == "__main__":
    main()
