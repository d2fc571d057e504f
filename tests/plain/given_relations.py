"""Relations between given chemicals and genes, scored with sets: nothing of the package."""


def read_units(lines, listed, left_out=()):
    """The units of a side, (document, type, ends); ends have no order."""
    units = set()
    for document, label, first, second in lines:
        if document in listed and label not in left_out:
            units.add((document, label, frozenset((first, second))))
    return units


def count(golds, found, types):
    """tp, fp, fn of all units and of each type."""
    groups = {"micro": (golds, found)}
    for of in types:
        groups[of] = tuple({unit for unit in side if unit[1] == of} for side in (golds, found))
    return {
        name: (len(one & other), len(other - one), len(one - other))
        for name, (one, other) in groups.items()
    }


def rate(tp, fp, fn):
    """Precision, recall and F1."""
    return tuple(
        part / whole if whole else 0.0
        for part, whole in ((tp, tp + fp), (tp, tp + fn), (2 * tp, 2 * tp + fp + fn))
    )


def score(gold, found, types, listed, left_out=()):
    """The scores of lines (document, type, first id, second id), as the package names them."""
    sides = [read_units(lines, listed, left_out) for lines in (gold, found)]
    scores, rows = {}, []
    for name, counts in count(*sides, types).items():
        key = "".join(c if c.isalnum() else "_" for c in name.lower())
        rates = rate(*counts)
        names = ("precision", "recall", "f1", "tp", "fp", "fn")
        scores |= {f"{key}_{n}": v for n, v in zip(names, (*rates, *counts), strict=True)}
        if name != "micro" and counts[0] + counts[2]:
            rows.append(rates)
    for at, name in enumerate(("precision", "recall", "f1")):
        scores[f"macro_{name}"] = sum(row[at] for row in rows) / len(rows) if rows else 0.0
    return scores


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
