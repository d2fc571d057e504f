"""What the released library of DrugProt counts, in plain Python."""


def count_slots(gold, found, entities):
    """tp, fp, fn of the released library, for clean lines: the joint of two documents is one slot.

    ``entities`` maps a document to (id, label) pairs in the order of lines.
    """
    slots, first = {}, 0
    for document in sorted(entities):
        chemicals, genes = (
            [id_ for id_, label in entities[document] if label == wanted]
            for wanted in ("CHEMICAL", "GENE")
        )
        pairs = [(a, b) for a in chemicals for b in genes]
        for at, pair in enumerate(pairs):
            slots[document, frozenset(pair)] = first + at
        first += len(pairs) - 1 if pairs else 0
    golds, others = (
        {(label, slots[document, frozenset((a, b))]) for document, label, a, b in lines}
        for lines in (gold, found)
    )
    return len(golds & others), len(others - golds), len(golds - others)
