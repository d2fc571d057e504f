"""Relations between given chemicals and genes: ChemProt and DrugProt.

The unit is (document, type, chemical, gene); ends have no order, and repeats count once. All scores
are computed over all relations (``micro_``), for each type, and as the mean over the types that the
gold standard has (``macro_``).
"""

from clineval.definitions.rates import compare_sets, mean, name_rates, name_scores, rate


def read_units(lines, listed, left_out=()):
    """Return the units of the lines (document, type, first id, second id) of listed documents."""
    units = set()
    for document, label, first, second in lines:
        if document in listed and label not in left_out:
            units.add((document, label, frozenset((first, second))))
    return units


def count(golds, found, types):
    """Return tp, fp and fn of all units, and of each type."""
    groups = {"micro": (golds, found)}
    for of in types:
        groups[of] = tuple({unit for unit in side if unit[1] == of} for side in (golds, found))
    return {name: compare_sets(one, other) for name, (one, other) in groups.items()}


def score(gold, found, types, listed, left_out=()):
    """Return the scores of the lines of both sides."""
    sides = [read_units(lines, listed, left_out) for lines in (gold, found)]
    scores, rows = {}, []
    for name, counts in count(*sides, types).items():
        key = "".join(c if c.isalnum() else "_" for c in name.lower())
        scores |= name_scores(key, *counts)
        if name != "micro" and counts[0] + counts[2]:
            rows.append(rate(*counts))
    means = [mean([row[column] for row in rows]) for column in range(3)]
    return {**scores, **name_rates("macro", means)}


def score_relations(gold, predicted, types, left_out=()):
    """Return the scores of documents as JSON Lines contain them."""
    lines = [
        [(d["id"], r["label"], r["from"], r["to"]) for d in side for r in d.get("relations", ())]
        for side in (gold, predicted)
    ]
    listed = {document["id"] for side in (gold, predicted) for document in side}
    return score(*lines, types, listed, left_out)
