"""MEDDOCAN 2019: sensitive data in Spanish clinical cases, which have to be found and classified.

The rules are those of Marimon et al. (2019) and https://temu.bsc.es/meddocan/, Evaluation. A
mention is right if its offsets and label are (``strict``, sub-task 1) or if its offsets are
(``span``, sub-task 2). ``merged`` compares spans after neighbours with neither letters nor digits
between them have become one. The shares of leaks are our addition.
"""

from clineval.definitions.documents import hull_of, pair_documents
from clineval.definitions.leaks import score_leaks
from clineval.definitions.rates import add_rows, compare_sets, name_scores

NAMES = {
    "default": ("strict", "span", "merged"),
    "ner": ("strict",),
    "spans": ("span", "merged"),
}
"""Configuration to its scores."""


def merge(spans, text):
    """Return spans without gaps that have neither letters nor digits."""
    merged = []
    for start, end in sorted(spans):
        if merged and (start <= merged[-1][1] or is_gap(text, merged[-1][1], start)):
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return set(merged)


def is_gap(text, start, end):
    """Check that there is neither a letter nor a digit between two offsets."""
    return not any(character.isalnum() for character in text[start:end])


def counts(gold, found, text):
    """Return tp, fp and fn of a document for each score; a mention is (start, end, label)."""
    spans = [{(start, end) for start, end, _ in side} for side in (gold, found)]
    sides = {
        "strict": (set(gold), set(found)),
        "span": spans,
        "merged": [merge(side, text) for side in spans],
    }
    return {name: compare_sets(*pair) for name, pair in sides.items()}


def score_documents(gold, predicted, config="default"):
    """Return the scores of documents as JSON Lines contain them, with their texts."""
    rows = []
    for pair in pair_documents(gold, predicted):
        text = next((document["text"] for document in pair if document.get("text")), "")
        sides = [
            [(*hull_of(mention), mention["label"]) for mention in document.get("mentions", ())]
            for document in pair
        ]
        rows.append(counts(*sides, text))
    scores = score_leaks(gold, predicted)
    for name in NAMES[config]:
        scores |= name_scores(name, *add_rows([row[name] for row in rows]))
    return scores
