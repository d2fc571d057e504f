"""ShARe/CLEF eHealth 2013 Task 1: spans of disorders (``task1a``), and their codes (``task1b``).

The rules are those of the lab's section Evaluation. Task 1a counts the distinct spans of a
document: an ``exact`` match has the same fragments, an ``overlap`` match a character in common.
Task 1b counts mentions with a right code: of all gold mentions (``strict_accuracy``), or of the
predictions that have exactly the span of a gold mention (``relaxed_accuracy``). The document does
not say how to pair spans that overlap several; here pairs are one to one.
"""

from itertools import product

from clineval.definitions.documents import characters_of, fragments_of, pair_lists
from clineval.definitions.rates import divide, name_scores


def read_code(code):
    """Return a code without case; no code is a code of its own."""
    return "cui-less" if code is None or code.lower() in ("", "cuiless") else code.lower()


def read(mentions):
    """Return the distinct mentions: fragments and code."""
    return {(fragments_of(mention), read_code(mention.get("cui"))) for mention in mentions}


def order(fragments):
    """Return what sorts spans by their place."""
    first, *rest = fragments
    return first, len(rest), rest


def pair(golds, founds):
    """Pair spans one to one: equal ones first, then overlapping ones, longest prediction first."""
    pairs = {span: span for span in golds & founds}
    near = []
    for gold, found in product(golds - founds, founds - golds):
        letters, others = (characters_of({"spans": span}) for span in (gold, found))
        if letters & others:
            longest = -len(others), -len(letters & others), gold[0][0], found[0][0]
            near.append(((*longest, order(gold), order(found)), gold, found))
    for _, gold, found in sorted(near):
        if gold not in pairs and found not in pairs.values():
            pairs[gold] = found
    return pairs


def count(golds, founds):
    """Return the counts of a document, whose mentions are distinct."""
    gold_spans, spans = ({span for span, _ in side} for side in (golds, founds))
    return {
        "gold_spans": len(gold_spans),
        "spans": len(spans),
        "exact": len(gold_spans & spans),
        "overlap": len(pair(gold_spans, spans)),
        "correct": len(golds & founds),
        "strict_total": len(golds),
        "relaxed_total": sum(span in gold_spans for span, _ in founds),
    }


def score_documents(gold, predicted, config="default"):
    """Return the scores of documents as JSON Lines contain them."""
    rows = [count(*map(read, pair)) for pair in pair_lists(gold, predicted)]
    totals = {name: sum(row[name] for row in rows) for name in count(set(), set())}
    task1a, task1b = {}, {}
    for match in ("exact", "overlap"):
        right = totals[match]
        wrong, missed = totals["spans"] - right, totals["gold_spans"] - right
        task1a |= name_scores(match, right, wrong, missed)
    for name in ("strict", "relaxed"):
        task1b[f"{name}_accuracy"] = divide(totals["correct"], totals[f"{name}_total"])
        task1b[f"{name}_total"] = totals[f"{name}_total"]
    task1b["correct"] = totals["correct"]
    return {"task1a": task1a, "task1b": task1b}.get(config, {**task1a, **task1b})
