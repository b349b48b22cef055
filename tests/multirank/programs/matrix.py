# SPDX-License-Identifier: Apache-2.0
"""
Works through the table of support/load_cases.py, or of support/format_cases.py: matrix.py FOLDER load|format

FOLDER/NUMBER holds the files of a case, FOLDER/NUMBER.npy what must arrive. Of each case is printed
whether it did, or the error.
"""

import json
import sys
import warnings

import cupynumeric
import numpy as np
from support import format_cases, load_cases

import muster

warnings.simplefilter("ignore", muster.DatasetWarning)
cases = {"load": load_cases.FEWER_CASES, "format": format_cases.CASES}[sys.argv[2]]
for number, case in enumerate(cases):
    expected = np.load(f"{sys.argv[1]}/{number}.npy")
    try:
        outcome = load_cases.same(case.load(muster, cupynumeric, f"{sys.argv[1]}/{number}"), expected)
    except muster.Error as error:
        outcome = str(error)
    sys.stdout.write(json.dumps({case.name: outcome}) + "\n")
    sys.stdout.flush()
