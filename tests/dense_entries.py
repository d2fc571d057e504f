"""Records in which all medications overlap, as text of entries files."""

import random


def make(kind, size, seed=0):
    """Predictions and references, one record each."""
    rng = random.Random(seed)
    sides = []
    for _ in range(2):
        entries = [KINDS[kind](rng, number, size) for number in range(size)]
        lines = ["||".join(f'{tag}="x" {at}' for tag, at in fields.items()) for fields in entries]
        sides.append("".join(f"{line}\n" for line in lines))
    return [sides[0]], [sides[1]]


def same(_rng, number, _size):
    """One medication, each time with another dosage."""
    return {"m": "1:0 1:0", "do": f"2:{number} 2:{number}"}


def nested(_rng, number, _size):
    """The first 1, 2, 3, ... tokens of a line."""
    return {"m": f"1:0 1:{number}"}


def windows(_rng, number, size):
    """Ranges of tokens, each one token further."""
    return {"m": f"1:{number} 1:{number + size}"}


def spans(rng, _number, size):
    """Ranges of tokens around the middle of a line."""
    return {"m": f"1:{rng.randrange(size)} 1:{size + rng.randrange(size)}"}


def fields(rng, _number, _size):
    """All fields, each somewhere in its line."""
    offsets = {"m": f"1:0 1:{rng.randrange(60)}"}
    for line, tag in enumerate(("do", "mo", "f", "du", "r"), 2):
        first, last = sorted(rng.choices(range(60), k=2))
        offsets[tag] = f"{line}:{first} {line}:{last}"
    return offsets


KINDS = {f.__name__: f for f in (same, nested, windows, spans, fields)}
