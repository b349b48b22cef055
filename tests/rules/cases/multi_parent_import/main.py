# verdict: LIGHT REFACTOR
# recipes: RR-sync
"""Names out of the parent package, one imported inside the function that is called in the loop."""
from plasma.core import run

print(run.push(100000, 1000)[0])
