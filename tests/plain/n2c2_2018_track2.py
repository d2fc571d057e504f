"""n2c2 2018 Track 2 in plain Python, by the words of its definition, with no thought of speed.

A document is a dict as ``clineval.score`` takes it, or None where a side does not have it.
"""

CONCEPTS = ("Drug", "Strength", "Duration", "Route", "Form", "ADE", "Dosage", "Reason", "Frequency")
RELATIONS = (
    "Strength-Drug", "Dosage-Drug", "Duration-Drug", "Frequency-Drug", "Form-Drug", "Route-Drug",
    "Reason-Drug", "ADE-Drug",
)  # fmt: skip
LABELS = {"concepts": CONCEPTS, "relations": RELATIONS}
EMPTY = {"mentions": [], "relations": []}


def divide(a, b):
    return a / b if b else 0.0


def rates(tp, fp, fn):
    precision, recall = divide(tp, tp + fp), divide(tp, tp + fn)
    return precision, recall, divide(2 * (precision * recall), precision + recall)


# spec


def annotations(document):
    """The distinct concepts and relations of a document."""
    concepts = {
        m["id"]: (m["label"], tuple(sorted(map(tuple, m["spans"])))) for m in document["mentions"]
    }
    relations = {
        (r["label"], concepts[r["from"]], concepts[r["to"]]) for r in document["relations"]
    }
    return {"concepts": set(concepts.values()), "relations": relations}


def characters(concept):
    return {at for start, end in concept[1] for at in range(start, end)}


def arguments(annotation, kind):
    return [annotation] if kind == "concepts" else list(annotation[1:])


def shared(one, other, kind):
    """Characters in common and in the union, if they match leniently."""
    if one[0] != other[0]:
        return None
    sizes = []
    for a, b in zip(arguments(one, kind), arguments(other, kind), strict=True):
        common, union = characters(a) & characters(b), characters(a) | characters(b)
        if a[0] != b[0] or not common:
            return None
        sizes.append((len(common), len(union)))
    return [sum(column) for column in zip(*sizes, strict=True)]


def pair(gold, system, kind, mode):
    """Pairs of annotations: identical ones, then lenient ones in the order of the definition."""
    pairs = [(one, one) for one in gold & system]
    if mode == "strict":
        return pairs
    candidates = []
    for one in gold - system:
        for other in system - gold:
            sizes = shared(one, other, kind)
            if sizes:
                candidates.append((-sizes[0], sizes[1], one, other))
    free = gold ^ system
    for _, _, one, other in sorted(candidates):
        if one in free and other in free:
            free -= {one, other}
            pairs.append((one, other))
    return pairs


def count_spec(gold, system, kind, mode):
    """Type, or None for all, to tp, fp, fn of one document."""
    gold, system = annotations(gold or EMPTY)[kind], annotations(system or EMPTY)[kind]
    pairs = pair(gold, system, kind, mode)
    counts = {}
    for label in (None, *LABELS[kind]):
        tp, golds, systems = (
            sum(label in (None, each[0]) for each in some)
            for some in ([one for one, _ in pairs], gold, system)
        )
        counts[label] = (tp, systems - tp, golds - tp)
    return counts


# official


def hull(mention):
    return mention["label"], mention["spans"][0][0], mention["spans"][-1][1]


def matches(one, other, mode):
    if one[0] != other[0]:
        return False
    if mode == "strict":
        return one == other
    return one[2] > other[1] and one[1] < other[2]


def lines(document, kind):
    """The annotations in the order of their lines, a relation with both arguments."""
    concepts = {mention["id"]: hull(mention) for mention in document["mentions"]}
    if kind == "concepts":
        return [(label, (label, *ends)) for label, *ends in concepts.values()]
    return [(r["label"], concepts[r["from"]], concepts[r["to"]]) for r in document["relations"]]


def count_official(gold, system, kind, mode):
    counts = {}
    for label in (None, *LABELS[kind]):
        golds, systems = (
            [each for each in lines(document, kind) if label in (None, each[0])]
            for document in (gold, system)
        )
        taken, tp, fp = set(), 0, 0
        for one in systems:
            matched = {
                at
                for at, other in enumerate(golds)
                if other[0] == one[0]
                and all(matches(a, b, mode) for a, b in zip(other[1:], one[1:], strict=True))
            }
            fp += not matched
            tp += bool(matched) and not matched & taken
            taken |= matched
        counts[label] = (tp, fp, len(golds) - tp)
    return counts


def score(golds, systems, protocol):
    """All scores of a corpus."""
    count = {"spec": count_spec, "official": count_official}[protocol]
    scores = {}
    for kind, labels in LABELS.items():
        for mode in ("strict", "lenient"):
            tables = [count(g, s, kind, mode) for g, s in zip(golds, systems, strict=True)]
            for label in (None, *labels):
                total = [
                    sum(column) for column in zip(*(table[label] for table in tables), strict=True)
                ]
                name = f"{kind}_micro" if label is None else label.lower().replace("-", "_")
                names = ("tp", "fp", "fn", "precision", "recall", "f1")
                for key, value in zip(names, (*total, *rates(*total)), strict=True):
                    scores[f"{name}_{mode}_{key}"] = value
            rows = [t[None] for t in tables if protocol == "official" or any(t[None])]
            means = zip(*(rates(*row) for row in rows), strict=True) if rows else [(0,)] * 3
            for key, values in zip(("precision", "recall", "f1"), means, strict=True):
                scores[f"{kind}_macro_{mode}_{key}"] = divide(sum(values), len(rows))
    return scores
