"""Long lists of scores, many of them near ties; Python 2.7 makes the same ones."""


def noise(seed):
    """Integers from 0 to 2 ** 31, without a generator that differs from Python to Python."""
    state = seed
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield state >> 33


def uniform(size, seed):
    source = noise(seed)
    return [next(source) % 10001 for _ in range(size)]


def nested(size, seed):
    """F of all pairs of entries whose medications are the first 1, 2, 3, ... tokens of a line."""
    del seed
    return [20000 * min(g, s) // (g + s) for g in range(1, size + 1) for s in range(1, size + 1)]


def sawtooth(size, seed):
    source = noise(seed)
    return [(3 * k + next(source) % 31) % 9001 for k in range(size)]


def steps(size, seed):
    source = noise(seed)
    scores = []
    while len(scores) < size:
        length, start = next(source) % 150, next(source) % 9000
        scores += [start + next(source) % 25 + k * (next(source) % 3) for k in range(length)]
    return scores[:size]


KINDS = {"uniform": uniform, "nested": nested, "sawtooth": sawtooth, "steps": steps}
