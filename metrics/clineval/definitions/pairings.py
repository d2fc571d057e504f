"""One-to-one pairings: in a given order, the largest one, and the best one.

The best one is found by trying all of them.
"""


def pair_in_order(candidates, golds, founds):
    """Go through candidates in order; those whose items are both free are paired."""
    free_golds, free_founds, pairs = list(golds), list(founds), []
    for gold, found in candidates:
        if gold in free_golds and found in free_founds:
            free_golds.remove(gold)
            free_founds.remove(found)
            pairs.append((gold, found))
    return pairs


def count_largest(edges, _size=0):
    """Return the size of the largest pairing.

    ``edges`` list the numbers of the predictions that each gold annotation matches. How many
    predictions there are does not matter.
    """
    owners = {}

    def find_partner(gold, visited):
        """Find a prediction for a gold annotation; its owner may take another one."""
        for other in edges[gold]:
            if other not in visited:
                visited.add(other)
                if other not in owners or find_partner(owners[other], visited):
                    owners[other] = gold
                    return True
        return False

    return sum(find_partner(gold, set()) for gold in range(len(edges)))


def best_pairing(worth):
    """Return the pairs with the largest sums, compared one after the other.

    ``worth`` maps each possible pair of a gold number and a predicted number to a tuple of numbers.
    If it begins with 1, the largest pairings come first.
    """
    chosen = []
    for group in split(list(worth)):
        chosen += max(list_pairings(group), key=lambda pairs: add_up(worth, pairs))
    return chosen


def add_up(worth, pairs):
    """Return the sums of a pairing."""
    size = len(next(iter(worth.values())))
    return [sum(worth[pair][column] for pair in pairs) for column in range(size)]


def list_pairings(pairs):
    """Yield all sets of pairs in which nothing occurs twice."""
    if not pairs:
        yield []
        return
    (gold, predicted), *rest = pairs
    yield from list_pairings(rest)
    free = [pair for pair in rest if pair[0] != gold and pair[1] != predicted]
    yield from ([(gold, predicted), *others] for others in list_pairings(free))


def split(pairs):
    """Yield groups of pairs that have no number in common with other groups."""
    while pairs:
        golds, predictions, size = {pairs[0][0]}, {pairs[0][1]}, 0
        while size < len(golds) + len(predictions):
            size = len(golds) + len(predictions)
            group = [pair for pair in pairs if pair[0] in golds or pair[1] in predictions]
            golds, predictions = ({pair[side] for pair in group} for side in (0, 1))
        yield group
        pairs = [pair for pair in pairs if pair not in group]
