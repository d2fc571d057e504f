"""What the released program of i2b2/VA 2010 counts, in plain Python.

Independent of the package: used as its oracle on random data. An item is
``(kind, label, span)`` or, of a relation, ``(kind, label, span, span)``; a span is
``((line, token), (line, token))`` with the last token. A document is a list of items.
"""

from clineval.challenges.i2b2_2010.definition import LABELS, MATCHES


def _place(item):
    return tuple(sorted(item[2:]))


def _first_come(golds, founds, fits):
    """For each reference the first prediction that is free and fits."""
    free, pairs = list(founds), []
    for gold in golds:
        partner = next((f for f in free if fits(gold, f)), None)
        if partner is not None:
            free.remove(partner)
            pairs.append((gold, partner))
    return pairs


def _program_fits(gold, found):
    (g, ge), (s, se) = (
        [1000 * line + token for line, token in item[2]] for item in (gold, found)
    )  # fmt: skip
    return (s >= g and se <= ge) or (s <= g and se >= ge) or (g <= s <= ge <= se)


def official(golds, founds, match):
    """The pairs of one kind of item of one document, by the program; items are objects."""
    same = lambda g, f: _place(g) == _place(f)  # noqa: E731
    alike = lambda g, f: g[1] == f[1]  # noqa: E731
    fits = _program_fits if match in ("lenient", "overlap") else same
    if match in ("exact", "overlap"):
        return _first_come(golds, founds, fits)
    return _first_come(golds, founds, lambda g, f: fits(g, f) and alike(g, f))


def score(predictions, references):
    """Counts of all matches, of each label and of all."""
    counts = {}
    for found, gold in zip(predictions, references, strict=True):
        for kind, labels in LABELS.items():
            sides = [[item for item in side if item[0] == kind] for side in (gold, found)]
            for match in MATCHES[kind]:
                _count(counts, kind, match, labels, *_pair(sides, match))
    counts["concepts_lenient_fn"] = counts["concepts_overlap_fn"]
    return counts


def _pair(sides, match):
    golds, founds = ([_Item(item) for item in side] for side in sides)
    return golds, founds, official(golds, founds, match)


class _Item(tuple):
    """An item that is itself only, and no copy."""

    __slots__ = ()

    def __eq__(self, other):
        return self is other

    __hash__ = tuple.__hash__


def _count(counts, kind, match, labels, golds, founds, pairs):  # noqa: PLR0913, PLR0917
    used = {id(f) for _, f in pairs}
    spare = [f for f in founds if id(f) not in used]
    for label in [*labels, None]:
        key = f"{kind if label is None else label.lower()}_{match}"
        wanted = lambda item, label=label: label is None or item[1] == label  # noqa: E731
        tp = sum(wanted(g) for g, _ in pairs)
        for verdict, number in (
            ("tp", tp), ("fp", sum(map(wanted, spare))), ("fn", sum(map(wanted, golds)) - tp),
        ):  # fmt: skip
            counts[f"{key}_{verdict}"] = counts.get(f"{key}_{verdict}", 0) + number
