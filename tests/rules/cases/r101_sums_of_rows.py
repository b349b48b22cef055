# verdict: LIGHT REFACTOR
"""Sums over the rows of an array, whatever else stands in the line: sweeps over the data."""
import numpy as np


def covariance(x: np.ndarray):
    d = x.shape[1]
    s = np.zeros((d, d))
    for i in range(x.shape[0]):  #> R101
        s += np.outer(x[i, :], x[i, :])
    return s


def total(x: np.ndarray, mu: np.ndarray):
    s = np.zeros(3)
    for i in range(x.shape[0]):  #> R101
        s += x[i, :] - mu
    return s


def overlap(frames: np.ndarray, window: np.ndarray, index: np.ndarray, n):
    y = np.zeros(n)
    for j in range(frames.shape[0]):  #> R101
        y[index[j, :]] = y[index[j, :]] + window * frames[j, :]
    return y


def components(q: np.ndarray, x: np.ndarray, count, n, d):
    mu = q.T @ x
    share = np.sum(q, axis=0)
    sigma = np.zeros((count, d, d))
    for c in range(count):  #> R101
        of_c = share[c]
        outer = np.zeros((d, d))  #> R201
        for i in range(n):
            outer += q[i, c] * np.outer(x[i, :] - mu[c, :], x[i, :] - mu[c, :])
        outer = outer / of_c if of_c > 0 else outer
        sigma[c, :, :] = outer
    return sigma
