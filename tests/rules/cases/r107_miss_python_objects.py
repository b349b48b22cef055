# verdict: READY
"""Objects, dates and text stay in Python containers; the numbers are arrays."""
import datetime

import numpy as np


def stamps(count: int) -> list:
    start = datetime.datetime(2020, 1, 1)
    return [start + datetime.timedelta(days=k) for k in range(count)]


def season(day_of_year: np.ndarray) -> np.ndarray:
    return np.cos(2.0 * np.pi * day_of_year / 365.25)  #> R001


def summary(day_of_year: np.ndarray) -> dict:
    return {"name": "season", "unit": None, "values": season(day_of_year)}
