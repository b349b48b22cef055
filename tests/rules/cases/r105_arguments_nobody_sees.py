# verdict: LIGHT REFACTOR
"""A small number in one call is no constant where others may pass anything."""
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import click
import numpy as np


def with_options(n, steps):
    u = np.zeros((n, n))
    for _ in range(steps):
        np.multiply(u, 0.5, out=u)
        if u.max() > 3:  #> R105
            break
    return u


def in_a_pool(n, steps):
    u = np.zeros((n, n))
    for _ in range(steps):
        np.multiply(u, 0.5, out=u)
        if u.max() > 3:  #> R105
            break
    return u


def in_part(n, steps):
    u = np.zeros((n, n))
    for _ in range(steps):
        np.multiply(u, 0.5, out=u)
        if u.max() > 3:  #> R105
            break
    return u


@click.command()
@click.option("--steps", default=500)
def command(steps):
    u = np.zeros((4096, 4096))
    for _ in range(steps):
        np.multiply(u, 0.5, out=u)
        if u.max() > 3:  #> R105
            break
    return u


def only_once(n=4096, steps=500):
    u = np.zeros((n, n))
    for _ in range(steps):
        np.multiply(u, 0.5, out=u)
        if u.max() > 3:  #> R105
            break
    return u


def main(settings):
    with_options(64, 3)
    with_options(**settings)
    in_a_pool(64, 3)
    with ThreadPoolExecutor() as executor:
        executor.submit(in_a_pool, 4096, 500)
    in_part(64, 3)
    partial(in_part, 4096)(500)
    command(3)
    only_once(64, 3)
