"""ShARe/CLEF 2013 Task 1 in plain Python, both protocols, slow and readable.

Independent of the package: used as its oracle on random data.
"""

from itertools import product


def _code(code):
    return "cui-less" if code is None or code.lower() in ("", "cuiless") else code.lower()


def _characters(fragments):
    return {k for start, end in fragments for k in range(start, end)}


def read(document):
    """Distinct mentions ``(fragments, code)``, sorted."""
    return sorted(
        {
            (tuple(sorted(map(tuple, mention["spans"]))), _code(mention["cui"]))
            for mention in document
        }
    )


def pair(golds, founds):
    """One to one: equal fragments first, then the overlapping ones, longest prediction first."""
    exact, near = [], []
    for (g, (gold, code)), (p, (found, other)) in product(enumerate(golds), enumerate(founds)):
        shared = len(_characters(gold) & _characters(found))
        if gold == found:
            exact.append(((code != other, g, p), g, p))
        if shared:
            order = -len(_characters(found)), -shared, gold[0][0], found[0][0]
            near.append(((*order, code != other, g, p), g, p))
    pairs = {}
    for _, g, p in sorted(exact) + sorted(near):
        if g not in pairs and p not in pairs.values():
            pairs[g] = p
    return pairs


def spec(predictions, references):
    counts = dict.fromkeys(("exact_tp", "overlap_tp", "correct", "golds", "founds"), 0)
    for found_document, gold_document in zip(predictions, references, strict=True):
        golds, founds = read(gold_document), read(found_document)
        pairs = pair(golds, founds)
        same = [(g, p) for g, p in pairs.items() if golds[g][0] == founds[p][0]]
        counts["exact_tp"] += len(same)
        counts["overlap_tp"] += len(pairs)
        counts["correct"] += sum(golds[g][1] == founds[p][1] for g, p in same)
        counts["golds"] += len(golds)
        counts["founds"] += len(founds)
    return {
        **_prf("exact", counts["exact_tp"], counts),
        **_prf("overlap", counts["overlap_tp"], counts),
        "strict_accuracy": _ratio(counts["correct"], counts["golds"]),
        "relaxed_accuracy": _ratio(counts["correct"], counts["exact_tp"]),
        "correct": counts["correct"],
        "strict_total": counts["golds"],
        "relaxed_total": counts["exact_tp"],
        "n_documents": len(references),
    }


def _prf(prefix, tp, counts):
    return {
        f"{prefix}_precision": _ratio(tp, counts["founds"]),
        f"{prefix}_recall": _ratio(tp, counts["golds"]),
        f"{prefix}_f1": _ratio(2 * tp, counts["founds"] + counts["golds"]),
        f"{prefix}_tp": tp,
        f"{prefix}_fp": counts["founds"] - tp,
        f"{prefix}_fn": counts["golds"] - tp,
    }


def official(predictions, references):
    """The released script, from lines: the counts behind what it prints."""
    golds, founds = _read_lines(references), _read_lines(predictions)
    shared = golds.keys() & founds.keys()
    hits = {p for p in founds if any(_touch(p, g) for g in golds)}
    missed = {g for g in golds if not any(_touch(g, p) for p in founds)}
    return {
        "exact_tp": len(shared),
        "exact_fp": len(founds) - len(shared),
        "exact_fn": len(golds) - len(shared),
        "overlap_tp": len(hits),
        "overlap_fp": len(founds) - len(hits),
        "overlap_fn": len(missed),
        "correct": sum(golds[key] == founds[key] for key in shared),
        "strict_total": len(golds),
        "relaxed_total": len(shared),
    }


def _read_lines(text):
    """Document and written span to code; the last line wins."""
    cells = [line.split("||") for line in text.split("\n") if line.strip("\r")]
    return {(doc, *offsets): code.lower() for doc, _, code, *offsets in cells}


def _touch(one, other):
    if one[0] != other[0]:
        return False
    ones, others = (_fragments(key[1:]) for key in (one, other))
    return any(not (s2 >= e1 or s1 >= e2) for (s1, e1), (s2, e2) in product(ones, others))


def _fragments(offsets):
    numbers = [int(offset) for offset in offsets]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _ratio(top, bottom):
    return top / bottom if bottom else 0.0
