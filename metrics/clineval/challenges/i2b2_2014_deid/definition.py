"""i2b2 2014 de-identification: identifying information in clinical notes.

The rules are those of Stubbs, Kotfila and Uzuner (2015). A mention is right if its offsets and type
are (``strict``), or with an end that is at most two characters off (``relaxed``); ``token`` counts
runs of letters and digits. ``hipaa_`` scores only the types that the law requires, ``binary_``
ignores types. The shares of leaks are our addition.
"""

import re
from itertools import product

from clineval.definitions.documents import hull_of, pair_documents
from clineval.definitions.leaks import score_leaks
from clineval.definitions.rates import add_rows, compare_sets, name_scores

TOLERANCE = 2
"""The characters by which the end of a relaxed match may be off."""
HIPAA = {
    *("PATIENT", "AGE", "CITY", "STREET", "ZIP", "ORGANIZATION", "DATE", "PHONE", "FAX", "EMAIL"),
    *("SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "VEHICLE", "DEVICE", "BIOID"),
    "IDNUM",
}


def tokens(mentions, text):
    """Return the runs of letters and digits inside mentions, each with its label."""
    return {
        (start + token.start(), start + token.end(), label)
        for start, end, label in mentions
        for token in re.finditer(r"[^\W_]+", text[start:end])
    }


def most_near(gold, found):
    """Return the most pairs of equal start and type with ends that differ by at most 2."""
    gold, found = sorted(gold), sorted(found)
    partner = {}

    def augment(g, seen):
        """Find a prediction for a gold mention; its partner may take another one."""
        for p, other in enumerate(found):
            near = g[0] == other[0] and g[2] == other[2] and abs(g[1] - other[1]) <= TOLERANCE
            if near and p not in seen:
                seen.add(p)
                if p not in partner or augment(partner[p], seen):
                    partner[p] = g
                    return True
        return False

    return sum(augment(g, set()) for g in gold)


def counts(gold, found, text):
    """Return tp, fp and fn of a document for each score; a mention is (start, end, type)."""
    result = {}
    for hipaa, binary in product((False, True), repeat=2):
        sides = [{(s, e, of.upper()) for s, e, of in side} for side in (gold, found)]
        if hipaa:
            sides = [{m for m in side if m[2] in HIPAA} for side in sides]
        if binary:
            sides = [{(s, e, "") for s, e, _ in side} for side in sides]
        name = f"{'binary_' * binary}{'hipaa_' * hipaa}"
        result[f"{name}strict"] = compare_sets(*sides)
        right = most_near(*sides)
        result[f"{name}relaxed"] = right, len(sides[1]) - right, len(sides[0]) - right
        result[f"{name}token"] = compare_sets(*(tokens(side, text) for side in sides))
    return result


def score_documents(gold, predicted, config="default"):  # noqa: ARG001 - there is one
    """Return the scores of documents as JSON Lines contain them, with their texts."""
    rows = []
    for pair in pair_documents(gold, predicted):
        text = next((document["text"] for document in pair if document.get("text")), "")
        sides = [[(*hull_of(m), m["label"]) for m in side.get("mentions", ())] for side in pair]
        rows.append(counts(*sides, text))
    scores = score_leaks(gold, predicted)
    for name in rows[0] if rows else ():
        scores |= name_scores(name, *add_rows([row[name] for row in rows]))
    return scores
