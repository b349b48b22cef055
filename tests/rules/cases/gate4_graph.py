# verdict: NOT RECOMMENDED
# gates: 4=fail
"""A walk over a networkx graph; NumPy only holds the result."""
import networkx as nx
import numpy as np


def spread(g: nx.Graph, seeds: list, p: float) -> np.ndarray:
    state = {n: 0.0 for n in g.nodes()}
    for s in seeds:
        state[s] = 1.0
    for node in g.nodes():
        for nb in g.neighbors(node):
            state[nb] = max(state[nb], p * state[node])
        g.nodes[node]["links"] = g.degree(node)
    return np.array([state[n] for n in g.nodes()])
