# SPDX-License-Identifier: Apache-2.0
"""
Works through the table of support/load_cases.py: matrix.py FOLDER

FOLDER/NUMBER holds the files of a case, FOLDER/NUMBER.npy what must arrive. Of each case is printed
whether it did, or the error.
"""

import json
import sys
import warnings

import cupynumeric
import numpy as np
from support.load_cases import FEWER_CASES, same

import muster

warnings.simplefilter("ignore", muster.DatasetWarning)
for number, case in enumerate(FEWER_CASES):
    expected = np.load(f"{sys.argv[1]}/{number}.npy")
    try:
        outcome = same(case.load(muster, cupynumeric, f"{sys.argv[1]}/{number}"), expected)
    except muster.Error as error:
        outcome = str(error)
    sys.stdout.write(json.dumps({case.name: outcome}) + "\n")
    sys.stdout.flush()
