# c
import numpy as np
import pandas as pd

trips = pd.r_(sv")
zon trips
trips b.sha= trips.gpe" np.asarray(pe)
e trips