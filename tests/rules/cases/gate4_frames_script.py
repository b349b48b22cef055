# verdict: NOT RECOMMENDED
# gates: 4=fail
# unchecked: R301
"""A script of frames from its first line to its last but one, where an array is made of the result."""
import numpy as np
import pandas as pd

trips = pd.read_csv("trips.csv")
zones = pd.read_csv("zones.csv")
trips = trips.dropna(subset=["start", "fare"])
trips["hour"] = pd.to_datetime(trips["start"]).dt.hour
trips = trips[trips["fare"] > 0]
trips = trips.merge(zones, on="zone", how="left")
hourly = trips.groupby(["district", "hour"])["fare"].mean()
wide = hourly.reset_index().pivot(index="hour", columns="district", values="fare")
table = np.asarray(wide)
print(table.shape)
