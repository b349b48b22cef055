# coding: latin-1
import numpy as npxé = np.zeros(3)
for i in range(9**9**9): xé[i] = "\
"
