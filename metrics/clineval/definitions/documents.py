"""Documents as JSON Lines contain them: dicts with an id, mentions and relations."""


def pair_documents(gold, predicted):
    """Return pairs of a gold and a predicted document, {} for one that a side does not have."""
    sides = [
        {document.get("id", number): document for number, document in enumerate(side)}
        for side in (gold, predicted)
    ]
    return [tuple(side.get(name, {}) for side in sides) for name in {**sides[0], **sides[1]}]


def pair_lists(gold, predicted, key="mentions"):
    """Return the same pairs, with the lists that the documents have under a key."""
    return [
        tuple(document.get(key) or [] for document in pair)
        for pair in pair_documents(gold, predicted)
    ]


def fragments_of(mention):
    """Return the fragments of a mention, pairs of a start and an end, in order."""
    return tuple(sorted(map(tuple, mention["spans"])))


def characters_of(mention):
    """Return the offsets of the characters of a mention; gaps between fragments do not count."""
    return {offset for start, end in mention["spans"] for offset in range(start, end)}


def hull_of(mention):
    """Return the start of the first fragment and the end of the last one."""
    fragments = fragments_of(mention)
    return fragments[0][0], fragments[-1][1]
