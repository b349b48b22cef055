# SPDX-License-Identifier: Apache-2.0
"""
Python programs that are hard to read, by name: each a function of its size that gives the text. All
of them speak of arrays, so that none is passed over.
"""

from support.hostile import deep, many, crowds  # noqa: F401, I001 (they fill the tables, in this order)
from support.hostile.crowds import too_many_steps
from support.hostile.programs import HEAD, PLAIN, PROGRAMS, text

__all__ = ["HEAD", "PLAIN", "PROGRAMS", "text", "too_many_steps"]
