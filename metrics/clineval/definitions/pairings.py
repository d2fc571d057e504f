"""The best one-to-one pairing, which is found by trying all of them."""


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
