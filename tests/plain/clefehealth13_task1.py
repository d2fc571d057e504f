"""ShARe/CLEF 2013 Task 1 in plain Python, both protocols, slow and readable.

Independent of the package: used as its oracle on random data.
"""

from itertools import product


def _code(code):
    return "cui-less" if code is None or code.lower() in ("", "cuiless") else code.lower()


def _characters(fragments):
    return {k for start, end in fragments for k in range(start, end)}


def read(document):
    """Distinct mentions ``(fragments, code)``."""
    return {
        (tuple(sorted(map(tuple, mention["spans"]))), _code(mention.get("cui")))
        for mention in document
    }


def _order(fragments):
    first, *rest = fragments
    return first, len(rest), rest


def pair(golds, founds):
    """Spans one to one: equal ones first, then overlapping ones, longest prediction first."""
    pairs = {span: span for span in golds & founds}
    near = []
    for gold, found in product(golds - founds, founds - golds):
        shared = len(_characters(gold) & _characters(found))
        if shared:
            longest = -len(_characters(found)), -shared, gold[0][0], found[0][0]
            near.append(((*longest, _order(gold), _order(found)), gold, found))
    for _, gold, found in sorted(near):
        if gold not in pairs and found not in pairs.values():
            pairs[gold] = found
    return pairs


def spec(predictions, references):
    """Task 1a counts spans, whatever their codes; Task 1b mentions with their codes."""
    names = ("exact", "overlap", "gold_spans", "spans", "correct", "golds", "relaxed")
    counts = dict.fromkeys(names, 0)
    for found_document, gold_document in zip(predictions, references, strict=True):
        golds, founds = read(gold_document), read(found_document)
        gold_spans, spans = ({span for span, _ in side} for side in (golds, founds))
        counts["gold_spans"] += len(gold_spans)
        counts["spans"] += len(spans)
        counts["exact"] += len(gold_spans & spans)
        counts["overlap"] += len(pair(gold_spans, spans))
        counts["golds"] += len(golds)
        counts["correct"] += len(golds & founds)
        counts["relaxed"] += sum(span in gold_spans for span, _ in founds)
    return {
        **_prf("exact", counts["exact"], counts),
        **_prf("overlap", counts["overlap"], counts),
        "strict_accuracy": _ratio(counts["correct"], counts["golds"]),
        "relaxed_accuracy": _ratio(counts["correct"], counts["relaxed"]),
        "correct": counts["correct"],
        "strict_total": counts["golds"],
        "relaxed_total": counts["relaxed"],
        "n_documents": len(references),
    }


def _prf(prefix, tp, counts):
    gold, found = counts["gold_spans"], counts["spans"]
    return {
        f"{prefix}_precision": _ratio(tp, found),
        f"{prefix}_recall": _ratio(tp, gold),
        f"{prefix}_f1": _ratio(2 * tp, found + gold),
        f"{prefix}_tp": tp,
        f"{prefix}_fp": found - tp,
        f"{prefix}_fn": gold - tp,
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
