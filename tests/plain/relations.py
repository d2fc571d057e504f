"""Relations paired in plain Python, with no thought of speed: what the columns must give too.

A mention is a row with a number, a relation ``(label, source, target)`` in rows of mentions.
"""


def turned(relation, undirected):
    label, source, target = relation
    return (label, *sorted((source, target))) if label in undirected else relation


def pair_by_partners(gold, prediction, partner, undirected=()):
    """Pairs ``(gold, predicted)`` of numbers of relations, each list without repeats."""
    pairs = set()
    for p, (label, source, target) in enumerate(prediction):
        ends = partner[source], partner[target]
        if None not in ends:
            wanted = turned((label, *ends), undirected)
            pairs |= {(g, p) for g, each in enumerate(gold) if turned(each, undirected) == wanted}
    return pairs


def find_related(gold, prediction, shared, undirected=()):
    """``(gold, predicted)`` to what they share; ``shared`` has it for pairs of mentions."""
    found = {}
    for g, (label, source, target) in enumerate(gold):
        for p, (other, *ends) in enumerate(prediction):
            if label == other:
                for start, end in [ends, ends[::-1]] if label in undirected else [ends]:
                    if (source, start) in shared and (target, end) in shared:
                        both = shared[source, start] + shared[target, end]
                        found[g, p] = max(both, found.get((g, p), 0))
    return found
