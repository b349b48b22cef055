def scale(values, n):
    total = 0.0
    for i in range(n):  #> R101
        total += values[i] * values[i]
    return total


def halve(widths):
    out = []
    for i in range(len(widths)):
        out.append(0.5 * widths[i])
    return out
