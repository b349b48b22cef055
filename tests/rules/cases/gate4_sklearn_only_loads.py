# verdict: READY
# gates: 4=pass
# unchecked: R301
"""scikit-learn brings the data and parts them; the model is NumPy from end to end."""
import numpy as np
from sklearn.datasets import load_iris
from sklearn.model_selection import train_test_split


class Softmax:
    def __init__(self, features: int, classes: int):
        self.w = np.zeros((features, classes))

    def probabilities(self, x: np.ndarray) -> np.ndarray:
        score = x @ self.w
        p = np.exp(score - np.max(score, axis=1, keepdims=True))
        p /= np.sum(p, axis=1, keepdims=True)
        return p

    def fit(self, x: np.ndarray, target: np.ndarray, epochs: int, rate: float) -> None:
        for _ in range(epochs):
            p = self.probabilities(x)
            p -= target
            self.w -= rate * (x.T @ p)  #> R003


def main():
    bunch = load_iris()
    train_x, test_x, train_y, test_y = train_test_split(bunch.data, bunch.target)
    hot = (np.asarray(train_y)[:, None] == np.arange(3)) * 1.0
    model = Softmax(4, 3)
    model.fit(np.asarray(train_x), hot, 500, 0.01)
    print(model.probabilities(np.asarray(test_x))[:5], test_y[:5])


if __name__ == "__main__":
    main()
