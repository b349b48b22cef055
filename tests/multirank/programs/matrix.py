# SPDX-License-Identifier: Apache-2.0
"""
Works through the table of support/load_cases.py: matrix.py FOLDER

FOLDER/NUMBER holds the files of a case, FOLDER/NUMBER.npy what must arrive. Names of cases that go wrong
are printed, and how many were right.
"""

import json
import sys
import warnings

import cupynumeric
import numpy as np
from support.load_cases import FEWER_CASES, same

import muster

warnings.simplefilter("ignore", muster.DatasetWarning)
right, wrong = 0, []
for number, case in enumerate(FEWER_CASES):
    expected = np.load(f"{sys.argv[1]}/{number}.npy")
    try:
        found = case.load(muster, cupynumeric, f"{sys.argv[1]}/{number}")
    except muster.Error as error:
        wrong.append(f"{case.name}: {error}")
        continue
    if same(found, expected):
        right += 1
    else:
        wrong.append(case.name)
sys.stdout.write(json.dumps({"right": right, "wrong": wrong}) + "\n")
sys.stdout.flush()
