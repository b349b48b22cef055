# verdict: LIGHT REFACTOR
"""One file of the package never names NumPy: its arrays come from the file beside it."""
from basin.limits import dry_rows, settle

print(settle(4096, 1000)[0], dry_rows(4096))
