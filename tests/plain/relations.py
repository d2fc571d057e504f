"""Relations paired in plain Python, with no thought of speed: what the columns must give too.

A mention is a row with a number, a relation ``(label, source, target)`` in rows of mentions.
"""


def pair_by_partners(gold, prediction, partner):
    """Pairs ``(gold, predicted)`` of numbers of relations, each list without repeats."""
    pairs = set()
    for p, (label, source, target) in enumerate(prediction):
        ends = partner[source], partner[target]
        if None not in ends:
            pairs |= {(g, p) for g, each in enumerate(gold) if each == (label, *ends)}
    return pairs


def find_related(gold, prediction, shared):
    """``(gold, predicted)`` to what they share; ``shared`` has it for pairs of mentions."""
    found = {}
    for g, (label, source, target) in enumerate(gold):
        for p, (other, start, end) in enumerate(prediction):
            if label == other and (source, start) in shared and (target, end) in shared:
                found[g, p] = shared[source, start] + shared[target, end]
    return found
