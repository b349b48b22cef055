# verdict: NOT RECOMMENDED
# gates: 4=fail
# unchecked: R301
"""A scikit-learn pipeline; NumPy only glues it."""
import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.preprocessing import StandardScaler


def evaluate(X: np.ndarray, y: np.ndarray, trees: int):
    scaler = StandardScaler()
    scaled = scaler.fit_transform(X)
    parts = train_test_split(scaled, y, test_size=0.2)
    model = RandomForestClassifier(n_estimators=trees)
    model.fit(parts[0], parts[2])
    scores = cross_val_score(model, parts[1], parts[3])
    labels = model.predict(parts[1])
    return np.asarray(scores), labels
