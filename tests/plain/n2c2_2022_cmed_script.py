"""What the released script of n2c2 2022 Track 1 counts, in plain Python, with no thought of speed.

A document is a list of mentions as ``clineval.score`` takes them.
"""

from clineval.challenges.n2c2_2022_cmed.definition import CONTEXT, EVENTS, context


def items_of(document):
    """Row to what the script compares, in the order of lines: start, end, and the rest."""
    items = {row: [] for row in ("drug", *map(str.lower, EVENTS), *CONTEXT, "combined")}
    for mention in document:
        start, end = mention["spans"][0][0], mention["spans"][-1][1]
        label, said = mention["label"], context(mention)
        tags = [("drug", "")] + [(label.lower(), label)] * (label != "Drug")
        for row, key in tags:
            if (start, end, key) not in items[row]:
                items[row].append((start, end, key))
        for name, value in zip(CONTEXT, said, strict=True):
            items[name] += [(start, end, (label, value))] * (value != "")
        items["combined"] += [(start, end, (label, "_".join(said)))] * any(said)
    return items


def count(gold, system, mode):
    golds, systems = items_of(gold), items_of(system)
    counts = {}
    for row, of_gold in golds.items():
        free, tp = list(systems[row]), 0
        for start, end, key in of_gold:
            for other in free:
                overlap = end > other[0] and start < other[1]
                same = (start, end) == other[:2] if mode == "strict" else overlap
                if same and key == other[2]:
                    free.remove(other)
                    tp += 1
                    break
        counts[row] = [tp, len(of_gold), len(systems[row])]
    return counts
