import numpy as np
import networkx as nx, torch, sklearn.cluster
from scipy import sparse
import nltk, pandas
A = sparse.random(1000, 1000, format="csr")
def f(G, df, text, n):
    x = np.zeros(n)
    for t in range(n):
        x = A @ x; x = A.dot(x); sparse.linalg.spsolve(A, x)
        for v in G.nodes(): G.add_edge(v, v)
        torch.nn.Linear(3, 3)(torch.zeros(3)).backward()
        df = df.groupby("x").agg("mean").merge(df)
        text.split().join(" ").lower()
    return sklearn.cluster.KMeans(3).fit(x)
