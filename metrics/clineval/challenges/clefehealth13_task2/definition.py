"""ShARe/CLEF eHealth 2013 Task 2: codes of acronyms and abbreviations that are given.

The rules are those of the lab's section Evaluation. The annotators listed the possible codes, best
first. A predicted code is right if it is the first one (``strict_accuracy``), or any one of them
(``relaxed_accuracy``). Predictions for anything that is not annotated do not count.
"""

from clineval.definitions.rates import divide


def read_codes(codes):
    """Return codes as they are compared; no code is a code of its own."""
    folded = [(code or "").strip().lower() for code in codes or [""]]
    return ["cui-less" if code in ("", "cuiless") else code for code in folded]


def score_documents(gold, predicted, config="default"):  # noqa: ARG001 - there is one
    """Return the scores of abbreviations: dicts with ``id`` (the note), ``spans`` and ``codes``."""
    sides = [
        {(unit["id"], str(unit["spans"])): read_codes(unit["codes"]) for unit in side}
        for side in (gold, predicted)
    ]
    strict = relaxed = 0
    for unit, codes in sides[0].items():
        code = sides[1].get(unit, [None])[0]
        strict += code == codes[0]
        relaxed += code in codes
    total = len(sides[0])
    return {
        "strict_accuracy": divide(strict, total),
        "relaxed_accuracy": divide(relaxed, total),
        "strict_correct": strict,
        "relaxed_correct": relaxed,
        "total": total,
    }
