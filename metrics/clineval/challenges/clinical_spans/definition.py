"""Labelled spans of any scheme: named entities of data that belong to no challenge.

``strict`` requires the same fragments and label, ``lenient`` a character in common and the label,
``boundary`` the same fragments. The measures of SemEval-2013 Task 9.1 (Segura-Bedmar et al.) go
back to MUC-5: a pair is correct, incorrect or partial, and a mention without a partner missing or
spurious. ``labelled_spans`` pairs mentions.
"""

from collections import Counter

from clineval.definitions.documents import pair_documents
from clineval.definitions.labelled_spans import pair, read, words_of
from clineval.definitions.rates import (
    compare_sets,
    divide,
    mean_rates,
    name_rates,
    name_scores,
)

MEASURES = {"strict": "partial", "boundary": "partial", "partial": "partial", "type": "type"}
"""Measure to the pairs that it judges."""
COUNTS = ("cor", "inc", "par", "mis", "spu", "possible", "actual")


def judge(measure, pairs, golds, founds):
    """Return the counts of a measure of MUC."""
    right = {
        "strict": lambda g, f: g[:2] == f[:2],
        "boundary": lambda g, f: g[0] == f[0],
        "partial": lambda g, f: g[0] == f[0],
        "type": lambda g, f: g[1] == f[1],
    }[measure]
    correct = sum(right(*pair) for pair in pairs)
    others = len(pairs) - correct
    partial = measure == "partial"
    missing, spurious = len(golds) - len(pairs), len(founds) - len(pairs)
    known = correct, 0 if partial else others, others if partial else 0, missing, spurious
    return dict(zip(COUNTS, (*known, len(golds), len(founds)), strict=True))


def count(golds, founds, labels, slots, **rules):
    """Return all counts of a document."""
    counts, of_match = Counter(), pair(golds, founds, **rules)
    for name, pairs in of_match.items():
        partners = {found for _, found in pairs}
        for label in (None, *labels):
            key = name if label is None else f"{label.lower()}_{name}"
            tp, fp, every = (
                sum(label in (None, mention[1]) for mention in mentions)
                for mentions in ([g for g, _ in pairs], {*founds} - partners, golds)
            )
            counts.update({f"{key}_tp": tp, f"{key}_fp": fp, f"{key}_fn": every - tp})
        for number, slot in enumerate(slots):
            counts[f"{slot}_{name}_equal"] += sum(g[2][number] == f[2][number] for g, f in pairs)
    for measure, match in MEASURES.items():
        judged = judge(measure, of_match[match], golds, founds)
        counts.update({f"{measure}_{key}": number for key, number in judged.items()})
    return counts


def score_muc(measure, counts):
    """Return the counts and the scores of a measure of MUC; a partial pair is worth one half."""
    own = {key: counts[f"{measure}_{key}"] for key in COUNTS}
    worth = own["cor"] + own["par"] / 2
    sizes = own["actual"], own["possible"]
    rates = divide(worth, sizes[0]), divide(worth, sizes[1]), divide(2 * worth, sum(sizes))
    return {**{f"{measure}_{key}": of for key, of in own.items()}, **name_rates(measure, rates)}


def score(documents, labels=None, slots=(), texts=None, **rules):
    """Return all scores of pairs of lists of mentions; ``labels`` are those that count."""
    scored = labels or sorted({m["label"] for pair in documents for side in pair for m in side})
    counts = Counter()
    for number, sides in enumerate(documents):
        own = {**rules, "text": texts[number]} if texts else rules
        kept = ([m for m in side if m["label"] in scored] for side in sides)
        counts.update(count(*(read(mentions, slots) for mentions in kept), scored, slots, **own))

    def scores_of(key):
        return name_scores(key, *(counts[f"{key}_{verdict}"] for verdict in ("tp", "fp", "fn")))

    scores = {"n_documents": len(documents), **scores_of("boundary")}
    if slots:
        scores |= scores_of("strict_slots")
    for name in ("strict", "lenient"):
        scores |= scores_of(name)
        for slot in slots:
            equal, pairs = counts[f"{slot}_{name}_equal"], counts[f"{name}_tp"]
            scores[f"{slot}_{name}_accuracy"] = divide(equal, pairs)
        keys = [f"{label.lower()}_{name}" for label in scored]
        rows = [[counts[f"{key}_{verdict}"] for verdict in ("tp", "fp", "fn")] for key in keys]
        scores |= name_rates(f"macro_{name}", mean_rates(rows))
        for key in keys:
            scores |= scores_of(key)
    for measure in MEASURES:
        scores |= score_muc(measure, counts)
    return scores


def tokens(predictions, references, texts, labels):
    """Return precision, recall and F1 of words with a label, of all and of each label."""
    sides = [
        {
            (number, word, m["label"])
            for number, document in enumerate(side)
            for m in document
            for word in words_of(m["spans"], texts[number])
        }
        for side in (references, predictions)
    ]
    return {
        key: value
        for label in (None, *labels)
        for key, value in name_scores(
            f"{label.lower()}_tokens" if label else "tokens",
            *compare_sets(*({unit for unit in side if label in (None, unit[2])} for side in sides)),
        ).items()
    }


def means(scores, labels, name, measure):
    """Return the mean over labels, and the mean weighted by gold mentions, of a score of labels."""
    weights, values, there = [], [], []
    for label in labels:
        key = f"{label.lower()}_{name}"
        tp, fp, fn = (scores.get(f"{key}_{verdict}", 0) for verdict in ("tp", "fp", "fn"))
        values.append(scores.get(f"{key}_{measure}", 0))
        weights.append(tp + fn)
        there.append(tp + fp + fn > 0)
    macro = [value for value, of in zip(values, there, strict=True) if of]
    weighted = sum(value * of for value, of in zip(values, weights, strict=True))
    return divide(sum(macro), len(macro)), divide(weighted, sum(weights))


def f_beta(precision, recall, beta):
    """Return the weighted harmonic mean of precision and recall."""
    if not precision or not recall:
        return 0.0
    return (1 + beta**2) / (1 / precision + beta**2 / recall)


def right_documents(predictions, references, slots=()):
    """Return how many documents have the same mentions on both sides."""
    both = zip(predictions, references, strict=True)
    return sum(read(found, slots) == read(gold, slots) for found, gold in both)


def score_documents(gold, predicted, config="default", **options):  # noqa: ARG001 - there is one
    """Return the scores of documents as JSON Lines contain them."""
    pairs = [
        [document.get("mentions", ()) for document in pair]
        for pair in pair_documents(gold, predicted)
    ]
    return score(pairs, **options)
