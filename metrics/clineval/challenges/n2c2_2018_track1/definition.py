"""n2c2 2018 Track 1: whether patients meet the criteria of a cohort.

The rules are those of Stubbs et al., JAMIA 26 (2019). A patient has an answer
for each criterion, ``met`` or ``not met``. The overall F1 is the mean F1 of both answers, over all
criteria together (``micro_``), or as the mean over criteria (``macro_``).
"""

from collections import Counter

CLASSES = ("met", "not met")


def score(golds, systems, criteria):
    """Return counts by (criterion, class, verdict), and the main scores.

    Sides map patients to their answers by criterion.
    """
    counts = Counter()
    for patient in golds.keys() | systems.keys():
        gold, system = golds.get(patient, {}), systems.get(patient, {})
        for criterion in criteria:
            right, found = gold.get(criterion), system.get(criterion)
            if right == found and right is not None:
                counts[criterion, right, "tp"] += 1
            else:
                if found is not None:
                    counts[criterion, found, "fp"] += 1
                if right is not None:
                    counts[criterion, right, "fn"] += 1
    pooled = Counter()
    for (_, value, verdict), number in counts.items():
        pooled["all", value, verdict] += number
    alone = [overall(counts, criterion) for criterion in criteria]
    present = [each for each in alone if each is not None]
    return counts, {
        "micro_overall_f1": overall(pooled, "all") or 0,
        "macro_overall_f1": sum(present) / len(present) if present else 0,
        "balanced_accuracy": balance(pooled, "all"),
    }


def overall(counts, criterion):
    """Return the mean F1 of the classes that either side has; None if there is none."""
    scores = []
    for value in CLASSES:
        tp, fp, fn = (counts[criterion, value, verdict] for verdict in ("tp", "fp", "fn"))
        if tp + fp + fn:
            scores.append(2 * tp / (2 * tp + fp + fn))
    return sum(scores) / len(scores) if scores else None


def balance(counts, criterion):
    """Return the mean recall of the classes that the gold standard has."""
    recalls = []
    for value in CLASSES:
        tp, fn = counts[criterion, value, "tp"], counts[criterion, value, "fn"]
        if tp + fn:
            recalls.append(tp / (tp + fn))
    return sum(recalls) / len(recalls) if recalls else 0


def score_documents(gold, predicted, config="default"):  # noqa: ARG001 - there is one
    """Return the main scores of documents as JSON Lines contain them."""
    sides = [{document["id"]: document for document in side} for side in (gold, predicted)]
    answers = [document for side in sides for document in side.values()]
    criteria = sorted({key for document in answers for key in document} - {"id", "text"})
    return score(*sides, criteria)[1]
