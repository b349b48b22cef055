# verdict: NOT RECOMMENDED
# gates: 4=fail
# unchecked: R301
"""Group, join, pivot: a data frame's work, with one array at the end."""
import numpy as np
import pandas as pd


def report(path: str, sites: str) -> np.ndarray:
    df = pd.read_csv(path)
    ref = pd.read_csv(sites)
    df["day"] = pd.to_datetime(df["time"]).dt.date
    df = df[df["quality"] == "good"]
    df = df.merge(ref, on="site", how="left")
    daily = df.groupby(["site", "day"]).agg({"pm10": "mean", "pm25": "max"})
    daily = daily.reset_index().sort_values("day")
    wide = daily.pivot(index="day", columns="site", values="pm10")
    return np.asarray(wide)
