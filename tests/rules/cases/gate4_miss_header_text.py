# verdict: READY
# gates: 4=pass
"""A header is parsed with string methods; the numbers that follow it are what the program is about."""
import numpy as np


def parse_header(line: str) -> dict:
    pairs = [part.strip().split("=") for part in line.split(";")]
    return {key.lower(): value for key, value in pairs}


def invert(data: np.ndarray, gain: np.ndarray, steps: int, line: str) -> np.ndarray:
    head = parse_header(line)
    model = np.zeros_like(data)
    misfit = np.zeros_like(data)
    for _ in range(steps):
        np.multiply(gain, model, out=misfit)  #> R006
        misfit -= data
        model -= float(head["step"]) * gain * misfit
        np.clip(model, 0.0, 1.0, out=model)
    return model
