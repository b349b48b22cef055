# verdict: LIGHT REFACTOR
# recipes: RR-sync RR-alloc
"""Modules taken out of the own package by name: the time loop's heat goes through them."""
from reef import run

print(run.simulate(4096, 10000))
