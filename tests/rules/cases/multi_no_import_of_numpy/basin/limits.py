from .grid import depths


def settle(n, steps):
    h = depths(n)
    for _ in range(steps):
        h = h * 0.99 + 0.01  #> R202
    return h


def dry_rows(n):
    h = depths(n)
    dry = 0
    for i in range(n):  #> R101
        if h[i, 0] < 0.1:
            dry += 1
    return dry
