RATE = 0.99
NAMES = ["u", "v"]


def indexed():
    out = {}
    for i in range(len(NAMES)):
        out[NAMES[i]] = i
    return out
